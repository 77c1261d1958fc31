"""control_registers: what the host writes reaches its block, whole and once; what it reads is current."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiResp

from harness import SEED, scaled, simulate
from registers import group, groups
from registers_axi import Registers
from streams import cycles, start

# top_pkg::writes_t and controls_t, highest first: names and widths.
WRITES = (
    [("clock_set", 64), ("clock_adjust", 32), ("load", 52), ("slot", 71), ("watch", 71)]
    + [("template_class", 14), ("frame", 44), ("tcp_seq", 32), ("tcp_limit", 32)]
    + [("next_msg_seq", 32), ("udp_seq", 32)]
)
CONTROLS = (
    [(name, 1) for name in ("engine", "orders", "speculate", "trailer", "mirror", "counted")]
    + [("kill_all", 1), ("kill", 32), ("resync", 1), ("clear_latency", 1)]
    + [("channel_b", 49), ("channel_a", 49), ("leased", 1), ("tcp_ack", 32), ("tcp_window", 16)]
    + [("histogram_base", 32), ("histogram_shift", 4), ("exposure_instrument", 4)]
)
INPUTS = ("inject_ready", "command_ready", "counter_data", "latency_data", "top_data", "book_data")


def unpack(value: int, layout) -> dict[str, int]:
    found = {}
    for name, width in reversed(layout):
        found[name] = value & (1 << width) - 1
        value >>= width
    assert value == 0
    return found


def writes_now(dut) -> dict[str, int]:
    """The tables' and registers' strobes that are up, with address and data."""
    with_valid = [(name, width + 1) for name, width in WRITES]
    widths = dict(WRITES)
    found = unpack(int(dut.writes.value), with_valid)
    return {
        name: value & (1 << widths[name]) - 1
        for name, value in found.items()
        if value >> widths[name]
    }


async def bench(dut):
    acks = [f"{name}_data_valid" for name in ("counter", "latency", "top", "book")]
    for name in (*INPUTS, *acks, "status"):
        getattr(dut, name).value = 0
    registers = Registers(dut)
    await start(dut)
    seen = []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            seen.extend(writes_now(dut).items())

    async def answer(name):
        """Answers a reading with its address."""
        while True:
            await RisingEdge(dut.clk)
            valid = getattr(dut, f"{name}_data_valid")
            valid.value = 0
            if int(getattr(dut, f"{name}_read").value):
                address = int(getattr(dut, f"{name}_address").value)
                await cycles(dut, 2)
                valid.value, getattr(dut, f"{name}_data").value = 1, 0x1000 | address

    cocotb.start_soon(watch())
    for name in ("counter", "latency", "top", "book"):
        cocotb.start_soon(answer(name))
    return registers, seen


@cocotb.test()
async def switches(dut):
    """Identity, scratch, and each switch by itself; pulses last one cycle."""
    registers, _ = await bench(dut)
    assert await registers.read("identity.magic") == 0x534B5231
    assert await registers.read("identity.shape") == 5 << 24 | 88 << 16 | 4 << 8 | 16
    await registers.write("identity.scratch", 0xDEADBEEF)
    assert await registers.read("identity.scratch") == 0xDEADBEEF
    for field in Registers.register("control.switches").fields:
        await registers.fields("control.switches", **{field.name: 1})
        await cycles(dut, 2)
        controls = unpack(int(dut.controls.value), CONTROLS)
        assert [name for name, value in controls.items() if value and name != "histogram_shift"] == [
            field.name
        ]
    await registers.write("control.switches", 0)
    for name in ("resync", "clear_latency"):
        high = 0

        async def count(name=name):
            nonlocal high
            while True:
                await RisingEdge(dut.clk)
                high += unpack(int(dut.controls.value), CONTROLS)[name]

        task = cocotb.start_soon(count())
        await registers.fields("control.pulses", **{name: 1})
        await cycles(dut, 4)
        task.cancel()
        assert high == 1


@cocotb.test()
async def wide_registers(dut):
    """A channel changes as a whole, with its high half; so does the clock."""
    registers, seen = await bench(dut)
    channel = Registers.register("control.channel")

    def now(name):
        return unpack(int(dut.controls.value), CONTROLS)[name]

    want = 1 << 48 | 16001 << 32 | 0xEFC30101
    await registers.master.write(channel.at(1), (want & 0xFFFFFFFF).to_bytes(4, "little"))
    await cycles(dut, 4)
    assert now("channel_b") == 0
    await registers.master.write(channel.at(1) + 4, (want >> 32).to_bytes(4, "little"))
    await cycles(dut, 4)
    # feed_channel_t: enable, address, port.
    assert now("channel_b") == 1 << 48 | 0xEFC30101 << 16 | 16001
    assert now("channel_a") == 0
    await registers.write("clock.set", 0x123456789ABCDEF0)
    await registers.write("clock.adjust", 0xFFFFFFFE)
    await cycles(dut, 3)
    assert seen == [("clock_set", 0x123456789ABCDEF0), ("clock_adjust", 0xFFFFFFFE)]


@cocotb.test()
async def strobes_and_tables(dut):
    """Each write comes out once, at its address; words of 64 bits with their high half; single bytes
    not at all."""
    registers, seen = await bench(dut)
    draw = random.Random(SEED)
    await registers.write("engine.load_address", 0xFFFFE)
    want = []
    for address in (0xFFFFE, 0xFFFFF, 0):
        word = draw.getrandbits(32)
        await registers.write("engine.load_data", word)
        want.append(("load", address << 32 | word))
    assert await registers.read("engine.load_address") == 1
    for name, bits in (("tcp_seq", 32), ("tcp_limit", 32), ("next_msg_seq", 30), ("udp_seq", 32)):
        word = draw.getrandbits(bits)
        await registers.write(f"orders.set_{name}", word)
        want.append((name, word))
    for _ in range(scaled(40, 15)):
        word = draw.getrandbits(64)
        slot, field = draw.randrange(16), draw.randrange(7)
        name = group("strategies").registers[field].name
        await registers.write(f"strategies.{name}", word, slot)
        want.append(("slot", (8 * slot + field) << 64 | word))
        index, field = draw.randrange(16), draw.randrange(4)
        name = group("watch").registers[field].name
        await registers.write(f"watch.{name}", word, index)
        want.append(("watch", (4 * index + field) << 64 | word))
        at, word = draw.randrange(4096), draw.getrandbits(32)
        await registers.write("frames.word", word, at)
        want.append(("frame", at << 32 | word))
        await registers.write("templates.class", word, at)
        want.append(("template_class", at << 2 | word & 3))
    # A write of one byte.
    await registers.master.write(Registers.register("frames.word").at(5), b"\x01")
    await registers.master.write(Registers.register("strategies.bound").at(0) + 4, b"\x01")
    await cycles(dut, 5)
    assert seen == want
    # Tables for writing read as zero.
    assert await registers.read("frames.word", 7) == 0
    assert await registers.read("strategies.bound", 3) == 0


@cocotb.test()
async def readings(dut):
    """Readings reach their block with their address, whatever was asked before."""
    registers, _ = await bench(dut)
    for index in (0, 3, 77):
        register = group("counters").registers[index]
        low = 2 * index
        assert await registers.read(f"counters.{register.name}") == (
            (0x1000 | low + 1) << 32 | 0x1000 | low
        )
    assert await registers.read("latency.stage_maximum", 4) == 0x1000 | 8 * 4 + 2
    assert await registers.read("latency.bin", 31) == 0x1000 | 95
    assert await registers.read("tops.bid_quantity", 3) == (
        (0x1000 | 3 * 16 + 7) << 32 | 0x1000 | 3 * 16 + 6
    )
    assert await registers.read("books.book", 2 * 16 + 4) & 0xFFFFFFFF == 0x1000 | (2 * 32 + 8)


@cocotb.test()
async def commands_wait(dut):
    """An entry and a command wait until they are taken, unchanged by what is written meanwhile; another
    one is refused."""
    registers, _ = await bench(dut)
    refused = {"inject": 0, "command": 0}

    async def count():
        while True:
            await RisingEdge(dut.clk)
            for name in refused:
                refused[name] += int(getattr(dut, f"{name}_refused").value)

    cocotb.start_soon(count())
    await registers.write("inject.id", 2**63 + 5)
    await registers.write("inject.price", 2**64 - 100)
    await registers.write("inject.quantity", 7)
    await registers.write("inject.rpt_seq", 42)
    await registers.fields("inject.command", op=1, instrument=3, side=1)
    await cycles(dut, 3)
    assert int(dut.inject_valid.value) and await registers.read("inject.status") == 1
    first = int(dut.inject.value)
    # entry_t from the low end: tstamp 64, tid 4, from_host, bad, last, rpt_seq 32, quantity 64.
    assert first >> 64 & 0xF == 15 and first >> 68 & 1 == 1
    assert first >> 71 & 0xFFFFFFFF == 42 and first >> 103 & (1 << 64) - 1 == 7
    assert first >> 167 & (1 << 64) - 1 == 2**64 - 100
    assert first >> 231 & (1 << 64) - 1 == 2**63 + 5
    assert first >> 295 == 1 << 5 | 3 << 1 | 1
    await registers.write("inject.quantity", 8)
    await registers.fields("inject.command", op=2, instrument=1)
    await cycles(dut, 4)
    assert int(dut.inject.value) == first and refused["inject"] == 1
    dut.inject_ready.value = 1
    await RisingEdge(dut.clk)
    dut.inject_ready.value = 0
    await cycles(dut, 2)
    assert not int(dut.inject_valid.value) and await registers.read("inject.status") == 0

    await registers.write("strategy.quantity", 2**40)
    await registers.fields("strategy.command", op=4, slot=9)
    await registers.fields("strategy.command", op=1, slot=2)
    await cycles(dut, 3)
    assert await registers.read("strategy.status") == 1 and refused["command"] == 1
    assert int(dut.command_op.value) == 4 and int(dut.command_slot.value) == 9
    assert int(dut.command_quantity.value) == 2**40
    dut.command_ready.value = 1
    await cycles(dut, 2)
    assert not int(dut.command_valid.value)


@cocotb.test()
async def every_address(dut):
    """Every register answers; what is none answers with an error, and nothing hangs."""
    registers, _ = await bench(dut)
    draw = random.Random(SEED)
    known = set()
    for one in groups():
        for register in one.registers:
            for index in {0, register.count - 1}:
                address = register.at(index)
                known |= {address, address + 4} if register.bits == 64 else {address}
                done = await registers.master.read(address, register.bits // 8)
                assert done.resp == AxiResp.OKAY, register.name
    for address in (0x030, 0x0BC, 0x7FC, 0xC000, 0xFFFC, 0x3000):
        assert address not in known
        assert (await registers.master.read(address, 4)).resp == AxiResp.SLVERR
        assert (await registers.master.write(address, bytes(4))).resp == AxiResp.SLVERR
    # Readings and writings at once.
    for _ in range(scaled(20, 8)):
        word = draw.getrandbits(32)
        writing = cocotb.start_soon(registers.write("identity.scratch", word))
        reading = cocotb.start_soon(registers.read("counters.rx_good"))
        await writing
        assert await reading == 0x1001 << 32 | 0x1000
        assert await registers.read("identity.scratch") == word


def test_control_registers():
    simulate(__file__, "control_registers", {"INSTRUMENTS": 4, "COUNTERS": 88})

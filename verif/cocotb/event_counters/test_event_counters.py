"""event_counters: no pulse is lost, and both halves of a reading are of one moment."""

import random

import cocotb
from cocotb.triggers import RisingEdge

import readout
from harness import SEED, scaled, simulate
from streams import cycles, start

COUNTERS = 10


async def read(dut, address: int) -> int:
    return await readout.read(dut, address, 3)


async def read64(dut, counter: int) -> int:
    low = await read(dut, 2 * counter)
    return await read(dut, 2 * counter + 1) << 32 | low


@cocotb.test()
async def exact(dut):
    """Random pulses, many at once or one in every cycle, with readings in between: the sums are exact."""
    await start(dut, pulses=0, read_valid=0, read_address=0)
    draw = random.Random(SEED)
    want = [0] * COUNTERS
    for _ in range(scaled(40, 12)):
        density = draw.choice((0, 2**COUNTERS - 1, None))
        for _ in range(draw.randrange(100)):
            pulses = draw.getrandbits(COUNTERS) if density is None else density
            dut.pulses.value = pulses
            want = [sum_ + (pulses >> i & 1) for i, sum_ in enumerate(want)]
            # A reading holds the round up for a cycle.
            dut.read_valid.value = draw.random() < 0.4 and not int(dut.read_valid.value)
            dut.read_address.value = draw.randrange(2 * COUNTERS)
            await RisingEdge(dut.clk)
        dut.pulses.value, dut.read_valid.value = 0, 0
        await cycles(dut, COUNTERS + 4)
        assert [await read64(dut, i) for i in range(COUNTERS)] == want
    assert await read64(dut, COUNTERS) == 0


@cocotb.test()
async def carries(dut):
    """A word whose low half is about to wrap is read as one number at any moment, and goes on."""
    await start(dut, pulses=0, read_valid=0, read_address=0)
    await cycles(dut, 3 * COUNTERS)
    dut.words[3].value = 2**32 - 5
    await cycles(dut, 2)
    dut.pulses.value = 1 << 3
    await cycles(dut, COUNTERS + 6)
    seen = [await read64(dut, 3) for _ in range(20)]
    assert seen == sorted(seen) and seen[0] < 2**32 + 40 and seen[-1] > 2**32 + 40
    dut.pulses.value = 0
    dut.words[5].value = 2**64 - 1
    await cycles(dut, COUNTERS)
    dut.pulses.value = 1 << 5
    await RisingEdge(dut.clk)
    dut.pulses.value = 0
    await cycles(dut, COUNTERS + 6)
    assert await read64(dut, 5) == 0


@cocotb.test()
async def starts_over(dut):
    """`rst` makes every word zero, whatever the memory holds."""
    await start(dut, pulses=2**COUNTERS - 1, read_valid=0, read_address=0)
    await cycles(dut, 100)
    dut.rst.value = 1
    await cycles(dut, 4)
    dut.rst.value, dut.pulses.value = 0, 0
    # In the first round, in which no word is written yet, and behind it.
    assert [await read64(dut, i) for i in range(COUNTERS)] == [0] * COUNTERS
    dut.pulses.value = 0b101
    await RisingEdge(dut.clk)
    dut.pulses.value = 0
    await cycles(dut, COUNTERS + 4)
    assert [await read64(dut, i) for i in range(COUNTERS)] == [1, 0, 1] + [0] * (COUNTERS - 3)


def test_event_counters():
    simulate(__file__, "event_counters", {"COUNTERS": COUNTERS})

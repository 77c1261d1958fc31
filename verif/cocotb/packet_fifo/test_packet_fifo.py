"""packet_fifo: cut-through, in order, at any reader's pace; without room a packet is dropped or cut."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled, simulate
from streams import StreamMonitor, beats_of, cycles, drive, read_at, start

DEPTH = 32


async def bench(dut):
    names = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tside")
    counter = await start(dut, m_axis_tready=0, **{f"s_axis_{name}": 0 for name in names})
    monitor = StreamMonitor(
        dut, "m_axis", counter, side=("tside", "tuser"), ready=True, empty_end=True
    )
    events = []

    async def count():
        while True:
            await RisingEdge(dut.clk)
            if int(dut.dropped.value):
                events.append("dropped")
            if int(dut.cut.value):
                events.append("cut")

    cocotb.start_soon(count())
    return counter, monitor, events


@cocotb.test()
async def cut_through(dut):
    """A beat leaves in the cycle in which it comes, while the reader takes all."""
    counter, monitor, events = await bench(dut)
    dut.m_axis_tready.value = 1
    await cycles(dut, 4)
    for length in (1, 8, 9, 100):
        monitor.frames.clear()
        begin = counter.next
        await drive(dut, "s_axis", beats_of(bytes(length), tside=length))
        await cycles(dut, 6)
        words = (length + 7) // 8
        assert monitor.frames[0].cycles == list(range(begin, begin + words))
        assert monitor.frames[0].last["tside"] == length
    assert not events


@cocotb.test()
async def short_stop(dut):
    """A reader that stops for a cycle loses that cycle and no more."""
    counter, monitor, _ = await bench(dut)
    dut.m_axis_tready.value = 1
    await cycles(dut, 4)
    begin = counter.next
    stream = cocotb.start_soon(drive(dut, "s_axis", beats_of(bytes(160), tside=1)))
    for stopped in (0, 0, 0, 0, 1, 0, 0):
        dut.m_axis_tready.value = not stopped
        await RisingEdge(dut.clk)
    dut.m_axis_tready.value = 1
    await stream
    await cycles(dut, 6)
    taken = monitor.frames[0].cycles
    assert taken == [begin + i + (i >= 4) for i in range(20)]


@cocotb.test()
async def keeps_up(dut):
    """With room, every packet comes out as it went in, aborted or not, whatever the pace."""
    _, monitor, events = await bench(dut)
    draw = random.Random(SEED)
    pace = [1.0]
    cocotb.start_soon(read_at(dut, draw, lambda: pace[0]))
    sent = []
    for number in range(scaled(400, 120)):
        pace[0] = draw.choice((0.5, 0.8, 1.0))
        packet, abort = draw.randbytes(draw.randrange(1, 100)), draw.random() < 0.3
        sent.append((packet, abort, number))
        await drive(dut, "s_axis", beats_of(packet, abort, tside=number))
        await cycles(dut, draw.randrange(2 * len(packet) // 8 + 3))
        while int(dut.level.value) > DEPTH // 3:
            await RisingEdge(dut.clk)
    await cycles(dut, 100)
    got = [(bytes(f.payload), bool(f.last["tuser"]), f.last["tside"]) for f in monitor.frames]
    assert got == sent and not events


@cocotb.test()
async def overload(dut):
    """A slow reader: packets are whole, cut with abort, or missing, and as many as was counted."""
    _, monitor, events = await bench(dut)
    draw = random.Random(SEED)
    pace = [0.5]
    cocotb.start_soon(read_at(dut, draw, lambda: pace[0]))
    sent = {}
    for number in range(scaled(600, 200)):
        if number % 20 == 0:
            pace[0] = draw.choice((0.2, 0.6, 1.0))
        packet, abort = draw.randbytes(draw.randrange(1, 200)), draw.random() < 0.1
        sent[number] = packet, abort
        await drive(dut, "s_axis", beats_of(packet, abort, tside=number))
        await cycles(dut, draw.choice((0, 0, 1, 5, 40)))
    pace[0] = 1.0
    await cycles(dut, 200)
    numbers = [frame.last["tside"] for frame in monitor.frames]
    assert numbers == sorted(set(numbers))
    cut = 0
    for frame in monitor.frames:
        packet, abort = sent[frame.last["tside"]]
        assert {side["tside"] for side in frame.side} == {frame.last["tside"]}
        if bytes(frame.payload) == packet:
            assert bool(frame.last["tuser"]) == abort
        else:
            # Cut: its first words, then an end without bytes.
            assert frame.last["tuser"] and frame.last_keep == 0
            assert packet.startswith(bytes(frame.payload)) and len(frame.payload) % 8 == 0
            cut += 1
    assert events.count("cut") == cut > 0
    assert events.count("dropped") == len(sent) - len(numbers) > 0


@cocotb.test()
async def recovers(dut):
    """A packet longer than all there is, with a reader that stands: it is cut, the next is dropped;
    when the reader goes on, the one after that comes whole."""
    _, monitor, events = await bench(dut)
    await drive(dut, "s_axis", beats_of(bytes(8 * 3 * DEPTH), tside=1))
    await drive(dut, "s_axis", beats_of(bytes(40), tside=2))
    await cycles(dut, 3)
    assert events == ["cut", "dropped"]
    dut.m_axis_tready.value = 1
    await cycles(dut, 2 * DEPTH)
    await drive(dut, "s_axis", beats_of(bytes(range(40)), tside=3))
    await cycles(dut, 10)
    long, good = monitor.frames
    assert long.last["tuser"] and len(long.payload) >= 8 * (DEPTH - 2)
    assert bytes(good.payload) == bytes(range(40)) and not good.last["tuser"]


def test_packet_fifo():
    simulate(__file__, "packet_fifo", {"DEPTH": DEPTH})

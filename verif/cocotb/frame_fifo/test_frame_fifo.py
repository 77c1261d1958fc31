"""frame_fifo: whole good frames, in order, at any reader's pace; what has no room is counted."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled, simulate
from streams import StreamMonitor, beats_of, cycles, drive, read_at, start

DEPTH, FRAMES = 64, 8


async def bench(dut):
    names = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tside")
    counter = await start(dut, m_axis_tready=0, **{f"s_axis_{name}": 0 for name in names})
    monitor = StreamMonitor(dut, "m_axis", counter, side=("tside",), ready=True)
    overflows = []

    async def count():
        while True:
            await RisingEdge(dut.clk)
            if int(dut.overflow.value):
                overflows.append(counter.cycle)

    cocotb.start_soon(count())
    return counter, monitor, overflows


@cocotb.test()
async def room_is_enough(dut):
    """With a reader that keeps up, every good frame comes out with its side word, no bad one does."""
    _, monitor, overflows = await bench(dut)
    draw = random.Random(SEED)
    dut.m_axis_tready.value = 1
    good = []
    for number in range(scaled(300, 100)):
        frame = draw.randbytes(draw.randrange(1, 200))
        abort = draw.random() < 0.3
        if not abort:
            good.append((frame, number))
        await drive(dut, "s_axis", beats_of(frame, abort, tside=number))
        # A reader is at least as fast as the line on average, but begins after a frame's end.
        await cycles(dut, draw.randrange(3))
    await cycles(dut, 100)
    got = [(bytes(frame.payload), frame.last["tside"]) for frame in monitor.frames]
    assert got == good and not overflows


@cocotb.test()
async def latency(dut):
    """Three cycles from the last beat in to the first beat out."""
    counter, monitor, _ = await bench(dut)
    dut.m_axis_tready.value = 1
    for length in (1, 8, 9, 60):
        monitor.frames.clear()
        await drive(dut, "s_axis", beats_of(bytes(length), tside=1))
        last = counter.cycle
        await cycles(dut, 20)
        assert monitor.frames[0].cycles[0] == last + 3


@cocotb.test()
async def overload(dut):
    """A slow reader: frames without room are lost whole and counted, all others arrive."""
    _, monitor, overflows = await bench(dut)
    draw = random.Random(SEED)
    cocotb.start_soon(read_at(dut, draw, lambda: 0.4))
    sent = {}
    aborted = 0
    for number in range(scaled(400, 150)):
        frame = number.to_bytes(4, "little") + draw.randbytes(draw.randrange(1, 160))
        abort = draw.random() < 0.1
        aborted += abort
        if not abort:
            sent[number] = frame
        await drive(dut, "s_axis", beats_of(frame, abort, tside=number))
        if draw.random() < 0.2:
            await cycles(dut, draw.randrange(60))
    await cycles(dut, 400)
    got = [(frame.last["tside"], bytes(frame.payload)) for frame in monitor.frames]
    assert all(sent[number] == frame for number, frame in got)
    numbers = [number for number, _ in got]
    assert numbers == sorted(set(numbers))
    assert len(got) + len(overflows) == len(sent)
    assert overflows and got


@cocotb.test()
async def too_long_and_too_many(dut):
    """A frame longer than the memory never fits and harms nothing; FRAMES frames wait at most."""
    _, monitor, overflows = await bench(dut)
    await drive(dut, "s_axis", beats_of(bytes(8 * DEPTH + 1), tside=1))
    await drive(dut, "s_axis", beats_of(bytes(range(40)), tside=2))
    await drive(dut, "s_axis", [None] * 4)
    assert len(overflows) == 1
    for number in range(3, 3 + FRAMES + 4):
        await drive(dut, "s_axis", beats_of(bytes([number]), tside=number) + [None] * 3)
    # The one at the output has left the side memory.
    assert len(overflows) == 1 + 4
    dut.m_axis_tready.value = 1
    await cycles(dut, 60)
    assert [frame.last["tside"] for frame in monitor.frames] == list(range(2, 3 + FRAMES))


def test_frame_fifo():
    simulate(__file__, "frame_fifo", {"DEPTH": DEPTH, "FRAMES": FRAMES})

"""packet_tagger: numbers, beginnings and verdicts of packets, each told once and at once."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from harness import SEED, scaled, simulate
from streams import start


def verdict(dut):
    if not int(dut.verdict_valid.value):
        return None
    return int(dut.verdict_tid.value), int(dut.verdict_good.value)


@cocotb.test()
async def any_pace(dut):
    """Random packets at a random pace: `begin` with the first offer of the first beat, the end with the
    first offer of the last, the number constant in between and counted to one below its highest. The
    verdict comes with the end, or one later where that of the highest number is told."""
    await start(dut, tvalid=0, tready=0, tlast=0, tuser=0)
    draw = random.Random(SEED)
    tid, due, told = 0, [], 0

    async def cycle(ended=None, begins=False):
        """One cycle: what is due is told, one a cycle, the oldest first."""
        nonlocal told
        await ReadOnly()
        assert int(dut.tid.value) == tid
        assert int(dut.begin_valid.value) == begins
        if ended is not None:
            due.append((tid, int(not ended)))
            if tid == 14:
                due.append((15, 1))
        assert int(dut.ended_good.value) == (ended is False)
        assert int(dut.ended_bad.value) == (ended is True)
        now = due.pop(0) if due else None
        assert verdict(dut) == now
        assert len(due) <= 1
        told += now is not None
        await RisingEdge(dut.clk)

    for _ in range(scaled(900, 300)):
        length, bad = draw.choice((1, 1, 2, 5)), draw.random() < 0.3
        for beat in range(length):
            last = beat == length - 1
            while draw.random() < 0.2:
                dut.tvalid.value, dut.tready.value = 0, draw.random() < 0.5
                await cycle()
            offers, ready = 0, False
            while not ready:
                ready = draw.random() < 0.7
                dut.tvalid.value, dut.tready.value = 1, ready
                dut.tlast.value, dut.tuser.value = last, last and bad
                await cycle(bad if last and offers == 0 else None, beat == 0 and offers == 0)
                offers += 1
        tid = (tid + 1) % 15
        dut.tvalid.value = 0
    assert told > 300


@cocotb.test()
async def without_pause(dut):
    """Packets of one beat in every cycle: no packet's verdict is lost, nor out of order."""
    await start(dut, tvalid=0, tready=1, tlast=1, tuser=0)
    draw = random.Random(SEED)
    want, got = [], []
    for number in range(50):
        bad = draw.random() < 0.5
        want.append((number % 15, int(not bad)))
        dut.tvalid.value, dut.tuser.value = 1, bad
        await ReadOnly()
        got.append(verdict(dut))
        await RisingEdge(dut.clk)
    dut.tvalid.value = 0
    for _ in range(3):
        await ReadOnly()
        got.append(verdict(dut))
        await RisingEdge(dut.clk)
    assert [one for one in got if one is not None and one[0] != 15] == want


def test_packet_tagger():
    simulate(__file__, "packet_tagger")

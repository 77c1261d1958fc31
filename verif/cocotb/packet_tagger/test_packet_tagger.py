"""packet_tagger: numbers, beginnings and verdicts of packets, each told once and at once."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from harness import SEED, scaled, simulate
from streams import start


@cocotb.test()
async def any_pace(dut):
    """Random packets at a random pace: `begin` with the first offer of the first beat, the verdict with
    the first offer of the last, the number constant in between and counted to one below its highest."""
    await start(dut, tvalid=0, tready=0, tlast=0, tuser=0)
    draw = random.Random(SEED)
    tid = 0
    for _ in range(scaled(600, 200)):
        length, bad = draw.choice((1, 1, 2, 5)), draw.random() < 0.3
        for beat in range(length):
            last = beat == length - 1
            while draw.random() < 0.3:
                dut.tvalid.value, dut.tready.value = 0, draw.random() < 0.5
                await ReadOnly()
                assert not int(dut.begin_valid.value) and not int(dut.verdict_valid.value)
                await RisingEdge(dut.clk)
            offers, ready = 0, False
            while not ready:
                ready = draw.random() < 0.6
                dut.tvalid.value, dut.tready.value = 1, ready
                dut.tlast.value, dut.tuser.value = last, last and bad
                await ReadOnly()
                assert int(dut.tid.value) == tid
                assert int(dut.begin_valid.value) == (beat == 0 and offers == 0)
                assert int(dut.verdict_valid.value) == (last and offers == 0)
                if int(dut.verdict_valid.value):
                    assert int(dut.verdict_tid.value) == tid
                    assert int(dut.verdict_good.value) == (not bad)
                offers += 1
                await RisingEdge(dut.clk)
        tid = (tid + 1) % 15
        dut.tvalid.value = 0


def test_packet_tagger():
    simulate(__file__, "packet_tagger")

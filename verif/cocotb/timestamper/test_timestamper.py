"""timestamper against rational arithmetic."""

import random
from fractions import Fraction

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, simulate
from streams import cycles, start

PERIOD = Fraction(0x666666666, 1 << 32)
HALF = Fraction(0x666666666 >> 1, 1 << 32)


async def compare(dut, base: Fraction, count: int):
    """The next `count` cycles show `base` and what follows from it, for both lanes."""
    for i in range(count):
        await RisingEdge(dut.clk)
        assert int(dut.now_ns.value) == (base + i * PERIOD) // 1
        assert int(dut.now_lane4_ns.value) == (base + i * PERIOD + HALF) // 1


@cocotb.test()
async def set_and_run(dut):
    """Two cycles after `set` the time is what was set; then 6.4 ns a cycle, without drift."""
    await start(dut, set=0, set_ns=0, adjust=0, adjust_ns=0)
    for time in (0, 1_700_000_000_123_456_789, (1 << 40) - 7, (1 << 63) - 3):
        dut.set.value, dut.set_ns.value = 1, time
        await RisingEdge(dut.clk)  # taken over at the next edge
        dut.set.value = 0
        await RisingEdge(dut.clk)
        await compare(dut, Fraction(time), 1000)


@cocotb.test()
async def adjust_once(dut):
    """A correction moves both times once, forwards or backwards."""
    await start(dut, set=0, set_ns=0, adjust=0, adjust_ns=0)
    draw = random.Random(SEED)
    for _ in range(20):
        time, by = draw.randrange(1 << 40, 1 << 62), draw.randrange(-(1 << 31), 1 << 31)
        dut.set.value, dut.set_ns.value = 1, time
        await RisingEdge(dut.clk)
        dut.set.value = 0
        await cycles(dut, 9)
        dut.adjust.value, dut.adjust_ns.value = 1, by % (1 << 32)
        await RisingEdge(dut.clk)
        dut.adjust.value = 0
        await RisingEdge(dut.clk)
        await compare(dut, time + 10 * PERIOD + by, 20)


def test_timestamper():
    simulate(__file__, "timestamper")

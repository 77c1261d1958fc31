"""latency_meter: statistics and histogram against a model."""

import random

import cocotb
from cocotb.triggers import RisingEdge

import readout
from harness import SEED, scaled, simulate
from streams import cycles, start

STAGES = 5


async def read(dut, address: int) -> int:
    return await readout.read(dut, address, 2)


async def stage(dut, number: int) -> tuple[int, int, int, int]:
    words = [await read(dut, 8 * number + word) for word in range(8)]
    assert words[3] == words[6] == words[7] == 0
    return words[0], words[1], words[2], words[5] << 32 | words[4]


async def histogram(dut) -> list[int]:
    return [await read(dut, 64 + k) for k in range(32)]


async def fresh(dut, **inputs):
    await start(
        dut, clear=0, base=0, shift=4, sample_valid=0, sample_time=0, sample_stamp=0,
        read_valid=0, read_address=0, **inputs,
    )
    await cycles(dut, 40)


def expected(samples: list[int]) -> tuple[int, int, int, int]:
    return len(samples), min(samples, default=2**32 - 1), max(samples, default=0), sum(samples)


async def feed(dut, draw, count: int, most: int, base: int, shift: int):
    """Samples of all stages in successive cycles; gives those of each stage, and the histogram."""
    samples, bins = [[] for _ in range(STAGES)], [0] * 32
    for _ in range(count):
        valid, times, stamps = draw.getrandbits(STAGES), 0, 0
        for number in range(STAGES):
            stamp, latency = draw.getrandbits(32), draw.randrange(most)
            stamps |= stamp << 32 * number
            times |= (stamp + latency) % 2**32 << 32 * number
            if valid >> number & 1:
                samples[number].append(latency)
                if number == STAGES - 1:
                    bins[min(max(latency - base, 0) >> shift, 31)] += 1
        dut.sample_valid.value, dut.sample_time.value = valid, times
        dut.sample_stamp.value = stamps
        await RisingEdge(dut.clk)
    dut.sample_valid.value = 0
    await cycles(dut, 8)
    return samples, bins


@cocotb.test()
async def against_model(dut):
    """Every base and shift tried: all numbers as the model has them; clearing begins anew."""
    await fresh(dut)
    draw = random.Random(SEED)
    for base, shift, most in ((0, 4, 600), (100, 0, 200), (1000, 15, 2**21), (0, 4, 2**32)):
        dut.base.value, dut.shift.value = base, shift
        dut.clear.value = 1
        await RisingEdge(dut.clk)
        dut.clear.value = 0
        # Nothing is taken until all is cleared.
        await feed(dut, draw, 20, most, base, shift)
        await cycles(dut, 16)
        assert [await stage(dut, s) for s in range(STAGES)] == [expected([])] * STAGES
        assert await histogram(dut) == [0] * 32
        samples, bins = await feed(dut, draw, scaled(400, 120), most, base, shift)
        assert [await stage(dut, s) for s in range(STAGES)] == [expected(one) for one in samples]
        assert await histogram(dut) == bins


@cocotb.test()
async def taken_from_the_37th_cycle_on(dut):
    """No sample of the 36 cycles behind `clear` is taken, and none is lost behind them."""
    await fresh(dut)
    dut.sample_time.value = sum(7 << 32 * number for number in range(STAGES))
    for count in (1, 35, 36, 37, 38, 40):
        dut.clear.value = 1
        await RisingEdge(dut.clk)
        dut.clear.value = 0
        dut.sample_valid.value = 2**STAGES - 1
        await cycles(dut, count)
        dut.sample_valid.value = 0
        await cycles(dut, 44)
        taken = [7] * max(count - 36, 0)
        assert [await stage(dut, s) for s in range(STAGES)] == [expected(taken)] * STAGES
        assert await histogram(dut) == [len(taken)] + [0] * 31


@cocotb.test()
async def kept(dut):
    """What follows the count is of the moment in which the count was read."""
    await fresh(dut)
    draw = random.Random(SEED)
    samples, _ = await feed(dut, draw, 50, 500, 0, 4)
    count = await read(dut, 8)
    await feed(dut, draw, 50, 5000, 0, 4)
    rest = [await read(dut, 8 + word) for word in (1, 2, 4, 5)]
    assert (count, rest[0], rest[1], rest[3] << 32 | rest[2]) == expected(samples[1])


def test_latency_meter():
    simulate(__file__, "latency_meter", {"STAGES": STAGES})

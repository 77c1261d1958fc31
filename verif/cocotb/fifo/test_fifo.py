"""fifo: order, room, latency."""

import cocotb

import queues
from harness import simulate


@cocotb.test()
async def random_traffic(dut):
    await queues.random_traffic(dut, int(dut.WIDTH.value), int(dut.DEPTH.value) + 1)


@cocotb.test()
async def latency_and_rate(dut):
    await queues.latency_and_rate(dut, 2)


def test_fifo():
    simulate(__file__, "fifo", {"WIDTH": 20, "DEPTH": 8})

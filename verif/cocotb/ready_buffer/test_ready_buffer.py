"""ready_buffer: order, room, no latency."""

import cocotb

import queues
from harness import simulate


@cocotb.test()
async def random_traffic(dut):
    await queues.random_traffic(dut, int(dut.WIDTH.value), 1)


@cocotb.test()
async def latency_and_rate(dut):
    await queues.latency_and_rate(dut, 0)


def test_ready_buffer():
    simulate(__file__, "ready_buffer", {"WIDTH": 20})

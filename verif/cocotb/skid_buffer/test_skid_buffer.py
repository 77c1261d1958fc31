"""skid_buffer: order, room, latency."""

import cocotb

import queues
from harness import simulate


@cocotb.test()
async def random_traffic(dut):
    await queues.random_traffic(dut, int(dut.WIDTH.value), 2)


@cocotb.test()
async def latency_and_rate(dut):
    await queues.latency_and_rate(dut, 1)


def test_skid_buffer():
    simulate(__file__, "skid_buffer", {"WIDTH": 20})

"""What every ready/valid queue must do, whatever its size; used by the tests of fifo, skid_buffer and
ready_buffer."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled
from streams import cycles, start


async def random_traffic(dut, width: int, room: int) -> None:
    """Random offers and takes at changing rates: all words come out in order, `room` fit inside."""
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    draw = random.Random(SEED)
    sent, got, most = [], [], 0
    offer = take = 0.5
    for cycle in range(scaled(6000, 1500)):
        if cycle % 50 == 0:
            offer, take = draw.choice((0.1, 0.5, 1.0)), draw.choice((0.0, 0.1, 0.5, 1.0))
        # What was offered and not taken stays.
        if not int(dut.s_valid.value) or accepted:
            dut.s_valid.value = draw.random() < offer
            dut.s_data.value = draw.getrandbits(width)
        dut.m_ready.value = draw.random() < take
        await RisingEdge(dut.clk)
        accepted = bool(int(dut.s_valid.value) and int(dut.s_ready.value))
        if accepted:
            sent.append(int(dut.s_data.value))
        if int(dut.m_valid.value) and int(dut.m_ready.value):
            got.append(int(dut.m_data.value))
        most = max(most, len(sent) - len(got))
    assert got == sent[: len(got)] and len(got) > 200
    assert most == room


async def latency_and_rate(dut, latency: int) -> None:
    """A word into the empty queue comes out `latency` cycles later, then one in every cycle."""
    counter = await start(dut, s_valid=0, s_data=0, m_ready=1)
    await cycles(dut, 4)
    times = []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            if int(dut.m_valid.value):
                times.append(counter.cycle)

    cocotb.start_soon(watch())
    begin = counter.next
    for i in range(40):
        dut.s_valid.value, dut.s_data.value = 1, i
        await RisingEdge(dut.clk)
        assert int(dut.s_ready.value)
    dut.s_valid.value = 0
    await cycles(dut, 6)
    assert times == list(range(begin + latency, begin + latency + 40))

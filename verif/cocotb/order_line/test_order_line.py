"""From a fire to the line: order_sender behind net_tx; cocotbext-eth receives."""

import random
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSource
from cocotbext.eth import XgmiiSink

from harness import SEED, scaled, simulate
from orders import MAGIC, Prepared, Reports, arming, write
from streams import cycles, start

ACK, WINDOW = 0x01020304, 0x0506
INPUTS = dict.fromkeys(
    "speculate trailer leased tcp_limit_write_valid next_msg_seq_write_valid write_data "
    "slot_write_valid slot_write_address slot_write_data fire_valid fire_slot fire_tid fire_tstamp "
    "verdict_valid verdict_tid verdict_good s_axis_host_tdata s_axis_host_tkeep s_axis_host_tvalid "
    "s_axis_host_tlast s_axis_host_tuser".split(),
    0,
)


class Starts:
    """The times and cycles of first bytes on XGMII, and the cycles of Start."""

    def __init__(self, dut, counter):
        self.starts, self.stamps = [], []
        cocotb.start_soon(self._run(dut, counter))

    async def _run(self, dut, counter):
        lane4 = None
        while True:
            await RisingEdge(dut.clk)
            if lane4 is not None:
                # The byte behind the preamble: of a frame that starts in lane 4, in lane 4 of this word.
                self.stamps.append(int(dut.now_lane4_ns.value) if lane4 else int(dut.now_ns.value))
                lane4 = None
            control, data = int(dut.xgmii_txc.value), int(dut.xgmii_txd.value)
            for lane in (0, 4):
                if control >> lane & 1 and data >> 8 * lane & 0xFF == 0xFB:
                    self.starts.append(counter.cycle)
                    lane4 = lane == 4


async def bench(dut, **inputs):
    counter = await start(dut, **{**INPUTS, **inputs})
    reports = Reports(dut, counter)
    sink = XgmiiSink(dut.xgmii_txd, dut.xgmii_txc, dut.clk)
    host = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_host"), dut.clk)
    await cycles(dut, 12)
    for name, value in (("tcp_limit", 10**9), ("next_msg_seq", 998)):
        getattr(dut, f"{name}_write_valid").value = 1
        dut.write_data.value = value
        await RisingEdge(dut.clk)
        getattr(dut, f"{name}_write_valid").value = 0
    await cycles(dut, 50)
    dut.leased.value = 1
    await cycles(dut, 5)
    return counter, reports, sink, host


async def fire(dut, counter, slot, tid, verdict, tstamp):
    dut.fire_valid.value, dut.fire_slot.value, dut.fire_tid.value = 1, slot, tid
    dut.fire_tstamp.value = tstamp
    dut.verdict_valid.value, dut.verdict_tid.value = verdict is not None, tid
    dut.verdict_good.value = bool(verdict)
    cycle = counter.next
    await RisingEdge(dut.clk)
    dut.fire_valid.value = dut.verdict_valid.value = 0
    return cycle


@cocotb.test()
async def fire_to_start(dut):
    """On an idle line Start follows the fire by two cycles, the first byte by three."""
    counter, reports, sink, _ = await bench(dut, trailer=1)
    line = Starts(dut, counter)
    seq = 0
    for step in range(scaled(24, 8)):
        order = Prepared(bool(step & 1), 20 + step % 8, 5 + step)
        await write(dut, order.writes(step % 16) + arming(step % 16))
        await cycles(dut, 40)
        tstamp = int(dut.now_ns.value)
        cycle = await fire(dut, counter, step % 16, step % 16, True, tstamp)
        frame = await sink.recv()
        assert frame.check_fcs()
        assert line.starts[-1] == cycle + 2
        await cycles(dut, 3)
        sent = reports.sent[-1]
        assert sent["tstamp_out"] == line.stamps[-1]
        latency = line.stamps[-1] - tstamp
        tail = latency.to_bytes(4, "big") + MAGIC.to_bytes(2, "big") + (step % 16).to_bytes(2, "big")
        assert bytes(frame.get_payload()) == order.sent(seq, ACK, WINDOW, 998 + step) + tail
        seq += len(order.message)
    assert reports.counts["fired"] == len(line.starts)


@cocotb.test()
async def busy_line_with_bad_packets(dut):
    """Host frames, bursts of fires, speculation with bad and late verdicts: what is good is whole."""
    counter, reports, sink, host = await bench(dut, speculate=1)
    line = Starts(dut, counter)
    draw = random.Random(SEED)
    orders = {}
    for slot in range(16):
        orders[slot] = Prepared(bool(slot & 1), 20 + slot % 8, draw.randrange(5, 60))
        await write(dut, orders[slot].writes(slot) + arming(slot))
    hosts, tid = [], 0
    for _ in range(scaled(60, 20)):
        for slot in range(16):
            if not int(dut.armed.value) >> slot & 1:
                await write(dut, arming(slot))
        for _ in range(draw.randrange(3)):
            hosts.append(b"HOST" + draw.randbytes(draw.randrange(56, 300)))
            host.send_nowait(AxiStreamFrame(hosts[-1], tuser=0))
        await cycles(dut, draw.randrange(30))
        tid = (tid + 1) % 16
        for slot in draw.sample(range(16), draw.randrange(1, 5)):
            await fire(dut, counter, slot, tid, None, int(dut.now_ns.value))
        await cycles(dut, draw.randrange(40))
        dut.verdict_valid.value, dut.verdict_tid.value = 1, tid
        dut.verdict_good.value = draw.random() < 0.6
        await RisingEdge(dut.clk)
        dut.verdict_valid.value = 0
        while int(dut.busy.value):
            await RisingEdge(dut.clk)
        await cycles(dut, 3)
    await cycles(dut, 400)
    frames = []
    while not sink.empty():
        frame = sink.recv_nowait()
        frames.append((bytes(frame.get_payload()), frame.check_fcs()))
    got_host = [payload for payload, _ in frames if payload.startswith(b"HOST")]
    assert got_host == hosts
    got = [(payload, good) for payload, good in frames if not payload.startswith(b"HOST")]
    seq, msg_seq = 0, 998
    assert [not good for _, good in got] == [bool(sent["poisoned"]) for sent in reports.sent]
    for (payload, good), sent in zip(got, reports.sent, strict=True):
        order = orders[sent["slot"]]
        assert payload == order.sent(seq, ACK, WINDOW, msg_seq)
        assert (sent["msg_seq"], sent["seq_start"]) == (msg_seq, seq)
        assert sent["tstamp_out"] in line.stamps
        if good:
            seq, msg_seq = seq + len(order.message), msg_seq + 1
    assert (int(dut.tcp_seq.value), int(dut.next_msg_seq.value)) == (seq, msg_seq)
    counts = reports.counts
    assert counts["poisoned"] >= 5 and counts["retried"] >= 1 and counts["refused_bad_packet"] >= 5


def test_order_line():
    bench_source = Path(__file__).with_name("order_line_bench.sv")
    simulate(__file__, "order_line_bench", extra_sources=[bench_source])

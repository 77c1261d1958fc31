"""net_tx whole: fast path and host share a line; cocotbext-eth receives."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSource
from cocotbext.eth import XgmiiSink

from harness import SEED, scaled, simulate
from streams import cycles, start


async def bench(dut):
    names = ("tdata", "tkeep", "tvalid", "tlast", "tuser")
    inputs = {f"s_axis_{side}_{name}": 0 for side in ("fast", "host") for name in names}
    counter = await start(dut, **inputs)
    fast = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_fast"), dut.clk)
    host = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_host"), dut.clk)
    return counter, fast, host, XgmiiSink(dut.xgmii_txd, dut.xgmii_txc, dut.clk)


@cocotb.test()
async def shared_line(dut):
    """All frames of both arrive whole, with good FCS, each side's in its order."""
    _, fast, host, sink = await bench(dut)
    draw = random.Random(SEED)
    sent = {b"F": [], b"H": []}
    for _ in range(scaled(200, 60)):
        mark, source = draw.choice(((b"F", fast), (b"H", host)))
        sent[mark].append(mark + draw.randbytes(draw.randrange(59, 140)))
        source.send_nowait(AxiStreamFrame(sent[mark][-1], tuser=0))
        if draw.random() < 0.4:
            await cycles(dut, draw.randrange(1, 50))
    got = []
    for _ in range(len(sent[b"F"]) + len(sent[b"H"])):
        frame = await sink.recv()
        assert frame.check_fcs()
        got.append(bytes(frame.get_payload()))
    assert [frame for frame in got if frame[:1] == b"F"] == sent[b"F"]
    assert [frame for frame in got if frame[:1] == b"H"] == sent[b"H"]


@cocotb.test()
async def first_word_to_line(dut):
    """An order on an idle line: its first word one cycle before Start, two before its first byte."""
    counter, fast, _, _ = await bench(dut)
    await cycles(dut, 10)
    fast.send_nowait(AxiStreamFrame(bytes(range(80)), tuser=0))
    offered = started = first = None
    for _ in range(20):
        await RisingEdge(dut.clk)
        if int(dut.s_axis_fast_tvalid.value) and offered is None:
            offered = counter.cycle
        if int(dut.xgmii_txc.value) == 1 and int(dut.xgmii_txd.value) & 0xFF == 0xFB:
            started = counter.cycle
        if int(dut.tx_first.value):
            first = counter.cycle
            assert int(dut.xgmii_txd.value).to_bytes(8, "little") == bytes(range(8))
    assert (started - offered, first - offered) == (1, 2)


def test_net_tx():
    simulate(__file__, "net_tx")

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


@cocotb.test()
async def host_that_stops(dut):
    """A host that has no word in time holds up nobody: its frame is cut, the fast path's orders leave meanwhile, the
    rest of its frame goes nowhere whenever it comes, and its next one is whole."""
    _, fast, host, sink = await bench(dut)
    for words_before in (1, 2, 9):
        for late in (1, 4, 60):
            host.pause = False
            host.send_nowait(AxiStreamFrame(b"H" * 100, tuser=0))
            for _ in range(words_before):
                await RisingEdge(dut.clk)
                while not (int(dut.s_axis_host_tvalid.value) and int(dut.s_axis_host_tready.value)):
                    await RisingEdge(dut.clk)
            host.pause = True
            await cycles(dut, 8)
            order = bytes([words_before, late]) * 40
            fast.send_nowait(AxiStreamFrame(order, tuser=0))
            await cycles(dut, late)
            if late == 60:
                assert sink.count() == 2
            host.pause = False
            host.send_nowait(AxiStreamFrame(b"N" * 70, tuser=0))
            cut, first, second = [await sink.recv() for _ in range(3)]
            assert not cut.check_fcs()
            assert bytes(first.get_payload()) == order and first.check_fcs()
            assert bytes(second.get_payload()) == b"N" * 70 and second.check_fcs()


def test_net_tx():
    simulate(__file__, "net_tx")

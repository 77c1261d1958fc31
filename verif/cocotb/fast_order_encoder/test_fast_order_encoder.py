"""fast_order_encoder alone, against answers that saker_fast encoded."""

import json
import random
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge
from scapy.all import IP, UDP, Ether

from harness import SEED, scaled, simulate
from orders import writes_of
from streams import StreamMonitor, cycles, start

VECTORS = Path(__file__).parents[1] / "order_sender" / "vectors.jsonl"
INPUTS = dict.fromkeys(
    "write_valid write_address write_data encode encode_slot slot start price tstamp "
    "sequence_number trailer latency poison m_axis_tready".split(),
    0,
)


async def write(dut, writes):
    for address, data in writes:
        dut.write_valid.value, dut.write_address.value, dut.write_data.value = 1, address, data
        await RisingEdge(dut.clk)
    dut.write_valid.value = 0


@cocotb.test()
async def every_answer(dut):
    """All vectors: bytes, cycles, and what scapy reads; random back-pressure; poison with the end."""
    counter = await start(dut, **INPUTS)
    draw = random.Random(SEED)
    frames = StreamMonitor(dut, "m_axis", counter, side=("tuser",), ready=True,
                           clean=True).frames
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    done = 0
    for line in [line for line in lines if "answer" in line or "header" in line][: scaled(322, 90)]:
        if "header" in line:
            await write(dut, writes_of(line["header"]))
            continue
        slot, full = line["answer"], draw.random() < 0.5
        poison, trailer = draw.getrandbits(1), draw.getrandbits(1)
        await write(dut, writes_of(line["writes"]))
        dut.encode.value, dut.encode_slot.value = 1, slot
        begun = counter.next
        await RisingEdge(dut.clk)
        dut.encode.value = 0
        await RisingEdge(dut.clk)
        while int(dut.encode_busy.value):
            await RisingEdge(dut.clk)
        assert counter.cycle - begun <= 24
        dut.slot.value, dut.start.value = slot, 1
        dut.price.value = line["price"] & (1 << 64) - 1
        dut.tstamp.value, dut.sequence_number.value = line["trigger"], line["sequence"]
        dut.trailer.value, dut.latency.value, dut.poison.value = trailer, 0x01020304, poison
        dut.m_axis_tready.value = 1
        cycle = counter.next
        await RisingEdge(dut.clk)
        # Taken over at the start.
        dut.start.value = 0
        for name in ("price", "tstamp", "sequence_number", "slot"):
            getattr(dut, name).value = 0
        while len(frames) == done:
            dut.m_axis_tready.value = int(full or draw.random() < 0.6)
            await RisingEdge(dut.clk)
        await cycles(dut, 2)
        frame = frames[-1]
        tail = bytes([1, 2, 3, 4, 0x53, 0x4B, 0, slot]) if trailer else b""
        assert bytes(frame.payload).hex() == line["frame"] + tail.hex()
        assert frame.last["tuser"] == poison and not any(b["tuser"] for b in frame.side[:-1])
        if full:
            assert frame.cycles == list(range(cycle + 1, cycle + 1 + len(frame.cycles)))
        packet = Ether(bytes(frame.payload))[IP]
        claimed = packet.chksum, packet[UDP].chksum, packet.len, packet[UDP].len
        del packet.chksum, packet[UDP].chksum, packet.len, packet[UDP].len
        packet[UDP].payload = type(packet[UDP].payload)(bytes(packet[UDP].payload)[: claimed[3] - 8])
        again = IP(bytes(packet))
        assert (again.chksum, again[UDP].chksum, again.len, again[UDP].len) == claimed
        done += 1
    assert done >= 80


def test_fast_order_encoder():
    simulate(__file__, "fast_order_encoder")

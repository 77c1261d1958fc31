"""net_rx whole: from XGMII to the feed and the host, with scapy's frames."""

import random
import struct

import cocotb
from cocotb.triggers import RisingEdge
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Dot1Q, Ether

import xgmii
from harness import SEED, scaled, simulate
from streams import StreamMonitor, cycles, start
from xgmii import IDLE, Line, with_fcs

A, B = ("239.195.1.1", 16001), ("239.195.2.1", 17001)
IDLE_WORD = int.from_bytes(bytes([IDLE] * 8), "little")


def channel(address: str, port: int) -> int:
    return 1 << 48 | int.from_bytes(bytes(int(part) for part in address.split("."))) << 16 | port


def feed_frame(payload: bytes, where, tag=False) -> bytes:
    ether = Ether(src="02:00:00:00:00:01", dst="01:00:5e:43:01:01")
    ether = ether / Dot1Q(vlan=5) if tag else ether
    frame = bytes(ether / IP(src="10.0.0.1", dst=where[0]) / UDP(dport=where[1]) / payload)
    return frame + bytes(max(0, 60 - len(frame)))


async def bench(dut):
    counter = await start(
        dut, xgmii_rxd=IDLE_WORD, xgmii_rxc=0xFF, now_ns=0, now_lane4_ns=0, sync=0, mirror=0,
        channels=channel(*B) << 49 | channel(*A), m_axis_host_tready=1,
    )
    feed = []

    async def record():
        payload = b""
        while True:
            await RisingEdge(dut.clk)
            if not int(dut.m_axis_feed_tvalid.value):
                continue
            count = int(dut.m_axis_feed_tkeep.value).bit_count()
            if not payload:
                first = counter.cycle
            payload += int(dut.m_axis_feed_tdata.value).to_bytes(8, "little")[:count]
            if int(dut.m_axis_feed_tlast.value):
                feed.append((payload, int(dut.m_axis_feed_tuser.value), first))
                payload = b""

    async def tell_time():
        while True:
            dut.now_ns.value = 2 * counter.next
            dut.now_lane4_ns.value = 2 * counter.next + 1
            await RisingEdge(dut.clk)

    cocotb.start_soon(record())
    cocotb.start_soon(tell_time())
    host = StreamMonitor(dut, "m_axis_host", counter, side=("tside",), ready=True)
    return counter, feed, host


@cocotb.test()
async def wire_to_payload(dut):
    """Three cycles from the XGMII word with the first payload word's last byte to that word, behind the
    arbitration: for both start lanes, tagged and not."""
    counter, feed, _ = await bench(dut)
    number = 0
    for lane in (0, 4):
        for tag in (False, True):
            number += 1
            frame = feed_frame(struct.pack("<I", number) + bytes(60), A, tag)
            line = Line()
            line.frame(with_fcs(frame), lane)
            feed.clear()
            begin = counter.next
            await xgmii.play(dut.clk, dut.xgmii_rxd, dut.xgmii_rxc, line.words())
            await cycles(dut, 10)
            first_byte = next(i for i, c in enumerate(line.characters) if c == (0xD5, False)) + 1
            offset = first_byte + (46 if tag else 42) + 7
            assert feed[0][2] == begin + offset // 8 + 3


@cocotb.test()
async def mixed_line(dut):
    """Both channels' copies, frames for the host and broken ones: each goes where it belongs."""
    counter, feed, host = await bench(dut)
    draw = random.Random(SEED)
    line, want_feed, want_host, expected = Line(), [], [], None
    for number in range(scaled(120, 40)):
        body = struct.pack("<I", number) + draw.randbytes(draw.randrange(0, 120))
        for where in (A, B):
            if draw.random() < 0.15:
                continue
            frame = feed_frame(body, where, draw.random() < 0.5)
            octets = with_fcs(frame)
            bad = draw.random() < 0.1
            if bad:
                octets = octets[:-1] + bytes([octets[-1] ^ 1])
            line.frame(octets, draw.choice((0, 4)), gap=9)
            if expected is None or number >= expected:
                want_feed.append((body, bad))
                if not bad:
                    expected = number + 1
        if draw.random() < 0.4:
            packet = bytes(Ether() / IP(dst="10.0.0.2") / TCP() / draw.randbytes(40))
            line.frame(with_fcs(packet), draw.choice((0, 4)), gap=9)
            first = len(line.characters) - len(packet) - 5
            stamp = 2 * (counter.next + first // 8) + (first % 8 == 4)
            want_host.append((packet, stamp))
    await xgmii.play(dut.clk, dut.xgmii_rxd, dut.xgmii_rxc, line.words())
    await cycles(dut, 60)
    assert [(payload, bool(abort)) for payload, abort, _ in feed] == want_feed
    got = [(bytes(frame.payload), frame.last["tside"]) for frame in host.frames]
    assert got == want_host


def test_net_rx():
    simulate(__file__, "net_rx")

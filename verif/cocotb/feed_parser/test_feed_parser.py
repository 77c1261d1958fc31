"""feed_parser with frames made by scapy, judged by a model that reads bytes one by one."""

import random
import struct
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_Router_Alert
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw
from scapy.utils import checksum

from harness import SEED, scaled, simulate
from streams import StreamMonitor, beats_of, cycles, drive, start

LATENCY = 1
A, B = ("239.195.1.1", 16001), ("239.195.2.1", 17001)
# feed_event_t, the lowest bit first.
EVENTS = (
    "bad_length no_channel not_udp fragment checksum options not_ipv4 short_frame truncated aborted "
    "feed_b feed_a"
).split()


def channel(address: str, port: int, enable: bool = True) -> int:
    octets = bytes(int(part) for part in address.split("."))
    return enable << 48 | int.from_bytes(octets) << 16 | port


@dataclass
class Verdict:
    event: str
    payload: bytes = b""
    offset: int = 42
    missing: int = 0


def judge(frame: bytes, lane: int) -> Verdict:
    """What must become of a frame that the MAC takes, its first byte in this lane."""
    tag = 4 if frame[12:14] == b"\x81\x00" else 0
    # Judged with the word behind the one with the payload's first byte; none the MAC takes is shorter.
    if len(frame) + lane - (8 if tag and lane else 0) <= 48:
        return Verdict("short_frame")
    ip = frame[14 + tag :]
    if frame[12 + tag : 14 + tag] != b"\x08\x00":
        return Verdict("not_ipv4")
    if ip[0] != 0x45:
        return Verdict("options")
    if checksum(bytes(ip[:20])) != 0:
        return Verdict("checksum")
    if int.from_bytes(ip[6:8]) & 0x3FFF:
        return Verdict("fragment")
    if ip[9] != 17:
        return Verdict("not_udp")
    where = (".".join(str(octet) for octet in ip[16:20]), int.from_bytes(ip[22:24]))
    if where not in (A, B):
        return Verdict("no_channel")
    length, udp_length = int.from_bytes(ip[2:4]), int.from_bytes(ip[24:26])
    if udp_length != length - 20 or udp_length <= 8:
        return Verdict("bad_length")
    payload = bytes(ip[28:length])
    missing = length - 28 - len(payload)
    event = "truncated" if missing else "feed_a" if where == A else "feed_b"
    return Verdict(event, payload, 42 + tag, missing)


def feed_frame(draw, length: int, where=A, tag: bool | None = None, **ip) -> bytes:
    tag = draw.random() < 0.4 if tag is None else tag
    ether = Ether(src="02:00:00:00:00:01", dst="01:00:5e:43:01:01")
    ether = ether / Dot1Q(vlan=draw.randrange(4096), prio=draw.randrange(8)) if tag else ether
    packet = ether / IP(src="10.0.0.1", dst=where[0], id=draw.randrange(65536), **ip)
    packet = bytes(packet / UDP(sport=draw.randrange(65536), dport=where[1]) / draw.randbytes(length))
    return packet + bytes(max(0, 60 - len(packet)))


class Bench:
    def __init__(self, dut):
        self.dut = dut

    async def start(self):
        streams = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tstamp")
        self.counter = await start(
            self.dut,
            channels=channel(*B) << 49 | channel(*A),
            mirror=0,
            **{f"s_axis_{name}": 0 for name in streams},
        )
        self.host = StreamMonitor(
            self.dut, "m_axis_host", self.counter, side=("tuser", "tstamp"), line_lanes=True
        )
        self.events = dict.fromkeys(EVENTS, 0)
        self.feed, self.feed_open = [], None
        cocotb.start_soon(self._record())
        return self

    async def _record(self):
        dut, number = self.dut, 0
        while True:
            await RisingEdge(dut.clk)
            event = int(dut.feed_event.value)
            assert event.bit_count() <= 1
            for i, name in enumerate(EVENTS):
                self.events[name] += event >> i & 1
            number_before, number = number, int(dut.m_feed_number.value)
            if not int(dut.m_axis_feed_tvalid.value):
                continue
            if not self.feed_open:
                assert int(dut.m_axis_feed_tdata.value) % (1 << 32) == number_before
            frame = self.feed_open or {"payload": b"", "cycles": [], "partial": False}
            keep = int(dut.m_axis_feed_tkeep.value)
            count = keep.bit_count()
            assert keep == (1 << count) - 1
            # Only the end, without bytes, may follow a beat that is not whole.
            assert not (frame["partial"] and count)
            frame["partial"] |= count < 8
            octets = int(dut.m_axis_feed_tdata.value).to_bytes(8, "little")[:count]
            frame["payload"] += octets
            if count:
                frame["cycles"].append(self.counter.cycle)
            frame["dest"] = int(dut.m_axis_feed_tdest.value)
            frame["stamp"] = int(dut.m_axis_feed_tstamp.value)
            self.feed_open = frame
            if int(dut.m_axis_feed_tlast.value):
                frame["abort"] = int(dut.m_axis_feed_tuser.value)
                self.feed.append(frame)
                self.feed_open = None

    async def check(self, frames: list[tuple[bytes, bool]], draw, gaps=lambda: 2, stalls=0.0):
        """Sends (frame, abort) and compares both streams and the reports with the model."""
        beats, verdicts = [], []
        begin = self.counter.next
        for stamp, (frame, abort) in enumerate(frames, 1):
            lane = draw.choice((0, 4))
            verdict, places = judge(frame, lane), []
            for beat in beats_of(frame, abort, lane, tstamp=stamp):
                while draw.random() < stalls:
                    beats.append(None)
                places.append(begin + len(beats))
                beats.append(beat)
            beats += [None] * gaps()
            verdicts.append((frame, abort, lane, verdict, stamp, places))
        self.host.frames.clear()
        self.feed.clear()
        self.events = dict.fromkeys(EVENTS, 0)
        await drive(self.dut, "s_axis", beats)
        await cycles(self.dut, 6)

        events = dict.fromkeys(EVENTS, 0)
        host, feed = iter(self.host.frames), iter(self.feed)
        for frame, abort, lane, verdict, stamp, places in verdicts:
            events["aborted" if abort else verdict.event] += 1
            got = next(host)
            assert bytes(got.payload) == frame and got.lane == lane
            assert {side["tstamp"] for side in got.side} == {stamp}
            fed = verdict.event in ("feed_a", "feed_b")
            kept = fed and not int(self.dut.mirror.value)
            assert got.last["tuser"] == (abort or kept), verdict.event
            if not fed and verdict.event != "truncated":
                continue
            got = next(feed)
            assert got["abort"] == (abort or verdict.event == "truncated")
            assert got["stamp"] == stamp
            if fed:
                assert got["payload"] == verdict.payload
                assert got["dest"] == (verdict.event == "feed_b")
            else:
                assert got["payload"][: len(verdict.payload)] == verdict.payload
            # A payload word leaves one cycle after the frame word that completes it; the last one
            # so if the frame ends there, else with the frame's end.
            for i, cycle in enumerate(got["cycles"]):
                word = min((lane + verdict.offset + 8 * i + 7) // 8, len(places))
                if word < len(places):
                    assert cycle == places[word] + LATENCY
                else:
                    assert cycle == places[-1] + 1 + LATENCY
        assert next(host, None) is None and next(feed, None) is None
        assert self.events == events
        return [verdict.event for _, _, _, verdict, _, _ in verdicts]


@cocotb.test()
async def mirrored(dut):
    """With `mirror`, the host gets good frames of the channels, too; the feed is as before."""
    bench = await Bench(dut).start()
    dut.mirror.value = 1
    draw = random.Random(SEED)
    frames = [
        (feed_frame(draw, draw.randrange(1, 80), draw.choice((A, B))), draw.random() < 0.2)
        for _ in range(scaled(120, 40))
    ]
    await bench.check(frames, draw)


@cocotb.test()
async def every_length(dut):
    """Payloads of 1 to 100 bytes on both channels, tagged and not, padded and not."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    frames = [
        (feed_frame(draw, length, where, tag), draw.random() < 0.2)
        for length in range(1, 101)
        for where in (A, B)
        for tag in (False, True)
    ]
    frames += [(feed_frame(draw, length), False) for length in (1400, 1472, 8900)]
    seen = await bench.check(frames, draw)
    assert set(seen) == {"feed_a", "feed_b"}


@cocotb.test()
async def first_payload_word(dut):
    """From the word that holds the first payload word's last byte to that word: one cycle, wherever the
    payload begins."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    for lane in (0, 4):
        for tag in (False, True):
            begin = bench.counter.next
            bench.feed.clear()
            frame = feed_frame(draw, 64, tag=tag)
            await drive(dut, "s_axis", beats_of(frame, lane=lane, tstamp=1))
            await cycles(dut, 4)
            assert bench.feed[0]["cycles"][0] == begin + 6 + (tag and lane == 4) + 1


@cocotb.test()
async def refusals(dut):
    """Everything that is not a channel's goes to the host as it came, for the reason it has."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    ether = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    frames = []

    def add(packet, least=60):
        packet = bytes(packet)
        frames.append((packet + bytes(max(0, least - len(packet))), False))

    for tag in (False, True):
        base = ether / Dot1Q(vlan=7) if tag else ether
        payload = Raw(draw.randbytes(40))
        add(base / ARP())
        add(base / IPv6() / UDP() / payload)
        add(base / IP(dst=A[0]) / TCP(dport=A[1]) / payload)
        add(base / IP(dst=A[0]) / ICMP())
        add(base / IP(dst=A[0], options=[IPOption_Router_Alert()]) / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0], flags="MF") / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0], frag=1) / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0], frag=0x1FFF) / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0], flags="DF") / UDP(dport=A[1]) / payload)  # taken
        add(base / IP(dst=A[0], version=5) / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0]) / UDP(dport=B[1]) / payload)
        add(base / IP(dst=B[0]) / UDP(dport=A[1]) / payload)
        add(base / IP(dst=A[0]) / UDP(dport=A[1], len=47) / payload)
        add(base / IP(dst=A[0]) / UDP(dport=A[1], len=49) / payload)
        add(base / IP(dst=A[0], len=28) / UDP(dport=A[1], len=8) / payload)
        add(base / IP(dst=A[0], len=27) / UDP(dport=A[1], len=7) / payload)
        add(base / IP(dst=A[0], len=200) / UDP(dport=A[1], len=180) / payload)  # cut short
        add(ether / Dot1Q(vlan=1) / Dot1Q(vlan=2) / IP(dst=A[0]) / UDP(dport=A[1]) / payload)
        for length in range(1, 60):
            frames.append((feed_frame(draw, 30, tag=tag)[:length], length % 3 == 0))
        # A single wrong bit in each octet of the headers.
        for at in range(12, 46 if tag else 42):
            frame = bytearray(feed_frame(draw, 30, tag=tag))
            frame[at] ^= 1 << draw.randrange(8)
            frames.append((bytes(frame), False))
    seen = await bench.check(frames, draw)
    assert set(seen) == set(EVENTS) - {"aborted", "feed_b"}


@cocotb.test()
async def checksum_sums(dut):
    """IPv4 checksums around every carry: identification swept, headers of extreme octets."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    frames = []
    for i in range(scaled(400, 120)):
        frame = bytearray(feed_frame(draw, 20, tag=bool(i & 1)))
        ip = 18 if i & 1 else 14
        for at in (1, 4, 5, 8, 12, 13, 14, 15):
            frame[ip + at] = draw.choice((0, 0, 0xFF, 0xFF, draw.randrange(256)))
        frame[ip + 10 : ip + 12] = b"\0\0"
        good = checksum(bytes(frame[ip : ip + 20]))
        wrong = draw.choice((0, 0, 1, 0xFFFF, 0x10, 0xF0, 0x1000))
        struct.pack_into(">H", frame, ip + 10, good + wrong & 0xFFFF)
        frames.append((bytes(frame), False))
    seen = await bench.check(frames, draw)
    assert {"feed_a", "checksum"} <= set(seen)


@cocotb.test()
async def mixed_traffic(dut):
    """Random frames, truncations and aborts, with pauses inside frames and without any between."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    for round_ in range(scaled(20, 6)):
        frames = []
        for _ in range(60):
            where = draw.choice((A, B, A, B, ("239.195.1.2", 16001)))
            frame = feed_frame(draw, draw.randrange(1, 120), where)
            if draw.random() < 0.3:
                frame = frame[: draw.randrange(1, len(frame) + 1)]
            frames.append((frame, draw.random() < 0.2))
        # A MAC leaves at least two cycles between frames, and none inside; neither is needed.
        await bench.check(
            frames, draw, gaps=lambda: draw.randrange(0, 4), stalls=0.3 if round_ % 2 else 0.0
        )


@cocotb.test()
async def disabled_channel(dut):
    """A channel that is not enabled is no channel."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    dut.channels.value = channel(*B) << 49 | channel(*A, enable=False)
    await cycles(dut, 2)
    await drive(dut, "s_axis", beats_of(feed_frame(draw, 50, A), tstamp=1))
    await drive(dut, "s_axis", [None] * 4 + beats_of(feed_frame(draw, 50, B), tstamp=2))
    await cycles(dut, 6)
    assert bench.events["no_channel"] == 1 and bench.events["feed_b"] == 1
    assert [frame["stamp"] for frame in bench.feed] == [2]


def test_feed_parser():
    simulate(__file__, "feed_parser")

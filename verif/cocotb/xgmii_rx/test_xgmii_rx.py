"""xgmii_rx against a byte-wise model of the line, and against cocotbext-eth's XGMII source."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.eth import XgmiiFrame, XgmiiSource
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

import xgmii
from harness import QUICK, SEED, scaled, simulate
from streams import StreamMonitor, cycles, start
from xgmii import ERROR, IDLE, SEQUENCE, START, TERMINATE, Line, control, data, with_fcs

LATENCY = 2
EVENTS = ["good", "bad_fcs", "coding", "runt", "giant", "bad_preamble"]  # msb first, rx_event_t
CODES = {"good": 0, "bad_fcs": 1, "coding": 2, "runt": 3, "giant": 4}


class Bench:
    """Plays lines into the MAC and compares what comes out with the model."""

    def __init__(self, dut):
        self.dut = dut
        self.limit = int(dut.MAX_FRAME_BYTES.value)

    async def start(self):
        idle = int.from_bytes(bytes([IDLE] * 8), "little")
        self.counter = await start(
            self.dut, xgmii_rxd=idle, xgmii_rxc=0xFF, now_ns=0, now_lane4_ns=0
        )
        self.monitor = StreamMonitor(
            self.dut, "m_axis", self.counter, side=("tuser", "terror", "tstamp"), line_lanes=True
        )
        self.counts = dict.fromkeys(EVENTS, 0)
        cocotb.start_soon(self._count())
        cocotb.start_soon(self._tell_time())
        return self

    async def _count(self):
        while True:
            await RisingEdge(self.dut.clk)
            event = int(self.dut.rx_event.value)
            for i, name in enumerate(reversed(EVENTS)):
                self.counts[name] += event >> i & 1

    async def _tell_time(self):
        # Twice the cycle, so that lane 4 has a number of its own; the value set now is that of the
        # cycle that the next edge samples.
        while True:
            self.dut.now_ns.value = 2 * self.counter.next
            self.dut.now_lane4_ns.value = 2 * self.counter.next + 1
            await RisingEdge(self.dut.clk)

    async def check(self, line: Line):
        """Plays a line and compares frames, errors, events, stamps and cycles."""
        expected, bad_preambles = xgmii.parse(line.characters, self.limit)
        self.monitor.frames.clear()
        self.counts = dict.fromkeys(EVENTS, 0)
        first_cycle = self.counter.next
        await xgmii.play(self.dut.clk, self.dut.xgmii_rxd, self.dut.xgmii_rxc, line.words())
        await cycles(self.dut, 8)

        counts = dict.fromkeys(EVENTS, 0)
        for frame in expected:
            counts[frame.error] += 1
        counts["bad_preamble"] = bad_preambles
        assert self.counts == counts

        seen = self.monitor.frames
        visible = [frame for frame in expected if frame.payload]
        assert len(seen) == len(visible)
        for got, want in zip(seen, visible):
            assert bytes(got.payload) == want.payload, (want.error, len(want.payload))
            assert got.last["terror"] == CODES[want.error]
            assert got.last["tuser"] == (want.error != "good")
            # Every beat leaves two cycles after the XGMII word whose bytes it has, in its lanes.
            assert got.lane == want.start % 8
            for beat, cycle in enumerate(got.cycles):
                assert cycle == first_cycle + want.start // 8 + beat + LATENCY
            stamp = 2 * (first_cycle + want.start // 8) + (want.start % 8 == 4)
            assert all(side["tstamp"] == stamp for side in got.side)
        return expected


def bench_of(draw, length):
    return with_fcs(xgmii.random_frame(draw, length))


@cocotb.test()
async def every_length_and_lane(dut):
    """Each position of Terminate after each start, good and with a flipped bit anywhere."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for length in [*range(60, 85), 1514, 1518]:
        for lane in (0, 4):
            good = bench_of(draw, length)
            line.frame(good, lane)
            bad = bytearray(good)
            bad[draw.randrange(len(bad))] ^= 1 << draw.randrange(8)
            line.frame(bytes(bad), lane)
    expected = await bench.check(line)
    assert {frame.error for frame in expected} == {"good", "bad_fcs"}


@cocotb.test()
async def every_fcs_bit(dut):
    """No single wrong bit of the FCS passes, for each position of Terminate."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for length in range(60, 68):
        for lane in (0, 4):
            for bit in range(0, 32, scaled(1, 5)):
                frame = bytearray(bench_of(draw, length))
                frame[len(frame) - 4 + bit // 8] ^= 1 << bit % 8
                line.frame(bytes(frame), lane)
    expected = await bench.check(line)
    assert {frame.error for frame in expected} == {"bad_fcs"}


@cocotb.test()
async def runts(dut):
    """Frames of 0 to 63 bytes are counted and aborted, whatever their FCS; the next is taken."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for length in range(64):
        for lane in (0, 4):
            octets = draw.randbytes(length)
            if length > 4 and draw.random() < 0.5:
                octets = with_fcs(octets[:-4])
            line.frame(octets, lane, gap=5)
            line.frame(bench_of(draw, 60), draw.choice((0, 4)), gap=5)
    await bench.check(line)


@cocotb.test()
async def giants(dut):
    """The limit to the byte; far beyond it the frame is cut, and the next one is taken."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    limit = bench.limit
    line = Line()
    for excess in [*range(-9, 12), 40, 400]:
        for lane in (0, 4):
            line.frame(bench_of(draw, limit - 4 + excess), lane, gap=5)
            line.frame(bench_of(draw, 60), 4 - lane, gap=5)
    expected = await bench.check(line)
    assert {frame.error for frame in expected} == {"good", "giant"}


@cocotb.test()
async def control_characters_inside(dut):
    """Error, Idle, Sequence and Start in each lane of a frame end it with a coding error."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for character in (ERROR, IDLE, SEQUENCE, START):
        for at in range(64, 80):
            for lane in (0, 4):
                line.idle_to(lane, 12)
                octets = bench_of(draw, 100)
                line.characters += control(START) + data(xgmii.PREAMBLE + octets[:at])
                line.characters += control(character) + data(octets[at:]) + control(TERMINATE)
                line.frame(bench_of(draw, 60), 4 - lane)
    expected = await bench.check(line)
    assert "coding" in {frame.error for frame in expected}


@cocotb.test()
async def truncation(dut):
    """A frame that breaks off and a new one that starts in its place: the new one is received."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for cut in range(0, 90, 4):
        for lane in (0, 4):
            line.idle_to(lane, 12)
            line.characters += control(START) + data(xgmii.PREAMBLE + draw.randbytes(cut))
            line.characters += xgmii.frame_characters(bench_of(draw, 60))
    expected = await bench.check(line)
    assert [frame.error for frame in expected].count("good") == 46


@cocotb.test()
async def bad_preambles(dut):
    """A wrong octet anywhere in preamble or SFD: counted, no frame, and the next one is taken."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    line = Line()
    for at in range(7):
        for lane in (0, 4):
            preamble = bytearray(xgmii.PREAMBLE)
            preamble[at] ^= 1 << draw.randrange(8)
            line.idle_to(lane, 12)
            line.characters += control(START) + data(bytes(preamble) + bench_of(draw, 60))
            line.characters += control(TERMINATE)
            line.frame(bench_of(draw, 60), draw.choice((0, 4)))
    for lane in (1, 2, 3, 5, 6, 7):  # Start where it may not be
        line.frame(bench_of(draw, 60), lane)
    await bench.check(line)


@cocotb.test()
async def noise(dut):
    """Random mixtures of all of the above, short frames and garbage between them."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    kinds = [IDLE, START, TERMINATE, ERROR, SEQUENCE]
    for _ in range(scaled(120, 25)):
        line = Line()
        for _ in range(30):
            choice = draw.random()
            if choice < 0.5:
                line.frame(bench_of(draw, draw.randrange(56, 90)), draw.choice((0, 4)), gap=5)
            elif choice < 0.8:
                line.frame(draw.randbytes(draw.randrange(0, 30)), draw.choice((0, 4)), gap=0)
            else:
                for _ in range(draw.randrange(1, 30)):
                    if draw.random() < 0.5:
                        line.characters += control(draw.choice(kinds))
                    else:
                        line.characters += data(draw.randbytes(1))
        line.idle_to(0, 32)
        await bench.check(line)


@cocotb.test()
async def peer_source(dut):
    """cocotbext-eth sends scapy's frames with its own gaps, start lanes and deficit idle count."""
    bench = await Bench(dut).start()
    source = XgmiiSource(dut.xgmii_rxd, dut.xgmii_rxc, dut.clk)
    draw = random.Random(SEED)
    sent = []
    lengths = [60] * 20 + [min(9014, bench.limit - 4), *(draw.randrange(60, 1515) for _ in range(scaled(80, 15)))]
    for length in lengths:
        source.ifg = draw.choice((12, 12, 12, 13, 20, 47))
        payload = Raw(draw.randbytes(length - 42))
        packet = bytes(Ether(dst="01:00:5e:00:00:01") / IP(dst="239.0.0.1") / UDP() / payload)
        sent.append(packet)
        await source.send(XgmiiFrame.from_payload(packet))
        if draw.random() < 0.3:
            await source.wait()
    await source.wait()
    await cycles(dut, 10)
    assert [bytes(frame.payload) for frame in bench.monitor.frames] == sent
    assert bench.counts["good"] == len(sent)


@pytest.mark.parametrize("limit", [1522] if QUICK else [1522, 9022])
def test_xgmii_rx(limit):
    simulate(__file__, "xgmii_rx", {"MAX_FRAME_BYTES": limit}, name=f"xgmii_rx_{limit}")

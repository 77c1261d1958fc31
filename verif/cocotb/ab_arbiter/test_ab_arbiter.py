"""ab_arbiter against a model of A/B arbitration with losses, copies, aborts and reordering."""

import random
import struct

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled, simulate
from streams import beats_of, cycles, drive, start

EVENTS = ("duplicate", "too_short", "aborted", "passed_b", "passed_a")  # lowest bit first
HALF = 1 << 31


class Model:
    def __init__(self):
        self.expected = None

    def packet(self, payload: bytes, abort: bool, dest: int):
        """(event, gap or None, passes) for a packet."""
        if len(payload) < 4:
            return "too_short", None, False
        number = struct.unpack_from("<I", payload)[0]
        ahead = 0 if self.expected is None else (number - self.expected) % (1 << 32)
        if ahead >= HALF:
            return "duplicate", None, False
        gap = (self.expected, ahead) if ahead else None
        if abort:
            return "aborted", gap, True
        self.expected = (number + 1) % (1 << 32)
        return ("passed_b" if dest else "passed_a"), gap, True


class Bench:
    def __init__(self, dut):
        self.dut = dut

    async def start(self):
        names = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tdest", "tstamp")
        zeros = {f"s_axis_{name}": 0 for name in names}
        self.counter = await start(self.dut, sync=0, s_number=0, **zeros)
        self.model = Model()
        self.clear()
        cocotb.start_soon(self._record())
        return self

    def clear(self):
        self.events, self.gaps, self.beats = [], [], []

    async def _record(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            event = int(dut.arbiter_event.value)
            assert event.bit_count() <= 1
            self.events += [name for i, name in enumerate(EVENTS) if event >> i & 1]
            if int(dut.gap.value):
                self.gaps.append((int(dut.gap_first.value), int(dut.gap_count.value)))
            if int(dut.m_axis_tvalid.value):
                beat = {
                    name: int(getattr(dut, f"m_axis_{name}").value)
                    for name in ("tdata", "tkeep", "tlast", "tuser", "tdest", "tstamp")
                }
                self.beats.append((self.counter.cycle, beat))

    def forget(self):
        """The model forgets at once, the block with the task that this gives."""
        self.model.expected = None
        return cocotb.start_soon(self._pulse_sync())

    async def _pulse_sync(self):
        self.dut.sync.value = 1
        await cycles(self.dut, 1)
        self.dut.sync.value = 0

    async def _tell(self, numbers):
        for number in numbers:
            self.dut.s_number.value = number
            await RisingEdge(self.dut.clk)

    async def check(self, packets, draw, pauses=0.2):
        """Sends (payload, abort, dest) and compares what passes, beat by beat and cycle by cycle."""
        self.clear()
        begin = self.counter.next
        line, beats, events, gaps = [], [], [], []
        numbers = []  # a cycle before each packet its own, else anything
        for stamp, (payload, abort, dest) in enumerate(packets):
            event, gap, passes = self.model.packet(payload, abort, dest)
            events.append(event)
            gaps += [gap] if gap else []
            line.append(None)
            for at, beat in enumerate(beats_of(payload, abort, tdest=dest, tstamp=stamp)):
                while draw.random() < pauses:
                    line.append(None)
                if passes:
                    beats.append((begin + len(line), {k: int(v) for k, v in beat.items()}))
                numbers += [draw.getrandbits(32) for _ in range(len(line) - 1 - len(numbers))]
                numbers.append(beat["tdata"] % (1 << 32) if at == 0 else draw.getrandbits(32))
                line.append(beat)
        cocotb.start_soon(self._tell(numbers))
        await drive(self.dut, "s_axis", line)
        await cycles(self.dut, 3)
        assert self.events == events
        assert self.gaps == gaps
        assert self.beats == beats
        return events


def packet(draw, number, length=None):
    length = draw.randrange(0, 60) if length is None else length
    return struct.pack("<I", number % (1 << 32)) + draw.randbytes(length)


@cocotb.test()
async def two_lossy_copies(dut):
    """Each packet comes on A and B, some lost, some aborted, B lagging by a few."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    kinds = set()
    for origin in (0, 1, (1 << 32) - 20, HALF - 10, 12345):
        await bench.forget()
        packets, late = [], []
        for number in range(origin, origin + scaled(150, 40)):
            body = packet(draw, number)
            if draw.random() > 0.15:
                packets.append((body, draw.random() < 0.1, 0))
            late.append((body, draw.random() < 0.1, 1))
            while late and draw.random() < 0.6:
                copy = late.pop(0)
                if draw.random() > 0.15:
                    packets.append(copy)
        seen = await bench.check(packets, draw)
        kinds |= set(seen)
    assert kinds == {"passed_a", "passed_b", "aborted", "duplicate"}


@cocotb.test()
async def abort_leaves_the_other_copy(dut):
    """After an aborted first copy the second one passes, and the gap is reported with both."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    body = packet(draw, 14, 20)
    packets = [(packet(draw, 10), False, 0), (body, True, 0), (body, False, 1), (body, False, 0)]
    assert await bench.check(packets, draw) == ["passed_a", "aborted", "passed_b", "duplicate"]
    assert bench.gaps == [(11, 3), (11, 3)]


@cocotb.test()
async def short_packets(dut):
    """Packets of one to three bytes have no number and change nothing; of four bytes they are whole."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    packets = [(packet(draw, 5, 0), False, 0)]
    packets += [(b"\6\0\0"[:length], bool(length & 1), 1) for length in (1, 2, 3)]
    packets += [(packet(draw, 6, 0), False, 1), (packet(draw, 6, 9), False, 0)]
    assert await bench.check(packets, draw, pauses=0.0) == [
        "passed_a", "too_short", "too_short", "too_short", "passed_b", "duplicate"
    ]


@cocotb.test()
async def forgets_at_once(dut):
    """The packet whose first beat comes right behind `sync`, when its number is there already, is the first."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)
    assert await bench.check([(packet(draw, 1000), False, 0)], draw, 0.0) == ["passed_a"]
    for number in (7, 5, 2000):
        bench.forget()
        seen = await bench.check([(packet(draw, number), False, 0)] * 2, draw, 0.0)
        assert seen == ["passed_a", "duplicate"]


def test_ab_arbiter():
    simulate(__file__, "ab_arbiter")

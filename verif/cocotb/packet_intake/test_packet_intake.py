"""packet_intake: packets whole and in order, each with its number and what was missing before it; held
back while their number is not free, swallowed while the reader is switched off."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from harness import SEED, scaled, simulate
from streams import StreamMonitor, beats_of, cycles, drive, read_at, start

DEPTH = 32
NUMBERS = 15  # 15 itself stands for no packet
PLACES = 3


class Bench:
    """`begins`: of each packet, its stamp, number, and whether something was missing before it, and `times`
    of it; `ends`: whether it was good; `verdicts`: its number and whether it was; how many were `swallowed`;
    the stamps of what was dropped and cut."""

    def __init__(self, dut, counter):
        self.dut, self.counter = dut, counter
        self.monitor = StreamMonitor(
            dut, "m_axis", counter, side=("tid", "tstamp", "tuser"), ready=True, empty_end=True
        )
        self.begins, self.times, self.ends, self.verdicts = [], [], [], []
        self.dropped, self.cut, self.swallowed = [], [], 0
        cocotb.start_soon(self._watch())

    async def _watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.begin_valid.value):
                told = (dut.begin_tstamp, dut.begin_tid, dut.begin_behind_gap)
                self.times.append(self.counter.cycle)
                self.begins.append(tuple(int(one.value) for one in told))
            else:
                assert not int(dut.begin_behind_gap.value)
            for good in (False, True):
                if int((dut.ended_good if good else dut.ended_bad).value):
                    self.ends.append(good)
            if int(dut.verdict_valid.value) and int(dut.verdict_tid.value) != NUMBERS:
                self.verdicts.append((int(dut.verdict_tid.value), bool(dut.verdict_good.value)))
            self.swallowed += int(dut.swallowed.value)
            # Told in the cycle behind the packet.
            for lost, told in ((dut.dropped, self.dropped), (dut.cut, self.cut)):
                if int(lost.value):
                    told.append(int(dut.s_axis_tstamp.value))

    async def send(self, packet: bytes, abort=False, gap=False, stamp=0):
        """A packet, and the cycle that lies behind each; `gap` is told with its first beat alone."""
        beats = beats_of(packet, abort, tstamp=stamp, gap=0)
        beats[0]["gap"] = gap
        await drive(self.dut, "s_axis", beats)
        await RisingEdge(self.dut.clk)


async def bench(dut, enable=1, ready=1):
    names = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tstamp", "gap")
    inputs = {f"s_axis_{name}": 0 for name in names}
    counter = await start(
        dut, enable=enable, m_axis_tready=ready, pending_valid=0, pending_tid=0, **inputs
    )
    return Bench(dut, counter)


def pending(dut, *oldest: int | None):
    """What waits in each place."""
    dut.pending_valid.value = sum(1 << at for at, one in enumerate(oldest) if one is not None)
    dut.pending_tid.value = sum(one << 4 * at for at, one in enumerate(oldest) if one is not None)


@cocotb.test()
async def cut_through(dut):
    """A beat leaves in the cycle in which it comes, and the packet's beginning is told in the next."""
    one = await bench(dut)
    for number, length in enumerate((1, 8, 9, 100)):
        begin = one.counter.next
        await one.send(bytes(length), stamp=number)
        await cycles(dut, 4)
        frame = one.monitor.frames[-1]
        assert frame.cycles == list(range(begin, begin + (length + 7) // 8))
        assert {side["tid"] for side in frame.side} == {number} and one.times[-1] == begin + 1
    assert one.begins == [(number, number, 0) for number in range(4)]
    assert not one.dropped + one.cut and not one.swallowed


@cocotb.test()
async def short_stop(dut):
    """A reader that stops for a cycle loses that cycle and no more."""
    one = await bench(dut)
    begin = one.counter.next
    stream = cocotb.start_soon(one.send(bytes(160)))
    for stopped in (0, 0, 1, 0, 1, 0, 0):
        dut.m_axis_tready.value = not stopped
        await RisingEdge(dut.clk)
    dut.m_axis_tready.value = 1
    await stream
    await cycles(dut, 6)
    late = [(i >= 2) + (i >= 3) for i in range(20)]
    assert one.monitor.frames[0].cycles == [begin + i + more for i, more in enumerate(late)]


@cocotb.test()
async def any_pace(dut):
    """Overload and a reader that is switched on and off: every packet is whole, cut, dropped or swallowed,
    numbers go round, and a packet knows whether anything was missing before it."""
    one = await bench(dut)
    draw = random.Random(SEED)
    pace = [1.0]
    cocotb.start_soon(read_at(dut, draw, lambda: pace[0]))
    sent = []
    for number in range(scaled(900, 300)):
        if number % 20 == 0:
            pace[0] = draw.choice((0.2, 0.6, 1.0))
            dut.enable.value = draw.random() < 0.8
        packet, abort = draw.randbytes(draw.randrange(1, 200)), draw.random() < 0.2
        sent.append((packet, abort, draw.random() < 0.1))
        await one.send(*sent[-1], stamp=number)
        await cycles(dut, draw.choice((0, 0, 1, 5, 40)))
    pace[0] = 1.0
    await cycles(dut, 200)

    stamps, numbers, behind_gap = zip(*one.begins)
    assert list(stamps) == [stamp for stamp in range(len(sent)) if stamp not in one.dropped]
    assert list(numbers) == [count % NUMBERS for count in range(len(stamps))]
    good = [not sent[stamp][1] and stamp not in one.cut for stamp in stamps]
    assert one.ends == good and one.verdicts == list(zip(numbers, good))
    assert list(behind_gap) == [
        sent[stamp][2] or stamp - 1 in one.dropped or stamp - 1 in one.cut for stamp in stamps
    ]

    frames = one.monitor.frames
    for before, frame in zip([None, *frames], frames):
        stamp = frame.last["tstamp"]
        assert before is None or before.last["tstamp"] < stamp
        at = stamps.index(stamp)
        side = {(side["tid"], side["tstamp"]) for side in frame.side}
        assert side == {(numbers[at], stamp)} and frame.last["tuser"] != good[at]
        packet, octets = sent[stamp][0], bytes(frame.payload)
        assert packet.startswith(octets) if stamp in one.cut else packet == octets
    assert len(frames) + one.swallowed == len(stamps)
    few = min(len(one.dropped), len(one.cut), one.swallowed, len(frames))
    assert few > len(sent) // 30


@cocotb.test()
async def waits_for_what_is_known(dut):
    """Every number against every oldest one: a packet waits while something waits of the eighth before it
    or an earlier one, in whichever place, and goes on or is swallowed when that is done."""
    one = await bench(dut)
    draw = random.Random(SEED)
    held, off = 0, []
    for number in range(NUMBERS * 16):
        tid, oldest = number % NUMBERS, number % 16
        far = oldest != NUMBERS and (tid - oldest) % NUMBERS >= 8
        places = [None, tid, NUMBERS]  # nothing; this packet itself; what no packet caused
        places.insert(number % PLACES, oldest)
        pending(dut, *places[:PLACES])
        if draw.random() < 0.3:
            off.append(number)
        dut.enable.value = number not in off
        await cycles(dut, 2)
        before = len(one.begins)
        await one.send(b"\1", stamp=number)
        await cycles(dut, 3)
        assert (len(one.begins) == before) == far, f"{tid} with {oldest}"
        assert len(one.monitor.frames) + one.swallowed == len(one.begins)
        held += far
        pending(dut)
        await cycles(dut, 4)
        assert len(one.begins) == number + 1
    assert held == NUMBERS * 7 and one.swallowed == len(off) and not one.dropped + one.cut
    stamps = [frame.last["tstamp"] for frame in one.monitor.frames]
    assert stamps == [number for number in range(NUMBERS * 16) if number not in off]


@cocotb.test()
async def a_packet_under_way_goes_on(dut):
    """What begins to wait while a packet is under way holds the next one, not this."""
    one = await bench(dut)
    stream = cocotb.start_soon(drive(dut, "s_axis", beats_of(bytes(80))))
    await cycles(dut, 3)
    pending(dut, 5)
    await stream
    await one.send(bytes(16), stamp=1)
    await cycles(dut, 5)
    assert [len(frame.payload) for frame in one.monitor.frames] == [80]
    assert one.begins == [(0, 0, 0)]
    pending(dut)
    await cycles(dut, 5)
    assert [len(frame.payload) for frame in one.monitor.frames] == [80, 16]


@cocotb.test()
async def switched_between_packets_only(dut):
    """The switch is looked at in a packet's first beat; without a reader nothing stands."""
    one = await bench(dut, ready=0)
    stream = cocotb.start_soon(drive(dut, "s_axis", beats_of(bytes(80))))
    await cycles(dut, 3)
    dut.enable.value = 0
    await stream
    await cycles(dut, 3)
    await ReadOnly()
    assert int(dut.m_axis_tvalid.value) and not one.swallowed
    await RisingEdge(dut.clk)
    dut.m_axis_tready.value = 1
    await cycles(dut, 15)
    dut.m_axis_tready.value = 0
    await one.send(bytes(80), stamp=1)
    await one.send(bytes(3), abort=True, stamp=2)
    await cycles(dut, 15)
    assert [len(frame.payload) for frame in one.monitor.frames] == [80]
    assert one.swallowed == 2 and one.ends == [True, True, False]
    dut.enable.value = 1
    dut.m_axis_tready.value = 1
    await one.send(bytes(8), stamp=3)
    await cycles(dut, 3)
    assert one.monitor.frames[-1].last == {"tid": 3, "tstamp": 3, "tuser": 0}


def test_packet_intake():
    simulate(__file__, "packet_intake", {"DEPTH": DEPTH, "PLACES": PLACES})

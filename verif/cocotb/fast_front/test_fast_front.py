"""fast_front against the specification's model, cycle by cycle: random packets, random dispatch."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from fast_model import Element, Front, Packet
from harness import SEED, scaled, simulate
from streams import start

FLAGS = ("bit6", "more", "is_wide", "is_one", "is_null", "valid")  # lowest bit first


def element(bits: int) -> tuple[bytes, bool]:
    length = bits >> 128 & 31
    data = bits & (1 << 128) - 1
    assert length <= 16 and data >> 8 * length == 0, "bytes before an element are zero"
    return data.to_bytes(16, "big")[16 - length :], bool(bits >> 133 & 1)


def expected(one: Element) -> tuple[bytes, bool]:
    return one.data, one.more


class Bench:
    def __init__(self, dut, preamble=0, vectors=False):
        self.dut = dut
        self.front = Front(preamble, vectors)
        self.sent = []  # packets that the port has not taken whole
        self.word = 0
        self.checked = 0
        self.end = (None, False, False, False)  # of the packet in hand, a cycle ago

    async def begin(self):
        front = self.front
        await start(
            self.dut,
            enable=1,
            vectors=front.vectors,
            preamble=front.preamble,
            s_axis_tvalid=0,
            taken=0,
            last=0,
            pops=0,
            pops_two=0,
            drop=0,
            packet_done=0,
            raw_begin=0,
            raw_length_valid=0,
            raw_length=0,
        )
        return self

    async def cycle(self, offer=True, **core):
        """One cycle; `core` is what the core does in it."""
        dut, front = self.dut, self.front
        packet = self.sent[0] if offer and self.sent else None
        dut.s_axis_tvalid.value = packet is not None
        if packet:
            self.drive(packet)
        pop = core.get("pop", 0)
        two = pop == 2 and front.cycle % 2 == 0 and not core.get("raw_begin")
        taken = front.cycle % 9 if two else pop or front.cycle % 9
        dut.taken.value, dut.last.value = taken, 1 << taken >> 1
        dut.pops.value, dut.pops_two.value = pop > 0 and not two, two
        dut.drop.value = core.get("drop", False)
        dut.packet_done.value = core.get("done", False)
        dut.raw_begin.value = core.get("raw_begin", False)
        length = core.get("raw_length")
        dut.raw_length_valid.value = length is not None
        dut.raw_length.value = length or 0
        raw = bool(front.raw or front.resumes)
        free = not front.second and not front.replay
        if front.vectors and self.word == 0 and (front.hand or front.headers):
            free = False
        await RisingEdge(dut.clk)
        self.check()
        front.step(**core)
        ready = bool(int(dut.s_axis_tready.value))
        if not raw:
            assert ready == free or packet is None, f"cycle {front.cycle}: ready {ready}"
        if packet and ready:
            front.offer(packet, self.word)
            self.word += 1
            if self.word == packet.words:
                self.sent.pop(0)
                self.word = 0

    def drive(self, packet):
        dut = self.dut
        word = packet.data[8 * self.word : 8 * self.word + 8]
        last = self.word + 1 == packet.words
        # Lanes without a byte may have anything.
        dut.s_axis_tdata.value = int.from_bytes(word + bytes(random.randrange(256) for _ in range(8 - len(word))), "little")
        dut.s_axis_tkeep.value = (1 << len(word)) - 1
        dut.s_axis_tlast.value = last
        dut.s_axis_tuser.value = last and packet.abort
        dut.s_axis_tid.value = packet.tid
        dut.s_axis_tstamp.value = packet.tstamp

    def check(self):
        """What the front shows in this cycle."""
        dut, front = self.dut, self.front
        at = f"cycle {front.cycle}"
        # In the cycle behind a drop the window says nothing.
        window = [] if front.dropped else front.window()
        bits, banks, base = int(dut.window.value), int(dut.banks.value), int(dut.base.value)
        for i in range(0 if front.dropped else 8):
            flags = {name: bool(bits >> 6 * i + n & 1) for n, name in enumerate(FLAGS)}
            if i >= len(window):
                assert not flags["valid"], f"{at}: element {i} is not there"
                continue
            assert flags == window[i].flags, f"{at}: element {i} {window[i]}: {flags}"
            bank = banks >> 141 * ((base + i) % 8) & (1 << 141) - 1
            assert element(bank) == expected(window[i]), f"{at}: element {i}"
            assert bank >> 134 == window[i].data[0] & 127, f"{at}: first group of element {i}"
            self.checked += 1
        for name, n in (("header", 0), ("next", 1)):
            header = front.headers[n] if n < len(front.headers) else None
            got = int(getattr(dut, name).value)
            valid, complete, failed = (bool(got >> n & 1) for n in (339, 338, 337))
            assert valid == (header is not None), f"{at}: {name}"
            if header is None:
                continue
            assert complete == header.complete, f"{at}: {name} complete"
            if name == "next":
                assert failed == (header.ended and not header.complete)
            assert got & (1 << 64) - 1 == header.packet.tstamp
            assert got >> 64 & 15 == header.packet.tid
            if header.map is None:
                assert got >> 202 + 128 & 31 == 0
            if complete:
                assert bool(got >> 336 & 1) == header.explicit
                assert element(got >> 202 & (1 << 134) - 1) == expected(header.map)
                if header.explicit:
                    assert element(got >> 68 & (1 << 134) - 1) == expected(header.id)
        # How the packet in hand ends is told a cycle later.
        header = front.headers[0] if front.headers else None
        same = header is not None and header is self.end[0]
        _, ended, failed, leftover = self.end
        assert bool(int(dut.ended.value)) == (same and ended), f"{at}: ended {not ended}"
        assert bool(int(dut.header.value) >> 337 & 1) == (same and failed), f"{at}: failed {not failed}"
        if same and ended:
            assert bool(int(dut.leftover.value)) == leftover, at
            assert bool(int(dut.aborted.value)) == header.packet.abort, at
        ended = header is not None and header.ended
        self.end = (header, ended, ended and not header.complete, ended and header.leftover)
        beat = front.beats.get(front.cycle, ())
        assert bool(int(dut.raw_valid.value)) == bool(beat), f"{at}: beat {beat}"
        assert bool(int(dut.raw_failed.value)) == (beat is None), f"{at}: failed"
        if beat is None:
            assert bool(int(dut.aborted.value)) == header.packet.abort, f"{at}: failed, aborted"
        if beat:
            count = int(dut.raw_count.value)
            data = int(dut.raw_bytes.value).to_bytes(8, "big")[8 - count :]
            assert (data, not int(dut.raw_more.value)) == beat, f"{at}: {data} {beat}"


def stream(draw, length: int, stops: float) -> bytes:
    out = bytearray()
    for _ in range(length):
        byte = draw.choice((0, 0, 1, draw.randrange(128), 0x40 | draw.randrange(64)))
        out.append(byte | (0x80 if draw.random() < stops else 0))
    return bytes(out)


def some_packet(draw) -> Packet:
    kind = draw.random()
    if kind < 0.05:
        # Too much is carried when its last word comes, and that counts for nothing.
        data = stream(draw, draw.randrange(1, 10), 1.0) + stream(draw, draw.randrange(9, 25), 0.0)
        return Packet(data, True, draw.randrange(16), draw.getrandbits(64))
    if kind < 0.1:
        length = draw.randrange(1, 12)
    elif kind < 0.9:
        length = draw.randrange(1, 120)
    else:
        length = draw.randrange(200, 900)
    data = b"".join(
        stream(draw, draw.randrange(1, 40), draw.choice((0.0, 0.1, 0.5, 0.5, 0.9, 1.0)))
        for _ in range(length // 20 + 1)
    )[:length]
    return Packet(
        data, draw.random() < 0.1, draw.randrange(16), draw.getrandbits(64)
    )


class Core:
    """What a core may do, at random."""

    def __init__(self, bench, draw):
        self.bench, self.draw = bench, draw
        self.dropped = False
        self.length_at = None
        self.appetite = 0.5

    def acts(self) -> dict:
        front, draw = self.bench.front, self.draw
        if draw.random() < 0.02:
            self.appetite = draw.choice((0.05, 0.5, 1.0, 1.0))
        if not front.headers:
            return {}
        header = front.headers[0]
        if front.dropped and not self.dropped:
            return {}
        if self.dropped:
            if draw.random() < 0.5:
                self.dropped = False
                return {"done": True}
            return {}
        failed = front.beats.get(front.cycle, ()) is None
        # Most often in the first cycle of a vector, above all of one whose packet has ended.
        likely = (0.4 if header.ended else 0.1) if front.raw and front.raw.age == 0 else 0.004
        if failed or draw.random() < likely and (header.complete or header.ended):
            done = draw.random() < 0.5
            self.dropped = not done
            self.length_at = None
            return {"drop": True, "done": done}
        if self.length_at == front.cycle:
            self.length_at = None
            length = draw.choice((0, 1, 7, 8, 9, 16, 30, draw.randrange(200), 1 << 20))
            if draw.random() < 0.8:
                here = len(header.packet.data) - front.raw.at
                length = min(length, draw.randrange(max(here, 1) + 1))
            return {"raw_length": length}
        # The failure is told two cycles behind the last word.
        if front.raw or any(beat is None for at, beat in front.beats.items() if at >= front.cycle):
            return {}
        there = len(front.window())
        if not there and header.ended and draw.random() < self.appetite:
            return {"done": True}
        if not there or draw.random() > self.appetite:
            return {}
        pop = draw.choice((there, draw.randrange(there + 1)))
        acts = {"pop": pop}
        if front.vectors and pop and not front.window()[pop - 1].more and draw.random() < 0.1:
            acts["raw_begin"] = True
            self.length_at = front.cycle + draw.choice((1, 2))
        return acts


async def random_run(dut, preamble, vectors, packets):
    draw = random.Random(f"{SEED} {preamble} {vectors}")
    bench = await Bench(dut, preamble, vectors).begin()
    core = Core(bench, draw)
    bench.sent = [some_packet(draw) for _ in range(packets)]
    offer, beats, failures = 1.0, 0, 0
    while bench.sent or bench.front.headers or bench.front.hand:
        if draw.random() < 0.02:
            offer = draw.choice((0.2, 0.8, 1.0, 1.0))
        await bench.cycle(draw.random() < offer, **core.acts())
        assert bench.front.cycle < packets * 2000, "it goes on"
    assert bench.checked > 50 * packets
    if vectors:
        beats = [beat for beat in bench.front.beats.values() if beat]
        assert len(beats) > packets / 4 and None in bench.front.beats.values()


@cocotb.test()
async def random_packets(dut):
    await random_run(dut, 0, False, scaled(400, 60))


@cocotb.test()
async def with_preamble(dut):
    for preamble in (4, 8, 11):
        await random_run(dut, preamble, False, scaled(120, 20))


@cocotb.test()
async def with_vectors(dut):
    for preamble in (0, 4):
        await random_run(dut, preamble, True, scaled(300, 150))


@cocotb.test()
async def disabled(dut):
    """A disabled engine takes a word a cycle and shows nothing; a packet in the middle is void."""
    draw = random.Random(SEED)
    bench = await Bench(dut).begin()
    bench.sent = [Packet(stream(draw, 64, 0.5))]
    for _ in range(3):
        await bench.cycle()
    dut.enable.value = 0
    swallowed = 0
    for cycle in range(40):
        if not bench.sent:
            bench.sent = [Packet(stream(draw, 40, 0.5))]
        # Enabled again in the middle of a packet, which is swallowed to its end.
        middle = bench.word
        if cycle > 30 and middle == 2:
            break
        dut.s_axis_tvalid.value = 1
        bench.drive(bench.sent[0])
        await RisingEdge(dut.clk)
        assert int(dut.s_axis_tready.value)
        swallowed += int(dut.event_swallowed.value)
        bench.word += 1
        if bench.word == bench.sent[0].words:
            bench.sent, bench.word = [], 0
    dut.enable.value = 1
    while bench.sent:
        bench.drive(bench.sent[0])
        await RisingEdge(dut.clk)
        assert int(dut.s_axis_tready.value) and not int(dut.header.value) >> 339
        bench.word += 1
        if bench.word == bench.sent[0].words:
            bench.sent, bench.word = [], 0
    assert swallowed >= 5
    bench.front = Front()
    bench.sent = [some_packet(draw) for _ in range(20)]
    core = Core(bench, draw)
    dut.s_axis_tvalid.value = 0
    await RisingEdge(dut.clk)
    while bench.sent or bench.front.headers or bench.front.hand:
        await bench.cycle(**core.acts())


def test_fast_front():
    simulate(__file__, "fast_front")

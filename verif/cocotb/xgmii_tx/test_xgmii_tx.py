"""xgmii_tx against zlib's CRC, cocotbext-eth's XGMII sink and the byte-wise model of the line."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSource
from cocotbext.eth import XgmiiSink

import xgmii
from harness import SEED, scaled, simulate
from streams import cycles, start
from xgmii import ERROR, IDLE, START, TERMINATE, with_fcs

LIMIT = 9022


def padded(frame: bytes) -> bytes:
    return with_fcs(frame + bytes(max(0, 60 - len(frame))))


class Bench:
    """Records the line and every cycle in which a frame's first word is taken."""

    def __init__(self, dut):
        self.dut = dut

    async def start(self):
        inputs = dict.fromkeys(("tdata", "tkeep", "tvalid", "tlast", "tuser"), 0)
        self.counter = await start(
            self.dut, abandon=0, **{f"s_axis_{name}": value for name, value in inputs.items()}
        )
        self.events = dict.fromkeys(("sent", "poisoned", "underflow"), 0)
        self.characters, self.begin = [], self.counter.next
        self.taken, self.firsts = [], []
        self.sink = XgmiiSink(self.dut.xgmii_txd, self.dut.xgmii_txc, self.dut.clk)
        cocotb.start_soon(self._record())
        return self

    async def _record(self):
        dut, open_frame = self.dut, False
        while True:
            await RisingEdge(dut.clk)
            word, flags = int(dut.xgmii_txd.value), int(dut.xgmii_txc.value)
            for lane in range(8):
                self.characters.append((word >> 8 * lane & 0xFF, bool(flags >> lane & 1)))
            if int(dut.tx_first.value):
                lane = 4 if int(dut.tx_first_lane4.value) else 0
                self.firsts.append(8 * (self.counter.cycle - self.begin) + lane)
            event = int(dut.tx_event.value)
            for i, name in enumerate(("underflow", "poisoned", "sent")):
                self.events[name] += event >> i & 1
            if int(dut.s_axis_tvalid.value) and int(dut.s_axis_tready.value):
                if not open_frame:
                    self.taken.append(self.counter.cycle)
                open_frame = not int(dut.s_axis_tlast.value)

    def source(self):
        return AxiStreamSource(AxiStreamBus.from_prefix(self.dut, "s_axis"), self.dut.clk)

    def gaps(self) -> list[int]:
        """Characters from each Terminate to the next Start, the Terminate included."""
        ends = [i for i, c in enumerate(self.characters) if c == (TERMINATE, True)]
        starts = [i for i, c in enumerate(self.characters) if c == (START, True)]
        return [begin - end for end, begin in zip(ends, starts[1:])]

    async def check(self, frames: list[bytes], settle: int = 1400):
        """Waits, then compares the line with `frames`: model, zlib and peer must agree."""
        for _ in range(scaled(20, 20)):
            if self.sink.count() >= len(frames):
                break
            await cycles(self.dut, settle)
        await cycles(self.dut, 10)
        seen, bad_preambles = xgmii.parse(self.characters, LIMIT)
        assert bad_preambles == 0
        assert [frame.error for frame in seen] == ["good"] * len(frames)
        for got, want in zip(seen, frames):
            assert with_fcs(got.payload) == padded(want)
            peer = self.sink.recv_nowait()
            assert peer.check_fcs() and bytes(peer.get_payload()) == got.payload
        assert self.sink.empty()
        assert self.firsts == [frame.start for frame in seen]
        assert self.events == {"sent": len(frames), "poisoned": 0, "underflow": 0}
        # Start is on the line one cycle after the first word was taken, in lane 4 only after a frame
        # that ended just before.
        for frame, cycle in zip(seen, self.taken):
            assert (frame.start - 8) // 8 == cycle - self.begin + 1
        return seen


@cocotb.test()
async def every_length(dut):
    """All lengths of last word and padding, one frame at a time: Start in lane 0, in two cycles."""
    bench = await Bench(dut).start()
    source = bench.source()
    draw = random.Random(SEED)
    frames = [xgmii.random_frame(draw, length) for length in [*range(1, 80), 1513, 1514, 9014]]
    for frame in frames:
        await source.send(AxiStreamFrame(frame, tuser=0))
        await source.wait()
        await cycles(dut, draw.randrange(15, 20))
    seen = await bench.check(frames)
    for frame, cycle in zip(seen, bench.taken):
        assert frame.start == 8 * (cycle - bench.begin + 2)


@cocotb.test()
async def back_to_back(dut):
    """Frames without pause: gaps of 9 to 15, twelve on average, both start lanes."""
    bench = await Bench(dut).start()
    source = bench.source()
    draw = random.Random(SEED)
    frames = [xgmii.random_frame(draw, length) for length in range(57, 80) for _ in range(4)]
    frames += [xgmii.random_frame(draw, draw.randrange(60, 160)) for _ in range(scaled(600, 150))]
    for frame in frames:
        source.send_nowait(AxiStreamFrame(frame, tuser=0))
    seen = await bench.check(frames)
    gaps = bench.gaps()
    assert set(gaps) <= set(range(9, 16))
    # The deficit never passes three, so neither does what is missing over the whole run.
    owed = 0
    for gap in gaps:
        owed += 12 - gap
        assert 0 <= owed <= 3
    assert {frame.start % 8 for frame in seen} == {0, 4}


@cocotb.test()
async def same_length_streams(dut):
    """For each length, a stream of equal frames keeps exactly twelve bytes of gap on average."""
    bench = await Bench(dut).start()
    source = bench.source()
    draw = random.Random(SEED)
    frames = []
    for length in range(60, 68):
        for _ in range(16):
            frames.append(xgmii.random_frame(draw, length))
            source.send_nowait(AxiStreamFrame(frames[-1], tuser=0))
    await bench.check(frames)
    for at in range(0, len(frames), 16):
        gaps = bench.gaps()[at + 4 : at + 12]
        assert abs(sum(gaps) - 12 * len(gaps)) <= 3


@cocotb.test()
async def random_pauses(dut):
    """Pauses of any length between frames, short ones included."""
    bench = await Bench(dut).start()
    source = bench.source()
    draw = random.Random(SEED)
    frames = []
    for _ in range(scaled(400, 120)):
        frames.append(xgmii.random_frame(draw, draw.choice((1, 20, 59, 60, 61, 64, 65, 70, 77))))
        await source.send(AxiStreamFrame(frames[-1], tuser=0))
        if draw.random() < 0.7:
            await source.wait()
            await cycles(dut, draw.randrange(0, 7))
    await bench.check(frames)
    assert min(bench.gaps()) >= 9


@cocotb.test()
async def poison(dut):
    """`tuser` in any beat inverts the FCS; the frames around it are good."""
    bench = await Bench(dut).start()
    source = bench.source()
    draw = random.Random(SEED)
    frames, poisoned = [], []
    for length in [*range(1, 80), 200]:
        frame = xgmii.random_frame(draw, length)
        user = [0] * length
        if draw.random() < 0.7:
            beat = draw.randrange(0, length, 8)
            user[beat : beat + 8] = [1] * len(user[beat : beat + 8])
        source.send_nowait(AxiStreamFrame(frame, tuser=user))
        frames.append(frame)
        poisoned.append(any(user))
    await source.wait()
    await cycles(dut, 30)
    got = [bench.sink.recv_nowait() for _ in frames]
    assert bench.sink.empty()
    for peer, frame, bad in zip(got, frames, poisoned):
        want = padded(frame)
        if bad:
            want = want[:-4] + bytes(octet ^ 0xFF for octet in want[-4:])
        assert bytes(peer.get_payload(strip_fcs=False)) == want
    assert bench.events == {
        "sent": poisoned.count(False), "poisoned": poisoned.count(True), "underflow": 0
    }
    assert min(bench.gaps()) >= 9


@cocotb.test()
async def underflow(dut):
    """A source that pauses inside a frame: Error on the line, the rest discarded, the next sent."""
    bench = await Bench(dut).start()
    draw = random.Random(SEED)

    async def beat(word: bytes, last: bool):
        dut.s_axis_tdata.value = int.from_bytes(word, "little")
        dut.s_axis_tkeep.value = (1 << len(word)) - 1
        dut.s_axis_tlast.value = last
        dut.s_axis_tvalid.value = 1
        await RisingEdge(dut.clk)
        while not int(dut.s_axis_tready.value):
            await RisingEdge(dut.clk)
        dut.s_axis_tvalid.value = 0

    async def send(frame: bytes, pause_before: int | None):
        words = [frame[i : i + 8] for i in range(0, len(frame), 8)]
        for i, word in enumerate(words):
            if i == pause_before:
                for _ in range(draw.randrange(1, 5)):
                    await RisingEdge(dut.clk)
            await beat(word, i == len(words) - 1)

    good = []
    for at in [*range(1, 12), 11, 11]:
        for _ in range(2):
            await send(xgmii.random_frame(draw, 95), at)
            good.append(xgmii.random_frame(draw, draw.randrange(60, 100)))
            await send(good[-1], None)
    await cycles(dut, 30)
    seen, _ = xgmii.parse(bench.characters, LIMIT)
    assert [frame.payload for frame in seen if frame.error == "good"] == good
    cut = [frame for frame in seen if frame.error != "good"]
    assert len(cut) == bench.events["underflow"] == 26
    assert {frame.error for frame in cut} == {"coding"}
    assert bench.characters.count((ERROR, True)) == 8 * 26
    assert min(bench.gaps()) >= 9
    # Nothing but Idle between frames.
    between = [c for c, flag in bench.characters if flag]
    assert set(between) == {IDLE, START, TERMINATE, ERROR}


def test_xgmii_tx():
    simulate(__file__, "xgmii_tx")

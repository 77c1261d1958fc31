"""lane_align with frames from both lanes, as close as the line lets them follow each other."""

import random

import cocotb

from harness import SEED, scaled, simulate
from streams import StreamMonitor, beats_of, cycles, drive, start

LATENCY = 1


def nothing(draw: random.Random) -> dict[str, int]:
    """A cycle without a beat: the other signals may say anything."""
    return {"tvalid": 0, "tdata": draw.getrandbits(64), "tkeep": draw.getrandbits(8),
            "tlast": draw.getrandbits(1), "tuser": draw.getrandbits(1), "tstamp": 1 << 40}


@cocotb.test()
async def every_length_and_lane(dut):
    """Frames of 1 to 80 bytes in both lanes: bytes, abort and stamp as they came, a cycle later."""
    streams = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tstamp")
    counter = await start(dut, **{f"s_axis_{name}": 0 for name in streams})
    monitor = StreamMonitor(dut, "m_axis", counter, side=("tuser", "tstamp"))
    draw = random.Random(SEED)
    frames = [
        (draw.randbytes(length), lane, draw.random() < 0.3)
        for length in range(1, 81)
        for lane in (0, 4)
        for _ in range(scaled(8, 2))
    ]
    draw.shuffle(frames)

    beats, begins = [], []
    for stamp, (octets, lane, abort) in enumerate(frames):
        begins.append(counter.next + len(beats))
        beats += beats_of(octets, abort, lane, tstamp=stamp)
        # A word between frames, where the last one's rest needs it.
        rest = lane == 4 and not 1 <= (len(octets) + lane) % 8 <= 4
        beats += [nothing(draw) for _ in range(draw.randrange(int(rest), 4))]
    await drive(dut, "s_axis", beats)
    await cycles(dut, 4)

    assert len(monitor.frames) == len(frames)
    for stamp, (got, begin, (octets, lane, abort)) in enumerate(zip(monitor.frames, begins, frames)):
        assert bytes(got.payload) == octets
        assert got.last["tuser"] == abort
        assert {side["tstamp"] for side in got.side} == {stamp}
        # With the beat that has its word's last byte; the last ones of an upper half go behind it.
        want = [begin + (lane == 4) + i + LATENCY for i in range((len(octets) + 7) // 8)]
        assert got.cycles == want


def test_lane_align():
    simulate(__file__, "lane_align")

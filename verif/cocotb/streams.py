"""Monitors of streams, one sample per clock cycle."""

from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time

PERIOD_PS = 6400


@dataclass
class Frame:
    """A frame seen on a stream. `cycles` holds the cycle of each beat."""

    payload: bytearray = field(default_factory=bytearray)
    lane: int = 0  # of its first byte
    cycles: list[int] = field(default_factory=list)
    side: list[dict[str, int]] = field(default_factory=list)
    last_keep: int = 0

    @property
    def last(self) -> dict[str, int]:
        return self.side[-1]


class StreamMonitor:
    """Collects the frames of a stream and checks the rules every stream here keeps.

    All beats but the last are whole; the last has its bytes in the low lanes; with `empty_end`, it
    may have none. With `line_lanes`, a frame's first byte may be in lane 4. `side` names sideband signals to sample in each beat. With `clean`, lanes without
    a byte are zero.
    """

    def __init__(self, dut, prefix: str, counter, side=(), ready=False, empty_end=False,
                 clean=False, line_lanes=False):
        self.dut, self.prefix, self.counter = dut, prefix, counter
        self.clean, self.line_lanes = clean, line_lanes
        self.side, self.ready, self.empty_end = side, ready, empty_end
        self.frames: list[Frame] = []
        self.current = Frame()
        self.task = cocotb.start_soon(self._run())

    async def _run(self):
        def signal(name):
            return getattr(self.dut, f"{self.prefix}_{name}")

        tdata, tkeep, tvalid, tlast = (signal(n) for n in ("tdata", "tkeep", "tvalid", "tlast"))
        tready = signal("tready") if self.ready else None
        sides = {name: signal(name) for name in self.side}
        while True:
            await RisingEdge(self.dut.clk)
            if not int(tvalid.value) or (tready is not None and not int(tready.value)):
                continue
            keep, last = int(tkeep.value), int(tlast.value)
            octets = int(tdata.value)
            frame, width = self.current, 8
            if self.line_lanes and not frame.cycles and not keep & 0xF:
                frame.lane, width = 4, 4
                octets, keep = octets >> 32, keep >> 4
            count = keep.bit_count()
            assert keep == (1 << count) - 1, f"tkeep {keep:08b} is not from the first lane on"
            if last:
                assert count > 0 or self.empty_end, "a last beat without bytes"
            else:
                assert count == width, f"tkeep {keep:08b} in a beat that is not the last"
            if self.clean:
                assert octets >> 8 * count == 0, "a lane without a byte is not zero"
            frame.payload += octets.to_bytes(8, "little")[:count]
            frame.cycles.append(self.counter.cycle)
            frame.side.append({name: int(value.value) for name, value in sides.items()})
            if last:
                frame.last_keep = keep
                self.frames.append(frame)
                self.current = Frame()


class Cycles:
    """Numbers the rising edges of the clock by their time: the edge at which a value is sampled."""

    @property
    def cycle(self) -> int:
        return int(get_sim_time("ps")) // PERIOD_PS

    @property
    def next(self) -> int:
        """The edge at which the design takes over what is set now."""
        return self.cycle + 1


async def start(dut, **inputs: int) -> Cycles:
    """Starts the clock, sets inputs and resets; returns the cycle counter."""
    for name, value in inputs.items():
        getattr(dut, name).value = value
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, PERIOD_PS, unit="ps").start())
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    return Cycles()


async def cycles(dut, count: int) -> None:
    for _ in range(count):
        await RisingEdge(dut.clk)


async def drive(dut, prefix: str, beats: list[dict[str, int] | None]) -> None:
    """Puts one beat (or none) on a stream that cannot be held back, in each cycle."""
    valid = getattr(dut, f"{prefix}_tvalid")
    for beat in beats:
        valid.value = beat is not None
        for name, value in (beat or {}).items():
            getattr(dut, f"{prefix}_{name}").value = value
        await RisingEdge(dut.clk)
    valid.value = 0


async def read_at(dut, draw, rate) -> None:
    """Takes what `m_axis` offers in a share `rate()` of all cycles."""
    while True:
        dut.m_axis_tready.value = draw.random() < rate()
        await RisingEdge(dut.clk)


def beats_of(frame: bytes, abort: bool = False, lane: int = 0, **side: int) -> list[dict[str, int]]:
    """The beats of a frame, from `lane` on; `abort` is told with the last."""
    lanes = bytes(lane) + frame
    starts = range(0, len(lanes), 8)
    return [
        {
            "tdata": int.from_bytes(lanes[at : at + 8], "little"),
            "tkeep": (1 << len(lanes[at : at + 8])) - (1 << lane if at == 0 else 1),
            "tlast": at == starts[-1],
            "tuser": abort and at == starts[-1],
            **side,
        }
        for at in starts
    ]

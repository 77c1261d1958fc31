"""Lists the longest paths of a block behind routing: what to shorten next.

    paths.py BLOCK              of a placement that run.py made, by the delays that it left
    paths.py BLOCK --seed 3     of another seed
    paths.py BLOCK --reckoned   as refine reckons them, before they are routed

nextpnr tells of the longest path only. This walks all of them, wire by wire and cell by cell, by the
delays that nextpnr writes (SDF, the slowest corner), and shows one end for each register, whatever its
width: by the first path alone one would mend one place after the other. estimate.py says something
within a minute, but what is early there may be late here, and the other way round: where wires are
short depends on what else there is.
"""

import argparse
import re
import sys
from pathlib import Path

from run import BAR_MHZ, SEEDS, blocks, key_of, work_of
from sdf import Delays

LONG = (1000 / BAR_MHZ, 7.0, 7.5, 8.0, 9.0)  # nanoseconds that ends are counted above


def register(pin: str) -> str:
    """What yosys calls a register's bits is their register's name."""
    return re.sub(r"_TRELLIS_FF_Q(_\d+)?(?=/)", "", pin)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("block", help="of blocks.toml")
    parser.add_argument("--seed", type=int, default=SEEDS[0], help="of nextpnr: that begun from")
    parser.add_argument("--reckoned", action="store_true", help="of a block with `refine`: before routing")
    parser.add_argument("--ends", type=int, default=25, help="how many ends to list")
    parser.add_argument("--paths", type=int, default=1, help="how many of their paths to show")
    parser.add_argument("--to", default="", help="only ends whose name this regular expression is in")
    arguments = parser.parse_args()
    block = blocks().get(arguments.block)
    if not block:
        parser.error(f"no such block: {arguments.block}")
    what = "reckoned" if arguments.reckoned else "delays"
    sdf = work_of(block, key_of(block)) / f"{what}-{arguments.seed}.sdf"
    if not sdf.exists():
        parser.error(f"not placed here yet: run.py --force {arguments.block} --seeds {(arguments.seed - 1) % len(SEEDS) + 1}")

    delays = Delays(sdf)
    ends = sorted(((delays.arrival(pin) + setup, pin) for pin, setup in delays.ends.items()), reverse=True)
    print(", ".join(f"{sum(time > 1000 * long for time, _ in ends)} above {long} ns" for long in LONG))
    seen = set()
    for time, end in ends:
        name = register(end)
        if name in seen or not re.search(arguments.to, name):
            continue
        pins = delays.path(end)
        cells = len({pin.rsplit("/", 1)[0] for pin in pins}) - 2
        print(f"{time / 1000:6.2f} ns to {name} from {register(pins[0])}, {cells} cells")
        for before, pin in zip(pins, pins[1:]) if len(seen) < arguments.paths else []:
            if pin in delays.loads[before]:
                wire, loads = delays.time[pin] - delays.time[before], len(delays.loads[before])
                print(f"        {delays.time[pin] / 1000:6.2f}  wire {wire / 1000:5.2f}  {loads:4d} loads  {before}")
        seen.add(name)
        if len(seen) >= arguments.ends:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())

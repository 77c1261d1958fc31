"""Makes each condition of a block wrong once, and lists what the block's bench does not notice.

    conditions.py TOP BENCH [MODULE…] [--cases N] [--first N] [--seconds S] [--jobs J]
                  [--again | --survivors]

TOP is what BENCH, one of crates/cosim/examples, plays (`make rtl-conditions-engine` and so on know both).
All faults of the modules named, of all that TOP has in it without, are in one verilated model, which is
told by SAKER_FAULT which one is on: a build, and as many runs as faults. Faults are those of `switched`: a
term of an `&&` or `||` that counts for nothing, an `if` or a choice that always goes one way.

Not each one can be noticed: a term may follow from what stands beside it. What survives is to be read by
somebody who knows the block. A run that takes S seconds hangs, which is noticed, too. Results are kept in
verif/build/conditions, and a run that was stopped goes on from there (`--again`: from the beginning;
`--survivors`: with those, too, that the bench did not notice then).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "build" / "conditions"
COPY = FOLDER / "rtl"
# How `timeout` says so.
TIMED_OUT = -9
# What is built is the copy: `sources` has to know of it when it is loaded.
os.environ["SAKER_RTL"] = str(COPY)

import model  # noqa: E402
from sources import ROOT, forget  # noqa: E402
from switched import PACKAGE, Fault, switched  # noqa: E402
from tools import environment  # noqa: E402


def prepare(top: str, modules: list[str]) -> list[Fault]:
    """The copy with each fault in it, and a model of that."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", COPY)
    parts = {path.stem: path for path in model.top_sources(top) if not path.stem.endswith("_pkg")}
    if unknown := set(modules) - parts.keys():
        raise SystemExit(f"not in {top}: {', '.join(sorted(unknown))}")
    faults: list[Fault] = []
    for name, path in parts.items():
        # A bench's own top stands outside the copy.
        if (not modules or name in modules) and path.is_relative_to(COPY):
            text, more = switched(name, path.read_text(), len(faults) + 1)
            path.write_text(text)
            faults += more
    (COPY / "lib" / "fault_pkg.sv").write_text(PACKAGE)
    os.environ["PATH"] = environment()["PATH"]
    forget()
    parameters = model.PARAMETERS.get(top, {})
    model.build(top, parameters, FOLDER / "model", [model.SHIM / "fault.cpp"])
    return faults


def play(bench: list[str], number: int, seconds: float) -> str:
    """What becomes of a bench with this fault."""
    env = dict(os.environ, SAKER_FAULT=str(number), SAKER_RTL_MODELS=str(FOLDER / "model"))
    # Ends by itself also where this script does not live to end it.
    limited = ["timeout", "--signal=KILL", str(seconds), *bench]
    run = subprocess.Popen(
        limited, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert run.stdout
    if any("differs" in line for line in run.stdout):
        # `timeout` passes it on.
        run.terminate()
    return {0: "survived", TIMED_OUT: "hung"}.get(run.wait(), "noticed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("top")
    parser.add_argument("bench", type=Path)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once")
    anew = parser.add_mutually_exclusive_group()
    anew.add_argument("--again", action="store_true", help="forget the results there are")
    anew.add_argument("--survivors", action="store_true", help="forget those that survived")
    args = parser.parse_args()
    faults = prepare(args.top, args.modules)
    bench = [str(args.bench), str(args.cases), str(args.first)]
    if (without := play(bench, 0, 10 * args.seconds)) != "survived":
        raise SystemExit(f"without a fault the bench has {without}")
    kept = FOLDER / f"{args.top}.json"
    found = {} if args.again or not kept.exists() else json.loads(kept.read_text())
    if args.survivors:
        found = {key: outcome for key, outcome in found.items() if outcome != "survived"}
    left = [(at, fault) for at, fault in enumerate(faults, 1) if fault.key not in found]
    pool = ThreadPoolExecutor(args.jobs)
    runs = [pool.submit(play, bench, at, args.seconds) for at, _ in left]
    try:
        for done, ((_, fault), run) in enumerate(zip(left, runs, strict=True), 1):
            found[fault.key] = run.result()
            kept.write_text(json.dumps(found, indent=1))
            if found[fault.key] == "survived":
                print(f"survived: {fault}", flush=True)
            if done % 100 == 0:
                print(f"{done} of {len(left)}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    outcomes = Counter(found[fault.key] for fault in faults)
    print(", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())

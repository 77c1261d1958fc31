"""What every acceptance test shares: the built program and other people's data."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAKER = pathlib.Path(os.environ.get("SAKER", ROOT / "target" / "release" / "saker"))


def run(*args, check=True, **kwargs):
    """Run `saker` and return the finished process, its output as bytes."""
    done = subprocess.run([SAKER, *map(str, args)], capture_output=True, timeout=300, **kwargs)
    if check:
        assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done


@pytest.fixture(scope="session")
def saker():
    assert SAKER.exists(), f"{SAKER} is missing: run `make build`"
    return run


@pytest.fixture(scope="session")
def data():
    """The folder of captures, or a skip that says why."""
    folder = os.environ.get("SAKER_DATA") or ROOT.parent / "shared" / "data"
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        pytest.skip("SAKER_DATA names no folder of captures")
    return folder


@pytest.fixture(scope="session")
def moex(data):
    return ["--templates", data / "moex" / "test.xml", "--preamble", "4", "--reset", "message"]


@pytest.fixture(scope="session")
def demo(saker, tmp_path_factory):
    """One short demo run: its folder and its report."""
    out = tmp_path_factory.mktemp("demo")
    saker("demo", "--seed", "7", "--seconds", "2", "--out", out)
    return out

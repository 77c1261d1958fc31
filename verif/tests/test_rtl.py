"""`--engine rtl`: the logic in simulation does what the software does. Skipped where `make rtl-model`
has not been run."""

import json

import pytest

from conftest import ROOT

MODEL = ROOT / "verif" / "build" / "model" / "trader_top" / "libsaker_trader_top.so"


@pytest.fixture(autouse=True)
def model():
    if not MODEL.exists():
        pytest.skip(f"{MODEL} is missing: run `make rtl-model`")


def test_the_capture_fires_the_same_frames(saker, data, moex):
    capture = data / "moex" / "data.dat"
    stops = ROOT / "examples" / "strategies" / "moex-stops.toml"
    args = ["replay", capture, *moex, "--strategy", stops, "--json"]
    software = json.loads(saker(*args).stdout)
    logic = json.loads(saker(*args, "--engine", "rtl").stdout)
    assert software["run"]["engine"] == "software" and logic["run"]["engine"] == "rtl"
    what = lambda fire: (fire["strategy"], fire["message"], fire["entry"], fire["frame"])
    assert [what(fire) for fire in logic["fires"]] == [what(fire) for fire in software["fires"]]
    assert logic["logic"]["messages_compared"] == software["input"]["messages"]
    assert logic["logic"]["orders_compared"] == len(software["fires"]) > 0
    assert all(fire["service_ns"] < 5_000 for fire in logic["fires"])


def test_the_demo_in_lockstep(saker, tmp_path):
    done = saker("demo", "--engine", "rtl", "--seed", "5", "--seconds", "1", "--out", tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    assert all(report["invariants"].values())
    assert report["logic"]["orders_compared"] == report["orders"]["sent"] > 0
    assert b"logic and model agree" in done.stderr

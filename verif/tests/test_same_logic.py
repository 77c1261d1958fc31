"""`verif/synth/same_logic.py` tells packed netlists apart that do not do the same."""

import copy
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "synth"))

from same_logic import differences  # noqa: E402


def cell(kind, inputs, outputs, **parameters):
    ways = {port: [bit] for port, bit in (inputs | outputs).items()}
    directions = {port: "input" for port in inputs} | {port: "output" for port in outputs}
    return {"type": kind, "parameters": parameters, "connections": ways, "port_directions": directions}


def carry(table, inputs, **outputs):
    return cell("TRELLIS_COMB", inputs, outputs, MODE="CCU2", CCU2_INJECT1="NO", INITVAL=f"{table:016b}")


# Two registers, their sum's two lowest bits, and a register behind each; one more by way of a wide LUT.
SUM = 0b0110_0110_1010_1010
CELLS = {
    "a": cell("TRELLIS_FF", {"DI": 9}, {"Q": 1}),
    "b": cell("TRELLIS_FF", {"DI": 9}, {"Q": 2}),
    "low": carry(SUM, {"A": 1, "B": 2}, F=3, FCO=4),
    "high": carry(SUM, {"A": 2, "B": 1, "FCI": 4}, F=5),
    "lut": cell("TRELLIS_COMB", {"A": 1, "B": 2}, {"F": 6}, INITVAL="1000" * 4),
    "mux": cell("TRELLIS_COMB", {"A": 5, "F1": 6, "M": 2}, {"OFX": 7}, INITVAL="01" * 8),
    "c": cell("TRELLIS_FF", {"DI": 3}, {"Q": 10}),
    "d": cell("TRELLIS_FF", {"DI": 5}, {"Q": 11}),
    "e": cell("TRELLIS_FF", {"M": 7}, {"Q": 12}),
}


@pytest.fixture
def compared(tmp_path):
    def compare(cells):
        for name, what in (("before", CELLS), ("after", cells)):
            (tmp_path / name).write_text(json.dumps({"modules": {"top": {"cells": what, "netnames": {}}}}))
        return differences(tmp_path / "before", tmp_path / "after")

    return compare


def test_operands_by_other_pins_are_the_same(compared):
    cells = copy.deepcopy(CELLS)
    # With C at 1: A or D but not both; with C and D at 0, A.
    cells["low"] = carry(0b0101_0101_1010_1010, {"A": 1, "D": 2}, F=3, FCO=4)
    assert compared(cells) == []
    cells["low"] = carry(0b0101_0101_1010_0101, {"A": 1, "D": 2}, F=3, FCO=4)
    assert compared(cells) == ["d/DI", "e/M"], "another carry"
    cells["low"] = carry(0b1010_1010_1010_1010, {"A": 1, "D": 2}, F=3, FCO=4)
    assert "c/DI" in compared(cells)


def test_a_second_cell_is_the_same_if_its_inputs_are(compared):
    cells = copy.deepcopy(CELLS)
    cells["a$copy20"] = cell("TRELLIS_FF", {"DI": 9}, {"Q": 20})
    cells["lut$copy21"] = copy.deepcopy(CELLS["lut"])
    cells["lut$copy21"]["connections"] |= {"A": [20], "F": [21]}
    cells["mux"]["connections"]["F1"] = [21]
    assert compared(cells) == []
    cells["lut$copy21"]["connections"]["A"] = [2]
    assert compared(cells) == ["e/M"]


def test_what_is_gone_is_told(compared):
    cells = copy.deepcopy(CELLS)
    del cells["d"]
    assert compared(cells) == ["d/DI"]

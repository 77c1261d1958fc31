"""Whether a packed netlist does the same as another that it was made from.

    same_logic.py BEFORE.json AFTER.json

verif/synth/refine gives cells a second one and leads operands of carries to other pins. This knows nothing of
how: registers, memories and pads are cut, what comes out of them is drawn at random (alike for a cell and its
second ones), and what goes into each must be the same, for `PATTERNS` draws at once, as the bits of one number.
"""

import json
import random
import re
import sys
from pathlib import Path

PATTERNS = 1024
ALL = (1 << PATTERNS) - 1
LETTERS = "ABCD"


def original(name: str) -> str:
    return re.sub(r"\$copy\d+", "", name)


def mode(cell: dict) -> str:
    return cell["parameters"].get("MODE", "").strip()


def is_logic(cell: dict) -> bool:
    return cell["type"] == "TRELLIS_COMB" and mode(cell) in ("", "LOGIC", "CCU2")


def is_six(cell: dict) -> bool:
    """Whether it is a multiplexer of multiplexers."""
    return any(cell["connections"].get(port) for port in ("FXA", "FXB"))


def drawn(name: str) -> int:
    return random.Random(name).getrandbits(PATTERNS)


class Netlist:
    """Values of nets, by their bit."""

    def __init__(self, path: Path):
        (module,) = json.loads(path.read_text())["modules"].values()
        self.cells = module["cells"]
        self.value, self.driver = {}, {}
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                if bits and cell["port_directions"][port] == "output":
                    self.driver[bits[0]] = (name, port)
                    if not is_logic(cell):
                        self.value[bits[0]] = drawn(f"{original(name)}/{port}")

    def inputs(self, cell: dict, output: str) -> list[int]:
        """What an output of a LUT depends on: one beside it may be in front of its multiplexer."""
        if output == "OFX":
            ports = ("M", "FXA", "FXB") if is_six(cell) else (*LETTERS, "M", "F1")
        else:
            ports = (*LETTERS, "FCI")
        return [bits[0] for port in ports if (bits := cell["connections"].get(port))]

    def of(self, bit: int) -> int:
        """What a net has; of what nothing drives, nothing is known, but it is the same everywhere."""
        stack = [bit]
        while stack:
            at = stack[-1]
            if at not in self.value and at not in self.driver:
                self.value[at] = drawn(f"net {at}")
            if at not in self.value:
                name, port = self.driver[at]
                cell = self.cells[name]
                if waiting := [b for b in self.inputs(cell, port) if b not in self.value]:
                    stack += waiting
                    continue
                self.value[at] = self.output(cell, port)
            stack.pop()
        return self.value[bit]

    def output(self, cell: dict, port: str) -> int:
        """Of a LUT with what stands behind it; what is connected to nothing is 1."""

        def pin(letter: str) -> int:
            bits = cell["connections"].get(letter)
            return self.value[bits[0]] if bits else ALL

        def chosen(by: int, one: int, zero: int) -> int:
            return by & one | ~by & zero & ALL

        if port == "OFX" and is_six(cell):
            return chosen(pin("M"), pin("FXB"), pin("FXA"))

        def told_by(letters: str) -> int:
            """By the table's lowest rows, as many as these inputs choose among."""
            rows = [ALL * (table >> index & 1) for index in range(2 ** len(letters))]
            for letter in letters:
                rows = [chosen(pin(letter), one, zero) for zero, one in zip(rows[::2], rows[1::2])]
            return rows[0]

        table = int(cell["parameters"]["INITVAL"], 2)
        lut = told_by(LETTERS)
        if port == "OFX":
            return chosen(pin("M"), pin("F1"), lut)
        if mode(cell) != "CCU2":
            return lut
        injects = cell["parameters"].get("CCU2_INJECT1") == "YES"
        if port == "F":
            return lut ^ (0 if injects else pin("FCI"))
        # Where the carry does not pass, the table's lowest four bits say what goes on, by A and B.
        return chosen(lut, pin("FCI"), 0 if injects else told_by(LETTERS[:2]))

    def ends(self) -> dict[tuple[str, str], int]:
        """What goes into registers, memories and pads, by their name and port."""
        return {
            (name, port): self.of(bits[0])
            for name, cell in self.cells.items()
            if not is_logic(cell)
            for port, bits in cell["connections"].items()
            if bits and cell["port_directions"][port] != "output"
        }


def differences(before: Path, after: Path) -> list[str]:
    """Inputs of registers, memories and pads that are another than before, or not there."""
    old, new = Netlist(before).ends(), Netlist(after).ends()
    wrong = [pin for pin, value in new.items() if old.get((original(pin[0]), pin[1])) != value]
    return ["/".join(pin) for pin in wrong + [pin for pin in old if pin not in new]]


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wrong = differences(Path(sys.argv[1]), Path(sys.argv[2]))
    for pin in wrong[:20]:
        print(f"{pin}: another value", file=sys.stderr)
    print(f"{len(wrong)} differences")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

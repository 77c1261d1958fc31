"""Emits rtl/net/crc32_pkg.sv: the Ethernet CRC-32 as XOR masks.

A CRC step is linear over GF(2), so every new state bit is the parity of some old state bits and
some data bits. The masks say which. They are constants because a generic LFSR function does not
elaborate in reasonable time in yosys. Conventions are those of IEEE 802.3 clause 3.2.9 in their
reflected form: bytes and bits least significant first, the state starts as all ones, and the FCS is
the complement of the final state.

`--check` compares the file with what would be written, and the masks with zlib.
"""

import argparse
import random
import sys
import zlib
from pathlib import Path

OUTPUT = Path(__file__).resolve().parents[2] / "rtl" / "net" / "crc32_pkg.sv"
POLYNOMIAL = 0xEDB88320
RESIDUE = 0xDEBB20E3
ONES = 0xFFFFFFFF
PREAMBLE_END = 0xD5555555  # the last four octets of preamble and SFD, first octet lowest


def step(state: int, data: bytes) -> int:
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (POLYNOMIAL if state & 1 else 0)
    return state


def columns(count: int) -> list[int]:
    """The new state for each single set bit of {data, state}, `count` bytes of data."""
    result = [step(1 << bit, bytes(count)) for bit in range(32)]
    for bit in range(8 * count):
        result.append(step(0, (1 << bit).to_bytes(count, "little")))
    return result


def masks(count: int) -> list[int]:
    """For each new state bit, the bits of {data, state} whose parity it is."""
    cols = columns(count)
    return [sum(1 << j for j, col in enumerate(cols) if col >> i & 1) for i in range(32)]


def unstep(state: int, count: int) -> int:
    """The state that becomes `state` after `count` zero bytes."""
    for _ in range(8 * count):
        state = ((state ^ POLYNOMIAL) << 1 | 1) if state >> 31 else state << 1
    return state


def emit() -> str:
    lines = [
        "// CRC-32 of IEEE 802.3 as XOR masks, emitted by verif/rtl/gen_crc32.py. Do not edit.",
        "package crc32_pkg;",
        "",
        "  // CRC32_STEP[n][i]: which bits of {8 data bytes, state} make bit i of the state after n",
        "  // bytes. Data bytes from n on take no part.",
        "  localparam logic [8:1][31:0][95:0] CRC32_STEP = {",
    ]
    for count in range(8, 0, -1):
        rows = [f"      96'h{mask:024x}" for mask in reversed(masks(count))]
        lines.append(f"    // {count} bytes, bit 31 first")
        lines.append("    {\n" + ",\n".join(rows) + "\n    }" + ("," if count > 1 else ""))
    lines += [
        "  };",
        "",
        "  // The state before the first byte of a frame.",
        f"  localparam logic [31:0] CRC32_INIT = 32'h{ONES:08x};",
        "  // The same for a frame that starts in lane 4: chosen so that the word made of the last",
        "  // four preamble octets and the first four bytes leads to the right state.",
        "  localparam logic [31:0] CRC32_INIT_LANE4 = "
        f"32'h{unstep(ONES, 4) ^ PREAMBLE_END:08x};",
        "  // CRC32_ENDS[n]: with n bytes of the frame to go, the frame is good if these bytes XORed",
        "  // into the low bytes of the state make this value.",
        "  localparam logic [4:0][31:0] CRC32_ENDS = {",
        ",\n".join(f"    32'h{unstep(RESIDUE, n):08x}" for n in range(4, -1, -1)),
        "  };",
        "  // CRC32_AFTER[n]: the state after a whole word of which n bytes ended a good frame and the",
        "  // rest was Terminate and Idle.",
        "  localparam logic [7:5][31:0] CRC32_AFTER = {",
        ",\n".join(
            f"    32'h{step(RESIDUE, bytes([0xFD] + [0x07] * (7 - n))):08x}" for n in (7, 6, 5)
        ),
        "  };",
        "",
        "  // The state after the bytes that `mask` is for, lowest byte first. The state goes into the",
        "  // first four bytes as they do themselves: one gate for both, and sums of 64 bits instead of",
        "  // 96. With fewer than four bytes the rest of the state only moves.",
        "  function automatic logic [31:0] crc32_step(input logic [31:0][95:0] mask,",
        "                                             input logic [31:0] state,",
        "                                             input logic [63:0] data);",
        "    logic [63:0] mixed;",
        "    mixed = {data[63:32], data[31:0] ^ state};",
        "    for (int i = 0; i < 32; i++) begin",
        "      crc32_step[i] = ^(mask[i][95:32] & mixed) ^",
        "          ^((mask[i][31:0] ^ mask[i][63:32]) & state);",
        "    end",
        "  endfunction",
        "",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def verify() -> None:
    """Checks the masks and constants against zlib."""
    draw = random.Random(1)
    for _ in range(200):
        data = draw.randbytes(draw.randrange(8, 80))
        fcs = zlib.crc32(data).to_bytes(4, "little")
        assert step(ONES, data + fcs) == RESIDUE
        state, rest = ONES, data
        while rest:
            count = min(8, len(rest))
            bits = int.from_bytes(rest[:count], "little") << 32 | state
            state = sum(((m & bits).bit_count() & 1) << i for i, m in enumerate(masks(count)))
            rest = rest[count:]
        assert state ^ ONES == zlib.crc32(data)
        word = bytes.fromhex("555555d5") + data[:4]
        assert step(unstep(ONES, 4) ^ PREAMBLE_END, word) == step(ONES, data[:4])
        for left in range(5):
            frame = data + fcs
            before = step(ONES, frame[: len(frame) - left])
            tail = int.from_bytes(frame[len(frame) - left :], "little")
            assert before ^ tail == unstep(RESIDUE, left)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    text = emit()
    if parser.parse_args().check:
        verify()
        if OUTPUT.read_text() != text:
            print(f"{OUTPUT} is not what gen_crc32.py emits", file=sys.stderr)
            return 1
        return 0
    OUTPUT.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

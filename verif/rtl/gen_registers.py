"""Emits what follows from rtl/top/trader.rdl: RTL, counter numbers, Rust constants, documentation.

Without arguments it writes the files; `--check` fails if one of them is not what it would write.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened

from registers import Group, Register, group, groups, root
from sources import ROOT

TOP = ROOT / "rtl" / "top"
RUST = ROOT / "crates" / "cosim" / "src" / "registers.rs"
DOCS = ROOT / "docs" / "REGISTERS.md"
NOTE = "emitted by verif/rtl/gen_registers.py from rtl/top/trader.rdl"


class Bus(AXI4Lite_Cpuif_flattened):
    """AXI4-Lite with one transaction at a time, for speed: decoding begins at registers."""

    template_path = "axil_registers.sv.jinja"


# One transaction at a time: a request never finds another under way, and its address is constant
# until its answer has been taken. So there is a register behind the decoder: what is chosen is known a
# cycle before it is written or read. Registers that can be read are below 0x400, 16 words to a row.
SHORTER = (
    (
        r"assign cpuif_req_masked = cpuif_req\s+& !\(!cpuif_req_is_wr & cpuif_req_stall_rd\)"
        r"\s+& !\(cpuif_req_is_wr & cpuif_req_stall_wr\);",
        "assign cpuif_req_masked = cpuif_req & ~rst;",
    ),
    (
        r"decoded_reg_strb_t decoded_reg_strb;",
        "decoded_reg_strb_t decode, decoded_reg_strb;\n    logic decode_err, decode_external;",
    ),
    (r"decoded_err = ~is_valid_addr & decoded_req;", "decode_err = ~is_valid_addr & cpuif_req_masked;"),
    (r"decoded_req_is_external = is_external;", "decode_external = is_external;"),
    (
        r"assign decoded_req = cpuif_req_masked;",
        "always_ff @(posedge clk) begin\n"
        "        decoded_reg_strb <= decode;\n"
        "        decoded_err <= decode_err;\n"
        "        decoded_req_is_external <= decode_external;\n"
        "        decoded_req <= cpuif_req_masked;\n"
        "    end",
    ),
    (r"assign rd_mux_addr = [^;]*;", "assign rd_mux_addr = cpuif_addr;"),
    (
        r"function automatic bit \[8:0\] ad_low\((.*)\);\n(\s+)return addr\[8:0\];",
        r"function automatic bit [5:0] ad_low(\1);\n\2return addr[5:0];",
    ),
    (
        r"function automatic bit \[6:0\] ad_hi\((.*)\);\n(\s+)return addr\[15:9\];",
        r"function automatic bit [3:0] ad_hi(\1);\n\2return addr[9:6];",
    ),
    (r"logic \[31:0\] readback_data_rt_c\[128\];", "logic [31:0] readback_data_rt_c[16];"),
    (r"logic \[31:0\] readback_data_rt\[128\];", "logic [31:0] readback_data_rt[16];"),
    (r"logic \[31:0\] readback_data_var\[128\];", "logic [31:0] readback_data_var[16];"),
    (r"i<128; i\+\+\) readback_data_var", "i<16; i++) readback_data_var"),
    (r"i<128; i\+\+\) readback_data_rt", "i<16; i++) readback_data_rt"),
    (
        r"readback_data = readback_data_rt\[readback_addr_rt\[15:9\]\];",
        "readback_data = readback_data_rt[readback_addr_rt[9:6]] & {32{readback_addr_rt[15:10] == '0}};",
    ),
)


# Whether an address is in a block outside: its first address, and the last as a distance from it.
RANGE = re.compile(r"\((\w+) >= 16'h([0-9a-f]+)\) (?:&&|&) \(\1 <= 16'h\2 \+ 16'h([0-9a-f]+)\)")


def prefixes(found: re.Match[str]) -> str:
    """A range as its aligned parts, each by the bits that all its addresses share: equality takes a
    gate or two where two comparisons take a chain of carries each."""
    address, at, end = found[1], int(found[2], 16), int(found[2], 16) + int(found[3], 16) + 1
    parts = []
    while at < end:
        bits = (end - at).bit_length() - 1
        if at % (1 << bits):
            raise ValueError(f"{found[0]} begins where no power of two does")
        parts.append(f"{address}[15:{bits}] == {16 - bits}'h{at >> bits:x}")
        at += 1 << bits
    return f"({' || '.join(parts)})"


def shortened(text: str) -> str:
    """What regblock emits, without what this bus never needs: the paths to what is read are shorter."""
    text = RANGE.sub(prefixes, text)
    if left := re.search(r".* >= 16'h.*", text):
        raise ValueError(f"a range of another form: {left[0]}")
    text = re.sub(r"\bdecoded_reg_strb(\.[^;=]* = cpuif_req_masked)", r"decode\1", text)
    for old, new in SHORTER:
        text, times = re.subn(old, new, text)
        if times != 1:
            raise ValueError(f"{old!r} is {times} times in what regblock emits")
    beyond = [at for at in re.findall(r"ad_hi\(16'h([0-9a-f]+)", text) if int(at, 16) >= 0x400]
    if beyond:
        raise ValueError(f"registers to be read from 0x400 on: {beyond}")
    return text


def rtl() -> dict[Path, str]:
    """The register block, by peakrdl-regblock."""
    with tempfile.TemporaryDirectory() as folder:
        RegblockExporter().export(
            root(),
            folder,
            cpuif_cls=Bus,
            module_name="trader_regs",
            package_name="trader_regs_pkg",
            retime_read_fanin=True,
            retime_read_response=True,
            err_if_bad_addr=True,
        )
        texts = {path.name: path.read_text() for path in sorted(Path(folder).glob("*.sv"))}
    texts["trader_regs.sv"] = shortened(texts["trader_regs.sv"])
    return {TOP / name: f"// {NOTE}\n{text}" for name, text in texts.items()}


def counter_numbers() -> dict[Path, str]:
    """The counters' places in the vector of pulses."""
    counters = group("counters").registers
    lines = [
        f"// {NOTE}",
        "// Places of the counters in the vector of their pulses.",
        "package trader_counters_pkg;",
        f"  localparam int unsigned COUNTERS = {len(counters)};",
    ]
    lines += [
        f"  localparam int unsigned {one.name.upper()} = {one.address // 8 - counters[0].address // 8};"
        for one in counters
    ]
    lines += ["endpackage", ""]
    return {TOP / "trader_counters_pkg.sv": "\n".join(lines)}


def rust_doc(text: str, indent: str) -> list[str]:
    """A doc comment, wrapped."""
    lines, line = [], ""
    for word in (text or "").split():
        if len(indent) + 4 + len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [f"{indent}/// {one}" for one in [*lines, line] if one]


def rust_register(one: Register, indent: str) -> list[str]:
    name = one.name.upper()
    width = " 64 bits: the low half is at this address, the high half behind it." if one.bits == 64 else ""
    lines = rust_doc((one.text or f"`{one.name}`.") + width, indent)
    lines.append(f"{indent}pub const {name}: u32 = {one.address:#06x};")
    if one.count > 1:
        lines += rust_doc(f"How many of [`{name}`] there are.", indent)
        lines.append(f"{indent}pub const {name}_COUNT: u32 = {one.count};")
        lines += rust_doc(f"From one [`{name}`] to the next, in bytes.", indent)
        lines.append(f"{indent}pub const {name}_STRIDE: u32 = {one.stride};")
    kind = f"u{one.bits}"
    for part in one.fields:
        if part.width == one.bits and len(one.fields) == 1:
            continue
        field = f"{name}_{part.name.upper()}"
        lines += rust_doc(f"Mask, in place. {part.text}", indent)
        lines.append(f"{indent}pub const {field}_MASK: {kind} = {part.mask:#x};")
        lines += rust_doc("Its lowest bit.", indent)
        lines.append(f"{indent}pub const {field}_SHIFT: u32 = {part.low};")
    return lines


def rust_group(one: Group) -> list[str]:
    """A module for a register file; in an array of them, addresses are those of the first."""
    lines = rust_doc(one.text, "")
    lines.append(f"pub mod {one.name} {{")
    if one.count > 1:
        lines += rust_doc("How many of these there are; addresses are those of the first.", "    ")
        lines.append(f"    pub const COUNT: u32 = {one.count};")
        lines += rust_doc("From one to the next, in bytes.", "    ")
        lines.append(f"    pub const STRIDE: u32 = {one.stride};")
    for register in one.registers:
        lines += rust_register(register, "    ")
    if one.name == "counters":
        lines += rust_doc("Every counter's name and address.", "    ")
        lines.append(f"    pub const ALL: [(&str, u32); {len(one.registers)}] = [")
        lines += [f'        ("{r.name}", {r.name.upper()}),' for r in one.registers]
        lines.append("    ];")
    return [*lines, "}"]


def rust() -> dict[Path, str]:
    lines = [
        "//! Registers of the trader in logic: addresses in bytes, field masks and shifts.",
        "//!",
        f"//! This file is {NOTE};",
        "//! `docs/REGISTERS.md` is the same for readers.",
        "",
    ]
    lines += "\n\n".join("\n".join(rust_group(one)) for one in groups()).split("\n")
    return {RUST: "\n".join(lines) + "\n"}


def bits(low: int, width: int) -> str:
    return f"{low + width - 1}:{low}" if width > 1 else f"{low}"


def documentation() -> dict[Path, str]:
    lines = [
        "# Registers of the trader in logic",
        "",
        f"This page is {NOTE}; change that file and run",
        "`verif/.venv-rtl/bin/python verif/rtl/gen_registers.py`. The same in Rust:",
        "`crates/cosim/src/registers.rs`.",
        "",
        "32-bit words behind AXI4-Lite, 64 KiB of byte addresses; an address without a register answers",
        "SLVERR. Registers of 64 bits are two words, the low half first. `name[n]` at an address is an",
        "array, *stride* bytes apart.",
        "",
    ]
    for one in groups():
        title = one.name if one.count == 1 else f"{one.name}[{one.count}]"
        apart = "" if one.count == 1 else f", stride {one.stride:#x}"
        lines += [f"## `{title}` at {one.address:#06x}{apart}", "", one.text, ""]
        lines += ["| address | register | bits | access | meaning |", "|---|---|---|---|---|"]
        for register in one.registers:
            lines += rows(register)
        lines.append("")
    return {DOCS: "\n".join(lines)}


def rows(register: Register) -> list[str]:
    name = register.name if register.count == 1 else f"{register.name}[{register.count}]"
    address = f"{register.address:#06x}"
    if register.count > 1:
        address += f", stride {register.stride:#x}"
    only = register.fields[0]
    if len(register.fields) == 1 and only.width == register.bits:
        text = f"{register.text} {only.text}".strip()
        return [f"| {address} | `{name}` | {bits(0, only.width)} | {only.access} | {text} |"]
    found = [f"| {address} | `{name}` | | | {register.text} |"]
    for part in register.fields:
        found.append(
            f"| | `.{part.name}` | {bits(part.low, part.width)} | {part.access} | {part.text} |"
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    late = []
    for path, text in {**rtl(), **counter_numbers(), **rust(), **documentation()}.items():
        if path.exists() and path.read_text() == text:
            continue
        if arguments.check:
            late.append(path)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(path.relative_to(ROOT))
    for path in late:
        print(f"{path.relative_to(ROOT)} is not what its generator emits", file=sys.stderr)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())

"""The register map, read from rtl/top/trader.rdl: for the generator and for tests."""

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, RegfileNode, RegNode

from sources import ROOT

RDL = ROOT / "rtl" / "top" / "trader.rdl"


@dataclass(frozen=True)
class Field:
    name: str
    low: int
    width: int
    access: str
    reset: int | None
    text: str

    @property
    def mask(self) -> int:
        """In place."""
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True)
class Register:
    name: str
    address: int
    bits: int
    count: int  # 1: not an array
    stride: int
    text: str
    fields: tuple[Field, ...] = ()

    def at(self, index: int = 0) -> int:
        if not 0 <= index < self.count:
            raise IndexError(f"{self.name}[{index}]")
        return self.address + index * self.stride

    def field(self, name: str) -> Field:
        return next(one for one in self.fields if one.name == name)


@dataclass(frozen=True)
class Group:
    """A register file: registers that belong together, once or as an array."""

    name: str
    address: int
    count: int
    stride: int
    text: str
    registers: tuple[Register, ...] = field(default=())

    def register(self, name: str) -> Register:
        return next(one for one in self.registers if one.name == name)


@cache
def root() -> AddrmapNode:
    compiler = RDLCompiler()
    for property_ in ALL_UDPS:
        compiler.register_udp(property_, soft=False)
    compiler.compile_file(str(RDL))
    with contextlib.redirect_stderr(io.StringIO()):
        return compiler.elaborate(top_def_name="trader").top


def _text(node) -> str:
    return " ".join((node.get_property("desc") or "").split())


def _access(node) -> str:
    return node.get_property("sw").name


def _register(node: RegNode, base: int) -> Register:
    fields = tuple(
        Field(
            one.inst_name,
            one.low,
            one.width,
            _access(one),
            one.get_property("reset"),
            _text(one),
        )
        for one in node.fields()
    )
    array = node.is_array
    return Register(
        name=node.inst_name,
        address=base + node.raw_address_offset,
        bits=node.get_property("regwidth"),
        count=node.array_dimensions[0] if array else 1,
        stride=node.array_stride if array else node.size,
        text=_text(node),
        fields=fields,
    )


def _registers(node: RegfileNode, base: int) -> Iterator[Register]:
    for one in node.children(unroll=False):
        if isinstance(one, RegNode):
            yield _register(one, base)
            continue
        # A register file within: its registers bear its name, unless that says nothing, and its array.
        prefix = "" if one.inst_name == "each" else f"{one.inst_name}_"
        for inner in _registers(one, base + one.raw_address_offset):
            if inner.count > 1:
                raise TypeError(f"{one.inst_name}.{inner.name}: an array within an array")
            count = one.array_dimensions[0] if one.is_array else 1
            yield replace(
                inner,
                name=f"{prefix}{inner.name}",
                count=count,
                stride=one.array_stride if one.is_array else inner.stride,
            )


@cache
def groups() -> tuple[Group, ...]:
    """All register files in the order of their addresses."""
    found = []
    for node in root().children(unroll=False):
        if not isinstance(node, RegfileNode):
            raise TypeError(f"{node.inst_name} is not in a register file")
        array = node.is_array
        found.append(
            Group(
                name=node.inst_name,
                address=node.raw_address_offset,
                count=node.array_dimensions[0] if array else 1,
                stride=node.array_stride if array else node.size,
                text=_text(node),
                registers=tuple(_registers(node, node.raw_address_offset)),
            )
        )
    return tuple(found)


def group(name: str) -> Group:
    return next(one for one in groups() if one.name == name)


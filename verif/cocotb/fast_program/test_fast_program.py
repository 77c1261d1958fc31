"""fast_program: what is loaded is read back two cycles behind its address; look-up against a model."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled, simulate
from streams import start

ROWS, TAGS = 64, 32
SETTINGS, ROW, CONSTANT, ROLE, TEMPLATE, SCOPE, SEGMENT = (n << 16 for n in range(7))
D5, D9, R6, LONG, WIDE, PROGRAM = 5, 9, 22, 66, 67, 71


def element(data: bytes, more: bool = False) -> int:
    return more << 133 | len(data) << 128 | int.from_bytes(data, "big")


def encoded(value: int, zeros: int = 0) -> bytes:
    """An unsigned integer in stop bit encoding, with some zeros too many in front."""
    groups = [value & 0x7F | 0x80]
    while value := value >> 7:
        groups.insert(0, value & 0x7F)
    return bytes(zeros) + bytes(groups)


class Bench:
    def __init__(self, dut):
        self.dut = dut

    async def begin(self):
        inputs = ["load_valid", "find_valid", "find_call", "find_explicit", "find_map", "find_id"]
        inputs += ["find_scope", "find_last_valid", "find_last_id", "constant_numbers", "role_tags"]
        await start(self.dut, a_address=0, b_address=0, **dict.fromkeys(inputs, 0))
        return self

    async def load(self, writes):
        dut = self.dut
        for address, data in writes:
            dut.load_valid.value = 1
            dut.load_address.value = address
            dut.load_data.value = data
            await RisingEdge(dut.clk)
        dut.load_valid.value = 0
        await RisingEdge(dut.clk)
        await RisingEdge(dut.clk)


def words(base: int, value: int, count: int):
    return [(base + n, value >> 32 * n & 0xFFFFFFFF) for n in range(count)]


@cocotb.test()
async def memories(dut):
    """Every memory, all ports at once, an address a cycle."""
    bench = await Bench(dut).begin()
    draw = random.Random(SEED)
    rows = [draw.getrandbits(216) for _ in range(ROWS)]
    constants = [[draw.getrandbits(136) for _ in range(256)] for _ in range(4)]
    roles = [draw.randrange(32) for _ in range(TAGS)]
    writes = []
    for index, row in enumerate(rows):
        writes.append(words(ROW + 8 * index, row, 7))
    for lane in range(4):
        for number, constant in enumerate(constants[lane]):
            writes.append(words(CONSTANT + (lane << 11) + 8 * number, constant, 5))
    for tag, role in enumerate(roles):
        writes.append([(ROLE + tag, role)])
    # Elements in any order, their words in order.
    draw.shuffle(writes)
    await bench.load(write for element in writes for write in element)
    asked = []
    for _ in range(scaled(600, 200)):
        a, b = draw.randrange(ROWS), draw.randrange(ROWS)
        numbers = [draw.randrange(256) for _ in range(4)]
        tags = [draw.randrange(TAGS) for _ in range(4)]
        dut.a_address.value, dut.b_address.value = a, b
        dut.constant_numbers.value = sum(n << 8 * lane for lane, n in enumerate(numbers))
        dut.role_tags.value = sum(tag << 14 * lane for lane, tag in enumerate(tags))
        asked.append((a, b, numbers, tags))
        await RisingEdge(dut.clk)
        if len(asked) < 3:
            continue
        a, b, numbers, tags = asked[-3]
        assert int(dut.a_row.value) == rows[a] and int(dut.b_row.value) == rows[b]
        for lane in range(4):
            got = int(dut.constants.value) >> 136 * lane & (1 << 136) - 1
            assert got == constants[lane][numbers[lane]]
            assert int(dut.roles.value) >> 5 * lane & 31 == roles[tags[lane]]


@cocotb.test()
async def registers(dut):
    bench = await Bench(dut).begin()
    assert int(dut.enable.value) == 0
    await bench.load([(1, 0x5A0D), (2, 0x12345678), (3, 0x9ABCDEF0), (4, 77), (0, 1)])
    assert int(dut.enable.value) == 1 and int(dut.vectors.value) == 1
    limits = 0x12345678 << 64 | 0x9ABCDEF0 << 32 | 77
    assert int(dut.settings.value) == 1 << 106 | 2 << 104 | 0x5A << 96 | limits
    await bench.load([(1, 0x0002), (0, 0)])
    assert int(dut.enable.value) == 0 and int(dut.vectors.value) == 0
    assert int(dut.settings.value) == 1 << 104 | limits


class Tables:
    """Templates, entries and segments; `find` is §2, steps 4 and 6."""

    def __init__(self, draw):
        self.templates, self.entries, self.segments = {}, {}, {}
        # Many in few sets, so that sets fill up and identifiers differ in their high bits.
        for low in (0, 7, 0x80, 0xFF):
            for _ in range(4):
                number = draw.choice((0, draw.randrange(1 << 24), draw.randrange(4))) << 8 | low
                self.templates[number] = (draw.randrange(1 << 12), draw.random() < 0.3)
        scoped = {}
        for number in self.templates:
            if draw.random() < 0.8:
                self.entries[number, 0] = draw.randrange(1 << 12)
            scope = draw.randrange(1, 1 << 12)
            if len(scoped.setdefault((number ^ scope) & 0xFF, [])) < 4:
                scoped[(number ^ scope) & 0xFF].append((number, scope))
                self.entries[number, scope] = draw.randrange(1 << 12)
        self.scoped = scoped
        known = list(self.templates)
        while len(self.segments) < 16:
            length = draw.randrange(1, 10)
            map = bytes(draw.randrange(3) for _ in range(length - 1)) + bytes([0x80 | draw.randrange(3)])
            self.segments[draw.choice(known), map] = draw.randrange(1 << 12)

    def writes(self):
        for set in range(256):
            ways = [number for number in self.templates if number & 0xFF == set]
            value = 0
            for way, number in enumerate(ways):
                index, reset = self.templates[number]
                row = self.entries.get((number, 0))
                info = 1 | reset << 1 | self.segmented(number) << 2 | (row is not None) << 3
                value |= (info | index << 4 | (row or 0) << 16) << 64 * way + 32 | number << 64 * way
            yield from words(TEMPLATE + 8 * set, value, 8)
            value = 0
            for way, (number, scope) in enumerate(self.scoped.get(set, [])):
                info = 1 | self.entries[number, scope] << 1 | scope << 13
                value |= info << 64 * way + 32 | number << 64 * way
            yield from words(SCOPE + 8 * set, value, 8)
        for at, ((number, map), row) in enumerate(self.segments.items()):
            info = 1 | len(map) << 1 | row << 16
            value = info << 128 | int.from_bytes(map, "big") << 32 | number
            yield from words(SEGMENT + 8 * at, value, 5)

    def segmented(self, number):
        return any(key[0] == number for key in self.segments)

    def find(self, strict, call, id, map, scope, last):
        """(status, template, row, segment, segmented, resets, identifier); `id` (bytes, more)."""
        if id is None:
            if last is None:
                return (D5,)
            number = last
        else:
            data, more = id
            if more:
                return (LONG,)
            if strict and len(data) > 1 and data[0] == 0:
                return (R6,)
            if len(data) > 10:
                return (D9 if strict else WIDE,)
            number = 0
            for byte in data:
                number = number << 7 | byte & 0x7F
        if number not in self.templates:
            return (D9,)
        index, resets = self.templates[number]
        row = None if call else self.segments.get((number, map))
        segment = row is not None
        if row is None and call:
            row = self.entries.get((number, scope))
        if row is None:
            row = self.entries.get((number, 0))
        status = PROGRAM if row is None else 0
        return status, index, row, segment, self.segmented(number), resets, number


@cocotb.test()
async def look_up(dut):
    bench = await Bench(dut).begin()
    draw = random.Random(SEED)
    seen = set()
    for strict in (1, 0):
        tables = Tables(draw)
        await bench.load([(1, strict), *tables.writes()])
        known = list(tables.templates)
        asked = []
        for _ in range(scaled(4000, 1200)):
            number = draw.choice(known) if draw.random() < 0.8 else draw.getrandbits(draw.choice((8, 32, 40)))
            zeros = draw.choice((0, 0, 0, 1, 9)) if draw.random() < 0.3 else 0
            data = encoded(number, zeros)[-16:]
            id = (data, draw.random() < 0.05) if draw.random() < 0.8 else None
            last = draw.choice((None, draw.choice(known)))
            map = draw.choice(list(tables.segments))[1]
            if id and draw.random() < 0.6:
                here = [key[1] for key in tables.segments if key[0] == number]
                map = draw.choice(here or [map])
            if draw.random() < 0.1:
                map = bytes([0]) + map
            call = draw.random() < 0.3
            scope = draw.choice([key[1] for key in tables.entries if key[0] == number] or [3])
            dut.find_valid.value = 1
            dut.find_call.value = call
            dut.find_explicit.value = id is not None
            dut.find_id.value = element(*id) if id else draw.getrandbits(134)
            dut.find_map.value = element(map)
            dut.find_scope.value = scope
            dut.find_last_valid.value = last is not None
            dut.find_last_id.value = last if last is not None else draw.getrandbits(32)
            asked.append((strict, call, id, map, scope, last))
            await RisingEdge(dut.clk)
            if len(asked) < 3:
                continue
            expected = tables.find(*asked[-3])
            found = int(dut.found.value)
            status = found >> 59
            assert status == expected[0], f"{asked[-3]}: {status} {expected}"
            seen.add((status, strict, asked[-3][1], expected[3:4]))
            if status not in (0, PROGRAM):
                continue
            _, index, row, segment, segmented, resets, number = expected
            assert found >> 47 & 0xFFF == index and found >> 15 & 0xFFFFFFFF == number
            assert status or found >> 3 & 0xFFF == row, f"{asked[-3]}"
            assert (found >> 2 & 1, found >> 1 & 1, found & 1) == (segment, segmented, resets)
        dut.find_valid.value = 0
    for status in (0, D5, D9, LONG, PROGRAM):
        assert any(one[0] == status for one in seen), status
    assert any(one[0] == R6 and one[1] for one in seen) and any(one[0] == WIDE for one in seen)
    assert {one[3] for one in seen if one[0] == 0} == {(True,), (False,)}


def test_fast_program():
    simulate(__file__, "fast_program", {"ROWS": ROWS, "TAGS": TAGS})

"""entry_builder against the normalizer's rules, on random messages in random layouts."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from feed_types import BROKEN, BUILDER_EVENTS, DELETE, END, ENTRY, LOST, NEW, OTHER, TRADE, pack, unpack
from harness import SEED, scaled, simulate
from records import (ACTION, ASCII, BYTES, DECIMAL, ENTRIES, ENTRY_ID, ENTRY_TYPE, INTEGER, LENGTH,
                     PRICE, QUANTITY, RECORD, RPT_SEQ, SECURITY_ID, SESSION, SYMBOL, UNICODE,
                     UNSIGNED, Cycle, Names, Value, Watch, judge)

INCREMENTAL, ENTRY_ITSELF, SNAPSHOT = 5, 9, 4095
# watch_pkg::refresh_t
CLASSES = {INCREMENTAL: 0b01, ENTRY_ITSELF: 0b10}
WATCHES = [Watch(-2, 1001), Watch(-4, None, b"AFLT", b"TQBR"), Watch(0, (1 << 64) - 1, b"SBER"),
           Watch(3, 7, b"TWELVE_BYTES", b"A")]


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.cycle = 0
        self.seen, self.events = [], {}
        self.expected = []
        self.busy_until = -1  # an entry on the long way leaves in this cycle

    async def start(self, watches=WATCHES):
        dut = self.dut
        self.watches = watches
        cocotb.start_soon(Clock(dut.clk, 6400, "ps").start())
        for name in ("s_records", "s_begin", "s_template", "s_element", "s_end", "s_status", "s_tid",
                     "s_tstamp", "class_write_valid", "class_write_address", "class_write_data",
                     "watch_write_valid", "watch_write_address", "watch_write_data"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        for template, kind in CLASSES.items():
            dut.class_write_valid.value, dut.class_write_data.value = 1, kind
            dut.class_write_address.value = template
            await RisingEdge(dut.clk)
        dut.class_write_valid.value = 0
        for at, watch in enumerate(watches):
            for part, word in enumerate(watch.words()):
                dut.watch_write_valid.value = 1
                dut.watch_write_address.value = at << 2 | part
                dut.watch_write_data.value = word
                await RisingEdge(dut.clk)
        dut.watch_write_valid.value = 0
        cocotb.start_soon(self._watch())
        for _ in range(4):
            await RisingEdge(dut.clk)
        return self

    async def _watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            self.cycle += 1
            if int(dut.m_valid.value):
                self.seen.append((self.cycle, unpack(ENTRY, int(dut.m_entry.value))))
            for name, on in unpack(BUILDER_EVENTS, int(dut.builder_event.value)).items():
                self.events[name] = self.events.get(name, 0) + on

    async def show(self, cycle: Cycle, tid=0, tstamp=0) -> int:
        dut = self.dut
        dut.s_records.value = cycle.pack()
        dut.s_begin.value = cycle.begin is not None
        dut.s_template.value = cycle.begin or 0
        dut.s_element.value = int(cycle.element)
        dut.s_end.value = cycle.end is not None
        dut.s_status.value = cycle.end or 0
        dut.s_tid.value, dut.s_tstamp.value = tid, tstamp
        await RisingEdge(dut.clk)
        dut.s_records.value, dut.s_begin.value = 0, 0
        dut.s_element.value, dut.s_end.value = 0, 0
        return self.cycle + 1

    def expect(self, cycle: int, entry: dict, scales: bool):
        """The entry whose last records are shown in `cycle`."""
        direct = not scales and cycle > self.busy_until - 1
        out = cycle + 1 if direct else cycle + 5
        if not direct:
            self.busy_until = out
        self.expected.append((out, entry))

    async def finish(self):
        """Waits until all is out, and checks it."""
        for _ in range(9):
            await RisingEdge(self.dut.clk)
        self.check()

    def check(self):
        for (at, got), (due, want) in zip(self.seen, self.expected):
            fields = ("op", "last", "bad", "tid", "tstamp")
            if want["op"] not in (END, LOST):
                fields += ("instrument",)
            if want["op"] <= OTHER:
                fields += ("rpt_seq",)
            if want["op"] < OTHER:
                fields += ("id", "price", "quantity") + (("side",) if want["op"] < TRADE else ())
            for name in fields:
                here, there = got[name], want.get(name, 0)
                assert here == there, f"cycle {at}: {name} is {here}, not {there}: {want}"
            assert at == due, f"{want} in cycle {at}, due in {due}"
        assert len(self.seen) == len(self.expected)
        self.seen.clear(), self.expected.clear()


def message(bench: Bench, rng: random.Random):
    """A random message: its cycles, and for each the entry that ends with it, if any."""
    template = rng.choice([INCREMENTAL] * 6 + [ENTRY_ITSELF] * 4
                          + [SNAPSHOT, 6, 1 << 12 | INCREMENTAL, 1 << 12 | ENTRY_ITSELF])
    incremental = template in CLASSES
    # Sometimes its records are as close as can be: then it may be one cycle.
    spread = rng.choice([0, 0.3])
    cycles, ends = [Cycle(begin=template)], {}
    # An engine error ends the message anywhere; nothing follows.
    names = Names()

    def put(role, value, take=True):
        chunks = value.records(role)
        for chunk in chunks:
            here = cycles[-1]
            if (len(here.records) == 4 or rng.random() < spread or chunk is not chunks[0]
                    or here.element or any(r["role"] == role for r in here.records)
                    or any(r["kind"] == LENGTH for r in here.records)):
                cycles.append(Cycle())
            cycles[-1].records.append(chunk)

    def fresh():
        if cycles[-1].element or any(r["kind"] == LENGTH for r in cycles[-1].records):
            cycles.append(Cycle())

    def length(role, count):
        put(role, Value(LENGTH, count))

    def element():
        # Without a record of its own it may end a cycle later.
        if rng.random() < 0.2:
            fresh()
        if cycles[-1].element or any(r["kind"] == LENGTH for r in cycles[-1].records):
            cycles.append(Cycle())
        cycles[-1].element = True

    def other_sequence():
        count = rng.randint(0, 2)
        length(0, count)
        for _ in range(count):
            for role in rng.sample(range(1, 10), rng.randint(0, 3)):
                put(role, random_value(role, rng))
            element()

    def end_message():
        status = rng.choice([0] * 15 + [35, 66])
        if status and rng.random() < 0.5:
            # It ends in the middle.
            del cycles[rng.randint(1, len(cycles)):]
        elif rng.random() < spread + 0.2:
            cycles.append(Cycle())
        cycles[-1].end = status
        return status

    if template % (1 << 12) == ENTRY_ITSELF:
        fields = {}
        # As few as a cycle holds, or all.
        few = rng.random() < 0.3
        name = rng.choice((SECURITY_ID, SYMBOL))
        for role in (name, ENTRY_TYPE, PRICE, QUANTITY) if few else range(1, 10):
            if rng.random() < (0.6 if role <= SESSION and not few else 0.97):
                fields[role] = random_value(role, rng)
        if name == SYMBOL:
            fields.pop(SECURITY_ID, None)
        roles = list(fields)
        rng.shuffle(roles)
        for role in roles:
            put(role, fields[role])
        status = end_message()
        entry, scales = None, False
        if incremental and not status:
            entry, scales = judge(bench.watches, names, {role: fields[role] for role in roles})
        if incremental or status:
            entry = (entry or {"op": END}) | {"last": 1, "bad": int(status != 0)}
            ends[len(cycles) - 1] = (entry, scales)
        return cycles, ends

    for role in (SECURITY_ID, SYMBOL, SESSION, PRICE):
        if rng.random() < 0.2:
            value = random_value(role, rng)
            names.take(role, value)
            put(role, value)
    if rng.random() < 0.1:
        other_sequence()
    count = rng.choice([0, 1, 1, 1, 2, 3, 6])
    length(ENTRIES, count)
    deep = False
    for _ in range(count):
        fields = {}
        few = rng.random() < 0.1
        for role in rng.sample(range(1, 10), 4) if few else range(1, 10):
            if few or rng.random() < (0.5 if role <= SESSION else 0.97):
                fields[role] = random_value(role, rng)
        roles = list(fields)
        rng.shuffle(roles)
        for at, role in enumerate(roles):
            put(role, fields[role])
            if rng.random() < 0.02:
                other_sequence()
        element()
        if incremental:
            entry, scales = judge(bench.watches, names, {r: fields[r] for r in roles})
            if entry is not None:
                ends[len(cycles) - 1] = (entry, scales)
    if rng.random() < 0.1:
        other_sequence()
    status = end_message()
    ends = {at: end for at, end in ends.items() if at < len(cycles)}
    last = len(cycles) - 1
    if last not in ends and (incremental or status):
        ends[last] = ({"op": END}, False)
    if last in ends:
        ends[last] = (ends[last][0] | {"last": 1, "bad": int(status != 0)}, ends[last][1])
    return cycles, ends


def random_value(role: int, rng: random.Random) -> Value:
    odd = rng.random() < 0.05
    number = rng.choice([0, 1, 2, 3, rng.getrandbits(rng.randint(1, 64))])
    if odd:
        return rng.choice([Value(UNSIGNED, number), Value(INTEGER, -rng.randint(1, 9)),
                           Value(DECIMAL, rng.getrandbits(63) - (1 << 62), rng.randint(-63, 63)),
                           Value(ASCII, rng.randbytes(rng.randint(0, 16))), Value(BYTES, b"1"),
                           Value(UNICODE, b"0123456789")])
    text = rng.random() < 0.5
    kind = rng.choice([UNSIGNED, INTEGER])
    if role == SECURITY_ID:
        return Value(UNSIGNED, rng.choice([1001, 1001, (1 << 64) - 1, 7, 5]))
    if role == SYMBOL:
        return Value(ASCII, rng.choice([b"AFLT", b"SBER", b"TWELVE_BYTES", b"TWELVE_BYTEZ", b"",
                                        b"LVE_BYTES", b"TWELVE_BYTESX", b"\0\0\0\0AFLT"]))
    if role == SESSION:
        return Value(rng.choice([ASCII, UNICODE]), rng.choice([b"TQBR", b"A", b"", b"SMAL"]))
    if role == RPT_SEQ:
        return Value(kind, rng.choice([rng.getrandbits(32), 1, 1 << 32]))
    if role == ACTION:
        value = rng.choice([0, 0, 0, 1, 1, 2, 2, 3])
        return Value(ASCII, str(value).encode()) if text else Value(kind, value)
    if role == ENTRY_TYPE:
        if text:
            return Value(ASCII, rng.choice([b"0", b"1", b"2", b"z", b"J", b"01"]))
        return Value(kind, rng.choice([0, 1, 2, 3, 4, 1 << 40]))
    if role == ENTRY_ID:
        if text:
            return Value(ASCII, str(rng.getrandbits(rng.randint(1, 53))).encode())
        return Value(UNSIGNED, rng.getrandbits(64))
    if role == PRICE:
        mantissa = rng.getrandbits(rng.randint(1, 60)) - rng.getrandbits(rng.randint(1, 60))
        return Value(DECIMAL, mantissa, rng.choice([-4, -2, -2, 0, 3, 6, 5, -5, 9]))
    mantissa = rng.getrandbits(rng.randint(1, 62))
    return rng.choice([Value(kind, mantissa), Value(DECIMAL, mantissa, rng.choice([0, 0, 1, 3, 10, -1]))])


@cocotb.test()
async def builds_the_entries_of_random_messages(dut):
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    kinds, early = set(), set()
    for _ in range(scaled(4_000, 2_000)):
        tid, tstamp = rng.randint(0, 15), rng.getrandbits(64)
        cycles, ends = message(bench, rng)
        for at, cycle in enumerate(cycles):
            while rng.random() < 0.1:
                await RisingEdge(dut.clk)
            now = await bench.show(cycle, tid, tstamp)
            if at in ends:
                entry, scales = ends[at]
                kinds.add((entry["op"], scales))
                if at == 0:
                    early.add(entry["op"])
                # So does the end of a message of one cycle take the long way.
                bench.expect(now, entry | {"tid": tid, "tstamp": tstamp}, scales or at == 0)
        if rng.random() < 0.5:
            for _ in range(8):
                await RisingEdge(dut.clk)
    await bench.finish()
    assert {(NEW, False), (NEW, True), (TRADE, True), (BROKEN, False), (OTHER, False), (END, False),
            (LOST, False)} <= kinds
    # Of messages of one cycle.
    assert {NEW, TRADE, BROKEN, OTHER, END} <= early
    silent = {name for name, count in bench.events.items() if not count}
    assert silent <= {"too_deep"}, f"never: {silent}"


def number(role, value):
    return Value(UNSIGNED, value).records(role)[0]


def records_of(fields):
    return [record for role, value in fields.items() for record in value.records(role)]


@cocotb.test()
async def the_example_of_the_feeds_document(dut):
    # FEED.md: a new bid, order 41, 500 at 1100.00, instrument 1001, entry 1.
    bench = await Bench(dut).start()
    await bench.show(Cycle([{"valid": 1, "kind": LENGTH, "role": ENTRIES, "value": 1}], begin=INCREMENTAL))
    await bench.show(Cycle([number(ACTION, 0), number(ENTRY_TYPE, 0), number(SECURITY_ID, 1001),
                            number(RPT_SEQ, 1)]))
    price = Value(DECIMAL, 110_000, -2).records(PRICE)[0]
    at = await bench.show(Cycle([number(ENTRY_ID, 41), price, number(QUANTITY, 500)], element=True, end=0))
    bench.expect(at, {"op": NEW, "instrument": 0, "id": 41, "price": 110_000, "quantity": 500,
                      "rpt_seq": 1, "last": 1}, scales=False)
    await bench.finish()


@cocotb.test()
async def a_message_says_that_its_session_is_empty_and_so_does_its_entry(dut):
    # In cycles one behind the other: what the message said is not settled yet.
    bench = await Bench(dut).start()
    empty, names = Value(ASCII, b""), Names()
    names.take(SESSION, empty)
    length = {"valid": 1, "kind": LENGTH, "role": ENTRIES, "value": 1}
    await bench.show(Cycle([*empty.records(SESSION), length], begin=INCREMENTAL))
    fields = {SYMBOL: Value(ASCII, b"SBER"), SESSION: empty, ENTRY_TYPE: Value(UNSIGNED, 0),
              ACTION: Value(UNSIGNED, DELETE)}
    at = await bench.show(Cycle(records_of(fields), element=True, end=0))
    entry, scales = judge(WATCHES, names, fields)
    assert entry["op"] == DELETE
    bench.expect(at, entry | {"last": 1}, scales)
    await bench.finish()


@cocotb.test()
async def messages_of_one_cycle_come_one_behind_the_other(dut):
    # The second, too, is of the instrument that has no session, as it names none.
    bench = await Bench(dut).start()
    fields = {SYMBOL: Value(ASCII, b"SBER"), ENTRY_TYPE: Value(UNSIGNED, 0), ACTION: Value(UNSIGNED, DELETE)}
    entry, _ = judge(WATCHES, Names(), fields)
    assert entry["op"] == DELETE
    for _ in range(3):
        at = await bench.show(Cycle(records_of(fields), begin=ENTRY_ITSELF, end=0))
        bench.expect(at, entry | {"last": 1}, scales=True)
    await bench.finish()


@cocotb.test()
async def sequences_in_sequences_of_an_entry_lose_the_message(dut):
    bench = await Bench(dut).start()
    inner = {"valid": 1, "kind": LENGTH, "value": 1}
    await bench.show(Cycle([inner | {"role": ENTRIES}], begin=INCREMENTAL))
    await bench.show(Cycle([number(SECURITY_ID, 1001), inner]))
    await bench.show(Cycle([inner]))
    await bench.show(Cycle(element=True))
    await bench.show(Cycle(element=True))
    at = await bench.show(Cycle(element=True, end=0))
    bench.expect(at, {"op": LOST, "last": 1}, scales=False)
    await bench.finish()
    assert bench.events["too_deep"] == 1


@cocotb.test()
async def what_overflows_in_a_message_that_is_no_entry_breaks_nothing(dut):
    # A message of one cycle is taken for an entry until its class is known, and its price is multiplied.
    bench = await Bench(dut).start()
    price = Value(DECIMAL, 1 << 61, 3).records(PRICE)[0]
    said = [number(SECURITY_ID, 1001), number(ENTRY_TYPE, 0), price, number(QUANTITY, 500)]
    for template, entry in ((ENTRY_ITSELF, {"op": BROKEN, "instrument": 0}), (INCREMENTAL, {"op": END})):
        bench.events.clear()
        at = await bench.show(Cycle(said, begin=template, end=0))
        bench.expect(at, entry | {"last": 1}, scales=True)
        await bench.finish()
        assert bench.events["price_overflow"] == (template == ENTRY_ITSELF)


def test_entry_builder():
    simulate(__file__, "entry_builder")

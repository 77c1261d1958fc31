"""The engine against the cycle-accurate model's vectors."""

import json
import os
import subprocess
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

from harness import SEED, scaled, simulate
from sources import ROOT

LANES = 4
# Cycles from the edge at which a word is offered to that at which the scanner has taken it.
PORT = 2
# Cycles in which the engine takes at least a word: a word's rows take far fewer.
LONGEST_WAIT = 20_000
# Cycles without a record behind which a case is over.
QUIET = 100


def vectors():
    """The model's programs and what it makes of their packets."""
    given = os.environ.get("SAKER_FAST_VECTORS")
    text = (
        Path(given).read_text()
        if given
        else subprocess.run(
            ["cargo", "run", "-q", "-p", "saker-fast", "--example", "engine_vectors", "--",
             str(scaled(120, 12)), str(SEED % 1000)],
            cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
        ).stdout
    )
    return [json.loads(line) for line in text.splitlines()]


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.cycle = 0
        self.seen = []

    async def tick(self):
        await RisingEdge(self.dut.clk)
        self.cycle += 1

    async def load(self, case):
        dut = self.dut
        dut.rst.value = 1
        dut.s_axis_tvalid.value = 0
        dut.load_valid.value = 0
        await self.tick()
        await self.tick()
        dut.rst.value = 0
        dut.load_valid.value = 1
        for address, data in [*case["load"], [0, 1]]:
            dut.load_address.value, dut.load_data.value = address, data
            await self.tick()
        dut.load_valid.value = 0
        for _ in range(4):
            await self.tick()

    async def watch(self):
        """Collects records and marks in order, with their cycles."""
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            await ReadOnly()
            at = self.cycle + 1
            if int(dut.m_begin.value):
                self.seen.append([8, int(dut.m_template.value), 0, 0, at])
            if int(dut.m_call_begin.value):
                self.seen.append([13, int(dut.m_template.value), 0, 0, at])
            records = int(dut.m_records.value)
            for lane in range(LANES):
                record = records >> (96 * lane) & ((1 << 96) - 1)
                if record >> 95:
                    self.seen.append([
                        record >> 8 & 15, record >> 17 & 0x3fff, record & 255,
                        record >> 31 & ((1 << 64) - 1), at,
                    ])
            if int(dut.m_element.value):
                self.seen.append([10, 0, 0, 0, at])
            if int(dut.m_call_end.value):
                self.seen.append([14, 0, 0, 0, at])
            if int(dut.m_end.value):
                self.seen.append([9, 0, int(dut.m_status.value), 0, at])

    async def send(self, case, origin):
        dut = self.dut
        for number, packet in enumerate(case["packets"]):
            data = bytes.fromhex(packet["bytes"])
            while self.cycle - origin < packet["arrival"] - PORT:
                await self.tick()
            words = [data[at : at + 8] for at in range(0, len(data), 8)] or [b""]
            for index, word in enumerate(words):
                last = index + 1 == len(words)
                dut.s_axis_tdata.value = int.from_bytes(word, "little")
                dut.s_axis_tkeep.value = (1 << len(word)) - 1
                dut.s_axis_tlast.value = int(last)
                dut.s_axis_tuser.value = int(last and packet["abort"])
                dut.s_axis_tid.value = number % 16
                dut.s_axis_tstamp.value = number
                dut.s_axis_tvalid.value = 1
                for waited in range(LONGEST_WAIT + 1):
                    await ReadOnly()
                    ready = int(dut.s_axis_tready.value)
                    await self.tick()
                    if ready:
                        break
                assert ready, f"{case['name']}: packet {number}, word {index} not taken in {waited} cycles"
            dut.s_axis_tvalid.value = 0


def timed(records, failed, full):
    """Records without the cycles that the model does not promise: those of a message that fails,
    and, where packets come back to back, of what is behind it."""
    out, message, behind = [], [], False
    for record, bad in zip(records, failed):
        if record[0] == 8 and message:
            out += message
            message = []
        message.append(record)
        if record[0] == 9:
            if bad or behind:
                message = [[*one[:4], None] for one in message]
            behind = behind or bad and full
            out += message
            message = []
    return out + message


def told(records):
    """Records without the chunks of a text or vector whose end the message's failure cut off: how many
    had been delivered is not promised."""
    out = []
    for record in records:
        if record[0] == 9 and record[2] != 0:
            while out and out[-1][0] in (4, 5, 6) and out[-1][2] & 0x80:
                out.pop()
        out.append(record)
    return out


def failures(records):
    """Whether each record is the end of a message that failed."""
    return [record[0] == 9 and record[2] != 0 for record in records]


def describe(case, seen, expected):
    lines = [f"{case['name']} {'full' if case['full'] else 'idle'}"]
    for index in range(max(len(seen), len(expected))):
        got = seen[index] if index < len(seen) else None
        want = expected[index] if index < len(expected) else None
        mark = " " if got == want else "*"
        lines.append(f"{mark} {index} got {got} want {want}")
    first = next((i for i, line in enumerate(lines[1:]) if line[0] == "*"), 0)
    return "\n".join(lines[:1] + lines[max(1, first - 6) : first + 20])


@cocotb.test()
async def vectors_agree(dut):
    """Records, order, statuses and cycles are the model's."""
    bench = Bench(dut)
    cocotb.start_soon(Clock(dut.clk, 6400, "ps").start())
    dut.load_valid.value = 0
    cocotb.start_soon(bench.watch())
    wrong, late, checked = [], [], 0
    for case in vectors():
        await bench.load(case)
        bench.seen = []
        # The scanner has the first word in the model's cycle 0.
        origin = bench.cycle + PORT
        expected = [
            [kind, tag, info, int(value, 16), cycle]
            for packet in case["packets"]
            for kind, tag, info, value, cycle in packet["records"]
        ]
        await bench.send(case, origin)
        # Vectors take the engine many cycles behind the last word; the last packet may end within one, whose
        # bytes all pass before that shows. Behind a failure packets that wait may end later than the model's.
        over = max((record[4] for record in expected), default=0) + 60
        over += len(case["packets"][-1]["bytes"]) // 16 if case["packets"] else 0
        while bench.cycle < max(origin + over, bench.seen[-1][4] + QUIET if bench.seen else 0):
            await bench.tick()
        expected = told(expected)
        seen = told([*record[:4], record[4] - origin] for record in bench.seen)
        checked += len(expected)
        if [r[:4] for r in seen] != [r[:4] for r in expected]:
            wrong.append(describe(case, [r[:4] for r in seen], [r[:4] for r in expected]))
        else:
            bad = failures(expected)
            seen, expected = (timed(one, bad, case["full"]) for one in (seen, expected))
            if seen != expected:
                late.append(describe(case, seen, expected))
    report = os.environ.get("SAKER_FAST_REPORT")
    if report:
        Path(report).write_text("\n\n".join(["WRONG", *wrong, "LATE", *late]))
    print(f"{checked} records, {len(wrong)} cases wrong, {len(late)} late")
    assert not wrong, "\n\n".join(wrong[:3])
    assert not late, "\n\n".join(late[:3])


def test_fast_engine():
    # The wheel's makefile does not know how a precompiled header is named to the compiler.
    os.environ.setdefault("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include")
    simulate(__file__, "fast_engine")

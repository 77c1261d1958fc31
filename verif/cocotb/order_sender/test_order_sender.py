"""order_sender against frames built from scratch, scapy, and vectors of the Rust fast path."""

import json
import random
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge
from scapy.all import IP, TCP, UDP, Ether, raw

from harness import SEED, scaled, simulate
from orders import MAGIC, Prepared, Reports, arming, write, writes_of
from streams import PERIOD_PS, StreamMonitor, cycles, start

VECTORS = Path(__file__).with_name("vectors.jsonl")
INPUTS = {
    "speculate": 0, "trailer": 0, "enabled": 1, "leased": 0, "tcp_ack": 0, "tcp_window": 0,
    "tcp_seq_write_valid": 0, "tcp_seq_write_data": 0, "tcp_limit_write_valid": 0,
    "tcp_limit_write_data": 0, "next_msg_seq_write_valid": 0, "next_msg_seq_write_data": 0,
    "udp_seq_write_valid": 0, "udp_seq_write_data": 0, "slot_write_valid": 0,
    "slot_write_address": 0, "slot_write_data": 0, "fire_valid": 0, "fire_slot": 0, "fire_tid": 0,
    "fire_trusted": 0, "fire_tstamp": 0, "fire_price": 0, "verdict_valid": 0, "verdict_tid": 0,
    "verdict_good": 0, "m_axis_tready": 1, "tx_first": 0, "tx_first_lane4": 0, "now_ns": 0,
    "now_lane4_ns": 0,
}


class Mac:
    """Stands for net_tx: takes words, and says two cycles after a first one that it is out."""

    def __init__(self, dut, draw):
        self.dut, self.draw = dut, draw
        self.ready = 1.0  # how often a word is taken
        self.stamps = []
        cocotb.start_soon(self._run())

    async def _run(self):
        dut, inside, late, now = self.dut, False, [0, 0], 1_000_000
        while True:
            await RisingEdge(dut.clk)
            first = 0
            if int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value):
                first = int(not inside)
                inside = not int(dut.m_axis_tlast.value)
            now += 7
            late = [late[1], first]
            lane4 = self.draw.getrandbits(1)
            dut.tx_first.value = late[0]
            dut.tx_first_lane4.value = lane4
            dut.now_ns.value = now
            dut.now_lane4_ns.value = now + 3
            if late[0]:
                self.stamps.append(now + 3 * lane4)
            dut.m_axis_tready.value = int(self.draw.random() < self.ready)


class Bench:
    async def begin(self, dut, **inputs):
        self.dut = dut
        self.draw = random.Random(SEED)
        self.counter = await start(dut, **{**INPUTS, **inputs})
        self.reports = Reports(dut, self.counter)
        self.frames = StreamMonitor(dut, "m_axis", self.counter, side=("tuser",), ready=True,
                                    clean=True).frames
        self.mac = Mac(dut, self.draw)
        await cycles(dut, 12)
        return self

    async def registers(self, tcp_seq=None, tcp_limit=None, next_msg_seq=None, **scalars):
        """Written without lease, as the host has to; `leased` is among `scalars`."""
        dut = self.dut
        dut.leased.value = 0
        await cycles(dut, 2)
        numbers = {"tcp_seq": tcp_seq, "tcp_limit": tcp_limit, "next_msg_seq": next_msg_seq}
        for name, value in numbers.items():
            getattr(dut, f"{name}_write_valid").value = value is not None
            getattr(dut, f"{name}_write_data").value = value or 0
        await RisingEdge(dut.clk)
        for name in numbers:
            getattr(dut, f"{name}_write_valid").value = 0
        for name, value in scalars.items():
            getattr(dut, name).value = value
        await self.idle()

    async def udp_sequence(self, value):
        self.dut.udp_seq_write_valid.value = 1
        self.dut.udp_seq_write_data.value = value
        await RisingEdge(self.dut.clk)
        self.dut.udp_seq_write_valid.value = 0
        await self.idle()

    async def idle(self):
        await cycles(self.dut, 4)
        while int(self.dut.busy.value):
            await RisingEdge(self.dut.clk)
        await cycles(self.dut, 4)

    async def fire(self, slot, tid=0, trusted=1, tstamp=5, price=0, verdict=None):
        """One fire; returns its cycle. `verdict` comes in the same cycle."""
        dut = self.dut
        dut.fire_valid.value = 1
        dut.fire_slot.value = slot
        dut.fire_tid.value = tid
        dut.fire_trusted.value = trusted
        dut.fire_tstamp.value = tstamp
        dut.fire_price.value = price & (1 << 64) - 1
        self.set_verdict(tid, verdict)
        cycle = self.counter.next
        await RisingEdge(dut.clk)
        dut.fire_valid.value = 0
        dut.verdict_valid.value = 0
        return cycle

    def set_verdict(self, tid, good):
        self.dut.verdict_valid.value = good is not None
        self.dut.verdict_tid.value = tid
        self.dut.verdict_good.value = bool(good)

    async def verdict(self, tid, good):
        self.set_verdict(tid, good)
        cycle = self.counter.next
        await RisingEdge(self.dut.clk)
        self.dut.verdict_valid.value = 0
        return cycle

    async def load(self, slot, prepared):
        await write(self.dut, arming(slot, False) + prepared.writes(slot) + arming(slot))

    def tcp(self):
        return (int(self.dut.tcp_seq.value), int(self.dut.tcp_limit.value), int(self.dut.next_msg_seq.value))


def check_with_scapy(frame: bytes) -> None:
    """Scapy computes the same lengths and checksums for the IP packet."""
    ether = Ether(frame)
    packet = ether[IP]
    for layer in (IP, TCP, UDP):
        if layer in packet:
            del packet[layer].chksum
            if layer is not TCP:
                del packet[layer].len
    assert raw(ether) == bytes(frame)


@cocotb.test()
async def vectors_of_the_fast_path(dut):
    """Every frame and refusal of the Rust model, byte for byte, and its registers."""
    bench = await Bench().begin(dut)
    draw = bench.draw
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    sent = answers = refused = 0
    for line in lines[: scaled(len(lines), 500)]:
        bench.mac.ready = draw.choice((1.0, 0.7))
        if "registers" in line:
            await bench.registers(**{k: int(v) for k, v in line["registers"].items()})
        elif "load" in line:
            slot = line["load"]
            await write(dut, arming(slot, False) + writes_of(line["writes"]) + arming(slot))
        elif "disarm" in line:
            await write(dut, arming(line["disarm"], False))
        elif "header" in line:
            for slot in range(16):
                await write(dut, arming(slot, False))
            await write(dut, writes_of(line["header"]))
        elif "fire" in line:
            await bench.fire(line["fire"])
            await bench.idle()
            if "sent" in line:
                want = line["sent"]
                assert bytes(bench.frames[-1].payload).hex() == want["frame"]
                check_with_scapy(bytes.fromhex(want["frame"]))
                got = bench.reports.sent[-1]
                assert (got["slot"], got["msg_seq"]) == (line["fire"], want["msg_seq"])
                assert (got["seq_start"], got["seq_end"]) == (want["start"], want["end"])
                assert (got["udp"], got["poisoned"], got["tstamp_in"]) == (0, 0, 5)
                assert got["tstamp_out"] == bench.mac.stamps[-1]
                assert int(dut.tcp_seq.value) == want["end"]
                assert int(dut.next_msg_seq.value) == want["msg_seq"] + 1
                sent += 1
            else:
                assert bench.reports.refused[-1] == (line["fire"], line["refused"])
                assert bench.reports.rearmed[-1] == (line["fire"], 0)
                refused += 1
        else:
            slot = line["answer"]
            dut.enabled.value = 1
            dut.leased.value = draw.getrandbits(1)  # means nothing to a UDP answer
            await bench.udp_sequence(line["sequence"])
            await write(dut, arming(slot, False) + writes_of(line["writes"]) + arming(slot))
            while not int(dut.armed.value) >> slot & 1:
                await RisingEdge(dut.clk)
            await cycles(dut, 2)
            await bench.fire(slot, tstamp=line["trigger"], price=line["price"])
            await bench.idle()
            frame = bytes(bench.frames[-1].payload)
            assert frame.hex() == line["frame"], f"{line}"
            check_with_scapy(frame)
            got = bench.reports.sent[-1]
            assert (got["slot"], got["udp"], got["msg_seq"]) == (slot, 1, line["sequence"])
            assert int(dut.udp_seq.value) == (line["sequence"] + 1) % 2**32
            answers += 1
        assert len(bench.frames) == len(bench.reports.sent) == sent + answers
        assert len(bench.reports.refused) == refused
    assert sent > 20 and answers > 50 and refused > 50
    assert bench.reports.counts["fired"] == sent + answers
    assert bench.reports.counts["write_refused"] == bench.reports.counts["register_refused"] == 0


@cocotb.test()
async def every_layout_and_trailer(dut):
    """Digits at every alignment, odd and even lengths, tagged or not, with and without trailer."""
    bench = await Bench().begin(dut)
    draw = bench.draw
    await bench.registers(tcp_seq=draw.getrandbits(32), tcp_limit=2**32 - 1, next_msg_seq=99_999_950)
    for step in range(scaled(192, 48)):
        prepared = Prepared(bool(step & 1), 20 + step // 2 % 8, 1 + draw.randrange(1, 9) + draw.choice((0, 300)))
        slot = draw.randrange(16)
        ack, window, trailer = draw.getrandbits(32), draw.getrandbits(16), draw.getrandbits(1)
        await bench.load(slot, prepared)
        await bench.registers(tcp_ack=ack, tcp_window=window, trailer=trailer, leased=1)
        seq, limit, msg_seq = bench.tcp()
        bench.mac.ready = draw.choice((1.0, 1.0, 0.5, 0.1))
        stamp = draw.getrandbits(64)
        cycle = await bench.fire(slot, tstamp=stamp)
        # Registers that change under way have no part in the frame.
        dut.tcp_ack.value, dut.tcp_window.value = draw.getrandbits(32), draw.getrandbits(16)
        await bench.idle()
        frame = bench.frames[-1]
        payload = bytes(frame.payload)
        want = prepared.sent(seq, ack, window, msg_seq)
        assert payload[: len(want)] == want
        check_with_scapy(want)
        if trailer:
            latency = (bench.mac.stamps[-1] - stamp) % 2**32
            tail = latency.to_bytes(4, "big") + MAGIC.to_bytes(2, "big") + slot.to_bytes(2, "big")
            assert payload[len(want) :] == tail
        else:
            assert len(payload) == len(want)
        size = len(prepared.message)
        assert bench.tcp() == ((seq + size) % 2**32, limit - size, msg_seq + 1)
        if bench.mac.ready == 1.0:
            count = len(frame.cycles)
            assert frame.cycles == list(range(cycle + 1, cycle + 1 + count))


@cocotb.test()
async def answers_with_trailer(dut):
    """The trailer behind the shortest and longest answers, under any back-pressure."""
    bench = await Bench().begin(dut, trailer=1)
    draw = bench.draw
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    for line in [line for line in lines if "answer" in line or "header" in line][: scaled(322, 80)]:
        if "header" in line:
            await write(dut, [w for slot in range(16) for w in arming(slot, False)] + writes_of(line["header"]))
            continue
        slot = line["answer"]
        await bench.udp_sequence(line["sequence"])
        await write(dut, arming(slot, False) + writes_of(line["writes"]) + arming(slot))
        while not int(dut.armed.value) >> slot & 1:
            await RisingEdge(dut.clk)
        bench.mac.ready = draw.choice((1.0, 0.6))
        await cycles(dut, 2)
        cycle = await bench.fire(slot, tstamp=line["trigger"], price=line["price"])
        await bench.idle()
        latency = (bench.mac.stamps[-1] - line["trigger"]) % 2**32
        tail = latency.to_bytes(4, "big") + MAGIC.to_bytes(2, "big") + slot.to_bytes(2, "big")
        assert bytes(bench.frames[-1].payload).hex() == line["frame"] + tail.hex()
        if bench.mac.ready == 1.0:
            count = len(bench.frames[-1].cycles)
            assert bench.frames[-1].cycles == list(range(cycle + 1, cycle + 1 + count))


async def loaded(bench, slots=range(4)):
    """Orders in some slots, ready to go."""
    await bench.registers(tcp_seq=1_000, tcp_limit=100_000, next_msg_seq=7)
    orders = {}
    for slot in slots:
        orders[slot] = Prepared(bool(slot & 1), 20 + slot % 8, 10 + slot)
        await bench.load(slot, orders[slot])
    await bench.registers(leased=1)
    return orders


@cocotb.test()
async def waits_for_the_verdict(dut):
    """Without speculation: at once if it is known, else in the cycle behind it; a bad one drops."""
    bench = await Bench().begin(dut)
    await loaded(bench)
    await bench.verdict(3, True)
    await cycles(dut, 4)
    cycle = await bench.fire(0, tid=3, trusted=0)
    await bench.idle()
    assert bench.frames[0].cycles[0] == cycle + 1
    # In the fire's own cycle.
    cycle = await bench.fire(1, tid=4, trusted=0, verdict=True)
    await bench.idle()
    assert bench.frames[1].cycles[0] == cycle + 1
    # Later, with another fire behind it.
    await bench.fire(2, tid=5, trusted=0)
    await bench.fire(3, tid=5, trusted=0)
    await cycles(dut, 9)
    assert len(bench.reports.sent) == 2 and not int(dut.m_axis_tvalid.value)
    # The second, in the queue, tells whose verdict it will need.
    assert int(dut.pending_valid.value) and int(dut.pending_tid.value) == 5
    cycle = await bench.verdict(5, True)
    await bench.idle()
    assert [sent["slot"] for sent in bench.reports.sent] == [0, 1, 2, 3]
    assert bench.frames[2].cycles[0] == cycle + 1 and not int(dut.pending_valid.value)
    for slot, order in (await loaded(bench)).items():
        del order
        before, count = bench.tcp(), len(bench.frames)
        await bench.fire(slot, tid=6 + slot, trusted=0, verdict=False if slot & 1 else None)
        await bench.verdict(6 + slot, False)
        await bench.idle()
        assert bench.reports.refused[-1] == (slot, "BAD_PACKET")
        assert bench.reports.rearmed[-1] == (slot, 1)
        assert (bench.tcp(), len(bench.frames)) == (before, count)
        assert int(dut.armed.value) >> slot & 1
    # What was known of packet 5 is forgotten when that number comes again.
    for tid in (10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4):
        await bench.verdict(tid, True)
    count = len(bench.frames)
    await bench.fire(0, tid=5, trusted=0)
    await cycles(dut, 40)
    assert len(bench.frames) == count
    await bench.verdict(5, True)
    await bench.idle()
    assert len(bench.frames) == count + 1


@cocotb.test()
async def speculation(dut):
    """Bad or late verdicts poison the frame and take the numbers back; late and good sends again."""
    bench = await Bench().begin(dut, speculate=1)
    draw = bench.draw
    orders = await loaded(bench)
    for step in range(scaled(120, 40)):
        slot, tid, good = draw.randrange(4), step % 16, draw.random() < 0.5
        if not int(dut.armed.value) >> slot & 1:
            await bench.load(slot, orders[slot])
        bench.mac.ready = draw.choice((1.0, 0.6))
        await cycles(dut, 3)
        seq, limit, msg_seq = bench.tcp()
        sents, refusals = len(bench.reports.sent), len(bench.reports.refused)
        wait = draw.randrange(40)
        cycle = await bench.fire(slot, tid=tid, trusted=0)
        await cycles(dut, wait)
        told = await bench.verdict(tid, good)
        await bench.idle()
        reports = bench.reports.sent[sents:]
        frames = bench.frames[sents:]
        size = len(orders[slot].message)
        want = orders[slot].sent(seq, 0, 0, msg_seq)
        assert all(bytes(frame.payload) == want for frame in frames)
        assert [frame.last["tuser"] for frame in frames] == [sent["poisoned"] for sent in reports]
        if bench.mac.ready == 1.0:
            assert frames[0].cycles[0] == cycle + 1
            # The verdict counts if it has come by the cycle in which the last word is made ready.
            in_time = told < frames[0].cycles[-1]
            assert len(frames) == 1 + (good and not in_time)
            assert reports[0]["poisoned"] == (not (good and in_time))
        if good:
            assert [sent["poisoned"] for sent in reports] == [1] * (len(reports) - 1) + [0]
            assert bench.tcp() == (seq + size, limit - size, msg_seq + 1)
            assert not int(dut.armed.value) >> slot & 1
            assert len(bench.reports.refused) == refusals
        else:
            assert [sent["poisoned"] for sent in reports] == [1]
            assert bench.tcp() == (seq, limit, msg_seq)
            assert int(dut.armed.value) >> slot & 1
            assert bench.reports.refused[refusals:] == [(slot, "BAD_PACKET")]
            assert bench.reports.rearmed[-1] == (slot, 1)
    counts = bench.reports.counts
    assert counts["poisoned"] == counts["retried"] + counts["refused_bad_packet"]
    assert counts["retried"] > 2 and counts["refused_bad_packet"] > 10


@cocotb.test()
async def overload(dut):
    """A busy line and a burst of fires: eight wait, the others are refused, each exactly once."""
    bench = await Bench().begin(dut)
    draw = bench.draw
    orders = await loaded(bench, range(16))
    bench.mac.ready = 0.0
    await cycles(dut, 4)
    for slot in range(16):
        await bench.fire(slot)
    await cycles(dut, 30)
    # One under way, eight in the queue's memory and one at its output.
    assert bench.reports.refused == [(slot, "QUEUE_FULL") for slot in range(10, 16)]
    bench.mac.ready = 1.0
    await bench.idle()
    seq = 1_000
    for i in range(10):
        assert bytes(bench.frames[i].payload) == orders[i].sent(seq, 0, 0, 7 + i)
        seq += len(orders[i].message)
    # One fire a cycle of whatever slot: every fire has exactly one outcome.
    fires = 10 + 6
    for _ in range(scaled(6, 3)):
        bench.mac.ready = draw.choice((1.0, 0.5))
        for slot in range(16):
            if not int(dut.armed.value) >> slot & 1:
                await bench.load(slot, orders[slot])
        for _ in range(40):
            if draw.random() < 0.8:
                await bench.fire(draw.randrange(16))
                fires += 1
            else:
                await cycles(dut, 1)
        await bench.idle()
        await bench.registers(tcp_limit=100_000, leased=1)
    assert len(bench.reports.sent) + len(bench.reports.refused) == fires
    numbers = [sent["msg_seq"] for sent in bench.reports.sent]
    assert numbers == list(range(7, 7 + len(numbers)))


@cocotb.test()
async def a_limit_in_the_last_moment(dut):
    """A fire behind a write of TCP's limit is judged by it, however close."""
    bench = await Bench().begin(dut)
    orders = await loaded(bench)
    size = len(orders[0].message)
    for wait in range(12):
        for limit, sent in ((size - 1, 0), (size, 1)):
            await bench.registers(tcp_limit=2 * size - 1 - limit, leased=0)
            await bench.load(0, orders[0])
            await bench.idle()
            frames, refusals = len(bench.frames), len(bench.reports.refused)
            dut.tcp_limit_write_valid.value = 1
            dut.tcp_limit_write_data.value = limit
            await RisingEdge(dut.clk)
            dut.tcp_limit_write_valid.value = 0
            dut.leased.value = 1
            await cycles(dut, 1 + wait)
            await bench.fire(0)
            await bench.idle()
            assert len(bench.frames) - frames == sent
            assert bench.reports.refused[refusals:] == [(0, "LIMIT")] * (1 - sent)


@cocotb.test()
async def host_writes(dut):
    """An armed slot, one under way, and registers under lease are left as they are."""
    bench = await Bench().begin(dut)
    orders = await loaded(bench)
    other = Prepared(False, 25, 60)
    refused = len(other.writes(0))
    await write(dut, other.writes(0))
    assert bench.reports.counts["write_refused"] == refused
    await bench.fire(0)
    await write(dut, other.writes(0)[:5])  # under way
    assert bench.reports.counts["write_refused"] == refused + 5
    await bench.idle()
    assert bytes(bench.frames[0].payload) == orders[0].sent(1_000, 0, 0, 7)
    # Arming what has no shape, or an armed slot.
    await write(dut, arming(9) + arming(1))
    assert bench.reports.counts["write_refused"] == refused + 7
    assert int(dut.armed.value) == 0b1110
    dut.tcp_seq_write_valid.value = 1
    dut.tcp_seq_write_data.value = 5
    await RisingEdge(dut.clk)
    dut.tcp_seq_write_valid.value = 0
    await cycles(dut, 4)
    assert bench.reports.counts["register_refused"] == 1
    assert int(dut.tcp_seq.value) == 1_000 + len(orders[0].message)
    # Disarmed while its speculative frame is under way: not armed again by a bad verdict.
    dut.speculate.value = 1
    await bench.fire(1, tid=1, trusted=0)
    await write(dut, arming(1, False))
    await bench.verdict(1, False)
    await bench.idle()
    assert bench.reports.sent[-1]["poisoned"] and int(dut.armed.value) == 0b1100
    # A slot of another kind, disarmed and loaded anew at every step of its encoding.
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    header, first, second = [line for line in lines if "header" in line or "answer" in line][:3]
    await write(dut, writes_of(header["header"]))
    moved = [(a - 16 * first["answer"] + 16 * 5, d) for a, d in writes_of(first["writes"])]
    again = [(a - 16 * second["answer"] + 16 * 5, d) for a, d in writes_of(second["writes"])]
    for wait in range(45):
        await write(dut, arming(5, False) + moved + arming(5))
        await cycles(dut, wait)
        await write(dut, arming(5, False) + again + arming(5))
        while not int(dut.armed.value) >> 5 & 1:
            await RisingEdge(dut.clk)
        await cycles(dut, 2)
        await bench.udp_sequence(second["sequence"])
        await bench.fire(5, tstamp=second["trigger"], price=second["price"])
        await bench.idle()
        assert bytes(bench.frames[-1].payload).hex() == second["frame"]
    # A slot whose length is none.
    for length in (0, 87, 513, 1023):
        await write(dut, [(0x8A0, length)] + arming(10))
        assert int(dut.armed.value) == 0b1100


@cocotb.test()
async def disarmed_as_it_is_judged(dut):
    """A fire whose slot is disarmed in any cycle about its judgement is sent, or refused for that."""
    bench = await Bench().begin(dut)
    orders = await loaded(bench)
    both = set()
    for wait in range(40):
        for slot in (0, 1):
            await bench.load(slot, orders[slot])
        await bench.registers(tcp_limit=100_000, leased=1)
        sents, refusals = len(bench.reports.sent), len(bench.reports.refused)
        counted = bench.reports.counts["refused_not_armed"]
        await bench.fire(0)
        await bench.fire(1)  # waits in the queue
        await cycles(dut, wait)
        await write(dut, arming(1, False))
        await bench.idle()
        sent = len(bench.reports.sent) - sents == 2
        both.add(sent)
        assert bench.reports.refused[refusals:] == [(1, "NOT_ARMED")] * (not sent)
        assert bench.reports.counts["refused_not_armed"] - counted == (not sent)
    assert both == {False, True}


@cocotb.test()
async def header_behind_a_poisoned_answer(dut):
    """The header of FAST answers is left as it is in every cycle of one that ends poisoned, and behind it."""
    bench = await Bench().begin(dut, speculate=1)
    lines = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    header, answer = [line for line in lines if "header" in line or "answer" in line][:2]
    slot = answer["answer"]
    await write(dut, writes_of(header["header"]) + writes_of(answer["writes"]) + arming(slot))
    while not int(dut.armed.value) >> slot & 1:
        await RisingEdge(dut.clk)
    await bench.udp_sequence(answer["sequence"])
    await bench.fire(slot, tid=3, trusted=0, tstamp=answer["trigger"], price=answer["price"])
    others = [(0x900 + i % 12, 0xFFFF_FFFF) for i in range(30)]
    await write(dut, others)
    assert bench.reports.sent[-1]["poisoned"]
    assert bench.reports.counts["write_refused"] == len(others)
    await bench.verdict(3, True)
    await bench.idle()
    assert [bytes(frame.payload).hex() for frame in bench.frames] == [answer["frame"]] * 2


@cocotb.test()
async def a_verdict_stays(dut):
    """A frame that waits for the line is not judged by the next packet that bears its packet's number."""
    bench = await Bench().begin(dut, speculate=1)
    await loaded(bench)

    async def waits(slot, tid, good):
        """A fire's frame waits for the line until its packet's number is used again, with the other verdict."""
        bench.mac.ready = 0.0
        await cycles(dut, 4)
        await bench.fire(slot, tid=tid, trusted=0)
        await bench.verdict(tid, good)
        for later in range(1, 17):
            await bench.verdict((tid + later) % 16, not good)
        bench.mac.ready = 1.0
        await bench.idle()

    await waits(0, 3, False)
    assert [sent["poisoned"] for sent in bench.reports.sent] == [1]
    assert bench.reports.refused == [(0, "BAD_PACKET")]
    assert bench.tcp() == (1_000, 100_000, 7)
    # One that was good is sent, once.
    await bench.fire(0, tid=3, trusted=0)
    await bench.idle()
    await waits(1, 4, True)
    assert [(sent["slot"], sent["poisoned"]) for sent in bench.reports.sent] == [(0, 1), (0, 0), (1, 0)]


@cocotb.test()
async def packets_are_held_back_for_every_fire(dut):
    """What waits for a verdict is told whatever waits in front of it, so that no packet takes its number."""
    bench = await Bench().begin(dut)
    await loaded(bench)
    bench.mac.ready = 0.0
    await cycles(dut, 4)
    for slot, tid, trusted in ((0, 15, 1), (1, 15, 1), (2, 3, 0), (3, 5, 0)):
        await bench.fire(slot, tid=tid, trusted=trusted)
    await cycles(dut, 3)
    assert int(dut.pending_valid.value) and int(dut.pending_tid.value) == 3
    # So far the packets go on; the next one comes when this fire has been judged.
    for tid in range(3, 11):
        await bench.verdict(tid, tid != 3)
    assert int(dut.pending_valid.value) and int(dut.pending_tid.value) == 3
    bench.mac.ready = 1.0
    while not bench.reports.sent:
        await RisingEdge(dut.clk)
    await cycles(dut, 4)  # the second frame has begun
    assert int(dut.pending_valid.value) and int(dut.pending_tid.value) == 3
    await bench.idle()
    assert not int(dut.pending_valid.value)
    assert [sent["slot"] for sent in bench.reports.sent] == [0, 1, 3]
    assert bench.reports.refused == [(2, "BAD_PACKET")]


@cocotb.test()
async def retried_is_told_of_it_alone(dut):
    """A fire that comes as a repeated frame ends, in any cycle, is none that is sent again."""
    bench = await Bench().begin(dut, speculate=1)
    orders = await loaded(bench)
    for wait in range(40):
        for slot in (0, 1):
            await bench.load(slot, orders[slot])
        await bench.registers(tcp_limit=100_000, leased=1)
        retried, count = bench.reports.counts["retried"], len(bench.reports.sent)
        await bench.fire(0, tid=wait % 16, trusted=0)
        while len(bench.reports.sent) == count:
            await RisingEdge(dut.clk)
        await bench.verdict(wait % 16, True)
        await cycles(dut, wait)
        await bench.fire(1)
        await bench.idle()
        assert [sent["poisoned"] for sent in bench.reports.sent[count:]] == [1, 0, 0]
        assert bench.reports.counts["retried"] == retried + 1


def test_order_sender():
    assert PERIOD_PS == 6400
    simulate(__file__, "order_sender")

"""trader_top whole: a feed's frame in, an order's frame out, in how many cycles, and what happens when
something is wrong."""

import struct

import cocotb
from cocotb.triggers import RisingEdge
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether

from harness import scaled, simulate
from orders import arming
from streams import cycles
from trader import (B, HEARTBEAT, INCREMENTAL, INCREMENTAL_ENTRY, Host, entry_message, feed_frame,
                    heartbeat, refresh)
from xgmii import Line, control, data

# From the XGMII word with the last byte that is needed to the word with the order's first byte, and from
# the FAST engine's word with that byte to the order's first word at the MAC; see docs/RTL-DATAPATH.md.
CORE = 17
MAC_TO_MAC = 23
# Behind the entry: the book's answer; behind the message, too: the fire, the order's first word.
ANSWER, FIRE, ORDER = 7, 9, 10
# Around the core: MAC, header parser; MAC.
RECEIVE, SEND = 3, 2
# What the state of things adds: the engine looks a template up that is not the last message's
# (MICROCODE.md section 6.5); a book without orders lays its window around the price (rtl/book/README.md).
LOOK_UP, EMPTY_BOOK = 7, 2
TICKS = scaled(200, 24)


async def trader(dut, **switches: int) -> Host:
    host = await Host(dut).start()
    await host.set_up(**switches)
    return host


def check_order(host: Host, frame: bytes, number: int, speculated: bool = False) -> None:
    """The order is what software would have built from scratch; scapy agrees with its sums."""
    size = len(host.slot.message)
    want = host.slot.sent(1000 + size * number, 555, 4096, 2 + number)
    assert frame == want
    packet = Ether(frame)
    again = Ether(frame)
    del again[IP].chksum, again[TCP].chksum
    again = Ether(bytes(again))
    assert again[IP].chksum == packet[IP].chksum and again[TCP].chksum == packet[TCP].chksum
    assert packet[TCP].seq == 1000 + size * number and packet[TCP].ack == 555


def engine_cycles(template: int, words: int, look_up: bool) -> int:
    """From the engine's word with the last byte of an entry to the entry's last records, and with them its
    message's end, by MICROCODE.md section 6 and counted from the first word. Of a message that is an entry the
    first row is dispatched in 3, the other in 4. Of a refresh of one entry time and length are dispatched in 3,
    the entry's rows in 4 and 5; that it is the only one is known by then. Each waits for its last word to be
    scanned; records come five cycles later. A word is registered once before."""
    last_row = max((4 if template == INCREMENTAL_ENTRY else 5) + LOOK_UP * look_up, words)
    return last_row + 5 - (words - 1) + 1


async def one_tick(
    host: Host, number: int, lane: int = 0, template: int = INCREMENTAL_ENTRY, **entry: int
) -> tuple[int, int]:
    """A tick, its order, and the cycle of every step of the way, which follows from its template, length and
    lane, and from what was before it. Gives the cycles of the core and from MAC to MAC."""
    tick = host.tick(**entry)
    message = entry_message(tick) if template == INCREMENTAL_ENTRY else refresh([tick])
    payload = host.packet(message)
    look_up, empty_book = host.last_template != template, host.resting == 0
    host.last_template = template
    host.resting += 1
    host.marks.clear()
    begin = await host.play(feed_frame(payload), lane=lane)
    await host.settle()
    assert len(host.sent) == number + 1, f"tick {number}: {host.marks}"
    sent, marks = host.sent[-1], host.marks
    assert sent.good
    check_order(host, sent.octets[:-4], number)

    # A frame's first byte is in the word behind Start's, in the same lane as that.
    at = lane + 42 + len(payload) - 1
    last = begin + 1 + at // 8
    words = (len(payload) + 7) // 8
    needed = marks.packet[words - 1]
    # Payload begins in lane 2 or 6: a word of it is whole with the lane before that in the line's next one,
    # or ends earlier, which that one has to tell.
    receive = RECEIVE + (at % 8 >= 2 + lane)
    entry = engine_cycles(template, words, look_up)
    shown = entry + EMPTY_BOOK * empty_book
    want = {
        "receive": receive, "end": entry, "answer": shown + ANSWER, "fire": shown + FIRE,
        "order": shown + ORDER, "wire": receive + shown + ORDER + SEND,
    }
    steps = {
        "receive": needed - last, "end": marks.end[0] - needed, "answer": marks.top[0] - needed,
        "fire": marks.fire[0] - needed, "order": marks.order[0] - needed, "wire": sent.first - last,
    }
    assert steps == want, f"tick {number}, {len(payload)} bytes, lane {lane}: {steps}, not {want}"
    if not look_up and not empty_book:
        # Of the least number of words the last row is a cycle behind the last one.
        short = words == (3 if template == INCREMENTAL_ENTRY else 4)
        assert steps["order"] == CORE + short
        assert steps["wire"] <= MAC_TO_MAC + short
    await host.over()
    return steps["order"], steps["wire"]


@cocotb.test()
async def ticks(dut):
    """Every tick becomes an order, each step in its number of cycles; what the registers say of it."""
    host = await trader(dut)
    # The first finds an engine that has not seen its template, and an empty book.
    assert await one_tick(host, 0, quantity=1000, order=1 << 20) == (26, 32)
    await host.registers.fields("control.pulses", clear_latency=1)
    await cycles(dut, 40)
    # Least and most are the same.
    took = {await one_tick(host, number, quantity=1000, order=number + (1 << 20))
            for number in range(1, TICKS)}
    assert took == {(17, 23)}

    counters = await host.registers.counters()
    for name in ("rx_good", "feed_a", "ab_passed_a", "verdict_good", "tx_sent", "engine_message",
                 "builder_message", "builder_entry", "market_applied", "market_show_top",
                 "order_fired"):
        assert counters.pop(name) == TICKS, name
    # Slots are armed once more than they fired; the host revived the book.
    assert counters == {"order_armed": TICKS + 1, "market_live": 1}
    for stage in range(5):
        assert await host.registers.read("latency.stage_count", stage) == TICKS - 1
        least = await host.registers.read("latency.stage_minimum", stage)
        most = await host.registers.read("latency.stage_maximum", stage)
        total = await host.registers.read("latency.stage_sum", stage)
        # Stamps are whole nanoseconds of a clock of 6.4.
        assert most - least <= 1 and least * (TICKS - 1) <= total <= most * (TICKS - 1)
    bins = [await host.registers.read("latency.bin", k) for k in range(32)]
    assert sum(bins) == TICKS - 1 and bins[least >> 4] > 0
    assert await host.top() == {
        "bid_valid": 1, "bid_price": 1_000, "bid_quantity": 1000 * TICKS, "bid_orders": TICKS,
    }
    assert await host.registers.read("orders.next_msg_seq") == 2 + TICKS


@cocotb.test()
async def cycles_of_a_tick(dut):
    """What the cycles depend on, each time exactly: length, lane, another template before, an empty
    book. Nothing else: the draw goes over all of them in any order."""
    host = await trader(dut)
    draw, usual = host.draw, {INCREMENTAL: set(), INCREMENTAL_ENTRY: set()}
    await one_tick(host, 0)
    for number in range(1, scaled(120, 32)):
        state = draw.choice(("as before", "as before", "heartbeat", "empty", "both"))
        if state in ("heartbeat", "both"):
            await host.play(feed_frame(host.packet(heartbeat())), lane=draw.choice((0, 4)))
            await host.settle(40)
            host.last_template = HEARTBEAT
        template = draw.choice((INCREMENTAL_ENTRY, INCREMENTAL_ENTRY, INCREMENTAL))
        if state in ("empty", "both"):
            await host.revive()
        entry = {}
        if draw.random() < 0.7:
            entry["order"] = number | (64 | draw.getrandbits(draw.choice((7, 20, 40, 54)))) << 8
            entry["quantity"] = 1 + draw.getrandbits(draw.choice((3, 10, 20, 30)))
        as_before = state == "as before" and host.last_template == template
        took = await one_tick(host, number, draw.choice((0, 4)), template, **entry)
        if as_before:
            usual[template].add(took)
    for template, most in ((INCREMENTAL_ENTRY, MAC_TO_MAC), (INCREMENTAL, MAC_TO_MAC + 1)):
        took = usual[template]
        dut._log.info("template %d: core, MAC to MAC: %s", template, sorted(took))
        assert {core for core, _ in took} <= {17, 18} and max(wire for _, wire in took) <= most


@cocotb.test()
async def bad_fcs(dut):
    """A tick whose frame turns out bad sends no order, and its instrument is stale. The other channel's
    copy of it goes on, proves that nothing is missing, and becomes the order."""
    host = await trader(dut)
    for number in range(scaled(20, 5)):
        payload = host.packet(entry_message(host.tick()))
        await host.play(feed_frame(payload), bad=True)
        await host.settle()
        assert len(host.sent) == number and not host.marks.refused
        assert not await host.registers.read("market.live")
        await host.play(feed_frame(payload, B))
        await host.settle()
        assert len(host.sent) == number + 1 and host.sent[-1].good
        check_order(host, host.sent[-1].octets[:-4], number)
        await host.over()
    counters = await host.registers.counters()
    for name in ("rx_bad_fcs", "verdict_bad", "verdict_good", "ab_aborted", "ab_passed_b"):
        assert counters[name] == scaled(20, 5)


@cocotb.test()
async def late_verdict(dut):
    """With much behind the tick in its packet, an order waits for the frame's end; with speculation it
    leaves at once, and leaves poisoned if the end is bad."""
    host = await trader(dut)
    # Behind the tick 80 messages of 11 bytes: longer than an order.
    tail = b"".join(heartbeat() for _ in range(80))

    async def tick(bad: bool):
        host.marks.clear()
        host.sent.clear()
        messages = entry_message(host.tick()) + tail
        begin = await host.play(feed_frame(host.packet(messages)), bad=bad)
        end = host.counter.cycle
        # The engine takes six cycles a heartbeat: it is behind the frame.
        await host.settle(600)
        return begin, end

    _, end = await tick(False)
    assert len(host.sent) == 1 and host.sent[0].first > end
    check_order(host, host.sent[0].octets[:-4], 0)
    await host.over()

    await host.registers.fields("control.switches", engine=1, orders=1, speculate=1)
    _, end = await tick(True)
    assert len(host.sent) >= 1 and host.sent[0].first < end
    assert all(frame.poisoned and not frame.good for frame in host.sent)
    counters = await host.registers.counters()
    assert counters["tx_poisoned"] == counters["order_poisoned"] == len(host.sent)
    assert counters["order_fired"] == 1
    # Nothing was used up, and the next good tick is an order.
    assert await host.registers.read("orders.next_msg_seq") == 3
    await host.revive()
    await host.command(7)
    await host.arm()
    host.sent.clear()
    await host.play(feed_frame(host.packet(entry_message(host.tick()))))
    await host.settle()
    assert [frame.good for frame in host.sent] == [True]
    check_order(host, host.sent[0].octets[:-4], 1)


@cocotb.test()
async def garbage(dut):
    """Noise on the line, broken frames, packets that are no FAST: nothing is sent, nothing hangs, and
    the next good tick is an order."""
    host = await trader(dut)
    draw = host.draw
    for _ in range(scaled(2000, 500)):
        dut.xgmii_rxd.value = draw.getrandbits(64)
        dut.xgmii_rxc.value = draw.choice((0, 0, 0, 0xFF, draw.getrandbits(8)))
        await RisingEdge(dut.clk)
    line = Line()
    for _ in range(scaled(30, 10)):
        frame = bytearray(feed_frame(host.packet(entry_message(host.tick()))))
        for _ in range(draw.randrange(1, 4)):
            frame[draw.randrange(len(frame))] ^= 1 << draw.randrange(8)
        line.frame(bytes(frame), draw.choice((0, 4)))
        line.characters += data(draw.randbytes(draw.randrange(30))) + control(0xFE)
    for _ in range(scaled(30, 10)):
        line.frame(b"", 0)
        del line.characters[-9:]
        noise = feed_frame(struct.pack("<I", 2**31 - 1000) + draw.randbytes(draw.randrange(1, 200)))
        from xgmii import with_fcs

        line.frame(with_fcs(noise), 0)
    from xgmii import play

    await play(dut.clk, dut.xgmii_rxd, dut.xgmii_rxc, line.words())
    await host.settle(600)
    assert not host.sent
    await host.registers.fields("control.pulses", resync=1)
    await host.revive()
    for _ in range(2):
        host.sent.clear()
        await host.play(feed_frame(host.packet(entry_message(host.tick()))))
        await host.settle()
        if host.sent:
            break
        await host.revive()
        await host.arm()
    assert [frame.good for frame in host.sent] == [True]
    check_order(host, host.sent[0].octets[:-4], 0)


@cocotb.test()
async def overload(dut):
    """Ticks without a pause while the host reads nothing: every entry reaches the book, the host's frames
    without room are counted, and the orders are as many as were armed."""
    host = await trader(dut)
    dut.m_axis_host_tready.value = 0
    burst = scaled(60, 30)
    frames = []
    for _ in range(burst):
        entries = [host.tick() for _ in range(host.draw.randrange(1, 12))]
        frames.append(feed_frame(host.packet(refresh(entries))))
        frames.append(bytes(Ether() / IP(dst="10.0.0.2") / TCP() / bytes(200)))
    await host.play(*frames, gap=9)
    await host.settle(1500)
    assert len(host.sent) == 1
    counters = await host.registers.counters()
    assert counters["market_applied"] == host.rpt_seq
    assert counters["rx_good"] == 2 * burst and counters["ab_passed_a"] == burst
    assert not {"market_overflow", "packet_dropped", "packet_cut", "market_jump"} & counters.keys()
    assert counters["host_overflow"] > 0
    assert (await host.top())["bid_orders"] == host.rpt_seq
    dut.m_axis_host_tready.value = 1
    await host.settle(800)
    assert len(host.host.frames) + counters["host_overflow"] == burst


@cocotb.test()
async def packets_wait_for_what_is_known_of_those_before(dut):
    """Two fires wait for the line behind a frame of the host while more packets come than there are
    numbers. What is known of their packet is not forgotten, since the packets behind wait, too."""
    host = await trader(dut)
    await host.strategy(bound=1_000, slot=1)
    for address, word in [*host.slot.writes(1), *arming(1)]:
        await host.registers.write("frames.word", word, address)
    await host.registers.fields("strategy.command", op=0, slot=1)
    while await host.registers.read("strategy.armed") & 3 != 3:
        pass
    # Twenty packets of the least size pass in the time of this frame.
    long = cocotb.start_soon(host.send(bytes(Ether() / IP(dst="10.0.0.9") / TCP() / bytes(8_000))))
    await cycles(dut, 20)
    frames = [feed_frame(host.packet(entry_message(host.tick())))]
    frames += [feed_frame(host.packet(heartbeat())) for _ in range(40)]
    await host.play(*frames)
    assert not [one for one in host.sent if len(one.octets) < 1000], "the line was not busy"
    held = await host.registers.read("levels.packets")
    assert held > 20, "packets wait"
    await long
    await host.settle(400)
    orders = [one for one in host.sent if len(one.octets) < 1000]
    assert len(orders) == 2 and all(one.good for one in orders)
    check_order(host, orders[0].octets[:-4], 0)
    check_order(host, orders[1].octets[:-4], 1)
    counters = await host.registers.counters()
    assert counters["engine_message"] == counters["verdict_good"] == 41
    assert not {"packet_dropped", "packet_cut"} & counters.keys()


@cocotb.test()
async def registers_meanwhile(dut):
    """Registers written and read at random while ticks come change no order and not a cycle of it."""
    host = await trader(dut)
    delays = set()
    busy = True

    async def meddle():
        draw, registers = host.draw, host.registers
        other = host.slot.writes(3)
        while busy:
            pick = draw.randrange(7)
            if pick == 0:
                await registers.write("identity.scratch", draw.getrandbits(32))
            elif pick == 1:
                address, word = draw.choice(other)
                await registers.write("frames.word", word, address)
            elif pick == 2:
                await registers.write("strategies.bound", draw.getrandbits(64), 5)
            elif pick == 3:
                await registers.write("watch.security_id", draw.getrandbits(40), 3)
            elif pick == 4:
                await registers.write("histogram.base", draw.getrandbits(10))
            elif pick == 5:
                await registers.read("counters.rx_good")
            else:
                await registers.read("tops.status")

    await one_tick(host, 0)
    for number in range(1, scaled(30, 8)):
        busy = True
        task = cocotb.start_soon(meddle())
        payload = host.packet(entry_message(host.tick()))
        begin = await host.play(feed_frame(payload))
        await host.settle()
        busy = False
        await task
        check_order(host, host.sent[-1].octets[:-4], number)
        delays.add(host.sent[-1].first - begin)
        await host.over()
    assert len(host.sent) == scaled(30, 8) and len(delays) == 1


@cocotb.test()
async def switches(dut):
    """Switched off, the engine swallows whole packets and orders are refused; frames are mirrored to the
    host; the host's own frames leave; the host's entries fire without a packet."""
    host = await trader(dut)
    fields = host.registers.fields
    await fields("control.switches", engine=0, orders=1, mirror=1)
    frame = feed_frame(host.packet(entry_message(host.tick())))
    await host.play(frame)
    await host.settle()
    assert not host.sent and (await host.registers.counters())["engine_swallowed"] == 1
    assert [bytes(one.payload) for one in host.host.frames] == [frame]
    await fields("control.switches", engine=1, orders=1)
    # The swallowed entry is a hole in RptSeq.
    await host.play(feed_frame(host.packet(entry_message(host.tick()))))
    await host.settle()
    assert not host.sent and not await host.registers.read("market.live")
    await host.revive()

    own = bytes(Ether() / IP(dst="10.0.0.9") / TCP() / bytes(80))
    await host.send(own)
    await host.settle()
    assert [one.octets[:-4] for one in host.sent] == [own]
    host.sent.clear()

    write = host.registers.write
    await write("inject.id", 1)
    await write("inject.price", 1_000)
    await write("inject.quantity", 5)
    await fields("inject.command", op=0)
    await fields("inject.command", op=10)
    await host.settle()
    assert len(host.sent) == 1
    check_order(host, host.sent[0].octets[:-4], 0)
    assert (await host.top())["bid_quantity"] == 5


def test_trader_top():
    simulate(
        __file__,
        "trader_top",
        {"INSTRUMENTS": 4, "HOST_DEPTH": 256, "PACKET_DEPTH": 1024},
    )

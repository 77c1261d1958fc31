"""fast_queue at its full width against a list: random pushes and pops at changing rates."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from harness import SEED, scaled, simulate
from streams import start

ELEMENT = 7 + 134  # with its first group
SKIPS = 7


@cocotb.test()
async def random_traffic(dut):
    draw = random.Random(SEED)
    names = ("push", "push_count", "push_packet", "push_flags", "push_ends")
    names += ("push_first", "push_lanes", "push_word", "push_end", "packet")
    names += ("push_hand_count", "push_other_count", "skip_first", "skip_second")
    names += ("packet_next", "blank", "taken", "last", "pops", "ended", "drop", "drop_packet")
    await start(dut, **dict.fromkeys(names, 0))
    queue = []  # (packet, flags, content, offset)
    packet, scanned, ended = 0, 0, [False, False]
    # Of the pop two cycles ago, and one; room is asked for a cycle before it is used.
    popped, before, blanked, room, pop, leaves = [None, None], 0, False, True, 0, False
    push_rate = pop_rate = 0.5
    most = drops = 0
    for cycle in range(scaled(8000, 1500)):
        if cycle % 40 == 0:
            push_rate, pop_rate = draw.choice((0.1, 0.9, 1.0)), draw.choice((0.05, 0.5, 1.0))
        may, room = room, before <= 16
        mine = [one for one in queue if one[0] == packet and not blanked]
        push = may and draw.random() < push_rate and not ended[scanned]
        end = not ended[scanned] and draw.random() < 0.1 and may
        count = draw.randrange(9) if draw.random() < 0.5 else 8
        skip = draw.choice((0, 0, 0, 1, 2))  # of those that there are
        # The lanes in which they end; the first may have carried bytes.
        lanes = sorted(draw.sample(range(8), count))
        word = draw.getrandbits(13)
        contents = [draw.getrandbits(7) << 134 | draw.getrandbits(4) << 128 | draw.getrandbits(64) for _ in range(8)]
        words = []
        for k, lane in enumerate(lanes):
            content = draw.getrandbits(ELEMENT) if k == 0 else contents[lane]
            words.append((draw.getrandbits(5), content, word << 3 | lane))
        short = [one >> 134 << 68 | (one >> 128 & 15) << 64 | one & (1 << 64) - 1 for one in contents]
        others = sum(one << 75 * b for b, one in enumerate(short))
        # What is dropped was in hand in the cycle before.
        drop = not blanked and not leaves and ended[packet] and draw.random() < 0.05
        last, pop = pop, 0
        if not drop and not last and draw.random() < pop_rate:
            pop = min(8, len(mine), draw.choice((8, draw.randrange(9))))
        blank = not pop and draw.random() < 0.05
        # Used up is what is there, shown or not.
        used = all(one[0] != packet for one in queue)
        leaves = ended[packet] and not pop and (drop or used) and draw.random() < 0.8
        single = count > 0 and skip == 0 and draw.random() < 0.1
        number = 0 if not push else 1 if single else max(count - skip, 0)
        dut.push.value, dut.push_count.value = push, number
        dut.push_hand_count.value = number if scanned == packet else 0
        dut.push_other_count.value = number if scanned != packet else 0
        dut.skip_first.value = (1 << SKIPS) - 1 if skip > 0 else 0
        dut.skip_second.value = (1 << SKIPS) - 1 if skip > 1 else 0
        dut.push_packet.value, dut.push_end.value = scanned, end
        dut.push_flags.value = sum(one[0] << 6 * k for k, one in enumerate(words))
        dut.push_ends.value = sum(1 << 8 * k + lane for k, lane in enumerate(lanes))
        dut.push_first.value = words[0][1] if words else draw.getrandbits(ELEMENT)
        dut.push_lanes.value, dut.push_word.value = others, word
        dut.packet.value, dut.packet_next.value, dut.blank.value = packet, packet ^ leaves, blank
        taken = pop or draw.randrange(9)
        dut.taken.value, dut.last.value = taken, 1 << taken >> 1
        dut.pops.value, dut.ended.value = pop > 0, ended[packet]
        dut.drop.value, dut.drop_packet.value = drop, packet
        await RisingEdge(dut.clk)
        assert int(dut.room.value) == room * ((1 << len(dut.room)) - 1)  # each bit says it
        if popped[0] is not None:
            assert int(dut.popped_offset.value) == popped[0]
        window, banks, base = int(dut.window.value), int(dut.banks.value), int(dut.base.value)
        for i in range(8):
            flags = window >> 6 * i & 63
            assert bool(flags & 32) == (i < len(mine)), f"cycle {cycle}: element {i}"
            if i < len(mine):
                content = banks >> ELEMENT * ((base + i) % 8) & (1 << ELEMENT) - 1
                assert (flags & 31, content) == mine[i][1:3]
        popped = [popped[1], mine[pop - 1][3] if pop else None]
        count = 1 if single else count
        before = len(queue) + number
        queue = [one for one in queue if one[0] != packet] if drop else queue[pop:]
        drops += drop and len(mine) > 4
        blanked = blank
        if push:
            queue += [(scanned, *one) for one in words[skip:count]]
        most = max(most, len(queue))
        # One packet behind the other; the one in hand is left when it is used up.
        if leaves:
            ended[packet] = False
            packet ^= 1
        if end:
            ended[scanned] = True
        if ended[scanned] and not ended[scanned ^ 1] and (scanned ^ 1) not in {one[0] for one in queue}:
            scanned ^= 1
    assert most == 32 and drops > 5


def test_fast_queue():
    simulate(__file__, "fast_queue")

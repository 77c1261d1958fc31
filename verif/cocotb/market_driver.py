"""Drives market_bench: entries of the feed and of the host in, shows, answers and fires out."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from feed_types import END, ENTRY, LIVE, SHOW_FIELDS, TOP, entry, pack, unpack

INPUTS = ("counted", "begin_valid", "begin_tid", "gap", "verdict_valid", "verdict_tid", "verdict_good", "s_entry_valid",
          "s_entry", "s_host_valid", "s_host", "hold", "reg_read", "reg_instrument", "reg_address",
          "config_write_valid", "config_write_address", "config_write_data", "command_valid",
          "command_op", "command_slot", "command_quantity", "kill_all", "kill", "rearm_valid",
          "rearm_slot", "exposure_instrument")


LIMIT = 20_000  # cycles that anything may take
QUEUE_DEPTH = 16  # market_bench's


class Driver:
    def __init__(self, dut, seed: int = 1):
        self.dut = dut
        self.random = random.Random(seed)
        self.cycle = 0
        self.fires, self.shows, self.answers = [], [], []
        self.events = {}
        self.tid = 0

    async def start(self, live: bool = True):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk, 6400, "ps").start())
        for name in INPUTS:
            getattr(dut, name).value = 0
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(self._watch())
        if live:
            for instrument in range(4):
                await self.host(entry(LIVE, instrument))
        await self.drain()
        return self

    async def _watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            self.cycle += 1
            if int(dut.fire_valid.value):
                price = int(dut.fire_price.value)
                self.fires.append({
                    "cycle": self.cycle, "slot": int(dut.fire_slot.value),
                    "instrument": int(dut.fire_instrument.value),
                    "price": price - (1 << 64) if price >> 63 else price,
                    "tid": int(dut.fire_tid.value), "tstamp": int(dut.fire_tstamp.value)})
            show = unpack(SHOW_FIELDS, int(dut.m_show.value))
            if show["valid"]:
                self.shows.append(show | {"cycle": self.cycle})
            top = unpack(TOP, int(dut.m_top.value))
            if top["valid"]:
                self.answers.append(top | {"cycle": self.cycle})

    async def feed(self, packed: int, gap: float = 0.0) -> int:
        """Offers an entry of the feed; the cycle in which it was offered."""
        dut = self.dut
        while self.random.random() < gap:
            await RisingEdge(dut.clk)
        dut.s_entry_valid.value = 1
        dut.s_entry.value = packed
        await RisingEdge(dut.clk)
        dut.s_entry_valid.value = 0
        return self.cycle + 1

    async def message(self, entries, now=0, tid=None, bad=0, gap=0.0, separate_end=False,
                      apart=1) -> int:
        """Entries as dictionaries of ENTRY's fields, one in so many cycles; the cycle of the last one."""
        self.tid = tid = self.tid + 1 & 15 if tid is None else tid
        entries = [dict(e) for e in entries]
        if separate_end or not entries:
            entries.append({"op": END})
        entries[-1] |= {"last": 1, "bad": bad}
        for values in entries:
            cycle = await self.feed(pack(ENTRY, **values, tid=tid, tstamp=now), gap)
            await self.idle(apart - 1)
        return cycle

    async def room(self, entries: int):
        """Until the market's queue has room for so many: a feed's line is slower than one a cycle."""
        # What was offered last is on its way to the queue, and not yet counted.
        await self.idle(4)
        for _ in range(LIMIT):
            if int(self.dut.u_market.level.value) + entries <= QUEUE_DEPTH:
                return
            await RisingEdge(self.dut.clk)
        assert False, "the queue stays full"

    async def host(self, packed: int):
        dut = self.dut
        dut.s_host_valid.value = 1
        dut.s_host.value = packed
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            if int(dut.s_host_ready.value):
                break
        else:
            assert False, "the host's entry is not taken"
        dut.s_host_valid.value = 0

    async def begin(self, tid: int, gap: bool = False):
        """A packet's first beat passes, far ahead of its entries."""
        dut = self.dut
        dut.begin_valid.value, dut.begin_tid.value, dut.gap.value = 1, tid & 15, int(gap)
        await RisingEdge(dut.clk)
        dut.begin_valid.value = dut.gap.value = 0
        await RisingEdge(dut.clk)

    async def verdict(self, tid: int, good: bool):
        dut = self.dut
        dut.verdict_valid.value, dut.verdict_tid.value, dut.verdict_good.value = 1, tid, int(good)
        await RisingEdge(dut.clk)
        dut.verdict_valid.value = 0

    async def idle(self, cycles: int):
        for _ in range(cycles):
            await RisingEdge(self.dut.clk)

    async def drain(self):
        """Until nothing is on its way."""
        quiet = 0
        for _ in range(LIMIT):
            if quiet == 16:
                return
            await RisingEdge(self.dut.clk)
            quiet = 0 if int(self.dut.busy.value) else quiet + 1
        assert False, "something stays on its way"

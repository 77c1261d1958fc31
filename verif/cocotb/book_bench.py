"""Drives the order book and compares every answer, and the cycle it comes in, with the model."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from book_model import BUY, DONE, FULL, NONE, OUTCOMES, SELL, Book, Command

LATENCY = 3  # cycles from the one that takes a command to the one that shows its top
END = object()  # no more commands


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


class Bench:
    def __init__(self, dut, seed: int = 1):
        self.dut = dut
        self.random = random.Random(seed)
        self.rank_bits = int(dut.RANK_BITS.value)
        self.stash = int(dut.STASH.value)
        self.book = Book(int(dut.DEPTH.value))
        self.cycle = 0
        self.taken = 0
        self.waited = 0  # cycles in which a command waited
        self.outcomes = [0] * len(OUTCOMES)
        self.unpredicted_full = 0
        self.tops = []
        self.keep_tops = False
        self.pending = []

    async def start(self):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk, 6400, "ps").start())
        for name in ("clear", "s_axis_tvalid", "s_axis_op", "s_axis_side", "s_axis_next_id",
                     "s_axis_price", "s_axis_quantity", "reg_read", "reg_address"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        await self.wiped()
        return self

    async def wiped(self):
        await RisingEdge(self.dut.clk)
        while int(self.dut.wiping_q.value):
            await RisingEdge(self.dut.clk)
        # The fronts report steady one cycle later.
        for _ in range(2):
            await RisingEdge(self.dut.clk)

    def _answer(self):
        """Checks the answer, or that there is none, in the cycle that just ended."""
        dut = self.dut
        valid = int(dut.m_axis_tvalid.value)
        due = bool(self.pending) and self.pending[0][0] + LATENCY == self.cycle
        assert valid == due, f"cycle {self.cycle}: answer {valid}, due {due}"
        if not due:
            return
        _, command, in_window = self.pending.pop(0)
        got = int(dut.m_axis_outcome.value)
        want = self.book.judge(command, in_window)
        if want == DONE and got == FULL and command.op == 0:
            assert int(dut.u_orders.stashed.value) == self.stash, "refused though the stash has room"
            self.unpredicted_full += 1
            want = FULL
        assert got == want, f"{command}: {OUTCOMES[got]}, not {OUTCOMES[want]}"
        self.outcomes[got] += 1
        if got == DONE and command.op != NONE:
            self.book.apply(command)
        top = []
        for side, name in ((BUY, "bid"), (SELL, "ask")):
            here = None
            if int(getattr(dut, f"m_axis_{name}_valid").value):
                here = (
                    signed(int(getattr(dut, f"m_axis_{name}_price").value)),
                    int(getattr(dut, f"m_axis_{name}_quantity").value),
                    int(getattr(dut, f"m_axis_{name}_orders").value),
                )
            assert here == self.book.best(side), (
                f"cycle {self.cycle}, {command}: {name} {here}, not {self.book.best(side)}"
            )
            top.append(here)
        if self.keep_tops:
            self.tops.append((got, *top))

    def _offers(self, commands, gap: float, longest_gap: int):
        """What is offered, cycle by cycle, as far as the book takes it: a command, or None."""
        for command in commands:
            if self.random.random() < gap:
                yield from [None] * self.random.randint(1, longest_gap)
            yield command

    async def run(self, commands, gap: float = 0.0, longest_gap: int = 12, limit: int = 200_000):
        """Offers the commands; `gap` is the chance of idle cycles before one."""
        dut = self.dut
        offers = self._offers(commands, gap, longest_gap)
        offered, done = None, False
        stop_at = None
        limit_at = self.cycle + limit
        while True:
            if done and offered is None and stop_at is None:
                stop_at = self.cycle + LATENCY + 1
            showing = offered is not None
            dut.s_axis_tvalid.value = int(showing)
            if showing:
                dut.s_axis_op.value = offered.op
                dut.s_axis_side.value = offered.side
                dut.s_axis_price.value = offered.price & (1 << 64) - 1
                dut.s_axis_quantity.value = offered.quantity
            await FallingEdge(dut.clk)
            taken = showing and int(dut.s_axis_tready.value)
            command = offered
            if taken or not showing:
                offered = next(offers, END)
                done = done or offered is END
                offered = None if offered is END else offered
            # Whatever is there while nothing comes does not matter.
            dut.s_axis_next_id.value = offered.id if offered else self.random.getrandbits(64)
            await RisingEdge(dut.clk)
            self._answer()
            if taken:
                self.pending.append((self.cycle, command, self._in_window(command)))
                self.taken += 1
                limit_at = self.cycle + limit
            elif showing:
                self.waited += 1
            self.cycle += 1
            if stop_at is not None and self.cycle > stop_at:
                assert not self.pending
                return
            if offered is not None:
                assert self.cycle < limit_at, "the book takes no more commands"

    def _in_window(self, command) -> bool:
        quarter = 1 << self.rank_bits - 2
        base = int(self.dut.base_q.value) * quarter
        base = base - (1 << 64) if base >> 63 else base
        return base <= command.price < base + 4 * quarter

    async def read(self, address: int) -> int:
        self.dut.reg_address.value = address
        self.dut.reg_read.value = 1
        await RisingEdge(self.dut.clk)
        self.dut.reg_read.value = 0
        await RisingEdge(self.dut.clk)
        value = int(self.dut.reg_data.value)
        self.cycle += 2
        return value

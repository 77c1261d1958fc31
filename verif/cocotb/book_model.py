"""The order book as a few lines of Python: what saker-book's OrderBook does, and no more."""

from bisect import bisect_left, insort
from dataclasses import dataclass, field

NEW, CHANGE, DELETE, NONE = range(4)
BUY, SELL = range(2)
DONE, ZERO, DUPLICATE, UNKNOWN, FULL, OUT_OF_RANGE = range(6)
OUTCOMES = ["done", "zero", "duplicate", "unknown", "full", "out of range"]


@dataclass(frozen=True)
class Command:
    op: int
    side: int = BUY
    id: int = 0
    price: int = 0
    quantity: int = 0


@dataclass
class Book:
    """Orders by id, and for each side its prices (as ranks, ascending) with quantity and count."""

    depth: int
    order_bits: int = 32
    orders: dict = field(default_factory=dict)
    levels: tuple = field(default_factory=lambda: ({}, {}))
    ranks: tuple = field(default_factory=lambda: ([], []))
    counts: list = field(default_factory=lambda: [0, 0])

    @staticmethod
    def rank(side: int, price: int) -> int:
        return price if side == BUY else -price

    def judge(self, command: Command, in_window: bool) -> int:
        """The outcome that the command must have, in the golden model's order of precedence."""
        rests = command.id in self.orders
        refused = command.quantity >> self.order_bits != 0 or not in_window
        if command.op == NEW:
            if command.quantity == 0:
                return ZERO
            if rests:
                return DUPLICATE
            if refused:
                return OUT_OF_RANGE
            if self.counts[command.side] == self.depth:
                return FULL
        elif command.op == CHANGE:
            if not rests:
                return UNKNOWN
            if command.quantity == 0:
                return ZERO
            if refused:
                return OUT_OF_RANGE
        elif command.op == DELETE and not rests:
            return UNKNOWN
        return DONE

    def apply(self, command: Command) -> None:
        """Applies a command whose outcome is DONE."""
        if command.op in (CHANGE, DELETE):
            side, price, quantity = self.orders.pop(command.id)
            self._level(side, price, -quantity, -1)
        else:
            side = command.side
        if command.op in (NEW, CHANGE):
            self.orders[command.id] = (side, command.price, command.quantity)
            self._level(side, command.price, command.quantity, 1)

    def _level(self, side: int, price: int, quantity: int, orders: int) -> None:
        levels, ranks = self.levels[side], self.ranks[side]
        self.counts[side] += orders
        if price not in levels:
            levels[price] = [0, 0]
            insort(ranks, self.rank(side, price))
        level = levels[price]
        level[0] += quantity
        level[1] += orders
        if level[1] == 0:
            assert level[0] == 0
            del levels[price]
            del ranks[bisect_left(ranks, self.rank(side, price))]

    def best(self, side: int):
        """(price, quantity, orders), or None."""
        if not self.ranks[side]:
            return None
        price = self.rank(side, self.ranks[side][-1])
        return (price, *self.levels[side][price])

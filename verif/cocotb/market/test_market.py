"""market and strategy_slots against crates/trader's Market and Engine, and their own rules."""

import json
import shutil
import subprocess
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge

from feed_types import (BEHIND, BROKEN, CHANGE, CLEAR, COUNTERS, DELETE, DONE, DUPLICATE, END, ENTRY,
                        GAP, LIVE, LOST, NEW, OLD, OTHER, POISONED, SHOW, TRADE, ANSWER_BROKEN,
                        ANSWER_STALE, entry, pack, unpack)
from harness import SEED, scaled, simulate
from market_driver import Driver
from slots import ARM, SOURCE_BID, SOURCE_OFFER, SOURCE_TRADE, command, configure, exposure, settle
from sources import BUILD, ROOT

VECTORS = BUILD / "cocotb" / "market_vectors"
RUNS = scaled(3, 1)
FIELDS = ("op", "instrument", "side", "id", "price", "quantity", "rpt_seq")


def vectors(run: int) -> list[dict] | None:
    """What crates/trader says about a random market; None where there is no cargo."""
    path = VECTORS.with_suffix(f".{run}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else None


async def replay(dut, steps: list[dict], gap: float) -> int:
    """Gives how often the strategies fired."""
    driver = await Driver(dut, SEED).start()
    expected = []
    for slot, plan in enumerate(steps[0]["slots"]):
        await configure(dut, slot, plan)
    await settle(dut)
    for step in steps[1:-1]:
        expected += [(*fire, step["now"]) for fire in step["fires"]]
        if "message" in step:
            entries = [dict(zip(FIELDS, line)) for line in step["message"]]
            # What does not fit is lost here and not in software; another test has that.
            await driver.room(len(entries) + 1)
            await driver.message(entries, step["now"], gap=gap,
                                 separate_end=driver.random.random() < 0.3)
            continue
        await driver.drain()
        if "host" in step:
            for line in step["host"]:
                values = dict(zip(FIELDS, line))
                await driver.host(pack(ENTRY, **values, tstamp=step["now"]))
        elif "command" in step:
            await command(dut, *step["command"])
        else:
            dut.kill_all.value = int(step["on"])
            await driver.idle(2)
    await driver.drain()
    await driver.idle(10)
    got = [(f["slot"], f["instrument"], f["price"], f["tstamp"]) for f in driver.fires]
    for at, (here, there) in enumerate(zip(got, expected)):
        assert here == there, f"fire {at}: {here}, not {there}"
    assert len(got) == len(expected), f"{len(got)} fires, not {len(expected)}"
    counters = unpack(COUNTERS, int(dut.strategy_counters.value))
    assert list(counters.values())[:6] == steps[-1]["counters"]
    assert counters["missed"] == 0
    for instrument, want in enumerate(steps[-1]["exposures"]):
        assert await exposure(dut, instrument) == want
    return len(expected)


@cocotb.test()
async def fires_as_the_software_does(dut):
    fires = {}
    for run in range(RUNS):
        steps = vectors(run)
        if steps is not None:
            fires[run] = await replay(dut, steps, gap=(0.0, 0.5, 0.9)[run])
    # How often differs with what the strategies happen to be.
    assert all(count > 20 for count in fires.values()), fires


PLAN = {"instrument": 0, "source": SOURCE_OFFER, "at_most": 1, "bound": 100, "sell": 0, "quantity": 5,
        "rearm": 1, "cooldown": 0, "max_order_quantity": 10, "max_open_orders": 3,
        "max_position": 100}


async def armed(dut, **changes) -> Driver:
    """A market in which slot 0 buys instrument 0 when it is offered at 100 or less."""
    driver = await Driver(dut, SEED).start()
    await configure(dut, 0, PLAN | changes)
    await command(dut, ARM, 0)
    await settle(dut)
    return driver


def order(op, rpt_seq, id=1, price=100, quantity=7, side=1, instrument=0):
    return {"op": op, "instrument": instrument, "side": side, "id": id, "price": price,
            "quantity": quantity, "rpt_seq": rpt_seq}


@cocotb.test()
async def an_entry_is_answered_in_six_cycles_and_fires_in_eight(dut):
    driver = await armed(dut)
    # The empty book lays its window first.
    await driver.message([order(NEW, 1, id=9, price=120)])
    await driver.drain()
    driver.answers.clear(), driver.shows.clear()
    offered = await driver.message([order(NEW, 2)], now=77, tid=5)
    await driver.drain()
    answer, show, fire = driver.answers[-1], driver.shows[-1], driver.fires[-1]
    assert answer["cycle"] == show["cycle"] == offered + 6
    assert fire["cycle"] == offered + 8
    assert (answer["answer"], answer["ask_price"], answer["ask_quantity"]) == (DONE, 100, 7)
    assert (fire["slot"], fire["instrument"], fire["price"]) == (0, 0, 100)
    assert (fire["tid"], fire["tstamp"]) == (5, 77)
    assert len(driver.fires) == 1, "once for each arming"


@cocotb.test()
async def a_trade_is_shown_at_once_and_a_top_when_the_message_ends(dut):
    driver = await armed(dut, source=SOURCE_TRADE, at_most=0)
    first = await driver.feed(pack(ENTRY, **order(NEW, 1)))
    await driver.idle(20)
    assert not driver.shows
    trade = await driver.feed(pack(ENTRY, op=TRADE, price=101, quantity=1, rpt_seq=2))
    await driver.idle(20)
    assert [s["trade"] for s in driver.shows] == [1]
    assert driver.shows[0]["cycle"] == trade + 6
    assert driver.fires[0]["cycle"] == trade + 8 and driver.fires[0]["price"] == 101
    assert first < trade
    end = await driver.feed(entry(END, last=1))
    await driver.drain()
    assert [s["trade"] for s in driver.shows] == [1, 0]
    assert driver.shows[1]["cycle"] == end + 6 and driver.shows[1]["ask_price"] == 100


@cocotb.test()
async def tops_of_one_message_come_in_the_order_in_which_they_changed(dut):
    driver = await Driver(dut, SEED).start()
    for instrument in range(4):
        await driver.message([order(NEW, 1, instrument=instrument, price=200)])
    await driver.drain()
    driver.shows.clear()
    entries = [order(NEW, 2, id=2, instrument=2, price=300),  # deeper: changes no top
               order(NEW, 2, id=2, instrument=3), order(NEW, 2, id=2, instrument=0),
               order(NEW, 3, id=3, instrument=2), order(NEW, 3, id=3, instrument=3, price=90)]
    last = await driver.message(entries, apart=2)
    # The next message is held back, and finds the tops of this one already shown.
    await driver.message([order(DELETE, 4, id=3, instrument=2)])
    await driver.drain()
    assert [(s["instrument"], s["ask_price"]) for s in driver.shows] == [
        (3, 90), (0, 100), (2, 100), (2, 200)]
    assert [s["cycle"] - last for s in driver.shows] == [8, 9, 10, 11]


@cocotb.test()
async def rpt_seq_is_what_makes_an_entry_the_next(dut):
    driver = await armed(dut)
    await driver.message([order(NEW, 1, price=150)])
    await driver.message([order(NEW, 1, id=2)])  # seen
    await driver.message([order(NEW, 3, id=3)])  # a hole
    await driver.message([order(NEW, 4, id=4)])
    await driver.drain()
    assert [a["answer"] for a in driver.answers[-4:]] == [DONE, OLD, GAP, ANSWER_STALE]
    assert not driver.fires and int(dut.live.value) == 0b1110
    # The host is told that the feed is ahead, catches up, and shows what was withheld.
    await driver.host(entry(LIVE, rpt_seq=3))
    await driver.host(entry(SHOW))
    await driver.host(entry(NEW, id=3, side=1, price=100, quantity=1))
    await driver.host(entry(LIVE, rpt_seq=4))
    await driver.host(entry(SHOW))
    await driver.drain()
    assert [a["answer"] for a in driver.answers[-5:]] == [BEHIND, ANSWER_STALE, DONE, DONE, DONE]
    assert len(driver.fires) == 1 and int(dut.live.value) == 0b1111
    await driver.message([order(DELETE, 5, id=3)])
    await driver.drain()
    assert driver.answers[-1]["answer"] == DONE and driver.answers[-1]["ask_price"] == 150


@cocotb.test()
async def a_refused_entry_needs_a_rebuilt_book(dut):
    driver = await armed(dut)
    # The three behind a refused one are on their way already; none is shown.
    await driver.message([order(NEW, 1, price=150), order(NEW, 2, price=150),
                          {"op": TRADE, "price": 1, "quantity": 1, "rpt_seq": 3},
                          order(NEW, 4, id=5)])
    await driver.drain()
    assert driver.answers[1 - len(driver.answers)]["answer"] in (DONE, DUPLICATE)
    assert DUPLICATE in [a["answer"] for a in driver.answers]
    assert not driver.shows and not driver.fires and int(dut.live.value) == 0b1110
    await driver.host(entry(LIVE, rpt_seq=4))
    await driver.drain()
    assert driver.answers[-1]["answer"] == BEHIND
    await driver.host(entry(CLEAR))
    await driver.host(entry(NEW, id=1, side=1, price=90, quantity=2))
    await driver.host(entry(LIVE, rpt_seq=4))
    await driver.host(entry(SHOW))
    await driver.drain()
    assert int(dut.live.value) == 0b1111
    assert [f["price"] for f in driver.fires] == [90]


@cocotb.test()
async def a_bad_verdict_counts_up_to_the_cycle_of_admission(dut):
    driver = await Driver(dut, SEED).start()

    async def judge(tid: int, cycles: int):
        await driver.idle(cycles)
        await driver.verdict(tid, False)

    # Before the entry is offered, with it, while it is admitted, and behind that.
    for instrument, offset in enumerate((-1, 0, 1, 2)):
        tid = 2 * instrument + 1
        await driver.message([order(NEW, 1, instrument=instrument)], tid=tid - 1)
        await driver.drain()
        cocotb.start_soon(judge(tid, 8 + offset))
        await driver.idle(8)
        await driver.message([order(NEW, 2, id=2, instrument=instrument)], tid=tid)
        await driver.drain()
        assert driver.answers[-1]["answer"] == (POISONED if offset <= 1 else DONE), offset
        assert not int(dut.live.value) >> instrument & 1


@cocotb.test()
async def a_book_that_is_wiped_holds_up_no_other(dut):
    driver = await Driver(dut, SEED).start()
    await driver.host(entry(CLEAR))
    waiting = cocotb.start_soon(driver.host(entry(NEW, id=1, side=1, price=90, quantity=2)))
    await driver.idle(10)
    offered = await driver.message([order(OTHER, 1, instrument=1)])
    await driver.idle(8)
    assert driver.answers[-1]["instrument"] == 1 and driver.answers[-1]["cycle"] == offered + 6
    await waiting
    await driver.drain()


@cocotb.test()
async def what_follows_waits_for_the_tops_of_a_message(dut):
    driver = await Driver(dut, SEED).start()
    for instrument in (3, 0, 2):
        await driver.message([order(NEW, 1, instrument=instrument, price=200)])
    await driver.drain()
    driver.shows.clear()
    last = await driver.message([order(NEW, 2, id=2, instrument=i) for i in (3, 0, 2)], apart=2)
    await driver.host(entry(LIVE, 1))
    await driver.drain()
    assert [s["cycle"] - last for s in driver.shows] == [8, 9, 10]
    assert driver.answers[-1]["op"] == LIVE and driver.answers[-1]["cycle"] == last + 11


@cocotb.test()
async def unreadable_entries_make_stale(dut):
    driver = await Driver(dut, SEED).start()
    await driver.message([{"op": BROKEN, "instrument": 2}])
    await driver.drain()
    assert int(dut.live.value) == 0b1011 and driver.answers[-1]["answer"] == ANSWER_BROKEN
    await driver.message([{"op": LOST}])
    await driver.drain()
    assert int(dut.live.value) == 0
    dut.counted.value = 1
    await driver.host(entry(LIVE, 1, rpt_seq=0))
    await driver.message([{"op": BROKEN, "instrument": 1}])
    await driver.message([{"op": TRADE, "instrument": 1, "rpt_seq": 9, "price": 3, "quantity": 1}])
    await driver.drain()
    assert int(dut.live.value) == 0b0010 and driver.shows[-1]["trade"] == 1


@cocotb.test()
async def what_a_later_entry_breaks_was_shown_before(dut):
    """A trade fires although the next entry, in the next cycle, makes its instrument stale; with a bad
    verdict in its place it does not."""
    trade = {"op": TRADE, "price": 100, "quantity": 1, "rpt_seq": 1, "last": 1}
    for behind in (entry(BROKEN, last=1), pack(ENTRY, **order(NEW, 9), last=1), None):
        driver = await armed(dut, source=SOURCE_TRADE)
        traded = await driver.feed(pack(ENTRY, **trade, tid=3))
        if behind is None:
            await driver.verdict(3, False)
        else:
            await driver.feed(behind)
        await driver.drain()
        assert not int(dut.live.value) & 1
        assert [fire["cycle"] for fire in driver.fires] == ([] if behind is None else [traded + 8])


@cocotb.test()
async def a_trade_that_is_not_applied_hides_no_bid(dut):
    """Its price is where the bid's would be; a message that ends with it shows the top all the same."""
    driver = await Driver(dut, SEED).start()
    await driver.message([order(NEW, 1, side=0), {"op": TRADE, "price": 55, "quantity": 1, "rpt_seq": 1}])
    await driver.drain()
    assert [a["answer"] for a in driver.answers[-2:]] == [DONE, OLD]
    assert [(s["trade"], s["bid_valid"], s["bid_price"]) for s in driver.shows] == [(0, 1, 100)]


@cocotb.test()
async def a_book_that_is_emptied_shows_nothing(dut):
    """A top waits behind a trade; the host empties the book in any cycle around it."""
    driver = await Driver(dut, SEED).start()
    entries = [order(NEW, 1), {"op": TRADE, "price": 100, "quantity": 1, "rpt_seq": 2}]
    shown = set()
    for wait in range(16):
        driver.shows.clear()
        await driver.message(entries)
        await driver.idle(wait)
        await driver.host(entry(CLEAR))
        await driver.drain()
        tops = [show for show in driver.shows if not show["trade"]]
        assert all(show["ask_valid"] for show in tops), f"emptied after {wait} cycles"
        shown.add(len(tops))
        await driver.host(entry(LIVE))
        await driver.drain()
    assert shown == {0, 1}


@cocotb.test()
async def a_message_ends_with_the_last_instrument_that_it_touched(dut):
    """An entry waits for its book and is poisoned meanwhile: its instrument was not touched by it."""
    levels, deleted = 40, 8
    ends = set()
    for wait in range(40):
        driver = await Driver(dut, SEED).start()
        for level in range(levels):
            await driver.message([order(NEW, level + 1, id=level, price=100 + level, instrument=1)], apart=2)
        await driver.drain()
        driver.answers.clear()
        # The first levels of one book end, until it has to fetch others.
        entries = []
        for at in range(deleted):
            entries += [order(NEW, at + 1, id=at), order(DELETE, levels + at + 1, id=at, instrument=1)]
        tid = driver.tid + 1 & 15

        async def judge():
            await driver.idle(wait)
            await driver.verdict(tid, False)

        told = cocotb.start_soon(judge())
        await driver.message(entries, tid=tid, separate_end=True, apart=2)
        await told
        await driver.drain()
        *said, end = driver.answers
        applied = [a["instrument"] for a in said if a["answer"] == DONE]
        if applied:
            assert end["op"] == END and end["instrument"] == applied[-1], f"bad after {wait} cycles"
            ends.add(applied[-1])
    assert ends == {0, 1}


@cocotb.test()
async def a_bad_verdict_holds_back_what_comes_with_it(dut):
    """A trade of the next packet does not fire, in whichever cycle around its own the verdict comes that
    makes its instrument stale."""
    trade = {"op": TRADE, "price": 100, "quantity": 1, "rpt_seq": 2, "last": 1, "tid": 4}
    for wait in (None, *range(8)):
        driver = await armed(dut, source=SOURCE_TRADE)
        await driver.message([order(NEW, 1, price=150)], tid=3)
        await driver.drain()

        async def tell():
            await driver.idle(wait)
            await driver.verdict(3, False)

        told = cocotb.start_soon(tell()) if wait is not None else None
        await driver.idle(3)
        await driver.feed(pack(ENTRY, **trade))
        if told:
            await told
        await driver.drain()
        assert len(driver.fires) == (wait is None), f"verdict after {wait} cycles"


@cocotb.test()
async def what_a_bad_packet_touched_is_stale(dut):
    for when in ("before", "between", "after", "with"):
        driver = await armed(dut)
        await driver.verdict(6, True)
        await driver.message([order(NEW, 1, price=150), order(NEW, 1, instrument=1)], tid=6)
        await driver.drain()
        driver.answers.clear()
        touches = order(NEW, 2, id=2, instrument=1), order(NEW, 2, id=2, price=140)
        if when == "before":
            await driver.verdict(7, False)
            await driver.message(touches, tid=7)
        elif when == "between":
            await driver.message(touches[:1], tid=7)
            await driver.verdict(7, False)
            await driver.message(touches[1:], tid=7)
        elif when == "after":
            await driver.message(touches, tid=7)
            await driver.drain()
            assert int(dut.live.value) == 0b1111
            await driver.verdict(7, False)
        else:
            sent = cocotb.start_soon(driver.message(touches, tid=7))
            await RisingEdge(dut.clk)
            await driver.verdict(7, False)
            await sent
        await driver.drain()
        assert int(dut.live.value) == 0b1100, when
        if when == "before":
            assert {a["answer"] for a in driver.answers} == {POISONED}
        # The next packet with another number is judged by itself.
        await driver.message([order(NEW, 1, instrument=3)], tid=8)
        await driver.verdict(8, True)
        await driver.drain()
        assert int(dut.live.value) == 0b1100
        # The number comes round again: no longer bad.
        await driver.verdict(6, True)
        await driver.message([order(NEW, 2, id=8, instrument=3)], tid=7)
        await driver.drain()
        assert driver.answers[-1]["answer"] == DONE and not driver.fires


@cocotb.test()
async def a_message_with_an_error_takes_back_what_it_said(dut):
    driver = await armed(dut)
    await driver.message([order(NEW, 1), order(NEW, 1, instrument=2)], bad=1, separate_end=True)
    await driver.drain()
    assert int(dut.live.value) == 0 and not driver.fires
    # Others may have lost entries: their next one tells.
    await driver.message([order(NEW, 1, instrument=3)])
    await driver.message([order(NEW, 2, instrument=1)])
    await driver.drain()
    assert int(dut.live.value) == 0b1000
    await driver.host(entry(LIVE, 0, rpt_seq=1))
    await driver.drain()
    assert driver.answers[-1]["answer"] == BEHIND, "its book is not sound"


@cocotb.test()
async def without_rpt_seq_a_lost_packet_needs_the_host(dut):
    driver = await armed(dut)
    await driver.message([order(NEW, 0, price=150)])
    await driver.begin(driver.tid + 1, gap=True)
    assert not int(dut.live.value)
    await driver.message([order(NEW, 0, id=2)])
    await driver.drain()
    assert int(dut.live.value) == 0 and not driver.fires
    await driver.message([order(NEW, 1, instrument=1)])
    await driver.drain()
    assert int(dut.live.value) == 0b0010
    await driver.host(entry(LIVE))
    await driver.host(entry(SHOW))
    await driver.drain()
    assert [f["price"] for f in driver.fires] == [100]


@cocotb.test()
async def a_gap_holds_behind_what_was_before_it(dut):
    """Entries of the packet before the missing ones come when the gap is known already: they are shown,
    and prove nothing. Those behind it prove their own instrument, by RptSeq; without, nothing."""
    for rpt_seq in (True, False):
        driver = await armed(dut)
        await driver.message([order(NEW, int(rpt_seq), id=3, instrument=1)], tid=1)
        await driver.drain()
        await driver.begin(2)
        await driver.begin(3, gap=True)
        await RisingEdge(dut.clk)
        assert not int(dut.live.value)
        await driver.message([order(NEW, int(rpt_seq))], tid=2)
        await driver.drain()
        assert [f["price"] for f in driver.fires] == [100] and not int(dut.live.value)
        await driver.message([order(NEW, 2 * rpt_seq, instrument=1)], tid=3)
        await driver.drain()
        assert int(dut.live.value) == (0b0010 if rpt_seq else 0)
        # The older one's number comes again.
        await driver.begin(2)
        await driver.message([order(NEW, 2 * rpt_seq, id=2)], tid=2)
        await driver.drain()
        assert int(dut.live.value) == (0b0011 if rpt_seq else 0)
    # A second gap before an entry has come behind the first.
    driver = await armed(dut)
    await driver.begin(1, gap=True)
    await driver.begin(2, gap=True)
    await driver.message([order(NEW, 1)], tid=1)
    await driver.drain()
    assert not int(dut.live.value) and len(driver.fires) == 1
    await driver.message([order(NEW, 1, instrument=1)], tid=2)
    await driver.drain()
    assert int(dut.live.value) == 0b0010
    # The first packet behind it says nothing: the next one is behind it, too.
    driver = await armed(dut)
    await driver.begin(1, gap=True)
    await driver.begin(2)
    await driver.message([order(NEW, 1, instrument=1)], tid=2)
    await driver.drain()
    assert int(dut.live.value) == 0b0010
    # What the host says comes behind it, too.
    driver = await armed(dut)
    await driver.begin(1, gap=True)
    await driver.host(entry(LIVE, 2))
    await driver.drain()
    assert int(dut.live.value) == 0b0100


@cocotb.test()
async def tells_whose_entry_and_whose_event_wait(dut):
    driver = await armed(dut, max_open_orders=9)
    assert not int(dut.entries_pending.value) and not int(dut.events_pending.value)
    dut.hold.value = 1
    await driver.idle(3)
    for tid in (4, 5, 6):
        await driver.message([order(OTHER, tid - 3)], tid=tid)
    await driver.idle(3)
    assert int(dut.entries_pending.value) and int(dut.entries_tid.value) == 4
    dut.hold.value = 0
    await driver.drain()
    assert not int(dut.entries_pending.value)
    # A second slot waits for the limits that the first one's fire changes.
    await configure(dut, 1, PLAN | {"max_open_orders": 9})
    await command(dut, ARM, 1)
    await settle(dut)
    await driver.message([order(NEW, 4)], tid=7)
    while not driver.fires:
        await RisingEdge(dut.clk)
    assert int(dut.events_pending.value) and int(dut.events_tid.value) == 7
    await driver.drain()
    assert len(driver.fires) == 2 and not int(dut.events_pending.value)


@cocotb.test()
async def entries_without_room_are_told(dut):
    driver = await armed(dut)
    dut.hold.value = 1
    await driver.idle(3)
    for at in range(30):
        await driver.feed(pack(ENTRY, **order(OTHER, at + 1), last=1))
    await driver.idle(4)
    assert int(dut.live.value) == 0
    dut.hold.value = 0
    await driver.drain()
    assert int(dut.live.value) == 0 and len(driver.answers) < 30 + 4


def make_vectors():
    """Has saker-trader print markets; where there is no cargo, the test that needs them says so."""
    VECTORS.parent.mkdir(parents=True, exist_ok=True)
    for run in range(RUNS):
        path = VECTORS.with_suffix(f".{run}.jsonl")
        path.unlink(missing_ok=True)
        if not shutil.which("cargo"):
            print("no cargo: not compared with saker-trader")
            continue
        command = ["cargo", "run", "-q", "--locked", "--release", "-p", "saker-trader", "--example",
                   "market_vectors", "--", str(SEED + run), str(scaled(3_000, 600))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        path.write_text(done.stdout)


def test_market():
    make_vectors()
    here = Path(__file__).parent
    simulate(__file__, "market_bench", extra_sources=[here / "market_bench.sv"])

"""A market of one instrument: every index has a single value."""

from pathlib import Path

import cocotb

from feed_types import CLEAR, DONE, ENTRY, LIVE, NEW, TRADE, entry, pack
from harness import SEED, simulate
from market_driver import Driver
from slots import ARM, SOURCE_OFFER, SOURCE_TRADE, command, configure, settle

PLAN = {"instrument": 0, "source": SOURCE_OFFER, "at_most": 1, "bound": 100, "sell": 0, "quantity": 5,
        "rearm": 1, "cooldown": 0, "max_order_quantity": 10, "max_open_orders": 9,
        "max_position": 100}


async def one(dut) -> Driver:
    driver = await Driver(dut, SEED).start(live=False)
    await configure(dut, 0, PLAN)
    await configure(dut, 1, PLAN | {"source": SOURCE_TRADE})
    await command(dut, ARM, 0)
    await command(dut, ARM, 1)
    await settle(dut)
    await driver.host(entry(LIVE))
    await driver.drain()
    assert int(dut.live.value) == 1
    return driver


@cocotb.test()
async def entries_are_answered_shown_and_fired_upon(dut):
    driver = await one(dut)
    await driver.message([{"op": NEW, "side": 1, "id": 1, "price": 120, "quantity": 3, "rpt_seq": 1}])
    await driver.drain()
    at = await driver.message([{"op": NEW, "side": 1, "id": 2, "price": 100, "quantity": 7,
                                "rpt_seq": 2}])
    await driver.drain()
    assert driver.answers[-1]["answer"] == DONE and driver.answers[-1]["ask_price"] == 100
    assert driver.shows[-1]["cycle"] == at + 8
    assert [(fire["slot"], fire["cycle"]) for fire in driver.fires] == [(0, at + 10)]
    # A trade, then the top that its message changed.
    shown = len(driver.shows)
    await driver.message([{"op": TRADE, "price": 99, "quantity": 1, "rpt_seq": 3},
                          {"op": NEW, "side": 1, "id": 3, "price": 98, "quantity": 1, "rpt_seq": 4}])
    await driver.drain()
    assert [show["trade"] for show in driver.shows[shown:]] == [1, 0]
    assert driver.shows[-1]["ask_price"] == 98
    assert [fire["slot"] for fire in driver.fires] == [0, 1]


@cocotb.test()
async def a_hole_and_a_bad_packet_make_it_stale(dut):
    driver = await one(dut)
    await driver.message([{"op": NEW, "side": 1, "id": 1, "price": 120, "quantity": 3, "rpt_seq": 2}])
    await driver.drain()
    assert not int(dut.live.value)
    await driver.host(entry(CLEAR))
    await driver.host(entry(LIVE, rpt_seq=2))
    await driver.drain()
    assert int(dut.live.value)
    await driver.feed(pack(ENTRY, op=NEW, side=1, id=2, price=120, quantity=3, rpt_seq=3, last=1, tid=5))
    await driver.drain()
    await driver.verdict(5, False)
    await driver.drain()
    assert not int(dut.live.value) and not driver.fires


def test_market_one():
    bench = Path(__file__).parents[1] / "market" / "market_bench.sv"
    simulate(__file__, "market_bench", {"INSTRUMENTS": 1}, name="market_one", extra_sources=[bench])

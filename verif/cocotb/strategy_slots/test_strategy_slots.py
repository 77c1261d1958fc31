"""strategy_slots against a model of crates/strategy's Engine, at the ends of the integers too."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from feed_types import COUNTERS, SHOW_FIELDS, pack, unpack
from harness import SEED, scaled, simulate
from slots import (ACCEPTED, ARM, ARMED, CANCELED, DISARM, DONE, FILLED, FIRED, IDLE, LIVE, NOT_SENT,
                   REJECTED, RESTART, SET_OPEN_BUY, SET_OPEN_ORDERS, SET_OPEN_SELL, SET_POSITION,
                   SOURCE_BID, SOURCE_OFFER, SOURCE_TRADE, command, configure, exposure, settle,
                   slot_states)

INPUTS = ("s_show", "config_write_valid", "config_write_address", "config_write_data", "command_valid",
          "command_op", "command_slot", "command_quantity", "kill_all", "kill", "rearm_valid",
          "rearm_slot", "exposure_instrument")
PLAN = {"instrument": 0, "source": SOURCE_BID, "at_most": 0, "bound": 100, "sell": 1, "quantity": 5,
        "rearm": 1, "cooldown": 0, "max_order_quantity": 10, "max_open_orders": 3,
        "max_position": 100}
U64 = (1 << 64) - 1
I64 = (1 << 63) - 1


class Model:
    """crates/strategy's Engine."""

    def __init__(self, plans):
        self.plans = plans
        self.state = [IDLE] * len(plans)
        self.leaves = [0] * len(plans)
        self.not_before = [0] * len(plans)
        # position, open to buy, open to sell, orders
        self.exposure = [[0, 0, 0, 0] for _ in range(4)]
        self.counters = [0] * 7

    def show(self, show) -> list[tuple]:
        fires = []
        for slot, plan in enumerate(self.plans):
            if plan["instrument"] != show["instrument"] or self.state[slot] != ARMED:
                continue
            if show["trade"] != (plan["source"] == SOURCE_TRADE):
                continue
            side = "ask" if plan["source"] == SOURCE_OFFER else "bid"
            there = show["some"] if show["trade"] else show[f"{side}_valid"]
            price = show[f"{side}_price"]
            hit = price <= plan["bound"] if plan["at_most"] else price >= plan["bound"]
            if there and hit and self.allowed(slot, plan, show["tstamp"]):
                fires.append((slot, price))
        return fires

    def allowed(self, slot, plan, now) -> bool:
        held = self.exposure[plan["instrument"]]
        sign, open_at = (-1, 2) if plan["sell"] else (1, 1)
        if now < self.not_before[slot]:
            self.counters[4] += 1
        elif plan["quantity"] > plan["max_order_quantity"]:
            self.counters[1] += 1
        elif held[3] >= plan["max_open_orders"]:
            self.counters[2] += 1
        elif sign * held[0] + held[open_at] + plan["quantity"] > plan["max_position"]:
            self.counters[3] += 1
        else:
            self.state[slot] = FIRED
            self.leaves[slot] = plan["quantity"]
            self.not_before[slot] = min(now + plan["cooldown"], U64)
            held[3] = held[3] + 1 & 0xFFFFFFFF
            held[open_at] = held[open_at] + plan["quantity"] & U64
            self.counters[0] += 1
            return True
        return False

    def finish(self, slot, state):
        plan = self.plans[slot]
        held, open_at = self.exposure[plan["instrument"]], 2 if plan["sell"] else 1
        held[open_at] = held[open_at] - self.leaves[slot] & U64
        held[3] = held[3] - 1 & 0xFFFFFFFF
        self.leaves[slot], self.state[slot] = 0, state

    def command(self, op, slot, quantity):
        if op >= SET_POSITION:
            value = quantity if op != SET_OPEN_ORDERS else quantity & 0xFFFFFFFF
            if op == SET_POSITION and value > I64:
                value -= 1 << 64
            self.exposure[slot][op - SET_POSITION] = value
            return
        plan, state = self.plans[slot], self.state[slot]
        is_open = state in (FIRED, LIVE)
        after = IDLE if plan["rearm"] else DONE
        wrong = not is_open
        if op in (ARM, DISARM, RESTART):
            wrong = False
            begin, end = {ARM: (IDLE, ARMED), DISARM: (ARMED, IDLE), RESTART: (DONE, IDLE)}[op]
            self.state[slot] = end if state == begin else state
        elif op == FILLED:
            held = self.exposure[plan["instrument"]]
            moved = held[0] + (-quantity if plan["sell"] else quantity)
            held[0] = max(-I64 - 1, min(I64, moved))
            if is_open and quantity >= self.leaves[slot]:
                wrong = quantity > self.leaves[slot]
                self.finish(slot, after)
            elif is_open:
                open_at = 2 if plan["sell"] else 1
                held[open_at] = held[open_at] - quantity & U64
                self.leaves[slot] -= quantity
                self.state[slot] = LIVE
        elif op == NOT_SENT:
            wrong = state != FIRED
            if not wrong:
                self.finish(slot, IDLE)
        elif is_open:
            if op == ACCEPTED:
                self.state[slot] = LIVE
            else:
                self.finish(slot, DONE if op == REJECTED else after)
        self.counters[5] += wrong

    def rearm(self, slot):
        if self.state[slot] == FIRED:
            self.finish(slot, ARMED)
            self.counters[6] += 1
        else:
            self.counters[5] += 1


class Bench:
    def __init__(self, dut):
        self.dut, self.cycle, self.fires = dut, 0, []

    async def start(self):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk, 6400, "ps").start())
        for name in INPUTS:
            getattr(dut, name).value = 0
        dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(self._watch())
        await settle(dut, 30)
        return self

    async def _watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            self.cycle += 1
            if int(dut.fire_valid.value):
                price = int(dut.fire_price.value)
                self.fires.append((self.cycle, int(dut.fire_slot.value),
                                   price - (1 << 64) if price >> 63 else price,
                                   int(dut.fire_instrument.value), int(dut.fire_tid.value),
                                   int(dut.fire_tstamp.value)))

    async def show(self, **values) -> int:
        dut = self.dut
        dut.s_show.value = pack(SHOW_FIELDS, valid=1, **values)
        await RisingEdge(dut.clk)
        dut.s_show.value = 0
        return self.cycle + 1

    async def rearm(self, slot):
        self.dut.rearm_valid.value, self.dut.rearm_slot.value = 1, slot
        await RisingEdge(self.dut.clk)
        self.dut.rearm_valid.value = 0
        await settle(self.dut, 12)

    async def set_up(self, plans):
        for slot, plan in enumerate(plans):
            await configure(self.dut, slot, PLAN | plan)
            await command(self.dut, ARM, slot)
        await settle(self.dut)

    def counters(self) -> dict:
        return unpack(COUNTERS, int(self.dut.strategy_counters.value))


BID = {"bid_valid": 1, "bid_price": 100}


@cocotb.test()
async def fires_in_the_second_cycle_and_once(dut):
    bench = await Bench(dut).start()
    await bench.set_up([{}, {"source": SOURCE_TRADE, "bound": -5, "at_most": 1}])
    shown = await bench.show(**BID, tid=3, tstamp=9)
    await bench.show(**BID)
    await settle(dut, 30)
    assert bench.fires == [(shown + 2, 0, 100, 0, 3, 9)]
    await bench.show(trade=1, bid_price=-5)  # no quantity
    await bench.show(trade=1, some=1, bid_price=-4)
    shown = await bench.show(trade=1, some=1, bid_price=-5)
    await settle(dut, 30)
    assert bench.fires[1:] == [(shown + 2, 1, -5, 0, 0, 0)]
    assert slot_states(dut)[:3] == [FIRED, FIRED, IDLE]


@cocotb.test()
async def slots_fire_in_order_each_after_the_limits_of_the_one_before(dut):
    bench = await Bench(dut).start()
    # The third is beyond the position that the first two open; the fourth is smaller.
    await bench.set_up([{"max_open_orders": 9, "max_position": 12, "quantity": quantity}
                        for quantity in (5, 5, 5, 2)])
    shown = await bench.show(**BID)
    await settle(dut, 120)
    assert [fire[1] for fire in bench.fires] == [0, 1, 3]
    assert [fire[0] - shown for fire in bench.fires] == [2, 16, 42]
    assert bench.counters()["blocked_position"] == 1
    assert await exposure(dut, 0) == [0, 0, 12, 3]


@cocotb.test()
async def a_slot_with_other_limits_fires_two_cycles_later(dut):
    bench = await Bench(dut).start()
    # Slots 0 and 1 may not fire; neither delays the third.
    await bench.set_up([{"quantity": 11}, {"max_open_orders": 0}, {}, {"instrument": 1}])
    shown = await bench.show(**BID)
    then = await bench.show(**BID, instrument=1)
    await settle(dut, 60)
    assert [(fire[0], fire[1]) for fire in bench.fires] == [(shown + 2, 2), (then + 6, 3)]
    counters = bench.counters()
    assert (counters["blocked_order_quantity"], counters["blocked_open_orders"]) == (1, 1)


@cocotb.test()
async def killed_slots_do_not_fire(dut):
    bench = await Bench(dut).start()
    await bench.set_up([{}, {"max_open_orders": 9}])
    dut.kill.value = 1
    await settle(dut, 3)
    assert slot_states(dut)[:2] == [IDLE, ARMED]
    await command(dut, ARM, 0)
    await bench.show(**BID)
    await settle(dut, 60)
    assert [fire[1] for fire in bench.fires] == [1]
    await command(dut, CANCELED, 1)
    await command(dut, ARM, 1)
    dut.kill_all.value, dut.kill.value = 1, 0
    await settle(dut, 3)
    await bench.show(**BID)
    dut.kill_all.value = 0
    await bench.show(**BID)
    await settle(dut, 60)
    assert slot_states(dut)[:2] == [IDLE, IDLE] and len(bench.fires) == 1


@cocotb.test()
async def what_was_not_sent_is_armed_again(dut):
    bench = await Bench(dut).start()
    await bench.set_up([{"cooldown": 1_000}])
    await bench.show(**BID, tstamp=500)
    await settle(dut, 20)
    assert await exposure(dut, 0) == [0, 0, 5, 1]
    await bench.rearm(0)
    assert await exposure(dut, 0) == [0, 0, 0, 0] and slot_states(dut)[0] == ARMED
    await bench.show(**BID, tstamp=1_499)
    await settle(dut, 40)
    assert len(bench.fires) == 1 and bench.counters()["held_cooldown"] == 1
    await bench.show(**BID, tstamp=1_500)
    await settle(dut, 40)
    assert len(bench.fires) == 2
    await command(dut, ACCEPTED, 0)
    await bench.rearm(0)
    assert slot_states(dut)[0] == LIVE and bench.counters()["unexpected_updates"] == 1


@cocotb.test()
async def what_is_shown_behind_a_rearm_fires_while_older_events_wait(dut):
    """Those that were shown before the first fire do not."""
    bench = await Bench(dut).start()
    others = [{"instrument": 1, "max_open_orders": 16} for _ in range(7)]
    await bench.set_up([{}, *others])
    for time, instrument in ((1, 0), (2, 1), (3, 0)):
        await bench.show(**BID, instrument=instrument, tstamp=time)
    await bench.rearm(0)
    while slot_states(dut)[0] != ARMED:
        await RisingEdge(dut.clk)
    assert len(bench.fires) < 8, "the second event is in hand"
    await bench.show(**BID, tstamp=4)
    await settle(dut, 300)
    assert [(slot, time) for _, slot, *_, time in bench.fires] == [
        (0, 1), *((slot, 2) for slot in range(1, 8)), (0, 4)]


@cocotb.test()
async def a_fill_of_more_than_the_order_leaves_ends_it_and_is_counted(dut):
    bench = await Bench(dut).start()
    await bench.set_up([{}])
    await bench.show(**BID)
    await settle(dut, 20)
    assert slot_states(dut)[0] == FIRED
    await command(dut, FILLED, 0, PLAN["quantity"] + 1)
    await settle(dut, 20)
    assert slot_states(dut)[0] == IDLE and bench.counters()["unexpected_updates"] == 1


@cocotb.test()
async def events_wait_their_turn_and_ask_for_a_pause(dut):
    bench = await Bench(dut).start()
    # Two slots of one instrument keep the decision busy; the third sees every event.
    await bench.set_up([{}, {}, {"max_open_orders": 0}])
    paused = None
    for at in range(60):
        await bench.show(**BID, tstamp=at)
        if int(dut.show_pause.value) and paused is None:
            paused = at
        if paused is not None and at == paused + 6:
            break
    await settle(dut, 200)
    assert paused is not None
    assert [(fire[1], fire[5]) for fire in bench.fires] == [(0, 0), (1, 0)]
    counters = bench.counters()
    assert counters["missed"] == 0 and counters["blocked_open_orders"] == paused + 7
    # Not heeded: what does not fit is counted.
    await command(dut, CANCELED, 0)
    await command(dut, ARM, 0)
    await command(dut, CANCELED, 1)
    await command(dut, ARM, 1)
    await settle(dut)
    shown = 80
    for at in range(shown):
        await bench.show(**BID)
    await settle(dut, 200)
    after = bench.counters()
    seen = after["blocked_open_orders"] - counters["blocked_open_orders"]
    assert after["missed"] > 0 and seen + after["missed"] == shown
    assert [fire[1] for fire in bench.fires[2:]] == [0, 1]


def random_plan(rng: random.Random) -> dict:
    price = rng.choice([rng.randint(-20, 20), -I64 - 1, I64, rng.getrandbits(64) - (1 << 63)])
    size = rng.choice([rng.randint(1, 9), rng.randint(1, 9), U64, 1 << 63])
    return {"instrument": rng.randint(0, 3), "source": rng.randint(0, 2), "at_most": rng.randint(0, 1),
            "bound": price, "sell": rng.randint(0, 1), "quantity": size, "rearm": rng.randint(0, 1),
            "cooldown": rng.choice([0, 0, 50, U64]),
            "max_order_quantity": rng.choice([5, 9, U64, U64]),
            "max_open_orders": rng.choice([1, 2, 3, 0xFFFFFFFF]),
            "max_position": rng.choice([20, 40, U64, U64 - 5, 1 << 63])}


@cocotb.test()
async def agrees_with_the_engine_on_random_news(dut):
    rng = random.Random(SEED)
    rounds, fired = scaled(12, 3), []
    for _ in range(rounds):
        bench = await Bench(dut).start()
        plans = [random_plan(rng) for _ in range(16)]
        model = Model(plans)
        for slot, plan in enumerate(plans):
            await configure(dut, slot, plan)
        now, expected = 0, []
        for _ in range(scaled(250, 120)):
            for _ in range(rng.randint(0, 4)):
                op = rng.choice([ARM] * 8 + [DISARM, RESTART, RESTART, ACCEPTED, FILLED, FILLED,
                                             CANCELED, CANCELED, REJECTED, NOT_SENT]
                                + [SET_POSITION] * (rng.random() < 0.1))
                slot = rng.randint(0, 3 if op >= SET_POSITION else 15)
                quantity = rng.choice([rng.randint(0, 5), rng.randint(0, 5), U64, 1 << 63])
                if op == SET_POSITION:
                    quantity = rng.choice([0, 3, U64, I64, I64 + 1])
                await command(dut, op, slot, quantity)
                model.command(op, slot, quantity)
            if rng.random() < 0.1:
                slot = rng.randint(0, 15)
                await settle(dut, 10)
                await bench.rearm(slot)
                model.rearm(slot)
            await settle(dut, rng.choice([0, 10, 200]))
            # A burst, whose decisions overlap.
            for _ in range(rng.randint(1, 5)):
                now += rng.choice([0, 1, 30])
                show = {"trade": rng.randint(0, 1), "instrument": rng.randint(0, 3),
                        "some": rng.randint(0, 3) > 0, "tid": rng.randint(0, 15), "tstamp": now}
                for side in ("bid", "ask"):
                    show[f"{side}_valid"] = int(rng.random() < 0.9)
                    show[f"{side}_price"] = rng.choice(
                        [rng.randint(-25, 25), -I64 - 1, I64, rng.choice(plans)["bound"]])
                await bench.show(**show)
                expected += [(*fire, show["instrument"], show["tid"], now) for fire in model.show(show)]
            await settle(dut, 320)
            got = [fire[1:] for fire in bench.fires]
            assert got == expected, f"fired {got[-3:]}, not {expected[-3:]}"
            assert slot_states(dut) == model.state
        for instrument in range(4):
            assert await exposure(dut, instrument) == model.exposure[instrument]
        assert list(bench.counters().values())[:7] == model.counters
        fired.append(len(expected))
    # Some plans hardly ever fire; together they do.
    assert min(fired) > 0 and sum(fired) > 10 * rounds, fired


def test_strategy_slots():
    simulate(__file__, "strategy_slots")

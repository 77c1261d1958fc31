//! The engine's rules by name.

mod support;

use saker_strategy::{Engine, Exposure, Fire, Limits, OrderUpdate, SlotState, Top, UpdateError};
use support::{TWO, armed};

const STOP: u16 = 0;
const CROSS: u16 = 1;
const AAPL: u16 = 0;
const MSFT: u16 = 1;

fn trade(engine: &mut Engine, price: i64) -> Vec<u16> {
    let mut fires = Vec::new();
    engine.on_trade(MSFT, price, 1, 0, &mut fires);
    fires.iter().map(|f| f.slot).collect()
}

fn offer(engine: &mut Engine, price: i64, now: u64) -> Vec<u16> {
    let mut fires = Vec::new();
    let top = Top { bid: Some((price - 1, 5)), offer: Some((price, 5)) };
    engine.on_top(AAPL, &top, now, &mut fires);
    fires.iter().map(|f| f.slot).collect()
}

#[test]
fn a_sell_stop_fires_once_at_or_below_its_trigger() {
    let mut engine = armed(TWO);
    assert_eq!(trade(&mut engine, 118_001), [0u16; 0]);
    let mut fires = Vec::new();
    engine.on_trade(MSFT, 118_000, 1, 0, &mut fires);
    assert_eq!(fires, [Fire { slot: STOP, strategy: STOP }]);
    assert_eq!(engine.state(STOP), Some(SlotState::Fired));
    assert_eq!(trade(&mut engine, 100_000), [0u16; 0]);
    engine.on_order_update(STOP, OrderUpdate::Accepted).unwrap();
    assert_eq!(engine.state(STOP), Some(SlotState::Live));
    engine.on_order_update(STOP, OrderUpdate::Filled { quantity: 2 }).unwrap();
    assert_eq!(engine.state(STOP), Some(SlotState::Done));
    assert_eq!(engine.exposure(MSFT), Exposure { position: -2, ..Exposure::default() });
    assert!(!engine.arm(STOP));
    assert_eq!(trade(&mut engine, 100_000), [0u16; 0]);
    assert!(engine.restart(STOP) && engine.arm(STOP));
    assert_eq!(trade(&mut engine, 100_000), [STOP]);
}

#[test]
fn a_buy_stop_fires_at_or_above_its_trigger() {
    let mut engine = armed(&TWO.replace("\"sell\"", "\"buy\""));
    assert_eq!(trade(&mut engine, 117_999), [0u16; 0]);
    assert_eq!(trade(&mut engine, 118_000), [STOP]);
}

#[test]
fn a_stop_looks_at_trades_of_its_instrument_only() {
    let mut engine = armed(TWO);
    let mut fires = Vec::new();
    engine.on_trade(AAPL, 1, 1, 0, &mut fires);
    engine.on_trade(999, 1, 1, 0, &mut fires);
    engine.on_trade(MSFT, 1, 0, 0, &mut fires);
    let top = Top { bid: Some((1, 1)), offer: Some((2, 1)) };
    engine.on_top(MSFT, &top, 0, &mut fires);
    engine.on_top(999, &top, 0, &mut fires);
    engine.on_top(AAPL, &Top::default(), 0, &mut fires);
    assert_eq!(fires, []);
}

#[test]
fn a_seller_takes_bids_at_or_above_its_threshold() {
    let mut engine = armed(&TWO.replace("side = \"buy\"", "side = \"sell\""));
    assert_eq!(offer(&mut engine, 18_950, 0), [0u16; 0], "the bid is 18 949");
    assert_eq!(offer(&mut engine, 18_951, 0), [CROSS]);
}

#[test]
fn what_happened_before_arming_does_not_fire() {
    let mut engine = armed(TWO);
    assert!(engine.disarm(STOP));
    assert_eq!(trade(&mut engine, 100_000), [0u16; 0]);
    assert_eq!(engine.needs_prepare().collect::<Vec<_>>(), [STOP]);
    assert!(engine.arm(STOP));
    assert_eq!(trade(&mut engine, 118_001), [0u16; 0]);
    assert_eq!(trade(&mut engine, 117_000), [STOP]);
}

#[test]
fn a_cross_rearms_after_its_order_is_over_and_the_cooldown_has_passed() {
    let mut engine = armed(TWO);
    assert_eq!(offer(&mut engine, 18_951, 1_000), [0u16; 0]);
    assert_eq!(offer(&mut engine, 18_950, 1_000), [CROSS]);
    assert_eq!(offer(&mut engine, 18_900, 2_000), [0u16; 0], "its order is open");
    assert_eq!(engine.open_slots().collect::<Vec<_>>(), [CROSS]);
    engine.on_order_update(CROSS, OrderUpdate::Accepted).unwrap();
    engine.on_order_update(CROSS, OrderUpdate::Filled { quantity: 4 }).unwrap();
    assert_eq!(engine.leaves(CROSS), 6);
    engine.on_order_update(CROSS, OrderUpdate::Canceled).unwrap();
    assert_eq!(engine.exposure(AAPL), Exposure { position: 4, ..Exposure::default() });
    assert_eq!(offer(&mut engine, 18_900, 600_000), [0u16; 0], "nothing is prepared");
    assert!(engine.arm(CROSS));
    assert_eq!(offer(&mut engine, 18_900, 500_999), [0u16; 0]);
    assert_eq!(engine.counters().held_cooldown, 1);
    assert_eq!(offer(&mut engine, 18_900, 501_000), [CROSS]);
}

#[test]
fn a_rejected_order_ends_its_strategy_and_an_unsent_one_does_not() {
    let mut engine = armed(TWO);
    offer(&mut engine, 1, 0);
    engine.on_order_update(CROSS, OrderUpdate::Rejected).unwrap();
    assert_eq!(engine.state(CROSS), Some(SlotState::Done));
    trade(&mut engine, 1);
    engine.on_order_update(STOP, OrderUpdate::NotSent).unwrap();
    assert_eq!(engine.needs_prepare().collect::<Vec<_>>(), [STOP]);
    assert_eq!(engine.exposure(MSFT), Exposure::default());
}

#[test]
fn limits_hold_fires_back_and_count_them() {
    let mut engine = armed(TWO);
    let limits = *engine.limits(CROSS).unwrap();
    assert!(engine.set_limits(CROSS, Limits { max_order_quantity: 9, ..limits }));
    assert_eq!(offer(&mut engine, 1, 0), [0u16; 0]);
    assert!(engine.set_limits(CROSS, Limits { max_open_orders: 0, ..limits }));
    assert_eq!(offer(&mut engine, 1, 0), [0u16; 0]);
    assert!(engine.set_limits(CROSS, limits));
    assert!(engine.set_position(AAPL, 491));
    assert_eq!(offer(&mut engine, 1, 0), [0u16; 0]);
    let counters = *engine.strategy_counters(CROSS).unwrap();
    assert_eq!(counters.blocked_order_quantity, 1);
    assert_eq!(counters.blocked_open_orders, 1);
    assert_eq!(counters.blocked_position, 1);
    assert_eq!(engine.counters(), counters);
    engine.set_position(AAPL, 490);
    assert_eq!(offer(&mut engine, 1, 0), [CROSS]);
    engine.set_position(MSFT, -499);
    assert_eq!(trade(&mut engine, 1), [0u16; 0], "short 499, and two more to sell");
    engine.set_position(MSFT, i64::MAX);
    assert_eq!(trade(&mut engine, 1), [STOP], "a sale makes a long position smaller");
}

#[test]
fn open_orders_of_one_strategy_count_against_the_next() {
    let two_stops = TWO
        .replace("AAPL", "MSFT")
        .replace("189.50", "20")
        .replace("max_position = 500", "max_position = 10");
    let mut engine = armed(&two_stops);
    let limits = *engine.limits(CROSS).unwrap();
    let top = Top { bid: None, offer: Some((1, 1)) };
    let mut fires = Vec::new();
    trade(&mut engine, 1);
    engine.set_limits(CROSS, Limits { max_open_orders: 1, ..limits });
    engine.on_top(MSFT, &top, 0, &mut fires);
    assert_eq!(engine.counters().blocked_open_orders, 1);
    engine.set_limits(CROSS, limits);
    engine.on_top(MSFT, &top, 0, &mut fires);
    assert_eq!(fires.len(), 1, "open sells do not help and do not harm a buy");
    let exposure = Exposure { position: 0, open_buy: 10, open_sell: 2, open_orders: 2 };
    assert_eq!(engine.exposure(MSFT), exposure);
}

#[test]
fn the_kill_switch_disarms_everything_until_released() {
    let mut engine = armed(TWO);
    engine.kill_all();
    assert_eq!(trade(&mut engine, 1), [0u16; 0]);
    assert_eq!(offer(&mut engine, 1, 0), [0u16; 0]);
    assert_eq!(engine.needs_prepare().count(), 0);
    assert!(!engine.arm(STOP));
    engine.release_all();
    assert_eq!(trade(&mut engine, 1), [0u16; 0], "released is not armed");
    assert_eq!(engine.needs_prepare().collect::<Vec<_>>(), [STOP, CROSS]);
}

#[test]
fn one_strategy_is_killed_alone_and_its_open_order_stays_accounted_for() {
    let mut engine = armed(TWO);
    offer(&mut engine, 1, 0);
    assert!(engine.kill(CROSS) && engine.is_killed(CROSS) && !engine.is_killed(STOP));
    engine.on_order_update(CROSS, OrderUpdate::Filled { quantity: 10 }).unwrap();
    assert_eq!(engine.position(AAPL), 10);
    assert!(!engine.arm(CROSS));
    assert_eq!(engine.needs_prepare().count(), 0);
    assert_eq!(trade(&mut engine, 1), [STOP]);
    assert!(engine.release(CROSS) && engine.arm(CROSS));
    assert!(!engine.kill(2) && !engine.release(2));
}

#[test]
fn updates_that_do_not_fit_are_refused_and_fills_still_count() {
    let mut engine = armed(TWO);
    let none = Err(UpdateError::NoOpenOrder { slot: CROSS });
    assert_eq!(engine.on_order_update(9, OrderUpdate::Accepted), Err(UpdateError::UnknownSlot(9)));
    assert_eq!(engine.on_order_update(CROSS, OrderUpdate::Canceled), none);
    assert_eq!(engine.on_order_update(CROSS, OrderUpdate::Filled { quantity: 3 }), none);
    assert_eq!(engine.position(AAPL), 3);
    assert_eq!(engine.state(CROSS), Some(SlotState::Armed));
    offer(&mut engine, 1, 0);
    engine.on_order_update(CROSS, OrderUpdate::Accepted).unwrap();
    let live = Err(UpdateError::AlreadyLive { slot: CROSS });
    assert_eq!(engine.on_order_update(CROSS, OrderUpdate::NotSent), live);
    let over = Err(UpdateError::Overfilled { slot: CROSS, quantity: 11, leaves: 10 });
    assert_eq!(engine.on_order_update(CROSS, OrderUpdate::Filled { quantity: 11 }), over);
    assert_eq!(engine.exposure(AAPL), Exposure { position: 14, ..Exposure::default() });
    assert_eq!(engine.state(CROSS), Some(SlotState::Idle));
    assert_eq!(engine.counters().unexpected_updates, 4);
}

//! The whole machine against a scripted venue: ARP, TCP, FIX, feed, fast path.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use std::collections::BTreeSet;

use saker_book::Side;
use saker_feed::channel::{Line, Stream};
use saker_fix::{parse, tag};
use saker_strategy::SlotState;
use saker_trader::orders::{Audit, LineConfig, OrderState};
use saker_wire::frame::{self, Body};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};
use support::acceptor::Script;
use support::feed::Item;
use support::sim::{Sim, trader_config};

const LIMITS: &str =
    "[limits]\nmax_order_quantity = 100\nmax_open_orders = 100\nmax_position = 100000\n";

fn stop(name: &str, symbol: &str, trigger: &str, rest: &str) -> String {
    format!(
        "\n[[strategy]]\nname = \"{name}\"\nkind = \"stop\"\nsymbol = \"{symbol}\"\nside = \"buy\"\n\
         trigger = \"{trigger}\"\nprice = \"12.00\"\nquantity = 10\n{rest}\n"
    )
}

fn file(strategies: &[String]) -> String {
    format!("{LIMITS}{}", strategies.concat())
}

fn trade(instrument: usize, price: i64) -> Item {
    Item::Trade { instrument, id: 1, price, quantity: 5 }
}

fn tick(sim: &mut Sim, items: &[Item]) -> u64 {
    let packet = sim.publisher.incremental(items);
    sim.feed(Stream::Incremental, Line::A, &packet)
}

fn all_answered(sim: &Sim, orders: u64) {
    let expected = Audit { sent: orders, answered_once: orders, ..Audit::default() };
    assert_eq!(sim.trader.line().log().audit(), expected);
    assert_eq!(sim.trader.line().counters().account_errors, 0);
    assert_eq!(sim.trader.line().counters().unknown_orders, 0);
    assert_eq!(sim.trader.line().counters().inconsistent_updates, 0);
}

/// The FIX message in an order frame.
fn fix_of(frame: &[u8]) -> Vec<u8> {
    match frame::parse(frame).unwrap().body {
        Body::Tcp { payload, .. } => payload.to_vec(),
        other => panic!("not TCP: {other:?}"),
    }
}

#[test]
fn a_tick_becomes_an_order_that_is_answered_once() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = false")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA", "BBB"]);
    sim.acceptor.script = Script::Fill;
    tick(&mut sim, &[trade(0, 1_049), trade(1, 2_000)]);
    sim.run_for(MILLISECOND);
    assert!(sim.order_frames.is_empty());
    let sent_at = sim.now;
    let cause = tick(&mut sim, &[trade(0, 1_050)]);
    tick(&mut sim, &[trade(0, 1_051)]);
    sim.run_for(MILLISECOND);

    assert_eq!(sim.order_frames.len(), 1);
    assert_eq!(sim.order_frames[0].cause, cause);
    let message = fix_of(&sim.order_frames[0].bytes);
    let (fix, _) = parse::frame(&message).unwrap().unwrap();
    assert_eq!(fix.str(tag::SYMBOL), Ok("AAA"));
    assert_eq!(fix.decimal(tag::PRICE).unwrap().rescale(-2), Some(1_200));

    // The model: 815 ns for a message of one trade, but the trade goes to no book order.
    let arrived = sent_at + support::sim::DELAY;
    let costs = trader_config(LIMITS).costs;
    let service = costs.nic_rx_ns
        + costs.packet_ns
        + costs.message_ns
        + costs.entry_ns
        + costs.book_ns
        + costs.strategy_ns
        + costs.fire_ns
        + costs.nic_tx_ns;
    assert_eq!(service, 815);
    assert_eq!(sim.order_frames[0].ready_at, arrived + service);
    let spans: Vec<_> = sim.stages.iter().filter(|span| span.cause == cause).collect();
    let names: Vec<_> = spans.iter().map(|span| span.stage).collect();
    let expected = ["nic rx", "queue", "arbitrate", "decode", "book", "strategy", "fire", "nic tx"];
    assert_eq!(names, expected);
    assert!(spans.windows(2).all(|pair| pair[0].end == pair[1].start));
    assert_eq!(spans[7].end - spans[0].start, 815);

    all_answered(&sim, 1);
    let record = &sim.trader.line().log().records()[0];
    assert_eq!(record.state, OrderState::Filled);
    assert_eq!((record.filled, record.fills), (10, 2));
    assert_eq!(record.cause, Some(cause));
    assert_eq!(record.sent_at, sim.order_frames[0].ready_at);
    assert!(record.answered_at.unwrap() > record.sent_at);
    assert_eq!(sim.acceptor.orders[0].cl_ord_id, record.cl_ord_id);
    let engine = sim.trader.market().desk().engine().unwrap();
    assert_eq!(engine.position(0), 10);
    assert_eq!(engine.state(0), Some(SlotState::Done));
}

#[test]
fn heartbeats_move_the_message_number_of_armed_slots() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = true")];
    let mut config = trader_config(&file(&strategies));
    config.line.heartbeat_s = 1;
    let mut sim = Sim::ready(config, &["AAA"]);
    let before = sim.trader.line().session().next_outbound_seq();
    sim.run_for(10 * SECOND + 500 * MILLISECOND);
    let heartbeats = sim.trader.line().session().next_outbound_seq() - before;
    assert!((9..=11).contains(&heartbeats), "{heartbeats} messages");
    let fast = sim.trader.line().fast_path();
    assert_eq!(fast.registers().next_msg_seq, before + heartbeats);
    assert!(fast.counters().refreshed >= u64::from(heartbeats));
    assert!(sim.trader.line().counters().revokes >= u64::from(heartbeats));

    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 1);
    assert_eq!(sim.acceptor.orders[0].msg_seq, before + heartbeats);
    // Not refreshed by the fire: it was up to date. And its SendingTime is of the last second.
    assert_eq!(sim.trader.line().fast_path().counters().refreshed_at_fire, 0);
    let message = fix_of(&sim.order_frames[0].bytes);
    let (fix, _) = parse::frame(&message).unwrap().unwrap();
    let age = sim.now - fix.timestamp(tag::SENDING_TIME).unwrap();
    assert!(age <= SECOND + 2 * MILLISECOND, "{age} ns");
    all_answered(&sim, 1);
    assert_eq!(sim.acceptor.session.counters().gaps, 0);
}

#[test]
fn two_fires_on_one_tick_are_two_messages_in_sequence() {
    let strategies = [
        stop("one", "AAA", "10.50", "rearm = false"),
        stop("two", "AAA", "10.40", "rearm = false"),
        stop("three", "AAA", "10.90", "rearm = false"),
    ];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    let next = sim.trader.line().session().next_outbound_seq();
    let cause = tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    let numbers: Vec<_> = sim.acceptor.orders.iter().map(|order| order.msg_seq).collect();
    assert_eq!(numbers, [next, next + 1]);
    assert!(sim.order_frames.iter().all(|frame| frame.cause == cause));
    assert!(sim.order_frames[0].ready_at < sim.order_frames[1].ready_at);
    assert_eq!(sim.trader.line().fast_path().counters().refreshed_at_fire, 1);
    // The third goes on under the next number.
    tick(&mut sim, &[trade(0, 1_090)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders[2].msg_seq, next + 2);
    assert_eq!(sim.trader.line().fast_path().counters().refreshed_at_fire, 1);
    all_answered(&sim, 3);
    assert_eq!(sim.acceptor.session.counters().gaps, 0);
}

#[test]
fn both_lines_give_one_order() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = true")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    sim.acceptor.script = Script::Fill;
    for round in 1..=5 {
        let packet = sim.publisher.incremental(&[trade(0, 1_060)]);
        sim.feed(Stream::Incremental, Line::B, &packet);
        sim.feed(Stream::Incremental, Line::A, &packet);
        sim.run_for(MILLISECOND);
        assert_eq!(sim.acceptor.orders.len(), round);
    }
    all_answered(&sim, 5);
    let ids: BTreeSet<_> = sim.acceptor.orders.iter().map(|order| &order.cl_ord_id).collect();
    assert_eq!(ids.len(), 5, "every ClOrdID is new");
}

#[test]
fn a_lossy_order_line_loses_and_doubles_nothing() {
    let strategies = [
        stop("one", "AAA", "10.50", "rearm = true"),
        stop("two", "AAA", "10.50", "rearm = true"),
        stop("three", "BBB", "10.50", "rearm = true"),
    ];
    for seed in 1..=6 {
        let mut config = trader_config(&file(&strategies));
        config.line.heartbeat_s = 1;
        config.line.seed = seed;
        let mut sim = Sim::new(config, &["AAA", "BBB"], seed);
        sim.acceptor.script = Script::Fill;
        sim.loss = 50 * (seed as u32 % 4);
        let packet = sim.publisher.definitions();
        sim.feed(Stream::Definition, Line::A, &packet);
        sim.run_for(20 * SECOND);
        for round in 0..60 {
            tick(&mut sim, &[trade(round % 2, 1_060)]);
            sim.run_for(50 * MILLISECOND);
        }
        sim.loss = 0;
        sim.run_for(60 * SECOND);
        let sent = sim.trader.line().log().records().len() as u64;
        assert!(sent > 10, "{sent} orders");
        all_answered(&sim, sent);
        let ids: BTreeSet<_> = sim.acceptor.orders.iter().map(|o| o.cl_ord_id.clone()).collect();
        assert_eq!(ids.len() as u64, sent);
        assert_eq!(sim.acceptor.orders.len() as u64, sent);
        let position: i64 =
            (0..2).map(|i| sim.trader.market().desk().engine().unwrap().position(i)).sum();
        assert_eq!(position as u64, 10 * sent);
    }
}

#[test]
fn after_a_reset_the_line_comes_back_and_goes_on() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = true")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    sim.acceptor.script = Script::Fill;
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 1);
    let next = sim.trader.line().session().next_outbound_seq();
    sim.with_acceptor(|acceptor, now, out| acceptor.abort(now, out));
    sim.run_for(MILLISECOND);
    assert_eq!(sim.trader.line().counters().disconnects, 1);
    assert_eq!(sim.trader.line().fast_path().armed(), 0);

    // While the line is down nothing is sent: the slot is not armed, so nothing even fires.
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.trader.counters().refused, 0);
    assert_eq!(sim.order_frames.len(), 1);

    sim.run_for(SECOND);
    assert_eq!(sim.acceptor.logons, 2);
    assert_eq!(sim.trader.line().fast_path().armed(), 1);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 2);
    assert_eq!(sim.acceptor.orders[1].msg_seq, next + 1, "the Logon took one number");
    all_answered(&sim, 2);
}

#[test]
fn an_order_lost_with_its_connection_is_sent_again_when_asked_for() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = false")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    sim.loss = 1_000;
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.order_frames.len(), 1);
    assert!(sim.acceptor.orders.is_empty());
    // The peer's machine restarts; its session knows what it has had.
    sim.with_acceptor(|acceptor, now, out| acceptor.abort(now, out));
    sim.loss = 0;
    sim.run_for(5 * SECOND);
    assert_eq!(sim.acceptor.orders.len(), 1);
    assert!(sim.acceptor.orders[0].poss_dup);
    all_answered(&sim, 1);
}

#[test]
fn limits_hold_and_rejected_orders_end() {
    let limits = "[limits]\nmax_order_quantity = 100\nmax_open_orders = 2\nmax_position = 15\n";
    let strategies: String =
        (0..4).map(|n| stop(&format!("s{n}"), "AAA", "10.50", "rearm = false")).collect();
    let mut sim = Sim::ready(trader_config(&format!("{limits}{strategies}")), &["AAA"]);
    // Two would be open, but 20 exceeds the position of 15.
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 1);
    let counters = sim.trader.market().desk().engine().unwrap().counters();
    assert_eq!(counters.blocked_position, 3);

    let mut sim = Sim::ready(trader_config(&file(&[stop("r", "AAA", "10.50", "")])), &["AAA"]);
    sim.acceptor.script = Script::Reject;
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    let record = &sim.trader.line().log().records()[0];
    assert_eq!((record.state, record.acks, record.rejects), (OrderState::Rejected, 0, 1));
    assert_eq!(sim.trader.market().desk().engine().unwrap().position(0), 0);
    all_answered(&sim, 1);
}

#[test]
fn the_kill_switch_disarms_and_cancels() {
    let strategies = [
        stop("one", "AAA", "10.50", "rearm = false"),
        stop("two", "AAA", "10.50", "rearm = false"),
        stop("three", "AAA", "10.90", "rearm = false"),
    ];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 2);
    assert_eq!(sim.trader.line().fast_path().armed(), 1);
    sim.with_trader(|trader, now, out| trader.kill(now, out));
    assert_eq!(sim.trader.line().fast_path().armed(), 0);
    tick(&mut sim, &[trade(0, 1_090)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 2, "nothing fires any more");
    let ids: Vec<_> = sim.acceptor.orders.iter().map(|order| order.cl_ord_id.clone()).collect();
    assert_eq!(sim.acceptor.cancels, ids);
    let states: Vec<_> = sim.trader.line().log().records().iter().map(|r| r.state).collect();
    assert_eq!(states, [OrderState::Canceled, OrderState::Canceled]);
    assert_eq!(sim.trader.market().desk().engine().unwrap().open_slots().count(), 0);

    // Released, the third is prepared again under the next number.
    sim.with_trader(|trader, now, out| trader.release(now, out));
    assert_eq!(sim.trader.line().fast_path().armed(), 1);
    tick(&mut sim, &[trade(0, 1_090)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.acceptor.orders.len(), 3);
    all_answered(&sim, 3);
    assert_eq!(sim.acceptor.session.counters().gaps, 0);
}

#[test]
fn orders_beyond_the_log_are_not_prepared() {
    let mut config = trader_config(&file(&[stop("one", "AAA", "10.50", "rearm = true")]));
    config.line = LineConfig { max_orders: 2, ..config.line };
    let mut sim = Sim::ready(config, &["AAA"]);
    sim.acceptor.script = Script::Fill;
    for _ in 0..5 {
        tick(&mut sim, &[trade(0, 1_060)]);
        sim.run_for(MILLISECOND);
    }
    assert_eq!(sim.acceptor.orders.len(), 2);
    assert!(sim.trader.line().counters().log_full > 0);
    all_answered(&sim, 2);
}

#[test]
fn a_wrong_password_is_tried_again_with_longer_pauses() {
    let mut config = trader_config(LIMITS);
    config.line.identity.password = Some("wrong".into());
    let mut sim = Sim::new(config, &["AAA"], 1);
    sim.run_for(10 * SECOND);
    let tries = sim.trader.line().counters().connects;
    assert!((5..=9).contains(&tries), "{tries} connections in 10 s");
    assert_eq!(sim.trader.line().counters().logons, 0);
    assert_eq!(sim.acceptor.logons, 0);
}

#[test]
fn foreign_frames_are_counted_and_change_nothing() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = false")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    let before = sim.trader.counters();
    let send = |sim: &mut Sim, port: u8, bytes: &[u8]| {
        sim.with_trader(|trader, now: Nanos, out| {
            let rx = saker_wire::station::RxFrame { port, id: 1, first_byte_ns: now, bytes };
            saker_wire::station::Station::receive(trader, now, rx, out);
        });
    };
    let packet = sim.publisher.incremental(&[trade(0, 1_060)]);
    let mut good = Vec::new();
    let dst = saker_feed::channel::ChannelPlan::default().destination(Stream::Incremental, Line::A);
    let path = frame::UdpPath {
        src_mac: support::acceptor::MAC,
        dst_mac: saker_wire::ethernet::MacAddr::for_multicast(*dst.ip()).unwrap(),
        src: std::net::SocketAddrV4::new(support::acceptor::IP, 20_000),
        dst,
        vlan: None,
        ttl: 16,
    };
    path.write(0, &packet, &mut good);
    // Cut anywhere, or with a bad checksum, or on line B's port: never an order.
    for cut in 0..good.len() {
        send(&mut sim, 0, &good[..cut]);
    }
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    send(&mut sim, 0, &flipped);
    send(&mut sim, 1, &good);
    let after = sim.trader.counters();
    assert_eq!(after.malformed - before.malformed, good.len() as u64 + 1);
    assert_eq!(after.other_datagrams - before.other_datagrams, 1);
    assert!(sim.order_frames.is_empty());
    send(&mut sim, 0, &good);
    assert_eq!(sim.order_frames.len(), 1);
}

#[test]
fn an_unanswered_order_stays_open_in_the_audit() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = false")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    sim.acceptor.script = Script::Silent;
    let packet = sim.publisher.incremental(&[
        Item::Add { instrument: 0, id: 5, side: Side::Buy, price: 1_000, quantity: 1 },
        trade(0, 1_060),
    ]);
    sim.feed(Stream::Incremental, Line::B, &packet);
    sim.run_for(SECOND);
    let audit = sim.trader.line().log().audit();
    assert_eq!(audit, Audit { sent: 1, unanswered: 1, ..Audit::default() });
    assert_eq!(sim.trader.line().log().records()[0].state, OrderState::Sent);
}

#[test]
fn an_order_that_is_not_served_is_answered_by_that() {
    let strategies = [stop("one", "AAA", "10.50", ""), stop("two", "AAA", "10.50", "")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    sim.acceptor.script = Script::Refuse;
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    let records = sim.trader.line().log().records();
    assert!(records.iter().all(|record| record.state == OrderState::Rejected));
    assert_eq!(sim.trader.summary().line.rejects, 2);
    all_answered(&sim, 2);
    let engine = sim.trader.market().desk().engine().unwrap();
    assert_eq!(engine.open_slots().count(), 0);
}

#[test]
fn more_strategies_than_slots_get_more_slots_and_unknown_symbols_are_named() {
    let many: Vec<_> = (0..100).map(|n| stop(&format!("s{n}"), "AAA", "10.50", "")).collect();
    let mut config = trader_config(&file(&many));
    config.line.slots = 1;
    let mut sim = Sim::ready(config, &["AAA"]);
    assert_eq!(sim.trader.line().fast_path().armed(), 100);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(10 * MILLISECOND);
    // A burst fills the initial congestion window; what does not fit is refused, not queued, and
    // its slots are armed again. The orders that left are one sequence.
    let (sent, refused) = (sim.acceptor.orders.len() as u64, sim.trader.counters().refused);
    assert_eq!(sent + refused, 100);
    assert!(sent > 60 && refused > 0, "{sent} sent, {refused} refused");
    assert_eq!(sim.trader.line().fast_path().counters().refused_limit, refused);
    assert_eq!(sim.trader.line().fast_path().armed() as u64, refused);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(10 * MILLISECOND);
    assert!(sim.acceptor.orders.windows(2).all(|two| two[0].msg_seq + 1 == two[1].msg_seq));
    all_answered(&sim, 100);

    let config = trader_config(&file(&[stop("a", "AAA", "1", ""), stop("b", "ZZZ", "1", "")]));
    let mut sim = Sim::ready(config, &["AAA"]);
    assert_eq!(sim.trader.market().desk().waiting_for().collect::<Vec<_>>(), ["ZZZ"]);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    assert!(sim.order_frames.is_empty());
}

#[test]
fn senseless_reports_are_counted_and_bend_nothing() {
    let strategies = [stop("one", "AAA", "10.50", "rearm = false")];
    let mut sim = Sim::ready(trader_config(&file(&strategies)), &["AAA"]);
    tick(&mut sim, &[trade(0, 1_060)]);
    sim.run_for(MILLISECOND);
    let ours = sim.acceptor.orders[0].cl_ord_id.clone();
    for (order, exec_type, sum) in [
        ("T99999999", b'0', "0"),
        ("someone's", b'F', "5"),
        ("T", b'F', "5"),
        (&ours, b'0', "0"),
        (&ours, b'F', "4"),
        (&ours, b'F', "4"),
        (&ours, b'F', "3"),
        (&ours, b'F', "-5"),
        (&ours, b'F', "4.5"),
        (&ours, b'I', "4"),
        (&ours, b'F', "10"),
        (&ours, b'F', "12"),
        (&ours, b'4', "12"),
    ] {
        sim.with_acceptor(|acceptor, now, out| {
            acceptor.raw_report(now, order, exec_type, sum);
            acceptor.on_deadline(now, out);
        });
        sim.run_for(MILLISECOND);
    }
    let counters = sim.trader.line().counters();
    assert_eq!(counters.unknown_orders, 3);
    assert_eq!(counters.malformed, 2);
    assert_eq!(counters.inconsistent_updates, 1, "the fill beyond the quantity");
    let record = &sim.trader.line().log().records()[0];
    assert_eq!((record.acks, record.fills, record.filled), (2, 3, 12));
    assert_eq!(record.state, OrderState::Filled);
    assert_eq!(sim.trader.line().log().audit().answered_again, 1);
    // What the venue says was traded is the position, whatever was ordered.
    assert_eq!(sim.trader.market().desk().engine().unwrap().position(0), 12);
    assert!(sim.trader.line().session().is_logged_on());
}

/// Logic in front of the machine decides: the machine keeps books and session, and tells what the logic
/// must know.
#[test]
fn a_delegated_machine_decides_nothing_by_itself() {
    use saker_trader::books::Change;
    use saker_trader::desk::DeskEvent;
    use saker_trader::market::Applied;

    let strategies = file(&[stop("x", "AAA", "11.00", "rearm = true")]);
    let mut sim = Sim::new(trader_config(&strategies), &["AAA"], 1);
    sim.trader.delegate();
    let definitions = sim.publisher.definitions();
    sim.feed(Stream::Definition, Line::A, &definitions);
    let heartbeat = sim.publisher.heartbeat();
    sim.feed(Stream::Incremental, Line::A, &heartbeat);
    sim.run_for(5 * MILLISECOND);
    tick(&mut sim, &[trade(0, 1_150)]);
    sim.run_for(MILLISECOND);
    assert_eq!(sim.trader.counters().orders, 0);
    let applied = sim.trader.take_applied();
    assert!(matches!(applied[..], [Applied::Entry(entry)] if entry.rpt_seq == 1), "{applied:?}");
    assert!(sim.trader.desk_mut().take_journal().contains(&DeskEvent::Armed(0)));

    let mut fires = Vec::new();
    let change = Change::Trade { price: 1_150, quantity: 5 };
    sim.trader.desk_mut().on_change(sim.now, 0, change, &mut fires);
    assert_eq!(fires.len(), 1);
    let sent = sim.trader.fire(0).unwrap();
    let bytes = sim.trader.line().fast_path().frame(0).to_vec();
    assert!(fix_of(&bytes).starts_with(b"8=FIX"));
    assert_eq!(sim.trader.counters().orders, 1);
    sim.trader.account(sent, None, sim.now, sim.now);
    let mut out = saker_wire::station::Outbox::default();
    sim.trader.settle(sim.now, &mut out);
    assert_eq!(sim.trader.line().log().records().len(), 1);
    assert_eq!(sim.trader.line().counters().account_errors, 0);
}

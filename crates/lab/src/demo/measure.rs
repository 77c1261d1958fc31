//! The demo's figures: what happened between which points of the wire.

use saker_exchange::host::ExchangeHost;
use saker_trader::host::TraderHost;
use saker_trader::orders::OrderState;
use saker_wire::time::Nanos;

use super::topology::Topology;
use super::trader::Trader;
use super::{DemoOptions, kinds};
use crate::crowd::Crowd;
use crate::measure::{FrameIndex, Point, Series, pair, stage_series};
use crate::report::{OPEN_LOOP, Report};
use crate::tap::{TapId, TapRecord, Way};
use crate::world::World;

/// Everything but the invariants.
pub fn report(world: &World, topology: &Topology, options: &DemoOptions, start: Nanos) -> Report {
    let mut report =
        Report::of_world("saker demo: tick to trade", "demo", &options.command, world, start);
    report.run.seconds = options.seconds;
    report.note(OPEN_LOOP);
    report.note(
        "The background traders act on their own clock; the trader's orders are answered by the \
         same exchange and the same queues as theirs. Nothing is left out: every order the trader \
         sent is a sample, first and last included.",
    );
    report.note(
        "Service times inside exchange and trader are models, stated as constants in their host \
         modules; time on the wire and in queues is computed.",
    );
    latency(&mut report, world, topology);
    rates(&mut report, world, topology);
    if let Some(trader) = world.station::<Trader>(topology.trader) {
        trader_figures(&mut report, trader.0.host());
    }
    if let Some(exchange) = world.station::<ExchangeHost>(topology.exchange) {
        for (name, count) in exchange.exchange().counters().entries() {
            report.counter(&format!("exchange: {name}"), count);
        }
    }
    if let Some(crowd) = world.station::<Crowd>(topology.crowd) {
        let sum = |of: fn(&crate::crowd::ClientCounters) -> u64| crowd.counters().map(of).sum();
        report.counter("background: orders sent", sum(|c| c.sent));
        report.counter("background: orders acknowledged", sum(|c| c.acknowledged));
        report.counter("background: fills", sum(|c| c.fills));
        report.counter("background: cancels and replaces sent", sum(|c| c.amendments));
        report.counter("background: intents skipped", sum(|c| c.skipped));
        report.counter("background: market data snapshots received", sum(|c| c.snapshots));
    }
    report
}

fn of_kind(
    world: &World,
    tap: TapId,
    way: Way,
    kind: u8,
) -> impl Iterator<Item = &TapRecord> + Clone {
    world.tapped(tap).records(way).iter().filter(move |record| record.kind == kind)
}

/// Every feed packet that reached the trader, on either line, in order of arrival: the copy that
/// the arbiter let through is an order's cause.
pub fn ticks(world: &World, topology: &Topology) -> Vec<TapRecord> {
    let lines = topology.feed_taps.iter();
    let records = lines.flat_map(|&tap| world.tapped(tap).records(Way::Rx));
    let feed = |record: &&TapRecord| matches!(record.kind, kinds::INCREMENTAL | kinds::LOOP);
    let mut ticks: Vec<TapRecord> = records.filter(feed).copied().collect();
    ticks.sort_unstable_by_key(|record| (record.first_ns, record.id));
    ticks
}

fn latency(report: &mut Report, world: &World, topology: &Topology) {
    let lineage = world.lineage();
    let orders_tap = topology.orders_tap;
    let [venue_orders, venue_a, _] = topology.exchange_taps;

    let ticks = ticks(world, topology);
    let ticks = FrameIndex::new(&ticks, |_| true);
    // A retransmission of an order has no tick as its cause and is not a second sample.
    let orders = || of_kind(world, orders_tap, Way::Tx, kinds::ORDER);
    let mut add = |name: &str, from: &str, to: &str, pairing: crate::measure::Pairing| {
        report.latency(Series::new(name, from, to, pairing.samples));
    };
    let sop = pair(lineage, &ticks, Point::FirstByte, orders(), Point::FirstByte);
    let untriggered = sop.untriggered;
    add(
        "tick to order, SOP→SOP",
        "first byte of tick, in, at trader",
        "first byte of order, out, at trader",
        sop,
    );
    add(
        "tick to order, actionable",
        "last byte of tick, in, at trader",
        "first byte of order, out, at trader",
        pair(lineage, &ticks, Point::LastByte, orders(), Point::FirstByte),
    );

    let sent = FrameIndex::new(world.tapped(orders_tap).records(Way::Tx), |record| {
        record.kind == kinds::ORDER
    });
    let answers = || {
        let records = world.tapped(orders_tap).records(Way::Rx).iter();
        records.filter(|record| matches!(record.kind, kinds::REPORT | kinds::FILL))
    };
    add(
        "order to answer",
        "first byte of order, out, at trader",
        "first byte of report, in, at trader",
        pair(lineage, &sent, Point::FirstByte, answers(), Point::FirstByte),
    );
    let fills = of_kind(world, orders_tap, Way::Rx, kinds::FILL);
    add(
        "tick to fill",
        "first byte of tick, in, at trader",
        "first byte of fill, in, at trader",
        pair(lineage, &ticks, Point::FirstByte, fills, Point::FirstByte),
    );
    let arrived = FrameIndex::new(world.tapped(venue_orders).records(Way::Rx), |_| true);
    let published = of_kind(world, venue_a, Way::Tx, kinds::INCREMENTAL);
    add(
        "command to tick",
        "last byte of command, in, at exchange",
        "first byte of feed packet, out, at exchange, line A",
        pair(lineage, &arrived, Point::LastByte, published.clone(), Point::FirstByte),
    );

    report.counter("trader: order frames without a tick (retransmissions)", untriggered);
    // Stages of the frames that became orders, and of the commands that became ticks.
    let triggers: std::collections::HashSet<_> = orders().filter_map(|order| order.cause).collect();
    let stages = stage_series(world.stages(), topology.trader, |cause| triggers.contains(&cause));
    report.stages("trader", &stages);
    let commands: std::collections::HashSet<_> =
        published.clone().filter_map(|packet| packet.cause).collect();
    let stages = stage_series(world.stages(), topology.exchange, |cause| commands.contains(&cause));
    report.stages("exchange", &stages);
}

fn rates(report: &mut Report, world: &World, topology: &Topology) {
    let names = match topology.feed_taps.len() {
        1 => &["all lines, into the trader"][..],
        _ => &["line A, into the trader", "line B, into the trader"],
    };
    for (name, tap) in names.iter().zip(&topology.feed_taps) {
        report.rates(name, world.tapped(*tap).records(Way::Rx).iter());
    }
    let orders = world.tapped(topology.exchange_taps[0]).records(Way::Rx).iter();
    report.rates("order entry, into the exchange", orders);
}

fn trader_figures(report: &mut Report, trader: &TraderHost) {
    let records = trader.line().log().records();
    let count = |of: fn(&saker_trader::orders::OrderRecord) -> bool| {
        records.iter().filter(|record| of(record)).count() as u64
    };
    report.orders.sent = records.len() as u64;
    report.orders.acknowledged = count(|r| r.acks + r.rejects > 0);
    report.orders.filled = count(|r| r.state == OrderState::Filled);
    report.orders.partially_filled = count(|r| r.filled > 0 && r.state != OrderState::Filled);
    report.orders.canceled = count(|r| r.state == OrderState::Canceled);
    report.orders.rejected = count(|r| r.rejects > 0);

    let arbiter = trader.feed().arbiter_counters(saker_feed::channel::Stream::Incremental);
    let recovery = trader.market().recovery().counters();
    let line = trader.line().counters();
    let host = trader.counters();
    for (name, count) in [
        ("trader: frames received", host.frames),
        ("trader: incremental packets, first copy", arbiter.delivered),
        ("trader: incremental packets, second copy", arbiter.duplicates),
        ("trader: incremental packets missing on both lines", arbiter.lost),
        ("trader: gaps declared", recovery.gaps),
        ("trader: books confirmed by snapshot", recovery.snapshots_confirmed),
        ("trader: books rebuilt from snapshot", recovery.snapshots_rebuilt),
        ("trader: orders prepared", line.prepared),
        ("trader: decisions refused by the fast path", host.refused),
    ] {
        report.counter(name, count);
    }
    if let Some(endpoint) = trader.line().endpoint() {
        report.counter("trader: TCP segments retransmitted", endpoint.counters().retransmissions);
    }
}

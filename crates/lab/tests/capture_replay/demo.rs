//! The demo's capture, replayed: the same books, and the same stops at the same ticks.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::rc::Rc;

use saker_fix::{parse, tag};
use saker_lab::demo::{self, DemoOptions};
use saker_lab::replay::{Prefix, ReplayOptions, ReplayOutcome};
use saker_strategy::StrategyFile;
use saker_trader::recovery::Status;
use saker_wire::capture::Reader;
use saker_wire::frame::{self, Body};
use saker_wire::time::Nanos;

use crate::feed::{options, replay};

/// Stops a tick from the reference prices: hit soon, at a time that the market decides.
const LEVELS: [(&str, &str, &str); 8] = [
    ("ALDER", "100.03", "99.97"),
    ("BIRCH", "25.53", "25.47"),
    ("CEDAR", "1180.10", "1179.90"),
    ("ELM", "4.260", "4.240"),
    ("HAZEL", "67.28", "67.22"),
    ("MAPLE", "432.13", "432.07"),
    ("ROWAN", "153.54", "153.46"),
    ("WILLOW", "77.80", "77.74"),
];

fn strategies() -> StrategyFile {
    let mut text = String::from(
        "[limits]\nmax_order_quantity = 50\nmax_open_orders = 8\nmax_position = 200\n",
    );
    for (symbol, up, down) in LEVELS {
        for (side, trigger) in [("buy", up), ("sell", down)] {
            text += &format!(
                "[[strategy]]\nname = \"{symbol}-{side}\"\nkind = \"stop\"\nsymbol = \"{symbol}\"\n\
                 side = \"{side}\"\ntrigger = \"{trigger}\"\nprice = \"{trigger}\"\nquantity = 1\n"
            );
        }
    }
    StrategyFile::from_toml(&text).unwrap()
}

#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn demo_capture(seed: u64) -> Vec<u8> {
    let options =
        DemoOptions { seed, seconds: 1, strategies: strategies(), command: "test".to_owned() };
    let capture = Memory::default();
    let report = demo::run(options, Some(Box::new(capture.clone())), |_| {}).unwrap();
    assert!(report.holds());
    capture.0.take()
}

fn replay_of(capture: &[u8], interfaces: &[&str]) -> ReplayOutcome {
    let mut options = ReplayOptions {
        stream: None,
        saker_feed: true,
        strategies: strategies(),
        stages: false,
        ..options(Prefix::None, saker_fast::ResetPolicy::Packet)
    };
    options.selection.interfaces = interfaces.iter().map(|&name| name.to_owned()).collect();
    let outcome = replay(capture, &options).unwrap();
    for invariant in &outcome.report.invariants {
        assert!(invariant.holds, "{}", invariant.name);
    }
    assert!(outcome.stop.is_none());
    outcome
}

/// Digest and last trade of every book, each known to be complete.
fn books(outcome: &ReplayOutcome) -> BTreeMap<String, (u64, Option<(i64, u64)>)> {
    let market = outcome.engine.market();
    let instruments = outcome.engine.instruments().iter();
    (0..)
        .zip(instruments)
        .map(|(index, instrument)| {
            assert_eq!(market.recovery().status(index), Status::Live, "{}", instrument.symbol);
            let book = market.books().get(index).unwrap();
            (instrument.symbol.clone(), (book.book().digest(), book.last_trade()))
        })
        .collect()
}

/// Symbol and side of an order frame.
fn order_of(bytes: &[u8]) -> Option<(String, u8)> {
    let Ok(Body::Tcp { payload, .. }) = frame::parse(bytes).map(|frame| frame.body) else {
        return None;
    };
    let (message, _) = parse::frame(payload).ok()??;
    (message.msg_type() == b"D")
        .then(|| (message.str(tag::SYMBOL).unwrap().to_owned(), message.char(tag::SIDE).unwrap()))
}

/// The orders that the demo's trader sent, with the instant of the tick that each names as its
/// cause.
fn orders_sent(capture: &[u8]) -> BTreeSet<(String, u8, Nanos)> {
    let mut reader = Reader::new(capture).unwrap();
    let mut ticks: BTreeMap<u64, Nanos> = BTreeMap::new();
    let mut orders = Vec::new();
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    while let Some(packet) = reader.next().unwrap() {
        let (at, interface) = (packet.ts_ns, packet.interface);
        let words: Vec<&str> = packet.comment.unwrap_or("").split(' ').collect();
        let id: Option<u64> = words.get(1).and_then(|id| id.parse().ok());
        let cause: Option<u64> = words.get(5).and_then(|id| id.parse().ok());
        let order = order_of(packet.data);
        let known = |interface| reader.interfaces()[interface as usize].name.clone().unwrap();
        let name = names.entry(interface).or_insert_with(|| known(interface)).as_str();
        match name {
            "trader-feed-a-rx" | "trader-feed-b-rx" => {
                ticks.insert(id.unwrap(), at);
            }
            "trader-orders-tx" => orders.extend(order.zip(cause)),
            _ => {}
        }
    }
    orders.into_iter().map(|((symbol, side), cause)| (symbol, side, ticks[&cause])).collect()
}

const TRADER_FEED: [&str; 2] = ["trader-feed-a-rx", "trader-feed-b-rx"];

#[test]
fn the_trader_s_stops_fire_again_at_the_same_ticks() {
    for seed in [3, 4] {
        let capture = demo_capture(seed);
        let sent = orders_sent(&capture);
        assert!(sent.len() >= 8, "seed {seed}: {} orders", sent.len());
        let outcome = replay_of(&capture, &TRADER_FEED);
        let again: BTreeSet<_> = outcome
            .orders
            .iter()
            .map(|order| {
                let (symbol, side) = order_of(&order.frame).unwrap();
                (symbol, side, order.at)
            })
            .collect();
        assert_eq!(again, sent, "seed {seed}");
    }
}

#[test]
fn the_trader_s_lossy_lines_give_the_venue_s_books() {
    let capture = demo_capture(5);
    // The exchange's own port sees every packet, in order, once.
    let venue = replay_of(&capture, &["exchange-feed-a-tx"]);
    let trader = replay_of(&capture, &TRADER_FEED);
    let everything = replay_of(&capture, &[]);
    assert!(books(&venue).len() >= LEVELS.len());
    assert_eq!(books(&trader), books(&venue));
    assert_eq!(books(&everything), books(&venue));

    let count = |outcome: &ReplayOutcome, name: &str| {
        outcome.report.counters.iter().find(|c| c.name == name).unwrap().count
    };
    let missing = "feed: incremental packets missing on both lines";
    assert_eq!((count(&venue, missing), count(&everything, missing)), (0, 0));
    let dropped = crate::feed::dropped(&trader);
    let second = dropped.iter().find(|(name, _)| name == "packet: second copy").unwrap();
    assert!(second.1 > 100, "{dropped:?}");
    let lines: BTreeSet<_> = trader.report.rates.iter().map(|r| r.stream.as_str()).collect();
    assert_eq!(lines, BTreeSet::from(["line A", "line B"]));
}

//! Random commands of several clients: what must hold whatever they do.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use saker_exchange::{Exchange, Outputs};
use saker_feed::channel::Stream;
use support::late_joiner::FeedBooks;
use support::{MS, Order, Request, START, World, apply, config, hash_outputs};

const CLIENTS: usize = 3;
const SYMBOLS: [&str; 2] = ["MSFT", "SAKR"];
const SECURITY_IDS: [u64; 2] = [1001, 1002];

#[derive(Debug, Clone)]
enum Action {
    /// Client, instrument, buy, quantity in lots, price in ticks, order type and time in force.
    New(usize, usize, bool, u64, u64, u8),
    /// Client and which of its order names.
    Cancel(usize, prop::sample::Index),
    /// Client, which of its order names, quantity and price.
    Replace(usize, prop::sample::Index, u64, u64),
    Subscribe(usize, usize),
    /// Lets time run, in milliseconds.
    Wait(u64),
    Reconnect(usize),
}

fn action() -> impl Strategy<Value = Action> {
    let client = 0..CLIENTS;
    prop_oneof![
        12 => (client.clone(), 0..2usize, any::<bool>(), 0..40u64, 95..105u64, 0..5u8)
            .prop_map(|(c, i, b, q, p, k)| Action::New(c, i, b, q, p, k)),
        3 => (client.clone(), any::<prop::sample::Index>()).prop_map(|(c, n)| Action::Cancel(c, n)),
        4 => (client.clone(), any::<prop::sample::Index>(), 0..40u64, 95..105u64)
            .prop_map(|(c, n, q, p)| Action::Replace(c, n, q, p)),
        1 => (client.clone(), 0..2usize).prop_map(|(c, i)| Action::Subscribe(c, i)),
        2 => (1..30u64).prop_map(Action::Wait),
        1 => client.prop_map(Action::Reconnect),
    ]
}

/// What one client has done, as it sees it.
#[derive(Default)]
struct Ledger {
    /// Names of all commands so far, with the instrument and side of the order that they are for.
    names: Vec<(String, usize, char)>,
    /// Commands sent, by name, and how many answers each has had.
    answers: BTreeMap<String, u32>,
    bought: [u64; 2],
    sold: [u64; 2],
    /// Last `LeavesQty + CumQty` and `CumQty` by `OrderID`.
    filled: BTreeMap<String, u64>,
}

impl Ledger {
    fn name(&mut self, instrument: usize, side: char) -> String {
        let name = format!("N{}", self.names.len());
        self.names.push((name.clone(), instrument, side));
        self.answers.insert(name.clone(), 0);
        name
    }

    /// Takes a report in: a command's answer, or news of an order.
    fn take(&mut self, message: &support::Received) {
        let kind = message.kind();
        if kind == "W" {
            return;
        }
        let exec_type = message.get(150);
        if kind == "8" && exec_type.as_deref() == Some("F") {
            let instrument = SYMBOLS.iter().position(|s| *s == message.text(55)).unwrap();
            let quantity: u64 = message.text(32).parse().unwrap();
            let side = if message.text(54) == "1" { &mut self.bought } else { &mut self.sold };
            side[instrument] += quantity;
            let filled = self.filled.entry(message.text(37)).or_default();
            *filled += quantity;
            assert_eq!(message.text(14), filled.to_string(), "{message:?}");
            return;
        }
        // An unsolicited cancel carries the order's own name, which has been answered before.
        let unsolicited = exec_type.as_deref() == Some("4") && message.get(41).is_none();
        if !unsolicited {
            let name = message.text(11);
            *self.answers.get_mut(&name).unwrap_or_else(|| panic!("{message:?}")) += 1;
        }
    }
}

fn act(world: &mut World, ledgers: &mut [Ledger], action: &Action) {
    match action {
        Action::New(client, instrument, buy, lots, ticks, kind) => {
            let side = if *buy { '1' } else { '2' };
            let id = ledgers[*client].name(*instrument, side);
            let order = order(&id, *instrument, side, *lots, *ticks).with(|o| match kind {
                0 => o.time_in_force = Some('3'),
                1 => o.time_in_force = Some('4'),
                2 => (o.kind, o.price) = ('1', None),
                _ => {}
            });
            world.order(*client, &order);
        }
        Action::Cancel(client, which) => {
            let Some((orig, instrument, side)) = pick(&ledgers[*client], which) else { return };
            let id = ledgers[*client].name(instrument, side);
            let now = world.now;
            world.send(*client, "F", |w| {
                w.field_str(41, &orig);
                w.field_str(11, &id);
                w.field_str(55, SYMBOLS[instrument]);
                w.field_char(54, side as u8);
                w.field_timestamp(60, now);
            });
        }
        Action::Replace(client, which, lots, ticks) => {
            let Some((orig, instrument, side)) = pick(&ledgers[*client], which) else { return };
            let id = ledgers[*client].name(instrument, side);
            world.replace(*client, &orig, &order(&id, instrument, side, *lots, *ticks));
        }
        Action::Subscribe(client, instrument) => {
            let id = format!("R{instrument}");
            world.request(*client, &Request::new(&id, '1', &[SYMBOLS[*instrument]]));
            // A second subscription is refused; that answer names no order.
            world.clients[*client].inbox.retain(|m| m.kind() != "Y");
        }
        Action::Wait(ms) => world.advance(ms * MS),
        Action::Reconnect(client) => {
            world.disconnect(*client);
            world.log_on(*client);
        }
    }
}

fn order(id: &str, instrument: usize, side: char, lots: u64, ticks: u64) -> Order {
    let (quantity, price) = match instrument {
        0 => (lots, ticks.to_string()),
        _ => (lots * 10, format!("{}.{:02}", ticks * 5 / 100, ticks * 5 % 100)),
    };
    Order::limit(id, side, quantity, &price).with(|o| o.symbol = SYMBOLS[instrument].to_owned())
}

fn pick(ledger: &Ledger, which: &prop::sample::Index) -> Option<(String, usize, char)> {
    (!ledger.names.is_empty()).then(|| which.get(&ledger.names).clone())
}

fn feed_books_agree(world: &World, books: &mut FeedBooks, must_have: bool) {
    for (index, id) in SECURITY_IDS.iter().enumerate() {
        let Some((digest, rpt_seq, trade)) = books.state(*id) else {
            assert!(!must_have, "no snapshot of {id} in time");
            continue;
        };
        let book = world.exchange.book(index).unwrap();
        assert_eq!(digest, book.digest(), "{id}");
        assert_eq!(rpt_seq, u64::from(world.exchange.publisher().rpt_seq(index)));
        let last = world.exchange.last_trade(index);
        assert_eq!(trade, last.map(|t| (t.id, t.price, t.quantity)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_clients_do(
        actions in prop::collection::vec(action(), 1..150),
        join_at in any::<prop::sample::Index>(),
        reports_first in any::<bool>(),
        cancel_on_disconnect in any::<bool>(),
    ) {
        let mut config = config(CLIENTS);
        // Small packets, so that snapshots and sweeps span several.
        config.feed.max_payload = 256;
        config.feed.snapshot_interval_ns = 3 * MS;
        if reports_first {
            config.first = saker_exchange::config::First::Reports;
        }
        for participant in &mut config.participants {
            participant.cancel_on_disconnect = cancel_on_disconnect;
        }
        let mut world = World::with_clients(config, CLIENTS);
        let mut ledgers: Vec<Ledger> = (0..CLIENTS).map(|_| Ledger::default()).collect();
        let mut reader = FeedBooks::from_start();
        let mut joiner = FeedBooks::late();
        let join_at = join_at.index(actions.len());
        for (index, action) in actions.iter().enumerate() {
            act(&mut world, &mut ledgers, action);
            for (client, ledger) in ledgers.iter_mut().enumerate() {
                world.take(client).iter().for_each(|message| ledger.take(message));
            }
            for (stream, payload) in std::mem::take(&mut world.feed) {
                prop_assert!(payload.len() <= 256);
                reader.apply(stream, &payload);
                if index >= join_at {
                    joiner.apply(stream, &payload);
                }
            }
            feed_books_agree(&world, &mut reader, true);
            feed_books_agree(&world, &mut joiner, false);
            for instrument in 0..2 {
                prop_assert!(!world.exchange.book(instrument).unwrap().is_crossed());
            }
        }
        // One time around the snapshot loop, and the late joiner has it all.
        world.advance(1_000 * MS);
        for (stream, payload) in std::mem::take(&mut world.feed) {
            joiner.apply(stream, &payload);
            reader.apply(stream, &payload);
        }
        feed_books_agree(&world, &mut joiner, true);

        // Every command was answered exactly once.
        for ledger in &ledgers {
            for (name, answers) in &ledger.answers {
                prop_assert_eq!(*answers, 1, "{}", name);
            }
        }
        // What was bought was sold, and the feed has told it.
        let counters = *world.exchange.counters();
        for instrument in 0..2 {
            let bought: u64 = ledgers.iter().map(|l| l.bought[instrument]).sum();
            let sold: u64 = ledgers.iter().map(|l| l.sold[instrument]).sum();
            prop_assert_eq!(bought, sold);
        }
        let bought: u64 = ledgers.iter().map(|l| l.bought[0] + l.bought[1]).sum();
        prop_assert_eq!(bought, counters.traded_quantity);
        prop_assert_eq!((reader.trades, reader.traded), (counters.trades, counters.traded_quantity));
        let resting: usize = (0..2).map(|i| world.exchange.book(i).unwrap().len()).sum();
        prop_assert_eq!(world.exchange.live_orders(), resting);
        let open: usize = world.exchange.sessions().map(|s| s.open_orders).sum();
        prop_assert_eq!(open, resting);
        prop_assert_eq!(counters.messages_dropped, 0);

        // The same input gives the same state and the same output, byte for byte.
        let mut again = Exchange::new(world.config.clone(), START).unwrap();
        let mut out = Outputs::new();
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for input in &world.inputs {
            out.clear();
            apply(&mut again, input, &mut out);
            hash = hash_outputs(hash, &out);
        }
        prop_assert_eq!(again.digest(), world.exchange.digest());
        prop_assert_eq!(hash, world.output_hash);
    }
}

/// A and B carry the same payloads by construction: the engine hands every packet over once. What
/// the wire carries on each line is checked in `host`.
#[test]
fn streams_are_numbered_from_one() {
    let mut world = World::with_clients(config(1), 1);
    world.limit(0, "A1", '1', 1, "1");
    world.advance(1_000 * MS);
    for stream in [Stream::Incremental, Stream::Snapshot, Stream::Definition] {
        let first = world.feed.iter().find(|(s, _)| *s == stream).unwrap();
        assert_eq!(first.1[..4], [1, 0, 0, 0], "{stream:?}");
    }
}

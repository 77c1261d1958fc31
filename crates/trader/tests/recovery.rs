//! Loss on both lines, late joins and unreadable packets: books are right whenever they are live,
//! and strategies see live books only.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use proptest::prelude::*;
use saker_book::Side;
use saker_fast::Templates;
use saker_feed::TEMPLATES_XML;
use saker_feed::channel::{Line, Stream};
use saker_strategy::StrategyFile;
use saker_trader::arbitrate::ArbiterConfig;
use saker_trader::desk::Desk;
use saker_trader::feed::{FeedConfig, FeedHandler, News};
use saker_trader::market::{Firing, Market, MarketConfig};
use saker_trader::recovery::{RecoveryConfig, Status};
use saker_wire::time::Nanos;
use support::T0;
use support::feed::{Item, Publisher};

/// A feed handler and a market, without a network.
struct Listener {
    feed: FeedHandler,
    market: Market,
    firings: Vec<Firing>,
    now: Nanos,
}

impl Listener {
    fn new(strategies: &str, recovery: RecoveryConfig) -> Self {
        let templates = Templates::from_xml(TEMPLATES_XML).unwrap();
        let arbiter = ArbiterConfig { window: 8, hold_ns: 1_000, max_packet: 1_500 };
        let feed = FeedConfig { arbiter, ..FeedConfig::default() };
        let desk = Desk::new(StrategyFile::from_toml(strategies).unwrap());
        let market = MarketConfig { orders_per_book: 4_096, recovery };
        Self {
            feed: FeedHandler::new(&templates, feed),
            market: Market::new(market, desk),
            firings: Vec::new(),
            now: T0,
        }
    }

    fn take(&mut self, stream: Stream, line: Line, packet: &[u8]) {
        self.now += 10;
        let (market, firings, now) = (&mut self.market, &mut self.firings, self.now);
        let mut tell = |stream: Stream, news: News<'_>| on_news(market, firings, now, stream, news);
        self.feed.on_datagram(now, stream, line, packet, &mut tell);
    }

    fn wait(&mut self, ns: Nanos) {
        self.now += ns;
        let (market, firings, now) = (&mut self.market, &mut self.firings, self.now);
        let mut tell = |stream: Stream, news: News<'_>| on_news(market, firings, now, stream, news);
        self.feed.on_deadline(now, &mut tell);
    }

    fn arm_all(&mut self) {
        let mut slots = Vec::new();
        self.market.desk().needs_prepare(&mut slots);
        for slot in slots {
            assert!(self.market.desk_mut().arm(slot));
        }
    }
}

/// What the machine does with news, without the machine.
fn on_news(
    market: &mut Market,
    firings: &mut Vec<Firing>,
    now: Nanos,
    stream: Stream,
    news: News<'_>,
) {
    market.on_news(now, stream, &news, firings, &mut |_| {});
}

fn listener() -> Listener {
    Listener::new("", RecoveryConfig::default())
}

/// Every live book is the reference's; returns how many are live.
fn check_live(listener: &Listener, publisher: &Publisher, must_match: bool) -> usize {
    let mut live = 0;
    for (index, listed) in (0u32..).zip(&publisher.listed) {
        if listener.market.recovery().status(index) != Status::Live {
            continue;
        }
        live += 1;
        let book = listener.market.books().get(index).unwrap();
        if must_match {
            assert_eq!(book.book().digest(), listed.book.digest(), "book of {}", listed.symbol);
            assert_eq!(book.top(), listed.book.top());
            assert_eq!(book.last_trade(), listed.last_trade);
            assert_eq!(listener.market.recovery().rpt_seq(index), listed.rpt_seq);
        }
    }
    live
}

#[derive(Debug, Clone, Copy)]
struct Losses {
    /// Of 1,000 packets, lost on each line independently.
    line: u32,
    /// Of 1,000 packets, lost on both.
    both: u32,
    /// Of 1,000 packets, with a byte flipped on both lines.
    corrupt: u32,
    /// Of 1,000 packets, delayed behind the next ones on each line.
    late: u32,
}

fn losses() -> impl Strategy<Value = Losses> {
    (0u32..400, 0u32..100, 0u32..30, 0u32..300).prop_map(|(line, both, corrupt, late)| Losses {
        line,
        both,
        corrupt,
        late,
    })
}

/// Sends a packet over two bad lines; what is late waits in `late`.
fn over_two_lines(
    listener: &mut Listener,
    rng: &mut fastrand::Rng,
    losses: Losses,
    stream: Stream,
    packet: &[u8],
    late: &mut Vec<(Stream, Line, Vec<u8>)>,
) {
    let mut hit = |per_thousand: u32| rng.u32(..1_000) < per_thousand;
    let (both, corrupt) = (hit(losses.both), hit(losses.corrupt));
    let fates = [(hit(losses.line), hit(losses.late)), (hit(losses.line), hit(losses.late))];
    let mut packet = packet.to_vec();
    if corrupt && packet.len() > 5 {
        // The stop bit of the last byte goes, so that the message surely does not decode.
        let last = packet.len() - 1;
        packet[last] &= 0x7F;
    }
    for (line, (lost, delayed)) in [Line::A, Line::B].into_iter().zip(fates) {
        if both || lost {
            continue;
        }
        if delayed {
            late.push((stream, line, packet.clone()));
        } else {
            listener.take(stream, line, &packet);
        }
    }
    if rng.u8(..3) == 0 {
        for (stream, line, packet) in late.drain(..) {
            listener.take(stream, line, &packet);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn books_recover_from_any_loss(
        seed in any::<u64>(),
        losses in losses(),
        join_after in prop_oneof![Just(0usize), 1..40usize],
        buffer_entries in prop_oneof![Just(4usize), Just(4_096)],
    ) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut publisher = Publisher::new(&["AAA", "BBB", "CCC"]);
        let recovery = RecoveryConfig { buffer_entries, ..RecoveryConfig::default() };
        let mut listener = Listener::new("", recovery);
        let mut late = Vec::new();
        let mut next_id = 0;
        for step in 0..160 {
            let mut items = publisher.random_items(&mut rng, 8, &mut next_id);
            if rng.u32(..1_000) < losses.corrupt {
                let at = rng.usize(..=items.len());
                items.insert(at, Item::Unreadable { instrument: rng.usize(..3) });
            }
            let lists: Vec<_> = items.chunks(3).map(<[Item]>::to_vec).collect();
            let packet = publisher.incremental_messages(&lists);
            if step < join_after {
                continue;
            }
            over_two_lines(&mut listener, &mut rng, losses, Stream::Incremental, &packet, &mut late);
            if step % 10 == 9 {
                let packet = publisher.definitions();
                over_two_lines(&mut listener, &mut rng, losses, Stream::Definition, &packet, &mut late);
            }
            if step % 4 == 3 {
                for packet in publisher.snapshot((step / 4) % 3, 7) {
                    over_two_lines(&mut listener, &mut rng, losses, Stream::Snapshot, &packet, &mut late);
                }
            }
            // In step with the venue, every live book equals its: nothing held, nothing late.
            let in_step = listener.feed.next_deadline().is_none()
                && listener.feed.last_packet(Stream::Incremental) == publisher.last[0];
            check_live(&listener, &publisher, in_step);
        }
        // The lines heal: a heartbeat ends any gap, and one round of snapshots brings all back.
        for (stream, line, packet) in late.drain(..) {
            listener.take(stream, line, &packet);
        }
        for packet in [publisher.heartbeat(), publisher.heartbeat()] {
            listener.take(Stream::Incremental, Line::B, &packet);
        }
        let packet = publisher.definitions();
        listener.take(Stream::Definition, Line::A, &packet);
        listener.wait(2_000);
        for instrument in 0..3 {
            for packet in publisher.snapshot(instrument, 50) {
                listener.take(Stream::Snapshot, Line::A, &packet);
            }
            listener.wait(2_000);
        }
        prop_assert_eq!(check_live(&listener, &publisher, true), 3);
        prop_assert_eq!(listener.market.counters().book_refused, 0);
    }

    #[test]
    fn hostile_datagrams_do_no_more_than_count(
        seed in any::<u64>(),
        junk in prop::collection::vec((0u8..3, prop::collection::vec(any::<u8>(), 0..80)), 0..40),
    ) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut publisher = Publisher::new(&["AAA", "BBB"]);
        let mut listener = Listener::new(STOP, RecoveryConfig::default());
        let packet = publisher.definitions();
        listener.take(Stream::Definition, Line::A, &packet);
        listener.arm_all();
        let mut next_id = 0;
        for (kind, bytes) in &junk {
            let (stream, mut packet) = match kind {
                0 => {
                    let items = publisher.random_items(&mut rng, 6, &mut next_id);
                    (Stream::Incremental, publisher.incremental(&items))
                }
                1 => (Stream::Snapshot, publisher.snapshot(rng.usize(..2), 5).swap_remove(0)),
                _ => (Stream::Definition, publisher.definitions()),
            };
            // A sound packet with some bytes of junk in it, or junk behind a sound number.
            if rng.bool() {
                for byte in bytes {
                    let at = rng.usize(4..packet.len());
                    packet[at] = *byte;
                    if rng.u8(..4) == 0 {
                        break;
                    }
                }
            } else {
                packet.truncate(rng.usize(..=packet.len()));
                packet.extend_from_slice(bytes);
            }
            listener.take(stream, Line::A, &packet);
            listener.wait(rng.u64(..3_000));
        }
        listener.wait(2_000);
        let packets: u64 = listener.feed.counters().packets.iter().sum();
        let counted: u64 = [Stream::Incremental, Stream::Snapshot, Stream::Definition]
            .into_iter()
            .map(|stream| {
                let c = listener.feed.arbiter_counters(stream);
                c.delivered + c.duplicates + c.late + c.too_long
            })
            .sum();
        prop_assert_eq!(counted + listener.feed.counters().short, packets);
    }

    #[test]
    fn without_loss_nothing_ever_needs_a_snapshot(seed in any::<u64>()) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut publisher = Publisher::new(&["AAA", "BBB"]);
        let mut listener = listener();
        let packet = publisher.definitions();
        listener.take(Stream::Definition, Line::A, &packet);
        prop_assert_eq!(check_live(&listener, &publisher, true), 0, "nothing joined yet");
        let mut next_id = 0;
        for _ in 0..100 {
            let items = publisher.random_items(&mut rng, 6, &mut next_id);
            let packet = publisher.incremental(&items);
            // Each packet on one line at least.
            match rng.u8(..3) {
                0 => listener.take(Stream::Incremental, Line::A, &packet),
                1 => listener.take(Stream::Incremental, Line::B, &packet),
                _ => {
                    listener.take(Stream::Incremental, Line::B, &packet);
                    listener.take(Stream::Incremental, Line::A, &packet);
                }
            }
            prop_assert_eq!(check_live(&listener, &publisher, true), 2);
        }
        prop_assert_eq!(listener.feed.arbiter_counters(Stream::Incremental).gaps, 0);
        prop_assert_eq!(listener.market.recovery().counters().buffered, 0);
    }
}

const STOP: &str = r#"
[limits]
max_order_quantity = 10
max_open_orders = 10
max_position = 100

[[strategy]]
name = "stop"
kind = "stop"
symbol = "AAA"
side = "buy"
trigger = "10.50"
price = "10.60"
quantity = 1

[[strategy]]
name = "cross"
kind = "cross"
symbol = "AAA"
side = "buy"
threshold = "9.00"
quantity = 1
"#;

fn trade(price: i64) -> Item {
    Item::Trade { instrument: 0, id: 1, price, quantity: 5 }
}

fn add(id: u64, side: Side, price: i64) -> Item {
    Item::Add { instrument: 0, id, side, price, quantity: 5 }
}

#[test]
fn nothing_fires_while_a_book_is_suspect_or_stale() {
    let mut publisher = Publisher::new(&["AAA"]);
    let mut listener = Listener::new(STOP, RecoveryConfig::default());
    let packet = publisher.definitions();
    listener.take(Stream::Definition, Line::A, &packet);
    listener.arm_all();
    let packet = publisher.incremental(&[add(1, Side::Sell, 1_100)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert_eq!(listener.market.recovery().status(0), Status::Live);

    // Two packets are lost on both lines; the book is suspect, though nothing of it may be lost.
    let _lost = (publisher.heartbeat(), publisher.incremental(&[add(2, Side::Sell, 1_200)]));
    let packet = publisher.heartbeat();
    listener.take(Stream::Incremental, Line::A, &packet);
    listener.wait(2_000);
    assert_eq!(listener.market.recovery().status(0), Status::Suspect);

    // The next entry shows the hole: stale. Its trade would fire the stop, the offer the cross.
    let packet = publisher.incremental(&[trade(1_060), add(3, Side::Sell, 890)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert_eq!(listener.market.recovery().status(0), Status::Stale);
    assert!(listener.firings.is_empty());

    // The snapshot brings it back, and shows what was passed meanwhile.
    for packet in publisher.snapshot(0, 10) {
        listener.take(Stream::Snapshot, Line::A, &packet);
    }
    assert_eq!(listener.market.recovery().status(0), Status::Live);
    assert_eq!(listener.firings.len(), 2);
    assert_eq!(
        listener.market.desk().slot_plan(listener.firings[0].fire.slot).unwrap().name,
        "stop"
    );
    assert_eq!(listener.firings[0].price, 1_060);
    assert_eq!(listener.firings[1].price, 890);
    check_live(&listener, &publisher, true);
}

#[test]
fn the_next_entry_clears_a_suspicion() {
    let mut publisher = Publisher::new(&["AAA", "BBB"]);
    let mut listener = Listener::new(STOP, RecoveryConfig::default());
    let packet = publisher.definitions();
    listener.take(Stream::Definition, Line::A, &packet);
    listener.arm_all();
    let packet = publisher.incremental(&[add(1, Side::Sell, 1_100)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    let lost =
        publisher.incremental(&[Item::Trade { instrument: 1, id: 9, price: 1, quantity: 1 }]);
    let packet = publisher.incremental(&[trade(1_060)]);
    listener.take(Stream::Incremental, Line::B, &packet);
    assert!(listener.firings.is_empty(), "held behind the missing packet");
    listener.wait(2_000);
    // AAA's RptSeq goes on without a hole: what was lost was not its. BBB may have lost something.
    assert_eq!(listener.firings.len(), 1);
    assert_eq!(listener.market.recovery().status(0), Status::Live);
    assert_eq!(listener.market.recovery().status(1), Status::Suspect);
    listener.take(Stream::Incremental, Line::A, &lost);
    assert_eq!(listener.feed.arbiter_counters(Stream::Incremental).late, 1);
    assert_eq!(listener.market.recovery().status(1), Status::Suspect);
    // A snapshot from before the gap proves nothing; one from after it does.
    for packet in publisher.snapshot(1, 10) {
        listener.take(Stream::Snapshot, Line::A, &packet);
    }
    assert_eq!(listener.market.recovery().status(1), Status::Live);
    check_live(&listener, &publisher, true);
}

#[test]
fn intermediate_tops_of_a_message_are_not_shown() {
    let mut publisher = Publisher::new(&["AAA"]);
    let mut listener = Listener::new(STOP, RecoveryConfig::default());
    let packet = publisher.definitions();
    listener.take(Stream::Definition, Line::A, &packet);
    listener.arm_all();
    let packet = publisher.incremental(&[
        add(1, Side::Sell, 890),
        Item::Change { instrument: 0, id: 1, price: 1_000, quantity: 5 },
    ]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert!(listener.firings.is_empty());
    let packet = publisher.incremental(&[add(2, Side::Sell, 900)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert_eq!(listener.firings.len(), 1);
}

#[test]
fn an_unreadable_entry_is_only_healed_by_a_snapshot_that_includes_it() {
    let mut publisher = Publisher::new(&["AAA"]);
    let mut listener = Listener::new(STOP, RecoveryConfig::default());
    let packet = publisher.definitions();
    listener.take(Stream::Definition, Line::A, &packet);
    listener.arm_all();
    let packet = publisher.incremental(&[add(1, Side::Sell, 1_100)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    let before = publisher.snapshot(0, 10);
    let packet = publisher.incremental(&[Item::Unreadable { instrument: 0 }]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert_eq!(listener.market.recovery().status(0), Status::Stale);
    assert_eq!(listener.market.counters().entries_broken, 1);
    for packet in before {
        listener.take(Stream::Snapshot, Line::A, &packet);
    }
    assert_eq!(listener.market.recovery().status(0), Status::Suspect);
    let packet = publisher.incremental(&[add(2, Side::Sell, 890)]);
    listener.take(Stream::Incremental, Line::A, &packet);
    assert_eq!(listener.market.recovery().status(0), Status::Stale);
    assert!(listener.firings.is_empty());
    for packet in publisher.snapshot(0, 10) {
        listener.take(Stream::Snapshot, Line::A, &packet);
    }
    assert_eq!(listener.market.recovery().status(0), Status::Live);
    assert_eq!(listener.firings.len(), 1);
}

#[test]
fn a_book_rebuilt_from_before_a_gap_is_shown_once_it_is_proved() {
    for by_snapshot in [false, true] {
        let mut publisher = Publisher::new(&["AAA"]);
        let mut listener = Listener::new(STOP, RecoveryConfig::default());
        let packet = publisher.definitions();
        listener.take(Stream::Definition, Line::A, &packet);
        listener.arm_all();
        // Joined late: the snapshot that brings the book is older than a gap that follows.
        let _missed = publisher.incremental(&[trade(1_060), add(1, Side::Sell, 890)]);
        let packet = publisher.heartbeat();
        listener.take(Stream::Incremental, Line::A, &packet);
        let snapshot = publisher.snapshot(0, 10);
        let _lost = publisher.heartbeat();
        let packet = publisher.heartbeat();
        listener.take(Stream::Incremental, Line::A, &packet);
        listener.wait(2_000);
        for packet in snapshot {
            listener.take(Stream::Snapshot, Line::A, &packet);
        }
        assert_eq!(listener.market.recovery().status(0), Status::Suspect);
        assert!(listener.firings.is_empty());
        if by_snapshot {
            for packet in publisher.snapshot(0, 10) {
                listener.take(Stream::Snapshot, Line::A, &packet);
            }
        } else {
            let packet = publisher.incremental(&[add(2, Side::Sell, 1_300)]);
            listener.take(Stream::Incremental, Line::A, &packet);
        }
        assert_eq!(listener.market.recovery().status(0), Status::Live);
        assert_eq!(listener.firings.len(), 2, "by snapshot: {by_snapshot}");
        check_live(&listener, &publisher, true);
    }
}

//! The publisher against the FAST decoder: what is queued is what a reader gets.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use proptest::prelude::*;
use saker_feed::channel::Stream;
use saker_feed::event::{Action, Side};
use saker_feed::publish::{
    BookView, Instrument, LastTrade, MAX_PRICE, Pacing, PacketSink, PublishConfig, PublishError,
    Publisher,
};
use support::{Field, Fields, Message, Reader};

const MS: u64 = 1_000_000;
const START: u64 = 1_795_000_000_000_000_000;

fn instruments() -> Vec<Instrument> {
    let instrument = |security_id, symbol: &str, exponent| Instrument {
        security_id,
        symbol: symbol.to_owned(),
        exponent,
        tick: 5,
        round_lot: 10,
    };
    vec![instrument(1001, "MSFT", -2), instrument(7, "SAKR", 0)]
}

fn config() -> PublishConfig {
    PublishConfig {
        max_payload: 1400,
        heartbeat_ns: 1000 * MS,
        snapshot: Pacing { packets: 1, interval_ns: 10 * MS },
        definition: Pacing { packets: 1, interval_ns: 100 * MS },
    }
}

#[derive(Default)]
struct Packets(Vec<(Stream, Vec<u8>)>);

impl PacketSink for Packets {
    fn packet(&mut self, stream: Stream, payload: &[u8]) {
        self.0.push((stream, payload.to_vec()));
    }
}

impl Packets {
    fn of(&self, stream: Stream) -> Vec<&[u8]> {
        self.0.iter().filter(|(s, _)| *s == stream).map(|(_, p)| p.as_slice()).collect()
    }
}

/// Books with a given number of bids in instrument 0 and nothing in instrument 1.
struct Books {
    bids: u64,
    trade: Option<LastTrade>,
}

impl BookView for Books {
    fn visit_orders(&self, instrument: usize, side: Side, visit: &mut dyn FnMut(u64, i64, u64)) {
        if (instrument, side) == (0, Side::Bid) {
            for n in 0..self.bids {
                visit(n + 1, 100_000 - n as i64, 10 * (n + 1));
            }
        }
    }

    fn last_trade(&self, instrument: usize) -> Option<LastTrade> {
        self.trade.filter(|_| instrument == 0)
    }
}

const EMPTY: Books = Books { bids: 0, trade: None };

#[test]
fn one_commands_entries_are_one_packet() {
    let mut publisher = Publisher::new(instruments(), config(), START).unwrap();
    let mut out = Packets::default();
    publisher.order(0, Action::New, Side::Bid, 41, 110_000, 500);
    publisher.trade(0, 9, 110_000, 200);
    publisher.order(1, Action::Delete, Side::Offer, 40, -3, 0);
    publisher.flush(START + 1, &mut out);

    assert_eq!(out.0.len(), 1);
    let packet = Reader::new().read(&out.0[0].1);
    assert_eq!(packet.sequence, 1);
    assert_eq!(publisher.last_sequence(Stream::Incremental), 1);
    let [message] = &packet.messages[..] else { panic!("{packet:?}") };
    assert_eq!(message.fields.text(35), "X");
    assert_eq!(message.fields.number(52), START + 1);
    let row = |e: &Fields| {
        let numbers = [279, 269, 48, 83, 278, 271].map(|tag| e.number(tag));
        (numbers, e.decimal(270))
    };
    let rows: Vec<_> = message.entries.iter().map(row).collect();
    assert_eq!(
        rows,
        [
            ([0, 0, 1001, 1, 41, 500], (110_000, -2)),
            ([0, 2, 1001, 2, 9, 200], (110_000, -2)),
            ([2, 1, 7, 1, 40, 0], (-3, 0)),
        ]
    );
    assert_eq!((publisher.rpt_seq(0), publisher.rpt_seq(1)), (2, 1));

    publisher.flush(START + 2, &mut out);
    assert_eq!(out.0.len(), 1, "nothing queued, nothing sent");
}

#[test]
fn the_bytes_of_a_packet_are_those_of_the_document() {
    let mut publisher = Publisher::new(instruments(), config(), START).unwrap();
    let mut out = Packets::default();
    publisher.order(0, Action::New, Side::Bid, 41, 110_000, 500);
    publisher.flush(1_000, &mut out);
    let hex: Vec<String> = out.0[0].1.iter().map(|b| format!("{b:02x}")).collect();
    let document = include_str!("../FEED.md");
    assert!(document.contains(&hex.join(" ")), "FEED.md should show\n{}", hex.join(" "));
}

#[test]
fn a_sweep_is_split_over_packets_that_keep_the_mtu() {
    for max_payload in [256, 300, 1400, 9000] {
        let config = PublishConfig { max_payload, ..config() };
        let mut publisher = Publisher::new(instruments(), config, START).unwrap();
        let mut out = Packets::default();
        for n in 0..5000u64 {
            let instrument = (n % 2) as usize;
            publisher.order(instrument, Action::Delete, Side::Offer, n * n, -(n as i64), n);
        }
        publisher.flush(START, &mut out);
        let mut reader = Reader::new();
        let (mut id, mut rpt_seqs) = (0, [0, 0]);
        for (index, (_, payload)) in out.0.iter().enumerate() {
            assert!(payload.len() <= max_payload);
            let packet = reader.read(payload);
            assert_eq!(packet.sequence as usize, index + 1);
            for entry in packet.messages.iter().flat_map(|m| &m.entries) {
                assert_eq!(entry.number(278), id * id);
                let instrument = (id % 2) as usize;
                rpt_seqs[instrument] += 1;
                assert_eq!(entry.number(83), rpt_seqs[instrument]);
                id += 1;
            }
        }
        assert_eq!(id, 5000);
        // All but the last packet are well filled.
        let smallest = out.0[..out.0.len() - 1].iter().map(|(_, p)| p.len()).min().unwrap();
        assert!(smallest * 10 >= max_payload * 7, "{smallest} of {max_payload}");
    }
}

#[test]
fn heartbeats_fill_idle_time_and_take_a_number() {
    let mut publisher = Publisher::new(instruments(), config(), START).unwrap();
    let mut out = Packets::default();
    publisher.order(0, Action::New, Side::Bid, 1, 1, 1);
    publisher.flush(START + 600 * MS, &mut out);
    let mut heartbeats = Vec::new();
    while publisher.next_deadline() <= START + 2700 * MS {
        let now = publisher.next_deadline();
        publisher.on_deadline(now, &EMPTY, &mut out);
        if publisher.last_sequence(Stream::Incremental) as usize > heartbeats.len() + 1 {
            heartbeats.push(now - START);
        }
    }
    assert_eq!(heartbeats, [1600 * MS, 2600 * MS]);
    let mut reader = Reader::new();
    let packets: Vec<_> = out.of(Stream::Incremental).into_iter().map(|p| reader.read(p)).collect();
    let sequences: Vec<_> = packets.iter().map(|p| p.sequence).collect();
    assert_eq!(sequences, [1, 2, 3]);
    assert_eq!(packets[2].messages[0].fields.text(35), "0");
    assert_eq!(packets[2].messages[0].fields.number(52), START + 2600 * MS);
}

#[test]
fn a_snapshot_is_the_book_at_one_point_over_paced_packets() {
    let mut publisher = Publisher::new(instruments(), config(), START).unwrap();
    let mut out = Packets::default();
    for n in 0..3 {
        publisher.order(0, Action::New, Side::Bid, n, 1, 1);
        publisher.flush(START, &mut out);
    }
    let trade = Some(LastTrade { id: 77, price: 99_995, quantity: 3 });
    let mut books = Books { bids: 400, trade };
    let mut reader = Reader::new();
    let mut parts: Vec<Message> = Vec::new();
    for tick in 1.. {
        let before = out.of(Stream::Snapshot).len();
        publisher.on_deadline(START + tick * 10 * MS, &books, &mut out);
        let snapshots = out.of(Stream::Snapshot);
        assert_eq!(snapshots.len(), before + 1, "one packet in an interval");
        assert!(snapshots[before].len() <= 1400);
        let packet = reader.read(snapshots[before]);
        assert_eq!(packet.sequence as usize, before + 1);
        parts.extend(packet.messages);
        if parts.last().unwrap().fields.number(893) == 1 {
            break;
        }
        // The book goes on while its snapshot is being sent.
        books.bids += 1;
        publisher.order(0, Action::New, Side::Bid, books.bids, 1, 1);
        publisher.flush(START + tick * 10 * MS, &mut out);
    }
    assert!(parts.len() > 2, "400 orders do not fit one packet");
    for (index, part) in parts.iter().enumerate() {
        assert_eq!(part.fields.text(35), "W");
        assert_eq!(part.fields.number(369), 3);
        assert_eq!(part.fields.number(911), 2);
        assert_eq!(part.fields.number(48), 1001);
        assert_eq!(part.fields.number(83), 3);
        assert_eq!(part.fields.number(5893), u64::from(index == 0));
        assert_eq!(part.fields.number(893), u64::from(index + 1 == parts.len()));
    }
    let entries: Vec<_> = parts.iter().flat_map(|p| &p.entries).collect();
    assert_eq!(entries.len(), 401);
    for (n, entry) in entries[..400].iter().enumerate() {
        assert_eq!(
            [269, 278, 271].map(|t| entry.number(t)),
            [0, n as u64 + 1, 10 * (n as u64 + 1)]
        );
        assert_eq!(entry.decimal(270), (100_000 - n as i64, -2));
    }
    assert_eq!([269, 278, 271].map(|t| entries[400].number(t)), [2, 77, 3]);

    // The next instrument has an empty book: one message that is both first and last.
    publisher.on_deadline(publisher.next_deadline(), &books, &mut out);
    let packet = reader.read(out.of(Stream::Snapshot).last().unwrap());
    let [message] = &packet.messages[..] else { panic!("{packet:?}") };
    assert_eq!([48, 83, 5893, 893].map(|t| message.fields.number(t)), [7, 0, 1, 1]);
    assert!(message.entries.is_empty());
    let processed = u64::from(publisher.last_sequence(Stream::Incremental));
    assert_eq!(message.fields.number(369), processed);
}

#[test]
fn definitions_go_round() {
    let many: Vec<Instrument> = (0..100)
        .map(|n| Instrument { security_id: n, symbol: format!("S{n}"), ..instruments()[0].clone() })
        .collect();
    let mut publisher = Publisher::new(many, config(), START).unwrap();
    let mut out = Packets::default();
    for tick in 1..=6 {
        publisher.on_deadline(START + tick * 100 * MS, &EMPTY, &mut out);
    }
    let mut reader = Reader::new();
    let mut expected = 0;
    for payload in out.of(Stream::Definition) {
        assert!(payload.len() <= 1400);
        for message in reader.read(payload).messages {
            let fields = &message.fields;
            assert_eq!(fields.text(35), "d");
            assert_eq!(fields.number(48), expected % 100);
            assert_eq!(fields.text(55), format!("S{}", expected % 100));
            assert_eq!(fields.number(911), 100);
            assert_eq!(fields.decimal(969), (5, -2));
            assert_eq!(fields.number(561), 10);
            expected += 1;
        }
    }
    assert!(expected > 100, "the loop goes on after its end: {expected}");
}

#[test]
fn settings_out_of_range_are_named() {
    let field = |instruments, config| match Publisher::new(instruments, config, START) {
        Err(PublishError::Invalid { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let with = |change: fn(&mut PublishConfig)| {
        let mut config = config();
        change(&mut config);
        field(instruments(), config)
    };
    assert_eq!(field(vec![], config()), "instruments");
    assert_eq!(with(|c| c.max_payload = 255), "max_payload");
    assert_eq!(with(|c| c.max_payload = 70_000), "max_payload");
    assert_eq!(with(|c| c.heartbeat_ns = 0), "heartbeat_ns");
    assert_eq!(with(|c| c.snapshot.packets = 0), "packets");
    assert_eq!(with(|c| c.definition.interval_ns = 0), "interval_ns");
    let with = |change: fn(&mut Instrument)| {
        let mut list = instruments();
        change(&mut list[1]);
        field(list, config())
    };
    assert_eq!(with(|i| i.symbol.clear()), "symbol");
    assert_eq!(with(|i| i.exponent = 64), "exponent");
    assert_eq!(with(|i| i.tick = 0), "tick");
    assert_eq!(with(|i| i.round_lot = 0), "round_lot");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever is queued, in whatever batches, comes out the same and within the MTU.
    #[test]
    fn entries_survive(
        batches in prop::collection::vec(
            prop::collection::vec(
                (0..2usize, 0..4u32, any::<bool>(), 0..1u64 << 63, -MAX_PRICE..=MAX_PRICE, any::<u64>()),
                0..60,
            ),
            1..8,
        ),
        max_payload in 256usize..2000,
    ) {
        let config = PublishConfig { max_payload, ..config() };
        let mut publisher = Publisher::new(instruments(), config, START).unwrap();
        let mut out = Packets::default();
        let mut expected = Vec::new();
        let mut rpt_seqs = [0u64; 2];
        for (time, batch) in batches.iter().enumerate() {
            for &(instrument, action, bid, id, price, quantity) in batch {
                let side = if bid { Side::Bid } else { Side::Offer };
                let kind = match action {
                    0 => { publisher.order(instrument, Action::New, side, id, price, quantity); u64::from(!bid) }
                    1 => { publisher.order(instrument, Action::Change, side, id, price, quantity); u64::from(!bid) }
                    2 => { publisher.order(instrument, Action::Delete, side, id, price, quantity); u64::from(!bid) }
                    _ => { publisher.trade(instrument, id, price, quantity); 2 }
                };
                rpt_seqs[instrument] += 1;
                let (security_id, exponent) = [(1001, -2), (7, 0)][instrument];
                expected.push((
                    [u64::from(action % 3), kind, security_id, rpt_seqs[instrument], id, quantity],
                    Field::Decimal(price, exponent),
                ));
            }
            publisher.flush(START + time as u64, &mut out);
        }
        let mut reader = Reader::new();
        let mut found = Vec::new();
        for (index, (_, payload)) in out.0.iter().enumerate() {
            prop_assert!(payload.len() <= max_payload);
            let packet = reader.read(payload);
            prop_assert_eq!(packet.sequence as usize, index + 1);
            for entry in packet.messages.iter().flat_map(|m| &m.entries) {
                let numbers = [279, 269, 48, 83, 278, 271].map(|tag| entry.number(tag));
                let (mantissa, exponent) = entry.decimal(270);
                found.push((numbers, Field::Decimal(mantissa, exponent)));
            }
        }
        prop_assert_eq!(found, expected);
    }
}

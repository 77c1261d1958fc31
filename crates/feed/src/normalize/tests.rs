//! Messages of our own templates and of a foreign one, replayed into the normaliser.

use saker_fast::{Message, Templates, Value};

use super::*;
use crate::TEMPLATES_XML;
use crate::event::{Action, EntryKind, Price, Side};

const FOREIGN: &str = r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
  <template name="X" id="7">
    <string name="MessageType" id="35"><constant value="X"/></string>
    <sequence name="GroupMDEntries">
      <length name="NoMDEntries" id="268"/>
      <uInt32 name="MDUpdateAction" id="279" presence="optional"/>
      <string name="MDEntryType" id="269"/>
      <string name="MDEntryID" id="278" presence="optional"/>
      <string name="Symbol" id="55" presence="optional"/>
      <int32 name="RptSeq" id="83" presence="optional"/>
      <decimal name="MDEntryPx" id="270" presence="optional"/>
      <decimal name="MDEntrySize" id="271" presence="optional"/>
      <string name="TradingSessionID" id="336" presence="optional"/>
      <sequence name="Parties" presence="optional">
        <length name="NoPartyIDs" id="453"/>
        <string name="Symbol" id="55"/>
      </sequence>
    </sequence>
  </template>
  <template name="W" id="8">
    <string name="MessageType" id="35"/>
    <uInt32 name="LastMsgSeqNumProcessed" id="369"/>
    <uInt32 name="RptSeq" id="83"/>
    <string name="Symbol" id="55"/>
    <sequence name="GroupMDEntries" presence="optional">
      <length name="NoMDEntries" id="268"/>
      <string name="MDEntryType" id="269"/>
      <decimal name="MDEntryPx" id="270" presence="optional"/>
      <decimal name="MDEntrySize" id="271" presence="optional"/>
    </sequence>
  </template>
  <template name="News" id="9"><string name="MessageType" id="35"><constant value="B"/></string></template>
</templates>"#;

fn decimal(mantissa: i64, exponent: i32) -> Value<'static> {
    Value::Decimal { mantissa, exponent }
}

struct Bench {
    templates: Templates,
    normalizer: Normalizer,
}

impl Bench {
    fn new(xml: &str, config: InstrumentsConfig, max_events: usize) -> Self {
        let templates = Templates::from_xml(xml).unwrap();
        let normalizer = Normalizer::new(TagMap::new(&templates), config, max_events);
        Self { templates, normalizer }
    }

    fn ours() -> Self {
        Self::new(TEMPLATES_XML, InstrumentsConfig::default(), 64)
    }

    fn foreign(capacity: usize) -> Self {
        let config = InstrumentsConfig { capacity, create_on_first_sight: Some(-4) };
        Self::new(FOREIGN, config, 64)
    }

    fn message(&self, name: &str) -> Message {
        Message::new(&self.templates, name).unwrap()
    }

    fn take(&mut self, message: &Message) -> Vec<Event> {
        self.normalizer.clear();
        message.visit(&mut self.normalizer);
        self.normalizer.events().to_vec()
    }

    fn define(&mut self, security_id: u32, symbol: &str, exponent: i32) -> Vec<Event> {
        let mut m = self.message("SecurityDefinition");
        m.set("SecurityID", security_id).unwrap();
        m.set("Symbol", symbol).unwrap();
        m.set("MinPriceIncrement", decimal(5, exponent)).unwrap();
        m.set("RoundLot", 100u64).unwrap();
        self.take(&m)
    }

    /// An entry in a message of this template.
    fn entry(
        &mut self,
        template: &str,
        security_id: u32,
        action: u32,
        price: (i64, i32),
    ) -> Vec<Event> {
        let fields = [
            ("MDUpdateAction", Value::from(action)),
            ("MDEntryType", Value::from(1u32)),
            ("SecurityID", Value::from(security_id)),
            ("RptSeq", Value::from(9u32)),
            ("MDEntryID", Value::from(u64::MAX)),
            ("MDEntryPx", decimal(price.0, price.1)),
            ("MDEntrySize", Value::from(u64::MAX)),
        ];
        let mut m = self.message(template);
        if template == "IncrementalEntry" {
            for (name, value) in fields {
                m.set(name, value).unwrap();
            }
        } else {
            let mut root = m.root_mut();
            let mut entries = root.sequence("MDEntries").unwrap();
            let mut e = entries.push();
            for (name, value) in fields {
                e.set(name, value).unwrap();
            }
        }
        self.take(&m)
    }

    /// One foreign entry: type, id, symbol, price, size, session; what is `None` is absent.
    fn foreign_entry(&mut self, fields: &[(&str, Value<'_>)]) -> Vec<Event> {
        let mut m = self.message("X");
        let mut root = m.root_mut();
        let mut entries = root.sequence("GroupMDEntries").unwrap();
        let mut e = entries.push();
        for (name, value) in fields {
            e.set(*name, *value).unwrap();
        }
        self.take(&m)
    }
}

fn ascii(text: &'static str) -> Value<'static> {
    Value::Ascii(text.as_bytes())
}

#[test]
fn our_definitions_make_instruments_once() {
    let mut bench = Bench::ours();
    assert_eq!(bench.define(17, "MSFT", -2), [Event::Defined { instrument: 0 }]);
    assert_eq!(bench.define(18, "AAPL", -3), [Event::Defined { instrument: 1 }]);
    assert_eq!(bench.define(17, "MSFT", -2), []);
    let known = bench.normalizer.instruments().get(1).unwrap();
    assert_eq!((known.symbol.as_str(), known.price_exponent), ("AAPL", -3));
    assert_eq!((known.price_increment, known.round_lot), (5, 100));
    assert_eq!(bench.normalizer.counters().definitions, 2);
    assert_eq!(bench.define(19, "FAR", -19), []);
    assert_eq!(bench.normalizer.counters().bad_increment, 1);
    assert_eq!(bench.normalizer.last_error(), Some(NormalizeError::BadIncrement));
}

#[test]
fn our_entries_come_at_the_instruments_exponent_or_not_at_all() {
    for template in ["IncrementalRefresh", "IncrementalEntry"] {
        entries_come_at_the_instruments_exponent_or_not_at_all(template);
    }
}

fn entries_come_at_the_instruments_exponent_or_not_at_all(template: &str) {
    let mut bench = Bench::ours();
    bench.define(17, "MSFT", -2);
    let entry = |mantissa, action| {
        Event::Entry(Entry {
            instrument: 0,
            rpt_seq: 9,
            id: u64::MAX,
            position: 0,
            kind: EntryKind::Order {
                action,
                side: Side::Offer,
                price: Price { mantissa, exponent: -2 },
                quantity: u64::MAX,
            },
        })
    };
    assert_eq!(bench.entry(template, 17, 0, (1_050, -2)), [entry(1_050, Action::New)]);
    assert_eq!(bench.entry(template, 17, 1, (105, -1)), [entry(1_050, Action::Change)]);
    assert_eq!(bench.entry(template, 17, 2, (10_500, -3)), [entry(1_050, Action::Delete)]);
    let broken = [Event::Broken { instrument: 0 }];
    assert_eq!(bench.entry(template, 17, 0, (10_505, -3)), broken);
    assert_eq!(bench.entry(template, 17, 0, (i64::MAX, -1)), broken);
    assert_eq!(bench.entry(template, 17, 3, (1_050, -2)), broken);
    assert_eq!(bench.entry(template, 99, 0, (1_050, -2)), [Event::Unknown]);
    let counters = bench.normalizer.counters();
    assert_eq!((counters.price_inexact, counters.price_overflow), (1, 1));
    assert_eq!((counters.bad_action, counters.unknown_instrument), (1, 1));
    assert_eq!((counters.entries, counters.dropped()), (3, 4));
    assert_eq!(counters.drops().map(|(_, count)| count).sum::<u64>(), 4);
}

#[test]
fn our_snapshots_are_framed() {
    let mut bench = Bench::ours();
    bench.define(17, "MSFT", -2);
    let mut m = bench.message("SnapshotFullRefresh");
    m.set("LastMsgSeqNumProcessed", 1_000u32).unwrap();
    m.set("SecurityID", 17u32).unwrap();
    m.set("RptSeq", 44u32).unwrap();
    m.set("FirstFragment", 1u32).unwrap();
    m.set("LastFragment", 0u32).unwrap();
    let head =
        SnapshotHead { instrument: 0, last_packet: 1_000, rpt_seq: 44, first: true, last: false };
    // Empty, with the sequence and without.
    let empty = [Event::SnapshotBegin(head), Event::SnapshotEnd { head, complete: true }];
    assert_eq!(bench.take(&m), empty);
    m.root_mut().sequence("MDEntries").unwrap();
    assert_eq!(bench.take(&m), empty);
    for (kind, price) in [(0u32, 999), (2, 1_000)] {
        let mut root = m.root_mut();
        let mut entries = root.sequence("MDEntries").unwrap();
        let mut e = entries.push();
        e.set("MDEntryType", kind).unwrap();
        e.set("MDEntryID", 5u64).unwrap();
        e.set("MDEntryPx", decimal(price, -2)).unwrap();
        e.set("MDEntrySize", 7u64).unwrap();
    }
    let events = bench.take(&m);
    assert_eq!(events.len(), 4);
    let price = |mantissa| Price { mantissa, exponent: -2 };
    let kinds: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::SnapshotEntry(entry) => Some((entry.position, entry.kind)),
            _ => None,
        })
        .collect();
    let (action, side) = (Action::New, Side::Bid);
    assert_eq!(
        kinds,
        [
            (0, EntryKind::Order { action, side, price: price(999), quantity: 7 }),
            (1, EntryKind::Trade { price: price(1_000), quantity: 7 }),
        ]
    );
    assert_eq!(events[3], Event::SnapshotEnd { head, complete: true });

    // Of an unknown instrument nothing is told; with an unreadable entry it is incomplete.
    m.set("SecurityID", 18u32).unwrap();
    assert_eq!(bench.take(&m), []);
    m.set("SecurityID", 17u32).unwrap();
    let mut root = m.root_mut();
    let mut entries = root.sequence("MDEntries").unwrap();
    entries.get(0).unwrap().set("MDEntryPx", decimal(1, -3)).unwrap();
    let events = bench.take(&m);
    assert_eq!(events.last(), Some(&Event::SnapshotEnd { head, complete: false }));
    assert_eq!(events.len(), 3);
}

#[test]
fn foreign_instruments_are_made_on_first_sight_up_to_the_bound() {
    let mut bench = Bench::foreign(2);
    let trade = |symbol, session| {
        vec![
            ("MDEntryType", ascii("z")),
            ("Symbol", ascii(symbol)),
            ("TradingSessionID", ascii(session)),
            ("MDEntryID", ascii("80810596")),
            ("RptSeq", Value::Int(7_889)),
            ("MDEntryPx", decimal(7_478, -2)),
            ("MDEntrySize", decimal(9, 1)),
        ]
    };
    let events = bench.foreign_entry(&trade("AFLT", "TQBR"));
    let price = Price { mantissa: 747_800, exponent: -4 };
    let entry = Entry {
        instrument: 0,
        rpt_seq: 7_889,
        id: 80_810_596,
        position: 0,
        kind: EntryKind::Trade { price, quantity: 90 },
    };
    assert_eq!(events, [Event::Defined { instrument: 0 }, Event::Entry(entry)]);
    assert_eq!(bench.foreign_entry(&trade("AFLT", "TQBR")), [Event::Entry(entry)]);
    let other = Entry { instrument: 1, ..entry };
    let events = bench.foreign_entry(&trade("AFLT", "SMAL"));
    assert_eq!(events, [Event::Defined { instrument: 1 }, Event::Entry(other)]);
    assert_eq!(bench.foreign_entry(&trade("SBER", "TQBR")), [Event::Unknown]);
    assert_eq!(bench.normalizer.counters().too_many_instruments, 1);
}

#[test]
fn foreign_entries_are_mapped_by_type_and_action() {
    let mut bench = Bench::foreign(8);
    let base = [("Symbol", ascii("A")), ("RptSeq", Value::Int(5))];
    let mut with = |more: &[(&'static str, Value<'static>)]| {
        let mut events = bench.foreign_entry(&[&base[..], more].concat());
        events.retain(|event| !matches!(event, Event::Defined { .. }));
        assert_eq!(events.len(), 1);
        events[0]
    };
    let (px, size) = (("MDEntryPx", decimal(1, 0)), ("MDEntrySize", decimal(2, 0)));
    let price = Price { mantissa: 10_000, exponent: -4 };
    let kind_of = |event| match event {
        Event::Entry(Entry { kind, .. }) => kind,
        other => panic!("{other:?}"),
    };
    let action = Action::New;
    assert_eq!(
        kind_of(with(&[("MDEntryType", ascii("0")), px, size])),
        EntryKind::Order { action, side: Side::Bid, price, quantity: 2 }
    );
    assert_eq!(
        kind_of(with(&[("MDEntryType", ascii("2")), px, size])),
        EntryKind::Trade { price, quantity: 2 }
    );
    // A deletion needs neither price nor size.
    let deletion = [("MDEntryType", ascii("1")), ("MDUpdateAction", Value::UInt(2))];
    let (action, side) = (Action::Delete, Side::Offer);
    let nothing = Price { mantissa: 0, exponent: -4 };
    assert_eq!(
        kind_of(with(&deletion)),
        EntryKind::Order { action, side, price: nothing, quantity: 0 }
    );
    // What says nothing about orders and trades counts in RptSeq all the same.
    let other = Event::Other { instrument: 0, rpt_seq: 5 };
    assert_eq!(with(&[("MDEntryType", ascii("J"))]), other);
    assert_eq!(with(&[("MDEntryType", ascii("z")), ("MDUpdateAction", Value::UInt(2))]), other);
    let broken = Event::Broken { instrument: 0 };
    assert_eq!(with(&[("MDEntryType", ascii("z")), size]), broken);
    assert_eq!(with(&[("MDEntryType", ascii("z")), px]), broken);
    let half = ("MDEntrySize", decimal(5, -1));
    assert_eq!(with(&[("MDEntryType", ascii("z")), px, half]), broken);
    assert_eq!(with(&[("MDEntryType", ascii("J")), half]), other);
    let less = ("MDEntrySize", decimal(-1, 0));
    assert_eq!(with(&[("MDEntryType", ascii("J")), less]), broken);
    let named = ("MDEntryID", ascii("A17"));
    assert_eq!(with(&[("MDEntryType", ascii("0")), named, px, size]), broken);
    let counters = bench.normalizer.counters();
    assert_eq!((counters.no_price, counters.bad_quantity, counters.bad_entry_id), (1, 3, 1));
    assert_eq!(counters.other_entries, 3);

    let events = bench.foreign_entry(&[("MDEntryType", ascii("z")), ("RptSeq", Value::Int(-1))]);
    assert_eq!(events, [Event::Unknown]);
    assert_eq!(bench.normalizer.counters().no_instrument, 1);
    let long = "a symbol of more than thirty-two bytes";
    let events = bench.foreign_entry(&[("MDEntryType", ascii("z")), ("Symbol", ascii(long))]);
    assert_eq!(events, [Event::Unknown]);
}

#[test]
fn nested_sequences_do_not_disturb_their_entry() {
    let mut bench = Bench::foreign(8);
    let mut m = bench.message("X");
    let mut root = m.root_mut();
    let mut entries = root.sequence("GroupMDEntries").unwrap();
    let mut e = entries.push();
    e.set("MDEntryType", ascii("J")).unwrap();
    e.set("Symbol", "A").unwrap();
    let mut parties = e.sequence("Parties").unwrap();
    parties.push().set("Symbol", "B").unwrap();
    parties.push().set("Symbol", "C").unwrap();
    bench.take(&m);
    let symbols: Vec<_> =
        bench.normalizer.instruments().iter().map(|i| i.symbol.as_str()).collect();
    assert_eq!(symbols, ["A"]);
    assert_eq!(bench.normalizer.counters().other_entries, 1);
}

#[test]
fn messages_may_name_their_own_type() {
    let mut bench = Bench::foreign(8);
    let mut m = bench.message("W");
    m.set("MessageType", "W").unwrap();
    m.set("LastMsgSeqNumProcessed", 3u32).unwrap();
    m.set("RptSeq", 4u32).unwrap();
    m.set("Symbol", "A").unwrap();
    let head = SnapshotHead { instrument: 0, last_packet: 3, rpt_seq: 4, first: true, last: true };
    let begin_and_end = [Event::SnapshotBegin(head), Event::SnapshotEnd { head, complete: true }];
    assert_eq!(bench.take(&m)[1..], begin_and_end);
    m.set("MessageType", "j").unwrap();
    assert_eq!(bench.take(&m), []);
    let news = bench.message("News");
    assert_eq!(bench.take(&news), []);
    assert_eq!(bench.normalizer.counters().ignored_messages, 2);
}

#[test]
fn a_full_buffer_drops_and_counts_and_an_abandoned_message_leaves_nothing() {
    let config = InstrumentsConfig { capacity: 8, create_on_first_sight: Some(-4) };
    let mut bench = Bench::new(FOREIGN, config, 3);
    let mut m = bench.message("X");
    for _ in 0..5 {
        let mut root = m.root_mut();
        let mut entries = root.sequence("GroupMDEntries").unwrap();
        let mut e = entries.push();
        e.set("MDEntryType", ascii("J")).unwrap();
        e.set("Symbol", "A").unwrap();
    }
    assert_eq!(bench.take(&m).len(), 3, "the definition and two entries");
    assert_eq!(bench.normalizer.counters().too_many_entries, 3);
    assert!(bench.normalizer.overflowed());
    bench.normalizer.clear();
    assert!(!bench.normalizer.overflowed());

    let mut bench = Bench::foreign(8);
    bench.foreign_entry(&[("MDEntryType", ascii("J")), ("Symbol", ascii("A"))]);
    m.visit(&mut bench.normalizer);
    bench.normalizer.abandon();
    // `m` was complete, so it stays; what begins after it and breaks does not.
    let kept = bench.normalizer.events().len();
    saker_fast::Visitor::begin_message(&mut bench.normalizer, m.template());
    bench.normalizer.abandon();
    assert_eq!(bench.normalizer.events().len(), kept);
}

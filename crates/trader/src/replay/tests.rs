//! A small feed of trades and definitions through [`Replay`].

#![allow(clippy::unwrap_used)] // a test may fail by panicking

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_fast::json::from_json;
use saker_fast::{Encoder, EncoderOptions, ResetPolicy, Templates};
use saker_fix::{parse, tag};
use saker_strategy::StrategyFile;
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

use super::*;
use crate::orders::Identity;
use crate::recovery::{Continuity, Status};

const T0: Nanos = 1_700_000_000 * SECOND;

const TEMPLATES: &str = r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
  <template name="Trades" id="7">
    <string name="MsgType" id="35"><constant value="X"/></string>
    <sequence name="Entries">
      <length name="NoMDEntries" id="268"/>
      <string name="MDEntryType" id="269"><constant value="2"/></string>
      <string name="Symbol" id="55"/>
      <uInt32 name="RptSeq" id="83"/>
      <decimal name="MDEntryPx" id="270"/>
      <int64 name="MDEntrySize" id="271"><constant value="1"/></int64>
    </sequence>
  </template>
  <template name="Definition" id="8">
    <string name="MsgType" id="35"><constant value="d"/></string>
    <string name="Symbol" id="55"/>
    <decimal name="MinPriceIncrement" id="969"/>
  </template>
</templates>"#;

fn templates() -> Templates {
    Templates::from_xml(TEMPLATES).unwrap()
}

fn config() -> ReplayConfig {
    let identity = Identity {
        sender_comp_id: "TRADER".into(),
        target_comp_id: "SAKER".into(),
        username: None,
        password: None,
        account: None,
    };
    let path = TcpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 2]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 49_152),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
        vlan: None,
        ttl: 64,
    };
    ReplayConfig { preamble_len: 0, ..ReplayConfig::trades(identity, path) }
}

/// A stop on AAA: buy at 10.50 or above.
fn stop() -> StrategyFile {
    let text = "[limits]\nmax_order_quantity = 1\nmax_open_orders = 1\nmax_position = 1\n\
                [[strategy]]\nname = \"up\"\nkind = \"stop\"\nsymbol = \"AAA\"\nside = \"buy\"\n\
                trigger = \"10.50\"\norder_type = \"market\"\nquantity = 1\n";
    StrategyFile::from_toml(text).unwrap()
}

fn message(json: &str) -> Vec<u8> {
    let templates = templates();
    let options = EncoderOptions::with_reset(ResetPolicy::Message);
    let mut bytes = Vec::new();
    let message = from_json(&templates, json).unwrap();
    Encoder::new(&templates, options).encode(&message, &mut bytes).unwrap();
    bytes
}

fn trade(symbol: &str, rpt_seq: u32, price: &str) -> Vec<u8> {
    message(&format!(
        r#"{{"template":"Trades","id":7,"fields":{{"MsgType":"X","Entries":[{{"MDEntryType":"2",
        "Symbol":"{symbol}","RptSeq":{rpt_seq},"MDEntryPx":{price},"MDEntrySize":1}}]}}}}"#
    ))
}

/// Writes down what it is told.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn sent(&mut self, frame: &[u8]) {
        self.0.push(format!("sent {}", frame.len()));
    }

    fn ended(&mut self, stage: Stage) {
        self.0.push(stage.name().to_owned());
    }
}

#[test]
fn the_frame_is_handed_back_before_its_record_is_written() {
    let mut replay = Replay::new(&templates(), stop(), config(), T0).unwrap();
    let mut log = Log::default();
    let unit = [trade("BBB", 1, "1"), trade("AAA", 1, "11")].concat();
    replay.packet(T0, &unit, &mut log).unwrap();
    assert!(replay.records().is_empty());
    replay.settle();
    let [record] = replay.records() else { panic!("one order") };
    assert_eq!((record.message, record.entry, record.price), (1, 0, 11_000_000));
    let sent = format!("sent {}", record.frame.len());
    let market = "books, strategies";
    assert_eq!(log.0, ["decode", market, "decode", market, &sent, "fire", market]);
}

#[test]
fn a_packet_lost_to_an_error_is_a_gap_for_those_who_count() {
    // Whether the entry after the broken packet shows that nothing of AAA was lost in it.
    for (next_rpt_seq, status, fires) in [(2, Status::Live, 1), (3, Status::Stale, 0)] {
        let mut config = config();
        config.market.recovery.continuity = Continuity::Required;
        let mut replay = Replay::new(&templates(), stop(), config, T0).unwrap();
        replay.packet(T0, &trade("AAA", 1, "10"), &mut Deaf).unwrap();
        assert_eq!(replay.market().recovery().status(0), Status::Live);
        let mut broken = trade("BBB", 1, "10");
        broken.truncate(broken.len() - 1);
        let error = replay.packet(T0, &broken, &mut Deaf).unwrap_err();
        assert!(matches!(error, ReplayError::Decode { message: 1, .. }), "{error}");
        assert!(error.is_of_the_unit());
        assert_eq!(replay.market().recovery().status(0), Status::Suspect);
        replay.packet(T0, &trade("AAA", next_rpt_seq, "11"), &mut Deaf).unwrap();
        replay.settle();
        assert_eq!(replay.market().recovery().status(0), status);
        assert_eq!(replay.records().len(), fires);
        let counters = replay.counters();
        assert_eq!((counters.units, counters.messages, counters.undecodable), (3, 2, 1));
    }
}

#[test]
fn prepared_orders_are_kept_fresh() {
    let mut replay = Replay::new(&templates(), stop(), config(), T0).unwrap();
    let at = T0 + 3_600 * SECOND + 7 * MILLISECOND;
    replay.idle(at);
    replay.packet(at, &trade("AAA", 1, "11"), &mut Deaf).unwrap();
    replay.settle();
    let record = &replay.records()[0];
    let Body::Tcp { payload, .. } = frame::parse(&record.frame).unwrap().body else {
        panic!("not TCP")
    };
    let (order, _) = parse::frame(payload).unwrap().unwrap();
    assert_eq!(order.timestamp(tag::SENDING_TIME), Ok(at));
    assert_eq!(record.at, at);
}

#[test]
fn time_does_not_run_backwards() {
    let mut replay = Replay::new(&templates(), stop(), config(), T0).unwrap();
    replay.packet(T0 + 9, &trade("AAA", 1, "10"), &mut Deaf).unwrap();
    replay.packet(T0 + 3, &trade("AAA", 2, "11"), &mut Deaf).unwrap();
    replay.settle();
    assert_eq!(replay.records()[0].at, T0 + 9);
}

#[test]
fn another_price_unit_is_an_error_only_where_it_matters() {
    let definition = |symbol: &str| {
        message(&format!(
            r#"{{"template":"Definition","id":8,"fields":{{"MsgType":"d","Symbol":"{symbol}",
            "MinPriceIncrement":0.01}}}}"#
        ))
    };
    let mut replay = Replay::new(&templates(), stop(), config(), T0).unwrap();
    replay.packet(T0, &definition("BBB"), &mut Deaf).unwrap();
    let error = replay.packet(T0, &definition("AAA"), &mut Deaf).unwrap_err();
    let expected = "the feed's prices of AAA are in units of 10^-2, not of 10^-6";
    assert_eq!(error.to_string(), expected);
    assert!(!error.is_of_the_unit());

    let fitting = ReplayConfig { price_exponent: -2, ..config() };
    let mut replay = Replay::new(&templates(), stop(), fitting, T0).unwrap();
    replay.packet(T0, &definition("AAA"), &mut Deaf).unwrap();
    replay.packet(T0, &trade("AAA", 1, "10.50"), &mut Deaf).unwrap();
    replay.settle();
    assert_eq!(replay.records()[0].price, 1_050);
}

#[test]
fn units_of_another_kind_are_refused() {
    let (stream, line) = (Stream::Incremental, Line::A);
    let mut replay = Replay::new(&templates(), stop(), config(), T0).unwrap();
    let refused = replay.datagram(T0, stream, line, b"1234", &mut Deaf);
    assert!(matches!(refused, Err(ReplayError::Kind)));
    let templates = Templates::from_xml(saker_feed::TEMPLATES_XML).unwrap();
    let mut replay = Replay::of_feed(&templates, stop(), FeedConfig::default(), config(), T0);
    assert!(matches!(replay.packet(T0, b"1234", &mut Deaf), Err(ReplayError::Kind)));
    assert!(matches!(replay.step(T0, b"1234"), Err(ReplayError::Kind)));
    assert!(replay.datagram(T0, stream, line, b"123", &mut Deaf).is_ok());
    assert_eq!(replay.feed().unwrap().counters().short, 1);
    assert_eq!(replay.market().desk().waiting_for().collect::<Vec<_>>(), ["AAA"]);
}

#[test]
fn books_made_ready_are_those_of_the_first_instruments() {
    let ready = ReplayConfig { ready_instruments: 8, ..config() };
    let mut replay = Replay::new(&templates(), stop(), ready, T0).unwrap();
    assert!(replay.instruments().is_empty());
    for symbol in ["BBB", "AAA"] {
        replay.packet(T0, &trade(symbol, 1, "11"), &mut Deaf).unwrap();
    }
    replay.settle();
    assert_eq!(replay.instruments().len(), 2);
    assert_eq!(replay.records().len(), 1);
    assert_eq!(replay.market().books().get(1).unwrap().last_trade(), Some((11_000_000, 1)));
}

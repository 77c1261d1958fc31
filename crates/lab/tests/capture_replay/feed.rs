//! A small feed of trades, its frames, and a clock, for the tests.

use std::cell::Cell;
use std::net::SocketAddrV4;

use saker_fast::json::from_json;
use saker_fast::{Encoder, EncoderOptions, ResetPolicy, Templates};
use saker_lab::replay::{
    Prefix, ReplayOptions, ReplayOutcome, ReplayStop, Selection, StreamFormat, run,
};
use saker_strategy::StrategyFile;
use saker_wire::capture::{InterfaceSpec, Writer};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::UdpPath;

pub const TEMPLATES: &str = r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
  <template name="Trades" id="7">
    <string name="MsgType" id="35"><constant value="X"/></string>
    <uInt64 name="SendingTime" id="52"/>
    <sequence name="Entries">
      <length name="NoMDEntries" id="268"/>
      <string name="MDEntryType" id="269"/>
      <string name="Symbol" id="55"><copy/></string>
      <decimal name="MDEntryPx" id="270" presence="optional"/>
      <int64 name="MDEntrySize" id="271" presence="optional"/>
    </sequence>
  </template>
</templates>"#;

pub const STOPS: &str = r#"
    [limits]
    max_order_quantity = 10
    max_open_orders = 10
    max_position = 100
    [[strategy]]
    name = "up"
    kind = "stop"
    symbol = "AAA"
    side = "buy"
    trigger = "10.5"
    order_type = "market"
    quantity = 1
    [[strategy]]
    name = "down"
    kind = "stop"
    symbol = "BBB"
    side = "sell"
    trigger = "20"
    price = "19.99"
    quantity = 2
    [[strategy]]
    name = "absent"
    kind = "stop"
    symbol = "CCC"
    side = "sell"
    trigger = "1000"
    order_type = "market"
    quantity = 1
"#;

/// Prices in hundredths: (AAA, BBB) by message.
pub const PRICES: [(i64, i64); 6] =
    [(1_000, 2_100), (1_049, 2_050), (1_040, 2_000), (1_050, 1_990), (1_100, 2_100), (900, 1_900)];

/// 2019-04-04T08:36:36.000000Z, and a millisecond for each message.
fn sending_time(message: usize) -> u64 {
    190_404_083_636_000_000 + 1_000 * message as u64
}

pub fn templates() -> Templates {
    Templates::from_xml(TEMPLATES).unwrap()
}

/// The messages: each a trade of AAA, then one of BBB, by the reset policy.
pub fn messages(reset: ResetPolicy) -> Vec<Vec<u8>> {
    let templates = templates();
    let mut encoder = Encoder::new(&templates, EncoderOptions::with_reset(reset));
    let text = |(number, (a, b)): (usize, &(i64, i64))| {
        let trade = |symbol: &str, price: i64| {
            let (whole, cents) = (price / 100, price % 100);
            format!(
                r#"{{"MDEntryType":"2","Symbol":"{symbol}","MDEntryPx":{whole}.{cents:02},"MDEntrySize":3}}"#
            )
        };
        let time = sending_time(number);
        format!(
            r#"{{"template":"Trades","id":7,"fields":{{"MsgType":"X","SendingTime":{time},"Entries":[{},{}]}}}}"#,
            trade("AAA", *a),
            trade("BBB", *b)
        )
    };
    PRICES
        .iter()
        .enumerate()
        .map(|message| {
            let message = from_json(&templates, &text(message)).unwrap();
            let mut bytes = Vec::new();
            encoder.begin_packet();
            encoder.encode(&message, &mut bytes).unwrap();
            bytes
        })
        .collect()
}

/// Units with a 4-byte preamble, each after its length.
pub fn raw(units: &[Vec<u8>], prefix: Prefix) -> Vec<u8> {
    let mut file = Vec::new();
    for (number, unit) in (0u32..).zip(units) {
        let length = unit.len() as u32 + 4;
        match prefix {
            Prefix::None => {}
            Prefix::U32Le => file.extend_from_slice(&length.to_le_bytes()),
            Prefix::U16Be => file.extend_from_slice(&(length as u16).to_be_bytes()),
        }
        file.extend_from_slice(&number.to_le_bytes());
        file.extend_from_slice(unit);
    }
    file
}

pub fn frame(destination: &str, payload: &[u8]) -> Vec<u8> {
    let path = UdpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([1, 0, 0x5e, 0, 0, 1]),
        src: "10.0.0.1:5000".parse::<SocketAddrV4>().unwrap(),
        dst: destination.parse().unwrap(),
        vlan: None,
        ttl: 8,
    };
    let mut bytes = Vec::new();
    path.write(0, payload, &mut bytes);
    bytes
}

/// A packet: 4-byte preamble and messages.
pub fn packet(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut payload = vec![0; 4];
    messages.iter().for_each(|message| payload.extend_from_slice(message));
    payload
}

/// A pcapng file of two interfaces, `one` and `two`, frames a millisecond apart.
pub fn pcapng(frames: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let interfaces = ["one", "two"].map(|name| InterfaceSpec { name: name.to_owned() });
    let mut writer = Writer::new(Vec::new(), &interfaces).unwrap();
    for (number, (interface, frame)) in (0u64..).zip(frames) {
        let at = 1_700_000_000_000_000_000 + number * 1_000_000;
        writer.write(*interface, at, frame, None).unwrap();
    }
    writer.into_inner()
}

pub fn options(prefix: Prefix, reset: ResetPolicy) -> ReplayOptions {
    ReplayOptions {
        file: "capture".to_owned(),
        command: "test".to_owned(),
        stream: Some(StreamFormat {
            templates: templates(),
            preamble_len: 4,
            prefix,
            reset,
            price_exponent: -6,
        }),
        saker_feed: false,
        selection: Selection::default(),
        strategies: StrategyFile::from_toml(STOPS).unwrap(),
        stages: true,
    }
}

/// Runs with a clock that moves on by 10 ns whenever it is read.
pub fn replay(bytes: &[u8], options: &ReplayOptions) -> Result<ReplayOutcome, ReplayStop> {
    let time = Cell::new(0u64);
    let clock = || {
        time.set(time.get() + 10);
        time.get()
    };
    run(|| Ok(bytes), options, clock, |_| {})
}

/// Strategy, message, entry, price of each fire.
pub fn fired(outcome: &ReplayOutcome) -> Vec<(String, u64, u32, String)> {
    let fires = outcome.report.fires.as_ref().unwrap();
    let of = |fire: &saker_lab::report::Fire| {
        (fire.strategy.clone(), fire.message, fire.entry, fire.price.clone())
    };
    fires.iter().map(of).collect()
}

pub fn dropped(outcome: &ReplayOutcome) -> Vec<(String, u64)> {
    let input = outcome.report.input.as_ref().unwrap();
    input.dropped.iter().map(|counter| (counter.name.clone(), counter.count)).collect()
}

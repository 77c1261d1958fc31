//! Stops on the captured MOEX trades, against a naive scan of the decoded messages.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};

use saker_fast::{Decoder, DecoderOptions, FieldInfo, ResetPolicy, Templates, Value, Visitor};
use saker_fix::{parse, tag};
use saker_strategy::StrategyFile;
use saker_trader::orders::Identity;
use saker_trader::replay::{Replay, ReplayConfig, ReplayError};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::time::{Nanos, SECOND};

/// 2019-04-04T08:36:38Z, when the capture begins.
const T0: Nanos = 1_554_366_998 * SECOND;

/// The capture and its templates, if they are there.
fn capture() -> Option<(Vec<u8>, Templates)> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var("SAKER_DATA").unwrap_or_else(|_| default.to_owned());
    let (Ok(data), Ok(xml)) = (
        std::fs::read(format!("{root}/moex/data.dat")),
        std::fs::read_to_string(format!("{root}/moex/test.xml")),
    ) else {
        eprintln!("skipped: no MOEX capture under {root}");
        return None;
    };
    Some((data, Templates::from_xml(&xml).expect("the capture's templates load")))
}

/// One trade as the messages say it, by field names: another way than the normaliser's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NaiveTrade {
    message: u64,
    entry: u32,
    symbol: String,
    session: String,
    /// In units of 10^-8.
    price: i128,
}

#[derive(Default)]
struct NaiveScan {
    message: u64,
    entry: u32,
    fields: BTreeMap<String, String>,
    price: Option<i128>,
    trades: Vec<NaiveTrade>,
}

impl Visitor for NaiveScan {
    fn begin_element(&mut self, index: u32) {
        self.entry = index;
        self.fields.clear();
        self.price = None;
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        if let Some(text) = value.as_str() {
            self.fields.insert(field.name.local.to_string(), text.to_owned());
        }
        if &*field.name.local == "MDEntryPx" {
            let (mantissa, exponent) = value.as_decimal().expect("a decimal");
            self.price = Some(i128::from(mantissa) * 10i128.pow((exponent + 8) as u32));
        }
    }

    fn end_element(&mut self) {
        assert_eq!(self.fields["MDEntryType"], "z", "the capture is of trades");
        self.trades.push(NaiveTrade {
            message: self.message,
            entry: self.entry,
            symbol: self.fields["Symbol"].clone(),
            session: self.fields["TradingSessionID"].clone(),
            price: self.price.expect("every trade has a price"),
        });
    }
}

fn naive_trades(data: &[u8], templates: &Templates) -> Vec<NaiveTrade> {
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let mut decoder = Decoder::new(templates, options);
    let mut scan = NaiveScan::default();
    let mut at = 0;
    while at < data.len() {
        at += 4;
        at += decoder.decode(&data[at..], &mut scan).expect("the capture decodes");
        scan.message += 1;
    }
    scan.trades
}

fn decimal(price: i128) -> String {
    let sign = if price < 0 { "-" } else { "" };
    let (whole, rest) = (price.abs() / 100_000_000, price.abs() % 100_000_000);
    format!("{sign}{whole}.{rest:08}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

struct Stop {
    name: String,
    symbol: String,
    segment: Option<String>,
    buy: bool,
    trigger: i128,
}

/// Stops at the lowest, highest and a middle price of the busiest symbols and of some rare ones,
/// in both directions, and some that nothing reaches.
fn stops(trades: &[NaiveTrade]) -> Vec<Stop> {
    let mut prices: BTreeMap<(String, String), Vec<i128>> = BTreeMap::new();
    for trade in trades {
        prices.entry((trade.symbol.clone(), trade.session.clone())).or_default().push(trade.price);
    }
    let mut symbols: Vec<_> = prices.into_iter().collect();
    symbols.sort_by_key(|(_, prices)| std::cmp::Reverse(prices.len()));
    let busiest_and_rare = symbols.iter().take(5).chain(symbols.iter().skip(5).step_by(13));
    let mut stops = Vec::new();
    for (number, ((symbol, session), prices)) in busiest_and_rare.enumerate() {
        let mut sorted = prices.clone();
        sorted.sort_unstable();
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        let middle = sorted[sorted.len() / 2];
        let outside = 1_000_000; // 0.01
        for (buy, trigger) in [
            (true, high),
            (true, middle),
            (true, low),
            (true, high + outside),
            (false, low),
            (false, middle),
            (false, low - outside),
        ] {
            stops.push(Stop {
                name: format!("stop-{}", stops.len()),
                symbol: symbol.clone(),
                segment: (number % 2 == 0).then(|| session.clone()),
                buy,
                trigger,
            });
        }
    }
    stops
}

fn strategy_file(stops: &[Stop]) -> StrategyFile {
    let mut toml = String::from(
        "[limits]\nmax_order_quantity = 1000\nmax_open_orders = 100\nmax_position = 1000000\n",
    );
    for stop in stops {
        let side = if stop.buy { "buy" } else { "sell" };
        toml += &format!(
            "\n[[strategy]]\nname = \"{}\"\nkind = \"stop\"\nsymbol = \"{}\"\nside = \"{side}\"\n\
             trigger = \"{}\"\nprice = \"{}\"\nquantity = 10\n",
            stop.name,
            stop.symbol,
            decimal(stop.trigger),
            decimal(stop.trigger),
        );
        if let Some(segment) = &stop.segment {
            toml += &format!("market_segment = \"{segment}\"\n");
        }
    }
    StrategyFile::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"))
}

fn config() -> ReplayConfig {
    let identity = Identity {
        sender_comp_id: "TRADER".into(),
        target_comp_id: "SAKER".into(),
        username: None,
        password: None,
        account: Some("A1".into()),
    };
    let path = TcpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 2]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 49_152),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
        vlan: None,
        ttl: 64,
    };
    ReplayConfig::trades(identity, path)
}

fn replay(data: &[u8], templates: &Templates, file: StrategyFile) -> Replay {
    let mut replay = Replay::new(templates, file, config(), T0).unwrap();
    let mut at = 0;
    while at < data.len() {
        at += replay.step(T0 + at as u64, &data[at..]).unwrap();
    }
    replay
}

#[test]
fn every_stop_fires_once_where_a_naive_scan_says_and_no_other() {
    let Some((data, templates)) = capture() else { return };
    let trades = naive_trades(&data, &templates);
    assert_eq!(trades.len(), 6_737);
    let stops = stops(&trades);
    assert!(stops.len() > 60);

    let mut expected: Vec<(u64, u32, String, i128)> = stops
        .iter()
        .filter_map(|stop| {
            let hit = trades.iter().find(|trade| {
                trade.symbol == stop.symbol
                    && if stop.buy {
                        trade.price >= stop.trigger
                    } else {
                        trade.price <= stop.trigger
                    }
            })?;
            Some((hit.message, hit.entry, stop.name.clone(), hit.price))
        })
        .collect();
    expected.sort();
    assert_eq!(expected.len(), stops.len() / 7 * 5, "two of seven are out of reach");

    let replay = replay(&data, &templates, strategy_file(&stops));
    let mut fired: Vec<(u64, u32, String, i128)> = replay
        .records()
        .iter()
        .map(|r| (r.message, r.entry, r.strategy.clone(), i128::from(r.price) * 100))
        .collect();
    assert!(fired.is_sorted_by_key(|f| (f.0, f.1)), "in the order of the capture");
    fired.sort();
    assert_eq!(fired, expected);
    assert_eq!(replay.counters().messages, 5_020);
    assert_eq!(replay.counters().bytes, data.len() as u64);
    assert_eq!(replay.counters().refused, 0);
    assert_eq!(replay.normalize_counters().entries, 6_737);
    assert_eq!(replay.normalize_counters().dropped(), 0);
    assert_eq!(replay.instruments().len(), 99);
    assert_eq!(replay.market().recovery().counters().jumps, 0);

    // The frames are one session: MsgSeqNum and TCP sequence numbers without holes, each message
    // sound and about the stop that fired it.
    let (mut msg_seq, mut tcp_seq) = (2, 1);
    for record in replay.records() {
        let parsed = frame::parse(&record.frame).unwrap();
        let Body::Tcp { tcp, payload, .. } = parsed.body else { panic!("not TCP") };
        assert_eq!(tcp.seq, tcp_seq);
        let (fix, length) = parse::frame(payload).unwrap().unwrap();
        assert_eq!(length, payload.len());
        assert_eq!(fix.msg_type(), b"D");
        assert_eq!(fix.msg_seq_num(), Ok(msg_seq));
        let stop = stops.iter().find(|stop| stop.name == record.strategy).unwrap();
        assert_eq!(fix.str(tag::SYMBOL), Ok(stop.symbol.as_str()));
        assert_eq!(fix.char(tag::SIDE), Ok(if stop.buy { b'1' } else { b'2' }));
        let price = fix.decimal(tag::PRICE).unwrap().rescale(-8).unwrap();
        assert_eq!(i128::from(price), stop.trigger);
        msg_seq += 1;
        tcp_seq += payload.len() as u32;
    }
}

#[test]
fn a_replay_repeats_itself() {
    let Some((data, templates)) = capture() else { return };
    let stops = stops(&naive_trades(&data, &templates));
    let once = replay(&data, &templates, strategy_file(&stops));
    let again = replay(&data, &templates, strategy_file(&stops));
    assert_eq!(once.records(), again.records());
}

#[test]
fn prices_below_the_exponent_are_dropped_and_counted() {
    let Some((data, templates)) = capture() else { return };
    let trades = naive_trades(&data, &templates);
    let finer = trades.iter().filter(|trade| trade.price % 10_000_000 != 0).count() as u64;
    assert!(finer > 1_000);
    let config = ReplayConfig { price_exponent: -1, ..config() };
    let none = StrategyFile::from_toml("").unwrap();
    let mut replay = Replay::new(&templates, none, config, T0).unwrap();
    let mut at = 0;
    while at < data.len() {
        at += replay.step(T0, &data[at..]).unwrap();
    }
    assert_eq!(replay.normalize_counters().price_inexact, finer);
    assert_eq!(replay.normalize_counters().entries, 6_737 - finer);
    assert_eq!(replay.market_counters().entries_broken, finer);
}

#[test]
fn broken_captures_end_with_an_error() {
    let Some((data, templates)) = capture() else { return };
    let none = StrategyFile::from_toml("").unwrap();
    let mut replay = Replay::new(&templates, none.clone(), config(), T0).unwrap();
    assert!(matches!(replay.step(T0, &[]), Err(ReplayError::Preamble { message: 0 })));
    assert!(matches!(replay.step(T0, &data[..4]), Err(ReplayError::Preamble { .. })));
    assert!(matches!(replay.step(T0, &data[..40]), Err(ReplayError::Decode { message: 0, .. })));
    // Any byte flipped: an error or other values, never a panic.
    for at in 0..600 {
        let mut bytes = data[..2_000].to_vec();
        bytes[at] ^= 0x91;
        let mut replay = Replay::new(&templates, none.clone(), config(), T0).unwrap();
        let mut from = 0;
        while let Ok(length) = replay.step(T0, &bytes[from..]) {
            from += length;
        }
    }
}

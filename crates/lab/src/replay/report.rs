//! What a replay says of itself.

use saker_feed::channel::Stream;
use saker_fix::parse;
use saker_trader::feed::FeedHandler;
use saker_trader::replay::{FiringRecord, Stage};
use saker_wire::frame::{self, Body};
use saker_wire::time::SECOND;

use super::ReplayOptions;
use super::pass::Pass;
use crate::measure::{Sample, Series};
use crate::report::{
    Counter, Fire, Input, LatencyRow, Method, Numbers, ReferencePoint, Report, Run, StageRow,
};

/// The report of a pass, and of a second one that measured stages.
pub(super) fn build(options: &ReplayOptions, pass: &Pass, staged: Option<&Pass>) -> Report {
    let start_ns = pass.first.unwrap_or(0);
    let duration_ns = pass.first.map_or(0, |first| pass.replay.now().saturating_sub(first));
    let mut report = Report::default();
    report.title = "saker replay: a capture, tick to order".to_owned();
    report.run = Run {
        scenario: "replay".to_owned(),
        engine: "software".to_owned(),
        start_ns,
        duration_ns,
        seconds: duration_ns / SECOND,
        command: options.command.clone(),
        ..Run::default()
    };
    report.method = method();
    facts(&mut report, options, pass);
    report.input = Some(input(options, pass));
    report.orders.sent = pass.replay.counters().fired;
    report.fires = Some(fires(pass));
    latency(&mut report, pass);
    if let Some(staged) = staged {
        stages(&mut report, staged);
    }
    for (stream, rates) in &pass.rates {
        if let Some(windows) = rates.windows() {
            report.add_rates(stream, windows.clone());
        }
    }
    counters(&mut report, pass);
    invariants(&mut report, pass, staged);
    report
}

fn method() -> Method {
    let point = |name: &str, definition: &str| ReferencePoint {
        name: name.to_owned(),
        definition: definition.to_owned(),
    };
    let notes = [
        "Service times are wall-clock times of the machine that ran this, read from its monotonic \
         clock; each includes one reading of that clock. They differ from run to run; everything \
         else does not.",
        "A unit is a datagram of a capture, a length-prefixed block, or a message of a raw file \
         without lengths. Nothing is left out: the first unit, with cold caches, counts too.",
        "Units are served back to back, as fast as they can be. Virtual time comes from the capture; \
         rates are those of the captured traffic, not of the replay.",
        "Stages are measured in a second pass, since reading the clock takes as long as a short \
         stage; a unit's spans of one stage are added up.",
        "No venue answers: every order is taken as accepted and filled in full at once, and the \
         session's numbers count up from a fixed start.",
        "Percentiles are exact, by nearest rank over all samples.",
    ];
    Method {
        points: vec![
            point(
                "service, order",
                "the unit's bytes handed to the engine, to the order's frame \
                                     handed back",
            ),
            point(
                "service, packet",
                "the unit's bytes handed to the engine, to the engine done with \
                                      all of its messages, orders sent",
            ),
        ],
        notes: notes.map(str::to_owned).to_vec(),
    }
}

fn facts(report: &mut Report, options: &ReplayOptions, pass: &Pass) {
    let replay = &pass.replay;
    report.fact(
        "feed",
        match (pass.is_capture, replay.feed()) {
            (true, Some(_)) => "saker's own, two lines, arbitration and recovery",
            (true, None) => "packets of a capture, one stream",
            (false, _) => "raw file, one stream",
        },
    );
    report.fact("strategies", options.strategies.symbols().count());
    report.fact("instruments seen", replay.instruments().len());
    report.fact(
        "virtual time",
        match (pass.first.is_some(), pass.is_capture) {
            (true, true) => "of the capture's time stamps",
            (true, false) => "of SendingTime (52)",
            (false, _) => "none in the input: no rates",
        },
    );
    if !pass.interfaces.is_empty() {
        let named = pass.interfaces.iter().map(|(name, count)| match name.as_str() {
            "" => format!("without name ({count})"),
            name => format!("{name} ({count})"),
        });
        report.fact("interfaces", named.collect::<Vec<_>>().join(", "));
    }
    let mut missing: Vec<&str> = replay.market().desk().waiting_for().collect();
    missing.sort_unstable();
    missing.dedup();
    if !missing.is_empty() {
        report.fact("symbols never seen", missing.join(", "));
        report.note(
            "Strategies on symbols that the input never names did not fire. On saker's own feed, \
             where prices need definitions, no strategy is armed until every symbol is defined.",
        );
    }
    if replay.normalize_counters().price_inexact > 0 {
        report.fact(
            "prices dropped",
            "some have more digits than the price exponent allows (--price-exponent)",
        );
    }
    if let Some(stop) = &pass.stop {
        report.fact("ended early", stop);
    }
}

fn input(options: &ReplayOptions, pass: &Pass) -> Input {
    let replay = &pass.replay;
    let mut dropped: Vec<Counter> = Vec::new();
    let mut add = |name: String, count: u64| {
        if count > 0 {
            dropped.push(Counter { name, count });
        }
    };
    for (reason, count) in &pass.dropped {
        add(reason.clone().into_owned(), *count);
    }
    if let Some(feed) = replay.feed() {
        let of_feed = feed.counters();
        add("packet: preamble cut short".to_owned(), of_feed.short);
        add("packet: does not decode".to_owned(), of_feed.undecodable);
        let arbiters = arbiters(feed);
        add("packet: second copy".to_owned(), arbiters.iter().map(|a| a.duplicates).sum());
        add("packet: after its gap".to_owned(), arbiters.iter().map(|a| a.late).sum());
        add("packet: too long to hold".to_owned(), arbiters.iter().map(|a| a.too_long).sum());
    }
    for (reason, count) in replay.normalize_counters().drops() {
        add(format!("entry: {reason}"), count);
    }
    let counters = replay.counters();
    Input {
        file: options.file.clone(),
        bytes: pass.bytes,
        packets: pass.packets,
        messages: counters.messages,
        entries: counters.entries,
        dropped,
    }
}

fn arbiters(feed: &FeedHandler) -> [saker_trader::arbitrate::ArbiterCounters; 3] {
    [Stream::Incremental, Stream::Snapshot, Stream::Definition]
        .map(|stream| feed.arbiter_counters(stream))
}

fn fires(pass: &Pass) -> Vec<Fire> {
    let fire = |(record, service_ns): (&FiringRecord, &u64)| Fire {
        strategy: record.strategy.clone(),
        symbol: record.symbol.clone(),
        message: record.message,
        entry: record.entry,
        price: decimal(record.price, record.exponent),
        service_ns: *service_ns,
        frame: hex(&record.frame),
    };
    pass.records.iter().zip(&pass.service).map(fire).collect()
}

fn latency(report: &mut Report, pass: &Pass) {
    let from = "bytes of the packet handed to the engine (wall clock of this machine)";
    let sample = |(record, ns): (&FiringRecord, &u64)| Sample {
        at: record.at,
        ns: *ns,
        trigger: 0,
        trigger_bytes: 0,
    };
    let samples = pass.records.iter().zip(&pass.service).map(sample).collect();
    let to = "frame of the order handed back";
    report.latency(Series::new("tick to order, service", from, to, samples));
    report.latency.push(LatencyRow {
        name: "packet, service".to_owned(),
        from: from.to_owned(),
        to: "engine done with the packet".to_owned(),
        summary: Numbers(pass.units.summary()),
    });
}

fn stages(report: &mut Report, staged: &Pass) {
    for (stage, tally) in Stage::ALL.iter().zip(&staged.stages) {
        if tally.count() > 0 {
            report.stages.push(StageRow {
                station: "engine, a packet (wall clock of this machine)".to_owned(),
                stage: stage.name().to_owned(),
                summary: Numbers(tally.summary()),
            });
        }
    }
}

fn counters(report: &mut Report, pass: &Pass) {
    let replay = &pass.replay;
    let (market, fast) = (replay.market_counters(), replay.fast_path_counters());
    let recovery = replay.market().recovery().counters();
    report.counter("capture: frames", pass.frames);
    if let Some(feed) = replay.feed() {
        let all = arbiters(feed);
        let lost = all[Stream::Incremental as usize].lost;
        report.counter("feed: packets, first copy", all.iter().map(|a| a.delivered).sum());
        report.counter("feed: incremental packets missing on both lines", lost);
        report.counter("feed: books confirmed by snapshot", recovery.snapshots_confirmed);
        report.counter("feed: books rebuilt from snapshot", recovery.snapshots_rebuilt);
    }
    for (name, count) in [
        ("feed: gaps declared", recovery.gaps),
        ("feed: holes in RptSeq", recovery.jumps),
        ("feed: entries that a book refused", market.book_refused),
        ("trader: changes shown to strategies", market.evaluated),
        ("trader: changes withheld, book not trusted", market.withheld),
        ("trader: orders prepared", fast.loaded),
        ("trader: prepared orders refreshed", fast.refreshed),
        ("trader: orders refreshed as they were fired", fast.refreshed_at_fire),
        ("trader: decisions refused by the fast path", replay.counters().refused),
    ] {
        report.counter(name, count);
    }
}

fn invariants(report: &mut Report, pass: &Pass, staged: Option<&Pass>) {
    let of_frames = |name: &str| name.starts_with("frame:") || name.starts_with("datagram:");
    let unused: u64 =
        pass.dropped.iter().filter(|(name, _)| of_frames(name)).map(|(_, count)| count).sum();
    let stopped = u64::from(pass.stop.is_some());
    report.invariant(
        "frames_accounted",
        "Every frame of the capture was handed to the engine or dropped for a named reason.",
        !pass.is_capture
            || (pass.packets + unused..=pass.packets + unused + stopped).contains(&pass.frames),
    );
    if let Some(feed) = pass.replay.feed() {
        let used: u64 =
            arbiters(feed).iter().map(|a| a.delivered + a.duplicates + a.late + a.too_long).sum();
        report.invariant(
            "packets_accounted",
            "Every packet was served, was a second copy, or was dropped for a named reason.",
            pass.replay.counters().units == used + feed.counters().short,
        );
    }
    report.invariant(
        "orders_sound",
        "Every order is a well-formed frame with a well-formed message, and MsgSeqNum and TCP \
         sequence numbers go on without a hole.",
        orders_sound(&pass.records),
    );
    if let Some(staged) = staged {
        report.invariant(
            "passes_equal",
            "A second pass over the file fired the same orders, byte for byte.",
            staged.records == pass.records,
        );
    }
}

fn orders_sound(records: &[FiringRecord]) -> bool {
    let mut expected: Option<(u32, u32)> = None;
    records.iter().all(|record| {
        let Ok(Body::Tcp { tcp, payload, .. }) = frame::parse(&record.frame).map(|f| f.body) else {
            return false;
        };
        let Ok(Some((order, length))) = parse::frame(payload) else { return false };
        let Ok(msg_seq) = order.msg_seq_num() else { return false };
        let in_turn = expected.is_none_or(|next| next == (msg_seq, tcp.seq));
        let tcp_next = tcp.seq.wrapping_add(payload.len() as u32);
        expected = Some((msg_seq.wrapping_add(1), tcp_next));
        in_turn && length == payload.len()
    })
}

/// `mantissa * 10^exponent`, exactly, without zeros at the end.
fn decimal(mantissa: i64, exponent: i8) -> String {
    let digits = mantissa.unsigned_abs().to_string();
    let sign = if mantissa < 0 { "-" } else { "" };
    if exponent >= 0 {
        let zeros = if mantissa == 0 { 0 } else { usize::from(exponent.unsigned_abs()) };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let places = usize::from(exponent.unsigned_abs());
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.map(|nibble| char::from(DIGITS[usize::from(nibble)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let cases = [
            (7_650, -2, "76.5"),
            (-7_650_000, -6, "-7.65"),
            (5, -6, "0.000005"),
            (0, -6, "0"),
            (0, 3, "0"),
            (12, 3, "12000"),
            (i64::MIN, -18, "-9.223372036854775808"),
            (100, 0, "100"),
        ];
        for (mantissa, exponent, text) in cases {
            assert_eq!(decimal(mantissa, exponent), text);
        }
        assert_eq!(hex(&[0, 0xab, 0x7f]), "00ab7f");
    }
}

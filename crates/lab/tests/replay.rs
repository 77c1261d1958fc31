//! One seed replays everything: the capture, the report, every record.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

mod common;

use common::{Pinger, Ponger, START, Shared, ping_pong, port};
use saker_lab::measure::{FrameIndex, Point, Series, pair, stage_series};
use saker_lab::report::Report;
use saker_lab::tap::Way;
use saker_lab::world::{LinkConfig, Port, Probability, Switch, SwitchConfig, World};
use saker_wire::capture::Reader;

fn rough() -> LinkConfig {
    LinkConfig {
        loss: Probability::per_million(20_000),
        duplicate: Probability::per_million(20_000),
        reorder: Probability::per_million(20_000),
        corrupt: Probability::per_million(10_000),
        reorder_ns: 4_000,
        jitter_ns: 700,
        ..LinkConfig::ten_gigabit(900)
    }
}

struct Outcome {
    capture: Vec<u8>,
    report: Report,
    records: [usize; 2],
}

/// Runs to the same end in so many steps.
fn run(seed: u64, steps: u64) -> Outcome {
    let (mut world, _, pong) = ping_pong(seed, Pinger::new(2_000, 700, 90), rough());
    let tap = world.tap("pong", port(pong), |_| 0).unwrap();
    let sink = Shared::default();
    world.capture_to(sink.clone()).unwrap();
    for step in 1..=steps {
        world.run_until(START + 2_000_000 * step / steps).unwrap();
    }
    world.finish().unwrap();
    let mut report = Report::of_world("Replay", "ping-pong", "cargo test", &world, START);
    let tapped = world.tapped(tap);
    let (rx, tx) = (tapped.records(Way::Rx), tapped.records(Way::Tx));
    let triggers = FrameIndex::new(rx, |_| true);
    let samples = pair(world.lineage(), &triggers, Point::FirstByte, tx, Point::FirstByte).samples;
    report.latency(Series::new("SOP→SOP", "ping in", "pong out", samples));
    report.stages("pong", &stage_series(world.stages(), pong, |_| true));
    report.rates("pings", rx.iter());
    Outcome { capture: sink.bytes(), report, records: [rx.len(), tx.len()] }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (one, other) = (run(5, 1), run(5, 1));
    assert!(one.capture == other.capture);
    assert_eq!(one.report.to_json(), other.report.to_json());
    assert_eq!(one.report.to_table(), other.report.to_table());
    assert!(one.report.to_html() == other.report.to_html());
}

#[test]
fn how_often_one_looks_changes_nothing() {
    let (one, many) = (run(5, 1), run(5, 777));
    assert!(one.capture == many.capture);
    assert_eq!(one.report.to_json(), many.report.to_json());
}

#[test]
fn another_seed_gives_other_bytes() {
    let (one, other) = (run(5, 1), run(6, 1));
    assert!(one.capture != other.capture);
    assert_ne!(one.report.latency, other.report.latency);
    assert_ne!(one.report.links, other.report.links);
}

#[test]
fn the_capture_reads_back_in_order_of_time() {
    let outcome = run(5, 3);
    let mut reader = Reader::new(outcome.capture.as_slice()).unwrap();
    let mut counts = [0; 2];
    let mut last = 0;
    while let Some(packet) = reader.next().unwrap() {
        assert!(packet.ts_ns >= last && packet.ts_ns >= START);
        last = packet.ts_ns;
        counts[packet.interface as usize] += 1;
        assert_eq!(packet.data.len(), 90);
        let caused = packet.comment.is_some_and(|comment| comment.contains("caused by"));
        // Pings have no cause, save for copies that the line made; pongs always have one.
        assert!(caused || packet.interface == 0);
    }
    assert_eq!(counts, outcome.records);
    let names: Vec<_> = reader.interfaces().iter().map(|i| i.name.as_deref()).collect();
    assert_eq!(names, [Some("pong-rx"), Some("pong-tx")]);
}

#[test]
fn another_link_leaves_the_first_as_it_was() {
    let quiet = |with_more: bool| {
        let mut world = World::new(9, START);
        if with_more {
            let node = world.add_station("third", Pinger::new(500, 900, 60)).unwrap();
            let fourth = world.add_station("fourth", Ponger::new(10)).unwrap();
            world.connect("other", port(node), port(fourth), rough()).unwrap();
        }
        let ping = world.add_station("ping", Pinger::new(1_000, 700, 90)).unwrap();
        let pong = world.add_station("pong", Ponger::new(500)).unwrap();
        world.connect("cable", port(ping), port(pong), rough()).unwrap();
        world.run_until(START + 2_000_000).unwrap();
        let heard = &world.station::<Ponger>(pong).unwrap().heard;
        heard.iter().map(|heard| (heard.number, heard.first, heard.last)).collect::<Vec<_>>()
    };
    assert_eq!(quiet(false), quiet(true));
}

/// The way through a switch: the pong is followed back through two links to the ping.
#[test]
fn causes_are_followed_through_a_switch() {
    let mut world = World::new(2, START);
    let ping = world.add_station("ping", Pinger::new(50, 5_000, 60)).unwrap();
    let pong = world.add_station("pong", Ponger::new(500)).unwrap();
    let switch = world.add_station("switch", Switch::new(SwitchConfig::flooding(2, 300))).unwrap();
    let clean = LinkConfig::ten_gigabit(100);
    let at = |port| Port { node: switch, port };
    world.connect("a", port(ping), at(0), clean.clone()).unwrap();
    world.connect("b", at(1), port(pong), clean).unwrap();
    let tap = world.tap("ping", port(ping), |_| 0).unwrap();
    world.run_until(START + 1_000_000).unwrap();
    let tapped = world.tapped(tap);
    let pings = FrameIndex::new(tapped.records(Way::Tx), |_| true);
    let pongs = tapped.records(Way::Rx);
    let there_and_back = pair(world.lineage(), &pings, Point::FirstByte, pongs, Point::LastByte);
    // The frames' destination is nobody's source, so the switch floods them all.
    assert_eq!(there_and_back.samples.len(), 50);
    assert_eq!((there_and_back.untriggered, there_and_back.early), (0, 0));
    // Four hops of preamble, frame and propagation (158 ns each with roundings), twice the switch's
    // 300 ns and 500 ns of service; the clock starts at the first byte, 7 ns into the first hop.
    for sample in there_and_back.samples {
        assert_eq!(sample.ns, 4 * 158 + 2 * 300 + 500 - 7);
    }
}

/// The line's second copies descend from the frame they copy, so what they lead to does too.
#[test]
fn copies_descend_from_their_frame() {
    let there = LinkConfig { duplicate: Probability::ALWAYS, ..LinkConfig::ten_gigabit(100) };
    let (mut world, ping, _) = ping_pong(1, Pinger::new(10, 5_000, 60), there);
    let tap = world.tap("ping", port(ping), |_| 0).unwrap();
    world.run_until(START + 1_000_000).unwrap();
    let tapped = world.tapped(tap);
    let pings = FrameIndex::new(tapped.records(Way::Tx), |_| true);
    let pongs = tapped.records(Way::Rx);
    let pairing = pair(world.lineage(), &pings, Point::FirstByte, pongs, Point::FirstByte);
    assert_eq!((pings.len(), pairing.samples.len(), pairing.untriggered), (10, 20, 0));
}

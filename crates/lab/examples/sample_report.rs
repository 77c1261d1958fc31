//! Renders a report of a small, clearly synthetic world: a source of ticks in bursts, a switch, and
//! a reacting station whose service times are drawn from the seed. There is no market in it; it
//! shows what a report looks like and how a scenario fills one.
//!
//! `cargo run -p saker-lab --example sample_report -- <directory> [seed]` writes `report.html`,
//! `report.json` and `capture.pcapng` into the directory and prints the table.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;

use saker_lab::measure::{FrameIndex, Point, Series, pair, stage_series};
use saker_lab::report::{OPEN_LOOP, Report};
use saker_lab::tap::Way;
use saker_lab::world::{LinkConfig, Port, Probability, Switch, SwitchConfig, World, stream};
use saker_wire::station::{Outbox, RxFrame, StageSpan, Station, TxFrame};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

const START: Nanos = 1_700_000_000 * SECOND;
const SOURCE: [u8; 6] = [2, 0, 0, 0, 0, 1];
const REACTOR: [u8; 6] = [2, 0, 0, 0, 0, 2];
const GROUP: [u8; 6] = [1, 0, 0x5e, 0, 0, 9];
/// The byte behind the addresses and the EtherType says what a frame is.
const KIND: usize = 14;
const TICK: u8 = 1;
const TRIGGER: u8 = 2;
const ORDER: u8 = 3;
const FILL: u8 = 4;

/// Sends ticks in bursts, whatever comes back, and answers orders with fills.
struct Source {
    rng: fastrand::Rng,
    next: Nanos,
    burst: u64,
    orders: u64,
}

impl Station for Source {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        if frame.bytes.get(KIND) == Some(&ORDER) {
            self.orders += 1;
            let ready_at = now + 9_000 + self.rng.u64(..6_000);
            out.frames.push(self::frame(REACTOR, SOURCE, FILL, 170, ready_at, Some(frame.id)));
        }
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        let kind = if self.rng.u64(..40) == 0 { TRIGGER } else { TICK };
        let bytes = 90 + self.rng.usize(..300) + self.rng.usize(..2) * self.rng.usize(..900);
        out.frames.push(frame(GROUP, SOURCE, kind, bytes, now, None));
        if self.burst == 0 {
            self.burst = 1 + self.rng.u64(..40);
            self.next = now + 50_000 + self.rng.u64(..1_500_000);
        } else {
            self.burst -= 1;
            self.next = now + 400 + self.rng.u64(..6_000);
        }
    }

    fn next_wake(&self) -> Option<Nanos> {
        Some(self.next)
    }
}

/// Answers triggers, one at a time, after a time drawn from the seed.
struct Reactor {
    rng: fastrand::Rng,
    busy_until: VecDeque<Nanos>,
    orders: u64,
    fills: u64,
}

impl Station for Reactor {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        match frame.bytes.get(KIND) {
            Some(&FILL) => self.fills += 1,
            Some(&(TICK | TRIGGER)) => self.serve(now, frame, out),
            _ => {}
        }
    }

    fn wake(&mut self, _now: Nanos, _out: &mut Outbox) {}

    fn next_wake(&self) -> Option<Nanos> {
        None
    }
}

impl Reactor {
    fn serve(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        let mut at = now.max(self.busy_until.pop_front().unwrap_or(0));
        let slow = if self.rng.u64(..60) == 0 { self.rng.u64(..900) } else { 0 };
        let per_byte = frame.bytes.len() as u64 / 10;
        let stages = [
            ("parse", 26 + self.rng.u64(..3)),
            ("decode", 58 + per_byte + self.rng.u64(..12)),
            ("book", 77 + self.rng.u64(..20) + slow),
            ("decide", 13),
            ("patch and send", 38 + self.rng.u64(..4)),
        ];
        let order = frame.bytes.get(KIND) == Some(&TRIGGER);
        for (stage, ns) in stages.into_iter().take(if order { 5 } else { 3 }) {
            out.stages.push(StageSpan { cause: frame.id, stage, start: at, end: at + ns });
            at += ns;
        }
        self.busy_until.push_back(at);
        if order {
            self.orders += 1;
            out.frames.push(self::frame(SOURCE, REACTOR, ORDER, 230, at, Some(frame.id)));
        }
    }
}

fn frame(
    to: [u8; 6],
    from: [u8; 6],
    kind: u8,
    bytes: usize,
    ready_at: Nanos,
    cause: Option<u64>,
) -> TxFrame {
    let mut content = [to.as_slice(), &from, &[0x88, 0xb5, kind]].concat();
    content.resize(bytes.max(60), 0);
    TxFrame { port: 0, bytes: content, ready_at, cause }
}

fn kind(bytes: &[u8]) -> u8 {
    bytes.get(KIND).copied().unwrap_or(0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = PathBuf::from(arguments.next().ok_or("which directory?")?);
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    fs::create_dir_all(&directory)?;

    let mut world = World::new(seed, START);
    let rng = stream(seed, "source");
    let source = world
        .add_station("source", Source { rng, next: START + MILLISECOND, burst: 10, orders: 0 })?;
    let rng = stream(seed, "reactor");
    let reactor = world.add_station(
        "reactor",
        Reactor { rng, busy_until: VecDeque::new(), orders: 0, fills: 0 },
    )?;
    let switch = world.add_station("switch", Switch::new(SwitchConfig::flooding(2, 350)))?;
    let port = |node, port| Port { node, port };
    let feed = LinkConfig {
        jitter_ns: 120,
        loss: Probability::per_million(150),
        corrupt: Probability::per_million(20),
        ..LinkConfig::ten_gigabit(210)
    };
    world.connect("uplink", port(source, 0), port(switch, 0), LinkConfig::ten_gigabit(490))?;
    world.connect_asymmetric(
        "access",
        port(switch, 1),
        port(reactor, 0),
        feed,
        LinkConfig::ten_gigabit(210),
    )?;
    let tap = world.tap("reactor", port(reactor, 0), kind)?;
    world.capture_to(BufWriter::new(File::create(directory.join("capture.pcapng"))?))?;
    world.run_until(START + 3 * SECOND)?;
    world.finish()?;

    let command = format!("cargo run -p saker-lab --example sample_report -- DIRECTORY {seed}");
    let mut report = Report::of_world(
        "Sample report of synthetic stations",
        "ticks in bursts, a reacting station",
        &command,
        &world,
        START,
    );
    let tapped = world.tapped(tap);
    let (received, sent) = (tapped.records(Way::Rx), tapped.records(Way::Tx));
    let triggers = FrameIndex::new(received, |record| record.kind == TRIGGER);
    let orders = FrameIndex::new(sent, |record| record.kind == ORDER);
    let lineage = world.lineage();
    let measure = |from, effects, to| pair(lineage, &triggers, from, effects, to).samples;
    report.latency(Series::new(
        "SOP→SOP",
        "trigger's first byte in",
        "order's first byte out",
        measure(Point::FirstByte, sent, Point::FirstByte),
    ));
    report.latency(Series::new(
        "actionable",
        "trigger's last byte in",
        "order's first byte out",
        measure(Point::LastByte, sent, Point::FirstByte),
    ));
    let fills = received.iter().filter(|record| record.kind == FILL);
    report.latency(Series::new(
        "order to fill",
        "order's first byte out",
        "fill's last byte in",
        pair(lineage, &orders, Point::FirstByte, fills, Point::LastByte).samples,
    ));
    let answered = |id| triggers.get(id).is_some();
    report.stages("reactor", &stage_series(world.stages(), reactor, answered));
    let ticks = received.iter().filter(|record| matches!(record.kind, TICK | TRIGGER));
    report.counter("ticks received", ticks.clone().count() as u64);
    report.rates("ticks at the reactor", ticks);
    let station: &Reactor = world.station(reactor).ok_or("the reactor is a Reactor")?;
    let market: &Source = world.station(source).ok_or("the source is a Source")?;
    report.orders.sent = station.orders;
    report.orders.acknowledged = market.orders;
    report.orders.filled = station.fills;
    report.counter("triggers received", triggers.len() as u64);
    report.note(OPEN_LOOP);
    report.fact("links", "10 Gbit/s; 210 ns and 490 ns of propagation");
    report.fact("data", "synthetic: sizes, gaps and service times are drawn from the seed");
    report.invariant(
        "every_trigger_answered",
        "Each trigger that arrived led to exactly one order frame on the wire.",
        triggers.len() == orders.len(),
    );

    fs::write(directory.join("report.html"), report.to_html())?;
    fs::write(directory.join("report.json"), report.to_json())?;
    print!("{}", report.to_table());
    Ok(())
}

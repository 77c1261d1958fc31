//! Stations for tests, and a sink to look into.
#![allow(dead_code)] // each test program uses its own part
#![allow(clippy::unwrap_used)] // a test may fail by panicking

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use saker_lab::world::{LinkConfig, NodeId, Port, World};
use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station, TxFrame};
use saker_wire::time::Nanos;

pub const START: Nanos = 1_700_000_000_000_000_000;

/// Sends numbered frames of `bytes` bytes, `gap_ns` apart, and records what comes back.
pub struct Pinger {
    pub next: Nanos,
    pub gap_ns: Nanos,
    pub left: u64,
    pub bytes: usize,
    pub sent: u64,
    pub answers: Vec<Heard>,
}

/// Answers each frame `service_ns` later with a copy of it, and records what it heard.
pub struct Ponger {
    pub service_ns: Nanos,
    pub heard: Vec<Heard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    pub number: u64,
    pub first: Nanos,
    pub last: Nanos,
    pub bytes: usize,
    pub id: FrameId,
}

impl Heard {
    fn new(now: Nanos, frame: &RxFrame<'_>) -> Self {
        Self {
            number: number(frame.bytes),
            first: frame.first_byte_ns,
            last: now,
            bytes: frame.bytes.len(),
            id: frame.id,
        }
    }
}

pub fn number(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(*bytes[14..].first_chunk().expect("test frames hold 22 bytes"))
}

pub fn frame(number: u64, bytes: usize, ready_at: Nanos, cause: Option<FrameId>) -> TxFrame {
    let mut content = vec![2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x88, 0xb5];
    content.extend(number.to_be_bytes());
    content.resize(bytes.max(22), 0xaa);
    TxFrame { port: 0, bytes: content, ready_at, cause }
}

impl Pinger {
    pub fn new(count: u64, gap_ns: Nanos, bytes: usize) -> Self {
        let next = START;
        Self { next, gap_ns, left: count, bytes, sent: 0, answers: Vec::new() }
    }
}

impl Station for Pinger {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, _out: &mut Outbox) {
        self.answers.push(Heard::new(now, &frame));
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        out.frames.push(frame(self.sent, self.bytes, now, None));
        self.sent += 1;
        self.left -= 1;
        self.next = now + self.gap_ns;
    }

    fn next_wake(&self) -> Option<Nanos> {
        (self.left > 0).then_some(self.next)
    }
}

impl Ponger {
    pub fn new(service_ns: Nanos) -> Self {
        Self { service_ns, heard: Vec::new() }
    }
}

impl Station for Ponger {
    fn receive(&mut self, now: Nanos, rx: RxFrame<'_>, out: &mut Outbox) {
        self.heard.push(Heard::new(now, &rx));
        let ready_at = now + self.service_ns;
        let (cause, stage) = (rx.id, "serve");
        out.stages.push(StageSpan { cause, stage, start: now, end: ready_at });
        out.frames.push(frame(number(rx.bytes), rx.bytes.len(), ready_at, Some(rx.id)));
    }

    fn wake(&mut self, _now: Nanos, _out: &mut Outbox) {}

    fn next_wake(&self) -> Option<Nanos> {
        None
    }
}

pub fn port(node: NodeId) -> Port {
    Port { node, port: 0 }
}

/// A pinger and a ponger on a link of which the way to the ponger is `there`.
pub fn ping_pong(seed: u64, pinger: Pinger, there: LinkConfig) -> (World, NodeId, NodeId) {
    let mut world = World::new(seed, START);
    let ping = world.add_station("ping", pinger).unwrap();
    let pong = world.add_station("pong", Ponger::new(500)).unwrap();
    let back = LinkConfig::ten_gigabit(100);
    world.connect_asymmetric("cable", port(ping), port(pong), there, back).unwrap();
    (world, ping, pong)
}

/// A sink whose bytes can be read while the world holds it.
#[derive(Clone, Default)]
pub struct Shared(pub Rc<RefCell<Vec<u8>>>);

impl Shared {
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow().clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

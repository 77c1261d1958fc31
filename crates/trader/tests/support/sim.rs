//! Trader, acceptor and publisher on wires with delay and loss, in virtual time.

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_feed::channel::{ChannelPlan, Line, Stream};
use saker_strategy::StrategyFile;
use saker_trader::host::{Network, TraderConfig, TraderHost};
use saker_trader::orders::{Identity, LineConfig};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::UdpPath;
use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station};
use saker_wire::time::{MICROSECOND, Nanos};

use super::T0;
use super::acceptor::{self, Acceptor};
use super::feed::Publisher;

pub const MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 2]);
pub const IP: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
/// One way, both directions.
pub const DELAY: Nanos = 10 * MICROSECOND;

#[derive(Debug)]
enum To {
    Trader(u8),
    Acceptor,
}

#[derive(Debug)]
struct InFlight {
    at: Nanos,
    order: u64,
    to: To,
    id: FrameId,
    bytes: Vec<u8>,
}

/// An order frame the trader sent in answer to a feed frame.
#[derive(Debug, Clone)]
pub struct OrderFrame {
    pub cause: FrameId,
    pub ready_at: Nanos,
    pub bytes: Vec<u8>,
}

pub struct Sim {
    pub now: Nanos,
    pub trader: TraderHost,
    pub acceptor: Acceptor,
    pub publisher: Publisher,
    /// Of 1,000 frames between trader and acceptor, lost in each direction.
    pub loss: u32,
    rng: fastrand::Rng,
    flying: Vec<InFlight>,
    next_id: u64,
    plan: ChannelPlan,
    pub order_frames: Vec<OrderFrame>,
    pub stages: Vec<StageSpan>,
}

pub fn trader_config(strategies: &str) -> TraderConfig {
    let identity = Identity {
        sender_comp_id: "TRADER".into(),
        target_comp_id: "SAKER".into(),
        username: Some("user".into()),
        password: Some("secret".into()),
        account: None,
    };
    let strategies = StrategyFile::from_toml(strategies).unwrap();
    let line = LineConfig::new(identity, acceptor::PORT);
    TraderConfig::new(Network::new(MAC, IP, acceptor::IP), strategies, line)
}

impl Sim {
    pub fn new(config: TraderConfig, symbols: &[&str], seed: u64) -> Self {
        Self {
            now: T0,
            plan: config.plan.clone(),
            trader: TraderHost::new(config).unwrap(),
            acceptor: Acceptor::new(),
            publisher: Publisher::new(symbols),
            loss: 0,
            rng: fastrand::Rng::with_seed(seed),
            flying: Vec::new(),
            next_id: 0,
            order_frames: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// Connected, logged on, definitions and a first packet received.
    pub fn ready(config: TraderConfig, symbols: &[&str]) -> Self {
        let mut sim = Self::new(config, symbols, 1);
        let packet = sim.publisher.definitions();
        sim.feed(Stream::Definition, Line::A, &packet);
        let packet = sim.publisher.heartbeat();
        sim.feed(Stream::Incremental, Line::A, &packet);
        sim.run_for(5_000 * MICROSECOND);
        assert!(sim.trader.line().session().is_logged_on());
        sim
    }

    /// Puts a feed packet on a line, now; returns the frame's name.
    pub fn feed(&mut self, stream: Stream, line: Line, packet: &[u8]) -> FrameId {
        let dst = self.plan.destination(stream, line);
        let path = UdpPath {
            src_mac: acceptor::MAC,
            dst_mac: MacAddr::for_multicast(*dst.ip()).unwrap(),
            src: SocketAddrV4::new(acceptor::IP, 20_000),
            dst,
            vlan: None,
            ttl: 16,
        };
        let mut bytes = Vec::new();
        path.write(0, packet, &mut bytes);
        self.fly(self.now + DELAY, To::Trader(line as u8), bytes)
    }

    /// Runs until `span` has passed.
    pub fn run_for(&mut self, span: Nanos) {
        let end = self.now + span;
        let mut steps = 0;
        while let Some(at) = self.next_event().filter(|at| *at <= end) {
            steps += 1;
            assert!(steps < 200_000, "time stands still");
            self.now = self.now.max(at);
            self.step();
        }
        self.now = end;
    }

    /// Calls the trader and sends what it wants sent.
    pub fn with_trader(&mut self, call: impl FnOnce(&mut TraderHost, Nanos, &mut Outbox)) {
        let mut out = Outbox::default();
        call(&mut self.trader, self.now, &mut out);
        self.stages.append(&mut out.stages);
        for frame in out.frames {
            assert!(frame.ready_at >= self.now);
            assert_eq!(frame.port, 0);
            if let Some(cause) = frame.cause {
                let (ready_at, bytes) = (frame.ready_at, frame.bytes.clone());
                self.order_frames.push(OrderFrame { cause, ready_at, bytes });
            }
            self.lossy(frame.ready_at + DELAY, To::Acceptor, frame.bytes);
        }
    }

    pub fn with_acceptor(&mut self, call: impl FnOnce(&mut Acceptor, Nanos, &mut Vec<Vec<u8>>)) {
        let mut out = Vec::new();
        call(&mut self.acceptor, self.now, &mut out);
        for bytes in out {
            self.lossy(self.now + DELAY, To::Trader(0), bytes);
        }
    }

    fn next_event(&self) -> Option<Nanos> {
        let flying = self.flying.iter().map(|frame| frame.at).min();
        [flying, self.trader.next_wake(), self.acceptor.next_deadline()].into_iter().flatten().min()
    }

    fn step(&mut self) {
        let due = self.flying.iter().enumerate().filter(|(_, frame)| frame.at <= self.now);
        let first = due.min_by_key(|(_, frame)| (frame.at, frame.order)).map(|(index, _)| index);
        if let Some(index) = first {
            let frame = self.flying.swap_remove(index);
            match frame.to {
                To::Trader(port) => self.with_trader(|trader, now, out| {
                    let bytes = &frame.bytes;
                    let rx = RxFrame { port, id: frame.id, first_byte_ns: now, bytes };
                    trader.receive(now, rx, out);
                }),
                To::Acceptor => {
                    self.with_acceptor(|acceptor, now, out| {
                        acceptor.on_frame(now, &frame.bytes, out)
                    });
                }
            }
            return;
        }
        if self.trader.next_wake().is_some_and(|at| at <= self.now) {
            self.with_trader(|trader, now, out| trader.wake(now, out));
        }
        if self.acceptor.next_deadline().is_some_and(|at| at <= self.now) {
            self.with_acceptor(Acceptor::on_deadline);
        }
    }

    fn lossy(&mut self, at: Nanos, to: To, bytes: Vec<u8>) {
        if self.rng.u32(..1_000) >= self.loss {
            self.fly(at, to, bytes);
        }
    }

    fn fly(&mut self, at: Nanos, to: To, bytes: Vec<u8>) -> FrameId {
        self.next_id += 1;
        let (id, order) = (self.next_id, self.next_id);
        self.flying.push(InFlight { at, order, to, id, bytes });
        id
    }
}

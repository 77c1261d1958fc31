//! The station: frames to the engine, the engine's outputs to frames, and what it all costs.

use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station, TxFrame};
use saker_wire::time::Nanos;

use super::config::{HostConfig, HostError};
use super::feed_lines::FeedLines;
use super::tcp::{TcpEvent, TcpServer};
use crate::engine::Exchange;
use crate::output::{ConnectionId, Output, Outputs};

/// Names of the stages in [`StageSpan`]s.
mod stage {
    pub(super) const GATEWAY: &str = "gateway";
    pub(super) const MATCH: &str = "match";
    pub(super) const PUBLISH: &str = "publish";
    pub(super) const REPORT: &str = "report";
}

/// What the machine has done and dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostCounters {
    /// Frames taken in.
    pub frames_in: u64,
    /// Frames on a port without order entry.
    pub frames_ignored: u64,
    /// Frames with a wrong length or checksum, dropped before TCP sees them.
    pub frames_malformed: u64,
    /// Frames dropped because the server had too much work ahead.
    pub frames_dropped: u64,
    /// Frames sent, both lines and TCP.
    pub frames_out: u64,
}

/// The exchange as a station.
#[derive(Debug)]
pub struct ExchangeHost {
    exchange: Exchange,
    config: HostConfig,
    tcp: TcpServer,
    lines: FeedLines,
    counters: HostCounters,
    outputs: Outputs,
    written: Vec<(ConnectionId, usize)>,
    /// Frames of the call being served, before they are put in order.
    ready: Vec<(u8, Vec<u8>, Nanos)>,
    /// When the server will have done everything it has been given.
    busy_until: Nanos,
    /// When the last frame of each port is ready: frames of a port never overtake each other.
    port_ready_at: Vec<Nanos>,
    wake_at: Option<Nanos>,
}

/// What one call into the station serves.
#[derive(Clone, Copy)]
struct Serving {
    now: Nanos,
    cause: Option<FrameId>,
}

impl ExchangeHost {
    /// The machine, powered on at `now`, which must not be after the engine's first deadline.
    ///
    /// # Errors
    /// [`HostError`] names the setting that is out of range.
    pub fn new(exchange: Exchange, config: HostConfig, now: Nanos) -> Result<Self, HostError> {
        config.validate()?;
        let tcp = TcpServer::new(&config, now);
        let lines = FeedLines::new(&config);
        let wake_at = exchange.next_deadline();
        Ok(Self {
            tcp,
            lines,
            counters: HostCounters::default(),
            outputs: Outputs::new(),
            written: Vec::new(),
            ready: Vec::new(),
            busy_until: now,
            port_ready_at: vec![now; config.ports.len()],
            wake_at,
            exchange,
            config,
        })
    }

    /// The engine inside.
    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// The settings it runs with.
    pub fn config(&self) -> &HostConfig {
        &self.config
    }

    /// What it has done and dropped.
    pub fn counters(&self) -> &HostCounters {
        &self.counters
    }

    /// Serves what TCP has to say, then sends.
    fn serve(&mut self, serving: Serving, out: &mut Outbox) {
        // The engine's clock is the server's: a command is dated when its service begins.
        while let Some(event) = self.tcp.poll_event(serving.now) {
            let at = serving.now.max(self.busy_until);
            match event {
                TcpEvent::Opened(c) => self.exchange.on_connect(at, c, &mut self.outputs),
                TcpEvent::Lost(c) => self.exchange.on_disconnect(at, c, &mut self.outputs),
                TcpEvent::Received(c) => {
                    self.exchange.on_bytes(at, c, self.tcp.received(), &mut self.outputs);
                }
            }
            self.carry_out(serving, out);
        }
        self.report_written(serving, out);
        self.tcp.flush(serving.now);
        self.collect(serving.now);
        self.emit(serving.cause, out);
        let engine = self.exchange.next_deadline();
        let tcp = self.tcp.poll_at(serving.now);
        self.wake_at = [engine, tcp].into_iter().flatten().min();
    }

    /// Carries out the engine's outputs in order, charging for each.
    fn carry_out(&mut self, serving: Serving, out: &mut Outbox) {
        let costs = self.config.costs;
        let mut at = serving.now.max(self.busy_until);
        let mut charge = |stage: &'static str, cost: Nanos| {
            let (start, end) = (at, at.saturating_add(cost));
            if let Some(cause) = serving.cause {
                out.stages.push(StageSpan { cause, stage, start, end });
            }
            at = end;
            end
        };
        for output in self.outputs.items() {
            match output {
                Output::Command { .. } => {
                    charge(stage::GATEWAY, costs.gateway_ns);
                    charge(stage::MATCH, costs.match_ns);
                }
                Output::Feed { stream, range } => {
                    let ready_at = charge(stage::PUBLISH, costs.publish_ns);
                    let payload = self.outputs.bytes(range);
                    for (port, frame) in self.lines.frames(*stream, payload) {
                        self.ready.push((port, frame, ready_at));
                    }
                }
                Output::Send { connection, range } => {
                    let ready_at = charge(stage::REPORT, costs.report_ns);
                    self.tcp.send(*connection, self.outputs.bytes(range), ready_at);
                }
                Output::Close { connection, abort } => {
                    self.tcp.close(serving.now, *connection, *abort)
                }
            }
        }
        self.busy_until = at;
        self.outputs.clear();
        // These segments are made before more is served, so that messages of later work are not
        // joined to them and make them late.
        self.tcp.push(|connection, bytes| self.written.push((connection, bytes)));
        self.tcp.flush(serving.now);
        self.collect(serving.now);
    }

    /// Tells the engine what TCP has taken; it may then send the market data it owes.
    fn report_written(&mut self, serving: Serving, out: &mut Outbox) {
        self.tcp.push(|connection, bytes| self.written.push((connection, bytes)));
        while !self.written.is_empty() {
            let at = serving.now.max(self.busy_until);
            for (connection, bytes) in std::mem::take(&mut self.written) {
                self.exchange.on_written(at, connection, bytes, &mut self.outputs);
            }
            self.carry_out(serving, out);
        }
    }

    /// Takes the frames that TCP has made.
    fn collect(&mut self, now: Nanos) {
        let port = self.config.order_entry_port;
        let ready = &mut self.ready;
        self.tcp.frames(now, |frame, ready_at| ready.push((port, frame, ready_at)));
    }

    /// Hands all frames of this call to the world, in the order in which they are ready.
    fn emit(&mut self, cause: Option<FrameId>, out: &mut Outbox) {
        self.ready.sort_by_key(|(_, _, ready_at)| *ready_at);
        for (port, bytes, ready_at) in self.ready.drain(..) {
            let port_ready_at = &mut self.port_ready_at[usize::from(port)];
            *port_ready_at = ready_at.max(*port_ready_at);
            self.counters.frames_out += 1;
            out.frames.push(TxFrame { port, bytes, ready_at: *port_ready_at, cause });
        }
    }
}

impl Station for ExchangeHost {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        if frame.port != self.config.order_entry_port {
            self.counters.frames_ignored += 1;
            return;
        }
        // smoltcp would drop it as well, but without a word.
        if saker_wire::frame::parse(frame.bytes).is_err() {
            self.counters.frames_malformed += 1;
            return;
        }
        if self.busy_until > now.saturating_add(self.config.ingress_limit_ns) {
            self.counters.frames_dropped += 1;
            return;
        }
        self.counters.frames_in += 1;
        self.tcp.receive(now, frame.bytes);
        self.serve(Serving { now, cause: Some(frame.id) }, out);
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        let serving = Serving { now, cause: None };
        if self.exchange.next_deadline().is_some_and(|at| at <= now) {
            let at = now.max(self.busy_until);
            self.exchange.on_deadline(at, &mut self.outputs);
            self.carry_out(serving, out);
        }
        self.tcp.tick(now);
        self.serve(serving, out);
    }

    fn next_wake(&self) -> Option<Nanos> {
        self.wake_at
    }
}

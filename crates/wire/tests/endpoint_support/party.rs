//! An endpoint with an application and a fast path that behave at random, and a model beside it
//! that knows which byte has which sequence number.

use std::collections::VecDeque;
use std::net::SocketAddrV4;

use fastrand::Rng;
use saker_wire::endpoint::{DelegateError, Delegation, Endpoint, Event, State, TransmitKind};
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::tcp::{TcpFlags, TcpHeader, TcpOption};
use saker_wire::time::Nanos;

/// What the application does, in chances per thousand for each step.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// Writes some bytes.
    pub write: u32,
    /// Reads, and at most how many bytes at a time.
    pub read: u32,
    pub read_limit: usize,
    /// Hands out a delegation, if none is out.
    pub delegate: u32,
    /// The fast path fires.
    pub fire: u32,
    /// The fast path's oldest report is delivered.
    pub report: u32,
    /// The delegation ends.
    pub revoke: u32,
}

impl Habits {
    pub const PLAIN: Habits = Habits {
        write: 1000,
        read: 1000,
        read_limit: usize::MAX,
        delegate: 0,
        fire: 0,
        report: 0,
        revoke: 0,
    };
}

/// The other hand on the connection.
struct FastPath {
    /// What it was last told.
    header: Delegation,
    next: u32,
    limit: u32,
    unreported: VecDeque<(u32, Vec<u8>)>,
    is_stopping: bool,
}

pub struct Party {
    pub endpoint: Endpoint,
    pub habits: Habits,
    pub rng: Rng,
    /// Application bytes still to be written.
    pub to_write: usize,
    /// Whether to close once everything is written.
    pub close_when_done: bool,
    /// Whether to close only after the peer did.
    pub close_after_peer: bool,
    pub received: Vec<u8>,
    /// Everything transmitted, in sequence order.
    pub stream: Vec<u8>,
    pub events: Vec<Event>,
    pub fired: u64,
    /// The last reset sent, as a frame.
    pub last_reset: Option<Vec<u8>>,
    path: TcpPath,
    iss: u32,
    /// Taken by the endpoint, not transmitted.
    waiting: VecDeque<u8>,
    fast: Option<FastPath>,
    closed: bool,
    /// The furthest edge the peer advertised in anything delivered.
    peer_edge: Option<u32>,
    /// Shifts offered in the SYNs seen: the peer's and ours.
    shifts: (Option<u8>, Option<u8>),
    ident: u16,
    payload: Vec<u8>,
}

fn passed(a: u32, b: u32) -> bool {
    (b.wrapping_sub(a) as i32) < 0
}

impl Party {
    pub fn new(endpoint: Endpoint, iss: u32, path: TcpPath, habits: Habits, seed: u64) -> Party {
        Party {
            endpoint,
            habits,
            rng: Rng::with_seed(seed),
            to_write: 0,
            close_when_done: true,
            close_after_peer: false,
            received: Vec::new(),
            stream: Vec::new(),
            events: Vec::new(),
            fired: 0,
            last_reset: None,
            path,
            iss,
            waiting: VecDeque::new(),
            fast: None,
            closed: false,
            peer_edge: None,
            shifts: (None, None),
            ident: 0,
            payload: Vec::new(),
        }
    }

    fn chance(&mut self, per_thousand: u32) -> bool {
        self.rng.u32(0..1000) < per_thousand
    }

    /// Whether the application has written everything, and closed if it wanted to.
    pub fn is_done(&self) -> bool {
        self.to_write == 0 && self.waiting.is_empty() && (self.closed || !self.close_when_done)
    }

    /// Takes an arrived frame; frames for others are ignored.
    pub fn receive(&mut self, now: Nanos, bytes: &[u8], out: &mut Vec<Vec<u8>>) {
        let parsed = frame::parse(bytes).expect("corrupted frames are dropped before");
        let Body::Tcp { ip, tcp, options, payload } = parsed.body else { return };
        if ip.dst != *self.path.src.ip() || tcp.dst_port != self.path.src.port() {
            return;
        }
        if tcp.flags.contains(TcpFlags::SYN) {
            self.shifts.0 = options.iter().find_map(|option| match option {
                TcpOption::WindowScale(shift) => Some(shift),
                _ => None,
            });
        }
        if tcp.flags.contains(TcpFlags::ACK) {
            let is_scaled = !tcp.flags.contains(TcpFlags::SYN)
                && self.shifts.0.is_some()
                && self.shifts.1.is_some();
            let shift = if is_scaled { self.shifts.0.unwrap() } else { 0 };
            let edge = tcp.ack.wrapping_add(u32::from(tcp.window) << shift);
            if self.peer_edge.is_none_or(|known| passed(edge, known)) {
                self.peer_edge = Some(edge);
            }
        }
        self.endpoint.on_segment(now, &tcp, &options, payload);
        self.poll(now, out);
    }

    /// One step of the application, the fast path and the timers.
    pub fn step(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        if self.endpoint.next_deadline().is_some_and(|at| at <= now) {
            self.endpoint.on_deadline(now);
            assert!(self.endpoint.next_deadline().is_none_or(|at| at > now), "deadlines move on");
        }
        self.events.extend(self.endpoint.take_events());
        if self.to_write > 0 && self.chance(self.habits.write) {
            let bytes = self.random_bytes(3000);
            let taken = self.endpoint.send(&bytes);
            self.to_write -= taken;
            self.waiting.extend(&bytes[..taken]);
        }
        if self.chance(self.habits.read) {
            let limit = self.habits.read_limit;
            self.endpoint.recv_up_to(limit, &mut self.received);
        }
        self.step_fast_path(now, out);
        let opened = self.events.contains(&Event::Connected);
        let may_close =
            opened && (!self.close_after_peer || self.events.contains(&Event::PeerClosed));
        if self.close_when_done && self.to_write == 0 && !self.closed && may_close {
            self.endpoint.close();
            self.closed = true;
        }
        self.poll(now, out);
    }

    fn random_bytes(&mut self, most: usize) -> Vec<u8> {
        let count = self.rng.usize(1..=most).min(self.to_write);
        (0..count).map(|_| self.rng.u8(..)).collect()
    }

    fn step_fast_path(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        if self.fast.is_some() && self.endpoint.delegated().is_none() {
            assert_eq!(self.endpoint.state(), State::Closed, "only an end takes a delegation away");
            self.fast = None;
        }
        if self.fast.is_none()
            && self.chance(self.habits.delegate)
            && let Some(header) = self.endpoint.delegate()
        {
            self.fast = Some(FastPath {
                header,
                next: header.seq,
                limit: header.seq.wrapping_add(header.limit_bytes),
                unreported: VecDeque::new(),
                is_stopping: false,
            });
            assert_eq!(self.endpoint.delegate(), None, "one at a time");
        }
        let Some(mut fast) = self.fast.take() else { return };
        if self.chance(500) {
            let header = self.endpoint.delegated().unwrap();
            let limit = header.seq.wrapping_add(header.limit_bytes);
            assert!(!passed(fast.limit, limit), "the limit never moves back");
            fast.header = header;
            fast.limit = limit;
        }
        let room = fast.limit.wrapping_sub(fast.next) as usize;
        if !fast.is_stopping && room > 0 && self.to_write > 0 && self.chance(self.habits.fire) {
            let most = room.min(usize::from(fast.header.mss));
            let bytes = self.random_bytes(most.min(400));
            self.to_write -= bytes.len();
            let header = TcpHeader {
                seq: fast.next,
                ack: fast.header.ack,
                flags: TcpFlags::ACK | TcpFlags::PSH,
                window: fast.header.window,
                dst_port: self.endpoint.remote_port(),
                ..TcpHeader::default()
            };
            self.stream.extend(&bytes);
            self.check_window(header.seq.wrapping_add(bytes.len() as u32), 0);
            out.push(self.frame(&header, &[], &bytes));
            fast.unreported.push_back((fast.next, bytes));
            fast.next = header.seq.wrapping_add(fast.unreported.back().unwrap().1.len() as u32);
            self.fired += 1;
        }
        fast.is_stopping |= self.chance(self.habits.revoke);
        if self.chance(self.habits.report) || fast.is_stopping {
            if self.chance(100) {
                self.report_wrongly(now);
            }
            if let Some((seq, bytes)) = fast.unreported.pop_front() {
                self.endpoint.delegate_sent(now, seq, &bytes).unwrap();
            }
        }
        if fast.is_stopping && fast.unreported.is_empty() {
            self.endpoint.revoke().unwrap();
        } else {
            self.fast = Some(fast);
        }
    }

    fn report_wrongly(&mut self, now: Nanos) {
        let before = self.endpoint.delegated().unwrap();
        let shifted = before.seq.wrapping_add(self.rng.u32(1..u32::MAX));
        let too_many = vec![0; before.limit_bytes as usize + 1];
        assert_eq!(
            self.endpoint.delegate_sent(now, shifted, &[1]),
            Err(DelegateError::WrongSequence { expected: before.seq, reported: shifted })
        );
        assert_eq!(
            self.endpoint.delegate_sent(now, before.seq, &too_many),
            Err(DelegateError::BeyondLimit { limit: before.limit_bytes, reported: too_many.len() })
        );
        assert_eq!(self.endpoint.delegated(), Some(before));
    }

    /// Sends everything the endpoint has to send, checking it against the model.
    pub fn poll(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        let mut payload = std::mem::take(&mut self.payload);
        let mut count = 0;
        while let Some(transmit) = self.endpoint.poll_transmit(now, &mut payload) {
            count += 1;
            assert!(count < 1000, "polling ends");
            let header = transmit.header;
            if header.flags.contains(TcpFlags::SYN) {
                assert_eq!((header.seq, payload.len()), (self.iss, 0));
                self.shifts.1 = transmit.options().get(7).copied();
            }
            if !payload.is_empty() {
                self.check_bytes(header.seq, &payload, transmit.kind);
                let beyond = u32::from(transmit.kind == TransmitKind::WindowProbe);
                self.check_window(header.seq.wrapping_add(payload.len() as u32), beyond);
            }
            let bytes = self.frame(&header, transmit.options(), &payload);
            if transmit.kind == TransmitKind::Reset {
                self.last_reset = Some(bytes.clone());
            }
            out.push(bytes);
        }
        self.payload = payload;
    }

    /// The bytes at a sequence number are the ones the model has there; only data segments and
    /// probes bring new ones, and none while the fast path may.
    fn check_bytes(&mut self, seq: u32, payload: &[u8], kind: TransmitKind) {
        let offset = seq.wrapping_sub(self.iss).wrapping_sub(1) as usize;
        let known = self.stream.len().saturating_sub(offset).min(payload.len());
        let fresh = &payload[known..];
        if !fresh.is_empty() {
            assert!(self.fast.is_none(), "{kind:?} brings new data while delegated");
            assert!(matches!(kind, TransmitKind::Data | TransmitKind::WindowProbe));
            assert!(offset + known == self.stream.len(), "new data leave no gap");
            let expected: Vec<u8> = self.waiting.drain(..fresh.len()).collect();
            assert!(fresh == expected, "new data come in order");
            self.stream.extend(fresh);
        }
        if kind == TransmitKind::Data {
            assert_eq!(known, 0, "data are sent first once");
        }
        assert!(payload[..known] == self.stream[offset..][..known], "repeated data are the same");
    }

    /// Nothing ends beyond what the peer ever offered, but a probe's one octet.
    fn check_window(&self, end: u32, beyond: u32) {
        let edge = self.peer_edge.expect("data follow the handshake").wrapping_add(beyond);
        assert!(!passed(end, edge), "sent {} bytes beyond the window", end.wrapping_sub(edge));
    }

    fn frame(&mut self, header: &TcpHeader, options: &[u8], payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.ident = self.ident.wrapping_add(1);
        // A listener learns the peer's port.
        let dst = SocketAddrV4::new(*self.path.dst.ip(), header.dst_port);
        let path = TcpPath { dst, ..self.path };
        path.write(self.ident, header, options, payload, &mut bytes);
        bytes
    }
}

//! The FIX 4.4 session layer (volume 2), without I/O.
//!
//! Bytes, commands and `now` go in; bytes, events and the next deadline come out. The host owns the
//! transport and the clock:
//!
//! 1. transport up: [`Session::on_connect`]; bytes: [`Session::on_bytes`]; transport down:
//!    [`Session::on_disconnect`]; the instant of [`Session::next_deadline`] has come:
//!    [`Session::on_deadline`].
//! 2. After each call: take the events ([`Session::poll_event`]) and the bytes
//!    ([`Session::poll_output`], or [`Session::output`] and [`Session::consume_output`]).
//! 3. On [`Event::Disconnect`]: send what is left, then close the transport.
//!
//! One `Session` lives as long as its sequence numbers, over any number of transports. A host that
//! serves many clients on one port reads SenderCompID from the first message of a connection with
//! [`crate::parse::frame`] and hands the bytes to that client's session.

mod config;
mod event;
mod gap;
mod inbound;
mod logon;
mod outbound;
mod output;
mod prepared;
mod resend;
mod store;
mod timer;

use std::collections::VecDeque;

use saker_wire::time::Nanos;

pub use config::{Authentication, Config, LogonRequest};
pub use event::{Counters, DisconnectReason, Event, Prepared, PreparedError, SendError};

use crate::parse::{Message, frame_with_limit};
use crate::value::TimestampCache;
use gap::Gap;
use output::Output;
use store::Store;

/// Largest MsgSeqNum: nine digits.
pub const MAX_SEQ: u32 = 999_999_999;

/// Room to encode beyond the largest message: an answer may repeat a text of the largest message
/// under a longer header, and a resent message has two more fields.
const SCRATCH_EXTRA: usize = 1_024;

/// Buffers kept for events to come.
const POOL: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Acceptor,
    Initiator,
}

#[derive(Debug)]
enum State {
    Disconnected,
    /// Acceptor: the transport is up.
    AwaitingLogon {
        deadline: Nanos,
    },
    /// Acceptor: the application is to answer.
    LogonPending {
        request: LogonRequest,
        seq: u32,
        deadline: Nanos,
    },
    /// Initiator: the Logon is out.
    LogonSent {
        deadline: Nanos,
    },
    Established,
    LogoutSent {
        deadline: Nanos,
    },
}

/// One FIX session, either side. See the [module](self).
pub struct Session {
    config: Config,
    role: Role,
    state: State,
    /// The peer's CompID; empty until a Logon names it.
    target: String,
    /// It was configured, or a Logon with it was accepted.
    target_known: bool,
    inbound_seq: u32,
    outbound_seq: u32,
    /// 0: no heartbeats.
    heartbeat_ns: Nanos,
    last_sent: Nanos,
    last_received: Nanos,
    test_request_sent: Option<Nanos>,
    gap: Gap,
    /// Bytes of an incomplete message.
    input: Vec<u8>,
    output: Output,
    store: Store,
    events: VecDeque<Event>,
    pool: Vec<Vec<u8>>,
    scratch: Vec<u8>,
    dates: TimestampCache,
    counters: Counters,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("config", &self.config)
            .field("role", &self.role)
            .field("state", &self.state)
            .field("inbound_seq", &self.inbound_seq)
            .field("outbound_seq", &self.outbound_seq)
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// The side that waits for a Logon.
    pub fn acceptor(config: Config) -> Self {
        Session::new(config, Role::Acceptor)
    }

    /// The side that sends the Logon. Its `target_comp_id` must be set.
    pub fn initiator(config: Config) -> Self {
        debug_assert!(config.target_comp_id.is_some(), "an initiator knows whom it calls");
        Session::new(config, Role::Initiator)
    }

    fn new(config: Config, role: Role) -> Self {
        debug_assert!((1..=MAX_SEQ).contains(&config.inbound_seq));
        debug_assert!((1..=MAX_SEQ).contains(&config.outbound_seq));
        let scratch = vec![0; config.max_message + SCRATCH_EXTRA];
        Session {
            role,
            state: State::Disconnected,
            target_known: config.target_comp_id.is_some(),
            target: config.target_comp_id.clone().unwrap_or_default(),
            inbound_seq: config.inbound_seq,
            outbound_seq: config.outbound_seq,
            heartbeat_ns: 0,
            last_sent: 0,
            last_received: 0,
            test_request_sent: None,
            gap: Gap::default(),
            input: Vec::new(),
            output: Output::default(),
            store: Store::new(config.resend_capacity),
            events: VecDeque::new(),
            pool: Vec::new(),
            scratch,
            dates: TimestampCache::default(),
            counters: Counters::default(),
            config,
        }
    }

    /// The transport is up. An initiator sends its Logon.
    pub fn on_connect(&mut self, now: Nanos) {
        if !matches!(self.state, State::Disconnected) {
            self.disconnect(DisconnectReason::ConnectionLost);
        }
        self.input.clear();
        self.output.clear();
        self.test_request_sent = None;
        self.last_received = now;
        self.last_sent = now;
        let deadline = now.saturating_add(self.config.logon_timeout_ns);
        match self.role {
            Role::Acceptor => self.state = State::AwaitingLogon { deadline },
            Role::Initiator => {
                self.state = State::LogonSent { deadline };
                self.send_logon(now);
            }
        }
    }

    /// Bytes from the transport, in any portions.
    pub fn on_bytes(&mut self, now: Nanos, bytes: &[u8]) {
        if matches!(self.state, State::Disconnected) {
            self.counters.stray_bytes += bytes.len() as u64;
        } else if self.input.is_empty() {
            let used = self.read(now, bytes);
            self.keep(&bytes[used..]);
        } else {
            self.input.extend_from_slice(bytes);
            self.read_input(now);
        }
    }

    /// The transport is down. Sequence numbers and the resend store are kept; bytes that wait are
    /// dropped.
    pub fn on_disconnect(&mut self, _now: Nanos) {
        self.disconnect(DisconnectReason::ConnectionLost);
        self.input.clear();
        self.output.clear();
    }

    /// Next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Gives the buffer of an event back, so that the next one needs no allocation.
    pub fn recycle(&mut self, bytes: Vec<u8>) {
        if self.pool.len() < POOL {
            self.pool.push(bytes);
        }
    }

    /// Next message for the transport (the rest of it, if [`Session::consume_output`] took a part).
    pub fn poll_output(&mut self) -> Option<&[u8]> {
        self.output.pop()
    }

    /// All bytes waiting, for transports that take a part.
    pub fn output(&self) -> &[u8] {
        self.output.pending()
    }

    /// The transport took the first `count` bytes of [`Session::output`].
    pub fn consume_output(&mut self, count: usize) {
        self.output.consume(count);
    }

    /// Whether application messages may flow.
    pub fn is_logged_on(&self) -> bool {
        matches!(self.state, State::Established)
    }

    /// Whether no transport is up, or it is to be closed.
    pub fn is_disconnected(&self) -> bool {
        matches!(self.state, State::Disconnected)
    }

    /// The peer's CompID, once it is known.
    pub fn target_comp_id(&self) -> Option<&str> {
        self.target_known.then_some(self.target.as_str())
    }

    /// MsgSeqNum of the next message out.
    pub fn next_outbound_seq(&self) -> u32 {
        self.outbound_seq
    }

    /// MsgSeqNum expected next from the peer.
    pub fn next_inbound_seq(&self) -> u32 {
        self.inbound_seq
    }

    /// What happened so far.
    pub fn counters(&self) -> Counters {
        Counters { store_evicted: self.store.evicted(), ..self.counters }
    }

    /// Processes the whole messages at the front of `bytes`; returns how many bytes they are.
    fn read(&mut self, now: Nanos, bytes: &[u8]) -> usize {
        let mut used = 0;
        while used < bytes.len() {
            if matches!(self.state, State::Disconnected) {
                return bytes.len();
            }
            if matches!(self.state, State::LogonPending { .. }) {
                return used;
            }
            match frame_with_limit(&bytes[used..], self.config.max_message) {
                Ok(Some((message, size))) => {
                    self.counters.messages_in += 1;
                    used += size;
                    self.on_message(now, &message);
                }
                Ok(None) => return used,
                Err(garbled) => {
                    self.counters.garbled += 1;
                    self.counters.garbled_bytes += garbled.skip as u64;
                    used += garbled.skip;
                }
            }
        }
        used
    }

    fn read_input(&mut self, now: Nanos) {
        let mut input = std::mem::take(&mut self.input);
        let used = self.read(now, &input);
        input.drain(..used);
        self.input = input;
        self.check_input();
    }

    fn keep(&mut self, rest: &[u8]) {
        self.input.extend_from_slice(rest);
        self.check_input();
    }

    /// An incomplete message is within the limit by itself; only a pending Logon lets more gather.
    fn check_input(&mut self) {
        if self.input.len() > 2 * self.config.max_message {
            self.disconnect(DisconnectReason::InputFull);
        }
        if matches!(self.state, State::Disconnected) {
            self.input.clear();
        }
    }

    /// Ends the session; bytes that wait stay for the transport.
    fn disconnect(&mut self, reason: DisconnectReason) {
        if matches!(self.state, State::Disconnected) {
            return;
        }
        self.state = State::Disconnected;
        self.gap.clear();
        self.test_request_sent = None;
        self.events.push_back(Event::Disconnect(reason));
    }

    /// Both sequence numbers begin at 1.
    fn reset_sequences(&mut self) {
        self.inbound_seq = 1;
        self.outbound_seq = 1;
        self.store.clear();
        self.gap.clear();
    }

    /// A copy of the message for an event.
    fn event_bytes(&mut self, message: &Message<'_>) -> Vec<u8> {
        let mut bytes = self.pool.pop().unwrap_or_default();
        bytes.clear();
        bytes.extend_from_slice(message.bytes());
        bytes
    }
}

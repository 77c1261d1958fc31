//! One TCP connection (RFC 9293) as a state machine without I/O, shared by software and a fast path.
//!
//! It is for the trader's order connection, where prepared orders are transmitted by logic or by a
//! short software path and everything else (logon, heartbeats, retransmissions, the closing
//! handshake) by ordinary software, over one connection (seed 001 sections 4.3 and 4.5). It is not a
//! general socket layer: there is no demultiplexing, no routing and no ARP. Its owner verifies
//! checksums and addresses, supplies `now`, the initial sequence number (RFC 6528) and a buffer.
//!
//! # The life of a byte
//!
//! Out: [`send`](Endpoint::send) copies it into the *queue*. When the peer's window and the
//! congestion window admit it, [`poll_transmit`](Endpoint::poll_transmit) puts it into a segment and
//! moves it to the *retransmission queue*, where it stays until it is acknowledged: after a timeout
//! or three duplicate acknowledgements it goes out again, whichever party sent it first. Then its
//! room is free.
//!
//! In: [`on_segment`](Endpoint::on_segment) checks the segment against the window and RFC 5961, uses
//! its acknowledgement and window, and writes its text to its final place in the receive ring, in
//! order or not. Once nothing is missing before it, the byte is readable,
//! [`Event::DataReady`] is told, and [`recv`](Endpoint::recv) takes it, which reopens the window.
//!
//! After every call the owner polls segments until there are none, and asks
//! [`next_deadline`](Endpoint::next_deadline). All memory is taken at the start; a segment allocates
//! nothing beyond the caller's buffers.
//!
//! # Delegated send
//!
//! ```text
//!  software               endpoint                 fast path                peer
//!     |  delegate()          |                         |                      |
//!     |--------------------->| seq=1000 limit=4000     |                      |
//!     |<---------------------|                         |                      |
//!     |  prepared order, seq, ack, window              |                      |
//!     |----------------------------------------------->|   tick!              |
//!     |  send(heartbeat)     |                         |-- 1000..1200 ------->|
//!     |--------------------->| waits in the queue      |                      |
//!     |                      |<------------------------|------- ack 1200 -----|
//!     |                      | early: remembered       |                      |
//!     |  "slot 3 sent, bytes [1000,1200)"              |                      |
//!     |<-----------------------------------------------|                      |
//!     |  delegate_sent(1000, ..)                       |                      |
//!     |--------------------->| into the retransmission |                      |
//!     |                      | queue, and acknowledged |                      |
//!     |  (stops the fast path)                         |                      |
//!     |  revoke()            |                         |                      |
//!     |--------------------->|-- heartbeat, 1200.. ------------------------->|
//! ```
//!
//! While the delegation is out the endpoint sends no new data; acknowledgements, retransmissions
//! and probes go on. The fast path patches [`delegated`](Endpoint::delegated)'s numbers into its
//! headers and stays below the limit. Reports come in order; a wrong one is a typed error and
//! changes nothing. If a report is lost, the bytes cannot be repaired: the owner must
//! [`abort`](Endpoint::abort). While the fast path is ahead of its reports our bare
//! acknowledgements may carry a sequence number that the peer finds old and answers without
//! using; the next one after the report repairs that.
//!
//! # Choices
//!
//! MSS and, if configured, window scale are the only options; no timestamps (seed 001 section
//! 4.3.3), no SACK, no ECN; urgent data are ordinary data. Nagle's algorithm is off.
//! Acknowledgements are immediate unless a delay is configured. Loss recovery is RFC 6298 and
//! NewReno (RFC 5681, 6582). A probe of a closed window is one octet of queued data, or a bare old
//! segment while new data are the fast path's to send. FIN-WAIT-2 has no timeout of its own:
//! keep-alive ends it if the peer is gone, or the application aborts.
//!
//! # Use
//!
//! Two endpoints and a wire that loses nothing:
//!
//! ```
//! use saker_wire::endpoint::{Config, Endpoint, Event};
//! use saker_wire::tcp::TcpOptions;
//!
//! fn carry(from: &mut Endpoint, to: &mut Endpoint, now: u64) -> bool {
//!     let mut payload = Vec::new();
//!     let mut moved = false;
//!     while let Some(segment) = from.poll_transmit(now, &mut payload) {
//!         // On a real wire: `TcpPath::write` on one side, `frame::parse` on the other.
//!         let options = TcpOptions::parse(segment.options()).expect("ours are well-formed");
//!         to.on_segment(now, &segment.header, &options, &payload);
//!         moved = true;
//!     }
//!     moved
//! }
//!
//! let now = 1_000_000;
//! let ours = Config { local_port: 40_000, remote_port: 9878, ..Config::default() };
//! let theirs = Config { local_port: 9878, ..Config::default() };
//! let mut trader = Endpoint::connect(ours, 0x5EED_0001, now)?;
//! let mut exchange = Endpoint::listen(theirs, 0x5EED_0002)?;
//! let mut settle = |a: &mut Endpoint, b: &mut Endpoint| {
//!     while carry(a, b, now) | carry(b, a, now) {}
//! };
//!
//! trader.send(b"logon ");
//! settle(&mut trader, &mut exchange);
//! assert_eq!(trader.poll_event(), Some(Event::Connected));
//!
//! // The fast path sends an order of its own, here lost on the way, and reports it.
//! let grant = trader.delegate().expect("the connection is open");
//! assert!(grant.limit_bytes >= 5);
//! trader.delegate_sent(now, grant.seq, b"order")?;
//! trader.revoke()?;
//! trader.send(b" heartbeat");
//! settle(&mut trader, &mut exchange);
//! trader.on_deadline(trader.next_deadline().expect("something is unacknowledged"));
//! settle(&mut trader, &mut exchange);
//!
//! let mut received = Vec::new();
//! exchange.recv(&mut received);
//! assert_eq!(received, b"logon order heartbeat");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod congestion;
mod delegation;
mod input;
mod output;
mod receive;
mod ring;
mod rto;
mod send;
mod seq;
mod state;
mod timers;
mod transmit;

use std::collections::VecDeque;

pub use config::{Config, ConfigError, KeepAlive};
pub use delegation::{DelegateError, Delegation};
pub use state::{Counters, Event, ResetReason, State, TimeoutReason};
pub use transmit::{Transmit, TransmitKind};

use crate::time::Nanos;
use congestion::NewReno;
use delegation::Grant;
use output::Repair;
use receive::Receiver;
use rto::RtoEstimator;
use send::Sender;
use timers::{AckBudget, AckPlan};

/// More events than can be untold at a time: every kind but `DataReady` happens once.
const MAX_EVENTS: usize = 8;

/// A reset to be sent.
#[derive(Debug, Clone, Copy)]
struct PendingReset {
    seq: u32,
    /// With an ACK, where the segment it answers had none.
    ack: Option<u32>,
    port: u16,
}

/// One end of one connection.
#[derive(Debug)]
pub struct Endpoint {
    config: Config,
    state: State,
    /// Whether it began with LISTEN.
    passive: bool,
    remote_port: u16,
    tx: Sender,
    rx: Receiver,
    rto: RtoEstimator,
    congestion: NewReno,
    grant: Option<Grant>,
    /// Whether window scaling is in force.
    scaling: bool,

    /// The segment being timed: one past its end, and when it was sent.
    timed: Option<(u32, Nanos)>,
    /// What is being sent again.
    repair: Option<Repair>,
    /// Timeouts of the same data in a row.
    repeated_timeouts: u32,
    /// Retransmission or persist timer.
    retransmit_at: Option<Nanos>,
    /// Since when the peer owes us progress.
    stalled_since: Option<Nanos>,
    time_wait_at: Option<Nanos>,
    last_data_sent: Option<Nanos>,
    last_heard: Nanos,
    keep_alive_sent_at: Nanos,
    keep_alives_sent: u32,

    syns_sent: u32,
    syn_due: bool,
    probe_due: bool,
    keep_alive_due: bool,
    ack: AckPlan,
    ack_budget: AckBudget,
    pending_reset: Option<PendingReset>,
    /// The application will send no more.
    close_requested: bool,

    events: VecDeque<Event>,
    counters: Counters,
}

impl Endpoint {
    /// An active open: the SYN is ready to be polled. `isn` is the initial sequence number, which
    /// should be unpredictable (RFC 6528).
    pub fn connect(config: Config, isn: u32, now: Nanos) -> Result<Endpoint, ConfigError> {
        let mut endpoint = Endpoint::new(config, isn, State::SynSent)?;
        endpoint.syn_due = true;
        endpoint.last_heard = now;
        endpoint.after_change(now);
        Ok(endpoint)
    }

    /// A passive open for one connection. A peer that vanishes before the handshake is complete
    /// leaves it listening again, with another initial sequence number.
    pub fn listen(config: Config, isn: u32) -> Result<Endpoint, ConfigError> {
        let mut endpoint = Endpoint::new(config, isn, State::Listen)?;
        endpoint.passive = true;
        Ok(endpoint)
    }

    fn new(config: Config, isn: u32, state: State) -> Result<Endpoint, ConfigError> {
        config.check()?;
        let tx = Sender::new(isn, config.mss, config.send_capacity, config.retransmit_capacity);
        Ok(Endpoint {
            state,
            passive: false,
            remote_port: config.remote_port,
            tx,
            rx: Receiver::new(config.receive_capacity, config.reassembly_ranges, config.mss),
            rto: RtoEstimator::new(&config),
            congestion: NewReno::new(config.mss, config.initial_window_segments, isn),
            grant: None,
            scaling: false,
            timed: None,
            repair: None,
            repeated_timeouts: 0,
            retransmit_at: None,
            stalled_since: None,
            time_wait_at: None,
            last_data_sent: None,
            last_heard: 0,
            keep_alive_sent_at: 0,
            keep_alives_sent: 0,
            syns_sent: 0,
            syn_due: false,
            probe_due: false,
            keep_alive_due: false,
            ack: AckPlan::default(),
            ack_budget: AckBudget::default(),
            pending_reset: None,
            close_requested: false,
            events: VecDeque::with_capacity(MAX_EVENTS),
            counters: Counters::default(),
            config,
        })
    }

    /// Back to the start of a handshake. Bytes queued for sending stay.
    fn start_over(&mut self, iss: u32, state: State) {
        self.state = state;
        self.remote_port = self.config.remote_port;
        self.tx.start_over(iss, self.config.mss);
        self.rto = RtoEstimator::new(&self.config);
        self.congestion = NewReno::new(self.config.mss, self.config.initial_window_segments, iss);
        self.syns_sent = 0;
        self.stop();
    }

    /// The connection's state.
    pub fn state(&self) -> State {
        self.state
    }

    /// The peer's port; 0 in a listener that has not heard of one.
    pub fn remote_port(&self) -> u16 {
        self.remote_port
    }

    /// What was seen and done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Queues bytes for sending and says how many it took: as many as the queue has room for, none
    /// after [`close`](Endpoint::close) or after the connection ended.
    pub fn send(&mut self, bytes: &[u8]) -> usize {
        let is_open = self.state.may_send()
            || matches!(self.state, State::Listen | State::SynSent | State::SynReceived);
        if !is_open || self.close_requested {
            return 0;
        }
        self.tx.queued.push(bytes)
    }

    /// Bytes [`send`](Endpoint::send) would take.
    pub fn send_room(&self) -> usize {
        self.tx.queued.free()
    }

    /// Bytes that were sent or queued and are not acknowledged.
    pub fn unacknowledged(&self) -> usize {
        self.tx.sent.len() + self.tx.queued.len()
    }

    /// Bytes that [`recv`](Endpoint::recv) would append.
    pub fn readable(&self) -> usize {
        self.rx.readable()
    }

    /// Appends all readable bytes to `out` and says how many. They stay readable after the
    /// connection ended.
    pub fn recv(&mut self, out: &mut Vec<u8>) -> usize {
        self.recv_up_to(usize::MAX, out)
    }

    /// Appends at most `limit` readable bytes to `out` and says how many.
    pub fn recv_up_to(&mut self, limit: usize, out: &mut Vec<u8>) -> usize {
        let count = self.rx.take(limit, out);
        if count > 0 && self.state.may_receive() && self.rx.update_is_due() {
            self.ack_now();
        }
        count
    }

    /// Sends no more after what is queued; the peer may go on. A delegation that is out holds the
    /// FIN back until it is revoked.
    pub fn close(&mut self) {
        match self.state {
            State::Listen | State::SynSent => {
                self.enter_closed();
                self.push_event(Event::Closed);
            }
            State::SynReceived | State::Established | State::CloseWait => {
                self.close_requested = true;
            }
            _ => {}
        }
    }

    /// Cuts the connection: a reset goes to the peer if it has one, and everything queued is lost.
    pub fn abort(&mut self) {
        match self.state {
            State::Closed => return,
            State::TimeWait => return self.enter_closed(),
            State::Listen | State::SynSent => {}
            _ => self.reset_peer(),
        }
        self.terminate(Event::Reset(ResetReason::Aborted));
    }

    /// The oldest event that was not taken.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// All events that were not taken, oldest first.
    pub fn take_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    fn push_event(&mut self, event: Event) {
        if event != Event::DataReady || !self.events.contains(&event) {
            debug_assert!(self.events.len() < MAX_EVENTS);
            self.events.push_back(event);
        }
    }

    /// Ends the connection with this event.
    fn terminate(&mut self, event: Event) {
        self.enter_closed();
        self.push_event(event);
    }

    fn enter_closed(&mut self) {
        self.state = State::Closed;
        self.tx.clear();
        self.stop();
    }

    /// Stops all timers and everything under way, but a reset.
    fn stop(&mut self) {
        self.grant = None;
        self.timed = None;
        self.repair = None;
        self.repeated_timeouts = 0;
        self.retransmit_at = None;
        self.stalled_since = None;
        self.time_wait_at = None;
        self.syn_due = false;
        self.probe_due = false;
        self.keep_alive_due = false;
        self.ack = AckPlan::default();
    }

    /// Asserts, in debug builds, what holds between any two calls.
    fn check_invariants(&self) {
        if cfg!(debug_assertions) {
            self.tx.check();
            self.rx.check();
            let is_waiting = self.tx.in_flight() > 0
                && !matches!(self.state, State::Closed | State::Listen | State::TimeWait);
            assert!(!is_waiting || self.retransmit_at.is_some(), "a timer runs for data in flight");
            if let Some(grant) = self.grant {
                let (una, nxt) = (self.tx.una, self.tx.nxt);
                assert!(self.state.may_send() && !self.tx.fin_sent);
                assert!(seq::at_or_before(nxt, grant.edge), "the grant lies ahead");
                let promised = seq::ahead(una, grant.edge) as usize;
                assert!(promised <= self.config.retransmit_capacity, "a report always fits");
                if let Some(early) = grant.early_ack {
                    assert!(seq::before(nxt, early) && seq::at_or_before(early, grant.edge));
                    assert_eq!(una, nxt, "an early acknowledgement covers every report");
                }
            }
        }
    }
}

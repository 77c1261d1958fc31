//! The owner of session, connection and fast path.

mod prepare;
mod pump;

use saker_fix::session::Session;
use saker_strategy::OrderUpdate;
use saker_wire::endpoint::{self, Endpoint, Transmit};
use saker_wire::frame::TcpPath;
use saker_wire::station::FrameId;
use saker_wire::tcp::{TcpHeader, TcpOptions};
use saker_wire::time::Nanos;

use super::config::LineConfig;
use super::log::{OrderLog, OrderRecord, OrderState, OrderTerms};
use crate::desk::Desk;
use crate::fastpath::{FastPath, FireRefused, Sent};

/// How much software did around the fast path: what a cost model charges for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Housework {
    /// Segments received.
    pub segments: u32,
    /// FIX messages received or sent by software.
    pub messages: u32,
    /// Orders prepared.
    pub prepared: u32,
    /// Slots refreshed.
    pub refreshed: u32,
    /// Fires accounted for.
    pub settled: u32,
}

/// Counts since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct LineCounters {
    /// Connections begun.
    pub connects: u64,
    /// Logons completed.
    pub logons: u64,
    /// Connections lost or ended.
    pub disconnects: u64,
    /// Leases lent to the fast path.
    pub leases: u64,
    /// Leases taken back because software had something to send.
    pub revokes: u64,
    /// Orders prepared.
    pub prepared: u64,
    /// Orders that could not be prepared (session or slot refused).
    pub prepare_failed: u64,
    /// Orders not prepared because the log is full.
    pub log_full: u64,
    /// Prepared orders given up: connection lost or kill switch.
    pub disarmed: u64,
    /// Cancel requests sent.
    pub cancels: u64,
    /// Cancel requests refused by the venue (35=9).
    pub cancel_rejects: u64,
    /// Execution reports applied.
    pub reports: u64,
    /// Execution reports about orders that are not ours.
    pub unknown_orders: u64,
    /// Application messages that could not be read.
    pub malformed: u64,
    /// Application messages of types we have no use for.
    pub ignored: u64,
    /// Session-level and business rejects of our messages.
    pub rejects: u64,
    /// Updates that the strategy engine found inconsistent.
    pub inconsistent_updates: u64,
    /// Fires that endpoint or session did not accept; the connection is cut then.
    pub account_errors: u64,
    /// Segments for a connection that does not exist.
    pub stray_segments: u64,
}

/// A fire that endpoint, session and log have not been told of yet.
#[derive(Debug, Clone, Copy)]
struct Unsettled {
    sent: Sent,
    cause: Option<FrameId>,
    decided_at: Nanos,
    sent_at: Nanos,
}

/// The order line; see the module's page.
pub struct OrderLine {
    config: LineConfig,
    session: Session,
    endpoint: Option<Endpoint>,
    /// The session knows that the connection is up.
    session_up: bool,
    /// When to connect next, while there is no endpoint.
    retry_at: Nanos,
    pause_ns: Nanos,
    connections: u64,
    fast: FastPath,
    prepared: Vec<Option<OrderTerms>>,
    unsettled: Vec<Unsettled>,
    log: OrderLog,
    counters: LineCounters,
    housework: Housework,
    received: Vec<u8>,
    slots_wanted: Vec<u16>,
}

impl OrderLine {
    /// A line that wants to connect at once.
    ///
    /// # Errors
    /// The TCP settings are unusable.
    pub fn new(config: LineConfig) -> Result<Self, endpoint::ConfigError> {
        config.tcp.check()?;
        let mss = usize::from(config.tcp.mss);
        Ok(Self {
            session: Session::initiator(config.session()),
            endpoint: None,
            session_up: false,
            retry_at: 0,
            pause_ns: config.reconnect.first_ns,
            connections: 0,
            fast: FastPath::new(config.slots, mss),
            prepared: vec![None; usize::from(config.slots)],
            unsettled: Vec::with_capacity(usize::from(config.slots)),
            log: OrderLog::new(&config.order_prefix, config.max_orders),
            counters: LineCounters::default(),
            housework: Housework::default(),
            received: Vec::with_capacity(config.tcp.receive_capacity),
            slots_wanted: Vec::with_capacity(usize::from(config.slots)),
            config,
        })
    }

    /// The local port to connect from, if it is time to connect.
    pub fn wants_connection(&self, now: Nanos) -> Option<u16> {
        let due = self.endpoint.is_none() && now >= self.retry_at;
        due.then(|| self.next_local_port())
    }

    /// Connects over `path`, whose source port is the one that was asked for.
    pub fn connect(&mut self, now: Nanos, path: TcpPath) {
        self.connections += 1;
        let config = endpoint::Config {
            local_port: path.src.port(),
            remote_port: path.dst.port(),
            ..self.config.tcp.clone()
        };
        let isn = scramble(self.config.seed, self.connections);
        // The settings were checked in `new`; were they not, there would be no connection.
        self.endpoint = Endpoint::connect(config, isn, now).ok();
        self.fast.set_path(Some(path));
        self.counters.connects += 1;
    }

    /// A segment of the venue, addressed to `local_port`.
    pub fn on_segment(
        &mut self,
        now: Nanos,
        header: &TcpHeader,
        options: &TcpOptions<'_>,
        payload: &[u8],
        desk: &mut Desk,
    ) {
        self.housework.segments += 1;
        match &mut self.endpoint {
            Some(endpoint) => endpoint.on_segment(now, header, options, payload),
            None => self.counters.stray_segments += 1,
        }
        self.pump(now, desk);
    }

    /// The instant of [`OrderLine::next_deadline`] has come.
    pub fn on_deadline(&mut self, now: Nanos, desk: &mut Desk) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.on_deadline(now);
        }
        if self.session.next_deadline().is_some_and(|at| at <= now) {
            self.session.on_deadline(now);
        }
        self.pump(now, desk);
    }

    /// When [`OrderLine::on_deadline`] is next wanted.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let endpoint = self.endpoint.as_ref().and_then(Endpoint::next_deadline);
        // While something of software's waits to be sent, nothing is refreshed: it would be stale
        // again at once.
        let age = self.config.refresh_age_ns;
        let refresh = self.fast.next_refresh(age).filter(|_| self.fast.registers().leased);
        [endpoint, self.session.next_deadline(), refresh].into_iter().flatten().min()
    }

    /// When to connect next, while there is no connection.
    pub fn next_connection(&self) -> Option<Nanos> {
        self.endpoint.is_none().then_some(self.retry_at)
    }

    /// The next segment to send; its payload replaces what `payload` held.
    pub fn poll_segment(&mut self, now: Nanos, payload: &mut Vec<u8>) -> Option<Transmit> {
        self.endpoint.as_mut()?.poll_transmit(now, payload)
    }

    /// The fast path's decision was taken: fires the slot. On success the frame is
    /// `fast_path().frame(slot)`; account for it with [`OrderLine::settle`] once it is on its way.
    ///
    /// # Errors
    /// Nothing was sent, and the strategy has been told so.
    pub fn fire(&mut self, slot: u16, desk: &mut Desk) -> Result<Sent, FireRefused> {
        let outcome = self.fast.fire(slot);
        if outcome.is_err() {
            self.give_up(slot);
            self.update(desk, slot, OrderUpdate::NotSent);
        }
        outcome
    }

    /// Notes when the fired frame could leave, and what caused it.
    pub fn note_fired(
        &mut self,
        sent: Sent,
        cause: Option<FrameId>,
        decided_at: Nanos,
        sent_at: Nanos,
    ) {
        self.unsettled.push(Unsettled { sent, cause, decided_at, sent_at });
    }

    /// Tells endpoint, session and log of the fires since the last call, in their order.
    pub fn settle(&mut self, now: Nanos, desk: &mut Desk) {
        if self.unsettled.is_empty() {
            return;
        }
        for at in 0..self.unsettled.len() {
            let one = self.unsettled[at];
            let slot = one.sent.slot;
            let message = self.fast.payload(slot);
            let accounted = self.endpoint.as_mut().is_some_and(|endpoint| {
                endpoint.delegate_sent(now, one.sent.start, message).is_ok()
            }) && self.session.note_prepared_sent(now, message).is_ok();
            if !accounted {
                self.counters.account_errors += 1;
            }
            let terms = self.prepared.get_mut(usize::from(slot)).and_then(Option::take);
            if let Some(terms) = terms {
                let cl_ord_id = self.log.cl_ord_id(terms.number);
                self.log.push(OrderRecord {
                    cl_ord_id,
                    terms,
                    order_id: None,
                    msg_seq: one.sent.msg_seq,
                    cause: one.cause,
                    decided_at: one.decided_at,
                    sent_at: one.sent_at,
                    acks: 0,
                    rejects: 0,
                    answered_at: None,
                    fills: 0,
                    filled: 0,
                    state: OrderState::Sent,
                    cancel_wanted: desk.is_killed(),
                    cancels_sent: 0,
                });
            }
            self.housework.settled += 1;
        }
        self.unsettled.clear();
        if self.counters.account_errors > 0
            && let Some(endpoint) = &mut self.endpoint
        {
            // What the peer has and what we believe differ: there is no repair but a new start.
            endpoint.abort();
        }
        self.pump(now, desk);
    }

    /// Lends the right to send to the fast path if it can be lent, prepares what the strategies
    /// want, and refreshes what is armed. Call it when there are no more segments to poll.
    pub fn rearm(&mut self, now: Nanos, desk: &mut Desk) {
        self.drop_finished_connection(now);
        let idle = self.session.output().is_empty();
        let tcp_capacity = self.config.tcp.send_capacity;
        let ready = match &self.endpoint {
            Some(endpoint) => {
                self.session.is_logged_on() && idle && endpoint.send_room() == tcp_capacity
            }
            None => false,
        };
        self.fast.registers_mut().leased = false;
        if !ready {
            return;
        }
        self.fast.registers_mut().next_msg_seq = self.session.next_outbound_seq();
        if !desk.is_killed() {
            self.prepare(now, desk);
        }
        if self.fast.armed() == 0 {
            self.revoke();
            return;
        }
        let refreshed = self.fast.refresh(now, self.config.refresh_age_ns);
        self.housework.refreshed += refreshed as u32;
        let Some(endpoint) = &mut self.endpoint else { return };
        let lease = match endpoint.delegated() {
            Some(lease) => Some(lease),
            None => {
                let lease = endpoint.delegate();
                self.counters.leases += u64::from(lease.is_some());
                lease
            }
        };
        if let Some(lease) = lease {
            let registers = self.fast.registers_mut();
            registers.leased = true;
            registers.tcp_seq = lease.seq;
            registers.tcp_ack = lease.ack;
            registers.tcp_window = lease.window;
            registers.tcp_limit = lease.limit_bytes;
        }
    }

    /// The kill switch: nothing fires any more, prepared orders are void, open orders are
    /// cancelled as fast as the session takes the requests.
    pub fn kill(&mut self, now: Nanos, desk: &mut Desk) {
        self.fast.registers_mut().enabled = false;
        self.disarm_all(desk);
        desk.kill();
        self.log.want_cancels();
        self.pump(now, desk);
    }

    /// Releases the kill switch.
    pub fn release(&mut self, desk: &mut Desk) {
        self.fast.registers_mut().enabled = true;
        desk.release();
    }

    /// Logs out; the connection is closed when the venue has answered, and made again later.
    pub fn logout(&mut self, now: Nanos, text: Option<&str>, desk: &mut Desk) {
        self.session.logout(now, text);
        self.pump(now, desk);
    }

    /// The fast path.
    pub fn fast_path(&self) -> &FastPath {
        &self.fast
    }

    /// The orders sent.
    pub fn log(&self) -> &OrderLog {
        &self.log
    }

    /// The FIX session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The TCP connection, if there is one.
    pub fn endpoint(&self) -> Option<&Endpoint> {
        self.endpoint.as_ref()
    }

    /// The counts since the start.
    pub fn counters(&self) -> LineCounters {
        self.counters
    }

    /// What was done since the last call.
    pub fn take_housework(&mut self) -> Housework {
        std::mem::take(&mut self.housework)
    }

    fn next_local_port(&self) -> u16 {
        let ports = &self.config.local_ports;
        let count = u64::from(ports.end().saturating_sub(*ports.start())) + 1;
        ports.start() + (self.connections % count) as u16
    }
}

/// An initial sequence number: SplitMix64 of the seed and the connection's number.
fn scramble(seed: u64, connection: u64) -> u32 {
    let mut z = seed.wrapping_add(connection.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 32) as u32
}

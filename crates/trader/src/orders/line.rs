//! The owner of session, connection and fast path.

use saker_fix::parse;
use saker_fix::session::{self, Session};
use saker_strategy::OrderUpdate;
use saker_wire::endpoint::{self, Endpoint, Transmit};
use saker_wire::frame::TcpPath;
use saker_wire::station::FrameId;
use saker_wire::tcp::{TcpHeader, TcpOptions};
use saker_wire::time::Nanos;

use super::config::LineConfig;
use super::log::{OrderLog, OrderRecord, OrderState, OrderTerms};
use super::message;
use super::report::{self, Answer};
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
    pub fn fire(&mut self, now: Nanos, slot: u16, desk: &mut Desk) -> Result<Sent, FireRefused> {
        let outcome = self.fast.fire(slot, now);
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

    /// Moves bytes and events between connection, session and strategies until nothing moves.
    fn pump(&mut self, now: Nanos, desk: &mut Desk) {
        debug_assert!(self.unsettled.is_empty(), "fires are settled first");
        self.take_connection_events(now, desk);
        if let Some(endpoint) = &mut self.endpoint {
            self.received.clear();
            endpoint.recv(&mut self.received);
            if !self.received.is_empty() && self.session_up {
                self.session.on_bytes(now, &self.received);
            }
        }
        self.take_session_events(now, desk);
        self.send_cancels(now);
        self.send_output();
    }

    fn take_connection_events(&mut self, now: Nanos, desk: &mut Desk) {
        let mut lost = false;
        while let Some(event) = self.endpoint.as_mut().and_then(Endpoint::poll_event) {
            match event {
                endpoint::Event::Connected => {
                    self.session_up = true;
                    self.session.on_connect(now);
                }
                endpoint::Event::DataReady => {}
                endpoint::Event::PeerClosed => {
                    // Nothing more will come; what it had sent was read before this event.
                    if let Some(endpoint) = &mut self.endpoint {
                        self.received.clear();
                        endpoint.recv(&mut self.received);
                        if !self.received.is_empty() && self.session_up {
                            self.session.on_bytes(now, &self.received);
                        }
                    }
                    self.take_session_events(now, desk);
                    self.session_lost(now, desk);
                    self.revoke();
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.close();
                    }
                }
                endpoint::Event::Closed
                | endpoint::Event::Reset(_)
                | endpoint::Event::TimedOut(_) => lost = true,
            }
        }
        if lost {
            self.session_lost(now, desk);
        }
    }

    /// Lets go of a connection that is over, once its last segments have been polled, and plans
    /// the next one.
    fn drop_finished_connection(&mut self, now: Nanos) {
        let over = self.endpoint.as_ref().is_some_and(|endpoint| {
            matches!(endpoint.state(), endpoint::State::Closed | endpoint::State::TimeWait)
        });
        if over {
            self.endpoint = None;
            self.fast.set_path(None);
            self.counters.disconnects += 1;
            self.retry_at = now.saturating_add(self.pause_ns);
            self.pause_ns = self.pause_ns.saturating_mul(2).min(self.config.reconnect.max_ns);
        }
    }

    fn session_lost(&mut self, now: Nanos, desk: &mut Desk) {
        if self.session_up {
            self.session_up = false;
            self.session.on_disconnect(now);
        }
        self.disarm_all(desk);
    }

    fn take_session_events(&mut self, now: Nanos, desk: &mut Desk) {
        while let Some(event) = self.session.poll_event() {
            match event {
                session::Event::LoggedOn { .. } => {
                    self.counters.logons += 1;
                    self.pause_ns = self.config.reconnect.first_ns;
                }
                session::Event::Application(bytes) => {
                    self.housework.messages += 1;
                    self.on_application(now, &bytes, desk);
                    self.session.recycle(bytes);
                }
                session::Event::Rejected(bytes) => {
                    self.counters.rejects += 1;
                    self.session.recycle(bytes);
                }
                session::Event::LogonRequested(_)
                | session::Event::LoggedOut { .. }
                | session::Event::SequenceReset => {}
                session::Event::Disconnect(_) => {
                    self.disarm_all(desk);
                    self.send_output();
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.close();
                    }
                }
            }
        }
    }

    fn on_application(&mut self, now: Nanos, bytes: &[u8], desk: &mut Desk) {
        let Ok(Some((message, _))) = parse::frame(bytes) else {
            self.counters.malformed += 1;
            return;
        };
        match report::read(&message) {
            Ok(Answer::Execution { order, order_id, exec_type, cumulative }) => {
                let Some(index) = self.log.find(order) else {
                    self.counters.unknown_orders += 1;
                    return;
                };
                self.counters.reports += 1;
                let updates = self.log.get_mut(index).map(|record| {
                    (record.terms.slot, record.apply(now, order_id, exec_type, cumulative))
                });
                if let Some((slot, updates)) = updates {
                    for update in updates.into_iter().flatten() {
                        self.update(desk, slot, update);
                    }
                }
            }
            Ok(Answer::CancelReject { order }) => {
                self.counters.cancel_rejects += 1;
                if self.log.find(order).is_none() {
                    self.counters.unknown_orders += 1;
                }
            }
            Ok(Answer::BusinessReject) => self.counters.rejects += 1,
            Ok(Answer::Other) => self.counters.ignored += 1,
            Err(_) => self.counters.malformed += 1,
        }
    }

    fn update(&mut self, desk: &mut Desk, slot: u16, update: OrderUpdate) {
        if desk.on_order_update(slot, update).is_err() {
            self.counters.inconsistent_updates += 1;
        }
    }

    /// Sends what the session has written, taking the lease back first.
    fn send_output(&mut self) {
        if self.session.output().is_empty() || self.endpoint.is_none() {
            return;
        }
        self.revoke();
        let Some(endpoint) = &mut self.endpoint else { return };
        let taken = endpoint.send(self.session.output());
        self.session.consume_output(taken);
        self.housework.messages += 1;
    }

    fn revoke(&mut self) {
        self.fast.registers_mut().leased = false;
        let Some(endpoint) = &mut self.endpoint else { return };
        if endpoint.delegated().is_some() {
            self.counters.revokes += 1;
            if endpoint.revoke().is_err() {
                // The peer acknowledges what nobody sent.
                self.counters.account_errors += 1;
                endpoint.abort();
            }
        }
    }

    fn prepare(&mut self, now: Nanos, desk: &mut Desk) {
        let mut wanted = std::mem::take(&mut self.slots_wanted);
        wanted.clear();
        desk.needs_prepare(&mut wanted);
        for slot in wanted.iter().copied() {
            let armed = self.prepared.iter().flatten().count();
            if self.log.room() <= armed {
                self.counters.log_full += 1;
                break;
            }
            if self.prepare_slot(now, slot, desk) && desk.arm(slot) {
                self.counters.prepared += 1;
                self.housework.prepared += 1;
            } else {
                self.counters.prepare_failed += 1;
                self.give_up(slot);
            }
        }
        self.slots_wanted = wanted;
    }

    fn prepare_slot(&mut self, now: Nanos, slot: u16, desk: &Desk) -> bool {
        let (Some(plan), Some((symbol, exponent))) =
            (desk.slot_plan(slot), desk.slot_instrument(slot))
        else {
            return false;
        };
        let Some(place) = self.prepared.get_mut(usize::from(slot)) else { return false };
        let order = plan.order;
        let terms = OrderTerms {
            number: self.log.take_number(),
            slot,
            symbol: symbol.to_owned(),
            side: order.side,
            price: order.price,
            exponent,
            quantity: order.quantity,
        };
        let cl_ord_id = self.log.cl_ord_id(terms.number);
        let account = self.config.identity.account.as_deref();
        let message = self.session.prepare(now, "D", |w| {
            message::new_order_single(w, &terms, &order, &cl_ord_id, account, now);
        });
        let Ok(message) = message else { return false };
        let loaded = self.fast.load(slot, &message, now).is_ok();
        *place = loaded.then_some(terms);
        loaded
    }

    fn send_cancels(&mut self, now: Nanos) {
        while self.session.is_logged_on() {
            let Some(index) = self.log.next_cancel() else { return };
            let number = self.log.take_number();
            let cl_ord_id = self.log.cl_ord_id(number);
            let Some(record) = self.log.get_mut(index) else { return };
            let sent = self.session.send(now, "F", |w| {
                message::order_cancel_request(w, record, &cl_ord_id, now);
            });
            if sent.is_err() {
                return;
            }
            record.cancel_wanted = false;
            record.cancels_sent += 1;
            self.counters.cancels += 1;
        }
    }

    fn disarm_all(&mut self, desk: &mut Desk) {
        for slot in 0..self.config.slots {
            if self.give_up(slot) {
                self.counters.disarmed += 1;
                desk.disarm(slot);
            }
        }
    }

    /// Voids a slot's prepared order, if it has one.
    fn give_up(&mut self, slot: u16) -> bool {
        self.fast.disarm(slot);
        self.prepared.get_mut(usize::from(slot)).is_some_and(|place| place.take().is_some())
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

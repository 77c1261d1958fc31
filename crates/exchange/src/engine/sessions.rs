//! Connections, logon, and the way of a session's messages to their handlers.

use saker_fix::encode::{Header, Writer};
use saker_fix::parse::{self, Message};
use saker_fix::session::{Event as SessionEvent, SendError};
use saker_fix::tag::{self, msg_type};
use saker_fix::value::TimestampCache;
use saker_wire::time::Nanos;

use super::Exchange;
use crate::order_request::Unusable;
use crate::output::{ConnectionId, Outputs};
use crate::report::Report;

/// Bytes a connection may send before its logon is complete.
const MAX_GREETING: usize = 2048;

/// Values of `BusinessRejectReason` (380).
pub(super) mod business_reject_reason {
    pub(in super::super) const UNSUPPORTED_MESSAGE_TYPE: u32 = 3;
    pub(in super::super) const CONDITIONALLY_REQUIRED_FIELD_MISSING: u32 = 5;
}

/// A transport connection.
#[derive(Debug)]
pub(super) enum Connection {
    /// It has not logged on: its bytes so far, and how long it may still take.
    Greeting { bytes: Vec<u8>, deadline: Nanos },
    /// It carries the session of this participant.
    Bound(usize),
}

/// What the first message of a connection leads to.
enum Greeting {
    Incomplete,
    /// Close without a word: it does not speak the protocol.
    Hostile,
    /// Send a Logout to this comp id and close.
    Refused {
        comp_id: String,
        text: &'static str,
    },
    Accepted(usize),
}

impl Exchange {
    pub(super) fn accept(&mut self, now: Nanos, connection: ConnectionId, out: &mut Outputs) {
        if self.connections.len() >= self.config.limits.max_connections {
            self.counters.connections_refused += 1;
            out.close(connection, true);
            return;
        }
        self.counters.connections += 1;
        let deadline = now.saturating_add(self.config.limits.logon_timeout_ns);
        let greeting = Connection::Greeting { bytes: Vec::new(), deadline };
        let previous = self.connections.insert(connection, greeting);
        debug_assert!(previous.is_none(), "the driver names each open connection once");
    }

    pub(super) fn take_bytes(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        bytes: &[u8],
        out: &mut Outputs,
    ) {
        match self.connections.get_mut(&connection) {
            None => self.counters.stray_bytes += bytes.len() as u64,
            Some(Connection::Bound(participant)) => {
                let participant = *participant;
                self.participants[participant].session.on_bytes(now, bytes);
                self.pump(now, participant, out);
            }
            Some(Connection::Greeting { bytes: greeting, .. }) => {
                greeting.extend_from_slice(bytes);
                let greeting = std::mem::take(greeting);
                self.greet(now, connection, greeting, out);
            }
        }
    }

    /// Authentication comes before anything else: nothing of a connection reaches a session until
    /// its first message is a Logon with the right comp ids and credentials.
    fn greet(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        greeting: Vec<u8>,
        out: &mut Outputs,
    ) {
        match self.judge(&greeting) {
            Greeting::Incomplete if greeting.len() <= MAX_GREETING => {
                if let Some(Connection::Greeting { bytes, .. }) =
                    self.connections.get_mut(&connection)
                {
                    *bytes = greeting;
                }
            }
            Greeting::Incomplete | Greeting::Hostile => self.turn_away(connection, out),
            Greeting::Refused { comp_id, text } => {
                let header = Header {
                    msg_type: msg_type::LOGOUT,
                    msg_seq_num: 1,
                    seq_width: 0,
                    sender: &self.config.comp_id,
                    target: &comp_id,
                    sending_time: now,
                    poss_dup: None,
                };
                let mut buffer = [0; 256];
                let mut dates = TimestampCache::default();
                let mut writer = Writer::begin(&mut buffer, &header, &mut dates);
                writer.field_str(tag::TEXT, text);
                if let Ok(message) = writer.finish() {
                    out.send(connection, message.bytes);
                }
                self.connections.remove(&connection);
                self.counters.logons_refused += 1;
                out.close(connection, false);
            }
            Greeting::Accepted(participant) => {
                self.connections.insert(connection, Connection::Bound(participant));
                let p = &mut self.participants[participant];
                p.connection = Some(connection);
                p.backlog = 0;
                p.overloaded = false;
                p.session.on_connect(now);
                p.session.on_bytes(now, &greeting);
                self.pump(now, participant, out);
            }
        }
    }

    fn judge(&self, greeting: &[u8]) -> Greeting {
        let message = match parse::frame(greeting) {
            Ok(Some((message, _))) => message,
            Ok(None) => return Greeting::Incomplete,
            Err(_) => return Greeting::Hostile,
        };
        if message.msg_type() != msg_type::LOGON.as_bytes() {
            return Greeting::Hostile;
        }
        let Ok(comp_id) = message.str(tag::SENDER_COMP_ID) else { return Greeting::Hostile };
        let refuse = |text| {
            if comp_id.len() <= 32 && comp_id.bytes().all(|b| b.is_ascii_graphic()) {
                Greeting::Refused { comp_id: comp_id.to_owned(), text }
            } else {
                Greeting::Hostile
            }
        };
        if message.get(tag::TARGET_COMP_ID) != Some(self.config.comp_id.as_bytes()) {
            return refuse("TargetCompID (56) is not this exchange");
        }
        // One answer to all three, so that the answer tells nothing about the others.
        const WRONG: &str = "unknown SenderCompID (49), Username (553) or Password (554)";
        let Some(&participant) = self.comp_ids.get(comp_id.as_bytes()) else {
            return refuse(WRONG);
        };
        let config = &self.participants[participant].config;
        let right = matches(message.get(tag::USERNAME), &config.username)
            & matches(message.get(tag::PASSWORD), &config.password);
        if !right {
            return refuse(WRONG);
        }
        if self.participants[participant].connection.is_some() {
            return refuse("this SenderCompID (49) is already logged on");
        }
        Greeting::Accepted(participant)
    }

    /// Closes a connection that never became a session.
    fn turn_away(&mut self, connection: ConnectionId, out: &mut Outputs) {
        self.connections.remove(&connection);
        self.counters.logons_refused += 1;
        out.close(connection, true);
    }

    /// Serves everything a session has to say.
    fn pump(&mut self, now: Nanos, participant: usize, out: &mut Outputs) {
        loop {
            self.participants[participant].drain(out);
            let Some(event) = self.participants[participant].session.poll_event() else { return };
            match event {
                SessionEvent::LoggedOn { .. } => {
                    self.counters.logons += 1;
                    self.catch_up(now, participant, out);
                }
                SessionEvent::Application(bytes) => {
                    self.application(now, participant, &bytes, out);
                    self.participants[participant].session.recycle(bytes);
                }
                SessionEvent::Rejected(_) => self.counters.rejects_received += 1,
                SessionEvent::LoggedOut { .. } | SessionEvent::SequenceReset => {}
                SessionEvent::LogonRequested(_) => {
                    unreachable!("the engine authenticates before the session sees the Logon")
                }
                SessionEvent::Disconnect(reason) => {
                    let Some(connection) = self.participants[participant].connection else {
                        continue;
                    };
                    if !reason.is_orderly() {
                        self.counters.session_errors += 1;
                    }
                    self.participants[participant].drain(out);
                    self.connections.remove(&connection);
                    out.close(connection, false);
                    self.end_session(now, participant, connection, out);
                }
            }
        }
    }

    /// Sends what happened while the session was down.
    fn catch_up(&mut self, now: Nanos, participant: usize, out: &mut Outputs) {
        // A report that still cannot be sent goes back to the end: each is tried once.
        for _ in 0..self.participants[participant].offline.len() {
            if let Some(report) = self.participants[participant].offline.pop_front() {
                self.deliver(now, participant, &report, out);
            }
        }
    }

    /// One application message in sequence.
    fn application(&mut self, now: Nanos, participant: usize, bytes: &[u8], out: &mut Outputs) {
        let Ok(Some((message, _))) = parse::frame(bytes) else {
            unreachable!("the session hands on verified messages only")
        };
        let outcome = match message.msg_type() {
            b"D" => self.new_order(now, participant, &message, out),
            b"F" => self.cancel_order(now, participant, &message, out),
            b"G" => self.replace_order(now, participant, &message, out),
            b"V" => self.market_data_request(now, participant, &message, out),
            _ => {
                let reason = business_reject_reason::UNSUPPORTED_MESSAGE_TYPE;
                let text = "MsgType (35) is not supported here";
                self.business_reject(now, participant, &message, reason, text, out);
                Ok(())
            }
        };
        if let Err(unusable) = outcome {
            self.session_reject(now, participant, &message, unusable, out);
        }
    }

    pub(super) fn business_reject(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        reason: u32,
        text: &str,
        out: &mut Outputs,
    ) {
        self.counters.business_rejects += 1;
        let seq = message.msg_seq_num().unwrap_or(0);
        let ref_type = String::from_utf8_lossy(message.msg_type());
        let p = &mut self.participants[participant];
        let sent = p.session.business_reject(now, seq, &ref_type, reason, text);
        p.drain(out);
        self.note(sent.map(|_| ()));
    }

    fn session_reject(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        unusable: Unusable,
        out: &mut Outputs,
    ) {
        self.counters.session_rejects += 1;
        let seq = message.msg_seq_num().unwrap_or(0);
        let ref_type = message.msg_type();
        let sent = self.participants[participant].send(
            now,
            msg_type::REJECT,
            |w| {
                w.field_uint(tag::REF_SEQ_NUM, u64::from(seq));
                w.field_uint(tag::REF_TAG_ID, u64::from(unusable.tag));
                w.field_bytes(tag::REF_MSG_TYPE, ref_type);
                w.field_uint(tag::SESSION_REJECT_REASON, u64::from(unusable.reason));
                w.field_str(tag::TEXT, unusable.text);
            },
            out,
        );
        self.note(sent);
    }

    /// Sends a report, or keeps it for the participant's next session.
    pub(super) fn deliver(
        &mut self,
        now: Nanos,
        participant: usize,
        report: &Report,
        out: &mut Outputs,
    ) {
        let p = &mut self.participants[participant];
        let sent = if p.connection.is_none() || !p.session.is_logged_on() {
            Err(SendError::NotLoggedOn)
        } else {
            match report {
                Report::Execution(r) => {
                    p.send(now, msg_type::EXECUTION_REPORT, |w| r.write(w), out)
                }
                Report::CancelReject(r) => {
                    p.send(now, msg_type::ORDER_CANCEL_REJECT, |w| r.write(w), out)
                }
            }
        };
        match sent {
            Err(SendError::NotLoggedOn)
                if p.offline.len() < self.config.limits.max_offline_reports =>
            {
                p.offline.push_back(*report);
            }
            other => self.note(other),
        }
    }

    pub(super) fn note(&mut self, sent: Result<(), SendError>) {
        if sent.is_err() {
            self.counters.messages_dropped += 1;
        }
    }

    pub(super) fn lose_connection(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        out: &mut Outputs,
    ) {
        match self.connections.remove(&connection) {
            None => {}
            Some(Connection::Greeting { .. }) => self.counters.logons_refused += 1,
            Some(Connection::Bound(participant)) => {
                self.end_session(now, participant, connection, out);
            }
        }
    }

    /// The connection of a session is gone, whoever ended it.
    fn end_session(
        &mut self,
        now: Nanos,
        participant: usize,
        connection: ConnectionId,
        out: &mut Outputs,
    ) {
        let p = &mut self.participants[participant];
        p.connection = None;
        p.backlog = 0;
        p.overloaded = false;
        p.session.on_disconnect(now);
        // Nothing that the session still has to say can be said, and its end is known here.
        while p.session.poll_output().is_some() {}
        while p.session.poll_event().is_some() {}
        self.unsubscribe_all(participant);
        if self.participants[participant].config.cancel_on_disconnect {
            self.cancel_all(now, participant, connection, out);
        }
    }

    /// Closes every session whose peer has not read for too long. Closing one may send reports to
    /// others, which may then be over the limit themselves, hence the loop; each turn closes one.
    pub(super) fn close_overloaded(&mut self, now: Nanos, out: &mut Outputs) {
        while let Some(participant) = self.participants.iter().position(|p| p.overloaded) {
            let p = &mut self.participants[participant];
            p.overloaded = false;
            let Some(connection) = p.connection else { continue };
            self.counters.slow_sessions_closed += 1;
            self.connections.remove(&connection);
            out.close(connection, true);
            self.end_session(now, participant, connection, out);
        }
    }

    pub(super) fn take_written(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        bytes: usize,
        out: &mut Outputs,
    ) {
        let Some(Connection::Bound(participant)) = self.connections.get(&connection) else {
            return;
        };
        let participant = *participant;
        let p = &mut self.participants[participant];
        p.backlog = p.backlog.saturating_sub(bytes);
        self.send_owed(now, participant, out);
    }

    pub(super) fn session_deadlines(&mut self, now: Nanos, out: &mut Outputs) {
        let expired =
            |c: &Connection| matches!(c, Connection::Greeting { deadline, .. } if *deadline <= now);
        while let Some((&id, _)) = self.connections.iter().find(|(_, c)| expired(c)) {
            self.turn_away(id, out);
        }
        for participant in 0..self.participants.len() {
            let p = &mut self.participants[participant];
            if p.connection.is_some() && p.session.next_deadline().is_some_and(|at| at <= now) {
                p.session.on_deadline(now);
                self.pump(now, participant, out);
            }
        }
    }

    pub(super) fn next_session_deadline(&self) -> Option<Nanos> {
        let deadline = |c: &Connection| match c {
            Connection::Greeting { deadline, .. } => Some(*deadline),
            Connection::Bound(participant) => {
                self.participants[*participant].session.next_deadline()
            }
        };
        self.connections.values().filter_map(deadline).min()
    }
}

/// Whether a field has this value; the time does not depend on where they differ.
fn matches(value: Option<&[u8]>, expected: &str) -> bool {
    let (value, expected) = (value.unwrap_or_default(), expected.as_bytes());
    let difference = value.iter().zip(expected).fold(0, |acc, (a, b)| acc | (a ^ b));
    (value.len() == expected.len()) & (difference == 0)
}

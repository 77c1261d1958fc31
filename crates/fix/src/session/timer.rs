//! Deadlines: Logon and Logout, heartbeats, and gaps that are not filled.

use saker_wire::time::Nanos;

use super::{DisconnectReason, Session, State};
use crate::tag::{self, msg_type};

impl Session {
    /// When [`Session::on_deadline`] is next wanted. Asked again after every call.
    pub fn next_deadline(&self) -> Option<Nanos> {
        match self.state {
            State::Disconnected => None,
            State::AwaitingLogon { deadline }
            | State::LogonPending { deadline, .. }
            | State::LogonSent { deadline }
            | State::LogoutSent { deadline } => Some(deadline),
            State::Established => {
                let gap = self.gap.request.as_ref().map(|request| request.deadline);
                [self.heartbeat_due(), self.silence_due(), gap].into_iter().flatten().min()
            }
        }
    }

    /// The instant of [`Session::next_deadline`] has come. Harmless at any other.
    pub fn on_deadline(&mut self, now: Nanos) {
        match self.state {
            State::Disconnected => {}
            State::AwaitingLogon { deadline }
            | State::LogonPending { deadline, .. }
            | State::LogonSent { deadline } => {
                if now >= deadline {
                    self.disconnect(DisconnectReason::LogonTimeout);
                    self.input.clear();
                }
            }
            State::LogoutSent { deadline } => {
                if now >= deadline {
                    self.disconnect(DisconnectReason::LogoutTimeout);
                    self.input.clear();
                }
            }
            State::Established => self.on_established_deadline(now),
        }
    }

    fn on_established_deadline(&mut self, now: Nanos) {
        let is_due = |due: Option<Nanos>| due.is_some_and(|due| now >= due);
        if is_due(self.silence_due()) {
            if self.test_request_sent.is_some() {
                self.disconnect(DisconnectReason::HeartbeatTimeout);
                self.input.clear();
                return;
            }
            self.test_request_sent = Some(now);
            let id = u64::from(self.outbound_seq);
            self.admin(now, msg_type::TEST_REQUEST, |w| w.field_uint(tag::TEST_REQ_ID, id));
        }
        if is_due(self.heartbeat_due()) {
            self.answer_test_request(now, None);
        }
        if is_due(self.gap.request.as_ref().map(|request| request.deadline)) {
            self.repeat_request(now);
        }
    }

    /// When we have been silent for the interval.
    fn heartbeat_due(&self) -> Option<Nanos> {
        (self.heartbeat_ns > 0).then(|| self.last_sent.saturating_add(self.heartbeat_ns))
    }

    /// When the peer has been silent for the interval and a fifth ("reasonable transmission
    /// time"), or has not answered a Test Request for as long.
    fn silence_due(&self) -> Option<Nanos> {
        let patience = self.heartbeat_ns + self.heartbeat_ns / 5;
        let since = self.test_request_sent.unwrap_or(self.last_received);
        (self.heartbeat_ns > 0).then(|| since.saturating_add(patience))
    }
}

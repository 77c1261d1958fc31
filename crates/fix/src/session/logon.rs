//! Logon, both sides, and Logout.

use saker_wire::time::{Nanos, SECOND};

use super::gap::Held;
use super::{Authentication, DisconnectReason, Event, LogonRequest, Session, State};
use crate::parse::{FieldError, Message, Optional};
use crate::tag::{self, msg_type};

impl Session {
    /// Accepts the pending Logon. Without one, nothing happens.
    pub fn accept_logon(&mut self, now: Nanos) {
        match std::mem::replace(&mut self.state, State::Disconnected) {
            State::LogonPending { request, seq, .. } => {
                self.complete_acceptor_logon(now, request, seq);
                self.read_input(now);
            }
            other => self.state = other,
        }
    }

    /// Refuses the pending Logon: a Logout with `text`, then disconnect.
    pub fn refuse_logon(&mut self, now: Nanos, text: &str) {
        if matches!(self.state, State::LogonPending { .. }) {
            self.fail_logon(now, text, DisconnectReason::LogonRefused(text.to_owned()));
            self.input.clear();
        }
    }

    /// Begins to log out; the session ends when the peer answers, or after `logout_timeout_ns`.
    /// Before the Logon is through, the session ends at once.
    pub fn logout(&mut self, now: Nanos, text: Option<&str>) {
        match self.state {
            State::Established => {
                self.send_logout(now, text.unwrap_or_default());
                if self.is_logged_on() {
                    let deadline = now.saturating_add(self.config.logout_timeout_ns);
                    self.state = State::LogoutSent { deadline };
                }
            }
            State::LogoutSent { .. } => {}
            _ => self.disconnect(DisconnectReason::Logout),
        }
    }

    /// Initiator: the transport is up.
    pub(super) fn send_logon(&mut self, now: Nanos) {
        if self.config.reset_on_logon {
            self.reset_sequences();
        }
        let (username, password) = (self.config.username.clone(), self.config.password.clone());
        let (heartbeat_s, reset) = (self.config.heartbeat_s, self.config.reset_on_logon);
        self.heartbeat_ns = u64::from(heartbeat_s) * SECOND;
        self.admin(now, msg_type::LOGON, |w| {
            w.field_char(tag::ENCRYPT_METHOD, b'0');
            w.field_uint(tag::HEART_BT_INT, u64::from(heartbeat_s));
            if reset {
                w.field_bool(tag::RESET_SEQ_NUM_FLAG, true);
            }
            if let Some(username) = &username {
                w.field_str(tag::USERNAME, username);
            }
            if let Some(password) = &password {
                w.field_str(tag::PASSWORD, password);
            }
        });
    }

    /// Acceptor: the first message of the transport.
    pub(super) fn on_first_message(
        &mut self,
        now: Nanos,
        message: &Message<'_>,
        seq: u32,
        deadline: Nanos,
    ) {
        if message.msg_type() != msg_type::LOGON.as_bytes() {
            return self.disconnect(DisconnectReason::NotLogon);
        }
        // A stranger gets no answer.
        if !self.comp_ids_match(message) {
            return self.disconnect(DisconnectReason::CompId);
        }
        let Ok(comp_id) = message.str(tag::SENDER_COMP_ID) else {
            return self.disconnect(DisconnectReason::CompId);
        };
        if !self.target_known {
            self.target = comp_id.to_owned();
        }
        let outcome = self.check_logon(now, message).and_then(|()| logon_request(message));
        let outcome = outcome.map_err(DisconnectReason::InvalidLogon).and_then(|request| {
            if let Authentication::Check(check) = &mut self.config.authentication {
                check(&request).map_err(DisconnectReason::LogonRefused)?;
            }
            Ok(request)
        });
        match outcome {
            Ok(request) if matches!(self.config.authentication, Authentication::Application) => {
                self.events.push_back(Event::LogonRequested(request.clone()));
                self.state = State::LogonPending { request, seq, deadline };
            }
            Ok(request) => self.complete_acceptor_logon(now, request, seq),
            Err(reason) => {
                let text = match &reason {
                    DisconnectReason::LogonRefused(text) | DisconnectReason::InvalidLogon(text) => {
                        text.clone()
                    }
                    other => other.to_string(),
                };
                self.fail_logon(now, &text, reason);
            }
        }
    }

    /// Ends a session whose Logon was not accepted: who sent it is forgotten.
    fn fail_logon(&mut self, now: Nanos, text: &str, reason: DisconnectReason) {
        self.fail(now, text, reason);
        if !self.target_known {
            self.target.clear();
        }
    }

    /// The Logon is authentic: its sequence number counts now.
    fn complete_acceptor_logon(&mut self, now: Nanos, request: LogonRequest, seq: u32) {
        // Leaves "disconnected" for `fail`, which ends only sessions that have begun.
        self.state = State::Established;
        self.target_known = true;
        if request.reset_seq_num && seq != 1 {
            let text = "ResetSeqNumFlag needs MsgSeqNum 1";
            return self.fail(now, text, DisconnectReason::InvalidLogon(text.to_owned()));
        }
        if request.reset_seq_num || self.config.reset_on_logon {
            self.reset_sequences();
        }
        if seq < self.inbound_seq {
            return self.fail_too_low(now, seq);
        }
        self.heartbeat_ns = u64::from(request.heartbeat_s) * SECOND;
        self.answer_logon(now, request.heartbeat_s, request.reset_seq_num);
        self.events.push_back(Event::LoggedOn { comp_id: self.target.clone() });
        self.count_logon(now, seq);
    }

    fn answer_logon(&mut self, now: Nanos, heartbeat_s: u32, reset: bool) {
        self.admin(now, msg_type::LOGON, |w| {
            w.field_char(tag::ENCRYPT_METHOD, b'0');
            w.field_uint(tag::HEART_BT_INT, u64::from(heartbeat_s));
            if reset {
                w.field_bool(tag::RESET_SEQ_NUM_FLAG, true);
            }
        });
    }

    /// Initiator: the first message of the transport.
    pub(super) fn on_logon_answer(&mut self, now: Nanos, message: &Message<'_>, seq: u32) {
        if !self.comp_ids_match(message) {
            return self.disconnect(DisconnectReason::CompId);
        }
        if message.msg_type() == msg_type::LOGOUT.as_bytes() {
            if seq == self.inbound_seq {
                self.inbound_seq += 1;
            }
            let text = text(message);
            self.events.push_back(Event::LoggedOut { text: text.clone() });
            return self.disconnect(DisconnectReason::LogonRefused(text.unwrap_or_default()));
        }
        if message.msg_type() != msg_type::LOGON.as_bytes() {
            return self.disconnect(DisconnectReason::NotLogon);
        }
        if let Err(text) = self.check_logon(now, message) {
            return self.fail(now, &text, DisconnectReason::InvalidLogon(text.clone()));
        }
        if message.bool(tag::RESET_SEQ_NUM_FLAG) == Ok(true) && !self.config.reset_on_logon {
            // The acceptor insists on a fresh start: our Logon was number 1 then.
            self.reset_sequences();
            self.outbound_seq = 2;
        }
        if seq < self.inbound_seq {
            return self.fail_too_low(now, seq);
        }
        self.state = State::Established;
        self.events.push_back(Event::LoggedOn { comp_id: self.target.clone() });
        self.count_logon(now, seq);
    }

    /// Counts a Logon that was processed, in sequence or above a gap.
    fn count_logon(&mut self, now: Nanos, seq: u32) {
        if seq == self.inbound_seq {
            self.inbound_seq += 1;
        } else {
            self.hold(seq, Held::Processed);
            self.request_resend(now, seq);
        }
    }

    /// A Logon in an established session.
    pub(super) fn on_repeated_logon(&mut self, now: Nanos, message: &Message<'_>, seq: u32) {
        if let Err(text) = self.check_logon(now, message) {
            return self.fail(now, &text, DisconnectReason::InvalidLogon(text.clone()));
        }
        if seq != 1 {
            let text = "ResetSeqNumFlag needs MsgSeqNum 1";
            return self.fail(now, text, DisconnectReason::InvalidLogon(text.to_owned()));
        }
        self.reset_sequences();
        self.inbound_seq = 2;
        self.events.push_back(Event::SequenceReset);
        let heartbeat_s = (self.heartbeat_ns / SECOND) as u32;
        self.answer_logon(now, heartbeat_s, true);
    }

    /// The peer logs out, or answers our Logout.
    pub(super) fn on_logout(&mut self, now: Nanos, message: &Message<'_>) {
        self.events.push_back(Event::LoggedOut { text: text(message) });
        if matches!(self.state, State::Established) {
            self.send_logout(now, "");
        }
        self.disconnect(DisconnectReason::Logout);
    }

    /// What must be right in any Logon.
    fn check_logon(&self, now: Nanos, message: &Message<'_>) -> Result<(), String> {
        if let Some(dictionary) = &self.config.dictionary {
            let checked = dictionary.validate(message, self.config.allow_user_defined);
            checked.map_err(|violation| violation.to_string())?;
        }
        if self.sending_time_is_off(now, message) {
            return Err(DisconnectReason::SendingTime.to_string());
        }
        match message.int(tag::ENCRYPT_METHOD) {
            Ok(0) => Ok(()),
            Ok(_) => Err("EncryptMethod must be 0".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn text(message: &Message<'_>) -> Option<String> {
    message.get(tag::TEXT).map(|text| String::from_utf8_lossy(text).into_owned())
}

fn logon_request(message: &Message<'_>) -> Result<LogonRequest, String> {
    let read = || -> Result<LogonRequest, FieldError> {
        let heartbeat = message.uint(tag::HEART_BT_INT)?;
        let out_of_range = FieldError::Format { tag: tag::HEART_BT_INT };
        Ok(LogonRequest {
            comp_id: message.str(tag::SENDER_COMP_ID)?.to_owned(),
            username: message.str(tag::USERNAME).optional()?.map(str::to_owned),
            password: message.str(tag::PASSWORD).optional()?.map(str::to_owned),
            heartbeat_s: u32::try_from(heartbeat).map_err(|_| out_of_range)?,
            reset_seq_num: message.bool(tag::RESET_SEQ_NUM_FLAG).optional()?.unwrap_or(false),
        })
    };
    read().map_err(|error| error.to_string())
}

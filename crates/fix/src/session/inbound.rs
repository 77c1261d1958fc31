//! What to do with a message that came: CompIDs, clock, sequence, validity, meaning.

use saker_wire::time::Nanos;

use super::gap::Held;
use super::{DisconnectReason, Event, MAX_SEQ, Session, State};
use crate::BEGIN_STRING;
use crate::dictionary::{MessageStatus, RejectReason, Violation};
use crate::parse::{FieldError, Message, frame_with_limit};
use crate::tag::{self, msg_type};

impl Session {
    pub(super) fn on_message(&mut self, now: Nanos, message: &Message<'_>) {
        self.last_received = now;
        self.test_request_sent = None;
        let greeted = matches!(self.state, State::Established | State::LogoutSent { .. });
        if message.begin_string() != BEGIN_STRING.as_bytes() {
            return self.fail_if(
                greeted,
                now,
                "Incorrect BeginString",
                DisconnectReason::BeginString,
            );
        }
        let seq = match message.msg_seq_num() {
            Ok(seq) if (1..=MAX_SEQ).contains(&seq) => seq,
            // A Sequence Reset in reset mode may carry any number.
            Ok(0) if greeted && is_reset(message) => 0,
            _ => {
                let text = "MsgSeqNum missing or invalid";
                return self.fail_if(greeted, now, text, DisconnectReason::MsgSeqNum);
            }
        };
        match self.state {
            State::AwaitingLogon { deadline } => self.on_first_message(now, message, seq, deadline),
            State::LogonSent { .. } => self.on_logon_answer(now, message, seq),
            _ => self.on_established(now, message, seq),
        }
    }

    fn on_established(&mut self, now: Nanos, message: &Message<'_>, seq: u32) {
        if !self.comp_ids_match(message) && has_comp_ids(message) {
            self.count_if_expected(seq);
            let ours =
                message.get(tag::TARGET_COMP_ID) == Some(self.config.sender_comp_id.as_bytes());
            let wrong = if ours { tag::SENDER_COMP_ID } else { tag::TARGET_COMP_ID };
            self.reject(now, message, RejectReason::CompIdProblem, Some(wrong));
            return self.fail(now, "CompID problem", DisconnectReason::CompId);
        }
        if self.sending_time_is_off(now, message) {
            self.count_if_expected(seq);
            return self.fail_sending_time(now, message);
        }
        if is_reset(message) {
            self.on_sequence_reset(now, message);
        } else if is_type(message, msg_type::LOGON)
            && message.bool(tag::RESET_SEQ_NUM_FLAG) == Ok(true)
        {
            return self.on_repeated_logon(now, message, seq);
        } else if seq > self.inbound_seq {
            return self.on_early(now, message, seq);
        } else if seq < self.inbound_seq {
            return self.on_late(now, message, seq);
        } else {
            self.deliver(now, message);
        }
        self.deliver_held(now);
    }

    /// Above a gap: keep it, and ask for what is missing.
    fn on_early(&mut self, now: Nanos, message: &Message<'_>, seq: u32) {
        match message.msg_type() {
            // The peer is leaving: the gap is filled after the next Logon.
            b"5" => return self.on_logout(now, message),
            // Both sides may miss messages: waiting for ours before sending theirs could last.
            b"2" => {
                self.hold(seq, Held::Processed);
                self.on_resend_request(now, message);
            }
            _ => {
                let bytes = self.event_bytes(message);
                self.hold(seq, Held::Message(bytes));
            }
        }
        self.request_resend(now, seq);
    }

    /// A number that was received before.
    fn on_late(&mut self, now: Nanos, message: &Message<'_>, seq: u32) {
        if message.bool(tag::POSS_DUP_FLAG) != Ok(true) {
            // A peer that leaves is let go, whatever number it uses; the next Logon settles it.
            return match is_type(message, msg_type::LOGOUT) {
                true => self.on_logout(now, message),
                false => self.fail_too_low(now, seq),
            };
        }
        if self.poss_dup_is_right(now, message) {
            self.counters.duplicates += 1;
        }
    }

    /// PossDupFlag=Y needs an OrigSendingTime that is not after SendingTime.
    fn poss_dup_is_right(&mut self, now: Nanos, message: &Message<'_>) -> bool {
        match (message.timestamp(tag::ORIG_SENDING_TIME), message.timestamp(tag::SENDING_TIME)) {
            (Ok(original), Ok(sent)) if original > sent => {
                self.fail_sending_time(now, message);
                false
            }
            (Err(FieldError::Missing { .. }), _) if !is_type(message, msg_type::SEQUENCE_RESET) => {
                let missing = RejectReason::RequiredTagMissing;
                self.reject(now, message, missing, Some(tag::ORIG_SENDING_TIME));
                false
            }
            _ => true,
        }
    }

    /// Processes the message whose turn it is; its number counts whatever comes of it.
    fn deliver(&mut self, now: Nanos, message: &Message<'_>) {
        self.inbound_seq += 1;
        let status = self.status(message);
        if let Err(violation) = self.validate(message, status) {
            let tag = (violation.tag != 0).then_some(violation.tag);
            return self.reject(now, message, violation.reason, tag);
        }
        if message.bool(tag::POSS_DUP_FLAG) == Ok(true) && !self.poss_dup_is_right(now, message) {
            return;
        }
        match message.msg_type() {
            b"0" => {}
            b"1" => self.answer_test_request(now, message.get(tag::TEST_REQ_ID)),
            b"2" => self.on_resend_request(now, message),
            b"3" => {
                let bytes = self.event_bytes(message);
                self.events.push_back(Event::Rejected(bytes));
            }
            b"4" => self.on_gap_fill(now, message),
            b"5" => self.on_logout(now, message),
            b"A" => self.reject(now, message, RejectReason::Other, None),
            _ if status == MessageStatus::Unsupported => self.reject_unsupported(now, message),
            _ => {
                let bytes = self.event_bytes(message);
                self.events.push_back(Event::Application(bytes));
            }
        }
    }

    /// Processes what was held and is due now.
    fn deliver_held(&mut self, now: Nanos) {
        while !matches!(self.state, State::Disconnected) {
            match self.gap.take(self.inbound_seq) {
                Some(Held::Processed) => self.inbound_seq += 1,
                Some(Held::Message(bytes)) => {
                    match frame_with_limit(&bytes, self.config.max_message) {
                        Ok(Some((message, _))) => self.deliver(now, &message),
                        _ => debug_assert!(false, "held messages were verified when they came"),
                    }
                    self.recycle(bytes);
                }
                None => return self.close_gap(now),
            }
        }
    }

    /// Gap fill in sequence: `NewSeqNo` is the next number. It may only go up.
    fn on_gap_fill(&mut self, now: Nanos, message: &Message<'_>) {
        match new_seq_no(message) {
            Some(next) if next >= self.inbound_seq => self.inbound_seq = next,
            _ => self.reject(now, message, RejectReason::ValueIncorrect, Some(tag::NEW_SEQ_NO)),
        }
    }

    /// Reset mode: as a gap fill, whatever its own number.
    fn on_sequence_reset(&mut self, now: Nanos, message: &Message<'_>) {
        match self.validate(message, self.status(message)) {
            Ok(()) => self.on_gap_fill(now, message),
            Err(violation) => {
                let tag = (violation.tag != 0).then_some(violation.tag);
                self.reject(now, message, violation.reason, tag);
            }
        }
    }

    /// What the dictionary says of the message's type; without one, every type is defined.
    fn status(&self, message: &Message<'_>) -> MessageStatus {
        let dictionary = self.config.dictionary.as_ref();
        dictionary.map_or(MessageStatus::Defined, |known| known.status(message.msg_type()))
    }

    fn validate(&self, message: &Message<'_>, status: MessageStatus) -> Result<(), Violation> {
        let fault = |reason, tag| Err(Violation { reason, tag });
        for tag in [tag::SENDER_COMP_ID, tag::TARGET_COMP_ID, tag::SENDING_TIME] {
            if message.get(tag).is_none() {
                return fault(RejectReason::RequiredTagMissing, tag);
            }
        }
        match (status, &self.config.dictionary) {
            (MessageStatus::Unknown, _) => fault(RejectReason::InvalidMsgType, tag::MSG_TYPE),
            // Of what is not supported the fields are not known either.
            (MessageStatus::Unsupported, _) => Ok(()),
            (MessageStatus::Defined, Some(dictionary)) => {
                dictionary.validate(message, self.config.allow_user_defined)
            }
            (MessageStatus::Defined, None) => match message.timestamp(tag::SENDING_TIME) {
                Ok(_) => Ok(()),
                Err(_) => fault(RejectReason::IncorrectDataFormat, tag::SENDING_TIME),
            },
        }
    }

    /// Whether the CompIDs are the session's; the peer's may be anything until it is known.
    pub(super) fn comp_ids_match(&self, message: &Message<'_>) -> bool {
        message.get(tag::TARGET_COMP_ID) == Some(self.config.sender_comp_id.as_bytes())
            && message.get(tag::SENDER_COMP_ID).is_some_and(|sender| {
                !sender.is_empty() && (self.target.is_empty() || sender == self.target.as_bytes())
            })
    }

    /// Whether SendingTime is readable and too far from `now`.
    pub(super) fn sending_time_is_off(&self, now: Nanos, message: &Message<'_>) -> bool {
        let limit = self.config.sending_time_limit_ns;
        let sent = message.timestamp(tag::SENDING_TIME);
        matches!((limit, sent), (Some(limit), Ok(sent)) if now.abs_diff(sent) > limit)
    }

    fn count_if_expected(&mut self, seq: u32) {
        if seq == self.inbound_seq {
            self.inbound_seq += 1;
        }
    }

    pub(super) fn hold(&mut self, seq: u32, held: Held) {
        if !self.gap.hold(seq, held, self.config.gap_capacity) {
            self.counters.gap_dropped += 1;
        }
    }

    fn fail_sending_time(&mut self, now: Nanos, message: &Message<'_>) {
        self.reject(now, message, RejectReason::SendingTimeAccuracy, Some(tag::SENDING_TIME));
        self.fail(now, "SendingTime accuracy problem", DisconnectReason::SendingTime);
    }

    pub(super) fn fail_too_low(&mut self, now: Nanos, received: u32) {
        let reason = DisconnectReason::SequenceTooLow { expected: self.inbound_seq, received };
        self.fail(now, &reason.to_string(), reason);
    }

    /// Ends the session, with a Logout if the peer is known to speak for it.
    fn fail_if(&mut self, greeted: bool, now: Nanos, text: &str, reason: DisconnectReason) {
        if greeted {
            self.fail(now, text, reason);
        } else {
            self.disconnect(reason);
        }
    }

    /// Ends the session with a Logout that says why.
    pub(super) fn fail(&mut self, now: Nanos, text: &str, reason: DisconnectReason) {
        if !matches!(self.state, State::LogoutSent { .. }) {
            self.send_logout(now, text);
        }
        self.disconnect(reason);
    }
}

fn is_type(message: &Message<'_>, msg_type: &str) -> bool {
    message.msg_type() == msg_type.as_bytes()
}

/// Sequence Reset without GapFillFlag=Y.
fn is_reset(message: &Message<'_>) -> bool {
    is_type(message, msg_type::SEQUENCE_RESET) && message.bool(tag::GAP_FILL_FLAG) != Ok(true)
}

fn has_comp_ids(message: &Message<'_>) -> bool {
    message.get(tag::SENDER_COMP_ID).is_some() && message.get(tag::TARGET_COMP_ID).is_some()
}

/// NewSeqNo(36), if it is a sequence number.
fn new_seq_no(message: &Message<'_>) -> Option<u32> {
    let number = u32::try_from(message.uint(tag::NEW_SEQ_NO).ok()?).ok()?;
    (1..=MAX_SEQ).contains(&number).then_some(number)
}

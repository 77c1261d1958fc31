//! Sending: application messages, and the session's own.

use saker_wire::time::Nanos;

use super::{DisconnectReason, MAX_SEQ, SendError, Session, State};
use crate::SOH;
use crate::dictionary::RejectReason;
use crate::encode::{Encoded, Header, OVERHEAD, Writer};
use crate::parse::Message;
use crate::tag::{self, msg_type};

impl Session {
    /// Sends a message; returns its MsgSeqNum. `body` writes the fields after the standard header.
    /// Application messages are kept for resending.
    pub fn send(
        &mut self,
        now: Nanos,
        msg_type: &str,
        body: impl FnOnce(&mut Writer<'_>),
    ) -> Result<u32, SendError> {
        if !self.is_logged_on() {
            return Err(SendError::NotLoggedOn);
        }
        let limit = self.config.max_message + OVERHEAD;
        self.transmit(now, msg_type, limit, body)
    }

    /// Sends a Business Message Reject (35=j): `reason` is BusinessRejectReason(380), for example
    /// 3 for an unsupported message type.
    pub fn business_reject(
        &mut self,
        now: Nanos,
        ref_seq_num: u32,
        ref_msg_type: &str,
        reason: u32,
        text: &str,
    ) -> Result<u32, SendError> {
        self.send(now, msg_type::BUSINESS_MESSAGE_REJECT, |w| {
            w.field_uint(tag::REF_SEQ_NUM, u64::from(ref_seq_num));
            write_text(w, text);
            w.field_str(tag::REF_MSG_TYPE, ref_msg_type);
            w.field_uint(tag::BUSINESS_REJECT_REASON, u64::from(reason));
        })
    }

    pub(super) fn reject_unsupported(&mut self, now: Nanos, message: &Message<'_>) {
        let seq = message.msg_seq_num().unwrap_or_default();
        let msg_type = String::from_utf8_lossy(message.msg_type());
        match self.business_reject(now, seq, &msg_type, 3, "Unsupported Message Type") {
            Ok(_) | Err(SendError::NotLoggedOn) => {}
            Err(error) => self.cannot_send(error),
        }
    }

    /// Sends a session-level Reject (35=3).
    pub(super) fn reject(
        &mut self,
        now: Nanos,
        message: &Message<'_>,
        reason: RejectReason,
        ref_tag: Option<u32>,
    ) {
        self.counters.rejects_out += 1;
        let no_number = message.invalid_tag().filter(|_| reason == RejectReason::InvalidTagNumber);
        self.admin(now, msg_type::REJECT, |w| {
            w.field_uint(tag::REF_SEQ_NUM, u64::from(message.msg_seq_num().unwrap_or_default()));
            w.field_str(tag::TEXT, &reason.to_string());
            match (ref_tag, no_number) {
                (Some(tag), _) => w.field_uint(tag::REF_TAG_ID, u64::from(tag)),
                (None, Some(text)) => w.field_bytes(tag::REF_TAG_ID, text),
                (None, None) => {}
            }
            w.field_bytes(tag::REF_MSG_TYPE, message.msg_type());
            w.field_uint(tag::SESSION_REJECT_REASON, u64::from(reason.code()));
        });
    }

    pub(super) fn answer_test_request(&mut self, now: Nanos, id: Option<&[u8]>) {
        self.admin(now, msg_type::HEARTBEAT, |w| {
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                w.field_bytes(tag::TEST_REQ_ID, id);
            }
        });
    }

    pub(super) fn send_logout(&mut self, now: Nanos, text: &str) {
        self.admin(now, msg_type::LOGOUT, |w| write_text(w, text));
    }

    /// Sends a message of the session layer. If that is impossible the session cannot go on.
    pub(super) fn admin(&mut self, now: Nanos, msg_type: &str, body: impl FnOnce(&mut Writer<'_>)) {
        if matches!(self.state, State::Disconnected) {
            return;
        }
        if let Err(error) = self.transmit(now, msg_type, usize::MAX, body) {
            self.cannot_send(error);
        }
    }

    fn cannot_send(&mut self, error: SendError) {
        self.disconnect(match error {
            SendError::OutputFull => DisconnectReason::OutputFull,
            other => DisconnectReason::CannotSend(other),
        });
    }

    fn transmit(
        &mut self,
        now: Nanos,
        msg_type: &str,
        limit: usize,
        body: impl FnOnce(&mut Writer<'_>),
    ) -> Result<u32, SendError> {
        if self.output.pending().len() > self.config.output_capacity {
            return Err(SendError::OutputFull);
        }
        let seq = self.outbound_seq;
        let limit = limit.min(self.scratch.len());
        let encoded = encode(
            &mut self.scratch[..limit],
            &Header {
                msg_type,
                msg_seq_num: seq,
                seq_width: 0,
                sender: &self.config.sender_comp_id,
                target: &self.target,
                sending_time: now,
                poss_dup: None,
            },
            &mut self.dates,
            body,
        )?;
        self.output.push(encoded.bytes);
        if !msg_type::is_admin(msg_type.as_bytes()) {
            self.store.push(seq, encoded.bytes);
        }
        self.count_sent(now);
        Ok(seq)
    }

    /// One more message is out.
    pub(super) fn count_sent(&mut self, now: Nanos) {
        self.outbound_seq += 1;
        self.last_sent = now;
        self.counters.messages_out += 1;
    }
}

pub(super) fn encode<'b>(
    scratch: &'b mut [u8],
    header: &Header<'_>,
    dates: &mut crate::value::TimestampCache,
    body: impl FnOnce(&mut Writer<'_>),
) -> Result<Encoded<'b>, SendError> {
    if header.msg_seq_num > MAX_SEQ {
        return Err(SendError::SequenceExhausted);
    }
    let mut writer = Writer::begin(scratch, header, dates);
    body(&mut writer);
    Ok(writer.finish()?)
}

/// Text(58), unless it is empty or cannot be written.
fn write_text(writer: &mut Writer<'_>, text: &str) {
    if !text.is_empty() && !text.as_bytes().contains(&SOH) {
        writer.field_str(tag::TEXT, text);
    }
}

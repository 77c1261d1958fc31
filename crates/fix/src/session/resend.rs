//! Filling gaps, both ways: Resend Requests sent and answered.

use saker_wire::time::Nanos;

use super::gap::Request;
use super::{DisconnectReason, SendError, Session};
use crate::dictionary::RejectReason;
use crate::encode::{EncodeError, Encoded, Header, Writer};
use crate::parse::Message;
use crate::parse::{DEFAULT_MAX_MESSAGE, frame_with_limit};
use crate::tag::{self, msg_type};
use crate::value::TimestampCache;

impl Session {
    /// `seq` came, and what is before it did not. One request is open at a time: it asks for
    /// everything up to the peer's newest message.
    pub(super) fn request_resend(&mut self, now: Nanos, seq: u32) {
        if self.gap.request.is_none() {
            self.send_resend_request(now, seq);
        }
    }

    /// The peer has not filled the gap in time.
    pub(super) fn repeat_request(&mut self, now: Nanos) {
        if let Some(request) = self.gap.request.take() {
            self.send_resend_request(now, request.until);
        }
    }

    fn send_resend_request(&mut self, now: Nanos, until: u32) {
        let first = self.inbound_seq;
        let deadline = now.saturating_add(self.config.resend_timeout_ns);
        self.counters.gaps += 1;
        self.gap.request = Some(Request { until, deadline });
        self.admin(now, msg_type::RESEND_REQUEST, |w| {
            w.field_uint(tag::BEGIN_SEQ_NO, u64::from(first));
            w.field_char(tag::END_SEQ_NO, b'0');
        });
    }

    /// Everything held that was due is processed: is the gap closed, and is there another?
    pub(super) fn close_gap(&mut self, now: Nanos) {
        if self.gap.request.as_ref().is_some_and(|request| self.inbound_seq > request.until) {
            self.gap.request = None;
        }
        if let Some(last) = self.gap.last() {
            self.request_resend(now, last);
        }
    }

    /// Sends application messages again and fills the rest of the range with gap fills.
    pub(super) fn on_resend_request(&mut self, now: Nanos, message: &Message<'_>) {
        let number = |tag| message.uint(tag).ok().and_then(|number| u32::try_from(number).ok());
        let Some(first) = number(tag::BEGIN_SEQ_NO).filter(|&first| first > 0) else {
            let wrong = Some(tag::BEGIN_SEQ_NO);
            return self.reject(now, message, RejectReason::ValueIncorrect, wrong);
        };
        let newest = self.outbound_seq - 1;
        let last = match number(tag::END_SEQ_NO) {
            Some(0) => newest,
            Some(last) if last >= first => last.min(newest),
            _ => {
                let wrong = Some(tag::END_SEQ_NO);
                return self.reject(now, message, RejectReason::ValueIncorrect, wrong);
            }
        };
        if let Err(error) = self.resend(now, first, last) {
            self.disconnect(match error {
                SendError::OutputFull => DisconnectReason::OutputFull,
                other => DisconnectReason::CannotSend(other),
            });
        }
    }

    fn resend(&mut self, now: Nanos, first: u32, last: u32) -> Result<(), SendError> {
        let mut next = first;
        let Session { store, scratch, dates, output, config, target, counters, .. } = self;
        let room = |pending: usize| match pending > config.output_capacity {
            true => Err(SendError::OutputFull),
            false => Ok(()),
        };
        let header = Header {
            msg_type: msg_type::SEQUENCE_RESET,
            msg_seq_num: next,
            seq_width: 0,
            sender: &config.sender_comp_id,
            target,
            sending_time: now,
            poss_dup: Some(now),
        };
        for (seq, stored) in store.range(first, last) {
            room(output.pending().len())?;
            if seq > next {
                let header = Header { msg_seq_num: next, ..header };
                output.push(gap_fill(scratch, header, seq, dates)?.bytes);
                counters.gap_fills += 1;
            }
            let header = Header { msg_seq_num: seq, ..header };
            output.push(again(stored, scratch, header, dates)?.bytes);
            counters.resent += 1;
            next = seq + 1;
        }
        if next <= last {
            room(output.pending().len())?;
            let header = Header { msg_seq_num: next, ..header };
            output.push(gap_fill(scratch, header, last + 1, dates)?.bytes);
            counters.gap_fills += 1;
        }
        self.last_sent = now;
        Ok(())
    }
}

fn gap_fill<'b>(
    scratch: &'b mut [u8],
    header: Header<'_>,
    new_seq_no: u32,
    dates: &mut TimestampCache,
) -> Result<Encoded<'b>, EncodeError> {
    let mut writer = Writer::begin(scratch, &header, dates);
    writer.field_uint(tag::NEW_SEQ_NO, u64::from(new_seq_no));
    writer.field_bool(tag::GAP_FILL_FLAG, true);
    writer.finish()
}

/// The stored message with PossDupFlag=Y, its SendingTime as OrigSendingTime, and the time now.
fn again<'b>(
    stored: &[u8],
    scratch: &'b mut [u8],
    header: Header<'_>,
    dates: &mut TimestampCache,
) -> Result<Encoded<'b>, EncodeError> {
    let unreadable = EncodeError::IllegalValue { tag: tag::SENDING_TIME };
    let parsed = frame_with_limit(stored, stored.len().max(DEFAULT_MAX_MESSAGE));
    let Ok(Some((message, _))) = parsed else { return Err(unreadable) };
    let original = message.timestamp(tag::SENDING_TIME).map_err(|_| unreadable)?;
    let msg_type = std::str::from_utf8(message.msg_type()).map_err(|_| unreadable)?;
    let header = Header { msg_type, poss_dup: Some(original), ..header };
    let mut writer = Writer::begin(scratch, &header, dates);
    for (tag, value) in message.fields() {
        let written = matches!(
            tag,
            tag::BEGIN_STRING
                | tag::BODY_LENGTH
                | tag::MSG_TYPE
                | tag::MSG_SEQ_NUM
                | tag::POSS_DUP_FLAG
                | tag::SENDER_COMP_ID
                | tag::SENDING_TIME
                | tag::TARGET_COMP_ID
                | tag::ORIG_SENDING_TIME
                | tag::CHECK_SUM
        );
        if !written {
            writer.field_verbatim(tag, value);
        }
    }
    writer.finish()
}

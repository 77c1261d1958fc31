//! Messages to bytes, in the caller's buffer.

use crate::value::{Decimal, TimestampCache};
use saker_wire::time::Nanos;

/// The standard header of one message.
#[derive(Debug, Clone, Copy)]
pub struct Header<'a> {
    /// MsgType(35).
    pub msg_type: &'a str,
    /// MsgSeqNum(34).
    pub msg_seq_num: u32,
    /// Digits of MsgSeqNum, zero-padded on the left; 0 writes no padding.
    pub seq_width: usize,
    /// SenderCompID(49).
    pub sender: &'a str,
    /// TargetCompID(56).
    pub target: &'a str,
    /// SendingTime(52), written with milliseconds.
    pub sending_time: Nanos,
    /// `Some(OrigSendingTime(122))` sets PossDupFlag(43)=Y.
    pub poss_dup: Option<Nanos>,
}

/// Why a message could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The buffer is full.
    #[error("buffer full while writing tag {tag}")]
    BufferFull {
        /// The field that did not fit.
        tag: u32,
    },
    /// The value is empty or contains a SOH.
    #[error("illegal value for tag {tag}")]
    IllegalValue {
        /// The field at fault.
        tag: u32,
    },
}

/// Where the patchable values of a finished message are (offsets from its first byte).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// First digit of MsgSeqNum.
    pub msg_seq_num_at: usize,
    /// Digits of MsgSeqNum.
    pub msg_seq_num_width: usize,
    /// First digit of SendingTime, [`crate::value::TIMESTAMP_LEN`] bytes.
    pub sending_time_at: usize,
    /// First of the three digits of CheckSum.
    pub check_sum_at: usize,
}

/// A finished message.
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'b> {
    /// BeginString to the SOH after CheckSum.
    pub bytes: &'b [u8],
    /// Where to patch it.
    pub layout: Layout,
}

/// Writes one message. Errors are kept and returned by [`Writer::finish`].
pub struct Writer<'b> {
    buffer: &'b mut [u8],
}

impl<'b> Writer<'b> {
    /// Begins a message with its standard header.
    pub fn begin(buffer: &'b mut [u8], header: &Header<'_>, dates: &mut TimestampCache) -> Self {
        let _ = (header, dates);
        Writer { buffer }
    }
    /// Text.
    pub fn field_str(&mut self, tag: u32, value: &str) {
        let _ = (tag, value, &self.buffer);
        todo!()
    }
    /// Bytes without SOH.
    pub fn field_bytes(&mut self, tag: u32, value: &[u8]) {
        let _ = (tag, value);
        todo!()
    }
    /// `int`.
    pub fn field_int(&mut self, tag: u32, value: i64) {
        let _ = (tag, value);
        todo!()
    }
    /// Unsigned `int`.
    pub fn field_uint(&mut self, tag: u32, value: u64) {
        let _ = (tag, value);
        todo!()
    }
    /// One character.
    pub fn field_char(&mut self, tag: u32, value: u8) {
        let _ = (tag, value);
        todo!()
    }
    /// Y or N.
    pub fn field_bool(&mut self, tag: u32, value: bool) {
        let _ = (tag, value);
        todo!()
    }
    /// `mantissa * 10^exponent`, exactly.
    pub fn field_decimal(&mut self, tag: u32, mantissa: i64, exponent: i32) {
        let _ = (tag, mantissa, exponent, Decimal { mantissa, exponent });
        todo!()
    }
    /// UTC timestamp with milliseconds.
    pub fn field_timestamp(&mut self, tag: u32, at: Nanos) {
        let _ = (tag, at);
        todo!()
    }
    /// UTC timestamp with whole seconds.
    pub fn field_timestamp_seconds(&mut self, tag: u32, at: Nanos) {
        let _ = (tag, at);
        todo!()
    }
    /// A length field and its data field; the data may contain any byte.
    pub fn field_data(&mut self, length_tag: u32, data_tag: u32, data: &[u8]) {
        let _ = (length_tag, data_tag, data);
        todo!()
    }
    /// Writes BodyLength and CheckSum.
    pub fn finish(self) -> Result<Encoded<'b>, EncodeError> {
        todo!()
    }
}

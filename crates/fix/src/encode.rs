//! Messages to bytes, in the caller's buffer.
//!
//! [`Writer`] leaves room for BeginString and BodyLength at the front, writes the body, and at the
//! end sets those two fields right before the body: BodyLength has no padding, the message begins
//! a few bytes into the buffer, and nothing is moved.

use saker_wire::time::Nanos;

use crate::parse::GarbledError;
use crate::value::{TIMESTAMP_LEN, TIMESTAMP_SECONDS_LEN, TimestampCache};
use crate::{BEGIN_STRING, SOH, tag};

/// `8=FIX.4.4|9=` and up to nine digits and a SOH.
const RESERVE: usize = 22;
/// `10=ddd|`.
const TRAILER_LEN: usize = 7;
/// Widest zero-padded MsgSeqNum, and the width of prepared messages: nine digits.
pub const MAX_SEQ_WIDTH: usize = 9;

/// Bytes of buffer that a message needs beyond its own length.
pub const OVERHEAD: usize = RESERVE;

/// The standard header of one message.
#[derive(Debug, Clone, Copy)]
pub struct Header<'a> {
    /// MsgType(35).
    pub msg_type: &'a str,
    /// MsgSeqNum(34).
    pub msg_seq_num: u32,
    /// Digits of MsgSeqNum, zero-padded on the left; 0 writes no padding; at most 9.
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
    /// The value is empty, contains a SOH or cannot be written in full; or the tag is 0.
    #[error("illegal value for tag {tag}")]
    IllegalValue {
        /// The field at fault.
        tag: u32,
    },
}

/// Where the patchable values of a finished message are, as offsets from its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// First digit of MsgSeqNum.
    pub msg_seq_num_at: usize,
    /// Digits of MsgSeqNum.
    pub msg_seq_num_width: usize,
    /// First digit of SendingTime, which has [`TIMESTAMP_LEN`] bytes.
    pub sending_time_at: usize,
    /// First of the three digits of CheckSum.
    pub check_sum_at: usize,
}

impl Layout {
    /// Finds the values in a message that anybody wrote; `None` if it is not one whole message with
    /// a MsgSeqNum and a SendingTime in milliseconds.
    pub fn locate(message: &[u8]) -> Result<Option<Layout>, GarbledError> {
        let Some((parsed, size)) = crate::parse::frame_with_limit(message, message.len())? else {
            return Ok(None);
        };
        let span = |tag| parsed.get(tag).map(|value| (offset_in(message, value), value.len()));
        let (Some((seq_at, seq_width)), Some((time_at, TIMESTAMP_LEN))) =
            (span(tag::MSG_SEQ_NUM), span(tag::SENDING_TIME))
        else {
            return Ok(None);
        };
        Ok((size == message.len()).then_some(Layout {
            msg_seq_num_at: seq_at,
            msg_seq_num_width: seq_width,
            sending_time_at: time_at,
            check_sum_at: size - TRAILER_LEN + 3,
        }))
    }
}

/// Offset of `part`, which borrows from `whole`.
fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// A finished message.
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'b> {
    /// BeginString to the SOH after CheckSum.
    pub bytes: &'b [u8],
    /// Where to patch it.
    pub layout: Layout,
}

/// Writes one message. The first error is kept, the fields after it are ignored, and
/// [`Writer::finish`] returns it, so that a body is written without a `?` on each line.
#[derive(Debug)]
pub struct Writer<'b> {
    buffer: &'b mut [u8],
    at: usize,
    error: Option<EncodeError>,
    seq_at: usize,
    seq_width: usize,
    time_at: usize,
    /// A copy, for the timestamps of the body.
    dates: TimestampCache,
}

impl<'b> Writer<'b> {
    /// Begins a message with its standard header, in the order 35, 34, 43, 49, 52, 56, 122.
    pub fn begin(
        buffer: &'b mut [u8],
        header: &Header<'_>,
        dates: &mut TimestampCache,
    ) -> Writer<'b> {
        let sending_time = dates.format(header.sending_time);
        let mut writer = Writer {
            buffer,
            at: RESERVE,
            error: None,
            seq_at: 0,
            seq_width: 0,
            time_at: 0,
            dates: dates.clone(),
        };
        writer.field_str(tag::MSG_TYPE, header.msg_type);
        writer.msg_seq_num(header.msg_seq_num, header.seq_width);
        if header.poss_dup.is_some() {
            writer.field_bool(tag::POSS_DUP_FLAG, true);
        }
        writer.field_str(tag::SENDER_COMP_ID, header.sender);
        writer.time_at = writer.at + 3;
        writer.value(tag::SENDING_TIME, &sending_time);
        writer.field_str(tag::TARGET_COMP_ID, header.target);
        if let Some(original) = header.poss_dup {
            writer.field_timestamp(tag::ORIG_SENDING_TIME, original);
        }
        writer
    }

    /// Text without SOH.
    pub fn field_str(&mut self, tag: u32, value: &str) {
        self.field_bytes(tag, value.as_bytes());
    }

    /// Bytes without SOH.
    pub fn field_bytes(&mut self, tag: u32, value: &[u8]) {
        if value.is_empty() || value.contains(&SOH) {
            return self.fail(EncodeError::IllegalValue { tag });
        }
        self.value(tag, value);
    }

    /// `int`.
    pub fn field_int(&mut self, tag: u32, value: i64) {
        let mut text = [0; 20];
        let at = digits_before(&mut text, 20, value.unsigned_abs());
        let at = sign_before(&mut text, at, value < 0);
        self.value(tag, &text[at..]);
    }

    /// Unsigned `int`.
    pub fn field_uint(&mut self, tag: u32, value: u64) {
        let mut text = [0; 20];
        let at = digits_before(&mut text, 20, value);
        self.value(tag, &text[at..]);
    }

    /// One character that is not SOH.
    pub fn field_char(&mut self, tag: u32, value: u8) {
        self.field_bytes(tag, &[value]);
    }

    /// Y or N.
    pub fn field_bool(&mut self, tag: u32, value: bool) {
        self.value(tag, if value { b"Y" } else { b"N" });
    }

    /// `mantissa * 10^exponent`, with every digit: (1250, -2) is `12.50`, (3, 2) is `300`. The
    /// exponent is from -20 to 20.
    pub fn field_decimal(&mut self, tag: u32, mantissa: i64, exponent: i32) {
        // Sign, 20 digits of a mantissa, the point, and 20 zeros.
        let mut text = [b'0'; 42];
        let places = exponent.unsigned_abs() as usize;
        if places > 20 {
            return self.fail(EncodeError::IllegalValue { tag });
        }
        let magnitude = mantissa.unsigned_abs();
        let at = if exponent >= 0 {
            let end = text.len() - if mantissa == 0 { 0 } else { places };
            let at = digits_before(&mut text, end, magnitude);
            return self.signed(tag, &mut text, at, end + places, mantissa < 0);
        } else {
            digits_before(&mut text, 42, magnitude)
        };
        // At least one digit stays before the point; the zeros are there already.
        let at = at.min(42 - places - 1);
        text.copy_within(at..42 - places, at - 1);
        text[42 - places - 1] = b'.';
        self.signed(tag, &mut text, at - 1, 42, mantissa < 0);
    }

    fn signed(&mut self, tag: u32, text: &mut [u8], at: usize, end: usize, negative: bool) {
        let at = sign_before(text, at, negative);
        let end = end.min(text.len());
        self.value(tag, &text[at..end]);
    }

    /// UTC timestamp with milliseconds; what is below is cut off.
    pub fn field_timestamp(&mut self, tag: u32, at: Nanos) {
        let text = self.dates.format(at);
        self.value(tag, &text);
    }

    /// UTC timestamp with whole seconds; what is below is cut off.
    pub fn field_timestamp_seconds(&mut self, tag: u32, at: Nanos) {
        let text = self.dates.format(at);
        self.value(tag, &text[..TIMESTAMP_SECONDS_LEN]);
    }

    /// A length field and its data field; the data may contain any byte, SOH too.
    pub fn field_data(&mut self, length_tag: u32, data_tag: u32, data: &[u8]) {
        if crate::parse::length_tag(data_tag) != Some(length_tag) {
            return self.fail(EncodeError::IllegalValue { tag: data_tag });
        }
        self.field_uint(length_tag, data.len() as u64);
        self.value(data_tag, data);
    }

    /// A field whose value came from a verified message: copied as it is.
    pub(crate) fn field_verbatim(&mut self, tag: u32, value: &[u8]) {
        self.value(tag, value);
    }

    /// Writes BeginString, BodyLength and CheckSum.
    pub fn finish(mut self) -> Result<Encoded<'b>, EncodeError> {
        let body_end = self.at;
        let body_length = body_end - RESERVE;
        self.value(tag::CHECK_SUM, b"000");
        if let Some(error) = self.error {
            return Err(error);
        }
        let buffer = self.buffer;
        let start = front(buffer, body_length);
        let sum = crate::parse::check_sum(&buffer[start..body_end]);
        crate::patch::write_check_sum(&mut buffer[body_end + 3..body_end + 6], sum);
        Ok(Encoded {
            bytes: &buffer[start..body_end + TRAILER_LEN],
            layout: Layout {
                msg_seq_num_at: self.seq_at - start,
                msg_seq_num_width: self.seq_width,
                sending_time_at: self.time_at - start,
                check_sum_at: body_end + 3 - start,
            },
        })
    }

    fn msg_seq_num(&mut self, seq: u32, width: usize) {
        let mut text = [b'0'; 20];
        let at = digits_before(&mut text, 20, u64::from(seq));
        if width > MAX_SEQ_WIDTH || (width > 0 && 20 - at > width) {
            return self.fail(EncodeError::IllegalValue { tag: tag::MSG_SEQ_NUM });
        }
        let at = if width > 0 { 20 - width } else { at };
        self.seq_at = self.at + 3;
        self.seq_width = 20 - at;
        self.value(tag::MSG_SEQ_NUM, &text[at..]);
    }

    /// `tag=value|`.
    #[inline]
    fn value(&mut self, tag: u32, value: &[u8]) {
        if tag == 0 {
            return self.fail(EncodeError::IllegalValue { tag });
        }
        if self.error.is_some() {
            return;
        }
        let digits = tag.ilog10() as usize + 1;
        let size = digits + 1 + value.len() + 1;
        let Some(room) = self.buffer.get_mut(self.at..self.at + size) else {
            return self.fail(EncodeError::BufferFull { tag });
        };
        digits_before(room, digits, u64::from(tag));
        room[digits] = b'=';
        room[digits + 1..size - 1].copy_from_slice(value);
        room[size - 1] = SOH;
        self.at += size;
    }

    #[cold]
    fn fail(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }
}

/// Writes `8=FIX.4.4|9=length|` right before the body and returns where it begins.
fn front(buffer: &mut [u8], body_length: usize) -> usize {
    buffer[RESERVE - 1] = SOH;
    let at = digits_before(buffer, RESERVE - 1, body_length as u64);
    let start = at - 3 - BEGIN_STRING.len() - 2;
    buffer[start..start + 2].copy_from_slice(b"8=");
    buffer[start + 2..at - 3].copy_from_slice(BEGIN_STRING.as_bytes());
    buffer[at - 3..at].copy_from_slice(b"\x019=");
    start
}

/// Writes `value` so that it ends before `end`, and returns where it begins.
#[inline]
fn digits_before(text: &mut [u8], end: usize, mut value: u64) -> usize {
    let mut at = end;
    loop {
        at -= 1;
        text[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return at;
        }
    }
}

fn sign_before(text: &mut [u8], at: usize, negative: bool) -> usize {
    if negative {
        text[at - 1] = b'-';
        at - 1
    } else {
        at
    }
}

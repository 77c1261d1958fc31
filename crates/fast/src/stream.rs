//! Messages one after another in a file, a byte stream or a datagram.
//!
//! A stream is a sequence of *units*. A unit has a length prefix, if the framing has one; then a
//! preamble of a fixed number of bytes, such as the sequence number of a packet; then messages. A
//! length counts the bytes behind it, the preamble included. Without a length a unit has exactly
//! one message, since only decoding tells where it ends.
//!
//! | feed | [`Layout`] |
//! |---|---|
//! | a file of messages with a sequence number each | `None`, preamble 4 |
//! | a UDP payload, such as those of a capture: one [`MessageStream`] each | `Datagram`, preamble of the venue |
//! | a TCP recovery channel with length prefixes | `U32Le` and its like |
//! | FAST blocks (§10) | `Block` |
//! | FAST inside STEP or FIX messages: RawDataLength (95) and RawData (96) | `Step` |

use crate::decode::{Decoder, Visitor};
use crate::error::{DecodeError, ErrorCode, Site};

/// How the length of a unit is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Not at all: every unit has one message.
    #[default]
    None,
    /// One byte.
    U8,
    /// Two bytes, little-endian.
    U16Le,
    /// Two bytes, big-endian.
    U16Be,
    /// Four bytes, little-endian.
    U32Le,
    /// Four bytes, big-endian.
    U32Be,
    /// A block size of FAST (§10): a stop bit encoded unsigned integer, overlong or not.
    Block,
    /// All the bytes are one unit, as the payload of a datagram is.
    Datagram,
    /// The units are the RawData fields (96) of STEP or FIX messages, `tag=value` ended by SOH;
    /// the length is the RawDataLength (95) before. Other fields, and messages without RawData,
    /// are passed over; whether BodyLength and CheckSum are right is the session's business.
    Step,
}

/// The layout of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The framing.
    pub framing: Framing,
    /// Bytes of the preamble.
    pub preamble: usize,
}

/// A message in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framed<'b> {
    /// Offset of the message in the stream.
    pub offset: usize,
    /// The bytes of the message.
    pub bytes: &'b [u8],
    /// The preamble of its unit.
    pub preamble: &'b [u8],
    /// Whether it is the first message of its unit.
    pub first: bool,
}

/// Iterates over the messages of a stream with a decoder.
#[derive(Clone, Debug)]
pub struct MessageStream<'b> {
    bytes: &'b [u8],
    layout: Layout,
    at: usize,
    /// The end of the open unit, where it has a length.
    unit_end: Option<usize>,
    preamble: &'b [u8],
    failed: bool,
}

impl<'b> MessageStream<'b> {
    /// A stream that starts at the first of `bytes`.
    pub fn new(bytes: &'b [u8], layout: Layout) -> Self {
        Self { bytes, layout, at: 0, unit_end: None, preamble: &[], failed: false }
    }

    /// How many bytes are behind.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Decodes the next message; `None` at the end. Every unit begins a packet for the decoder's
    /// reset policy.
    ///
    /// # Errors
    /// With the offset into the stream. With a length prefix the next call goes on at the next
    /// unit; without, nothing tells where the next message starts and the stream ends. A
    /// length of zero is [`ErrorCode::D12`], in any framing.
    pub fn next<V: Visitor>(
        &mut self,
        decoder: &mut Decoder,
        visitor: &mut V,
    ) -> Result<Option<Framed<'b>>, DecodeError> {
        if self.failed {
            return Ok(None);
        }
        let mut first = false;
        // A unit that has a preamble only, as a heartbeat may, is skipped.
        while self.unit_end.is_none_or(|end| self.at == end) {
            self.unit_end = None;
            if self.at == self.bytes.len() {
                return Ok(None);
            }
            first = true;
            if !self.open_unit()? {
                return Ok(None);
            }
            decoder.begin_packet();
            if self.unit_end.is_none() {
                break;
            }
        }
        let end = self.unit_end.unwrap_or(self.bytes.len());
        let start = self.at;
        match decoder.decode(&self.bytes[start..end], visitor) {
            Ok(length) => {
                self.at += length;
                let bytes = &self.bytes[start..self.at];
                Ok(Some(Framed { offset: start, bytes, preamble: self.preamble, first }))
            }
            Err(mut error) => {
                error.offset += start;
                match self.unit_end.take() {
                    Some(end) => self.at = end,
                    None => self.failed = true,
                }
                Err(error)
            }
        }
    }

    /// The next unit as it is, preamble included; `None` at the end. Without a length it is all
    /// that is left.
    ///
    /// # Errors
    /// With the offset into the stream, which then ends: the length is zero, or cut short, or the
    /// unit is.
    pub fn unit(&mut self) -> Result<Option<&'b [u8]>, DecodeError> {
        if let Some(end) = self.unit_end.take() {
            self.at = end;
        }
        if self.failed || self.at == self.bytes.len() {
            return Ok(None);
        }
        if !self.open_unit()? {
            return Ok(None);
        }
        let start = self.at - self.layout.preamble;
        self.at = self.unit_end.take().unwrap_or(self.bytes.len());
        Ok(Some(&self.bytes[start..self.at]))
    }

    /// Opens the next unit; `false` where the stream ends instead, as it does with an error.
    fn open_unit(&mut self) -> Result<bool, DecodeError> {
        let opened = self.begin_unit().map_err(|code| {
            self.failed = true;
            DecodeError { code, offset: self.at, site: Site::default() }
        })?;
        if !opened {
            self.at = self.bytes.len();
        }
        Ok(opened)
    }

    /// Reads the length and the preamble; `false` where no other unit follows. A failure leaves
    /// the position at the unit's start.
    fn begin_unit(&mut self) -> Result<bool, ErrorCode> {
        let rest = &self.bytes[self.at..];
        let prefix = |length: u64, header| (Some(length), header);
        let (length, header) = match self.layout.framing {
            Framing::None => (None, 0),
            Framing::Datagram => prefix(rest.len() as u64, 0),
            Framing::U8 => {
                let [length] = rest.first_chunk().ok_or(ErrorCode::Truncated)?;
                prefix(u64::from(*length), 1)
            }
            Framing::U16Le => {
                let bytes = rest.first_chunk().ok_or(ErrorCode::Truncated)?;
                prefix(u64::from(u16::from_le_bytes(*bytes)), 2)
            }
            Framing::U16Be => {
                let bytes = rest.first_chunk().ok_or(ErrorCode::Truncated)?;
                prefix(u64::from(u16::from_be_bytes(*bytes)), 2)
            }
            Framing::U32Le => {
                let bytes = rest.first_chunk().ok_or(ErrorCode::Truncated)?;
                prefix(u64::from(u32::from_le_bytes(*bytes)), 4)
            }
            Framing::U32Be => {
                let bytes = rest.first_chunk().ok_or(ErrorCode::Truncated)?;
                prefix(u64::from(u32::from_be_bytes(*bytes)), 4)
            }
            Framing::Block => {
                let mut cursor = crate::transfer::Cursor::new(rest);
                let length = cursor.unsigned::<false>(u64::from(u32::MAX), false)?;
                (length, rest.len() - cursor.remaining())
            }
            Framing::Step => match raw_data(rest)? {
                Some((header, length)) => prefix(length as u64, header),
                None => return Ok(false),
            },
        };
        let available = rest.len() - header;
        let unit = match length {
            None => available,
            Some(0) => return Err(ErrorCode::D12),
            Some(length) => usize::try_from(length)
                .ok()
                .filter(|length| *length <= available)
                .ok_or(ErrorCode::Truncated)?,
        };
        if unit < self.layout.preamble {
            return Err(ErrorCode::Truncated);
        }
        let start = self.at + header;
        self.preamble = &self.bytes[start..start + self.layout.preamble];
        self.at = start + self.layout.preamble;
        self.unit_end = length.map(|_| start + unit);
        Ok(true)
    }
}

const SOH: u8 = 0x01;

/// Offset and length of the next RawData in STEP messages, `None` where there is none.
///
/// # Errors
/// D11 for a field that is not `tag=value` or a RawData without a length before it, Truncated
/// where the bytes end inside a field.
fn raw_data(bytes: &[u8]) -> Result<Option<(usize, usize)>, ErrorCode> {
    // The end of the RawData before.
    let mut at = usize::from(bytes.first() == Some(&SOH));
    let mut length = None;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        match rest.get(digits) {
            Some(b'=') if digits > 0 => {}
            None => return Err(ErrorCode::Truncated),
            _ => return Err(ErrorCode::D11),
        }
        let value = digits + 1;
        if rest.starts_with(b"96=") {
            return Ok(Some((at + value, length.ok_or(ErrorCode::D11)?)));
        }
        let end = rest.iter().position(|byte| *byte == SOH).ok_or(ErrorCode::Truncated)?;
        if rest.starts_with(b"95=") {
            let text = std::str::from_utf8(&rest[value..end]).map_err(|_| ErrorCode::D11)?;
            let plain = text.bytes().all(|byte| byte.is_ascii_digit());
            length = Some(text.parse().ok().filter(|_| plain).ok_or(ErrorCode::D11)?);
        } else if rest.starts_with(b"8=") {
            // Another message: its RawData needs its own length.
            length = None;
        }
        at += end + 1;
    }
    Ok(None)
}

//! Messages one after another in a file or a byte stream.
//!
//! A stream is a sequence of *units*. A unit has a length prefix, if the framing has one; then a
//! preamble of a fixed number of bytes, such as the sequence number of a packet; then messages. A
//! length counts the bytes behind it, the preamble included. Without a length a unit has exactly
//! one message, since only decoding tells where it ends.

use crate::decode::{Decoder, Visitor};
use crate::error::{DecodeError, ErrorCode, Site};

/// How the length of a unit is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Not at all: every unit has one message.
    #[default]
    None,
    /// Four bytes, little-endian.
    U32Le,
    /// Two bytes, big-endian.
    U16Be,
    /// A block size of FAST (§10): a stop bit encoded unsigned integer, overlong or not.
    Block,
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
            if let Err(code) = self.begin_unit() {
                self.failed = true;
                return Err(DecodeError { code, offset: self.at, site: Site::default() });
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

    /// Reads the length and the preamble; a failure leaves the position at the unit's start.
    fn begin_unit(&mut self) -> Result<(), ErrorCode> {
        let rest = &self.bytes[self.at..];
        let (length, header) = match self.layout.framing {
            Framing::None => (None, 0),
            Framing::U32Le => {
                let bytes = rest.first_chunk::<4>().ok_or(ErrorCode::Truncated)?;
                (Some(u64::from(u32::from_le_bytes(*bytes))), 4)
            }
            Framing::U16Be => {
                let bytes = rest.first_chunk::<2>().ok_or(ErrorCode::Truncated)?;
                (Some(u64::from(u16::from_be_bytes(*bytes))), 2)
            }
            Framing::Block => {
                let mut cursor = crate::transfer::Cursor::new(rest);
                let length = cursor.unsigned::<false>(u64::from(u32::MAX), false)?;
                (length, rest.len() - cursor.remaining())
            }
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
        Ok(())
    }
}

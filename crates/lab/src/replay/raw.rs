//! Units of a raw file, read through a bounded buffer.

use std::io::{self, Read};

/// The longest unit, and the longest message of a file without lengths. Longer ones do not occur in
/// feeds, whose packets are those of a network; a corrupt length must not ask for memory.
pub(super) const MAX_UNIT: usize = 1 << 20;
/// Bytes read ahead.
const BUFFER: usize = 4 * MAX_UNIT;

/// How the length of a unit is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefix {
    /// Not at all: each unit has one message, whose end is found by decoding.
    #[default]
    None,
    /// Four bytes, little-endian.
    U32Le,
    /// Two bytes, big-endian.
    U16Be,
}

impl Prefix {
    /// Bytes of the length.
    const fn len(self) -> usize {
        match self {
            Prefix::None => 0,
            Prefix::U32Le => 4,
            Prefix::U16Be => 2,
        }
    }
}

/// What a raw file goes on with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unit<'a> {
    /// A unit of known length.
    Packet { bytes: &'a [u8] },
    /// The unit at the start of these bytes; [`RawFile::advance`] by its length.
    Message { offset: u64, bytes: &'a [u8] },
    /// A length of zero.
    Empty,
}

/// Why a raw file cannot be read further.
#[derive(Debug, thiserror::Error)]
pub enum RawError {
    /// The source failed.
    #[error("byte {offset}: reading failed")]
    Io {
        /// How far it was read.
        offset: u64,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The file ends within a length or a unit.
    #[error("byte {offset}: truncated: a unit of {needed} bytes has {available}")]
    Truncated {
        /// Where the unit or its length begins.
        offset: u64,
        /// Its length, or that of its length.
        needed: usize,
        /// What there is of it.
        available: usize,
    },
    /// A length above the limit.
    #[error("byte {offset}: a unit of {length} bytes is above the limit of {MAX_UNIT}")]
    TooLong {
        /// Where the length is.
        offset: u64,
        /// What it says.
        length: u32,
    },
}

/// A raw file.
#[derive(Debug)]
pub(super) struct RawFile<R> {
    read: R,
    prefix: Prefix,
    buffer: Vec<u8>,
    /// The bytes not yet taken are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Offset of `buffer[start]` in the file.
    offset: u64,
    ended: bool,
}

impl<R: Read> RawFile<R> {
    pub fn new(read: R, prefix: Prefix) -> Self {
        let buffer = vec![0; BUFFER];
        Self { read, prefix, buffer, start: 0, end: 0, offset: 0, ended: false }
    }

    /// How much has been taken.
    pub fn position(&self) -> u64 {
        self.offset
    }

    /// The bytes behind the first unit's length, as far as they are read ahead.
    pub fn peek(&mut self) -> Result<&[u8], RawError> {
        self.fill(MAX_UNIT)?;
        let prefix = self.prefix.len();
        Ok(self.buffer[self.start..self.end].get(prefix..).unwrap_or_default())
    }

    /// Takes bytes of a [`Unit::Message`].
    pub fn advance(&mut self, length: usize) {
        let length = length.min(self.end - self.start);
        self.start += length;
        self.offset += length as u64;
    }

    /// The next unit, or `None` at the end. A packet is taken, a message is not.
    pub fn next(&mut self) -> Result<Option<Unit<'_>>, RawError> {
        if self.prefix == Prefix::None {
            self.fill(MAX_UNIT)?;
            let (offset, bytes) = (self.offset, &self.buffer[self.start..self.end]);
            return Ok((!bytes.is_empty()).then_some(Unit::Message { offset, bytes }));
        }
        let prefix = self.prefix.len();
        let available = self.fill(prefix)?;
        if available == 0 {
            return Ok(None);
        }
        let truncated =
            |offset, needed, available| Err(RawError::Truncated { offset, needed, available });
        if available < prefix {
            return truncated(self.offset, prefix, available);
        }
        let bytes = &self.buffer[self.start..];
        let length = match self.prefix {
            Prefix::U32Le => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            _ => u32::from(u16::from_be_bytes([bytes[0], bytes[1]])),
        };
        let size = length as usize;
        if size > MAX_UNIT {
            return Err(RawError::TooLong { offset: self.offset, length });
        }
        let available = self.fill(prefix + size)? - prefix;
        if available < size {
            return truncated(self.offset, size, available);
        }
        let from = self.start + prefix;
        self.advance(prefix + size);
        if size == 0 {
            return Ok(Some(Unit::Empty));
        }
        Ok(Some(Unit::Packet { bytes: &self.buffer[from..from + size] }))
    }

    /// Sees to it that `wanted` bytes (at most the buffer) are there, or all up to the end; returns
    /// how many there are.
    fn fill(&mut self, wanted: usize) -> Result<usize, RawError> {
        if self.end - self.start < wanted && !self.ended {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            while self.end < self.buffer.len() && !self.ended {
                match self.read.read(&mut self.buffer[self.end..]) {
                    Ok(0) => self.ended = true,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        let offset = self.offset + (self.end - self.start) as u64;
                        return Err(RawError::Io { offset, error });
                    }
                }
            }
        }
        Ok(self.end - self.start)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use super::*;

    #[test]
    fn lengths_are_taken_at_their_word() {
        let bytes = [3, 0, 0, 0, b'a', b'b', b'c', 0, 0, 0, 0, 1, 0, 0, 0, b'd'];
        let mut file = RawFile::new(&bytes[..], Prefix::U32Le);
        assert_eq!(file.next().unwrap(), Some(Unit::Packet { bytes: b"abc" }));
        assert_eq!(file.next().unwrap(), Some(Unit::Empty));
        assert_eq!(file.next().unwrap(), Some(Unit::Packet { bytes: b"d" }));
        assert_eq!(file.next().unwrap(), None);
        assert_eq!(file.position(), 16);
        let mut file = RawFile::new(&[0, 2, 7, 8, 0][..], Prefix::U16Be);
        assert_eq!(file.next().unwrap(), Some(Unit::Packet { bytes: &[7, 8] }));
        let cut = file.next();
        assert!(matches!(cut, Err(RawError::Truncated { offset: 4, needed: 2, available: 1 })));
    }

    #[test]
    fn wrong_lengths_are_errors_and_cost_nothing() {
        let mut file = RawFile::new(&[255, 255, 255, 255, 1][..], Prefix::U32Le);
        assert!(matches!(file.next(), Err(RawError::TooLong { offset: 0, length: u32::MAX })));
        let mut file = RawFile::new(&[9, 0, 0, 0, 1][..], Prefix::U32Le);
        let cut = file.next();
        assert!(matches!(cut, Err(RawError::Truncated { offset: 0, needed: 9, available: 1 })));
    }

    /// Gives one byte at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(1).min(out.len());
            out[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn messages_are_seen_whole_however_the_bytes_arrive() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = RawFile::new(Trickle(&bytes), Prefix::None);
        let first = Unit::Message { offset: 0, bytes: &bytes };
        assert_eq!(file.next().unwrap(), Some(first));
        file.advance(200);
        let second = Unit::Message { offset: 200, bytes: &bytes[200..] };
        assert_eq!(file.next().unwrap(), Some(second));
        file.advance(56);
        assert_eq!(file.next().unwrap(), None);
    }
}

//! Bytes to messages.

use crate::value::Decimal;
use saker_wire::time::Nanos;

/// Default cap on a whole message, BeginString to CheckSum, in bytes.
pub const DEFAULT_MAX_MESSAGE: usize = 65_536;

/// Why bytes are not a FIX message. `skip` bytes may be discarded to reach the next candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("garbled FIX message at byte {offset}: {kind}")]
pub struct GarbledError {
    /// What is wrong.
    pub kind: GarbledKind,
    /// Offset of the fault from the start of the slice.
    pub offset: usize,
    /// Bytes to discard: up to the next `8=FIX`, or to what may be the beginning of one. At least 1.
    pub skip: usize,
}

/// The rule that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GarbledKind {
    /// The slice does not begin with `8=FIX`.
    #[error("no BeginString")]
    BeginString,
}

/// A typed getter failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The message has no such field.
    #[error("tag {tag} missing")]
    Missing {
        /// The tag asked for.
        tag: u32,
    },
    /// The value is not of the asked type.
    #[error("tag {tag} has an incorrect data format")]
    Format {
        /// The tag asked for.
        tag: u32,
    },
}

/// Turns `Err(Missing)` into `Ok(None)`: for optional fields, `message.int(TAG).optional()?`.
pub trait Optional<T> {
    /// See the trait.
    fn optional(self) -> Result<Option<T>, FieldError>;
}

impl<T> Optional<T> for Result<T, FieldError> {
    fn optional(self) -> Result<Option<T>, FieldError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(FieldError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A whole message, verified, borrowed from the bytes it was read from.
#[derive(Clone)]
pub struct Message<'a> {
    bytes: &'a [u8],
}

/// Frames the first message of `bytes`. `Ok(None)`: more bytes are needed.
pub fn frame(bytes: &[u8]) -> Result<Option<(Message<'_>, usize)>, GarbledError> {
    frame_with_limit(bytes, DEFAULT_MAX_MESSAGE)
}

/// As [`frame`], with another cap on the message's size.
pub fn frame_with_limit(
    bytes: &[u8],
    max_message: usize,
) -> Result<Option<(Message<'_>, usize)>, GarbledError> {
    let _ = (bytes, max_message);
    todo!()
}

impl<'a> Message<'a> {
    /// The whole message, BeginString to the SOH after CheckSum.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
    /// MsgType(35).
    pub fn msg_type(&self) -> &'a [u8] {
        todo!()
    }
    /// MsgSeqNum(34).
    pub fn msg_seq_num(&self) -> Result<u32, FieldError> {
        todo!()
    }
    /// First field with this tag.
    pub fn get(&self, tag: u32) -> Option<&'a [u8]> {
        let _ = tag;
        todo!()
    }
    /// All fields in order, CheckSum included.
    pub fn fields(&self) -> Fields<'a> {
        todo!()
    }
    /// As UTF-8 text.
    pub fn str(&self, tag: u32) -> Result<&'a str, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `int`.
    pub fn int(&self, tag: u32) -> Result<i64, FieldError> {
        let _ = tag;
        todo!()
    }
    /// Unsigned `int`.
    pub fn uint(&self, tag: u32) -> Result<u64, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `float`, `Qty`, `Price`, exactly.
    pub fn decimal(&self, tag: u32) -> Result<Decimal, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `char`.
    pub fn char(&self, tag: u32) -> Result<u8, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `Boolean`: Y or N.
    pub fn bool(&self, tag: u32) -> Result<bool, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `UTCTimestamp` in nanoseconds since the epoch.
    pub fn timestamp(&self, tag: u32) -> Result<Nanos, FieldError> {
        let _ = tag;
        todo!()
    }
    /// Entries of a repeating group: `members[0]` is the delimiter; an entry ends at the next
    /// delimiter or at the first tag that is not a member. Empty when the count is absent.
    pub fn group<'m>(&self, count_tag: u32, members: &'m [u32]) -> Entries<'a, 'm> {
        let _ = (count_tag, members);
        todo!()
    }
}

/// Iterator over `(tag, value)`.
#[derive(Clone)]
pub struct Fields<'a> {
    rest: &'a [u8],
}
impl<'a> Iterator for Fields<'a> {
    type Item = (u32, &'a [u8]);
    fn next(&mut self) -> Option<Self::Item> {
        let _ = self.rest;
        todo!()
    }
}

/// Iterator over the entries of a repeating group.
#[derive(Clone)]
pub struct Entries<'a, 'm> {
    rest: &'a [u8],
    members: &'m [u32],
}
impl<'a, 'm> Iterator for Entries<'a, 'm> {
    type Item = Entry<'a>;
    fn next(&mut self) -> Option<Entry<'a>> {
        let _ = (self.rest, self.members);
        todo!()
    }
}

/// One entry of a repeating group; has the same getters as [`Message`].
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    bytes: &'a [u8],
}
impl<'a> Entry<'a> {
    /// First field with this tag.
    pub fn get(&self, tag: u32) -> Option<&'a [u8]> {
        let _ = (tag, self.bytes);
        todo!()
    }
    /// All fields in order.
    pub fn fields(&self) -> Fields<'a> {
        todo!()
    }
    /// `int`.
    pub fn int(&self, tag: u32) -> Result<i64, FieldError> {
        let _ = tag;
        todo!()
    }
    /// Unsigned `int`.
    pub fn uint(&self, tag: u32) -> Result<u64, FieldError> {
        let _ = tag;
        todo!()
    }
    /// Exact decimal.
    pub fn decimal(&self, tag: u32) -> Result<Decimal, FieldError> {
        let _ = tag;
        todo!()
    }
    /// `char`.
    pub fn char(&self, tag: u32) -> Result<u8, FieldError> {
        let _ = tag;
        todo!()
    }
    /// As UTF-8 text.
    pub fn str(&self, tag: u32) -> Result<&'a str, FieldError> {
        let _ = tag;
        todo!()
    }
}

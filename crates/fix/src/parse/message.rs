//! A whole message and its fields.

use super::field::Scanned;
use super::{Entries, FieldError, Fields};
use crate::tag;
use crate::value::{self, Decimal};
use saker_wire::time::Nanos;

/// Fields that are found without scanning; those after them are scanned for.
const INDEXED: usize = 32;

/// A whole, verified message, borrowed from the bytes it was read from.
///
/// The first 32 fields are indexed on the stack; a tag is looked up by comparing 32 integers.
/// Fields beyond are found by scanning their bytes. Nothing is allocated.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    bytes: &'a [u8],
    tags: [u32; INDEXED],
    /// Start and end of each value.
    spans: [(u32, u32); INDEXED],
    indexed: usize,
    /// The scanner behind the last indexed field.
    rest: Fields<'a>,
    /// Start and end of the first tag that is not a positive integer.
    invalid_tag: Option<(u32, u32)>,
}

impl<'a> Message<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Message {
            bytes,
            tags: [0; INDEXED],
            spans: [(0, 0); INDEXED],
            indexed: 0,
            rest: Fields::new(bytes, 0),
            invalid_tag: None,
        }
    }

    /// Enters the `count`-th field; `after` is the scanner behind it.
    #[inline]
    pub(super) fn push(&mut self, count: usize, field: &Scanned, after: &Fields<'a>) {
        if field.tag == 0 && self.invalid_tag.is_none() {
            self.invalid_tag = Some((field.tag_at as u32, field.value_at as u32 - 1));
        }
        if count < INDEXED {
            self.tags[count] = field.tag;
            self.spans[count] = (field.value_at as u32, field.end as u32);
            self.indexed = count + 1;
            if self.indexed == INDEXED {
                self.rest = after.clone();
            }
        }
    }

    /// The whole message, BeginString to the SOH after CheckSum.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// BeginString(8).
    pub fn begin_string(&self) -> &'a [u8] {
        self.value_at(0)
    }

    /// MsgType(35).
    pub fn msg_type(&self) -> &'a [u8] {
        self.value_at(2)
    }

    /// MsgSeqNum(34).
    pub fn msg_seq_num(&self) -> Result<u32, FieldError> {
        let number = self.uint(tag::MSG_SEQ_NUM)?;
        u32::try_from(number).map_err(|_| FieldError::Format { tag: tag::MSG_SEQ_NUM })
    }

    /// Text of the first tag that is not a positive integer, as in `-1=x`.
    pub fn invalid_tag(&self) -> Option<&'a [u8]> {
        self.invalid_tag.map(|(start, end)| &self.bytes[start as usize..end as usize])
    }

    /// Value of the first field with this tag. CheckSum is not looked up.
    #[inline]
    pub fn get(&self, tag: u32) -> Option<&'a [u8]> {
        match self.tags[..self.indexed].iter().position(|&indexed| indexed == tag) {
            Some(index) => Some(self.value_at(index)),
            None if self.indexed < INDEXED => None,
            None => self.beyond_index(tag),
        }
    }

    /// All fields in order, BeginString to CheckSum.
    pub fn fields(&self) -> Fields<'a> {
        Fields::new(self.bytes, 0)
    }

    /// Entries of a repeating group: `members[0]` is the delimiter, and an entry ends at the next
    /// delimiter or at the first tag that is not a member. Empty when the count is absent.
    pub fn group<'m>(&self, count_tag: u32, members: &'m [u32]) -> Entries<'a, 'm> {
        match self.tags[..self.indexed].iter().position(|&indexed| indexed == count_tag) {
            Some(index) => Entries::new(self.bytes, self.spans[index].1 as usize + 1, members),
            None => Entries::after(self.rest.clone(), self.bytes, count_tag, members),
        }
    }

    #[cold]
    fn beyond_index(&self, tag: u32) -> Option<&'a [u8]> {
        self.rest.clone().find(|field| field.0 == tag).map(|field| field.1)
    }

    #[inline]
    fn value_at(&self, index: usize) -> &'a [u8] {
        let (start, end) = self.spans[index];
        &self.bytes[start as usize..end as usize]
    }
}

/// The typed getters, the same for a message and for an entry of a group.
macro_rules! typed_getters {
    ($type:ty, $lifetime:lifetime) => {
        impl<$lifetime> $type {
            /// As UTF-8 text.
            pub fn str(&self, tag: u32) -> Result<&$lifetime str, FieldError> {
                self.typed(tag, |text| std::str::from_utf8(text).ok())
            }

            /// As `int`.
            pub fn int(&self, tag: u32) -> Result<i64, FieldError> {
                self.typed(tag, value::parse_int)
            }

            /// As unsigned `int`.
            pub fn uint(&self, tag: u32) -> Result<u64, FieldError> {
                self.typed(tag, value::parse_uint)
            }

            /// As `float`, `Qty` or `Price`, exactly.
            pub fn decimal(&self, tag: u32) -> Result<Decimal, FieldError> {
                self.typed(tag, value::parse_decimal)
            }

            /// As `char`: one byte.
            pub fn char(&self, tag: u32) -> Result<u8, FieldError> {
                self.typed(tag, |text| if let [byte] = text { Some(*byte) } else { None })
            }

            /// As `Boolean`: Y or N.
            pub fn bool(&self, tag: u32) -> Result<bool, FieldError> {
                self.typed(tag, value::parse_bool)
            }

            /// As `UTCTimestamp`, in nanoseconds since the epoch.
            pub fn timestamp(&self, tag: u32) -> Result<Nanos, FieldError> {
                self.typed(tag, value::parse_timestamp)
            }

            #[inline]
            fn typed<T>(
                &self,
                tag: u32,
                parse: impl FnOnce(&$lifetime [u8]) -> Option<T>,
            ) -> Result<T, FieldError> {
                let text = self.get(tag).ok_or(FieldError::Missing { tag })?;
                parse(text).ok_or(FieldError::Format { tag })
            }
        }
    };
}

typed_getters!(Message<'a>, 'a);
typed_getters!(super::Entry<'a>, 'a);

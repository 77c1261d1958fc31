//! Presence maps (§10.5).

use super::cursor::Cursor;
use crate::error::ErrorCode;

/// The bits of a segment's presence map that are not used up, and then zeros without end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresenceMap<'i> {
    /// The next bit is the highest.
    bits: u64,
    /// How many of `bits` come from the stream.
    left: u32,
    /// Bytes of a map longer than eight bytes that are not in `bits` yet.
    more: &'i [u8],
}

impl<'i> PresenceMap<'i> {
    /// Of a block that is no segment of its own and uses no bits.
    pub const EMPTY: PresenceMap<'static> = PresenceMap { bits: 0, left: 0, more: &[] };

    /// A map that is in one word: its bits, the next one highest.
    #[inline(always)]
    pub fn of(bits: u64) -> Self {
        Self { bits, left: u64::BITS, more: &[] }
    }

    /// The bits, the next one highest, unless there are more than those in `bits`.
    #[inline(always)]
    pub fn in_one_word(&self) -> Option<u64> {
        self.more.is_empty().then_some(self.bits)
    }

    /// Reads a presence map.
    #[inline(always)]
    pub fn read(cursor: &mut Cursor<'i>, strict: bool) -> Result<Self, ErrorCode> {
        let before = *cursor;
        let (bits, left, more) = cursor.presence_map()?;
        let last_is_zero = match more.last() {
            None => left > 7 && (bits >> (64 - left)) & 0x7f == 0,
            Some(last) => more.len() > 1 && last & 0x7f == 0,
        };
        if last_is_zero && strict {
            *cursor = before;
            return Err(ErrorCode::R7);
        }
        Ok(Self { bits, left, more })
    }

    /// The next bit.
    #[inline(always)]
    pub fn next(&mut self) -> bool {
        if self.left == 0 && !self.more.is_empty() {
            self.refill();
        }
        let bit = self.bits >> 63 != 0;
        self.bits <<= 1;
        self.left = self.left.saturating_sub(1);
        bit
    }

    #[cold]
    fn refill(&mut self) {
        let (now, later) = self.more.split_at(self.more.len().min(9));
        for byte in now {
            self.bits |= u64::from(byte & 0x7f) << (64 - 7 - self.left);
            self.left += 7;
        }
        self.more = later;
    }

    /// Checks that no more bits came than were used (R8). Unused zeros need no look: a whole byte of
    /// them at the end is R7 already, and fewer fill the last byte.
    #[inline(always)]
    pub fn finish(&self, strict: bool) -> Result<(), ErrorCode> {
        if (self.bits != 0 || !self.more.is_empty()) && strict {
            Err(ErrorCode::R8)
        } else {
            Ok(())
        }
    }
}

//! Reading fields of a known type.
//!
//! An integer of one byte, then one of up to four, and a string of up to eight have a path of a few
//! instructions each; everything else is the transfer layer's. A read that fails leaves the cursor
//! in front of the entity.

use super::decode::{DecoderState, Failure};
use super::value::Decimal;
use crate::error::ErrorCode;
use crate::transfer::{self, PresenceMap};

const STOP_BITS: u64 = 0x8080_8080_8080_8080;
const STOP_BITS_4: u32 = 0x8080_8080;

/// The bytes not yet read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'i> {
    rest: &'i [u8],
}

/// The data bits of the entity that ends at bit `last_bit` of four bytes in the order of memory.
#[inline(always)]
fn squeeze(word: u32, last_bit: u32) -> u32 {
    let bytes = word.swap_bytes() >> (31 - last_bit);
    let pairs = ((bytes & 0x7f00_7f00) >> 1) | (bytes & 0x007f_007f);
    ((pairs & 0x3fff_0000) >> 2) | (pairs & 0x3fff)
}

impl<'i> Cursor<'i> {
    /// A cursor at the start of `bytes`.
    #[inline]
    pub fn new(bytes: &'i [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    /// Lets the transfer layer read; the cursor moves where it succeeds.
    #[inline(always)]
    pub(super) fn transfer<T>(
        &mut self,
        read: impl FnOnce(&mut transfer::Cursor<'i>) -> Result<T, ErrorCode>,
    ) -> Result<T, ErrorCode> {
        let mut cursor = transfer::Cursor::new(self.rest);
        let value = read(&mut cursor)?;
        self.advance(self.rest.len() - cursor.remaining());
        Ok(value)
    }

    /// The next eight bytes; behind the end there are zeros.
    #[inline(always)]
    pub(super) fn word(&self) -> u64 {
        match self.rest.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => self.last_word(),
        }
    }

    #[inline(never)]
    fn last_word(&self) -> u64 {
        // Two overlapping halves, where there are as many bytes as one of them has.
        if let (Some(low), Some(high)) = (self.rest.first_chunk::<4>(), self.rest.last_chunk::<4>())
        {
            let shift = 8 * (self.rest.len() as u32 - 4);
            let high = u64::from(u32::from_le_bytes(*high));
            return high << shift | u64::from(u32::from_le_bytes(*low));
        }
        self.rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }

    /// The next byte, where it is the whole entity: its data bits.
    #[inline(always)]
    fn single(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        if first & 0x80 == 0 {
            return None;
        }
        self.rest = rest;
        Some(first & 0x7f)
    }

    /// An unsigned entity of two to four bytes.
    #[inline(always)]
    fn few_unsigned(&mut self) -> Option<u32> {
        let word = u32::from_le_bytes(*self.rest.first_chunk::<4>()?);
        let stops = word & STOP_BITS_4;
        // A first byte without data is overlong, which is not decided here.
        if stops == 0 || word & 0xff == 0 {
            return None;
        }
        let last_bit = stops.trailing_zeros();
        self.advance(last_bit as usize / 8 + 1);
        Some(squeeze(word, last_bit))
    }

    /// A signed entity of two to four bytes.
    #[inline(always)]
    fn few_signed(&mut self) -> Option<i32> {
        let word = u32::from_le_bytes(*self.rest.first_chunk::<4>()?);
        let stops = word & STOP_BITS_4;
        // Overlong are a first byte of zeros or ones and the same sign in the second.
        let sign = word & 0x407f;
        if stops == 0 || sign == 0 || sign == 0x407f {
            return None;
        }
        let last_bit = stops.trailing_zeros();
        let length = last_bit / 8 + 1;
        self.advance(length as usize);
        let unused = 32 - 7 * length;
        Some((squeeze(word, last_bit) << unused).cast_signed() >> unused)
    }

    #[inline(never)]
    fn slow_unsigned<const NULLABLE: bool>(
        mut self,
        max: u64,
        strict: bool,
    ) -> Result<(Option<u64>, Self), ErrorCode> {
        let value = self.transfer(|cursor| cursor.unsigned::<NULLABLE>(max, strict))?;
        Ok((value, self))
    }

    #[inline(never)]
    fn slow_signed<const NULLABLE: bool>(
        mut self,
        min: i64,
        max: i64,
        strict: bool,
    ) -> Result<(Option<i64>, Self), ErrorCode> {
        let value = self.transfer(|cursor| cursor.signed::<NULLABLE>(min, max, strict))?;
        Ok((value, self))
    }

    /// An unsigned integer up to `max`, at least 2^28.
    #[inline(always)]
    pub(super) fn unsigned<const NULLABLE: bool>(
        &mut self,
        max: u64,
        state: &DecoderState,
    ) -> Result<Option<u64>, ErrorCode> {
        let bits = match self.single() {
            Some(single) => u32::from(single),
            None => match self.few_unsigned() {
                Some(few) => few,
                None => {
                    let strict = state.options.strict;
                    let (value, after) = self.slow_unsigned::<NULLABLE>(max, strict)?;
                    *self = after;
                    return Ok(value);
                }
            },
        };
        Ok(bits.checked_sub(u32::from(NULLABLE)).map(u64::from))
    }

    /// A signed integer of up to four bytes; the inner `None` is NULL.
    #[inline(always)]
    pub(super) fn small_signed<const NULLABLE: bool>(&mut self) -> Option<Option<i32>> {
        let value = match self.single() {
            Some(single) => i32::from((single << 1).cast_signed() >> 1),
            None => self.few_signed()?,
        };
        Some(match value {
            0 if NULLABLE => None,
            value => Some(value - i32::from(NULLABLE && value > 0)),
        })
    }

    /// A signed integer from `min` to `max`, both beyond 28 bits.
    #[inline(always)]
    pub(super) fn signed<const NULLABLE: bool>(
        &mut self,
        min: i64,
        max: i64,
        state: &DecoderState,
    ) -> Result<Option<i64>, ErrorCode> {
        if let Some(value) = self.small_signed::<NULLABLE>() {
            return Ok(value.map(i64::from));
        }
        let (value, after) = self.slow_signed::<NULLABLE>(min, max, state.options.strict)?;
        *self = after;
        Ok(value)
    }

    /// A scaled number (§10.6.2).
    #[inline(always)]
    pub(super) fn scaled<const NULLABLE: bool>(
        &mut self,
        state: &DecoderState,
    ) -> Result<Option<Decimal>, ErrorCode> {
        let mut after = *self;
        let exponent = match after.single() {
            Some(0) if NULLABLE => {
                *self = after;
                return Ok(None);
            }
            // -64 is out of range.
            Some(single) if single != 0x40 => {
                let value = i32::from((single << 1).cast_signed() >> 1);
                value - i32::from(NULLABLE && value > 0)
            }
            _ => {
                let strict = state.options.strict;
                let (exponent, behind) = self.slow_exponent::<NULLABLE>(strict)?;
                after = behind;
                match exponent {
                    Some(exponent) => exponent,
                    None => {
                        *self = after;
                        return Ok(None);
                    }
                }
            }
        };
        let mantissa = match after.signed::<false>(i64::MIN, i64::MAX, state) {
            Ok(mantissa) => mantissa,
            Err(ErrorCode::D2) => return Err(ErrorCode::R1),
            Err(code) => return Err(code),
        };
        *self = after;
        Ok(mantissa.map(|mantissa| Decimal { mantissa, exponent }))
    }

    #[cold]
    #[inline(never)]
    fn slow_exponent<const NULLABLE: bool>(
        mut self,
        strict: bool,
    ) -> Result<(Option<i32>, Self), ErrorCode> {
        let value = self.transfer(|cursor| cursor.exponent::<NULLABLE>(strict))?;
        Ok((value, self))
    }

    /// An ASCII string of at most eight bytes that has no zero-preamble: its bytes in the order of
    /// memory, with garbage behind them, and its length.
    #[inline(always)]
    pub(super) fn short_ascii(&mut self) -> Option<(u64, usize)> {
        let word = self.word();
        let stops = word & STOP_BITS;
        if stops == 0 || word & 0x7f == 0 {
            return None;
        }
        let length = stops.trailing_zeros() as usize / 8 + 1;
        self.advance(length);
        Some((word & !STOP_BITS, length))
    }

    /// Whether the next byte is NULL; skips it.
    #[inline(always)]
    pub fn skip_null(&mut self) -> bool {
        match self.rest.split_first() {
            Some((0x80, rest)) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }
}

/// The presence map of a segment (§10.5).
#[derive(Clone, Copy, Debug)]
pub struct Presence<'i>(PresenceMap<'i>);

impl<'i> Presence<'i> {
    /// Reads a presence map.
    ///
    /// # Errors
    /// R7 where it is overlong, or the bytes end.
    #[inline(always)]
    pub fn read(input: &mut Cursor<'i>, state: &DecoderState) -> Result<Self, Failure> {
        // A map of one byte is neither overlong nor longer than its bits.
        let strict = state.options.strict;
        match input.transfer(|cursor| PresenceMap::read(cursor, strict)) {
            Ok(map) => Ok(Self(map)),
            Err(code) => Err(Failure::outside(code, input)),
        }
    }

    /// The next bit.
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "a presence map has no end")]
    pub fn next(&mut self) -> bool {
        self.0.next()
    }

    /// Checks that no more bits came than were used.
    ///
    /// # Errors
    /// R8.
    #[inline(always)]
    pub fn finish(&self, input: &Cursor<'_>, state: &DecoderState) -> Result<(), Failure> {
        self.0.finish(state.options.strict).map_err(|code| Failure::outside(code, input))
    }
}

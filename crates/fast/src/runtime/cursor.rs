//! Reading fields of a known type.
//!
//! An integer of one byte, then one of up to four, and a string of up to eight have a path of a few
//! instructions each; most of the rest is the transfer layer's. A read that fails leaves the cursor
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

/// An unsigned entity of up to four bytes and its length, at the start of four bytes in the order
/// of memory. `None` for a longer or overlong one.
#[inline(always)]
fn small_unsigned(word: u32) -> Option<(u32, usize)> {
    if word & 0x80 != 0 {
        return Some((word & 0x7f, 1));
    }
    let stops = word & STOP_BITS_4;
    if stops == 0 || word & 0xff == 0 {
        return None;
    }
    let last_bit = stops.trailing_zeros();
    Some((squeeze(word, last_bit), last_bit as usize / 8 + 1))
}

/// The same for a signed entity.
#[inline(always)]
fn small_signed(word: u32) -> Option<(i32, usize)> {
    if word & 0x80 != 0 {
        return Some((i32::from(((word as u8) << 1).cast_signed() >> 1), 1));
    }
    let stops = word & STOP_BITS_4;
    // Overlong are a first byte of zeros or ones and the same sign in the second.
    let sign = word & 0x407f;
    if stops == 0 || sign == 0 || sign == 0x407f {
        return None;
    }
    let last_bit = stops.trailing_zeros();
    let length = last_bit / 8 + 1;
    let unused = 32 - 7 * length;
    Some(((squeeze(word, last_bit) << unused).cast_signed() >> unused, length as usize))
}

/// A string of up to eight bytes without preamble, and its length.
#[inline(always)]
fn short_ascii(word: u64) -> Option<(u64, usize)> {
    let stops = word & STOP_BITS;
    if stops == 0 || word & 0x7f == 0 {
        return None;
    }
    Some((word & !STOP_BITS, stops.trailing_zeros() as usize / 8 + 1))
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

    /// Up to seven bytes in the order of memory, the last of the input; behind them there are
    /// zeros, so that no entity ends there.
    #[inline(never)]
    fn last_word(&self) -> u64 {
        // Two overlapping halves, where there are as many bytes as one of them has.
        if let (Some(low), Some(high)) = (self.rest.first_chunk::<4>(), self.rest.last_chunk::<4>())
        {
            let shift = 8 * (self.rest.len() as u32 - 4);
            let high = u64::from(u32::from_le_bytes(*high));
            return high << shift | u64::from(u32::from_le_bytes(*low));
        }
        self.last_half().into()
    }

    /// An unsigned integer of up to four bytes.
    #[inline(always)]
    fn small_unsigned(&mut self) -> Option<u32> {
        // In each branch the compiler knows how many bytes there are, and need not check again.
        match self.rest.first_chunk::<4>() {
            Some(chunk) => {
                let (bits, length) = small_unsigned(u32::from_le_bytes(*chunk))?;
                self.advance(length);
                Some(bits)
            }
            None => {
                let (bits, length) = small_unsigned(self.last_half())?;
                self.advance(length);
                Some(bits)
            }
        }
    }

    /// Up to three bytes.
    #[inline(never)]
    fn last_half(&self) -> u32 {
        self.rest.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
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
        if let Some(bits) = self.small_unsigned() {
            return Ok(bits.checked_sub(u32::from(NULLABLE)).map(u64::from));
        }
        if !NULLABLE
            && max == u64::MAX
            && let Some(value) = self.nine_bytes()
        {
            return Ok(Some(value));
        }
        let (value, after) = self.slow_unsigned::<NULLABLE>(max, state.options.strict)?;
        *self = after;
        Ok(value)
    }

    /// An unsigned integer of nine bytes, as times of day with a date have it.
    #[inline(always)]
    fn nine_bytes(&mut self) -> Option<u64> {
        let (head, tail) = self.rest.split_first_chunk::<8>()?;
        let (last, rest) = tail.split_first()?;
        let word = u64::from_le_bytes(*head);
        if word & STOP_BITS != 0 || word & 0xff == 0 || last & 0x80 == 0 {
            return None;
        }
        self.rest = rest;
        Some(transfer::squeeze(word.swap_bytes()) << 7 | u64::from(last & 0x7f))
    }

    /// A signed integer of up to four bytes; the inner `None` is NULL.
    #[inline(always)]
    pub(super) fn small_signed<const NULLABLE: bool>(&mut self) -> Option<Option<i32>> {
        // In each branch the compiler knows how many bytes there are, and need not check again.
        let value = match self.rest.first_chunk::<4>() {
            Some(chunk) => {
                let (value, length) = small_signed(u32::from_le_bytes(*chunk))?;
                self.advance(length);
                value
            }
            None => {
                let (value, length) = small_signed(self.last_half())?;
                self.advance(length);
                value
            }
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

    /// A scaled number (§10.6.2): an exponent of one byte and a mantissa of up to four share a
    /// word.
    #[inline(always)]
    pub(super) fn scaled<const NULLABLE: bool>(
        &mut self,
        state: &DecoderState,
    ) -> Result<Option<Decimal>, ErrorCode> {
        if let Some(chunk) = self.rest.first_chunk::<8>() {
            let word = u64::from_le_bytes(*chunk);
            let first = word as u8;
            if NULLABLE && first == 0x80 {
                self.advance(1);
                return Ok(None);
            }
            // -64 is out of range.
            if first & 0x80 != 0
                && first != 0xc0
                && let Some((mantissa, length)) = small_signed((word >> 8) as u32)
            {
                self.advance(1 + length);
                let exponent = i32::from((first << 1).cast_signed() >> 1);
                let exponent = exponent - i32::from(NULLABLE && exponent > 0);
                return Ok(Some(Decimal { mantissa: mantissa.into(), exponent }));
            }
        }
        let (value, after) = self.slow_scaled::<NULLABLE>(state.options.strict)?;
        *self = after;
        Ok(value)
    }

    #[inline(never)]
    fn slow_scaled<const NULLABLE: bool>(
        mut self,
        strict: bool,
    ) -> Result<(Option<Decimal>, Self), ErrorCode> {
        let range = |code| if code == ErrorCode::D2 { ErrorCode::R1 } else { code };
        let value = self.transfer(|cursor| {
            let Some(exponent) = cursor.exponent::<NULLABLE>(strict)? else { return Ok(None) };
            let mantissa = cursor.signed::<false>(i64::MIN, i64::MAX, strict).map_err(range)?;
            Ok(mantissa.map(|mantissa| Decimal { mantissa, exponent }))
        })?;
        Ok((value, self))
    }

    /// An ASCII string of at most eight bytes that has no zero-preamble: its bytes in the order of
    /// memory, with others behind them, and its length.
    #[inline(always)]
    pub(super) fn short_ascii(&mut self) -> Option<(u64, usize)> {
        match self.rest.first_chunk::<8>() {
            Some(chunk) => {
                let (word, length) = short_ascii(u64::from_le_bytes(*chunk))?;
                self.advance(length);
                Some((word, length))
            }
            None => {
                let (word, length) = short_ascii(self.last_word())?;
                self.advance(length);
                Some((word, length))
            }
        }
    }

    /// The same for at most sixteen bytes, 16 bytes before the end at least.
    #[inline(always)]
    pub(super) fn medium_ascii(&mut self) -> Option<([u8; 16], usize)> {
        let chunk = u128::from_le_bytes(*self.rest.first_chunk::<16>()?);
        let both = u128::from(STOP_BITS) << 64 | u128::from(STOP_BITS);
        let stops = chunk & both;
        if stops == 0 || chunk & 0x7f == 0 {
            return None;
        }
        let length = stops.trailing_zeros() as usize / 8 + 1;
        self.advance(length);
        Some(((chunk & !both).to_le_bytes(), length))
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

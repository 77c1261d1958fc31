//! Reading fields of a known type.
//!
//! The next eight bytes are one word; the stop bits in it tell where a field ends, and what is
//! short is taken out of it by a few shifts. What is longer, overlong or cut off goes to the
//! transfer layer, which also knows the errors. A read that fails leaves the cursor in front of
//! the entity.
//!
//! Near the end of a message there are no eight bytes to look at. The end is therefore copied once,
//! with zeros behind it ([`Ending`]), and the cursor moves over to the copy when it comes there:
//! zeros have no stop bit, so that no field ends in them.
//!
//! A function that is not inlined gets what is left as a slice and returns how much it has read,
//! never a reference to the cursor: the cursor then lives in registers.

use super::value::Decimal;
use crate::error::ErrorCode;
use crate::transfer::{self, EXPONENTS, NULLABLE_EXPONENTS, STOP_BITS};
use std::num::{NonZeroU32, NonZeroU64};

const STOP_BITS_4: u32 = 0x8080_8080;
/// Bytes of the end of a message that are copied, and zeros behind them.
const END: usize = 16;

/// The last bytes of a message with zeros behind them.
#[derive(Clone, Copy, Debug)]
pub struct Ending([u8; 2 * END]);

impl Ending {
    /// Copies the end of `bytes`.
    #[inline(always)]
    pub fn of(bytes: &[u8]) -> Self {
        let mut ending = [0; 2 * END];
        match bytes.last_chunk::<END>() {
            Some(last) => ending[..END].copy_from_slice(last),
            None => ending[END - bytes.len()..END].copy_from_slice(bytes),
        }
        Self(ending)
    }
}

impl Ending {
    /// The last `count` bytes and the zeros behind them.
    #[cold]
    #[inline(never)]
    fn last(&self, count: usize) -> &[u8] {
        &self.0[END - count..]
    }
}

/// The bytes not yet read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'i> {
    rest: &'i [u8],
    /// The copy of the end; `rest` may lie in it.
    ending: &'i Ending,
}

/// A value, and how many bytes it has taken.
pub(super) type Read<T> = Result<(T, usize), ErrorCode>;

/// The data bits of the entity of up to four bytes whose last bit is `last` of `word`, first byte
/// in the low bits; they are at bits 24 to 51 of the result, with others above and below.
#[inline(always)]
fn gather(word: u32, last: u32) -> u64 {
    // The last byte goes to the top; bytes become pairs of 14 bits, pairs become 28 bits.
    let word = word << (31 - last);
    let pairs = (u64::from(word & 0x007f_007f) << 15) + u64::from(word & 0x7f00_7f00);
    pairs.wrapping_mul(1 << 30 | 1)
}

/// An unsigned entity of two to four bytes and its length. `None` for a longer or overlong one.
#[inline(always)]
pub(super) fn short_unsigned(word: u32) -> Option<(u32, usize)> {
    if word as u8 == 0 {
        return None;
    }
    let last = NonZeroU32::new(word & STOP_BITS_4)?.trailing_zeros();
    let bits = (gather(word, last) >> 24) as u32 & 0x0fff_ffff;
    Some((bits, (last as usize + 1) / 8))
}

/// The same for a signed entity.
#[inline(always)]
fn short_signed(word: u32) -> Option<(i32, usize)> {
    // Overlong are a first byte of zeros or ones and the same sign in the second.
    if (word & 0x407f).wrapping_sub(1) >= 0x407e {
        return None;
    }
    let last = NonZeroU32::new(word & STOP_BITS_4)?.trailing_zeros();
    let length = (last + 1) / 8;
    // The sign goes to the top and back.
    let unused = 39 - last + length;
    let value = (gather(word, last) << unused).cast_signed() >> (unused + 24);
    Some((value as i32, length as usize))
}

/// A signed entity of one byte.
#[inline(always)]
fn one_signed(word: u32) -> i32 {
    i32::from(((word as u8) << 1).cast_signed() >> 1)
}

/// The number that a nullable one other than NULL stands for.
#[inline(always)]
fn denulled(value: i32) -> i32 {
    // One less, unless it is negative.
    value - 1 + (value.cast_unsigned() >> 31).cast_signed()
}

/// A string of up to eight bytes without preamble: its bytes, others behind them, and its length.
#[inline(always)]
fn short_ascii(word: u64) -> Option<(u64, usize)> {
    let stops = NonZeroU64::new(word & STOP_BITS)?;
    if word as u8 & 0x7f == 0 {
        return None;
    }
    Some((word ^ stops.get(), (stops.trailing_zeros() as usize + 1) / 8))
}

/// Lets the transfer layer read.
pub(super) fn transfer<'i, T>(
    rest: &'i [u8],
    read: impl FnOnce(&mut transfer::Cursor<'i>) -> Result<T, ErrorCode>,
) -> Read<T> {
    let mut cursor = transfer::Cursor::new(rest);
    let value = read(&mut cursor)?;
    Ok((value, rest.len() - cursor.remaining()))
}

#[cold]
#[inline(never)]
pub(super) fn slow_unsigned<const NULLABLE: bool>(
    rest: &[u8],
    max: u64,
    strict: bool,
) -> Read<Option<u64>> {
    transfer(rest, |cursor| cursor.unsigned::<NULLABLE>(max, strict))
}

#[cold]
#[inline(never)]
pub(super) fn slow_signed<const NULLABLE: bool>(
    rest: &[u8],
    min: i64,
    max: i64,
    strict: bool,
) -> Read<Option<i64>> {
    transfer(rest, |cursor| cursor.signed::<NULLABLE>(min, max, strict))
}

#[cold]
#[inline(never)]
pub(super) fn slow_scaled<const NULLABLE: bool>(
    rest: &[u8],
    strict: bool,
) -> Read<Option<Decimal>> {
    let range = |code| if code == ErrorCode::D2 { ErrorCode::R1 } else { code };
    transfer(rest, |cursor| {
        let Some(exponent) = cursor.exponent::<NULLABLE>(strict)? else { return Ok(None) };
        let mantissa = cursor.signed::<false>(i64::MIN, i64::MAX, strict).map_err(range)?;
        Ok(mantissa.map(|mantissa| Decimal { mantissa, exponent }))
    })
}

impl<'i> Cursor<'i> {
    /// A cursor at the start of `bytes`, of which `ending` is the end.
    #[inline(always)]
    pub fn new(bytes: &'i [u8], ending: &'i Ending) -> Self {
        Self { rest: bytes, ending }
    }

    /// The same cursor in registers: one that is an argument is in the caller's memory, where each step
    /// would be stored.
    #[inline(always)]
    #[must_use]
    pub fn local(&self) -> Self {
        Self { rest: self.rest, ending: self.ending }
    }

    /// How many bytes are left.
    #[inline(always)]
    pub fn remaining(&self) -> usize {
        let length = self.rest.len();
        let end = |bytes: &[u8]| bytes.as_ptr_range().end;
        if length >= END && end(self.rest) == end(&self.ending.0) { length - END } else { length }
    }

    /// The bytes that are left.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'i [u8] {
        &self.rest[..self.remaining()]
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    /// Goes past what a function has read.
    #[inline(always)]
    pub(super) fn past<T>(&mut self, read: Read<T>) -> Result<T, ErrorCode> {
        let (value, count) = read?;
        self.advance(count);
        Ok(value)
    }

    /// Makes sure that there are eight bytes to look at.
    #[inline(always)]
    fn window(&mut self) -> Option<&'i [u8; 8]> {
        if self.rest.len() < 8 {
            self.rest = self.ending.last(self.rest.len());
        }
        self.rest.first_chunk()
    }

    /// An unsigned integer of up to four bytes, or of up to nine where it is `LONG`; the inner
    /// `None` is NULL.
    #[inline(always)]
    pub(super) fn unsigned<const NULLABLE: bool, const LONG: bool>(
        &mut self,
    ) -> Option<Option<u64>> {
        let word = u64::from_le_bytes(*self.window()?);
        if word & 0x80 != 0 {
            self.advance(1);
            let bits = word & 0x7f;
            return Some(if NULLABLE { bits.checked_sub(1) } else { Some(bits) });
        }
        // It is not overlong, and so not NULL.
        if let Some((bits, length)) = short_unsigned(word as u32) {
            self.advance(length);
            return Some(Some(bits.wrapping_sub(u32::from(NULLABLE)).into()));
        }
        if !LONG {
            return None;
        }
        let (bits, length) = self.long_unsigned(word)?;
        self.advance(length);
        Some(Some(bits.wrapping_sub(u64::from(NULLABLE))))
    }

    /// An unsigned integer of five to nine bytes, as times with a date have it, and its length.
    #[inline(always)]
    fn long_unsigned(&self, word: u64) -> Option<(u64, usize)> {
        if word & 0xff == 0 {
            return None;
        }
        if let Some(stops) = NonZeroU64::new(word & STOP_BITS) {
            let last = stops.trailing_zeros();
            let bits = transfer::squeeze(word.swap_bytes() >> (63 - last));
            return Some((bits, (last as usize + 1) / 8));
        }
        let ninth = self.rest.get(8).filter(|byte| **byte & 0x80 != 0)?;
        Some((transfer::squeeze(word.swap_bytes()) << 7 | u64::from(ninth & 0x7f), 9))
    }

    /// A signed integer of up to four bytes; the inner `None` is NULL.
    #[inline(always)]
    pub(super) fn small_signed<const NULLABLE: bool>(&mut self) -> Option<Option<i32>> {
        let word = u64::from_le_bytes(*self.window()?) as u32;
        if word & 0x80 != 0 {
            self.advance(1);
            let value = one_signed(word);
            return Some(if !NULLABLE {
                Some(value)
            } else if value == 0 {
                None
            } else {
                Some(denulled(value))
            });
        }
        let (value, length) = short_signed(word)?;
        self.advance(length);
        Some(Some(if NULLABLE { denulled(value) } else { value }))
    }

    /// A scaled number (§10.6.2): an exponent of one byte and a mantissa of up to four share a
    /// word.
    #[inline(always)]
    pub(super) fn scaled<const NULLABLE: bool>(&mut self) -> Option<Option<Decimal>> {
        let word = u64::from_le_bytes(*self.window()?);
        if NULLABLE && word as u8 == 0x80 {
            self.advance(1);
            return Some(None);
        }
        let exponents = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
        let exponent = exponents.get(word as u8)?;
        let mantissa = (word >> 8) as u32;
        if mantissa & 0x80 != 0 {
            self.advance(2);
            let mantissa = one_signed(mantissa).into();
            return Some(Some(Decimal { mantissa, exponent }));
        }
        let (mantissa, length) = short_signed(mantissa)?;
        self.advance(length + 1);
        Some(Some(Decimal { mantissa: mantissa.into(), exponent }))
    }

    /// Goes past NULL, where it is next.
    #[inline(always)]
    pub(super) fn null(&mut self) -> bool {
        let null = self.rest.first() == Some(&0x80);
        if null {
            self.advance(1);
        }
        null
    }

    /// An ASCII string of at most eight bytes that has no zero-preamble: its bytes in the order of
    /// memory, with others behind them, and its length.
    #[inline(always)]
    pub(super) fn short_ascii(&mut self) -> Option<(u64, usize)> {
        let (word, length) = short_ascii(u64::from_le_bytes(*self.window()?))?;
        self.advance(length);
        Some((word, length))
    }

    /// The same for at most sixteen bytes.
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

    /// The presence map of up to eight bytes that is next, left-aligned; `None` also for one that
    /// is overlong.
    #[inline(always)]
    pub(super) fn short_map(&mut self) -> Option<u64> {
        let word = u64::from_le_bytes(*self.window()?);
        if word & 0x80 != 0 {
            self.advance(1);
            return Some(word << 57);
        }
        if word & 0x8000 != 0 && word & 0x7f00 != 0 {
            self.advance(2);
            return Some((word & 0x7f) << 57 | (word & 0x7f00) << 42);
        }
        let stops = NonZeroU64::new(word & STOP_BITS)?.get();
        let stop = stops & stops.wrapping_neg();
        // The bits of its byte.
        if word & (stop - (stop >> 7)) == 0 {
            return None;
        }
        self.advance(stop.trailing_zeros() as usize / 8 + 1);
        Some(transfer::squeeze((word & (stop - 1)).swap_bytes()) << 8)
    }
}

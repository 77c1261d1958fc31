//! Reading fields. A read that fails leaves the cursor in front of the entity.
//!
//! Entities of up to eight bytes are found and assembled in one word: the lowest stop bit of the
//! eight bytes ahead gives the length, shifts close the gaps. Entities of nine bytes, and those
//! within eight bytes of the end, need a little more; only the rest is read byte by byte.

use super::{STOP_BITS, squeeze};
use crate::error::ErrorCode;

/// The bytes not yet read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'i> {
    rest: &'i [u8],
}

/// A stop bit encoded entity of at most nine bytes.
#[derive(Clone, Copy)]
struct Short {
    /// Up to eight bytes in the order of memory, the first in the low bits, also those behind the
    /// entity.
    word: u64,
    /// The data bits, right-aligned.
    bits: u64,
    length: usize,
}

/// An entity that was read byte by byte.
struct Long {
    bits: u128,
    length: usize,
    /// There were more significant bits than `bits` has.
    overflow: bool,
    overlong_unsigned: bool,
    overlong_signed: bool,
}

impl Short {
    /// The entity that ends within the eight bytes of `word`; there is a stop bit.
    #[inline(always)]
    fn within(word: u64) -> Self {
        let last_bit = (word & STOP_BITS).trailing_zeros();
        let bits = squeeze(word.swap_bytes() >> (63 - last_bit));
        Self { word, bits, length: last_bit as usize / 8 + 1 }
    }

    /// Only a first byte without data and without stop bit makes an unsigned integer overlong.
    #[inline(always)]
    fn overlong_unsigned(&self) -> bool {
        self.word & 0xff == 0
    }

    #[inline(always)]
    fn overlong_signed(&self) -> bool {
        match self.word & 0xff {
            0x00 => self.word & 0x4000 == 0,
            0x7f => self.word & 0x4000 != 0,
            _ => false,
        }
    }

    /// The signed integer, and whether it is NULL.
    #[inline(always)]
    fn signed<const NULLABLE: bool>(&self, strict: bool) -> Result<(i64, bool), ErrorCode> {
        if self.overlong_signed() && strict {
            return Err(ErrorCode::R6);
        }
        let unused = 64 - 7 * self.length as u32;
        let value = (self.bits << unused).cast_signed() >> unused;
        let is_null = NULLABLE && value == 0;
        Ok((if NULLABLE && value > 0 { value - 1 } else { value }, is_null))
    }
}

impl<'i> Cursor<'i> {
    #[inline]
    pub fn new(bytes: &'i [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub fn advance(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    /// An entity that ends within eight bytes, eight bytes before the end at least.
    #[inline(always)]
    fn short(&self) -> Option<Short> {
        let word = u64::from_le_bytes(*self.rest.first_chunk::<8>()?);
        (word & STOP_BITS != 0).then(|| Short::within(word))
    }

    /// Another entity of at most nine bytes.
    #[inline(always)]
    fn less_short(&self) -> Option<Short> {
        if self.rest.len() < 8 { self.at_the_end() } else { self.nine_bytes() }
    }

    /// An entity whose last byte is the ninth, as times of day with a date have it.
    #[inline(always)]
    fn nine_bytes(&self) -> Option<Short> {
        let (head, tail) = self.rest.split_first_chunk::<8>()?;
        let last = tail.first().filter(|last| **last & 0x80 != 0)?;
        let word = u64::from_le_bytes(*head);
        let bits = squeeze(word.swap_bytes()) << 7 | u64::from(last & 0x7f);
        Some(Short { word, bits, length: 9 })
    }

    /// An entity less than eight bytes before the end.
    #[inline(always)]
    fn at_the_end(&self) -> Option<Short> {
        let mut word = 0;
        for (index, byte) in self.rest.iter().take(8).enumerate() {
            word |= u64::from(*byte) << (8 * index);
        }
        (word & STOP_BITS != 0).then(|| Short::within(word))
    }

    #[cold]
    #[inline(never)]
    fn long(&self) -> Result<Long, ErrorCode> {
        let length = self.entity_length()?;
        let mut bits: u128 = 0;
        let mut overflow = false;
        for byte in &self.rest[..length] {
            overflow |= bits >> (128 - 7) != 0;
            bits = bits << 7 | u128::from(byte & 0x7f);
        }
        let first = self.rest[0] & 0x7f;
        let second_sign = self.rest.get(1).is_some_and(|byte| byte & 0x40 != 0);
        Ok(Long {
            bits,
            length,
            overflow,
            overlong_unsigned: length > 1 && first == 0,
            overlong_signed: length > 1
                && (first == 0 && !second_sign || first == 0x7f && second_sign),
        })
    }

    /// The length of the entity ahead in bytes.
    fn entity_length(&self) -> Result<usize, ErrorCode> {
        match self.rest.iter().position(|byte| byte & 0x80 != 0) {
            Some(last) => Ok(last + 1),
            None => Err(ErrorCode::Truncated),
        }
    }

    /// The bits of a group (FAST 1.2), right-aligned; in the stream they are left-aligned in as many
    /// bytes of seven bits as they need, and the bits behind them are zero.
    ///
    /// # Errors
    /// D2 where there are other bits, R6 for a strict one where there are more bytes.
    pub fn bit_group(&mut self, bits: u32, strict: bool) -> Result<u64, ErrorCode> {
        let before = self.remaining();
        // Leading zero bits belong to the first members, so that no length is overlong here.
        let number = self.unsigned::<false>(u64::MAX, false)?.unwrap_or_default();
        let (length, wanted) = (before - self.remaining(), bits.div_ceil(7) as usize);
        let mut number = u128::from(number);
        if length < wanted {
            if strict {
                return Err(ErrorCode::D2);
            }
            number <<= 7 * (wanted - length);
        }
        for _ in wanted..length {
            if number & 0x7f != 0 {
                return Err(ErrorCode::D2);
            }
            if strict {
                return Err(ErrorCode::R6);
            }
            number >>= 7;
        }
        let unassigned = bits.div_ceil(7) * 7 - bits;
        if number & ((1 << unassigned) - 1) != 0 {
            return Err(ErrorCode::D2);
        }
        // As many bits as the group has, which are at most 63.
        u64::try_from(number >> unassigned).map_err(|_| ErrorCode::D2)
    }

    /// An unsigned integer up to `max`; NULL gives `None` where it is nullable.
    #[inline(always)]
    pub fn unsigned<const NULLABLE: bool>(
        &mut self,
        max: u64,
        strict: bool,
    ) -> Result<Option<u64>, ErrorCode> {
        if let Some(entity) = self.short() {
            return self.unsigned_of::<NULLABLE>(&entity, max, strict);
        }
        let (value, after) = self.unsigned_slow::<NULLABLE>(max, strict)?;
        *self = after;
        Ok(value)
    }

    #[inline(never)]
    fn unsigned_slow<const NULLABLE: bool>(
        self,
        max: u64,
        strict: bool,
    ) -> Result<(Option<u64>, Self), ErrorCode> {
        let Some(entity) = self.less_short() else {
            return self.unsigned_long(NULLABLE, max, strict);
        };
        let mut after = self;
        let value = after.unsigned_of::<NULLABLE>(&entity, max, strict)?;
        Ok((value, after))
    }

    #[inline(always)]
    fn unsigned_of<const NULLABLE: bool>(
        &mut self,
        entity: &Short,
        max: u64,
        strict: bool,
    ) -> Result<Option<u64>, ErrorCode> {
        if entity.overlong_unsigned() && strict {
            return Err(ErrorCode::R6);
        }
        let value = if NULLABLE { entity.bits.wrapping_sub(1) } else { entity.bits };
        let is_null = NULLABLE && entity.bits == 0;
        if value > max && !is_null {
            return Err(ErrorCode::D2);
        }
        self.advance(entity.length);
        Ok(if is_null { None } else { Some(value) })
    }

    #[cold]
    #[inline(never)]
    fn unsigned_long(
        self,
        nullable: bool,
        max: u64,
        strict: bool,
    ) -> Result<(Option<u64>, Self), ErrorCode> {
        let entity = self.long()?;
        if entity.overlong_unsigned && strict {
            return Err(ErrorCode::R6);
        }
        let after = Self { rest: &self.rest[entity.length..] };
        if nullable && entity.bits == 0 && !entity.overflow {
            return Ok((None, after));
        }
        let value = if nullable { entity.bits.wrapping_sub(1) } else { entity.bits };
        match u64::try_from(value) {
            Ok(value) if value <= max && !entity.overflow => Ok((Some(value), after)),
            _ => Err(ErrorCode::D2),
        }
    }

    /// A signed integer from `min` to `max`; NULL gives `None` where it is nullable.
    #[inline(always)]
    pub fn signed<const NULLABLE: bool>(
        &mut self,
        min: i64,
        max: i64,
        strict: bool,
    ) -> Result<Option<i64>, ErrorCode> {
        if let Some(entity) = self.short() {
            return self.signed_of::<NULLABLE>(&entity, min, max, strict);
        }
        let (value, after) = self.signed_slow::<NULLABLE>(min, max, strict)?;
        *self = after;
        Ok(value)
    }

    #[inline(never)]
    fn signed_slow<const NULLABLE: bool>(
        self,
        min: i64,
        max: i64,
        strict: bool,
    ) -> Result<(Option<i64>, Self), ErrorCode> {
        if let Some(entity) = self.less_short() {
            let mut after = self;
            let value = after.signed_of::<NULLABLE>(&entity, min, max, strict)?;
            return Ok((value, after));
        }
        let (value, after) = self.signed_long(NULLABLE, strict)?;
        let value = match value.map(i64::try_from) {
            None => None,
            Some(Ok(value)) if (min..=max).contains(&value) => Some(value),
            Some(_) => return Err(ErrorCode::D2),
        };
        Ok((value, after))
    }

    #[inline(always)]
    fn signed_of<const NULLABLE: bool>(
        &mut self,
        entity: &Short,
        min: i64,
        max: i64,
        strict: bool,
    ) -> Result<Option<i64>, ErrorCode> {
        let (value, is_null) = entity.signed::<NULLABLE>(strict)?;
        if (value < min || value > max) && !is_null {
            return Err(ErrorCode::D2);
        }
        self.advance(entity.length);
        Ok(if is_null { None } else { Some(value) })
    }

    #[cold]
    #[inline(never)]
    fn signed_long(self, nullable: bool, strict: bool) -> Result<(Option<i128>, Self), ErrorCode> {
        let entity = self.long()?;
        if entity.overlong_signed && strict {
            return Err(ErrorCode::R6);
        }
        let after = Self { rest: &self.rest[entity.length..] };
        let unused = u32::try_from(entity.length * 7).map_or(0, |bits| 128u32.saturating_sub(bits));
        let value = (entity.bits << unused).cast_signed() >> unused;
        if entity.overflow {
            return Err(ErrorCode::D2);
        }
        Ok(match value {
            0 if nullable => (None, after),
            value if nullable && value > 0 => (Some(value - 1), after),
            value => (Some(value), after),
        })
    }

    /// The exponent of a decimal, -63..=63 in one byte or more; NULL gives `None`.
    #[inline(always)]
    pub fn exponent<const NULLABLE: bool>(
        &mut self,
        strict: bool,
    ) -> Result<Option<i32>, ErrorCode> {
        if let Some(first) = self.rest.first()
            && *first & 0x80 != 0
        {
            // Sign extension from seven bits.
            let value = i32::from((first << 1).cast_signed() >> 1);
            let is_null = NULLABLE && value == 0;
            if value == -64 {
                return Err(ErrorCode::R1);
            }
            self.advance(1);
            let value = if NULLABLE && value > 0 { value - 1 } else { value };
            return Ok(if is_null { None } else { Some(value) });
        }
        match self.signed::<NULLABLE>(-63, 63, strict) {
            // The bounds above are within an i32.
            Ok(value) => Ok(value.map(|value| value as i32)),
            Err(ErrorCode::D2) => Err(ErrorCode::R1),
            Err(code) => Err(code),
        }
    }

    /// An integer delta (§10.7.1), which may be wider than the type of its field.
    #[inline(always)]
    pub fn delta(&mut self, nullable: bool, strict: bool) -> Result<Option<i128>, ErrorCode> {
        let Some(entity) = self.short().or_else(|| self.less_short()) else {
            let (value, after) = self.signed_long(nullable, strict)?;
            *self = after;
            return Ok(value);
        };
        let (value, is_null) = if nullable {
            entity.signed::<true>(strict)?
        } else {
            entity.signed::<false>(strict)?
        };
        self.advance(entity.length);
        Ok(if is_null { None } else { Some(i128::from(value)) })
    }

    /// The bytes of an ASCII string's entity, the last with its stop bit.
    pub fn ascii_entity(&mut self, max: u32) -> Result<&'i [u8], ErrorCode> {
        let length = self.entity_length()?;
        // Two bytes may be preambles.
        if length > max as usize + 2 {
            return Err(ErrorCode::Limit);
        }
        let (entity, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(entity)
    }

    /// A byte vector; NULL gives `None` where it is nullable.
    #[inline]
    pub fn bytes(
        &mut self,
        nullable: bool,
        max: u32,
        strict: bool,
    ) -> Result<Option<&'i [u8]>, ErrorCode> {
        let mut after = *self;
        let length = if nullable {
            after.unsigned::<true>(u64::from(u32::MAX), strict)?
        } else {
            after.unsigned::<false>(u64::from(u32::MAX), strict)?
        };
        let Some(length) = length else {
            *self = after;
            return Ok(None);
        };
        if length > u64::from(max) {
            return Err(ErrorCode::Limit);
        }
        let Some((bytes, rest)) = after.rest.split_at_checked(length as usize) else {
            return Err(ErrorCode::Truncated);
        };
        self.rest = rest;
        Ok(Some(bytes))
    }

    /// The bytes of a presence map.
    #[inline(always)]
    pub(super) fn presence_map(&mut self) -> Result<(u64, u32, &'i [u8]), ErrorCode> {
        if let Some(entity) = self.short().or_else(|| self.less_short()) {
            self.advance(entity.length);
            // At most nine bytes, hence 63 bits.
            let bits = 7 * entity.length as u32;
            return Ok((entity.bits << (64 - bits), bits, &[]));
        }
        let length = self.entity_length()?;
        let (entity, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok((0, 0, entity))
    }
}

/// The string that the bytes of an entity, stop bit removed, stand for (§10.6.3). `None` is NULL.
pub(crate) fn ascii_value(
    entity: &[u8],
    nullable: bool,
    strict: bool,
) -> Result<Option<&[u8]>, ErrorCode> {
    let preamble = |text: &[u8]| text.first() == Some(&0);
    if !preamble(entity) {
        return Ok(Some(entity));
    }
    let mut text = &entity[1..];
    if nullable {
        if text.is_empty() {
            return Ok(None);
        }
        if preamble(text) {
            text = &text[1..];
        } else if strict {
            return Err(ErrorCode::R9);
        } else {
            return Ok(Some(text));
        }
    }
    if strict && !text.is_empty() && !preamble(text) {
        return Err(ErrorCode::R9);
    }
    Ok(Some(text))
}

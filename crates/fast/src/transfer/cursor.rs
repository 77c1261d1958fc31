//! Reading fields. A read that fails leaves the cursor in front of the entity.
//!
//! Entities of up to eight bytes are found and assembled in one word: the lowest stop bit of the
//! eight bytes ahead gives the length, shifts close the gaps. Longer entities, and those within
//! eight bytes of the end, take the byte-wise way.

use super::{STOP_BITS, squeeze};
use crate::error::ErrorCode;

/// The bytes not yet read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'i> {
    rest: &'i [u8],
}

/// A stop bit encoded entity of at most eight bytes.
struct Short {
    /// The bytes in the order of memory, the first in the low bits, also those behind the entity.
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

    /// How many of the next eight bytes, from the first on, are NULL (0x80); 0 near the end.
    #[inline(always)]
    pub fn leading_nulls(&self) -> usize {
        match self.rest.first_chunk::<8>() {
            Some(chunk) => {
                let other = u64::from_le_bytes(*chunk) ^ STOP_BITS;
                other.trailing_zeros() as usize / 8
            }
            None => 0,
        }
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        let word = u64::from_le_bytes(*self.rest.first_chunk::<8>()?);
        let stops = word & STOP_BITS;
        if stops == 0 {
            return None;
        }
        let last_bit = stops.trailing_zeros();
        let bits = squeeze(word.swap_bytes() >> (63 - last_bit));
        Some(Short { word, bits, length: last_bit as usize / 8 + 1 })
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

    /// An unsigned integer up to `max`; NULL gives `None` where it is nullable.
    #[inline(always)]
    pub fn unsigned<const NULLABLE: bool>(
        &mut self,
        max: u64,
        strict: bool,
    ) -> Result<Option<u64>, ErrorCode> {
        let Some(entity) = self.short() else {
            let (value, after) = self.unsigned_long(NULLABLE, max, strict)?;
            *self = after;
            return Ok(value);
        };
        if entity.word & 0x7f == 0 && entity.length > 1 && strict {
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
        let Some(entity) = self.short() else {
            let (value, after) = self.signed_long(NULLABLE, strict)?;
            let value = match value {
                None => None,
                Some(value) => match i64::try_from(value) {
                    Ok(value) if (min..=max).contains(&value) => Some(value),
                    _ => return Err(ErrorCode::D2),
                },
            };
            *self = after;
            return Ok(value);
        };
        let (value, is_null) = self.signed_short::<NULLABLE>(&entity, strict)?;
        if (value < min || value > max) && !is_null {
            return Err(ErrorCode::D2);
        }
        self.advance(entity.length);
        Ok(if is_null { None } else { Some(value) })
    }

    #[inline(always)]
    fn signed_short<const NULLABLE: bool>(
        &self,
        entity: &Short,
        strict: bool,
    ) -> Result<(i64, bool), ErrorCode> {
        // The first seven bits and the sign bit of the second byte.
        let head = (entity.word & 0x7f) << 1 | (entity.word >> 14) & 1;
        if (head == 0 || head == 0xff) && entity.length > 1 && strict {
            return Err(ErrorCode::R6);
        }
        let unused = 64 - 7 * entity.length as u32;
        let value = (entity.bits << unused).cast_signed() >> unused;
        let is_null = NULLABLE && value == 0;
        Ok((if NULLABLE && value > 0 { value - 1 } else { value }, is_null))
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

    /// An integer delta (§10.7.1), which may be wider than the type of its field.
    #[inline(always)]
    pub fn delta(&mut self, nullable: bool, strict: bool) -> Result<Option<i128>, ErrorCode> {
        let Some(entity) = self.short() else {
            let (value, after) = self.signed_long(nullable, strict)?;
            *self = after;
            return Ok(value);
        };
        let (value, is_null) = if nullable {
            self.signed_short::<true>(&entity, strict)?
        } else {
            self.signed_short::<false>(&entity, strict)?
        };
        self.advance(entity.length);
        Ok(if is_null { None } else { Some(i128::from(value)) })
    }

    /// An ASCII string of at most 16 bytes that has no zero-preamble: its bytes and length.
    /// `None`, without moving, for any other.
    #[inline(always)]
    pub fn short_ascii(&mut self) -> Option<([u8; 16], usize)> {
        let chunk = self.rest.first_chunk::<16>()?;
        if chunk[0] & 0x7f == 0 {
            return None;
        }
        let (low, high) = chunk.split_at(8);
        let low = u64::from_le_bytes(*low.first_chunk::<8>()?);
        let stops = low & STOP_BITS;
        let mut text = [0; 16];
        text[..8].copy_from_slice(&(low & !STOP_BITS).to_le_bytes());
        let length = if stops != 0 {
            stops.trailing_zeros() as usize / 8 + 1
        } else {
            let high = u64::from_le_bytes(*high.first_chunk::<8>()?);
            let stops = high & STOP_BITS;
            if stops == 0 {
                return None;
            }
            text[8..].copy_from_slice(&(high & !STOP_BITS).to_le_bytes());
            8 + stops.trailing_zeros() as usize / 8 + 1
        };
        self.advance(length);
        Some((text, length))
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
        if let Some(entity) = self.short() {
            self.advance(entity.length);
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

//! A window of 64 bytes on the input, with the positions of its stop bits in one word.
//!
//! The end of the next entity is the lowest bit of that word.

use super::wide::Ahead;
use super::{Groups, STOP_BITS, Tail};

/// The bytes ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'w>(Ahead<'w>);

/// Why an entity was not read in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// It does not end in the window.
    Window,
    /// It is unusual: NULL, long, overlong, out of bounds, a string with a preamble.
    Unusual,
}

/// A short string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(super) words: [u64; 2],
    /// 1 to 16.
    pub length: usize,
}

impl Text {
    /// The string in the first `length` of `bytes`, at least one; those behind are zero.
    #[inline(always)]
    pub fn from_bytes(bytes: [u8; 16], length: usize) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self { words: [both as u64, (both >> 64) as u64], length }
    }

    /// Its bytes, and more behind them.
    #[inline(always)]
    pub fn bytes(&self) -> [u8; 16] {
        (u128::from(self.words[1]) << 64 | u128::from(self.words[0])).to_le_bytes()
    }
}

/// An entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entity {
    /// Its first eight bytes, the first in the low bits; those behind a shorter one are others.
    pub word: u64,
    /// The index of its last byte, below 64.
    pub last: usize,
}

impl Entity {
    /// Whether it is the byte that is NULL for nullable fields.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.word as u8 == 0x80
    }

    /// The data bits of one of at most eight bytes.
    #[inline(always)]
    fn unsigned<G: Groups>(self, groups: G) -> u64 {
        // 8 * last is 0, 8, .. 56: this subtracts it from 56.
        groups.gather(self.word.swap_bytes() >> ((self.last * 8) ^ 56))
    }

    /// The same with the sign repeated.
    #[inline(always)]
    fn signed<G: Groups>(self, groups: G) -> i64 {
        // The sign goes to the highest bit, from where the shift repeats it; it is by one bit more
        // than in `unsigned`.
        let bytes = (self.word.swap_bytes() << 1).cast_signed() >> ((self.last * 8) ^ 57);
        (groups.gather(bytes.cast_unsigned()) << 8).cast_signed() >> 8
    }

    /// Without data but the sign, the first byte of a signed integer is overlong.
    #[inline(always)]
    fn overlong_signed(self) -> bool {
        self.word.wrapping_add(1) & 0x7e == 0 && matches!(self.word & 0x40ff, 0 | 0x407f)
    }
}

impl<'w> Window<'w> {
    /// A window at `position` of the input, at most its length.
    #[inline(always)]
    pub fn open(input: &'w [u8], tail: &'w Tail, position: usize) -> Self {
        Self(Ahead::new(input, tail, position))
    }

    /// The position in the input.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.0.position()
    }

    /// Whether opening it anew at its position does not help.
    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.0.is_new()
    }

    /// The next entity.
    #[inline(always)]
    pub fn entity(&self) -> Option<Entity> {
        self.0.entity()
    }

    /// Goes past at most `limit` NULLs, at least one; the next entity is one. Returns how many it
    /// were.
    #[inline(always)]
    pub fn pass_nulls(&mut self, limit: usize) -> usize {
        let Some(Entity { word, .. }) = self.0.entity() else { return 0 };
        let nulls = (word ^ STOP_BITS).trailing_zeros() as usize / 8;
        let count = nulls.min(limit);
        self.0.pass_single(count);
        count
    }

    /// Whether the next entity is NULL.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.0.entity().is_some_and(Entity::is_null)
    }

    /// Goes past a NULL.
    #[inline(always)]
    pub fn pass_null(&mut self) {
        self.0.pass();
    }

    /// An unsigned integer up to `max`. NULL, where it is nullable, is unusual.
    #[inline(always)]
    pub fn unsigned<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<u64, Miss> {
        let entity = self.0.entity().ok_or(Miss::Window)?;
        if NULLABLE && entity.is_null() {
            return Err(Miss::Unusual);
        }
        self.not_null_unsigned(groups, entity, max, NULLABLE)
    }

    /// The next entity as an unsigned integer up to `max` that is not NULL.
    #[inline(always)]
    pub fn not_null_unsigned<G: Groups>(
        &mut self,
        groups: G,
        entity: Entity,
        max: u64,
        nullable: bool,
    ) -> Result<u64, Miss> {
        // A first byte of zeros is overlong.
        if entity.word as u8 == 0 {
            return Err(Miss::Unusual);
        }
        let value = if entity.last < 8 {
            entity.unsigned(groups)
        } else if entity.last == 8 {
            groups.gather(entity.word.swap_bytes()) << 7 | self.0.second_word() & 0x7f
        } else {
            return Err(Miss::Unusual);
        };
        let value = value - u64::from(nullable);
        if value > max {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(value)
    }

    /// A signed integer from `!max` to `max`. NULL, where it is nullable, is unusual.
    #[inline(always)]
    pub fn signed<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<i64, Miss> {
        let entity = self.0.entity().ok_or(Miss::Window)?;
        if NULLABLE && entity.is_null() {
            return Err(Miss::Unusual);
        }
        self.not_null_signed(groups, entity, max, NULLABLE)
    }

    /// The next entity as a signed integer from `!max` to `max` that is not NULL.
    #[inline(always)]
    pub fn not_null_signed<G: Groups>(
        &mut self,
        groups: G,
        entity: Entity,
        max: u64,
        nullable: bool,
    ) -> Result<i64, Miss> {
        if entity.last > 7 || entity.overlong_signed() {
            return Err(Miss::Unusual);
        }
        let value = entity.signed(groups);
        let value = value - i64::from(nullable && value > 0);
        if (value ^ (value >> 63)).cast_unsigned() > max {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(value)
    }

    /// A decimal, exponent in one byte and mantissa in at most eight: mantissa and exponent. NULL
    /// is unusual.
    #[inline(always)]
    pub fn decimal<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
    ) -> Result<(i64, i32), Miss> {
        let entity = self.0.entity().ok_or(Miss::Window)?;
        let exponents = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
        self.decimal_from(groups, entity, exponents)
    }

    /// The next entities as a decimal that is not NULL.
    #[inline(always)]
    pub fn decimal_from<G: Groups>(
        &mut self,
        groups: G,
        entity: Entity,
        exponents: &Exponents,
    ) -> Result<(i64, i32), Miss> {
        let exponent = exponents.get(entity.word as u8).ok_or(Miss::Unusual)?;
        let mut behind = self.0;
        behind.pass();
        let mantissa = behind.entity().ok_or(Miss::Window)?;
        if mantissa.last > 7 || mantissa.overlong_signed() {
            return Err(Miss::Unusual);
        }
        behind.pass();
        self.0 = behind;
        Ok((mantissa.signed(groups), exponent))
    }

    /// An ASCII string of at most 16 bytes without preamble.
    #[inline(always)]
    pub fn ascii(&mut self) -> Result<Text, Miss> {
        let entity = self.0.entity().ok_or(Miss::Window)?;
        self.ascii_from(entity)
    }

    /// The same of the next entity.
    #[inline(always)]
    pub fn ascii_from(&mut self, entity: Entity) -> Result<Text, Miss> {
        if entity.word & 0x7f == 0 || entity.last > 15 {
            return Err(Miss::Unusual);
        }
        let second = self.0.second_word() & !STOP_BITS;
        self.0.pass();
        Ok(Text { words: [entity.word & !STOP_BITS, second], length: entity.last + 1 })
    }

    /// An ASCII string without preamble that ends in the window, of at most `max` bytes; the last
    /// byte has its stop bit.
    #[inline(always)]
    pub fn long_ascii(&mut self, max: u32) -> Result<&'w [u8], Miss> {
        let bytes = self.0.bytes();
        match bytes.first() {
            None => Err(Miss::Window),
            Some(first) if first & 0x7f == 0 || bytes.len() > max as usize => Err(Miss::Unusual),
            Some(_) => {
                self.0.pass();
                Ok(bytes)
            }
        }
    }

    /// A presence map of at most eight bytes, its first bit highest.
    #[inline(always)]
    pub fn presence<G: Groups>(&mut self, groups: G) -> Result<u64, Miss> {
        let entity = self.0.entity().ok_or(Miss::Window)?;
        let Entity { word, last } = entity;
        if last == 0 {
            self.0.pass();
            return Ok(word << 57);
        }
        if last > 7 {
            return Err(Miss::Unusual);
        }
        let bits = entity.unsigned(groups);
        // A last byte without bits is overlong (R7).
        if bits & 0x7f == 0 {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(bits << (57 - 7 * last))
    }
}

/// Exponents of decimals that are one byte, by that byte.
#[derive(Debug)]
pub(crate) struct Exponents([i8; 256]);

/// Those of decimals that are not nullable.
pub(crate) static EXPONENTS: Exponents = Exponents::new(false);
/// Those of nullable decimals.
pub(crate) static NULLABLE_EXPONENTS: Exponents = Exponents::new(true);
/// For a byte that is none.
const NO_EXPONENT: i8 = i8::MIN;

impl Exponents {
    const fn new(nullable: bool) -> Self {
        let mut table = [NO_EXPONENT; 256];
        let mut byte = 0x80;
        while byte < 256 {
            // Sign extension from seven bits. -64 is no exponent (R1).
            let value = ((byte as u8) << 1).cast_signed() >> 1;
            if value != -64 && !(nullable && value == 0) {
                table[byte] = if nullable && value > 0 { value - 1 } else { value };
            }
            byte += 1;
        }
        Self(table)
    }

    /// The exponent that a byte is.
    #[inline(always)]
    pub fn get(&self, byte: u8) -> Option<i32> {
        let exponent = self.0[usize::from(byte)];
        (exponent != NO_EXPONENT).then_some(exponent as i32)
    }
}

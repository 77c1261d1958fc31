//! A window of 64 bytes on the input, with the positions of its stop bits in one word.
//!
//! The end of the next entity is the lowest bit of that word. The last bytes of an input are looked at
//! in a copy with zeros behind it: zeros have no stop bit, so that nothing is found beyond the end.

use std::hint::cold_path;

use super::wide::{Ahead, BEHIND, Shifts, WINDOW};
use super::{Groups, STOP_BITS};

/// The bytes ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'w>(Ahead<'w>);

/// Where a window is in the input. It is kept apart from the window, which fits into registers
/// without it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The position in the input where the window begins.
    position: usize,
    /// The address of that byte, or of its copy.
    address: usize,
}

/// A copy of the last bytes of an input, at most a window of them, with zeros behind them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tail([u8; WINDOW + BEHIND]);

impl Tail {
    /// Of no input yet.
    pub const EMPTY: Self = Self([0; WINDOW + BEHIND]);

    /// Copies the end of `input`. It is made in its place: returned, it would be copied once more.
    #[inline(always)]
    pub fn copy(&mut self, input: &[u8]) {
        match input.last_chunk::<WINDOW>() {
            Some(last) => self.0[..WINDOW].copy_from_slice(last),
            None => self.0[..input.len()].copy_from_slice(input),
        }
    }
}

/// Why an entity was not read in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// It does not end in the window.
    Window,
    /// Its first byte has no data: it is NULL, overlong or a string with a preamble.
    Blank,
    /// It is unusual: long, overlong, out of bounds.
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

/// An entity of 1 to 8 bytes.
#[derive(Clone, Copy)]
struct Entity {
    word: u64,
    length: usize,
}

/// Says that a condition seldom holds.
#[inline(always)]
fn unlikely(condition: bool) -> bool {
    if condition {
        cold_path();
    }
    condition
}

/// The sign bit of signed integers of 1 to 8 bytes.
const SIGNS: [u64; 9] = {
    let mut signs = [0; 9];
    let mut length = 1;
    while length <= 8 {
        signs[length] = 1 << (7 * length - 1);
        length += 1;
    }
    signs
};

/// Of a negative number the complement.
#[inline(always)]
fn magnitude(value: i64) -> u64 {
    (value ^ (value >> 63)).cast_unsigned()
}

impl Entity {
    #[inline(always)]
    fn unsigned<G: Groups>(self, groups: G) -> u64 {
        groups.gather_first(self.word.swap_bytes(), self.length)
    }

    /// A signed integer, unless it is overlong.
    #[inline(always)]
    fn signed<G: Groups>(self, groups: G) -> Result<i64, Miss> {
        let sign = SIGNS[self.length];
        // The bits above the sign become what it is.
        let value = (self.unsigned(groups) ^ sign).wrapping_sub(sign).cast_signed();
        // Without its first byte it would be the same, where there are others.
        if unlikely(magnitude(value) < sign >> 7) {
            return Err(Miss::Unusual);
        }
        Ok(value)
    }
}

impl<'w> Window<'w> {
    /// A window at `position` of an input that ends with `tail`.
    #[inline(always)]
    pub fn open<G: Groups>(
        groups: G,
        input: &'w [u8],
        position: usize,
        tail: &'w Tail,
        place: &mut Place,
    ) -> Self {
        let rest = input.get(position..).unwrap_or_default();
        let ahead = match rest.first_chunk() {
            Some(first) if rest.len() > WINDOW => Ahead::new(rest, 0, groups.stop_bits(first)),
            _ => {
                let copied = input.len().min(WINDOW);
                let stops = tail.0.first_chunk().map_or(0, |copy| groups.stop_bits(copy));
                Ahead::new(&tail.0, copied - rest.len(), stops)
            }
        };
        *place = Place { position, address: ahead.address() };
        Self(ahead)
    }

    /// The same where it need not be as fast.
    #[inline(never)]
    pub fn open_anew(input: &'w [u8], position: usize, tail: &'w Tail, place: &mut Place) -> Self {
        Self::open(Shifts, input, position, tail, place)
    }

    /// The same where a block begins: a window of which much has been read would end in the block
    /// anyway, and here that is foreseen.
    #[inline(always)]
    #[must_use]
    pub fn for_block<G: Groups>(
        self,
        groups: G,
        input: &'w [u8],
        tail: &'w Tail,
        place: &mut Place,
    ) -> Self {
        const MUCH: usize = 8;
        if self.passed(place) < MUCH {
            return self;
        }
        Self::open(groups, input, self.position(place), tail, place)
    }

    /// How many bytes have been read since it was opened.
    #[inline(always)]
    fn passed(&self, place: &Place) -> usize {
        self.0.address() - place.address
    }

    /// The position in the input.
    #[inline(always)]
    pub fn position(&self, place: &Place) -> usize {
        place.position + self.passed(place)
    }

    /// Whether no end of an entity is known.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing has been read since it was opened, so that opening it anew does not help.
    #[inline(always)]
    pub fn is_new(&self, place: &Place) -> bool {
        self.passed(place) == 0
    }

    /// Goes past NULLs, at most `limit`, and returns how many they were.
    #[inline(always)]
    pub fn pass_nulls(&mut self, limit: usize) -> usize {
        self.0.pass_nulls(limit)
    }

    /// Goes past NULL, where it is next.
    #[inline(always)]
    pub fn pass_null(&mut self) -> bool {
        let (word, length) = self.0.entity();
        let is_null = word as u8 == 0x80 && length == 1;
        if is_null {
            self.0.pass();
        }
        is_null
    }

    /// Why an entity whose first byte has no data is not read.
    #[inline(always)]
    fn blank(&self) -> Miss {
        if self.0.is_empty() { Miss::Window } else { Miss::Blank }
    }

    /// Why an entity of more bytes than expected is not read.
    #[inline(always)]
    fn long(length: usize) -> Miss {
        if length < WINDOW { Miss::Unusual } else { Miss::Window }
    }

    /// An unsigned integer up to `max`, which is 2^28 or more. NULL, where it is nullable, is
    /// blank.
    #[inline(always)]
    pub fn unsigned<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<u64, Miss> {
        let (word, length) = self.0.entity();
        if word & 0x7f == 0 {
            // Zero, if it is not NULL or overlong.
            if NULLABLE || length != 1 {
                return Err(self.blank());
            }
            self.0.pass();
            return Ok(0);
        }
        if !unlikely(length > 4) {
            self.0.pass();
            return Ok(Entity { word, length }.unsigned(groups) - u64::from(NULLABLE));
        }
        let value = if length <= 8 {
            Entity { word, length }.unsigned(groups)
        } else if length == 9 {
            groups.gather(word.swap_bytes()) << 7 | self.0.second_word() & 0x7f
        } else {
            return Err(Self::long(length));
        };
        let value = value - u64::from(NULLABLE);
        if value > max {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(value)
    }

    /// A signed integer from `!max` to `max`, which is 2^27 or more. NULL, where it is nullable,
    /// is blank.
    #[inline(always)]
    pub fn signed<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<i64, Miss> {
        let (word, length) = self.0.entity();
        if NULLABLE && word as u8 == 0x80 {
            return Err(self.blank());
        }
        if unlikely(length > 8) {
            return Err(Self::long(length));
        }
        let value = Entity { word, length }.signed(groups)?;
        let value = value - i64::from(NULLABLE && value > 0);
        if unlikely(length > 4) && magnitude(value) > max {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(value)
    }

    /// A decimal, exponent in one byte and mantissa in at most eight: mantissa and exponent. NULL
    /// is blank.
    #[inline(always)]
    pub fn decimal<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
    ) -> Result<(i64, i32), Miss> {
        let (word, _) = self.0.entity();
        let first = word as u8;
        let table = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
        let Some(exponent) = table.get(first) else {
            return Err(if first & 0x7f == 0 { self.blank() } else { Miss::Unusual });
        };
        let (word, length) = self.0.entity_behind_byte();
        if unlikely(!(2..=9).contains(&length)) {
            return Err(Self::long(length));
        }
        let mantissa = Entity { word, length: length - 1 }.signed(groups)?;
        self.0.pass_byte_and_entity();
        Ok((mantissa, exponent))
    }

    /// An ASCII string of at most 16 bytes without preamble.
    #[inline(always)]
    pub fn ascii(&mut self) -> Result<Text, Miss> {
        let (word, length) = self.0.entity();
        if word & 0x7f == 0 {
            return Err(self.blank());
        }
        if unlikely(length > 16) {
            return Err(Self::long(length));
        }
        let second = self.0.second_word() & !STOP_BITS;
        self.0.pass();
        Ok(Text { words: [word & !STOP_BITS, second], length })
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
        let (word, length) = self.0.entity();
        if length == 1 {
            self.0.pass();
            return Ok(word << 57);
        }
        if length > 8 {
            return Err(Self::long(length));
        }
        let bits = Entity { word, length }.unsigned(groups);
        // A last byte without bits is overlong (R7).
        if bits & 0x7f == 0 {
            return Err(Miss::Unusual);
        }
        self.0.pass();
        Ok(bits << (64 - 7 * length))
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

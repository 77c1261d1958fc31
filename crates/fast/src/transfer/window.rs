//! A window of 64 bytes on the input, with the positions of its stop bits in one word.
//!
//! The end of the next entity is the lowest bit of that word. Where fewer bytes are left than a window has,
//! it looks at a copy that is filled up with zeros: zeros have no stop bit, so that nothing is found
//! beyond the end.

use super::wide::{Ahead, VIEW, WINDOW};
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

/// Memory for the copy of the last bytes of an input.
#[derive(Clone, Debug)]
pub(crate) struct Tail([u8; VIEW]);

impl Tail {
    pub const fn new() -> Self {
        Self([0; VIEW])
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

/// An entity of at most eight bytes.
#[derive(Clone, Copy)]
struct Entity {
    word: u64,
    /// The index of its last byte, 0 to 7.
    last: usize,
}

impl Entity {
    #[inline(always)]
    fn unsigned<G: Groups>(self, groups: G) -> u64 {
        // 8 * last is 0, 8, .. 56: this subtracts it from 56.
        groups.gather(self.word.swap_bytes() >> ((self.last * 8) ^ 56))
    }

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
    /// A window at `position` of the input.
    #[inline(always)]
    pub fn open(input: &'w [u8], position: usize, tail: &'w mut Tail, place: &mut Place) -> Self {
        let ahead = match input.get(position..).and_then(<[u8]>::first_chunk::<VIEW>) {
            Some(view) => Ahead::new(view, 0),
            None => Self::open_tail(input, position, tail),
        };
        *place = Place { position, address: ahead.address() };
        Self(ahead)
    }

    /// A window on the last bytes.
    #[inline(never)]
    fn open_tail(input: &'w [u8], position: usize, tail: &'w mut Tail) -> Ahead<'w> {
        let (view, base) = match (input.last_chunk::<WINDOW>(), input.last_chunk::<VIEW>()) {
            (Some(last), _) if position >= input.len() - WINDOW => {
                let (head, rest) = tail.0.split_at_mut(WINDOW);
                head.copy_from_slice(last);
                rest.fill(0);
                (&tail.0, input.len() - WINDOW)
            }
            (_, Some(last)) => (last, input.len() - VIEW),
            _ => {
                tail.0[..input.len()].copy_from_slice(input);
                tail.0[input.len()..].fill(0);
                (&tail.0, 0)
            }
        };
        Ahead::new(view, position - base)
    }

    /// The position in the input.
    #[inline(always)]
    pub fn position(&self, place: &Place) -> usize {
        place.position + (self.0.address() - place.address)
    }

    /// Whether nothing has been read since it was opened, so that opening it anew does not help.
    #[inline(always)]
    pub fn is_new(&self, place: &Place) -> bool {
        self.0.address() == place.address
    }

    /// Goes past at most `limit` NULLs, at least one; the next entity is one. Returns how many it
    /// were.
    #[inline(always)]
    pub fn pass_nulls(&mut self, limit: usize) -> usize {
        let Some((word, _)) = self.0.entity() else { return 0 };
        let nulls = (word ^ STOP_BITS).trailing_zeros() as usize / 8;
        let count = nulls.min(limit);
        self.0.pass(count - 1);
        count
    }

    /// Whether the next entity is NULL.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.0.entity().is_some_and(|(word, _)| word as u8 == 0x80)
    }

    /// Goes past a NULL.
    #[inline(always)]
    pub fn pass_null(&mut self) {
        self.0.pass(0);
    }

    /// An unsigned integer up to `max`, which is 2^28 or more. NULL, where it is nullable, is
    /// blank.
    #[inline(always)]
    pub fn unsigned<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<u64, Miss> {
        let (word, last) = self.0.entity().ok_or(Miss::Window)?;
        if word & 0x7f == 0 {
            // Zero, if it is not NULL or overlong.
            if NULLABLE || word as u8 != 0x80 {
                return Err(Miss::Blank);
            }
            self.0.pass(0);
            return Ok(0);
        }
        if last <= 3 {
            self.0.pass(last);
            return Ok(Entity { word, last }.unsigned(groups) - u64::from(NULLABLE));
        }
        let value = if last < 8 {
            Entity { word, last }.unsigned(groups)
        } else if last == 8 {
            groups.gather(word.swap_bytes()) << 7 | self.0.second_word() & 0x7f
        } else {
            return Err(Miss::Unusual);
        };
        let value = value - u64::from(NULLABLE);
        if value > max {
            return Err(Miss::Unusual);
        }
        self.0.pass(last);
        Ok(value)
    }

    /// A signed integer from `!max` to `max`, which is 2^27 or more. NULL, where it is nullable,
    /// is unusual.
    #[inline(always)]
    pub fn signed<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<i64, Miss> {
        let (word, last) = self.0.entity().ok_or(Miss::Window)?;
        let entity = Entity { word, last };
        if last > 7 || NULLABLE && word as u8 == 0x80 || entity.overlong_signed() {
            return Err(Miss::Unusual);
        }
        let value = entity.signed(groups);
        let value = value - i64::from(NULLABLE && value > 0);
        if last > 3 && (value ^ (value >> 63)).cast_unsigned() > max {
            return Err(Miss::Unusual);
        }
        self.0.pass(last);
        Ok(value)
    }

    /// A decimal, exponent in one byte and mantissa in at most eight: mantissa and exponent. NULL
    /// is blank.
    #[inline(always)]
    pub fn decimal<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
    ) -> Result<(i64, i32), Miss> {
        let (word, _) = self.0.entity().ok_or(Miss::Window)?;
        let first = word as u8;
        let table = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
        let Some(exponent) = table.get(first) else {
            return Err(if NULLABLE && first == 0x80 { Miss::Blank } else { Miss::Unusual });
        };
        let mut behind = self.0;
        behind.pass(0);
        let (word, last) = behind.entity().ok_or(Miss::Window)?;
        let entity = Entity { word, last };
        if last > 7 || entity.overlong_signed() {
            return Err(Miss::Unusual);
        }
        behind.pass(last);
        self.0 = behind;
        Ok((entity.signed(groups), exponent))
    }

    /// An ASCII string of at most 16 bytes without preamble.
    #[inline(always)]
    pub fn ascii(&mut self) -> Result<Text, Miss> {
        let (word, last) = self.0.entity().ok_or(Miss::Window)?;
        if word & 0x7f == 0 {
            return Err(Miss::Blank);
        }
        if last > 15 {
            return Err(Miss::Unusual);
        }
        let second = self.0.second_word() & !STOP_BITS;
        self.0.pass(last);
        Ok(Text { words: [word & !STOP_BITS, second], length: last + 1 })
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
                self.0.pass(bytes.len() - 1);
                Ok(bytes)
            }
        }
    }

    /// A presence map of at most eight bytes, its first bit highest.
    #[inline(always)]
    pub fn presence<G: Groups>(&mut self, groups: G) -> Result<u64, Miss> {
        let (word, last) = self.0.entity().ok_or(Miss::Window)?;
        if last == 0 {
            self.0.pass(0);
            return Ok(word << 57);
        }
        if last > 7 {
            return Err(Miss::Unusual);
        }
        let bits = Entity { word, last }.unsigned(groups);
        // A last byte without bits is overlong (R7).
        if bits & 0x7f == 0 {
            return Err(Miss::Unusual);
        }
        self.0.pass(last);
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

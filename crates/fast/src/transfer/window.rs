//! A window of 64 bytes on the input, with the positions of its stop bits in one word.
//!
//! The end of the next entity is the lowest bit of that word, so that finding it neither waits for
//! the bytes nor for the length of the entity before. Where fewer bytes are left than a window has,
//! it looks at a copy that is filled up with zeros: zeros have no stop bit, so that nothing is found
//! beyond the end.

use super::wide::stop_bits;
use super::{Groups, STOP_BITS};

/// Bytes in which stop bits are known.
const WINDOW: usize = 64;

/// Bytes that may be looked at: a string of 16 bytes may start in the last one of the window.
const VIEW: usize = WINDOW + 16;

/// The bytes ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'w> {
    view: &'w [u8; VIEW],
    /// Bit `i` is the stop bit of byte `i` of the view, from `at` on.
    stops: u64,
    /// Where in the view the next entity begins, at most [`WINDOW`].
    at: usize,
    /// Where `at` was when the window was opened.
    opened_at: usize,
    /// The position in the input of the view's first byte; below zero, in two's complement, where
    /// the view begins before the input.
    base: usize,
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
    /// It is unusual: long, overlong, NULL, out of bounds.
    Unusual,
}

/// A short string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    words: [u64; 2],
    /// 1 to 16.
    pub length: usize,
}

impl Text {
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
    #[inline(never)]
    pub fn open(input: &'w [u8], position: usize, tail: &'w mut Tail) -> Self {
        match input.get(position..).and_then(<[u8]>::first_chunk::<VIEW>) {
            Some(view) => Self { view, stops: stop_bits(view.first_chunk().expect("a view is longer than a window")), at: 0, opened_at: 0, base: position },
            None => Self::open_tail(input, position, tail),
        }
    }

    /// A window on the last bytes.
    #[inline(always)]
    fn open_tail(input: &'w [u8], position: usize, tail: &'w mut Tail) -> Self {
        let left = input.len() - position.min(input.len());
        let (view, base) = match (input.last_chunk::<WINDOW>(), input.last_chunk::<VIEW>()) {
            (Some(last), _) if left <= WINDOW => {
                tail.0[..WINDOW].copy_from_slice(last);
                tail.0[WINDOW..].fill(0);
                (&tail.0, input.len() - WINDOW)
            }
            (_, Some(last)) => (last, input.len() - VIEW),
            _ => {
                tail.0[..input.len()].copy_from_slice(input);
                tail.0[input.len()..].fill(0);
                (&tail.0, 0)
            }
        };
        let at = position - base;
        let stops = stop_bits(view.first_chunk().expect("a view is longer than a window")) & u64::MAX.unbounded_shl(at as u32);
        Self { view, stops, at, opened_at: at, base }
    }

    /// The position in the input.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.base.wrapping_add(self.at)
    }

    /// Whether nothing has been read since it was opened, so that opening it anew does not help.
    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.at == self.opened_at
    }

    /// The eight bytes from `at` on, the first in the low bits. `at` is in the window wherever
    /// there is a stop bit.
    #[inline(always)]
    fn word_at(&self, at: usize) -> u64 {
        let at = at & (WINDOW - 1);
        let bytes: [u8; 8] = self.view[at..at + 8].try_into().expect("eight bytes are eight");
        u64::from_le_bytes(bytes)
    }

    /// The eight bytes behind those of [`Window::word_at`].
    #[inline(always)]
    fn second_word(&self) -> u64 {
        let at = (self.at & (WINDOW - 1)) + 8;
        let bytes: [u8; 8] = self.view[at..at + 8].try_into().expect("eight bytes are eight");
        u64::from_le_bytes(bytes)
    }

    #[inline(always)]
    fn end(&self) -> usize {
        self.stops.trailing_zeros() as usize
    }

    /// Goes behind the entity that ends at `end`.
    #[inline(always)]
    fn pass(&mut self, end: usize) {
        self.stops &= self.stops.wrapping_sub(1);
        self.at = end + 1;
    }

    /// How many entities from here on are NULL; 0 also where the window has no whole entity.
    #[inline(always)]
    pub fn nulls(&self) -> usize {
        if self.stops == 0 {
            return 0;
        }
        (self.word_at(self.at) ^ STOP_BITS).trailing_zeros() as usize / 8
    }

    /// Goes past `count` NULLs, at least one, of those that [`Window::nulls`] has told; returns how many it were.
    #[inline(always)]
    pub fn pass_nulls(&mut self, count: usize) -> usize {
        let count = count.min(WINDOW - self.at);
        self.at += count;
        // The last one's stop bit goes alone, since no shift is by 64.
        self.stops &= u64::MAX << ((self.at - 1) & (WINDOW - 1));
        self.stops &= self.stops.wrapping_sub(1);
        count
    }

    /// Whether the next entity is NULL.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.stops != 0 && self.word_at(self.at) as u8 == 0x80
    }

    /// Goes past a NULL.
    #[inline(always)]
    pub fn pass_null(&mut self) {
        self.pass(self.at);
    }

    /// An unsigned integer up to `max`; NULL, where it is nullable, is unusual.
    #[inline(always)]
    pub fn unsigned<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<u64, Miss> {
        if self.stops == 0 {
            return Err(Miss::Window);
        }
        let (word, end) = (self.word_at(self.at), self.end());
        let last = end - self.at;
        if word & 0x7f == 0 {
            // Zero, if it is not NULL or overlong.
            if NULLABLE || word as u8 != 0x80 {
                return Err(Miss::Unusual);
            }
            self.pass(end);
            return Ok(0);
        }
        let value = if last < 8 {
            Entity { word, last }.unsigned(groups)
        } else if last == 8 {
            groups.gather(word.swap_bytes()) << 7 | self.second_word() & 0x7f
        } else {
            return Err(Miss::Unusual);
        };
        let value = value - u64::from(NULLABLE);
        if value > max {
            return Err(Miss::Unusual);
        }
        self.pass(end);
        Ok(value)
    }

    /// A signed integer from `!max` to `max`; NULL, where it is nullable, is unusual.
    #[inline(always)]
    pub fn signed<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        max: u64,
    ) -> Result<i64, Miss> {
        if self.stops == 0 {
            return Err(Miss::Window);
        }
        let (word, end) = (self.word_at(self.at), self.end());
        let entity = Entity { word, last: end - self.at };
        if entity.last > 7 || NULLABLE && word as u8 == 0x80 || entity.overlong_signed() {
            return Err(Miss::Unusual);
        }
        let value = entity.signed(groups);
        let value = value - i64::from(NULLABLE && value > 0);
        if (value ^ (value >> 63)).cast_unsigned() > max {
            return Err(Miss::Unusual);
        }
        self.pass(end);
        Ok(value)
    }

    /// A decimal, exponent in one byte and mantissa in at most eight: mantissa and exponent.
    #[inline(always)]
    pub fn decimal<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
    ) -> Result<(i64, i32), Miss> {
        // Behind the exponent.
        let rest = self.stops & self.stops.wrapping_sub(1);
        if rest == 0 {
            return Err(Miss::Window);
        }
        let first = self.word_at(self.at) as u8;
        // Sign extension from seven bits. -64 is no exponent (R1).
        let exponent = i32::from((first << 1).cast_signed() >> 1);
        if first & 0x80 == 0 || exponent == -64 || NULLABLE && exponent == 0 {
            return Err(Miss::Unusual);
        }
        let exponent = exponent - i32::from(NULLABLE && exponent > 0);
        let (start, end) = (self.at + 1, rest.trailing_zeros() as usize);
        let entity = Entity { word: self.word_at(start), last: end - start };
        if entity.last > 7 || entity.overlong_signed() {
            return Err(Miss::Unusual);
        }
        self.stops = rest & rest.wrapping_sub(1);
        self.at = end + 1;
        Ok((entity.signed(groups), exponent))
    }

    /// An ASCII string of at most 16 bytes without preamble.
    #[inline(always)]
    pub fn ascii(&mut self) -> Result<Text, Miss> {
        if self.stops == 0 {
            return Err(Miss::Window);
        }
        let (word, end) = (self.word_at(self.at), self.end());
        let last = end - self.at;
        if word & 0x7f == 0 || last > 15 {
            return Err(Miss::Unusual);
        }
        let second = self.second_word() & !STOP_BITS;
        self.pass(end);
        Ok(Text { words: [word & !STOP_BITS, second], length: last + 1 })
    }

    /// An ASCII string without preamble that ends in the window, of at most `max` bytes; the last
    /// byte has its stop bit.
    #[inline(always)]
    pub fn long_ascii(&mut self, max: u32) -> Result<&'w [u8], Miss> {
        if self.stops == 0 {
            return Err(Miss::Window);
        }
        let end = self.end();
        match self.view.get(self.at..=end) {
            Some(text) if text.len() <= max as usize && text[0] & 0x7f != 0 => {
                self.pass(end);
                Ok(text)
            }
            _ => Err(Miss::Unusual),
        }
    }

    /// A presence map of at most eight bytes, its first bit highest.
    #[inline(always)]
    pub fn presence<G: Groups>(&mut self, groups: G) -> Result<u64, Miss> {
        if self.stops == 0 {
            return Err(Miss::Window);
        }
        let (word, end) = (self.word_at(self.at), self.end());
        let entity = Entity { word, last: end - self.at };
        if entity.last > 7 {
            return Err(Miss::Unusual);
        }
        let bits = entity.unsigned(groups);
        // A last byte without bits is overlong (R7).
        if bits & 0x7f == 0 && entity.last > 0 {
            return Err(Miss::Unusual);
        }
        self.pass(end);
        Ok(bits << (57 - 7 * entity.last))
    }
}

//! The usual case of reading: entities that lie within one word of eight bytes.
//!
//! A word holds the next eight bytes in the order of memory, the first in the low bits, and zeros
//! where the message ends before. Zeros have no stop bit, so that nothing is found beyond the end.
//! Every function answers `None` for what needs a second look (a longer entity, an overlong one,
//! the end of the message); [`Cursor`](super::Cursor) then reads it again from the start and
//! knows the errors.

use super::{STOP_BITS, squeeze};

const STOP_BITS_4: u32 = 0x8080_8080;

/// The exponent of a decimal in one byte by that byte; `NO_EXPONENT` for any that is not one.
static EXPONENTS: [i8; 256] = exponents(false);
static NULLABLE_EXPONENTS: [i8; 256] = exponents(true);
const NO_EXPONENT: i8 = i8::MIN;

const fn exponents(nullable: bool) -> [i8; 256] {
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
    table
}

/// Whether the first byte of a word has no data bits: it is NULL or zero, or begins an overlong
/// unsigned integer or a string with a preamble.
#[inline(always)]
pub(crate) fn is_blank(word: u64) -> bool {
    word & 0x7f == 0
}

/// How many bytes from the first one on are NULL (0x80).
#[inline(always)]
pub(crate) fn leading_nulls(word: u64) -> usize {
    (word ^ STOP_BITS).trailing_zeros() as usize / 8
}

/// An unsigned integer of at most four bytes and its length. The word is not blank.
#[inline(always)]
pub(crate) fn unsigned(word: u64) -> Option<(u64, usize)> {
    let word = word as u32;
    let stops = word & STOP_BITS_4;
    if stops == 0 {
        return None;
    }
    let last = stops.trailing_zeros();
    let x = (word.swap_bytes() >> (31 - last)) & 0x7f7f_7f7f;
    // Pairs of seven bits, then both pairs.
    let x = x - ((x & 0x7f00_7f00) >> 1);
    let x = (x & 0xffff) | (x >> 16 << 14);
    Some((u64::from(x), last as usize / 8 + 1))
}

/// An unsigned integer of at most nine bytes and its length; length 0 for what is not one. The word
/// is not blank; `second` is the word behind it.
#[inline(never)]
pub(crate) fn wide_unsigned(word: u64, second: u64) -> (u64, usize) {
    let stops = word & STOP_BITS;
    if stops != 0 {
        let last = stops.trailing_zeros();
        return (squeeze(word.swap_bytes() >> (63 - last)), last as usize / 8 + 1);
    }
    let ninth = second & 0xff;
    if ninth & 0x80 == 0 {
        return (0, 0);
    }
    (squeeze(word.swap_bytes()) << 7 | ninth & 0x7f, 9)
}

/// A signed integer of at most eight bytes and its length; length 0 for what is not one.
#[inline(never)]
pub(crate) fn wide_signed(word: u64) -> (i64, usize) {
    let stops = word & STOP_BITS;
    if stops == 0 || is_overlong(word as u32) {
        return (0, 0);
    }
    let last = stops.trailing_zeros();
    let length = last as usize / 8 + 1;
    let unused = 64 - 7 * length as u32;
    let bits = squeeze(word.swap_bytes() >> (63 - last));
    ((bits << unused).cast_signed() >> unused, length)
}

/// A signed integer of at most four bytes and its length.
#[inline(always)]
pub(crate) fn signed(word: u64) -> Option<(i64, usize)> {
    let word = word as u32;
    let stops = word & STOP_BITS_4;
    // Without data but the sign, the first byte may be overlong.
    if stops == 0 || may_be_overlong(word) && is_overlong(word) {
        return None;
    }
    let last = stops.trailing_zeros();
    // With the sign in the highest bit the shift repeats it; seven bits are then at the top of
    // each byte.
    let x = ((word.swap_bytes() << 1).cast_signed() >> (31 - last)).cast_unsigned() & 0xfefe_fefe;
    let x = x - ((x & 0xfe00_fe00) >> 1);
    let high = (x << 1).cast_signed() >> 18 << 14;
    let low = (x & 0x7fff) >> 1;
    Some((i64::from(high | low.cast_signed()), last as usize / 8 + 1))
}

#[inline(always)]
fn may_be_overlong(word: u32) -> bool {
    word.wrapping_add(1) & 0x7e == 0
}

#[inline(always)]
fn is_overlong(word: u32) -> bool {
    matches!(word & 0x40ff, 0 | 0x407f)
}

/// A decimal, exponent in one byte and mantissa in at most four: mantissa, exponent and length.
#[inline(always)]
pub(crate) fn decimal<const NULLABLE: bool>(word: u64) -> Option<(i64, i32, usize)> {
    let table = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
    let exponent = table[usize::from(word as u8)];
    if exponent == NO_EXPONENT {
        return None;
    }
    let (mantissa, length) = signed(word >> 8)?;
    Some((mantissa, i32::from(exponent), length + 1))
}

/// A decimal, exponent in one byte and mantissa in at most seven, as [`decimal`].
#[inline(never)]
pub(crate) fn wide_decimal<const NULLABLE: bool>(word: u64) -> Option<(i64, i32, usize)> {
    let table = if NULLABLE { &NULLABLE_EXPONENTS } else { &EXPONENTS };
    let exponent = table[usize::from(word as u8)];
    let (mantissa, length) = wide_signed(word >> 8);
    let found = exponent != NO_EXPONENT && length > 0;
    found.then_some((mantissa, i32::from(exponent), length + 1))
}

/// An ASCII string of at most eight bytes: its bytes and length. The word is not blank.
#[inline(always)]
pub(crate) fn ascii(word: u64) -> Option<(u64, usize)> {
    let stops = word & STOP_BITS;
    if stops == 0 {
        return None;
    }
    Some((word ^ stops, stops.trailing_zeros() as usize / 8 + 1))
}

#[cfg(test)]
mod tests {
    use super::super::Cursor;
    use super::*;

    /// Every two first bytes, with every position of the stop bit.
    fn words() -> impl Iterator<Item = u64> {
        (0..=0xffff_u64).flat_map(|head| {
            let later = [0x8000_0000, 0x0080_0000, 0x7fff_0000, 0x8155_0000, 0, 0xff7f_0000];
            later.into_iter().map(move |tail| 0x91_8000_0000 | tail | head)
        })
    }

    fn check<T: PartialEq + std::fmt::Debug>(
        word: u64,
        quick: Option<(T, usize)>,
        read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
    ) -> bool {
        let Some((value, length)) = quick else { return false };
        let bytes = word.to_le_bytes();
        let mut cursor = Cursor::new(&bytes);
        assert_eq!(Some(value), read(&mut cursor), "{word:016x}");
        assert_eq!(length, 8 - cursor.remaining(), "{word:016x}");
        true
    }

    #[test]
    fn the_quick_answer_is_the_thorough_one() {
        let mut answers = [0; 8];
        for word in words() {
            if !is_blank(word) {
                let read = |cursor: &mut Cursor<'_>| {
                    cursor.unsigned::<false>(u64::MAX, true).expect("it is valid")
                };
                answers[0] += u32::from(check(word, unsigned(word), read));
                let wide = Some(wide_unsigned(word, 0)).filter(|(_, length)| *length > 0);
                answers[5] += u32::from(check(word, wide, read));
                let read = |cursor: &mut Cursor<'_>| {
                    let bytes = cursor.ascii_entity(16).expect("it is valid");
                    let mut text = [0; 8];
                    text[..bytes.len()].copy_from_slice(bytes);
                    text[bytes.len() - 1] &= 0x7f;
                    Some(u64::from_le_bytes(text))
                };
                let quick = ascii(word)
                    .map(|(text, length)| (text & u64::MAX >> (64 - 8 * length), length));
                answers[1] += u32::from(check(word, quick, read));
            }
            let read = |cursor: &mut Cursor<'_>| {
                cursor.signed::<false>(i64::MIN, i64::MAX, true).expect("it is valid")
            };
            let wide = Some(wide_signed(word)).filter(|(_, length)| *length > 0);
            answers[6] += u32::from(check(word, wide, read));
            answers[2] += u32::from(check(word, signed(word), read));
            let thorough = |cursor: &mut Cursor<'_>, exponent: Option<i32>| {
                let mantissa = cursor.signed::<false>(i64::MIN, i64::MAX, true);
                Some((mantissa.expect("it is valid")?, exponent?))
            };
            let pair = |(mantissa, exponent, length)| ((mantissa, exponent), length);
            let read = |cursor: &mut Cursor<'_>| {
                let exponent = cursor.exponent::<false>(true).expect("it is valid");
                thorough(cursor, exponent)
            };
            answers[3] += u32::from(check(word, decimal::<false>(word).map(pair), read));
            let read = |cursor: &mut Cursor<'_>| {
                let exponent = cursor.exponent::<true>(true).expect("it is valid");
                thorough(cursor, exponent)
            };
            answers[7] += u32::from(check(word, wide_decimal::<true>(word).map(pair), read));
            answers[4] += u32::from(check(word, decimal::<true>(word).map(pair), read));
        }
        assert!(answers.iter().all(|count| *count > 100_000), "{answers:?}");
    }

    #[test]
    fn nine_bytes_are_one_integer() {
        for bytes in [[1, 2, 3, 4, 5, 6, 7, 8, 0x89], [0x7f; 9]] {
            let mut bytes: [u8; 9] = bytes;
            bytes[8] |= 0x80;
            let mut cursor = Cursor::new(&bytes);
            let thorough = cursor.unsigned::<false>(u64::MAX, true).expect("it is valid");
            let word = u64::from_le_bytes(*bytes.first_chunk().expect("nine bytes"));
            let (value, length) = wide_unsigned(word, u64::from(bytes[8]));
            assert_eq!((Some(value), length), (thorough, 9));
            assert_eq!(wide_unsigned(word, 0x7f), (0, 0));
        }
    }

    #[test]
    fn nulls_are_counted_from_the_front() {
        assert_eq!(leading_nulls(STOP_BITS), 8);
        assert_eq!(leading_nulls(0x8080_8080_0080_8080), 3);
        assert_eq!(leading_nulls(0x8080_8080_8080_8081), 0);
    }
}

//! Writing fields: the shortest encoding of everything.

use super::{bytes_for, spread};

/// Integers below this have at most eight bytes and are assembled in one word.
const EIGHT_BYTES: u128 = 1 << 56;

/// An unsigned integer of up to 65 bits (a nullable uInt64 needs the 65th).
#[inline]
pub(crate) fn write_unsigned(value: u128, out: &mut Vec<u8>) {
    if value < EIGHT_BYTES { write_u64(value as u64, out) } else { write_long_unsigned(value, out) }
}

/// An unsigned integer of 64 bits.
#[inline]
pub(crate) fn write_u64(value: u64, out: &mut Vec<u8>) {
    if value < 0x80 {
        out.push(value as u8 | 0x80);
    } else if u128::from(value) < EIGHT_BYTES {
        write_word(value, 64 - value.leading_zeros(), out);
    } else {
        write_long_unsigned(value.into(), out);
    }
}

/// A signed integer of 64 bits.
#[inline]
pub(crate) fn write_i64(value: i64, out: &mut Vec<u8>) {
    const LIMIT: i64 = 1 << 55;
    if (-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
    } else if (-LIMIT..LIMIT).contains(&value) {
        // The sign needs a bit, too.
        write_word(value.cast_unsigned(), 65 - (value ^ (value >> 63)).leading_zeros(), out);
    } else {
        write_long_signed(value.into(), out);
    }
}

/// The low `bits` bits of `value`, 1 to 56, as an entity; those above must repeat the highest.
#[inline]
fn write_word(value: u64, bits: u32, out: &mut Vec<u8>) {
    let length = bytes_for(bits);
    let bytes = (spread(value & ((1 << (7 * length)) - 1)) | 0x80) << (64 - 8 * length);
    // The first bytes of the word are the entity; the others are cut off again.
    let end = out.len() + length as usize;
    out.extend_from_slice(&bytes.to_be_bytes());
    out.truncate(end);
}

#[cold]
fn write_long_unsigned(value: u128, out: &mut Vec<u8>) {
    let mut buffer = [0u8; 19];
    let mut at = buffer.len();
    let mut rest = value;
    let mut stop = 0x80;
    loop {
        at -= 1;
        buffer[at] = (rest & 0x7f) as u8 | stop;
        stop = 0;
        rest >>= 7;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&buffer[at..]);
}

/// A signed integer.
#[inline]
pub(crate) fn write_signed(value: i128, out: &mut Vec<u8>) {
    match i64::try_from(value) {
        Ok(value) => write_i64(value, out),
        Err(_) => write_long_signed(value, out),
    }
}

#[cold]
fn write_long_signed(value: i128, out: &mut Vec<u8>) {
    let mut buffer = [0u8; 19];
    let mut at = buffer.len();
    let mut rest = value;
    let mut stop = 0x80;
    loop {
        at -= 1;
        buffer[at] = (rest & 0x7f) as u8 | stop;
        stop = 0;
        // What is left must be the sign, and the bit at the top of this byte must say so.
        let negative = rest & 0x40 != 0;
        rest >>= 7;
        if rest == 0 && !negative || rest == -1 && negative {
            break;
        }
    }
    out.extend_from_slice(&buffer[at..]);
}

/// An unsigned integer of a nullable type.
#[inline]
pub(crate) fn write_unsigned_nullable(value: Option<u64>, out: &mut Vec<u8>) {
    match value {
        None => write_null(out),
        Some(u64::MAX) => write_unsigned(u128::from(u64::MAX) + 1, out),
        Some(value) => write_u64(value + 1, out),
    }
}

/// A signed integer of a nullable type.
#[inline]
pub(crate) fn write_signed_nullable(value: Option<i128>, out: &mut Vec<u8>) {
    match value {
        None => write_null(out),
        Some(value) => write_signed(if value >= 0 { value + 1 } else { value }, out),
    }
}

/// An ASCII string (§10.6.3).
#[inline]
pub(crate) fn write_ascii(text: &[u8], nullable: bool, out: &mut Vec<u8>) {
    // A string that starts with zero, or has nothing to start with, needs the preamble.
    match text.first() {
        Some(0) | None if nullable => out.push(0),
        _ => {}
    }
    if text.first() == Some(&0) || text.is_empty() {
        out.push(0);
    }
    out.extend_from_slice(text);
    if let Some(last) = out.last_mut() {
        *last |= 0x80;
    }
}

/// A byte vector.
#[inline]
pub(crate) fn write_bytes(bytes: &[u8], nullable: bool, out: &mut Vec<u8>) {
    write_unsigned(bytes.len() as u128 + u128::from(nullable), out);
    out.extend_from_slice(bytes);
}

/// The NULL of every nullable type.
#[inline]
pub(crate) fn write_null(out: &mut Vec<u8>) {
    out.push(0x80);
}

/// A presence map that is being filled. Its bytes go in front of the segment's, so that room is
/// made for them when they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PresenceBits {
    /// The first 63 bits, the first one highest; bit 0 is unused.
    bits: u64,
    count: usize,
    /// Where the bits from the 64th on are in the shared store.
    store: usize,
}

impl PresenceBits {
    const INLINE: usize = 63;

    /// An empty map whose further bits go to the end of `store`.
    #[inline]
    pub fn new(store: &[bool]) -> Self {
        Self { bits: 0, count: 0, store: store.len() }
    }

    /// The same, with room for the first byte of the map at the end of `out`, which most maps need
    /// no more than.
    #[inline]
    pub fn begin(store: &[bool], out: &mut Vec<u8>) -> Self {
        out.push(0x80);
        Self::new(store)
    }

    /// A map of less than 63 bits that has been filled with `count` of them.
    pub fn of(bits: u64, count: usize, store: &[bool]) -> Self {
        Self { bits, count, store: store.len() }
    }

    /// The bits of a map of less than 63, the first one highest, and their number.
    pub fn in_one_word(&self) -> (u64, usize) {
        (self.bits, self.count)
    }

    /// Appends a bit. Maps are filled one inside the other; an inner map leaves `store` as it was.
    #[inline]
    pub fn push(&mut self, bit: bool, store: &mut Vec<bool>) {
        if self.count < Self::INLINE {
            self.bits |= u64::from(bit) << (63 - self.count);
        } else {
            store.push(bit);
        }
        self.count += 1;
    }

    /// Puts the map, without trailing zero bytes, at `position` of `out`, where
    /// [`PresenceBits::begin`] has made room for a byte.
    #[inline]
    pub fn finish(self, position: usize, store: &mut Vec<bool>, out: &mut Vec<u8>) {
        const BEHIND_FIRST_BYTE: u64 = (1 << 57) - 1;
        const BEHIND_SECOND_BYTE: u64 = (1 << 50) - 1;
        if self.bits & BEHIND_FIRST_BYTE == 0 && self.count <= Self::INLINE {
            out[position] = (self.bits >> 57) as u8 | 0x80;
        } else if self.bits & BEHIND_SECOND_BYTE == 0 && self.count <= Self::INLINE {
            out[position] = (self.bits >> 57) as u8;
            out.insert(position + 1, (self.bits >> 50) as u8 | 0x80);
        } else {
            self.finish_long(position, store, out);
        }
    }

    #[inline(never)]
    fn finish_long(self, position: usize, store: &mut Vec<bool>, out: &mut Vec<u8>) {
        let mut bytes = [0u8; 9];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = (self.bits >> (57 - 7 * index)) as u8 & 0x7f;
        }
        let mut more: Vec<u8> = Vec::new();
        for chunk in store[self.store..].chunks(7) {
            let byte = chunk
                .iter()
                .enumerate()
                .fold(0, |byte, (index, bit)| byte | u8::from(*bit) << (6 - index));
            more.push(byte);
        }
        let zeros = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
        more.truncate(zeros(&more));
        let mut length = bytes.len();
        if let Some(last) = more.last_mut() {
            *last |= 0x80;
        } else {
            length = zeros(&bytes).max(1);
            bytes[length - 1] |= 0x80;
        }
        out[position] = bytes[0];
        insert(out, position + 1, &more);
        insert(out, position + 1, &bytes[1..length]);
        store.truncate(self.store);
    }
}

fn insert(out: &mut Vec<u8>, position: usize, bytes: &[u8]) {
    let end = out.len();
    out.extend_from_slice(bytes);
    out.copy_within(position..end, position + bytes.len());
    out[position..position + bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_bytes_agree() {
        for shift in 0..70 {
            for near in -2i128..=2 {
                let value = (1i128 << shift) + near;
                for value in [value, -value] {
                    let (mut fast, mut slow) = (Vec::new(), Vec::new());
                    write_signed(value, &mut fast);
                    write_long_signed(value, &mut slow);
                    assert_eq!(fast, slow, "{value}");
                    if value >= 0 {
                        let (mut fast, mut slow) = (Vec::new(), Vec::new());
                        write_unsigned(value.cast_unsigned(), &mut fast);
                        write_long_unsigned(value.cast_unsigned(), &mut slow);
                        assert_eq!(fast, slow, "{value}");
                    }
                }
            }
        }
    }
}

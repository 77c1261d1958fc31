//! The bytes of a message that is being encoded.
//!
//! A short field is written as one word of which the next field overwrites what is too much. An
//! output is passed by value and only functions that are inlined take a reference to one: its
//! length then lives in a register.

use crate::transfer;

/// Integers below this have at most four bytes and are assembled in half a word.
const FOUR_BYTES: u64 = 1 << 28;
/// Integers below this have at most eight bytes and are assembled in one word.
const EIGHT_BYTES: u64 = 1 << 56;
/// No message is longer.
const LONGEST: usize = 1 << 31;

/// The memory that messages are written in.
#[derive(Clone, Debug, Default)]
pub struct Room {
    bytes: Vec<u8>,
    /// The message is too long.
    overflow: bool,
}

/// A message that is being written.
#[derive(Debug)]
pub struct Output<'o> {
    room: &'o mut Room,
    /// How much of it is written.
    length: u32,
}

impl Room {
    /// Begins a message.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> Output<'_> {
        self.overflow = false;
        Output { room: self, length: 0 }
    }

    /// The first bytes; `None` where the message was too long.
    #[inline(always)]
    pub(super) fn written(&self, length: usize) -> Option<&[u8]> {
        if self.overflow { None } else { self.bytes.get(..length) }
    }

    /// Makes `end` bytes accessible, unless they are too many.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        if end > LONGEST {
            self.overflow = true;
        } else {
            self.bytes.resize(end.max(2 * self.bytes.len()).max(256), 0);
        }
    }

    /// The first `count` bytes of `word`; by value, so that they need not be in memory for this.
    #[cold]
    #[inline(never)]
    fn put_slowly(&mut self, at: usize, word: u64, count: usize) {
        self.grow(at + count);
        if let Some(target) = self.bytes.get_mut(at..at + count) {
            target.copy_from_slice(&word.to_le_bytes()[..count]);
        }
    }

    #[inline(always)]
    fn put<const COUNT: usize>(&mut self, at: u32, bytes: [u8; COUNT]) {
        let at = at as usize;
        match self.bytes.get_mut(at..at + COUNT) {
            Some(target) => target.copy_from_slice(&bytes),
            None => {
                let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                self.put_slowly(at, word, COUNT);
            }
        }
    }

    /// Writes bytes and returns their end.
    fn extend(&mut self, at: u32, bytes: &[u8]) -> u32 {
        let start = at as usize;
        let end = start + bytes.len();
        if end > self.bytes.len() {
            self.grow(end);
        }
        match self.bytes.get_mut(start..end) {
            Some(target) => {
                target.copy_from_slice(bytes);
                end as u32
            }
            None => at,
        }
    }

    /// Writes the low `bits` bits of `value`, at most 56, as an entity; those above repeat the
    /// highest.
    fn entity(&mut self, at: u32, value: u64, bits: u32) -> u32 {
        let length = transfer::bytes_for(bits);
        let word = transfer::spread(value & (EIGHT_BYTES - 1)) | 0x80;
        self.put(at, (word << (64 - 8 * length)).to_be_bytes());
        at.wrapping_add(length)
    }

    /// Writes an unsigned integer of up to 65 bits (a nullable uInt64 needs the 65th).
    #[inline(never)]
    fn wide_unsigned(&mut self, at: u32, value: u128) -> u32 {
        match u64::try_from(value) {
            Ok(value) if value < EIGHT_BYTES => {
                self.entity(at, value, 64 - (value | 1).leading_zeros())
            }
            Ok(value) if value < EIGHT_BYTES << 7 => {
                self.put(at, transfer::spread(value >> 7).to_be_bytes());
                self.put(at.wrapping_add(8), [value as u8 | 0x80]);
                at.wrapping_add(9)
            }
            _ => self.long(at, value.cast_signed(), |rest, _| rest == 0),
        }
    }

    /// Writes a signed integer.
    #[inline(never)]
    fn wide_signed(&mut self, at: u32, value: i128) -> u32 {
        const LIMIT: i64 = 1 << 55;
        match i64::try_from(value) {
            Ok(value) if (-LIMIT..LIMIT).contains(&value) => {
                // The sign needs a bit, too.
                let bits = 65 - (value ^ (value >> 63)).leading_zeros();
                self.entity(at, value.cast_unsigned(), bits)
            }
            // What is left must be the sign, and the bit at the top of the byte must say so.
            _ => self.long(at, value, |rest, byte| {
                let negative = byte & 0x40 != 0;
                rest == 0 && !negative || rest == -1 && negative
            }),
        }
    }

    /// Writes seven bits a byte until the rest says that it is not needed.
    #[cold]
    fn long(&mut self, at: u32, value: i128, is_last: impl Fn(i128, u8) -> bool) -> u32 {
        let mut buffer = [0u8; 19];
        let mut first = buffer.len();
        let mut rest = value;
        let mut stop = 0x80;
        loop {
            first -= 1;
            let byte = (rest & 0x7f) as u8;
            buffer[first] = byte | stop;
            stop = 0;
            rest >>= 7;
            if is_last(rest, byte) {
                break;
            }
        }
        self.extend(at, &buffer[first..])
    }

    /// Writes an ASCII string (§10.6.3).
    #[inline(never)]
    fn ascii(&mut self, at: u32, text: &[u8], nullable: bool) -> u32 {
        // A string that starts with zero, or has nothing to start with, needs the preamble.
        let preamble = match text.first() {
            None | Some(0) => 1 + usize::from(nullable),
            Some(_) => 0,
        };
        let start = self.extend(at, &[0; 2][..preamble]);
        let end = self.extend(start, text);
        // Beyond the limit there is no such byte; the message is given up then.
        let last = (end as usize).checked_sub(1).and_then(|at| self.bytes.get_mut(at));
        if let Some(last) = last {
            *last |= 0x80;
        }
        end
    }

    /// Writes a byte vector.
    #[inline(never)]
    fn vector(&mut self, at: u32, bytes: &[u8], nullable: bool) -> u32 {
        let start = self.wide_unsigned(at, bytes.len() as u128 + u128::from(nullable));
        self.extend(start, bytes)
    }

    /// Takes `count` bytes at `start` out of what is written up to `end`.
    #[inline(never)]
    fn remove(&mut self, start: usize, count: usize, end: u32) -> u32 {
        // Beyond the limit there are no such bytes; the message is given up then.
        if let Some(written) = self.bytes.get_mut(..end as usize)
            && start + count <= written.len()
        {
            written.copy_within(start + count.., start);
        }
        end.saturating_sub(count as u32)
    }
}

/// The 28 bits of `value`, seven in each byte.
#[inline(always)]
const fn spread4(value: u32) -> u32 {
    let pairs = (value & 0x3fff) | (value & 0x0fff_c000) << 2;
    (pairs & 0x007f_007f) | (pairs & 0x3f80_3f80) << 1
}

impl Output<'_> {
    /// How many bytes are written.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.length as usize
    }

    /// Writes bytes of which `count` count.
    #[inline(always)]
    fn put<const COUNT: usize>(&mut self, bytes: [u8; COUNT], count: usize) {
        self.room.put(self.length, bytes);
        self.length = self.length.wrapping_add(count as u32);
    }

    /// Writes a byte.
    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        self.put([byte], 1);
    }

    /// Writes the NULL of every nullable type.
    #[inline(always)]
    pub(super) fn null(&mut self) {
        self.push(0x80);
    }

    /// Writes an unsigned integer.
    #[inline(always)]
    pub(super) fn unsigned(&mut self, value: u64) {
        if value < 0x80 {
            self.push(value as u8 | 0x80);
        } else if value < FOUR_BYTES {
            self.entity4(value as u32, 32 - (value as u32 | 1).leading_zeros());
        } else {
            self.wide_unsigned(value.into());
        }
    }

    /// Writes the low `bits` bits of `value`, at most 28, as an entity.
    #[inline(always)]
    fn entity4(&mut self, value: u32, bits: u32) {
        let length = transfer::bytes_for(bits);
        let word = (spread4(value) | 0x80) << (32 - 8 * length);
        self.put(word.to_be_bytes(), length as usize);
    }

    /// Writes an unsigned integer of up to 65 bits (a nullable uInt64 needs the 65th).
    #[inline(always)]
    pub(super) fn wide_unsigned(&mut self, value: u128) {
        self.length = self.room.wide_unsigned(self.length, value);
    }

    /// Writes a signed integer.
    #[inline(always)]
    pub(super) fn signed(&mut self, value: i64) {
        const LIMIT: i64 = 1 << 27;
        if (-0x40..0x40).contains(&value) {
            self.push(value as u8 | 0x80);
        } else if (-LIMIT..LIMIT).contains(&value) {
            let value = value as i32;
            // The sign needs a bit, too.
            let bits = 33 - (value ^ (value >> 31) | 1).leading_zeros();
            self.entity4(value.cast_unsigned(), bits);
        } else {
            self.wide_signed(value.into());
        }
    }

    /// Writes a signed integer.
    #[inline(always)]
    pub(super) fn wide_signed(&mut self, value: i128) {
        self.length = self.room.wide_signed(self.length, value);
    }

    /// Writes an ASCII string of 1 to 16 bytes, of which the first is not zero; `short` has others
    /// behind it.
    #[inline(always)]
    pub(super) fn short_ascii(&mut self, short: &[u8; 16], length: usize) {
        let at = self.length as usize;
        match self.room.bytes.get_mut(at..at + short.len()) {
            Some(target) => {
                target.copy_from_slice(short);
                target[(length - 1) & 15] |= 0x80;
                self.length = self.length.wrapping_add(length as u32);
            }
            None => self.ascii(&short[..length], false),
        }
    }

    /// Writes an ASCII string (§10.6.3).
    #[inline(always)]
    pub(super) fn ascii(&mut self, text: &[u8], nullable: bool) {
        self.length = self.room.ascii(self.length, text, nullable);
    }

    /// Writes a byte vector.
    #[inline(always)]
    pub(super) fn vector(&mut self, bytes: &[u8], nullable: bool) {
        self.length = self.room.vector(self.length, bytes, nullable);
    }

    /// Writes `count` zeros.
    #[inline(always)]
    pub(super) fn zeros(&mut self, count: usize) {
        for _ in 0..count {
            self.push(0);
        }
    }

    /// The `count` bytes from `start` on, where they are written.
    #[inline(always)]
    pub(super) fn at(&mut self, start: usize, count: usize) -> &mut [u8] {
        self.room.bytes.get_mut(start..start + count).unwrap_or_default()
    }

    /// Takes `count` bytes at `start` out.
    #[inline(always)]
    pub(super) fn remove(&mut self, start: usize, count: usize) {
        self.length = self.room.remove(start, count, self.length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written by `write`.
    fn written(write: impl Fn(&mut Output<'_>)) -> Vec<u8> {
        let mut room = Room::default();
        let mut output = room.begin();
        write(&mut output);
        let length = output.len();
        room.written(length).expect("it is not too long").to_vec()
    }

    #[test]
    fn the_bytes_are_those_of_the_transfer_layer() {
        for shift in 0..66 {
            for near in -2i128..=2 {
                let value = (1i128 << shift) + near;
                for value in [value, -value] {
                    let mut expected = Vec::new();
                    transfer::write_signed(value, &mut expected);
                    assert_eq!(written(|output| output.wide_signed(value)), expected, "{value}");
                    if let Ok(value) = i64::try_from(value) {
                        assert_eq!(written(|output| output.signed(value)), expected, "{value}");
                    }
                    if value < 0 {
                        continue;
                    }
                    let (mut expected, value) = (Vec::new(), value.cast_unsigned());
                    transfer::write_unsigned(value, &mut expected);
                    assert_eq!(written(|output| output.wide_unsigned(value)), expected, "{value}");
                    if let Ok(value) = u64::try_from(value) {
                        assert_eq!(written(|output| output.unsigned(value)), expected, "{value}");
                    }
                }
            }
        }
    }

    #[test]
    fn room_is_made_as_it_is_needed() {
        let mut room = Room::default();
        let mut output = room.begin();
        let mut expected = Vec::new();
        for round in 0..100usize {
            let bytes = vec![b'0' + round as u8; 7 * round + 1];
            output.vector(&bytes, false);
            transfer::write_bytes(&bytes, false, &mut expected);
            output.unsigned(round as u64);
            transfer::write_u64(round as u64, &mut expected);
            output.ascii(b"AB", true);
            output.short_ascii(b"CDEFGHIJKLMNOPQR", 3);
            expected.extend_from_slice(b"A\xc2CD\xc5");
        }
        output.remove(8, 3);
        expected.drain(8..11);
        let length = output.len();
        assert_eq!(room.written(length), Some(&*expected));
    }

    #[test]
    fn a_message_beyond_the_limit_is_noticed() {
        let mut room = Room::default();
        let mut output = room.begin();
        output.push(1);
        output.length = LONGEST as u32 - 1;
        output.signed(1_000_000);
        output.ascii(b"AB", true);
        let length = output.len();
        assert_eq!(room.written(length), None);
        assert_eq!(room.begin().len(), 0);
        assert_eq!(room.written(1), Some(&[1][..]));
    }
}

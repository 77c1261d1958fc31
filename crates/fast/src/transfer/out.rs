//! Writing short entities in one store each.
//!
//! The bytes are those of a vector that is longer than what is written, so that a word can be
//! stored wherever an entity ends; what is too much is cut off at the end.

use super::wide::Groups;
use super::window::Text;

/// Bytes that are made ready at once.
const ROOM: usize = 256;

/// A growing message.
pub(crate) struct Out {
    bytes: Vec<u8>,
    /// The end of what is written.
    at: usize,
}

impl Out {
    /// Goes on behind the last byte.
    #[inline(always)]
    pub fn new(mut bytes: Vec<u8>) -> Self {
        let at = bytes.len();
        bytes.resize(at + ROOM, 0);
        Self { bytes, at }
    }

    /// What is written.
    #[inline(always)]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.at);
        self.bytes
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Leaves room for `count` bytes.
    #[inline(always)]
    pub fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// Stores a word, of whose bytes those in front count.
    #[inline(always)]
    fn store(&mut self, at: usize, word: u64) {
        if let Some(eight) = self.bytes.get_mut(at..at + 8) {
            eight.copy_from_slice(&word.to_be_bytes());
            return;
        }
        self.bytes = grown(std::mem::take(&mut self.bytes), at);
        if let Some(eight) = self.bytes.get_mut(at..at + 8) {
            eight.copy_from_slice(&word.to_be_bytes());
        }
    }

    /// One byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.store(self.at, u64::from(byte) << 56);
        self.at += 1;
    }

    /// The NULL of every nullable type.
    #[inline(always)]
    pub fn null(&mut self) {
        self.byte(0x80);
    }

    /// The low `bits` bits of `value`, 1 to 56, as an entity, if it is to be there.
    #[inline(always)]
    fn word<G: Groups>(&mut self, groups: G, value: u64, bits: u32, present: bool) {
        // A seventh, rounded up.
        let length = (((bits + 6) * 37) >> 8) as usize;
        let entity = groups.scatter(value) | 0x80;
        // What is before the entity goes off at the top.
        self.store(self.at, entity << (64 - 8 * length as u32));
        self.at += if present { length } else { 0 };
    }

    /// An unsigned integer, if it is to be there.
    #[inline(always)]
    pub fn unsigned<G: Groups>(&mut self, groups: G, value: u64, present: bool) {
        let high = value >> 56;
        if high == 0 {
            self.word(groups, value, 64 - (value | 1).leading_zeros(), present);
        } else if present {
            if high > 0x7f {
                self.byte(1);
            }
            self.byte(high as u8 & 0x7f);
            self.word(groups, value, 56, true);
        }
    }

    /// A signed integer of at most 56 bits, if it is to be there; `false`, with nothing done, for
    /// others.
    #[inline(always)]
    pub fn signed<G: Groups>(&mut self, groups: G, value: i64, present: bool) -> bool {
        let magnitude = value ^ (value >> 63);
        if magnitude >> 55 != 0 {
            return false;
        }
        // The sign needs a bit, too.
        self.word(groups, value.cast_unsigned(), 65 - magnitude.leading_zeros(), present);
        true
    }

    /// Two signed integers; `false`, with nothing done, where one has more than 56 bits.
    #[inline(always)]
    pub fn pair<G: Groups>(&mut self, groups: G, first: i64, second: i64) -> bool {
        let start = self.at;
        let done = self.signed(groups, first, true) && self.signed(groups, second, true);
        if !done {
            self.at = start;
        }
        done
    }

    /// A decimal; `false`, with nothing done, where the exponent is not one or the mantissa has
    /// more than 56 bits.
    #[inline(always)]
    pub fn decimal<G: Groups, const NULLABLE: bool>(
        &mut self,
        groups: G,
        mantissa: i64,
        exponent: i32,
    ) -> bool {
        if !(-63..=63).contains(&exponent) {
            return false;
        }
        self.pair(groups, i64::from(exponent) + i64::from(NULLABLE && exponent >= 0), mantissa)
    }

    /// A short string, not empty and without a zero in front, if it is to be there.
    #[inline(always)]
    pub fn text(&mut self, text: Text, present: bool) {
        let Text { words: [low, high], length } = text;
        let stop = 0x80 << ((8 * (length - 1)) & 63);
        let is_short = length <= 8;
        let (low, high) = if is_short { (low | stop, high) } else { (low, high | stop) };
        self.store(self.at, low.swap_bytes());
        if !is_short {
            self.store(self.at + 8, high.swap_bytes());
        }
        self.at += if present { length } else { 0 };
    }

    /// Puts a presence map at `start`, where there is room for `reserved` bytes, at least one and
    /// at most eight; the first bit is the highest. Trailing zero bytes are left out.
    #[inline(always)]
    pub fn presence<G: Groups>(&mut self, groups: G, start: usize, reserved: usize, bits: u64) {
        // The last bit that is set is in byte `last` of seven bits each.
        let last = 63 - bits.trailing_zeros().min(63) as usize;
        let length = ((last * 37) >> 8) + 1;
        let entity = groups.scatter(bits >> 8) | 0x80 << (64 - 8 * length);
        if let Some(map) = self.bytes.get_mut(start..start + reserved) {
            for (index, byte) in map.iter_mut().enumerate().take(length) {
                *byte = (entity >> (56 - 8 * index)) as u8;
            }
        }
        if length < reserved {
            self.close(start + length, start + reserved);
        }
    }

    /// Closes a gap.
    #[inline(never)]
    fn close(&mut self, from: usize, to: usize) {
        self.bytes.copy_within(to..self.at, from);
        self.at -= to - from;
    }
}

#[cold]
#[inline(never)]
fn grown(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes.resize(at + ROOM, 0);
    bytes
}

impl Text {
    /// A string of 1 to 16 ASCII characters, the first not zero.
    #[inline(always)]
    pub fn of(text: &[u8]) -> Option<Self> {
        let words = if let (Some(first), Some(last)) =
            (text.first_chunk::<8>(), text.last_chunk::<8>())
        {
            let unused = 16usize.checked_sub(text.len())?;
            let last = u64::from_le_bytes(*last);
            [u64::from_le_bytes(*first), last.unbounded_shr(8 * unused as u32)]
        } else if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>())
        {
            let last = u64::from(u32::from_le_bytes(*last));
            [u64::from(u32::from_le_bytes(*first)) | last << (8 * (text.len() - 4)), 0]
        } else {
            let first = *text.first()?;
            let middle = text[text.len() / 2];
            let last = text[text.len() - 1];
            let word = u64::from(first)
                | u64::from(middle) << (8 * (text.len() / 2))
                | u64::from(last) << (8 * (text.len() - 1));
            [word, 0]
        };
        let plain = (words[0] | words[1]) & super::STOP_BITS == 0 && words[0] & 0xff != 0;
        plain.then_some(Self { words, length: text.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::wide::Shifts;
    use super::super::{write_ascii, write_i64, write_u64};
    use super::*;

    fn written(write: impl FnOnce(&mut Out)) -> Vec<u8> {
        let mut out = Out::new(b"before".to_vec());
        write(&mut out);
        out.into_bytes()
    }

    #[test]
    fn words_are_what_bytes_are() {
        for shift in 0..64 {
            for near in -2i64..=2 {
                let value = (1u64 << shift).wrapping_add_signed(near);
                let mut slow = b"before".to_vec();
                write_u64(value, &mut slow);
                assert_eq!(written(|out| out.unsigned(Shifts, value, true)), slow, "{value}");
                assert_eq!(written(|out| out.unsigned(Shifts, value, false)), b"before");
                let value = value.cast_signed();
                for value in [value, value.wrapping_neg()] {
                    let mut slow = b"before".to_vec();
                    write_i64(value, &mut slow);
                    let mut short = true;
                    let quick = written(|out| short = out.signed(Shifts, value, true));
                    assert!(if short { quick == slow } else { slow.len() > 6 + 8 }, "{value}");
                }
            }
        }
    }

    #[test]
    fn strings_are_what_bytes_are() {
        for length in 0..20 {
            let text: Vec<u8> = (0..length).map(|at| b'a' + at).collect();
            let Some(short) = Text::of(&text) else {
                assert!(length == 0 || length > 16);
                continue;
            };
            assert_eq!(&short.bytes()[..short.length], text);
            let mut slow = b"before".to_vec();
            write_ascii(&text, false, &mut slow);
            assert_eq!(written(|out| out.text(short, true)), slow);
            assert_eq!(written(|out| out.text(short, false)), b"before");
        }
        assert!(Text::of(b"\0a").is_none() && Text::of("aé".as_bytes()).is_none());
        assert!(Text::of(b"0123456789abcde\xff").is_none());
    }

    #[test]
    fn it_grows_where_it_is_full() {
        let mut slow = b"before".to_vec();
        let quick = written(|out| {
            for value in 0..1000 {
                out.unsigned(Shifts, value << 20, true);
                write_u64(value << 20, &mut slow);
            }
        });
        assert_eq!(quick, slow);
    }

    #[test]
    fn presence_maps_lose_their_trailing_zeros() {
        let map = |bits, reserved| {
            written(|out| {
                let start = out.position();
                out.skip(reserved);
                out.byte(0xaa);
                out.presence(Shifts, start, reserved, bits);
            })[6..]
                .to_vec()
        };
        assert_eq!(map(0, 1), [0x80, 0xaa]);
        assert_eq!(map(0, 3), [0x80, 0xaa]);
        assert_eq!(map(1 << 63, 2), [0xc0, 0xaa]);
        assert_eq!(map(1 << 57, 1), [0x81, 0xaa]);
        assert_eq!(map(1 << 56, 2), [0x00, 0xc0, 0xaa]);
        assert_eq!(map(1 << 63 | 1 << 8, 8), [0x40, 0, 0, 0, 0, 0, 0, 0x81, 0xaa]);
    }
}

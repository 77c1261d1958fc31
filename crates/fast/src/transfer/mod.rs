//! The transfer encoding (§10): stop bit encoded entities, presence maps, strings and vectors.

mod cursor;
mod out;
mod piece;
mod presence;
mod wide;
mod window;
mod write;

pub(crate) use cursor::{Cursor, ascii_value};
pub(crate) use out::Out;
pub(crate) use piece::Piece;
pub(crate) use presence::PresenceMap;
pub use wide::Groups;
pub(crate) use wide::{Processor, Work, perform};
pub(crate) use window::{EXPONENTS, Miss, NULLABLE_EXPONENTS, Place, Tail, Text, Window};
pub(crate) use write::*;

/// The stop bits of eight bytes.
pub(crate) const STOP_BITS: u64 = 0x8080_8080_8080_8080;

/// The 7-bit groups of up to eight bytes, the first byte most significant, without the gaps.
#[inline(always)]
pub(crate) const fn squeeze(bytes: u64) -> u64 {
    let x = ((bytes & 0x7f00_7f00_7f00_7f00) >> 1) | (bytes & 0x007f_007f_007f_007f);
    let x = ((x & 0x3fff_0000_3fff_0000) >> 2) | (x & 0x0000_3fff_0000_3fff);
    ((x & 0x0fff_ffff_0000_0000) >> 4) | (x & 0x0000_0000_0fff_ffff)
}

/// The inverse of [`squeeze`] for 56 bits: seven of them in each byte.
#[inline(always)]
pub(crate) const fn spread(bits: u64) -> u64 {
    let x = ((bits << 4) & 0x0fff_ffff_0000_0000) | (bits & 0x0000_0000_0fff_ffff);
    let x = ((x << 2) & 0x3fff_0000_3fff_0000) | (x & 0x0000_3fff_0000_3fff);
    ((x << 1) & 0x7f00_7f00_7f00_7f00) | (x & 0x007f_007f_007f_007f)
}

/// How many groups of seven 1 to 64 bits take: as `div_ceil`, in fewer instructions.
#[inline(always)]
pub(crate) const fn bytes_for(bits: u32) -> u32 {
    (9 * bits + 64) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bytes_as_it_takes() {
        assert!((1..=64).all(|bits: u32| bytes_for(bits) == bits.div_ceil(7)));
    }

    #[test]
    fn squeezing_closes_the_gaps() {
        for bytes in [0, 0x7f, 0x0102_0304_0506_0708, u64::MAX, 0x8100_7f00_0000_4001] {
            let naive =
                (0..8).rev().fold(0, |value, index| value << 7 | bytes >> (8 * index) & 0x7f);
            assert_eq!(squeeze(bytes), naive);
            assert_eq!(squeeze(spread(naive)), naive);
        }
    }
}

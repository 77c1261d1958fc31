//! The Internet checksum: RFC 1071 (definition, byte order, grouping) and RFC 1624 (incremental
//! update).
//!
//! A *partial* sum is a `u32` that stands for a one's-complement sum of big-endian 16-bit words and
//! is not folded to 16 bits. Partials of pieces that start at an even offset are added with `+`;
//! every partial that this module returns is below 2^19, so thousands may be added without overflow.
//! [`combine`] joins pieces when the first has an odd length.
//!
//! One's complement has two zeros. A sum is `0x0000` only if every word is zero; [`fold`] keeps that
//! distinction, and [`update16`] relies on it (RFC 1624 section 3).

use std::net::Ipv4Addr;

/// The partial sum of `bytes`, which begin at an even offset of the checksummed data; an odd last
/// byte is padded with a zero byte (RFC 1071 section 4.1). At most `0xFFFF`.
pub fn sum(bytes: &[u8]) -> u32 {
    // 32-bit words into 64 bits: 2^32 words of headroom, and 2^16 is congruent to 1 modulo 0xFFFF,
    // so a 32-bit word counts as its two halves once the total is folded. The words are taken in
    // the machine's own byte order, which only swaps the sum's bytes (RFC 1071 section 2).
    let (words, rest) = bytes.as_chunks::<4>();
    let mut total: u64 = words.iter().map(|&word| u64::from(u32::from_ne_bytes(word))).sum();
    let mut last = [0u8; 4];
    last[..rest.len()].copy_from_slice(rest);
    total += u64::from(u32::from_ne_bytes(last));
    total = (total >> 32) + (total & 0xFFFF_FFFF);
    total = (total >> 32) + (total & 0xFFFF_FFFF);
    u32::from(u16::from_be(fold(total as u32)))
}

/// Folds a partial to 16 bits with end-around carry. Zero only for zero.
pub fn fold(partial: u32) -> u16 {
    let once = (partial >> 16) + (partial & 0xFFFF);
    ((once >> 16) + (once & 0xFFFF)) as u16
}

/// The checksum field for data with this partial sum: the complement of the folded sum.
pub fn finish(partial: u32) -> u16 {
    !fold(partial)
}

/// Whether data that contains its own checksum field verifies: it sums to `0xFFFF`.
pub fn verifies(partial: u32) -> bool {
    fold(partial) == 0xFFFF
}

/// The partial of two pieces put one after the other, where the first is `first_len` bytes long.
/// After an odd length the second piece's bytes sit in the other half of their words, which swaps
/// the bytes of its sum (RFC 1071 section 2, "Byte Order Independence"). At most `0x1_FFFE`.
pub fn combine(first: u32, first_len: usize, second: u32) -> u32 {
    let second = if first_len % 2 == 1 { fold(second).swap_bytes() } else { fold(second) };
    u32::from(fold(first)) + u32::from(second)
}

/// The partial of the pseudo-header of UDP and TCP over IPv4 (RFC 768, RFC 9293 section 3.1); `len`
/// is the length of transport header and payload in bytes. At most `0x5_00FA`.
pub fn pseudo_header(src: Ipv4Addr, dst: Ipv4Addr, protocol: u8, len: u16) -> u32 {
    let src = u32::from(src);
    let dst = u32::from(dst);
    (src >> 16)
        + (src & 0xFFFF)
        + (dst >> 16)
        + (dst & 0xFFFF)
        + u32::from(protocol)
        + u32::from(len)
}

/// The checksum field after one aligned 16-bit word changed from `old` to `new`:
/// `HC' = ~(~HC + ~m + m')`, RFC 1624 equation 3.
///
/// Equal to a recomputation, except when every word of the new data is zero: then this gives
/// `0x0000` and a recomputation `0xFFFF`. A pseudo-header or IPv4 header never is all zeros.
pub fn update16(check: u16, old: u16, new: u16) -> u16 {
    update(check, u32::from(old), u32::from(new))
}

/// The checksum field after an aligned 32-bit field changed, for example a sequence number.
/// See [`update16`].
pub fn update32(check: u16, old: u32, new: u32) -> u16 {
    update(check, (old >> 16) + (old & 0xFFFF), (new >> 16) + (new & 0xFFFF))
}

/// The checksum field after a piece with partial sum `old` was replaced by an equally aligned one
/// with partial sum `new`. See [`update16`].
pub fn update(check: u16, old: u32, new: u32) -> u16 {
    finish(u32::from(!check) + u32::from(!fold(old)) + u32::from(fold(new)))
}

/// The partial that [`finish`] would turn into `check`: to go on adding to a finished checksum.
pub fn reopen(check: u16) -> u32 {
    u32::from(!check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, word by word.
    fn naive(bytes: &[u8]) -> u16 {
        let mut total: u64 = 0;
        for pair in bytes.chunks(2) {
            total += u64::from(pair[0]) << 8 | u64::from(*pair.get(1).unwrap_or(&0));
        }
        while total > 0xFFFF {
            total = (total >> 16) + (total & 0xFFFF);
        }
        total as u16
    }

    #[test]
    fn the_example_of_rfc_1071_section_3() {
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(fold(sum(&bytes)), 0xddf2);
        assert_eq!(finish(sum(&bytes)), 0x220d);
    }

    #[test]
    fn the_example_of_rfc_1624_section_4() {
        // Equation 2 of RFC 1141 would give 0xFFFF here, which is wrong.
        assert_eq!(update16(0xDD2F, 0x5555, 0x3285), 0x0000);
    }

    #[test]
    fn all_zero_data_is_the_only_exception_to_the_incremental_update() {
        let before = finish(sum(&[0x12, 0x34, 0, 0]));
        assert_eq!(update16(before, 0x1234, 0), 0x0000);
        assert_eq!(finish(sum(&[0, 0, 0, 0])), 0xFFFF);
    }

    #[test]
    fn no_partial_overflows() {
        assert_eq!(sum(&[0xFF; 65_536]), 0xFFFF);
        assert_eq!(fold(u32::MAX), 0xFFFF);
        assert_eq!(fold(0), 0);
        let all = Ipv4Addr::BROADCAST;
        assert_eq!(pseudo_header(all, all, 0xFF, 0xFFFF), 0x5_00FA);
    }

    /// Words around the values where one's complement arithmetic carries.
    fn word() -> impl Strategy<Value = u16> {
        prop_oneof![any::<u16>(), Just(0), Just(1), Just(0x7FFF), Just(0xFFFE), Just(0xFFFF)]
    }

    proptest! {
        #[test]
        fn sum_equals_the_definition(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(fold(sum(&bytes)), naive(&bytes));
        }

        #[test]
        fn pieces_combine_at_any_offset(
            bytes in prop::collection::vec(any::<u8>(), 0..120),
            cut in any::<prop::sample::Index>(),
        ) {
            let cut = cut.index(bytes.len() + 1);
            let (first, second) = bytes.split_at(cut);
            prop_assert_eq!(fold(combine(sum(first), cut, sum(second))), naive(&bytes));
        }

        #[test]
        fn update16_equals_recomputation(
            mut words in prop::collection::vec(word(), 1..12),
            at in any::<prop::sample::Index>(),
            new in word(),
        ) {
            words.push(0x4500); // real data never is all zeros, see `update16`
            let at = at.index(words.len() - 1);
            let check = finish(words.iter().map(|&w| u32::from(w)).sum());
            let updated = update16(check, words[at], new);
            words[at] = new;
            prop_assert_eq!(updated, finish(words.iter().map(|&w| u32::from(w)).sum()));
        }

        #[test]
        fn update16_reaches_both_zeros(old in word(), other in 1u16..) {
            // Choose the new word so that the recomputed checksum is exactly 0x0000.
            let new = !other;
            let check = finish(u32::from(old) + u32::from(other));
            prop_assert_eq!(update16(check, old, new), 0x0000);
            prop_assert_eq!(finish(u32::from(new) + u32::from(other)), 0x0000);
        }

        #[test]
        fn update32_equals_recomputation(
            (w0, w1, w2, w3) in (word(), word(), word(), word()),
            before in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let old = u32::from(w0) << 16 | u32::from(w1);
            let new = u32::from(w2) << 16 | u32::from(w3);
            let base = combine(0x4500, before.len() + before.len() % 2, sum(&before));
            let with = |field: u32| finish(base + sum(&field.to_be_bytes()));
            prop_assert_eq!(update32(with(old), old, new), with(new));
        }

        #[test]
        fn reopen_undoes_finish(partial in any::<u32>()) {
            prop_assert_eq!(finish(reopen(finish(partial))), finish(partial));
        }
    }
}

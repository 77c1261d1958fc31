//! Stop bits of many bytes at once, and moving the seven-bit groups of a word together and apart:
//! by the processor's own instructions, otherwise by shifts.
//!
//! The one file of the crate with `unsafe`. Calling for instructions that not every processor has
//! takes it, since only a look at the processor makes the call sound; a [`Processor`] comes from
//! that look alone. And reading in a window takes it to do without a look at the window's end in
//! front of every word, which the stop bits make superfluous ([`Ahead`]).
#![allow(unsafe_code)]

use std::hint::assert_unchecked;
use std::marker::PhantomData;

use super::{STOP_BITS, spread, squeeze};

/// What processors do in different ways: moving seven-bit groups and finding stop bits.
pub trait Groups: Copy {
    /// The 7-bit groups of eight bytes, the first byte most significant, without the gaps.
    fn gather(self, bytes: u64) -> u64;

    /// The same for the first `length` bytes only, 1 to 8.
    fn gather_first(self, bytes: u64, length: usize) -> u64;

    /// The inverse of [`Groups::gather`]: 56 bits, seven of them in each byte.
    fn scatter(self, bits: u64) -> u64;

    /// The stop bits of 64 bytes, that of the first byte lowest.
    fn stop_bits(self, bytes: &[u8; WINDOW]) -> u64;

    /// Does work in a function of its own.
    fn apart<W: Work>(self, work: W) -> W::Output;
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shifts;

impl Groups for Shifts {
    #[inline(always)]
    fn gather(self, bytes: u64) -> u64 {
        squeeze(bytes)
    }

    #[inline(always)]
    fn gather_first(self, bytes: u64, length: usize) -> u64 {
        squeeze(bytes >> (64 - 8 * length))
    }

    #[inline(always)]
    fn scatter(self, bits: u64) -> u64 {
        spread(bits)
    }

    #[inline(always)]
    fn stop_bits(self, bytes: &[u8; WINDOW]) -> u64 {
        stop_bits(bytes)
    }

    #[inline(always)]
    fn apart<W: Work>(self, work: W) -> W::Output {
        with_shifts(work)
    }
}

#[inline(never)]
fn with_shifts<W: Work>(work: W) -> W::Output {
    work.run(Shifts)
}

/// The number of bytes whose stop bits are looked at together.
pub const WINDOW: usize = 64;

/// The number of bytes behind the end of the last entity known that must be in a view: those that
/// are read at once.
pub(crate) const BEHIND: usize = 16;

/// The entities ahead in a view, which has at least [`BEHIND`] bytes.
///
/// It reads without looking at an end. Where the end of an entity is known, [`BEHIND`] bytes from
/// the next one on are in the view; where none is, [`BYTE_AND_WORD`] are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead<'w> {
    next: *const u8,
    /// Bit `n` tells that an entity may end `n` bytes from `next` on: the last of them has a stop
    /// bit. Bit 0 is never set.
    ends: u64,
    view: PhantomData<&'w [u8]>,
}

/// What is read where nothing is known.
const BYTE_AND_WORD: usize = 9;

/// NULLs that are passed at once, the first of which is known.
const NULLS: usize = 8;

const _: () = assert!(BYTE_AND_WORD + NULLS - 1 <= BEHIND);

impl<'w> Ahead<'w> {
    /// From byte `at` of a view on, where these are the stop bits of its first bytes.
    #[inline(always)]
    pub fn new(view: &'w [u8], at: usize, stops: u64) -> Self {
        let ahead = &view[at..];
        let known = ahead.len().checked_sub(BEHIND).expect("a view has more bytes than are known");
        // The last byte of a window is no end: what is behind it is in the next one.
        let unknown = 63usize.saturating_sub(known);
        let ends = stops.unbounded_shr(at as u32) << 1 << unknown >> unknown;
        Self { next: ahead.as_ptr(), ends, view: PhantomData }
    }

    /// The address of the next byte: the difference of two is that of their positions.
    #[inline(always)]
    pub fn address(&self) -> usize {
        self.next.addr()
    }

    /// Whether no end of an entity is known.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.ends == 0
    }

    /// The next eight bytes, the first in the low bits, and the length of the next entity, 1 to 63;
    /// or 64 where none is known.
    #[inline(always)]
    pub fn entity(&self) -> (u64, usize) {
        // SAFETY: eight bytes from the next one on are in the view, which lives as long as `'w`.
        let word = unsafe { self.next.cast::<u64>().read_unaligned() };
        let length = self.ends.trailing_zeros() as usize;
        // SAFETY: bit 0 is never set.
        unsafe { assert_unchecked(length != 0) };
        (u64::from_le(word), length)
    }

    /// The same for the entity behind the next byte, where that is an entity: its length, from the
    /// next byte on.
    #[inline(always)]
    pub fn entity_behind_byte(&self) -> (u64, usize) {
        // SAFETY: as above, from one byte further on.
        let word = unsafe { self.next.wrapping_add(1).cast::<u64>().read_unaligned() };
        (u64::from_le(word), (self.ends & self.ends.wrapping_sub(1)).trailing_zeros() as usize)
    }

    /// The eight bytes behind those of [`Ahead::entity`]; zero where there is no entity.
    #[inline(always)]
    pub fn second_word(&self) -> u64 {
        if self.ends == 0 {
            return 0;
        }
        // SAFETY: where an end is known, 16 bytes from the next one on are in the view.
        let word = unsafe { self.next.wrapping_add(8).cast::<u64>().read_unaligned() };
        u64::from_le(word)
    }

    /// The bytes of the next entity.
    #[inline(always)]
    pub fn bytes(&self) -> &'w [u8] {
        if self.ends == 0 {
            return &[];
        }
        // SAFETY: the last byte of the entity is in the view, and hence are those before it.
        unsafe { std::slice::from_raw_parts(self.next, self.ends.trailing_zeros() as usize) }
    }

    /// Goes past the next entity, if one is known.
    #[inline(always)]
    pub fn pass(&mut self) {
        // 0 where there is none.
        let length = self.ends.trailing_zeros() % 64;
        self.next = self.next.wrapping_add(length as usize);
        self.ends = (self.ends & self.ends.wrapping_sub(1)) >> length;
    }

    /// Goes past the next byte and the entity behind it, where both are entities and known.
    #[inline(always)]
    pub fn pass_byte_and_entity(&mut self) {
        let behind = self.ends & self.ends.wrapping_sub(1);
        let length = behind.trailing_zeros() % 64;
        self.next = self.next.wrapping_add(length as usize);
        self.ends = (behind & behind.wrapping_sub(1)) >> length;
    }

    /// Goes past NULLs, at most `limit`, if the next byte is one, and returns how many they were.
    #[inline(always)]
    pub fn pass_nulls(&mut self, limit: usize) -> usize {
        if self.ends & 2 == 0 {
            return 0;
        }
        let nulls = (self.entity().0 ^ STOP_BITS).trailing_zeros() as usize / 8;
        let count = nulls.min(limit);
        self.next = self.next.wrapping_add(count);
        self.ends = self.ends >> count & !1;
        count
    }
}

/// Work that is compiled for every kind of processor. Its methods must be `#[inline(always)]`, so
/// that they become part of the function that has the processor's instructions.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Groups>(self, groups: G) -> Self::Output;
}

/// The stop bits of 64 bytes, that of the first byte lowest.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stop_bits(bytes: &[u8; WINDOW]) -> u64 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};

    let mut mask = 0;
    for (at, sixteen) in bytes.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: 16 bytes are there to be read, aligned or not, and every processor of this
        // architecture has SSE2.
        let bits = unsafe { _mm_movemask_epi8(_mm_loadu_si128(sixteen.as_ptr().cast())) };
        mask |= u64::from(bits.cast_unsigned()) << (16 * at);
    }
    mask
}

/// The stop bits of 64 bytes, that of the first byte lowest.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn stop_bits(bytes: &[u8; WINDOW]) -> u64 {
    portable_stop_bits(bytes)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn portable_stop_bits(bytes: &[u8; WINDOW]) -> u64 {
    let mut mask = 0;
    for (at, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let bits = (u64::from_le_bytes(*eight) & STOP_BITS) >> 7;
        // The product moves bit 8i to bit 56 + i.
        mask |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    mask
}

pub(crate) use processor::{Processor, perform};

#[cfg(target_arch = "x86_64")]
mod processor {
    use std::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8, _pdep_u64, _pext_u64};

    use super::{Groups, WINDOW, Work, with_shifts};

    const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// Those of the first 0 to 8 bytes, the first one most significant.
    const GROUPS_OF_FIRST: [u64; 9] = {
        let mut groups = [0; 9];
        let mut length = 1;
        while length <= 8 {
            groups[length] = GROUPS << (64 - 8 * length);
            length += 1;
        }
        groups
    };

    /// What the processor at hand can do.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Processor(Option<Bmi2>);

    /// The proof that the processor has the instructions of [`with_bmi2`].
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Bmi2(());

    impl Processor {
        /// Asks the processor.
        pub fn detect() -> Self {
            let has_all = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("movbe")
                && is_x86_feature_detected!("avx2");
            // AMD's first processors with these instructions (sse4a, but not yet vaes) take
            // hundreds of cycles for them: shifts are faster.
            let slow = is_x86_feature_detected!("sse4a") && !is_x86_feature_detected!("vaes");
            Self((has_all && !slow).then_some(Bmi2(())))
        }

        /// As if the processor had nothing special.
        #[cfg(test)]
        pub fn plain() -> Self {
            Self(None)
        }
    }

    impl Groups for Bmi2 {
        #[inline(always)]
        fn gather(self, bytes: u64) -> u64 {
            // SAFETY: `self` proves that the processor has BMI2.
            unsafe { _pext_u64(bytes, GROUPS) }
        }

        #[inline(always)]
        fn gather_first(self, bytes: u64, length: usize) -> u64 {
            // SAFETY: as above.
            unsafe { _pext_u64(bytes, GROUPS_OF_FIRST[length]) }
        }

        #[inline(always)]
        fn scatter(self, bits: u64) -> u64 {
            // SAFETY: as above.
            unsafe { _pdep_u64(bits, GROUPS) }
        }

        #[inline(always)]
        fn stop_bits(self, bytes: &[u8; WINDOW]) -> u64 {
            let (low, high) = bytes.split_at(WINDOW / 2);
            // SAFETY: 32 bytes each are there to be read, aligned or not, and `self` proves that
            // the processor has AVX2, too.
            let [low, high] = unsafe {
                [
                    _mm256_movemask_epi8(_mm256_loadu_si256(low.as_ptr().cast())),
                    _mm256_movemask_epi8(_mm256_loadu_si256(high.as_ptr().cast())),
                ]
            };
            u64::from(high.cast_unsigned()) << 32 | u64::from(low.cast_unsigned())
        }

        #[inline(always)]
        fn apart<W: Work>(self, work: W) -> W::Output {
            // SAFETY: `self` is the proof that it asks for.
            unsafe { with_bmi2(self, work) }
        }
    }

    /// Does the work in the way that suits the processor.
    #[inline(always)]
    pub(crate) fn perform<W: Work>(processor: Processor, work: W) -> W::Output {
        match processor.0 {
            // SAFETY: the proof is that the processor has all that `with_bmi2` enables.
            Some(proof) => unsafe { with_bmi2(proof, work) },
            None => with_shifts(work),
        }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,movbe,avx2")]
    #[inline(never)]
    fn with_bmi2<W: Work>(proof: Bmi2, work: W) -> W::Output {
        work.run(proof)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod processor {
    use super::{Work, with_shifts};

    /// What the processor at hand can do.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Processor;

    impl Processor {
        /// Asks the processor.
        pub fn detect() -> Self {
            Self
        }

        /// As if the processor had nothing special.
        #[cfg(test)]
        pub fn plain() -> Self {
            Self
        }
    }

    /// Does the work in the way that suits the processor.
    #[inline(always)]
    pub(crate) fn perform<W: Work>(_processor: Processor, work: W) -> W::Output {
        with_shifts(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Both(u64);

    impl Work for Both {
        type Output = (u64, u64, [u64; 8], u64);

        #[inline(always)]
        fn run<G: Groups>(self, groups: G) -> Self::Output {
            let first = std::array::from_fn(|at| groups.gather_first(self.0, at + 1));
            let bytes =
                std::array::from_fn(|at| self.0.wrapping_mul(at as u64 + 1).to_le_bytes()[7]);
            (groups.gather(self.0), groups.scatter(self.0 >> 8), first, groups.stop_bits(&bytes))
        }
    }

    #[test]
    fn every_processor_moves_alike() {
        let mut word = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..10_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let special = perform(Processor::detect(), Both(word));
            assert_eq!(special, perform(Processor::plain(), Both(word)), "{word:016x}");
            assert_eq!((special.0, special.1), (squeeze(word), spread(word >> 8)));
        }
    }
    #[test]
    fn stop_bits_are_those_of_each_byte() {
        let mut bytes = [0; 64];
        let mut state = 7_u64;
        for _ in 0..1000 {
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = (state >> 56) as u8;
            }
            let naive = bytes
                .iter()
                .enumerate()
                .fold(0, |mask, (at, byte)| mask | u64::from(byte >> 7) << at);
            assert_eq!(stop_bits(&bytes), naive);
            assert_eq!(portable_stop_bits(&bytes), naive);
        }
    }
}

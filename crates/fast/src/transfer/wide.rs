//! Stop bits of many bytes at once, and moving the seven-bit groups of a word together and apart:
//! by the processor's own instructions, otherwise by shifts.
//!
//! The one file of the crate with `unsafe`. Calling for instructions that not every processor has
//! takes it, since only a look at the processor makes the call sound; a [`Processor`] comes from
//! that look alone. And reading in a window takes it to do without a look at the window's end in
//! front of every word, which the stop bits make superfluous ([`Ahead`]).
#![allow(unsafe_code)]

use std::marker::PhantomData;

#[cfg(any(test, not(target_arch = "x86_64")))]
use super::STOP_BITS;
use super::{spread, squeeze};

/// Moves seven-bit groups.
pub(crate) trait Groups: Copy {
    /// The 7-bit groups of eight bytes, the first byte most significant, without the gaps.
    fn gather(self, bytes: u64) -> u64;

    /// The inverse of [`Groups::gather`]: 56 bits, seven of them in each byte.
    fn scatter(self, bits: u64) -> u64;
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
    fn scatter(self, bits: u64) -> u64 {
        spread(bits)
    }
}

/// The number of bytes in which [`Ahead`] knows the stop bits.
pub(crate) const WINDOW: usize = 64;

/// The number of bytes that [`Ahead`] may look at: those of a word pair that starts in the last
/// one with a stop bit.
pub(crate) const VIEW: usize = WINDOW + 16;

/// The entities ahead in a view.
///
/// It reads without looking at an end: as long as there is a stop bit left, the 16 bytes from
/// here on are in the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead<'w> {
    /// The next byte. Where `stops` is not zero, it is one of the first [`WINDOW`] of the view.
    next: *const u8,
    /// Bit `i` is the stop bit of byte `i` from `next` on, zero behind the first [`WINDOW`] bytes
    /// of the view.
    stops: u64,
    view: PhantomData<&'w [u8; VIEW]>,
}

impl<'w> Ahead<'w> {
    /// From byte `at`, at most [`WINDOW`], of the view.
    #[inline(always)]
    pub fn new(view: &'w [u8; VIEW], at: usize) -> Self {
        let stops = stop_bits(view.first_chunk().expect("a view is longer than a window"));
        let stops = if at < WINDOW { stops >> at } else { 0 };
        Self { next: view[at.min(WINDOW)..].as_ptr(), stops, view: PhantomData }
    }

    /// The address of the next byte: the difference of two is that of their positions.
    #[inline(always)]
    pub fn address(&self) -> usize {
        self.next.addr()
    }

    /// The next eight bytes, the first in the low bits, and the index of the last byte of the next
    /// entity, below [`WINDOW`].
    #[inline(always)]
    pub fn entity(&self) -> Option<(u64, usize)> {
        if self.stops == 0 {
            return None;
        }
        // SAFETY: there is a stop bit, so that `next` is in the window; eight bytes from there on
        // are in the view, which lives as long as `'w`.
        let word = unsafe { self.next.cast::<u64>().read_unaligned() };
        Some((u64::from_le(word), self.stops.trailing_zeros() as usize))
    }

    /// The eight bytes behind those of [`Ahead::entity`]; zero where there is none.
    #[inline(always)]
    pub fn second_word(&self) -> u64 {
        if self.stops == 0 {
            return 0;
        }
        // SAFETY: as in `entity`, where 16 bytes are in the view.
        let word = unsafe { self.next.wrapping_add(8).cast::<u64>().read_unaligned() };
        u64::from_le(word)
    }

    /// The bytes of the next entity.
    #[inline(always)]
    pub fn bytes(&self) -> &'w [u8] {
        if self.stops == 0 {
            return &[];
        }
        // SAFETY: the byte with the stop bit is in the window, and hence are those before it.
        unsafe { std::slice::from_raw_parts(self.next, self.stops.trailing_zeros() as usize + 1) }
    }

    /// Goes behind byte `last`, below [`WINDOW`], from here on.
    #[inline(always)]
    pub fn pass(&mut self, last: usize) {
        // The same number in both, so that a stop bit always belongs to its byte.
        let last = last % WINDOW;
        self.stops = self.stops >> last >> 1;
        self.next = self.next.wrapping_add(last + 1);
    }
}

/// Work that is compiled for every kind of processor. Its methods must be `#[inline(always)]`, so
/// that they become part of the function that has the processor's instructions.
pub(crate) trait Work {
    type Output;

    fn run<G: Groups>(self, groups: G) -> Self::Output;
}

/// The stop bits of 64 bytes, that of the first byte lowest.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stop_bits(bytes: &[u8; 64]) -> u64 {
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
fn stop_bits(bytes: &[u8; 64]) -> u64 {
    portable_stop_bits(bytes)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn portable_stop_bits(bytes: &[u8; 64]) -> u64 {
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
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    use super::{Groups, Shifts, Work};

    const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

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
                && is_x86_feature_detected!("movbe");
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
        fn scatter(self, bits: u64) -> u64 {
            // SAFETY: as above.
            unsafe { _pdep_u64(bits, GROUPS) }
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

    #[target_feature(enable = "bmi1,bmi2,lzcnt,movbe")]
    #[inline(never)]
    fn with_bmi2<W: Work>(proof: Bmi2, work: W) -> W::Output {
        work.run(proof)
    }

    #[inline(never)]
    fn with_shifts<W: Work>(work: W) -> W::Output {
        work.run(Shifts)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod processor {
    use super::{Shifts, Work};

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
        work.run(Shifts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Both(u64);

    impl Work for Both {
        type Output = (u64, u64);

        #[inline(always)]
        fn run<G: Groups>(self, groups: G) -> (u64, u64) {
            (groups.gather(self.0), groups.scatter(self.0 >> 8))
        }
    }

    #[test]
    fn every_processor_moves_alike() {
        let mut word = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..10_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let special = perform(Processor::detect(), Both(word));
            assert_eq!(special, perform(Processor::plain(), Both(word)), "{word:016x}");
            assert_eq!(special, (squeeze(word), spread(word >> 8)));
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

//! Stop bits of many bytes at once, and moving the seven-bit groups of a word together and apart:
//! by the processor's own instructions, otherwise by shifts.
//!
//! The one file of the crate with `unsafe`. Calling for instructions that not every processor has
//! takes it, since only a look at the processor makes the call sound; a [`Processor`] comes from
//! that look alone. And reading an input takes it to do without a look at its end in front of every
//! word, which the stop bits make superfluous ([`Ahead`]).
#![allow(unsafe_code)]

use std::marker::PhantomData;

#[cfg(any(test, not(target_arch = "x86_64")))]
use super::STOP_BITS;
use super::window::Entity;
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
const WINDOW: usize = 64;

/// Bytes that are looked at together.
const CHUNK: usize = 16;

/// The last bytes of an input, or all of a short one, with zeros behind them: what is looked at
/// beyond the end. Zeros have no stop bit, so that nothing is found in them.
#[derive(Clone, Debug)]
pub(crate) struct Tail([u8; 2 * CHUNK]);

impl Tail {
    /// That of an input.
    #[inline(always)]
    pub fn of(input: &[u8]) -> Self {
        let mut bytes = [0; 2 * CHUNK];
        match input.last_chunk::<CHUNK>() {
            Some(last) => bytes[..CHUNK].copy_from_slice(last),
            None => bytes[..input.len()].copy_from_slice(input),
        }
        Self(bytes)
    }
}

/// The entities ahead in an input.
///
/// It reads without looking at an end: as long as there is a stop bit left, 16 bytes from the next
/// one on are in the input or in its tail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead<'w> {
    /// The first byte that `stops` tells of.
    input: *const u8,
    /// As if the tail began there, too: what to read from behind `last_chunk`.
    tail: *const u8,
    /// The last place, from `input` on, from which 16 bytes of the input can be read.
    last_chunk: usize,
    /// The place of the next byte. Where `stops` is not zero, it is not behind its lowest bit.
    next: usize,
    /// Bit `i` is the stop bit of the byte at place `i`; those before `next` are zero.
    stops: u64,
    /// The position of place 0 in the input.
    start: usize,
    bytes: PhantomData<&'w [u8]>,
}

impl<'w> Ahead<'w> {
    /// From a position of the input on, at most its length. The tail must be that of the input.
    #[inline(always)]
    pub fn new(input: &'w [u8], tail: &'w Tail, next: usize) -> Self {
        let Some(last_window) = input.len().checked_sub(WINDOW) else {
            return Self::new_short(input, tail, next);
        };
        let start = next.min(last_window);
        let mut stops = 0;
        for part in 0..WINDOW / CHUNK {
            // SAFETY: the window ends with the input at the latest.
            let chunk = unsafe { &*input.as_ptr().add(start + part * CHUNK).cast() };
            stops |= u64::from(stop_bits(chunk)) << (part * CHUNK);
        }
        let passed = next.min(input.len()) - start;
        let last_chunk = input.len() - CHUNK - start;
        Self {
            input: input[start..].as_ptr(),
            tail: tail.0.as_ptr().wrapping_sub(last_chunk),
            last_chunk,
            next: passed,
            stops: if passed < WINDOW { stops >> passed << passed } else { 0 },
            start,
            bytes: PhantomData,
        }
    }

    /// The same for an input that is shorter than a window: it is all there.
    #[inline(never)]
    fn new_short(input: &'w [u8], tail: &'w Tail, next: usize) -> Self {
        let next = next.min(input.len());
        // What is shorter than a chunk is all in the tail.
        let input = if input.len() < CHUNK { &tail.0 } else { input };
        let last_chunk = input.len() - CHUNK;
        let mut stops = 0;
        for part in 0..WINDOW / CHUNK {
            // The last chunk again where the input ends: the same bits once more.
            let at = (part * CHUNK).min(last_chunk);
            // SAFETY: 16 bytes from here on end with the input at the latest.
            let chunk = unsafe { &*input.as_ptr().add(at).cast() };
            stops |= u64::from(stop_bits(chunk)) << at;
        }
        Self {
            input: input.as_ptr(),
            tail: tail.0.as_ptr().wrapping_sub(last_chunk),
            last_chunk,
            next,
            stops: stops >> next << next,
            start: 0,
            bytes: PhantomData,
        }
    }

    /// The position of the next byte.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.start + self.next
    }

    /// Whether a window from the next byte on would tell of the same bytes.
    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.next == 0 || self.last_chunk <= WINDOW - CHUNK
    }

    /// Where 16 bytes from the next one on are, if there is a stop bit left.
    #[inline(always)]
    fn chunk(&self) -> *const u8 {
        let from = if self.next <= self.last_chunk { self.input } else { self.tail };
        from.wrapping_add(self.next)
    }

    /// The next entity.
    #[inline(always)]
    pub fn entity(&self) -> Option<Entity> {
        if self.stops == 0 {
            return None;
        }
        // SAFETY: there is a stop bit, so that `next` is in the input. If it is at most
        // `last_chunk`, there are 16 bytes from there on. If it is behind, so many bytes are in
        // the tail, whose first byte is that of `last_chunk`.
        let word = unsafe { self.chunk().cast::<u64>().read_unaligned() };
        let last = (self.stops.trailing_zeros() as usize).wrapping_sub(self.next);
        Some(Entity { word: u64::from_le(word), last })
    }

    /// The eight bytes behind those of [`Ahead::entity`]; zero where there is none.
    #[inline(always)]
    pub fn second_word(&self) -> u64 {
        if self.stops == 0 {
            return 0;
        }
        // SAFETY: as in `entity`.
        let word = unsafe { self.chunk().wrapping_add(8).cast::<u64>().read_unaligned() };
        u64::from_le(word)
    }

    /// The bytes of the next entity.
    #[inline(always)]
    pub fn bytes(&self) -> &'w [u8] {
        let Some(Entity { last, .. }) = self.entity() else { return &[] };
        // SAFETY: a byte with a stop bit is in the input, and hence are those before it.
        unsafe { std::slice::from_raw_parts(self.input.wrapping_add(self.next), last + 1) }
    }

    /// Goes behind the next entity.
    #[inline(always)]
    pub fn pass(&mut self) {
        if self.stops != 0 {
            self.next = self.stops.trailing_zeros() as usize + 1;
            self.stops &= self.stops - 1;
        }
    }

    /// Goes behind `count` entities of one byte each.
    #[inline(always)]
    pub fn pass_single(&mut self, count: usize) {
        self.next += count;
        self.stops = if self.next < WINDOW { self.stops >> self.next << self.next } else { 0 };
    }
}

/// Work that is compiled for every kind of processor. Its methods must be `#[inline(always)]`, so
/// that they become part of the function that has the processor's instructions.
pub(crate) trait Work {
    type Output;

    fn run<G: Groups>(self, groups: G) -> Self::Output;
}

/// The stop bits of 16 bytes, that of the first byte lowest.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stop_bits(bytes: &[u8; 16]) -> u16 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};

    // SAFETY: 16 bytes are there to be read, aligned or not, and every processor of this
    // architecture has SSE2.
    let bits = unsafe { _mm_movemask_epi8(_mm_loadu_si128(bytes.as_ptr().cast())) };
    bits.cast_unsigned() as u16
}

/// The stop bits of 16 bytes, that of the first byte lowest.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn stop_bits(bytes: &[u8; 16]) -> u16 {
    portable_stop_bits(bytes)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn portable_stop_bits(bytes: &[u8; 16]) -> u16 {
    let mut mask = 0;
    for (at, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let bits = (u64::from_le_bytes(*eight) & STOP_BITS) >> 7;
        // The product moves bit 8i to bit 56 + i.
        mask |= ((bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16) << (8 * at);
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
        let mut bytes = [0; 16];
        let mut state = 7_u64;
        for _ in 0..1000 {
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = (state >> 56) as u8;
            }
            let naive = bytes
                .iter()
                .enumerate()
                .fold(0, |mask, (at, byte)| mask | u16::from(byte >> 7) << at);
            assert_eq!(stop_bits(&bytes), naive);
            assert_eq!(portable_stop_bits(&bytes), naive);
        }
    }
}

//! Presence maps (§10.5) of a decoder.

use super::cursor::{Cursor, Read, transfer};
use super::decode::{DecoderState, Failure};
use crate::error::ErrorCode;
use crate::transfer::PresenceMap;

/// The bits of a presence map, one after another.
pub trait NextBit {
    /// The next bit; zero behind the last one.
    fn next(&mut self) -> bool;
}

/// The presence map of a segment that uses at most [`Presence::BITS`] bits: a word.
#[derive(Clone, Copy, Debug)]
pub struct Presence {
    /// The next bit is the highest.
    bits: u64,
    /// Bits that are set behind those.
    excess: bool,
}

impl Presence {
    /// How many bits there can be.
    pub const BITS: usize = 64;

    /// Reads a presence map.
    ///
    /// # Errors
    /// R7 where it is overlong, or the bytes end.
    #[inline(always)]
    pub fn read(input: &mut Cursor<'_>, state: &DecoderState) -> Result<Self, Failure> {
        if let Some(bits) = input.short_map() {
            return Ok(Self { bits, excess: false });
        }
        let map = input.past(Self::long(input.rest(), state.options.strict));
        map.map_err(|code| Failure::outside(code, input))
    }

    #[cold]
    #[inline(never)]
    fn long(rest: &[u8], strict: bool) -> Read<Self> {
        let (mut map, count) = transfer(rest, |cursor| PresenceMap::read(cursor, strict))?;
        let bits = (0..Self::BITS).fold(0, |bits, _| bits << 1 | u64::from(map.next()));
        Ok((Self { bits, excess: map.finish(true).is_err() }, count))
    }

    /// The next bit.
    #[inline(always)]
    #[expect(clippy::should_implement_trait, reason = "a presence map has no end")]
    pub fn next(&mut self) -> bool {
        let bit = self.bits >> 63 != 0;
        self.bits <<= 1;
        bit
    }

    /// Checks that no more bits came than were used.
    ///
    /// # Errors
    /// R8.
    #[inline(always)]
    pub fn finish(&self, input: &Cursor<'_>, state: &DecoderState) -> Result<(), Failure> {
        if (self.bits != 0 || self.excess) && state.options.strict {
            return Err(Failure::outside(ErrorCode::R8, input));
        }
        Ok(())
    }
}

impl NextBit for Presence {
    #[inline(always)]
    fn next(&mut self) -> bool {
        self.next()
    }
}

/// The presence map of a segment that uses more bits.
#[derive(Clone, Copy, Debug)]
pub struct LongPresence<'i>(PresenceMap<'i>);

impl<'i> LongPresence<'i> {
    /// Reads a presence map.
    ///
    /// # Errors
    /// R7 where it is overlong, or the bytes end.
    pub fn read(input: &mut Cursor<'i>, state: &DecoderState) -> Result<Self, Failure> {
        let strict = state.options.strict;
        let map = transfer(input.rest(), |cursor| PresenceMap::read(cursor, strict));
        match input.past(map) {
            Ok(map) => Ok(Self(map)),
            Err(code) => Err(Failure::outside(code, input)),
        }
    }

    /// The next bit.
    #[expect(clippy::should_implement_trait, reason = "a presence map has no end")]
    pub fn next(&mut self) -> bool {
        self.0.next()
    }

    /// Checks that no more bits came than were used.
    ///
    /// # Errors
    /// R8.
    pub fn finish(&self, input: &Cursor<'_>, state: &DecoderState) -> Result<(), Failure> {
        self.0.finish(state.options.strict).map_err(|code| Failure::outside(code, input))
    }
}

impl NextBit for LongPresence<'_> {
    fn next(&mut self) -> bool {
        self.next()
    }
}

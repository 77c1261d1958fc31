//! The types of FAST 1.2 whose bounds are not those of an integer type, and bit groups.

use super::cursor::{Cursor, Read, transfer};
use super::decode::{DecoderState, Failure, ScalarField};
use super::encode::{EncoderState, PresenceBits, Refusal};
use super::output::Output;
use super::presence::NextBit;
use super::previous::{PreviousOf, State};
use super::value::{Integer, Scalar};
use crate::error::ErrorCode;
use crate::model::FieldType;

/// The integers of an enum, set, boolean or short integer.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    least: i64,
    greatest: u64,
}

impl Bounds {
    /// Both belong to them.
    pub const fn new(least: i64, greatest: u64) -> Self {
        Self { least, greatest }
    }

    #[inline(always)]
    fn fit(self, value: i128) -> bool {
        value >= i128::from(self.least) && value <= i128::from(self.greatest)
    }
}

/// Checks what was decoded between `before` and `input`.
///
/// # Errors
/// D2 where an integer of the stream stands for no value, R4 where one that an operator has made
/// does not.
#[inline(always)]
pub fn bounded<F: ScalarField<Value: Integer>>(
    field: &'static str,
    before: &Cursor<'_>,
    input: &Cursor<'_>,
    value: F,
    bounds: Bounds,
    is_delta: bool,
) -> Result<F, Failure> {
    match value.get() {
        Some(integer) if !bounds.fit(integer.wide()) => {
            let as_it_is = input.remaining() < before.remaining() && !is_delta;
            let code = if as_it_is { ErrorCode::D2 } else { ErrorCode::R4 };
            Err(Failure::new(code, field, before))
        }
        _ => Ok(value),
    }
}

/// Checks what is to be encoded.
///
/// # Errors
/// R4 where the integer stands for no value.
#[inline(always)]
pub fn check_bounds<F: ScalarField<Value: Integer>>(
    field: &'static str,
    value: F,
    bounds: Bounds,
) -> Result<(), Refusal> {
    match value.get() {
        Some(integer) if !bounds.fit(integer.wide()) => Err(Refusal::new(ErrorCode::R4, field)),
        _ => Ok(()),
    }
}

/// A member's place in its bit group.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    shift: u32,
    bits: u32,
    bounds: Bounds,
}

impl Member {
    /// `bits` bits in front of the last `shift`.
    pub const fn new(shift: u32, bits: u32, bounds: Bounds) -> Self {
        Self { shift, bits, bounds }
    }

    const fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }
}

/// The value of a member.
///
/// # Errors
/// D2 where its bits stand for none.
#[inline(always)]
pub fn unpack<F: ScalarField<Value: Integer>>(
    field: &'static str,
    input: &Cursor<'_>,
    bits: u64,
    member: Member,
) -> Result<F, Failure> {
    let raw = bits >> member.shift & member.mask();
    if F::OPTIONAL && raw == 0 {
        return Ok(F::of(None));
    }
    let value = if F::Value::TYPE == FieldType::Int32 {
        // Moves the sign to the top and back.
        let unused = u64::BITS - member.bits;
        let value = (raw << unused).cast_signed() >> unused;
        value - i64::from(F::OPTIONAL && value > 0)
    } else {
        // At most seven bits.
        raw.cast_signed() - i64::from(F::OPTIONAL)
    };
    if member.bounds.fit(value.into()) {
        Ok(F::of(Some(F::Value::from_bits(value.cast_unsigned(), 0))))
    } else {
        Err(Failure::new(ErrorCode::D2, field, input))
    }
}

/// The bits of a member, where they are in the group.
///
/// # Errors
/// R4 where the integer stands for no value.
#[inline(always)]
pub fn pack<F: ScalarField<Value: Integer>>(
    field: &'static str,
    value: F,
    member: Member,
) -> Result<u64, Refusal> {
    let Some(value) = value.get().map(Integer::wide) else { return Ok(0) };
    if !member.bounds.fit(value) {
        return Err(Refusal::new(ErrorCode::R4, field));
    }
    let value = value + i128::from(F::OPTIONAL && value >= 0);
    // In two's complement the low bits are the member's.
    Ok((value as u64 & member.mask()) << member.shift)
}

#[inline(never)]
fn read_bits(rest: &[u8], bits: u32, strict: bool) -> Read<u64> {
    transfer(rest, |cursor| cursor.bit_group(bits, strict))
}

/// A bit group without operator.
///
/// # Errors
/// D2, R6, or the bytes end.
#[inline(always)]
pub fn bit_group(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    bits: u32,
) -> Result<u64, Failure> {
    match read_bits(input.rest(), bits, state.options.strict) {
        Ok((value, length)) => {
            input.advance(length);
            Ok(value)
        }
        Err(code) => Err(Failure::new(code, field, input)),
    }
}

/// A bit group with the default operator.
///
/// # Errors
/// D2, R6, or the bytes end.
#[inline(always)]
pub fn default_bit_group(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    bits: u32,
    initial: u64,
) -> Result<u64, Failure> {
    if presence.next() { bit_group(field, state, input, bits) } else { Ok(initial) }
}

/// A bit group with the copy operator.
///
/// # Errors
/// D2, D4, D5, D6, R4, R6, or the bytes end.
#[inline(always)]
pub fn copy_bit_group(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut impl PreviousOf<u64>,
    bits: u32,
    initial: Option<u64>,
) -> Result<u64, Failure> {
    let value = if presence.next() {
        bit_group(field, state, input, bits)?
    } else {
        let value = match previous.state(state.epoch) {
            Ok(State::Assigned(value)) => Ok(value),
            Ok(State::Undefined) => initial.ok_or(ErrorCode::D5),
            Ok(State::Empty) => Err(ErrorCode::D6),
            Err(code) => Err(code),
        };
        value.map_err(|code| Failure::new(code, field, input))?
    };
    previous.assign(state.epoch, Some(value));
    // The entry may be shared with a group of more bits.
    if value >> bits != 0 {
        return Err(Failure::new(ErrorCode::R4, field, input));
    }
    Ok(value)
}

/// Writes a bit group without operator: left-aligned in as many bytes of seven bits as it takes.
#[inline(always)]
pub fn write_bit_group(packed: u64, bits: u32, out: &mut Output<'_>) {
    let length = bits.div_ceil(7);
    let aligned = packed << (7 * length - bits);
    for left in (0..length).rev() {
        let stop = if left == 0 { 0x80 } else { 0 };
        out.push((aligned >> (7 * left) & 0x7f) as u8 | stop);
    }
}

/// Writes a bit group with the default operator.
#[inline(always)]
pub fn write_default_bit_group(
    packed: u64,
    presence: &mut PresenceBits,
    bits: u32,
    out: &mut Output<'_>,
    initial: u64,
) {
    presence.push(packed != initial, out);
    if packed != initial {
        write_bit_group(packed, bits, out);
    }
}

/// Writes a bit group with the copy operator.
///
/// # Errors
/// D4
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "only generated code calls it")]
pub fn write_copy_bit_group(
    field: &'static str,
    state: &EncoderState,
    packed: u64,
    presence: &mut PresenceBits,
    bits: u32,
    out: &mut Output<'_>,
    previous: &mut impl PreviousOf<u64>,
    initial: Option<u64>,
) -> Result<(), Refusal> {
    let expected = match previous.state(state.epoch()) {
        Ok(State::Assigned(value)) => Some(value),
        Ok(State::Undefined) => initial,
        Ok(State::Empty) => None,
        Err(code) => return Err(Refusal::new(code, field)),
    };
    previous.assign(state.epoch(), Some(packed));
    presence.push(expected != Some(packed), out);
    if expected != Some(packed) {
        write_bit_group(packed, bits, out);
    }
    Ok(())
}

//! Decoding strings and byte vectors, and their operators (§6.3).

use super::cursor::{Cursor, Read, transfer};
use super::decode::{DecoderState, Failure, wide_delta};
use super::presence::NextBit;
use super::previous::{PreviousTextOf, State};
use super::value::{Optional, Text};
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::transfer::{Piece, ascii_value};

/// The type of a string or vector in a message: `T` where the field is mandatory, `Optional<T>`
/// where it is optional.
pub trait TextField {
    /// The type of the value.
    type Value: Text;
    /// Whether it may be absent.
    const OPTIONAL: bool;
    /// The value's memory; the field is present.
    fn present(&mut self) -> &mut Self::Value;
    /// Makes the field absent, where it may be.
    fn absent(&mut self);
    /// The value.
    fn value(&self) -> Option<&Self::Value>;
}

impl<T: Text> TextField for T {
    type Value = T;
    const OPTIONAL: bool = false;
    #[inline(always)]
    fn present(&mut self) -> &mut T {
        self
    }
    #[inline(always)]
    fn absent(&mut self) {}
    #[inline(always)]
    fn value(&self) -> Option<&T> {
        Some(self)
    }
}

impl<T: Text> TextField for Optional<T> {
    type Value = T;
    const OPTIONAL: bool = true;
    #[inline(always)]
    fn present(&mut self) -> &mut T {
        self.insert()
    }
    #[inline(always)]
    fn absent(&mut self) {
        self.clear();
    }
    #[inline(always)]
    fn value(&self) -> Option<&T> {
        self.get()
    }
}

/// A string or vector without operator.
///
/// # Errors
/// R2, R6, R9, a limit, or the bytes end.
#[inline(always)]
pub fn text<F: TextField>(
    field: &'static str,
    state: &mut DecoderState,
    input: &mut Cursor<'_>,
    target: &mut F,
) -> Result<(), Failure> {
    if let Some((bytes, length)) = short::<F>(input) {
        let assigned = target.present().assign_short(bytes, length);
        return assigned.map_err(|code| Failure::new(code, field, input));
    }
    if F::OPTIONAL && input.null() {
        target.absent();
        return Ok(());
    }
    let read = in_stream(state, input.rest(), target);
    input.past(read).map_err(|code| Failure::new(code, field, input))
}

#[inline(never)]
fn in_stream<F: TextField>(state: &mut DecoderState, rest: &[u8], target: &mut F) -> Read<()> {
    let (piece, count) = piece::<F::Value>(state, rest, F::OPTIONAL)?;
    match piece {
        Some(piece) => target.present().assign(piece.of(&state.scratch))?,
        None => target.absent(),
    }
    Ok(((), count))
}

/// An ASCII string of at most sixteen bytes without preamble, and its length.
#[inline(always)]
fn short<F: TextField>(input: &mut Cursor<'_>) -> Option<([u8; 16], usize)> {
    if F::Value::TYPE != FieldType::Ascii {
        return None;
    }
    match input.short_ascii() {
        Some((word, length)) => Some((u128::from(word).to_le_bytes(), length)),
        None => input.medium_ascii(),
    }
}

/// Sets the field to the previous value, which is assigned.
#[inline(always)]
fn set_previous<F: TextField>(
    previous: &impl PreviousTextOf<F::Value>,
    target: &mut F,
) -> Result<(), ErrorCode> {
    match *previous.bytes() {
        // The most frequent length of a field that is copied: a type, a side, a condition.
        [byte] => target.present().assign_short(u128::from(byte).to_le_bytes(), 1),
        ref bytes => target.present().assign(bytes),
    }
}

/// A string or byte vector of the stream.
pub(super) fn piece<'i, T: Text>(
    state: &mut DecoderState,
    rest: &'i [u8],
    nullable: bool,
) -> Read<Option<Piece<'i>>> {
    let options = state.options;
    if T::TYPE != FieldType::Ascii {
        let (max, strict) = (options.max_string, options.strict);
        let (bytes, count) = transfer(rest, |cursor| cursor.bytes(nullable, max, strict))?;
        return Ok((bytes.map(Piece::Input), count));
    }
    let scratch = &mut state.scratch;
    transfer(rest, |cursor| {
        let entity = cursor.ascii_entity(options.max_string)?;
        scratch.clear();
        scratch.extend_from_slice(entity);
        if let Some(last) = scratch.last_mut() {
            *last &= 0x7f;
        }
        Ok(ascii_value(scratch, nullable, options.strict)?.map(|text| Piece::Scratch(text.len())))
    })
}

/// §6.3.4
///
/// # Errors
/// Those of its type.
#[inline(always)]
pub fn default_text<F: TextField>(
    field: &'static str,
    state: &mut DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    initial: Option<&[u8]>,
    target: &mut F,
) -> Result<(), Failure> {
    if presence.next() {
        return text(field, state, input, target);
    }
    match initial {
        Some(initial) => {
            let assigned = target.present().assign(initial);
            assigned.map_err(|code| Failure::new(code, field, input))
        }
        None => {
            target.absent();
            Ok(())
        }
    }
}

/// §6.3.5
///
/// # Errors
/// Those of its type; D4, D5, D6.
#[inline(always)]
pub fn copy_text<F: TextField>(
    field: &'static str,
    state: &mut DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    target: &mut F,
) -> Result<(), Failure> {
    let copied = if presence.next() {
        if let Some((bytes, length)) = short::<F>(input) {
            previous.assign_short(state.epoch, bytes, length);
            let assigned = target.present().assign_short(bytes, length);
            return assigned.map_err(|code| Failure::new(code, field, input));
        }
        let read = copy_in_stream(state, input.rest(), previous, target);
        input.past(read).and_then(|present| set(present, previous, target))
    } else {
        no_text(state, previous, initial, target, (ErrorCode::D5, ErrorCode::D6))
    };
    copied.map_err(|code| Failure::new(code, field, input))
}

/// Sets the field to the previous value, which is its own by now, or to nothing.
fn set<F: TextField>(
    present: bool,
    previous: &impl PreviousTextOf<F::Value>,
    target: &mut F,
) -> Result<(), ErrorCode> {
    if present {
        return set_previous(previous, target);
    }
    target.absent();
    Ok(())
}

fn copy_in_stream<F: TextField>(
    state: &mut DecoderState,
    rest: &[u8],
    previous: &mut impl PreviousTextOf<F::Value>,
    _target: &F,
) -> Read<bool> {
    let (piece, count) = piece::<F::Value>(state, rest, F::OPTIONAL)?;
    match &piece {
        Some(piece) => {
            let text = previous.assign(state.epoch);
            text.clear();
            text.extend_from_slice(piece.of(&state.scratch));
        }
        None => previous.set_empty(state.epoch),
    }
    Ok((piece.is_some(), count))
}

/// A copied string or a string with an unchanged tail. `codes` are those of an undefined and of an
/// empty previous value, which differ between §6.3.5 and §6.3.8.
fn no_text<F: TextField>(
    state: &DecoderState,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    target: &mut F,
    codes: (ErrorCode, ErrorCode),
) -> Result<(), ErrorCode> {
    match (previous.state(state.epoch)?, initial) {
        (State::Assigned(()), _) => {}
        (State::Undefined, Some(initial)) => {
            let text = previous.assign(state.epoch);
            text.clear();
            text.extend_from_slice(initial);
        }
        (State::Undefined, None) if F::OPTIONAL => {
            previous.set_empty(state.epoch);
            target.absent();
            return Ok(());
        }
        (State::Undefined, None) => return Err(codes.0),
        (State::Empty, _) if F::OPTIONAL => {
            target.absent();
            return Ok(());
        }
        (State::Empty, _) => return Err(codes.1),
    }
    set_previous(previous, target)
}

/// §6.3.8
///
/// # Errors
/// Those of its type; D4, D6, D7.
#[inline(always)]
pub fn tail_text<F: TextField>(
    field: &'static str,
    state: &mut DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    target: &mut F,
) -> Result<(), Failure> {
    let value = if presence.next() {
        let read = tail_in_stream(state, input.rest(), previous, initial, target);
        let present = input.past(read).flatten();
        present.and_then(|present| set(present, previous, target))
    } else {
        no_text(state, previous, initial, target, (ErrorCode::D6, ErrorCode::D7))
    };
    value.map_err(|code| Failure::new(code, field, input))
}

/// The inner error is found behind the tail.
fn tail_in_stream<F: TextField>(
    state: &mut DecoderState,
    rest: &[u8],
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    _target: &F,
) -> Read<Result<bool, ErrorCode>> {
    let (piece, count) = piece::<F::Value>(state, rest, F::OPTIONAL)?;
    let Some(piece) = piece else {
        previous.set_empty(state.epoch);
        return Ok((Ok(false), count));
    };
    let base = match previous.state(state.epoch) {
        Ok(base) => base,
        Err(code) => return Ok((Err(code), count)),
    };
    let text = previous.assign(state.epoch);
    if base != State::Assigned(()) {
        text.clear();
        text.extend_from_slice(initial.unwrap_or_default());
    }
    let tail = piece.of(&state.scratch);
    text.truncate(text.len().saturating_sub(tail.len()));
    text.extend_from_slice(tail);
    Ok((Ok(true), count))
}

/// §6.3.7.3–5
///
/// # Errors
/// Those of its type; D4, D6, D7, a limit.
#[inline(always)]
pub fn delta_text<F: TextField>(
    field: &'static str,
    state: &mut DecoderState,
    input: &mut Cursor<'_>,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    target: &mut F,
) -> Result<(), Failure> {
    let read = text_sum(state, input.rest(), previous, initial, target);
    input
        .past(read)
        .and_then(|present| set(present, previous, target))
        .map_err(|code| Failure::new(code, field, input))
}

/// Combines a delta with its base in the dictionary; `false` where it is NULL.
fn text_sum<F: TextField>(
    state: &mut DecoderState,
    rest: &[u8],
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
    _target: &F,
) -> Read<bool> {
    let (subtraction, first) = wide_delta(rest, F::OPTIONAL, state.options.strict)?;
    let Some(subtraction) = subtraction else { return Ok((false, first)) };
    let subtraction = i32::try_from(subtraction).map_err(|_| ErrorCode::D7)?;
    let (piece, second) = piece::<F::Value>(state, &rest[first..], false)?;
    let Some(piece) = piece else { return Ok((false, 0)) };
    let base = previous.state(state.epoch)?;
    if base == State::Empty {
        return Err(ErrorCode::D6);
    }
    let text = previous.assign(state.epoch);
    if base == State::Undefined {
        text.clear();
        text.extend_from_slice(initial.unwrap_or_default());
    }
    // Negative lengths count from the front and are one less than meant.
    let from_front = subtraction < 0;
    let removed = if from_front { !subtraction } else { subtraction }.unsigned_abs() as usize;
    if removed > text.len() {
        return Err(ErrorCode::D7);
    }
    let added = piece.of(&state.scratch);
    if text.len() - removed + added.len() > state.options.max_string as usize {
        return Err(ErrorCode::Limit);
    }
    if from_front {
        text.splice(..removed, added.iter().copied());
    } else {
        text.truncate(text.len() - removed);
        text.extend_from_slice(added);
    }
    Ok((true, first + second))
}

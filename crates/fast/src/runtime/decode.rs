//! Decoding: the state of a decoder, failures, and fields of numbers with their operators (§6.3).

use super::cursor::{Cursor, Ending, Read, transfer};
use super::presence::NextBit;
use super::previous::{PreviousOf, State};
use super::value::{Decimal, Integer, Scalar};
use crate::decode::{DecoderOptions, ResetPolicy};
use crate::error::{DecodeError, ErrorCode, Site};
use crate::transfer::Processor;

/// §10.6.2: the exponents there are.
const EXPONENTS: std::ops::RangeInclusive<i32> = -63..=63;

/// What a generated decoder holds besides the dictionaries.
#[derive(Clone, Debug)]
pub struct DecoderState {
    pub(super) options: DecoderOptions,
    /// The current epoch of the dictionaries.
    pub(super) epoch: u64,
    poisoned: bool,
    elements_left: u32,
    depth: u32,
    /// Strings that are not values yet.
    pub(super) scratch: Vec<u8>,
    pub(super) processor: Processor,
}

impl DecoderState {
    /// The state before the first message.
    pub fn new(mut options: DecoderOptions) -> Self {
        options.max_string = options.max_string.max(DecoderOptions::LEAST_MAX_STRING);
        Self {
            options,
            epoch: 1,
            poisoned: false,
            elements_left: 0,
            depth: 0,
            scratch: Vec::new(),
            processor: Processor::detect(),
        }
    }

    /// Makes all dictionary entries undefined and heals a poisoned decoder.
    pub fn reset(&mut self) {
        self.reset_dictionaries();
        self.poisoned = false;
    }

    /// Makes all dictionary entries undefined.
    #[inline]
    pub fn reset_dictionaries(&mut self) {
        self.epoch += 1;
    }

    /// When the dictionaries are reset.
    #[inline]
    pub fn reset_policy(&self) -> ResetPolicy {
        self.options.reset
    }

    /// Decodes one message by `decode`, which returns the cursor behind it.
    ///
    /// # Errors
    /// That of `decode`; the decoder is then poisoned.
    #[inline(always)]
    pub fn message(
        &mut self,
        bytes: &[u8],
        decode: impl for<'i> FnOnce(&mut Self, Cursor<'i>) -> Result<Cursor<'i>, Failure>,
    ) -> Result<usize, DecodeError> {
        self.begin()?;
        let ending = Ending::of(bytes);
        match decode(self, Cursor::new(bytes, &ending)) {
            Ok(rest) => Ok(bytes.len() - rest.remaining()),
            Err(failure) => Err(self.failed(failure, bytes)),
        }
    }

    /// A message begins.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> Result<(), DecodeError> {
        if self.poisoned {
            let site = Site::default();
            return Err(DecodeError { code: ErrorCode::Poisoned, offset: 0, site });
        }
        self.elements_left = self.options.max_elements;
        self.depth = 0;
        Ok(())
    }

    /// The message in `bytes` has failed.
    #[cold]
    pub(super) fn failed(&mut self, failure: Failure, bytes: &[u8]) -> DecodeError {
        self.poisoned = true;
        failure.into_error(bytes.len())
    }

    /// Enters a group or reference.
    ///
    /// # Errors
    /// A limit.
    #[inline(always)]
    pub fn enter(&mut self, field: &'static str, input: &Cursor<'_>) -> Result<(), Failure> {
        if self.goes_deeper() { Ok(()) } else { Err(Failure::new(ErrorCode::Limit, field, input)) }
    }

    /// Goes one level deeper, and tells whether that is allowed.
    #[inline(always)]
    pub(super) fn goes_deeper(&mut self) -> bool {
        self.depth += 1;
        self.depth <= self.options.max_depth
    }

    /// Takes elements of a sequence from those that the message may have; `false` for too many.
    #[inline(always)]
    pub(super) fn has_room_for(&mut self, length: u32) -> bool {
        let is_allowed = length <= self.options.max_sequence.min(self.elements_left);
        if is_allowed {
            self.elements_left -= length;
        }
        is_allowed
    }

    /// Enters a sequence of `length` elements.
    ///
    /// # Errors
    /// A limit.
    #[inline(always)]
    pub fn enter_sequence(
        &mut self,
        field: &'static str,
        length: u32,
        input: &Cursor<'_>,
    ) -> Result<(), Failure> {
        if !self.has_room_for(length) {
            return Err(Failure::new(ErrorCode::Limit, field, input));
        }
        self.enter(field, input)
    }

    /// Leaves a group, reference or sequence.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// An error of decoding on its way out; small, so that a result with it is.
#[derive(Clone, Debug)]
pub struct Failure(Box<Failed>);

#[derive(Clone, Copy, Debug)]
struct Failed {
    code: ErrorCode,
    field: Option<&'static str>,
    template: Option<&'static str>,
    remaining: usize,
}

impl Failure {
    /// An error at a field, in front of what `input` has left.
    #[inline(always)]
    pub fn new(code: ErrorCode, field: &'static str, input: &Cursor<'_>) -> Self {
        Self::with(code, Some(field), input.remaining())
    }

    /// The same where the cursor is not at hand: `remaining` bytes are left.
    pub(super) fn in_front_of(code: ErrorCode, field: &'static str, remaining: usize) -> Self {
        Self::with(code, Some(field), remaining)
    }

    /// An error that is at no field of the segment.
    #[inline(always)]
    pub fn outside(code: ErrorCode, input: &Cursor<'_>) -> Self {
        Self::with(code, None, input.remaining())
    }

    #[cold]
    #[inline(never)]
    fn with(code: ErrorCode, field: Option<&'static str>, remaining: usize) -> Self {
        Self(Box::new(Failed { code, field, template: None, remaining }))
    }

    /// Says which field it is at, unless that is known.
    #[cold]
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.0.field.get_or_insert(field);
        self
    }

    /// Says which template it is in, unless that is known.
    #[cold]
    #[must_use]
    pub fn within(mut self, template: &'static str) -> Self {
        self.0.template.get_or_insert(template);
        self
    }

    #[cold]
    fn into_error(self, length: usize) -> DecodeError {
        let Failed { code, field, template, remaining } = *self.0;
        let site = Site { template: template.map(Into::into), field: field.map(Into::into) };
        DecodeError { code, offset: length - remaining, site }
    }
}

/// §10: the template of a segment, as if its identifier had a copy operator. `previous` is that
/// operator's previous value.
///
/// # Errors
/// D5 where there is neither identifier nor previous value, D9 where it is unknown.
#[inline(always)]
pub fn identifier<T: Copy>(
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut Option<T>,
    by_id: impl FnOnce(u32) -> Option<T>,
) -> Result<T, Failure> {
    if !presence.next() {
        return previous.ok_or_else(|| Failure::outside(ErrorCode::D5, input));
    }
    let mut after = *input;
    let id = match in_stream::<u32>(state, &mut after) {
        Ok(id) => id,
        // No template has an identifier beyond 32 bits.
        Err(ErrorCode::D2) => None,
        Err(code) => return Err(Failure::outside(code, input)),
    };
    match id.and_then(by_id) {
        Some(template) => {
            *input = after;
            *previous = Some(template);
            Ok(template)
        }
        None => Err(Failure::outside(ErrorCode::D9, input)),
    }
}

/// The type of a number in a message: `T` where the field is mandatory, `Option<T>` where it is
/// optional.
pub trait ScalarField: Copy {
    /// The type of the value.
    type Value: Scalar;
    /// Whether it may be absent.
    const OPTIONAL: bool;
    /// From a decoded value. A mandatory field always has one.
    fn of(value: Option<Self::Value>) -> Self;
    /// The value.
    fn get(self) -> Option<Self::Value>;
}

impl<T: Scalar> ScalarField for T {
    type Value = T;
    const OPTIONAL: bool = false;
    #[inline(always)]
    fn of(value: Option<T>) -> T {
        value.unwrap_or_default()
    }
    #[inline(always)]
    fn get(self) -> Option<T> {
        Some(self)
    }
}

impl<T: Scalar> ScalarField for Option<T> {
    type Value = T;
    const OPTIONAL: bool = true;
    #[inline(always)]
    fn of(value: Option<T>) -> Self {
        value
    }
    #[inline(always)]
    fn get(self) -> Option<T> {
        self
    }
}

#[inline(always)]
fn in_stream<F: ScalarField>(
    state: &DecoderState,
    input: &mut Cursor<'_>,
) -> Result<Option<F::Value>, ErrorCode> {
    match short::<F>(input) {
        Some(value) => Ok(value),
        None => input.past(any::<F>(input.rest(), state)),
    }
}

#[inline(always)]
fn short<F: ScalarField>(input: &mut Cursor<'_>) -> Option<Option<F::Value>> {
    if F::OPTIONAL { F::Value::short::<true>(input) } else { F::Value::short::<false>(input) }
}

#[inline(always)]
fn any<F: ScalarField>(rest: &[u8], state: &DecoderState) -> Read<Option<F::Value>> {
    if F::OPTIONAL {
        F::Value::any::<true>(rest, state)
    } else {
        F::Value::any::<false>(rest, state)
    }
}

/// A field without operator.
///
/// # Errors
/// Those of its type.
#[inline(always)]
pub fn plain<F: ScalarField>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
) -> Result<F, Failure> {
    // Not by `in_stream`: what is read would take one instruction in 25 more.
    if let Some(value) = short::<F>(input) {
        return Ok(F::of(value));
    }
    match any::<F>(input.rest(), state) {
        Ok((value, length)) => {
            input.advance(length);
            Ok(F::of(value))
        }
        Err(code) => Err(Failure::new(code, field, input)),
    }
}

/// §6.3.4
///
/// # Errors
/// Those of its type.
#[inline(always)]
pub fn default<F: ScalarField>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    initial: Option<F::Value>,
) -> Result<F, Failure> {
    if presence.next() { plain(field, state, input) } else { Ok(F::of(initial)) }
}

/// §6.3.5
///
/// # Errors
/// Those of its type; D4, D5, D6.
#[inline(always)]
pub fn copy<F: ScalarField>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<F, Failure> {
    if presence.next() {
        return assigned(field, state, input, previous);
    }
    match previous.state(state.epoch) {
        // It stays what it is.
        Ok(State::Assigned(value)) => Ok(F::of(Some(value))),
        before => first(field, state, input, previous, before, initial),
    }
}

/// §6.3.6
///
/// # Errors
/// Those of its type; D4, D5, D6.
#[inline(always)]
pub fn increment<F: ScalarField<Value: Integer>>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    presence: &mut impl NextBit,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<F, Failure> {
    if presence.next() {
        return assigned(field, state, input, previous);
    }
    match previous.state(state.epoch) {
        Ok(State::Assigned(value)) => {
            let value = Some(value.next());
            previous.assign(state.epoch, value);
            Ok(F::of(value))
        }
        before => first(field, state, input, previous, before, initial),
    }
}

/// A field in the stream, which becomes the previous value.
#[inline(always)]
fn assigned<F: ScalarField>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    previous: &mut impl PreviousOf<F::Value>,
) -> Result<F, Failure> {
    let value: F = plain(field, state, input)?;
    previous.assign(state.epoch, value.get());
    Ok(value)
}

/// A field that is neither in the stream nor has a previous value, as `before` says: the initial value,
/// which becomes the previous one.
#[inline(always)]
fn first<F: ScalarField>(
    field: &'static str,
    state: &DecoderState,
    input: &Cursor<'_>,
    previous: &mut impl PreviousOf<F::Value>,
    before: Result<State<F::Value>, ErrorCode>,
    initial: Option<F::Value>,
) -> Result<F, Failure> {
    let code = match before {
        Ok(State::Empty) if F::OPTIONAL => return Ok(F::of(None)),
        Ok(State::Empty) => ErrorCode::D6,
        Ok(_) if initial.is_some() || F::OPTIONAL => {
            previous.assign(state.epoch, initial);
            return Ok(F::of(initial));
        }
        Ok(_) => ErrorCode::D5,
        Err(code) => code,
    };
    Err(Failure::new(code, field, input))
}

/// §6.3.7.1: an integer.
///
/// # Errors
/// Those of its type; D4, D6, R4.
#[inline(always)]
pub fn delta<F: ScalarField<Value: Integer>>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<F, Failure> {
    let mut after = *input;
    let small = small_delta::<F>(&mut after);
    let base = |previous: &mut _| base(PreviousOf::state(previous, state.epoch), initial);
    let sum = match small {
        Some(None) => {
            *input = after;
            return Ok(F::of(None));
        }
        Some(Some(delta)) => {
            base(previous).and_then(|base| base.plus_small(i64::from(delta)).ok_or(ErrorCode::R4))
        }
        None => match after.past(wide_delta(after.rest(), F::OPTIONAL, state.options.strict)) {
            Ok(None) => {
                *input = after;
                return Ok(F::of(None));
            }
            Ok(Some(delta)) => {
                base(previous).and_then(|base| base.plus(delta).ok_or(ErrorCode::R4))
            }
            Err(code) => Err(code),
        },
    };
    match sum {
        Ok(sum) => {
            previous.assign(state.epoch, Some(sum));
            *input = after;
            Ok(F::of(Some(sum)))
        }
        Err(code) => Err(Failure::new(code, field, input)),
    }
}

/// A delta of up to four bytes; the inner `None` is NULL.
#[inline(always)]
fn small_delta<F: ScalarField>(input: &mut Cursor<'_>) -> Option<Option<i32>> {
    if F::OPTIONAL { input.small_signed::<true>() } else { input.small_signed::<false>() }
}

/// The value that a delta is added to.
#[inline(always)]
fn base<T: Scalar>(state: Result<State<T>, ErrorCode>, initial: Option<T>) -> Result<T, ErrorCode> {
    match state? {
        State::Assigned(value) => Ok(value),
        State::Undefined => Ok(initial.unwrap_or_default()),
        State::Empty => Err(ErrorCode::D6),
    }
}

#[inline(never)]
pub(super) fn wide_delta(rest: &[u8], nullable: bool, strict: bool) -> Read<Option<i128>> {
    transfer(rest, |cursor| cursor.delta(nullable, strict))
}

/// §6.3.7.2: a decimal.
///
/// # Errors
/// Those of its type; D4, D6, R1.
#[inline(always)]
pub fn decimal_delta<F: ScalarField<Value = Decimal>>(
    field: &'static str,
    state: &DecoderState,
    input: &mut Cursor<'_>,
    previous: &mut impl PreviousOf<Decimal>,
    initial: Option<Decimal>,
) -> Result<F, Failure> {
    if F::OPTIONAL && input.null() {
        return Ok(F::of(None));
    }
    let mut after = *input;
    if let Some(value) = small_decimal_sum::<F>(state, &mut after, previous, initial) {
        *input = after;
        previous.assign(state.epoch, Some(value));
        return Ok(F::of(Some(value)));
    }
    let sum = decimal_sum(F::OPTIONAL, state, input.rest(), previous, initial);
    match input.past(sum) {
        Ok(value) => Ok(F::of(value)),
        Err(code) => Err(Failure::new(code, field, input)),
    }
}

/// The sum where both deltas are there and short. `None` leaves everything else, errors among it,
/// to [`decimal_sum`].
#[inline(always)]
fn small_decimal_sum<F: ScalarField<Value = Decimal>>(
    state: &DecoderState,
    input: &mut Cursor<'_>,
    previous: &impl PreviousOf<Decimal>,
    initial: Option<Decimal>,
) -> Option<Decimal> {
    let exponent = small_delta::<F>(input)??;
    let mantissa = input.small_signed::<false>()??;
    let base = base(previous.state(state.epoch), initial).ok()?;
    let exponent = exponent.checked_add(base.exponent).filter(|sum| EXPONENTS.contains(sum))?;
    Some(Decimal { mantissa: base.mantissa.checked_add(mantissa.into())?, exponent })
}

#[inline(never)]
fn decimal_sum(
    nullable: bool,
    state: &DecoderState,
    rest: &[u8],
    previous: &mut impl PreviousOf<Decimal>,
    initial: Option<Decimal>,
) -> Read<Option<Decimal>> {
    let strict = state.options.strict;
    let (exponent, first) = wide_delta(rest, nullable, strict)?;
    let Some(exponent) = exponent else { return Ok((None, first)) };
    let (mantissa, second) = wide_delta(&rest[first..], false, strict)?;
    let base = base(previous.state(state.epoch), initial)?;
    let exponent = exponent
        .checked_add(i128::from(base.exponent))
        .and_then(|exponent| i32::try_from(exponent).ok())
        .filter(|exponent| EXPONENTS.contains(exponent))
        .ok_or(ErrorCode::R1)?;
    let mantissa = base.mantissa.plus(mantissa.unwrap_or_default()).ok_or(ErrorCode::R1)?;
    let value = Some(Decimal { mantissa, exponent });
    previous.assign(state.epoch, value);
    Ok((value, first + second))
}

/// §6.2.2: checks an exponent that has an operator of its own.
///
/// # Errors
/// R1 where it is outside -63..=63.
#[inline(always)]
pub fn exponent<F: ScalarField<Value = i32>>(
    field: &'static str,
    input: &Cursor<'_>,
    exponent: F,
) -> Result<F, Failure> {
    match exponent.get() {
        Some(value) if !EXPONENTS.contains(&value) => {
            Err(Failure::new(ErrorCode::R1, field, input))
        }
        _ => Ok(exponent),
    }
}

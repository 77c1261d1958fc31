//! Encoding: the state of an encoder, presence maps, and fields with their operators (§6.3).
//!
//! Each operator mirrors its decoding: a value is left out of the stream iff the decoder would
//! come to it without, and the previous value is changed as the decoder changes it.

use super::decode::ScalarField;
use super::output::{Output, Room};
use super::previous::{PreviousOf, PreviousTextOf, State};
use super::text::TextField;
use super::value::{Decimal, Integer, Scalar, Text};
use crate::decode::ResetPolicy;
use crate::encode::{EncoderOptions, difference, rescale, tail};
use crate::error::{EncodeError, ErrorCode, Site};
use crate::transfer;

/// What a generated encoder holds besides the dictionaries.
#[derive(Clone, Debug)]
pub struct EncoderState {
    options: EncoderOptions,
    /// The current epoch of the dictionaries.
    epoch: u64,
    poisoned: bool,
    depth: u32,
    /// Where the message is written first.
    room: Room,
}

impl EncoderState {
    /// The state before the first message.
    pub fn new(options: EncoderOptions) -> Self {
        Self { options, epoch: 1, poisoned: false, depth: 0, room: Room::default() }
    }

    /// Makes all dictionary entries undefined and heals a poisoned encoder.
    pub fn reset(&mut self) {
        self.reset_dictionaries();
        self.poisoned = false;
    }

    /// Makes all dictionary entries undefined.
    #[inline]
    pub fn reset_dictionaries(&mut self) {
        self.epoch += 1;
    }

    /// The current epoch of the dictionaries.
    #[inline(always)]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// When the dictionaries are reset.
    #[inline]
    pub fn reset_policy(&self) -> ResetPolicy {
        self.options.reset
    }

    /// Appends one message by `encode`.
    ///
    /// # Errors
    /// That of `encode`; `out` is then as it was, and the encoder is poisoned.
    #[inline]
    pub fn message(
        &mut self,
        out: &mut Vec<u8>,
        encode: impl for<'o> FnOnce(&mut Self, Output<'o>) -> Result<Output<'o>, Refusal>,
    ) -> Result<(), EncodeError> {
        if self.poisoned {
            return Err(EncodeError { code: ErrorCode::Poisoned, site: Site::default() });
        }
        self.depth = 0;
        let mut room = std::mem::take(&mut self.room);
        let encoded = encode(self, room.begin()).map(|output| output.len());
        let written = match encoded {
            Ok(length) => match room.written(length) {
                Some(bytes) => {
                    out.extend_from_slice(bytes);
                    Ok(())
                }
                None => Err(EncodeError { code: ErrorCode::Limit, site: Site::default() }),
            },
            Err(refusal) => Err(refusal.into_error()),
        };
        self.room = room;
        self.poisoned = written.is_err();
        written
    }

    /// Enters a group, reference or sequence.
    ///
    /// # Errors
    /// A limit.
    #[inline]
    pub fn enter(&mut self, field: &'static str) -> Result<(), Refusal> {
        self.depth += 1;
        if self.depth > self.options.max_depth {
            return Err(Refusal::new(ErrorCode::Limit, field));
        }
        Ok(())
    }

    /// Leaves a group, reference or sequence.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// An error of encoding on its way out; small, so that a result with it is.
#[derive(Clone, Debug)]
pub struct Refusal(Box<Refused>);

#[derive(Clone, Copy, Debug)]
struct Refused {
    code: ErrorCode,
    field: &'static str,
    template: Option<&'static str>,
}

impl Refusal {
    /// An error at a field.
    #[cold]
    #[inline(never)]
    pub fn new(code: ErrorCode, field: &'static str) -> Self {
        Self(Box::new(Refused { code, field, template: None }))
    }

    /// Says which template it is in, unless that is known.
    #[cold]
    #[must_use]
    pub fn within(mut self, template: &'static str) -> Self {
        self.0.template.get_or_insert(template);
        self
    }

    #[cold]
    fn into_error(self) -> EncodeError {
        let Refused { code, field, template } = *self.0;
        let site = Site { template: template.map(Into::into), field: Some(field.into()) };
        EncodeError { code, site }
    }
}

/// A presence map whose bytes are reserved in front of its segment.
#[derive(Clone, Copy, Debug)]
pub struct PresenceBits {
    start: usize,
    size: usize,
    count: usize,
    /// The first 56 bits, the first one highest; further ones are in the reserved bytes.
    bits: u64,
}

impl PresenceBits {
    const IN_WORD: usize = 56;

    /// Reserves a map for at most `bits` bits at the end of `out`.
    #[inline(always)]
    pub fn reserve(bits: usize, out: &mut Output<'_>) -> Self {
        let (start, size) = (out.len(), bits.div_ceil(7).max(1));
        out.zeros(size);
        Self { start, size, count: 0, bits: 0 }
    }

    /// Appends a bit.
    #[inline(always)]
    pub fn push(&mut self, bit: bool, out: &mut Output<'_>) {
        if self.count < Self::IN_WORD {
            self.bits |= u64::from(bit) << (Self::IN_WORD - 1 - self.count);
        } else {
            let byte = out.at(self.start + self.count / 7, 1);
            byte.iter_mut().for_each(|byte| *byte |= u8::from(bit) << (6 - self.count % 7));
        }
        self.count += 1;
    }

    /// Cuts trailing zero bytes off and sets the stop bit.
    #[inline(always)]
    pub fn finish(self, out: &mut Output<'_>) {
        let map = out.at(self.start, self.size);
        // Unless the message is too long, it is there.
        if map.len() != self.size {
            return;
        }
        if self.size == 1 {
            map[0] = (self.bits >> 49) as u8 | 0x80;
            return;
        }
        let bytes = transfer::spread(self.bits).to_be_bytes();
        let in_word = self.size.min(bytes.len());
        map[..in_word].copy_from_slice(&bytes[..in_word]);
        let last = map.iter().rposition(|byte| *byte != 0).unwrap_or(0);
        map[last] |= 0x80;
        if last + 1 < self.size {
            out.remove(self.start + last + 1, self.size - last - 1);
        }
    }
}

/// §10: the bit of a template identifier and the identifier, unless it is the previous one.
#[inline(always)]
pub fn write_identifier<T: Copy + PartialEq>(
    state: &EncoderState,
    template: T,
    id: u32,
    previous: &mut Option<T>,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
) {
    let send = state.options.always_send_id || *previous != Some(template);
    bits.push(send, out);
    if send {
        u32::write::<false>(Some(id), out);
        *previous = Some(template);
    }
}

#[inline(always)]
fn put<F: ScalarField>(value: Option<F::Value>, out: &mut Output<'_>) {
    if F::OPTIONAL {
        F::Value::write::<true>(value, out)
    } else {
        F::Value::write::<false>(value, out)
    }
}

/// The length of a sequence.
///
/// # Errors
/// R4 where it exceeds a u32.
#[inline(always)]
pub fn length(field: &'static str, length: usize) -> Result<u32, Refusal> {
    u32::try_from(length).map_err(|_| Refusal::new(ErrorCode::R4, field))
}

/// Checks a decimal before it is encoded.
///
/// # Errors
/// R1 where the exponent is outside -63..=63.
#[inline(always)]
pub fn decimal<F: ScalarField<Value = Decimal>>(
    field: &'static str,
    value: F,
) -> Result<F, Refusal> {
    match value.get() {
        Some(decimal) if !(-63..=63).contains(&decimal.exponent) => {
            Err(Refusal::new(ErrorCode::R1, field))
        }
        _ => Ok(value),
    }
}

/// §6.2.2: the same decimal with a constant exponent.
///
/// # Errors
/// D3 where there is none.
pub fn scaled_to(field: &'static str, value: Decimal, exponent: i32) -> Result<Decimal, Refusal> {
    match rescale((value.mantissa, value.exponent), exponent.into()) {
        Some((mantissa, exponent)) => Ok(Decimal { mantissa, exponent }),
        None => Err(Refusal::new(ErrorCode::D3, field)),
    }
}

/// Checks a part of a decimal whose operator is constant.
///
/// # Errors
/// D3 where it is another value.
#[inline(always)]
pub fn check_constant<T: Scalar>(
    field: &'static str,
    value: T,
    constant: T,
) -> Result<(), Refusal> {
    if value == constant { Ok(()) } else { Err(Refusal::new(ErrorCode::D3, field)) }
}

/// A field without operator.
#[inline(always)]
pub fn write_plain<F: ScalarField>(value: F, out: &mut Output<'_>) {
    put::<F>(value.get(), out);
}

/// §6.3.4
#[inline(always)]
pub fn write_default<F: ScalarField>(
    value: F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    initial: Option<F::Value>,
) {
    let value = value.get();
    bits.push(value != initial, out);
    if value != initial {
        put::<F>(value, out);
    }
}

/// §6.3.5
///
/// # Errors
/// D4
#[inline(always)]
pub fn write_copy<F: ScalarField>(
    field: &'static str,
    state: &EncoderState,
    value: F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<(), Refusal> {
    let before = previous.state(state.epoch);
    let present = value.get() != expected(field, before, initial, |value| value)?;
    bits.push(present, out);
    if present {
        put::<F>(value.get(), out);
    }
    if present || !matches!(before, Ok(State::Assigned(_))) {
        previous.assign(state.epoch, value.get());
    }
    Ok(())
}

/// §6.3.6
///
/// # Errors
/// D4
#[inline(always)]
pub fn write_increment<F: ScalarField<Value: Integer>>(
    field: &'static str,
    state: &EncoderState,
    value: F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<(), Refusal> {
    let expected = expected(field, previous.state(state.epoch), initial, Integer::next)?;
    bits.push(value.get() != expected, out);
    if value.get() != expected {
        put::<F>(value.get(), out);
    }
    previous.assign(state.epoch, value.get());
    Ok(())
}

#[inline(always)]
fn expected<T>(
    field: &'static str,
    state: Result<State<T>, ErrorCode>,
    initial: Option<T>,
    next: impl FnOnce(T) -> T,
) -> Result<Option<T>, Refusal> {
    match state {
        Ok(State::Assigned(value)) => Ok(Some(next(value))),
        Ok(State::Undefined) => Ok(initial),
        Ok(State::Empty) => Ok(None),
        Err(code) => Err(Refusal::new(code, field)),
    }
}

#[inline(always)]
fn put_delta(delta: i128, nullable: bool, out: &mut Output<'_>) {
    let delta = if nullable && delta >= 0 { delta + 1 } else { delta };
    match i64::try_from(delta) {
        Ok(delta) => out.signed(delta),
        Err(_) => out.wide_signed(delta),
    }
}

#[inline(always)]
fn put_difference<T: Integer>(value: T, base: T, nullable: bool, out: &mut Output<'_>) {
    let delta = value.less_small(base);
    match delta.and_then(|delta| delta.checked_add((nullable && delta >= 0).into())) {
        // Of two integers of 32 bits, it is never anything else.
        Some(delta) => out.signed(delta),
        None => put_delta(value.wide() - base.wide(), nullable, out),
    }
}

fn base<T: Default>(
    field: &'static str,
    state: Result<State<T>, ErrorCode>,
    initial: Option<T>,
) -> Result<T, Refusal> {
    match state {
        Ok(State::Assigned(value)) => Ok(value),
        Ok(State::Undefined) => Ok(initial.unwrap_or_default()),
        Ok(State::Empty) => Err(Refusal::new(ErrorCode::D6, field)),
        Err(code) => Err(Refusal::new(code, field)),
    }
}

/// §6.3.7.1: an integer.
///
/// # Errors
/// D4, D6
#[inline(always)]
pub fn write_delta<F: ScalarField<Value: Integer>>(
    field: &'static str,
    state: &EncoderState,
    value: F,
    out: &mut Output<'_>,
    previous: &mut impl PreviousOf<F::Value>,
    initial: Option<F::Value>,
) -> Result<(), Refusal> {
    let Some(value) = value.get() else {
        out.null();
        return Ok(());
    };
    let base = base(field, previous.state(state.epoch), initial)?;
    put_difference(value, base, F::OPTIONAL, out);
    previous.assign(state.epoch, Some(value));
    Ok(())
}

/// §6.3.7.2: a decimal.
///
/// # Errors
/// D4, D6
pub fn write_decimal_delta<F: ScalarField<Value = Decimal>>(
    field: &'static str,
    state: &EncoderState,
    value: F,
    out: &mut Output<'_>,
    previous: &mut impl PreviousOf<Decimal>,
    initial: Option<Decimal>,
) -> Result<(), Refusal> {
    let Some(value) = value.get() else {
        out.null();
        return Ok(());
    };
    let base = base(field, previous.state(state.epoch), initial)?;
    put_difference(value.exponent, base.exponent, F::OPTIONAL, out);
    put_difference(value.mantissa, base.mantissa, false, out);
    previous.assign(state.epoch, Some(value));
    Ok(())
}

#[inline(always)]
fn checked<'v, F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &'v F,
) -> Result<Option<&'v [u8]>, Refusal> {
    match value.value().map(Text::bytes) {
        Some(bytes) if bytes.len() > state.options.max_string as usize => {
            Err(Refusal::new(ErrorCode::Limit, field))
        }
        bytes => Ok(bytes),
    }
}

#[inline(always)]
fn put_text<F: TextField>(bytes: Option<&[u8]>, out: &mut Output<'_>) {
    F::Value::write(bytes, F::OPTIONAL, out);
}

/// A string or vector without operator.
///
/// # Errors
/// A limit.
#[inline(always)]
pub fn write_text<F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &F,
    out: &mut Output<'_>,
) -> Result<(), Refusal> {
    checked(field, state, value)?;
    put_whole(value, out);
    Ok(())
}

#[inline(always)]
fn put_whole<F: TextField>(value: &F, out: &mut Output<'_>) {
    match value.value() {
        Some(value) => value.write_whole(F::OPTIONAL, out),
        None => out.null(),
    }
}

/// §6.3.4
///
/// # Errors
/// A limit.
pub fn write_default_text<F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    initial: Option<&[u8]>,
) -> Result<(), Refusal> {
    let present = !same(checked(field, state, value)?, initial);
    bits.push(present, out);
    if present {
        put_whole(value, out);
    }
    Ok(())
}

#[inline(always)]
fn same(one: Option<&[u8]>, other: Option<&[u8]>) -> bool {
    match (one, other) {
        // Each case by itself: to compare the options takes more instructions.
        (None, None) => true,
        // One byte is what most are, and takes no call.
        (Some([one]), Some([other])) => one == other,
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

fn remember<T: Text>(
    state: &EncoderState,
    previous: &mut impl PreviousTextOf<T>,
    value: Option<&[u8]>,
) {
    match value {
        Some(value) => {
            let text = previous.assign(state.epoch);
            text.clear();
            // One byte is what most are, and takes no call.
            match value {
                [only] => text.push(*only),
                _ => text.extend_from_slice(value),
            }
        }
        None => previous.set_empty(state.epoch),
    }
}

/// What the decoder comes to where the text is not in the stream.
#[inline(always)]
fn expected_text<'t, T: Text>(
    before: State<()>,
    previous: &'t impl PreviousTextOf<T>,
    initial: Option<&'t [u8]>,
) -> Option<&'t [u8]> {
    match before {
        State::Assigned(()) => Some(previous.bytes()),
        State::Undefined => initial,
        State::Empty => None,
    }
}

/// §6.3.5
///
/// # Errors
/// D4, a limit.
pub fn write_copy_text<F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
) -> Result<(), Refusal> {
    let bytes = checked(field, state, value)?;
    let before = previous.state(state.epoch).map_err(|code| Refusal::new(code, field))?;
    let present = !same(bytes, expected_text(before, previous, initial));
    bits.push(present, out);
    if present {
        put_whole(value, out);
    }
    if present || before != State::Assigned(()) {
        remember(state, previous, bytes);
    }
    Ok(())
}

/// §6.3.8
///
/// # Errors
/// D3 where the value is shorter than its base; D4, a limit.
pub fn write_tail_text<F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &F,
    bits: &mut PresenceBits,
    out: &mut Output<'_>,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
) -> Result<(), Refusal> {
    let value = checked(field, state, value)?;
    let before = previous.state(state.epoch).map_err(|code| Refusal::new(code, field))?;
    let present = !same(value, expected_text(before, previous, initial));
    bits.push(present, out);
    if present {
        let base = match before {
            State::Assigned(()) => previous.bytes(),
            State::Undefined | State::Empty => initial.unwrap_or_default(),
        };
        let tail = match value {
            Some(value) => {
                Some(tail(base, value).ok_or_else(|| Refusal::new(ErrorCode::D3, field))?)
            }
            None => None,
        };
        put_text::<F>(tail, out);
    }
    remember(state, previous, value);
    Ok(())
}

/// §6.3.7.3–5
///
/// # Errors
/// D4, D6, a limit.
pub fn write_delta_text<F: TextField>(
    field: &'static str,
    state: &EncoderState,
    value: &F,
    out: &mut Output<'_>,
    previous: &mut impl PreviousTextOf<F::Value>,
    initial: Option<&[u8]>,
) -> Result<(), Refusal> {
    let Some(value) = checked(field, state, value)? else {
        out.null();
        return Ok(());
    };
    let base = match previous.state(state.epoch) {
        Ok(State::Assigned(())) => previous.bytes(),
        Ok(State::Undefined) => initial.unwrap_or_default(),
        Ok(State::Empty) => return Err(Refusal::new(ErrorCode::D6, field)),
        Err(code) => return Err(Refusal::new(code, field)),
    };
    let (subtraction, added) = difference(base, value);
    put_delta(subtraction, F::OPTIONAL, out);
    F::Value::write(Some(added), false, out);
    remember(state, previous, Some(value));
    Ok(())
}

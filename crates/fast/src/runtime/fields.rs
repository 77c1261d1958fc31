//! Showing the fields of a message to a visitor while they are decoded, without a structure.
//!
//! It is for messages all of whose fields have no operator ([`Streamed`]), of which nothing need be
//! kept. They are read in a window with the positions of its stop bits, by the processor's own
//! instructions where it has them, as by the run-time decoder. What is long or rare, the end of a
//! window among it, is read from the start of the field by the transfer layer, which also knows the
//! errors.
//!
//! The window lives in registers: what is not inlined gets it by value and returns it.

use std::hint::cold_path;
use std::marker::PhantomData;

use super::cursor::{Read, short_unsigned, slow_scaled, slow_signed, slow_unsigned};
use super::decode::{DecoderState, Failure};
use super::text::piece;
use super::value::{Ascii, Decimal, Scalar, Text};
use super::visit::FieldVisitor;
use crate::error::{DecodeError, ErrorCode};
use crate::model::FieldType;
use crate::transfer::{Groups, Miss, Place, Tail, Window, Work, perform};
use crate::value::Value;

/// A message, group or element all of whose fields, down to the innermost, have no operator.
pub trait Streamed {
    /// Decodes the fields and shows them.
    ///
    /// # Errors
    /// Those of the fields; what is in front of the failed one has been shown.
    fn show<G: Groups>(
        fields: &mut Fields<'_, '_, G>,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure>;
}

/// What a visitor and an error say of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldName {
    /// Its name.
    pub name: &'static str,
    /// Its name, unique in its scope.
    pub key: &'static str,
    /// The number in the `id` attribute.
    pub id: Option<u32>,
}

impl FieldName {
    /// As told.
    #[inline(always)]
    pub const fn new(name: &'static str, key: &'static str, id: Option<u32>) -> Self {
        Self { name, key, id }
    }
}

/// The fields that are not decoded yet.
pub struct Fields<'f, 'i, G> {
    groups: G,
    window: Window<'i>,
    rest: &'f mut Rest<'i>,
}

/// What is needed where a window does not do.
struct Rest<'i> {
    input: &'i [u8],
    tail: &'i Tail,
    place: Place,
    state: &'i mut DecoderState,
}

/// The identifier at the start of a message, and the length of that start, where the presence map
/// has the bit of the identifier alone, so that no field has one.
#[inline(always)]
pub fn plain_header(bytes: &[u8]) -> Option<(u32, usize)> {
    const IDENTIFIER_ALONE: u8 = 0xc0;
    let (&[IDENTIFIER_ALONE], behind) = bytes.split_first_chunk()? else { return None };
    let (id, length) = short_unsigned(u32::from_le_bytes(*behind.first_chunk()?))?;
    Some((id, 1 + length))
}

impl DecoderState {
    /// Decodes the message of `bytes`, whose fields begin behind a header of that length, and shows
    /// it. Returns its length.
    ///
    /// # Errors
    /// Those of the fields; the decoder is then poisoned.
    #[inline(always)]
    pub fn show<S: Streamed>(
        &mut self,
        bytes: &[u8],
        header: usize,
        template: &'static str,
        visitor: &mut impl FieldVisitor,
    ) -> Result<usize, DecodeError> {
        self.begin()?;
        visitor.begin_message(template);
        let processor = self.processor;
        let streamed = PhantomData::<S>;
        let work = Show { input: bytes, position: header, state: self, visitor, streamed };
        match perform(processor, work) {
            Ok(length) => {
                visitor.end_message();
                Ok(length)
            }
            Err(failure) => Err(self.failed(failure.within(template), bytes)),
        }
    }
}

/// The fields of a message as work for the processor at hand.
struct Show<'s, S, V> {
    input: &'s [u8],
    /// Where they begin.
    position: usize,
    state: &'s mut DecoderState,
    visitor: &'s mut V,
    streamed: PhantomData<S>,
}

impl<S: Streamed, V: FieldVisitor> Work for Show<'_, S, V> {
    /// The position behind them.
    type Output = Result<usize, Failure>;

    #[inline(always)]
    fn run<G: Groups>(self, groups: G) -> Self::Output {
        let mut tail = Tail::EMPTY;
        tail.copy(self.input);
        let place = Place::default();
        let mut rest = Rest { input: self.input, tail: &tail, place, state: self.state };
        let window = Window::open(groups, self.input, self.position, &tail, &mut rest.place);
        let mut fields = Fields { groups, window, rest: &mut rest };
        S::show(&mut fields, self.visitor)?;
        Ok(fields.window.position(&fields.rest.place))
    }
}

impl<'i, G: Groups> Fields<'_, 'i, G> {
    /// An unsigned integer up to `max`, that of uInt32 or uInt64.
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn unsigned<const OPTIONAL: bool>(
        &mut self,
        field: FieldName,
        max: u64,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure> {
        if let Some(value) = self.next_unsigned::<OPTIONAL>(field.name, max)? {
            visitor.field(field.key, field.id, Value::UInt(value));
        }
        Ok(())
    }

    /// A signed integer from `!max` to `max`, that of int32 or int64.
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn signed<const OPTIONAL: bool>(
        &mut self,
        field: FieldName,
        max: u64,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure> {
        let value = self.next::<_, OPTIONAL>(
            |window, groups| window.signed::<G, OPTIONAL>(groups, max),
            |rest, window| rest.signed::<OPTIONAL>(window, field.name, max),
        )?;
        if let Some(value) = value {
            visitor.field(field.key, field.id, Value::Int(value));
        }
        Ok(())
    }

    /// A scaled number (§10.6.2).
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn decimal<const OPTIONAL: bool>(
        &mut self,
        field: FieldName,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure> {
        let value = self.next::<_, OPTIONAL>(
            |window, groups| {
                let (mantissa, exponent) = window.decimal::<G, OPTIONAL>(groups)?;
                Ok(Decimal { mantissa, exponent })
            },
            |rest, window| rest.decimal::<OPTIONAL>(window, field.name),
        )?;
        if let Some(value) = value {
            visitor.field(field.key, field.id, value.to_value());
        }
        Ok(())
    }

    /// An ASCII string.
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn ascii<const OPTIONAL: bool>(
        &mut self,
        field: FieldName,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure> {
        let text = self.next::<_, OPTIONAL>(
            |window, _| window.ascii(),
            |rest, window| Ok((None, rest.text::<Ascii>(window, OPTIONAL, field, visitor)?)),
        )?;
        if let Some(text) = text {
            visitor.field(field.key, field.id, Value::Ascii(&text.bytes()[..text.length]));
        }
        Ok(())
    }

    /// A string or byte vector of any type.
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn text<T: Text, const OPTIONAL: bool>(
        &mut self,
        field: FieldName,
        visitor: &mut impl FieldVisitor,
    ) -> Result<(), Failure> {
        self.window = self.rest.text::<T>(self.window, OPTIONAL, field, visitor)?;
        Ok(())
    }

    /// The length of a sequence.
    ///
    /// # Errors
    /// Those of its type.
    #[inline(always)]
    pub fn length<const OPTIONAL: bool>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<u32>, Failure> {
        let length = self.next_unsigned::<OPTIONAL>(name, u32::MAX.into())?;
        // It is at most what was given.
        Ok(length.map(|length| length as u32))
    }

    /// Enters a sequence of `length` elements.
    ///
    /// # Errors
    /// A limit.
    #[inline(always)]
    pub fn enter_sequence(&mut self, name: &'static str, length: u32) -> Result<(), Failure> {
        if !self.rest.state.has_room_for(length) {
            return Err(self.rest.failure(ErrorCode::Limit, name, self.window));
        }
        self.enter(name)
    }

    /// Enters a group.
    ///
    /// # Errors
    /// A limit.
    #[inline(always)]
    pub fn enter(&mut self, name: &'static str) -> Result<(), Failure> {
        if !self.rest.state.goes_deeper() {
            return Err(self.rest.failure(ErrorCode::Limit, name, self.window));
        }
        Ok(())
    }

    /// Leaves a group or sequence.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.rest.state.leave();
    }

    /// An element begins.
    #[inline(always)]
    pub fn begin_element(&mut self) {
        let Rest { input, tail, ref mut place, .. } = *self.rest;
        self.window = self.window.for_block(self.groups, input, tail, place);
    }

    #[inline(always)]
    fn next_unsigned<const OPTIONAL: bool>(
        &mut self,
        name: &'static str,
        max: u64,
    ) -> Result<Option<u64>, Failure> {
        self.next::<_, OPTIONAL>(
            |window, groups| window.unsigned::<G, OPTIONAL>(groups, max),
            |rest, window| rest.unsigned::<OPTIONAL>(window, name, max),
        )
    }

    /// A value in the window, or NULL; otherwise once more in a window that begins here, and at
    /// last `apart` from windows.
    #[inline(always)]
    fn next<T, const OPTIONAL: bool>(
        &mut self,
        read: impl Fn(&mut Window<'i>, G) -> Result<T, Miss>,
        apart: impl FnOnce(&mut Rest<'i>, Window<'i>) -> Apart<'i, Option<T>>,
    ) -> Result<Option<T>, Failure> {
        loop {
            if let Ok(value) = read(&mut self.window, self.groups) {
                return Ok(Some(value));
            }
            if OPTIONAL && self.window.pass_null() {
                return Ok(None);
            }
            cold_path();
            let Rest { input, tail, ref mut place, .. } = *self.rest;
            if self.window.is_new(place) {
                let (value, window) = apart(self.rest, self.window)?;
                self.window = window;
                return Ok(value);
            }
            let position = self.window.position(place);
            self.window = Window::open_anew(input, position, tail, place);
        }
    }
}

/// A value that was read apart, and the window behind it.
type Apart<'i, T> = Result<(T, Window<'i>), Failure>;

impl<'i> Rest<'i> {
    #[cold]
    #[inline(never)]
    fn unsigned<const OPTIONAL: bool>(
        &mut self,
        window: Window<'i>,
        name: &'static str,
        max: u64,
    ) -> Apart<'i, Option<u64>> {
        let strict = self.state.options.strict;
        self.apart(window, name, |_, rest| slow_unsigned::<OPTIONAL>(rest, max, strict))
    }

    #[cold]
    #[inline(never)]
    fn signed<const OPTIONAL: bool>(
        &mut self,
        window: Window<'i>,
        name: &'static str,
        max: u64,
    ) -> Apart<'i, Option<i64>> {
        let (strict, max) = (self.state.options.strict, max.cast_signed());
        self.apart(window, name, |_, rest| slow_signed::<OPTIONAL>(rest, !max, max, strict))
    }

    #[cold]
    #[inline(never)]
    fn decimal<const OPTIONAL: bool>(
        &mut self,
        window: Window<'i>,
        name: &'static str,
    ) -> Apart<'i, Option<Decimal>> {
        let strict = self.state.options.strict;
        self.apart(window, name, |_, rest| slow_scaled::<OPTIONAL>(rest, strict))
    }

    /// Shows a string or byte vector, too: what it is borrowed from stays here.
    #[cold]
    #[inline(never)]
    fn text<T: Text>(
        &mut self,
        window: Window<'i>,
        optional: bool,
        field: FieldName,
        visitor: &mut impl FieldVisitor,
    ) -> Result<Window<'i>, Failure> {
        let ((), behind) = self.apart(window, field.name, |state, rest| {
            let (found, length) = piece::<T>(state, rest, optional)?;
            if let Some(found) = found {
                let value = value_of::<T>(found.of(&state.scratch))?;
                visitor.field(field.key, field.id, value);
            }
            Ok(((), length))
        })?;
        Ok(behind)
    }

    /// Reads a field, and opens the window behind it.
    #[inline(always)]
    fn apart<T>(
        &mut self,
        window: Window<'i>,
        name: &'static str,
        read: impl FnOnce(&mut DecoderState, &'i [u8]) -> Read<T>,
    ) -> Apart<'i, T> {
        let position = window.position(&self.place);
        match read(self.state, &self.input[position..]) {
            Ok((value, length)) => {
                let place = &mut self.place;
                let behind = Window::open_anew(self.input, position + length, self.tail, place);
                Ok((value, behind))
            }
            Err(code) => Err(self.failure(code, name, window)),
        }
    }

    #[cold]
    #[inline(never)]
    fn failure(&self, code: ErrorCode, name: &'static str, window: Window<'i>) -> Failure {
        Failure::in_front_of(code, name, self.input.len() - window.position(&self.place))
    }
}

/// A string or vector for a visitor.
#[inline(always)]
fn value_of<T: Text>(bytes: &[u8]) -> Result<Value<'_>, ErrorCode> {
    match T::TYPE {
        FieldType::Ascii => Ok(Value::Ascii(bytes)),
        FieldType::Unicode => {
            std::str::from_utf8(bytes).map(Value::Unicode).map_err(|_| ErrorCode::R2)
        }
        _ => Ok(Value::Bytes(bytes)),
    }
}

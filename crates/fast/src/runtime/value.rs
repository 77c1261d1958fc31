//! Types of values in generated messages.
//!
//! Absent texts, groups and sequences keep their memory, so that a message that is decoded into
//! again and again stops allocating.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::cursor::{Cursor, slow_scaled, slow_signed, slow_unsigned};
use super::decode::DecoderState;
use super::output::Output;
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::value::Value;

/// A decimal: `mantissa` · 10^`exponent`, in the representation of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The significant digits.
    pub mantissa: i64,
    /// The power of ten, -63..=63.
    pub exponent: i32,
}

impl Decimal {
    /// `mantissa` · 10^`exponent`.
    pub const fn new(mantissa: i64, exponent: i32) -> Self {
        Self { mantissa, exponent }
    }
}

/// A value of fixed size: an integer or a decimal.
pub trait Scalar: Copy + Eq + Default {
    /// The type of the field.
    const TYPE: FieldType;
    /// Reads a short value of the stream; the inner `None` is NULL, where it is nullable.
    fn short<const NULLABLE: bool>(input: &mut Cursor<'_>) -> Option<Option<Self>>;
    /// The value at the start of `rest` and its length in bytes.
    ///
    /// # Errors
    /// Those of the type (D2, R1, R6), or the bytes end.
    fn any<const NULLABLE: bool>(
        rest: &[u8],
        state: &DecoderState,
    ) -> Result<(Option<Self>, usize), ErrorCode>;
    /// Appends a value of the stream; `None` only where it is nullable.
    fn write<const NULLABLE: bool>(value: Option<Self>, out: &mut Output<'_>);
    /// Bits and exponent, as a [`MixedPrevious`](super::MixedPrevious) keeps them.
    fn to_bits(self) -> (u64, i32);
    /// The inverse of [`Scalar::to_bits`].
    fn from_bits(bits: u64, exponent: i32) -> Self;
    /// The value for a visitor.
    fn to_value(self) -> Value<'static>;
}

/// One of the four integer types.
pub trait Integer: Scalar {
    /// The next one; the greatest is followed by the least (§6.3.6).
    fn next(self) -> Self;
    /// The sum, where it fits the type.
    fn plus(self, delta: i128) -> Option<Self>;
    /// The sum with a delta of ordinary size, where it fits the type.
    fn plus_small(self, delta: i64) -> Option<Self>;
    /// What it is more than `base`, where that has 64 bits.
    fn less_small(self, base: Self) -> Option<i64>;
    /// The number.
    fn wide(self) -> i128;
}

macro_rules! integer {
    ($($type:ident $field_type:ident $value:ident $wide:ident $read:ident [$($long:literal)?] $slow:ident ($($bound:expr),*)
        $small:ident $less:path, $bits:ident $write:ident;)*) => {
        $(impl Scalar for $type {
            const TYPE: FieldType = FieldType::$field_type;
            #[inline(always)]
            fn short<const NULLABLE: bool>(input: &mut Cursor<'_>) -> Option<Option<Self>> {
                // Short ones are within the bounds of the type.
                Some(input.$read::<NULLABLE $(, $long)?>()?.map(|value| value as $type))
            }
            #[inline(always)]
            fn any<const NULLABLE: bool>(
                rest: &[u8],
                state: &DecoderState,
            ) -> Result<(Option<Self>, usize), ErrorCode> {
                // The reader checks the bounds of the type.
                let (value, length) = $slow::<NULLABLE>(rest, $($bound,)* state.options.strict)?;
                Ok((value.map(|value| value as $type), length))
            }
            #[inline(always)]
            fn write<const NULLABLE: bool>(value: Option<Self>, out: &mut Output<'_>) {
                match value {
                    None => out.null(),
                    Some(value) if NULLABLE => $wide::from(value).write_nullable(out),
                    Some(value) => out.$write(value.into()),
                }
            }
            #[inline]
            fn to_bits(self) -> (u64, i32) {
                ($wide::from(self).$bits(), 0)
            }
            #[inline]
            fn from_bits(bits: u64, _exponent: i32) -> Self {
                bits as $type
            }
            #[inline]
            fn to_value(self) -> Value<'static> {
                Value::$value(self.into())
            }
        }
        impl Integer for $type {
            #[inline(always)]
            fn next(self) -> Self {
                self.wrapping_add(1)
            }
            #[inline]
            fn plus(self, delta: i128) -> Option<Self> {
                Self::try_from(i128::from(self).checked_add(delta)?).ok()
            }
            #[inline(always)]
            fn plus_small(self, delta: i64) -> Option<Self> {
                $wide::from(self).$small(delta).and_then(|sum| Self::try_from(sum).ok())
            }
            #[inline(always)]
            fn less_small(self, base: Self) -> Option<i64> {
                $less(self, base)
            }
            #[inline]
            fn wide(self) -> i128 {
                self.into()
            }
        })*
    };
}

/// The difference of integers of 32 bits.
#[inline(always)]
fn narrow_less<T: Into<i64>>(value: T, base: T) -> Option<i64> {
    Some(value.into() - base.into())
}

/// What both kinds of integers do in their own way.
trait Wide {
    fn same_bits(self) -> u64;
    /// Writes a value that is not NULL in a nullable type.
    fn write_nullable(self, out: &mut Output<'_>);
}

impl Wide for u64 {
    #[inline(always)]
    fn same_bits(self) -> u64 {
        self
    }
    #[inline(always)]
    fn write_nullable(self, out: &mut Output<'_>) {
        match self.checked_add(1) {
            Some(value) => out.unsigned(value),
            None => out.wide_unsigned(u128::from(self) + 1),
        }
    }
}

impl Wide for i64 {
    #[inline(always)]
    fn same_bits(self) -> u64 {
        self.cast_unsigned()
    }
    #[inline(always)]
    fn write_nullable(self, out: &mut Output<'_>) {
        match self.checked_add(i64::from(self >= 0)) {
            Some(value) => out.signed(value),
            None => out.wide_signed(i128::from(self) + 1),
        }
    }
}

integer! {
    u32 UInt32 UInt u64 unsigned [false] slow_unsigned (u64::from(u32::MAX))
        checked_add_signed narrow_less, same_bits unsigned;
    u64 UInt64 UInt u64 unsigned [true] slow_unsigned (u64::MAX)
        checked_add_signed u64::checked_signed_diff, same_bits unsigned;
    i32 Int32 Int i64 small_signed [] slow_signed (i64::from(i32::MIN), i64::from(i32::MAX))
        checked_add narrow_less, same_bits signed;
    i64 Int64 Int i64 small_signed [] slow_signed (i64::MIN, i64::MAX)
        checked_add i64::checked_sub, same_bits signed;
}

impl Scalar for Decimal {
    const TYPE: FieldType = FieldType::Decimal;

    #[inline(always)]
    fn short<const NULLABLE: bool>(input: &mut Cursor<'_>) -> Option<Option<Self>> {
        input.scaled::<NULLABLE>()
    }

    #[inline(always)]
    fn any<const NULLABLE: bool>(
        rest: &[u8],
        state: &DecoderState,
    ) -> Result<(Option<Self>, usize), ErrorCode> {
        slow_scaled::<NULLABLE>(rest, state.options.strict)
    }

    #[inline(always)]
    fn write<const NULLABLE: bool>(value: Option<Self>, out: &mut Output<'_>) {
        let Some(Self { mantissa, exponent }) = value else { return out.null() };
        let exponent = i64::from(exponent);
        out.signed(exponent + i64::from(NULLABLE && exponent >= 0));
        out.signed(mantissa);
    }

    #[inline]
    fn to_bits(self) -> (u64, i32) {
        (self.mantissa.cast_unsigned(), self.exponent)
    }

    #[inline]
    fn from_bits(bits: u64, exponent: i32) -> Self {
        Self { mantissa: bits.cast_signed(), exponent }
    }

    #[inline]
    fn to_value(self) -> Value<'static> {
        Value::Decimal { mantissa: self.mantissa, exponent: self.exponent }
    }
}

/// A string or byte vector.
pub trait Text: Default {
    /// The type of the field.
    const TYPE: FieldType;
    /// Takes a copy of `bytes`.
    ///
    /// # Errors
    /// R2 where a Unicode string is not valid UTF-8.
    fn assign(&mut self, bytes: &[u8]) -> Result<(), ErrorCode>;
    /// Takes the first `length` of the bytes.
    ///
    /// # Errors
    /// The same.
    #[inline(always)]
    fn assign_short(&mut self, bytes: [u8; 16], length: usize) -> Result<(), ErrorCode> {
        self.assign(&bytes[..length])
    }
    /// The bytes.
    fn bytes(&self) -> &[u8];
    /// The value for a visitor.
    fn to_value(&self) -> Value<'_>;
    /// Appends a value of the stream; `None` only where it is nullable.
    fn write(bytes: Option<&[u8]>, nullable: bool, out: &mut Output<'_>) {
        match bytes {
            None => out.null(),
            Some(bytes) => out.vector(bytes, nullable),
        }
    }
    /// Appends the value.
    #[inline(always)]
    fn write_whole(&self, nullable: bool, out: &mut Output<'_>) {
        Self::write(Some(self.bytes()), nullable, out);
    }
}

impl Text for String {
    const TYPE: FieldType = FieldType::Unicode;

    fn assign(&mut self, bytes: &[u8]) -> Result<(), ErrorCode> {
        let text = std::str::from_utf8(bytes).map_err(|_| ErrorCode::R2)?;
        self.clear();
        self.push_str(text);
        Ok(())
    }

    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn to_value(&self) -> Value<'_> {
        Value::Unicode(self)
    }
}

impl Text for Vec<u8> {
    const TYPE: FieldType = FieldType::Bytes;

    fn assign(&mut self, bytes: &[u8]) -> Result<(), ErrorCode> {
        self.clear();
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn bytes(&self) -> &[u8] {
        self
    }

    fn to_value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

/// An ASCII string. Up to 16 bytes are in the value itself.
#[derive(Clone, Default)]
pub struct Ascii {
    length: u32,
    short: [u8; Self::SHORT],
    /// The string, where it is longer than `short`.
    long: Vec<u8>,
}

/// A string has characters outside ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the string has characters outside ASCII")]
pub struct NotAscii;

impl Ascii {
    const SHORT: usize = 16;

    /// The bytes, each below 0x80.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        self.short.get(..self.length as usize).unwrap_or(&self.long)
    }

    /// The string.
    pub fn as_str(&self) -> &str {
        // It is ASCII, so that it never becomes empty here.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Takes a copy of `text`.
    ///
    /// # Errors
    /// Where it is not ASCII; the string is then as it was.
    pub fn set(&mut self, text: impl AsRef<[u8]>) -> Result<(), NotAscii> {
        let text = text.as_ref();
        if !text.is_ascii() {
            return Err(NotAscii);
        }
        self.copy(text);
        Ok(())
    }

    fn copy(&mut self, bytes: &[u8]) {
        match self.short.get_mut(..bytes.len()) {
            Some(short) => short.copy_from_slice(bytes),
            None => {
                self.long.clear();
                self.long.extend_from_slice(bytes);
            }
        }
        // Longer strings are refused by the options' limits, which are u32.
        self.length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    }
}

impl TryFrom<&str> for Ascii {
    type Error = NotAscii;

    fn try_from(text: &str) -> Result<Self, NotAscii> {
        let mut ascii = Self::default();
        ascii.set(text)?;
        Ok(ascii)
    }
}

impl Text for Ascii {
    const TYPE: FieldType = FieldType::Ascii;

    fn assign(&mut self, bytes: &[u8]) -> Result<(), ErrorCode> {
        self.copy(bytes);
        Ok(())
    }

    #[inline(always)]
    fn assign_short(&mut self, bytes: [u8; 16], length: usize) -> Result<(), ErrorCode> {
        (self.short, self.length) = (bytes, length as u32);
        Ok(())
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn to_value(&self) -> Value<'_> {
        Value::Ascii(self.as_bytes())
    }

    fn write(bytes: Option<&[u8]>, nullable: bool, out: &mut Output<'_>) {
        match bytes {
            None => out.null(),
            Some(bytes) => out.ascii(bytes, nullable),
        }
    }

    #[inline(always)]
    fn write_whole(&self, nullable: bool, out: &mut Output<'_>) {
        let length = self.length as usize;
        if (1..=Self::SHORT).contains(&length) && self.short[0] != 0 {
            out.short_ascii(&self.short, length);
        } else {
            out.ascii(self.as_bytes(), nullable);
        }
    }
}

impl PartialEq for Ascii {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Ascii {}

impl PartialEq<str> for Ascii {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Ascii {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl fmt::Debug for Ascii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Ascii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

/// A text, group or sequence that may be absent. It keeps its memory while it is.
#[derive(Clone, Default)]
pub struct Optional<T> {
    present: bool,
    value: T,
}

impl<T> Optional<T> {
    /// The value, where there is one.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        if self.present { Some(&self.value) } else { None }
    }

    /// The value to be changed, where there is one.
    #[inline(always)]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if self.present { Some(&mut self.value) } else { None }
    }

    /// Whether there is a value.
    #[inline(always)]
    pub fn is_some(&self) -> bool {
        self.present
    }

    /// Makes the value present and returns it, as it was when it was last present.
    #[inline(always)]
    pub fn insert(&mut self) -> &mut T {
        self.present = true;
        &mut self.value
    }

    /// Makes the value absent.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.present = false;
    }
}

impl<T> From<Option<T>> for Optional<T>
where
    T: Default,
{
    fn from(value: Option<T>) -> Self {
        Self { present: value.is_some(), value: value.unwrap_or_default() }
    }
}

impl<T: PartialEq> PartialEq for Optional<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for Optional<T> {}

impl<T: fmt::Debug> fmt::Debug for Optional<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

/// The elements of a sequence, a slice. Removed elements are kept for their memory.
pub struct Sequence<T> {
    length: usize,
    elements: Vec<T>,
}

impl<T> Sequence<T> {
    /// Removes all elements.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends `element`.
    pub fn push(&mut self, element: T) {
        match self.elements.get_mut(self.length) {
            Some(slot) => *slot = element,
            None => self.elements.push(element),
        }
        self.length += 1;
    }
}

impl<T: Default> Sequence<T> {
    /// Appends an element whose fields are those of a removed one, where there is one, to be
    /// filled completely.
    #[inline(always)]
    pub fn reuse(&mut self) -> &mut T {
        if self.length == self.elements.len() {
            self.elements.push(T::default());
        }
        let element = &mut self.elements[self.length];
        self.length += 1;
        element
    }
}

impl<T> Deref for Sequence<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.elements[..self.length]
    }
}

impl<T> DerefMut for Sequence<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements[..self.length]
    }
}

impl<'s, T> IntoIterator for &'s Sequence<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> FromIterator<T> for Sequence<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let elements: Vec<T> = elements.into_iter().collect();
        Self { length: elements.len(), elements }
    }
}

impl<T> Default for Sequence<T> {
    fn default() -> Self {
        Self { length: 0, elements: Vec::new() }
    }
}

impl<T: Clone> Clone for Sequence<T> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<T: PartialEq> PartialEq for Sequence<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Sequence<T> {}

impl<T: fmt::Debug> fmt::Debug for Sequence<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

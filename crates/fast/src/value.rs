//! A field's value, borrowed.

/// A value of a primitive field. Strings and vectors borrow from the input or from the codec's
/// memory and live until the visitor's call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of a uInt32 or uInt64 field.
    UInt(u64),
    /// Of an int32 or int64 field.
    Int(i64),
    /// Of a decimal field: `mantissa` · 10^`exponent`. The representation in the stream is kept,
    /// so 11.0 (110, -1) differs from 11 (11, 0).
    Decimal {
        /// The significant digits.
        mantissa: i64,
        /// The power of ten, -63..=63.
        exponent: i32,
    },
    /// Of an ASCII string field: every byte is below 0x80.
    Ascii(&'a [u8]),
    /// Of a Unicode string field.
    Unicode(&'a str),
    /// Of a byte vector field.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The value as an unsigned integer, where it is a non-negative integer.
    #[inline]
    pub fn as_u64(self) -> Option<u64> {
        match self {
            Value::UInt(value) => Some(value),
            Value::Int(value) => u64::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value as a signed integer, where it is an integer that fits.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Value::UInt(value) => i64::try_from(value).ok(),
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// (mantissa, exponent) of a decimal; an integer has exponent 0.
    #[inline]
    pub fn as_decimal(self) -> Option<(i64, i32)> {
        match self {
            Value::Decimal { mantissa, exponent } => Some((mantissa, exponent)),
            other => Some((other.as_i64()?, 0)),
        }
    }

    /// The text of an ASCII or Unicode string.
    #[inline]
    pub fn as_str(self) -> Option<&'a str> {
        match self {
            Value::Ascii(bytes) => std::str::from_utf8(bytes).ok(),
            Value::Unicode(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes of a string or byte vector.
    #[inline]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        match self {
            Value::Ascii(bytes) | Value::Bytes(bytes) => Some(bytes),
            Value::Unicode(text) => Some(text.as_bytes()),
            _ => None,
        }
    }
}

macro_rules! from_integer {
    ($($source:ty => $variant:ident),*) => {
        $(impl From<$source> for Value<'_> {
            fn from(value: $source) -> Self {
                Value::$variant(value.into())
            }
        })*
    };
}

from_integer!(u8 => UInt, u16 => UInt, u32 => UInt, u64 => UInt);
from_integer!(i8 => Int, i16 => Int, i32 => Int, i64 => Int);

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Unicode(text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Value::Bytes(bytes)
    }
}

//! A field's value, owned.

use crate::value::Value;

/// An owned value of a primitive field: an initial value, or a value of a `Message`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OwnedValue {
    /// See [`Value::UInt`].
    UInt(u64),
    /// See [`Value::Int`].
    Int(i64),
    /// See [`Value::Decimal`].
    Decimal {
        /// The significant digits.
        mantissa: i64,
        /// The power of ten.
        exponent: i32,
    },
    /// See [`Value::Ascii`].
    Ascii(Vec<u8>),
    /// See [`Value::Unicode`].
    Unicode(String),
    /// See [`Value::Bytes`].
    Bytes(Vec<u8>),
}

impl OwnedValue {
    /// Borrows it.
    pub fn as_value(&self) -> Value<'_> {
        match self {
            Self::UInt(value) => Value::UInt(*value),
            Self::Int(value) => Value::Int(*value),
            Self::Decimal { mantissa, exponent } => {
                Value::Decimal { mantissa: *mantissa, exponent: *exponent }
            }
            Self::Ascii(bytes) => Value::Ascii(bytes),
            Self::Unicode(text) => Value::Unicode(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
        }
    }
}

impl From<Value<'_>> for OwnedValue {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::UInt(value) => Self::UInt(value),
            Value::Int(value) => Self::Int(value),
            Value::Decimal { mantissa, exponent } => Self::Decimal { mantissa, exponent },
            Value::Ascii(bytes) => Self::Ascii(bytes.to_vec()),
            Value::Unicode(text) => Self::Unicode(text.to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

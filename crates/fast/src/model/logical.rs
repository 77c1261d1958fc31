//! What the numbers of FAST 1.2's types mean: enum, set, boolean, timestamp, integers of few bits.
//!
//! The extension adds no wire format but the bit group's. Every other type is an integer with a
//! meaning, so that a field keeps the [`FieldType`] of that integer and has a [`LogicalType`] too.

use std::sync::Arc;

use super::{AuxiliaryId, FieldType, Name, Operator, OwnedValue, Position, Presence, convert};
use crate::error::ErrorCode;
use crate::value::Value;

/// Most bits of a bit group: what nine bytes of seven bits hold.
pub const MAX_BIT_GROUP: u32 = 63;

/// The meaning of an integer field ("FAST version 1.2 Extension", 2009-01-18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicalType {
    /// One of the elements: a uInt32, the place of the element from 0.
    Enum(Arc<[Element]>),
    /// Any of the elements: a uInt64, bit `n` for the element in place `n`.
    Set(Arc<[Element]>),
    /// A uInt32: 0 is false, 1 is true.
    Boolean,
    /// An int64: units since the epoch, negative before it.
    Timestamp {
        /// What is counted.
        unit: TimeUnit,
        /// When counting starts.
        epoch: Epoch,
    },
    /// An integer of fewer bits than its [`FieldType`]: 1 to 7 in a bit group.
    Integer {
        /// How many.
        bits: u32,
        /// Whether one of them is a sign.
        signed: bool,
    },
}

/// An element of an enum or set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The `name` attribute; no two elements of a type have the same.
    pub name: Arc<str>,
    /// The `id` attribute, in published files a readable name.
    pub id: Option<Arc<str>>,
}

/// What a timestamp counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    /// `day`
    Day,
    /// `second`
    Second,
    /// `millisecond`
    #[default]
    Millisecond,
    /// `microsecond`
    Microsecond,
    /// `nanosecond`
    Nanosecond,
}

impl TimeUnit {
    /// Its length in nanoseconds.
    pub const fn nanoseconds(self) -> u64 {
        match self {
            Self::Day => 86_400_000_000_000,
            Self::Second => 1_000_000_000,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
        }
    }

    /// The unit with a name of the concrete syntax.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "day" => Self::Day,
            "second" => Self::Second,
            "millisecond" => Self::Millisecond,
            "microsecond" => Self::Microsecond,
            "nanosecond" => Self::Nanosecond,
            _ => return None,
        })
    }
}

/// When a timestamp's counting starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Epoch {
    /// 1970-01-01 00:00:00 GMT, the default; written `unix`.
    #[default]
    Unix,
    /// The midnight before, written `today`.
    Today,
    /// Another one, as written: the extension defines no syntax for it.
    Other(Arc<str>),
}

/// Fields packed into one stop bit encoded entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitGroup {
    /// Its name.
    pub name: Name,
    /// Its identifier.
    pub id: AuxiliaryId,
    /// None, constant, default or copy. A value is the bits of all members as an unsigned
    /// integer, the first member's the most significant.
    pub operator: Operator,
    /// The members, in the order of the bits from left to right.
    pub members: Vec<BitField>,
    /// Where it is defined.
    pub position: Position,
}

impl BitGroup {
    /// The bits of all members, 1 to [`MAX_BIT_GROUP`].
    pub fn bits(&self) -> u32 {
        self.members.iter().map(|member| member.bits).sum()
    }
}

/// A member of a bit group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Its name.
    pub name: Name,
    /// Its identifier.
    pub id: AuxiliaryId,
    /// Whether it may be absent: then zero is NULL, and what is not negative is one more.
    pub presence: Presence,
    /// The integer that visitors get.
    pub field_type: FieldType,
    /// What it means.
    pub logical: Arc<LogicalType>,
    /// Its bits in the group, 1 to 7.
    pub bits: u32,
    /// Where it is defined.
    pub position: Position,
}

impl LogicalType {
    /// The type of the integers that stand for it.
    pub fn field_type(&self) -> FieldType {
        match self {
            Self::Enum(_) | Self::Boolean => FieldType::UInt32,
            Self::Set(_) => FieldType::UInt64,
            Self::Timestamp { .. } => FieldType::Int64,
            Self::Integer { signed: true, .. } => FieldType::Int32,
            Self::Integer { signed: false, .. } => FieldType::UInt32,
        }
    }

    /// The least and the greatest integer that stand for a value.
    pub fn bounds(&self) -> (i64, u64) {
        match self {
            Self::Enum(elements) => (0, elements.len().saturating_sub(1) as u64),
            Self::Set(elements) if elements.len() >= 64 => (0, u64::MAX),
            Self::Set(elements) => (0, (1 << elements.len()) - 1),
            Self::Boolean => (0, 1),
            Self::Timestamp { .. } => (i64::MIN, i64::MAX.cast_unsigned()),
            Self::Integer { bits, signed } => {
                let magnitude = bits.saturating_sub(u32::from(*signed)).min(31);
                (if *signed { -(1 << magnitude) } else { 0 }, (1 << magnitude) - 1)
            }
        }
    }

    /// Whether an integer of the field's type stands for a value.
    pub fn contains(&self, value: Value<'_>) -> bool {
        let (least, greatest) = self.bounds();
        match value {
            Value::UInt(value) => value <= greatest,
            Value::Int(value) => value >= least && (value < 0 || value.cast_unsigned() <= greatest),
            _ => false,
        }
    }

    /// The bits that it takes in a bit group; `None` where it cannot be a member.
    pub fn bits_in_group(&self, optional: bool) -> Option<u32> {
        let (least, greatest) = self.bounds();
        let bits = match self {
            Self::Timestamp { .. } => return None,
            // As many as keep the sign apart; an optional one has one value more.
            Self::Integer { bits, signed: true } => bits + u32::from(optional),
            _ => {
                debug_assert_eq!(least, 0);
                let greatest = greatest.checked_add(u64::from(optional))?;
                (u64::BITS - greatest.leading_zeros()).max(1)
            }
        };
        (bits < 8).then_some(bits)
    }

    /// Converts an application's value to the integer: a string is an element's name, the names
    /// of a set's elements between spaces or `|`, or one of `true`, `false`, `Y` and `N`; anything
    /// else converts by §8.
    ///
    /// # Errors
    /// D11 for an unknown name, R4 for an integer that stands for no value, or as [`convert`].
    pub fn convert(&self, value: Value<'_>) -> Result<OwnedValue, ErrorCode> {
        let converted = match (value.as_str(), self) {
            (Some(text), Self::Enum(elements)) => {
                OwnedValue::UInt(place(elements, text).ok_or(ErrorCode::D11)?)
            }
            (Some(text), Self::Set(elements)) => {
                let mut bits = 0;
                for name in text.split([' ', '|']).filter(|name| !name.is_empty()) {
                    bits |= 1 << place(elements, name).ok_or(ErrorCode::D11)?;
                }
                OwnedValue::UInt(bits)
            }
            (Some("true" | "Y"), Self::Boolean) => OwnedValue::UInt(1),
            (Some("false" | "N"), Self::Boolean) => OwnedValue::UInt(0),
            _ => convert(value, self.field_type())?,
        };
        if self.contains(converted.as_value()) { Ok(converted) } else { Err(ErrorCode::R4) }
    }

    /// An initial value: the integer or, where the text is none, as [`LogicalType::convert`].
    pub(crate) fn initial(&self, text: &str) -> Result<OwnedValue, ErrorCode> {
        match convert(Value::Unicode(text), self.field_type()) {
            Ok(value) if self.contains(value.as_value()) => Ok(value),
            Ok(_) => self.convert(Value::Unicode(text)).map_err(|_| ErrorCode::R4),
            Err(_) => self.convert(Value::Unicode(text.trim())),
        }
    }

    /// The place of the element with a name.
    pub fn place(&self, name: &str) -> Option<u64> {
        match self {
            Self::Enum(elements) | Self::Set(elements) => place(elements, name),
            _ => None,
        }
    }

    /// The element in a place.
    pub fn element(&self, place: u64) -> Option<&Element> {
        match self {
            Self::Enum(elements) | Self::Set(elements) => {
                elements.get(usize::try_from(place).ok()?)
            }
            _ => None,
        }
    }
}

fn place(elements: &[Element], name: &str) -> Option<u64> {
    elements.iter().position(|element| *element.name == *name).map(|place| place as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(names: &[&str]) -> Arc<[Element]> {
        names.iter().map(|name| Element { name: Arc::from(*name), id: None }).collect()
    }

    #[test]
    fn bit_fields_have_the_sizes_of_the_extension() {
        let bits = |count: usize| {
            let names: Vec<String> = (0..count).map(|index| index.to_string()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            LogicalType::Enum(elements(&names)).bits_in_group(false)
        };
        // Page 7: three elements take two bits, two take one.
        assert_eq!(
            (bits(1), bits(2), bits(3), bits(4), bits(5)),
            (Some(1), Some(1), Some(2), Some(2), Some(3))
        );
        assert_eq!((bits(128), bits(129)), (Some(7), None));
        let set = LogicalType::Set(elements(&["a", "b", "c"]));
        assert_eq!((set.bits_in_group(false), set.bits_in_group(true)), (Some(3), Some(4)));
        // Page 10: one bit, two where it is nullable.
        assert_eq!(LogicalType::Boolean.bits_in_group(false), Some(1));
        assert_eq!(LogicalType::Boolean.bits_in_group(true), Some(2));
        let integer = |bits, signed| LogicalType::Integer { bits, signed };
        assert_eq!((integer(3, false).bounds(), integer(3, true).bounds()), ((0, 7), (-4, 3)));
        assert_eq!(integer(7, false).bits_in_group(true), None);
        assert_eq!(integer(2, true).bits_in_group(true), Some(3));
    }

    #[test]
    fn names_and_numbers_become_values() {
        let one = LogicalType::Enum(elements(&["5", "1"]));
        assert_eq!(one.convert("1".into()), Ok(OwnedValue::UInt(1)));
        assert_eq!(one.convert("0".into()), Err(ErrorCode::D11));
        assert_eq!(one.convert(Value::Int(1)), Ok(OwnedValue::UInt(1)));
        assert_eq!(one.convert(Value::UInt(2)), Err(ErrorCode::R4));
        // In a definition the encoded value comes first.
        assert_eq!(one.initial("1"), Ok(OwnedValue::UInt(1)));
        assert_eq!(one.initial("0"), Ok(OwnedValue::UInt(0)));
        assert_eq!(one.initial("5"), Ok(OwnedValue::UInt(0)));
        assert_eq!(one.initial("7"), Err(ErrorCode::R4));
        let set = LogicalType::Set(elements(&["A", "B", "C"]));
        assert_eq!(set.convert("C|A".into()), Ok(OwnedValue::UInt(5)));
        assert_eq!(set.convert("".into()), Ok(OwnedValue::UInt(0)));
        assert_eq!(set.convert("A D".into()), Err(ErrorCode::D11));
        assert_eq!(set.convert(Value::UInt(8)), Err(ErrorCode::R4));
        assert_eq!(LogicalType::Boolean.convert("Y".into()), Ok(OwnedValue::UInt(1)));
        assert_eq!(LogicalType::Boolean.convert(Value::UInt(2)), Err(ErrorCode::R4));
    }
}

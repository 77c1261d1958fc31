//! Stages A and X of one lane: entities to values, operators on them (MICROCODE.md §4.4).

use super::super::isa::{Kind, Operator, Presence, Slot};
use super::super::program::{Constant, TEXT_BYTES};
use super::super::record::Trap;
use crate::decode::operators::next;
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::transfer::ascii_value;

/// Longest integer in bytes: 70 bits hold any value and any delta of 64 bits.
pub(super) const INTEGER_BYTES: usize = 10;

/// Why a slot fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fail {
    Error(ErrorCode),
    Trap(Trap),
}

impl From<ErrorCode> for Fail {
    fn from(code: ErrorCode) -> Self {
        Self::Error(code)
    }
}

impl From<Trap> for Fail {
    fn from(trap: Trap) -> Self {
        Self::Trap(trap)
    }
}

/// The value of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Datum {
    /// The bits of an integer.
    Number(u64),
    Decimal(i64, i8),
    Text(Vec<u8>),
}

/// An entry of the dictionary.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum Previous {
    #[default]
    Undefined,
    Empty,
    Assigned(FieldType, Datum),
}

/// Where a lane gets its entities.
pub(super) trait Entities {
    /// The bytes of the next entity.
    fn entity(&mut self) -> Result<&[u8], Fail>;
    /// The raw bytes behind the entity that was the last: `length` of them.
    fn raw(&mut self, length: usize) -> Result<Vec<u8>, Fail>;
}

/// What a lane works with besides the entities.
pub(super) struct Lane<'e> {
    pub slot: Slot,
    pub strict: bool,
    pub max_text: u32,
    pub previous: &'e mut Previous,
    pub initial: Option<&'e Constant>,
}

impl Lane<'_> {
    /// Executes the slot; `bit` is its presence map bit, if it has one.
    pub fn execute(&mut self, bit: bool, from: &mut impl Entities) -> Result<Option<Datum>, Fail> {
        let present = match self.slot.presence {
            Presence::Always | Presence::Set => true,
            Presence::Clear => false,
            Presence::Bit => bit,
        };
        match self.slot.operator {
            Operator::None => self.in_stream(from),
            Operator::Constant => Ok(if present { self.initial() } else { None }),
            Operator::Default if present => self.in_stream(from),
            Operator::Default => Ok(self.initial()),
            Operator::Copy | Operator::Increment => {
                let value = if present { self.in_stream(from)? } else { self.absent()? };
                self.store(value)
            }
            Operator::Delta => self.delta(from),
        }
    }

    fn field_type(&self) -> FieldType {
        match self.slot.kind {
            Kind::U32 | Kind::Length => FieldType::UInt32,
            Kind::U64 => FieldType::UInt64,
            Kind::I32 | Kind::Exponent => FieldType::Int32,
            Kind::I64 | Kind::Mantissa => FieldType::Int64,
            Kind::Decimal => FieldType::Decimal,
            Kind::Unicode => FieldType::Unicode,
            Kind::Bytes => FieldType::Bytes,
            _ => FieldType::Ascii,
        }
    }

    fn initial(&self) -> Option<Datum> {
        self.initial.map(|constant| match constant {
            Constant::Number(bits) => Datum::Number(*bits),
            Constant::Decimal { mantissa, exponent } => Datum::Decimal(*mantissa, *exponent),
            Constant::Text(text) => Datum::Text(text.clone()),
        })
    }

    fn in_stream(&self, from: &mut impl Entities) -> Result<Option<Datum>, Fail> {
        let Slot { kind, optional, .. } = self.slot;
        let strict = self.strict;
        match kind {
            Kind::Decimal => {
                let exponent = signed(from.entity()?, optional, strict).map_err(decimal)?;
                let Some(exponent) = exponent else { return Ok(None) };
                let exponent = in_exponents(exponent)?;
                let mantissa = signed(from.entity()?, false, strict).map_err(decimal)?;
                let mantissa = i64::try_from(mantissa.unwrap_or(0)).map_err(|_| ErrorCode::R1)?;
                Ok(Some(Datum::Decimal(mantissa, exponent)))
            }
            Kind::Ascii | Kind::Text => {
                let mut text = from.entity()?.to_vec();
                if let Some(last) = text.last_mut() {
                    *last &= 0x7f;
                }
                let value = ascii_value(&text, optional, strict)?;
                Ok(value.map(|value| Datum::Text(value.to_vec())))
            }
            Kind::Unicode | Kind::Bytes => {
                let max = u64::from(u32::MAX);
                let length = unsigned(from.entity()?, optional, max, strict)?;
                let Some(length) = length else { return Ok(None) };
                if length > u64::from(self.max_text) {
                    return Err(Trap::Limit.into());
                }
                // Told by the length: nothing is read.
                if self.slot.uses_dictionary() && length > TEXT_BYTES as u64 {
                    return Err(Trap::Long.into());
                }
                // It is at most a u32.
                let text = from.raw(length as usize)?;
                Ok(Some(Datum::Text(text)))
            }
            _ => {
                let field_type = self.field_type();
                let bits = match field_type {
                    FieldType::Int32 | FieldType::Int64 => {
                        let (min, max) = field_type.signed_bounds();
                        match signed(from.entity()?, optional, strict)? {
                            None => None,
                            Some(value) => Some(
                                i64::try_from(value)
                                    .ok()
                                    .filter(|value| (min..=max).contains(value))
                                    .ok_or(ErrorCode::D2)?
                                    .cast_unsigned(),
                            ),
                        }
                    }
                    _ => {
                        let max = field_type.unsigned_max();
                        unsigned(from.entity()?, optional, max, strict)?
                    }
                };
                Ok(bits.map(Datum::Number))
            }
        }
    }

    /// The previous value, checked for its type (D4).
    fn previous(&self) -> Result<&Previous, Fail> {
        match &*self.previous {
            Previous::Assigned(field_type, _) if *field_type != self.field_type() => {
                Err(ErrorCode::D4.into())
            }
            previous => Ok(previous),
        }
    }

    /// Copy and increment where the field is not in the stream.
    fn absent(&self) -> Result<Option<Datum>, Fail> {
        match self.previous()? {
            Previous::Assigned(field_type, Datum::Number(bits))
                if self.slot.operator == Operator::Increment =>
            {
                Ok(Some(Datum::Number(next(*bits, *field_type))))
            }
            Previous::Assigned(_, datum) => Ok(Some(datum.clone())),
            Previous::Undefined => match self.initial() {
                None if !self.slot.optional => Err(ErrorCode::D5.into()),
                initial => Ok(initial),
            },
            Previous::Empty if self.slot.optional => Ok(None),
            Previous::Empty => Err(ErrorCode::D6.into()),
        }
    }

    fn store(&mut self, value: Option<Datum>) -> Result<Option<Datum>, Fail> {
        *self.previous = match &value {
            Some(datum) => Previous::Assigned(self.field_type(), datum.clone()),
            None => Previous::Empty,
        };
        Ok(value)
    }

    fn delta(&mut self, from: &mut impl Entities) -> Result<Option<Datum>, Fail> {
        let Slot { kind, optional, .. } = self.slot;
        let strict = self.strict;
        let Some(first) = delta(from.entity()?, optional, strict)? else { return Ok(None) };
        let second = match kind {
            Kind::Decimal => delta(from.entity()?, false, strict)?.unwrap_or(0),
            _ => 0,
        };
        let base = match self.previous()? {
            Previous::Assigned(_, datum) => Some(datum.clone()),
            Previous::Undefined => self.initial(),
            Previous::Empty => return Err(ErrorCode::D6.into()),
        };
        let value = if kind == Kind::Decimal {
            let (mantissa, exponent) = match base {
                Some(Datum::Decimal(mantissa, exponent)) => (mantissa, exponent),
                _ => (0, 0),
            };
            let exponent = in_exponents(i128::from(exponent) + first)?;
            let mantissa = i64::try_from(i128::from(mantissa) + second);
            Datum::Decimal(mantissa.map_err(|_| ErrorCode::R1)?, exponent)
        } else {
            let bits = match base {
                Some(Datum::Number(bits)) => bits,
                _ => 0,
            };
            let field_type = self.field_type();
            let sum = match field_type {
                FieldType::Int32 | FieldType::Int64 => {
                    let (min, max) = field_type.signed_bounds();
                    i64::try_from(i128::from(bits.cast_signed()) + first)
                        .ok()
                        .filter(|sum| (min..=max).contains(sum))
                        .map(i64::cast_unsigned)
                }
                _ => u64::try_from(i128::from(bits) + first)
                    .ok()
                    .filter(|sum| *sum <= field_type.unsigned_max()),
            };
            Datum::Number(sum.ok_or(ErrorCode::R4)?)
        };
        self.store(Some(value))
    }
}

/// The exponent of a decimal, −63…63.
pub(super) fn in_exponents(value: i128) -> Result<i8, Fail> {
    match i8::try_from(value) {
        Ok(value) if (-63..=63).contains(&value) => Ok(value),
        _ => Err(ErrorCode::R1.into()),
    }
}

/// An integer of a decimal that is out of range.
fn decimal(fail: Fail) -> Fail {
    if fail == Fail::Error(ErrorCode::D2) { ErrorCode::R1.into() } else { fail }
}

fn groups(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |bits, byte| bits << 7 | u128::from(byte & 0x7f))
}

/// An unsigned integer of one entity; NULL gives `None` where there is one.
pub(super) fn unsigned(
    bytes: &[u8],
    nullable: bool,
    max: u64,
    strict: bool,
) -> Result<Option<u64>, Fail> {
    if strict && bytes.len() > 1 && bytes[0] == 0 {
        return Err(ErrorCode::R6.into());
    }
    if bytes.len() > INTEGER_BYTES {
        return Err(if strict { ErrorCode::D2.into() } else { Trap::Wide.into() });
    }
    let bits = groups(bytes);
    if nullable && bits == 0 {
        return Ok(None);
    }
    let value = bits - u128::from(nullable);
    match u64::try_from(value) {
        Ok(value) if value <= max => Ok(Some(value)),
        _ => Err(ErrorCode::D2.into()),
    }
}

fn overlong_signed(bytes: &[u8]) -> bool {
    match bytes {
        [0x00, second, ..] => second & 0x40 == 0,
        [0x7f, second, ..] => second & 0x40 != 0,
        _ => false,
    }
}

/// A signed integer of at most 70 bits.
fn signed(bytes: &[u8], nullable: bool, strict: bool) -> Result<Option<i128>, Fail> {
    if strict && overlong_signed(bytes) {
        return Err(ErrorCode::R6.into());
    }
    if bytes.len() > INTEGER_BYTES {
        return Err(if strict { ErrorCode::D2.into() } else { Trap::Wide.into() });
    }
    let unused = 128 - 7 * bytes.len();
    let value = (groups(bytes) << unused).cast_signed() >> unused;
    Ok(match value {
        0 if nullable => None,
        value if nullable && value > 0 => Some(value - 1),
        value => Some(value),
    })
}

/// A delta, which may be wider than its field.
fn delta(bytes: &[u8], nullable: bool, strict: bool) -> Result<Option<i128>, Fail> {
    match signed(bytes, nullable, strict) {
        Err(Fail::Error(ErrorCode::D2)) => Err(Trap::Wide.into()),
        other => other,
    }
}

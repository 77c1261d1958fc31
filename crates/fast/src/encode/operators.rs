//! Encoding fields with operators (§6.3).
//!
//! Each operator mirrors its decoding: a value is left out of the stream iff the decoder would
//! come to it without, and the previous value is changed as the decoder changes it.

use super::run::Run;
use crate::decode::operators::next;
use crate::dictionary::{State, kind};
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::plan::{Operated, OperatorCode};
use crate::transfer::{
    PresenceBits, Text, write_ascii, write_bytes, write_null, write_signed, write_signed_nullable,
};
use crate::value::Value;

impl Run<'_> {
    /// An integer with an operator, as bits; signed ones in two's complement.
    pub(super) fn integer(
        &mut self,
        operated: &Operated,
        bits: Option<u64>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let Operated { field_type, slot, optional, .. } = *operated;
        if bits.is_none() && !optional {
            return self.missing(operated);
        }
        let initial = operated.has_initial().then_some(operated.initial_bits);
        match operated.operator {
            OperatorCode::None => self.put_integer(operated, bits),
            OperatorCode::Constant => {
                if bits.is_some() && bits != initial {
                    return Err(ErrorCode::D3);
                }
                if optional {
                    presence.push(bits.is_some(), self.presence_store);
                }
            }
            OperatorCode::Default => {
                presence.push(bits != initial, self.presence_store);
                if bits != initial {
                    self.put_integer(operated, bits);
                }
            }
            OperatorCode::Copy | OperatorCode::Increment => {
                let expected = match self.dictionary.state(slot, field_type)? {
                    State::Assigned if operated.operator == OperatorCode::Copy => {
                        Some(self.dictionary.bits(slot))
                    }
                    State::Assigned => Some(next(self.dictionary.bits(slot), field_type)),
                    State::Undefined => initial,
                    State::Empty => None,
                };
                presence.push(bits != expected, self.presence_store);
                if bits != expected {
                    self.put_integer(operated, bits);
                }
                match bits {
                    Some(bits) => self.dictionary.assign(slot, field_type, bits, 0),
                    None => self.dictionary.set_empty(slot),
                }
            }
            OperatorCode::Delta => {
                let Some(bits) = bits else {
                    write_null(self.out);
                    return Ok(());
                };
                let base = match self.dictionary.state(slot, field_type)? {
                    State::Assigned => self.dictionary.bits(slot),
                    State::Undefined => operated.initial_bits,
                    State::Empty => return Err(ErrorCode::D6),
                };
                self.put_delta(wide(bits, field_type) - wide(base, field_type), optional);
                self.dictionary.assign(slot, field_type, bits, 0);
            }
            // The loader refuses the tail operator for numbers.
            OperatorCode::Tail => return Err(ErrorCode::D1),
        }
        Ok(())
    }

    /// A mandatory value that the message does not have.
    fn missing(&self, operated: &Operated) -> Result<(), ErrorCode> {
        let constant = operated.operator == OperatorCode::Constant;
        if constant && !self.options.require_constants { Ok(()) } else { Err(ErrorCode::Missing) }
    }

    fn put_integer(&mut self, operated: &Operated, bits: Option<u64>) {
        let value = bits.map(|bits| match operated.field_type {
            FieldType::Int32 | FieldType::Int64 => Value::Int(bits.cast_signed()),
            _ => Value::UInt(bits),
        });
        self.put(operated.field_type, operated.optional, value);
    }

    fn put_delta(&mut self, delta: i128, optional: bool) {
        if optional {
            write_signed_nullable(Some(delta), self.out);
        } else {
            write_signed(delta, self.out);
        }
    }

    /// A decimal with one operator; `value` is (mantissa, exponent).
    pub(super) fn decimal(
        &mut self,
        operated: &Operated,
        value: Option<(i64, i32)>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let Operated { slot, optional, .. } = *operated;
        if value.is_none() && !optional {
            return self.missing(operated);
        }
        let initial = operated
            .has_initial()
            .then(|| (operated.initial_bits.cast_signed(), operated.initial_exponent));
        let previous =
            |run: &Self| (run.dictionary.bits(slot).cast_signed(), run.dictionary.exponent(slot));
        match operated.operator {
            OperatorCode::None => self.put_decimal(optional, value),
            OperatorCode::Constant => {
                if value.is_some() && value != initial {
                    return Err(ErrorCode::D3);
                }
                if optional {
                    presence.push(value.is_some(), self.presence_store);
                }
            }
            OperatorCode::Default => {
                presence.push(value != initial, self.presence_store);
                if value != initial {
                    self.put_decimal(optional, value);
                }
            }
            OperatorCode::Copy => {
                let expected = match self.dictionary.state(slot, FieldType::Decimal)? {
                    State::Assigned => Some(previous(self)),
                    State::Undefined => initial,
                    State::Empty => None,
                };
                presence.push(value != expected, self.presence_store);
                if value != expected {
                    self.put_decimal(optional, value);
                }
                self.remember_decimal(slot, value);
            }
            OperatorCode::Delta => {
                let Some((mantissa, exponent)) = value else {
                    write_null(self.out);
                    return Ok(());
                };
                let (base, base_exponent) = match self.dictionary.state(slot, FieldType::Decimal)? {
                    State::Assigned => previous(self),
                    State::Undefined => initial.unwrap_or_default(),
                    State::Empty => return Err(ErrorCode::D6),
                };
                self.put_delta(i128::from(exponent) - i128::from(base_exponent), optional);
                self.put_delta(i128::from(mantissa) - i128::from(base), false);
                self.remember_decimal(slot, value);
            }
            // The loader refuses these operators for decimals.
            OperatorCode::Increment | OperatorCode::Tail => return Err(ErrorCode::D1),
        }
        Ok(())
    }

    fn put_decimal(&mut self, optional: bool, value: Option<(i64, i32)>) {
        let value = value.map(|(mantissa, exponent)| Value::Decimal { mantissa, exponent });
        self.put(FieldType::Decimal, optional, value);
    }

    fn remember_decimal(&mut self, slot: u32, value: Option<(i64, i32)>) {
        match value {
            Some((mantissa, exponent)) => {
                let bits = mantissa.cast_unsigned();
                self.dictionary.assign(slot, FieldType::Decimal, bits, exponent);
            }
            None => self.dictionary.set_empty(slot),
        }
    }

    /// A string or byte vector with an operator.
    pub(super) fn text(
        &mut self,
        operated: &Operated,
        value: Option<&[u8]>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let Operated { field_type, slot, optional, .. } = *operated;
        if value.is_none() && !optional {
            return self.missing(operated);
        }
        let plan = self.plan;
        let initial = plan.initial_text(operated);
        match operated.operator {
            OperatorCode::None => self.put(field_type, optional, value.map(Value::Bytes)),
            OperatorCode::Constant => {
                if value.is_some() && value != initial {
                    return Err(ErrorCode::D3);
                }
                if optional {
                    presence.push(value.is_some(), self.presence_store);
                }
            }
            OperatorCode::Default => {
                presence.push(value != initial, self.presence_store);
                if value != initial {
                    self.put(field_type, optional, value.map(Value::Bytes));
                }
            }
            OperatorCode::Copy | OperatorCode::Tail => {
                let state = self.dictionary.state(slot, field_type)?;
                let expected = match state {
                    State::Assigned => Some(self.dictionary.text(slot)),
                    State::Undefined => initial,
                    State::Empty => None,
                };
                let present = value != expected;
                presence.push(present, self.presence_store);
                if present && operated.operator == OperatorCode::Tail {
                    let base = match state {
                        State::Assigned => self.dictionary.text(slot),
                        State::Undefined | State::Empty => initial.unwrap_or_default(),
                    };
                    let tail = match value {
                        Some(value) => Some(tail(base, value).ok_or(ErrorCode::D3)?),
                        None => None,
                    };
                    self.put(field_type, optional, tail.map(Value::Bytes));
                } else if present {
                    self.put(field_type, optional, value.map(Value::Bytes));
                }
                match value {
                    Some(value) => self.remember_text(operated, value),
                    None => self.dictionary.set_empty(slot),
                }
            }
            OperatorCode::Delta => {
                let Some(value) = value else {
                    write_null(self.out);
                    return Ok(());
                };
                let base = match self.dictionary.state(slot, field_type)? {
                    State::Assigned => self.dictionary.text(slot),
                    State::Undefined => initial.unwrap_or_default(),
                    State::Empty => return Err(ErrorCode::D6),
                };
                let (subtraction, added) = difference(base, value);
                self.put_delta(subtraction, optional);
                if field_type == FieldType::Ascii {
                    write_ascii(added, false, self.out);
                } else {
                    write_bytes(added, false, self.out);
                }
                self.remember_text(operated, value);
            }
            // The loader refuses the increment operator for strings.
            OperatorCode::Increment => return Err(ErrorCode::D1),
        }
        Ok(())
    }

    fn remember_text(&mut self, operated: &Operated, value: &[u8]) {
        if let Some(text) = Text::of(value) {
            self.dictionary.assign_short(operated.slot, kind(operated.field_type), text);
            return;
        }
        let text = self.dictionary.assign_text(operated.slot, operated.field_type);
        text.clear();
        text.extend_from_slice(value);
    }
}

/// The value of bits as a number.
fn wide(bits: u64, field_type: FieldType) -> i128 {
    match field_type {
        FieldType::Int32 | FieldType::Int64 => i128::from(bits.cast_signed()),
        _ => i128::from(bits),
    }
}

/// The shortest tail that turns `base` into `value` (§6.3.8). There is none where `value` is
/// shorter than `base`: a tail adds as much as it removes.
pub(crate) fn tail<'v>(base: &[u8], value: &'v [u8]) -> Option<&'v [u8]> {
    if value.len() < base.len() {
        return None;
    }
    if value.len() > base.len() {
        return Some(value);
    }
    let common = base.iter().zip(value).take_while(|(base, value)| base == value).count();
    Some(&value[common..])
}

/// The subtraction length and the added bytes that turn `base` into `value` (§6.3.7.3), at the
/// end where fewer bytes are added that way or as many, otherwise at the front.
pub(crate) fn difference<'v>(base: &[u8], value: &'v [u8]) -> (i128, &'v [u8]) {
    let prefix = base.iter().zip(value).take_while(|(base, value)| base == value).count();
    let suffix =
        base.iter().rev().zip(value.iter().rev()).take_while(|(base, value)| base == value).count();
    if prefix >= suffix {
        ((base.len() - prefix) as i128, &value[prefix..])
    } else {
        (-((base.len() - suffix) as i128) - 1, &value[..value.len() - suffix])
    }
}

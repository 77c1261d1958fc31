//! Encoding the types of FAST 1.2 that are not plain integers.

use super::Source;
use super::run::{Run, bits};
use crate::dictionary::State;
use crate::error::ErrorCode;
use crate::message::is_of;
use crate::model::FieldType;
use crate::plan::{BitGroup, BitMember, Bounded, FieldInfo, FieldKind, OperatorCode};
use crate::transfer::PresenceBits;
use crate::value::Value;

impl Run<'_> {
    /// An enum, set, boolean or short integer; R4 where the integer stands for no value.
    pub(super) fn bounded(
        &mut self,
        bounded: &Bounded,
        value: Option<Value<'_>>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        if !value.is_none_or(|value| fits(value, bounded.least, bounded.greatest)) {
            return Err(ErrorCode::R4);
        }
        let operated = &self.plan.operated[bounded.operated as usize];
        self.integer(operated, bits(value), presence)
    }

    /// A bit group; without a source all its members are absent.
    pub(super) fn bit_group<S: Source>(
        &mut self,
        group: &BitGroup,
        source: Option<S>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let operated = &plan.operated[group.operated as usize];
        if source.is_none()
            && operated.operator == OperatorCode::Constant
            && !self.options.require_constants
        {
            return Ok(());
        }
        let source = source.ok_or(ErrorCode::Missing)?;
        let mut packed = 0;
        for member in &group.members {
            let info = &plan.fields[member.field as usize];
            let raw = value_of(info, &source)
                .and_then(|value| pack(member, value))
                .inspect_err(|_| self.failed_field = member.field)?;
            packed |= raw << member.shift;
        }
        let initial = operated.has_initial().then_some(operated.initial_bits);
        let expected = match operated.operator {
            OperatorCode::None => None,
            OperatorCode::Constant if initial == Some(packed) => return Ok(()),
            OperatorCode::Constant => return Err(ErrorCode::D3),
            OperatorCode::Default => initial,
            OperatorCode::Copy => {
                let slot = operated.slot;
                let expected = match self.dictionary.state(slot, FieldType::UInt64)? {
                    State::Assigned => Some(self.dictionary.bits(slot)),
                    State::Undefined => initial,
                    State::Empty => None,
                };
                self.dictionary.assign(slot, FieldType::UInt64, packed, 0);
                expected
            }
            // The loader refuses these operators for bit groups.
            OperatorCode::Increment | OperatorCode::Delta | OperatorCode::Tail => {
                return Err(ErrorCode::D1);
            }
        };
        let in_stream = expected != Some(packed);
        if operated.operator != OperatorCode::None {
            presence.push(in_stream, self.presence_store);
        }
        if in_stream {
            write(packed, group.bits, self.out);
        }
        Ok(())
    }
}

/// The integer of a member.
fn value_of<S: Source>(info: &FieldInfo, source: &S) -> Result<Option<i128>, ErrorCode> {
    let (Some(value), FieldKind::Primitive(field_type)) = (source.value(info), info.kind) else {
        return Ok(None);
    };
    let integer = |value| match value {
        Value::UInt(value) => Ok(Some(i128::from(value))),
        Value::Int(value) => Ok(Some(i128::from(value))),
        _ => Err(ErrorCode::D1),
    };
    if is_of(value, field_type) {
        integer(value)
    } else {
        integer(info.convert(value, field_type)?.as_value())
    }
}

/// The bits of a member.
fn pack(member: &BitMember, value: Option<i128>) -> Result<u64, ErrorCode> {
    let Some(mut value) = value else {
        return if member.optional { Ok(0) } else { Err(ErrorCode::Missing) };
    };
    if value < i128::from(member.least) || value > i128::from(member.greatest) {
        return Err(ErrorCode::R4);
    }
    if member.optional && value >= 0 {
        value += 1;
    }
    // In two's complement the low bits are the member's.
    Ok((value as u64) & ((1 << member.bits) - 1))
}

fn fits(value: Value<'_>, least: i64, greatest: u64) -> bool {
    match value {
        Value::UInt(value) => value <= greatest,
        Value::Int(value) => value >= least && (value < 0 || value.cast_unsigned() <= greatest),
        _ => false,
    }
}

/// Left-aligned in as many bytes of seven bits as it takes, with a stop bit.
fn write(packed: u64, bits: u32, out: &mut Vec<u8>) {
    let length = bits.div_ceil(7);
    let aligned = packed << (7 * length - bits);
    for left in (0..length).rev() {
        let stop = if left == 0 { 0x80 } else { 0 };
        out.push((aligned >> (7 * left) & 0x7f) as u8 | stop);
    }
}

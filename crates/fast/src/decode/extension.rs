//! Decoding the types of FAST 1.2 that are not plain integers.

use super::Visitor;
use super::run::Run;
use crate::dictionary::State;
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::plan::{BitGroup, BitMember, Bounded, FieldInfo, OperatorCode};
use crate::transfer::{Cursor, PresenceMap};
use crate::value::Value;

impl<'r, V: Visitor> Run<'r, V> {
    /// An enum, set, boolean or short integer: one in the stream that stands for no value is out
    /// of the type's bounds (D2), one that an operator makes does not fit it (R4).
    #[inline(never)]
    pub(super) fn bounded<'i>(
        &mut self,
        bounded: &Bounded,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<Option<Value<'static>>, ErrorCode> {
        let operated = &self.plan.operated[bounded.operated as usize];
        let mut after = *cursor;
        let Some(bits) = self.integer(operated, &mut after, presence)? else {
            *cursor = after;
            return Ok(None);
        };
        let (value, fits) = if operated.field_type == FieldType::Int32 {
            let value = bits.cast_signed();
            let fits =
                value >= bounded.least && (value < 0 || value.cast_unsigned() <= bounded.greatest);
            (Value::Int(value), fits)
        } else {
            (Value::UInt(bits), bits <= bounded.greatest)
        };
        if !fits {
            let in_stream = after.remaining() < cursor.remaining();
            let as_it_is = in_stream && operated.operator != OperatorCode::Delta;
            return Err(if as_it_is { ErrorCode::D2 } else { ErrorCode::R4 });
        }
        *cursor = after;
        Ok(Some(value))
    }

    /// A bit group: visits its members as the fields of a group.
    #[inline(never)]
    pub(super) fn bit_group<'i>(
        &mut self,
        field: &FieldInfo,
        group: &BitGroup,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let operated = &plan.operated[group.operated as usize];
        let slot = operated.slot;
        let mut after = *cursor;
        let bits = match operated.operator {
            OperatorCode::None => after.bit_group(group.bits, self.options.strict)?,
            OperatorCode::Constant => operated.initial_bits,
            OperatorCode::Default if presence.next() => {
                after.bit_group(group.bits, self.options.strict)?
            }
            OperatorCode::Default => operated.initial_bits,
            OperatorCode::Copy => {
                let bits = if presence.next() {
                    after.bit_group(group.bits, self.options.strict)?
                } else {
                    match self.dictionary.state(slot, FieldType::UInt64)? {
                        State::Assigned => self.dictionary.bits(slot),
                        State::Undefined if operated.has_initial() => operated.initial_bits,
                        State::Undefined => return Err(ErrorCode::D5),
                        State::Empty => return Err(ErrorCode::D6),
                    }
                };
                self.dictionary.assign(slot, FieldType::UInt64, bits, 0);
                bits
            }
            // The loader refuses these operators for bit groups.
            OperatorCode::Increment | OperatorCode::Delta | OperatorCode::Tail => {
                return Err(ErrorCode::D1);
            }
        };
        // A dictionary entry may be shared with a group of more bits.
        if bits >> group.bits != 0 {
            return Err(ErrorCode::R4);
        }
        self.visitor.begin_group(field);
        for member in &group.members {
            let info = &plan.fields[member.field as usize];
            match unpack(member, bits) {
                Ok(Some(value)) => self.visitor.field(info, value),
                Ok(None) => {}
                Err(code) => {
                    self.failed_field = member.field;
                    return Err(code);
                }
            }
        }
        self.visitor.end_group(field);
        *cursor = after;
        Ok(())
    }
}

/// The value of a member; D2 where its bits stand for none.
fn unpack(member: &BitMember, bits: u64) -> Result<Option<Value<'static>>, ErrorCode> {
    let raw = bits >> member.shift & ((1 << member.bits) - 1);
    if member.optional && raw == 0 {
        return Ok(None);
    }
    if member.signed {
        // Moves the sign to the top and back.
        let unused = u64::BITS - member.bits;
        let mut value = (raw << unused).cast_signed() >> unused;
        if member.optional && value > 0 {
            value -= 1;
        }
        let fits = value >= member.least && (value < 0 || value.cast_unsigned() <= member.greatest);
        return if fits { Ok(Some(Value::Int(value))) } else { Err(ErrorCode::D2) };
    }
    let value = raw - u64::from(member.optional);
    if value <= member.greatest { Ok(Some(Value::UInt(value))) } else { Err(ErrorCode::D2) }
}

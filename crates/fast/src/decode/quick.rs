//! The usual cases of operators: short entities, and previous values that are assigned.
//!
//! Each function answers `None` or `false`, with nothing changed, for whatever else there is; the
//! thorough function of the same purpose in `operators` then does it and knows the errors.

use super::Visitor;
use super::operators::next;
use super::run::Run;
use crate::dictionary::State;
use crate::model::FieldType;
use crate::plan::{FieldInfo, Operated, OperatorCode};
use crate::transfer::{Cursor, PresenceMap, quick};
use crate::value::Value;

impl<'r, V: Visitor> Run<'r, V> {
    /// An integer with an operator, as `integer` gives it.
    #[inline(always)]
    pub(super) fn quick_integer(
        &mut self,
        operated: &Operated,
        cursor: &mut Cursor<'_>,
        presence: &mut PresenceMap<'_>,
    ) -> Option<Option<u64>> {
        let Operated { field_type, slot, .. } = *operated;
        let word = cursor.word(&self.last_word);
        match operated.operator {
            OperatorCode::None => {
                let (bits, length) = integer_in(word, operated)?;
                cursor.advance(length);
                Some(Some(bits))
            }
            OperatorCode::Default => {
                if presence.peek()? {
                    let (bits, length) = integer_in(word, operated)?;
                    cursor.advance(length);
                    presence.skip();
                    return Some(Some(bits));
                }
                presence.skip();
                Some(operated.has_initial().then_some(operated.initial_bits))
            }
            OperatorCode::Copy => {
                if presence.peek()? {
                    let (bits, length) = integer_in(word, operated)?;
                    cursor.advance(length);
                    presence.skip();
                    self.dictionary.assign(slot, field_type, bits, 0);
                    return Some(Some(bits));
                }
                let bits = self.dictionary.assigned(slot, field_type)?;
                presence.skip();
                Some(Some(bits))
            }
            OperatorCode::Increment => {
                let bits = if presence.peek()? {
                    let (bits, length) = integer_in(word, operated)?;
                    cursor.advance(length);
                    bits
                } else {
                    next(self.dictionary.assigned(slot, field_type)?, field_type)
                };
                presence.skip();
                self.dictionary.assign(slot, field_type, bits, 0);
                Some(Some(bits))
            }
            OperatorCode::Delta => {
                if operated.optional && word as u8 == 0x80 {
                    cursor.advance(1);
                    return Some(None);
                }
                let (delta, length) = quick::signed(word)?;
                let delta = delta - i64::from(operated.optional && delta > 0);
                let base = match self.dictionary.state(slot, field_type).ok()? {
                    State::Assigned => self.dictionary.bits(slot),
                    State::Undefined => operated.initial_bits,
                    State::Empty => return None,
                };
                let bits = add(base, delta, field_type)?;
                cursor.advance(length);
                self.dictionary.assign(slot, field_type, bits, 0);
                Some(Some(bits))
            }
            OperatorCode::Constant | OperatorCode::Tail => None,
        }
    }

    /// An ASCII string with an operator: visits it, as `text` does.
    #[inline(always)]
    pub(super) fn quick_text(
        &mut self,
        field: &FieldInfo,
        operated: &Operated,
        cursor: &mut Cursor<'_>,
        presence: &mut PresenceMap<'_>,
    ) -> Option<()> {
        let Operated { field_type, slot, .. } = *operated;
        if field_type != FieldType::Ascii {
            return None;
        }
        match operated.operator {
            OperatorCode::Default => {
                if presence.peek()? {
                    let word = cursor.word(&self.last_word);
                    if quick::is_blank(word) {
                        return None;
                    }
                    let (text, length) = quick::ascii(word)?;
                    cursor.advance(length);
                    self.visitor.field(field, Value::Ascii(&text.to_le_bytes()[..length]));
                } else if let Some(initial) = self.plan.initial_text(operated) {
                    self.visitor.field(field, Value::Ascii(initial));
                }
                presence.skip();
                Some(())
            }
            OperatorCode::Copy => {
                if presence.peek()? {
                    let word = cursor.word(&self.last_word);
                    if quick::is_blank(word) {
                        return None;
                    }
                    let (text, length) = quick::ascii(word)?;
                    cursor.advance(length);
                    let text = &text.to_le_bytes()[..length];
                    let previous = self.dictionary.assign_text(slot, field_type);
                    previous.clear();
                    previous.extend_from_slice(text);
                    self.visitor.field(field, Value::Ascii(text));
                } else {
                    match self.dictionary.state(slot, field_type).ok()? {
                        State::Assigned => {
                            let text = self.dictionary.text(slot);
                            self.visitor.field(field, Value::Ascii(text));
                        }
                        State::Empty if operated.optional => {}
                        State::Empty | State::Undefined => return None,
                    }
                }
                presence.skip();
                Some(())
            }
            _ => None,
        }
    }
}

/// An integer that is there, and its length.
#[inline(always)]
fn integer_in(word: u64, operated: &Operated) -> Option<(u64, usize)> {
    if matches!(operated.field_type, FieldType::Int32 | FieldType::Int64) {
        if operated.optional && word as u8 == 0x80 {
            return None;
        }
        let (value, length) = quick::signed(word)?;
        let value = value - i64::from(operated.optional && value > 0);
        return Some((value.cast_unsigned(), length));
    }
    if quick::is_blank(word) {
        return (!operated.optional && word as u8 == 0x80).then_some((0, 1));
    }
    let (value, length) = quick::unsigned(word)?;
    Some((value - u64::from(operated.optional), length))
}

/// The sum of a previous value and a delta of at most 28 bits, where it fits the type.
#[inline(always)]
fn add(base: u64, delta: i64, field_type: FieldType) -> Option<u64> {
    match field_type {
        FieldType::UInt64 => base.checked_add_signed(delta),
        FieldType::UInt32 => {
            base.checked_add_signed(delta).filter(|sum| *sum <= u64::from(u32::MAX))
        }
        FieldType::Int32 => {
            let sum = base.cast_signed().checked_add(delta)?;
            i32::try_from(sum).is_ok().then_some(sum.cast_unsigned())
        }
        _ => base.cast_signed().checked_add(delta).map(i64::cast_unsigned),
    }
}

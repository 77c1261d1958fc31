//! The loop over the instructions of a block: the usual cases in line, the rest by `step`.

use super::Visitor;
use super::run::Run;
use crate::error::ErrorCode;
use crate::model::{FieldType, OwnedValue};
use crate::plan::{Block, Code, FieldInfo, Instruction, NONE};
use crate::transfer::{Cursor, PresenceMap, quick};
use crate::value::Value;

impl<'r, V: Visitor> Run<'r, V> {
    /// Runs the instructions of a block.
    ///
    /// A field without operator whose entity is short needs one word of input and no look at a
    /// dictionary; it is decoded here, where the cursor stays in registers. Whatever is unusual
    /// (longer entities, overlong ones, the end of the input, operators) is left, from the start
    /// of the field, to [`Run::step`], which alone knows the errors.
    pub(super) fn block<'i>(
        &mut self,
        block: Block,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let mut code = &plan.code[block.start as usize..block.end as usize];
        let mut rest = *cursor;
        while let Some((instruction, after)) = code.split_first() {
            code = after;
            let field = &instruction.info;
            let word = rest.word(&self.last_word);
            // The usual cases; what is not done here, `step` does.
            match instruction.code {
                Code::UInt32Optional | Code::UInt64Optional => {
                    if !quick::is_blank(word) {
                        if let Some((value, length)) = quick::unsigned(word) {
                            rest.advance(length);
                            // It is not blank, hence not zero.
                            self.visitor.field(field, Value::UInt(value - 1));
                            continue;
                        }
                        let (value, length) = self.wide(word, rest);
                        if length > 0 && value - 1 <= unsigned_max(instruction.code) {
                            rest.advance(length);
                            self.visitor.field(field, Value::UInt(value - 1));
                            continue;
                        }
                    } else if word as u8 == 0x80 {
                        let more = more_absent(instruction, word, code.len());
                        rest.advance(1 + more);
                        code = &code[more..];
                        continue;
                    }
                }
                Code::AsciiOptional => {
                    if !quick::is_blank(word) {
                        if self.quick_ascii(field, word, &mut rest) {
                            continue;
                        }
                    } else if word as u8 == 0x80 {
                        let more = more_absent(instruction, word, code.len());
                        rest.advance(1 + more);
                        code = &code[more..];
                        continue;
                    }
                }
                Code::DecimalOptional => {
                    if word as u8 == 0x80 {
                        let more = more_absent(instruction, word, code.len());
                        rest.advance(1 + more);
                        code = &code[more..];
                        continue;
                    }
                    if let Some((mantissa, exponent, length)) =
                        quick::decimal::<true>(word).or_else(|| quick::wide_decimal::<true>(word))
                    {
                        rest.advance(length);
                        self.visitor.field(field, Value::Decimal { mantissa, exponent });
                        continue;
                    }
                }
                Code::Int32Optional | Code::Int64Optional => {
                    if word as u8 == 0x80 {
                        let more = more_absent(instruction, word, code.len());
                        rest.advance(1 + more);
                        code = &code[more..];
                        continue;
                    }
                    if let Some((value, length)) = quick::signed(word) {
                        rest.advance(length);
                        let value = value - i64::from(value > 0);
                        self.visitor.field(field, Value::Int(value));
                        continue;
                    }
                    let (value, length) = quick::wide_signed(word);
                    let value = value - i64::from(value > 0);
                    if length > 0 && fits(value, instruction.code) {
                        rest.advance(length);
                        self.visitor.field(field, Value::Int(value));
                        continue;
                    }
                }
                Code::UInt32 | Code::UInt64 => {
                    if !quick::is_blank(word) {
                        if let Some((value, length)) = quick::unsigned(word) {
                            rest.advance(length);
                            self.visitor.field(field, Value::UInt(value));
                            continue;
                        }
                        let (value, length) = self.wide(word, rest);
                        if length > 0 && value <= unsigned_max(instruction.code) {
                            rest.advance(length);
                            self.visitor.field(field, Value::UInt(value));
                            continue;
                        }
                    }
                }
                Code::Int32 | Code::Int64 => {
                    if let Some((value, length)) = quick::signed(word) {
                        rest.advance(length);
                        self.visitor.field(field, Value::Int(value));
                        continue;
                    }
                    let (value, length) = quick::wide_signed(word);
                    if length > 0 && fits(value, instruction.code) {
                        rest.advance(length);
                        self.visitor.field(field, Value::Int(value));
                        continue;
                    }
                }
                Code::Decimal => {
                    if let Some((mantissa, exponent, length)) =
                        quick::decimal::<false>(word).or_else(|| quick::wide_decimal::<false>(word))
                    {
                        rest.advance(length);
                        self.visitor.field(field, Value::Decimal { mantissa, exponent });
                        continue;
                    }
                }
                Code::Ascii => {
                    if !quick::is_blank(word) && self.quick_ascii(field, word, &mut rest) {
                        continue;
                    }
                }
                Code::Constant => {
                    let value = match &plan.values[instruction.operand as usize] {
                        OwnedValue::Ascii(text) => Value::Ascii(text),
                        value => value.as_value(),
                    };
                    self.visitor.field(field, value);
                    continue;
                }
                Code::Integer => {
                    let operated = &plan.operated[instruction.operand as usize];
                    if let Some(bits) = self.quick_integer(operated, &mut rest, presence) {
                        if let Some(bits) = bits {
                            let value = match operated.field_type {
                                FieldType::Int32 | FieldType::Int64 => {
                                    Value::Int(bits.cast_signed())
                                }
                                _ => Value::UInt(bits),
                            };
                            self.visitor.field(field, value);
                        }
                        continue;
                    }
                }
                Code::Text => {
                    let operated = &plan.operated[instruction.operand as usize];
                    if self.quick_text(field, operated, &mut rest, presence).is_some() {
                        continue;
                    }
                }
                Code::Unicode
                | Code::UnicodeOptional
                | Code::DecimalParts
                | Code::Bytes
                | Code::BytesOptional
                | Code::ConstantOptional
                | Code::DecimalWhole
                | Code::Group
                | Code::GroupOptional
                | Code::Sequence
                | Code::Reference
                | Code::Bounded
                | Code::BitGroup => {}
            }
            let mut copy = rest;
            let outcome = self.step(instruction, &mut copy, presence);
            rest = copy;
            if let Err(error) = outcome {
                if self.failed_field == NONE {
                    self.failed_field = instruction.field;
                }
                *cursor = rest;
                return Err(error);
            }
        }
        *cursor = rest;
        Ok(())
    }

    /// An integer of more than four bytes that is not blank, as [`quick::wide_unsigned`].
    #[inline(always)]
    fn wide(&self, word: u64, cursor: Cursor<'_>) -> (u64, usize) {
        quick::wide_unsigned(word, cursor.second_word(&self.last_word))
    }

    /// An ASCII string of at most 16 bytes without preamble; `false` for any other.
    #[inline(always)]
    fn quick_ascii(&mut self, field: &FieldInfo, word: u64, cursor: &mut Cursor<'_>) -> bool {
        if let Some((text, length)) = quick::ascii(word) {
            cursor.advance(length);
            self.visitor.field(field, Value::Ascii(&text.to_le_bytes()[..length]));
            return true;
        }
        if let Some((text, length)) = quick::ascii(cursor.second_word(&self.last_word)) {
            let text = u128::from(text) << 64 | u128::from(word);
            cursor.advance(length + 8);
            self.visitor.field(field, Value::Ascii(&text.to_le_bytes()[..length + 8]));
            return true;
        }
        false
    }
}

/// How many of the `left` fields behind that of an optional instruction that is absent are absent,
/// too, as far as the word tells.
#[inline(always)]
fn more_absent(instruction: &Instruction, word: u64, left: usize) -> usize {
    let nulls = quick::leading_nulls(word).min(usize::from(instruction.nullable_run));
    nulls.saturating_sub(1).min(left)
}

#[inline(always)]
fn fits(value: i64, code: Code) -> bool {
    matches!(code, Code::Int64 | Code::Int64Optional) || i32::try_from(value).is_ok()
}

#[inline(always)]
fn unsigned_max(code: Code) -> u64 {
    if matches!(code, Code::UInt64 | Code::UInt64Optional) { u64::MAX } else { u32::MAX.into() }
}

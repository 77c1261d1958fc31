//! Decoding fields with operators (§6.3).

use super::Visitor;
use super::run::{Run, scaled};
use crate::dictionary::State;
use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::plan::{FieldInfo, Instruction, Operated, OperatorCode};
use crate::transfer::{Cursor, Piece, PresenceMap};
use crate::value::Value;

const EXPONENTS: std::ops::RangeInclusive<i64> = -63..=63;

impl<'r, V: Visitor> Run<'r, V> {
    /// An integer with an operator, as bits; signed ones in two's complement.
    #[inline(never)]
    pub(super) fn integer<'i>(
        &mut self,
        operated: &Operated,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<Option<u64>, ErrorCode> {
        let Operated { field_type, slot, .. } = *operated;
        match operated.operator {
            OperatorCode::None => self.integer_in_stream(operated, cursor),
            OperatorCode::Constant => {
                Ok((!operated.optional || presence.next()).then_some(operated.initial_bits))
            }
            OperatorCode::Default => {
                if presence.next() {
                    self.integer_in_stream(operated, cursor)
                } else {
                    Ok(operated.has_initial().then_some(operated.initial_bits))
                }
            }
            OperatorCode::Copy | OperatorCode::Increment => {
                let value = if presence.next() {
                    self.integer_in_stream(operated, cursor)?
                } else {
                    match self.dictionary.state(slot, field_type)? {
                        State::Assigned if operated.operator == OperatorCode::Copy => {
                            return Ok(Some(self.dictionary.bits(slot)));
                        }
                        State::Assigned => Some(next(self.dictionary.bits(slot), field_type)),
                        State::Undefined => undefined(operated)?,
                        State::Empty => return empty(operated, ErrorCode::D6),
                    }
                };
                match value {
                    Some(bits) => self.dictionary.assign(slot, field_type, bits, 0),
                    None => self.dictionary.set_empty(slot),
                }
                Ok(value)
            }
            OperatorCode::Delta => {
                let mut after = *cursor;
                let delta = after.delta(operated.optional, self.options.strict)?;
                let Some(delta) = delta else {
                    *cursor = after;
                    return Ok(None);
                };
                let base = match self.dictionary.state(slot, field_type)? {
                    State::Assigned => self.dictionary.bits(slot),
                    State::Undefined => operated.initial_bits,
                    State::Empty => return Err(ErrorCode::D6),
                };
                let bits = add(base, delta, field_type).ok_or(ErrorCode::R4)?;
                self.dictionary.assign(slot, field_type, bits, 0);
                *cursor = after;
                Ok(Some(bits))
            }
            // The loader refuses the tail operator for numbers.
            OperatorCode::Tail => Err(ErrorCode::D1),
        }
    }

    /// The integer of an instruction from a position of the input: the bits, and position and presence map behind.
    #[inline(never)]
    pub(super) fn careful_integer(
        &mut self,
        instruction: &Instruction,
        operated: &Operated,
        position: usize,
        presence: u64,
    ) -> Result<(Option<u64>, usize, u64), (usize, ErrorCode)> {
        let mut cursor = Cursor::new(&self.input[position..]);
        let mut map = PresenceMap::of(presence);
        let outcome = self.integer(operated, &mut cursor, &mut map);
        let position = self.input.len() - cursor.remaining();
        match outcome {
            Ok(bits) => Ok((bits, position, map.in_one_word().unwrap_or_default())),
            Err(code) => {
                self.fail(instruction);
                Err((position, code))
            }
        }
    }

    #[inline(always)]
    fn integer_in_stream(
        &self,
        operated: &Operated,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<u64>, ErrorCode> {
        let strict = self.options.strict;
        let field_type = operated.field_type;
        match field_type {
            FieldType::Int32 | FieldType::Int64 => {
                let (min, max) = field_type.signed_bounds();
                let value = if operated.optional {
                    cursor.signed::<true>(min, max, strict)?
                } else {
                    cursor.signed::<false>(min, max, strict)?
                };
                Ok(value.map(i64::cast_unsigned))
            }
            _ => {
                let max = field_type.unsigned_max();
                if operated.optional {
                    cursor.unsigned::<true>(max, strict)
                } else {
                    cursor.unsigned::<false>(max, strict)
                }
            }
        }
    }

    /// A decimal whose parts have operators of their own (§6.2.2).
    #[inline(never)]
    pub(super) fn decimal_parts<'i>(
        &mut self,
        exponent: &Operated,
        mantissa: &Operated,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<Option<Value<'static>>, ErrorCode> {
        let exponent = self.integer(exponent, cursor, presence)?;
        let Some(exponent) = exponent else { return Ok(None) };
        let exponent = exponent.cast_signed();
        if !EXPONENTS.contains(&exponent) {
            return Err(ErrorCode::R1);
        }
        let mantissa = self.integer(mantissa, cursor, presence)?;
        Ok(mantissa.map(|mantissa| Value::Decimal {
            mantissa: mantissa.cast_signed(),
            exponent: exponent as i32,
        }))
    }

    /// A decimal with one operator.
    #[inline(never)]
    pub(super) fn decimal<'i>(
        &mut self,
        operated: &Operated,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<Option<Value<'static>>, ErrorCode> {
        let slot = operated.slot;
        let strict = self.options.strict;
        let initial = || Value::Decimal {
            mantissa: operated.initial_bits.cast_signed(),
            exponent: operated.initial_exponent,
        };
        let in_stream = |cursor: &mut Cursor<'i>| {
            if operated.optional {
                scaled::<true>(cursor, strict)
            } else {
                scaled::<false>(cursor, strict)
            }
        };
        match operated.operator {
            OperatorCode::None => in_stream(cursor),
            OperatorCode::Constant => Ok((!operated.optional || presence.next()).then(initial)),
            OperatorCode::Default => {
                if presence.next() {
                    in_stream(cursor)
                } else {
                    Ok(operated.has_initial().then(initial))
                }
            }
            OperatorCode::Copy => {
                let value = if presence.next() {
                    in_stream(cursor)?
                } else {
                    match self.dictionary.state(slot, FieldType::Decimal)? {
                        State::Assigned => {
                            return Ok(Some(Value::Decimal {
                                mantissa: self.dictionary.bits(slot).cast_signed(),
                                exponent: self.dictionary.exponent(slot),
                            }));
                        }
                        State::Undefined => undefined(operated)?.map(|_| initial()),
                        State::Empty => return empty(operated, ErrorCode::D6),
                    }
                };
                self.remember_decimal(slot, value);
                Ok(value)
            }
            OperatorCode::Delta => {
                let mut after = *cursor;
                let Some(exponent) = after.delta(operated.optional, strict)? else {
                    *cursor = after;
                    return Ok(None);
                };
                let mantissa = after.delta(false, strict)?.unwrap_or_default();
                let (base, base_exponent) = match self.dictionary.state(slot, FieldType::Decimal)? {
                    State::Assigned => (self.dictionary.bits(slot), self.dictionary.exponent(slot)),
                    State::Undefined => (operated.initial_bits, operated.initial_exponent),
                    State::Empty => return Err(ErrorCode::D6),
                };
                let exponent = exponent
                    .checked_add(i128::from(base_exponent))
                    .and_then(|exponent| i64::try_from(exponent).ok())
                    .filter(|exponent| EXPONENTS.contains(exponent))
                    .ok_or(ErrorCode::R1)?;
                let mantissa = add(base, mantissa, FieldType::Int64).ok_or(ErrorCode::R1)?;
                let value = Some(Value::Decimal {
                    mantissa: mantissa.cast_signed(),
                    exponent: exponent as i32,
                });
                self.remember_decimal(slot, value);
                *cursor = after;
                Ok(value)
            }
            // The loader refuses these operators for decimals.
            OperatorCode::Increment | OperatorCode::Tail => Err(ErrorCode::D1),
        }
    }

    fn remember_decimal(&mut self, slot: u32, value: Option<Value<'_>>) {
        match value {
            Some(Value::Decimal { mantissa, exponent }) => {
                let bits = mantissa.cast_unsigned();
                self.dictionary.assign(slot, FieldType::Decimal, bits, exponent);
            }
            _ => self.dictionary.set_empty(slot),
        }
    }

    /// A string or byte vector with an operator; visits it.
    #[inline(never)]
    pub(super) fn text<'i>(
        &mut self,
        field: &FieldInfo,
        operated: &Operated,
        cursor: &mut Cursor<'i>,
        presence: &mut PresenceMap<'i>,
    ) -> Result<(), ErrorCode> {
        let Operated { field_type, slot, optional, .. } = *operated;
        let plan = self.plan;
        let present = match operated.operator {
            OperatorCode::Constant => !optional || presence.next(),
            OperatorCode::None | OperatorCode::Delta => true,
            _ => presence.next(),
        };
        match operated.operator {
            OperatorCode::None | OperatorCode::Default | OperatorCode::Constant => {
                let in_stream = present && operated.operator != OperatorCode::Constant;
                if in_stream {
                    let before = *cursor;
                    if let Some(piece) = self.piece(operated, optional, cursor)? {
                        visit(self.visitor, field, field_type, piece.of(self.scratch))
                            .inspect_err(|_| *cursor = before)?;
                    }
                } else if let Some(initial) = plan.initial_text(operated)
                    && (present || operated.operator == OperatorCode::Default)
                {
                    visit(self.visitor, field, field_type, initial)?;
                }
                return Ok(());
            }
            OperatorCode::Copy | OperatorCode::Tail if !present => {
                match self.dictionary.state(slot, field_type)? {
                    State::Assigned => {}
                    State::Undefined => match plan.initial_text(operated) {
                        Some(initial) => {
                            let text = self.dictionary.assign_text(slot, field_type);
                            text.clear();
                            text.extend_from_slice(initial);
                        }
                        None if optional => {
                            self.dictionary.set_empty(slot);
                            return Ok(());
                        }
                        // §6.3.5 and §6.3.8 have different codes for the same case.
                        None if operated.operator == OperatorCode::Tail => {
                            return Err(ErrorCode::D6);
                        }
                        None => return Err(ErrorCode::D5),
                    },
                    State::Empty if optional => return Ok(()),
                    State::Empty if operated.operator == OperatorCode::Tail => {
                        return Err(ErrorCode::D7);
                    }
                    State::Empty => return Err(ErrorCode::D6),
                }
            }
            OperatorCode::Copy => match self.piece(operated, optional, cursor)? {
                Some(piece) => {
                    let text = self.dictionary.assign_text(slot, field_type);
                    text.clear();
                    text.extend_from_slice(piece.of(self.scratch));
                }
                None => {
                    self.dictionary.set_empty(slot);
                    return Ok(());
                }
            },
            OperatorCode::Tail => match self.piece(operated, optional, cursor)? {
                Some(piece) => {
                    let base = self.dictionary.state(slot, field_type)?;
                    let text = self.dictionary.assign_text(slot, field_type);
                    if base != State::Assigned {
                        text.clear();
                        text.extend_from_slice(plan.initial_text(operated).unwrap_or_default());
                    }
                    let tail = piece.of(self.scratch);
                    text.truncate(text.len().saturating_sub(tail.len()));
                    text.extend_from_slice(tail);
                }
                None => {
                    self.dictionary.set_empty(slot);
                    return Ok(());
                }
            },
            OperatorCode::Delta => {
                if !self.text_delta(operated, cursor)? {
                    return Ok(());
                }
            }
            // The loader refuses the increment operator for strings.
            OperatorCode::Increment => return Err(ErrorCode::D1),
        }
        visit(self.visitor, field, field_type, self.dictionary.text(slot))
    }

    /// §6.3.7.3–5: combines a delta with its base in the dictionary; `false` where it is NULL.
    fn text_delta(
        &mut self,
        operated: &Operated,
        cursor: &mut Cursor<'_>,
    ) -> Result<bool, ErrorCode> {
        let Operated { field_type, slot, .. } = *operated;
        let mut after = *cursor;
        let subtraction = after.delta(operated.optional, self.options.strict)?;
        let Some(subtraction) = subtraction else {
            *cursor = after;
            return Ok(false);
        };
        let subtraction = i32::try_from(subtraction).map_err(|_| ErrorCode::D7)?;
        let Some(piece) = self.piece(operated, false, &mut after)? else { return Ok(false) };
        let base = self.dictionary.state(slot, field_type)?;
        if base == State::Empty {
            return Err(ErrorCode::D6);
        }
        let text = self.dictionary.assign_text(slot, field_type);
        if base == State::Undefined {
            text.clear();
            text.extend_from_slice(self.plan.initial_text(operated).unwrap_or_default());
        }
        // Negative lengths count from the front and are one less than meant.
        let from_front = subtraction < 0;
        let removed = if from_front { !subtraction } else { subtraction }.unsigned_abs() as usize;
        if removed > text.len() {
            return Err(ErrorCode::D7);
        }
        let added = piece.of(self.scratch);
        if text.len() - removed + added.len() > self.options.max_string as usize {
            return Err(ErrorCode::Limit);
        }
        if from_front {
            text.splice(..removed, added.iter().copied());
        } else {
            text.truncate(text.len() - removed);
            text.extend_from_slice(added);
        }
        *cursor = after;
        Ok(true)
    }

    /// A string or byte vector of the stream.
    fn piece<'i>(
        &mut self,
        operated: &Operated,
        nullable: bool,
        cursor: &mut Cursor<'i>,
    ) -> Result<Option<Piece<'i>>, ErrorCode> {
        if operated.field_type == FieldType::Ascii {
            Ok(self.read_ascii(nullable, cursor)?.map(Piece::Scratch))
        } else {
            let options = self.options;
            Ok(cursor.bytes(nullable, options.max_string, options.strict)?.map(Piece::Input))
        }
    }
}

fn visit<V: Visitor>(
    visitor: &mut V,
    field: &FieldInfo,
    field_type: FieldType,
    text: &[u8],
) -> Result<(), ErrorCode> {
    visitor.field(
        field,
        match field_type {
            FieldType::Ascii => Value::Ascii(text),
            FieldType::Unicode => {
                Value::Unicode(std::str::from_utf8(text).map_err(|_| ErrorCode::R2)?)
            }
            _ => Value::Bytes(text),
        },
    );
    Ok(())
}

/// The value of a field whose previous value is undefined and that is not in the stream.
fn undefined(operated: &Operated) -> Result<Option<u64>, ErrorCode> {
    if operated.has_initial() {
        Ok(Some(operated.initial_bits))
    } else if operated.optional {
        Ok(None)
    } else {
        Err(ErrorCode::D5)
    }
}

/// The value of a field whose previous value is empty and that is not in the stream.
fn empty<T>(operated: &Operated, code: ErrorCode) -> Result<Option<T>, ErrorCode> {
    if operated.optional { Ok(None) } else { Err(code) }
}

/// §6.3.6: the next integer; the greatest is followed by the least.
pub(crate) fn next(bits: u64, field_type: FieldType) -> u64 {
    match field_type {
        FieldType::UInt32 => u64::from((bits as u32).wrapping_add(1)),
        FieldType::Int32 => i64::from((bits as i32).wrapping_add(1)).cast_unsigned(),
        _ => bits.wrapping_add(1),
    }
}

/// The sum of a previous value and a delta, where it fits the type.
#[inline]
fn add(base: u64, delta: i128, field_type: FieldType) -> Option<u64> {
    match field_type {
        FieldType::Int32 | FieldType::Int64 => {
            let sum = i128::from(base.cast_signed()).checked_add(delta)?;
            let (min, max) = field_type.signed_bounds();
            let sum = i64::try_from(sum).ok()?;
            (sum >= min && sum <= max).then_some(sum.cast_unsigned())
        }
        _ => {
            let sum = u64::try_from(i128::from(base).checked_add(delta)?).ok()?;
            (sum <= field_type.unsigned_max()).then_some(sum)
        }
    }
}

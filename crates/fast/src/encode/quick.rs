//! The usual cases of fields: values of the field's type, short strings, and previous values that
//! give no error.
//!
//! Each function answers `false`, with nothing done, for whatever else there is; the thorough
//! function of the same purpose in `operators` then does it and knows the errors.

use super::run::Run;
use crate::plan::{Instruction, NONE, Op, OpCode};
use crate::transfer::{Groups, Out, PresenceBits, Text};
use crate::value::Value;

/// The presence map of the segment that is being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The bits, the first one highest.
    pub bits: u64,
    /// The place of the next one.
    next: u64,
}

impl Segment {
    #[inline(always)]
    pub fn new() -> Self {
        Self { bits: 0, next: 1 << 63 }
    }

    #[inline(always)]
    pub fn push(&mut self, bit: bool) {
        self.bits |= if bit { self.next } else { 0 };
        self.next >>= 1;
    }

    /// For the thorough functions.
    pub fn presence_bits(self, store: &[bool]) -> PresenceBits {
        PresenceBits::of(self.bits, self.next.leading_zeros() as usize, store)
    }

    /// From the thorough functions.
    pub fn of(presence: &PresenceBits) -> Self {
        let (bits, count) = presence.in_one_word();
        Self { bits, next: 1u64.unbounded_shl(63 - count.min(63) as u32) }
    }
}

/// The bits of an integer of the field's type, or that it is absent; `None` for other values.
#[inline(always)]
pub(super) fn number<const SIGNED: bool>(op: &Op, value: Option<Value<'_>>) -> Option<Option<u64>> {
    match value {
        None => Some(None),
        Some(Value::UInt(value)) if !SIGNED && value <= op.max => Some(Some(value)),
        Some(Value::Int(value)) if SIGNED && (value ^ (value >> 63)).cast_unsigned() <= op.max => {
            Some(Some(value.cast_unsigned()))
        }
        _ => None,
    }
}

/// An integer that is there, if it is to be there.
#[inline(always)]
fn put<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
    groups: G,
    bits: u64,
    present: bool,
    out: &mut Out,
) -> bool {
    if SIGNED {
        let value = bits.cast_signed();
        out.signed(groups, value.wrapping_add(i64::from(NULLABLE && value >= 0)), present)
    } else {
        if NULLABLE && bits == u64::MAX {
            return false;
        }
        out.unsigned(groups, bits + u64::from(NULLABLE), present);
        true
    }
}

impl Run<'_> {
    /// A short ASCII string within the limit.
    #[inline(always)]
    pub(super) fn text_of(&self, value: Option<Value<'_>>) -> Option<Text> {
        match value {
            Some(Value::Ascii(text)) if text.len() <= self.options.max_string as usize => {
                Text::of(text)
            }
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn plain_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        _op: &Op,
        bits: Option<u64>,
        out: &mut Out,
        _segment: &mut Segment,
    ) -> bool {
        match bits {
            Some(bits) => put::<G, SIGNED, NULLABLE>(groups, bits, true, out),
            None if NULLABLE => {
                out.null();
                true
            }
            None => false,
        }
    }

    /// What comes after the decision that a value is in the stream or not.
    #[inline(always)]
    fn decide<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        groups: G,
        bits: Option<u64>,
        expected: Option<u64>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let present = bits != expected;
        match bits {
            Some(bits) => {
                if !put::<G, SIGNED, NULLABLE>(groups, bits, present, out) {
                    return false;
                }
            }
            None if !NULLABLE => return false,
            None => {
                if present {
                    out.null();
                }
            }
        }
        segment.push(present);
        true
    }

    #[inline(always)]
    pub(super) fn default_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        bits: Option<u64>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let expected = op.has_initial.then_some(op.initial);
        Self::decide::<G, SIGNED, NULLABLE>(groups, bits, expected, out, segment)
    }

    /// The value that the decoder takes where none is in the stream: the previous value changed by
    /// `next`. `None` for what is an error or needs thought.
    #[inline(always)]
    fn expected(&self, op: &Op, next: impl FnOnce(u64) -> Option<u64>) -> Option<Option<u64>> {
        match self.dictionary.assigned(op.slot, op.kind) {
            Some(bits) => next(bits).map(Some),
            None if self.dictionary.is_undefined(op.slot) => {
                Some(op.has_initial.then_some(op.initial))
            }
            None if self.dictionary.is_empty(op.slot) => Some(None),
            None => None,
        }
    }

    #[inline(always)]
    fn remember(&mut self, op: &Op, bits: Option<u64>) {
        match bits {
            Some(bits) => self.dictionary.assign_bits(op.slot, op.kind, bits),
            None => self.dictionary.set_empty(op.slot),
        }
    }

    #[inline(always)]
    pub(super) fn copy_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        bits: Option<u64>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let Some(expected) = self.expected(op, Some) else { return false };
        if !Self::decide::<G, SIGNED, NULLABLE>(groups, bits, expected, out, segment) {
            return false;
        }
        self.remember(op, bits);
        true
    }

    #[inline(always)]
    pub(super) fn increment_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        bits: Option<u64>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        // The greatest is followed by the least.
        let next = |bits: u64| (bits != op.max).then(|| bits.wrapping_add(1));
        let Some(expected) = self.expected(op, next) else { return false };
        if !Self::decide::<G, SIGNED, NULLABLE>(groups, bits, expected, out, segment) {
            return false;
        }
        self.remember(op, bits);
        true
    }

    #[inline(always)]
    pub(super) fn delta_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        bits: Option<u64>,
        out: &mut Out,
        _segment: &mut Segment,
    ) -> bool {
        let Some(bits) = bits else {
            if NULLABLE {
                out.null();
            }
            return NULLABLE;
        };
        let base = match self.dictionary.assigned(op.slot, op.kind) {
            Some(base) => base,
            None if self.dictionary.is_undefined(op.slot) => op.initial,
            None => return false,
        };
        // Differences of unsigned numbers below 2^63 are those of integers of any type.
        if !SIGNED && (bits | base) >> 63 != 0 {
            return false;
        }
        let Some(delta) = bits.cast_signed().checked_sub(base.cast_signed()) else { return false };
        let delta = delta.wrapping_add(i64::from(NULLABLE && delta >= 0));
        if !out.signed(groups, delta, true) {
            return false;
        }
        self.dictionary.assign_bits(op.slot, op.kind, bits);
        true
    }

    /// A decimal whose parts have operators of their own.
    #[inline(always)]
    pub(super) fn decimal_parts<G: Groups>(
        &mut self,
        groups: G,
        op: &Op,
        value: Option<Value<'_>>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let Some(Value::Decimal { mantissa, exponent }) = value else { return false };
        if !(-63..=63).contains(&exponent) {
            return false;
        }
        let first = op.operand as usize;
        let operated = &self.plan.operated[first..first + 2];
        let (first, second) = (&operated[0].op, &operated[1].op);
        if first.slot == second.slot && first.slot != NONE {
            return false;
        }
        let mantissa = mantissa.cast_unsigned();
        let expected = match second.code {
            OpCode::DeltaInt | OpCode::Int => 0,
            OpCode::CopyInt => match self.expected(second, Some) {
                // A value that cannot be the mantissa stands for none.
                Some(expected) => expected.unwrap_or(!mantissa),
                None => return false,
            },
            _ => return false,
        };
        // Nothing may be done before it is sure that both parts can be.
        const LIMIT: i64 = 1 << 54;
        let base = match second.code {
            OpCode::DeltaInt => match self.dictionary.assigned(second.slot, second.kind) {
                Some(base) => base.cast_signed(),
                None if self.dictionary.is_undefined(second.slot) => second.initial.cast_signed(),
                None => return false,
            },
            _ => 0,
        };
        let near = |value: i64| (-LIMIT..LIMIT).contains(&value);
        let mantissa = mantissa.cast_signed();
        if !near(mantissa) || !near(base) {
            return false;
        }
        let bits = i64::from(exponent).cast_unsigned();
        let written = match first.code {
            OpCode::ConstantInt => bits == first.initial,
            OpCode::Int => put::<G, true, false>(groups, bits, true, out),
            OpCode::IntOpt => put::<G, true, true>(groups, bits, true, out),
            OpCode::DefaultInt => {
                self.default_integer::<G, true, false>(groups, first, Some(bits), out, segment)
            }
            OpCode::DefaultIntOpt => {
                self.default_integer::<G, true, true>(groups, first, Some(bits), out, segment)
            }
            OpCode::CopyInt => {
                self.copy_integer::<G, true, false>(groups, first, Some(bits), out, segment)
            }
            OpCode::CopyIntOpt => {
                self.copy_integer::<G, true, true>(groups, first, Some(bits), out, segment)
            }
            _ => false,
        };
        if !written {
            return false;
        }
        // These cannot fail any more.
        match second.code {
            OpCode::CopyInt => {
                let present = mantissa.cast_unsigned() != expected;
                out.signed(groups, mantissa, present);
                segment.push(present);
                self.dictionary.assign_bits(second.slot, second.kind, mantissa.cast_unsigned());
            }
            OpCode::DeltaInt => {
                out.signed(groups, mantissa - base, true);
                self.dictionary.assign_bits(second.slot, second.kind, mantissa.cast_unsigned());
            }
            _ => {
                out.signed(groups, mantissa, true);
            }
        }
        true
    }

    #[inline(always)]
    pub(super) fn delta_decimal<G: Groups>(
        &mut self,
        groups: G,
        op: &Op,
        value: Option<Value<'_>>,
        out: &mut Out,
    ) -> bool {
        let (mantissa, exponent) = match value {
            Some(Value::Decimal { mantissa, exponent }) if (-63..=63).contains(&exponent) => {
                (mantissa, exponent)
            }
            None if op.optional => {
                out.null();
                return true;
            }
            _ => return false,
        };
        let (base, base_exponent) = match self.dictionary.assigned_decimal(op.slot, op.kind) {
            Some(value) => value,
            None if self.dictionary.is_undefined(op.slot) => {
                let exponent = self.plan.operated[op.operand as usize].initial_exponent;
                (op.initial.cast_signed(), exponent)
            }
            None => return false,
        };
        let Some(delta) = mantissa.checked_sub(base) else { return false };
        let exponent_delta = exponent - base_exponent;
        let raised = exponent_delta + i32::from(op.optional && exponent_delta >= 0);
        if !out.pair(groups, raised.into(), delta) {
            return false;
        }
        self.dictionary.assign_decimal(op.slot, op.kind, mantissa.cast_unsigned(), exponent);
        true
    }

    #[inline(always)]
    pub(super) fn default_ascii(
        &mut self,
        instruction: &Instruction,
        value: Option<Value<'_>>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let op = &instruction.op;
        let initial = op.has_initial.then_some(&*instruction.text);
        let present = match value {
            None if op.optional => {
                if initial.is_some() {
                    out.null();
                }
                initial.is_some()
            }
            Some(Value::Ascii(bytes)) => {
                let Some(text) = self.text_of(value) else { return false };
                let present = initial != Some(bytes);
                out.text(text, present);
                present
            }
            _ => return false,
        };
        segment.push(present);
        true
    }

    #[inline(always)]
    pub(super) fn copy_ascii(
        &mut self,
        instruction: &Instruction,
        value: Option<Value<'_>>,
        out: &mut Out,
        segment: &mut Segment,
    ) -> bool {
        let op = &instruction.op;
        let text = match value {
            None if op.optional => None,
            value => match self.text_of(value) {
                Some(text) => Some(text),
                None => return false,
            },
        };
        let expected = match self.dictionary.assigned_short(op.slot, op.kind) {
            Some(previous) => Some(previous),
            None if self.dictionary.is_empty(op.slot) => None,
            None if self.dictionary.is_undefined(op.slot) && !op.has_initial => None,
            None => return false,
        };
        let present = text != expected;
        match text {
            Some(text) => {
                out.text(text, present);
                if present {
                    self.dictionary.assign_short(op.slot, op.kind, text);
                }
            }
            None => {
                if present {
                    out.null();
                }
                self.dictionary.set_empty(op.slot);
            }
        }
        segment.push(present);
        true
    }
}

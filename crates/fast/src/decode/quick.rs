//! The usual cases of operators: short entities in the window, and previous values that are
//! assigned.
//!
//! Each function answers [`Miss`], with nothing changed, for whatever else there is; the thorough
//! function of the same purpose in `operators` then does it and knows the errors. `presence` has
//! the bits of the presence map that are not used up, the next one highest.

use super::Visitor;
use super::run::Run;
use crate::model::FieldType;
use crate::plan::{Op, OpCode};
use crate::transfer::{Groups, Miss, Text, Window};

/// What an operator made of a field.
pub(super) enum Made {
    /// A string of the stream.
    Text(Text),
    /// The previous value.
    Previous,
    /// The initial value.
    Initial,
    /// Nothing: the field is absent.
    Absent,
}

#[inline(always)]
fn is_present(presence: u64) -> bool {
    presence >> 63 != 0
}

/// An integer of the stream, as bits.
#[inline(always)]
fn read<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
    groups: G,
    op: &Op,
    window: &mut Window<'_>,
) -> Result<u64, Miss> {
    if SIGNED {
        window.signed::<G, NULLABLE>(groups, op.max).map(i64::cast_unsigned)
    } else {
        window.unsigned::<G, NULLABLE>(groups, op.max)
    }
}

impl<V: Visitor> Run<'_, V> {
    #[inline(always)]
    pub(super) fn default_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<u64>, Miss> {
        let bits = if is_present(*presence) {
            Some(read::<G, SIGNED, NULLABLE>(groups, op, window)?)
        } else {
            op.has_initial.then_some(op.initial)
        };
        *presence <<= 1;
        Ok(bits)
    }

    #[inline(always)]
    pub(super) fn copy_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<u64>, Miss> {
        let bits = if is_present(*presence) {
            let bits = read::<G, SIGNED, NULLABLE>(groups, op, window)?;
            self.dictionary.assign_bits(op.slot, op.kind, bits);
            Some(bits)
        } else {
            match self.dictionary.assigned(op.slot, op.kind) {
                Some(bits) => Some(bits),
                None if NULLABLE && self.dictionary.is_empty(op.slot) => None,
                None => return Err(Miss::Unusual),
            }
        };
        *presence <<= 1;
        Ok(bits)
    }

    #[inline(always)]
    pub(super) fn increment_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<u64>, Miss> {
        let bits = if is_present(*presence) {
            read::<G, SIGNED, NULLABLE>(groups, op, window)?
        } else {
            match self.dictionary.assigned(op.slot, op.kind) {
                // The greatest is followed by the least.
                Some(bits) if bits != op.max => bits.wrapping_add(1),
                _ => return Err(Miss::Unusual),
            }
        };
        self.dictionary.assign_bits(op.slot, op.kind, bits);
        *presence <<= 1;
        Ok(Some(bits))
    }

    #[inline(always)]
    pub(super) fn delta_integer<G: Groups, const SIGNED: bool, const NULLABLE: bool>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
    ) -> Result<Option<u64>, Miss> {
        if NULLABLE && window.pass_null() {
            return Ok(None);
        }
        let mut after = *window;
        let delta = after.signed::<G, NULLABLE>(groups, i64::MAX.cast_unsigned())?;
        let base = match self.dictionary.assigned(op.slot, op.kind) {
            Some(bits) => bits,
            None if self.dictionary.is_undefined(op.slot) => op.initial,
            None => return Err(Miss::Unusual),
        };
        let bits = if SIGNED {
            let sum = base.cast_signed().checked_add(delta).ok_or(Miss::Unusual)?;
            if (sum ^ (sum >> 63)).cast_unsigned() > op.max {
                return Err(Miss::Unusual);
            }
            sum.cast_unsigned()
        } else {
            let sum = base.checked_add_signed(delta).ok_or(Miss::Unusual)?;
            if sum > op.max {
                return Err(Miss::Unusual);
            }
            sum
        };
        *window = after;
        self.dictionary.assign_bits(op.slot, op.kind, bits);
        Ok(Some(bits))
    }

    /// A part of a decimal with parts: a signed integer with any operator.
    #[inline(always)]
    pub(super) fn decimal_part<G: Groups>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<u64>, Miss> {
        match op.code {
            OpCode::Int => read::<G, true, false>(groups, op, window).map(Some),
            OpCode::IntOpt => match read::<G, true, true>(groups, op, window) {
                Err(Miss::Blank) if window.pass_null() => Ok(None),
                read => read.map(Some),
            },
            OpCode::ConstantInt => Ok(Some(op.initial)),
            OpCode::DefaultInt => {
                Self::default_integer::<G, true, false>(groups, op, window, presence)
            }
            OpCode::DefaultIntOpt => {
                Self::default_integer::<G, true, true>(groups, op, window, presence)
            }
            OpCode::CopyInt => self.copy_integer::<G, true, false>(groups, op, window, presence),
            OpCode::CopyIntOpt => self.copy_integer::<G, true, true>(groups, op, window, presence),
            OpCode::DeltaInt => self.delta_integer::<G, true, false>(groups, op, window),
            OpCode::DeltaIntOpt => self.delta_integer::<G, true, true>(groups, op, window),
            _ => Err(Miss::Unusual),
        }
    }

    /// A decimal of the stream.
    #[inline(always)]
    fn decimal_in_stream<G: Groups>(
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
    ) -> Result<(i64, i32), Miss> {
        if op.optional {
            window.decimal::<G, true>(groups)
        } else {
            window.decimal::<G, false>(groups)
        }
    }

    #[inline(always)]
    pub(super) fn default_decimal<G: Groups>(
        &self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<(i64, i32)>, Miss> {
        let value = if is_present(*presence) {
            Some(Self::decimal_in_stream(groups, op, window)?)
        } else if op.has_initial {
            let exponent = self.plan.operated[op.operand as usize].initial_exponent;
            Some((op.initial.cast_signed(), exponent))
        } else {
            None
        };
        *presence <<= 1;
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn copy_decimal<G: Groups>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Option<(i64, i32)>, Miss> {
        let value = if is_present(*presence) {
            let (mantissa, exponent) = Self::decimal_in_stream(groups, op, window)?;
            self.dictionary.assign_decimal(op.slot, op.kind, mantissa.cast_unsigned(), exponent);
            Some((mantissa, exponent))
        } else {
            match self.dictionary.assigned_decimal(op.slot, op.kind) {
                Some(value) => Some(value),
                None if op.optional && self.dictionary.is_empty(op.slot) => None,
                None => return Err(Miss::Unusual),
            }
        };
        *presence <<= 1;
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn delta_decimal<G: Groups>(
        &mut self,
        groups: G,
        op: &Op,
        window: &mut Window<'_>,
    ) -> Result<Option<(i64, i32)>, Miss> {
        const ANY: u64 = i64::MAX.cast_unsigned();
        let mut after = *window;
        let exponent = if op.optional {
            if window.pass_null() {
                return Ok(None);
            }
            after.signed::<G, true>(groups, ANY)?
        } else {
            after.signed::<G, false>(groups, ANY)?
        };
        let mantissa = after.signed::<G, false>(groups, ANY)?;
        let (base, base_exponent) = match self.dictionary.assigned_decimal(op.slot, op.kind) {
            Some(value) => value,
            None if self.dictionary.is_undefined(op.slot) => {
                let exponent = self.plan.operated[op.operand as usize].initial_exponent;
                (op.initial.cast_signed(), exponent)
            }
            None => return Err(Miss::Unusual),
        };
        let mantissa = base.checked_add(mantissa).ok_or(Miss::Unusual)?;
        // What is read has 56 bits.
        let exponent = i64::from(base_exponent) + exponent;
        let exponent = self::exponent(exponent.cast_unsigned()).ok_or(Miss::Unusual)?;
        *window = after;
        self.dictionary.assign_decimal(op.slot, op.kind, mantissa.cast_unsigned(), exponent);
        Ok(Some((mantissa, exponent)))
    }

    #[inline(always)]
    pub(super) fn default_ascii(
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Made, Miss> {
        let made = if is_present(*presence) {
            Made::Text(window.ascii()?)
        } else if op.has_initial {
            Made::Initial
        } else {
            Made::Absent
        };
        *presence <<= 1;
        Ok(made)
    }

    #[inline(always)]
    pub(super) fn copy_ascii(
        &mut self,
        op: &Op,
        window: &mut Window<'_>,
        presence: &mut u64,
    ) -> Result<Made, Miss> {
        let made = if is_present(*presence) {
            let text = window.ascii()?;
            self.dictionary.assign_short(op.slot, op.kind, text);
            Made::Text(text)
        } else if self.dictionary.is_assigned(op.slot, op.kind) {
            Made::Previous
        } else if op.optional && self.dictionary.is_empty(op.slot) {
            Made::Absent
        } else {
            return Err(Miss::Unusual);
        };
        *presence <<= 1;
        Ok(made)
    }
}

/// The exponent of a decimal with parts, if it is one.
#[inline(always)]
pub(super) fn exponent(bits: u64) -> Option<i32> {
    let exponent = bits.cast_signed();
    (-63..=63).contains(&exponent).then_some(exponent as i32)
}

const _: () = assert!(FieldType::Bytes as u64 == 7, "the kinds of a dictionary are below 16");

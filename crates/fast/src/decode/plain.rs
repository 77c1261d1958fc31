//! The loop over fields that have no operator and need no presence map.
//!
//! It is a function of its own, and a small one, so that the window stays in registers: a field is
//! read when the one before it has told where it ends, and through memory that takes longer than
//! all the rest.

use std::slice::Iter;

use super::Visitor;
use super::run::Run;
use crate::plan::{Instruction, plain};
use crate::transfer::{EXPONENTS, Groups, Miss, NULLABLE_EXPONENTS, Tail, Window, Work};
use crate::value::Value;

/// Reads the plain fields at the start of `code`, as work for [`crate::transfer::perform`].
///
/// What has been read is behind `window` and `code` then. The output tells why the field that is
/// next in `code`, if it is plain, has not been read.
pub(super) struct PlainFields<'l, 'w, 'r, V> {
    pub run: &'l mut Run<'r, V>,
    pub tail: &'w Tail,
    pub window: &'l mut Window<'w>,
    pub code: &'l mut Iter<'r, Instruction>,
}

impl<'w, 'r: 'w, V: Visitor> Work for PlainFields<'_, 'w, 'r, V> {
    type Output = Option<Miss>;

    #[inline(always)]
    fn run<G: Groups>(self, groups: G) -> Option<Miss> {
        let mut window = *self.window;
        let mut code = self.code.clone();
        let visitor = &mut *self.run.visitor;
        let miss = loop {
            let mut behind = code.clone();
            let Some(instruction) = behind.next() else { break None };
            let (op, field) = (&instruction.op, &instruction.info);
            // Unless it is done, or its entities do not end in the window.
            let miss = match window.entity() {
                None => Miss::Window,
                Some(entity) if u16::from(entity.word as u8) == op.null => {
                    // Those behind it that are absent, too. A run ends within its block.
                    let passed = window.pass_nulls(usize::from(op.nullable_run));
                    code = code.as_slice()[passed..].iter();
                    continue;
                }
                Some(entity) if op.plain & plain::ASCII != 0 => match window.ascii_from(entity) {
                    Ok(text) => {
                        let bytes = text.bytes();
                        visitor.field(field, Value::Ascii(&bytes[..text.length]));
                        code = behind;
                        continue;
                    }
                    Err(miss) => miss,
                },
                Some(entity) if op.plain & plain::UINT != 0 => {
                    match window.not_null_unsigned(groups, entity, op.max, op.nullable) {
                        Ok(value) => {
                            visitor.field(field, Value::UInt(value));
                            code = behind;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                }
                Some(entity) if op.plain & plain::DECIMAL != 0 => {
                    let exponents = if op.nullable { &NULLABLE_EXPONENTS } else { &EXPONENTS };
                    match window.decimal_from(groups, entity, exponents) {
                        Ok((mantissa, exponent)) => {
                            visitor.field(field, Value::Decimal { mantissa, exponent });
                            code = behind;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                }
                Some(entity) if op.plain & plain::INT != 0 => {
                    match window.not_null_signed(groups, entity, op.max, op.nullable) {
                        Ok(value) => {
                            visitor.field(field, Value::Int(value));
                            code = behind;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                }
                Some(_) if op.plain & plain::CONSTANT != 0 => {
                    visitor.field(field, Value::Ascii(&instruction.text));
                    code = behind;
                    continue;
                }
                Some(_) => break None,
            };
            if miss == Miss::Window && !window.is_new() {
                window = reopened(self.run.input, self.tail, window.position());
            } else {
                break Some(miss);
            }
        };
        *self.window = window;
        *self.code = code;
        miss
    }
}

#[inline(never)]
fn reopened<'w>(input: &'w [u8], tail: &'w Tail, position: usize) -> Window<'w> {
    Window::open(input, tail, position)
}

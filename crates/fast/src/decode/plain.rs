//! Fields without operator, of which most market data consist: a loop of their own.
//!
//! It knows the usual cases alone and ends in front of anything else, which [`Run::instructions`] then
//! does. So it is small enough for its state to stay in registers. And it asks for the types one after
//! another, the commonest first, instead of jumping by a table: such jumps cost more than the fields
//! themselves, since the processor foresees them late even where it foresees them rightly.
//!
//! [`Run::instructions`]: super::run::Run

use super::Visitor;
use crate::plan::{Instruction, Plain};
use crate::transfer::{Groups, Miss, Window, Work};
use crate::value::Value;

/// Instructions of which the first is one of a field without operator, as work for
/// [`Groups::apart`].
pub(super) struct PlainFields<'p, 'r, 'w, V> {
    pub code: &'r [Instruction],
    pub window: Window<'w>,
    pub visitor: &'p mut V,
}

impl<'r, 'w, V: Visitor> Work for PlainFields<'_, 'r, 'w, V> {
    /// The instructions that are left, and the window there.
    type Output = (&'r [Instruction], Window<'w>);

    #[inline(always)]
    fn run<G: Groups>(self, groups: G) -> Self::Output {
        let Self { mut code, mut window, visitor } = self;
        while let Some(instruction) = code.first() {
            let (op, field) = (&instruction.op, &instruction.info);
            let is_read = if op.plain.is(Plain::ASCII) {
                visit(window.ascii(), |text| {
                    visitor.field(field, Value::Ascii(&text.bytes()[..text.length]));
                })
            } else if op.plain.is(Plain::DECIMAL_OPT) {
                visit(window.decimal::<G, true>(groups), |(mantissa, exponent)| {
                    visitor.field(field, Value::Decimal { mantissa, exponent });
                })
            } else if op.plain.is(Plain::UINT_OPT) {
                visit(window.unsigned::<G, true>(groups, op.max), |value| {
                    visitor.field(field, Value::UInt(value));
                })
            } else if op.plain.is(Plain::CONSTANT) {
                visitor.field(field, Value::Ascii(&instruction.text));
                true
            } else if op.plain.is(Plain::UINT) {
                visit(window.unsigned::<G, false>(groups, op.max), |value| {
                    visitor.field(field, Value::UInt(value));
                })
            } else if op.plain.is(Plain::INT_OPT) {
                visit(window.signed::<G, true>(groups, op.max), |value| {
                    visitor.field(field, Value::Int(value));
                })
            } else if op.plain.is(Plain::DECIMAL) {
                visit(window.decimal::<G, false>(groups), |(mantissa, exponent)| {
                    visitor.field(field, Value::Decimal { mantissa, exponent });
                })
            } else if op.plain.is(Plain::INT) {
                visit(window.signed::<G, false>(groups, op.max), |value| {
                    visitor.field(field, Value::Int(value));
                })
            } else {
                break;
            };
            if is_read {
                code = &code[1..];
                continue;
            }
            // It may be absent, and those behind it, too.
            match code.split_at_checked(window.pass_nulls(op.nullable_run.into())) {
                Some(([_, ..], present)) => code = present,
                _ => break,
            }
        }
        (code, window)
    }
}

/// Visits what was read, if it was.
#[inline(always)]
fn visit<T>(read: Result<T, Miss>, visit: impl FnOnce(T)) -> bool {
    match read {
        Ok(value) => {
            visit(value);
            true
        }
        Err(_) => false,
    }
}

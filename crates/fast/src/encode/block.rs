//! The loop over the instructions of a message, group or sequence: the usual cases in line, the
//! rest by `primitive` and `step`, which alone know the errors.
//!
//! The presence map of the usual cases is one word. Its bytes go in front of the segment, where
//! room is left for as many as its template can need.

use super::Source;
use super::quick::{Segment, number};
use super::run::Run;
use crate::error::ErrorCode;
use crate::plan::{Block, FieldInfo, FieldKind, Instruction, NONE, OpCode};
use crate::transfer::{Groups, Out, PresenceBits, Work, perform};
use crate::value::Value;

/// Presence maps of more bits are not filled in a word.
const MOST_BITS: u32 = 56;

/// What the loop encodes.
#[derive(Clone, Copy)]
pub(super) enum What<'f> {
    /// The part itself.
    One,
    /// The same behind a template identifier, which is written if there is one.
    Message(Option<u32>),
    /// That many elements of the sequence.
    Elements(&'f FieldInfo, usize),
}

/// The loop as work for [`perform`].
struct Loop<'l, 'r, 'f, S> {
    run: &'l mut Run<'r>,
    block: Block,
    source: S,
    what: What<'f>,
}

impl<S: Source> Work for Loop<'_, '_, '_, S> {
    type Output = Result<(), ErrorCode>;

    #[inline(always)]
    fn run<G: Groups>(self, groups: G) -> Self::Output {
        self.run.quick_part(groups, self.block, self.source, self.what)
    }
}

impl<'r> Run<'r> {
    /// Encodes what a block describes, with a presence map for each part if the block uses one.
    pub(super) fn part<S: Source>(
        &mut self,
        block: Block,
        source: S,
        what: What<'_>,
    ) -> Result<(), ErrorCode> {
        if block.bits >= MOST_BITS {
            return self.careful_part(block, source, what);
        }
        let processor = self.processor;
        perform(processor, Loop { run: self, block, source, what })
    }

    /// The same for a presence map of any length.
    #[cold]
    fn careful_part<S: Source>(
        &mut self,
        block: Block,
        source: S,
        what: What<'_>,
    ) -> Result<(), ErrorCode> {
        let code = &self.plan.code[block.start as usize..block.end as usize];
        let count = if let What::Elements(_, count) = what { count } else { 1 };
        for index in 0..count {
            let source = match what {
                What::Elements(field, _) => {
                    source.element(field, index).ok_or(ErrorCode::Missing)?
                }
                What::One | What::Message(_) => source,
            };
            let start = self.out.len();
            let mut presence = PresenceBits::begin(self.presence_store, self.out);
            if let What::Message(id) = what {
                presence.push(id.is_some(), self.presence_store);
                if let Some(id) = id {
                    crate::transfer::write_u64(id.into(), self.out);
                }
            }
            for instruction in code {
                self.step(instruction, source, &mut presence)
                    .inspect_err(|_| self.fail(instruction))?;
            }
            presence.finish(start, self.presence_store, self.out);
        }
        Ok(())
    }

    /// Notes the innermost field that failed.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, instruction: &Instruction) {
        if self.failed_field == NONE {
            self.failed_field = instruction.field;
        }
    }

    /// A primitive field by `primitive`; the presence bits behind it.
    #[inline(never)]
    fn careful(
        &mut self,
        instruction: &Instruction,
        value: Option<Value<'_>>,
        segment: Segment,
    ) -> Result<Segment, ErrorCode> {
        let mut presence = segment.presence_bits(self.presence_store);
        let outcome = match instruction.info.kind {
            FieldKind::Primitive(field_type) => {
                self.primitive(instruction, field_type, value, &mut presence)
            }
            // The loop asks for the values of primitive fields only.
            _ => Err(ErrorCode::D1),
        };
        match outcome {
            Ok(()) => Ok(Segment::of(&presence)),
            Err(code) => {
                self.fail(instruction);
                Err(code)
            }
        }
    }

    /// Any field by `step`.
    #[inline(never)]
    fn careful_step<S: Source>(
        &mut self,
        instruction: &Instruction,
        source: S,
        segment: Segment,
    ) -> Result<Segment, ErrorCode> {
        let mut presence = segment.presence_bits(self.presence_store);
        match self.step(instruction, source, &mut presence) {
            Ok(()) => Ok(Segment::of(&presence)),
            Err(code) => {
                self.fail(instruction);
                Err(code)
            }
        }
    }

    /// The loop.
    #[inline(always)]
    fn quick_part<G: Groups, S: Source>(
        &mut self,
        groups: G,
        block: Block,
        whole: S,
        what: What<'_>,
    ) -> Result<(), ErrorCode> {
        let code = &self.plan.code[block.start as usize..block.end as usize];
        let mut out = Out::new(std::mem::take(self.out));
        let count = if let What::Elements(_, count) = what { count } else { 1 };
        let reserved = match what {
            What::Message(_) => block.bits as usize / 7 + 1,
            _ => (block.bits as usize).div_ceil(7),
        };

        // Leaves the loop for something that writes to `self.out` itself.
        macro_rules! apart {
            ($call:expr) => {{
                *self.out = out.into_bytes();
                let result = $call?;
                out = Out::new(std::mem::take(self.out));
                result
            }};
        }

        for index in 0..count {
            let source = match what {
                What::Elements(field, _) => match whole.element(field, index) {
                    Some(element) => element,
                    None => {
                        *self.out = out.into_bytes();
                        return Err(ErrorCode::Missing);
                    }
                },
                What::One | What::Message(_) => whole,
            };
            let start = out.position();
            out.skip(reserved);
            let mut segment = Segment::new();
            if let What::Message(id) = what {
                segment.push(id.is_some());
                if let Some(id) = id {
                    out.unsigned(groups, id.into(), true);
                }
            }
            for instruction in code {
                let (op, field) = (&instruction.op, &instruction.info);
                if op.code >= OpCode::FIRST_COMPOUND {
                    segment = apart!(self.careful_step(instruction, source, segment));
                    continue;
                }
                let value = fetch(&source, field);
                macro_rules! integer {
                    ($signed:literal, $nullable:literal, $function:ident) => {
                        number::<$signed>(op, value).is_some_and(|bits| {
                            self.$function::<G, $signed, $nullable>(
                                groups,
                                op,
                                bits,
                                &mut out,
                                &mut segment,
                            )
                        })
                    };
                }
                let done = match op.code {
                    OpCode::UInt => integer!(false, false, plain_integer),
                    OpCode::UIntOpt => integer!(false, true, plain_integer),
                    OpCode::Int => integer!(true, false, plain_integer),
                    OpCode::IntOpt => integer!(true, true, plain_integer),
                    OpCode::DefaultUInt => integer!(false, false, default_integer),
                    OpCode::DefaultUIntOpt => integer!(false, true, default_integer),
                    OpCode::DefaultInt => integer!(true, false, default_integer),
                    OpCode::DefaultIntOpt => integer!(true, true, default_integer),
                    OpCode::CopyUInt => integer!(false, false, copy_integer),
                    OpCode::CopyUIntOpt => integer!(false, true, copy_integer),
                    OpCode::CopyInt => integer!(true, false, copy_integer),
                    OpCode::CopyIntOpt => integer!(true, true, copy_integer),
                    OpCode::IncrementUInt => integer!(false, false, increment_integer),
                    OpCode::IncrementUIntOpt => integer!(false, true, increment_integer),
                    OpCode::IncrementInt => integer!(true, false, increment_integer),
                    OpCode::IncrementIntOpt => integer!(true, true, increment_integer),
                    OpCode::DeltaUInt => integer!(false, false, delta_integer),
                    OpCode::DeltaUIntOpt => integer!(false, true, delta_integer),
                    OpCode::DeltaInt => integer!(true, false, delta_integer),
                    OpCode::DeltaIntOpt => integer!(true, true, delta_integer),
                    OpCode::Decimal => match value {
                        Some(Value::Decimal { mantissa, exponent }) => {
                            out.decimal::<G, false>(groups, mantissa, exponent)
                        }
                        _ => false,
                    },
                    OpCode::DecimalOpt => match value {
                        Some(Value::Decimal { mantissa, exponent }) => {
                            out.decimal::<G, true>(groups, mantissa, exponent)
                        }
                        None => {
                            out.null();
                            true
                        }
                        _ => false,
                    },
                    OpCode::DecimalParts => {
                        self.decimal_parts(groups, op, value, &mut out, &mut segment)
                    }
                    OpCode::DeltaDecimal => self.delta_decimal(groups, op, value, &mut out),
                    OpCode::Ascii => match self.text_of(value) {
                        Some(text) => {
                            out.text(text, true);
                            true
                        }
                        None => false,
                    },
                    OpCode::AsciiOpt => match self.text_of(value) {
                        Some(text) => {
                            out.text(text, true);
                            true
                        }
                        None if value.is_none() => {
                            out.null();
                            true
                        }
                        None => false,
                    },
                    OpCode::DefaultAscii => {
                        self.default_ascii(instruction, value, &mut out, &mut segment)
                    }
                    OpCode::CopyAscii => {
                        self.copy_ascii(instruction, value, &mut out, &mut segment)
                    }
                    OpCode::ConstantAscii => match value {
                        Some(Value::Ascii(text)) => {
                            *text == *instruction.text
                                && text.len() <= self.options.max_string as usize
                        }
                        None => !self.options.require_constants,
                        _ => false,
                    },
                    OpCode::Constant => match value {
                        Some(value) => {
                            value.as_bytes().is_none()
                                && value == self.plan.values[op.operand as usize].as_value()
                        }
                        None => !self.options.require_constants,
                    },
                    _ => false,
                };
                if !done {
                    segment = apart!(self.careful(instruction, value, segment));
                }
            }
            if reserved > 0 {
                out.presence(groups, start, reserved, segment.bits);
            }
        }
        *self.out = out.into_bytes();
        Ok(())
    }
}

/// The value of a field. It is no part of the loop, which would otherwise have a copy of the
/// source's decisions in front of its own.
#[inline(never)]
fn fetch<'s, S: Source>(source: &'s S, field: &FieldInfo) -> Option<Value<'s>> {
    source.value(field)
}

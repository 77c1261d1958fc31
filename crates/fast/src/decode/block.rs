//! The loop over the instructions of a message: the usual cases in line, the rest by `step`.
//!
//! There is no recursion: sequences and groups are frames on a small stack. What is unusual
//! (long, overlong or NULL entities, the end of the input, previous values that are not assigned,
//! deep nesting) is left, from the start of the field, to [`Run::step`], which alone knows the
//! errors.

use super::Visitor;
use super::quick::{Made, exponent};
use super::run::Run;
use crate::error::ErrorCode;
use crate::model::OwnedValue;
use crate::plan::{Block, Instruction, NONE, OpCode};
use crate::transfer::{Cursor, Groups, Miss, PresenceMap, Tail, Window, Work, perform};
use crate::value::Value;

/// Groups and sequences that are open at once in the loop; deeper ones are left to `step`.
pub(super) const FRAMES: usize = 8;

/// An open group or sequence: what goes on behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The presence map of the surroundings.
    presence: u64,
    /// The instruction of the group or sequence.
    instruction: u32,
    /// The end of the surrounding block.
    end: u32,
    /// The current element.
    index: u32,
    /// Elements, 0 for a group.
    length: u32,
}

/// Where the loop starts.
enum Start {
    /// At the start of the input: a message.
    Message,
    /// In a block, behind its presence map.
    Block { block: Block, position: usize, presence: u64 },
}

/// The loop as work for [`perform`].
struct Loop<'l, 'r, V> {
    run: &'l mut Run<'r, V>,
    start: Start,
}

impl<V: Visitor> Work for Loop<'_, '_, V> {
    type Output = Result<(usize, u64), (usize, ErrorCode)>;

    #[inline(always)]
    fn run<G: Groups>(self, groups: G) -> Self::Output {
        self.run.instructions(groups, self.start)
    }
}

impl<'r, V: Visitor> Run<'r, V> {
    /// Decodes the message at the start of the input: its end, or the error and where it is.
    pub(super) fn quick_message(&mut self) -> Result<usize, (usize, ErrorCode)> {
        let processor = self.processor;
        perform(processor, Loop { run: self, start: Start::Message }).map(|(position, _)| position)
    }

    /// Runs the instructions of a block.
    pub(super) fn block(
        &mut self,
        block: Block,
        cursor: &mut Cursor<'r>,
        presence: &mut PresenceMap<'r>,
    ) -> Result<(), ErrorCode> {
        let Some(bits) = presence.in_one_word() else {
            return self.careful_block(block, cursor, presence);
        };
        let input = self.input;
        let position = input.len() - cursor.remaining();
        let start = Start::Block { block, position, presence: bits };
        let processor = self.processor;
        let (position, outcome) = match perform(processor, Loop { run: self, start }) {
            Ok((position, bits)) => {
                *presence = PresenceMap::of(bits);
                (position, Ok(()))
            }
            Err((position, code)) => (position, Err(code)),
        };
        *cursor = Cursor::new(&input[position..]);
        outcome
    }

    /// The same, whatever it meets.
    #[cold]
    fn careful_block(
        &mut self,
        block: Block,
        cursor: &mut Cursor<'r>,
        presence: &mut PresenceMap<'r>,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        for instruction in &plan.code[block.start as usize..block.end as usize] {
            self.step(instruction, cursor, presence).inspect_err(|_| self.fail(instruction))?;
        }
        Ok(())
    }

    /// Notes the innermost field that failed.
    #[cold]
    fn fail(&mut self, instruction: &Instruction) {
        if self.failed_field == NONE {
            self.failed_field = instruction.field;
        }
    }

    /// One instruction by `step`, from a position of the input: position and presence map behind.
    #[inline(never)]
    fn careful(
        &mut self,
        instruction: &'r Instruction,
        position: usize,
        presence: u64,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let mut cursor = Cursor::new(&self.input[position..]);
        let mut map = PresenceMap::of(presence);
        let outcome = self.step(instruction, &mut cursor, &mut map);
        let position = self.input.len() - cursor.remaining();
        match outcome {
            Ok(()) => Ok((position, map.in_one_word().unwrap_or_default())),
            Err(code) => {
                self.fail(instruction);
                Err((position, code))
            }
        }
    }

    /// The presence map of an element or group at a position, whatever it is like. One of more
    /// bits than a word has is followed at once by its block; what is left is an empty block.
    #[inline(never)]
    fn careful_presence(
        &mut self,
        instruction: &'r Instruction,
        block: &mut Block,
        position: usize,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let mut cursor = Cursor::new(&self.input[position..]);
        let strict = self.options.strict;
        let outcome = PresenceMap::read(&mut cursor, strict).and_then(|mut map| {
            if let Some(bits) = map.in_one_word() {
                return Ok(bits);
            }
            self.careful_block(*block, &mut cursor, &mut map)?;
            map.finish(strict)?;
            block.start = block.end;
            Ok(0)
        });
        let position = self.input.len() - cursor.remaining();
        match outcome {
            Ok(bits) => Ok((position, bits)),
            Err(code) => {
                self.fail(instruction);
                Err((position, code))
            }
        }
    }

    /// Presence map and template identifier of a message: position behind, bits of the presence
    /// map, and the block.
    #[inline(never)]
    fn careful_header(
        &mut self,
    ) -> Result<(usize, PresenceMap<'r>, u32), (usize, ErrorCode)> {
        let input = self.input;
        let mut cursor = Cursor::new(input);
        let outcome = PresenceMap::read(&mut cursor, self.options.strict).and_then(|mut map| {
            self.template_identifier(&mut cursor, &mut map).map(|entry| (map, entry))
        });
        let position = input.len() - cursor.remaining();
        match outcome {
            Ok((map, entry)) => Ok((position, map, entry)),
            Err(code) => Err((position, code)),
        }
    }

    /// A presence map of one word and a known identifier.
    #[inline(always)]
    fn quick_header<G: Groups>(
        &mut self,
        groups: G,
        window: &mut Window<'_>,
    ) -> Result<(u64, u32), Miss> {
        let mut after = *window;
        let presence = after.presence(groups)?;
        let entry = if presence >> 63 != 0 {
            let id = after.unsigned::<G, false>(groups, u32::MAX.into())?;
            self.plan.entry_by_id(id as u32).ok_or(Miss::Unusual)?
        } else {
            self.last_entry.ok_or(Miss::Unusual)?
        };
        *window = after;
        *self.last_entry = Some(entry);
        Ok((presence << 1, entry))
    }

    /// The loop: position and presence map behind the message or block.
    #[inline(always)]
    fn instructions<G: Groups>(
        &mut self,
        groups: G,
        start: Start,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let (plan, input, strict) = (self.plan, self.input, self.options.strict);
        let is_message = matches!(start, Start::Message);
        let mut tail = Tail::new();
        let mut window;
        let mut presence;
        let block;
        match start {
            Start::Message => {
                window = Window::open(input, 0, &mut tail);
                let entry;
                match self.quick_header(groups, &mut window) {
                    Ok(header) => (presence, entry) = header,
                    Err(_) => {
                        let (position, mut map, index) = self.careful_header()?;
                        let Some(bits) = map.in_one_word() else {
                            // A long presence map: a rare message.
                            let mut cursor = Cursor::new(&input[position..]);
                            let outcome = self.message_behind_header(&mut cursor, &mut map, index);
                            let position = input.len() - cursor.remaining();
                            return match outcome {
                                Ok(()) => Ok((position, 0)),
                                Err(code) => Err((position, code)),
                            };
                        };
                        (presence, entry) = (bits, index);
                        window = Window::open(input, position, &mut tail);
                    }
                }
                let entry = &plan.entries[entry as usize];
                self.begin(entry);
                block = plan.blocks[entry.block as usize];
            }
            Start::Block { block: inner, position, presence: bits } => {
                window = Window::open(input, position, &mut tail);
                presence = bits;
                block = inner;
            }
        }
        let floor = self.level;
        let mut end = block.end;
        let mut code = &plan.code[block.start as usize..block.end as usize];

        // Starts an element or group: reads its presence map, if it has one.
        macro_rules! enter {
            ($instruction:expr, $block:expr) => {
                let instruction: &'r Instruction = $instruction;
                let mut block: Block = plan.blocks[$block as usize];
                presence = 0;
                if block.segment {
                    let mut map = window.presence(groups);
                    if map == Err(Miss::Window) {
                        window = Window::open(input, window.position(), &mut tail);
                        map = window.presence(groups);
                    }
                    presence = match map {
                        Ok(bits) => bits,
                        Err(_) => {
                            let position = window.position();
                            let (position, bits) =
                                self.careful_presence(instruction, &mut block, position)?;
                            window = Window::open(input, position, &mut tail);
                            bits
                        }
                    };
                }
                end = block.end;
                code = &plan.code[block.start as usize..block.end as usize];
            };
        }

        loop {
            let Some((instruction, after)) = code.split_first() else {
                // A block ends.
                if self.level == floor {
                    break;
                }
                let level = self.level - 1;
                let frame = &mut self.frames[level % FRAMES];
                let outer: &'r Instruction = &plan.code[frame.instruction as usize];
                if presence != 0 && strict {
                    self.fail(outer);
                    return Err((window.position(), ErrorCode::R8));
                }
                if frame.length != 0 {
                    self.visitor.end_element();
                    let index = frame.index + 1;
                    if index < frame.length {
                        frame.index = index;
                        self.visitor.begin_element(index);
                        enter!(outer, outer.op.block);
                        continue;
                    }
                    self.visitor.end_sequence(&outer.info);
                } else {
                    self.visitor.end_group(&outer.info);
                }
                presence = frame.presence;
                end = frame.end;
                code = &plan.code[frame.instruction as usize + 1..end as usize];
                self.level = level;
                self.depth -= 1;
                continue;
            };
            let (op, field) = (&instruction.op, &instruction.info);

            // Visits the value that was read and goes on, or tells why there is none.
            macro_rules! visit {
                ($read:expr, $value:pat => $made:expr) => {
                    match $read {
                        Ok($value) => {
                            self.visitor.field(field, $made);
                            code = after;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                };
            }
            // The same for a value that may be absent.
            macro_rules! visit_some {
                ($read:expr, $value:pat => $made:expr) => {
                    match $read {
                        Ok(value) => {
                            if let Some($value) = value {
                                self.visitor.field(field, $made);
                            }
                            code = after;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                };
            }
            // Passes over an absent field and those behind it that are absent, too.
            macro_rules! skip_nulls {
                () => {
                    if window.is_null() {
                        let run = usize::from(op.nullable_run);
                        let passed = window.pass_nulls(window.nulls().min(run));
                        code = &code[passed..];
                        continue;
                    }
                };
            }
            macro_rules! visit_text {
                ($read:expr) => {
                    match $read {
                        Ok(made) => {
                            match made {
                                Made::Text(text) => {
                                    let bytes = text.bytes();
                                    self.visitor.field(field, Value::Ascii(&bytes[..text.length]));
                                }
                                Made::Previous => {
                                    let text = self.dictionary.text(op.slot);
                                    self.visitor.field(field, Value::Ascii(text));
                                }
                                Made::Initial => {
                                    let operated = &plan.operated[op.operand as usize];
                                    if let Some(text) = plan.initial_text(operated) {
                                        self.visitor.field(field, Value::Ascii(text));
                                    }
                                }
                                Made::Absent => {}
                            }
                            code = after;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                };
            }
            macro_rules! plain_text {
                () => {
                    match window.ascii() {
                        Ok(text) => {
                            let bytes = text.bytes();
                            self.visitor.field(field, Value::Ascii(&bytes[..text.length]));
                            code = after;
                            continue;
                        }
                        Err(Miss::Unusual) => match window.long_ascii(self.options.max_string) {
                            Ok(text) => {
                                self.scratch.clear();
                                self.scratch.extend_from_slice(text);
                                if let Some(last) = self.scratch.last_mut() {
                                    *last &= 0x7f;
                                }
                                self.visitor.field(field, Value::Ascii(self.scratch));
                                code = after;
                                continue;
                            }
                            Err(miss) => miss,
                        },
                        Err(miss) => miss,
                    }
                };
            }
            // Opens a frame for the group or sequence.
            macro_rules! push {
                ($length:expr) => {
                    let level = self.level;
                    self.frames[level % FRAMES] = Frame {
                        presence,
                        instruction: end - code.len() as u32,
                        end,
                        index: 0,
                        length: $length,
                    };
                    self.level = level + 1;
                };
            }
            macro_rules! open_sequence {
                ($length:expr) => {
                    let length: u64 = $length;
                    if length > u64::from(self.options.max_sequence.min(self.elements_left))
                        || self.depth >= self.options.max_depth
                    {
                        self.fail(instruction);
                        return Err((window.position(), ErrorCode::Limit));
                    }
                    // It is at most a u32 after the check above.
                    let length = length as u32;
                    self.visitor.begin_sequence(field, length);
                    if length == 0 {
                        self.visitor.end_sequence(field);
                        code = after;
                        continue;
                    }
                    self.elements_left -= length;
                    self.depth += 1;
                    push!(length);
                    self.visitor.begin_element(0);
                    enter!(instruction, op.block);
                    continue;
                };
            }

            let miss = match op.code {
                OpCode::UInt => visit!(
                    window.unsigned::<G, false>(groups, op.max),
                    value => Value::UInt(value)
                ),
                OpCode::UIntOpt => {
                    skip_nulls!();
                    visit!(
                        window.unsigned::<G, true>(groups, op.max),
                        value => Value::UInt(value)
                    )
                }
                OpCode::Int => visit!(
                    window.signed::<G, false>(groups, op.max),
                    value => Value::Int(value)
                ),
                OpCode::IntOpt => {
                    skip_nulls!();
                    visit!(
                        window.signed::<G, true>(groups, op.max),
                        value => Value::Int(value)
                    )
                }
                OpCode::Decimal => visit!(
                    window.decimal::<G, false>(groups),
                    (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                ),
                OpCode::DecimalOpt => {
                    skip_nulls!();
                    visit!(
                        window.decimal::<G, true>(groups),
                        (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                    )
                }
                OpCode::Ascii => plain_text!(),
                OpCode::AsciiOpt => {
                    skip_nulls!();
                    plain_text!()
                }
                OpCode::Constant => {
                    let value = match &plan.values[op.operand as usize] {
                        OwnedValue::Ascii(text) => Value::Ascii(text),
                        value => value.as_value(),
                    };
                    self.visitor.field(field, value);
                    code = after;
                    continue;
                }
                OpCode::DefaultUInt => visit_some!(
                    Self::default_integer::<G, false, false>(groups, op, &mut window, &mut presence),
                    bits => Value::UInt(bits)
                ),
                OpCode::DefaultUIntOpt => visit_some!(
                    Self::default_integer::<G, false, true>(groups, op, &mut window, &mut presence),
                    bits => Value::UInt(bits)
                ),
                OpCode::DefaultInt => visit_some!(
                    Self::default_integer::<G, true, false>(groups, op, &mut window, &mut presence),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::DefaultIntOpt => visit_some!(
                    Self::default_integer::<G, true, true>(groups, op, &mut window, &mut presence),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::CopyUInt => visit_some!(
                    self.copy_integer::<G, false, false>(groups, op, &mut window, &mut presence),
                    bits => Value::UInt(bits)
                ),
                OpCode::CopyUIntOpt => visit_some!(
                    self.copy_integer::<G, false, true>(groups, op, &mut window, &mut presence),
                    bits => Value::UInt(bits)
                ),
                OpCode::CopyInt => visit_some!(
                    self.copy_integer::<G, true, false>(groups, op, &mut window, &mut presence),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::CopyIntOpt => visit_some!(
                    self.copy_integer::<G, true, true>(groups, op, &mut window, &mut presence),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::IncrementUInt => visit_some!(
                    self.increment_integer::<G, false, false>(
                        groups, op, &mut window, &mut presence
                    ),
                    bits => Value::UInt(bits)
                ),
                OpCode::IncrementUIntOpt => visit_some!(
                    self.increment_integer::<G, false, true>(
                        groups, op, &mut window, &mut presence
                    ),
                    bits => Value::UInt(bits)
                ),
                OpCode::IncrementInt => visit_some!(
                    self.increment_integer::<G, true, false>(
                        groups, op, &mut window, &mut presence
                    ),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::IncrementIntOpt => visit_some!(
                    self.increment_integer::<G, true, true>(
                        groups, op, &mut window, &mut presence
                    ),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::DeltaUInt => visit_some!(
                    self.delta_integer::<G, false, false>(groups, op, &mut window),
                    bits => Value::UInt(bits)
                ),
                OpCode::DeltaUIntOpt => visit_some!(
                    self.delta_integer::<G, false, true>(groups, op, &mut window),
                    bits => Value::UInt(bits)
                ),
                OpCode::DeltaInt => visit_some!(
                    self.delta_integer::<G, true, false>(groups, op, &mut window),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::DeltaIntOpt => visit_some!(
                    self.delta_integer::<G, true, true>(groups, op, &mut window),
                    bits => Value::Int(bits.cast_signed())
                ),
                OpCode::DefaultDecimal => visit_some!(
                    self.default_decimal(groups, op, &mut window, &mut presence),
                    (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                ),
                OpCode::CopyDecimal => visit_some!(
                    self.copy_decimal(groups, op, &mut window, &mut presence),
                    (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                ),
                OpCode::DeltaDecimal => visit_some!(
                    self.delta_decimal(groups, op, &mut window),
                    (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                ),
                OpCode::DecimalParts => {
                    let first = op.operand as usize;
                    let (first, second) = (&plan.operated[first], &plan.operated[first + 1]);
                    match self.decimal_part(groups, &first.op, &mut window, &mut presence) {
                        Ok(None) => {
                            code = after;
                            continue;
                        }
                        Ok(Some(bits)) => {
                            let Some(exponent) = exponent(bits) else {
                                self.fail(instruction);
                                return Err((window.position(), ErrorCode::R1));
                            };
                            // The exponent has changed its previous value, so that the field
                            // cannot start again.
                            let mantissa =
                                match self.decimal_part(groups, &second.op, &mut window, &mut presence) {
                                    Ok(mantissa) => mantissa,
                                    Err(_) => {
                                        let position = window.position();
                                        let outcome =
                                            self.careful_integer(second, position, presence);
                                        if outcome.is_err() {
                                            self.fail(instruction);
                                        }
                                        let (bits, position, map) = outcome?;
                                        presence = map;
                                        window = Window::open(input, position, &mut tail);
                                        bits
                                    }
                                };
                            if let Some(bits) = mantissa {
                                let mantissa = bits.cast_signed();
                                self.visitor.field(field, Value::Decimal { mantissa, exponent });
                            }
                            code = after;
                            continue;
                        }
                        Err(miss) => miss,
                    }
                }
                OpCode::DefaultAscii => {
                    visit_text!(Self::default_ascii(op, &mut window, &mut presence))
                }
                OpCode::CopyAscii => {
                    visit_text!(self.copy_ascii(op, &mut window, &mut presence))
                }
                OpCode::Sequence if self.level < FRAMES => {
                    let length = if op.optional {
                        if window.is_null() {
                            window.pass_null();
                            code = after;
                            continue;
                        }
                        window.unsigned::<G, true>(groups, op.max)
                    } else {
                        window.unsigned::<G, false>(groups, op.max)
                    };
                    match length {
                        Ok(length) => {
                            open_sequence!(length);
                        }
                        Err(miss) => miss,
                    }
                }
                OpCode::SequenceOperated if self.level < FRAMES => {
                    let operated = &plan.operated[op.operand as usize];
                    let outcome = self.careful_integer(operated, window.position(), presence);
                    if outcome.is_err() {
                        self.fail(instruction);
                    }
                    let (length, position, map) = outcome?;
                    presence = map;
                    window = Window::open(input, position, &mut tail);
                    let Some(length) = length else {
                        code = after;
                        continue;
                    };
                    open_sequence!(length);
                }
                OpCode::GroupOpt if presence >> 63 == 0 => {
                    presence <<= 1;
                    code = after;
                    continue;
                }
                OpCode::Group | OpCode::GroupOpt
                    if self.level < FRAMES && self.depth < self.options.max_depth =>
                {
                    if op.code == OpCode::GroupOpt {
                        presence <<= 1;
                    }
                    self.depth += 1;
                    self.visitor.begin_group(field);
                    push!(0);
                    enter!(instruction, op.operand);
                    continue;
                }
                _ => Miss::Unusual,
            };
            if miss == Miss::Window && !window.is_new() {
                window = Window::open(input, window.position(), &mut tail);
                continue;
            }
            let position;
            (position, presence) = self.careful(instruction, window.position(), presence)?;
            window = Window::open(input, position, &mut tail);
            code = after;
        }
        if is_message {
            if presence != 0 && strict {
                return Err((window.position(), ErrorCode::R8));
            }
            self.visitor.end_message();
        }
        Ok((window.position(), presence))
    }
}

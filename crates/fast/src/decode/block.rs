//! The loop over the instructions of a message: the usual cases in line, the rest by `step`.
//!
//! There is no recursion: sequences and groups are frames on a small stack. What is unusual
//! (long, overlong or NULL entities, the end of the input, previous values that are not assigned,
//! deep nesting) is left, from the start of the field, to [`Run::step`], which alone knows the
//! errors.

use super::Visitor;
use super::frames::{FRAMES, Next};
use super::plain::PlainFields;
use super::quick::{Made, exponent};
use super::run::Run;
use crate::error::ErrorCode;
use crate::plan::{Block, FieldInfo, Instruction, OpCode};
use crate::transfer::{Cursor, Groups, Miss, Place, PresenceMap, Tail, Window, Work, perform};
use crate::value::Value;

/// So many fields without operator in a row are left to a loop of their own.
const PLAIN_FIELDS: u8 = 2;

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
        if cfg!(test) && self.thorough {
            let (position, mut map, entry) = self.careful_header()?;
            let outcome = self.message_behind_header(position, &mut map, entry);
            return outcome.map(|(position, _)| position);
        }
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
        let Some(bits) = presence.in_one_word().filter(|_| !(cfg!(test) && self.thorough)) else {
            return self.careful_block(block, cursor, presence);
        };
        let input = self.input;
        let position = input.len() - cursor.remaining();
        let start = Start::Block { block, position, presence: bits };
        let (processor, floor) = (self.processor, self.floor);
        let outcome = perform(processor, Loop { run: self, start });
        self.floor = floor;
        let (position, outcome) = match outcome {
            Ok((position, bits)) => {
                *presence = PresenceMap::of(bits);
                (position, Ok(()))
            }
            Err((position, code)) => (position, Err(code)),
        };
        *cursor = Cursor::new(&input[position..]);
        outcome
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
        let mut tail = Tail::EMPTY;
        tail.copy(self.input);
        let tail = &tail;
        let mut place = Place::default();
        let mut window;
        let mut presence;
        let mut code;
        // The group or sequence whose block is to be entered.
        let mut entered: Option<&'r Instruction> = None;
        let is_message = matches!(start, Start::Message);
        match start {
            Start::Message => {
                window = Window::open(groups, self.input, 0, tail, &mut place);
                let entry;
                match self.quick_header(groups, &mut window) {
                    Ok(header) => (presence, entry) = header,
                    Err(_) => {
                        let (position, mut map, index) = self.careful_header()?;
                        let Some(bits) = map.in_one_word() else {
                            return self.message_behind_header(position, &mut map, index);
                        };
                        (presence, entry) = (bits, index);
                        window = Window::open_anew(self.input, position, tail, &mut place);
                    }
                }
                let entry = &self.plan.entries[entry as usize];
                self.begin(entry);
                code = self.code_of(self.plan.blocks[entry.block as usize]);
            }
            Start::Block { block, position, presence: bits } => {
                window = Window::open_anew(self.input, position, tail, &mut place);
                presence = bits;
                code = self.code_of(block);
            }
        }
        self.floor = self.level;

        macro_rules! reopen {
            ($position:expr) => {
                window = Window::open_anew(self.input, $position, tail, &mut place)
            };
        }

        'blocks: loop {
            if let Some(outer) = entered.take() {
                window = window.for_block(groups, self.input, tail, &mut place);
                // The presence map of a group or element, if it has one.
                let mut block: Block = self.plan.blocks[outer.op.block as usize];
                presence = 0;
                if block.segment {
                    let mut map = window.presence(groups);
                    if map == Err(Miss::Window) {
                        reopen!(window.position(&place));
                        map = window.presence(groups);
                    }
                    presence = match map {
                        Ok(bits) => bits,
                        Err(_) => {
                            let position = window.position(&place);
                            let (position, bits) =
                                self.careful_presence(outer, &mut block, position)?;
                            reopen!(position);
                            bits
                        }
                    };
                }
                code = self.code_of(block);
            }
            'fields: loop {
                if code.first().is_some_and(|next| next.op.plain_run >= PLAIN_FIELDS) {
                    let visitor = &mut *self.visitor;
                    (code, window) = groups.apart(PlainFields { code, window, visitor });
                    if window.is_empty() && !code.is_empty() && !window.is_new(&place) {
                        let position = window.position(&place);
                        window = Window::open(groups, self.input, position, tail, &mut place);
                        continue 'fields;
                    }
                }
                let Some(instruction) = code.first() else {
                    // A block ends.
                    if self.level == self.floor {
                        break 'blocks;
                    }
                    match self.leave(presence) {
                        Ok(Next::Element(outer)) => {
                            entered = Some(outer);
                            continue 'blocks;
                        }
                        Ok(Next::Behind { code: behind, presence: bits }) => {
                            code = behind;
                            presence = bits;
                            continue 'fields;
                        }
                        Err(code) => return Err((window.position(&place), code)),
                    }
                };
                let (op, field) = (&instruction.op, &instruction.info);
                // Once more after opening the window anew.
                'field: loop {
                    // Visits the value that was read and goes on, or tells why there is none.
                    macro_rules! visit {
                        ($read:expr, $value:pat => $made:expr) => {
                            match $read {
                                Ok($value) => {
                                    self.visitor.field(field, $made);
                                    break 'field;
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
                                    break 'field;
                                }
                                Err(miss) => miss,
                            }
                        };
                    }
                    // Passes over an absent field and those behind it that are absent, too.
                    macro_rules! nullable {
                        ($result:expr) => {
                            match $result {
                                Err(Miss::Blank) => {
                                    match window.pass_nulls(op.nullable_run.into()) {
                                        0 => Err(Miss::Blank),
                                        // A run ends within its block.
                                        passed => {
                                            code = &code[passed..];
                                            continue 'fields;
                                        }
                                    }
                                }
                                result => result,
                            }
                        };
                    }
                    macro_rules! visit_text {
                        ($read:expr) => {
                            match $read {
                                Ok(Made::Text(text)) => {
                                    let bytes = text.bytes();
                                    self.visitor.field(field, Value::Ascii(&bytes[..text.length]));
                                    break 'field;
                                }
                                Ok(Made::Previous) => {
                                    let text = self.dictionary.text(op.slot);
                                    self.visitor.field(field, Value::Ascii(text));
                                    break 'field;
                                }
                                Ok(Made::Initial) => {
                                    let operated = &self.plan.operated[op.operand as usize];
                                    if let Some(text) = self.plan.initial_text(operated) {
                                        self.visitor.field(field, Value::Ascii(text));
                                    }
                                    break 'field;
                                }
                                Ok(Made::Absent) => break 'field,
                                Err(miss) => miss,
                            }
                        };
                    }
                    macro_rules! plain_text {
                        ($read:expr) => {
                            match $read {
                                Ok(text) => {
                                    let bytes = text.bytes();
                                    self.visitor.field(field, Value::Ascii(&bytes[..text.length]));
                                    break 'field;
                                }
                                Err(Miss::Unusual) => {
                                    match window.long_ascii(self.options.max_string) {
                                        Ok(text) => {
                                            self.visit_long(field, text);
                                            break 'field;
                                        }
                                        Err(miss) => miss,
                                    }
                                }
                                Err(miss) => miss,
                            }
                        };
                    }
                    macro_rules! open_sequence {
                        ($length:expr) => {
                            match self.open_sequence(instruction, $length, presence) {
                                Ok(Some(outer)) => {
                                    entered = Some(outer);
                                    continue 'blocks;
                                }
                                Ok(None) => break 'field,
                                Err(code) => return Err((window.position(&place), code)),
                            }
                        };
                    }

                    let miss = match op.code {
                        OpCode::UInt => visit!(
                            window.unsigned::<G, false>(groups, op.max),
                            value => Value::UInt(value)
                        ),
                        OpCode::UIntOpt => visit!(
                            nullable!(window.unsigned::<G, true>(groups, op.max)),
                            value => Value::UInt(value)
                        ),
                        OpCode::Int => visit!(
                            window.signed::<G, false>(groups, op.max),
                            value => Value::Int(value)
                        ),
                        OpCode::IntOpt => visit!(
                            nullable!(window.signed::<G, true>(groups, op.max)),
                            value => Value::Int(value)
                        ),
                        OpCode::Decimal => visit!(
                            window.decimal::<G, false>(groups),
                            (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                        ),
                        OpCode::DecimalOpt => visit!(
                            nullable!(window.decimal::<G, true>(groups)),
                            (mantissa, exponent) => Value::Decimal { mantissa, exponent }
                        ),
                        OpCode::Ascii => plain_text!(window.ascii()),
                        OpCode::AsciiOpt => plain_text!(nullable!(window.ascii())),
                        OpCode::Constant => {
                            let value = &self.plan.values[op.operand as usize];
                            self.visitor.field(field, value.as_value());
                            break 'field;
                        }
                        OpCode::ConstantAscii => {
                            self.visitor.field(field, Value::Ascii(&instruction.text));
                            break 'field;
                        }
                        OpCode::ConstantOpt => {
                            let is_there = presence >> 63 != 0;
                            presence <<= 1;
                            if is_there {
                                let value = &self.plan.values[op.operand as usize];
                                self.visitor.field(field, value.as_value());
                            }
                            break 'field;
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
                            self.increment_integer::<G, false, false>(groups, op, &mut window, &mut presence),
                            bits => Value::UInt(bits)
                        ),
                        OpCode::IncrementUIntOpt => visit_some!(
                            self.increment_integer::<G, false, true>(groups, op, &mut window, &mut presence),
                            bits => Value::UInt(bits)
                        ),
                        OpCode::IncrementInt => visit_some!(
                            self.increment_integer::<G, true, false>(groups, op, &mut window, &mut presence),
                            bits => Value::Int(bits.cast_signed())
                        ),
                        OpCode::IncrementIntOpt => visit_some!(
                            self.increment_integer::<G, true, true>(groups, op, &mut window, &mut presence),
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
                            let operated = &self.plan.operated[first..first + 2];
                            let (first, second) = (&operated[0], &operated[1]);
                            match self.decimal_part(groups, &first.op, &mut window, &mut presence) {
                                Ok(None) => break 'field,
                                Ok(Some(bits)) => {
                                    let Some(exponent) = exponent(bits) else {
                                        self.fail(instruction);
                                        let position = window.position(&place);
                                        return Err((position, ErrorCode::R1));
                                    };
                                    // The exponent has changed its previous value, so that the
                                    // field cannot start again.
                                    let mut mantissa = self.decimal_part(
                                        groups,
                                        &second.op,
                                        &mut window,
                                        &mut presence,
                                    );
                                    if mantissa.is_err() {
                                        let position = window.position(&place);
                                        let (bits, position, map) = self.careful_integer(
                                            instruction,
                                            second,
                                            position,
                                            presence,
                                        )?;
                                        presence = map;
                                        reopen!(position);
                                        mantissa = Ok(bits);
                                    }
                                    if let Ok(Some(bits)) = mantissa {
                                        let mantissa = bits.cast_signed();
                                        let value = Value::Decimal { mantissa, exponent };
                                        self.visitor.field(field, value);
                                    }
                                    break 'field;
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
                        OpCode::Sequence if self.level >= FRAMES => Miss::Unusual,
                        OpCode::Sequence => {
                            let length = if op.optional {
                                if window.pass_null() {
                                    break 'field;
                                }
                                window.unsigned::<G, true>(groups, op.max)
                            } else {
                                window.unsigned::<G, false>(groups, op.max)
                            };
                            match length {
                                Ok(length) => open_sequence!(length),
                                Err(miss) => miss,
                            }
                        }
                        OpCode::SequenceOperated => {
                            if self.level >= FRAMES {
                                Miss::Unusual
                            } else {
                                let operated = &self.plan.operated[op.operand as usize];
                                let position = window.position(&place);
                                let (length, position, map) = self.careful_integer(
                                    instruction,
                                    operated,
                                    position,
                                    presence,
                                )?;
                                presence = map;
                                reopen!(position);
                                match length {
                                    None => break 'field,
                                    Some(length) => open_sequence!(length),
                                }
                            }
                        }
                        OpCode::GroupOpt if presence >> 63 == 0 => {
                            presence <<= 1;
                            break 'field;
                        }
                        OpCode::Group | OpCode::GroupOpt
                            if self.level >= FRAMES || self.depth >= self.options.max_depth =>
                        {
                            Miss::Unusual
                        }
                        OpCode::Group => {
                            self.open_group(instruction, presence);
                            entered = Some(instruction);
                            continue 'blocks;
                        }
                        OpCode::GroupOpt => {
                            presence <<= 1;
                            self.open_group(instruction, presence);
                            entered = Some(instruction);
                            continue 'blocks;
                        }
                        OpCode::ConstantInt | OpCode::Other => Miss::Unusual,
                    };
                    let mut position = window.position(&place);
                    if miss == Miss::Window && !window.is_new(&place) {
                        reopen!(position);
                        continue;
                    }
                    (position, presence) = self.careful(instruction, position, presence)?;
                    reopen!(position);
                    break 'field;
                }
                code = &code[1..];
            }
        }
        let position = window.position(&place);
        if is_message {
            if presence != 0 && self.options.strict {
                return Err((position, ErrorCode::R8));
            }
            self.visitor.end_message();
        }
        Ok((position, presence))
    }

    fn code_of(&self, block: Block) -> &'r [Instruction] {
        &self.plan.code[block.start as usize..block.end as usize]
    }

    /// A string of more bytes than a register has, the last with its stop bit.
    #[inline(never)]
    fn visit_long(&mut self, field: &FieldInfo, text: &[u8]) {
        self.scratch.clear();
        self.scratch.extend_from_slice(text);
        if let Some(last) = self.scratch.last_mut() {
            *last &= 0x7f;
        }
        self.visitor.field(field, Value::Ascii(self.scratch));
    }
}

//! Runs a plan over the bytes of a message.

use super::frames::{FRAMES, Frame};
use super::{DecoderOptions, Visitor};
use crate::dictionary::Dictionary;
use crate::error::{DecodeError, ErrorCode, Site};
use crate::load::Templates;
use crate::model::FieldType;
use crate::plan::{Block, Code, Entry, FieldInfo, Instruction, NONE, Operated, Plan};
use crate::transfer::{Cursor, PresenceMap, Processor, ascii_value};
use crate::value::Value;

/// What decoding a message needs besides the bytes.
pub(super) struct Run<'r, V> {
    pub templates: &'r Templates,
    pub plan: &'r Plan,
    pub options: &'r DecoderOptions,
    pub dictionary: &'r mut Dictionary,
    pub last_entry: &'r mut Option<u32>,
    pub scratch: &'r mut Vec<u8>,
    pub visitor: &'r mut V,
    /// How many sequence elements the message may still have.
    pub elements_left: u32,
    /// The message and what may follow it.
    pub input: &'r [u8],
    pub processor: Processor,
    pub frames: &'r mut [Frame; FRAMES],
    /// How many frames are in use.
    pub level: usize,
    /// How many were in use when the loop began.
    pub floor: usize,
    /// Whether to go without the loop, which must not make a difference; in tests only.
    pub thorough: bool,
    pub depth: u32,
    /// The current template, or `NONE` before its identifier.
    pub template: u32,
    /// The innermost field at which an error occurred, or `NONE`.
    pub failed_field: u32,
}

impl<'r, V: Visitor> Run<'r, V> {
    /// Decodes one message and returns its length.
    pub fn message(&mut self) -> Result<usize, DecodeError> {
        self.quick_message().map_err(|(offset, code)| self.error(code, offset))
    }

    #[cold]
    fn error(&self, code: ErrorCode, offset: usize) -> DecodeError {
        let field = self.plan.fields.get(self.failed_field as usize);
        let template = self.templates.all().get(self.template as usize);
        let site = Site {
            template: template.map(|template| template.name.local.clone()),
            field: field.map(|field| field.name.local.clone()),
        };
        DecodeError { code, offset, site }
    }

    /// A message begins.
    #[inline(always)]
    pub(super) fn begin(&mut self, entry: &Entry) {
        self.template = entry.template;
        if entry.reset {
            // The identifier's own previous value stays: it was read before the reset.
            self.dictionary.reset();
        }
        // There is one; a visitor that does not look at it does not look it up either.
        if let Some(template) = self.templates.all().get(entry.template as usize) {
            self.visitor.begin_message(template);
        }
    }

    /// The message of an entry behind its identifier, with a presence map of any length.
    #[cold]
    pub(super) fn message_behind_header(
        &mut self,
        position: usize,
        presence: &mut PresenceMap<'r>,
        index: u32,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let input = self.input;
        let mut cursor = Cursor::new(&input[position..]);
        let entry = self.plan.entries[index as usize];
        self.begin(&entry);
        let outcome = self
            .block(self.plan.blocks[entry.block as usize], &mut cursor, presence)
            .and_then(|()| presence.finish(self.options.strict));
        let position = input.len() - cursor.remaining();
        outcome.map_err(|code| (position, code))?;
        self.visitor.end_message();
        Ok((position, 0))
    }

    /// §10: the identifier, as if with a copy operator whose key all identifiers share.
    pub(super) fn template_identifier(
        &mut self,
        cursor: &mut Cursor<'_>,
        presence: &mut PresenceMap<'_>,
    ) -> Result<u32, ErrorCode> {
        if !presence.next() {
            return self.last_entry.ok_or(ErrorCode::D5);
        }
        let mut after = *cursor;
        let id = match after.unsigned::<false>(u64::from(u32::MAX), self.options.strict) {
            Ok(id) => id.and_then(|id| u32::try_from(id).ok()),
            // No template has an identifier beyond 32 bits.
            Err(ErrorCode::D2) => None,
            Err(code) => return Err(code),
        };
        let entry = id.and_then(|id| self.plan.entry_by_id(id)).ok_or(ErrorCode::D9)?;
        *cursor = after;
        *self.last_entry = Some(entry);
        Ok(entry)
    }

    /// One instruction, whatever it meets.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        instruction: &'r Instruction,
        cursor: &mut Cursor<'r>,
        presence: &mut PresenceMap<'r>,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let field = &instruction.info;
        let strict = self.options.strict;
        const U32_MAX: u64 = u32::MAX as u64;
        const I32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
        match instruction.code {
            Code::UInt32 => {
                let value = cursor.unsigned::<false>(U32_MAX, strict)?;
                self.emit(field, value.map(Value::UInt));
            }
            Code::UInt32Optional => {
                let value = cursor.unsigned::<true>(U32_MAX, strict)?;
                self.emit(field, value.map(Value::UInt));
            }
            Code::UInt64 => {
                let value = cursor.unsigned::<false>(u64::MAX, strict)?;
                self.emit(field, value.map(Value::UInt));
            }
            Code::UInt64Optional => {
                let value = cursor.unsigned::<true>(u64::MAX, strict)?;
                self.emit(field, value.map(Value::UInt));
            }
            Code::Int32 => {
                let value = cursor.signed::<false>(I32.0, I32.1, strict)?;
                self.emit(field, value.map(Value::Int));
            }
            Code::Int32Optional => {
                let value = cursor.signed::<true>(I32.0, I32.1, strict)?;
                self.emit(field, value.map(Value::Int));
            }
            Code::Int64 => {
                let value = cursor.signed::<false>(i64::MIN, i64::MAX, strict)?;
                self.emit(field, value.map(Value::Int));
            }
            Code::Int64Optional => {
                let value = cursor.signed::<true>(i64::MIN, i64::MAX, strict)?;
                self.emit(field, value.map(Value::Int));
            }
            Code::Decimal => {
                let value = scaled::<false>(cursor, strict)?;
                self.emit(field, value);
            }
            Code::DecimalOptional => {
                let value = scaled::<true>(cursor, strict)?;
                self.emit(field, value);
            }
            Code::Ascii => self.ascii(field, false, cursor)?,
            Code::AsciiOptional => self.ascii(field, true, cursor)?,
            Code::Unicode => self.apart(cursor, |run, cursor| run.unicode(field, false, cursor))?,
            Code::UnicodeOptional => {
                self.apart(cursor, |run, cursor| run.unicode(field, true, cursor))?;
            }
            Code::Bytes => self.apart(cursor, |run, cursor| run.bytes(field, false, cursor))?,
            Code::BytesOptional => {
                self.apart(cursor, |run, cursor| run.bytes(field, true, cursor))?;
            }
            Code::Constant => {
                self.visitor.field(field, plan.values[instruction.operand as usize].as_value());
            }
            Code::ConstantOptional => {
                if presence.next() {
                    let value = &plan.values[instruction.operand as usize];
                    self.visitor.field(field, value.as_value());
                }
            }
            Code::Integer => {
                let operated = &plan.operated[instruction.operand as usize];
                let bits =
                    self.apart(cursor, |run, cursor| run.integer(operated, cursor, presence))?;
                let signed = matches!(operated.field_type, FieldType::Int32 | FieldType::Int64);
                let value = |bits: u64| {
                    if signed { Value::Int(bits.cast_signed()) } else { Value::UInt(bits) }
                };
                self.emit(field, bits.map(value));
            }
            Code::DecimalParts => {
                let first = instruction.operand as usize;
                let (exponent, mantissa) = (&plan.operated[first], &plan.operated[first + 1]);
                let value = self.apart(cursor, |run, cursor| {
                    run.decimal_parts(exponent, mantissa, cursor, presence)
                })?;
                self.emit(field, value);
            }
            Code::DecimalWhole => {
                let operated = &plan.operated[instruction.operand as usize];
                let value =
                    self.apart(cursor, |run, cursor| run.decimal(operated, cursor, presence))?;
                self.emit(field, value);
            }
            Code::Text => {
                let operated = &plan.operated[instruction.operand as usize];
                self.apart(cursor, |run, cursor| run.text(field, operated, cursor, presence))?;
            }
            Code::Group => {
                self.apart(cursor, |run, cursor| run.group(field, instruction.operand, cursor))?;
            }
            Code::GroupOptional => {
                if presence.next() {
                    let block = instruction.operand;
                    self.apart(cursor, |run, cursor| run.group(field, block, cursor))?;
                }
            }
            Code::Sequence => {
                let operated = &plan.operated[instruction.operand as usize];
                self.apart(cursor, |run, cursor| run.sequence(field, operated, cursor, presence))?;
            }
            Code::Bounded => {
                let bounded = &plan.bounded[instruction.operand as usize];
                let value =
                    self.apart(cursor, |run, cursor| run.bounded(bounded, cursor, presence))?;
                self.emit(field, value);
            }
            Code::BitGroup => {
                let group = &plan.bit_groups[instruction.operand as usize];
                self.apart(cursor, |run, cursor| run.bit_group(field, group, cursor, presence))?;
            }
            Code::Reference => {
                let within = instruction.operand;
                self.apart(cursor, |run, cursor| run.reference(field, within, cursor))?;
            }
        }
        Ok(())
    }

    /// Calls a function that is not inlined with a copy of the cursor. The cursor itself is then
    /// never in memory, and the next field need not wait for it.
    #[inline(always)]
    fn apart<T>(
        &mut self,
        cursor: &mut Cursor<'r>,
        call: impl FnOnce(&mut Self, &mut Cursor<'r>) -> T,
    ) -> T {
        let mut copy = *cursor;
        let result = call(self, &mut copy);
        *cursor = copy;
        result
    }

    #[inline(always)]
    fn emit(&mut self, field: &FieldInfo, value: Option<Value<'_>>) {
        if let Some(value) = value {
            self.visitor.field(field, value);
        }
    }

    #[inline(always)]
    fn ascii(
        &mut self,
        field: &FieldInfo,
        nullable: bool,
        cursor: &mut Cursor<'r>,
    ) -> Result<(), ErrorCode> {
        self.apart(cursor, |run, cursor| run.ascii_long(field, nullable, cursor))
    }

    #[inline(never)]
    fn ascii_long(
        &mut self,
        field: &FieldInfo,
        nullable: bool,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), ErrorCode> {
        if let Some(length) = self.read_ascii(nullable, cursor)? {
            let start = self.scratch.len() - length;
            self.visitor.field(field, Value::Ascii(&self.scratch[start..]));
        }
        Ok(())
    }

    /// Reads an ASCII string; it is the returned number of bytes at the end of the scratch memory.
    pub(super) fn read_ascii(
        &mut self,
        nullable: bool,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<usize>, ErrorCode> {
        let mut after = *cursor;
        let entity = after.ascii_entity(self.options.max_string)?;
        self.scratch.clear();
        self.scratch.extend_from_slice(entity);
        if let Some(last) = self.scratch.last_mut() {
            *last &= 0x7f;
        }
        let text = ascii_value(self.scratch, nullable, self.options.strict)?;
        let length = text.map(<[u8]>::len);
        *cursor = after;
        Ok(length)
    }

    #[inline(never)]
    fn bytes(
        &mut self,
        field: &FieldInfo,
        nullable: bool,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), ErrorCode> {
        let value = cursor.bytes(nullable, self.options.max_string, self.options.strict)?;
        self.emit(field, value.map(Value::Bytes));
        Ok(())
    }

    #[inline(never)]
    fn unicode(
        &mut self,
        field: &FieldInfo,
        nullable: bool,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), ErrorCode> {
        let mut after = *cursor;
        let bytes = after.bytes(nullable, self.options.max_string, self.options.strict)?;
        if let Some(bytes) = bytes {
            let text = std::str::from_utf8(bytes).map_err(|_| ErrorCode::R2)?;
            self.visitor.field(field, Value::Unicode(text));
        }
        *cursor = after;
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), ErrorCode> {
        self.depth += 1;
        if self.depth > self.options.max_depth { Err(ErrorCode::Limit) } else { Ok(()) }
    }

    /// The instructions of a group or element, with a presence map of their own if they use one.
    fn part(&mut self, block: Block, cursor: &mut Cursor<'r>) -> Result<(), ErrorCode> {
        if block.segment {
            let mut presence = PresenceMap::read(cursor, self.options.strict)?;
            self.block(block, cursor, &mut presence)?;
            presence.finish(self.options.strict)
        } else {
            self.block(block, cursor, &mut PresenceMap::EMPTY.clone())
        }
    }

    #[inline(never)]
    fn group(
        &mut self,
        field: &FieldInfo,
        block: u32,
        cursor: &mut Cursor<'r>,
    ) -> Result<(), ErrorCode> {
        self.deeper()?;
        self.visitor.begin_group(field);
        self.part(self.plan.blocks[block as usize], cursor)?;
        self.visitor.end_group(field);
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn sequence(
        &mut self,
        field: &FieldInfo,
        length: &Operated,
        cursor: &mut Cursor<'r>,
        presence: &mut PresenceMap<'r>,
    ) -> Result<(), ErrorCode> {
        let length = self.integer(length, cursor, presence)?;
        let Some(length) = length else { return Ok(()) };
        if length > u64::from(self.options.max_sequence.min(self.elements_left)) {
            return Err(ErrorCode::Limit);
        }
        // It is at most a u32 after the check above.
        let length = length as u32;
        self.elements_left -= length;
        self.deeper()?;
        let block = self.plan.blocks[field.scope.unwrap_or(NONE) as usize];
        self.visitor.begin_sequence(field, length);
        for index in 0..length {
            self.visitor.begin_element(index);
            self.part(block, cursor)?;
            self.visitor.end_element();
        }
        self.visitor.end_sequence(field);
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn reference(
        &mut self,
        field: &FieldInfo,
        application_type: u32,
        cursor: &mut Cursor<'r>,
    ) -> Result<(), ErrorCode> {
        self.deeper()?;
        let mut presence = PresenceMap::read(cursor, self.options.strict)?;
        let template = self.template_identifier(cursor, &mut presence)?;
        let entry = self.plan.entries[self.plan.entry_within(template, application_type) as usize];
        let outer = std::mem::replace(&mut self.template, entry.template);
        if entry.reset {
            self.dictionary.reset();
        }
        self.visitor.begin_reference(field, &self.templates.all()[entry.template as usize]);
        self.block(self.plan.blocks[entry.block as usize], cursor, &mut presence)?;
        presence.finish(self.options.strict)?;
        self.visitor.end_reference(field);
        self.template = outer;
        self.depth -= 1;
        Ok(())
    }
}

/// §10.6.2
#[inline(always)]
pub(super) fn scaled<const NULLABLE: bool>(
    cursor: &mut Cursor<'_>,
    strict: bool,
) -> Result<Option<Value<'static>>, ErrorCode> {
    let mut after = *cursor;
    let Some(exponent) = after.exponent::<NULLABLE>(strict)? else {
        *cursor = after;
        return Ok(None);
    };
    let range = |code| if code == ErrorCode::D2 { ErrorCode::R1 } else { code };
    let mantissa = after.signed::<false>(i64::MIN, i64::MAX, strict).map_err(range)?;
    *cursor = after;
    Ok(mantissa.map(|mantissa| Value::Decimal { mantissa, exponent }))
}

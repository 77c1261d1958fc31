//! The instructions of a message, group or element to rows.

use super::{CompileError, Compiler};
use crate::microcode::isa::{
    Control, Kind, LANES, MAX_CONSTANTS, MAX_ENTRIES, Operator, Presence, Row, Slot,
};
use crate::microcode::program::{Constant, TEXT_BYTES};
use crate::model::{FieldType, OwnedValue, Presence as FieldPresence};
use crate::plan::{Code, FieldInfo, FieldKind, Instruction, NONE, Operated, OperatorCode};

/// Why there are no rows.
pub(super) enum Stop {
    /// A presence map does not decide what follows.
    Unknown,
    Error(CompileError),
}

impl From<CompileError> for Stop {
    fn from(error: CompileError) -> Self {
        Self::Error(error)
    }
}

/// The bits of a segment's presence map behind the first.
pub(super) struct KnownBits(u64);

impl KnownBits {
    pub fn new(pmap: &[u8]) -> Self {
        let bits = pmap.iter().fold(0u64, |bits, byte| bits << 7 | u64::from(byte & 0x7f));
        let used = (7 * pmap.len() as u32).clamp(1, 63);
        Self(bits << (64 - used) << 1)
    }

    fn next(&mut self) -> bool {
        let bit = self.0 >> 63 != 0;
        self.0 <<= 1;
        bit
    }

    /// Whether the template has used them up (R8).
    pub fn fits(&self) -> bool {
        self.0 == 0
    }
}

type Known = Option<KnownBits>;

/// A slot with the slot of the plan that it remembers in, and its initial value.
struct Draft {
    slot: Slot,
    remembers: Option<u32>,
    initial: Option<Constant>,
}

impl Compiler<'_> {
    pub(super) fn block(&mut self, block: u32, known: &mut Known) -> Result<(), Stop> {
        let plan = self.plan;
        let block = plan.blocks[block as usize];
        for instruction in &plan.code[block.start as usize..block.end as usize] {
            self.instruction(instruction, known)?;
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction, known: &mut Known) -> Result<(), Stop> {
        let plan = self.plan;
        let field = &instruction.info;
        let tag = instruction.field as u16;
        let operated = || &plan.operated[instruction.operand as usize];
        match instruction.code {
            Code::Constant | Code::ConstantOptional => {
                let optional = instruction.code == Code::ConstantOptional;
                if !optional && !self.options.constants.deliver(field.id) {
                    return Ok(());
                }
                let presence = presence_of(optional, known);
                if presence == Presence::Clear {
                    return Ok(());
                }
                let value = constant(&plan.values[instruction.operand as usize]);
                let mut slot = Slot::plain(kind(field), tag);
                (slot.operator, slot.optional, slot.presence) =
                    (Operator::Constant, optional, presence);
                match value {
                    None if !optional => Ok(()),
                    None => self.trap(tag),
                    initial => self.place(vec![Draft { slot, remembers: None, initial }]),
                }
            }
            Code::Integer | Code::DecimalWhole | Code::Text => {
                let draft = self.draft(operated(), kind(field), tag, known);
                match draft {
                    None => self.trap(tag),
                    Some(draft) if draft.does_nothing() => Ok(()),
                    Some(draft) => self.place(vec![draft]),
                }
            }
            Code::DecimalParts => {
                let first = instruction.operand as usize;
                self.parts(&plan.operated[first], &plan.operated[first + 1], tag, known)
            }
            Code::Group => self.group(instruction, known),
            Code::GroupOptional => match known {
                Some(bits) => {
                    if bits.next() {
                        self.group(instruction, known)?;
                    }
                    Ok(())
                }
                None => {
                    let test = self.close(Control::Group, 0);
                    self.group(instruction, known)?;
                    self.flush();
                    self.program.rows[test].target = self.here();
                    Ok(())
                }
            },
            Code::Sequence => {
                let sequence = self.draft(operated(), Kind::Length, tag, known);
                let Some(draft) = sequence else { return self.trap(tag) };
                if draft.does_nothing() {
                    return Ok(());
                }
                self.place(vec![draft])?;
                let begin = self.close(Control::Sequence, 0);
                self.part(field.scope.unwrap_or(NONE), Control::Loop, None)?;
                self.program.rows[begin].target = self.here();
                Ok(())
            }
            Code::Reference => {
                // Their number is below 4096: the compiler of entries has checked it.
                self.close(Control::Call, instruction.operand as u16);
                Ok(())
            }
            // FAST 1.2 checks a range of values, or packs several fields into one: software does.
            Code::Bounded | Code::BitGroup => self.trap(tag),
            _ => {
                let optional = field.presence == FieldPresence::Optional;
                let mut slot = Slot::plain(kind(field), tag);
                slot.optional = optional;
                let profile = &self.options.profile.longest;
                if slot.kind == Kind::Ascii && profile.get(&tag).is_some_and(|n| *n > TEXT_BYTES) {
                    slot.kind = Kind::Text;
                }
                self.place(vec![Draft { slot, remembers: None, initial: None }])
            }
        }
    }

    fn group(&mut self, instruction: &Instruction, known: &mut Known) -> Result<(), Stop> {
        let tag = instruction.field as u16;
        if self.plan.blocks[instruction.operand as usize].segment {
            return self.part(instruction.operand, Control::Next, Some(tag));
        }
        let mark = |kind| Draft { slot: Slot::plain(kind, tag), remembers: None, initial: None };
        self.place(vec![mark(Kind::GroupBegin)])?;
        self.block(instruction.operand, known)?;
        self.place(vec![mark(Kind::GroupEnd)])
    }

    /// A block with a presence map of its own if it is a segment, in rows of its own.
    fn part(&mut self, block: u32, control: Control, group: Option<u16>) -> Result<(), Stop> {
        let mark =
            |kind, tag| Draft { slot: Slot::plain(kind, tag), remembers: None, initial: None };
        self.flush();
        let segment = self.plan.blocks[block as usize].segment;
        if segment {
            self.packer.begin(true);
        }
        if let Some(tag) = group {
            self.place(vec![mark(Kind::GroupBegin, tag)])?;
        }
        self.block(block, &mut None)?;
        if let Some(tag) = group {
            self.place(vec![mark(Kind::GroupEnd, tag)])?;
        }
        let last = self.close(control, 0);
        self.program.rows[last].pop = segment;
        Ok(())
    }

    fn parts(
        &mut self,
        exponent: &Operated,
        mantissa: &Operated,
        tag: u16,
        known: &mut Known,
    ) -> Result<(), Stop> {
        let Some(exponent) = self.draft(exponent, Kind::Exponent, tag, known) else {
            return self.trap(tag);
        };
        let Slot { operator, optional, presence, .. } = exponent.slot;
        if exponent.does_nothing() {
            // It is known to be absent: the mantissa has neither bit nor entity.
            return Ok(());
        }
        if known.is_some() && optional && mantissa.has_bit() {
            let certain = operator == Operator::Constant
                || operator == Operator::Default && presence == Presence::Clear;
            if !certain {
                return Err(Stop::Unknown);
            }
        }
        match self.draft(mantissa, Kind::Mantissa, tag, known) {
            None => self.trap(tag),
            Some(mantissa) => self.place(vec![exponent, mantissa]),
        }
    }

    /// The slot of a value with an operator; `None` where hardware does not have it.
    fn draft(&self, operated: &Operated, kind: Kind, tag: u16, known: &mut Known) -> Option<Draft> {
        let is_text = matches!(kind, Kind::Ascii | Kind::Unicode | Kind::Bytes);
        let operator = match operated.operator {
            OperatorCode::None => Operator::None,
            OperatorCode::Constant => Operator::Constant,
            OperatorCode::Default => Operator::Default,
            OperatorCode::Copy => Operator::Copy,
            OperatorCode::Increment => Operator::Increment,
            OperatorCode::Delta if !is_text => Operator::Delta,
            OperatorCode::Delta | OperatorCode::Tail => Operator::None,
        };
        // The bit is used up even where the slot will be a trap.
        let presence = presence_of(operated.has_bit(), known);
        let beyond =
            is_text && matches!(operated.operator, OperatorCode::Delta | OperatorCode::Tail);
        let initial = match self.plan.values.get(operated.initial as usize) {
            None => None,
            Some(value) => Some(constant(value)?),
        };
        if beyond {
            return None;
        }
        let slot = Slot {
            operator,
            // The mantissa of an optional decimal is mandatory.
            optional: operated.optional,
            presence,
            ..Slot::plain(kind, tag)
        };
        let remembers = slot.uses_dictionary().then_some(operated.slot);
        Some(Draft { slot, remembers, initial })
    }

    fn trap(&mut self, tag: u16) -> Result<(), Stop> {
        let slot = Slot::plain(Kind::Trap, tag);
        self.place(vec![Draft { slot, remembers: None, initial: None }])?;
        self.flush();
        Ok(())
    }

    /// Puts a field, one slot or exponent and mantissa, into the row or a new one.
    fn place(&mut self, drafts: Vec<Draft>) -> Result<(), Stop> {
        let mut slots: Vec<Slot> = drafts.iter().map(|draft| draft.slot).collect();
        // Entries that exist already fix the lane.
        let mut wanted = None;
        for (at, draft) in drafts.iter().enumerate() {
            let bank = draft.remembers.and_then(|slot| self.banks.get(&slot));
            let Some((lane, _)) = bank else { continue };
            let first = lane.checked_sub(at);
            if first.is_none() || wanted.is_some_and(|wanted| Some(wanted) != first) {
                // Exponent and mantissa remember in lanes that are not side by side.
                return self.trap(slots[0].tag);
            }
            wanted = first;
        }
        let full = |lane: usize| {
            drafts.iter().enumerate().any(|(at, draft)| {
                let new = draft.remembers.is_some_and(|slot| !self.banks.contains_key(&slot));
                let size = self.program.dictionary.get(lane + at);
                new && size.is_none_or(|size| usize::from(*size) >= MAX_ENTRIES)
            })
        };
        let find = |compiler: &Self| match wanted {
            Some(_) => compiler.packer.lane(&slots, wanted),
            None => (0..LANES)
                .filter(|lane| !full(*lane))
                .find_map(|lane| compiler.packer.lane(&slots, Some(lane))),
        };
        let mut found = find(self);
        if found.is_none() {
            let row = self.packer.is_open().then(|| self.packer.take());
            found = find(self);
            self.program.rows.extend(row);
        }
        let limit = MAX_ENTRIES * LANES;
        let too_large = CompileError::TooLarge { what: "dictionary entries", limit };
        let lane = found.ok_or(too_large)?;
        for (at, (slot, draft)) in slots.iter_mut().zip(drafts).enumerate() {
            slot.initial = self.constant(lane + at, draft.initial)?;
            if let Some(remembers) = draft.remembers {
                slot.entry = self.entry(lane + at, remembers);
            }
        }
        self.packer.put(&slots, lane);
        Ok(())
    }

    fn entry(&mut self, lane: usize, slot: u32) -> u8 {
        let size = &mut self.program.dictionary[lane];
        let (_, entry) = *self.banks.entry(slot).or_insert_with(|| {
            *size += 1;
            // There was room.
            (lane, (*size - 1) as u8)
        });
        entry
    }

    fn constant(&mut self, lane: usize, value: Option<Constant>) -> Result<u8, CompileError> {
        let Some(value) = value else { return Ok(0) };
        let bank = &mut self.program.constants[lane];
        let index = bank.iter().position(|other| *other == value).unwrap_or_else(|| {
            bank.push(value);
            bank.len() - 1
        });
        let limit = MAX_CONSTANTS - 1;
        let number = u8::try_from(index + 1);
        number.map_err(|_| CompileError::TooLarge { what: "constants of a lane", limit })
    }

    /// Ends the open row, or an empty one, with a control; gives its number.
    fn close(&mut self, control: Control, target: u16) -> usize {
        let mut row = self.packer.take();
        (row.control, row.target) = (control, target);
        if row.bits_are_late() {
            row.control = Control::Next;
            row.target = 0;
            self.program.rows.push(row);
            row = Row { control, target, ..Row::EMPTY };
        }
        self.program.rows.push(row);
        self.program.rows.len() - 1
    }

    fn flush(&mut self) {
        if self.packer.is_open() {
            let row = self.packer.take();
            self.program.rows.push(row);
        }
    }

    /// Ends a template. After a sequence the last element's row ends it, too.
    pub(super) fn end(&mut self) {
        if !self.packer.is_open()
            && let Some(last) = self.program.rows.last_mut()
            && last.control == Control::Loop
            && !last.pop
        {
            last.control = Control::LoopEnd;
        }
        self.close(Control::End, 0);
    }

    fn here(&self) -> u16 {
        // Checked against the size of the memory when the template is complete.
        self.program.rows.len() as u16
    }
}

impl Draft {
    /// Whether neither entity nor record nor entry of the dictionary is concerned.
    fn does_nothing(&self) -> bool {
        self.slot.presence == Presence::Clear
            && match self.slot.operator {
                Operator::Default => self.initial.is_none(),
                Operator::Constant => true,
                _ => false,
            }
    }
}

fn presence_of(has_bit: bool, known: &mut Known) -> Presence {
    match (has_bit, known) {
        (false, _) => Presence::Always,
        (true, None) => Presence::Bit,
        (true, Some(bits)) => {
            if bits.next() {
                Presence::Set
            } else {
                Presence::Clear
            }
        }
    }
}

fn kind(field: &FieldInfo) -> Kind {
    match field.kind {
        FieldKind::Primitive(FieldType::Int32) => Kind::I32,
        FieldKind::Primitive(FieldType::UInt32) => Kind::U32,
        FieldKind::Primitive(FieldType::Int64) => Kind::I64,
        FieldKind::Primitive(FieldType::UInt64) => Kind::U64,
        FieldKind::Primitive(FieldType::Decimal) => Kind::Decimal,
        FieldKind::Primitive(FieldType::Ascii) => Kind::Ascii,
        FieldKind::Primitive(FieldType::Unicode) => Kind::Unicode,
        FieldKind::Primitive(FieldType::Bytes) => Kind::Bytes,
        FieldKind::Sequence => Kind::Length,
        FieldKind::Group | FieldKind::Reference => Kind::Nop,
    }
}

/// A value as a constant; `None` beyond 16 bytes.
fn constant(value: &OwnedValue) -> Option<Constant> {
    let text = |bytes: &[u8]| (bytes.len() <= TEXT_BYTES).then(|| Constant::Text(bytes.to_vec()));
    match value {
        OwnedValue::UInt(value) => Some(Constant::Number(*value)),
        OwnedValue::Int(value) => Some(Constant::Number(value.cast_unsigned())),
        OwnedValue::Decimal { mantissa, exponent } => {
            let exponent = i8::try_from(*exponent).ok()?;
            Some(Constant::Decimal { mantissa: *mantissa, exponent })
        }
        OwnedValue::Ascii(bytes) | OwnedValue::Bytes(bytes) => text(bytes),
        OwnedValue::Unicode(value) => text(value.as_bytes()),
    }
}

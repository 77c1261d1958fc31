//! A program: rows, constants and tables, and the rules that they keep (MICROCODE.md §5).

use super::isa::{
    Control, Kind, LANES, MAX_CONSTANTS, MAX_ENTRIES, MAX_ROWS, MAX_TAGS, MAX_UNCERTAIN, Operator,
    Presence, Row, Slot, WINDOW,
};
use crate::decode::ResetPolicy;

/// Bytes of a string that a dictionary entry or a constant holds.
pub const TEXT_BYTES: usize = 16;
/// Most templates.
pub const MAX_TEMPLATES: usize = 1 << 12;
/// Most {template, presence map} segments: they are compared all at once.
pub const MAX_SEGMENTS: usize = 16;
/// Longest presence map in bytes, hence 63 bits.
pub const MAX_PRESENCE_BYTES: usize = 9;
/// Longest name of a template or tag in bytes.
pub const MAX_NAME: usize = 255;

/// A program of the engine. [`Program::check`] tells whether it keeps the rules; the assembler,
/// the compiler and [`Program::from_bytes`] give none that does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Options and limits.
    pub settings: Settings,
    /// The instruction memory.
    pub rows: Vec<Row>,
    /// The constants of each lane; number 1 is the first.
    pub constants: [Vec<Constant>; LANES],
    /// How many dictionary entries each lane has.
    pub dictionary: [u16; LANES],
    /// What the tags of the output records stand for.
    pub tags: Vec<Tag>,
    /// The templates that can be entered from the stream.
    pub templates: Vec<TemplateInfo>,
    /// Where they start.
    pub entries: Vec<EntryPoint>,
    /// Rows for a template with one particular presence map.
    pub segments: Vec<Segment>,
}

/// Options and limits that the engine loads into registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether overlong encodings and unused presence map bits are errors (R6–R9).
    pub strict: bool,
    /// When the dictionaries are reset besides templates with `reset`.
    pub reset: ResetPolicy,
    /// Bytes at the start of each packet that are skipped.
    pub preamble: u8,
    /// Longest string or byte vector in bytes.
    pub max_text: u32,
    /// Most elements of all sequences of a message together.
    pub max_elements: u32,
    /// Most rows that a message may take, the bound of its work.
    pub max_rows: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strict: true,
            reset: ResetPolicy::Never,
            preamble: 0,
            max_text: 1 << 16,
            max_elements: 1 << 16,
            max_rows: 1 << 20,
        }
    }
}

/// An initial or constant value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The bits of an integer; signed ones in two's complement of 64 bits.
    Number(u64),
    /// A decimal.
    Decimal {
        /// The significant digits.
        mantissa: i64,
        /// The power of ten, -63..=63.
        exponent: i8,
    },
    /// The bytes of a string or vector, at most [`TEXT_BYTES`].
    Text(Vec<u8>),
}

/// The field behind a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The number in the template, a FIX tag in FIX feeds.
    pub id: Option<u32>,
    /// The local name.
    pub name: String,
}

/// A template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateInfo {
    /// Its identifier in the stream.
    pub id: u32,
    /// Whether its messages reset the dictionaries.
    pub reset: bool,
    /// The local name.
    pub name: String,
}

/// The first row of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryPoint {
    /// Index of the template.
    pub template: u16,
    /// 0 for messages; for calls the number of the application type where it matters.
    pub scope: u16,
    /// The row.
    pub row: u16,
}

/// The first row for messages of a template with one presence map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Index of the template.
    pub template: u16,
    /// The presence map as in the stream, 1–9 bytes, the last with its stop bit.
    pub pmap: Vec<u8>,
    /// The row.
    pub row: u16,
}

/// A rule that a program breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// A table has too many elements.
    #[error("{what}: {count} are more than {limit}")]
    TooMany {
        /// Which table.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// A row breaks a rule of §4.3.
    #[error("row {row}: {rule}")]
    Row {
        /// The row.
        row: usize,
        /// The rule, in words.
        rule: &'static str,
    },
    /// A table refers to something that does not exist, or has a value out of range.
    #[error("{what} {index}: {rule}")]
    Table {
        /// Which table.
        what: &'static str,
        /// The element.
        index: usize,
        /// The rule, in words.
        rule: &'static str,
    },
}

impl Program {
    /// The constant of a lane by number; `None` for 0.
    pub fn constant(&self, lane: usize, number: u8) -> Option<&Constant> {
        self.constants.get(lane)?.get(usize::from(number).checked_sub(1)?)
    }

    /// The entry of a template for messages (scope 0) or calls. A call falls back to scope 0.
    pub fn entry(&self, id: u32, scope: u16) -> Option<EntryPoint> {
        let template = self.templates.iter().position(|template| template.id == id)?;
        let with = |scope: u16| {
            let same = |e: &&EntryPoint| usize::from(e.template) == template && e.scope == scope;
            self.entries.iter().find(same).copied()
        };
        with(scope).or_else(|| with(0))
    }

    /// Checks every rule that the engine relies on.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), ProgramError> {
        let limit = |what, count: usize, limit| {
            if count > limit { Err(ProgramError::TooMany { what, count, limit }) } else { Ok(()) }
        };
        limit("rows", self.rows.len(), MAX_ROWS)?;
        limit("tags", self.tags.len(), MAX_TAGS)?;
        limit("templates", self.templates.len(), MAX_TEMPLATES)?;
        limit("entries", self.entries.len(), 4 * MAX_TEMPLATES)?;
        limit("segments", self.segments.len(), MAX_SEGMENTS)?;
        for lane in 0..LANES {
            limit("constants of a lane", self.constants[lane].len(), MAX_CONSTANTS - 1)?;
            limit("dictionary entries", usize::from(self.dictionary[lane]), MAX_ENTRIES)?;
            for (index, constant) in self.constants[lane].iter().enumerate() {
                let good = match constant {
                    Constant::Number(_) => true,
                    Constant::Decimal { exponent, .. } => (-63..=63).contains(exponent),
                    Constant::Text(text) => text.len() <= TEXT_BYTES,
                };
                table(good, "constant", index, "out of range")?;
            }
        }
        self.check_tables()?;
        for (index, row) in self.rows.iter().enumerate() {
            self.check_row(index, row).map_err(|rule| ProgramError::Row { row: index, rule })?;
        }
        Ok(())
    }

    fn check_tables(&self) -> Result<(), ProgramError> {
        for (index, tag) in self.tags.iter().enumerate() {
            table(good_name(&tag.name), "tag", index, "the name is too long")?;
        }
        // The template table has 256 sets of four.
        let mut sets = [0u8; 256];
        let mut ids = rustc_hash::FxHashSet::default();
        for (index, template) in self.templates.iter().enumerate() {
            table(good_name(&template.name), "template", index, "the name is too long")?;
            table(ids.insert(template.id), "template", index, "the identifier occurs twice")?;
            let set = &mut sets[(template.id & 0xff) as usize];
            *set += 1;
            table(*set <= 4, "template", index, "four others have the identifier's low 8 bits")?;
        }
        let mut keys = rustc_hash::FxHashSet::default();
        for (index, entry) in self.entries.iter().enumerate() {
            let known = usize::from(entry.template) < self.templates.len();
            table(known, "entry", index, "no such template")?;
            table(usize::from(entry.row) < self.rows.len(), "entry", index, "no such row")?;
            let scoped = entry.scope < 1 << 12;
            table(scoped, "entry", index, "the scope has more than 12 bits")?;
            let fresh = keys.insert((entry.template, entry.scope));
            table(fresh, "entry", index, "the template has one already")?;
        }
        for (index, segment) in self.segments.iter().enumerate() {
            let known = usize::from(segment.template) < self.templates.len();
            table(known, "segment", index, "no such template")?;
            table(usize::from(segment.row) < self.rows.len(), "segment", index, "no such row")?;
            let (last, head) = segment.pmap.split_last().unwrap_or((&0, &[]));
            let whole = last & 0x80 != 0
                && head.len() < MAX_PRESENCE_BYTES
                && head.iter().all(|byte| byte & 0x80 == 0);
            table(whole, "segment", index, "not a presence map of 1–9 bytes")?;
            let earlier = &self.segments[..index];
            let same =
                |other: &Segment| other.template == segment.template && other.pmap == segment.pmap;
            table(!earlier.iter().any(same), "segment", index, "occurs twice")?;
        }
        Ok(())
    }

    /// The rules of one row (§4.3).
    fn check_row(&self, index: usize, row: &Row) -> Result<(), &'static str> {
        let rule = |good: bool, text| if good { Ok(()) } else { Err(text) };
        rule(row.max_entities() <= WINDOW, "takes more than 8 entities")?;
        rule(row.uncertain() <= MAX_UNCERTAIN, "more than three optional decimals")?;
        rule(!row.bits_are_late(), "a presence map bit behind a mantissa that may have one")?;
        let ends = matches!(row.control, Control::End | Control::LoopEnd);
        rule(!row.pop || !ends, "pop does not end the template")?;
        let last = self.rows.len() - 1;
        let target = usize::from(row.target);
        match row.control {
            Control::End | Control::LoopEnd => {}
            Control::Jump => rule(target <= last, "no such target")?,
            Control::Sequence | Control::Group => {
                rule(target <= last, "no such target")?;
                rule(index < last, "no row follows")?;
            }
            Control::Next | Control::Loop => rule(index < last, "no row follows")?,
            Control::Call => {
                rule(index < last, "no row follows")?;
                rule(target < 1 << 12, "the scope has more than 12 bits")?;
            }
        }
        let no_target =
            matches!(row.control, Control::Next | Control::Loop | Control::End | Control::LoopEnd);
        rule(!no_target || target == 0, "the control has no target")?;
        let used = row.used();
        let ends_with_length = used.last().is_some_and(|slot| slot.kind == Kind::Length);
        rule((row.control == Control::Sequence) == ends_with_length, "seq and len go together")?;
        for (lane, slot) in row.slots.iter().enumerate() {
            let is_last = lane + 1 == used.len();
            rule(is_last || !slot.must_be_last(), "must be the last slot")?;
            let before = lane.checked_sub(1).map(|before| row.slots[before].kind);
            let follows = before == Some(Kind::Exponent);
            rule((slot.kind == Kind::Mantissa) == follows, "exp and man go together")?;
            self.check_slot(lane, slot)?;
        }
        rule(row.slots[LANES - 1].kind != Kind::Exponent, "exp and man go together")
    }

    fn check_slot(&self, lane: usize, slot: &Slot) -> Result<(), &'static str> {
        let rule = |good: bool, text| if good { Ok(()) } else { Err(text) };
        if slot.kind == Kind::Nop {
            return rule(*slot == Slot::NOP, "a nop has no operands");
        }
        rule(usize::from(slot.tag) < self.tags.len(), "no such tag")?;
        let is_text = matches!(slot.kind, Kind::Ascii | Kind::Unicode | Kind::Bytes);
        let operator_fits = match slot.kind {
            Kind::Text | Kind::GroupBegin | Kind::GroupEnd | Kind::Trap => {
                slot.operator == Operator::None
            }
            Kind::Decimal => slot.operator != Operator::Increment,
            _ if is_text => !matches!(slot.operator, Operator::Increment | Operator::Delta),
            _ => true,
        };
        rule(operator_fits, "the kind does not have the operator")?;
        rule(slot.kind != Kind::Mantissa || !slot.optional, "a mantissa is mandatory")?;
        let bit = match slot.operator {
            Operator::None | Operator::Delta => false,
            Operator::Constant => slot.optional,
            Operator::Default | Operator::Copy | Operator::Increment => true,
        };
        rule(bit == (slot.presence != Presence::Always), "the operator decides on the bit")?;
        rule(
            slot.kind != Kind::Mantissa || slot.presence != Presence::Clear || !slot.optional,
            "a mantissa is mandatory",
        )?;
        let entry = usize::from(slot.entry);
        let known = entry < usize::from(self.dictionary[lane]);
        rule(
            if slot.uses_dictionary() { known } else { entry == 0 },
            "no such dictionary entry in the lane",
        )?;
        let takes_initial = !matches!(slot.operator, Operator::None);
        rule(takes_initial || slot.initial == 0, "an initial value without operator")?;
        match self.constant(lane, slot.initial) {
            None if slot.initial != 0 => Err("no such constant in the lane"),
            None => rule(slot.operator != Operator::Constant, "a constant needs its value"),
            Some(Constant::Text(_)) => rule(is_text, "the constant is of another type"),
            Some(Constant::Decimal { .. }) => {
                rule(slot.kind == Kind::Decimal, "the constant is of another type")
            }
            Some(Constant::Number(_)) => {
                rule(!is_text && slot.kind != Kind::Decimal, "the constant is of another type")
            }
        }
    }
}

fn good_name(name: &str) -> bool {
    name.len() <= MAX_NAME && !name.chars().any(char::is_control)
}

fn table(
    good: bool,
    what: &'static str,
    index: usize,
    rule: &'static str,
) -> Result<(), ProgramError> {
    if good { Ok(()) } else { Err(ProgramError::Table { what, index, rule }) }
}

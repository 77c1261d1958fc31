//! Text to program.

use std::collections::HashMap;

use super::line::{Line, Token};
use super::{AsmError, AsmErrorKind, MAX_TEXT};
use crate::decode::ResetPolicy;
use crate::microcode::isa::{Control, Kind, LANES, Operator, Presence, Row, Slot};
use crate::microcode::program::{
    Constant, EntryPoint, Program, ProgramError, Segment, Settings, Tag, TemplateInfo,
};

/// Translates a text to a program and checks it.
///
/// # Errors
/// The first thing that is wrong, with its line and column. Work and memory are linear in the
/// text.
pub fn assemble(text: &str) -> Result<Program, AsmError> {
    if text.len() > MAX_TEXT {
        return Err(AsmError { line: 1, column: 1, kind: AsmErrorKind::TooLong });
    }
    let mut assembler = Assembler::default();
    for (number, line) in (1..).zip(text.lines()) {
        let mut line = Line::new(number, line)?;
        assembler.line(&mut line)?;
        line.finish()?;
    }
    assembler.resolve()?;
    let program = assembler.program;
    program.check().map_err(|error| {
        let row = match error {
            ProgramError::Row { row, .. } => assembler.lines.get(row).copied(),
            _ => None,
        };
        AsmError { line: row.unwrap_or(1), column: 1, kind: AsmErrorKind::Program(error) }
    })?;
    Ok(program)
}

/// What waits for a label.
enum Place {
    Row(usize),
    Entry(usize),
    Segment(usize),
}

struct Reference {
    label: String,
    line: usize,
    column: usize,
    place: Place,
}

#[derive(Default)]
struct Assembler {
    program: Program,
    labels: HashMap<String, usize>,
    references: Vec<Reference>,
    /// The line of each row.
    lines: Vec<usize>,
}

impl Assembler {
    fn line(&mut self, line: &mut Line<'_>) -> Result<(), AsmError> {
        if let Some(Token::Word(word)) = line.peek()
            && word.starts_with('.')
        {
            return self.directive(line);
        }
        while line.then(":") {
            let (column, label) = (line.column(), line.word("a label")?.to_owned());
            line.mark(":");
            if self.labels.insert(label.clone(), self.program.rows.len()).is_some() {
                let kind = AsmErrorKind::DuplicateLabel(label);
                return Err(AsmError { line: line.number(), column, kind });
            }
        }
        if line.is_empty() { Ok(()) } else { self.row(line) }
    }

    fn directive(&mut self, line: &mut Line<'_>) -> Result<(), AsmError> {
        match line.word("a directive")? {
            ".set" => settings(&mut self.program.settings, line),
            ".dictionary" => {
                for lane in 0..LANES {
                    self.program.dictionary[lane] = line.number_as("a number of entries")?;
                }
                Ok(())
            }
            ".constant" => {
                let lane: u8 = line.number_as("a lane")?;
                let Some(bank) = self.program.constants.get_mut(usize::from(lane)) else {
                    return Err(line.error(AsmErrorKind::Range(lane.to_string())));
                };
                order(line, bank.len() + 1)?;
                let constant = constant(line)?;
                bank.push(constant);
                Ok(())
            }
            ".tag" => {
                order(line, self.program.tags.len())?;
                let id = if line.keyword("-") { None } else { Some(line.number_as("an id")?) };
                let name = name(line)?;
                self.program.tags.push(Tag { id, name });
                Ok(())
            }
            ".template" => {
                order(line, self.program.templates.len())?;
                let id = line.number_as("an identifier")?;
                let name = name(line)?;
                let reset = line.keyword("reset");
                self.program.templates.push(TemplateInfo { id, reset, name });
                Ok(())
            }
            ".entry" => {
                let template = line.number_as("a template")?;
                let scope = line.number_as("a scope")?;
                self.refer(line, Place::Entry(self.program.entries.len()))?;
                self.program.entries.push(EntryPoint { template, scope, row: 0 });
                Ok(())
            }
            ".segment" => {
                let template = line.number_as("a template")?;
                let pmap = line.word_as("a presence map in hexadecimal digits", hexadecimal)?;
                self.refer(line, Place::Segment(self.program.segments.len()))?;
                self.program.segments.push(Segment { template, pmap, row: 0 });
                Ok(())
            }
            directive => {
                let kind =
                    AsmErrorKind::Expected { expected: "a directive", found: directive.to_owned() };
                Err(AsmError { line: line.number(), column: 1, kind })
            }
        }
    }

    fn row(&mut self, line: &mut Line<'_>) -> Result<(), AsmError> {
        let mut row = Row::EMPTY;
        row.push = line.keyword("push");
        let mut count = 0;
        while !line.is_empty() && !matches!(line.peek(), Some(Token::Mark("->"))) {
            if line.keyword("pop") {
                row.pop = true;
                break;
            }
            if count >= LANES {
                return Err(line.error(AsmErrorKind::TooManySlots));
            }
            row.slots[count] = slot(line)?;
            count += 1;
            if !line.mark("|") {
                row.pop = line.keyword("pop");
                break;
            }
        }
        if line.mark("->") {
            row.control = line.word_as("a control", Control::from_mnemonic)?;
            match row.control {
                Control::Jump | Control::Sequence | Control::Group => {
                    self.refer(line, Place::Row(self.program.rows.len()))?;
                }
                Control::Call => {
                    let scope: u16 = line.number_as("a scope")?;
                    if scope >= 1 << 12 {
                        return Err(line.error(AsmErrorKind::Range(scope.to_string())));
                    }
                    row.target = scope;
                }
                _ => {}
            }
        }
        self.program.rows.push(row);
        self.lines.push(line.number());
        Ok(())
    }

    fn refer(&mut self, line: &mut Line<'_>, place: Place) -> Result<(), AsmError> {
        let (number, column) = (line.number(), line.column());
        let label = line.word("a label")?.to_owned();
        self.references.push(Reference { label, line: number, column, place });
        Ok(())
    }

    fn resolve(&mut self) -> Result<(), AsmError> {
        for Reference { label, line, column, place } in &self.references {
            let error = |kind| AsmError { line: *line, column: *column, kind };
            let row = self.labels.get(label).copied();
            let row = row.ok_or_else(|| error(AsmErrorKind::UnknownLabel(label.clone())))?;
            let row = u16::try_from(row).ok().filter(|row| *row < 1 << 12);
            let row = row.ok_or_else(|| error(AsmErrorKind::Range(label.clone())))?;
            match place {
                Place::Row(index) => self.program.rows[*index].target = row,
                Place::Entry(index) => self.program.entries[*index].row = row,
                Place::Segment(index) => self.program.segments[*index].row = row,
            }
        }
        Ok(())
    }
}

fn settings(settings: &mut Settings, line: &mut Line<'_>) -> Result<(), AsmError> {
    while !line.is_empty() {
        let column = line.column();
        let name = line.word("a setting")?;
        if !line.mark("=") {
            return Err(line.expected("`=`"));
        }
        match name {
            "strict" => {
                settings.strict = line.word_as("yes or no", |word| match word {
                    "yes" => Some(true),
                    "no" => Some(false),
                    _ => None,
                })?;
            }
            "reset" => {
                settings.reset = line.word_as("never, packet or message", |word| match word {
                    "never" => Some(ResetPolicy::Never),
                    "packet" => Some(ResetPolicy::Packet),
                    "message" => Some(ResetPolicy::Message),
                    _ => None,
                })?;
            }
            "preamble" => settings.preamble = line.number_as("a number of bytes")?,
            "max_text" => settings.max_text = line.number_as("a number of bytes")?,
            "max_elements" => settings.max_elements = line.number_as("a number of elements")?,
            "max_rows" => settings.max_rows = line.number_as("a number of rows")?,
            other => {
                let kind =
                    AsmErrorKind::Expected { expected: "a setting", found: other.to_owned() };
                return Err(AsmError { line: line.number(), column, kind });
            }
        }
    }
    Ok(())
}

fn order(line: &mut Line<'_>, expected: usize) -> Result<(), AsmError> {
    let column = line.column();
    let found: u64 = line.number_as("a number")?;
    if usize::try_from(found) == Ok(expected) {
        return Ok(());
    }
    let kind = AsmErrorKind::Order { expected, found };
    Err(AsmError { line: line.number(), column, kind })
}

fn name(line: &mut Line<'_>) -> Result<String, AsmError> {
    let column = line.column();
    String::from_utf8(line.text()?).map_err(|_| AsmError {
        line: line.number(),
        column,
        kind: AsmErrorKind::Expected { expected: "UTF-8", found: "other bytes".to_owned() },
    })
}

fn constant(line: &mut Line<'_>) -> Result<Constant, AsmError> {
    match line.word("a type of constant")? {
        "number" => Ok(Constant::Number(line.number_as("a number of 64 bits")?)),
        "decimal" => {
            let mantissa = line.number_as("a mantissa")?;
            Ok(Constant::Decimal { mantissa, exponent: line.number_as("an exponent")? })
        }
        "bytes" => Ok(Constant::Text(line.text()?)),
        _ => Err(line.expected("number, decimal or bytes before this")),
    }
}

fn slot(line: &mut Line<'_>) -> Result<Slot, AsmError> {
    let kind = line.word_as("a field operation", Kind::from_mnemonic)?;
    if kind == Kind::Nop {
        return Ok(Slot::NOP);
    }
    let optional = line.mark("?");
    if !line.mark("@") {
        return Err(line.expected("`@` and a tag"));
    }
    let tag: u16 = line.number_as("a tag")?;
    if tag >= 1 << 14 {
        return Err(line.error(AsmErrorKind::Range(tag.to_string())));
    }
    let mut slot = Slot { optional, ..Slot::plain(kind, tag) };
    while let Some(Token::Word(word)) = line.peek() {
        let word = *word;
        if word == "pop" {
            break;
        }
        let number =
            |prefix| word.strip_prefix(prefix).and_then(|digits: &str| digits.parse().ok());
        if let Some(operator) = Operator::from_mnemonic(word) {
            slot.operator = operator;
        } else if let Some(presence) = Presence::from_mnemonic(word) {
            slot.presence = presence;
        } else if let Some(entry) = number('d') {
            slot.entry = entry;
        } else if let Some(initial) = number('k') {
            slot.initial = initial;
        } else {
            return Err(line.expected("an operator, a presence, dN or kN"));
        }
        line.word("a word")?;
    }
    Ok(slot)
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || digits.len() > 64 || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok())
        .collect()
}

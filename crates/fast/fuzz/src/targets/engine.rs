//! Any program against any packets: the engine ends, and its records and reports are in order.
//!
//! The first byte says where the program is from: bytes of the file format, compiled templates, or
//! random rows that keep the rules.

use saker_fast::microcode::{
    CompileOptions, Control, Engine, EngineOptions, FormatError, Kind, LANES, Operator, Presence,
    Program, Row, Slot, Status, assemble, compile, listing,
};

use super::super::Choices;

const HEAD: &str = ".dictionary 3 3 3 3\n.tag 0 - \"A\"\n.tag 1 1 \"B\"\n.tag 2 2 \"C\"\n.tag 3 3 \"D\"\n\
.template 0 1 \"T\"\n.template 1 2 \"U\"\n.entry 0 0 r\n.entry 1 0 r\nr: -> end";
const MAX_ROWS: u32 = 3_000;

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let program = match choices.below(3) {
        0 => {
            let length = usize::from(choices.byte()) | usize::from(choices.byte()) << 8;
            let length = length.min(choices.0.len());
            let (head, rest) = choices.0.split_at(length);
            choices.0 = rest;
            Program::from_bytes(&sealed(head)).ok()
        }
        1 => compile(choices.set(), &CompileOptions::default()).ok(),
        _ => Some(rows(&mut choices)),
    };
    let Some(mut program) = program else { return };
    program.settings.max_rows = program.settings.max_rows.min(MAX_ROWS);
    program.settings.max_elements = program.settings.max_elements.min(100);
    assert_eq!(Program::from_bytes(&program.to_bytes()).as_ref(), Ok(&program));
    if program.rows.len() < 64 {
        assert_eq!(assemble(&listing(&program)).as_ref(), Ok(&program));
    }
    for fast in [true, false] {
        let options = EngineOptions { precalculate: fast, wide: fast };
        packets(&program, options, choices.0);
    }
}

/// A program's bytes with the length and checksum that they should have.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < 16 {
        return bytes;
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    if let Err(FormatError::Checksum { found, .. }) = Program::from_bytes(&bytes) {
        bytes[12..16].copy_from_slice(&found.to_le_bytes());
    }
    bytes
}

/// Each packet begins with a byte that says how long it is.
fn packets(program: &Program, options: EngineOptions, mut bytes: &[u8]) {
    let Ok(mut engine) = Engine::new(program.clone(), options) else { return };
    while let Some((length, rest)) = bytes.split_first() {
        let (packet, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        bytes = rest;
        let mut records = Vec::new();
        if length % 2 == 0 {
            engine.reset();
        }
        let reports = engine.packet(packet, &mut records);
        assert!(reports.len() <= packet.len() + 1);
        assert!(records.windows(2).all(|pair| pair[0].cycle <= pair[1].cycle));
        for report in &reports {
            assert!(report.status != Status::Complete || report.length > 0);
        }
    }
    let counters = engine.counters();
    assert!(counters.rows <= u64::from(MAX_ROWS) * counters.messages);
}

fn slot(choices: &mut Choices<'_>) -> Slot {
    let kind = Kind::ALL[choices.below(Kind::ALL.len())];
    if kind == Kind::Nop {
        return Slot::NOP;
    }
    let operator = Operator::ALL[choices.below(Operator::ALL.len())];
    let optional = choices.below(2) == 0 && kind != Kind::Mantissa;
    let mut slot = Slot { operator, optional, ..Slot::plain(kind, choices.below(4) as u16) };
    if matches!(operator, Operator::Default | Operator::Copy | Operator::Increment)
        || operator == Operator::Constant && optional
    {
        slot.presence = Presence::ALL[1 + choices.below(3)];
    }
    if slot.uses_dictionary() {
        slot.entry = choices.below(3) as u8;
    }
    let is_text = matches!(kind, Kind::Ascii | Kind::Unicode | Kind::Bytes);
    if operator == Operator::Constant || operator != Operator::None && choices.below(3) > 0 {
        slot.initial = if is_text { 3 } else { 1 + u8::from(kind == Kind::Decimal) };
    }
    slot
}

/// Random rows that keep the rules.
fn rows(choices: &mut Choices<'_>) -> Program {
    let mut program = assemble(HEAD).expect("the head is a program");
    for lane in 0..LANES {
        program.constants[lane] = vec![
            saker_fast::microcode::Constant::Number(choices.number()),
            saker_fast::microcode::Constant::Decimal { mantissa: 7, exponent: -2 },
            saker_fast::microcode::Constant::Text(b"text".to_vec()),
        ];
    }
    program.rows.clear();
    let count = 2 + choices.below(12);
    while program.rows.len() < count {
        let mut row = Row::EMPTY;
        for lane in 0..LANES {
            row.slots[lane] = slot(choices);
        }
        row.control = Control::ALL[choices.below(Control::ALL.len())];
        row.push = choices.below(4) == 0;
        row.pop = choices.below(6) == 0;
        if matches!(row.control, Control::Jump | Control::Sequence | Control::Group | Control::Call)
        {
            row.target = choices.below(count) as u16;
        }
        program.rows.push(kept(&program, row, count));
    }
    program.rows.push(Row { control: Control::End, ..Row::EMPTY });
    program.entries[1].row = choices.below(count) as u16;
    program.check().expect("every row keeps the rules");
    program
}

/// A row without the last slots that break a rule, an empty one at worst.
fn kept(program: &Program, mut row: Row, count: usize) -> Row {
    for lane in (0..=LANES).rev() {
        let mut trial = program.clone();
        trial.rows.push(row);
        let end = Row { control: Control::End, ..Row::EMPTY };
        trial.rows.resize(count.max(trial.rows.len()) + 1, end);
        if trial.check().is_ok() {
            return row;
        }
        if lane > 0 {
            row.slots[lane - 1] = Slot::NOP;
        }
    }
    Row { slots: [Slot::NOP; LANES], control: Control::Next, target: 0, ..row }
}

//! Programs from outside: texts and bytes.

#![allow(clippy::unwrap_used)]

mod common;

use common::generate::Random;
use common::template;
use proptest::prelude::*;
use saker_fast::microcode::{
    AsmErrorKind, CompileOptions, Control, Engine, EngineOptions, FormatError, Kind, LANES,
    Operator, Presence, Program, Row, Slot, Status, assemble, compile, listing,
};

const SMALL: &str = r#"<uInt32 name="Number" id="34"/>
    <string name="Symbol" id="55" presence="optional"><copy value="A\"/></string>
    <sequence name="Entries"><length name="NoEntries" id="268"/>
        <decimal name="Price" id="270"><exponent><copy value="-2"/></exponent><mantissa><delta/></mantissa></decimal>
        <uInt64 name="Size" id="271"/>
    </sequence>
    <group name="Extra" presence="optional"><int32 name="Code" id="9"/></group>"#;

const SMALL_LISTING: &str = r#".set strict=yes reset=never preamble=0
.set max_text=65536 max_elements=65536 max_rows=1048576
.dictionary 1 2 0 0
.constant 0 1 number 18446744073709551614
.constant 1 1 bytes "A\\"
.tag 0 34 "Number"
.tag 1 55 "Symbol"
.tag 2 270 "Price"
.tag 3 271 "Size"
.tag 4 268 "Entries"
.tag 5 9 "Code"
.tag 6 - "Extra"
.template 0 1 "T"
.entry 0 0 r0
r0:     u32 @0 | ascii? @1 copy bit d0 k1 | len @4 -> seq r2                     ; Number, Symbol, Entries
        push exp @2 copy bit d0 k1 | man @2 delta d1 | u64 @3 pop -> loop        ; Price, Price, Size
r2:     -> test r4
        group @6 | i32 @5 | endgroup @6                                          ; Extra, Code, Extra
r4:     -> end
"#;

fn program(instructions: &str) -> Program {
    compile(&template(instructions), &CompileOptions::default()).unwrap()
}

#[test]
fn the_listing_of_a_small_template() {
    let program = program(SMALL);
    assert_eq!(listing(&program), SMALL_LISTING);
    assert_eq!(assemble(SMALL_LISTING), Ok(program));
}

fn refused(text: &str) -> (usize, usize, AsmErrorKind) {
    let error = assemble(text).unwrap_err();
    (error.line, error.column, error.kind)
}

#[test]
fn errors_of_the_assembler_have_a_place() {
    let expected = |text: &str, line: usize, column: usize, what: &str, thing: &str| {
        let (at_line, at_column, kind) = refused(text);
        let AsmErrorKind::Expected { expected, found } = kind else { panic!("{kind}") };
        assert_eq!((at_line, at_column, expected, &*found), (line, column, what, thing), "{text}");
    };
    expected("x: frob @1", 1, 4, "a field operation", "frob");
    expected("\n  u32 1", 2, 7, "`@` and a tag", "1");
    expected("u32 @", 1, 6, "a tag", "the end of the line");
    expected("u32 @0 copi", 1, 8, "an operator, a presence, dN or kN", "copi");
    expected("u32 @0 -> stop", 1, 11, "a control", "stop");
    expected("u32 @0 -> end 5", 1, 15, "the end of the line", "5");
    expected(".tag 0 1 Name", 1, 10, "a string", "Name");
    expected(".tag 0 1 \"Name", 1, 10, "a string that ends in the line", "a string without end");
    expected(".color 1", 1, 1, "a directive", ".color");
    expected(".set color=1", 1, 6, "a setting", "color");
    expected("u32 @0 ~", 1, 8, "a word, a mark or a string", "~");
    expected(".segment 0 c a", 1, 12, "a presence map in hexadecimal digits", "c");
    let range = |text: &str, column| {
        let (_, at, kind) = refused(text);
        assert!(matches!(kind, AsmErrorKind::Range(_)), "{kind}");
        assert_eq!(at, column, "{text}");
    };
    range(".constant 4 1 number 0", 13);
    range(".constant 0 1 decimal 99999999999999999999 0", 23);
    range(".tag 0 4294967296 \"A\"", 8);
    assert!(matches!(refused("-> jump a").2, AsmErrorKind::UnknownLabel(label) if label == "a"));
    assert!(matches!(refused("a: a:").2, AsmErrorKind::DuplicateLabel(_)));
    let five = "nop | nop | nop | nop | nop";
    assert_eq!(refused(five), (1, 25, AsmErrorKind::TooManySlots));
    let order = AsmErrorKind::Order { expected: 0, found: 1 };
    assert_eq!(refused(".tag 1 1 \"A\""), (1, 6, order));
}

/// The rule that a row breaks, with one tag, one dictionary entry and one number in each lane.
fn rule(row: &str) -> String {
    let head = ".dictionary 1 1 1 1\n.tag 0 1 \"A\"\n.constant 0 1 number 1\n";
    let error = assemble(&format!("{head}{row}\n-> end")).unwrap_err();
    assert_eq!(error.line, 4, "{row}: {error}");
    error.kind.to_string()
}

#[test]
fn rows_keep_the_rules() {
    for (row, text) in [
        ("push dec @0 | dec @0 | dec @0 | dec @0", "takes more than 8 entities"),
        ("dec? @0 | dec? @0 | dec? @0 | dec? @0", "more than three optional decimals"),
        ("man @0", "exp and man go together"),
        ("exp @0 | nop | man @0", "exp and man go together"),
        ("nop | nop | nop | exp @0", "exp and man go together"),
        ("text @0 | u32 @0", "must be the last slot"),
        ("len @0", "seq and len go together"),
        ("a: u32 @0 -> seq a", "seq and len go together"),
        ("u32 @1", "no such tag"),
        ("u32 @0 copy", "the operator decides on the bit"),
        ("u32 @0 bit", "the operator decides on the bit"),
        ("u32 @0 copy bit d1", "no such dictionary entry in the lane"),
        ("u32 @0 default bit k2", "no such constant in the lane"),
        ("ascii @0 default bit k1", "the constant is of another type"),
        ("u32 @0 const", "a constant needs its value"),
        ("u32 @0 k1", "an initial value without operator"),
        ("ascii @0 delta d0", "the kind does not have the operator"),
        ("exp @0 | man? @0", "a mantissa is mandatory"),
    ] {
        assert!(rule(row).ends_with(text), "{row}: {}", rule(row));
    }
    assert!(assemble("nop").unwrap_err().kind.to_string().ends_with("no row follows"));
}

#[test]
fn bytes_that_are_no_program_are_refused() {
    let bytes = program(SMALL).to_bytes();
    for end in 0..bytes.len() {
        assert!(Program::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
    // Byte 4 is the minor version, which may be any.
    for at in (0..bytes.len()).filter(|at| *at != 4) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Program::from_bytes(&damaged).is_err(), "{at}");
    }
    assert_eq!(Program::from_bytes(b"SKFN"), Err(FormatError::Magic));
    let mut newer = bytes.clone();
    newer[5] = 2;
    assert_eq!(Program::from_bytes(&newer), Err(FormatError::Version(0x0200)));
    let mut compatible = bytes.clone();
    compatible[4] = 7;
    assert!(Program::from_bytes(&compatible).is_ok());
}

/// A section of a type, appended with a right length and checksum.
fn with_section(bytes: &[u8], section: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.extend(section.to_le_bytes());
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    seal(bytes)
}

fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    let wrong = Program::from_bytes(&bytes);
    if let Err(FormatError::Checksum { found, .. }) = wrong {
        bytes[12..16].copy_from_slice(&found.to_le_bytes());
    }
    bytes
}

#[test]
fn later_versions_may_add_sections() {
    let program = program(SMALL);
    let bytes = program.to_bytes();
    let optional = with_section(&bytes, 1 << 31 | 77, b"anything");
    assert_eq!(Program::from_bytes(&optional), Ok(program));
    let needed = Program::from_bytes(&with_section(&bytes, 77, b"anything"));
    assert!(matches!(needed, Err(FormatError::Section { section: 77, .. })), "{needed:?}");
}

fn random_slot(random: &mut Random) -> Slot {
    let kinds = Kind::ALL;
    let kind = kinds[random.below(kinds.len() as u64) as usize];
    if kind == Kind::Nop {
        return Slot::NOP;
    }
    let operator = Operator::ALL[random.below(Operator::ALL.len() as u64) as usize];
    let optional = random.below(2) == 0 && kind != Kind::Mantissa;
    let mut slot = Slot { operator, optional, ..Slot::plain(kind, random.below(4) as u16) };
    if matches!(operator, Operator::Default | Operator::Copy | Operator::Increment)
        || operator == Operator::Constant && optional
    {
        slot.presence = Presence::ALL[1 + random.below(3) as usize];
    }
    if slot.uses_dictionary() {
        slot.entry = random.below(3) as u8;
    }
    let is_text = matches!(kind, Kind::Ascii | Kind::Unicode | Kind::Bytes);
    if operator != Operator::None && random.below(3) > 0 || operator == Operator::Constant {
        slot.initial = if is_text { 3 } else { 1 + u8::from(kind == Kind::Decimal) };
    }
    slot
}

/// A program of random rows that keeps the rules.
fn random_program(seed: u64) -> Program {
    let mut random = Random(seed);
    let mut program =
        assemble(".dictionary 3 3 3 3\n.tag 0 - \"A\"\n.tag 1 1 \"B\"\n.tag 2 2 \"C\"\n.tag 3 3 \"D\"\n.template 0 1 \"T\"\n.template 1 2 \"U\"\n.entry 0 0 r\n.entry 1 0 r\nr: -> end")
            .unwrap();
    for lane in 0..LANES {
        program.constants[lane] = vec![
            saker_fast::microcode::Constant::Number(random.next() >> random.below(64)),
            saker_fast::microcode::Constant::Decimal { mantissa: 7, exponent: -2 },
            saker_fast::microcode::Constant::Text(b"text".to_vec()),
        ];
    }
    program.settings.max_rows = 3_000;
    program.settings.max_elements = 100;
    program.rows.clear();
    let count = 2 + random.below(12) as usize;
    while program.rows.len() < count {
        let mut row = Row::EMPTY;
        for lane in 0..LANES {
            row.slots[lane] = random_slot(&mut random);
        }
        row.control = Control::ALL[random.below(Control::ALL.len() as u64) as usize];
        row.push = random.below(4) == 0;
        row.pop = random.below(6) == 0;
        if matches!(row.control, Control::Jump | Control::Sequence | Control::Group | Control::Call)
        {
            row.target = random.below(count as u64) as u16;
        }
        // Clear slots from the last until the row keeps the rules.
        for lane in (0..=LANES).rev() {
            let mut trial = program.clone();
            trial.rows.push(row);
            trial.rows.resize(
                count.max(trial.rows.len()) + 1,
                Row { control: Control::End, ..Row::EMPTY },
            );
            if trial.check().is_ok() {
                program.rows.push(row);
                break;
            }
            if lane > 0 {
                row.slots[lane - 1] = Slot::NOP;
            } else {
                row.control = Control::Next;
                row.target = 0;
                program.rows.push(Row { slots: [Slot::NOP; LANES], ..row });
            }
        }
    }
    program.rows.push(Row { control: Control::End, ..Row::EMPTY });
    program.entries[1].row = random.below(count as u64) as u16;
    program.check().unwrap();
    program
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_program_ends_for_any_bytes(
        seed: u64,
        packets in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 1..8),
    ) {
        let program = random_program(seed);
        prop_assert_eq!(Program::from_bytes(&program.to_bytes()), Ok(program.clone()));
        prop_assert_eq!(assemble(&listing(&program)), Ok(program.clone()));
        for options in [
            EngineOptions { precalculate: true, wide: true },
            EngineOptions { precalculate: false, wide: false },
        ] {
            let mut engine = Engine::new(program.clone(), options).unwrap();
            for packet in &packets {
                let mut records = Vec::new();
                engine.reset();
                let packet = [&[0xc0, 0x81][..], packet].concat();
                let reports = engine.packet(&packet, &mut records);
                prop_assert!(reports.len() <= packet.len());
                let mut cycle = 0;
                for record in &records {
                    prop_assert!(record.cycle >= cycle, "records are in order");
                    cycle = record.cycle;
                }
                prop_assert!(engine.counters().cycles > cycle);
                for report in &reports {
                    prop_assert!(report.status != Status::Complete || report.length > 0);
                }
            }
            let counters = engine.counters();
            prop_assert!(counters.rows <= 3_000 * counters.messages);
        }
    }

    #[test]
    fn any_bytes_are_a_program_or_refused(
        at in 16usize..400,
        value: u8,
        more in proptest::collection::vec(any::<u8>(), 0..40),
        section in 0u32..10,
    ) {
        let mut bytes = program(SMALL).to_bytes();
        let index = at % bytes.len();
        bytes[index.max(16)] = value;
        for bytes in [seal(bytes.clone()), with_section(&bytes, section, &more), more] {
            if let Ok(program) = Program::from_bytes(&bytes) {
                prop_assert_eq!(Program::from_bytes(&program.to_bytes()), Ok(program.clone()));
                let mut engine = Engine::new(program, EngineOptions::default()).unwrap();
                engine.packet(&[0xe0, 0x81, 0x85, 0xc1, 0x82, 0xc0, 0x81], &mut Vec::new());
            }
        }
    }

    #[test]
    fn any_text_is_a_program_or_refused(
        at in 0usize..900,
        insert in "[a-z0-9@|?:=>.\"\\\\ -]{0,6}",
        other in ".{0,60}",
    ) {
        let _ = assemble(&other);
        let mut text = SMALL_LISTING.to_owned();
        let at = at.min(text.len());
        text.insert_str(at, &insert);
        if let Ok(program) = assemble(&text) {
            prop_assert_eq!(assemble(&listing(&program)), Ok(program));
        }
    }
}

#[test]
fn the_templates_of_the_feed_fit_the_engine() {
    let xml = include_str!("../../feed/templates/saker.xml");
    let templates = saker_fast::Templates::from_xml(xml).unwrap();
    let program = compile(&templates, &CompileOptions::default()).unwrap();
    assert!(listing(&program).contains(".template 1 2 \"IncrementalRefresh\""));
    // An entry that is a message is two full rows without a branch: its way through the trader in logic.
    let at = program.templates.iter().position(|one| one.name == "IncrementalEntry").unwrap();
    let entry = program.entries.iter().find(|one| usize::from(one.template) == at).unwrap();
    let rows = &program.rows[usize::from(entry.row)..][..2];
    assert!(rows.iter().flat_map(|row| row.slots).all(|slot| slot != Slot::NOP));
    assert_eq!([rows[0].control, rows[1].control], [Control::Next, Control::End]);
    assert!(!program.rows.iter().flat_map(|row| row.slots).any(|slot| slot.kind == Kind::Trap));
}

//! Programs as the writes that load them: what the memories then hold is the program again, and a
//! program that does not fit is refused.

mod common;

use std::collections::BTreeMap;

use common::generate::Generator;
use saker_fast::microcode::image::{
    CONSTANTS, CONTROL, FLAGS, ROLES, ROWS, SCOPES, SEGMENTS, TEMPLATES, Write,
};
use saker_fast::microcode::{
    CompileOptions, Constant, Control, EntryPoint, ImageError, ImageLimits, Kind, Operator,
    Presence, Program, Row, Settings, Slot, Tag, TemplateInfo, assemble, compile, image, image_for,
    roles,
};
use saker_fast::{ResetPolicy, Templates};

/// Logic that holds every program.
const LARGEST: ImageLimits = ImageLimits { rows: 1 << 12, tags: 1 << 14 };

/// What the logic keeps: words by address.
struct Memory(BTreeMap<u32, u32>);

impl Memory {
    fn of(writes: Vec<Write>) -> Self {
        assert_eq!(writes[0], (CONTROL, 0), "the engine is disabled first");
        assert!(writes[1..].iter().all(|(address, _)| *address != CONTROL));
        // The last word of an element comes last: it writes the element.
        let mut last = None;
        for (address, _) in &writes {
            assert!(last < Some(*address), "addresses rise");
            last = Some(*address);
        }
        Self(writes.into_iter().collect())
    }

    fn word(&self, address: u32) -> u32 {
        *self.0.get(&address).unwrap_or_else(|| panic!("{address:#x} is not written"))
    }

    fn words<const N: usize>(&self, address: u32) -> [u32; N] {
        std::array::from_fn(|n| self.word(address + n as u32))
    }

    fn row(&self, index: usize) -> (Row, [u32; 7]) {
        let words: [u32; 7] = self.words(ROWS + 8 * index as u32);
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(24);
        // Bits 18 to 31 of the control word are the loader's.
        bytes[2] &= 3;
        bytes[3] = 0;
        (Row::decode(&bytes.try_into().expect("24 bytes")).expect("a row"), words)
    }

    fn constant(&self, lane: usize, number: usize, like: &Constant) -> Constant {
        let words: [u32; 5] = self.words(CONSTANTS + (lane << 11 | number << 3) as u32);
        let value = (0..4).rev().fold(0u128, |value, n| value << 32 | u128::from(words[n]));
        match like {
            Constant::Number(_) => Constant::Number(value as u64),
            Constant::Decimal { .. } => Constant::Decimal {
                mantissa: value as i64,
                exponent: (words[4] as u8).cast_signed(),
            },
            Constant::Text(_) => {
                Constant::Text(value.to_be_bytes()[16 - words[4] as usize..].to_vec())
            }
        }
    }

    /// The template table as the logic searches it: index, row if there is an entry, flags.
    fn find(&self, id: u32) -> Option<(u32, Option<u32>, u32)> {
        let set: [u32; 8] = self.words(TEMPLATES + 8 * (id & 0xff));
        let mut hits = set.chunks(2).filter(|way| way[1] & 1 != 0 && way[0] == id);
        let info = hits.next()?[1];
        assert!(hits.next().is_none());
        Some((info >> 4 & 0xfff, (info >> 3 & 1 != 0).then_some(info >> 16 & 0xfff), info & 7))
    }

    fn find_scoped(&self, id: u32, scope: u32) -> Option<u32> {
        let set: [u32; 8] = self.words(SCOPES + 8 * ((id ^ scope) & 0xff));
        let hit = |way: &&[u32]| way[1] & 1 != 0 && way[0] == id && way[1] >> 13 & 0xfff == scope;
        set.chunks(2).find(hit).map(|way| way[1] >> 1 & 0xfff)
    }
}

/// The memories hold the program.
fn check(program: &Program) {
    let memory = Memory::of(image_for(program, LARGEST).expect("an image"));
    for (index, row) in program.rows.iter().enumerate() {
        let (read, words) = memory.row(index);
        assert_eq!(read, *row);
        check_shape(program, row, words);
    }
    for (lane, constants) in program.constants.iter().enumerate() {
        for (number, constant) in constants.iter().enumerate() {
            assert_eq!(memory.constant(lane, number + 1, constant), *constant);
        }
    }
    for (index, template) in program.templates.iter().enumerate() {
        let (found, row, flags) = memory.find(template.id).expect("a template");
        assert_eq!(found as usize, index);
        let entry = |scope| {
            let same = |e: &&EntryPoint| usize::from(e.template) == index && e.scope == scope;
            program.entries.iter().find(same).map(|entry| u32::from(entry.row))
        };
        assert_eq!(row, entry(0));
        assert_eq!(flags >> 1 & 1 != 0, template.reset);
        let segments = program.segments.iter().filter(|one| usize::from(one.template) == index);
        assert_eq!(flags >> 2 & 1 != 0, segments.count() > 0);
        for scope in 1..8 {
            assert_eq!(memory.find_scoped(template.id, scope.into()), entry(scope));
        }
    }
    for number in 0..16 {
        let words: [u32; 5] = memory.words(SEGMENTS + 8 * number as u32);
        let Some(segment) = program.segments.get(number) else {
            assert_eq!(words, [0; 5]);
            continue;
        };
        assert_eq!(words[0], program.templates[usize::from(segment.template)].id);
        let bytes: Vec<u8> = words[1..4].iter().flat_map(|word| word.to_le_bytes()).collect();
        let length = (words[4] >> 1 & 15) as usize;
        let map: Vec<u8> = bytes[..length].iter().rev().copied().collect();
        assert_eq!((map, words[4] >> 16), (segment.pmap.clone(), segment.row.into()));
        assert!(bytes[length..].iter().all(|byte| *byte == 0));
    }
    let flags = memory.word(FLAGS);
    assert_eq!(flags & 1 != 0, program.settings.strict);
    assert_eq!(flags >> 8, program.settings.preamble.into());
    assert_eq!(memory.word(FLAGS + 1), program.settings.max_text);
    assert_eq!(memory.word(FLAGS + 2), program.settings.max_elements);
    assert_eq!(memory.word(FLAGS + 3), program.settings.max_rows);
}

/// What the loader tells of a row is what the row says by itself.
fn check_shape(program: &Program, row: &Row, words: [u32; 7]) {
    let mut before = 0;
    for (lane, slot) in row.slots.iter().enumerate() {
        let shape = words[6] >> (6 * lane) & 63;
        let tested = slot.presence == Presence::Bit;
        let takes = match shape & 3 {
            3 => 2,
            takes => takes,
        };
        assert_eq!(takes as usize, slot.max_entities());
        assert_eq!(shape & 3 == 3, slot.kind == Kind::Decimal && slot.uncertain());
        assert_eq!(shape >> 2 & 3, before, "bits before");
        assert_eq!(shape >> 4 & 1 != 0, tested);
        let behind = lane > 0 && row.slots[lane - 1].kind == Kind::Exponent;
        assert_eq!(shape >> 5 != 0, behind && row.slots[lane - 1].optional);
        let long =
            matches!(program.constant(lane, slot.initial), Some(Constant::Text(t)) if t.len() > 8);
        assert_eq!(words[0] >> (27 + lane) & 1 != 0, long);
        before += u32::from(tested);
    }
    assert_eq!(words[0] >> 18 & 7, before + u32::from(row.control == Control::Group));
    assert_eq!(words[0] >> 21 & 1 != 0, row.is_conditional());
    assert_eq!(words[0] >> 22 & 1 != 0, row.bits_depend());
    assert_eq!(words[0] >> 23 & 1 != 0, row.waits());
    let last = row.used().last().copied().unwrap_or(Slot::NOP);
    assert_eq!(words[0] >> 24 & 1 != 0, last.kind == Kind::Text);
    assert_eq!(words[0] >> 25 & 1 != 0, matches!(last.kind, Kind::Unicode | Kind::Bytes));
    let operated = last.kind == Kind::Length && last.operator != Operator::None;
    assert_eq!(words[0] >> 26 & 1 != 0, operated);
    assert_eq!(words[0] >> 31, 0);
    assert_eq!(words[6] >> 24, 0);
}

const EVERYTHING: &str = r#"
.set strict=no reset=packet preamble=9 max_text=1000 max_elements=2000 max_rows=3000
.dictionary 2 1 1 1
.constant 0 1 decimal -5 -2
.constant 0 2 number 18446744073709551615
.constant 1 1 bytes "sixteen bytes do"
.constant 2 1 bytes "a"
.tag 0 - "Decimal"
.tag 1 55 "Symbol"
.tag 2 - "Bytes"
.tag 3 - "Length"
.template 0 5 "One" reset
.template 1 261 "Two"
.template 2 4294967295 "Three"
.entry 0 0 one
.entry 1 0 two
.entry 1 3 three
.entry 2 2 three
.segment 1 400180 two
.segment 0 c0 three
one:   dec? @0 | ascii @1 default bit k1 | bytes @2 default bit k1
       exp? @0 copy bit d0 | man @0 | nop | text @1
       u64 @0 copy bit d1 k2 | u32? @2 -> test two
       len @3 default bit -> seq two
       u32 @0 -> loop
two:   push dec @0 default bit k1 | u32 @1 pop
       group @0 | endgroup @0
three: u32 @0 -> end
"#;

#[test]
fn the_memories_hold_the_program() {
    check(&assemble(EVERYTHING).expect("a program"));
    let program = assemble(EVERYTHING).expect("a program");
    let memory = Memory::of(image(&program).expect("an image"));
    assert_eq!(memory.word(FLAGS), 1 << 1 | 1 << 3 | 9 << 8, "packet, vectors, preamble");
    // The first row by hand: takes 3, 1, 1; the second and third are tested.
    assert_eq!(memory.row(0).1[6], 3 | (1 | 1 << 4) << 6 | (1 | 1 << 2 | 1 << 4) << 12 | 2 << 20);
    assert_eq!(memory.row(0).1[0] >> 18, 2 | 1 << 3 | 1 << 7 | 2 << 9);
}

#[test]
fn compiled_templates_fit() {
    let mut compiled = 0;
    for seed in 0..60 {
        let xml = Generator::new(seed).definition();
        let templates = Templates::from_xml(&xml).expect("a valid definition");
        let settings = Settings { reset: ResetPolicy::Message, ..Settings::default() };
        let options = CompileOptions { settings, ..CompileOptions::default() };
        let Ok(program) = compile(&templates, &options) else { continue };
        check(&program);
        compiled += 1;
    }
    assert!(compiled > 20, "{compiled}");
}

#[test]
fn roles_have_addresses() {
    let program = assemble(EVERYTHING).expect("a program");
    let writes = roles(&program, |tag| [8, 2, 0, 31][tag]).expect("roles");
    assert_eq!(writes, [(ROLES, 8), (ROLES + 1, 2), (ROLES + 2, 0), (ROLES + 3, 31)]);
    let error = roles(&program, |tag| 30 + tag as u8).expect_err("a role of 6 bits");
    assert_eq!(error, ImageError::Role { tag: 2, role: 32 });
}

fn rows(count: usize) -> Program {
    let mut rows = vec![Row::EMPTY; count];
    rows[count - 1].control = Control::End;
    Program { rows, ..Program::default() }
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(image(&rows(512)).is_ok());
    let error = image(&rows(513)).expect_err("too many rows");
    assert_eq!(error, ImageError::TooMany { what: "rows", count: 513, limit: 512 });
    assert!(image_for(&rows(513), ImageLimits { rows: 4096, ..ImageLimits::default() }).is_ok());
    let tags = vec![Tag::default(); 1025];
    let error = image(&Program { tags: tags.clone(), ..rows(1) }).expect_err("too many tags");
    assert_eq!(error, ImageError::TooMany { what: "tags", count: 1025, limit: 1024 });
    assert!(roles(&Program { tags, ..rows(1) }, |_| 0).is_err());
    // A rule of programs.
    let broken = Program { rows: vec![Row::EMPTY], ..Program::default() };
    assert!(matches!(image(&broken), Err(ImageError::Program(_))));
    // Five entries whose identifier and scope fall into one set.
    let mut program = rows(1);
    for n in 0..5u16 {
        program.templates.push(TemplateInfo { id: n.into(), ..TemplateInfo::default() });
        program.entries.push(EntryPoint { template: n, scope: n ^ 0x10, row: 0 });
    }
    assert_eq!(image(&program), Err(ImageError::Set { index: 4 }));
    program.entries.pop();
    assert!(image(&program).is_ok());
}

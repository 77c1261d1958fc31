//! A program as the writes that load it into the logic (MICROCODE.md §9).
//!
//! [`image`] works out what the logic wants to know of a row beforehand, lays the tables out as its
//! memories have them, and refuses a program that does not fit.

use super::isa::{Control, Kind, LANES, Operator, Presence, Row, Slot};
use super::program::{Constant, Program, ProgramError, TEXT_BYTES};
use crate::decode::ResetPolicy;

/// Where a write goes: the address of a word of 32 bits, and its value.
pub type Write = (u32, u32);

/// The address of the control word; bit 0 enables the engine.
pub const CONTROL: u32 = 0;
/// The address of the flags; the three limits follow.
pub const FLAGS: u32 = 1;
/// The region of the instruction memory: eight words for a row.
pub const ROWS: u32 = 1 << 16;
/// The region of the constants: 2048 words for a lane, eight for a constant.
pub const CONSTANTS: u32 = 2 << 16;
/// The region of the roles: a word for a tag.
pub const ROLES: u32 = 3 << 16;
/// The region of the template table: eight words for a set.
pub const TEMPLATES: u32 = 4 << 16;
/// The region of the entries with a scope: eight words for a set.
pub const SCOPES: u32 = 5 << 16;
/// The region of the segments: eight words for one.
pub const SEGMENTS: u32 = 6 << 16;
/// Sets of the template table and of the entries with a scope.
pub const SETS: u32 = 256;
/// Templates, or entries, of a set.
pub const WAYS: usize = 4;
/// Segments that the logic compares.
pub const SEGMENTS_HELD: usize = 16;
/// The largest role.
pub const MAX_ROLE: u8 = 31;

/// How large the logic's memories are: the parameters it was built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLimits {
    /// Rows of the instruction memory (`ROWS`).
    pub rows: usize,
    /// Tags of the memory of roles (`TAGS`).
    pub tags: usize,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self { rows: 512, tags: 1024 }
    }
}

/// A program that the logic does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It breaks a rule of programs.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A memory is too small.
    #[error("{what}: {count} are more than the logic's {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many fit.
        limit: usize,
    },
    /// Five entries with a scope fall into one set.
    #[error("entry {index}: four others have the same low 8 bits of identifier xor scope")]
    Set {
        /// The fifth entry.
        index: usize,
    },
    /// A role does not fit.
    #[error("tag {tag}: the role {role} is above {MAX_ROLE}")]
    Role {
        /// The tag.
        tag: usize,
        /// Its role.
        role: u8,
    },
}

/// The writes that load a program into logic of the default size. The engine is disabled by the
/// first one and stays so; roles are separate ([`roles`]).
///
/// # Errors
/// If the program breaks a rule or does not fit.
pub fn image(program: &Program) -> Result<Vec<Write>, ImageError> {
    image_for(program, ImageLimits::default())
}

/// As [`image`], for logic of another size.
///
/// # Errors
/// If the program breaks a rule or does not fit.
pub fn image_for(program: &Program, limits: ImageLimits) -> Result<Vec<Write>, ImageError> {
    program.check()?;
    fits("rows", program.rows.len(), limits.rows)?;
    fits("tags", program.tags.len(), limits.tags)?;
    let mut writes = vec![(CONTROL, 0)];
    settings(program, &mut writes);
    for (at, row) in (ROWS..).step_by(8).zip(&program.rows) {
        writes.extend((at..).zip(row_words(program, row)));
    }
    for (lane, constants) in (0..).zip(&program.constants) {
        // Number 1 is the first.
        let first = CONSTANTS + (lane << 11) + 8;
        for (at, constant) in (first..).step_by(8).zip(constants) {
            writes.extend((at..).zip(constant_words(constant)));
        }
    }
    template_sets(program, &mut writes);
    scope_sets(program, &mut writes)?;
    segments(program, &mut writes);
    Ok(writes)
}

/// The writes that give each tag its role, 0 to [`MAX_ROLE`], in logic of the default size.
///
/// # Errors
/// If a role is larger, or there are too many tags.
pub fn roles(program: &Program, role: impl Fn(usize) -> u8) -> Result<Vec<Write>, ImageError> {
    roles_for(program, ImageLimits::default(), role)
}

/// As [`roles`], for logic of another size.
///
/// # Errors
/// If a role is larger, or there are too many tags.
pub fn roles_for(
    program: &Program,
    limits: ImageLimits,
    role: impl Fn(usize) -> u8,
) -> Result<Vec<Write>, ImageError> {
    fits("tags", program.tags.len(), limits.tags)?;
    let write = |(at, tag): (u32, usize)| match role(tag) {
        role if role > MAX_ROLE => Err(ImageError::Role { tag, role }),
        role => Ok((at, role.into())),
    };
    (ROLES..).zip(0..program.tags.len()).map(write).collect()
}

fn fits(what: &'static str, count: usize, limit: usize) -> Result<(), ImageError> {
    if count > limit { Err(ImageError::TooMany { what, count, limit }) } else { Ok(()) }
}

fn settings(program: &Program, writes: &mut Vec<Write>) {
    let settings = &program.settings;
    let policy: u32 = match settings.reset {
        ResetPolicy::Never => 0,
        ResetPolicy::Packet => 1,
        ResetPolicy::Message => 2,
    };
    let is_vector = |slot: &Slot| matches!(slot.kind, Kind::Unicode | Kind::Bytes);
    let vectors = program.rows.iter().flat_map(|row| &row.slots).any(is_vector);
    let flags = u32::from(settings.strict)
        | policy << 1
        | u32::from(vectors) << 3
        | u32::from(settings.preamble) << 8;
    let limits = [settings.max_text, settings.max_elements, settings.max_rows];
    writes.push((FLAGS, flags));
    writes.extend((FLAGS + 1..).zip(limits));
}

/// The seven words of a row.
fn row_words(program: &Program, row: &Row) -> [u32; 7] {
    let mut words = [0; 7];
    for (word, bytes) in words.iter_mut().zip(row.encode().chunks_exact(4)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    let tested = |slot: &Slot| slot.presence == Presence::Bit;
    let bits = row.slots.iter().filter(|slot| tested(slot)).count()
        + usize::from(row.control == Control::Group);
    let last = row.used().last();
    let is_last = |kinds: &[Kind]| last.is_some_and(|slot| kinds.contains(&slot.kind));
    words[0] |= (bits as u32) << 18
        | u32::from(row.is_conditional()) << 21
        | u32::from(row.bits_depend()) << 22
        | u32::from(row.waits()) << 23
        | u32::from(is_last(&[Kind::Text])) << 24
        | u32::from(is_last(&[Kind::Unicode, Kind::Bytes])) << 25
        | u32::from(
            is_last(&[Kind::Length]) && last.is_some_and(|slot| slot.operator != Operator::None),
        ) << 26;
    let mut before = 0;
    for lane in 0..LANES {
        let slot = &row.slots[lane];
        let long = matches!(program.constant(lane, slot.initial),
            Some(Constant::Text(text)) if text.len() > 8);
        words[0] |= u32::from(long) << (27 + lane);
        let takes = match slot.max_entities() {
            2 if slot.uncertain() => 3,
            most => most as u32,
        };
        let skip = slot.kind == Kind::Mantissa && lane > 0 && row.slots[lane - 1].optional;
        let shape = takes | before << 2 | u32::from(tested(slot)) << 4 | u32::from(skip) << 5;
        before += u32::from(tested(slot));
        words[6] |= shape << (6 * lane);
    }
    words
}

/// The five words of a constant: bytes right-aligned, then the exponent or length.
fn constant_words(constant: &Constant) -> [u32; 5] {
    let (value, size) = match constant {
        Constant::Number(bits) => (u128::from(*bits), 0),
        Constant::Decimal { mantissa, exponent } => {
            (u128::from(mantissa.cast_unsigned()), exponent.cast_unsigned())
        }
        Constant::Text(text) => {
            let text = &text[..text.len().min(TEXT_BYTES)];
            (text.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte)), text.len() as u8)
        }
    };
    let word = |n: u32| (value >> (32 * n)) as u32;
    [word(0), word(1), word(2), word(3), size.into()]
}

/// All sets of the template table, so that nothing of a program before is left.
fn template_sets(program: &Program, writes: &mut Vec<Write>) {
    let mut sets = vec![Vec::with_capacity(WAYS); SETS as usize];
    for (index, template) in program.templates.iter().enumerate() {
        let entry = program
            .entries
            .iter()
            .find(|entry| usize::from(entry.template) == index && entry.scope == 0);
        let segmented = program.segments.iter().any(|one| usize::from(one.template) == index);
        let info = 1
            | u32::from(template.reset) << 1
            | u32::from(segmented) << 2
            | u32::from(entry.is_some()) << 3
            | (index as u32) << 4
            | entry.map_or(0, |entry| u32::from(entry.row)) << 16;
        // A checked program has at most four of a set.
        sets[(template.id % SETS) as usize].push([template.id, info]);
    }
    put_sets(TEMPLATES, &sets, writes);
}

/// All sets of entries with a scope.
fn scope_sets(program: &Program, writes: &mut Vec<Write>) -> Result<(), ImageError> {
    let mut sets = vec![Vec::with_capacity(WAYS); SETS as usize];
    for (index, entry) in program.entries.iter().enumerate().filter(|(_, one)| one.scope != 0) {
        let id = program.templates[usize::from(entry.template)].id;
        let scope = u32::from(entry.scope);
        let set = &mut sets[((id ^ scope) % SETS) as usize];
        if set.len() == WAYS {
            return Err(ImageError::Set { index });
        }
        set.push([id, 1 | u32::from(entry.row) << 1 | scope << 13]);
    }
    put_sets(SCOPES, &sets, writes);
    Ok(())
}

fn put_sets(region: u32, sets: &[Vec<[u32; 2]>], writes: &mut Vec<Write>) {
    for (at, set) in (region..).step_by(8).zip(sets) {
        let words = set.iter().copied().flatten().chain(std::iter::repeat(0));
        writes.extend((at..at + 8).zip(words));
    }
}

/// All segments.
fn segments(program: &Program, writes: &mut Vec<Write>) {
    for (number, at) in (SEGMENTS..).step_by(8).take(SEGMENTS_HELD).enumerate() {
        let mut words = [0; 5];
        if let Some(segment) = program.segments.get(number) {
            let map = segment.pmap.iter().fold(0, |map: u128, byte| map << 8 | u128::from(*byte));
            words = [
                program.templates[usize::from(segment.template)].id,
                map as u32,
                (map >> 32) as u32,
                (map >> 64) as u32,
                1 | (segment.pmap.len() as u32) << 1 | u32::from(segment.row) << 16,
            ];
        }
        writes.extend((at..).zip(words));
    }
}

//! The FAST engine's program, as it is loaded into the logic.

use saker_fast::microcode::image::{CONTROL, ImageError};
use saker_fast::microcode::{
    CompileError, CompileOptions, Constants, Kind, Program, Settings, TemplateInfo, compile, image,
    roles,
};
use saker_fast::model::Template;
use saker_fast::{FieldInfo, ResetPolicy, Templates};
use saker_feed::normalize::Class;

use crate::registers::{engine, templates};
use crate::setup::Write;

/// Bytes of a preamble that the engine can skip.
const MAX_PREAMBLE: usize = u8::MAX as usize;

/// The fields that the entry builder reads, by their numbers in FIX, in the order of their roles
/// (`feed_pkg::role_t`, from 1). SecurityID (48) in text is a symbol (55).
const READ: [u32; 10] = [48, 55, 336, 83, 279, 269, 278, 270, 271, 268];

/// Whether the engine tells of a field: not of a constant that nothing in logic reads.
pub fn tells(field: &FieldInfo) -> bool {
    !field.constant || Constants::Numbered(&READ).deliver(field.id)
}

/// The program of a feed's templates, for packets with `preamble` bytes in front.
///
/// # Errors
/// The templates do not fit the engine.
pub fn of_templates(
    set: &Templates,
    preamble: usize,
    reset: ResetPolicy,
) -> Result<Program, CompileError> {
    let settings =
        Settings { reset, preamble: preamble.min(MAX_PREAMBLE) as u8, ..Settings::default() };
    let constants = Constants::Numbered(&READ);
    compile(set, &CompileOptions { constants, settings, ..CompileOptions::default() })
}

/// The role of a field.
fn role(id: Option<u32>, is_text: bool) -> u8 {
    let id = if is_text && id == Some(48) { Some(55) } else { id };
    (1..).zip(READ).find(|(_, number)| Some(*number) == id).map_or(0, |(role, _)| role)
}

/// The role of every tag of a program, by tag.
pub fn roles_of(program: &Program) -> Vec<u8> {
    let mut texts = vec![false; program.tags.len()];
    for slot in program.rows.iter().flat_map(|row| &row.slots) {
        if matches!(slot.kind, Kind::Ascii | Kind::Text | Kind::Unicode | Kind::Bytes)
            && let Some(text) = texts.get_mut(usize::from(slot.tag))
        {
            *text = true;
        }
    }
    program.tags.iter().zip(texts).map(|(tag, is_text)| role(tag.id, is_text)).collect()
}

/// What the entry builder makes of a template's messages (`templates.class`).
fn class_of(template: &Template) -> u32 {
    match Class::of(template) {
        Class::Incremental => templates::CLASS_ENTRIES_MASK,
        Class::IncrementalEntry => templates::CLASS_ENTRY_MASK,
        _ => 0,
    }
}

/// The writes that load the program and its roles, and let the engine run as soon as it is switched
/// on. It must be off.
///
/// # Errors
/// The program does not fit the logic.
pub fn writes(program: &Program) -> Result<Vec<Write>, ImageError> {
    let known = roles_of(program);
    let roles = roles(program, |tag| known.get(tag).copied().unwrap_or(0))?;
    let mut writes = Vec::new();
    let mut next = None;
    for (address, data) in image(program)?.into_iter().chain(roles).chain([(CONTROL, 1)]) {
        // The address counts on by itself.
        if next != Some(address) {
            writes.push((engine::LOAD_ADDRESS, address));
        }
        writes.push((engine::LOAD_DATA, data));
        next = Some(address.wrapping_add(1));
    }
    Ok(writes)
}

/// The writes that tell the entry builder which templates are incremental refreshes, and of what form.
pub fn classes(program: &Program, set: &Templates) -> Vec<Write> {
    let numbered = (0u32..templates::CLASS_COUNT).zip(&program.templates);
    let write = |(number, known): (u32, &TemplateInfo)| {
        let mut all = set.all().iter();
        let template = all.find(|template| template.id.number == Some(known.id));
        let class = template.map_or(0, class_of);
        (templates::CLASS + number * templates::CLASS_STRIDE, class)
    };
    numbered.map(write).collect()
}

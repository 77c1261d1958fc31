//! The FAST engine's program, as it is loaded into the logic.

use saker_fast::microcode::image::{CONTROL, ImageError};
use saker_fast::microcode::{
    CompileError, CompileOptions, Kind, Program, Settings, TemplateInfo, compile, image, roles,
};
use saker_fast::model::{FieldOperator, Instruction, Operator, OwnedValue, Template};
use saker_fast::{ResetPolicy, Templates};

use crate::registers::{engine, templates};
use crate::setup::Write;

/// Bytes of a preamble that the engine can skip.
const MAX_PREAMBLE: usize = u8::MAX as usize;

/// The program of a feed's templates, constants delivered, for packets with `preamble` bytes in front.
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
    compile(set, &CompileOptions { constants: true, settings, ..CompileOptions::default() })
}

/// What a field means to the entry builder, `feed_pkg::role_t`.
fn role(id: Option<u32>, is_text: bool) -> u8 {
    match id {
        Some(48) if is_text => 2,
        Some(48) => 1,
        Some(55) => 2,
        Some(336) => 3,
        Some(83) => 4,
        Some(279) => 5,
        Some(269) => 6,
        Some(278) => 7,
        Some(270) => 8,
        Some(271) => 9,
        Some(268) => 10,
        _ => 0,
    }
}

/// The role of every tag of a program, by tag.
fn roles_of(program: &Program) -> Vec<u8> {
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

/// Whether a template is an incremental refresh: its constant MsgType (35) is X.
fn is_incremental(template: &Template) -> bool {
    template.instructions.iter().any(|instruction| match instruction {
        Instruction::Field(field) if field.id.number == Some(35) => match &field.operator {
            FieldOperator::Whole(Operator::Constant(OwnedValue::Ascii(text))) => text == b"X",
            FieldOperator::Whole(Operator::Constant(OwnedValue::Unicode(text))) => text == "X",
            _ => false,
        },
        _ => false,
    })
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

/// The writes that tell the entry builder which templates are incremental refreshes.
pub fn classes(program: &Program, set: &Templates) -> Vec<Write> {
    let numbered = (0u32..templates::CLASS_COUNT).zip(&program.templates);
    let write = |(number, known): (u32, &TemplateInfo)| {
        let mut all = set.all().iter();
        let template = all.find(|template| template.id.number == Some(known.id));
        let class = u32::from(template.is_some_and(is_incremental));
        (templates::CLASS + number * templates::CLASS_STRIDE, class)
    };
    numbered.map(write).collect()
}

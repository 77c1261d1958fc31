//! Writes a program as the logic's load port takes it, for tests of the logic:
//! `program_image TEMPLATES.xml PREAMBLE`, as JSON: the program's writes, the roles' writes, and the
//! templates' identifiers by number.

use std::env;
use std::error::Error;
use std::fs;

use saker_fast::microcode::{CompileOptions, Kind, Settings, compile, image};
use saker_fast::{ResetPolicy, Templates};
use serde_json::json;

/// What the entry builder takes a field for (`feed_pkg::role_t`), by its number in FIX.
fn role(id: Option<u32>, text: bool) -> u8 {
    match id {
        Some(48) => 1 + u8::from(text),
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

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, preamble] = arguments.as_slice() else {
        return Err("usage: program_image TEMPLATES.xml PREAMBLE".into());
    };
    let templates = Templates::from_xml(&fs::read_to_string(path)?)?;
    let settings =
        Settings { reset: ResetPolicy::Packet, preamble: preamble.parse()?, ..Settings::default() };
    let options = CompileOptions { constants: true, settings, ..CompileOptions::default() };
    let program = compile(&templates, &options)?;
    let mut texts = vec![false; program.tags.len()];
    for slot in program.rows.iter().flat_map(|row| &row.slots) {
        if matches!(slot.kind, Kind::Ascii | Kind::Text) {
            texts[usize::from(slot.tag)] = true;
        }
    }
    let roles = image::roles(&program, |tag| role(program.tags[tag].id, texts[tag]))?;
    let ids: Vec<u32> = program.templates.iter().map(|template| template.id).collect();
    println!("{}", json!({ "program": image::image(&program)?, "roles": roles, "templates": ids }));
    Ok(())
}

//! What loads the feed's program into the logic, as the bench of `trader_top` does it:
//! `SAKER_REGENERATE=1 cargo test -p saker-cosim --test program` writes its file again.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

use std::fs;
use std::path::Path;

use saker_cosim::program;
use saker_fast::{ResetPolicy, Templates};
use saker_feed::{PREAMBLE_LEN, TEMPLATES_XML};

#[test]
fn the_bench_of_the_logic_loads_what_the_demo_loads() {
    let templates = Templates::from_xml(TEMPLATES_XML).unwrap();
    let program = program::of_templates(&templates, PREAMBLE_LEN, ResetPolicy::Packet).unwrap();
    let mut writes = program::writes(&program).unwrap();
    writes.extend(program::classes(&program, &templates));
    // A JSON list of [address, data], as the register map has them.
    let lines: Vec<String> = writes.iter().map(|(at, data)| format!("[{at},{data}]")).collect();
    let text = format!("[{}]\n", lines.join(",\n"));
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verif/cocotb/trader_top/program.json");
    if std::env::var_os("SAKER_REGENERATE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == text,
        "verif/cocotb/trader_top/program.json is not up to date; set SAKER_REGENERATE=1"
    );
}

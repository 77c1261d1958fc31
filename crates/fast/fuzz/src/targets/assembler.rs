//! Any text as a program in the assembly language: what assembles prints and assembles to the same.

use saker_fast::microcode::{Program, assemble, listing};

/// A program with every directive, for changes in the middle.
const WHOLE: &str = include_str!("../../templates/program.asm");

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check(text);
    // The first two characters say where the rest goes into a whole program.
    let mut letters = text.chars();
    let place = [letters.next(), letters.next()].map(|letter| letter.map_or(0, |it| it as usize));
    let at = (place[0] * 128 + place[1]) % WHOLE.len();
    let mut program = WHOLE.to_owned();
    program.insert_str(at, letters.as_str());
    check(&program);
}

fn check(text: &str) {
    match assemble(text) {
        Ok(program) => {
            assert_eq!(assemble(&listing(&program)).as_ref(), Ok(&program));
            assert_eq!(Program::from_bytes(&program.to_bytes()).as_ref(), Ok(&program));
        }
        Err(error) => assert!(error.line <= text.lines().count() + 1, "{error}"),
    }
}

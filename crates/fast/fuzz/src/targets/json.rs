//! Any text as a message: what reads is written and read to the same again.

use super::super::{Choices, message};
use saker_fast::json::{from_json, to_json};

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let templates = choices.set();
    if let Ok(text) = std::str::from_utf8(choices.0)
        && let Ok(read) = from_json(templates, text)
    {
        assert!(from_json(templates, &to_json(&read)) == Ok(read));
    }
    if let Some(written) = message(&mut choices, templates) {
        assert!(from_json(templates, &to_json(&written)) == Ok(written));
    }
}

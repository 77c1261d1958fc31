//! Captures and templates of other people, where they are at hand.
// Every test binary uses a part of it, outside of functions marked as tests.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::PathBuf;

/// A file of the test data, or `None` with a note where it is absent.
pub fn data(path: &str) -> Option<Vec<u8>> {
    let root = std::env::var_os("SAKER_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let file = root.join(path);
    match std::fs::read(&file) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            eprintln!("skipped: {}: {error}", file.display());
            None
        }
    }
}

/// A text file of the test data.
pub fn text(path: &str) -> Option<String> {
    data(path).map(|bytes| String::from_utf8(bytes).unwrap())
}

/// A template `T` with identifier 1 and the given instructions.
pub fn template(instructions: &str) -> saker_fast::Templates {
    saker_fast::Templates::from_xml(&definition(instructions))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The definition of [`template`].
pub fn definition(instructions: &str) -> String {
    format!(
        r#"<template xmlns="http://www.fixprotocol.org/ns/fast/td/1.1" name="T" id="1">{instructions}</template>"#
    )
}

/// A definition of several templates.
pub fn definitions(templates: &str) -> String {
    format!(
        r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">{templates}</templates>"#
    )
}

/// Bytes from hexadecimal digits with spaces.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}

/// Bytes as hexadecimal digits.
pub fn hexed(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A presence map from its bits.
pub fn presence(bits: &str) -> Vec<u8> {
    let trimmed = bits.trim_end_matches('0');
    let mut bytes: Vec<u8> = trimmed
        .as_bytes()
        .chunks(7)
        .map(|chunk| {
            chunk.iter().enumerate().fold(0, |byte, (at, bit)| byte | (bit - b'0') << (6 - at))
        })
        .collect();
    if bytes.is_empty() {
        bytes.push(0);
    }
    *bytes.last_mut().unwrap() |= 0x80;
    bytes
}

pub mod engine_cases;
pub mod fill;
pub mod generate;
pub mod venues;

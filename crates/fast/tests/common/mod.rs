//! Captures and templates of other people, where they are at hand.
#![allow(dead_code)]

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

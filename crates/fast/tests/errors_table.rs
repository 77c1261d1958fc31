//! The table of error codes names every code, and only tests that exist.
#![allow(clippy::unwrap_used)]

const TABLE: &str = include_str!("../ERRORS.md");

fn file(letter: &str) -> &'static str {
    match letter {
        "E" => include_str!("errors.rs"),
        "P" => include_str!("errors_sites.rs"),
        "T" => include_str!("templates.rs"),
        "X" => include_str!("fast12.rs"),
        other => panic!("no file {other}"),
    }
}

#[test]
fn every_code_has_a_row_with_a_test() {
    let codes = (1..=5)
        .map(|n| format!("S{n}"))
        .chain((1..=12).map(|n| format!("D{n}")))
        .chain((1..=9).map(|n| format!("R{n}")));
    for code in codes {
        let row = TABLE.lines().find(|line| line.starts_with(&format!("| {code} |")));
        let row = row.unwrap_or_else(|| panic!("{code} has no row"));
        assert!(row.contains("::"), "{code} has no test");
    }
}

#[test]
fn every_test_that_is_named_exists() {
    let mut named = 0;
    for word in TABLE.split('`').skip(1).step_by(2) {
        let Some((letter, test)) = word.split_once("::") else { continue };
        let source = file(letter);
        let found = match test.strip_suffix('…') {
            Some(start) => source.contains(&format!("fn {start}")),
            None => source.contains(&format!("fn {test}()")),
        };
        assert!(found, "{word}");
        named += 1;
    }
    assert!(named > 40, "{named}");
}

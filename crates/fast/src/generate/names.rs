//! Rust identifiers from the names of templates and fields.
//!
//! A name is cut into words: at everything that is neither an ASCII letter nor a digit, before a
//! capital behind a small letter or digit, and before the last capital of a run that a small
//! letter follows. `NoMDEntries` is no, md, entries. What is no identifier or is taken gets a
//! number, in the order of the definition, so that equal definitions give equal names.

use rustc_hash::FxHashSet;

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            open = false;
            continue;
        }
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(at + 1);
        let starts = byte.is_ascii_uppercase()
            && (!before.is_some_and(|before| before.is_ascii_uppercase())
                || after.is_some_and(u8::is_ascii_lowercase));
        if starts || !open {
            words.push(String::new());
            open = true;
        }
        if let Some(word) = words.last_mut() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    words
}

/// `md_entry_px`; never a keyword, never empty.
pub(super) fn snake(name: &str) -> String {
    let snake = words(name).join("_");
    match snake.as_bytes().first() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{snake}"),
        Some(_) if KEYWORDS.contains(&snake.as_str()) => format!("{snake}_"),
        Some(_) => snake,
    }
}

/// `MdEntryPx`; never empty.
pub(super) fn camel(name: &str) -> String {
    let mut camel = String::new();
    for word in words(name) {
        let (first, rest) = word.split_at(1);
        camel.push_str(&first.to_ascii_uppercase());
        camel.push_str(rest);
    }
    match camel.as_bytes().first() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{camel}"),
        Some(_) => camel,
    }
}

/// The names of one scope of the generated code.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// A scope in which some names are taken already.
    pub fn with(reserved: &[&str]) -> Self {
        Self { taken: reserved.iter().map(|name| (*name).to_owned()).collect() }
    }

    /// The name itself or, where it is taken, the name with `separator` and the least free number
    /// from 2.
    pub fn take(&mut self, name: String, separator: &str) -> String {
        let mut free = name.clone();
        let mut number = 2;
        while !self.taken.insert(free.clone()) {
            let stem = if separator == "_" { name.trim_end_matches('_') } else { &name };
            free = format!("{stem}{separator}{number}");
            number += 1;
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        for (name, in_snake, in_camel) in [
            ("NoMDEntries", "no_md_entries", "NoMdEntries"),
            ("MDEntryID", "md_entry_id", "MdEntryId"),
            ("msgSeqNum", "msg_seq_num", "MsgSeqNum"),
            ("price2Sell", "price2_sell", "Price2Sell"),
            ("MD Incremental-Refresh_42", "md_incremental_refresh_42", "MdIncrementalRefresh42"),
            ("Type", "type_", "Type"),
            ("self", "self_", "Self"),
            ("2ndPrice", "n2nd_price", "N2ndPrice"),
            ("Цена", "unnamed", "Unnamed"),
            ("", "unnamed", "Unnamed"),
        ] {
            assert_eq!(snake(name), in_snake, "{name}");
            assert_eq!(camel(name), in_camel, "{name}");
        }
    }

    #[test]
    fn taken_names_are_numbered_in_order() {
        let mut names = Names::with(&["Option"]);
        let mut take = |name: &str| names.take(name.to_owned(), "_");
        assert_eq!(take("Option"), "Option_2");
        assert_eq!(take("x"), "x");
        assert_eq!(take("x_2"), "x_2");
        assert_eq!(take("x"), "x_3");
    }
}

//! Program to text.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::decode::ResetPolicy;
use crate::microcode::isa::{Control, Operator, Presence, Row, Slot};
use crate::microcode::program::{Constant, Program};

/// The program in the assembly language; [`super::assemble`] gives the program again.
pub fn listing(program: &Program) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = head(program, &mut out);
    let _ = rows(program, &mut out);
    out
}

fn head(program: &Program, out: &mut String) -> std::fmt::Result {
    let settings = &program.settings;
    let reset = match settings.reset {
        ResetPolicy::Never => "never",
        ResetPolicy::Packet => "packet",
        ResetPolicy::Message => "message",
    };
    let strict = if settings.strict { "yes" } else { "no" };
    writeln!(out, ".set strict={strict} reset={reset} preamble={}", settings.preamble)?;
    writeln!(
        out,
        ".set max_text={} max_elements={} max_rows={}",
        settings.max_text, settings.max_elements, settings.max_rows
    )?;
    let [a, b, c, d] = program.dictionary;
    writeln!(out, ".dictionary {a} {b} {c} {d}")?;
    for (lane, bank) in program.constants.iter().enumerate() {
        for (number, constant) in (1..).zip(bank) {
            write!(out, ".constant {lane} {number} ")?;
            match constant {
                Constant::Number(bits) => writeln!(out, "number {bits}")?,
                Constant::Decimal { mantissa, exponent } => {
                    writeln!(out, "decimal {mantissa} {exponent}")?;
                }
                Constant::Text(text) => writeln!(out, "bytes {}", quoted(text))?,
            }
        }
    }
    for (number, tag) in program.tags.iter().enumerate() {
        let id = tag.id.map_or("-".to_owned(), |id| id.to_string());
        writeln!(out, ".tag {number} {id} {}", quoted(tag.name.as_bytes()))?;
    }
    for (number, template) in program.templates.iter().enumerate() {
        let reset = if template.reset { " reset" } else { "" };
        let name = quoted(template.name.as_bytes());
        writeln!(out, ".template {number} {} {name}{reset}", template.id)?;
    }
    for entry in &program.entries {
        writeln!(out, ".entry {} {} r{}", entry.template, entry.scope, entry.row)?;
    }
    for segment in &program.segments {
        let pmap: String = segment.pmap.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, ".segment {} {pmap} r{}", segment.template, segment.row)?;
    }
    Ok(())
}

fn rows(program: &Program, out: &mut String) -> std::fmt::Result {
    let mut labels: BTreeSet<usize> = BTreeSet::new();
    labels.extend(program.entries.iter().map(|entry| usize::from(entry.row)));
    labels.extend(program.segments.iter().map(|segment| usize::from(segment.row)));
    let targets = program.rows.iter().filter(|row| has_label(row));
    labels.extend(targets.map(|row| usize::from(row.target)));
    for (number, row) in program.rows.iter().enumerate() {
        let label = if labels.contains(&number) { format!("r{number}:") } else { String::new() };
        let text = row_text(row);
        let names: Vec<&str> = row
            .used()
            .iter()
            .filter(|slot| **slot != Slot::NOP)
            .filter_map(|slot| program.tags.get(usize::from(slot.tag)))
            .map(|tag| tag.name.as_str())
            .collect();
        if names.is_empty() {
            writeln!(out, "{label:<7} {text}")?;
        } else {
            writeln!(out, "{label:<7} {text:<72} ; {}", names.join(", "))?;
        }
    }
    Ok(())
}

fn has_label(row: &Row) -> bool {
    matches!(row.control, Control::Jump | Control::Sequence | Control::Group)
}

fn row_text(row: &Row) -> String {
    let mut words = Vec::new();
    if row.push {
        words.push("push".to_owned());
    }
    let slots: Vec<String> = row.used().iter().map(slot_text).collect();
    words.push(slots.join(" | "));
    if row.pop {
        words.push("pop".to_owned());
    }
    match row.control {
        // An empty row needs a word.
        Control::Next if words.iter().any(|word| !word.is_empty()) => {}
        control => {
            words.push(format!("-> {control}"));
            if has_label(row) {
                words.push(format!("r{}", row.target));
            } else if control == Control::Call {
                words.push(row.target.to_string());
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

fn slot_text(slot: &Slot) -> String {
    if *slot == Slot::NOP {
        return slot.kind.to_string();
    }
    let optional = if slot.optional { "?" } else { "" };
    let mut text = format!("{}{optional} @{}", slot.kind, slot.tag);
    let mut word = |word: String| {
        text.push(' ');
        text.push_str(&word);
    };
    if slot.operator != Operator::None {
        word(slot.operator.to_string());
    }
    if slot.presence != Presence::Always {
        word(slot.presence.to_string());
    }
    if slot.uses_dictionary() {
        word(format!("d{}", slot.entry));
    }
    if slot.initial != 0 {
        word(format!("k{}", slot.initial));
    }
    text
}

/// Bytes as a string of the language: printable ASCII as it is.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(*byte));
            }
            0x20..=0x7e => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push('"');
    text
}

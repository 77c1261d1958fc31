//! Random cases of fields that share entries of the dictionary, whatever their types and operators are (MICROCODE.md
//! §6.2): previous values that are undefined, empty, of another type, or just written, and entities that are wrong.

use saker_fast::microcode::Settings;
use saker_fast::{ResetPolicy, Templates};

use super::super::generate::Random;
use super::super::{definitions, hex, presence};
use super::{Case, Input, PACES, compiled};

/// The case of this number, if its templates compile.
pub fn case(number: u64) -> Option<Case> {
    let mut random = Random(number);
    let templates: Vec<Vec<Field>> =
        (0..1 + random.below(TEMPLATES)).map(|_| fields(&mut random)).collect();
    let bodies: String = templates
        .iter()
        .zip(1..)
        .map(|(fields, id)| {
            let fields: String = fields.iter().zip(0..).map(|(field, at)| field.xml(at)).collect();
            format!(r#"<template name="T{id}" id="{id}">{fields}</template>"#)
        })
        .collect();
    let reset = *random.pick(&[ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message]);
    let settings = Settings { reset, strict: !number.is_multiple_of(3), ..Settings::default() };
    let program = compiled(&Templates::from_xml(&definitions(&bodies)).ok()?, settings).ok()?;
    let packets = (0..PACKETS).map(|_| packet(&mut random, &templates)).collect();
    let pace = *random.pick(&PACES);
    Some(Case { name: format!("keys {number}"), program, packets, pace })
}

const TEMPLATES: u64 = 3;
const PACKETS: usize = 12;

const TYPES: [Type; 8] = [
    Type { name: "uInt32", values: &["2", "4294967295"], entities: INTEGERS },
    Type { name: "int32", values: &["-2", "2147483647"], entities: INTEGERS },
    Type { name: "uInt64", values: &["2", "18446744073709551615"], entities: INTEGERS },
    Type { name: "int64", values: &["-2", "9223372036854775807"], entities: INTEGERS },
    Type { name: "decimal", values: &["0.2", "-200"], entities: DECIMALS },
    Type { name: "decimal", values: &["0.2", "-200"], entities: DECIMALS },
    Type { name: "string", values: &["A", "ABCDEFGHIJ"], entities: STRINGS },
    Type { name: r#"string charset="unicode""#, values: &["A", "ABCDEFGHIJ"], entities: VECTORS },
];

/// A type of field; initial values; in hexadecimal digits what may stand for it in a message, what is short and right
/// first.
struct Type {
    name: &'static str,
    values: &'static [&'static str],
    entities: &'static [&'static str],
}

/// Entities of each type that are right.
const RIGHT: usize = 5;

const INTEGERS: &[&str] = &[
    "80",
    "81",
    "82",
    "83",
    "85",
    "87",
    "ff",
    "fe",
    "01 80",
    "0f 7f 7f 7f ff",
    "78 00 00 00 80",
    "00 81",
    "7f 7f ff",
    "01 00 00 00 00 80",
    "01 7f 7f 7f 7f 7f 7f 7f 7f ff",
    "7e 00 00 00 00 00 00 00 00 00 00 80",
];
const DECIMALS: &[&str] = &[
    "80",
    "81 85",
    "82 80",
    "fe 86",
    "80 87",
    "bf 81",
    "c0 81",
    "00 81 81",
    "00 c0 85",
    "81 00 81",
    "01 00 00 80 85",
    "82 01 00 00 00 00 00 00 00 00 00 80",
    "7c 00 00 00 00 00 00 00 00 00 00 80 81",
];
const STRINGS: &[&str] =
    &["80", "c1", "41 c2", "00 80", "00 00 80", "00 c1", "00 00 c1", "41 41 41 41 41 41 41 41 c2"];
const VECTORS: &[&str] = &["80", "81", "82 41", "83 41 42", "81 c1", "88 41 42 43 44 45 46 47 48"];

const OPERATORS: [&str; 8] =
    ["copy", "copy", "increment", "increment", "delta", "delta", "default", ""];

/// A field of a template.
struct Field {
    of: &'static Type,
    operator: &'static str,
    value: Option<&'static str>,
    key: u64,
    optional: bool,
}

/// Some, which share some keys, the same ones as other templates' fields.
fn fields(random: &mut Random) -> Vec<Field> {
    let types = *random.pick(&[1, 1, 2, 3]);
    let first = random.below(TYPES.len() as u64);
    let field = |random: &mut Random| {
        let of = &TYPES[((first + random.below(types)) % TYPES.len() as u64) as usize];
        let integer = of.entities == INTEGERS;
        let number = integer || of.entities == DECIMALS;
        let operator = *random.pick::<&str>(&OPERATORS);
        // Increments are of integers, and deltas of strings are none of the engine's.
        let operator = if operator == "increment" && !integer || operator == "delta" && !number {
            "copy"
        } else {
            operator
        };
        let value = random.chance(75).then(|| *random.pick::<&str>(of.values));
        Field { of, operator, value, key: random.below(3), optional: random.chance(60) }
    };
    // Of few, messages' rows are near one another.
    let most = *random.pick(&[3, 12]);
    (0..1 + random.below(most)).map(|_| field(random)).collect()
}

impl Field {
    fn xml(&self, at: usize) -> String {
        let Self { of, operator, key, .. } = self;
        let presence = if self.optional { r#" presence="optional""# } else { "" };
        let kind = of.name.split(' ').next().unwrap_or_default();
        let key = match *operator {
            "default" => String::new(),
            _ => format!(r#" key="K{key}""#),
        };
        // Of a default that is mandatory the value must be there.
        let value = match self.value {
            None if *operator == "default" && !self.optional => Some(of.values[0]),
            value => value,
        };
        let value = value.map_or(String::new(), |value| format!(r#" value="{value}""#));
        let operator = match *operator {
            "" => String::new(),
            operator => format!("<{operator}{key}{value}/>"),
        };
        format!(r#"<{} name="F{at}"{presence}>{operator}</{kind}>"#, of.name)
    }

    fn has_bit(&self) -> bool {
        matches!(self.operator, "copy" | "increment" | "default")
    }
}

/// Messages as their templates say, at times with an end that is missing.
fn packet(random: &mut Random, templates: &[Vec<Field>]) -> Input {
    let mut bytes = Vec::new();
    for _ in 0..1 + random.below(5) {
        let which = random.below(templates.len() as u64) as usize;
        let mut bits = String::from("1");
        let mut body = vec![0x81 + which as u8];
        for field in &templates[which] {
            let streams = !field.has_bit() || random.chance(50);
            if field.has_bit() {
                bits.push(if streams { '1' } else { '0' });
            }
            if streams {
                let all = field.of.entities;
                let these = if random.chance(95) { &all[..RIGHT] } else { all };
                body.extend(hex(random.pick::<&str>(these)));
            }
        }
        bytes.extend(presence(&bits));
        bytes.extend(body);
    }
    if random.chance(4) {
        bytes.pop();
    }
    Input { bytes, abort: random.chance(2) }
}

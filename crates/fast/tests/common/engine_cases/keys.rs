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

/// Entities of each type that are right, the first of them where there is no value.
const RIGHT: usize = 5;
const NULL: &str = "80";

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

/// The parts of a decimal by themselves, and what either may be.
const PARTS: [&str; 2] = ["exponent", "mantissa"];
const EXPONENT: Type = Type { name: "int32", values: &["2", "-63"], entities: INTEGERS };
const MANTISSA: Type = Type { name: "int64", values: &["2", "-2"], entities: INTEGERS };
const EXPONENTS: [&str; 7] = ["constant", "default", "copy", "copy", "increment", "delta", ""];

/// A field of a template: of one part, or a decimal of two.
struct Field {
    parts: Vec<Part>,
    optional: bool,
}

struct Part {
    of: &'static Type,
    operator: &'static str,
    value: Option<&'static str>,
    key: u64,
}

/// Some, which share some keys, the same ones as other templates' fields.
fn fields(random: &mut Random) -> Vec<Field> {
    let types = *random.pick(&[1, 1, 2, 3]);
    let first = random.below(TYPES.len() as u64);
    let field = |random: &mut Random| {
        let optional = random.chance(60);
        let parts = if random.chance(20) {
            let exponent = *random.pick::<&str>(&EXPONENTS);
            vec![
                Part::any(random, &EXPONENT, exponent, optional),
                Part::of_type(random, &MANTISSA, false),
            ]
        } else {
            let of = &TYPES[((first + random.below(types)) % TYPES.len() as u64) as usize];
            vec![Part::of_type(random, of, optional)]
        };
        Field { parts, optional }
    };
    // Of few, messages' rows are near one another.
    let most = *random.pick(&[3, 12]);
    (0..1 + random.below(most)).map(|_| field(random)).collect()
}

impl Field {
    fn xml(&self, at: usize) -> String {
        let presence = if self.optional { r#" presence="optional""# } else { "" };
        let (name, body) = match &self.parts[..] {
            [whole] => (whole.of.name, whole.xml()),
            parts => {
                let operated = |(part, _): &(&Part, &str)| !part.operator.is_empty();
                let part = |(part, name): (&Part, &str)| format!("<{name}>{}</{name}>", part.xml());
                ("decimal", parts.iter().zip(PARTS).filter(operated).map(part).collect())
            }
        };
        let kind = name.split(' ').next().unwrap_or_default();
        format!(r#"<{name} name="F{at}"{presence}>{body}</{kind}>"#)
    }
}

impl Part {
    fn of_type(random: &mut Random, of: &'static Type, optional: bool) -> Self {
        let integer = of.entities == INTEGERS;
        let number = integer || of.entities == DECIMALS;
        let operator = *random.pick::<&str>(&OPERATORS);
        // Increments are of integers, and deltas of strings are none of the engine's.
        let operator = if operator == "increment" && !integer || operator == "delta" && !number {
            "copy"
        } else {
            operator
        };
        Self::any(random, of, operator, optional)
    }

    fn any(random: &mut Random, of: &'static Type, operator: &'static str, optional: bool) -> Self {
        // Without one a constant is none, nor is a default that is mandatory.
        let needed = operator == "constant" || operator == "default" && !optional;
        let value = random.chance(75).then(|| *random.pick::<&str>(of.values));
        let value = value.or(needed.then_some(of.values[0]));
        Self { of, operator, value, key: random.below(3) }
    }

    fn xml(&self) -> String {
        let Self { operator, key, .. } = self;
        let key = match *operator {
            "default" | "constant" => String::new(),
            _ => format!(r#" key="K{key}""#),
        };
        let value = self.value.map_or(String::new(), |value| format!(r#" value="{value}""#));
        match *operator {
            "" => String::new(),
            operator => format!("<{operator}{key}{value}/>"),
        }
    }

    fn has_bit(&self, optional: bool) -> bool {
        match self.operator {
            "copy" | "increment" | "default" => true,
            "constant" => optional,
            _ => false,
        }
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
            for (part, optional) in field.parts.iter().zip([field.optional, false]) {
                let has_bit = part.has_bit(optional);
                let set = !has_bit || random.chance(50);
                if has_bit {
                    bits.push(if set { '1' } else { '0' });
                }
                let entity = (set && part.operator != "constant").then(|| {
                    let all = part.of.entities;
                    let these = if random.chance(95) { &all[..RIGHT] } else { all };
                    *random.pick::<&str>(these)
                });
                body.extend(entity.map_or(Vec::new(), hex));
                // Behind an exponent that is absent is no mantissa. What its entry has is guessed.
                let absent = match (entity, part.operator) {
                    (Some(entity), _) => entity == NULL,
                    (None, "constant") => !set,
                    (None, "default") => part.value.is_none(),
                    _ => random.chance(30),
                };
                if optional && absent {
                    break;
                }
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

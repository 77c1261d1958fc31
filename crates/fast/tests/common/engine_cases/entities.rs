//! Cases that go through what an entity may be (MICROCODE.md §6.1): each bit of a number by itself and the only one
//! missing, the ends of ranges, overlong numbers, strings with zeros.

use saker_fast::microcode::Settings;
use saker_fast::{ResetPolicy, Templates};

use super::super::{definitions, hex};
use super::{Case, Input, Pace, by, characters, compiled, ended};

/// Bits of the longest entity that is looked at as a number, and one more byte.
const BITS: u32 = 77;
/// Those beside which ranges, bytes, and words of the logic end.
const ENDS: [std::ops::RangeInclusive<u32>; 5] = [5..=7, 13..=16, 30..=36, 62..=65, 69..=71];
/// Bytes more than an overlong number needs.
const MORE: usize = 17;
/// Characters of the longest strings, of those without zeros in front.
const LONGEST: usize = 18;
/// Elements before the entity, as many as put it in each lane, and behind all of a row.
const BEFORE: usize = 5;

/// Each type, its parts, its operators.
pub fn cases() -> Vec<Case> {
    let integers = INTEGERS.iter().flat_map(|(element, bases)| {
        let delta = |base: &&str| format!(r#"<delta value="{base}"/>"#);
        let operators = ["", "<delta/>"].map(str::to_owned);
        operators.into_iter().chain(bases.iter().map(delta)).map(move |operator| {
            (format!(r#"<{element} name="N"%>{operator}</{element}>"#), "", "")
        })
    });
    let others = OTHERS.iter().map(|&(element, front, behind)| (element.to_owned(), front, behind));
    let numbers: Vec<_> = integers.chain(others).collect();
    let strings: Vec<_> = STRINGS.iter().map(|&element| (element.to_owned(), "", "")).collect();
    let mut cases = Vec::new();
    for (elements, entities) in
        [(numbers, numbers_of().collect::<Vec<_>>()), (strings, strings_of().collect())]
    {
        for (element, front, behind) in &elements {
            let optional = r#" presence="optional""#;
            for (presence, strict) in [("", true), (optional, true), (optional, false)] {
                let element = element.replace('%', presence);
                cases.push(case(&element, strict, &entities, [front, behind]));
            }
        }
    }
    cases
}

/// Integers, and bases of deltas from which a small one leaves the range.
const INTEGERS: [(&str, [&str; 2]); 4] = [
    ("uInt32", ["3", "4294967292"]),
    ("int32", ["-2147483645", "2147483644"]),
    ("uInt64", ["3", "18446744073709551612"]),
    ("int64", ["-9223372036854775805", "9223372036854775804"]),
];

/// What else has a number: an element, `%` for its presence; in hexadecimal digits what is before the number and
/// behind it.
const OTHERS: [(&str, &str, &str); 11] = [
    (r#"<decimal name="N"%/>"#, "", "85"),
    (r#"<decimal name="N"%/>"#, "81", ""),
    (r#"<decimal name="N"%/>"#, "", "7e 00 00 00 00 00 00 00 00 00 00 80"),
    (r#"<decimal name="N"%/>"#, "00 81", ""),
    (r#"<decimal name="N"%><delta/></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><delta/></decimal>"#, "81", ""),
    (r#"<decimal name="N"%><exponent><delta value="60"/></exponent></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><exponent><delta value="-60"/></exponent></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><mantissa><delta value="4"/></mantissa></decimal>"#, "81", ""),
    (r#"<sequence name="N"%><uInt32 name="E"/></sequence>"#, "", "85 86"),
    (r#"<byteVector name="N"%/>"#, "", "01 02 03"),
];

const STRINGS: [&str; 2] =
    [r#"<string name="N"%/>"#, r#"<string name="N"%><delta value="AB"/></string>"#];

/// A packet for each of the entities, behind different numbers of elements in turn.
fn case(element: &str, strict: bool, entities: &[Vec<u8>], [front, behind]: [&str; 2]) -> Case {
    let template = |number: usize| {
        let before: String = (0..number).map(|at| format!(r#"<uInt32 name="B{at}"/>"#)).collect();
        let id = number + 1;
        format!(
            r#"<template name="T{id}" id="{id}">{before}{element}<uInt32 name="Z"/></template>"#
        )
    };
    let xml = definitions(&(0..BEFORE).map(template).collect::<String>());
    let settings = Settings { strict, ..by(ResetPolicy::Packet) };
    let program = compiled(&Templates::from_xml(&xml).unwrap(), settings).unwrap();
    let (front, behind) = (hex(front), hex(behind));
    let packet = |(number, entity): (usize, &Vec<u8>)| {
        let before = number % BEFORE;
        let mut packet = vec![0xc0, 0x81 + before as u8];
        packet.extend((0..before).map(|at| 0x90 + at as u8));
        packet.extend([front.as_slice(), entity, &behind, &[0x8a, 0x8b]].concat());
        Input::from(packet)
    };
    let packets = entities.iter().enumerate().map(packet).collect();
    Case { name: element.to_owned(), program, packets, pace: Pace::Full }
}

fn numbers_of() -> impl Iterator<Item = Vec<u8>> {
    let bits = (0..BITS).flat_map(|bit| [1_i128 << bit, !(1_i128 << bit)]);
    let ends = ENDS.into_iter().flatten().flat_map(|bit| [(1_i128 << bit) - 1, -(1_i128 << bit)]);
    let small = (-5..=5).flat_map(|value| (0..=MORE).map(move |more| signed(value, more)));
    bits.chain(ends).map(|value| signed(value, 0)).chain(small)
}

/// Short ones with zeros anywhere, and of all lengths with some in front.
fn strings_of() -> impl Iterator<Item = Vec<u8>> {
    let short = (1..=6).flat_map(|length: usize| {
        (0..1_usize << length).map(move |which| {
            (0..length).map(|at| [0, 0x41 + at as u8][which >> at & 1]).collect::<Vec<u8>>()
        })
    });
    let long = (0..4).flat_map(|zeros| (1..=LONGEST).map(move |length| characters(zeros, length)));
    short.chain(long).map(ended)
}

/// A value as a signed entity with so many bytes more than it needs.
fn signed(mut value: i128, more: usize) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7f) as u8 | 0x80];
    while !(-64..64).contains(&value) {
        value >>= 7;
        bytes.insert(0, (value & 0x7f) as u8);
    }
    let sign = if value < 0 { 0x7f } else { 0 };
    std::iter::repeat_n(sign, more).chain(bytes).collect()
}

//! Cases for the ranges of numbers (MICROCODE.md §6.1): each bit that an entity has, by itself and the only one missing.

use saker_fast::microcode::{Settings, compile};
use saker_fast::{ResetPolicy, Templates};

use super::{Case, CompileOptions, Input, Pace, by};

/// Bits of the longest entity that is looked at as a number, and one more byte.
const BITS: u32 = 77;
/// Those beside which ranges, bytes, and words of the logic end.
const ENDS: [std::ops::RangeInclusive<u32>; 5] = [5..=7, 13..=16, 30..=36, 62..=65, 69..=71];
/// Elements before the number, as many as put it in each lane, and behind all of a row.
const BEFORE: usize = 5;

/// Each type of number, its parts, its operators.
pub fn cases() -> Vec<Case> {
    INTEGERS
        .iter()
        .flat_map(|(element, bases)| {
            let delta = |base: &&str| format!(r#"<delta value="{base}"/>"#);
            let operators = ["", "<delta/>"].map(str::to_owned);
            operators.into_iter().chain(bases.iter().map(delta)).map(move |operator| {
                Number::new(format!(r#"<{element} name="N"%>{operator}</{element}>"#), "", "")
            })
        })
        .chain(
            OTHERS
                .iter()
                .map(|&(number, front, behind)| Number::new(number.to_owned(), front, behind)),
        )
        .flat_map(|number| {
            let optional = r#" presence="optional""#;
            [("", true), (optional, true), (optional, false)]
                .map(|(presence, strict)| number.case(presence, strict))
        })
        .collect()
}

/// Integers, and bases of deltas from which a small one leaves the range.
const INTEGERS: [(&str, [&str; 2]); 4] = [
    ("uInt32", ["3", "4294967292"]),
    ("int32", ["-2147483645", "2147483644"]),
    ("uInt64", ["3", "18446744073709551612"]),
    ("int64", ["-9223372036854775805", "9223372036854775804"]),
];

/// What else has a number: an element, and in hexadecimal digits what is before the number and behind it.
const OTHERS: [(&str, &str, &str); 9] = [
    (r#"<decimal name="N"%/>"#, "", "85"),
    (r#"<decimal name="N"%/>"#, "81", ""),
    (r#"<decimal name="N"%><delta/></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><delta/></decimal>"#, "81", ""),
    (r#"<decimal name="N"%><exponent><delta value="60"/></exponent></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><exponent><delta value="-60"/></exponent></decimal>"#, "", "85"),
    (r#"<decimal name="N"%><mantissa><delta value="4"/></mantissa></decimal>"#, "81", ""),
    (r#"<sequence name="N"%><uInt32 name="E"/></sequence>"#, "", "85 86"),
    (r#"<byteVector name="N"%/>"#, "", "01 02 03"),
];

/// An element with a number in it, `%` for its presence.
struct Number {
    element: String,
    front: Vec<u8>,
    behind: Vec<u8>,
}

impl Number {
    fn new(element: String, front: &str, behind: &str) -> Self {
        Self { element, front: super::hex(front), behind: super::hex(behind) }
    }

    /// A packet for each of the entities, in each of the lanes in turn.
    fn case(&self, presence: &str, strict: bool) -> Case {
        let element = self.element.replace('%', presence);
        let template = |number: usize| {
            let before: String =
                (0..number).map(|at| format!(r#"<uInt32 name="B{at}"/>"#)).collect();
            format!(
                r#"<template name="T{number}" id="{}">{before}{element}<uInt32 name="Z"/></template>"#,
                number + 1
            )
        };
        let xml: String = (0..BEFORE).map(template).collect();
        let xml = format!(
            r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">{xml}</templates>"#
        );
        let settings = Settings { strict, ..by(ResetPolicy::Packet) };
        let options = CompileOptions { settings, ..CompileOptions::default() };
        let program = compile(&Templates::from_xml(&xml).unwrap(), &options).unwrap();
        let packet = |(number, entity): (usize, Vec<u8>)| {
            let before = number % BEFORE;
            let mut packet = vec![0xc0, 0x81 + before as u8];
            packet.extend((0..before).map(|at| 0x90 + at as u8));
            packet.extend_from_slice(&self.front);
            packet.extend(entity);
            packet.extend_from_slice(&self.behind);
            packet.extend([0x8a, 0x8b]);
            Input::from(packet)
        };
        let packets = entities().enumerate().map(packet).collect();
        Case { name: element, program, packets, pace: Pace::Full }
    }
}

/// Each bit alone and alone missing, and what is at the ends of ranges and of bytes, overlong, too.
fn entities() -> impl Iterator<Item = Vec<u8>> {
    let bits = (0..BITS).flat_map(|bit| [1_i128 << bit, !(1_i128 << bit)]);
    let ends = ENDS.into_iter().flatten().flat_map(|bit| {
        let one = 1_i128 << bit;
        [one, one - 1, -one, -one - 1]
    });
    let twice = ends.chain(-5..=5).flat_map(|value| {
        let short = signed(value);
        let sign = if value < 0 { 0x7f } else { 0 };
        let overlong = std::iter::once(sign).chain(short.iter().copied()).collect();
        [short, overlong]
    });
    bits.map(signed).chain(twice)
}

/// A value as a signed entity with no byte more than it needs.
fn signed(mut value: i128) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7f) as u8 | 0x80];
    while !(-64..64).contains(&value) {
        value >>= 7;
        bytes.insert(0, (value & 0x7f) as u8);
    }
    bytes
}

//! Cases for the engine's stacks of frames and of presence maps (MICROCODE.md §3.1).

use saker_fast::microcode::assemble;
use saker_fast::{ResetPolicy, Templates};

use super::super::definitions;
use super::{Case, by, compiled, example};

/// What fills them, and more, and what is at odds with them.
pub fn cases() -> Vec<Case> {
    let wrong = WRONG.iter().flat_map(|(name, rows)| {
        example(name, &assemble(&format!("{WRONG_HEAD}{rows}")).unwrap(), &WRONG_PACKETS)
    });
    wrong.chain(DEEP.iter().flat_map(Deep::cases)).collect()
}

/// Programs that no template compiles to, whose control is at odds with the stacks: trap *program*, and the next packet
/// is decoded.
const WRONG: [(&str, &str); 8] = [
    ("a loop without a sequence", "r0: u32 @0 -> loop\nu32 @1 -> end\nr9: u32 @2 -> end\n"),
    ("a last loop without one", "r0: u32 @0 -> loopend\nu32 @1 -> end\nr9: u32 @2 -> end\n"),
    ("two maps popped of one", "r0: u32 @0 pop\nu32 @1 pop\nu32 @3 -> end\nr9: u32 @2 -> end\n"),
    ("an end without a map", "r0: u32 @0 pop\nu32 @1 -> end\nr9: u32 @2 -> end\n"),
    (
        "an end within a sequence",
        "r0: len @0 -> seq r2\nu32 @1 -> end\nr2: u32 @3 -> end\nr9: u32 @2 -> end\n",
    ),
    (
        "an end within an element of two rows",
        "r0: len @0 -> seq r2\nu32 @1\nu32 @4 -> end\nr2: u32 @3 -> end\nr9: u32 @2 -> end\n",
    ),
    (
        "a loop within a call",
        "r0: u32 @0 -> call 0\nu32 @1 -> end\nr9: u32 @2 -> loop\nu32 @3 -> end\n",
    ),
    (
        "a last loop within a call",
        "r0: u32 @0 -> call 0\nu32 @1 -> end\nr9: u32 @2 -> loopend\nu32 @3 -> end\n",
    ),
];

const WRONG_HEAD: &str = r#".set strict=yes reset=packet preamble=0
.set max_text=65536 max_elements=65536 max_rows=1048576
.tag 0 - "A"
.tag 1 - "B"
.tag 2 - "C"
.tag 3 - "D"
.tag 4 - "E"
.template 0 1 "T"
.template 1 2 "U"
.entry 0 0 r0
.entry 1 0 r9
"#;

const WRONG_PACKETS: [&str; 5] = [
    "c0 81 81 82 83",
    "c0 82 85",
    "c0 81 81 c0 82 85 86",
    "c0 81 80 85",
    "c0 81 82 83 84 85 86 87",
];

/// What is nested as deeply as the stacks go, and more deeply.
struct Deep {
    name: &'static str,
    /// Templates: what is in front of all levels; where a level begins, and ends; what is behind all.
    front: &'static str,
    level: [&'static str; 2],
    behind: &'static str,
    /// A message: its begin; what goes a level deeper; what goes no deeper.
    message: [&'static str; 3],
}

/// Levels of the templates.
const LEVELS: usize = 10;

impl Deep {
    /// Levels within a template, and what is behind them.
    const fn nested(
        name: &'static str,
        level: [&'static str; 2],
        last: &'static str,
        message: [&'static str; 3],
    ) -> Self {
        Self { name, front: r#"<template name="T" id="1">"#, level, behind: last, message }
    }

    /// Templates that call themselves, or the first one.
    const fn calls(
        name: &'static str,
        templates: &'static str,
        message: [&'static str; 3],
    ) -> Self {
        let front = r#"<template name="T" id="1"><uInt32 name="A"/></template>"#;
        Self { name, front, level: ["", ""], behind: templates, message }
    }

    fn cases(&self) -> Vec<Case> {
        let [begins, ends] = self.level;
        let levels: String =
            (0..LEVELS).map(|level| begins.replace('#', &level.to_string())).collect();
        let levels = format!("{}{levels}{}{}", self.front, ends.repeat(LEVELS), self.behind);
        let templates = Templates::from_xml(&definitions(&levels)).unwrap();
        let [begin, deeper, end] = self.message;
        let cut = |depth: usize| format!("{begin} {}", deeper.repeat(depth));
        let message = |depth: usize| format!("{} {end} ", cut(depth));
        let mut packets = Vec::new();
        for depth in 3..LEVELS {
            packets.extend([message(depth), message(depth) + &message(1), cut(depth)]);
        }
        packets.push(message(1) + &message(2));
        let packets: Vec<&str> = packets.iter().map(String::as_str).collect();
        [ResetPolicy::Packet, ResetPolicy::Never]
            .into_iter()
            .flat_map(|reset| {
                example(self.name, &compiled(&templates, by(reset)).unwrap(), &packets)
            })
            .collect()
    }
}

const T_ENDS: &str = "</template>";

/// Each kind of what is nested: with frames, with maps, with both.
const DEEP: [Deep; 9] = [
    Deep::nested(
        "deep sequences",
        [r#"<sequence name="S#"><uInt32 name="A#"/>"#, "</sequence>"],
        T_ENDS,
        ["c0 81", " 81 91", "80"],
    ),
    Deep::nested(
        "deep sequences, each first in another",
        [r#"<sequence name="S#">"#, "</sequence>"],
        r#"<uInt32 name="B"/></template>"#,
        ["c0 81", " 81", "80 92"],
    ),
    Deep::nested(
        "deep sequences with something behind each",
        [r#"<sequence name="S#">"#, r#"<uInt32 name="A"/></sequence>"#],
        T_ENDS,
        ["c0 81", " 81", "80 91 92 93 94 95 96 97 98 99"],
    ),
    Deep::nested(
        "deep sequences with maps",
        [r#"<sequence name="S#"><uInt32 name="A#"><copy/></uInt32>"#, "</sequence>"],
        T_ENDS,
        ["c0 81", " 81 c0 91", "80"],
    ),
    Deep::nested(
        "deep sequences whose lengths have operators",
        [r#"<sequence name="S#"><length name="N#"><copy/></length>"#, "</sequence>"],
        T_ENDS,
        ["e0 81", " 81 c0", "80"],
    ),
    Deep::nested(
        "deep groups",
        [r#"<group name="G#" presence="optional"><uInt32 name="A#"><copy/></uInt32>"#, "</group>"],
        T_ENDS,
        ["e0 81", " e0 91", "c0 92"],
    ),
    Deep::calls(
        "deep calls",
        r#"<template name="U" id="2"><uInt32 name="B"><copy/></uInt32><templateRef/></template>"#,
        ["", " e0 82 91", "c0 81 92"],
    ),
    // A call where sequence and call have left no frame; in the one behind, a sequence.
    Deep::calls(
        "deep calls in sequences, in a sequence",
        r#"<template name="U" id="2"><sequence name="S"><templateRef/></sequence></template>
           <template name="V" id="3"><sequence name="P"><sequence name="Q"><templateRef/></sequence>
           </sequence></template>"#,
        ["c0 83 81 81", " c0 82 81", "c0 81 92"],
    ),
    Deep::calls(
        "deep calls in sequences",
        r#"<template name="U" id="2"><sequence name="S"><templateRef/></sequence></template>"#,
        ["", " c0 82 81", "c0 81 92"],
    ),
];

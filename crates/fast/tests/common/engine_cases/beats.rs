//! Cases of rows that take several beats: strings of more than eight bytes in some of their lanes, by themselves and
//! from the dictionary, where elements, calls and messages end, and strings that go over several rows' time up to
//! their limit (MICROCODE.md §6, §8).

use saker_fast::ResetPolicy;
use saker_fast::microcode::assemble;

use super::super::generate::Random;
use super::super::presence;
use super::{Case, Input, PACES, Pace, Templates, by, characters, compiled, ended};

/// One of each policy, at each pace.
pub fn cases() -> Vec<Case> {
    let policies = [ResetPolicy::Packet, ResetPolicy::Message, ResetPolicy::Never];
    let rows = policies.into_iter().flat_map(|reset| PACES.map(|pace| case(reset, pace)));
    let rules = ["yes", "no"].into_iter();
    let limited = rules.flat_map(|strict| PACES.map(|pace| limited(pace, strict)));
    rows.chain(limited).collect()
}

/// Strings and vectors of all lengths about a limit of 40 bytes, with zeros in front of some, and packets that end
/// within one.
fn limited(pace: Pace, strict: &str) -> Case {
    let string = |zeros, length| ended(characters(zeros, length));
    let vector = |length: usize| {
        let mut entity = vec![0x80 | length as u8];
        entity.extend((0..length).map(|at| at as u8));
        entity
    };
    let whole = |zeros: usize, length: usize| {
        let strings = [string(zeros, length), vector(length % 43), string(zeros, 60 - length)];
        [&[0xc0, 0x81], strings.concat().as_slice(), &[0x85]].concat()
    };
    let cut = |zeros: usize, length: usize| [vec![0xc0, 0x81], characters(zeros, length)].concat();
    let each = || (0..5).flat_map(|zeros| (1..60).map(move |length| (zeros, length)));
    let wholes = each().map(|(zeros, length)| whole(zeros, length));
    let packets = wholes.chain(each().map(|(zeros, length)| cut(zeros, length)));
    Case {
        name: format!("strings about a limit, strict {strict}"),
        program: assemble(&LIMITED.replace('%', strict)).unwrap(),
        packets: packets.map(Input::from).collect(),
        pace,
    }
}

const LIMITED: &str = r#".set strict=% reset=packet preamble=0
.set max_text=40 max_elements=65536 max_rows=1048576
.tag 0 - "A"
.tag 1 - "B"
.tag 2 - "C"
.tag 3 - "D"
.template 0 1 "T"
.entry 0 0 r0
r0:     text @0
        bytes @1
        text? @2
        u32 @3 -> end
"#;

const PACKETS: usize = 160;
/// What is wrong from its header on, and is told while the beats before go out: an unknown identifier, one longer than
/// it need be, one without an end, a map without one, nothing.
const WRONG: [&[u8]; 5] = [&[0xc0, 0xff], &[0xc0, 0x00, 0x81], &[0xc0, 0x01], &[0x40], &[]];

/// Templates: of four strings; of four with copies; of vectors with copies; of a sequence of them; of calls of those;
/// of what else may have a value that is not in the stream.
const TEMPLATES: &str = r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
  <template name="S" id="1">
    <string name="A"/><string name="B"/><string name="C"/><string name="D"/>
  </template>
  <template name="C" id="2">
    <string name="A"><copy value="ABCDEFGHIJ"/></string><string name="B"><copy value="KLMNOPQRS"/></string>
    <string name="C"><copy value="A"/></string><string name="D"><copy value="KLMNOPQRSTUVWXYZ"/></string>
  </template>
  <template name="V" id="3">
    <string name="E" charset="unicode"><copy value="ABCDEFGHIJ"/></string>
    <string name="F" charset="unicode"><copy value="KLMNOPQRS"/></string>
    <string name="G" charset="unicode"><copy value="KLMNOPQRSTUVWXYZ"/></string>
    <uInt32 name="H"><copy value="7"/></uInt32>
  </template>
  <template name="Q" id="4">
    <sequence name="I"><string name="J"/><uInt32 name="K"/><string name="L"/><decimal name="M"/></sequence>
  </template>
  <template name="P" id="5"><string name="N"/><templateRef/><string name="O"/><templateRef/></template>
  <template name="D" id="6">
    <string name="Q"><default value="ABCDEFGHIJ"/></string>
    <string name="R" presence="optional"><constant value="KLMNOPQRSTUVWXYZ"/></string>
    <string name="S" presence="optional"><default value="KLMNOPQRS"/></string>
    <string name="T" presence="optional"><constant value="ABCDEFGHIJKL"/></string>
  </template>
</templates>"#;

fn case(reset: ResetPolicy, pace: Pace) -> Case {
    let program = compiled(&Templates::from_xml(TEMPLATES).unwrap(), by(reset)).unwrap();
    let mut random = Random(reset as u64);
    let packets = (0..PACKETS).flat_map(|number| {
        let mut packet = Vec::new();
        for _ in 0..1 + random.below(3) {
            let which = 1 + random.below(6);
            message(&mut random, which, &mut packet);
        }
        let behind = WRONG.get(number % 8).map(|&bytes| Input::from(bytes.to_vec()));
        std::iter::once(Input { bytes: packet, abort: random.chance(3) }).chain(behind)
    });
    Case { name: format!("beats {reset:?}"), packets: packets.collect(), program, pace }
}

/// A message of this template.
fn message(random: &mut Random, which: u64, to: &mut Vec<u8>) {
    let copies = [2, 3, 6].contains(&which).then(|| [0; 4].map(|_| random.chance(50)));
    let bits: String = copies.iter().flatten().map(|&bit| if bit { '1' } else { '0' }).collect();
    // At times a bit is left.
    let left = if random.chance(6) { "1" } else { "" };
    to.extend(presence(&format!("1{bits}{left}")));
    to.push(0x80 | which as u8);
    match (which, copies) {
        (1, _) => (0..4).for_each(|_| string(random, to)),
        (2, Some(streams)) => {
            streams.iter().filter(|&&streams| streams).for_each(|_| string(random, to));
        }
        (3, Some(streams)) => {
            streams[..3].iter().filter(|&&streams| streams).for_each(|_| vector(random, to));
            to.extend(streams[3].then_some(0x89));
        }
        // Constants have a bit and no entity.
        (6, Some([first, _, second, _])) => {
            (0..u8::from(first) + u8::from(second)).for_each(|_| string(random, to));
        }
        (4, _) => {
            let elements = random.below(4) as u8;
            to.push(0x80 | elements);
            for _ in 0..elements {
                string(random, to);
                to.push(0x85);
                string(random, to);
                to.extend([0xfe, 0x86]);
            }
        }
        _ => {
            for _ in 0..2 {
                string(random, to);
                let called = 1 + random.below(4);
                message(random, called, to);
            }
        }
    }
}

/// Lengths of strings: of one beat, of two, seldom too long for a lane.
fn length(random: &mut Random) -> usize {
    if random.chance(1) { 17 } else { *random.pick(&[1, 8, 9, 9, 12, 15, 16]) }
}

fn string(random: &mut Random, to: &mut Vec<u8>) {
    let length = length(random);
    to.extend(ended(characters(0, length)));
}

fn vector(random: &mut Random, to: &mut Vec<u8>) {
    let length = length(random);
    to.push(0x80 | length as u8);
    to.extend((0..length).map(|at| 0x61 + at as u8));
}

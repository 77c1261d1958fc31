//! Cases of rows that take several beats: strings of more than eight bytes in some of their lanes, by themselves and
//! from the dictionary, where elements, calls and messages end (MICROCODE.md §6, §8).

use saker_fast::ResetPolicy;

use super::super::generate::Random;
use super::super::presence;
use super::{Case, Input, Pace, Templates, by, compiled};

/// One of each policy, at each pace.
pub fn cases() -> Vec<Case> {
    let policies = [ResetPolicy::Packet, ResetPolicy::Message, ResetPolicy::Never];
    policies
        .into_iter()
        .flat_map(|reset| [Pace::Full, Pace::Idle].map(|pace| case(reset, pace)))
        .collect()
}

const PACKETS: usize = 60;

/// Templates: of four strings; of four with copies; of vectors with copies; of a sequence of them; of calls of those.
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
</templates>"#;

fn case(reset: ResetPolicy, pace: Pace) -> Case {
    let program = compiled(&Templates::from_xml(TEMPLATES).unwrap(), by(reset)).unwrap();
    let mut random = Random(reset as u64);
    let packets = (0..PACKETS).map(|_| {
        let mut packet = Vec::new();
        for _ in 0..1 + random.below(3) {
            let which = 1 + random.below(5);
            message(&mut random, which, &mut packet);
        }
        Input { bytes: packet, abort: random.chance(3) }
    });
    Case { name: format!("beats {reset:?}"), packets: packets.collect(), program, pace }
}

/// A message of this template.
fn message(random: &mut Random, which: u64, to: &mut Vec<u8>) {
    let copies = [2, 3].contains(&which).then(|| [0; 4].map(|_| random.chance(50)));
    let bits: String = copies.iter().flatten().map(|&bit| if bit { '1' } else { '0' }).collect();
    to.extend(presence(&format!("1{bits}")));
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
    to.extend((0..length).map(|at| 0x41 + at as u8));
    *to.last_mut().unwrap() |= 0x80;
}

fn vector(random: &mut Random, to: &mut Vec<u8>) {
    let length = length(random);
    to.push(0x80 | length as u8);
    to.extend((0..length).map(|at| 0x61 + at as u8));
}

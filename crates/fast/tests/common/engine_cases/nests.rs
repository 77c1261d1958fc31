//! Cases of sequences in sequences, short ones, with and without something before and behind each: whose length comes
//! when another's frame goes, and what is behind in the row (MICROCODE.md §3.1).

use saker_fast::ResetPolicy;
use saker_fast::microcode::Settings;

use super::super::generate::Random;
use super::super::{presence, template};
use super::{Case, Input, PACES, Pace, by, compiled};

const DEPTH: usize = 3;
const PACKETS: usize = 24;

/// Each combination of what is in the levels, at each pace: with strict rules at full pace, else with lax ones.
pub fn cases() -> Vec<Case> {
    let which = 0..1_u64 << (2 * DEPTH + 1);
    which.flat_map(|which| PACES.map(|pace| case(which, pace))).collect()
}

/// Whether a level has a field before the next level, and one behind it; whether lengths have an operator.
struct Levels {
    which: u64,
}

impl Levels {
    fn before(&self, level: usize) -> bool {
        self.which >> level & 1 != 0
    }

    fn behind(&self, level: usize) -> bool {
        // The innermost one has an element at least.
        self.which >> (DEPTH + level) & 1 != 0 || level == DEPTH - 1 && !self.before(level)
    }

    fn copies(&self) -> bool {
        self.which >> (2 * DEPTH) & 1 != 0
    }

    fn xml(&self, level: usize) -> String {
        if level == DEPTH {
            return String::new();
        }
        let length = if self.copies() {
            format!(r#"<length name="L{level}"><copy value="1"/></length>"#)
        } else {
            String::new()
        };
        let field = |name: &str, there: bool| {
            if there { format!(r#"<uInt32 name="{name}{level}"/>"#) } else { String::new() }
        };
        format!(
            r#"<sequence name="S{level}">{length}{}{}{}</sequence>"#,
            field("A", self.before(level)),
            self.xml(level + 1),
            field("B", self.behind(level)),
        )
    }

    /// A sequence of this level. Its length with an operator takes a bit of the map in hand.
    fn message(&self, level: usize, random: &mut Random, bits: &mut String, to: &mut Vec<u8>) {
        if level == DEPTH {
            return;
        }
        let mut elements = random.below(4) as u8;
        let streams = !self.copies() || random.chance(70);
        if self.copies() {
            bits.push(if streams { '1' } else { '0' });
        }
        if streams {
            to.push(0x80 | elements);
        } else {
            // Not always the previous one: what is wrong then ends the packet early.
            elements = 1;
        }
        for element in 0..elements {
            let mut inner = Vec::new();
            let mut map = String::new();
            if self.before(level) {
                inner.push(0x90 | element);
            }
            self.message(level + 1, random, &mut map, &mut inner);
            if self.behind(level) {
                inner.push(0xa0 | element);
            }
            if self.copies() && level + 1 < DEPTH {
                if random.chance(5) {
                    // A bit that nothing tests.
                    map.push('1');
                }
                to.extend(presence(&map));
            }
            to.extend(inner);
        }
    }
}

fn case(which: u64, pace: Pace) -> Case {
    let levels = Levels { which };
    let instructions = format!(r#"{}<uInt32 name="Z"/>"#, levels.xml(0));
    let settings = Settings { strict: pace == Pace::Full, ..by(ResetPolicy::Packet) };
    let program = compiled(&template(&instructions), settings).unwrap();
    let mut random = Random(which);
    let packet = |_| {
        let mut packet = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (mut bits, mut body) = (String::from("1"), vec![0x81]);
            levels.message(0, &mut random, &mut bits, &mut body);
            packet.extend(presence(&bits));
            packet.extend(body);
            packet.push(0x87);
        }
        Input::from(packet)
    };
    let packets = (0..PACKETS).map(packet).collect();
    Case { name: format!("nest {which}"), program, packets, pace }
}

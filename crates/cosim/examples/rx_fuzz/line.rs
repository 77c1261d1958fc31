//! A line on which anything can be: frames, whole and broken, close and far apart, and noise.

use std::collections::VecDeque;

use fastrand::Rng;
use saker_cosim::xgmii::{ERROR, IDLE, PREAMBLE, START, TERMINATE, Word, fcs};

/// A sequence ordered set.
const SEQUENCE: u8 = 0x9c;
const LANES: usize = 8;

/// How often something is wrong, of 256 frames, and how far apart frames are.
pub struct Odds {
    fault: u8,
    noise: u8,
    gap: usize,
}

impl Odds {
    pub fn new(random: &mut Rng) -> Self {
        let mut of = |choices: &[u8]| choices[random.usize(..choices.len())];
        Self {
            fault: of(&[0, 10, 60, 160]),
            noise: of(&[0, 0, 4, 60]),
            gap: usize::from(of(&[1, 9, 40, 250])),
        }
    }
}

#[derive(Default)]
pub struct Line {
    /// What comes: value, and whether it is a control character.
    octets: VecDeque<(u8, bool)>,
}

impl Line {
    /// The next word, of what waits and Idle behind it.
    pub fn next(&mut self) -> Word {
        let mut word = Word { data: 0, control: 0 };
        for lane in 0..LANES {
            let (octet, control) = self.octets.pop_front().unwrap_or((IDLE, true));
            word.data |= u64::from(octet) << (8 * lane);
            word.control |= u8::from(control) << lane;
        }
        word
    }

    /// Whether less than a word waits.
    pub fn wants(&self) -> bool {
        self.octets.len() < LANES
    }

    pub fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// A frame, behind what waits.
    pub fn frame(&mut self, random: &mut Rng, odds: &Odds, frame: &[u8]) {
        if random.u8(..) < odds.noise {
            self.noise(random);
        }
        self.idle(random.usize(..=odds.gap));
        // From lane 0 or 4 on.
        while !self.octets.len().is_multiple_of(LANES / 2) {
            self.idle(1);
        }
        let check = fcs(frame).to_le_bytes();
        let bytes = PREAMBLE.iter().chain(frame).chain(&check);
        let mut octets: Vec<(u8, bool)> = bytes.map(|octet| (*octet, false)).collect();
        octets[0].1 = true;
        octets.push((TERMINATE, true));
        if random.u8(..) < odds.fault {
            self.spoil(random, &mut octets);
        }
        self.octets.extend(octets);
    }

    fn idle(&mut self, count: usize) {
        self.octets.extend(std::iter::repeat_n((IDLE, true), count));
    }

    fn noise(&mut self, random: &mut Rng) {
        for _ in 0..random.usize(1..40) {
            let any = [IDLE, START, TERMINATE, ERROR, 0x55, 0xd5, random.u8(..)];
            self.octets.push_back((any[random.usize(..any.len())], random.bool()));
        }
    }

    fn spoil(&mut self, random: &mut Rng, octets: &mut Vec<(u8, bool)>) {
        let at = random.usize(..octets.len());
        let control = [IDLE, ERROR, START, TERMINATE, SEQUENCE][random.usize(..5)];
        match random.u8(..8) {
            0..3 => octets[at].0 ^= 1 << random.u32(..8),
            3 => octets[at] = (control, true),
            4 => octets.truncate(at + 1),
            5 => {
                octets.truncate(at + 1);
                octets.push((control, true));
            }
            // In the preamble.
            6 => octets[at % LANES].0 ^= 1 << random.u32(..8),
            // Behind the end.
            _ => octets.push((control, random.bool())),
        }
    }
}

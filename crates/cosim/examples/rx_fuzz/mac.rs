//! What a receiving MAC must make of the words of a line (IEEE 802.3 clauses 3, 4 and 46).

use saker_cosim::xgmii::{IDLE, MIN_FRAME, PREAMBLE, START, TERMINATE, Word, fcs};

use super::pulses::Pulses;

const FCS: usize = 4;
const LANES: usize = 8;

/// Cycles from a frame's end to the report of it, if its last word has no byte of the stream, and if it has.
const EVENT: u64 = 2;
const EVENT_LATE: u64 = 3;

/// What became of a frame, as `rx_event_t` has it.
#[derive(Clone, Copy)]
enum Event {
    BadPreamble,
    Giant,
    Runt,
    Coding,
    BadFcs,
    Good,
}

/// A frame of the stream: all bytes that came of it, without FCS, whether it is good or not.
#[derive(Debug)]
pub struct Frame {
    /// Lanes of its first word that are not the frame's.
    pub skew: usize,
    pub stamp: u64,
    /// The cycle of its first word on the line.
    pub first: u64,
    pub len: usize,
    pub good: bool,
    words: Vec<u64>,
}

impl Frame {
    /// A byte; behind the frame's end what was in that lane.
    pub fn octet(&self, at: usize) -> u8 {
        let lane = self.skew + at;
        self.words.get(lane / LANES).map_or(0, |word| word.to_le_bytes()[lane % LANES])
    }

    /// Two bytes in network order.
    pub fn field(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.octet(at), self.octet(at + 1)])
    }

    pub fn bytes(&self) -> Vec<u8> {
        (0..self.len).map(|at| self.octet(at)).collect()
    }

    /// Its last word with bytes of the stream, counted from its first.
    pub fn last(&self) -> usize {
        (self.skew + self.len - 1) / LANES
    }

    /// Up to where the lanes of that are used.
    pub fn last_lanes(&self) -> usize {
        self.skew + self.len - LANES * self.last()
    }
}

/// A frame under way.
struct Open {
    skew: usize,
    stamp: u64,
    first: u64,
    words: Vec<u64>,
}

pub struct Mac {
    /// Bytes of the longest frame, with FCS.
    longest: usize,
    open: Option<Open>,
    pub events: Pulses,
}

impl Mac {
    pub fn new(longest: usize) -> Self {
        Self { longest, open: None, events: Pulses::default() }
    }

    /// Nothing is on the line.
    pub fn is_quiet(&self) -> bool {
        self.open.is_none()
    }

    /// The word of a cycle, with the time of its lanes 0 and 4; the frame that ends in it.
    pub fn word(&mut self, cycle: u64, word: Word, times: [u64; 2]) -> Option<Frame> {
        let octets = word.data.to_le_bytes();
        let ended = self.open.take().and_then(|mut open| {
            if open.words.is_empty() {
                (open.first, open.stamp) = (cycle, times[open.skew / 4]);
                let half = word.control & 0xf == 0 && octets[..4] == PREAMBLE[4..];
                if open.skew == 4 && !half {
                    self.report(cycle + EVENT, Event::BadPreamble);
                    return None;
                }
            }
            self.go_on(open, cycle, word, octets)
        });
        let starts = |lane: usize| word.control >> lane & 1 == 1 && octets[lane] == START;
        let exact_0 = word.control == 1 && octets == PREAMBLE;
        let exact_4 = word.control >> 4 == 1 && octets[4..] == PREAMBLE[..4];
        if exact_0 || exact_4 {
            let skew = if exact_4 { 4 } else { 0 };
            self.open = Some(Open { skew, stamp: 0, first: 0, words: Vec::new() });
        }
        if starts(0) && !exact_0 || starts(4) && !exact_4 {
            self.report(cycle + EVENT, Event::BadPreamble);
        }
        ended
    }

    fn report(&mut self, cycle: u64, event: Event) {
        self.events.add(cycle, 1 << event as u16);
    }

    /// A word of a frame; the first control character ends it, and so does a word too many.
    fn go_on(
        &mut self,
        mut open: Open,
        cycle: u64,
        word: Word,
        octets: [u8; LANES],
    ) -> Option<Frame> {
        let lane = word.control.trailing_zeros() as usize;
        if lane == LANES {
            if open.words.len() == (self.longest + open.skew) / LANES {
                self.report(cycle + EVENT, Event::Giant);
                let len = LANES * open.words.len() - open.skew;
                return Some(open.end(len, false));
            }
            open.words.push(word.data);
            self.open = Some(open);
            return None;
        }
        open.words.push(word.data);
        let len = LANES * (open.words.len() - 1) + lane - open.skew;
        let event = if octets[lane] != TERMINATE {
            Event::Coding
        } else if len > self.longest {
            Event::Giant
        } else if len < MIN_FRAME + FCS {
            Event::Runt
        } else if open.is_right(len, &octets[lane + 1..]) {
            Event::Good
        } else {
            Event::BadFcs
        };
        // In the last word's lanes up to the fourth there is no byte but of the FCS.
        let has_bytes = lane > FCS && !(open.skew == 4 && open.words.len() == 1);
        self.report(cycle + if has_bytes { EVENT_LATE } else { EVENT }, event);
        (len > FCS).then(|| open.end(len - FCS, matches!(event, Event::Good)))
    }
}

impl Open {
    fn end(self, len: usize, good: bool) -> Frame {
        let Self { skew, stamp, first, words } = self;
        Frame { skew, stamp, first, len, good, words }
    }

    /// Whether the FCS is, and Idle behind a Terminate in the last three lanes (`xgmii_rx`).
    fn is_right(&self, len: usize, behind: &[u8]) -> bool {
        let octets: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (bytes, check) = octets[self.skew..self.skew + len].split_at(len - FCS);
        fcs(bytes).to_le_bytes() == check
            && (behind.len() >= 3 || behind.iter().all(|octet| *octet == IDLE))
    }
}

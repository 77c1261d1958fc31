//! The line behind the sender: when it takes a word, and when a frame's first byte is out.

use std::collections::VecDeque;

use fastrand::Rng;

/// Cycles from a frame's first word to its first byte on XGMII.
const FIRST_BYTE: usize = 2;
/// Words of the shortest frame on the line.
const SHORTEST: u64 = 8;
/// Words of the host's longest frame.
const LONGEST: u64 = 190;

/// When words are taken.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// As `net_tx` does: a frame once begun is taken without a pause; then come padding and the gap between frames,
    /// and, of 256 cycles in which the line is idle, a frame of the host in so many.
    Mac { host: u8 },
    /// In any cycle, so many of 256: what the sender promises for any stream.
    Any(u8),
}

/// What the sender sees of the line in a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub ready: bool,
    /// Now, in a frame's lane 0 and 4.
    pub now: u64,
    pub now_lane4: u64,
    /// A first byte is out, in lane 4 or not.
    pub first: Option<bool>,
}

pub struct Line {
    pace: Pace,
    ready: bool,
    now: u64,
    /// Words of the frame under way.
    words: u64,
    /// Cycles until the line is idle.
    busy: u64,
    /// First bytes that will be out, the next cycle's first.
    firsts: VecDeque<bool>,
}

impl Line {
    pub fn new(pace: Pace, now: u64) -> Self {
        Self {
            pace,
            ready: false,
            now,
            words: 0,
            busy: 4,
            firsts: VecDeque::from([false; FIRST_BYTE]),
        }
    }

    /// From a rest on.
    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// What this cycle shows.
    pub fn begin(&mut self, random: &mut Rng) -> Seen {
        self.now = self.now.wrapping_add(random.u64(6..=7));
        self.ready = match self.pace {
            Pace::Mac { .. } => self.busy == 0,
            Pace::Any(of) => random.u8(..) < of,
        };
        let first = self.firsts.pop_front() == Some(true);
        Seen {
            ready: self.ready,
            now: self.now,
            now_lane4: self.now.wrapping_add(3),
            first: first.then(|| random.bool()),
        }
    }

    /// What the sender offered in this cycle: a word, the last one.
    pub fn end(&mut self, random: &mut Rng, valid: bool, last: bool) {
        let (taken, words) = (valid && self.ready, self.words);
        if taken {
            self.words = if last { 0 } else { words + 1 };
        }
        self.firsts.push_back(taken && words == 0);
        self.busy = self.busy.saturating_sub(1);
        let Pace::Mac { host } = self.pace else {
            self.busy = 0;
            return;
        };
        if taken && last {
            self.busy = SHORTEST.saturating_sub(words + 1) + random.u64(2..=4);
        } else if !valid && words == 0 && self.busy == 0 && random.u8(..) < host {
            // Its first byte is out while a first word of ours waits for its end.
            self.busy = random.u64(SHORTEST..LONGEST) + 4;
            if let Some(first) = self.firsts.back_mut() {
                *first = true;
            }
        }
    }
}

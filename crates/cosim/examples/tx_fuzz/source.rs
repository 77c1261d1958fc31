//! A stream of frames, offered word by word.

use std::collections::VecDeque;

use fastrand::Rng;

const LANES: usize = 8;

/// How frames come, of 256 cycles.
#[derive(Clone, Copy)]
pub struct Odds {
    /// A frame begins, where none is offered.
    pub frame: u8,
    /// A word does not come in time, and then comes.
    pub pause: u8,
    pub resume: u8,
    /// Of 256 words, so many poison their frame.
    pub poison: u8,
    /// Bytes of the longest frame.
    pub longest: usize,
}

/// A word on offer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offer {
    pub valid: bool,
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub poison: bool,
}

/// A frame of which a word was offered.
#[derive(Debug, Clone)]
pub struct Frame {
    /// As it must be on the line, without padding and FCS.
    pub bytes: Vec<u8>,
    pub poisoned: bool,
    /// When its first word was first offered, and when it was taken.
    pub offered: u64,
    pub taken: Option<u64>,
    /// Words that were taken before one was wanted and not there.
    pub until: Option<usize>,
}

pub struct Source {
    /// Lanes without a byte are zero.
    clean: bool,
    /// The frame that is offered, the word that is, and whether each poisons.
    frame: Option<Frame>,
    word: usize,
    poisons: bool,
    pauses: bool,
    /// Frames that were taken whole, and of which not all has been on the line.
    pub sent: VecDeque<Frame>,
}

impl Source {
    pub fn new(clean: bool) -> Self {
        let sent = VecDeque::new();
        Self { clean, frame: None, word: 0, poisons: false, pauses: false, sent }
    }

    /// Nothing is offered, and everything that was is on the line.
    pub fn is_idle(&self) -> bool {
        self.frame.is_none() && self.sent.is_empty()
    }

    /// The frame of which some words were taken.
    pub fn under_way(&self) -> Option<&Frame> {
        self.frame.as_ref().filter(|_| self.word != 0)
    }

    /// What is offered in this cycle; a frame that has begun goes on, and `begins` says whether another one may.
    pub fn offer(&mut self, random: &mut Rng, odds: &Odds, cycle: u64, begins: bool) -> Offer {
        if self.frame.is_none() && begins && random.u8(..) < odds.frame {
            let length = random.usize(1..=odds.longest);
            let bytes = (0..length).map(|_| random.u8(..)).collect();
            self.frame =
                Some(Frame { bytes, poisoned: false, offered: cycle, taken: None, until: None });
            (self.word, self.pauses) = (0, false);
            self.poisons = random.u8(..) < odds.poison;
        }
        let Some(frame) = &self.frame else { return nothing(random) };
        if self.pauses && self.word != 0 {
            return nothing(random);
        }
        let rest = &frame.bytes[LANES * self.word..];
        let count = rest.len().min(LANES);
        let fill = |random: &mut Rng| if self.clean { 0 } else { random.u8(..) };
        let lanes: [u8; LANES] =
            std::array::from_fn(|lane| if lane < count { rest[lane] } else { fill(random) });
        Offer {
            valid: true,
            data: u64::from_le_bytes(lanes),
            keep: (0xff_u16 >> (LANES - count)) as u8,
            last: rest.len() <= LANES,
            poison: self.poisons,
        }
    }

    /// What was offered was taken, or not, or something was wanted that was not there.
    pub fn end(&mut self, random: &mut Rng, odds: &Odds, cycle: u64, offer: &Offer, ready: bool) {
        let pauses = if self.pauses { 255 - odds.resume } else { odds.pause };
        let Some(frame) = self.frame.as_mut() else { return };
        if ready && !offer.valid && self.word != 0 {
            frame.until.get_or_insert(self.word);
        }
        if offer.valid && ready {
            frame.taken.get_or_insert(cycle);
            frame.poisoned |= offer.poison;
            self.word += 1;
            self.poisons = random.u8(..) < odds.poison;
        }
        if !offer.valid || ready {
            self.pauses = random.u8(..) < pauses;
        }
        if offer.valid && ready && offer.last {
            self.sent.extend(self.frame.take());
        }
    }
}

/// Anything stands where no word is offered.
fn nothing(random: &mut Rng) -> Offer {
    Offer {
        valid: false,
        data: random.u64(..),
        keep: random.u8(..),
        last: random.bool(),
        poison: random.bool(),
    }
}

//! Frames to XGMII words and back (IEEE 802.3 clause 46): 64 bits and eight control flags a cycle.

use std::collections::VecDeque;

/// Idle.
pub const IDLE: u8 = 0x07;
/// Start of a frame, in place of the first octet of its preamble.
pub const START: u8 = 0xfb;
/// End of a frame.
pub const TERMINATE: u8 = 0xfd;
/// Something on the line is wrong.
pub const ERROR: u8 = 0xfe;
/// Start, preamble and start-of-frame delimiter.
pub const PREAMBLE: [u8; 8] = [START, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];
/// The shortest frame without its FCS.
pub const MIN_FRAME: usize = 60;
/// The longest frame that is collected, with FCS; what is longer ends with [`Ending::Coding`].
const MAX_FRAME: usize = 16 * 1024;
/// Bytes between Terminate and the next Start, Terminate included: the least that a receiver sees
/// when every sender counts its deficit.
const MIN_GAP: u64 = 5;

/// One cycle of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Eight octets, lane 0 lowest.
    pub data: u64,
    /// Which of them are control characters.
    pub control: u8,
}

impl Word {
    /// Nothing but Idle.
    pub const IDLE: Self = Self { data: 0x0707_0707_0707_0707, control: 0xff };

    fn put(&mut self, lane: u64, octet: u8, control: bool) {
        self.data = self.data & !(0xff << (8 * lane)) | u64::from(octet) << (8 * lane);
        self.control = self.control & !(1 << lane) | u8::from(control) << lane;
    }
}

/// The FCS of a frame.
pub fn fcs(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !crc
}

/// Frames on their way into the line, as words by cycle.
#[derive(Debug, Default)]
pub struct Framer {
    /// The cycle of the first word, and the words from there on.
    first: u64,
    words: VecDeque<Word>,
    /// The octet (8 a cycle) behind the last frame's Terminate; the next Start keeps its distance.
    free: u64,
}

impl Framer {
    /// Puts a frame on the line. Its Start is in the first lane 0 or 4 from octet `from` (8 a cycle)
    /// on, or later if the line is not free; returns that octet. `cycle` is the cycle that the line is
    /// in: earlier words are gone. A frame whose FCS is not good ends with an inverted one.
    pub fn push(&mut self, cycle: u64, from: u64, frame: &[u8], good: bool) -> u64 {
        let start = from.max(8 * cycle).max(self.free).next_multiple_of(4);
        let mut bytes = frame.to_vec();
        bytes.resize(bytes.len().max(MIN_FRAME), 0);
        let check = fcs(&bytes) ^ if good { 0 } else { u32::MAX };
        bytes.extend_from_slice(&check.to_le_bytes());
        if self.words.is_empty() {
            self.first = start / 8;
        }
        let octets = PREAMBLE.into_iter().chain(bytes).chain([TERMINATE]);
        let length = octets.clone().count() as u64;
        let last = start + length - 1;
        let words = (last / 8 + 1 - self.first) as usize;
        if self.words.len() < words {
            self.words.resize(words, Word::IDLE);
        }
        for (octet, at) in octets.zip(start..) {
            let control = at == start || at == last;
            let word = (at / 8 - self.first) as usize;
            if let Some(word) = self.words.get_mut(word) {
                word.put(at % 8, octet, control);
            }
        }
        self.free = last + MIN_GAP;
        start
    }

    /// The word of `cycle`; cycles are asked in order.
    pub fn pop(&mut self, cycle: u64) -> Word {
        if self.words.is_empty() || cycle < self.first {
            return Word::IDLE;
        }
        self.first += 1;
        self.words.pop_front().unwrap_or(Word::IDLE)
    }

    /// Whether nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// How a frame on the line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With a good FCS.
    Good,
    /// With a wrong FCS: nobody will take it.
    BadFcs,
    /// With another control character, or never.
    Coding,
}

/// A frame that was on the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFrame {
    /// The octet (8 a cycle) of its Start.
    pub start: u64,
    /// The octet of its Terminate.
    pub end: u64,
    /// Ethernet header to payload or padding, without FCS.
    pub bytes: Vec<u8>,
    /// How it ended.
    pub ending: Ending,
}

/// Words of the line to frames.
#[derive(Debug, Default)]
pub struct Deframer {
    start: Option<u64>,
    bytes: Vec<u8>,
}

impl Deframer {
    /// Takes the word of `cycle`; returns the frame that ends in it. Of two Starts in one frame the
    /// second counts.
    pub fn push(&mut self, cycle: u64, word: Word) -> Option<LineFrame> {
        if self.start.is_none() && word == Word::IDLE {
            return None;
        }
        let mut ended = None;
        for lane in 0..8 {
            let octet = (word.data >> (8 * lane)) as u8;
            let control = word.control >> lane & 1 == 1;
            let at = 8 * cycle + lane;
            match (self.start, control, octet) {
                (_, true, START) => {
                    self.start = Some(at);
                    self.bytes.clear();
                }
                (Some(start), true, octet) => {
                    self.start = None;
                    ended = Some(self.finish(start, at, octet == TERMINATE));
                }
                (Some(_), false, octet) if self.bytes.len() < MAX_FRAME => self.bytes.push(octet),
                _ => {}
            }
        }
        ended
    }

    /// The octet of the Start of the frame that is on the line.
    pub fn started(&self) -> Option<u64> {
        self.start
    }

    fn finish(&mut self, start: u64, end: u64, terminated: bool) -> LineFrame {
        let frame = self.bytes.get(PREAMBLE.len() - 1..).unwrap_or_default();
        let preamble = self.bytes.starts_with(&PREAMBLE[1..]);
        let (bytes, ending) = match frame.split_last_chunk::<4>() {
            Some((bytes, check)) if terminated && preamble => {
                let good = fcs(bytes).to_le_bytes() == *check;
                (bytes.to_vec(), if good { Ending::Good } else { Ending::BadFcs })
            }
            _ => (frame.to_vec(), Ending::Coding),
        };
        LineFrame { start, end, bytes, ending }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use super::*;

    #[test]
    fn fcs_is_that_of_the_standard() {
        assert_eq!(fcs(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn frames_come_back_as_they_went() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut framer = Framer::default();
        let mut deframer = Deframer::default();
        let mut sent = Vec::new();
        let mut from = 0;
        for _ in 0..200 {
            let frame: Vec<u8> = (0..rng.usize(14..300)).map(|_| rng.u8(..)).collect();
            let good = rng.u8(..) > 20;
            from += rng.u64(0..400);
            let start = framer.push(0, from, &frame, good);
            assert!(start >= from && start.is_multiple_of(4));
            sent.push((start, frame, good));
        }
        let mut sent = sent.into_iter();
        for cycle in 0.. {
            if framer.is_empty() {
                break;
            }
            let Some(found) = deframer.push(cycle, framer.pop(cycle)) else { continue };
            let (start, mut frame, good) = sent.next().unwrap();
            frame.resize(frame.len().max(MIN_FRAME), 0);
            let ending = if good { Ending::Good } else { Ending::BadFcs };
            assert_eq!((found.start, found.ending), (start, ending));
            assert_eq!(found.bytes, frame);
            assert_eq!(found.end, start + 8 + frame.len() as u64 + 4);
        }
        assert_eq!(sent.next(), None);
    }

    #[test]
    fn a_cut_frame_is_told() {
        let mut framer = Framer::default();
        framer.push(0, 0, &[7; 80], true);
        let mut deframer = Deframer::default();
        for cycle in 0..4 {
            assert_eq!(deframer.push(cycle, framer.pop(cycle)), None);
        }
        assert_eq!(deframer.started(), Some(0));
        let cut = deframer.push(4, Word::IDLE).unwrap();
        assert_eq!(cut.ending, Ending::Coding);
    }
}

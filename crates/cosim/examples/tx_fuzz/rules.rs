//! What must be on the line: each side's frames whole and in their order, the fast path's first, with the gaps of IEEE
//! 802.3 clause 46.3.1.4 (deficit idle count).

use std::collections::VecDeque;

use saker_cosim::xgmii::{ERROR, IDLE, MIN_FRAME, PREAMBLE, START, TERMINATE, Word, fcs};

use super::source::{Frame, Source};

const LANES: u64 = 8;
/// Bytes from Terminate to the next Start, on average; by how many one may be short for others that were long; and the
/// most there are in front of a frame that waits.
const GAP: u64 = 12;
const DEFICIT: u64 = 3;
const LONGEST_GAP: u64 = 15;
/// Cycles from the first word of a frame of the fast path to Start, and from one of the host at least.
const START_FAST: u64 = 1;
const START_HOST: u64 = 2;
/// Cycles behind Terminate, and behind the rest of the fast path's frame that was cut, from which on the line is free.
const FREE: u64 = 4;
/// Cycles that a frame's end on the line and the report of it may be apart.
const APART: u64 = 3;

/// The two streams in a cycle, and what the logic says of them.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub word: Word,
    /// The line is the host's.
    pub granted: bool,
    pub fast_valid: bool,
    pub fast_ready: bool,
    pub first: bool,
    pub first_lane4: bool,
    /// `tx_event_t`.
    pub event: u64,
}

/// How a frame ended, as `tx_event_t` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Underflow = 1,
    Poisoned = 2,
    Sent = 4,
}

impl End {
    /// Of a frame that was not cut, by its FCS.
    fn of(octets: &[u8]) -> Self {
        match octets.split_last_chunk() {
            Some((bytes, check)) if fcs(bytes).to_le_bytes() == *check => Self::Sent,
            _ => Self::Poisoned,
        }
    }
}

/// A frame that was on the line.
#[derive(Debug)]
struct OnLine {
    /// The octet of its Start.
    start: u64,
    /// From the preamble to its end.
    octets: Vec<u8>,
    end: End,
}

/// What was on the line.
#[derive(Default, Clone, Copy)]
pub struct Counts {
    pub fast: u64,
    pub host: u64,
    pub poisoned: u64,
    pub cut: u64,
    pub lane4: u64,
    pub short_gaps: u64,
}

#[derive(Default)]
pub struct Rules {
    /// The octet of the Start of the frame that is on the line, and what came of it.
    start: Option<u64>,
    octets: Vec<u8>,
    errors: usize,
    /// The octet of the last Terminate, whether that was of a frame that was cut, and what gaps were short by.
    end: Option<u64>,
    cut: bool,
    deficit: u64,
    /// The last cycle in which the rest of a frame of the fast path that was cut was awaited: a host's holds up nobody.
    drains: Option<u64>,
    /// Frames that were on the line and are not told yet whose they were: the fast path's, and the host's.
    fast: VecDeque<OnLine>,
    host: VecDeque<OnLine>,
    /// Ends that were seen, and those that were told, with their cycles.
    ends: VecDeque<(u64, End)>,
    told: VecDeque<(u64, u64)>,
    /// When a first byte is on the line, and whether in lane 4.
    first: Option<(u64, bool)>,
    /// A cycle ago: the line was the host's, and the fast path had a word.
    granted: bool,
    fast_valid: bool,
    pub counts: Counts,
}

impl Rules {
    /// From these counts on.
    pub fn new(counts: Counts) -> Self {
        Self { counts, ..Self::default() }
    }

    /// Nothing is on the line, and all is told.
    pub fn is_idle(&self) -> bool {
        self.start.is_none()
            && self.fast.is_empty()
            && self.host.is_empty()
            && self.ends.is_empty()
            && self.told.is_empty()
    }

    pub fn cycle(
        &mut self,
        cycle: u64,
        seen: &Seen,
        fast: &mut Source,
        host: &mut Source,
    ) -> Result<(), String> {
        if seen.granted && !self.granted && (self.fast_valid || fast.under_way().is_some()) {
            return Err("the host is let in before the fast path".to_owned());
        }
        if fast.under_way().is_some_and(|frame| frame.until.is_some()) {
            self.drains = Some(cycle);
        }
        let word = seen.word;
        for lane in 0..LANES {
            let octet = (word.data >> (8 * lane)) as u8;
            let is_control = word.control >> lane & 1 == 1;
            self.octet(LANES * cycle + lane, octet, is_control, fast)?;
        }
        self.is_prompt(cycle, seen)?;
        while let Some(line) = self.fast.pop_front_if(|_| !fast.sent.is_empty()) {
            let frame = fast.sent.pop_front().ok_or("no frame")?;
            let taken = frame.taken;
            if taken.is_none_or(|taken| line.start / LANES != taken + START_FAST) {
                return Err(format!("an order taken in cycle {taken:?} starts at {}", line.start));
            }
            self.compare(&line, &frame)?;
            self.counts.fast += 1;
        }
        while let Some(line) = self.host.pop_front_if(|_| !host.sent.is_empty()) {
            let frame = host.sent.pop_front().ok_or("no frame")?;
            let taken = frame.taken;
            if taken.is_none_or(|taken| line.start / LANES < taken + START_HOST) {
                return Err(format!(
                    "a host's frame taken in cycle {taken:?} starts at {}",
                    line.start
                ));
            }
            self.compare(&line, &frame)?;
            self.counts.host += 1;
        }
        self.reports(cycle, seen)?;
        (self.granted, self.fast_valid) = (seen.granted, seen.fast_valid);
        Ok(())
    }

    /// First bytes are told as they leave, ends soon, each in its order.
    fn reports(&mut self, cycle: u64, seen: &Seen) -> Result<(), String> {
        let first = self.first.take_if(|(at, _)| *at == cycle).map(|(_, lane4)| lane4);
        if (seen.first, seen.first_lane4) != (first.is_some(), first == Some(true)) {
            return Err(format!("first byte {first:?}, and told {seen:?}"));
        }
        if seen.event != 0 {
            self.told.push_back((cycle, seen.event));
        }
        while let (Some((at, end)), Some((told_at, told))) = (self.ends.front(), self.told.front())
        {
            if *end as u64 != *told || at.abs_diff(*told_at) > APART {
                return Err(format!("{end:?} in cycle {at}, and {told:03b} told in {told_at}"));
            }
            self.ends.pop_front();
            self.told.pop_front();
        }
        Ok(())
    }

    /// On a free line the fast path's first word is taken at once.
    fn is_prompt(&self, cycle: u64, seen: &Seen) -> Result<(), String> {
        let since = self.end.map(|end| end / LANES).max(self.drains);
        let free = self.start.is_none() && since.is_some_and(|since| since + FREE <= cycle);
        if free && seen.fast_valid && !seen.granted && !self.granted && !seen.fast_ready {
            return Err("the line is free, and the fast path waits".to_owned());
        }
        Ok(())
    }

    fn octet(&mut self, at: u64, octet: u8, is_control: bool, fast: &Source) -> Result<(), String> {
        match (self.start, is_control, octet) {
            (None, true, IDLE) => Ok(()),
            (None, true, START) if at.is_multiple_of(4) => self.starts(at, fast),
            (Some(start), false, octet) if self.errors == 0 => {
                let index = (at - start) as usize;
                if PREAMBLE.get(index).is_some_and(|wanted| *wanted != octet) {
                    return Err(format!("octet {index} of a preamble is {octet:x}"));
                }
                if index >= PREAMBLE.len() {
                    self.octets.push(octet);
                }
                Ok(())
            }
            (Some(_), true, ERROR) => {
                self.errors += 1;
                Ok(())
            }
            (Some(start), true, TERMINATE) => {
                self.start = None;
                self.end = Some(at);
                self.cut = self.errors != 0;
                let octets = std::mem::take(&mut self.octets);
                self.errors = 0;
                let end = if self.cut { End::Underflow } else { End::of(&octets) };
                self.ends.push_back((at / LANES, end));
                let line = OnLine { start, octets, end };
                let is_fast = fast_starts(fast, start).is_some();
                if is_fast {
                    self.fast.push_back(line)
                } else {
                    self.host.push_back(line)
                }
                Ok(())
            }
            (start, ..) => {
                Err(format!("{octet:x}, control {is_control}, with {start:?} on the line"))
            }
        }
    }

    /// A Start: far enough from the last end, and not too far if the frame was waiting.
    fn starts(&mut self, at: u64, fast: &Source) -> Result<(), String> {
        (self.start, self.first) = (Some(at), Some((at / LANES + 1, at % LANES == 4)));
        self.counts.lane4 += u64::from(at % LANES == 4);
        let Some(end) = self.end else { return Ok(()) };
        let gap = at - end;
        if self.cut {
            // Behind that the count begins anew.
            self.deficit = 0;
        }
        self.deficit = (self.deficit + GAP).saturating_sub(gap);
        if self.deficit > DEFICIT {
            return Err(format!("a gap of {gap} bytes, {} short in all", self.deficit));
        }
        self.counts.short_gaps += u64::from(gap < GAP);
        let waited =
            fast_starts(fast, at).is_some_and(|frame| LANES * frame.offered <= end) && !self.cut;
        if waited && gap > LONGEST_GAP {
            return Err(format!("a gap of {gap} bytes, and a frame of the fast path waited"));
        }
        Ok(())
    }

    /// A frame on the line, and the one that it must be.
    fn compare(&mut self, line: &OnLine, frame: &Frame) -> Result<(), String> {
        let mut bytes = frame.bytes.clone();
        let end = match frame.until {
            Some(words) => {
                bytes.truncate(LANES as usize * words);
                self.counts.cut += 1;
                End::Underflow
            }
            None => {
                bytes.resize(bytes.len().max(MIN_FRAME), 0);
                let flip = if frame.poisoned { u32::MAX } else { 0 };
                bytes.extend_from_slice(&(fcs(&bytes) ^ flip).to_le_bytes());
                self.counts.poisoned += u64::from(frame.poisoned);
                if frame.poisoned { End::Poisoned } else { End::Sent }
            }
        };
        if (&line.octets, line.end) != (&bytes, end) {
            return Err(format!("{line:x?}, not {bytes:x?}, {end:?}"));
        }
        Ok(())
    }
}

/// The frame of the fast path whose Start this is.
fn fast_starts(fast: &Source, start: u64) -> Option<&Frame> {
    let mut frames = fast.sent.iter().chain(fast.under_way());
    frames.find(|frame| frame.taken == Some(start / LANES - START_FAST))
}

//! The host's frames: each whole and in order, or lost because there was no room.

use std::collections::VecDeque;

use super::mac::Frame;

/// Cycles from a frame's last word on the line to the report that it had no room; one more if its last bytes take a
/// beat of their own.
const OVERFLOW: u64 = 6;
/// Beats that the room may be short of by what is found a cycle ahead.
const SLACK: usize = 2;
const LANES: usize = 8;

/// A beat that the host takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub stamp: u64,
}

/// A frame on its way.
struct Coming {
    bytes: Vec<u8>,
    stamp: u64,
    /// When it is told if there was no room.
    told: u64,
}

impl Coming {
    fn beats(&self) -> usize {
        self.bytes.len().div_ceil(LANES)
    }
}

/// What became of frames.
#[derive(Default, Clone, Copy)]
pub struct Fates {
    pub delivered: u64,
    pub lost: u64,
}

pub struct Host {
    /// What there is room for.
    beats: usize,
    frames: usize,
    coming: VecDeque<Coming>,
    waiting: VecDeque<Coming>,
    /// Of the first that waits, what was taken.
    taken: Vec<u8>,
    /// When beats were taken of late, and whether each was a frame's last.
    reads: VecDeque<(u64, bool)>,
    pub fates: Fates,
}

impl Host {
    pub fn new(beats: usize, frames: usize, fates: Fates) -> Self {
        Self {
            beats,
            frames,
            coming: VecDeque::new(),
            waiting: VecDeque::new(),
            taken: Vec::new(),
            reads: VecDeque::new(),
            fates,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.coming.is_empty() && self.waiting.is_empty()
    }

    /// A frame whose last word was on the line.
    pub fn frame(&mut self, frame: &Frame) {
        let rest = frame.skew == 4 && frame.last_lanes() > 4;
        let told = frame.first + frame.last() as u64 + OVERFLOW + u64::from(rest);
        self.coming.push_back(Coming { bytes: frame.bytes(), stamp: frame.stamp, told });
    }

    /// What a cycle showed.
    pub fn cycle(&mut self, cycle: u64, overflow: bool, beat: Option<Beat>) -> Result<(), String> {
        let told = self.coming.pop_front_if(|coming| coming.told == cycle);
        match told {
            Some(coming) if overflow => {
                self.check_full(&coming, cycle)?;
                self.fates.lost += 1;
            }
            Some(coming) => self.waiting.push_back(coming),
            None if overflow => {
                return Err("no frame for the host ended, and one was lost".to_owned());
            }
            None => {}
        }
        beat.map_or(Ok(()), |beat| self.take(cycle, beat))
    }

    /// Whether there may have been no room for this frame, at any time while it came.
    fn check_full(&self, coming: &Coming, cycle: u64) -> Result<(), String> {
        let since = cycle.saturating_sub(coming.beats() as u64 + OVERFLOW);
        let reads = self.reads.iter().filter(|(at, _)| *at >= since);
        let waited: usize = self.waiting.iter().map(Coming::beats).sum();
        let frames = self.waiting.len() + reads.clone().filter(|(_, last)| *last).count();
        let beats = waited - self.taken.len().div_ceil(LANES) + reads.count();
        if frames >= self.frames || beats + coming.beats() + SLACK > self.beats {
            return Ok(());
        }
        Err(format!(
            "the host's frame of {} bytes was lost with {frames} frames, {beats} beats",
            coming.bytes.len()
        ))
    }

    fn take(&mut self, cycle: u64, beat: Beat) -> Result<(), String> {
        let count = beat.keep.trailing_ones() as usize;
        if beat.keep.count_ones() as usize != count || count == 0 || !beat.last && count != LANES {
            return Err(format!("the host's {beat:x?} has gaps"));
        }
        self.taken.extend_from_slice(&beat.data.to_le_bytes()[..count]);
        self.reads.push_back((cycle, beat.last));
        while self.reads.len() > 2 * self.beats {
            self.reads.pop_front();
        }
        let Some(front) = self.waiting.front() else {
            return Err("the host gets a frame that is none".to_owned());
        };
        if beat.stamp != front.stamp {
            return Err(format!("the host's frame has stamp {}, not {}", beat.stamp, front.stamp));
        }
        let whole = if beat.last {
            &front.bytes
        } else {
            front.bytes.get(..self.taken.len()).unwrap_or_default()
        };
        if self.taken != *whole {
            return Err(format!("the host gets {:x?}, not {:x?}", self.taken, front.bytes));
        }
        if beat.last {
            self.taken.clear();
            self.waiting.pop_front();
            self.fates.delivered += 1;
        }
        Ok(())
    }
}

//! A packet on its way through the intake, and what becomes of packets.

use super::parser::Beat;

/// A packet that comes or has come, and was not dropped.
#[derive(Debug)]
pub struct Packet {
    pub arrived: u64,
    pub beats: Vec<Beat>,
    pub behind_gap: bool,
    /// All of it has come: whether it ended well.
    pub good: Option<bool>,
    /// How many beats waited when it began to come, and at most while it came.
    pub crowd: usize,
    pub most: usize,
    /// The FIFO ended it.
    pub cut: bool,
    /// When its beginning was told, and whether it goes on.
    pub begun: Option<(u64, bool)>,
    /// Beats that the reader took; the end that it got: whether the packet was cut there, and whether it was good.
    pub taken: usize,
    pub end: Option<(bool, bool)>,
    pub swallowed: bool,
    /// What was told at its end.
    pub told: Option<bool>,
}

impl Packet {
    /// One that begins to come.
    pub fn new(arrived: u64, behind_gap: bool, crowd: usize) -> Self {
        Self {
            arrived,
            beats: Vec::new(),
            behind_gap,
            good: None,
            crowd,
            most: crowd,
            cut: false,
            begun: None,
            taken: 0,
            end: None,
            swallowed: false,
            told: None,
        }
    }

    pub fn stamp(&self) -> u64 {
        self.beats.first().map_or(0, |beat| beat.stamp)
    }

    /// Beats of it that wait, or more: of one that is swallowed it is not seen when.
    pub fn waiting(&self) -> usize {
        if self.swallowed { 0 } else { self.beats.len().saturating_sub(self.taken) }
    }

    /// Nothing says that it does not go on.
    pub fn may_go_on(&self) -> bool {
        self.begun.is_none_or(|(_, goes_on)| goes_on)
    }

    /// Nothing more of it leaves.
    pub fn is_out(&self) -> bool {
        self.end.is_some() || self.swallowed
    }

    /// All came, all was told and nothing is left of it: what was told must be so.
    pub fn check(&self) -> Result<(), String> {
        let good = self.good == Some(true) && !self.cut;
        let same = self.end.is_none_or(|end| end == (self.cut, good));
        if self.told == Some(good) && same && self.may_go_on() != self.swallowed {
            return Ok(());
        }
        Err(format!("{self:x?} ends"))
    }
}

/// What became of packets.
#[derive(Debug, Default, Clone, Copy)]
pub struct Fates {
    pub whole: u64,
    pub dropped: u64,
    pub cut: u64,
    pub swallowed: u64,
    pub behind_gap: u64,
    pub held: u64,
}

//! What a link counts.

use serde::Serialize;

/// Why a frame did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// The queue in front of the line was full (tail drop).
    Queue,
    /// The line lost it.
    Loss,
    /// Bits flipped; the receiving port found the FCS wrong.
    Corrupt,
    /// Shorter than an Ethernet header or longer than the line's maximum.
    Length,
}

/// Frames dropped, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Drops {
    /// [`DropReason::Queue`].
    pub queue: u64,
    /// [`DropReason::Loss`].
    pub loss: u64,
    /// [`DropReason::Corrupt`].
    pub corrupt: u64,
    /// [`DropReason::Length`].
    pub length: u64,
}

impl Drops {
    pub(crate) fn count(&mut self, reason: DropReason) {
        match reason {
            DropReason::Queue => self.queue += 1,
            DropReason::Loss => self.loss += 1,
            DropReason::Corrupt => self.corrupt += 1,
            DropReason::Length => self.length += 1,
        }
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.queue + self.loss + self.corrupt + self.length
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.queue += other.queue;
        self.loss += other.loss;
        self.corrupt += other.corrupt;
        self.length += other.length;
    }
}

/// The counts of one direction of a link. Bytes are those of padded frames without FCS.
///
/// `offered + duplicated = delivered + drops.total()` when nothing is on the way; see
/// [`LinkCount::on_the_way`](super::LinkCount::on_the_way).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LinkStats {
    /// Frames the sending station handed over.
    pub offered: u64,
    /// Their bytes.
    pub offered_bytes: u64,
    /// Frames accepted for transmission: offered ones that neither the queue nor the length limit
    /// refused.
    pub sent: u64,
    /// Second copies the line made.
    pub duplicated: u64,
    /// Frames that took the longer path.
    pub reordered: u64,
    /// Frames handed to the receiving station.
    pub delivered: u64,
    /// Their bytes.
    pub delivered_bytes: u64,
    /// Most bytes that ever waited behind the frame being sent.
    pub queue_peak_bytes: u64,
    /// Frames that did not arrive.
    pub drops: Drops,
}

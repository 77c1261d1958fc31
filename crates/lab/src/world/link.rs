//! One direction of a link: serialisation, queue, and what may go wrong on the way.
//!
//! Time on the line is kept in picoseconds, so that a frame that is not a whole number of
//! nanoseconds long (at 10 Gbit/s a byte lasts 0.8 ns) does not make the next ones drift. The
//! instants that leave this file are rounded up to the nanosecond, once each.

use std::collections::VecDeque;

use saker_wire::time::Nanos;

use super::chance::{Draw, Probability, scale, stream};
use super::stats::{DropReason, LinkStats};

/// Preamble and start-of-frame delimiter, in bytes, ahead of each frame.
pub const PREAMBLE_BYTES: u64 = 8;
/// Frame check sequence, in bytes, behind each frame.
pub const FCS_BYTES: u64 = 4;
/// Interframe gap, in byte times, behind the FCS.
pub const GAP_BYTES: u64 = 12;
/// The shortest frame without its FCS; shorter ones are padded with zeros.
pub const MIN_FRAME_BYTES: usize = 60;
/// An Ethernet header; nothing shorter is a frame.
pub const HEADER_BYTES: usize = 14;

/// Picoseconds since the Unix epoch.
type Picos = u128;

/// One direction of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkConfig {
    /// Line rate in bit/s, above 0.
    pub rate_bps: u64,
    /// Propagation delay in nanoseconds.
    pub delay_ns: Nanos,
    /// Each frame is delayed by a further 0 to `jitter_ns`, uniformly. Jitter keeps the order and
    /// the spacing of the line: a late frame pushes back the ones behind it.
    pub jitter_ns: Nanos,
    /// The frame never arrives.
    pub loss: Probability,
    /// The frame arrives a second time, right behind itself.
    pub duplicate: Probability,
    /// The frame arrives with flipped bits. Its FCS does not match, so that the receiving port
    /// drops and counts it: a station never sees one.
    pub corrupt: Probability,
    /// The frame takes another path that is `reorder_ns` longer, and frames behind it may overtake
    /// it.
    pub reorder: Probability,
    /// How much longer the path of a reordered frame is, in nanoseconds.
    pub reorder_ns: Nanos,
    /// How many bytes of frames (padded, without FCS) may wait behind the one being sent. A frame
    /// that does not fit is dropped: tail drop.
    pub queue_bytes: u64,
    /// The longest frame that is sent, without FCS, in bytes.
    pub max_frame_bytes: usize,
}

impl LinkConfig {
    /// A clean line of `rate_bps` and `delay_ns`: 1 MiB of queue, frames up to 1518 bytes (1500
    /// bytes of payload behind a tagged header).
    #[must_use]
    pub fn clean(rate_bps: u64, delay_ns: Nanos) -> Self {
        Self {
            rate_bps,
            delay_ns,
            jitter_ns: 0,
            loss: Probability::NEVER,
            duplicate: Probability::NEVER,
            corrupt: Probability::NEVER,
            reorder: Probability::NEVER,
            reorder_ns: 0,
            queue_bytes: 1 << 20,
            max_frame_bytes: 1518,
        }
    }

    /// A clean 10 Gbit/s line.
    #[must_use]
    pub fn ten_gigabit(delay_ns: Nanos) -> Self {
        Self::clean(10_000_000_000, delay_ns)
    }

    /// A clean 1 Gbit/s line.
    #[must_use]
    pub fn one_gigabit(delay_ns: Nanos) -> Self {
        Self::clean(1_000_000_000, delay_ns)
    }

    /// How long `bytes` bytes last on this line, in picoseconds, rounded up. At least 1.
    #[must_use]
    pub fn line_time_ps(&self, bytes: u64) -> u64 {
        let bits = u128::from(bytes) * 8;
        let picos = (bits * 1_000_000_000_000).div_ceil(u128::from(self.rate_bps.max(1)));
        u64::try_from(picos).unwrap_or(u64::MAX).max(1)
    }
}

/// What became of a frame that was offered to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    Refused(DropReason),
    Sent(Transit),
}

/// A frame's way along the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Transit {
    /// When the first byte of the destination address leaves.
    pub tx_first: Nanos,
    /// When the last byte of the FCS has left.
    pub tx_last: Nanos,
    /// The frame itself, unless it was lost.
    pub arrival: Option<Arrival>,
    /// Its second copy, if the line made one.
    pub copy: Option<Arrival>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub first: Nanos,
    pub last: Nanos,
    pub corrupt: bool,
}

/// The state of one direction of a link.
#[derive(Debug)]
pub(crate) struct Line {
    config: LinkConfig,
    rng: fastrand::Rng,
    /// When the sender may begin the next preamble.
    sender_free: Picos,
    /// When the next preamble may begin at the receiver.
    receiver_free: Picos,
    /// Frames that have not begun to leave yet: start and length.
    waiting: VecDeque<(Picos, u64)>,
    waiting_bytes: u64,
    pub(crate) stats: LinkStats,
}

impl Line {
    /// `name` selects the random stream, together with the run's seed.
    pub(crate) fn new(config: LinkConfig, seed: u64, name: &str) -> Self {
        Self {
            config,
            rng: stream(seed, name),
            sender_free: 0,
            receiver_free: 0,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            stats: LinkStats::default(),
        }
    }

    /// Takes a frame of `bytes` bytes (padded, without FCS) that is ready at `now`.
    pub(crate) fn offer(&mut self, now: Nanos, bytes: usize) -> Offer {
        let length = bytes as u64;
        self.stats.offered += 1;
        self.stats.offered_bytes += length;
        if bytes < HEADER_BYTES || bytes > self.config.max_frame_bytes {
            return self.refuse(DropReason::Length);
        }
        let ready = Picos::from(now) * 1_000;
        self.retire_waiting(ready);
        let start = ready.max(self.sender_free);
        if start > ready {
            if self.waiting_bytes + length > self.config.queue_bytes {
                return self.refuse(DropReason::Queue);
            }
            self.waiting.push_back((start, length));
            self.waiting_bytes += length;
            self.stats.queue_peak_bytes = self.stats.queue_peak_bytes.max(self.waiting_bytes);
        }
        self.sender_free = start + self.slot_ps(length);
        Offer::Sent(self.carry(start, length))
    }

    fn refuse(&mut self, reason: DropReason) -> Offer {
        self.stats.drops.count(reason);
        Offer::Refused(reason)
    }

    fn retire_waiting(&mut self, now: Picos) {
        while let Some(&(start, length)) = self.waiting.front() {
            if start > now {
                break;
            }
            self.waiting.pop_front();
            self.waiting_bytes -= length;
        }
    }

    /// Draws the frame's fate and places it on the receiver's side of the line.
    fn carry(&mut self, start: Picos, length: u64) -> Transit {
        let draw = Draw::next(&mut self.rng);
        let mut transit = Transit {
            tx_first: self.first_byte(start),
            tx_last: self.last_byte(start, length),
            arrival: None,
            copy: None,
        };
        self.stats.sent += 1;
        if self.config.loss.strikes(draw.loss) {
            self.stats.drops.count(DropReason::Loss);
            return transit;
        }
        let jitter = scale(draw.jitter, self.config.jitter_ns.saturating_add(1));
        let earliest = start + nanos(self.config.delay_ns) + nanos(jitter);
        let corrupt = self.config.corrupt.strikes(draw.corrupt);
        transit.arrival = Some(if self.config.reorder.strikes(draw.reorder) {
            self.stats.reordered += 1;
            self.arrival(earliest + nanos(self.config.reorder_ns), length, corrupt)
        } else {
            self.in_line(earliest, length, corrupt)
        });
        if self.config.duplicate.strikes(draw.duplicate) {
            self.stats.duplicated += 1;
            transit.copy = Some(self.in_line(earliest, length, false));
        }
        transit
    }

    /// Places a frame behind the ones that the receiver's side already carries.
    fn in_line(&mut self, earliest: Picos, length: u64, corrupt: bool) -> Arrival {
        let start = earliest.max(self.receiver_free);
        self.receiver_free = start + self.slot_ps(length);
        self.arrival(start, length, corrupt)
    }

    fn arrival(&self, start: Picos, length: u64, corrupt: bool) -> Arrival {
        Arrival { first: self.first_byte(start), last: self.last_byte(start, length), corrupt }
    }

    /// How long preamble and start delimiter last, rounded up.
    pub(crate) fn preamble_ns(&self) -> Nanos {
        self.config.line_time_ps(PREAMBLE_BYTES).div_ceil(1_000)
    }

    fn first_byte(&self, start: Picos) -> Nanos {
        round_up(start + Picos::from(self.config.line_time_ps(PREAMBLE_BYTES)))
    }

    fn last_byte(&self, start: Picos, length: u64) -> Nanos {
        let bytes = PREAMBLE_BYTES + length + FCS_BYTES;
        round_up(start + Picos::from(self.config.line_time_ps(bytes)))
    }

    /// The line time of a whole frame with everything around it.
    fn slot_ps(&self, length: u64) -> Picos {
        let bytes = PREAMBLE_BYTES + length + FCS_BYTES + GAP_BYTES;
        Picos::from(self.config.line_time_ps(bytes))
    }
}

fn nanos(span: Nanos) -> Picos {
    Picos::from(span) * 1_000
}

fn round_up(at: Picos) -> Nanos {
    Nanos::try_from(at.div_ceil(1_000)).unwrap_or(Nanos::MAX)
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;

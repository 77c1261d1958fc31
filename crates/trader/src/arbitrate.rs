//! Line arbitration: one stream of packets out of the two lines that carry it.
//!
//! Both lines carry every packet under the same sequence number. The first copy of a number wins,
//! whichever line brings it; the second copy is counted and dropped. A packet ahead of the next
//! expected number is held, up to a window of packets and a hold time; when either is exceeded the
//! missing numbers are declared a gap and the stream goes on behind them.
//!
//! The caller feeds [`Arbiter::offer`] and, after every `offer` and every [`Arbiter::expire`],
//! pops until `None`: the packet just offered is returned by `offer` itself when it is the next
//! one, so the usual path copies nothing.
//!
//! Sequence numbers only rise within a session, from 1. A stream that restarts at 1 needs
//! [`Arbiter::reset`]; until then its packets count as late. They do not wrap (4 billion packets).

use saker_wire::time::Nanos;

/// Bounds of one arbiter. The memory is `window * max_packet` bytes at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArbiterConfig {
    /// Packets that may be held: numbers `next..next + window` are accepted. At least 2.
    pub window: u32,
    /// How long a packet is held before the numbers missing in front of it are given up.
    pub hold_ns: Nanos,
    /// The longest packet that is held; a longer one ahead of its turn is dropped and counted.
    pub max_packet: usize,
}

impl Default for ArbiterConfig {
    fn default() -> Self {
        Self { window: 64, hold_ns: 1_000_000, max_packet: 1_500 }
    }
}

/// What became of an offered packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// It is the next one: serve it, then pop what waited behind it.
    Deliver,
    /// It is the first packet that this stream has ever seen: serve it. If its number is not 1,
    /// everything before it is missing.
    Join,
    /// It is ahead of its turn and is held.
    Held,
    /// Another copy came first.
    Duplicate,
    /// It is behind a gap that was already declared.
    Late,
    /// It is ahead of its turn and longer than `max_packet`.
    TooLong,
}

/// What the stream continues with.
#[derive(Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// These numbers are lost on both lines.
    Gap {
        /// The first missing number.
        from: u32,
        /// The last missing number.
        to: u32,
    },
    /// The next packet, held until now.
    Packet {
        /// Its number.
        seq: u32,
        /// Its bytes, as offered.
        bytes: &'a [u8],
    },
}

/// Counts since the start; every offered packet is in exactly one of `delivered`, `duplicates`,
/// `late`, `too_long`, or is still held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ArbiterCounters {
    /// Packets served, at once or after having been held.
    pub delivered: u64,
    /// Packets that were held for a while.
    pub held: u64,
    /// Second copies.
    pub duplicates: u64,
    /// Packets that came after their number had been given up.
    pub late: u64,
    /// Packets that were too long to be held.
    pub too_long: u64,
    /// Gaps declared.
    pub gaps: u64,
    /// Packets missing in those gaps.
    pub lost: u64,
}

#[derive(Debug, Default)]
struct Slot {
    /// 0 when free.
    seq: u32,
    arrived: Nanos,
    bytes: Vec<u8>,
}

/// The arbiter of one stream.
#[derive(Debug)]
pub struct Arbiter {
    config: ArbiterConfig,
    /// The next number to serve; 0 before the first packet.
    next: u32,
    /// Numbers below this one are not waited for any longer.
    give_up_below: u32,
    /// Ring by `seq % window`.
    slots: Vec<Slot>,
    occupied: u32,
    /// A packet beyond the window, until the window has moved up to it.
    beyond: Slot,
    last_gap: (u32, u32),
    counters: ArbiterCounters,
}

impl Arbiter {
    /// An arbiter that has seen nothing.
    pub fn new(config: ArbiterConfig) -> Self {
        let config = ArbiterConfig { window: config.window.max(2), ..config };
        let slot = || Slot { seq: 0, arrived: 0, bytes: Vec::with_capacity(config.max_packet) };
        Self {
            config,
            next: 0,
            give_up_below: 0,
            slots: (0..config.window).map(|_| slot()).collect(),
            occupied: 0,
            beyond: slot(),
            last_gap: (1, 0),
            counters: ArbiterCounters::default(),
        }
    }

    /// Takes a packet that has arrived at `now`. Pop until `None` afterwards.
    pub fn offer(&mut self, now: Nanos, seq: u32, bytes: &[u8]) -> Offer {
        debug_assert_eq!(self.beyond.seq, 0, "the caller pops until None");
        if self.next == 0 {
            // Number 0 does not exist on the wire; a packet that bears it has nothing to join.
            if seq == 0 {
                self.counters.late += 1;
                return Offer::Late;
            }
            self.next = seq.saturating_add(1);
            self.counters.delivered += 1;
            return Offer::Join;
        }
        if seq < self.next {
            let (from, to) = self.last_gap;
            return if (from..=to).contains(&seq) || seq == 0 {
                self.counters.late += 1;
                Offer::Late
            } else {
                self.counters.duplicates += 1;
                Offer::Duplicate
            };
        }
        if seq == self.next {
            self.next = self.next.saturating_add(1);
            self.counters.delivered += 1;
            return Offer::Deliver;
        }
        if bytes.len() > self.config.max_packet {
            self.counters.too_long += 1;
            return Offer::TooLong;
        }
        let slot = if seq - self.next < self.config.window {
            let index = self.index(seq);
            if self.slots[index].seq == seq {
                self.counters.duplicates += 1;
                return Offer::Duplicate;
            }
            self.occupied += 1;
            &mut self.slots[index]
        } else {
            self.give_up_below = seq - self.config.window + 1;
            &mut self.beyond
        };
        debug_assert_eq!(slot.seq, 0);
        slot.seq = seq;
        slot.arrived = now;
        slot.bytes.clear();
        slot.bytes.extend_from_slice(bytes);
        self.counters.held += 1;
        Offer::Held
    }

    /// Gives up the missing numbers in front of packets that have been held until `now` for the
    /// hold time. Pop until `None` afterwards, and ask [`Arbiter::next_deadline`] again.
    pub fn expire(&mut self, now: Nanos) {
        if self.next_deadline().is_some_and(|deadline| deadline <= now) {
            let first = self.slots.iter().filter(|s| s.seq != 0).map(|s| s.seq).min();
            self.give_up_below = first.unwrap_or(self.next);
        }
    }

    /// When [`Arbiter::expire`] has something to do, if ever.
    pub fn next_deadline(&self) -> Option<Nanos> {
        if self.occupied == 0 {
            return None;
        }
        let oldest = self.slots.iter().filter(|s| s.seq != 0).map(|s| s.arrived).min()?;
        Some(oldest.saturating_add(self.config.hold_ns))
    }

    /// The next step of the stream, if it can take one.
    pub fn pop(&mut self) -> Option<Step<'_>> {
        if self.next == 0 {
            return None;
        }
        let index = self.index(self.next);
        if self.slots[index].seq == self.next {
            let seq = self.next;
            self.slots[index].seq = 0;
            self.occupied -= 1;
            self.next = self.next.saturating_add(1);
            self.counters.delivered += 1;
            return Some(Step::Packet { seq, bytes: &self.slots[index].bytes });
        }
        if self.next < self.give_up_below {
            let from = self.next;
            let first_held = self.slots.iter().filter(|s| s.seq != 0).map(|s| s.seq).min();
            let resume = first_held.unwrap_or(u32::MAX).min(self.give_up_below);
            self.next = resume;
            self.last_gap = (from, resume - 1);
            self.counters.gaps += 1;
            self.counters.lost += u64::from(resume - from);
            return Some(Step::Gap { from, to: resume - 1 });
        }
        if self.beyond.seq != 0 {
            // The window now reaches the packet that moved it: it waits like any other.
            let index = self.index(self.beyond.seq);
            std::mem::swap(&mut self.beyond, &mut self.slots[index]);
            self.occupied += 1;
            debug_assert_eq!(self.beyond.seq, 0);
            if self.slots[index].seq == self.next {
                return self.pop();
            }
        }
        None
    }

    /// Forgets the stream, for a new session of the venue. Counters go on.
    pub fn reset(&mut self) {
        for slot in self.slots.iter_mut().chain([&mut self.beyond]) {
            slot.seq = 0;
        }
        self.occupied = 0;
        self.next = 0;
        self.give_up_below = 0;
        self.last_gap = (1, 0);
    }

    /// The last number served or given up; 0 before the first packet.
    pub fn last(&self) -> u32 {
        self.next.saturating_sub(1)
    }

    /// The counts since the start.
    pub fn counters(&self) -> ArbiterCounters {
        self.counters
    }

    fn index(&self, seq: u32) -> usize {
        (seq % self.config.window) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(arbiter: &mut Arbiter, log: &mut Vec<String>) {
        while let Some(step) = arbiter.pop() {
            log.push(match step {
                Step::Gap { from, to } => format!("gap {from}-{to}"),
                Step::Packet { seq, bytes } => {
                    assert_eq!(bytes, seq.to_le_bytes());
                    format!("{seq}")
                }
            });
        }
    }

    fn offer(arbiter: &mut Arbiter, now: Nanos, seq: u32, log: &mut Vec<String>) {
        match arbiter.offer(now, seq, &seq.to_le_bytes()) {
            Offer::Deliver | Offer::Join => log.push(format!("{seq}")),
            _ => {}
        }
        drain(arbiter, log);
    }

    fn arbiter() -> Arbiter {
        Arbiter::new(ArbiterConfig { window: 4, hold_ns: 100, max_packet: 16 })
    }

    #[test]
    fn the_first_copy_wins() {
        let (mut a, mut log) = (arbiter(), Vec::new());
        for seq in [1, 1, 2, 3, 2, 3] {
            offer(&mut a, 0, seq, &mut log);
        }
        assert_eq!(log, ["1", "2", "3"]);
        assert_eq!(a.counters().duplicates, 3);
    }

    #[test]
    fn reordered_packets_wait_for_their_turn() {
        let (mut a, mut log) = (arbiter(), Vec::new());
        for seq in [1, 3, 3, 4, 2] {
            offer(&mut a, 0, seq, &mut log);
        }
        assert_eq!(log, ["1", "2", "3", "4"]);
        assert_eq!(a.counters().duplicates, 1);
        assert_eq!(a.next_deadline(), None);
    }

    #[test]
    fn the_hold_time_declares_a_gap() {
        let (mut a, mut log) = (arbiter(), Vec::new());
        offer(&mut a, 0, 1, &mut log);
        offer(&mut a, 10, 4, &mut log);
        offer(&mut a, 20, 3, &mut log);
        assert_eq!(a.next_deadline(), Some(110));
        a.expire(109);
        drain(&mut a, &mut log);
        assert_eq!(log, ["1"]);
        a.expire(110);
        drain(&mut a, &mut log);
        offer(&mut a, 111, 2, &mut log);
        assert_eq!(log, ["1", "gap 2-2", "3", "4"]);
        assert_eq!(a.counters().late, 1);
        assert_eq!(a.counters().lost, 1);
    }

    #[test]
    fn the_window_declares_a_gap() {
        let (mut a, mut log) = (arbiter(), Vec::new());
        for seq in [1, 3, 7] {
            offer(&mut a, 0, seq, &mut log);
        }
        // 7 moves the window to 4..=7: 2 is given up, 3 served, 4 to 6 are waited for.
        assert_eq!(log, ["1", "gap 2-2", "3"]);
        offer(&mut a, 0, 20, &mut log);
        assert_eq!(log[3..], ["gap 4-6", "7", "gap 8-16"]);
        a.expire(100);
        drain(&mut a, &mut log);
        assert_eq!(log[6..], ["gap 17-19", "20"]);
        assert_eq!(a.counters().gaps, 4);
    }

    #[test]
    fn a_late_join_starts_where_the_stream_is() {
        let (mut a, mut log) = (arbiter(), Vec::new());
        assert_eq!(a.offer(0, 0, b""), Offer::Late);
        assert_eq!(a.offer(0, 900, &900u32.to_le_bytes()), Offer::Join);
        offer(&mut a, 0, 901, &mut log);
        assert_eq!(log, ["901"]);
        a.reset();
        assert_eq!(a.offer(0, 1, &1u32.to_le_bytes()), Offer::Join);
    }

    #[test]
    fn long_packets_are_served_in_turn_but_not_held() {
        let mut a = arbiter();
        assert_eq!(a.offer(0, 1, &[0; 100]), Offer::Join);
        assert_eq!(a.offer(0, 2, &[0; 100]), Offer::Deliver);
        assert_eq!(a.offer(0, 4, &[0; 100]), Offer::TooLong);
        assert_eq!(a.counters().too_long, 1);
    }
}

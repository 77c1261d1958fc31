//! Congestion control: slow start, congestion avoidance, fast retransmit and fast recovery
//! (RFC 5681) with NewReno's partial acknowledgements (RFC 6582). Counts bytes.

use super::seq::before;

/// Duplicate acknowledgements that signal a loss.
const DUPLICATE_THRESHOLD: u32 = 3;

/// What an acknowledgement asks the sender to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// Nothing.
    None,
    /// Send the first unacknowledged segment again.
    Retransmit,
}

/// The congestion window and the phase it is in.
#[derive(Debug)]
pub struct NewReno {
    mss: u32,
    initial: u32,
    cwnd: u32,
    ssthresh: u32,
    duplicates: u32,
    /// Highest sequence number sent when the last loss was found: `recover` of RFC 6582.
    recover: u32,
    in_recovery: bool,
    /// Bytes acknowledged since the window last grew, in congestion avoidance.
    acked: u32,
}

impl NewReno {
    /// At the start of a connection with this segment size and initial sequence number.
    pub fn new(mss: u16, initial_segments: u16, iss: u32) -> NewReno {
        let mss = u32::from(mss);
        let initial = mss * u32::from(initial_segments);
        NewReno {
            mss,
            initial,
            cwnd: initial,
            ssthresh: u32::MAX >> 1,
            duplicates: 0,
            recover: iss,
            in_recovery: false,
            acked: 0,
        }
    }

    /// Bytes that may be in flight.
    pub fn window(&self) -> u32 {
        self.cwnd
    }

    /// `acked` bytes up to `ack` left the network; `in_flight` bytes remain.
    pub fn on_ack(&mut self, acked: u32, ack: u32, in_flight: u32) -> Reaction {
        self.duplicates = 0;
        if self.in_recovery {
            if before(ack, self.recover) {
                // Partial: the next hole is lost too (RFC 6582 section 3.2 step 3).
                self.cwnd = self.cwnd.saturating_sub(acked).max(self.mss);
                if acked >= self.mss {
                    self.cwnd = self.cwnd.saturating_add(self.mss);
                }
                return Reaction::Retransmit;
            }
            self.in_recovery = false;
            self.cwnd = self.ssthresh.min(in_flight.max(self.mss).saturating_add(self.mss));
            self.acked = 0;
            return Reaction::None;
        }
        if self.cwnd < self.ssthresh {
            self.cwnd = self.cwnd.saturating_add(acked.min(self.mss)); // RFC 5681 equation 2
        } else {
            self.acked = self.acked.saturating_add(acked); // RFC 5681 section 3.1: byte counting
            if self.acked >= self.cwnd {
                self.acked -= self.cwnd;
                self.cwnd = self.cwnd.saturating_add(self.mss);
            }
        }
        self.cwnd = self.cwnd.min(1 << 30);
        Reaction::None
    }

    /// A duplicate acknowledgement of `una` with everything before `nxt` sent.
    pub fn on_duplicate(&mut self, una: u32, nxt: u32) -> Reaction {
        if self.in_recovery {
            self.cwnd = self.cwnd.saturating_add(self.mss).min(1 << 30); // RFC 5681 section 3.2 (4)
            return Reaction::None;
        }
        self.duplicates += 1;
        // The ACK must cover more than `recover`, or segments repeated after a timeout would count
        // as new losses (RFC 6582 section 3.2 step 2).
        if self.duplicates != DUPLICATE_THRESHOLD || !before(self.recover, una) {
            return Reaction::None;
        }
        self.ssthresh = self.half(nxt.wrapping_sub(una));
        self.cwnd = self.ssthresh + DUPLICATE_THRESHOLD * self.mss;
        self.recover = nxt;
        self.in_recovery = true;
        Reaction::Retransmit
    }

    /// The retransmission timer ran out with [una, nxt) in flight; `first` unless the same bytes
    /// timed out before (RFC 5681 section 3.1, equation 4).
    pub fn on_timeout(&mut self, una: u32, nxt: u32, first: bool) {
        if first {
            self.ssthresh = self.half(nxt.wrapping_sub(una));
        }
        self.cwnd = self.mss;
        self.recover = nxt;
        self.in_recovery = false;
        self.duplicates = 0;
        self.acked = 0;
    }

    /// Nothing was sent for a whole timeout: the window is stale (RFC 5681 section 4.1).
    pub fn on_idle(&mut self) {
        self.cwnd = self.cwnd.min(self.initial);
    }

    fn half(&self, in_flight: u32) -> u32 {
        (in_flight / 2).max(2 * self.mss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u32 = 1000;

    #[test]
    fn slow_start_then_congestion_avoidance() {
        let mut cc = NewReno::new(1000, 2, 0);
        assert_eq!(cc.window(), 2 * MSS);
        cc.on_ack(MSS, 1000, 0);
        cc.on_ack(3 * MSS, 4000, 0); // at most one segment of growth for each ACK
        assert_eq!(cc.window(), 4 * MSS);
        cc.on_timeout(4000, 12_000, true); // ssthresh 4000
        assert_eq!(cc.window(), MSS);
        for ack in 5..8 {
            cc.on_ack(MSS, ack * 1000, 0);
        }
        assert_eq!(cc.window(), 4 * MSS);
        for ack in 8..12 {
            assert_eq!(cc.window(), 4 * MSS);
            cc.on_ack(MSS, ack * 1000, 0);
        }
        assert_eq!(cc.window(), 5 * MSS);
    }

    #[test]
    fn three_duplicates_retransmit_once_and_recover() {
        let mut cc = NewReno::new(1000, 10, 0);
        assert_eq!(cc.on_duplicate(1000, 9000), Reaction::None);
        assert_eq!(cc.on_duplicate(1000, 9000), Reaction::None);
        assert_eq!(cc.on_duplicate(1000, 9000), Reaction::Retransmit);
        assert_eq!(cc.window(), 4000 + 3 * MSS);
        assert_eq!(cc.on_duplicate(1000, 9000), Reaction::None);
        assert_eq!(cc.window(), 8 * MSS);
        assert_eq!(cc.on_ack(2000, 3000, 6000), Reaction::Retransmit); // partial
        assert!(cc.in_recovery);
        assert_eq!(cc.on_ack(6000, 9000, 0), Reaction::None); // full
        assert!(!cc.in_recovery);
        assert_eq!(cc.window(), 2 * MSS);
    }

    #[test]
    fn duplicates_after_a_timeout_do_not_retransmit_again() {
        let mut cc = NewReno::new(1000, 10, 0);
        cc.on_timeout(1000, 9000, true);
        for _ in 0..5 {
            assert_eq!(cc.on_duplicate(3000, 9000), Reaction::None);
        }
    }
}

//! The numbers that count on with every order, as they must be.

use saker_trader::fastpath::MAX_MSG_SEQ;

/// Cycles from a write until everything has caught up with it: one that is refused, one that is not, MsgSeqNum.
const REFUSED_SETTLES: u64 = 3;
const SETTLES: u64 = 11;
const DIGITS_SETTLE: u64 = 41;
/// From the cycle behind a poisoned frame.
const ROLLBACK_SETTLES: u64 = 9;

/// What the host writes in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Writes {
    pub tcp_seq: Option<u32>,
    pub tcp_limit: Option<u32>,
    pub next_msg_seq: Option<u32>,
    pub udp_seq: Option<u32>,
}

impl Writes {
    fn any_leased(&self) -> bool {
        self.tcp_seq.is_some() || self.tcp_limit.is_some() || self.next_msg_seq.is_some()
    }

    fn any(&self) -> bool {
        self.any_leased() || self.udp_seq.is_some()
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Values {
    pub tcp_seq: u32,
    pub tcp_limit: u32,
    pub next_msg_seq: u32,
    pub udp_seq: u32,
}

impl Values {
    pub fn is_exhausted(&self) -> bool {
        self.next_msg_seq > MAX_MSG_SEQ
    }

    /// Behind an order of these payload bytes; `None` for a FAST answer.
    fn behind(self, payload: Option<u32>) -> Self {
        let Some(payload) = payload else {
            return Self { udp_seq: self.udp_seq.wrapping_add(1), ..self };
        };
        Self {
            tcp_seq: self.tcp_seq.wrapping_add(payload),
            tcp_limit: self.tcp_limit.wrapping_sub(payload),
            next_msg_seq: self.next_msg_seq + 1,
            ..self
        }
    }
}

/// What happens to them in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Step {
    pub cycle: u64,
    pub writes: Writes,
    pub leased: bool,
    /// A frame is under way, or has just ended poisoned.
    pub under_way: bool,
    /// The third cycle of a frame, with what it counts.
    pub advance: Option<Option<u32>>,
    /// The cycle behind a poisoned frame.
    pub rollback: bool,
}

#[derive(Debug, Default)]
pub struct Numbers {
    values: Values,
    /// Before the frame under way.
    begun: Values,
    /// The writes of the cycle before, and what is allowed of those before that.
    written: Writes,
    set: Writes,
    /// Whether `leased` was set in the last two cycles.
    leased: [bool; 2],
    rollback: bool,
    refused: bool,
    settled_at: u64,
}

impl Numbers {
    pub fn values(&self) -> Values {
        self.values
    }

    /// By this cycle orders go on, if nothing else happens.
    pub fn settled_at(&self) -> u64 {
        self.settled_at
    }

    /// A cycle; whether a write is told to be refused in the next.
    pub fn step(&mut self, step: &Step) -> bool {
        // A write is judged in the cycle behind it, so that what begins in its own is seen.
        let allowed = !step.under_way && !self.leased[0] && !self.leased[1];
        let written = std::mem::replace(&mut self.written, step.writes);
        let mut set = written;
        if !allowed {
            set = Writes { udp_seq: set.udp_seq, ..Writes::default() };
        }
        if step.under_way {
            set.udp_seq = None;
        }
        let done = std::mem::replace(&mut self.set, set);
        let values = &mut self.values;
        values.tcp_seq = done.tcp_seq.unwrap_or(values.tcp_seq);
        values.tcp_limit = done.tcp_limit.unwrap_or(values.tcp_limit);
        values.next_msg_seq = done.next_msg_seq.unwrap_or(values.next_msg_seq);
        values.udp_seq = done.udp_seq.unwrap_or(values.udp_seq);
        if let Some(payload) = step.advance {
            self.begun = *values;
            *values = self.begun.behind(payload);
        } else if self.rollback {
            *values = self.begun;
        }
        self.rollback = step.rollback;
        self.leased = [step.leased, self.leased[0]];
        if step.writes.any() {
            self.settles(step.cycle + REFUSED_SETTLES);
        }
        if set.any() {
            self.settles(step.cycle - 1 + SETTLES);
        }
        if set.next_msg_seq.is_some() {
            self.settles(step.cycle - 1 + DIGITS_SETTLE);
        }
        if step.rollback {
            self.settles(step.cycle + ROLLBACK_SETTLES);
        }
        std::mem::replace(&mut self.refused, written != set)
    }

    fn settles(&mut self, at: u64) {
        self.settled_at = self.settled_at.max(at);
    }
}

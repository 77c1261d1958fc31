//! Deadlines: retransmission and persistence, delayed acknowledgements, keep-alive, the user
//! timeout and TIME-WAIT.
//!
//! One timer serves retransmission and persistence. While something is in flight and the peer's
//! window is open it measures the retransmission timeout; while the window is closed, or nothing
//! is in flight and the window keeps us from sending, it spaces the probes.

use super::output::Repair;
use super::state::{Event, State, TimeoutReason};
use super::{Endpoint, PendingReset};
use crate::time::{Nanos, SECOND};

/// Acknowledgements owed to the peer.
#[derive(Debug, Default)]
pub(super) struct AckPlan {
    /// One is to be sent now.
    pub is_due: bool,
    /// When one must be sent at the latest.
    pub delayed_at: Option<Nanos>,
    /// Segments since the last one.
    segments: u32,
}

/// Acknowledgements that unacceptable segments may cause in the present second.
#[derive(Debug, Default)]
pub(super) struct AckBudget {
    /// When the second began.
    since: Option<Nanos>,
    /// How many were sent in it.
    spent: u32,
}

impl Endpoint {
    /// When [`on_deadline`](Endpoint::on_deadline) is to be called, if at all. May lie in the past.
    pub fn next_deadline(&self) -> Option<Nanos> {
        [
            self.retransmit_at,
            self.user_timeout_at(),
            self.ack.delayed_at,
            self.keep_alive_at(),
            self.time_wait_at,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Does what is due at `now`; early calls do nothing. Ask
    /// [`poll_transmit`](Endpoint::poll_transmit) afterwards.
    pub fn on_deadline(&mut self, now: Nanos) {
        let is_due = |at: Option<Nanos>| at.is_some_and(|at| at <= now);
        if is_due(self.time_wait_at) {
            self.enter_closed();
        }
        if is_due(self.user_timeout_at()) {
            self.give_up_on_unacknowledged();
        }
        if is_due(self.ack.delayed_at) {
            self.ack_now();
        }
        if is_due(self.retransmit_at) {
            self.retransmit_timer_ran_out(now);
        }
        if is_due(self.keep_alive_at()) {
            self.keep_alive_timer_ran_out(now);
        }
        self.after_change(now);
    }

    fn retransmit_timer_ran_out(&mut self, now: Nanos) {
        self.rto.back_off(); // RFC 6298 (5.5)
        self.retransmit_at = Some(now.saturating_add(self.rto.rto_ns()));
        if !self.state.is_synchronized() {
            self.counters.timeouts += 1;
            self.syn_due = true;
        } else if self.tx.in_flight() == 0 || self.tx.window_is_closed() {
            self.probe_due = true;
        } else {
            self.counters.timeouts += 1;
            let is_first = self.repeated_timeouts == 0;
            self.repeated_timeouts += 1;
            self.congestion.on_timeout(self.tx.una, self.tx.nxt, is_first);
            self.repair = Some(Repair::everything(self.tx.una, self.tx.nxt));
        }
    }

    fn give_up_on_unacknowledged(&mut self) {
        match self.state {
            State::SynReceived if self.passive => self.return_to_listen(),
            State::SynSent | State::SynReceived => {
                self.terminate(Event::TimedOut(TimeoutReason::Connect));
            }
            _ => self.give_up(TimeoutReason::User),
        }
    }

    fn keep_alive_timer_ran_out(&mut self, now: Nanos) {
        let Some(keep_alive) = self.config.keep_alive else { return };
        if self.keep_alives_sent >= keep_alive.probes {
            self.give_up(TimeoutReason::KeepAlive);
            return;
        }
        self.keep_alives_sent += 1;
        self.keep_alive_sent_at = now;
        self.keep_alive_due = true;
    }

    /// Ends the connection for want of answers, with a reset in case the peer does hear.
    fn give_up(&mut self, reason: TimeoutReason) {
        self.reset_peer();
        self.terminate(Event::TimedOut(reason));
    }

    /// A reset at the present SND.NXT.
    pub(super) fn reset_peer(&mut self) {
        self.pending_reset = Some(PendingReset {
            seq: self.known_nxt(),
            ack: Some(self.rx.nxt),
            port: self.remote_port,
        });
    }

    /// When the oldest unacknowledged data, or an unanswered closed window, end the connection.
    fn user_timeout_at(&self) -> Option<Nanos> {
        let patience = if self.state.is_synchronized() {
            self.config.user_timeout_ns
        } else {
            self.config.connect_timeout_ns
        };
        self.stalled_since.map(|since| since.saturating_add(patience))
    }

    /// Only an idle connection is probed: otherwise retransmissions and probes find a dead peer.
    fn keep_alive_at(&self) -> Option<Nanos> {
        let keep_alive = self.config.keep_alive?;
        let is_idle = self.state.is_synchronized()
            && self.state != State::TimeWait
            && self.retransmit_at.is_none();
        is_idle.then(|| match self.keep_alives_sent {
            0 => self.last_heard.saturating_add(keep_alive.idle_ns),
            _ => self.keep_alive_sent_at.saturating_add(keep_alive.interval_ns),
        })
    }

    /// Whether something waits for the peer: an acknowledgement, or an opening of its window.
    fn is_waiting_for_peer(&self) -> bool {
        match self.state {
            State::Closed | State::Listen | State::TimeWait => false,
            State::SynSent | State::SynReceived => true,
            _ => self.tx.in_flight() > 0 || self.is_held_by_window(),
        }
    }

    /// Whether the peer's closed window keeps new data, a FIN or the fast path from being sent.
    fn is_held_by_window(&self) -> bool {
        let wants_to_send = !self.tx.queued.is_empty() || self.fin_is_due() || self.grant.is_some();
        self.state.may_send() && wants_to_send && self.tx.window_left() == 0
    }

    /// What every change ends with: timers follow the state, the delegation follows the windows.
    pub(super) fn after_change(&mut self, now: Nanos) {
        if self.is_waiting_for_peer() {
            self.stalled_since.get_or_insert(now);
            if self.retransmit_at.is_none() {
                self.retransmit_at = Some(now.saturating_add(self.rto.rto_ns()));
            }
        } else {
            self.stalled_since = None;
            self.retransmit_at = None;
            self.probe_due = false;
        }
        self.raise_delegation_edge();
        self.check_invariants();
    }

    pub(super) fn ack_now(&mut self) {
        self.ack.is_due = true;
        self.ack.delayed_at = None;
    }

    /// At once, or within the configured delay; every second segment at once (RFC 9293 section
    /// 3.8.6.3).
    pub(super) fn ack_soon(&mut self, now: Nanos) {
        self.ack.segments += 1;
        if self.config.delayed_ack_ns == 0 || self.ack.segments >= 2 {
            self.ack_now();
        } else if !self.ack.is_due {
            let at = now.saturating_add(self.config.delayed_ack_ns);
            self.ack.delayed_at.get_or_insert(at);
        }
    }

    /// At once, while this second's budget lasts.
    pub(super) fn limited_ack(&mut self, now: Nanos) {
        let is_new_second =
            self.ack_budget.since.is_none_or(|since| now.saturating_sub(since) >= SECOND);
        if is_new_second {
            self.ack_budget = AckBudget { since: Some(now), spent: 0 };
        }
        if self.ack_budget.spent < self.config.challenge_acks_per_second {
            self.ack_budget.spent += 1;
            self.ack_now();
        }
    }

    /// A segment that acknowledges everything is on its way.
    pub(super) fn acks_sent(&mut self) {
        self.ack = AckPlan::default();
    }

    pub(super) fn enter_time_wait(&mut self, now: Nanos) {
        self.state = State::TimeWait;
        self.time_wait_at = Some(now.saturating_add(self.config.time_wait_ns));
        self.repair = None;
        self.push_event(Event::Closed);
    }
}

//! Bytes and events between connection, session and strategies.

use saker_fix::parse;
use saker_fix::session;
use saker_strategy::OrderUpdate;
use saker_wire::endpoint::{self, Endpoint};
use saker_wire::time::Nanos;

use super::OrderLine;
use crate::desk::Desk;
use crate::orders::report::{self, Answer, ExecType};

impl OrderLine {
    /// Moves bytes and events between connection, session and strategies until nothing moves.
    pub(super) fn pump(&mut self, now: Nanos, desk: &mut Desk) {
        debug_assert!(self.unsettled.is_empty(), "fires are settled first");
        self.take_connection_events(now, desk);
        if let Some(endpoint) = &mut self.endpoint {
            self.received.clear();
            endpoint.recv(&mut self.received);
            if !self.received.is_empty() && self.session_up {
                self.session.on_bytes(now, &self.received);
            }
        }
        self.take_session_events(now, desk);
        self.send_cancels(now);
        self.send_output();
    }

    pub(super) fn take_connection_events(&mut self, now: Nanos, desk: &mut Desk) {
        let mut lost = false;
        while let Some(event) = self.endpoint.as_mut().and_then(Endpoint::poll_event) {
            match event {
                endpoint::Event::Connected => {
                    self.session_up = true;
                    self.session.on_connect(now);
                }
                endpoint::Event::DataReady => {}
                endpoint::Event::PeerClosed => {
                    // Nothing more will come; what it had sent was read before this event.
                    if let Some(endpoint) = &mut self.endpoint {
                        self.received.clear();
                        endpoint.recv(&mut self.received);
                        if !self.received.is_empty() && self.session_up {
                            self.session.on_bytes(now, &self.received);
                        }
                    }
                    self.take_session_events(now, desk);
                    self.session_lost(now, desk);
                    self.revoke();
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.close();
                    }
                }
                endpoint::Event::Closed
                | endpoint::Event::Reset(_)
                | endpoint::Event::TimedOut(_) => lost = true,
            }
        }
        if lost {
            self.session_lost(now, desk);
        }
    }

    /// Lets go of a connection that is over, once its last segments have been polled, and plans
    /// the next one.
    pub(super) fn drop_finished_connection(&mut self, now: Nanos) {
        let over = self.endpoint.as_ref().is_some_and(|endpoint| {
            matches!(endpoint.state(), endpoint::State::Closed | endpoint::State::TimeWait)
        });
        if over {
            self.endpoint = None;
            self.fast.set_path(None);
            self.counters.disconnects += 1;
            self.retry_at = now.saturating_add(self.pause_ns);
            self.pause_ns = self.pause_ns.saturating_mul(2).min(self.config.reconnect.max_ns);
        }
    }

    pub(super) fn session_lost(&mut self, now: Nanos, desk: &mut Desk) {
        if self.session_up {
            self.session_up = false;
            self.session.on_disconnect(now);
        }
        self.disarm_all(desk);
    }

    pub(super) fn take_session_events(&mut self, now: Nanos, desk: &mut Desk) {
        while let Some(event) = self.session.poll_event() {
            match event {
                session::Event::LoggedOn { .. } => {
                    self.counters.logons += 1;
                    self.pause_ns = self.config.reconnect.first_ns;
                }
                session::Event::Application(bytes) => {
                    self.housework.messages += 1;
                    self.on_application(now, &bytes, desk);
                    self.session.recycle(bytes);
                }
                session::Event::Rejected(bytes) => {
                    self.on_application(now, &bytes, desk);
                    self.session.recycle(bytes);
                }
                session::Event::LogonRequested(_)
                | session::Event::LoggedOut { .. }
                | session::Event::SequenceReset => {}
                session::Event::Disconnect(_) => {
                    self.disarm_all(desk);
                    self.send_output();
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.close();
                    }
                }
            }
        }
    }

    pub(super) fn on_application(&mut self, now: Nanos, bytes: &[u8], desk: &mut Desk) {
        let Ok(Some((message, _))) = parse::frame(bytes) else {
            self.counters.malformed += 1;
            return;
        };
        match report::read(&message) {
            Ok(Answer::Execution { order, order_id, exec_type, cumulative }) => {
                let Some(index) = self.log.find(order) else {
                    self.counters.unknown_orders += 1;
                    return;
                };
                self.counters.reports += 1;
                self.apply(now, index, order_id, exec_type, cumulative, desk);
            }
            Ok(Answer::CancelReject { order }) => {
                self.counters.cancel_rejects += 1;
                if self.log.find(order).is_none() {
                    self.counters.unknown_orders += 1;
                }
            }
            Ok(Answer::Refused { msg_seq }) => {
                self.counters.rejects += 1;
                if let Some(index) = self.log.find_unanswered(msg_seq) {
                    self.apply(now, index, None, ExecType::Rejected, None, desk);
                }
            }
            Ok(Answer::Other) => self.counters.ignored += 1,
            Err(_) => self.counters.malformed += 1,
        }
    }

    /// Applies an answer to an order and tells the strategies.
    fn apply(
        &mut self,
        now: Nanos,
        index: usize,
        order_id: Option<&str>,
        exec_type: ExecType,
        cumulative: Option<u64>,
        desk: &mut Desk,
    ) {
        let Some(record) = self.log.get_mut(index) else { return };
        let slot = record.terms.slot;
        let updates = record.apply(now, order_id, exec_type, cumulative);
        for update in updates.into_iter().flatten() {
            self.update(desk, slot, update);
        }
    }

    pub(super) fn update(&mut self, desk: &mut Desk, slot: u16, update: OrderUpdate) {
        if desk.on_order_update(slot, update).is_err() {
            self.counters.inconsistent_updates += 1;
        }
    }

    /// Sends what the session has written, taking the lease back first.
    pub(super) fn send_output(&mut self) {
        if self.session.output().is_empty() || self.endpoint.is_none() {
            return;
        }
        self.revoke();
        let Some(endpoint) = &mut self.endpoint else { return };
        let taken = endpoint.send(self.session.output());
        self.session.consume_output(taken);
        self.housework.messages += 1;
    }

    pub(super) fn revoke(&mut self) {
        self.fast.registers_mut().leased = false;
        let Some(endpoint) = &mut self.endpoint else { return };
        if endpoint.delegated().is_some() {
            self.counters.revokes += 1;
            if endpoint.revoke().is_err() {
                // The peer acknowledges what nobody sent.
                self.counters.account_errors += 1;
                endpoint.abort();
            }
        }
    }
}

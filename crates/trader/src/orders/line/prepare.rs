//! Orders made ready, and taken back.

use saker_wire::time::Nanos;

use super::OrderLine;
use crate::desk::Desk;
use crate::orders::message;

impl OrderLine {
    pub(super) fn prepare(&mut self, now: Nanos, desk: &mut Desk) {
        let mut wanted = std::mem::take(&mut self.slots_wanted);
        wanted.clear();
        desk.needs_prepare(&mut wanted);
        for slot in wanted.iter().copied() {
            let armed = self.prepared.iter().flatten().count();
            if self.log.room() <= armed {
                self.counters.log_full += 1;
                break;
            }
            if self.prepare_slot(now, slot, desk) && desk.arm(slot) {
                self.counters.prepared += 1;
                self.housework.prepared += 1;
            } else {
                self.counters.prepare_failed += 1;
                self.give_up(slot);
            }
        }
        self.slots_wanted = wanted;
    }

    pub(super) fn prepare_slot(&mut self, now: Nanos, slot: u16, desk: &Desk) -> bool {
        let Some(place) = self.prepared.get_mut(usize::from(slot)) else { return false };
        let Some((terms, order)) = self.log.terms(slot, desk) else { return false };
        let cl_ord_id = self.log.cl_ord_id(terms.number);
        let account = self.config.identity.account.as_deref();
        let message = self.session.prepare(now, "D", |w| {
            message::new_order_single(w, &terms, &order, &cl_ord_id, account, now);
        });
        let Ok(message) = message else { return false };
        let loaded = self.fast.load(slot, &message, now).is_ok();
        *place = loaded.then_some(terms);
        loaded
    }

    pub(super) fn send_cancels(&mut self, now: Nanos) {
        while self.session.is_logged_on() {
            let Some(index) = self.log.next_cancel() else { return };
            let number = self.log.take_number();
            let cl_ord_id = self.log.cl_ord_id(number);
            let Some(record) = self.log.get_mut(index) else { return };
            let sent = self.session.send(now, "F", |w| {
                message::order_cancel_request(w, record, &cl_ord_id, now);
            });
            if sent.is_err() {
                return;
            }
            record.cancel_wanted = false;
            record.cancels_sent += 1;
            self.counters.cancels += 1;
        }
    }

    pub(super) fn disarm_all(&mut self, desk: &mut Desk) {
        for slot in 0..self.config.slots {
            if self.give_up(slot) {
                self.counters.disarmed += 1;
                desk.disarm(slot);
            }
        }
    }

    /// Voids a slot's prepared order, if it has one.
    pub(super) fn give_up(&mut self, slot: u16) -> bool {
        self.fast.disarm(slot);
        self.prepared.get_mut(usize::from(slot)).is_some_and(|place| place.take().is_some())
    }
}

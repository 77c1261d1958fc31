//! The engine.
use saker_book::Top;

use crate::{Limits, Plan};

/// A decision: send the order of this slot, now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fire {
    /// The slot whose prepared order is to be sent.
    pub slot: u16,
    /// The strategy it belongs to.
    pub strategy: u16,
}

/// Where a slot is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotState {
    /// No order is prepared for it.
    Idle,
    /// Its order is prepared; the condition is being watched.
    Armed,
    /// It has fired; the venue has not answered.
    Fired,
    /// The venue has accepted its order.
    Live,
    /// It will not fire again unless [`Engine::restart`] is called.
    Done,
}

/// News of a slot's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderUpdate {
    /// The venue accepted it.
    Accepted,
    /// It traded by this much (one fill, not the sum).
    Filled {
        /// The fill's quantity.
        quantity: u64,
    },
    /// It ended with quantity open.
    Canceled,
    /// The venue refused it.
    Rejected,
    /// The fast path could not send it; the venue never saw it.
    NotSent,
}

/// An update that does not fit the slot's state. It has been accounted for as the message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// There is no such slot.
    #[error("no slot {0}")]
    UnknownSlot(u16),
    /// The slot has no open order; a fill moved the position all the same.
    #[error("slot {slot} has no open order")]
    NoOpenOrder {
        /// The slot.
        slot: u16,
    },
    /// More filled than was open; the whole fill moved the position, and the order is done.
    #[error("slot {slot} filled {quantity}, more than the {leaves} open")]
    Overfilled {
        /// The slot.
        slot: u16,
        /// The fill.
        quantity: u64,
        /// What was open.
        leaves: u64,
    },
}

/// How often each thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Decisions to send.
    pub fires: u64,
    /// Refused: the order is larger than allowed.
    pub blocked_order_quantity: u64,
    /// Refused: too many open orders.
    pub blocked_open_orders: u64,
    /// Refused: the position could become too large.
    pub blocked_position: u64,
    /// Held back: the cooldown after the last fire has not passed.
    pub held_cooldown: u64,
    /// Updates that did not fit the slot's state.
    pub unexpected_updates: u64,
}

/// The strategy engine.
#[derive(Debug)]
pub struct Engine;

#[allow(missing_docs, unused_variables)]
impl Engine {
    pub fn new(plan: Plan) -> Self {
        todo!()
    }
    pub fn plan(&self) -> &Plan {
        todo!()
    }
    /// Appends the slots to fire; `now` in ns since the Unix epoch.
    pub fn on_trade(
        &mut self,
        instrument: u16,
        price: i64,
        quantity: u64,
        now: u64,
        fires: &mut Vec<Fire>,
    ) {
        todo!()
    }
    pub fn on_top(&mut self, instrument: u16, top: &Top, now: u64, fires: &mut Vec<Fire>) {
        todo!()
    }
    /// The slots that software must prepare an order for.
    pub fn needs_prepare(&self) -> impl Iterator<Item = u16> + '_ {
        std::iter::empty()
    }
    /// Software has prepared the slot's order: Idle becomes Armed. False if it was not Idle (or is killed).
    pub fn arm(&mut self, slot: u16) -> bool {
        todo!()
    }
    /// The prepared order is no longer valid (session lost): Armed becomes Idle.
    pub fn disarm(&mut self, slot: u16) -> bool {
        todo!()
    }
    pub fn on_order_update(&mut self, slot: u16, update: OrderUpdate) -> Result<(), UpdateError> {
        todo!()
    }
    pub fn state(&self, slot: u16) -> Option<SlotState> {
        todo!()
    }
    pub fn open_slots(&self) -> impl Iterator<Item = u16> + '_ {
        std::iter::empty()
    }
    pub fn position(&self, instrument: u16) -> i64 {
        todo!()
    }
    /// Sets the position at the start of the day, or after fills elsewhere.
    pub fn set_position(&mut self, instrument: u16, position: i64) {
        todo!()
    }
    pub fn set_limits(&mut self, strategy: u16, limits: Limits) {
        todo!()
    }
    pub fn kill_all(&mut self) {
        todo!()
    }
    pub fn release_all(&mut self) {
        todo!()
    }
    pub fn kill(&mut self, strategy: u16) {
        todo!()
    }
    pub fn release(&mut self, strategy: u16) {
        todo!()
    }
    /// Done becomes Idle.
    pub fn restart(&mut self, strategy: u16) -> bool {
        todo!()
    }
    pub fn counters(&self) -> &Counters {
        todo!()
    }
}

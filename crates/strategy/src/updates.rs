//! What the venue says about orders, and how slots and positions follow.

use saker_book::Side;

use crate::{Engine, SlotState};

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
    /// It ended with quantity open: canceled, expired, or its residual dropped.
    Canceled,
    /// The venue refused it. The strategy is done, even if it re-arms: what the venue refuses
    /// once it would refuse again.
    Rejected,
    /// The fast path could not send it; the venue never saw it. The slot is idle again, even if
    /// it does not re-arm: the strategy has not done its work.
    NotSent,
}

/// An update that does not fit the slot's state. It has been accounted for as the variant says,
/// and counted in [`Counters::unexpected_updates`](crate::Counters::unexpected_updates).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// There is no such slot; nothing happened.
    #[error("no slot {0}")]
    UnknownSlot(u16),
    /// The slot has no open order; a fill moved the position all the same.
    #[error("slot {slot} has no open order")]
    NoOpenOrder {
        /// The slot.
        slot: u16,
    },
    /// The order is already accepted or traded, so it must have been sent; nothing happened.
    #[error("slot {slot} is live, so its order was sent")]
    AlreadyLive {
        /// The slot.
        slot: u16,
    },
    /// More filled than was open; the whole fill moved the position, and the order is over.
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

impl Engine {
    /// Follows the slot's order. Fills always move the position, whatever else is wrong with them:
    /// they are what the venue will settle.
    ///
    /// # Errors
    /// If the update does not fit the slot's state.
    pub fn on_order_update(&mut self, slot: u16, update: OrderUpdate) -> Result<(), UpdateError> {
        let at = usize::from(slot);
        let Some(run) = self.slots.get(at) else {
            return Err(UpdateError::UnknownSlot(slot));
        };
        let open = matches!(run.state, SlotState::Fired | SlotState::Live);
        let rearm = self.plan.slots()[at].rearm;
        let after = if rearm { SlotState::Idle } else { SlotState::Done };
        let result = match update {
            OrderUpdate::Filled { quantity } => self.filled(slot, quantity, open, after),
            _ if !open => Err(UpdateError::NoOpenOrder { slot }),
            OrderUpdate::NotSent if run.state == SlotState::Live => {
                Err(UpdateError::AlreadyLive { slot })
            }
            OrderUpdate::Accepted => {
                self.slots[at].state = SlotState::Live;
                Ok(())
            }
            OrderUpdate::Canceled => {
                self.finish(slot, after);
                Ok(())
            }
            OrderUpdate::Rejected => {
                self.finish(slot, SlotState::Done);
                Ok(())
            }
            OrderUpdate::NotSent => {
                self.finish(slot, SlotState::Idle);
                Ok(())
            }
        };
        if result.is_err() {
            self.counters[at].unexpected_updates += 1;
        }
        result
    }

    fn filled(
        &mut self,
        slot: u16,
        quantity: u64,
        open: bool,
        after: SlotState,
    ) -> Result<(), UpdateError> {
        let side = self.plan.slots()[usize::from(slot)].order.side;
        let exposure = self.exposure_of(slot);
        exposure.position = match side {
            Side::Buy => exposure.position.saturating_add_unsigned(quantity),
            Side::Sell => exposure.position.saturating_sub_unsigned(quantity),
        };
        if !open {
            return Err(UpdateError::NoOpenOrder { slot });
        }
        let leaves = self.slots[usize::from(slot)].leaves;
        if quantity >= leaves {
            self.finish(slot, after);
            if quantity > leaves {
                return Err(UpdateError::Overfilled { slot, quantity, leaves });
            }
            return Ok(());
        }
        *self.exposure_of(slot).open_mut(side) -= quantity;
        let run = &mut self.slots[usize::from(slot)];
        run.leaves -= quantity;
        run.state = SlotState::Live;
        Ok(())
    }

    /// The open order of a slot is over: nothing of it is open any more.
    fn finish(&mut self, slot: u16, next: SlotState) {
        let side = self.plan.slots()[usize::from(slot)].order.side;
        let run = &mut self.slots[usize::from(slot)];
        let leaves = std::mem::take(&mut run.leaves);
        run.state = next;
        let exposure = self.exposure_of(slot);
        *exposure.open_mut(side) -= leaves;
        exposure.open_orders -= 1;
    }
}

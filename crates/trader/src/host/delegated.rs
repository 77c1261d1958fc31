//! The machine as the software behind logic that decides and sends.
//!
//! After [`TraderHost::delegate`] the machine still keeps books, session and slots, but no strategy
//! fires by itself: whoever knows what the logic was shown calls [`Desk::on_change`] with it, then
//! [`TraderHost::fire`] for each decision. That gives the frame that the logic must send, byte for
//! byte, and [`TraderHost::account`] enters it once it was sent. [`TraderHost::settle`] ends a tick.

use saker_wire::station::{FrameId, Outbox};
use saker_wire::time::Nanos;

use super::TraderHost;
use crate::desk::Desk;
use crate::fastpath::{FireRefused, Sent};
use crate::market::Applied;

impl TraderHost {
    /// From now on logic decides and sends.
    pub fn delegate(&mut self) {
        self.market.silence();
        self.market.desk_mut().keep_journal();
    }

    /// What was applied to the books since the last call.
    pub fn take_applied(&mut self) -> Vec<Applied> {
        self.market.take_applied()
    }

    /// The strategies, to be shown what the logic was shown.
    pub fn desk_mut(&mut self) -> &mut Desk {
        self.market.desk_mut()
    }

    /// Fires a slot that a strategy has decided for. The frame is then
    /// `line().fast_path().frame(slot)`.
    ///
    /// # Errors
    /// The fast path refuses; the strategy has been told so.
    pub fn fire(&mut self, slot: u16) -> Result<Sent, FireRefused> {
        let outcome = self.line.fire(slot, self.market.desk_mut());
        match outcome {
            Ok(_) => self.counters.orders += 1,
            Err(_) => self.counters.refused += 1,
        }
        outcome
    }

    /// What was fired has left at `sent_at`, decided at `decided_at` because of the frame `cause`.
    pub fn account(
        &mut self,
        sent: Sent,
        cause: Option<FrameId>,
        decided_at: Nanos,
        sent_at: Nanos,
    ) {
        self.line.note_fired(sent, cause, decided_at, sent_at);
    }

    /// Tells session and connection of what has left, and prepares what is wanted next.
    pub fn settle(&mut self, now: Nanos, out: &mut Outbox) {
        self.line.settle(now, self.market.desk_mut());
        self.keep_house(now, out);
    }
}

//! A model of how long the machine takes.
//!
//! It is a model, not a measurement: constants for a processor core that polls a network card
//! without the kernel. Two servers share the work. The *hot* one takes feed frames in order of
//! arrival, from the network card to the order frame; the *house* one does everything else (TCP,
//! FIX, preparing and refreshing orders). Housework never delays a tick: its costs are charged to
//! the house, after the fire that caused it.

use saker_wire::station::{FrameId, StageSpan};
use saker_wire::time::Nanos;

use crate::market::Work;
use crate::orders::Housework;

/// Costs in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostModel {
    /// From a frame's last byte on the wire to its bytes in the machine.
    pub nic_rx_ns: Nanos,
    /// Classifying and arbitrating a packet.
    pub packet_ns: Nanos,
    /// Decoding a message, without its entries.
    pub message_ns: Nanos,
    /// Decoding and normalising an entry.
    pub entry_ns: Nanos,
    /// Applying an entry to its book.
    pub book_ns: Nanos,
    /// Showing a change to the strategies.
    pub strategy_ns: Nanos,
    /// Patching a slot and handing its frame to the network card.
    pub fire_ns: Nanos,
    /// What a slot that was not refreshed in time costs on top.
    pub refresh_at_fire_ns: Nanos,
    /// From the hand-over to the first byte on the wire.
    pub nic_tx_ns: Nanos,
    /// House: a TCP segment, in or out.
    pub segment_ns: Nanos,
    /// House: a FIX message, in or out.
    pub fix_message_ns: Nanos,
    /// House: preparing an order.
    pub prepare_ns: Nanos,
    /// House: refreshing a slot.
    pub refresh_ns: Nanos,
    /// House: accounting for a fire.
    pub settle_ns: Nanos,
}

impl Default for CostModel {
    /// A tick with one message of one entry takes 815 ns, 600 of them in the network card.
    fn default() -> Self {
        Self {
            nic_rx_ns: 300,
            packet_ns: 20,
            message_ns: 40,
            entry_ns: 30,
            book_ns: 50,
            strategy_ns: 25,
            fire_ns: 50,
            refresh_at_fire_ns: 60,
            nic_tx_ns: 300,
            segment_ns: 250,
            fix_message_ns: 700,
            prepare_ns: 1_500,
            refresh_ns: 120,
            settle_ns: 200,
        }
    }
}

impl CostModel {
    /// What an account of housework costs; `segments_out` were sent.
    pub fn housework(&self, done: Housework, segments_out: u32) -> Nanos {
        let n = Nanos::from;
        self.segment_ns * (n(done.segments) + n(segments_out))
            + self.fix_message_ns * n(done.messages)
            + self.prepare_ns * n(done.prepared)
            + self.refresh_ns * n(done.refreshed)
            + self.settle_ns * n(done.settled)
    }
}

/// The clock of one frame on its way through the hot server.
///
/// Stages that are visited several times are summed up and laid end to end in the order of the
/// pipeline, so that the spans of a frame add up to its time in the machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meter {
    costs: CostModel,
    arrived: Nanos,
    begun: Nanos,
    arbitrate: Nanos,
    decode: Nanos,
    book: Nanos,
    strategy: Nanos,
    fire: Nanos,
}

impl Meter {
    /// A frame that arrived at `now` and begins to be served when the hot server is free.
    pub fn begin(costs: CostModel, now: Nanos, hot_until: Nanos) -> Self {
        let begun = (now + costs.nic_rx_ns).max(hot_until);
        let (arbitrate, decode, book, strategy, fire) = (0, 0, 0, 0, 0);
        Self { costs, arrived: now, begun, arbitrate, decode, book, strategy, fire }
    }

    pub fn packet(&mut self) {
        self.arbitrate += self.costs.packet_ns;
    }

    pub fn message(&mut self) {
        self.decode += self.costs.message_ns;
    }

    pub fn event(&mut self, work: Work) {
        self.decode += self.costs.entry_ns * Nanos::from(work.entries);
        self.book += self.costs.book_ns * Nanos::from(work.book_updates);
        self.strategy += self.costs.strategy_ns * Nanos::from(work.evaluations);
    }

    pub fn fire(&mut self, refreshed: bool) {
        self.fire += self.costs.fire_ns;
        if refreshed {
            self.fire += self.costs.refresh_at_fire_ns;
        }
    }

    /// The instant that the work so far has led to.
    pub fn now(&self) -> Nanos {
        self.begun + self.arbitrate + self.decode + self.book + self.strategy + self.fire
    }

    /// The spans from arrival to the wire, of an order that leaves at `ready_at`.
    pub fn spans(&self, cause: FrameId, ready_at: Nanos, out: &mut Vec<StageSpan>) {
        let mut at = self.arrived;
        let mut push = |stage, end: Nanos| {
            out.push(StageSpan { cause, stage, start: at, end });
            at = end;
        };
        push("nic rx", self.arrived + self.costs.nic_rx_ns);
        push("queue", self.begun);
        let mut end = self.begun;
        for (stage, length) in [
            ("arbitrate", self.arbitrate),
            ("decode", self.decode),
            ("book", self.book),
            ("strategy", self.strategy),
            ("fire", self.fire),
        ] {
            end += length;
            push(stage, end);
        }
        push("nic tx", ready_at);
    }
}

//! The contract between a machine and the world around it.
//!
//! A *station* is a whole machine seen from its Ethernet ports: the exchange, a trader, a switch, a
//! co-simulated FPGA. Frames and `now` go in; frames and the next deadline come out. A station has
//! no clock, thread, socket or randomness of its own, so the virtual world and live drivers run
//! the very same machine.

use crate::time::Nanos;

/// Identifies one frame on one link for the whole run; 0 is never used.
pub type FrameId = u64;

/// A frame that has arrived completely.
#[derive(Debug, Clone, Copy)]
pub struct RxFrame<'a> {
    /// The port it arrived on.
    pub port: u8,
    /// The world's name for this arrival; what the frame triggers refers to it.
    pub id: FrameId,
    /// When its first byte arrived. Its last byte arrived at the `now` it is handed over.
    pub first_byte_ns: Nanos,
    /// Ethernet header to payload, padded if shorter than 60 bytes, without preamble and FCS.
    pub bytes: &'a [u8],
}

/// A frame to send.
#[derive(Debug, Clone)]
pub struct TxFrame {
    /// The port to send it on.
    pub port: u8,
    /// Ethernet header to payload; the world pads and adds the FCS.
    pub bytes: Vec<u8>,
    /// The earliest instant at which the first byte may leave (not before `now`).
    pub ready_at: Nanos,
    /// The arrived frame that this one answers, if any: how taps pair a tick with its order.
    pub cause: Option<FrameId>,
}

/// How long one stage inside a station took for the frame `cause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageSpan {
    /// The arrived frame that was being served.
    pub cause: FrameId,
    /// The stage's name, for example `decode`.
    pub stage: &'static str,
    /// When the stage began.
    pub start: Nanos,
    /// When it ended.
    pub end: Nanos,
}

/// What a station hands back to the world.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Frames to send, in order for each port.
    pub frames: Vec<TxFrame>,
    /// Where the time went, for the report.
    pub stages: Vec<StageSpan>,
}

/// A machine with Ethernet ports and no clock of its own.
pub trait Station {
    /// A frame has arrived; `now` is the instant of its last byte.
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox);
    /// The instant returned by [`Station::next_wake`] has come.
    fn wake(&mut self, now: Nanos, out: &mut Outbox);
    /// When the station next wants [`Station::wake`], if at all. Asked again after every call.
    fn next_wake(&self) -> Option<Nanos>;

    /// Whether the station works while a frame is still on the line, as logic does. The world asks
    /// once, when the station is added. Of such a station,
    ///
    /// - frames come by [`Station::arrive`] instead of [`Station::receive`];
    /// - `ready_at` of what it sends may lie before `now`, by no more than the frame is long: it may
    ///   report a frame when the last byte leaves.
    fn cut_through(&self) -> bool {
        false
    }

    /// The preamble of a frame has begun to arrive; its first byte comes at `frame.first_byte_ns`. The
    /// frame will end with a wrong FCS if `good` is false.
    fn arrive(&mut self, now: Nanos, frame: RxFrame<'_>, good: bool, out: &mut Outbox) {
        if good {
            self.receive(now, frame, out);
        }
    }
}

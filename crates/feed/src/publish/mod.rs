//! The publishing side of the feed: market events in, packets out.
//!
//! A [`Publisher`] owns the packet sequence numbers of the three streams and the `RptSeq` of every
//! instrument. The matching side queues entries with [`Publisher::order`] and
//! [`Publisher::trade`]; [`Publisher::flush`] turns everything queued since the last flush into as
//! few packets as hold it. Heartbeats, the snapshot loop and the definition loop run from
//! [`Publisher::on_deadline`]. Both lines carry the same payload, so a packet is handed to the
//! [`PacketSink`] once and the driver sends it twice.

mod publisher;
mod source;

pub use publisher::{MAX_PRICE, PublishError, Publisher};

use saker_wire::time::Nanos;

use crate::channel::Stream;
use crate::event::Side;

/// An instrument as the definition stream describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrument {
    /// `SecurityID` (48).
    pub security_id: u32,
    /// `Symbol` (55), printable ASCII.
    pub symbol: String,
    /// The power of ten of every price of this instrument, −63 to 63.
    pub exponent: i8,
    /// The smallest price step, in units of `10^exponent`; at least 1.
    pub tick: i64,
    /// `RoundLot` (561): quantities are multiples of this; at least 1.
    pub round_lot: u64,
}

/// So many packets in every interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pacing {
    /// Packets sent at most in one interval; at least 1.
    pub packets: u32,
    /// The interval in nanoseconds; at least 1.
    pub interval_ns: Nanos,
}

/// Settings of a [`Publisher`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishConfig {
    /// Largest UDP payload in bytes, 256 to 65 507; 1400 leaves room for tunnels on a 1500 MTU.
    pub max_payload: usize,
    /// Idle time of the incremental stream after which a heartbeat packet is sent.
    pub heartbeat_ns: Nanos,
    /// Pace of the snapshot loop.
    pub snapshot: Pacing,
    /// Pace of the definition loop.
    pub definition: Pacing,
}

/// Where finished packets go.
pub trait PacketSink {
    /// One packet of `stream`, for both lines.
    fn packet(&mut self, stream: Stream, payload: &[u8]);
}

/// The last trade of an instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastTrade {
    /// The trade's number, as published.
    pub id: u64,
    /// Its price in units of the instrument's exponent.
    pub price: i64,
    /// Its size.
    pub quantity: u64,
}

/// What the snapshot loop reads. `instrument` is the index into the publisher's instruments.
pub trait BookView {
    /// Calls `visit(order id, price, quantity)` for each resting order of `side`, best price first
    /// and in time priority.
    fn visit_orders(&self, instrument: usize, side: Side, visit: &mut dyn FnMut(u64, i64, u64));
    /// The last trade, if there was one.
    fn last_trade(&self, instrument: usize) -> Option<LastTrade>;
}

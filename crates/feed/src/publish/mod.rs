//! The publishing side of the feed: market events in, packets out.
//!
//! A [`Publisher`] owns the packet sequence numbers of the three streams and the `RptSeq` of every
//! instrument. The matching side queues entries with [`Publisher::order`] and
//! [`Publisher::trade`]; [`Publisher::flush`] turns everything queued since the last flush into as
//! few packets as hold it. Heartbeats, the snapshot loop and the definition loop run from
//! [`Publisher::on_deadline`]. Both lines carry the same payload, so a packet is handed to the
//! [`PacketSink`] once and the driver sends it twice.

use saker_wire::time::Nanos;

use crate::channel::Stream;
use crate::event::{Action, Side};

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

/// Why a publisher cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// A setting is outside its range.
    #[error("{field}: {problem}")]
    Invalid {
        /// The offending setting.
        field: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// Builds the packets of all three streams.
#[derive(Debug)]
pub struct Publisher {
    config: PublishConfig,
    instruments: Vec<Instrument>,
}

impl Publisher {
    /// A publisher whose streams start with packet 1 and whose loops start at `now`.
    pub fn new(
        instruments: Vec<Instrument>,
        config: PublishConfig,
        _now: Nanos,
    ) -> Result<Self, PublishError> {
        Ok(Self { config, instruments })
    }

    /// Queues a change of one resting order; `quantity` is what is left of it.
    pub fn order(
        &mut self,
        _instrument: usize,
        _action: Action,
        _side: Side,
        _order_id: u64,
        _price: i64,
        _quantity: u64,
    ) {
    }

    /// Queues a trade.
    pub fn trade(&mut self, _instrument: usize, _trade_id: u64, _price: i64, _quantity: u64) {}

    /// Sends everything queued in as few packets as hold it.
    pub fn flush(&mut self, _now: Nanos, _out: &mut impl PacketSink) {}

    /// When [`Publisher::on_deadline`] is due next.
    pub fn next_deadline(&self) -> Nanos {
        Nanos::MAX
    }

    /// Sends the heartbeat, snapshot and definition packets that are due at `now`.
    pub fn on_deadline(&mut self, _now: Nanos, _books: &impl BookView, _out: &mut impl PacketSink) {
    }

    /// The sequence number of the last packet of `stream`; 0 before the first.
    pub fn last_sequence(&self, _stream: Stream) -> u32 {
        0
    }

    /// `RptSeq` of the last entry of an instrument; 0 before the first.
    pub fn rpt_seq(&self, _instrument: usize) -> u32 {
        0
    }

    /// The instruments it publishes, in the order of the definition loop.
    pub fn instruments(&self) -> &[Instrument] {
        &self.instruments
    }

    /// The settings it runs with.
    pub fn config(&self) -> &PublishConfig {
        &self.config
    }
}

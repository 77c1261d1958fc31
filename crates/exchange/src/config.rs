//! What the exchange is told at start. Every field has a serde name and, where sensible, a default.

use saker_feed::publish::{Instrument, Pacing, PublishConfig};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};
use serde::{Deserialize, Serialize};

mod validate;

pub use validate::ConfigError;

/// Everything the engine needs to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExchangeConfig {
    /// The exchange's comp id on every session; default `SAKER`.
    #[serde(default = "default_comp_id")]
    pub comp_id: String,
    /// The listed instruments, at least one.
    pub instruments: Vec<InstrumentConfig>,
    /// Who may log on.
    pub participants: Vec<ParticipantConfig>,
    /// Packet sizes and pacing of the multicast feed.
    #[serde(default)]
    pub feed: FeedConfig,
    /// Bounds that hold under overload and abuse.
    #[serde(default)]
    pub limits: LimitsConfig,
    /// Which of the two announcements of a command leaves first.
    #[serde(default)]
    pub first: First,
}

/// The order in which the outputs of one command leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum First {
    /// The public feed first, then private reports, then FIX market data: nobody knows of a trade
    /// before everybody does.
    #[default]
    Feed,
    /// Private reports first, then the feed, then FIX market data.
    Reports,
}

/// One listed instrument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstrumentConfig {
    /// `SecurityID` (48) on the feed; unique.
    pub security_id: u32,
    /// `Symbol` (55); unique, 1 to 16 printable ASCII characters.
    pub symbol: String,
    /// Power of ten of every price, −9 to 0.
    pub exponent: i8,
    /// Smallest price step in units of `10^exponent`; default 1.
    #[serde(default = "one_i64")]
    pub tick: i64,
    /// Quantities are multiples of this; default 1.
    #[serde(default = "one_u64")]
    pub lot: u64,
    /// Largest quantity of one order.
    #[serde(default = "default_max_quantity")]
    pub max_quantity: u64,
    /// How far prices may be from the reference; default no collar.
    #[serde(default)]
    pub collar: Option<CollarConfig>,
}

/// A price collar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollarConfig {
    /// The reference price until the first trade, in units of `10^exponent`; thereafter it is the
    /// price of the last trade.
    pub reference: i64,
    /// The allowed distance to either side, inclusive, in the same units.
    pub width: u64,
}

/// One participant: a comp id, its credentials and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticipantConfig {
    /// Its `SenderCompID` (49); unique.
    pub comp_id: String,
    /// Its `Username` (553).
    pub username: String,
    /// Its `Password` (554).
    pub password: String,
    /// Whether its resting orders are cancelled when its session ends; default yes.
    #[serde(default = "yes")]
    pub cancel_on_disconnect: bool,
    /// Largest number of resting orders at one time.
    #[serde(default = "default_max_open_orders")]
    pub max_open_orders: usize,
    /// What happens when two of its own orders would trade; default `cancel_newest`.
    #[serde(default)]
    pub self_match: SelfMatchConfig,
}

/// What happens when two orders of one participant would trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfMatchConfig {
    /// They trade.
    Allow,
    /// What remains of the arriving order is cancelled.
    #[default]
    CancelNewest,
    /// The resting order is cancelled and the arriving one goes on.
    CancelOldest,
}

/// Packet sizes and pacing of the multicast feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FeedConfig {
    /// Largest UDP payload in bytes.
    pub max_payload: usize,
    /// Idle time of the incremental stream before a heartbeat packet.
    pub heartbeat_ns: Nanos,
    /// Interval of the snapshot loop.
    pub snapshot_interval_ns: Nanos,
    /// Snapshot packets in one interval.
    pub snapshot_packets: u32,
    /// Interval of the definition loop.
    pub definition_interval_ns: Nanos,
    /// Definition packets in one interval.
    pub definition_packets: u32,
}

/// Bounds that hold under overload and abuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Open connections, logged on or not; more are closed at once.
    pub max_connections: usize,
    /// Time a new connection has to log on.
    pub logon_timeout_ns: Nanos,
    /// Unwritten bytes of a session above which market data is conflated.
    pub conflate_bytes: usize,
    /// Unwritten bytes of a session above which it is disconnected.
    pub disconnect_bytes: usize,
    /// `ClOrdID`s one participant may use in a run.
    pub max_client_order_ids: usize,
    /// Market-data subscriptions of one session.
    pub max_subscriptions: usize,
    /// Instruments in one market-data request.
    pub max_request_symbols: usize,
    /// Price levels of each side in one market-data message (W): what a request for the full book
    /// gets, and the most that a request may name.
    pub max_market_depth: u32,
    /// Resting orders of one instrument, both sides together.
    pub max_book_orders: usize,
    /// Reports kept for a participant whose session is down; more are dropped and counted.
    pub max_offline_reports: usize,
}

impl From<SelfMatchConfig> for saker_matching::SelfMatch {
    fn from(policy: SelfMatchConfig) -> Self {
        match policy {
            SelfMatchConfig::Allow => Self::Allow,
            SelfMatchConfig::CancelNewest => Self::CancelNewest,
            SelfMatchConfig::CancelOldest => Self::CancelOldest,
        }
    }
}

impl Default for FeedConfig {
    fn default() -> Self {
        Self {
            max_payload: 1400,
            heartbeat_ns: SECOND,
            snapshot_interval_ns: 10 * MILLISECOND,
            snapshot_packets: 1,
            definition_interval_ns: 100 * MILLISECOND,
            definition_packets: 1,
        }
    }
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            max_connections: 256,
            logon_timeout_ns: 10 * SECOND,
            conflate_bytes: 32 * 1024,
            disconnect_bytes: 256 * 1024,
            max_client_order_ids: 1 << 20,
            max_subscriptions: 64,
            max_request_symbols: 64,
            max_market_depth: 10,
            max_book_orders: 1 << 16,
            max_offline_reports: 4096,
        }
    }
}

impl FeedConfig {
    /// As the publisher wants it.
    pub fn publish_config(&self) -> PublishConfig {
        let pacing = |packets, interval_ns| Pacing { packets, interval_ns };
        PublishConfig {
            max_payload: self.max_payload,
            heartbeat_ns: self.heartbeat_ns,
            snapshot: pacing(self.snapshot_packets, self.snapshot_interval_ns),
            definition: pacing(self.definition_packets, self.definition_interval_ns),
        }
    }
}

impl InstrumentConfig {
    /// As the publisher wants it.
    pub fn definition(&self) -> Instrument {
        Instrument {
            security_id: self.security_id,
            symbol: self.symbol.clone(),
            exponent: self.exponent,
            tick: self.tick,
            round_lot: self.lot,
        }
    }
}

fn default_comp_id() -> String {
    "SAKER".to_owned()
}
fn one_i64() -> i64 {
    1
}
fn one_u64() -> u64 {
    1
}
fn default_max_quantity() -> u64 {
    1_000_000
}
fn default_max_open_orders() -> usize {
    10_000
}
fn yes() -> bool {
    true
}

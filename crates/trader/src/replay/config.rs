//! How a replay is set up.

use saker_fast::ResetPolicy;
use saker_wire::frame::TcpPath;
use saker_wire::time::{Nanos, SECOND};

use crate::market::MarketConfig;
use crate::orders::Identity;
use crate::recovery::{Continuity, RecoveryConfig};

/// Where virtual time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSource {
    /// From the caller, with each unit.
    Caller,
    /// From SendingTime (52) of each message that has one that
    /// [`sending_time`](super::sending_time) can read; else from the caller.
    SendingTime,
}

/// How a capture is framed and what it is replayed against.
#[derive(Debug, Clone)]
pub struct ReplayConfig {
    /// Bytes before each message or packet that are not FAST.
    pub preamble_len: usize,
    /// When the decoder's dictionaries are reset.
    pub reset: ResetPolicy,
    /// Where time comes from, in the replay of a stream.
    pub time: TimeSource,
    /// The power of ten that prices are brought to; a price with digits below it is dropped and
    /// counted.
    pub price_exponent: i8,
    /// Instruments beyond this number are refused and counted.
    pub max_instruments: usize,
    /// Instruments of a stream whose books take their memory at the start; those beyond take it when
    /// they are first seen, on the way of a tick.
    pub ready_instruments: usize,
    /// Bounds of books and recovery. With [`Continuity::Counted`], a hole in RptSeq is only
    /// counted: right for captures of trades alone.
    pub market: MarketConfig,
    /// The simulated session.
    pub identity: Identity,
    /// The simulated connection.
    pub path: TcpPath,
    /// The first MsgSeqNum.
    pub first_msg_seq: u32,
    /// The first TCP sequence number.
    pub first_tcp_seq: u32,
    /// Age of SendingTime at which a prepared order is refreshed.
    pub refresh_age_ns: Nanos,
}

impl ReplayConfig {
    /// For captures of trades by FAST messages after a 4-byte preamble, dictionaries reset by every
    /// message, prices to 10^-6.
    pub fn trades(identity: Identity, path: TcpPath) -> Self {
        let recovery = RecoveryConfig { continuity: Continuity::Counted, ..Default::default() };
        Self {
            preamble_len: saker_feed::PREAMBLE_LEN,
            reset: ResetPolicy::Message,
            // No orders rest in books that only see trades.
            market: MarketConfig { orders_per_book: 64, recovery },
            ..Self::feed(identity, path)
        }
    }

    /// For saker's own feed.
    pub fn feed(identity: Identity, path: TcpPath) -> Self {
        Self {
            preamble_len: saker_feed::PREAMBLE_LEN,
            reset: ResetPolicy::Packet,
            time: TimeSource::Caller,
            price_exponent: -6,
            max_instruments: 4_096,
            ready_instruments: 0,
            market: MarketConfig::default(),
            identity,
            path,
            first_msg_seq: 2,
            first_tcp_seq: 1,
            refresh_age_ns: SECOND,
        }
    }
}

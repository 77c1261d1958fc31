//! All counters of the machine, to be shown or written.

use saker_feed::channel::Stream;

use super::{HostCounters, TraderHost};
use crate::arbitrate::ArbiterCounters;
use crate::fastpath::FastPathCounters;
use crate::feed::FeedCounters;
use crate::market::MarketCounters;
use crate::orders::{Audit, LineCounters};
use crate::recovery::RecoveryCounters;

/// What the whole machine has counted since the start.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Frames.
    pub host: HostCounters,
    /// Packets.
    pub feed: FeedCounters,
    /// Line arbitration of the incremental stream.
    pub incremental: ArbiterCounters,
    /// Line arbitration of the snapshot stream.
    pub snapshot: ArbiterCounters,
    /// Line arbitration of the definition stream.
    pub definition: ArbiterCounters,
    /// Entries dropped by the normaliser: reason and count, those that happened.
    pub dropped_entries: Vec<(String, u64)>,
    /// Books trusted and rebuilt.
    pub recovery: RecoveryCounters,
    /// Books and strategies.
    pub market: MarketCounters,
    /// Session, connection, orders.
    pub line: LineCounters,
    /// Fires and refusals.
    pub fast_path: FastPathCounters,
    /// How the orders were answered.
    pub audit: Audit,
}

impl Summary {
    pub(super) fn of(host: &TraderHost) -> Self {
        let drops = host.feed().normalizer().counters().drops();
        Self {
            host: host.counters(),
            feed: host.feed().counters(),
            incremental: host.feed().arbiter_counters(Stream::Incremental),
            snapshot: host.feed().arbiter_counters(Stream::Snapshot),
            definition: host.feed().arbiter_counters(Stream::Definition),
            dropped_entries: drops
                .filter(|(_, count)| *count > 0)
                .map(|(reason, count)| (reason.to_string(), count))
                .collect(),
            recovery: host.market().recovery().counters(),
            market: host.market().counters(),
            line: host.line().counters(),
            fast_path: host.line().fast_path().counters(),
            audit: host.line().log().audit(),
        }
    }
}

//! What normalising a message yields.

use super::instruments::InstrumentIndex;
use crate::event::EntryKind;

/// One market-data entry of a known instrument, its price at the instrument's exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Whose entry it is.
    pub instrument: InstrumentIndex,
    /// RptSeq (83): counts the instrument's entries from 1; 0 where the feed has none.
    pub rpt_seq: u32,
    /// MDEntryID (278): the order, or the trade's number; 0 where the feed has none.
    pub id: u64,
    /// Its position in its message, from 0.
    pub position: u32,
    /// What it says.
    pub kind: EntryKind,
}

/// One normalised event, in the order of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An instrument has become known.
    Defined {
        /// Its index, always the next free one.
        instrument: InstrumentIndex,
    },
    /// An incremental entry.
    Entry(Entry),
    /// An incremental entry that says nothing about book or trades, but counts in RptSeq.
    Other {
        /// Whose entry it was.
        instrument: InstrumentIndex,
        /// Its RptSeq.
        rpt_seq: u32,
    },
    /// An incremental entry was lost to an error: the instrument's book can no longer be trusted.
    Broken {
        /// Whose entry it was.
        instrument: InstrumentIndex,
    },
    /// An entry of an instrument that nobody has defined was dropped.
    Unknown,
    /// A snapshot message begins.
    SnapshotBegin(SnapshotHead),
    /// An entry of that snapshot: a resting order (`New`), or the last trade.
    SnapshotEntry(Entry),
    /// The snapshot message has ended. If `complete` is false an entry of it was lost to an error.
    SnapshotEnd {
        /// What it began with.
        head: SnapshotHead,
        /// Whether every entry was delivered.
        complete: bool,
    },
    /// The feed is alive.
    Heartbeat,
}

/// The head of a snapshot message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotHead {
    /// Whose book it is.
    pub instrument: InstrumentIndex,
    /// LastMsgSeqNumProcessed (369): the last packet of the incremental stream it includes.
    pub last_packet: u32,
    /// RptSeq (83) of the last entry it includes; 0 when there was none yet.
    pub rpt_seq: u32,
    /// Whether this is the first message of the instrument's snapshot.
    pub first: bool,
    /// Whether it is the last.
    pub last: bool,
}

/// Why an entry or a message was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NormalizeError {
    /// Neither SecurityID (48) nor Symbol (55) names a known instrument.
    #[error("unknown instrument")]
    UnknownInstrument,
    /// Nothing in the message names an instrument.
    #[error("no instrument named")]
    NoInstrument,
    /// The registry is full.
    #[error("more instruments than configured")]
    TooManyInstruments,
    /// MDEntryPx (270) is absent where it is needed.
    #[error("MDEntryPx (270) is absent")]
    NoPrice,
    /// The price overflows at the instrument's exponent.
    #[error("MDEntryPx (270) overflows at the instrument's exponent")]
    PriceOverflow,
    /// The price has digits below the instrument's exponent.
    #[error("MDEntryPx (270) has digits below the instrument's exponent")]
    PriceInexact,
    /// MDEntrySize (271) is absent where it is needed, negative, fractional or too large.
    #[error("MDEntrySize (271) is not a whole non-negative number")]
    BadQuantity,
    /// MDUpdateAction (279) is not 0, 1 or 2.
    #[error("MDUpdateAction (279) is not 0, 1 or 2")]
    BadAction,
    /// MDEntryID (278) is not a decimal number below 2^64.
    #[error("MDEntryID (278) is not a number")]
    BadEntryId,
    /// RptSeq (83) or another counter is negative or above 2^32-1.
    #[error("a counter is outside 0..2^32")]
    BadCounter,
    /// A definition's MinPriceIncrement (969) has an exponent outside -18..=18, or none.
    #[error("MinPriceIncrement (969) gives no usable exponent")]
    BadIncrement,
    /// A text is longer than is kept.
    #[error("a text field is longer than 32 bytes or not ASCII")]
    BadText,
    /// The message yields more events than the buffer holds.
    #[error("more entries than the event buffer holds")]
    TooManyEntries,
}

macro_rules! counters {
    ($($(#[$doc:meta])* $field:ident: $variant:ident),* $(,)?) => {
        /// Counts since the start.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct NormalizeCounters {
            /// Messages seen.
            pub messages: u64,
            /// Messages whose template carries no market data, or none that is known here.
            pub ignored_messages: u64,
            /// Incremental entries delivered.
            pub entries: u64,
            /// Incremental entries that say nothing about book or trades.
            pub other_entries: u64,
            /// Snapshot entries delivered.
            pub snapshot_entries: u64,
            /// Instruments defined.
            pub definitions: u64,
            /// Heartbeats.
            pub heartbeats: u64,
            $($(#[$doc])* pub $field: u64,)*
        }

        impl NormalizeCounters {
            pub(super) fn count(&mut self, error: NormalizeError) {
                match error {
                    $(NormalizeError::$variant => self.$field += 1,)*
                }
            }

            /// Everything dropped, for whatever reason.
            pub fn dropped(&self) -> u64 {
                0 $(+ self.$field)*
            }

            /// The drop reasons and their counts.
            pub fn drops(&self) -> impl Iterator<Item = (NormalizeError, u64)> {
                [$((NormalizeError::$variant, self.$field)),*].into_iter()
            }
        }
    };
}

counters! {
    /// Dropped: [`NormalizeError::UnknownInstrument`].
    unknown_instrument: UnknownInstrument,
    /// Dropped: [`NormalizeError::NoInstrument`].
    no_instrument: NoInstrument,
    /// Dropped: [`NormalizeError::TooManyInstruments`].
    too_many_instruments: TooManyInstruments,
    /// Dropped: [`NormalizeError::NoPrice`].
    no_price: NoPrice,
    /// Dropped: [`NormalizeError::PriceOverflow`].
    price_overflow: PriceOverflow,
    /// Dropped: [`NormalizeError::PriceInexact`].
    price_inexact: PriceInexact,
    /// Dropped: [`NormalizeError::BadQuantity`].
    bad_quantity: BadQuantity,
    /// Dropped: [`NormalizeError::BadAction`].
    bad_action: BadAction,
    /// Dropped: [`NormalizeError::BadEntryId`].
    bad_entry_id: BadEntryId,
    /// Dropped: [`NormalizeError::BadCounter`].
    bad_counter: BadCounter,
    /// Dropped: [`NormalizeError::BadIncrement`].
    bad_increment: BadIncrement,
    /// Dropped: [`NormalizeError::BadText`].
    bad_text: BadText,
    /// Dropped: [`NormalizeError::TooManyEntries`].
    too_many_entries: TooManyEntries,
}

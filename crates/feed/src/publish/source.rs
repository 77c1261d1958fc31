//! The publisher's structures as the FAST encoder reads them: by FIX tag, without a tree.

use saker_fast::{FieldInfo, Source, Value};
use saker_wire::time::Nanos;

use super::Instrument;

/// Template names in `saker.xml`.
pub(super) mod template {
    pub(in super::super) const DEFINITION: &str = "SecurityDefinition";
    pub(in super::super) const INCREMENTAL: &str = "IncrementalRefresh";
    pub(in super::super) const INCREMENTAL_ENTRY: &str = "IncrementalEntry";
    pub(in super::super) const SNAPSHOT: &str = "SnapshotFullRefresh";
    pub(in super::super) const HEARTBEAT: &str = "Heartbeat";
}

/// FIX tags of the templates' fields.
mod tag {
    pub(super) const MSG_TYPE: u32 = 35;
    pub(super) const SECURITY_ID: u32 = 48;
    pub(super) const SENDING_TIME: u32 = 52;
    pub(super) const SYMBOL: u32 = 55;
    pub(super) const RPT_SEQ: u32 = 83;
    pub(super) const MD_ENTRY_TYPE: u32 = 269;
    pub(super) const MD_ENTRY_PX: u32 = 270;
    pub(super) const MD_ENTRY_SIZE: u32 = 271;
    pub(super) const MD_ENTRY_ID: u32 = 278;
    pub(super) const MD_UPDATE_ACTION: u32 = 279;
    pub(super) const LAST_MSG_SEQ_NUM_PROCESSED: u32 = 369;
    pub(super) const ROUND_LOT: u32 = 561;
    pub(super) const LAST_FRAGMENT: u32 = 893;
    pub(super) const TOT_NUM_REPORTS: u32 = 911;
    pub(super) const MIN_PRICE_INCREMENT: u32 = 969;
    pub(super) const FIRST_FRAGMENT: u32 = 5893;
}

/// `MDEntryType` (269) of this feed.
pub(super) mod entry_type {
    pub(in super::super) const BID: u32 = 0;
    pub(in super::super) const OFFER: u32 = 1;
    pub(in super::super) const TRADE: u32 = 2;
}

/// One entry, incremental or snapshot. Snapshots leave `action` and `rpt_seq` unread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) action: u32,
    pub(super) entry_type: u32,
    pub(super) security_id: u32,
    pub(super) rpt_seq: u32,
    pub(super) id: u64,
    pub(super) price: i64,
    pub(super) exponent: i8,
    pub(super) quantity: u64,
}

/// What the messages of one instrument's snapshot have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct SnapshotHeader {
    pub(super) last_processed: u32,
    pub(super) total: u32,
    pub(super) security_id: u32,
    pub(super) rpt_seq: u32,
}

/// A message, or one element of its sequence.
#[derive(Debug, Clone, Copy)]
pub(super) enum FeedMessage<'a> {
    Definition {
        time: Nanos,
        total: u32,
        instrument: &'a Instrument,
    },
    Incremental {
        time: Nanos,
        entries: &'a [Entry],
    },
    /// A refresh that is its only entry.
    IncrementalEntry {
        time: Nanos,
        entry: &'a Entry,
    },
    Snapshot {
        time: Nanos,
        header: &'a SnapshotHeader,
        first: bool,
        last: bool,
        entries: &'a [Entry],
    },
    Heartbeat {
        time: Nanos,
    },
    Element(&'a Entry),
}

impl FeedMessage<'_> {
    fn msg_type(&self) -> &'static [u8] {
        match self {
            FeedMessage::Definition { .. } => b"d",
            FeedMessage::Incremental { .. }
            | FeedMessage::IncrementalEntry { .. }
            | FeedMessage::Element(_) => b"X",
            FeedMessage::Snapshot { .. } => b"W",
            FeedMessage::Heartbeat { .. } => b"0",
        }
    }

    fn sending_time(&self) -> Option<Nanos> {
        match *self {
            FeedMessage::Definition { time, .. }
            | FeedMessage::Incremental { time, .. }
            | FeedMessage::IncrementalEntry { time, .. }
            | FeedMessage::Snapshot { time, .. }
            | FeedMessage::Heartbeat { time } => Some(time),
            FeedMessage::Element(_) => None,
        }
    }

    fn entries(&self) -> Option<&[Entry]> {
        match *self {
            FeedMessage::Incremental { entries, .. } | FeedMessage::Snapshot { entries, .. } => {
                Some(entries)
            }
            _ => None,
        }
    }
}

impl Source for FeedMessage<'_> {
    fn value(&self, field: &FieldInfo) -> Option<Value<'_>> {
        let id = field.id?;
        match id {
            tag::MSG_TYPE => return Some(Value::Ascii(self.msg_type())),
            tag::SENDING_TIME => return self.sending_time().map(Value::UInt),
            _ => {}
        }
        match self {
            FeedMessage::Definition { total, instrument, .. } => match id {
                tag::TOT_NUM_REPORTS => Some(Value::from(*total)),
                tag::SECURITY_ID => Some(Value::from(instrument.security_id)),
                tag::SYMBOL => Some(Value::Ascii(instrument.symbol.as_bytes())),
                tag::MIN_PRICE_INCREMENT => Some(decimal(instrument.tick, instrument.exponent)),
                tag::ROUND_LOT => Some(Value::from(instrument.round_lot)),
                _ => None,
            },
            FeedMessage::Snapshot { header, first, last, .. } => match id {
                tag::LAST_MSG_SEQ_NUM_PROCESSED => Some(Value::from(header.last_processed)),
                tag::TOT_NUM_REPORTS => Some(Value::from(header.total)),
                tag::SECURITY_ID => Some(Value::from(header.security_id)),
                tag::RPT_SEQ => Some(Value::from(header.rpt_seq)),
                tag::FIRST_FRAGMENT => Some(Value::from(u32::from(*first))),
                tag::LAST_FRAGMENT => Some(Value::from(u32::from(*last))),
                _ => None,
            },
            FeedMessage::Element(entry) | FeedMessage::IncrementalEntry { entry, .. } => match id {
                tag::MD_UPDATE_ACTION => Some(Value::from(entry.action)),
                tag::MD_ENTRY_TYPE => Some(Value::from(entry.entry_type)),
                tag::SECURITY_ID => Some(Value::from(entry.security_id)),
                tag::RPT_SEQ => Some(Value::from(entry.rpt_seq)),
                tag::MD_ENTRY_ID => Some(Value::from(entry.id)),
                tag::MD_ENTRY_PX => Some(decimal(entry.price, entry.exponent)),
                tag::MD_ENTRY_SIZE => Some(Value::from(entry.quantity)),
                _ => None,
            },
            FeedMessage::Incremental { .. } | FeedMessage::Heartbeat { .. } => None,
        }
    }

    fn length(&self, _field: &FieldInfo) -> Option<usize> {
        self.entries().map(<[Entry]>::len)
    }

    fn element(&self, _field: &FieldInfo, index: usize) -> Option<Self> {
        match *self {
            FeedMessage::Incremental { entries, .. } | FeedMessage::Snapshot { entries, .. } => {
                entries.get(index).map(FeedMessage::Element)
            }
            _ => None,
        }
    }
}

fn decimal(mantissa: i64, exponent: i8) -> Value<'static> {
    Value::Decimal { mantissa, exponent: i32::from(exponent) }
}

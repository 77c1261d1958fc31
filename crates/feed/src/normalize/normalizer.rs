//! The visitor.

use saker_fast::model::Template;
use saker_fast::{FieldInfo, Value, Visitor};

use super::instruments::{Instrument, InstrumentIndex, Instruments, InstrumentsConfig};
use super::output::{Entry, Event, NormalizeCounters, NormalizeError, SnapshotHead};
use super::registers::{EntryType, Registers};
use super::scale::{ScaleError, rescale};
use super::tag_map::{Class, Role, TagMap};
use crate::event::{Action, EntryKind, Price};

/// Where in a message the visitor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Message,
    /// In an element of the sequence of entries, or in a message that is an entry, `nested` sequences or
    /// groups deep.
    Entry {
        nested: u32,
    },
    /// In another sequence of the message, this deep.
    Elsewhere {
        depth: u32,
    },
}

/// Maps the messages of one feed to [`Event`]s in a reusable buffer.
///
/// Usage: decode a message into it, read [`Normalizer::events`], [`Normalizer::clear`]. After a
/// decoding error call [`Normalizer::abandon`], which drops what the broken message had yielded.
#[derive(Debug)]
pub struct Normalizer {
    map: TagMap,
    instruments: Instruments,
    events: Vec<Event>,
    max_events: usize,
    counters: NormalizeCounters,
    last_error: Option<NormalizeError>,
    overflowed: bool,
    /// The last SecurityID that was looked up: entries of one instrument often come together.
    last_found: Option<(u64, InstrumentIndex)>,

    // The message at hand.
    class: Class,
    scope: Scope,
    message_events: usize,
    message: Registers,
    entry: Registers,
    position: u32,
    snapshot: Option<SnapshotHead>,
    snapshot_complete: bool,
}

impl Normalizer {
    /// A normaliser for the feed whose templates `map` was made of. `max_events` bounds what is
    /// kept between two [`Normalizer::clear`]s; what exceeds it is dropped and counted.
    pub fn new(map: TagMap, instruments: InstrumentsConfig, max_events: usize) -> Self {
        Self {
            map,
            instruments: Instruments::new(instruments),
            events: Vec::with_capacity(max_events.min(1 << 16)),
            max_events,
            counters: NormalizeCounters::default(),
            last_error: None,
            overflowed: false,
            last_found: None,
            class: Class::Ignored,
            scope: Scope::Message,
            message_events: 0,
            message: Registers::EMPTY,
            entry: Registers::EMPTY,
            position: 0,
            snapshot: None,
            snapshot_complete: true,
        }
    }

    /// What has been normalised since the last [`Normalizer::clear`].
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Empties the buffer.
    pub fn clear(&mut self) {
        self.events.clear();
        self.message_events = 0;
        self.overflowed = false;
    }

    /// Whether events were dropped since the last [`Normalizer::clear`] because the buffer is full:
    /// what the messages said is then not known in full.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The message at hand turned out to be malformed: what it had yielded is dropped. Instruments
    /// that it defined stay, and stay announced.
    pub fn abandon(&mut self) {
        let mut index = 0;
        let from = self.message_events;
        self.events.retain(|event| {
            index += 1;
            index <= from || matches!(event, Event::Defined { .. })
        });
        self.class = Class::Ignored;
        self.snapshot = None;
    }

    /// The instruments seen so far.
    pub fn instruments(&self) -> &Instruments {
        &self.instruments
    }

    /// The counts since the start.
    pub fn counters(&self) -> &NormalizeCounters {
        &self.counters
    }

    /// The last error, for a log.
    pub fn last_error(&self) -> Option<NormalizeError> {
        self.last_error
    }

    fn fail(&mut self, error: NormalizeError) {
        self.counters.count(error);
        self.last_error = Some(error);
    }

    /// Appends an event, or counts that there is no room.
    fn push(&mut self, event: Event) -> bool {
        let room = self.events.len() < self.max_events;
        if room {
            self.events.push(event);
        } else {
            self.overflowed = true;
            self.fail(NormalizeError::TooManyEntries);
        }
        room
    }

    /// The instrument that the entry at hand, or else the message, names.
    fn instrument(&mut self) -> Result<InstrumentIndex, NormalizeError> {
        if let Some(id) = self.entry.security_id.or(self.message.security_id) {
            if let Some((_, index)) = self.last_found.filter(|(last, _)| *last == id) {
                return Ok(index);
            }
            let known = self.instruments.by_security_id(id);
            self.last_found = known.map(|index| (id, index));
            return known.ok_or(NormalizeError::UnknownInstrument);
        }
        let named = |registers: &Registers| !registers.symbol.is_empty();
        let symbol = match (named(&self.entry), named(&self.message)) {
            (true, _) => &self.entry.symbol,
            (false, true) => &self.message.symbol,
            (false, false) => return Err(NormalizeError::NoInstrument),
        };
        let session = match self.entry.session.is_empty() {
            true => &self.message.session,
            false => &self.entry.session,
        };
        match self.instruments.sight(symbol.as_str(), session.as_str()) {
            Ok(Some((index, false))) => Ok(index),
            Ok(Some((index, true))) => {
                // Announced even if the buffer is full: whoever reads it keeps one state for each.
                self.events.push(Event::Defined { instrument: index });
                self.counters.definitions += 1;
                Ok(index)
            }
            Ok(None) => Err(NormalizeError::UnknownInstrument),
            Err(_) => Err(NormalizeError::TooManyInstruments),
        }
    }

    /// The entry at hand says this of `instrument`; `None` if it says nothing about it.
    fn kind(&self, instrument: InstrumentIndex) -> Result<Option<EntryKind>, NormalizeError> {
        let entry = &self.entry;
        if let Some(error) = entry.error {
            return Err(error);
        }
        let action = entry.action.ok_or(NormalizeError::BadAction)?;
        let price = |needed: bool| -> Result<Price, NormalizeError> {
            let exponent = self.instruments.get(instrument).map_or(0, |i| i.price_exponent);
            let mantissa = match entry.price {
                Some((mantissa, from)) => rescale(mantissa, from, exponent.into())?,
                None if needed => return Err(NormalizeError::NoPrice),
                None => 0,
            };
            Ok(Price { mantissa, exponent })
        };
        let quantity = |needed: bool| match entry.quantity {
            None if needed => Err(NormalizeError::BadQuantity),
            quantity => quantity.unwrap_or(Ok(0)),
        };
        Ok(match (entry.entry_type, action) {
            (EntryType::Other, _) | (EntryType::Trade, Action::Delete) => None,
            (EntryType::Trade, _) => {
                Some(EntryKind::Trade { price: price(true)?, quantity: quantity(true)? })
            }
            (EntryType::Order(side), action) => {
                let needed = action != Action::Delete;
                let (price, quantity) = (price(needed)?, quantity(needed)?);
                Some(EntryKind::Order { action, side, price, quantity })
            }
        })
    }

    fn end_incremental_entry(&mut self) {
        let instrument = match self.instrument() {
            Ok(instrument) => instrument,
            Err(error) => {
                self.fail(error);
                // Whatever instrument it was of, the next one defined may be that one.
                self.push(Event::Unknown);
                return;
            }
        };
        let rpt_seq = self.entry.rpt_seq;
        match self.kind(instrument) {
            Ok(Some(kind)) => {
                let (id, position) = (self.entry.entry_id, self.position);
                let entry = Entry { instrument, rpt_seq, id, position, kind };
                self.counters.entries += u64::from(self.push(Event::Entry(entry)));
            }
            Ok(None) => {
                let pushed = self.push(Event::Other { instrument, rpt_seq });
                self.counters.other_entries += u64::from(pushed);
            }
            Err(error) => {
                self.fail(error);
                self.push(Event::Broken { instrument });
            }
        }
    }

    fn begin_snapshot(&mut self) {
        self.entry = Registers::EMPTY;
        self.snapshot = None;
        let found = match self.message.error {
            Some(error) => Err(error),
            None => self.instrument(),
        };
        match found {
            Ok(instrument) => {
                let head = SnapshotHead {
                    instrument,
                    last_packet: self.message.last_packet,
                    rpt_seq: self.message.rpt_seq,
                    first: self.message.first,
                    last: self.message.last,
                };
                self.snapshot_complete = true;
                if self.push(Event::SnapshotBegin(head)) {
                    self.snapshot = Some(head);
                }
            }
            Err(error) => self.fail(error),
        }
    }

    fn end_snapshot_entry(&mut self) {
        let Some(head) = self.snapshot else { return };
        let instrument = head.instrument;
        let rpt_seq = head.rpt_seq;
        match self.kind(instrument) {
            Ok(Some(kind)) => {
                let (id, position) = (self.entry.entry_id, self.position);
                let entry = Entry { instrument, rpt_seq, id, position, kind };
                let pushed = self.push(Event::SnapshotEntry(entry));
                self.counters.snapshot_entries += u64::from(pushed);
                self.snapshot_complete &= pushed;
            }
            Ok(None) => self.counters.other_entries += 1,
            Err(error) => {
                self.fail(error);
                self.snapshot_complete = false;
            }
        }
    }

    fn end_definition(&mut self) -> Result<(), NormalizeError> {
        if let Some(error) = self.message.error {
            return Err(error);
        }
        let (mantissa, exponent) = self.message.increment.ok_or(NormalizeError::BadIncrement)?;
        let exponent = i8::try_from(exponent).ok().filter(|e| (-18..=18).contains(e));
        let price_exponent = exponent.ok_or(NormalizeError::BadIncrement)?;
        if self.message.symbol.is_empty() {
            return Err(NormalizeError::NoInstrument);
        }
        let defined = self.instruments.define(Instrument {
            security_id: self.message.security_id,
            symbol: self.message.symbol.as_str().to_owned(),
            session: self.message.session.as_str().to_owned(),
            price_exponent,
            price_increment: mantissa,
            round_lot: self.message.round_lot,
        });
        let (instrument, new) = defined.map_err(|_| NormalizeError::TooManyInstruments)?;
        if new {
            self.events.push(Event::Defined { instrument });
        }
        self.counters.definitions += u64::from(new);
        Ok(())
    }
}

impl From<ScaleError> for NormalizeError {
    fn from(error: ScaleError) -> Self {
        match error {
            ScaleError::Overflow => NormalizeError::PriceOverflow,
            ScaleError::Inexact => NormalizeError::PriceInexact,
        }
    }
}

impl Visitor for Normalizer {
    fn begin_message(&mut self, template: &Template) {
        self.counters.messages += 1;
        self.class = self.map.class(template);
        self.scope = match self.class {
            Class::IncrementalEntry => Scope::Entry { nested: 0 },
            _ => Scope::Message,
        };
        self.message_events = self.events.len();
        self.message = Registers::EMPTY;
        self.entry = Registers::EMPTY;
        self.snapshot = None;
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let role = self.map.role(field.id);
        match self.scope {
            Scope::Entry { nested: 0 } => self.entry.set(role, value),
            Scope::Message => {
                if role == Role::MsgType && self.class == Class::InMessage {
                    self.class = Class::of_msg_type(value.as_bytes().unwrap_or_default());
                }
                self.message.set(role, value);
            }
            _ => {}
        }
    }

    fn begin_sequence(&mut self, field: &FieldInfo, _length: u32) {
        let length_tag = field.length.as_ref().and_then(|(_, id)| id.number);
        self.scope = match self.scope {
            Scope::Message if TagMap::is_entries(length_tag.or(field.id)) => {
                if self.class == Class::Snapshot {
                    self.begin_snapshot();
                }
                Scope::Entry { nested: 0 }
            }
            Scope::Message => Scope::Elsewhere { depth: 1 },
            Scope::Entry { nested } => Scope::Entry { nested: nested + 1 },
            Scope::Elsewhere { depth } => Scope::Elsewhere { depth: depth + 1 },
        };
    }

    fn begin_element(&mut self, index: u32) {
        if self.scope == (Scope::Entry { nested: 0 }) {
            self.entry = Registers::EMPTY;
            self.position = index;
        }
    }

    fn end_element(&mut self) {
        if self.scope == (Scope::Entry { nested: 0 }) {
            match self.class {
                Class::Incremental => self.end_incremental_entry(),
                Class::Snapshot => self.end_snapshot_entry(),
                _ => {}
            }
        }
    }

    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.scope = match self.scope {
            Scope::Entry { nested: 0 } | Scope::Elsewhere { depth: 0 | 1 } => Scope::Message,
            Scope::Entry { nested } => Scope::Entry { nested: nested - 1 },
            Scope::Elsewhere { depth } => Scope::Elsewhere { depth: depth - 1 },
            Scope::Message => Scope::Message,
        };
    }

    fn end_message(&mut self) {
        match self.class {
            Class::Definition => {
                if let Err(error) = self.end_definition() {
                    self.fail(error);
                }
            }
            Class::Snapshot => {
                // An empty book may come without the sequence.
                if self.snapshot.is_none() && self.message_events == self.events.len() {
                    self.begin_snapshot();
                }
                if let Some(head) = self.snapshot.take() {
                    let complete = self.snapshot_complete;
                    self.push(Event::SnapshotEnd { head, complete });
                }
            }
            Class::Heartbeat => {
                self.counters.heartbeats += 1;
                self.push(Event::Heartbeat);
            }
            Class::IncrementalEntry => {
                self.position = 0;
                self.end_incremental_entry();
            }
            Class::Incremental => {}
            Class::Ignored | Class::InMessage => self.counters.ignored_messages += 1,
        }
        self.message_events = self.events.len();
    }
}

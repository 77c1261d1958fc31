//! FAST messages of any venue, mapped to the one vocabulary of [`crate::event`].
//!
//! A [`Normalizer`] is a visitor of the FAST decoder. It knows fields by their FIX tags, never by
//! name, and messages by their MsgType (35), so that our own feed and a foreign one go through the
//! same code:
//!
//! ```text
//! template ids, tags ──(once)──> TagMap
//!                                  │ role of a field, class of a message
//! FAST decoder ──visitor calls──> Normalizer ──> Event, Event, … in a reusable buffer
//!                                  │
//!                             Instruments: SecurityID or symbol and session ──> dense index
//! ```
//!
//! | | our feed | MOEX, template 2521 |
//! |---|---|---|
//! | instrument | SecurityID (48), defined by 35=d | Symbol (55) and TradingSessionID (336), made on first sight |
//! | MDEntryType (269) | number: 0 bid, 1 offer, 2 trade | text: `0`, `1`, `2` or `z` trade |
//! | MDEntryID (278) | number | text of digits |
//! | MDEntrySize (271) | number | decimal, whole |
//! | price exponent | that of MinPriceIncrement (969) | as configured; MOEX drops trailing zeros, so every message may have another |
//!
//! Prices are brought to the instrument's exponent exactly or not at all. Whatever is dropped is
//! counted under its reason in [`NormalizeCounters`], and leaves an event ([`Event::Broken`],
//! [`Event::Unknown`]) where a book may have become wrong by it.

mod instruments;
mod normalizer;
mod output;
mod registers;
mod scale;
mod tag_map;
#[cfg(test)]
mod tests;

pub use instruments::{Instrument, InstrumentIndex, Instruments, InstrumentsConfig};
pub use normalizer::Normalizer;
pub use output::{Entry, Event, NormalizeCounters, NormalizeError, SnapshotHead};
pub use scale::{ScaleError, rescale};
pub use tag_map::{Class, TagMap};

//! FAST messages of any venue, mapped to the one vocabulary of [`crate::event`].

mod instruments;
mod output;
mod scale;

pub use instruments::{Instrument, InstrumentIndex, Instruments, InstrumentsConfig};
pub use output::{Entry, Event, NormalizeCounters, NormalizeError, SnapshotHead};
pub use scale::{ScaleError, rescale};

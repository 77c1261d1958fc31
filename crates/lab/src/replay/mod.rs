//! Replaying a capture: from a file through the trader's engines to orders, times and a report.
//!
//! ```text
//!            ┌ raw ──── units: lengths, or as decoded ┐        ┌─────────────────────────┐
//! bytes ─────┤                                        ├─ unit ─► saker_trader::replay     ├─► orders
//!            └ pcap(ng) ─ frames ─ selection ─ payload ┘   ▲   │ decode, books, strategies │
//!                                                        clock └─────────────────────────┘
//! ```
//!
//! The file is read as a stream: neither its size nor the number of packets costs memory, only fired
//! orders, instruments and windows of rates do.
//!
//! # Service time
//!
//! The caller brings a clock. It is read when a unit's bytes are handed to the engine, when an
//! order's frame is handed back, and when the engine is done. The unit has been copied out of the
//! file before, and preparing the next orders comes after; neither is in the numbers. Where the time
//! went is measured in a second pass over the file, since every look at the clock costs as much as a
//! short stage. That pass must fire the same orders, byte for byte, which is checked.
//!
//! # Errors
//!
//! A unit of known length that does not decode is counted by the code of its error and contained:
//! the dictionaries are reset and the next unit is served. Where only decoding tells the length, and
//! where the file itself is corrupt, the replay stops with a [`ReplayStop`]; what was done so far is
//! reported all the same.

mod drive;
mod pass;
mod rates;
mod raw;
mod report;
mod select;
mod tally;

use std::io::{self, Read};

use saker_fast::{DecodeError, ResetPolicy, Templates};
use saker_strategy::{StrategyError, StrategyFile};
use saker_trader::replay::{FiringRecord, Replay, ReplayError};
use saker_wire::capture::CaptureError;

pub use drive::{Offered, drive};
pub use raw::{Prefix, RawError};
pub use select::Selection;

use crate::report::Report;
use pass::Pass;

/// How the units of one stream of any feed are read.
#[derive(Debug, Clone)]
pub struct StreamFormat {
    /// The feed's templates.
    pub templates: Templates,
    /// Bytes before the messages of a unit that are not FAST.
    pub preamble_len: usize,
    /// What tells the length of a unit, in a raw file.
    pub prefix: Prefix,
    /// When the dictionaries are reset.
    pub reset: ResetPolicy,
    /// Prices are brought to this power of ten, unless the feed defines another.
    pub price_exponent: i8,
}

/// What to replay.
#[derive(Debug, Clone)]
pub struct ReplayOptions {
    /// The file's name, for the report.
    pub file: String,
    /// The command line, for the report.
    pub command: String,
    /// How the stream is read that a raw file holds, and a capture unless it is of saker's feed.
    pub stream: Option<StreamFormat>,
    /// A capture holds saker's own feed: its packets go through the trader's feed handler.
    pub saker_feed: bool,
    /// What is taken from a capture.
    pub selection: Selection,
    /// The strategies.
    pub strategies: StrategyFile,
    /// Whether to read the file a second time, for the stages.
    pub stages: bool,
}

/// Why a replay ended before its file.
#[derive(Debug, thiserror::Error)]
pub enum ReplayStop {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The capture is corrupt or truncated.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The raw file is corrupt or truncated.
    #[error(transparent)]
    Raw(#[from] RawError),
    /// A message does not decode, and nothing tells where the next one begins.
    #[error("message {message}: {error}")]
    Decode {
        /// The message, from 0.
        message: u64,
        /// What is wrong, with the offset in the file.
        error: DecodeError,
    },
    /// The file ends within a preamble.
    #[error("message {message}: truncated: the bytes end inside the preamble (byte {offset})")]
    Preamble {
        /// The message, from 0.
        message: u64,
        /// Where the preamble begins.
        offset: u64,
    },
    /// A message of a file without lengths is longer than is read ahead.
    #[error("message {message}: longer than a message can be (byte {offset})")]
    TooLong {
        /// The message, from 0.
        message: u64,
        /// Where it begins.
        offset: u64,
    },
    /// The strategies do not fit the feed.
    #[error(transparent)]
    Strategies(#[from] StrategyError),
    /// The feed is not as it was said to be.
    #[error(transparent)]
    Engine(ReplayError),
    /// A raw file, and nothing said about it.
    #[error("a raw file does not say what is in it: its templates must be named")]
    NoTemplates,
    /// The capture has no interface of this name.
    #[error("no interface is called {name:?}; there are: {known}")]
    NoInterface {
        /// The name asked for.
        name: String,
        /// The capture's names.
        known: String,
    },
}

impl From<ReplayError> for ReplayStop {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Strategies(error) => ReplayStop::Strategies(error),
            error => ReplayStop::Engine(error),
        }
    }
}

/// What a replay came to.
#[derive(Debug)]
pub struct ReplayOutcome {
    /// The report, of everything before `stop`.
    pub report: Report,
    /// Why it ended early, if it did.
    pub stop: Option<ReplayStop>,
    /// The orders that were fired, oldest first.
    pub orders: Vec<FiringRecord>,
    /// The engine as it is at the end: books, instruments, counters.
    pub engine: Replay,
}

/// Replays what `open` gives, pcap and pcapng being told by their first bytes and all else being
/// raw. `open` is called once for each pass. `clock` counts nanoseconds; `progress` is told how many
/// bytes were read, of both passes together.
///
/// # Errors
/// What keeps it from beginning: a file that cannot be opened, a header that cannot be read,
/// strategies that do not fit. Everything later is in [`ReplayOutcome::stop`].
pub fn run<R: Read>(
    mut open: impl FnMut() -> io::Result<R>,
    options: &ReplayOptions,
    mut clock: impl FnMut() -> u64,
    mut progress: impl FnMut(u64),
) -> Result<ReplayOutcome, ReplayStop> {
    let pass = pass::run(open()?, options, false, &mut clock, &mut progress)?;
    let staged = match options.stages {
        true => {
            let before = pass.read;
            let progress = &mut |bytes| progress(before + bytes);
            Some(pass::run(open()?, options, true, &mut clock, progress)?)
        }
        false => None,
    };
    let report = report::build(options, &pass, staged.as_ref());
    let Pass { stop, records: orders, replay: engine, .. } = pass;
    Ok(ReplayOutcome { report, stop, orders, engine })
}

//! Puts the machine together: software, logic, program, model.

use std::path::PathBuf;

use saker_fast::microcode::CompileError;
use saker_fast::microcode::image::ImageError;
use saker_fast::{ResetPolicy, TemplateError, Templates};
use saker_feed::PREAMBLE_LEN;
use saker_feed::channel::{Line as FeedLine, Stream};
use saker_feed::normalize::InstrumentsConfig;
use saker_trader::host::{TraderConfig, TraderError, TraderHost};
use saker_wire::time::Nanos;

use crate::library::{Library, LoadError};
use crate::lockstep::Lockstep;
use crate::logic::{Logic, LogicError, TOP};
use crate::program;
use crate::reference::{FeedFormat, Reference};
use crate::setup::channel;
use crate::trader::{Parts, RtlTrader};

/// How the logic is run.
#[derive(Debug, Clone)]
pub struct LogicOptions {
    /// The model, as `make rtl-model` builds it.
    pub library: PathBuf,
    /// Where to write a waveform of all signals.
    pub wave: Option<PathBuf>,
    /// Orders start before their packet's verdict.
    pub speculate: bool,
}

impl Default for LogicOptions {
    /// The model in its usual place.
    fn default() -> Self {
        Self { library: crate::model_path(TOP), wave: None, speculate: false }
    }
}

/// Why the machine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The model.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The logic.
    #[error(transparent)]
    Logic(#[from] LogicError),
    /// The feed's templates.
    #[error("feed templates: {0}")]
    Templates(#[from] TemplateError),
    /// The feed's templates do not fit the engine.
    #[error("feed templates: {0}")]
    Program(#[from] CompileError),
    /// The engine's program does not fit the logic.
    #[error("feed templates: {0}")]
    Image(#[from] ImageError),
    /// The software.
    #[error(transparent)]
    Trader(#[from] TraderError),
}

/// The format of the waveforms that the model writes: `FST` or `VCD`.
///
/// # Errors
/// The model is not there.
pub fn wave_format(options: &LogicOptions) -> Result<String, LoadError> {
    Ok(Library::open(&options.library, TOP)?.wave_suffix().to_uppercase())
}

/// The logic with a feed's program loaded, its channels still off.
///
/// # Errors
/// The model is not there, or the templates do not fit.
pub fn logic(
    options: &LogicOptions,
    format: &FeedFormat,
    now: Nanos,
) -> Result<(Logic, Lockstep), MakeError> {
    let library = Library::open(&options.library, TOP)?;
    let program = program::of_templates(&format.templates, format.preamble, format.reset)?;
    let mut logic = Logic::new(&library, now)?;
    if let Some(path) = &options.wave {
        logic.wave_to(path)?;
    }
    logic.write_all(program::writes(&program)?)?;
    logic.write_all(program::classes(&program, &format.templates))?;
    Ok((logic, Lockstep::new(program)))
}

/// The trader in logic on saker's own feed, on one port. `now` is the instant of its first cycle.
///
/// # Errors
/// The model is not there, or the settings do not fit it.
pub fn trader(
    mut config: TraderConfig,
    now: Nanos,
    options: &LogicOptions,
) -> Result<RtlTrader, MakeError> {
    config.network.order_port = 0;
    config.network.feed_ports = [0, 0];
    let plan = config.plan.clone();
    let format = FeedFormat {
        templates: Templates::from_xml(&config.templates)?,
        preamble: PREAMBLE_LEN,
        reset: ResetPolicy::Packet,
        instruments: InstrumentsConfig::default(),
        counted: false,
    };
    let (mut logic, lockstep) = logic(options, &format, now)?;
    for (index, line) in [(0, FeedLine::A), (1, FeedLine::B)] {
        logic.write_all(channel(index, plan.destination(Stream::Incremental, line)))?;
    }
    let mut host = TraderHost::new(config)?;
    host.delegate();
    let reference = Reference::new(format);
    let speculate = options.speculate;
    Ok(RtlTrader::new(Parts { host, plan, reference, logic, lockstep, speculate }))
}

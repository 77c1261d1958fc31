//! The demo: a whole market in one virtual world, watched at the wire and checked at the end.
//!
//! Background traders log on to the exchange and trade, calmly and in bursts. The trader joins the
//! feed, whose line A drops packets, prepares orders, and fires them when its strategies say so.
//! When the time is up everybody stops, what is under way is given time to arrive, and the
//! invariants are checked.

mod check;
mod journey;
mod kinds;
mod market;
mod measure;
mod topology;
mod trader;

use std::io::Write;

use saker_exchange::config::ConfigError;
use saker_exchange::host::HostError;
use saker_strategy::{StrategyError, StrategyFile};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

use crate::report::Report;
use crate::world::{BuildError, World, WorldError};
use trader::Trader;

pub use check::BookAudit;
pub use trader::{Machine, Make, Setup};

/// The demo's own strategies.
pub const STRATEGIES_TOML: &str = include_str!("strategies.toml");

/// The demo's strategies for a trader in logic: those of four instruments.
pub const LOGIC_STRATEGIES_TOML: &str = include_str!("strategies-logic.toml");

/// Virtual time begins on Monday 5 January 2026, 09:00 UTC.
const START: Nanos = 1_767_603_600 * SECOND;
/// Time for ARP, connections, logons and the first turn of the definition loop.
const WARM_UP_NS: Nanos = 500 * MILLISECOND;
/// Time for what is under way to arrive: TCP gives up a retransmission later than this.
const DRAIN_NS: Nanos = 3 * SECOND;
/// Books are compared this often.
const AUDIT_NS: Nanos = 5 * MILLISECOND;

/// What a demo run is told.
pub struct DemoOptions {
    /// Decides everything that happens by chance.
    pub seed: u64,
    /// Seconds of trading, at least 1.
    pub seconds: u64,
    /// The trader's strategies.
    pub strategies: StrategyFile,
    /// The command line to show in the report.
    pub command: String,
}

/// Why a demo could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The world could not be put together.
    #[error("building the world: {0}")]
    Build(#[from] BuildError),
    /// The world stopped.
    #[error("running the world: {0}")]
    World(#[from] WorldError),
    /// The exchange's settings.
    #[error("exchange: {0}")]
    Exchange(#[from] ConfigError),
    /// The exchange's machine.
    #[error("exchange: {0}")]
    ExchangeHost(#[from] HostError),
    /// The trader could not be made.
    #[error("trader: {0}")]
    Trader(Box<dyn std::error::Error + Send + Sync>),
    /// The trader could not go on.
    #[error("trader: {0}")]
    Fault(String),
    /// A strategy names an instrument that the demo's exchange does not list.
    #[error("strategies: the exchange lists no {0:?}; it lists {list}", list = market::symbols())]
    UnknownSymbol(String),
    /// The strategies do not fit the demo's instruments.
    #[error("strategies: {0}")]
    Strategies(#[from] StrategyError),
}

/// Runs the demo. What the taps see goes to `capture` as pcapng; `progress` is told the share that
/// is done, in thousandths.
///
/// # Errors
/// Strategies that name unknown instruments, and a capture that cannot be written. Broken
/// invariants are not errors: they are in the report.
pub fn run(
    options: DemoOptions,
    capture: Option<Box<dyn Write>>,
    progress: impl FnMut(u64),
) -> Result<Report, DemoError> {
    run_with(options, Setup::software(), capture, progress)
}

/// [`run`] with a trader of another make.
///
/// # Errors
/// As [`run`], and what the trader itself cannot do.
pub fn run_with(
    options: DemoOptions,
    setup: Setup,
    capture: Option<Box<dyn Write>>,
    mut progress: impl FnMut(u64),
) -> Result<Report, DemoError> {
    let engine = setup.engine;
    let listings = market::listings();
    for (symbol, _) in options.strategies.symbols() {
        if !listings.iter().any(|listing| listing.symbol == symbol) {
            return Err(DemoError::UnknownSymbol(symbol.to_owned()));
        }
    }
    let mut world = World::new(options.seed, START);
    let trade_from = START + WARM_UP_NS;
    let trade_until = trade_from + options.seconds * SECOND;
    let topology =
        topology::build(&mut world, options.strategies.clone(), setup, trade_from, trade_until)?;
    if let Some(capture) = capture {
        world.capture_to(capture)?;
    }

    let mut books = BookAudit::default();
    let end = trade_until + DRAIN_NS;
    let mut stopped = false;
    while world.now() < end {
        world.run_until((world.now() + AUDIT_NS).min(end))?;
        let trader = world.station::<Trader>(topology.trader);
        if let Some(fault) = trader.and_then(|trader| trader.0.fault()) {
            return Err(DemoError::Fault(fault));
        }
        books.compare(&world, &topology);
        if world.now() >= trade_until && !stopped {
            stopped = true;
            world.with_station(topology.trader, |trader: &mut Trader, now, out| {
                trader.0.kill(now, out);
            })?;
        }
        progress((world.now() - START) * 1_000 / (end - START));
    }
    world.finish()?;
    let ended = world.with_station(topology.trader, |trader: &mut Trader, _, _| trader.0.end())?;
    if let Some(Err(fault)) = ended {
        return Err(DemoError::Fault(fault));
    }

    if let Some(error) = world
        .station::<Trader>(topology.trader)
        .and_then(|trader| trader.0.host().market().desk().error())
    {
        return Err(error.clone().into());
    }
    let mut report = measure::report(&world, &topology, &options, START);
    report.run.engine = engine.to_owned();
    if let Some(trader) = world.station::<Trader>(topology.trader) {
        trader.0.figures(&mut report);
    }
    report.journey = journey::typical(&world, &topology);
    check::check(&mut report, &world, &topology, &books);
    Ok(report)
}

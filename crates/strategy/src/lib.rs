//! Trading strategies and their limits, from one TOML file.
mod engine;
mod error;
mod file;
mod plan;

pub use engine::{Counters, Engine, Fire, OrderUpdate, SlotState, UpdateError};
pub use error::StrategyError;
pub use file::{Limits, StrategyFile};
pub use plan::{Comparison, Instrument, MAX_SLOTS, Plan, SlotOrder, SlotPlan, Source, Trigger};
pub use saker_book::{OrderType, Side, TimeInForce, Top};

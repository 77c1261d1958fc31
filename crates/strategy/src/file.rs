//! The strategy file.
use crate::{Instrument, Plan, StrategyError};

/// What a strategy may not exceed; checked before every fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest quantity of one order.
    pub max_order_quantity: u64,
    /// Most orders of this engine open on the instrument at once, the fired one included.
    pub max_open_orders: u32,
    /// Largest absolute position in the instrument, if every open order on the fired order's side
    /// and the fired order itself fill.
    pub max_position: u64,
}

/// A strategy file that has been read and checked, not yet resolved against instruments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyFile;

#[allow(missing_docs, unused_variables)]
impl StrategyFile {
    pub fn from_toml(text: &str) -> Result<Self, StrategyError> {
        todo!()
    }
    /// Symbols to indices, decimals to mantissas.
    pub fn resolve(&self, instruments: &[Instrument]) -> Result<Plan, StrategyError> {
        todo!()
    }
    /// `(symbol, market_segment)` of each strategy, in file order.
    pub fn symbols(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        std::iter::empty()
    }
}

//! The strategies resolved against instruments: plain data, the same for software and for RTL.

use saker_book::{OrderType, Side, TimeInForce};

use crate::Limits;

/// Most slots (and strategies) one engine has.
pub const MAX_SLOTS: usize = 1024;

/// What a strategy is resolved against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrument {
    /// The symbol, for example `MSFT`.
    pub symbol: String,
    /// The market segment or board, for example `TQBR`; empty where the venue has none.
    pub market_segment: String,
    /// The power of ten of its price mantissas, for example -2.
    pub exponent: i8,
}

/// Which price a strategy looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The price of each trade.
    Trade,
    /// The best bid.
    Bid,
    /// The best offer.
    Offer,
}

/// When a price qualifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// At or above the bound.
    AtLeast,
    /// At or below the bound.
    AtMost,
}

/// The condition of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The price it looks at.
    pub source: Source,
    /// How it compares.
    pub comparison: Comparison,
    /// What it compares with, in the instrument's price units.
    pub bound: i64,
}

/// The order a slot holds; fixed when it is prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotOrder {
    /// Its side.
    pub side: Side,
    /// Limit or market.
    pub order_type: OrderType,
    /// Limit price in the instrument's price units; 0 for a market order.
    pub price: i64,
    /// Quantity.
    pub quantity: u64,
    /// How long it stays.
    pub time_in_force: TimeInForce,
}

/// One slot: a condition, and the order it fires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotPlan {
    /// The strategy's unique name.
    pub name: String,
    /// Index into the instruments it was resolved against.
    pub instrument: u16,
    /// The condition.
    pub trigger: Trigger,
    /// The order.
    pub order: SlotOrder,
    /// Whether the slot is prepared again once its order is terminal.
    pub rearm: bool,
    /// Least time between two fires, in nanoseconds.
    pub cooldown_ns: u64,
    /// Its limits.
    pub limits: Limits,
}

/// Everything an engine runs: slot `n` belongs to the file's strategy `n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How many instruments it was resolved against.
    pub instruments: u16,
    /// The slots, in the file's order.
    pub slots: Vec<SlotPlan>,
}

//! The strategies resolved against instruments: plain data, the same for software and for RTL.

use saker_book::{OrderType, Side, TimeInForce};

use crate::file::{Price, Spec, fail};
use crate::{Problem, StrategyError, StrategyFile};

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

/// What a strategy may not exceed; checked before every fire. The position and the open orders are
/// the whole engine's on the instrument, so that strategies on one instrument cannot exceed
/// together what each may not exceed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest quantity of one order.
    pub max_order_quantity: u64,
    /// Most orders open on the instrument at once, the fired one included.
    pub max_open_orders: u32,
    /// Largest absolute position in the instrument, should every open order on the fired order's
    /// side fill, the fired one included, and none on the other side.
    pub max_position: u64,
}

/// Everything an engine runs: slot `n` belongs to the file's strategy `n`. Made by
/// [`StrategyFile::resolve`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    instruments: u16,
    slots: Vec<SlotPlan>,
}

impl Plan {
    /// How many instruments it was resolved against.
    pub fn instruments(&self) -> u16 {
        self.instruments
    }

    /// The slots, in the file's order; at most [`MAX_SLOTS`].
    pub fn slots(&self) -> &[SlotPlan] {
        &self.slots
    }
}

impl StrategyFile {
    /// Turns symbols into indices of `instruments`, and prices into their units. A strategy that
    /// names no market segment needs its symbol to be in one only.
    ///
    /// # Errors
    /// The first strategy that does not fit the instruments, with the line and key. Instruments
    /// beyond the 65 535th are not seen.
    pub fn resolve(&self, instruments: &[Instrument]) -> Result<Plan, StrategyError> {
        let instruments = &instruments[..instruments.len().min(usize::from(u16::MAX))];
        let slots = self.strategies.iter().map(|spec| resolve(spec, instruments));
        let slots = slots.collect::<Result<Vec<_>, _>>()?;
        Ok(Plan { instruments: instruments.len() as u16, slots })
    }
}

fn resolve(spec: &Spec, instruments: &[Instrument]) -> Result<SlotPlan, StrategyError> {
    let (instrument, exponent) = find(spec, instruments)?;
    let units = |price: &Price| match price.decimal.with_exponent(exponent) {
        Some(mantissa) => Ok(mantissa),
        None => {
            let value = price.text.clone();
            fail(price.line, price.key, Problem::NotRepresentable { value, exponent })
        }
    };
    let (order_type, price) = match &spec.price {
        Some(price) => (OrderType::Limit, units(price)?),
        None => (OrderType::Market, 0),
    };
    Ok(SlotPlan {
        name: spec.name.clone(),
        instrument,
        trigger: Trigger {
            source: spec.source,
            comparison: spec.comparison,
            bound: units(&spec.bound)?,
        },
        order: SlotOrder {
            side: spec.side,
            order_type,
            price,
            quantity: spec.quantity,
            time_in_force: spec.time_in_force,
        },
        rearm: spec.rearm,
        cooldown_ns: spec.cooldown_ns,
        limits: spec.limits,
    })
}

/// The index and the exponent of the one instrument that a strategy means.
fn find(spec: &Spec, instruments: &[Instrument]) -> Result<(u16, i8), StrategyError> {
    let segment = spec.market_segment.as_deref();
    let meant = |i: &Instrument| {
        i.symbol == spec.symbol && segment.is_none_or(|segment| i.market_segment == segment)
    };
    let mut found = instruments.iter().enumerate().filter(|(_, i)| meant(i));
    match (found.next(), found.next()) {
        (Some((index, instrument)), None) => Ok((index as u16, instrument.exponent)),
        (Some(_), Some(_)) => {
            let problem = Problem::AmbiguousSymbol(spec.symbol.clone());
            fail(spec.symbol_line, "symbol", problem)
        }
        (None, _) => {
            let named = match segment {
                Some(segment) => format!("{} in market segment {segment}", spec.symbol),
                None => spec.symbol.clone(),
            };
            fail(spec.symbol_line, "symbol", Problem::UnknownSymbol(named))
        }
    }
}

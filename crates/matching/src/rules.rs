//! The rules of one instrument's market.

use crate::RejectReason;

/// What happens when an order would trade with another order of the same owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelfMatch {
    /// They trade.
    Allow,
    /// What remains of the arriving order is canceled. The default.
    #[default]
    CancelNewest,
    /// The resting order is canceled and the arriving one goes on.
    CancelOldest,
}

/// How far a limit price may be from the reference, and how far a market order may trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collar {
    /// The reference price until the first trade; thereafter it is the price of the last trade.
    pub reference: i64,
    /// The allowed distance to either side, inclusive, in price units.
    pub width: u64,
}

/// The rules of one instrument's market. Memory for all of it is taken when the matcher is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Prices are multiples of this (mantissa units), at least 1.
    pub tick: i64,
    /// Quantities are multiples of this, at least 1.
    pub lot: u64,
    /// The largest total quantity of one order.
    pub max_quantity: u64,
    /// The price collar, if there is one.
    pub collar: Option<Collar>,
    /// How many orders the book holds.
    pub max_orders: usize,
    /// How many owners there are.
    pub owners: u32,
    /// How many orders one owner may have in the book; further ones are shed with a reject.
    pub max_orders_per_owner: u32,
}

impl Default for Rules {
    /// Tick 1, lot 1, up to 1 000 000 units an order, no collar, 65 536 orders, 64 owners with up
    /// to 16 384 orders each.
    fn default() -> Self {
        Self {
            tick: 1,
            lot: 1,
            max_quantity: 1_000_000,
            collar: None,
            max_orders: 65_536,
            owners: 64,
            max_orders_per_owner: 16_384,
        }
    }
}

/// Why a set of rules cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The tick is below 1.
    #[error("tick {0} is below 1")]
    Tick(i64),
    /// The lot is 0.
    #[error("lot is 0")]
    Lot,
    /// `max_quantity * max_orders` does not fit 64 bits, so the quantity at one price might not.
    #[error("{max_orders} orders of {max_quantity} do not sum into 64 bits")]
    QuantityRange {
        /// Orders in the book.
        max_orders: usize,
        /// Quantity of one order.
        max_quantity: u64,
    },
    /// The book can hold from 1 to 2^31 orders.
    #[error("a book of {0} orders is outside 1 to 2^31")]
    Orders(usize),
    /// There are from 1 to 2^20 owners.
    #[error("{0} owners are outside 1 to 2^20")]
    Owners(u32),
}

impl Rules {
    /// Whether a market can run on these rules.
    ///
    /// # Errors
    /// The first rule that cannot be.
    pub fn validate(&self) -> Result<(), RulesError> {
        if self.tick < 1 {
            return Err(RulesError::Tick(self.tick));
        }
        if self.lot == 0 {
            return Err(RulesError::Lot);
        }
        if self.max_orders == 0 || self.max_orders > 1 << 31 {
            return Err(RulesError::Orders(self.max_orders));
        }
        if self.owners == 0 || self.owners > 1 << 20 {
            return Err(RulesError::Owners(self.owners));
        }
        let (max_orders, max_quantity) = (self.max_orders, self.max_quantity);
        match max_quantity.checked_mul(max_orders as u64) {
            Some(_) => Ok(()),
            None => Err(RulesError::QuantityRange { max_orders, max_quantity }),
        }
    }

    /// Why a quantity is not allowed, if so.
    pub(crate) fn check_quantity(&self, quantity: u64) -> Result<(), RejectReason> {
        if quantity == 0 || !quantity.is_multiple_of(self.lot) {
            return Err(RejectReason::InvalidQuantity);
        }
        if quantity > self.max_quantity {
            return Err(RejectReason::QuantityTooLarge);
        }
        Ok(())
    }

    /// Why a limit price is not allowed, if so, while the last trade was at `last`.
    pub(crate) fn check_price(&self, price: i64, last: Option<i64>) -> Result<(), RejectReason> {
        if price % self.tick != 0 {
            return Err(RejectReason::InvalidTick);
        }
        match self.band(last) {
            Some((low, high)) if price < low || price > high => Err(RejectReason::OutsideCollar),
            _ => Ok(()),
        }
    }

    /// The lowest and highest price the collar allows, if there is a collar.
    pub(crate) fn band(&self, last: Option<i64>) -> Option<(i64, i64)> {
        let Collar { reference, width } = self.collar?;
        let middle = last.unwrap_or(reference);
        Some((middle.saturating_sub_unsigned(width), middle.saturating_add_unsigned(width)))
    }
}

//! What goes into a matcher.

use saker_book::{OrderId, OrderType, Side, TimeInForce};

/// A participant's index, from 0, smaller than [`Rules::owners`](crate::Rules::owners).
pub type OwnerId = u32;

/// A new order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewOrder {
    /// The venue's order id, never used before by a live order; it stays through replacements.
    pub id: OrderId,
    /// Who sent it.
    pub owner: OwnerId,
    /// Buy or sell.
    pub side: Side,
    /// Limit or market.
    pub order_type: OrderType,
    /// Day, immediate-or-cancel or fill-or-kill. A market order never rests, whatever this says.
    pub time_in_force: TimeInForce,
    /// Limit price (mantissa in the instrument's exponent); ignored for market orders.
    pub price: i64,
    /// Total quantity.
    pub quantity: u64,
}

/// A request to take a resting order out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelOrder {
    /// The order.
    pub id: OrderId,
    /// Who asks; only the order's owner may.
    pub owner: OwnerId,
}

/// A request to give a resting order another price and total quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplaceOrder {
    /// The order.
    pub id: OrderId,
    /// Who asks; only the order's owner may.
    pub owner: OwnerId,
    /// The new limit price.
    pub price: i64,
    /// The new *total* quantity (FIX OrderQty): what remains is this less what is already filled.
    pub quantity: u64,
}

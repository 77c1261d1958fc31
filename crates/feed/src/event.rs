//! Market events as the trader's books and strategies see them, whatever the venue's feed is.

/// Bid or offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Buy.
    Bid,
    /// Sell.
    Offer,
}

/// What an entry does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A new resting order.
    New,
    /// An order's price or size is now this.
    Change,
    /// The order is gone.
    Delete,
}

/// A price: `mantissa * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Price {
    /// The digits.
    pub mantissa: i64,
    /// The power of ten.
    pub exponent: i8,
}

/// One market-data entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A change to an order in the book.
    Order {
        /// What happened.
        action: Action,
        /// The order's side.
        side: Side,
        /// The order's price.
        price: Price,
        /// What remains of it.
        quantity: u64,
    },
    /// A trade was reported.
    Trade {
        /// Its price.
        price: Price,
        /// Its size.
        quantity: u64,
    },
}

//! What the book refuses.

use crate::OrderId;

/// Why the book refused a change. A refused change leaves the book as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// An order with this id already rests in the book.
    #[error("order {0} is already in the book")]
    DuplicateOrder(OrderId),
    /// No order with this id rests in the book.
    #[error("order {0} is not in the book")]
    UnknownOrder(OrderId),
    /// A resting order has at least one unit; [`remove`](crate::OrderBook::remove) takes it away.
    #[error("order {0} would have no quantity")]
    ZeroQuantity(OrderId),
    /// The order has less than the quantity to take from it.
    #[error("order {id} has {quantity}, fewer than {by} to take from it")]
    Overfilled {
        /// The order.
        id: OrderId,
        /// What it has.
        quantity: u64,
        /// What was to be taken.
        by: u64,
    },
    /// The quantities at one price would no longer sum into 64 bits.
    #[error("the quantity at price {price} would exceed 64 bits")]
    LevelOverflow {
        /// The price's mantissa.
        price: i64,
    },
    /// The book holds as many orders as it was made for.
    #[error("the book is full with {capacity} orders")]
    Full {
        /// The number of orders it was made for.
        capacity: usize,
    },
}

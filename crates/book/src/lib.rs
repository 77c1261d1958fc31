//! Price-time priority order book.
mod error;
mod order_book;
mod terms;

pub use error::BookError;
pub use order_book::{OrderBook, Priority};
pub use terms::{Level, Order, OrderId, OrderType, Side, TimeInForce, Top};

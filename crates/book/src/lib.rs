//! The price-time priority order book, by order, of one instrument.
//!
//! *For*: the matcher's book and the trader's feed-built books, which are the same type so that
//! they can be compared by [`OrderBook::digest`]. *Not for*: matching (see `saker-matching`),
//! several instruments, or decoding feeds.
//!
//! # How it is laid out
//! ```text
//! id ──IdMap──▶ slot ──▶ slab of orders, doubly linked in queues, one queue for each price
//!                             │ level                     ▲ head, tail
//!                             ▼                           │
//!                        slab of levels: price, total quantity, order count
//!                             ▲
//! side ──Ladder (sorted prices in blocks, best last)
//! ```
//! Cancel, reduce and best price are O(1); adding to a price is O(1) within eight prices of the
//! best and O(log n) beyond; opening or emptying a price also moves at most 128 prices and the
//! directory of such blocks. All memory is reserved by [`OrderBook::with_capacity`], and a full
//! book refuses orders: it never grows, rehashes or allocates. Choose the capacity for the market:
//! the id map is spread over twice as many places, so a book far larger than what rests in it
//! costs cache misses.
//!
//! # Rules
//! * Better price first, then time of arrival at that price.
//! * [`change`](OrderBook::change) at an equal price with an equal or smaller quantity keeps the
//!   order's place. A larger quantity or another price sends it to the back of the queue. Feeds
//!   that publish changes in the matcher's order therefore rebuild its priorities.
//! * Quantities are never zero: the last unit taken takes the order out.
//! * Nothing is checked across sides. The book may be *crossed* (best bid at or above best offer)
//!   while a feed is between two events of one command; [`OrderBook::is_crossed`] says so, and a
//!   reader that decides on [`OrderBook::top`] does so only at the end of an event. A matcher's
//!   book is never crossed between commands.
//! * A refused change leaves the book as it was.
//! * Ids come from the venue and are spread by multiplication only. Ids chosen by an adversary
//!   could make lookups linear in the number of orders; venue-assigned ids are not so chosen.

mod digest;
mod error;
mod id_map;
mod ladder;
mod order_book;
mod terms;

pub use error::BookError;
pub use order_book::{OrderBook, Priority};
pub use terms::{Level, Order, OrderId, OrderType, Side, TimeInForce, Top};

//! The deterministic matching engine of one instrument.
//!
//! *For*: the exchange, and anyone who needs continuous price-time matching that can be replayed.
//! *Not for*: sessions, order-id assignment, auctions, or several instruments (one [`Matcher`]
//! each).
//!
//! # How commands flow through it
//! ```text
//! NewOrder ──▶ checks ──▶ Accepted ──▶ match with the opposite front ──▶ rest, or cancel the rest
//!                │                       Trade, BookChange | BookDelete    BookAdd | Canceled
//!                └──▶ Rejected
//! ```
//! A command appends its [`Event`]s to a vector of the caller's, in the order in which things
//! happened. An order's own event ([`Event::Accepted`], `Trade`, `Canceled`, `Replaced`) comes
//! before the book event it causes. The book events alone, applied to an
//! [`OrderBook`](saker_book::OrderBook) in order, rebuild the matcher's book to the digest.
//!
//! # Rules
//! * Best price first, oldest first; trades are at the resting order's price.
//! * *Market* orders trade up to the collar, if there is one; the residual is canceled.
//!   *Immediate-or-cancel* residuals are canceled. *Fill-or-kill* orders are measured against the
//!   book before anything trades. Only *day* limit orders rest.
//! * *Replace* sets price and total quantity, as in FIX: what remains is the new total less what
//!   has traded; with nothing remaining the order is done. Only a smaller (or the same) size at the
//!   same price keeps priority. A replace whose price crosses takes first and rests the remainder.
//! * *Self-match*: by default what remains of the arriving order is canceled
//!   ([`SelfMatch::CancelNewest`]); each owner may choose otherwise. An own order behind others is
//!   not in the way: matching stops only when it would be next.
//! * *Collar*: limit prices stay within a distance of the last trade's price (the reference price
//!   before the first trade). A replace that leaves the price alone is not checked again.
//! * *Overload*: orders beyond an owner's allowance or the book's capacity are rejected when they
//!   could rest. Nothing is queued, nothing grows.
//!
//! The matcher has no clock and assigns nothing but trade ids (from 1). In steady state it does not
//! allocate; the caller's event vector reaches its size after the largest sweep.

mod command;
mod event;
mod matcher;
mod rules;

pub use command::{CancelOrder, NewOrder, OwnerId, ReplaceOrder};
pub use event::{CancelReason, Event, Party, RejectReason};
pub use matcher::Matcher;
pub use rules::{Collar, Rules, RulesError, SelfMatch};
pub use saker_book::{OrderId, OrderType, Side, TimeInForce};

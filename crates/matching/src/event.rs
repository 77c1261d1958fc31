//! What comes out of a matcher.

use saker_book::{OrderId, OrderType, Side, TimeInForce};

use crate::OwnerId;

/// One side of a trade, after the trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Party {
    /// The order.
    pub id: OrderId,
    /// Who owns it.
    pub owner: OwnerId,
    /// What remains open of it (FIX LeavesQty).
    pub leaves: u64,
    /// What has traded of it so far, this trade included (FIX CumQty).
    pub cumulative: u64,
}

/// Something that happened. Events of one command are in the order in which they happened; the
/// `Book…` ones alone rebuild the book with its priorities (see the crate's front page).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A new order passed every check. Its leaves are its quantity.
    Accepted {
        /// The order.
        id: OrderId,
        /// Who owns it.
        owner: OwnerId,
        /// Its side.
        side: Side,
        /// Limit or market.
        order_type: OrderType,
        /// How long it stays.
        time_in_force: TimeInForce,
        /// Its limit price; 0 for market orders.
        price: i64,
        /// Its total quantity.
        quantity: u64,
    },
    /// Two orders traded, at the maker's price.
    Trade {
        /// Sequential from 1 for each matcher.
        trade_id: u64,
        /// The maker's price.
        price: i64,
        /// How much traded.
        quantity: u64,
        /// The taker's side.
        taker_side: Side,
        /// The order that rested.
        maker: Party,
        /// The order that arrived.
        taker: Party,
    },
    /// An order now rests, at the back of the queue of its price.
    BookAdd {
        /// The order.
        id: OrderId,
        /// Its side.
        side: Side,
        /// Its price.
        price: i64,
        /// What rests.
        quantity: u64,
    },
    /// A resting order has another price or quantity. At an equal price and a smaller quantity it
    /// keeps its place, else it goes to the back of the queue of its (new) price: the rule of
    /// [`OrderBook::change`](saker_book::OrderBook::change).
    BookChange {
        /// The order.
        id: OrderId,
        /// Its side.
        side: Side,
        /// Its price now.
        price: i64,
        /// What rests now.
        quantity: u64,
    },
    /// An order no longer rests.
    BookDelete {
        /// The order.
        id: OrderId,
        /// Its side.
        side: Side,
        /// The price it rested at.
        price: i64,
    },
    /// An order ended with quantity open; nothing of it remains.
    Canceled {
        /// The order.
        id: OrderId,
        /// Who owns it.
        owner: OwnerId,
        /// What was open and is no more.
        quantity: u64,
        /// What had traded of it.
        cumulative: u64,
        /// Why.
        reason: CancelReason,
    },
    /// An order has another price or total quantity. When it now trades, the trades follow.
    Replaced {
        /// The order.
        id: OrderId,
        /// Who owns it.
        owner: OwnerId,
        /// Its price now.
        price: i64,
        /// Its total quantity now: `leaves + cumulative`.
        quantity: u64,
        /// What is open; 0 when no more than what had traded was asked for: the order is done.
        leaves: u64,
        /// What has traded of it.
        cumulative: u64,
    },
    /// A new order was refused; nothing else happened.
    Rejected {
        /// The order.
        id: OrderId,
        /// Who sent it.
        owner: OwnerId,
        /// Why.
        reason: RejectReason,
    },
    /// A cancel was refused; nothing else happened.
    CancelRejected {
        /// The order it named.
        id: OrderId,
        /// Who asked.
        owner: OwnerId,
        /// Why.
        reason: RejectReason,
    },
    /// A replace was refused; the order stays as it was.
    ReplaceRejected {
        /// The order it named.
        id: OrderId,
        /// Who asked.
        owner: OwnerId,
        /// Why.
        reason: RejectReason,
    },
}

/// Why an order ended with quantity open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// Its owner asked.
    Requested,
    /// Its owner's orders were all canceled, for example because the session was lost.
    MassCancel,
    /// The residual of an immediate-or-cancel order.
    ImmediateOrCancel,
    /// A fill-or-kill order that could not be filled in full; nothing traded.
    FillOrKill,
    /// The residual of a market order: no opposite order (within the collar) was left.
    MarketResidual,
    /// It would have traded with an order of its own owner.
    SelfMatch,
    /// The trading day ended.
    EndOfDay,
}

/// Why a command was refused. Checks run in the order of this list; the first that fails counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum RejectReason {
    /// The owner index is not below [`Rules::owners`](crate::Rules::owners).
    #[error("unknown owner")]
    UnknownOwner,
    /// No such order is open, or another owner has it.
    #[error("unknown order")]
    UnknownOrder,
    /// An order with this id is open.
    #[error("duplicate order id")]
    DuplicateOrder,
    /// Zero, or not a multiple of the lot.
    #[error("quantity is not a positive multiple of the lot")]
    InvalidQuantity,
    /// More than the largest quantity of one order.
    #[error("quantity exceeds the maximum")]
    QuantityTooLarge,
    /// Not a multiple of the tick.
    #[error("price is not a multiple of the tick")]
    InvalidTick,
    /// Further from the reference price than the collar allows.
    #[error("price is outside the collar")]
    OutsideCollar,
    /// The owner has as many open orders as one owner may.
    #[error("too many open orders of this owner")]
    TooManyOpenOrders,
    /// The book holds as many orders as it was made for.
    #[error("the book is full")]
    BookFull,
}

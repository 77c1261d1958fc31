//! Live orders, and what each client's order names stand for.

use rustc_hash::FxHashMap;
use saker_book::{OrderType, Side, TimeInForce};

use crate::identifier::Identifier;

/// An order that has been accepted and is not done.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Order {
    /// The venue's id: `OrderID` (37), and `MDEntryID` (278) on the feed.
    pub(crate) id: u64,
    /// Index of the participant.
    pub(crate) owner: u32,
    /// Index of the instrument.
    pub(crate) instrument: u32,
    /// Buy or sell.
    pub(crate) side: Side,
    /// Limit or market.
    pub(crate) order_type: OrderType,
    /// How long it stays.
    pub(crate) time_in_force: TimeInForce,
    /// Its limit in the instrument's units; 0 for market orders.
    pub(crate) price: i64,
    /// Its total quantity.
    pub(crate) quantity: u64,
    /// What is open.
    pub(crate) leaves: u64,
    /// What has traded.
    pub(crate) cumulative: u64,
    /// Sum of price times quantity over its fills.
    pub(crate) notional: i128,
    /// Its current `ClOrdID`.
    pub(crate) client_id: Identifier,
    /// `Account` (1), echoed.
    pub(crate) account: Option<Identifier>,
}

impl Order {
    /// `OrdStatus` (39) of an order that is still live.
    pub(crate) fn status(&self) -> u8 {
        if self.cumulative == 0 { status::NEW } else { status::PARTIALLY_FILLED }
    }
}

/// Values of `OrdStatus` (39).
pub(crate) mod status {
    pub(crate) const NEW: u8 = b'0';
    pub(crate) const PARTIALLY_FILLED: u8 = b'1';
    pub(crate) const FILLED: u8 = b'2';
    pub(crate) const CANCELED: u8 = b'4';
    pub(crate) const REJECTED: u8 = b'8';
}

/// What a `ClOrdID` that a participant has used stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientReference {
    /// An order, live when last heard of; a replacement may have given it another name since.
    Order(u64),
    /// An order that ended with this `OrdStatus`.
    Done {
        /// The venue's id.
        id: u64,
        /// Its last `OrdStatus`.
        status: u8,
    },
    /// A request that never named an order: a cancel, or something refused.
    Request,
}

/// All live orders by the venue's id.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    live: FxHashMap<u64, Order>,
}

impl Orders {
    pub(crate) fn insert(&mut self, order: Order) {
        let previous = self.live.insert(order.id, order);
        debug_assert!(previous.is_none(), "order ids are never used twice");
    }

    pub(crate) fn get(&self, id: u64) -> Option<&Order> {
        self.live.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: u64) -> Option<&mut Order> {
        self.live.get_mut(&id)
    }

    pub(crate) fn remove(&mut self, id: u64) -> Option<Order> {
        self.live.remove(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }

    /// In no particular order: only for what does not depend on it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Order> {
        self.live.values()
    }
}

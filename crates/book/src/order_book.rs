//! The book itself.
use crate::{BookError, Level, Order, OrderId, Side, Top};

/// Whether a change left an order its place in the queue of its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// It kept its place.
    Kept,
    /// It went to the back of the queue of its (new) price.
    Lost,
}

/// Price-time priority book by order of one instrument.
#[derive(Debug)]
pub struct OrderBook;

#[allow(missing_docs, unused_variables)]
impl OrderBook {
    /// An empty book for at most `capacity` orders; it never grows.
    pub fn with_capacity(capacity: usize) -> Self {
        todo!()
    }
    pub fn capacity(&self) -> usize {
        todo!()
    }
    pub fn len(&self) -> usize {
        todo!()
    }
    pub fn is_empty(&self) -> bool {
        todo!()
    }
    /// Puts an order at the back of the queue of its price.
    pub fn add(
        &mut self,
        id: OrderId,
        side: Side,
        price: i64,
        quantity: u64,
    ) -> Result<(), BookError> {
        todo!()
    }
    /// Takes `by` units off an order, which keeps its place; returns what remains (0: removed).
    pub fn reduce(&mut self, id: OrderId, by: u64) -> Result<u64, BookError> {
        todo!()
    }
    /// Sets an order's quantity: a decrease keeps its place, an increase loses it.
    pub fn set_quantity(&mut self, id: OrderId, quantity: u64) -> Result<Priority, BookError> {
        todo!()
    }
    /// Sets price and quantity: as `set_quantity` at an equal price, else to the back of the new price.
    pub fn change(
        &mut self,
        id: OrderId,
        price: i64,
        quantity: u64,
    ) -> Result<Priority, BookError> {
        todo!()
    }
    /// Takes an order out and returns it.
    pub fn remove(&mut self, id: OrderId) -> Result<Order, BookError> {
        todo!()
    }
    pub fn get(&self, id: OrderId) -> Option<Order> {
        todo!()
    }
    pub fn best(&self, side: Side) -> Option<Level> {
        todo!()
    }
    pub fn top(&self) -> Top {
        todo!()
    }
    pub fn level(&self, side: Side, price: i64) -> Option<Level> {
        todo!()
    }
    /// Best first.
    pub fn levels(&self, side: Side) -> impl Iterator<Item = Level> + '_ {
        std::iter::empty()
    }
    /// In priority order.
    pub fn orders(&self, side: Side) -> impl Iterator<Item = Order> + '_ {
        std::iter::empty()
    }
    /// First order of the best price.
    pub fn front(&self, side: Side) -> Option<Order> {
        todo!()
    }
    pub fn is_crossed(&self) -> bool {
        todo!()
    }
    pub fn clear(&mut self) {
        todo!()
    }
    /// FNV-1a over both sides in priority order.
    pub fn digest(&self) -> u64 {
        todo!()
    }
}

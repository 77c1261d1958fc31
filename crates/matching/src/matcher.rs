//! The matcher.
use saker_book::OrderBook;

use crate::{CancelOrder, Event, NewOrder, OwnerId, ReplaceOrder, Rules, RulesError, SelfMatch};

/// The matching engine of one instrument.
#[derive(Debug)]
pub struct Matcher;

#[allow(missing_docs, unused_variables)]
impl Matcher {
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        todo!()
    }
    pub fn rules(&self) -> &Rules {
        todo!()
    }
    pub fn book(&self) -> &OrderBook {
        todo!()
    }
    pub fn set_self_match(&mut self, owner: OwnerId, policy: SelfMatch) -> bool {
        todo!()
    }
    /// Takes an order in; appends what happened to `events`.
    pub fn submit(&mut self, order: NewOrder, events: &mut Vec<Event>) {
        todo!()
    }
    pub fn cancel(&mut self, request: CancelOrder, events: &mut Vec<Event>) {
        todo!()
    }
    pub fn replace(&mut self, request: ReplaceOrder, events: &mut Vec<Event>) {
        todo!()
    }
    /// Cancels every order of an owner (cancel on disconnect).
    pub fn cancel_all(&mut self, owner: OwnerId, events: &mut Vec<Event>) {
        todo!()
    }
    /// Cancels every order.
    pub fn end_day(&mut self, events: &mut Vec<Event>) {
        todo!()
    }
    /// Price of the last trade.
    pub fn last_price(&self) -> Option<i64> {
        todo!()
    }
    pub fn open_orders(&self, owner: OwnerId) -> u32 {
        todo!()
    }
}

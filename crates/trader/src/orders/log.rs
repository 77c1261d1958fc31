//! Every order that was sent, and what became of it.

use std::collections::HashMap;

use saker_book::Side;
use saker_strategy::{OrderUpdate, SlotOrder};
use saker_wire::station::FrameId;
use saker_wire::time::Nanos;

use super::report::ExecType;
use crate::desk::Desk;

/// Where an order is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderState {
    /// Sent; the venue has not answered.
    Sent,
    /// Accepted.
    Open,
    /// All of it traded.
    Filled,
    /// Ended with quantity open: cancelled or expired.
    Canceled,
    /// Refused.
    Rejected,
}

impl OrderState {
    /// Whether the order can still trade.
    pub fn is_open(self) -> bool {
        matches!(self, OrderState::Sent | OrderState::Open)
    }
}

/// What an order is, decided when it was prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderTerms {
    /// The number in its ClOrdID (11).
    pub number: u64,
    /// The slot it was prepared in, and so its strategy.
    pub slot: u16,
    /// The instrument's symbol.
    pub symbol: String,
    /// Its side.
    pub side: Side,
    /// Its limit price as a mantissa of `10^exponent`; 0 for a market order.
    pub price: i64,
    /// The power of ten of `price`.
    pub exponent: i8,
    /// Its quantity.
    pub quantity: u64,
}

/// One order that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRecord {
    /// What it is.
    pub terms: OrderTerms,
    /// Its ClOrdID (11).
    pub cl_ord_id: String,
    /// The venue's OrderID (37), once known.
    pub order_id: Option<String>,
    /// Its MsgSeqNum (34).
    pub msg_seq: u32,
    /// The feed frame that triggered it.
    pub cause: Option<FrameId>,
    /// When its trigger was in the machine and being served.
    pub decided_at: Nanos,
    /// When its frame could leave the machine at the earliest.
    pub sent_at: Nanos,
    /// Execution reports that accepted it (150=0): 1 in a sound run, or 0 if it was rejected.
    pub acks: u32,
    /// Execution reports that rejected it (150=8).
    pub rejects: u32,
    /// When the first of either came.
    pub answered_at: Option<Nanos>,
    /// Fills.
    pub fills: u32,
    /// How much of it has traded.
    pub filled: u64,
    /// Where it is in its life.
    pub state: OrderState,
    /// The kill switch wants it cancelled, and the request has not been sent yet.
    pub cancel_wanted: bool,
    /// Cancel requests sent for it.
    pub cancels_sent: u32,
}

impl OrderRecord {
    /// Applies an execution report; returns what the strategy is to know of it.
    pub(super) fn apply(
        &mut self,
        now: Nanos,
        order_id: Option<&str>,
        exec_type: ExecType,
        cumulative: Option<u64>,
    ) -> [Option<OrderUpdate>; 2] {
        if self.order_id.is_none() {
            self.order_id = order_id.map(str::to_owned);
        }
        // By the sum, not by each fill: a report that comes twice then changes nothing.
        let fill = cumulative.and_then(|sum| sum.checked_sub(self.filled)).filter(|new| *new > 0);
        let fill = fill.filter(|_| exec_type != ExecType::New);
        if let Some(new) = fill {
            self.filled += new;
            self.fills += 1;
            if self.filled >= self.terms.quantity {
                self.state = OrderState::Filled;
            }
        }
        let fill = fill.map(|quantity| OrderUpdate::Filled { quantity });
        let ended = match exec_type {
            ExecType::New => {
                self.acks += 1;
                self.answered_at.get_or_insert(now);
                if self.acks > 1 || self.state != OrderState::Sent {
                    return [None, None];
                }
                self.state = OrderState::Open;
                Some(OrderUpdate::Accepted)
            }
            ExecType::Rejected => {
                self.rejects += 1;
                self.answered_at.get_or_insert(now);
                let news = self.state.is_open();
                self.state = if news { OrderState::Rejected } else { self.state };
                news.then_some(OrderUpdate::Rejected)
            }
            ExecType::Ended => {
                let news = self.state.is_open();
                self.state = if news { OrderState::Canceled } else { self.state };
                news.then_some(OrderUpdate::Canceled)
            }
            ExecType::Trade | ExecType::Other => None,
        };
        [fill, ended]
    }
}

/// Whether every order was answered exactly once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Audit {
    /// Orders sent.
    pub sent: u64,
    /// Answered by exactly one acknowledgement or rejection.
    pub answered_once: u64,
    /// Not answered yet.
    pub unanswered: u64,
    /// Answered more than once.
    pub answered_again: u64,
}

/// The orders of a run, oldest first; bounded.
#[derive(Debug)]
pub struct OrderLog {
    prefix: String,
    capacity: usize,
    records: Vec<OrderRecord>,
    by_number: HashMap<u64, usize>,
    next_number: u64,
}

impl OrderLog {
    /// An empty log of at most `capacity` orders; ClOrdIDs are `prefix` and eight digits or more.
    pub fn new(prefix: &str, capacity: usize) -> Self {
        Self {
            prefix: prefix.to_owned(),
            capacity,
            records: Vec::new(),
            by_number: HashMap::new(),
            next_number: 1,
        }
    }

    /// The orders, oldest first.
    pub fn records(&self) -> &[OrderRecord] {
        &self.records
    }

    /// Orders that may still be sent.
    pub fn room(&self) -> usize {
        self.capacity - self.records.len()
    }

    /// A number that no ClOrdID has had.
    pub fn take_number(&mut self) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    /// The terms of what a slot's strategy would send, under a number of their own, and that order.
    /// `None` where the desk does not know the slot or its instrument.
    pub fn terms(&mut self, slot: u16, desk: &Desk) -> Option<(OrderTerms, SlotOrder)> {
        let order = desk.slot_plan(slot)?.order;
        let (symbol, exponent) = desk.slot_instrument(slot)?;
        let terms = OrderTerms {
            number: self.take_number(),
            slot,
            symbol: symbol.to_owned(),
            side: order.side,
            price: order.price,
            exponent,
            quantity: order.quantity,
        };
        Some((terms, order))
    }

    /// The ClOrdID with this number.
    pub fn cl_ord_id(&self, number: u64) -> String {
        format!("{}{number:08}", self.prefix)
    }

    /// Enters an order that has been sent. The caller has seen to it that there is room.
    pub fn push(&mut self, record: OrderRecord) -> usize {
        debug_assert!(self.records.len() < self.capacity, "prepared within `room`");
        let index = self.records.len();
        self.by_number.insert(record.terms.number, index);
        self.records.push(record);
        index
    }

    /// The order with this ClOrdID.
    pub fn find(&self, cl_ord_id: &[u8]) -> Option<usize> {
        let digits = cl_ord_id.strip_prefix(self.prefix.as_bytes())?;
        let number: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        self.by_number.get(&number).copied()
    }

    /// The unanswered order that was sent under this MsgSeqNum (34).
    pub(super) fn find_unanswered(&self, msg_seq: u32) -> Option<usize> {
        self.records
            .iter()
            .rposition(|record| record.msg_seq == msg_seq && record.state == OrderState::Sent)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut OrderRecord> {
        self.records.get_mut(index)
    }

    /// The youngest order of a slot.
    pub fn last_of_slot(&self, slot: u16) -> Option<&OrderRecord> {
        self.records.iter().rev().find(|record| record.terms.slot == slot)
    }

    /// Marks every open order for cancelling; returns how many.
    pub(super) fn want_cancels(&mut self) -> usize {
        let open = self.records.iter_mut().filter(|record| record.state.is_open());
        open.map(|record| record.cancel_wanted = true).count()
    }

    /// The first order whose cancel request is still to be sent.
    pub(super) fn next_cancel(&self) -> Option<usize> {
        self.records.iter().position(|record| record.cancel_wanted && record.state.is_open())
    }

    /// How the orders were answered.
    pub fn audit(&self) -> Audit {
        let mut audit = Audit { sent: self.records.len() as u64, ..Audit::default() };
        for record in &self.records {
            match record.acks + record.rejects {
                0 => audit.unanswered += 1,
                1 => audit.answered_once += 1,
                _ => audit.answered_again += 1,
            }
        }
        audit
    }
}

//! What the matcher decided, turned into order records, feed entries and private reports.

use saker_feed::event::{Action, Side as FeedSide};
use saker_feed::publish::LastTrade;
use saker_matching::{CancelReason, Event, Party, RejectReason, Side};
use saker_wire::time::Nanos;

use super::{CancelRefusal, order_reject_reason, owner};
use crate::config::First;
use crate::engine::Exchange;
use crate::identifier::Identifier;
use crate::order::{ClientReference, Order, status};
use crate::order_request::{CancelRequest, NewOrderRequest};
use crate::output::Outputs;
use crate::report::{ExecutionReport, Report, ResponseTo, cancel_reject_reason, exec_type};

/// The command whose events are being carried out.
pub(super) struct Command {
    pub(super) participant: usize,
    pub(super) instrument: usize,
    pub(super) origin: Origin,
}

/// What was asked for.
pub(super) enum Origin {
    New(NewOrderRequest),
    Cancel(CancelRequest),
    Replace(CancelRequest),
    /// Nobody asked: the session ended.
    Disconnect,
}

impl Exchange {
    /// Turns the matcher's events into state, feed packets and reports, in the configured order.
    pub(super) fn carry_out(&mut self, now: Nanos, command: &Command, out: &mut Outputs) {
        let mut events = std::mem::take(&mut self.events);
        let mut changed = false;
        for event in &events {
            changed |= self.publish(command.instrument, event);
            self.record(now, command, event);
        }
        events.clear();
        self.events = events;

        if self.config.first == First::Feed {
            self.publisher.flush(now, out);
        }
        let mut reports = std::mem::take(&mut self.reports);
        for (participant, report) in reports.drain(..) {
            self.deliver(now, participant, &report, out);
        }
        self.reports = reports;
        if self.config.first == First::Reports {
            self.publisher.flush(now, out);
        }
        if changed {
            self.update_subscribers(now, command.instrument, out);
        }
    }

    /// Queues the event's public side for the feed. Whether there was one.
    fn publish(&mut self, instrument: usize, event: &Event) -> bool {
        let feed = &mut self.publisher;
        match *event {
            Event::BookAdd { id, side, price, quantity } => {
                feed.order(instrument, Action::New, feed_side(side), id, price, quantity);
            }
            Event::BookChange { id, side, price, quantity } => {
                feed.order(instrument, Action::Change, feed_side(side), id, price, quantity);
            }
            Event::BookDelete { id, side, price } => {
                feed.order(instrument, Action::Delete, feed_side(side), id, price, 0);
            }
            Event::Trade { trade_id: id, price, quantity, .. } => {
                feed.trade(instrument, id, price, quantity);
                self.markets[instrument].last_trade = Some(LastTrade { id, price, quantity });
                self.counters.trades += 1;
                self.counters.traded_quantity += quantity;
            }
            _ => return false,
        }
        true
    }

    /// Brings the order records up to date and queues the event's private reports.
    fn record(&mut self, now: Nanos, command: &Command, event: &Event) {
        match *event {
            Event::Accepted { id, side, order_type, time_in_force, price, quantity, .. } => {
                let Origin::New(request) = &command.origin else {
                    unreachable!("only a new order is accepted")
                };
                let order = Order {
                    id,
                    owner: owner(command.participant),
                    instrument: owner(command.instrument),
                    side,
                    order_type,
                    time_in_force,
                    price,
                    quantity,
                    leaves: quantity,
                    cumulative: 0,
                    notional: 0,
                    client_id: request.client_id,
                    account: request.account,
                };
                self.orders.insert(order);
                let p = &mut self.participants[command.participant];
                p.open_orders += 1;
                p.client_ids.insert(request.client_id, ClientReference::Order(id));
                self.report(now, &order, exec_type::NEW, status::NEW, |_| {});
            }
            Event::Rejected { reason, .. } => {
                let Origin::New(request) = &command.origin else {
                    unreachable!("only a new order is rejected")
                };
                let (code, text) = order_refusal(reason);
                let report = self.rejection(now, request, code, text);
                self.reports.push((command.participant, Report::Execution(report)));
            }
            Event::Trade { price, quantity, maker, taker, .. } => {
                for party in [maker, taker] {
                    self.fill(now, party, price, quantity);
                }
            }
            Event::Canceled { id, reason, cumulative, .. } => {
                self.canceled(now, command, id, reason, cumulative);
            }
            Event::Replaced { id, price, quantity, leaves, cumulative, .. } => {
                self.replaced(now, command, id, (price, quantity, leaves, cumulative));
            }
            Event::CancelRejected { id, reason, .. } => {
                let Origin::Cancel(request) = &command.origin else {
                    unreachable!("only a cancel is refused so")
                };
                self.refused(now, command, request, ResponseTo::Cancel, id, reason);
            }
            Event::ReplaceRejected { id, reason, .. } => {
                let Origin::Replace(request) = &command.origin else {
                    unreachable!("only a replace is refused so")
                };
                self.refused(now, command, request, ResponseTo::Replace, id, reason);
            }
            Event::BookAdd { .. } | Event::BookChange { .. } | Event::BookDelete { .. } => {}
        }
    }

    fn fill(&mut self, now: Nanos, party: Party, price: i64, quantity: u64) {
        let order = self.orders.get_mut(party.id).expect("the matcher fills live orders only");
        order.leaves = party.leaves;
        order.cumulative = party.cumulative;
        order.notional += i128::from(price) * i128::from(quantity);
        let order = *order;
        let done = party.leaves == 0;
        let ord_status = if done { status::FILLED } else { status::PARTIALLY_FILLED };
        let exponent = self.markets[order.instrument as usize].config.exponent;
        self.report(now, &order, exec_type::TRADE, ord_status, |report| {
            report.last = Some((quantity, (price, i32::from(exponent))));
        });
        if done {
            self.finish(&order, status::FILLED);
        }
    }

    fn canceled(
        &mut self,
        now: Nanos,
        command: &Command,
        id: u64,
        reason: CancelReason,
        cumulative: u64,
    ) {
        let mut order = *self.orders.get(id).expect("the matcher cancels live orders only");
        debug_assert_eq!(order.cumulative, cumulative);
        order.leaves = 0;
        let text = cancel_text(reason);
        let names = match &command.origin {
            Origin::Cancel(request) if reason == CancelReason::Requested => {
                Some((request.client_id, order.client_id))
            }
            _ => None,
        };
        if matches!(command.origin, Origin::Disconnect) {
            self.counters.cancelled_on_disconnect += 1;
        }
        self.report(now, &order, exec_type::CANCELED, status::CANCELED, |report| {
            report.text = text;
            if let Some((client_id, orig)) = names {
                report.client_id = client_id;
                report.orig_client_id = Some(orig);
            }
        });
        self.finish(&order, status::CANCELED);
    }

    fn replaced(
        &mut self,
        now: Nanos,
        command: &Command,
        id: u64,
        (price, quantity, leaves, cumulative): (i64, u64, u64, u64),
    ) {
        let Origin::Replace(request) = &command.origin else {
            unreachable!("only a replace replaces")
        };
        let order = self.orders.get_mut(id).expect("the matcher replaces live orders only");
        debug_assert_eq!(order.cumulative, cumulative);
        let orig: Identifier = std::mem::replace(&mut order.client_id, request.client_id);
        (order.price, order.quantity, order.leaves) = (price, quantity, leaves);
        let order = *order;
        let ids = &mut self.participants[order.owner as usize].client_ids;
        ids.insert(order.client_id, ClientReference::Order(id));
        let ord_status = if leaves == 0 { status::FILLED } else { order.status() };
        self.report(now, &order, exec_type::REPLACED, ord_status, |report| {
            report.orig_client_id = Some(orig);
        });
        if leaves == 0 {
            self.finish(&order, status::FILLED);
        }
    }

    fn refused(
        &mut self,
        now: Nanos,
        command: &Command,
        request: &CancelRequest,
        response_to: ResponseTo,
        id: u64,
        reason: RejectReason,
    ) {
        let order = self.orders.get(id).expect("the engine passes on live orders only");
        let refusal = CancelRefusal {
            order_id: Some(id),
            ord_status: order.status(),
            reason: cancel_reject_reason::OTHER,
            text: order_refusal(reason).1,
        };
        let report = self.cancel_rejection(now, request, response_to, refusal);
        self.reports.push((command.participant, Report::CancelReject(report)));
    }

    fn report(
        &mut self,
        now: Nanos,
        order: &Order,
        exec_type: u8,
        ord_status: u8,
        amend: impl FnOnce(&mut ExecutionReport),
    ) {
        let exec_id = self.next_exec_id();
        let market = &self.markets[order.instrument as usize];
        let (symbol, exponent) = (market.symbol, market.config.exponent);
        let mut report =
            ExecutionReport::on(order, symbol, exponent, exec_type, ord_status, exec_id, now);
        amend(&mut report);
        self.reports.push((order.owner as usize, Report::Execution(report)));
    }

    /// Forgets an order that is done, and remembers how it ended under its last name.
    fn finish(&mut self, order: &Order, ord_status: u8) {
        self.orders.remove(order.id);
        let p = &mut self.participants[order.owner as usize];
        p.open_orders -= 1;
        let done = ClientReference::Done { id: order.id, status: ord_status };
        p.client_ids.insert(order.client_id, done);
    }
}

fn feed_side(side: Side) -> FeedSide {
    match side {
        Side::Buy => FeedSide::Bid,
        Side::Sell => FeedSide::Offer,
    }
}

/// `Text` (58) of a cancel; none where the owner asked for it.
fn cancel_text(reason: CancelReason) -> Option<&'static str> {
    match reason {
        CancelReason::Requested => None,
        CancelReason::MassCancel => Some("cancelled because the session ended"),
        CancelReason::ImmediateOrCancel => Some("rest of an immediate-or-cancel order"),
        CancelReason::FillOrKill => Some("fill-or-kill order cannot be filled in full"),
        CancelReason::MarketResidual => Some("rest of a market order: no opposite order is left"),
        CancelReason::SelfMatch => Some("would trade with an order of the same participant"),
        CancelReason::EndOfDay => Some("end of the trading day"),
    }
}

/// `OrdRejReason` (103) and `Text` (58) of a matcher's refusal.
fn order_refusal(reason: RejectReason) -> (u8, &'static str) {
    use order_reject_reason::{EXCEEDS_LIMIT, EXCHANGE_OPTION, INCORRECT_QUANTITY, OTHER};
    match reason {
        RejectReason::InvalidQuantity => {
            (INCORRECT_QUANTITY, "OrderQty (38) must be a positive multiple of the lot")
        }
        RejectReason::QuantityTooLarge => (EXCEEDS_LIMIT, "OrderQty (38) exceeds the maximum"),
        RejectReason::InvalidTick => (OTHER, "Price (44) is not a multiple of the tick"),
        RejectReason::OutsideCollar => (OTHER, "Price (44) is outside the collar"),
        RejectReason::TooManyOpenOrders => (EXCEEDS_LIMIT, "too many open orders"),
        RejectReason::BookFull => (EXCHANGE_OPTION, "the book is full"),
        RejectReason::UnknownOwner => (OTHER, "unknown owner"),
        RejectReason::UnknownOrder => (OTHER, "unknown order"),
        RejectReason::DuplicateOrder => (OTHER, "duplicate order id"),
    }
}

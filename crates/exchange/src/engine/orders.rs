//! Order commands: New Order Single (D), Cancel (F), Replace (G), and cancel on disconnect.
//!
//! Every command is answered exactly once, by an acceptance or a refusal; fills and unsolicited
//! cancels are further reports. One command's feed entries leave in one flush.

use saker_fix::parse::Message;
use saker_matching::{CancelOrder, NewOrder, OrderType, ReplaceOrder, Side, TimeInForce};
use saker_wire::time::Nanos;

use super::Exchange;
use super::sessions::business_reject_reason;
use crate::decimal::{rescale, whole};
use crate::identifier::Identifier;
use crate::order::{ClientReference, Order, status};
use crate::order_request::{CancelRequest, NewOrderRequest, ReplaceRequest, Unusable};
use crate::output::{ConnectionId, Outputs};
use crate::report::{
    CancelReject, ExecutionReport, Report, ResponseTo, cancel_reject_reason, exec_type,
    order_type_char, side_char, time_in_force_char,
};

mod outcome;

use outcome::{Command, Origin};

/// Values of `OrdRejReason` (103).
mod order_reject_reason {
    pub(super) const EXCHANGE_OPTION: u8 = 0;
    pub(super) const UNKNOWN_SYMBOL: u8 = 1;
    pub(super) const EXCEEDS_LIMIT: u8 = 3;
    pub(super) const DUPLICATE_ORDER: u8 = 6;
    pub(super) const UNSUPPORTED_CHARACTERISTIC: u8 = 11;
    pub(super) const INCORRECT_QUANTITY: u8 = 13;
    pub(super) const OTHER: u8 = 99;
}

/// A refusal: the reason code of the answer and its text.
type Refusal = (u8, &'static str);

/// A New Order Single in the engine's terms.
struct Checked {
    instrument: usize,
    side: Side,
    order_type: OrderType,
    time_in_force: TimeInForce,
    price: i64,
    quantity: u64,
}

impl Exchange {
    pub(super) fn new_order(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        out: &mut Outputs,
    ) -> Result<(), Unusable> {
        let request = NewOrderRequest::read(message)?;
        if request.ord_type == b'2' && request.price.is_none() {
            self.reject_without_price(now, participant, message, out);
            return Ok(());
        }
        self.counters.new_orders += 1;
        self.begin_command(participant, out);
        let checked = self
            .claim(participant, request.client_id)
            .map_err(|duplicate| match duplicate {
                true => (order_reject_reason::DUPLICATE_ORDER, "ClOrdID (11) has been used before"),
                false => (order_reject_reason::EXCEEDS_LIMIT, "too many ClOrdIDs (11)"),
            })
            .and_then(|()| self.check_new_order(participant, &request));
        let checked = match checked {
            Ok(checked) => checked,
            Err((reason, text)) => {
                self.refuse_order(now, participant, &request, reason, text, out);
                return Ok(());
            }
        };
        self.last_order_id += 1;
        let order = NewOrder {
            id: self.last_order_id,
            owner: owner(participant),
            side: checked.side,
            order_type: checked.order_type,
            time_in_force: checked.time_in_force,
            price: checked.price,
            quantity: checked.quantity,
        };
        let instrument = checked.instrument;
        self.markets[instrument].matcher.submit(order, &mut self.events);
        let command = Command { participant, instrument, origin: Origin::New(request) };
        self.carry_out(now, &command, out);
        Ok(())
    }

    /// Everything that can be said of an order before the matcher sees it.
    fn check_new_order(
        &self,
        participant: usize,
        request: &NewOrderRequest,
    ) -> Result<Checked, Refusal> {
        const UNSUPPORTED: u8 = order_reject_reason::UNSUPPORTED_CHARACTERISTIC;
        let Some(&instrument) = self.symbols.get(&request.symbol) else {
            return Err((order_reject_reason::UNKNOWN_SYMBOL, "Symbol (55) is not listed"));
        };
        let config = &self.markets[instrument].config;
        let side = match request.side {
            b'1' => Side::Buy,
            b'2' => Side::Sell,
            _ => return Err((UNSUPPORTED, "Side (54) must be 1 (buy) or 2 (sell)")),
        };
        let order_type = match request.ord_type {
            b'1' => OrderType::Market,
            b'2' => OrderType::Limit,
            _ => return Err((UNSUPPORTED, "OrdType (40) must be 1 (market) or 2 (limit)")),
        };
        let time_in_force = match request.time_in_force {
            None | Some(b'0') => TimeInForce::Day,
            Some(b'3') => TimeInForce::ImmediateOrCancel,
            Some(b'4') => TimeInForce::FillOrKill,
            Some(_) => {
                return Err((
                    UNSUPPORTED,
                    "TimeInForce (59) must be 0 (day), 3 (immediate or cancel) or 4 (fill or kill)",
                ));
            }
        };
        if !matches!(request.handling, None | Some(b'1')) {
            return Err((UNSUPPORTED, "HandlInst (21) must be 1 (automated, private)"));
        }
        if let Some(text) = request.unsupported {
            return Err((UNSUPPORTED, text));
        }
        let quantity = whole(request.quantity.0, request.quantity.1).ok_or((
            order_reject_reason::INCORRECT_QUANTITY,
            "OrderQty (38) must be a whole number",
        ))?;
        let price = match (order_type, request.price) {
            (OrderType::Market, None) => 0,
            (OrderType::Market, Some(_)) => {
                return Err((UNSUPPORTED, "Price (44) is not allowed on a market order"));
            }
            (OrderType::Limit, price) => price_in_range(price.unwrap_or_default(), config.exponent)
                .map_err(|text| (order_reject_reason::OTHER, text))?,
        };
        if self.participants[participant].open_orders
            >= self.participants[participant].config.max_open_orders
        {
            return Err((
                order_reject_reason::EXCEEDS_LIMIT,
                "too many open orders of this participant",
            ));
        }
        Ok(Checked { instrument, side, order_type, time_in_force, price, quantity })
    }

    fn refuse_order(
        &mut self,
        now: Nanos,
        participant: usize,
        request: &NewOrderRequest,
        reason: u8,
        text: &'static str,
        out: &mut Outputs,
    ) {
        let report = self.rejection(now, request, reason, text);
        self.deliver(now, participant, &Report::Execution(report), out);
    }

    fn rejection(
        &mut self,
        now: Nanos,
        request: &NewOrderRequest,
        reason: u8,
        text: &'static str,
    ) -> ExecutionReport {
        self.counters.orders_rejected += 1;
        ExecutionReport {
            order_id: None,
            exec_id: self.next_exec_id(),
            exec_type: exec_type::REJECTED,
            ord_status: status::REJECTED,
            client_id: request.client_id,
            orig_client_id: None,
            account: request.account,
            symbol: request.symbol,
            side: request.side,
            order_qty: request.quantity,
            ord_type: request.ord_type,
            price: request.price,
            time_in_force: request.time_in_force,
            last: None,
            leaves: 0,
            cumulative: 0,
            average: (0, 0),
            reject_reason: Some(reason),
            text: Some(text),
            transact_time: now,
        }
    }

    pub(super) fn cancel_order(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        out: &mut Outputs,
    ) -> Result<(), Unusable> {
        let request = CancelRequest::read(message)?;
        self.counters.cancels += 1;
        self.begin_command(participant, out);
        let order = match self.named_order(participant, &request) {
            Ok(order) => order,
            Err(refusal) => {
                self.refuse_cancel(now, participant, &request, ResponseTo::Cancel, refusal, out);
                return Ok(());
            }
        };
        let instrument = instrument_of(&order);
        let cancel = CancelOrder { id: order.id, owner: owner(participant) };
        self.markets[instrument].matcher.cancel(cancel, &mut self.events);
        let command = Command { participant, instrument, origin: Origin::Cancel(request) };
        self.carry_out(now, &command, out);
        Ok(())
    }

    fn reject_without_price(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        out: &mut Outputs,
    ) {
        let reason = business_reject_reason::CONDITIONALLY_REQUIRED_FIELD_MISSING;
        let text = "Price (44) is required on a limit order";
        self.business_reject(now, participant, message, reason, text, out);
    }

    pub(super) fn replace_order(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        out: &mut Outputs,
    ) -> Result<(), Unusable> {
        let request = ReplaceRequest::read(message)?;
        if request.ord_type == b'2' && request.price.is_none() {
            self.reject_without_price(now, participant, message, out);
            return Ok(());
        }
        self.counters.replaces += 1;
        self.begin_command(participant, out);
        let checked = self.named_order(participant, &request.cancel).and_then(|order| {
            let exponent = self.markets[instrument_of(&order)].config.exponent;
            check_replace(&order, &request, exponent).map(|(price, qty)| (order, price, qty))
        });
        let (order, price, quantity) = match checked {
            Ok(checked) => checked,
            Err(refusal) => {
                let (cancel, response) = (&request.cancel, ResponseTo::Replace);
                self.refuse_cancel(now, participant, cancel, response, refusal, out);
                return Ok(());
            }
        };
        let instrument = instrument_of(&order);
        let replace = ReplaceOrder { id: order.id, owner: owner(participant), price, quantity };
        self.markets[instrument].matcher.replace(replace, &mut self.events);
        let origin = Origin::Replace(request.cancel);
        self.carry_out(now, &Command { participant, instrument, origin }, out);
        Ok(())
    }

    /// Cancels every order of a participant whose session has ended.
    pub(super) fn cancel_all(
        &mut self,
        now: Nanos,
        participant: usize,
        connection: ConnectionId,
        out: &mut Outputs,
    ) {
        for instrument in 0..self.markets.len() {
            let matcher = &mut self.markets[instrument].matcher;
            if matcher.open_orders(owner(participant)) == 0 {
                continue;
            }
            out.command(connection);
            matcher.cancel_all(owner(participant), &mut self.events);
            let command = Command { participant, instrument, origin: Origin::Disconnect };
            self.carry_out(now, &command, out);
        }
    }

    fn begin_command(&mut self, participant: usize, out: &mut Outputs) {
        if let Some(connection) = self.participants[participant].connection {
            out.command(connection);
        }
    }

    /// Enters a `ClOrdID` as used. `Err(true)`: it is used already; `Err(false)`: there are too
    /// many.
    fn claim(&mut self, participant: usize, client_id: Identifier) -> Result<(), bool> {
        let limit = self.config.limits.max_client_order_ids;
        let ids = &mut self.participants[participant].client_ids;
        if ids.contains_key(&client_id) {
            return Err(true);
        }
        if ids.len() >= limit {
            return Err(false);
        }
        ids.insert(client_id, ClientReference::Request);
        Ok(())
    }

    /// The live order that a cancel or replace names. Only the participant's own names count, so
    /// that no one learns of another's orders.
    fn named_order(
        &mut self,
        participant: usize,
        request: &CancelRequest,
    ) -> Result<Order, CancelRefusal> {
        use cancel_reject_reason::{DUPLICATE, EXCHANGE_OPTION, OTHER, TOO_LATE, UNKNOWN_ORDER};
        let refuse = |order_id, ord_status, reason, text| {
            Err(CancelRefusal { order_id, ord_status, reason, text })
        };
        let unknown = |reason, text| refuse(None, status::REJECTED, reason, text);
        match self.claim(participant, request.client_id) {
            Ok(()) => {}
            Err(true) => return unknown(DUPLICATE, "ClOrdID (11) has been used before"),
            Err(false) => return unknown(EXCHANGE_OPTION, "too many ClOrdIDs (11)"),
        }
        let ids = &self.participants[participant].client_ids;
        let order = match ids.get(&request.orig_client_id) {
            None | Some(ClientReference::Request) => {
                return unknown(UNKNOWN_ORDER, "OrigClOrdID (41) names no order");
            }
            Some(&ClientReference::Done { id, status }) => {
                return refuse(Some(id), status, TOO_LATE, "the order is done");
            }
            Some(&ClientReference::Order(id)) => match self.orders.get(id) {
                Some(order) => *order,
                None => {
                    return unknown(
                        TOO_LATE,
                        "the order was replaced under another name and is done",
                    );
                }
            },
        };
        let known = |reason, text| refuse(Some(order.id), order.status(), reason, text);
        if order.client_id != request.orig_client_id {
            return known(UNKNOWN_ORDER, "OrigClOrdID (41) was superseded by a replacement");
        }
        if request.order_id.is_some_and(|id| id != order.id) {
            return known(UNKNOWN_ORDER, "OrderID (37) is not that of OrigClOrdID (41)");
        }
        if self.markets[instrument_of(&order)].symbol != request.symbol {
            return known(OTHER, "Symbol (55) differs from the order's");
        }
        if request.side != side_char(order.side) {
            return known(OTHER, "Side (54) differs from the order's");
        }
        Ok(order)
    }

    fn refuse_cancel(
        &mut self,
        now: Nanos,
        participant: usize,
        request: &CancelRequest,
        response_to: ResponseTo,
        refusal: CancelRefusal,
        out: &mut Outputs,
    ) {
        let report = self.cancel_rejection(now, request, response_to, refusal);
        self.deliver(now, participant, &Report::CancelReject(report), out);
    }

    fn cancel_rejection(
        &mut self,
        now: Nanos,
        request: &CancelRequest,
        response_to: ResponseTo,
        refusal: CancelRefusal,
    ) -> CancelReject {
        self.counters.cancels_rejected += 1;
        CancelReject {
            order_id: refusal.order_id,
            client_id: request.client_id,
            orig_client_id: request.orig_client_id,
            ord_status: refusal.ord_status,
            response_to,
            reason: refusal.reason,
            text: refusal.text,
            transact_time: now,
        }
    }
}

/// Why a cancel or replace is refused.
struct CancelRefusal {
    order_id: Option<u64>,
    ord_status: u8,
    reason: u8,
    text: &'static str,
}

/// The new price and total quantity of an order, if it may be replaced so.
fn check_replace(
    order: &Order,
    request: &ReplaceRequest,
    exponent: i8,
) -> Result<(i64, u64), CancelRefusal> {
    let refuse = |text| CancelRefusal {
        order_id: Some(order.id),
        ord_status: order.status(),
        reason: cancel_reject_reason::OTHER,
        text,
    };
    if request.ord_type != order_type_char(order.order_type) {
        return Err(refuse("OrdType (40) cannot be changed"));
    }
    let same_time = time_in_force_char(order.time_in_force);
    if request.time_in_force.is_some_and(|t| t != same_time) {
        return Err(refuse("TimeInForce (59) cannot be changed"));
    }
    if let Some(text) = request.unsupported {
        return Err(refuse(text));
    }
    let quantity = whole(request.quantity.0, request.quantity.1)
        .ok_or_else(|| refuse("OrderQty (38) must be a whole number"))?;
    // Only limit orders rest, and a limit order's replace without a price was refused before.
    let price = price_in_range(request.price.unwrap_or_default(), exponent).map_err(refuse)?;
    Ok((price, quantity))
}

/// A FIX price in the instrument's units, within what the feed can carry.
fn price_in_range(price: (i64, i32), exponent: i8) -> Result<i64, &'static str> {
    let limit = saker_feed::publish::MAX_PRICE;
    match rescale(price.0, price.1, i32::from(exponent)) {
        Some(price) if (-limit..=limit).contains(&price) => Ok(price),
        Some(_) => Err("Price (44) is out of range"),
        None => Err("Price (44) has more digits than the instrument's prices"),
    }
}

fn owner(participant: usize) -> u32 {
    u32::try_from(participant).expect("the number of participants is checked at start")
}

fn instrument_of(order: &Order) -> usize {
    order.instrument as usize
}

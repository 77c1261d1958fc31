//! The private answers: execution reports (8) and cancel rejects (9), and how they are written.

use saker_book::{OrderType, Side, TimeInForce};
use saker_fix::encode::Writer;
use saker_fix::tag;
use saker_wire::time::Nanos;

use crate::decimal::average_price;
use crate::identifier::Identifier;
use crate::order::Order;

/// Values of `ExecType` (150).
pub(crate) mod exec_type {
    pub(crate) const NEW: u8 = b'0';
    pub(crate) const CANCELED: u8 = b'4';
    pub(crate) const REPLACED: u8 = b'5';
    pub(crate) const REJECTED: u8 = b'8';
    pub(crate) const TRADE: u8 = b'F';
}

/// A decimal as it stands in a message: mantissa and exponent.
pub(crate) type Decimal = (i64, i32);

/// An execution report (8).
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExecutionReport {
    /// The venue's order id; none for an order that was refused.
    pub(crate) order_id: Option<u64>,
    pub(crate) exec_id: u64,
    pub(crate) exec_type: u8,
    pub(crate) ord_status: u8,
    pub(crate) client_id: Identifier,
    pub(crate) orig_client_id: Option<Identifier>,
    pub(crate) account: Option<Identifier>,
    pub(crate) symbol: Identifier,
    pub(crate) side: u8,
    pub(crate) order_qty: Decimal,
    pub(crate) ord_type: u8,
    pub(crate) price: Option<Decimal>,
    pub(crate) time_in_force: Option<u8>,
    /// Quantity and price of the fill that this reports.
    pub(crate) last: Option<(u64, Decimal)>,
    pub(crate) leaves: u64,
    pub(crate) cumulative: u64,
    pub(crate) average: Decimal,
    /// `OrdRejReason` (103).
    pub(crate) reject_reason: Option<u8>,
    pub(crate) text: Option<&'static str>,
    pub(crate) transact_time: Nanos,
}

impl ExecutionReport {
    /// A report on `order` as it is now.
    pub(crate) fn on(
        order: &Order,
        symbol: Identifier,
        exponent: i8,
        exec_type: u8,
        ord_status: u8,
        exec_id: u64,
        now: Nanos,
    ) -> Self {
        let whole = |n: u64| (i64::try_from(n).unwrap_or(i64::MAX), 0);
        Self {
            order_id: Some(order.id),
            exec_id,
            exec_type,
            ord_status,
            client_id: order.client_id,
            orig_client_id: None,
            account: order.account,
            symbol,
            side: side_char(order.side),
            order_qty: whole(order.quantity),
            ord_type: order_type_char(order.order_type),
            price: (order.order_type == OrderType::Limit)
                .then_some((order.price, i32::from(exponent))),
            time_in_force: Some(time_in_force_char(order.time_in_force)),
            last: None,
            leaves: order.leaves,
            cumulative: order.cumulative,
            average: average_price(order.notional, order.cumulative, exponent),
            reject_reason: None,
            text: None,
            transact_time: now,
        }
    }

    /// Writes the body.
    pub(crate) fn write(&self, w: &mut Writer<'_>) {
        write_order_id(w, self.order_id);
        w.field_bytes(tag::CL_ORD_ID, self.client_id.as_bytes());
        if let Some(orig) = self.orig_client_id {
            w.field_bytes(tag::ORIG_CL_ORD_ID, orig.as_bytes());
        }
        w.field_uint(tag::EXEC_ID, self.exec_id);
        w.field_char(tag::EXEC_TYPE, self.exec_type);
        w.field_char(tag::ORD_STATUS, self.ord_status);
        if let Some(reason) = self.reject_reason {
            w.field_uint(tag::ORD_REJ_REASON, u64::from(reason));
        }
        if let Some(account) = self.account {
            w.field_bytes(tag::ACCOUNT, account.as_bytes());
        }
        w.field_bytes(tag::SYMBOL, self.symbol.as_bytes());
        w.field_char(tag::SIDE, self.side);
        w.field_decimal(tag::ORDER_QTY, self.order_qty.0, self.order_qty.1);
        w.field_char(tag::ORD_TYPE, self.ord_type);
        if let Some((mantissa, exponent)) = self.price {
            w.field_decimal(tag::PRICE, mantissa, exponent);
        }
        if let Some(time_in_force) = self.time_in_force {
            w.field_char(tag::TIME_IN_FORCE, time_in_force);
        }
        if let Some((quantity, (mantissa, exponent))) = self.last {
            w.field_uint(tag::LAST_QTY, quantity);
            w.field_decimal(tag::LAST_PX, mantissa, exponent);
        }
        w.field_uint(tag::LEAVES_QTY, self.leaves);
        w.field_uint(tag::CUM_QTY, self.cumulative);
        w.field_decimal(tag::AVG_PX, self.average.0, self.average.1);
        w.field_timestamp(tag::TRANSACT_TIME, self.transact_time);
        if let Some(text) = self.text {
            w.field_str(tag::TEXT, text);
        }
    }
}

/// What a cancel reject answers: values of `CxlRejResponseTo` (434).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseTo {
    Cancel,
    Replace,
}

/// Values of `CxlRejReason` (102).
pub(crate) mod cancel_reject_reason {
    pub(crate) const TOO_LATE: u8 = 0;
    pub(crate) const UNKNOWN_ORDER: u8 = 1;
    pub(crate) const EXCHANGE_OPTION: u8 = 2;
    pub(crate) const DUPLICATE: u8 = 6;
    pub(crate) const OTHER: u8 = 99;
}

/// An order cancel reject (9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct CancelReject {
    pub(crate) order_id: Option<u64>,
    pub(crate) client_id: Identifier,
    pub(crate) orig_client_id: Identifier,
    pub(crate) ord_status: u8,
    pub(crate) response_to: ResponseTo,
    pub(crate) reason: u8,
    pub(crate) text: &'static str,
    pub(crate) transact_time: Nanos,
}

impl CancelReject {
    /// Writes the body.
    pub(crate) fn write(&self, w: &mut Writer<'_>) {
        write_order_id(w, self.order_id);
        w.field_bytes(tag::CL_ORD_ID, self.client_id.as_bytes());
        w.field_bytes(tag::ORIG_CL_ORD_ID, self.orig_client_id.as_bytes());
        w.field_char(tag::ORD_STATUS, self.ord_status);
        w.field_timestamp(tag::TRANSACT_TIME, self.transact_time);
        w.field_char(
            tag::CXL_REJ_RESPONSE_TO,
            match self.response_to {
                ResponseTo::Cancel => b'1',
                ResponseTo::Replace => b'2',
            },
        );
        w.field_uint(tag::CXL_REJ_REASON, u64::from(self.reason));
        w.field_str(tag::TEXT, self.text);
    }
}

/// A private answer that is kept for its owner while the owner's session is down.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Report {
    Execution(ExecutionReport),
    CancelReject(CancelReject),
}

fn write_order_id(w: &mut Writer<'_>, id: Option<u64>) {
    match id {
        Some(id) => w.field_uint(tag::ORDER_ID, id),
        None => w.field_str(tag::ORDER_ID, "NONE"),
    }
}

pub(crate) fn side_char(side: Side) -> u8 {
    match side {
        Side::Buy => b'1',
        Side::Sell => b'2',
    }
}

pub(crate) fn order_type_char(order_type: OrderType) -> u8 {
    match order_type {
        OrderType::Market => b'1',
        OrderType::Limit => b'2',
    }
}

pub(crate) fn time_in_force_char(time_in_force: TimeInForce) -> u8 {
    match time_in_force {
        TimeInForce::Day => b'0',
        TimeInForce::ImmediateOrCancel => b'3',
        TimeInForce::FillOrKill => b'4',
    }
}

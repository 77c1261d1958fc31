//! The application messages we send.

use saker_book::{OrderType, Side, TimeInForce};
use saker_fix::encode::Writer;
use saker_fix::tag;
use saker_strategy::SlotOrder;
use saker_wire::time::Nanos;

use super::log::{OrderRecord, OrderTerms};

/// The body of a New Order Single (35=D).
pub fn new_order_single(
    w: &mut Writer<'_>,
    terms: &OrderTerms,
    order: &SlotOrder,
    cl_ord_id: &str,
    account: Option<&str>,
    now: Nanos,
) {
    if let Some(account) = account {
        w.field_str(tag::ACCOUNT, account);
    }
    w.field_str(tag::CL_ORD_ID, cl_ord_id);
    w.field_char(tag::HANDL_INST, b'1');
    w.field_uint(tag::ORDER_QTY, terms.quantity);
    w.field_char(tag::ORD_TYPE, order_type(order.order_type));
    if order.order_type == OrderType::Limit {
        w.field_decimal(tag::PRICE, terms.price, terms.exponent.into());
    }
    side_and_symbol(w, terms);
    w.field_char(tag::TIME_IN_FORCE, time_in_force(order.time_in_force));
    w.field_timestamp(tag::TRANSACT_TIME, now);
}

/// The body of an Order Cancel Request (35=F) for `record`, itself named `cl_ord_id`.
pub fn order_cancel_request(w: &mut Writer<'_>, record: &OrderRecord, cl_ord_id: &str, now: Nanos) {
    w.field_str(tag::ORIG_CL_ORD_ID, &record.cl_ord_id);
    if let Some(order_id) = &record.order_id {
        w.field_str(tag::ORDER_ID, order_id);
    }
    w.field_str(tag::CL_ORD_ID, cl_ord_id);
    side_and_symbol(w, &record.terms);
    w.field_timestamp(tag::TRANSACT_TIME, now);
    w.field_uint(tag::ORDER_QTY, record.terms.quantity);
}

fn side_and_symbol(w: &mut Writer<'_>, terms: &OrderTerms) {
    w.field_char(tag::SIDE, if terms.side == Side::Buy { b'1' } else { b'2' });
    w.field_str(tag::SYMBOL, &terms.symbol);
}

fn order_type(order_type: OrderType) -> u8 {
    match order_type {
        OrderType::Market => b'1',
        OrderType::Limit => b'2',
    }
}

fn time_in_force(time_in_force: TimeInForce) -> u8 {
    match time_in_force {
        TimeInForce::Day => b'0',
        TimeInForce::ImmediateOrCancel => b'3',
        TimeInForce::FillOrKill => b'4',
    }
}

//! Reading New Order Single (D), Order Cancel Request (F) and Order Cancel/Replace Request (G).
//!
//! Reading has two layers. A field that is missing or is not of its type makes the message
//! unusable: a session reject (3) names it. What is well formed and not allowed here is answered
//! in the message's own terms (8 or 9) by the caller.

use saker_fix::parse::{FieldError, Message, Optional};
use saker_fix::tag;

use crate::identifier::Identifier;
use crate::report::Decimal;

/// Values of `SessionRejectReason` (373).
mod session_reject_reason {
    pub(super) const REQUIRED_TAG_MISSING: u8 = 1;
    pub(super) const VALUE_INCORRECT: u8 = 5;
    pub(super) const INCORRECT_FORMAT: u8 = 6;
}

/// A message that cannot be used: what a session reject (3) says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unusable {
    /// `RefTagID` (371).
    pub(crate) tag: u32,
    /// `SessionRejectReason` (373).
    pub(crate) reason: u8,
    pub(crate) text: &'static str,
}

impl From<FieldError> for Unusable {
    fn from(error: FieldError) -> Self {
        match error {
            FieldError::Missing { tag } => Self {
                tag,
                reason: session_reject_reason::REQUIRED_TAG_MISSING,
                text: "required tag missing",
            },
            FieldError::Format { tag } => Self {
                tag,
                reason: session_reject_reason::INCORRECT_FORMAT,
                text: "incorrect data format for value",
            },
        }
    }
}

/// A New Order Single as sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewOrderRequest {
    pub(crate) client_id: Identifier,
    pub(crate) account: Option<Identifier>,
    pub(crate) symbol: Identifier,
    pub(crate) side: u8,
    pub(crate) ord_type: u8,
    pub(crate) time_in_force: Option<u8>,
    pub(crate) quantity: Decimal,
    pub(crate) price: Option<Decimal>,
    pub(crate) handling: Option<u8>,
    /// A field that changes the order's meaning in a way the exchange does not offer.
    pub(crate) unsupported: Option<&'static str>,
}

/// An Order Cancel Request, or the common part of a replace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CancelRequest {
    pub(crate) client_id: Identifier,
    pub(crate) orig_client_id: Identifier,
    pub(crate) order_id: Option<u64>,
    pub(crate) symbol: Identifier,
    pub(crate) side: u8,
}

/// An Order Cancel/Replace Request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplaceRequest {
    pub(crate) cancel: CancelRequest,
    pub(crate) quantity: Decimal,
    pub(crate) ord_type: u8,
    pub(crate) price: Option<Decimal>,
    pub(crate) time_in_force: Option<u8>,
    pub(crate) unsupported: Option<&'static str>,
}

impl NewOrderRequest {
    pub(crate) fn read(message: &Message<'_>) -> Result<Self, Unusable> {
        message.timestamp(tag::TRANSACT_TIME)?;
        Ok(Self {
            client_id: identifier(message, tag::CL_ORD_ID)?,
            account: optional_identifier(message, tag::ACCOUNT)?,
            symbol: identifier(message, tag::SYMBOL)?,
            side: message.char(tag::SIDE)?,
            ord_type: message.char(tag::ORD_TYPE)?,
            time_in_force: message.char(tag::TIME_IN_FORCE).optional()?,
            quantity: decimal(message, tag::ORDER_QTY)?,
            price: optional_decimal(message, tag::PRICE)?,
            handling: message.char(tag::HANDL_INST).optional()?,
            unsupported: unsupported(message),
        })
    }
}

impl CancelRequest {
    pub(crate) fn read(message: &Message<'_>) -> Result<Self, Unusable> {
        message.timestamp(tag::TRANSACT_TIME)?;
        Ok(Self {
            client_id: identifier(message, tag::CL_ORD_ID)?,
            orig_client_id: identifier(message, tag::ORIG_CL_ORD_ID)?,
            order_id: message.uint(tag::ORDER_ID).optional()?,
            symbol: identifier(message, tag::SYMBOL)?,
            side: message.char(tag::SIDE)?,
        })
    }
}

impl ReplaceRequest {
    pub(crate) fn read(message: &Message<'_>) -> Result<Self, Unusable> {
        Ok(Self {
            cancel: CancelRequest::read(message)?,
            quantity: decimal(message, tag::ORDER_QTY)?,
            ord_type: message.char(tag::ORD_TYPE)?,
            price: optional_decimal(message, tag::PRICE)?,
            time_in_force: message.char(tag::TIME_IN_FORCE).optional()?,
            unsupported: unsupported(message),
        })
    }
}

/// A required [`Identifier`].
pub(crate) fn identifier(message: &Message<'_>, tag: u32) -> Result<Identifier, Unusable> {
    let value = message.get(tag).ok_or(FieldError::Missing { tag })?;
    check_identifier(value, tag)
}

/// The [`Identifier`] in a field's value.
pub(crate) fn check_identifier(value: &[u8], tag: u32) -> Result<Identifier, Unusable> {
    Identifier::new(value).ok_or(Unusable {
        tag,
        reason: session_reject_reason::VALUE_INCORRECT,
        text: "must be 1 to 20 printable ASCII characters",
    })
}

fn optional_identifier(message: &Message<'_>, tag: u32) -> Result<Option<Identifier>, Unusable> {
    message.get(tag).map(|value| check_identifier(value, tag)).transpose()
}

fn decimal(message: &Message<'_>, tag: u32) -> Result<Decimal, Unusable> {
    let value = message.decimal(tag)?;
    Ok((value.mantissa, value.exponent))
}

fn optional_decimal(message: &Message<'_>, tag: u32) -> Result<Option<Decimal>, Unusable> {
    let value = message.decimal(tag).optional()?;
    Ok(value.map(|v| (v.mantissa, v.exponent)))
}

/// Fields that would change what the order means.
const UNSUPPORTED: [(u32, &str); 8] = [
    (18, "ExecInst (18) is not supported"),
    (99, "StopPx (99) is not supported"),
    (110, "MinQty (110) is not supported"),
    (111, "MaxFloor (111) is not supported"),
    (126, "ExpireTime (126) is not supported"),
    (168, "EffectiveTime (168) is not supported"),
    (211, "PegOffsetValue (211) is not supported"),
    (432, "ExpireDate (432) is not supported"),
];

fn unsupported(message: &Message<'_>) -> Option<&'static str> {
    let mut tags = message.fields().map(|(tag, _)| tag);
    tags.find_map(|tag| UNSUPPORTED.iter().find(|(t, _)| *t == tag).map(|(_, text)| *text))
}

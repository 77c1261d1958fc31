//! Execution reports (35=8), cancel rejects (35=9) and rejects (35=3, 35=j), read.

use saker_fix::parse::{FieldError, Message};

/// What an execution report says happened, by ExecType (150).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecType {
    /// 0: accepted.
    New,
    /// F: traded.
    Trade,
    /// 4 or C: ended with quantity open.
    Ended,
    /// 8: refused.
    Rejected,
    /// Another one, which changes nothing here.
    Other,
}

/// An answer of the venue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// 35=8.
    Execution {
        /// OrigClOrdID (41) if there is one, else ClOrdID (11): the order it is about.
        order: &'a [u8],
        /// OrderID (37).
        order_id: Option<&'a str>,
        /// What happened.
        exec_type: ExecType,
        /// CumQty (14), if given: all that has traded of the order.
        cumulative: Option<u64>,
    },
    /// 35=9: a cancel request came too late or was wrong.
    CancelReject {
        /// OrigClOrdID (41).
        order: &'a [u8],
    },
    /// 35=3 or 35=j: the venue does not take a message of ours.
    Refused {
        /// RefSeqNum (45): the message's MsgSeqNum.
        msg_seq: u32,
    },
    /// Anything else.
    Other,
}

/// Reads an answer.
///
/// # Errors
/// The field that is missing or malformed.
pub fn read<'a>(message: &Message<'a>) -> Result<Answer<'a>, FieldError> {
    match message.msg_type() {
        b"8" => {
            let missing = FieldError::Missing { tag: 11 };
            let order = message.get(41).or_else(|| message.get(11)).ok_or(missing)?;
            let exec_type = match message.char(150)? {
                b'0' => ExecType::New,
                b'F' => ExecType::Trade,
                b'4' | b'C' => ExecType::Ended,
                b'8' => ExecType::Rejected,
                _ => ExecType::Other,
            };
            let cumulative = match message.get(14) {
                Some(_) => Some(whole(message, 14)?),
                None => None,
            };
            let order_id = message.get(37).and_then(|id| std::str::from_utf8(id).ok());
            Ok(Answer::Execution { order, order_id, exec_type, cumulative })
        }
        b"9" => {
            let order = message.get(41).ok_or(FieldError::Missing { tag: 41 })?;
            Ok(Answer::CancelReject { order })
        }
        b"3" | b"j" => {
            let msg_seq = message.uint(45)?;
            let msg_seq = u32::try_from(msg_seq).map_err(|_| FieldError::Format { tag: 45 })?;
            Ok(Answer::Refused { msg_seq })
        }
        _ => Ok(Answer::Other),
    }
}

/// A quantity, which FIX writes as a decimal.
fn whole(message: &Message<'_>, tag: u32) -> Result<u64, FieldError> {
    let value = message.decimal(tag)?;
    let scaled = saker_feed::normalize::rescale(value.mantissa, value.exponent, 0);
    scaled.ok().and_then(|v| u64::try_from(v).ok()).ok_or(FieldError::Format { tag })
}

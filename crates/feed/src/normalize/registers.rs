//! The values of one message, or of one of its entries, that a mapping needs.

use saker_fast::Value;

use super::output::NormalizeError;
use super::scale::rescale;
use super::tag_map::Role;
use crate::event::{Action, Side};

/// Longest symbol or session that is kept.
pub(super) const MAX_TEXT: usize = 32;

/// A short ASCII text, held in place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    bytes: [u8; MAX_TEXT],
    len: u8,
}

impl Text {
    const EMPTY: Text = Text { bytes: [0; MAX_TEXT], len: 0 };

    fn set(&mut self, value: Value<'_>) -> Result<(), NormalizeError> {
        let text = value.as_bytes().ok_or(NormalizeError::BadText)?;
        let fits = text.len() <= MAX_TEXT && text.is_ascii();
        if !fits {
            return Err(NormalizeError::BadText);
        }
        self.bytes[..text.len()].copy_from_slice(text);
        self.len = text.len() as u8;
        Ok(())
    }

    pub fn as_str(&self) -> &str {
        // `set` admits ASCII only, so this never takes the default.
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryType {
    Order(Side),
    Trade,
    Other,
}

/// The fields seen so far, by role.
#[derive(Debug, Clone, Copy)]
pub(super) struct Registers {
    pub security_id: Option<u64>,
    pub symbol: Text,
    pub session: Text,
    pub rpt_seq: u32,
    pub last_packet: u32,
    pub first: bool,
    pub last: bool,
    pub increment: Option<(i64, i32)>,
    pub round_lot: u64,
    /// `None`: not one of the known actions.
    pub action: Option<Action>,
    pub entry_type: EntryType,
    pub entry_id: u64,
    pub price: Option<(i64, i32)>,
    /// An error where it is not whole: it matters only where a quantity is asked for.
    pub quantity: Option<Result<u64, NormalizeError>>,
    /// The first field that could not be taken.
    pub error: Option<NormalizeError>,
}

impl Registers {
    pub const EMPTY: Registers = Registers {
        security_id: None,
        symbol: Text::EMPTY,
        session: Text::EMPTY,
        rpt_seq: 0,
        last_packet: 0,
        // A feed without fragment marks sends whole snapshots.
        first: true,
        last: true,
        increment: None,
        round_lot: 1,
        action: Some(Action::New),
        entry_type: EntryType::Other,
        entry_id: 0,
        price: None,
        quantity: None,
        error: None,
    };

    pub fn set(&mut self, role: Role, value: Value<'_>) {
        if let Err(error) = self.try_set(role, value) {
            self.error.get_or_insert(error);
        }
    }

    fn try_set(&mut self, role: Role, value: Value<'_>) -> Result<(), NormalizeError> {
        match role {
            Role::None | Role::MsgType => {}
            Role::SecurityId => {
                self.security_id = Some(match value.as_u64() {
                    Some(id) => id,
                    None => decimal_digits(value).ok_or(NormalizeError::BadCounter)?,
                });
            }
            Role::Symbol => self.symbol.set(value)?,
            Role::Session => self.session.set(value)?,
            Role::RptSeq => self.rpt_seq = counter(value)?,
            Role::LastPacket => self.last_packet = counter(value)?,
            Role::FirstFragment => self.first = flag(value),
            Role::LastFragment => self.last = flag(value),
            Role::PriceIncrement => self.increment = value.as_decimal(),
            Role::RoundLot => self.round_lot = quantity(value)??,
            Role::Action => {
                self.action = match value.as_u64().or_else(|| decimal_digits(value)) {
                    Some(0) => Some(Action::New),
                    Some(1) => Some(Action::Change),
                    Some(2) => Some(Action::Delete),
                    _ => None,
                };
            }
            Role::EntryType => {
                self.entry_type = match (value.as_u64(), value.as_bytes()) {
                    (Some(0), _) | (_, Some(b"0")) => EntryType::Order(Side::Bid),
                    (Some(1), _) | (_, Some(b"1")) => EntryType::Order(Side::Offer),
                    (Some(2), _) | (_, Some(b"2" | b"z")) => EntryType::Trade,
                    _ => EntryType::Other,
                };
            }
            Role::EntryId => {
                let id = value.as_u64().or_else(|| decimal_digits(value));
                self.entry_id = id.ok_or(NormalizeError::BadEntryId)?;
            }
            Role::Price => {
                self.price = Some(value.as_decimal().ok_or(NormalizeError::PriceOverflow)?);
            }
            Role::Quantity => self.quantity = Some(quantity(value)?),
        }
        Ok(())
    }
}

fn counter(value: Value<'_>) -> Result<u32, NormalizeError> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or(NormalizeError::BadCounter)
}

/// A number that is not negative, and it as a whole number.
fn quantity(value: Value<'_>) -> Result<Result<u64, NormalizeError>, NormalizeError> {
    if let Some(whole) = value.as_u64() {
        return Ok(Ok(whole));
    }
    let decimal = value.as_decimal().filter(|(mantissa, _)| *mantissa >= 0);
    let (mantissa, exponent) = decimal.ok_or(NormalizeError::BadQuantity)?;
    let whole = rescale(mantissa, exponent, 0).ok().and_then(|whole| u64::try_from(whole).ok());
    Ok(whole.ok_or(NormalizeError::BadQuantity))
}

fn flag(value: Value<'_>) -> bool {
    value.as_u64() == Some(1) || matches!(value.as_bytes(), Some(b"1" | b"Y"))
}

/// A text of decimal digits, as a number.
fn decimal_digits(value: Value<'_>) -> Option<u64> {
    let text = value.as_bytes()?;
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_text_are_exact_or_refused() {
        let digits = |text: &'static str| decimal_digits(Value::Ascii(text.as_bytes()));
        assert_eq!(digits("18446744073709551615"), Some(u64::MAX));
        assert_eq!(digits("18446744073709551616"), None);
        assert_eq!(digits("12a"), None);
        assert_eq!(digits(""), None);
        assert_eq!(digits("-1"), None);
    }

    #[test]
    fn quantities_are_whole_and_not_negative() {
        let decimal = |mantissa, exponent| quantity(Value::Decimal { mantissa, exponent });
        assert_eq!(decimal(15, 1), Ok(Ok(150)));
        assert_eq!(decimal(150, -1), Ok(Ok(15)));
        assert_eq!(decimal(15, -1), Ok(Err(NormalizeError::BadQuantity)));
        assert_eq!(decimal(1, 63), Ok(Err(NormalizeError::BadQuantity)));
        assert_eq!(decimal(-1, 0), Err(NormalizeError::BadQuantity));
        assert_eq!(quantity(Value::UInt(u64::MAX)), Ok(Ok(u64::MAX)));
    }
}

//! SendingTime (52) in the forms in which feeds write it.

use saker_fast::{Decoder, DecoderOptions, FieldInfo, Templates, Value, Visitor};
use saker_fix::value::parse_timestamp;
use saker_wire::time::{MICROSECOND, MILLISECOND, Nanos, SECOND};

/// The tag.
pub(super) const TAG: u32 = 52;

/// The SendingTime of the message at the start of `bytes`, behind the preamble, decoded with fresh
/// dictionaries: when a stream begins.
pub fn first_sending_time(templates: &Templates, bytes: &[u8]) -> Option<Nanos> {
    struct Found(Option<Nanos>);
    impl Visitor for Found {
        fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
            if field.id == Some(TAG) && self.0.is_none() {
                self.0 = sending_time(value);
            }
        }
    }
    let mut found = Found(None);
    let mut decoder = Decoder::new(templates, DecoderOptions::default());
    decoder.decode(bytes, &mut found).ok()?;
    found.0
}

/// Reads a SendingTime. As a text it is a FIX UTCTimestamp. As a number its digits tell what it is:
///
/// | digits | meaning |
/// |---|---|
/// | 19, 16, 13, 10 | ns, µs, ms, s since 1970 |
/// | 18, 15, 12 | `YYMMDDhhmmss` and µs, ms or nothing, of the years 2010 to 2099 |
/// | 17, 14 | `YYYYMMDDhhmmss` and ms or nothing |
///
/// `None` for anything else, dates that do not exist among it. The time zone is taken as UTC.
pub fn sending_time(value: Value<'_>) -> Option<Nanos> {
    if let Some(number) = value.as_u64() {
        return from_number(number);
    }
    value.as_bytes().and_then(parse_timestamp)
}

fn from_number(number: u64) -> Option<Nanos> {
    let digits = number.checked_ilog10()? + 1;
    match digits {
        19 => Some(number),
        16 => number.checked_mul(MICROSECOND),
        13 => number.checked_mul(MILLISECOND),
        10 => number.checked_mul(SECOND),
        18 => calendar(number / 1_000_000, true)?.checked_add(number % 1_000_000 * MICROSECOND),
        15 => calendar(number / 1_000, true)?.checked_add(number % 1_000 * MILLISECOND),
        12 => calendar(number, true),
        17 => calendar(number / 1_000, false)?.checked_add(number % 1_000 * MILLISECOND),
        14 => calendar(number, false),
        _ => None,
    }
}

/// `YYMMDDhhmmss`, or `YYYYMMDDhhmmss` unless `short`.
fn calendar(number: u64, short: bool) -> Option<Nanos> {
    let century = if short { 20_000_000_000_000 } else { 0 };
    let mut rest = number.checked_add(century)?;
    // YYYYMMDD-HH:MM:SS, from the right.
    let mut text = *b"00000000-00:00:00";
    for byte in text.iter_mut().rev().filter(|byte| **byte == b'0') {
        *byte = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    parse_timestamp(&text).filter(|_| rest == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u64) -> Option<Nanos> {
        sending_time(Value::UInt(number))
    }

    #[test]
    fn the_forms_of_one_instant() {
        // 2019-04-04T08:36:36.274670Z
        const AT: Nanos = 1_554_366_996_274_670_000;
        assert_eq!(number(190_404_083_636_274_670), Some(AT));
        assert_eq!(number(AT), Some(AT));
        assert_eq!(number(AT / 1_000), Some(AT));
        let (ms, s) = (AT / MILLISECOND * MILLISECOND, AT / SECOND * SECOND);
        assert_eq!(number(190_404_083_636_274), Some(ms));
        assert_eq!(number(20_190_404_083_636_274), Some(ms));
        assert_eq!(number(AT / MILLISECOND), Some(ms));
        assert_eq!(number(190_404_083_636), Some(s));
        assert_eq!(number(20_190_404_083_636), Some(s));
        assert_eq!(number(AT / SECOND), Some(s));
        let text = Value::Ascii(b"20190404-08:36:36.274670");
        assert_eq!(sending_time(text), Some(AT));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for wrong in [0, 1, 91_650, 83_636_000, 191_304_083_636, 190_404_253_636, u64::MAX] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
        assert_eq!(sending_time(Value::Ascii(b"08:36:36")), None);
        assert_eq!(sending_time(Value::Decimal { mantissa: 1, exponent: 63 }), None);
    }
}

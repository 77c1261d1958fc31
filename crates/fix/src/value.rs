//! Field values: the text of FIX 4.4 data types to numbers and back. Integers only, exact.
//!
//! Parsers return `None` for text that is not of the type; the caller knows the tag and reports it.

use saker_wire::time::{MILLISECOND, Nanos, SECOND};

/// Length of `YYYYMMDD-HH:MM:SS.sss`.
pub const TIMESTAMP_LEN: usize = 21;
/// Length of `YYYYMMDD-HH:MM:SS`.
pub const TIMESTAMP_SECONDS_LEN: usize = 17;

const SECONDS_PER_DAY: u64 = 86_400;

/// An exact decimal: `mantissa * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits, with the sign.
    pub mantissa: i64,
    /// Power of ten; not positive when parsed from text.
    pub exponent: i32,
}

impl Decimal {
    /// The mantissa of the same number at `exponent`; `None` if it is not exact or overflows.
    pub fn rescale(self, exponent: i32) -> Option<i64> {
        let shift = i64::from(self.exponent) - i64::from(exponent);
        if self.mantissa == 0 {
            return Some(0);
        }
        let factor = 10i64.checked_pow(u32::try_from(shift.unsigned_abs()).ok()?)?;
        if shift >= 0 {
            self.mantissa.checked_mul(factor)
        } else {
            (self.mantissa % factor == 0).then(|| self.mantissa / factor)
        }
    }
}

/// Unsigned `int`: digits only, leading zeros allowed.
pub fn parse_uint(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(value)
}

/// `int`: digits after an optional `-`. A leading `+` is not FIX.
pub fn parse_int(text: &[u8]) -> Option<i64> {
    match text.split_first()? {
        (b'-', digits) => 0i64.checked_sub_unsigned(parse_uint(digits)?),
        _ => i64::try_from(parse_uint(text)?).ok(),
    }
}

/// `float`, `Qty`, `Price`, `Amt`: an optional `-`, digits and at most one point; no exponent, no
/// `+`. Every digit is kept, so `12.50` is (1250, -2). `None` also beyond an i64 mantissa.
pub fn parse_decimal(text: &[u8]) -> Option<Decimal> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, text),
    };
    let (mut mantissa, mut exponent, mut seen_digit, mut seen_point) = (0i64, 0i32, false, false);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                // Built up on the negative side, which reaches one further (i64::MIN).
                mantissa = mantissa.checked_mul(10)?.checked_sub(i64::from(byte - b'0'))?;
                exponent -= i32::from(seen_point);
                seen_digit = true;
            }
            b'.' if !seen_point => seen_point = true,
            _ => return None,
        }
    }
    if !seen_digit {
        return None;
    }
    let mantissa = if negative { mantissa } else { mantissa.checked_neg()? };
    Some(Decimal { mantissa, exponent })
}

/// `Boolean`: `Y` or `N`.
pub fn parse_bool(text: &[u8]) -> Option<bool> {
    match text {
        b"Y" => Some(true),
        b"N" => Some(false),
        _ => None,
    }
}

/// `UTCTimestamp`: `YYYYMMDD-HH:MM:SS` with an optional fraction of 1 to 9 digits, from 1970 to the
/// end of `Nanos`. A leap second (`:60`) is the following second.
pub fn parse_timestamp(text: &[u8]) -> Option<Nanos> {
    if text.len() < TIMESTAMP_SECONDS_LEN || text[8] != b'-' {
        return None;
    }
    let days = parse_date(&text[..8])?;
    days.checked_mul(SECONDS_PER_DAY * SECOND)?.checked_add(parse_time_of_day(&text[9..])?)
}

/// `UTCTimeOnly`: `HH:MM:SS` with an optional fraction of 1 to 9 digits, in ns since midnight.
pub fn parse_time_of_day(text: &[u8]) -> Option<Nanos> {
    if text.len() < 8 || text[2] != b':' || text[5] != b':' {
        return None;
    }
    let (hour, minute) = (digits(&text[..2])?, digits(&text[3..5])?);
    let second = digits(&text[6..8])?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let fraction_ns = match &text[8..] {
        [] => 0,
        [b'.', fraction @ ..] if (1..=9).contains(&fraction.len()) => {
            digits(fraction)? * 10u64.pow(9 - fraction.len() as u32)
        }
        _ => return None,
    };
    Some(((hour * 60 + minute) * 60 + second) * SECOND + fraction_ns)
}

/// `UTCDateOnly`: `YYYYMMDD` from 1970 on, in days since 1970-01-01.
pub fn parse_date(text: &[u8]) -> Option<u64> {
    let (year, month, day) = civil(text)?;
    (year >= 1970).then(|| days_from_civil(year, month, day))
}

/// `LocalMktDate`: whether `text` is a day `YYYYMMDD` of any year.
pub fn is_date(text: &[u8]) -> bool {
    civil(text).is_some()
}

/// Year, month and day of a valid `YYYYMMDD`.
fn civil(text: &[u8]) -> Option<(u64, u64, u64)> {
    if text.len() != 8 {
        return None;
    }
    let (year, month, day) = (digits(&text[..4])?, digits(&text[4..6])?, digits(&text[6..])?);
    let valid = (1..=12).contains(&month) && day > 0 && day <= days_in_month(year, month);
    valid.then_some((year, month, day))
}

/// The formatter of UTC timestamps; it keeps the text of the last day it saw.
#[derive(Debug, Clone)]
pub struct TimestampCache {
    day: u64,
    date: [u8; 8],
}

impl Default for TimestampCache {
    fn default() -> Self {
        TimestampCache { day: 0, date: *b"19700101" }
    }
}

impl TimestampCache {
    /// `YYYYMMDD-HH:MM:SS.sss`; what is below a millisecond is cut off.
    pub fn format(&mut self, at: Nanos) -> [u8; TIMESTAMP_LEN] {
        let seconds = at / SECOND;
        let day = seconds / SECONDS_PER_DAY;
        if day != self.day {
            self.date = date_text(day);
            self.day = day;
        }
        let in_day = (seconds % SECONDS_PER_DAY) as u32;
        let millis = ((at % SECOND) / MILLISECOND) as u32;
        let mut text = *b"00000000-00:00:00.000";
        text[..8].copy_from_slice(&self.date);
        two_digits(&mut text, 9, in_day / 3_600);
        two_digits(&mut text, 12, in_day / 60 % 60);
        two_digits(&mut text, 15, in_day % 60);
        text[18] = b'0' + (millis / 100) as u8;
        two_digits(&mut text, 19, millis % 100);
        text
    }
}

fn two_digits(text: &mut [u8; TIMESTAMP_LEN], at: usize, value: u32) {
    debug_assert!(value < 100);
    text[at] = b'0' + (value / 10) as u8;
    text[at + 1] = b'0' + (value % 10) as u8;
}

/// At most nine digits, so that no overflow is possible.
fn digits(text: &[u8]) -> Option<u64> {
    debug_assert!(text.len() <= 9);
    parse_uint(text)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u64::from(is_leap(year)),
        _ => 31,
    }
}

/// Days before 1 March of `year`, counted from 1 March of year 0.
fn days_to_march(year: u64) -> u64 {
    year * 365 + year / 4 - year / 100 + year / 400
}

/// 1970-01-01 counted from 1 March of year 0.
const EPOCH: u64 = 719_468;

/// Years are taken to begin in March, so that the leap day is the last of its year; then the days
/// before month m (March = 0) are (153 m + 2) / 5.
fn days_from_civil(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    days_to_march(year) + (153 * month + 2) / 5 + day - 1 - EPOCH
}

fn date_text(days: u64) -> [u8; 8] {
    let days = days + EPOCH;
    // 146,097 days are 400 years: this estimate is at most one year too high.
    let mut year = (days * 400 + 591) / 146_097;
    if days_to_march(year) > days {
        year -= 1;
    }
    let in_year = days - days_to_march(year);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let mut number = year * 10_000 + month * 100 + day;
    let mut text = [0; 8];
    for byte in text.iter_mut().rev() {
        *byte = b'0' + (number % 10) as u8;
        number /= 10;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers() {
        assert_eq!(parse_int(b"-12"), Some(-12));
        assert_eq!(parse_int(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(parse_int(b"9223372036854775808"), None);
        for bad in [&b""[..], b"-", b"+1", b"1.0", b"1 ", b"--1"] {
            assert_eq!(parse_int(bad), None, "{bad:?}");
        }
        assert_eq!(parse_uint(b"000000020"), Some(20));
        let decimal = |mantissa, exponent| Some(Decimal { mantissa, exponent });
        assert_eq!(parse_decimal(b"1170"), decimal(1170, 0));
        assert_eq!(parse_decimal(b"-12.50"), decimal(-1250, -2));
        assert_eq!(parse_decimal(b".5"), decimal(5, -1));
        assert_eq!(parse_decimal(b"-9223372036854775808"), decimal(i64::MIN, 0));
        for bad in [&b""[..], b"-", b".", b"+200.00", b"1.2.3", b"1e5", b"9223372036854775808"] {
            assert_eq!(parse_decimal(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn rescaling_is_exact_or_refused() {
        let price = Decimal { mantissa: 117_050, exponent: -2 };
        assert_eq!(price.rescale(-4), Some(11_705_000));
        assert_eq!(price.rescale(-1), Some(11_705));
        assert_eq!(price.rescale(0), None);
        assert_eq!(price.rescale(-30), None);
        assert_eq!(Decimal { mantissa: 0, exponent: -2 }.rescale(i32::MIN), Some(0));
    }

    #[test]
    fn timestamps() {
        assert_eq!(parse_timestamp(b"19700101-00:00:00"), Some(0));
        // date -u -d '2018-01-12 23:28:59' +%s
        assert_eq!(parse_timestamp(b"20180112-23:28:59.432"), Some(1_515_799_739_432_000_000));
        assert_eq!(
            parse_timestamp(b"20180112-23:28:59.000000001"),
            Some(1_515_799_739_000_000_001)
        );
        assert_eq!(
            parse_timestamp(b"20161231-23:59:60"),
            parse_timestamp(b"20170101-00:00:00"),
            "leap second"
        );
        for bad in [
            &b"20180112"[..],
            b"20180112 23:28:59",
            b"20181301-00:00:00",
            b"20190229-00:00:00",
            b"20180100-00:00:00",
            b"20180112-24:00:00",
            b"20180112-23:60:00",
            b"20180112-23:28:61",
            b"20180112-23:28:59.",
            b"20180112-23:28:59.1234567890",
            b"00000000-00:00:00",
            b"99991231-00:00:00",
        ] {
            assert_eq!(parse_timestamp(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn every_day_of_five_centuries_round_trips_in_order() {
        let last = u64::MAX / SECOND / SECONDS_PER_DAY;
        let mut previous = *b"00000000";
        for day in 0..=last {
            let text = date_text(day);
            assert!(text > previous);
            assert_eq!(parse_date(&text), Some(day));
            previous = text;
        }
    }

    proptest! {
        #[test]
        fn timestamps_round_trip(at in any::<u64>(), other in any::<u64>()) {
            let mut dates = TimestampCache::default();
            dates.format(other);
            prop_assert_eq!(parse_timestamp(&dates.format(at)), Some(at - at % MILLISECOND));
        }

        #[test]
        fn integers_round_trip(value in any::<i64>()) {
            prop_assert_eq!(parse_int(value.to_string().as_bytes()), Some(value));
        }

        #[test]
        fn no_text_panics(text in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = (parse_int(&text), parse_uint(&text), parse_decimal(&text), parse_timestamp(&text));
            let _ = (parse_date(&text), parse_time_of_day(&text), parse_bool(&text));
        }
    }
}

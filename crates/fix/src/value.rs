//! Field values: the text of FIX 4.4 data types to numbers and back. Integers only, exact.

use saker_wire::time::Nanos;

/// An exact decimal: `mantissa * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits, with the sign.
    pub mantissa: i64,
    /// Power of ten; not positive when parsed from text.
    pub exponent: i32,
}

/// The cached date part of the UTC timestamp formatter: one per session.
#[derive(Debug, Clone)]
pub struct TimestampCache {
    pub(crate) day: u64,
    pub(crate) date: [u8; 8],
}

/// Length of `YYYYMMDD-HH:MM:SS.sss`.
pub const TIMESTAMP_LEN: usize = 21;

/// Parses `YYYYMMDD-HH:MM:SS` with an optional fraction of 1 to 9 digits; `None` if malformed.
pub fn parse_timestamp(text: &[u8]) -> Option<Nanos> {
    let _ = text;
    todo!()
}

//! What the entry builder is told of a watched instrument (`rtl/feed/watch_pkg.sv`).

use saker_feed::normalize::Instrument;

use crate::registers::watch;
use crate::setup::{Write, wide};

/// Bytes of a symbol and of a session.
const MAX_SYMBOL: usize = 12;
const MAX_SESSION: usize = 4;

/// The writes that make the logic watch `instrument` under `index`.
///
/// # Errors
/// Its name is longer than the logic's.
pub fn instrument(index: u32, instrument: &Instrument) -> Result<Vec<Write>, String> {
    let (symbol, session) = (instrument.symbol.as_bytes(), instrument.session.as_bytes());
    if symbol.len() > MAX_SYMBOL || session.len() > MAX_SESSION {
        return Err(format!(
            "{} {}: the logic compares {MAX_SYMBOL} bytes of a symbol and {MAX_SESSION} of a session",
            instrument.symbol, instrument.session
        ));
    }
    // Right-aligned, the first byte most significant.
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    let (rest, last) = symbol.split_at(symbol.len().saturating_sub(8));
    let by_id = instrument.security_id.is_some();
    let control = watch::CONTROL_ENABLED_MASK
        | u64::from(by_id) << watch::CONTROL_BY_ID_SHIFT
        | (session.len() as u64) << watch::CONTROL_SESSION_LENGTH_SHIFT
        | (symbol.len() as u64) << watch::CONTROL_SYMBOL_LENGTH_SHIFT
        | u64::from(instrument.price_exponent.cast_unsigned());
    let fields = [
        (watch::SECURITY_ID, instrument.security_id.unwrap_or(0)),
        (watch::SYMBOL, number(last)),
        (watch::TEXT, number(rest) | number(session) << watch::TEXT_SESSION_SHIFT),
        (watch::CONTROL, control),
    ];
    let at = index * watch::CONTROL_STRIDE;
    Ok(fields.into_iter().flat_map(|(field, value)| wide(field + at, value)).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use super::*;

    #[test]
    fn names_are_right_aligned() {
        let one = Instrument {
            security_id: None,
            symbol: "ABCDEFGHIJ".to_owned(),
            session: "TQBR".to_owned(),
            price_exponent: -6,
            price_increment: 0,
            round_lot: 1,
        };
        let writes = instrument(2, &one).unwrap();
        let value = |field: u32| {
            let at = field + 2 * watch::CONTROL_STRIDE;
            let half = |at| writes.iter().find(|(to, _)| *to == at).unwrap().1;
            u64::from(half(at)) | u64::from(half(at + 4)) << 32
        };
        assert_eq!(value(watch::SYMBOL), u64::from_be_bytes(*b"CDEFGHIJ"));
        assert_eq!(value(watch::TEXT), u64::from_be_bytes(*b"TQBR\0\0AB"));
        assert_eq!(value(watch::CONTROL), 1 << 16 | 4 << 12 | 10 << 8 | 0xfa);
        let long = Instrument { symbol: "A".repeat(13), ..one };
        assert!(instrument(0, &long).is_err());
    }
}

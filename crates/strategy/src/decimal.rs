//! Exact decimals: digits as written, never through floating point.

/// The most digits a decimal has; every such number fits an `i64`.
const MAX_DIGITS: usize = 18;

/// `mantissa * 10^-places`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    mantissa: i64,
    places: u8,
}

impl Decimal {
    /// Reads `[-]digits[.digits]` with up to 18 digits in all.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = match digits.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (digits, ""),
        };
        if whole.is_empty() || whole.len() + fraction.len() > MAX_DIGITS {
            return None;
        }
        let mut mantissa = 0i64;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return None;
            }
            mantissa = mantissa * 10 + i64::from(byte - b'0');
        }
        let mantissa = if negative { -mantissa } else { mantissa };
        Some(Self { mantissa, places: fraction.len() as u8 })
    }

    /// The mantissa with the power of ten `exponent`, if the number has one exactly.
    pub(crate) fn with_exponent(self, exponent: i8) -> Option<i64> {
        if self.mantissa == 0 {
            return Some(0);
        }
        // The number is mantissa * 10^shift * 10^exponent.
        let shift = -i32::from(self.places) - i32::from(exponent);
        let factor = 10i64.checked_pow(shift.unsigned_abs())?;
        if shift >= 0 {
            return self.mantissa.checked_mul(factor);
        }
        (self.mantissa % factor == 0).then(|| self.mantissa / factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_written() {
        for (text, exponent, want) in [
            ("11.80", -2, Some(1180)),
            ("11.80", -1, Some(118)),
            ("11.80", -4, Some(118_000)),
            ("11.85", -1, None),
            ("-0.05", -2, Some(-5)),
            ("0.00", 3, Some(0)),
            ("1200", 2, Some(12)),
            ("1200", 3, None),
            ("999999999999999999", 0, Some(999_999_999_999_999_999)),
            ("999999999999999999", -2, None),
            ("1", -128, None),
            ("1", 127, None),
        ] {
            let decimal = Decimal::parse(text).expect(text);
            assert_eq!(decimal.with_exponent(exponent), want, "{text} e{exponent}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        for text in [
            "",
            "-",
            ".5",
            "5.",
            "1e3",
            "+1",
            "1,5",
            " 1",
            "--1",
            "1.2.3",
            "0.1234567890123456789",
            "１",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }
}

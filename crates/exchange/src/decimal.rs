//! Prices between FIX decimals and instrument mantissas, and the average price. Integers only.

/// Digits beyond the instrument's own that an average price may have.
const AVERAGE_EXTRA_DIGITS: i32 = 6;

/// `mantissa * 10^exponent` in units of `10^target`, if it is a whole number of them that fits.
pub(crate) fn rescale(mantissa: i64, exponent: i32, target: i32) -> Option<i64> {
    if mantissa == 0 {
        return Some(0);
    }
    let shift = exponent.checked_sub(target)?;
    // 10^19 exceeds every i64, so a larger factor can neither fit nor divide a nonzero mantissa.
    let factor = 10i64.checked_pow(shift.unsigned_abs())?;
    if shift >= 0 {
        mantissa.checked_mul(factor)
    } else {
        (mantissa % factor == 0).then_some(mantissa / factor)
    }
}

/// A decimal as a whole, non-negative number, if it is one.
pub(crate) fn whole(mantissa: i64, exponent: i32) -> Option<u64> {
    rescale(mantissa, exponent, 0).and_then(|n| u64::try_from(n).ok())
}

/// `notional / quantity` as `(mantissa, exponent)`: exact with the fewest digits beyond
/// `10^exponent` that make it exact, or rounded half away from zero at six more digits. Zero when
/// nothing traded.
///
/// `notional` is the sum of `price * quantity` over the fills, in units of `10^exponent`.
pub(crate) fn average_price(notional: i128, quantity: u64, exponent: i8) -> (i64, i32) {
    let base = i32::from(exponent);
    if quantity == 0 {
        return (0, base);
    }
    let quantity = i128::from(quantity);
    let mut best = (rounded(notional, quantity), base);
    let mut scaled = notional;
    for extra in 1..=AVERAGE_EXTRA_DIGITS {
        if scaled % quantity == 0 {
            break;
        }
        let Some(next) = scaled.checked_mul(10) else { break };
        scaled = next;
        let mantissa = rounded(scaled, quantity);
        if i64::try_from(mantissa).is_err() {
            break;
        }
        best = (mantissa, base - extra);
    }
    // The average lies between the lowest and the highest fill price, both of which are i64.
    let mantissa = i64::try_from(best.0).expect("an average of i64 prices is an i64");
    (mantissa, best.1)
}

/// `a / b` rounded half away from zero; `b` is positive.
fn rounded(a: i128, b: i128) -> i128 {
    let (quotient, remainder) = (a / b, a % b);
    if remainder.unsigned_abs() * 2 >= b.unsigned_abs() { quotient + a.signum() } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_rescale_exactly_or_not_at_all() {
        assert_eq!(rescale(1100, 0, -2), Some(110_000));
        assert_eq!(rescale(11_005, -1, -2), Some(110_050));
        assert_eq!(rescale(110_050, -2, -1), Some(11_005));
        assert_eq!(rescale(110_055, -2, -1), None);
        assert_eq!(rescale(-5, 1, 0), Some(-50));
        assert_eq!(rescale(i64::MAX, 1, 0), None);
        assert_eq!(rescale(1, i32::MAX, -9), None);
        assert_eq!(rescale(1, i32::MIN, 0), None);
        assert_eq!(rescale(0, i32::MAX, 0), Some(0));
        assert_eq!(whole(20, -1), Some(2));
        assert_eq!(whole(25, -1), None);
        assert_eq!(whole(-1, 0), None);
    }

    #[test]
    fn average_prices_are_exact_or_rounded_at_six_digits() {
        assert_eq!(average_price(0, 0, -2), (0, -2));
        assert_eq!(average_price(330, 3, -2), (110, -2));
        assert_eq!(average_price(331, 2, -2), (1655, -3));
        assert_eq!(average_price(331, 4, -2), (8275, -4));
        assert_eq!(average_price(1, 3, 0), (333_333, -6));
        assert_eq!(average_price(2, 3, 0), (666_667, -6));
        assert_eq!(average_price(-2, 3, 0), (-666_667, -6));
    }

    #[test]
    fn the_average_of_extreme_prices_fits() {
        let quantity = 3;
        let notional = i128::from(i64::MAX) * 2 + i128::from(i64::MAX - 1);
        assert_eq!(average_price(notional, quantity, 0), (i64::MAX, 0));
    }
}

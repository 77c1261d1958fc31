//! Exact changes of a decimal's exponent.

/// Why a decimal cannot be written with another exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScaleError {
    /// The mantissa would not fit.
    #[error("the mantissa overflows at the wanted exponent")]
    Overflow,
    /// The value has digits below the wanted exponent.
    #[error("the value has digits below the wanted exponent")]
    Inexact,
}

/// Powers of ten that fit an `i64`.
const POW10: [i64; 19] = {
    let mut table = [1; 19];
    let mut i = 1;
    while i < 19 {
        table[i] = table[i - 1] * 10;
        i += 1;
    }
    table
};

/// `mantissa * 10^from`, as a mantissa of `10^to`: exactly, or not at all.
///
/// ```
/// use saker_feed::normalize::{ScaleError, rescale};
/// assert_eq!(rescale(7478, -2, -4), Ok(747_800));
/// assert_eq!(rescale(747_800, -4, -2), Ok(7478));
/// assert_eq!(rescale(7478, -2, 0), Err(ScaleError::Inexact));
/// assert_eq!(rescale(0, 63, -63), Ok(0));
/// ```
pub fn rescale(mantissa: i64, from: i32, to: i32) -> Result<i64, ScaleError> {
    if mantissa == 0 || from == to {
        return Ok(mantissa);
    }
    let distance = from.abs_diff(to) as usize;
    if from > to {
        let factor = POW10.get(distance).ok_or(ScaleError::Overflow)?;
        mantissa.checked_mul(*factor).ok_or(ScaleError::Overflow)
    } else {
        // A mantissa has at most 19 digits, so more than 18 of them cannot all be zeros.
        let factor = POW10.get(distance).ok_or(ScaleError::Inexact)?;
        if mantissa % factor == 0 { Ok(mantissa / factor) } else { Err(ScaleError::Inexact) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_wide_arithmetic(m in any::<i64>(), zeros in 0u32..10, from in -20i32..20, to in -20i32..20) {
            let m = m / 10i64.pow(zeros) * 10i64.pow(zeros);
            let wide = if from >= to {
                i128::from(m).checked_mul(10i128.pow(from.abs_diff(to).min(19)))
                    .and_then(|v| i64::try_from(v).ok()).ok_or(ScaleError::Overflow)
            } else {
                let f = 10i128.pow(from.abs_diff(to).min(38));
                if i128::from(m) % f == 0 { Ok((i128::from(m) / f) as i64) } else { Err(ScaleError::Inexact) }
            };
            prop_assert_eq!(rescale(m, from, to), wide);
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(rescale(1, i32::MAX, i32::MIN), Err(ScaleError::Overflow));
        assert_eq!(rescale(1, i32::MIN, i32::MAX), Err(ScaleError::Inexact));
        assert_eq!(rescale(i64::MIN, 0, 0), Ok(i64::MIN));
        assert_eq!(rescale(i64::MIN, 1, 0), Err(ScaleError::Overflow));
    }
}

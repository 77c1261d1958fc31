//! Scales: values to places, by integer arithmetic.
//!
//! Places are in tenths of a pixel. Logarithms are base 2 with 16 fractional bits.

/// log₂ of `value` with 16 fractional bits, rounded down; 0 for 0.
pub(super) fn log2(value: u64) -> u64 {
    if value < 2 {
        return 0;
    }
    let whole = u64::from(value.ilog2());
    // The mantissa in [1, 2) with 63 fractional bits; squaring it doubles the logarithm, and each
    // time it passes 2 another bit of the logarithm is 1.
    let mut mantissa = u128::from(value) << (63 - whole);
    let mut log = whole;
    for _ in 0..16 {
        mantissa = (mantissa * mantissa) >> 63;
        log <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            log |= 1;
        }
    }
    log
}

/// How values spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    Linear,
    Log,
}

/// Maps `min..=max` onto `from..=to` (tenths of a pixel; `to` may be the lesser).
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub spread: Spread,
    pub min: u64,
    pub max: u64,
    pub from: i64,
    pub to: i64,
}

impl Scale {
    /// A linear scale.
    pub(super) fn linear(min: u64, max: u64, from: i64, to: i64) -> Self {
        Self { spread: Spread::Linear, min, max, from, to }
    }

    /// A scale for latencies: logarithmic if they span more than a factor of 8. A margin keeps the
    /// extremes off the frame.
    pub(super) fn latency(min: u64, max: u64, from: i64, to: i64) -> Self {
        let (min, max) = (min.max(1), max.max(1));
        if max / 8 >= min {
            return Self {
                spread: Spread::Log,
                min: min - min / 8,
                max: max.saturating_add(max / 6),
                from,
                to,
            };
        }
        let margin = ((max - min) / 12).max(max / 50).max(1);
        let (min, max) = (min.saturating_sub(margin), max.saturating_add(margin));
        Self { spread: Spread::Linear, min, max, from, to }
    }

    /// The place of a value; values outside the range are put at its ends.
    pub(super) fn place(&self, value: u64) -> i64 {
        let value = value.clamp(self.min, self.max.max(self.min));
        let (part, whole) = match self.spread {
            Spread::Linear => (value - self.min, self.max.saturating_sub(self.min)),
            Spread::Log => (log2(value) - log2(self.min), log2(self.max) - log2(self.min)),
        };
        self.from + share(part, whole, self.to - self.from)
    }

    /// About `wanted` round values, at most 8/5 as many, along the axis.
    pub(super) fn ticks(&self, wanted: u64) -> Vec<u64> {
        match self.spread {
            Spread::Linear => self.linear_ticks(wanted),
            Spread::Log => self.log_ticks(wanted),
        }
    }

    fn linear_ticks(&self, wanted: u64) -> Vec<u64> {
        // Steps are rounded up, by a factor of 1.6 on average.
        let step =
            round_step(self.max.saturating_sub(self.min).saturating_mul(5) / (wanted.max(1) * 8));
        let first = self.min.div_ceil(step);
        (first..=self.max / step).map(|n| n * step).collect()
    }

    fn log_ticks(&self, wanted: u64) -> Vec<u64> {
        let pick = |digits: &[u64]| -> Vec<u64> {
            let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
            powers
                .flat_map(|power| digits.iter().filter_map(move |d| power.checked_mul(*d)))
                .filter(|value| (self.min..=self.max).contains(value))
                .collect()
        };
        let fine = pick(&[1, 2, 5]);
        if fine.len() as u64 <= wanted + 2 {
            return fine;
        }
        let powers = pick(&[1]);
        let every = (powers.len() as u64).div_ceil(wanted + 2).max(1);
        powers.into_iter().step_by(every as usize).collect()
    }
}

/// `part / whole` of `length`, rounded toward zero; nothing of nothing is 0.
pub(super) fn share(part: u64, whole: u64, length: i64) -> i64 {
    if whole == 0 {
        return 0;
    }
    let product = i128::from(part) * i128::from(length) / i128::from(whole);
    i64::try_from(product).expect("a part of a length is no longer than the length")
}

/// The least of 1, 2, 5, 10, 20, 50, … that is not below `least`.
pub(super) fn round_step(least: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            let step = power.saturating_mul(digit);
            if step >= least {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        assert_eq!([0, 1, 2, 4, 1 << 40].map(log2), [0, 0, 1 << 16, 2 << 16, 40 << 16]);
        // log2(10) = 3.321928…, times 65536 = 217705.9.
        assert_eq!(log2(10), 217_705);
        assert_eq!(log2(u64::MAX), (64 << 16) - 1);
    }

    #[test]
    fn places_of_a_linear_scale() {
        let scale = Scale::linear(100, 200, 1_000, 0);
        assert_eq!([100, 150, 200, 999, 0].map(|v| scale.place(v)), [1_000, 500, 0, 0, 1_000]);
        assert_eq!(scale.ticks(5), [100, 120, 140, 160, 180, 200]);
    }

    #[test]
    fn places_of_a_log_scale() {
        let scale = Scale { spread: Spread::Log, min: 1, max: 1 << 10, from: 0, to: 1_000 };
        assert_eq!([1, 2, 32, 1 << 10].map(|v| scale.place(v)), [0, 100, 500, 1_000]);
        assert_eq!(scale.ticks(4), [1, 10, 100, 1_000]);
    }

    #[test]
    fn one_value_is_a_scale_too() {
        let scale = Scale::latency(500, 500, 0, 1_000);
        assert!((0..=1_000).contains(&scale.place(500)));
        assert!(!scale.ticks(4).is_empty());
        assert_eq!(Scale::linear(7, 7, 0, 10).place(7), 0);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([0, 1, 3, 6, 11, 2_001].map(round_step), [1, 1, 5, 10, 20, 5_000]);
    }
}

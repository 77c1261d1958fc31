//! Exact percentiles.

/// What a report shows of a set of samples, all in nanoseconds. All zero if there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many samples.
    pub count: u64,
    /// The least.
    pub min_ns: u64,
    /// The 25th percentile.
    pub p25_ns: u64,
    /// The median.
    pub p50_ns: u64,
    /// The 90th percentile.
    pub p90_ns: u64,
    /// The 99th percentile.
    pub p99_ns: u64,
    /// The 99.9th percentile.
    pub p999_ns: u64,
    /// The greatest.
    pub max_ns: u64,
    /// The mean, rounded down.
    pub mean_ns: u64,
}

impl Summary {
    /// Summarises samples in any order.
    #[must_use]
    pub fn of(samples: impl IntoIterator<Item = u64>) -> Self {
        let mut sorted: Vec<u64> = samples.into_iter().collect();
        sorted.sort_unstable();
        Self::of_sorted(&sorted)
    }

    /// Summarises samples in ascending order.
    #[must_use]
    pub fn of_sorted(sorted: &[u64]) -> Self {
        debug_assert!(sorted.is_sorted());
        let (Some(&min_ns), Some(&max_ns)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let sum: u128 = sorted.iter().map(|&sample| u128::from(sample)).sum();
        let rank = |millis| nearest_rank(sorted, millis).unwrap_or(max_ns);
        Self {
            count: sorted.len() as u64,
            min_ns,
            p25_ns: rank(25_000),
            p50_ns: rank(50_000),
            p90_ns: rank(90_000),
            p99_ns: rank(99_000),
            p999_ns: rank(99_900),
            max_ns,
            // The mean of u64s is a u64.
            mean_ns: (sum / sorted.len() as u128) as u64,
        }
    }
}

/// The percentile `millis` / 1000 (0 to 100 000) of samples in ascending order, by nearest rank:
/// the least sample that at least that share of all samples does not exceed. `None` if there are
/// no samples; percentiles above 100 are the greatest.
#[must_use]
pub fn nearest_rank<T: Copy>(sorted: &[T], millis: u32) -> Option<T> {
    let count = sorted.len() as u128;
    let rank = (u128::from(millis.min(100_000)) * count).div_ceil(100_000).max(1);
    // rank <= count unless there are no samples.
    sorted.get(rank as usize - 1).copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word for word.
    fn naive(samples: &[u64], millis: u32) -> Option<u64> {
        samples
            .iter()
            .copied()
            .filter(|&candidate| {
                let covered = samples.iter().filter(|&&sample| sample <= candidate).count();
                covered as u128 * 100_000 >= u128::from(millis) * samples.len() as u128
            })
            .min()
    }

    #[test]
    fn no_samples() {
        assert_eq!(nearest_rank::<u64>(&[], 50_000), None);
        assert_eq!(Summary::of([]), Summary::default());
    }

    #[test]
    fn one_sample_is_every_percentile() {
        let summary = Summary::of([42]);
        assert_eq!(
            (summary.count, summary.min_ns, summary.p999_ns, summary.mean_ns),
            (1, 42, 42, 42)
        );
    }

    #[test]
    fn ranks_of_ten() {
        let sorted: Vec<u64> = (1..=10).collect();
        let rank = |millis| nearest_rank(&sorted, millis);
        assert_eq!([rank(0), rank(10_000), rank(10_001)], [Some(1), Some(1), Some(2)]);
        assert_eq!([rank(50_000), rank(90_000), rank(99_000)], [Some(5), Some(9), Some(10)]);
        assert_eq!([rank(100_000), rank(u32::MAX)], [Some(10), Some(10)]);
    }

    #[test]
    fn the_greatest_values_do_not_overflow() {
        let summary = Summary::of([u64::MAX, u64::MAX, u64::MAX]);
        assert_eq!((summary.mean_ns, summary.p50_ns), (u64::MAX, u64::MAX));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn agrees_with_the_definition(
            samples in prop::collection::vec(0_u64..50, 1..120),
            millis in 0_u32..=100_000,
        ) {
            let mut sorted = samples.clone();
            sorted.sort_unstable();
            prop_assert_eq!(nearest_rank(&sorted, millis), naive(&samples, millis));
        }

        #[test]
        fn summaries_are_in_order(samples in prop::collection::vec(any::<u64>(), 1..60)) {
            let s = Summary::of(samples.clone());
            let ranks = [s.min_ns, s.p25_ns, s.p50_ns, s.p90_ns, s.p99_ns, s.p999_ns, s.max_ns];
            prop_assert!(ranks.is_sorted());
            prop_assert!((s.min_ns..=s.max_ns).contains(&s.mean_ns));
            prop_assert_eq!(s.count, samples.len() as u64);
        }
    }
}

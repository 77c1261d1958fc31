//! Exact percentiles of any number of samples, in memory bounded by how many values differ.

use std::collections::BTreeMap;

use crate::measure::Summary;

/// Values below this have a counter each.
const DENSE: usize = 1 << 15;

/// Counts of nanosecond values.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    dense: Vec<u64>,
    sparse: BTreeMap<u64, u64>,
    count: u64,
    sum: u128,
}

impl Default for Tally {
    fn default() -> Self {
        Self { dense: vec![0; DENSE], sparse: BTreeMap::new(), count: 0, sum: 0 }
    }
}

impl Tally {
    pub fn add(&mut self, ns: u64) {
        self.count += 1;
        self.sum += u128::from(ns);
        match usize::try_from(ns).ok().and_then(|index| self.dense.get_mut(index)) {
            Some(counter) => *counter += 1,
            None => *self.sparse.entry(ns).or_default() += 1,
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// The same numbers as [`Summary::of`] gives of the samples.
    pub fn summary(&self) -> Summary {
        if self.count == 0 {
            return Summary::default();
        }
        let rank = |share| self.nearest_rank(share);
        Summary {
            count: self.count,
            min_ns: rank(0),
            p25_ns: rank(25_000),
            p50_ns: rank(50_000),
            p90_ns: rank(90_000),
            p99_ns: rank(99_000),
            p999_ns: rank(99_900),
            max_ns: rank(100_000),
            // The mean of u64s is a u64.
            mean_ns: (self.sum / u128::from(self.count)) as u64,
        }
    }

    /// The least value that at least `share` hundred-thousandths of the samples do not exceed.
    fn nearest_rank(&self, share: u64) -> u64 {
        let rank = (u128::from(share) * u128::from(self.count)).div_ceil(100_000).max(1);
        let dense = (0u64..).zip(&self.dense).map(|(ns, count)| (ns, *count));
        let sparse = self.sparse.iter().map(|(ns, count)| (*ns, *count));
        let mut seen = 0;
        let mut last = 0;
        for (ns, count) in dense.chain(sparse).filter(|(_, count)| *count > 0) {
            seen += u128::from(count);
            last = ns;
            if seen >= rank {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn agrees_with_the_summary_of_all_samples(
            small in prop::collection::vec(0_u64..50, 0..120),
            large in prop::collection::vec(any::<u64>(), 0..8),
        ) {
            let mut tally = Tally::default();
            small.iter().chain(&large).for_each(|ns| tally.add(*ns));
            prop_assert_eq!(tally.summary(), Summary::of(small.into_iter().chain(large)));
        }
    }
}

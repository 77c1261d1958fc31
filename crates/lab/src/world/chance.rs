//! Randomness of the world: integer probabilities and independent streams.

/// The probability that something happens to one frame, in parts per thousand million.
///
/// Probabilities are integers so that a run draws the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Probability {
    parts_per_billion: u32,
}

impl Probability {
    /// It never happens.
    pub const NEVER: Self = Self { parts_per_billion: 0 };
    /// It happens to every frame.
    pub const ALWAYS: Self = Self { parts_per_billion: ONE };

    /// `parts` in 10⁹; more than 10⁹ counts as always.
    #[must_use]
    pub const fn per_billion(parts: u32) -> Self {
        Self { parts_per_billion: if parts > ONE { ONE } else { parts } }
    }

    /// `parts` in 10⁶; more than 10⁶ counts as always.
    #[must_use]
    pub const fn per_million(parts: u32) -> Self {
        Self::per_billion(parts.saturating_mul(1_000))
    }

    /// The probability in parts per 10⁹, 0 to 10⁹.
    #[must_use]
    pub const fn parts_per_billion(self) -> u32 {
        self.parts_per_billion
    }

    /// Whether it happens, given one uniform draw of 64 bits.
    pub(crate) fn strikes(self, draw: u64) -> bool {
        scale(draw, u64::from(ONE)) < u64::from(self.parts_per_billion)
    }
}

const ONE: u32 = 1_000_000_000;

/// Maps a uniform draw of 64 bits onto `0..bound` (0 if `bound` is 0).
pub(crate) fn scale(draw: u64, bound: u64) -> u64 {
    // The product is below 2^64 * bound, so its upper half is below `bound`.
    ((u128::from(draw) * u128::from(bound)) >> 64) as u64
}

/// What one frame drew. Every frame draws all of it, whatever the link is configured to do, so that
/// changing one impairment leaves the draws of the others where they were.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    pub loss: u64,
    pub duplicate: u64,
    pub corrupt: u64,
    pub reorder: u64,
    pub jitter: u64,
}

impl Draw {
    pub(crate) fn next(rng: &mut fastrand::Rng) -> Self {
        Self {
            loss: rng.u64(..),
            duplicate: rng.u64(..),
            corrupt: rng.u64(..),
            reorder: rng.u64(..),
            jitter: rng.u64(..),
        }
    }
}

/// The random stream that belongs to `name` in the run of `seed`.
///
/// The stream depends on nothing else, so adding a link to a world leaves what happens on the
/// others unchanged. Scenarios may use it for their own streams: names that no link bears.
#[must_use]
pub fn stream(seed: u64, name: &str) -> fastrand::Rng {
    // FNV-1a over the name, then two rounds of the SplitMix64 finaliser with the seed in between.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    fastrand::Rng::with_seed(mix(mix(hash) ^ seed))
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_and_always_are_exact() {
        for draw in [0, 1, u64::MAX / 2, u64::MAX] {
            assert!(!Probability::NEVER.strikes(draw));
            assert!(Probability::ALWAYS.strikes(draw));
        }
        assert_eq!(Probability::per_million(2_000_000), Probability::ALWAYS);
    }

    #[test]
    fn half_splits_the_draws_in_half() {
        let half = Probability::per_million(500_000);
        assert!(half.strikes(u64::MAX / 2));
        assert!(!half.strikes(u64::MAX / 2 + 1));
    }

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let first = |seed, name| stream(seed, name).u64(..);
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
    }

    #[test]
    fn scale_covers_its_range() {
        assert_eq!(scale(u64::MAX, 10), 9);
        assert_eq!(scale(0, 10), 0);
        assert_eq!(scale(u64::MAX, 0), 0);
    }
}

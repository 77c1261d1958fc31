//! The retransmission timeout (RFC 6298) over samples that Karn's rule admits.

use super::config::Config;
use crate::time::{MILLISECOND, Nanos};

/// The clock granularity G of RFC 6298: the least that the variance term contributes.
const GRANULARITY_NS: Nanos = MILLISECOND;

/// Smoothed round trip, its variation, and the timeout with its backoff. All spans nanoseconds.
#[derive(Debug)]
pub struct RtoEstimator {
    min_ns: Nanos,
    max_ns: Nanos,
    /// `(SRTT, RTTVAR)` once a round trip is measured.
    smoothed: Option<(Nanos, Nanos)>,
    /// The timeout without backoff.
    base_ns: Nanos,
    /// How often it doubled since the last measurement.
    backoff: u32,
}

impl RtoEstimator {
    /// Before any measurement (2.1).
    pub fn new(config: &Config) -> RtoEstimator {
        RtoEstimator {
            min_ns: config.min_rto_ns,
            max_ns: config.max_rto_ns,
            smoothed: None,
            base_ns: config.initial_rto_ns,
            backoff: 0,
        }
    }

    /// The timeout now, between the configured bounds.
    pub fn rto_ns(&self) -> Nanos {
        // Bounded first (2.4), then doubled (5.5).
        let base_ns = self.base_ns.clamp(self.min_ns, self.max_ns);
        let factor = 1u64.checked_shl(self.backoff).unwrap_or(u64::MAX);
        base_ns.saturating_mul(factor).min(self.max_ns)
    }

    /// The smoothed round trip, if one was measured.
    pub fn smoothed_ns(&self) -> Option<Nanos> {
        self.smoothed.map(|(srtt, _)| srtt)
    }

    /// A round trip of a segment that was sent exactly once (2.2, 2.3); ends the backoff (5.7).
    pub fn sample(&mut self, round_trip_ns: Nanos) {
        let (srtt, rttvar) = match self.smoothed {
            None => (round_trip_ns, round_trip_ns / 2),
            Some((srtt, rttvar)) => {
                let error = srtt.abs_diff(round_trip_ns);
                // Alpha is 1/8 and beta 1/4. Divided before they are added: no overflow.
                (srtt - srtt / 8 + round_trip_ns / 8, rttvar - rttvar / 4 + error / 4)
            }
        };
        self.smoothed = Some((srtt, rttvar));
        self.base_ns = srtt.saturating_add(rttvar.saturating_mul(4).max(GRANULARITY_NS));
        self.backoff = 0;
    }

    /// The timer ran out (5.5).
    pub fn back_off(&mut self) {
        if self.rto_ns() < self.max_ns {
            self.backoff += 1;
        }
    }

    /// The peer is known to live, although nothing was measured: its window reopened.
    pub fn end_backoff(&mut self) {
        self.backoff = 0;
    }

    /// The SYN had to be sent again: data begin with three initial timeouts (5.7 says 3 s where the
    /// initial timeout is 1 s).
    pub fn syn_was_lost(&mut self) {
        self.base_ns = self.base_ns.saturating_mul(3);
        self.backoff = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECOND;

    fn estimator(min_rto_ns: Nanos) -> RtoEstimator {
        RtoEstimator::new(&Config { min_rto_ns, ..Config::default() })
    }

    #[test]
    fn first_and_second_sample_follow_rfc_6298_section_2() {
        let mut rto = estimator(MILLISECOND);
        assert_eq!(rto.rto_ns(), SECOND); // (2.1)
        rto.sample(100 * MILLISECOND); // (2.2) SRTT = R, RTTVAR = R/2
        assert_eq!(rto.rto_ns(), 300 * MILLISECOND);
        rto.sample(180 * MILLISECOND); // (2.3) RTTVAR = 37.5 + 20, SRTT = 87.5 + 22.5
        assert_eq!(rto.smoothed_ns(), Some(110 * MILLISECOND));
        assert_eq!(rto.rto_ns(), 340 * MILLISECOND);
    }

    #[test]
    fn bounds_of_rfc_6298_section_2() {
        let mut rto = estimator(200 * MILLISECOND);
        rto.sample(1000);
        assert_eq!(rto.rto_ns(), 200 * MILLISECOND); // (2.4)
        rto.sample(Nanos::MAX / 8);
        assert_eq!(rto.rto_ns(), 60 * SECOND); // (2.5)
    }

    #[test]
    fn backoff_doubles_to_the_bound_and_ends_with_a_sample() {
        let mut rto = estimator(MILLISECOND);
        let mut seen = Vec::new();
        for _ in 0..100 {
            seen.push(rto.rto_ns() / SECOND);
            rto.back_off();
        }
        assert_eq!(seen[..8], [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(seen[99], 60);
        rto.sample(10 * MILLISECOND); // (5.7)
        assert_eq!(rto.rto_ns(), 30 * MILLISECOND);
    }

    #[test]
    fn backoff_doubles_the_bounded_timeout() {
        let mut rto = estimator(200 * MILLISECOND);
        rto.sample(1000);
        rto.back_off();
        assert_eq!(rto.rto_ns(), 400 * MILLISECOND);
    }

    #[test]
    fn a_lost_syn_triples_the_initial_timeout() {
        let mut rto = estimator(MILLISECOND);
        rto.back_off();
        rto.syn_was_lost();
        assert_eq!(rto.rto_ns(), 3 * SECOND); // (5.7)
    }
}

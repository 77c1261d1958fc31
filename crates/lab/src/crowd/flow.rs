//! When the background traders act, and what they want: calm, with bursts.
//!
//! Arrivals are a Poisson process whose rate jumps for the length of a burst. Every instrument has a
//! hidden fair price that wanders and is pulled back to its reference; quotes are placed around it,
//! so that old quotes are hit as it moves. Integers throughout: the same seed gives the same market
//! on every machine.

use saker_feed::event::Side;
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

/// The fair price is kept in sixteenths of a tick.
const FINE: i64 = 16;
/// A step's pull towards the reference is the distance divided by this.
const REVERSION: i64 = 128;

/// How busy the background traders are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowConfig {
    /// Mean time between actions when calm.
    pub calm_gap_ns: Nanos,
    /// Mean time between actions in a burst.
    pub burst_gap_ns: Nanos,
    /// Mean time between the starts of bursts.
    pub between_bursts_ns: Nanos,
    /// Mean length of a burst.
    pub burst_length_ns: Nanos,
}

impl Default for FlowConfig {
    /// 1,500 actions a second; every 400 ms a burst of 8 ms at 40,000 a second.
    fn default() -> Self {
        Self {
            calm_gap_ns: SECOND / 1_500,
            burst_gap_ns: SECOND / 40_000,
            between_bursts_ns: 400 * MILLISECOND,
            burst_length_ns: 8 * MILLISECOND,
        }
    }
}

/// An instrument as the background traders know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its symbol.
    pub symbol: String,
    /// Exponent of its price mantissas.
    pub exponent: i8,
    /// Price step, as a mantissa.
    pub tick: i64,
    /// Quantity step.
    pub lot: u64,
    /// The price that the fair price returns to, as a mantissa.
    pub reference: i64,
}

/// What one background trader wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Rest a limit order.
    Quote {
        /// Index of the instrument.
        instrument: usize,
        /// Its side.
        side: Side,
        /// Limit price, as a mantissa.
        price: i64,
        /// Size.
        quantity: u64,
    },
    /// Trade now or not at all.
    Take {
        /// Index of the instrument.
        instrument: usize,
        /// Its side.
        side: Side,
        /// Limit price, as a mantissa; `None` is a market order.
        limit: Option<i64>,
        /// Size.
        quantity: u64,
        /// All or nothing.
        fill_or_kill: bool,
    },
    /// Cancel one's own order number `pick`, modulo how many there are.
    Cancel {
        /// Which.
        pick: usize,
    },
    /// Replace one's own order number `pick`, modulo how many there are.
    Replace {
        /// Which.
        pick: usize,
        /// Ticks to move the price by.
        ticks: i64,
        /// New total size.
        quantity: u64,
    },
}

/// The stream of actions.
#[derive(Debug)]
pub struct Flow {
    rng: fastrand::Rng,
    config: FlowConfig,
    fair: Vec<i64>,
    next_action: Nanos,
    next_burst: Nanos,
    burst: Option<Burst>,
}

#[derive(Debug, Clone, Copy)]
struct Burst {
    end: Nanos,
    /// The instrument that the news is about.
    instrument: usize,
    /// Sixteenths of a tick that each of its actions moves the fair price by.
    drift: i64,
}

impl Flow {
    /// A flow whose first action comes after `start`.
    pub fn new(rng: fastrand::Rng, config: FlowConfig, listings: &[Listing], start: Nanos) -> Self {
        let fair = listings.iter().map(|l| l.reference / l.tick * FINE).collect();
        let mut flow =
            Self { rng, config, fair, next_action: start, next_burst: start, burst: None };
        flow.next_action = start + flow.exponential(config.calm_gap_ns);
        flow.next_burst = start + flow.exponential(config.between_bursts_ns);
        flow
    }

    /// When the next action is due.
    pub fn next_action(&self) -> Nanos {
        self.next_action
    }

    /// Takes the action that is due: who acts, out of `traders`, and what it wants.
    pub fn act(&mut self, traders: usize, listings: &[Listing]) -> (usize, Intent) {
        let now = self.next_action;
        self.advance(now);
        let trader = self.rng.usize(0..traders);
        let instrument = self.pick_instrument();
        self.wander(instrument, &listings[instrument]);
        (trader, self.pick_intent(instrument, &listings[instrument]))
    }

    /// Moves to the arrival after `now`, in or out of a burst.
    fn advance(&mut self, now: Nanos) {
        if self.burst.is_some_and(|burst| burst.end <= now) {
            self.burst = None;
        }
        if self.burst.is_none() && self.next_burst <= now {
            let end = now + self.exponential(self.config.burst_length_ns);
            let drift = if self.rng.bool() { 3 } else { -3 };
            let instrument = self.rng.usize(0..self.fair.len());
            self.burst = Some(Burst { end, instrument, drift });
            self.next_burst = end + self.exponential(self.config.between_bursts_ns);
        }
        let gap = match self.burst {
            Some(_) => self.config.burst_gap_ns,
            None => self.config.calm_gap_ns,
        };
        let mut next = now + self.exponential(gap);
        if self.burst.is_none() && next > self.next_burst {
            next = self.next_burst;
        }
        self.next_action = next;
    }

    /// Half of a burst's actions are on its instrument; else low numbers are the busier ones.
    fn pick_instrument(&mut self) -> usize {
        match self.burst {
            Some(burst) if self.rng.bool() => burst.instrument,
            _ => self.rng.usize(0..self.fair.len()).min(self.rng.usize(0..self.fair.len())),
        }
    }

    fn wander(&mut self, instrument: usize, listing: &Listing) {
        let drift = match self.burst {
            Some(burst) if burst.instrument == instrument => burst.drift,
            _ => 0,
        };
        let home = listing.reference / listing.tick * FINE;
        let fair = &mut self.fair[instrument];
        *fair += self.rng.i64(-24..=24) + drift - (*fair - home) / REVERSION;
        *fair = (*fair).max(8 * FINE);
    }

    fn pick_intent(&mut self, instrument: usize, listing: &Listing) -> Intent {
        let side = if self.rng.bool() { Side::Bid } else { Side::Offer };
        let away = match side {
            Side::Bid => -1,
            Side::Offer => 1,
        };
        let fair_ticks = self.fair[instrument].div_euclid(FINE);
        let price_at = |ticks: i64| (fair_ticks + ticks).max(1) * listing.tick;
        let quantity = listing.lot * self.rng.u64(1..=20);
        match self.rng.u32(0..100) {
            0..55 => {
                let price = price_at(away * self.rng.i64(1..=6));
                Intent::Quote { instrument, side, price, quantity }
            }
            55..70 => {
                let draw = self.rng.u32(0..10);
                let limit = (draw >= 2).then(|| price_at(-away * 3));
                let fill_or_kill = draw == 9;
                Intent::Take { instrument, side, limit, quantity, fill_or_kill }
            }
            70..88 => Intent::Cancel { pick: self.rng.usize(..) },
            _ => {
                Intent::Replace { pick: self.rng.usize(..), ticks: self.rng.i64(-2..=2), quantity }
            }
        }
    }

    /// An exponentially distributed span with this mean, at least 1.
    ///
    /// `-log2(u)` of a uniform `u` is its leading zeros plus a part that is taken as linear in the
    /// mantissa; the error is below 0.09, and the mean of the sum is exactly 3/2.
    fn exponential(&mut self, mean: Nanos) -> Nanos {
        let draw = self.rng.u64(1..);
        let zeros = u64::from(draw.leading_zeros());
        let mantissa = (draw << zeros << 1) >> 48;
        let log2 = ((zeros + 1) << 16) - mantissa;
        let span = u128::from(mean) * u128::from(log2) * 2 / (3 << 16);
        u64::try_from(span).unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listings() -> Vec<Listing> {
        let listing = |symbol: &str| Listing {
            symbol: symbol.into(),
            exponent: -2,
            tick: 1,
            lot: 1,
            reference: 10_000,
        };
        vec![listing("A"), listing("B"), listing("C")]
    }

    fn run(seed: u64, actions: usize) -> Vec<(Nanos, usize, Intent)> {
        let listings = listings();
        let rng = fastrand::Rng::with_seed(seed);
        let mut flow = Flow::new(rng, FlowConfig::default(), &listings, 0);
        (0..actions)
            .map(|_| {
                let at = flow.next_action();
                let (trader, intent) = flow.act(4, &listings);
                (at, trader, intent)
            })
            .collect()
    }

    #[test]
    fn the_seed_decides_everything() {
        assert_eq!(run(1, 500), run(1, 500));
        assert_ne!(run(1, 500), run(2, 500));
    }

    #[test]
    fn time_moves_on_and_bursts_happen() {
        let actions = run(3, 40_000);
        assert!(actions.windows(2).all(|w| w[0].0 < w[1].0));
        let span = actions.last().map_or(0, |a| a.0);
        let calm = FlowConfig::default().calm_gap_ns;
        assert!(span < 40_000 * calm, "bursts make it shorter than a calm market");
        let fast = actions.windows(2).filter(|w| w[1].0 - w[0].0 < calm / 20).count();
        assert!(fast > 10_000, "{fast} short gaps");
    }

    #[test]
    fn prices_stay_near_the_reference() {
        for (_, _, intent) in run(5, 40_000) {
            if let Intent::Quote { price, quantity, .. } = intent {
                assert!((9_800..=10_200).contains(&price), "{price}");
                assert!((1..=20).contains(&quantity));
            }
        }
    }

    #[test]
    fn exponential_has_its_mean() {
        let listings = listings();
        let rng = fastrand::Rng::with_seed(9);
        let mut flow = Flow::new(rng, FlowConfig::default(), &listings, 0);
        let n = 200_000;
        let sum: u64 = (0..n).map(|_| flow.exponential(1_000_000)).sum();
        assert!((990_000..=1_010_000).contains(&(sum / n)), "{}", sum / n);
    }
}

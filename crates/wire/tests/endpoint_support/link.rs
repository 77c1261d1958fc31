//! An in-memory link that loses, repeats, delays, reorders and corrupts frames from a seed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fastrand::Rng;
use saker_wire::frame;
use saker_wire::time::{MICROSECOND, Nanos};

/// How bad a link is. Rates are per thousand frames.
#[derive(Debug, Clone, Copy)]
pub struct Impairment {
    pub loss: u32,
    pub duplication: u32,
    pub corruption: u32,
    /// Base one-way delay.
    pub delay_ns: Nanos,
    /// Delay added at random to each frame, which reorders them.
    pub jitter_ns: Nanos,
}

impl Impairment {
    pub const NONE: Impairment = Impairment {
        loss: 0,
        duplication: 0,
        corruption: 0,
        delay_ns: 10 * MICROSECOND,
        jitter_ns: 0,
    };

    /// Some weather drawn from `rng`, from none to 8 % loss.
    pub fn random(rng: &mut Rng) -> Impairment {
        Impairment {
            loss: rng.u32(0..80),
            duplication: rng.u32(0..80),
            corruption: rng.u32(0..30),
            delay_ns: rng.u64(1..2000) * MICROSECOND,
            jitter_ns: rng.u64(0..1500) * MICROSECOND,
        }
    }
}

/// When a frame arrives, its number, the side it arrives at, its bytes.
type Flight = (Nanos, u64, usize, Vec<u8>);

/// Frames on their way between two sides, 0 and 1.
pub struct Link {
    pub impairment: Impairment,
    rng: Rng,
    flying: BinaryHeap<Reverse<Flight>>,
    sent: u64,
}

impl Link {
    pub fn new(impairment: Impairment, seed: u64) -> Link {
        Link { impairment, rng: Rng::with_seed(seed), flying: BinaryHeap::new(), sent: 0 }
    }

    /// Puts a frame on the link to side `to`.
    pub fn send(&mut self, now: Nanos, to: usize, bytes: Vec<u8>) {
        if self.rng.u32(0..1000) < self.impairment.loss {
            return;
        }
        let copies = 1 + usize::from(self.rng.u32(0..1000) < self.impairment.duplication);
        for _ in 0..copies {
            let mut copy = bytes.clone();
            if self.rng.u32(0..1000) < self.impairment.corruption {
                // One bit after the Ethernet header, which the FCS guards: the checksums see it.
                let bit = self.rng.usize(14 * 8..copy.len() * 8);
                copy[bit / 8] ^= 1 << (bit % 8);
                assert!(frame::parse(&copy).is_err(), "a flipped bit passed the checksums");
                continue;
            }
            let jitter = self.rng.u64(0..=self.impairment.jitter_ns);
            let at = now + self.impairment.delay_ns + jitter;
            self.sent += 1;
            self.flying.push(Reverse((at, self.sent, to, copy)));
        }
    }

    /// When the next frame arrives.
    pub fn next_arrival(&self) -> Option<Nanos> {
        self.flying.peek().map(|Reverse((at, ..))| *at)
    }

    /// The next frame that has arrived by `now`, and at which side.
    pub fn arrived(&mut self, now: Nanos) -> Option<(usize, Vec<u8>)> {
        if self.next_arrival()? > now {
            return None;
        }
        self.flying.pop().map(|Reverse((_, _, to, bytes))| (to, bytes))
    }
}

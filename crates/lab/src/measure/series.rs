//! Named series of latencies.

use saker_wire::station::FrameId;
use saker_wire::time::Nanos;

use super::Summary;

/// One latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When the measured span began.
    pub at: Nanos,
    /// How long it was, in nanoseconds.
    pub ns: u64,
    /// The frame that began it; 0 if no frame did.
    pub trigger: FrameId,
    /// That frame's length without FCS, in bytes; 0 if no frame did.
    pub trigger_bytes: u32,
}

/// The latencies between two reference points, in order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// What the span is called, for example `SOP→SOP`.
    pub name: String,
    /// Where the clock starts, for example `tick first byte in`.
    pub from: String,
    /// Where it stops, for example `order first byte out`.
    pub to: String,
    /// The latencies.
    pub samples: Vec<Sample>,
}

impl Series {
    /// Names a series.
    #[must_use]
    pub fn new(name: &str, from: &str, to: &str, mut samples: Vec<Sample>) -> Self {
        samples.sort_by_key(|sample| (sample.at, sample.trigger, sample.ns));
        Self { name: name.to_owned(), from: from.to_owned(), to: to.to_owned(), samples }
    }

    /// The series' numbers.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(self.samples.iter().map(|sample| sample.ns))
    }

    /// All latencies in ascending order.
    #[must_use]
    pub fn sorted(&self) -> Vec<u64> {
        let mut sorted: Vec<u64> = self.samples.iter().map(|sample| sample.ns).collect();
        sorted.sort_unstable();
        sorted
    }
}

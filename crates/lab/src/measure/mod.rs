//! From what taps and stations recorded to series of latencies and rates.
//!
//! Everything here is a pure function of records; nothing is sampled, and percentiles are exact.
//!
//! The reference points, all on the cable at one tap:
//!
//! - *SOP→SOP*: the first byte of the frame that carries the trigger, in, to the first byte of the
//!   order's frame, out;
//! - *actionable*: the last byte of the trigger's frame (its FCS), in, to the first byte of the
//!   order's frame, out. It leaves out the time that the trigger itself takes to arrive, which
//!   grows with the frame's length and is nobody's merit.

mod pair;
mod rate;
mod series;
mod stage;
mod summary;

pub use pair::{FrameIndex, Pairing, Point, pair};
pub use rate::{WINDOWS_NS, Window, WindowedRate, windowed};
pub use series::{Sample, Series};
pub use stage::{StageSeries, stage_series};
pub use summary::{Summary, nearest_rank};

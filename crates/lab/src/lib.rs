//! The virtual-time world, its taps, and the latency report.

pub mod tap;
pub mod world;

//! The virtual-time world, its taps, and the latency report.

pub mod measure;
pub mod report;
pub mod tap;
pub mod world;

//! The virtual-time world, its taps, and the latency report.

//! The clock of the placed logic: that of the slowest block in docs/RTL-PLACED.md.
//!
//! This file is emitted by verif/synth/run.py.

/// The slowest block.
pub const BLOCK: &str = "fast_engine";
/// What it reaches behind routing, the least of its seeds, in kilohertz.
pub const KHZ: u64 = 126_530;
/// Where it was placed.
pub const PART: &str = "LFE5U-85F, speed grade 8";

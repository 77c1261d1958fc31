//! The background traders: one machine with many FIX sessions, acting calmly with bursts.
//!
//! ```text
//! Flow (when, who, what) ──> Client (FIX session, live orders) ──> smoltcp ──> one Ethernet port
//! ```

mod client;
mod flow;
mod station;

pub use client::{Client, ClientCounters};
pub use flow::{Flow, FlowConfig, Intent, Listing};
pub use station::{Crowd, CrowdConfig};

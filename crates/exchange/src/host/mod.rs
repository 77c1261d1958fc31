//! The exchange as a machine on an Ethernet.
//!
//! ```text
//!              port 0                                             port 0: line A, FIX
//!  frame ──▶ smoltcp: ARP, IPv4, TCP ──▶ Exchange ──▶ Outputs ──▶ port 1: line B
//! ```
//! Work is done at once and *takes* time: one server serves frames in order of arrival, from
//! `max(now, busy until)` on, and everything it makes is ready when the work on it is done
//! ([`ServiceCosts`]). Within one command the feed packets are ready before the reports, or after
//! them, as [`First`](crate::config::First) says. A frame that arrives while the server has more
//! than [`HostConfig::ingress_limit_ns`] of work ahead is dropped and counted; TCP sends it again.
//!
//! Frames made while a frame is served carry its id as their cause. TCP retransmissions,
//! heartbeats and the snapshot loop have no cause.

mod config;
pub mod device;
mod feed_lines;
mod machine;
mod tcp;

pub use config::{HostConfig, HostError, PortConfig, ServiceCosts};
pub use machine::{ExchangeHost, HostCounters};

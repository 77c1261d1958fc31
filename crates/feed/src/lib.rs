//! The market-data feed: template file, packets, channel plan, and the events every feed maps to.
//!
//! The exchange publishes with `publish`, the trader reads with `normalize`. Both stand on the
//! one template file of this crate, and on [`event`], the vocabulary that is the same for every
//! venue.

pub mod channel;
pub mod event;
pub mod normalize;
pub mod publish;

/// The feed's FAST templates.
pub const TEMPLATES_XML: &str = include_str!("../templates/saker.xml");

/// Bytes of packet sequence number (little-endian `u32`) before the FAST messages of a packet.
pub const PREAMBLE_LEN: usize = 4;

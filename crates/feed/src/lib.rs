//! The market-data feed: template file, packets, channel plan, and the events every feed maps to.
//!
//! *For*: the exchange, which writes the feed with [`publish`], and traders, who read this feed and
//! others with `normalize`. Both stand on the one template file of this crate, and on [`event`],
//! the vocabulary that is the same for every venue. *Not for*: FAST itself (`saker-fast`), books,
//! sockets, or the choice between the lines A and B.
//!
//! ```text
//! entries ──▶ Publisher ──▶ FAST ──▶ packet ──▶ line A ─┐
//!             (RptSeq,               (number)  ──▶ line B ─┴─▶ normalize ──▶ events
//!              loops)
//! ```
//! The wire format and its rules are in `FEED.md`.

pub mod channel;
pub mod event;
pub mod normalize;
pub mod publish;

/// The feed's FAST templates.
pub const TEMPLATES_XML: &str = include_str!("../templates/saker.xml");

/// Bytes of packet sequence number (little-endian `u32`) before the FAST messages of a packet.
pub const PREAMBLE_LEN: usize = 4;

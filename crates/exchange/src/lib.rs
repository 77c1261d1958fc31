//! The exchange: FIX order entry, price-time matching, market data over FAST and FIX.
//!
//! *For*: anyone who needs a market to trade against, in a virtual world or live, with the exchange
//! simulator of seed 001 (§3.1–3.2) as the least of it. *Not for*: clearing, auctions, market
//! phases, or keeping anything over a restart.
//!
//! # How bytes flow through it
//! ```text
//! FIX bytes ─▶ logon ─▶ session ─┬─ D F G ─▶ checks ─▶ Matcher ─▶ events ─┬─▶ feed packets
//!             (who?)  (sequence) │                                        ├─▶ reports (8, 9)
//!                                └─ V ─▶ subscriptions ◀──────────────────┴─▶ updates (W)
//! ```
//! [`Exchange`] is the engine: bytes of connections and *now* go in; bytes for connections, feed
//! packets and closings come out, all in one ordered list, [`Outputs`]. [`host::ExchangeHost`] is
//! the machine around it: an Ethernet station with TCP listening sockets, two multicast lines and a
//! model of service time.
//!
//! # Rules
//! * *Fairness.* Commands take effect in the order in which the driver hands them over. A command's
//!   public feed packets come out before its private reports, or after them ([`config::First`]);
//!   updates over FIX follow, and who is told first changes with every round.
//! * *Determinism.* Equal inputs give equal outputs, byte for byte, and equal
//!   [`Exchange::digest`]s. There is no clock, randomness, thread or iteration over unordered maps
//!   inside.
//! * *Authentication before anything else.* Nothing of a connection reaches a session before its
//!   first message is a Logon with the right comp ids, user name and password. A participant has
//!   one connection at a time; its session's numbers go on over connections.
//! * *Bounds.* Everything that a client can make grow has a limit in [`config::LimitsConfig`], and
//!   everything that is refused or dropped is counted in [`Counters`].
//! * *Overload.* A session whose peer reads too slowly gets only the latest market data, and is
//!   closed when its backlog of reports is beyond the limit.
//!
//! The FIX dialect is in `FIX.md`; the feed is `saker-feed`'s.

pub mod config;
pub mod counters;
pub mod host;
pub mod output;

mod decimal;
mod engine;
mod identifier;
mod market;
mod order;
mod order_request;
mod participant;
mod report;

pub use config::ExchangeConfig;
pub use counters::Counters;
pub use engine::{Exchange, SessionView};
pub use identifier::MAX_IDENTIFIER;
pub use output::{ConnectionId, Output, Outputs};

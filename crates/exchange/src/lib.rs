//! The exchange: FIX order entry, matching, market data.
//!
//! [`Exchange`] is the engine: bytes of FIX connections and *now* go in; bytes for connections,
//! feed packets and the next deadline come out, all in one ordered list, [`Outputs`].
//! [`host::ExchangeHost`] is the machine around it: an Ethernet station with TCP listening sockets,
//! two multicast lines and a model of service time.

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

//! The exchange: FIX order entry, matching, market data.
//!
//! [`Exchange`] is the engine: bytes of FIX connections and *now* go in; bytes for connections,
//! feed packets and the next deadline come out, all in one ordered list, [`Outputs`].
//! [`host::ExchangeHost`] is the machine around it: an Ethernet station with TCP listening sockets,
//! two multicast lines and a model of service time.

pub mod config;
pub mod host;
pub mod output;

mod engine;

pub use config::ExchangeConfig;
pub use engine::Exchange;
pub use output::{ConnectionId, Output, Outputs};

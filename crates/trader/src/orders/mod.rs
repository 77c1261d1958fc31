//! The order line: one FIX session over one TCP connection, shared by software and fast path.
//!
//! ```text
//!            tick                               segments of the venue
//!             │ fire(slot)                              │ on_segment
//!        ┌────▼─────┐  lease: seq, ack, window    ┌─────▼────┐   bytes   ┌─────────┐
//! frame ◄┤ FastPath │◄────────────────────────────┤ Endpoint ├──────────►│ Session │
//!        └────┬─────┘                             └──▲────▲──┘           └──┬───▲──┘
//!             │ sent [a,b)      delegate_sent        │    │   output        │   │
//!             └──────────────────────────────────────┘    └─────────────────┘   │
//!             └── settle ──────────────── note_prepared_sent ───────────────────┘
//!                                                             execution reports ──> OrderLog, Desk
//! ```
//!
//! Two rules keep one sequence of bytes and one of messages in two hands:
//!
//! 1. The fast path holds the lease exactly while slots are armed and nothing of software's waits
//!    to be sent. To send a message, software first takes the lease back, sends, lends it again,
//!    and refreshes every armed slot to the new MsgSeqNum (seed 001, section 4.5.2).
//! 2. What the fast path sent is reported to endpoint and session before anything else happens to
//!    them ([`OrderLine::settle`], after the frame has left).
//!
//! The line does no I/O. After every call, [`OrderLine::poll_segment`] until `None`, then
//! [`OrderLine::rearm`].

mod config;
mod line;
mod log;
pub(crate) mod message;
mod report;

pub use config::{Identity, LineConfig, Reconnect};
pub use line::{Housework, LineCounters, OrderLine};
pub use log::{Audit, OrderLog, OrderRecord, OrderState, OrderTerms};
pub use report::{Answer, ExecType, read};

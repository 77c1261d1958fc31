//! The trader: a feed handler, books, strategies, and orders that are ready before they are wanted.
//!
//! # The way of one tick
//!
//! ```text
//!   line A ─┐ UDP   ┌───────────┐ packet ┌────────────┐ visitor ┌────────────┐ Event
//!           ├──────►│ arbitrate │───────►│ saker-fast │────────►│ normalize  │──────┐
//!   line B ─┘       │ first copy│        │  Decoder   │  calls  │ by FIX tag │      │
//!                   └─────┬─────┘        └────────────┘         └────────────┘      │
//!                         │ gap, join                                               ▼
//!                   ┌─────▼─────┐ admit  ┌────────────┐ top, trade ┌──────────────────┐
//!                   │ recovery  │◄──────►│   books    │───────────►│ desk (strategies)│
//!                   │live/stale │        │ saker-book │ live only  │  saker-strategy  │
//!                   └───────────┘        └────────────┘            └────────┬─────────┘
//!                                                                           │ Fire{slot}
//!   order frame ◄── patch seq, ack, window, checksum ◄── fastpath (slots) ◄─┘
//!                                                          ▲   │ sent [a,b)
//!                          prepare, refresh, lease         │   ▼
//!   order line ◄── TCP endpoint ◄── FIX session ◄───── orders (OrderLine, OrderLog)
//! ```
//!
//! 1. [`arbitrate`]: the first copy of each packet number wins; what is ahead waits a little; what
//!    stays missing is a gap.
//! 2. [`feed`]: packet to messages (`saker-fast`) to events (`saker_feed::normalize`), in one
//!    reusable buffer.
//! 3. [`recovery`]: is the entry the next of its instrument? Books that may be incomplete wait for
//!    a snapshot, and no strategy is asked about them.
//! 4. [`books`], [`desk`], [`market`]: the entry goes into the book, what changed goes to the
//!    strategies, and they name slots.
//! 5. [`fastpath`]: the slot's frame, which was finished long ago but for four fields, is patched
//!    and leaves. Nothing on this way waits for TCP or FIX, or knows of them.
//! 6. [`orders`]: only now is software told. It enters the bytes into the retransmission queue and
//!    the message into the session, refreshes the other slots to the next MsgSeqNum, prepares new
//!    orders, and follows the venue's execution reports.
//!
//! [`host::TraderHost`] is all of it as a machine on an Ethernet
//! ([`saker_wire::station::Station`]), with a model of how long each step takes.
//! [`replay::Replay`] is steps 1 to 5 on a capture.
//!
//! # What always holds
//!
//! - A strategy never fires on a book that is not known to be complete.
//! - No two messages of a session bear the same MsgSeqNum, and none is skipped, whoever sends.
//! - A fired frame is, byte for byte, the frame that would have been built from scratch.
//! - Every order that was sent is in the log; [`orders::OrderLog::audit`] says which were answered,
//!   and whether once.
//! - Queues are bounded and say what happens when they are full; every drop has a counter.
//! - The engines do no I/O: frames, bytes and *now* go in, and come out.
//!
//! # What it is not for
//!
//! It has no strategy of its own (`saker-strategy`), no market (`saker-exchange`) and no clock or
//! socket: drivers bring those. It keeps one order line and one feed.

pub mod arbitrate;
pub mod books;
pub mod desk;
pub mod fastpath;
pub mod feed;
pub mod host;
pub mod market;
pub mod orders;
pub mod recovery;
pub mod replay;

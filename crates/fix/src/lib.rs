//! FIX 4.4: parser, encoder, dictionary and session layer, for both sides of an order connection.
//!
//! # How bytes flow
//! ```text
//!            bytes in                                                    bytes out
//!               │                                                            ▲
//!   parse::frame: BodyLength, CheckSum, resync            encode::Writer: BodyLength, CheckSum
//!               │ Message<'_> (borrowed)                      ▲              │
//!   session::Session: CompIDs, clock, sequence ── admin ──────┤        resend store
//!               │                                             │              ▲
//!   dictionary::Dictionary: tags, types, groups           send(…)   note_prepared_sent(…)
//!               │                                             ▲              ▲
//!        Event::Application ──────► application ──────────────┘      fast path: prepare,
//!                                                                    patch 34 52 10, transmit
//! ```
//! - [`parse`] frames, verifies and indexes a message in place; nothing is copied or allocated.
//! - [`encode`] writes a message into the caller's buffer and says where its patchable values are.
//! - [`patch`] changes MsgSeqNum and SendingTime of a finished message and corrects CheckSum, so
//!   that orders can be prepared in advance (seed 001 §4.5.2).
//! - [`dictionary`] knows what FIX 4.4 allows, from its own table or a QuickFIX XML file.
//! - [`session`] is the session layer of either side. It has no clock, socket or thread.
//! - [`value`] and [`tag`] are the vocabulary.
//!
//! # What it is not for
//! Other FIX versions, FIXT, encryption (EncryptMethod is 0) and files: sequence numbers and sent
//! messages live as long as the [`session::Session`], which can begin at given numbers.
//!
//! # Example
//! ```
//! use saker_fix::parse::frame;
//! use saker_fix::session::{Config, Event, Session};
//! use saker_fix::tag::{self, msg_type};
//!
//! let now = 1_767_605_400_000_000_000; // 2026-01-05T09:30:00Z
//! let mut exchange = Session::acceptor(Config::new("SAKER", Some("CLIENT1")));
//! let mut client = Session::initiator(Config::new("CLIENT1", Some("SAKER")));
//! exchange.on_connect(now);
//! client.on_connect(now);
//!
//! // What a transport does: carry the bytes of one side to the other.
//! let carry = |from: &mut Session, to: &mut Session| {
//!     while let Some(bytes) = from.poll_output() {
//!         to.on_bytes(now, bytes);
//!     }
//! };
//! carry(&mut client, &mut exchange); // Logon
//! carry(&mut exchange, &mut client); // and its answer
//! assert!(client.is_logged_on());
//!
//! let seq = client.send(now, msg_type::NEW_ORDER_SINGLE, |w| {
//!     w.field_str(tag::CL_ORD_ID, "0102");
//!     w.field_str(tag::SYMBOL, "MSFT");
//!     w.field_char(tag::SIDE, b'2');
//!     w.field_timestamp(tag::TRANSACT_TIME, now);
//!     w.field_uint(tag::ORDER_QTY, 2);
//!     w.field_char(tag::ORD_TYPE, b'2');
//!     w.field_decimal(tag::PRICE, 110_050, -2);
//! })?;
//! assert_eq!(seq, 2);
//!
//! carry(&mut client, &mut exchange);
//! assert!(matches!(exchange.poll_event(), Some(Event::LoggedOn { .. })));
//! let Some(Event::Application(bytes)) = exchange.poll_event() else { panic!("no order") };
//! let (order, _) = frame(&bytes)?.expect("the session hands on whole messages");
//! assert_eq!(order.str(tag::SYMBOL)?, "MSFT");
//! assert_eq!(order.decimal(tag::PRICE)?.rescale(-4), Some(11_005_000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dictionary;
pub mod encode;
pub mod parse;
pub mod patch;
pub mod session;
pub mod tag;
pub mod value;

#[cfg(test)]
mod test_wire;

/// The field delimiter, ASCII 0x01.
pub const SOH: u8 = 1;
/// The BeginString(8) of every message this crate writes.
pub const BEGIN_STRING: &str = "FIX.4.4";

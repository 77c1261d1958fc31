//! FAST 1.1 and 1.2 (FIX Adapted for STreaming): template model, decoder and encoder.
//!
//! # What it is for
//! Reading and writing market data in FAST, by templates that are loaded at run time. It is complete
//! for version 1.1 of the specification ("FAST Specification 1.x.1", 2006-12-20): all types,
//! operators, dictionaries and references, and every error that the specification defines, under
//! its code ([`ErrorCode`], [`StaticCode`]; `ERRORS.md` has the table). Section numbers in this
//! crate are that document's. Of the extension ("FAST version 1.2 Extension", 2009-01-18) it has
//! type definitions, enum, set, bit group, timestamp and boolean: such a field is an integer whose
//! meaning [`FieldInfo::logical`] tells, and a bit group is a group of fields.
//!
//! # What it is not for
//! It opens no file or socket and knows no exchange: packets come in as bytes, and what a field
//! means is up to the application. The session control protocol is not here, except for the
//! attribute `scp:reset` ([`load::TemplateReset`]).
//!
//! # Unsafe code
//! One file has some, `transfer/wide.rs`: it calls the processor's instructions for moving groups of
//! bits where a look at the processor has found them, and reads words without comparing their
//! place with the end of the input: only ends of entities that have a margin behind them are known
//! to it, and it never goes further than they do. What the rest of the crate sees of it is safe, and `decode/tests.rs` holds it against
//! code without it, for whole, cut and corrupted messages.
//!
//! # How bytes flow through it
//! ```text
//!  XML ──load──▶ model ──compile──▶ plan: flat instructions, numbered dictionary slots
//!                                      │
//!              ┌───────────────────────┴───────────────────────┐
//!  bytes ──▶ Decoder ──▶ Visitor: an application's own,     Encoder ──▶ bytes
//!                        MessageBuilder, JsonWriter            ▲
//!                              │                               │
//!                              ▼                               │
//!                           Message ◀──▶ JSON ─────────▶ Source: Message, or an
//!                                                        application's own structures
//! ```
//! [`Templates`] holds model and plan; decoders and encoders share it. A [`Decoder`] owns the
//! dictionaries of one stream and calls a [`Visitor`] for each field; strings are borrowed, nothing
//! is allocated. [`Message`] is a tree for those who want one; [`json`] writes it as text that keeps
//! every digit, and reads it back. An [`Encoder`] takes values from a [`Source`] and writes the
//! shortest form. [`stream`] finds the messages of a file. [`generate`] writes Rust types with a
//! decoder and an encoder for one set of templates, which are faster still; its decoder fills
//! structures, or shows the fields to a visitor and needs none where there are no operators.
//!
//! # Example
//! ```
//! use saker_fast::json::JsonWriter;
//! use saker_fast::{Decoder, DecoderOptions, Encoder, EncoderOptions, Message, Templates};
//!
//! let templates = Templates::from_xml(
//!     r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
//!          <template name="Trade" id="1">
//!            <uInt32 name="SecurityID" id="48"><copy/></uInt32>
//!            <decimal name="Price" id="44"><delta/></decimal>
//!            <uInt32 name="Size" id="32" presence="optional"/>
//!          </template>
//!        </templates>"#,
//! )?;
//!
//! let mut trade = Message::new(&templates, "Trade").expect("the template is there");
//! let mut encoder = Encoder::new(&templates, EncoderOptions::default());
//! let mut packet = Vec::new();
//! for price in ["11.25", "11.30"] {
//!     trade.clear();
//!     trade.set("SecurityID", 7u32)?;
//!     trade.set(44, price)?; // by FIX tag; the string becomes a decimal
//!     encoder.encode(&trade, &mut packet)?;
//! }
//! // Presence map, template 1, 7, -2, 1125, no size; then -2+0, 1125+5, no size.
//! let first = [0xe0, 0x81, 0x87, 0xfe, 0x08, 0xe5, 0x80];
//! assert_eq!(packet, [&first[..], &[0x80, 0x80, 0x85, 0x80]].concat());
//!
//! let mut decoder = Decoder::new(&templates, DecoderOptions::default());
//! let mut lines = JsonWriter::default();
//! assert_eq!(decoder.decode_packet(&packet, &mut lines)?, 2);
//! assert_eq!(
//!     lines.text(),
//!     r#"{"template":"Trade","id":1,"fields":{"SecurityID":7,"Price":11.25}}
//! {"template":"Trade","id":1,"fields":{"SecurityID":7,"Price":11.30}}
//! "#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

pub mod decode;
mod dictionary;
pub mod encode;
pub mod error;
pub mod generate;
pub mod json;
pub mod load;
pub mod message;
pub mod microcode;
pub mod model;
mod plan;
pub mod runtime;
pub mod stream;
mod transfer;
mod value;

pub use decode::{Decoder, DecoderOptions, Ignore, ResetPolicy, Visitor};
pub use encode::{Encoder, EncoderOptions, Source};
pub use error::{DecodeError, EncodeError, ErrorCode, Site};
pub use load::{LoadOptions, StaticCode, TemplateError, TemplateErrorKind, Templates};
pub use message::{Message, MessageBuilder};
pub use model::{FieldType, LogicalType, OwnedValue, Presence, Template};
pub use plan::{FieldInfo, FieldKind};
pub use value::Value;

/// The example in the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

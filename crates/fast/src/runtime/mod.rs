//! What generated code calls: readers and writers of fields, operators, and the types of values.
//!
//! [`generate`](crate::generate) writes straight-line code that calls these functions, one or two
//! for each field. It is a layer of its own only for the sake of speed: a value's type and its
//! operator are known when the code is compiled, so that nothing is looked up. What is long or
//! rare goes to the transfer layer that the run-time codec uses; meaning, error codes and offsets
//! are the same.
//!
//! The names are meant for generated code. An application uses the types of values ([`Ascii`],
//! [`Decimal`], [`Optional`], [`Sequence`]), the options, the errors and [`FieldVisitor`].

mod cursor;
mod decode;
mod encode;
mod extension;
mod fields;
mod output;
mod presence;
mod previous;
mod text;
mod value;
mod visit;

pub use crate::decode::{DecoderOptions, ResetPolicy};
pub use crate::encode::EncoderOptions;
pub use crate::error::{DecodeError, EncodeError, ErrorCode};
pub use crate::transfer::Groups;
pub use crate::value::Value;
pub use cursor::{Cursor, Ending};
pub use decode::*;
pub use encode::*;
pub use extension::*;
pub use fields::{FieldName, Fields, Streamed, plain_header};
pub use output::{Output, Room};
pub use presence::{LongPresence, NextBit, Presence};
pub use previous::{MixedPrevious, Previous, PreviousOf, PreviousText, PreviousTextOf, State};
pub use text::*;
pub use value::{Ascii, Decimal, Integer, NotAscii, Optional, Scalar, Sequence, Text};
pub use visit::{FieldVisitor, visit_scalar, visit_text};

/// A Unicode string field; its memory is reused.
pub type Unicode = String;
/// A byte vector field; its memory is reused.
pub type Bytes = Vec<u8>;

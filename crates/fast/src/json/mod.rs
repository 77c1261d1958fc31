//! Messages as JSON text, exactly.
//!
//! One message is one object on one line: `{"template":"…","id":…,"fields":{…}}`, with `"id":null`
//! for a template without identifier. Fields appear in the order of the template under their
//! [key](crate::FieldInfo::key); absent fields are left out. Groups are objects, sequences arrays of
//! objects, a dynamic reference an object like a message. Strings are JSON strings, byte vectors
//! strings of lower-case hexadecimal digits, integers numbers.
//!
//! A decimal is a number written so that mantissa and exponent can be read back: a negative
//! exponent gives that many digits after the point, trailing zeros kept (1100, -2 is `11.00`; 5, -3
//! is `0.005`); exponent 0 gives an integer; a positive exponent follows an `e` (11, 2 is `11e2`).
//! [`from_json`] is the inverse.

mod parse;
mod read;
mod write;

pub use read::{JsonError, from_json};
pub use write::{JsonWriter, to_json};

pub(crate) use write::push_hexadecimal;

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
//!
//! The types of FAST 1.2: an enum is the string of its element's name (also accepted: the encoded
//! value as a number), a set the array of its elements' names in the order of the definition, a
//! boolean `true` or `false`, a timestamp the number of its units since its epoch, and a bit group
//! an object of its members.

mod parse;
mod read;
mod write;

pub use read::{JsonError, from_json};
pub use write::{JsonWriter, to_json};

pub(crate) use write::push_hexadecimal;

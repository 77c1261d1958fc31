//! FIX 4.4: parser, encoder and session layer.
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

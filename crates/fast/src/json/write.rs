//! Messages to JSON text.

use crate::decode::Visitor;
use crate::message::Message;

/// A visitor that writes each message as a line of JSON.
#[derive(Clone, Debug, Default)]
pub struct JsonWriter {
    text: String,
}

impl JsonWriter {
    /// The lines written so far.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Forgets the lines and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
    }
}

impl Visitor for JsonWriter {}

/// One message as JSON without a line end.
pub fn to_json(_message: &Message) -> String {
    unimplemented!("skeleton")
}

pub(crate) fn push_hexadecimal(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
}

//! JSON text to messages.

use crate::load::Templates;
use crate::message::Message;

/// JSON text is not a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {message}")]
pub struct JsonError {
    /// Offset into the text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads one message; the inverse of [`to_json`](super::to_json).
///
/// # Errors
/// Where the text is not JSON or not a message of `templates`.
pub fn from_json(_templates: &Templates, _text: &str) -> Result<Message, JsonError> {
    unimplemented!("skeleton")
}

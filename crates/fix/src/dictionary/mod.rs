//! What FIX 4.4 allows: tags, data types, and the fields of each message.

/// Tags, types and messages.
#[derive(Debug, Clone)]
pub struct Dictionary {}

/// The dictionary file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {offset}")]
pub struct DictionaryError {
    /// What is wrong.
    pub what: String,
    /// Where in the text.
    pub offset: usize,
}

impl Dictionary {
    /// The session layer and the order and market-data messages that saker uses.
    pub fn builtin() -> Self {
        todo!()
    }
    /// From a data dictionary in QuickFIX's XML form.
    pub fn from_quickfix_xml(text: &str) -> Result<Self, DictionaryError> {
        let _ = text;
        todo!()
    }
}

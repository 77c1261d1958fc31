//! What FIX 4.4 allows: tags, data types, and the fields of each message.
//!
//! Two sources: [`Dictionary::builtin`], a table of the session layer and of the order and
//! market-data messages that saker speaks; and [`Dictionary::from_quickfix_xml`], any dictionary in
//! the XML form that QuickFIX made common. [`Dictionary::validate`] checks a message and names the
//! session reject (SessionRejectReason(373), RefTagID(371)) that it deserves.

mod builtin;
mod field_type;
mod quickfix;
mod reject;
mod tag_set;
mod validate;

pub use field_type::FieldType;
pub use quickfix::DictionaryError;
pub use reject::{RejectReason, Violation};

use tag_set::TagSet;

/// Largest tag a dictionary may define.
pub const MAX_TAG: u32 = 65_535;

/// Tags, types and messages. Built once, then only read.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    /// Indexed by tag.
    fields: Vec<Option<Field>>,
    header: Fieldset,
    trailer: TagSet,
    /// Sorted by MsgType.
    messages: Vec<(Vec<u8>, Fieldset)>,
    /// Standard tags that are not listed exist nevertheless: only a message may not carry them.
    partial: bool,
}

#[derive(Debug, Clone, Default)]
struct Field {
    kind: FieldType,
    /// Sorted; empty if any value of the type will do.
    values: Vec<Vec<u8>>,
}

/// The fields of a message, of the header or of a group's entry.
#[derive(Debug, Clone, Default)]
struct Fieldset {
    /// Members of groups are not in it, their counts are.
    allowed: TagSet,
    /// In the order in which their absence is reported.
    required: Vec<u32>,
    /// By the tag of the count.
    groups: Vec<(u32, Group)>,
}

#[derive(Debug, Clone, Default)]
struct Group {
    delimiter: u32,
    entry: Fieldset,
}

impl Fieldset {
    fn group(&self, count_tag: u32) -> Option<&Group> {
        self.groups.iter().find(|(tag, _)| *tag == count_tag).map(|(_, group)| group)
    }

    fn add(&mut self, tag: u32, required: bool) {
        self.allowed.insert(tag);
        if required && !self.required.contains(&tag) {
            self.required.push(tag);
        }
    }
}

/// What a dictionary says of a MsgType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageStatus {
    /// Its fields are known.
    Defined,
    /// A message of FIX 4.4 that this dictionary does not define.
    Unsupported,
    /// Not a message of FIX 4.4.
    Unknown,
}

impl Dictionary {
    /// What is known of `msg_type`.
    pub fn status(&self, msg_type: &[u8]) -> MessageStatus {
        if self.message(msg_type).is_some() {
            MessageStatus::Defined
        } else if is_fix44_type(msg_type) {
            MessageStatus::Unsupported
        } else {
            MessageStatus::Unknown
        }
    }

    /// Data type of a tag.
    pub fn field_type(&self, tag: u32) -> Option<FieldType> {
        self.field(tag).map(|field| field.kind)
    }

    fn message(&self, msg_type: &[u8]) -> Option<&Fieldset> {
        let found = self.messages.binary_search_by(|(known, _)| known.as_slice().cmp(msg_type));
        found.ok().map(|index| &self.messages[index].1)
    }

    fn field(&self, tag: u32) -> Option<&Field> {
        self.fields.get(tag as usize)?.as_ref()
    }

    fn define(&mut self, tag: u32, field: Field) {
        debug_assert!((1..=MAX_TAG).contains(&tag));
        let index = tag as usize;
        if self.fields.len() <= index {
            self.fields.resize(index + 1, None);
        }
        self.fields[index] = Some(field);
    }
}

/// MsgTypes of FIX 4.4: `0`-`9`, `A`-`Z` without I, O, U; `a`-`z`; `AA`-`AZ`; `BA`-`BH`.
fn is_fix44_type(msg_type: &[u8]) -> bool {
    match msg_type {
        [b'I' | b'O' | b'U'] => false,
        [one] => one.is_ascii_alphanumeric(),
        [b'A', second] => second.is_ascii_uppercase(),
        [b'B', second] => (b'A'..=b'H').contains(second),
        _ => false,
    }
}

#[cfg(test)]
mod tests;

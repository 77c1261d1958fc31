//! Checks a message against the dictionary.

use super::tag_set::Seen;
use super::{Dictionary, Field, FieldType, Fieldset, Group, RejectReason, Violation};
use crate::parse::{Fields, Message};

/// First tag that FIX leaves to its users.
const USER_DEFINED: u32 = 5_000;
/// Last tag that FIX 4.4 defines.
const LAST_STANDARD: u32 = 956;

impl Dictionary {
    /// The first rule that `message` breaks: fields in the order of the bytes, then what is
    /// missing. A message whose type is not defined is checked for its header alone. Undefined
    /// tags from 5000 on are let through if `allow_user_defined`.
    pub fn validate(
        &self,
        message: &Message<'_>,
        allow_user_defined: bool,
    ) -> Result<(), Violation> {
        let mut walk =
            Walk { dictionary: self, fields: message.fields(), next: None, allow_user_defined };
        walk.advance();
        walk.message(self.message(message.msg_type()))
    }
}

/// Which part of the message the walk is in.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Header,
    Body,
    Trailer,
}

struct Walk<'a> {
    dictionary: &'a Dictionary,
    fields: Fields<'a>,
    next: Option<(u32, &'a [u8])>,
    allow_user_defined: bool,
}

impl Walk<'_> {
    fn message(&mut self, body: Option<&Fieldset>) -> Result<(), Violation> {
        let header = &self.dictionary.header;
        let mut seen = Seen::default();
        let mut part = Part::Header;
        while let Some((tag, value)) = self.next {
            let known = self.check_value(tag, value)?;
            let (home, fieldset) = if header.allowed.contains(tag) {
                (Part::Header, Some(header))
            } else if self.dictionary.trailer.contains(tag) {
                (Part::Trailer, None)
            } else {
                (Part::Body, body)
            };
            if home < part {
                return fault(RejectReason::TagOutOfOrder, tag);
            }
            part = home;
            if !seen.insert(tag) {
                return fault(RejectReason::TagAppearsMoreThanOnce, tag);
            }
            if known
                && part == Part::Body
                && fieldset.is_some_and(|fieldset| !fieldset.allowed.contains(tag))
            {
                return fault(RejectReason::TagNotDefinedForMessage, tag);
            }
            self.advance();
            if let Some(group) = fieldset.and_then(|fieldset| fieldset.group(tag)) {
                self.group(group, tag, value)?;
            }
        }
        require(header, &seen)?;
        body.map_or(Ok(()), |body| require(body, &seen))
    }

    fn group(&mut self, group: &Group, count_tag: u32, count: &[u8]) -> Result<(), Violation> {
        let mut entries = 0;
        while let Some((tag, value)) = self.next.filter(|(tag, _)| *tag == group.delimiter) {
            entries += 1;
            self.entry(group, tag, value)?;
        }
        let member = self.next.filter(|(tag, _)| group.entry.allowed.contains(*tag));
        if let (0, Some((tag, _))) = (entries, member) {
            return fault(RejectReason::GroupFieldsOutOfOrder, tag);
        }
        if crate::value::parse_uint(count) != Some(entries) {
            return fault(RejectReason::IncorrectNumInGroup, count_tag);
        }
        Ok(())
    }

    /// One entry, whose delimiter is the next field.
    fn entry(&mut self, group: &Group, tag: u32, value: &[u8]) -> Result<(), Violation> {
        let mut seen = Seen::default();
        let (mut tag, mut value) = (tag, value);
        loop {
            self.check_value(tag, value)?;
            if !seen.insert(tag) {
                return fault(RejectReason::TagAppearsMoreThanOnce, tag);
            }
            self.advance();
            if let Some(nested) = group.entry.group(tag) {
                self.group(nested, tag, value)?;
            }
            match self.next {
                Some(next) if next.0 != group.delimiter && group.entry.allowed.contains(next.0) => {
                    (tag, value) = next;
                }
                _ => return require(&group.entry, &seen),
            }
        }
    }

    /// Whether the dictionary knows the tag; its value is right then.
    fn check_value(&self, tag: u32, value: &[u8]) -> Result<bool, Violation> {
        let Some(field) = self.dictionary.field(tag) else {
            return match tag {
                USER_DEFINED.. if self.allow_user_defined && !value.is_empty() => Ok(false),
                USER_DEFINED.. if self.allow_user_defined => {
                    fault(RejectReason::TagWithoutValue, tag)
                }
                1..=LAST_STANDARD if self.dictionary.partial => {
                    fault(RejectReason::TagNotDefinedForMessage, tag)
                }
                _ => fault(RejectReason::InvalidTagNumber, tag),
            };
        };
        // A data field may have length 0.
        if value.is_empty() && field.kind != FieldType::Data {
            return fault(RejectReason::TagWithoutValue, tag);
        }
        if !field.kind.accepts(value) {
            return fault(RejectReason::IncorrectDataFormat, tag);
        }
        if !field.lists(value) {
            return fault(RejectReason::ValueIncorrect, tag);
        }
        Ok(true)
    }

    fn advance(&mut self) {
        self.next = self.fields.next();
    }
}

impl Field {
    /// Whether the enumeration has the value.
    fn lists(&self, value: &[u8]) -> bool {
        let has =
            |one: &[u8]| self.values.binary_search_by(|known| known.as_slice().cmp(one)).is_ok();
        match self.kind {
            _ if self.values.is_empty() => true,
            FieldType::MultipleValue => value.split(|&byte| byte == b' ').all(has),
            _ => has(value),
        }
    }
}

fn require(fieldset: &Fieldset, seen: &Seen) -> Result<(), Violation> {
    match fieldset.required.iter().find(|&&tag| !seen.contains(tag)) {
        Some(&tag) => fault(RejectReason::RequiredTagMissing, tag),
        None => Ok(()),
    }
}

fn fault<T>(reason: RejectReason, tag: u32) -> Result<T, Violation> {
    Err(Violation { reason, tag })
}

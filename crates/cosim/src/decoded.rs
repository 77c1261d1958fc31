//! What the FAST engine says of a message, and what it must say.

use saker_fast::microcode::{Item, Program, Record, Status, read_records};
use saker_fast::{DecodeError, FieldInfo, OwnedValue, Template, Value, Visitor};

use crate::program::tells;

/// A part of a message, with names instead of numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A message of this template begins.
    Begin(String),
    /// It is complete.
    End,
    /// A field with its name and number has a value.
    Field(String, Option<u32>, OwnedValue),
    /// A sequence begins.
    Sequence(String, u32),
    /// An element begins.
    Element,
    /// It ends.
    EndElement,
    /// The sequence ends.
    EndSequence,
    /// A group begins.
    Group(String),
    /// It ends.
    EndGroup(String),
    /// A part by a dynamic reference begins.
    Call(String),
    /// It ends.
    EndCall,
}

/// What the decoder made of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageItems {
    /// Its parts; of a message that does not decode, those before the error.
    pub parts: Vec<Part>,
    /// Whether it decodes.
    pub complete: bool,
}

/// A visitor that passes everything on, and keeps what the engine must tell.
pub struct Collector<'a, V> {
    inner: &'a mut V,
    parts: Vec<Part>,
}

impl<'a, V: Visitor> Collector<'a, V> {
    /// Passes on to `inner`.
    pub fn new(inner: &'a mut V) -> Self {
        Self { inner, parts: Vec::with_capacity(64) }
    }

    /// What was collected of a message that was decoded with this outcome.
    pub fn finish(self, outcome: Result<(), &DecodeError>) -> MessageItems {
        MessageItems { parts: self.parts, complete: outcome.is_ok() }
    }
}

impl<V: Visitor> Visitor for Collector<'_, V> {
    fn begin_message(&mut self, template: &Template) {
        self.parts.push(Part::Begin(template.name.local.to_string()));
        self.inner.begin_message(template);
    }

    fn end_message(&mut self) {
        self.parts.push(Part::End);
        self.inner.end_message();
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        if tells(field) {
            self.parts.push(Part::Field(field.name.local.to_string(), field.id, value.into()));
        }
        self.inner.field(field, value);
    }

    fn begin_sequence(&mut self, field: &FieldInfo, length: u32) {
        self.parts.push(Part::Sequence(field.name.local.to_string(), length));
        self.inner.begin_sequence(field, length);
    }

    fn begin_element(&mut self, index: u32) {
        self.parts.push(Part::Element);
        self.inner.begin_element(index);
    }

    fn end_element(&mut self) {
        self.parts.push(Part::EndElement);
        self.inner.end_element();
    }

    fn end_sequence(&mut self, field: &FieldInfo) {
        self.parts.push(Part::EndSequence);
        self.inner.end_sequence(field);
    }

    fn begin_group(&mut self, field: &FieldInfo) {
        self.parts.push(Part::Group(field.name.local.to_string()));
        self.inner.begin_group(field);
    }

    fn end_group(&mut self, field: &FieldInfo) {
        self.parts.push(Part::EndGroup(field.name.local.to_string()));
        self.inner.end_group(field);
    }

    fn begin_reference(&mut self, field: &FieldInfo, template: &Template) {
        self.parts.push(Part::Call(template.name.local.to_string()));
        self.inner.begin_reference(field, template);
    }

    fn end_reference(&mut self, field: &FieldInfo) {
        self.parts.push(Part::EndCall);
        self.inner.end_reference(field);
    }
}

/// The engine's records of a message as parts, and how it ended.
pub fn parts_of(program: &Program, records: &[Record]) -> (Vec<Part>, Status) {
    let tag = |tag: u16| program.tags.get(usize::from(tag)).cloned().unwrap_or_default();
    let template = |index: u16| {
        program.templates.get(usize::from(index)).map_or_else(String::new, |t| t.name.clone())
    };
    let mut status = Status::Aborted;
    let parts = read_records(program, records)
        .into_iter()
        .filter_map(|item| {
            Some(match item {
                Item::MessageBegin(index) => Part::Begin(template(index)),
                Item::MessageEnd(end) => {
                    status = end;
                    return (end == Status::Complete).then_some(Part::End);
                }
                Item::Field(number, value) => {
                    let tag = tag(number);
                    Part::Field(tag.name, tag.id, value)
                }
                Item::SequenceBegin(number, length) => Part::Sequence(tag(number).name, length),
                Item::ElementBegin => Part::Element,
                Item::ElementEnd => Part::EndElement,
                Item::SequenceEnd => Part::EndSequence,
                Item::GroupBegin(number) => Part::Group(tag(number).name),
                Item::GroupEnd(number) => Part::EndGroup(tag(number).name),
                Item::CallBegin(index) => Part::Call(template(index)),
                Item::CallEnd => Part::EndCall,
            })
        })
        .collect();
    (parts, status)
}

/// The first difference between what the decoder made of a message and what the engine did; `None` if
/// they agree.
pub fn difference(
    program: &Program,
    expected: &MessageItems,
    records: &[Record],
) -> Option<(String, String, String)> {
    let (found, status) = parts_of(program, records);
    if expected.complete != (status == Status::Complete) {
        let want = if expected.complete { "complete" } else { "an error" };
        return Some(("status".to_owned(), want.to_owned(), format!("{status:?}")));
    }
    if !expected.complete {
        return None;
    }
    let mut wanted = expected.parts.iter();
    let mut got = found.iter();
    for place in 0.. {
        match (wanted.next(), got.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => {
                let show = |part: Option<&Part>| match part {
                    Some(part) => format!("{part:?}"),
                    None => "nothing".to_owned(),
                };
                return Some((format!("part {place}"), show(a), show(b)));
            }
        }
    }
    None
}

//! How decoded messages reach the application.

use crate::model::Template;
use crate::plan::FieldInfo;
use crate::value::Value;

/// Receives the parts of a message in the order of its template, as they are decoded.
///
/// Absent optional fields, groups and sequences cause no call. A message that turns out to be
/// malformed has been visited up to the error and gets no `end_message`, so that a visitor that
/// must not act on half a message acts there. All methods do nothing unless implemented.
pub trait Visitor {
    /// A message of `template` begins.
    fn begin_message(&mut self, _template: &Template) {}
    /// The message is complete.
    fn end_message(&mut self) {}
    /// A primitive field has a value.
    fn field(&mut self, _field: &FieldInfo, _value: Value<'_>) {}
    /// A sequence of `length` elements begins.
    fn begin_sequence(&mut self, _field: &FieldInfo, _length: u32) {}
    /// Element `index`, from 0, begins.
    fn begin_element(&mut self, _index: u32) {}
    /// The element ends.
    fn end_element(&mut self) {}
    /// The sequence ends.
    fn end_sequence(&mut self, _field: &FieldInfo) {}
    /// A group begins.
    fn begin_group(&mut self, _field: &FieldInfo) {}
    /// The group ends.
    fn end_group(&mut self, _field: &FieldInfo) {}
    /// What a dynamic template reference stands for begins: a part by `template`.
    fn begin_reference(&mut self, _field: &FieldInfo, _template: &Template) {}
    /// The referenced part ends.
    fn end_reference(&mut self, _field: &FieldInfo) {}
}

/// Ignores everything: for checking that bytes decode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignore;

impl Visitor for Ignore {}

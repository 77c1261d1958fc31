//! Looking at the fields of a generated message one after another.

use super::decode::ScalarField;
use super::text::TextField;
use super::value::{Scalar, Text};
use crate::value::Value;

/// Receives the fields of a generated message in the order of its template, with the names of the
/// template. Absent fields cause no call; constants do.
///
/// It is the [`Visitor`](crate::Visitor) of generated code: for logs, comparisons and conversions.
/// All methods do nothing unless implemented.
pub trait FieldVisitor {
    /// A message begins.
    fn begin_message(&mut self, _template: &'static str) {}
    /// The message is complete.
    fn end_message(&mut self) {}
    /// A primitive field has a value. `key` is its name, unique in its scope.
    fn field(&mut self, _key: &'static str, _id: Option<u32>, _value: Value<'_>) {}
    /// A sequence of `length` elements begins.
    fn begin_sequence(&mut self, _key: &'static str, _id: Option<u32>, _length: usize) {}
    /// An element begins.
    fn begin_element(&mut self, _index: usize) {}
    /// The element ends.
    fn end_element(&mut self) {}
    /// The sequence ends.
    fn end_sequence(&mut self, _key: &'static str) {}
    /// A group begins.
    fn begin_group(&mut self, _key: &'static str, _id: Option<u32>) {}
    /// The group ends.
    fn end_group(&mut self, _key: &'static str) {}
    /// What a dynamic template reference stands for begins.
    fn begin_reference(&mut self, _key: &'static str, _template: &'static str) {}
    /// The referenced part ends.
    fn end_reference(&mut self, _key: &'static str) {}
}

/// Shows a number, where there is one.
#[inline(always)]
pub fn visit_scalar<F: ScalarField>(
    key: &'static str,
    id: Option<u32>,
    value: F,
    visitor: &mut impl FieldVisitor,
) {
    if let Some(value) = value.get() {
        visitor.field(key, id, value.to_value());
    }
}

/// Shows a string or vector, where there is one.
#[inline(always)]
pub fn visit_text<F: TextField>(
    key: &'static str,
    id: Option<u32>,
    value: &F,
    visitor: &mut impl FieldVisitor,
) {
    if let Some(value) = value.value() {
        visitor.field(key, id, value.to_value());
    }
}

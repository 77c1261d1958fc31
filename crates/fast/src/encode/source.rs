//! Where an encoder takes a message from.

use crate::plan::FieldInfo;
use crate::value::Value;

/// The values of a message, group or sequence element, asked for in the order of the template.
///
/// An application that publishes implements it on a small `Copy` handle, often an enum of
/// references to its own structures, and encodes without building a tree. Fields are told apart
/// by [`FieldInfo::id`], [`FieldInfo::key`] or [`FieldInfo::ordinal`].
pub trait Source: Copy {
    /// The value of a primitive field, `None` where it is absent. A value of another type than
    /// the field's is converted (§8).
    fn value(&self, field: &FieldInfo) -> Option<Value<'_>>;

    /// The number of elements of a sequence, `None` where it is absent.
    fn length(&self, _field: &FieldInfo) -> Option<usize> {
        None
    }

    /// Element `index` of a sequence, below [`Source::length`].
    fn element(&self, _field: &FieldInfo, _index: usize) -> Option<Self> {
        None
    }

    /// A group, `None` where it is absent.
    fn group(&self, _field: &FieldInfo) -> Option<Self> {
        None
    }

    /// What a dynamic template reference stands for: the name of the template, as for
    /// [`Templates::by_name`](crate::Templates::by_name), and the values.
    fn reference(&self, _field: &FieldInfo) -> Option<(&str, Self)> {
        None
    }
}

//! A message as an owned tree.
//!
//! Every scope (message, group, sequence element) has one cell for each field of its template, so
//! that two messages are equal iff they are of one template and the same fields have the same
//! values. Clearing a message keeps its memory: one that is filled again and again stops
//! allocating.

mod access;
mod build;
mod cell;

pub use access::{FieldError, GroupMut, GroupRef, Select, SequenceMut, SequenceRef};
pub use build::MessageBuilder;

pub(crate) use access::is_of;
use cell::Scope;

use crate::decode::Visitor;
use crate::load::Templates;
use crate::model::Template;
use crate::plan::{FieldInfo, FieldKind};
use crate::value::Value;

/// A message of one template.
#[derive(Clone, Debug)]
pub struct Message {
    templates: Templates,
    template: u32,
    root: Scope,
}

impl Message {
    /// An empty message of the template with a local name.
    pub fn new(templates: &Templates, template: &str) -> Option<Self> {
        Some(Self::at(templates, templates.index_of(template)?))
    }

    /// An empty message of the template with an identifier.
    pub fn with_id(templates: &Templates, id: u32) -> Option<Self> {
        templates.plan().by_id.get(&id).map(|entry| Self::at(templates, *entry))
    }

    fn at(templates: &Templates, index: u32) -> Self {
        let mut root = Scope::default();
        root.open(templates.plan(), templates.plan().entries[index as usize].block);
        Self { templates: templates.clone(), template: index, root }
    }

    /// An empty message of a template of the set.
    pub(crate) fn of(templates: &Templates, template: &Template) -> Option<Self> {
        Some(Self::at(templates, templates.index_of_template(template)?))
    }

    /// Its template.
    pub fn template(&self) -> &Template {
        &self.templates.all()[self.template as usize]
    }

    /// The set that the template is of.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    pub(crate) fn template_index(&self) -> u32 {
        self.template
    }

    /// Removes all values and keeps the memory.
    pub fn clear(&mut self) {
        self.root.clear();
    }

    /// Reads the fields.
    pub fn root(&self) -> GroupRef<'_> {
        GroupRef { templates: &self.templates, scope: &self.root }
    }

    /// The values as the source of an encoder.
    pub fn source(&self) -> GroupRef<'_> {
        self.root()
    }

    /// Changes the fields.
    pub fn root_mut(&mut self) -> GroupMut<'_> {
        GroupMut { templates: &self.templates, scope: &mut self.root }
    }

    /// The value of a primitive field, by key or by number.
    pub fn get<'s>(&self, field: impl Into<Select<'s>>) -> Option<Value<'_>> {
        self.root().get(field)
    }

    /// Sets a primitive field, by key or by number; the value is converted to the field's type.
    ///
    /// # Errors
    /// Where there is no such primitive field or the value does not convert (§8).
    pub fn set<'s, 'v>(
        &mut self,
        field: impl Into<Select<'s>>,
        value: impl Into<Value<'v>>,
    ) -> Result<(), FieldError> {
        self.root_mut().set(field, value)
    }

    /// Replays the message to a visitor, as if it were decoded.
    pub fn visit(&self, visitor: &mut impl Visitor) {
        visitor.begin_message(self.template());
        visit(self.root(), visitor);
        visitor.end_message();
    }
}

impl PartialEq for Message {
    /// Messages of one set of templates are equal iff template and values are. Messages of
    /// different sets are never equal.
    fn eq(&self, other: &Self) -> bool {
        self.templates.same(&other.templates)
            && self.template == other.template
            && self.root == other.root
    }
}

impl Eq for Message {}

fn visit(group: GroupRef<'_>, visitor: &mut impl Visitor) {
    for field in group.fields() {
        visit_field(group, field, visitor);
    }
}

fn visit_field(group: GroupRef<'_>, field: &FieldInfo, visitor: &mut impl Visitor) {
    let select = Select::Ordinal(field.ordinal);
    match field.kind {
        FieldKind::Primitive(_) => {
            if let Some(value) = group.get(select) {
                visitor.field(field, value);
            }
        }
        FieldKind::Group => {
            if let Some(inner) = group.group(select) {
                visitor.begin_group(field);
                visit(inner, visitor);
                visitor.end_group(field);
            }
        }
        FieldKind::Sequence => {
            if let Some(sequence) = group.sequence(select) {
                let length = u32::try_from(sequence.len()).unwrap_or(u32::MAX);
                visitor.begin_sequence(field, length);
                for (index, element) in (0u32..).zip(sequence.iter()) {
                    visitor.begin_element(index);
                    visit(element, visitor);
                    visitor.end_element();
                }
                visitor.end_sequence(field);
            }
        }
        FieldKind::Reference => {
            if let Some((template, inner)) = group.reference(select) {
                visitor.begin_reference(field, template);
                visit(inner, visitor);
                visitor.end_reference(field);
            }
        }
    }
}

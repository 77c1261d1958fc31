//! Reading and changing the fields of a message.

use super::cell::{Cell, Content, Scope};
use crate::encode::Source;
use crate::error::ErrorCode;
use crate::load::Templates;
use crate::model::{FieldType, Template};
use crate::plan::{FieldInfo, FieldKind};
use crate::value::Value;

/// How to name a field of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select<'s> {
    /// By its key: its local name, with `#2` for the second field of that name, and so on.
    Key(&'s str),
    /// By the number in its `id` attribute, a FIX tag in FIX feeds; of several fields with one
    /// number the first. A sequence that has no number of its own has that of its length.
    Tag(u32),
    /// By its place in the scope, from 0.
    Ordinal(u32),
}

impl<'s> From<&'s str> for Select<'s> {
    fn from(key: &'s str) -> Self {
        Self::Key(key)
    }
}

impl From<u32> for Select<'_> {
    fn from(tag: u32) -> Self {
        Self::Tag(tag)
    }
}

/// A field could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The scope has no such field.
    #[error("no field {0}")]
    Unknown(String),
    /// The field is of another kind than the call.
    #[error("field {field} is not a {wanted}")]
    Kind {
        /// The field's key.
        field: String,
        /// What the call is for.
        wanted: &'static str,
    },
    /// The value does not convert to the field's type.
    #[error("field {field}: {code}: {}", code.message())]
    Convert {
        /// The field's key.
        field: String,
        /// Why.
        code: ErrorCode,
    },
    /// There is no such template.
    #[error("no template {0:?}")]
    Template(String),
}

/// A message, group or sequence element, to be read.
#[derive(Clone, Copy, Debug)]
pub struct GroupRef<'a> {
    pub(super) templates: &'a Templates,
    pub(super) scope: &'a Scope,
}

impl<'a> GroupRef<'a> {
    /// The fields of the scope, present or not, in the order of the template.
    pub fn fields(self) -> impl Iterator<Item = &'a FieldInfo> {
        let plan = self.templates.plan();
        plan.scopes[self.scope.index as usize]
            .fields
            .iter()
            .map(|field| &plan.fields[*field as usize])
    }

    /// The field that `select` names.
    pub fn field<'s>(self, select: impl Into<Select<'s>>) -> Option<&'a FieldInfo> {
        find(self.templates, self.scope, select.into())
    }

    fn present(self, select: Select<'_>) -> Option<&'a Content> {
        let ordinal = match select {
            Select::Ordinal(ordinal) => ordinal,
            other => find(self.templates, self.scope, other)?.ordinal,
        };
        let cell = self.scope.cells.get(ordinal as usize)?;
        cell.present.then_some(&cell.content)
    }

    /// The value of a primitive field, `None` where it is absent or there is none.
    pub fn get<'s>(self, select: impl Into<Select<'s>>) -> Option<Value<'a>> {
        self.present(select.into())?.value()
    }

    /// A group, where it is present.
    pub fn group<'s>(self, select: impl Into<Select<'s>>) -> Option<GroupRef<'a>> {
        match self.present(select.into())? {
            Content::Group(scope) => Some(GroupRef { templates: self.templates, scope }),
            _ => None,
        }
    }

    /// A sequence, where it is present.
    pub fn sequence<'s>(self, select: impl Into<Select<'s>>) -> Option<SequenceRef<'a>> {
        match self.present(select.into())? {
            Content::Sequence { length, elements } => Some(SequenceRef {
                templates: self.templates,
                elements: elements.get(..*length).unwrap_or(elements),
            }),
            _ => None,
        }
    }

    /// What a dynamic reference stands for, where it is set.
    pub fn reference<'s>(
        self,
        select: impl Into<Select<'s>>,
    ) -> Option<(&'a Template, GroupRef<'a>)> {
        match self.present(select.into())? {
            Content::Reference { template, scope } => Some((
                &self.templates.all()[*template as usize],
                GroupRef { templates: self.templates, scope },
            )),
            _ => None,
        }
    }
}

impl Source for GroupRef<'_> {
    #[inline]
    fn value(&self, field: &FieldInfo) -> Option<Value<'_>> {
        let cell = self.scope.cells.get(field.ordinal as usize)?;
        if cell.present { cell.content.value() } else { None }
    }

    fn length(&self, field: &FieldInfo) -> Option<usize> {
        self.sequence(Select::Ordinal(field.ordinal)).map(|sequence| sequence.len())
    }

    fn element(&self, field: &FieldInfo, index: usize) -> Option<Self> {
        self.sequence(Select::Ordinal(field.ordinal))?.get(index)
    }

    fn group(&self, field: &FieldInfo) -> Option<Self> {
        GroupRef::group(*self, Select::Ordinal(field.ordinal))
    }

    fn reference(&self, field: &FieldInfo) -> Option<(&str, Self)> {
        match self.present(Select::Ordinal(field.ordinal))? {
            Content::Reference { template, scope } => Some((
                self.templates.label(*template),
                GroupRef { templates: self.templates, scope },
            )),
            _ => None,
        }
    }
}

/// The elements of a sequence, to be read.
#[derive(Clone, Copy, Debug)]
pub struct SequenceRef<'a> {
    templates: &'a Templates,
    elements: &'a [Scope],
}

impl<'a> SequenceRef<'a> {
    /// The number of elements.
    pub fn len(self) -> usize {
        self.elements.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.elements.is_empty()
    }

    /// Element `index`, from 0.
    pub fn get(self, index: usize) -> Option<GroupRef<'a>> {
        self.elements.get(index).map(|scope| GroupRef { templates: self.templates, scope })
    }

    /// The elements in order.
    pub fn iter(self) -> impl Iterator<Item = GroupRef<'a>> {
        let templates = self.templates;
        self.elements.iter().map(move |scope| GroupRef { templates, scope })
    }
}

/// A message, group or sequence element, to be changed.
#[derive(Debug)]
pub struct GroupMut<'a> {
    pub(super) templates: &'a Templates,
    pub(super) scope: &'a mut Scope,
}

impl<'a> GroupMut<'a> {
    /// Reads it.
    pub fn as_ref(&self) -> GroupRef<'_> {
        GroupRef { templates: self.templates, scope: self.scope }
    }

    /// Sets a primitive field; the value is converted to the field's type.
    ///
    /// # Errors
    /// Where there is no such primitive field or the value does not convert (§8).
    pub fn set<'s, 'v>(
        &mut self,
        select: impl Into<Select<'s>>,
        value: impl Into<Value<'v>>,
    ) -> Result<(), FieldError> {
        let (field, cell) = self.cell(select.into())?;
        let FieldKind::Primitive(field_type) = field.kind else {
            return Err(wrong_kind(field, "primitive field"));
        };
        let value = value.into();
        if is_of(value, field_type) && field.logical.is_none() {
            cell.content.assign(value);
        } else {
            match field.convert(value, field_type) {
                Ok(converted) => cell.content.assign(converted.as_value()),
                Err(code) => {
                    return Err(FieldError::Convert { field: field.key.to_string(), code });
                }
            }
        }
        cell.present = true;
        Ok(())
    }

    /// Makes a field absent.
    ///
    /// # Errors
    /// Where there is no such field.
    pub fn remove<'s>(&mut self, select: impl Into<Select<'s>>) -> Result<(), FieldError> {
        self.cell(select.into())?.1.present = false;
        Ok(())
    }

    /// A group; it is made, empty, where it is absent.
    ///
    /// # Errors
    /// Where there is no such group.
    pub fn group<'s>(&mut self, select: impl Into<Select<'s>>) -> Result<GroupMut<'_>, FieldError> {
        let templates = self.templates;
        let (field, cell) = self.cell(select.into())?;
        let (FieldKind::Group, Some(index)) = (field.kind, field.scope) else {
            return Err(wrong_kind(field, "group"));
        };
        if !matches!(cell.content, Content::Group(_)) {
            cell.content = Content::Group(Scope::default());
        }
        let Content::Group(scope) = &mut cell.content else {
            return Err(wrong_kind(field, "group"));
        };
        if !cell.present {
            scope.open(templates.plan(), index);
            cell.present = true;
        }
        Ok(GroupMut { templates, scope })
    }

    /// A sequence; it is made, empty, where it is absent.
    ///
    /// # Errors
    /// Where there is no such sequence.
    pub fn sequence<'s>(
        &mut self,
        select: impl Into<Select<'s>>,
    ) -> Result<SequenceMut<'_>, FieldError> {
        let templates = self.templates;
        let (field, cell) = self.cell(select.into())?;
        let (FieldKind::Sequence, Some(index)) = (field.kind, field.scope) else {
            return Err(wrong_kind(field, "sequence"));
        };
        if !matches!(cell.content, Content::Sequence { .. }) {
            cell.content = Content::Sequence { length: 0, elements: Vec::new() };
        }
        let Content::Sequence { length, elements } = &mut cell.content else {
            return Err(wrong_kind(field, "sequence"));
        };
        if !cell.present {
            *length = 0;
            cell.present = true;
        }
        Ok(SequenceMut { templates, index, length, elements })
    }

    /// What a dynamic reference stands for: an empty part by the template with a local name.
    ///
    /// # Errors
    /// Where there is no such reference or template.
    pub fn reference<'s>(
        &mut self,
        select: impl Into<Select<'s>>,
        template: &str,
    ) -> Result<GroupMut<'_>, FieldError> {
        let templates = self.templates;
        let (field, cell) = self.cell(select.into())?;
        if field.kind != FieldKind::Reference {
            return Err(wrong_kind(field, "dynamic template reference"));
        }
        let template = templates
            .index_of(template)
            .ok_or_else(|| FieldError::Template(template.to_owned()))?;
        let mut scope = match std::mem::take(&mut cell.content) {
            Content::Reference { scope, .. } => scope,
            _ => Scope::default(),
        };
        scope.open(templates.plan(), templates.plan().entries[template as usize].block);
        cell.content = Content::Reference { template, scope };
        cell.present = true;
        match &mut cell.content {
            Content::Reference { scope, .. } => Ok(GroupMut { templates, scope }),
            _ => Err(wrong_kind(field, "dynamic template reference")),
        }
    }

    fn cell(&mut self, select: Select<'_>) -> Result<(&'a FieldInfo, &mut Cell), FieldError> {
        let unknown = || FieldError::Unknown(format!("{select:?}"));
        let field = find(self.templates, self.scope, select).ok_or_else(unknown)?;
        let cell = self.scope.cells.get_mut(field.ordinal as usize).ok_or_else(unknown)?;
        Ok((field, cell))
    }
}

/// The elements of a sequence, to be changed.
#[derive(Debug)]
pub struct SequenceMut<'a> {
    templates: &'a Templates,
    index: u32,
    length: &'a mut usize,
    elements: &'a mut Vec<Scope>,
}

impl SequenceMut<'_> {
    /// Appends an empty element.
    pub fn push(&mut self) -> GroupMut<'_> {
        if *self.length == self.elements.len() {
            self.elements.push(Scope::default());
        }
        let scope = &mut self.elements[*self.length];
        scope.open(self.templates.plan(), self.index);
        *self.length += 1;
        GroupMut { templates: self.templates, scope }
    }

    /// Element `index`, from 0.
    pub fn get(&mut self, index: usize) -> Option<GroupMut<'_>> {
        let scope = self.elements[..*self.length].get_mut(index)?;
        Some(GroupMut { templates: self.templates, scope })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        *self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self.length == 0
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        *self.length = 0;
    }
}

fn find<'a>(templates: &'a Templates, scope: &Scope, select: Select<'_>) -> Option<&'a FieldInfo> {
    let plan = templates.plan();
    let fields = &plan.scopes[scope.index as usize];
    let ordinal = match select {
        Select::Key(key) => *fields.names.get(key)?,
        Select::Tag(tag) => *fields.tags.get(&tag)?,
        Select::Ordinal(ordinal) => ordinal,
    };
    fields.fields.get(ordinal as usize).map(|field| &plan.fields[*field as usize])
}

/// Whether the value needs no conversion for the type.
#[inline]
pub(crate) fn is_of(value: Value<'_>, field_type: FieldType) -> bool {
    match (field_type, value) {
        (FieldType::UInt32, Value::UInt(value)) => value <= u64::from(u32::MAX),
        (FieldType::Int32, Value::Int(value)) => i32::try_from(value).is_ok(),
        (FieldType::Decimal, Value::Decimal { exponent, .. }) => (-63..=63).contains(&exponent),
        (FieldType::Ascii, Value::Ascii(bytes)) => bytes.is_ascii(),
        (FieldType::UInt64, Value::UInt(_))
        | (FieldType::Int64, Value::Int(_))
        | (FieldType::Unicode, Value::Unicode(_))
        | (FieldType::Bytes, Value::Bytes(_)) => true,
        _ => false,
    }
}

fn wrong_kind(field: &FieldInfo, wanted: &'static str) -> FieldError {
    FieldError::Kind { field: field.key.to_string(), wanted }
}

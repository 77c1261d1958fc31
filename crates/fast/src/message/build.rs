//! Building messages from what a decoder visits.

use super::Message;
use super::cell::{Content, Scope};
use crate::decode::Visitor;
use crate::load::Templates;
use crate::model::Template;
use crate::plan::FieldInfo;
use crate::value::Value;

/// A visitor that keeps the last message. It reuses the memory of the message before.
#[derive(Clone, Debug)]
pub struct MessageBuilder {
    templates: Templates,
    message: Option<Message>,
    complete: bool,
    /// Ordinals (and element indices) of the open scopes, outermost first.
    path: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    ordinal: u32,
    element: usize,
}

impl MessageBuilder {
    /// A builder for the messages of a decoder of `templates`.
    pub fn new(templates: &Templates) -> Self {
        Self { templates: templates.clone(), message: None, complete: false, path: Vec::new() }
    }

    /// The last message, where it is complete.
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref().filter(|_| self.complete)
    }

    /// Takes the last message, where it is complete.
    pub fn take(&mut self) -> Option<Message> {
        if self.complete { self.message.take() } else { None }
    }

    /// The innermost open scope.
    fn scope(&mut self) -> Option<&mut Scope> {
        let mut scope = &mut self.message.as_mut()?.root;
        for step in &self.path {
            scope = match &mut scope.cells.get_mut(step.ordinal as usize)?.content {
                Content::Group(inner) | Content::Reference { scope: inner, .. } => inner,
                Content::Sequence { elements, .. } => elements.get_mut(step.element)?,
                _ => return None,
            };
        }
        Some(scope)
    }

    /// Fills the cell of `field` with what `content` makes of the cell's old content.
    fn open(&mut self, field: &FieldInfo, content: impl FnOnce(Content, &Templates) -> Content) {
        let templates = self.templates.clone();
        if let Some(cell) =
            self.scope().and_then(|scope| scope.cells.get_mut(field.ordinal as usize))
        {
            cell.content = content(std::mem::take(&mut cell.content), &templates);
            cell.present = true;
        }
        self.path.push(Step { ordinal: field.ordinal, element: 0 });
    }
}

impl Visitor for MessageBuilder {
    fn begin_message(&mut self, template: &Template) {
        self.complete = false;
        self.path.clear();
        match &mut self.message {
            Some(message) if message.template().name == template.name => message.clear(),
            message => *message = Message::of(&self.templates, template),
        }
    }

    fn end_message(&mut self) {
        self.complete = true;
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        if let Some(cell) =
            self.scope().and_then(|scope| scope.cells.get_mut(field.ordinal as usize))
        {
            cell.content.assign(value);
            cell.present = true;
        }
    }

    fn begin_sequence(&mut self, field: &FieldInfo, _length: u32) {
        self.open(field, |old, _| match old {
            Content::Sequence { elements, .. } => Content::Sequence { length: 0, elements },
            _ => Content::Sequence { length: 0, elements: Vec::new() },
        });
    }

    fn begin_element(&mut self, index: u32) {
        let Some(step) = self.path.pop() else { return };
        let templates = self.templates.clone();
        if let Some(scope) = self.scope() {
            let field = templates.plan().scopes[scope.index as usize].fields[step.ordinal as usize];
            let inner = templates.plan().fields[field as usize].scope;
            if let (Some(inner), Content::Sequence { length, elements }) =
                (inner, &mut scope.cells[step.ordinal as usize].content)
            {
                if *length == elements.len() {
                    elements.push(Scope::default());
                }
                elements[*length].open(templates.plan(), inner);
                *length += 1;
            }
        }
        self.path.push(Step { ordinal: step.ordinal, element: index as usize });
    }

    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.path.pop();
    }

    fn begin_group(&mut self, field: &FieldInfo) {
        let index = field.scope.unwrap_or_default();
        self.open(field, |old, templates| {
            let mut scope = match old {
                Content::Group(scope) => scope,
                _ => Scope::default(),
            };
            scope.open(templates.plan(), index);
            Content::Group(scope)
        });
    }

    fn end_group(&mut self, _field: &FieldInfo) {
        self.path.pop();
    }

    fn begin_reference(&mut self, field: &FieldInfo, template: &Template) {
        let Some(index) = self.templates.index_of_template(template) else { return };
        self.open(field, |old, templates| {
            let mut scope = match old {
                Content::Reference { scope, .. } => scope,
                _ => Scope::default(),
            };
            scope.open(templates.plan(), templates.plan().entries[index as usize].block);
            Content::Reference { template: index, scope }
        });
    }

    fn end_reference(&mut self, _field: &FieldInfo) {
        self.path.pop();
    }
}

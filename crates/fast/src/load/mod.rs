//! From template definitions in XML to a compiled set of templates.

mod error;
mod field;
mod guard;
mod options;
mod reader;
mod text;
mod types;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use error::{StaticCode, TemplateError, TemplateErrorKind};
pub use options::{LoadOptions, TemplateReset};

use crate::model::Template;
use crate::plan::Plan;

/// The namespace of template definitions (§3.1).
pub const TEMPLATE_NAMESPACE: &str = "http://www.fixprotocol.org/ns/fast/td/1.1";
/// The namespace of template definitions with the elements of FAST 1.2, as in published files.
pub const TEMPLATE_NAMESPACE_1_2: &str = "http://www.fixprotocol.org/ns/fast/td/1.2";
/// The namespace of the session control protocol, which has the attribute `reset`.
pub const SCP_NAMESPACE: &str = "http://www.fixprotocol.org/ns/fast/scp/1.1";

/// A set of templates, loaded and compiled. Clones share it.
#[derive(Clone)]
pub struct Templates {
    inner: Arc<Inner>,
}

struct Inner {
    model: Vec<Template>,
    by_name: FxHashMap<Arc<str>, u32>,
    /// For each template the name that `by_name` finds it by.
    labels: Vec<Arc<str>>,
    plan: Plan,
}

impl std::fmt::Debug for Templates {
    /// Names the templates; their content is in [`Templates::all`].
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Templates").field(&self.inner.labels).finish()
    }
}

impl Templates {
    /// Loads a definition, `<templates>` or a single `<template>`, by the specification's rules.
    ///
    /// # Errors
    /// The first static error in the definition.
    pub fn from_xml(xml: &str) -> Result<Self, TemplateError> {
        Self::from_xml_with(xml, &LoadOptions::strict())
    }

    /// Loads a definition with the deviations that `options` name.
    ///
    /// # Errors
    /// The first static error in the definition that is not excused.
    pub fn from_xml_with(xml: &str, options: &LoadOptions) -> Result<Self, TemplateError> {
        let model = reader::read(xml, options)?;
        Self::from_model(model, options)
    }

    /// Compiles a model that was read or built elsewhere; of the options only the limits count.
    ///
    /// # Errors
    /// An unknown template (D8), a cycle of static references, a duplicate, or a limit.
    pub fn from_model(model: Vec<Template>, options: &LoadOptions) -> Result<Self, TemplateError> {
        let plan = crate::plan::compile(&model, options)?;
        let mut by_name = FxHashMap::default();
        let mut labels = Vec::with_capacity(model.len());
        for (index, template) in (0u32..).zip(&model) {
            let local = &template.name.local;
            let first = *by_name.entry(local.clone()).or_insert(index);
            let qualified: Arc<str> = Arc::from(template.name.to_string());
            labels.push(if first == index { local.clone() } else { qualified.clone() });
            by_name.entry(qualified).or_insert(index);
        }
        Ok(Self { inner: Arc::new(Inner { model, by_name, labels, plan }) })
    }

    /// The template with an identifier of the stream.
    pub fn by_id(&self, id: u32) -> Option<&Template> {
        self.inner.plan.by_id.get(&id).map(|entry| &self.inner.model[*entry as usize])
    }

    /// The template with a local name; the first of them, should several namespaces have it. Any
    /// is found by its qualified name, `{namespace}local`.
    pub fn by_name(&self, name: &str) -> Option<&Template> {
        self.inner.by_name.get(name).map(|index| &self.inner.model[*index as usize])
    }

    /// All templates in the order of the definition.
    pub fn all(&self) -> &[Template] {
        &self.inner.model
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.inner.plan
    }

    /// The index of a template by name.
    pub(crate) fn index_of(&self, name: &str) -> Option<u32> {
        self.inner.by_name.get(name).copied()
    }

    /// The name by which [`Templates::by_name`] finds a template.
    pub(crate) fn label(&self, index: u32) -> &str {
        &self.inner.labels[index as usize]
    }

    /// The index of a template of this or an equal set.
    pub(crate) fn index_of_template(&self, template: &Template) -> Option<u32> {
        let same = |index: &u32| self.inner.model[*index as usize].name == template.name;
        self.index_of(&template.name.local)
            .filter(same)
            .or_else(|| self.index_of(&template.name.to_string()))
    }

    /// Whether both are clones of one set.
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

//! The concrete syntax (appendix 1) to the template model: structure, attributes, inheritance.

use std::sync::Arc;

use roxmltree::{Document, Node, NodeId, ParsingOptions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::text::Text;
use super::types::Declaration;
use super::{
    LoadOptions, SCP_NAMESPACE, StaticCode, TEMPLATE_NAMESPACE, TEMPLATE_NAMESPACE_1_2,
    TemplateError, TemplateErrorKind,
};
use crate::model::{
    AuxiliaryId, DictionaryName, Group, Instruction, LogicalType, Name, Position, Presence,
    Template,
};

/// Reads a definition.
pub(super) fn read(xml: &str, options: &LoadOptions) -> Result<Vec<Template>, TemplateError> {
    if xml.len() > options.max_bytes {
        return Err(TemplateError {
            code: None,
            kind: TemplateErrorKind::TooLarge { bytes: xml.len(), limit: options.max_bytes },
            position: Position::default(),
            template: None,
            field: None,
        });
    }
    let nodes_limit = u32::try_from(options.max_bytes).unwrap_or(u32::MAX);
    let mut text = Text::new(xml);
    super::guard::check(xml).map_err(|excess| TemplateError {
        code: None,
        kind: TemplateErrorKind::Limit { what: excess.what, limit: excess.limit },
        position: text.position(excess.offset),
        template: None,
        field: None,
    })?;
    if options.undeclared_prefixes {
        text.declare_prefixes(nodes_limit);
    }
    // Document type definitions stay forbidden, and with them entities that grow.
    let parsing = ParsingOptions { nodes_limit, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text.xml, parsing).map_err(|error| {
        let at = error.pos();
        TemplateError {
            code: Some(StaticCode::S1),
            kind: TemplateErrorKind::Xml(error.to_string()),
            position: Position { line: at.row, column: at.col },
            template: None,
            field: None,
        }
    })?;
    let root = document.root_element();
    let root = if options.any_root { definition_root(root) } else { root };
    let mut reader = Reader {
        text: &text,
        options,
        root_namespace: root.tag_name().namespace().unwrap_or_default(),
        template: None,
        field: None,
        types: FxHashMap::default(),
        expanding: Vec::new(),
        logical_types: FxHashMap::default(),
        steps: 0,
    };
    let mut templates = reader.root(root)?;
    if options.duplicate_names {
        tell_apart(&mut templates);
    }
    options.template_reset.apply(&mut templates);
    if let Some(id) = options.implicit_reset
        && !templates.iter().any(|template| template.id.number == Some(id))
    {
        templates.push(reset_message(id, &templates));
    }
    Ok(templates)
}

/// A template without fields, of a name that no other has.
fn reset_message(id: u32, others: &[Template]) -> Template {
    let mut local = "Reset".to_owned();
    while others.iter().any(|template| *template.name.local == *local) {
        local.push('_');
    }
    Template {
        name: Name { namespace: Arc::from(""), local: Arc::from(local) },
        id: AuxiliaryId { text: Some(Arc::from(id.to_string())), number: Some(id) },
        type_ref: None,
        reset: true,
        instructions: Vec::new(),
        position: Position::default(),
    }
}

/// The first element that may be the root of a definition.
fn definition_root<'a, 'i>(root: Node<'a, 'i>) -> Node<'a, 'i> {
    root.descendants()
        .find(|node| matches!(node.tag_name().name(), "templates" | "template"))
        .unwrap_or(root)
}

/// Gives the second template named `X` the name `X#2`, and so on.
fn tell_apart(templates: &mut [Template]) {
    let mut taken: FxHashSet<Name> = FxHashSet::default();
    let mut occurrences: FxHashMap<Name, u32> = FxHashMap::default();
    for template in templates {
        let written = template.name.clone();
        while !taken.insert(template.name.clone()) {
            let occurrence = occurrences.entry(written.clone()).or_insert(1);
            *occurrence += 1;
            template.name.local = Arc::from(format!("{}#{occurrence}", written.local));
        }
    }
}

/// What elements inherit from their ancestors (§6.3.1, §7).
#[derive(Clone)]
pub(super) struct Inherited {
    namespace: Arc<str>,
    template_namespace: Arc<str>,
    pub dictionary: DictionaryName,
    depth: u32,
}

pub(super) struct Reader<'r, 'a, 'i> {
    text: &'r Text<'r>,
    pub options: &'r LoadOptions,
    root_namespace: &'r str,
    pub template: Option<Arc<str>>,
    pub field: Option<Arc<str>>,
    /// The type definitions by name.
    pub types: FxHashMap<&'a str, Node<'a, 'i>>,
    /// The definitions that the element at hand is inside of.
    pub expanding: Vec<&'a str>,
    /// Types that were read, so that one definition is in memory once.
    pub logical_types: FxHashMap<NodeId, Arc<LogicalType>>,
    /// Instructions so far: a definition counts as often as it is used.
    steps: u32,
}

impl<'a, 'i> Reader<'_, 'a, 'i> {
    fn root(&mut self, root: Node<'a, 'i>) -> Result<Vec<Template>, TemplateError> {
        let inherited = Inherited {
            namespace: Arc::from(""),
            template_namespace: Arc::from(""),
            dictionary: DictionaryName::Global,
            depth: 0,
        };
        let local = root.tag_name().name();
        if !self.is_ours(root) || !matches!(local, "templates" | "template") {
            return Err(self.schema(root, TemplateErrorKind::Root(local.to_owned())));
        }
        if local == "template" {
            return Ok(vec![self.template(root, &inherited)?]);
        }
        self.attributes(root, &["ns", "templateNs", "dictionary"])?;
        let inherited = self.inherit(root, &inherited)?;
        let children = self.children(root)?;
        for child in &children {
            if child.tag_name().name() == "define" && self.is_extended(*child) {
                self.define(*child)?;
            }
        }
        self.check_definitions()?;
        let mut templates = Vec::new();
        for child in children {
            match child.tag_name().name() {
                "define" if self.is_extended(child) => {}
                "template" => templates.push(self.template(child, &inherited)?),
                _ => return Err(self.unexpected(child, root)),
            }
        }
        Ok(templates)
    }

    fn template(
        &mut self,
        node: Node<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Template, TemplateError> {
        self.template = node.attribute("name").map(|name| Arc::from(name.trim()));
        self.attributes(
            node,
            if self.options.loose_reset {
                &["name", "templateNs", "id", "ns", "dictionary", "reset"]
            } else {
                &["name", "templateNs", "id", "ns", "dictionary"]
            },
        )?;
        let inherited = self.inherit(node, inherited)?;
        let name = Name {
            namespace: inherited.template_namespace.clone(),
            local: self.required(node, "name")?,
        };
        let mut parts = self.parts(node, &inherited, false)?;
        let template = Template {
            name,
            id: auxiliary_id(node),
            type_ref: parts.type_ref.take(),
            reset: self.reset(node)?,
            instructions: parts.instructions,
            position: self.position(node),
        };
        self.template = None;
        Ok(template)
    }

    /// The attribute `scp:reset`.
    fn reset(&self, node: Node<'_, '_>) -> Result<bool, TemplateError> {
        let loose = self.options.loose_reset;
        let value = node
            .attribute((SCP_NAMESPACE, "reset"))
            .or_else(|| node.attribute("reset").filter(|_| loose));
        let Some(value) = value else { return Ok(false) };
        match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            other if loose => {
                let other = other.to_ascii_lowercase();
                Ok(matches!(other.as_str(), "yes" | "y" | "true" | "t" | "1"))
            }
            other => Err(self.schema(
                node,
                TemplateErrorKind::AttributeValue { attribute: "reset", value: other.to_owned() },
            )),
        }
    }

    /// `typeRef?, length?, instruction*`
    pub fn parts(
        &mut self,
        node: Node<'a, 'i>,
        inherited: &Inherited,
        with_length: bool,
    ) -> Result<Parts<'a, 'i>, TemplateError> {
        let mut parts = Parts { type_ref: None, length: None, instructions: Vec::new() };
        for child in self.children(node)? {
            match child.tag_name().name() {
                "typeRef"
                    if parts.type_ref.is_none()
                        && (self.options.any_order
                            || parts.length.is_none() && parts.instructions.is_empty()) =>
                {
                    self.attributes(child, &["name", "ns"])?;
                    let inherited = self.inherit(child, inherited)?;
                    self.no_children(child)?;
                    parts.type_ref = Some(self.name(child, &inherited)?);
                }
                "length"
                    if with_length
                        && parts.length.is_none()
                        && (self.options.any_order || parts.instructions.is_empty()) =>
                {
                    parts.length = Some(child);
                }
                _ => {
                    let enclosing = self.field.clone();
                    let instruction = self.instruction(child, node, inherited)?;
                    parts.instructions.push(instruction);
                    self.field = enclosing;
                }
            }
        }
        Ok(parts)
    }

    fn instruction(
        &mut self,
        node: Node<'a, 'i>,
        parent: Node<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Instruction, TemplateError> {
        self.step(node)?;
        let element = node.tag_name().name();
        if element == "templateRef" {
            return self.template_reference(node, inherited);
        }
        self.field = node.attribute("name").map(|name| Arc::from(name.trim()));
        let declaration = match element {
            "field" if self.is_extended(node) => self.resolve(node)?,
            _ => Declaration::short(node),
        };
        let outside = self.expanding.len();
        self.expanding.extend_from_slice(&declaration.types);
        let instruction = self.declared(&declaration, parent, inherited);
        self.expanding.truncate(outside);
        instruction
    }

    fn declared(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        parent: Node<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Instruction, TemplateError> {
        let body = declaration.body;
        let element = body.tag_name().name();
        if let (Some(operator), "sequence" | "group") = (declaration.operator, element) {
            return Err(self.unexpected(operator, declaration.site));
        }
        match element {
            "sequence" => self.sequence(declaration, inherited).map(Instruction::Sequence),
            "group" => self.group(declaration, inherited).map(Instruction::Group),
            "bitGroup" if self.is_extended(body) => {
                self.bit_group(declaration, inherited).map(Instruction::BitGroup)
            }
            _ if self.is_logical(body) => {
                self.logical_field(declaration, inherited).map(Instruction::Field)
            }
            _ => match super::field::field_type(body) {
                Some(field_type) => {
                    self.primitive(declaration, inherited, field_type).map(Instruction::Field)
                }
                None => Err(self.unexpected(body, parent)),
            },
        }
    }

    /// Counts an instruction against the limit.
    pub fn step(&mut self, node: Node<'_, '_>) -> Result<(), TemplateError> {
        self.steps += 1;
        let limit = self.options.max_instructions;
        if self.steps <= limit {
            return Ok(());
        }
        Err(self.error(None, node, TemplateErrorKind::Limit { what: "instructions", limit }))
    }

    fn template_reference(
        &self,
        node: Node<'_, '_>,
        inherited: &Inherited,
    ) -> Result<Instruction, TemplateError> {
        self.attributes(node, &["name", "templateNs"])?;
        self.no_children(node)?;
        let position = self.position(node);
        let inherited = self.inherit(node, inherited)?;
        if node.attribute("name").is_none() && node.attribute("templateNs").is_none() {
            return Ok(Instruction::DynamicReference { position });
        }
        let name =
            Name { namespace: inherited.template_namespace, local: self.required(node, "name")? };
        Ok(Instruction::StaticReference { name, position })
    }

    fn group(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Group, TemplateError> {
        let Declaration { site, body, .. } = *declaration;
        self.declared_attributes(declaration, &["dictionary"])?;
        let inherited = self.deeper(declaration, inherited)?;
        let parts = self.parts(body, &inherited, false)?;
        Ok(Group {
            name: self.name(site, &inherited)?,
            id: auxiliary_id(site),
            presence: self.declared_presence(declaration)?,
            type_ref: parts.type_ref,
            instructions: parts.instructions,
            position: self.position(site),
        })
    }

    /// Inheritance one level down, within the depth limit.
    pub fn deeper(
        &self,
        declaration: &Declaration<'_, '_>,
        inherited: &Inherited,
    ) -> Result<Inherited, TemplateError> {
        let node = declaration.site;
        let mut inherited = self.inherit(node, inherited)?;
        if declaration.body != node {
            inherited = self.inherit(declaration.body, &inherited)?;
        }
        inherited.depth += 1;
        if inherited.depth > self.options.max_depth {
            let limit = self.options.max_depth;
            return Err(self.error(
                None,
                node,
                TemplateErrorKind::Limit { what: "levels of nesting", limit },
            ));
        }
        Ok(inherited)
    }

    /// Applies the attributes `ns`, `templateNs` and `dictionary` of an element.
    pub fn inherit(
        &self,
        node: Node<'_, '_>,
        inherited: &Inherited,
    ) -> Result<Inherited, TemplateError> {
        let mut inherited = inherited.clone();
        if let Some(namespace) = node.attribute("ns") {
            inherited.namespace = Arc::from(namespace);
        }
        if let Some(namespace) = node.attribute("templateNs") {
            inherited.template_namespace = Arc::from(namespace);
        }
        if let Some(dictionary) = node.attribute("dictionary") {
            inherited.dictionary = match dictionary {
                "global" => DictionaryName::Global,
                "template" => DictionaryName::Template,
                "type" => DictionaryName::Type,
                other => DictionaryName::User(Arc::from(other)),
            };
        }
        Ok(inherited)
    }

    /// The name of a field or type.
    pub fn name(&self, node: Node<'_, '_>, inherited: &Inherited) -> Result<Name, TemplateError> {
        let named = node.attribute("name").map(str::trim).filter(|name| !name.is_empty());
        let local = match named {
            None if self.options.missing_names => {
                let element = node.tag_name().name();
                Arc::from(node.attribute("id").map_or(element, str::trim))
            }
            _ => self.required(node, "name")?,
        };
        Ok(Name { namespace: inherited.namespace.clone(), local })
    }

    /// A name with another local part, in the namespace that applies.
    pub fn name_of(&self, local: &str, inherited: &Inherited) -> Name {
        Name { namespace: inherited.namespace.clone(), local: Arc::from(local.trim()) }
    }

    pub fn presence(&self, node: Node<'_, '_>) -> Result<Presence, TemplateError> {
        let written = node.attribute("presence").map(str::trim);
        let lower = written.map(str::to_ascii_lowercase).filter(|_| self.options.loose_values);
        match lower.as_deref().or(written) {
            None | Some("mandatory") => Ok(Presence::Mandatory),
            Some("optional") => Ok(Presence::Optional),
            Some(other) => Err(self.schema(
                node,
                TemplateErrorKind::AttributeValue {
                    attribute: "presence",
                    value: other.to_owned(),
                },
            )),
        }
    }

    fn required(
        &self,
        node: Node<'_, '_>,
        attribute: &'static str,
    ) -> Result<Arc<str>, TemplateError> {
        self.required_text(node, attribute).map(Arc::from)
    }

    pub fn required_text<'n>(
        &self,
        node: Node<'n, '_>,
        attribute: &'static str,
    ) -> Result<&'n str, TemplateError> {
        match node.attribute(attribute) {
            Some(value) => Ok(value.trim()),
            None => {
                let element = node.tag_name().name().to_owned();
                Err(self.schema(node, TemplateErrorKind::MissingAttribute { attribute, element }))
            }
        }
    }

    /// The template definition elements among the children; foreign ones are skipped (§9).
    pub fn children<'n, 'x>(&self, node: Node<'n, 'x>) -> Result<Vec<Node<'n, 'x>>, TemplateError> {
        let mut children = Vec::new();
        for child in node.children() {
            if child.is_element() {
                if self.is_ours(child) {
                    children.push(child);
                }
            } else if child.is_text()
                && !self.options.stray_text
                && !child.text().unwrap_or_default().trim().is_empty()
            {
                let element = node.tag_name().name().to_owned();
                return Err(self.schema(child, TemplateErrorKind::Text(element)));
            }
        }
        Ok(children)
    }

    pub fn no_children(&self, node: Node<'_, '_>) -> Result<(), TemplateError> {
        match self.children(node)?.first() {
            Some(child) => Err(self.unexpected(*child, node)),
            None => Ok(()),
        }
    }

    /// Refuses attributes that are neither foreign nor in `allowed`.
    pub fn attributes(&self, node: Node<'_, '_>, allowed: &[&str]) -> Result<(), TemplateError> {
        if self.options.unknown_attributes {
            return Ok(());
        }
        for attribute in node.attributes() {
            let foreign = match attribute.namespace() {
                None => allowed.contains(&attribute.name()),
                Some(namespace) => !is_template_namespace(namespace),
            };
            if !foreign {
                let kind = TemplateErrorKind::Attribute {
                    attribute: attribute.name().to_owned(),
                    element: node.tag_name().name().to_owned(),
                };
                return Err(self.schema(node, kind));
            }
        }
        Ok(())
    }

    /// Whether an element belongs to the specification rather than being foreign.
    fn is_ours(&self, node: Node<'_, '_>) -> bool {
        let namespace = node.tag_name().namespace().unwrap_or_default();
        is_template_namespace(namespace)
            || self.options.any_namespace
                && (namespace.is_empty() || namespace == self.root_namespace)
    }

    /// Whether an element may be one of FAST 1.2.
    pub fn is_extended(&self, node: Node<'_, '_>) -> bool {
        node.tag_name().namespace() == Some(TEMPLATE_NAMESPACE_1_2) || self.options.any_namespace
    }

    pub fn unexpected(&self, node: Node<'_, '_>, parent: Node<'_, '_>) -> TemplateError {
        const EXTENSION: [&str; 7] =
            ["define", "field", "enum", "set", "bitGroup", "timestamp", "boolean"];
        let element = node.tag_name().name().to_owned();
        if !self.is_extended(node) && EXTENSION.contains(&element.as_str()) {
            return self.schema(node, TemplateErrorKind::Unsupported { element });
        }
        let parent = parent.tag_name().name().to_owned();
        self.schema(node, TemplateErrorKind::Element { element, parent })
    }

    pub fn position(&self, node: Node<'_, '_>) -> Position {
        self.text.position(node.range().start)
    }

    /// An error against the schema.
    pub fn schema(&self, node: Node<'_, '_>, kind: TemplateErrorKind) -> TemplateError {
        self.error(Some(StaticCode::S1), node, kind)
    }

    pub fn error(
        &self,
        code: Option<StaticCode>,
        node: Node<'_, '_>,
        kind: TemplateErrorKind,
    ) -> TemplateError {
        TemplateError {
            code,
            kind,
            position: self.position(node),
            template: self.template.clone(),
            field: self.field.clone(),
        }
    }
}

fn is_template_namespace(namespace: &str) -> bool {
    namespace == TEMPLATE_NAMESPACE || namespace == TEMPLATE_NAMESPACE_1_2
}

/// The content of a template, group or sequence.
pub(super) struct Parts<'a, 'i> {
    pub type_ref: Option<Name>,
    pub length: Option<Node<'a, 'i>>,
    pub instructions: Vec<Instruction>,
}

/// The `id` attribute.
pub(super) fn auxiliary_id(node: Node<'_, '_>) -> AuxiliaryId {
    let text = node.attribute("id").map(|text| Arc::from(text.trim()));
    let number = text.as_deref().and_then(|text: &str| text.parse().ok());
    AuxiliaryId { text, number }
}

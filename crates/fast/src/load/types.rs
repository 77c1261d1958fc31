//! The concrete syntax of FAST 1.2: type definitions and the types that the extension adds.
//!
//! `<nnn name="x">…</nnn>` is short for `<field name="x"><nnn>…</nnn></field>`, so that a field is
//! read from two elements, which may be one: the *site* names it, the *body* is its type.

use std::sync::Arc;

use roxmltree::Node;

use super::field::Slot;
use super::reader::{Inherited, Reader, auxiliary_id};
use super::{StaticCode, TemplateError, TemplateErrorKind};
use crate::error::ErrorCode;
use crate::model::{
    BitField, BitGroup, Context, Element, Epoch, Field, FieldOperator, Key, KeyPart, LogicalType,
    MAX_BIT_GROUP, Operator, OwnedValue, Presence, TimeUnit,
};

/// The elements of a field.
#[derive(Clone)]
pub(super) struct Declaration<'a, 'i> {
    /// Has the name, the identifier and the presence.
    pub site: Node<'a, 'i>,
    /// Has the type.
    pub body: Node<'a, 'i>,
    /// The operator of a reference to a type: it replaces that of the type's definition.
    pub operator: Option<Node<'a, 'i>>,
    /// The definitions that lead from the site to the body.
    pub types: Vec<&'a str>,
}

impl<'a, 'i> Declaration<'a, 'i> {
    /// One element is both.
    pub fn short(node: Node<'a, 'i>) -> Self {
        Self { site: node, body: node, operator: None, types: Vec::new() }
    }
}

const OPERATORS: [&str; 6] = ["constant", "default", "copy", "increment", "delta", "tail"];

impl<'a, 'i> Reader<'_, 'a, 'i> {
    /// Reads a `define`: what it defines is read where it is used.
    pub(super) fn define(&mut self, node: Node<'a, 'i>) -> Result<(), TemplateError> {
        self.attributes(node, &["name"])?;
        let name = self.required_text(node, "name")?;
        if self.types.insert(name, node).is_some() {
            return Err(self.schema(node, TemplateErrorKind::DuplicateType(name.to_owned())));
        }
        Ok(())
    }

    /// Follows every definition to its type, so that also unused ones have one.
    pub(super) fn check_definitions(&mut self) -> Result<(), TemplateError> {
        let mut definitions: Vec<_> = self.types.values().copied().collect();
        definitions.sort_unstable_by_key(|node| node.range().start);
        for node in definitions {
            let body = self.resolve(node)?.body;
            let is_type = matches!(body.tag_name().name(), "sequence" | "group" | "bitGroup")
                || super::field::field_type(body).is_some()
                || self.is_logical(body)
                || integer_type(body).is_some();
            if !is_type {
                return Err(self.unexpected(body, node));
            }
        }
        Ok(())
    }

    /// Finds the body of a `field` or `define`.
    pub(super) fn resolve(&self, site: Node<'a, 'i>) -> Result<Declaration<'a, 'i>, TemplateError> {
        let mut declaration = Declaration::short(site);
        let mut holder = site;
        loop {
            let children = self.children(holder)?;
            let Some(content) = children.first().copied() else {
                let element = holder.tag_name().name().to_owned();
                return Err(self.schema(holder, TemplateErrorKind::MissingType(element)));
            };
            if let Some(second) = children.get(1) {
                return Err(self.unexpected(*second, holder));
            }
            if content.tag_name().name() != "type" {
                declaration.body = content;
                return Ok(declaration);
            }
            self.attributes(content, &["name"])?;
            let operators = self.children(content)?;
            if let Some(second) = operators.get(1) {
                return Err(self.unexpected(*second, content));
            }
            declaration.operator = declaration.operator.or(operators.first().copied());
            let name = self.required_text(content, "name")?;
            let Some(definition) = self.types.get(name).copied() else {
                let kind = TemplateErrorKind::UnknownType(name.to_owned());
                return Err(self.schema(content, kind));
            };
            if declaration.types.contains(&name) || self.expanding.contains(&name) {
                let kind = TemplateErrorKind::TypeCycle(name.to_owned());
                return Err(self.schema(content, kind));
            }
            declaration.types.push(name);
            holder = definition;
        }
    }

    /// Refuses attributes that belong neither to the naming nor to the type of a field.
    pub(super) fn declared_attributes(
        &self,
        declaration: &Declaration<'_, '_>,
        type_attributes: &[&str],
    ) -> Result<(), TemplateError> {
        let mut allowed = vec!["name", "ns", "id", "presence"];
        if declaration.site != declaration.body {
            self.attributes(declaration.site, &allowed)?;
            allowed = vec!["presence"];
        }
        allowed.extend_from_slice(type_attributes);
        self.attributes(declaration.body, &allowed)
    }

    /// The presence at the site or else that of the type.
    pub(super) fn declared_presence(
        &self,
        declaration: &Declaration<'_, '_>,
    ) -> Result<Presence, TemplateError> {
        match declaration.site.attribute("presence") {
            Some(_) => self.presence(declaration.site),
            None => self.presence(declaration.body),
        }
    }

    /// Whether the element is one of the types that are integers with a meaning.
    pub(super) fn is_logical(&self, node: Node<'_, '_>) -> bool {
        match node.tag_name().name() {
            "enum" | "set" | "timestamp" | "boolean" => self.is_extended(node),
            _ => self.options.small_integers && integer_type(node).is_some(),
        }
    }

    /// A field of one of them.
    pub(super) fn logical_field(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Field, TemplateError> {
        let Declaration { site, body, .. } = *declaration;
        let (logical, operators) = self.logical(declaration)?;
        let inherited = self.inherit(site, inherited)?;
        let name = self.name(site, &inherited)?;
        let presence = self.declared_presence(declaration)?;
        let operator = match self.one_operator(declaration, &operators)? {
            None => Operator::None,
            Some(operator) => {
                let key = Key { name: name.clone(), part: KeyPart::Value };
                let element = logical_element(&logical);
                let initial = |text: &str| logical.initial(text);
                let applicable = operator.tag_name().name() != "tail";
                let value_type = logical.field_type();
                let slot =
                    Slot { presence, key: &key, field_type: element, applicable, value_type };
                self.operator_of(operator, body, &inherited, slot, &initial)?
            }
        };
        Ok(Field {
            name,
            id: auxiliary_id(site),
            presence,
            field_type: logical.field_type(),
            logical: Some(logical),
            operator: FieldOperator::Whole(operator),
            length: None,
            position: self.position(site),
        })
    }

    /// The operator of a declaration: that of the reference or else the one of the type.
    fn one_operator<'n>(
        &self,
        declaration: &Declaration<'n, 'i>,
        operators: &[Node<'n, 'i>],
    ) -> Result<Option<Node<'n, 'i>>, TemplateError> {
        if let Some(second) = operators.get(1) {
            return Err(self.unexpected(*second, declaration.body));
        }
        Ok(declaration.operator.or(operators.first().copied()))
    }

    /// The type of a declaration, and the children that are not elements of an enum or set.
    fn logical(
        &mut self,
        declaration: &Declaration<'a, 'i>,
    ) -> Result<(Arc<LogicalType>, Vec<Node<'a, 'i>>), TemplateError> {
        let body = declaration.body;
        let (elements, operators): (Vec<_>, Vec<_>) = self
            .children(body)?
            .into_iter()
            .partition(|child| child.tag_name().name() == "element");
        let element = body.tag_name().name();
        let type_attributes: &[&str] =
            if element == "timestamp" { &["unit", "epoch"] } else { &[] };
        self.declared_attributes(declaration, type_attributes)?;
        if let Some(known) = self.logical_types.get(&body.id()) {
            return Ok((known.clone(), operators));
        }
        let logical = match element {
            "enum" => LogicalType::Enum(self.elements(body, &elements, 1 << 16)?),
            "set" => LogicalType::Set(self.elements(body, &elements, 64)?),
            _ if !elements.is_empty() => return Err(self.unexpected(elements[0], body)),
            "boolean" => LogicalType::Boolean,
            "timestamp" => self.timestamp(body)?,
            _ => match integer_type(body) {
                Some((bits, signed)) => LogicalType::Integer { bits, signed },
                None => return Err(self.unexpected(body, declaration.site)),
            },
        };
        let logical = Arc::new(logical);
        self.logical_types.insert(body.id(), logical.clone());
        Ok((logical, operators))
    }

    fn elements(
        &self,
        body: Node<'_, '_>,
        nodes: &[Node<'_, '_>],
        limit: u32,
    ) -> Result<Arc<[Element]>, TemplateError> {
        let what = body.tag_name().name();
        if nodes.is_empty() {
            return Err(self.schema(body, TemplateErrorKind::MissingType(what.to_owned())));
        }
        if nodes.len() > limit as usize {
            let kind = TemplateErrorKind::Limit { what: "elements of an enum or set", limit };
            return Err(self.schema(nodes[limit as usize], kind));
        }
        let mut names = rustc_hash::FxHashSet::default();
        let mut elements = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.attributes(*node, &["name", "id"])?;
            self.no_children(*node)?;
            // An encoded value of its own would change the wire format, so that no leniency
            // passes over it.
            if node.attribute("value").is_some() {
                let kind = TemplateErrorKind::Attribute {
                    attribute: "value".to_owned(),
                    element: "element".to_owned(),
                };
                return Err(self.schema(*node, kind));
            }
            let name = self.required_text(*node, "name")?;
            if !names.insert(name) {
                let kind =
                    TemplateErrorKind::AttributeValue { attribute: "name", value: name.to_owned() };
                return Err(self.schema(*node, kind));
            }
            let id = node.attribute("id").map(|id| Arc::from(id.trim()));
            elements.push(Element { name: Arc::from(name), id });
        }
        Ok(Arc::from(elements))
    }

    fn timestamp(&self, body: Node<'_, '_>) -> Result<LogicalType, TemplateError> {
        let unit = match body.attribute("unit") {
            None => TimeUnit::default(),
            Some(name) => TimeUnit::from_name(name.trim()).ok_or_else(|| {
                let kind =
                    TemplateErrorKind::AttributeValue { attribute: "unit", value: name.to_owned() };
                self.schema(body, kind)
            })?,
        };
        let epoch = match body.attribute("epoch").map(str::trim) {
            None | Some("unix") => Epoch::Unix,
            Some("today") => Epoch::Today,
            Some(other) => Epoch::Other(Arc::from(other)),
        };
        Ok(LogicalType::Timestamp { unit, epoch })
    }

    pub(super) fn bit_group(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<BitGroup, TemplateError> {
        let Declaration { site, body, .. } = *declaration;
        self.declared_attributes(declaration, &[])?;
        // The extension gives the group no representation of NULL.
        if self.declared_presence(declaration)? == Presence::Optional {
            let kind = TemplateErrorKind::AttributeValue {
                attribute: "presence",
                value: "optional".to_owned(),
            };
            return Err(self.schema(site, kind));
        }
        let inherited = self.inherit(site, inherited)?;
        let name = self.name(site, &inherited)?;
        let (operators, nodes): (Vec<_>, Vec<_>) = self
            .children(body)?
            .into_iter()
            .partition(|child| OPERATORS.contains(&child.tag_name().name()));
        if nodes.is_empty() {
            let kind = TemplateErrorKind::MissingType("bitGroup".to_owned());
            return Err(self.schema(body, kind));
        }
        let mut members = Vec::new();
        for node in nodes {
            let enclosing = self.field.clone();
            self.step(node)?;
            members.push(self.bit_field(node, body, &inherited)?);
            self.field = enclosing;
        }
        let mut group = BitGroup {
            name,
            id: auxiliary_id(site),
            operator: Operator::None,
            members,
            position: self.position(site),
        };
        if group.bits() > MAX_BIT_GROUP {
            let kind =
                TemplateErrorKind::Limit { what: "bits of a bit group", limit: MAX_BIT_GROUP };
            return Err(self.schema(site, kind));
        }
        if let Some(operator) = self.one_operator(declaration, &operators)? {
            let key = Key { name: group.name.clone(), part: KeyPart::Value };
            let initial = |text: &str| {
                let bits: u64 = text.trim().parse().map_err(|_| ErrorCode::D11)?;
                let fits = bits >> group.bits() == 0;
                if fits { Ok(OwnedValue::UInt(bits)) } else { Err(ErrorCode::R4) }
            };
            let applicable = matches!(operator.tag_name().name(), "constant" | "default" | "copy");
            let presence = Presence::Mandatory;
            let slot = Slot {
                presence,
                key: &key,
                field_type: "bitGroup",
                applicable,
                value_type: crate::model::FieldType::UInt64,
            };
            group.operator = self.operator_of(operator, body, &inherited, slot, &initial)?;
        }
        Ok(group)
    }

    fn bit_field(
        &mut self,
        node: Node<'a, 'i>,
        parent: Node<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<BitField, TemplateError> {
        self.field = node.attribute("name").map(|name| Arc::from(name.trim()));
        let declaration = match node.tag_name().name() {
            "field" => self.resolve(node)?,
            _ => Declaration::short(node),
        };
        let body = declaration.body;
        let is_member = matches!(body.tag_name().name(), "enum" | "set" | "boolean")
            || integer_type(body).is_some_and(|(bits, _)| bits < 8);
        if !is_member {
            return Err(self.unexpected(body, parent));
        }
        let (logical, operators) = self.logical(&declaration)?;
        // The group has the operator.
        if let Some(operator) = self.one_operator(&declaration, &operators)? {
            let kind = TemplateErrorKind::OperatorNotApplicable {
                operator: operator.tag_name().name().to_owned(),
                field_type: "member of a bitGroup",
            };
            return Err(self.error(Some(StaticCode::S2), operator, kind));
        }
        let presence = self.declared_presence(&declaration)?;
        let Some(bits) = logical.bits_in_group(presence == Presence::Optional) else {
            let kind =
                TemplateErrorKind::Limit { what: "bits of a member of a bit group", limit: 7 };
            return Err(self.schema(node, kind));
        };
        let inherited = self.inherit(node, inherited)?;
        Ok(BitField {
            name: self.name(node, &inherited)?,
            id: auxiliary_id(node),
            presence,
            field_type: logical.field_type(),
            logical,
            bits,
            position: self.position(node),
        })
    }
}

/// The bits and the sign of `int2` to `int7` and `uInt1` to `uInt7`, and of the types of 8 and 16
/// bits that some published files have.
pub(super) fn integer_type(node: Node<'_, '_>) -> Option<(u32, bool)> {
    let element = node.tag_name().name();
    let (bits, signed) = match element.strip_prefix("uInt") {
        Some(bits) => (bits, false),
        None => (element.strip_prefix("int")?, true),
    };
    match (bits, signed) {
        ("1", false) => Some((1, false)),
        ("2" | "3" | "4" | "5" | "6" | "7" | "8" | "16", _) => Some((bits.parse().ok()?, signed)),
        _ => None,
    }
}

/// The element's name in the concrete syntax, for errors.
fn logical_element(logical: &LogicalType) -> &'static str {
    match logical {
        LogicalType::Enum(_) => "enum",
        LogicalType::Set(_) => "set",
        LogicalType::Boolean => "boolean",
        LogicalType::Timestamp { .. } => "timestamp",
        LogicalType::Integer { .. } => "integer",
    }
}

/// The operands of copy, increment, delta and tail.
pub(super) fn with_context(element: &str, context: Context) -> Operator {
    match element {
        "copy" => Operator::Copy(context),
        "increment" => Operator::Increment(context),
        "delta" => Operator::Delta(context),
        _ => Operator::Tail(context),
    }
}

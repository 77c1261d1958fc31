//! Why a template definition is refused.

use std::fmt;
use std::sync::Arc;

use crate::error::ErrorCode;
use crate::model::Position;

/// The specification's static errors (appendix 4), and the dynamic error D8, which loading finds
/// already, since all templates are known then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StaticCode {
    /// Not well-formed, against the rules of namespaces, or invalid by the schema.
    S1,
    /// The operator is not applicable to the field's type.
    S2,
    /// The initial value cannot be converted to the field's type.
    S3,
    /// A constant operator has no initial value.
    S4,
    /// A default operator on a mandatory field has no initial value.
    S5,
    /// A static reference names an unknown template.
    D8,
}

impl fmt::Display for StaticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateErrorKind {
    /// The XML parser's finding.
    #[error("not well-formed XML: {0}")]
    Xml(String),
    /// The document is larger than [`max_bytes`](crate::LoadOptions::max_bytes).
    #[error("{bytes} bytes exceed the limit of {limit}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The root element is neither `templates` nor `template`.
    #[error("root element <{0}> is neither <templates> nor <template>")]
    Root(String),
    /// An element of FAST 1.2 in a definition that is not in the namespace of FAST 1.2.
    #[error("element <{element}> is of FAST 1.2 and needs its namespace")]
    Unsupported {
        /// Its local name.
        element: String,
    },
    /// An element is not allowed where it is.
    #[error("element <{element}> is not allowed in <{parent}>")]
    Element {
        /// Its local name.
        element: String,
        /// The parent's local name.
        parent: String,
    },
    /// Text between elements.
    #[error("text is not allowed in <{0}>")]
    Text(String),
    /// An attribute is not allowed where it is.
    #[error("attribute {attribute:?} is not allowed on <{element}>")]
    Attribute {
        /// The attribute's name.
        attribute: String,
        /// The element's local name.
        element: String,
    },
    /// A required attribute is missing.
    #[error("<{element}> has no attribute {attribute:?}")]
    MissingAttribute {
        /// The attribute's name.
        attribute: &'static str,
        /// The element's local name.
        element: String,
    },
    /// An attribute has a value that the schema does not allow.
    #[error("attribute {attribute:?} cannot have the value {value:?}")]
    AttributeValue {
        /// The attribute's name.
        attribute: &'static str,
        /// Its value.
        value: String,
    },
    /// An `exponent` or `mantissa` element has no operator.
    #[error("<{0}> has no operator")]
    MissingOperator(String),
    /// The operator is not applicable to the type.
    #[error("operator <{operator}> is not applicable to <{field_type}>")]
    OperatorNotApplicable {
        /// The operator's element.
        operator: String,
        /// The field's element.
        field_type: &'static str,
    },
    /// The initial value does not convert.
    #[error("initial value {value:?} does not convert to <{field_type}>: {reason}")]
    InitialValue {
        /// The attribute's text.
        value: String,
        /// The field's element.
        field_type: &'static str,
        /// The code of the conversion's error.
        reason: ErrorCode,
    },
    /// Constant without value.
    #[error("<constant> has no initial value")]
    ConstantWithoutValue,
    /// Default without value on a mandatory field.
    #[error("<default> on a mandatory field has no initial value")]
    DefaultWithoutValue,
    /// The referenced template does not exist.
    #[error("there is no template {0}")]
    UnknownTemplate(String),
    /// A template contains itself by static references.
    #[error("template {0} refers to itself")]
    ReferenceCycle(String),
    /// Two templates have the same name.
    #[error("two templates have the name {0}")]
    DuplicateName(String),
    /// Two templates have the same identifier.
    #[error("two templates have the identifier {0}")]
    DuplicateId(u32),
    /// A field or definition has no type, an enum or set no element, a bit group no member.
    #[error("<{0}> is empty")]
    MissingType(String),
    /// A reference to a type that is not defined.
    #[error("there is no type {0}")]
    UnknownType(String),
    /// A type's definition contains itself.
    #[error("type {0} refers to itself")]
    TypeCycle(String),
    /// Two definitions have the same name.
    #[error("two types have the name {0}")]
    DuplicateType(String),
    /// A limit of the options was reached.
    #[error("more than {limit} {what}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: u32,
    },
}

/// A template definition was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The specification's code, where it has one for this error.
    pub code: Option<StaticCode>,
    /// What is wrong.
    pub kind: TemplateErrorKind,
    /// Where, as line and column of the text.
    pub position: Position,
    /// The template.
    pub template: Option<Arc<str>>,
    /// The field.
    pub field: Option<Arc<str>>,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "{line}:{column}: ")?;
        if let Some(code) = self.code {
            write!(f, "{code}: ")?;
        }
        write!(f, "{}", self.kind)?;
        if let Some(template) = &self.template {
            write!(f, ", in template {template:?}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ", at field {field:?}")?;
        }
        Ok(())
    }
}

impl std::error::Error for TemplateError {}

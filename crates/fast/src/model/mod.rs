//! The template model: what a template definition says, before anything is compiled.
//!
//! Names and dictionaries are already resolved against the namespaces and attributes of the
//! enclosing elements (§6.3.1, §7), so that nothing here depends on the concrete syntax. A static
//! template reference stays a name: it is followed when the model is compiled.

mod convert;
mod logical;
mod value;

pub(crate) use convert::normalize;
pub use convert::{convert, parse_decimal};
pub use logical::{BitField, BitGroup, Element, Epoch, LogicalType, MAX_BIT_GROUP, TimeUnit};
pub use value::OwnedValue;

use std::fmt;
use std::sync::Arc;

/// A namespace URI and a local name; two names are equal iff both parts are (§7).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The namespace URI, empty where none applies.
    pub namespace: Arc<str>,
    /// The `name` attribute.
    pub local: Arc<str>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.namespace.is_empty() {
            write!(f, "{{{}}}", self.namespace)?;
        }
        f.write_str(&self.local)
    }
}

/// A line and a column of the definition, both from 1; (0, 0) where there is no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

/// The auxiliary identifier of a component (§7.1), as written and, where it is a decimal number
/// below 2^32, as that number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuxiliaryId {
    /// The attribute's text.
    pub text: Option<Arc<str>>,
    /// The number: a template's identifier in the stream, a field's FIX tag.
    pub number: Option<u32>,
}

/// A template (§6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name, in the `templateNs` namespace.
    pub name: Name,
    /// Its identifier; the stream refers to templates by `id.number`.
    pub id: AuxiliaryId,
    /// The application type, where the template has a `typeRef`.
    pub type_ref: Option<Name>,
    /// Whether all dictionaries are reset before a message of this template (`scp:reset`).
    pub reset: bool,
    /// The instructions in the order of the stream.
    pub instructions: Vec<Instruction>,
    /// Where it is defined.
    pub position: Position,
}

/// One instruction of a template, group or sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// A primitive field (§6.2.1–6.2.4).
    Field(Field),
    /// A sequence (§6.2.5).
    Sequence(Sequence),
    /// A group (§6.2.6).
    Group(Group),
    /// A bit group of FAST 1.2.
    BitGroup(BitGroup),
    /// A reference to a template by name: its instructions take the place of this one (§6.4).
    StaticReference {
        /// The template's name.
        name: Name,
        /// Where the reference is.
        position: Position,
    },
    /// A reference that the stream resolves (§6.4).
    DynamicReference {
        /// Where the reference is.
        position: Position,
    },
}

/// Whether a field must have a value (§6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Presence {
    /// It must.
    #[default]
    Mandatory,
    /// It may be absent.
    Optional,
}

/// The type of a primitive field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// -2^31 ..= 2^31-1
    Int32,
    /// 0 ..= 2^32-1
    UInt32,
    /// -2^63 ..= 2^63-1
    Int64,
    /// 0 ..= 2^64-1
    UInt64,
    /// Exponent and mantissa.
    Decimal,
    /// A string with charset ASCII.
    Ascii,
    /// A string with charset Unicode.
    Unicode,
    /// A byte vector.
    Bytes,
}

impl FieldType {
    /// Whether it is one of the four integer types.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Int32 | Self::UInt32 | Self::Int64 | Self::UInt64)
    }

    /// Whether it is a string or a byte vector.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Ascii | Self::Unicode | Self::Bytes)
    }

    /// The least and the greatest value of a signed integer type.
    pub(crate) const fn signed_bounds(self) -> (i64, i64) {
        match self {
            Self::Int32 => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// The greatest value of an unsigned integer type.
    pub(crate) const fn unsigned_max(self) -> u64 {
        match self {
            Self::UInt32 => u32::MAX as u64,
            _ => u64::MAX,
        }
    }

    /// The element's name in the concrete syntax.
    pub const fn element(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::UInt32 => "uInt32",
            Self::Int64 => "int64",
            Self::UInt64 => "uInt64",
            Self::Decimal => "decimal",
            Self::Ascii | Self::Unicode => "string",
            Self::Bytes => "byteVector",
        }
    }
}

/// A primitive field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, in the `ns` namespace.
    pub name: Name,
    /// Its identifier, a FIX tag in FIX feeds.
    pub id: AuxiliaryId,
    /// Its presence.
    pub presence: Presence,
    /// Its type; that of the integer for a type of FAST 1.2.
    pub field_type: FieldType,
    /// What the integer means, where the field has a type of FAST 1.2.
    pub logical: Option<Arc<LogicalType>>,
    /// Its operator or, for a decimal, the operators of the parts.
    pub operator: FieldOperator,
    /// The name given to the length preamble of a Unicode string or byte vector.
    pub length: Option<(Name, AuxiliaryId)>,
    /// Where it is defined.
    pub position: Position,
}

/// How the operator of a field is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldOperator {
    /// One operator for the value.
    Whole(Operator),
    /// Individual operators for exponent (an int32) and mantissa (an int64) of a decimal (§6.2.2).
    Parts {
        /// The operator of the exponent.
        exponent: Operator,
        /// The operator of the mantissa.
        mantissa: Operator,
    },
}

/// An operator with its operands (§6.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// No operator: the value is in the stream.
    None,
    /// Always the initial value.
    Constant(OwnedValue),
    /// The initial value where none is in the stream.
    Default(Option<OwnedValue>),
    /// The previous value where none is in the stream.
    Copy(Context),
    /// The previous value plus one where none is in the stream.
    Increment(Context),
    /// A difference to the previous value.
    Delta(Context),
    /// The end of the string; its beginning is that of the previous value.
    Tail(Context),
}

/// The operands of an operator that has a previous value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The dictionary that holds the previous value.
    pub dictionary: DictionaryName,
    /// The entry's name.
    pub key: Key,
    /// The initial value.
    pub initial: Option<OwnedValue>,
}

/// A dictionary as the template names it (§6.3.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DictionaryName {
    /// `global`
    Global,
    /// `template`: the one of the current template.
    Template,
    /// `type`: the one of the current application type.
    Type,
    /// Any other name.
    User(Arc<str>),
}

/// The name of a dictionary entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The `key` attribute or the field's name.
    pub name: Name,
    /// Which generated name it is, so that generated ones never equal written ones.
    pub part: KeyPart,
}

/// Marks keys that are generated from the name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyPart {
    /// A written name.
    Value,
    /// The exponent of the decimal of that name.
    Exponent,
    /// The mantissa of the decimal of that name.
    Mantissa,
    /// The implicitly named length of the sequence of that name.
    Length,
}

/// A sequence (§6.2.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Its name.
    pub name: Name,
    /// Its identifier.
    pub id: AuxiliaryId,
    /// Whether the length may be absent.
    pub presence: Presence,
    /// The application type of the elements, where there is a `typeRef`.
    pub type_ref: Option<Name>,
    /// The length field.
    pub length: Length,
    /// The instructions of an element.
    pub instructions: Vec<Instruction>,
    /// Where it is defined.
    pub position: Position,
}

/// The length of a sequence: a uInt32.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// The explicit name, if there is one.
    pub name: Option<Name>,
    /// Its identifier.
    pub id: AuxiliaryId,
    /// Its operator.
    pub operator: Operator,
}

/// A group (§6.2.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: Name,
    /// Its identifier.
    pub id: AuxiliaryId,
    /// Whether the group may be absent.
    pub presence: Presence,
    /// The application type, where there is a `typeRef`.
    pub type_ref: Option<Name>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Where it is defined.
    pub position: Position,
}

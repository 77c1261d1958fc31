//! The compiled form of a set of templates: flat instructions over numbered slots.
//!
//! The model names things; the plan numbers them. Static references are followed, names of
//! dictionary entries become slot indices, and every group or sequence becomes a *block* of
//! consecutive instructions. Decoder and encoder run the same plan.

mod compile;
mod op;

pub(crate) use compile::compile;
pub(crate) use op::{Op, OpCode, Plain};

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::ErrorCode;
use crate::model::{AuxiliaryId, FieldType, LogicalType, Name, OwnedValue, Presence, convert};
use crate::value::Value;

/// What a visitor learns of a field besides its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// The qualified name.
    pub name: Name,
    /// The name made unique in its scope (the message, group or sequence element): the second
    /// field named `X` has the key `X#2`. The key depends on the template alone, never on which
    /// fields are present. A dynamic reference has the key `templateRef`.
    pub key: Arc<str>,
    /// The number in the `id` attribute, a FIX tag in FIX feeds. A sequence without one has the
    /// number of its length field.
    pub id: Option<u32>,
    /// The same as `id`, 0 where there is none: visitors that tell fields apart by FIX tags need
    /// one comparison less.
    pub tag: u32,
    /// What kind of field it is.
    pub kind: FieldKind,
    /// What its integers mean, where it has a type of FAST 1.2.
    pub logical: Option<Arc<LogicalType>>,
    /// Whether it may be absent.
    pub presence: Presence,
    /// Whether the template itself gives its value, in every message: a mandatory constant.
    pub constant: bool,
    /// The name and identifier of the length of a sequence, Unicode string or byte vector.
    pub length: Option<(Name, AuxiliaryId)>,
    /// Its place among the fields of its scope, from 0.
    pub ordinal: u32,
    /// The scope that it opens (group, sequence).
    pub(crate) scope: Option<u32>,
}

impl FieldInfo {
    /// Converts an application's value to the type of this primitive field.
    pub(crate) fn convert(
        &self,
        value: Value<'_>,
        field_type: FieldType,
    ) -> Result<OwnedValue, ErrorCode> {
        match &self.logical {
            Some(logical) => logical.convert(value),
            None => convert(value, field_type),
        }
    }
}

/// The kind of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// A primitive field.
    Primitive(FieldType),
    /// A sequence.
    Sequence,
    /// A group.
    Group,
    /// A dynamic template reference: a message inside the message.
    Reference,
}

/// No entry in a table.
pub(crate) const NONE: u32 = u32::MAX;

/// A set of compiled templates.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Entry `i` below the number of templates is template `i` with the application type *any*.
    pub entries: Vec<Entry>,
    /// Entries of templates that are used inside another application type.
    pub variants: FxHashMap<(u32, u32), u32>,
    /// Template identifier to entry.
    pub by_id: FxHashMap<u32, u32>,
    /// The same for identifiers below [`DENSE_IDS`], as far as there are any; `NONE` for none.
    pub by_small_id: Vec<u32>,
    pub code: Vec<Instruction>,
    pub blocks: Vec<Block>,
    /// Parallel to `blocks`.
    pub scopes: Vec<Scope>,
    pub fields: Vec<FieldInfo>,
    pub operated: Vec<Operated>,
    pub bounded: Vec<Bounded>,
    pub bit_groups: Vec<BitGroup>,
    pub values: Vec<OwnedValue>,
    /// For each slot the dictionary that it belongs to.
    pub slots: Vec<u32>,
    pub dictionaries: Vec<Dictionary>,
}

/// A template that can be entered from the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub template: u32,
    pub block: u32,
    pub reset: bool,
}

/// The instructions `start..end` of a message, group or sequence element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub start: u32,
    pub end: u32,
    /// Whether an instruction of the block allocates a bit in its presence map, so that the block
    /// is a segment of its own (§6.2.5, §6.2.6).
    pub segment: bool,
    /// How many bits its instructions take at most.
    pub bits: u32,
}

/// The fields of a block by name and tag.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Indices into `fields` by ordinal.
    pub fields: Vec<u32>,
    pub names: FxHashMap<Arc<str>, u32>,
    pub tags: FxHashMap<u32, u32>,
}

/// A resolved dictionary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dictionary {
    Global,
    Template(u32),
    /// By application type; `None` is *any*.
    Type(Option<Name>),
    User(Arc<str>),
}

/// One step of a plan. Its size is a power of two, so that counting steps takes no division.
#[derive(Clone, Debug)]
#[repr(align(256))]
pub(crate) struct Instruction {
    pub code: Code,
    /// How many instructions from this one on are optional fields without operator. Each of them
    /// is the single byte 0x80 when it is absent, so that absent ones are skipped together.
    pub nullable_run: u8,
    /// Index into `fields`.
    pub field: u32,
    /// What it is depends on the code.
    pub operand: u32,
    /// What the usual case needs to know.
    pub op: Op,
    /// The value of a constant ASCII string, or the initial value of one.
    pub text: Box<[u8]>,
    /// The entry in `fields`, here too for the sake of one look-up less.
    pub info: FieldInfo,
}

/// Operation codes. The fields without operator have one each, since they need nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    Int32,
    Int32Optional,
    UInt32,
    UInt32Optional,
    Int64,
    Int64Optional,
    UInt64,
    UInt64Optional,
    Decimal,
    DecimalOptional,
    Ascii,
    AsciiOptional,
    Unicode,
    UnicodeOptional,
    Bytes,
    BytesOptional,
    /// `operand`: the value.
    Constant,
    /// `operand`: the value.
    ConstantOptional,
    /// `operand`: index into `operated`.
    Integer,
    /// `operand`: index into `operated`.
    DecimalWhole,
    /// `operand`: index into `operated` of the exponent; the mantissa's follows it.
    DecimalParts,
    /// `operand`: index into `operated`.
    Text,
    /// `operand`: the block.
    Group,
    /// `operand`: the block.
    GroupOptional,
    /// `operand`: index into `operated` of the length; the field's scope is the block.
    Sequence,
    /// `operand`: the number of the application type.
    Reference,
    /// `operand`: index into `bounded`.
    Bounded,
    /// `operand`: index into `bit_groups`.
    BitGroup,
}

impl Code {
    /// Whether it is an optional field without operator.
    pub fn is_nullable(self) -> bool {
        matches!(
            self,
            Self::Int32Optional
                | Self::UInt32Optional
                | Self::Int64Optional
                | Self::UInt64Optional
                | Self::DecimalOptional
                | Self::AsciiOptional
                | Self::UnicodeOptional
                | Self::BytesOptional
        )
    }

    /// Whether it is a field without operator, optional or not.
    pub fn is_plain(self) -> bool {
        use Code::*;
        self.is_nullable()
            || matches!(self, Int32 | UInt32 | Int64 | UInt64 | Decimal | Ascii | Unicode | Bytes)
    }
}

/// A value with an operator, or the length of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operated {
    /// What the usual case of an integer needs to know.
    pub op: Op,
    pub field_type: FieldType,
    pub operator: OperatorCode,
    pub optional: bool,
    /// Index into `slots`, `NONE` where the operator has no previous value.
    pub slot: u32,
    /// Index into `values` of the initial value or `NONE`.
    pub initial: u32,
    /// The initial value of a number: an integer's bits or a decimal's mantissa.
    pub initial_bits: u64,
    /// The exponent of a decimal's initial value.
    pub initial_exponent: i32,
}

/// An integer of FAST 1.2 whose bounds are not those of its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    /// Index into `operated`.
    pub operated: u32,
    pub least: i64,
    pub greatest: u64,
}

/// A bit group of FAST 1.2.
#[derive(Clone, Debug)]
pub(crate) struct BitGroup {
    /// Index into `operated`: a mandatory uInt64.
    pub operated: u32,
    /// Of all members, at most 63.
    pub bits: u32,
    pub members: Vec<BitMember>,
}

/// A member of a bit group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitMember {
    /// Index into `fields`.
    pub field: u32,
    /// Bits of the group behind it.
    pub shift: u32,
    /// Its own bits, 1 to 7.
    pub bits: u32,
    pub signed: bool,
    pub optional: bool,
    pub least: i64,
    pub greatest: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatorCode {
    None,
    Constant,
    Default,
    Copy,
    Increment,
    Delta,
    Tail,
}

impl Operated {
    /// Whether there is an initial value.
    #[inline]
    pub fn has_initial(&self) -> bool {
        self.initial != NONE
    }

    /// §10.5.1: whether the operator allocates a bit.
    pub fn has_bit(&self) -> bool {
        match self.operator {
            OperatorCode::None | OperatorCode::Delta => false,
            OperatorCode::Constant => self.optional,
            OperatorCode::Default
            | OperatorCode::Copy
            | OperatorCode::Increment
            | OperatorCode::Tail => true,
        }
    }
}

/// Identifiers below it are looked up in a table.
const DENSE_IDS: u32 = 4096;

impl Plan {
    /// The entry of a template identifier.
    #[inline]
    pub fn entry_by_id(&self, id: u32) -> Option<u32> {
        match self.by_small_id.get(id as usize) {
            Some(entry) => Some(*entry).filter(|entry| *entry != NONE),
            None => self.by_id.get(&id).copied(),
        }
    }

    /// The entry of `template` inside the application type numbered `application_type`.
    pub fn entry_within(&self, template: u32, application_type: u32) -> u32 {
        if self.variants.is_empty() {
            return template;
        }
        self.variants.get(&(template, application_type)).copied().unwrap_or(template)
    }

    /// The initial value of an operator on a string or vector.
    pub fn initial_text(&self, operated: &Operated) -> Option<&[u8]> {
        self.values.get(operated.initial as usize).and_then(|value| value.as_value().as_bytes())
    }
}

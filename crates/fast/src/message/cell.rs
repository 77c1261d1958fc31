//! Storage of a message: cells that keep their memory when they are emptied.

use crate::plan::Plan;
use crate::value::Value;

/// The cells of one scope, by ordinal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Index of the plan's scope.
    pub index: u32,
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub present: bool,
    pub content: Content,
}

/// The content of a cell; it is stale where the cell is not present.
#[derive(Clone, Debug, Default)]
pub(crate) enum Content {
    #[default]
    Empty,
    UInt(u64),
    Int(i64),
    Decimal {
        mantissa: i64,
        exponent: i32,
    },
    Ascii(Vec<u8>),
    Unicode(String),
    Bytes(Vec<u8>),
    Group(Scope),
    /// The first `length` elements count; the others are kept for their memory.
    Sequence {
        length: usize,
        elements: Vec<Scope>,
    },
    Reference {
        template: u32,
        scope: Scope,
    },
}

impl Scope {
    /// Makes it an empty scope of the plan's scope `index`.
    pub fn open(&mut self, plan: &Plan, index: u32) {
        let fields = plan.scopes[index as usize].fields.len();
        if self.index == index && self.cells.len() == fields {
            self.clear();
        } else {
            self.index = index;
            self.cells.clear();
            self.cells.resize(fields, Cell::default());
        }
    }

    pub fn clear(&mut self) {
        for cell in &mut self.cells {
            cell.present = false;
        }
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.present == other.present && (!self.present || self.content == other.content)
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Group(left), Self::Group(right)) => left == right,
            (
                Self::Sequence { length: left, elements: left_elements },
                Self::Sequence { length: right, elements: right_elements },
            ) => left == right && left_elements[..*left] == right_elements[..*right],
            (
                Self::Reference { template: left, scope: left_scope },
                Self::Reference { template: right, scope: right_scope },
            ) => left == right && left_scope == right_scope,
            (left, right) => left.value() == right.value(),
        }
    }
}

impl Content {
    /// The value of a primitive field.
    #[inline]
    pub fn value(&self) -> Option<Value<'_>> {
        Some(match self {
            Self::UInt(value) => Value::UInt(*value),
            Self::Int(value) => Value::Int(*value),
            Self::Decimal { mantissa, exponent } => {
                Value::Decimal { mantissa: *mantissa, exponent: *exponent }
            }
            Self::Ascii(bytes) => Value::Ascii(bytes),
            Self::Unicode(text) => Value::Unicode(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Empty | Self::Group(_) | Self::Sequence { .. } | Self::Reference { .. } => {
                return None;
            }
        })
    }

    /// Takes over a value, in the memory of the string that it replaces.
    pub fn assign(&mut self, value: Value<'_>) {
        match (&mut *self, value) {
            (Self::Ascii(old), Value::Ascii(new)) | (Self::Bytes(old), Value::Bytes(new)) => {
                old.clear();
                old.extend_from_slice(new);
            }
            (Self::Unicode(old), Value::Unicode(new)) => {
                old.clear();
                old.push_str(new);
            }
            (_, Value::UInt(value)) => *self = Self::UInt(value),
            (_, Value::Int(value)) => *self = Self::Int(value),
            (_, Value::Decimal { mantissa, exponent }) => {
                *self = Self::Decimal { mantissa, exponent };
            }
            (_, Value::Ascii(bytes)) => *self = Self::Ascii(bytes.to_vec()),
            (_, Value::Unicode(text)) => *self = Self::Unicode(text.to_owned()),
            (_, Value::Bytes(bytes)) => *self = Self::Bytes(bytes.to_vec()),
        }
    }
}

//! Error codes of the specification and the errors of decoding and encoding.

use std::fmt;
use std::sync::Arc;

/// What went wrong while decoding or encoding: a code of FAST 1.1 appendix 4, or a condition
/// that the specification leaves to the implementation (the last four).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The type of a field cannot be converted to or from the application's type (§6.2).
    D1,
    /// An integer in the stream is outside the bounds of its field's type (§6.2.1).
    D2,
    /// A decimal cannot be encoded because of the operators on its parts (§6.2.2); also any other
    /// value that an operator cannot represent: another than a constant, or a string that is
    /// shorter than the base of its tail.
    D3,
    /// The previous value is of another type than the field (§6.3.1).
    D4,
    /// A mandatory field is absent, its previous value undefined, and there is no initial value.
    D5,
    /// A mandatory field is absent and its previous value is empty.
    D6,
    /// A subtraction length exceeds the base value or the range of an int32 (§6.3.7), or a
    /// mandatory tail field is absent and its previous value is empty (§6.3.8).
    D7,
    /// A static template reference names an unknown template (§6.4).
    D8,
    /// A template identifier in the stream is unknown (§10.3).
    D9,
    /// A byte vector can be converted to and from strings only (§8).
    D10,
    /// A string does not have the syntax of the type that it is converted to (§8.1).
    D11,
    /// A block has size zero (§10).
    D12,
    /// A decimal's exponent is outside -63..=63 or its mantissa does not fit an int64.
    R1,
    /// A Unicode string is not valid UTF-8.
    R2,
    /// A Unicode string that is to become an ASCII string has other characters (§8.1.4).
    R3,
    /// An integer does not fit the type of its field after an operator or a conversion.
    R4,
    /// A decimal that is to become an integer is not one (§8.3.1).
    R5,
    /// An integer is overlong (§10.6.1).
    R6,
    /// A presence map is overlong (§10.5).
    R7,
    /// A presence map has more bits than its template uses (§10.5).
    R8,
    /// An ASCII string is overlong (§10.6.3).
    R9,
    /// The bytes end inside a message.
    Truncated,
    /// A limit of the decoder or encoder was reached: string length, elements or depth.
    Limit,
    /// The codec met an error before and has not been reset since.
    Poisoned,
    /// A mandatory field has no value in the message that is to be encoded.
    Missing,
}

impl ErrorCode {
    /// The label of the specification, such as `D6`, or the name of the condition.
    pub const fn as_str(self) -> &'static str {
        use ErrorCode::*;
        match self {
            D1 => "D1",
            D2 => "D2",
            D3 => "D3",
            D4 => "D4",
            D5 => "D5",
            D6 => "D6",
            D7 => "D7",
            D8 => "D8",
            D9 => "D9",
            D10 => "D10",
            D11 => "D11",
            D12 => "D12",
            R1 => "R1",
            R2 => "R2",
            R3 => "R3",
            R4 => "R4",
            R5 => "R5",
            R6 => "R6",
            R7 => "R7",
            R8 => "R8",
            R9 => "R9",
            Truncated => "truncated",
            Limit => "limit",
            Poisoned => "poisoned",
            Missing => "missing",
        }
    }

    /// One sentence for people.
    pub const fn message(self) -> &'static str {
        use ErrorCode::*;
        match self {
            D1 => "the value's type cannot be converted to the field's type",
            D2 => "the integer is outside the bounds of the field's type",
            D3 => "the value cannot be represented with the field's operators",
            D4 => "the previous value is of another type than the field",
            D5 => {
                "a mandatory field is absent, its previous value is undefined and it has no initial value"
            }
            D6 => "a mandatory field is absent and its previous value is empty",
            D7 => "the subtraction length exceeds the base value, or the tail has no base",
            D8 => "the static template reference names an unknown template",
            D9 => "no template has the identifier in the stream",
            D10 => "a byte vector converts to and from strings only",
            D11 => "the string does not have the syntax of the field's type",
            D12 => "the block has size zero",
            R1 => "the decimal's exponent is outside -63..=63 or its mantissa exceeds an int64",
            R2 => "the string is not valid UTF-8",
            R3 => "the string has characters outside ASCII",
            R4 => "the integer does not fit the field's type",
            R5 => "the decimal is not an integer that fits the field's type",
            R6 => "the integer is overlong",
            R7 => "the presence map is overlong",
            R8 => "the presence map has more bits than the template uses",
            R9 => "the string is overlong",
            Truncated => "the bytes end inside the message",
            Limit => "a limit on string length, sequence elements or depth was reached",
            Poisoned => "an earlier error left the dictionaries undefined; reset first",
            Missing => "a mandatory field has no value",
        }
    }

    /// Whether the specification calls this a reportable error, that is one which a processor
    /// may ignore.
    pub const fn is_reportable(self) -> bool {
        use ErrorCode::*;
        matches!(self, R1 | R2 | R3 | R4 | R5 | R6 | R7 | R8 | R9)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The template and field at which an error occurred, where they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The local name of the template.
    pub template: Option<Arc<str>>,
    /// The local name of the field.
    pub field: Option<Arc<str>>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = &self.template {
            write!(f, " in template {template:?}")?;
        }
        if let Some(field) = &self.field {
            write!(f, " at field {field:?}")?;
        }
        Ok(())
    }
}

/// A message could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {} (byte {offset}{site})", code.message())]
pub struct DecodeError {
    /// The specification's code.
    pub code: ErrorCode,
    /// Offset into the given bytes of the entity (integer, string, presence map) that could not
    /// be decoded.
    pub offset: usize,
    /// Where in the templates.
    pub site: Site,
}

/// A message could not be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {}{site}", code.message())]
pub struct EncodeError {
    /// The specification's code.
    pub code: ErrorCode,
    /// Where in the templates.
    pub site: Site,
}

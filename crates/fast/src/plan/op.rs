//! What decoder and encoder do at an instruction, told by one code.
//!
//! The codes of [`Op`] tell type, operator and presence at once, so that the usual case of a field
//! takes one jump and no further question.

use super::{Code, Instruction, NONE, Operated, OperatorCode, Plan};
use crate::dictionary::kind;
use crate::model::{FieldType, OwnedValue};

/// The quick part of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub code: OpCode,
    /// The type of a field without operator.
    pub plain: Plain,
    /// How many instructions from this one on have such a type.
    pub plain_run: u8,
    /// How many instructions from this one on are optional fields without operator. Each of them
    /// is the single byte 0x80 when it is absent, so that absent ones are skipped together.
    pub nullable_run: u8,
    /// Whether it has an initial value.
    pub has_initial: bool,
    /// Of the values that the operators `operated` describe.
    pub optional: bool,
    /// Index of the dictionary slot.
    pub slot: u32,
    /// What the slot holds where it is assigned, as [`kind`] tells.
    pub kind: u64,
    /// The greatest integer of the type; the least of a signed one is its complement.
    pub max: u64,
    /// The initial value of an integer: its bits.
    pub initial: u64,
    /// Index into `operated`, or the index of a constant's value.
    pub operand: u32,
    /// The block of a group or sequence.
    pub block: u32,
    /// The place of the instruction among all.
    pub index: u32,
    /// Where the instructions of its block end.
    pub block_end: u32,
}

/// Type, presence and operator. `Opt` are optional fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum OpCode {
    UInt,
    UIntOpt,
    Int,
    IntOpt,
    DefaultUInt,
    DefaultUIntOpt,
    DefaultInt,
    DefaultIntOpt,
    CopyUInt,
    CopyUIntOpt,
    CopyInt,
    CopyIntOpt,
    IncrementUInt,
    IncrementUIntOpt,
    IncrementInt,
    IncrementIntOpt,
    DeltaUInt,
    DeltaUIntOpt,
    DeltaInt,
    DeltaIntOpt,
    /// A mandatory constant, of a decimal's part.
    ConstantInt,
    Decimal,
    DecimalOpt,
    DecimalParts,
    DefaultDecimal,
    CopyDecimal,
    DeltaDecimal,
    Ascii,
    AsciiOpt,
    DefaultAscii,
    CopyAscii,
    Constant,
    ConstantAscii,
    ConstantOpt,
    Group,
    GroupOpt,
    /// A sequence whose length has no operator.
    Sequence,
    /// A sequence whose length has one.
    SequenceOperated,
    /// Everything else.
    Other,
}

/// The type of a field without operator: a bit for each, so that a decoder can ask for one after
/// the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain(u8);

impl Plain {
    pub const NONE: Self = Self(0);
    /// An ASCII string, optional or not.
    pub const ASCII: Self = Self(1);
    pub const DECIMAL_OPT: Self = Self(2);
    pub const UINT_OPT: Self = Self(4);
    /// A constant ASCII string.
    pub const CONSTANT: Self = Self(8);
    pub const UINT: Self = Self(16);
    pub const INT_OPT: Self = Self(32);
    pub const DECIMAL: Self = Self(64);
    pub const INT: Self = Self(128);

    /// That of a code, `NONE` for one with an operator or of another type.
    fn of(code: OpCode) -> Self {
        match code {
            OpCode::Ascii | OpCode::AsciiOpt => Self::ASCII,
            OpCode::DecimalOpt => Self::DECIMAL_OPT,
            OpCode::UIntOpt => Self::UINT_OPT,
            OpCode::ConstantAscii => Self::CONSTANT,
            OpCode::UInt => Self::UINT,
            OpCode::IntOpt => Self::INT_OPT,
            OpCode::Decimal => Self::DECIMAL,
            OpCode::Int => Self::INT,
            _ => Self::NONE,
        }
    }

    #[inline(always)]
    pub fn is(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl OpCode {
    /// Codes from this one on are, or may be, of fields that are not primitive.
    pub const FIRST_COMPOUND: Self = Self::Group;
}

impl Op {
    pub const OTHER: Self = Self {
        code: OpCode::Other,
        plain: Plain::NONE,
        plain_run: 0,
        nullable_run: 0,
        has_initial: false,
        optional: false,
        slot: NONE,
        kind: 0,
        max: 0,
        initial: 0,
        operand: 0,
        block: NONE,
        index: 0,
        block_end: 0,
    };

    /// The quick part of an instruction of a plan.
    pub fn of(instruction: &Instruction, plan: &Plan) -> Self {
        use OpCode::*;
        let Instruction { code, operand, .. } = *instruction;
        let operated = || &plan.operated[operand as usize];
        let plain = |op, max| Self { code: op, max, operand, ..Self::OTHER };
        const I32: u64 = i32::MAX as u64;
        const I64: u64 = i64::MAX as u64;
        let op = match code {
            Code::UInt32 => plain(UInt, u32::MAX.into()),
            Code::UInt32Optional => plain(UIntOpt, u32::MAX.into()),
            Code::UInt64 => plain(UInt, u64::MAX),
            Code::UInt64Optional => plain(UIntOpt, u64::MAX),
            Code::Int32 => plain(Int, I32),
            Code::Int32Optional => plain(IntOpt, I32),
            Code::Int64 => plain(Int, I64),
            Code::Int64Optional => plain(IntOpt, I64),
            Code::Decimal => plain(Decimal, I64),
            Code::DecimalOptional => plain(DecimalOpt, I64),
            Code::Ascii => plain(Ascii, 0),
            Code::AsciiOptional => plain(AsciiOpt, 0),
            Code::Constant => match &plan.values[operand as usize] {
                OwnedValue::Ascii(_) => plain(ConstantAscii, 0),
                _ => plain(Constant, 0),
            },
            Code::ConstantOptional => plain(ConstantOpt, 0),
            Code::Integer => Self::integer(operated(), operand),
            Code::DecimalParts => plain(DecimalParts, I64),
            Code::DecimalWhole => {
                let op = match operated().operator {
                    OperatorCode::Default => DefaultDecimal,
                    OperatorCode::Copy => CopyDecimal,
                    OperatorCode::Delta => DeltaDecimal,
                    _ => Other,
                };
                Self { code: op, ..Self::operated(operated(), operand) }
            }
            Code::Text if operated().field_type == FieldType::Ascii => {
                let op = match operated().operator {
                    OperatorCode::Default => DefaultAscii,
                    OperatorCode::Copy => CopyAscii,
                    _ => Other,
                };
                Self { code: op, ..Self::operated(operated(), operand) }
            }
            Code::Group => Self { block: operand, ..plain(Group, 0) },
            Code::GroupOptional => Self { block: operand, ..plain(GroupOpt, 0) },
            Code::Sequence => {
                let none = operated().operator == OperatorCode::None;
                let op = if none { Sequence } else { SequenceOperated };
                let block = instruction.info.scope.unwrap_or(NONE);
                Self { code: op, block, ..Self::operated(operated(), operand) }
            }
            Code::Text
            | Code::Unicode
            | Code::UnicodeOptional
            | Code::Bytes
            | Code::BytesOptional
            | Code::Reference
            | Code::Bounded
            | Code::BitGroup => Self::OTHER,
        };
        Self { nullable_run: instruction.nullable_run, plain: Plain::of(op.code), ..op }
    }

    /// An integer with an operator.
    pub fn integer(operated: &Operated, operand: u32) -> Self {
        use OpCode::*;
        let signed = matches!(operated.field_type, FieldType::Int32 | FieldType::Int64);
        let codes = match operated.operator {
            OperatorCode::None => [UInt, UIntOpt, Int, IntOpt],
            OperatorCode::Default => [DefaultUInt, DefaultUIntOpt, DefaultInt, DefaultIntOpt],
            OperatorCode::Copy => [CopyUInt, CopyUIntOpt, CopyInt, CopyIntOpt],
            OperatorCode::Increment => {
                [IncrementUInt, IncrementUIntOpt, IncrementInt, IncrementIntOpt]
            }
            OperatorCode::Delta => [DeltaUInt, DeltaUIntOpt, DeltaInt, DeltaIntOpt],
            OperatorCode::Constant => [Other, Other, ConstantInt, Other],
            OperatorCode::Tail => [Other; 4],
        };
        let code = codes[usize::from(signed) * 2 + usize::from(operated.optional)];
        Self { code, ..Self::operated(operated, operand) }
    }

    fn operated(operated: &Operated, operand: u32) -> Self {
        let max = match operated.field_type {
            FieldType::Int32 | FieldType::Int64 => operated.field_type.signed_bounds().1 as u64,
            other => other.unsigned_max(),
        };
        Self {
            has_initial: operated.has_initial(),
            optional: operated.optional,
            slot: operated.slot,
            kind: kind(operated.field_type),
            max,
            initial: operated.initial_bits,
            operand,
            ..Self::OTHER
        }
    }
}

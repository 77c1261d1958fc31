// Generated from operators.xml by saker-fast. Do not edit: change the templates.
//
// Templates: Int32, UInt32, Int64, UInt64, Decimal, Ascii, Unicode, Bytes, Parts, Lengths.

use saker_fast::runtime as rt;

/// Template `Int32`, identifier 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Int32 {
    /// `Plain`: int32.
    pub plain: i32,
    /// `Default`: int32, default.
    pub default: i32,
    /// `Copy`: int32, copy.
    pub copy: i32,
    /// `CopyFrom`: int32, copy.
    pub copy_from: i32,
    /// `Increment`: int32, increment.
    pub increment: i32,
    /// `IncrementFrom`: int32, increment.
    pub increment_from: i32,
    /// `Delta`: int32, delta.
    pub delta: i32,
    /// `DeltaFrom`: int32, delta.
    pub delta_from: i32,
    /// `OptionalPlain`: optional int32.
    pub optional_plain: Option<i32>,
    /// `OptionalConstant`: optional int32, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional int32, default.
    pub optional_default: Option<i32>,
    /// `OptionalCopy`: optional int32, copy.
    pub optional_copy: Option<i32>,
    /// `OptionalCopyFrom`: optional int32, copy.
    pub optional_copy_from: Option<i32>,
    /// `OptionalIncrement`: optional int32, increment.
    pub optional_increment: Option<i32>,
    /// `OptionalIncrementFrom`: optional int32, increment.
    pub optional_increment_from: Option<i32>,
    /// `OptionalDelta`: optional int32, delta.
    pub optional_delta: Option<i32>,
    /// `OptionalDeltaFrom`: optional int32, delta.
    pub optional_delta_from: Option<i32>,
    /// `OptionalDefaultNone`: optional int32, default.
    pub optional_default_none: Option<i32>,
}

impl Int32 {
    /// `Constant`: constant.
    pub const CONSTANT: i32 = -7;

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: i32 = -7;
}

impl Int32 {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Plain", None, self.plain, visitor);
        visitor.field("Constant", None, rt::Value::Int(Self::CONSTANT as i64));
        rt::visit_scalar("Default", None, self.default, visitor);
        rt::visit_scalar("Copy", None, self.copy, visitor);
        rt::visit_scalar("CopyFrom", None, self.copy_from, visitor);
        rt::visit_scalar("Increment", None, self.increment, visitor);
        rt::visit_scalar("IncrementFrom", None, self.increment_from, visitor);
        rt::visit_scalar("Delta", None, self.delta, visitor);
        rt::visit_scalar("DeltaFrom", None, self.delta_from, visitor);
        rt::visit_scalar("OptionalPlain", None, self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Value::Int(Self::OPTIONAL_CONSTANT as i64));
        }
        rt::visit_scalar("OptionalDefault", None, self.optional_default, visitor);
        rt::visit_scalar("OptionalCopy", None, self.optional_copy, visitor);
        rt::visit_scalar("OptionalCopyFrom", None, self.optional_copy_from, visitor);
        rt::visit_scalar("OptionalIncrement", None, self.optional_increment, visitor);
        rt::visit_scalar("OptionalIncrementFrom", None, self.optional_increment_from, visitor);
        rt::visit_scalar("OptionalDelta", None, self.optional_delta, visitor);
        rt::visit_scalar("OptionalDeltaFrom", None, self.optional_delta_from, visitor);
        rt::visit_scalar("OptionalDefaultNone", None, self.optional_default_none, visitor);
    }
}

/// Template `UInt32`, identifier 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UInt32 {
    /// `Plain`: uInt32.
    pub plain: u32,
    /// `Default`: uInt32, default.
    pub default: u32,
    /// `Copy`: uInt32, copy.
    pub copy: u32,
    /// `CopyFrom`: uInt32, copy.
    pub copy_from: u32,
    /// `Increment`: uInt32, increment.
    pub increment: u32,
    /// `IncrementFrom`: uInt32, increment.
    pub increment_from: u32,
    /// `Delta`: uInt32, delta.
    pub delta: u32,
    /// `DeltaFrom`: uInt32, delta.
    pub delta_from: u32,
    /// `OptionalPlain`: optional uInt32.
    pub optional_plain: Option<u32>,
    /// `OptionalConstant`: optional uInt32, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional uInt32, default.
    pub optional_default: Option<u32>,
    /// `OptionalCopy`: optional uInt32, copy.
    pub optional_copy: Option<u32>,
    /// `OptionalCopyFrom`: optional uInt32, copy.
    pub optional_copy_from: Option<u32>,
    /// `OptionalIncrement`: optional uInt32, increment.
    pub optional_increment: Option<u32>,
    /// `OptionalIncrementFrom`: optional uInt32, increment.
    pub optional_increment_from: Option<u32>,
    /// `OptionalDelta`: optional uInt32, delta.
    pub optional_delta: Option<u32>,
    /// `OptionalDeltaFrom`: optional uInt32, delta.
    pub optional_delta_from: Option<u32>,
    /// `OptionalDefaultNone`: optional uInt32, default.
    pub optional_default_none: Option<u32>,
}

impl UInt32 {
    /// `Constant`: constant.
    pub const CONSTANT: u32 = 7;

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: u32 = 7;
}

impl UInt32 {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Plain", None, self.plain, visitor);
        visitor.field("Constant", None, rt::Value::UInt(Self::CONSTANT as u64));
        rt::visit_scalar("Default", None, self.default, visitor);
        rt::visit_scalar("Copy", None, self.copy, visitor);
        rt::visit_scalar("CopyFrom", None, self.copy_from, visitor);
        rt::visit_scalar("Increment", None, self.increment, visitor);
        rt::visit_scalar("IncrementFrom", None, self.increment_from, visitor);
        rt::visit_scalar("Delta", None, self.delta, visitor);
        rt::visit_scalar("DeltaFrom", None, self.delta_from, visitor);
        rt::visit_scalar("OptionalPlain", None, self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field(
                "OptionalConstant",
                None,
                rt::Value::UInt(Self::OPTIONAL_CONSTANT as u64),
            );
        }
        rt::visit_scalar("OptionalDefault", None, self.optional_default, visitor);
        rt::visit_scalar("OptionalCopy", None, self.optional_copy, visitor);
        rt::visit_scalar("OptionalCopyFrom", None, self.optional_copy_from, visitor);
        rt::visit_scalar("OptionalIncrement", None, self.optional_increment, visitor);
        rt::visit_scalar("OptionalIncrementFrom", None, self.optional_increment_from, visitor);
        rt::visit_scalar("OptionalDelta", None, self.optional_delta, visitor);
        rt::visit_scalar("OptionalDeltaFrom", None, self.optional_delta_from, visitor);
        rt::visit_scalar("OptionalDefaultNone", None, self.optional_default_none, visitor);
    }
}

/// Template `Int64`, identifier 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Int64 {
    /// `Plain`: int64.
    pub plain: i64,
    /// `Default`: int64, default.
    pub default: i64,
    /// `Copy`: int64, copy.
    pub copy: i64,
    /// `CopyFrom`: int64, copy.
    pub copy_from: i64,
    /// `Increment`: int64, increment.
    pub increment: i64,
    /// `IncrementFrom`: int64, increment.
    pub increment_from: i64,
    /// `Delta`: int64, delta.
    pub delta: i64,
    /// `DeltaFrom`: int64, delta.
    pub delta_from: i64,
    /// `OptionalPlain`: optional int64.
    pub optional_plain: Option<i64>,
    /// `OptionalConstant`: optional int64, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional int64, default.
    pub optional_default: Option<i64>,
    /// `OptionalCopy`: optional int64, copy.
    pub optional_copy: Option<i64>,
    /// `OptionalCopyFrom`: optional int64, copy.
    pub optional_copy_from: Option<i64>,
    /// `OptionalIncrement`: optional int64, increment.
    pub optional_increment: Option<i64>,
    /// `OptionalIncrementFrom`: optional int64, increment.
    pub optional_increment_from: Option<i64>,
    /// `OptionalDelta`: optional int64, delta.
    pub optional_delta: Option<i64>,
    /// `OptionalDeltaFrom`: optional int64, delta.
    pub optional_delta_from: Option<i64>,
    /// `OptionalDefaultNone`: optional int64, default.
    pub optional_default_none: Option<i64>,
}

impl Int64 {
    /// `Constant`: constant.
    pub const CONSTANT: i64 = -700;

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: i64 = -700;
}

impl Int64 {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Plain", None, self.plain, visitor);
        visitor.field("Constant", None, rt::Value::Int(Self::CONSTANT));
        rt::visit_scalar("Default", None, self.default, visitor);
        rt::visit_scalar("Copy", None, self.copy, visitor);
        rt::visit_scalar("CopyFrom", None, self.copy_from, visitor);
        rt::visit_scalar("Increment", None, self.increment, visitor);
        rt::visit_scalar("IncrementFrom", None, self.increment_from, visitor);
        rt::visit_scalar("Delta", None, self.delta, visitor);
        rt::visit_scalar("DeltaFrom", None, self.delta_from, visitor);
        rt::visit_scalar("OptionalPlain", None, self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Value::Int(Self::OPTIONAL_CONSTANT));
        }
        rt::visit_scalar("OptionalDefault", None, self.optional_default, visitor);
        rt::visit_scalar("OptionalCopy", None, self.optional_copy, visitor);
        rt::visit_scalar("OptionalCopyFrom", None, self.optional_copy_from, visitor);
        rt::visit_scalar("OptionalIncrement", None, self.optional_increment, visitor);
        rt::visit_scalar("OptionalIncrementFrom", None, self.optional_increment_from, visitor);
        rt::visit_scalar("OptionalDelta", None, self.optional_delta, visitor);
        rt::visit_scalar("OptionalDeltaFrom", None, self.optional_delta_from, visitor);
        rt::visit_scalar("OptionalDefaultNone", None, self.optional_default_none, visitor);
    }
}

/// Template `UInt64`, identifier 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UInt64 {
    /// `Plain`: uInt64.
    pub plain: u64,
    /// `Default`: uInt64, default.
    pub default: u64,
    /// `Copy`: uInt64, copy.
    pub copy: u64,
    /// `CopyFrom`: uInt64, copy.
    pub copy_from: u64,
    /// `Increment`: uInt64, increment.
    pub increment: u64,
    /// `IncrementFrom`: uInt64, increment.
    pub increment_from: u64,
    /// `Delta`: uInt64, delta.
    pub delta: u64,
    /// `DeltaFrom`: uInt64, delta.
    pub delta_from: u64,
    /// `OptionalPlain`: optional uInt64.
    pub optional_plain: Option<u64>,
    /// `OptionalConstant`: optional uInt64, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional uInt64, default.
    pub optional_default: Option<u64>,
    /// `OptionalCopy`: optional uInt64, copy.
    pub optional_copy: Option<u64>,
    /// `OptionalCopyFrom`: optional uInt64, copy.
    pub optional_copy_from: Option<u64>,
    /// `OptionalIncrement`: optional uInt64, increment.
    pub optional_increment: Option<u64>,
    /// `OptionalIncrementFrom`: optional uInt64, increment.
    pub optional_increment_from: Option<u64>,
    /// `OptionalDelta`: optional uInt64, delta.
    pub optional_delta: Option<u64>,
    /// `OptionalDeltaFrom`: optional uInt64, delta.
    pub optional_delta_from: Option<u64>,
    /// `OptionalDefaultNone`: optional uInt64, default.
    pub optional_default_none: Option<u64>,
}

impl UInt64 {
    /// `Constant`: constant.
    pub const CONSTANT: u64 = 700;

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: u64 = 700;
}

impl UInt64 {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Plain", None, self.plain, visitor);
        visitor.field("Constant", None, rt::Value::UInt(Self::CONSTANT));
        rt::visit_scalar("Default", None, self.default, visitor);
        rt::visit_scalar("Copy", None, self.copy, visitor);
        rt::visit_scalar("CopyFrom", None, self.copy_from, visitor);
        rt::visit_scalar("Increment", None, self.increment, visitor);
        rt::visit_scalar("IncrementFrom", None, self.increment_from, visitor);
        rt::visit_scalar("Delta", None, self.delta, visitor);
        rt::visit_scalar("DeltaFrom", None, self.delta_from, visitor);
        rt::visit_scalar("OptionalPlain", None, self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Value::UInt(Self::OPTIONAL_CONSTANT));
        }
        rt::visit_scalar("OptionalDefault", None, self.optional_default, visitor);
        rt::visit_scalar("OptionalCopy", None, self.optional_copy, visitor);
        rt::visit_scalar("OptionalCopyFrom", None, self.optional_copy_from, visitor);
        rt::visit_scalar("OptionalIncrement", None, self.optional_increment, visitor);
        rt::visit_scalar("OptionalIncrementFrom", None, self.optional_increment_from, visitor);
        rt::visit_scalar("OptionalDelta", None, self.optional_delta, visitor);
        rt::visit_scalar("OptionalDeltaFrom", None, self.optional_delta_from, visitor);
        rt::visit_scalar("OptionalDefaultNone", None, self.optional_default_none, visitor);
    }
}

/// Template `Decimal`, identifier 5.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimal {
    /// `Plain`: decimal.
    pub plain: rt::Decimal,
    /// `Default`: decimal, default.
    pub default: rt::Decimal,
    /// `Copy`: decimal, copy.
    pub copy: rt::Decimal,
    /// `CopyFrom`: decimal, copy.
    pub copy_from: rt::Decimal,
    /// `Delta`: decimal, delta.
    pub delta: rt::Decimal,
    /// `DeltaFrom`: decimal, delta.
    pub delta_from: rt::Decimal,
    /// `OptionalPlain`: optional decimal.
    pub optional_plain: Option<rt::Decimal>,
    /// `OptionalConstant`: optional decimal, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional decimal, default.
    pub optional_default: Option<rt::Decimal>,
    /// `OptionalCopy`: optional decimal, copy.
    pub optional_copy: Option<rt::Decimal>,
    /// `OptionalCopyFrom`: optional decimal, copy.
    pub optional_copy_from: Option<rt::Decimal>,
    /// `OptionalDelta`: optional decimal, delta.
    pub optional_delta: Option<rt::Decimal>,
    /// `OptionalDeltaFrom`: optional decimal, delta.
    pub optional_delta_from: Option<rt::Decimal>,
    /// `OptionalDefaultNone`: optional decimal, default.
    pub optional_default_none: Option<rt::Decimal>,
}

impl Decimal {
    /// `Constant`: constant.
    pub const CONSTANT: rt::Decimal = rt::Decimal::new(-25, -2);

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: rt::Decimal = rt::Decimal::new(-25, -2);
}

impl Decimal {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Plain", None, self.plain, visitor);
        visitor.field("Constant", None, rt::Scalar::to_value(Self::CONSTANT));
        rt::visit_scalar("Default", None, self.default, visitor);
        rt::visit_scalar("Copy", None, self.copy, visitor);
        rt::visit_scalar("CopyFrom", None, self.copy_from, visitor);
        rt::visit_scalar("Delta", None, self.delta, visitor);
        rt::visit_scalar("DeltaFrom", None, self.delta_from, visitor);
        rt::visit_scalar("OptionalPlain", None, self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Scalar::to_value(Self::OPTIONAL_CONSTANT));
        }
        rt::visit_scalar("OptionalDefault", None, self.optional_default, visitor);
        rt::visit_scalar("OptionalCopy", None, self.optional_copy, visitor);
        rt::visit_scalar("OptionalCopyFrom", None, self.optional_copy_from, visitor);
        rt::visit_scalar("OptionalDelta", None, self.optional_delta, visitor);
        rt::visit_scalar("OptionalDeltaFrom", None, self.optional_delta_from, visitor);
        rt::visit_scalar("OptionalDefaultNone", None, self.optional_default_none, visitor);
    }
}

/// Template `Ascii`, identifier 6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ascii {
    /// `Plain`: ASCII string.
    pub plain: rt::Ascii,
    /// `Default`: ASCII string, default.
    pub default: rt::Ascii,
    /// `Copy`: ASCII string, copy.
    pub copy: rt::Ascii,
    /// `CopyFrom`: ASCII string, copy.
    pub copy_from: rt::Ascii,
    /// `Delta`: ASCII string, delta.
    pub delta: rt::Ascii,
    /// `DeltaFrom`: ASCII string, delta.
    pub delta_from: rt::Ascii,
    /// `Tail`: ASCII string, tail.
    pub tail: rt::Ascii,
    /// `TailFrom`: ASCII string, tail.
    pub tail_from: rt::Ascii,
    /// `OptionalPlain`: optional ASCII string.
    pub optional_plain: rt::Optional<rt::Ascii>,
    /// `OptionalConstant`: optional ASCII string, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional ASCII string, default.
    pub optional_default: rt::Optional<rt::Ascii>,
    /// `OptionalCopy`: optional ASCII string, copy.
    pub optional_copy: rt::Optional<rt::Ascii>,
    /// `OptionalCopyFrom`: optional ASCII string, copy.
    pub optional_copy_from: rt::Optional<rt::Ascii>,
    /// `OptionalDelta`: optional ASCII string, delta.
    pub optional_delta: rt::Optional<rt::Ascii>,
    /// `OptionalDeltaFrom`: optional ASCII string, delta.
    pub optional_delta_from: rt::Optional<rt::Ascii>,
    /// `OptionalTail`: optional ASCII string, tail.
    pub optional_tail: rt::Optional<rt::Ascii>,
    /// `OptionalTailFrom`: optional ASCII string, tail.
    pub optional_tail_from: rt::Optional<rt::Ascii>,
    /// `OptionalDefaultNone`: optional ASCII string, default.
    pub optional_default_none: rt::Optional<rt::Ascii>,
}

impl Ascii {
    /// `Constant`: constant.
    pub const CONSTANT: &'static str = "GEH6";

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: &'static str = "GEH6";
}

impl Ascii {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Plain", None, &self.plain, visitor);
        visitor.field("Constant", None, rt::Value::Ascii(Self::CONSTANT.as_bytes()));
        rt::visit_text("Default", None, &self.default, visitor);
        rt::visit_text("Copy", None, &self.copy, visitor);
        rt::visit_text("CopyFrom", None, &self.copy_from, visitor);
        rt::visit_text("Delta", None, &self.delta, visitor);
        rt::visit_text("DeltaFrom", None, &self.delta_from, visitor);
        rt::visit_text("Tail", None, &self.tail, visitor);
        rt::visit_text("TailFrom", None, &self.tail_from, visitor);
        rt::visit_text("OptionalPlain", None, &self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field(
                "OptionalConstant",
                None,
                rt::Value::Ascii(Self::OPTIONAL_CONSTANT.as_bytes()),
            );
        }
        rt::visit_text("OptionalDefault", None, &self.optional_default, visitor);
        rt::visit_text("OptionalCopy", None, &self.optional_copy, visitor);
        rt::visit_text("OptionalCopyFrom", None, &self.optional_copy_from, visitor);
        rt::visit_text("OptionalDelta", None, &self.optional_delta, visitor);
        rt::visit_text("OptionalDeltaFrom", None, &self.optional_delta_from, visitor);
        rt::visit_text("OptionalTail", None, &self.optional_tail, visitor);
        rt::visit_text("OptionalTailFrom", None, &self.optional_tail_from, visitor);
        rt::visit_text("OptionalDefaultNone", None, &self.optional_default_none, visitor);
    }
}

/// Template `Unicode`, identifier 7.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unicode {
    /// `Plain`: Unicode string.
    pub plain: rt::Unicode,
    /// `Default`: Unicode string, default.
    pub default: rt::Unicode,
    /// `Copy`: Unicode string, copy.
    pub copy: rt::Unicode,
    /// `CopyFrom`: Unicode string, copy.
    pub copy_from: rt::Unicode,
    /// `Delta`: Unicode string, delta.
    pub delta: rt::Unicode,
    /// `DeltaFrom`: Unicode string, delta.
    pub delta_from: rt::Unicode,
    /// `Tail`: Unicode string, tail.
    pub tail: rt::Unicode,
    /// `TailFrom`: Unicode string, tail.
    pub tail_from: rt::Unicode,
    /// `OptionalPlain`: optional Unicode string.
    pub optional_plain: rt::Optional<rt::Unicode>,
    /// `OptionalConstant`: optional Unicode string, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional Unicode string, default.
    pub optional_default: rt::Optional<rt::Unicode>,
    /// `OptionalCopy`: optional Unicode string, copy.
    pub optional_copy: rt::Optional<rt::Unicode>,
    /// `OptionalCopyFrom`: optional Unicode string, copy.
    pub optional_copy_from: rt::Optional<rt::Unicode>,
    /// `OptionalDelta`: optional Unicode string, delta.
    pub optional_delta: rt::Optional<rt::Unicode>,
    /// `OptionalDeltaFrom`: optional Unicode string, delta.
    pub optional_delta_from: rt::Optional<rt::Unicode>,
    /// `OptionalTail`: optional Unicode string, tail.
    pub optional_tail: rt::Optional<rt::Unicode>,
    /// `OptionalTailFrom`: optional Unicode string, tail.
    pub optional_tail_from: rt::Optional<rt::Unicode>,
    /// `OptionalDefaultNone`: optional Unicode string, default.
    pub optional_default_none: rt::Optional<rt::Unicode>,
}

impl Unicode {
    /// `Constant`: constant.
    pub const CONSTANT: &'static str = "日本";

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: &'static str = "日本";
}

impl Unicode {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Plain", None, &self.plain, visitor);
        visitor.field("Constant", None, rt::Value::Unicode(Self::CONSTANT));
        rt::visit_text("Default", None, &self.default, visitor);
        rt::visit_text("Copy", None, &self.copy, visitor);
        rt::visit_text("CopyFrom", None, &self.copy_from, visitor);
        rt::visit_text("Delta", None, &self.delta, visitor);
        rt::visit_text("DeltaFrom", None, &self.delta_from, visitor);
        rt::visit_text("Tail", None, &self.tail, visitor);
        rt::visit_text("TailFrom", None, &self.tail_from, visitor);
        rt::visit_text("OptionalPlain", None, &self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Value::Unicode(Self::OPTIONAL_CONSTANT));
        }
        rt::visit_text("OptionalDefault", None, &self.optional_default, visitor);
        rt::visit_text("OptionalCopy", None, &self.optional_copy, visitor);
        rt::visit_text("OptionalCopyFrom", None, &self.optional_copy_from, visitor);
        rt::visit_text("OptionalDelta", None, &self.optional_delta, visitor);
        rt::visit_text("OptionalDeltaFrom", None, &self.optional_delta_from, visitor);
        rt::visit_text("OptionalTail", None, &self.optional_tail, visitor);
        rt::visit_text("OptionalTailFrom", None, &self.optional_tail_from, visitor);
        rt::visit_text("OptionalDefaultNone", None, &self.optional_default_none, visitor);
    }
}

/// Template `Bytes`, identifier 8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// `Plain`: byteVector.
    pub plain: rt::Bytes,
    /// `Default`: byteVector, default.
    pub default: rt::Bytes,
    /// `Copy`: byteVector, copy.
    pub copy: rt::Bytes,
    /// `CopyFrom`: byteVector, copy.
    pub copy_from: rt::Bytes,
    /// `Delta`: byteVector, delta.
    pub delta: rt::Bytes,
    /// `DeltaFrom`: byteVector, delta.
    pub delta_from: rt::Bytes,
    /// `Tail`: byteVector, tail.
    pub tail: rt::Bytes,
    /// `TailFrom`: byteVector, tail.
    pub tail_from: rt::Bytes,
    /// `OptionalPlain`: optional byteVector.
    pub optional_plain: rt::Optional<rt::Bytes>,
    /// `OptionalConstant`: optional byteVector, whether the constant is there.
    pub optional_constant: bool,
    /// `OptionalDefault`: optional byteVector, default.
    pub optional_default: rt::Optional<rt::Bytes>,
    /// `OptionalCopy`: optional byteVector, copy.
    pub optional_copy: rt::Optional<rt::Bytes>,
    /// `OptionalCopyFrom`: optional byteVector, copy.
    pub optional_copy_from: rt::Optional<rt::Bytes>,
    /// `OptionalDelta`: optional byteVector, delta.
    pub optional_delta: rt::Optional<rt::Bytes>,
    /// `OptionalDeltaFrom`: optional byteVector, delta.
    pub optional_delta_from: rt::Optional<rt::Bytes>,
    /// `OptionalTail`: optional byteVector, tail.
    pub optional_tail: rt::Optional<rt::Bytes>,
    /// `OptionalTailFrom`: optional byteVector, tail.
    pub optional_tail_from: rt::Optional<rt::Bytes>,
    /// `OptionalDefaultNone`: optional byteVector, default.
    pub optional_default_none: rt::Optional<rt::Bytes>,
}

impl Bytes {
    /// `Constant`: constant.
    pub const CONSTANT: &'static [u8] = b"\x00\xff\\\"";

    /// `OptionalConstant`: optional constant.
    pub const OPTIONAL_CONSTANT: &'static [u8] = b"\x00\xff\\\"";
}

impl Bytes {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Plain", None, &self.plain, visitor);
        visitor.field("Constant", None, rt::Value::Bytes(Self::CONSTANT));
        rt::visit_text("Default", None, &self.default, visitor);
        rt::visit_text("Copy", None, &self.copy, visitor);
        rt::visit_text("CopyFrom", None, &self.copy_from, visitor);
        rt::visit_text("Delta", None, &self.delta, visitor);
        rt::visit_text("DeltaFrom", None, &self.delta_from, visitor);
        rt::visit_text("Tail", None, &self.tail, visitor);
        rt::visit_text("TailFrom", None, &self.tail_from, visitor);
        rt::visit_text("OptionalPlain", None, &self.optional_plain, visitor);
        if self.optional_constant {
            visitor.field("OptionalConstant", None, rt::Value::Bytes(Self::OPTIONAL_CONSTANT));
        }
        rt::visit_text("OptionalDefault", None, &self.optional_default, visitor);
        rt::visit_text("OptionalCopy", None, &self.optional_copy, visitor);
        rt::visit_text("OptionalCopyFrom", None, &self.optional_copy_from, visitor);
        rt::visit_text("OptionalDelta", None, &self.optional_delta, visitor);
        rt::visit_text("OptionalDeltaFrom", None, &self.optional_delta_from, visitor);
        rt::visit_text("OptionalTail", None, &self.optional_tail, visitor);
        rt::visit_text("OptionalTailFrom", None, &self.optional_tail_from, visitor);
        rt::visit_text("OptionalDefaultNone", None, &self.optional_default_none, visitor);
    }
}

/// Template `Parts`, identifier 9.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `PlainDelta`: decimal, mantissa delta.
    pub plain_delta: rt::Decimal,
    /// `ConstantPlain`: decimal, exponent constant.
    pub constant_plain: rt::Decimal,
    /// `ConstantConstant`: decimal, exponent constant, mantissa constant.
    pub constant_constant: rt::Decimal,
    /// `DefaultConstant`: decimal, exponent default, mantissa constant.
    pub default_constant: rt::Decimal,
    /// `DefaultDefault`: decimal, exponent default, mantissa default.
    pub default_default: rt::Decimal,
    /// `CopyDefault`: decimal, exponent copy, mantissa default.
    pub copy_default: rt::Decimal,
    /// `CopyCopy`: decimal, exponent copy, mantissa copy.
    pub copy_copy: rt::Decimal,
    /// `CopyFromCopy`: decimal, exponent copy, mantissa copy.
    pub copy_from_copy: rt::Decimal,
    /// `CopyFromIncrement`: decimal, exponent copy, mantissa increment.
    pub copy_from_increment: rt::Decimal,
    /// `IncrementIncrement`: decimal, exponent increment, mantissa increment.
    pub increment_increment: rt::Decimal,
    /// `IncrementDelta`: decimal, exponent increment, mantissa delta.
    pub increment_delta: rt::Decimal,
    /// `DeltaPlain`: decimal, exponent delta.
    pub delta_plain: rt::Decimal,
    /// `DeltaDelta`: decimal, exponent delta, mantissa delta.
    pub delta_delta: rt::Decimal,
    /// `OptionalPlainDelta`: optional decimal, mantissa delta.
    pub optional_plain_delta: Option<rt::Decimal>,
    /// `OptionalConstantPlain`: optional decimal, exponent constant.
    pub optional_constant_plain: Option<rt::Decimal>,
    /// `OptionalConstantConstant`: optional decimal, exponent constant, mantissa constant.
    pub optional_constant_constant: Option<rt::Decimal>,
    /// `OptionalDefaultConstant`: optional decimal, exponent default, mantissa constant.
    pub optional_default_constant: Option<rt::Decimal>,
    /// `OptionalDefaultDefault`: optional decimal, exponent default, mantissa default.
    pub optional_default_default: Option<rt::Decimal>,
    /// `OptionalCopyDefault`: optional decimal, exponent copy, mantissa default.
    pub optional_copy_default: Option<rt::Decimal>,
    /// `OptionalCopyCopy`: optional decimal, exponent copy, mantissa copy.
    pub optional_copy_copy: Option<rt::Decimal>,
    /// `OptionalCopyFromCopy`: optional decimal, exponent copy, mantissa copy.
    pub optional_copy_from_copy: Option<rt::Decimal>,
    /// `OptionalCopyFromIncrement`: optional decimal, exponent copy, mantissa increment.
    pub optional_copy_from_increment: Option<rt::Decimal>,
    /// `OptionalIncrementIncrement`: optional decimal, exponent increment, mantissa increment.
    pub optional_increment_increment: Option<rt::Decimal>,
    /// `OptionalIncrementDelta`: optional decimal, exponent increment, mantissa delta.
    pub optional_increment_delta: Option<rt::Decimal>,
    /// `OptionalDeltaPlain`: optional decimal, exponent delta.
    pub optional_delta_plain: Option<rt::Decimal>,
    /// `OptionalDeltaDelta`: optional decimal, exponent delta, mantissa delta.
    pub optional_delta_delta: Option<rt::Decimal>,
}

impl Parts {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("PlainDelta", None, self.plain_delta, visitor);
        rt::visit_scalar("ConstantPlain", None, self.constant_plain, visitor);
        rt::visit_scalar("ConstantConstant", None, self.constant_constant, visitor);
        rt::visit_scalar("DefaultConstant", None, self.default_constant, visitor);
        rt::visit_scalar("DefaultDefault", None, self.default_default, visitor);
        rt::visit_scalar("CopyDefault", None, self.copy_default, visitor);
        rt::visit_scalar("CopyCopy", None, self.copy_copy, visitor);
        rt::visit_scalar("CopyFromCopy", None, self.copy_from_copy, visitor);
        rt::visit_scalar("CopyFromIncrement", None, self.copy_from_increment, visitor);
        rt::visit_scalar("IncrementIncrement", None, self.increment_increment, visitor);
        rt::visit_scalar("IncrementDelta", None, self.increment_delta, visitor);
        rt::visit_scalar("DeltaPlain", None, self.delta_plain, visitor);
        rt::visit_scalar("DeltaDelta", None, self.delta_delta, visitor);
        rt::visit_scalar("OptionalPlainDelta", None, self.optional_plain_delta, visitor);
        rt::visit_scalar("OptionalConstantPlain", None, self.optional_constant_plain, visitor);
        rt::visit_scalar(
            "OptionalConstantConstant",
            None,
            self.optional_constant_constant,
            visitor,
        );
        rt::visit_scalar("OptionalDefaultConstant", None, self.optional_default_constant, visitor);
        rt::visit_scalar("OptionalDefaultDefault", None, self.optional_default_default, visitor);
        rt::visit_scalar("OptionalCopyDefault", None, self.optional_copy_default, visitor);
        rt::visit_scalar("OptionalCopyCopy", None, self.optional_copy_copy, visitor);
        rt::visit_scalar("OptionalCopyFromCopy", None, self.optional_copy_from_copy, visitor);
        rt::visit_scalar(
            "OptionalCopyFromIncrement",
            None,
            self.optional_copy_from_increment,
            visitor,
        );
        rt::visit_scalar(
            "OptionalIncrementIncrement",
            None,
            self.optional_increment_increment,
            visitor,
        );
        rt::visit_scalar("OptionalIncrementDelta", None, self.optional_increment_delta, visitor);
        rt::visit_scalar("OptionalDeltaPlain", None, self.optional_delta_plain, visitor);
        rt::visit_scalar("OptionalDeltaDelta", None, self.optional_delta_delta, visitor);
    }
}

/// Template `Lengths`, identifier 10.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// `Plain`: sequence.
    pub plain: rt::Sequence<LengthsPlain>,
    /// `Constant`: sequence, length constant.
    pub constant: rt::Sequence<LengthsConstant>,
    /// `Default`: sequence, length default.
    pub default: rt::Sequence<LengthsDefault>,
    /// `Copy`: sequence, length copy.
    pub copy: rt::Sequence<LengthsCopy>,
    /// `CopyFrom` (5): sequence, length copy.
    pub copy_from: rt::Sequence<LengthsCopyFrom>,
    /// `Increment`: sequence, length increment.
    pub increment: rt::Sequence<LengthsIncrement>,
    /// `Delta`: sequence, length delta.
    pub delta: rt::Sequence<LengthsDelta>,
    /// `OptionalPlain`: optional sequence.
    pub optional_plain: rt::Optional<rt::Sequence<LengthsOptionalPlain>>,
    /// `OptionalConstant`: optional sequence, length constant.
    pub optional_constant: rt::Optional<rt::Sequence<LengthsOptionalConstant>>,
    /// `OptionalDefault`: optional sequence, length default.
    pub optional_default: rt::Optional<rt::Sequence<LengthsOptionalDefault>>,
    /// `OptionalCopy`: optional sequence, length copy.
    pub optional_copy: rt::Optional<rt::Sequence<LengthsOptionalCopy>>,
    /// `OptionalCopyFrom` (5): optional sequence, length copy.
    pub optional_copy_from: rt::Optional<rt::Sequence<LengthsOptionalCopyFrom>>,
    /// `OptionalIncrement`: optional sequence, length increment.
    pub optional_increment: rt::Optional<rt::Sequence<LengthsOptionalIncrement>>,
    /// `OptionalDelta`: optional sequence, length delta.
    pub optional_delta: rt::Optional<rt::Sequence<LengthsOptionalDelta>>,
}

impl Lengths {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.begin_sequence("Plain", None, self.plain.len());
        for (index, element) in self.plain.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Plain");
        visitor.begin_sequence("Constant", None, self.constant.len());
        for (index, element) in self.constant.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Constant");
        visitor.begin_sequence("Default", None, self.default.len());
        for (index, element) in self.default.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Default");
        visitor.begin_sequence("Copy", None, self.copy.len());
        for (index, element) in self.copy.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Copy");
        visitor.begin_sequence("CopyFrom", Some(5), self.copy_from.len());
        for (index, element) in self.copy_from.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("CopyFrom");
        visitor.begin_sequence("Increment", None, self.increment.len());
        for (index, element) in self.increment.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Increment");
        visitor.begin_sequence("Delta", None, self.delta.len());
        for (index, element) in self.delta.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Delta");
        if let Some(elements) = self.optional_plain.get() {
            visitor.begin_sequence("OptionalPlain", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalPlain");
        }
        if let Some(elements) = self.optional_constant.get() {
            visitor.begin_sequence("OptionalConstant", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalConstant");
        }
        if let Some(elements) = self.optional_default.get() {
            visitor.begin_sequence("OptionalDefault", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalDefault");
        }
        if let Some(elements) = self.optional_copy.get() {
            visitor.begin_sequence("OptionalCopy", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalCopy");
        }
        if let Some(elements) = self.optional_copy_from.get() {
            visitor.begin_sequence("OptionalCopyFrom", Some(5), elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalCopyFrom");
        }
        if let Some(elements) = self.optional_increment.get() {
            visitor.begin_sequence("OptionalIncrement", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalIncrement");
        }
        if let Some(elements) = self.optional_delta.get() {
            visitor.begin_sequence("OptionalDelta", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("OptionalDelta");
        }
    }
}

/// An element of sequence `Plain`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsPlain {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsPlain {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `Constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsConstant {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsConstant {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `Default`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsDefault {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsDefault {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `Copy`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsCopy {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsCopy {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `CopyFrom` (5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsCopyFrom {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsCopyFrom {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `Increment`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsIncrement {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsIncrement {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `Delta`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsDelta {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsDelta {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalPlain`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalPlain {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalPlain {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalConstant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalConstant {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalConstant {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalDefault`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalDefault {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalDefault {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalCopy`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalCopy {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalCopy {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalCopyFrom` (5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalCopyFrom {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalCopyFrom {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalIncrement`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalIncrement {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalIncrement {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// An element of sequence `OptionalDelta`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthsOptionalDelta {
    /// `Item`: uInt32.
    pub item: u32,
}

impl LengthsOptionalDelta {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Item", None, self.item, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `Int32`, identifier 1.
    Int32,
    /// `UInt32`, identifier 2.
    UInt32,
    /// `Int64`, identifier 3.
    Int64,
    /// `UInt64`, identifier 4.
    UInt64,
    /// `Decimal`, identifier 5.
    Decimal,
    /// `Ascii`, identifier 6.
    Ascii,
    /// `Unicode`, identifier 7.
    Unicode,
    /// `Bytes`, identifier 8.
    Bytes,
    /// `Parts`, identifier 9.
    Parts,
    /// `Lengths`, identifier 10.
    Lengths,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            1 => Some(Self::Int32),
            2 => Some(Self::UInt32),
            3 => Some(Self::Int64),
            4 => Some(Self::UInt64),
            5 => Some(Self::Decimal),
            6 => Some(Self::Ascii),
            7 => Some(Self::Unicode),
            8 => Some(Self::Bytes),
            9 => Some(Self::Parts),
            10 => Some(Self::Lengths),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::Int32 => 1,
            Self::UInt32 => 2,
            Self::Int64 => 3,
            Self::UInt64 => 4,
            Self::Decimal => 5,
            Self::Ascii => 6,
            Self::Unicode => 7,
            Self::Bytes => 8,
            Self::Parts => 9,
            Self::Lengths => 10,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int32 => "Int32",
            Self::UInt32 => "UInt32",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
            Self::Decimal => "Decimal",
            Self::Ascii => "Ascii",
            Self::Unicode => "Unicode",
            Self::Bytes => "Bytes",
            Self::Parts => "Parts",
            Self::Lengths => "Lengths",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `Int32`.
    Int32(&'m Int32),
    /// A message of template `UInt32`.
    UInt32(&'m UInt32),
    /// A message of template `Int64`.
    Int64(&'m Int64),
    /// A message of template `UInt64`.
    UInt64(&'m UInt64),
    /// A message of template `Decimal`.
    Decimal(&'m Decimal),
    /// A message of template `Ascii`.
    Ascii(&'m Ascii),
    /// A message of template `Unicode`.
    Unicode(&'m Unicode),
    /// A message of template `Bytes`.
    Bytes(&'m Bytes),
    /// A message of template `Parts`.
    Parts(&'m Parts),
    /// A message of template `Lengths`.
    Lengths(&'m Lengths),
}

impl<'m> From<&'m Int32> for Message<'m> {
    fn from(message: &'m Int32) -> Self {
        Self::Int32(message)
    }
}

impl<'m> From<&'m UInt32> for Message<'m> {
    fn from(message: &'m UInt32) -> Self {
        Self::UInt32(message)
    }
}

impl<'m> From<&'m Int64> for Message<'m> {
    fn from(message: &'m Int64) -> Self {
        Self::Int64(message)
    }
}

impl<'m> From<&'m UInt64> for Message<'m> {
    fn from(message: &'m UInt64) -> Self {
        Self::UInt64(message)
    }
}

impl<'m> From<&'m Decimal> for Message<'m> {
    fn from(message: &'m Decimal) -> Self {
        Self::Decimal(message)
    }
}

impl<'m> From<&'m Ascii> for Message<'m> {
    fn from(message: &'m Ascii) -> Self {
        Self::Ascii(message)
    }
}

impl<'m> From<&'m Unicode> for Message<'m> {
    fn from(message: &'m Unicode) -> Self {
        Self::Unicode(message)
    }
}

impl<'m> From<&'m Bytes> for Message<'m> {
    fn from(message: &'m Bytes) -> Self {
        Self::Bytes(message)
    }
}

impl<'m> From<&'m Parts> for Message<'m> {
    fn from(message: &'m Parts) -> Self {
        Self::Parts(message)
    }
}

impl<'m> From<&'m Lengths> for Message<'m> {
    fn from(message: &'m Lengths) -> Self {
        Self::Lengths(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::Int32(_) => Template::Int32,
            Self::UInt32(_) => Template::UInt32,
            Self::Int64(_) => Template::Int64,
            Self::UInt64(_) => Template::UInt64,
            Self::Decimal(_) => Template::Decimal,
            Self::Ascii(_) => Template::Ascii,
            Self::Unicode(_) => Template::Unicode,
            Self::Bytes(_) => Template::Bytes,
            Self::Parts(_) => Template::Parts,
            Self::Lengths(_) => Template::Lengths,
        }
    }

    /// Shows the message to a visitor.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.begin_message(self.template().name());
        self.visit_fields(visitor);
        visitor.end_message();
    }

    #[inline]
    fn visit_fields(&self, visitor: &mut impl rt::FieldVisitor) {
        match self {
            Self::Int32(message) => message.visit(visitor),
            Self::UInt32(message) => message.visit(visitor),
            Self::Int64(message) => message.visit(visitor),
            Self::UInt64(message) => message.visit(visitor),
            Self::Decimal(message) => message.visit(visitor),
            Self::Ascii(message) => message.visit(visitor),
            Self::Unicode(message) => message.visit(visitor),
            Self::Bytes(message) => message.visit(visitor),
            Self::Parts(message) => message.visit(visitor),
            Self::Lengths(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    int32: Option<Box<Int32>>,
    u_int32: Option<Box<UInt32>>,
    int64: Option<Box<Int64>>,
    u_int64: Option<Box<UInt64>>,
    decimal: Option<Box<Decimal>>,
    ascii: Option<Box<Ascii>>,
    unicode: Option<Box<Unicode>>,
    bytes: Option<Box<Bytes>>,
    parts: Option<Box<Parts>>,
    lengths: Option<Box<Lengths>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::Int32 => self.int32.as_deref().map(Message::Int32),
            Template::UInt32 => self.u_int32.as_deref().map(Message::UInt32),
            Template::Int64 => self.int64.as_deref().map(Message::Int64),
            Template::UInt64 => self.u_int64.as_deref().map(Message::UInt64),
            Template::Decimal => self.decimal.as_deref().map(Message::Decimal),
            Template::Ascii => self.ascii.as_deref().map(Message::Ascii),
            Template::Unicode => self.unicode.as_deref().map(Message::Unicode),
            Template::Bytes => self.bytes.as_deref().map(Message::Bytes),
            Template::Parts => self.parts.as_deref().map(Message::Parts),
            Template::Lengths => self.lengths.as_deref().map(Message::Lengths),
        }
    }

    /// Makes it a message of template `Int32` and returns that, as it was when it was last one.
    pub fn insert_int32(&mut self) -> &mut Int32 {
        self.current = Some(Template::Int32);
        self.int32.get_or_insert_default()
    }

    /// Makes it a message of template `UInt32` and returns that, as it was when it was last one.
    pub fn insert_u_int32(&mut self) -> &mut UInt32 {
        self.current = Some(Template::UInt32);
        self.u_int32.get_or_insert_default()
    }

    /// Makes it a message of template `Int64` and returns that, as it was when it was last one.
    pub fn insert_int64(&mut self) -> &mut Int64 {
        self.current = Some(Template::Int64);
        self.int64.get_or_insert_default()
    }

    /// Makes it a message of template `UInt64` and returns that, as it was when it was last one.
    pub fn insert_u_int64(&mut self) -> &mut UInt64 {
        self.current = Some(Template::UInt64);
        self.u_int64.get_or_insert_default()
    }

    /// Makes it a message of template `Decimal` and returns that, as it was when it was last one.
    pub fn insert_decimal(&mut self) -> &mut Decimal {
        self.current = Some(Template::Decimal);
        self.decimal.get_or_insert_default()
    }

    /// Makes it a message of template `Ascii` and returns that, as it was when it was last one.
    pub fn insert_ascii(&mut self) -> &mut Ascii {
        self.current = Some(Template::Ascii);
        self.ascii.get_or_insert_default()
    }

    /// Makes it a message of template `Unicode` and returns that, as it was when it was last one.
    pub fn insert_unicode(&mut self) -> &mut Unicode {
        self.current = Some(Template::Unicode);
        self.unicode.get_or_insert_default()
    }

    /// Makes it a message of template `Bytes` and returns that, as it was when it was last one.
    pub fn insert_bytes(&mut self) -> &mut Bytes {
        self.current = Some(Template::Bytes);
        self.bytes.get_or_insert_default()
    }

    /// Makes it a message of template `Parts` and returns that, as it was when it was last one.
    pub fn insert_parts(&mut self) -> &mut Parts {
        self.current = Some(Template::Parts);
        self.parts.get_or_insert_default()
    }

    /// Makes it a message of template `Lengths` and returns that, as it was when it was last one.
    pub fn insert_lengths(&mut self) -> &mut Lengths {
        self.current = Some(Template::Lengths);
        self.lengths.get_or_insert_default()
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Messages {}

/// The previous values of all operators.
#[derive(Clone, Debug, Default)]
pub struct Dictionaries {
    /// The template of the last identifier.
    template: Option<Template>,
    /// For `Copy` in the dictionary of template `Int32`.
    template_int32_copy: rt::Previous<i32>,
    /// For `CopyFrom` in the dictionary of template `Int32`.
    template_int32_copy_from: rt::Previous<i32>,
    /// For `Increment` in the dictionary of template `Int32`.
    template_int32_increment: rt::Previous<i32>,
    /// For `IncrementFrom` in the dictionary of template `Int32`.
    template_int32_increment_from: rt::Previous<i32>,
    /// For `Delta` in the dictionary of template `Int32`.
    template_int32_delta: rt::Previous<i32>,
    /// For `DeltaFrom` in the dictionary of template `Int32`.
    template_int32_delta_from: rt::Previous<i32>,
    /// For `OptionalCopy` in the dictionary of template `Int32`.
    template_int32_optional_copy: rt::Previous<i32>,
    /// For `OptionalCopyFrom` in the dictionary of template `Int32`.
    template_int32_optional_copy_from: rt::Previous<i32>,
    /// For `OptionalIncrement` in the dictionary of template `Int32`.
    template_int32_optional_increment: rt::Previous<i32>,
    /// For `OptionalIncrementFrom` in the dictionary of template `Int32`.
    template_int32_optional_increment_from: rt::Previous<i32>,
    /// For `OptionalDelta` in the dictionary of template `Int32`.
    template_int32_optional_delta: rt::Previous<i32>,
    /// For `OptionalDeltaFrom` in the dictionary of template `Int32`.
    template_int32_optional_delta_from: rt::Previous<i32>,
    /// For `Copy` in the dictionary of template `UInt32`.
    template_u_int32_copy: rt::Previous<u32>,
    /// For `CopyFrom` in the dictionary of template `UInt32`.
    template_u_int32_copy_from: rt::Previous<u32>,
    /// For `Increment` in the dictionary of template `UInt32`.
    template_u_int32_increment: rt::Previous<u32>,
    /// For `IncrementFrom` in the dictionary of template `UInt32`.
    template_u_int32_increment_from: rt::Previous<u32>,
    /// For `Delta` in the dictionary of template `UInt32`.
    template_u_int32_delta: rt::Previous<u32>,
    /// For `DeltaFrom` in the dictionary of template `UInt32`.
    template_u_int32_delta_from: rt::Previous<u32>,
    /// For `OptionalCopy` in the dictionary of template `UInt32`.
    template_u_int32_optional_copy: rt::Previous<u32>,
    /// For `OptionalCopyFrom` in the dictionary of template `UInt32`.
    template_u_int32_optional_copy_from: rt::Previous<u32>,
    /// For `OptionalIncrement` in the dictionary of template `UInt32`.
    template_u_int32_optional_increment: rt::Previous<u32>,
    /// For `OptionalIncrementFrom` in the dictionary of template `UInt32`.
    template_u_int32_optional_increment_from: rt::Previous<u32>,
    /// For `OptionalDelta` in the dictionary of template `UInt32`.
    template_u_int32_optional_delta: rt::Previous<u32>,
    /// For `OptionalDeltaFrom` in the dictionary of template `UInt32`.
    template_u_int32_optional_delta_from: rt::Previous<u32>,
    /// For `Copy` in the dictionary of template `Int64`.
    template_int64_copy: rt::Previous<i64>,
    /// For `CopyFrom` in the dictionary of template `Int64`.
    template_int64_copy_from: rt::Previous<i64>,
    /// For `Increment` in the dictionary of template `Int64`.
    template_int64_increment: rt::Previous<i64>,
    /// For `IncrementFrom` in the dictionary of template `Int64`.
    template_int64_increment_from: rt::Previous<i64>,
    /// For `Delta` in the dictionary of template `Int64`.
    template_int64_delta: rt::Previous<i64>,
    /// For `DeltaFrom` in the dictionary of template `Int64`.
    template_int64_delta_from: rt::Previous<i64>,
    /// For `OptionalCopy` in the dictionary of template `Int64`.
    template_int64_optional_copy: rt::Previous<i64>,
    /// For `OptionalCopyFrom` in the dictionary of template `Int64`.
    template_int64_optional_copy_from: rt::Previous<i64>,
    /// For `OptionalIncrement` in the dictionary of template `Int64`.
    template_int64_optional_increment: rt::Previous<i64>,
    /// For `OptionalIncrementFrom` in the dictionary of template `Int64`.
    template_int64_optional_increment_from: rt::Previous<i64>,
    /// For `OptionalDelta` in the dictionary of template `Int64`.
    template_int64_optional_delta: rt::Previous<i64>,
    /// For `OptionalDeltaFrom` in the dictionary of template `Int64`.
    template_int64_optional_delta_from: rt::Previous<i64>,
    /// For `Copy` in the dictionary of template `UInt64`.
    template_u_int64_copy: rt::Previous<u64>,
    /// For `CopyFrom` in the dictionary of template `UInt64`.
    template_u_int64_copy_from: rt::Previous<u64>,
    /// For `Increment` in the dictionary of template `UInt64`.
    template_u_int64_increment: rt::Previous<u64>,
    /// For `IncrementFrom` in the dictionary of template `UInt64`.
    template_u_int64_increment_from: rt::Previous<u64>,
    /// For `Delta` in the dictionary of template `UInt64`.
    template_u_int64_delta: rt::Previous<u64>,
    /// For `DeltaFrom` in the dictionary of template `UInt64`.
    template_u_int64_delta_from: rt::Previous<u64>,
    /// For `OptionalCopy` in the dictionary of template `UInt64`.
    template_u_int64_optional_copy: rt::Previous<u64>,
    /// For `OptionalCopyFrom` in the dictionary of template `UInt64`.
    template_u_int64_optional_copy_from: rt::Previous<u64>,
    /// For `OptionalIncrement` in the dictionary of template `UInt64`.
    template_u_int64_optional_increment: rt::Previous<u64>,
    /// For `OptionalIncrementFrom` in the dictionary of template `UInt64`.
    template_u_int64_optional_increment_from: rt::Previous<u64>,
    /// For `OptionalDelta` in the dictionary of template `UInt64`.
    template_u_int64_optional_delta: rt::Previous<u64>,
    /// For `OptionalDeltaFrom` in the dictionary of template `UInt64`.
    template_u_int64_optional_delta_from: rt::Previous<u64>,
    /// For `Copy` in the dictionary of template `Decimal`.
    template_decimal_copy: rt::Previous<rt::Decimal>,
    /// For `CopyFrom` in the dictionary of template `Decimal`.
    template_decimal_copy_from: rt::Previous<rt::Decimal>,
    /// For `Delta` in the dictionary of template `Decimal`.
    template_decimal_delta: rt::Previous<rt::Decimal>,
    /// For `DeltaFrom` in the dictionary of template `Decimal`.
    template_decimal_delta_from: rt::Previous<rt::Decimal>,
    /// For `OptionalCopy` in the dictionary of template `Decimal`.
    template_decimal_optional_copy: rt::Previous<rt::Decimal>,
    /// For `OptionalCopyFrom` in the dictionary of template `Decimal`.
    template_decimal_optional_copy_from: rt::Previous<rt::Decimal>,
    /// For `OptionalDelta` in the dictionary of template `Decimal`.
    template_decimal_optional_delta: rt::Previous<rt::Decimal>,
    /// For `OptionalDeltaFrom` in the dictionary of template `Decimal`.
    template_decimal_optional_delta_from: rt::Previous<rt::Decimal>,
    /// For `Copy` in the dictionary of template `Ascii`.
    template_ascii_copy: rt::PreviousText,
    /// For `CopyFrom` in the dictionary of template `Ascii`.
    template_ascii_copy_from: rt::PreviousText,
    /// For `Delta` in the dictionary of template `Ascii`.
    template_ascii_delta: rt::PreviousText,
    /// For `DeltaFrom` in the dictionary of template `Ascii`.
    template_ascii_delta_from: rt::PreviousText,
    /// For `Tail` in the dictionary of template `Ascii`.
    template_ascii_tail: rt::PreviousText,
    /// For `TailFrom` in the dictionary of template `Ascii`.
    template_ascii_tail_from: rt::PreviousText,
    /// For `OptionalCopy` in the dictionary of template `Ascii`.
    template_ascii_optional_copy: rt::PreviousText,
    /// For `OptionalCopyFrom` in the dictionary of template `Ascii`.
    template_ascii_optional_copy_from: rt::PreviousText,
    /// For `OptionalDelta` in the dictionary of template `Ascii`.
    template_ascii_optional_delta: rt::PreviousText,
    /// For `OptionalDeltaFrom` in the dictionary of template `Ascii`.
    template_ascii_optional_delta_from: rt::PreviousText,
    /// For `OptionalTail` in the dictionary of template `Ascii`.
    template_ascii_optional_tail: rt::PreviousText,
    /// For `OptionalTailFrom` in the dictionary of template `Ascii`.
    template_ascii_optional_tail_from: rt::PreviousText,
    /// For `Copy` in the dictionary of template `Unicode`.
    template_unicode_copy: rt::PreviousText,
    /// For `CopyFrom` in the dictionary of template `Unicode`.
    template_unicode_copy_from: rt::PreviousText,
    /// For `Delta` in the dictionary of template `Unicode`.
    template_unicode_delta: rt::PreviousText,
    /// For `DeltaFrom` in the dictionary of template `Unicode`.
    template_unicode_delta_from: rt::PreviousText,
    /// For `Tail` in the dictionary of template `Unicode`.
    template_unicode_tail: rt::PreviousText,
    /// For `TailFrom` in the dictionary of template `Unicode`.
    template_unicode_tail_from: rt::PreviousText,
    /// For `OptionalCopy` in the dictionary of template `Unicode`.
    template_unicode_optional_copy: rt::PreviousText,
    /// For `OptionalCopyFrom` in the dictionary of template `Unicode`.
    template_unicode_optional_copy_from: rt::PreviousText,
    /// For `OptionalDelta` in the dictionary of template `Unicode`.
    template_unicode_optional_delta: rt::PreviousText,
    /// For `OptionalDeltaFrom` in the dictionary of template `Unicode`.
    template_unicode_optional_delta_from: rt::PreviousText,
    /// For `OptionalTail` in the dictionary of template `Unicode`.
    template_unicode_optional_tail: rt::PreviousText,
    /// For `OptionalTailFrom` in the dictionary of template `Unicode`.
    template_unicode_optional_tail_from: rt::PreviousText,
    /// For `Copy` in the dictionary of template `Bytes`.
    template_bytes_copy: rt::PreviousText,
    /// For `CopyFrom` in the dictionary of template `Bytes`.
    template_bytes_copy_from: rt::PreviousText,
    /// For `Delta` in the dictionary of template `Bytes`.
    template_bytes_delta: rt::PreviousText,
    /// For `DeltaFrom` in the dictionary of template `Bytes`.
    template_bytes_delta_from: rt::PreviousText,
    /// For `Tail` in the dictionary of template `Bytes`.
    template_bytes_tail: rt::PreviousText,
    /// For `TailFrom` in the dictionary of template `Bytes`.
    template_bytes_tail_from: rt::PreviousText,
    /// For `OptionalCopy` in the dictionary of template `Bytes`.
    template_bytes_optional_copy: rt::PreviousText,
    /// For `OptionalCopyFrom` in the dictionary of template `Bytes`.
    template_bytes_optional_copy_from: rt::PreviousText,
    /// For `OptionalDelta` in the dictionary of template `Bytes`.
    template_bytes_optional_delta: rt::PreviousText,
    /// For `OptionalDeltaFrom` in the dictionary of template `Bytes`.
    template_bytes_optional_delta_from: rt::PreviousText,
    /// For `OptionalTail` in the dictionary of template `Bytes`.
    template_bytes_optional_tail: rt::PreviousText,
    /// For `OptionalTailFrom` in the dictionary of template `Bytes`.
    template_bytes_optional_tail_from: rt::PreviousText,
    /// For the mantissa of `PlainDelta` in the dictionary of template `Parts`.
    template_parts_plain_delta_mantissa: rt::Previous<i64>,
    /// For the exponent of `CopyDefault` in the dictionary of template `Parts`.
    template_parts_copy_default_exponent: rt::Previous<i32>,
    /// For the exponent of `CopyCopy` in the dictionary of template `Parts`.
    template_parts_copy_copy_exponent: rt::Previous<i32>,
    /// For the mantissa of `CopyCopy` in the dictionary of template `Parts`.
    template_parts_copy_copy_mantissa: rt::Previous<i64>,
    /// For the exponent of `CopyFromCopy` in the dictionary of template `Parts`.
    template_parts_copy_from_copy_exponent: rt::Previous<i32>,
    /// For the mantissa of `CopyFromCopy` in the dictionary of template `Parts`.
    template_parts_copy_from_copy_mantissa: rt::Previous<i64>,
    /// For the exponent of `CopyFromIncrement` in the dictionary of template `Parts`.
    template_parts_copy_from_increment_exponent: rt::Previous<i32>,
    /// For the mantissa of `CopyFromIncrement` in the dictionary of template `Parts`.
    template_parts_copy_from_increment_mantissa: rt::Previous<i64>,
    /// For the exponent of `IncrementIncrement` in the dictionary of template `Parts`.
    template_parts_increment_increment_exponent: rt::Previous<i32>,
    /// For the mantissa of `IncrementIncrement` in the dictionary of template `Parts`.
    template_parts_increment_increment_mantissa: rt::Previous<i64>,
    /// For the exponent of `IncrementDelta` in the dictionary of template `Parts`.
    template_parts_increment_delta_exponent: rt::Previous<i32>,
    /// For the mantissa of `IncrementDelta` in the dictionary of template `Parts`.
    template_parts_increment_delta_mantissa: rt::Previous<i64>,
    /// For the exponent of `DeltaPlain` in the dictionary of template `Parts`.
    template_parts_delta_plain_exponent: rt::Previous<i32>,
    /// For the exponent of `DeltaDelta` in the dictionary of template `Parts`.
    template_parts_delta_delta_exponent: rt::Previous<i32>,
    /// For the mantissa of `DeltaDelta` in the dictionary of template `Parts`.
    template_parts_delta_delta_mantissa: rt::Previous<i64>,
    /// For the mantissa of `OptionalPlainDelta` in the dictionary of template `Parts`.
    template_parts_optional_plain_delta_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalCopyDefault` in the dictionary of template `Parts`.
    template_parts_optional_copy_default_exponent: rt::Previous<i32>,
    /// For the exponent of `OptionalCopyCopy` in the dictionary of template `Parts`.
    template_parts_optional_copy_copy_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalCopyCopy` in the dictionary of template `Parts`.
    template_parts_optional_copy_copy_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalCopyFromCopy` in the dictionary of template `Parts`.
    template_parts_optional_copy_from_copy_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalCopyFromCopy` in the dictionary of template `Parts`.
    template_parts_optional_copy_from_copy_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalCopyFromIncrement` in the dictionary of template `Parts`.
    template_parts_optional_copy_from_increment_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalCopyFromIncrement` in the dictionary of template `Parts`.
    template_parts_optional_copy_from_increment_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalIncrementIncrement` in the dictionary of template `Parts`.
    template_parts_optional_increment_increment_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalIncrementIncrement` in the dictionary of template `Parts`.
    template_parts_optional_increment_increment_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalIncrementDelta` in the dictionary of template `Parts`.
    template_parts_optional_increment_delta_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalIncrementDelta` in the dictionary of template `Parts`.
    template_parts_optional_increment_delta_mantissa: rt::Previous<i64>,
    /// For the exponent of `OptionalDeltaPlain` in the dictionary of template `Parts`.
    template_parts_optional_delta_plain_exponent: rt::Previous<i32>,
    /// For the exponent of `OptionalDeltaDelta` in the dictionary of template `Parts`.
    template_parts_optional_delta_delta_exponent: rt::Previous<i32>,
    /// For the mantissa of `OptionalDeltaDelta` in the dictionary of template `Parts`.
    template_parts_optional_delta_delta_mantissa: rt::Previous<i64>,
    /// For the length of `Copy` in the dictionary of template `Lengths`.
    template_lengths_copy_length: rt::Previous<u32>,
    /// For the length of `CopyFrom` in the dictionary of template `Lengths`.
    template_lengths_copy_from_length: rt::Previous<u32>,
    /// For the length of `Increment` in the dictionary of template `Lengths`.
    template_lengths_increment_length: rt::Previous<u32>,
    /// For the length of `Delta` in the dictionary of template `Lengths`.
    template_lengths_delta_length: rt::Previous<u32>,
    /// For the length of `OptionalCopy` in the dictionary of template `Lengths`.
    template_lengths_optional_copy_length: rt::Previous<u32>,
    /// For the length of `OptionalIncrement` in the dictionary of template `Lengths`.
    template_lengths_optional_increment_length: rt::Previous<u32>,
    /// For the length of `OptionalDelta` in the dictionary of template `Lengths`.
    template_lengths_optional_delta_length: rt::Previous<u32>,
}

impl Dictionaries {
    fn reset_named(&mut self, _name: &str) {}
}

/// Decodes the messages of one stream, as `saker_fast::Decoder` does: after an error it is
/// poisoned until it is reset.
#[derive(Clone, Debug)]
pub struct Decoder {
    state: rt::DecoderState,
    dictionaries: Dictionaries,
    messages: Messages,
}

impl Decoder {
    /// A decoder whose dictionaries are undefined.
    pub fn new(options: rt::DecoderOptions) -> Self {
        Self {
            state: rt::DecoderState::new(options),
            dictionaries: Dictionaries::default(),
            messages: Messages::default(),
        }
    }

    /// Sets all previous values to undefined, also that of the template identifier.
    pub fn reset(&mut self) {
        self.state.reset();
        self.dictionaries.template = None;
    }

    /// Sets the previous values of one user-defined dictionary, or of `global`, to undefined.
    pub fn reset_dictionary(&mut self, name: &str) {
        self.dictionaries.reset_named(name);
    }

    /// Says that a packet begins: resets where the policy is to reset at packets or messages.
    pub fn begin_packet(&mut self) {
        if self.state.reset_policy() != rt::ResetPolicy::Never {
            self.reset();
        }
    }

    /// Decodes the message at the start of `bytes`; returns it and its length in bytes.
    ///
    /// # Errors
    /// Those of the specification; the offset counts from the start of `bytes`.
    #[inline]
    pub fn decode(&mut self, bytes: &[u8]) -> Result<(Message<'_>, usize), rt::DecodeError> {
        if self.state.reset_policy() == rt::ResetPolicy::Message {
            self.reset();
        }
        let Self { state, dictionaries, messages } = self;
        let length = state
            .message(bytes, |state, input| decode_message(state, dictionaries, input, messages))?;
        let message = messages.get().expect("a message that was decoded is there");
        Ok((message, length))
    }

    /// Decodes the message at the start of `bytes`, shows its fields to a visitor, and returns its
    /// length in bytes. Where a template and its parts have no operators, that is done without a
    /// structure, and the visitor may have seen a part of a message that fails; there is no
    /// `end_message` then.
    ///
    /// # Errors
    /// Those of the specification; the offset counts from the start of `bytes`.
    #[inline]
    pub fn visit(
        &mut self,
        bytes: &[u8],
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<usize, rt::DecodeError> {
        if self.state.reset_policy() == rt::ResetPolicy::Message {
            self.reset();
        }
        let Self { state, dictionaries, messages } = self;
        if let Some(outcome) = visit_streamed(state, dictionaries, bytes, visitor) {
            return outcome;
        }
        state.message(bytes, |state, input| {
            visit_message(state, dictionaries, input, messages, visitor)
        })
    }

    /// Decodes a packet, messages one after another up to the end of `bytes`; returns their number.
    /// Begins a packet.
    ///
    /// # Errors
    /// That of the first message that fails, with the offset into `bytes`.
    pub fn decode_packet(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(Message<'_>),
    ) -> Result<usize, rt::DecodeError> {
        self.begin_packet();
        let (mut at, mut count) = (0, 0);
        while at < bytes.len() {
            match self.decode(&bytes[at..]) {
                Ok((message, length)) => {
                    each(message);
                    at += length;
                }
                Err(mut error) => {
                    error.offset += at;
                    return Err(error);
                }
            }
            count += 1;
        }
        Ok(count)
    }
}

/// Encodes the messages of one stream, as `saker_fast::Encoder` does: after an error it is
/// poisoned until it is reset.
#[derive(Clone, Debug)]
pub struct Encoder {
    state: rt::EncoderState,
    dictionaries: Dictionaries,
}

impl Encoder {
    /// An encoder whose dictionaries are undefined.
    pub fn new(options: rt::EncoderOptions) -> Self {
        Self { state: rt::EncoderState::new(options), dictionaries: Dictionaries::default() }
    }

    /// Sets all previous values to undefined, also that of the template identifier.
    pub fn reset(&mut self) {
        self.state.reset();
        self.dictionaries.template = None;
    }

    /// Sets the previous values of one user-defined dictionary, or of `global`, to undefined.
    pub fn reset_dictionary(&mut self, name: &str) {
        self.dictionaries.reset_named(name);
    }

    /// Says that a packet begins: resets where the policy is to reset at packets or messages.
    pub fn begin_packet(&mut self) {
        if self.state.reset_policy() != rt::ResetPolicy::Never {
            self.reset();
        }
    }

    /// Appends the encoding of a message to `out`.
    ///
    /// # Errors
    /// Those of the specification; `out` is then as it was before.
    pub fn encode<'m>(
        &mut self,
        message: impl Into<Message<'m>>,
        out: &mut Vec<u8>,
    ) -> Result<(), rt::EncodeError> {
        if self.state.reset_policy() == rt::ResetPolicy::Message {
            self.reset();
        }
        let Self { state, dictionaries } = self;
        let message = message.into();
        state.message(out, |state, out| encode_message(state, dictionaries, message, out))
    }
}

/// A segment with a template identifier.
fn decode_message<'i>(
    state: &mut rt::DecoderState,
    dictionaries: &mut Dictionaries,
    mut input: rt::Cursor<'i>,
    messages: &mut Messages,
) -> Result<rt::Cursor<'i>, rt::Failure> {
    let mut presence = rt::Presence::read(&mut input, state)?;
    let template = rt::identifier(
        state,
        &mut input,
        &mut presence,
        &mut dictionaries.template,
        Template::by_id,
    )?;
    let outcome = match template {
        Template::Int32 => {
            let message = messages.insert_int32();
            message.decode(state, dictionaries, input, presence)
        }
        Template::UInt32 => {
            let message = messages.insert_u_int32();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Int64 => {
            let message = messages.insert_int64();
            message.decode(state, dictionaries, input, presence)
        }
        Template::UInt64 => {
            let message = messages.insert_u_int64();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Decimal => {
            let message = messages.insert_decimal();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Ascii => {
            let message = messages.insert_ascii();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Unicode => {
            let message = messages.insert_unicode();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Bytes => {
            let message = messages.insert_bytes();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Parts => {
            let message = messages.insert_parts();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Lengths => {
            let message = messages.insert_lengths();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl Int32 {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.plain = rt::plain("Plain", state, &mut input)?;
        self.default = rt::default("Default", state, &mut input, &mut presence, Some(-7))?;
        self.copy = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_copy,
            None,
        )?;
        self.copy_from = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_copy_from,
            Some(-7),
        )?;
        self.increment = rt::increment(
            "Increment",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_increment,
            None,
        )?;
        self.increment_from = rt::increment(
            "IncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_increment_from,
            Some(-7),
        )?;
        self.delta =
            rt::delta("Delta", state, &mut input, &mut dictionaries.template_int32_delta, None)?;
        self.delta_from = rt::delta(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_int32_delta_from,
            Some(-7),
        )?;
        self.optional_plain = rt::plain("OptionalPlain", state, &mut input)?;
        self.optional_constant = presence.next();
        self.optional_default =
            rt::default("OptionalDefault", state, &mut input, &mut presence, Some(-7))?;
        self.optional_copy = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_optional_copy,
            None,
        )?;
        self.optional_copy_from = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_optional_copy_from,
            Some(-7),
        )?;
        self.optional_increment = rt::increment(
            "OptionalIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_optional_increment,
            None,
        )?;
        self.optional_increment_from = rt::increment(
            "OptionalIncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int32_optional_increment_from,
            Some(-7),
        )?;
        self.optional_delta = rt::delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_int32_optional_delta,
            None,
        )?;
        self.optional_delta_from = rt::delta(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_int32_optional_delta_from,
            Some(-7),
        )?;
        self.optional_default_none =
            rt::default("OptionalDefaultNone", state, &mut input, &mut presence, None)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl UInt32 {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.plain = rt::plain("Plain", state, &mut input)?;
        self.default = rt::default("Default", state, &mut input, &mut presence, Some(7))?;
        self.copy = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_copy,
            None,
        )?;
        self.copy_from = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_copy_from,
            Some(7),
        )?;
        self.increment = rt::increment(
            "Increment",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_increment,
            None,
        )?;
        self.increment_from = rt::increment(
            "IncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_increment_from,
            Some(7),
        )?;
        self.delta =
            rt::delta("Delta", state, &mut input, &mut dictionaries.template_u_int32_delta, None)?;
        self.delta_from = rt::delta(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_u_int32_delta_from,
            Some(7),
        )?;
        self.optional_plain = rt::plain("OptionalPlain", state, &mut input)?;
        self.optional_constant = presence.next();
        self.optional_default =
            rt::default("OptionalDefault", state, &mut input, &mut presence, Some(7))?;
        self.optional_copy = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_optional_copy,
            None,
        )?;
        self.optional_copy_from = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_optional_copy_from,
            Some(7),
        )?;
        self.optional_increment = rt::increment(
            "OptionalIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_optional_increment,
            None,
        )?;
        self.optional_increment_from = rt::increment(
            "OptionalIncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int32_optional_increment_from,
            Some(7),
        )?;
        self.optional_delta = rt::delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_u_int32_optional_delta,
            None,
        )?;
        self.optional_delta_from = rt::delta(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_u_int32_optional_delta_from,
            Some(7),
        )?;
        self.optional_default_none =
            rt::default("OptionalDefaultNone", state, &mut input, &mut presence, None)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Int64 {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.plain = rt::plain("Plain", state, &mut input)?;
        self.default = rt::default("Default", state, &mut input, &mut presence, Some(-700))?;
        self.copy = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_copy,
            None,
        )?;
        self.copy_from = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_copy_from,
            Some(-700),
        )?;
        self.increment = rt::increment(
            "Increment",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_increment,
            None,
        )?;
        self.increment_from = rt::increment(
            "IncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_increment_from,
            Some(-700),
        )?;
        self.delta =
            rt::delta("Delta", state, &mut input, &mut dictionaries.template_int64_delta, None)?;
        self.delta_from = rt::delta(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_int64_delta_from,
            Some(-700),
        )?;
        self.optional_plain = rt::plain("OptionalPlain", state, &mut input)?;
        self.optional_constant = presence.next();
        self.optional_default =
            rt::default("OptionalDefault", state, &mut input, &mut presence, Some(-700))?;
        self.optional_copy = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_optional_copy,
            None,
        )?;
        self.optional_copy_from = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_optional_copy_from,
            Some(-700),
        )?;
        self.optional_increment = rt::increment(
            "OptionalIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_optional_increment,
            None,
        )?;
        self.optional_increment_from = rt::increment(
            "OptionalIncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_int64_optional_increment_from,
            Some(-700),
        )?;
        self.optional_delta = rt::delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_int64_optional_delta,
            None,
        )?;
        self.optional_delta_from = rt::delta(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_int64_optional_delta_from,
            Some(-700),
        )?;
        self.optional_default_none =
            rt::default("OptionalDefaultNone", state, &mut input, &mut presence, None)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl UInt64 {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.plain = rt::plain("Plain", state, &mut input)?;
        self.default = rt::default("Default", state, &mut input, &mut presence, Some(700))?;
        self.copy = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_copy,
            None,
        )?;
        self.copy_from = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_copy_from,
            Some(700),
        )?;
        self.increment = rt::increment(
            "Increment",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_increment,
            None,
        )?;
        self.increment_from = rt::increment(
            "IncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_increment_from,
            Some(700),
        )?;
        self.delta =
            rt::delta("Delta", state, &mut input, &mut dictionaries.template_u_int64_delta, None)?;
        self.delta_from = rt::delta(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_u_int64_delta_from,
            Some(700),
        )?;
        self.optional_plain = rt::plain("OptionalPlain", state, &mut input)?;
        self.optional_constant = presence.next();
        self.optional_default =
            rt::default("OptionalDefault", state, &mut input, &mut presence, Some(700))?;
        self.optional_copy = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_optional_copy,
            None,
        )?;
        self.optional_copy_from = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_optional_copy_from,
            Some(700),
        )?;
        self.optional_increment = rt::increment(
            "OptionalIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_optional_increment,
            None,
        )?;
        self.optional_increment_from = rt::increment(
            "OptionalIncrementFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_u_int64_optional_increment_from,
            Some(700),
        )?;
        self.optional_delta = rt::delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_u_int64_optional_delta,
            None,
        )?;
        self.optional_delta_from = rt::delta(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_u_int64_optional_delta_from,
            Some(700),
        )?;
        self.optional_default_none =
            rt::default("OptionalDefaultNone", state, &mut input, &mut presence, None)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Decimal {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.plain = rt::plain("Plain", state, &mut input)?;
        self.default = rt::default(
            "Default",
            state,
            &mut input,
            &mut presence,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.copy = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_decimal_copy,
            None,
        )?;
        self.copy_from = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_decimal_copy_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.delta = rt::decimal_delta(
            "Delta",
            state,
            &mut input,
            &mut dictionaries.template_decimal_delta,
            None,
        )?;
        self.delta_from = rt::decimal_delta(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_decimal_delta_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.optional_plain = rt::plain("OptionalPlain", state, &mut input)?;
        self.optional_constant = presence.next();
        self.optional_default = rt::default(
            "OptionalDefault",
            state,
            &mut input,
            &mut presence,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.optional_copy = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_decimal_optional_copy,
            None,
        )?;
        self.optional_copy_from = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_decimal_optional_copy_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.optional_delta = rt::decimal_delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_decimal_optional_delta,
            None,
        )?;
        self.optional_delta_from = rt::decimal_delta(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_decimal_optional_delta_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        self.optional_default_none =
            rt::default("OptionalDefaultNone", state, &mut input, &mut presence, None)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Ascii {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::text("Plain", state, &mut input, &mut self.plain)?;
        rt::default_text(
            "Default",
            state,
            &mut input,
            &mut presence,
            Some(b"GEH6"),
            &mut self.default,
        )?;
        rt::copy_text(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_copy,
            None,
            &mut self.copy,
        )?;
        rt::copy_text(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_copy_from,
            Some(b"GEH6"),
            &mut self.copy_from,
        )?;
        rt::delta_text(
            "Delta",
            state,
            &mut input,
            &mut dictionaries.template_ascii_delta,
            None,
            &mut self.delta,
        )?;
        rt::delta_text(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_ascii_delta_from,
            Some(b"GEH6"),
            &mut self.delta_from,
        )?;
        rt::tail_text(
            "Tail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_tail,
            None,
            &mut self.tail,
        )?;
        rt::tail_text(
            "TailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_tail_from,
            Some(b"GEH6"),
            &mut self.tail_from,
        )?;
        rt::text("OptionalPlain", state, &mut input, &mut self.optional_plain)?;
        self.optional_constant = presence.next();
        rt::default_text(
            "OptionalDefault",
            state,
            &mut input,
            &mut presence,
            Some(b"GEH6"),
            &mut self.optional_default,
        )?;
        rt::copy_text(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_optional_copy,
            None,
            &mut self.optional_copy,
        )?;
        rt::copy_text(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_optional_copy_from,
            Some(b"GEH6"),
            &mut self.optional_copy_from,
        )?;
        rt::delta_text(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_ascii_optional_delta,
            None,
            &mut self.optional_delta,
        )?;
        rt::delta_text(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_ascii_optional_delta_from,
            Some(b"GEH6"),
            &mut self.optional_delta_from,
        )?;
        rt::tail_text(
            "OptionalTail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_optional_tail,
            None,
            &mut self.optional_tail,
        )?;
        rt::tail_text(
            "OptionalTailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_ascii_optional_tail_from,
            Some(b"GEH6"),
            &mut self.optional_tail_from,
        )?;
        rt::default_text(
            "OptionalDefaultNone",
            state,
            &mut input,
            &mut presence,
            None,
            &mut self.optional_default_none,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Unicode {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::text("Plain", state, &mut input, &mut self.plain)?;
        rt::default_text(
            "Default",
            state,
            &mut input,
            &mut presence,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.default,
        )?;
        rt::copy_text(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_copy,
            None,
            &mut self.copy,
        )?;
        rt::copy_text(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_copy_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.copy_from,
        )?;
        rt::delta_text(
            "Delta",
            state,
            &mut input,
            &mut dictionaries.template_unicode_delta,
            None,
            &mut self.delta,
        )?;
        rt::delta_text(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_unicode_delta_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.delta_from,
        )?;
        rt::tail_text(
            "Tail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_tail,
            None,
            &mut self.tail,
        )?;
        rt::tail_text(
            "TailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_tail_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.tail_from,
        )?;
        rt::text("OptionalPlain", state, &mut input, &mut self.optional_plain)?;
        self.optional_constant = presence.next();
        rt::default_text(
            "OptionalDefault",
            state,
            &mut input,
            &mut presence,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.optional_default,
        )?;
        rt::copy_text(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_optional_copy,
            None,
            &mut self.optional_copy,
        )?;
        rt::copy_text(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_optional_copy_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.optional_copy_from,
        )?;
        rt::delta_text(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_unicode_optional_delta,
            None,
            &mut self.optional_delta,
        )?;
        rt::delta_text(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_unicode_optional_delta_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.optional_delta_from,
        )?;
        rt::tail_text(
            "OptionalTail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_optional_tail,
            None,
            &mut self.optional_tail,
        )?;
        rt::tail_text(
            "OptionalTailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_unicode_optional_tail_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
            &mut self.optional_tail_from,
        )?;
        rt::default_text(
            "OptionalDefaultNone",
            state,
            &mut input,
            &mut presence,
            None,
            &mut self.optional_default_none,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Bytes {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::text("Plain", state, &mut input, &mut self.plain)?;
        rt::default_text(
            "Default",
            state,
            &mut input,
            &mut presence,
            Some(b"\x00\xff\\\""),
            &mut self.default,
        )?;
        rt::copy_text(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_copy,
            None,
            &mut self.copy,
        )?;
        rt::copy_text(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_copy_from,
            Some(b"\x00\xff\\\""),
            &mut self.copy_from,
        )?;
        rt::delta_text(
            "Delta",
            state,
            &mut input,
            &mut dictionaries.template_bytes_delta,
            None,
            &mut self.delta,
        )?;
        rt::delta_text(
            "DeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_bytes_delta_from,
            Some(b"\x00\xff\\\""),
            &mut self.delta_from,
        )?;
        rt::tail_text(
            "Tail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_tail,
            None,
            &mut self.tail,
        )?;
        rt::tail_text(
            "TailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_tail_from,
            Some(b"\x00\xff\\\""),
            &mut self.tail_from,
        )?;
        rt::text("OptionalPlain", state, &mut input, &mut self.optional_plain)?;
        self.optional_constant = presence.next();
        rt::default_text(
            "OptionalDefault",
            state,
            &mut input,
            &mut presence,
            Some(b"\x00\xff\\\""),
            &mut self.optional_default,
        )?;
        rt::copy_text(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_optional_copy,
            None,
            &mut self.optional_copy,
        )?;
        rt::copy_text(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_optional_copy_from,
            Some(b"\x00\xff\\\""),
            &mut self.optional_copy_from,
        )?;
        rt::delta_text(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_bytes_optional_delta,
            None,
            &mut self.optional_delta,
        )?;
        rt::delta_text(
            "OptionalDeltaFrom",
            state,
            &mut input,
            &mut dictionaries.template_bytes_optional_delta_from,
            Some(b"\x00\xff\\\""),
            &mut self.optional_delta_from,
        )?;
        rt::tail_text(
            "OptionalTail",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_optional_tail,
            None,
            &mut self.optional_tail,
        )?;
        rt::tail_text(
            "OptionalTailFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_bytes_optional_tail_from,
            Some(b"\x00\xff\\\""),
            &mut self.optional_tail_from,
        )?;
        rt::default_text(
            "OptionalDefaultNone",
            state,
            &mut input,
            &mut presence,
            None,
            &mut self.optional_default_none,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Parts {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let exponent: i32 = rt::plain("PlainDelta", state, &mut input)?;
        let exponent = rt::exponent("PlainDelta", &input, exponent)?;
        let mantissa: i64 = rt::delta(
            "PlainDelta",
            state,
            &mut input,
            &mut dictionaries.template_parts_plain_delta_mantissa,
            Some(5),
        )?;
        self.plain_delta = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = -2;
        let exponent = rt::exponent("ConstantPlain", &input, exponent)?;
        let mantissa: i64 = rt::plain("ConstantPlain", state, &mut input)?;
        self.constant_plain = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = -2;
        let exponent = rt::exponent("ConstantConstant", &input, exponent)?;
        let mantissa: i64 = 17;
        self.constant_constant = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 =
            rt::default("DefaultConstant", state, &mut input, &mut presence, Some(2))?;
        let exponent = rt::exponent("DefaultConstant", &input, exponent)?;
        let mantissa: i64 = 17;
        self.default_constant = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 =
            rt::default("DefaultDefault", state, &mut input, &mut presence, Some(2))?;
        let exponent = rt::exponent("DefaultDefault", &input, exponent)?;
        let mantissa: i64 =
            rt::default("DefaultDefault", state, &mut input, &mut presence, Some(2))?;
        self.default_default = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::copy(
            "CopyDefault",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_default_exponent,
            None,
        )?;
        let exponent = rt::exponent("CopyDefault", &input, exponent)?;
        let mantissa: i64 = rt::default("CopyDefault", state, &mut input, &mut presence, Some(2))?;
        self.copy_default = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::copy(
            "CopyCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_copy_exponent,
            None,
        )?;
        let exponent = rt::exponent("CopyCopy", &input, exponent)?;
        let mantissa: i64 = rt::copy(
            "CopyCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_copy_mantissa,
            None,
        )?;
        self.copy_copy = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::copy(
            "CopyFromCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_from_copy_exponent,
            Some(-1),
        )?;
        let exponent = rt::exponent("CopyFromCopy", &input, exponent)?;
        let mantissa: i64 = rt::copy(
            "CopyFromCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_from_copy_mantissa,
            None,
        )?;
        self.copy_from_copy = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::copy(
            "CopyFromIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_from_increment_exponent,
            Some(-1),
        )?;
        let exponent = rt::exponent("CopyFromIncrement", &input, exponent)?;
        let mantissa: i64 = rt::increment(
            "CopyFromIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_copy_from_increment_mantissa,
            Some(1),
        )?;
        self.copy_from_increment = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::increment(
            "IncrementIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_increment_increment_exponent,
            Some(1),
        )?;
        let exponent = rt::exponent("IncrementIncrement", &input, exponent)?;
        let mantissa: i64 = rt::increment(
            "IncrementIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_increment_increment_mantissa,
            Some(1),
        )?;
        self.increment_increment = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::increment(
            "IncrementDelta",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_increment_delta_exponent,
            Some(1),
        )?;
        let exponent = rt::exponent("IncrementDelta", &input, exponent)?;
        let mantissa: i64 = rt::delta(
            "IncrementDelta",
            state,
            &mut input,
            &mut dictionaries.template_parts_increment_delta_mantissa,
            Some(5),
        )?;
        self.increment_delta = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::delta(
            "DeltaPlain",
            state,
            &mut input,
            &mut dictionaries.template_parts_delta_plain_exponent,
            None,
        )?;
        let exponent = rt::exponent("DeltaPlain", &input, exponent)?;
        let mantissa: i64 = rt::plain("DeltaPlain", state, &mut input)?;
        self.delta_plain = rt::Decimal::new(mantissa, exponent);
        let exponent: i32 = rt::delta(
            "DeltaDelta",
            state,
            &mut input,
            &mut dictionaries.template_parts_delta_delta_exponent,
            None,
        )?;
        let exponent = rt::exponent("DeltaDelta", &input, exponent)?;
        let mantissa: i64 = rt::delta(
            "DeltaDelta",
            state,
            &mut input,
            &mut dictionaries.template_parts_delta_delta_mantissa,
            Some(5),
        )?;
        self.delta_delta = rt::Decimal::new(mantissa, exponent);
        let exponent: Option<i32> = rt::plain("OptionalPlainDelta", state, &mut input)?;
        let exponent = rt::exponent("OptionalPlainDelta", &input, exponent)?;
        self.optional_plain_delta = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::delta(
                "OptionalPlainDelta",
                state,
                &mut input,
                &mut dictionaries.template_parts_optional_plain_delta_mantissa,
                Some(5),
            )?;
            self.optional_plain_delta = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = presence.next().then_some(-2);
        let exponent = rt::exponent("OptionalConstantPlain", &input, exponent)?;
        self.optional_constant_plain = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::plain("OptionalConstantPlain", state, &mut input)?;
            self.optional_constant_plain = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = presence.next().then_some(-2);
        let exponent = rt::exponent("OptionalConstantConstant", &input, exponent)?;
        self.optional_constant_constant = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = 17;
            self.optional_constant_constant = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> =
            rt::default("OptionalDefaultConstant", state, &mut input, &mut presence, Some(2))?;
        let exponent = rt::exponent("OptionalDefaultConstant", &input, exponent)?;
        self.optional_default_constant = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = 17;
            self.optional_default_constant = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> =
            rt::default("OptionalDefaultDefault", state, &mut input, &mut presence, Some(2))?;
        let exponent = rt::exponent("OptionalDefaultDefault", &input, exponent)?;
        self.optional_default_default = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 =
                rt::default("OptionalDefaultDefault", state, &mut input, &mut presence, Some(2))?;
            self.optional_default_default = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::copy(
            "OptionalCopyDefault",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_copy_default_exponent,
            None,
        )?;
        let exponent = rt::exponent("OptionalCopyDefault", &input, exponent)?;
        self.optional_copy_default = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 =
                rt::default("OptionalCopyDefault", state, &mut input, &mut presence, Some(2))?;
            self.optional_copy_default = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::copy(
            "OptionalCopyCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_copy_copy_exponent,
            None,
        )?;
        let exponent = rt::exponent("OptionalCopyCopy", &input, exponent)?;
        self.optional_copy_copy = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::copy(
                "OptionalCopyCopy",
                state,
                &mut input,
                &mut presence,
                &mut dictionaries.template_parts_optional_copy_copy_mantissa,
                None,
            )?;
            self.optional_copy_copy = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::copy(
            "OptionalCopyFromCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_copy_from_copy_exponent,
            Some(-1),
        )?;
        let exponent = rt::exponent("OptionalCopyFromCopy", &input, exponent)?;
        self.optional_copy_from_copy = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::copy(
                "OptionalCopyFromCopy",
                state,
                &mut input,
                &mut presence,
                &mut dictionaries.template_parts_optional_copy_from_copy_mantissa,
                None,
            )?;
            self.optional_copy_from_copy = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::copy(
            "OptionalCopyFromIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_copy_from_increment_exponent,
            Some(-1),
        )?;
        let exponent = rt::exponent("OptionalCopyFromIncrement", &input, exponent)?;
        self.optional_copy_from_increment = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::increment(
                "OptionalCopyFromIncrement",
                state,
                &mut input,
                &mut presence,
                &mut dictionaries.template_parts_optional_copy_from_increment_mantissa,
                Some(1),
            )?;
            self.optional_copy_from_increment = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::increment(
            "OptionalIncrementIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_increment_increment_exponent,
            Some(1),
        )?;
        let exponent = rt::exponent("OptionalIncrementIncrement", &input, exponent)?;
        self.optional_increment_increment = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::increment(
                "OptionalIncrementIncrement",
                state,
                &mut input,
                &mut presence,
                &mut dictionaries.template_parts_optional_increment_increment_mantissa,
                Some(1),
            )?;
            self.optional_increment_increment = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::increment(
            "OptionalIncrementDelta",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_parts_optional_increment_delta_exponent,
            Some(1),
        )?;
        let exponent = rt::exponent("OptionalIncrementDelta", &input, exponent)?;
        self.optional_increment_delta = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::delta(
                "OptionalIncrementDelta",
                state,
                &mut input,
                &mut dictionaries.template_parts_optional_increment_delta_mantissa,
                Some(5),
            )?;
            self.optional_increment_delta = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::delta(
            "OptionalDeltaPlain",
            state,
            &mut input,
            &mut dictionaries.template_parts_optional_delta_plain_exponent,
            None,
        )?;
        let exponent = rt::exponent("OptionalDeltaPlain", &input, exponent)?;
        self.optional_delta_plain = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::plain("OptionalDeltaPlain", state, &mut input)?;
            self.optional_delta_plain = Some(rt::Decimal::new(mantissa, exponent));
        }
        let exponent: Option<i32> = rt::delta(
            "OptionalDeltaDelta",
            state,
            &mut input,
            &mut dictionaries.template_parts_optional_delta_delta_exponent,
            None,
        )?;
        let exponent = rt::exponent("OptionalDeltaDelta", &input, exponent)?;
        self.optional_delta_delta = None;
        if let Some(exponent) = exponent {
            let mantissa: i64 = rt::delta(
                "OptionalDeltaDelta",
                state,
                &mut input,
                &mut dictionaries.template_parts_optional_delta_delta_mantissa,
                Some(5),
            )?;
            self.optional_delta_delta = Some(rt::Decimal::new(mantissa, exponent));
        }
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Lengths {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let length: u32 = rt::plain("Plain", state, &mut input)?;
        state.enter_sequence("Plain", length, &input)?;
        self.plain.clear();
        for _ in 0..length {
            let element = self.plain.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Plain"))?;
        }
        state.leave();
        let length: u32 = 2;
        state.enter_sequence("Constant", length, &input)?;
        self.constant.clear();
        for _ in 0..length {
            let element = self.constant.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Constant"))?;
        }
        state.leave();
        let length: u32 = rt::default("Default", state, &mut input, &mut presence, Some(1))?;
        state.enter_sequence("Default", length, &input)?;
        self.default.clear();
        for _ in 0..length {
            let element = self.default.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Default"))?;
        }
        state.leave();
        let length: u32 = rt::copy(
            "Copy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_copy_length,
            None,
        )?;
        state.enter_sequence("Copy", length, &input)?;
        self.copy.clear();
        for _ in 0..length {
            let element = self.copy.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Copy"))?;
        }
        state.leave();
        let length: u32 = rt::copy(
            "CopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_copy_from_length,
            Some(1),
        )?;
        state.enter_sequence("CopyFrom", length, &input)?;
        self.copy_from.clear();
        for _ in 0..length {
            let element = self.copy_from.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("CopyFrom"))?;
        }
        state.leave();
        let length: u32 = rt::increment(
            "Increment",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_increment_length,
            Some(1),
        )?;
        state.enter_sequence("Increment", length, &input)?;
        self.increment.clear();
        for _ in 0..length {
            let element = self.increment.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Increment"))?;
        }
        state.leave();
        let length: u32 = rt::delta(
            "Delta",
            state,
            &mut input,
            &mut dictionaries.template_lengths_delta_length,
            None,
        )?;
        state.enter_sequence("Delta", length, &input)?;
        self.delta.clear();
        for _ in 0..length {
            let element = self.delta.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Delta"))?;
        }
        state.leave();
        let length: Option<u32> = rt::plain("OptionalPlain", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.optional_plain.insert();
            state.enter_sequence("OptionalPlain", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalPlain"))?;
            }
            state.leave();
        } else {
            self.optional_plain.clear();
        }
        let length: Option<u32> = presence.next().then_some(2);
        if let Some(length) = length {
            let elements = self.optional_constant.insert();
            state.enter_sequence("OptionalConstant", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalConstant"))?;
            }
            state.leave();
        } else {
            self.optional_constant.clear();
        }
        let length: Option<u32> =
            rt::default("OptionalDefault", state, &mut input, &mut presence, Some(1))?;
        if let Some(length) = length {
            let elements = self.optional_default.insert();
            state.enter_sequence("OptionalDefault", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalDefault"))?;
            }
            state.leave();
        } else {
            self.optional_default.clear();
        }
        let length: Option<u32> = rt::copy(
            "OptionalCopy",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_optional_copy_length,
            None,
        )?;
        if let Some(length) = length {
            let elements = self.optional_copy.insert();
            state.enter_sequence("OptionalCopy", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalCopy"))?;
            }
            state.leave();
        } else {
            self.optional_copy.clear();
        }
        let length: Option<u32> = rt::copy(
            "OptionalCopyFrom",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_copy_from_length,
            Some(1),
        )?;
        if let Some(length) = length {
            let elements = self.optional_copy_from.insert();
            state.enter_sequence("OptionalCopyFrom", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalCopyFrom"))?;
            }
            state.leave();
        } else {
            self.optional_copy_from.clear();
        }
        let length: Option<u32> = rt::increment(
            "OptionalIncrement",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_lengths_optional_increment_length,
            Some(1),
        )?;
        if let Some(length) = length {
            let elements = self.optional_increment.insert();
            state.enter_sequence("OptionalIncrement", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalIncrement"))?;
            }
            state.leave();
        } else {
            self.optional_increment.clear();
        }
        let length: Option<u32> = rt::delta(
            "OptionalDelta",
            state,
            &mut input,
            &mut dictionaries.template_lengths_optional_delta_length,
            None,
        )?;
        if let Some(length) = length {
            let elements = self.optional_delta.insert();
            state.enter_sequence("OptionalDelta", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("OptionalDelta"))?;
            }
            state.leave();
        } else {
            self.optional_delta.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl LengthsPlain {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsConstant {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsDefault {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsCopy {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsCopyFrom {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsIncrement {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsDelta {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalPlain {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalConstant {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalDefault {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalCopy {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalCopyFrom {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalIncrement {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

impl LengthsOptionalDelta {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.item = rt::plain("Item", state, &mut input)?;
        Ok(input)
    }
}

/// A message that is shown while it is decoded; `None` for others.
#[inline]
fn visit_streamed(
    _state: &mut rt::DecoderState,
    _dictionaries: &mut Dictionaries,
    _bytes: &[u8],
    _visitor: &mut impl rt::FieldVisitor,
) -> Option<Result<usize, rt::DecodeError>> {
    None
}

/// A message that is decoded to its structure and then shown.
fn visit_message<'i>(
    state: &mut rt::DecoderState,
    dictionaries: &mut Dictionaries,
    input: rt::Cursor<'i>,
    messages: &mut Messages,
    visitor: &mut impl rt::FieldVisitor,
) -> Result<rt::Cursor<'i>, rt::Failure> {
    let input = decode_message(state, dictionaries, input, messages)?;
    if let Some(message) = messages.get() {
        message.visit(visitor);
    }
    Ok(input)
}

impl rt::Streamed for LengthsPlain {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsConstant {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsDefault {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsCopy {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsCopyFrom {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsIncrement {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsDelta {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalPlain {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalConstant {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalDefault {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalCopy {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalCopyFrom {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalIncrement {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

impl rt::Streamed for LengthsOptionalDelta {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Item", "Item", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        Ok(())
    }
}

/// A segment with a template identifier.
fn encode_message<'o>(
    state: &mut rt::EncoderState,
    dictionaries: &mut Dictionaries,
    message: Message<'_>,
    out: rt::Output<'o>,
) -> Result<rt::Output<'o>, rt::Refusal> {
    let template = message.template();
    let outcome = match message {
        Message::Int32(message) => message.encode(state, dictionaries, out),
        Message::UInt32(message) => message.encode(state, dictionaries, out),
        Message::Int64(message) => message.encode(state, dictionaries, out),
        Message::UInt64(message) => message.encode(state, dictionaries, out),
        Message::Decimal(message) => message.encode(state, dictionaries, out),
        Message::Ascii(message) => message.encode(state, dictionaries, out),
        Message::Unicode(message) => message.encode(state, dictionaries, out),
        Message::Bytes(message) => message.encode(state, dictionaries, out),
        Message::Parts(message) => message.encode(state, dictionaries, out),
        Message::Lengths(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl Int32 {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::Int32;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.plain, &mut out);
        rt::write_default(self.default, &mut bits, &mut out, Some(-7));
        rt::write_copy(
            "Copy",
            state,
            self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_copy,
            None,
        )?;
        rt::write_copy(
            "CopyFrom",
            state,
            self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_copy_from,
            Some(-7),
        )?;
        rt::write_increment(
            "Increment",
            state,
            self.increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_increment,
            None,
        )?;
        rt::write_increment(
            "IncrementFrom",
            state,
            self.increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_increment_from,
            Some(-7),
        )?;
        rt::write_delta(
            "Delta",
            state,
            self.delta,
            &mut out,
            &mut dictionaries.template_int32_delta,
            None,
        )?;
        rt::write_delta(
            "DeltaFrom",
            state,
            self.delta_from,
            &mut out,
            &mut dictionaries.template_int32_delta_from,
            Some(-7),
        )?;
        rt::write_plain(self.optional_plain, &mut out);
        bits.push(self.optional_constant, &mut out);
        rt::write_default(self.optional_default, &mut bits, &mut out, Some(-7));
        rt::write_copy(
            "OptionalCopy",
            state,
            self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_optional_copy,
            None,
        )?;
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_optional_copy_from,
            Some(-7),
        )?;
        rt::write_increment(
            "OptionalIncrement",
            state,
            self.optional_increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_optional_increment,
            None,
        )?;
        rt::write_increment(
            "OptionalIncrementFrom",
            state,
            self.optional_increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int32_optional_increment_from,
            Some(-7),
        )?;
        rt::write_delta(
            "OptionalDelta",
            state,
            self.optional_delta,
            &mut out,
            &mut dictionaries.template_int32_optional_delta,
            None,
        )?;
        rt::write_delta(
            "OptionalDeltaFrom",
            state,
            self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_int32_optional_delta_from,
            Some(-7),
        )?;
        rt::write_default(self.optional_default_none, &mut bits, &mut out, None);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl UInt32 {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::UInt32;
        rt::write_identifier(state, template, 2, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.plain, &mut out);
        rt::write_default(self.default, &mut bits, &mut out, Some(7));
        rt::write_copy(
            "Copy",
            state,
            self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_copy,
            None,
        )?;
        rt::write_copy(
            "CopyFrom",
            state,
            self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_copy_from,
            Some(7),
        )?;
        rt::write_increment(
            "Increment",
            state,
            self.increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_increment,
            None,
        )?;
        rt::write_increment(
            "IncrementFrom",
            state,
            self.increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_increment_from,
            Some(7),
        )?;
        rt::write_delta(
            "Delta",
            state,
            self.delta,
            &mut out,
            &mut dictionaries.template_u_int32_delta,
            None,
        )?;
        rt::write_delta(
            "DeltaFrom",
            state,
            self.delta_from,
            &mut out,
            &mut dictionaries.template_u_int32_delta_from,
            Some(7),
        )?;
        rt::write_plain(self.optional_plain, &mut out);
        bits.push(self.optional_constant, &mut out);
        rt::write_default(self.optional_default, &mut bits, &mut out, Some(7));
        rt::write_copy(
            "OptionalCopy",
            state,
            self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_optional_copy,
            None,
        )?;
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_optional_copy_from,
            Some(7),
        )?;
        rt::write_increment(
            "OptionalIncrement",
            state,
            self.optional_increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_optional_increment,
            None,
        )?;
        rt::write_increment(
            "OptionalIncrementFrom",
            state,
            self.optional_increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int32_optional_increment_from,
            Some(7),
        )?;
        rt::write_delta(
            "OptionalDelta",
            state,
            self.optional_delta,
            &mut out,
            &mut dictionaries.template_u_int32_optional_delta,
            None,
        )?;
        rt::write_delta(
            "OptionalDeltaFrom",
            state,
            self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_u_int32_optional_delta_from,
            Some(7),
        )?;
        rt::write_default(self.optional_default_none, &mut bits, &mut out, None);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Int64 {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::Int64;
        rt::write_identifier(state, template, 3, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.plain, &mut out);
        rt::write_default(self.default, &mut bits, &mut out, Some(-700));
        rt::write_copy(
            "Copy",
            state,
            self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_copy,
            None,
        )?;
        rt::write_copy(
            "CopyFrom",
            state,
            self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_copy_from,
            Some(-700),
        )?;
        rt::write_increment(
            "Increment",
            state,
            self.increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_increment,
            None,
        )?;
        rt::write_increment(
            "IncrementFrom",
            state,
            self.increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_increment_from,
            Some(-700),
        )?;
        rt::write_delta(
            "Delta",
            state,
            self.delta,
            &mut out,
            &mut dictionaries.template_int64_delta,
            None,
        )?;
        rt::write_delta(
            "DeltaFrom",
            state,
            self.delta_from,
            &mut out,
            &mut dictionaries.template_int64_delta_from,
            Some(-700),
        )?;
        rt::write_plain(self.optional_plain, &mut out);
        bits.push(self.optional_constant, &mut out);
        rt::write_default(self.optional_default, &mut bits, &mut out, Some(-700));
        rt::write_copy(
            "OptionalCopy",
            state,
            self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_optional_copy,
            None,
        )?;
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_optional_copy_from,
            Some(-700),
        )?;
        rt::write_increment(
            "OptionalIncrement",
            state,
            self.optional_increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_optional_increment,
            None,
        )?;
        rt::write_increment(
            "OptionalIncrementFrom",
            state,
            self.optional_increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_int64_optional_increment_from,
            Some(-700),
        )?;
        rt::write_delta(
            "OptionalDelta",
            state,
            self.optional_delta,
            &mut out,
            &mut dictionaries.template_int64_optional_delta,
            None,
        )?;
        rt::write_delta(
            "OptionalDeltaFrom",
            state,
            self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_int64_optional_delta_from,
            Some(-700),
        )?;
        rt::write_default(self.optional_default_none, &mut bits, &mut out, None);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl UInt64 {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::UInt64;
        rt::write_identifier(state, template, 4, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.plain, &mut out);
        rt::write_default(self.default, &mut bits, &mut out, Some(700));
        rt::write_copy(
            "Copy",
            state,
            self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_copy,
            None,
        )?;
        rt::write_copy(
            "CopyFrom",
            state,
            self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_copy_from,
            Some(700),
        )?;
        rt::write_increment(
            "Increment",
            state,
            self.increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_increment,
            None,
        )?;
        rt::write_increment(
            "IncrementFrom",
            state,
            self.increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_increment_from,
            Some(700),
        )?;
        rt::write_delta(
            "Delta",
            state,
            self.delta,
            &mut out,
            &mut dictionaries.template_u_int64_delta,
            None,
        )?;
        rt::write_delta(
            "DeltaFrom",
            state,
            self.delta_from,
            &mut out,
            &mut dictionaries.template_u_int64_delta_from,
            Some(700),
        )?;
        rt::write_plain(self.optional_plain, &mut out);
        bits.push(self.optional_constant, &mut out);
        rt::write_default(self.optional_default, &mut bits, &mut out, Some(700));
        rt::write_copy(
            "OptionalCopy",
            state,
            self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_optional_copy,
            None,
        )?;
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_optional_copy_from,
            Some(700),
        )?;
        rt::write_increment(
            "OptionalIncrement",
            state,
            self.optional_increment,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_optional_increment,
            None,
        )?;
        rt::write_increment(
            "OptionalIncrementFrom",
            state,
            self.optional_increment_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_u_int64_optional_increment_from,
            Some(700),
        )?;
        rt::write_delta(
            "OptionalDelta",
            state,
            self.optional_delta,
            &mut out,
            &mut dictionaries.template_u_int64_optional_delta,
            None,
        )?;
        rt::write_delta(
            "OptionalDeltaFrom",
            state,
            self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_u_int64_optional_delta_from,
            Some(700),
        )?;
        rt::write_default(self.optional_default_none, &mut bits, &mut out, None);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Decimal {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(9, &mut out);
        let template = Template::Decimal;
        rt::write_identifier(state, template, 5, &mut dictionaries.template, &mut bits, &mut out);
        let value = rt::decimal("Plain", self.plain)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("Default", self.default)?;
        rt::write_default(value, &mut bits, &mut out, Some(rt::Decimal::new(-25, -2)));
        let value = rt::decimal("Copy", self.copy)?;
        rt::write_copy(
            "Copy",
            state,
            value,
            &mut bits,
            &mut out,
            &mut dictionaries.template_decimal_copy,
            None,
        )?;
        let value = rt::decimal("CopyFrom", self.copy_from)?;
        rt::write_copy(
            "CopyFrom",
            state,
            value,
            &mut bits,
            &mut out,
            &mut dictionaries.template_decimal_copy_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        let value = rt::decimal("Delta", self.delta)?;
        rt::write_decimal_delta(
            "Delta",
            state,
            value,
            &mut out,
            &mut dictionaries.template_decimal_delta,
            None,
        )?;
        let value = rt::decimal("DeltaFrom", self.delta_from)?;
        rt::write_decimal_delta(
            "DeltaFrom",
            state,
            value,
            &mut out,
            &mut dictionaries.template_decimal_delta_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        let value = rt::decimal("OptionalPlain", self.optional_plain)?;
        rt::write_plain(value, &mut out);
        bits.push(self.optional_constant, &mut out);
        let value = rt::decimal("OptionalDefault", self.optional_default)?;
        rt::write_default(value, &mut bits, &mut out, Some(rt::Decimal::new(-25, -2)));
        let value = rt::decimal("OptionalCopy", self.optional_copy)?;
        rt::write_copy(
            "OptionalCopy",
            state,
            value,
            &mut bits,
            &mut out,
            &mut dictionaries.template_decimal_optional_copy,
            None,
        )?;
        let value = rt::decimal("OptionalCopyFrom", self.optional_copy_from)?;
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            value,
            &mut bits,
            &mut out,
            &mut dictionaries.template_decimal_optional_copy_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        let value = rt::decimal("OptionalDelta", self.optional_delta)?;
        rt::write_decimal_delta(
            "OptionalDelta",
            state,
            value,
            &mut out,
            &mut dictionaries.template_decimal_optional_delta,
            None,
        )?;
        let value = rt::decimal("OptionalDeltaFrom", self.optional_delta_from)?;
        rt::write_decimal_delta(
            "OptionalDeltaFrom",
            state,
            value,
            &mut out,
            &mut dictionaries.template_decimal_optional_delta_from,
            Some(rt::Decimal::new(-25, -2)),
        )?;
        let value = rt::decimal("OptionalDefaultNone", self.optional_default_none)?;
        rt::write_default(value, &mut bits, &mut out, None);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Ascii {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::Ascii;
        rt::write_identifier(state, template, 6, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_text("Plain", state, &self.plain, &mut out)?;
        rt::write_default_text(
            "Default",
            state,
            &self.default,
            &mut bits,
            &mut out,
            Some(b"GEH6"),
        )?;
        rt::write_copy_text(
            "Copy",
            state,
            &self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_copy,
            None,
        )?;
        rt::write_copy_text(
            "CopyFrom",
            state,
            &self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_copy_from,
            Some(b"GEH6"),
        )?;
        rt::write_delta_text(
            "Delta",
            state,
            &self.delta,
            &mut out,
            &mut dictionaries.template_ascii_delta,
            None,
        )?;
        rt::write_delta_text(
            "DeltaFrom",
            state,
            &self.delta_from,
            &mut out,
            &mut dictionaries.template_ascii_delta_from,
            Some(b"GEH6"),
        )?;
        rt::write_tail_text(
            "Tail",
            state,
            &self.tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_tail,
            None,
        )?;
        rt::write_tail_text(
            "TailFrom",
            state,
            &self.tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_tail_from,
            Some(b"GEH6"),
        )?;
        rt::write_text("OptionalPlain", state, &self.optional_plain, &mut out)?;
        bits.push(self.optional_constant, &mut out);
        rt::write_default_text(
            "OptionalDefault",
            state,
            &self.optional_default,
            &mut bits,
            &mut out,
            Some(b"GEH6"),
        )?;
        rt::write_copy_text(
            "OptionalCopy",
            state,
            &self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_optional_copy,
            None,
        )?;
        rt::write_copy_text(
            "OptionalCopyFrom",
            state,
            &self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_optional_copy_from,
            Some(b"GEH6"),
        )?;
        rt::write_delta_text(
            "OptionalDelta",
            state,
            &self.optional_delta,
            &mut out,
            &mut dictionaries.template_ascii_optional_delta,
            None,
        )?;
        rt::write_delta_text(
            "OptionalDeltaFrom",
            state,
            &self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_ascii_optional_delta_from,
            Some(b"GEH6"),
        )?;
        rt::write_tail_text(
            "OptionalTail",
            state,
            &self.optional_tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_optional_tail,
            None,
        )?;
        rt::write_tail_text(
            "OptionalTailFrom",
            state,
            &self.optional_tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_ascii_optional_tail_from,
            Some(b"GEH6"),
        )?;
        rt::write_default_text(
            "OptionalDefaultNone",
            state,
            &self.optional_default_none,
            &mut bits,
            &mut out,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Unicode {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::Unicode;
        rt::write_identifier(state, template, 7, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_text("Plain", state, &self.plain, &mut out)?;
        rt::write_default_text(
            "Default",
            state,
            &self.default,
            &mut bits,
            &mut out,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_copy_text(
            "Copy",
            state,
            &self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_copy,
            None,
        )?;
        rt::write_copy_text(
            "CopyFrom",
            state,
            &self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_copy_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_delta_text(
            "Delta",
            state,
            &self.delta,
            &mut out,
            &mut dictionaries.template_unicode_delta,
            None,
        )?;
        rt::write_delta_text(
            "DeltaFrom",
            state,
            &self.delta_from,
            &mut out,
            &mut dictionaries.template_unicode_delta_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_tail_text(
            "Tail",
            state,
            &self.tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_tail,
            None,
        )?;
        rt::write_tail_text(
            "TailFrom",
            state,
            &self.tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_tail_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_text("OptionalPlain", state, &self.optional_plain, &mut out)?;
        bits.push(self.optional_constant, &mut out);
        rt::write_default_text(
            "OptionalDefault",
            state,
            &self.optional_default,
            &mut bits,
            &mut out,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_copy_text(
            "OptionalCopy",
            state,
            &self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_optional_copy,
            None,
        )?;
        rt::write_copy_text(
            "OptionalCopyFrom",
            state,
            &self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_optional_copy_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_delta_text(
            "OptionalDelta",
            state,
            &self.optional_delta,
            &mut out,
            &mut dictionaries.template_unicode_optional_delta,
            None,
        )?;
        rt::write_delta_text(
            "OptionalDeltaFrom",
            state,
            &self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_unicode_optional_delta_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_tail_text(
            "OptionalTail",
            state,
            &self.optional_tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_optional_tail,
            None,
        )?;
        rt::write_tail_text(
            "OptionalTailFrom",
            state,
            &self.optional_tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_unicode_optional_tail_from,
            Some(b"\xe6\x97\xa5\xe6\x9c\xac"),
        )?;
        rt::write_default_text(
            "OptionalDefaultNone",
            state,
            &self.optional_default_none,
            &mut bits,
            &mut out,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Bytes {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(13, &mut out);
        let template = Template::Bytes;
        rt::write_identifier(state, template, 8, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_text("Plain", state, &self.plain, &mut out)?;
        rt::write_default_text(
            "Default",
            state,
            &self.default,
            &mut bits,
            &mut out,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_copy_text(
            "Copy",
            state,
            &self.copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_copy,
            None,
        )?;
        rt::write_copy_text(
            "CopyFrom",
            state,
            &self.copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_copy_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_delta_text(
            "Delta",
            state,
            &self.delta,
            &mut out,
            &mut dictionaries.template_bytes_delta,
            None,
        )?;
        rt::write_delta_text(
            "DeltaFrom",
            state,
            &self.delta_from,
            &mut out,
            &mut dictionaries.template_bytes_delta_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_tail_text(
            "Tail",
            state,
            &self.tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_tail,
            None,
        )?;
        rt::write_tail_text(
            "TailFrom",
            state,
            &self.tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_tail_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_text("OptionalPlain", state, &self.optional_plain, &mut out)?;
        bits.push(self.optional_constant, &mut out);
        rt::write_default_text(
            "OptionalDefault",
            state,
            &self.optional_default,
            &mut bits,
            &mut out,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_copy_text(
            "OptionalCopy",
            state,
            &self.optional_copy,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_optional_copy,
            None,
        )?;
        rt::write_copy_text(
            "OptionalCopyFrom",
            state,
            &self.optional_copy_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_optional_copy_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_delta_text(
            "OptionalDelta",
            state,
            &self.optional_delta,
            &mut out,
            &mut dictionaries.template_bytes_optional_delta,
            None,
        )?;
        rt::write_delta_text(
            "OptionalDeltaFrom",
            state,
            &self.optional_delta_from,
            &mut out,
            &mut dictionaries.template_bytes_optional_delta_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_tail_text(
            "OptionalTail",
            state,
            &self.optional_tail,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_optional_tail,
            None,
        )?;
        rt::write_tail_text(
            "OptionalTailFrom",
            state,
            &self.optional_tail_from,
            &mut bits,
            &mut out,
            &mut dictionaries.template_bytes_optional_tail_from,
            Some(b"\x00\xff\\\""),
        )?;
        rt::write_default_text(
            "OptionalDefaultNone",
            state,
            &self.optional_default_none,
            &mut bits,
            &mut out,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Parts {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(31, &mut out);
        let template = Template::Parts;
        rt::write_identifier(state, template, 9, &mut dictionaries.template, &mut bits, &mut out);
        let value = rt::decimal("PlainDelta", self.plain_delta)?;
        rt::write_plain(value.exponent, &mut out);
        rt::write_delta(
            "PlainDelta",
            state,
            value.mantissa,
            &mut out,
            &mut dictionaries.template_parts_plain_delta_mantissa,
            Some(5),
        )?;
        let value = rt::decimal("ConstantPlain", self.constant_plain)?;
        let value = rt::scaled_to("ConstantPlain", value, -2)?;
        rt::write_plain(value.mantissa, &mut out);
        let value = rt::decimal("ConstantConstant", self.constant_constant)?;
        let value = rt::scaled_to("ConstantConstant", value, -2)?;
        rt::check_constant("ConstantConstant", value.mantissa, 17)?;
        let value = rt::decimal("DefaultConstant", self.default_constant)?;
        rt::write_default(value.exponent, &mut bits, &mut out, Some(2));
        rt::check_constant("DefaultConstant", value.mantissa, 17)?;
        let value = rt::decimal("DefaultDefault", self.default_default)?;
        rt::write_default(value.exponent, &mut bits, &mut out, Some(2));
        rt::write_default(value.mantissa, &mut bits, &mut out, Some(2));
        let value = rt::decimal("CopyDefault", self.copy_default)?;
        rt::write_copy(
            "CopyDefault",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_default_exponent,
            None,
        )?;
        rt::write_default(value.mantissa, &mut bits, &mut out, Some(2));
        let value = rt::decimal("CopyCopy", self.copy_copy)?;
        rt::write_copy(
            "CopyCopy",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_copy_exponent,
            None,
        )?;
        rt::write_copy(
            "CopyCopy",
            state,
            value.mantissa,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_copy_mantissa,
            None,
        )?;
        let value = rt::decimal("CopyFromCopy", self.copy_from_copy)?;
        rt::write_copy(
            "CopyFromCopy",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_from_copy_exponent,
            Some(-1),
        )?;
        rt::write_copy(
            "CopyFromCopy",
            state,
            value.mantissa,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_from_copy_mantissa,
            None,
        )?;
        let value = rt::decimal("CopyFromIncrement", self.copy_from_increment)?;
        rt::write_copy(
            "CopyFromIncrement",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_from_increment_exponent,
            Some(-1),
        )?;
        rt::write_increment(
            "CopyFromIncrement",
            state,
            value.mantissa,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_copy_from_increment_mantissa,
            Some(1),
        )?;
        let value = rt::decimal("IncrementIncrement", self.increment_increment)?;
        rt::write_increment(
            "IncrementIncrement",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_increment_increment_exponent,
            Some(1),
        )?;
        rt::write_increment(
            "IncrementIncrement",
            state,
            value.mantissa,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_increment_increment_mantissa,
            Some(1),
        )?;
        let value = rt::decimal("IncrementDelta", self.increment_delta)?;
        rt::write_increment(
            "IncrementDelta",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_increment_delta_exponent,
            Some(1),
        )?;
        rt::write_delta(
            "IncrementDelta",
            state,
            value.mantissa,
            &mut out,
            &mut dictionaries.template_parts_increment_delta_mantissa,
            Some(5),
        )?;
        let value = rt::decimal("DeltaPlain", self.delta_plain)?;
        rt::write_delta(
            "DeltaPlain",
            state,
            value.exponent,
            &mut out,
            &mut dictionaries.template_parts_delta_plain_exponent,
            None,
        )?;
        rt::write_plain(value.mantissa, &mut out);
        let value = rt::decimal("DeltaDelta", self.delta_delta)?;
        rt::write_delta(
            "DeltaDelta",
            state,
            value.exponent,
            &mut out,
            &mut dictionaries.template_parts_delta_delta_exponent,
            None,
        )?;
        rt::write_delta(
            "DeltaDelta",
            state,
            value.mantissa,
            &mut out,
            &mut dictionaries.template_parts_delta_delta_mantissa,
            Some(5),
        )?;
        let value = rt::decimal("OptionalPlainDelta", self.optional_plain_delta)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_plain(exponent, &mut out);
        if let Some(value) = value {
            rt::write_delta(
                "OptionalPlainDelta",
                state,
                value.mantissa,
                &mut out,
                &mut dictionaries.template_parts_optional_plain_delta_mantissa,
                Some(5),
            )?;
        }
        let value = rt::decimal("OptionalConstantPlain", self.optional_constant_plain)?;
        if let Some(value) = value {
            let value = rt::scaled_to("OptionalConstantPlain", value, -2)?;
            bits.push(true, &mut out);
            rt::write_plain(value.mantissa, &mut out);
        } else {
            bits.push(false, &mut out);
        }
        let value = rt::decimal("OptionalConstantConstant", self.optional_constant_constant)?;
        if let Some(value) = value {
            let value = rt::scaled_to("OptionalConstantConstant", value, -2)?;
            bits.push(true, &mut out);
            rt::check_constant("OptionalConstantConstant", value.mantissa, 17)?;
        } else {
            bits.push(false, &mut out);
        }
        let value = rt::decimal("OptionalDefaultConstant", self.optional_default_constant)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_default(exponent, &mut bits, &mut out, Some(2));
        if let Some(value) = value {
            rt::check_constant("OptionalDefaultConstant", value.mantissa, 17)?;
        }
        let value = rt::decimal("OptionalDefaultDefault", self.optional_default_default)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_default(exponent, &mut bits, &mut out, Some(2));
        if let Some(value) = value {
            rt::write_default(value.mantissa, &mut bits, &mut out, Some(2));
        }
        let value = rt::decimal("OptionalCopyDefault", self.optional_copy_default)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_copy(
            "OptionalCopyDefault",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_copy_default_exponent,
            None,
        )?;
        if let Some(value) = value {
            rt::write_default(value.mantissa, &mut bits, &mut out, Some(2));
        }
        let value = rt::decimal("OptionalCopyCopy", self.optional_copy_copy)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_copy(
            "OptionalCopyCopy",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_copy_copy_exponent,
            None,
        )?;
        if let Some(value) = value {
            rt::write_copy(
                "OptionalCopyCopy",
                state,
                value.mantissa,
                &mut bits,
                &mut out,
                &mut dictionaries.template_parts_optional_copy_copy_mantissa,
                None,
            )?;
        }
        let value = rt::decimal("OptionalCopyFromCopy", self.optional_copy_from_copy)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_copy(
            "OptionalCopyFromCopy",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_copy_from_copy_exponent,
            Some(-1),
        )?;
        if let Some(value) = value {
            rt::write_copy(
                "OptionalCopyFromCopy",
                state,
                value.mantissa,
                &mut bits,
                &mut out,
                &mut dictionaries.template_parts_optional_copy_from_copy_mantissa,
                None,
            )?;
        }
        let value = rt::decimal("OptionalCopyFromIncrement", self.optional_copy_from_increment)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_copy(
            "OptionalCopyFromIncrement",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_copy_from_increment_exponent,
            Some(-1),
        )?;
        if let Some(value) = value {
            rt::write_increment(
                "OptionalCopyFromIncrement",
                state,
                value.mantissa,
                &mut bits,
                &mut out,
                &mut dictionaries.template_parts_optional_copy_from_increment_mantissa,
                Some(1),
            )?;
        }
        let value = rt::decimal("OptionalIncrementIncrement", self.optional_increment_increment)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_increment(
            "OptionalIncrementIncrement",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_increment_increment_exponent,
            Some(1),
        )?;
        if let Some(value) = value {
            rt::write_increment(
                "OptionalIncrementIncrement",
                state,
                value.mantissa,
                &mut bits,
                &mut out,
                &mut dictionaries.template_parts_optional_increment_increment_mantissa,
                Some(1),
            )?;
        }
        let value = rt::decimal("OptionalIncrementDelta", self.optional_increment_delta)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_increment(
            "OptionalIncrementDelta",
            state,
            exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.template_parts_optional_increment_delta_exponent,
            Some(1),
        )?;
        if let Some(value) = value {
            rt::write_delta(
                "OptionalIncrementDelta",
                state,
                value.mantissa,
                &mut out,
                &mut dictionaries.template_parts_optional_increment_delta_mantissa,
                Some(5),
            )?;
        }
        let value = rt::decimal("OptionalDeltaPlain", self.optional_delta_plain)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_delta(
            "OptionalDeltaPlain",
            state,
            exponent,
            &mut out,
            &mut dictionaries.template_parts_optional_delta_plain_exponent,
            None,
        )?;
        if let Some(value) = value {
            rt::write_plain(value.mantissa, &mut out);
        }
        let value = rt::decimal("OptionalDeltaDelta", self.optional_delta_delta)?;
        let exponent = value.map(|value| value.exponent);
        rt::write_delta(
            "OptionalDeltaDelta",
            state,
            exponent,
            &mut out,
            &mut dictionaries.template_parts_optional_delta_delta_exponent,
            None,
        )?;
        if let Some(value) = value {
            rt::write_delta(
                "OptionalDeltaDelta",
                state,
                value.mantissa,
                &mut out,
                &mut dictionaries.template_parts_optional_delta_delta_mantissa,
                Some(5),
            )?;
        }
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Lengths {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(10, &mut out);
        let template = Template::Lengths;
        rt::write_identifier(state, template, 10, &mut dictionaries.template, &mut bits, &mut out);
        let length = rt::length("Plain", self.plain.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Plain")?;
        for element in &self.plain {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("Constant", self.constant.len())?;
        rt::check_constant("Constant", length, 2)?;
        state.enter("Constant")?;
        for element in &self.constant {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("Default", self.default.len())?;
        rt::write_default(length, &mut bits, &mut out, Some(1));
        state.enter("Default")?;
        for element in &self.default {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("Copy", self.copy.len())?;
        rt::write_copy(
            "Copy",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_copy_length,
            None,
        )?;
        state.enter("Copy")?;
        for element in &self.copy {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("CopyFrom", self.copy_from.len())?;
        rt::write_copy(
            "CopyFrom",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_copy_from_length,
            Some(1),
        )?;
        state.enter("CopyFrom")?;
        for element in &self.copy_from {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("Increment", self.increment.len())?;
        rt::write_increment(
            "Increment",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_increment_length,
            Some(1),
        )?;
        state.enter("Increment")?;
        for element in &self.increment {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let length = rt::length("Delta", self.delta.len())?;
        rt::write_delta(
            "Delta",
            state,
            length,
            &mut out,
            &mut dictionaries.template_lengths_delta_length,
            None,
        )?;
        state.enter("Delta")?;
        for element in &self.delta {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let elements = self.optional_plain.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalPlain", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("OptionalPlain")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_constant.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalConstant", elements.len())?),
            None => None,
        };
        if let Some(length) = length {
            rt::check_constant("OptionalConstant", length, 2)?;
        }
        bits.push(length.is_some(), &mut out);
        if let Some(elements) = elements {
            state.enter("OptionalConstant")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_default.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalDefault", elements.len())?),
            None => None,
        };
        rt::write_default(length, &mut bits, &mut out, Some(1));
        if let Some(elements) = elements {
            state.enter("OptionalDefault")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_copy.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalCopy", elements.len())?),
            None => None,
        };
        rt::write_copy(
            "OptionalCopy",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_optional_copy_length,
            None,
        )?;
        if let Some(elements) = elements {
            state.enter("OptionalCopy")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_copy_from.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalCopyFrom", elements.len())?),
            None => None,
        };
        rt::write_copy(
            "OptionalCopyFrom",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_copy_from_length,
            Some(1),
        )?;
        if let Some(elements) = elements {
            state.enter("OptionalCopyFrom")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_increment.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalIncrement", elements.len())?),
            None => None,
        };
        rt::write_increment(
            "OptionalIncrement",
            state,
            length,
            &mut bits,
            &mut out,
            &mut dictionaries.template_lengths_optional_increment_length,
            Some(1),
        )?;
        if let Some(elements) = elements {
            state.enter("OptionalIncrement")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        let elements = self.optional_delta.get();
        let length = match elements {
            Some(elements) => Some(rt::length("OptionalDelta", elements.len())?),
            None => None,
        };
        rt::write_delta(
            "OptionalDelta",
            state,
            length,
            &mut out,
            &mut dictionaries.template_lengths_optional_delta_length,
            None,
        )?;
        if let Some(elements) = elements {
            state.enter("OptionalDelta")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }
}

impl LengthsPlain {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsConstant {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsDefault {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsCopy {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsCopyFrom {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsIncrement {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsDelta {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalPlain {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalConstant {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalDefault {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalCopy {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalCopyFrom {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalIncrement {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

impl LengthsOptionalDelta {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.item, &mut out);
        Ok(out)
    }
}

// Generated from structures.xml by saker-fast. Do not edit: change the templates.
//
// Templates: Nested, Shared, Envelope, Restart, Stamp, Empty, Option, Wide, Plain, Again.

use saker_fast::runtime as rt;

/// Template `Nested`, identifier 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested {
    /// `Sender` (49): ASCII string, copy.
    pub sender: rt::Ascii,
    /// `SeqNum` (34): uInt32, increment.
    pub seq_num: u32,
    /// `Time` (52): uInt64, delta.
    pub time: u64,
    /// `Flat`: group.
    pub flat: NestedFlat,
    /// `Perhaps`: optional group.
    pub perhaps: rt::Optional<NestedPerhaps>,
    /// `Levels` (100): sequence.
    pub levels: rt::Sequence<NestedLevels>,
    /// `Nothing`: optional sequence.
    pub nothing: rt::Optional<rt::Sequence<NestedNothing>>,
}

impl Nested {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Sender", Some(49), &self.sender, visitor);
        rt::visit_scalar("SeqNum", Some(34), self.seq_num, visitor);
        rt::visit_scalar("Time", Some(52), self.time, visitor);
        visitor.begin_group("Flat", None);
        self.flat.visit(visitor);
        visitor.end_group("Flat");
        if let Some(group) = self.perhaps.get() {
            visitor.begin_group("Perhaps", None);
            group.visit(visitor);
            visitor.end_group("Perhaps");
        }
        visitor.begin_sequence("Levels", Some(100), self.levels.len());
        for (index, element) in self.levels.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Levels");
        if let Some(elements) = self.nothing.get() {
            visitor.begin_sequence("Nothing", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("Nothing");
        }
    }
}

/// Group `Flat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedFlat {
    /// `X`: uInt32.
    pub x: u32,
    /// `type`: ASCII string.
    pub type_: rt::Ascii,
}

impl NestedFlat {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("X", None, self.x, visitor);
        rt::visit_text("type", None, &self.type_, visitor);
    }
}

/// Group `Perhaps`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedPerhaps {
    /// `X`: uInt32, copy.
    pub x: u32,
    /// `Deep`: optional group.
    pub deep: rt::Optional<NestedPerhapsDeep>,
}

impl NestedPerhaps {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("X", None, self.x, visitor);
        if let Some(group) = self.deep.get() {
            visitor.begin_group("Deep", None);
            group.visit(visitor);
            visitor.end_group("Deep");
        }
    }
}

/// Group `Deep`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedPerhapsDeep {
    /// `Y`: int64, default.
    pub y: i64,
}

impl NestedPerhapsDeep {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Y", None, self.y, visitor);
    }
}

/// An element of sequence `Levels` (100).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedLevels {
    /// `Px`: decimal, delta.
    pub px: rt::Decimal,
    /// `Orders`: optional sequence.
    pub orders: rt::Optional<rt::Sequence<NestedLevelsOrders>>,
    /// `Raw`: optional byteVector, tail.
    pub raw: rt::Optional<rt::Bytes>,
}

impl NestedLevels {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Px", None, self.px, visitor);
        if let Some(elements) = self.orders.get() {
            visitor.begin_sequence("Orders", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("Orders");
        }
        rt::visit_text("Raw", None, &self.raw, visitor);
    }
}

/// An element of sequence `Orders`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedLevelsOrders {
    /// `ID`: uInt64, delta.
    pub id: u64,
    /// `Owner`: optional Unicode string, copy.
    pub owner: rt::Optional<rt::Unicode>,
    /// `Flags`: optional group.
    pub flags: rt::Optional<NestedLevelsOrdersFlags>,
}

impl NestedLevelsOrders {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("ID", None, self.id, visitor);
        rt::visit_text("Owner", None, &self.owner, visitor);
        if let Some(group) = self.flags.get() {
            visitor.begin_group("Flags", None);
            group.visit(visitor);
            visitor.end_group("Flags");
        }
    }
}

/// Group `Flags`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedLevelsOrdersFlags {
    /// `Hidden`: optional ASCII string, whether the constant is there.
    pub hidden: bool,
}

impl NestedLevelsOrdersFlags {
    /// `Hidden`: optional constant.
    pub const HIDDEN: &'static str = "Y";
}

impl NestedLevelsOrdersFlags {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        if self.hidden {
            visitor.field("Hidden", None, rt::Value::Ascii(Self::HIDDEN.as_bytes()));
        }
    }
}

/// An element of sequence `Nothing`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedNothing {}

impl NestedNothing {
    /// `Fixed`: constant.
    pub const FIXED: &'static str = "-";
}

impl NestedNothing {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("Fixed", None, rt::Value::Ascii(Self::FIXED.as_bytes()));
    }
}

/// Template `Shared`, identifier 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// `A`: optional uInt32, copy.
    pub a: Option<u32>,
    /// `B`: uInt32, copy.
    pub b: u32,
    /// `C`: uInt32, increment.
    pub c: u32,
    /// `D`: optional ASCII string, copy.
    pub d: rt::Optional<rt::Ascii>,
    /// `E`: optional Unicode string, delta.
    pub e: rt::Optional<rt::Unicode>,
    /// `F`: optional ASCII string, tail.
    pub f: rt::Optional<rt::Ascii>,
    /// `G`: optional decimal, copy.
    pub g: Option<rt::Decimal>,
    /// `H`: optional int64, delta.
    pub h: Option<i64>,
    /// `I`: uInt32, copy.
    pub i: u32,
}

impl Shared {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("A", None, self.a, visitor);
        rt::visit_scalar("B", None, self.b, visitor);
        rt::visit_scalar("C", None, self.c, visitor);
        rt::visit_text("D", None, &self.d, visitor);
        rt::visit_text("E", None, &self.e, visitor);
        rt::visit_text("F", None, &self.f, visitor);
        rt::visit_scalar("G", None, self.g, visitor);
        rt::visit_scalar("H", None, self.h, visitor);
        rt::visit_scalar("I", None, self.i, visitor);
    }
}

/// Template `Envelope`, identifier 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// `Sender` (49): ASCII string, copy.
    pub sender: rt::Ascii,
    /// `SeqNum` (34): uInt32, increment.
    pub seq_num: u32,
    /// `Time` (52): uInt64, delta.
    pub time: u64,
    /// `templateRef`: a message inside the message.
    pub template_ref: Messages,
    /// `Parts`: sequence.
    pub parts: rt::Sequence<EnvelopeParts>,
    /// `I`: uInt32, copy.
    pub i: u32,
}

impl Envelope {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Sender", Some(49), &self.sender, visitor);
        rt::visit_scalar("SeqNum", Some(34), self.seq_num, visitor);
        rt::visit_scalar("Time", Some(52), self.time, visitor);
        if let Some(message) = self.template_ref.get() {
            visitor.begin_reference("templateRef", message.template().name());
            message.visit_fields(visitor);
            visitor.end_reference("templateRef");
        }
        visitor.begin_sequence("Parts", None, self.parts.len());
        for (index, element) in self.parts.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Parts");
        rt::visit_scalar("I", None, self.i, visitor);
    }
}

/// An element of sequence `Parts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvelopeParts {
    /// `templateRef`: a message inside the message.
    pub template_ref: Messages,
}

impl EnvelopeParts {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        if let Some(message) = self.template_ref.get() {
            visitor.begin_reference("templateRef", message.template().name());
            message.visit_fields(visitor);
            visitor.end_reference("templateRef");
        }
    }
}

/// Template `Restart`, identifier 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restart {
    /// `I`: uInt32, copy.
    pub i: u32,
}

impl Restart {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("I", None, self.i, visitor);
    }
}

/// Template `Stamp`, identifier 500.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// `Day`: uInt32, copy.
    pub day: u32,
    /// `Count`: optional uInt32, increment.
    pub count: Option<u32>,
}

impl Stamp {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Day", None, self.day, visitor);
        rt::visit_scalar("Count", None, self.count, visitor);
    }
}

/// Template `Empty`, identifier 6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Empty {}

impl Empty {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, _visitor: &mut impl rt::FieldVisitor) {}
}

/// Template `Option`, identifier 7.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Option2 {
    /// `self`: uInt32.
    pub self_: u32,
    /// `Self`: uInt32.
    pub self_2: u32,
    /// `MDEntry`: uInt32.
    pub md_entry: u32,
    /// `MdEntry`: uInt32.
    pub md_entry_2: u32,
    /// `MdEntry`: uInt32.
    pub md_entry_2_2: u32,
    /// `2nd`: uInt32.
    pub n2nd: u32,
    /// `Цена`: uInt32.
    pub unnamed: u32,
    /// `Nested`: group.
    pub nested: Option2Nested,
}

impl Option2 {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("self", None, self.self_, visitor);
        rt::visit_scalar("Self", None, self.self_2, visitor);
        rt::visit_scalar("MDEntry", None, self.md_entry, visitor);
        rt::visit_scalar("MdEntry", None, self.md_entry_2, visitor);
        rt::visit_scalar("MdEntry#2", None, self.md_entry_2_2, visitor);
        rt::visit_scalar("2nd", None, self.n2nd, visitor);
        rt::visit_scalar("Цена", None, self.unnamed, visitor);
        visitor.begin_group("Nested", None);
        self.nested.visit(visitor);
        visitor.end_group("Nested");
    }
}

/// Group `Nested`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Option2Nested {
    /// `fn`: ASCII string.
    pub fn_: rt::Ascii,
}

impl Option2Nested {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("fn", None, &self.fn_, visitor);
    }
}

/// Template `Wide`, identifier 8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// `W0`: uInt32, copy.
    pub w0: u32,
    /// `W1`: optional uInt32, copy.
    pub w1: Option<u32>,
    /// `W2`: uInt32, copy.
    pub w2: u32,
    /// `W3`: optional uInt32, copy.
    pub w3: Option<u32>,
    /// `W4`: uInt32, copy.
    pub w4: u32,
    /// `W5`: optional uInt32, copy.
    pub w5: Option<u32>,
    /// `W6`: uInt32, copy.
    pub w6: u32,
    /// `W7`: optional uInt32, copy.
    pub w7: Option<u32>,
    /// `W8`: uInt32, copy.
    pub w8: u32,
    /// `W9`: optional uInt32, copy.
    pub w9: Option<u32>,
    /// `W10`: uInt32, copy.
    pub w10: u32,
    /// `W11`: optional uInt32, copy.
    pub w11: Option<u32>,
    /// `W12`: uInt32, copy.
    pub w12: u32,
    /// `W13`: optional uInt32, copy.
    pub w13: Option<u32>,
    /// `W14`: uInt32, copy.
    pub w14: u32,
    /// `W15`: optional uInt32, copy.
    pub w15: Option<u32>,
    /// `W16`: uInt32, copy.
    pub w16: u32,
    /// `W17`: optional uInt32, copy.
    pub w17: Option<u32>,
    /// `W18`: uInt32, copy.
    pub w18: u32,
    /// `W19`: optional uInt32, copy.
    pub w19: Option<u32>,
    /// `W20`: uInt32, copy.
    pub w20: u32,
    /// `W21`: optional uInt32, copy.
    pub w21: Option<u32>,
    /// `W22`: uInt32, copy.
    pub w22: u32,
    /// `W23`: optional uInt32, copy.
    pub w23: Option<u32>,
    /// `W24`: uInt32, copy.
    pub w24: u32,
    /// `W25`: optional uInt32, copy.
    pub w25: Option<u32>,
    /// `W26`: uInt32, copy.
    pub w26: u32,
    /// `W27`: optional uInt32, copy.
    pub w27: Option<u32>,
    /// `W28`: uInt32, copy.
    pub w28: u32,
    /// `W29`: optional uInt32, copy.
    pub w29: Option<u32>,
    /// `W30`: uInt32, copy.
    pub w30: u32,
    /// `W31`: optional uInt32, copy.
    pub w31: Option<u32>,
    /// `W32`: uInt32, copy.
    pub w32: u32,
    /// `W33`: optional uInt32, copy.
    pub w33: Option<u32>,
    /// `W34`: uInt32, copy.
    pub w34: u32,
    /// `W35`: optional uInt32, copy.
    pub w35: Option<u32>,
    /// `W36`: uInt32, copy.
    pub w36: u32,
    /// `W37`: optional uInt32, copy.
    pub w37: Option<u32>,
    /// `W38`: uInt32, copy.
    pub w38: u32,
    /// `W39`: optional uInt32, copy.
    pub w39: Option<u32>,
    /// `W40`: uInt32, copy.
    pub w40: u32,
    /// `W41`: optional uInt32, copy.
    pub w41: Option<u32>,
    /// `W42`: uInt32, copy.
    pub w42: u32,
    /// `W43`: optional uInt32, copy.
    pub w43: Option<u32>,
    /// `W44`: uInt32, copy.
    pub w44: u32,
    /// `W45`: optional uInt32, copy.
    pub w45: Option<u32>,
    /// `W46`: uInt32, copy.
    pub w46: u32,
    /// `W47`: optional uInt32, copy.
    pub w47: Option<u32>,
    /// `W48`: uInt32, copy.
    pub w48: u32,
    /// `W49`: optional uInt32, copy.
    pub w49: Option<u32>,
    /// `W50`: uInt32, copy.
    pub w50: u32,
    /// `W51`: optional uInt32, copy.
    pub w51: Option<u32>,
    /// `W52`: uInt32, copy.
    pub w52: u32,
    /// `W53`: optional uInt32, copy.
    pub w53: Option<u32>,
    /// `W54`: uInt32, copy.
    pub w54: u32,
    /// `W55`: optional uInt32, copy.
    pub w55: Option<u32>,
    /// `W56`: uInt32, copy.
    pub w56: u32,
    /// `W57`: optional uInt32, copy.
    pub w57: Option<u32>,
    /// `W58`: uInt32, copy.
    pub w58: u32,
    /// `W59`: optional uInt32, copy.
    pub w59: Option<u32>,
    /// `W60`: uInt32, copy.
    pub w60: u32,
    /// `W61`: optional uInt32, copy.
    pub w61: Option<u32>,
    /// `W62`: uInt32, copy.
    pub w62: u32,
    /// `W63`: optional uInt32, copy.
    pub w63: Option<u32>,
    /// `W64`: uInt32, copy.
    pub w64: u32,
    /// `W65`: optional uInt32, copy.
    pub w65: Option<u32>,
    /// `W66`: uInt32, copy.
    pub w66: u32,
    /// `W67`: optional uInt32, copy.
    pub w67: Option<u32>,
    /// `W68`: uInt32, copy.
    pub w68: u32,
    /// `W69`: optional uInt32, copy.
    pub w69: Option<u32>,
}

impl Wide {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("W0", None, self.w0, visitor);
        rt::visit_scalar("W1", None, self.w1, visitor);
        rt::visit_scalar("W2", None, self.w2, visitor);
        rt::visit_scalar("W3", None, self.w3, visitor);
        rt::visit_scalar("W4", None, self.w4, visitor);
        rt::visit_scalar("W5", None, self.w5, visitor);
        rt::visit_scalar("W6", None, self.w6, visitor);
        rt::visit_scalar("W7", None, self.w7, visitor);
        rt::visit_scalar("W8", None, self.w8, visitor);
        rt::visit_scalar("W9", None, self.w9, visitor);
        rt::visit_scalar("W10", None, self.w10, visitor);
        rt::visit_scalar("W11", None, self.w11, visitor);
        rt::visit_scalar("W12", None, self.w12, visitor);
        rt::visit_scalar("W13", None, self.w13, visitor);
        rt::visit_scalar("W14", None, self.w14, visitor);
        rt::visit_scalar("W15", None, self.w15, visitor);
        rt::visit_scalar("W16", None, self.w16, visitor);
        rt::visit_scalar("W17", None, self.w17, visitor);
        rt::visit_scalar("W18", None, self.w18, visitor);
        rt::visit_scalar("W19", None, self.w19, visitor);
        rt::visit_scalar("W20", None, self.w20, visitor);
        rt::visit_scalar("W21", None, self.w21, visitor);
        rt::visit_scalar("W22", None, self.w22, visitor);
        rt::visit_scalar("W23", None, self.w23, visitor);
        rt::visit_scalar("W24", None, self.w24, visitor);
        rt::visit_scalar("W25", None, self.w25, visitor);
        rt::visit_scalar("W26", None, self.w26, visitor);
        rt::visit_scalar("W27", None, self.w27, visitor);
        rt::visit_scalar("W28", None, self.w28, visitor);
        rt::visit_scalar("W29", None, self.w29, visitor);
        rt::visit_scalar("W30", None, self.w30, visitor);
        rt::visit_scalar("W31", None, self.w31, visitor);
        rt::visit_scalar("W32", None, self.w32, visitor);
        rt::visit_scalar("W33", None, self.w33, visitor);
        rt::visit_scalar("W34", None, self.w34, visitor);
        rt::visit_scalar("W35", None, self.w35, visitor);
        rt::visit_scalar("W36", None, self.w36, visitor);
        rt::visit_scalar("W37", None, self.w37, visitor);
        rt::visit_scalar("W38", None, self.w38, visitor);
        rt::visit_scalar("W39", None, self.w39, visitor);
        rt::visit_scalar("W40", None, self.w40, visitor);
        rt::visit_scalar("W41", None, self.w41, visitor);
        rt::visit_scalar("W42", None, self.w42, visitor);
        rt::visit_scalar("W43", None, self.w43, visitor);
        rt::visit_scalar("W44", None, self.w44, visitor);
        rt::visit_scalar("W45", None, self.w45, visitor);
        rt::visit_scalar("W46", None, self.w46, visitor);
        rt::visit_scalar("W47", None, self.w47, visitor);
        rt::visit_scalar("W48", None, self.w48, visitor);
        rt::visit_scalar("W49", None, self.w49, visitor);
        rt::visit_scalar("W50", None, self.w50, visitor);
        rt::visit_scalar("W51", None, self.w51, visitor);
        rt::visit_scalar("W52", None, self.w52, visitor);
        rt::visit_scalar("W53", None, self.w53, visitor);
        rt::visit_scalar("W54", None, self.w54, visitor);
        rt::visit_scalar("W55", None, self.w55, visitor);
        rt::visit_scalar("W56", None, self.w56, visitor);
        rt::visit_scalar("W57", None, self.w57, visitor);
        rt::visit_scalar("W58", None, self.w58, visitor);
        rt::visit_scalar("W59", None, self.w59, visitor);
        rt::visit_scalar("W60", None, self.w60, visitor);
        rt::visit_scalar("W61", None, self.w61, visitor);
        rt::visit_scalar("W62", None, self.w62, visitor);
        rt::visit_scalar("W63", None, self.w63, visitor);
        rt::visit_scalar("W64", None, self.w64, visitor);
        rt::visit_scalar("W65", None, self.w65, visitor);
        rt::visit_scalar("W66", None, self.w66, visitor);
        rt::visit_scalar("W67", None, self.w67, visitor);
        rt::visit_scalar("W68", None, self.w68, visitor);
        rt::visit_scalar("W69", None, self.w69, visitor);
    }
}

/// Template `Plain`, identifier 9.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    /// `U32`: uInt32.
    pub u32: u32,
    /// `OptionalU32`: optional uInt32.
    pub optional_u32: Option<u32>,
    /// `U64`: uInt64.
    pub u64: u64,
    /// `OptionalU64`: optional uInt64.
    pub optional_u64: Option<u64>,
    /// `I32`: int32.
    pub i32: i32,
    /// `OptionalI32`: optional int32.
    pub optional_i32: Option<i32>,
    /// `I64`: int64.
    pub i64: i64,
    /// `OptionalI64`: optional int64.
    pub optional_i64: Option<i64>,
    /// `Number`: decimal.
    pub number: rt::Decimal,
    /// `OptionalNumber`: optional decimal.
    pub optional_number: Option<rt::Decimal>,
    /// `Text`: ASCII string.
    pub text: rt::Ascii,
    /// `OptionalText`: optional ASCII string.
    pub optional_text: rt::Optional<rt::Ascii>,
    /// `Unicode`: Unicode string.
    pub unicode: rt::Unicode,
    /// `OptionalUnicode`: optional Unicode string.
    pub optional_unicode: rt::Optional<rt::Unicode>,
    /// `Vector`: byteVector.
    pub vector: rt::Bytes,
    /// `OptionalVector`: optional byteVector.
    pub optional_vector: rt::Optional<rt::Bytes>,
    /// `Inner`: group.
    pub inner: PlainInner,
    /// `Rows`: sequence.
    pub rows: rt::Sequence<PlainRows>,
    /// `Last`: optional ASCII string.
    pub last: rt::Optional<rt::Ascii>,
}

impl Plain {
    /// `Kind`: constant.
    pub const KIND: &'static str = "P";
}

impl Plain {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("Kind", None, rt::Value::Ascii(Self::KIND.as_bytes()));
        rt::visit_scalar("U32", None, self.u32, visitor);
        rt::visit_scalar("OptionalU32", None, self.optional_u32, visitor);
        rt::visit_scalar("U64", None, self.u64, visitor);
        rt::visit_scalar("OptionalU64", None, self.optional_u64, visitor);
        rt::visit_scalar("I32", None, self.i32, visitor);
        rt::visit_scalar("OptionalI32", None, self.optional_i32, visitor);
        rt::visit_scalar("I64", None, self.i64, visitor);
        rt::visit_scalar("OptionalI64", None, self.optional_i64, visitor);
        rt::visit_scalar("Number", None, self.number, visitor);
        rt::visit_scalar("OptionalNumber", None, self.optional_number, visitor);
        rt::visit_text("Text", None, &self.text, visitor);
        rt::visit_text("OptionalText", None, &self.optional_text, visitor);
        rt::visit_text("Unicode", None, &self.unicode, visitor);
        rt::visit_text("OptionalUnicode", None, &self.optional_unicode, visitor);
        rt::visit_text("Vector", None, &self.vector, visitor);
        rt::visit_text("OptionalVector", None, &self.optional_vector, visitor);
        visitor.begin_group("Inner", None);
        self.inner.visit(visitor);
        visitor.end_group("Inner");
        visitor.begin_sequence("Rows", None, self.rows.len());
        for (index, element) in self.rows.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Rows");
        rt::visit_text("Last", None, &self.last, visitor);
    }
}

/// Group `Inner`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainInner {
    /// `Text`: ASCII string.
    pub text: rt::Ascii,
    /// `Number`: optional decimal.
    pub number: Option<rt::Decimal>,
}

impl PlainInner {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_text("Text", None, &self.text, visitor);
        rt::visit_scalar("Number", None, self.number, visitor);
    }
}

/// An element of sequence `Rows`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainRows {
    /// `Row`: uInt32.
    pub row: u32,
    /// `Text`: optional ASCII string.
    pub text: rt::Optional<rt::Ascii>,
    /// `Cells`: optional sequence.
    pub cells: rt::Optional<rt::Sequence<PlainRowsCells>>,
}

impl PlainRows {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Row", None, self.row, visitor);
        rt::visit_text("Text", None, &self.text, visitor);
        if let Some(elements) = self.cells.get() {
            visitor.begin_sequence("Cells", None, elements.len());
            for (index, element) in elements.iter().enumerate() {
                visitor.begin_element(index);
                element.visit(visitor);
                visitor.end_element();
            }
            visitor.end_sequence("Cells");
        }
    }
}

/// An element of sequence `Cells`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainRowsCells {
    /// `Cell`: optional int64.
    pub cell: Option<i64>,
}

impl PlainRowsCells {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Cell", None, self.cell, visitor);
    }
}

/// Template `Again`, identifier 10.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Again {
    /// `U32`: uInt32.
    pub u32: u32,
}

impl Again {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("U32", None, self.u32, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `Nested`, identifier 1.
    Nested,
    /// `Shared`, identifier 2.
    Shared,
    /// `Envelope`, identifier 3.
    Envelope,
    /// `Restart`, identifier 4.
    Restart,
    /// `Stamp`, identifier 500.
    Stamp,
    /// `Empty`, identifier 6.
    Empty,
    /// `Option`, identifier 7.
    Option2,
    /// `Wide`, identifier 8.
    Wide,
    /// `Plain`, identifier 9.
    Plain,
    /// `Again`, identifier 10.
    Again,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            1 => Some(Self::Nested),
            2 => Some(Self::Shared),
            3 => Some(Self::Envelope),
            4 => Some(Self::Restart),
            500 => Some(Self::Stamp),
            6 => Some(Self::Empty),
            7 => Some(Self::Option2),
            8 => Some(Self::Wide),
            9 => Some(Self::Plain),
            10 => Some(Self::Again),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::Nested => 1,
            Self::Shared => 2,
            Self::Envelope => 3,
            Self::Restart => 4,
            Self::Stamp => 500,
            Self::Empty => 6,
            Self::Option2 => 7,
            Self::Wide => 8,
            Self::Plain => 9,
            Self::Again => 10,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nested => "Nested",
            Self::Shared => "Shared",
            Self::Envelope => "Envelope",
            Self::Restart => "Restart",
            Self::Stamp => "Stamp",
            Self::Empty => "Empty",
            Self::Option2 => "Option",
            Self::Wide => "Wide",
            Self::Plain => "Plain",
            Self::Again => "Again",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `Nested`.
    Nested(&'m Nested),
    /// A message of template `Shared`.
    Shared(&'m Shared),
    /// A message of template `Envelope`.
    Envelope(&'m Envelope),
    /// A message of template `Restart`.
    Restart(&'m Restart),
    /// A message of template `Stamp`.
    Stamp(&'m Stamp),
    /// A message of template `Empty`.
    Empty(&'m Empty),
    /// A message of template `Option`.
    Option2(&'m Option2),
    /// A message of template `Wide`.
    Wide(&'m Wide),
    /// A message of template `Plain`.
    Plain(&'m Plain),
    /// A message of template `Again`.
    Again(&'m Again),
}

impl<'m> From<&'m Nested> for Message<'m> {
    fn from(message: &'m Nested) -> Self {
        Self::Nested(message)
    }
}

impl<'m> From<&'m Shared> for Message<'m> {
    fn from(message: &'m Shared) -> Self {
        Self::Shared(message)
    }
}

impl<'m> From<&'m Envelope> for Message<'m> {
    fn from(message: &'m Envelope) -> Self {
        Self::Envelope(message)
    }
}

impl<'m> From<&'m Restart> for Message<'m> {
    fn from(message: &'m Restart) -> Self {
        Self::Restart(message)
    }
}

impl<'m> From<&'m Stamp> for Message<'m> {
    fn from(message: &'m Stamp) -> Self {
        Self::Stamp(message)
    }
}

impl<'m> From<&'m Empty> for Message<'m> {
    fn from(message: &'m Empty) -> Self {
        Self::Empty(message)
    }
}

impl<'m> From<&'m Option2> for Message<'m> {
    fn from(message: &'m Option2) -> Self {
        Self::Option2(message)
    }
}

impl<'m> From<&'m Wide> for Message<'m> {
    fn from(message: &'m Wide) -> Self {
        Self::Wide(message)
    }
}

impl<'m> From<&'m Plain> for Message<'m> {
    fn from(message: &'m Plain) -> Self {
        Self::Plain(message)
    }
}

impl<'m> From<&'m Again> for Message<'m> {
    fn from(message: &'m Again) -> Self {
        Self::Again(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::Nested(_) => Template::Nested,
            Self::Shared(_) => Template::Shared,
            Self::Envelope(_) => Template::Envelope,
            Self::Restart(_) => Template::Restart,
            Self::Stamp(_) => Template::Stamp,
            Self::Empty(_) => Template::Empty,
            Self::Option2(_) => Template::Option2,
            Self::Wide(_) => Template::Wide,
            Self::Plain(_) => Template::Plain,
            Self::Again(_) => Template::Again,
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
            Self::Nested(message) => message.visit(visitor),
            Self::Shared(message) => message.visit(visitor),
            Self::Envelope(message) => message.visit(visitor),
            Self::Restart(message) => message.visit(visitor),
            Self::Stamp(message) => message.visit(visitor),
            Self::Empty(message) => message.visit(visitor),
            Self::Option2(message) => message.visit(visitor),
            Self::Wide(message) => message.visit(visitor),
            Self::Plain(message) => message.visit(visitor),
            Self::Again(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    nested: Option<Box<Nested>>,
    shared: Option<Box<Shared>>,
    envelope: Option<Box<Envelope>>,
    restart: Option<Box<Restart>>,
    stamp: Option<Box<Stamp>>,
    empty: Option<Box<Empty>>,
    option: Option<Box<Option2>>,
    wide: Option<Box<Wide>>,
    plain: Option<Box<Plain>>,
    again: Option<Box<Again>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::Nested => self.nested.as_deref().map(Message::Nested),
            Template::Shared => self.shared.as_deref().map(Message::Shared),
            Template::Envelope => self.envelope.as_deref().map(Message::Envelope),
            Template::Restart => self.restart.as_deref().map(Message::Restart),
            Template::Stamp => self.stamp.as_deref().map(Message::Stamp),
            Template::Empty => self.empty.as_deref().map(Message::Empty),
            Template::Option2 => self.option.as_deref().map(Message::Option2),
            Template::Wide => self.wide.as_deref().map(Message::Wide),
            Template::Plain => self.plain.as_deref().map(Message::Plain),
            Template::Again => self.again.as_deref().map(Message::Again),
        }
    }

    /// Makes it a message of template `Nested` and returns that, as it was when it was last one.
    pub fn insert_nested(&mut self) -> &mut Nested {
        self.current = Some(Template::Nested);
        self.nested.get_or_insert_default()
    }

    /// Makes it a message of template `Shared` and returns that, as it was when it was last one.
    pub fn insert_shared(&mut self) -> &mut Shared {
        self.current = Some(Template::Shared);
        self.shared.get_or_insert_default()
    }

    /// Makes it a message of template `Envelope` and returns that, as it was when it was last one.
    pub fn insert_envelope(&mut self) -> &mut Envelope {
        self.current = Some(Template::Envelope);
        self.envelope.get_or_insert_default()
    }

    /// Makes it a message of template `Restart` and returns that, as it was when it was last one.
    pub fn insert_restart(&mut self) -> &mut Restart {
        self.current = Some(Template::Restart);
        self.restart.get_or_insert_default()
    }

    /// Makes it a message of template `Stamp` and returns that, as it was when it was last one.
    pub fn insert_stamp(&mut self) -> &mut Stamp {
        self.current = Some(Template::Stamp);
        self.stamp.get_or_insert_default()
    }

    /// Makes it a message of template `Empty` and returns that, as it was when it was last one.
    pub fn insert_empty(&mut self) -> &mut Empty {
        self.current = Some(Template::Empty);
        self.empty.get_or_insert_default()
    }

    /// Makes it a message of template `Option` and returns that, as it was when it was last one.
    pub fn insert_option(&mut self) -> &mut Option2 {
        self.current = Some(Template::Option2);
        self.option.get_or_insert_default()
    }

    /// Makes it a message of template `Wide` and returns that, as it was when it was last one.
    pub fn insert_wide(&mut self) -> &mut Wide {
        self.current = Some(Template::Wide);
        self.wide.get_or_insert_default()
    }

    /// Makes it a message of template `Plain` and returns that, as it was when it was last one.
    pub fn insert_plain(&mut self) -> &mut Plain {
        self.current = Some(Template::Plain);
        self.plain.get_or_insert_default()
    }

    /// Makes it a message of template `Again` and returns that, as it was when it was last one.
    pub fn insert_again(&mut self) -> &mut Again {
        self.current = Some(Template::Again);
        self.again.get_or_insert_default()
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
    /// For `Sender` in the global dictionary.
    global_sender: rt::PreviousText,
    /// For `SeqNum` in the global dictionary.
    global_seq_num: rt::Previous<u32>,
    /// For `Time` in the dictionary of the type *any*.
    type_any_time: rt::Previous<u64>,
    /// For `X` in the global dictionary.
    global_x: rt::Previous<u32>,
    /// For `Px` in the global dictionary.
    global_px: rt::Previous<rt::Decimal>,
    /// For `ID` in the global dictionary.
    global_id: rt::Previous<u64>,
    /// For `Owner` in the global dictionary.
    global_owner: rt::PreviousText,
    /// For `Raw` in the global dictionary.
    global_raw: rt::PreviousText,
    /// For `A` in dictionary `mine`.
    dictionary_mine_a: rt::MixedPrevious,
    /// For `B` in dictionary `mine`.
    dictionary_mine_b: rt::Previous<u32>,
    /// For `E` in dictionary `mine`.
    dictionary_mine_e: rt::MixedPrevious,
    /// For `G` in dictionary `mine`.
    dictionary_mine_g: rt::MixedPrevious,
    /// For `I` in the global dictionary.
    global_i: rt::Previous<u32>,
    /// For `Time` in the dictionary of the type `Outer`.
    type_outer_time: rt::Previous<u64>,
    /// For `Day` in the dictionary of the type *any*.
    type_any_day: rt::Previous<u32>,
    /// For `Count` in the dictionary of template `Stamp`.
    template_stamp_count: rt::Previous<u32>,
    /// For `W0` in the dictionary of template `Wide`.
    template_wide_w0: rt::Previous<u32>,
    /// For `W1` in the dictionary of template `Wide`.
    template_wide_w1: rt::Previous<u32>,
    /// For `W2` in the dictionary of template `Wide`.
    template_wide_w2: rt::Previous<u32>,
    /// For `W3` in the dictionary of template `Wide`.
    template_wide_w3: rt::Previous<u32>,
    /// For `W4` in the dictionary of template `Wide`.
    template_wide_w4: rt::Previous<u32>,
    /// For `W5` in the dictionary of template `Wide`.
    template_wide_w5: rt::Previous<u32>,
    /// For `W6` in the dictionary of template `Wide`.
    template_wide_w6: rt::Previous<u32>,
    /// For `W7` in the dictionary of template `Wide`.
    template_wide_w7: rt::Previous<u32>,
    /// For `W8` in the dictionary of template `Wide`.
    template_wide_w8: rt::Previous<u32>,
    /// For `W9` in the dictionary of template `Wide`.
    template_wide_w9: rt::Previous<u32>,
    /// For `W10` in the dictionary of template `Wide`.
    template_wide_w10: rt::Previous<u32>,
    /// For `W11` in the dictionary of template `Wide`.
    template_wide_w11: rt::Previous<u32>,
    /// For `W12` in the dictionary of template `Wide`.
    template_wide_w12: rt::Previous<u32>,
    /// For `W13` in the dictionary of template `Wide`.
    template_wide_w13: rt::Previous<u32>,
    /// For `W14` in the dictionary of template `Wide`.
    template_wide_w14: rt::Previous<u32>,
    /// For `W15` in the dictionary of template `Wide`.
    template_wide_w15: rt::Previous<u32>,
    /// For `W16` in the dictionary of template `Wide`.
    template_wide_w16: rt::Previous<u32>,
    /// For `W17` in the dictionary of template `Wide`.
    template_wide_w17: rt::Previous<u32>,
    /// For `W18` in the dictionary of template `Wide`.
    template_wide_w18: rt::Previous<u32>,
    /// For `W19` in the dictionary of template `Wide`.
    template_wide_w19: rt::Previous<u32>,
    /// For `W20` in the dictionary of template `Wide`.
    template_wide_w20: rt::Previous<u32>,
    /// For `W21` in the dictionary of template `Wide`.
    template_wide_w21: rt::Previous<u32>,
    /// For `W22` in the dictionary of template `Wide`.
    template_wide_w22: rt::Previous<u32>,
    /// For `W23` in the dictionary of template `Wide`.
    template_wide_w23: rt::Previous<u32>,
    /// For `W24` in the dictionary of template `Wide`.
    template_wide_w24: rt::Previous<u32>,
    /// For `W25` in the dictionary of template `Wide`.
    template_wide_w25: rt::Previous<u32>,
    /// For `W26` in the dictionary of template `Wide`.
    template_wide_w26: rt::Previous<u32>,
    /// For `W27` in the dictionary of template `Wide`.
    template_wide_w27: rt::Previous<u32>,
    /// For `W28` in the dictionary of template `Wide`.
    template_wide_w28: rt::Previous<u32>,
    /// For `W29` in the dictionary of template `Wide`.
    template_wide_w29: rt::Previous<u32>,
    /// For `W30` in the dictionary of template `Wide`.
    template_wide_w30: rt::Previous<u32>,
    /// For `W31` in the dictionary of template `Wide`.
    template_wide_w31: rt::Previous<u32>,
    /// For `W32` in the dictionary of template `Wide`.
    template_wide_w32: rt::Previous<u32>,
    /// For `W33` in the dictionary of template `Wide`.
    template_wide_w33: rt::Previous<u32>,
    /// For `W34` in the dictionary of template `Wide`.
    template_wide_w34: rt::Previous<u32>,
    /// For `W35` in the dictionary of template `Wide`.
    template_wide_w35: rt::Previous<u32>,
    /// For `W36` in the dictionary of template `Wide`.
    template_wide_w36: rt::Previous<u32>,
    /// For `W37` in the dictionary of template `Wide`.
    template_wide_w37: rt::Previous<u32>,
    /// For `W38` in the dictionary of template `Wide`.
    template_wide_w38: rt::Previous<u32>,
    /// For `W39` in the dictionary of template `Wide`.
    template_wide_w39: rt::Previous<u32>,
    /// For `W40` in the dictionary of template `Wide`.
    template_wide_w40: rt::Previous<u32>,
    /// For `W41` in the dictionary of template `Wide`.
    template_wide_w41: rt::Previous<u32>,
    /// For `W42` in the dictionary of template `Wide`.
    template_wide_w42: rt::Previous<u32>,
    /// For `W43` in the dictionary of template `Wide`.
    template_wide_w43: rt::Previous<u32>,
    /// For `W44` in the dictionary of template `Wide`.
    template_wide_w44: rt::Previous<u32>,
    /// For `W45` in the dictionary of template `Wide`.
    template_wide_w45: rt::Previous<u32>,
    /// For `W46` in the dictionary of template `Wide`.
    template_wide_w46: rt::Previous<u32>,
    /// For `W47` in the dictionary of template `Wide`.
    template_wide_w47: rt::Previous<u32>,
    /// For `W48` in the dictionary of template `Wide`.
    template_wide_w48: rt::Previous<u32>,
    /// For `W49` in the dictionary of template `Wide`.
    template_wide_w49: rt::Previous<u32>,
    /// For `W50` in the dictionary of template `Wide`.
    template_wide_w50: rt::Previous<u32>,
    /// For `W51` in the dictionary of template `Wide`.
    template_wide_w51: rt::Previous<u32>,
    /// For `W52` in the dictionary of template `Wide`.
    template_wide_w52: rt::Previous<u32>,
    /// For `W53` in the dictionary of template `Wide`.
    template_wide_w53: rt::Previous<u32>,
    /// For `W54` in the dictionary of template `Wide`.
    template_wide_w54: rt::Previous<u32>,
    /// For `W55` in the dictionary of template `Wide`.
    template_wide_w55: rt::Previous<u32>,
    /// For `W56` in the dictionary of template `Wide`.
    template_wide_w56: rt::Previous<u32>,
    /// For `W57` in the dictionary of template `Wide`.
    template_wide_w57: rt::Previous<u32>,
    /// For `W58` in the dictionary of template `Wide`.
    template_wide_w58: rt::Previous<u32>,
    /// For `W59` in the dictionary of template `Wide`.
    template_wide_w59: rt::Previous<u32>,
    /// For `W60` in the dictionary of template `Wide`.
    template_wide_w60: rt::Previous<u32>,
    /// For `W61` in the dictionary of template `Wide`.
    template_wide_w61: rt::Previous<u32>,
    /// For `W62` in the dictionary of template `Wide`.
    template_wide_w62: rt::Previous<u32>,
    /// For `W63` in the dictionary of template `Wide`.
    template_wide_w63: rt::Previous<u32>,
    /// For `W64` in the dictionary of template `Wide`.
    template_wide_w64: rt::Previous<u32>,
    /// For `W65` in the dictionary of template `Wide`.
    template_wide_w65: rt::Previous<u32>,
    /// For `W66` in the dictionary of template `Wide`.
    template_wide_w66: rt::Previous<u32>,
    /// For `W67` in the dictionary of template `Wide`.
    template_wide_w67: rt::Previous<u32>,
    /// For `W68` in the dictionary of template `Wide`.
    template_wide_w68: rt::Previous<u32>,
    /// For `W69` in the dictionary of template `Wide`.
    template_wide_w69: rt::Previous<u32>,
    /// For `Day` in the dictionary of the type `Outer`.
    type_outer_day: rt::Previous<u32>,
    /// For `Time` in the dictionary of the type `Inner`.
    type_inner_time: rt::Previous<u64>,
    /// For `Day` in the dictionary of the type `Inner`.
    type_inner_day: rt::Previous<u32>,
}

impl Dictionaries {
    fn reset_named(&mut self, name: &str) {
        if name == "global" {
            self.global_sender.reset();
            self.global_seq_num.reset();
            self.global_x.reset();
            self.global_px.reset();
            self.global_id.reset();
            self.global_owner.reset();
            self.global_raw.reset();
            self.global_i.reset();
        }
        if name == "mine" {
            self.dictionary_mine_a.reset();
            self.dictionary_mine_b.reset();
            self.dictionary_mine_e.reset();
            self.dictionary_mine_g.reset();
        }
    }
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
    let mut presence = rt::LongPresence::read(&mut input, state)?;
    let template = rt::identifier(
        state,
        &mut input,
        &mut presence,
        &mut dictionaries.template,
        Template::by_id,
    )?;
    let outcome = match template {
        Template::Nested => {
            let message = messages.insert_nested();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Shared => {
            let message = messages.insert_shared();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Envelope => {
            let message = messages.insert_envelope();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Restart => {
            state.reset_dictionaries();
            let message = messages.insert_restart();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Stamp => {
            let message = messages.insert_stamp();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Empty => {
            let message = messages.insert_empty();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Option2 => {
            let message = messages.insert_option();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Wide => {
            let message = messages.insert_wide();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Plain => {
            let message = messages.insert_plain();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Again => {
            state.reset_dictionaries();
            let message = messages.insert_again();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

/// The same inside another application type.
fn decode_message_in_type_1<'i>(
    state: &mut rt::DecoderState,
    dictionaries: &mut Dictionaries,
    mut input: rt::Cursor<'i>,
    messages: &mut Messages,
) -> Result<rt::Cursor<'i>, rt::Failure> {
    let mut presence = rt::LongPresence::read(&mut input, state)?;
    let template = rt::identifier(
        state,
        &mut input,
        &mut presence,
        &mut dictionaries.template,
        Template::by_id,
    )?;
    let outcome = match template {
        Template::Nested => {
            let message = messages.insert_nested();
            message.decode_in_type_1(state, dictionaries, input, presence)
        }
        Template::Shared => {
            let message = messages.insert_shared();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Envelope => {
            let message = messages.insert_envelope();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Restart => {
            state.reset_dictionaries();
            let message = messages.insert_restart();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Stamp => {
            let message = messages.insert_stamp();
            message.decode_in_type_1(state, dictionaries, input, presence)
        }
        Template::Empty => {
            let message = messages.insert_empty();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Option2 => {
            let message = messages.insert_option();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Wide => {
            let message = messages.insert_wide();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Plain => {
            let message = messages.insert_plain();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Again => {
            state.reset_dictionaries();
            let message = messages.insert_again();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

/// The same inside another application type.
fn decode_message_in_type_2<'i>(
    state: &mut rt::DecoderState,
    dictionaries: &mut Dictionaries,
    mut input: rt::Cursor<'i>,
    messages: &mut Messages,
) -> Result<rt::Cursor<'i>, rt::Failure> {
    let mut presence = rt::LongPresence::read(&mut input, state)?;
    let template = rt::identifier(
        state,
        &mut input,
        &mut presence,
        &mut dictionaries.template,
        Template::by_id,
    )?;
    let outcome = match template {
        Template::Nested => {
            let message = messages.insert_nested();
            message.decode_in_type_2(state, dictionaries, input, presence)
        }
        Template::Shared => {
            let message = messages.insert_shared();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Envelope => {
            let message = messages.insert_envelope();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Restart => {
            state.reset_dictionaries();
            let message = messages.insert_restart();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Stamp => {
            let message = messages.insert_stamp();
            message.decode_in_type_2(state, dictionaries, input, presence)
        }
        Template::Empty => {
            let message = messages.insert_empty();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Option2 => {
            let message = messages.insert_option();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Wide => {
            let message = messages.insert_wide();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Plain => {
            let message = messages.insert_plain();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Again => {
            state.reset_dictionaries();
            let message = messages.insert_again();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl Nested {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::copy_text(
            "Sender",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_sender,
            None,
            &mut self.sender,
        )?;
        self.seq_num = rt::increment(
            "SeqNum",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        self.time = rt::delta("Time", state, &mut input, &mut dictionaries.type_any_time, None)?;
        state.enter("Flat", &input)?;
        let outcome = self.flat.decode(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Flat"))?;
        state.leave();
        if presence.next() {
            state.enter("Perhaps", &input)?;
            let group = self.perhaps.insert();
            let outcome = group.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Perhaps"))?;
            state.leave();
        } else {
            self.perhaps.clear();
        }
        let length: u32 = rt::plain("Levels", state, &mut input)?;
        state.enter_sequence("Levels", length, &input)?;
        self.levels.clear();
        for _ in 0..length {
            let element = self.levels.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Levels"))?;
        }
        state.leave();
        let length: Option<u32> = rt::plain("Nothing", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.nothing.insert();
            state.enter_sequence("Nothing", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Nothing"))?;
            }
            state.leave();
        } else {
            self.nothing.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::copy_text(
            "Sender",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_sender,
            None,
            &mut self.sender,
        )?;
        self.seq_num = rt::increment(
            "SeqNum",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        self.time = rt::delta("Time", state, &mut input, &mut dictionaries.type_outer_time, None)?;
        state.enter("Flat", &input)?;
        let outcome = self.flat.decode_in_type_1(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Flat"))?;
        state.leave();
        if presence.next() {
            state.enter("Perhaps", &input)?;
            let group = self.perhaps.insert();
            let outcome = group.decode_in_type_1(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Perhaps"))?;
            state.leave();
        } else {
            self.perhaps.clear();
        }
        let length: u32 = rt::plain("Levels", state, &mut input)?;
        state.enter_sequence("Levels", length, &input)?;
        self.levels.clear();
        for _ in 0..length {
            let element = self.levels.reuse();
            let outcome = element.decode_in_type_1(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Levels"))?;
        }
        state.leave();
        let length: Option<u32> = rt::plain("Nothing", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.nothing.insert();
            state.enter_sequence("Nothing", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode_in_type_1(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Nothing"))?;
            }
            state.leave();
        } else {
            self.nothing.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::copy_text(
            "Sender",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_sender,
            None,
            &mut self.sender,
        )?;
        self.seq_num = rt::increment(
            "SeqNum",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        self.time = rt::delta("Time", state, &mut input, &mut dictionaries.type_inner_time, None)?;
        state.enter("Flat", &input)?;
        let outcome = self.flat.decode_in_type_2(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Flat"))?;
        state.leave();
        if presence.next() {
            state.enter("Perhaps", &input)?;
            let group = self.perhaps.insert();
            let outcome = group.decode_in_type_2(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Perhaps"))?;
            state.leave();
        } else {
            self.perhaps.clear();
        }
        let length: u32 = rt::plain("Levels", state, &mut input)?;
        state.enter_sequence("Levels", length, &input)?;
        self.levels.clear();
        for _ in 0..length {
            let element = self.levels.reuse();
            let outcome = element.decode_in_type_2(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Levels"))?;
        }
        state.leave();
        let length: Option<u32> = rt::plain("Nothing", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.nothing.insert();
            state.enter_sequence("Nothing", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode_in_type_2(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Nothing"))?;
            }
            state.leave();
        } else {
            self.nothing.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedFlat {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.x = rt::plain("X", state, &mut input)?;
        rt::text("type", state, &mut input, &mut self.type_)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.x = rt::plain("X", state, &mut input)?;
        rt::text("type", state, &mut input, &mut self.type_)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.x = rt::plain("X", state, &mut input)?;
        rt::text("type", state, &mut input, &mut self.type_)?;
        Ok(input)
    }
}

impl NestedPerhaps {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.x = rt::copy("X", state, &mut input, &mut presence, &mut dictionaries.global_x, None)?;
        if presence.next() {
            state.enter("Deep", &input)?;
            let group = self.deep.insert();
            let outcome = group.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Deep"))?;
            state.leave();
        } else {
            self.deep.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.x = rt::copy("X", state, &mut input, &mut presence, &mut dictionaries.global_x, None)?;
        if presence.next() {
            state.enter("Deep", &input)?;
            let group = self.deep.insert();
            let outcome = group.decode_in_type_1(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Deep"))?;
            state.leave();
        } else {
            self.deep.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.x = rt::copy("X", state, &mut input, &mut presence, &mut dictionaries.global_x, None)?;
        if presence.next() {
            state.enter("Deep", &input)?;
            let group = self.deep.insert();
            let outcome = group.decode_in_type_2(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Deep"))?;
            state.leave();
        } else {
            self.deep.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedPerhapsDeep {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.y = rt::default("Y", state, &mut input, &mut presence, Some(-1))?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.y = rt::default("Y", state, &mut input, &mut presence, Some(-1))?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.y = rt::default("Y", state, &mut input, &mut presence, Some(-1))?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedLevels {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.px = rt::decimal_delta("Px", state, &mut input, &mut dictionaries.global_px, None)?;
        let length: Option<u32> = rt::plain("Orders", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.orders.insert();
            state.enter_sequence("Orders", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Orders"))?;
            }
            state.leave();
        } else {
            self.orders.clear();
        }
        rt::tail_text(
            "Raw",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_raw,
            None,
            &mut self.raw,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.px = rt::decimal_delta("Px", state, &mut input, &mut dictionaries.global_px, None)?;
        let length: Option<u32> = rt::plain("Orders", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.orders.insert();
            state.enter_sequence("Orders", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode_in_type_1(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Orders"))?;
            }
            state.leave();
        } else {
            self.orders.clear();
        }
        rt::tail_text(
            "Raw",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_raw,
            None,
            &mut self.raw,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.px = rt::decimal_delta("Px", state, &mut input, &mut dictionaries.global_px, None)?;
        let length: Option<u32> = rt::plain("Orders", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.orders.insert();
            state.enter_sequence("Orders", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode_in_type_2(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Orders"))?;
            }
            state.leave();
        } else {
            self.orders.clear();
        }
        rt::tail_text(
            "Raw",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_raw,
            None,
            &mut self.raw,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedLevelsOrders {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.id = rt::delta("ID", state, &mut input, &mut dictionaries.global_id, None)?;
        rt::copy_text(
            "Owner",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_owner,
            None,
            &mut self.owner,
        )?;
        if presence.next() {
            state.enter("Flags", &input)?;
            let group = self.flags.insert();
            let outcome = group.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Flags"))?;
            state.leave();
        } else {
            self.flags.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.id = rt::delta("ID", state, &mut input, &mut dictionaries.global_id, None)?;
        rt::copy_text(
            "Owner",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_owner,
            None,
            &mut self.owner,
        )?;
        if presence.next() {
            state.enter("Flags", &input)?;
            let group = self.flags.insert();
            let outcome = group.decode_in_type_1(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Flags"))?;
            state.leave();
        } else {
            self.flags.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.id = rt::delta("ID", state, &mut input, &mut dictionaries.global_id, None)?;
        rt::copy_text(
            "Owner",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_owner,
            None,
            &mut self.owner,
        )?;
        if presence.next() {
            state.enter("Flags", &input)?;
            let group = self.flags.insert();
            let outcome = group.decode_in_type_2(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Flags"))?;
            state.leave();
        } else {
            self.flags.clear();
        }
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedLevelsOrdersFlags {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.hidden = presence.next();
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.hidden = presence.next();
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.hidden = presence.next();
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl NestedNothing {
    fn decode<'i>(
        &mut self,
        _state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        _state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        _state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        Ok(input)
    }
}

impl Shared {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.a = rt::copy(
            "A",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_a,
            None,
        )?;
        self.b = rt::copy(
            "B",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_b,
            None,
        )?;
        self.c = rt::increment(
            "C",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_b,
            None,
        )?;
        rt::copy_text(
            "D",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_a,
            None,
            &mut self.d,
        )?;
        rt::delta_text(
            "E",
            state,
            &mut input,
            &mut dictionaries.dictionary_mine_e,
            Some(b"ab"),
            &mut self.e,
        )?;
        rt::tail_text(
            "F",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_e,
            None,
            &mut self.f,
        )?;
        self.g = rt::copy(
            "G",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.dictionary_mine_g,
            Some(rt::Decimal::new(1, 0)),
        )?;
        self.h = rt::delta("H", state, &mut input, &mut dictionaries.dictionary_mine_g, None)?;
        self.i =
            rt::copy("I", state, &mut input, &mut presence, &mut dictionaries.global_i, Some(3))?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Envelope {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::copy_text(
            "Sender",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_sender,
            None,
            &mut self.sender,
        )?;
        self.seq_num = rt::increment(
            "SeqNum",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        self.time = rt::delta("Time", state, &mut input, &mut dictionaries.type_outer_time, None)?;
        state.enter("templateRef", &input)?;
        input = decode_message_in_type_1(state, dictionaries, input, &mut self.template_ref)
            .map_err(|failure| failure.at("templateRef"))?;
        state.leave();
        let length: u32 = rt::plain("Parts", state, &mut input)?;
        state.enter_sequence("Parts", length, &input)?;
        self.parts.clear();
        for _ in 0..length {
            let element = self.parts.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Parts"))?;
        }
        state.leave();
        self.i =
            rt::copy("I", state, &mut input, &mut presence, &mut dictionaries.global_i, Some(3))?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl EnvelopeParts {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        state.enter("templateRef", &input)?;
        input = decode_message_in_type_2(state, dictionaries, input, &mut self.template_ref)
            .map_err(|failure| failure.at("templateRef"))?;
        state.leave();
        Ok(input)
    }
}

impl Restart {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.i =
            rt::copy("I", state, &mut input, &mut presence, &mut dictionaries.global_i, Some(9))?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Stamp {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.day = rt::copy(
            "Day",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.type_any_day,
            Some(1),
        )?;
        self.count = rt::increment(
            "Count",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_1<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.day = rt::copy(
            "Day",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.type_outer_day,
            Some(1),
        )?;
        self.count = rt::increment(
            "Count",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }

    fn decode_in_type_2<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.day = rt::copy(
            "Day",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.type_inner_day,
            Some(1),
        )?;
        self.count = rt::increment(
            "Count",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Empty {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Option2 {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.self_ = rt::plain("self", state, &mut input)?;
        self.self_2 = rt::plain("Self", state, &mut input)?;
        self.md_entry = rt::plain("MDEntry", state, &mut input)?;
        self.md_entry_2 = rt::plain("MdEntry", state, &mut input)?;
        self.md_entry_2_2 = rt::plain("MdEntry", state, &mut input)?;
        self.n2nd = rt::plain("2nd", state, &mut input)?;
        self.unnamed = rt::plain("Цена", state, &mut input)?;
        state.enter("Nested", &input)?;
        let outcome = self.nested.decode(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Nested"))?;
        state.leave();
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Option2Nested {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::text("fn", state, &mut input, &mut self.fn_)?;
        Ok(input)
    }
}

impl Wide {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.w0 = rt::copy(
            "W0",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w0,
            Some(0),
        )?;
        self.w1 = rt::copy(
            "W1",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w1,
            Some(1),
        )?;
        self.w2 = rt::copy(
            "W2",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w2,
            Some(2),
        )?;
        self.w3 = rt::copy(
            "W3",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w3,
            Some(3),
        )?;
        self.w4 = rt::copy(
            "W4",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w4,
            Some(4),
        )?;
        self.w5 = rt::copy(
            "W5",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w5,
            Some(5),
        )?;
        self.w6 = rt::copy(
            "W6",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w6,
            Some(6),
        )?;
        self.w7 = rt::copy(
            "W7",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w7,
            Some(7),
        )?;
        self.w8 = rt::copy(
            "W8",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w8,
            Some(8),
        )?;
        self.w9 = rt::copy(
            "W9",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w9,
            Some(9),
        )?;
        self.w10 = rt::copy(
            "W10",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w10,
            Some(10),
        )?;
        self.w11 = rt::copy(
            "W11",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w11,
            Some(11),
        )?;
        self.w12 = rt::copy(
            "W12",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w12,
            Some(12),
        )?;
        self.w13 = rt::copy(
            "W13",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w13,
            Some(13),
        )?;
        self.w14 = rt::copy(
            "W14",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w14,
            Some(14),
        )?;
        self.w15 = rt::copy(
            "W15",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w15,
            Some(15),
        )?;
        self.w16 = rt::copy(
            "W16",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w16,
            Some(16),
        )?;
        self.w17 = rt::copy(
            "W17",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w17,
            Some(17),
        )?;
        self.w18 = rt::copy(
            "W18",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w18,
            Some(18),
        )?;
        self.w19 = rt::copy(
            "W19",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w19,
            Some(19),
        )?;
        self.w20 = rt::copy(
            "W20",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w20,
            Some(20),
        )?;
        self.w21 = rt::copy(
            "W21",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w21,
            Some(21),
        )?;
        self.w22 = rt::copy(
            "W22",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w22,
            Some(22),
        )?;
        self.w23 = rt::copy(
            "W23",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w23,
            Some(23),
        )?;
        self.w24 = rt::copy(
            "W24",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w24,
            Some(24),
        )?;
        self.w25 = rt::copy(
            "W25",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w25,
            Some(25),
        )?;
        self.w26 = rt::copy(
            "W26",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w26,
            Some(26),
        )?;
        self.w27 = rt::copy(
            "W27",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w27,
            Some(27),
        )?;
        self.w28 = rt::copy(
            "W28",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w28,
            Some(28),
        )?;
        self.w29 = rt::copy(
            "W29",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w29,
            Some(29),
        )?;
        self.w30 = rt::copy(
            "W30",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w30,
            Some(30),
        )?;
        self.w31 = rt::copy(
            "W31",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w31,
            Some(31),
        )?;
        self.w32 = rt::copy(
            "W32",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w32,
            Some(32),
        )?;
        self.w33 = rt::copy(
            "W33",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w33,
            Some(33),
        )?;
        self.w34 = rt::copy(
            "W34",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w34,
            Some(34),
        )?;
        self.w35 = rt::copy(
            "W35",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w35,
            Some(35),
        )?;
        self.w36 = rt::copy(
            "W36",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w36,
            Some(36),
        )?;
        self.w37 = rt::copy(
            "W37",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w37,
            Some(37),
        )?;
        self.w38 = rt::copy(
            "W38",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w38,
            Some(38),
        )?;
        self.w39 = rt::copy(
            "W39",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w39,
            Some(39),
        )?;
        self.w40 = rt::copy(
            "W40",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w40,
            Some(40),
        )?;
        self.w41 = rt::copy(
            "W41",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w41,
            Some(41),
        )?;
        self.w42 = rt::copy(
            "W42",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w42,
            Some(42),
        )?;
        self.w43 = rt::copy(
            "W43",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w43,
            Some(43),
        )?;
        self.w44 = rt::copy(
            "W44",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w44,
            Some(44),
        )?;
        self.w45 = rt::copy(
            "W45",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w45,
            Some(45),
        )?;
        self.w46 = rt::copy(
            "W46",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w46,
            Some(46),
        )?;
        self.w47 = rt::copy(
            "W47",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w47,
            Some(47),
        )?;
        self.w48 = rt::copy(
            "W48",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w48,
            Some(48),
        )?;
        self.w49 = rt::copy(
            "W49",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w49,
            Some(49),
        )?;
        self.w50 = rt::copy(
            "W50",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w50,
            Some(50),
        )?;
        self.w51 = rt::copy(
            "W51",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w51,
            Some(51),
        )?;
        self.w52 = rt::copy(
            "W52",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w52,
            Some(52),
        )?;
        self.w53 = rt::copy(
            "W53",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w53,
            Some(53),
        )?;
        self.w54 = rt::copy(
            "W54",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w54,
            Some(54),
        )?;
        self.w55 = rt::copy(
            "W55",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w55,
            Some(55),
        )?;
        self.w56 = rt::copy(
            "W56",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w56,
            Some(56),
        )?;
        self.w57 = rt::copy(
            "W57",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w57,
            Some(57),
        )?;
        self.w58 = rt::copy(
            "W58",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w58,
            Some(58),
        )?;
        self.w59 = rt::copy(
            "W59",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w59,
            Some(59),
        )?;
        self.w60 = rt::copy(
            "W60",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w60,
            Some(60),
        )?;
        self.w61 = rt::copy(
            "W61",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w61,
            Some(61),
        )?;
        self.w62 = rt::copy(
            "W62",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w62,
            Some(62),
        )?;
        self.w63 = rt::copy(
            "W63",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w63,
            Some(63),
        )?;
        self.w64 = rt::copy(
            "W64",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w64,
            Some(64),
        )?;
        self.w65 = rt::copy(
            "W65",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w65,
            Some(65),
        )?;
        self.w66 = rt::copy(
            "W66",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w66,
            Some(66),
        )?;
        self.w67 = rt::copy(
            "W67",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w67,
            Some(67),
        )?;
        self.w68 = rt::copy(
            "W68",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w68,
            Some(68),
        )?;
        self.w69 = rt::copy(
            "W69",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.template_wide_w69,
            Some(69),
        )?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Plain {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.u32 = rt::plain("U32", state, &mut input)?;
        self.optional_u32 = rt::plain("OptionalU32", state, &mut input)?;
        self.u64 = rt::plain("U64", state, &mut input)?;
        self.optional_u64 = rt::plain("OptionalU64", state, &mut input)?;
        self.i32 = rt::plain("I32", state, &mut input)?;
        self.optional_i32 = rt::plain("OptionalI32", state, &mut input)?;
        self.i64 = rt::plain("I64", state, &mut input)?;
        self.optional_i64 = rt::plain("OptionalI64", state, &mut input)?;
        self.number = rt::plain("Number", state, &mut input)?;
        self.optional_number = rt::plain("OptionalNumber", state, &mut input)?;
        rt::text("Text", state, &mut input, &mut self.text)?;
        rt::text("OptionalText", state, &mut input, &mut self.optional_text)?;
        rt::text("Unicode", state, &mut input, &mut self.unicode)?;
        rt::text("OptionalUnicode", state, &mut input, &mut self.optional_unicode)?;
        rt::text("Vector", state, &mut input, &mut self.vector)?;
        rt::text("OptionalVector", state, &mut input, &mut self.optional_vector)?;
        state.enter("Inner", &input)?;
        let outcome = self.inner.decode(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Inner"))?;
        state.leave();
        let length: u32 = rt::plain("Rows", state, &mut input)?;
        state.enter_sequence("Rows", length, &input)?;
        self.rows.clear();
        for _ in 0..length {
            let element = self.rows.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Rows"))?;
        }
        state.leave();
        rt::text("Last", state, &mut input, &mut self.last)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl PlainInner {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        rt::text("Text", state, &mut input, &mut self.text)?;
        self.number = rt::plain("Number", state, &mut input)?;
        Ok(input)
    }
}

impl PlainRows {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.row = rt::plain("Row", state, &mut input)?;
        rt::text("Text", state, &mut input, &mut self.text)?;
        let length: Option<u32> = rt::plain("Cells", state, &mut input)?;
        if let Some(length) = length {
            let elements = self.cells.insert();
            state.enter_sequence("Cells", length, &input)?;
            elements.clear();
            for _ in 0..length {
                let element = elements.reuse();
                let outcome = element.decode(state, dictionaries, input);
                input = outcome.map_err(|failure| failure.at("Cells"))?;
            }
            state.leave();
        } else {
            self.cells.clear();
        }
        Ok(input)
    }
}

impl PlainRowsCells {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.cell = rt::plain("Cell", state, &mut input)?;
        Ok(input)
    }
}

impl Again {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::LongPresence<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.u32 = rt::plain("U32", state, &mut input)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

/// A message that is shown while it is decoded; `None` for others.
#[inline]
fn visit_streamed(
    state: &mut rt::DecoderState,
    dictionaries: &mut Dictionaries,
    bytes: &[u8],
    visitor: &mut impl rt::FieldVisitor,
) -> Option<Result<usize, rt::DecodeError>> {
    let (id, header) = rt::plain_header(bytes)?;
    let template = Template::by_id(id)?;
    let outcome = match template {
        Template::Empty => state.show::<Empty>(bytes, header, template.name(), visitor),
        Template::Option2 => state.show::<Option2>(bytes, header, template.name(), visitor),
        Template::Plain => state.show::<Plain>(bytes, header, template.name(), visitor),
        Template::Again => {
            state.reset_dictionaries();
            state.show::<Again>(bytes, header, template.name(), visitor)
        }
        _ => return None,
    };
    dictionaries.template = Some(template);
    Some(outcome)
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

impl rt::Streamed for Empty {
    #[inline(always)]
    fn show<G: rt::Groups>(
        _fields: &mut rt::Fields<'_, '_, G>,
        _visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        Ok(())
    }
}

impl rt::Streamed for Option2 {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("self", "self", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Self", "Self", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MDEntry", "MDEntry", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MdEntry", "MdEntry", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MdEntry", "MdEntry#2", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("2nd", "2nd", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Цена", "Цена", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        fields.enter("Nested")?;
        visitor.begin_group("Nested", None);
        <Option2Nested as rt::Streamed>::show(fields, visitor)?;
        fields.leave();
        visitor.end_group("Nested");
        Ok(())
    }
}

impl rt::Streamed for Option2Nested {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("fn", "fn", None);
        fields.ascii::<false>(field, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for Plain {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("Kind", None, rt::Value::Ascii(Self::KIND.as_bytes()));
        let field = rt::FieldName::new("U32", "U32", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("OptionalU32", "OptionalU32", None);
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("U64", "U64", None);
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("OptionalU64", "OptionalU64", None);
        fields.unsigned::<true>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("I32", "I32", None);
        fields.signed::<false>(field, i32::MAX as u64, visitor)?;
        let field = rt::FieldName::new("OptionalI32", "OptionalI32", None);
        fields.signed::<true>(field, i32::MAX as u64, visitor)?;
        let field = rt::FieldName::new("I64", "I64", None);
        fields.signed::<false>(field, i64::MAX as u64, visitor)?;
        let field = rt::FieldName::new("OptionalI64", "OptionalI64", None);
        fields.signed::<true>(field, i64::MAX as u64, visitor)?;
        let field = rt::FieldName::new("Number", "Number", None);
        fields.decimal::<false>(field, visitor)?;
        let field = rt::FieldName::new("OptionalNumber", "OptionalNumber", None);
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("Text", "Text", None);
        fields.ascii::<false>(field, visitor)?;
        let field = rt::FieldName::new("OptionalText", "OptionalText", None);
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("Unicode", "Unicode", None);
        fields.text::<rt::Unicode, false>(field, visitor)?;
        let field = rt::FieldName::new("OptionalUnicode", "OptionalUnicode", None);
        fields.text::<rt::Unicode, true>(field, visitor)?;
        let field = rt::FieldName::new("Vector", "Vector", None);
        fields.text::<rt::Bytes, false>(field, visitor)?;
        let field = rt::FieldName::new("OptionalVector", "OptionalVector", None);
        fields.text::<rt::Bytes, true>(field, visitor)?;
        fields.enter("Inner")?;
        visitor.begin_group("Inner", None);
        <PlainInner as rt::Streamed>::show(fields, visitor)?;
        fields.leave();
        visitor.end_group("Inner");
        let length = fields.length::<false>("Rows")?;
        if let Some(length) = length {
            fields.enter_sequence("Rows", length)?;
            visitor.begin_sequence("Rows", None, length as usize);
            for index in 0..length as usize {
                visitor.begin_element(index);
                fields.begin_element();
                <PlainRows as rt::Streamed>::show(fields, visitor)?;
                visitor.end_element();
            }
            fields.leave();
            visitor.end_sequence("Rows");
        }
        let field = rt::FieldName::new("Last", "Last", None);
        fields.ascii::<true>(field, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for PlainInner {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Text", "Text", None);
        fields.ascii::<false>(field, visitor)?;
        let field = rt::FieldName::new("Number", "Number", None);
        fields.decimal::<true>(field, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for PlainRows {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Row", "Row", None);
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Text", "Text", None);
        fields.ascii::<true>(field, visitor)?;
        let length = fields.length::<true>("Cells")?;
        if let Some(length) = length {
            fields.enter_sequence("Cells", length)?;
            visitor.begin_sequence("Cells", None, length as usize);
            for index in 0..length as usize {
                visitor.begin_element(index);
                fields.begin_element();
                <PlainRowsCells as rt::Streamed>::show(fields, visitor)?;
                visitor.end_element();
            }
            fields.leave();
            visitor.end_sequence("Cells");
        }
        Ok(())
    }
}

impl rt::Streamed for PlainRowsCells {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Cell", "Cell", None);
        fields.signed::<true>(field, i64::MAX as u64, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for Again {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("U32", "U32", None);
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
        Message::Nested(message) => message.encode(state, dictionaries, out),
        Message::Shared(message) => message.encode(state, dictionaries, out),
        Message::Envelope(message) => message.encode(state, dictionaries, out),
        Message::Restart(message) => message.encode(state, dictionaries, out),
        Message::Stamp(message) => message.encode(state, dictionaries, out),
        Message::Empty(message) => message.encode(state, dictionaries, out),
        Message::Option2(message) => message.encode(state, dictionaries, out),
        Message::Wide(message) => message.encode(state, dictionaries, out),
        Message::Plain(message) => message.encode(state, dictionaries, out),
        Message::Again(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

/// The same inside another application type.
fn encode_message_in_type_1<'o>(
    state: &mut rt::EncoderState,
    dictionaries: &mut Dictionaries,
    message: Message<'_>,
    out: rt::Output<'o>,
) -> Result<rt::Output<'o>, rt::Refusal> {
    let template = message.template();
    let outcome = match message {
        Message::Nested(message) => message.encode_in_type_1(state, dictionaries, out),
        Message::Shared(message) => message.encode(state, dictionaries, out),
        Message::Envelope(message) => message.encode(state, dictionaries, out),
        Message::Restart(message) => message.encode(state, dictionaries, out),
        Message::Stamp(message) => message.encode_in_type_1(state, dictionaries, out),
        Message::Empty(message) => message.encode(state, dictionaries, out),
        Message::Option2(message) => message.encode(state, dictionaries, out),
        Message::Wide(message) => message.encode(state, dictionaries, out),
        Message::Plain(message) => message.encode(state, dictionaries, out),
        Message::Again(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

/// The same inside another application type.
fn encode_message_in_type_2<'o>(
    state: &mut rt::EncoderState,
    dictionaries: &mut Dictionaries,
    message: Message<'_>,
    out: rt::Output<'o>,
) -> Result<rt::Output<'o>, rt::Refusal> {
    let template = message.template();
    let outcome = match message {
        Message::Nested(message) => message.encode_in_type_2(state, dictionaries, out),
        Message::Shared(message) => message.encode(state, dictionaries, out),
        Message::Envelope(message) => message.encode(state, dictionaries, out),
        Message::Restart(message) => message.encode(state, dictionaries, out),
        Message::Stamp(message) => message.encode_in_type_2(state, dictionaries, out),
        Message::Empty(message) => message.encode(state, dictionaries, out),
        Message::Option2(message) => message.encode(state, dictionaries, out),
        Message::Wide(message) => message.encode(state, dictionaries, out),
        Message::Plain(message) => message.encode(state, dictionaries, out),
        Message::Again(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl Nested {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(4, &mut out);
        let template = Template::Nested;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy_text(
            "Sender",
            state,
            &self.sender,
            &mut bits,
            &mut out,
            &mut dictionaries.global_sender,
            None,
        )?;
        rt::write_increment(
            "SeqNum",
            state,
            self.seq_num,
            &mut bits,
            &mut out,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        rt::write_delta("Time", state, self.time, &mut out, &mut dictionaries.type_any_time, None)?;
        state.enter("Flat")?;
        out = self.flat.encode(state, dictionaries, out)?;
        state.leave();
        bits.push(self.perhaps.is_some(), &mut out);
        if let Some(group) = self.perhaps.get() {
            state.enter("Perhaps")?;
            out = group.encode(state, dictionaries, out)?;
            state.leave();
        }
        let length = rt::length("Levels", self.levels.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Levels")?;
        for element in &self.levels {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let elements = self.nothing.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Nothing", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Nothing")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(4, &mut out);
        let template = Template::Nested;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy_text(
            "Sender",
            state,
            &self.sender,
            &mut bits,
            &mut out,
            &mut dictionaries.global_sender,
            None,
        )?;
        rt::write_increment(
            "SeqNum",
            state,
            self.seq_num,
            &mut bits,
            &mut out,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        rt::write_delta(
            "Time",
            state,
            self.time,
            &mut out,
            &mut dictionaries.type_outer_time,
            None,
        )?;
        state.enter("Flat")?;
        out = self.flat.encode_in_type_1(state, dictionaries, out)?;
        state.leave();
        bits.push(self.perhaps.is_some(), &mut out);
        if let Some(group) = self.perhaps.get() {
            state.enter("Perhaps")?;
            out = group.encode_in_type_1(state, dictionaries, out)?;
            state.leave();
        }
        let length = rt::length("Levels", self.levels.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Levels")?;
        for element in &self.levels {
            out = element.encode_in_type_1(state, dictionaries, out)?;
        }
        state.leave();
        let elements = self.nothing.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Nothing", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Nothing")?;
            for element in elements {
                out = element.encode_in_type_1(state, dictionaries, out)?;
            }
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(4, &mut out);
        let template = Template::Nested;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy_text(
            "Sender",
            state,
            &self.sender,
            &mut bits,
            &mut out,
            &mut dictionaries.global_sender,
            None,
        )?;
        rt::write_increment(
            "SeqNum",
            state,
            self.seq_num,
            &mut bits,
            &mut out,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        rt::write_delta(
            "Time",
            state,
            self.time,
            &mut out,
            &mut dictionaries.type_inner_time,
            None,
        )?;
        state.enter("Flat")?;
        out = self.flat.encode_in_type_2(state, dictionaries, out)?;
        state.leave();
        bits.push(self.perhaps.is_some(), &mut out);
        if let Some(group) = self.perhaps.get() {
            state.enter("Perhaps")?;
            out = group.encode_in_type_2(state, dictionaries, out)?;
            state.leave();
        }
        let length = rt::length("Levels", self.levels.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Levels")?;
        for element in &self.levels {
            out = element.encode_in_type_2(state, dictionaries, out)?;
        }
        state.leave();
        let elements = self.nothing.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Nothing", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Nothing")?;
            for element in elements {
                out = element.encode_in_type_2(state, dictionaries, out)?;
            }
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedFlat {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.x, &mut out);
        rt::write_text("type", state, &self.type_, &mut out)?;
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.x, &mut out);
        rt::write_text("type", state, &self.type_, &mut out)?;
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.x, &mut out);
        rt::write_text("type", state, &self.type_, &mut out)?;
        Ok(out)
    }
}

impl NestedPerhaps {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_copy("X", state, self.x, &mut bits, &mut out, &mut dictionaries.global_x, None)?;
        bits.push(self.deep.is_some(), &mut out);
        if let Some(group) = self.deep.get() {
            state.enter("Deep")?;
            out = group.encode(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_copy("X", state, self.x, &mut bits, &mut out, &mut dictionaries.global_x, None)?;
        bits.push(self.deep.is_some(), &mut out);
        if let Some(group) = self.deep.get() {
            state.enter("Deep")?;
            out = group.encode_in_type_1(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_copy("X", state, self.x, &mut bits, &mut out, &mut dictionaries.global_x, None)?;
        bits.push(self.deep.is_some(), &mut out);
        if let Some(group) = self.deep.get() {
            state.enter("Deep")?;
            out = group.encode_in_type_2(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedPerhapsDeep {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        rt::write_default(self.y, &mut bits, &mut out, Some(-1));
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        rt::write_default(self.y, &mut bits, &mut out, Some(-1));
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        rt::write_default(self.y, &mut bits, &mut out, Some(-1));
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedLevels {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let value = rt::decimal("Px", self.px)?;
        rt::write_decimal_delta("Px", state, value, &mut out, &mut dictionaries.global_px, None)?;
        let elements = self.orders.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Orders", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Orders")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        rt::write_tail_text(
            "Raw",
            state,
            &self.raw,
            &mut bits,
            &mut out,
            &mut dictionaries.global_raw,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let value = rt::decimal("Px", self.px)?;
        rt::write_decimal_delta("Px", state, value, &mut out, &mut dictionaries.global_px, None)?;
        let elements = self.orders.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Orders", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Orders")?;
            for element in elements {
                out = element.encode_in_type_1(state, dictionaries, out)?;
            }
            state.leave();
        }
        rt::write_tail_text(
            "Raw",
            state,
            &self.raw,
            &mut bits,
            &mut out,
            &mut dictionaries.global_raw,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let value = rt::decimal("Px", self.px)?;
        rt::write_decimal_delta("Px", state, value, &mut out, &mut dictionaries.global_px, None)?;
        let elements = self.orders.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Orders", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Orders")?;
            for element in elements {
                out = element.encode_in_type_2(state, dictionaries, out)?;
            }
            state.leave();
        }
        rt::write_tail_text(
            "Raw",
            state,
            &self.raw,
            &mut bits,
            &mut out,
            &mut dictionaries.global_raw,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedLevelsOrders {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_delta("ID", state, self.id, &mut out, &mut dictionaries.global_id, None)?;
        rt::write_copy_text(
            "Owner",
            state,
            &self.owner,
            &mut bits,
            &mut out,
            &mut dictionaries.global_owner,
            None,
        )?;
        bits.push(self.flags.is_some(), &mut out);
        if let Some(group) = self.flags.get() {
            state.enter("Flags")?;
            out = group.encode(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_delta("ID", state, self.id, &mut out, &mut dictionaries.global_id, None)?;
        rt::write_copy_text(
            "Owner",
            state,
            &self.owner,
            &mut bits,
            &mut out,
            &mut dictionaries.global_owner,
            None,
        )?;
        bits.push(self.flags.is_some(), &mut out);
        if let Some(group) = self.flags.get() {
            state.enter("Flags")?;
            out = group.encode_in_type_1(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_delta("ID", state, self.id, &mut out, &mut dictionaries.global_id, None)?;
        rt::write_copy_text(
            "Owner",
            state,
            &self.owner,
            &mut bits,
            &mut out,
            &mut dictionaries.global_owner,
            None,
        )?;
        bits.push(self.flags.is_some(), &mut out);
        if let Some(group) = self.flags.get() {
            state.enter("Flags")?;
            out = group.encode_in_type_2(state, dictionaries, out)?;
            state.leave();
        }
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedLevelsOrdersFlags {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        bits.push(self.hidden, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        bits.push(self.hidden, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        bits.push(self.hidden, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl NestedNothing {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        Ok(out)
    }
}

impl Shared {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(8, &mut out);
        let template = Template::Shared;
        rt::write_identifier(state, template, 2, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy(
            "A",
            state,
            self.a,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_a,
            None,
        )?;
        rt::write_copy(
            "B",
            state,
            self.b,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_b,
            None,
        )?;
        rt::write_increment(
            "C",
            state,
            self.c,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_b,
            None,
        )?;
        rt::write_copy_text(
            "D",
            state,
            &self.d,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_a,
            None,
        )?;
        rt::write_delta_text(
            "E",
            state,
            &self.e,
            &mut out,
            &mut dictionaries.dictionary_mine_e,
            Some(b"ab"),
        )?;
        rt::write_tail_text(
            "F",
            state,
            &self.f,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_e,
            None,
        )?;
        let value = rt::decimal("G", self.g)?;
        rt::write_copy(
            "G",
            state,
            value,
            &mut bits,
            &mut out,
            &mut dictionaries.dictionary_mine_g,
            Some(rt::Decimal::new(1, 0)),
        )?;
        rt::write_delta("H", state, self.h, &mut out, &mut dictionaries.dictionary_mine_g, None)?;
        rt::write_copy(
            "I",
            state,
            self.i,
            &mut bits,
            &mut out,
            &mut dictionaries.global_i,
            Some(3),
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Envelope {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(4, &mut out);
        let template = Template::Envelope;
        rt::write_identifier(state, template, 3, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy_text(
            "Sender",
            state,
            &self.sender,
            &mut bits,
            &mut out,
            &mut dictionaries.global_sender,
            None,
        )?;
        rt::write_increment(
            "SeqNum",
            state,
            self.seq_num,
            &mut bits,
            &mut out,
            &mut dictionaries.global_seq_num,
            None,
        )?;
        rt::write_delta(
            "Time",
            state,
            self.time,
            &mut out,
            &mut dictionaries.type_outer_time,
            None,
        )?;
        let Some(message) = self.template_ref.get() else {
            return Err(rt::Refusal::new(rt::ErrorCode::Missing, "templateRef"));
        };
        state.enter("templateRef")?;
        out = encode_message_in_type_1(state, dictionaries, message, out)?;
        state.leave();
        let length = rt::length("Parts", self.parts.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Parts")?;
        for element in &self.parts {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        rt::write_copy(
            "I",
            state,
            self.i,
            &mut bits,
            &mut out,
            &mut dictionaries.global_i,
            Some(3),
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl EnvelopeParts {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let Some(message) = self.template_ref.get() else {
            return Err(rt::Refusal::new(rt::ErrorCode::Missing, "templateRef"));
        };
        state.enter("templateRef")?;
        out = encode_message_in_type_2(state, dictionaries, message, out)?;
        state.leave();
        Ok(out)
    }
}

impl Restart {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        let template = Template::Restart;
        rt::write_identifier(state, template, 4, &mut dictionaries.template, &mut bits, &mut out);
        state.reset_dictionaries();
        rt::write_copy(
            "I",
            state,
            self.i,
            &mut bits,
            &mut out,
            &mut dictionaries.global_i,
            Some(9),
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Stamp {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::Stamp;
        rt::write_identifier(state, template, 500, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy(
            "Day",
            state,
            self.day,
            &mut bits,
            &mut out,
            &mut dictionaries.type_any_day,
            Some(1),
        )?;
        rt::write_increment(
            "Count",
            state,
            self.count,
            &mut bits,
            &mut out,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_1<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::Stamp;
        rt::write_identifier(state, template, 500, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy(
            "Day",
            state,
            self.day,
            &mut bits,
            &mut out,
            &mut dictionaries.type_outer_day,
            Some(1),
        )?;
        rt::write_increment(
            "Count",
            state,
            self.count,
            &mut bits,
            &mut out,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }

    fn encode_in_type_2<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::Stamp;
        rt::write_identifier(state, template, 500, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy(
            "Day",
            state,
            self.day,
            &mut bits,
            &mut out,
            &mut dictionaries.type_inner_day,
            Some(1),
        )?;
        rt::write_increment(
            "Count",
            state,
            self.count,
            &mut bits,
            &mut out,
            &mut dictionaries.template_stamp_count,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Empty {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Empty;
        rt::write_identifier(state, template, 6, &mut dictionaries.template, &mut bits, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Option2 {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Option2;
        rt::write_identifier(state, template, 7, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.self_, &mut out);
        rt::write_plain(self.self_2, &mut out);
        rt::write_plain(self.md_entry, &mut out);
        rt::write_plain(self.md_entry_2, &mut out);
        rt::write_plain(self.md_entry_2_2, &mut out);
        rt::write_plain(self.n2nd, &mut out);
        rt::write_plain(self.unnamed, &mut out);
        state.enter("Nested")?;
        out = self.nested.encode(state, dictionaries, out)?;
        state.leave();
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Option2Nested {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_text("fn", state, &self.fn_, &mut out)?;
        Ok(out)
    }
}

impl Wide {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(71, &mut out);
        let template = Template::Wide;
        rt::write_identifier(state, template, 8, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_copy(
            "W0",
            state,
            self.w0,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w0,
            Some(0),
        )?;
        rt::write_copy(
            "W1",
            state,
            self.w1,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w1,
            Some(1),
        )?;
        rt::write_copy(
            "W2",
            state,
            self.w2,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w2,
            Some(2),
        )?;
        rt::write_copy(
            "W3",
            state,
            self.w3,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w3,
            Some(3),
        )?;
        rt::write_copy(
            "W4",
            state,
            self.w4,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w4,
            Some(4),
        )?;
        rt::write_copy(
            "W5",
            state,
            self.w5,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w5,
            Some(5),
        )?;
        rt::write_copy(
            "W6",
            state,
            self.w6,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w6,
            Some(6),
        )?;
        rt::write_copy(
            "W7",
            state,
            self.w7,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w7,
            Some(7),
        )?;
        rt::write_copy(
            "W8",
            state,
            self.w8,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w8,
            Some(8),
        )?;
        rt::write_copy(
            "W9",
            state,
            self.w9,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w9,
            Some(9),
        )?;
        rt::write_copy(
            "W10",
            state,
            self.w10,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w10,
            Some(10),
        )?;
        rt::write_copy(
            "W11",
            state,
            self.w11,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w11,
            Some(11),
        )?;
        rt::write_copy(
            "W12",
            state,
            self.w12,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w12,
            Some(12),
        )?;
        rt::write_copy(
            "W13",
            state,
            self.w13,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w13,
            Some(13),
        )?;
        rt::write_copy(
            "W14",
            state,
            self.w14,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w14,
            Some(14),
        )?;
        rt::write_copy(
            "W15",
            state,
            self.w15,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w15,
            Some(15),
        )?;
        rt::write_copy(
            "W16",
            state,
            self.w16,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w16,
            Some(16),
        )?;
        rt::write_copy(
            "W17",
            state,
            self.w17,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w17,
            Some(17),
        )?;
        rt::write_copy(
            "W18",
            state,
            self.w18,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w18,
            Some(18),
        )?;
        rt::write_copy(
            "W19",
            state,
            self.w19,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w19,
            Some(19),
        )?;
        rt::write_copy(
            "W20",
            state,
            self.w20,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w20,
            Some(20),
        )?;
        rt::write_copy(
            "W21",
            state,
            self.w21,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w21,
            Some(21),
        )?;
        rt::write_copy(
            "W22",
            state,
            self.w22,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w22,
            Some(22),
        )?;
        rt::write_copy(
            "W23",
            state,
            self.w23,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w23,
            Some(23),
        )?;
        rt::write_copy(
            "W24",
            state,
            self.w24,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w24,
            Some(24),
        )?;
        rt::write_copy(
            "W25",
            state,
            self.w25,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w25,
            Some(25),
        )?;
        rt::write_copy(
            "W26",
            state,
            self.w26,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w26,
            Some(26),
        )?;
        rt::write_copy(
            "W27",
            state,
            self.w27,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w27,
            Some(27),
        )?;
        rt::write_copy(
            "W28",
            state,
            self.w28,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w28,
            Some(28),
        )?;
        rt::write_copy(
            "W29",
            state,
            self.w29,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w29,
            Some(29),
        )?;
        rt::write_copy(
            "W30",
            state,
            self.w30,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w30,
            Some(30),
        )?;
        rt::write_copy(
            "W31",
            state,
            self.w31,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w31,
            Some(31),
        )?;
        rt::write_copy(
            "W32",
            state,
            self.w32,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w32,
            Some(32),
        )?;
        rt::write_copy(
            "W33",
            state,
            self.w33,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w33,
            Some(33),
        )?;
        rt::write_copy(
            "W34",
            state,
            self.w34,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w34,
            Some(34),
        )?;
        rt::write_copy(
            "W35",
            state,
            self.w35,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w35,
            Some(35),
        )?;
        rt::write_copy(
            "W36",
            state,
            self.w36,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w36,
            Some(36),
        )?;
        rt::write_copy(
            "W37",
            state,
            self.w37,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w37,
            Some(37),
        )?;
        rt::write_copy(
            "W38",
            state,
            self.w38,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w38,
            Some(38),
        )?;
        rt::write_copy(
            "W39",
            state,
            self.w39,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w39,
            Some(39),
        )?;
        rt::write_copy(
            "W40",
            state,
            self.w40,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w40,
            Some(40),
        )?;
        rt::write_copy(
            "W41",
            state,
            self.w41,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w41,
            Some(41),
        )?;
        rt::write_copy(
            "W42",
            state,
            self.w42,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w42,
            Some(42),
        )?;
        rt::write_copy(
            "W43",
            state,
            self.w43,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w43,
            Some(43),
        )?;
        rt::write_copy(
            "W44",
            state,
            self.w44,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w44,
            Some(44),
        )?;
        rt::write_copy(
            "W45",
            state,
            self.w45,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w45,
            Some(45),
        )?;
        rt::write_copy(
            "W46",
            state,
            self.w46,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w46,
            Some(46),
        )?;
        rt::write_copy(
            "W47",
            state,
            self.w47,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w47,
            Some(47),
        )?;
        rt::write_copy(
            "W48",
            state,
            self.w48,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w48,
            Some(48),
        )?;
        rt::write_copy(
            "W49",
            state,
            self.w49,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w49,
            Some(49),
        )?;
        rt::write_copy(
            "W50",
            state,
            self.w50,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w50,
            Some(50),
        )?;
        rt::write_copy(
            "W51",
            state,
            self.w51,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w51,
            Some(51),
        )?;
        rt::write_copy(
            "W52",
            state,
            self.w52,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w52,
            Some(52),
        )?;
        rt::write_copy(
            "W53",
            state,
            self.w53,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w53,
            Some(53),
        )?;
        rt::write_copy(
            "W54",
            state,
            self.w54,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w54,
            Some(54),
        )?;
        rt::write_copy(
            "W55",
            state,
            self.w55,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w55,
            Some(55),
        )?;
        rt::write_copy(
            "W56",
            state,
            self.w56,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w56,
            Some(56),
        )?;
        rt::write_copy(
            "W57",
            state,
            self.w57,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w57,
            Some(57),
        )?;
        rt::write_copy(
            "W58",
            state,
            self.w58,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w58,
            Some(58),
        )?;
        rt::write_copy(
            "W59",
            state,
            self.w59,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w59,
            Some(59),
        )?;
        rt::write_copy(
            "W60",
            state,
            self.w60,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w60,
            Some(60),
        )?;
        rt::write_copy(
            "W61",
            state,
            self.w61,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w61,
            Some(61),
        )?;
        rt::write_copy(
            "W62",
            state,
            self.w62,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w62,
            Some(62),
        )?;
        rt::write_copy(
            "W63",
            state,
            self.w63,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w63,
            Some(63),
        )?;
        rt::write_copy(
            "W64",
            state,
            self.w64,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w64,
            Some(64),
        )?;
        rt::write_copy(
            "W65",
            state,
            self.w65,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w65,
            Some(65),
        )?;
        rt::write_copy(
            "W66",
            state,
            self.w66,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w66,
            Some(66),
        )?;
        rt::write_copy(
            "W67",
            state,
            self.w67,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w67,
            Some(67),
        )?;
        rt::write_copy(
            "W68",
            state,
            self.w68,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w68,
            Some(68),
        )?;
        rt::write_copy(
            "W69",
            state,
            self.w69,
            &mut bits,
            &mut out,
            &mut dictionaries.template_wide_w69,
            Some(69),
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Plain {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Plain;
        rt::write_identifier(state, template, 9, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.u32, &mut out);
        rt::write_plain(self.optional_u32, &mut out);
        rt::write_plain(self.u64, &mut out);
        rt::write_plain(self.optional_u64, &mut out);
        rt::write_plain(self.i32, &mut out);
        rt::write_plain(self.optional_i32, &mut out);
        rt::write_plain(self.i64, &mut out);
        rt::write_plain(self.optional_i64, &mut out);
        let value = rt::decimal("Number", self.number)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("OptionalNumber", self.optional_number)?;
        rt::write_plain(value, &mut out);
        rt::write_text("Text", state, &self.text, &mut out)?;
        rt::write_text("OptionalText", state, &self.optional_text, &mut out)?;
        rt::write_text("Unicode", state, &self.unicode, &mut out)?;
        rt::write_text("OptionalUnicode", state, &self.optional_unicode, &mut out)?;
        rt::write_text("Vector", state, &self.vector, &mut out)?;
        rt::write_text("OptionalVector", state, &self.optional_vector, &mut out)?;
        state.enter("Inner")?;
        out = self.inner.encode(state, dictionaries, out)?;
        state.leave();
        let length = rt::length("Rows", self.rows.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Rows")?;
        for element in &self.rows {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        rt::write_text("Last", state, &self.last, &mut out)?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl PlainInner {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_text("Text", state, &self.text, &mut out)?;
        let value = rt::decimal("Number", self.number)?;
        rt::write_plain(value, &mut out);
        Ok(out)
    }
}

impl PlainRows {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.row, &mut out);
        rt::write_text("Text", state, &self.text, &mut out)?;
        let elements = self.cells.get();
        let length = match elements {
            Some(elements) => Some(rt::length("Cells", elements.len())?),
            None => None,
        };
        rt::write_plain(length, &mut out);
        if let Some(elements) = elements {
            state.enter("Cells")?;
            for element in elements {
                out = element.encode(state, dictionaries, out)?;
            }
            state.leave();
        }
        Ok(out)
    }
}

impl PlainRowsCells {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.cell, &mut out);
        Ok(out)
    }
}

impl Again {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Again;
        rt::write_identifier(state, template, 10, &mut dictionaries.template, &mut bits, &mut out);
        state.reset_dictionaries();
        rt::write_plain(self.u32, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

//! The structs, their constants and their visits.

use super::print::Printer;
use super::shape::{FieldShape, Shape, StructShape, in_brackets, operated_parts};
use crate::model::{FieldType, OwnedValue, Presence};
use crate::plan::{Code, FieldKind, Instruction, Operated, OperatorCode};

/// All structs.
pub(super) fn structs(shape: &Shape<'_>, out: &mut Printer) {
    for scope in &shape.structs {
        structure(shape, scope, out);
        constants(shape, scope, out);
        visit(shape, scope, out);
    }
}

/// The fields of a struct with the instructions of its first block.
pub(super) fn fields<'s>(
    shape: &'s Shape<'_>,
    scope: &'s StructShape,
) -> impl Iterator<Item = (&'s FieldShape, &'s Instruction)> {
    let members = scope.members.iter().map(|(instruction, _)| instruction);
    scope.fields.iter().zip(shape.code(scope.blocks[0].1).iter().chain(members))
}

fn structure(shape: &Shape<'_>, scope: &StructShape, out: &mut Printer) {
    out.doc(&scope.doc);
    out.line("#[derive(Clone, Debug, Default, PartialEq, Eq)]");
    let has_fields =
        fields(shape, scope).any(|(_, instruction)| instruction.code != Code::Constant);
    if !has_fields {
        out.line(&format!("pub struct {} {{}}", scope.ident));
        out.line("");
        return;
    }
    out.line(&format!("pub struct {} {{", scope.ident));
    for (field, instruction) in fields(shape, scope) {
        if instruction.code == Code::Constant {
            continue;
        }
        out.doc(&describe(shape, field, instruction));
        out.line(&format!("pub {}: {},", field.ident, rust_type(shape, field, instruction)));
    }
    out.line("}");
    out.line("");
}

fn describe(shape: &Shape<'_>, field: &FieldShape, instruction: &Instruction) -> String {
    let info = &field.info;
    let name = format!("`{}`{}", info.name.local, in_brackets(info.id));
    let optional = if info.presence == Presence::Optional { "optional " } else { "" };
    let operators: Vec<String> = operated_parts(shape.plan, instruction)
        .map(|(operated, part)| {
            let part = part.trim_start_matches('_');
            let space = if part.is_empty() { "" } else { " " };
            format!("{part}{space}{}", operator_name(operated.operator))
        })
        .filter(|operator| !operator.ends_with("none"))
        .collect();
    let operators = match instruction.code {
        Code::ConstantOptional => ", whether the constant is there".to_owned(),
        _ if operators.is_empty() => String::new(),
        _ => format!(", {}", operators.join(", ")),
    };
    let what = match info.kind {
        FieldKind::Primitive(FieldType::Ascii) => "ASCII string",
        FieldKind::Primitive(FieldType::Unicode) => "Unicode string",
        FieldKind::Primitive(field_type) => field_type.element(),
        FieldKind::Sequence => "sequence",
        FieldKind::Group => "group",
        FieldKind::Reference => "a message inside the message",
    };
    format!("{name}: {optional}{what}{operators}.")
}

fn operator_name(operator: OperatorCode) -> &'static str {
    match operator {
        OperatorCode::None => "none",
        OperatorCode::Constant => "constant",
        OperatorCode::Default => "default",
        OperatorCode::Copy => "copy",
        OperatorCode::Increment => "increment",
        OperatorCode::Delta => "delta",
        OperatorCode::Tail => "tail",
    }
}

/// The type of a value in the runtime.
pub(super) fn value_type(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Int32 => "i32",
        FieldType::UInt32 => "u32",
        FieldType::Int64 => "i64",
        FieldType::UInt64 => "u64",
        FieldType::Decimal => "rt::Decimal",
        FieldType::Ascii => "rt::Ascii",
        FieldType::Unicode => "rt::Unicode",
        FieldType::Bytes => "rt::Bytes",
    }
}

fn rust_type(shape: &Shape<'_>, field: &FieldShape, instruction: &Instruction) -> String {
    if instruction.code == Code::ConstantOptional {
        return "bool".to_owned();
    }
    let optional = field.info.presence == Presence::Optional;
    let inner = field.inner.map_or("", |inner| shape.structs[inner].ident.as_str());
    let (value, wrapper) = match field.info.kind {
        FieldKind::Primitive(field_type) if field_type.is_text() => {
            (value_type(field_type).to_owned(), "rt::Optional")
        }
        FieldKind::Primitive(field_type) => (value_type(field_type).to_owned(), "Option"),
        FieldKind::Group => (inner.to_owned(), "rt::Optional"),
        FieldKind::Sequence => (format!("rt::Sequence<{inner}>"), "rt::Optional"),
        FieldKind::Reference => return "Messages".to_owned(),
    };
    if optional { format!("{wrapper}<{value}>") } else { value }
}

/// The name of a field's constant.
pub(super) fn constant_name(field: &FieldShape) -> String {
    field.ident.trim_end_matches('_').to_ascii_uppercase()
}

fn constants(shape: &Shape<'_>, scope: &StructShape, out: &mut Printer) {
    let is_constant = |instruction: &Instruction| {
        matches!(instruction.code, Code::Constant | Code::ConstantOptional)
    };
    if !fields(shape, scope).any(|(_, instruction)| is_constant(instruction)) {
        return;
    }
    out.line(&format!("impl {} {{", scope.ident));
    let constants = fields(shape, scope).filter(|(_, instruction)| is_constant(instruction));
    for (at, (field, instruction)) in constants.enumerate() {
        let value = &shape.plan.values[instruction.operand as usize];
        if at > 0 {
            out.line("");
        }
        let optional = if instruction.code == Code::Constant { "" } else { "optional " };
        out.doc(&format!(
            "`{}`{}: {optional}constant.",
            field.info.name.local,
            in_brackets(field.info.id)
        ));
        let FieldKind::Primitive(field_type) = field.info.kind else { continue };
        let (rust_type, literal) = match value {
            OwnedValue::Ascii(bytes) => {
                ("&'static str", format!("{:?}", String::from_utf8_lossy(bytes)))
            }
            OwnedValue::Unicode(text) => ("&'static str", format!("{text:?}")),
            OwnedValue::Bytes(bytes) => ("&'static [u8]", format!("b\"{}\"", bytes.escape_ascii())),
            number => (value_type(field_type), scalar_literal(number)),
        };
        out.line(&format!("pub const {}: {rust_type} = {literal};", constant_name(field)));
    }
    out.line("}");
    out.line("");
}

fn scalar_literal(value: &OwnedValue) -> String {
    match value {
        OwnedValue::UInt(value) => value.to_string(),
        OwnedValue::Int(value) => value.to_string(),
        OwnedValue::Decimal { mantissa, exponent } => {
            format!("rt::Decimal::new({mantissa}, {exponent})")
        }
        OwnedValue::Ascii(_) | OwnedValue::Unicode(_) | OwnedValue::Bytes(_) => String::new(),
    }
}

/// The initial value of an operator as an expression of type `Option`.
pub(super) fn initial(shape: &Shape<'_>, operated: &Operated) -> String {
    match shape.plan.values.get(operated.initial as usize) {
        None => "None".to_owned(),
        Some(value) => match value.as_value().as_bytes() {
            Some(bytes) => format!("Some(b\"{}\")", bytes.escape_ascii()),
            None => format!("Some({})", scalar_literal(value)),
        },
    }
}

/// The value of a number's operator.
pub(super) fn initial_scalar(shape: &Shape<'_>, operated: &Operated) -> String {
    shape.plan.values.get(operated.initial as usize).map(scalar_literal).unwrap_or_default()
}

fn visit(shape: &Shape<'_>, scope: &StructShape, out: &mut Printer) {
    let body = out.apart(|out| {
        out.indented(|out| {
            out.indented(|out| {
                for (field, instruction) in fields(shape, scope) {
                    visit_field(field, instruction, out);
                }
            });
        });
    });
    let visitor = if body.is_empty() { "_visitor" } else { "visitor" };
    out.line(&format!("impl {} {{", scope.ident));
    out.line("/// Shows all fields to a visitor, in the order of the template.");
    out.line("#[inline]");
    let head = format!("pub fn visit(&self, {visitor}: &mut impl rt::FieldVisitor) {{");
    if body.is_empty() {
        out.line(&format!("{head}}}"));
    } else {
        out.line(&head);
        out.append(&body);
        out.line("}");
    }
    out.line("}");
    out.line("");
}

/// The value of a constant for a visitor.
pub(super) fn constant_value(field: &FieldShape, field_type: FieldType) -> String {
    let constant = format!("Self::{}", constant_name(field));
    match field_type {
        FieldType::UInt32 => format!("rt::Value::UInt({constant} as u64)"),
        FieldType::UInt64 => format!("rt::Value::UInt({constant})"),
        FieldType::Int32 => format!("rt::Value::Int({constant} as i64)"),
        FieldType::Int64 => format!("rt::Value::Int({constant})"),
        FieldType::Decimal => format!("rt::Scalar::to_value({constant})"),
        FieldType::Ascii => format!("rt::Value::Ascii({constant}.as_bytes())"),
        FieldType::Unicode => format!("rt::Value::Unicode({constant})"),
        FieldType::Bytes => format!("rt::Value::Bytes({constant})"),
    }
}

fn visit_field(field: &FieldShape, instruction: &Instruction, out: &mut Printer) {
    let key = format!("{:?}", field.info.key);
    let id = format!("{:?}", field.info.id);
    let path = format!("self.{}", field.ident);
    let optional = field.info.presence == Presence::Optional;
    match field.info.kind {
        FieldKind::Primitive(field_type)
            if matches!(instruction.code, Code::Constant | Code::ConstantOptional) =>
        {
            let value = constant_value(field, field_type);
            if optional {
                out.line(&format!("if {path} {{"));
            }
            out.call("", "visitor.field", &[&key, &id, &value], ";");
            if optional {
                out.line("}");
            }
        }
        FieldKind::Primitive(field_type) if field_type.is_text() => {
            out.call("", "rt::visit_text", &[&key, &id, &format!("&{path}"), "visitor"], ";");
        }
        FieldKind::Primitive(_) => {
            out.call("", "rt::visit_scalar", &[&key, &id, &path, "visitor"], ";");
        }
        FieldKind::Group => {
            let group = if optional {
                out.line(&format!("if let Some(group) = {path}.get() {{"));
                "group"
            } else {
                &path
            };
            out.call("", "visitor.begin_group", &[&key, &id], ";");
            out.line(&format!("{group}.visit(visitor);"));
            out.call("", "visitor.end_group", &[&key], ";");
            if optional {
                out.line("}");
            }
        }
        FieldKind::Sequence => {
            let elements = if optional {
                out.line(&format!("if let Some(elements) = {path}.get() {{"));
                "elements"
            } else {
                &path
            };
            let length = format!("{elements}.len()");
            out.call("", "visitor.begin_sequence", &[&key, &id, &length], ";");
            out.line(&format!("for (index, element) in {elements}.iter().enumerate() {{"));
            out.line("visitor.begin_element(index);");
            out.line("element.visit(visitor);");
            out.line("visitor.end_element();");
            out.line("}");
            out.call("", "visitor.end_sequence", &[&key], ";");
            if optional {
                out.line("}");
            }
        }
        FieldKind::Reference => {
            out.line(&format!("if let Some(message) = {path}.get() {{"));
            out.call("", "visitor.begin_reference", &[&key, "message.template().name()"], ";");
            out.line("message.visit_fields(visitor);");
            out.call("", "visitor.end_reference", &[&key], ";");
            out.line("}");
        }
    }
}

//! The functions that show fields to a visitor while they are decoded, for messages without operators.

use super::print::Printer;
use super::shape::{FieldShape, MessageShape, Shape, StructShape, inner_block};
use super::types::{self, constant_value};
use crate::model::{FieldType, Presence};
use crate::plan::{Code, FieldKind, Instruction, OperatorCode};

/// Whether all fields of a struct, down to the innermost, are without operator.
pub(super) fn is_streamed(shape: &Shape<'_>, scope: &StructShape) -> bool {
    let has_variants = scope.blocks.len() > 1;
    !has_variants
        && types::fields(shape, scope).all(|(field, instruction)| {
            let has_map = inner_block(instruction)
                .is_some_and(|block| shape.plan.blocks[block as usize].segment);
            let inner = field.inner.map(|inner| &shape.structs[inner]);
            let is_inner_streamed = || inner.is_some_and(|inner| is_streamed(shape, inner));
            let length = || shape.plan.operated[instruction.operand as usize].operator;
            match instruction.code {
                Code::Constant => true,
                Code::Group => !has_map && is_inner_streamed(),
                Code::Sequence => !has_map && length() == OperatorCode::None && is_inner_streamed(),
                code => code.is_plain(),
            }
        })
}

/// The functions that visit messages, and those of the structs that are streamed.
pub(super) fn functions(shape: &Shape<'_>, out: &mut Printer) {
    streamed(shape, out);
    structured(out);
    fields(shape, out);
}

/// The function for a message without operators and with a plain header.
fn streamed(shape: &Shape<'_>, out: &mut Printer) {
    let (own, others): (Vec<&MessageShape>, _) =
        shape.messages.iter().partition(|m| is_streamed(shape, &shape.structs[m.scope]));
    let is_used = if own.is_empty() { "_" } else { "" };
    out.line("/// A message that is shown while it is decoded; `None` for others.");
    out.line("#[inline]");
    out.function(
        "fn visit_streamed",
        &[
            &format!("{is_used}state: &mut rt::DecoderState"),
            &format!("{is_used}dictionaries: &mut Dictionaries"),
            &format!("{is_used}bytes: &[u8]"),
            &format!("{is_used}visitor: &mut impl rt::FieldVisitor"),
        ],
        " -> Option<Result<usize, rt::DecodeError>>",
    );
    if own.is_empty() {
        out.lines("None\n}\n");
        out.line("");
        return;
    }
    out.line("let (id, header) = rt::plain_header(bytes)?;");
    out.line("let template = Template::by_id(id)?;");
    out.line("let outcome = match template {");
    for message in &own {
        let ident = &shape.structs[message.scope].ident;
        let show = format!("state.show::<{ident}>(bytes, header, template.name(), visitor)");
        let arm = format!("Template::{ident} => {show},");
        if !message.reset && arm.len() + 8 <= 100 {
            out.line(&arm);
            continue;
        }
        out.line(&format!("Template::{ident} => {{"));
        if message.reset {
            out.line("state.reset_dictionaries();");
        }
        out.line(&show);
        out.line("}");
    }
    if !others.is_empty() {
        out.line("_ => return None,");
    }
    out.line("};");
    out.line("dictionaries.template = Some(template);");
    out.line("Some(outcome)");
    out.line("}");
    out.line("");
}

/// The function for all others, which are shown from their structures.
fn structured(out: &mut Printer) {
    out.line("/// A message that is decoded to its structure and then shown.");
    out.function(
        "fn visit_message<'i>",
        &[
            "state: &mut rt::DecoderState",
            "dictionaries: &mut Dictionaries",
            "input: rt::Cursor<'i>",
            "messages: &mut Messages",
            "visitor: &mut impl rt::FieldVisitor",
        ],
        " -> Result<rt::Cursor<'i>, rt::Failure>",
    );
    let arguments = ["state", "dictionaries", "input", "messages"];
    out.call("let input =", "decode_message", &arguments, "?;");
    out.line("if let Some(message) = messages.get() {");
    out.line("message.visit(visitor);");
    out.line("}");
    out.line("Ok(input)");
    out.line("}");
    out.line("");
}

/// The function of each struct that is streamed.
fn fields(shape: &Shape<'_>, out: &mut Printer) {
    for scope in shape.structs.iter().filter(|scope| is_streamed(shape, scope)) {
        let body = out.apart(|out| {
            out.indented(|out| {
                out.indented(|out| {
                    for (field, instruction) in types::fields(shape, scope) {
                        step(shape, field, instruction, out);
                    }
                    out.line("Ok(())");
                });
            });
        });
        out.line(&format!("impl rt::Streamed for {} {{", scope.ident));
        out.line("#[inline(always)]");
        let name = |name: &str| super::decode::used(&body, name);
        out.function(
            "fn show<G: rt::Groups>",
            &[
                &format!("{}: &mut rt::Fields<'_, '_, G>", name("fields")),
                &format!("{}: &mut impl rt::FieldVisitor", name("visitor")),
            ],
            " -> Result<(), rt::Failure>",
        );
        out.append(&body);
        out.lines("}\n}\n");
        out.line("");
    }
}

fn step(shape: &Shape<'_>, field: &FieldShape, instruction: &Instruction, out: &mut Printer) {
    let name = format!("{:?}", field.info.name.local);
    let key = format!("{:?}", field.info.key);
    let id = format!("{:?}", field.info.id);
    let optional = field.info.presence == Presence::Optional;
    let inner = field.inner.map(|inner| shape.structs[inner].ident.as_str()).unwrap_or_default();
    match field.info.kind {
        FieldKind::Primitive(field_type) if instruction.code == Code::Constant => {
            let value = constant_value(field, field_type);
            out.call("", "visitor.field", &[&key, &id, &value], ";");
        }
        FieldKind::Primitive(field_type) => {
            let (function, max) = match field_type {
                FieldType::UInt32 => ("unsigned", "u32::MAX.into()"),
                FieldType::UInt64 => ("unsigned", "u64::MAX"),
                FieldType::Int32 => ("signed", "i32::MAX as u64"),
                FieldType::Int64 => ("signed", "i64::MAX as u64"),
                FieldType::Decimal => ("decimal", ""),
                FieldType::Ascii => ("ascii", ""),
                FieldType::Unicode => ("text::<rt::Unicode", ""),
                FieldType::Bytes => ("text::<rt::Bytes", ""),
            };
            let separator = if function.contains('<') { ", " } else { "::<" };
            let callee = format!("fields.{function}{separator}{optional}>");
            out.call("let field =", "rt::FieldName::new", &[&name, &key, &id], ";");
            let arguments: &[&str] =
                if max.is_empty() { &["field", "visitor"] } else { &["field", max, "visitor"] };
            out.call("", &callee, arguments, "?;");
        }
        FieldKind::Group => {
            out.call("", "fields.enter", &[&name], "?;");
            out.call("", "visitor.begin_group", &[&key, &id], ";");
            out.line(&format!("<{inner} as rt::Streamed>::show(fields, visitor)?;"));
            out.line("fields.leave();");
            out.call("", "visitor.end_group", &[&key], ";");
        }
        FieldKind::Sequence => {
            let callee = format!("fields.length::<{optional}>");
            out.call("let length =", &callee, &[&name], "?;");
            out.line("if let Some(length) = length {");
            out.call("", "fields.enter_sequence", &[&name, "length"], "?;");
            out.call("", "visitor.begin_sequence", &[&key, &id, "length as usize"], ";");
            out.line("for index in 0..length as usize {");
            out.line("visitor.begin_element(index);");
            out.line("fields.begin_element();");
            out.line(&format!("<{inner} as rt::Streamed>::show(fields, visitor)?;"));
            out.line("visitor.end_element();");
            out.line("}");
            out.line("fields.leave();");
            out.call("", "visitor.end_sequence", &[&key], ";");
            out.line("}");
        }
        FieldKind::Reference => {}
    }
}

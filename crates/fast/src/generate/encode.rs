//! The functions that encode.

use super::decode::{bounds_literal, initial_option, member_literal, suffix, used};
use super::print::Printer;
use super::shape::{FieldShape, Shape, StructShape};
use super::types::{initial, initial_scalar};
use crate::model::{FieldType, Presence};
use crate::plan::{BitGroup, Bounded, Code, FieldKind, Instruction, Operated, OperatorCode};

/// All encoding functions.
pub(super) fn functions(shape: &Shape<'_>, out: &mut Printer) {
    for within in &shape.reference_types {
        dispatch(shape, *within, out);
    }
    for (index, scope) in shape.structs.iter().enumerate() {
        out.line(&format!("impl {} {{", scope.ident));
        if !scope.members.is_empty() {
            pack(scope, out);
        }
        for (at, (within, block)) in scope.blocks.iter().enumerate() {
            if !scope.members.is_empty() {
                break;
            }
            if at > 0 {
                out.line("");
            }
            function(shape, scope, *within, *block, out);
        }
        out.line("}");
        if index + 1 < shape.structs.len() {
            out.line("");
        }
    }
}

fn dispatch(shape: &Shape<'_>, within: u32, out: &mut Printer) {
    if within == 0 {
        out.line("/// A segment with a template identifier.");
    } else {
        out.line("/// The same inside another application type.");
    }
    out.function(
        &format!("fn encode_message{}<'o>", suffix(within)),
        &[
            "state: &mut rt::EncoderState",
            "dictionaries: &mut Dictionaries",
            "message: Message<'_>",
            "out: rt::Output<'o>",
        ],
        " -> Result<rt::Output<'o>, rt::Refusal>",
    );
    out.line("let template = message.template();");
    out.line("let outcome = match message {");
    for message in &shape.messages {
        let scope = &shape.structs[message.scope];
        let function = if scope.blocks.iter().any(|(other, _)| *other == within) {
            format!("encode{}", suffix(within))
        } else {
            "encode".to_owned()
        };
        let call = format!("message.{function}(state, dictionaries, out)");
        let head = format!("Message::{}(message) =>", scope.ident);
        if 8 + head.len() + 1 + call.len() < 100 {
            out.line(&format!("{head} {call},"));
        } else {
            out.line(&format!("{head} {{"));
            out.line(&call);
            out.line("}");
        }
    }
    out.line("};");
    out.line("outcome.map_err(|refusal| refusal.within(template.name()))");
    out.line("}");
    out.line("");
}

fn function(shape: &Shape<'_>, scope: &StructShape, within: u32, block: u32, out: &mut Printer) {
    let bits = shape.presence_bits(block);
    let body = out.apart(|out| {
        out.indented(|out| {
            if scope.is_message {
                message_head(shape, scope, bits, out);
            } else if bits > 0 {
                out.line(&format!("let mut bits = rt::PresenceBits::reserve({bits}, &mut out);"));
            }
            for (field, instruction) in scope.fields.iter().zip(shape.code(block)) {
                step(shape, field, instruction, within, out);
            }
            if scope.is_message || bits > 0 {
                out.line("bits.finish(&mut out);");
            }
            out.line("Ok(out)");
        });
    });
    let state = format!("{}: &mut rt::EncoderState", used(&body, "state"));
    let dictionaries = format!("{}: &mut Dictionaries", used(&body, "dictionaries"));
    let writes = body.contains("&mut out") || body.contains("out = ");
    let output = format!("{}out: rt::Output<'o>", if writes { "mut " } else { "" });
    out.function(
        &format!("fn encode{}<'o>", suffix(within)),
        &["&self", &state, &dictionaries, &output],
        " -> Result<rt::Output<'o>, rt::Refusal>",
    );
    out.append(&body);
    out.line("}");
}

/// The function of a bit group, which puts its members together.
fn pack(scope: &StructShape, out: &mut Printer) {
    out.line("fn pack(&self) -> Result<u64, rt::Refusal> {");
    out.line("let mut bits = 0;");
    for (field, (_, member)) in scope.fields.iter().zip(&scope.members) {
        let name = format!("{:?}", field.info.name.local);
        let path = format!("self.{}", field.ident);
        out.line(&format!("let member = {};", member_literal(member)));
        out.call("bits |=", "rt::pack", &[&name, &path, "member"], "?;");
    }
    out.line("Ok(bits)");
    out.line("}");
}

/// Encodes a bit group.
fn bit_group(shape: &Shape<'_>, name: &str, path: &str, group: &BitGroup, out: &mut Printer) {
    let operated = &shape.plan.operated[group.operated as usize];
    let bits = group.bits.to_string();
    let initial = operated.initial_bits.to_string();
    let either = initial_option(operated);
    out.line(&format!("let packed = {path}.pack()?;"));
    match operated.operator {
        OperatorCode::Constant => {
            out.call("", "rt::check_constant", &[name, "packed", &initial], "?;");
        }
        OperatorCode::Default => out.call(
            "",
            "rt::write_default_bit_group",
            &["packed", "&mut bits", &bits, "&mut out", &initial],
            ";",
        ),
        OperatorCode::Copy => {
            let slot = format!("&mut dictionaries.{}", shape.slot(operated.slot));
            let arguments =
                [name, "state", "packed", "&mut bits", &bits, "&mut out", &slot, &either];
            out.call("", "rt::write_copy_bit_group", &arguments, "?;");
        }
        _ => out.call("", "rt::write_bit_group", &["packed", &bits, "&mut out"], ";"),
    }
}

fn message_head(shape: &Shape<'_>, scope: &StructShape, bits: usize, out: &mut Printer) {
    let message =
        shape.messages.iter().find(|message| shape.structs[message.scope].ident == scope.ident);
    let Some(message) = message else { return };
    out.line(&format!("let mut bits = rt::PresenceBits::reserve({}, &mut out);", bits + 1));
    out.line(&format!("let template = Template::{};", scope.ident));
    out.call(
        "",
        "rt::write_identifier",
        &[
            "state",
            "template",
            &message.id.to_string(),
            "&mut dictionaries.template",
            "&mut bits",
            "&mut out",
        ],
        ";",
    );
    if message.reset {
        out.line("state.reset_dictionaries();");
    }
}

/// Encodes `value`, of the type that the field has in the struct.
fn operate(shape: &Shape<'_>, name: &str, value: &str, operated: &Operated, out: &mut Printer) {
    let text = operated.field_type.is_text();
    let either = |number, string| if text { string } else { number };
    let slot = format!("&mut dictionaries.{}", shape.slot(operated.slot));
    let initial = initial(shape, operated);
    let (callee, arguments, right): (_, Vec<&str>, _) = match operated.operator {
        OperatorCode::Constant if operated.optional => ("bits.push", vec![value, "&mut out"], ";"),
        OperatorCode::Constant => return,
        OperatorCode::None if text => {
            ("rt::write_text", vec![name, "state", value, "&mut out"], "?;")
        }
        OperatorCode::None => ("rt::write_plain", vec![value, "&mut out"], ";"),
        OperatorCode::Default if text => (
            "rt::write_default_text",
            vec![name, "state", value, "&mut bits", "&mut out", &initial],
            "?;",
        ),
        OperatorCode::Default => {
            ("rt::write_default", vec![value, "&mut bits", "&mut out", &initial], ";")
        }
        OperatorCode::Copy => (
            either("rt::write_copy", "rt::write_copy_text"),
            vec![name, "state", value, "&mut bits", "&mut out", &slot, &initial],
            "?;",
        ),
        OperatorCode::Increment => (
            "rt::write_increment",
            vec![name, "state", value, "&mut bits", "&mut out", &slot, &initial],
            "?;",
        ),
        OperatorCode::Tail => (
            "rt::write_tail_text",
            vec![name, "state", value, "&mut bits", "&mut out", &slot, &initial],
            "?;",
        ),
        OperatorCode::Delta if operated.field_type == FieldType::Decimal => (
            "rt::write_decimal_delta",
            vec![name, "state", value, "&mut out", &slot, &initial],
            "?;",
        ),
        OperatorCode::Delta => (
            either("rt::write_delta", "rt::write_delta_text"),
            vec![name, "state", value, "&mut out", &slot, &initial],
            "?;",
        ),
    };
    out.call("", callee, &arguments, right);
}

/// A part of a decimal, or a length, whose constant must be met.
fn constant_part(
    shape: &Shape<'_>,
    name: &str,
    value: &str,
    operated: &Operated,
    out: &mut Printer,
) {
    let constant = initial_scalar(shape, operated);
    out.call("", "rt::check_constant", &[name, value, &constant], "?;");
}

fn step(
    shape: &Shape<'_>,
    field: &FieldShape,
    instruction: &Instruction,
    within: u32,
    out: &mut Printer,
) {
    let name = format!("{:?}", field.info.name.local);
    let path = format!("self.{}", field.ident);
    let reference = format!("&{path}");
    let optional = field.info.presence == Presence::Optional;
    let operated = |part: usize| &shape.plan.operated[instruction.operand as usize + part];
    match instruction.code {
        Code::Constant => {}
        Code::ConstantOptional => out.line(&format!("bits.push({path}, &mut out);")),
        Code::Integer => operate(shape, &name, &path, operated(0), out),
        Code::Bounded => {
            let Bounded { operated, least, greatest } =
                shape.plan.bounded[instruction.operand as usize];
            let bounds = bounds_literal(least, greatest);
            out.call("", "rt::check_bounds", &[&name, &path, &bounds], "?;");
            operate(shape, &name, &path, &shape.plan.operated[operated as usize], out);
        }
        Code::BitGroup => {
            let group = &shape.plan.bit_groups[instruction.operand as usize];
            bit_group(shape, &name, &path, group, out);
        }
        Code::DecimalWhole => {
            out.call("let value =", "rt::decimal", &[&name, &path], "?;");
            operate(shape, &name, "value", operated(0), out);
        }
        Code::Text => operate(shape, &name, &reference, operated(0), out),
        Code::DecimalParts => {
            out.call("let value =", "rt::decimal", &[&name, &path], "?;");
            decimal_parts(shape, &name, optional, (operated(0), operated(1)), out);
        }
        Code::Group | Code::GroupOptional => {
            let group = if optional {
                out.line(&format!("bits.push({path}.is_some(), &mut out);"));
                out.line(&format!("if let Some(group) = {path}.get() {{"));
                "group"
            } else {
                &path
            };
            out.call("", "state.enter", &[&name], "?;");
            out.line(&format!(
                "out = {group}.encode{}(state, dictionaries, out)?;",
                suffix(within)
            ));
            out.line("state.leave();");
            if optional {
                out.line("}");
            }
        }
        Code::Sequence => sequence(shape, (&name, &path), optional, operated(0), within, out),
        Code::Reference => {
            out.line(&format!("let Some(message) = {path}.get() else {{"));
            out.line(&format!("return Err(rt::Refusal::new(rt::ErrorCode::Missing, {name}));"));
            out.line("};");
            out.call("", "state.enter", &[&name], "?;");
            out.call(
                "out =",
                &format!("encode_message{}", suffix(instruction.operand)),
                &["state", "dictionaries", "message", "out"],
                "?;",
            );
            out.line("state.leave();");
        }
        _ => match field.info.kind {
            FieldKind::Primitive(FieldType::Decimal) => {
                out.call("let value =", "rt::decimal", &[&name, &path], "?;");
                out.line("rt::write_plain(value, &mut out);");
            }
            FieldKind::Primitive(field_type) if field_type.is_text() => {
                out.call("", "rt::write_text", &[&name, "state", &reference, "&mut out"], "?;");
            }
            _ => out.call("", "rt::write_plain", &[&path, "&mut out"], ";"),
        },
    }
}

fn decimal_parts(
    shape: &Shape<'_>,
    name: &str,
    optional: bool,
    (exponent, mantissa): (&Operated, &Operated),
    out: &mut Printer,
) {
    let constant = exponent.operator == OperatorCode::Constant;
    let mantissa_of = |out: &mut Printer| {
        if mantissa.operator == OperatorCode::Constant {
            constant_part(shape, name, "value.mantissa", mantissa, out);
        } else {
            operate(shape, name, "value.mantissa", mantissa, out);
        }
    };
    let scale = |out: &mut Printer| {
        if constant {
            let wanted = initial_scalar(shape, exponent);
            out.call("let value =", "rt::scaled_to", &[name, "value", &wanted], "?;");
        }
    };
    if !optional {
        scale(out);
        operate(shape, name, "value.exponent", exponent, out);
        mantissa_of(out);
        return;
    }
    if constant {
        out.line("if let Some(value) = value {");
        scale(out);
        out.line("bits.push(true, &mut out);");
        mantissa_of(out);
        out.line("} else {");
        out.line("bits.push(false, &mut out);");
        out.line("}");
    } else {
        out.line("let exponent = value.map(|value| value.exponent);");
        operate(shape, name, "exponent", exponent, out);
        out.line("if let Some(value) = value {");
        mantissa_of(out);
        out.line("}");
    }
}

fn sequence(
    shape: &Shape<'_>,
    (name, path): (&str, &str),
    optional: bool,
    length: &Operated,
    within: u32,
    out: &mut Printer,
) {
    let constant = length.operator == OperatorCode::Constant;
    let elements = |elements: &str, out: &mut Printer| {
        out.call("", "state.enter", &[name], "?;");
        out.line(&format!("for element in {elements} {{"));
        out.line(&format!("out = element.encode{}(state, dictionaries, out)?;", suffix(within)));
        out.line("}");
        out.line("state.leave();");
    };
    if !optional {
        out.call("let length =", "rt::length", &[name, &format!("{path}.len()")], "?;");
        if constant {
            constant_part(shape, name, "length", length, out);
        } else {
            operate(shape, name, "length", length, out);
        }
        elements(&format!("&{path}"), out);
        return;
    }
    out.line(&format!("let elements = {path}.get();"));
    out.line("let length = match elements {");
    out.line(&format!("Some(elements) => Some(rt::length({name}, elements.len())?),"));
    out.line("None => None,");
    out.line("};");
    if constant {
        out.line("if let Some(length) = length {");
        constant_part(shape, name, "length", length, out);
        out.line("}");
        out.line("bits.push(length.is_some(), &mut out);");
    } else {
        operate(shape, name, "length", length, out);
    }
    out.line("if let Some(elements) = elements {");
    elements("elements", out);
    out.line("}");
}

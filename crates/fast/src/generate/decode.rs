//! The functions that decode.

use super::print::Printer;
use super::shape::{FieldShape, Shape, StructShape};
use super::types::{initial, initial_scalar, value_type};
use crate::model::{FieldType, Presence as FieldPresence};
use crate::plan::{
    BitGroup, BitMember, Bounded, Code, FieldKind, Instruction, Operated, OperatorCode,
};
use crate::runtime::Presence;

/// What is appended to the name of a function for another application type.
pub(super) fn suffix(within: u32) -> String {
    if within == 0 { String::new() } else { format!("_in_type_{within}") }
}

/// The name of a parameter that the body may not use.
pub(super) fn used(body: &str, name: &str) -> String {
    let used = body.match_indices(name).any(|(at, _)| {
        !body[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    });
    if used { name.to_owned() } else { format!("_{name}") }
}

const LONG: &str = "LongPresence";

/// The type of a presence map with that many bits.
fn presence_map(bits: usize) -> &'static str {
    if bits <= Presence::BITS { "Presence" } else { LONG }
}

/// The most bits that the presence map of a message has.
fn message_bits(shape: &Shape<'_>) -> usize {
    let scopes = shape.structs.iter().filter(|scope| scope.is_message);
    let blocks = scopes.flat_map(|scope| scope.blocks.iter().map(|(_, block)| *block));
    1 + blocks.map(|block| shape.presence_bits(block)).max().unwrap_or_default()
}

/// All decoding functions.
pub(super) fn functions(shape: &Shape<'_>, out: &mut Printer) {
    for within in &shape.reference_types {
        dispatch(shape, *within, out);
    }
    for scope in &shape.structs {
        out.line(&format!("impl {} {{", scope.ident));
        if !scope.members.is_empty() {
            unpack(scope, out);
            out.line("}");
            out.line("");
            continue;
        }
        for (at, (within, block)) in scope.blocks.iter().enumerate() {
            if at > 0 {
                out.line("");
            }
            function(shape, scope, *within, *block, out);
        }
        out.line("}");
        out.line("");
    }
}

fn dispatch(shape: &Shape<'_>, within: u32, out: &mut Printer) {
    if within == 0 {
        out.line("/// A segment with a template identifier.");
    } else {
        out.line("/// The same inside another application type.");
    }
    out.function(
        &format!("fn decode_message{}<'i>", suffix(within)),
        &[
            "state: &mut rt::DecoderState",
            "dictionaries: &mut Dictionaries",
            "mut input: rt::Cursor<'i>",
            "messages: &mut Messages",
        ],
        " -> Result<rt::Cursor<'i>, rt::Failure>",
    );
    let map = presence_map(message_bits(shape));
    out.line(&format!("let mut presence = rt::{map}::read(&mut input, state)?;"));
    out.call(
        "let template =",
        "rt::identifier",
        &["state", "&mut input", "&mut presence", "&mut dictionaries.template", "Template::by_id"],
        "?;",
    );
    out.line("let outcome = match template {");
    for message in &shape.messages {
        let scope = &shape.structs[message.scope];
        let function = if scope.blocks.iter().any(|(other, _)| *other == within) {
            format!("decode{}", suffix(within))
        } else {
            "decode".to_owned()
        };
        out.line(&format!("Template::{} => {{", scope.ident));
        if message.reset {
            out.line("state.reset_dictionaries();");
        }
        out.line(&format!("let message = messages.insert_{}();", message.ident));
        out.call(
            "",
            &format!("message.{function}"),
            &["state", "dictionaries", "input", "presence"],
            "",
        );
        out.line("}");
    }
    out.line("};");
    out.line("outcome.map_err(|failure| failure.within(template.name()))");
    out.line("}");
    out.line("");
}

fn function(shape: &Shape<'_>, scope: &StructShape, within: u32, block: u32, out: &mut Printer) {
    let segment = shape.plan.blocks[block as usize].segment;
    let body = out.apart(|out| {
        out.indented(|out| {
            if !scope.is_message && segment {
                let map = presence_map(shape.presence_bits(block));
                out.line(&format!("let mut presence = rt::{map}::read(&mut input, state)?;"));
            }
            for (field, instruction) in scope.fields.iter().zip(shape.code(block)) {
                step(shape, field, instruction, within, out);
            }
            if scope.is_message || segment {
                out.line("presence.finish(&input, state)?;");
            }
            out.line("Ok(input)");
        });
    });
    let state = format!("{}: &mut rt::DecoderState", used(&body, "state"));
    let dictionaries = format!("{}: &mut Dictionaries", used(&body, "dictionaries"));
    let changes = body.contains("&mut input") || body.contains("input = ");
    let mut parameters = vec!["&mut self", &state, &dictionaries, "input: rt::Cursor<'i>"];
    let asks = body.contains("&mut presence") || body.contains("presence.next()");
    let map = presence_map(message_bits(shape));
    let lifetime = if map == LONG { "<'i>" } else { "" };
    let presence = format!("{}presence: rt::{map}{lifetime}", if asks { "mut " } else { "" });
    if scope.is_message {
        parameters.push(&presence);
    }
    out.function(
        &format!("fn decode{}<'i>", suffix(within)),
        &parameters,
        " -> Result<rt::Cursor<'i>, rt::Failure>",
    );
    if changes {
        out.line("let mut input = input.local();");
    }
    out.append(&body);
    out.line("}");
}

/// The function of a bit group, which takes its members out of its bits.
fn unpack(scope: &StructShape, out: &mut Printer) {
    out.function(
        "fn unpack",
        &["&mut self", "input: &rt::Cursor<'_>", "bits: u64"],
        " -> Result<(), rt::Failure>",
    );
    for (field, (_, member)) in scope.fields.iter().zip(&scope.members) {
        let name = format!("{:?}", field.info.name.local);
        out.line(&format!("let member = {};", member_literal(member)));
        out.call(
            &format!("self.{} =", field.ident),
            "rt::unpack",
            &[&name, "input", "bits", "member"],
            "?;",
        );
    }
    out.line("Ok(())");
    out.line("}");
}

/// A member's place as an expression.
pub(super) fn member_literal(member: &BitMember) -> String {
    let BitMember { shift, bits, least, greatest, .. } = member;
    format!("rt::Member::new({shift}, {bits}, {})", bounds_literal(*least, *greatest))
}

/// Bounds as an expression.
pub(super) fn bounds_literal(least: i64, greatest: u64) -> String {
    format!("rt::Bounds::new({least}, {greatest})")
}

/// Decodes a bit group.
fn bit_group(shape: &Shape<'_>, name: &str, path: &str, group: &BitGroup, out: &mut Printer) {
    let operated = &shape.plan.operated[group.operated as usize];
    let bits = group.bits.to_string();
    let initial = operated.initial_bits.to_string();
    let either = initial_option(operated);
    out.line("let before = input;");
    let left = "let bits =";
    match operated.operator {
        OperatorCode::Constant => out.line(&format!("{left} {initial};")),
        OperatorCode::Default => out.call(
            left,
            "rt::default_bit_group",
            &[name, "state", "&mut input", "&mut presence", &bits, &initial],
            "?;",
        ),
        OperatorCode::Copy => {
            let slot = format!("&mut dictionaries.{}", shape.slot(operated.slot));
            let arguments = [name, "state", "&mut input", "&mut presence", &slot, &bits, &either];
            out.call(left, "rt::copy_bit_group", &arguments, "?;");
        }
        _ => out.call(left, "rt::bit_group", &[name, "state", "&mut input", &bits], "?;"),
    }
    out.line(&format!("{path}.unpack(&before, bits)?;"));
}

/// The initial value of a bit group as an expression of type `Option`.
pub(super) fn initial_option(operated: &Operated) -> String {
    if operated.has_initial() { format!("Some({})", operated.initial_bits) } else { "None".into() }
}

/// A function of the runtime and its arguments.
pub(super) struct Call {
    pub callee: &'static str,
    pub arguments: Vec<String>,
}

impl Call {
    fn print(&self, left: &str, out: &mut Printer) {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        out.call(left, self.callee, &arguments, "?;");
    }
}

/// The call that decodes a value with an operator that is not constant; for a text without the
/// target.
fn operate(shape: &Shape<'_>, name: &str, operated: &Operated) -> Call {
    let text = operated.field_type.is_text();
    let either = |number, string| if text { string } else { number };
    let (callee, has_bit, has_slot) = match operated.operator {
        OperatorCode::None | OperatorCode::Constant => {
            (either("rt::plain", "rt::text"), false, false)
        }
        OperatorCode::Default => (either("rt::default", "rt::default_text"), true, false),
        OperatorCode::Copy => (either("rt::copy", "rt::copy_text"), true, true),
        OperatorCode::Increment => ("rt::increment", true, true),
        OperatorCode::Delta if operated.field_type == FieldType::Decimal => {
            ("rt::decimal_delta", false, true)
        }
        OperatorCode::Delta => (either("rt::delta", "rt::delta_text"), false, true),
        OperatorCode::Tail => ("rt::tail_text", true, true),
    };
    let mut arguments = vec![name.to_owned(), "state".to_owned(), "&mut input".to_owned()];
    if has_bit {
        arguments.push("&mut presence".to_owned());
    }
    if has_slot {
        arguments.push(format!("&mut dictionaries.{}", shape.slot(operated.slot)));
    }
    if has_bit || has_slot {
        arguments.push(initial(shape, operated));
    }
    Call { callee, arguments }
}

/// Decodes a number with an operator and assigns it.
fn number(shape: &Shape<'_>, name: &str, operated: &Operated, left: &str, out: &mut Printer) {
    if operated.operator != OperatorCode::Constant {
        operate(shape, name, operated).print(left, out);
        return;
    }
    let value = initial_scalar(shape, operated);
    if operated.optional {
        out.line(&format!("{left} presence.next().then_some({value});"));
    } else {
        out.line(&format!("{left} {value};"));
    }
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
    let assign = format!("{path} =");
    let optional = field.info.presence == FieldPresence::Optional;
    let operated = |part: usize| &shape.plan.operated[instruction.operand as usize + part];
    let text = |mut call: Call, out: &mut Printer| {
        call.arguments.push(format!("&mut {path}"));
        call.print("", out);
    };
    match instruction.code {
        Code::Constant => {}
        Code::ConstantOptional => out.line(&format!("{assign} presence.next();")),
        Code::Integer | Code::DecimalWhole => number(shape, &name, operated(0), &assign, out),
        Code::Text => text(operate(shape, &name, operated(0)), out),
        Code::Bounded => {
            let Bounded { operated, least, greatest } =
                shape.plan.bounded[instruction.operand as usize];
            let operated = &shape.plan.operated[operated as usize];
            let value = value_type(operated.field_type);
            let value = if optional { format!("Option<{value}>") } else { value.to_owned() };
            out.line("let before = input;");
            number(shape, &name, operated, &format!("let value: {value} ="), out);
            let bounds = bounds_literal(least, greatest);
            let is_delta = (operated.operator == OperatorCode::Delta).to_string();
            out.line(&format!("let bounds = {bounds};"));
            let arguments = [&*name, "&before", "&input", "value", "bounds", &is_delta];
            out.call(&assign, "rt::bounded", &arguments, "?;");
        }
        Code::BitGroup => {
            let group = &shape.plan.bit_groups[instruction.operand as usize];
            bit_group(shape, &name, &path, group, out);
        }
        Code::DecimalParts => {
            let (exponent, mantissa) = (operated(0), operated(1));
            if optional {
                number(shape, &name, exponent, "let exponent: Option<i32> =", out);
                out.call("let exponent =", "rt::exponent", &[&name, "&input", "exponent"], "?;");
                out.line(&format!("{assign} None;"));
                out.line("if let Some(exponent) = exponent {");
                number(shape, &name, mantissa, "let mantissa: i64 =", out);
                out.line(&format!("{assign} Some(rt::Decimal::new(mantissa, exponent));"));
                out.line("}");
            } else {
                number(shape, &name, exponent, "let exponent: i32 =", out);
                out.call("let exponent =", "rt::exponent", &[&name, "&input", "exponent"], "?;");
                number(shape, &name, mantissa, "let mantissa: i64 =", out);
                out.line(&format!("{assign} rt::Decimal::new(mantissa, exponent);"));
            }
        }
        Code::Group | Code::GroupOptional => group(&name, &path, optional, within, out),
        Code::Sequence => sequence(shape, (&name, &path), optional, operated(0), within, out),
        Code::Reference => {
            out.call("", "state.enter", &[&name, "&input"], "?;");
            out.call(
                "input =",
                &format!("decode_message{}", suffix(instruction.operand)),
                &["state", "dictionaries", "input", &format!("&mut {path}")],
                "",
            );
            out.line(&format!("    .map_err(|failure| failure.at({name}))?;"));
            out.line("state.leave();");
        }
        _ => {
            let FieldKind::Primitive(field_type) = field.info.kind else { return };
            let call = Call {
                callee: if field_type.is_text() { "rt::text" } else { "rt::plain" },
                arguments: vec![name, "state".to_owned(), "&mut input".to_owned()],
            };
            if value_type(field_type).starts_with("rt::") && field_type != FieldType::Decimal {
                text(call, out);
            } else {
                call.print(&assign, out);
            }
        }
    }
}

/// Calls the function of a group or element.
fn inner(name: &str, path: &str, within: u32, out: &mut Printer) {
    out.line(&format!(
        "let outcome = {path}.decode{}(state, dictionaries, input);",
        suffix(within)
    ));
    out.line(&format!("input = outcome.map_err(|failure| failure.at({name}))?;"));
}

fn group(name: &str, path: &str, optional: bool, within: u32, out: &mut Printer) {
    if !optional {
        out.call("", "state.enter", &[name, "&input"], "?;");
        inner(name, path, within, out);
        out.line("state.leave();");
        return;
    }
    out.line("if presence.next() {");
    out.call("", "state.enter", &[name, "&input"], "?;");
    out.line(&format!("let group = {path}.insert();"));
    inner(name, "group", within, out);
    out.line("state.leave();");
    out.line("} else {");
    out.line(&format!("{path}.clear();"));
    out.line("}");
}

fn sequence(
    shape: &Shape<'_>,
    (name, path): (&str, &str),
    optional: bool,
    length: &Operated,
    within: u32,
    out: &mut Printer,
) {
    let elements = |elements: &str, out: &mut Printer| {
        out.call("", "state.enter_sequence", &[name, "length", "&input"], "?;");
        out.line(&format!("{elements}.clear();"));
        out.line("for _ in 0..length {");
        out.line(&format!("let element = {elements}.reuse();"));
        inner(name, "element", within, out);
        out.line("}");
        out.line("state.leave();");
    };
    if !optional {
        number(shape, name, length, "let length: u32 =", out);
        elements(path, out);
        return;
    }
    number(shape, name, length, "let length: Option<u32> =", out);
    out.line("if let Some(length) = length {");
    out.line(&format!("let elements = {path}.insert();"));
    elements("elements", out);
    out.line("} else {");
    out.line(&format!("{path}.clear();"));
    out.line("}");
}

//! The head of the file, and what all templates have in common.

use super::print::Printer;
use super::shape::{Shape, SlotShape};
use super::types::value_type;
use crate::model::FieldType;

/// What the file is, and the path of the runtime.
pub(super) fn head(shape: &Shape<'_>, source: &str, runtime: &str, out: &mut Printer) {
    out.line(&format!(
        "// Generated from {source} by saker-fast. Do not edit: change the templates."
    ));
    out.line("//");
    let names: Vec<&str> = shape.messages.iter().map(|message| &*message.name).collect();
    let mut line = "// Templates:".to_owned();
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "." };
        if line.len() + 2 + name.len() > 100 {
            out.line(&line);
            line = "//".to_owned();
        }
        line.push_str(&format!(" {name}{comma}"));
    }
    out.line(&line);
    out.line("");
    out.line(&format!("use {runtime} as rt;"));
    out.line("");
}

/// `Template`, `Message` and `Messages`.
pub(super) fn messages(shape: &Shape<'_>, out: &mut Printer) {
    let ident = |at: usize| shape.structs[shape.messages[at].scope].ident.as_str();
    let all = || 0..shape.messages.len();
    let arms = |out: &mut Printer, arm: &dyn Fn(usize) -> String| {
        for at in all() {
            out.line(&arm(at));
        }
    };

    out.line("/// Tells templates apart.");
    out.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]");
    out.line("pub enum Template {");
    for at in all() {
        let message = &shape.messages[at];
        out.doc(&format!("`{}`, identifier {}.", message.name, message.id));
        out.line(&format!("{},", ident(at)));
    }
    out.line("}");
    out.line("");
    out.line("impl Template {");
    out.line("/// The template with an identifier of the stream.");
    out.line("pub const fn by_id(id: u32) -> Option<Self> {");
    out.line("match id {");
    arms(out, &|at| format!("{} => Some(Self::{}),", shape.messages[at].id, ident(at)));
    out.lines("_ => None,\n}\n}\n");
    out.line("");
    out.line("/// The identifier in the stream.");
    out.line("pub const fn id(self) -> u32 {");
    out.line("match self {");
    arms(out, &|at| format!("Self::{} => {},", ident(at), shape.messages[at].id));
    out.lines("}\n}\n");
    out.line("");
    out.line("/// The name in the definition.");
    out.line("pub const fn name(self) -> &'static str {");
    out.line("match self {");
    arms(out, &|at| format!("Self::{} => {:?},", ident(at), shape.messages[at].name));
    out.lines("}\n}\n}\n");
    out.line("");

    out.line("/// A message of any template.");
    out.line("#[derive(Clone, Copy, Debug, PartialEq, Eq)]");
    out.line("pub enum Message<'m> {");
    for at in all() {
        out.doc(&format!("A message of template `{}`.", shape.messages[at].name));
        out.line(&format!("{0}(&'m {0}),", ident(at)));
    }
    out.line("}");
    out.line("");
    for at in all() {
        out.line(&format!("impl<'m> From<&'m {0}> for Message<'m> {{", ident(at)));
        out.line(&format!("fn from(message: &'m {0}) -> Self {{", ident(at)));
        out.line(&format!("Self::{}(message)", ident(at)));
        out.lines("}\n}\n");
        out.line("");
    }
    out.line("impl Message<'_> {");
    out.line("/// Its template.");
    out.line("pub const fn template(&self) -> Template {");
    out.line("match self {");
    arms(out, &|at| format!("Self::{0}(_) => Template::{0},", ident(at)));
    out.lines("}\n}\n");
    out.line("");
    out.line("/// Shows the message to a visitor.");
    out.line("#[inline]");
    out.line("pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {");
    out.line("visitor.begin_message(self.template().name());");
    out.line("self.visit_fields(visitor);");
    out.lines("visitor.end_message();\n}\n");
    out.line("");
    out.line("#[inline]");
    out.line("fn visit_fields(&self, visitor: &mut impl rt::FieldVisitor) {");
    out.line("match self {");
    arms(out, &|at| format!("Self::{}(message) => message.visit(visitor),", ident(at)));
    out.lines("}\n}\n}\n");
    out.line("");

    out.doc(
        "A message of any template, or none yet. It keeps the memory of the last message of each \
         template.",
    );
    out.line("#[derive(Clone, Debug, Default)]");
    out.line("pub struct Messages {");
    out.line("current: Option<Template>,");
    for at in all() {
        out.line(&format!("{}: Option<Box<{}>>,", shape.messages[at].ident, ident(at)));
    }
    out.line("}");
    out.line("");
    out.line("impl Messages {");
    out.line("/// The message.");
    out.line("#[inline(always)]");
    out.line("pub fn get(&self) -> Option<Message<'_>> {");
    out.line("match self.current? {");
    for at in all() {
        let head = format!("Template::{} =>", ident(at));
        let body =
            format!("self.{}.as_deref().map(Message::{})", shape.messages[at].ident, ident(at));
        if 12 + head.len() + 1 + body.len() < 100 {
            out.line(&format!("{head} {body},"));
        } else {
            out.line(&format!("{head} {{"));
            out.line(&body);
            out.line("}");
        }
    }
    out.lines("}\n}\n");
    for at in all() {
        let message = &shape.messages[at];
        out.line("");
        out.doc(&format!(
            "Makes it a message of template `{}` and returns that, as it was when it was last one.",
            message.name
        ));
        out.line(&format!("pub fn insert_{}(&mut self) -> &mut {} {{", message.ident, ident(at)));
        out.line(&format!("self.current = Some(Template::{});", ident(at)));
        out.line(&format!("self.{}.get_or_insert_default()", message.ident));
        out.line("}");
    }
    out.line("}");
    out.line("");
    out.line("impl PartialEq for Messages {");
    out.line("fn eq(&self, other: &Self) -> bool {");
    out.line("self.get() == other.get()");
    out.lines("}\n}\n");
    out.line("");
    out.line("impl Eq for Messages {}");
    out.line("");
}

fn slot_type(slot: &SlotShape) -> String {
    match slot.field_type {
        None => "rt::MixedPrevious".to_owned(),
        Some(field_type) if field_type.is_text() => "rt::PreviousText".to_owned(),
        Some(FieldType::Decimal) => "rt::Previous<rt::Decimal>".to_owned(),
        Some(field_type) => format!("rt::Previous<{}>", value_type(field_type)),
    }
}

/// `Dictionaries`.
pub(super) fn dictionaries(shape: &Shape<'_>, out: &mut Printer) {
    let slots = || shape.slots.iter().flatten();
    out.line("/// The previous values of all operators.");
    out.line("#[derive(Clone, Debug, Default)]");
    out.line("pub struct Dictionaries {");
    out.line("/// The template of the last identifier.");
    out.line("template: Option<Template>,");
    for slot in slots() {
        out.doc(&slot.doc);
        out.line(&format!("{}: {},", slot.ident, slot_type(slot)));
    }
    out.line("}");
    out.line("");
    let mut names: Vec<&str> = slots().filter_map(|slot| slot.resettable.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    out.line("impl Dictionaries {");
    if names.is_empty() {
        out.line("fn reset_named(&mut self, _name: &str) {}");
    } else {
        out.line("fn reset_named(&mut self, name: &str) {");
        for name in names {
            out.line(&format!("if name == {name:?} {{"));
            for slot in slots().filter(|slot| slot.resettable.as_deref() == Some(name)) {
                out.line(&format!("self.{}.reset();", slot.ident));
            }
            out.line("}");
        }
        out.line("}");
    }
    out.line("}");
    out.line("");
}

/// `Decoder` and `Encoder`.
pub(super) fn codecs(out: &mut Printer) {
    for part in [DECODER, RESETS, DECODE, ENCODER, RESETS, ENCODE] {
        out.lines(part);
        out.line("");
    }
}

/// `Decoder`, up to its resets.
const DECODER: &str = "\
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
";

/// What a decoder does.
const DECODE: &str = "\
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
let message = messages.get().expect(\"a message that was decoded is there\");
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
";

/// `Encoder`, up to its resets.
const ENCODER: &str = "\
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
";

/// What an encoder does.
const ENCODE: &str = "\
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
}";

/// The resets of both.
const RESETS: &str = "\
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
";

// Generated from extension.xml by saker-fast. Do not edit: change the templates.
//
// Templates: Values, Bits, Shared.

use saker_fast::runtime as rt;

/// Template `Values`, identifier 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// `Action`: uInt32.
    pub action: u32,
    /// `Copied`: optional uInt32, copy.
    pub copied: Option<u32>,
    /// `Optional`: optional uInt32, default.
    pub optional: Option<u32>,
    /// `Moved`: uInt32, delta.
    pub moved: u32,
    /// `MovedOptional`: optional uInt32, delta.
    pub moved_optional: Option<u32>,
    /// `Conditions`: optional uInt64, copy.
    pub conditions: Option<u64>,
    /// `Set`: uInt64.
    pub set: u64,
    /// `Boolean`: uInt32.
    pub boolean: u32,
    /// `BooleanCopied`: optional uInt32, copy.
    pub boolean_copied: Option<u32>,
    /// `Time`: int64, delta.
    pub time: i64,
    /// `Day`: optional int64.
    pub day: Option<i64>,
    /// `Pair`: group.
    pub pair: ValuesPair,
    /// `Next`: optional uInt32, increment.
    pub next: Option<u32>,
}

impl Values {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Action", None, self.action, visitor);
        rt::visit_scalar("Copied", None, self.copied, visitor);
        rt::visit_scalar("Optional", None, self.optional, visitor);
        rt::visit_scalar("Moved", None, self.moved, visitor);
        rt::visit_scalar("MovedOptional", None, self.moved_optional, visitor);
        rt::visit_scalar("Conditions", None, self.conditions, visitor);
        rt::visit_scalar("Set", None, self.set, visitor);
        rt::visit_scalar("Boolean", None, self.boolean, visitor);
        rt::visit_scalar("BooleanCopied", None, self.boolean_copied, visitor);
        rt::visit_scalar("Time", None, self.time, visitor);
        rt::visit_scalar("Day", None, self.day, visitor);
        visitor.begin_group("Pair", None);
        self.pair.visit(visitor);
        visitor.end_group("Pair");
        rt::visit_scalar("Next", None, self.next, visitor);
    }
}

/// Group `Pair`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValuesPair {
    /// `First`: uInt32.
    pub first: u32,
    /// `Second`: int32.
    pub second: i32,
}

impl ValuesPair {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("First", None, self.first, visitor);
        rt::visit_scalar("Second", None, self.second, visitor);
    }
}

/// Template `Bits`, identifier 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// `Level`: group, copy.
    pub level: BitsLevel,
    /// `Plain`: group.
    pub plain: BitsPlain,
    /// `Given`: group, default.
    pub given: BitsGiven,
    /// `Rows`: sequence.
    pub rows: rt::Sequence<BitsRows>,
    /// `Long`: group.
    pub long: BitsLong,
}

impl Bits {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.begin_group("Level", None);
        self.level.visit(visitor);
        visitor.end_group("Level");
        visitor.begin_group("Plain", None);
        self.plain.visit(visitor);
        visitor.end_group("Plain");
        visitor.begin_group("Given", None);
        self.given.visit(visitor);
        visitor.end_group("Given");
        visitor.begin_sequence("Rows", None, self.rows.len());
        for (index, element) in self.rows.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Rows");
        visitor.begin_group("Long", None);
        self.long.visit(visitor);
        visitor.end_group("Long");
    }
}

/// Bit group `Level`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsLevel {
    /// `Action`: uInt32.
    pub action: u32,
    /// `Last`: optional uInt32.
    pub last: Option<u32>,
    /// `Depth`: uInt32.
    pub depth: u32,
    /// `Shift`: optional int32.
    pub shift: Option<i32>,
    /// `Flags`: uInt64.
    pub flags: u64,
}

impl BitsLevel {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Action", None, self.action, visitor);
        rt::visit_scalar("Last", None, self.last, visitor);
        rt::visit_scalar("Depth", None, self.depth, visitor);
        rt::visit_scalar("Shift", None, self.shift, visitor);
        rt::visit_scalar("Flags", None, self.flags, visitor);
    }
}

/// Bit group `Plain`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsPlain {
    /// `P`: uInt32.
    pub p: u32,
    /// `Q`: uInt32.
    pub q: u32,
    /// `R`: int32.
    pub r: i32,
    /// `S`: optional uInt32.
    pub s: Option<u32>,
}

impl BitsPlain {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("P", None, self.p, visitor);
        rt::visit_scalar("Q", None, self.q, visitor);
        rt::visit_scalar("R", None, self.r, visitor);
        rt::visit_scalar("S", None, self.s, visitor);
    }
}

/// Bit group `Given`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsGiven {
    /// `U`: uInt32.
    pub u: u32,
}

impl BitsGiven {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("U", None, self.u, visitor);
    }
}

/// An element of sequence `Rows`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsRows {
    /// `Level`: group, copy.
    pub level: BitsRowsLevel,
}

impl BitsRows {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.begin_group("Level", None);
        self.level.visit(visitor);
        visitor.end_group("Level");
    }
}

/// Bit group `Level`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsRowsLevel {
    /// `Action`: uInt32.
    pub action: u32,
    /// `Last`: optional uInt32.
    pub last: Option<u32>,
    /// `Depth`: uInt32.
    pub depth: u32,
    /// `Shift`: optional int32.
    pub shift: Option<i32>,
    /// `Flags`: uInt64.
    pub flags: u64,
}

impl BitsRowsLevel {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Action", None, self.action, visitor);
        rt::visit_scalar("Last", None, self.last, visitor);
        rt::visit_scalar("Depth", None, self.depth, visitor);
        rt::visit_scalar("Shift", None, self.shift, visitor);
        rt::visit_scalar("Flags", None, self.flags, visitor);
    }
}

/// Bit group `Long`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitsLong {
    /// `A`: uInt32.
    pub a: u32,
    /// `B`: uInt32.
    pub b: u32,
    /// `C`: uInt32.
    pub c: u32,
    /// `D`: uInt32.
    pub d: u32,
    /// `E`: uInt32.
    pub e: u32,
    /// `F`: uInt32.
    pub f: u32,
    /// `G`: uInt32.
    pub g: u32,
    /// `H`: uInt32.
    pub h: u32,
    /// `I`: optional int32.
    pub i: Option<i32>,
}

impl BitsLong {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("A", None, self.a, visitor);
        rt::visit_scalar("B", None, self.b, visitor);
        rt::visit_scalar("C", None, self.c, visitor);
        rt::visit_scalar("D", None, self.d, visitor);
        rt::visit_scalar("E", None, self.e, visitor);
        rt::visit_scalar("F", None, self.f, visitor);
        rt::visit_scalar("G", None, self.g, visitor);
        rt::visit_scalar("H", None, self.h, visitor);
        rt::visit_scalar("I", None, self.i, visitor);
    }
}

/// Template `Shared`, identifier 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// `Wide`: group, copy.
    pub wide: SharedWide,
    /// `Narrow`: group, copy.
    pub narrow: SharedNarrow,
}

impl Shared {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.begin_group("Wide", None);
        self.wide.visit(visitor);
        visitor.end_group("Wide");
        visitor.begin_group("Narrow", None);
        self.narrow.visit(visitor);
        visitor.end_group("Narrow");
    }
}

/// Bit group `Wide`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedWide {
    /// `A`: uInt32.
    pub a: u32,
    /// `B`: uInt32.
    pub b: u32,
}

impl SharedWide {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("A", None, self.a, visitor);
        rt::visit_scalar("B", None, self.b, visitor);
    }
}

/// Bit group `Narrow`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedNarrow {
    /// `C`: uInt32.
    pub c: u32,
}

impl SharedNarrow {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("C", None, self.c, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `Values`, identifier 1.
    Values,
    /// `Bits`, identifier 2.
    Bits,
    /// `Shared`, identifier 3.
    Shared,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            1 => Some(Self::Values),
            2 => Some(Self::Bits),
            3 => Some(Self::Shared),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::Values => 1,
            Self::Bits => 2,
            Self::Shared => 3,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Values => "Values",
            Self::Bits => "Bits",
            Self::Shared => "Shared",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `Values`.
    Values(&'m Values),
    /// A message of template `Bits`.
    Bits(&'m Bits),
    /// A message of template `Shared`.
    Shared(&'m Shared),
}

impl<'m> From<&'m Values> for Message<'m> {
    fn from(message: &'m Values) -> Self {
        Self::Values(message)
    }
}

impl<'m> From<&'m Bits> for Message<'m> {
    fn from(message: &'m Bits) -> Self {
        Self::Bits(message)
    }
}

impl<'m> From<&'m Shared> for Message<'m> {
    fn from(message: &'m Shared) -> Self {
        Self::Shared(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::Values(_) => Template::Values,
            Self::Bits(_) => Template::Bits,
            Self::Shared(_) => Template::Shared,
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
            Self::Values(message) => message.visit(visitor),
            Self::Bits(message) => message.visit(visitor),
            Self::Shared(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    values: Option<Box<Values>>,
    bits: Option<Box<Bits>>,
    shared: Option<Box<Shared>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::Values => self.values.as_deref().map(Message::Values),
            Template::Bits => self.bits.as_deref().map(Message::Bits),
            Template::Shared => self.shared.as_deref().map(Message::Shared),
        }
    }

    /// Makes it a message of template `Values` and returns that, as it was when it was last one.
    pub fn insert_values(&mut self) -> &mut Values {
        self.current = Some(Template::Values);
        self.values.get_or_insert_default()
    }

    /// Makes it a message of template `Bits` and returns that, as it was when it was last one.
    pub fn insert_bits(&mut self) -> &mut Bits {
        self.current = Some(Template::Bits);
        self.bits.get_or_insert_default()
    }

    /// Makes it a message of template `Shared` and returns that, as it was when it was last one.
    pub fn insert_shared(&mut self) -> &mut Shared {
        self.current = Some(Template::Shared);
        self.shared.get_or_insert_default()
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
    /// For `Copied` in the global dictionary.
    global_copied: rt::Previous<u32>,
    /// For `Moved` in the global dictionary.
    global_moved: rt::Previous<u32>,
    /// For `MovedOptional` in the global dictionary.
    global_moved_optional: rt::Previous<u32>,
    /// For `Conditions` in the global dictionary.
    global_conditions: rt::Previous<u64>,
    /// For `BooleanCopied` in the global dictionary.
    global_boolean_copied: rt::Previous<u32>,
    /// For `Time` in the global dictionary.
    global_time: rt::Previous<i64>,
    /// For `Next` in the global dictionary.
    global_next: rt::Previous<u32>,
    /// For `Level` in the global dictionary.
    global_level: rt::Previous<u64>,
    /// For `Wide` in the global dictionary.
    global_wide: rt::Previous<u64>,
}

impl Dictionaries {
    fn reset_named(&mut self, name: &str) {
        if name == "global" {
            self.global_copied.reset();
            self.global_moved.reset();
            self.global_moved_optional.reset();
            self.global_conditions.reset();
            self.global_boolean_copied.reset();
            self.global_time.reset();
            self.global_next.reset();
            self.global_level.reset();
            self.global_wide.reset();
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
    let mut presence = rt::Presence::read(&mut input, state)?;
    let template = rt::identifier(
        state,
        &mut input,
        &mut presence,
        &mut dictionaries.template,
        Template::by_id,
    )?;
    let outcome = match template {
        Template::Values => {
            let message = messages.insert_values();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Bits => {
            let message = messages.insert_bits();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Shared => {
            let message = messages.insert_shared();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl Values {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let before = input;
        let value: u32 = rt::plain("Action", state, &mut input)?;
        let bounds = rt::Bounds::new(0, 2);
        self.action = rt::bounded("Action", &before, &input, value, bounds, false)?;
        let before = input;
        let value: Option<u32> = rt::copy(
            "Copied",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_copied,
            Some(1),
        )?;
        let bounds = rt::Bounds::new(0, 2);
        self.copied = rt::bounded("Copied", &before, &input, value, bounds, false)?;
        let before = input;
        let value: Option<u32> = rt::default("Optional", state, &mut input, &mut presence, None)?;
        let bounds = rt::Bounds::new(0, 2);
        self.optional = rt::bounded("Optional", &before, &input, value, bounds, false)?;
        let before = input;
        let value: u32 =
            rt::delta("Moved", state, &mut input, &mut dictionaries.global_moved, None)?;
        let bounds = rt::Bounds::new(0, 1);
        self.moved = rt::bounded("Moved", &before, &input, value, bounds, true)?;
        let before = input;
        let value: Option<u32> = rt::delta(
            "MovedOptional",
            state,
            &mut input,
            &mut dictionaries.global_moved_optional,
            Some(1),
        )?;
        let bounds = rt::Bounds::new(0, 2);
        self.moved_optional = rt::bounded("MovedOptional", &before, &input, value, bounds, true)?;
        let before = input;
        let value: Option<u64> = rt::copy(
            "Conditions",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_conditions,
            None,
        )?;
        let bounds = rt::Bounds::new(0, 7);
        self.conditions = rt::bounded("Conditions", &before, &input, value, bounds, false)?;
        let before = input;
        let value: u64 = rt::plain("Set", state, &mut input)?;
        let bounds = rt::Bounds::new(0, 3);
        self.set = rt::bounded("Set", &before, &input, value, bounds, false)?;
        let before = input;
        let value: u32 = rt::plain("Boolean", state, &mut input)?;
        let bounds = rt::Bounds::new(0, 1);
        self.boolean = rt::bounded("Boolean", &before, &input, value, bounds, false)?;
        let before = input;
        let value: Option<u32> = rt::copy(
            "BooleanCopied",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_boolean_copied,
            None,
        )?;
        let bounds = rt::Bounds::new(0, 1);
        self.boolean_copied = rt::bounded("BooleanCopied", &before, &input, value, bounds, false)?;
        self.time = rt::delta("Time", state, &mut input, &mut dictionaries.global_time, None)?;
        self.day = rt::plain("Day", state, &mut input)?;
        state.enter("Pair", &input)?;
        let outcome = self.pair.decode(state, dictionaries, input);
        input = outcome.map_err(|failure| failure.at("Pair"))?;
        state.leave();
        let before = input;
        let value: Option<u32> = rt::increment(
            "Next",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_next,
            None,
        )?;
        let bounds = rt::Bounds::new(0, 2);
        self.next = rt::bounded("Next", &before, &input, value, bounds, false)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl ValuesPair {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let before = input;
        let value: u32 = rt::plain("First", state, &mut input)?;
        let bounds = rt::Bounds::new(0, 2);
        self.first = rt::bounded("First", &before, &input, value, bounds, false)?;
        self.second = rt::plain("Second", state, &mut input)?;
        Ok(input)
    }
}

impl Bits {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let before = input;
        let bits = rt::copy_bit_group(
            "Level",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_level,
            14,
            None,
        )?;
        self.level.unpack(&before, bits)?;
        let before = input;
        let bits = rt::bit_group("Plain", state, &mut input, 22)?;
        self.plain.unpack(&before, bits)?;
        let before = input;
        let bits = rt::default_bit_group("Given", state, &mut input, &mut presence, 2, 2)?;
        self.given.unpack(&before, bits)?;
        let length: u32 = rt::plain("Rows", state, &mut input)?;
        state.enter_sequence("Rows", length, &input)?;
        self.rows.clear();
        for _ in 0..length {
            let element = self.rows.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Rows"))?;
        }
        state.leave();
        let before = input;
        let bits = rt::bit_group("Long", state, &mut input, 63)?;
        self.long.unpack(&before, bits)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl BitsLevel {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(12, 2, rt::Bounds::new(0, 2));
        self.action = rt::unpack("Action", input, bits, member)?;
        let member = rt::Member::new(10, 2, rt::Bounds::new(0, 1));
        self.last = rt::unpack("Last", input, bits, member)?;
        let member = rt::Member::new(7, 3, rt::Bounds::new(0, 7));
        self.depth = rt::unpack("Depth", input, bits, member)?;
        let member = rt::Member::new(2, 5, rt::Bounds::new(-8, 7));
        self.shift = rt::unpack("Shift", input, bits, member)?;
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        self.flags = rt::unpack("Flags", input, bits, member)?;
        Ok(())
    }
}

impl BitsPlain {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(21, 1, rt::Bounds::new(0, 0));
        self.p = rt::unpack("P", input, bits, member)?;
        let member = rt::Member::new(14, 7, rt::Bounds::new(0, 127));
        self.q = rt::unpack("Q", input, bits, member)?;
        let member = rt::Member::new(7, 7, rt::Bounds::new(-64, 63));
        self.r = rt::unpack("R", input, bits, member)?;
        let member = rt::Member::new(0, 7, rt::Bounds::new(0, 63));
        self.s = rt::unpack("S", input, bits, member)?;
        Ok(())
    }
}

impl BitsGiven {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        self.u = rt::unpack("U", input, bits, member)?;
        Ok(())
    }
}

impl BitsRows {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        let before = input;
        let bits = rt::copy_bit_group(
            "Level",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_level,
            14,
            None,
        )?;
        self.level.unpack(&before, bits)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl BitsRowsLevel {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(12, 2, rt::Bounds::new(0, 2));
        self.action = rt::unpack("Action", input, bits, member)?;
        let member = rt::Member::new(10, 2, rt::Bounds::new(0, 1));
        self.last = rt::unpack("Last", input, bits, member)?;
        let member = rt::Member::new(7, 3, rt::Bounds::new(0, 7));
        self.depth = rt::unpack("Depth", input, bits, member)?;
        let member = rt::Member::new(2, 5, rt::Bounds::new(-8, 7));
        self.shift = rt::unpack("Shift", input, bits, member)?;
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        self.flags = rt::unpack("Flags", input, bits, member)?;
        Ok(())
    }
}

impl BitsLong {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(56, 7, rt::Bounds::new(0, 127));
        self.a = rt::unpack("A", input, bits, member)?;
        let member = rt::Member::new(49, 7, rt::Bounds::new(0, 127));
        self.b = rt::unpack("B", input, bits, member)?;
        let member = rt::Member::new(42, 7, rt::Bounds::new(0, 127));
        self.c = rt::unpack("C", input, bits, member)?;
        let member = rt::Member::new(35, 7, rt::Bounds::new(0, 127));
        self.d = rt::unpack("D", input, bits, member)?;
        let member = rt::Member::new(28, 7, rt::Bounds::new(0, 127));
        self.e = rt::unpack("E", input, bits, member)?;
        let member = rt::Member::new(21, 7, rt::Bounds::new(0, 127));
        self.f = rt::unpack("F", input, bits, member)?;
        let member = rt::Member::new(14, 7, rt::Bounds::new(0, 127));
        self.g = rt::unpack("G", input, bits, member)?;
        let member = rt::Member::new(7, 7, rt::Bounds::new(0, 127));
        self.h = rt::unpack("H", input, bits, member)?;
        let member = rt::Member::new(0, 7, rt::Bounds::new(-32, 31));
        self.i = rt::unpack("I", input, bits, member)?;
        Ok(())
    }
}

impl Shared {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let before = input;
        let bits = rt::copy_bit_group(
            "Wide",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_wide,
            10,
            Some(3),
        )?;
        self.wide.unpack(&before, bits)?;
        let before = input;
        let bits = rt::copy_bit_group(
            "Narrow",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_wide,
            3,
            None,
        )?;
        self.narrow.unpack(&before, bits)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl SharedWide {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(5, 5, rt::Bounds::new(0, 31));
        self.a = rt::unpack("A", input, bits, member)?;
        let member = rt::Member::new(0, 5, rt::Bounds::new(0, 31));
        self.b = rt::unpack("B", input, bits, member)?;
        Ok(())
    }
}

impl SharedNarrow {
    fn unpack(&mut self, input: &rt::Cursor<'_>, bits: u64) -> Result<(), rt::Failure> {
        let member = rt::Member::new(0, 3, rt::Bounds::new(0, 7));
        self.c = rt::unpack("C", input, bits, member)?;
        Ok(())
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

/// A segment with a template identifier.
fn encode_message<'o>(
    state: &mut rt::EncoderState,
    dictionaries: &mut Dictionaries,
    message: Message<'_>,
    out: rt::Output<'o>,
) -> Result<rt::Output<'o>, rt::Refusal> {
    let template = message.template();
    let outcome = match message {
        Message::Values(message) => message.encode(state, dictionaries, out),
        Message::Bits(message) => message.encode(state, dictionaries, out),
        Message::Shared(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl Values {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(6, &mut out);
        let template = Template::Values;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::check_bounds("Action", self.action, rt::Bounds::new(0, 2))?;
        rt::write_plain(self.action, &mut out);
        rt::check_bounds("Copied", self.copied, rt::Bounds::new(0, 2))?;
        rt::write_copy(
            "Copied",
            state,
            self.copied,
            &mut bits,
            &mut out,
            &mut dictionaries.global_copied,
            Some(1),
        )?;
        rt::check_bounds("Optional", self.optional, rt::Bounds::new(0, 2))?;
        rt::write_default(self.optional, &mut bits, &mut out, None);
        rt::check_bounds("Moved", self.moved, rt::Bounds::new(0, 1))?;
        rt::write_delta(
            "Moved",
            state,
            self.moved,
            &mut out,
            &mut dictionaries.global_moved,
            None,
        )?;
        rt::check_bounds("MovedOptional", self.moved_optional, rt::Bounds::new(0, 2))?;
        rt::write_delta(
            "MovedOptional",
            state,
            self.moved_optional,
            &mut out,
            &mut dictionaries.global_moved_optional,
            Some(1),
        )?;
        rt::check_bounds("Conditions", self.conditions, rt::Bounds::new(0, 7))?;
        rt::write_copy(
            "Conditions",
            state,
            self.conditions,
            &mut bits,
            &mut out,
            &mut dictionaries.global_conditions,
            None,
        )?;
        rt::check_bounds("Set", self.set, rt::Bounds::new(0, 3))?;
        rt::write_plain(self.set, &mut out);
        rt::check_bounds("Boolean", self.boolean, rt::Bounds::new(0, 1))?;
        rt::write_plain(self.boolean, &mut out);
        rt::check_bounds("BooleanCopied", self.boolean_copied, rt::Bounds::new(0, 1))?;
        rt::write_copy(
            "BooleanCopied",
            state,
            self.boolean_copied,
            &mut bits,
            &mut out,
            &mut dictionaries.global_boolean_copied,
            None,
        )?;
        rt::write_delta("Time", state, self.time, &mut out, &mut dictionaries.global_time, None)?;
        rt::write_plain(self.day, &mut out);
        state.enter("Pair")?;
        out = self.pair.encode(state, dictionaries, out)?;
        state.leave();
        rt::check_bounds("Next", self.next, rt::Bounds::new(0, 2))?;
        rt::write_increment(
            "Next",
            state,
            self.next,
            &mut bits,
            &mut out,
            &mut dictionaries.global_next,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl ValuesPair {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::check_bounds("First", self.first, rt::Bounds::new(0, 2))?;
        rt::write_plain(self.first, &mut out);
        rt::write_plain(self.second, &mut out);
        Ok(out)
    }
}

impl Bits {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::Bits;
        rt::write_identifier(state, template, 2, &mut dictionaries.template, &mut bits, &mut out);
        let packed = self.level.pack()?;
        rt::write_copy_bit_group(
            "Level",
            state,
            packed,
            &mut bits,
            14,
            &mut out,
            &mut dictionaries.global_level,
            None,
        )?;
        let packed = self.plain.pack()?;
        rt::write_bit_group(packed, 22, &mut out);
        let packed = self.given.pack()?;
        rt::write_default_bit_group(packed, &mut bits, 2, &mut out, 2);
        let length = rt::length("Rows", self.rows.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Rows")?;
        for element in &self.rows {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        let packed = self.long.pack()?;
        rt::write_bit_group(packed, 63, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl BitsLevel {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(12, 2, rt::Bounds::new(0, 2));
        bits |= rt::pack("Action", self.action, member)?;
        let member = rt::Member::new(10, 2, rt::Bounds::new(0, 1));
        bits |= rt::pack("Last", self.last, member)?;
        let member = rt::Member::new(7, 3, rt::Bounds::new(0, 7));
        bits |= rt::pack("Depth", self.depth, member)?;
        let member = rt::Member::new(2, 5, rt::Bounds::new(-8, 7));
        bits |= rt::pack("Shift", self.shift, member)?;
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        bits |= rt::pack("Flags", self.flags, member)?;
        Ok(bits)
    }
}

impl BitsPlain {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(21, 1, rt::Bounds::new(0, 0));
        bits |= rt::pack("P", self.p, member)?;
        let member = rt::Member::new(14, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("Q", self.q, member)?;
        let member = rt::Member::new(7, 7, rt::Bounds::new(-64, 63));
        bits |= rt::pack("R", self.r, member)?;
        let member = rt::Member::new(0, 7, rt::Bounds::new(0, 63));
        bits |= rt::pack("S", self.s, member)?;
        Ok(bits)
    }
}

impl BitsGiven {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        bits |= rt::pack("U", self.u, member)?;
        Ok(bits)
    }
}

impl BitsRows {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let packed = self.level.pack()?;
        rt::write_copy_bit_group(
            "Level",
            state,
            packed,
            &mut bits,
            14,
            &mut out,
            &mut dictionaries.global_level,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl BitsRowsLevel {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(12, 2, rt::Bounds::new(0, 2));
        bits |= rt::pack("Action", self.action, member)?;
        let member = rt::Member::new(10, 2, rt::Bounds::new(0, 1));
        bits |= rt::pack("Last", self.last, member)?;
        let member = rt::Member::new(7, 3, rt::Bounds::new(0, 7));
        bits |= rt::pack("Depth", self.depth, member)?;
        let member = rt::Member::new(2, 5, rt::Bounds::new(-8, 7));
        bits |= rt::pack("Shift", self.shift, member)?;
        let member = rt::Member::new(0, 2, rt::Bounds::new(0, 3));
        bits |= rt::pack("Flags", self.flags, member)?;
        Ok(bits)
    }
}

impl BitsLong {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(56, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("A", self.a, member)?;
        let member = rt::Member::new(49, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("B", self.b, member)?;
        let member = rt::Member::new(42, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("C", self.c, member)?;
        let member = rt::Member::new(35, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("D", self.d, member)?;
        let member = rt::Member::new(28, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("E", self.e, member)?;
        let member = rt::Member::new(21, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("F", self.f, member)?;
        let member = rt::Member::new(14, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("G", self.g, member)?;
        let member = rt::Member::new(7, 7, rt::Bounds::new(0, 127));
        bits |= rt::pack("H", self.h, member)?;
        let member = rt::Member::new(0, 7, rt::Bounds::new(-32, 31));
        bits |= rt::pack("I", self.i, member)?;
        Ok(bits)
    }
}

impl Shared {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::Shared;
        rt::write_identifier(state, template, 3, &mut dictionaries.template, &mut bits, &mut out);
        let packed = self.wide.pack()?;
        rt::write_copy_bit_group(
            "Wide",
            state,
            packed,
            &mut bits,
            10,
            &mut out,
            &mut dictionaries.global_wide,
            Some(3),
        )?;
        let packed = self.narrow.pack()?;
        rt::write_copy_bit_group(
            "Narrow",
            state,
            packed,
            &mut bits,
            3,
            &mut out,
            &mut dictionaries.global_wide,
            None,
        )?;
        bits.finish(&mut out);
        Ok(out)
    }
}

impl SharedWide {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(5, 5, rt::Bounds::new(0, 31));
        bits |= rt::pack("A", self.a, member)?;
        let member = rt::Member::new(0, 5, rt::Bounds::new(0, 31));
        bits |= rt::pack("B", self.b, member)?;
        Ok(bits)
    }
}

impl SharedNarrow {
    fn pack(&self) -> Result<u64, rt::Refusal> {
        let mut bits = 0;
        let member = rt::Member::new(0, 3, rt::Bounds::new(0, 7));
        bits |= rt::pack("C", self.c, member)?;
        Ok(bits)
    }
}

// Generated from saker.xml by saker-fast. Do not edit: change the templates.
//
// Templates: SecurityDefinition, IncrementalRefresh, IncrementalEntry, SnapshotFullRefresh,
// Heartbeat.

use saker_fast::runtime as rt;

/// Template `SecurityDefinition`, identifier 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecurityDefinition {
    /// `SendingTime` (52): uInt64.
    pub sending_time: u64,
    /// `TotNumReports` (911): uInt32.
    pub tot_num_reports: u32,
    /// `SecurityID` (48): uInt32.
    pub security_id: u32,
    /// `Symbol` (55): ASCII string.
    pub symbol: rt::Ascii,
    /// `MinPriceIncrement` (969): decimal.
    pub min_price_increment: rt::Decimal,
    /// `RoundLot` (561): uInt64.
    pub round_lot: u64,
}

impl SecurityDefinition {
    /// `MsgType` (35): constant.
    pub const MSG_TYPE: &'static str = "d";
}

impl SecurityDefinition {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
        rt::visit_scalar("TotNumReports", Some(911), self.tot_num_reports, visitor);
        rt::visit_scalar("SecurityID", Some(48), self.security_id, visitor);
        rt::visit_text("Symbol", Some(55), &self.symbol, visitor);
        rt::visit_scalar("MinPriceIncrement", Some(969), self.min_price_increment, visitor);
        rt::visit_scalar("RoundLot", Some(561), self.round_lot, visitor);
    }
}

/// Template `IncrementalRefresh`, identifier 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncrementalRefresh {
    /// `SendingTime` (52): uInt64.
    pub sending_time: u64,
    /// `MDEntries` (268): sequence.
    pub md_entries: rt::Sequence<IncrementalRefreshMdEntries>,
}

impl IncrementalRefresh {
    /// `MsgType` (35): constant.
    pub const MSG_TYPE: &'static str = "X";
}

impl IncrementalRefresh {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
        visitor.begin_sequence("MDEntries", Some(268), self.md_entries.len());
        for (index, element) in self.md_entries.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("MDEntries");
    }
}

/// An element of sequence `MDEntries` (268).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncrementalRefreshMdEntries {
    /// `MDUpdateAction` (279): uInt32.
    pub md_update_action: u32,
    /// `MDEntryType` (269): uInt32.
    pub md_entry_type: u32,
    /// `SecurityID` (48): uInt32.
    pub security_id: u32,
    /// `RptSeq` (83): uInt32.
    pub rpt_seq: u32,
    /// `MDEntryID` (278): uInt64.
    pub md_entry_id: u64,
    /// `MDEntryPx` (270): decimal.
    pub md_entry_px: rt::Decimal,
    /// `MDEntrySize` (271): uInt64.
    pub md_entry_size: u64,
}

impl IncrementalRefreshMdEntries {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("MDUpdateAction", Some(279), self.md_update_action, visitor);
        rt::visit_scalar("MDEntryType", Some(269), self.md_entry_type, visitor);
        rt::visit_scalar("SecurityID", Some(48), self.security_id, visitor);
        rt::visit_scalar("RptSeq", Some(83), self.rpt_seq, visitor);
        rt::visit_scalar("MDEntryID", Some(278), self.md_entry_id, visitor);
        rt::visit_scalar("MDEntryPx", Some(270), self.md_entry_px, visitor);
        rt::visit_scalar("MDEntrySize", Some(271), self.md_entry_size, visitor);
    }
}

/// Template `IncrementalEntry`, identifier 5.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncrementalEntry {
    /// `SendingTime` (52): uInt64.
    pub sending_time: u64,
    /// `MDUpdateAction` (279): uInt32.
    pub md_update_action: u32,
    /// `MDEntryType` (269): uInt32.
    pub md_entry_type: u32,
    /// `SecurityID` (48): uInt32.
    pub security_id: u32,
    /// `RptSeq` (83): uInt32.
    pub rpt_seq: u32,
    /// `MDEntryID` (278): uInt64.
    pub md_entry_id: u64,
    /// `MDEntryPx` (270): decimal.
    pub md_entry_px: rt::Decimal,
    /// `MDEntrySize` (271): uInt64.
    pub md_entry_size: u64,
}

impl IncrementalEntry {
    /// `MsgType` (35): constant.
    pub const MSG_TYPE: &'static str = "X";
}

impl IncrementalEntry {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
        rt::visit_scalar("MDUpdateAction", Some(279), self.md_update_action, visitor);
        rt::visit_scalar("MDEntryType", Some(269), self.md_entry_type, visitor);
        rt::visit_scalar("SecurityID", Some(48), self.security_id, visitor);
        rt::visit_scalar("RptSeq", Some(83), self.rpt_seq, visitor);
        rt::visit_scalar("MDEntryID", Some(278), self.md_entry_id, visitor);
        rt::visit_scalar("MDEntryPx", Some(270), self.md_entry_px, visitor);
        rt::visit_scalar("MDEntrySize", Some(271), self.md_entry_size, visitor);
    }
}

/// Template `SnapshotFullRefresh`, identifier 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotFullRefresh {
    /// `SendingTime` (52): uInt64.
    pub sending_time: u64,
    /// `LastMsgSeqNumProcessed` (369): uInt32.
    pub last_msg_seq_num_processed: u32,
    /// `TotNumReports` (911): uInt32.
    pub tot_num_reports: u32,
    /// `SecurityID` (48): uInt32.
    pub security_id: u32,
    /// `RptSeq` (83): uInt32.
    pub rpt_seq: u32,
    /// `FirstFragment` (5893): uInt32.
    pub first_fragment: u32,
    /// `LastFragment` (893): uInt32.
    pub last_fragment: u32,
    /// `MDEntries` (268): sequence.
    pub md_entries: rt::Sequence<SnapshotFullRefreshMdEntries>,
}

impl SnapshotFullRefresh {
    /// `MsgType` (35): constant.
    pub const MSG_TYPE: &'static str = "W";
}

impl SnapshotFullRefresh {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
        rt::visit_scalar(
            "LastMsgSeqNumProcessed",
            Some(369),
            self.last_msg_seq_num_processed,
            visitor,
        );
        rt::visit_scalar("TotNumReports", Some(911), self.tot_num_reports, visitor);
        rt::visit_scalar("SecurityID", Some(48), self.security_id, visitor);
        rt::visit_scalar("RptSeq", Some(83), self.rpt_seq, visitor);
        rt::visit_scalar("FirstFragment", Some(5893), self.first_fragment, visitor);
        rt::visit_scalar("LastFragment", Some(893), self.last_fragment, visitor);
        visitor.begin_sequence("MDEntries", Some(268), self.md_entries.len());
        for (index, element) in self.md_entries.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("MDEntries");
    }
}

/// An element of sequence `MDEntries` (268).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotFullRefreshMdEntries {
    /// `MDEntryType` (269): uInt32, copy.
    pub md_entry_type: u32,
    /// `MDEntryID` (278): uInt64, delta.
    pub md_entry_id: u64,
    /// `MDEntryPx` (270): decimal, exponent copy, mantissa delta.
    pub md_entry_px: rt::Decimal,
    /// `MDEntrySize` (271): uInt64.
    pub md_entry_size: u64,
}

impl SnapshotFullRefreshMdEntries {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("MDEntryType", Some(269), self.md_entry_type, visitor);
        rt::visit_scalar("MDEntryID", Some(278), self.md_entry_id, visitor);
        rt::visit_scalar("MDEntryPx", Some(270), self.md_entry_px, visitor);
        rt::visit_scalar("MDEntrySize", Some(271), self.md_entry_size, visitor);
    }
}

/// Template `Heartbeat`, identifier 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heartbeat {
    /// `SendingTime` (52): uInt64.
    pub sending_time: u64,
}

impl Heartbeat {
    /// `MsgType` (35): constant.
    pub const MSG_TYPE: &'static str = "0";
}

impl Heartbeat {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `SecurityDefinition`, identifier 1.
    SecurityDefinition,
    /// `IncrementalRefresh`, identifier 2.
    IncrementalRefresh,
    /// `IncrementalEntry`, identifier 5.
    IncrementalEntry,
    /// `SnapshotFullRefresh`, identifier 3.
    SnapshotFullRefresh,
    /// `Heartbeat`, identifier 4.
    Heartbeat,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            1 => Some(Self::SecurityDefinition),
            2 => Some(Self::IncrementalRefresh),
            5 => Some(Self::IncrementalEntry),
            3 => Some(Self::SnapshotFullRefresh),
            4 => Some(Self::Heartbeat),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::SecurityDefinition => 1,
            Self::IncrementalRefresh => 2,
            Self::IncrementalEntry => 5,
            Self::SnapshotFullRefresh => 3,
            Self::Heartbeat => 4,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SecurityDefinition => "SecurityDefinition",
            Self::IncrementalRefresh => "IncrementalRefresh",
            Self::IncrementalEntry => "IncrementalEntry",
            Self::SnapshotFullRefresh => "SnapshotFullRefresh",
            Self::Heartbeat => "Heartbeat",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `SecurityDefinition`.
    SecurityDefinition(&'m SecurityDefinition),
    /// A message of template `IncrementalRefresh`.
    IncrementalRefresh(&'m IncrementalRefresh),
    /// A message of template `IncrementalEntry`.
    IncrementalEntry(&'m IncrementalEntry),
    /// A message of template `SnapshotFullRefresh`.
    SnapshotFullRefresh(&'m SnapshotFullRefresh),
    /// A message of template `Heartbeat`.
    Heartbeat(&'m Heartbeat),
}

impl<'m> From<&'m SecurityDefinition> for Message<'m> {
    fn from(message: &'m SecurityDefinition) -> Self {
        Self::SecurityDefinition(message)
    }
}

impl<'m> From<&'m IncrementalRefresh> for Message<'m> {
    fn from(message: &'m IncrementalRefresh) -> Self {
        Self::IncrementalRefresh(message)
    }
}

impl<'m> From<&'m IncrementalEntry> for Message<'m> {
    fn from(message: &'m IncrementalEntry) -> Self {
        Self::IncrementalEntry(message)
    }
}

impl<'m> From<&'m SnapshotFullRefresh> for Message<'m> {
    fn from(message: &'m SnapshotFullRefresh) -> Self {
        Self::SnapshotFullRefresh(message)
    }
}

impl<'m> From<&'m Heartbeat> for Message<'m> {
    fn from(message: &'m Heartbeat) -> Self {
        Self::Heartbeat(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::SecurityDefinition(_) => Template::SecurityDefinition,
            Self::IncrementalRefresh(_) => Template::IncrementalRefresh,
            Self::IncrementalEntry(_) => Template::IncrementalEntry,
            Self::SnapshotFullRefresh(_) => Template::SnapshotFullRefresh,
            Self::Heartbeat(_) => Template::Heartbeat,
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
            Self::SecurityDefinition(message) => message.visit(visitor),
            Self::IncrementalRefresh(message) => message.visit(visitor),
            Self::IncrementalEntry(message) => message.visit(visitor),
            Self::SnapshotFullRefresh(message) => message.visit(visitor),
            Self::Heartbeat(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    security_definition: Option<Box<SecurityDefinition>>,
    incremental_refresh: Option<Box<IncrementalRefresh>>,
    incremental_entry: Option<Box<IncrementalEntry>>,
    snapshot_full_refresh: Option<Box<SnapshotFullRefresh>>,
    heartbeat: Option<Box<Heartbeat>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::SecurityDefinition => {
                self.security_definition.as_deref().map(Message::SecurityDefinition)
            }
            Template::IncrementalRefresh => {
                self.incremental_refresh.as_deref().map(Message::IncrementalRefresh)
            }
            Template::IncrementalEntry => {
                self.incremental_entry.as_deref().map(Message::IncrementalEntry)
            }
            Template::SnapshotFullRefresh => {
                self.snapshot_full_refresh.as_deref().map(Message::SnapshotFullRefresh)
            }
            Template::Heartbeat => self.heartbeat.as_deref().map(Message::Heartbeat),
        }
    }

    /// Makes it a message of template `SecurityDefinition` and returns that, as it was when it was
    /// last one.
    pub fn insert_security_definition(&mut self) -> &mut SecurityDefinition {
        self.current = Some(Template::SecurityDefinition);
        self.security_definition.get_or_insert_default()
    }

    /// Makes it a message of template `IncrementalRefresh` and returns that, as it was when it was
    /// last one.
    pub fn insert_incremental_refresh(&mut self) -> &mut IncrementalRefresh {
        self.current = Some(Template::IncrementalRefresh);
        self.incremental_refresh.get_or_insert_default()
    }

    /// Makes it a message of template `IncrementalEntry` and returns that, as it was when it was
    /// last one.
    pub fn insert_incremental_entry(&mut self) -> &mut IncrementalEntry {
        self.current = Some(Template::IncrementalEntry);
        self.incremental_entry.get_or_insert_default()
    }

    /// Makes it a message of template `SnapshotFullRefresh` and returns that, as it was when it was
    /// last one.
    pub fn insert_snapshot_full_refresh(&mut self) -> &mut SnapshotFullRefresh {
        self.current = Some(Template::SnapshotFullRefresh);
        self.snapshot_full_refresh.get_or_insert_default()
    }

    /// Makes it a message of template `Heartbeat` and returns that, as it was when it was last one.
    pub fn insert_heartbeat(&mut self) -> &mut Heartbeat {
        self.current = Some(Template::Heartbeat);
        self.heartbeat.get_or_insert_default()
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
    /// For `MDEntryType` in the global dictionary.
    global_md_entry_type: rt::Previous<u32>,
    /// For `MDEntryID` in the global dictionary.
    global_md_entry_id: rt::Previous<u64>,
    /// For the exponent of `MDEntryPx` in the global dictionary.
    global_md_entry_px_exponent: rt::Previous<i32>,
    /// For the mantissa of `MDEntryPx` in the global dictionary.
    global_md_entry_px_mantissa: rt::Previous<i64>,
}

impl Dictionaries {
    fn reset_named(&mut self, name: &str) {
        if name == "global" {
            self.global_md_entry_type.reset();
            self.global_md_entry_id.reset();
            self.global_md_entry_px_exponent.reset();
            self.global_md_entry_px_mantissa.reset();
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
        Template::SecurityDefinition => {
            let message = messages.insert_security_definition();
            message.decode(state, dictionaries, input, presence)
        }
        Template::IncrementalRefresh => {
            let message = messages.insert_incremental_refresh();
            message.decode(state, dictionaries, input, presence)
        }
        Template::IncrementalEntry => {
            let message = messages.insert_incremental_entry();
            message.decode(state, dictionaries, input, presence)
        }
        Template::SnapshotFullRefresh => {
            let message = messages.insert_snapshot_full_refresh();
            message.decode(state, dictionaries, input, presence)
        }
        Template::Heartbeat => {
            let message = messages.insert_heartbeat();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl SecurityDefinition {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.sending_time = rt::plain("SendingTime", state, &mut input)?;
        self.tot_num_reports = rt::plain("TotNumReports", state, &mut input)?;
        self.security_id = rt::plain("SecurityID", state, &mut input)?;
        rt::text("Symbol", state, &mut input, &mut self.symbol)?;
        self.min_price_increment = rt::plain("MinPriceIncrement", state, &mut input)?;
        self.round_lot = rt::plain("RoundLot", state, &mut input)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl IncrementalRefresh {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.sending_time = rt::plain("SendingTime", state, &mut input)?;
        let length: u32 = rt::plain("MDEntries", state, &mut input)?;
        state.enter_sequence("MDEntries", length, &input)?;
        self.md_entries.clear();
        for _ in 0..length {
            let element = self.md_entries.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("MDEntries"))?;
        }
        state.leave();
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl IncrementalRefreshMdEntries {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.md_update_action = rt::plain("MDUpdateAction", state, &mut input)?;
        self.md_entry_type = rt::plain("MDEntryType", state, &mut input)?;
        self.security_id = rt::plain("SecurityID", state, &mut input)?;
        self.rpt_seq = rt::plain("RptSeq", state, &mut input)?;
        self.md_entry_id = rt::plain("MDEntryID", state, &mut input)?;
        self.md_entry_px = rt::plain("MDEntryPx", state, &mut input)?;
        self.md_entry_size = rt::plain("MDEntrySize", state, &mut input)?;
        Ok(input)
    }
}

impl IncrementalEntry {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.sending_time = rt::plain("SendingTime", state, &mut input)?;
        self.md_update_action = rt::plain("MDUpdateAction", state, &mut input)?;
        self.md_entry_type = rt::plain("MDEntryType", state, &mut input)?;
        self.security_id = rt::plain("SecurityID", state, &mut input)?;
        self.rpt_seq = rt::plain("RptSeq", state, &mut input)?;
        self.md_entry_id = rt::plain("MDEntryID", state, &mut input)?;
        self.md_entry_px = rt::plain("MDEntryPx", state, &mut input)?;
        self.md_entry_size = rt::plain("MDEntrySize", state, &mut input)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl SnapshotFullRefresh {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.sending_time = rt::plain("SendingTime", state, &mut input)?;
        self.last_msg_seq_num_processed = rt::plain("LastMsgSeqNumProcessed", state, &mut input)?;
        self.tot_num_reports = rt::plain("TotNumReports", state, &mut input)?;
        self.security_id = rt::plain("SecurityID", state, &mut input)?;
        self.rpt_seq = rt::plain("RptSeq", state, &mut input)?;
        self.first_fragment = rt::plain("FirstFragment", state, &mut input)?;
        self.last_fragment = rt::plain("LastFragment", state, &mut input)?;
        let length: u32 = rt::plain("MDEntries", state, &mut input)?;
        state.enter_sequence("MDEntries", length, &input)?;
        self.md_entries.clear();
        for _ in 0..length {
            let element = self.md_entries.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("MDEntries"))?;
        }
        state.leave();
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl SnapshotFullRefreshMdEntries {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.md_entry_type = rt::copy(
            "MDEntryType",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_md_entry_type,
            Some(0),
        )?;
        self.md_entry_id =
            rt::delta("MDEntryID", state, &mut input, &mut dictionaries.global_md_entry_id, None)?;
        let exponent: i32 = rt::copy(
            "MDEntryPx",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_md_entry_px_exponent,
            Some(-2),
        )?;
        let exponent = rt::exponent("MDEntryPx", &input, exponent)?;
        let mantissa: i64 = rt::delta(
            "MDEntryPx",
            state,
            &mut input,
            &mut dictionaries.global_md_entry_px_mantissa,
            None,
        )?;
        self.md_entry_px = rt::Decimal::new(mantissa, exponent);
        self.md_entry_size = rt::plain("MDEntrySize", state, &mut input)?;
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl Heartbeat {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.sending_time = rt::plain("SendingTime", state, &mut input)?;
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
        Template::SecurityDefinition => {
            state.show::<SecurityDefinition>(bytes, header, template.name(), visitor)
        }
        Template::IncrementalRefresh => {
            state.show::<IncrementalRefresh>(bytes, header, template.name(), visitor)
        }
        Template::IncrementalEntry => {
            state.show::<IncrementalEntry>(bytes, header, template.name(), visitor)
        }
        Template::Heartbeat => state.show::<Heartbeat>(bytes, header, template.name(), visitor),
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

impl rt::Streamed for SecurityDefinition {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        let field = rt::FieldName::new("SendingTime", "SendingTime", Some(52));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("TotNumReports", "TotNumReports", Some(911));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("SecurityID", "SecurityID", Some(48));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Symbol", "Symbol", Some(55));
        fields.ascii::<false>(field, visitor)?;
        let field = rt::FieldName::new("MinPriceIncrement", "MinPriceIncrement", Some(969));
        fields.decimal::<false>(field, visitor)?;
        let field = rt::FieldName::new("RoundLot", "RoundLot", Some(561));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for IncrementalRefresh {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        let field = rt::FieldName::new("SendingTime", "SendingTime", Some(52));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let length = fields.length::<false>("MDEntries")?;
        if let Some(length) = length {
            fields.enter_sequence("MDEntries", length)?;
            visitor.begin_sequence("MDEntries", Some(268), length as usize);
            for index in 0..length as usize {
                visitor.begin_element(index);
                fields.begin_element();
                <IncrementalRefreshMdEntries as rt::Streamed>::show(fields, visitor)?;
                visitor.end_element();
            }
            fields.leave();
            visitor.end_sequence("MDEntries");
        }
        Ok(())
    }
}

impl rt::Streamed for IncrementalRefreshMdEntries {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("MDUpdateAction", "MDUpdateAction", Some(279));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MDEntryType", "MDEntryType", Some(269));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("SecurityID", "SecurityID", Some(48));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("RptSeq", "RptSeq", Some(83));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MDEntryID", "MDEntryID", Some(278));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("MDEntryPx", "MDEntryPx", Some(270));
        fields.decimal::<false>(field, visitor)?;
        let field = rt::FieldName::new("MDEntrySize", "MDEntrySize", Some(271));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for IncrementalEntry {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        let field = rt::FieldName::new("SendingTime", "SendingTime", Some(52));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("MDUpdateAction", "MDUpdateAction", Some(279));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MDEntryType", "MDEntryType", Some(269));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("SecurityID", "SecurityID", Some(48));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("RptSeq", "RptSeq", Some(83));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("MDEntryID", "MDEntryID", Some(278));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let field = rt::FieldName::new("MDEntryPx", "MDEntryPx", Some(270));
        fields.decimal::<false>(field, visitor)?;
        let field = rt::FieldName::new("MDEntrySize", "MDEntrySize", Some(271));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        Ok(())
    }
}

impl rt::Streamed for Heartbeat {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("MsgType", Some(35), rt::Value::Ascii(Self::MSG_TYPE.as_bytes()));
        let field = rt::FieldName::new("SendingTime", "SendingTime", Some(52));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
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
        Message::SecurityDefinition(message) => message.encode(state, dictionaries, out),
        Message::IncrementalRefresh(message) => message.encode(state, dictionaries, out),
        Message::IncrementalEntry(message) => message.encode(state, dictionaries, out),
        Message::SnapshotFullRefresh(message) => message.encode(state, dictionaries, out),
        Message::Heartbeat(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl SecurityDefinition {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::SecurityDefinition;
        rt::write_identifier(state, template, 1, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.sending_time, &mut out);
        rt::write_plain(self.tot_num_reports, &mut out);
        rt::write_plain(self.security_id, &mut out);
        rt::write_text("Symbol", state, &self.symbol, &mut out)?;
        let value = rt::decimal("MinPriceIncrement", self.min_price_increment)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.round_lot, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl IncrementalRefresh {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::IncrementalRefresh;
        rt::write_identifier(state, template, 2, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.sending_time, &mut out);
        let length = rt::length("MDEntries", self.md_entries.len())?;
        rt::write_plain(length, &mut out);
        state.enter("MDEntries")?;
        for element in &self.md_entries {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        bits.finish(&mut out);
        Ok(out)
    }
}

impl IncrementalRefreshMdEntries {
    fn encode<'o>(
        &self,
        _state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.md_update_action, &mut out);
        rt::write_plain(self.md_entry_type, &mut out);
        rt::write_plain(self.security_id, &mut out);
        rt::write_plain(self.rpt_seq, &mut out);
        rt::write_plain(self.md_entry_id, &mut out);
        let value = rt::decimal("MDEntryPx", self.md_entry_px)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.md_entry_size, &mut out);
        Ok(out)
    }
}

impl IncrementalEntry {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::IncrementalEntry;
        rt::write_identifier(state, template, 5, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.sending_time, &mut out);
        rt::write_plain(self.md_update_action, &mut out);
        rt::write_plain(self.md_entry_type, &mut out);
        rt::write_plain(self.security_id, &mut out);
        rt::write_plain(self.rpt_seq, &mut out);
        rt::write_plain(self.md_entry_id, &mut out);
        let value = rt::decimal("MDEntryPx", self.md_entry_px)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.md_entry_size, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl SnapshotFullRefresh {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::SnapshotFullRefresh;
        rt::write_identifier(state, template, 3, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.sending_time, &mut out);
        rt::write_plain(self.last_msg_seq_num_processed, &mut out);
        rt::write_plain(self.tot_num_reports, &mut out);
        rt::write_plain(self.security_id, &mut out);
        rt::write_plain(self.rpt_seq, &mut out);
        rt::write_plain(self.first_fragment, &mut out);
        rt::write_plain(self.last_fragment, &mut out);
        let length = rt::length("MDEntries", self.md_entries.len())?;
        rt::write_plain(length, &mut out);
        state.enter("MDEntries")?;
        for element in &self.md_entries {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        bits.finish(&mut out);
        Ok(out)
    }
}

impl SnapshotFullRefreshMdEntries {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(2, &mut out);
        rt::write_copy(
            "MDEntryType",
            state,
            self.md_entry_type,
            &mut bits,
            &mut out,
            &mut dictionaries.global_md_entry_type,
            Some(0),
        )?;
        rt::write_delta(
            "MDEntryID",
            state,
            self.md_entry_id,
            &mut out,
            &mut dictionaries.global_md_entry_id,
            None,
        )?;
        let value = rt::decimal("MDEntryPx", self.md_entry_px)?;
        rt::write_copy(
            "MDEntryPx",
            state,
            value.exponent,
            &mut bits,
            &mut out,
            &mut dictionaries.global_md_entry_px_exponent,
            Some(-2),
        )?;
        rt::write_delta(
            "MDEntryPx",
            state,
            value.mantissa,
            &mut out,
            &mut dictionaries.global_md_entry_px_mantissa,
            None,
        )?;
        rt::write_plain(self.md_entry_size, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

impl Heartbeat {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Heartbeat;
        rt::write_identifier(state, template, 4, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_plain(self.sending_time, &mut out);
        bits.finish(&mut out);
        Ok(out)
    }
}

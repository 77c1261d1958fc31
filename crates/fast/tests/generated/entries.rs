// Generated from entries.xml by saker-fast. Do not edit: change the templates.
//
// Templates: IncrementalRefresh.

use saker_fast::runtime as rt;

/// Template `IncrementalRefresh`, identifier 30.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncrementalRefresh {
    /// `MsgSeqNum` (34): uInt32, increment.
    pub msg_seq_num: u32,
    /// `SendingTime` (52): uInt64, delta.
    pub sending_time: u64,
    /// `TradeDate` (75): uInt32, copy.
    pub trade_date: u32,
    /// `MDEntries` (268): sequence.
    pub md_entries: rt::Sequence<IncrementalRefreshMdEntries>,
}

impl IncrementalRefresh {
    /// `ApplVerID` (1128): constant.
    pub const APPL_VER_ID: &'static str = "9";

    /// `MessageType` (35): constant.
    pub const MESSAGE_TYPE: &'static str = "X";
}

impl IncrementalRefresh {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("ApplVerID", Some(1128), rt::Value::Ascii(Self::APPL_VER_ID.as_bytes()));
        visitor.field("MessageType", Some(35), rt::Value::Ascii(Self::MESSAGE_TYPE.as_bytes()));
        rt::visit_scalar("MsgSeqNum", Some(34), self.msg_seq_num, visitor);
        rt::visit_scalar("SendingTime", Some(52), self.sending_time, visitor);
        rt::visit_scalar("TradeDate", Some(75), self.trade_date, visitor);
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
    /// `MDUpdateAction` (279): uInt32, copy.
    pub md_update_action: u32,
    /// `MDPriceLevel` (1023): optional uInt32, default.
    pub md_price_level: Option<u32>,
    /// `MDEntryType` (269): ASCII string, copy.
    pub md_entry_type: rt::Ascii,
    /// `SecurityID` (48): uInt32, copy.
    pub security_id: u32,
    /// `RptSeq` (83): uInt32, increment.
    pub rpt_seq: u32,
    /// `MDEntryPx` (270): decimal, exponent default, mantissa delta.
    pub md_entry_px: rt::Decimal,
    /// `MDEntryTime` (273): uInt32, copy.
    pub md_entry_time: u32,
    /// `MDEntrySize` (271): optional int32, delta.
    pub md_entry_size: Option<i32>,
    /// `NumberOfOrders` (346): optional uInt32, delta.
    pub number_of_orders: Option<u32>,
    /// `TradingSessionID` (336): optional ASCII string, default.
    pub trading_session_id: rt::Optional<rt::Ascii>,
    /// `NetChgPrevDay` (451): optional decimal, delta.
    pub net_chg_prev_day: Option<rt::Decimal>,
    /// `TradeVolume` (1020): optional uInt32, copy.
    pub trade_volume: Option<u32>,
    /// `TradeCondition` (277): optional ASCII string, copy.
    pub trade_condition: rt::Optional<rt::Ascii>,
    /// `TickDirection` (274): optional ASCII string.
    pub tick_direction: rt::Optional<rt::Ascii>,
    /// `QuoteCondition` (276): optional ASCII string.
    pub quote_condition: rt::Optional<rt::Ascii>,
}

impl IncrementalRefreshMdEntries {
    /// `SecurityIDSource` (22): constant.
    pub const SECURITY_ID_SOURCE: u32 = 9;
}

impl IncrementalRefreshMdEntries {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("MDUpdateAction", Some(279), self.md_update_action, visitor);
        rt::visit_scalar("MDPriceLevel", Some(1023), self.md_price_level, visitor);
        rt::visit_text("MDEntryType", Some(269), &self.md_entry_type, visitor);
        visitor.field(
            "SecurityIDSource",
            Some(22),
            rt::Value::UInt(Self::SECURITY_ID_SOURCE as u64),
        );
        rt::visit_scalar("SecurityID", Some(48), self.security_id, visitor);
        rt::visit_scalar("RptSeq", Some(83), self.rpt_seq, visitor);
        rt::visit_scalar("MDEntryPx", Some(270), self.md_entry_px, visitor);
        rt::visit_scalar("MDEntryTime", Some(273), self.md_entry_time, visitor);
        rt::visit_scalar("MDEntrySize", Some(271), self.md_entry_size, visitor);
        rt::visit_scalar("NumberOfOrders", Some(346), self.number_of_orders, visitor);
        rt::visit_text("TradingSessionID", Some(336), &self.trading_session_id, visitor);
        rt::visit_scalar("NetChgPrevDay", Some(451), self.net_chg_prev_day, visitor);
        rt::visit_scalar("TradeVolume", Some(1020), self.trade_volume, visitor);
        rt::visit_text("TradeCondition", Some(277), &self.trade_condition, visitor);
        rt::visit_text("TickDirection", Some(274), &self.tick_direction, visitor);
        rt::visit_text("QuoteCondition", Some(276), &self.quote_condition, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `IncrementalRefresh`, identifier 30.
    IncrementalRefresh,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            30 => Some(Self::IncrementalRefresh),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::IncrementalRefresh => 30,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IncrementalRefresh => "IncrementalRefresh",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `IncrementalRefresh`.
    IncrementalRefresh(&'m IncrementalRefresh),
}

impl<'m> From<&'m IncrementalRefresh> for Message<'m> {
    fn from(message: &'m IncrementalRefresh) -> Self {
        Self::IncrementalRefresh(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::IncrementalRefresh(_) => Template::IncrementalRefresh,
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
            Self::IncrementalRefresh(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    incremental_refresh: Option<Box<IncrementalRefresh>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::IncrementalRefresh => {
                self.incremental_refresh.as_deref().map(Message::IncrementalRefresh)
            }
        }
    }

    /// Makes it a message of template `IncrementalRefresh` and returns that, as it was when it was
    /// last one.
    pub fn insert_incremental_refresh(&mut self) -> &mut IncrementalRefresh {
        self.current = Some(Template::IncrementalRefresh);
        self.incremental_refresh.get_or_insert_default()
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
    /// For `MsgSeqNum` in the global dictionary.
    global_msg_seq_num: rt::Previous<u32>,
    /// For `SendingTime` in the global dictionary.
    global_sending_time: rt::Previous<u64>,
    /// For `TradeDate` in the global dictionary.
    global_trade_date: rt::Previous<u32>,
    /// For `MDUpdateAction` in the global dictionary.
    global_md_update_action: rt::Previous<u32>,
    /// For `MDEntryType` in the global dictionary.
    global_md_entry_type: rt::PreviousText,
    /// For `SecurityID` in the global dictionary.
    global_security_id: rt::Previous<u32>,
    /// For `RptSeq` in the global dictionary.
    global_rpt_seq: rt::Previous<u32>,
    /// For the mantissa of `MDEntryPx` in the global dictionary.
    global_md_entry_px_mantissa: rt::Previous<i64>,
    /// For `MDEntryTime` in the global dictionary.
    global_md_entry_time: rt::Previous<u32>,
    /// For `MDEntrySize` in the global dictionary.
    global_md_entry_size: rt::Previous<i32>,
    /// For `NumberOfOrders` in the global dictionary.
    global_number_of_orders: rt::Previous<u32>,
    /// For `NetChgPrevDay` in the global dictionary.
    global_net_chg_prev_day: rt::Previous<rt::Decimal>,
    /// For `TradeVolume` in the global dictionary.
    global_trade_volume: rt::Previous<u32>,
    /// For `TradeCondition` in the global dictionary.
    global_trade_condition: rt::PreviousText,
}

impl Dictionaries {
    fn reset_named(&mut self, name: &str) {
        if name == "global" {
            self.global_msg_seq_num.reset();
            self.global_sending_time.reset();
            self.global_trade_date.reset();
            self.global_md_update_action.reset();
            self.global_md_entry_type.reset();
            self.global_security_id.reset();
            self.global_rpt_seq.reset();
            self.global_md_entry_px_mantissa.reset();
            self.global_md_entry_time.reset();
            self.global_md_entry_size.reset();
            self.global_number_of_orders.reset();
            self.global_net_chg_prev_day.reset();
            self.global_trade_volume.reset();
            self.global_trade_condition.reset();
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
        Template::IncrementalRefresh => {
            let message = messages.insert_incremental_refresh();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl IncrementalRefresh {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        mut presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.msg_seq_num = rt::increment(
            "MsgSeqNum",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_msg_seq_num,
            None,
        )?;
        self.sending_time = rt::delta(
            "SendingTime",
            state,
            &mut input,
            &mut dictionaries.global_sending_time,
            None,
        )?;
        self.trade_date = rt::copy(
            "TradeDate",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_trade_date,
            None,
        )?;
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
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        let mut presence = rt::Presence::read(&mut input, state)?;
        self.md_update_action = rt::copy(
            "MDUpdateAction",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_md_update_action,
            Some(1),
        )?;
        self.md_price_level =
            rt::default("MDPriceLevel", state, &mut input, &mut presence, Some(1))?;
        rt::copy_text(
            "MDEntryType",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_md_entry_type,
            Some(b"0"),
            &mut self.md_entry_type,
        )?;
        self.security_id = rt::copy(
            "SecurityID",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_security_id,
            None,
        )?;
        self.rpt_seq = rt::increment(
            "RptSeq",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_rpt_seq,
            None,
        )?;
        let exponent: i32 = rt::default("MDEntryPx", state, &mut input, &mut presence, Some(0))?;
        let exponent = rt::exponent("MDEntryPx", &input, exponent)?;
        let mantissa: i64 = rt::delta(
            "MDEntryPx",
            state,
            &mut input,
            &mut dictionaries.global_md_entry_px_mantissa,
            None,
        )?;
        self.md_entry_px = rt::Decimal::new(mantissa, exponent);
        self.md_entry_time = rt::copy(
            "MDEntryTime",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_md_entry_time,
            None,
        )?;
        self.md_entry_size = rt::delta(
            "MDEntrySize",
            state,
            &mut input,
            &mut dictionaries.global_md_entry_size,
            None,
        )?;
        self.number_of_orders = rt::delta(
            "NumberOfOrders",
            state,
            &mut input,
            &mut dictionaries.global_number_of_orders,
            None,
        )?;
        rt::default_text(
            "TradingSessionID",
            state,
            &mut input,
            &mut presence,
            Some(b"2"),
            &mut self.trading_session_id,
        )?;
        self.net_chg_prev_day = rt::decimal_delta(
            "NetChgPrevDay",
            state,
            &mut input,
            &mut dictionaries.global_net_chg_prev_day,
            None,
        )?;
        self.trade_volume = rt::copy(
            "TradeVolume",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_trade_volume,
            None,
        )?;
        rt::copy_text(
            "TradeCondition",
            state,
            &mut input,
            &mut presence,
            &mut dictionaries.global_trade_condition,
            None,
            &mut self.trade_condition,
        )?;
        rt::text("TickDirection", state, &mut input, &mut self.tick_direction)?;
        rt::text("QuoteCondition", state, &mut input, &mut self.quote_condition)?;
        presence.finish(&input, state)?;
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

/// A segment with a template identifier.
fn encode_message<'o>(
    state: &mut rt::EncoderState,
    dictionaries: &mut Dictionaries,
    message: Message<'_>,
    out: rt::Output<'o>,
) -> Result<rt::Output<'o>, rt::Refusal> {
    let template = message.template();
    let outcome = match message {
        Message::IncrementalRefresh(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl IncrementalRefresh {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(3, &mut out);
        let template = Template::IncrementalRefresh;
        rt::write_identifier(state, template, 30, &mut dictionaries.template, &mut bits, &mut out);
        rt::write_increment(
            "MsgSeqNum",
            state,
            self.msg_seq_num,
            &mut bits,
            &mut out,
            &mut dictionaries.global_msg_seq_num,
            None,
        )?;
        rt::write_delta(
            "SendingTime",
            state,
            self.sending_time,
            &mut out,
            &mut dictionaries.global_sending_time,
            None,
        )?;
        rt::write_copy(
            "TradeDate",
            state,
            self.trade_date,
            &mut bits,
            &mut out,
            &mut dictionaries.global_trade_date,
            None,
        )?;
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
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(10, &mut out);
        rt::write_copy(
            "MDUpdateAction",
            state,
            self.md_update_action,
            &mut bits,
            &mut out,
            &mut dictionaries.global_md_update_action,
            Some(1),
        )?;
        rt::write_default(self.md_price_level, &mut bits, &mut out, Some(1));
        rt::write_copy_text(
            "MDEntryType",
            state,
            &self.md_entry_type,
            &mut bits,
            &mut out,
            &mut dictionaries.global_md_entry_type,
            Some(b"0"),
        )?;
        rt::write_copy(
            "SecurityID",
            state,
            self.security_id,
            &mut bits,
            &mut out,
            &mut dictionaries.global_security_id,
            None,
        )?;
        rt::write_increment(
            "RptSeq",
            state,
            self.rpt_seq,
            &mut bits,
            &mut out,
            &mut dictionaries.global_rpt_seq,
            None,
        )?;
        let value = rt::decimal("MDEntryPx", self.md_entry_px)?;
        rt::write_default(value.exponent, &mut bits, &mut out, Some(0));
        rt::write_delta(
            "MDEntryPx",
            state,
            value.mantissa,
            &mut out,
            &mut dictionaries.global_md_entry_px_mantissa,
            None,
        )?;
        rt::write_copy(
            "MDEntryTime",
            state,
            self.md_entry_time,
            &mut bits,
            &mut out,
            &mut dictionaries.global_md_entry_time,
            None,
        )?;
        rt::write_delta(
            "MDEntrySize",
            state,
            self.md_entry_size,
            &mut out,
            &mut dictionaries.global_md_entry_size,
            None,
        )?;
        rt::write_delta(
            "NumberOfOrders",
            state,
            self.number_of_orders,
            &mut out,
            &mut dictionaries.global_number_of_orders,
            None,
        )?;
        rt::write_default_text(
            "TradingSessionID",
            state,
            &self.trading_session_id,
            &mut bits,
            &mut out,
            Some(b"2"),
        )?;
        let value = rt::decimal("NetChgPrevDay", self.net_chg_prev_day)?;
        rt::write_decimal_delta(
            "NetChgPrevDay",
            state,
            value,
            &mut out,
            &mut dictionaries.global_net_chg_prev_day,
            None,
        )?;
        rt::write_copy(
            "TradeVolume",
            state,
            self.trade_volume,
            &mut bits,
            &mut out,
            &mut dictionaries.global_trade_volume,
            None,
        )?;
        rt::write_copy_text(
            "TradeCondition",
            state,
            &self.trade_condition,
            &mut bits,
            &mut out,
            &mut dictionaries.global_trade_condition,
            None,
        )?;
        rt::write_text("TickDirection", state, &self.tick_direction, &mut out)?;
        rt::write_text("QuoteCondition", state, &self.quote_condition, &mut out)?;
        bits.finish(&mut out);
        Ok(out)
    }
}

// Generated from market.xml by saker-fast. Do not edit: change the templates.
//
// Templates: Refresh.

use saker_fast::runtime as rt;

/// Template `Refresh`, identifier 2521.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    /// `Number` (34): uInt32.
    pub number: u32,
    /// `SentAt` (52): uInt64.
    pub sent_at: u64,
    /// `Entries` (268): sequence.
    pub entries: rt::Sequence<RefreshEntries>,
}

impl Refresh {
    /// `Kind` (35): constant.
    pub const KIND: &'static str = "X";

    /// `Application` (1128): constant.
    pub const APPLICATION: &'static str = "9";

    /// `Protocol` (8): constant.
    pub const PROTOCOL: &'static str = "FIXT.1.1";

    /// `Sender` (49): constant.
    pub const SENDER: &'static str = "MOEX";
}

impl Refresh {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        visitor.field("Kind", Some(35), rt::Value::Ascii(Self::KIND.as_bytes()));
        visitor.field("Application", Some(1128), rt::Value::Ascii(Self::APPLICATION.as_bytes()));
        visitor.field("Protocol", Some(8), rt::Value::Ascii(Self::PROTOCOL.as_bytes()));
        visitor.field("Sender", Some(49), rt::Value::Ascii(Self::SENDER.as_bytes()));
        rt::visit_scalar("Number", Some(34), self.number, visitor);
        rt::visit_scalar("SentAt", Some(52), self.sent_at, visitor);
        visitor.begin_sequence("Entries", Some(268), self.entries.len());
        for (index, element) in self.entries.iter().enumerate() {
            visitor.begin_element(index);
            element.visit(visitor);
            visitor.end_element();
        }
        visitor.end_sequence("Entries");
    }
}

/// An element of sequence `Entries` (268).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshEntries {
    /// `Action` (279): optional uInt32.
    pub action: Option<u32>,
    /// `Side` (269): ASCII string.
    pub side: rt::Ascii,
    /// `Order` (278): optional ASCII string.
    pub order: rt::Optional<rt::Ascii>,
    /// `Instrument` (55): optional ASCII string.
    pub instrument: rt::Optional<rt::Ascii>,
    /// `ReportNumber` (83): optional int32.
    pub report_number: Option<i32>,
    /// `Date` (272): optional uInt32.
    pub date: Option<u32>,
    /// `Time` (273): optional uInt32.
    pub time: Option<u32>,
    /// `Micros` (9412): optional uInt32.
    pub micros: Option<u32>,
    /// `Aggressor` (10504): optional ASCII string.
    pub aggressor: rt::Optional<rt::Ascii>,
    /// `Price` (270): optional decimal.
    pub price: Option<rt::Decimal>,
    /// `Size` (271): optional decimal.
    pub size: Option<rt::Decimal>,
    /// `Accrued` (5384): optional decimal.
    pub accrued: Option<rt::Decimal>,
    /// `Turnover` (6143): optional decimal.
    pub turnover: Option<rt::Decimal>,
    /// `YieldToMaturity` (236): optional decimal.
    pub yield_to_maturity: Option<rt::Decimal>,
    /// `SettlementDate` (64): optional uInt32.
    pub settlement_date: Option<u32>,
    /// `SettlementCode` (5459): optional ASCII string.
    pub settlement_code: rt::Optional<rt::Ascii>,
    /// `RepoPrice` (44): optional decimal.
    pub repo_price: Option<rt::Decimal>,
    /// `RepoPriceKind` (423): optional int32.
    pub repo_price_kind: Option<i32>,
    /// `RepoRate` (5677): optional decimal.
    pub repo_rate: Option<rt::Decimal>,
    /// `BuyBackPrice` (5558): optional decimal.
    pub buy_back_price: Option<rt::Decimal>,
    /// `BuyBackDate` (5559): optional uInt32.
    pub buy_back_date: Option<u32>,
    /// `Board` (336): optional ASCII string.
    pub board: rt::Optional<rt::Ascii>,
    /// `Phase` (625): optional ASCII string.
    pub phase: rt::Optional<rt::Ascii>,
    /// `Reference` (1080): optional ASCII string.
    pub reference: rt::Optional<rt::Ascii>,
}

impl RefreshEntries {
    /// Shows all fields to a visitor, in the order of the template.
    #[inline]
    pub fn visit(&self, visitor: &mut impl rt::FieldVisitor) {
        rt::visit_scalar("Action", Some(279), self.action, visitor);
        rt::visit_text("Side", Some(269), &self.side, visitor);
        rt::visit_text("Order", Some(278), &self.order, visitor);
        rt::visit_text("Instrument", Some(55), &self.instrument, visitor);
        rt::visit_scalar("ReportNumber", Some(83), self.report_number, visitor);
        rt::visit_scalar("Date", Some(272), self.date, visitor);
        rt::visit_scalar("Time", Some(273), self.time, visitor);
        rt::visit_scalar("Micros", Some(9412), self.micros, visitor);
        rt::visit_text("Aggressor", Some(10504), &self.aggressor, visitor);
        rt::visit_scalar("Price", Some(270), self.price, visitor);
        rt::visit_scalar("Size", Some(271), self.size, visitor);
        rt::visit_scalar("Accrued", Some(5384), self.accrued, visitor);
        rt::visit_scalar("Turnover", Some(6143), self.turnover, visitor);
        rt::visit_scalar("YieldToMaturity", Some(236), self.yield_to_maturity, visitor);
        rt::visit_scalar("SettlementDate", Some(64), self.settlement_date, visitor);
        rt::visit_text("SettlementCode", Some(5459), &self.settlement_code, visitor);
        rt::visit_scalar("RepoPrice", Some(44), self.repo_price, visitor);
        rt::visit_scalar("RepoPriceKind", Some(423), self.repo_price_kind, visitor);
        rt::visit_scalar("RepoRate", Some(5677), self.repo_rate, visitor);
        rt::visit_scalar("BuyBackPrice", Some(5558), self.buy_back_price, visitor);
        rt::visit_scalar("BuyBackDate", Some(5559), self.buy_back_date, visitor);
        rt::visit_text("Board", Some(336), &self.board, visitor);
        rt::visit_text("Phase", Some(625), &self.phase, visitor);
        rt::visit_text("Reference", Some(1080), &self.reference, visitor);
    }
}

/// Tells templates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// `Refresh`, identifier 2521.
    Refresh,
}

impl Template {
    /// The template with an identifier of the stream.
    pub const fn by_id(id: u32) -> Option<Self> {
        match id {
            2521 => Some(Self::Refresh),
            _ => None,
        }
    }

    /// The identifier in the stream.
    pub const fn id(self) -> u32 {
        match self {
            Self::Refresh => 2521,
        }
    }

    /// The name in the definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refresh => "Refresh",
        }
    }
}

/// A message of any template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message<'m> {
    /// A message of template `Refresh`.
    Refresh(&'m Refresh),
}

impl<'m> From<&'m Refresh> for Message<'m> {
    fn from(message: &'m Refresh) -> Self {
        Self::Refresh(message)
    }
}

impl Message<'_> {
    /// Its template.
    pub const fn template(&self) -> Template {
        match self {
            Self::Refresh(_) => Template::Refresh,
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
            Self::Refresh(message) => message.visit(visitor),
        }
    }
}

/// A message of any template, or none yet. It keeps the memory of the last message of each
/// template.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    current: Option<Template>,
    refresh: Option<Box<Refresh>>,
}

impl Messages {
    /// The message.
    #[inline(always)]
    pub fn get(&self) -> Option<Message<'_>> {
        match self.current? {
            Template::Refresh => self.refresh.as_deref().map(Message::Refresh),
        }
    }

    /// Makes it a message of template `Refresh` and returns that, as it was when it was last one.
    pub fn insert_refresh(&mut self) -> &mut Refresh {
        self.current = Some(Template::Refresh);
        self.refresh.get_or_insert_default()
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
        Template::Refresh => {
            let message = messages.insert_refresh();
            message.decode(state, dictionaries, input, presence)
        }
    };
    outcome.map_err(|failure| failure.within(template.name()))
}

impl Refresh {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
        presence: rt::Presence,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.number = rt::plain("Number", state, &mut input)?;
        self.sent_at = rt::plain("SentAt", state, &mut input)?;
        let length: u32 = rt::plain("Entries", state, &mut input)?;
        state.enter_sequence("Entries", length, &input)?;
        self.entries.clear();
        for _ in 0..length {
            let element = self.entries.reuse();
            let outcome = element.decode(state, dictionaries, input);
            input = outcome.map_err(|failure| failure.at("Entries"))?;
        }
        state.leave();
        presence.finish(&input, state)?;
        Ok(input)
    }
}

impl RefreshEntries {
    fn decode<'i>(
        &mut self,
        state: &mut rt::DecoderState,
        _dictionaries: &mut Dictionaries,
        input: rt::Cursor<'i>,
    ) -> Result<rt::Cursor<'i>, rt::Failure> {
        let mut input = input.local();
        self.action = rt::plain("Action", state, &mut input)?;
        rt::text("Side", state, &mut input, &mut self.side)?;
        rt::text("Order", state, &mut input, &mut self.order)?;
        rt::text("Instrument", state, &mut input, &mut self.instrument)?;
        self.report_number = rt::plain("ReportNumber", state, &mut input)?;
        self.date = rt::plain("Date", state, &mut input)?;
        self.time = rt::plain("Time", state, &mut input)?;
        self.micros = rt::plain("Micros", state, &mut input)?;
        rt::text("Aggressor", state, &mut input, &mut self.aggressor)?;
        self.price = rt::plain("Price", state, &mut input)?;
        self.size = rt::plain("Size", state, &mut input)?;
        self.accrued = rt::plain("Accrued", state, &mut input)?;
        self.turnover = rt::plain("Turnover", state, &mut input)?;
        self.yield_to_maturity = rt::plain("YieldToMaturity", state, &mut input)?;
        self.settlement_date = rt::plain("SettlementDate", state, &mut input)?;
        rt::text("SettlementCode", state, &mut input, &mut self.settlement_code)?;
        self.repo_price = rt::plain("RepoPrice", state, &mut input)?;
        self.repo_price_kind = rt::plain("RepoPriceKind", state, &mut input)?;
        self.repo_rate = rt::plain("RepoRate", state, &mut input)?;
        self.buy_back_price = rt::plain("BuyBackPrice", state, &mut input)?;
        self.buy_back_date = rt::plain("BuyBackDate", state, &mut input)?;
        rt::text("Board", state, &mut input, &mut self.board)?;
        rt::text("Phase", state, &mut input, &mut self.phase)?;
        rt::text("Reference", state, &mut input, &mut self.reference)?;
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
        Template::Refresh => state.show::<Refresh>(bytes, header, template.name(), visitor),
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

impl rt::Streamed for Refresh {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        visitor.field("Kind", Some(35), rt::Value::Ascii(Self::KIND.as_bytes()));
        visitor.field("Application", Some(1128), rt::Value::Ascii(Self::APPLICATION.as_bytes()));
        visitor.field("Protocol", Some(8), rt::Value::Ascii(Self::PROTOCOL.as_bytes()));
        visitor.field("Sender", Some(49), rt::Value::Ascii(Self::SENDER.as_bytes()));
        let field = rt::FieldName::new("Number", "Number", Some(34));
        fields.unsigned::<false>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("SentAt", "SentAt", Some(52));
        fields.unsigned::<false>(field, u64::MAX, visitor)?;
        let length = fields.length::<false>("Entries")?;
        if let Some(length) = length {
            fields.enter_sequence("Entries", length)?;
            visitor.begin_sequence("Entries", Some(268), length as usize);
            for index in 0..length as usize {
                visitor.begin_element(index);
                fields.begin_element();
                <RefreshEntries as rt::Streamed>::show(fields, visitor)?;
                visitor.end_element();
            }
            fields.leave();
            visitor.end_sequence("Entries");
        }
        Ok(())
    }
}

impl rt::Streamed for RefreshEntries {
    #[inline(always)]
    fn show<G: rt::Groups>(
        fields: &mut rt::Fields<'_, '_, G>,
        visitor: &mut impl rt::FieldVisitor,
    ) -> Result<(), rt::Failure> {
        let field = rt::FieldName::new("Action", "Action", Some(279));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Side", "Side", Some(269));
        fields.ascii::<false>(field, visitor)?;
        let field = rt::FieldName::new("Order", "Order", Some(278));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("Instrument", "Instrument", Some(55));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("ReportNumber", "ReportNumber", Some(83));
        fields.signed::<true>(field, i32::MAX as u64, visitor)?;
        let field = rt::FieldName::new("Date", "Date", Some(272));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Time", "Time", Some(273));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Micros", "Micros", Some(9412));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Aggressor", "Aggressor", Some(10504));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("Price", "Price", Some(270));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("Size", "Size", Some(271));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("Accrued", "Accrued", Some(5384));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("Turnover", "Turnover", Some(6143));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("YieldToMaturity", "YieldToMaturity", Some(236));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("SettlementDate", "SettlementDate", Some(64));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("SettlementCode", "SettlementCode", Some(5459));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("RepoPrice", "RepoPrice", Some(44));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("RepoPriceKind", "RepoPriceKind", Some(423));
        fields.signed::<true>(field, i32::MAX as u64, visitor)?;
        let field = rt::FieldName::new("RepoRate", "RepoRate", Some(5677));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("BuyBackPrice", "BuyBackPrice", Some(5558));
        fields.decimal::<true>(field, visitor)?;
        let field = rt::FieldName::new("BuyBackDate", "BuyBackDate", Some(5559));
        fields.unsigned::<true>(field, u32::MAX.into(), visitor)?;
        let field = rt::FieldName::new("Board", "Board", Some(336));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("Phase", "Phase", Some(625));
        fields.ascii::<true>(field, visitor)?;
        let field = rt::FieldName::new("Reference", "Reference", Some(1080));
        fields.ascii::<true>(field, visitor)?;
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
        Message::Refresh(message) => message.encode(state, dictionaries, out),
    };
    outcome.map_err(|refusal| refusal.within(template.name()))
}

impl Refresh {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        let mut bits = rt::PresenceBits::reserve(1, &mut out);
        let template = Template::Refresh;
        rt::write_identifier(
            state,
            template,
            2521,
            &mut dictionaries.template,
            &mut bits,
            &mut out,
        );
        rt::write_plain(self.number, &mut out);
        rt::write_plain(self.sent_at, &mut out);
        let length = rt::length("Entries", self.entries.len())?;
        rt::write_plain(length, &mut out);
        state.enter("Entries")?;
        for element in &self.entries {
            out = element.encode(state, dictionaries, out)?;
        }
        state.leave();
        bits.finish(&mut out);
        Ok(out)
    }
}

impl RefreshEntries {
    fn encode<'o>(
        &self,
        state: &mut rt::EncoderState,
        _dictionaries: &mut Dictionaries,
        mut out: rt::Output<'o>,
    ) -> Result<rt::Output<'o>, rt::Refusal> {
        rt::write_plain(self.action, &mut out);
        rt::write_text("Side", state, &self.side, &mut out)?;
        rt::write_text("Order", state, &self.order, &mut out)?;
        rt::write_text("Instrument", state, &self.instrument, &mut out)?;
        rt::write_plain(self.report_number, &mut out);
        rt::write_plain(self.date, &mut out);
        rt::write_plain(self.time, &mut out);
        rt::write_plain(self.micros, &mut out);
        rt::write_text("Aggressor", state, &self.aggressor, &mut out)?;
        let value = rt::decimal("Price", self.price)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("Size", self.size)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("Accrued", self.accrued)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("Turnover", self.turnover)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("YieldToMaturity", self.yield_to_maturity)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.settlement_date, &mut out);
        rt::write_text("SettlementCode", state, &self.settlement_code, &mut out)?;
        let value = rt::decimal("RepoPrice", self.repo_price)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.repo_price_kind, &mut out);
        let value = rt::decimal("RepoRate", self.repo_rate)?;
        rt::write_plain(value, &mut out);
        let value = rt::decimal("BuyBackPrice", self.buy_back_price)?;
        rt::write_plain(value, &mut out);
        rt::write_plain(self.buy_back_date, &mut out);
        rt::write_text("Board", state, &self.board, &mut out)?;
        rt::write_text("Phase", state, &self.phase, &mut out)?;
        rt::write_text("Reference", state, &self.reference, &mut out)?;
        Ok(out)
    }
}

//! What the logic must make of the feed: its arbitration, books and staleness, as software.
//!
//! The rules are those of `rtl/net/ab_arbiter.sv` and `rtl/top/market_admit.sv`. They differ from the
//! trader's own ([`saker_trader::arbitrate`], [`saker_trader::recovery`]) in that nothing is ever
//! buffered: of a hole, the other line's copy comes too late for the logic, and the host mends its
//! books. Decoder, normaliser and book are the trader's.

use saker_book::{BookError, Level, Order, OrderBook, Side};
use saker_fast::{Decoder, DecoderOptions, ResetPolicy, Templates};
use saker_feed::event::{Action, EntryKind, Side as FeedSide};
use saker_feed::normalize::{
    Entry, Event, InstrumentIndex, Instruments, InstrumentsConfig, Normalizer, TagMap,
};
use saker_trader::books::Change;

use crate::answers::{Answer, AnswerCode, EntryOp, Quote};
use crate::decoded::{Collector, MessageItems};

/// Events of one message.
const MAX_EVENTS: usize = 4_096;

/// How the feed is framed and read.
#[derive(Debug, Clone)]
pub struct FeedFormat {
    /// The feed's templates.
    pub templates: Templates,
    /// Bytes before the messages of a packet.
    pub preamble: usize,
    /// When the dictionaries are reset.
    pub reset: ResetPolicy,
    /// What makes instruments.
    pub instruments: InstrumentsConfig,
    /// Holes in RptSeq are only counted.
    pub counted: bool,
}

/// An instrument that the logic has a book of.
#[derive(Debug)]
struct Watched {
    feed: InstrumentIndex,
    book: OrderBook,
    last_trade: Option<(i64, u64)>,
    live: bool,
    suspect: bool,
    /// The highest RptSeq seen.
    rpt_seq: u32,
    /// RptSeq of the last entry in the book.
    applied: u32,
    /// Something was not shown.
    owed: bool,
    /// A packet that ended badly may have touched it: nothing is known of it until it is made anew.
    unknown: bool,
    quotes: [Option<Quote>; 2],
}

/// What a packet leads to, told in order.
pub enum Step<'a> {
    /// A message was decoded; this is what the engine must say.
    Message(MessageItems),
    /// The market must answer an entry so.
    Answer(Answer),
    /// The strategies must be shown this, of the instrument with this index.
    Show(usize, Change),
    /// The packet does not pass.
    Dropped(&'a str),
}

/// The logic's market as software.
pub struct Reference {
    format: FeedFormat,
    decoder: Decoder,
    normalizer: Normalizer,
    /// The awaited packet number.
    expected: Option<u32>,
    watched: Vec<Watched>,
    /// Instruments whose top the message at hand has changed, in order.
    moved: Vec<usize>,
}

impl Reference {
    /// Nothing watched, nothing seen.
    pub fn new(format: FeedFormat) -> Self {
        let options = DecoderOptions::with_reset(format.reset);
        Self {
            decoder: Decoder::new(&format.templates, options),
            normalizer: Normalizer::new(
                TagMap::new(&format.templates),
                format.instruments,
                MAX_EVENTS,
            ),
            expected: None,
            watched: Vec::new(),
            moved: Vec::new(),
            format,
        }
    }

    /// Watches these instruments, the logic's index being the place in the list: stale until
    /// [`Reference::live`].
    pub fn watch(&mut self, instruments: impl IntoIterator<Item = InstrumentIndex>, orders: usize) {
        self.watched = instruments
            .into_iter()
            .map(|feed| Watched {
                feed,
                book: OrderBook::with_capacity(orders),
                last_trade: None,
                live: false,
                suspect: false,
                rpt_seq: 0,
                applied: 0,
                owed: false,
                unknown: false,
                quotes: [None; 2],
            })
            .collect();
    }

    /// The instruments that were named so far.
    pub fn instruments(&self) -> &Instruments {
        self.normalizer.instruments()
    }

    /// A message of another stream: definitions make instruments known.
    pub fn learn(&mut self, payload: &[u8]) {
        let Some(mut rest) = payload.get(self.format.preamble..) else { return };
        self.decoder.begin_packet();
        while !rest.is_empty() {
            self.normalizer.clear();
            let Ok(length) = self.decoder.decode(rest, &mut self.normalizer) else {
                self.normalizer.abandon();
                break;
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        self.normalizer.clear();
        self.decoder.reset();
    }

    /// A packet of a channel came, with its preamble; `tell` is called for what it leads to.
    pub fn packet(&mut self, payload: &[u8], tell: &mut impl FnMut(Step<'_>)) {
        let Some(number) = payload.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
        else {
            return tell(Step::Dropped("too short"));
        };
        if let Some(expected) = self.expected {
            let ahead = number.wrapping_sub(expected);
            if ahead >> 31 == 1 {
                return tell(Step::Dropped("duplicate"));
            }
            if ahead != 0 && !self.format.counted {
                self.watched.iter_mut().for_each(|one| one.suspect = true);
            }
        }
        self.expected = Some(number.wrapping_add(1));
        let Some(mut rest) = payload.get(self.format.preamble..) else { return };
        self.decoder.begin_packet();
        while !rest.is_empty() {
            self.normalizer.clear();
            let mut collector = Collector::new(&mut self.normalizer);
            let decoded = self.decoder.decode(rest, &mut collector);
            let items = collector.finish(decoded.as_ref().map(|_| ()));
            tell(Step::Message(items));
            match decoded {
                Ok(length) => {
                    self.message(tell);
                    rest = rest.get(length..).unwrap_or_default();
                }
                Err(_) => {
                    self.normalizer.abandon();
                    self.decoder.reset();
                    return;
                }
            }
        }
    }

    /// A packet that the arbiter would let pass ended badly: nothing is known of what it touched, and
    /// its number is still awaited.
    pub fn bad_packet(&mut self) {
        self.watched.iter_mut().for_each(|one| one.unknown = true);
    }

    fn message(&mut self, tell: &mut impl FnMut(Step<'_>)) {
        for at in 0..self.normalizer.events().len() {
            let event = self.normalizer.events()[at];
            match event {
                Event::Entry(entry) => {
                    if let Some(index) = self.index_of(entry.instrument) {
                        self.entry(index, &entry, tell);
                    }
                }
                Event::Other { instrument, rpt_seq } => {
                    if let Some(index) = self.index_of(instrument) {
                        let (answer, _) = self.admit(index, rpt_seq);
                        tell(Step::Answer(self.answer(index, EntryOp::Other, answer, rpt_seq)));
                    }
                }
                Event::Broken { instrument } => {
                    if let Some(index) = self.index_of(instrument) {
                        if !self.format.counted {
                            self.watched[index].live = false;
                        }
                        let answer = AnswerCode::Broken;
                        tell(Step::Answer(self.answer(index, EntryOp::Broken, answer, 0)));
                    }
                }
                _ => {}
            }
        }
        for index in std::mem::take(&mut self.moved) {
            self.show(index, Change::Top(self.watched[index].book.top()), tell);
        }
    }

    fn index_of(&self, feed: InstrumentIndex) -> Option<usize> {
        self.watched.iter().position(|one| one.feed == feed)
    }

    fn entry(&mut self, index: usize, entry: &Entry, tell: &mut impl FnMut(Step<'_>)) {
        let op = EntryOp::of(&entry.kind);
        let (mut answer, apply) = self.admit(index, entry.rpt_seq);
        let mut change = None;
        if apply {
            match self.apply(index, entry) {
                Ok(found) => change = Some(found),
                Err(error) => {
                    answer = AnswerCode::of_refusal(&error);
                    if !self.format.counted {
                        self.watched[index].live = false;
                    }
                }
            }
        }
        tell(Step::Answer(self.answer(index, op, answer, entry.rpt_seq)));
        match change {
            Some(trade @ Change::Trade { .. }) => self.show(index, trade, tell),
            Some(Change::Top(_)) if !self.moved.contains(&index) => self.moved.push(index),
            _ => {}
        }
    }

    /// Whether an entry is in its turn.
    fn admit(&mut self, index: usize, rpt_seq: u32) -> (AnswerCode, bool) {
        let counted = self.format.counted;
        let one = &mut self.watched[index];
        let unchecked = counted || rpt_seq == 0;
        let (live, next) = (one.live, rpt_seq == one.rpt_seq.wrapping_add(1));
        let after = rpt_seq > one.rpt_seq;
        if unchecked || after {
            one.rpt_seq = rpt_seq;
        }
        if !live {
            one.owed = true;
            return (AnswerCode::Stale, false);
        }
        if unchecked || next {
            one.applied = rpt_seq;
            if !unchecked {
                one.suspect = false;
            }
            return (AnswerCode::Done, true);
        }
        if after {
            one.live = false;
            one.owed = true;
            return (AnswerCode::Gap, false);
        }
        (AnswerCode::Old, false)
    }

    /// Applies an entry to the book.
    fn apply(&mut self, index: usize, entry: &Entry) -> Result<Change, BookError> {
        let one = &mut self.watched[index];
        let (action, side, price, quantity) = match entry.kind {
            EntryKind::Trade { price, quantity } => {
                one.last_trade = Some((price.mantissa, quantity));
                return Ok(Change::Trade { price: price.mantissa, quantity });
            }
            EntryKind::Order { action, side, price, quantity } => (action, side, price, quantity),
        };
        let before = one.book.top();
        match action {
            Action::New => {
                one.book.add(entry.id, side_of(side), price.mantissa, quantity).map(drop)
            }
            Action::Change => one.book.change(entry.id, price.mantissa, quantity).map(drop),
            Action::Delete => one.book.remove(entry.id).map(drop),
        }?;
        let top = one.book.top();
        one.quotes = [Side::Buy, Side::Sell].map(|side| one.book.best(side).map(quote));
        Ok(if top == before { Change::Depth } else { Change::Top(top) })
    }

    fn answer(&self, index: usize, op: EntryOp, answer: AnswerCode, rpt_seq: u32) -> Answer {
        let one = &self.watched[index];
        let [bid, ask] = one.quotes;
        Answer {
            instrument: index,
            op,
            answer,
            from_host: false,
            rpt_seq,
            bid,
            ask,
            known: !one.unknown,
        }
    }

    fn show(&mut self, index: usize, change: Change, tell: &mut impl FnMut(Step<'_>)) {
        let one = &mut self.watched[index];
        if one.live && !one.suspect && !one.unknown {
            tell(Step::Show(index, change));
        } else {
            one.owed = true;
        }
    }

    // ------------------------------------------------------------ what the host does

    /// How many instruments are watched.
    pub fn watching(&self) -> usize {
        self.watched.len()
    }

    /// What the host must know to mend a book.
    pub fn state(&self, index: usize) -> Option<BookState> {
        self.watched.get(index).map(|one| BookState {
            feed: one.feed,
            trusted: one.live && !one.suspect && !one.unknown,
            live: one.live,
            sound: !one.unknown,
            seen: one.rpt_seq,
            applied: one.applied,
            owed: one.owed,
        })
    }

    /// The host empties the book.
    pub fn clear(&mut self, index: usize) {
        if let Some(one) = self.watched.get_mut(index) {
            one.book.clear();
            one.quotes = [None; 2];
            (one.rpt_seq, one.applied) = (0, 0);
            (one.live, one.unknown) = (false, false);
            one.owed = true;
        }
    }

    /// The host applies an entry to the book.
    ///
    /// # Errors
    /// The book refuses it.
    pub fn inject(&mut self, index: usize, entry: &Entry) -> Result<(), BookError> {
        match self.watched.get(index) {
            Some(_) => self.apply(index, entry).map(drop),
            None => Ok(()),
        }
    }

    /// The host loads a resting order into the book.
    pub fn load(&mut self, index: usize, order: &Order) {
        if let Some(one) = self.watched.get_mut(index) {
            // An order of another book rests there, so it can here.
            let _ = one.book.add(order.id, order.side, order.price, order.quantity);
            one.quotes = [Side::Buy, Side::Sell].map(|side| one.book.best(side).map(quote));
        }
    }

    /// The host says that the book holds everything up to `rpt_seq`. False if the feed is ahead.
    pub fn live(&mut self, index: usize, rpt_seq: u32) -> bool {
        match self.watched.get_mut(index) {
            Some(one) if rpt_seq >= one.rpt_seq || self.format.counted => {
                (one.live, one.suspect) = (true, false);
                (one.rpt_seq, one.applied) = (rpt_seq, rpt_seq);
                true
            }
            _ => false,
        }
    }

    /// Something of the instrument was not shown.
    pub fn owe(&mut self, index: usize) {
        if let Some(one) = self.watched.get_mut(index) {
            one.owed = true;
        }
    }

    /// The host has what was withheld shown: the last trade, if there is one, and the top.
    pub fn pay(&mut self, index: usize, last_trade: Option<(i64, u64)>) -> Vec<Change> {
        let Some(one) = self.watched.get_mut(index) else { return Vec::new() };
        one.owed = false;
        one.last_trade = last_trade;
        let trade = last_trade.map(|(price, quantity)| Change::Trade { price, quantity });
        trade.into_iter().chain([Change::Top(one.book.top())]).collect()
    }

    /// The book of an instrument.
    pub fn book(&self, index: usize) -> Option<&OrderBook> {
        self.watched.get(index).map(|one| &one.book)
    }
}

/// What the host must know to mend a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookState {
    /// The feed's index of the instrument.
    pub feed: InstrumentIndex,
    /// Live, and nothing speaks against it.
    pub trusted: bool,
    /// Live.
    pub live: bool,
    /// What is in the book is known.
    pub sound: bool,
    /// The highest RptSeq seen.
    pub seen: u32,
    /// RptSeq of the last entry in the book.
    pub applied: u32,
    /// Something was not shown.
    pub owed: bool,
}

/// The book's side.
pub fn side_of(side: FeedSide) -> Side {
    match side {
        FeedSide::Bid => Side::Buy,
        FeedSide::Offer => Side::Sell,
    }
}

fn quote(level: Level) -> Quote {
    Quote { price: level.price, quantity: level.quantity, orders: level.orders as u64 }
}

//! Replaying captured feeds: the trader's engines without machine and venue.
//!
//! What was captured goes through the same decoder, normaliser, books, strategies and prepared
//! slots as live packets do. Units come in one of three kinds:
//!
//! | unit | what it is | where the end is | after an error |
//! |---|---|---|---|
//! | [`Replay::message`] | preamble, one message | found by decoding | where the next begins is unknown |
//! | [`Replay::packet`] | preamble, messages to the end | given | the rest of the packet is lost, the next goes on |
//! | [`Replay::datagram`] | a packet of one of saker's streams on one of its lines | given | as live: a gap, then recovery |
//!
//! The first two are of any feed and belong to one stream without lines; the last goes through the
//! trader's own [`FeedHandler`] with arbitration, gaps and snapshots.
//!
//! What is missing of a live trader is simulated as simply as can be:
//!
//! - the order line is a fixed session on a fixed connection: MsgSeqNum and TCP sequence numbers
//!   count up from the configured start, nobody acknowledges, windows are open;
//! - every order is taken as accepted and filled in full at once.
//!
//! # Who keeps the time
//!
//! The engine reads no clock. Virtual time comes with each unit, or out of the messages
//! ([`TimeSource`]). Service time is measured by the driver: it notes its clock before a unit, and an
//! [`Observer`] of its own is told when an order frame is ready and when a stage has ended. What is
//! not on the way of a tick waits for [`Replay::settle`].
//!
//! ```text
//! unit ─► arbitrate ─► decode ─► market ─► fire ─► Observer::sent        settle ─► FiringRecord
//!         (datagrams)                                                            └► next orders
//! ```

mod config;
mod line;
mod observer;
mod sending_time;
mod stream;
#[cfg(test)]
mod tests;

use saker_fast::{DecodeError, Templates};
use saker_feed::channel::{Line, Stream};
use saker_feed::normalize::{Event, Instruments, NormalizeCounters, Normalizer};
use saker_strategy::{StrategyError, StrategyFile};
use saker_wire::time::Nanos;

pub use config::{ReplayConfig, TimeSource};
pub use observer::{Deaf, Observer, Stage};
pub use sending_time::{first_sending_time, sending_time};

use crate::desk::Desk;
use crate::fastpath::{FastPath, FastPathCounters};
use crate::feed::{FeedConfig, FeedHandler, News};
use crate::market::{Firing, Market, MarketCounters};
use line::PreparedLine;
use stream::StreamSource;

/// One order that was fired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiringRecord {
    /// Virtual time of the firing.
    pub at: Nanos,
    /// The strategy's name.
    pub strategy: String,
    /// The instrument's symbol.
    pub symbol: String,
    /// The message that fired it, from 0.
    pub message: u64,
    /// The position of the entry in its message, from 0.
    pub entry: u32,
    /// The price that was looked at, as a mantissa of `10^exponent`.
    pub price: i64,
    /// The power of ten of `price`.
    pub exponent: i8,
    /// The order frame, Ethernet header to FIX trailer, without FCS.
    pub frame: Vec<u8>,
}

/// What is wrong with a unit, or with the strategies for this feed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The strategies do not fit the feed.
    #[error("strategies: {0}")]
    Strategies(#[from] StrategyError),
    /// A message does not decode. Nothing of it was used.
    #[error("message {message}: {error}")]
    Decode {
        /// The message, from 0.
        message: u64,
        /// What is wrong, with the offset from the first byte of the unit.
        error: DecodeError,
    },
    /// The unit is shorter than its preamble, or is a message and ends with it.
    #[error("message {message}: the preamble is cut short")]
    Preamble {
        /// The message, from 0.
        message: u64,
    },
    /// The feed defines an instrument of the strategies with another price unit than configured.
    #[error("the feed's prices of {symbol} are in units of 10^{defined}, not of 10^{configured}")]
    Exponent {
        /// The instrument.
        symbol: String,
        /// The definition's power of ten.
        defined: i8,
        /// The configured power of ten.
        configured: i8,
    },
    /// A datagram for the replay of a stream, or a packet or message for that of a feed.
    #[error("the replay takes units of another kind")]
    Kind,
}

impl ReplayError {
    /// Whether the error is that of one unit: if its length is known the replay can go on.
    pub fn is_of_the_unit(&self) -> bool {
        matches!(self, ReplayError::Decode { .. } | ReplayError::Preamble { .. })
    }
}

/// What a replay has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayCounters {
    /// Units offered.
    pub units: u64,
    /// Messages served. In a feed, those that turned out not to decode are among them.
    pub messages: u64,
    /// Market-data entries served.
    pub entries: u64,
    /// Bytes taken, preambles included.
    pub bytes: u64,
    /// Units that were of no use from some byte on.
    pub undecodable: u64,
    /// Orders fired.
    pub fired: u64,
    /// Decisions that the fast path refused.
    pub refused: u64,
    /// Messages whose SendingTime was used as the time.
    pub timed: u64,
}

/// A replay in progress.
#[derive(Debug)]
pub struct Replay {
    source: Source,
    core: Core,
}

#[derive(Debug)]
enum Source {
    Stream(Box<StreamSource>),
    Feed(Box<FeedHandler>),
}

/// Everything behind the decoder.
#[derive(Debug)]
struct Core {
    market: Market,
    line: PreparedLine,
    /// Decisions not yet taken out by the fast path; empty between calls.
    firings: Vec<Firing>,
    /// Fired since the last [`Replay::settle`].
    fired: Vec<Fired>,
    records: Vec<FiringRecord>,
    counters: ReplayCounters,
    now: Nanos,
    /// The time that came with the unit at hand.
    offered: Nanos,
    housework: bool,
    /// The exponent all instruments are expected to have, and the symbols it matters for.
    expected: Option<(i8, Vec<String>)>,
    fault: Option<ReplayError>,
}

/// A firing whose record has not been written yet.
#[derive(Debug, Clone, Copy)]
struct Fired {
    at: Nanos,
    message: u64,
    firing: Firing,
}

impl Replay {
    /// A replay of one stream of any feed, whose instruments are those it names. The strategies are
    /// armed at `now`.
    ///
    /// # Errors
    /// A price in the strategy file has digits below the configured exponent.
    pub fn new(
        templates: &Templates,
        strategies: StrategyFile,
        config: ReplayConfig,
        now: Nanos,
    ) -> Result<Self, ReplayError> {
        let expected: Vec<String> = strategies.symbols().map(|(name, _)| name.to_owned()).collect();
        let slots = expected.len();
        let desk = Desk::with_exponent(strategies, config.price_exponent)?;
        let source = Source::Stream(Box::new(StreamSource::new(templates, &config)));
        let mut core = Core::new(desk, slots, &config, now);
        core.expected = Some((config.price_exponent, expected));
        // The stream is complete from its first packet on.
        core.market.recovery_mut().on_join(1);
        let mut replay = Self { source, core };
        replay.make_ready(config.ready_instruments.min(config.max_instruments));
        replay.settle();
        Ok(replay)
    }

    /// A replay of saker's own feed. Strategies wait until every instrument they name is defined;
    /// preamble, reset policy and price exponent are the feed's, not those of `config`.
    pub fn of_feed(
        templates: &Templates,
        strategies: StrategyFile,
        feed: FeedConfig,
        config: ReplayConfig,
        now: Nanos,
    ) -> Self {
        let slots = strategies.symbols().count();
        let source = Source::Feed(Box::new(FeedHandler::new(templates, feed)));
        let core = Core::new(Desk::new(strategies), slots, &config, now);
        Self { source, core }
    }

    /// Makes the books of the first `count` instruments, whichever they will be.
    fn make_ready(&mut self, count: usize) {
        let Some(last) = count.checked_sub(1).and_then(|last| u32::try_from(last).ok()) else {
            return;
        };
        let Self { source: Source::Stream(source), core } = self else { return };
        let instruments = source.normalizer().instruments();
        let event = Event::Defined { instrument: last };
        core.market.on_event(core.now, 0, &event, instruments, &mut core.firings);
    }

    /// Takes the preamble and the message at the start of `bytes`, which may go on behind it, and
    /// returns their length together. Begins a packet for the reset policy.
    ///
    /// # Errors
    /// The message does not decode: nobody knows where the next one begins.
    pub fn message(
        &mut self,
        now: Nanos,
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<usize, ReplayError> {
        let Source::Stream(source) = &mut self.source else { return Err(ReplayError::Kind) };
        self.core.begin(now);
        let length = source.message(&mut self.core, bytes, observer);
        self.core.end(length)
    }

    /// Takes a packet: preamble and messages up to its end.
    ///
    /// # Errors
    /// A message does not decode. Those before it were served, the rest of the packet is lost, and
    /// the dictionaries are reset; the next packet is served as if nothing had happened, but for
    /// the instruments that [`crate::recovery`] now distrusts.
    pub fn packet(
        &mut self,
        now: Nanos,
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<(), ReplayError> {
        let Source::Stream(source) = &mut self.source else { return Err(ReplayError::Kind) };
        self.core.begin(now);
        let taken = source.packet(&mut self.core, bytes, observer).map(|()| bytes.len());
        self.core.end(taken).map(|_| ())
    }

    /// Takes a datagram of saker's own feed. What is wrong with one is counted by the feed handler
    /// and is a gap.
    ///
    /// # Errors
    /// Only if the strategies do not fit the instruments that the feed has defined by now.
    pub fn datagram(
        &mut self,
        now: Nanos,
        stream: Stream,
        line: Line,
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<(), ReplayError> {
        let Source::Feed(feed) = &mut self.source else { return Err(ReplayError::Kind) };
        self.core.begin(now);
        let core = &mut self.core;
        core.advance(now);
        feed.on_datagram(core.now, stream, line, bytes, &mut |stream, news| {
            core.on_news(stream, &news, observer);
        });
        core.end(Ok(bytes.len())).map(|_| ())
    }

    /// When [`Replay::on_deadline`] is next wanted: a gap waits to be declared.
    pub fn next_deadline(&self) -> Option<Nanos> {
        match &self.source {
            Source::Stream(_) => None,
            Source::Feed(feed) => feed.next_deadline(),
        }
    }

    /// Declares the gaps whose time has come, and serves what waited behind them.
    pub fn on_deadline(&mut self, now: Nanos, observer: &mut impl Observer) {
        let Source::Feed(feed) = &mut self.source else { return };
        let core = &mut self.core;
        core.advance(now);
        feed.on_deadline(core.now, &mut |stream, news| core.on_news(stream, &news, observer));
    }

    /// Nothing has come until `now`: refreshes the prepared orders that have become old by then, as a
    /// live trader's timer would have. To be called before a unit whose time is known.
    pub fn idle(&mut self, now: Nanos) {
        self.core.advance(now);
        self.core.line.settle(self.core.now, false, self.core.market.desk_mut());
    }

    /// What is not on the way of a tick: writes the records of what has fired, prepares the
    /// next orders, and refreshes those that are prepared. To be called after every unit.
    pub fn settle(&mut self) {
        self.core.settle();
    }

    /// [`Replay::message`] and [`Replay::settle`], observed by nobody.
    ///
    /// # Errors
    /// As [`Replay::message`].
    pub fn step(&mut self, now: Nanos, bytes: &[u8]) -> Result<usize, ReplayError> {
        let length = self.message(now, bytes, &mut Deaf);
        self.settle();
        length
    }

    /// The orders fired so far, oldest first, as of the last [`Replay::settle`].
    pub fn records(&self) -> &[FiringRecord] {
        &self.core.records
    }

    /// Hands the records over and forgets them.
    pub fn take_records(&mut self) -> Vec<FiringRecord> {
        std::mem::take(&mut self.core.records)
    }

    /// The latest virtual time.
    pub fn now(&self) -> Nanos {
        self.core.now
    }

    /// What was counted.
    pub fn counters(&self) -> ReplayCounters {
        self.core.counters
    }

    /// What the normaliser counted, with every drop reason.
    pub fn normalize_counters(&self) -> &NormalizeCounters {
        self.normalizer().counters()
    }

    /// What the fast path counted.
    pub fn fast_path_counters(&self) -> FastPathCounters {
        self.core.line.fast_path().counters()
    }

    /// What books and strategies counted.
    pub fn market_counters(&self) -> MarketCounters {
        self.core.market.counters()
    }

    /// Books and strategies.
    pub fn market(&self) -> &Market {
        &self.core.market
    }

    /// The strategies, to keep a journal of them.
    pub fn desk_mut(&mut self) -> &mut Desk {
        self.core.market.desk_mut()
    }

    /// The prepared orders, for logic that sends them.
    pub fn fast_path(&self) -> &FastPath {
        self.core.line.fast_path()
    }

    /// The feed handler, if it is saker's own feed.
    pub fn feed(&self) -> Option<&FeedHandler> {
        match &self.source {
            Source::Stream(_) => None,
            Source::Feed(feed) => Some(feed),
        }
    }

    /// The instruments seen so far.
    pub fn instruments(&self) -> &Instruments {
        self.normalizer().instruments()
    }

    fn normalizer(&self) -> &Normalizer {
        match &self.source {
            Source::Stream(source) => source.normalizer(),
            Source::Feed(feed) => feed.normalizer(),
        }
    }
}

impl Core {
    fn new(desk: Desk, slots: usize, config: &ReplayConfig, now: Nanos) -> Self {
        Self {
            market: Market::new(config.market, desk),
            // The strategy engine has at most 1,024 slots.
            line: PreparedLine::new(slots as u16, config),
            firings: Vec::with_capacity(64),
            fired: Vec::with_capacity(64),
            records: Vec::new(),
            counters: ReplayCounters::default(),
            now,
            offered: now,
            housework: true,
            expected: None,
            fault: None,
        }
    }

    /// A unit has come, with the caller's time.
    fn begin(&mut self, now: Nanos) {
        self.counters.units += 1;
        self.offered = now;
    }

    /// What comes next is of time `now`. Time does not run backwards, whatever a capture says.
    fn advance(&mut self, now: Nanos) {
        self.now = self.now.max(now);
    }

    /// The unit was served, `taken` bytes of it.
    fn end(&mut self, taken: Result<usize, ReplayError>) -> Result<usize, ReplayError> {
        match taken {
            Ok(length) => self.counters.bytes += length as u64,
            Err(_) => self.counters.undecodable += 1,
        }
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => taken,
        }
    }

    fn on_news(&mut self, stream: Stream, news: &News<'_>, observer: &mut impl Observer) {
        let is_message = match news {
            News::Packet { .. } => {
                observer.ended(Stage::Arbitrate);
                false
            }
            News::Message { .. } => {
                observer.ended(Stage::Decode);
                true
            }
            News::Join { .. } | News::Gap { .. } => false,
        };
        let Self { market, line, firings, fired, counters, now, housework, .. } = self;
        let (at, message) = (*now, counters.messages);
        market.on_news(at, stream, news, firings, &mut |served| {
            counters.entries += u64::from(served.work.entries);
            for firing in served.firings.drain(..) {
                observer.ended(Stage::Market);
                if line.fire(firing.fire.slot, served.market.desk_mut(), observer) {
                    counters.fired += 1;
                    fired.push(Fired { at, message, firing });
                } else {
                    counters.refused += 1;
                    *housework = true;
                }
                observer.ended(Stage::Fire);
            }
        });
        if is_message {
            self.counters.messages += 1;
            observer.ended(Stage::Market);
        }
        if let News::Message { events, instruments, .. } = news {
            self.check_definitions(events, instruments);
        }
    }

    /// New instruments mean orders to prepare, or that the strategies do not fit.
    fn check_definitions(&mut self, events: &[Event], instruments: &Instruments) {
        for event in events {
            let Event::Defined { instrument } = event else { continue };
            self.housework = true;
            let Some((configured, symbols)) = &self.expected else { continue };
            let Some(defined) = instruments.get(*instrument) else { continue };
            if defined.price_exponent != *configured && symbols.contains(&defined.symbol) {
                self.fault = Some(ReplayError::Exponent {
                    symbol: defined.symbol.clone(),
                    defined: defined.price_exponent,
                    configured: *configured,
                });
            }
        }
        if self.housework
            && let Some(error) = self.market.desk().error()
        {
            self.fault = Some(error.clone().into());
        }
    }

    fn settle(&mut self) {
        let desk = self.market.desk();
        for Fired { at, message, firing } in self.fired.drain(..) {
            self.housework = true;
            let slot = firing.fire.slot;
            let (symbol, exponent) = desk.slot_instrument(slot).unwrap_or_default();
            self.records.push(FiringRecord {
                at,
                strategy: desk.slot_plan(slot).map_or_else(String::new, |plan| plan.name.clone()),
                symbol: symbol.to_owned(),
                message,
                entry: firing.position,
                price: firing.price,
                exponent,
                frame: self.line.fast_path().frame(slot).to_vec(),
            });
        }
        self.line.settle(self.now, self.housework, self.market.desk_mut());
        self.housework = false;
    }
}

//! From normalised events to decisions: recovery, books, strategies, one event at a time.

use saker_feed::channel::Stream;
use saker_feed::normalize::{Entry, Event, InstrumentIndex, Instruments};
use saker_strategy::Fire;
use saker_wire::time::Nanos;

use crate::books::{Books, Change};
use crate::desk::Desk;
use crate::feed::News;
use crate::recovery::{Admit, Rebuild, Recovery, RecoveryConfig, SnapshotOutcome, Status};

/// Bounds of [`Market`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketConfig {
    /// Resting orders that each book holds.
    pub orders_per_book: usize,
    /// Bounds and rule of recovery.
    pub recovery: RecoveryConfig,
}

impl Default for MarketConfig {
    fn default() -> Self {
        Self { orders_per_book: 8_192, recovery: RecoveryConfig::default() }
    }
}

/// A decision to send a slot, with what led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Firing {
    /// The slot and its strategy.
    pub fire: Fire,
    /// The instrument, by the feed's index.
    pub instrument: InstrumentIndex,
    /// Position of the entry in its message; 0 for a firing upon recovery.
    pub position: u32,
    /// The price that was looked at: of the trade, or the best price of the side that changed.
    pub price: i64,
}

/// How much was done: what a cost model charges for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Entries taken from the feed.
    pub entries: u32,
    /// Entries applied to books.
    pub book_updates: u32,
    /// Times the strategies were asked.
    pub evaluations: u32,
}

/// Counts since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct MarketCounters {
    /// Changes shown to the strategies.
    pub evaluated: u64,
    /// Changes not shown because the book is not live.
    pub withheld: u64,
    /// Entries the book refused.
    pub book_refused: u64,
    /// Entries lost to an error of the feed handler.
    pub entries_broken: u64,
    /// Entries of unknown instruments.
    pub entries_unknown: u64,
    /// Heartbeats of the feed.
    pub heartbeats: u64,
    /// Incremental entries on a stream that carries none.
    pub misplaced: u64,
}

/// What happened to a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// An entry was applied in its turn.
    Entry(Entry),
    /// The book was made anew from a snapshot; nothing before matters any more.
    Rebuilt(InstrumentIndex),
}

/// A step of [`Market::on_news`].
pub struct Served<'a> {
    /// The market, for news of orders.
    pub market: &'a mut Market,
    /// What was done.
    pub work: Work,
    /// The decisions that have not been taken out yet.
    pub firings: &'a mut Vec<Firing>,
}

/// The market as the feed tells it, and the strategies that watch it.
#[derive(Debug)]
pub struct Market {
    recovery: Recovery,
    books: Books,
    desk: Desk,
    fires: Vec<Fire>,
    /// Instruments whose top changed in the message at hand, with the position of the last entry
    /// that changed it.
    moved: Vec<(InstrumentIndex, u32)>,
    /// By instrument: whether something was withheld from the strategies.
    owed: Vec<bool>,
    /// Another party shows the strategies what happens, and takes from here what it missed.
    silent: bool,
    /// While silent: what was applied to the books since it was last asked for.
    applied: Vec<Applied>,
    counters: MarketCounters,
}

impl Market {
    /// Nothing known yet; `desk` holds the strategies.
    pub fn new(config: MarketConfig, desk: Desk) -> Self {
        Self {
            recovery: Recovery::new(config.recovery),
            books: Books::new(config.orders_per_book),
            desk,
            fires: Vec::with_capacity(64),
            moved: Vec::with_capacity(64),
            owed: Vec::new(),
            silent: false,
            applied: Vec::new(),
            counters: MarketCounters::default(),
        }
    }

    /// Recovery, for the stream's own news: joins and gaps.
    pub fn recovery_mut(&mut self) -> &mut Recovery {
        &mut self.recovery
    }

    /// The state of recovery.
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// The books.
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// The strategies.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The strategies, for news of their orders.
    pub fn desk_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// Keeps the books only: from now on another party (logic in front of this software) shows the
    /// strategies what happens, by [`Desk::on_change`].
    pub fn silence(&mut self) {
        self.silent = true;
    }

    /// While silent: what was applied to the books since the last call, in order.
    pub fn take_applied(&mut self) -> Vec<Applied> {
        std::mem::take(&mut self.applied)
    }

    /// The counts since the start.
    pub fn counters(&self) -> MarketCounters {
        self.counters
    }

    /// Takes what the feed handler tells. After each event, and after the message's tops have been
    /// shown, `served` is called with the work done and the decisions taken since; decisions that
    /// it does not take out of the list stay there.
    pub fn on_news(
        &mut self,
        now: Nanos,
        stream: Stream,
        news: &News<'_>,
        firings: &mut Vec<Firing>,
        served: &mut impl FnMut(Served<'_>),
    ) {
        match (stream, news) {
            (_, News::Packet { .. }) => {}
            (Stream::Incremental, News::Join { seq }) => self.recovery.on_join(*seq),
            (Stream::Incremental, News::Gap { last }) => self.recovery.on_gap(*last),
            (Stream::Snapshot, News::Gap { .. }) => self.recovery.on_snapshot_gap(),
            (_, News::Join { .. } | News::Gap { .. }) => {}
            (_, News::Message { seq, events, instruments }) => {
                for event in *events {
                    if stream != Stream::Incremental && is_incremental(event) {
                        self.counters.misplaced += 1;
                        continue;
                    }
                    let work = self.on_event(now, *seq, event, instruments, firings);
                    served(Served { market: self, work, firings });
                }
                let work = self.end_message(now, firings);
                served(Served { market: self, work, firings });
            }
        }
    }

    /// Takes one event that arrived in `packet` of its stream. Decisions are appended to `firings`
    /// in the order of the events.
    ///
    /// Strategies see a trade at once, and a new top when the message has ended
    /// ([`Market::end_message`]): what a book looks like between the entries of one message never
    /// was a market. They see either only if the instrument is live then. An instrument that comes
    /// back to life is shown whole, its last trade and its top: a price that was passed while
    /// nobody looked has been passed all the same.
    pub fn on_event(
        &mut self,
        now: Nanos,
        packet: u32,
        event: &Event,
        instruments: &Instruments,
        firings: &mut Vec<Firing>,
    ) -> Work {
        let mut work = Work::default();
        match event {
            Event::Defined { instrument } => {
                self.books.define(*instrument);
                self.recovery.define(*instrument);
                self.owed.resize(self.owed.len().max(*instrument as usize + 1), false);
                self.desk.on_defined(*instrument, instruments);
            }
            Event::Entry(entry) => {
                work.entries = 1;
                let instrument = entry.instrument;
                let admit = self.recovery.on_entry(packet, instrument, entry.rpt_seq, Some(*entry));
                if admit == Admit::Apply {
                    work.book_updates = 1;
                    let applied = self.books.apply(entry);
                    if self.silent {
                        self.applied.push(Applied::Entry(*entry));
                    }
                    match applied {
                        Ok(Change::Depth) => {}
                        Ok(Change::Top(_)) => self.note_moved(instrument, entry.position),
                        Ok(trade @ Change::Trade { .. }) => {
                            let at = Shown { now, instrument, position: entry.position };
                            work.evaluations = self.show(at, trade, firings);
                        }
                        Err(_) => {
                            self.counters.book_refused += 1;
                            self.recovery.on_broken(packet, instrument);
                        }
                    }
                    let at = Shown { now, instrument, position: entry.position };
                    work.evaluations += self.pay(at, firings);
                }
            }
            Event::Other { instrument, rpt_seq } => {
                work.entries = 1;
                self.recovery.on_entry(packet, *instrument, *rpt_seq, None);
            }
            Event::Broken { instrument } => {
                work.entries = 1;
                self.counters.entries_broken += 1;
                self.recovery.on_broken(packet, *instrument);
            }
            Event::Unknown => {
                work.entries = 1;
                self.counters.entries_unknown += 1;
                self.recovery.on_unknown(packet);
            }
            Event::SnapshotBegin(head) => self.recovery.on_snapshot_begin(*head),
            Event::SnapshotEntry(entry) => {
                work.entries = 1;
                self.recovery.on_snapshot_entry(entry);
            }
            Event::SnapshotEnd { head, complete } => {
                let instrument = head.instrument;
                let books = &mut self.books;
                let updates = &mut work.book_updates;
                let outcome =
                    self.recovery.on_snapshot_end(*head, *complete, &mut |step| match step {
                        Rebuild::Clear => {
                            books.clear(instrument);
                            true
                        }
                        Rebuild::Apply(entry) => {
                            *updates += 1;
                            books.apply(entry).is_ok()
                        }
                    });
                if outcome == SnapshotOutcome::Rebuilt {
                    self.owe(instrument);
                    if self.silent {
                        self.applied.push(Applied::Rebuilt(instrument));
                    }
                }
                if outcome != SnapshotOutcome::Unused {
                    let at = Shown { now, instrument, position: 0 };
                    work.evaluations = self.pay(at, firings);
                }
            }
            Event::Heartbeat => self.counters.heartbeats += 1,
        }
        work
    }

    /// The message is complete: shows the strategies every top that it changed, once.
    pub fn end_message(&mut self, now: Nanos, firings: &mut Vec<Firing>) -> Work {
        let mut work = Work::default();
        for at in 0..self.moved.len() {
            let (instrument, position) = self.moved[at];
            if let Some(top) = self.books.get(instrument).map(|book| book.top()) {
                let at = Shown { now, instrument, position };
                work.evaluations += self.show(at, Change::Top(top), firings);
            }
        }
        self.moved.clear();
        work
    }

    /// Something of `instrument` was not shown.
    fn owe(&mut self, instrument: InstrumentIndex) {
        if let Some(owed) = self.owed.get_mut(instrument as usize) {
            *owed = true;
        }
    }

    /// Shows an instrument that is live again what was withheld: the last trade now, the top when
    /// the message ends.
    fn pay(&mut self, at: Shown, firings: &mut Vec<Firing>) -> u32 {
        let owed = self.owed.get(at.instrument as usize) == Some(&true);
        if !owed || self.recovery.status(at.instrument) != Status::Live {
            return 0;
        }
        self.owed[at.instrument as usize] = false;
        self.note_moved(at.instrument, at.position);
        match self.books.get(at.instrument).and_then(|book| book.last_trade()) {
            Some((price, quantity)) => self.show(at, Change::Trade { price, quantity }, firings),
            None => 0,
        }
    }

    fn note_moved(&mut self, instrument: InstrumentIndex, position: u32) {
        match self.moved.iter_mut().find(|(moved, _)| *moved == instrument) {
            Some(known) => known.1 = position,
            None => self.moved.push((instrument, position)),
        }
    }

    fn show(&mut self, at: Shown, change: Change, firings: &mut Vec<Firing>) -> u32 {
        if self.silent {
            return 0;
        }
        if self.recovery.status(at.instrument) != Status::Live {
            self.counters.withheld += 1;
            self.owe(at.instrument);
            return 0;
        }
        self.counters.evaluated += 1;
        self.fires.clear();
        self.desk.on_change(at.now, at.instrument, change, &mut self.fires);
        for fire in &self.fires {
            let price = self.desk.trigger_price(fire.slot, change).unwrap_or(0);
            let Shown { instrument, position, .. } = at;
            firings.push(Firing { fire: *fire, instrument, position, price });
        }
        1
    }
}

fn is_incremental(event: &Event) -> bool {
    matches!(event, Event::Entry(_) | Event::Other { .. } | Event::Broken { .. } | Event::Unknown)
}

/// Where and when a change is shown.
#[derive(Clone, Copy)]
struct Shown {
    now: Nanos,
    instrument: InstrumentIndex,
    position: u32,
}

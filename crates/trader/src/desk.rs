//! The strategies of one file, bound to the instruments of one feed.

use saker_feed::normalize::{InstrumentIndex, Instruments};
use saker_strategy::{
    Engine, Fire, Instrument, OrderUpdate, Plan, SlotPlan, Source, StrategyError, StrategyFile,
    UpdateError,
};
use saker_wire::time::Nanos;

use crate::books::Change;

/// What has happened to the strategies besides market data: what an engine that runs beside this one,
/// in logic, must be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskEvent {
    /// The slot's order is prepared.
    Armed(u16),
    /// The slot's prepared order is void.
    Disarmed(u16),
    /// News of the slot's order.
    Updated(u16, OrderUpdate),
    /// The kill switch is on.
    Killed,
    /// The kill switch is off.
    Released,
}

/// A strategy file and, as soon as the feed has named every instrument it speaks of, its engine.
///
/// Strategies speak of symbols; what a price in the file is as a mantissa depends on the
/// instrument's exponent, which comes with its definition. Until all are known nothing fires;
/// [`Desk::waiting_for`] names those that are missing.
#[derive(Debug)]
pub struct Desk {
    file: StrategyFile,
    /// The instruments the file speaks of, each once, with the feed's index once it is known.
    wanted: Vec<Wanted>,
    engine: Option<Engine>,
    /// The file's instrument by the feed's index.
    bound: Vec<Option<u16>>,
    /// Why the file does not fit the instruments, if so: then nothing ever fires.
    error: Option<StrategyError>,
    killed: bool,
    /// What has happened since it was last asked for; nothing unless it is kept.
    journal: Option<Vec<DeskEvent>>,
}

#[derive(Debug)]
struct Wanted {
    symbol: String,
    segment: Option<String>,
    feed: Option<InstrumentIndex>,
    exponent: i8,
}

impl Desk {
    /// Strategies that wait for the feed's definitions.
    pub fn new(file: StrategyFile) -> Self {
        let mut wanted: Vec<Wanted> = Vec::new();
        // Those that name a segment first: a symbol without one means the same instrument then.
        let named = file.symbols().filter(|(_, segment)| segment.is_some());
        let unnamed = file.symbols().filter(|(_, segment)| segment.is_none());
        for (symbol, segment) in named.chain(unnamed) {
            let known = |w: &Wanted| {
                w.symbol == symbol && (segment.is_none() || w.segment.as_deref() == segment)
            };
            if !wanted.iter().any(known) {
                let segment = segment.map(str::to_owned);
                wanted.push(Wanted { symbol: symbol.to_owned(), segment, feed: None, exponent: 0 });
            }
        }
        Self {
            file,
            wanted,
            engine: None,
            bound: Vec::new(),
            error: None,
            killed: false,
            journal: None,
        }
    }

    /// Strategies on a feed without definitions, whose instruments all have `exponent`: ready at
    /// once.
    pub fn with_exponent(file: StrategyFile, exponent: i8) -> Result<Self, StrategyError> {
        let mut desk = Self::new(file);
        desk.wanted.iter_mut().for_each(|wanted| wanted.exponent = exponent);
        desk.resolve();
        match desk.error.take() {
            Some(error) => Err(error),
            None => Ok(desk),
        }
    }

    /// An instrument has become known: binds it to what the file says about it. Where the file
    /// names no market segment, the first instrument with the symbol is meant.
    pub fn on_defined(&mut self, instrument: InstrumentIndex, instruments: &Instruments) {
        let Some(defined) = instruments.get(instrument) else { return };
        if self.bound.len() <= instrument as usize {
            self.bound.resize(instrument as usize + 1, None);
        }
        for (index, wanted) in (0u16..).zip(&mut self.wanted) {
            let matches = wanted.symbol == defined.symbol
                && wanted.segment.as_ref().is_none_or(|segment| *segment == defined.session);
            if matches && wanted.feed.is_none() {
                wanted.feed = Some(instrument);
                self.bound[instrument as usize] = Some(index);
                if self.engine.is_none() {
                    wanted.exponent = defined.price_exponent;
                }
            }
        }
        if self.engine.is_none() && self.wanted.iter().all(|wanted| wanted.feed.is_some()) {
            self.resolve();
        }
    }

    fn resolve(&mut self) {
        let instruments: Vec<Instrument> = self
            .wanted
            .iter()
            .map(|wanted| Instrument {
                symbol: wanted.symbol.clone(),
                market_segment: wanted.segment.clone().unwrap_or_default(),
                exponent: wanted.exponent,
            })
            .collect();
        match self.file.resolve(&instruments) {
            Ok(plan) => {
                let mut engine = Engine::new(plan);
                if self.killed {
                    engine.kill_all();
                }
                self.engine = Some(engine);
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// Shows a change of `instrument` to its strategies; appends what fires.
    pub fn on_change(
        &mut self,
        now: Nanos,
        instrument: InstrumentIndex,
        change: Change,
        fires: &mut Vec<Fire>,
    ) {
        let Some(engine) = &mut self.engine else { return };
        let Some(Some(bound)) = self.bound.get(instrument as usize) else { return };
        match change {
            Change::Depth => {}
            Change::Top(top) => engine.on_top(*bound, &top, now, fires),
            Change::Trade { price, quantity } => {
                engine.on_trade(*bound, price, quantity, now, fires);
            }
        }
    }

    /// The price of `change` that the slot's condition looks at.
    pub fn trigger_price(&self, slot: u16, change: Change) -> Option<i64> {
        match (self.slot_plan(slot)?.trigger.source, change) {
            (Source::Trade, Change::Trade { price, .. }) => Some(price),
            (Source::Bid, Change::Top(top)) => top.bid.map(|(price, _)| price),
            (Source::Offer, Change::Top(top)) => top.offer.map(|(price, _)| price),
            _ => None,
        }
    }

    /// What the slot is to do.
    pub fn slot_plan(&self, slot: u16) -> Option<&SlotPlan> {
        self.plan()?.slots().get(usize::from(slot))
    }

    /// The resolved file, once every instrument is known.
    pub fn plan(&self) -> Option<&Plan> {
        self.engine.as_ref().map(Engine::plan)
    }

    /// The engine, once every instrument is known.
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// Symbol and price exponent of the instrument that a slot's order is for.
    pub fn slot_instrument(&self, slot: u16) -> Option<(&str, i8)> {
        let wanted = self.wanted.get(usize::from(self.slot_plan(slot)?.instrument))?;
        Some((&wanted.symbol, wanted.exponent))
    }

    /// The instruments of the plan, in its order: the feed's index, once it is known, and the exponent
    /// of prices.
    pub fn instruments(&self) -> impl ExactSizeIterator<Item = (Option<InstrumentIndex>, i8)> + '_ {
        self.wanted.iter().map(|wanted| (wanted.feed, wanted.exponent))
    }

    /// Why the file does not fit the feed's instruments, if it does not.
    pub fn error(&self) -> Option<&StrategyError> {
        self.error.as_ref()
    }

    /// The symbols of the file that the feed has not defined yet.
    pub fn waiting_for(&self) -> impl Iterator<Item = &str> {
        let missing = self.wanted.iter().filter(|wanted| wanted.feed.is_none());
        missing.map(|wanted| wanted.symbol.as_str())
    }

    /// Appends the slots that software should prepare an order for.
    pub fn needs_prepare(&self, slots: &mut Vec<u16>) {
        if let Some(engine) = &self.engine {
            slots.extend(engine.needs_prepare());
        }
    }

    /// The slot's order is prepared.
    pub fn arm(&mut self, slot: u16) -> bool {
        let armed = self.engine.as_mut().is_some_and(|engine| engine.arm(slot));
        if armed {
            self.note(DeskEvent::Armed(slot));
        }
        armed
    }

    /// The slot's prepared order is void.
    pub fn disarm(&mut self, slot: u16) -> bool {
        let disarmed = self.engine.as_mut().is_some_and(|engine| engine.disarm(slot));
        if disarmed {
            self.note(DeskEvent::Disarmed(slot));
        }
        disarmed
    }

    /// News of a slot's order.
    pub fn on_order_update(&mut self, slot: u16, update: OrderUpdate) -> Result<(), UpdateError> {
        self.note(DeskEvent::Updated(slot, update));
        match &mut self.engine {
            Some(engine) => engine.on_order_update(slot, update),
            None => Err(UpdateError::UnknownSlot(slot)),
        }
    }

    /// The kill switch: nothing fires until it is released.
    pub fn kill(&mut self) {
        self.killed = true;
        self.note(DeskEvent::Killed);
        if let Some(engine) = &mut self.engine {
            engine.kill_all();
        }
    }

    /// Releases the kill switch.
    pub fn release(&mut self) {
        self.killed = false;
        self.note(DeskEvent::Released);
        if let Some(engine) = &mut self.engine {
            engine.release_all();
        }
    }

    /// Keeps a journal from now on.
    pub fn keep_journal(&mut self) {
        self.journal.get_or_insert_default();
    }

    /// What has happened since the last call, in order; nothing unless a journal is kept.
    pub fn take_journal(&mut self) -> Vec<DeskEvent> {
        self.journal.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn note(&mut self, event: DeskEvent) {
        if let Some(journal) = &mut self.journal {
            journal.push(event);
        }
    }

    /// Whether the kill switch is on.
    pub fn is_killed(&self) -> bool {
        self.killed
    }
}

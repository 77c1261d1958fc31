//! The engine: prices in, slots to fire out.

use saker_book::{Side, Top};

use crate::{Comparison, Limits, Plan, SlotPlan, Source};

/// A decision: send the order of this slot, now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fire {
    /// The slot whose prepared order is to be sent.
    pub slot: u16,
    /// The strategy it belongs to.
    pub strategy: u16,
}

/// Where a slot is in its life.
///
/// ```text
/// Idle ──arm──▶ Armed ──fire──▶ Fired ──Accepted──▶ Live
///  ▲ ◀─disarm─────┘               └───────┬──────────┘
///  ├──────── rearm, or not sent ──────────┤ order terminal
///  └── restart ── Done ◀──────────────────┘ no rearm, or rejected
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotState {
    /// No order is prepared for it.
    Idle,
    /// Its order is prepared; the condition is being watched.
    Armed,
    /// It has fired; the venue has not answered.
    Fired,
    /// The venue has accepted its order.
    Live,
    /// It will not fire again unless [`Engine::restart`] is called.
    Done,
}

/// How often each thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Decisions to send.
    pub fires: u64,
    /// Refused: the order is larger than allowed.
    pub blocked_order_quantity: u64,
    /// Refused: too many open orders.
    pub blocked_open_orders: u64,
    /// Refused: the position could become too large.
    pub blocked_position: u64,
    /// Held back: the cooldown after the last fire has not passed.
    pub held_cooldown: u64,
    /// Updates that did not fit the slot's state.
    pub unexpected_updates: u64,
}

/// What the engine holds and has open in one instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exposure {
    /// Bought less sold. Saturates at the ends of the range.
    pub position: i64,
    /// What is open of buy orders.
    pub open_buy: u64,
    /// What is open of sell orders.
    pub open_sell: u64,
    /// How many orders are open.
    pub open_orders: u32,
}

/// One comparison of the hot path: qualifies when `price ^ flip >= bound`. Complementing every
/// bit reverses the order of integers, so one comparison serves both directions.
#[derive(Debug, Clone, Copy)]
struct Compare {
    bound: i64,
    flip: i64,
    slot: u16,
    source: Source,
}

/// Comparisons of one kind of event, those of one instrument side by side in the file's order.
#[derive(Debug)]
struct Table {
    compares: Vec<Compare>,
    /// For each instrument, where its comparisons begin; one more entry at the end.
    starts: Vec<u32>,
}

impl Table {
    fn new(plan: &Plan, of: impl Fn(Source) -> bool) -> Self {
        let mut table = Self { compares: Vec::new(), starts: vec![0] };
        for instrument in 0..plan.instruments() {
            let slots = plan.slots().iter().enumerate();
            let mine = slots.filter(|(_, s)| s.instrument == instrument && of(s.trigger.source));
            table.compares.extend(mine.map(|(slot, s)| {
                let flip = match s.trigger.comparison {
                    Comparison::AtLeast => 0,
                    Comparison::AtMost => -1,
                };
                let bound = s.trigger.bound ^ flip;
                Compare { bound, flip, slot: slot as u16, source: s.trigger.source }
            }));
            table.starts.push(table.compares.len() as u32);
        }
        table
    }

    /// Where the comparisons of an instrument are; empty if there is no such instrument.
    #[inline]
    fn range(&self, instrument: u16) -> std::ops::Range<usize> {
        let at = usize::from(instrument);
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }
}

/// The changing part of a slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub state: SlotState,
    /// What is open of its order.
    pub leaves: u64,
    /// It does not fire before this instant.
    not_before: u64,
    killed: bool,
}

/// The strategy engine. See the crate's front page for its rules.
#[derive(Debug)]
pub struct Engine {
    pub(crate) plan: Plan,
    /// The limits in force; those of the plan until [`Engine::set_limits`].
    limits: Vec<Limits>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) counters: Vec<Counters>,
    exposures: Vec<Exposure>,
    trades: Table,
    tops: Table,
    killed: bool,
}

impl Engine {
    /// An engine with every slot idle and every position zero. All its memory is taken here.
    pub fn new(plan: Plan) -> Self {
        let slot = Slot { state: SlotState::Idle, leaves: 0, not_before: 0, killed: false };
        Self {
            limits: plan.slots().iter().map(|s| s.limits).collect(),
            slots: vec![slot; plan.slots().len()],
            counters: vec![Counters::default(); plan.slots().len()],
            exposures: vec![Exposure::default(); usize::from(plan.instruments())],
            trades: Table::new(&plan, |source| source == Source::Trade),
            tops: Table::new(&plan, |source| source != Source::Trade),
            killed: false,
            plan,
        }
    }

    /// What it runs.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A trade was reported at `now` (ns since the Unix epoch): appends the slots to fire, in the
    /// file's order. A trade without quantity, and an instrument outside the plan, fire nothing.
    pub fn on_trade(
        &mut self,
        instrument: u16,
        price: i64,
        quantity: u64,
        now: u64,
        fires: &mut Vec<Fire>,
    ) {
        if quantity == 0 {
            return;
        }
        for at in self.trades.range(instrument) {
            let Compare { bound, flip, slot, .. } = self.trades.compares[at];
            if price ^ flip >= bound {
                self.qualified(slot, now, fires);
            }
        }
    }

    /// The best prices are these at `now` (ns since the Unix epoch): appends the slots to fire, in
    /// the file's order. Called once for each event, after all of the event is in the book.
    pub fn on_top(&mut self, instrument: u16, top: &Top, now: u64, fires: &mut Vec<Fire>) {
        for at in self.tops.range(instrument) {
            let Compare { bound, flip, slot, source } = self.tops.compares[at];
            let quote = if source == Source::Bid { top.bid } else { top.offer };
            if quote.is_some_and(|(price, _)| price ^ flip >= bound) {
                self.qualified(slot, now, fires);
            }
        }
    }

    /// The slots that software must prepare an order for, then [`Engine::arm`].
    pub fn needs_prepare(&self) -> impl Iterator<Item = u16> + '_ {
        self.in_state(|s| s.state == SlotState::Idle && !s.killed).filter(|_| !self.killed)
    }

    /// The slots whose order is at the venue, or on its way.
    pub fn open_slots(&self) -> impl Iterator<Item = u16> + '_ {
        self.in_state(|s| matches!(s.state, SlotState::Fired | SlotState::Live))
    }

    /// Software has prepared the slot's order: idle becomes armed. False, and nothing happens, if
    /// the slot is not idle or is killed.
    pub fn arm(&mut self, slot: u16) -> bool {
        let killed = self.killed;
        self.shift(slot, |s| !killed && !s.killed, SlotState::Idle, SlotState::Armed)
    }

    /// The slot's prepared order is no longer valid: armed becomes idle. False if it was not armed.
    pub fn disarm(&mut self, slot: u16) -> bool {
        self.shift(slot, |_| true, SlotState::Armed, SlotState::Idle)
    }

    /// No prepared order is valid any more, for example because the session ended.
    pub fn disarm_all(&mut self) {
        for slot in &mut self.slots {
            if slot.state == SlotState::Armed {
                slot.state = SlotState::Idle;
            }
        }
    }

    /// A strategy that was done starts over: done becomes idle. False if it was not done.
    pub fn restart(&mut self, strategy: u16) -> bool {
        self.shift(strategy, |_| true, SlotState::Done, SlotState::Idle)
    }

    /// The kill switch: nothing is armed and nothing can be until [`Engine::release_all`]. Open
    /// orders stay open, and accounted for; [`Engine::open_slots`] lists them.
    pub fn kill_all(&mut self) {
        self.killed = true;
        self.disarm_all();
    }

    /// Takes [`Engine::kill_all`] back. Every slot needs preparing again; strategies killed one by
    /// one stay killed.
    pub fn release_all(&mut self) {
        self.killed = false;
    }

    /// The kill switch of one strategy. False if there is no such strategy.
    pub fn kill(&mut self, strategy: u16) -> bool {
        self.disarm(strategy);
        self.slots.get_mut(usize::from(strategy)).map(|s| s.killed = true).is_some()
    }

    /// Takes [`Engine::kill`] back. False if there is no such strategy.
    pub fn release(&mut self, strategy: u16) -> bool {
        self.slots.get_mut(usize::from(strategy)).map(|s| s.killed = false).is_some()
    }

    /// Whether a strategy is killed, by itself or with all.
    pub fn is_killed(&self, strategy: u16) -> bool {
        self.killed || self.slots.get(usize::from(strategy)).is_some_and(|s| s.killed)
    }

    /// The state of a slot, if there is one.
    pub fn state(&self, slot: u16) -> Option<SlotState> {
        self.slots.get(usize::from(slot)).map(|s| s.state)
    }

    /// What is open of a slot's order; 0 if none is.
    pub fn leaves(&self, slot: u16) -> u64 {
        self.slots.get(usize::from(slot)).map_or(0, |s| s.leaves)
    }

    /// What the engine holds and has open in an instrument; zeros if it is outside the plan.
    pub fn exposure(&self, instrument: u16) -> Exposure {
        self.exposures.get(usize::from(instrument)).copied().unwrap_or_default()
    }

    /// The position in an instrument: bought less sold.
    pub fn position(&self, instrument: u16) -> i64 {
        self.exposure(instrument).position
    }

    /// Sets the position, at the start of the day or after fills elsewhere. False if the
    /// instrument is outside the plan.
    pub fn set_position(&mut self, instrument: u16, position: i64) -> bool {
        let exposure = self.exposures.get_mut(usize::from(instrument));
        exposure.map(|e| e.position = position).is_some()
    }

    /// The limits in force for a strategy.
    pub fn limits(&self, strategy: u16) -> Option<&Limits> {
        self.limits.get(usize::from(strategy))
    }

    /// Replaces the limits of a strategy. False if there is no such strategy.
    pub fn set_limits(&mut self, strategy: u16, limits: Limits) -> bool {
        self.limits.get_mut(usize::from(strategy)).map(|l| *l = limits).is_some()
    }

    /// The counters of one strategy.
    pub fn strategy_counters(&self, strategy: u16) -> Option<&Counters> {
        self.counters.get(usize::from(strategy))
    }

    /// The counters of all strategies together.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for one in &self.counters {
            sum.fires += one.fires;
            sum.blocked_order_quantity += one.blocked_order_quantity;
            sum.blocked_open_orders += one.blocked_open_orders;
            sum.blocked_position += one.blocked_position;
            sum.held_cooldown += one.held_cooldown;
            sum.unexpected_updates += one.unexpected_updates;
        }
        sum
    }

    pub(crate) fn exposure_of(&mut self, slot: u16) -> &mut Exposure {
        let instrument = self.plan.slots()[usize::from(slot)].instrument;
        &mut self.exposures[usize::from(instrument)]
    }

    /// The condition of a slot holds: fires it if it is armed, rested and within its limits.
    fn qualified(&mut self, slot: u16, now: u64, fires: &mut Vec<Fire>) {
        let at = usize::from(slot);
        let run = &mut self.slots[at];
        if run.state != SlotState::Armed {
            return;
        }
        let counters = &mut self.counters[at];
        if now < run.not_before {
            counters.held_cooldown += 1;
            return;
        }
        let SlotPlan { order, instrument, cooldown_ns, .. } = &self.plan.slots()[at];
        let limits = &self.limits[at];
        let exposure = &mut self.exposures[usize::from(*instrument)];
        if order.quantity > limits.max_order_quantity {
            counters.blocked_order_quantity += 1;
            return;
        }
        if exposure.open_orders >= limits.max_open_orders {
            counters.blocked_open_orders += 1;
            return;
        }
        if exposure.worst(order.side, order.quantity) > i128::from(limits.max_position) {
            counters.blocked_position += 1;
            return;
        }
        run.state = SlotState::Fired;
        run.leaves = order.quantity;
        run.not_before = now.saturating_add(*cooldown_ns);
        exposure.open_orders += 1;
        *exposure.open_mut(order.side) += order.quantity;
        counters.fires += 1;
        fires.push(Fire { slot, strategy: slot });
    }

    fn in_state(&self, is: impl Fn(&Slot) -> bool) -> impl Iterator<Item = u16> {
        self.slots.iter().enumerate().filter(move |(_, s)| is(s)).map(|(slot, _)| slot as u16)
    }

    /// Moves a slot from one state to another if it is in the one and `may` holds.
    fn shift(
        &mut self,
        slot: u16,
        may: impl Fn(&Slot) -> bool,
        from: SlotState,
        to: SlotState,
    ) -> bool {
        match self.slots.get_mut(usize::from(slot)) {
            Some(s) if s.state == from && may(s) => {
                s.state = to;
                true
            }
            _ => false,
        }
    }
}

impl Exposure {
    /// How far the position would be on this side of zero if everything open on the side filled
    /// and `quantity` more; negative when it would be on the other side.
    fn worst(&self, side: Side, quantity: u64) -> i128 {
        let (held, open) = match side {
            Side::Buy => (i128::from(self.position), self.open_buy),
            Side::Sell => (-i128::from(self.position), self.open_sell),
        };
        held + i128::from(open) + i128::from(quantity)
    }

    pub(crate) fn open_mut(&mut self, side: Side) -> &mut u64 {
        match side {
            Side::Buy => &mut self.open_buy,
            Side::Sell => &mut self.open_sell,
        }
    }
}

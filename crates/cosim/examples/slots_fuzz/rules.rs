//! The strategies' slots as they must be: states, exposures, and which order may go.
//!
//! The accounting is that of `saker_strategy::Engine`, by single steps: what a fire, a command or a rearm changes
//! counts from the cycle behind the one in which the logic's task for it ends.

use std::collections::VecDeque;

use saker_strategy::{Exposure, SlotState as State, Source};

pub const INSTRUMENTS: usize = 4;
/// Cycles from the one in which a task reads its slot's state to its end.
const READ: usize = 3;

/// `command_op_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Arm,
    Disarm,
    Restart,
    Accepted,
    Filled,
    Canceled,
    Rejected,
    NotSent,
    SetPosition,
    SetOpenBuy,
    SetOpenSell,
    SetOpenOrders,
}

#[derive(Debug, Clone, Copy)]
pub struct Command {
    pub op: Op,
    /// Or the instrument.
    pub slot: usize,
    pub quantity: u64,
}

/// A slot's parameters.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub instrument: usize,
    pub source: Source,
    pub at_most: bool,
    pub bound: i64,
    pub sell: bool,
    pub quantity: u64,
    pub rearm: bool,
    pub cooldown: u64,
    pub max_order_quantity: u64,
    pub max_open_orders: u32,
    pub max_position: u64,
}

/// What the strategies are shown; its time is its own.
#[derive(Debug, Clone, Copy)]
pub struct Show {
    pub instrument: usize,
    /// With whether it has a quantity.
    pub trade: Option<bool>,
    pub bid: Option<i64>,
    pub ask: Option<i64>,
    pub tid: u64,
    pub time: u64,
}

impl Show {
    /// The price that a slot looks at, if its condition holds.
    pub fn qualifies(&self, plan: &Plan) -> Option<i64> {
        let price = match (plan.source, self.trade) {
            (Source::Trade, Some(true)) | (Source::Bid, None) => self.bid,
            (Source::Offer, None) => self.ask,
            _ => None,
        }?;
        let holds = if plan.at_most { price <= plan.bound } else { price >= plan.bound };
        (holds && plan.instrument == self.instrument).then_some(price)
    }
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    state: State,
    leaves: u64,
    not_before: u64,
}

/// A slot whose condition held for what was shown while it was armed and rested.
#[derive(Debug, Clone, Copy)]
struct Qualified {
    show: Show,
    slot: usize,
    price: i64,
    /// It has been armed and within its limits in every cycle since.
    ever_since: bool,
    /// Cycles since it has fired, or was disarmed; nothing while it has not.
    void: Option<u64>,
}

/// The slots.
pub struct Rules {
    plans: Vec<Plan>,
    slots: Vec<Slot>,
    exposures: [Exposure; INSTRUMENTS],
    /// Fired, and not in the exposures yet.
    unaccounted: Vec<bool>,
    qualified: VecDeque<Qualified>,
    /// Which slots were armed and within their limits at the begin of the cycle before.
    may: Vec<bool>,
    /// Of the last cycles, the oldest first: whether each slot's order was out.
    out: VecDeque<Vec<bool>>,
    /// The time of the last fire's event, and its slot.
    last: Option<(u64, usize)>,
    pub fires: u32,
    pub unexpected: u32,
    pub rearmed: u32,
}

/// What happens in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs {
    pub shows: Option<Show>,
    /// Slot, price and the event's time and packet.
    pub fires: Option<(usize, i64, u64, u64)>,
    pub ends: Option<Task>,
    /// Slots that are killed.
    pub killed: u16,
}

/// A task that ends.
#[derive(Debug, Clone, Copy)]
pub enum Task {
    Account(usize),
    Rearm(usize),
    Command(Command),
}

impl Rules {
    pub fn new(plans: Vec<Plan>) -> Self {
        let slot = Slot { state: State::Idle, leaves: 0, not_before: 0 };
        Self {
            slots: vec![slot; plans.len()],
            exposures: [Exposure::default(); INSTRUMENTS],
            unaccounted: vec![false; plans.len()],
            qualified: VecDeque::new(),
            may: vec![false; plans.len()],
            out: VecDeque::from(vec![vec![false; plans.len()]; READ]),
            last: None,
            fires: 0,
            unexpected: 0,
            rearmed: 0,
            plans,
        }
    }

    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// A slot that is idle gets other parameters.
    pub fn configure(&mut self, slot: usize, plan: Plan) {
        self.plans[slot] = plan;
    }

    pub fn state(&self, slot: usize) -> State {
        self.slots[slot].state
    }

    pub fn exposure(&self, instrument: usize) -> Exposure {
        self.exposures[instrument]
    }

    /// Whether a slot's order would be within its limits, with everything that has been fired.
    fn allowed(&self, slot: usize) -> bool {
        let plan = &self.plans[slot];
        let mut held = self.exposures[plan.instrument];
        for (at, other) in self.plans.iter().enumerate() {
            if self.unaccounted[at] && other.instrument == plan.instrument {
                open(&mut held, other);
            }
        }
        let toward = if plan.sell { -i128::from(held.position) } else { held.position.into() };
        let worst = toward + i128::from(*side(&mut held, plan.sell)) + i128::from(plan.quantity);
        plan.quantity <= plan.max_order_quantity
            && held.open_orders < plan.max_open_orders
            && worst <= i128::from(plan.max_position)
    }

    /// A cycle.
    pub fn cycle(&mut self, inputs: &Inputs) -> Result<(), String> {
        let may: Vec<bool> = (0..self.slots.len())
            .map(|slot| self.slots[slot].state == State::Armed && self.allowed(slot))
            .collect();
        for one in &mut self.qualified {
            one.ever_since &= may[one.slot];
            one.void = one.void.map(|cycles| cycles + 1);
        }
        let before = std::mem::replace(&mut self.may, may);
        if let Some(fire) = inputs.fires {
            self.check(fire, &before)?;
        }
        if let Some(show) = inputs.shows {
            for slot in 0..self.slots.len() {
                let Slot { state, not_before, .. } = self.slots[slot];
                if let Some(price) = show.qualifies(&self.plans[slot])
                    && state == State::Armed
                    && show.time >= not_before
                {
                    let ever_since = self.may[slot];
                    let one = Qualified { show, slot, price, ever_since, void: None };
                    self.qualified.push_back(one);
                }
            }
        }
        let mut states: Vec<State> = self.slots.iter().map(|slot| slot.state).collect();
        let killed = |slot: usize| inputs.killed >> slot & 1 == 1;
        for (slot, state) in states.iter_mut().enumerate() {
            if *state == State::Armed && killed(slot) {
                *state = State::Idle;
            }
        }
        if let Some(task) = inputs.ends {
            self.end(task, &mut states, &killed);
        }
        if let Some((slot, _, time, _)) = inputs.fires {
            states[slot] = State::Fired;
            self.unaccounted[slot] = true;
            self.slots[slot].not_before = time.saturating_add(self.plans[slot].cooldown);
            self.fires += 1;
        }
        // What it qualified for is not for its next arming.
        for one in &mut self.qualified {
            if states[one.slot] != State::Armed {
                one.void.get_or_insert(0);
                one.ever_since = false;
            }
        }
        let is_out = |slot: &Slot| matches!(slot.state, State::Fired | State::Live);
        self.out.push_back(self.slots.iter().map(is_out).collect());
        self.out.pop_front();
        for (slot, state) in self.slots.iter_mut().zip(states) {
            slot.state = state;
        }
        Ok(())
    }

    /// Whether this may fire, decided upon a cycle ago.
    fn check(&mut self, fire: (usize, i64, u64, u64), before: &[bool]) -> Result<(), String> {
        let (slot, price, time, tid) = fire;
        let mut found = self.qualified.iter();
        let found = found.find(|one| one.slot == slot && one.show.time == time);
        let Some(one) = found else {
            return Err(format!("slot {slot} fires at {time}, for which it did not qualify"));
        };
        // What is decided upon in its last cycle fires in the next.
        if one.void.is_some_and(|cycles| cycles > 1) {
            return Err(format!("slot {slot} fires at {time}, shown before it was armed last"));
        }
        if (one.price, one.show.tid) != (price, tid) {
            return Err(format!("slot {slot} fires for {price} of {tid}, not as {one:?}"));
        }
        if !before[slot] {
            let exposure = self.exposures[self.plans[slot].instrument];
            return Err(format!(
                "slot {slot} fires and may not: {:?}, {exposure:?}",
                self.plans[slot]
            ));
        }
        if self.last.is_some_and(|last| last >= (time, slot)) {
            return Err(format!("slot {slot} fires at {time} behind {:?}", self.last));
        }
        self.last = Some((time, slot));
        Ok(())
    }

    /// Nothing waits: what should have fired and did not.
    pub fn rest(&mut self) -> Result<(), String> {
        let due = self.qualified.iter().find(|one| one.ever_since);
        let error = due.map(|one| format!("slot {} does not fire: {one:?}", one.slot));
        self.qualified.clear();
        error.map_or(Ok(()), Err)
    }

    fn end(&mut self, task: Task, states: &mut [State], killed: &impl Fn(usize) -> bool) {
        match task {
            Task::Account(slot) => {
                let plan = self.plans[slot];
                open(&mut self.exposures[plan.instrument], &plan);
                self.slots[slot].leaves = plan.quantity;
                self.unaccounted[slot] = false;
            }
            Task::Rearm(slot) => {
                if states[slot] == State::Fired && self.was_out(slot) {
                    self.finish(slot);
                    states[slot] = if killed(slot) { State::Idle } else { State::Armed };
                    self.rearmed += 1;
                } else {
                    self.unexpected += 1;
                }
            }
            Task::Command(command) => self.command(command, states, killed),
        }
    }

    /// Whether a slot's order was out when a task that ends now read it: news of an order cannot be there before
    /// it has left, and are unexpected then.
    fn was_out(&self, slot: usize) -> bool {
        self.out[0][slot]
    }

    fn finish(&mut self, slot: usize) {
        let plan = self.plans[slot];
        let leaves = std::mem::take(&mut self.slots[slot].leaves);
        let held = &mut self.exposures[plan.instrument];
        let open = side(held, plan.sell);
        *open = open.wrapping_sub(leaves);
        held.open_orders = held.open_orders.wrapping_sub(1);
    }

    fn command(&mut self, command: Command, states: &mut [State], killed: &impl Fn(usize) -> bool) {
        let Command { op, slot, quantity } = command;
        if let Op::SetPosition | Op::SetOpenBuy | Op::SetOpenSell | Op::SetOpenOrders = op {
            let held = &mut self.exposures[slot % INSTRUMENTS];
            match op {
                Op::SetPosition => held.position = quantity.cast_signed(),
                Op::SetOpenBuy => held.open_buy = quantity,
                Op::SetOpenSell => held.open_sell = quantity,
                _ => held.open_orders = quantity as u32,
            }
            return;
        }
        let plan = self.plans[slot];
        let state = states[slot];
        let is_open = matches!(state, State::Fired | State::Live) && self.was_out(slot);
        let over = if plan.rearm { State::Idle } else { State::Done };
        let mut wrong = !is_open;
        match op {
            Op::Arm => {
                wrong = false;
                if state == State::Idle && !killed(slot) {
                    states[slot] = State::Armed;
                }
            }
            Op::Disarm | Op::Restart => {
                wrong = false;
                let from = if op == Op::Disarm { State::Armed } else { State::Done };
                if state == from {
                    states[slot] = State::Idle;
                }
            }
            Op::Filled => {
                let held = &mut self.exposures[plan.instrument];
                let moved = if plan.sell { -i128::from(quantity) } else { quantity.into() };
                let position = i128::from(held.position) + moved;
                held.position = position.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                let leaves = self.slots[slot].leaves;
                if is_open && quantity >= leaves {
                    wrong = quantity > leaves;
                    self.finish(slot);
                    states[slot] = over;
                } else if is_open {
                    let open = side(held, plan.sell);
                    *open = open.wrapping_sub(quantity);
                    self.slots[slot].leaves -= quantity;
                    states[slot] = State::Live;
                }
            }
            Op::NotSent => {
                wrong = !(is_open && state == State::Fired);
                if !wrong {
                    self.finish(slot);
                    states[slot] = State::Idle;
                }
            }
            _ if is_open => match op {
                Op::Accepted => states[slot] = State::Live,
                Op::Rejected => {
                    self.finish(slot);
                    states[slot] = State::Done;
                }
                _ => {
                    self.finish(slot);
                    states[slot] = over;
                }
            },
            _ => {}
        }
        self.unexpected += u32::from(wrong);
    }
}

/// What is open on a side.
fn side(held: &mut Exposure, sell: bool) -> &mut u64 {
    if sell { &mut held.open_sell } else { &mut held.open_buy }
}

fn open(held: &mut Exposure, plan: &Plan) {
    let open = side(held, plan.sell);
    *open = open.wrapping_add(plan.quantity);
    held.open_orders = held.open_orders.wrapping_add(1);
}

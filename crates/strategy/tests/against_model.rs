//! The engine beside a naive restatement of its rules, which recounts everything from the history
//! of orders and fills at every step.

use proptest::prelude::*;
use saker_strategy::{
    Engine, Exposure, Fire, Instrument, OrderUpdate, Side, SlotState, StrategyFile, Top,
    UpdateError,
};

const INSTRUMENTS: u16 = 2;

#[derive(Debug, Clone)]
struct Spec {
    stop: bool,
    instrument: u16,
    side: Side,
    bound: i64,
    quantity: u64,
    rearm: bool,
    cooldown_us: u64,
    max_open_orders: u32,
    max_position: u64,
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Buy), Just(Side::Sell)]
}

fn spec() -> impl Strategy<Value = Spec> {
    (
        any::<bool>(),
        0..INSTRUMENTS,
        side(),
        -10i64..10,
        1u64..8,
        any::<bool>(),
        0u64..4,
        1u32..4,
        5u64..30,
    )
        .prop_map(
            |(stop, instrument, side, bound, quantity, rearm, cooldown, open, position)| Spec {
                stop,
                instrument,
                side,
                bound,
                quantity,
                rearm,
                cooldown_us: if rearm { cooldown } else { 0 },
                max_open_orders: open,
                max_position: position,
            },
        )
}

/// Writes the strategies as a file and reads them back, so that the file is under test too.
fn engine(specs: &[Spec]) -> Engine {
    let mut text = String::new();
    for (n, s) in specs.iter().enumerate() {
        let (kind, key) = if s.stop { ("stop", "trigger") } else { ("cross", "threshold") };
        let side = if s.side == Side::Buy { "buy" } else { "sell" };
        let sign = if s.bound < 0 { "-" } else { "" };
        let (whole, tenth) = (s.bound.abs() / 10, s.bound.abs() % 10);
        text += &format!(
            "[[strategy]]\nname = \"s{n}\"\nkind = \"{kind}\"\nsymbol = \"I{}\"\nside = \"{side}\"\n\
             {key} = \"{sign}{whole}.{tenth}\"\nprice = \"1\"\nquantity = {}\nrearm = {}\n\
             max_order_quantity = 8\nmax_open_orders = {}\nmax_position = {}\n",
            s.instrument, s.quantity, s.rearm, s.max_open_orders, s.max_position
        );
        if s.rearm {
            text += &format!("cooldown_us = {}\n", s.cooldown_us);
        }
    }
    let instruments: Vec<_> = (0..INSTRUMENTS)
        .map(|n| Instrument {
            symbol: format!("I{n}"),
            market_segment: String::new(),
            exponent: -1,
        })
        .collect();
    let file = StrategyFile::from_toml(&text).expect("a valid file");
    Engine::new(file.resolve(&instruments).expect("known instruments"))
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Trade { instrument: u16, price: i64 },
    Top { instrument: u16, bid: Option<i64>, offer: Option<i64> },
    Update { slot: u16, update: OrderUpdate },
    ArmAll,
    Disarm { slot: u16 },
    Restart { slot: u16 },
    Kill { slot: u16, on: bool },
    KillAll { on: bool },
}

fn update() -> impl Strategy<Value = OrderUpdate> {
    prop_oneof![
        3 => Just(OrderUpdate::Accepted),
        6 => (1u64..6).prop_map(|quantity| OrderUpdate::Filled { quantity }),
        2 => Just(OrderUpdate::Canceled),
        1 => Just(OrderUpdate::Rejected),
        1 => Just(OrderUpdate::NotSent),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let price = || -12i64..12;
    let quote = || proptest::option::weighted(0.8, -12i64..12);
    let slot = || 0u16..7;
    prop_oneof![
        10 => (0..=INSTRUMENTS, price())
            .prop_map(|(instrument, price)| Step::Trade { instrument, price }),
        10 => (0..=INSTRUMENTS, quote(), quote())
            .prop_map(|(instrument, bid, offer)| Step::Top { instrument, bid, offer }),
        16 => (slot(), update()).prop_map(|(slot, update)| Step::Update { slot, update }),
        8 => Just(Step::ArmAll),
        1 => slot().prop_map(|slot| Step::Disarm { slot }),
        2 => slot().prop_map(|slot| Step::Restart { slot }),
        1 => (slot(), any::<bool>()).prop_map(|(slot, on)| Step::Kill { slot, on }),
        1 => any::<bool>().prop_map(|on| Step::KillAll { on }),
    ]
}

/// One order that was fired, and everything that happened to it.
#[derive(Debug, Clone)]
struct Sent {
    slot: usize,
    at: u64,
    filled: u64,
    over: bool,
}

#[derive(Debug)]
struct Model {
    specs: Vec<Spec>,
    states: Vec<SlotState>,
    killed: Vec<bool>,
    all_killed: bool,
    sent: Vec<Sent>,
    /// Every fill: instrument, side, quantity.
    fills: Vec<(u16, Side, u64)>,
    blocked: u64,
    held: u64,
    unexpected: u64,
}

impl Model {
    fn new(specs: Vec<Spec>) -> Self {
        Self {
            states: vec![SlotState::Idle; specs.len()],
            killed: vec![false; specs.len()],
            specs,
            all_killed: false,
            sent: Vec::new(),
            fills: Vec::new(),
            blocked: 0,
            held: 0,
            unexpected: 0,
        }
    }

    fn exposure(&self, instrument: u16) -> Exposure {
        let filled = |side| -> u64 {
            let mine = self.fills.iter().filter(|f| f.0 == instrument && f.1 == side);
            mine.map(|f| f.2).sum()
        };
        let open: Vec<&Sent> = self
            .sent
            .iter()
            .filter(|o| !o.over && self.specs[o.slot].instrument == instrument)
            .collect();
        let leaves = |side| -> u64 {
            let mine = open.iter().filter(|o| self.specs[o.slot].side == side);
            mine.map(|o| self.specs[o.slot].quantity - o.filled).sum()
        };
        Exposure {
            position: filled(Side::Buy) as i64 - filled(Side::Sell) as i64,
            open_buy: leaves(Side::Buy),
            open_sell: leaves(Side::Sell),
            open_orders: open.len() as u32,
        }
    }

    fn event(&mut self, instrument: u16, qualifies: impl Fn(&Spec) -> bool, now: u64) -> Vec<Fire> {
        let mut fires = Vec::new();
        for slot in 0..self.specs.len() {
            let spec = self.specs[slot].clone();
            let armed = self.states[slot] == SlotState::Armed;
            if !armed || spec.instrument != instrument || !qualifies(&spec) {
                continue;
            }
            let last = self.sent.iter().rev().find(|o| o.slot == slot);
            if last.is_some_and(|o| now - o.at < spec.cooldown_us * 1_000) {
                self.held += 1;
                continue;
            }
            let e = self.exposure(instrument);
            let reach = match spec.side {
                Side::Buy => e.position + e.open_buy as i64,
                Side::Sell => -e.position + e.open_sell as i64,
            };
            let too_many = e.open_orders + 1 > spec.max_open_orders;
            if too_many || reach + spec.quantity as i64 > spec.max_position as i64 {
                self.blocked += 1;
                continue;
            }
            self.states[slot] = SlotState::Fired;
            self.sent.push(Sent { slot, at: now, filled: 0, over: false });
            fires.push(Fire { slot: slot as u16, strategy: slot as u16 });
        }
        fires
    }

    fn trade(&mut self, instrument: u16, price: i64, now: u64) -> Vec<Fire> {
        let qualifies = |s: &Spec| match s.side {
            Side::Buy => s.stop && price >= s.bound,
            Side::Sell => s.stop && price <= s.bound,
        };
        self.event(instrument, qualifies, now)
    }

    fn top(
        &mut self,
        instrument: u16,
        bid: Option<i64>,
        offer: Option<i64>,
        now: u64,
    ) -> Vec<Fire> {
        let qualifies = |s: &Spec| match s.side {
            Side::Buy => !s.stop && offer.is_some_and(|offer| offer <= s.bound),
            Side::Sell => !s.stop && bid.is_some_and(|bid| bid >= s.bound),
        };
        self.event(instrument, qualifies, now)
    }

    fn update(&mut self, slot: u16, update: OrderUpdate) -> Result<(), UpdateError> {
        let at = usize::from(slot);
        if at >= self.specs.len() {
            return Err(UpdateError::UnknownSlot(slot));
        }
        let result = self.known_update(slot, at, update);
        self.unexpected += u64::from(result.is_err());
        result
    }

    fn known_update(
        &mut self,
        slot: u16,
        at: usize,
        update: OrderUpdate,
    ) -> Result<(), UpdateError> {
        let spec = self.specs[at].clone();
        if let OrderUpdate::Filled { quantity } = update {
            self.fills.push((spec.instrument, spec.side, quantity));
        }
        let Some(order) = self.sent.iter_mut().find(|o| o.slot == at && !o.over) else {
            return Err(UpdateError::NoOpenOrder { slot });
        };
        let over = if spec.rearm { SlotState::Idle } else { SlotState::Done };
        let leaves = spec.quantity - order.filled;
        let next = match update {
            OrderUpdate::Accepted => SlotState::Live,
            OrderUpdate::Filled { quantity } if quantity < leaves => {
                order.filled += quantity;
                SlotState::Live
            }
            OrderUpdate::Filled { .. } | OrderUpdate::Canceled => over,
            OrderUpdate::Rejected => SlotState::Done,
            OrderUpdate::NotSent if self.states[at] == SlotState::Live => {
                return Err(UpdateError::AlreadyLive { slot });
            }
            OrderUpdate::NotSent => SlotState::Idle,
        };
        order.over = next != SlotState::Live;
        self.states[at] = next;
        match update {
            OrderUpdate::Filled { quantity } if quantity > leaves => {
                Err(UpdateError::Overfilled { slot, quantity, leaves })
            }
            _ => Ok(()),
        }
    }

    fn preparable(&self) -> Vec<u16> {
        let idle =
            |n: &usize| self.states[*n] == SlotState::Idle && !self.killed[*n] && !self.all_killed;
        (0..self.specs.len()).filter(idle).map(|n| n as u16).collect()
    }

    fn shift(&mut self, slot: u16, from: SlotState, to: SlotState) {
        if let Some(state) = self.states.get_mut(usize::from(slot)).filter(|s| **s == from) {
            *state = to;
        }
    }
}

fn run(engine: &mut Engine, model: &mut Model, step: Step, now: u64) -> Result<(), TestCaseError> {
    let mut fires = Vec::new();
    match step {
        Step::Trade { instrument, price } => {
            engine.on_trade(instrument, price, 1, now, &mut fires);
            prop_assert_eq!(fires, model.trade(instrument, price, now));
        }
        Step::Top { instrument, bid, offer } => {
            let top = Top { bid: bid.map(|p| (p, 1)), offer: offer.map(|p| (p, 1)) };
            engine.on_top(instrument, &top, now, &mut fires);
            prop_assert_eq!(fires, model.top(instrument, bid, offer, now));
        }
        Step::Update { slot, update } => {
            prop_assert_eq!(engine.on_order_update(slot, update), model.update(slot, update));
        }
        Step::ArmAll => {
            let slots: Vec<_> = engine.needs_prepare().collect();
            prop_assert_eq!(&slots, &model.preparable());
            for slot in slots {
                prop_assert!(engine.arm(slot));
                model.shift(slot, SlotState::Idle, SlotState::Armed);
            }
        }
        Step::Disarm { slot } => {
            engine.disarm(slot);
            model.shift(slot, SlotState::Armed, SlotState::Idle);
        }
        Step::Restart { slot } => {
            engine.restart(slot);
            model.shift(slot, SlotState::Done, SlotState::Idle);
        }
        Step::Kill { slot, on } => {
            let known = if on { engine.kill(slot) } else { engine.release(slot) };
            prop_assert_eq!(known, usize::from(slot) < model.specs.len());
            if known {
                model.killed[usize::from(slot)] = on;
            }
            if on {
                model.shift(slot, SlotState::Armed, SlotState::Idle);
            }
        }
        Step::KillAll { on } => {
            model.all_killed = on;
            if on {
                engine.kill_all();
                for slot in 0..model.specs.len() as u16 {
                    model.shift(slot, SlotState::Armed, SlotState::Idle);
                }
            } else {
                engine.release_all();
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn agrees_after_every_step(
        specs in prop::collection::vec(spec(), 1..7),
        steps in prop::collection::vec((step(), 0u64..3_000), 1..150),
    ) {
        let mut engine = engine(&specs);
        let mut model = Model::new(specs);
        let mut now = 0;
        for (step, later) in steps {
            now += later;
            run(&mut engine, &mut model, step, now)?;
            for (slot, state) in model.states.iter().enumerate() {
                prop_assert_eq!(engine.state(slot as u16), Some(*state));
            }
            for instrument in 0..INSTRUMENTS {
                prop_assert_eq!(engine.exposure(instrument), model.exposure(instrument));
            }
            let counters = engine.counters();
            prop_assert_eq!(counters.fires, model.sent.len() as u64);
            prop_assert_eq!(counters.held_cooldown, model.held);
            let blocked = counters.blocked_order_quantity
                + counters.blocked_open_orders
                + counters.blocked_position;
            prop_assert_eq!(blocked, model.blocked);
            prop_assert_eq!(counters.unexpected_updates, model.unexpected);
        }
    }

    /// Whatever a well-behaved venue answers, no position and no number of open orders exceeds a
    /// limit that all strategies share.
    #[test]
    fn shared_limits_are_never_exceeded(
        specs in prop::collection::vec(spec(), 1..7),
        steps in prop::collection::vec((step(), 0u64..3_000), 1..150),
        max_position in 5u64..30,
        max_open_orders in 1u32..4,
    ) {
        let share = |s| Spec { max_position, max_open_orders, ..s };
        let specs: Vec<_> = specs.into_iter().map(share).collect();
        let mut engine = engine(&specs);
        let mut now = 0;
        for (step, later) in steps {
            now += later;
            let mut fires = Vec::new();
            match step {
                Step::Trade { instrument, price } => {
                    engine.on_trade(instrument, price, 1, now, &mut fires);
                }
                Step::Top { instrument, bid, offer } => {
                    let top = Top { bid: bid.map(|p| (p, 1)), offer: offer.map(|p| (p, 1)) };
                    engine.on_top(instrument, &top, now, &mut fires);
                }
                Step::Update { slot, update: OrderUpdate::Filled { quantity } } => {
                    let quantity = quantity.min(engine.leaves(slot));
                    if quantity > 0 {
                        engine.on_order_update(slot, OrderUpdate::Filled { quantity }).unwrap();
                    }
                }
                Step::Update { slot, update } => {
                    // Updates of orders that are not open change nothing.
                    let _ = engine.on_order_update(slot, update);
                }
                _ => {
                    let slots: Vec<_> = engine.needs_prepare().collect();
                    slots.into_iter().for_each(|slot| assert!(engine.arm(slot)));
                }
            }
            for instrument in 0..INSTRUMENTS {
                let e = engine.exposure(instrument);
                prop_assert!(e.position.unsigned_abs() <= max_position);
                prop_assert!(e.position + e.open_buy as i64 <= max_position as i64);
                prop_assert!(e.position - e.open_sell as i64 >= -(max_position as i64));
                prop_assert!(e.open_orders <= max_open_orders);
            }
        }
    }

    /// Each stop fires exactly once, at the first trade that qualifies.
    #[test]
    fn a_stop_fires_once_at_the_first_qualifying_trade(
        specs in prop::collection::vec(spec(), 1..40),
        trades in prop::collection::vec((0..INSTRUMENTS, -12i64..12), 1..100),
    ) {
        let free = |s| Spec {
            stop: true,
            rearm: false,
            cooldown_us: 0,
            max_open_orders: 1_000,
            max_position: 1_000_000,
            ..s
        };
        let specs: Vec<Spec> = specs.into_iter().map(free).collect();
        let mut engine = engine(&specs);
        for slot in 0..specs.len() as u16 {
            prop_assert!(engine.arm(slot));
        }
        let mut fired = vec![Vec::new(); specs.len()];
        for (n, (instrument, price)) in trades.iter().enumerate() {
            let mut fires = Vec::new();
            engine.on_trade(*instrument, *price, 1, n as u64, &mut fires);
            fires.iter().for_each(|f| fired[usize::from(f.slot)].push(n));
        }
        for (spec, fired) in specs.iter().zip(fired) {
            let first = trades.iter().position(|(instrument, price)| {
                *instrument == spec.instrument
                    && match spec.side {
                        Side::Buy => *price >= spec.bound,
                        Side::Sell => *price <= spec.bound,
                    }
            });
            prop_assert_eq!(fired, first.into_iter().collect::<Vec<_>>());
        }
    }
}

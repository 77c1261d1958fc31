//! The strategies' slots in logic beside their rules as software, with everything at once.
//!
//! `slots_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, …: random strategies, prices one behind the
//! other and apart, and meanwhile commands of the host, rearms of the order sender and kill switches, in any cycle. A
//! fire must be one that its slot qualified for when it was armed, at the price it looked at, in order, and within its
//! limits with everything fired before; what was armed, rested and within its limits all the while must fire. States are
//! compared in each cycle, exposures and counters when nothing waits. A round that differs is told with its number;
//! alone, with what came last. With WAVE the signals of all rounds go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

#[path = "../bench/mod.rs"]
mod bench;
#[path = "../bench/rounds.rs"]
mod rounds;
mod rules;

use std::process::ExitCode;

use bench::ports;
use fastrand::Rng;
use rounds::{Last, Rounds, run};
use rules::{Command, INSTRUMENTS, Inputs, Op, Plan, Rules, Show, Task};
use saker_cosim::library::{Library, Model};
use saker_strategy::{Exposure, SlotState as State, Source};

type Error = Box<dyn std::error::Error>;

const TOP: &str = "slots_probe";
/// Cycles of a round in which something comes, and from one rest to the next.
const CYCLES: u64 = 20_000;
const BUSY: u64 = 400;
/// Cycles from one that sees no room to the last entry that comes all the same.
const LATE: u64 = 8;
/// Cycles within which everything is decided.
const LONGEST_WAIT: u64 = 20_000;
/// Cycles behind a write to a slot, and behind the last event, until nothing of it is on its way.
const SETTLED: u64 = 8;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

#[derive(Default)]
struct Counts {
    cycles: u64,
    shows: u64,
    fires: u64,
    commands: u64,
    rearms: u64,
    blocked: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cycles, shows, fires, commands, rearms, blocked } = self;
        write!(
            f,
            "{cycles} cycles, {shows} shown, {fires} fires, {blocked} held back, {commands} commands, {rearms} rearms"
        )
    }
}

/// What comes, of 256 cycles.
struct Odds {
    show: u8,
    command: u8,
    rearm: u8,
    kill: u8,
    configure: u8,
    /// Commands that arm, and those that end an order.
    arms: u8,
}

/// The slots, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    slots: usize,
    random: Rng,
    counts: Counts,
    cycle: u64,
    time: u64,
    killed: u16,
    /// The command on offer, and that which is carried out.
    command: Option<Command>,
    carried: Option<Command>,
    /// The last cycle without a pause.
    room: u64,
    last: Last,
}

ports! {
    input {
        rst: 1,
        s_show_valid: 1,
        s_show_trade: 1,
        s_show_instrument: 4,
        s_show_bid_valid: 1,
        s_show_bid_price: 64,
        s_show_ask_valid: 1,
        s_show_ask_price: 64,
        s_show_some: 1,
        s_show_tid: 4,
        s_show_tstamp: 64,
        config_write_valid: 1,
        config_write_address: 7,
        config_write_data: 64,
        command_valid: 1,
        command_op: 4,
        command_slot: 4,
        command_quantity: 64,
        kill_all: 1,
        kill: 16,
        rearm_valid: 1,
        rearm_slot: 4,
        exposure_instrument: 4,
    }
    output {
        show_pause: 1,
        command_ready: 1,
        fire_valid: 1,
        fire_slot: 4,
        fire_instrument: 4,
        fire_price: 64,
        fire_tid: 4,
        fire_tstamp: 64,
        slot_state: 48,
        exposure_position: 64,
        exposure_open_buy: 64,
        exposure_open_sell: 64,
        exposure_open_orders: 32,
        strategy_counters: 256,
        obs_task_ends: 1,
        obs_task: 2,
        obs_task_slot: 4,
        obs_idle: 1,
    }
}

impl Rounds for Bench {
    type Counts = Counts;

    /// A round from reset on.
    fn round(&mut self, number: u64) -> Result<(), String> {
        self.random = Rng::with_seed(number);
        self.reset();
        let plans: Vec<Plan> = (0..self.slots).map(|_| plan(&mut self.random)).collect();
        let mut of = |choices: &[u8]| choices[self.random.usize(0..choices.len())];
        let odds = Odds {
            show: of(&[2, 20, 120, 255]),
            command: of(&[2, 40, 255]),
            rearm: of(&[0, 1, 20]),
            kill: of(&[0, 0, 1, 4]),
            configure: of(&[0, 0, 1]),
            arms: of(&[100, 180, 220]),
        };
        let mut rules = Rules::new(plans.clone());
        for (slot, plan) in plans.iter().enumerate() {
            self.configure(&mut rules, slot, plan)?;
        }
        while self.cycle < CYCLES {
            for _ in 0..self.random.u64(1..BUSY) {
                let show = self.shows(&odds, &rules);
                self.commands(&odds, &rules);
                self.kills(&odds);
                let rearm = self.rearms(&odds, &rules);
                self.tick(&mut rules, show, rearm)?;
                if self.odd(odds.configure) && self.command.is_none() && self.carried.is_none() {
                    let slot = self.random.usize(0..self.slots);
                    if matches!(rules.state(slot), State::Idle | State::Done) {
                        let plan = plan(&mut self.random);
                        self.configure(&mut rules, slot, &plan)?;
                    }
                }
            }
            self.rest(&mut rules)?;
        }
        Ok(())
    }

    fn last(&self) -> &Last {
        &self.last
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}

impl Bench {
    fn new(library: &Library, model: Model) -> Result<Self, Error> {
        let slots = library.parameter("SLOTS").ok_or("no SLOTS")? as usize;
        Ok(Self {
            model,
            ports: Ports::new(library)?,
            slots,
            random: Rng::with_seed(0),
            counts: Counts::default(),
            cycle: 0,
            time: 0,
            killed: 0,
            command: None,
            carried: None,
            room: 0,
            last: Last::default(),
        })
    }

    fn odd(&mut self, of: u8) -> bool {
        self.random.u8(..) < of
    }

    fn reset(&mut self) {
        let p = &self.ports;
        for port in [
            p.s_show_valid,
            p.config_write_valid,
            p.command_valid,
            p.kill_all,
            p.kill,
            p.rearm_valid,
        ] {
            self.model.set(port, 0);
        }
        self.model.set(self.ports.rst, 1);
        (0..4).for_each(|_| self.model.step());
        self.model.set(self.ports.rst, 0);
        self.model.settle();
        while !self.model.is(self.ports.obs_idle) {
            self.model.step();
        }
        (self.cycle, self.time, self.killed, self.room) = (0, 0, 0, 0);
        (self.command, self.carried) = (None, None);
        self.last.clear();
    }

    /// A slot's parameters, while nothing is about it.
    fn configure(&mut self, rules: &mut Rules, slot: usize, plan: &Plan) -> Result<(), String> {
        self.note(format!("slot {slot}: {plan:?}"));
        let control = 1 << 11
            | u64::from(plan.rearm) << 10
            | u64::from(plan.sell) << 9
            | u64::from(plan.at_most) << 8
            | (plan.source as u64) << 4
            | plan.instrument as u64;
        let fields = [
            control,
            plan.bound.cast_unsigned(),
            plan.quantity,
            plan.max_order_quantity,
            plan.max_open_orders.into(),
            plan.max_position,
            plan.cooldown,
        ];
        for (field, value) in (0..).zip(fields) {
            self.model.set(self.ports.config_write_valid, 1);
            self.model.set(self.ports.config_write_address, (slot as u64) << 3 | field);
            self.model.set(self.ports.config_write_data, value);
            // Nothing fires this slot: it is not armed.
            rules.configure(slot, *plan);
            self.tick(rules, None, None)?;
        }
        self.model.set(self.ports.config_write_valid, 0);
        for _ in 0..SETTLED {
            self.tick(rules, None, None)?;
        }
        Ok(())
    }

    fn shows(&mut self, odds: &Odds, rules: &Rules) -> Option<Show> {
        if !self.model.is(self.ports.show_pause) {
            self.room = self.cycle;
        }
        if self.cycle > self.room + LATE || !self.odd(odds.show) {
            return None;
        }
        let random = &mut self.random;
        self.time += [1, 1, 2, 30][random.usize(0..4)];
        let bound = rules.plans()[random.usize(0..self.slots)].bound;
        let price = |random: &mut Rng| {
            [random.i64(-25..=25), i64::MIN, i64::MAX, bound][random.usize(0..4)]
        };
        let there = |random: &mut Rng| random.u32(0..10) != 0;
        let is_trade = random.bool();
        Some(Show {
            instrument: random.usize(0..INSTRUMENTS),
            trade: is_trade.then(|| there(random)),
            bid: (is_trade || there(random)).then(|| price(random)),
            ask: (is_trade || there(random)).then(|| price(random)),
            tid: random.u64(0..16),
            time: self.time,
        })
    }

    /// Offers a command, if there is none.
    fn commands(&mut self, odds: &Odds, rules: &Rules) {
        if self.command.is_some() || !self.odd(odds.command) {
            return;
        }
        let arms = self.odd(odds.arms);
        let random = &mut self.random;
        let slot = random.usize(0..self.slots);
        let ends = [
            Op::Accepted,
            Op::Filled,
            Op::Filled,
            Op::Canceled,
            Op::Canceled,
            Op::Rejected,
            Op::NotSent,
        ];
        let op = match rules.state(slot) {
            _ if random.u32(0..200) == 0 => [
                Op::SetPosition,
                Op::SetPosition,
                Op::SetOpenBuy,
                Op::SetOpenSell,
                Op::SetOpenOrders,
            ][random.usize(0..5)],
            _ if random.u32(0..20) == 0 => {
                [Op::Disarm, Op::Arm, ends[random.usize(0..ends.len())]][random.usize(0..3)]
            }
            State::Idle if arms => Op::Arm,
            State::Done => Op::Restart,
            State::Fired | State::Live => ends[random.usize(0..ends.len())],
            _ => return,
        };
        let quantity = match op {
            Op::SetPosition => [0, 3, u64::MAX, i64::MAX as u64, 1 << 63][random.usize(0..5)],
            Op::SetOpenBuy | Op::SetOpenSell | Op::SetOpenOrders => random.u64(0..10),
            _ => [random.u64(0..6), random.u64(0..6), u64::MAX, 1 << 63][random.usize(0..4)],
        };
        let about_instrument = op as u64 >= Op::SetPosition as u64;
        let slot = if about_instrument { slot % INSTRUMENTS } else { slot };
        self.command = Some(Command { op, slot, quantity });
    }

    fn kills(&mut self, odds: &Odds) {
        if self.killed != 0 && self.random.u32(0..16) == 0 {
            self.killed = 0;
        } else if self.odd(odds.kill) {
            self.killed = [u16::MAX, 1 << self.random.u32(0..16), self.random.u16(..)]
                [self.random.usize(0..3)];
        }
    }

    /// A slot whose order the sender did not send.
    fn rearms(&mut self, odds: &Odds, rules: &Rules) -> Option<usize> {
        let slot = self.random.usize(0..self.slots);
        let fits = rules.state(slot) == State::Fired || self.random.u32(0..50) == 0;
        (self.odd(odds.rearm) && fits).then_some(slot)
    }

    fn note(&mut self, line: String) {
        self.last.note(format!("cycle {}: {line}", self.cycle));
    }

    /// A cycle with this event and this rearm.
    fn tick(
        &mut self,
        rules: &mut Rules,
        show: Option<Show>,
        rearm: Option<usize>,
    ) -> Result<(), String> {
        self.offer(show, rearm);
        let states = self.model.get(self.ports.slot_state);
        for slot in 0..self.slots {
            let (got, want) = (states >> (3 * slot) & 7, rules.state(slot));
            if got != want as u64 {
                return Err(format!(
                    "cycle {}: slot {slot} is in state {got}, not {want:?}",
                    self.cycle
                ));
            }
        }
        let fires = self.model.is(self.ports.fire_valid).then(|| {
            let p = &self.ports;
            let price = self.model.get(p.fire_price).cast_signed();
            (
                self.model.get(p.fire_slot) as usize,
                price,
                self.model.get(p.fire_tstamp),
                self.model.get(p.fire_tid),
            )
        });
        let inputs = Inputs { shows: show, fires, ends: self.ends()?, killed: self.killed };
        if let Some(show) = show {
            self.note(format!("{show:?}"));
        }
        if let Some((slot, price, time, _)) = fires {
            self.note(format!("slot {slot} fires for {price} at {time}"));
            let instrument = self.model.get(self.ports.fire_instrument) as usize;
            if instrument != rules.plans()[slot].instrument {
                return Err(format!("slot {slot} fires in {instrument}"));
            }
        }
        if let Some(task) = inputs.ends {
            self.note(format!("{task:?}"));
        }
        rules.cycle(&inputs).map_err(|error| format!("cycle {}: {error}", self.cycle))?;
        if self.command.is_some() && self.model.is(self.ports.command_ready) {
            self.carried = self.command.take();
            self.counts.commands += 1;
        }
        self.counts.cycles += 1;
        self.counts.shows += u64::from(show.is_some());
        self.counts.fires += u64::from(fires.is_some());
        self.counts.rearms += u64::from(rearm.is_some());
        self.model.step();
        self.cycle += 1;
        Ok(())
    }

    /// The task that ends in this cycle.
    fn ends(&mut self) -> Result<Option<Task>, String> {
        if !self.model.is(self.ports.obs_task_ends) {
            return Ok(None);
        }
        let slot = self.model.get(self.ports.obs_task_slot) as usize;
        Ok(match self.model.get(self.ports.obs_task) {
            0 => Some(Task::Account(slot)),
            1 => Some(Task::Rearm(slot)),
            2 => {
                let carried = self.carried.take();
                Some(Task::Command(carried.ok_or("a command ends that was not given")?))
            }
            _ => None,
        })
    }

    fn offer(&mut self, show: Option<Show>, rearm: Option<usize>) {
        let Self { model, ports, .. } = self;
        model.set(ports.s_show_valid, show.is_some().into());
        if let Some(show) = show {
            for (port, value) in [
                (ports.s_show_trade, show.trade.is_some().into()),
                (ports.s_show_some, (show.trade == Some(true)).into()),
                (ports.s_show_instrument, show.instrument as u64),
                (ports.s_show_bid_valid, show.bid.is_some().into()),
                (ports.s_show_bid_price, show.bid.unwrap_or(0).cast_unsigned()),
                (ports.s_show_ask_valid, show.ask.is_some().into()),
                (ports.s_show_ask_price, show.ask.unwrap_or(0).cast_unsigned()),
                (ports.s_show_tid, show.tid),
                (ports.s_show_tstamp, show.time),
            ] {
                model.set(port, value);
            }
        }
        model.set(ports.rearm_valid, rearm.is_some().into());
        model.set(ports.rearm_slot, rearm.unwrap_or(0) as u64);
        let all = self.killed == u16::MAX;
        model.set(ports.kill_all, all.into());
        model.set(ports.kill, if all { 0 } else { self.killed.into() });
        model.set(ports.command_valid, self.command.is_some().into());
        if let Some(Command { op, slot, quantity }) = self.command {
            model.set(ports.command_op, op as u64);
            model.set(ports.command_slot, slot as u64);
            model.set(ports.command_quantity, quantity);
        }
        model.settle();
    }

    /// Until nothing waits; what has come of all.
    fn rest(&mut self, rules: &mut Rules) -> Result<(), String> {
        let (mut quiet, mut waited) = (0, 0);
        while quiet < SETTLED || self.command.is_some() || self.carried.is_some() {
            self.tick(rules, None, None)?;
            quiet = if self.model.is(self.ports.obs_idle) { quiet + 1 } else { 0 };
            waited += 1;
            if waited == LONGEST_WAIT {
                return Err(format!("cycle {}: something waits and waits", self.cycle));
            }
        }
        rules.rest().map_err(|error| format!("cycle {}: {error}", self.cycle))?;
        for instrument in 0..INSTRUMENTS {
            self.model.set(self.ports.exposure_instrument, instrument as u64);
            (0..2).try_for_each(|_| self.tick(rules, None, None))?;
            let p = &self.ports;
            let got = Exposure {
                position: self.model.get(p.exposure_position).cast_signed(),
                open_buy: self.model.get(p.exposure_open_buy),
                open_sell: self.model.get(p.exposure_open_sell),
                open_orders: self.model.get(p.exposure_open_orders) as u32,
            };
            let want = rules.exposure(instrument);
            if got != want {
                return Err(format!("cycle {}: in {instrument} {got:?}, not {want:?}", self.cycle));
            }
        }
        // The first one is the highest.
        let words = self.model.get_words(self.ports.strategy_counters);
        let [missed, rearmed, unexpected, held, position, orders, quantity, fires] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|at| words[at]);
        let (got, want) = (
            [fires, unexpected, rearmed, missed],
            [rules.fires, rules.unexpected, rules.rearmed, 0],
        );
        if got != want {
            return Err(format!(
                "cycle {}: fires, unexpected, rearmed, missed: {got:?}, not {want:?}",
                self.cycle
            ));
        }
        if self.cycle >= CYCLES {
            self.counts.blocked +=
                [held, position, orders, quantity].map(u64::from).iter().sum::<u64>();
        }
        Ok(())
    }
}

/// A random strategy, at the ends of the integers too.
fn plan(random: &mut Rng) -> Plan {
    let quantities = [1, 2, 3, 5, 5, 8, u64::MAX, 1 << 63];
    let few = random.u32(0..8) != 0;
    Plan {
        instrument: random.usize(0..INSTRUMENTS),
        source: [Source::Trade, Source::Bid, Source::Offer][random.usize(0..3)],
        at_most: random.bool(),
        bound: if few {
            random.i64(-20..=20)
        } else {
            [i64::MIN, i64::MAX, -1][random.usize(0..3)]
        },
        sell: random.bool(),
        quantity: quantities[random.usize(0..if few { 6 } else { 8 })],
        rearm: random.u32(0..4) != 0,
        cooldown: [0, 0, 5, 100, u64::MAX][random.usize(0..if few { 4 } else { 5 })],
        max_order_quantity: [10, 10, 5, u64::MAX][random.usize(0..4)],
        max_open_orders: [1, 2, 3, 16, u32::MAX][random.usize(0..5)],
        max_position: [20, 40, u64::MAX, 1 << 63][random.usize(0..4)],
    }
}

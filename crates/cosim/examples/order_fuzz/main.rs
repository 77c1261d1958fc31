//! The order sender in logic beside its rules as software, with everything at once.
//!
//! `order_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, …: fires of any slot, alone and in bursts,
//! verdicts early and late, good and bad; and meanwhile orders loaded, armed and disarmed, writes that must be refused,
//! registers, the kill switch and the lease, in any cycle, on a line that is free, busy with the host's frames, or
//! takes words when it likes. Each fire must end once, in the cycle in which it has to, for the first reason there
//! is; each frame must be the model's byte for byte. Registers, armed slots and all reports are compared in each cycle. A
//! round that differs is told with its number; alone, with what came last. With WAVE the signals of all rounds go to
//! that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

#[path = "../bench/mod.rs"]
mod bench;
mod frame;
mod host;
mod line;
mod numbers;
mod orders;
#[path = "../bench/rest.rs"]
mod rest;
#[path = "../bench/rounds.rs"]
mod rounds;
mod rules;
mod slots;

use std::process::ExitCode;

use bench::ports;
use fastrand::Rng;
use frame::Word;
use host::Host;
use line::{Line, Pace};
use numbers::{Values, Writes};
use orders::{Orders, number};
use rest::rest;
use rounds::{Last, Rounds, run};
use rules::{EVENTS, Fire, Inputs, Options, Outputs, PACKETS, Rules, Sent};
use saker_cosim::library::{Input, Library, Model};
use saker_trader::fastpath::MAX_MSG_SEQ;
use slots::SLOTS;

type Error = Box<dyn std::error::Error>;

const TOP: &str = "order_sender";
/// Cycles of a round in which something comes, and from one rest to the next.
const CYCLES: u64 = 20_000;
const BUSY: u64 = 1_500;
/// Cycles within which everything is decided.
const LONGEST_WAIT: u64 = 20_000;
/// Cycles behind the last event until nothing of it is on its way, and behind reset.
const SETTLED: u64 = 8;
const RESET: u64 = 20;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

/// Pulses of each event.
#[derive(Default)]
struct Counts {
    cycles: u64,
    fires: u64,
    events: [u64; EVENTS.len()],
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cycles, {} fires", self.cycles, self.fires)?;
        EVENTS
            .iter()
            .zip(self.events)
            .rev()
            .try_for_each(|(name, count)| write!(f, ", {count} {name}"))
    }
}

/// What comes, of 256 cycles.
struct Odds {
    fire: u8,
    /// Fires behind one another, once there is one.
    burst: u8,
    trusted: u8,
    verdict: u8,
    bad: u8,
    /// The kill switch; the lease given and taken; numbers, with the lease and without.
    disable: u8,
    lease: u8,
    unlease: u8,
    numbers_leased: u8,
    numbers: u8,
    host: host::Odds,
}

impl Odds {
    fn new(random: &mut Rng) -> Self {
        let mut of = |choices: &[u8]| choices[random.usize(0..choices.len())];
        Self {
            fire: of(&[1, 4, 20, 128]),
            burst: of(&[0, 128, 230]),
            trusted: of(&[0, 32, 128, 255]),
            verdict: of(&[4, 20, 80, 255]),
            bad: of(&[0, 20, 128, 255]),
            disable: of(&[0, 0, 1, 8]),
            lease: of(&[4, 20, 128]),
            unlease: of(&[0, 1, 4]),
            numbers_leased: of(&[0, 1, 10]),
            numbers: of(&[20, 128]),
            host: host::Odds {
                write: of(&[60, 200, 255]),
                arm: of(&[40, 128]),
                disarm: of(&[0, 2, 20]),
                stray: of(&[4, 40, 128]),
            },
        }
    }
}

/// The sender, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    random: Rng,
    counts: Counts,
    cycle: u64,
    enabled: bool,
    leased: bool,
    /// A fire came in the cycle before.
    bursts: bool,
    /// The packet of the last fire.
    packet: usize,
    last: Last,
}

ports! {
    input {
        rst: 1,
        speculate: 1,
        trailer: 1,
        enabled: 1,
        leased: 1,
        tcp_ack: 32,
        tcp_window: 16,
        tcp_seq_write_valid: 1,
        tcp_seq_write_data: 32,
        tcp_limit_write_valid: 1,
        tcp_limit_write_data: 32,
        next_msg_seq_write_valid: 1,
        next_msg_seq_write_data: 30,
        udp_seq_write_valid: 1,
        udp_seq_write_data: 32,
        slot_write_valid: 1,
        slot_write_address: 12,
        slot_write_data: 32,
        fire_valid: 1,
        fire_slot: 4,
        fire_tid: 4,
        fire_trusted: 1,
        fire_tstamp: 64,
        fire_price: 64,
        verdict_valid: 1,
        verdict_tid: 4,
        verdict_good: 1,
        m_axis_tready: 1,
        tx_first: 1,
        tx_first_lane4: 1,
        now_ns: 64,
        now_lane4_ns: 64,
    }
    output {
        tcp_seq: 32,
        tcp_limit: 32,
        next_msg_seq: 30,
        udp_seq: 32,
        armed: 16,
        busy: 1,
        pending_valid: 1,
        pending_tid: 4,
        m_axis_tdata: 64,
        m_axis_tkeep: 8,
        m_axis_tvalid: 1,
        m_axis_tlast: 1,
        m_axis_tuser: 1,
        sent_valid: 1,
        sent: 230,
        refused_valid: 1,
        refused: 7,
        rearm_valid: 1,
        rearm_slot: 4,
        rearm_armed: 1,
        order_event: 14,
    }
}

impl Rounds for Bench {
    type Counts = Counts;

    /// A round from reset on.
    fn round(&mut self, number: u64) -> Result<(), String> {
        self.random = Rng::with_seed(number);
        self.play().map_err(|error| format!("cycle {}: {error}", self.cycle))
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
        Ok(Self {
            model,
            ports: Ports::new(library)?,
            random: Rng::with_seed(0),
            counts: Counts::default(),
            cycle: 0,
            enabled: true,
            leased: false,
            bursts: false,
            packet: 0,
            last: Last::default(),
        })
    }

    fn odd(&mut self, of: u8) -> bool {
        self.random.u8(..) < of
    }

    fn note(&mut self, line: String) {
        self.last.note(format!("cycle {}: {line}", self.cycle));
    }

    fn reset(&mut self) {
        self.drive(&Inputs::default(), 0);
        self.model.set(self.ports.rst, 1);
        (0..4).for_each(|_| self.model.step());
        self.model.set(self.ports.rst, 0);
        (0..RESET).for_each(|_| self.model.step());
        (self.cycle, self.packet) = (0, 0);
        (self.enabled, self.leased, self.bursts) = (false, false, false);
        self.last.clear();
    }

    fn play(&mut self) -> Result<(), String> {
        self.reset();
        let orders = Orders::new(SLOTS as u16).map_err(|error| error.to_string())?;
        let mut rules = Rules::new(orders);
        let mut host = Host::default();
        let near_wrap = self.random.bool();
        let start = if near_wrap { u64::MAX - 60_000 } else { number(&mut self.random) };
        let pace = self.pace();
        let mut line = Line::new(pace, start);
        let odds = Odds::new(&mut self.random);
        while self.cycle < CYCLES {
            let options = Options { speculate: self.random.bool(), trailer: self.random.bool() };
            self.model.set(self.ports.speculate, options.speculate.into());
            self.model.set(self.ports.trailer, options.trailer.into());
            rules.set_options(options);
            line.set_pace(self.pace());
            self.note(format!("{options:?}"));
            for _ in 0..SETTLED {
                self.tick(&mut rules, &mut line, Inputs::default())?;
            }
            for _ in 0..self.random.u64(1..BUSY) {
                let inputs = self.inputs(&odds, &mut rules, &mut host)?;
                self.tick(&mut rules, &mut line, inputs)?;
            }
            self.rest(&mut rules, &mut line)?;
        }
        Ok(())
    }

    fn pace(&mut self) -> Pace {
        match self.random.u8(..4) {
            0 => Pace::Any([20, 128, 255][self.random.usize(..3)]),
            1 => Pace::Mac { host: 0 },
            _ => Pace::Mac { host: [1, 20, 255][self.random.usize(..3)] },
        }
    }

    /// What comes in a cycle.
    fn inputs(
        &mut self,
        odds: &Odds,
        rules: &mut Rules,
        host: &mut Host,
    ) -> Result<Inputs, String> {
        if self.odd(if self.enabled { odds.disable } else { 20 }) {
            self.enabled = !self.enabled;
        }
        if self.odd(if self.leased { odds.unlease } else { odds.lease }) {
            self.leased = !self.leased;
        }
        let verdict = self.verdict(odds, rules);
        let fire = self.fire(odds, rules, verdict.is_some());
        let under_way = rules.under_way();
        let (slots, orders) = rules.host_parts();
        let write = host.write(&mut self.random, &odds.host, slots, orders, under_way);
        Ok(Inputs {
            fire,
            verdict,
            write: write.map_err(|error| error.to_string())?,
            numbers: self.numbers(odds, rules),
            enabled: self.enabled,
            leased: self.leased,
            tcp_ack: self.random.u32(..),
            tcp_window: self.random.u16(..),
            ..Inputs::default()
        })
    }

    /// The next packet's verdict. Packets are held back for what waits in the queue, whatever is in front of it.
    fn verdict(&mut self, odds: &Odds, rules: &Rules) -> Option<bool> {
        if rules.holds_back() || !self.odd(odds.verdict) {
            return None;
        }
        Some(!self.odd(odds.bad))
    }

    /// A fire: in the packets' order, behind the verdict of the packet before its own, and before that of the 15th
    /// behind it.
    fn fire(&mut self, odds: &Odds, rules: &Rules, judges: bool) -> Option<Fire> {
        let of = if self.bursts { odds.burst } else { odds.fire };
        self.bursts = self.odd(of);
        if !self.bursts {
            return None;
        }
        let random = &mut self.random;
        let newest = rules.verdicts();
        let oldest = (newest + usize::from(judges)).saturating_sub(PACKETS - 1);
        let oldest = oldest.max(self.packet);
        let packet = if random.bool() { newest } else { random.usize(oldest..=newest) };
        let trusted = random.u8(..) < odds.trusted;
        let armed = rules.slots.armed();
        let mut slot = random.usize(..SLOTS);
        // Mostly of a slot that is armed.
        while armed >> slot & 1 == 0 && random.u8(..8) != 0 {
            slot = (slot + 1) % SLOTS;
        }
        let fire = Fire {
            slot,
            packet: (!trusted).then_some(packet),
            tstamp: number(random),
            price: number(random).cast_signed().wrapping_mul([1, -1][random.usize(..2)]),
        };
        self.packet = fire.packet.unwrap_or(self.packet);
        Some(fire)
    }

    /// Writes of numbers: seldom with the lease, when they are refused.
    fn numbers(&mut self, odds: &Odds, rules: &Rules) -> Writes {
        if !self.odd(if self.leased { odds.numbers_leased } else { odds.numbers }) {
            return Writes::default();
        }
        let random = &mut self.random;
        let msg_seq = match random.u8(..6) {
            0 => MAX_MSG_SEQ - random.u32(..3) + random.u32(..3),
            1 => 10u32.pow(random.u32(1..9)) - random.u32(1..3),
            2 => random.u32(..1 << 30),
            _ => random.u32(1..MAX_MSG_SEQ),
        };
        // About what a slot needs, too.
        let slot = random.usize(..SLOTS);
        let needed = rules.slots.order(slot).map_or(0, |order| order.payload());
        let limits = [needed + random.u32(..3), random.u32(..600), random.u32(..)];
        let limit = limits[random.usize(..3)].saturating_sub(1);
        let seq = if random.bool() { u32::MAX - random.u32(..300) } else { random.u32(..) };
        let mut some = |value: u32| (random.u8(..3) == 0).then_some(value);
        Writes {
            tcp_seq: some(seq),
            tcp_limit: some(limit),
            next_msg_seq: some(msg_seq),
            udp_seq: some(seq.wrapping_mul(7)),
        }
    }

    /// A cycle with these inputs.
    fn tick(&mut self, rules: &mut Rules, line: &mut Line, inputs: Inputs) -> Result<(), String> {
        let seen = line.begin(&mut self.random);
        let first_byte = seen.first.map(|lane4| if lane4 { seen.now_lane4 } else { seen.now });
        let inputs = Inputs { ready: seen.ready, first_byte, ..inputs };
        let p = &self.ports;
        for (port, value) in [
            (p.m_axis_tready, u64::from(seen.ready)),
            (p.tx_first, seen.first.is_some().into()),
            (p.tx_first_lane4, (seen.first == Some(true)).into()),
            (p.now_ns, seen.now),
            (p.now_lane4_ns, seen.now_lane4),
        ] {
            self.model.set(port, value);
        }
        self.drive(&inputs, rules.verdicts());
        let p = &self.ports;
        let (valid, last) = (self.model.is(p.m_axis_tvalid), self.model.is(p.m_axis_tlast));
        line.end(&mut self.random, valid, last);
        rules.begin(&inputs);
        self.model.step();
        let outputs = self.outputs();
        self.tell(&inputs, &outputs);
        rules.end(&outputs)?;
        self.cycle += 1;
        self.counts.cycles += 1;
        self.counts.fires += u64::from(inputs.fire.is_some());
        for (at, count) in self.counts.events.iter_mut().enumerate() {
            *count += u64::from(outputs.events >> at & 1);
        }
        Ok(())
    }

    /// Keeps what came for one who asks.
    fn tell(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let Inputs { fire, verdict, write, numbers, enabled, leased, .. } = *inputs;
        let has = fire.is_some() || verdict.is_some() || write.is_some() || outputs.events != 0;
        if has || numbers != Writes::default() {
            self.note(format!(
                "{fire:?}, verdict {verdict:?}, write {write:x?}, {numbers:?}, enabled {enabled}, leased {leased}; \
                 makes {:014b}",
                outputs.events
            ));
        }
    }

    fn drive(&mut self, inputs: &Inputs, packet: usize) {
        let Self { model, ports: p, .. } = self;
        let tid = |packet: usize| (packet % PACKETS) as u64;
        model.set(p.enabled, inputs.enabled.into());
        model.set(p.leased, inputs.leased.into());
        model.set(p.tcp_ack, inputs.tcp_ack.into());
        model.set(p.tcp_window, inputs.tcp_window.into());
        let mut write = |valid: Input, data: Input, value: Option<u32>| {
            model.set(valid, value.is_some().into());
            model.set(data, value.unwrap_or(0).into());
        };
        let numbers = &inputs.numbers;
        write(p.tcp_seq_write_valid, p.tcp_seq_write_data, numbers.tcp_seq);
        write(p.tcp_limit_write_valid, p.tcp_limit_write_data, numbers.tcp_limit);
        write(p.next_msg_seq_write_valid, p.next_msg_seq_write_data, numbers.next_msg_seq);
        write(p.udp_seq_write_valid, p.udp_seq_write_data, numbers.udp_seq);
        write(p.slot_write_valid, p.slot_write_data, inputs.write.map(|(_, data)| data));
        model.set(p.slot_write_address, inputs.write.map_or(0, |(address, _)| address).into());
        model.set(p.fire_valid, inputs.fire.is_some().into());
        if let Some(Fire { slot, packet, tstamp, price }) = inputs.fire {
            model.set(p.fire_slot, slot as u64);
            model.set(p.fire_tid, packet.map_or(0, tid));
            model.set(p.fire_trusted, packet.is_none().into());
            model.set(p.fire_tstamp, tstamp);
            model.set(p.fire_price, price.cast_unsigned());
        }
        model.set(p.verdict_valid, inputs.verdict.is_some().into());
        model.set(p.verdict_tid, tid(packet));
        model.set(p.verdict_good, (inputs.verdict == Some(true)).into());
        model.settle();
    }

    fn outputs(&self) -> Outputs {
        let p = &self.ports;
        let word = self.model.is(p.m_axis_tvalid).then(|| Word {
            data: self.model.get(p.m_axis_tdata),
            keep: self.model.get(p.m_axis_tkeep) as u8,
            last: self.model.is(p.m_axis_tlast),
            poisoned: self.model.is(p.m_axis_tuser),
        });
        let sent = self.model.is(p.sent_valid).then(|| {
            // The last field is the lowest.
            let words = self.model.get_words(p.sent);
            let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
            Sent {
                slot: (words[7] >> 2) as usize,
                udp: words[7] >> 1 & 1 == 1,
                poisoned: words[7] & 1 == 1,
                number: words[6],
                start: words[5],
                end: words[4],
                tstamp_in: long(2),
                tstamp_out: long(0),
            }
        });
        let refused = self.model.get(p.refused) as usize;
        Outputs {
            word,
            sent,
            refused: self.model.is(p.refused_valid).then_some((refused >> 3, refused & 7)),
            rearm: self
                .model
                .is(p.rearm_valid)
                .then(|| (self.model.get(p.rearm_slot) as usize, self.model.is(p.rearm_armed))),
            events: self.model.get(p.order_event) as u16,
            armed: self.model.get(p.armed) as u16,
            busy: self.model.is(p.busy),
            pending: self.model.is(p.pending_valid).then(|| self.model.get(p.pending_tid)),
            values: Values {
                tcp_seq: self.model.get(p.tcp_seq) as u32,
                tcp_limit: self.model.get(p.tcp_limit) as u32,
                next_msg_seq: self.model.get(p.next_msg_seq) as u32,
                udp_seq: self.model.get(p.udp_seq) as u32,
            },
        }
    }

    /// Until nothing waits: verdicts come, and nothing else.
    fn rest(&mut self, rules: &mut Rules, line: &mut Line) -> Result<(), String> {
        rest(SETTLED, LONGEST_WAIT, || {
            let is_quiet =
                rules.is_idle() && !rules.slots.is_encoding() && !self.model.is(self.ports.busy);
            let verdict = (!is_quiet && !rules.holds_back()).then(|| self.random.bool());
            let (enabled, leased) = (self.enabled, self.leased);
            let inputs = Inputs { verdict, enabled, leased, ..Inputs::default() };
            self.tick(rules, line, inputs)?;
            Ok(is_quiet)
        })?;
        if rules.fires != rules.outcomes {
            return Err(format!("{} outcomes of {} fires", rules.outcomes, rules.fires));
        }
        Ok(())
    }
}

//! The transmit side of the line in logic beside its rules as software, with everything at once.
//!
//! `tx_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, …: frames of the fast path and of the host, of
//! any length, close and far apart, some poisoned, some with a word that comes late. Each must be on the line whole,
//! with padding, FCS and gap as IEEE 802.3 has it, or poisoned, or cut at that word, in its side's order, the fast
//! path's first and at once; reports are compared, too. A round that differs is told with its number; alone, with what
//! came last. With WAVE the signals of all rounds go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

#[path = "../bench/mod.rs"]
mod bench;
#[path = "../bench/rest.rs"]
mod rest;
#[path = "../bench/rounds.rs"]
mod rounds;
mod rules;
mod source;

use std::process::ExitCode;

use bench::ports;
use fastrand::Rng;
use rest::rest;
use rounds::{Last, Rounds, run};
use rules::{Rules, Seen};
use saker_cosim::library::{Library, Model};
use saker_cosim::xgmii::Word;
use source::{Odds, Offer, Source};

type Error = Box<dyn std::error::Error>;

const TOP: &str = "net_tx";
/// Cycles of a round in which something comes, and from one rest to the next.
const CYCLES: u64 = 20_000;
const BUSY: u64 = 4_000;
/// Cycles within which everything is on the line.
const LONGEST_WAIT: u64 = 20_000;
/// Cycles behind the last end until all is told.
const SETTLED: u64 = 8;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

#[derive(Default)]
struct Counts {
    cycles: u64,
    line: rules::Counts,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rules::Counts { fast, host, poisoned, cut, lane4, short_gaps } = self.line;
        write!(
            f,
            "{} cycles, {fast} frames of the fast path, {host} of the host, {poisoned} poisoned, {cut} cut, {lane4} in \
             lane 4, {short_gaps} short gaps",
            self.cycles
        )
    }
}

/// The transmit side, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    random: Rng,
    counts: Counts,
    cycle: u64,
    last: Last,
}

ports! {
    input {
        rst: 1,
        s_axis_fast_tdata: 64,
        s_axis_fast_tkeep: 8,
        s_axis_fast_tvalid: 1,
        s_axis_fast_tlast: 1,
        s_axis_fast_tuser: 1,
        s_axis_host_tdata: 64,
        s_axis_host_tkeep: 8,
        s_axis_host_tvalid: 1,
        s_axis_host_tlast: 1,
        s_axis_host_tuser: 1,
    }
    output {
        s_axis_fast_tready: 1,
        s_axis_host_tready: 1,
        xgmii_txd: 64,
        xgmii_txc: 8,
        host_granted: 1,
        tx_first: 1,
        tx_first_lane4: 1,
        tx_event: 3,
    }
}

/// The streams, and what must become of them.
struct Play {
    fast: Source,
    host: Source,
    rules: Rules,
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
            last: Last::default(),
        })
    }

    fn reset(&mut self) {
        self.model.set(self.ports.s_axis_fast_tvalid, 0);
        self.model.set(self.ports.s_axis_host_tvalid, 0);
        self.model.set(self.ports.rst, 1);
        (0..4).for_each(|_| self.model.step());
        self.model.set(self.ports.rst, 0);
        self.cycle = 0;
        self.last.clear();
    }

    fn play(&mut self) -> Result<(), String> {
        self.reset();
        let (fast, host) = (Source::new(true), Source::new(false));
        let rules = Rules::new(self.counts.line);
        let mut play = Play { fast, host, rules };
        while self.cycle < CYCLES {
            let odds = [self.odds(), self.odds()];
            for _ in 0..self.random.u64(1..BUSY) {
                self.tick(&mut play, &odds, true)?;
            }
            rest(SETTLED, LONGEST_WAIT, || {
                self.tick(&mut play, &odds, false)?;
                Ok(play.rules.is_idle() && play.fast.is_idle() && play.host.is_idle())
            })?;
        }
        self.counts.line = play.rules.counts;
        Ok(())
    }

    fn odds(&mut self) -> Odds {
        let mut of = |choices: &[u8]| choices[self.random.usize(..choices.len())];
        Odds {
            frame: of(&[0, 2, 20, 128, 255]),
            pause: of(&[0, 0, 1, 10]),
            resume: of(&[20, 200]),
            poison: of(&[0, 0, 2, 40]),
            longest: 4 * usize::from(of(&[2, 16, 20, 60, 250])),
        }
    }

    /// A cycle: what comes, and what must be seen.
    fn tick(&mut self, play: &mut Play, odds: &[Odds; 2], begins: bool) -> Result<(), String> {
        let Play { fast, host, rules } = play;
        let offers = [
            fast.offer(&mut self.random, &odds[0], self.cycle, begins),
            host.offer(&mut self.random, &odds[1], self.cycle, begins),
        ];
        self.drive(&offers);
        let p = &self.ports;
        let ready = [p.s_axis_fast_tready, p.s_axis_host_tready].map(|port| self.model.is(port));
        let word =
            Word { data: self.model.get(p.xgmii_txd), control: self.model.get(p.xgmii_txc) as u8 };
        let seen = Seen {
            word,
            granted: self.model.is(p.host_granted),
            fast_valid: offers[0].valid,
            fast_ready: ready[0],
            first: self.model.is(p.tx_first),
            first_lane4: self.model.is(p.tx_first_lane4),
            event: self.model.get(p.tx_event),
        };
        self.last.note(format!(
            "cycle {}: {seen:x?}, offers {:x?}, ready {ready:?}",
            self.cycle,
            offers.map(|offer| offer.valid.then_some(offer))
        ));
        rules.cycle(self.cycle, &seen, fast, host)?;
        fast.end(&mut self.random, &odds[0], self.cycle, &offers[0], ready[0]);
        host.end(&mut self.random, &odds[1], self.cycle, &offers[1], ready[1]);
        self.model.step();
        self.cycle += 1;
        self.counts.cycles += 1;
        Ok(())
    }

    fn drive(&mut self, [fast, host]: &[Offer; 2]) {
        let Self { model, ports: p, .. } = self;
        for (port, value) in [
            (p.s_axis_fast_tdata, fast.data),
            (p.s_axis_fast_tkeep, fast.keep.into()),
            (p.s_axis_fast_tvalid, fast.valid.into()),
            (p.s_axis_fast_tlast, fast.last.into()),
            (p.s_axis_fast_tuser, fast.poison.into()),
            (p.s_axis_host_tdata, host.data),
            (p.s_axis_host_tkeep, host.keep.into()),
            (p.s_axis_host_tvalid, host.valid.into()),
            (p.s_axis_host_tlast, host.last.into()),
            (p.s_axis_host_tuser, host.poison.into()),
        ] {
            model.set(port, value);
        }
        model.settle();
    }
}

//! The way of a frame from the line to the FAST engine in logic beside its rules as software, with everything at once.
//!
//! `rx_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, …: lines with whole and broken frames, close
//! and far apart, and with noise; datagrams of the channels and what is almost one; copies, gaps and numbers that wrap;
//! and meanwhile readers at any pace, the switch, numbers that are not free, and what is awaited forgotten, in any cycle.
//! What the MAC, the parser and the arbitration make of it is compared word by word, each in its cycle, with all
//! reports. Packets must be whole and in order or lost with a reason, each with its number, its verdict, and what was
//! missing before it; so must the host's frames. A round that differs is told with its number; alone, with what came
//! last. With WAVE the signals of all rounds go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

mod arbiter;
#[path = "../bench/mod.rs"]
mod bench;
mod frames;
mod host;
mod intake;
mod line;
mod mac;
mod packet;
mod parser;
mod pulses;
#[path = "../bench/rest.rs"]
mod rest;
#[path = "../bench/rounds.rs"]
mod rounds;
mod rules;

use std::process::ExitCode;

use bench::ports;
use fastrand::Rng;
use frames::Frames;
use intake::{NO_PACKET, Offer, PLACES};
use line::Line;
use parser::{Beat, Channel};
use rest::rest;
use rounds::{Last, Rounds, run};
use rules::{Fates, Inputs, Outputs, Rules, Sizes};
use saker_cosim::library::{Library, Model};
use saker_cosim::xgmii::Word;

type Error = Box<dyn std::error::Error>;

const TOP: &str = "rx_probe";
/// Cycles of a round in which something comes, and from one rest to the next.
const CYCLES: u64 = 20_000;
const BUSY: u64 = 4_000;
/// Cycles within which everything has left.
const LONGEST_WAIT: u64 = 5_000;
/// Cycles behind the last frame until nothing of it is on its way.
const SETTLED: u64 = 16;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

#[derive(Default)]
struct Counts {
    cycles: u64,
    frames: u64,
    fates: Fates,
    gaps: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cycles, frames, fates: Fates { packets, host }, gaps } = self;
        let packet::Fates { whole, dropped, cut, swallowed, behind_gap, held } = packets;
        let host::Fates { delivered, lost } = host;
        write!(
            f,
            "{cycles} cycles, {frames} frames; packets: {whole} whole, {cut} cut, {dropped} dropped, {swallowed} \
             swallowed, {behind_gap} behind a gap, {gaps} of the line, {held} held; {delivered} for the host, {lost} lost"
        )
    }
}

/// What comes, of 256 cycles.
struct Odds {
    line: line::Odds,
    /// Readers are ready; the switch moves, and is on; what is awaited is forgotten.
    ready: u8,
    host_ready: u8,
    switch: u8,
    on: u8,
    sync: u8,
    /// Something of a packet begins to wait in a place, and does not any more.
    waits: u8,
    done: u8,
}

impl Odds {
    fn new(random: &mut Rng) -> Self {
        let line = line::Odds::new(random);
        let mut of = |choices: &[u8]| choices[random.usize(..choices.len())];
        Self {
            line,
            ready: of(&[40, 128, 240, 255]),
            host_ready: of(&[10, 128, 255]),
            switch: of(&[0, 2, 40]),
            on: of(&[128, 220, 255]),
            sync: of(&[0, 0, 1, 20]),
            waits: of(&[0, 1, 20]),
            done: of(&[2, 20, 128]),
        }
    }
}

/// The receive side, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    sizes: Sizes,
    random: Rng,
    counts: Counts,
    cycle: u64,
    now: u64,
    /// The readers' pace may be even for a while.
    steady: [bool; 2],
    last: Last,
}

ports! {
    input {
        rst: 1,
        channels: 98,
        mirror: 1,
        sync: 1,
        now_ns: 64,
        now_lane4_ns: 64,
        xgmii_rxd: 64,
        xgmii_rxc: 8,
        host_tready: 1,
        enable: 1,
        packet_tready: 1,
        pending_valid: 3,
        pending_tid: 12,
    }
    output {
        rx_event: 6,
        feed_event: 12,
        feed_tdata: 64,
        feed_tkeep: 8,
        feed_tvalid: 1,
        feed_tlast: 1,
        feed_tuser: 1,
        feed_tdest: 1,
        feed_tstamp: 64,
        gap: 1,
        gap_first: 32,
        gap_count: 32,
        arbiter_event: 5,
        host_tdata: 64,
        host_tkeep: 8,
        host_tvalid: 1,
        host_tlast: 1,
        host_tstamp: 64,
        host_overflow: 1,
        packet_tdata: 64,
        packet_tkeep: 8,
        packet_tvalid: 1,
        packet_tlast: 1,
        packet_tuser: 1,
        packet_tid: 4,
        packet_tstamp: 64,
        begin_valid: 1,
        begin_tid: 4,
        begin_tstamp: 64,
        begin_behind_gap: 1,
        ended_good: 1,
        ended_bad: 1,
        verdict_valid: 1,
        verdict_good: 1,
        verdict_tid: 4,
        dropped: 1,
        cut: 1,
        swallowed: 1,
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
        let size = |name: &str| {
            library.parameter(name).map(|value| value as usize).ok_or(format!("no {name}"))
        };
        let sizes = Sizes {
            longest: size("MAX_FRAME_BYTES")?,
            host_beats: size("HOST_DEPTH")?,
            host_frames: size("HOST_FRAMES")?,
            depth: size("PACKET_DEPTH")?,
        };
        Ok(Self {
            model,
            ports: Ports::new(library)?,
            sizes,
            random: Rng::with_seed(0),
            counts: Counts::default(),
            cycle: 0,
            now: 0,
            steady: [true; 2],
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
        self.drive(&Inputs::default());
        self.model.set(self.ports.rst, 1);
        (0..4).for_each(|_| self.model.step());
        self.model.set(self.ports.rst, 0);
        self.cycle = 0;
        self.now = self.random.u64(..);
        self.last.clear();
    }

    fn play(&mut self) -> Result<(), String> {
        self.reset();
        let mut rules = Rules::new(&self.sizes, self.counts.fates);
        let mut line = Line::default();
        let mut frames = Frames::new(&mut self.random);
        let mut inputs = Inputs::default();
        while self.cycle < CYCLES {
            let odds = Odds::new(&mut self.random);
            let channels = channels(&mut self.random);
            let mirror = self.odd(60);
            rules.configure(channels, mirror);
            let [a, b] = channels.map(|channel| u128::from(channel.bits()));
            let bits = b << 49 | a;
            let words: [u32; 4] = std::array::from_fn(|at| (bits >> (32 * at)) as u32);
            self.model.set_words(self.ports.channels, &words);
            self.model.set(self.ports.mirror, mirror.into());
            self.note(format!("{channels:x?}, mirror {mirror}"));
            for _ in 0..self.random.u64(1..BUSY) {
                while line.wants() {
                    let frame = frames.next(&mut self.random, &channels);
                    line.frame(&mut self.random, &odds.line, &frame);
                }
                self.inputs(&odds, rules.number(), &mut inputs);
                self.tick(&mut rules, &mut line, inputs)?;
            }
            self.rest(&mut rules, &mut line, &mut inputs)?;
        }
        self.counts.fates = rules.fates();
        Ok(())
    }

    /// What the surroundings say in a cycle; `number` packets have begun.
    fn inputs(&mut self, odds: &Odds, number: u64, inputs: &mut Inputs) {
        for steady in 0..2 {
            self.steady[steady] ^= self.odd(2);
        }
        inputs.sync = self.odd(odds.sync);
        inputs.ready = self.steady[0] || self.odd(odds.ready);
        inputs.host_ready = self.steady[1] && odds.host_ready != 10 || self.odd(odds.host_ready);
        if self.odd(odds.switch) {
            inputs.enable = self.odd(odds.on);
        }
        for place in 0..PLACES {
            let waits = inputs.pending[place].is_some();
            if self.odd(if waits { odds.done } else { odds.waits }) {
                // Of one of the last packets, or none at all.
                let of = (number + NO_PACKET - self.random.u64(1..NO_PACKET)) % NO_PACKET;
                let tid = if self.odd(20) { NO_PACKET } else { of };
                inputs.pending[place] = (!waits).then_some(tid);
            }
        }
    }

    /// A cycle: what comes, and what must be seen.
    fn tick(&mut self, rules: &mut Rules, line: &mut Line, inputs: Inputs) -> Result<(), String> {
        self.now = self.now.wrapping_add(self.random.u64(6..=7));
        let inputs =
            Inputs { word: line.next(), times: [self.now, self.now.wrapping_add(3)], ..inputs };
        self.drive(&inputs);
        let outputs = self.outputs();
        if let Some(frame) = rules.cycle(self.cycle, &inputs, &outputs)? {
            self.note(frame);
            self.counts.frames += 1;
        }
        self.tell(&outputs);
        self.counts.gaps += u64::from(outputs.gap.is_some());
        self.counts.cycles += 1;
        self.cycle += 1;
        self.model.step();
        Ok(())
    }

    /// Keeps what was seen for one who asks.
    fn tell(&mut self, outputs: &Outputs) {
        let intake::Outputs { offer, begin, ended, verdict, dropped, cut, swallowed } =
            outputs.intake;
        let last = offer.filter(|offer| offer.last);
        if last.is_some() || begin.is_some() || ended.is_some() || dropped || cut || swallowed {
            self.note(format!(
                "{last:x?}, begin {begin:?}, ended {ended:?}, verdict {verdict:?}, dropped {dropped}, cut {cut}, \
                 swallowed {swallowed}"
            ));
        }
    }

    fn drive(&mut self, inputs: &Inputs) {
        let Self { model, ports: p, .. } = self;
        let pending = inputs.pending.iter().enumerate();
        let (valid, tid) = pending.fold((0, 0), |(valid, tid), (place, one)| {
            let number = one.unwrap_or(0) << (4 * place);
            (valid | u64::from(one.is_some()) << place, tid | number)
        });
        for (port, value) in [
            (p.sync, inputs.sync.into()),
            (p.now_ns, inputs.times[0]),
            (p.now_lane4_ns, inputs.times[1]),
            (p.xgmii_rxd, inputs.word.data),
            (p.xgmii_rxc, inputs.word.control.into()),
            (p.host_tready, inputs.host_ready.into()),
            (p.enable, inputs.enable.into()),
            (p.packet_tready, inputs.ready.into()),
            (p.pending_valid, valid),
            (p.pending_tid, tid),
        ] {
            model.set(port, value);
        }
        model.settle();
    }

    fn outputs(&self) -> Outputs {
        let p = &self.ports;
        let get = |port| self.model.get(port);
        let is = |port| self.model.is(port);
        let beat = is(p.feed_tvalid).then(|| Beat {
            data: get(p.feed_tdata),
            keep: get(p.feed_tkeep) as u8,
            last: is(p.feed_tlast),
            abort: is(p.feed_tlast) && is(p.feed_tuser),
            channel_b: is(p.feed_tdest),
            stamp: get(p.feed_tstamp),
        });
        let offer = is(p.packet_tvalid).then(|| Offer {
            data: get(p.packet_tdata),
            keep: get(p.packet_tkeep) as u8,
            last: is(p.packet_tlast),
            abort: is(p.packet_tlast) && is(p.packet_tuser),
            tid: get(p.packet_tid),
            stamp: get(p.packet_tstamp),
        });
        let begin = is(p.begin_valid)
            .then(|| (get(p.begin_tid), get(p.begin_tstamp), is(p.begin_behind_gap)));
        Outputs {
            rx_event: get(p.rx_event),
            feed_event: get(p.feed_event),
            arbiter_event: get(p.arbiter_event),
            beat,
            gap: is(p.gap).then(|| (get(p.gap_first) as u32, get(p.gap_count) as u32)),
            host: is(p.host_tvalid).then(|| host::Beat {
                data: get(p.host_tdata),
                keep: get(p.host_tkeep) as u8,
                last: is(p.host_tlast),
                stamp: get(p.host_tstamp),
            }),
            host_overflow: is(p.host_overflow),
            intake: intake::Outputs {
                offer,
                begin,
                ended: (is(p.ended_good) || is(p.ended_bad)).then(|| is(p.ended_good)),
                verdict: is(p.verdict_valid).then(|| (get(p.verdict_tid), is(p.verdict_good))),
                dropped: is(p.dropped),
                cut: is(p.cut),
                swallowed: is(p.swallowed),
            },
        }
    }

    /// Until nothing waits: the line is idle, and readers read.
    fn rest(
        &mut self,
        rules: &mut Rules,
        line: &mut Line,
        inputs: &mut Inputs,
    ) -> Result<(), String> {
        *inputs = Inputs {
            ready: true,
            host_ready: true,
            pending: [None; PLACES],
            sync: false,
            word: Word::IDLE,
            ..*inputs
        };
        rest(SETTLED, LONGEST_WAIT, || {
            self.tick(rules, line, *inputs)?;
            Ok(line.is_empty() && rules.is_idle())
        })
    }
}

/// Two channels, with what is near among them: the same address, the same port, both, one that is off.
fn channels(random: &mut Rng) -> [Channel; 2] {
    let mut one =
        || Channel { enable: random.u8(..) > 20, address: random.u32(..), port: random.u16(..) };
    let (a, mut b) = (one(), one());
    match random.u8(..8) {
        0 => b.address = a.address,
        1 => b.port = a.port,
        2 => (b.address, b.port) = (a.address, a.port),
        _ => {}
    }
    [a, b]
}

//! All rules of the way, one behind the other.

use std::collections::VecDeque;

use saker_cosim::xgmii::Word;

use super::arbiter::Arbiter;
use super::host::{self, Host};
use super::intake::{self, Intake, PLACES};
use super::mac::Mac;
use super::packet;
use super::parser::{Beat, Channel, Datagram, parse};
use super::pulses::Pulses;

/// Parameters of the logic.
pub struct Sizes {
    pub longest: usize,
    pub host_beats: usize,
    pub host_frames: usize,
    pub depth: usize,
}

/// What became of packets and of the host's frames.
#[derive(Default, Clone, Copy)]
pub struct Fates {
    pub packets: packet::Fates,
    pub host: host::Fates,
}

/// What comes in a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    pub word: Word,
    /// Of lanes 0 and 4.
    pub times: [u64; 2],
    pub sync: bool,
    pub host_ready: bool,
    pub enable: bool,
    pub ready: bool,
    pub pending: [Option<u64>; PLACES],
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            word: Word::IDLE,
            times: [0; 2],
            sync: false,
            host_ready: true,
            enable: true,
            ready: true,
            pending: [None; PLACES],
        }
    }
}

/// What is seen in a cycle.
#[derive(Debug)]
pub struct Outputs {
    pub rx_event: u64,
    pub feed_event: u64,
    pub arbiter_event: u64,
    pub beat: Option<Beat>,
    pub gap: Option<(u32, u32)>,
    pub host: Option<host::Beat>,
    pub host_overflow: bool,
    pub intake: intake::Outputs,
}

/// A packet's word, and what it says of missing ones.
type Passed = (u64, Beat, Option<(u32, u32)>);

pub struct Rules {
    channels: [Channel; 2],
    mirror: bool,
    mac: Mac,
    feed_events: Pulses,
    /// Datagrams on their way to the arbitration.
    datagrams: VecDeque<Datagram>,
    arbiter: Arbiter,
    arbiter_events: Pulses,
    /// Words that must be seen behind it, with what is known of each; and those that were.
    due: VecDeque<(Passed, u64)>,
    seen: VecDeque<Passed>,
    host: Host,
    held: Option<host::Beat>,
    intake: Intake,
}

impl Rules {
    pub fn new(sizes: &Sizes, fates: Fates) -> Self {
        let none = Channel { enable: false, address: 0, port: 0 };
        Self {
            channels: [none; 2],
            mirror: false,
            mac: Mac::new(sizes.longest),
            feed_events: Pulses::default(),
            datagrams: VecDeque::new(),
            arbiter: Arbiter::default(),
            arbiter_events: Pulses::default(),
            due: VecDeque::new(),
            seen: VecDeque::new(),
            host: Host::new(sizes.host_beats, sizes.host_frames, fates.host),
            held: None,
            intake: Intake::new(sizes.depth, fates.packets),
        }
    }

    /// While nothing is on its way.
    pub fn configure(&mut self, channels: [Channel; 2], mirror: bool) {
        (self.channels, self.mirror) = (channels, mirror);
    }

    /// How many packets have begun.
    pub fn number(&self) -> u64 {
        self.intake.number()
    }

    pub fn fates(&self) -> Fates {
        Fates { packets: self.intake.fates, host: self.host.fates }
    }

    /// Nothing is on its way, and nothing is due.
    pub fn is_idle(&self) -> bool {
        self.mac.is_quiet()
            && self.mac.events.is_empty()
            && self.feed_events.is_empty()
            && self.datagrams.is_empty()
            && self.arbiter_events.is_empty()
            && self.due.is_empty()
            && self.host.is_idle()
            && self.intake.is_idle()
    }

    /// A cycle; the frame that ended in it, in words.
    pub fn cycle(
        &mut self,
        cycle: u64,
        inputs: &Inputs,
        outputs: &Outputs,
    ) -> Result<Option<String>, String> {
        let told = self.line(cycle, inputs);
        self.mac.events.check(cycle, outputs.rx_event, "MAC's report")?;
        self.feed_events.check(cycle, outputs.feed_event, "parser's report")?;
        self.arbitrate(cycle);
        self.arbiter_events.check(cycle, outputs.arbiter_event, "arbiter's report")?;
        if inputs.sync {
            self.arbiter.sync(cycle);
        }
        if outputs.beat.is_none() && outputs.gap.is_some() {
            return Err("a gap is told with no packet".to_owned());
        }
        if let Some(beat) = outputs.beat {
            self.seen.push_back((cycle, beat, outputs.gap));
        }
        self.words(cycle)?;
        self.host(cycle, inputs.host_ready, outputs)?;
        let intake = intake::Inputs {
            beat: outputs.beat.map(|beat| (beat, outputs.gap.is_some())),
            enable: inputs.enable,
            ready: inputs.ready,
            pending: inputs.pending,
        };
        self.intake.cycle(cycle, &intake, &outputs.intake)?;
        Ok(told)
    }

    /// What the line brings, up to what the parser makes of it.
    fn line(&mut self, cycle: u64, inputs: &Inputs) -> Option<String> {
        let frame = self.mac.word(cycle, inputs.word, inputs.times)?;
        let fate = parse(&frame, &self.channels, self.mirror);
        self.feed_events.add(fate.event_at, fate.event);
        if fate.for_host {
            self.host.frame(&frame);
        }
        let told = format!(
            "{} bytes, skew {}, good {}, {:012b}, {:x?}",
            frame.len,
            frame.skew,
            frame.good,
            fate.event,
            fate.datagram.as_ref().map(|datagram| datagram.number)
        );
        self.datagrams.extend(fate.datagram);
        Some(told)
    }

    /// Datagrams that had ended a cycle ago.
    fn arbitrate(&mut self, cycle: u64) {
        while let Some(datagram) = self.datagrams.pop_front_if(|datagram| datagram.end().0 < cycle)
        {
            let verdict = self.arbiter.packet(&datagram);
            self.arbiter_events.add(cycle, verdict.event);
            let mut gap = verdict.gap;
            for (at, beat, known) in datagram.beats.into_iter().filter(|_| verdict.passes) {
                self.due.push_back(((at, beat, gap.take()), known));
            }
        }
    }

    /// Words behind the arbitration: what was seen must be what was due, each in its cycle.
    fn words(&mut self, cycle: u64) -> Result<(), String> {
        while let Some(((at, beat, gap), known)) = self.due.pop_front() {
            let wanted = (at, Beat { data: beat.data & known, ..beat }, gap);
            let seen = self.seen.pop_front().filter(|_| at <= cycle);
            let found =
                seen.map(|(at, beat, gap)| (at, Beat { data: beat.data & known, ..beat }, gap));
            if found != Some(wanted) {
                return Err(format!("a packet's word is {found:x?}, not {wanted:x?}"));
            }
        }
        // What goes on is known when it has ended.
        match self.seen.front() {
            Some((at, beat, _))
                if self.mac.is_quiet() && self.datagrams.is_empty() && *at + 8 < cycle =>
            {
                Err(format!("{beat:x?} goes on, of no frame"))
            }
            _ => Ok(()),
        }
    }

    fn host(&mut self, cycle: u64, ready: bool, outputs: &Outputs) -> Result<(), String> {
        let held = self.held.take();
        if held.is_some() && held != outputs.host {
            return Err(format!("{held:x?} was for the host, and now {:x?}", outputs.host));
        }
        let taken = outputs.host.filter(|_| ready);
        self.held = outputs.host.filter(|_| !ready);
        self.host.cycle(cycle, outputs.host_overflow, taken)
    }
}

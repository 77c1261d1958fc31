//! Packets behind the arbitration: whole, cut, dropped or swallowed, each with its number and its verdict.

use std::collections::VecDeque;

use super::packet::{Fates, Packet};
use super::parser::Beat;

/// The number that stands for what no packet caused; the others are given to packets in turn.
pub const NO_PACKET: u64 = 15;
/// A packet waits while something of the packet so many numbers before it does.
const AHEAD: u64 = 8;
/// Where something of a packet may wait.
pub const PLACES: usize = 3;
/// Beats that the room may be short of by what is found a cycle ahead.
const SLACK: usize = 2;
/// Cycles behind which something that may move has moved.
const PATIENCE: u64 = 8;

/// What comes and what the surroundings say in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs {
    /// A beat, and whether packets are missing before it.
    pub beat: Option<(Beat, bool)>,
    pub enable: bool,
    pub ready: bool,
    /// The oldest number of each place where something waits.
    pub pending: [Option<u64>; PLACES],
}

/// A beat for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub abort: bool,
    pub tid: u64,
    pub stamp: u64,
}

impl Offer {
    fn of(beat: &Beat, tid: u64) -> Self {
        let Beat { data, keep, last, abort, stamp, .. } = *beat;
        Self { data, keep, last, abort, tid, stamp }
    }
}

/// What is seen in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outputs {
    pub offer: Option<Offer>,
    /// Number, stamp, and whether packets are missing before it.
    pub begin: Option<(u64, u64, bool)>,
    /// Whether the packet was good.
    pub ended: Option<bool>,
    pub verdict: Option<(u64, bool)>,
    pub dropped: bool,
    pub cut: bool,
    pub swallowed: bool,
}

pub struct Intake {
    depth: usize,
    packets: VecDeque<Packet>,
    /// The first of `packets` that has not begun; that is not finished; that is not told as ended.
    begins: usize,
    ends: usize,
    /// Packets since reset that have begun, and the next one's number.
    number: u64,
    missing: bool,
    /// The verdicts that must come, and the next number in turn.
    verdicts: VecDeque<(u64, bool)>,
    verdict_number: u64,
    /// What the cycles before had: this one's predecessor first.
    before: [Inputs; 2],
    offered: Option<Offer>,
    /// A packet that came to its end in the cycle before: whether it is among `packets` will be told.
    ended: Option<u64>,
    progress: u64,
    pub fates: Fates,
}

impl Intake {
    pub fn new(depth: usize, fates: Fates) -> Self {
        Self {
            depth,
            packets: VecDeque::new(),
            begins: 0,
            ends: 0,
            number: 0,
            missing: false,
            verdicts: VecDeque::new(),
            verdict_number: 0,
            before: [Inputs::default(); 2],
            offered: None,
            ended: None,
            progress: 0,
            fates,
        }
    }

    /// How many packets have begun.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Nothing waits, and everything was told.
    pub fn is_idle(&self) -> bool {
        self.packets.is_empty() && self.verdicts.is_empty() && self.ended.is_none()
    }

    fn waiting(&self) -> usize {
        self.packets.iter().map(Packet::waiting).sum()
    }

    pub fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> Result<(), String> {
        self.came(cycle, outputs)?;
        if let Some((beat, gap)) = inputs.beat {
            self.comes(cycle, beat, gap)?;
        }
        if let Some(begin) = outputs.begin {
            self.begin(cycle, begin)?;
        }
        let early = self.packets.get(self.begins).filter(|next| next.taken != 0);
        if let Some(early) = early.filter(|_| outputs.begin.is_none()) {
            return Err(format!("{early:x?} goes on and has not begun"));
        }
        self.offer(cycle, inputs.ready, outputs.offer)?;
        if outputs.swallowed {
            self.swallow()?;
        }
        if let Some(good) = outputs.ended {
            self.end(cycle, good)?;
        }
        self.verdict(outputs.verdict)?;
        self.retire()?;
        self.stands(cycle, inputs)?;
        self.before = [*inputs, self.before[0]];
        Ok(())
    }

    /// What is told of a packet that came to its end in the cycle before.
    fn came(&mut self, cycle: u64, outputs: &Outputs) -> Result<(), String> {
        let ended = self.ended.take_if(|ended| *ended + 1 == cycle).is_some();
        if outputs.dropped || outputs.cut {
            if !ended || outputs.dropped && outputs.cut {
                return Err("a packet is told as lost that is none".to_owned());
            }
            let room = self.depth - SLACK;
            let last = self.packets.back_mut().ok_or("no packet")?;
            let crowd = if outputs.cut { last.most } else { last.crowd };
            if crowd < room {
                return Err(format!("a packet is lost, and {crowd} beats waited"));
            }
            self.missing = true;
            if outputs.cut {
                last.cut = true;
                self.fates.cut += 1;
            } else if last.begun.is_some() || last.taken != 0 {
                return Err("a packet is dropped and was there".to_owned());
            } else {
                self.packets.pop_back();
                self.fates.dropped += 1;
            }
        }
        Ok(())
    }

    fn comes(&mut self, cycle: u64, beat: Beat, gap: bool) -> Result<(), String> {
        let crowd = self.waiting();
        if self.packets.back().is_none_or(|last| last.good.is_some()) {
            let behind_gap = gap || self.missing;
            self.missing = false;
            self.packets.push_back(Packet::new(cycle, behind_gap, crowd));
        }
        let packet = self.packets.back_mut().ok_or("no packet")?;
        packet.most = packet.most.max(crowd);
        packet.beats.push(beat);
        if beat.last {
            packet.good = Some(!beat.abort);
            self.ended = Some(cycle);
        }
        Ok(())
    }

    /// A packet's beginning, told a cycle behind.
    fn begin(&mut self, cycle: u64, begin: (u64, u64, bool)) -> Result<(), String> {
        let Some(packet) = self.packets.get_mut(self.begins) else {
            return Err(format!("{begin:?} begins, and there is none"));
        };
        let number = self.number % NO_PACKET;
        let wanted = (number, packet.stamp(), packet.behind_gap);
        if begin != wanted || packet.arrived >= cycle {
            return Err(format!("{begin:?} begins, not {wanted:?}"));
        }
        // The packet before it may have been on offer when it was looked at what waits.
        let pending = self.before[1].pending;
        if pending
            .iter()
            .flatten()
            .any(|oldest| is_far(number, *oldest) && is_far(before(number), *oldest))
        {
            return Err(format!("{begin:?} begins, with {pending:?} waiting"));
        }
        let goes_on = self.before[0].enable;
        if packet.taken != 0 && !goes_on {
            return Err(format!("{begin:?} goes on, and the reader is switched off"));
        }
        packet.begun = Some((cycle, goes_on));
        self.fates.behind_gap += u64::from(begin.2);
        self.fates.held += u64::from(packet.arrived + PATIENCE < cycle);
        self.begins += 1;
        self.number += 1;
        self.progress = cycle;
        Ok(())
    }

    fn offer(&mut self, cycle: u64, ready: bool, offer: Option<Offer>) -> Result<(), String> {
        let offered = self.offered.take();
        if offered.is_some() && offered != offer {
            return Err(format!("{offered:x?} was on offer, and now {offer:x?}"));
        }
        let Some(offer) = offer else { return Ok(()) };
        if !ready {
            self.offered = Some(offer);
            return Ok(());
        }
        let mut open = self.packets.iter_mut().enumerate();
        let open = open.find(|(_, packet)| packet.may_go_on() && packet.end.is_none());
        let Some((index, packet)) = open else {
            return Err(format!("{offer:x?} goes on, and there is none"));
        };
        if index > self.begins {
            return Err(format!("{offer:x?} goes on before it has begun"));
        }
        let number = (self.number + index as u64 - self.begins as u64) % NO_PACKET;
        let beat = packet.beats.get(packet.taken);
        let same = beat.is_some_and(|beat| offer == Offer::of(beat, number));
        let end = Offer {
            data: offer.data,
            keep: 0,
            last: true,
            abort: true,
            tid: number,
            stamp: packet.stamp(),
        };
        let is_cut = beat.is_some() && packet.taken != 0 && offer == end;
        if !same && !is_cut {
            return Err(format!("{offer:x?} goes on, number {number}, not {beat:x?}"));
        }
        self.progress = cycle;
        packet.taken += 1;
        if offer.last {
            packet.end = Some((!same, !offer.abort));
        }
        Ok(())
    }

    /// A packet that was swallowed has ended; of one beat, before its beginning is told.
    fn swallow(&mut self) -> Result<(), String> {
        let begun = self.begins.checked_sub(1).and_then(|at| self.packets.get(at));
        let open = begun.is_some_and(|last| !last.swallowed && !last.may_go_on());
        let at = if open { self.begins - 1 } else { self.begins };
        let Some(packet) = self.packets.get_mut(at).filter(|packet| packet.taken == 0) else {
            return Err("a packet is swallowed that is none".to_owned());
        };
        packet.swallowed = true;
        self.fates.swallowed += 1;
        Ok(())
    }

    fn end(&mut self, cycle: u64, good: bool) -> Result<(), String> {
        let Some(packet) = self.packets.get_mut(self.ends) else {
            return Err("an end is told of no packet".to_owned());
        };
        packet.told = Some(good);
        self.ends += 1;
        self.progress = cycle;
        let number = self.verdict_number;
        self.verdicts.push_back((number, good));
        self.verdict_number = (number + 1) % NO_PACKET;
        if self.verdict_number == 0 {
            self.verdicts.push_back((NO_PACKET, true));
        }
        if self.ends > self.begins {
            return Err("a packet's end is told before its beginning".to_owned());
        }
        Ok(())
    }

    /// Verdicts come with the ends, one a cycle.
    fn verdict(&mut self, verdict: Option<(u64, bool)>) -> Result<(), String> {
        let due = self.verdicts.pop_front();
        if verdict == due { Ok(()) } else { Err(format!("verdict {verdict:?}, not {due:?}")) }
    }

    /// What is done with, unless it may still be told as lost.
    fn retire(&mut self) -> Result<(), String> {
        let is_done =
            |packet: &Packet| packet.good.is_some() && packet.told.is_some() && packet.is_out();
        while self.ended.is_none() || self.packets.len() > 1 {
            let Some(packet) = self.packets.pop_front_if(|packet| is_done(packet)) else { break };
            packet.check()?;
            self.fates.whole += u64::from(!packet.swallowed && !packet.cut);
            self.begins -= 1;
            self.ends -= 1;
        }
        Ok(())
    }

    /// Nothing stands that may move.
    fn stands(&mut self, cycle: u64, inputs: &Inputs) -> Result<(), String> {
        let number = self.number % NO_PACKET;
        let first = self.packets.iter().find(|packet| !packet.is_out());
        let may_be_far = |oldest: &u64| is_far(number, *oldest) || is_far(before(number), *oldest);
        let is_held = first.is_some_and(|first| first.begun.is_none())
            && inputs.pending.iter().flatten().any(may_be_far);
        let more = first.is_some_and(|first| {
            first.waiting() != 0 && (first.good.is_some() || first.may_go_on())
        });
        if !inputs.ready || is_held || !more || inputs.beat.is_some() {
            self.progress = cycle;
        }
        if cycle > self.progress + PATIENCE + self.depth as u64 {
            return Err(format!("{first:x?} stands"));
        }
        Ok(())
    }
}

/// Whether a packet waits while something of `oldest` does.
fn is_far(number: u64, oldest: u64) -> bool {
    oldest != NO_PACKET && (number + NO_PACKET - oldest) % NO_PACKET >= AHEAD
}

/// The number before this one.
fn before(number: u64) -> u64 {
    (number + NO_PACKET - 1) % NO_PACKET
}

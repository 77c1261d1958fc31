//! What becomes of fires, by `rtl/order/README.md`: judged in their order, each sent or refused once.
//!
//! All outputs are registers: what follows from a cycle's inputs is seen in the cycle behind.

use std::collections::VecDeque;

use saker_trader::fastpath::{FireRefused, Registers};

use crate::frame::{Bears, Frame, Word};
use crate::numbers::{self, Numbers, Values};
use crate::orders::{Answer, Orders, Write};
use crate::slots::{Slots, UnderWay};

/// Fires that wait.
const WAITING: usize = 9;
/// Cycles that a fire takes through the queue.
const THROUGH: u64 = 2;
/// Cycles from a frame's start until its numbers count.
const ADVANCE: u64 = 2;
/// Numbers of packets: then they come again.
pub const PACKETS: usize = 16;

/// Why a fire sends nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Fire(FireRefused),
    BadPacket,
    QueueFull,
}

impl Refusal {
    /// `refusal_t`.
    pub fn code(self) -> usize {
        match self {
            Self::Fire(FireRefused::Disabled) => 1,
            Self::Fire(FireRefused::NotArmed) => 2,
            Self::Fire(FireRefused::NotLeased) => 3,
            Self::Fire(FireRefused::Limit) => 4,
            Self::Fire(FireRefused::MsgSeq) => 5,
            Self::BadPacket => 6,
            Self::QueueFull => 7,
        }
    }
}

/// Options: they change at rest only.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub speculate: bool,
    pub trailer: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Fire {
    pub slot: usize,
    /// The packet that caused it; `None` if it is trusted.
    pub packet: Option<usize>,
    pub tstamp: u64,
    pub price: i64,
}

/// What comes in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs {
    pub fire: Option<Fire>,
    /// Of the next packet.
    pub verdict: Option<bool>,
    pub write: Option<Write>,
    pub numbers: numbers::Writes,
    pub enabled: bool,
    pub leased: bool,
    pub tcp_ack: u32,
    pub tcp_window: u16,
    pub ready: bool,
    /// When a first byte is out in this cycle.
    pub first_byte: Option<u64>,
}

/// `order_sent_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub slot: usize,
    pub udp: bool,
    pub poisoned: bool,
    pub number: u32,
    pub start: u32,
    pub end: u32,
    pub tstamp_in: u64,
    pub tstamp_out: u64,
}

/// `order_event_t`: its names from the last bit on.
pub const EVENTS: [&str; 14] = [
    "register_refused",
    "write_refused",
    "disarmed",
    "armed",
    "queue_full",
    "bad_packet",
    "msg_seq",
    "limit",
    "not_leased",
    "not_armed",
    "disabled",
    "retried",
    "poisoned",
    "fired",
];
const REGISTER_REFUSED: u16 = 1;
const WRITE_REFUSED: u16 = 1 << 1;
const DISARMED: u16 = 1 << 2;
const ARMED: u16 = 1 << 3;
/// Bit of a refusal less its code.
const REFUSED: usize = 11;
const RETRIED: u16 = 1 << 11;
const POISONED: u16 = 1 << 12;
const FIRED: u16 = 1 << 13;

/// What is seen in a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Outputs {
    pub word: Option<Word>,
    pub sent: Option<Sent>,
    /// Slot and reason.
    pub refused: Option<(usize, usize)>,
    /// Slot and whether it is armed still.
    pub rearm: Option<(usize, bool)>,
    pub events: u16,
    pub armed: u16,
    pub busy: bool,
    pub pending: Option<u64>,
    pub values: Values,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Waiting,
    Sending,
    Back,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    fire: Fire,
    since: u64,
}

/// What must become of the first fire in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Wait,
    Start,
    Refuse(Refusal),
}

pub struct Rules {
    orders: Orders,
    pub slots: Slots,
    pub numbers: Numbers,
    options: Options,
    cycle: u64,
    phase: Phase,
    queue: VecDeque<Waiting>,
    current: Option<Fire>,
    /// It was sent poisoned.
    certain: bool,
    frame: Option<Frame>,
    began: u64,
    /// Of all packets so far.
    verdicts: Vec<bool>,
    /// Inputs of the last cycle, `enabled` and `leased` of the one before, and whether a frame ended in it.
    was: Inputs,
    held: (bool, bool),
    done: bool,
    pub fires: u64,
    pub outcomes: u64,
}

impl Rules {
    pub fn new(orders: Orders) -> Self {
        Self {
            orders,
            slots: Slots::new(),
            numbers: Numbers::default(),
            options: Options::default(),
            cycle: 0,
            phase: Phase::Idle,
            queue: VecDeque::new(),
            current: None,
            certain: false,
            frame: None,
            began: 0,
            verdicts: Vec::new(),
            was: Inputs::default(),
            held: (false, false),
            done: false,
            fires: 0,
            outcomes: 0,
        }
    }

    /// What the host loads slots with.
    pub fn host_parts(&mut self) -> (&mut Slots, &mut Orders) {
        (&mut self.slots, &mut self.orders)
    }

    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Packets that have their verdict.
    pub fn verdicts(&self) -> usize {
        self.verdicts.len()
    }

    /// Whether the next packet's verdict would make a fire in the queue lose its own.
    pub fn holds_back(&self) -> bool {
        let oldest = self.queue.iter().filter_map(|one| one.fire.packet).min();
        oldest.is_some_and(|packet| self.verdicts.len() >= packet + PACKETS - 1)
    }

    /// Whether all fires have been decided.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle && self.queue.is_empty()
    }

    /// The slot of the frame under way.
    pub fn under_way(&self) -> Option<usize> {
        self.frame.as_ref().map(|frame| frame.slot)
    }

    /// What comes in this cycle.
    pub fn begin(&mut self, inputs: &Inputs) {
        self.held = (self.was.enabled, self.was.leased);
        self.was = *inputs;
        self.fires += u64::from(inputs.fire.is_some());
        self.done = false;
        let known = self.current.and_then(|fire| self.known(&fire, true));
        let Some(frame) = &mut self.frame else { return };
        if let Some(time) = inputs.first_byte {
            frame.first_byte(time);
        }
        if self.phase == Phase::Sending && inputs.ready {
            self.done = frame.take(known == Some(true));
        }
    }

    /// What it has made, seen in the cycle behind.
    pub fn end(&mut self, outputs: &Outputs) -> Result<(), String> {
        self.decide(outputs)?;
        self.compare(outputs)?;
        match (&self.frame, &outputs.word) {
            (Some(frame), Some(word)) => frame.check(word),
            _ => Ok(()),
        }
    }

    /// What is known of a fire's packet, with or without this cycle's verdict.
    fn known(&self, fire: &Fire, with: bool) -> Option<bool> {
        let Some(packet) = fire.packet else { return Some(true) };
        let now = self.was.verdict.filter(|_| with && packet == self.verdicts.len());
        self.verdicts.get(packet).copied().or(now)
    }

    /// Whether a fire that comes is judged at once.
    fn is_direct(&self) -> bool {
        self.phase == Phase::Idle && self.queue.is_empty()
    }

    /// The first reason against a slot's order, by what held a cycle ago.
    fn reason(&self, slot: usize) -> Option<FireRefused> {
        let (enabled, leased) = self.held;
        let (values, udp) = (self.numbers.values(), self.slots.is_udp(slot));
        if !enabled {
            Some(FireRefused::Disabled)
        } else if !self.slots.is_ready(slot) {
            Some(FireRefused::NotArmed)
        } else if udp {
            None
        } else if !leased {
            Some(FireRefused::NotLeased)
        } else if self.slots.payload(slot) > values.tcp_limit {
            Some(FireRefused::Limit)
        } else if values.is_exhausted() {
            Some(FireRefused::MsgSeq)
        } else {
            None
        }
    }

    /// What the last cycle must have made of the first fire, once the numbers are settled.
    fn decision(&self, overflow: bool) -> Decision {
        let direct = self.was.fire.filter(|_| self.is_direct());
        let first = if self.phase == Phase::Waiting { self.current } else { direct };
        let Some(fire) = first else { return Decision::Wait };
        let reason = self.reason(fire.slot);
        let speculates = self.options.speculate && !self.certain;
        let may = self.known(&fire, true).unwrap_or(speculates);
        if may && reason.is_none() {
            return Decision::Start;
        }
        // A refusal is told for one that has waited a cycle, by the verdicts of the cycles before. One that finds
        // the queue full is told first.
        if self.phase != Phase::Waiting || overflow {
            return Decision::Wait;
        }
        match (self.known(&fire, false), reason) {
            (Some(false), _) => Decision::Refuse(Refusal::BadPacket),
            (known, Some(reason)) if known.unwrap_or(speculates) => {
                Decision::Refuse(Refusal::Fire(reason))
            }
            _ => Decision::Wait,
        }
    }

    /// What has become of the last cycle's inputs.
    fn decide(&mut self, outputs: &Outputs) -> Result<(), String> {
        let was = self.was;
        let overflow = was.fire.filter(|_| !self.is_direct() && self.queue.len() == WAITING);
        let refused = overflow.map(|fire| (fire.slot, Refusal::QueueFull));
        let mut decision = self.decision(overflow.is_some());
        let started = outputs.word.is_some() && self.phase != Phase::Sending;
        // While numbers settle a decision may be put off.
        let put_off = !started && (outputs.refused.is_none() || overflow.is_some());
        if put_off && self.cycle < self.numbers.settled_at() {
            decision = Decision::Wait;
        }
        if started != (decision == Decision::Start) {
            let known = self.current.map(|fire| (self.known(&fire, true), self.reason(fire.slot)));
            let (fire, phase) = (self.current, self.phase);
            return Err(format!(
                "started {started}: {phase:?}, {decision:?} of {fire:?}, {known:?}"
            ));
        }
        let refused = match decision {
            Decision::Refuse(reason) => self.current.map(|fire| (fire.slot, reason)),
            _ => refused,
        };
        let told = refused.map(|(slot, reason)| (slot, reason.code()));
        if outputs.refused != told {
            return Err(format!("refused {:?}, not {refused:?}", outputs.refused));
        }
        let rearm = refused.map(|(slot, reason)| (slot, reason == Refusal::BadPacket));
        if outputs.rearm != rearm {
            return Err(format!("rearms {:?}, not {rearm:?}", outputs.rearm));
        }
        self.outcomes += u64::from(refused.is_some());

        let mut events = told.map_or(0, |(_, code)| 1 << (REFUSED - code));
        if started && self.certain {
            events |= RETRIED;
        }
        events |= self.ended(outputs)?;
        if started {
            let direct = was.fire.filter(|_| self.is_direct());
            self.start(self.current.or(direct).ok_or("a frame of no fire")?)?;
        }
        events |= self.host()?;
        if outputs.events != events {
            let names = |events: u16| -> Vec<&str> {
                (0..).zip(EVENTS).filter(|(at, _)| events >> at & 1 == 1).map(|(_, n)| n).collect()
            };
            return Err(format!("events {:?}, not {:?}", names(outputs.events), names(events)));
        }
        self.next_phase(decision, overflow.is_some());
        self.verdicts.extend(was.verdict);
        self.cycle += 1;
        Ok(())
    }

    /// What is told of a frame that has ended.
    fn ended(&mut self, outputs: &Outputs) -> Result<u16, String> {
        let Some((frame, fire)) = self.frame.as_ref().zip(self.current).filter(|_| self.done)
        else {
            return match outputs.sent {
                Some(sent) => Err(format!("{sent:?} of no frame")),
                None => Ok(0),
            };
        };
        let Bears { udp, number, start, payload } = frame.bears;
        let want = Sent {
            slot: frame.slot,
            udp,
            poisoned: frame.poisoned(),
            number,
            start,
            end: start.wrapping_add(payload.unwrap_or(0)),
            tstamp_in: fire.tstamp,
            tstamp_out: frame.out().ok_or("the bench's line told no first byte")?,
        };
        if outputs.sent != Some(want) {
            return Err(format!("{:?}, not {want:?}", outputs.sent));
        }
        self.outcomes += u64::from(!want.poisoned);
        Ok(if want.poisoned { POISONED } else { FIRED })
    }

    /// The frame that must leave.
    fn start(&mut self, fire: Fire) -> Result<(), String> {
        let (slot, values) = (fire.slot, self.numbers.values());
        let order = self.slots.order(slot).ok_or("the bench does not know what is sent")?;
        let (bytes, bears) = match &order.answer {
            Answer::Fix { path, message } => {
                let registers = Registers {
                    enabled: true,
                    leased: true,
                    tcp_seq: values.tcp_seq,
                    tcp_ack: self.was.tcp_ack,
                    tcp_window: self.was.tcp_window,
                    tcp_limit: values.tcp_limit,
                    next_msg_seq: values.next_msg_seq,
                };
                let payload = Some(order.payload());
                let (number, start) = (values.next_msg_seq, values.tcp_seq);
                let bytes = self.orders.fix_frame(slot as u16, path, message, registers)?;
                (bytes, Bears { udp: false, number, start, payload })
            }
            Answer::Fast(answer) => {
                let path = self.slots.path().ok_or("the bench does not know the header")?;
                let number = values.udp_seq;
                let (price, time) = (fire.price, fire.tstamp);
                let bytes = self.orders.fast_frame(answer, path, number, price, time);
                let bytes = bytes.map_err(|error| error.to_string())?;
                (bytes, Bears { udp: true, number, start: 0, payload: None })
            }
        };
        self.frame = Some(Frame::new(slot, bears, bytes, self.options.trailer, fire.tstamp));
        self.began = self.cycle;
        Ok(())
    }

    /// What the last cycle's writes have made, and a frame of slots and numbers.
    fn host(&mut self) -> Result<u16, String> {
        let (began, back) = (self.began, self.phase == Phase::Back);
        if let Some(frame) = &mut self.frame
            && self.slots.disarms() == Some(frame.slot)
        {
            frame.cancelled = true;
        }
        // The frame that has just been begun is under way from the next cycle on.
        let frame = self.frame.as_ref().filter(|_| began != self.cycle);
        let under_way = frame.map(|frame| UnderWay {
            slot: frame.slot,
            second: self.cycle == began + 1,
            back,
            cancelled: frame.cancelled,
        });
        let advances = frame.filter(|_| self.cycle == began + ADVANCE);
        let refused = self.numbers.step(&numbers::Step {
            cycle: self.cycle,
            writes: self.was.numbers,
            leased: self.was.leased,
            under_way: under_way.is_some(),
            advance: advances.map(|frame| frame.bears.payload),
            rollback: back,
        });
        let told = self.slots.step(self.cycle, self.was.write, under_way)?;
        let bit = |is: bool, bit: u16| if is { bit } else { 0 };
        Ok(bit(refused, REGISTER_REFUSED)
            | bit(told.refused, WRITE_REFUSED)
            | bit(told.disarmed, DISARMED)
            | bit(told.armed, ARMED))
    }

    fn next_phase(&mut self, decision: Decision, overflow: bool) {
        let visible = self.queue.front().is_some_and(|one| self.cycle >= one.since + THROUGH);
        let (direct, was) = (self.is_direct(), self.was.fire);
        if let Some(fire) = was.filter(|_| !direct && !overflow) {
            self.queue.push_back(Waiting { fire, since: self.cycle });
        }
        let poisoned = self.frame.as_ref().is_some_and(Frame::poisoned);
        self.phase = match (self.phase, decision) {
            (Phase::Idle, _) if visible => {
                self.current = self.queue.pop_front().map(|one| one.fire);
                Phase::Waiting
            }
            (Phase::Idle, _) if direct && was.is_some() => {
                self.current = was;
                if decision == Decision::Start { Phase::Sending } else { Phase::Waiting }
            }
            (Phase::Waiting, Decision::Start) => Phase::Sending,
            (Phase::Waiting, Decision::Refuse(_)) => Phase::Idle,
            (Phase::Sending, _) if self.done && poisoned => Phase::Back,
            (Phase::Sending, _) if self.done => Phase::Idle,
            (Phase::Back, _) => Phase::Waiting,
            (phase, _) => phase,
        };
        match self.phase {
            Phase::Idle => (self.current, self.certain, self.frame) = (None, false, None),
            Phase::Waiting if self.frame.is_some() => (self.certain, self.frame) = (true, None),
            _ => {}
        }
    }

    /// What every cycle shows.
    fn compare(&mut self, outputs: &Outputs) -> Result<(), String> {
        self.slots.compare(self.cycle, outputs.armed)?;
        if outputs.values != self.numbers.values() {
            return Err(format!("{:?}, not {:?}", outputs.values, self.numbers.values()));
        }
        let sends = self.phase == Phase::Sending;
        if outputs.word.is_some() != sends {
            return Err(format!("a word is offered: {}, not {sends}", outputs.word.is_some()));
        }
        let settled = self.cycle >= self.numbers.settled_at();
        if (!self.is_idle() && !outputs.busy) || (self.is_idle() && settled && outputs.busy) {
            return Err(format!("busy {}", outputs.busy));
        }
        // Of the first in the queue that a packet has caused.
        let seen = self.queue.iter().filter(|one| self.cycle >= one.since + THROUGH);
        let pending = seen.filter_map(|one| one.fire.packet).next();
        let pending = pending.map(|packet| (packet % PACKETS) as u64);
        if outputs.pending != pending {
            return Err(format!("pending is {:?}, not {pending:?}", outputs.pending));
        }
        Ok(())
    }
}

//! The trader in logic with its software, as one machine on an Ethernet port.
//!
//! ```text
//!            ┌──────────── RtlTrader ─────────────────────────────────────────────┐
//!  port ◄───►│ Line ◄─► Logic (verilated) ──host frames, events──► Reference      │
//!            │             ▲   ▲                                   what it must do│
//!            │  registers  │   └──────── frames ───────┐               │ compared │
//!            │             └── sync ◄── TraderHost ◄───┴──── Lockstep ◄┘          │
//!            └────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! The software is [`TraderHost`], unchanged but for its decisions, which it leaves to the logic
//! ([`TraderHost::delegate`]). It gets every frame from the logic's host port: ARP, segments and the
//! loops of snapshots and definitions as they are, the incremental feed mirrored.
//!
//! # Who knows what when
//!
//! What the software does to the logic (arming slots, lending sequence numbers, mending books) it does
//! only while the logic is at rest, with nothing on the line or inside. Then both sides agree what each
//! packet saw, and can be compared. So frames that are not of the feed wait until the logic has come
//! to rest: 64 cycles behind the last thing that moved, about 0.4 µs, no less than a real host's DMA.
//! Register accesses take no virtual time; the time of the software is that of its cost model.

use std::collections::VecDeque;

use saker_feed::channel::{ChannelPlan, Stream};
use saker_strategy::Fire;
use saker_trader::books::Change;
use saker_trader::fastpath::FireRefused;
use saker_trader::host::TraderHost;
use saker_wire::frame::{Body, Checksums, parse_with};
use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station, TxFrame};
use saker_wire::time::Nanos;

use crate::answers::{Answer, AnswerCode, EntryOp};
use crate::lockstep::{Counts, Difference, Lockstep, LogicOrder, ModelOrder, Refusal};
use crate::logic::{Logic, LogicError};
use crate::probes::{Event, Report};
use crate::reference::{Reference, Step};
use crate::setup::HostEntry;
use crate::sync::Sync;
use crate::xgmii::Ending;

/// Cycles between two looks at the logic while it works: less than a frame and the shortest cable
/// take, so that nothing it sends is told too late.
const LOOK_CYCLES: u64 = 3;
/// Frames whose stamps are remembered.
const REMEMBERED: usize = 4_096;
/// Decisions whose stages are remembered.
const DECISIONS: usize = 64;
/// Stamps are those of virtual time to so many nanoseconds.
const STAMP_ERROR: u64 = 2;

/// Why the machine has stopped.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Model and logic disagree.
    #[error(transparent)]
    Lockstep(#[from] Difference),
    /// The logic does not do what it is told.
    #[error(transparent)]
    Logic(#[from] LogicError),
    /// The strategies do not fit the logic.
    #[error("strategies: {0}")]
    Strategies(String),
    /// The logic has done what cannot be understood.
    #[error("{what} (cycle {cycle})")]
    Nonsense {
        /// What.
        what: String,
        /// When.
        cycle: u64,
    },
}

/// A frame that has arrived, by the stamp that the logic must have given it.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    stamp: u64,
    id: FrameId,
}

/// When the stages of a decision ended, in cycles.
#[derive(Debug, Clone, Copy)]
struct Decided {
    /// The message was decoded.
    message: u64,
    /// The market gave its last answer.
    answer: u64,
}

/// A frame for the software that waits until the logic is at rest.
#[derive(Debug)]
struct Waiting {
    stamp: u64,
    id: FrameId,
    bytes: Vec<u8>,
}

/// A frame of the software's that has not left yet.
#[derive(Debug)]
struct Leaving {
    ready_at: Nanos,
    bytes: Vec<u8>,
    cause: Option<FrameId>,
}

/// Something the host has shown to the strategies, whose answer is awaited.
#[derive(Debug)]
struct Shown {
    index: usize,
    change: Change,
}

/// The machine.
pub struct RtlTrader {
    host: TraderHost,
    plan: ChannelPlan,
    reference: Reference,
    logic: Logic,
    lockstep: Lockstep,
    sync: Sync,
    arrivals: VecDeque<Arrival>,
    waiting: VecDeque<Waiting>,
    leaving: VecDeque<Leaving>,
    /// Frames of the software's that the logic has and has not sent yet.
    given: VecDeque<(Vec<u8>, Option<FrameId>)>,
    /// Orders that have left, before frame and report were put together.
    reports: VecDeque<(u64, Report)>,
    frames: VecDeque<(Nanos, Vec<u8>)>,
    agreed: Vec<(ModelOrder, LogicOrder)>,
    /// The host's entries that are shown one by one, and the one whose answer is awaited.
    to_show: VecDeque<(HostEntry, Shown)>,
    showing: Option<Shown>,
    fires: Vec<Fire>,
    unsettled: bool,
    kill: bool,
    awake: bool,
    /// When packets were decoded and answered, by their frame's stamp; the latest last.
    decided: VecDeque<(u64, Decided)>,
    fault: Option<Fault>,
    spans: Vec<StageSpan>,
    counters: RtlCounters,
}

/// What only this machine counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RtlCounters {
    /// Times the logic came to rest and the software had its turn.
    pub rests: u64,
    /// Books made anew from the software's.
    pub rebuilt: u64,
    /// Books mended by the entries that were missing.
    pub patched: u64,
    /// Books confirmed as they were.
    pub confirmed: u64,
    /// Frames that arrived with a bad FCS.
    pub bad_frames: u64,
    /// The longest that a frame for the software waited for the logic to come to rest.
    pub longest_wait_ns: u64,
}

/// What the machine is made of.
pub struct Parts {
    /// The software, already told to leave decisions to the logic.
    pub host: TraderHost,
    /// Which groups carry the feed.
    pub plan: ChannelPlan,
    /// What the logic must make of the feed.
    pub reference: Reference,
    /// The logic, with its program loaded.
    pub logic: Logic,
    /// The comparison.
    pub lockstep: Lockstep,
    /// Orders start before their packet's verdict.
    pub speculate: bool,
}

impl RtlTrader {
    /// A machine of these parts.
    pub fn new(parts: Parts) -> Self {
        let Parts { host, plan, reference, logic, lockstep, speculate } = parts;
        Self {
            host,
            plan,
            reference,
            logic,
            lockstep,
            sync: Sync::new(speculate),
            arrivals: VecDeque::new(),
            waiting: VecDeque::new(),
            leaving: VecDeque::new(),
            given: VecDeque::new(),
            reports: VecDeque::new(),
            frames: VecDeque::new(),
            agreed: Vec::new(),
            to_show: VecDeque::new(),
            showing: None,
            fires: Vec::with_capacity(16),
            unsettled: false,
            kill: false,
            awake: false,
            decided: VecDeque::new(),
            fault: None,
            spans: Vec::new(),
            counters: RtlCounters::default(),
        }
    }

    /// The software.
    pub fn host(&self) -> &TraderHost {
        &self.host
    }

    /// The logic, to read its registers at the end.
    pub fn logic_mut(&mut self) -> &mut Logic {
        &mut self.logic
    }

    /// The logic.
    pub fn logic(&self) -> &Logic {
        &self.logic
    }

    /// What was compared.
    pub fn compared(&self) -> Counts {
        self.lockstep.counts()
    }

    /// What only this machine counts.
    pub fn counters(&self) -> RtlCounters {
        self.counters
    }

    /// Why the machine has stopped, if it has.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The kill switch, thrown as soon as the logic is at rest.
    pub fn kill(&mut self, now: Nanos, out: &mut Outbox) {
        self.kill = true;
        self.run_to(now, out);
        self.rest_if_idle(now, out);
    }

    // ------------------------------------------------------------ time

    /// Takes the logic to `now`.
    fn run_to(&mut self, now: Nanos, out: &mut Outbox) {
        if let Err(fault) = self.try_run_to(now, out) {
            self.fault = Some(fault);
        }
        out.stages.append(&mut self.spans);
    }

    fn try_run_to(&mut self, now: Nanos, out: &mut Outbox) -> Result<(), Fault> {
        while self.fault.is_none() && self.awake {
            if self.logic.is_at_rest() {
                let at = self.logic.line().instant_of_cycle(self.logic.cycle()).min(now);
                self.rest(at)?;
                if self.logic.is_at_rest() {
                    self.awake = false;
                    break;
                }
            }
            if self.logic.cycle() >= self.logic.line().cycles_until(now) {
                break;
            }
            self.logic.step();
            self.attend(out)?;
        }
        Ok(())
    }

    /// The logic sleeps: the software has its turn at once.
    fn rest_if_idle(&mut self, now: Nanos, out: &mut Outbox) {
        if self.fault.is_some() || self.awake {
            return;
        }
        let turn = self.rouse(now).and_then(|()| self.rest(now));
        if let Err(fault) = turn {
            self.fault = Some(fault);
        }
        self.awake = !self.logic.is_at_rest();
        out.stages.append(&mut self.spans);
    }

    /// The logic goes on at `now` after it slept.
    fn rouse(&mut self, now: Nanos) -> Result<(), Fault> {
        let cycle = self.logic.line().cycles_until(now).max(self.logic.cycle());
        Ok(self.logic.wake(cycle)?)
    }

    // ------------------------------------------------------------ what comes out of the logic

    /// Takes what the logic has given out in the last cycle.
    fn attend(&mut self, out: &mut Outbox) -> Result<(), Fault> {
        for (stamp, bytes) in self.logic.take_host_frames() {
            self.on_host_frame(stamp, bytes)?;
        }
        let events = self.logic.take_events();
        let leaving = self.logic.take_leaving();
        if events.is_empty() && leaving.is_empty() && self.frames.is_empty() {
            return Ok(());
        }
        for (cycle, event) in events {
            self.on_event(cycle, event)?;
        }
        for frame in leaving {
            let at = self.logic.line().instant(frame.start);
            match frame.ending {
                Ending::Good => self.on_left(at, frame.bytes, out),
                Ending::BadFcs => self.lockstep.logic_poisoned(),
                Ending::Coding => {
                    let what = "a frame left the logic cut short".to_owned();
                    return Err(Fault::Nonsense { what, cycle: self.logic.cycle() });
                }
            }
        }
        self.pair_orders(out);
        self.compare()
    }

    fn on_host_frame(&mut self, stamp: u64, bytes: Vec<u8>) -> Result<(), Fault> {
        let Some(id) = self.arrival(stamp) else {
            let what = format!("the host got a frame stamped {stamp}, when none arrived");
            return Err(Fault::Nonsense { what, cycle: self.logic.cycle() });
        };
        let waiting = Waiting { stamp, id, bytes };
        let Some(payload) = self.payload(Stream::Incremental, &waiting.bytes) else {
            self.waiting.push_back(waiting);
            return Ok(());
        };
        self.on_packet(stamp, id, payload);
        let now = self.logic.line().instant_of_cycle(self.logic.cycle());
        let frame = RxFrame { port: 0, id, first_byte_ns: stamp, bytes: &waiting.bytes };
        // Nothing of the software's is sent because of it.
        self.host.receive(now, frame, &mut Outbox::default());
        Ok(())
    }

    /// The frame that arrived with a stamp.
    fn arrival(&self, stamp: u64) -> Option<FrameId> {
        let mut arrivals = self.arrivals.iter();
        arrivals.find(|one| one.stamp.abs_diff(stamp) <= STAMP_ERROR).map(|one| one.id)
    }

    /// The payload of a frame that is of a stream of the feed.
    fn payload<'f>(&self, stream: Stream, bytes: &'f [u8]) -> Option<&'f [u8]> {
        let Body::Udp { ip, udp, payload } = parse_with(bytes, Checksums::Ignore).ok()?.body else {
            return None;
        };
        let destination = std::net::SocketAddrV4::new(ip.dst, udp.dst_port);
        (self.plan.classify(destination)?.0 == stream).then_some(payload)
    }

    /// Lets the model see a packet of the feed.
    fn on_packet(&mut self, stamp: u64, id: FrameId, payload: &[u8]) {
        let packet = payload.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let Self { reference, lockstep, host, fires, unsettled, .. } = self;
        let mut decide =
            Decide { host, lockstep, fires, unsettled, packet, stamp, cause: Some(id) };
        let shown: Vec<(usize, Change)> = {
            let mut shown = Vec::new();
            reference.packet(payload, &mut |step| match step {
                Step::Message(items) => decide.lockstep.model_message(packet, items),
                Step::Answer(answer) => decide.lockstep.model_answer(packet, answer),
                Step::Show(index, change) => shown.push((index, change)),
                Step::Dropped(_) => {}
            });
            shown
        };
        for (index, change) in shown {
            decide.show(index, change);
        }
    }

    fn on_event(&mut self, cycle: u64, event: Event) -> Result<(), Fault> {
        match event {
            Event::Message { records, stamp } => {
                if self.decided.len() == DECISIONS {
                    self.decided.pop_front();
                }
                self.decided.push_back((stamp, Decided { message: cycle, answer: cycle }));
                self.lockstep.logic_message(cycle, records);
            }
            Event::Answer { answer, stamp } if answer.from_host => {
                self.on_host_answer(cycle, answer, stamp)?;
            }
            // The end of a message without an entry, and what is nobody's, have no counterpart.
            Event::Answer { answer, .. } if answer.op == EntryOp::End => {}
            Event::Answer { answer, stamp } => {
                let mut latest = self.decided.iter_mut().rev();
                if let Some((_, decided)) = latest.find(|(of, _)| *of == stamp) {
                    decided.answer = cycle;
                }
                self.lockstep.logic_answer(cycle, answer);
            }
            Event::Sent(report) => self.reports.push_back((cycle, report)),
            // Its frame is told apart by its FCS.
            Event::Poisoned(_) => {}
            Event::Refused { slot, reason } => {
                self.lockstep.logic_refusal(cycle, Refusal { slot, reason });
            }
            Event::Nonsense(what) => return Err(Fault::Nonsense { what, cycle }),
        }
        Ok(())
    }

    /// The market has answered an entry of the host's.
    fn on_host_answer(&mut self, cycle: u64, answer: Answer, stamp: u64) -> Result<(), Fault> {
        if answer.answer != AnswerCode::Done {
            let what = format!("the market answers {:?} to the host's {:?}", answer.answer, answer);
            return Err(Fault::Nonsense { what, cycle });
        }
        if !matches!(answer.op, EntryOp::Trade | EntryOp::Show) {
            return Ok(());
        }
        let Some(Shown { index, change }) = self.showing.take() else {
            let what = format!("the market shows what nobody asked for: {answer:?}");
            return Err(Fault::Nonsense { what, cycle });
        };
        let Self { lockstep, host, fires, unsettled, .. } = self;
        let mut decide = Decide { host, lockstep, fires, unsettled, packet: 0, stamp, cause: None };
        decide.show(index, change);
        Ok(())
    }

    /// A good frame has left: the software's, or an order.
    fn on_left(&mut self, at: Nanos, bytes: Vec<u8>, out: &mut Outbox) {
        let is_given = self.given.front().is_some_and(|(given, _)| {
            bytes.starts_with(given) && bytes[given.len()..].iter().all(|byte| *byte == 0)
        });
        let given = if is_given { self.given.pop_front() } else { None };
        match given {
            Some((_, cause)) => out.frames.push(TxFrame { port: 0, bytes, ready_at: at, cause }),
            None => self.frames.push_back((at, bytes)),
        }
    }

    /// Puts reports and frames of orders together and sends them.
    fn pair_orders(&mut self, out: &mut Outbox) {
        while !self.frames.is_empty() && !self.reports.is_empty() {
            let (Some((at, bytes)), Some((cycle, report))) =
                (self.frames.pop_front(), self.reports.pop_front())
            else {
                return;
            };
            let cause = self.arrival(report.stamp_in);
            let frame = TxFrame { port: 0, bytes: bytes.clone(), ready_at: at, cause };
            out.frames.push(frame);
            self.lockstep.logic_order(cycle, LogicOrder { report, frame: bytes });
        }
    }

    fn compare(&mut self) -> Result<(), Fault> {
        let line = self.logic.line();
        self.lockstep.compare(|cycle| line.instant_of_cycle(cycle), &mut self.agreed)?;
        for (model, order) in self.agreed.drain(..) {
            let sent_at = order.report.stamp_out;
            self.sync.on_sent(&model.sent);
            self.host.account(model.sent, model.cause, sent_at, sent_at);
            if let Some(cause) = model.cause {
                let line = self.logic.line();
                let stamp = order.report.stamp_in;
                let decided = self.decided.iter().rev().find(|(of, _)| *of == stamp);
                let Some(&(_, Decided { message, answer })) = decided else { continue };
                let ends = [
                    ("receive, decode", line.instant_of_cycle(message)),
                    ("book", line.instant_of_cycle(answer)),
                    ("decide, send", sent_at),
                ];
                let mut start = order.report.stamp_in;
                for (stage, end) in ends {
                    let end = end.max(start);
                    self.spans.push(StageSpan { cause, stage, start, end });
                    start = end;
                }
            }
        }
        Ok(())
    }

    // ------------------------------------------------------------ the software's turn

    /// The logic is at rest at `now`: the software has its turn.
    fn rest(&mut self, now: Nanos) -> Result<(), Fault> {
        self.counters.rests += 1;
        self.compare()?;
        self.lockstep.finish(self.logic.cycle(), now)?;
        let mut outbox = Outbox::default();
        if std::mem::take(&mut self.unsettled) {
            self.host.settle(now, &mut outbox);
        }
        while let Some(Waiting { stamp, id, bytes }) = self.waiting.pop_front() {
            let waited = now.saturating_sub(stamp);
            self.counters.longest_wait_ns = self.counters.longest_wait_ns.max(waited);
            self.learn(&bytes);
            let frame = RxFrame { port: 0, id, first_byte_ns: stamp, bytes: &bytes };
            self.host.receive(now, frame, &mut outbox);
        }
        if std::mem::take(&mut self.kill) {
            self.host.kill(now, &mut outbox);
        }
        if self.host.next_wake().is_some_and(|at| at <= now) {
            self.host.wake(now, &mut outbox);
        }
        for frame in outbox.frames {
            let TxFrame { bytes, ready_at, cause, .. } = frame;
            self.leaving.push_back(Leaving { ready_at, bytes, cause });
        }
        self.leaving.make_contiguous().sort_by_key(|frame| frame.ready_at);
        let Self { sync, host, reference, logic, to_show, counters, .. } = self;
        sync.bring_up_to_date(host, reference, logic, counters, |entry, index, change| {
            to_show.push_back((entry, Shown { index, change }));
        })?;
        self.logic.wake(self.logic.cycle())?;
        // What the host's own entries led to has been seen by the probes.
        for (cycle, event) in self.logic.take_events() {
            self.on_event(cycle, event)?;
        }
        self.show_next()?;
        while self.leaving.front().is_some_and(|frame| frame.ready_at <= now) {
            let Some(Leaving { bytes, cause, .. }) = self.leaving.pop_front() else { break };
            self.logic.send(bytes.clone());
            self.given.push_back((bytes, cause));
        }
        Ok(())
    }

    /// Has the logic show the next thing that was withheld, if it can be trusted still. Nothing is under
    /// way, so nothing comes between.
    fn show_next(&mut self) -> Result<(), Fault> {
        while self.showing.is_none()
            && let Some((entry, mut shown)) = self.to_show.pop_front()
        {
            if !self.reference.state(shown.index).is_some_and(|state| state.trusted) {
                self.reference.owe(shown.index);
                continue;
            }
            if let (Change::Top(_), Some(book)) = (shown.change, self.reference.book(shown.index)) {
                shown.change = Change::Top(book.top());
            }
            self.showing = Some(shown);
            self.logic.inject(&entry, true)?;
        }
        Ok(())
    }

    /// Definitions make instruments known to the model, too.
    fn learn(&mut self, bytes: &[u8]) {
        if let Some(payload) = self.payload(Stream::Definition, bytes) {
            self.reference.learn(payload);
        }
    }

    /// When the software wants its turn, the logic sleeping.
    fn next_turn(&self) -> Option<Nanos> {
        let leaving = self.leaving.front().map(|frame| frame.ready_at);
        [self.host.next_wake(), leaving].into_iter().flatten().min()
    }
}

/// What shows changes to the model's strategies.
struct Decide<'a> {
    host: &'a mut TraderHost,
    lockstep: &'a mut Lockstep,
    fires: &'a mut Vec<Fire>,
    unsettled: &'a mut bool,
    packet: u32,
    stamp: u64,
    cause: Option<FrameId>,
}

impl Decide<'_> {
    /// Shows a change of the watched instrument with this index.
    fn show(&mut self, index: usize, change: Change) {
        let known = self.host.market().desk().instruments().nth(index);
        let Some(instrument) = known.and_then(|(feed, _)| feed) else { return };
        self.fires.clear();
        self.host.desk_mut().on_change(self.stamp, instrument, change, self.fires);
        for fire in self.fires.drain(..) {
            *self.unsettled = true;
            let slot = fire.slot;
            match self.host.fire(slot) {
                Ok(sent) => {
                    let frame = self.host.line().fast_path().frame(slot).to_vec();
                    let order = ModelOrder { sent, frame, cause: self.cause };
                    self.lockstep.model_order(self.packet, order);
                }
                Err(refused) => {
                    let reason = match refused {
                        FireRefused::Disabled => 1,
                        FireRefused::NotArmed => 2,
                        FireRefused::NotLeased => 3,
                        FireRefused::Limit => 4,
                        FireRefused::MsgSeq => 5,
                    };
                    self.lockstep.model_refusal(self.packet, Refusal { slot, reason });
                }
            }
        }
    }
}

impl Station for RtlTrader {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.arrive(now, frame, true, out);
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        self.run_to(now, out);
        if self.next_turn().is_some_and(|at| at <= now) {
            self.rest_if_idle(now, out);
        }
    }

    fn next_wake(&self) -> Option<Nanos> {
        if self.fault.is_some() {
            return None;
        }
        if self.awake {
            return Some(self.logic.line().instant_of_cycle(self.logic.cycle() + LOOK_CYCLES));
        }
        self.next_turn()
    }

    fn cut_through(&self) -> bool {
        true
    }

    fn arrive(&mut self, now: Nanos, frame: RxFrame<'_>, good: bool, out: &mut Outbox) {
        self.run_to(now, out);
        if self.fault.is_some() {
            return;
        }
        if !self.awake {
            if let Err(fault) = self.rouse(now) {
                self.fault = Some(fault);
                return;
            }
            self.awake = true;
        }
        let start = self.logic.receive(now, frame.bytes, good);
        let stamp = self.logic.line().instant(start + 8);
        if self.arrivals.len() == REMEMBERED {
            self.arrivals.pop_front();
        }
        self.arrivals.push_back(Arrival { stamp, id: frame.id });
        if !good {
            self.counters.bad_frames += 1;
            if self.payload(Stream::Incremental, frame.bytes).is_some() {
                self.reference.bad_packet();
            }
        }
    }
}

//! A capture through the logic, in lockstep with the software engine.
//!
//! Each unit is a UDP datagram on line A: a packet number, counted from 1 (the arbiter wants one), then
//! the unit's bytes as they are. The software engine takes the same unit; every message, every answer of
//! the books and every order frame must be the same. As in software nobody answers: each order is taken
//! as accepted and filled at once, and the next ones are prepared while the logic is at rest.

use std::io::{self, Read};
use std::net::SocketAddrV4;

use saker_feed::channel::{ChannelPlan, Line as FeedLine, Stream};
use saker_feed::normalize::InstrumentsConfig;
use saker_lab::measure::{Sample, Series};
use saker_lab::replay::{self, Offered, ReplayOptions, ReplayOutcome, ReplayStop, StreamFormat};
use saker_trader::fastpath::{Registers, Sent};
use saker_trader::replay::{FiringRecord, Observer, Replay, ReplayError};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{Body, UdpPath, parse};
use saker_wire::time::Nanos;

use crate::answers::EntryOp;
use crate::lockstep::{Lockstep, LogicOrder, ModelOrder};
use crate::logic::{BOOK_ORDERS, Logic, LogicError};
use crate::make::{self, LogicOptions, MakeError};
use crate::meter;
use crate::probes::Event;
use crate::reference::{FeedFormat, Reference, Step};
use crate::setup::{HostEntry, channel, strategy_slot};
use crate::sync::{Sync, fits};
use crate::trader::Fault;
use crate::watch;
use crate::xgmii::Ending;

/// Bytes of the packet number.
const NUMBER: usize = 4;
/// The longest unit that a frame carries: MTU 9000 less headers and the number.
const MAX_UNIT: usize = 9_000 - 28 - NUMBER;
/// Cycles after which a unit that is still under way never ends.
const MAX_CYCLES: u64 = 1_000_000;

/// Why a replay in logic ended.
#[derive(Debug, thiserror::Error)]
pub enum LogicReplayError {
    /// The input, as in software.
    #[error(transparent)]
    Stop(#[from] ReplayStop),
    /// The machine cannot be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// Model and logic disagree, or the logic cannot be driven.
    #[error("message {message}: {fault}")]
    Fault {
        /// The message, from 0.
        message: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// Saker's own feed has snapshots and recovery, which a replay of one stream has not.
    #[error(
        "the logic replays one stream of a feed; of saker's own feed, see `saker demo --engine rtl`"
    )]
    OwnFeed,
    /// A unit is too long for a frame.
    #[error("message {message}: {length} bytes are too many for a frame")]
    TooLong {
        /// The message, from 0.
        message: u64,
        /// The unit's length.
        length: usize,
    },
    /// The strategies do not fit the logic.
    #[error("strategies: {0}")]
    Strategies(String),
}

/// Replays what `open` gives in software, then again in logic. `progress` is told how many bytes were
/// read, of both passes together.
///
/// # Errors
/// What keeps it from beginning or ends it; the first difference among it.
pub fn run<R: Read>(
    mut open: impl FnMut() -> io::Result<R>,
    options: &ReplayOptions,
    logic_options: &LogicOptions,
    mut progress: impl FnMut(u64),
) -> Result<ReplayOutcome, LogicReplayError> {
    if options.saker_feed {
        return Err(LogicReplayError::OwnFeed);
    }
    let format = options.stream.as_ref().ok_or(ReplayStop::NoTemplates)?;
    let once = ReplayOptions { stages: false, ..options.clone() };
    let mut outcome = replay::run(&mut open, &once, || 0, &mut progress)?;
    if outcome.stop.is_some() {
        return Ok(outcome);
    }
    let read: u64 = outcome.report.input.as_ref().map_or(0, |input| input.bytes);
    let start = outcome.report.run.start_ns;
    let mut bench = Bench::new(format, &outcome.engine, logic_options, start)?;
    let mut done = 0;
    let source = open().map_err(ReplayStop::from)?;
    replay::drive(source, options, |engine, unit| {
        let taken = bench.serve(engine, unit)?;
        done += taken as u64;
        progress(read + done);
        Ok::<_, LogicReplayError>(taken)
    })?;
    bench.finish(&mut outcome)?;
    Ok(outcome)
}

/// Logic, model and what lies between them.
struct Bench {
    logic: Logic,
    lockstep: Lockstep,
    reference: Reference,
    sync: Sync,
    path: UdpPath,
    slots: Vec<String>,
    number: u32,
    ready: bool,
    agreed: Vec<(ModelOrder, LogicOrder)>,
    orders: Vec<LogicOrder>,
}

/// Hears nothing: the orders are in the records.
struct Deaf;

impl Observer for Deaf {
    fn sent(&mut self, _frame: &[u8]) {}
}

impl Bench {
    /// `known` is the engine of a pass before: which instruments the strategies mean. Virtual time
    /// begins at `start`.
    fn new(
        format: &StreamFormat,
        known: &Replay,
        options: &LogicOptions,
        start: Nanos,
    ) -> Result<Self, LogicReplayError> {
        let strategies = |fault: Fault| LogicReplayError::Strategies(fault.to_string());
        let desk = known.market().desk();
        let plan = desk.plan().ok_or_else(|| {
            LogicReplayError::Strategies("no plan: they do not fit the feed".to_owned())
        })?;
        fits(plan).map_err(strategies)?;
        let feed = FeedFormat {
            templates: format.templates.clone(),
            preamble: format.preamble_len + NUMBER,
            reset: format.reset,
            instruments: InstrumentsConfig {
                create_on_first_sight: Some(format.price_exponent),
                ..InstrumentsConfig::default()
            },
            counted: true,
        };
        let (mut logic, lockstep) = make::logic(options, &feed, start)?;
        let group = ChannelPlan::default().destination(Stream::Incremental, FeedLine::A);
        let configured = configure(&mut logic, known, group).map_err(LogicReplayError::Make);
        let watched = configured?;
        let mut reference = Reference::new(feed);
        reference.watch(watched, BOOK_ORDERS);
        let path = UdpPath {
            src_mac: MacAddr([0x02, 0x53, 0x4b, 0, 0, 2]),
            dst_mac: MacAddr::for_multicast(*group.ip()).unwrap_or(MacAddr([0xff; 6])),
            src: SocketAddrV4::new([10, 0, 1, 1].into(), 20_000),
            dst: group,
            vlan: None,
            ttl: 8,
        };
        Ok(Self {
            logic,
            lockstep,
            reference,
            sync: Sync::new(options.speculate),
            path,
            slots: plan.slots().iter().map(|slot| slot.name.clone()).collect(),
            number: 0,
            ready: false,
            agreed: Vec::new(),
            orders: Vec::new(),
        })
    }

    fn serve(&mut self, engine: &mut Replay, unit: Offered<'_>) -> Result<usize, LogicReplayError> {
        let message = engine.counters().messages;
        let wrong = |fault: Fault| LogicReplayError::Fault { message, fault };
        engine.desk_mut().keep_journal();
        if unit.is_packet {
            engine.idle(unit.at);
        }
        if !self.ready {
            // The strategies were armed before there was a journal.
            self.begin(engine).map_err(wrong)?;
            self.ready = true;
        }
        self.bring_up_to_date(engine).map_err(wrong)?;
        let taken = match unit.is_packet {
            true => engine.packet(unit.at, unit.bytes, &mut Deaf).map(|()| unit.bytes.len()),
            false => engine.message(unit.at, unit.bytes, &mut Deaf),
        };
        let taken = match taken {
            Ok(taken) => taken,
            // The rest of a packet that does not decode is lost; the logic must find so, too.
            Err(ReplayError::Decode { .. } | ReplayError::Preamble { .. }) if unit.is_packet => {
                unit.bytes.len()
            }
            Err(error) => return Err(ReplayStop::from(error).into()),
        };
        engine.settle();
        let records = engine.take_records();
        let bytes = unit.bytes.get(..taken).unwrap_or(unit.bytes);
        if bytes.len() > MAX_UNIT {
            return Err(LogicReplayError::TooLong { message, length: bytes.len() });
        }
        self.number = self.number.wrapping_add(1);
        let payload = [&self.number.to_le_bytes()[..], bytes].concat();
        self.expect(&payload, &records);
        self.run(engine.now(), &payload).map_err(wrong)?;
        Ok(taken)
    }

    /// All instruments are live from the start: trades need no book.
    fn begin(&mut self, engine: &Replay) -> Result<(), Fault> {
        for index in 0..self.reference.watching() {
            self.logic.inject(&HostEntry::bare(EntryOp::Live, index), false)?;
            self.reference.live(index, 0);
        }
        let Some(strategies) = engine.market().desk().engine() else { return Ok(()) };
        for slot in 0..self.slots.len() as u16 {
            if strategies.state(slot) == Some(saker_strategy::SlotState::Armed)
                && let Some((quantity, word)) =
                    crate::setup::command(saker_trader::desk::DeskEvent::Armed(slot))
            {
                self.logic.command(quantity, word)?;
            }
        }
        self.logic.take_events();
        Ok(())
    }

    fn bring_up_to_date(&mut self, engine: &mut Replay) -> Result<(), Fault> {
        self.sync.switch(true, engine.market().desk().is_killed(), true, &mut self.logic)?;
        // Nobody closes the window.
        let registers = Registers { tcp_limit: u32::MAX, ..*engine.fast_path().registers() };
        self.sync.orders(engine.fast_path(), &registers, &mut self.logic)?;
        self.sync.strategies(engine.desk_mut(), &mut self.logic)?;
        self.logic.take_events();
        Ok(())
    }

    /// What the model makes of the unit.
    fn expect(&mut self, payload: &[u8], records: &[FiringRecord]) {
        let Self { reference, lockstep, number, .. } = self;
        reference.packet(payload, &mut |step| match step {
            Step::Message(items) => lockstep.model_message(*number, items),
            Step::Answer(answer) => lockstep.model_answer(*number, answer),
            // The software engine has decided already.
            Step::Show(..) | Step::Dropped(_) => {}
        });
        for record in records {
            let slot = self.slots.iter().position(|name| *name == record.strategy).unwrap_or(0);
            let order = ModelOrder {
                sent: account(slot as u16, &record.frame),
                frame: record.frame.clone(),
                cause: None,
            };
            self.lockstep.model_order(self.number, order);
        }
    }

    /// Takes the unit through the logic.
    fn run(&mut self, now: Nanos, payload: &[u8]) -> Result<(), Fault> {
        let mut frame = Vec::new();
        self.path.write(0, payload, &mut frame);
        let line = self.logic.line();
        let cycle = line.cycles_until(now).max(self.logic.cycle());
        let at = line.instant_of_cycle(cycle).max(now);
        self.logic.wake(cycle)?;
        self.logic.receive(at, &frame, true);
        let end = cycle + MAX_CYCLES;
        let mut leaving = Vec::new();
        let mut reports = Vec::new();
        while !self.logic.is_at_rest() {
            if self.logic.cycle() > end {
                return Err(LogicError::Busy("the logic").into());
            }
            self.logic.step();
            for (cycle, event) in self.logic.take_events() {
                match event {
                    Event::Message { records, .. } => self.lockstep.logic_message(cycle, records),
                    Event::Answer { answer, .. }
                        if answer.from_host || answer.op == EntryOp::End => {}
                    Event::Answer { answer, .. } => self.lockstep.logic_answer(cycle, answer),
                    Event::Sent(report) => reports.push((cycle, report)),
                    Event::Poisoned(_) => self.lockstep.logic_poisoned(),
                    Event::Refused { slot, reason } => {
                        let what = format!("slot {slot} was refused for reason {reason}");
                        return Err(Fault::Nonsense { what, cycle });
                    }
                    Event::Nonsense(what) => return Err(Fault::Nonsense { what, cycle }),
                }
            }
            leaving.extend(self.logic.take_leaving());
        }
        self.logic.take_host_frames();
        let whole = leaving.into_iter().filter(|frame| frame.ending == Ending::Good);
        for (frame, (cycle, report)) in whole.zip(reports) {
            self.lockstep.logic_order(cycle, LogicOrder { report, frame: frame.bytes });
        }
        let line = self.logic.line();
        self.lockstep.compare(|cycle| line.instant_of_cycle(cycle), &mut self.agreed)?;
        for (model, order) in self.agreed.drain(..) {
            self.sync.on_sent(&model.sent);
            self.orders.push(order);
        }
        Ok(self.lockstep.finish(self.logic.cycle(), line.instant_of_cycle(self.logic.cycle()))?)
    }

    /// Makes the software's report that of the logic.
    fn finish(mut self, outcome: &mut ReplayOutcome) -> Result<(), LogicReplayError> {
        let report = &mut outcome.report;
        report.run.engine = "rtl".to_owned();
        report.latency.clear();
        report.stages.clear();
        let samples = self.orders.iter().map(|order| Sample {
            at: order.report.stamp_in,
            ns: order.report.stamp_out.saturating_sub(order.report.stamp_in),
            trigger: 0,
            trigger_bytes: 0,
        });
        let samples: Vec<Sample> = samples.collect();
        if let Some(fires) = &mut report.fires {
            for (fire, sample) in fires.iter_mut().zip(&samples) {
                fire.service_ns = sample.ns;
            }
        }
        report.replace_latency(Series::new(
            "tick to order, SOP→SOP",
            "first byte of the unit's frame, in",
            "first byte of the order, out",
            samples,
        ));
        let counts = self.lockstep.counts();
        let section = meter::section(&mut self.logic, counts);
        self.logic.end_wave();
        let section = section.map_err(|error| LogicReplayError::Make(error.into()))?;
        report.logic = Some(section);
        let fired = outcome.orders.len() as u64;
        report.invariant(
            "logic_equals_model",
            "Every message decoded, every answer of a book and every order frame of the logic is \
             the software engine's.",
            counts.orders == fired && counts.messages > 0,
        );
        report.method.notes.clear();
        for note in [
            "The logic is simulated cycle by cycle at 156.25 MHz: each unit is a UDP datagram on \
             line A of a 10 Gbit/s line. Latency is that of the logic's own stamps, first byte to \
             first byte; transceivers are not part of it.",
            "The next unit comes when the logic is at rest; register accesses take no time.",
            "No venue answers: every order is taken as accepted and filled in full at once, and \
             the session's numbers count up from a fixed start.",
        ] {
            report.note(note);
        }
        Ok(())
    }
}

/// Channel, watched instruments and strategies. Returns the feed's indices of the instruments.
fn configure(
    logic: &mut Logic,
    known: &Replay,
    group: SocketAddrV4,
) -> Result<Vec<u32>, MakeError> {
    logic.write_all(channel(0, group))?;
    let desk = known.market().desk();
    let mut watched = Vec::new();
    for (index, (feed, _)) in (0u32..).zip(desk.instruments()) {
        // One that the input never names is watched under a number that it never gets.
        watched.push(feed.unwrap_or(u32::MAX));
        let instrument = feed.and_then(|feed| known.instruments().get(feed));
        if let Some(writes) = instrument.and_then(|one| watch::instrument(index, one).ok()) {
            logic.write_all(writes)?;
        }
    }
    for (slot, strategy) in (0u32..).zip(desk.plan().map_or(&[][..], |plan| plan.slots())) {
        logic.write_all(strategy_slot(slot, strategy))?;
    }
    Ok(watched)
}

/// The fast path's account of a frame.
fn account(slot: u16, frame: &[u8]) -> Sent {
    let mut sent =
        Sent { slot, msg_seq: 0, start: 0, end: 0, frame_len: frame.len(), refreshed: false };
    if let Ok(Body::Tcp { tcp, payload, .. }) = parse(frame).map(|frame| frame.body) {
        sent.start = tcp.seq;
        sent.end = tcp.seq.wrapping_add(payload.len() as u32);
        let order = saker_fix::parse::frame(payload).ok().flatten();
        sent.msg_seq = order.and_then(|(order, _)| order.msg_seq_num().ok()).unwrap_or(0);
    }
    sent
}

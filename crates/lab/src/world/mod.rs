//! The virtual-time world: stations, the links between them, and one queue of events.
//!
//! Nothing in here waits: time jumps from event to event. Events at the same instant happen in the
//! order in which they were scheduled, and every draw comes from a stream that belongs to one
//! direction of one link, so a seed gives the same run on every machine.

mod build;
mod chance;
mod error;
mod event;
mod lineage;
mod link;
mod stats;
mod switch;

use std::any::Any;
use std::io::Write;
use std::rc::Rc;

use saker_wire::capture::{WriteError, Writer};
use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station, TxFrame};
use saker_wire::time::Nanos;

pub use chance::{Probability, stream};
pub use error::{BuildError, WorldError};
pub use lineage::Lineage;
pub use link::{FCS_BYTES, GAP_BYTES, HEADER_BYTES, LinkConfig, MIN_FRAME_BYTES, PREAMBLE_BYTES};
pub use stats::{DropReason, Drops, LinkStats};
pub use switch::{Multicast, Switch, SwitchConfig, SwitchStats};

use crate::tap::{Pending, Sighting, Tap, TapRecord, Way, interface};
use event::{Event, EventQueue};
use link::{Arrival, Line, Offer};

/// Sightings wait so long if a station reports frames when their last byte leaves: longer than the
/// longest frame lasts at 10 Gbit/s.
const LATE_REPORT_NS: Nanos = 2_000;

/// How often a station may be woken while time stands still.
pub const WAKES_PER_INSTANT: u32 = 1_024;

/// A station of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) usize);

/// A link of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkId(pub(crate) usize);

/// One end of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port {
    /// The station.
    pub node: NodeId,
    /// Its port.
    pub port: u8,
}

/// A direction of a link; lines are stored in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineId(usize);

/// A stage that a station reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageRecord {
    /// The station.
    pub node: NodeId,
    /// What it said.
    pub span: StageSpan,
}

/// One direction of a link, as the report shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkCount {
    /// `<link>: <from> -> <to>`.
    pub name: String,
    /// The line rate in bit/s.
    pub rate_bps: u64,
    /// What it counted.
    pub stats: LinkStats,
    /// Frames that are queued or on the line, counted for themselves.
    pub on_the_way: u64,
}

/// Lets a station be given back as the type it was added as.
trait Member: Station + Any {}
impl<T: Station + Any> Member for T {}

struct Node {
    name: String,
    station: Box<dyn Member>,
    /// The line that leaves each port.
    ports: Vec<Option<LineId>>,
    /// Frames sent on ports without a cable.
    unconnected: u64,
    /// See [`Station::cut_through`].
    cut_through: bool,
    wake_at: Option<Nanos>,
    wake_generation: u64,
    /// How often it was woken at `woken_at`.
    wakes: u32,
    woken_at: Nanos,
}

struct Directed {
    name: String,
    line: Line,
    rate_bps: u64,
    to: Port,
    /// Arrivals that have been scheduled and have not happened.
    on_the_way: u64,
    /// The taps at the sending and at the receiving port.
    tx_tap: Option<usize>,
    rx_tap: Option<usize>,
}

/// Called with the virtual instant now and then during a run.
type Progress = Box<dyn FnMut(Nanos)>;

/// The world. See the module's front page.
///
/// It remembers for the whole run: 8 bytes for each frame ([`Lineage`]), a [`TapRecord`] for each
/// frame that passes a tap, and a [`StageRecord`] for each stage that a station reports. Frames'
/// bytes are kept only until they have arrived.
pub struct World {
    seed: u64,
    now: Nanos,
    events: EventQueue,
    nodes: Vec<Node>,
    lines: Vec<Directed>,
    link_names: Vec<String>,
    lineage: Lineage,
    stages: Vec<StageRecord>,
    taps: Vec<Tap>,
    pending: Pending,
    /// How long sightings wait.
    sight_lag: Nanos,
    capture: Option<Writer<Box<dyn Write>>>,
    progress: Option<(Nanos, Nanos, Progress)>,
    events_done: u64,
    outbox: Outbox,
}

impl World {
    /// A world without stations, whose clock stands at `start`.
    #[must_use]
    pub fn new(seed: u64, start: Nanos) -> Self {
        Self {
            seed,
            now: start,
            events: EventQueue::default(),
            nodes: Vec::new(),
            lines: Vec::new(),
            link_names: Vec::new(),
            lineage: Lineage::default(),
            stages: Vec::new(),
            taps: Vec::new(),
            pending: Pending::default(),
            sight_lag: 0,
            capture: None,
            progress: None,
            events_done: 0,
            outbox: Outbox::default(),
        }
    }

    /// Runs all events up to and including the instant `until`, at which the clock then stands.
    ///
    /// # Errors
    /// A livelocked station, or a capture that cannot be written.
    pub fn run_until(&mut self, until: Nanos) -> Result<(), WorldError> {
        while self.step(until)? {}
        self.now = self.now.max(until);
        self.settle()
    }

    /// Runs until nothing is left to happen (`true`), or until the next event would be later than
    /// `limit` (`false`; the clock then stands at `limit`).
    ///
    /// # Errors
    /// As [`World::run_until`].
    pub fn run_until_idle(&mut self, limit: Nanos) -> Result<bool, WorldError> {
        while self.step(limit)? {}
        let idle = self.events.is_empty();
        if !idle {
            self.now = self.now.max(limit);
        }
        self.settle()?;
        Ok(idle)
    }

    /// Calls a station from outside, as if an operator did: what it puts in the outbox is sent and
    /// its next wake is read again. `None` if `node` is not a `T`.
    ///
    /// # Errors
    /// As [`World::run_until`].
    pub fn with_station<T: Station + Any, R>(
        &mut self,
        node: NodeId,
        act: impl FnOnce(&mut T, Nanos, &mut Outbox) -> R,
    ) -> Result<Option<R>, WorldError> {
        let mut outbox = std::mem::take(&mut self.outbox);
        let now = self.now;
        let result = self.nodes.get_mut(node.0).and_then(|entry| {
            let any: &mut dyn Any = &mut *entry.station;
            any.downcast_mut::<T>().map(|station| act(station, now, &mut outbox))
        });
        self.outbox = outbox;
        if result.is_some() {
            self.after_call(node.0)?;
        }
        Ok(result)
    }

    /// Writes out the capture's last frames and ends it. Frames whose first byte lies beyond the
    /// clock are not part of it.
    ///
    /// # Errors
    /// A capture that cannot be written.
    pub fn finish(&mut self) -> Result<(), WorldError> {
        self.sight_lag = 0;
        self.settle()?;
        if let Some(mut capture) = self.capture.take() {
            capture.flush().map_err(WriteError::from)?;
        }
        Ok(())
    }

    /// One event; `false` if there is none up to `limit`.
    fn step(&mut self, limit: Nanos) -> Result<bool, WorldError> {
        let Some((at, event)) = self.events.pop_until(limit) else { return Ok(false) };
        debug_assert!(at >= self.now, "time runs forward");
        if at > self.now {
            // Whatever was to pass a tap up to the old instant has been noted by now.
            self.settle()?;
            self.now = at;
        }
        self.events_done += 1;
        match event {
            Event::Wake { node, generation } => self.wake(node, generation)?,
            Event::Ready { node, frame } => self.transmit(node, frame),
            Event::Arrive { line, id, first, corrupt, bytes } => {
                self.arrive(line, id, first, corrupt, &bytes)?;
            }
        }
        Ok(true)
    }

    fn wake(&mut self, node: usize, generation: u64) -> Result<(), WorldError> {
        let entry = &mut self.nodes[node];
        if entry.wake_generation != generation {
            return Ok(());
        }
        entry.wake_at = None;
        if entry.woken_at != self.now {
            entry.woken_at = self.now;
            entry.wakes = 0;
        }
        entry.wakes += 1;
        entry.station.wake(self.now, &mut self.outbox);
        self.after_call(node)
    }

    fn arrive(
        &mut self,
        line: LineId,
        id: FrameId,
        first: Nanos,
        corrupt: bool,
        bytes: &[u8],
    ) -> Result<(), WorldError> {
        let directed = &mut self.lines[line.0];
        directed.on_the_way -= 1;
        let stats = &mut directed.line.stats;
        let Port { node, port } = directed.to;
        let cut_through = self.nodes[node.0].cut_through;
        if corrupt {
            stats.drops.corrupt += 1;
            if !cut_through {
                return Ok(());
            }
        } else {
            stats.delivered += 1;
            stats.delivered_bytes += bytes.len() as u64;
        }
        let frame = RxFrame { port, id, first_byte_ns: first, bytes };
        let station = &mut self.nodes[node.0].station;
        if cut_through {
            station.arrive(self.now, frame, !corrupt, &mut self.outbox);
        } else {
            station.receive(self.now, frame, &mut self.outbox);
        }
        self.after_call(node.0)
    }

    /// Takes what a station left in the outbox, and asks when it wants to be woken.
    fn after_call(&mut self, node: usize) -> Result<(), WorldError> {
        let id = NodeId(node);
        self.stages.extend(self.outbox.stages.drain(..).map(|span| StageRecord { node: id, span }));
        for frame in self.outbox.frames.drain(..) {
            // Through the queue even if it is ready, behind what became ready before it.
            self.events.push(frame.ready_at.max(self.now), Event::Ready { node, frame });
        }
        self.schedule_wake(node)
    }

    fn schedule_wake(&mut self, node: usize) -> Result<(), WorldError> {
        let entry = &mut self.nodes[node];
        let wanted = entry.station.next_wake().map(|at| at.max(self.now));
        if wanted == entry.wake_at {
            return Ok(());
        }
        let spent = entry.woken_at == self.now && entry.wakes >= WAKES_PER_INSTANT;
        if spent && wanted == Some(self.now) {
            return Err(WorldError::Livelock {
                station: entry.name.clone(),
                at_ns: self.now,
                wakes: entry.wakes,
            });
        }
        entry.wake_at = wanted;
        entry.wake_generation += 1;
        if let Some(at) = wanted {
            self.events.push(at, Event::Wake { node, generation: entry.wake_generation });
        }
        Ok(())
    }

    /// Puts a frame that is ready onto its line.
    fn transmit(&mut self, node: usize, frame: TxFrame) {
        let entry = &mut self.nodes[node];
        let Some(line) = entry.ports.get(usize::from(frame.port)).copied().flatten() else {
            entry.unconnected += 1;
            return;
        };
        // Its last byte leaves now, if it is reported late; then nothing it meets lies in the past.
        let ready = if entry.cut_through { frame.ready_at.min(self.now) } else { self.now };
        let mut bytes = frame.bytes;
        if (HEADER_BYTES..MIN_FRAME_BYTES).contains(&bytes.len()) {
            bytes.resize(MIN_FRAME_BYTES, 0);
        }
        let offer = self.lines[line.0].line.offer(ready, bytes.len());
        let Offer::Sent(transit) = offer else { return };
        let bytes = Rc::new(bytes);
        let id = self.lineage.name(frame.cause);
        let sent = Arrival { first: transit.tx_first, last: transit.tx_last, corrupt: false };
        let tx_tap = self.lines[line.0].tx_tap;
        self.sight(tx_tap, Way::Tx, id, sent, frame.cause, &bytes);
        if let Some(arrival) = transit.arrival {
            self.deliver(line, id, arrival, frame.cause, &bytes);
        }
        if let Some(copy) = transit.copy {
            let copy_id = self.lineage.name(Some(id));
            self.deliver(line, copy_id, copy, Some(id), &bytes);
        }
    }

    fn deliver(
        &mut self,
        line: LineId,
        id: FrameId,
        arrival: Arrival,
        cause: Option<FrameId>,
        bytes: &Rc<Vec<u8>>,
    ) {
        let Arrival { first, last, corrupt } = arrival;
        if !corrupt {
            self.sight(self.lines[line.0].rx_tap, Way::Rx, id, arrival, cause, bytes);
        }
        self.lines[line.0].on_the_way += 1;
        let bytes = Rc::clone(bytes);
        let directed = &self.lines[line.0];
        let at = match self.nodes[directed.to.node.0].cut_through {
            true => first.saturating_sub(directed.line.preamble_ns()),
            false => last,
        };
        let event = Event::Arrive { line, id, first, corrupt, bytes };
        self.events.push(at.max(self.now), event);
    }

    /// Notes what a tap, if there is one, will see.
    fn sight(
        &mut self,
        tap: Option<usize>,
        way: Way,
        id: FrameId,
        passage: Arrival,
        cause: Option<FrameId>,
        bytes: &Rc<Vec<u8>>,
    ) {
        let Some(tap) = tap else { return };
        let record = TapRecord {
            id,
            first_ns: passage.first,
            last_ns: passage.last,
            bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            kind: (self.taps[tap].classify)(bytes),
            cause,
        };
        self.pending.push(Sighting { tap, way, record, bytes: Rc::clone(bytes) });
    }

    /// Files what has passed the taps up to the present instant, and reports progress.
    fn settle(&mut self) -> Result<(), WorldError> {
        let seen = self.now.saturating_sub(self.sight_lag);
        while let Some(Sighting { tap, way, record, bytes }) = self.pending.pop_until(seen) {
            let entry = &mut self.taps[tap];
            match way {
                Way::Rx => entry.rx.push(record),
                Way::Tx => entry.tx.push(record),
            }
            if let Some(capture) = &mut self.capture {
                let comment = match record.cause {
                    Some(cause) => format!("frame {} caused by frame {cause}", record.id),
                    None => format!("frame {}", record.id),
                };
                let interface = interface(tap, way);
                capture.write(interface, record.first_ns, &bytes, Some(&comment))?;
            }
        }
        if let Some((every, next, call)) = &mut self.progress
            && self.now >= *next
        {
            *next = self.now + *every;
            call(self.now);
        }
        Ok(())
    }
}

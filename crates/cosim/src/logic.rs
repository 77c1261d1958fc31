//! The trader's logic as the host sees it: a line, registers, two streams, and the probes.

use std::collections::HashMap;
use std::path::Path;

use saker_wire::time::Nanos;

use crate::axi::{AxiError, AxiLite, Clocked};
use crate::library::{CYCLE_PS, Library, LoadError, Model};
use crate::line::Line;
use crate::probes::{Event, Probes};
use crate::registers::{clock, identity, inject, orders, strategy};
use crate::setup::{HostEntry, Write, wide};
use crate::stream::{HostRx, HostTx};
use crate::xgmii::LineFrame;

/// The top that is simulated.
pub const TOP: &str = "trader_top";
/// Slots of prepared orders.
pub const SLOTS: u16 = 16;
/// Orders of a book on both sides together.
pub const BOOK_ORDERS: usize = 8_192;
/// Instruments with a book.
pub const INSTRUMENTS: usize = 4;
/// The logic is at rest when nothing has moved for so many cycles: more than the longest way through
/// it on which no probe shows anything.
const REST_CYCLES: u64 = 64;
/// Cycles in which an order book is wiped, and some.
const WIPE_CYCLES: u32 = 4_200;
/// Reads of a busy bit before something is wrong.
const POLLS: u32 = 4_000;
/// Nanoseconds by which the clock is moved at most by one write: less than 2^31, a multiple of 32.
const MAX_ADJUST: i64 = 1 << 30;

/// Why the logic cannot be driven.
#[derive(Debug, thiserror::Error)]
pub enum LogicError {
    /// The model cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A register access failed.
    #[error(transparent)]
    Axi(#[from] AxiError),
    /// It is not the logic this program was made for.
    #[error("the register {name} reads {found:#010x}, not {wanted:#010x}; run `make rtl-model`")]
    Identity {
        /// Which.
        name: &'static str,
        /// What it reads.
        found: u32,
        /// What it should.
        wanted: u32,
    },
    /// It stays busy.
    #[error("{0} stays busy")]
    Busy(&'static str),
    /// Its clock is not where it was set.
    #[error("the logic's clock reads {found} ns in cycle {cycle}, virtual time is {wanted} ns")]
    Clock {
        /// What it reads.
        found: u64,
        /// Virtual time.
        wanted: u64,
        /// The cycle.
        cycle: u64,
    },
}

/// The parts that take a cycle together.
#[derive(Debug)]
struct Core {
    line: Line,
    rx: HostRx,
    tx: HostTx,
    probes: Probes,
    events: Vec<(u64, Event)>,
    scratch: Vec<Event>,
    leaving: Vec<LineFrame>,
    host: Vec<(u64, Vec<u8>)>,
    quiet: u64,
    /// Register accesses take virtual time.
    live: bool,
}

impl Core {
    /// A cycle of virtual time.
    #[inline]
    fn step(&mut self) {
        let mut active = self.line.is_receiving() || !self.tx.is_empty();
        let whole = self.rx.before_step(self.line.model());
        active |= whole.is_some() || self.rx.is_inside();
        self.host.extend(whole);
        self.tx.before_step(self.line.model());
        let left = self.line.step();
        active |= left.is_some() || self.line.is_sending();
        self.leaving.extend(left);
        active |= self.sample();
        self.quiet = if active { 0 } else { self.quiet + 1 };
    }

    #[inline]
    fn sample(&mut self) -> bool {
        let cycle = self.line.cycle();
        let active = self.probes.sample(self.line.model(), cycle, &mut self.scratch);
        self.events.extend(self.scratch.drain(..).map(|event| (cycle, event)));
        active
    }
}

impl Clocked for Core {
    fn model(&mut self) -> &mut Model {
        self.line.model()
    }

    fn cycle(&mut self) {
        if self.live {
            self.step();
        } else {
            self.line.frozen_step();
            self.sample();
        }
    }
}

/// The logic.
#[derive(Debug)]
pub struct Logic {
    core: Core,
    axi: AxiLite,
    /// What registers of entries were last written, to write only what changes.
    written: HashMap<u32, u32>,
    /// Frozen cycles of a register write.
    write_cycles: u64,
}

impl Logic {
    /// The logic, reset, its clock on virtual time.
    ///
    /// # Errors
    /// The model cannot be used, or is of another logic.
    pub fn new(library: &Library, epoch: Nanos) -> Result<Self, LogicError> {
        library.require("INSTRUMENTS", INSTRUMENTS as u64)?;
        let core = Core {
            line: Line::new(library, epoch)?,
            rx: HostRx::new(library, "m_axis_host", "tstamp")?,
            tx: HostTx::new(library, "s_axis_host")?,
            probes: Probes::new(library)?,
            events: Vec::new(),
            scratch: Vec::new(),
            leaving: Vec::new(),
            host: Vec::new(),
            quiet: REST_CYCLES,
            live: false,
        };
        let axi = AxiLite::new(library, "s_axil")?;
        let mut logic = Self { core, axi, written: HashMap::new(), write_cycles: 0 };
        // Memories are wiped after reset.
        logic.pass(WIPE_CYCLES);
        logic.check("identity.magic", identity::MAGIC, u32::MAX, 0x534b_5231)?;
        let shape = u32::from(SLOTS) << identity::SHAPE_SLOTS_SHIFT
            | (INSTRUMENTS as u32) << identity::SHAPE_INSTRUMENTS_SHIFT;
        let mask = identity::SHAPE_SLOTS_MASK | identity::SHAPE_INSTRUMENTS_MASK;
        logic.check("identity.shape", identity::SHAPE, mask, shape)?;
        logic.set_clock(epoch)?;
        Ok(logic)
    }

    fn check(
        &mut self,
        name: &'static str,
        address: u32,
        mask: u32,
        wanted: u32,
    ) -> Result<(), LogicError> {
        let found = self.read(address)? & mask;
        if found == wanted { Ok(()) } else { Err(LogicError::Identity { name, found, wanted }) }
    }

    /// Writes a waveform from now on.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn wave_to(&mut self, path: &Path) -> Result<(), LoadError> {
        self.core.line.model().wave_to(path)
    }

    /// Ends the waveform.
    pub fn end_wave(&mut self) {
        self.core.line.model().end_wave();
    }

    // ------------------------------------------------------------ time

    /// One cycle of virtual time.
    #[inline]
    pub fn step(&mut self) {
        self.core.step();
    }

    /// Whether nothing is under way.
    pub fn is_at_rest(&self) -> bool {
        self.core.quiet >= REST_CYCLES
    }

    /// Something will be under way: it is not at rest before so much time has passed again.
    pub fn stir(&mut self) {
        self.core.quiet = 0;
    }

    /// The cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.core.line.cycle()
    }

    /// The line, for its times.
    pub fn line(&self) -> &Line {
        &self.core.line
    }

    /// Jumps to `cycle`, the logic being at rest, and puts its clock there.
    ///
    /// # Errors
    /// The logic does not follow.
    pub fn wake(&mut self, cycle: u64) -> Result<(), LogicError> {
        self.core.line.skip_to(cycle);
        while self.core.line.clock_error_ps() != 0 {
            self.adjust_clock()?;
        }
        let wanted = self.core.line.instant_of_cycle(self.cycle());
        let found = self.core.probes.now_ns(self.core.line.model());
        if wanted.abs_diff(found) > 1 {
            return Err(LogicError::Clock { found, wanted, cycle: self.cycle() });
        }
        Ok(())
    }

    /// Puts the clock to `now` for the first time.
    fn set_clock(&mut self, now: Nanos) -> Result<(), LogicError> {
        let before = self.core.line.cycles()[1];
        self.write((clock::ADJUST, 0))?;
        self.write_cycles = self.core.line.cycles()[1] - before;
        self.write_all(wide(clock::SET, now))?;
        self.pass(8);
        // Every five cycles are 32 ns, less what PERIOD is short of 6.4: it reads one less. From there on
        // the clock can be moved by whole nanoseconds.
        for _ in 0..5 {
            let read = self.core.probes.now_ns(self.core.line.model()).wrapping_add(1);
            if read.wrapping_sub(now).is_multiple_of(32) {
                let wanted = self.core.line.instant_of_cycle(self.cycle());
                let error = read.cast_signed().wrapping_sub(wanted.cast_signed()) * 1_000;
                let known = self.core.line.clock_error_ps();
                self.core.line.clock_moved(error - known);
                return self.wake(self.cycle());
            }
            self.pass(1);
        }
        let found = self.core.probes.now_ns(self.core.line.model());
        Err(LogicError::Clock { found, wanted: now, cycle: self.cycle() })
    }

    /// Moves the clock by a whole number of nanoseconds such that, behind the cycles this takes, it is
    /// right.
    fn adjust_clock(&mut self) -> Result<(), LogicError> {
        let cycle = CYCLE_PS.cast_signed();
        let error = self.core.line.clock_error_ps() / cycle;
        let least = self.write_cycles + 4;
        let cycles = (least..least + 5)
            .find(|cycles| (error + cycles.cast_signed()).rem_euclid(5) == 0)
            .unwrap_or(least);
        let ns = -(error + cycles.cast_signed()) / 5 * 32;
        let ns = ns.clamp(-MAX_ADJUST, MAX_ADJUST);
        let before = self.core.line.cycles()[1];
        self.write((clock::ADJUST, (ns as i32).cast_unsigned()))?;
        let taken = self.core.line.cycles()[1] - before;
        self.pass(cycles.saturating_sub(taken) as u32);
        self.core.line.clock_moved(ns * 1_000);
        Ok(())
    }

    // ------------------------------------------------------------ frames and events

    /// A frame whose Start arrives at `at`. Returns the octet of the Start.
    pub fn receive(&mut self, at: Nanos, frame: &[u8], good: bool) -> u64 {
        self.core.quiet = 0;
        self.core.line.receive(at, frame, good)
    }

    /// A frame of the host's.
    pub fn send(&mut self, frame: Vec<u8>) {
        self.core.quiet = 0;
        self.core.tx.push(frame);
    }

    /// What the logic has given to the host since the last call: stamp and frame.
    pub fn take_host_frames(&mut self) -> Vec<(u64, Vec<u8>)> {
        std::mem::take(&mut self.core.host)
    }

    /// What has left by the line since the last call.
    pub fn take_leaving(&mut self) -> Vec<LineFrame> {
        std::mem::take(&mut self.core.leaving)
    }

    /// What the probes have shown since the last call, with its cycle.
    pub fn take_events(&mut self) -> Vec<(u64, Event)> {
        std::mem::take(&mut self.core.events)
    }

    // ------------------------------------------------------------ registers

    /// Reads a register; virtual time stands still.
    ///
    /// # Errors
    /// The logic refuses.
    pub fn read(&mut self, address: u32) -> Result<u32, LogicError> {
        self.core.rx_hold();
        Ok(self.axi.read(&mut self.core, address)?)
    }

    /// Reads a 64-bit register.
    ///
    /// # Errors
    /// As [`Logic::read`].
    pub fn read_wide(&mut self, address: u32) -> Result<u64, LogicError> {
        let low = self.read(address)?;
        Ok(u64::from(low) | u64::from(self.read(address + 4)?) << 32)
    }

    /// Writes a register; virtual time stands still.
    ///
    /// # Errors
    /// The logic refuses.
    pub fn write(&mut self, (address, data): Write) -> Result<(), LogicError> {
        self.core.rx_hold();
        Ok(self.axi.write(&mut self.core, address, data)?)
    }

    /// Writes registers in order.
    ///
    /// # Errors
    /// As [`Logic::write`].
    pub fn write_all(&mut self, writes: impl IntoIterator<Item = Write>) -> Result<(), LogicError> {
        writes.into_iter().try_for_each(|write| self.write(write))
    }

    /// Cycles in which virtual time stands still.
    pub fn pass(&mut self, cycles: u32) {
        self.core.rx_hold();
        (0..cycles).for_each(|_| self.core.cycle());
    }

    /// Hands an entry of the host's to the market. With `live` virtual time passes while it does so,
    /// and what follows from it happens in time.
    ///
    /// # Errors
    /// The market does not take it.
    pub fn inject(&mut self, entry: &HostEntry, live: bool) -> Result<(), LogicError> {
        let mut writes = entry.writes();
        let command = writes.pop();
        for (address, data) in writes {
            if self.written.insert(address, data) != Some(data) {
                self.write((address, data))?;
            }
        }
        let Some((address, data)) = command else { return Ok(()) };
        if live {
            self.wake(self.cycle())?;
            self.core.live = true;
            self.core.quiet = 0;
            let written = self.axi.write(&mut self.core, address, data);
            self.core.live = false;
            return Ok(written?);
        }
        self.write((address, data))?;
        if entry.op == crate::answers::EntryOp::Clear {
            self.pass(WIPE_CYCLES);
        }
        self.until_free("the market's port for entries", inject::STATUS)?;
        // The answer follows the entry.
        self.pass(12);
        Ok(())
    }

    /// Gives a command to the strategies.
    ///
    /// # Errors
    /// They do not take it.
    pub fn command(&mut self, quantity: Option<u64>, command: Write) -> Result<(), LogicError> {
        if let Some(quantity) = quantity {
            self.write_all(wide(strategy::QUANTITY, quantity))?;
        }
        self.write(command)?;
        self.until_free("the strategies' port for commands", strategy::STATUS)
    }

    /// Waits until the order sender has nothing under way.
    ///
    /// # Errors
    /// It stays busy.
    pub fn orders_settled(&mut self) -> Result<(), LogicError> {
        self.until_free("the order sender", orders::STATUS)
    }

    fn until_free(&mut self, what: &'static str, status: u32) -> Result<(), LogicError> {
        for _ in 0..POLLS {
            if self.read(status)? & 1 == 0 {
                return Ok(());
            }
        }
        Err(LogicError::Busy(what))
    }
}

impl Core {
    /// The host takes no frames while time stands still.
    fn rx_hold(&mut self) {
        self.rx.hold(self.line.model());
    }
}

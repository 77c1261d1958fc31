//! A model on a 10 Gbit/s line in virtual time.
//!
//! One cycle is one XGMII word: 6.4 ns, eight octets of 0.8 ns. Cycles and octets are counted from the
//! line's *epoch*. Three things can happen to the model:
//!
//! | call | the model | virtual time |
//! |---|---|---|
//! | [`Line::step`] | one cycle | goes on by 6.4 ns |
//! | [`Line::skip_to`] | nothing | jumps: nothing was in flight |
//! | [`Line::frozen_step`] | one cycle, line idle | stands still |
//!
//! Frozen cycles are how the host reads and writes registers: the machine that does so is modelled
//! elsewhere, with a cost of its own. [`Line::clock_error_ps`] says how far the model's clock is from
//! virtual time because of skipped and frozen cycles; its driver takes it back by the clock's `adjust`.
//!
//! # Accuracy
//!
//! A frame that arrives is put on the next lane 0 or 4: up to 3.2 ns late, 1.6 ns in the mean. What
//! leaves is rounded up to the nanosecond. Between two instants of the same model there is no error.

use saker_wire::time::Nanos;

use crate::library::{CYCLE_PS, Input, Library, LoadError, Model, Output};
use crate::xgmii::{Deframer, Framer, LineFrame, Word};

/// Octets in a cycle.
pub const OCTETS: u64 = 8;
/// Picoseconds of an octet.
pub const OCTET_PS: u64 = CYCLE_PS / OCTETS;

/// A model and the frames on both ways of its line.
#[derive(Debug)]
pub struct Line {
    model: Model,
    pins: Pins,
    epoch: Nanos,
    /// The cycle that comes next.
    cycle: u64,
    frozen: u64,
    skipped: u64,
    clock_error_ps: i64,
    framer: Framer,
    deframer: Deframer,
}

#[derive(Debug)]
struct Pins {
    rxd: Input,
    rxc: Input,
    txd: Output,
    txc: Output,
}

impl Line {
    /// A line at `epoch` with a new model of `library`, which has the ports `xgmii_*` and `rst`, after
    /// a reset of 16 cycles.
    ///
    /// # Errors
    /// The model lacks a port or cannot be made.
    pub fn new(library: &Library, epoch: Nanos) -> Result<Self, LoadError> {
        let pins = Pins {
            rxd: library.input("xgmii_rxd", 64)?,
            rxc: library.input("xgmii_rxc", 8)?,
            txd: library.output("xgmii_txd", 64)?,
            txc: library.output("xgmii_txc", 8)?,
        };
        let rst = library.input("rst", 1)?;
        let mut line = Self {
            model: library.create()?,
            pins,
            epoch,
            cycle: 0,
            frozen: 0,
            skipped: 0,
            clock_error_ps: 0,
            framer: Framer::default(),
            deframer: Deframer::default(),
        };
        line.model.set(rst, 1);
        line.drive(Word::IDLE);
        for _ in 0..16 {
            line.model.step();
        }
        line.model.set(rst, 0);
        Ok(line)
    }

    /// The model, to read and write its other ports.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// A frame whose Start arrives at `at`, or when the line is free. It will end with a wrong FCS if
    /// `good` is false. Returns the octet of the Start.
    pub fn receive(&mut self, at: Nanos, frame: &[u8], good: bool) -> u64 {
        let octet = self.octet_from(at);
        self.framer.push(self.cycle, octet, frame, good)
    }

    /// One cycle. Returns the frame whose last octet left in it.
    #[inline]
    pub fn step(&mut self) -> Option<LineFrame> {
        let word = self.framer.pop(self.cycle);
        self.drive(word);
        self.model.step();
        self.cycle += 1;
        // What the model drives now is the word of the cycle that comes next.
        let data = self.model.get(self.pins.txd);
        let control = self.model.get(self.pins.txc) as u8;
        self.deframer.push(self.cycle, Word { data, control })
    }

    /// One cycle in which virtual time stands still and nothing arrives. Nothing may be on the line.
    #[inline]
    pub fn frozen_step(&mut self) {
        debug_assert!(self.is_idle());
        self.drive(Word::IDLE);
        self.model.step();
        self.frozen += 1;
        self.clock_error_ps += CYCLE_PS.cast_signed();
    }

    /// Nothing happened until `cycle`.
    pub fn skip_to(&mut self, cycle: u64) {
        debug_assert!(self.is_idle());
        if let Some(skipped) = cycle.checked_sub(self.cycle) {
            self.cycle = cycle;
            self.skipped += skipped;
            self.clock_error_ps -= (skipped * CYCLE_PS).cast_signed();
        }
    }

    /// The model's clock less virtual time, in picoseconds, as far as skipped and frozen cycles and
    /// [`Line::clock_moved`] tell.
    pub fn clock_error_ps(&self) -> i64 {
        self.clock_error_ps
    }

    /// The model's clock was moved.
    pub fn clock_moved(&mut self, ps: i64) {
        self.clock_error_ps += ps;
    }

    /// Whether nothing is on the line, either way.
    pub fn is_idle(&self) -> bool {
        self.framer.is_empty() && self.deframer.started().is_none()
    }

    /// Whether frames still arrive.
    pub fn is_receiving(&self) -> bool {
        !self.framer.is_empty()
    }

    /// Whether a frame is leaving.
    pub fn is_sending(&self) -> bool {
        self.deframer.started().is_some()
    }

    /// The cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Cycles simulated with time, simulated without, and skipped.
    pub fn cycles(&self) -> [u64; 3] {
        [self.model.steps() - self.frozen, self.frozen, self.skipped]
    }

    /// The instant at which an octet begins, rounded up.
    pub fn instant(&self, octet: u64) -> Nanos {
        self.epoch + (octet * OCTET_PS).div_ceil(1_000)
    }

    /// The instant at which a cycle begins, rounded up.
    pub fn instant_of_cycle(&self, cycle: u64) -> Nanos {
        self.instant(cycle * OCTETS)
    }

    /// The first octet that does not begin before `at`.
    pub fn octet_from(&self, at: Nanos) -> u64 {
        (at.saturating_sub(self.epoch) * 1_000).div_ceil(OCTET_PS)
    }

    /// How many cycles have ended by `at`.
    pub fn cycles_until(&self, at: Nanos) -> u64 {
        at.saturating_sub(self.epoch) * 1_000 / CYCLE_PS
    }

    #[inline]
    fn drive(&mut self, word: Word) {
        self.model.set(self.pins.rxd, word.data);
        self.model.set(self.pins.rxc, word.control.into());
    }
}

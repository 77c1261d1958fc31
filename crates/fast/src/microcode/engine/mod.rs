//! The cycle-accurate model of the engine.
//!
//! The model computes when each row is dispatched instead of stepping through the cycles: the
//! scanner, the queue and the sequencer are each in order, so that every moment is the latest of a
//! few earlier ones (MICROCODE.md §6). It does no I/O and the same input gives the same cycles.

mod control;
mod header;
mod intake;
mod lane;
mod row;
mod run;
mod scan;
mod state;
mod write;

use super::program::{Program, ProgramError};
use super::record::{Record, Status, Trap};
use crate::decode::ResetPolicy;
use run::Run;
use scan::Clock;
use state::State;

/// Cycles from the dispatch of a row to its records.
pub const OUTPUT_CYCLES: u64 = 5;
/// Cycles in which nothing is dispatched after a branch that was not foreseen.
pub const BRANCH_CYCLES: u64 = 4;
/// Cycles from a template identifier to what is known of it: one on the way, two for the table, one
/// for what it found.
const ANSWER_CYCLES: u64 = 4;
/// Cycles from a template identifier to its row, where it is another than the last one: a branch.
pub const LOOKUP_CYCLES: u64 = ANSWER_CYCLES + 1 + BRANCH_CYCLES;
/// The same without pre-calculation, where the row register is not filled ahead.
pub const PLAIN_LOOKUP_CYCLES: u64 = ANSWER_CYCLES + 3;
/// How far back in a run without branch a row may lie to be still at hand.
pub const RING_ROWS: usize = 10;
/// Cycles from the length of a byte vector to its first eight bytes.
pub const RAW_CYCLES: u64 = 6;

/// Which optimisations the modelled hardware has. They change cycles, never results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// Branch pre-calculation (seed 004 §6.2): the template of the next message, presence map
    /// bits, loops and sequences are resolved while earlier rows execute.
    pub precalculate: bool,
    /// Wide fields in one step (seed 004 §6.3): up to 16 bytes, and decimals as a whole.
    pub wide: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { precalculate: true, wide: true }
    }
}

/// Where cycles went, and what was decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken.
    pub packets: u64,
    /// Bytes of the packets, preambles included.
    pub bytes: u64,
    /// Messages begun.
    pub messages: u64,
    /// Messages that are complete.
    pub complete: u64,
    /// Messages that ended with an error.
    pub errors: u64,
    /// Messages that went to software, by reason from code 1 on.
    pub traps: [u64; Trap::ALL.len()],
    /// Fields with a value, lengths of sequences among them.
    pub fields: u64,
    /// Records written.
    pub records: u64,
    /// Rows dispatched.
    pub rows: u64,
    /// Further cycles for strings beyond eight bytes and raw bytes.
    pub beat_cycles: u64,
    /// Cycles lost to branches.
    pub branch_cycles: u64,
    /// Cycles lost to presence maps.
    pub presence_cycles: u64,
    /// Cycles lost to wide fields, without the optimisation.
    pub wide_cycles: u64,
    /// Cycles lost to headers and template look-up.
    pub header_cycles: u64,
    /// Cycles in which the engine waited for input.
    pub input_cycles: u64,
    /// The cycle after the last one that anything happened in.
    pub cycles: u64,
}

impl Counters {
    /// Messages that went to software for any reason.
    pub fn trapped(&self) -> u64 {
        self.traps.iter().sum()
    }
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageReport {
    /// Its offset in the packet.
    pub offset: usize,
    /// Its length in bytes if it is complete.
    pub length: usize,
    /// The index of its template, if it came to that.
    pub template: Option<u16>,
    /// Its presence map as in the stream.
    pub pmap: Vec<u8>,
    /// How it ended.
    pub status: Status,
    /// The tag of the slot that failed, if one did.
    pub failed_tag: Option<u16>,
    /// Its records among those of the call.
    pub records: std::ops::Range<usize>,
    /// The cycle in which the word with its last byte was taken from the input.
    pub last_word_cycle: u64,
    /// The cycle in which its last record is on the output.
    pub done_cycle: u64,
}

/// An engine with a program.
#[derive(Clone, Debug)]
pub struct Engine {
    program: Program,
    options: EngineOptions,
    state: State,
    clock: Clock,
    counters: Counters,
}

impl Engine {
    /// An engine after a reset, in cycle 0.
    ///
    /// # Errors
    /// If the program breaks a rule.
    pub fn new(program: Program, options: EngineOptions) -> Result<Self, ProgramError> {
        program.check()?;
        let state = State::new(&program);
        Ok(Self { program, options, state, clock: Clock::new(), counters: Counters::default() })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Makes all dictionary entries and the last template undefined and clears the poison.
    pub fn reset(&mut self) {
        self.state.reset();
    }

    /// Takes a packet whose first word comes as soon as the engine accepts it.
    pub fn packet(&mut self, packet: &[u8], out: &mut Vec<Record>) -> Vec<MessageReport> {
        self.packet_at(packet, 0, false, out)
    }

    /// Takes a packet whose first word comes in cycle `arrival` or later; `abort` says that its
    /// last word carries the mark of a bad frame. Records are appended to `out`.
    pub fn packet_at(
        &mut self,
        packet: &[u8],
        arrival: u64,
        abort: bool,
        out: &mut Vec<Record>,
    ) -> Vec<MessageReport> {
        self.counters.packets += 1;
        self.counters.bytes += packet.len() as u64;
        // The word with the mark is not scanned.
        let good = if abort { packet.len().saturating_sub(1) / 8 * 8 } else { packet.len() };
        let good = &packet[..good];
        if self.program.settings.reset != ResetPolicy::Never {
            self.state.reset();
        }
        let first = out.len();
        let reports = Run::new(self, good, arrival, abort, out).packet();
        self.counters.records += (out.len() - first) as u64;
        reports
    }
}

//! Which books can be trusted, and how the others come back.
//!
//! Every instrument is in one of three states:
//!
//! - **Live**: the book holds every entry that the incremental stream has brought so far.
//! - **Suspect**: its entries are contiguous by RptSeq, but packets are missing, and they may have
//!   carried its last entries. The next entry with the next RptSeq proves that they did not; so
//!   does a snapshot that covers the missing packets and ends with the same RptSeq.
//! - **Stale**: entries are known to be missing (RptSeq jumped, an entry could not be read, or the
//!   book refused one). Entries are buffered until a snapshot joins up with them.
//!
//! A gap makes *every* instrument suspect at once, in constant time: each instrument remembers the
//! packet through which it is proved complete, and is suspect while that lies before the end of
//! the last gap. Strategies are only asked about live instruments, so a suspect book never fires.
//!
//! A stream joined late is a gap from packet 1 to the packet before the first one seen. Before the
//! first packet everything is suspect.
//!
//! **Overflow rule.** A stale instrument buffers at most `buffer_entries`; beyond that the oldest
//! is dropped, so that the buffer stays a contiguous tail and a later snapshot can join it.

use std::collections::VecDeque;

use saker_feed::normalize::{Entry, InstrumentIndex, SnapshotHead};

/// How far a book can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Complete.
    Live,
    /// Contiguous, but its end may be missing.
    Suspect,
    /// Known to be incomplete.
    Stale,
}

/// What a hole in RptSeq means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuity {
    /// The book is incomplete: wait for a snapshot.
    Required,
    /// Nothing but a count: for captures of trades alone, which need no state to be understood.
    Counted,
}

/// Bounds and rule of [`Recovery`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryConfig {
    /// Entries buffered for each stale instrument. At least 1.
    pub buffer_entries: usize,
    /// Entries of one instrument's snapshot, all its messages together.
    pub snapshot_entries: usize,
    /// What a hole in RptSeq means.
    pub continuity: Continuity,
}

impl Default for RecoveryConfig {
    fn default() -> Self {
        Self { buffer_entries: 4_096, snapshot_entries: 8_192, continuity: Continuity::Required }
    }
}

/// What to do with an incremental entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admit {
    /// Apply it to the book.
    Apply,
    /// It waits for a snapshot, or is older than the book: do nothing.
    Skip,
}

/// One step of rebuilding a book.
#[derive(Debug)]
pub enum Rebuild<'a> {
    /// Empty the book.
    Clear,
    /// Apply this entry; answer whether the book took it.
    Apply(&'a Entry),
}

/// What a completed snapshot did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotOutcome {
    /// Nobody needed it, or it was incomplete, or too old.
    Unused,
    /// The book was already what the snapshot says, and is now known to be complete.
    Confirmed,
    /// The book was rebuilt.
    Rebuilt,
}

/// Counts since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct RecoveryCounters {
    /// Entries admitted to a book in their turn.
    pub applied: u64,
    /// Entries the book already had.
    pub old: u64,
    /// Entries that were buffered.
    pub buffered: u64,
    /// Buffered entries dropped by the overflow rule.
    pub overflowed: u64,
    /// Buffered entries dropped because of a later hole, or because the snapshot had them.
    pub superseded: u64,
    /// Holes in an instrument's RptSeq.
    pub jumps: u64,
    /// Times an instrument went stale because an entry was unreadable or its book refused one.
    pub broken: u64,
    /// Gaps in the incremental stream.
    pub gaps: u64,
    /// Snapshots that confirmed a suspect book.
    pub snapshots_confirmed: u64,
    /// Snapshots a book was rebuilt from.
    pub snapshots_rebuilt: u64,
    /// Snapshots that did not join up with the buffer.
    pub snapshots_too_old: u64,
    /// Snapshots given up: a fragment missing, unreadable, too large, or refused by the book.
    pub snapshots_abandoned: u64,
}

#[derive(Debug)]
struct State {
    /// Whether the book is a contiguous history up to `rpt_seq`.
    contiguous: bool,
    rpt_seq: u32,
    /// The packet through which the book is known to be complete.
    proved: u32,
    /// Entries of this instrument were dropped, in packets up to this one: the book is incomplete
    /// unless it is proved through it.
    required: u32,
    /// While not contiguous: a contiguous tail.
    buffer: VecDeque<Buffered>,
}

/// An entry that waits for a snapshot.
#[derive(Debug, Clone, Copy)]
struct Buffered {
    packet: u32,
    rpt_seq: u32,
    /// `None` for an entry that only counts in RptSeq.
    entry: Option<Entry>,
}

impl State {
    /// The book misses something up to `packet`: it is worth nothing until a snapshot covers that.
    fn distrust(&mut self, packet: u32) {
        self.contiguous = false;
        self.required = self.required.max(packet);
        // What was proved until now was proved of a book that is given up.
        self.proved = self.proved.min(packet.saturating_sub(1));
        self.buffer.clear();
    }
}

/// A snapshot being collected.
#[derive(Debug)]
struct Assembly {
    head: Option<SnapshotHead>,
    entries: Vec<Entry>,
}

/// The recovery state of every instrument.
#[derive(Debug)]
pub struct Recovery {
    config: RecoveryConfig,
    /// The last packet known to be missing; `u32::MAX` until the stream has been joined.
    gap_end: u32,
    /// The last packet that carried an entry of an unknown instrument.
    unknown_end: u32,
    states: Vec<State>,
    assembly: Assembly,
    counters: RecoveryCounters,
}

impl Recovery {
    /// Nothing known, nothing joined.
    pub fn new(config: RecoveryConfig) -> Self {
        Self {
            config: RecoveryConfig { buffer_entries: config.buffer_entries.max(1), ..config },
            gap_end: u32::MAX,
            unknown_end: 0,
            states: Vec::new(),
            assembly: Assembly { head: None, entries: Vec::with_capacity(config.snapshot_entries) },
            counters: RecoveryCounters::default(),
        }
    }

    /// The incremental stream begins, for us, with packet `first`.
    pub fn on_join(&mut self, first: u32) {
        self.gap_end = first.saturating_sub(1);
    }

    /// Incremental packets up to `last` are missing or unreadable.
    pub fn on_gap(&mut self, last: u32) {
        self.counters.gaps += 1;
        if self.gap_end != u32::MAX {
            self.gap_end = self.gap_end.max(last);
        }
    }

    /// An entry of an instrument nobody has defined yet was in `packet`.
    pub fn on_unknown(&mut self, packet: u32) {
        self.unknown_end = self.unknown_end.max(packet);
    }

    /// Instruments up to and including `instrument` exist. A new one begins with an empty book and
    /// RptSeq 0, which its first entry or a snapshot confirms or refutes.
    pub fn define(&mut self, instrument: InstrumentIndex) {
        while self.states.len() <= instrument as usize {
            self.states.push(State {
                contiguous: true,
                rpt_seq: 0,
                proved: 0,
                required: self.unknown_end,
                buffer: VecDeque::new(),
            });
        }
    }

    /// How far the book of `instrument` can be trusted.
    pub fn status(&self, instrument: InstrumentIndex) -> Status {
        match self.states.get(instrument as usize) {
            None => Status::Stale,
            Some(_) if self.config.continuity == Continuity::Counted => Status::Live,
            Some(state) if !state.contiguous => Status::Stale,
            Some(state) if state.proved < self.gap_end.max(state.required) => Status::Suspect,
            Some(_) => Status::Live,
        }
    }

    /// RptSeq of the last entry in the book of `instrument`.
    pub fn rpt_seq(&self, instrument: InstrumentIndex) -> u32 {
        self.states.get(instrument as usize).map_or(0, |state| state.rpt_seq)
    }

    /// An incremental entry's turn has come, from `packet`. `entry` is `None` for one that only
    /// counts in RptSeq. A feed without RptSeq (0) has nothing to be checked by: all is applied.
    pub fn on_entry(
        &mut self,
        packet: u32,
        instrument: InstrumentIndex,
        rpt_seq: u32,
        entry: Option<Entry>,
    ) -> Admit {
        let Some(state) = self.states.get_mut(instrument as usize) else { return Admit::Skip };
        if self.config.continuity == Continuity::Counted || rpt_seq == 0 {
            if state.rpt_seq != 0 && rpt_seq != state.rpt_seq.wrapping_add(1) {
                self.counters.jumps += 1;
            }
            state.rpt_seq = rpt_seq;
            self.counters.applied += 1;
            return Admit::Apply;
        }
        if state.contiguous {
            if rpt_seq <= state.rpt_seq {
                self.counters.old += 1;
                return Admit::Skip;
            }
            if rpt_seq == state.rpt_seq + 1 {
                state.rpt_seq = rpt_seq;
                state.proved = state.proved.max(packet);
                self.counters.applied += 1;
                return Admit::Apply;
            }
            self.counters.jumps += 1;
            state.contiguous = false;
            debug_assert!(state.buffer.is_empty());
        } else if let Some(last) = state.buffer.back() {
            if rpt_seq <= last.rpt_seq {
                self.counters.old += 1;
                return Admit::Skip;
            }
            if rpt_seq != last.rpt_seq + 1 {
                self.counters.jumps += 1;
                self.counters.superseded += state.buffer.len() as u64;
                state.buffer.clear();
            }
        }
        if state.buffer.len() == self.config.buffer_entries {
            state.buffer.pop_front();
            self.counters.overflowed += 1;
        }
        state.buffer.push_back(Buffered { packet, rpt_seq, entry });
        self.counters.buffered += 1;
        Admit::Skip
    }

    /// An entry in `packet` was unreadable, or the book refused it: only a snapshot that includes
    /// that packet helps.
    pub fn on_broken(&mut self, packet: u32, instrument: InstrumentIndex) {
        if let Some(state) = self.states.get_mut(instrument as usize) {
            self.counters.broken += 1;
            self.counters.superseded += state.buffer.len() as u64;
            state.distrust(packet);
        }
    }

    /// A message of a snapshot begins.
    pub fn on_snapshot_begin(&mut self, head: SnapshotHead) {
        let wanted = self.status(head.instrument) != Status::Live
            && (head.instrument as usize) < self.states.len();
        if head.first {
            self.abandon_snapshot();
            if wanted {
                self.assembly.head = Some(head);
            }
            return;
        }
        let continues = self.assembly.head.is_some_and(|begun| {
            (begun.instrument, begun.rpt_seq, begun.last_packet)
                == (head.instrument, head.rpt_seq, head.last_packet)
        });
        if !continues {
            self.abandon_snapshot();
        }
    }

    /// An entry of that message.
    pub fn on_snapshot_entry(&mut self, entry: &Entry) {
        if self.assembly.head.is_none() {
            return;
        }
        if self.assembly.entries.len() == self.config.snapshot_entries {
            self.abandon_snapshot();
            return;
        }
        self.assembly.entries.push(*entry);
    }

    /// The message has ended. If the snapshot is complete and needed, `rebuild` is called for
    /// each step of making the book anew; it answers whether the step succeeded.
    pub fn on_snapshot_end(
        &mut self,
        head: SnapshotHead,
        complete: bool,
        rebuild: &mut impl FnMut(Rebuild<'_>) -> bool,
    ) -> SnapshotOutcome {
        if self.assembly.head.is_none() {
            return SnapshotOutcome::Unused;
        }
        if !complete {
            self.abandon_snapshot();
            return SnapshotOutcome::Unused;
        }
        if !head.last {
            return SnapshotOutcome::Unused;
        }
        let outcome = self.finish_snapshot(head, rebuild);
        self.assembly.head = None;
        self.assembly.entries.clear();
        outcome
    }

    /// The snapshot stream has a gap, or a packet of it was unreadable.
    pub fn on_snapshot_gap(&mut self) {
        self.abandon_snapshot();
    }

    /// The counts since the start.
    pub fn counters(&self) -> RecoveryCounters {
        self.counters
    }

    fn abandon_snapshot(&mut self) {
        if self.assembly.head.take().is_some() {
            self.counters.snapshots_abandoned += 1;
        }
        self.assembly.entries.clear();
    }

    fn finish_snapshot(
        &mut self,
        head: SnapshotHead,
        rebuild: &mut impl FnMut(Rebuild<'_>) -> bool,
    ) -> SnapshotOutcome {
        let Some(state) = self.states.get_mut(head.instrument as usize) else {
            return SnapshotOutcome::Unused;
        };
        if state.contiguous && head.rpt_seq <= state.rpt_seq {
            if head.rpt_seq < state.rpt_seq {
                self.counters.snapshots_too_old += 1;
                return SnapshotOutcome::Unused;
            }
            state.proved = state.proved.max(head.last_packet);
            self.counters.snapshots_confirmed += 1;
            return SnapshotOutcome::Confirmed;
        }
        while state.buffer.front().is_some_and(|waiting| waiting.rpt_seq <= head.rpt_seq) {
            state.buffer.pop_front();
            self.counters.superseded += 1;
        }
        if state.buffer.front().is_some_and(|waiting| waiting.rpt_seq != head.rpt_seq + 1) {
            self.counters.snapshots_too_old += 1;
            return SnapshotOutcome::Unused;
        }
        let tail = state.buffer.iter().filter_map(|waiting| waiting.entry.as_ref());
        let applied = rebuild(Rebuild::Clear)
            && self.assembly.entries.iter().chain(tail).all(|entry| rebuild(Rebuild::Apply(entry)));
        let last = state.buffer.back().map(|waiting| (waiting.packet, waiting.rpt_seq));
        if !applied {
            self.counters.snapshots_abandoned += 1;
            state.distrust(last.map_or(head.last_packet, |(packet, _)| packet));
            return SnapshotOutcome::Unused;
        }
        let (packet, rpt_seq) = last.unwrap_or((head.last_packet, head.rpt_seq));
        state.contiguous = true;
        state.rpt_seq = rpt_seq;
        state.proved = state.proved.max(head.last_packet).max(packet);
        state.buffer.clear();
        self.counters.snapshots_rebuilt += 1;
        SnapshotOutcome::Rebuilt
    }
}

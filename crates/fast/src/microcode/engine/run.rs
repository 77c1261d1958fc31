//! Runs a program over the messages of a packet.

use super::header::Header;
use super::lane::{Fail, unsigned};
use super::scan::{Element, Scan};
use super::state::{PresenceBits, presence_map};
use super::{
    ANSWER_CYCLES, BRANCH_CYCLES, Engine, LOOKUP_CYCLES, MessageReport, OUTPUT_CYCLES,
    PLAIN_LOOKUP_CYCLES,
};
use crate::decode::ResetPolicy;
use crate::error::ErrorCode;
use crate::microcode::isa::Kind;
use crate::microcode::record::{Record, RecordKind, Status, Trap};

/// Elements of the stacks.
pub(super) const DEPTH: usize = 8;

/// An open sequence or call.
#[derive(Clone, Copy)]
pub(super) enum Frame {
    /// The first row of an element, the elements left, and the first control that the length decides;
    /// whether dispatch saw it.
    Loop { row: usize, left: u64, known: u64, seen: bool },
    /// The row to return to.
    Call { row: usize },
}

/// What follows a row.
pub(super) struct Flow {
    pub next: usize,
    /// The cycle in which it is decided.
    pub at: u64,
    /// Cycles behind that in which nothing is dispatched.
    pub bubbles: u64,
    /// Whether `next` is fetched anew.
    pub branch: bool,
    pub message_ends: bool,
}

impl Flow {
    pub fn branch(&mut self, row: usize) {
        self.next = row;
        self.branch = true;
        self.bubbles = BRANCH_CYCLES;
    }
}

/// Cycles from a failing row to that in which dispatch hears of it from the operators.
const FAILED_CYCLES: u64 = 7;

/// Cycles from a header that agrees with the last one to its row, if that tests no bit.
const BEGIN_CYCLES: u64 = 2;

/// The run over one packet.
pub(super) struct Run<'e, 'p> {
    pub engine: &'e mut Engine,
    pub scan: Scan<'p>,
    abort: bool,
    pub out: &'e mut Vec<Record>,
    pub presence: Vec<PresenceBits>,
    pub frames: Vec<Frame>,
    pub elements_left: u64,
    pub rows_left: u64,
    /// The record of the message's begin, whose cycle is that of the first row.
    pub begin: Option<usize>,
    first: bool,
    template: Option<u16>,
    pub failed_tag: Option<u16>,
    pmap: Vec<u8>,
    /// Whether it was an operator that failed, not dispatch.
    pub late: bool,
    /// Whether it was what follows the row.
    pub controls: bool,
}

impl<'e, 'p> Run<'e, 'p> {
    pub fn new(
        engine: &'e mut Engine,
        packet: &'p [u8],
        arrival: u64,
        abort: bool,
        out: &'e mut Vec<Record>,
    ) -> Self {
        // Vectors are read from the last bytes taken: one packet at a time.
        let vectors = engine.program.rows.iter().any(|row| {
            row.slots.iter().any(|slot| matches!(slot.kind, Kind::Unicode | Kind::Bytes))
        });
        let free = match engine.state.header_free[usize::from(vectors)] {
            0 => 0,
            free => free + 1 + u64::from(vectors),
        };
        let preamble = engine.program.settings.preamble.into();
        let scan = Scan::new(packet, preamble, arrival.max(free), &mut engine.clock);
        // Where one packet is taken at a time, the next waits for the word of one without a header to leave.
        engine.clock.next_word += u64::from(vectors && packet.len() <= preamble);
        Self {
            engine,
            scan,
            abort,
            out,
            presence: Vec::with_capacity(DEPTH),
            frames: Vec::with_capacity(DEPTH),
            elements_left: 0,
            rows_left: 0,
            begin: None,
            first: true,
            template: None,
            failed_tag: None,
            pmap: Vec::new(),
            late: false,
            controls: false,
        }
    }

    /// All messages.
    pub fn packet(mut self) -> Vec<MessageReport> {
        let mut reports = Vec::new();
        while self.has_message() {
            let first_record = self.out.len();
            let preamble = usize::from(self.engine.program.settings.preamble);
            let offset = if self.first { preamble } else { self.scan.offset() };
            let outcome = self.message();
            self.first = false;
            let status = match outcome {
                Ok(()) => Status::Complete,
                Err(Fail::Error(ErrorCode::Truncated)) if self.abort => Status::Aborted,
                Err(Fail::Error(code)) => Status::Error(code),
                Err(Fail::Trap(trap)) => Status::Trap(trap),
            };
            let length = self.scan.offset() - offset;
            self.end_message(status);
            reports.push(MessageReport {
                offset,
                length,
                template: self.template,
                pmap: std::mem::take(&mut self.pmap),
                status,
                failed_tag: self.failed_tag,
                records: first_record..self.out.len(),
                last_word_cycle: self.scan.last_word(),
                done_cycle: self.out.last().map_or(0, |record| record.cycle),
            });
        }
        let state = &mut self.engine.state;
        let free = match self.engine.options.precalculate {
            true => state.released.max(self.scan.end_known()),
            false => state.last_dispatch + 1,
        };
        // A packet without a byte behind the preamble has no header: it takes no registers.
        if self.scan.packet.len() > usize::from(self.engine.program.settings.preamble) {
            state.header_free = [state.header_free[1], free];
        }
        let counters = &mut self.engine.counters;
        counters.cycles = counters.cycles.max(self.engine.clock.next_word);
        reports
    }

    /// Whether the packet goes on.
    fn has_message(&mut self) -> bool {
        let preamble = usize::from(self.engine.program.settings.preamble);
        match self.first {
            true => self.scan.packet.len() > preamble,
            false => !self.scan.is_done(&mut self.engine.clock),
        }
    }

    fn end_message(&mut self, status: Status) {
        let Engine { state, counters, clock, options, .. } = &mut *self.engine;
        let mut cycle = state.last_dispatch + OUTPUT_CYCLES;
        if let Some(begin) = self.begin.take() {
            self.out[begin].cycle = cycle;
        }
        if let Some(last) = self.out.last() {
            cycle = cycle.max(last.cycle);
        }
        let info = status.encode();
        self.out.push(Record { kind: RecordKind::MessageEnd, tag: 0, info, value: 0, cycle });
        counters.cycles = counters.cycles.max(cycle + 1);
        match status {
            Status::Complete => {
                counters.complete += 1;
                return;
            }
            Status::Trap(trap) => counters.traps[trap as usize - 1] += 1,
            Status::Error(_) | Status::Aborted => counters.errors += 1,
        }
        state.poisoned = true;
        if !options.precalculate {
            state.ready = state.ready.max(state.last_dispatch + 1);
            self.scan.skip(state.last_dispatch + 1, clock);
            return;
        }
        let fail = state.last_dispatch
            + match (self.late, self.controls) {
                (true, _) => FAILED_CYCLES,
                (false, controls) => 1 + u64::from(controls),
            };
        self.scan.skip(fail, clock);
        state.idle = fail + 1;
        state.ended = false;
        state.released = fail;
        state.ready = fail + 1 + BRANCH_CYCLES;
        state.loaded = state.ready;
        state.run = state.last_row.map_or(0, usize::from);
    }

    fn message(&mut self) -> Result<(), Fail> {
        let settings = self.engine.program.settings;
        self.engine.counters.messages += 1;
        self.template = None;
        self.failed_tag = None;
        self.presence.clear();
        self.frames.clear();
        self.elements_left = settings.max_elements.into();
        self.rows_left = settings.max_rows.into();
        if settings.reset == ResetPolicy::Message {
            self.engine.state.reset();
        }
        self.late = false;
        self.controls = false;
        if self.engine.state.poisoned {
            self.poisoned();
            return Err(ErrorCode::Poisoned.into());
        }
        let mut row = usize::from(self.header()?);
        loop {
            let flow = self.row(row)?;
            let state = &mut self.engine.state;
            state.loaded = state.loaded.max(flow.at + 1 + flow.bubbles);
            let ready = state.ready.max(state.loaded);
            self.engine.counters.branch_cycles += ready - state.ready;
            state.ready = ready;
            if flow.branch {
                state.run = flow.next;
            }
            if flow.message_ends {
                return Ok(());
            }
            row = flow.next;
        }
    }

    /// The header of a message that is not decoded.
    fn poisoned(&mut self) {
        let Engine { state, clock, .. } = &mut *self.engine;
        let pmap = self.scan.header(0, clock);
        let visible = pmap.map_or(self.scan.end_known(), |pmap| pmap.visible);
        state.last_dispatch = state.last_dispatch.max(state.idle).max(visible);
    }

    /// Presence map and identifier of a message; gives its first row (§2, §6.4).
    fn header(&mut self) -> Result<u16, Fail> {
        let (header, at) = self.take_header();
        let (pmap, explicit) = header.whole()?;
        let first = self.first;
        let packet = self.scan.packet;
        let last_dispatch = self.engine.state.last_dispatch;
        if self.engine.options.precalculate {
            // A header that is wrong is told behind the look-up.
            let state = &mut self.engine.state;
            let known = if first { at.max(state.idle).max(state.last_dispatch + 1) } else { at };
            state.last_dispatch = (at + ANSWER_CYCLES + u64::from(!first)).max(known);
        }
        let mut bits = presence_map(pmap, packet, self.engine.program.settings.strict)?;
        let template = self.template(explicit)?;
        self.pmap = pmap.of(packet).to_vec();
        self.template = Some(template);
        // The first bit was the identifier's.
        bits.next();
        let Engine { state, program, options, counters, .. } = &mut *self.engine;
        let info = &program.templates[usize::from(template)];
        if info.reset {
            state.reset_dictionary();
        }
        let segment = program
            .segments
            .iter()
            .find(|segment| segment.template == template && segment.pmap == self.pmap);
        // A segment's rows know the bits.
        self.presence.push(segment.map_or(bits, |_| PresenceBits::NONE));
        let row = match segment {
            Some(segment) => segment.row,
            None => program.entry(info.id, 0).ok_or(Trap::Program)?.row,
        };
        let before = state.ready;
        let segmented = program.segments.iter().any(|segment| segment.template == template);
        let same = state
            .last_header
            .as_ref()
            .is_some_and(|(last, pmap)| *last == template && (!segmented || *pmap == self.pmap));
        // The control of the last row sees what was known a cycle before.
        let direct = |known: u64| state.ended && known < state.idle;
        let first_row = program.rows.get(usize::from(row));
        let tests = first_row.is_some_and(|row| row.tests_at_once());
        let decode = BEGIN_CYCLES + u64::from(tests);
        state.ready = match (options.precalculate, first) {
            (false, _) => at.max(before) + PLAIN_LOOKUP_CYCLES,
            // The row is at hand, or on its way.
            (true, true) if same && direct(at + 1) => before.max(state.idle + u64::from(tests)),
            (true, true) if same => before.max((at + 1).max(state.idle) + decode - 1),
            (true, false) if same => before.max(at + decode),
            // The identifier of the message before is known when that has ended.
            (true, true) if explicit.is_none() => at.max(state.idle) + LOOKUP_CYCLES,
            (true, true) if direct(at + ANSWER_CYCLES) => state.idle + BRANCH_CYCLES,
            (true, true) => (at + ANSWER_CYCLES).max(state.idle) + 1 + BRANCH_CYCLES,
            (true, false) => at + LOOKUP_CYCLES,
        };
        if !same {
            state.run = row.into();
        }
        state.loaded = state.ready;
        if options.precalculate {
            state.last_dispatch = last_dispatch;
        }
        let waited = at.saturating_sub(before);
        counters.input_cycles += waited;
        counters.header_cycles += state.ready.saturating_sub(before + waited);
        state.last_row = Some(row);
        state.last_header = Some((template, self.pmap.clone()));
        self.begin = Some(self.out.len());
        let kind = RecordKind::MessageBegin;
        self.out.push(Record { kind, tag: template, info: 0, value: 0, cycle: 0 });
        Ok(row)
    }

    /// A message's header and the cycle in which the look-up can begin. The first of a packet was
    /// never in the queue; later ones take a dispatch of their own.
    fn take_header(&mut self) -> (Header, u64) {
        let first = self.first;
        let Engine { state, clock, options, .. } = &mut *self.engine;
        let header = Header::read(&mut self.scan, clock, first);
        let mut at = header.visible;
        let whole = header.whole().is_ok();
        if !first {
            if options.precalculate {
                at = at.max(state.last_dispatch + 1).max(state.idle);
                self.scan.pop(header.elements(), at, clock);
                state.last_dispatch = state.last_dispatch.max(at);
                // Its bytes are there a cycle behind its dispatch.
                at += u64::from(whole);
            } else {
                at = at.max(state.ready);
                self.scan.pop(header.elements(), at, clock);
            }
        }
        if !options.precalculate {
            state.last_dispatch = state.last_dispatch.max(at);
        } else if !whole {
            state.last_dispatch = state.last_dispatch.max(at).max(state.idle);
        }
        (header, at)
    }

    /// The template of an identifier; the last one where the stream has none.
    pub fn template(&mut self, identifier: Option<Element>) -> Result<u16, Fail> {
        let Engine { state, program, .. } = &mut *self.engine;
        let Some(element) = identifier else {
            return state.last_template.ok_or(ErrorCode::D5.into());
        };
        if element.more {
            return Err(Trap::Long.into());
        }
        let bytes = element.of(self.scan.packet);
        let id = match unsigned(bytes, false, u32::MAX.into(), program.settings.strict) {
            Ok(id) => id,
            Err(Fail::Error(ErrorCode::D2)) => None,
            Err(fail) => return Err(fail),
        };
        let known = |id| program.templates.iter().position(|template| u64::from(template.id) == id);
        let template = id.and_then(known).ok_or(ErrorCode::D9)? as u16;
        state.last_template = Some(template);
        Ok(template)
    }
}

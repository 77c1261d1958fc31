//! One row: its slots, and when it is dispatched (MICROCODE.md §3, §6.3).

use super::intake::Intake;
use super::lane::{Datum, Fail, Lane, Previous, in_exponents};
use super::run::{DEPTH, Flow, Run};
use super::state::{PresenceBits, presence_map};
use super::write::{Output, output};
use super::{BRANCH_CYCLES, Engine, OUTPUT_CYCLES, RAW_CYCLES};
use crate::error::ErrorCode;
use crate::microcode::isa::{Kind, LANES, Presence, Row, Slot};
use crate::microcode::program::{Program, Settings};
use crate::microcode::record::{RecordKind, Trap};

/// What the slots of a row did.
#[derive(Default)]
struct Done {
    outputs: Vec<Output>,
    /// Decimals that took two entities in one step.
    decimals: u64,
    /// The length of a sequence.
    length: Option<u64>,
    /// The tag of the slot in hand.
    tag: Option<u16>,
}

impl Run<'_, '_> {
    /// Executes a row.
    pub fn row(&mut self, index: usize) -> Result<Flow, Fail> {
        // A checked program has no way past its last row.
        let row = *self.engine.program.rows.get(index).ok_or(Trap::Program)?;
        let mut done = Done::default();
        let Engine { program, state, clock, .. } = &mut *self.engine;
        let mut intake = Intake::new(&mut self.scan, clock);
        self.rows_left = self.rows_left.saturating_sub(1);
        let mut result = if self.rows_left == 0 { Err(Trap::Watchdog.into()) } else { Ok(()) };
        if row.push && result.is_ok() {
            result = push(&mut self.presence, &mut intake, program.settings.strict);
        }
        if result.is_ok() {
            let mut no_map = PresenceBits::NONE;
            let presence = self.presence.last_mut().unwrap_or(&mut no_map);
            let banks = &mut state.dictionary;
            result = slots(program, banks, &row, presence, &mut intake, &mut done);
            if result.is_err() {
                self.failed_tag = done.tag;
            }
        }
        if result.is_ok() && done.length.is_some_and(|length| length > self.elements_left) {
            result = Err(ErrorCode::Limit.into());
            // The length itself is not delivered.
            done.outputs.pop();
        }
        let taken = Taken {
            used: intake.used,
            visible: intake.visible,
            wide: intake.wide,
            raw: intake.raw,
            last: intake.last,
        };
        let dispatch = self.dispatch(&row, taken, done.outputs, done.decimals, result.is_ok());
        result?;
        if row.pop {
            self.pop_presence()?;
        }
        self.control(index, &row, done.length, dispatch)
    }

    /// The cycle of the row, which it returns, and that of the next one, as far as this row's
    /// operation decides; writes the records.
    fn dispatch(
        &mut self,
        row: &Row,
        taken: Taken,
        outputs: Vec<Output>,
        decimals: u64,
        good: bool,
    ) -> u64 {
        let Engine { state, clock, options, counters, .. } = &mut *self.engine;
        let conditional = row.is_conditional();
        let mut at = state.ready;
        if row.waits() {
            at = at.max(state.last_dispatch + OUTPUT_CYCLES);
        }
        let mut late = 0;
        if conditional && !options.precalculate {
            late = BRANCH_CYCLES;
        } else if conditional && !row.push {
            late = self.presence_ready.saturating_sub(at);
        }
        at += late;
        counters.presence_cycles += at - state.ready;
        let dispatch = at.max(taken.visible);
        counters.rows += 1;
        counters.input_cycles += dispatch - at;
        self.scan.pop(taken.used, dispatch, clock);
        let mut done = dispatch + 1;
        if row.push && conditional && options.precalculate {
            done += 1;
            counters.presence_cycles += 1;
        }
        if row.push {
            self.presence_ready = dispatch + 2;
        }
        if row.bits_depend() {
            self.presence_ready = done + 1;
        }
        if !options.wide {
            let more = 3 * taken.wide + decimals;
            counters.wide_cycles += more;
            done += more;
        }
        let before_beats = done;
        // The rest of a long text, an element at a time.
        let mut parts = Vec::new();
        if good && row.used().last().is_some_and(|slot| slot.kind == Kind::Text) {
            let mut element = taken.last;
            while let Some(part) = element {
                parts.push(part.length);
                if !part.more {
                    break;
                }
                element = self.scan.element(0, clock);
                if let Some(next) = element {
                    let cycle = done.max(next.visible);
                    self.scan.pop(1, cycle, clock);
                    done = cycle + 1;
                }
            }
        }
        let first = dispatch + OUTPUT_CYCLES;
        let mut raw = None;
        if good && let Some((start, length)) = taken.raw {
            let last = self.scan.raw(start, length, dispatch + RAW_CYCLES, clock);
            let last = last.unwrap_or(done).max(done);
            done = last + 1;
            let beats = length.div_ceil(8).max(1) as u64;
            raw = Some(done - beats + OUTPUT_CYCLES);
        }
        if let Some(begin) = self.begin.take() {
            self.out[begin].cycle = first;
        }
        let beats = self.write(outputs, &parts, first, raw);
        let Engine { state, options, counters, .. } = &mut *self.engine;
        if options.wide || !parts.is_empty() || raw.is_some() {
            done = done.max(before_beats + beats - 1);
        }
        counters.beat_cycles += done - before_beats;
        state.last_dispatch = done - 1;
        state.ready = done;
        dispatch
    }
}

/// What a row took from the queue.
struct Taken {
    used: usize,
    visible: u64,
    wide: u64,
    raw: Option<(usize, usize)>,
    last: Option<super::scan::Element>,
}

/// Pushes the presence map in the first entity.
fn push(
    presence: &mut Vec<PresenceBits>,
    intake: &mut Intake<'_, '_>,
    strict: bool,
) -> Result<(), Fail> {
    let element = intake.element()?;
    let bits = presence_map(element, intake.packet(), strict)?;
    if presence.len() >= DEPTH {
        return Err(Trap::Depth.into());
    }
    presence.push(bits);
    Ok(())
}

/// Executes the slots in lane order up to the first that fails.
fn slots(
    program: &Program,
    banks: &mut [Vec<Previous>; LANES],
    row: &Row,
    presence: &mut PresenceBits,
    intake: &mut Intake<'_, '_>,
    done: &mut Done,
) -> Result<(), Fail> {
    let Settings { strict, max_text, .. } = program.settings;
    let mut exponent = None;
    for (lane, slot) in row.used().iter().enumerate() {
        done.tag = Some(slot.tag);
        match slot.kind {
            Kind::Nop => continue,
            Kind::Trap => return Err(Trap::Operator.into()),
            Kind::GroupBegin => {
                done.outputs.push(Output::mark(RecordKind::GroupBegin, slot.tag));
                continue;
            }
            Kind::GroupEnd => {
                done.outputs.push(Output::mark(RecordKind::GroupEnd, slot.tag));
                continue;
            }
            Kind::Mantissa if exponent.is_none() => continue,
            _ => {}
        }
        intake.any_length = (slot.kind == Kind::Text).then_some(max_text);
        let bit = slot.presence == Presence::Bit && presence.next();
        let mut none = Previous::Undefined;
        let previous = banks[lane].get_mut(usize::from(slot.entry)).unwrap_or(&mut none);
        let initial = program.constant(lane, slot.initial);
        let mut unit = Lane { slot: *slot, strict, max_text, previous, initial };
        let datum = unit.execute(bit, intake)?;
        match (slot.kind, &datum) {
            (Kind::Exponent, _) => {
                exponent = exponent_of(slot, datum)?;
                continue;
            }
            (Kind::Length, Some(Datum::Number(length))) => done.length = Some(*length),
            (_, Some(Datum::Decimal(..))) => done.decimals += 1,
            _ => {}
        }
        if let Some(datum) = datum {
            done.outputs.push(output(slot, datum, exponent));
        }
    }
    Ok(())
}

fn exponent_of(slot: &Slot, datum: Option<Datum>) -> Result<Option<i8>, Fail> {
    debug_assert_eq!(slot.kind, Kind::Exponent);
    match datum {
        Some(Datum::Number(bits)) => in_exponents(bits.cast_signed().into()).map(Some),
        _ => Ok(None),
    }
}

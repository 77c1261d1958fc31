//! One row: its slots, and when it is dispatched (MICROCODE.md §3, §6.3).

use super::intake::{AnyLength, Intake};
use super::lane::{Datum, Fail, Lane, Previous, in_exponents};
use super::run::{DEPTH, Flow, Run};
use super::scan::Element;
use super::state::{PresenceBits, presence_map};
use super::write::{Output, Part, beats, output};
use super::{BRANCH_CYCLES, Engine, OUTPUT_CYCLES, RAW_CYCLES};
use crate::error::ErrorCode;
use crate::microcode::isa::{Kind, LANES, Operator, Presence, Row, Slot};
use crate::microcode::program::{Constant, Program, Settings};
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
    /// Whether the entities of a slot depend on a NULL, and when the last that may be one was there.
    looks: bool,
    looked: u64,
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
        let mut early = result.is_err();
        let mut map_visible = 0;
        if row.push && result.is_ok() {
            result = push(&mut self.presence, &mut intake, program.settings.strict);
            map_visible = intake.visible;
            early = matches!(result, Err(Fail::Trap(Trap::Depth)));
        }
        if result.is_ok() {
            let mut no_map = PresenceBits::NONE;
            let presence = self.presence.last_mut().unwrap_or(&mut no_map);
            let banks = &mut state.dictionary;
            result = slots(program, banks, &row, presence, &mut intake, &mut done);
            if let Err(fail) = result {
                early = matches!(fail, Fail::Error(ErrorCode::Truncated));
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
            map_visible,
            visible: intake.visible,
            wide: intake.wide,
            raw: intake.raw,
            last: intake.last,
            looks: done.looks,
            looked: done.looked,
        };
        self.late = result.is_err() && !early;
        self.controls = false;
        let (first, complete) =
            self.dispatch(index, &row, taken, done.outputs, done.decimals, result.is_ok());
        result?;
        self.controls = true;
        if row.pop {
            self.pop_presence()?;
        }
        self.control(index, &row, done.length, first, complete)
    }

    /// The cycles of the row: gives those of its first and last dispatch, and leaves the first cycle
    /// of the next row, as far as this row's operation decides, in `ready`. Writes the records.
    fn dispatch(
        &mut self,
        index: usize,
        row: &Row,
        taken: Taken,
        outputs: Vec<Output>,
        decimals: u64,
        good: bool,
    ) -> (u64, u64) {
        let Engine { program, state, clock, options, counters } = &mut *self.engine;
        let conditional = row.is_conditional();
        let needs_map = conditional || row.pop;
        let mut at = state.ready;
        // What depends on a NULL is looked at a cycle before; an exponent's entry two.
        let mut looked = state.loaded + 2 + 3 * u64::from(row.waits());
        if row.waits() && options.precalculate {
            looked = looked.max(state.issued + OUTPUT_CYCLES + 2);
        } else if row.waits() {
            at = at.max(state.last_dispatch + OUTPUT_CYCLES + 1);
        }
        if !options.precalculate && conditional {
            at += BRANCH_CYCLES;
        }
        // What the row before stores in an entry is there two cycles behind it.
        if let Some((before, cycle)) = state.before
            && options.precalculate
            && row.shares_entry(&program.rows[usize::from(before)])
        {
            at = at.max(cycle + 2);
        }
        counters.presence_cycles += at - state.ready;
        let mut used = taken.used;
        if options.precalculate && row.push && needs_map && used > 0 {
            // The presence map first, then the slots that need its bits.
            let first = at.max(taken.map_visible);
            counters.input_cycles += first - at;
            counters.presence_cycles += PUSH_CYCLES;
            self.scan.pop(1, first, clock);
            used -= 1;
            at = first + PUSH_CYCLES;
            state.loaded = at;
            looked = at + 2;
            if row.waits() {
                looked = looked.max(first + OUTPUT_CYCLES + 2);
            }
            if let Some(begin) = self.begin.take() {
                self.out[begin].cycle = first + OUTPUT_CYCLES;
            }
        }
        if taken.looks {
            at = at.max(looked).max(taken.looked + 2);
        }
        let dispatch = at.max(taken.visible);
        state.before = Some((index as u16, dispatch));
        counters.rows += 1;
        counters.input_cycles += dispatch - at;
        self.scan.pop(used, dispatch, clock);
        let mut complete = dispatch;
        let mut done = dispatch + 1;
        if options.wide {
            done = dispatch + beats(&outputs);
        } else {
            let more = 3 * taken.wide + decimals;
            counters.wide_cycles += more;
            done += more;
        }
        // The rest of a long text, an element at a time.
        let mut parts: Vec<Part> = Vec::new();
        let first_part = taken.last.map_or(0, |element| element.length);
        if good && row.used().last().is_some_and(|slot| slot.kind == Kind::Text) {
            let mut element = taken.last.filter(|element| element.more);
            while element.is_some() {
                element = self.scan.element(0, clock);
                if let Some(part) = element {
                    complete = done.max(part.visible);
                    self.scan.pop(1, complete, clock);
                    parts.push((part.length, complete));
                    done = complete + 1 + u64::from(part.length > CHUNK);
                }
                element = element.filter(|part| part.more);
            }
        }
        let first = dispatch + OUTPUT_CYCLES;
        let mut raw = None;
        if good && let Some((start, length)) = taken.raw {
            let last = self.scan.raw(start, length, dispatch + RAW_CYCLES, clock);
            complete = last.unwrap_or(done).max(done);
            if options.precalculate {
                // From the history to dispatch.
                complete += PASS_CYCLES;
            }
            done = complete + 1;
            let beats = length.div_ceil(CHUNK).max(1) as u64;
            raw = Some(done - beats + OUTPUT_CYCLES);
        }
        counters.beat_cycles += done - dispatch - 1;
        if let Some(begin) = self.begin.take() {
            self.out[begin].cycle = first;
        }
        self.write(outputs, first_part, &parts, first, raw);
        let state = &mut self.engine.state;
        state.last_dispatch = done - 1;
        state.issued = complete;
        state.ready = done;
        (dispatch, complete)
    }
}

/// Bytes of a record's value.
const CHUNK: usize = 8;
/// Cycles from a presence map's dispatch to a row that needs its bits.
const PUSH_CYCLES: u64 = 2;
/// Cycles that raw bytes are on their way to dispatch.
const PASS_CYCLES: u64 = 2;

/// What a row took from the queue.
struct Taken {
    used: usize,
    /// When the first of them was there.
    map_visible: u64,
    visible: u64,
    wide: u64,
    raw: Option<(usize, usize)>,
    last: Option<Element>,
    looks: bool,
    looked: u64,
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
            Kind::Mantissa if lane > 0 && row.slots[lane - 1].optional => done.looks = true,
            _ => {}
        }
        if slot.kind == Kind::Mantissa && exponent.is_none() {
            continue;
        }
        intake.any_length = (slot.kind == Kind::Text).then_some(AnyLength {
            max_text,
            optional: slot.optional,
            strict,
        });
        let bit = slot.presence == Presence::Bit && presence.next();
        let mut none = Previous::Undefined;
        let previous = banks[lane].get_mut(usize::from(slot.entry)).unwrap_or(&mut none);
        let initial = program.constant(lane, slot.initial);
        let mut unit = Lane { slot: *slot, strict, max_text, previous, initial };
        let used = intake.used;
        let datum = unit.execute(bit, intake)?;
        let streamed = intake.used > used;
        if slot.uncertain() && streamed {
            done.looks = true;
            done.looked = intake.visible_at(used);
        }
        let two = two_beats(slot, streamed, intake.last, bit, initial);
        match (slot.kind, &datum) {
            (Kind::Exponent, _) => {
                exponent = exponent_of(slot, datum)?;
                continue;
            }
            (Kind::Length, Some(Datum::Number(length))) => done.length = Some(*length),
            (_, Some(Datum::Decimal(..))) => done.decimals += 1,
            _ => {}
        }
        done.outputs.push(match datum {
            Some(datum) => output(slot, datum, exponent, two),
            None => Output::nothing(two),
        });
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

/// Whether a slot takes two beats: an element, or an initial value, of more than eight bytes, and
/// whatever an entry of the dictionary holds.
fn two_beats(
    slot: &Slot,
    streamed: bool,
    element: Option<Element>,
    bit: bool,
    initial: Option<&Constant>,
) -> bool {
    let long = |text: &Constant| matches!(text, Constant::Text(text) if text.len() > CHUNK);
    match slot.kind {
        Kind::Ascii | Kind::Text if streamed => element.is_some_and(|one| one.length > CHUNK),
        Kind::Ascii | Kind::Unicode | Kind::Bytes if !streamed => match slot.operator {
            Operator::Copy => true,
            Operator::Constant if slot.presence == Presence::Bit => {
                bit && initial.is_some_and(long)
            }
            Operator::Constant if slot.presence == Presence::Clear => false,
            _ => initial.is_some_and(long),
        },
        _ => false,
    }
}

//! What follows a row (MICROCODE.md §3.1, §6.4).

use super::header::Header;
use super::lane::Fail;
use super::run::{DEPTH, Flow, Frame, Run};
use super::state::presence_map;
use super::{ANSWER_CYCLES, BRANCH_CYCLES, Engine, LOOKUP_CYCLES, PLAIN_LOOKUP_CYCLES, RING_ROWS};
use crate::error::ErrorCode;
use crate::microcode::isa::{Control, Row};
use crate::microcode::record::{RecordKind, Trap};

/// Cycles from the dispatch of a length to the first control that its value decides.
const LENGTH_CYCLES: u64 = 5;
/// The same of a length that dispatch sees to be 1.
const ONE_CYCLES: u64 = 3;

impl Run<'_, '_> {
    /// Executes the control of row `index`, first dispatched in cycle `first`, last in `at`.
    pub fn control(
        &mut self,
        index: usize,
        row: &Row,
        length: Option<u64>,
        first: u64,
        at: u64,
    ) -> Result<Flow, Fail> {
        let foreseen = self.engine.options.precalculate;
        let bubbles = if foreseen { 0 } else { BRANCH_CYCLES };
        // What can only be followed by the next row is left at once, all else a cycle later; a map that
        // was pushed with the slots takes two more from their dispatch to be there.
        let done = at;
        let at = match foreseen && !row.is_plain() {
            true if row.pushes_at_once() => (at + 1).max(first + 3),
            true => at + 1,
            false => at,
        };
        let ends = matches!(row.control, Control::End | Control::Loop | Control::LoopEnd);
        let at = if at > done + 1 && ends { at.max(self.engine.state.ready) } else { at };
        let opens = row.is_unoperated_sequence();
        // A length that is looked at in control.
        let counts = foreseen && opens && !row.is_plain() && !row.pushes_at_once();
        let at = at + u64::from(counts);
        let mut flow = Flow { next: index + 1, at, bubbles, branch: false, message_ends: false };
        if row.control == Control::Next {
            flow.bubbles = 0;
        }
        match row.control {
            Control::Next => {}
            Control::Jump => flow.branch(row.target.into()),
            Control::End => self.end(index, &mut flow)?,
            Control::Sequence => {
                let left = length.unwrap_or(0);
                if !opens {
                    flow.at = done + LENGTH_CYCLES;
                    flow.bubbles = 0;
                }
                if left == 0 {
                    if foreseen && row.is_plain() {
                        flow.at = done + 1;
                    }
                    flow.branch(row.target.into());
                } else {
                    self.elements_left -= left;
                    let optional = row.used().last().is_some_and(|slot| slot.optional);
                    let seen = foreseen && opens && !optional && left == 1;
                    let known = done + if seen { ONE_CYCLES } else { LENGTH_CYCLES };
                    self.open(Frame::Loop { row: index + 1, left, known, seen })?;
                }
            }
            Control::Loop | Control::LoopEnd => {
                self.mark(RecordKind::ElementEnd, 0);
                let Some(Frame::Loop { row: body, left, known, seen }) = self.frames.last_mut()
                else {
                    return Err(Trap::Program.into());
                };
                *left -= 1;
                // The row behind a loop is at hand a cycle after stage Y tells that it follows.
                let leaves = foreseen && !*seen && *left == 0 && row.control == Control::Loop;
                let known = *known + u64::from(leaves);
                if known > at {
                    flow.at = known.max(self.engine.state.ready);
                }
                if *left > 0 {
                    let state = &self.engine.state;
                    let near = *body >= state.run && index - *body <= RING_ROWS;
                    flow.next = *body;
                    if foreseen && !near {
                        flow.branch(*body);
                    }
                } else {
                    self.frames.pop();
                    if row.control == Control::LoopEnd {
                        if flow.at > at {
                            // What ends goes out by itself.
                            let state = &mut self.engine.state;
                            state.last_dispatch = state.last_dispatch.max(flow.at);
                            state.issued = state.last_dispatch;
                        }
                        self.end(index, &mut flow)?;
                    }
                }
            }
            Control::Group => {
                if !self.presence.last_mut().is_some_and(|presence| presence.next()) {
                    flow.branch(row.target.into());
                }
            }
            Control::Call => {
                flow.next = self.call(row.target, index + 1, at)?;
                flow.bubbles = 0;
            }
        }
        // The map beneath is in place a cycle later, and a length may be 0: a next row that tests waits.
        let awaits = row.control == Control::Sequence && !opens;
        let unsure = row.pop && !awaits || row.is_plain() && opens;
        let next = self.engine.program.rows.get(flow.next);
        let tests = next.is_some_and(|row| row.tests_at_once());
        if foreseen && unsure && tests && !flow.branch {
            flow.bubbles += 1;
        }
        Ok(flow)
    }

    /// The end of a message or called part: its presence map must be used up.
    fn end(&mut self, index: usize, flow: &mut Flow) -> Result<(), Fail> {
        self.pop_presence()?;
        match self.frames.pop() {
            None => {
                flow.message_ends = true;
                flow.bubbles = 0;
                // The row of the next message, most likely.
                let state = &self.engine.state;
                let first = state.last_row.map_or(0, usize::from);
                let near = first >= state.run && index >= first && index - first <= RING_ROWS;
                if self.engine.options.precalculate && !near {
                    flow.branch(first);
                    flow.bubbles += 1;
                }
                let state = &mut self.engine.state;
                state.idle = flow.at + 2;
                state.ended = true;
                state.released = flow.at + 1;
            }
            Some(Frame::Loop { .. }) => return Err(Trap::Program.into()),
            Some(Frame::Call { row }) => {
                self.mark(RecordKind::CallEnd, 0);
                flow.branch(row);
            }
        }
        Ok(())
    }

    /// Ends the current presence map.
    pub fn pop_presence(&mut self) -> Result<(), Fail> {
        let presence = self.presence.pop().ok_or(Trap::Program)?;
        if self.engine.program.settings.strict && !presence.is_used_up() {
            return Err(ErrorCode::R8.into());
        }
        Ok(())
    }

    fn open(&mut self, frame: Frame) -> Result<(), Fail> {
        if self.frames.len() >= DEPTH {
            return Err(Trap::Depth.into());
        }
        self.frames.push(frame);
        Ok(())
    }

    /// A dynamic reference: takes its header and gives the template's first row.
    fn call(&mut self, scope: u16, back: usize, control: u64) -> Result<usize, Fail> {
        self.open(Frame::Call { row: back })?;
        let Engine { state, clock, program, counters, options } = &mut *self.engine;
        let strict = program.settings.strict;
        let header = Header::read(&mut self.scan, clock, false);
        let at = state.ready.max(control + 1).max(header.visible);
        counters.input_cycles += at - state.ready;
        self.scan.pop(header.elements(), at, clock);
        // What is pushed and marked goes out behind the look-up.
        state.last_dispatch = at;
        state.ready = at + PLAIN_LOOKUP_CYCLES;
        let whole = header.whole();
        if options.precalculate {
            if whole.is_ok() {
                state.last_dispatch = at + 2 + ANSWER_CYCLES;
                state.issued = state.last_dispatch;
            }
            state.ready = at + 1 + LOOKUP_CYCLES;
            state.loaded = state.ready;
        }
        counters.header_cycles += state.ready - at;
        let (pmap, identifier) = whole?;
        let mut bits = presence_map(pmap, self.scan.packet, strict)?;
        bits.next();
        let template = self.template(identifier)?;
        if self.presence.len() >= DEPTH {
            return Err(Trap::Depth.into());
        }
        self.presence.push(bits);
        let Engine { state, program, .. } = &mut *self.engine;
        let info = &program.templates[usize::from(template)];
        if info.reset {
            state.reset_dictionary();
        }
        let entry = program.entry(info.id, scope).ok_or(Trap::Program)?;
        let row = usize::from(entry.row);
        self.engine.state.run = row;
        self.mark(RecordKind::CallBegin, template);
        Ok(row)
    }
}

//! Groups and sequences that are open in the loop.

use super::Visitor;
use super::run::Run;
use crate::error::ErrorCode;
use crate::plan::Instruction;

/// Groups and sequences that are open at once in the loop; deeper ones are left to `step`.
pub(super) const FRAMES: usize = 8;

/// An open group or sequence: what goes on behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The presence map of the surroundings.
    presence: u64,
    /// The instruction of the group or sequence.
    instruction: u32,
    /// The current element.
    index: u32,
    /// Elements, 0 for a group.
    length: u32,
}

/// What goes on where a block ends.
pub(super) enum Next<'r> {
    /// The next element of a sequence.
    Element(&'r Instruction),
    /// What is behind a group or sequence.
    Behind { code: &'r [Instruction], presence: u64 },
}

impl<'r, V: Visitor> Run<'r, V> {
    /// Opens the group or sequence of an instruction; the presence map is that of the
    /// surroundings.
    #[inline(always)]
    fn push(&mut self, instruction: &'r Instruction, length: u32, presence: u64) {
        let frame = Frame { presence, instruction: instruction.op.index, index: 0, length };
        self.frames[self.level % FRAMES] = frame;
        self.level += 1;
        self.depth += 1;
    }

    /// Visits the start of a group and opens it.
    #[inline(always)]
    pub(super) fn open_group(&mut self, instruction: &'r Instruction, presence: u64) {
        self.push(instruction, 0, presence);
        self.visitor.begin_group(&instruction.info);
    }

    /// Visits the start of a sequence and opens it. `None` where it has no elements; an error where
    /// it has too many.
    #[inline(always)]
    pub(super) fn open_sequence(
        &mut self,
        instruction: &'r Instruction,
        length: u64,
        presence: u64,
    ) -> Result<Option<&'r Instruction>, ErrorCode> {
        if length > u64::from(self.options.max_sequence.min(self.elements_left))
            || self.depth >= self.options.max_depth
        {
            self.fail(instruction);
            return Err(ErrorCode::Limit);
        }
        // It is at most a u32 after the check above.
        let length = length as u32;
        self.visitor.begin_sequence(&instruction.info, length);
        if length == 0 {
            self.visitor.end_sequence(&instruction.info);
            return Ok(None);
        }
        self.elements_left -= length;
        self.push(instruction, length, presence);
        self.visitor.begin_element(0);
        Ok(Some(instruction))
    }

    /// A block ends, and there is a frame: what goes on.
    #[inline(always)]
    pub(super) fn leave(&mut self, presence: u64) -> Result<Next<'r>, ErrorCode> {
        let level = self.level - 1;
        let frame = &mut self.frames[level % FRAMES];
        let outer = &self.plan.code[frame.instruction as usize];
        if presence != 0 && self.options.strict {
            self.fail(outer);
            return Err(ErrorCode::R8);
        }
        if frame.length == 0 {
            self.visitor.end_group(&outer.info);
        } else {
            self.visitor.end_element();
            let index = frame.index + 1;
            if index < frame.length {
                frame.index = index;
                self.visitor.begin_element(index);
                return Ok(Next::Element(outer));
            }
            self.visitor.end_sequence(&outer.info);
        }
        let (presence, behind) = (frame.presence, outer.op.index + 1);
        self.level = level;
        self.depth -= 1;
        Ok(Next::Behind {
            code: &self.plan.code[behind as usize..outer.op.block_end as usize],
            presence,
        })
    }
}

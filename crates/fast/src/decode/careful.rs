//! The loop's ways to [`Run::step`], for what is not one of the usual cases: from a position of the
//! input and a presence map of one word to where they are afterwards.

use super::Visitor;
use super::run::Run;
use crate::error::ErrorCode;
use crate::plan::{Block, Instruction, NONE};
use crate::transfer::{Cursor, PresenceMap};

impl<'r, V: Visitor> Run<'r, V> {
    /// The instructions of a block, whatever they meet.
    #[cold]
    pub(super) fn careful_block(
        &mut self,
        block: Block,
        cursor: &mut Cursor<'r>,
        presence: &mut PresenceMap<'r>,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        for instruction in &plan.code[block.start as usize..block.end as usize] {
            self.step(instruction, cursor, presence).inspect_err(|_| self.fail(instruction))?;
        }
        Ok(())
    }

    /// Notes the innermost field that failed.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, instruction: &Instruction) {
        if self.failed_field == NONE {
            self.failed_field = instruction.field;
        }
    }

    /// One instruction by `step`, from a position of the input: position and presence map behind.
    #[inline(never)]
    pub(super) fn careful(
        &mut self,
        instruction: &'r Instruction,
        position: usize,
        presence: u64,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let mut cursor = Cursor::new(&self.input[position..]);
        let mut map = PresenceMap::of(presence);
        let outcome = self.step(instruction, &mut cursor, &mut map);
        let position = self.input.len() - cursor.remaining();
        match outcome {
            Ok(()) => Ok((position, map.in_one_word().unwrap_or_default())),
            Err(code) => {
                self.fail(instruction);
                Err((position, code))
            }
        }
    }

    /// The presence map of an element or group at a position, whatever it is like. One of more
    /// bits than a word has is followed at once by its block; what is left is an empty block.
    #[inline(never)]
    pub(super) fn careful_presence(
        &mut self,
        instruction: &'r Instruction,
        block: &mut Block,
        position: usize,
    ) -> Result<(usize, u64), (usize, ErrorCode)> {
        let mut cursor = Cursor::new(&self.input[position..]);
        let strict = self.options.strict;
        let outcome = PresenceMap::read(&mut cursor, strict).and_then(|mut map| {
            if let Some(bits) = map.in_one_word() {
                return Ok(bits);
            }
            self.careful_block(*block, &mut cursor, &mut map)?;
            map.finish(strict)?;
            block.start = block.end;
            Ok(0)
        });
        let position = self.input.len() - cursor.remaining();
        match outcome {
            Ok(bits) => Ok((position, bits)),
            Err(code) => {
                self.fail(instruction);
                Err((position, code))
            }
        }
    }

    /// Presence map and template identifier of a message: position behind, bits of the presence
    /// map, and the block.
    #[inline(never)]
    pub(super) fn careful_header(
        &mut self,
    ) -> Result<(usize, PresenceMap<'r>, u32), (usize, ErrorCode)> {
        let input = self.input;
        let mut cursor = Cursor::new(input);
        let outcome = PresenceMap::read(&mut cursor, self.options.strict).and_then(|mut map| {
            self.template_identifier(&mut cursor, &mut map).map(|entry| (map, entry))
        });
        let position = input.len() - cursor.remaining();
        match outcome {
            Ok((map, entry)) => Ok((position, map, entry)),
            Err(code) => Err((position, code)),
        }
    }
}

//! Previous values (§6.3.1).
//!
//! One slot for each entry of each dictionary, numbered by the plan. Resetting everything starts a
//! new epoch: a slot that was written in an older one is undefined.

use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::plan::{Dictionary as DictionaryName, Plan};

/// The previous values of all operators, by slot.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    epoch: u32,
    slots: Vec<Slot>,
    /// Strings and vectors, parallel to `slots`.
    texts: Vec<Vec<u8>>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    epoch: u32,
    field_type: FieldType,
    empty: bool,
    exponent: i32,
    bits: u64,
}

/// The state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Undefined,
    Empty,
    Assigned,
}

impl Dictionary {
    /// All entries undefined.
    pub fn new(plan: &Plan) -> Self {
        let slot =
            Slot { epoch: 0, field_type: FieldType::UInt32, empty: false, exponent: 0, bits: 0 };
        Self {
            epoch: 1,
            slots: vec![slot; plan.slots.len()],
            texts: vec![Vec::new(); plan.slots.len()],
        }
    }

    /// Makes all entries undefined.
    pub fn reset(&mut self) {
        match self.epoch.checked_add(1) {
            Some(epoch) => self.epoch = epoch,
            None => {
                self.epoch = 1;
                self.slots.iter_mut().for_each(|slot| slot.epoch = 0);
            }
        }
    }

    /// Makes the entries of the global or a user-defined dictionary undefined.
    pub fn reset_named(&mut self, plan: &Plan, name: &str) {
        for (slot, dictionary) in self.slots.iter_mut().zip(&plan.slots) {
            let matches = match &plan.dictionaries[*dictionary as usize] {
                DictionaryName::Global => name == "global",
                DictionaryName::User(user) => **user == *name,
                DictionaryName::Template(_) | DictionaryName::Type(_) => false,
            };
            if matches {
                slot.epoch = 0;
            }
        }
    }

    /// The state of an entry for a field of a type.
    ///
    /// # Errors
    /// D4 where a value of another type is assigned.
    #[inline]
    pub fn state(&self, slot: u32, field_type: FieldType) -> Result<State, ErrorCode> {
        let slot = &self.slots[slot as usize];
        if slot.epoch != self.epoch {
            Ok(State::Undefined)
        } else if slot.empty {
            Ok(State::Empty)
        } else if slot.field_type != field_type {
            Err(ErrorCode::D4)
        } else {
            Ok(State::Assigned)
        }
    }

    /// The bits of an integer or mantissa of a type, where that is what is assigned.
    #[inline(always)]
    pub fn assigned(&self, slot: u32, field_type: FieldType) -> Option<u64> {
        let slot = &self.slots[slot as usize];
        let assigned = slot.epoch == self.epoch && !slot.empty && slot.field_type == field_type;
        assigned.then_some(slot.bits)
    }

    /// The bits of an assigned integer or mantissa.
    #[inline]
    pub fn bits(&self, slot: u32) -> u64 {
        self.slots[slot as usize].bits
    }

    /// The exponent of an assigned decimal.
    #[inline]
    pub fn exponent(&self, slot: u32) -> i32 {
        self.slots[slot as usize].exponent
    }

    /// The bytes of an assigned string or vector.
    #[inline]
    pub fn text(&self, slot: u32) -> &[u8] {
        &self.texts[slot as usize]
    }

    #[inline]
    pub fn assign(&mut self, slot: u32, field_type: FieldType, bits: u64, exponent: i32) {
        self.slots[slot as usize] =
            Slot { epoch: self.epoch, field_type, empty: false, exponent, bits };
    }

    /// Assigns the string that the caller leaves in the returned memory. It holds the string
    /// assigned before.
    #[inline]
    pub fn assign_text(&mut self, slot: u32, field_type: FieldType) -> &mut Vec<u8> {
        self.assign(slot, field_type, 0, 0);
        &mut self.texts[slot as usize]
    }

    #[inline]
    pub fn set_empty(&mut self, slot: u32) {
        let epoch = self.epoch;
        let slot = &mut self.slots[slot as usize];
        slot.epoch = epoch;
        slot.empty = true;
    }
}

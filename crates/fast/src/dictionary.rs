//! Previous values (§6.3.1).
//!
//! One slot for each entry of each dictionary, numbered by the plan. What a slot holds is one
//! number, its stamp: the epoch, and below it the type of the value. Resetting everything starts a
//! new epoch: a slot that was written in an older one is undefined. Strings of up to 16 bytes are in
//! the slot itself.

use crate::error::ErrorCode;
use crate::model::FieldType;
use crate::plan::{Dictionary as DictionaryName, Plan};
use crate::transfer::Text;

/// The previous values of all operators, by slot.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    /// A multiple of [`EPOCH`].
    epoch: u64,
    slots: Vec<Slot>,
    /// Strings and vectors that are not in their slots, parallel to `slots`.
    texts: Vec<Vec<u8>>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The epoch and the kind of what is assigned, or [`EMPTY`].
    stamp: u64,
    bits: u64,
    /// The exponent of a decimal, the length of a string.
    more: i32,
    /// A string, if its length is not [`LONG`].
    short: [u8; 16],
}

/// The least number of an epoch; the kinds are below it.
const EPOCH: u64 = 16;

/// The kind of a slot that is empty.
const EMPTY: u64 = 0;

/// The length of a string that is not in its slot.
const LONG: i32 = -1;

/// The part of a stamp that says of what type an assigned value is.
pub(crate) const fn kind(field_type: FieldType) -> u64 {
    field_type as u64 + 1
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
        let slot = Slot { stamp: 0, bits: 0, more: 0, short: [0; 16] };
        Self {
            epoch: EPOCH,
            slots: vec![slot; plan.slots.len()],
            texts: vec![Vec::new(); plan.slots.len()],
        }
    }

    /// Makes all entries undefined.
    #[inline(always)]
    pub fn reset(&mut self) {
        match self.epoch.checked_add(EPOCH) {
            Some(epoch) => self.epoch = epoch,
            None => self.restart(),
        }
    }

    #[cold]
    fn restart(&mut self) {
        self.epoch = EPOCH;
        self.slots.iter_mut().for_each(|slot| slot.stamp = 0);
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
                slot.stamp = 0;
            }
        }
    }

    /// The state of an entry for a field of a type.
    ///
    /// # Errors
    /// D4 where a value of another type is assigned.
    #[inline]
    pub fn state(&self, slot: u32, field_type: FieldType) -> Result<State, ErrorCode> {
        let stamp = self.slots[slot as usize].stamp;
        if stamp == self.epoch | kind(field_type) {
            Ok(State::Assigned)
        } else if stamp < self.epoch {
            Ok(State::Undefined)
        } else if stamp == self.epoch | EMPTY {
            Ok(State::Empty)
        } else {
            Err(ErrorCode::D4)
        }
    }

    /// The bits of an integer or mantissa of a kind, where that is what is assigned.
    #[inline(always)]
    pub fn assigned(&self, slot: u32, kind: u64) -> Option<u64> {
        let slot = &self.slots[slot as usize];
        (slot.stamp == self.epoch | kind).then_some(slot.bits)
    }

    /// Mantissa and exponent of a decimal, where one is assigned.
    #[inline(always)]
    pub fn assigned_decimal(&self, slot: u32, kind: u64) -> Option<(i64, i32)> {
        let slot = &self.slots[slot as usize];
        (slot.stamp == self.epoch | kind).then_some((slot.bits.cast_signed(), slot.more))
    }

    /// A short string, where one was assigned as such.
    #[inline(always)]
    pub fn assigned_short(&self, slot: u32, kind: u64) -> Option<Text> {
        let slot = &self.slots[slot as usize];
        let is_short = slot.stamp == self.epoch | kind && slot.more != LONG;
        is_short.then(|| Text::from_bytes(slot.short, slot.more as usize))
    }

    /// Whether something of a kind is assigned.
    #[inline(always)]
    pub fn is_assigned(&self, slot: u32, kind: u64) -> bool {
        self.slots[slot as usize].stamp == self.epoch | kind
    }

    /// Whether the entry is empty.
    #[inline(always)]
    pub fn is_empty(&self, slot: u32) -> bool {
        self.slots[slot as usize].stamp == self.epoch | EMPTY
    }

    /// Whether the entry is undefined.
    #[inline(always)]
    pub fn is_undefined(&self, slot: u32) -> bool {
        self.slots[slot as usize].stamp < self.epoch
    }

    /// The bits of an assigned integer or mantissa.
    #[inline]
    pub fn bits(&self, slot: u32) -> u64 {
        self.slots[slot as usize].bits
    }

    /// The exponent of an assigned decimal.
    #[inline]
    pub fn exponent(&self, slot: u32) -> i32 {
        self.slots[slot as usize].more
    }

    /// The bytes of an assigned string or vector.
    #[inline]
    pub fn text(&self, slot: u32) -> &[u8] {
        let held = &self.slots[slot as usize];
        held.short.get(..held.more as usize).unwrap_or(&self.texts[slot as usize])
    }

    #[inline]
    pub fn assign(&mut self, slot: u32, field_type: FieldType, bits: u64, exponent: i32) {
        self.assign_decimal(slot, kind(field_type), bits, exponent);
    }

    /// Assigns an integer of a kind.
    #[inline(always)]
    pub fn assign_bits(&mut self, slot: u32, kind: u64, bits: u64) {
        let stamp = self.epoch | kind;
        let slot = &mut self.slots[slot as usize];
        slot.stamp = stamp;
        slot.bits = bits;
    }

    /// Assigns a decimal.
    #[inline(always)]
    pub fn assign_decimal(&mut self, slot: u32, kind: u64, mantissa: u64, exponent: i32) {
        let stamp = self.epoch | kind;
        let slot = &mut self.slots[slot as usize];
        slot.stamp = stamp;
        slot.bits = mantissa;
        slot.more = exponent;
    }

    /// Assigns a short string.
    #[inline(always)]
    pub fn assign_short(&mut self, slot: u32, kind: u64, text: Text) {
        let stamp = self.epoch | kind;
        let slot = &mut self.slots[slot as usize];
        slot.stamp = stamp;
        slot.short = text.bytes();
        slot.more = text.length as i32;
    }

    /// Assigns the string that the caller leaves in the returned memory. It holds the string
    /// assigned before, if one is assigned.
    #[inline]
    pub fn assign_text(&mut self, slot: u32, field_type: FieldType) -> &mut Vec<u8> {
        let (held, long) = (&mut self.slots[slot as usize], &mut self.texts[slot as usize]);
        let stamp = self.epoch | kind(field_type);
        if held.stamp == stamp
            && let Some(text) = held.short.get(..held.more as usize)
        {
            long.clear();
            long.extend_from_slice(text);
        }
        held.stamp = stamp;
        held.more = LONG;
        long
    }

    #[inline]
    pub fn set_empty(&mut self, slot: u32) {
        self.slots[slot as usize].stamp = self.epoch | EMPTY;
    }
}

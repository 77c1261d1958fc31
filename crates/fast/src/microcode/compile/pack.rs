//! Slots to rows.

use crate::microcode::isa::{LANES, MAX_UNCERTAIN, Row, Slot, WINDOW};

/// The row that is being filled.
pub(super) struct Packer {
    fields_per_row: usize,
    row: Row,
    /// The first lane that is free.
    next: usize,
    fields: usize,
    open: bool,
}

impl Packer {
    pub fn new(fields_per_row: usize) -> Self {
        Self { fields_per_row, row: Row::EMPTY, next: 0, fields: 0, open: false }
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.fields_per_row);
    }

    /// Begins a row that takes a presence map. There is none open.
    pub fn begin(&mut self, push: bool) {
        debug_assert!(!self.open);
        self.row.push = push;
        self.open = true;
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The first lane for `slots`, which go side by side, if they fit the row that is open.
    pub fn lane(&self, slots: &[Slot], wanted: Option<usize>) -> Option<usize> {
        let lane = match wanted {
            Some(lane) if lane < self.next => return None,
            Some(lane) => lane,
            None => self.next,
        };
        let closed = self.row.used().last().is_some_and(Slot::must_be_last);
        if lane + slots.len() > LANES || self.fields >= self.fields_per_row || closed {
            return None;
        }
        let mut row = self.row;
        row.slots[lane..lane + slots.len()].copy_from_slice(slots);
        let fits = row.max_entities() <= WINDOW
            && row.uncertain() <= MAX_UNCERTAIN
            && !row.bits_are_late();
        fits.then_some(lane)
    }

    /// Puts slots where [`Packer::lane`] said.
    pub fn put(&mut self, slots: &[Slot], lane: usize) {
        self.row.slots[lane..lane + slots.len()].copy_from_slice(slots);
        self.next = lane + slots.len();
        self.fields += 1;
        self.open = true;
    }

    /// The row; the next one is empty.
    pub fn take(&mut self) -> Row {
        let row = self.row;
        self.clear();
        row
    }
}

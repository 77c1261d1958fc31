//! Puts what taps see into the order of time.
//!
//! A frame's whole way is known when it is sent, so both of its stamps are noted then, some of them
//! in the future; they come out when the world's clock has passed them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use saker_wire::time::Nanos;

use super::{TapRecord, Way};

/// A record that is due at its first byte.
#[derive(Debug)]
pub(crate) struct Sighting {
    pub tap: usize,
    pub way: Way,
    pub record: TapRecord,
    pub bytes: Rc<Vec<u8>>,
}

#[derive(Debug, Default)]
pub(crate) struct Pending {
    due: BinaryHeap<Reverse<(Nanos, u64)>>,
    sightings: BTreeMap<u64, Sighting>,
    next_sequence: u64,
}

impl Pending {
    pub(crate) fn push(&mut self, sighting: Sighting) {
        self.due.push(Reverse((sighting.record.first_ns, self.next_sequence)));
        self.sightings.insert(self.next_sequence, sighting);
        self.next_sequence += 1;
    }

    /// The earliest sighting that is not later than `now`.
    pub(crate) fn pop_until(&mut self, now: Nanos) -> Option<Sighting> {
        let &Reverse((at, sequence)) = self.due.peek()?;
        if at > now {
            return None;
        }
        self.due.pop();
        self.sightings.remove(&sequence)
    }
}

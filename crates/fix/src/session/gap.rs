//! Messages that came too early, and the request for those before them.

use std::collections::BTreeMap;

use saker_wire::time::Nanos;

/// A message above a gap.
pub(super) enum Held {
    /// Whole message, to be processed when its turn comes.
    Message(Vec<u8>),
    /// It had to be processed at once; only its number counts.
    Processed,
}

/// The request that is open.
pub(super) struct Request {
    /// Closed once this number is received.
    pub until: u32,
    /// When to ask again.
    pub deadline: Nanos,
}

/// Bytes a held message costs beyond its own.
const OVERHEAD: usize = 64;

#[derive(Default)]
pub(super) struct Gap {
    held: BTreeMap<u32, Held>,
    bytes: usize,
    pub request: Option<Request>,
}

impl Gap {
    /// Keeps a message; false if it does not fit `capacity`. The first under a number stays.
    pub fn hold(&mut self, seq: u32, held: Held, capacity: usize) -> bool {
        let cost = cost(&held);
        if self.held.contains_key(&seq) {
            return true;
        }
        if self.bytes + cost > capacity {
            return false;
        }
        self.bytes += cost;
        self.held.insert(seq, held);
        true
    }

    /// Takes the message with number `next`, if it is there; forgets those before it.
    pub fn take(&mut self, next: u32) -> Option<Held> {
        loop {
            let first = self.held.first_entry()?;
            if *first.key() > next {
                return None;
            }
            let (seq, held) = first.remove_entry();
            self.bytes -= cost(&held);
            if seq == next {
                return Some(held);
            }
        }
    }

    /// Largest number held.
    pub fn last(&self) -> Option<u32> {
        self.held.last_key_value().map(|(seq, _)| *seq)
    }

    pub fn clear(&mut self) {
        *self = Gap::default();
    }
}

fn cost(held: &Held) -> usize {
    match held {
        Held::Message(bytes) => bytes.len() + OVERHEAD,
        Held::Processed => OVERHEAD,
    }
}

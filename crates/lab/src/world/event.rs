//! The event queue: earliest first, and first scheduled first among equals.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

use saker_wire::station::{FrameId, TxFrame};
use saker_wire::time::Nanos;

use super::LineId;

#[derive(Debug)]
pub(crate) enum Event {
    /// The station asked to be woken. Stale unless `generation` is still the node's.
    Wake { node: usize, generation: u64 },
    /// The station's frame is ready to be sent.
    Ready { node: usize, frame: TxFrame },
    /// The last byte of a frame arrives; at a station that works in between, its preamble.
    Arrive { line: LineId, id: FrameId, first: Nanos, corrupt: bool, bytes: Rc<Vec<u8>> },
}

struct Entry {
    at: Nanos,
    sequence: u64,
    event: Event,
}

impl Entry {
    fn key(&self) -> (Nanos, u64) {
        (self.at, self.sequence)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// Reversed, because `BinaryHeap` gives its greatest element.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

#[derive(Default)]
pub(crate) struct EventQueue {
    heap: BinaryHeap<Entry>,
    next_sequence: u64,
}

impl EventQueue {
    pub(crate) fn push(&mut self, at: Nanos, event: Event) {
        self.heap.push(Entry { at, sequence: self.next_sequence, event });
        self.next_sequence += 1;
    }

    /// The earliest event, if it is not later than `limit`.
    pub(crate) fn pop_until(&mut self, limit: Nanos) -> Option<(Nanos, Event)> {
        if self.heap.peek()?.at > limit {
            return None;
        }
        self.heap.pop().map(|entry| (entry.at, entry.event))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_keep_the_order_of_scheduling() {
        let mut queue = EventQueue::default();
        for (at, node) in [(5, 0), (3, 1), (5, 2), (3, 3), (4, 4)] {
            queue.push(at, Event::Wake { node, generation: 0 });
        }
        let mut order = Vec::new();
        while let Some((at, Event::Wake { node, .. })) = queue.pop_until(Nanos::MAX) {
            order.push((at, node));
        }
        assert_eq!(order, [(3, 1), (3, 3), (4, 4), (5, 0), (5, 2)]);
        assert!(queue.is_empty());
    }

    #[test]
    fn later_than_the_limit_stays() {
        let mut queue = EventQueue::default();
        queue.push(10, Event::Wake { node: 0, generation: 0 });
        assert!(queue.pop_until(9).is_none());
        assert!(!queue.is_empty());
        assert!(queue.pop_until(10).is_some());
    }
}

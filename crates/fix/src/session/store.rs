//! The resend store: a ring of bytes with the application messages sent last.

use std::collections::VecDeque;

struct Entry {
    seq: u32,
    at: usize,
    len: usize,
}

/// Keeps whole messages, each in one piece, in ascending order of MsgSeqNum. The oldest make room.
pub(super) struct Store {
    ring: Box<[u8]>,
    entries: VecDeque<Entry>,
    /// Where the next message goes.
    head: usize,
    evicted: u64,
}

impl Store {
    pub fn new(capacity: usize) -> Self {
        Store {
            ring: vec![0; capacity].into_boxed_slice(),
            entries: VecDeque::new(),
            head: 0,
            evicted: 0,
        }
    }

    /// Keeps `message`; one that is larger than the ring counts as evicted at once.
    pub fn push(&mut self, seq: u32, message: &[u8]) {
        debug_assert!(!message.is_empty(), "an empty entry would never make room");
        debug_assert!(self.entries.back().is_none_or(|last| last.seq < seq));
        if message.len() > self.ring.len() {
            self.evicted += 1;
            return;
        }
        if self.head + message.len() > self.ring.len() {
            // The end of the ring stays unused this time round; what is left there is oldest.
            let head = self.head;
            self.evict_while(|oldest| oldest.at >= head);
            self.head = 0;
        }
        let (start, end) = (self.head, self.head + message.len());
        self.evict_while(|oldest| oldest.at < end && oldest.at + oldest.len > start);
        self.ring[start..end].copy_from_slice(message);
        self.entries.push_back(Entry { seq, at: start, len: message.len() });
        self.head = end;
    }

    /// Messages with `first <= seq <= last`, ascending.
    pub fn range(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, &[u8])> {
        let from = self.entries.partition_point(|entry| entry.seq < first);
        self.entries
            .range(from..)
            .take_while(move |entry| entry.seq <= last)
            .map(|entry| (entry.seq, &self.ring[entry.at..entry.at + entry.len]))
    }

    /// Forgets everything: the sequence numbers begin anew.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.head = 0;
    }

    /// Messages that fell out.
    pub fn evicted(&self) -> u64 {
        self.evicted
    }

    fn evict_while(&mut self, condition: impl Fn(&Entry) -> bool) {
        while self.entries.front().is_some_and(&condition) {
            self.entries.pop_front();
            self.evicted += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a list: what is kept is an unbroken run of the newest messages, unharmed, and no
        /// shorter than the ring allows. It may lose less than one message at its end and less than
        /// one beside the newest.
        #[test]
        fn the_newest_messages_are_kept(
            capacity in 16usize..200,
            lengths in prop_oneof![
                prop::collection::vec(1usize..12, 0..200),
                prop::collection::vec(1usize..70, 0..200),
            ],
        ) {
            let mut store = Store::new(capacity);
            let mut sent = Vec::new();
            let mut longest = 0;
            for (index, length) in lengths.into_iter().enumerate() {
                let message = vec![index as u8; length];
                store.push(index as u32 + 1, &message);
                if length <= capacity {
                    longest = longest.max(length);
                    sent.push((index as u32 + 1, message));
                }
                let kept: Vec<_> =
                    store.range(0, u32::MAX).map(|(seq, bytes)| (seq, bytes.to_vec())).collect();
                prop_assert_eq!(&kept[..], &sent[sent.len() - kept.len()..]);
                prop_assert_eq!(store.evicted() as usize, index + 1 - kept.len());
                prop_assert_eq!(kept.is_empty(), sent.is_empty());
                let mut room = (capacity + 2).saturating_sub(2 * longest);
                let fits = sent.iter().rev().take_while(|(_, message)| {
                    room.checked_sub(message.len()).map(|left| room = left).is_some()
                });
                prop_assert!(fits.count() <= kept.len());
            }
        }
    }

    #[test]
    fn ranges_are_inclusive() {
        let mut store = Store::new(100);
        for seq in [2, 3, 5, 8] {
            store.push(seq, b"x");
        }
        let seqs = |first, last| store.range(first, last).map(|(seq, _)| seq).collect::<Vec<_>>();
        assert_eq!(seqs(3, 5), [3, 5]);
        assert_eq!(seqs(4, 7), [5]);
        assert_eq!(seqs(9, 20), [0u32; 0]);
    }
}

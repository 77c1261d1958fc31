//! A byte queue of fixed capacity: the memory of both directions.

/// Bytes in order, oldest first. The memory is taken once.
#[derive(Debug)]
pub struct ByteRing {
    memory: Box<[u8]>,
    /// Index of the oldest byte.
    head: usize,
    len: usize,
}

impl ByteRing {
    /// A ring for `capacity` bytes, at least 1.
    pub fn new(capacity: usize) -> ByteRing {
        assert!(capacity > 0);
        ByteRing { memory: vec![0; capacity].into_boxed_slice(), head: 0, len: 0 }
    }

    /// Bytes held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no byte is held.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that still fit.
    pub fn free(&self) -> usize {
        self.memory.len() - self.len
    }

    /// Appends as many of `bytes` as fit and says how many.
    pub fn push(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.free());
        self.write_at(self.len, &bytes[..count]);
        self.len += count;
        count
    }

    /// Writes `bytes` beginning `offset` bytes after the oldest one, which may lie behind what is
    /// held, without counting them as held.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn write_at(&mut self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.memory.len(), "the ring holds what is written");
        let start = self.wrapped(offset);
        let first = bytes.len().min(self.memory.len() - start);
        self.memory[start..start + first].copy_from_slice(&bytes[..first]);
        self.memory[..bytes.len() - first].copy_from_slice(&bytes[first..]);
    }

    /// Counts `count` bytes behind the held ones, written before, as held.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn extend(&mut self, count: usize) {
        assert!(count <= self.free());
        self.len += count;
    }

    /// The `count` bytes that begin `offset` bytes after the oldest one, in at most two pieces.
    ///
    /// # Panics
    /// If they are not all held.
    pub fn slices(&self, offset: usize, count: usize) -> (&[u8], &[u8]) {
        assert!(offset + count <= self.len, "only held bytes are read");
        let start = self.wrapped(offset);
        let first = count.min(self.memory.len() - start);
        (&self.memory[start..start + first], &self.memory[..count - first])
    }

    /// Drops the `count` oldest bytes.
    ///
    /// # Panics
    /// If fewer are held.
    pub fn consume(&mut self, count: usize) {
        assert!(count <= self.len);
        self.head = self.wrapped(count);
        self.len -= count;
    }

    /// Drops all bytes.
    pub fn clear(&mut self) {
        self.head = 0;
        self.len = 0;
    }

    /// The index `offset` bytes after the oldest one; `offset` is at most the capacity.
    fn wrapped(&self, offset: usize) -> usize {
        let index = self.head + offset;
        if index >= self.memory.len() { index - self.memory.len() } else { index }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn behaves_as_a_deque(capacity in 1usize..40, steps in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..30)), 0..60)) {
            let mut ring = ByteRing::new(capacity);
            let mut model = VecDeque::new();
            for (push, bytes) in steps {
                if push {
                    let fits = bytes.len().min(capacity - model.len());
                    prop_assert_eq!(ring.push(&bytes), fits);
                    model.extend(&bytes[..fits]);
                } else {
                    let count = bytes.len().min(model.len());
                    let (a, b) = ring.slices(0, count);
                    let expected: Vec<u8> = model.drain(..count).collect();
                    prop_assert_eq!([a, b].concat(), expected);
                    ring.consume(count);
                }
                prop_assert_eq!(ring.len(), model.len());
                prop_assert_eq!(ring.free(), capacity - model.len());
            }
        }
    }
}

//! Bytes that wait for the transport.

use std::collections::VecDeque;

/// A queue of messages that may be taken whole or byte by byte.
#[derive(Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    /// Bytes at the front that were taken.
    taken: usize,
    /// End of each message not wholly taken, in `bytes`.
    ends: VecDeque<usize>,
}

impl Output {
    pub fn push(&mut self, message: &[u8]) {
        if self.taken == self.bytes.len() {
            self.clear();
        } else if self.taken > self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            for end in &mut self.ends {
                *end -= self.taken;
            }
            self.taken = 0;
        }
        self.bytes.extend_from_slice(message);
        self.ends.push_back(self.bytes.len());
    }

    pub fn pending(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// The rest of the first message.
    pub fn pop(&mut self) -> Option<&[u8]> {
        let end = self.ends.pop_front()?;
        let start = std::mem::replace(&mut self.taken, end);
        Some(&self.bytes[start..end])
    }

    /// Takes `count` bytes, or all there are.
    pub fn consume(&mut self, count: usize) {
        self.taken = self.taken.saturating_add(count).min(self.bytes.len());
        while self.ends.front().is_some_and(|&end| end <= self.taken) {
            self.ends.pop_front();
        }
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.taken = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_messages_and_parts_can_be_mixed() {
        let mut output = Output::default();
        output.push(b"abc");
        output.push(b"defg");
        output.consume(1);
        assert_eq!(output.pop(), Some(&b"bc"[..]));
        output.consume(3);
        output.push(b"hi");
        assert_eq!(output.pending(), b"ghi");
        assert_eq!(output.pop(), Some(&b"g"[..]));
        output.consume(100);
        assert_eq!(output.pop(), None);
        output.push(b"j");
        assert_eq!(output.pop(), Some(&b"j"[..]));
        assert_eq!(output.pending(), b"");
    }
}

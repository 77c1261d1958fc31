//! A set of tags as bits.

/// Tags below 65,536, one bit each up to the largest member.
#[derive(Debug, Clone, Default)]
pub(super) struct TagSet {
    words: Vec<u64>,
}

impl TagSet {
    pub fn insert(&mut self, tag: u32) {
        debug_assert!(tag <= super::MAX_TAG);
        let word = (tag / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (tag % 64);
    }

    pub fn contains(&self, tag: u32) -> bool {
        self.words.get((tag / 64) as usize).is_some_and(|word| word >> (tag % 64) & 1 == 1)
    }
}

/// Tags seen in one message or entry, on the stack. Tags from 1,024 on, which FIX 4.4 does not
/// define, are not tracked.
#[derive(Default)]
pub(super) struct Seen([u64; 16]);

impl Seen {
    /// Enters `tag`; false if it was there.
    pub fn insert(&mut self, tag: u32) -> bool {
        let Some(word) = self.0.get_mut((tag / 64) as usize) else { return true };
        let bit = 1 << (tag % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub fn contains(&self, tag: u32) -> bool {
        self.0.get((tag / 64) as usize).is_some_and(|word| word >> (tag % 64) & 1 == 1)
    }
}

//! The prices of one side, sorted, best last.
//!
//! Almost everything in a market happens within a few prices of the best one. So the levels are a
//! plain sorted array with the best at the *end*: the best is one load, adding or emptying a price
//! near it moves a few words, and a lookup first walks back over the nearest prices, which share
//! one or two cache lines. Adding or emptying a price far from the best moves the prices between:
//! linear in their number, 12 bytes each.

/// How many prices from the best a lookup walks before it searches by halves.
const NEAR: usize = 8;

#[derive(Debug)]
pub(crate) struct Ladder {
    /// Ranks ([`Side::rank`](crate::Side::rank)), ascending: better is later.
    ranks: Vec<i64>,
    /// The level of the rank at the same index.
    levels: Vec<u32>,
}

impl Ladder {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { ranks: Vec::with_capacity(capacity), levels: Vec::with_capacity(capacity) }
    }

    /// The level of the best price.
    #[inline]
    pub(crate) fn best(&self) -> Option<u32> {
        self.levels.last().copied()
    }

    /// The index of a rank, or where it would be inserted.
    #[inline]
    fn search(&self, rank: i64) -> Result<usize, usize> {
        let far = self.ranks.len().saturating_sub(NEAR);
        for index in (far..self.ranks.len()).rev() {
            let here = self.ranks[index];
            if here <= rank {
                return if here == rank { Ok(index) } else { Err(index + 1) };
            }
        }
        self.ranks[..far].binary_search(&rank)
    }

    /// The level at a rank, or the index to insert it at.
    #[inline]
    pub(crate) fn find(&self, rank: i64) -> Result<u32, usize> {
        self.search(rank).map(|index| self.levels[index])
    }

    /// Enters a level at the index that [`Ladder::find`] just gave.
    #[inline]
    pub(crate) fn insert(&mut self, index: usize, rank: i64, level: u32) {
        debug_assert!(self.ranks.len() < self.ranks.capacity(), "the ladder never grows");
        self.ranks.insert(index, rank);
        self.levels.insert(index, level);
    }

    /// Takes out the level at a rank that is present.
    #[inline]
    pub(crate) fn remove(&mut self, rank: i64) {
        let index = self.search(rank).expect("the rank of a live level is in the ladder");
        self.ranks.remove(index);
        self.levels.remove(index);
    }

    /// The levels, best first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.levels.iter().rev().copied()
    }

    /// Whether ranks are strictly ascending, as they always must be.
    pub(crate) fn is_sorted(&self) -> bool {
        self.ranks.is_sorted_by(|a, b| a < b) && self.ranks.len() == self.levels.len()
    }

    /// The rank at each index from the best on.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = i64> + '_ {
        self.ranks.iter().rev().copied()
    }

    pub(crate) fn clear(&mut self) {
        self.ranks.clear();
        self.levels.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_near_and_far() {
        let mut ladder = Ladder::with_capacity(100);
        for n in (0..100).rev() {
            let Err(at) = ladder.find(n * 2) else { panic!("{n} present") };
            assert_eq!(at, 0);
            ladder.insert(at, n * 2, n as u32);
        }
        assert!(ladder.is_sorted());
        assert_eq!(ladder.best(), Some(99));
        for n in 0..100 {
            assert_eq!(ladder.find(n * 2), Ok(n as u32));
            assert_eq!(ladder.find(n * 2 + 1), Err(n as usize + 1));
        }
        assert_eq!(ladder.find(-1), Err(0));
        ladder.remove(198);
        ladder.remove(0);
        ladder.remove(100);
        assert_eq!(ladder.best(), Some(98));
        assert_eq!(ladder.find(100), Err(49));
        assert!(ladder.is_sorted());
    }
}

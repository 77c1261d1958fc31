//! The prices of one side, sorted, best last.
//!
//! Almost everything in a market happens within a few prices of the best one. So the ranks are
//! sorted arrays with the best at the *end*: the best is one load, adding or emptying a price near
//! it moves a few words, and a lookup first walks back over the nearest prices, which share one or
//! two cache lines.
//!
//! A book may also be wide (tens of thousands of prices, most of them far from the best), and then
//! one array would be slow. So the array is cut into *blocks* of at most [`BLOCK`] prices, with a
//! sorted directory of their least ranks. A full block splits in two; a block that could merge with
//! its neighbour into half a block does. Hence any two neighbours hold more than half a block
//! together, the number of blocks is bounded by the number of prices, and all of them are taken at
//! start. A change moves at most one block's ranks and the directory behind it.

/// The most prices in a block.
const BLOCK: usize = 128;

/// How many prices from the best a lookup walks before it searches by halves.
const NEAR: usize = 8;

/// Some neighbouring prices.
#[derive(Debug, Clone)]
struct Block {
    len: usize,
    /// Ranks ([`Side::rank`](crate::Side::rank)), ascending: better is later.
    ranks: [i64; BLOCK],
    /// The level of the rank at the same index.
    levels: [u32; BLOCK],
}

impl Block {
    const EMPTY: Block = Block { len: 0, ranks: [0; BLOCK], levels: [0; BLOCK] };

    fn ranks(&self) -> &[i64] {
        &self.ranks[..self.len]
    }

    fn levels(&self) -> &[u32] {
        &self.levels[..self.len]
    }

    fn insert(&mut self, at: usize, rank: i64, level: u32) {
        self.ranks.copy_within(at..self.len, at + 1);
        self.levels.copy_within(at..self.len, at + 1);
        self.ranks[at] = rank;
        self.levels[at] = level;
        self.len += 1;
    }

    fn remove(&mut self, at: usize) {
        self.ranks.copy_within(at + 1..self.len, at);
        self.levels.copy_within(at + 1..self.len, at);
        self.len -= 1;
    }

    /// Puts all of `other`, whose ranks are greater, at the end.
    fn append(&mut self, other: &Block) {
        self.ranks[self.len..self.len + other.len].copy_from_slice(other.ranks());
        self.levels[self.len..self.len + other.len].copy_from_slice(other.levels());
        self.len += other.len;
    }
}

#[derive(Debug)]
pub(crate) struct Ladder {
    /// All blocks that were ever used; those not in the directory are in `free`.
    blocks: Vec<Block>,
    free: Vec<u32>,
    /// The blocks in use, ascending: where each is, and its least rank. None is empty.
    directory: Vec<u32>,
    least: Vec<i64>,
}

/// Where a rank is, or would be inserted: an index of the directory and one of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    block: usize,
    at: usize,
}

impl Ladder {
    /// A ladder for at most `capacity` prices.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        // Neighbours hold more than half a block together, and one may be about to split.
        let most = 4 * capacity / BLOCK + 3;
        Self {
            blocks: Vec::with_capacity(most),
            free: Vec::with_capacity(most),
            directory: Vec::with_capacity(most),
            least: Vec::with_capacity(most),
        }
    }

    #[inline]
    fn block(&self, index: usize) -> &Block {
        &self.blocks[self.directory[index] as usize]
    }

    #[inline]
    fn block_mut(&mut self, index: usize) -> &mut Block {
        &mut self.blocks[self.directory[index] as usize]
    }

    /// The level of the best price.
    #[inline]
    pub(crate) fn best(&self) -> Option<u32> {
        let last = self.directory.last()?;
        self.blocks[*last as usize].levels().last().copied()
    }

    /// The spot of a rank that is present, or the spot to insert it at.
    #[inline]
    fn search(&self, rank: i64) -> Result<Spot, Spot> {
        let Some(last) = self.directory.len().checked_sub(1) else {
            return Err(Spot { block: 0, at: 0 });
        };
        let ranks = self.block(last).ranks();
        let far = ranks.len().saturating_sub(NEAR);
        for at in (far..ranks.len()).rev() {
            if ranks[at] == rank {
                return Ok(Spot { block: last, at });
            }
            if ranks[at] < rank {
                return Err(Spot { block: last, at: at + 1 });
            }
        }
        // The last block whose least rank is not above it, or the first block of all.
        let block = match self.least[last] <= rank {
            true => last,
            false => self.least.partition_point(|least| *least <= rank).saturating_sub(1),
        };
        match self.block(block).ranks().binary_search(&rank) {
            Ok(at) => Ok(Spot { block, at }),
            Err(at) => Err(Spot { block, at }),
        }
    }

    /// The level at a rank, or the spot to insert it at.
    #[inline]
    pub(crate) fn find(&self, rank: i64) -> Result<u32, Spot> {
        self.search(rank).map(|Spot { block, at }| self.block(block).levels[at])
    }

    /// Enters a level at the spot that [`Ladder::find`] just gave.
    #[inline]
    pub(crate) fn insert(&mut self, spot: Spot, rank: i64, level: u32) {
        let Spot { mut block, mut at } = spot;
        if self.directory.is_empty() {
            self.open_block(0, rank);
        } else if self.block(block).len == BLOCK {
            self.split(block);
            if at > BLOCK / 2 {
                (block, at) = (block + 1, at - BLOCK / 2);
            }
        }
        self.block_mut(block).insert(at, rank, level);
        self.least[block] = self.block(block).ranks[0];
    }

    /// Takes out the level at a rank that is present.
    #[inline]
    pub(crate) fn remove(&mut self, rank: i64) {
        let spot = self.search(rank);
        let Spot { block, at } = spot.expect("the rank of a live level is in the ladder");
        self.block_mut(block).remove(at);
        let len = self.block(block).len;
        if len == 0 {
            self.close_block(block);
            return;
        }
        self.least[block] = self.block(block).ranks[0];
        if len <= BLOCK / 2 && self.directory.len() > 1 {
            self.merge(block);
        }
    }

    /// The levels, best first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let blocks = self.directory.iter().rev();
        blocks.flat_map(|block| self.blocks[*block as usize].levels().iter().rev().copied())
    }

    /// The ranks, best first.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = i64> + '_ {
        let blocks = self.directory.iter().rev();
        blocks.flat_map(|block| self.blocks[*block as usize].ranks().iter().rev().copied())
    }

    /// Whether ranks strictly descend from the best, and blocks and directory are as they must be.
    pub(crate) fn is_sound(&self) -> bool {
        let lens = || (0..self.directory.len()).map(|index| self.block(index).len);
        let leasts = (0..self.directory.len()).map(|index| self.block(index).ranks[0]);
        self.ranks().is_sorted_by(|a, b| a > b)
            && lens().all(|len| len > 0)
            && lens().zip(lens().skip(1)).all(|(a, b)| a + b > BLOCK / 2)
            && leasts.eq(self.least.iter().copied())
            && self.free.len() + self.directory.len() == self.blocks.len()
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.free.clear();
        self.directory.clear();
        self.least.clear();
    }

    /// Enters an empty block into the directory.
    fn open_block(&mut self, index: usize, least: i64) {
        let block = self.free.pop().unwrap_or_else(|| {
            debug_assert!(self.blocks.len() < self.blocks.capacity(), "a ladder never grows");
            self.blocks.push(Block::EMPTY);
            self.blocks.len() as u32 - 1
        });
        self.directory.insert(index, block);
        self.least.insert(index, least);
    }

    /// Takes a block out of the directory.
    fn close_block(&mut self, index: usize) {
        let block = self.directory.remove(index);
        self.least.remove(index);
        self.blocks[block as usize].len = 0;
        self.free.push(block);
        // Its neighbours meet now. Each held more than half a block together with the last price
        // here, so at least half alone: there is nothing to merge.
    }

    /// Moves the upper half of a full block to a new one behind it.
    #[cold]
    fn split(&mut self, index: usize) {
        let middle = self.block(index).ranks[BLOCK / 2];
        self.open_block(index + 1, middle);
        let (lower, upper) = self.pair(index);
        lower.len = BLOCK / 2;
        upper.len = BLOCK / 2;
        upper.ranks[..BLOCK / 2].copy_from_slice(&lower.ranks[BLOCK / 2..]);
        upper.levels[..BLOCK / 2].copy_from_slice(&lower.levels[BLOCK / 2..]);
    }

    /// Merges a block with a neighbour if both fit half a block.
    fn merge(&mut self, index: usize) {
        for lower in [index, index.wrapping_sub(1)] {
            if lower >= self.directory.len() - 1 {
                continue;
            }
            let (below, above) = self.pair(lower);
            if below.len + above.len <= BLOCK / 2 {
                below.append(above);
                above.len = 0;
                let block = self.directory.remove(lower + 1);
                self.least.remove(lower + 1);
                self.free.push(block);
                return;
            }
        }
    }

    /// A block and the next one.
    fn pair(&mut self, index: usize) -> (&mut Block, &mut Block) {
        let pair = [self.directory[index] as usize, self.directory[index + 1] as usize];
        let [lower, upper] =
            self.blocks.get_disjoint_mut(pair).expect("the directory names each block once");
        (lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn check(ladder: &Ladder, model: &BTreeMap<i64, u32>) {
        assert!(ladder.is_sound());
        assert_eq!(ladder.best(), model.values().next_back().copied());
        assert!(ladder.ranks().eq(model.keys().rev().copied()));
        assert!(ladder.iter().eq(model.values().rev().copied()));
    }

    fn toggle(ladder: &mut Ladder, model: &mut BTreeMap<i64, u32>, rank: i64) {
        match ladder.find(rank) {
            Ok(level) => {
                assert_eq!(model.remove(&rank), Some(level));
                ladder.remove(rank);
            }
            Err(spot) => {
                let level = (rank & 0xffff) as u32;
                assert_eq!(model.insert(rank, level), None);
                ladder.insert(spot, rank, level);
            }
        }
    }

    #[test]
    fn agrees_with_a_tree_while_it_grows_and_shrinks() {
        const MOST: usize = 3_000;
        let mut random = fastrand::Rng::with_seed(5);
        for spread in [200, 2_000, 100_000] {
            let mut ladder = Ladder::with_capacity(MOST);
            let reserved = ladder.blocks.capacity();
            let mut model = BTreeMap::new();
            for step in 0..20_000 {
                // Grows for a while, then shrinks for a while.
                let shrink = step / 5_000 % 2 == 1 || model.len() == MOST;
                let mut rank = random.i64(-spread..spread);
                if shrink && random.u32(0..10) < 9 {
                    rank = model.range(rank..).next().map_or(rank, |(rank, _)| *rank);
                }
                if model.len() < MOST || model.contains_key(&rank) {
                    toggle(&mut ladder, &mut model, rank);
                }
                if step % 97 == 0 {
                    check(&ladder, &model);
                }
            }
            while let Some((&rank, _)) = model.first_key_value() {
                toggle(&mut ladder, &mut model, rank);
                check(&ladder, &model);
            }
            assert_eq!(ladder.blocks.capacity(), reserved, "it never grows");
            assert_eq!(ladder.free.len(), ladder.blocks.len());
        }
    }

    #[test]
    fn sparse_blocks_stay_within_what_was_reserved() {
        // Fill, then thin out every block evenly: the most blocks for the fewest prices.
        const MOST: i64 = 4_096;
        let mut ladder = Ladder::with_capacity(MOST as usize);
        let mut model = BTreeMap::new();
        (0..MOST).for_each(|rank| toggle(&mut ladder, &mut model, rank * 100));
        check(&ladder, &model);
        (0..MOST).filter(|n| n % 4 != 0).for_each(|n| toggle(&mut ladder, &mut model, n * 100));
        check(&ladder, &model);
        assert!(ladder.directory.len() <= 4 * model.len() / BLOCK + 2);
    }
}

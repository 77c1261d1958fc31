//! Order id to slab slot: open addressing with linear probing, fixed size, no tombstones.
//!
//! The table has at least twice as many places as the book has orders, so probes stay short, and a
//! removal shifts its followers back instead of leaving a tombstone: nothing is ever rehashed, and
//! the ten-millionth cancel costs what the first did. A place is one `u64`: the upper half of the
//! id's hash, then slot + 1 (zero means empty). The id itself is compared in the slab.

use crate::OrderId;

/// 2^64 divided by the golden ratio: spreads the sequential ids that venues hand out.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Debug)]
pub(crate) struct IdMap {
    places: Vec<u64>,
    /// How far a 32-bit tag is shifted to give its home place.
    shift: u32,
}

/// Where a lookup ended.
pub(crate) enum Found {
    /// The id is at this place and has this slot.
    At { place: usize, slot: u32 },
    /// The id is absent and would go to this place.
    Vacant { place: usize },
}

impl IdMap {
    /// A map for up to `capacity` ids, at most 2^31.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let places = (capacity.max(2) * 2).next_power_of_two();
        Self { places: vec![0; places], shift: 32 - places.trailing_zeros() }
    }

    #[inline]
    fn mask(&self) -> usize {
        self.places.len() - 1
    }

    #[inline]
    fn tag(id: OrderId) -> u64 {
        id.wrapping_mul(SPREAD) >> 32
    }

    /// Looks an id up; `is_id` says whether a slot holds that id.
    #[inline]
    pub(crate) fn find(&self, id: OrderId, is_id: impl Fn(u32) -> bool) -> Found {
        let tag = Self::tag(id);
        let mut place = (tag >> self.shift) as usize;
        // Ends: fewer ids than places, so there is an empty place.
        loop {
            let entry = self.places[place];
            if entry == 0 {
                return Found::Vacant { place };
            }
            let slot = entry as u32 - 1;
            if entry >> 32 == tag && is_id(slot) {
                return Found::At { place, slot };
            }
            place = (place + 1) & self.mask();
        }
    }

    /// Enters an id at the vacant place that [`IdMap::find`] just gave.
    #[inline]
    pub(crate) fn insert_at(&mut self, place: usize, id: OrderId, slot: u32) {
        debug_assert_eq!(self.places[place], 0);
        self.places[place] = Self::tag(id) << 32 | u64::from(slot + 1);
    }

    /// Takes out the entry at `place`, and closes the gap.
    #[inline]
    pub(crate) fn remove_at(&mut self, place: usize) {
        let mask = self.mask();
        let mut hole = place;
        let mut next = place;
        loop {
            next = (next + 1) & mask;
            let entry = self.places[next];
            if entry == 0 {
                break;
            }
            let home = (entry >> 32 >> self.shift) as usize;
            // The entry may move to the hole unless its home lies after the hole.
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.places[hole] = entry;
                hole = next;
            }
        }
        self.places[hole] = 0;
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot_of(map: &IdMap, ids: &[u64], id: u64) -> Option<u32> {
        match map.find(id, |slot| ids[slot as usize] == id) {
            Found::At { slot, .. } => Some(slot),
            Found::Vacant { .. } => None,
        }
    }

    #[test]
    fn a_full_map_survives_removals_in_any_order() {
        // Half of the ids share the last place as their home, so their run wraps around.
        let empty = IdMap::with_capacity(64);
        let home = |id: &u64| (IdMap::tag(*id) >> empty.shift) as usize;
        let crowd = (0..).filter(|id| home(id) == empty.mask()).take(32);
        let ids: Vec<u64> = crowd.chain(1 << 40..(1 << 40) + 32).collect();
        for stride in [1usize, 7, 13, 31] {
            let mut map = IdMap::with_capacity(ids.len());
            for (slot, &id) in ids.iter().enumerate() {
                let Found::Vacant { place } = map.find(id, |s| ids[s as usize] == id) else {
                    panic!("{id} twice");
                };
                map.insert_at(place, id, slot as u32);
            }
            let mut gone = vec![false; ids.len()];
            for n in 0..ids.len() {
                let victim = n * stride % ids.len();
                let id = ids[victim];
                let Found::At { place, slot } = map.find(id, |s| ids[s as usize] == id) else {
                    panic!("{id} lost");
                };
                assert_eq!(slot as usize, victim);
                map.remove_at(place);
                gone[victim] = true;
                for (other, &id) in ids.iter().enumerate() {
                    let want = (!gone[other]).then_some(other as u32);
                    assert_eq!(slot_of(&map, &ids, id), want, "stride {stride} after {n}");
                }
            }
            assert!(map.places.iter().all(|p| *p == 0));
        }
    }
}

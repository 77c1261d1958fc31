//! Pairing frames: which trigger led to which order, and how long that took.

use saker_wire::station::FrameId;

use crate::tap::TapRecord;
use crate::world::Lineage;

use super::Sample;

/// Which end of a frame a clock looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The first byte of the destination address: start of packet.
    FirstByte,
    /// The last byte of the FCS.
    LastByte,
}

impl Point {
    fn of(self, record: &TapRecord) -> u64 {
        match self {
            Self::FirstByte => record.first_ns,
            Self::LastByte => record.last_ns,
        }
    }
}

/// Records by frame.
#[derive(Debug)]
pub struct FrameIndex<'a> {
    /// In order of id; a frame passes a tap once.
    records: Vec<&'a TapRecord>,
}

impl<'a> FrameIndex<'a> {
    /// Indexes those records that `select` takes.
    pub fn new(records: &'a [TapRecord], select: impl Fn(&TapRecord) -> bool) -> Self {
        let mut records: Vec<_> = records.iter().filter(|record| select(record)).collect();
        records.sort_by_key(|record| record.id);
        Self { records }
    }

    /// The record of a frame.
    #[must_use]
    pub fn get(&self, id: FrameId) -> Option<&'a TapRecord> {
        let index = self.records.binary_search_by_key(&id, |record| record.id).ok()?;
        Some(self.records[index])
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// The result of [`pair`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pairing {
    /// One sample for each effect with a trigger, in the order of the effects.
    pub samples: Vec<Sample>,
    /// Effects that no trigger led to.
    pub untriggered: u64,
    /// Effects that came before the trigger's reference point: the first byte of an order that a
    /// cut-through machine sends before the trigger's frame has ended. They are not in `samples`.
    pub early: u64,
}

/// Measures from a point of each trigger to a point of each effect.
///
/// An effect's trigger is the nearest of its ancestors ([`Lineage`]) that is among `triggers`; the
/// effect itself counts, so that the time a frame takes from one tap to another can be measured
/// too. A trigger with several effects gives several samples.
pub fn pair<'a>(
    lineage: &Lineage,
    triggers: &FrameIndex<'_>,
    from: Point,
    effects: impl IntoIterator<Item = &'a TapRecord>,
    to: Point,
) -> Pairing {
    let mut pairing = Pairing::default();
    for effect in effects {
        let trigger = lineage.ancestors(effect.id).find_map(|id| triggers.get(id));
        let Some(trigger) = trigger else {
            pairing.untriggered += 1;
            continue;
        };
        let at = from.of(trigger);
        let Some(ns) = to.of(effect).checked_sub(at) else {
            pairing.early += 1;
            continue;
        };
        let sample = Sample { at, ns, trigger: trigger.id, trigger_bytes: trigger.bytes };
        pairing.samples.push(sample);
    }
    pairing
}

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;

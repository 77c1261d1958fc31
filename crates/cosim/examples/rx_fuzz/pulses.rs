//! Reports that are due in a cycle.

use std::collections::BTreeMap;

/// Of each cycle, which bits are high.
#[derive(Default)]
pub struct Pulses(BTreeMap<u64, u16>);

impl Pulses {
    pub fn add(&mut self, cycle: u64, bits: u16) {
        *self.0.entry(cycle).or_default() |= bits;
    }

    /// Those of this cycle must be `found`.
    pub fn check(&mut self, cycle: u64, found: u64, what: &str) -> Result<(), String> {
        let due = self.0.remove(&cycle).unwrap_or(0);
        if u64::from(due) == found {
            return Ok(());
        }
        Err(format!("{what} {found:b}, not {due:b}"))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

//! The logic's own latency meter, read by its registers.

use saker_lab::report::{Logic as Section, MeterRow, Placed};

use crate::library::CYCLE_PS;
use crate::lockstep::Counts;
use crate::logic::{Logic, LogicError};
use crate::placed;
use crate::registers::latency;

/// The stages of `trader.rdl`, by what ends them.
const STAGES: [&str; 5] = [
    "packet's first word decoded",
    "message decoded",
    "book's answer",
    "fire",
    "order's first byte out",
];

/// Reads the meter. The logic must be at rest.
///
/// # Errors
/// The registers cannot be read.
pub fn read(logic: &mut Logic) -> Result<Vec<MeterRow>, LogicError> {
    let mut rows = Vec::new();
    for (stage, name) in (0u32..).zip(STAGES) {
        let at = |register: u32| register + stage * latency::STAGE_COUNT_STRIDE;
        // The count first: it keeps the others as they are now.
        let count = logic.read(at(latency::STAGE_COUNT))?;
        let minimum = logic.read(at(latency::STAGE_MINIMUM))?;
        let maximum = logic.read(at(latency::STAGE_MAXIMUM))?;
        let sum = logic.read_wide(at(latency::STAGE_SUM))?;
        if count > 0 {
            rows.push(MeterRow {
                stage: name.to_owned(),
                count: count.into(),
                min_ns: minimum.into(),
                mean_ns: sum / u64::from(count),
                max_ns: maximum.into(),
            });
        }
    }
    Ok(rows)
}

/// The report's section about the logic.
///
/// # Errors
/// As [`read`].
pub fn section(logic: &mut Logic, counts: Counts) -> Result<Section, LogicError> {
    let meter = read(logic)?;
    let [cycles, cycles_frozen, cycles_skipped] = logic.line().cycles();
    Ok(Section {
        cycle_ps: CYCLE_PS,
        placed: Some(Placed {
            block: placed::BLOCK.to_owned(),
            khz: placed::KHZ,
            part: placed::PART.to_owned(),
        }),
        cycles,
        cycles_frozen,
        cycles_skipped,
        messages_compared: counts.messages,
        tops_compared: counts.tops,
        orders_compared: counts.orders,
        meter,
    })
}

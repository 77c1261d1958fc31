//! Where the time went inside a station.

use saker_wire::station::FrameId;

use crate::world::{NodeId, StageRecord};

use super::Sample;

/// The spans of one stage of one station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageSeries {
    /// The stage, as the station names it.
    pub stage: &'static str,
    /// Its spans, in the order they were reported.
    pub samples: Vec<Sample>,
}

/// Collects the stages of `node` that served a frame which `select` takes, in the order in which
/// the stages first appear. A span that ends before it begins counts as 0 ns.
pub fn stage_series(
    records: &[StageRecord],
    node: NodeId,
    select: impl Fn(FrameId) -> bool,
) -> Vec<StageSeries> {
    let mut stages: Vec<StageSeries> = Vec::new();
    for StageRecord { span, .. } in
        records.iter().filter(|record| record.node == node && select(record.span.cause))
    {
        let sample = Sample {
            at: span.start,
            ns: span.end.saturating_sub(span.start),
            trigger: span.cause,
            trigger_bytes: 0,
        };
        match stages.iter_mut().find(|series| series.stage == span.stage) {
            Some(series) => series.samples.push(sample),
            None => stages.push(StageSeries { stage: span.stage, samples: vec![sample] }),
        }
    }
    stages
}

#[cfg(test)]
mod tests {
    use saker_wire::station::StageSpan;

    use super::*;

    #[test]
    fn stages_keep_the_order_in_which_they_appear() {
        let record = |node, cause, stage, start, end| StageRecord {
            node: NodeId(node),
            span: StageSpan { cause, stage, start, end },
        };
        let records = [
            record(1, 7, "parse", 10, 12),
            record(2, 7, "parse", 10, 99),
            record(1, 7, "decode", 12, 20),
            record(1, 8, "parse", 30, 31),
            record(1, 9, "parse", 40, 44),
            record(1, 9, "book", 50, 45),
        ];
        let stages = stage_series(&records, NodeId(1), |cause| cause != 8);
        let found: Vec<_> = stages
            .iter()
            .map(|s| (s.stage, s.samples.iter().map(|x| x.ns).collect::<Vec<_>>()))
            .collect();
        assert_eq!(found, [("parse", vec![2, 4]), ("decode", vec![8]), ("book", vec![0])]);
    }
}

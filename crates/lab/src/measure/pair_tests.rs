use super::*;

fn record(id: FrameId, first_ns: u64, last_ns: u64) -> TapRecord {
    TapRecord { id, first_ns, last_ns, bytes: 60 + id as u32, kind: 0, cause: None }
}

/// Frames 1 and 2 are triggers, 3 answers 1, 4 forwards 3, 5 answers nothing, 6 answers 2.
fn lineage() -> Lineage {
    let mut lineage = Lineage::default();
    for cause in [None, None, Some(1), Some(3), None, Some(2)] {
        lineage.name(cause);
    }
    lineage
}

#[test]
fn spans_run_between_the_points_asked_for() {
    let lineage = lineage();
    let triggers = [record(1, 100, 150), record(2, 200, 250)];
    let triggers = FrameIndex::new(&triggers, |_| true);
    let orders = [record(3, 400, 460), record(6, 777, 800)];
    let spans = |from, to| {
        let samples = pair(&lineage, &triggers, from, &orders, to).samples;
        samples.iter().map(|s| (s.at, s.ns, s.trigger, s.trigger_bytes)).collect::<Vec<_>>()
    };
    let sop = spans(Point::FirstByte, Point::FirstByte);
    assert_eq!(sop, [(100, 300, 1, 61), (200, 577, 2, 62)]);
    let actionable = spans(Point::LastByte, Point::FirstByte);
    assert_eq!(actionable, [(150, 250, 1, 61), (250, 527, 2, 62)]);
    let whole = spans(Point::FirstByte, Point::LastByte);
    assert_eq!(whole, [(100, 360, 1, 61), (200, 600, 2, 62)]);
}

#[test]
fn the_nearest_ancestor_is_the_trigger() {
    let lineage = lineage();
    let both = [record(1, 100, 150), record(3, 400, 460)];
    let triggers = FrameIndex::new(&both, |_| true);
    let effects = [record(4, 500, 560)];
    let pairing = pair(&lineage, &triggers, Point::FirstByte, &effects, Point::FirstByte);
    assert_eq!((pairing.samples[0].trigger, pairing.samples[0].ns), (3, 100));
    let first_only = FrameIndex::new(&both, |record| record.id == 1);
    let pairing = pair(&lineage, &first_only, Point::FirstByte, &effects, Point::FirstByte);
    assert_eq!((pairing.samples[0].trigger, pairing.samples[0].ns), (1, 400));
}

#[test]
fn the_same_frame_at_another_tap_is_paired_with_itself() {
    let here = [record(3, 400, 460)];
    let there = [record(3, 900, 960)];
    let index = FrameIndex::new(&here, |_| true);
    let pairing = pair(&lineage(), &index, Point::FirstByte, &there, Point::FirstByte);
    assert_eq!(pairing.samples[0].ns, 500);
}

#[test]
fn effects_without_a_trigger_or_before_it_are_counted() {
    let triggers = [record(1, 100, 500)];
    let index = FrameIndex::new(&triggers, |_| true);
    let effects = [record(5, 300, 310), record(3, 400, 460)];
    let pairing = pair(&lineage(), &index, Point::LastByte, &effects, Point::FirstByte);
    assert_eq!(pairing, Pairing { samples: Vec::new(), untriggered: 1, early: 1 });
    assert_eq!(index.len(), 1);
    assert!(!index.is_empty());
}

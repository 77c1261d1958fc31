//! Where the time went: the stages' medians end to end.

use super::COLOURS;
use crate::report::format::{duration, per_mille};
use crate::report::html::scale::share;
use crate::report::html::svg::{Picture, px};
use crate::report::model::StageRow;

/// One bar of the stages of a station, each as long as its median.
pub(in crate::report::html) fn stage_bar(id: &str, station: &str, stages: &[&StageRow]) -> String {
    let total: u64 = stages.iter().fold(0, |sum, row| row.summary.0.p50_ns.saturating_add(sum));
    let mut picture = Picture::new(1_120, 46);
    let (left, width) = (0_i64, 11_200_i64);
    let mut before = 0;
    for (index, row) in stages.iter().enumerate() {
        let median = row.summary.0.p50_ns;
        let from = left + share(before, total, width);
        before = median.saturating_add(before);
        let to = left + share(before, total, width);
        let colour = index % COLOURS;
        picture.add(format_args!(
            "<rect class=\"c{colour}\" x=\"{}\" y=\"4\" width=\"{}\" height=\"38\"/>",
            px(from),
            px((to - from - 10).max(0))
        ));
        // Only where there is room; the table names every stage.
        let label = format!("{} {}", row.stage, duration(median));
        if to - from > label.chars().count() as i64 * 68 + 140 {
            picture.add(format_args!(
                "<text class=\"on\" x=\"{}\" y=\"23\" dy=\".35em\">{}</text>",
                px(from + 80),
                crate::report::html::escape(&label)
            ));
        }
        let part = per_mille(median.saturating_mul(1_000).checked_div(total).unwrap_or(0));
        picture.hit(from, 40, to - from, 380, &format!("{label} · {part} of the medians' sum"));
    }
    let says = format!("The medians of {} stages add up to {}.", stages.len(), duration(total));
    picture.finish(id, &format!("Stages of {station}"), &says)
}

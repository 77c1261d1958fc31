//! The charts.

mod histogram;
mod percentile;
mod rate;
mod stage;
mod timeline;

pub(super) use histogram::histogram;
pub(super) use percentile::percentiles;
pub(super) use rate::{Quantity, rate};
pub(super) use stage::stage_bar;
pub(super) use timeline::timeline;

/// How many colours the style sheet has; series beyond them begin again.
pub(super) const COLOURS: usize = 6;

/// A table that opens below a chart: the chart's numbers for those who do not hover.
fn data_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| -> String {
        cells.map(|cell| format!("<{tag}>{}</{tag}>", super::escape(cell))).collect()
    };
    let head = cells("th", &mut head.iter().copied());
    let body: String = rows
        .iter()
        .map(|row| format!("<tr>{}</tr>", cells("td", &mut row.iter().map(String::as_str))))
        .collect();
    format!(
        "<details><summary>Numbers</summary><div class=\"scroll\"><table class=\"small\">\
         <thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )
}

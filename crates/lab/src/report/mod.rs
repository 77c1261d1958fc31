//! The report: one set of numbers, shown as a table, as JSON and as a page.
//!
//! A [`Report`] holds numbers only, no clock readings of the machine it was made on, so that the
//! three renderings of a virtual run are the same bytes for the same seed.

mod build;
mod format;
mod html;
mod model;
mod table;

pub use build::OPEN_LOOP;
pub use model::{
    Counter, Fact, Fire, Input, Invariant, LatencyRow, LinkRow, Logic, MeterRow, Method, Numbers,
    Orders, Placed, RateRow, ReferencePoint, Report, Run, StageRow, Step,
};

impl Report {
    /// The report as text for a terminal, at most 100 columns wide.
    #[must_use]
    pub fn to_table(&self) -> String {
        table::render(self)
    }

    /// The report as indented JSON, with its keys in a fixed order and integers only.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self)
            .expect("the report is made of strings, integers and maps with string keys");
        text.push('\n');
        text
    }

    /// The report as one page of HTML that needs nothing else.
    #[must_use]
    pub fn to_html(&self) -> String {
        html::render(self)
    }

    /// Whether all invariants held.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.invariants.iter().all(|invariant| invariant.holds)
    }
}

//! Filling a report from a world and its measurements.

use saker_wire::time::{Nanos, SECOND};

use super::model::{
    Counter, Fact, Invariant, LatencyRow, LinkRow, Method, Numbers, RateRow, ReferencePoint,
    Report, Run, StageRow,
};
use crate::measure::{Series, StageSeries, Summary, WINDOWS_NS, WindowedRate, windowed};
use crate::tap::TapRecord;
use crate::world::World;

/// A note for scenarios whose triggers do not depend on what is measured.
pub const OPEN_LOOP: &str = "Open loop: no trigger waits for an order, so a slow answer does not \
                             thin out the load that follows it.";

impl Report {
    /// A report about what `world` has done since `start`: its seed, span, events and links. The
    /// rest is for the scenario to add.
    #[must_use]
    pub fn of_world(
        title: &str,
        scenario: &str,
        command: &str,
        world: &World,
        start: Nanos,
    ) -> Self {
        let duration_ns = world.now().saturating_sub(start);
        let mut report = Self {
            title: title.to_owned(),
            run: Run {
                scenario: scenario.to_owned(),
                engine: "software".to_owned(),
                seed: world.seed(),
                start_ns: start,
                duration_ns,
                seconds: duration_ns / SECOND,
                events: world.events(),
                command: command.to_owned(),
                facts: Vec::new(),
            },
            method: Method::at_the_wire(),
            ..Self::default()
        };
        report.add_links(world);
        report
    }

    fn add_links(&mut self, world: &World) {
        let mut conserved = true;
        for link in world.links() {
            let stats = link.stats;
            self.drops.add(&stats.drops);
            conserved &= stats.offered + stats.duplicated
                == stats.delivered + stats.drops.total() + link.on_the_way;
            self.links.push(LinkRow {
                link: link.name,
                rate_bps: link.rate_bps,
                offered: stats.offered,
                delivered: stats.delivered,
                delivered_bytes: stats.delivered_bytes,
                duplicated: stats.duplicated,
                reordered: stats.reordered,
                in_flight: link.on_the_way,
                queue_peak_bytes: stats.queue_peak_bytes,
                dropped: stats.drops,
            });
        }
        self.invariant(
            "frames_conserved",
            "On every link, frames offered and copied are those delivered, dropped for a named \
             reason, or still on the way.",
            conserved,
        );
    }

    /// Adds a fact about the run.
    pub fn fact(&mut self, name: &str, value: impl ToString) {
        self.run.facts.push(Fact { name: name.to_owned(), value: value.to_string() });
    }

    /// Adds a count.
    pub fn counter(&mut self, name: &str, count: u64) {
        self.counters.push(Counter { name: name.to_owned(), count });
    }

    /// Adds an invariant: its key, what it says in a sentence, and whether it held.
    pub fn invariant(&mut self, name: &str, says: &str, holds: bool) {
        self.invariants.push(Invariant { name: name.to_owned(), says: says.to_owned(), holds });
    }

    /// Adds a sentence on how it was measured.
    pub fn note(&mut self, note: &str) {
        self.method.notes.push(note.to_owned());
    }

    /// Adds a line to the latency table, and its charts.
    pub fn latency(&mut self, series: Series) {
        self.latency.push(LatencyRow {
            name: series.name.clone(),
            from: series.from.clone(),
            to: series.to.clone(),
            summary: Numbers(series.summary()),
        });
        self.series.push(series);
    }

    /// Makes `series` the only line of the latency table.
    pub fn replace_latency(&mut self, series: Series) {
        self.latency.clear();
        self.series.clear();
        self.latency(series);
    }

    /// Adds the stages of a station.
    pub fn stages(&mut self, station: &str, stages: &[StageSeries]) {
        self.stages.extend(stages.iter().map(|series| StageRow {
            station: station.to_owned(),
            stage: series.stage.to_owned(),
            summary: Numbers(Summary::of(series.samples.iter().map(|sample| sample.ns))),
        }));
    }

    /// Adds the rates of a stream, over windows of all lengths from the run's start.
    pub fn rates<'a>(
        &mut self,
        stream: &str,
        records: impl Iterator<Item = &'a TapRecord> + Clone,
    ) {
        let start_ns = self.run.start_ns;
        self.add_rates(
            stream,
            WINDOWS_NS.map(|window_ns| windowed(records.clone(), start_ns, window_ns)),
        );
    }

    /// Adds rates that were counted elsewhere, over windows of all lengths.
    pub fn add_rates(&mut self, stream: &str, rates: [WindowedRate; 4]) {
        self.rates.extend(rates.iter().map(|rate| RateRow {
            stream: stream.to_owned(),
            window_ns: rate.window_ns,
            average_pps: rate.average_pps(),
            peak_pps: rate.peak_pps(),
            average_bps: rate.average_bps(),
            peak_bps: rate.peak_bps(),
        }));
        self.windows.push((stream.to_owned(), rates.into()));
    }
}

impl Method {
    /// The reference points and rules of every measurement in this crate.
    #[must_use]
    pub fn at_the_wire() -> Self {
        let point = |name: &str, definition: &str| ReferencePoint {
            name: name.to_owned(),
            definition: definition.to_owned(),
        };
        Self {
            points: vec![
                point(
                    "SOP→SOP",
                    "first byte of the frame that carries the trigger, in, to first byte of the \
                     order's frame, out, at the tap in front of the trader",
                ),
                point(
                    "actionable",
                    "last byte of the trigger's frame (its FCS), in, to first byte of the order's \
                     frame, out, at the same tap",
                ),
                point(
                    "first byte",
                    "the first byte of the destination address: preamble and start delimiter lie \
                     before it",
                ),
            ],
            notes: [
                "Virtual time: the clocks of all taps are one clock, without error or drift; \
                 instants are rounded up to a whole nanosecond.",
                "Percentiles are exact, by nearest rank over all samples.",
                "A rate's average is over the windows that hold at least one frame, its peak is \
                 the busiest window; bits are those of frames without preamble, FCS and gap.",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

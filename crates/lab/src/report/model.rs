//! What a report says. The order of the fields is the order of the JSON's keys.

use serde::{Serialize, Serializer};

use super::format::tenths;
use crate::measure::{Series, Summary, WindowedRate};
use crate::world::Drops;

/// A run's report.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// The report's heading.
    pub title: String,
    /// What was run.
    pub run: Run,
    /// What became of the orders.
    pub orders: Orders,
    /// Further counts, by name.
    #[serde(serialize_with = "counters")]
    pub counters: Vec<Counter>,
    /// One order's way, step by step, as an example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub journey: Vec<Step>,
    /// What was read, where a capture was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Input>,
    /// Every order that was fired, where a capture was replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<Vec<Fire>>,
    /// What the logic itself says, where logic decided and sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logic: Option<Logic>,
    /// Latencies between reference points.
    pub latency: Vec<LatencyRow>,
    /// Where the time went inside stations.
    pub stages: Vec<StageRow>,
    /// Packet and bit rates.
    pub rates: Vec<RateRow>,
    /// Each direction of each link.
    pub links: Vec<LinkRow>,
    /// What all links dropped.
    pub drops: Drops,
    /// What must hold of every run, and whether it did.
    #[serde(serialize_with = "invariants")]
    pub invariants: Vec<Invariant>,
    /// How it was measured.
    pub method: Method,
    /// The samples behind `latency`, for charts.
    #[serde(skip)]
    pub(super) series: Vec<Series>,
    /// The windows behind `rates`, for charts.
    #[serde(skip)]
    pub(super) windows: Vec<(String, Vec<WindowedRate>)>,
}

/// What was run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Run {
    /// The scenario's name.
    pub scenario: String,
    /// What decides and sends: `software` or `rtl`.
    pub engine: String,
    /// The seed that replays it.
    pub seed: u64,
    /// Virtual nanoseconds since the Unix epoch at which it began.
    pub start_ns: u64,
    /// How long it was, in virtual nanoseconds.
    pub duration_ns: u64,
    /// The same in whole seconds, rounded down.
    pub seconds: u64,
    /// Events of the world.
    pub events: u64,
    /// The command that prints this report.
    pub command: String,
    /// Further facts, such as the strategy and the links' rates.
    #[serde(serialize_with = "facts")]
    pub facts: Vec<Fact>,
}

/// A fact about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// A count by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// What was counted.
    pub name: String,
    /// How many.
    pub count: u64,
}

/// What became of the trader's orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Orders {
    /// Sent by the trader.
    pub sent: u64,
    /// Acknowledged by the exchange.
    pub acknowledged: u64,
    /// Filled completely.
    pub filled: u64,
    /// Filled in part.
    pub partially_filled: u64,
    /// Canceled.
    pub canceled: u64,
    /// Rejected by the exchange.
    pub rejected: u64,
}

/// A step of one order's way from the command that moved the market to its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Nanoseconds since the first step.
    pub at_ns: u64,
    /// The station.
    pub station: String,
    /// What happened, or the stage that ended.
    pub event: String,
}

/// What a replay read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Input {
    /// The file's name.
    pub file: String,
    /// Bytes of feed payload.
    pub bytes: u64,
    /// Packets; in a raw file each message is one.
    pub packets: u64,
    /// FAST messages.
    pub messages: u64,
    /// Market-data entries.
    pub entries: u64,
    /// What could not be used, by reason.
    #[serde(serialize_with = "counters")]
    pub dropped: Vec<Counter>,
}

/// One order that a replay fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fire {
    /// The strategy's name.
    pub strategy: String,
    /// The instrument.
    pub symbol: String,
    /// The message that triggered it, from 0.
    pub message: u64,
    /// The entry of that message, from 0.
    pub entry: u32,
    /// The price that was looked at, an exact decimal.
    pub price: String,
    /// Service time, in nanoseconds of this machine's clock.
    pub service_ns: u64,
    /// The order frame, Ethernet header to FIX trailer, in hexadecimal.
    pub frame: String,
}

/// What simulated logic says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Logic {
    /// Picoseconds of a clock cycle, in the simulation.
    pub cycle_ps: u64,
    /// The clock that it reaches where it was placed, if it was.
    pub placed: Option<Placed>,
    /// Cycles simulated in which virtual time went on.
    pub cycles: u64,
    /// Cycles simulated in which it stood still, for register accesses.
    pub cycles_frozen: u64,
    /// Cycles skipped, since nothing was under way.
    pub cycles_skipped: u64,
    /// Decoded messages that were compared with the software decoder's, every field of each.
    pub messages_compared: u64,
    /// Answers of the order books that were compared with the model's, both tops of each.
    pub tops_compared: u64,
    /// Order frames that were compared with the model's, every byte of each.
    pub orders_compared: u64,
    /// The latency meter in the logic: from the first byte of the frame that caused it.
    pub meter: Vec<MeterRow>,
}

/// The clock of placed logic: that of its slowest block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The slowest block.
    pub block: String,
    /// Its clock behind routing, the least of all seeds, in kilohertz.
    pub khz: u64,
    /// The part it was placed on.
    pub part: String,
}

/// A stage of the latency meter in the logic, in nanoseconds of its clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeterRow {
    /// What ends the span.
    pub stage: String,
    /// How many samples.
    pub count: u64,
    /// The least.
    pub min_ns: u64,
    /// The mean, rounded down.
    pub mean_ns: u64,
    /// The greatest.
    pub max_ns: u64,
}

impl Logic {
    /// Nanoseconds in tenths of a cycle, rounded.
    pub(super) fn tenths_of_cycles(&self, ns: u64) -> u64 {
        let ps = u128::from(ns) * 10_000;
        let cycle = u128::from(self.cycle_ps.max(1));
        u64::try_from((ps + cycle / 2) / cycle).unwrap_or(u64::MAX)
    }

    /// What as many cycles take as these nanoseconds have, with the clock of the placed logic.
    pub(super) fn as_placed(&self, ns: u64, placed: &Placed) -> u64 {
        let ps_khz = u128::from(self.cycle_ps.max(1)) * u128::from(placed.khz.max(1));
        let ns = u128::from(ns) * 1_000_000_000;
        u64::try_from((ns + ps_khz / 2) / ps_khz).unwrap_or(u64::MAX)
    }
}

impl Placed {
    /// Megahertz with one digit behind the point, rounded as in docs/RTL-PLACED.md.
    pub(super) fn mhz(&self) -> String {
        format!("{} MHz", tenths((self.khz + 50) / 100))
    }
}

/// One line of the latency table, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LatencyRow {
    /// What the span is called.
    pub name: String,
    /// Where the clock starts.
    pub from: String,
    /// Where it stops.
    pub to: String,
    /// The numbers.
    #[serde(flatten)]
    pub summary: Numbers,
}

/// One stage of a station, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageRow {
    /// The station.
    pub station: String,
    /// The stage.
    pub stage: String,
    /// The numbers.
    #[serde(flatten)]
    pub summary: Numbers,
}

/// A [`Summary`] that can be serialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Numbers(#[serde(with = "SummaryFields")] pub Summary);

#[derive(Serialize)]
#[serde(remote = "Summary")]
struct SummaryFields {
    count: u64,
    min_ns: u64,
    p25_ns: u64,
    p50_ns: u64,
    p90_ns: u64,
    p99_ns: u64,
    p999_ns: u64,
    max_ns: u64,
    mean_ns: u64,
}

/// The rates of one stream over windows of one length. See [`crate::measure::windowed`] for what
/// average and peak mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RateRow {
    /// The stream.
    pub stream: String,
    /// The length of a window.
    pub window_ns: u64,
    /// Packets per second on average over the windows that hold something.
    pub average_pps: u64,
    /// Packets per second in the busiest window.
    pub peak_pps: u64,
    /// Bits per second on average over the windows that hold something.
    pub average_bps: u64,
    /// Bits per second in the busiest window.
    pub peak_bps: u64,
}

/// One direction of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkRow {
    /// `<link>: <from> -> <to>`.
    pub link: String,
    /// The line rate.
    pub rate_bps: u64,
    /// Frames handed over by the sending station.
    pub offered: u64,
    /// Frames handed to the receiving station.
    pub delivered: u64,
    /// Their bytes, without FCS.
    pub delivered_bytes: u64,
    /// Second copies the line made.
    pub duplicated: u64,
    /// Frames that took the longer path.
    pub reordered: u64,
    /// Frames queued or on the line when the run ended.
    pub in_flight: u64,
    /// Most bytes that ever waited.
    pub queue_peak_bytes: u64,
    /// Frames that did not arrive.
    pub dropped: Drops,
}

/// Something that must hold of every run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// Its key in the JSON, for example `book_equals_replay`.
    pub name: String,
    /// What it says, in a sentence.
    pub says: String,
    /// Whether it held.
    pub holds: bool,
}

/// How it was measured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Method {
    /// The reference points.
    pub points: Vec<ReferencePoint>,
    /// Sentences: the load, what was left out, what the numbers do not say.
    pub notes: Vec<String>,
}

/// A reference point or span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReferencePoint {
    /// Its name.
    pub name: String,
    /// Its definition.
    pub definition: String,
}

fn counters<S: Serializer>(counters: &[Counter], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counters.iter().map(|counter| (&counter.name, counter.count)))
}

fn facts<S: Serializer>(facts: &[Fact], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(facts.iter().map(|fact| (&fact.name, &fact.value)))
}

fn invariants<S: Serializer>(all: &[Invariant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(all.iter().map(|invariant| (&invariant.name, invariant.holds)))
}

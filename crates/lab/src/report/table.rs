//! The report as text for a terminal.

use std::fmt::Write;

use super::format::{bit_rate, duration, grouped, short_duration, tenths};
use super::model::{LinkRow, Numbers, Report};

/// No line is wider.
const WIDTH: usize = 100;

pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    line(&mut text, &report.title);
    line(&mut text, &"═".repeat(WIDTH));
    run(&mut text, report);
    input(&mut text, report);
    orders(&mut text, report);
    fires(&mut text, report);
    journey(&mut text, report);
    latency(&mut text, report);
    logic(&mut text, report);
    stages(&mut text, report);
    rates(&mut text, report);
    links(&mut text, report);
    invariants(&mut text, report);
    text
}

fn run(text: &mut String, report: &Report) {
    let run = &report.run;
    rule(text, "Run");
    let mut facts = vec![("scenario", run.scenario.clone()), ("engine", run.engine.clone())];
    if run.events > 0 {
        facts.extend([
            ("seed", run.seed.to_string()),
            ("virtual time", short_duration(run.duration_ns)),
            ("events", grouped(run.events)),
        ]);
    }
    facts.extend(run.facts.iter().map(|fact| (fact.name.as_str(), fact.value.clone())));
    facts.push(("command", run.command.clone()));
    for (name, value) in facts {
        pair(text, name, &value);
    }
}

fn input(text: &mut String, report: &Report) {
    let Some(input) = &report.input else { return };
    rule(text, "Input");
    pair(text, "file", &input.file);
    let counts = [
        ("bytes", input.bytes),
        ("packets", input.packets),
        ("messages", input.messages),
        ("entries", input.entries),
    ];
    let cells = counts.map(|(name, count)| format!("{name} {}", grouped(count)));
    wrapped(text, "read", &cells);
    let dropped = input.dropped.iter().filter(|counter| counter.count > 0);
    let dropped: Vec<String> =
        dropped.map(|counter| format!("{} {}", counter.name, grouped(counter.count))).collect();
    if !dropped.is_empty() {
        wrapped(text, "dropped", &dropped);
    }
}

/// The orders a replay fired; the JSON has all of them.
fn fires(text: &mut String, report: &Report) {
    const SHOWN: usize = 20;
    let Some(fires) = &report.fires else { return };
    rule(text, "Fired");
    row(text, "", &["symbol", "price", "message", "entry", "service"]);
    for fire in fires.iter().take(SHOWN) {
        let cells = [
            fire.symbol.clone(),
            fire.price.clone(),
            grouped(fire.message),
            fire.entry.to_string(),
            duration(fire.service_ns),
        ];
        row(text, &fire.strategy, &cells);
    }
    if fires.len() > SHOWN {
        line(
            text,
            &format!("  … and {} more (--json lists all)", grouped((fires.len() - SHOWN) as u64)),
        );
    }
}

/// One order's way, each step with the time since the step before.
fn journey(text: &mut String, report: &Report) {
    if report.journey.is_empty() {
        return;
    }
    rule(text, "One order, step by step");
    let mut before = 0;
    for step in &report.journey {
        let (at, passed) = (grouped(step.at_ns), grouped(step.at_ns.saturating_sub(before)));
        line(
            text,
            &format!(
                "  {at:>8} ns {:>9}  {:<10}{}",
                format!("+{passed}"),
                step.station,
                step.event
            ),
        );
        before = step.at_ns;
    }
}

fn orders(text: &mut String, report: &Report) {
    let orders = &report.orders;
    rule(text, "Orders");
    // Nobody answers the orders of a replay.
    let answered = report.input.is_none();
    let counts = [
        ("sent", orders.sent),
        ("acknowledged", orders.acknowledged),
        ("filled", orders.filled),
        ("partly filled", orders.partially_filled),
        ("canceled", orders.canceled),
        ("rejected", orders.rejected),
    ];
    let counts = &counts[..if answered { counts.len() } else { 1 }];
    let cells: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    for half in cells.chunks(3) {
        line(text, &format!("  {}", half.join(" · ")));
    }
    counters(text, report);
}

/// Counts that are not zero, those with the same prefix (`trader: …`) together.
fn counters(text: &mut String, report: &Report) {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for counter in report.counters.iter().filter(|counter| counter.count > 0) {
        let (group, name) = counter.name.split_once(": ").unwrap_or(("", &counter.name));
        let cell = format!("{} {}", name.replace('_', " "), grouped(counter.count));
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((group, vec![cell])),
        }
    }
    for (group, cells) in groups {
        wrapped(text, group, &cells);
    }
}

/// A name and cells, as many on a line as fit.
fn wrapped(text: &mut String, name: &str, cells: &[String]) {
    let mut current = String::new();
    let mut label = name;
    for cell in cells {
        // Two columns of margin, and the dot that ends a line that goes on.
        let width = 2 + NAME + current.chars().count() + 3 + cell.chars().count() + 2;
        if !current.is_empty() && width > WIDTH {
            pair(text, label, &format!("{current} ·"));
            (label, current) = ("", String::new());
        }
        if !current.is_empty() {
            current.push_str(" · ");
        }
        current.push_str(cell);
    }
    pair(text, label, &current);
}

const NUMBERS: [&str; 7] = ["count", "min", "p50", "p90", "p99", "p99.9", "max"];

fn numbers(summary: &Numbers) -> [String; 7] {
    let s = &summary.0;
    [
        grouped(s.count),
        duration(s.min_ns),
        duration(s.p50_ns),
        duration(s.p90_ns),
        duration(s.p99_ns),
        duration(s.p999_ns),
        duration(s.max_ns),
    ]
}

fn latency(text: &mut String, report: &Report) {
    if report.latency.is_empty() {
        return;
    }
    rule(text, "Latency");
    row(text, "", &NUMBERS);
    for entry in &report.latency {
        row(text, &entry.name, &numbers(&entry.summary));
        // What the logic takes is a matter of cycles.
        if let Some(logic) =
            report.logic.as_ref().filter(|_| entry.name.starts_with("tick to order"))
        {
            let s = &entry.summary.0;
            let spans = [s.min_ns, s.p50_ns, s.p90_ns, s.p99_ns, s.p999_ns, s.max_ns];
            let mut beneath = |name: &str, cells: [String; 6]| {
                let cells: Vec<String> = std::iter::once(String::new()).chain(cells).collect();
                row(text, name, &cells);
            };
            beneath("  in cycles", spans.map(|ns| tenths(logic.tenths_of_cycles(ns))));
            if let Some(placed) = &logic.placed {
                let name = format!("  as placed, {}", placed.mhz());
                beneath(&name, spans.map(|ns| duration(logic.as_placed(ns, placed))));
            }
        }
    }
    for entry in &report.latency {
        pair(text, &entry.name, &format!("{} → {}", entry.from, entry.to));
    }
}

/// What the logic says of itself, and what it was compared with.
fn logic(text: &mut String, report: &Report) {
    let Some(logic) = &report.logic else { return };
    rule(text, "Logic, by its own registers (from the first byte of the frame)");
    row(text, "", &["count", "min", "mean", "max", "cycles", "to"]);
    for entry in &logic.meter {
        let cells = [
            grouped(entry.count),
            duration(entry.min_ns),
            duration(entry.mean_ns),
            duration(entry.max_ns),
            tenths(logic.tenths_of_cycles(entry.min_ns)),
            tenths(logic.tenths_of_cycles(entry.max_ns)),
        ];
        row(text, &entry.stage, &cells);
    }
    let compared = [
        ("messages", logic.messages_compared),
        ("tops", logic.tops_compared),
        ("orders", logic.orders_compared),
    ];
    let compared = compared.map(|(name, count)| format!("{name} {}", grouped(count)));
    wrapped(text, "equal to the model's", &compared);
    if let Some(placed) = &logic.placed {
        let clocks = [
            format!("cycles of {} ps in this simulation, the line's", grouped(logic.cycle_ps)),
            format!("{} is what the slowest block reaches, {}", placed.mhz(), placed.block),
            format!("placed on {}", placed.part),
        ];
        wrapped(text, "clock", &clocks);
    }
    let simulated = [
        ("in time", logic.cycles),
        ("for registers", logic.cycles_frozen),
        ("skipped", logic.cycles_skipped),
    ];
    let simulated = simulated.map(|(name, count)| format!("{name} {}", grouped(count)));
    wrapped(text, "cycles", &simulated);
}

fn stages(text: &mut String, report: &Report) {
    if report.stages.is_empty() {
        return;
    }
    rule(text, "Stages");
    row(text, "", &NUMBERS);
    let mut station = "";
    for entry in &report.stages {
        if entry.station != station {
            station = &entry.station;
            line(text, &format!("  {station}"));
        }
        row(text, &format!("  {}", entry.stage), &numbers(&entry.summary));
    }
}

fn rates(text: &mut String, report: &Report) {
    if report.rates.is_empty() {
        return;
    }
    rule(text, "Rates (average over windows that hold a frame; busiest window)");
    row(text, "", &["window", "avg pkt/s", "peak pkt/s", "avg bit/s", "peak bit/s"]);
    for entry in &report.rates {
        let cells = [
            short_duration(entry.window_ns),
            grouped(entry.average_pps),
            grouped(entry.peak_pps),
            bit_rate(entry.average_bps),
            bit_rate(entry.peak_bps),
        ];
        row(text, &entry.stream, &cells);
    }
}

fn links(text: &mut String, report: &Report) {
    if report.links.is_empty() {
        return;
    }
    rule(text, "Links");
    row(text, "", &["offered", "arrived", "dropped", "copied", "late", "on way"]);
    for link in report.links.iter().filter(|link| link.offered > 0) {
        let cells = [
            link.offered,
            link.delivered,
            link.dropped.total(),
            link.duplicated,
            link.reordered,
            link.in_flight,
        ];
        row(text, &link.link, &cells.map(grouped));
        if link.dropped.total() > 0 {
            line(text, &format!("    dropped: {}", reasons(link)));
        }
    }
}

/// Why a link dropped frames.
fn reasons(link: &LinkRow) -> String {
    let drops = &link.dropped;
    let counts = [
        ("queue full", drops.queue),
        ("lost", drops.loss),
        ("bad FCS", drops.corrupt),
        ("bad length", drops.length),
    ];
    let named: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {}", grouped(*count)))
        .collect();
    named.join(", ")
}

fn invariants(text: &mut String, report: &Report) {
    if report.invariants.is_empty() {
        return;
    }
    rule(text, "Invariants");
    for invariant in &report.invariants {
        let mark = if invariant.holds { "✓ holds " } else { "✗ BROKEN" };
        line(text, &format!("  {mark}  {}", invariant.name));
    }
}

fn rule(text: &mut String, heading: &str) {
    let dashes = WIDTH.saturating_sub(heading.chars().count() + 4);
    line(text, "");
    line(text, &format!("── {heading} {}", "─".repeat(dashes)));
}

/// Columns of a name in front of its value.
const NAME: usize = 26;

/// A name and a value; a value that does not fit goes on below itself.
fn pair(text: &mut String, name: &str, value: &str) {
    let value: Vec<char> = value.chars().collect();
    let mut name = clip(name, NAME - 1);
    for part in value.chunks(WIDTH - NAME - 2) {
        let part: String = part.iter().collect();
        line(text, &format!("  {name:<NAME$}{part}"));
        name.clear();
    }
}

/// A label and cells: the cells are as wide as the longest may be, the label takes the rest.
fn row(text: &mut String, label: &str, cells: &[impl AsRef<str>]) {
    let width = match cells.len() {
        ..=5 => 14,
        6 => 9,
        _ => 10,
    };
    let label_width = WIDTH - 2 - width * cells.len();
    let mut out = format!("  {:<label_width$}", clip(label, label_width - 1));
    for cell in cells {
        write!(out, "{:>width$}", cell.as_ref()).expect("a string takes all that is written");
    }
    line(text, &out);
}

fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(width.saturating_sub(1)).collect();
    clipped.push('…');
    clipped
}

/// Appends a line, cut to the width.
fn line(text: &mut String, content: &str) {
    text.push_str(clip(content.trim_end(), WIDTH).as_str());
    text.push('\n');
}

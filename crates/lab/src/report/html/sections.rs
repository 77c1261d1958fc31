//! The page's sections.

use super::charts::{COLOURS, Quantity, histogram, percentiles, rate, stage_bar, timeline};
use super::escape;
use crate::report::format::{
    bit_rate, duration, grouped, per_mille, short_bit_rate, short_duration, tenths,
};
use crate::report::model::{Numbers, Report, StageRow};

/// The picture of the reference points.
const REFERENCE_POINTS: &str = include_str!("assets/points.svg");

/// A section with a heading; nothing if it has no content.
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!("<section id=\"{id}\"><h2>{heading}</h2>{content}</section>\n")
}

/// The numbers one looks for first.
pub(super) fn summary(report: &Report) -> String {
    let mut cards = Vec::new();
    if let Some(first) = report.latency.first() {
        let numbers = &first.summary.0;
        for (name, value) in
            [("p50", numbers.p50_ns), ("p99", numbers.p99_ns), ("max", numbers.max_ns)]
        {
            cards.push((format!("{} · {name}", first.name), duration(value), ""));
        }
    }
    let orders = &report.orders;
    cards.push(("orders sent".into(), grouped(orders.sent), ""));
    match &report.input {
        // Nobody answers the orders of a replay.
        Some(input) => {
            cards.push(("messages".into(), grouped(input.messages), ""));
            cards.push(("entries".into(), grouped(input.entries), ""));
        }
        None => {
            cards.push(("acknowledged".into(), grouped(orders.acknowledged), ""));
            cards.push(("filled".into(), grouped(orders.filled), ""));
            cards.push(("frames dropped".into(), grouped(report.drops.total()), ""));
        }
    }
    let held = report.invariants.iter().filter(|invariant| invariant.holds).count();
    let all = report.invariants.len();
    let class = if held == all { "good" } else { "bad" };
    cards.push(("invariants hold".into(), format!("{held} of {all}"), class));
    let cards: String = cards
        .iter()
        .map(|(name, value, class)| {
            format!("<div class=\"card {class}\"><dt>{}</dt><dd>{value}</dd></div>", escape(name))
        })
        .collect();
    format!("<dl class=\"cards\">{cards}</dl>")
}

const HEAD: &str = "<th>count</th><th>min</th><th>p25</th><th>p50</th><th>mean</th><th>p90</th>\
                    <th>p99</th><th>p99.9</th><th>max</th>";

fn cells(numbers: &Numbers) -> String {
    let s = &numbers.0;
    let times = [s.min_ns, s.p25_ns, s.p50_ns, s.mean_ns, s.p90_ns, s.p99_ns, s.p999_ns, s.max_ns];
    let times: String = times
        .iter()
        .map(|&ns| format!("<td title=\"{} ns\">{}</td>", grouped(ns), duration(ns)))
        .collect();
    format!("<td>{}</td>{times}", grouped(s.count))
}

/// One order's way, each step with a bar for the time it took.
pub(super) fn journey(report: &Report) -> String {
    let Some(last) = report.journey.last() else { return String::new() };
    let whole = last.at_ns.max(1);
    let mut before = 0;
    let rows: String = report
        .journey
        .iter()
        .map(|step| {
            let passed = step.at_ns.saturating_sub(before);
            // Thousandths of the bar's width.
            let (left, width) = (before * 1_000 / whole, passed * 1_000 / whole);
            before = step.at_ns;
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td>{}</td><td>+{}</td>\
                 <td class=\"way\"><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" \
                 role=\"img\" aria-label=\"{passed} of {whole} ns\">\
                 <rect x=\"{left}\" width=\"{}\" height=\"10\"/></svg></td></tr>",
                escape(&step.station),
                escape(&step.event),
                duration(step.at_ns),
                duration(passed),
                width.max(2),
            )
        })
        .collect();
    table("<th></th><th class=\"text\">what</th><th>at</th><th>after</th><th></th>", &rows)
}

/// The orders that a replay fired.
pub(super) fn fires(report: &Report) -> String {
    let Some(fires) = report.fires.as_deref().filter(|fires| !fires.is_empty()) else {
        return String::new();
    };
    let rows: String = fires
        .iter()
        .map(|fire| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td></tr>",
                escape(&fire.strategy),
                escape(&fire.symbol),
                escape(&fire.price),
                grouped(fire.message),
                fire.entry,
                duration(fire.service_ns)
            )
        })
        .collect();
    let head = "<th></th><th>symbol</th><th>price</th><th>message</th><th>entry</th>\
                <th>service</th>";
    table(head, &rows)
}

/// The latency table and its charts.
pub(super) fn latency(report: &Report) -> String {
    if report.latency.is_empty() {
        return String::new();
    }
    let rows: String = report
        .latency
        .iter()
        .enumerate()
        .map(|(index, row)| {
            format!(
                "<tr><th scope=\"row\"><i class=\"key k{}\"></i>{}<small>{} → {}</small></th>{}</tr>",
                index % COLOURS,
                escape(&row.name),
                escape(&row.from),
                escape(&row.to),
                cells(&row.summary)
            )
        })
        .collect();
    let table = table(&format!("<th></th>{HEAD}"), &rows);
    let curves = percentiles("percentiles", &report.series);
    let curves = format!("<h3>By percentile</h3><figure class=\"wide\">{curves}</figure>");
    let charts: String = report
        .series
        .iter()
        .enumerate()
        .filter(|(_, series)| !series.samples.is_empty())
        .map(|(index, series)| {
            let colour = index % COLOURS;
            let (start, span) = (report.run.start_ns, report.run.duration_ns);
            format!(
                "<h3><i class=\"key k{colour}\"></i>{}</h3><div class=\"pair\">\
                 <figure><figcaption>Distribution</figcaption>{}</figure>\
                 <figure><figcaption>Over time</figcaption>{}</figure></div>",
                escape(&series.name),
                histogram(&format!("h{index}"), series, colour),
                timeline(&format!("t{index}"), series, start, span, colour)
            )
        })
        .collect();
    table + &curves + &charts
}

/// What the logic says of itself, in nanoseconds and cycles, and what it was compared with.
pub(super) fn logic(report: &Report) -> String {
    let Some(logic) = &report.logic else { return String::new() };
    let cycles = |ns: u64| tenths(logic.tenths_of_cycles(ns));
    let rows: String = logic
        .meter
        .iter()
        .map(|row| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td></tr>",
                escape(&row.stage),
                grouped(row.count),
                duration(row.min_ns),
                duration(row.mean_ns),
                duration(row.max_ns),
                cycles(row.min_ns),
                cycles(row.max_ns)
            )
        })
        .collect();
    let head = "<th>from the first byte of the frame</th><th>count</th><th>min</th><th>mean</th>\
                <th>max</th><th>min cycles</th><th>max cycles</th>";
    let text = format!(
        "<p>Equal to the model's: {} messages, {} tops, {} orders. Cycles of {} ps: {} in time, {} \
         for register accesses, {} skipped.</p>",
        grouped(logic.messages_compared),
        grouped(logic.tops_compared),
        grouped(logic.orders_compared),
        grouped(logic.cycle_ps),
        grouped(logic.cycles),
        grouped(logic.cycles_frozen),
        grouped(logic.cycles_skipped)
    );
    let placed = logic.placed.as_ref().map_or_else(String::new, |placed| {
        format!(
            "<p>Simulated with the line's clock. Placed on {}, the slowest block, {}, reaches {}: \
             what takes 100 ns here takes {} then.</p>",
            escape(&placed.part),
            escape(&placed.block),
            placed.mhz(),
            duration(logic.as_placed(100, placed))
        )
    });
    table(head, &rows) + &text + &placed
}

/// Stages, station by station.
pub(super) fn stages(report: &Report) -> String {
    let groups = report.stages.chunk_by(|a, b| a.station == b.station);
    groups
        .enumerate()
        .map(|(index, group)| {
            let group: Vec<&StageRow> = group.iter().collect();
            station(&format!("s{index}"), &group)
        })
        .collect()
}

fn station(id: &str, group: &[&StageRow]) -> String {
    let Some(name) = group.first().map(|row| row.station.as_str()) else {
        return String::new();
    };
    let total: u64 = group.iter().fold(0, |sum, row| row.summary.0.p50_ns.saturating_add(sum));
    let longest = group.iter().map(|row| row.summary.0.p99_ns).max().unwrap_or(0).max(1);
    let rows: String = group
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let numbers = &row.summary.0;
            let share = numbers.p50_ns.saturating_mul(1_000).checked_div(total).unwrap_or(0);
            let width = |ns: u64| per_mille(ns.saturating_mul(1_000) / longest).replace(' ', "");
            format!(
                "<tr><th scope=\"row\"><i class=\"key k{colour}\"></i>{}</th>\
                 <td class=\"bars\" title=\"solid to p50, pale to p99\">\
                 <b class=\"k{colour} pale\" style=\"width:{}\"></b>\
                 <b class=\"k{colour}\" style=\"width:{}\"></b></td><td>{}</td>{}</tr>",
                escape(&row.stage),
                width(numbers.p99_ns),
                width(numbers.p50_ns),
                per_mille(share),
                cells(&row.summary),
                colour = index % COLOURS,
            )
        })
        .collect();
    let head = format!("<th></th><th class=\"bars\">p50, pale to p99</th><th>share</th>{HEAD}");
    format!(
        "<h3>{}</h3><figure class=\"wide\">{}</figure>{}",
        escape(name),
        stage_bar(id, name, group),
        table(&head, &rows)
    )
}

/// Rates: a table of each stream, and its charts.
pub(super) fn rates(report: &Report) -> String {
    let mut content = String::new();
    for (stream, (name, windows)) in report.windows.iter().enumerate() {
        let rows: String = report
            .rates
            .iter()
            .filter(|row| row.stream == *name)
            .map(|row| {
                format!(
                    "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    short_duration(row.window_ns),
                    grouped(row.average_pps),
                    grouped(row.peak_pps),
                    bit_rate(row.average_bps),
                    bit_rate(row.peak_bps)
                )
            })
            .collect();
        let head = "<th>window</th><th>average pkt/s</th><th>peak pkt/s</th>\
                    <th>average bit rate</th><th>peak bit rate</th>";
        let span = report.run.duration_ns;
        let charts: String = windows
            .iter()
            .enumerate()
            .flat_map(|(window, windowed)| {
                let id = format!("r{stream}-{window}");
                [
                    rate(&format!("{id}p"), name, windowed, span, Quantity::Packets),
                    rate(&format!("{id}b"), name, windowed, span, Quantity::Bits),
                ]
            })
            .collect();
        content.push_str(&format!(
            "<h3>{}</h3>{}<div class=\"pair\">{charts}</div>",
            escape(name),
            table(head, &rows)
        ));
    }
    if !content.is_empty() {
        content.insert_str(
            0,
            "<p>Averages are over the windows that hold at least one frame; peaks are the busiest \
             window. Where a chart has more windows than bars, a bar shows its busiest window.</p>",
        );
    }
    content
}

/// Each direction of each link.
pub(super) fn links(report: &Report) -> String {
    if report.links.is_empty() {
        return String::new();
    }
    let rows: String = report
        .links
        .iter()
        .map(|row| {
            let drops = &row.dropped;
            let counts = [
                row.offered,
                row.delivered,
                drops.queue,
                drops.loss,
                drops.corrupt,
                drops.length,
                row.duplicated,
                row.reordered,
                row.in_flight,
                row.queue_peak_bytes,
            ];
            let counts: String =
                counts.iter().map(|&count| format!("<td>{}</td>", grouped(count))).collect();
            format!(
                "<tr><th scope=\"row\">{}<small>{}</small></th>{counts}</tr>",
                escape(&row.link),
                short_bit_rate(row.rate_bps)
            )
        })
        .collect();
    let head = "<th></th><th>offered</th><th>delivered</th><th>queue full</th><th>lost</th>\
                <th>bad FCS</th><th>bad length</th><th>copied</th><th>reordered</th>\
                <th>on the way</th><th>queue peak, B</th>";
    table(head, &rows)
}

/// Orders and further counts.
pub(super) fn orders(report: &Report) -> String {
    let orders = &report.orders;
    let mut counts = vec![
        ("sent", orders.sent),
        ("acknowledged", orders.acknowledged),
        ("filled", orders.filled),
        ("partly filled", orders.partially_filled),
        ("canceled", orders.canceled),
        ("rejected", orders.rejected),
    ];
    counts.extend(report.counters.iter().map(|counter| (counter.name.as_str(), counter.count)));
    let items: String = counts
        .iter()
        .map(|(name, count)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(name), grouped(*count))
        })
        .collect();
    format!("<dl class=\"counts\">{items}</dl>")
}

/// What held, and what did not.
pub(super) fn invariants(report: &Report) -> String {
    let items: String = report
        .invariants
        .iter()
        .map(|invariant| {
            let (class, mark, word) =
                if invariant.holds { ("good", "✓", "holds") } else { ("bad", "✗", "broken") };
            format!(
                "<li class=\"{class}\"><b aria-hidden=\"true\">{mark}</b><div><code>{}</code> \
                 <em>{word}</em><p>{}</p></div></li>",
                escape(&invariant.name),
                escape(&invariant.says)
            )
        })
        .collect();
    if items.is_empty() { items } else { format!("<ul class=\"invariants\">{items}</ul>") }
}

/// How it was measured, and the command.
pub(super) fn method(report: &Report) -> String {
    let points: String = report
        .method
        .points
        .iter()
        .map(|p| format!("<dt>{}</dt><dd>{}</dd>", escape(&p.name), escape(&p.definition)))
        .collect();
    let notes: String =
        report.method.notes.iter().map(|note| format!("<li>{}</li>", escape(note))).collect();
    let run = &report.run;
    let mut facts = vec![
        ("scenario", run.scenario.clone()),
        ("seed", run.seed.to_string()),
        ("virtual time", duration(run.duration_ns)),
        ("events", grouped(run.events)),
    ];
    facts.extend(run.facts.iter().map(|fact| (fact.name.as_str(), fact.value.clone())));
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(value)))
        .collect();
    format!(
        "<figure class=\"wide\">{REFERENCE_POINTS}</figure><dl class=\"terms\">{points}</dl><ul>{notes}</ul>\
         <h3>What was run</h3><dl class=\"terms\">{facts}</dl><pre><code>{}</code></pre>\
         <p>The same command prints the same bytes on every machine.</p>",
        escape(&run.command)
    )
}

fn table(head: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>\
         </div>"
    )
}

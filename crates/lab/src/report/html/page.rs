//! The page around the sections.

use super::escape;
use super::sections::{
    fires, invariants, journey, latency, links, logic, method, orders, rates, section, stages,
    summary,
};
use crate::report::format::short_duration;
use crate::report::model::{Report, Run};

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");

/// The whole page.
pub(in crate::report) fn render(report: &Report) -> String {
    let sections = [
        ("journey", "One order, step by step", journey(report)),
        ("fires", "Orders fired", fires(report)),
        ("latency", "Latency", latency(report)),
        ("logic", "Logic, by its own registers", logic(report)),
        ("stages", "Stages", stages(report)),
        ("orders", "Orders and counts", orders(report)),
        ("rates", "Packet and bit rates", rates(report)),
        ("links", "Links", links(report)),
        ("invariants", "Invariants", invariants(report)),
        ("method", "How it was measured", method(report)),
    ];
    let links: String = sections
        .iter()
        .filter(|(_, _, content)| !content.is_empty())
        .map(|(id, heading, _)| format!("<a href=\"#{id}\">{heading}</a>"))
        .collect();
    let body: String =
        sections.iter().map(|(id, heading, content)| section(id, heading, content)).collect();
    let title = escape(&report.title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\
         <header><h1>{title}</h1><p>{}</p>{}\
         <nav aria-label=\"Sections\">{links}</nav></header>\n{body}</main>\
         <div id=\"tip\" role=\"status\" hidden></div>\n<script>\n{SCRIPT}</script></body></html>\n",
        escape(&subtitle(report)),
        summary(report)
    )
}

/// What was run, in a line.
fn subtitle(report: &Report) -> String {
    let run = &report.run;
    match &report.input {
        Some(input) => format!("{} of {} · engine {}", run.scenario, input.file, run.engine),
        None => {
            let span = short_duration(run.duration_ns);
            let Run { scenario, seed, engine, .. } = run;
            format!("{scenario} · seed {seed} · {span} of virtual time · engine {engine}")
        }
    }
}

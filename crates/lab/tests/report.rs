//! The three renderings: that they say the same, hold together, and need nothing else.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

use saker_lab::measure::{Sample, Series, StageSeries};
use saker_lab::report::Report;
use saker_lab::tap::TapRecord;
use saker_lab::world::World;
use serde_json::Value;

const START: u64 = 1_700_000_000_000_000_000;
const HOSTILE: &str = "<script>alert(\"x\")</script>&'";

fn samples(count: u64, of: impl Fn(u64) -> u64) -> Vec<Sample> {
    let sample = |n| Sample { at: START + n * 1_000, ns: of(n), trigger: n + 1, trigger_bytes: 60 };
    (0..count).map(sample).collect()
}

fn full() -> Report {
    let mut world = World::new(7, START);
    world.run_until(START + 2_500_000_000).unwrap();
    let mut report = Report::of_world("Title", HOSTILE, "saker demo --seed 7", &world, START);
    report.latency(Series::new("few", "here", "there", samples(30, |n| 500 + n)));
    report.latency(Series::new("many", "here", HOSTILE, samples(5_000, |n| 300 + n * n % 90_000)));
    report.latency(Series::new("none", "here", "there", Vec::new()));
    report.latency(Series::new("one", "here", "there", samples(1, |_| 0)));
    report.latency(Series::new(&"long name ".repeat(9), "a", "b", samples(3, |_| u64::MAX)));
    let stage = |stage, ns| StageSeries { stage, samples: samples(9, move |_| ns) };
    report.stages("trader", &[stage("decode", 90), stage("nothing", 0), stage("book", 41)]);
    let record = |n: u64| TapRecord {
        id: n + 1,
        first_ns: START + n * n * 50,
        last_ns: START + n * n * 50 + 60,
        bytes: 60,
        kind: 0,
        cause: None,
    };
    let records: Vec<_> = (0..7_000).map(record).collect();
    report.rates("feed", records.iter());
    report.rates("silence", [].iter());
    report.orders.sent = u64::MAX;
    report.orders.filled = 3;
    report.counter(&"a long counter's name ".repeat(5), u64::MAX);
    report.fact("a fact", "value ".repeat(60));
    report.invariant("book_equals_replay", "The book is what the feed says.", true);
    report.invariant("nothing_lost", HOSTILE, false);
    report
}

#[test]
fn the_table_keeps_to_its_width() {
    for line in full().to_table().lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn the_table_shows_the_numbers() {
    let table = full().to_table();
    for wanted in ["seed", "500 ns", "514 ns", "529 ns", "✗ BROKEN  nothing_lost", "✓ holds "] {
        assert!(table.contains(wanted), "{wanted:?} in\n{table}");
    }
}

#[test]
fn the_json_has_the_agreed_keys() {
    let json: Value = serde_json::from_str(&full().to_json()).unwrap();
    let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "title",
        "run",
        "orders",
        "counters",
        "latency",
        "stages",
        "rates",
        "links",
        "drops",
        "invariants",
        "method",
    ];
    assert_eq!(keys, expected);
    assert_eq!(json["run"]["seed"], 7);
    assert_eq!(json["run"]["seconds"], 2);
    assert_eq!(json["run"]["duration_ns"], 2_500_000_000_u64);
    assert_eq!(json["orders"]["sent"], u64::MAX);
    assert_eq!(json["orders"]["filled"], 3);
    assert_eq!(json["orders"]["acknowledged"], 0);
    assert_eq!(json["invariants"]["frames_conserved"], true);
    assert_eq!(json["invariants"]["nothing_lost"], false);
    let row = json["latency"][0].as_object().unwrap();
    let keys: Vec<_> = row.keys().map(String::as_str).collect();
    let expected = [
        "name", "from", "to", "count", "min_ns", "p25_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns",
        "max_ns", "mean_ns",
    ];
    assert_eq!(keys, expected);
    let numbers = ["count", "min_ns", "p50_ns", "p90_ns", "p999_ns", "max_ns", "mean_ns"]
        .map(|key| row[key].as_u64().unwrap());
    assert_eq!(numbers, [30, 500, 514, 526, 529, 529, 514]);
    assert_eq!(json["rates"].as_array().unwrap().len(), 8);
    assert!(!full().holds());
}

fn assert_integers(value: &Value) {
    match value {
        Value::Number(number) => assert!(number.is_u64(), "{number}"),
        Value::Array(all) => all.iter().for_each(assert_integers),
        Value::Object(all) => all.values().for_each(assert_integers),
        _ => {}
    }
}

#[test]
fn the_json_holds_integers_only() {
    assert_integers(&serde_json::from_str(&full().to_json()).unwrap());
}

#[test]
fn the_page_needs_nothing_else() {
    let page = full().to_html();
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("<script>alert"));
    assert!(page.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;"));
}

/// Every element that is opened is closed, in order; no id is used twice; every reference of a
/// picture to its title leads somewhere.
#[test]
fn the_page_is_well_formed() {
    let page = full().to_html();
    let script = page.find("<script>").unwrap();
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let markup = format!("{}{}", &page[..style.start], &page[style.end + 8..script]);
    let mut open: Vec<&str> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for tag in markup.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '/']).next().unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') && !["!doctype", "meta"].contains(&name) {
            open.push(name);
        }
        if let Some(id) = tag.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()) {
            assert!(ids.insert(id), "{id} is used twice");
        }
    }
    assert_eq!(open, ["html", "body"]);
    for reference in markup.split("aria-labelledby=\"").skip(1) {
        let reference = reference.split('"').next().unwrap();
        for id in reference.split(' ') {
            assert!(ids.contains(id), "{id}");
        }
    }
}

#[test]
fn pictures_stay_within_their_frames() {
    let page = full().to_html();
    for picture in page.split("<svg class=\"chart\" viewBox=\"0 0 ").skip(1) {
        let width: f64 = picture.split(' ').next().unwrap().parse().unwrap();
        for attribute in [" x=\"", " x1=\"", " x2=\"", " cx=\""] {
            let body = picture.split("</svg>").next().unwrap();
            for value in body.split(attribute).skip(1) {
                let x: f64 = value.split('"').next().unwrap().parse().unwrap();
                assert!((0.0..=width).contains(&x), "{x} of {width}");
            }
        }
    }
}

#[test]
fn an_empty_report_renders() {
    let world = World::new(1, START);
    let report = Report::of_world("Empty", "nothing", "none", &world, START);
    assert!(report.holds());
    assert!(report.to_table().contains("frames_conserved"));
    assert!(report.to_html().ends_with("</html>\n"));
    assert!(report.to_json().ends_with("}\n"));
}

//! The demo with the trader in logic: every message, top and order in lockstep with the model, and
//! every invariant of the software's demo.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

use saker_cosim::make::LogicOptions;
use saker_cosim::{machine, model_path};
use saker_lab::demo::{self, DemoError, DemoOptions, LOGIC_STRATEGIES_TOML};
use saker_lab::report::Report;
use saker_strategy::StrategyFile;

/// A second of the demo, or `None` with a message where the model was not built.
fn run(seed: u64, options: LogicOptions, strategies: &str) -> Option<Result<Report, DemoError>> {
    if !options.library.exists() {
        eprintln!("skipped: no {}; `make rtl-model` builds it", options.library.display());
        return None;
    }
    let strategies = StrategyFile::from_toml(strategies).unwrap();
    let demo = DemoOptions { seed, seconds: 1, strategies, command: "test".to_owned() };
    Some(demo::run_with(demo, machine::setup(options), None, |_| {}))
}

fn check(report: &Report) {
    for invariant in &report.invariants {
        assert!(invariant.holds, "{}", invariant.name);
    }
    assert_eq!(report.run.engine, "rtl");
    let logic = report.logic.as_ref().unwrap();
    assert!(logic.messages_compared > 500, "{logic:?}");
    assert!(logic.tops_compared > 200, "{logic:?}");
    // All but those that answered what the host had shown have a tick.
    assert_eq!(logic.orders_compared, report.orders.sent);
    assert!(report.orders.sent > 5, "{:?}", report.orders);
    let sop = report.latency.iter().find(|row| row.name == "tick to order, SOP→SOP").unwrap();
    assert!(sop.summary.0.count > 0 && sop.summary.0.max_ns < 5_000, "{sop:?}");
    let meter = logic.meter.last().unwrap();
    assert!(meter.count > 0 && meter.min_ns <= meter.max_ns);
}

#[test]
fn logic_and_model_agree_over_a_second_of_market() {
    let Some(report) = run(3, LogicOptions::default(), LOGIC_STRATEGIES_TOML) else { return };
    check(&report.unwrap());
}

#[test]
fn speculation_changes_no_order() {
    let options = LogicOptions { speculate: true, ..LogicOptions::default() };
    let Some(report) = run(4, options, LOGIC_STRATEGIES_TOML) else { return };
    check(&report.unwrap());
}

#[test]
fn too_many_strategies_are_refused() {
    let Some(outcome) = run(1, LogicOptions::default(), demo::STRATEGIES_TOML) else { return };
    let error = outcome.err().unwrap().to_string();
    assert!(error.contains("more than the logic has"), "{error}");
}

#[test]
fn a_missing_model_says_how_to_build_it() {
    let library = model_path("no_such_top");
    let strategies = StrategyFile::from_toml(LOGIC_STRATEGIES_TOML).unwrap();
    let demo = DemoOptions { seed: 1, seconds: 1, strategies, command: "test".to_owned() };
    let options = LogicOptions { library, ..LogicOptions::default() };
    let error = demo::run_with(demo, machine::setup(options), None, |_| {}).err().unwrap();
    assert!(error.to_string().contains("make rtl-model"), "{error}");
}

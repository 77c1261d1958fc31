//! The demo as a whole: every invariant over several seeds, and the same bytes from the same seed.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use saker_lab::demo::{self, DemoError, DemoOptions, STRATEGIES_TOML};
use saker_lab::report::Report;
use saker_strategy::StrategyFile;

/// A capture file in memory that outlives the world it is written by.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn run(seed: u64, strategies: &str) -> Result<(Report, Vec<u8>), DemoError> {
    let strategies = StrategyFile::from_toml(strategies).unwrap();
    let options = DemoOptions { seed, seconds: 1, strategies, command: "test".to_owned() };
    let capture = Memory::default();
    let report = demo::run(options, Some(Box::new(capture.clone())), |_| {})?;
    let bytes = capture.0.borrow().clone();
    Ok((report, bytes))
}

#[test]
fn every_invariant_holds_whatever_the_seed() {
    let mut lost_on_both_lines = 0;
    for seed in 1..=12 {
        let (report, _) = run(seed, STRATEGIES_TOML).unwrap();
        for invariant in &report.invariants {
            assert!(invariant.holds, "seed {seed}: {}", invariant.name);
        }
        assert!(report.orders.sent > 10, "seed {seed}: {:?}", report.orders);
        assert_eq!(report.orders.acknowledged, report.orders.sent);
        let count = |name: &str| report.counters.iter().find(|c| c.name == name).unwrap().count;
        lost_on_both_lines += count("trader: incremental packets missing on both lines");
        assert!(count("trader: incremental packets, second copy") > 0);
    }
    assert!(lost_on_both_lines > 0, "the seeds are too kind: recovery was never needed");
}

#[test]
fn a_seed_is_the_whole_run() {
    let (report, capture) = run(3, STRATEGIES_TOML).unwrap();
    let (again, capture_again) = run(3, STRATEGIES_TOML).unwrap();
    assert_eq!(report.to_json(), again.to_json());
    assert_eq!(report.to_html(), again.to_html());
    assert!(capture == capture_again, "the captures differ");
    let (other, other_capture) = run(4, STRATEGIES_TOML).unwrap();
    assert_ne!(report.to_json(), other.to_json());
    assert!(capture != other_capture);
}

#[test]
fn an_order_is_shown_from_command_to_fill() {
    let (report, _) = run(1, STRATEGIES_TOML).unwrap();
    let steps = &report.journey;
    assert!(steps.windows(2).all(|pair| pair[0].at_ns <= pair[1].at_ns));
    let at = |event: &str| steps.iter().find(|s| s.event == event).unwrap().at_ns;
    let tick_to_order = at("order: first byte out") - at("tick: first byte in");
    let row = &report.latency[0].summary.0;
    assert!((row.min_ns..=row.max_ns).contains(&tick_to_order));
    // The stages between the tick's last byte and the order's first leave nothing out but the
    // wait for the transmitter, at most a few bytes' time on an idle line.
    let stages = at("… nic tx") - at("tick: last byte in");
    assert!(at("order: first byte out") - at("tick: last byte in") - stages < 10);
}

#[test]
fn an_instrument_nobody_lists_is_an_error() {
    let strategies = STRATEGIES_TOML.replace("\"ALDER\"", "\"NOSUCH\"");
    let error = run(1, &strategies).err().unwrap().to_string();
    assert!(error.contains("NOSUCH") && error.contains("ALDER"), "{error}");
}

#[test]
fn a_trader_without_a_chance_sends_nothing() {
    let strategies = "
        [limits]
        max_order_quantity = 1
        max_open_orders = 1
        max_position = 1
        [[strategy]]
        name = \"never\"
        kind = \"cross\"
        symbol = \"ALDER\"
        side = \"buy\"
        threshold = \"0.01\"
        quantity = 1
    ";
    let (report, _) = run(1, strategies).unwrap();
    assert_eq!(report.orders.sent, 0);
    let broken: Vec<_> = report.invariants.iter().filter(|i| !i.holds).map(|i| &i.name).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

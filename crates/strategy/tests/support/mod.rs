//! A file of two strategies and the instruments they mean.

use saker_strategy::{Engine, Instrument, StrategyFile};

/// A stop to sell MSFT at 11.80, and a taker of AAPL offers at 189.50.
pub const TWO: &str = r#"[limits]
max_order_quantity = 100
max_open_orders = 4
max_position = 500

[[strategy]]
name = "msft-stop"
kind = "stop"
symbol = "MSFT"
side = "sell"
trigger = "11.80"
quantity = 2
price = "11.00"
time_in_force = "day"

[[strategy]]
name = "take-aapl"
kind = "cross"
symbol = "AAPL"
side = "buy"
threshold = "189.50"
quantity = 10
cooldown_us = 500
"#;

pub fn instruments() -> Vec<Instrument> {
    let instrument = |symbol: &str, market_segment: &str, exponent| Instrument {
        symbol: symbol.to_owned(),
        market_segment: market_segment.to_owned(),
        exponent,
    };
    vec![
        instrument("AAPL", "", -2),
        instrument("MSFT", "", -4),
        instrument("SBER", "TQBR", -2),
        instrument("SBER", "SMAL", -2),
    ]
}

/// An engine with every slot armed.
#[allow(dead_code)]
pub fn armed(text: &str) -> Engine {
    let file = StrategyFile::from_toml(text).expect("a valid file");
    let mut engine = Engine::new(file.resolve(&instruments()).expect("known instruments"));
    let slots: Vec<_> = engine.needs_prepare().collect();
    for slot in slots {
        assert!(engine.arm(slot));
    }
    engine
}

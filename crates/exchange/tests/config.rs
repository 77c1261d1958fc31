//! Configurations as files, their defaults, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use saker_exchange::config::{ConfigError, First, SelfMatchConfig};
use saker_exchange::{Exchange, ExchangeConfig};
use support::{START, config};

const FILE: &str = r#"
first = "reports"

[[instruments]]
security_id = 1001
symbol = "MSFT"
exponent = -2
tick = 5
collar = { reference = 10000, width = 500 }

[[participants]]
comp_id = "CLIENT1"
username = "user1"
password = "secret1"
cancel_on_disconnect = false
self_match = "cancel_oldest"

[feed]
snapshot_packets = 4

[limits]
max_connections = 8
"#;

#[test]
fn a_file_says_what_differs_from_the_defaults() {
    let config: ExchangeConfig = toml::from_str(FILE).unwrap();
    assert_eq!(config.comp_id, "SAKER");
    assert_eq!(config.first, First::Reports);
    let instrument = &config.instruments[0];
    assert_eq!((instrument.tick, instrument.lot, instrument.max_quantity), (5, 1, 1_000_000));
    assert_eq!(instrument.collar.unwrap().width, 500);
    let participant = &config.participants[0];
    assert!(!participant.cancel_on_disconnect);
    assert_eq!(participant.self_match, SelfMatchConfig::CancelOldest);
    assert_eq!((config.feed.snapshot_packets, config.feed.max_payload), (4, 1400));
    assert_eq!((config.limits.max_connections, config.limits.max_market_depth), (8, 10));
    Exchange::new(config.clone(), START).unwrap();
    let text = toml::to_string(&config).unwrap();
    assert_eq!(toml::from_str::<ExchangeConfig>(&text).unwrap(), config);

    let unknown = FILE.replace("tick = 5", "tik = 5");
    assert!(toml::from_str::<ExchangeConfig>(&unknown).is_err(), "no field is overlooked");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let field = |change: fn(&mut ExchangeConfig)| {
        let mut config = config(2);
        change(&mut config);
        match Exchange::new(config, START) {
            Err(ConfigError::Invalid { field, .. }) => field,
            Err(ConfigError::Rules { index, .. }) => format!("rules of instruments[{index}]"),
            Err(ConfigError::Feed(_)) => "feed".to_owned(),
            Ok(_) => "none".to_owned(),
        }
    };
    assert_eq!(field(|_| ()), "none");
    assert_eq!(field(|c| c.comp_id = "A B".into()), "comp_id");
    assert_eq!(field(|c| c.comp_id = "CLIENT1".into()), "participants[0].comp_id");
    assert_eq!(field(|c| c.instruments.clear()), "instruments");
    assert_eq!(field(|c| c.instruments[1].symbol = "MSFT".into()), "instruments[1].symbol");
    assert_eq!(field(|c| c.instruments[1].symbol = String::new()), "instruments[1].symbol");
    assert_eq!(field(|c| c.instruments[1].security_id = 1001), "instruments[1].security_id");
    assert_eq!(field(|c| c.instruments[0].exponent = -10), "instruments[0].exponent");
    assert_eq!(field(|c| c.instruments[0].max_quantity = 0), "instruments[0].max_quantity");
    assert_eq!(field(|c| c.instruments[1].lot = 0), "feed");
    assert_eq!(field(|c| c.instruments[1].max_quantity = u64::MAX), "rules of instruments[1]");
    assert_eq!(field(|c| c.participants[1].comp_id = "CLIENT1".into()), "participants[1].comp_id");
    assert_eq!(field(|c| c.participants[1].password = String::new()), "participants[1].password");
    assert_eq!(field(|c| c.participants[0].max_open_orders = 0), "participants[0].max_open_orders");
    assert_eq!(field(|c| c.limits.disconnect_bytes = 1), "limits.disconnect_bytes");
    assert_eq!(field(|c| c.limits.logon_timeout_ns = 0), "limits.logon_timeout_ns");
    assert_eq!(field(|c| c.limits.max_market_depth = 0), "limits.max_market_depth");
    assert_eq!(field(|c| c.feed.max_payload = 100), "feed");
    assert_eq!(field(|c| c.feed.snapshot_packets = 0), "feed");
}

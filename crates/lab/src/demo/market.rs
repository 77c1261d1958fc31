//! Who and what is in the demo's market.

use saker_exchange::config::{
    CollarConfig, ExchangeConfig, FeedConfig, First, InstrumentConfig, LimitsConfig,
    ParticipantConfig, SelfMatchConfig,
};
use saker_wire::time::MILLISECOND;

use crate::crowd::Listing;

/// The trader's CompID.
pub const TRADER: &str = "TRADER1";
/// The exchange's CompID.
pub const EXCHANGE: &str = "SAKER";
/// How many background traders there are.
const BACKGROUND: usize = 16;

/// Symbol, exponent, tick and reference price: different exponents and ticks on purpose.
const LISTINGS: [(&str, i8, i64, i64); 12] = [
    ("ALDER", -2, 1, 10_000),
    ("BIRCH", -2, 1, 2_550),
    ("CEDAR", -2, 5, 118_000),
    ("ELM", -3, 5, 4_250),
    ("FIR", 0, 1, 1_170),
    ("HAZEL", -2, 1, 6_725),
    ("LARCH", -4, 1, 10_850),
    ("MAPLE", -2, 1, 43_210),
    ("OAK", -1, 5, 98_765),
    ("PINE", -2, 1, 899),
    ("ROWAN", -2, 2, 15_350),
    ("WILLOW", -2, 1, 7_777),
];

/// The instruments, in the order of the exchange.
pub fn listings() -> Vec<Listing> {
    let listing = |&(symbol, exponent, tick, reference): &(&str, i8, i64, i64)| Listing {
        symbol: symbol.to_owned(),
        exponent,
        tick,
        lot: 1,
        reference,
    };
    LISTINGS.iter().map(listing).collect()
}

/// The symbols, for people.
pub fn symbols() -> String {
    LISTINGS.map(|(symbol, ..)| symbol).join(", ")
}

/// CompID and password of each background trader.
pub fn background() -> Vec<(String, String)> {
    (1..=BACKGROUND).map(|n| (format!("BG{n:02}"), password(&format!("BG{n:02}")))).collect()
}

/// The demo's passwords protect nothing; they show that a session is authenticated.
pub fn password(comp_id: &str) -> String {
    format!("{}-secret", comp_id.to_lowercase())
}

/// The exchange's settings.
pub fn exchange_config() -> ExchangeConfig {
    let instruments = listings().into_iter().zip(1..).map(|(listing, security_id)| {
        // A collar of 100 ticks: a market order in an empty book must not trade at any price.
        let width = listing.tick.unsigned_abs() * 100;
        InstrumentConfig {
            security_id,
            symbol: listing.symbol,
            exponent: listing.exponent,
            tick: listing.tick,
            lot: listing.lot,
            max_quantity: 10_000,
            collar: Some(CollarConfig { reference: listing.reference, width }),
        }
    });
    let names = background().into_iter().map(|(name, _)| name);
    let participants = names.chain([TRADER.to_owned()]).map(|comp_id| ParticipantConfig {
        username: comp_id.clone(),
        password: password(&comp_id),
        comp_id,
        cancel_on_disconnect: false,
        max_open_orders: 1_000,
        self_match: SelfMatchConfig::CancelNewest,
    });
    ExchangeConfig {
        comp_id: EXCHANGE.to_owned(),
        instruments: instruments.collect(),
        participants: participants.collect(),
        feed: FeedConfig {
            // A late joiner or a trader with a gap waits one turn of the loop: 12 instruments at 2 ms.
            snapshot_interval_ns: 2 * MILLISECOND,
            definition_interval_ns: 20 * MILLISECOND,
            heartbeat_ns: 20 * MILLISECOND,
            ..FeedConfig::default()
        },
        limits: LimitsConfig::default(),
        first: First::Feed,
    }
}

//! The engine: sessions, orders, books and the feed behind one set of calls.
//!
//! This file has the state and the calls. What a session's messages do is in `sessions`, `orders`
//! and `market_data`.

mod digest;
mod market_data;
mod orders;
mod sessions;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use saker_book::OrderBook;
use saker_feed::publish::{LastTrade, Publisher};
use saker_fix::dictionary::Dictionary;
use saker_fix::session::Counters as SessionCounters;
use saker_matching::Event;
use saker_wire::time::Nanos;

use crate::config::{ConfigError, ExchangeConfig};
use crate::counters::Counters;
use crate::identifier::Identifier;
use crate::market::{Books, Market};
use crate::order::Orders;
use crate::output::{ConnectionId, Outputs};
use crate::participant::Participant;
use crate::report::Report;
use sessions::Connection;

/// The exchange without any I/O. Commands take effect in the order of the calls.
///
/// `now` must never go back from one call to the next.
pub struct Exchange {
    config: ExchangeConfig,
    markets: Vec<Market>,
    symbols: FxHashMap<Identifier, usize>,
    participants: Vec<Participant>,
    comp_ids: FxHashMap<Vec<u8>, usize>,
    /// Ordered, so that whatever walks over it does so in the same order in every run.
    connections: BTreeMap<ConnectionId, Connection>,
    orders: Orders,
    publisher: Publisher,
    last_order_id: u64,
    last_exec_id: u64,
    counters: Counters,
    /// Events of the command being served; kept for its memory.
    events: Vec<Event>,
    /// Private reports of the command being served: participant and report.
    reports: Vec<(usize, Report)>,
}

/// One participant's session as a screen shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionView<'a> {
    /// The participant's comp id.
    pub comp_id: &'a str,
    /// Whether application messages flow.
    pub logged_on: bool,
    /// Bytes that wait for the transport.
    pub backlog: usize,
    /// Its live orders.
    pub open_orders: usize,
    /// Its standing market-data requests.
    pub subscriptions: usize,
    /// What its FIX session has taken, sent again and dropped.
    pub session: SessionCounters,
}

impl Exchange {
    /// Checks `config` and opens every instrument with an empty book. `now` starts the feed's
    /// pacing.
    ///
    /// # Errors
    /// [`ConfigError`] names the field that is out of range.
    pub fn new(config: ExchangeConfig, now: Nanos) -> Result<Self, ConfigError> {
        config.validate()?;
        let definitions = config.instruments.iter().map(|i| i.definition()).collect();
        let publisher = Publisher::new(definitions, config.feed.publish_config(), now)?;
        let owners = u32::try_from(config.participants.len()).unwrap_or(u32::MAX);
        let mut markets = Vec::with_capacity(config.instruments.len());
        let mut symbols = FxHashMap::default();
        for (index, instrument) in config.instruments.iter().enumerate() {
            let symbol = Identifier::new(instrument.symbol.as_bytes())
                .expect("a symbol is 1 to 16 printable characters, validated above");
            symbols.insert(symbol, index);
            let market = Market::new(instrument, symbol, &config.limits, owners)
                .map_err(|error| ConfigError::Rules { index, error })?;
            markets.push(market);
        }
        let mut participants = Vec::with_capacity(config.participants.len());
        let mut comp_ids = FxHashMap::default();
        let dictionary = Arc::new(Dictionary::builtin());
        for (index, participant) in config.participants.iter().enumerate() {
            comp_ids.insert(participant.comp_id.clone().into_bytes(), index);
            let (comp_id, limits) = (&config.comp_id, &config.limits);
            participants.push(Participant::new(participant, comp_id, limits, &dictionary));
            for market in &mut markets {
                let owner = u32::try_from(index).unwrap_or(u32::MAX);
                market.matcher.set_self_match(owner, participant.self_match.into());
            }
        }
        Ok(Self {
            markets,
            symbols,
            participants,
            comp_ids,
            connections: BTreeMap::new(),
            orders: Orders::default(),
            publisher,
            last_order_id: 0,
            last_exec_id: 0,
            counters: Counters::default(),
            events: Vec::with_capacity(64),
            reports: Vec::with_capacity(64),
            config,
        })
    }

    /// A transport connection has been accepted.
    pub fn on_connect(&mut self, now: Nanos, connection: ConnectionId, out: &mut Outputs) {
        self.accept(now, connection, out);
    }

    /// Bytes have arrived on a connection, cut anywhere.
    pub fn on_bytes(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        bytes: &[u8],
        out: &mut Outputs,
    ) {
        self.take_bytes(now, connection, bytes, out);
        self.close_overloaded(now, out);
    }

    /// The other side has closed or reset the connection.
    pub fn on_disconnect(&mut self, now: Nanos, connection: ConnectionId, out: &mut Outputs) {
        self.lose_connection(now, connection, out);
        self.close_overloaded(now, out);
    }

    /// The driver has passed `bytes` of this connection's output on to the transport. The engine
    /// measures each session's backlog by it: beyond
    /// [`LimitsConfig::conflate_bytes`](crate::config::LimitsConfig::conflate_bytes) market data is
    /// conflated, beyond `disconnect_bytes` the session is closed.
    pub fn on_written(
        &mut self,
        now: Nanos,
        connection: ConnectionId,
        bytes: usize,
        out: &mut Outputs,
    ) {
        self.take_written(now, connection, bytes, out);
        self.close_overloaded(now, out);
    }

    /// The instant of [`Exchange::next_deadline`] has come.
    pub fn on_deadline(&mut self, now: Nanos, out: &mut Outputs) {
        self.session_deadlines(now, out);
        self.close_overloaded(now, out);
        if self.publisher.next_deadline() <= now {
            self.publisher.on_deadline(now, &Books(&self.markets), out);
        }
    }

    /// When [`Exchange::on_deadline`] is due.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let feed = self.publisher.next_deadline();
        Some(self.next_session_deadline().map_or(feed, |sessions| sessions.min(feed)))
    }

    /// The configuration it runs with.
    pub fn config(&self) -> &ExchangeConfig {
        &self.config
    }

    /// What it has done, refused and dropped.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The publisher of the feed, for its sequence numbers.
    pub fn publisher(&self) -> &Publisher {
        &self.publisher
    }

    /// The book of an instrument, by its index in the configuration.
    pub fn book(&self, instrument: usize) -> Option<&OrderBook> {
        self.markets.get(instrument).map(|market| market.matcher.book())
    }

    /// The last trade of an instrument, by its index in the configuration.
    pub fn last_trade(&self, instrument: usize) -> Option<LastTrade> {
        self.markets.get(instrument).and_then(|market| market.last_trade)
    }

    /// Number of live orders over all instruments and participants.
    pub fn live_orders(&self) -> usize {
        self.orders.len()
    }

    /// Every participant's session, in the order of the configuration.
    pub fn sessions(&self) -> impl Iterator<Item = SessionView<'_>> {
        self.participants.iter().map(|p| SessionView {
            comp_id: &p.config.comp_id,
            logged_on: p.session.is_logged_on(),
            backlog: p.backlog,
            open_orders: p.open_orders,
            subscriptions: p.subscriptions.len(),
            session: p.session.counters(),
        })
    }

    fn next_exec_id(&mut self) -> u64 {
        self.last_exec_id += 1;
        self.last_exec_id
    }
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exchange")
            .field("comp_id", &self.config.comp_id)
            .field("connections", &self.connections.len())
            .field("live_orders", &self.orders.len())
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

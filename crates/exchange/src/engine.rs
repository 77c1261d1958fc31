//! The engine: sessions, orders, books and the feed behind one set of calls.

use saker_wire::time::Nanos;

use crate::config::{ConfigError, ExchangeConfig};
use crate::output::{ConnectionId, Outputs};

/// The exchange without any I/O. Commands take effect in the order of the calls.
#[derive(Debug)]
pub struct Exchange {
    config: ExchangeConfig,
}

impl Exchange {
    /// Checks `config` and opens every instrument with an empty book. `now` starts the feed's
    /// pacing.
    pub fn new(config: ExchangeConfig, _now: Nanos) -> Result<Self, ConfigError> {
        Ok(Self { config })
    }

    /// A transport connection has been accepted.
    pub fn on_connect(&mut self, _now: Nanos, _connection: ConnectionId, _out: &mut Outputs) {}

    /// Bytes have arrived on a connection, cut anywhere.
    pub fn on_bytes(
        &mut self,
        _now: Nanos,
        _connection: ConnectionId,
        _bytes: &[u8],
        _out: &mut Outputs,
    ) {
    }

    /// The other side has closed or reset the connection.
    pub fn on_disconnect(&mut self, _now: Nanos, _connection: ConnectionId, _out: &mut Outputs) {}

    /// The driver has passed `bytes` of this connection's output on to the transport. The engine
    /// measures each session's backlog by it.
    pub fn on_written(
        &mut self,
        _now: Nanos,
        _connection: ConnectionId,
        _bytes: usize,
        _out: &mut Outputs,
    ) {
    }

    /// The instant of [`Exchange::next_deadline`] has come.
    pub fn on_deadline(&mut self, _now: Nanos, _out: &mut Outputs) {}

    /// When [`Exchange::on_deadline`] is due.
    pub fn next_deadline(&self) -> Option<Nanos> {
        None
    }

    /// The configuration it runs with.
    pub fn config(&self) -> &ExchangeConfig {
        &self.config
    }

    /// A digest of the whole state: equal inputs give equal digests.
    pub fn digest(&self) -> u64 {
        0
    }
}

//! The exchange as a machine on an Ethernet.

use std::net::Ipv4Addr;

use saker_feed::channel::ChannelPlan;
use saker_wire::station::{Outbox, RxFrame, Station};
use saker_wire::time::Nanos;
use serde::{Deserialize, Serialize};

use crate::engine::Exchange;

/// How long the machine takes for each piece of work, in nanoseconds of virtual time. One server
/// does all of it in order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServiceCosts {
    /// Reading and checking one order command.
    pub gateway_ns: Nanos,
    /// Matching one order command.
    pub match_ns: Nanos,
    /// Building one feed packet.
    pub publish_ns: Nanos,
    /// Building one outgoing FIX message.
    pub report_ns: Nanos,
}

impl Default for ServiceCosts {
    /// 1 µs to read, 1 µs to match, 500 ns a feed packet, 500 ns a message.
    fn default() -> Self {
        Self { gateway_ns: 1_000, match_ns: 1_000, publish_ns: 500, report_ns: 500 }
    }
}

/// One Ethernet port of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortConfig {
    /// Its MAC address.
    pub mac: [u8; 6],
    /// Its IPv4 address.
    pub ip: Ipv4Addr,
    /// Length of its network's prefix, 0 to 32.
    pub prefix_len: u8,
}

/// The machine around the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostConfig {
    /// The ports, by station port number.
    pub ports: Vec<PortConfig>,
    /// Which port takes order entry.
    pub order_entry_port: u8,
    /// Which ports send line A and line B.
    pub feed_ports: [u8; 2],
    /// The TCP port that listens for FIX.
    pub tcp_port: u16,
    /// Where each stream goes.
    pub plan: ChannelPlan,
    /// UDP source port of the feed.
    pub feed_source_port: u16,
    /// TTL of feed datagrams.
    pub ttl: u8,
    /// TCP connections at one time.
    pub connections: usize,
    /// Receive buffer of each connection in bytes.
    pub receive_buffer: usize,
    /// Send buffer of each connection in bytes.
    pub send_buffer: usize,
    /// Frames are dropped (and counted) while the server is busy for longer than this.
    pub ingress_limit_ns: Nanos,
    /// Service time.
    pub costs: ServiceCosts,
    /// Seeds the TCP initial sequence numbers.
    pub seed: u64,
}

impl Default for HostConfig {
    /// Two ports, 10.0.0.1 and 10.0.1.1, both /24; order entry and line A on port 0, line B on
    /// port 1; FIX on TCP port 9878; 32 connections.
    fn default() -> Self {
        let port = |n: u8| PortConfig {
            mac: [0x02, 0x53, 0x4b, 0, 0, n + 1],
            ip: Ipv4Addr::new(10, 0, n, 1),
            prefix_len: 24,
        };
        Self {
            ports: vec![port(0), port(1)],
            order_entry_port: 0,
            feed_ports: [0, 1],
            tcp_port: 9878,
            plan: ChannelPlan::default(),
            feed_source_port: 20_000,
            ttl: 16,
            connections: 32,
            receive_buffer: 16 * 1024,
            send_buffer: 64 * 1024,
            ingress_limit_ns: 10_000_000,
            costs: ServiceCosts::default(),
            seed: 1,
        }
    }
}

/// The exchange as a station.
#[derive(Debug)]
pub struct ExchangeHost {
    exchange: Exchange,
    config: HostConfig,
}

impl ExchangeHost {
    /// The machine, powered on at `now`.
    pub fn new(exchange: Exchange, config: HostConfig, _now: Nanos) -> Self {
        Self { exchange, config }
    }

    /// The engine inside.
    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// The settings it runs with.
    pub fn config(&self) -> &HostConfig {
        &self.config
    }
}

impl Station for ExchangeHost {
    fn receive(&mut self, _now: Nanos, _frame: RxFrame<'_>, _out: &mut Outbox) {}

    fn wake(&mut self, _now: Nanos, _out: &mut Outbox) {}

    fn next_wake(&self) -> Option<Nanos> {
        None
    }
}

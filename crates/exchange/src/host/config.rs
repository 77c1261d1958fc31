//! The machine's ports, addresses, sizes and service times.

use std::net::Ipv4Addr;

use saker_feed::channel::ChannelPlan;
use saker_wire::ethernet::MacAddr;
use saker_wire::time::{MILLISECOND, Nanos};
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortConfig {
    /// Its MAC address.
    pub mac: MacAddr,
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
    /// Router to participants on other networks, reached through the order-entry port.
    pub gateway: Option<Ipv4Addr>,
    /// The TCP port that listens for FIX.
    pub tcp_port: u16,
    /// Where each stream goes.
    pub plan: ChannelPlan,
    /// UDP source port of the feed.
    pub feed_source_port: u16,
    /// TTL of feed datagrams.
    pub ttl: u8,
    /// TCP connections at one time, those in TIME-WAIT included.
    pub connections: usize,
    /// Receive buffer of each connection in bytes.
    pub receive_buffer: usize,
    /// Send buffer of each connection in bytes.
    pub send_buffer: usize,
    /// Frames are dropped (and counted) while the server has more work than this ahead of it.
    pub ingress_limit_ns: Nanos,
    /// Service time.
    pub costs: ServiceCosts,
    /// Seeds the TCP initial sequence numbers.
    pub seed: u64,
}

impl Default for HostConfig {
    /// Two ports, 10.0.0.1 and 10.0.1.1, both /24; order entry and line A on port 0, line B on
    /// port 1; FIX on TCP port 9878; 32 connections; 10 ms of work at most.
    fn default() -> Self {
        let port = |n: u8| PortConfig {
            mac: MacAddr([0x02, 0x53, 0x4b, 0, 0, n + 1]),
            ip: Ipv4Addr::new(10, 0, n, 1),
            prefix_len: 24,
        };
        Self {
            ports: vec![port(0), port(1)],
            order_entry_port: 0,
            feed_ports: [0, 1],
            gateway: None,
            tcp_port: 9878,
            plan: ChannelPlan::default(),
            feed_source_port: 20_000,
            ttl: 16,
            connections: 32,
            receive_buffer: 16 * 1024,
            send_buffer: 64 * 1024,
            ingress_limit_ns: 10 * MILLISECOND,
            costs: ServiceCosts::default(),
            seed: 1,
        }
    }
}

/// Why a machine cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// A setting is outside its range.
    #[error("{field}: {problem}")]
    Invalid {
        /// The offending setting.
        field: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl HostConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// [`HostError`] names the setting that is out of range.
    pub fn validate(&self) -> Result<(), HostError> {
        let require = |ok: bool, field, problem| {
            if ok { Ok(()) } else { Err(HostError::Invalid { field, problem }) }
        };
        let has = |port: u8| usize::from(port) < self.ports.len();
        require(has(self.order_entry_port), "order_entry_port", "no such port")?;
        require(self.feed_ports.iter().all(|p| has(*p)), "feed_ports", "no such port")?;
        for port in &self.ports {
            let unicast = port.mac.0[0] & 1 == 0 && port.mac.0 != [0; 6];
            require(unicast, "mac", "must be a unicast address")?;
            let ip = port.ip;
            let unicast = !ip.is_multicast() && !ip.is_broadcast() && !ip.is_unspecified();
            require(unicast, "ip", "must be a unicast address")?;
            require(port.prefix_len <= 32, "prefix_len", "must be 0 to 32")?;
        }
        let groups = self.plan.a.iter().chain(&self.plan.b);
        let multicast = groups.clone().all(|group| group.ip().is_multicast());
        require(multicast, "plan", "every destination must be a multicast group")?;
        require(groups.clone().all(|g| g.port() != 0), "plan", "ports must not be 0")?;
        require(self.feed_source_port != 0, "feed_source_port", "must not be 0")?;
        require(self.tcp_port != 0, "tcp_port", "must not be 0")?;
        require(self.ttl != 0, "ttl", "must be at least 1")?;
        require((1..=4096).contains(&self.connections), "connections", "must be 1 to 4096")?;
        let buffer = 2048..=1 << 20;
        require(buffer.contains(&self.receive_buffer), "receive_buffer", "must be 2 KiB to 1 MiB")?;
        require(buffer.contains(&self.send_buffer), "send_buffer", "must be 2 KiB to 1 MiB")
    }
}

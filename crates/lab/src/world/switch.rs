//! A learning Ethernet switch, as a station.

use std::collections::BTreeMap;

use saker_wire::station::{Outbox, RxFrame, Station, TxFrame};
use saker_wire::time::{Nanos, SECOND};

/// A hardware address.
type Mac = [u8; 6];

/// Where frames to multicast addresses go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Multicast {
    /// To all ports but the one they came from.
    Flood,
    /// To the ports listed for the group; to none if the group is not listed. Broadcasts flood.
    Groups(BTreeMap<Mac, Vec<u8>>),
}

/// What a switch is like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchConfig {
    /// Ports, numbered from 0.
    pub ports: u8,
    /// From the last byte in to the earliest first byte out, in nanoseconds.
    pub latency_ns: Nanos,
    /// How many addresses are learnt. When the table is full, frames to further ones flood.
    pub table_size: usize,
    /// An address that has not been seen for so long is forgotten. IEEE 802.1Q names 300 s.
    pub age_ns: Nanos,
    /// Where multicast goes.
    pub multicast: Multicast,
}

impl SwitchConfig {
    /// A switch that floods multicast, learns 1024 addresses and forgets them after 300 s.
    #[must_use]
    pub fn flooding(ports: u8, latency_ns: Nanos) -> Self {
        let multicast = Multicast::Flood;
        Self { ports, latency_ns, table_size: 1_024, age_ns: 300 * SECOND, multicast }
    }
}

/// What a switch counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SwitchStats {
    /// Frames that came in.
    pub received: u64,
    /// Frames that went out, each port counted.
    pub sent: u64,
    /// Frames to an unknown address, or broadcast, that went to all ports.
    pub flooded: u64,
    /// Frames that went nowhere: to the port they came from, to the reserved addresses
    /// 01-80-C2-00-00-00 to -0F, to an unlisted group, or shorter than a header.
    pub filtered: u64,
    /// Addresses not learnt because the table was full.
    pub table_full: u64,
}

#[derive(Debug, Clone, Copy)]
struct Learnt {
    port: u8,
    seen: Nanos,
}

/// A store-and-forward switch with a fixed forwarding latency. Its queues are those of the links
/// that leave it.
#[derive(Debug)]
pub struct Switch {
    config: SwitchConfig,
    table: BTreeMap<Mac, Learnt>,
    stats: SwitchStats,
}

impl Switch {
    /// A switch that has learnt nothing.
    #[must_use]
    pub fn new(config: SwitchConfig) -> Self {
        Self { config, table: BTreeMap::new(), stats: SwitchStats::default() }
    }

    /// What it has counted.
    #[must_use]
    pub fn stats(&self) -> SwitchStats {
        self.stats
    }

    /// The port behind which `address` was last seen, if that is not too long ago.
    #[must_use]
    pub fn port_of(&self, now: Nanos, address: Mac) -> Option<u8> {
        let learnt = self.table.get(&address)?;
        (now.saturating_sub(learnt.seen) <= self.config.age_ns).then_some(learnt.port)
    }

    fn learn(&mut self, now: Nanos, source: Mac, port: u8) {
        if is_group(source) {
            return;
        }
        let learnt = Learnt { port, seen: now };
        if let Some(entry) = self.table.get_mut(&source) {
            *entry = learnt;
            return;
        }
        if self.table.len() >= self.config.table_size {
            let age = self.config.age_ns;
            self.table.retain(|_, entry| now.saturating_sub(entry.seen) <= age);
        }
        if self.table.len() >= self.config.table_size {
            self.stats.table_full += 1;
            return;
        }
        self.table.insert(source, learnt);
    }

    /// Whether a frame to `destination` from the port `from` leaves by `port`.
    fn route(&self, now: Nanos, destination: Mac, from: u8) -> Route<'_> {
        if is_reserved(destination) {
            return Route::Nowhere;
        }
        if is_group(destination) {
            return match &self.config.multicast {
                Multicast::Groups(groups) if destination != BROADCAST => {
                    groups.get(&destination).map_or(Route::Nowhere, |ports| Route::Ports(ports))
                }
                _ => Route::Everywhere,
            };
        }
        match self.port_of(now, destination) {
            Some(port) if port == from => Route::Nowhere,
            Some(port) => Route::One(port),
            None => Route::Everywhere,
        }
    }
}

enum Route<'a> {
    Nowhere,
    One(u8),
    Ports(&'a [u8]),
    Everywhere,
}

const BROADCAST: Mac = [0xff; 6];

fn is_group(address: Mac) -> bool {
    address[0] & 1 == 1
}

/// IEEE 802.1Q table 8-1: addresses that bridges never forward.
fn is_reserved(address: Mac) -> bool {
    address[..5] == [0x01, 0x80, 0xc2, 0x00, 0x00] && address[5] <= 0x0f
}

fn mac(bytes: &[u8]) -> Option<Mac> {
    bytes.first_chunk().copied()
}

impl Station for Switch {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.stats.received += 1;
        let (Some(destination), Some(source)) =
            (mac(frame.bytes), frame.bytes.get(6..).and_then(mac))
        else {
            self.stats.filtered += 1;
            return;
        };
        self.learn(now, source, frame.port);
        let every = 0..self.config.ports;
        let route = self.route(now, destination, frame.port);
        let flooded = matches!(route, Route::Everywhere);
        let mut ports: Vec<u8> = match route {
            Route::Nowhere => Vec::new(),
            Route::One(port) => vec![port],
            Route::Ports(ports) => ports.to_vec(),
            Route::Everywhere => every.collect(),
        };
        ports.retain(|&port| port != frame.port);
        self.stats.flooded += u64::from(flooded);
        self.stats.filtered += u64::from(ports.is_empty());
        self.stats.sent += ports.len() as u64;
        out.frames.extend(ports.into_iter().map(|port| TxFrame {
            port,
            bytes: frame.bytes.to_vec(),
            ready_at: now + self.config.latency_ns,
            cause: Some(frame.id),
        }));
    }

    fn wake(&mut self, _now: Nanos, _out: &mut Outbox) {}

    fn next_wake(&self) -> Option<Nanos> {
        None
    }
}

#[cfg(test)]
#[path = "switch_tests.rs"]
mod tests;

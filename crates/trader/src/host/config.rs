//! How the trader's machine is set up.

use std::net::Ipv4Addr;

use saker_feed::channel::ChannelPlan;
use saker_strategy::StrategyFile;
use saker_wire::endpoint;
use saker_wire::ethernet::MacAddr;

use super::cost::CostModel;
use crate::feed::FeedConfig;
use crate::market::MarketConfig;
use crate::orders::LineConfig;

/// Addresses and ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    /// Our MAC address on the order port.
    pub mac: MacAddr,
    /// Our IPv4 address.
    pub ip: Ipv4Addr,
    /// The venue's order entry address.
    pub venue_ip: Ipv4Addr,
    /// Who takes our frames for the venue: the venue itself, or a router.
    pub next_hop: Ipv4Addr,
    /// VLAN identifier of the order port, if its frames are tagged.
    pub vlan: Option<u16>,
    /// IPv4 time to live of what we send.
    pub ttl: u8,
    /// The station's port for orders and ARP.
    pub order_port: u8,
    /// The station's ports for line A and line B of the feed.
    pub feed_ports: [u8; 2],
}

impl Network {
    /// Orders and line A on port 0, line B on port 1; the venue is a neighbour.
    pub fn new(mac: MacAddr, ip: Ipv4Addr, venue_ip: Ipv4Addr) -> Self {
        Self {
            mac,
            ip,
            venue_ip,
            next_hop: venue_ip,
            vlan: None,
            ttl: 64,
            order_port: 0,
            feed_ports: [0, 1],
        }
    }
}

/// Everything the machine is told at start.
#[derive(Debug, Clone)]
pub struct TraderConfig {
    /// Addresses and ports.
    pub network: Network,
    /// Which multicast groups carry the feed.
    pub plan: ChannelPlan,
    /// The feed's FAST templates, XML.
    pub templates: String,
    /// The strategies.
    pub strategies: StrategyFile,
    /// Bounds of the feed handler.
    pub feed: FeedConfig,
    /// Bounds of books and recovery.
    pub market: MarketConfig,
    /// The order line.
    pub line: LineConfig,
    /// How long things take.
    pub costs: CostModel,
}

impl TraderConfig {
    /// A trader on the saker exchange's own feed, with the usual bounds.
    pub fn new(network: Network, strategies: StrategyFile, line: LineConfig) -> Self {
        Self {
            network,
            plan: ChannelPlan::default(),
            templates: saker_feed::TEMPLATES_XML.to_owned(),
            strategies,
            feed: FeedConfig::default(),
            market: MarketConfig::default(),
            line,
            costs: CostModel::default(),
        }
    }
}

/// Why a trader cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum TraderError {
    /// The templates do not load.
    #[error("feed templates: {0}")]
    Templates(#[from] saker_fast::TemplateError),
    /// The TCP settings are unusable.
    #[error("order line: {0}")]
    Endpoint(#[from] endpoint::ConfigError),
}

//! The demo's machines, cables and taps.
//!
//! ```text
//!                  ┌─ .0 ─── order network ───┬─ .0 trader
//!        exchange ─┤                          └─ .0 background traders
//!                  ├─ .1 ─── line A, loses packets ───── .1 trader
//!                  └─ .2 ─── line B, slower, loses few ─ .2 trader
//! ```
//!
//! A trader with one port has a switch in front of it, to which the three lead: cut-through in the
//! field, here with [`SWITCH_NS`] behind the last byte like the others. Its cable is clean.

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_exchange::Exchange;
use saker_exchange::host::{ExchangeHost, HostConfig, PortConfig};
use saker_feed::channel::ChannelPlan;
use saker_strategy::StrategyFile;
use saker_trader::host::{Network, TraderConfig};
use saker_trader::orders::{Identity, LineConfig};
use saker_wire::ethernet::MacAddr;
use saker_wire::time::{MICROSECOND, Nanos};

use super::trader::Trader;
use super::{DemoError, Setup, market};
use crate::crowd::{Crowd, CrowdConfig, FlowConfig};
use crate::tap::TapId;
use crate::world::{
    LinkConfig, Multicast, NodeId, Port, Probability, Switch, SwitchConfig, World, stream,
};

/// Ethernet switches forward a frame this long after its last byte; Arista states 350 to 380 ns for
/// cut-through switches of the 7150 series, which seed 002's set-up uses.
const SWITCH_NS: Nanos = 380;
/// Five metres of fibre.
const CABLE_NS: Nanos = 25;
const TCP_PORT: u16 = 9878;

/// The pieces that measurements and checks ask for.
pub struct Topology {
    pub exchange: NodeId,
    pub trader: NodeId,
    pub crowd: NodeId,
    /// The tap at the trader's port for orders.
    pub orders_tap: TapId,
    /// Taps at its ports for line A and line B, or the one at its only port.
    pub feed_taps: Vec<TapId>,
    /// Taps at the exchange's ports: orders, line A, line B.
    pub exchange_taps: [TapId; 3],
}

/// Builds the world's machines and cables. Background trading is from `trade_from` to
/// `trade_until`.
pub fn build(
    world: &mut World,
    strategies: StrategyFile,
    setup: Setup,
    trade_from: Nanos,
    trade_until: Nanos,
) -> Result<Topology, DemoError> {
    let (seed, now) = (world.seed(), world.now());
    let address = |network: u8, host: u8| Ipv4Addr::new(10, 0, network, host);
    let mac = |n: u8| [0x02, 0x53, 0x4b, 0, 0, n];
    let venue = address(0, 1);

    let port = |n: u8| PortConfig { mac: MacAddr(mac(n + 1)), ip: address(n, 1), prefix_len: 24 };
    let host = HostConfig {
        ports: vec![port(0), port(1), port(2)],
        order_entry_port: 0,
        feed_ports: [1, 2],
        tcp_port: TCP_PORT,
        seed: stream(seed, "exchange").u64(..),
        ..HostConfig::default()
    };
    let engine = Exchange::new(market::exchange_config(), now)?;
    let exchange = world.add_station("exchange", ExchangeHost::new(engine, host, now)?)?;

    let mut network = Network::new(MacAddr(mac(16)), address(0, 10), venue);
    network.feed_ports = if setup.one_port { [0, 0] } else { [1, 2] };
    let identity = Identity {
        sender_comp_id: market::TRADER.to_owned(),
        target_comp_id: market::EXCHANGE.to_owned(),
        username: Some(market::TRADER.to_owned()),
        password: Some(market::password(market::TRADER)),
        account: Some(market::TRADER.to_owned()),
    };
    let mut line = LineConfig::new(identity, TCP_PORT);
    line.seed = stream(seed, "trader").u64(..);
    let config = TraderConfig::new(network, strategies, line);
    let machine = (setup.make)(config, now).map_err(DemoError::Trader)?;
    let trader = world.add_station("trader", Trader(machine))?;

    let config = CrowdConfig {
        mac: mac(32),
        ip: address(0, 20),
        prefix_len: 24,
        exchange: SocketAddrV4::new(venue, TCP_PORT),
        exchange_comp_id: market::EXCHANGE.to_owned(),
        traders: market::background(),
        listings: market::listings(),
        subscriptions: 1,
        flow: FlowConfig::default(),
        trade_from,
        trade_until,
    };
    let crowd = world.add_station("crowd", Crowd::new(config, stream(seed, "crowd"), now))?;

    let joined = setup.one_port.then(|| join(world, trader)).transpose()?;
    connect(world, exchange, joined.unwrap_or(trader), crowd)?;
    let mut tap = |name: &str, node, port| world.tap(name, Port { node, port }, super::kinds::of);
    let (orders_tap, feed_taps) = if setup.one_port {
        let tap = tap("trader", trader, 0)?;
        (tap, vec![tap])
    } else {
        let orders = tap("trader-orders", trader, 0)?;
        (orders, vec![tap("trader-feed-a", trader, 1)?, tap("trader-feed-b", trader, 2)?])
    };
    Ok(Topology {
        exchange,
        trader,
        crowd,
        orders_tap,
        feed_taps,
        exchange_taps: [
            tap("exchange-orders", exchange, 0)?,
            tap("exchange-feed-a", exchange, 1)?,
            tap("exchange-feed-b", exchange, 2)?,
        ],
    })
}

/// Puts a switch in front of a trader with one port: its ports 0 to 2 are the trader's otherwise.
/// Multicast goes to the trader only.
fn join(world: &mut World, trader: NodeId) -> Result<NodeId, DemoError> {
    let plan = ChannelPlan::default();
    let groups = plan.a.iter().chain(&plan.b);
    let groups = groups.filter_map(|group| MacAddr::for_multicast(*group.ip()));
    let groups = groups.map(|MacAddr(mac)| (mac, vec![3]));
    let multicast = Multicast::Groups(groups.collect());
    let config = SwitchConfig { multicast, ..SwitchConfig::flooding(4, SWITCH_NS) };
    let switch = world.add_station("switch T", Switch::new(config))?;
    let (inner, outer) = (Port { node: switch, port: 3 }, Port { node: trader, port: 0 });
    world.connect("trader", inner, outer, LinkConfig::ten_gigabit(CABLE_NS))?;
    Ok(switch)
}

fn connect(
    world: &mut World,
    exchange: NodeId,
    trader: NodeId,
    crowd: NodeId,
) -> Result<(), DemoError> {
    let clean = LinkConfig::ten_gigabit(CABLE_NS);
    let orders = LinkConfig { loss: Probability::per_million(200), ..clean.clone() };
    let line_a = LinkConfig {
        jitter_ns: 150,
        loss: Probability::per_million(10_000),
        duplicate: Probability::per_million(200),
        reorder: Probability::per_million(500),
        reorder_ns: 20 * MICROSECOND,
        ..clean.clone()
    };
    let line_b = LinkConfig {
        delay_ns: 2 * MICROSECOND,
        jitter_ns: 400,
        loss: Probability::per_million(4_000),
        ..clean.clone()
    };
    let at = |node, port| Port { node, port };

    let switch = |ports| Switch::new(SwitchConfig::flooding(ports, SWITCH_NS));
    let order_switch = world.add_station("switch O", switch(3))?;
    world.connect("orders venue", at(exchange, 0), at(order_switch, 0), clean.clone())?;
    world.connect("orders trader", at(order_switch, 1), at(trader, 0), orders)?;
    world.connect("orders crowd", at(order_switch, 2), at(crowd, 0), clean.clone())?;
    for (name, port, line) in [("line A", 1, line_a), ("line B", 2, line_b)] {
        let feed_switch = world.add_station(&format!("switch {}", &name[5..]), switch(2))?;
        let first = format!("{name} venue");
        world.connect(&first, at(exchange, port), at(feed_switch, 0), clean.clone())?;
        let second = format!("{name} trader");
        world.connect(&second, at(feed_switch, 1), at(trader, port), line)?;
    }
    Ok(())
}

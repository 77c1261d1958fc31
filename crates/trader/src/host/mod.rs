//! The trader as a machine on an Ethernet.
//!
//! [`TraderHost`] puts frames around the engines: it answers and asks ARP, sorts datagrams into
//! streams and lines, hands segments to the order line, and charges a [`CostModel`] for all of it.
//! A feed frame is served to the end of its last fire before any housework (reports to endpoint
//! and session, refreshing, acknowledgements) is done for it.

mod config;
mod cost;
mod delegated;
mod summary;

use saker_fast::Templates;
use saker_feed::channel::{Line, Stream};
use saker_feed::normalize::Event;
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::neighbor::{NeighborConfig, Neighbors, Resolution};
use saker_wire::station::{FrameId, Outbox, RxFrame, Station, TxFrame};
use saker_wire::time::{Nanos, SECOND};

pub use config::{Network, TraderConfig, TraderError};
pub use cost::CostModel;
pub use summary::Summary;

use crate::desk::Desk;
use crate::feed::{FeedHandler, News};
use crate::market::{Firing, Market};
use crate::orders::{LineConfig, OrderLine};
use cost::Meter;

/// Counts since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct HostCounters {
    /// Frames received.
    pub frames: u64,
    /// Frames with a fault in a header, length or checksum.
    pub malformed: u64,
    /// Datagrams that are not of the feed, or came by the wrong port.
    pub other_datagrams: u64,
    /// Segments that are not of the order connection.
    pub other_segments: u64,
    /// Frames of protocols we do not speak.
    pub other_frames: u64,
    /// Orders sent.
    pub orders: u64,
    /// Decisions that the fast path refused.
    pub refused: u64,
}

/// The trader as a station.
pub struct TraderHost {
    config: TraderConfig,
    neighbors: Neighbors,
    feed: FeedHandler,
    market: Market,
    line: OrderLine,
    /// When the hot server and the house server are free again.
    hot_until: Nanos,
    house_until: Nanos,
    /// When the last segment with data that software sent can leave: orders come behind it.
    data_until: Nanos,
    /// No connection is tried before this, because the next hop did not answer.
    blocked_until: Nanos,
    counters: HostCounters,
    firings: Vec<Firing>,
    payload: Vec<u8>,
}

impl TraderHost {
    /// The machine, powered on: it connects at its first wake.
    ///
    /// # Errors
    /// The templates or the TCP settings are unusable.
    pub fn new(config: TraderConfig) -> Result<Self, TraderError> {
        let templates = Templates::from_xml(&config.templates)?;
        let network = &config.network;
        let arp =
            NeighborConfig { vlan: network.vlan, ..NeighborConfig::new(network.mac, network.ip) };
        // Every strategy has a slot; the file has at most 1,024.
        let slots = config.line.slots.max(config.strategies.symbols().count() as u16);
        Ok(Self {
            neighbors: Neighbors::new(arp),
            feed: FeedHandler::new(&templates, config.feed),
            market: Market::new(config.market, Desk::new(config.strategies.clone())),
            line: OrderLine::new(LineConfig { slots, ..config.line.clone() })?,
            hot_until: 0,
            house_until: 0,
            data_until: 0,
            blocked_until: 0,
            counters: HostCounters::default(),
            firings: Vec::with_capacity(64),
            payload: Vec::with_capacity(usize::from(config.line.tcp.mss)),
            config,
        })
    }

    /// The feed handler.
    pub fn feed(&self) -> &FeedHandler {
        &self.feed
    }

    /// Books and strategies.
    pub fn market(&self) -> &Market {
        &self.market
    }

    /// The order line: session, fast path, orders.
    pub fn line(&self) -> &OrderLine {
        &self.line
    }

    /// The counts since the start.
    pub fn counters(&self) -> HostCounters {
        self.counters
    }

    /// Every counter of the machine.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// The kill switch: nothing fires any more, and open orders are cancelled.
    pub fn kill(&mut self, now: Nanos, out: &mut Outbox) {
        self.line.kill(now, self.market.desk_mut());
        self.keep_house(now, out);
    }

    /// Releases the kill switch.
    pub fn release(&mut self, now: Nanos, out: &mut Outbox) {
        self.line.release(self.market.desk_mut());
        self.keep_house(now, out);
    }

    /// Logs out, for the end of the day.
    pub fn logout(&mut self, now: Nanos, text: Option<&str>, out: &mut Outbox) {
        self.line.logout(now, text, self.market.desk_mut());
        self.keep_house(now, out);
    }

    /// A datagram of the feed, or, without one, the deadline of the arbiters.
    fn serve_feed(
        &mut self,
        now: Nanos,
        datagram: Option<(Stream, Line, &[u8])>,
        cause: Option<FrameId>,
        out: &mut Outbox,
    ) {
        let mut meter = Meter::begin(self.config.costs, now, self.hot_until);
        if datagram.is_some() {
            meter.packet();
        }
        let mut hot = Hot {
            now,
            cause,
            costs: self.config.costs,
            port: self.config.network.order_port,
            data_until: self.data_until,
            meter,
            line: &mut self.line,
            firings: std::mem::take(&mut self.firings),
            counters: &mut self.counters,
            out,
            housework: false,
            fired: false,
        };
        let market = &mut self.market;
        let mut tell = |stream: Stream, news: News<'_>| hot.on_news(market, stream, news);
        match datagram {
            Some((stream, line, bytes)) => {
                self.feed.on_datagram(now, stream, line, bytes, &mut tell);
            }
            None => self.feed.on_deadline(now, &mut tell),
        }
        let housework = hot.housework;
        self.firings = hot.firings;
        self.hot_until = hot.meter.now();
        if housework {
            self.line.settle(now, self.market.desk_mut());
            self.keep_house(now, out);
        }
    }

    /// Everything that is not on the way of a tick: ARP, connecting, segments, preparing and
    /// refreshing orders.
    fn keep_house(&mut self, now: Nanos, out: &mut Outbox) {
        let network = self.config.network;
        if let Some(local_port) = self.line.wants_connection(now)
            && now >= self.blocked_until
        {
            match self.neighbors.resolve(now, network.next_hop) {
                Resolution::Known(dst_mac) => {
                    let path = TcpPath {
                        src_mac: network.mac,
                        dst_mac,
                        src: std::net::SocketAddrV4::new(network.ip, local_port),
                        dst: std::net::SocketAddrV4::new(
                            network.venue_ip,
                            self.config.line.remote_port,
                        ),
                        vlan: network.vlan,
                        ttl: network.ttl,
                    };
                    self.line.connect(now, path);
                }
                // The answer will wake us; if none comes, look again in a second.
                Resolution::Pending => self.blocked_until = now + SECOND,
                Resolution::Unreachable | Resolution::TableFull => {
                    self.blocked_until = now + SECOND;
                }
            }
        }
        let first = out.frames.len();
        let mut segments = self.poll_segments(now, out);
        self.line.rearm(now, self.market.desk_mut());
        segments += self.poll_segments(now, out);
        let mut arp = Vec::new();
        while self.neighbors.poll_transmit(&mut arp) {
            let bytes = std::mem::take(&mut arp);
            let port = network.order_port;
            out.frames.push(TxFrame { port, bytes, ready_at: now, cause: None });
            segments += 1;
        }
        let done = self.line.take_housework();
        let cost = self.config.costs.housework(done, segments);
        self.house_until = self.house_until.max(now) + cost;
        let ready_at = self.house_until + self.config.costs.nic_tx_ns;
        for frame in &mut out.frames[first..] {
            frame.ready_at = ready_at;
        }
        if self.data_until == Nanos::MAX {
            self.data_until = ready_at;
        }
    }

    /// Frames for the segments that the connection wants sent; their time is set by the caller.
    fn poll_segments(&mut self, now: Nanos, out: &mut Outbox) -> u32 {
        let mut segments = 0;
        while let Some(segment) = self.line.poll_segment(now, &mut self.payload) {
            let Some(path) = self.line.fast_path().path() else { break };
            let mut bytes = Vec::with_capacity(path.tcp_offset() + 60 + self.payload.len());
            path.write(0, &segment.header, segment.options(), &self.payload, &mut bytes);
            let port = self.config.network.order_port;
            out.frames.push(TxFrame { port, bytes, ready_at: now, cause: None });
            segments += 1;
            if !self.payload.is_empty() {
                self.data_until = Nanos::MAX;
            }
        }
        segments
    }
}

/// What a feed frame may touch while it is served.
struct Hot<'a> {
    now: Nanos,
    cause: Option<FrameId>,
    costs: CostModel,
    port: u8,
    data_until: Nanos,
    meter: Meter,
    line: &'a mut OrderLine,
    firings: Vec<Firing>,
    counters: &'a mut HostCounters,
    out: &'a mut Outbox,
    housework: bool,
    /// The spans of a frame are those of its first order.
    fired: bool,
}

impl Hot<'_> {
    fn on_news(&mut self, market: &mut Market, stream: Stream, news: News<'_>) {
        if let News::Message { events, .. } = news {
            self.meter.message();
            self.housework |= events.iter().any(|event| matches!(event, Event::Defined { .. }));
        }
        let mut firings = std::mem::take(&mut self.firings);
        market.on_news(self.now, stream, &news, &mut firings, &mut |served| {
            self.meter.event(served.work);
            for firing in served.firings.drain(..) {
                self.fire(firing, served.market.desk_mut());
            }
        });
        self.firings = firings;
    }

    fn fire(&mut self, firing: Firing, desk: &mut Desk) {
        self.housework = true;
        let decided_at = self.meter.now();
        let slot = firing.fire.slot;
        let sent = match self.line.fire(slot, desk) {
            Ok(sent) => sent,
            Err(_) => {
                self.counters.refused += 1;
                return;
            }
        };
        self.meter.fire(sent.refreshed);
        let ready_at = (self.meter.now() + self.costs.nic_tx_ns).max(self.data_until);
        let bytes = self.line.fast_path().frame(slot).to_vec();
        self.out.frames.push(TxFrame { port: self.port, bytes, ready_at, cause: self.cause });
        if let Some(cause) = self.cause.filter(|_| !self.fired) {
            self.meter.spans(cause, ready_at, &mut self.out.stages);
        }
        self.fired = true;
        self.line.note_fired(sent, self.cause, decided_at, ready_at);
        self.counters.orders += 1;
    }
}

impl Station for TraderHost {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.counters.frames += 1;
        let parsed = match frame::parse(frame.bytes) {
            Ok(parsed) => parsed,
            Err(_) => {
                self.counters.malformed += 1;
                return;
            }
        };
        let network = self.config.network;
        match parsed.body {
            Body::Udp { ip, udp, payload } => {
                let destination = std::net::SocketAddrV4::new(ip.dst, udp.dst_port);
                let channel = self.config.plan.classify(destination);
                let on_port = |line: Line| network.feed_ports[line as usize] == frame.port;
                match channel.filter(|(_, line)| on_port(*line)) {
                    Some((stream, line)) => {
                        let datagram = Some((stream, line, payload));
                        self.serve_feed(now, datagram, Some(frame.id), out);
                    }
                    None => self.counters.other_datagrams += 1,
                }
            }
            Body::Tcp { ip, tcp, options, payload } => {
                let ours = self.line.fast_path().path().is_some_and(|path| {
                    frame.port == network.order_port
                        && (ip.src, tcp.src_port) == (*path.dst.ip(), path.dst.port())
                        && (ip.dst, tcp.dst_port) == (*path.src.ip(), path.src.port())
                });
                if ours {
                    let desk = self.market.desk_mut();
                    self.line.on_segment(now, &tcp, &options, payload, desk);
                    self.keep_house(now, out);
                } else {
                    self.counters.other_segments += 1;
                }
            }
            Body::Arp(arp) if frame.port == network.order_port => {
                self.neighbors.on_arp(now, &arp);
                self.blocked_until = now;
                self.keep_house(now, out);
            }
            _ => self.counters.other_frames += 1,
        }
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        if self.feed.next_deadline().is_some_and(|at| at <= now) {
            self.serve_feed(now, None, None, out);
        }
        self.neighbors.on_deadline(now);
        self.line.on_deadline(now, self.market.desk_mut());
        self.keep_house(now, out);
    }

    fn next_wake(&self) -> Option<Nanos> {
        let connect = self.line.next_connection().map(|at| at.max(self.blocked_until));
        [
            self.feed.next_deadline(),
            self.neighbors.next_deadline(),
            self.line.next_deadline(),
            connect,
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

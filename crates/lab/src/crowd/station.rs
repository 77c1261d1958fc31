//! The machine of the background traders: smoltcp below, FIX clients above.

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_exchange::host::device::QueueDevice;
use saker_wire::station::{FrameId, Outbox, RxFrame, Station, TxFrame};
use saker_wire::time::{MICROSECOND, MILLISECOND, Nanos};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::socket::tcp;
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{EthernetAddress, IpCidr};

use super::client::{Client, ClientCounters};
use super::flow::{Flow, FlowConfig, Listing};

/// Bytes of each socket's buffers.
const SOCKET_BUFFER: usize = 32 * 1024;
/// The first client's TCP port; the others follow. Each reconnection moves on by 100.
const FIRST_PORT: u16 = 40_000;

/// Who the background traders are and where the exchange is.
#[derive(Debug, Clone)]
pub struct CrowdConfig {
    /// The machine's MAC address.
    pub mac: [u8; 6],
    /// Its IPv4 address.
    pub ip: Ipv4Addr,
    /// Length of its network's prefix.
    pub prefix_len: u8,
    /// Where the exchange takes orders.
    pub exchange: SocketAddrV4,
    /// The exchange's CompID.
    pub exchange_comp_id: String,
    /// CompID (and user name) and password of each trader.
    pub traders: Vec<(String, String)>,
    /// The instruments they trade.
    pub listings: Vec<Listing>,
    /// How many of them subscribe to FIX market data of the first instrument.
    pub subscriptions: usize,
    /// How busy they are.
    pub flow: FlowConfig,
    /// When they begin to trade; they log on at once.
    pub trade_from: Nanos,
    /// When they stop sending new orders.
    pub trade_until: Nanos,
}

struct Line {
    client: Client,
    socket: SocketHandle,
    connected: bool,
    connections: u16,
}

/// The background traders as a station with one port.
pub struct Crowd {
    config: CrowdConfig,
    device: QueueDevice,
    interface: Interface,
    sockets: SocketSet<'static>,
    lines: Vec<Line>,
    flow: Flow,
    next_wake: Option<Nanos>,
    scratch: Vec<u8>,
}

impl Crowd {
    /// The machine, powered on at `now`; `rng` decides what its traders do.
    pub fn new(config: CrowdConfig, mut rng: fastrand::Rng, now: Nanos) -> Self {
        let mut device = QueueDevice::default();
        let mut settings = Config::new(EthernetAddress(config.mac).into());
        settings.random_seed = rng.u64(..);
        let mut interface = Interface::new(settings, &mut device, instant(now));
        interface.update_ip_addrs(|addresses| {
            // An interface that has no address yet has room for one.
            let _ = addresses.push(IpCidr::new(config.ip.into(), config.prefix_len));
        });
        let mut sockets = SocketSet::new(Vec::new());
        let lines = config.traders.iter().enumerate().map(|(index, (name, password))| {
            let buffer = || tcp::SocketBuffer::new(vec![0; SOCKET_BUFFER]);
            let mut socket = tcp::Socket::new(buffer(), buffer());
            socket.set_nagle_enabled(false);
            socket.set_ack_delay(None);
            socket.set_timeout(Some(Duration::from_secs(10)));
            let mut client = Client::new(name, &config.exchange_comp_id, password);
            if let (true, Some(first)) = (index < config.subscriptions, config.listings.first()) {
                client.subscribe_to(&first.symbol);
            }
            Line { client, socket: sockets.add(socket), connected: false, connections: 0 }
        });
        let lines = lines.collect();
        let start = config.trade_from.max(now);
        let flow = Flow::new(rng, config.flow, &config.listings, start);
        let scratch = vec![0; SOCKET_BUFFER];
        Self { config, device, interface, sockets, lines, flow, next_wake: Some(now), scratch }
    }

    /// What each trader did, in order.
    pub fn counters(&self) -> impl Iterator<Item = &ClientCounters> {
        self.lines.iter().map(|line| line.client.counters())
    }

    /// New orders that have not been answered yet.
    pub fn unanswered(&self) -> usize {
        self.lines.iter().map(|line| line.client.unanswered()).sum()
    }

    /// Serves everything that is due at `now`.
    fn serve(&mut self, now: Nanos, cause: Option<FrameId>, out: &mut Outbox) {
        self.interface.poll(instant(now), &mut self.device, &mut self.sockets);
        for index in 0..self.lines.len() {
            self.serve_line(index, now);
        }
        while self.flow.next_action() <= now && self.flow.next_action() < self.config.trade_until {
            let (trader, intent) = self.flow.act(self.lines.len(), &self.config.listings);
            let line = &mut self.lines[trader];
            line.client.act(now, intent, &self.config.listings);
            flush(line, &mut self.sockets);
        }
        self.interface.poll(instant(now), &mut self.device, &mut self.sockets);
        for bytes in self.device.sent.drain(..) {
            out.frames.push(TxFrame { port: 0, bytes, ready_at: now, cause });
        }
        self.next_wake = self.deadline(now);
    }

    fn serve_line(&mut self, index: usize, now: Nanos) {
        let line = &mut self.lines[index];
        let socket = self.sockets.get_mut::<tcp::Socket>(line.socket);
        if !socket.is_open() {
            if line.connected {
                line.connected = false;
                line.client.session().on_disconnect(now);
            }
            let offset = line.connections.wrapping_mul(100).wrapping_add(index as u16);
            line.connections = line.connections.wrapping_add(1);
            let remote = (self.config.exchange.ip().to_owned(), self.config.exchange.port());
            // Fails only for an unspecified address, which the configuration does not have.
            let _ =
                socket.connect(self.interface.context(), remote, FIRST_PORT.wrapping_add(offset));
            return;
        }
        if !line.connected && socket.may_send() {
            line.connected = true;
            line.client.session().on_connect(now);
        }
        while socket.can_recv() {
            match socket.recv_slice(&mut self.scratch) {
                Ok(count) if count > 0 => {
                    line.client.session().on_bytes(now, &self.scratch[..count]);
                }
                _ => break,
            }
        }
        if line.client.next_deadline().is_some_and(|at| at <= now) {
            line.client.session().on_deadline(now);
        }
        line.client.drain_events(now);
        flush(line, &mut self.sockets);
    }

    fn deadline(&mut self, now: Nanos) -> Option<Nanos> {
        let transport = self.interface.poll_at(instant(now), &self.sockets).map(|at| {
            let at = at.total_micros().unsigned_abs() * MICROSECOND;
            // The transport counts microseconds: what is due within this one is due at the next.
            at.max((now / MICROSECOND + 1) * MICROSECOND)
        });
        let sessions = self.lines.iter().filter_map(|line| line.client.next_deadline()).min();
        let action = self.flow.next_action();
        let action = (action < self.config.trade_until).then_some(action);
        let sessions = sessions.map(|at| at.max(now + MILLISECOND));
        [transport, sessions, action].into_iter().flatten().min()
    }
}

/// Moves what the session has to say into the socket, as far as it fits.
fn flush(line: &mut Line, sockets: &mut SocketSet<'_>) {
    let socket = sockets.get_mut::<tcp::Socket>(line.socket);
    while socket.can_send() && !line.client.session().output().is_empty() {
        match socket.send_slice(line.client.session().output()) {
            Ok(count) if count > 0 => line.client.session().consume_output(count),
            _ => break,
        }
    }
}

fn instant(now: Nanos) -> Instant {
    // Nanoseconds in a u64 are at most 1.8e16 microseconds.
    Instant::from_micros((now / MICROSECOND) as i64)
}

impl Station for Crowd {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.device.received = Some(frame.bytes.to_vec());
        self.serve(now, Some(frame.id), out);
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        self.serve(now, None, out);
    }

    fn next_wake(&self) -> Option<Nanos> {
        self.next_wake
    }
}

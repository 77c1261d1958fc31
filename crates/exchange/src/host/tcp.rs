//! TCP listening sockets under ARP and IPv4: smoltcp, driven by frames and virtual time.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};

use rustc_hash::FxHashMap;
use saker_wire::time::{MICROSECOND, Nanos, SECOND};
use smoltcp::iface::{Config, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::socket::tcp::{Socket, SocketBuffer, State};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{EthernetAddress, HardwareAddress, IpAddress, IpCidr, Ipv4Cidr};

use super::config::HostConfig;
use super::device::QueueDevice;
use crate::output::ConnectionId;

/// A connection whose peer acknowledges nothing for this long is reset.
const PEER_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection that is being closed is reset when its peer takes longer than this to agree.
const LINGER_NS: Nanos = 5 * SECOND;

/// Something that happened to a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TcpEvent {
    Opened(ConnectionId),
    /// Bytes are in [`TcpServer::received`].
    Received(ConnectionId),
    /// The peer closed or reset it, or it timed out.
    Lost(ConnectionId),
}

pub(super) struct TcpServer {
    interface: Interface,
    device: QueueDevice,
    sockets: SocketSet<'static>,
    slots: Vec<Slot>,
    slot_of: FxHashMap<ConnectionId, usize>,
    last_connection: u32,
    tcp_port: u16,
    /// The slot to look at next in [`TcpServer::poll_event`].
    next_slot: usize,
    received: Vec<u8>,
}

/// One socket and the connection it carries.
struct Slot {
    handle: SocketHandle,
    /// The connection that the engine knows.
    connection: Option<ConnectionId>,
    /// Output that has not found room in the socket's buffer.
    pending: VecDeque<u8>,
    /// The engine has done with the connection: it closes once `pending` is empty, and is reset at
    /// this instant if it is not closed by then.
    closing: Option<Nanos>,
    /// When what was last sent on it is ready to leave.
    ready_at: Nanos,
}

impl TcpServer {
    pub(super) fn new(config: &HostConfig, now: Nanos) -> Self {
        let port = &config.ports[usize::from(config.order_entry_port)];
        let mut device = QueueDevice::default();
        let address = HardwareAddress::Ethernet(EthernetAddress(port.mac.0));
        let mut interface_config = Config::new(address);
        interface_config.random_seed = config.seed;
        let mut interface = Interface::new(interface_config, &mut device, instant(now));
        interface.update_ip_addrs(|addresses| {
            let cidr = IpCidr::Ipv4(Ipv4Cidr::new(port.ip, port.prefix_len));
            addresses.push(cidr).expect("an interface holds at least one address");
        });
        if let Some(gateway) = config.gateway {
            interface
                .routes_mut()
                .add_default_ipv4_route(gateway)
                .expect("an interface holds at least one route");
        }
        let mut sockets = SocketSet::new(Vec::new());
        let slots = (0..config.connections).map(|_| {
            let receive = SocketBuffer::new(vec![0; config.receive_buffer]);
            let send = SocketBuffer::new(vec![0; config.send_buffer]);
            let mut socket = Socket::new(receive, send);
            socket.set_nagle_enabled(false);
            socket.set_ack_delay(None);
            socket.set_timeout(Some(PEER_TIMEOUT));
            Slot {
                handle: sockets.add(socket),
                connection: None,
                pending: VecDeque::new(),
                closing: None,
                ready_at: 0,
            }
        });
        let slots = slots.collect();
        let mut server = Self {
            interface,
            device,
            sockets,
            slots,
            slot_of: FxHashMap::default(),
            last_connection: 0,
            tcp_port: config.tcp_port,
            next_slot: 0,
            received: Vec::with_capacity(config.receive_buffer),
        };
        server.listen_again();
        server
    }

    /// Takes a frame in. Answers of the stack itself (ARP, resets) are in [`TcpServer::frames`].
    pub(super) fn receive(&mut self, now: Nanos, frame: &[u8]) {
        self.device.received = Some(frame.to_vec());
        self.interface.poll_ingress_single(instant(now), &mut self.device, &mut self.sockets);
        self.next_slot = 0;
    }

    /// Time has passed: timers of connections may have run out.
    pub(super) fn tick(&mut self, now: Nanos) {
        self.interface.poll_maintenance(instant(now));
        for slot in &mut self.slots {
            let socket = self.sockets.get_mut::<Socket<'static>>(slot.handle);
            if lingers(slot, socket).is_some_and(|until| until <= now) {
                slot.pending.clear();
                socket.abort();
            }
        }
        self.flush(now);
        self.next_slot = 0;
    }

    /// The next thing that has happened since the last frame or tick.
    pub(super) fn poll_event(&mut self, now: Nanos) -> Option<TcpEvent> {
        while let Some(slot) = self.slots.get_mut(self.next_slot) {
            let socket = self.sockets.get_mut::<Socket<'static>>(slot.handle);
            match slot.connection {
                None if slot.closing.is_none()
                    && matches!(socket.state(), State::Established | State::CloseWait) =>
                {
                    self.last_connection = self.last_connection.wrapping_add(1);
                    let connection = ConnectionId(self.last_connection);
                    slot.connection = Some(connection);
                    self.slot_of.insert(connection, self.next_slot);
                    return Some(TcpEvent::Opened(connection));
                }
                None => {
                    // What a peer says after the engine has done with it is not for anyone.
                    discard(socket);
                }
                Some(connection) if socket.can_recv() => {
                    self.received.clear();
                    while socket.can_recv() {
                        let received = &mut self.received;
                        let taken = socket.recv(|bytes| {
                            received.extend_from_slice(bytes);
                            (bytes.len(), bytes.len())
                        });
                        if taken.is_err() {
                            break;
                        }
                    }
                    return Some(TcpEvent::Received(connection));
                }
                Some(connection) if !socket.may_recv() => {
                    // The peer has closed its half, or the socket was reset or timed out.
                    socket.close();
                    slot.closing = Some(now.saturating_add(LINGER_NS));
                    slot.connection = None;
                    slot.pending.clear();
                    self.slot_of.remove(&connection);
                    return Some(TcpEvent::Lost(connection));
                }
                Some(_) => {}
            }
            self.next_slot += 1;
        }
        None
    }

    /// The bytes of the last [`TcpEvent::Received`].
    pub(super) fn received(&self) -> &[u8] {
        &self.received
    }

    /// Queues bytes that are ready to leave at `ready_at`.
    pub(super) fn send(&mut self, connection: ConnectionId, bytes: &[u8], ready_at: Nanos) {
        if let Some(&index) = self.slot_of.get(&connection) {
            let slot = &mut self.slots[index];
            slot.pending.extend(bytes);
            slot.ready_at = ready_at;
        }
    }

    /// Moves queued bytes into the sockets' buffers and calls `written(connection, bytes)` for
    /// what found room.
    pub(super) fn push(&mut self, mut written: impl FnMut(ConnectionId, usize)) {
        for slot in &mut self.slots {
            if slot.pending.is_empty() {
                continue;
            }
            let socket = self.sockets.get_mut::<Socket<'static>>(slot.handle);
            let mut moved = 0;
            while !slot.pending.is_empty() {
                let (front, _) = slot.pending.as_slices();
                match socket.send_slice(front) {
                    Ok(0) => break,
                    Ok(count) => {
                        slot.pending.drain(..count);
                        moved += count;
                    }
                    Err(_) => {
                        slot.pending.clear();
                        break;
                    }
                }
            }
            if let (Some(connection), true) = (slot.connection, moved > 0) {
                written(connection, moved);
            }
            if slot.closing.is_some() && slot.pending.is_empty() {
                socket.close();
            }
        }
    }

    /// Closes a connection: at once with a reset, or when everything queued has left.
    pub(super) fn close(&mut self, now: Nanos, connection: ConnectionId, abort: bool) {
        let Some(index) = self.slot_of.remove(&connection) else { return };
        let slot = &mut self.slots[index];
        slot.connection = None;
        slot.closing = Some(now.saturating_add(LINGER_NS));
        let socket = self.sockets.get_mut::<Socket<'static>>(slot.handle);
        if abort {
            slot.pending.clear();
            socket.abort();
        } else if slot.pending.is_empty() {
            socket.close();
        }
    }

    /// Lets every socket send what it has, and sockets that are done listen again.
    pub(super) fn flush(&mut self, now: Nanos) {
        while self.interface.poll_egress(instant(now), &mut self.device, &mut self.sockets)
            != PollResult::None
        {}
        self.listen_again();
    }

    fn listen_again(&mut self) {
        for slot in &mut self.slots {
            let socket = self.sockets.get_mut::<Socket<'static>>(slot.handle);
            // A reset socket keeps its endpoint until the reset has left.
            if slot.connection.is_none()
                && socket.state() == State::Closed
                && socket.remote_endpoint().is_none()
            {
                slot.closing = None;
                slot.pending.clear();
                slot.ready_at = 0;
                socket.listen(self.tcp_port).expect("the socket is closed and the port is not 0");
            }
        }
    }

    /// The frames made since the last call, with the instant from which each is ready.
    pub(super) fn frames(&mut self, now: Nanos, mut each: impl FnMut(Vec<u8>, Nanos)) {
        let frames = std::mem::take(&mut self.device.sent);
        for frame in frames {
            let ready_at = destination(&frame).and_then(|peer| self.ready_at(peer)).unwrap_or(now);
            each(frame, ready_at.max(now));
        }
    }

    fn ready_at(&self, peer: SocketAddrV4) -> Option<Nanos> {
        self.slots.iter().find_map(|slot| {
            let remote = self.sockets.get::<Socket<'static>>(slot.handle).remote_endpoint()?;
            let IpAddress::Ipv4(ip) = remote.addr;
            (ip == *peer.ip() && remote.port == peer.port()).then_some(slot.ready_at)
        })
    }

    /// When [`TcpServer::tick`] is due.
    pub(super) fn poll_at(&mut self, now: Nanos) -> Option<Nanos> {
        let stack = self.interface.poll_at(instant(now), &self.sockets).map(|at| {
            let micros = u64::try_from(at.total_micros()).unwrap_or(0);
            // smoltcp counts microseconds: an instant within the current one is reached by the
            // next.
            micros.saturating_mul(MICROSECOND).max(now - now % MICROSECOND + MICROSECOND)
        });
        let lingering = self
            .slots
            .iter()
            .filter_map(|slot| lingers(slot, self.sockets.get::<Socket<'static>>(slot.handle)));
        lingering.chain(stack).min()
    }
}

impl std::fmt::Debug for TcpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let open = self.slots.iter().filter(|slot| slot.connection.is_some()).count();
        f.debug_struct("TcpServer")
            .field("sockets", &self.slots.len())
            .field("open", &open)
            .finish()
    }
}

/// Until when a connection that is being closed may take.
fn lingers(slot: &Slot, socket: &Socket<'static>) -> Option<Nanos> {
    let open = !matches!(socket.state(), State::Closed | State::Listen | State::TimeWait);
    slot.closing.filter(|_| open)
}

fn discard(socket: &mut Socket<'static>) {
    while socket.can_recv() && socket.recv(|bytes| (bytes.len(), ())).is_ok() {}
}

/// smoltcp's time is in microseconds; the fraction is cut, so time never runs ahead of `now`.
fn instant(now: Nanos) -> Instant {
    Instant::from_micros(i64::try_from(now / MICROSECOND).unwrap_or(i64::MAX))
}

/// Where one of smoltcp's own TCP frames goes.
fn destination(frame: &[u8]) -> Option<SocketAddrV4> {
    const IPV4: [u8; 2] = [0x08, 0x00];
    const TCP: u8 = 6;
    if frame.get(12..14)? != IPV4 || *frame.get(23)? != TCP {
        return None;
    }
    let header_len = usize::from(frame.get(14)? & 0x0f) * 4;
    let ip: [u8; 4] = frame.get(30..34)?.try_into().ok()?;
    let at = 14 + header_len + 2;
    let port: [u8; 2] = frame.get(at..at + 2)?.try_into().ok()?;
    Some(SocketAddrV4::new(Ipv4Addr::from(ip), u16::from_be_bytes(port)))
}

//! The exchange's station on a small network with client machines that run smoltcp.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use saker_exchange::host::{ExchangeHost, HostConfig};
use saker_exchange::{Exchange, ExchangeConfig};
use saker_fix::session::{Config as SessionConfig, Event, Session};
use saker_wire::station::{FrameId, Outbox, RxFrame, StageSpan, Station, TxFrame};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp::{Socket, SocketBuffer, State};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, HardwareAddress, IpAddress, IpCidr};

use super::{Received, START};

/// One-way delay between any two machines.
pub const DELAY: u64 = 1_000;

/// A frame that the exchange has sent.
#[derive(Debug, Clone)]
pub struct Sent {
    pub at: u64,
    pub frame: TxFrame,
}

pub struct Lan {
    pub now: u64,
    pub host: ExchangeHost,
    pub machines: Vec<Machine>,
    pub sent: Vec<Sent>,
    pub stages: Vec<StageSpan>,
    pub wakes: u64,
    /// Frames on the way: when they arrive, and where.
    on_the_way: BinaryHeap<Reverse<Arrival>>,
    last_id: FrameId,
    /// When each frame arrived at the exchange, and its name.
    pub arrivals: Vec<(u64, FrameId)>,
}

/// When, in which order among those of one instant, where, and what.
type Arrival = (u64, u64, To, Vec<u8>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum To {
    Exchange,
    Machine(usize),
}

/// A client machine: one address, one session on each of its sockets.
pub struct Machine {
    interface: Interface,
    device: Wire,
    sockets: SocketSet<'static>,
    pub clients: Vec<Client>,
    seen: Vec<u8>,
    /// Its programs are stopped; only its TCP goes on.
    muted: bool,
}

pub struct Client {
    handle: SocketHandle,
    pub session: Session,
    up: bool,
    pub inbox: Vec<Received>,
}

#[derive(Default)]
struct Wire {
    received: Vec<Vec<u8>>,
    sent: Vec<Vec<u8>>,
}

struct Rx(Vec<u8>);
struct Tx<'a>(&'a mut Vec<Vec<u8>>);

impl RxToken for Rx {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

impl TxToken for Tx<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let mut frame = vec![0; len];
        let result = f(&mut frame);
        self.0.push(frame);
        result
    }
}

impl Device for Wire {
    type RxToken<'a> = Rx;
    type TxToken<'a> = Tx<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Rx, Tx<'_>)> {
        if self.received.is_empty() {
            return None;
        }
        Some((Rx(self.received.remove(0)), Tx(&mut self.sent)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Tx<'_>> {
        Some(Tx(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities
    }
}

fn instant(now: u64) -> Instant {
    Instant::from_micros((now / 1000) as i64)
}

impl Lan {
    /// `machines[m]` is the list of participants (by index) whose clients run on machine `m`.
    pub fn new(config: ExchangeConfig, host: HostConfig, machines: &[Vec<usize>]) -> Self {
        let exchange = Exchange::new(config.clone(), START).unwrap();
        let machine =
            |(n, participants): (usize, &Vec<usize>)| Machine::new(n, participants, &config);
        Self {
            now: START,
            host: ExchangeHost::new(exchange, host, START).unwrap(),
            machines: machines.iter().enumerate().map(machine).collect(),
            sent: Vec::new(),
            stages: Vec::new(),
            wakes: 0,
            on_the_way: BinaryHeap::new(),
            last_id: 0,
            arrivals: Vec::new(),
        }
    }

    /// Opens every client's connection and logs on.
    pub fn log_on_all(&mut self) {
        for m in 0..self.machines.len() {
            for c in 0..self.machines[m].clients.len() {
                self.connect(m, c);
            }
        }
        self.run(20_000_000);
    }

    pub fn connect(&mut self, machine: usize, client: usize) {
        let machine = &mut self.machines[machine];
        machine.seen.clear();
        let c = &mut machine.clients[client];
        let local = 40_000 + client as u16;
        let socket = machine.sockets.get_mut::<Socket<'static>>(c.handle);
        let exchange = (IpAddress::v4(10, 0, 0, 1), 9878);
        socket.connect(machine.interface.context(), exchange, local).unwrap();
    }

    /// Runs the network for a span of time.
    pub fn run(&mut self, span: u64) {
        let end = self.now + span;
        for machine in 0..self.machines.len() {
            self.serve(machine);
        }
        loop {
            let arrival = self.on_the_way.peek().map(|Reverse((at, ..))| *at);
            let wake = self.host.next_wake();
            let machines = self.machines.iter_mut().map(|m| m.deadline(self.now));
            let timer = machines.flatten().min();
            let Some(next) = [arrival, wake, timer].into_iter().flatten().min() else { break };
            if next > end {
                break;
            }
            self.now = self.now.max(next);
            let mut out = Outbox::default();
            if arrival == Some(next) {
                let Reverse((_, _, to, bytes)) = self.on_the_way.pop().unwrap();
                match to {
                    To::Machine(machine) => {
                        self.machines[machine].device.received.push(bytes);
                        self.serve(machine);
                    }
                    To::Exchange => {
                        self.last_id += 1;
                        self.arrivals.push((self.now, self.last_id));
                        let frame = RxFrame {
                            port: 0,
                            id: self.last_id,
                            first_byte_ns: self.now,
                            bytes: &bytes,
                        };
                        self.host.receive(self.now, frame, &mut out);
                    }
                }
            } else if wake == Some(next) {
                self.wakes += 1;
                self.host.wake(self.now, &mut out);
            } else {
                for machine in 0..self.machines.len() {
                    self.serve(machine);
                }
            }
            self.stages.append(&mut out.stages);
            for frame in out.frames {
                self.deliver(frame);
            }
        }
        self.now = end;
    }

    fn deliver(&mut self, frame: TxFrame) {
        assert!(frame.ready_at >= self.now);
        // Unicast to every machine; each takes what is for it. Multicast ends here.
        if frame.port == 0 && frame.bytes[0] != 0x01 {
            for machine in 0..self.machines.len() {
                let to = To::Machine(machine);
                self.send(frame.ready_at + DELAY, to, frame.bytes.clone());
            }
        }
        self.sent.push(Sent { at: self.now, frame });
    }

    fn send(&mut self, at: u64, to: To, bytes: Vec<u8>) {
        let order = self.sent.len() as u64 * 1000 + self.on_the_way.len() as u64;
        self.on_the_way.push(Reverse((at, order, to, bytes)));
    }

    fn serve(&mut self, machine: usize) {
        let now = self.now;
        self.machines[machine].serve(now);
        for bytes in std::mem::take(&mut self.machines[machine].device.sent) {
            self.send(now + DELAY, To::Exchange, bytes);
        }
    }

    /// Puts a frame on the wire to the exchange.
    pub fn inject(&mut self, bytes: Vec<u8>) {
        self.send(self.now + DELAY, To::Exchange, bytes);
    }

    pub fn client(&mut self, machine: usize, client: usize) -> &mut Client {
        &mut self.machines[machine].clients[client]
    }

    pub fn abort(&mut self, machine: usize, client: usize) {
        let machine = &mut self.machines[machine];
        let c = &mut machine.clients[client];
        machine.sockets.get_mut::<Socket<'static>>(c.handle).abort();
    }

    pub fn close(&mut self, machine: usize, client: usize) {
        let machine = &mut self.machines[machine];
        let c = &mut machine.clients[client];
        machine.sockets.get_mut::<Socket<'static>>(c.handle).close();
    }
}

impl Machine {
    fn new(n: usize, participants: &[usize], config: &ExchangeConfig) -> Self {
        let mut device = Wire::default();
        let mac = EthernetAddress([2, 0, 0, 0, 1, n as u8]);
        let mut interface_config = Config::new(HardwareAddress::Ethernet(mac));
        interface_config.random_seed = 100 + n as u64;
        let mut interface = Interface::new(interface_config, &mut device, instant(START));
        interface.update_ip_addrs(|addresses| {
            addresses.push(IpCidr::new(IpAddress::v4(10, 0, 0, 10 + n as u8), 24)).unwrap();
        });
        let mut sockets = SocketSet::new(Vec::new());
        let clients = participants.iter().map(|p| {
            let participant = &config.participants[*p];
            let buffer = || SocketBuffer::new(vec![0; 16 * 1024]);
            let mut socket = Socket::new(buffer(), buffer());
            socket.set_nagle_enabled(false);
            socket.set_ack_delay(None);
            let mut session = SessionConfig::new(&participant.comp_id, Some("SAKER"));
            session.username = Some(participant.username.clone());
            session.password = Some(participant.password.clone());
            Client {
                handle: sockets.add(socket),
                session: Session::initiator(session),
                up: false,
                inbox: Vec::new(),
            }
        });
        let clients = clients.collect();
        Self { interface, device, sockets, clients, seen: Vec::new(), muted: false }
    }

    /// Stops its programs, not its TCP.
    pub fn mute(&mut self) {
        self.muted = true;
    }

    /// Starts its programs afresh, without a word to the other side.
    pub fn restart(&mut self, now: u64) {
        self.muted = false;
        for client in &mut self.clients {
            self.sockets.get_mut::<Socket<'static>>(client.handle).abort();
        }
        self.interface.poll(instant(now), &mut self.device, &mut self.sockets);
        self.device.sent.clear();
        self.serve(now);
    }

    fn serve(&mut self, now: u64) {
        loop {
            self.interface.poll(instant(now), &mut self.device, &mut self.sockets);
            if self.muted {
                return;
            }
            let mut said = false;
            for client in &mut self.clients {
                let socket = self.sockets.get_mut::<Socket<'static>>(client.handle);
                said |= client.serve(now, socket, &mut self.seen);
            }
            if !said {
                return;
            }
        }
    }

    fn deadline(&mut self, now: u64) -> Option<u64> {
        let awake = self.clients.iter().filter(|c| c.up && !self.muted);
        let sessions = awake.map(|c| c.session.next_deadline());
        let session = sessions.flatten().min();
        let tcp = self.interface.poll_at(instant(now), &self.sockets);
        let tcp = tcp.map(|at| (at.total_micros() as u64 * 1000).max(now + 1000));
        [session, tcp].into_iter().flatten().min()
    }
}

impl Client {
    fn serve(&mut self, now: u64, socket: &mut Socket<'static>, seen: &mut Vec<u8>) -> bool {
        if !self.up && socket.state() == State::Established {
            self.up = true;
            self.session.on_connect(now);
        }
        if self.session.next_deadline().is_some_and(|at| at <= now) && self.up {
            self.session.on_deadline(now);
        }
        seen.clear();
        while socket.can_recv() {
            socket
                .recv(|bytes| {
                    seen.extend_from_slice(bytes);
                    (bytes.len(), ())
                })
                .unwrap();
        }
        if !seen.is_empty() {
            self.session.on_bytes(now, seen);
        }
        if self.up && !socket.may_recv() {
            self.up = false;
            self.session.on_disconnect(now);
            socket.close();
            return true;
        }
        while let Some(event) = self.session.poll_event() {
            if let Event::Application(bytes) = event {
                self.inbox.push(Received(bytes));
            }
        }
        let mut said = false;
        while self.up && !self.session.output().is_empty() {
            let taken = socket.send_slice(self.session.output()).unwrap();
            if taken == 0 {
                break;
            }
            self.session.consume_output(taken);
            said = true;
        }
        said
    }
}

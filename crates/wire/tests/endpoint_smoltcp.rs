//! The endpoint against smoltcp's TCP socket through an impaired link.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use std::collections::VecDeque;

use endpoint_support::link::{Impairment, Link};
use endpoint_support::party::Party;
use endpoint_support::setup::{CLIENT, SERVER, isn, mac_of, path, random_config, random_habits};
use fastrand::Rng;
use saker_wire::arp::ArpOperation;
use saker_wire::endpoint::{Endpoint, Event, ResetReason, State};
use saker_wire::ethernet::{ETHERTYPE_ARP, Ethernet};
use saker_wire::frame::{self, Body};
use saker_wire::time::{MICROSECOND, Nanos};
use smoltcp::iface::{Config as InterfaceConfig, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{self, Device, DeviceCapabilities, Medium};
use smoltcp::socket::tcp;
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, IpCidr};

/// An Ethernet port made of two queues.
#[derive(Default)]
struct Port {
    arrived: VecDeque<Vec<u8>>,
    leaving: Vec<Vec<u8>>,
}

struct Arrived(Vec<u8>);
struct Leaving<'a>(&'a mut Vec<Vec<u8>>);

impl phy::RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

impl phy::TxToken for Leaving<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let mut bytes = vec![0; len];
        let result = f(&mut bytes);
        self.0.push(bytes);
        result
    }
}

impl Device for Port {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Leaving<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Arrived, Leaving<'_>)> {
        let bytes = self.arrived.pop_front()?;
        Some((Arrived(bytes), Leaving(&mut self.leaving)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Leaving<'_>> {
        Some(Leaving(&mut self.leaving))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities
    }
}

/// smoltcp with one socket and an application that reads and writes at random.
struct Peer {
    port: Port,
    interface: Interface,
    sockets: SocketSet<'static>,
    handle: SocketHandle,
    to_write: usize,
    written: Vec<u8>,
    received: Vec<u8>,
    read_chance: u32,
    closed: bool,
    close_after_peer: bool,
    was_open: bool,
    rng: Rng,
}

impl Peer {
    fn new(rng: &mut Rng, listens: bool) -> Peer {
        let address = if listens { SERVER } else { CLIENT };
        let mut port = Port::default();
        let mac = EthernetAddress(mac_of(*address.ip()).0);
        let mut config = InterfaceConfig::new(mac.into());
        config.random_seed = rng.u64(..);
        let mut interface = Interface::new(config, &mut port, Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            addresses.push(IpCidr::new((*address.ip()).into(), 24)).unwrap();
        });
        let (rx, tx) = (rng.usize(1000..100_000), rng.usize(1000..100_000));
        let mut socket = tcp::Socket::new(
            tcp::SocketBuffer::new(vec![0; rx]),
            tcp::SocketBuffer::new(vec![0; tx]),
        );
        socket.set_nagle_enabled(rng.bool());
        if listens {
            socket.listen(SERVER.port()).unwrap();
        } else {
            socket.connect(interface.context(), SERVER, CLIENT.port()).unwrap();
        }
        let mut sockets = SocketSet::new(Vec::new());
        let handle = sockets.add(socket);
        Peer {
            port,
            interface,
            sockets,
            handle,
            to_write: 0,
            written: Vec::new(),
            received: Vec::new(),
            read_chance: rng.u32(50..1000),
            closed: false,
            close_after_peer: rng.bool(),
            was_open: false,
            rng: rng.fork(),
        }
    }

    fn socket(&mut self) -> &mut tcp::Socket<'static> {
        self.sockets.get_mut(self.handle)
    }

    fn step(&mut self, now: Nanos) -> Vec<Vec<u8>> {
        let now = Instant::from_micros((now / 1000) as i64);
        self.interface.poll(now, &mut self.port, &mut self.sockets);
        let bytes: Vec<u8> =
            (0..self.rng.usize(1..3000).min(self.to_write)).map(|_| self.rng.u8(..)).collect();
        let reads = self.rng.u32(0..1000) < self.read_chance;
        let socket = self.sockets.get_mut::<tcp::Socket>(self.handle);
        // smoltcp forgets unread bytes when TIME-WAIT ends.
        let reads = reads || socket.state() == tcp::State::TimeWait;
        self.was_open |= socket.may_send();
        if socket.can_send() {
            let taken = socket.send_slice(&bytes).unwrap();
            self.written.extend(&bytes[..taken]);
            self.to_write -= taken;
        }
        while reads && socket.can_recv() {
            socket
                .recv(|data| {
                    self.received.extend_from_slice(data);
                    (data.len(), ())
                })
                .unwrap();
        }
        let peer_is_done = self.was_open && !socket.may_recv();
        if self.was_open && self.to_write == 0 && (!self.close_after_peer || peer_is_done) {
            socket.close();
            self.closed = true;
        }
        self.interface.poll(now, &mut self.port, &mut self.sockets);
        std::mem::take(&mut self.port.leaving)
    }
}

struct World {
    now: Nanos,
    link: Link,
    party: Party,
    peer: Peer,
    /// Which side of the link the party is.
    side: usize,
    rng: Rng,
    steps: u64,
    quiet_steps: u32,
}

impl World {
    fn new(seed: u64, bytes: usize) -> World {
        let mut rng = Rng::with_seed(seed);
        let is_client = rng.bool();
        let isn = isn(&mut rng);
        let (us, them) = if is_client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
        let mut config = random_config(&mut rng, us.port(), them.port());
        // smoltcp segments by its own link, so a window below one segment would starve it.
        config.receive_capacity = config.receive_capacity.max(3000);
        // Its timeouts grow to a minute, which few losses in a row should pass.
        config.mss = config.mss.max(500);
        config.reassembly_ranges = config.reassembly_ranges.max(3);
        config.retransmit_capacity = config.retransmit_capacity.max(500);
        let endpoint = if is_client {
            Endpoint::connect(config, isn, 0).unwrap()
        } else {
            Endpoint::listen(config, isn).unwrap()
        };
        let habits = random_habits(&mut rng);
        let mut party = Party::new(endpoint, isn, path(us, them), habits, seed ^ 1);
        party.to_write = bytes;
        party.close_after_peer = rng.bool();
        let mut peer = Peer::new(&mut rng, is_client);
        peer.to_write = bytes;
        // One of them must close first.
        peer.close_after_peer &= !party.close_after_peer;
        World {
            now: 0,
            link: Link::new(Impairment::random(&mut rng), seed ^ 2),
            party,
            peer,
            side: usize::from(!is_client),
            rng,
            steps: 0,
            quiet_steps: 0,
        }
    }

    fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < 1_000_000, "the run ends: {:?}", self.party.endpoint.counters());
        let mut ours = Vec::new();
        while let Some((to, bytes)) = self.link.arrived(self.now) {
            if to == self.side {
                self.party.receive(self.now, &bytes, &mut ours);
            } else {
                self.peer.port.arrived.push_back(bytes);
            }
        }
        self.party.step(self.now, &mut ours);
        for bytes in ours {
            self.link.send(self.now, 1 - self.side, bytes);
        }
        for bytes in self.peer.step(self.now) {
            match frame::parse(&bytes).unwrap().body {
                // Addresses are resolved in fair weather.
                Body::Arp(arp) if arp.operation == ArpOperation::Request => {
                    let reply = arp.reply_from(mac_of(arp.target_ip));
                    let ethernet = Ethernet {
                        dst: arp.sender_mac,
                        src: reply.sender_mac,
                        ethertype: ETHERTYPE_ARP,
                    };
                    let bytes = [&ethernet.to_bytes()[..], &reply.to_bytes()[..]].concat();
                    self.peer.port.arrived.push_back(bytes);
                }
                _ => self.link.send(self.now, self.side, bytes),
            }
        }
        // The applications tick faster while something moves.
        self.quiet_steps =
            if self.link.next_arrival().is_some() { 0 } else { self.quiet_steps + 1 };
        let stretch = 1 << self.quiet_steps.min(10);
        let tick = self.now + self.rng.u64(10..600) * MICROSECOND * stretch;
        let instants = [self.link.next_arrival(), Some(tick), self.party.endpoint.next_deadline()];
        self.now = instants.into_iter().flatten().min().unwrap().max(self.now + 1);
    }
}

#[test]
fn both_directions_arrive_whole() {
    let (mut fired, mut early) = (0, 0);
    for seed in 0..110u64 {
        let bytes = if seed.is_multiple_of(11) { 200_000 } else { 20_000 };
        let mut world = World::new(seed, bytes);
        while !(world.party.is_done()
            && world.peer.closed
            && world.party.received.len() == bytes
            && world.peer.received.len() == bytes
            && world.party.endpoint.state() == State::Closed)
        {
            world.step();
        }
        assert!(world.party.stream == world.peer.received, "seed {seed}");
        assert!(world.peer.written == world.party.received, "seed {seed}");
        for event in [Event::Connected, Event::PeerClosed, Event::Closed] {
            assert!(world.party.events.contains(&event), "seed {seed}: {event:?}");
        }
        fired += world.party.fired;
        early += world.party.endpoint.counters().early_acks;
    }
    assert!(fired > 1000 && early > 100, "delegated sends and their race: {fired}, {early}");
}

#[test]
fn either_side_may_abort() {
    for seed in 500..540u64 {
        let mut world = World::new(seed, 100_000);
        let enough = world.rng.usize(1..20_000);
        while world.party.received.len() < enough {
            world.step();
        }
        if seed.is_multiple_of(2) {
            world.party.endpoint.abort();
            world.party.to_write = 0;
            while world.peer.socket().state() != tcp::State::Closed {
                world.step();
            }
        } else {
            world.peer.socket().abort();
            world.peer.to_write = 0;
            world.party.habits.write = 1000;
            while world.party.endpoint.state() != State::Closed {
                world.step();
            }
            world.step();
            let events = &world.party.events;
            assert!(events.contains(&Event::Reset(ResetReason::ByPeer)), "{events:?}");
        }
    }
}

//! The ARP side of a host: answers requests for its own address, and finds the MAC addresses of next
//! hops (RFC 826, with the bounds of RFC 1122 section 2.3.2).
//!
//! Sans-I/O: received ARP packets and `now` go in; frames and the next deadline come out. It keeps
//! no packets for next hops that are being asked for: the caller does, and calls
//! [`Neighbors::resolve`] again when an answer may have arrived.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use crate::arp::{Arp, ArpOperation};
use crate::ethernet::{ETHERTYPE_ARP, ETHERTYPE_VLAN, Ethernet, MacAddr};
use crate::time::{Nanos, SECOND};
use crate::vlan::Vlan;

/// How a host resolves addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeighborConfig {
    /// The host's MAC address.
    pub mac: MacAddr,
    /// The host's IPv4 address.
    pub ip: Ipv4Addr,
    /// VLAN identifier, if ARP frames are tagged.
    pub vlan: Option<u16>,
    /// Most addresses known or asked for at a time, at least 1.
    pub capacity: usize,
    /// Time between requests for one address, and how long a failure is remembered; at least 1.
    pub retry_ns: Nanos,
    /// Requests sent before giving up, at least 1.
    pub max_requests: u32,
    /// How long an answer is trusted before it is asked for again.
    pub lifetime_ns: Nanos,
}

impl NeighborConfig {
    /// 32 addresses, 3 requests a second apart, answers trusted for 10 minutes.
    pub fn new(mac: MacAddr, ip: Ipv4Addr) -> Self {
        NeighborConfig {
            mac,
            ip,
            vlan: None,
            capacity: 32,
            retry_ns: SECOND,
            max_requests: 3,
            lifetime_ns: 600 * SECOND,
        }
    }
}

/// What is known about a next hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// Its MAC address. An answer past its lifetime is still given while it is asked for again.
    Known(MacAddr),
    /// A request is out.
    Pending,
    /// Nobody answered the last requests; asked again once `retry_ns` have passed.
    Unreachable,
    /// The table is full of addresses that are being asked for or are fixed. Nothing is asked.
    TableFull,
}

/// What happened, for a monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NeighborCounters {
    /// Requests for other addresses sent.
    pub requests_sent: u64,
    /// Requests for the own address answered.
    pub replies_sent: u64,
    /// Replies not sent because [`Neighbors::poll_transmit`] was not called often enough.
    pub replies_dropped: u64,
    /// Packets ignored because their sender claims the own address.
    pub conflicts: u64,
    /// Packets ignored because their sender's MAC address is a group's or zero.
    pub invalid_senders: u64,
    /// Addresses given up.
    pub failures: u64,
    /// Known addresses forgotten in favour of new ones.
    pub evictions: u64,
}

/// Most frames that wait for [`Neighbors::poll_transmit`]: replies beyond it are dropped, since
/// the peer asks again.
const MAX_REPLIES: usize = 16;

/// The cache of an IPv4 host's neighbours.
#[derive(Debug)]
pub struct Neighbors {
    config: NeighborConfig,
    entries: Vec<Entry>,
    replies: VecDeque<Arp>,
    /// Requests to send: addresses in state `Asking`, each at most once.
    requests: VecDeque<Ipv4Addr>,
    counters: NeighborCounters,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    ip: Ipv4Addr,
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Set by the caller, never forgotten.
    Fixed(MacAddr),
    /// Answered, trusted until `expires`.
    Known { mac: MacAddr, expires: Nanos },
    /// Asked for; `stale` is the answer that outlived its lifetime.
    Asking { stale: Option<MacAddr>, requests: u32, retry_at: Nanos },
    /// Given up until `until`.
    Failed { until: Nanos },
}

impl Neighbors {
    /// An empty cache.
    ///
    /// # Panics
    /// If the configuration's capacity, requests or retry time are 0.
    pub fn new(config: NeighborConfig) -> Self {
        assert!(config.capacity > 0 && config.max_requests > 0 && config.retry_ns > 0);
        Neighbors {
            config,
            entries: Vec::with_capacity(config.capacity),
            replies: VecDeque::with_capacity(MAX_REPLIES),
            requests: VecDeque::with_capacity(config.capacity),
            counters: NeighborCounters::default(),
        }
    }

    /// Sets an address that never expires. `false` if the table is full of fixed and asked-for
    /// addresses.
    pub fn insert_fixed(&mut self, ip: Ipv4Addr, mac: MacAddr) -> bool {
        self.requests.retain(|&request| request != ip);
        match self.entry(ip) {
            Some(entry) => {
                entry.state = State::Fixed(mac);
                true
            }
            None => self.insert(Entry { ip, state: State::Fixed(mac) }),
        }
    }

    /// What is known about `ip`; begins to ask if need be. Then
    /// [`Neighbors::poll_transmit`] has a frame and [`Neighbors::next_deadline`] may be sooner.
    pub fn resolve(&mut self, now: Nanos, ip: Ipv4Addr) -> Resolution {
        let retry_at = now.saturating_add(self.config.retry_ns);
        let asking = |stale| State::Asking { stale, requests: 1, retry_at };
        let Some(entry) = self.entry(ip) else {
            if !self.insert(Entry { ip, state: asking(None) }) {
                return Resolution::TableFull;
            }
            self.requests.push_back(ip);
            return Resolution::Pending;
        };
        let (resolution, ask) = match entry.state {
            State::Fixed(mac) => (Resolution::Known(mac), None),
            State::Known { mac, expires } if now < expires => (Resolution::Known(mac), None),
            State::Known { mac, .. } => (Resolution::Known(mac), Some(asking(Some(mac)))),
            State::Asking { stale: Some(mac), .. } => (Resolution::Known(mac), None),
            State::Asking { stale: None, .. } => (Resolution::Pending, None),
            State::Failed { until } if now < until => (Resolution::Unreachable, None),
            State::Failed { .. } => (Resolution::Pending, Some(asking(None))),
        };
        if let Some(state) = ask {
            entry.state = state;
            self.requests.push_back(ip);
        }
        debug_assert!(self.requests.len() <= self.entries.len());
        resolution
    }

    /// Takes in a received ARP packet. Requests for the own address are answered through
    /// [`Neighbors::poll_transmit`]. Only addresses that were asked for, are known already, or ask
    /// for the own address enter the table, so strangers' chatter does not.
    pub fn on_arp(&mut self, now: Nanos, arp: &Arp) {
        if arp.sender_mac.is_group() || arp.sender_mac == MacAddr::ZERO {
            self.counters.invalid_senders += 1;
            return;
        }
        if arp.sender_ip == self.config.ip {
            if arp.sender_mac != self.config.mac {
                self.counters.conflicts += 1;
            }
            return;
        }
        let asks_us = arp.operation == ArpOperation::Request && arp.target_ip == self.config.ip;
        // A probe (RFC 5227) has no sender address; it is answered and teaches nothing.
        if !arp.sender_ip.is_unspecified() {
            self.learn(now, arp.sender_ip, arp.sender_mac, asks_us);
        }
        if asks_us {
            if self.replies.len() == MAX_REPLIES {
                self.counters.replies_dropped += 1;
            } else {
                self.replies.push_back(arp.reply_from(self.config.mac));
            }
        }
    }

    /// Appends the next frame to send, unpadded and without FCS; `false` if there is none.
    pub fn poll_transmit(&mut self, out: &mut Vec<u8>) -> bool {
        let (arp, dst) = if let Some(reply) = self.replies.pop_front() {
            self.counters.replies_sent += 1;
            (reply, reply.target_mac)
        } else if let Some(ip) = self.requests.pop_front() {
            self.counters.requests_sent += 1;
            (Arp::request(self.config.mac, self.config.ip, ip), MacAddr::BROADCAST)
        } else {
            return false;
        };
        let ethertype = if self.config.vlan.is_some() { ETHERTYPE_VLAN } else { ETHERTYPE_ARP };
        out.extend_from_slice(&Ethernet { dst, src: self.config.mac, ethertype }.to_bytes());
        if let Some(id) = self.config.vlan {
            let tag = Vlan { priority: 0, drop_eligible: false, id, ethertype: ETHERTYPE_ARP };
            out.extend_from_slice(&tag.to_bytes());
        }
        out.extend_from_slice(&arp.to_bytes());
        true
    }

    /// When [`Neighbors::on_deadline`] next has something to do.
    pub fn next_deadline(&self) -> Option<Nanos> {
        let retry_at = |entry: &Entry| match entry.state {
            State::Asking { retry_at, .. } => Some(retry_at),
            State::Fixed(_) | State::Known { .. } | State::Failed { .. } => None,
        };
        self.entries.iter().filter_map(retry_at).min()
    }

    /// Repeats the requests that are due, and gives up those that were repeated enough.
    pub fn on_deadline(&mut self, now: Nanos) {
        let NeighborConfig { retry_ns, max_requests, .. } = self.config;
        let next = now.saturating_add(retry_ns);
        for entry in &mut self.entries {
            let State::Asking { stale, requests, retry_at } = entry.state else { continue };
            if now < retry_at {
                continue;
            }
            if requests >= max_requests {
                entry.state = State::Failed { until: next };
                self.counters.failures += 1;
                self.requests.retain(|&request| request != entry.ip);
            } else {
                entry.state = State::Asking { stale, requests: requests + 1, retry_at: next };
                if !self.requests.contains(&entry.ip) {
                    self.requests.push_back(entry.ip);
                }
            }
        }
    }

    /// What happened so far.
    pub fn counters(&self) -> NeighborCounters {
        self.counters
    }

    fn learn(&mut self, now: Nanos, ip: Ipv4Addr, mac: MacAddr, may_insert: bool) {
        let expires = now.saturating_add(self.config.lifetime_ns);
        let known = State::Known { mac, expires };
        match self.entry(ip) {
            Some(Entry { state: State::Fixed(_), .. }) => {}
            Some(entry) => {
                entry.state = known;
                self.requests.retain(|&request| request != ip);
            }
            None if may_insert => {
                self.insert(Entry { ip, state: known });
            }
            None => {}
        }
    }

    fn entry(&mut self, ip: Ipv4Addr) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.ip == ip)
    }

    /// Inserts a new address; in a full table in place of a failed one or else the known one that
    /// expires first. `false` if there is no such.
    fn insert(&mut self, new: Entry) -> bool {
        debug_assert!(self.entries.iter().all(|entry| entry.ip != new.ip));
        if self.entries.len() < self.config.capacity {
            self.entries.push(new);
            return true;
        }
        let rank = |entry: &Entry| match entry.state {
            State::Failed { until } => Some((0, until)),
            State::Known { expires, .. } => Some((1, expires)),
            State::Fixed(_) | State::Asking { .. } => None,
        };
        let victim = self
            .entries
            .iter_mut()
            .filter_map(|entry| rank(entry).map(|rank| (rank, entry)))
            .min_by_key(|(rank, _)| *rank);
        let Some(((class, _), entry)) = victim else { return false };
        self.counters.evictions += class;
        *entry = new;
        true
    }
}

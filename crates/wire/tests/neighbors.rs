//! The ARP cache: asking, answering, forgetting, and its bounds.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

use std::net::Ipv4Addr;

use proptest::prelude::*;
use saker_wire::arp::Arp;
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body};
use saker_wire::neighbor::{NeighborConfig, Neighbors, Resolution};
use saker_wire::time::{Nanos, SECOND};

const MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
const PEER_MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 2]);
const IP: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);

fn peer(last: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 0, 0, last)
}

fn neighbors() -> Neighbors {
    Neighbors::new(NeighborConfig { capacity: 2, ..NeighborConfig::new(MAC, IP) })
}

/// The next frame's destination and packet.
fn sent(neighbors: &mut Neighbors) -> Option<(MacAddr, Arp)> {
    let mut bytes = Vec::new();
    neighbors.poll_transmit(&mut bytes).then(|| {
        let frame = frame::parse(&bytes).unwrap();
        let Body::Arp(arp) = frame.body else { panic!("{frame:?}") };
        assert_eq!((frame.ethernet.src, arp.sender_mac), (MAC, MAC));
        (frame.ethernet.dst, arp)
    })
}

fn reply(last: u8) -> Arp {
    Arp::request(MAC, IP, peer(last)).reply_from(PEER_MAC)
}

#[test]
fn asks_until_answered() {
    let mut n = neighbors();
    assert_eq!(n.resolve(0, peer(2)), Resolution::Pending);
    assert_eq!(n.resolve(1, peer(2)), Resolution::Pending);
    let request = Arp::request(MAC, IP, peer(2));
    assert_eq!(sent(&mut n), Some((MacAddr::BROADCAST, request)));
    assert_eq!(sent(&mut n), None);
    assert_eq!(n.next_deadline(), Some(SECOND));
    n.on_deadline(SECOND - 1);
    assert_eq!(sent(&mut n), None);
    n.on_deadline(SECOND);
    assert_eq!(sent(&mut n), Some((MacAddr::BROADCAST, request)));
    n.on_arp(SECOND + 5, &reply(2));
    assert_eq!(n.resolve(SECOND + 5, peer(2)), Resolution::Known(PEER_MAC));
    assert_eq!(n.next_deadline(), None);
    assert_eq!(n.counters().requests_sent, 2);
}

#[test]
fn gives_up_and_asks_again_later() {
    let mut n = neighbors();
    n.resolve(0, peer(2));
    for second in 1..=3 {
        assert!(sent(&mut n).is_some());
        n.on_deadline(second * SECOND);
    }
    assert_eq!(sent(&mut n), None);
    assert_eq!(n.next_deadline(), None);
    assert_eq!(n.counters().failures, 1);
    assert_eq!(n.resolve(4 * SECOND - 1, peer(2)), Resolution::Unreachable);
    assert_eq!(n.resolve(4 * SECOND, peer(2)), Resolution::Pending);
    assert!(sent(&mut n).is_some());
}

#[test]
fn an_old_answer_serves_while_it_is_refreshed_and_then_dies() {
    let mut n = neighbors();
    n.resolve(0, peer(2));
    n.on_arp(0, &reply(2));
    assert_eq!(sent(&mut n), None, "the request was answered before it left");
    let old = 600 * SECOND;
    assert_eq!(n.resolve(old, peer(2)), Resolution::Known(PEER_MAC));
    assert_eq!(n.resolve(old, peer(2)), Resolution::Known(PEER_MAC));
    assert!(sent(&mut n).is_some() && sent(&mut n).is_none());
    for second in 1..=3 {
        n.on_deadline(old + second * SECOND);
    }
    assert_eq!(n.resolve(old + 3 * SECOND, peer(2)), Resolution::Unreachable);
}

#[test]
fn answers_for_its_own_address_only() {
    let mut n = neighbors();
    let request = Arp::request(PEER_MAC, peer(2), IP);
    n.on_arp(0, &Arp { target_ip: peer(9), ..request });
    assert_eq!(sent(&mut n), None);
    n.on_arp(0, &request);
    assert_eq!(sent(&mut n), Some((PEER_MAC, request.reply_from(MAC))));
    // The asker is now known without a request, the stranger above would not have been.
    assert_eq!(n.resolve(0, peer(2)), Resolution::Known(PEER_MAC));
    let probe = Arp { sender_ip: Ipv4Addr::UNSPECIFIED, ..request };
    n.on_arp(0, &probe);
    assert_eq!(sent(&mut n), Some((PEER_MAC, probe.reply_from(MAC))));
    n.on_arp(0, &Arp { sender_ip: IP, ..request });
    n.on_arp(0, &Arp { sender_mac: MacAddr::BROADCAST, ..request });
    assert_eq!(sent(&mut n), None);
    assert_eq!((n.counters().conflicts, n.counters().invalid_senders), (1, 1));
}

#[test]
fn unasked_replies_teach_nothing_new_but_move_what_is_known() {
    let mut n = neighbors();
    n.on_arp(0, &reply(2));
    assert_eq!(n.resolve(0, peer(2)), Resolution::Pending);
    n.on_arp(0, &reply(2));
    let moved = MacAddr([2, 0, 0, 0, 0, 3]);
    n.on_arp(1, &Arp { sender_mac: moved, ..reply(2) });
    assert_eq!(n.resolve(1, peer(2)), Resolution::Known(moved));
    assert!(n.insert_fixed(peer(2), PEER_MAC));
    n.on_arp(2, &Arp { sender_mac: moved, ..reply(2) });
    assert_eq!(n.resolve(u64::MAX, peer(2)), Resolution::Known(PEER_MAC));
}

#[test]
fn the_table_and_the_queues_are_bounded() {
    let mut n = neighbors();
    assert!(n.insert_fixed(peer(2), PEER_MAC));
    assert_eq!(n.resolve(0, peer(3)), Resolution::Pending);
    assert_eq!(n.resolve(0, peer(4)), Resolution::TableFull);
    assert!(!n.insert_fixed(peer(4), PEER_MAC));
    n.on_arp(0, &reply(3));
    assert_eq!(n.resolve(0, peer(4)), Resolution::Pending, "the known one makes room");
    assert_eq!(n.counters().evictions, 1);
    let request = Arp::request(PEER_MAC, peer(5), IP);
    (0..20).for_each(|_| n.on_arp(0, &request));
    assert_eq!(n.counters().replies_dropped, 4);
}

#[test]
fn frames_are_tagged_on_a_vlan() {
    let config = NeighborConfig { vlan: Some(7), ..NeighborConfig::new(MAC, IP) };
    let mut n = Neighbors::new(config);
    n.resolve(0, peer(2));
    let mut bytes = Vec::new();
    assert!(n.poll_transmit(&mut bytes));
    let frame = frame::parse(&bytes).unwrap();
    assert_eq!(frame.vlan.map(|vlan| vlan.id), Some(7));
    assert!(matches!(frame.body, Body::Arp(_)));
}

/// One step of a host's life.
#[derive(Debug, Clone)]
enum Step {
    Resolve(u8),
    Receive { reply: bool, sender: u8, target: u8, mac: u8 },
    Transmit,
    Wait(Nanos),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u8..6).prop_map(Step::Resolve),
        (any::<bool>(), 0u8..6, 0u8..6, 0u8..4)
            .prop_map(|(reply, sender, target, mac)| Step::Receive { reply, sender, target, mac }),
        Just(Step::Transmit),
        (0..3 * SECOND).prop_map(Step::Wait),
        Just(Step::Wait(700 * SECOND)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever happens: no more requests queue than the table holds, a deadline once served is in
    /// the future, and a next hop that stays silent is never known.
    #[test]
    fn bounds_hold(steps in prop::collection::vec(step(), 0..80)) {
        const SILENT: u8 = 9;
        let mut n = neighbors();
        let mut now = 0;
        for step in steps {
            match step {
                Step::Resolve(last) => {
                    n.resolve(now, peer(last));
                }
                Step::Receive { reply, sender, target, mac } => {
                    let request =
                        Arp::request(MacAddr([mac; 6]), peer(sender), peer(target));
                    let arp = if reply { request.reply_from(MacAddr([mac; 6])) } else { request };
                    n.on_arp(now, &arp);
                }
                Step::Transmit => {
                    sent(&mut n);
                }
                Step::Wait(span) => {
                    now += span;
                    n.on_deadline(now);
                    prop_assert!(n.next_deadline().is_none_or(|deadline| deadline > now));
                }
            }
            prop_assert!(!matches!(n.resolve(now, peer(SILENT)), Resolution::Known(_)));
        }
        let mut frames = 0;
        while sent(&mut n).is_some() {
            frames += 1;
        }
        prop_assert!(frames <= 16 + 2, "{frames} frames in queues of 16 and 2");
    }
}

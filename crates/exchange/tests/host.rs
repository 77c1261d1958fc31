//! The exchange as a station: ARP, TCP, multicast, service time, causes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use saker_exchange::ExchangeConfig;
use saker_exchange::host::{HostConfig, HostError, ServiceCosts};
use saker_feed::channel::{ChannelPlan, Line, Stream};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body};
use support::lan::{DELAY, Lan};
use support::{Received, START, config};

const SECOND: u64 = 1_000_000_000;

fn limit(lan: &mut Lan, machine: usize, client: usize, id: &str, side: char, price: u64) {
    let now = lan.now;
    let session = &mut lan.client(machine, client).session;
    session
        .send(now, "D", |w| {
            w.field_str(11, id);
            w.field_str(55, "MSFT");
            w.field_char(54, side as u8);
            w.field_timestamp(60, now);
            w.field_uint(38, 10);
            w.field_char(40, b'2');
            w.field_uint(44, price);
        })
        .unwrap();
}

/// Two machines with a participant each, logged on.
fn two(host: HostConfig) -> Lan {
    let mut lan = Lan::new(config(2), host, &[vec![0], vec![1]]);
    lan.log_on_all();
    for m in 0..2 {
        assert!(lan.client(m, 0).session.is_logged_on(), "client {m}");
        lan.client(m, 0).inbox.clear();
    }
    lan.sent.clear();
    lan.stages.clear();
    lan.arrivals.clear();
    lan
}

/// The incremental packets on one line: port, IPv4 identification, payload.
fn incremental(lan: &Lan, line: Line) -> Vec<(u8, u16, Vec<u8>)> {
    let plan = ChannelPlan::default();
    let mut packets = Vec::new();
    for sent in &lan.sent {
        let frame = frame::parse(&sent.frame.bytes).unwrap();
        let Body::Udp { ip, udp, payload, .. } = frame.body else { continue };
        let to = std::net::SocketAddrV4::new(ip.dst, udp.dst_port);
        if plan.classify(to) == Some((Stream::Incremental, line)) {
            packets.push((sent.frame.port, ip.ident, payload.to_vec()));
        }
    }
    packets
}

#[test]
fn an_order_comes_in_by_tcp_and_leaves_on_both_lines() {
    let mut lan = two(HostConfig::default());
    limit(&mut lan, 0, 0, "A1", '1', 1170);
    lan.run(1_000_000);
    let inbox = &lan.client(0, 0).inbox;
    assert_eq!(inbox.iter().map(|m| m.show(&[11, 150])).collect::<Vec<_>>(), ["11=A1 150=0"]);

    let (a, b) = (incremental(&lan, Line::A), incremental(&lan, Line::B));
    assert_eq!((a.len(), b.len()), (1, 1));
    assert_eq!((a[0].0, b[0].0), (0, 1), "line A leaves by port 0, line B by port 1");
    assert_eq!(a[0].2, b[0].2);
    let packet = support::feed::Reader::new().read(&a[0].2);
    assert_eq!(packet.messages[0].entries[0].decimal(270), (1170, 0));

    // Every frame is whole: lengths and checksums were verified by the parser above.
    let sent = lan.sent.iter().find(|s| s.frame.bytes[0] == 1).unwrap();
    let frame = frame::parse(&sent.frame.bytes).unwrap();
    let Body::Udp { ip, udp, .. } = frame.body else { panic!("{frame:?}") };
    assert_eq!(frame.ethernet.dst, MacAddr([0x01, 0, 0x5e, 0x40, 0, 1]));
    assert_eq!((ip.ttl, ip.src.to_string().as_str(), udp.src_port), (16, "10.0.0.1", 20_000));
    let checksum = u16::from_be_bytes([sent.frame.bytes[40], sent.frame.bytes[41]]);
    assert_ne!(checksum, 0, "the UDP checksum is filled");
}

#[test]
fn idents_of_a_line_count_up() {
    let mut lan = two(HostConfig::default());
    for n in 0..5 {
        limit(&mut lan, 0, 0, &format!("A{n}"), '1', 1170);
        lan.run(1_000_000);
    }
    for line in [Line::A, Line::B] {
        let mut idents = Vec::new();
        for sent in &lan.sent {
            let port = if line == Line::A { 0 } else { 1 };
            if sent.frame.port == port && sent.frame.bytes[0] == 1 {
                idents.push(u16::from_be_bytes([sent.frame.bytes[18], sent.frame.bytes[19]]));
            }
        }
        assert!(idents.len() >= 5);
        assert!(idents.windows(2).all(|w| w[1] == w[0].wrapping_add(1)), "{idents:?}");
    }
}

#[test]
fn service_takes_time_in_order_of_arrival() {
    let costs = ServiceCosts { gateway_ns: 1000, match_ns: 2000, publish_ns: 300, report_ns: 400 };
    let mut lan = two(HostConfig { costs, ..HostConfig::default() });
    let now = lan.now;
    limit(&mut lan, 0, 0, "A1", '1', 1170);
    limit(&mut lan, 1, 0, "B1", '2', 1170);
    lan.run(100_000);
    let (first, second) = (lan.arrivals[0], lan.arrivals[1]);
    assert_eq!((first.0, second.0), (now + DELAY, now + DELAY));

    // The first order: accepted. The second, right behind: accepted, and two fills.
    let t = now + DELAY;
    let spans = |cause| {
        let spans = lan.stages.iter().filter(|s| s.cause == cause);
        spans.map(|s| (s.stage, s.start - t, s.end - t)).collect::<Vec<_>>()
    };
    assert_eq!(
        spans(first.1),
        [
            ("gateway", 0, 1000),
            ("match", 1000, 3000),
            ("publish", 3000, 3300),
            ("report", 3300, 3700),
        ]
    );
    assert_eq!(
        spans(second.1),
        [
            ("gateway", 3700, 4700),
            ("match", 4700, 6700),
            ("publish", 6700, 7000),
            ("report", 7000, 7400),
            ("report", 7400, 7800),
            ("report", 7800, 8200),
        ]
    );
    // What is on the wire agrees: the feed first, on both lines at once, then the reports.
    let ready = |cause| {
        let frames = lan.sent.iter().filter(|s| s.frame.cause == Some(cause));
        frames
            .map(|s| (s.frame.port, s.frame.ready_at - t, s.frame.bytes[0] == 1))
            .collect::<Vec<_>>()
    };
    assert_eq!(ready(first.1), [(0, 3300, true), (1, 3300, true), (0, 3700, false)]);
    assert_eq!(
        ready(second.1),
        [
            (0, 7000, true),
            (1, 7000, true),
            // The maker's report is done before the taker's last, which shares a segment with the
            // acceptance.
            (0, 7800, false),
            (0, 8200, false),
        ]
    );
    // A command is dated when its service begins.
    let taker = lan.client(1, 0).inbox.clone();
    assert_eq!(taker.iter().map(|m| m.show(&[150])).collect::<Vec<_>>(), ["150=0", "150=F"]);
    let millis = |m: &Received| m.text(60);
    assert_eq!(millis(&taker[0]), millis(&taker[1]));
}

#[test]
fn reports_may_leave_before_the_feed() {
    let exchange = ExchangeConfig { first: saker_exchange::config::First::Reports, ..config(2) };
    let mut lan = Lan::new(exchange, HostConfig::default(), &[vec![0], vec![1]]);
    lan.log_on_all();
    lan.sent.clear();
    limit(&mut lan, 0, 0, "A1", '1', 1170);
    lan.run(100_000);
    let multicast: Vec<bool> = lan.sent.iter().map(|s| s.frame.bytes[0] == 1).collect();
    assert_eq!(multicast[..3], [false, true, true]);
    assert!(lan.sent[0].frame.ready_at < lan.sent[1].frame.ready_at);
}

#[test]
fn overload_drops_frames_and_tcp_brings_them_again() {
    let costs = ServiceCosts { gateway_ns: 0, match_ns: 2_000_000, publish_ns: 0, report_ns: 0 };
    let host = HostConfig { costs, ingress_limit_ns: 5_000_000, ..HostConfig::default() };
    let mut lan = two(host);
    for n in 0..10 {
        limit(&mut lan, n % 2, 0, &format!("A{n}"), '1', 1170);
        lan.run(100_000);
    }
    assert!(lan.host.counters().frames_dropped > 0);
    lan.run(20 * SECOND);
    assert_eq!(lan.host.exchange().counters().new_orders, 10);
    for m in 0..2 {
        let accepted = lan.client(m, 0).inbox.iter().filter(|m| m.show(&[150]) == "150=0");
        assert_eq!(accepted.count(), 5);
    }
}

#[test]
fn a_socket_serves_one_connection_after_another() {
    let host = HostConfig { connections: 1, ..HostConfig::default() };
    let mut lan = Lan::new(config(1), host, &[vec![0]]);
    for round in 0..6 {
        lan.connect(0, 0);
        lan.run(20_000_000);
        assert!(lan.client(0, 0).session.is_logged_on(), "round {round}");
        match round % 3 {
            0 => lan.abort(0, 0),
            1 => lan.close(0, 0),
            _ => {
                let now = lan.now;
                lan.client(0, 0).session.logout(now, None);
            }
        }
        lan.run(30 * SECOND);
        assert!(!lan.host.exchange().sessions().next().unwrap().logged_on, "round {round}");
    }
    assert_eq!(lan.host.exchange().counters().logons, 6);
}

#[test]
fn a_peer_that_never_closes_gives_its_socket_back() {
    let host = HostConfig { connections: 1, ..HostConfig::default() };
    let mut lan = Lan::new(config(1), host, &[vec![0]]);
    lan.log_on_all();
    // It answers no test request and does not close when the exchange does.
    lan.machines[0].mute();
    let mut waited = 0;
    while lan.host.exchange().sessions().next().unwrap().logged_on {
        lan.run(SECOND);
        waited += 1;
        assert!(waited < 120);
    }
    lan.run(10 * SECOND);
    let now = lan.now;
    lan.machines[0].restart(now);
    lan.connect(0, 0);
    lan.run(SECOND);
    assert!(lan.client(0, 0).session.is_logged_on());
}

#[test]
fn an_idle_exchange_wakes_for_its_feed_alone() {
    let mut lan = two(HostConfig::default());
    let wakes = lan.wakes;
    lan.run(SECOND);
    // 100 snapshot ticks, 10 definition ticks, a heartbeat, and TCP's rare timers.
    assert!((100..130).contains(&(lan.wakes - wakes)), "{}", lan.wakes - wakes);
    assert!(lan.sent.iter().filter(|s| s.at > START).all(|s| s.frame.cause.is_none()));
}

#[test]
fn frames_of_no_concern_change_nothing() {
    let mut lan = two(HostConfig::default());
    let digest = lan.host.exchange().digest();
    let mut rng = fastrand::Rng::with_seed(3);
    for n in 0..200 {
        let len = rng.usize(0..200);
        let mut bytes: Vec<u8> = (0..len).map(|_| rng.u8(..)).collect();
        if n % 2 == 0 && len >= 34 {
            bytes[..6].copy_from_slice(&[0x02, 0x53, 0x4b, 0, 0, 1]);
            bytes[12..14].copy_from_slice(&[8, 0]);
            bytes[14] = 0x45;
        }
        lan.inject(bytes);
    }
    let before = *lan.host.counters();
    lan.run(1_000_000);
    assert_eq!(lan.host.exchange().digest(), digest);
    // Four in five of the even ones claim to be IPv4; the others are of another EtherType.
    let malformed = lan.host.counters().frames_malformed - before.frames_malformed;
    let taken = lan.host.counters().frames_in - before.frames_in;
    assert!(malformed >= 80, "{malformed}");
    assert!(malformed + taken == 200, "{malformed} + {taken}");
    limit(&mut lan, 0, 0, "A1", '1', 1170);
    lan.run(1_000_000);
    assert_eq!(lan.client(0, 0).inbox.len(), 1);
}

#[test]
fn two_hundred_sessions_over_tcp_twice_the_same() {
    let run = || {
        let machines: Vec<Vec<usize>> = (0..4).map(|m| (m * 50..m * 50 + 50).collect()).collect();
        let host = HostConfig {
            connections: 200,
            receive_buffer: 4096,
            send_buffer: 16 * 1024,
            ..HostConfig::default()
        };
        let mut lan = Lan::new(config(200), host, &machines);
        lan.log_on_all();
        lan.run(4 * SECOND);
        for m in 0..4 {
            for c in 0..50 {
                assert!(lan.client(m, c).session.is_logged_on(), "machine {m} client {c}");
                limit(&mut lan, m, c, "A1", if c % 2 == 0 { '1' } else { '2' }, 1170);
            }
        }
        lan.run(50_000_000);
        assert_eq!(lan.host.exchange().counters().trades, 100);
        let frames: Vec<_> =
            lan.sent.iter().map(|s| (s.frame.ready_at, s.frame.bytes.clone())).collect();
        (lan.host.exchange().digest(), frames)
    };
    let (first, second) = (run(), run());
    assert_eq!(first.0, second.0);
    assert!(first.1 == second.1, "the same frames at the same instants");
}

#[test]
fn settings_out_of_range_are_named() {
    let field = |change: fn(&mut HostConfig)| {
        let mut host = HostConfig::default();
        change(&mut host);
        match host.validate() {
            Err(HostError::Invalid { field, .. }) => field,
            Ok(()) => "none",
        }
    };
    assert_eq!(field(|_| ()), "none");
    assert_eq!(field(|h| h.order_entry_port = 2), "order_entry_port");
    assert_eq!(field(|h| h.feed_ports = [0, 9]), "feed_ports");
    assert_eq!(field(|h| h.ports[1].mac = MacAddr([1, 0, 0, 0, 0, 0])), "mac");
    assert_eq!(field(|h| h.ports[0].ip = [239, 0, 0, 1].into()), "ip");
    assert_eq!(field(|h| h.ports[0].prefix_len = 33), "prefix_len");
    assert_eq!(field(|h| h.plan.b[2].set_ip([10, 0, 0, 9].into())), "plan");
    assert_eq!(field(|h| h.tcp_port = 0), "tcp_port");
    assert_eq!(field(|h| h.ttl = 0), "ttl");
    assert_eq!(field(|h| h.connections = 0), "connections");
    assert_eq!(field(|h| h.send_buffer = 100), "send_buffer");
}

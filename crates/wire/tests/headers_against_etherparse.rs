//! Every header and path against `etherparse`: the same bytes from the same values, both ways.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

use std::net::{Ipv4Addr, SocketAddrV4};

use etherparse as peer;
use proptest::prelude::*;
use saker_wire::arp::{Arp, ArpOperation};
use saker_wire::ethernet::{Ethernet, MacAddr};
use saker_wire::frame::{self, Body, TcpPath, UdpPath};
use saker_wire::ipv4::Ipv4;
use saker_wire::tcp::{TcpFlags, TcpHeader, TcpOption, TcpOptions};
use saker_wire::udp::Udp;
use saker_wire::vlan::Vlan;

fn mac() -> impl Strategy<Value = MacAddr> {
    any::<[u8; 6]>().prop_map(MacAddr)
}

fn ip() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn socket() -> impl Strategy<Value = SocketAddrV4> {
    (ip(), any::<u16>()).prop_map(|(ip, port)| SocketAddrV4::new(ip, port))
}

fn payload() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

prop_compose! {
    fn tcp_header()(
        (src_port, dst_port, window, urgent) in any::<(u16, u16, u16, u16)>(),
        (seq, ack) in any::<(u32, u32)>(),
        flags in any::<u8>(),
    ) -> TcpHeader {
        TcpHeader { src_port, dst_port, seq, ack, flags: TcpFlags(flags), window, urgent }
    }
}

/// Options that both sides know, at most 40 bytes together.
fn options() -> impl Strategy<Value = Vec<TcpOption<'static>>> {
    let option = prop_oneof![
        Just(TcpOption::Nop),
        any::<u16>().prop_map(TcpOption::Mss),
        any::<u8>().prop_map(TcpOption::WindowScale),
        Just(TcpOption::SackPermitted),
        any::<(u32, u32)>().prop_map(|(value, echo)| TcpOption::Timestamps { value, echo }),
    ];
    prop::collection::vec(option, 0..=4)
}

fn option_bytes(options: &[TcpOption<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    options.iter().for_each(|option| option.emit(&mut bytes));
    bytes
}

fn peer_tcp(tcp: &TcpHeader, options: &[u8]) -> peer::TcpHeader {
    let mut header = peer::TcpHeader::new(tcp.src_port, tcp.dst_port, tcp.seq, tcp.window);
    header.acknowledgment_number = tcp.ack;
    header.urgent_pointer = tcp.urgent;
    header.fin = tcp.flags.contains(TcpFlags::FIN);
    header.syn = tcp.flags.contains(TcpFlags::SYN);
    header.rst = tcp.flags.contains(TcpFlags::RST);
    header.psh = tcp.flags.contains(TcpFlags::PSH);
    header.ack = tcp.flags.contains(TcpFlags::ACK);
    header.urg = tcp.flags.contains(TcpFlags::URG);
    header.ece = tcp.flags.contains(TcpFlags::ECE);
    header.cwr = tcp.flags.contains(TcpFlags::CWR);
    header.set_options_raw(options).unwrap();
    header
}

fn peer_ip(ident: u16, ttl: u8, src: Ipv4Addr, dst: Ipv4Addr) -> peer::IpHeaders {
    let mut header = peer::Ipv4Header::new(0, ttl, peer::IpNumber(0), src.octets(), dst.octets())
        .expect("an empty payload fits");
    header.identification = ident;
    header.dont_fragment = true;
    peer::IpHeaders::Ipv4(header, Default::default())
}

proptest! {
    #[test]
    fn ethernet(dst in mac(), src in mac(), ethertype: u16, rest in payload()) {
        let ours = Ethernet { dst, src, ethertype };
        let theirs = peer::Ethernet2Header {
            source: src.0,
            destination: dst.0,
            ether_type: peer::EtherType(ethertype),
        };
        let bytes = [&theirs.to_bytes()[..], &rest].concat();
        prop_assert_eq!(&ours.to_bytes()[..], &theirs.to_bytes()[..]);
        prop_assert_eq!(Ethernet::parse(&bytes), Ok((ours, &rest[..])));
    }

    #[test]
    fn vlan(priority in 0u8..8, drop_eligible: bool, id in 0u16..4096, ethertype: u16) {
        let ours = Vlan { priority, drop_eligible, id, ethertype };
        let theirs = peer::SingleVlanHeader {
            pcp: priority.try_into().unwrap(),
            drop_eligible_indicator: drop_eligible,
            vlan_id: id.try_into().unwrap(),
            ether_type: peer::EtherType(ethertype),
        };
        let bytes = theirs.to_bytes();
        prop_assert_eq!(ours.to_bytes(), bytes);
        prop_assert_eq!(Vlan::parse(&bytes), Ok((ours, &[][..])));
    }

    #[test]
    fn arp(reply: bool, macs in (mac(), mac()), ips in (ip(), ip())) {
        let operation = if reply { ArpOperation::Reply } else { ArpOperation::Request };
        let ours = Arp {
            operation,
            sender_mac: macs.0,
            sender_ip: ips.0,
            target_mac: macs.1,
            target_ip: ips.1,
        };
        let theirs = peer::ArpEthIpv4Packet {
            operation: peer::ArpOperation(1 + u16::from(reply)),
            sender_mac: macs.0.0,
            sender_ipv4: ips.0.octets(),
            target_mac: macs.1.0,
            target_ipv4: ips.1.octets(),
        };
        let bytes = theirs.to_bytes();
        prop_assert_eq!(ours.to_bytes(), bytes);
        prop_assert_eq!(Arp::parse(&bytes), Ok((ours, &[][..])));
    }

    #[test]
    fn ipv4(
        (tos, ttl, protocol, ident) in any::<(u8, u8, u8, u16)>(),
        (dont_fragment, more_fragments) in any::<(bool, bool)>(),
        fragment_offset in 0u16..8192,
        (src, dst) in (ip(), ip()),
        words in 0usize..=10,
        option_bytes in any::<[u8; 40]>(),
        payload in payload(),
    ) {
        let mut theirs = peer::Ipv4Header {
            dscp: (tos >> 2).try_into().unwrap(),
            ecn: (tos & 3).try_into().unwrap(),
            total_len: 0,
            identification: ident,
            dont_fragment,
            more_fragments,
            fragment_offset: fragment_offset.try_into().unwrap(),
            time_to_live: ttl,
            protocol: peer::IpNumber(protocol),
            header_checksum: 0,
            source: src.octets(),
            destination: dst.octets(),
            options: option_bytes[..words * 4].try_into().unwrap(),
        };
        theirs.total_len = (20 + words * 4 + payload.len()) as u16;
        theirs.header_checksum = theirs.calc_header_checksum();
        let ours = Ipv4 {
            tos,
            total_len: theirs.total_len,
            ident,
            dont_fragment,
            more_fragments,
            fragment_offset,
            ttl,
            protocol,
            src,
            dst,
        };
        let bytes = [&theirs.to_bytes()[..], &payload].concat();
        prop_assert_eq!(Ipv4::parse(&bytes), Ok((ours, &payload[..])));
        if words == 0 {
            prop_assert_eq!(&ours.to_bytes()[..], &theirs.to_bytes()[..]);
        }
    }

    #[test]
    fn udp(src in socket(), dst in socket(), payload in payload()) {
        let ours = Udp::for_payload(src, dst, &payload);
        let (s, d) = (src.ip().octets(), dst.ip().octets());
        let mut theirs =
            peer::UdpHeader::without_ipv4_checksum(src.port(), dst.port(), payload.len()).unwrap();
        theirs.checksum = theirs.calc_checksum_ipv4_raw(s, d, &payload).unwrap();
        prop_assert_eq!(ours.to_bytes(), theirs.to_bytes());
        let bytes = [&theirs.to_bytes()[..], &payload].concat();
        prop_assert_eq!(Udp::parse(&bytes), Ok((ours, &payload[..])));
        prop_assert!(saker_wire::udp::verify(*src.ip(), *dst.ip(), &bytes));
    }

    #[test]
    fn tcp(
        tcp in tcp_header(),
        options in options(),
        (src, dst) in (ip(), ip()),
        payload in payload(),
    ) {
        let options_bytes = option_bytes(&options);
        let mut theirs = peer_tcp(&tcp, &options_bytes);
        theirs.checksum =
            theirs.calc_checksum_ipv4_raw(src.octets(), dst.octets(), &payload).unwrap();
        let bytes = [&theirs.to_bytes()[..], &payload].concat();

        let mut written = Vec::new();
        tcp.emit(src, dst, &options_bytes, &payload, &mut written);
        prop_assert_eq!(&written, &bytes);

        let (header, parsed, rest) = TcpHeader::parse(&bytes).unwrap();
        prop_assert_eq!((header, rest), (tcp, &payload[..]));
        prop_assert_eq!(parsed.iter().collect::<Vec<_>>(), options);
        prop_assert!(saker_wire::tcp::verify(src, dst, &bytes));
    }

    /// Arbitrary option areas: wherever the peer finds no fault, neither do we, and we read the same.
    #[test]
    fn tcp_option_areas(
        bytes in prop::collection::vec(prop_oneof![0u8..12, any::<u8>()], 0..=40),
    ) {
        let theirs: Vec<_> = peer::TcpOptionsIterator::from_slice(&bytes).collect();
        let ours = TcpOptions::parse(&bytes);
        if let Ok(theirs) = theirs.into_iter().collect::<Result<Vec<_>, _>>() {
            let ours: Vec<_> = ours.unwrap().iter().collect();
            prop_assert_eq!(ours.len(), theirs.len());
            for (our, their) in ours.iter().zip(&theirs) {
                use peer::TcpOptionElement as Their;
                let same = match (our, their) {
                    (TcpOption::Nop, Their::Noop) => true,
                    (TcpOption::Mss(a), Their::MaximumSegmentSize(b)) => a == b,
                    (TcpOption::WindowScale(a), Their::WindowScale(b)) => a == b,
                    (TcpOption::SackPermitted, Their::SelectiveAcknowledgementPermitted) => true,
                    (TcpOption::Timestamps { value, echo }, Their::Timestamp(a, b)) => {
                        (value, echo) == (a, b)
                    }
                    (TcpOption::Unknown { kind: 5, .. }, Their::SelectiveAcknowledgement(..)) => true,
                    _ => false,
                };
                prop_assert!(same, "{:?} is not {:?}", our, their);
            }
        }
    }

    #[test]
    fn udp_paths_write_what_the_peer_builds(
        (src_mac, dst_mac) in (mac(), mac()),
        (src, dst) in (socket(), socket()),
        vlan in prop::option::of(1u16..4095),
        (ttl, ident) in any::<(u8, u16)>(),
        payload in payload(),
    ) {
        let path = UdpPath { src_mac, dst_mac, src, dst, vlan, ttl };
        let mut ours = vec![0xEE]; // frames are appended
        path.write(ident, &payload, &mut ours);
        let ours = &ours[1..];

        let mut theirs = Vec::new();
        let ip = peer_ip(ident, ttl, *src.ip(), *dst.ip());
        let builder = peer::PacketBuilder::ethernet2(src_mac.0, dst_mac.0);
        match vlan {
            Some(id) => builder.single_vlan(id.try_into().unwrap()).ip(ip),
            None => builder.ip(ip),
        }
        .udp(src.port(), dst.port())
        .write(&mut theirs, &payload)
        .unwrap();
        prop_assert_eq!(ours, &theirs[..]);
        prop_assert_eq!(&ours[path.payload_offset()..], &payload[..]);

        let padded = [ours, &[0xAA; 40]].concat();
        let frame = frame::parse(&padded).unwrap();
        prop_assert_eq!(frame.vlan.map(|vlan| vlan.id), vlan);
        let Body::Udp { ip, udp, payload: parsed } = frame.body else {
            return Err(TestCaseError::fail("not UDP"));
        };
        prop_assert_eq!((ip.src, ip.dst, ip.ident, ip.ttl), (*src.ip(), *dst.ip(), ident, ttl));
        prop_assert_eq!((udp.src_port, udp.dst_port), (src.port(), dst.port()));
        prop_assert_eq!(parsed, &payload[..]);
    }

    #[test]
    fn tcp_paths_write_what_the_peer_builds(
        (src_mac, dst_mac) in (mac(), mac()),
        (src, dst) in (socket(), socket()),
        vlan in prop::option::of(1u16..4095),
        (ttl, ident) in any::<(u8, u16)>(),
        tcp in tcp_header(),
        options in options(),
        payload in payload(),
    ) {
        let path = TcpPath { src_mac, dst_mac, src, dst, vlan, ttl };
        let options = option_bytes(&options);
        let mut ours = Vec::new();
        path.write(ident, &tcp, &options, &payload, &mut ours);
        let tcp = TcpHeader { src_port: src.port(), dst_port: dst.port(), ..tcp };

        let mut theirs = Vec::new();
        let ip = peer_ip(ident, ttl, *src.ip(), *dst.ip());
        let builder = peer::PacketBuilder::ethernet2(src_mac.0, dst_mac.0);
        match vlan {
            Some(id) => builder.single_vlan(id.try_into().unwrap()).ip(ip),
            None => builder.ip(ip),
        }
        .tcp_header(peer_tcp(&tcp, &options))
        .write(&mut theirs, &payload)
        .unwrap();
        prop_assert_eq!(&ours, &theirs);
        prop_assert_eq!(TcpHeader::parse(&ours[path.tcp_offset()..]).unwrap().0, tcp);

        let frame = frame::parse(&ours).unwrap();
        let Body::Tcp { tcp: parsed, payload: rest, .. } = frame.body else {
            return Err(TestCaseError::fail("not TCP"));
        };
        prop_assert_eq!((parsed, rest), (tcp, &payload[..]));
    }
}

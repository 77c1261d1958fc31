//! Arbitrary bytes: every parser answers, and what it accepts is consistent.

mod common;

use std::net::{Ipv4Addr, SocketAddrV4};

use common::ORDERS;
use proptest::prelude::*;
use proptest::sample::Index;
use saker_wire::arp::Arp;
use saker_wire::capture::Reader;
use saker_wire::ethernet::{Ethernet, MacAddr};
use saker_wire::frame::{self, Checksums, TcpPath, UdpPath};
use saker_wire::ipv4::Ipv4;
use saker_wire::tcp::{TcpHeader, TcpOptions};
use saker_wire::udp::Udp;
use saker_wire::vlan::Vlan;

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..max)
}

/// Reads to the end; at most one packet for every byte there is.
fn drain(file: &[u8]) {
    let Ok(mut reader) = Reader::new(file) else { return };
    for _ in 0..=file.len() {
        match reader.next() {
            Ok(Some(packet)) => assert!(packet.data.len() <= file.len()),
            Ok(None) => return,
            Err(error) => assert!(error.offset <= file.len() as u64, "{error}"),
        }
    }
    panic!("more packets than bytes");
}

fn frame_of(udp: bool, payload: &[u8]) -> Vec<u8> {
    let (src_mac, dst_mac) = (MacAddr([2; 6]), MacAddr([4; 6]));
    let src = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 1);
    let dst = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 2);
    let (vlan, ttl) = (Some(3), 4);
    let mut frame = Vec::new();
    if udp {
        UdpPath { src_mac, dst_mac, src, dst, vlan, ttl }.write(0, payload, &mut frame);
    } else {
        let path = TcpPath { src_mac, dst_mac, src, dst, vlan, ttl };
        path.write(0, &TcpHeader::default(), &[2, 4, 5, 6], payload, &mut frame);
    }
    frame
}

proptest! {
    #[test]
    fn header_parsers_never_panic(bytes in bytes(120)) {
        let len = bytes.len();
        let offsets = [
            Ethernet::parse(&bytes).err(),
            Vlan::parse(&bytes).err(),
            Arp::parse(&bytes).err(),
            Ipv4::parse(&bytes).err(),
            Ipv4::parse_with(&bytes, Checksums::Ignore).err(),
            Udp::parse(&bytes).err(),
            TcpHeader::parse(&bytes).err(),
            TcpOptions::parse(&bytes).err(),
        ];
        prop_assert!(offsets.iter().flatten().all(|error| error.offset <= len));
        let ip = Ipv4Addr::new(1, 2, 3, 4);
        saker_wire::udp::verify(ip, ip, &bytes);
        saker_wire::tcp::verify(ip, ip, &bytes);
    }

    #[test]
    fn frames_never_panic(
        udp: bool,
        payload in bytes(60),
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 0..6),
        cut in any::<Index>(),
    ) {
        let mut frame = frame_of(udp, &payload);
        for (at, value) in changes {
            let at = at.index(frame.len());
            frame[at] = value;
        }
        frame.truncate(cut.index(frame.len() + 1).max(frame.len() / 2));
        for checksums in [Checksums::Verify, Checksums::Ignore] {
            if let Err(error) = frame::parse_with(&frame, checksums) {
                prop_assert!(error.offset <= frame.len(), "{}", error);
            }
        }
    }

    #[test]
    fn options_that_parse_can_be_walked(bytes in prop::collection::vec(0u8..12, 0..=40)) {
        if let Ok(options) = TcpOptions::parse(&bytes) {
            prop_assert!(options.iter().count() <= bytes.len());
        }
    }

    #[test]
    fn captures_of_random_bytes_never_panic(mut file in bytes(300), magic in 0usize..6) {
        let magics: [&[u8]; 6] = [
            &[],
            &[0xD4, 0xC3, 0xB2, 0xA1, 2, 0],
            &[0xA1, 0xB2, 0x3C, 0x4D, 0, 2],
            &[0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0],
            &[0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D, 0, 1],
            &[0x0A, 0x0D, 0x0D, 0x0A],
        ];
        file.splice(0..0, magics[magic].iter().copied());
        drain(&file);
    }

    #[test]
    fn damaged_captures_never_panic(
        big_endian in 0usize..2,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..5),
    ) {
        let mut file = ORDERS[big_endian].everything();
        for (at, value) in changes {
            let at = at.index(file.len());
            file[at] = value;
        }
        drain(&file);
    }
}

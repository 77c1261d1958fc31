//! Whole frames: what is refused, where the error points, and what a flipped bit does.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_wire::checksum;
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, Checksums, FrameError, FrameErrorKind, TcpPath, UdpPath};
use saker_wire::tcp::{TcpFlags, TcpHeader};

const SRC_MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
const DST_MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 2]);
const SRC: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 40_000);
const DST: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 5_001);

fn udp_frame(vlan: Option<u16>, payload: &[u8]) -> Vec<u8> {
    let path = UdpPath { src_mac: SRC_MAC, dst_mac: DST_MAC, src: SRC, dst: DST, vlan, ttl: 16 };
    let mut frame = Vec::new();
    path.write(7, payload, &mut frame);
    frame
}

fn tcp_frame(vlan: Option<u16>) -> Vec<u8> {
    let path = TcpPath { src_mac: SRC_MAC, dst_mac: DST_MAC, src: SRC, dst: DST, vlan, ttl: 64 };
    let header = TcpHeader {
        seq: 0xFFFF_FFF0,
        ack: 77,
        flags: TcpFlags::ACK | TcpFlags::PSH,
        window: 1024,
        ..TcpHeader::default()
    };
    let mut frame = Vec::new();
    path.write(8, &header, &[1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2], b"35=D", &mut frame);
    frame
}

/// Flips every bit. A flip is *detected* if the frame is an error, or is no longer taken for IPv4;
/// in the MAC
/// addresses and in `uncovered`, bytes that only the FCS covers, the frame must still parse.
fn flip_every_bit(frame: &[u8], uncovered: std::ops::Range<usize>) {
    assert!(frame::parse(frame).is_ok());
    for at in 0..frame.len() {
        for bit in 0..8 {
            let mut flipped = frame.to_vec();
            flipped[at] ^= 1 << bit;
            let result = frame::parse(&flipped);
            let detected =
                !matches!(result, Ok(frame) if !matches!(frame.body, Body::Other { .. }));
            let covered = at >= 12 && !uncovered.contains(&at);
            assert_eq!(detected, covered, "byte {at} bit {bit}: {result:?}");
        }
    }
}

#[test]
fn every_flipped_bit_above_ethernet_is_detected() {
    // Not covered: the MAC addresses, the tag's control field, and padding.
    let mut padded = udp_frame(None, b"tick");
    let end = padded.len();
    padded.resize(60, 0);
    flip_every_bit(&padded, end..60);
    flip_every_bit(&udp_frame(Some(5), b"odd"), 14..16);
    flip_every_bit(&tcp_frame(None), 0..0);
    flip_every_bit(&tcp_frame(Some(5)), 14..16);
}

/// The one hole: a UDP checksum with a single bit set becomes "none" when that bit flips. The IPv4
/// header and the UDP length are still verified; ports and payload then are not.
#[test]
fn a_udp_checksum_of_one_bit_can_flip_to_none() {
    let plain = udp_frame(None, &[0, 0]);
    let check = u16::from_be_bytes([plain[40], plain[41]]);
    // The word that brings the checksum to 0x0100 when it replaces 0x0000 in the payload.
    let word = checksum::fold(u32::from(check) + u32::from(!0x0100u16));
    let mut frame = udp_frame(None, &word.to_be_bytes());
    assert_eq!(frame[40..42], [0x01, 0x00]);
    frame[40] = 0;
    frame[43] ^= 1;
    let Body::Udp { udp, .. } = frame::parse(&frame).unwrap().body else { panic!() };
    assert_eq!(udp.checksum, 0);
}

fn error(bytes: &[u8]) -> (usize, FrameErrorKind) {
    let FrameError { offset, kind } = frame::parse(bytes).unwrap_err();
    (offset, kind)
}

#[test]
fn errors_point_into_the_frame() {
    let changed = |mut frame: Vec<u8>, at: usize| {
        frame[at] ^= 0x40;
        frame
    };
    let (plain, tagged) = (udp_frame(None, b"tick"), udp_frame(Some(5), b"tick"));
    assert_eq!(error(&plain[..13]), (13, FrameErrorKind::EthernetTruncated));
    assert_eq!(error(&tagged[..17]), (17, FrameErrorKind::VlanTruncated));
    assert_eq!(error(&tagged[..30]), (30, FrameErrorKind::Ipv4Truncated));
    assert_eq!(error(&tagged[..49]), (18 + 2, FrameErrorKind::Ipv4TotalLength));
    assert_eq!(error(&changed(plain.clone(), 14 + 8)), (14 + 10, FrameErrorKind::Ipv4Checksum));
    assert_eq!(error(&changed(plain.clone(), 14 + 20)), (40, FrameErrorKind::UdpChecksum));
    assert_eq!(error(&changed(tagged, 18 + 20 + 4)), (42, FrameErrorKind::UdpLength));
    assert_eq!(error(&changed(tcp_frame(None), 14 + 20 + 4)), (50, FrameErrorKind::TcpChecksum));
    let text = frame::parse(&changed(plain, 14 + 8)).unwrap_err().to_string();
    assert_eq!(text, "IPv4: wrong header checksum (at byte 24)");
}

#[test]
fn segments_sent_malformed_have_kinds_of_their_own() {
    // The word at the even offset `at` replaced, and the TCP checksum made right again.
    let sent_with = |at: usize, new: [u8; 2]| {
        let mut frame = tcp_frame(None);
        let check = u16::from_be_bytes([frame[50], frame[51]]);
        let old = u16::from_be_bytes([frame[at], frame[at + 1]]);
        let check = checksum::update16(check, old, u16::from_be_bytes(new));
        frame[at..at + 2].copy_from_slice(&new);
        frame[50..52].copy_from_slice(&check.to_be_bytes());
        error(&frame)
    };
    assert_eq!(sent_with(46, [0x40, 0x18]), (46, FrameErrorKind::TcpDataOffset));
    assert_eq!(sent_with(46, [0xF0, 0x18]), (70, FrameErrorKind::TcpTruncated));
    assert_eq!(sent_with(56, [8, 11]), (56, FrameErrorKind::TcpOptionLength));
}

#[test]
fn checksums_can_be_ignored_lengths_cannot() {
    let mut frame = udp_frame(None, b"tick");
    frame[24] ^= 1; // IPv4
    frame[41] ^= 1; // UDP
    assert_eq!(error(&frame).1, FrameErrorKind::Ipv4Checksum);
    let body = frame::parse_with(&frame, Checksums::Ignore).unwrap().body;
    assert!(matches!(body, Body::Udp { payload: b"tick", .. }));
    frame[39] ^= 1; // UDP length
    let error = frame::parse_with(&frame, Checksums::Ignore).unwrap_err();
    assert_eq!(error, FrameError::new(38, FrameErrorKind::UdpLength));
}

#[test]
fn fragments_and_strangers_are_views_of_their_own() {
    let mut frame = udp_frame(None, b"tick");
    frame[20] = 0x20; // more fragments, not "do not fragment"
    let check = u16::from_be_bytes([frame[24], frame[25]]);
    let check = checksum::update16(check, 0x4000, 0x2000);
    frame[24..26].copy_from_slice(&check.to_be_bytes());
    let Body::Ipv4Other { ip, payload } = frame::parse(&frame).unwrap().body else { panic!() };
    assert!(ip.is_fragment());
    assert_eq!(payload.len(), 12);

    let mut twice_tagged = udp_frame(Some(5), b"tick");
    twice_tagged.splice(12..12, [0x81, 0, 0, 9]);
    let body = frame::parse(&twice_tagged).unwrap().body;
    assert!(matches!(body, Body::Other { ethertype: 0x8100, .. }));
}

#[test]
fn kinds_index_counters() {
    for (index, kind) in FrameErrorKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, index);
    }
}

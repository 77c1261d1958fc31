//! Packets that exchanges sent, captured and published by others: see `SAKER_DATA` in the README.
//!
//! The counts, times and checksum facts were taken from the files with a script of its own that
//! unpacks the pcap records.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

use std::fs;
use std::path::PathBuf;

use saker_wire::capture::{LINK_TYPE_ETHERNET, Reader};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, Checksums, FrameErrorKind};

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SAKER_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    if folder.is_dir() {
        Some(folder)
    } else {
        println!("skipped: no captures in {}", folder.display());
        None
    }
}

/// Hands every packet to `check`; returns their times.
fn packets(file: PathBuf, mut check: impl FnMut(&[u8])) -> Vec<u64> {
    let mut reader = Reader::new(fs::File::open(&file).unwrap()).unwrap();
    let mut times = Vec::new();
    while let Some(packet) = reader.next().unwrap() {
        assert_eq!((packet.interface, packet.link_type), (0, LINK_TYPE_ETHERNET));
        assert_eq!(packet.data.len(), packet.original_len as usize, "{}", file.display());
        times.push(packet.ts_ns);
        check(packet.data);
    }
    times
}

#[test]
fn itch_files_have_scrubbed_addresses_and_ip_checksums() {
    let Some(data) = data() else { return };
    for (file, first, last, ip_len) in [
        ("AddOrderNoMPID", 1692711000000059094, 1692711000000249889, 86),
        ("OrderCancel", 1692711000002571976, 1692711000007354792, 73),
        ("OrderDelete", 1692711000000054592, 1692711000000086540, 69),
        ("OrderExecuted", 1692711000000100490, 1692711000000733092, 81),
        ("OrderReplace", 1692711000000001318, 1692711000000016609, 85),
    ] {
        let times = packets(data.join(format!("itch/{file}.pcap")), |bytes| {
            let error = frame::parse(bytes).unwrap_err();
            assert_eq!((error.offset, error.kind), (28, FrameErrorKind::Ipv4Checksum));
            let frame = frame::parse_with(bytes, Checksums::Ignore).unwrap();
            assert_eq!(frame.vlan.map(|vlan| vlan.id), Some(0x8D));
            let Body::Udp { ip, udp, payload } = frame.body else { panic!("{frame:?}") };
            assert_eq!((ip.total_len, udp.checksum), (ip_len, 0));
            assert_eq!(payload.len(), usize::from(ip_len) - 28);
        });
        assert_eq!((times.len(), times.first(), times.last()), (5, Some(&first), Some(&last)));
    }
}

#[test]
fn ouch_segments_verify_and_lose_their_capture_trailers() {
    let Some(data) = data() else { return };
    for (file, time, payload_len) in [
        ("CancelOrderMessage", 1714407847483428074, 12),
        ("EnterOrderMessage", 1683811800011074000, 56),
        ("OrderAcceptedMessage", 1714407847483498816, 76),
    ] {
        let times = packets(data.join(format!("ouch/{file}.pcap")), |bytes| {
            let frame = frame::parse(bytes).unwrap();
            let Body::Tcp { options, payload, .. } = frame.body else { panic!("{frame:?}") };
            assert_eq!(options.iter().count(), 0);
            assert_eq!(payload.len(), payload_len, "{file}");
            // SoupBinTCP: a 2-byte length and as many bytes.
            let soup = usize::from(u16::from_be_bytes([payload[0], payload[1]]));
            assert_eq!(soup + 2, payload.len());
        });
        assert_eq!(times, [time]);
    }
}

#[test]
fn mdp3_datagrams_verify() {
    let Some(data) = data() else { return };
    for (file, time, ip_len) in [
        ("MdIncrementalRefreshBook", 1536760535679530000, 1224),
        ("MdIncrementalRefreshOrderBook", 1536760536892500000, 104),
        ("MdIncrementalRefreshTradeSummary", 1536760535676700000, 424),
        ("MdIncrementalRefreshVolume", 1536760536354127000, 456),
    ] {
        let times = packets(data.join(format!("mdp3/{file}.pcap")), |bytes| {
            let frame = frame::parse(bytes).unwrap();
            let Body::Udp { ip, udp, .. } = frame.body else { panic!("{frame:?}") };
            assert_eq!(ip.total_len, ip_len);
            assert_ne!(udp.checksum, 0);
            assert_eq!(MacAddr::for_multicast(ip.dst), Some(frame.ethernet.dst));
        });
        assert_eq!(times, [time]);
    }
}

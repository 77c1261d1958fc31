//! Reading pcap and pcapng: every variant, and every way to be broken.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

mod common;

use std::io::{self, Read};

use common::{ORDERS, Order};
use saker_wire::capture::{
    CaptureError, CaptureErrorKind as Kind, MAX_BLOCK_LEN, MAX_INTERFACES, Reader,
};

/// A packet's time, interface, link type, bytes, original length and comment.
type Read1 = (u64, u32, u16, Vec<u8>, u32, Option<String>);

/// All packets up to the end or the first error.
fn read_all(file: impl Read) -> (Vec<Read1>, Option<CaptureError>) {
    let mut packets = Vec::new();
    let mut reader = match Reader::new(file) {
        Ok(reader) => reader,
        Err(error) => return (packets, Some(error)),
    };
    loop {
        match reader.next() {
            Ok(Some(p)) => {
                let comment = p.comment.map(str::to_owned);
                let data = p.data.to_vec();
                packets.push((p.ts_ns, p.interface, p.link_type, data, p.original_len, comment));
            }
            Ok(None) => return (packets, None),
            Err(error) => {
                assert!(matches!(reader.next(), Ok(None)), "an error is the end");
                return (packets, Some(error));
            }
        }
    }
}

fn error(file: &[u8]) -> (u64, Kind) {
    let CaptureError { offset, kind } = read_all(file).1.expect("the file is broken");
    (offset, kind)
}

#[test]
fn pcap_in_both_orders_and_resolutions() {
    for order in ORDERS {
        for (magic, fraction_ns) in [(0xA1B2_C3D4, 1_000), (0xA1B2_3C4D, 1)] {
            let file = [
                order.pcap_header(magic, 1),
                order.pcap_record(1_700_000_000, 999_999, b"abc", 3),
                order.pcap_record(u32::MAX, 0, b"", 1500),
            ]
            .concat();
            let (packets, error) = read_all(&file[..]);
            assert!(error.is_none());
            let first = 1_700_000_000_000_000_000 + 999_999 * fraction_ns;
            let second = u64::from(u32::MAX) * 1_000_000_000;
            assert_eq!(
                packets,
                [(first, 0, 1, b"abc".to_vec(), 3, None), (second, 0, 1, Vec::new(), 1500, None)]
            );
        }
    }
}

#[test]
fn pcap_link_types_lose_the_fcs_bits() {
    let file =
        [ORDERS[0].pcap_header(0xA1B2_C3D4, 0x1400_0001), ORDERS[0].pcap_record(0, 0, b"x", 1)];
    assert_eq!(read_all(&file.concat()[..]).0[0].2, 1);
}

#[test]
fn pcapng_with_everything() {
    for order in ORDERS {
        let file = order.everything();
        let (packets, error) = read_all(&file[..]);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(
            packets,
            [
                (123_456_789_012, 0, 1, b"first".to_vec(), 105, Some("why".into())),
                (1_001_500_000_000, 1, 1, b"second".to_vec(), 106, None),
                (2_000_001_000, 2, 147, b"third".to_vec(), 5, None),
                (0, 2, 147, b"four".to_vec(), 9, None),
            ]
        );
        let mut reader = Reader::new(&file[..]).unwrap();
        while reader.next().unwrap().is_some() {}
        let names: Vec<_> = reader.interfaces().iter().map(|i| i.name.as_deref()).collect();
        assert_eq!(names, [Some("eth0"), None, None]);
    }
}

/// Cut anywhere, a file gives the packets before the cut, and an error at the cut unless it falls
/// between two blocks.
#[test]
fn a_cut_costs_nothing_before_it() {
    for order in ORDERS {
        let record = |byte: u8| order.pcap_record(1, 2, &[byte; 9], 9);
        let pcap = [order.pcap_header(0xA1B2_C3D4, 1), record(1), record(2), record(3)];
        let pcapng = [
            order.section(),
            order.interface(1, 0, &[]),
            order.enhanced(0, 1, b"one", &[]),
            order.block(0x99, &[7; 24]),
            order.obsolete(0, 2, b"two"),
            order.simple(5, b"three"),
        ];
        let packet_parts = [(&pcap[..], &[1, 2, 3][..]), (&pcapng[..], &[2, 4, 5][..])];
        for (parts, with_packet) in packet_parts {
            let file = parts.concat();
            let ends: Vec<usize> = parts
                .iter()
                .scan(0, |end, part| {
                    *end += part.len();
                    Some(*end)
                })
                .collect();
            for cut in 0..=file.len() {
                let (packets, error) = read_all(&file[..cut]);
                let whole = with_packet.iter().filter(|&&part| ends[part] <= cut).count();
                assert_eq!(packets.len(), whole, "cut at {cut}");
                match error {
                    None => assert!(ends.contains(&cut), "cut at {cut}"),
                    Some(CaptureError { offset, kind: Kind::Truncated { needed } }) => {
                        assert!(!ends.contains(&cut));
                        assert_eq!(offset, cut as u64);
                        assert!(needed > 0 && cut as u64 + needed <= file.len() as u64);
                    }
                    Some(error) => panic!("cut at {cut}: {error:?}"),
                }
            }
        }
    }
}

#[test]
fn unknown_formats_and_versions() {
    assert!(matches!(error(b""), (0, Kind::Truncated { needed: 4 })));
    assert!(matches!(error(b"\x1f\x8b\x08\0\0\0"), (0, Kind::UnknownFormat(0x0008_8B1F))));
    for order in ORDERS {
        let mut pcap = order.pcap_header(0xA1B2_C3D4, 1);
        pcap[4..6].copy_from_slice(&order.u16(3));
        assert!(matches!(error(&pcap), (0, Kind::Version { major: 3, minor: 4 })));
        let mut pcapng = order.section();
        pcapng[12..14].copy_from_slice(&order.u16(2));
        assert!(matches!(error(&pcapng), (0, Kind::Version { major: 2, minor: 0 })));
        pcapng[8] ^= 1;
        assert!(matches!(error(&pcapng), (0, Kind::ByteOrder(_))));
    }
}

#[test]
fn impossible_lengths() {
    for order in ORDERS {
        let prefix = [order.section(), order.interface(1, 0, &[])].concat();
        let at = prefix.len() as u64;
        let with_length = |mut block: Vec<u8>, len: u32| {
            let end = block.len() - 4;
            block[4..8].copy_from_slice(&order.u32(len));
            block[end..].copy_from_slice(&order.u32(len));
            error(&[&prefix[..], &block].concat())
        };
        let packet = || order.enhanced(0, 1, b"data", &[]);
        for len in [0, 11, 28, 37] {
            let (offset, kind) = with_length(packet(), len);
            assert!(matches!(kind, Kind::BlockLength(got) if got == len), "{kind:?}");
            assert_eq!(offset, at);
        }
        let (offset, kind) = with_length(packet(), MAX_BLOCK_LEN + 4);
        assert!(matches!(kind, Kind::TooLong(_)) && offset == at);
        // Other blocks may be long, but must be there.
        let (_, kind) = with_length(order.block(0x99, &[0; 8]), 0xFFFF_FFFC);
        assert!(matches!(kind, Kind::Truncated { .. }), "{kind:?}");

        let mut block = packet();
        let end = block.len() - 4;
        block[end..].copy_from_slice(&order.u32(40));
        let (offset, kind) = error(&[&prefix[..], &block].concat());
        assert!(matches!(kind, Kind::TrailingLength { leading: 36, trailing: 40 }));
        assert_eq!(offset, at);

        let mut pcap = order.pcap_header(0xA1B2_C3D4, 1);
        pcap.extend(order.pcap_record(0, 0, b"", 0));
        pcap[24 + 8..24 + 12].copy_from_slice(&order.u32(MAX_BLOCK_LEN + 1));
        assert!(matches!(error(&pcap), (24, Kind::TooLong(_))));
    }
}

#[test]
fn contradictory_blocks() {
    for order in ORDERS {
        let after = |parts: &[Vec<u8>]| error(&parts.concat()).1;
        let section = order.section();
        let interface = order.interface(1, 0, &[]);

        let undescribed = [section.clone(), interface.clone(), order.enhanced(1, 0, b"", &[])];
        assert!(matches!(after(&undescribed), Kind::UndescribedInterface(1)));
        let undescribed = [section.clone(), order.simple(1, b"x")];
        assert!(matches!(after(&undescribed), Kind::UndescribedInterface(0)));
        // A new section forgets the interfaces of the last.
        let forgotten =
            [section.clone(), interface.clone(), section.clone(), order.obsolete(0, 0, b"")];
        assert!(matches!(after(&forgotten), Kind::UndescribedInterface(0)));

        for (mut packet, len_at) in [
            (order.enhanced(0, 0, b"four", &[]), 20),
            (order.obsolete(0, 0, b"four"), 20),
            (order.simple(4, b"four"), 8),
        ] {
            for len in [5, 1000, u32::MAX - 3, u32::MAX] {
                packet[len_at..len_at + 4].copy_from_slice(&order.u32(len));
                let file = [section.clone(), interface.clone(), packet.clone()];
                let kind = after(&file);
                assert!(matches!(kind, Kind::Malformed(_)), "length {len}: {kind:?}");
            }
        }

        for options in [&[(9u16, &[6u8, 6][..])][..], &[(9, &[])], &[(14, &[0; 4])]] {
            let file = [section.clone(), order.interface(1, 0, options)];
            assert!(matches!(after(&file), Kind::Options(1)), "{options:?}");
        }
        // An option of 200 bytes in 4.
        let runaway = [&order.u16(1)[..], &order.u16(200), &[0; 4]].concat();
        let file = [section.clone(), interface.clone(), order.enhanced(0, 0, b"x", &runaway)];
        assert!(matches!(after(&file), Kind::Options(6)));

        let early = order.interface(1, 0, &[(14, &order.u64(-1i64 as u64))]);
        let file = [section.clone(), early, order.enhanced(0, 0, b"x", &[])];
        assert!(matches!(after(&file), Kind::TimeRange));

        let file = [section.clone(), interface.repeat(MAX_INTERFACES + 1)];
        assert!(matches!(after(&file), Kind::TooManyInterfaces));
    }
}

#[test]
fn long_blocks_that_do_not_matter_are_skipped() {
    let order = Order { big_endian: false };
    let file = [
        order.section(),
        order.interface(1, 0, &[]),
        order.block(0x99, &vec![0; 2 * MAX_BLOCK_LEN as usize]),
        order.enhanced(0, 5, b"after", &[]),
    ];
    let (packets, error) = read_all(&file.concat()[..]);
    assert!(error.is_none());
    assert_eq!(packets[0].3, b"after");
}

/// Gives one byte at a time with interruptions, then fails.
struct Trickle<'a> {
    bytes: &'a [u8],
    calls: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some((&first, rest)) = self.bytes.split_first() else {
            return Err(io::ErrorKind::ConnectionReset.into());
        };
        buffer[0] = first;
        self.bytes = rest;
        Ok(1)
    }
}

#[test]
fn slow_and_failing_sources() {
    let file = ORDERS[0].everything();
    let (packets, error) = read_all(Trickle { bytes: &file, calls: 0 });
    assert_eq!(packets, read_all(&file[..]).0);
    let error = error.unwrap();
    assert!(matches!(error.kind, Kind::Io(_)));
    assert_eq!(error.offset, file.len() as u64);
}

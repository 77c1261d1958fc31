//! Our pcapng: the exact bytes, and what our reader and `pcap-parser` make of it.

#![allow(clippy::unwrap_used)] // helpers of tests, too, fail by panicking

use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{Block, PcapBlockOwned, PcapError, PcapNGReader};
use proptest::prelude::*;
use saker_wire::capture::{InterfaceSpec, MAX_BLOCK_LEN, Reader, WriteError, Writer};

fn specs(names: &[&str]) -> Vec<InterfaceSpec> {
    names.iter().map(|&name| InterfaceSpec { name: name.to_owned() }).collect()
}

#[test]
fn the_bytes_of_a_small_file() {
    let mut writer = Writer::new(Vec::new(), &specs(&["tap-1"])).unwrap();
    writer.write(0, 0x0102_0304_0506_0708, b"frame", Some("hi")).unwrap();
    let expected = [
        // Section header: type, length, byte-order magic, version 1.0, section length unknown.
        &[0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0][..],
        &[0xFF; 8],
        &[28, 0, 0, 0],
        // Interface description: Ethernet, no snap length; if_name, if_tsresol 9, end.
        &[1, 0, 0, 0, 44, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        &[2, 0, 5, 0, b't', b'a', b'p', b'-', b'1', 0, 0, 0],
        &[9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0],
        &[44, 0, 0, 0],
        // Enhanced packet: interface, time high and low, lengths, data; comment, end.
        &[6, 0, 0, 0, 52, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 5, 0, 0, 0, 5, 0, 0, 0],
        &[b'f', b'r', b'a', b'm', b'e', 0, 0, 0],
        &[1, 0, 2, 0, b'h', b'i', 0, 0, 0, 0, 0, 0],
        &[52, 0, 0, 0],
    ]
    .concat();
    assert_eq!(writer.into_inner(), expected);
}

#[test]
fn what_cannot_be_written_is_refused_whole() {
    let long_name = "n".repeat(1025);
    let refused = Writer::new(Vec::new(), &specs(&[&long_name]));
    assert!(matches!(refused, Err(WriteError::NameTooLong(1025))));
    let mut writer = Writer::new(Vec::new(), &specs(&["a"])).unwrap();
    let refused = writer.write(1, 0, b"", None);
    assert!(matches!(refused, Err(WriteError::UndescribedInterface(1))));
    let refused = writer.write(0, 0, b"", Some(&"c".repeat(65_536)));
    assert!(matches!(refused, Err(WriteError::CommentTooLong(65_536))));
    let refused = writer.write(0, 0, &vec![0; MAX_BLOCK_LEN as usize], None);
    assert!(matches!(refused, Err(WriteError::PacketTooLong(_))));
    writer.write(0, 1, &vec![0; MAX_BLOCK_LEN as usize - 64], None).unwrap();
    let file = writer.into_inner();
    let mut reader = Reader::new(&file[..]).unwrap();
    assert_eq!(reader.next().unwrap().map(|packet| packet.ts_ns), Some(1));
    assert!(reader.next().unwrap().is_none());
}

#[test]
fn a_failing_sink_is_an_error() {
    let mut room = [0u8; 40];
    let refused = Writer::new(&mut room[..], &specs(&["a"]));
    assert!(matches!(refused, Err(WriteError::Io(_))));
}

/// Interface, time, data and comment.
type Written = (u32, u64, Vec<u8>, Option<String>);

fn written() -> impl Strategy<Value = Vec<Written>> {
    let data = prop::collection::vec(any::<u8>(), 0..100);
    let comment = prop::option::of("\\PC{0,20}");
    prop::collection::vec((0u32..2, any::<u64>(), data, comment), 0..20)
}

fn write_file(packets: &[Written]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &specs(&["left", "rechts ü"])).unwrap();
    for (interface, ts_ns, data, comment) in packets {
        writer.write(*interface, *ts_ns, data, comment.as_deref()).unwrap();
    }
    writer.into_inner()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn our_reader_reads_it_back(packets in written()) {
        let file = write_file(&packets);
        prop_assert_eq!(&file, &write_file(&packets), "same packets, same bytes");
        let mut reader = Reader::new(&file[..]).unwrap();
        for (interface, ts_ns, data, comment) in &packets {
            let packet = reader.next().unwrap().unwrap();
            prop_assert_eq!((packet.interface, packet.ts_ns), (*interface, *ts_ns));
            prop_assert_eq!(packet.data, &data[..]);
            prop_assert_eq!(packet.original_len as usize, data.len());
            prop_assert_eq!(packet.comment, comment.as_deref());
        }
        prop_assert!(reader.next().unwrap().is_none());
        let names: Vec<_> = reader.interfaces().iter().map(|i| i.name.as_deref()).collect();
        prop_assert_eq!(names, [Some("left"), Some("rechts ü")]);
    }

    #[test]
    fn pcap_parser_reads_it_back(packets in written()) {
        let file = write_file(&packets);
        let mut reader = PcapNGReader::new(1 << 16, &file[..]).unwrap();
        let mut names = Vec::new();
        let mut expected = packets.iter();
        loop {
            let (offset, block) = match reader.next() {
                Ok(next) => next,
                Err(PcapError::Eof) => break,
                Err(PcapError::Incomplete(_)) => {
                    reader.refill().unwrap();
                    continue;
                }
                Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
            };
            match block {
                PcapBlockOwned::NG(Block::SectionHeader(_)) => {}
                PcapBlockOwned::NG(Block::InterfaceDescription(idb)) => {
                    prop_assert_eq!(idb.ts_resolution(), Some(1_000_000_000));
                    names.push(idb.if_name().unwrap().unwrap().to_owned());
                }
                PcapBlockOwned::NG(Block::EnhancedPacket(epb)) => {
                    let (interface, ts_ns, data, _) = expected.next().unwrap();
                    prop_assert_eq!(epb.if_id, *interface);
                    let units = u64::from(epb.ts_high) << 32 | u64::from(epb.ts_low);
                    prop_assert_eq!(units, *ts_ns);
                    prop_assert_eq!(epb.packet_data(), &data[..]);
                }
                _ => return Err(TestCaseError::fail("a block of another type")),
            }
            reader.consume(offset);
        }
        prop_assert!(expected.next().is_none());
        prop_assert_eq!(names, ["left", "rechts ü"]);
    }
}

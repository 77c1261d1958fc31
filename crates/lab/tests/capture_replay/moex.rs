//! The capture of MOEX trades, whichever way its messages are framed.

use saker_fast::stream::{Layout, MessageStream};
use saker_fast::{Decoder, DecoderOptions, Ignore, ResetPolicy, Templates};
use saker_lab::replay::{Prefix, ReplayOptions, StreamFormat};
use saker_strategy::StrategyFile;

use crate::feed::{fired, frame, options, packet, pcapng, raw, replay};

const STOPS: &str = include_str!("../../../../examples/strategies/moex-stops.toml");

#[test]
fn messages_blocks_and_packets_fire_the_same() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var("SAKER_DATA").unwrap_or_else(|_| default.to_owned());
    let (Ok(data), Ok(xml)) = (
        std::fs::read(format!("{root}/moex/data.dat")),
        std::fs::read_to_string(format!("{root}/moex/test.xml")),
    ) else {
        eprintln!("skipped: no MOEX capture under {root}");
        return;
    };
    let templates = Templates::from_xml(&xml).unwrap();
    let options = |prefix| ReplayOptions {
        stream: Some(StreamFormat {
            templates: templates.clone(),
            preamble_len: 4,
            prefix,
            reset: ResetPolicy::Message,
            price_exponent: -6,
        }),
        strategies: StrategyFile::from_toml(STOPS).unwrap(),
        ..options(prefix, ResetPolicy::Message)
    };
    let bare = replay(&data, &options(Prefix::None)).unwrap();
    assert!(bare.stop.is_none() && bare.report.holds());
    let input = bare.report.input.as_ref().unwrap();
    assert_eq!((input.messages, input.entries, input.bytes), (5_020, 6_737, data.len() as u64));
    assert!(input.dropped.is_empty());
    assert!(!fired(&bare).is_empty());
    assert_eq!(bare.report.rates.len(), 4, "SendingTime is readable");

    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let layout = Layout { preamble: 4, ..Layout::default() };
    let mut stream = MessageStream::new(&data, layout);
    let mut units = Vec::new();
    while let Some(message) = stream.next(&mut decoder, &mut Ignore).unwrap() {
        units.push(message.bytes.to_vec());
    }
    let blocks = replay(&raw(&units, Prefix::U32Le), &options(Prefix::U32Le)).unwrap();
    assert_eq!(fired(&blocks), fired(&bare));
    // Several messages a packet.
    let frames: Vec<_> =
        units.chunks(5).map(|some| (0, frame("239.195.1.1:16001", &packet(some)))).collect();
    let packets = replay(&pcapng(&frames), &options(Prefix::None)).unwrap();
    assert_eq!(fired(&packets), fired(&bare));
    let input = packets.report.input.as_ref().unwrap();
    assert_eq!((input.packets, input.messages, input.entries), (1_004, 5_020, 6_737));
}

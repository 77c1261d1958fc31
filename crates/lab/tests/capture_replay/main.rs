//! Replays of captures: framings, containment, hostile bytes, times, and the demo's own capture.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod demo;
mod feed;
mod hostile;
mod moex;

use saker_fast::ResetPolicy;
use saker_lab::replay::{Prefix, ReplayStop, Selection};
use saker_wire::frame::Checksums;

use feed::{dropped, fired, frame, messages, options, packet, pcapng, raw, replay};

fn expected() -> Vec<(String, u64, u32, String)> {
    vec![("down".to_owned(), 2, 1, "20".to_owned()), ("up".to_owned(), 3, 0, "10.5".to_owned())]
}

#[test]
fn every_framing_fires_the_same() {
    for reset in [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message] {
        let units = messages(reset);
        let mut frames = Vec::new();
        for prefix in [Prefix::None, Prefix::U32Le, Prefix::U16Be] {
            let file = raw(&units, prefix);
            let outcome = replay(&file, &options(prefix, reset)).unwrap();
            assert!(outcome.stop.is_none());
            assert!(outcome.report.holds());
            assert_eq!(fired(&outcome), expected());
            assert_eq!(dropped(&outcome), []);
            let input = outcome.report.input.as_ref().unwrap();
            assert_eq!((input.packets, input.messages, input.entries), (6, 6, 12));
            frames.push(outcome.orders.iter().map(|o| o.frame.clone()).collect::<Vec<_>>());
        }
        assert!(frames.iter().all(|other| *other == frames[0]), "the same orders to the byte");
    }
}

#[test]
fn packets_of_a_capture_hold_several_messages() {
    let units = messages(ResetPolicy::Message);
    let frames = [
        (0, frame("239.1.1.1:9000", &packet(&units[..2]))),
        (0, frame("239.1.1.1:9000", &packet(&[]))),
        (1, frame("239.1.1.1:9000", &packet(&units[2..]))),
    ];
    let file = pcapng(&frames);
    let outcome = replay(&file, &options(Prefix::None, ResetPolicy::Message)).unwrap();
    assert!(outcome.stop.is_none() && outcome.report.holds());
    assert_eq!(fired(&outcome), expected());
    let input = outcome.report.input.as_ref().unwrap();
    assert_eq!((input.packets, input.messages, input.entries), (3, 6, 12));
    // Both fired in the third frame, 2 ms after the first.
    assert!(outcome.orders.iter().all(|order| order.at == 1_700_000_000_002_000_000));
    let rates = &outcome.report.rates;
    assert_eq!(rates.iter().map(|rate| rate.peak_pps).collect::<Vec<_>>(), [3, 30, 300, 1_000]);
}

#[test]
fn a_packet_that_does_not_decode_costs_only_itself() {
    let mut units = messages(ResetPolicy::Packet);
    units[3][1] = 0xff; // no such template
    for prefix in [Prefix::U32Le, Prefix::U16Be] {
        let outcome = replay(&raw(&units, prefix), &options(prefix, ResetPolicy::Packet)).unwrap();
        assert!(outcome.stop.is_none() && outcome.report.holds());
        assert_eq!(dropped(&outcome), [("packet: D9".to_owned(), 1)]);
        // The fourth message is lost, and the fifth, at 11.00, is the fourth that decodes.
        let mut want = expected();
        want[1].3 = "11".to_owned();
        assert_eq!(fired(&outcome), want);
        let input = outcome.report.input.as_ref().unwrap();
        assert_eq!((input.packets, input.messages, input.entries), (6, 5, 10));
    }
}

#[test]
fn without_resets_an_error_costs_what_was_not_spelled_out_again() {
    let mut units = messages(ResetPolicy::Never);
    let last = units[3].len() - 1;
    units[3].truncate(last);
    let prefix = Prefix::U32Le;
    let outcome = replay(&raw(&units, prefix), &options(prefix, ResetPolicy::Never)).unwrap();
    assert!(outcome.stop.is_none() && outcome.report.holds());
    // The later messages leave out the template identifier, which is undefined after the reset.
    let want = [("packet: D5".to_owned(), 2), ("packet: truncated".to_owned(), 1)];
    assert_eq!(dropped(&outcome), want);
    assert_eq!(fired(&outcome), expected()[..1]);
}

#[test]
fn messages_before_a_broken_one_of_their_packet_count() {
    let units = messages(ResetPolicy::Message);
    let mut payload = packet(&units[..3]);
    payload.extend_from_slice(&[0xc0, 0xff, 0x80]);
    let frames = [(0, frame("239.1.1.1:9000", &payload)), (0, frame("239.1.1.1:9000", b"abc"))];
    let outcome = replay(&pcapng(&frames), &options(Prefix::None, ResetPolicy::Message)).unwrap();
    assert_eq!(fired(&outcome), expected()[..1]);
    let want = [("packet: D9".to_owned(), 1), ("packet: preamble cut short".to_owned(), 1)];
    assert_eq!(dropped(&outcome), want);
    assert!(outcome.stop.is_none() && outcome.report.holds());
}

#[test]
fn a_bare_message_that_does_not_decode_ends_the_replay_by_name() {
    let mut units = messages(ResetPolicy::Message);
    let before: usize = units[..4].iter().map(|unit| unit.len() + 4).sum();
    units[4][1] = 0xff;
    let file = raw(&units, Prefix::None);
    let outcome = replay(&file, &options(Prefix::None, ResetPolicy::Message)).unwrap();
    assert_eq!(fired(&outcome), expected());
    let stop = outcome.stop.unwrap();
    let ReplayStop::Decode { message: 4, error } = &stop else { panic!("{stop}") };
    assert_eq!(error.offset, before + 4 + 1, "the template identifier's place in the file");
    assert!(stop.to_string().starts_with("message 4: D9: "), "{stop}");

    let cut = replay(&file[..before + 2], &options(Prefix::None, ResetPolicy::Message)).unwrap();
    let stop = cut.stop.unwrap();
    assert!(matches!(stop, ReplayStop::Preamble { message: 4, offset } if offset == before as u64));
}

#[test]
fn a_truncated_capture_is_used_as_far_as_it_goes() {
    let units = messages(ResetPolicy::Message);
    let frames: Vec<_> = units
        .iter()
        .map(|unit| (0, frame("239.1.1.1:9000", &packet(std::slice::from_ref(unit)))))
        .collect();
    let file = pcapng(&frames);
    let cut = &file[..file.len() - 10];
    let outcome = replay(cut, &options(Prefix::None, ResetPolicy::Message)).unwrap();
    assert_eq!(fired(&outcome), expected());
    assert!(outcome.report.holds());
    assert_eq!(outcome.report.input.as_ref().unwrap().messages, 5);
    assert!(matches!(outcome.stop, Some(ReplayStop::Capture(_))));
}

#[test]
fn channels_and_interfaces_select() {
    let units = messages(ResetPolicy::Message);
    let ours: Vec<Vec<u8>> = units
        .iter()
        .map(|unit| frame("239.1.1.1:9000", &packet(std::slice::from_ref(unit))))
        .collect();
    // Noise between the packets: another channel, another interface, no feed at all.
    let mut frames = Vec::new();
    for one in &ours {
        frames.push((0, one.clone()));
        frames.push((0, frame("239.1.1.2:9000", &packet(&units[5..]))));
        frames.push((1, frame("239.1.1.1:9000", &packet(&units[5..]))));
        frames.push((0, vec![0; 60]));
    }
    let file = pcapng(&frames);
    let mut options = options(Prefix::None, ResetPolicy::Message);
    options.selection = Selection {
        channels: vec!["239.1.1.1:9000".parse().unwrap()],
        interfaces: vec!["one".to_owned()],
        checksums: Checksums::Verify,
    };
    let outcome = replay(&file, &options).unwrap();
    assert_eq!(fired(&outcome), expected());
    assert!(outcome.report.holds() && outcome.stop.is_none());
    let reasons = [
        ("datagram: to another address".to_owned(), 6),
        ("frame: not UDP over IPv4".to_owned(), 6),
        ("frame: of another interface".to_owned(), 6),
    ];
    assert_eq!(dropped(&outcome), reasons);

    options.selection.interfaces.push("three".to_owned());
    let stop = replay(&file, &options).unwrap().stop.unwrap();
    let text = r#"no interface is called "three"; there are: one, two"#;
    assert_eq!(stop.to_string(), text);
}

#[test]
fn scrubbed_checksums_are_dropped_or_ignored() {
    let units = messages(ResetPolicy::Message);
    let mut frames: Vec<(u32, Vec<u8>)> = units
        .iter()
        .map(|unit| (0, frame("239.1.1.1:9000", &packet(std::slice::from_ref(unit)))))
        .collect();
    frames.iter_mut().for_each(|(_, frame)| frame[24] ^= 0x55);
    let file = pcapng(&frames);
    let mut options = options(Prefix::None, ResetPolicy::Message);
    let outcome = replay(&file, &options).unwrap();
    assert_eq!(dropped(&outcome), [("frame: IPv4: wrong header checksum".to_owned(), 6)]);
    assert!(outcome.orders.is_empty() && outcome.report.holds());
    options.selection.checksums = Checksums::Ignore;
    assert_eq!(fired(&replay(&file, &options).unwrap()), expected());
}

#[test]
fn times_are_those_of_the_clock_that_is_given() {
    let file = raw(&messages(ResetPolicy::Message), Prefix::None);
    let mut options = options(Prefix::None, ResetPolicy::Message);
    let outcome = replay(&file, &options).unwrap();
    let [order, packet] = &outcome.report.latency[..] else { panic!("two rows") };
    assert_eq!(
        (order.summary.0.count, order.summary.0.min_ns, order.summary.0.max_ns),
        (2, 10, 10)
    );
    // One reading more where an order was sent.
    assert_eq!(
        (packet.summary.0.count, packet.summary.0.min_ns, packet.summary.0.max_ns),
        (6, 10, 20)
    );
    let stages: Vec<_> =
        outcome.report.stages.iter().map(|row| (row.stage.as_str(), row.summary.0.count)).collect();
    assert_eq!(stages, [("decode", 6), ("books, strategies", 6), ("fire", 2)]);
    // SendingTime is the virtual time: six messages in 5 ms.
    assert_eq!(outcome.report.run.start_ns, 1_554_366_996_000_000_000);
    assert_eq!(outcome.report.run.duration_ns, 5_000_000);
    assert_eq!(outcome.orders[0].at, 1_554_366_996_002_000_000);
    let again = replay(&file, &options).unwrap();
    assert_eq!(outcome.report.to_json(), again.report.to_json());
    assert_eq!(outcome.report.to_html(), again.report.to_html());
    let json: serde_json::Value = serde_json::from_str(&outcome.report.to_json()).unwrap();
    assert_eq!(json["run"]["facts"]["symbols never seen"], "CCC");
    assert_eq!(json["invariants"]["passes_equal"], true);

    options.stages = false;
    let single = replay(&file, &options).unwrap();
    assert!(single.report.stages.is_empty());
    assert_eq!(fired(&single), fired(&outcome));
}

#[test]
fn what_cannot_begin_says_why() {
    let mut options = options(Prefix::None, ResetPolicy::Message);
    let file = raw(&messages(ResetPolicy::Message), Prefix::None);
    options.stream.as_mut().unwrap().price_exponent = 0;
    assert!(matches!(replay(&file, &options), Err(ReplayStop::Strategies(_))));
    options.stream = None;
    assert!(matches!(replay(&file, &options), Err(ReplayStop::NoTemplates)));
    options.saker_feed = true;
    assert!(matches!(replay(&file, &options), Err(ReplayStop::NoTemplates)));
    assert!(matches!(replay(b"\x0a\x0d\x0d\x0a", &options), Err(ReplayStop::Capture(_))));
}

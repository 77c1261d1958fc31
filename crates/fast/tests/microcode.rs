//! The engine agrees with the decoder, message by message.

#![allow(clippy::unwrap_used)]

mod common;

use common::generate::Generator;
use common::{data, hex, presence, template, text};
use proptest::prelude::*;
use saker_fast::microcode::{
    self, CompileError, CompileOptions, Constants, Counters, Engine, EngineOptions, Item, Profile,
    Program, Settings, Status, Trap, assemble, compile, listing, read_records,
};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, FieldInfo, LoadOptions,
    OwnedValue, ResetPolicy, Template, Templates, Value, Visitor,
};

/// What both can say.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    Begin(String),
    Field(String, Option<u32>, OwnedValue),
    Sequence(String, u32),
    Element,
    EndElement,
    EndSequence,
    Group(String),
    EndGroup(String),
    Call(String),
    EndCall,
    End,
}

struct Golden {
    events: Vec<Event>,
    /// Mandatory constants that the engine leaves out.
    left_out: &'static [&'static str],
}

impl Visitor for Golden {
    fn begin_message(&mut self, template: &Template) {
        self.events.push(Event::Begin(template.name.local.to_string()));
    }
    fn end_message(&mut self) {
        self.events.push(Event::End);
    }
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let name = field.name.local.to_string();
        if !self.left_out.contains(&&*name) {
            self.events.push(Event::Field(name, field.id, value.into()));
        }
    }
    fn begin_sequence(&mut self, field: &FieldInfo, length: u32) {
        self.events.push(Event::Sequence(field.name.local.to_string(), length));
    }
    fn begin_element(&mut self, _index: u32) {
        self.events.push(Event::Element);
    }
    fn end_element(&mut self) {
        self.events.push(Event::EndElement);
    }
    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.events.push(Event::EndSequence);
    }
    fn begin_group(&mut self, field: &FieldInfo) {
        self.events.push(Event::Group(field.name.local.to_string()));
    }
    fn end_group(&mut self, field: &FieldInfo) {
        self.events.push(Event::EndGroup(field.name.local.to_string()));
    }
    fn begin_reference(&mut self, _field: &FieldInfo, template: &Template) {
        self.events.push(Event::Call(template.name.local.to_string()));
    }
    fn end_reference(&mut self, _field: &FieldInfo) {
        self.events.push(Event::EndCall);
    }
}

/// The items of a message as events and its status.
fn events(program: &Program, items: Vec<Item>) -> (Vec<Event>, Status) {
    let tag = |tag: u16| program.tags[usize::from(tag)].name.clone();
    let name = |template: u16| program.templates[usize::from(template)].name.clone();
    let mut status = None;
    let mut events = Vec::new();
    for item in items {
        events.push(match item {
            Item::MessageBegin(template) => Event::Begin(name(template)),
            Item::MessageEnd(end) => {
                assert!(status.is_none());
                status = Some(end);
                match end {
                    Status::Complete => Event::End,
                    _ => continue,
                }
            }
            Item::Field(field, value) => {
                Event::Field(tag(field), program.tags[usize::from(field)].id, value)
            }
            Item::SequenceBegin(field, length) => Event::Sequence(tag(field), length),
            Item::ElementBegin => Event::Element,
            Item::ElementEnd => Event::EndElement,
            Item::SequenceEnd => Event::EndSequence,
            Item::GroupBegin(field) => Event::Group(tag(field)),
            Item::GroupEnd(field) => Event::EndGroup(tag(field)),
            Item::CallBegin(template) => Event::Call(name(template)),
            Item::CallEnd => Event::EndCall,
        });
    }
    (events, status.expect("every message has an end"))
}

const DESIGNS: [(usize, usize, bool, bool); 4] =
    [(1, 0, false, false), (2, 0, true, false), (3, 16, false, true), (4, 16, true, true)];

/// Runs packets of one message or more through decoder and engines of several designs.
/// Gives the counters of the engine with everything.
fn compare(
    templates: &Templates,
    settings: Settings,
    packets: &[Vec<u8>],
    constants: bool,
) -> Counters {
    let mut profile = Profile::default();
    let mut counters = Counters::default();
    for (fields_per_row, segments, precalculate, wide) in DESIGNS {
        let options = CompileOptions {
            fields_per_row,
            segments,
            profile: profile.clone(),
            settings,
            constants: if constants { Constants::All } else { Constants::None },
        };
        let program = match compile(templates, &options) {
            Ok(program) => program,
            // Some random definitions have more operators than the engine has memory.
            Err(CompileError::TooLarge { .. }) if constants => return counters,
            Err(error) => panic!("{error}"),
        };
        if fields_per_row == 4 {
            assert_eq!(assemble(&listing(&program)).as_ref(), Ok(&program));
        }
        let bytes = program.to_bytes();
        assert_eq!(Program::from_bytes(&bytes).as_ref(), Ok(&program));
        let mut engine = Engine::new(program, EngineOptions { precalculate, wide }).unwrap();
        let mut decoder = Decoder::new(
            templates,
            DecoderOptions {
                reset: settings.reset,
                strict: settings.strict,
                max_string: settings.max_text,
                ..DecoderOptions::default()
            },
        );
        for (number, packet) in packets.iter().enumerate() {
            let mut records = Vec::new();
            let reports = engine.packet(packet, &mut records);
            let program = &engine.program().clone();
            decoder.begin_packet();
            let mut at = usize::from(settings.preamble);
            let mut failed = false;
            for report in &reports {
                let message = &records[report.records.clone()];
                profile.add(program, report, message);
                let (events, status) = events(program, read_records(program, message));
                failed |= status != Status::Complete;
                let left_out: &[&str] = if constants { &[] } else { &CONSTANTS };
                let mut golden = Golden { events: Vec::new(), left_out };
                let outcome = decoder.decode(&packet[at..], &mut golden);
                let place = format!("packet {number} {packet:02x?} at {at}: {events:?}");
                assert_eq!(report.offset, at, "{place}");
                match (status, outcome) {
                    (Status::Complete, Ok(length)) => {
                        assert_eq!(golden.events, events, "{place}");
                        assert_eq!(length, report.length, "{place}");
                        at += length;
                    }
                    (Status::Error(code), Err(error)) => {
                        // A header that the packet does not hold whole is truncated for the engine,
                        // which takes map and identifier together, whatever the map is.
                        let cut_header =
                            code == ErrorCode::Truncated && error.code == ErrorCode::R7;
                        assert!(code == error.code || cut_header, "{place}: {code:?}, {error}");
                        // The marks of a group belong to a row, for the decoder to its map.
                        let fields = |mut events: Vec<Event>| {
                            let is_mark = |event: &Event| {
                                matches!(event, Event::Group(_) | Event::EndGroup(_))
                            };
                            while events.pop_if(|event| is_mark(event)).is_some() {}
                            events
                        };
                        assert_eq!(fields(golden.events), fields(events), "{place}: {error}");
                        if code == ErrorCode::R2 {
                            // The reader finds it; the engine goes on.
                            break;
                        }
                    }
                    // Software takes over.
                    (Status::Trap(_), _) => {}
                    (status, outcome) => panic!("{place}: {status:?} but {outcome:?}"),
                }
            }
            if failed {
                decoder.reset();
                engine.reset();
            } else if !reports.is_empty() {
                assert_eq!(at, packet.len());
            }
        }
        counters = *engine.counters();
    }
    counters
}

fn moex() -> Option<(Templates, Vec<Vec<u8>>)> {
    let bytes = data("moex/data.dat")?;
    let templates = Templates::from_xml(&text("moex/test.xml")?).unwrap();
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut packets = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = decoder.decode(&bytes[at + 4..], &mut saker_fast::Ignore).unwrap();
        packets.push(bytes[at..at + 4 + length].to_vec());
        at += 4 + length;
    }
    Some((templates, packets))
}

const CONSTANTS: [&str; 4] = ["MessageType", "ApplVerID", "BeginString", "SenderCompID"];

#[test]
fn every_message_of_the_capture_decodes_as_the_decoder_has_it() {
    let Some((templates, packets)) = moex() else { return };
    let settings = Settings { reset: ResetPolicy::Message, preamble: 4, ..Settings::default() };
    let counters = compare(&templates, settings, &packets, false);
    println!("{counters:?} {}", counters.cycles as f64 / counters.fields as f64);
    assert_eq!((counters.complete, counters.trapped(), counters.errors), (5_020, 0, 0));
}

/// Definitions without what always goes to software, so that the rest is reached.
fn without_traps(xml: &str) -> String {
    let mut out = xml.replace("<tail", "<copy");
    for element in ["<string ", "<byteVector "] {
        let mut at = 0;
        while let Some(found) = out[at..].find(element) {
            at += found + element.len();
            let end = at + out[at..].find('>').unwrap() + 1;
            if out[end..].starts_with("<delta") {
                out.replace_range(end..end + 6, "<copy");
            }
        }
    }
    out
}

/// Packets of messages of random templates; some are damaged.
fn packets(generator: &mut Generator, templates: &Templates, policy: ResetPolicy) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(policy));
    let mut packets = Vec::new();
    for _ in 0..8 {
        let mut packet = vec![0xee; 3];
        encoder.begin_packet();
        for _ in 0..1 + generator.random.below(4) {
            let message = generator.message(templates);
            let length = packet.len();
            if encoder.encode(&message, &mut packet).is_err() {
                packet.truncate(length);
                encoder.reset();
            }
        }
        let random = &mut generator.random;
        let length = packet.len() as u64;
        match random.below(4) {
            0 if length > 3 => packet.truncate(3 + random.below(length - 3) as usize),
            1 if length > 3 => {
                for _ in 0..1 + random.below(3) {
                    let at = 3 + random.below(length - 3) as usize;
                    packet[at] = *[0x80, 0x00, 0x7f, 0xff, 0x81, random.next() as u8]
                        .get(random.below(6) as usize)
                        .unwrap();
                }
            }
            _ => {}
        }
        packets.push(packet);
    }
    packets
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_decodes_as_the_decoder_does(seed: u64) {
        let mut generator = Generator::new(seed);
        let mut xml = generator.definition();
        if seed % 4 != 0 {
            xml = without_traps(&xml);
        }
        let templates = Templates::from_xml(&xml).unwrap();
        let reset = [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message][(seed % 3) as usize];
        let packets = packets(&mut generator, &templates, reset);
        let strict = seed % 5 != 0;
        let settings = Settings { reset, preamble: 3, strict, ..Settings::default() };
        compare(&templates, settings, &packets, true);
    }

    #[test]
    fn any_bytes_decode_as_the_decoder_has_them(
        seed: u64,
        bytes in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 1..6),
    ) {
        let mut generator = Generator::new(seed);
        let templates = Templates::from_xml(&without_traps(&generator.definition())).unwrap();
        let settings = Settings { strict: seed % 2 == 0, ..Settings::default() };
        // A first byte that has an identifier, and an identifier that exists.
        let packets: Vec<Vec<u8>> = bytes
            .into_iter()
            .map(|bytes| [&[0xc0 | bytes.len() as u8 & 0x3f, 0x81][..], &bytes].concat())
            .collect();
        compare(&templates, settings, &packets, true);
    }
}

fn message(bits: &str, bytes: &str) -> Vec<u8> {
    let mut packet = presence(&format!("1{bits}"));
    packet.push(0x81);
    packet.extend(hex(bytes));
    packet
}

/// The status of the last of some packets, after the decoder has agreed.
fn last_status(instructions: &str, messages: &[(&str, &str)], strict: bool) -> Status {
    let templates = template(instructions);
    let settings = Settings { strict, ..Settings::default() };
    let packets: Vec<_> = messages.iter().map(|(bits, bytes)| message(bits, bytes)).collect();
    compare(&templates, settings, &packets, true);
    let options = CompileOptions { settings, ..CompileOptions::default() };
    let mut engine =
        Engine::new(compile(&templates, &options).unwrap(), EngineOptions::default()).unwrap();
    let mut records = Vec::new();
    let mut status = None;
    for packet in &packets {
        status = engine.packet(packet, &mut records).last().map(|report| report.status);
    }
    status.unwrap()
}

#[test]
fn errors_have_the_decoders_codes() {
    use ErrorCode::*;
    let error = |instructions: &str, messages: &[(&str, &str)]| match last_status(
        instructions,
        messages,
        true,
    ) {
        Status::Error(code) => code,
        other => panic!("{instructions}: {other:?}"),
    };
    let two = |first: &str, second: &str| format!("{first}{second}");
    assert_eq!(error(r#"<uInt32 name="V"/>"#, &[("", "10 00 00 00 80")]), D2);
    assert_eq!(error(r#"<int64 name="V"/>"#, &[("", "02 00 00 00 00 00 00 00 00 80")]), D2);
    let fields = two(
        r#"<uInt32 name="A"><copy key="k"/></uInt32>"#,
        r#"<int32 name="V"><copy key="k"/></int32>"#,
    );
    assert_eq!(error(&fields, &[("10", "81")]), D4);
    assert_eq!(error(r#"<string name="V"><copy/></string>"#, &[("0", "")]), D5);
    let fields = two(
        r#"<uInt32 name="A" presence="optional"><copy key="k"/></uInt32>"#,
        r#"<uInt32 name="V"><increment key="k"/></uInt32>"#,
    );
    assert_eq!(error(&fields, &[("10", "80")]), D6);
    assert_eq!(error("<templateRef/>", &[("", "c0 85")]), D9);
    assert_eq!(error(r#"<decimal name="V"/>"#, &[("", "00 c0 81")]), R1);
    // The reader of the records finds R2.
    let field = r#"<string name="V" charset="unicode"/>"#;
    assert_eq!(last_status(field, &[("", "81 c3")], true), Status::Complete);
    assert_eq!(error(r#"<uInt64 name="V"><delta/></uInt64>"#, &[("", "ff")]), R4);
    assert_eq!(error(r#"<int32 name="V"/>"#, &[("", "00 81")]), R6);
    assert_eq!(
        error(r#"<group name="G"><int32 name="V"><copy/></int32></group>"#, &[("", "40 80")]),
        R7
    );
    assert_eq!(error(r#"<uInt32 name="V"/>"#, &[("1", "81")]), R8);
    assert_eq!(error(r#"<string name="V"/>"#, &[("", "00 41 c1")]), R9);
    assert_eq!(error(r#"<uInt32 name="V"/>"#, &[("", "01")]), Truncated);
    let empty = r#"<sequence name="S"><uInt32 name="V"><constant value="1"/></uInt32></sequence>"#;
    assert_eq!(error(empty, &[("", "04 00 81")]), Limit);
    // The engine is poisoned until a reset.
    let good = ("", "81");
    assert_eq!(error(r#"<uInt32 name="V"/>"#, &[("", "00 81"), good]), Poisoned);
}

#[test]
fn what_hardware_does_not_do_traps() {
    let trap = |instructions: &str, messages: &[(&str, &str)], strict| match last_status(
        instructions,
        messages,
        strict,
    ) {
        Status::Trap(trap) => trap,
        other => panic!("{instructions}: {other:?}"),
    };
    let field = r#"<string name="V"><tail/></string>"#;
    assert_eq!(trap(field, &[("1", "c1")], true), Trap::Operator);
    let field = r#"<string name="V"><delta/></string>"#;
    assert_eq!(trap(field, &[("", "80 c1")], true), Trap::Operator);
    let long = format!("{} c1", "41 ".repeat(16));
    assert_eq!(trap(r#"<string name="V"/>"#, &[("", &long)], true), Trap::Long);
    let bytes = format!("91 {}", "41 ".repeat(17));
    let field = r#"<byteVector name="V"><copy/></byteVector>"#;
    assert_eq!(trap(field, &[("1", &bytes)], true), Trap::Long);
    let wide = format!("01 {} 80", "00 ".repeat(10));
    assert_eq!(trap(r#"<int64 name="V"><delta/></int64>"#, &[("", &wide)], true), Trap::Wide);
    let overlong = format!("{} 81", "00 ".repeat(11));
    assert_eq!(trap(r#"<uInt32 name="V"/>"#, &[("", &overlong)], false), Trap::Wide);
    let fields = r#"<uInt32 name="V"><copy/></uInt32>"#.replace('V', "V1");
    let map = format!("{}1", "0".repeat(70));
    assert_eq!(trap(&fields, &[(&map, "81")], true), Trap::PresenceMap);
    let deep = "c0 81 ".repeat(12);
    assert_eq!(trap("<templateRef/>", &[("", &deep)], true), Trap::Depth);
}

#[test]
fn an_aborted_packet_ends_its_last_message_only() {
    let templates = template(r#"<uInt32 name="A"/><uInt64 name="B"/>"#);
    let options = CompileOptions {
        settings: Settings { reset: ResetPolicy::Packet, ..Settings::default() },
        ..CompileOptions::default()
    };
    let program = compile(&templates, &options).unwrap();
    let mut engine = Engine::new(program, EngineOptions::default()).unwrap();
    let packet = hex("c0 81 81 82 80 83 84 80 85 86");
    let statuses = |engine: &mut Engine, abort| {
        let reports = engine.packet_at(&packet, 0, abort, &mut Vec::new());
        reports.iter().map(|report| report.status).collect::<Vec<_>>()
    };
    assert_eq!(statuses(&mut engine, false), [Status::Complete; 3]);
    // The third message needs the word with the mark.
    let aborted = [Status::Complete, Status::Complete, Status::Aborted];
    assert_eq!(statuses(&mut engine, true), aborted);
    assert_eq!(statuses(&mut engine, false), [Status::Complete; 3]);
    let counters = engine.counters();
    assert_eq!((counters.complete, counters.errors, counters.packets), (8, 1, 3));
}

#[test]
fn published_templates_compile() {
    for file in ["cme", "eurex-rdd-1.1", "forts", "fast_template_STEP1.20_SZ_1.00"] {
        let Some(xml) = text(&format!("templates/{file}.xml")) else { return };
        let templates = Templates::from_xml_with(&xml, &LoadOptions::lenient()).unwrap();
        for fields_per_row in [1, 4] {
            let options = CompileOptions { fields_per_row, ..CompileOptions::default() };
            let program = compile(&templates, &options).unwrap_or_else(|e| panic!("{file}: {e}"));
            assert_eq!(assemble(&listing(&program)).as_ref(), Ok(&program), "{file}");
            println!("{file}: {} templates, {} rows", program.templates.len(), program.rows.len());
        }
    }
}

#[test]
fn the_capture_takes_less_than_a_cycle_a_field() {
    let Some((templates, packets)) = moex() else { return };
    let settings = Settings { reset: ResetPolicy::Message, preamble: 4, ..Settings::default() };
    let mut options = CompileOptions { settings, ..CompileOptions::default() };
    let packets: Vec<&[u8]> = packets.iter().map(|packet| &packet[..]).collect();
    options.profile = microcode::profile(&templates, &options, &packets).unwrap();
    let tuples: Vec<_> = options.profile.tuples.iter().collect();
    assert_eq!(tuples, [(&(2521, vec![0xc0]), &5_020)]);
    let comparison = microcode::measure(&templates, &options, &packets).unwrap();
    println!("{}", comparison.to_table());
    let all = comparison.all().unwrap();
    assert_eq!((all.words, all.counters.cycles), (66_061, 126_045));
    assert_eq!((all.counters.fields, all.milli_cycles_per_field()), (127_571, Some(988)));
    assert_eq!(all.bits_per_second().map(|rate| rate / 1_000_000), Some(5_132));
    let latency = (all.latency_min, all.latency_max, all.latency_sum);
    assert_eq!(latency, (11, 16, 63_766));
    let cycles: Vec<_> =
        comparison.ladder.iter().map(|(_, report)| report.counters.cycles).collect();
    assert_eq!(cycles, [385_309, 385_309, 346_872, 325_349, 126_045]);
    let json: serde_json::Value = serde_json::from_str(&comparison.to_json()).unwrap();
    assert_eq!(json["messages"], 5_020);
    assert_eq!(json["cycles"], 126_045);
    assert_eq!(json["cycles_per_field"], 0.988);
    assert_eq!(json["optimisations"]["base"]["cycles_per_field"], 3.02);
    assert_eq!(json["optimisations"]["all"]["trapped"], 0);
    assert_eq!(json["ladder"]["+rows"]["cycles"], 126_045);
}

#[test]
fn most_random_messages_are_decoded_in_hardware() {
    let (mut complete, mut trapped, mut errors) = (0, 0, 0);
    for seed in 0..24 {
        let mut generator = Generator::new(seed);
        let templates = Templates::from_xml(&without_traps(&generator.definition())).unwrap();
        let packets = packets(&mut generator, &templates, ResetPolicy::Packet);
        let settings = Settings { reset: ResetPolicy::Packet, preamble: 3, ..Settings::default() };
        let counters = compare(&templates, settings, &packets, true);
        complete += counters.complete;
        trapped += counters.trapped();
        errors += counters.errors;
    }
    println!("{complete} complete, {trapped} trapped, {errors} errors");
    assert!(complete > 2 * (trapped + errors) && errors > 0, "{complete} {trapped} {errors}");
}

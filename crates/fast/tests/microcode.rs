//! The engine agrees with the decoder, message by message.

mod common;

use common::{data, hex, presence, template, text};
use saker_fast::microcode::{
    CompileOptions, Counters, Engine, EngineOptions, Item, Profile, Program, Settings, Status,
    compile, read_records,
};
use saker_fast::{
    Decoder, DecoderOptions, ErrorCode, FieldInfo, OwnedValue, ResetPolicy, Template, Templates,
    Value, Visitor,
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

#[derive(Default)]
struct Golden {
    events: Vec<Event>,
    constants: Vec<String>,
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
        if !self.constants.contains(&name) {
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
    constants: &[&str],
) -> Counters {
    let mut profile = Profile::default();
    let mut counters = Counters::default();
    for (fields_per_row, segments, precalculate, wide) in DESIGNS {
        let options = CompileOptions {
            fields_per_row,
            segments,
            profile: profile.clone(),
            settings,
            ..CompileOptions::default()
        };
        let program = compile(templates, &options).unwrap();
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
            for report in &reports {
                let message = &records[report.records.clone()];
                profile.add(program, report, message);
                let (events, status) = events(program, read_records(program, message));
                let mut golden = Golden::default();
                golden.constants = constants.iter().map(|name| name.to_string()).collect();
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
                        assert_eq!(code, error.code, "{place}: {error}");
                        assert_eq!(golden.events, events, "{place}: {error}");
                    }
                    // Software takes over, decoder state included.
                    (Status::Trap(_), outcome) => {
                        decoder.reset();
                        engine.reset();
                        let _ = outcome;
                    }
                    (status, outcome) => panic!("{place}: {status:?} but {outcome:?}"),
                }
            }
            if reports.iter().all(|report| report.status == Status::Complete) {
                assert_eq!(at, packet.len().max(at));
            }
            if reports.iter().any(|report| report.status != Status::Complete) {
                decoder.reset();
                engine.reset();
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
    let counters = compare(&templates, settings, &packets, &CONSTANTS);
    println!("{counters:?} {}", counters.cycles as f64 / counters.fields as f64);
    assert_eq!((counters.complete, counters.trapped(), counters.errors), (5_020, 0, 0));
}

fn message(bits: &str, bytes: &str) -> Vec<u8> {
    let mut packet = presence(&format!("1{bits}"));
    packet.push(0x81);
    packet.extend(hex(bytes));
    packet
}

#[test]
fn errors_have_the_decoders_codes() {
    let _ = (message("", ""), template(""), ErrorCode::D2);
}

#[test]
fn table() {
    let Some((templates, packets)) = moex() else { return };
    let settings = Settings { reset: ResetPolicy::Message, preamble: 4, ..Settings::default() };
    let mut options = CompileOptions { settings, ..CompileOptions::default() };
    let packets: Vec<&[u8]> = packets.iter().map(|p| &p[..]).collect();
    options.profile = saker_fast::microcode::profile(&templates, &options, &packets).unwrap();
    let program = compile(&templates, &options).unwrap();
    let listing = saker_fast::microcode::listing(&program);
    println!("{listing}");
    assert_eq!(saker_fast::microcode::assemble(&listing), Ok(program));
    let comparison = saker_fast::microcode::measure(&templates, &options, &packets).unwrap();
    println!("{}", comparison.to_table());
    println!("{}", comparison.to_json());
}

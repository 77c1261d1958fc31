//! Generated code against the run-time codec: the same messages, bytes, and errors with the same
//! code, offset and place, also for bytes that were changed.
//!
//! The code in `tests/generated` is what the generator writes today;
//! `SAKER_REGENERATE=1 cargo test -p saker-fast --test generated` writes it again.
#![allow(clippy::unwrap_used)]

mod common;
#[allow(dead_code)]
#[path = "generated/extension.rs"]
mod extension;
#[allow(dead_code)]
#[path = "generated/market.rs"]
mod market;
#[allow(dead_code)]
#[path = "generated/operators.rs"]
mod operators;
#[allow(dead_code)]
#[path = "generated/saker.rs"]
mod saker;
#[allow(dead_code)]
#[path = "generated/structures.rs"]
mod structures;

use common::generate::Random;
use saker_fast::generate::Generator;
use saker_fast::message::{GroupMut, Select};
use saker_fast::runtime::FieldVisitor;
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, FieldKind, FieldType, LogicalType,
    Message, OwnedValue, Presence, ResetPolicy, Template, Templates, Value, Visitor,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const SETS: [(&str, &str); 6] = [
    ("entries", "benches/entries.xml"),
    ("extension", "tests/generated/extension.xml"),
    ("market", "tests/generated/market.xml"),
    ("operators", "tests/generated/operators.xml"),
    ("saker", "../feed/templates/saker.xml"),
    ("structures", "tests/generated/structures.xml"),
];

fn templates(set: &str) -> Templates {
    let (_, path) = SETS.iter().find(|(name, _)| *name == set).unwrap();
    Templates::from_xml(&std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap()).unwrap()
}

#[test]
fn the_committed_code_is_what_the_generator_writes() {
    for (set, definition) in SETS {
        let code =
            Generator::from_file(format!("{ROOT}/{definition}")).unwrap().generate().unwrap();
        let path = format!("{ROOT}/tests/generated/{set}.rs");
        if std::env::var_os("SAKER_REGENERATE").is_some() {
            std::fs::write(&path, &code).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(code == committed, "{set}.rs is not up to date; set SAKER_REGENERATE=1");
        assert!(code.lines().all(|line| line.chars().count() <= 100), "{set}.rs has long lines");
    }
}

/// What both kinds of visitors can say.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    Message(String),
    End,
    Field(String, Option<u32>, OwnedValue),
    Sequence(String, Option<u32>, usize),
    Element(usize),
    Group(String, Option<u32>),
    Reference(String, String),
    Close,
}

#[derive(Default)]
struct Events(Vec<Event>);

impl Visitor for Events {
    fn begin_message(&mut self, template: &Template) {
        self.0.push(Event::Message(template.name.local.to_string()));
    }
    fn end_message(&mut self) {
        self.0.push(Event::End);
    }
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        self.0.push(Event::Field(field.key.to_string(), field.id, value.into()));
    }
    fn begin_sequence(&mut self, field: &FieldInfo, length: u32) {
        self.0.push(Event::Sequence(field.key.to_string(), field.id, length as usize));
    }
    fn begin_element(&mut self, index: u32) {
        self.0.push(Event::Element(index as usize));
    }
    fn end_element(&mut self) {
        self.0.push(Event::Close);
    }
    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.0.push(Event::Close);
    }
    fn begin_group(&mut self, field: &FieldInfo) {
        self.0.push(Event::Group(field.key.to_string(), field.id));
    }
    fn end_group(&mut self, _field: &FieldInfo) {
        self.0.push(Event::Close);
    }
    fn begin_reference(&mut self, field: &FieldInfo, template: &Template) {
        self.0.push(Event::Reference(field.key.to_string(), template.name.local.to_string()));
    }
    fn end_reference(&mut self, _field: &FieldInfo) {
        self.0.push(Event::Close);
    }
}

impl FieldVisitor for Events {
    fn begin_message(&mut self, template: &'static str) {
        self.0.push(Event::Message(template.to_owned()));
    }
    fn end_message(&mut self) {
        self.0.push(Event::End);
    }
    fn field(&mut self, key: &'static str, id: Option<u32>, value: Value<'_>) {
        self.0.push(Event::Field(key.to_owned(), id, value.into()));
    }
    fn begin_sequence(&mut self, key: &'static str, id: Option<u32>, length: usize) {
        self.0.push(Event::Sequence(key.to_owned(), id, length));
    }
    fn begin_element(&mut self, index: usize) {
        self.0.push(Event::Element(index));
    }
    fn end_element(&mut self) {
        self.0.push(Event::Close);
    }
    fn end_sequence(&mut self, _key: &'static str) {
        self.0.push(Event::Close);
    }
    fn begin_group(&mut self, key: &'static str, id: Option<u32>) {
        self.0.push(Event::Group(key.to_owned(), id));
    }
    fn end_group(&mut self, _key: &'static str) {
        self.0.push(Event::Close);
    }
    fn begin_reference(&mut self, key: &'static str, template: &'static str) {
        self.0.push(Event::Reference(key.to_owned(), template.to_owned()));
    }
    fn end_reference(&mut self, _key: &'static str) {
        self.0.push(Event::Close);
    }
}

/// Fills messages with values that hit and miss what the operators expect.
struct Filler<'t> {
    templates: &'t Templates,
    ids: Vec<u32>,
    random: Random,
}

impl<'t> Filler<'t> {
    fn new(templates: &'t Templates, seed: u64) -> Self {
        let ids = templates.all().iter().filter_map(|template| template.id.number).collect();
        Self { templates, ids, random: Random(seed) }
    }

    fn id(&mut self) -> u32 {
        self.ids[self.random.below(self.ids.len() as u64) as usize]
    }

    fn message(&mut self) -> Message {
        let id = self.id();
        let mut message = Message::with_id(self.templates, id).unwrap();
        self.fill(message.root_mut(), 0);
        message
    }

    fn fill(&mut self, mut group: GroupMut<'_>, depth: u32) {
        let fields: Vec<FieldInfo> = group.as_ref().fields().cloned().collect();
        for field in fields {
            if field.presence == Presence::Optional && self.random.below(100) < 35 {
                continue;
            }
            let select = Select::Ordinal(field.ordinal);
            match field.kind {
                FieldKind::Primitive(field_type) => self.value(&field, field_type, &mut group),
                FieldKind::Group => self.fill(group.group(select).unwrap(), depth + 1),
                FieldKind::Sequence => {
                    let length = if field.name.local.ends_with("Constant") {
                        2
                    } else {
                        self.random.below(4)
                    };
                    let mut sequence = group.sequence(select).unwrap();
                    for _ in 0..length {
                        self.fill(sequence.push(), depth + 1);
                    }
                }
                FieldKind::Reference => {
                    // Beyond some depth only templates without references.
                    let id = if depth < 3 { self.id() } else { self.ids[0] };
                    let name = self.templates.by_id(id).unwrap().name.local.clone();
                    self.fill(group.reference(select, &name).unwrap(), depth + 1);
                }
            }
        }
    }

    fn value(&mut self, field: &FieldInfo, field_type: FieldType, group: &mut GroupMut<'_>) {
        let name = &*field.name.local;
        let select = Select::Ordinal(field.ordinal);
        let random = &mut self.random;
        let number = match random.below(8) {
            0 => random.next(),
            1 => random.next() >> random.below(64),
            2 => 7,
            3 => 1_000 + random.below(4),
            _ => random.below(4),
        };
        let constants = ["Constant", "OptionalConstant", "Hidden", "Fixed", "MsgType"];
        let fixed = ["Kind", "Application", "Protocol", "Sender"];
        let header = field.id == Some(49) && group.as_ref().fields().any(|f| &*f.key == "SeqNum");
        if constants.contains(&name) || fixed.contains(&name) && !header {
            self.constant(field, field_type, group);
            return;
        }
        let random = &mut self.random;
        let number = match field.logical.as_deref().map(LogicalType::bounds) {
            Some((least, greatest)) => {
                let count = (i128::from(greatest) - i128::from(least) + 1).min(1 << 32);
                let value = i128::from(least) + i128::from(random.below(count as u64));
                value as u64
            }
            None => number,
        };
        match field_type {
            FieldType::UInt32 => group.set(select, number as u32),
            FieldType::Int32 => group.set(select, number as i32),
            FieldType::UInt64 => group.set(select, number),
            FieldType::Int64 => group.set(select, number.cast_signed()),
            FieldType::Decimal => {
                let exponent = match random.below(4) {
                    _ if name.trim_start_matches("Optional").starts_with("Constant") => -2,
                    0 => random.below(127) as i32 - 63,
                    1 => 2,
                    _ => -1,
                };
                let mantissa = if name.ends_with("Constant") { 17 } else { number.cast_signed() };
                group.set(select, Value::Decimal { mantissa, exponent })
            }
            FieldType::Ascii | FieldType::Unicode => {
                let letters: &[char] = match field_type {
                    FieldType::Unicode => &['A', 'é', '日', '\u{0}'],
                    _ => &['A', 'B', '\u{0}', '\u{7f}'],
                };
                let length = match random.below(8) {
                    // Tails cannot be shorter than what they are based on.
                    _ if name.contains("Tail") || name == "F" => 6,
                    0 => random.below(40) as usize,
                    1 => 8,
                    _ => random.below(5) as usize,
                };
                let mut text = String::new();
                while text.len() < length {
                    let letter = letters[random.below(letters.len() as u64) as usize];
                    let letter = if text.len() + letter.len_utf8() > length { 'A' } else { letter };
                    text.push(letter);
                }
                group.set(select, &*text)
            }
            FieldType::Bytes => {
                let length =
                    if name.contains("Tail") || name == "Raw" { 6 } else { random.below(9) };
                let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8 & 3).collect();
                group.set(select, &bytes[..])
            }
        }
        .unwrap();
    }

    fn constant(&mut self, field: &FieldInfo, field_type: FieldType, group: &mut GroupMut<'_>) {
        let value = match (&*field.name.local, field_type) {
            ("Hidden", _) => "Y",
            ("Fixed", _) => "-",
            // Mandatory constants need no value.
            ("Constant" | "MsgType" | "Kind" | "Application" | "Protocol" | "Sender", _) => return,
            (_, FieldType::Int32) => "-7",
            (_, FieldType::UInt32) => "7",
            (_, FieldType::Int64) => "-700",
            (_, FieldType::UInt64) => "700",
            (_, FieldType::Decimal) => "-0.25",
            (_, FieldType::Ascii) => "GEH6",
            (_, FieldType::Unicode) => "日本",
            (_, FieldType::Bytes) => "00ff5c22",
        };
        group.set(Select::Ordinal(field.ordinal), value).unwrap();
    }
}

/// The two codecs of one set, and what is compared of them.
macro_rules! differential {
    ($test:ident, $module:ident, $seeds:expr) => {
        #[test]
        fn $test() {
            let templates = templates(stringify!($module));
            let mut counts = Counts::default();
            for seed in 0..$seeds {
                let mut filler = Filler::new(&templates, seed);
                let reset = match seed % 3 {
                    0 => ResetPolicy::Message,
                    1 => ResetPolicy::Packet,
                    _ => ResetPolicy::Never,
                };
                let strict = seed % 4 != 3;
                let limit = if seed % 5 == 4 { 3 } else { 1 << 16 };
                let decoding = DecoderOptions {
                    strict,
                    max_elements: limit,
                    max_string: if seed % 7 == 6 { 16 } else { 1 << 16 },
                    max_depth: if seed % 11 == 10 { 2 } else { 64 },
                    ..DecoderOptions::with_reset(reset)
                };
                let encoding = EncoderOptions {
                    always_send_id: seed % 2 == 0,
                    max_string: if seed % 7 == 5 { 9 } else { 1 << 16 },
                    max_depth: if seed % 11 == 9 { 2 } else { 64 },
                    ..EncoderOptions::with_reset(reset)
                };
                // A source of bytes, the golden models, and what is tested.
                let mut source = Encoder::new(&templates, EncoderOptions::with_reset(reset));
                let mut golden = Decoder::new(&templates, decoding);
                let mut decoder = $module::Decoder::new(decoding);
                let mut visiting = $module::Decoder::new(decoding);
                let mut golden_encoder = Encoder::new(&templates, encoding);
                let mut encoder = $module::Encoder::new(encoding);
                let mut builder = saker_fast::MessageBuilder::new(&templates);
                // Whether the decoders know what the source does: a message that was changed may
                // decode all the same, as one of another template.
                let mut in_step = true;
                for round in 0..24 {
                    let message = filler.message();
                    let mut bytes = Vec::new();
                    if source.encode(&message, &mut bytes).is_err() {
                        source.reset();
                        continue;
                    }
                    in_step |= reset == ResetPolicy::Message;
                    if round % 3 == 2 {
                        in_step = false;
                        let at = filler.random.below(bytes.len() as u64) as usize;
                        match filler.random.below(4) {
                            0 => bytes[at] ^= 1 << filler.random.below(8),
                            1 => bytes.truncate(at),
                            2 => bytes.insert(at, filler.random.next() as u8),
                            _ => bytes[at] = filler.random.next() as u8,
                        }
                    }
                    // Behind a message there may be others: both ways of reading the end.
                    let length = bytes.len();
                    if round % 2 == 0 {
                        bytes.extend([0x81; 9]);
                    }
                    let mut events = Events::default();
                    let expected = golden.decode(&bytes, &mut events);
                    let mut shown = Events::default();
                    let visited = visiting.visit(&bytes, &mut shown);
                    assert_eq!(visited, expected, "seed {seed}, round {round}: {bytes:x?}");
                    // What is shown from structures is not shown at all where there is an error.
                    assert!(events.0.starts_with(&shown.0), "seed {seed}, round {round}");
                    assert!(visited.is_err() || shown.0 == events.0, "seed {seed}, round {round}");
                    match (&expected, decoder.decode(&bytes)) {
                        (Ok(expected), Ok((decoded, consumed))) => {
                            assert_eq!(consumed, *expected, "seed {seed}, round {round}");
                            let mut seen = Events::default();
                            decoded.visit(&mut seen);
                            assert_eq!(seen.0, events.0, "seed {seed}, round {round}");
                            assert!(!in_step || consumed == length);
                            counts.messages += 1;
                            // The same message through both encoders.
                            replay(&events.0, &templates, &mut builder);
                            let (mut wanted, mut out) = (vec![0x55], vec![0x55]);
                            let outcome =
                                golden_encoder.encode(builder.message().unwrap(), &mut wanted);
                            assert_eq!(
                                encoder.encode(decoded, &mut out),
                                outcome,
                                "seed {seed}, round {round}"
                            );
                            assert_eq!(out, wanted, "seed {seed}, round {round}");
                            counts.refusals += usize::from(outcome.is_err());
                            if outcome.is_err() && seed % 2 == 0 {
                                encoder.reset();
                                golden_encoder.reset();
                            }
                        }
                        (Err(expected), Err(error)) => {
                            assert_eq!(error, *expected, "seed {seed}, round {round}: {bytes:x?}");
                            counts.errors += 1;
                            source.reset();
                            golden.reset();
                            decoder.reset();
                            visiting.reset();
                            in_step = true;
                        }
                        (expected, decoded) => panic!(
                            "seed {seed}, round {round}: {expected:?}, {:?}: {bytes:x?}",
                            decoded.map(|(_, length)| length)
                        ),
                    }
                    if filler.random.below(10) == 0 {
                        source.begin_packet();
                        golden.begin_packet();
                        decoder.begin_packet();
                        visiting.begin_packet();
                        golden_encoder.begin_packet();
                        encoder.begin_packet();
                    }
                    for name in ["global", "mine"] {
                        if filler.random.below(20) == 0 {
                            source.reset_dictionary(name);
                            golden.reset_dictionary(name);
                            decoder.reset_dictionary(name);
                            visiting.reset_dictionary(name);
                            golden_encoder.reset_dictionary(name);
                            encoder.reset_dictionary(name);
                        }
                    }
                }
            }
            println!("{counts:?}");
            assert!(counts.messages > 100 && counts.errors > 20, "{counts:?}");
        }
    };
}

#[derive(Debug, Default)]
struct Counts {
    messages: usize,
    errors: usize,
    refusals: usize,
}

/// Builds the message that events tell of.
fn replay(events: &[Event], templates: &Templates, builder: &mut saker_fast::MessageBuilder) {
    let Some(Event::Message(name)) = events.first() else { panic!("a message begins") };
    let mut message = Message::new(templates, name).unwrap();
    let mut rest = events[1..].iter();
    scope(message.root_mut(), &mut rest);
    message.visit(builder);
}

fn scope(mut group: GroupMut<'_>, events: &mut std::slice::Iter<'_, Event>) {
    while let Some(event) = events.next() {
        match event {
            Event::Field(key, _, value) => group.set(&**key, value.as_value()).unwrap(),
            Event::Group(key, _) => scope(group.group(&**key).unwrap(), events),
            Event::Reference(key, template) => {
                scope(group.reference(&**key, template).unwrap(), events);
            }
            Event::Sequence(key, _, length) => {
                let mut sequence = group.sequence(&**key).unwrap();
                for _ in 0..*length {
                    assert!(matches!(events.next(), Some(Event::Element(_))));
                    scope(sequence.push(), events);
                }
                assert_eq!(events.next(), Some(&Event::Close));
            }
            Event::Close | Event::End => return,
            Event::Message(_) | Event::Element(_) => panic!("{event:?}"),
        }
    }
}

/// The run-time codec's messages do not take such values, so that this is a case for structs only.
#[test]
fn values_out_of_bounds_are_refused() {
    let mut encoder = extension::Encoder::new(EncoderOptions::default());
    let mut refused = |message: extension::Message<'_>, field: &str| {
        let error = encoder.encode(message, &mut Vec::new()).unwrap_err();
        assert_eq!(error.code, saker_fast::ErrorCode::R4, "{error}");
        assert_eq!(error.site.field.as_deref(), Some(field));
        encoder.reset();
    };
    let mut values = extension::Values { action: 3, ..Default::default() };
    refused((&values).into(), "Action");
    (values.action, values.boolean) = (2, 2);
    refused((&values).into(), "Boolean");
    let mut bits = extension::Bits::default();
    bits.level.depth = 8;
    refused((&bits).into(), "Depth");
    (bits.level.depth, bits.level.shift) = (7, Some(-9));
    refused((&bits).into(), "Shift");
    bits.level.shift = Some(8);
    refused((&bits).into(), "Shift");
    bits.level.shift = Some(7);
    assert_eq!(encoder.encode(&bits, &mut Vec::new()), Ok(()));
}

differential!(the_extension_agrees_with_the_run_time_codec, extension, 300);
differential!(operators_agree_with_the_run_time_codec, operators, 300);
differential!(structures_agree_with_the_run_time_codec, structures, 300);
differential!(the_market_agrees_with_the_run_time_codec, market, 120);
differential!(the_feed_agrees_with_the_run_time_codec, saker, 120);

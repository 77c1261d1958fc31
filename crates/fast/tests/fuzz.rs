//! Bytes and texts from outside never panic, and the work that they cause is bounded.
#![allow(clippy::unwrap_used)]

mod common;

use common::generate::{Generator, Random};
use proptest::prelude::*;
use saker_fast::json::{from_json, to_json};
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, LoadOptions, MessageBuilder,
    ResetPolicy, Template, Templates, Value, Visitor,
};

const MAX_ELEMENTS: u32 = 500;

/// Counts calls.
#[derive(Default)]
struct Calls(u64);

impl Visitor for Calls {
    fn begin_message(&mut self, _template: &Template) {
        self.0 += 1;
    }
    fn field(&mut self, _field: &FieldInfo, value: Value<'_>) {
        self.0 += 1;
        match value {
            Value::Ascii(bytes) => assert!(bytes.is_ascii()),
            Value::Decimal { exponent, .. } => assert!((-63..=63).contains(&exponent)),
            Value::UInt(_) | Value::Int(_) | Value::Unicode(_) | Value::Bytes(_) => {}
        }
    }
    fn begin_element(&mut self, _index: u32) {
        self.0 += 1;
    }
}

fn options(strict: bool) -> DecoderOptions {
    DecoderOptions {
        strict,
        max_elements: MAX_ELEMENTS,
        max_string: 1000,
        ..DecoderOptions::with_reset(ResetPolicy::Packet)
    }
}

/// Decodes bytes as a packet, strictly and not, and bounds the calls by the size of input and
/// templates.
fn decode(templates: &Templates, instructions: u64, bytes: &[u8]) {
    for strict in [true, false] {
        let mut decoder = Decoder::new(templates, options(strict));
        let mut calls = Calls::default();
        let outcome = decoder.decode_packet(bytes, &mut calls);
        if let Err(error) = &outcome {
            assert!(error.offset <= bytes.len(), "{error}");
        }
        // Every message and reference has at least one byte; elements are counted.
        let parts = (bytes.len() as u64 + 1) * (u64::from(MAX_ELEMENTS) + 2);
        assert!(calls.0 <= parts * (instructions + 1), "{} calls", calls.0);

        // What decodes strictly also encodes, and decodes to the same again.
        let mut decoder = Decoder::new(templates, options(strict));
        let mut builder = MessageBuilder::new(templates);
        if let Ok(length) = decoder.decode(bytes, &mut builder) {
            assert!(length <= bytes.len());
            let message = builder.take().expect("a decoded message is complete");
            let mut encoder = Encoder::new(templates, EncoderOptions::default());
            let mut encoded = Vec::new();
            if encoder.encode(&message, &mut encoded).is_ok() {
                let mut decoder = Decoder::new(templates, options(true));
                decoder.decode(&encoded, &mut builder).expect("what was encoded decodes");
                assert_eq!(to_json(builder.message().unwrap()), to_json(&message));
            }
        }
    }
}

/// Changes, cuts, inserts or repeats a few bytes.
fn corrupt(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => bytes.insert(at, random.next() as u8),
            4 => {
                bytes.remove(at);
            }
            _ => {
                let piece = bytes[at..].to_vec();
                bytes.extend(piece);
            }
        }
    }
}

fn published() -> Vec<(Templates, u64)> {
    let files = [
        "moex/test.xml",
        "templates/cme.xml",
        "templates/eurex-rdd-1.1.xml",
        "templates/forts.xml",
        "templates/fast_template_STEP1.20_SZ_1.00.xml",
    ];
    files
        .iter()
        .filter_map(|file| common::text(file))
        .map(|xml| {
            let loaded = Templates::from_xml_with(&xml, &LoadOptions::lenient()).unwrap();
            (loaded, xml.matches("name=").count() as u64)
        })
        .collect()
}

#[test]
fn corrupted_messages_of_the_capture() {
    let Some(bytes) = common::data("moex/data.dat") else { return };
    let Some(xml) = common::text("moex/test.xml") else { return };
    let templates = Templates::from_xml(&xml).unwrap();
    let layout = Layout { framing: Framing::None, preamble: 4 };
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut stream = MessageStream::new(&bytes, layout);
    let mut random = Random(1);
    let mut refused = 0;
    while let Some(framed) = stream.next(&mut decoder, &mut Calls::default()).unwrap() {
        let mut message = framed.bytes.to_vec();
        corrupt(&mut random, &mut message);
        decode(&templates, 80, &message);
        let mut fresh = Decoder::new(&templates, options(true));
        refused += usize::from(fresh.decode(&message, &mut Calls::default()).is_err());
    }
    assert!(refused > 1000, "{refused} of the corrupted messages are refused");
}

#[test]
fn random_bytes_against_published_templates() {
    let mut random = Random(2);
    for (templates, instructions) in published() {
        let ids: Vec<u32> =
            templates.all().iter().filter_map(|template| template.id.number).collect();
        for round in 0..1500 {
            let mut bytes = Vec::new();
            // Start with a header, so that a template is reached.
            let id = ids[round % ids.len()];
            bytes.push(0x40 | random.next() as u8);
            if bytes[0] & 0x80 == 0 {
                bytes.push(0x80 | random.next() as u8);
            }
            for shift in [14, 7] {
                if id >> shift != 0 {
                    bytes.push((id >> shift & 0x7f) as u8);
                }
            }
            bytes.push((id & 0x7f) as u8 | 0x80);
            for _ in 0..random.below(120) {
                let stop = if random.below(3) > 0 { 0x80 } else { 0 };
                bytes.push(random.next() as u8 | stop);
            }
            decode(&templates, instructions, &bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn corrupted_messages_of_random_templates(seed: u64) {
        let mut generator = Generator::new(seed);
        let xml = generator.definition();
        let templates = Templates::from_xml(&xml).expect("a valid definition");
        let mut encoder = Encoder::new(&templates, EncoderOptions::default());
        let instructions = xml.matches("name=").count() as u64 * 8;
        for _ in 0..6 {
            let message = generator.message(&templates);
            let mut bytes = Vec::new();
            if encoder.encode(&message, &mut bytes).is_err() {
                break;
            }
            corrupt(&mut generator.random, &mut bytes);
            decode(&templates, instructions, &bytes);
        }
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), seed: u64) {
        let mut generator = Generator::new(seed);
        let xml = generator.definition();
        let templates = Templates::from_xml(&xml).expect("a valid definition");
        decode(&templates, xml.matches("name=").count() as u64 * 8, &bytes);
        for framing in [Framing::None, Framing::U32Le, Framing::U16Be, Framing::Block] {
            let layout = Layout { framing, preamble: (seed % 5) as usize };
            let mut decoder = Decoder::new(&templates, options(true));
            let mut stream = MessageStream::new(&bytes, layout);
            let mut rounds = 0;
            while let Ok(Some(_)) | Err(_) = stream.next(&mut decoder, &mut Calls::default()) {
                rounds += 1;
                prop_assert!(rounds <= bytes.len() + 1);
            }
        }
    }

    #[test]
    fn corrupted_definitions_and_json(seed: u64) {
        let mut generator = Generator::new(seed);
        let xml = generator.definition();
        let templates = Templates::from_xml(&xml).expect("a valid definition");
        let json = to_json(&generator.message(&templates));
        for _ in 0..4 {
            let mut bytes = xml.clone().into_bytes();
            corrupt(&mut generator.random, &mut bytes);
            let text = String::from_utf8_lossy(&bytes);
            let _ = Templates::from_xml(&text);
            let _ = Templates::from_xml_with(&text, &LoadOptions::lenient());
            let mut bytes = json.clone().into_bytes();
            corrupt(&mut generator.random, &mut bytes);
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(message) = from_json(&templates, &text) {
                let text = to_json(&message);
                prop_assert!(from_json(&templates, &text) == Ok(message), "{}", text);
            }
        }
    }
}

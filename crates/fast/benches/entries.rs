//! Decoding and encoding market data messages with operators, three entries of 16 fields each.
//!
//! `cargo bench -p saker-fast --bench entries`; `rounds` says how it is measured. The template is in
//! the manner of CME's incremental refresh: copy, increment, delta and default operators, a presence
//! map in every entry. One stream, state kept from message to message; what is decoded is compared
//! to what was encoded before anything is timed. "decode and encode" decodes each message and encodes
//! what came out, and the bytes must be those that were decoded. `-- --write FILE` writes the messages
//! to a file, one behind the other, and measures nothing: peers in other languages read them there
//! (`verif/peers/mfast.sh`).

#[allow(dead_code)]
#[path = "../tests/generated/entries.rs"]
mod generated;
mod rounds;

use std::hint::black_box;

use rounds::{argument, candidate, compare};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Message, MessageBuilder, Source,
    Templates, Value, Visitor,
};

const TEMPLATES: &str = include_str!("entries.xml");
const MESSAGES: usize = 4_000;

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// What a publisher has at hand for a message: plain structures, no tree.
#[derive(Clone, Debug, Default, PartialEq)]
struct Refresh {
    sequence_number: u32,
    sending_time: u64,
    entries: [Entry; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    action: u32,
    level: u32,
    kind: u8,
    security: u32,
    report: u32,
    price: i64,
    time: u32,
    size: i64,
    orders: u32,
    change: Option<i64>,
    volume: u32,
    condition: u8,
    tick: u8,
    quote: u8,
}

const TRADE_DATE: u32 = 20_261_120;

#[derive(Clone, Copy)]
enum Part<'a> {
    Message(&'a Refresh),
    Entry(&'a Entry),
}

fn ascii(byte: &u8) -> Option<Value<'_>> {
    (*byte != 0).then(|| Value::Ascii(std::slice::from_ref(byte)))
}

impl Source for Part<'_> {
    #[inline]
    fn value(&self, field: &FieldInfo) -> Option<Value<'_>> {
        let uint = |value: u32| Some(Value::UInt(value.into()));
        match self {
            Part::Message(message) => match field.ordinal {
                0 => Some(Value::Ascii(b"9")),
                1 => Some(Value::Ascii(b"X")),
                2 => uint(message.sequence_number),
                3 => Some(Value::UInt(message.sending_time)),
                _ => uint(TRADE_DATE),
            },
            Part::Entry(entry) => match field.ordinal {
                0 => uint(entry.action),
                1 => uint(entry.level),
                2 => Some(Value::Ascii(std::slice::from_ref(&entry.kind))),
                3 => uint(9),
                4 => uint(entry.security),
                5 => uint(entry.report),
                6 => Some(Value::Decimal { mantissa: entry.price, exponent: -2 }),
                7 => uint(entry.time),
                8 => Some(Value::Int(entry.size)),
                9 => uint(entry.orders),
                10 => Some(Value::Ascii(b"2")),
                11 => entry.change.map(|mantissa| Value::Decimal { mantissa, exponent: -2 }),
                12 => uint(entry.volume),
                13 => ascii(&entry.condition),
                14 => ascii(&entry.tick),
                _ => ascii(&entry.quote),
            },
        }
    }

    #[inline]
    fn length(&self, _field: &FieldInfo) -> Option<usize> {
        Some(3)
    }

    #[inline]
    fn element(&self, _field: &FieldInfo, index: usize) -> Option<Self> {
        match self {
            Part::Message(message) => message.entries.get(index).map(Part::Entry),
            Part::Entry(_) => None,
        }
    }
}

/// Reads the fields back into the publisher's structures; it tells them apart by their places, as
/// the encoder's source does.
#[derive(Default)]
struct Reader {
    message: Refresh,
    index: usize,
    in_entry: bool,
}

impl Visitor for Reader {
    #[inline]
    fn begin_element(&mut self, index: u32) {
        self.index = index as usize % 3;
        self.in_entry = true;
        self.message.entries[self.index] = Entry::default();
    }

    #[inline]
    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.in_entry = false;
    }

    #[inline]
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let uint = || value.as_u64().unwrap_or_default() as u32;
        let byte = || value.as_bytes().and_then(|bytes| bytes.first().copied()).unwrap_or_default();
        let mantissa = || value.as_decimal().map_or(0, |(mantissa, _)| mantissa);
        if !self.in_entry {
            match field.ordinal {
                2 => self.message.sequence_number = uint(),
                3 => self.message.sending_time = value.as_u64().unwrap_or_default(),
                _ => {}
            }
            return;
        }
        let entry = &mut self.message.entries[self.index % 3];
        match field.ordinal {
            0 => entry.action = uint(),
            1 => entry.level = uint(),
            2 => entry.kind = byte(),
            4 => entry.security = uint(),
            5 => entry.report = uint(),
            6 => entry.price = mantissa(),
            7 => entry.time = uint(),
            8 => entry.size = value.as_i64().unwrap_or_default(),
            9 => entry.orders = uint(),
            11 => entry.change = Some(mantissa()),
            12 => entry.volume = uint(),
            13 => entry.condition = byte(),
            14 => entry.tick = byte(),
            15 => entry.quote = byte(),
            _ => {}
        }
    }
}

fn messages() -> Vec<Refresh> {
    let mut random = Random(7);
    let (mut report, mut time, mut price) = (1000, 36_000_000, 512_025);
    (0..MESSAGES as u32)
        .map(|number| {
            time += random.below(3) as u32;
            let security = 27_000 + random.below(4) as u32;
            let entries = std::array::from_fn(|_| {
                report += 1;
                price += random.below(9) as i64 * 25 - 100;
                Entry {
                    action: random.below(5).min(2) as u32 % 3,
                    level: 1 + random.below(10) as u32,
                    kind: b"01"[random.below(2) as usize],
                    security,
                    report,
                    price,
                    time,
                    size: 1 + random.below(400) as i64,
                    orders: 1 + random.below(30) as u32,
                    change: (random.below(4) > 0).then(|| random.below(200) as i64 - 100),
                    volume: 1 + random.below(3) as u32,
                    condition: [0, b'A'][random.below(8) as usize / 7],
                    tick: [0, b'0', b'2'][random.below(3) as usize],
                    quote: [0, b'C'][random.below(10) as usize / 9],
                }
            });
            let sending_time = 20_261_120_100_000_000 + u64::from(number) * 3 + random.below(3);
            Refresh { sequence_number: number + 1, sending_time, entries }
        })
        .collect()
}

/// Looks at every field, as a reader must.
#[derive(Default)]
struct PeerReader(u64);

impl fastlib::MessageFactory for PeerReader {
    fn start_template(&mut self, _id: u32, _name: &str) {}
    fn stop_template(&mut self) {}
    fn set_value(&mut self, id: u32, _name: &str, value: Option<fastlib::Value>) {
        self.0 = self.0.wrapping_add(u64::from(id));
        black_box(&value);
    }
    fn start_sequence(&mut self, _id: u32, _name: &str, _length: u32) {}
    fn start_sequence_item(&mut self, _index: u32) {}
    fn stop_sequence_item(&mut self) {}
    fn stop_sequence(&mut self) {}
    fn start_group(&mut self, _name: &str) {}
    fn stop_group(&mut self) {}
    fn start_template_ref(&mut self, _name: &str, _dynamic: bool) {}
    fn stop_template_ref(&mut self) {}
}

fn main() {
    let templates = &Templates::from_xml(TEMPLATES).expect("the templates load");
    let messages = &messages()[..];
    let new_decoder = || Decoder::new(templates, DecoderOptions::default());
    let new_encoder = || Encoder::new(templates, EncoderOptions::default());

    let (mut encoder, mut encoded) = (new_encoder(), Vec::new());
    for message in messages {
        encoder
            .encode_from("IncrementalRefresh", Part::Message(message), &mut encoded)
            .expect("it encodes");
    }
    if let Some(path) = argument("--write", 1) {
        std::fs::write(path, &encoded).expect("the file is written");
        return;
    }
    // The check: everything comes back, by the visitor, the tree and the generated structures.
    let (mut trees, mut structures, mut packets) = (Vec::new(), Vec::new(), Vec::new());
    let (mut decoder, mut tree_decoder) = (new_decoder(), new_decoder());
    let mut typed = generated::Decoder::new(DecoderOptions::default());
    let mut builder = MessageBuilder::new(templates);
    let mut reader = Reader::default();
    let mut rest = &encoded[..];
    for message in messages {
        let length = decoder.decode(rest, &mut reader).expect("it decodes");
        assert_eq!(&reader.message, message);
        tree_decoder.decode(rest, &mut builder).expect("it decodes");
        trees.extend(builder.message().cloned());
        let (generated::Message::IncrementalRefresh(message), _) =
            typed.decode(rest).expect("it decodes");
        structures.push(message.clone());
        packets.push(&rest[..length]);
        rest = &rest[length..];
    }
    assert!(rest.is_empty());
    let (packets, trees, structures): (&[&[u8]], &[Message], &[_]) =
        (&packets, &trees, &structures);
    let bytes = &encoded[..];

    let mut peer = fastlib::Decoder::new_from_xml(TEMPLATES).expect("fastlib loads the templates");
    let mut out = Vec::with_capacity(bytes.len());
    let candidates = vec![
        candidate("fastlib: decode", move || {
            peer.reset();
            let mut reader = PeerReader::default();
            for packet in packets {
                peer.decode_slice(black_box(packet), &mut reader).expect("it decodes");
            }
            reader.0
        }),
        candidate("decode to structures", {
            let (mut decoder, mut reader) = (new_decoder(), Reader::default());
            move || {
                decoder.reset();
                for packet in packets {
                    decoder.decode(black_box(packet), &mut reader).expect("it decodes");
                }
                reader.message.sending_time
            }
        }),
        candidate("encode from structures", {
            let (mut encoder, mut out) = (new_encoder(), out.clone());
            move || {
                encoder.reset();
                out.clear();
                for message in messages {
                    encoder
                        .encode_from("IncrementalRefresh", Part::Message(message), &mut out)
                        .expect("it encodes");
                }
                black_box(&out).len() as u64
            }
        }),
        candidate("decode and encode, structures", {
            let (mut decoder, mut encoder) = (new_decoder(), new_encoder());
            let (mut reader, mut out) = (Reader::default(), out.clone());
            move || {
                decoder.reset();
                encoder.reset();
                out.clear();
                for packet in packets {
                    decoder.decode(black_box(packet), &mut reader).expect("it decodes");
                    let message = Part::Message(&reader.message);
                    encoder
                        .encode_from("IncrementalRefresh", message, &mut out)
                        .expect("it encodes");
                }
                assert!(out == bytes);
                out.len() as u64
            }
        }),
        candidate("decode to a message tree", {
            let (mut decoder, mut builder) = (new_decoder(), MessageBuilder::new(templates));
            move || {
                decoder.reset();
                for packet in packets {
                    decoder.decode(black_box(packet), &mut builder).expect("it decodes");
                }
                0
            }
        }),
        candidate("encode from a message tree", {
            let (mut encoder, mut out) = (new_encoder(), out.clone());
            move || {
                encoder.reset();
                out.clear();
                for tree in trees {
                    encoder.encode(black_box(tree), &mut out).expect("it encodes");
                }
                black_box(&out).len() as u64
            }
        }),
        candidate("decode and encode, message tree", {
            let (mut decoder, mut encoder) = (new_decoder(), new_encoder());
            let (mut builder, mut out) = (MessageBuilder::new(templates), out.clone());
            move || {
                decoder.reset();
                encoder.reset();
                out.clear();
                for packet in packets {
                    decoder.decode(black_box(packet), &mut builder).expect("it decodes");
                    let message = builder.message().expect("it is complete");
                    encoder.encode(message, &mut out).expect("it encodes");
                }
                assert!(out == bytes);
                out.len() as u64
            }
        }),
        candidate("generated: decode", {
            let mut decoder = generated::Decoder::new(DecoderOptions::default());
            move || {
                decoder.reset();
                for packet in packets {
                    let decoded = decoder.decode(black_box(packet)).expect("it decodes");
                    black_box(decoded.0);
                }
                0
            }
        }),
        candidate("generated: encode", {
            let mut encoder = generated::Encoder::new(EncoderOptions::default());
            let mut out = out.clone();
            move || {
                encoder.reset();
                out.clear();
                for message in structures {
                    encoder.encode(black_box(message), &mut out).expect("it encodes");
                }
                black_box(&out).len() as u64
            }
        }),
        candidate("generated: decode and encode", {
            let mut decoder = generated::Decoder::new(DecoderOptions::default());
            let mut encoder = generated::Encoder::new(EncoderOptions::default());
            move || {
                decoder.reset();
                encoder.reset();
                out.clear();
                for packet in packets {
                    let (message, _) = decoder.decode(black_box(packet)).expect("it decodes");
                    encoder.encode(message, &mut out).expect("it encodes");
                }
                assert!(out == bytes);
                out.len() as u64
            }
        }),
    ];
    let title = format!(
        "{MESSAGES} messages of 3 entries, {:.1} bytes/message",
        bytes.len() as f64 / MESSAGES as f64
    );
    if let Some(results) = compare(&title, MESSAGES, candidates) {
        results.assert_equal("encode from structures", "generated: encode");
    }
}

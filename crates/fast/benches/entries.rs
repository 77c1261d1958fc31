//! Decoding and encoding market data messages with operators, three entries of 16 fields each.
//!
//! `cargo bench -p saker-fast --bench entries`. The template is in the manner of CME's incremental
//! refresh: copy, increment, delta and default operators, a presence map in every entry. One
//! stream of packets, state kept from message to message; what is decoded is compared to what was
//! encoded before anything is timed. "decode and encode" decodes a message to a tree and encodes
//! the tree again. `-- --only NAME ROUNDS` runs one candidate alone, for `instructions.sh`.

use std::hint::black_box;
use std::time::Instant;

use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Message, MessageBuilder, Source,
    Templates, Value, Visitor,
};

const TEMPLATES: &str = include_str!("entries.xml");
const MESSAGES: usize = 4_000;
const ROUNDS: usize = 41;

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

struct Candidate<'c> {
    name: &'static str,
    run: Box<dyn FnMut() + 'c>,
    ns: Vec<f64>,
}

fn main() {
    let templates = Templates::from_xml(TEMPLATES).expect("the templates load");
    let messages = messages();
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    let mut encoded = Vec::new();
    let mut ends = Vec::new();
    for message in &messages {
        encoder
            .encode_from("IncrementalRefresh", Part::Message(message), &mut encoded)
            .expect("it encodes");
        ends.push(encoded.len());
    }
    // The check: everything comes back, by the visitor and by the tree.
    let mut trees: Vec<Message> = Vec::new();
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut tree_decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut builder = MessageBuilder::new(&templates);
    let mut reader = Reader::default();
    let mut at = 0;
    for message in &messages {
        let length = decoder.decode(&encoded[at..], &mut reader).expect("it decodes");
        tree_decoder.decode(&encoded[at..], &mut builder).expect("it decodes");
        trees.extend(builder.message().cloned());
        at += length;
        assert_eq!(&reader.message, message);
    }
    assert_eq!(at, encoded.len());

    let (encoded, messages, trees, templates) =
        (&encoded[..], &messages[..], &trees[..], &templates);
    let decode = |visitor: &mut dyn FnMut(&mut Decoder, &[u8]) -> usize, decoder: &mut Decoder| {
        decoder.reset();
        let mut at = 0;
        while at < encoded.len() {
            at += visitor(decoder, black_box(&encoded[at..]));
        }
    };
    let new_decoder = || Decoder::new(templates, DecoderOptions::default());
    let new_encoder = || Encoder::new(templates, EncoderOptions::default());
    let (mut a, mut b, mut c, mut d, mut e, mut f) =
        (new_decoder(), new_decoder(), new_decoder(), new_encoder(), new_encoder(), new_encoder());
    let (mut reader, mut first, mut second) =
        (Reader::default(), MessageBuilder::new(templates), MessageBuilder::new(templates));
    let mut both = Reader::default();
    let mut g = new_decoder();
    let mut h = new_encoder();
    let mut out = Vec::with_capacity(encoded.len());
    let mut out2 = out.clone();
    let mut out3 = out.clone();
    let mut out4 = out.clone();
    let mut candidates = vec![
        Candidate {
            name: "decode to structures",
            run: Box::new(|| {
                decode(&mut |d, bytes| d.decode(bytes, &mut reader).expect("it decodes"), &mut a);
            }),
            ns: Vec::new(),
        },
        Candidate {
            name: "encode from structures",
            run: Box::new(|| {
                d.reset();
                out.clear();
                for message in messages {
                    d.encode_from("IncrementalRefresh", Part::Message(message), &mut out)
                        .expect("it encodes");
                }
                black_box(&out);
            }),
            ns: Vec::new(),
        },
        Candidate {
            name: "decode and encode, structures",
            run: Box::new(|| {
                h.reset();
                out4.clear();
                decode(
                    &mut |d, bytes| {
                        let length = d.decode(bytes, &mut both).expect("it decodes");
                        h.encode_from(
                            "IncrementalRefresh",
                            Part::Message(&both.message),
                            &mut out4,
                        )
                        .expect("it encodes");
                        length
                    },
                    &mut g,
                );
                assert_eq!(out4, encoded);
            }),
            ns: Vec::new(),
        },
        Candidate {
            name: "decode to a message tree",
            run: Box::new(|| {
                decode(&mut |d, bytes| d.decode(bytes, &mut first).expect("it decodes"), &mut b);
            }),
            ns: Vec::new(),
        },
        Candidate {
            name: "encode from a message tree",
            run: Box::new(|| {
                e.reset();
                out2.clear();
                for tree in trees {
                    e.encode(black_box(tree), &mut out2).expect("it encodes");
                }
                black_box(&out2);
            }),
            ns: Vec::new(),
        },
        Candidate {
            name: "decode and encode, message tree",
            run: Box::new(|| {
                f.reset();
                out3.clear();
                decode(
                    &mut |d, bytes| {
                        let length = d.decode(bytes, &mut second).expect("it decodes");
                        let message = second.message().expect("it is complete");
                        f.encode(message, &mut out3).expect("it encodes");
                        length
                    },
                    &mut c,
                );
                assert_eq!(out3, encoded);
            }),
            ns: Vec::new(),
        },
    ];

    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        let name = arguments.get(at + 1).map_or("", String::as_str);
        let rounds = arguments.get(at + 2).and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
        for candidate in candidates.iter_mut().filter(|candidate| candidate.name == name) {
            for _ in 0..rounds {
                (candidate.run)();
            }
        }
        return;
    }
    for _ in 0..ROUNDS {
        for candidate in &mut candidates {
            let start = Instant::now();
            (candidate.run)();
            candidate.ns.push(start.elapsed().as_nanos() as f64 / MESSAGES as f64);
        }
    }
    println!(
        "{MESSAGES} messages of 3 entries, {:.1} bytes/message, median of {ROUNDS} rounds",
        encoded.len() as f64 / MESSAGES as f64
    );
    println!("{:<34} {:>10} {:>10}", "", "ns/message", "least");
    for candidate in &mut candidates {
        candidate.ns.sort_by(f64::total_cmp);
        println!(
            "{:<34} {:>10.1} {:>10.1}",
            candidate.name,
            candidate.ns[ROUNDS / 2],
            candidate.ns[0]
        );
    }
}

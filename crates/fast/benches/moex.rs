//! Decoding and encoding the MOEX capture, beside fastlib in the same run.
//!
//! `cargo bench -p saker-fast --bench moex` prints nanoseconds per message: the median over rounds
//! in which the candidates take turns, and the ratio to fastlib. Every candidate resets its
//! dictionaries before each message and reads every field that is present. `-- --only NAME ROUNDS`
//! runs one candidate alone: what two numbers of rounds differ by, in a profiler that counts
//! instructions, is the cost of the rounds without that of starting (`instructions.sh`).
//! `-- --rounds N` takes another number of rounds than 41: on a machine that others use, the least
//! of many tells more than a median.

use std::hint::black_box;
use std::time::Instant;

use saker_fast::json::JsonWriter;
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Ignore, Message, MessageBuilder,
    ResetPolicy, Templates, Value, Visitor,
};

const ROUNDS: usize = 41;

/// Reads every field: numbers are added up, strings by length and first byte. There is a sum for
/// each kind of value, so that what is measured is not how long one addition waits for the one
/// before; the peer's is one.
#[derive(Default)]
struct Sum {
    unsigned: u64,
    signed: u64,
    decimal: u64,
    text: u64,
}

impl Sum {
    fn total(&self) -> u64 {
        [self.signed, self.decimal, self.text].into_iter().fold(self.unsigned, u64::wrapping_add)
    }
}

impl Visitor for Sum {
    #[inline]
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let (sum, number) = match value {
            Value::UInt(value) => (&mut self.unsigned, value),
            Value::Int(value) => (&mut self.signed, value.cast_unsigned()),
            Value::Decimal { mantissa, exponent } => (
                &mut self.decimal,
                mantissa.cast_unsigned().wrapping_add(exponent.unsigned_abs().into()),
            ),
            Value::Ascii(bytes) | Value::Bytes(bytes) => (&mut self.text, sum(bytes)),
            Value::Unicode(text) => (&mut self.text, sum(text.as_bytes())),
        };
        *sum = sum.wrapping_add(number ^ u64::from(field.id.unwrap_or(0)));
    }
}

fn sum(bytes: &[u8]) -> u64 {
    bytes.len() as u64 + u64::from(bytes[0])
}

struct PeerSum(u64);

impl fastlib::MessageFactory for PeerSum {
    fn start_template(&mut self, _id: u32, _name: &str) {}
    fn stop_template(&mut self) {}
    fn set_value(&mut self, id: u32, _name: &str, value: Option<fastlib::Value>) {
        use fastlib::Value as Peer;
        let number = match value {
            None => return,
            Some(Peer::UInt32(value)) => value.into(),
            Some(Peer::UInt64(value)) => value,
            Some(Peer::Int32(value)) => i64::from(value).cast_unsigned(),
            Some(Peer::Int64(value)) => value.cast_unsigned(),
            Some(Peer::Decimal(value)) => {
                value.mantissa.cast_unsigned().wrapping_add(value.exponent.unsigned_abs().into())
            }
            Some(Peer::ASCIIString(text) | Peer::UnicodeString(text)) => sum(text.as_bytes()),
            Some(Peer::Bytes(bytes)) => sum(&bytes),
        };
        self.0 = self.0.wrapping_add(number ^ u64::from(id));
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

struct Candidate<'c> {
    name: &'static str,
    run: Box<dyn FnMut() -> u64 + 'c>,
    ns_per_message: Vec<f64>,
}

fn main() {
    let data = std::env::var("SAKER_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let (Ok(bytes), Ok(xml)) = (
        std::fs::read(format!("{data}/moex/data.dat")),
        std::fs::read_to_string(format!("{data}/moex/test.xml")),
    ) else {
        println!("skipped: no MOEX capture in {data}; set SAKER_DATA");
        return;
    };
    let templates = Templates::from_xml(&xml).expect("the capture's templates load");
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    // They stay where they are, one behind the other, as a receiver has them in its buffer.
    let mut messages: Vec<&[u8]> = Vec::new();
    let mut trees: Vec<Message> = Vec::new();
    let mut decoder = Decoder::new(&templates, options);
    let mut builder = MessageBuilder::new(&templates);
    let mut stream = MessageStream::new(&bytes, Layout { framing: Framing::None, preamble: 4 });
    while let Some(framed) = stream.next(&mut decoder, &mut builder).expect("it decodes") {
        messages.push(framed.bytes);
        trees.extend(builder.message().cloned());
    }
    let size = messages.iter().map(|message| message.len()).sum::<usize>();

    let mut candidates = candidates(&templates, &xml, &messages, &trees);
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        let name = arguments.get(at + 1).map_or("", String::as_str);
        let rounds = arguments.get(at + 2).and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
        for candidate in candidates.iter_mut().filter(|candidate| candidate.name == name) {
            for _ in 0..rounds {
                black_box((candidate.run)());
            }
        }
        return;
    }
    let rounds = match arguments.iter().position(|argument| argument == "--rounds") {
        Some(at) => arguments.get(at + 1).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS),
        None => ROUNDS,
    };
    let mut sums = Vec::new();
    for _ in 0..rounds {
        for candidate in &mut candidates {
            let start = Instant::now();
            let sum = (candidate.run)();
            let elapsed = start.elapsed();
            sums.push((candidate.name, sum));
            candidate.ns_per_message.push(elapsed.as_nanos() as f64 / messages.len() as f64);
        }
    }
    let sum_of = |name: &str| sums.iter().find(|(other, _)| *other == name).map(|(_, sum)| *sum);
    assert_eq!(sum_of("decode, every field read"), sum_of("fastlib: decode, every field read"));

    println!(
        "{} messages, {size} bytes, {:.1} bytes/message, median of {rounds} rounds",
        messages.len(),
        size as f64 / messages.len() as f64
    );
    let mut medians = Vec::new();
    for candidate in &mut candidates {
        candidate.ns_per_message.sort_by(f64::total_cmp);
        medians.push(candidate.ns_per_message[rounds / 2]);
    }
    let peer = medians[0];
    println!("{:<40} {:>10} {:>10} {:>10}", "", "ns/message", "least", "x fastlib");
    for (candidate, median) in candidates.iter().zip(&medians) {
        println!(
            "{:<40} {median:>10.1} {:>10.1} {:>10.1}",
            candidate.name,
            candidate.ns_per_message[0],
            peer / median
        );
    }
}

fn candidates<'c>(
    templates: &Templates,
    xml: &str,
    messages: &'c [&'c [u8]],
    trees: &'c [Message],
) -> Vec<Candidate<'c>> {
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let candidate = |name, run| Candidate { name, run, ns_per_message: Vec::new() };
    let mut peer = fastlib::Decoder::new_from_xml(xml).expect("fastlib loads the templates");
    let mut summing = Decoder::new(templates, options);
    let mut ignoring = Decoder::new(templates, options);
    let mut building = Decoder::new(templates, options);
    let mut writing = Decoder::new(templates, options);
    let mut builder = MessageBuilder::new(templates);
    let mut writer = JsonWriter::default();
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(ResetPolicy::Message));
    let mut out = Vec::new();
    vec![
        candidate(
            "fastlib: decode, every field read",
            Box::new(move || {
                let mut sum = PeerSum(0);
                for message in messages {
                    peer.reset();
                    peer.decode_slice(black_box(message), &mut sum).expect("it decodes");
                }
                black_box(sum.0)
            }) as Box<dyn FnMut() -> u64>,
        ),
        candidate(
            "decode, every field read",
            Box::new(move || {
                let mut sum = Sum::default();
                for message in messages {
                    summing.decode(black_box(message), &mut sum).expect("it decodes");
                }
                black_box(sum.total())
            }),
        ),
        candidate(
            "decode, nothing read",
            Box::new(move || {
                for message in messages {
                    ignoring.decode(black_box(message), &mut Ignore).expect("it decodes");
                }
                0
            }),
        ),
        candidate(
            "decode to a message tree",
            Box::new(move || {
                for message in messages {
                    building.decode(black_box(message), &mut builder).expect("it decodes");
                }
                0
            }),
        ),
        candidate(
            "decode to JSON text",
            Box::new(move || {
                writer.clear();
                for message in messages {
                    writing.decode(black_box(message), &mut writer).expect("it decodes");
                }
                black_box(writer.text().len() as u64)
            }),
        ),
        candidate(
            "encode from a message tree",
            Box::new(move || {
                out.clear();
                for tree in trees {
                    encoder.encode(black_box(tree), &mut out).expect("it encodes");
                }
                black_box(out.len() as u64)
            }),
        ),
    ]
}

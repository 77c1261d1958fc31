//! Generated code on the MOEX capture, beside the run-time codec in the same run.
//!
//! `cargo bench -p saker-fast --bench generated` prints nanoseconds per message: the median over
//! rounds in which the candidates take turns. Every candidate resets its dictionaries before each
//! message and reads every field that is present. `-- --only NAME --rounds N` runs one candidate
//! that many times, for profilers that count instructions: the difference of two counts, divided
//! by the messages, is exact.

#[allow(dead_code)]
#[path = "../tests/generated/market.rs"]
mod market;

use std::hint::black_box;
use std::time::Instant;

use saker_fast::runtime::FieldVisitor;
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Message, MessageBuilder,
    ResetPolicy, Templates, Value, Visitor,
};

const ROUNDS: usize = 41;

/// Reads every field: numbers are added up, strings by length and first byte.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    #[inline(always)]
    fn add(&mut self, id: Option<u32>, value: Value<'_>) {
        let number = match value {
            Value::UInt(value) => value,
            Value::Int(value) => value.cast_unsigned(),
            Value::Decimal { mantissa, exponent } => {
                mantissa.cast_unsigned().wrapping_add(exponent.unsigned_abs().into())
            }
            Value::Ascii(bytes) | Value::Bytes(bytes) => bytes.len() as u64 + u64::from(bytes[0]),
            Value::Unicode(text) => text.len() as u64 + u64::from(text.as_bytes()[0]),
        };
        self.0 = self.0.wrapping_add(number ^ u64::from(id.unwrap_or(0)));
    }
}

impl Visitor for Sum {
    #[inline]
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        self.add(field.id, value);
    }
}

impl FieldVisitor for Sum {
    #[inline(always)]
    fn field(&mut self, _key: &'static str, id: Option<u32>, value: Value<'_>) {
        self.add(id, value);
    }
}

struct Candidate<'c> {
    name: &'static str,
    run: Box<dyn FnMut() -> u64 + 'c>,
    ns_per_message: Vec<f64>,
}

fn main() {
    let data = std::env::var("SAKER_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let Ok(bytes) = std::fs::read(format!("{data}/moex/data.dat")) else {
        println!("skipped: no MOEX capture in {data}; set SAKER_DATA");
        return;
    };
    let templates = Templates::from_xml(include_str!("../tests/generated/market.xml"))
        .expect("the definition beside the generated code loads");
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let (mut messages, mut trees, mut structs) = (Vec::new(), Vec::new(), Vec::new());
    let mut decoder = Decoder::new(&templates, options);
    let mut typed = market::Decoder::new(options);
    let mut builder = MessageBuilder::new(&templates);
    let mut stream = MessageStream::new(&bytes, Layout { framing: Framing::None, preamble: 4 });
    while let Some(framed) = stream.next(&mut decoder, &mut builder).expect("it decodes") {
        messages.push(framed.bytes);
        trees.extend(builder.message().cloned());
        let (market::Message::Refresh(message), _) =
            typed.decode(framed.bytes).expect("it decodes");
        structs.push(message.clone());
    }

    let mut candidates = candidates(&templates, &messages, &trees, &structs);
    let arguments: Vec<String> = std::env::args().collect();
    let argument = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    if let Some(name) = argument("--only") {
        let rounds = argument("--rounds").and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
        for candidate in candidates.iter_mut().filter(|candidate| candidate.name == name) {
            for _ in 0..rounds {
                black_box((candidate.run)());
            }
        }
        return;
    }
    let mut results: Vec<(&str, u64)> = Vec::new();
    for _ in 0..ROUNDS {
        for candidate in &mut candidates {
            let start = Instant::now();
            let result = (candidate.run)();
            let elapsed = start.elapsed();
            results.push((candidate.name, result));
            candidate.ns_per_message.push(elapsed.as_nanos() as f64 / messages.len() as f64);
        }
    }
    let result = |name: &str| results.iter().find(|(other, _)| *other == name).map(|(_, sum)| *sum);
    assert_eq!(result("run time: decode"), result("generated: decode"));
    assert_eq!(result("run time: encode"), result("generated: encode"));

    println!("{} messages, median of {ROUNDS} rounds", messages.len());
    println!("{:<40} {:>10} {:>10}", "", "ns/message", "least");
    for candidate in &mut candidates {
        candidate.ns_per_message.sort_by(f64::total_cmp);
        let (least, median) = (candidate.ns_per_message[0], candidate.ns_per_message[ROUNDS / 2]);
        println!("{:<40} {median:>10.1} {least:>10.1}", candidate.name);
    }
}

fn candidates<'c>(
    templates: &Templates,
    messages: &'c [&'c [u8]],
    trees: &'c [Message],
    structs: &'c [market::Refresh],
) -> Vec<Candidate<'c>> {
    let decoding = DecoderOptions::with_reset(ResetPolicy::Message);
    let encoding = EncoderOptions::with_reset(ResetPolicy::Message);
    let candidate = |name, run| Candidate { name, run, ns_per_message: Vec::new() };
    let mut decoder = Decoder::new(templates, decoding);
    let mut typed_decoder = market::Decoder::new(decoding);
    let mut unread_decoder = market::Decoder::new(decoding);
    let mut both_decoder = market::Decoder::new(decoding);
    let mut encoder = Encoder::new(templates, encoding);
    let mut typed_encoder = market::Encoder::new(encoding);
    let mut both_encoder = market::Encoder::new(encoding);
    let (mut out, mut typed_out, mut both_out) = (Vec::new(), Vec::new(), Vec::new());
    vec![
        candidate(
            "run time: decode",
            Box::new(move || {
                let mut sum = Sum::default();
                for message in messages {
                    decoder.decode(black_box(message), &mut sum).expect("it decodes");
                }
                black_box(sum.0)
            }) as Box<dyn FnMut() -> u64>,
        ),
        candidate(
            "generated: decode",
            Box::new(move || {
                let mut sum = Sum::default();
                for message in messages {
                    let decoded = typed_decoder.decode(black_box(message));
                    decoded.expect("it decodes").0.visit(&mut sum);
                }
                black_box(sum.0)
            }),
        ),
        candidate(
            "generated: decode, nothing read",
            Box::new(move || {
                let mut length = 0;
                for message in messages {
                    let decoded = unread_decoder.decode(black_box(message));
                    let (message, consumed) = decoded.expect("it decodes");
                    black_box(message);
                    length += consumed as u64;
                }
                black_box(length)
            }),
        ),
        candidate(
            "run time: encode",
            Box::new(move || {
                out.clear();
                for tree in trees {
                    encoder.encode(black_box(tree), &mut out).expect("it encodes");
                }
                black_box(out.len() as u64)
            }),
        ),
        candidate(
            "generated: encode",
            Box::new(move || {
                typed_out.clear();
                for message in structs {
                    typed_encoder.encode(black_box(message), &mut typed_out).expect("it encodes");
                }
                black_box(typed_out.len() as u64)
            }),
        ),
        candidate(
            "generated: decode and encode",
            Box::new(move || {
                both_out.clear();
                for message in messages {
                    let (message, _) = both_decoder.decode(black_box(message)).expect("it decodes");
                    both_encoder.encode(message, &mut both_out).expect("it encodes");
                }
                black_box(both_out.len() as u64)
            }),
        ),
    ]
}

//! Decoding and encoding the MOEX capture, beside fastlib in the same run.
//!
//! `cargo bench -p saker-fast --bench moex`; `rounds` says how it is measured. Every candidate resets
//! its dictionaries before each message and reads every field that is present. The generated code is
//! that of the same templates under readable names.

#[allow(dead_code)]
#[path = "../tests/generated/market.rs"]
mod market;
mod rounds;

use std::hint::black_box;

use rounds::{Candidate, candidate, compare};
use saker_fast::runtime::FieldVisitor;

use saker_fast::json::JsonWriter;
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Ignore, Message, MessageBuilder,
    ResetPolicy, Templates, Value, Visitor,
};

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

impl Sum {
    #[inline(always)]
    fn add(&mut self, tag: u32, value: Value<'_>) {
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
        *sum = sum.wrapping_add(number ^ u64::from(tag));
    }
}

impl Visitor for Sum {
    #[inline]
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        self.add(field.tag, value);
    }
}

impl FieldVisitor for Sum {
    #[inline(always)]
    fn field(&mut self, _key: &'static str, id: Option<u32>, value: Value<'_>) {
        self.add(id.unwrap_or(0), value);
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
    let mut structures: Vec<market::Refresh> = Vec::new();
    let mut typed = market::Decoder::new(options);
    let mut decoder = Decoder::new(&templates, options);
    let mut builder = MessageBuilder::new(&templates);
    let mut stream = MessageStream::new(&bytes, Layout { framing: Framing::None, preamble: 4 });
    while let Some(framed) = stream.next(&mut decoder, &mut builder).expect("it decodes") {
        messages.push(framed.bytes);
        trees.extend(builder.message().cloned());
        let (market::Message::Refresh(message), _) =
            typed.decode(framed.bytes).expect("it decodes");
        structures.push(message.clone());
    }
    let size = messages.iter().map(|message| message.len()).sum::<usize>();

    let title = format!(
        "{} messages, {size} bytes, {:.1} bytes/message",
        messages.len(),
        size as f64 / messages.len() as f64
    );
    let candidates = candidates(&templates, &xml, &messages, &trees, &structures);
    if let Some(results) = compare(&title, messages.len(), candidates) {
        let peer = "fastlib: decode, every field read";
        results.assert_equal(peer, "decode, every field read");
        results.assert_equal(peer, "generated: decode, every field read");
        results.assert_equal(peer, "generated: decode to structures, every field read");
        results.assert_equal("encode from a message tree", "generated: encode");
    }
}

fn candidates<'c>(
    templates: &Templates,
    xml: &str,
    messages: &'c [&'c [u8]],
    trees: &'c [Message],
    structures: &'c [market::Refresh],
) -> Vec<Candidate<'c>> {
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let mut peer = fastlib::Decoder::new_from_xml(xml).expect("fastlib loads the templates");
    let mut summing = Decoder::new(templates, options);
    let mut ignoring = Decoder::new(templates, options);
    let mut building = Decoder::new(templates, options);
    let mut writing = Decoder::new(templates, options);
    let mut builder = MessageBuilder::new(templates);
    let mut writer = JsonWriter::default();
    let encoding = EncoderOptions::with_reset(ResetPolicy::Message);
    let mut encoder = Encoder::new(templates, encoding);
    let mut typed_decoder = market::Decoder::new(options);
    let mut structure_decoder = market::Decoder::new(options);
    let mut unread_decoder = market::Decoder::new(options);
    let mut both_decoder = market::Decoder::new(options);
    let mut typed_encoder = market::Encoder::new(encoding);
    let mut both_encoder = market::Encoder::new(encoding);
    let (mut out, mut typed_out, mut both_out) = (Vec::new(), Vec::new(), Vec::new());
    vec![
        candidate("fastlib: decode, every field read", move || {
            let mut sum = PeerSum(0);
            for message in messages {
                peer.reset();
                peer.decode_slice(black_box(message), &mut sum).expect("it decodes");
            }
            black_box(sum.0)
        }),
        candidate("decode, every field read", move || {
            let mut sum = Sum::default();
            for message in messages {
                summing.decode(black_box(message), &mut sum).expect("it decodes");
            }
            black_box(sum.total())
        }),
        candidate("decode, nothing read", move || {
            for message in messages {
                ignoring.decode(black_box(message), &mut Ignore).expect("it decodes");
            }
            0
        }),
        candidate("decode to a message tree", move || {
            for message in messages {
                building.decode(black_box(message), &mut builder).expect("it decodes");
            }
            0
        }),
        candidate("decode to JSON text", move || {
            writer.clear();
            for message in messages {
                writing.decode(black_box(message), &mut writer).expect("it decodes");
            }
            black_box(writer.text().len() as u64)
        }),
        candidate("encode from a message tree", move || {
            out.clear();
            for tree in trees {
                encoder.encode(black_box(tree), &mut out).expect("it encodes");
            }
            black_box(out.len() as u64)
        }),
        candidate("generated: decode, every field read", move || {
            let mut sum = Sum::default();
            for message in messages {
                typed_decoder.visit(black_box(message), &mut sum).expect("it decodes");
            }
            black_box(sum.total())
        }),
        candidate("generated: decode to structures, every field read", move || {
            let mut sum = Sum::default();
            for message in messages {
                let decoded = structure_decoder.decode(black_box(message));
                decoded.expect("it decodes").0.visit(&mut sum);
            }
            black_box(sum.total())
        }),
        candidate("generated: decode to structures, nothing read", move || {
            let mut length = 0;
            for message in messages {
                let decoded = unread_decoder.decode(black_box(message));
                let (message, consumed) = decoded.expect("it decodes");
                black_box(message);
                length += consumed as u64;
            }
            black_box(length)
        }),
        candidate("generated: encode", move || {
            typed_out.clear();
            for message in structures {
                typed_encoder.encode(black_box(message), &mut typed_out).expect("it encodes");
            }
            black_box(typed_out.len() as u64)
        }),
        candidate("generated: decode and encode", move || {
            both_out.clear();
            for message in messages {
                let (message, _) = both_decoder.decode(black_box(message)).expect("it decodes");
                both_encoder.encode(message, &mut both_out).expect("it encodes");
            }
            black_box(both_out.len() as u64)
        }),
    ]
}

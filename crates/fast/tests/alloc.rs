//! Decoding allocates nothing once the decoder has seen messages of the kind.
//!
//! The test counts the calls of the global allocator. Implementing `GlobalAlloc` needs `unsafe`,
//! which the crate denies everywhere else: there is no other way to count allocations, and the
//! implementation does nothing but count and pass on to the system's allocator.
#![allow(unsafe_code, clippy::unwrap_used)]

mod common;
#[allow(dead_code)]
#[path = "generated/market.rs"]
mod market;
#[allow(dead_code)]
#[path = "generated/operators.rs"]
mod operators;

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;

use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, Message, MessageBuilder,
    ResetPolicy, Templates, Value, Visitor,
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // Threads that are ending have no counter any more; no test runs in them.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system's allocator, whose contract is the same.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        count();
        // SAFETY: the caller's obligations are those of this call.
        unsafe { System.alloc(memory) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        // SAFETY: the caller's obligations are those of this call.
        unsafe { System.dealloc(pointer, memory) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, memory: Memory, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's obligations are those of this call.
        unsafe { System.realloc(pointer, memory, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations `work` makes.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Reads every field.
#[derive(Default)]
struct Read(u64);

impl Visitor for Read {
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let bytes = value.as_bytes().map_or(0, <[u8]>::len) as u64;
        let number = value.as_i64().unwrap_or_default().cast_unsigned();
        self.0 = self.0.wrapping_add(bytes ^ number ^ u64::from(field.id.unwrap_or(0)));
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(9)))), 1);
    assert_eq!(allocations(|| ()), 0);
}

/// The capture's messages of 4 kinds of use: each is decoded once before the count.
#[test]
fn decoding_the_capture_allocates_nothing() {
    let Some(bytes) = common::data("moex/data.dat") else { return };
    let Some(xml) = common::text("moex/test.xml") else { return };
    let templates = Templates::from_xml(&xml).unwrap();
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let layout = Layout { framing: Framing::None, preamble: 4 };
    let mut decoder = Decoder::new(&templates, options);
    let mut read = Read::default();
    let mut messages = 0;
    // Not even the first message.
    let count = allocations(|| {
        let mut stream = MessageStream::new(&bytes, layout);
        while stream.next(&mut decoder, &mut read).unwrap().is_some() {
            messages += 1;
        }
    });
    assert_eq!((messages, count), (5_020, 0));
    assert_ne!(read.0, 0);
}

/// Every operator on every type, strings that change, groups and sequences: after a first round the
/// second allocates nothing, neither in the decoder nor in the encoder.
#[test]
fn operators_allocate_nothing_in_the_steady_state() {
    let operators = |name: &str, fields: &str| format!(r#"<group name="{name}">{fields}</group>"#);
    let mut parts = String::new();
    for (index, operator) in
        ["", "<copy/>", "<delta/>", "<default/>", "<tail/>", "<increment/>"].into_iter().enumerate()
    {
        let mut fields = String::new();
        let numbers: &[&str] = match operator {
            "<tail/>" => &[],
            "<increment/>" => &["uInt32", "int64"],
            _ => &["uInt32", "uInt64", "int32", "int64", "decimal"],
        };
        for kind in numbers {
            fields +=
                &format!(r#"<{kind} name="{kind}{index}" presence="optional">{operator}</{kind}>"#);
        }
        if operator != "<increment/>" {
            for (kind, charset) in
                [("string", ""), ("string", r#"charset="unicode""#), ("byteVector", "")]
            {
                let name = format!("{kind}{index}{}", charset.len());
                fields += &format!(
                    r#"<{kind} name="{name}" {charset} presence="optional">{operator}</{kind}>"#
                );
            }
        }
        parts += &operators(&format!("G{index}"), &fields);
    }
    let templates = common::template(&format!(
        r#"{parts}<sequence name="S"><uInt32 name="A"><copy/></uInt32><string name="B"/></sequence>"#
    ));
    let mut messages: Vec<Message> = Vec::new();
    for round in 0..8_u64 {
        let mut message = Message::new(&templates, "T").unwrap();
        for group in 0..6 {
            let mut root = message.root_mut();
            let mut part = root.group(format!("G{group}").as_str()).unwrap();
            let keys: Vec<_> = part.as_ref().fields().map(|field| field.key.clone()).collect();
            for (index, key) in keys.iter().enumerate() {
                if (round + index as u64).is_multiple_of(5) {
                    continue;
                }
                let number = round / 2 * 1000 + 7;
                let text = format!("a rather long text, number {}", round / 2);
                match &key[..3] {
                    "uIn" => part.set(&**key, number).unwrap(),
                    "int" => part.set(&**key, -(number as i64)).unwrap(),
                    "dec" => part
                        .set(&**key, Value::Decimal { mantissa: number as i64, exponent: -2 })
                        .unwrap(),
                    "str" => part.set(&**key, text.as_str()).unwrap(),
                    _ => part.set(&**key, text.as_bytes()).unwrap(),
                }
            }
        }
        let mut root = message.root_mut();
        let mut elements = root.sequence("S").unwrap();
        for index in 0..3_u32 {
            let mut element = elements.push();
            element.set("A", index / 2).unwrap();
            element.set("B", "an element with a string of more than sixteen bytes").unwrap();
        }
        messages.push(message);
    }

    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    let mut bytes = Vec::new();
    let mut encode = |bytes: &mut Vec<u8>| {
        encoder.reset();
        bytes.clear();
        for message in &messages {
            encoder.encode(message, bytes).unwrap();
        }
    };
    encode(&mut bytes);
    assert_eq!(allocations(|| encode(&mut bytes)), 0, "the encoder allocates");

    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut read = Read::default();
    let mut decode = || {
        decoder.reset();
        assert_eq!(decoder.decode_packet(&bytes, &mut read).unwrap(), messages.len());
    };
    decode();
    assert_eq!(allocations(decode), 0, "the decoder allocates");

    // The tree keeps its memory, too.
    let mut builder = MessageBuilder::new(&templates);
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut build = || {
        decoder.reset();
        decoder.decode_packet(&bytes, &mut builder).unwrap();
    };
    build();
    assert_eq!(allocations(build), 0, "the message builder allocates");
}

/// The framed messages of the capture.
fn captured() -> Option<Vec<Vec<u8>>> {
    let bytes = common::data("moex/data.dat")?;
    let templates = Templates::from_xml(include_str!("generated/market.xml")).unwrap();
    let options = DecoderOptions::with_reset(ResetPolicy::Message);
    let mut decoder = Decoder::new(&templates, options);
    let mut stream = MessageStream::new(&bytes, Layout { framing: Framing::None, preamble: 4 });
    let mut messages = Vec::new();
    while let Some(framed) = stream.next(&mut decoder, &mut Read::default()).unwrap() {
        messages.push(framed.bytes.to_vec());
    }
    Some(messages)
}

/// After one round, in which messages reach their size, generated code decodes and encodes the
/// capture without an allocation.
#[test]
fn generated_code_allocates_nothing_on_the_capture() {
    let Some(messages) = captured() else { return };
    let mut decoder = market::Decoder::new(DecoderOptions::with_reset(ResetPolicy::Message));
    let mut encoder = market::Encoder::new(EncoderOptions::with_reset(ResetPolicy::Message));
    let mut out = Vec::new();
    let mut round = || {
        for message in &messages {
            let (decoded, _) = decoder.decode(message).unwrap();
            out.clear();
            encoder.encode(decoded, &mut out).unwrap();
            assert_eq!(out, *message);
        }
    };
    round();
    assert_eq!(allocations(round), 0);
}

/// The same for every operator on every type, with dictionaries that are never reset.
#[test]
fn generated_code_allocates_nothing_in_the_steady_state() {
    let templates = Templates::from_xml(include_str!("generated/operators.xml")).unwrap();
    let mut random = common::generate::Random(7);
    let mut source = Encoder::new(&templates, EncoderOptions::default());
    let mut messages = Vec::new();
    while messages.len() < 60 {
        let message = common::fill::message(&mut random, &templates);
        let mut bytes = Vec::new();
        if source.encode(&message, &mut bytes).is_ok() {
            messages.push(bytes);
        } else {
            source.reset();
            messages.clear();
        }
    }
    let mut decoder = operators::Decoder::new(DecoderOptions::default());
    let mut encoder = operators::Encoder::new(EncoderOptions::default());
    let mut out = Vec::new();
    let mut round = || {
        decoder.reset();
        encoder.reset();
        for message in &messages {
            let (decoded, _) = decoder.decode(message).unwrap();
            out.clear();
            encoder.encode(decoded, &mut out).unwrap();
        }
    };
    round();
    round();
    assert_eq!(allocations(round), 0);
}

//! The fuzz targets, and what they share: sets of templates, a source of random choices, the
//! invariants.
//!
//! A target is a function of bytes in [`targets`]; the programs in `fuzz_targets` hand it to the
//! fuzzer, and `tests/fuzz_targets.rs` of the crate to a few deterministic inputs.

pub mod targets;

use std::sync::OnceLock;

use saker_fast::message::{GroupMut, Select};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldKind, FieldType, LoadOptions, Message,
    MessageBuilder, Presence, ResetPolicy, Templates, Value,
};

const WRITTEN: [&str; 2] = [
    include_str!("../templates/everything-1.1.xml"),
    include_str!("../templates/everything-1.2.xml"),
];

const PUBLISHED: [&str; 6] = [
    "moex/test.xml",
    "templates/cme.xml",
    "templates/eurex-rdd-1.1.xml",
    "templates/eurex-rdd-1.2.xml",
    "templates/forts.xml",
    "templates/fast_template_STEP1.20_SZ_1.00.xml",
];

/// The sets of templates: our own and, where `SAKER_DATA` has them, published ones.
pub fn sets() -> &'static [Templates] {
    static SETS: OnceLock<Vec<Templates>> = OnceLock::new();
    SETS.get_or_init(|| {
        let load = |xml: &str| {
            Templates::from_xml_with(xml, &LoadOptions::lenient())
                .unwrap_or_else(|error| panic!("{error}"))
        };
        let mut sets: Vec<Templates> = WRITTEN.iter().map(|xml| load(xml)).collect();
        if let Some(root) = std::env::var_os("SAKER_DATA") {
            let root = std::path::PathBuf::from(root);
            let texts =
                PUBLISHED.iter().filter_map(|file| std::fs::read_to_string(root.join(file)).ok());
            sets.extend(texts.map(|xml| load(&xml)));
        }
        sets
    })
}

/// Choices out of the fuzzer's bytes; zeros when they are used up.
pub struct Choices<'b>(pub &'b [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    /// Small values come from few bytes.
    pub fn number(&mut self) -> u64 {
        (0..self.below(9)).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    pub fn text(&mut self) -> Vec<u8> {
        (0..self.below(24)).map(|_| self.byte()).collect()
    }

    pub fn set(&mut self) -> &'static Templates {
        let sets = sets();
        &sets[self.below(sets.len())]
    }

    pub fn policy(&mut self) -> ResetPolicy {
        [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message][self.below(3)]
    }
}

/// Limits that keep one run short.
pub fn options(strict: bool, reset: ResetPolicy) -> DecoderOptions {
    DecoderOptions {
        strict,
        max_elements: 500,
        max_string: 1000,
        ..DecoderOptions::with_reset(reset)
    }
}

/// A message of any template of a set that has an identifier.
pub fn message(choices: &mut Choices<'_>, templates: &Templates) -> Option<Message> {
    let ids: Vec<u32> = templates.all().iter().filter_map(|it| it.id.number).collect();
    let id = *ids.get(choices.below(ids.len()))?;
    let mut message = Message::with_id(templates, id)?;
    fill(choices, templates, message.root_mut(), 0);
    Some(message)
}

fn fill(choices: &mut Choices<'_>, templates: &Templates, mut group: GroupMut<'_>, depth: u32) {
    let fields: Vec<_> = group.as_ref().fields().cloned().collect();
    for field in fields {
        if field.presence == Presence::Optional && choices.byte() & 1 == 0 {
            continue;
        }
        let select = Select::Ordinal(field.ordinal);
        match field.kind {
            // A value that does not fit stays away: encoding then says so.
            FieldKind::Primitive(field_type) => {
                let text = choices.text();
                let number = choices.number();
                let value = match field_type {
                    FieldType::UInt32 | FieldType::UInt64 => Value::UInt(number),
                    FieldType::Int32 | FieldType::Int64 => Value::Int(number.cast_signed()),
                    FieldType::Decimal => Value::Decimal {
                        mantissa: number.cast_signed(),
                        exponent: i32::from(choices.byte().cast_signed()) / 2,
                    },
                    FieldType::Bytes => Value::Bytes(&text),
                    FieldType::Ascii => Value::Ascii(&text),
                    FieldType::Unicode => {
                        let text = String::from_utf8_lossy(&text);
                        let _ = group.set(select, &*text);
                        continue;
                    }
                };
                let _ = group.set(select, value);
            }
            FieldKind::Group => {
                if let Ok(inner) = group.group(select) {
                    fill(choices, templates, inner, depth + 1);
                }
            }
            FieldKind::Sequence => {
                if let Ok(mut sequence) = group.sequence(select) {
                    for _ in 0..choices.below(4) {
                        fill(choices, templates, sequence.push(), depth + 1);
                    }
                }
            }
            FieldKind::Reference => {
                let all = templates.all();
                let name = all[choices.below(all.len())].name.local.clone();
                if depth < 4
                    && let Ok(inner) = group.reference(select, &name)
                {
                    fill(choices, templates, inner, depth + 1);
                }
            }
        }
    }
}

/// What encodes decodes, encodes to the same bytes again, and decodes to the same message.
pub fn round_trip(templates: &Templates, messages: &[Message], reset: ResetPolicy) {
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(reset));
    let mut again = Encoder::new(templates, EncoderOptions::with_reset(reset));
    let decoder_options = DecoderOptions::with_reset(reset);
    let mut decoder = Decoder::new(templates, decoder_options);
    let mut second = Decoder::new(templates, decoder_options);
    for message in messages {
        let mut bytes = Vec::new();
        if encoder.encode(message, &mut bytes).is_err() {
            return;
        }
        let mut builder = MessageBuilder::new(templates);
        let length = decoder.decode(&bytes, &mut builder).expect("what was encoded decodes");
        assert_eq!(length, bytes.len());
        let decoded = builder.take().expect("the message is complete");
        let mut bytes_again = Vec::new();
        again.encode(&decoded, &mut bytes_again).expect("what was decoded encodes");
        assert_eq!(bytes, bytes_again);
        second.decode(&bytes_again, &mut builder).expect("what was encoded decodes");
        assert!(builder.take().expect("the message is complete") == decoded);
    }
}

//! Random messages for any set of templates, by its model.

use saker_fast::message::{GroupMut, Select};
use saker_fast::model::{Field, FieldOperator, Instruction, LogicalType, Operator, OwnedValue};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, FieldType, Message,
    MessageBuilder, Presence, ResetPolicy, Templates, Value,
};

use super::generate::Random;

/// Strings with the tail operator all have this length, since a tail cannot shorten its base.
const TAIL_LENGTH: usize = 6;

/// A message of a random template that has an identifier.
pub fn message(random: &mut Random, templates: &Templates) -> Message {
    let with_id: Vec<_> = templates.all().iter().filter(|it| it.id.number.is_some()).collect();
    let template = with_id[random.below(with_id.len() as u64) as usize];
    let mut message = Message::with_id(templates, template.id.number.unwrap()).unwrap();
    let mut filler = Filler { random, templates };
    filler.fill(&template.instructions, &mut message.root_mut(), &mut 0);
    message
}

/// Encodes and decodes that many random messages with one state; how many cannot be encoded,
/// since their templates share dictionary entries of different types or with empty values.
pub fn round_trip(templates: &Templates, seed: u64, count: u32, policy: ResetPolicy) -> u32 {
    let mut random = Random(seed);
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(policy));
    let mut again = Encoder::new(templates, EncoderOptions::with_reset(policy));
    let mut decoder = Decoder::new(templates, DecoderOptions::with_reset(policy));
    let mut builder = MessageBuilder::new(templates);
    let mut refused = 0;
    for _ in 0..count {
        let message = message(&mut random, templates);
        let mut bytes = Vec::new();
        encoder.begin_packet();
        again.begin_packet();
        decoder.begin_packet();
        if let Err(error) = encoder.encode(&message, &mut bytes) {
            let shared = matches!(error.code, ErrorCode::D4 | ErrorCode::D6 | ErrorCode::D3);
            assert!(shared, "{error}\n{}", saker_fast::json::to_json(&message));
            encoder.reset();
            again.reset();
            decoder.reset();
            refused += 1;
            continue;
        }
        let length = decoder.decode(&bytes, &mut builder).unwrap_or_else(|error| {
            panic!("{error}\n{}\n{bytes:02x?}", saker_fast::json::to_json(&message))
        });
        assert_eq!(length, bytes.len());
        let decoded = builder.message().unwrap();
        let json = saker_fast::json::to_json(&message);
        assert_eq!(saker_fast::json::to_json(decoded), json);
        assert!(*decoded == message);
        assert!(saker_fast::json::from_json(templates, &json).unwrap() == message, "{json}");
        let mut bytes_again = Vec::new();
        again.encode(decoded, &mut bytes_again).unwrap();
        assert_eq!(bytes_again, bytes);
    }
    refused
}

struct Filler<'t> {
    random: &'t mut Random,
    templates: &'t Templates,
}

impl Filler<'_> {
    fn fill(&mut self, instructions: &[Instruction], group: &mut GroupMut<'_>, ordinal: &mut u32) {
        for instruction in instructions {
            let select = Select::Ordinal(*ordinal);
            let absent = |random: &mut Random, presence: Presence| {
                presence == Presence::Optional && random.below(3) == 0
            };
            match instruction {
                Instruction::Field(field) => {
                    if !absent(self.random, field.presence) {
                        self.field(field, select, group);
                    }
                }
                Instruction::Sequence(sequence) => {
                    if !absent(self.random, sequence.presence) {
                        let count = match &sequence.length.operator {
                            Operator::Constant(OwnedValue::UInt(count)) => *count,
                            _ => self.random.below(4),
                        };
                        let mut elements = group.sequence(select).unwrap();
                        for _ in 0..count {
                            let mut element = elements.push();
                            self.fill(&sequence.instructions, &mut element, &mut 0);
                        }
                    }
                }
                Instruction::Group(inner) => {
                    if !absent(self.random, inner.presence) {
                        let mut part = group.group(select).unwrap();
                        self.fill(&inner.instructions, &mut part, &mut 0);
                    }
                }
                Instruction::BitGroup(bits) => {
                    let mut part = group.group(select).unwrap();
                    for (at, member) in (0..).zip(&bits.members) {
                        if !absent(self.random, member.presence) {
                            self.logical(&member.logical, Select::Ordinal(at), &mut part);
                        }
                    }
                }
                Instruction::StaticReference { name, .. } => {
                    let template =
                        self.templates.all().iter().find(|template| template.name == *name);
                    self.fill(&template.unwrap().instructions, group, ordinal);
                    continue;
                }
                Instruction::DynamicReference { .. } => {
                    panic!("no published definition has dynamic references")
                }
            }
            *ordinal += 1;
        }
    }

    fn number(&mut self) -> u64 {
        match self.random.below(4) {
            0 => self.random.next(),
            1 => self.random.next() >> self.random.below(64),
            _ => self.random.below(5),
        }
    }

    fn logical(&mut self, logical: &LogicalType, select: Select<'_>, group: &mut GroupMut<'_>) {
        let (least, greatest) = logical.bounds();
        if least < 0 {
            let number = match logical {
                LogicalType::Timestamp { .. } => self.number().cast_signed(),
                _ => {
                    let count = greatest.cast_signed() - least + 1;
                    least + self.random.below(count as u64) as i64
                }
            };
            group.set(select, number).unwrap();
        } else {
            let number = match greatest.checked_add(1) {
                Some(bound) => self.random.below(bound),
                None => self.random.next(),
            };
            group.set(select, number).unwrap();
        }
    }

    fn field(&mut self, field: &Field, select: Select<'_>, group: &mut GroupMut<'_>) {
        if let FieldOperator::Whole(Operator::Constant(value)) = &field.operator {
            group.set(select, value.as_value()).unwrap();
            return;
        }
        if let Some(logical) = &field.logical {
            self.logical(logical, select, group);
            return;
        }
        let number = self.number();
        match field.field_type {
            FieldType::UInt32 => group.set(select, number as u32),
            FieldType::Int32 => group.set(select, number as i32),
            FieldType::UInt64 => group.set(select, number),
            FieldType::Int64 => group.set(select, number.cast_signed()),
            FieldType::Decimal => {
                let mut exponent = self.random.below(8) as i32 - 5;
                let mut mantissa = number.cast_signed();
                if let FieldOperator::Parts { exponent: first, mantissa: second } = &field.operator
                {
                    if let Operator::Constant(OwnedValue::Int(value)) = first {
                        exponent = *value as i32;
                    }
                    if let Operator::Constant(OwnedValue::Int(value)) = second {
                        mantissa = *value;
                    }
                }
                group.set(select, Value::Decimal { mantissa, exponent })
            }
            FieldType::Ascii | FieldType::Unicode | FieldType::Bytes => {
                let tail = matches!(&field.operator, FieldOperator::Whole(Operator::Tail(_)));
                let length = if tail { TAIL_LENGTH } else { self.random.below(9) as usize };
                let text: Vec<u8> =
                    (0..length).map(|_| b'A' + self.random.below(26) as u8).collect();
                match field.field_type {
                    FieldType::Bytes => group.set(select, Value::Bytes(&text)),
                    _ => group.set(select, Value::Ascii(&text)),
                }
            }
        }
        .unwrap();
    }
}

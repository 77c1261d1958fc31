//! Reads packets of the feed back into plain structures, with the FAST decoder alone.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use saker_fast::model::Template;
use saker_fast::{Decoder, DecoderOptions, FieldInfo, ResetPolicy, Templates, Value, Visitor};
use saker_feed::{PREAMBLE_LEN, TEMPLATES_XML};

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    pub sequence: u32,
    pub messages: Vec<Message>,
}

/// One message: its own fields by tag, and the elements of its sequence; of an entry that is a message, its
/// fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    pub fields: Fields,
    pub entries: Vec<Fields>,
}

/// Field values by tag, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(pub Vec<(u32, Field)>);

/// A field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    Number(u64),
    Decimal(i64, i32),
    Text(String),
}

impl Fields {
    pub fn number(&self, tag: u32) -> u64 {
        match self.get(tag) {
            Field::Number(n) => *n,
            other => panic!("tag {tag} is {other:?}"),
        }
    }

    pub fn decimal(&self, tag: u32) -> (i64, i32) {
        match self.get(tag) {
            Field::Decimal(mantissa, exponent) => (*mantissa, *exponent),
            other => panic!("tag {tag} is {other:?}"),
        }
    }

    pub fn text(&self, tag: u32) -> &str {
        match self.get(tag) {
            Field::Text(text) => text,
            other => panic!("tag {tag} is {other:?}"),
        }
    }

    fn get(&self, tag: u32) -> &Field {
        let found = self.0.iter().find(|(t, _)| *t == tag);
        &found.unwrap_or_else(|| panic!("no tag {tag} in {self:?}")).1
    }
}

/// Decodes packets of all streams; each packet on its own.
pub struct Reader {
    decoder: Decoder,
}

impl Reader {
    pub fn new() -> Self {
        let templates = Templates::from_xml(TEMPLATES_XML).unwrap();
        let options = DecoderOptions::with_reset(ResetPolicy::Packet);
        Self { decoder: Decoder::new(&templates, options) }
    }

    pub fn read(&mut self, payload: &[u8]) -> Packet {
        let (preamble, body) = payload.split_at(PREAMBLE_LEN);
        let mut collector = Collector::default();
        let count = self.decoder.decode_packet(body, &mut collector).unwrap();
        assert_eq!(count, collector.done.len());
        Packet {
            sequence: u32::from_le_bytes(preamble.try_into().unwrap()),
            messages: collector.done,
        }
    }
}

#[derive(Default)]
struct Collector {
    message: Message,
    element: Option<Fields>,
    is_entry: bool,
    done: Vec<Message>,
}

impl Visitor for Collector {
    fn begin_message(&mut self, template: &Template) {
        self.is_entry = &*template.name.local == "IncrementalEntry";
    }

    fn end_message(&mut self) {
        if self.is_entry {
            self.message.entries.push(self.message.fields.clone());
        }
        self.done.push(std::mem::take(&mut self.message));
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let Some(tag) = field.id else { return };
        let value = match value {
            Value::UInt(n) => Field::Number(n),
            Value::Decimal { mantissa, exponent } => Field::Decimal(mantissa, exponent),
            Value::Ascii(text) => Field::Text(String::from_utf8(text.to_vec()).unwrap()),
            other => panic!("the feed has no {other:?}"),
        };
        let fields = self.element.as_mut().unwrap_or(&mut self.message.fields);
        fields.0.push((tag, value));
    }

    fn begin_element(&mut self, _index: u32) {
        self.element = Some(Fields::default());
    }

    fn end_element(&mut self) {
        self.message.entries.extend(self.element.take());
    }
}

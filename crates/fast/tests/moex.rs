//! The MOEX capture: 5,020 messages of template 2521, each behind a 4-byte preamble.
#![allow(clippy::unwrap_used)]

mod common;

use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, FieldInfo, MessageBuilder, ResetPolicy,
    Template, Templates, Value, Visitor,
};

const LAYOUT: Layout = Layout { framing: Framing::None, preamble: 4 };

/// What a visitor and the peer's message factory both can say.
#[derive(Debug, PartialEq)]
enum Event {
    Template(u32, String),
    End,
    Field(u32, String, Seen),
    Sequence(String, u32),
    Element(u32),
    EndElement,
    EndSequence,
}

#[derive(Debug, PartialEq)]
enum Seen {
    UInt(u64),
    Int(i64),
    Decimal(i64, i32),
    Text(String),
}

#[derive(Default)]
struct Events(Vec<Event>);

impl Visitor for Events {
    fn begin_message(&mut self, template: &Template) {
        let id = template.id.number.unwrap();
        self.0.push(Event::Template(id, template.name.local.to_string()));
    }
    fn end_message(&mut self) {
        self.0.push(Event::End);
    }
    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        let seen = match value {
            Value::UInt(value) => Seen::UInt(value),
            Value::Int(value) => Seen::Int(value),
            Value::Decimal { mantissa, exponent } => Seen::Decimal(mantissa, exponent),
            other => Seen::Text(other.as_str().unwrap().to_owned()),
        };
        self.0.push(Event::Field(field.id.unwrap_or(0), field.name.local.to_string(), seen));
    }
    fn begin_sequence(&mut self, field: &FieldInfo, length: u32) {
        self.0.push(Event::Sequence(field.name.local.to_string(), length));
    }
    fn begin_element(&mut self, index: u32) {
        self.0.push(Event::Element(index));
    }
    fn end_element(&mut self) {
        self.0.push(Event::EndElement);
    }
    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.0.push(Event::EndSequence);
    }
}

impl fastlib::MessageFactory for Events {
    fn start_template(&mut self, id: u32, name: &str) {
        self.0.push(Event::Template(id, name.to_owned()));
    }
    fn stop_template(&mut self) {
        self.0.push(Event::End);
    }
    fn set_value(&mut self, id: u32, name: &str, value: Option<fastlib::Value>) {
        use fastlib::Value as Peer;
        let seen = match value {
            None => return,
            Some(Peer::UInt32(value)) => Seen::UInt(value.into()),
            Some(Peer::UInt64(value)) => Seen::UInt(value),
            Some(Peer::Int32(value)) => Seen::Int(value.into()),
            Some(Peer::Int64(value)) => Seen::Int(value),
            Some(Peer::Decimal(value)) => Seen::Decimal(value.mantissa, value.exponent),
            Some(Peer::ASCIIString(value) | Peer::UnicodeString(value)) => Seen::Text(value),
            Some(other) => panic!("{other:?}"),
        };
        self.0.push(Event::Field(id, name.to_owned(), seen));
    }
    fn start_sequence(&mut self, _id: u32, name: &str, length: u32) {
        self.0.push(Event::Sequence(name.to_owned(), length));
    }
    fn start_sequence_item(&mut self, index: u32) {
        self.0.push(Event::Element(index));
    }
    fn stop_sequence_item(&mut self) {
        self.0.push(Event::EndElement);
    }
    fn stop_sequence(&mut self) {
        self.0.push(Event::EndSequence);
    }
    fn start_group(&mut self, _name: &str) {}
    fn stop_group(&mut self) {}
    fn start_template_ref(&mut self, _name: &str, _dynamic: bool) {}
    fn stop_template_ref(&mut self) {}
}

fn capture() -> Option<(Vec<u8>, String, Templates)> {
    let bytes = common::data("moex/data.dat")?;
    let xml = common::text("moex/test.xml")?;
    let templates = Templates::from_xml(&xml).unwrap();
    Some((bytes, xml, templates))
}

#[test]
fn every_message_decodes_as_the_peer_decodes_it() {
    let Some((bytes, xml, templates)) = capture() else { return };
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut peer = fastlib::Decoder::new_from_xml(&xml).unwrap();
    let mut stream = MessageStream::new(&bytes, LAYOUT);
    let (mut messages, mut entries) = (0, 0);
    loop {
        let mut ours = Events::default();
        let Some(framed) = stream.next(&mut decoder, &mut ours).unwrap() else { break };
        let mut theirs = Events::default();
        peer.reset();
        peer.decode_slice(framed.bytes, &mut theirs).unwrap();
        assert_eq!(ours.0, theirs.0, "message {messages} at byte {}", framed.offset);
        messages += 1;
        entries += ours.0.iter().filter(|event| matches!(event, Event::Element(_))).count();
    }
    assert_eq!((messages, entries), (5_020, 6_737));
    assert_eq!(stream.position(), bytes.len());
}

#[test]
fn every_message_encodes_again_byte_for_byte() {
    let Some((bytes, _, templates)) = capture() else { return };
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut encoder = Encoder::new(&templates, EncoderOptions::with_reset(ResetPolicy::Message));
    let mut builder = MessageBuilder::new(&templates);
    let mut stream = MessageStream::new(&bytes, LAYOUT);
    let mut encoded = Vec::new();
    let mut messages = 0;
    while let Some(framed) = stream.next(&mut decoder, &mut builder).unwrap() {
        encoded.clear();
        encoder.encode(builder.message().unwrap(), &mut encoded).unwrap();
        assert_eq!(encoded, framed.bytes, "message {messages}");
        messages += 1;
    }
    assert_eq!(messages, 5_020);
}

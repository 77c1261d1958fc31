//! The loop and the thorough functions agree on whatever there is: real messages, every truncation
//! of them, and many corruptions.

use super::{Decoder, DecoderOptions, ResetPolicy};
use crate::json::JsonWriter;
use crate::load::Templates;
use crate::message::MessageBuilder;
use crate::stream::{Framing, Layout, MessageStream};
use crate::transfer::Processor;
use crate::{Encoder, EncoderOptions, Message, Value};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % bound
    }
}

/// Three decoders that must do the same: with the processor's instructions, without, and without
/// the loop.
struct Trio([(Decoder, JsonWriter); 3]);

impl Trio {
    fn new(templates: &Templates, options: DecoderOptions) -> Self {
        let decoder = || (Decoder::new(templates, options), JsonWriter::default());
        let mut trio = [decoder(), decoder(), decoder()];
        trio[1].0.processor = Processor::plain();
        trio[2].0.thorough = true;
        Self(trio)
    }

    /// Decodes all messages of `bytes`; whether they are all right.
    fn decode(&mut self, bytes: &[u8]) -> bool {
        let outcomes = self.0.each_mut().map(|(decoder, writer)| {
            decoder.reset();
            writer.clear();
            let outcome = decoder.decode_packet(bytes, writer);
            (outcome, writer.text().to_owned())
        });
        assert_eq!(outcomes[0], outcomes[2], "{bytes:02x?}");
        assert_eq!(outcomes[1], outcomes[2], "{bytes:02x?}");
        outcomes[0].0.is_ok()
    }
}

/// Compares whole packets, all truncations of them, and corruptions.
fn compare(templates: &Templates, packets: &[Vec<u8>]) {
    let lenient = DecoderOptions { strict: false, max_string: 16, ..DecoderOptions::default() };
    let shallow = DecoderOptions { max_depth: 1, max_elements: 3, ..DecoderOptions::default() };
    let mut random = Random(1);
    let mut failures = 0;
    for options in [DecoderOptions::default(), lenient, shallow] {
        let mut trio = Trio::new(templates, options);
        for packet in packets {
            trio.decode(packet);
            for length in 0..packet.len() {
                failures += usize::from(!trio.decode(&packet[..length]));
            }
            for _ in 0..60 {
                let mut packet = packet.clone();
                for _ in 0..=random.below(2) {
                    let at = random.below(packet.len());
                    packet[at] = match random.below(4) {
                        0 => packet[at] ^ 0x80,
                        1 => [0x00, 0x80, 0x7f, 0xff][random.below(4)],
                        2 => packet[at] ^ 1 << random.below(8),
                        _ => random.below(256) as u8,
                    };
                }
                failures += usize::from(!trio.decode(&packet));
            }
        }
    }
    assert!(failures > 10 * packets.len(), "{failures}");
}

#[test]
fn a_capture_decodes_alike() {
    let data = std::env::var("SAKER_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let (Ok(bytes), Ok(xml)) = (
        std::fs::read(format!("{data}/moex/data.dat")),
        std::fs::read_to_string(format!("{data}/moex/test.xml")),
    ) else {
        println!("skipped: no MOEX capture in {data}");
        return;
    };
    let templates = Templates::from_xml(&xml).expect("the templates load");
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut stream = MessageStream::new(&bytes, Layout { framing: Framing::None, preamble: 4 });
    let mut packets: Vec<Vec<u8>> = Vec::new();
    let mut number = 0;
    while let Some(framed) =
        stream.next(&mut decoder, &mut crate::Ignore).expect("the capture decodes")
    {
        // A few messages, alone and two together.
        if number % 100 == 0 {
            packets.push(framed.bytes.to_vec());
        } else if number % 100 == 1
            && let Some(packet) = packets.last_mut()
        {
            packet.extend_from_slice(framed.bytes);
        }
        number += 1;
    }
    compare(&templates, &packets);
}

/// Every operator on every type, optional and not, in groups and sequences, with long and short
/// presence maps.
fn all_operators() -> String {
    let mut fields = String::new();
    let mut number = 0;
    let types = [
        ("uInt32", "", "7"),
        ("int32", "", "-7"),
        ("uInt64", "", "700"),
        ("int64", "", "-700"),
        ("decimal", "", "-0.25"),
        ("string", "", "abc"),
        ("string", " charset=\"unicode\"", "abc"),
        ("byteVector", "", "00ff"),
    ];
    let mut blocks: Vec<String> = Vec::new();
    for (element, more, initial) in types {
        for operator in ["", "default", "copy", "increment", "delta", "tail", "constant"] {
            let integer = element.contains("nt");
            let text = element == "string" || element == "byteVector";
            if operator == "increment" && !integer || operator == "tail" && !text {
                continue;
            }
            for presence in ["mandatory", "optional"] {
                for value in ["", initial] {
                    let needs =
                        operator == "constant" || operator == "default" && presence == "mandatory";
                    if needs && value.is_empty() || operator.is_empty() && !value.is_empty() {
                        continue;
                    }
                    number += 1;
                    let value = match value {
                        "" => String::new(),
                        value => format!(" value=\"{value}\""),
                    };
                    let operator = match operator {
                        "" => String::new(),
                        operator => format!("<{operator}{value}/>"),
                    };
                    fields += &format!(
                        "<{element} name=\"F{number}\" presence=\"{presence}\"{more}>{operator}</{element}>"
                    );
                    if number % 9 == 0 {
                        blocks.push(std::mem::take(&mut fields));
                    }
                }
            }
        }
    }
    blocks.push(fields);
    for (exponent, mantissa) in [
        ("default value=\"0\"", "delta"),
        ("copy", "copy"),
        ("delta", "increment"),
        ("increment", "default value=\"3\""),
    ] {
        blocks.push(format!(
            "<decimal name=\"P\"><exponent><{exponent}/></exponent><mantissa><{mantissa}/></mantissa></decimal>\
             <decimal name=\"O\" presence=\"optional\"><exponent><{exponent}/></exponent><mantissa><{mantissa}/></mantissa></decimal>"
        ));
    }
    let mut templates = String::new();
    for (index, block) in blocks.iter().enumerate() {
        let id = index + 1;
        templates += &format!(
            "<template name=\"T{id}\" id=\"{id}\">{block}\
             <sequence name=\"S\">{block}<group name=\"G\" presence=\"optional\">{block}</group></sequence>\
             <sequence name=\"C\"><length name=\"N\"><copy/></length>{block}</sequence>\
             <templateRef/></template>"
        );
    }
    templates += &format!("<template name=\"Last\" id=\"100\">{}</template>", blocks.concat());
    templates +=
        "<template name=\"Leaf\" id=\"101\"><uInt32 name=\"A\"><copy/></uInt32></template>";
    format!(
        "<templates xmlns=\"http://www.fixprotocol.org/ns/fast/td/1.1\">{templates}</templates>"
    )
}

/// Fills every scope with numbers and texts that repeat now and then.
fn fill(group: &mut crate::message::GroupMut<'_>, random: &mut Random, depth: u32) {
    use crate::message::Select;
    use crate::model::{FieldType, Presence};
    use crate::plan::FieldKind;

    let fields: Vec<_> = group.as_ref().fields().cloned().collect();
    for field in fields {
        if field.presence == Presence::Optional && random.below(3) == 0 {
            continue;
        }
        let select = Select::Ordinal(field.ordinal);
        let number = match random.below(6) {
            0 => random.below(usize::MAX) as u64,
            1 => 1 << random.below(63),
            _ => random.below(3) as u64,
        };
        let text = ["abc", "abd", "a", "a text of more than sixteen letters"][random.below(4)];
        let outcome = match field.kind {
            FieldKind::Primitive(FieldType::UInt32) => group.set(select, number as u32),
            FieldKind::Primitive(FieldType::Int32) => group.set(select, number as i32),
            FieldKind::Primitive(FieldType::UInt64) => group.set(select, number),
            FieldKind::Primitive(FieldType::Int64) => group.set(select, number.cast_signed()),
            FieldKind::Primitive(FieldType::Decimal) => {
                let exponent = random.below(4) as i32 - 2;
                group.set(select, Value::Decimal { mantissa: number as i64 >> 8, exponent })
            }
            FieldKind::Primitive(_) => group.set(select, text),
            FieldKind::Group => {
                group.group(select).map(|mut inner| fill(&mut inner, random, depth))
            }
            FieldKind::Sequence => group.sequence(select).map(|mut elements| {
                for _ in 0..random.below(4) {
                    fill(&mut elements.push(), random, depth);
                }
            }),
            FieldKind::Reference => {
                let name =
                    if depth < 2 { format!("T{}", 1 + random.below(9)) } else { "Leaf".into() };
                group.reference(select, &name).map(|mut inner| fill(&mut inner, random, depth + 1))
            }
        };
        // Text that is no byte vector stays away.
        drop(outcome);
    }
}

#[test]
fn all_operators_decode_alike() {
    let templates = Templates::from_xml(&all_operators()).expect("the templates load");
    let mut random = Random(3);
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    let mut builder = MessageBuilder::new(&templates);
    let mut packets: Vec<Vec<u8>> = Vec::new();
    let mut tries = 0;
    while packets.len() < 150 && tries < 20_000 {
        tries += 1;
        encoder.reset();
        let mut packet = Vec::new();
        let count = templates.all().len();
        let name = templates.all()[random.below(count)].name.local.clone();
        let mut message = Message::new(&templates, &name).expect("the template is there");
        for _ in 0..2 {
            message.clear();
            fill(&mut message.root_mut(), &mut random, 0);
            let before = packet.len();
            if encoder.encode(&message, &mut packet).is_err() {
                break;
            }
            // What was encoded comes back.
            let mut decoder = Decoder::new(&templates, DecoderOptions::default());
            decoder.decode_packet(&packet, &mut builder).expect("it decodes");
            assert!(packet.len() > before);
        }
        if !packet.is_empty() && packet.len() < 600 {
            packets.push(packet);
        }
    }
    assert!(packets.len() >= 20, "{} of {tries}", packets.len());
    compare(&templates, &packets);
}

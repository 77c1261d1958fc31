//! FAST 1.2: type definitions, enum, set, bit group, timestamp, boolean.
#![allow(clippy::unwrap_used)]

mod common;

use common::generate::Random;
use common::{fill, hex};
use proptest::prelude::*;
use saker_fast::json::{JsonWriter, from_json, to_json};
use saker_fast::load::{LoadOptions, StaticCode, TemplateError, TemplateErrorKind};
use saker_fast::model::{Epoch, Instruction, LogicalType, TimeUnit};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, Ignore, Message, MessageBuilder,
    ResetPolicy, Templates, Value,
};

/// A definition with the types and a template `T` with identifier 1.
fn definition(types: &str, instructions: &str) -> String {
    format!(
        "<templates xmlns=\"http://www.fixprotocol.org/ns/fast/td/1.2\">{types}\
         <template name=\"T\" id=\"1\">{instructions}</template></templates>"
    )
}

fn load(types: &str, instructions: &str) -> Templates {
    Templates::from_xml(&definition(types, instructions)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(types: &str, instructions: &str) -> TemplateError {
    Templates::from_xml(&definition(types, instructions)).unwrap_err()
}

/// Checks that messages, given by their fields as JSON, are these bytes, both ways.
fn both_ways(templates: &Templates, messages: &[(&str, &str)]) {
    let mut encoder = Encoder::new(templates, EncoderOptions::default());
    let mut decoder = Decoder::new(templates, DecoderOptions::default());
    for (fields, bytes) in messages {
        let line = format!(r#"{{"template":"T","id":1,"fields":{fields}}}"#);
        let message = from_json(templates, &line).unwrap();
        let mut encoded = Vec::new();
        encoder.encode(&message, &mut encoded).unwrap();
        assert_eq!(encoded, hex(bytes), "{fields}: {encoded:02x?}");
        let mut writer = JsonWriter::default();
        assert_eq!(decoder.decode(&encoded, &mut writer), Ok(encoded.len()));
        assert_eq!(writer.text().trim_end(), line);
    }
}

fn decode_error(templates: &Templates, strict: bool, bytes: &str) -> Option<ErrorCode> {
    let options = DecoderOptions { strict, ..DecoderOptions::default() };
    let result = Decoder::new(templates, options).decode(&hex(bytes), &mut Ignore);
    result.err().map(|error| error.code)
}

const COLOURS: &str = "<element name='Red'/><element name='Green'/><element name='Blue'/>";

#[test]
fn an_enum_is_the_place_of_its_element() {
    let templates = load("", &format!("<enum name='A'>{COLOURS}</enum>"));
    both_ways(&templates, &[(r#"{"A":"Red"}"#, "c0 81 80"), (r#"{"A":"Blue"}"#, "80 82")]);
    // Page 5: where it is nullable, zero is NULL.
    let templates = load("", &format!("<enum name='A' presence='optional'>{COLOURS}</enum>"));
    both_ways(
        &templates,
        &[(r#"{"A":"Red"}"#, "c0 81 81"), ("{}", "80 80"), (r#"{"A":"Blue"}"#, "80 83")],
    );
    let templates = load("", &format!("<enum name='A'>{COLOURS}<copy value='1'/></enum>"));
    both_ways(
        &templates,
        &[(r#"{"A":"Green"}"#, "c0 81"), (r#"{"A":"Red"}"#, "a0 80"), (r#"{"A":"Red"}"#, "80")],
    );
}

#[test]
fn a_set_is_a_bit_for_each_element() {
    let templates = load("", &format!("<set name='A'>{COLOURS}<copy/></set>"));
    both_ways(
        &templates,
        &[
            (r#"{"A":["Red","Blue"]}"#, "e0 81 85"),
            (r#"{"A":["Red","Blue"]}"#, "80"),
            (r#"{"A":[]}"#, "a0 80"),
        ],
    );
    let templates = load("", &format!("<set name='A' presence='optional'>{COLOURS}</set>"));
    both_ways(
        &templates,
        &[
            ("{}", "c0 81 80"),
            (r#"{"A":[]}"#, "80 81"),
            (r#"{"A":["Red","Green","Blue"]}"#, "80 88"),
        ],
    );
    // As many elements as a word has bits.
    let elements: String = (0..64).map(|at| format!("<element name='e{at}'/>")).collect();
    let templates = load("", &format!("<set name='A' presence='optional'>{elements}</set>"));
    let mut message = Message::new(&templates, "T").unwrap();
    message.set("A", u64::MAX).unwrap();
    let mut bytes = Vec::new();
    Encoder::new(&templates, EncoderOptions::default()).encode(&message, &mut bytes).unwrap();
    let mut builder = MessageBuilder::new(&templates);
    Decoder::new(&templates, DecoderOptions::default()).decode(&bytes, &mut builder).unwrap();
    assert_eq!(builder.message().unwrap().get("A"), Some(Value::UInt(u64::MAX)));
    assert!(matches!(
        refused("", &format!("<set name='A'>{elements}<element name='more'/></set>")).kind,
        TemplateErrorKind::Limit { limit: 64, .. }
    ));
}

#[test]
fn a_boolean_is_zero_or_one_and_null_comes_first() {
    let templates = load("", "<boolean name='A'/><boolean name='B' presence='optional'/>");
    both_ways(
        &templates,
        &[
            (r#"{"A":false}"#, "c0 81 80 80"),
            (r#"{"A":true,"B":false}"#, "80 81 81"),
            (r#"{"A":true,"B":true}"#, "80 81 82"),
        ],
    );
    let templates = load("", "<boolean name='A'><default value='true'/></boolean>");
    both_ways(&templates, &[(r#"{"A":true}"#, "c0 81"), (r#"{"A":false}"#, "a0 80")]);
}

#[test]
fn a_timestamp_is_a_signed_count_of_units() {
    let templates = load(
        "<define name='Time'><timestamp unit='nanosecond'><delta/></timestamp></define>",
        "<field name='A'><type name='Time'/></field><timestamp name='B' presence='optional'/>
         <timestamp name='C' unit='second' epoch='today'/><timestamp name='D' unit='day' epoch='2000-01-01'/>",
    );
    both_ways(&templates, &[(r#"{"A":5,"C":63,"D":-1}"#, "c0 81 85 80 bf ff")]);
    both_ways(&templates, &[(r#"{"A":-1,"B":0,"C":64,"D":0}"#, "c0 81 ff 81 00 c0 80")]);
    let units: Vec<_> = templates.all()[0]
        .instructions
        .iter()
        .map(|instruction| match instruction {
            Instruction::Field(field) => field.logical.as_deref().cloned(),
            _ => None,
        })
        .collect();
    let timestamp = |unit, epoch| Some(LogicalType::Timestamp { unit, epoch });
    assert_eq!(units[0], timestamp(TimeUnit::Nanosecond, Epoch::Unix));
    assert_eq!(units[1], timestamp(TimeUnit::Millisecond, Epoch::Unix));
    assert_eq!(units[2], timestamp(TimeUnit::Second, Epoch::Today));
    assert_eq!(units[3], timestamp(TimeUnit::Day, Epoch::Other("2000-01-01".into())));
}

#[test]
fn a_bit_group_packs_its_members_from_the_left() {
    // Page 7: A of two bits, B and C of one are SAABCxxx.
    let templates = load(
        "",
        &format!(
            "<bitGroup name='G'><enum name='A'>{COLOURS}</enum><boolean name='B'/><uInt1 name='C'/></bitGroup>"
        ),
    );
    both_ways(
        &templates,
        &[
            // 10 1 0 000, 01 0 1 000
            (r#"{"G":{"A":"Blue","B":true,"C":0}}"#, "c0 81 d0"),
            (r#"{"G":{"A":"Green","B":false,"C":1}}"#, "80 a8"),
        ],
    );
    // Five, six and three bits: the second spans the bytes, two bits in the first.
    let set: String = (0..6).map(|at| format!("<element name='{at}'/>")).collect();
    let templates = load(
        "",
        &format!(
            "<bitGroup name='G'><uInt5 name='A'/><set name='B'>{set}</set><int3 name='C'/></bitGroup>"
        ),
    );
    both_ways(
        &templates,
        &[
            // 10001 11|1010 101
            (r#"{"G":{"A":17,"B":["1","3","4","5"],"C":-3}}"#, "c0 81 47 d5"),
            // All zero is two bytes all the same.
            (r#"{"G":{"A":0,"B":[],"C":0}}"#, "80 00 80"),
        ],
    );
}

#[test]
fn nullable_members_have_a_value_more() {
    let templates = load(
        "",
        "<bitGroup name='G'><boolean name='A' presence='optional'/><uInt2 name='B' presence='optional'/>
         <int2 name='C' presence='optional'/></bitGroup>",
    );
    // Two, three and three bits.
    both_ways(
        &templates,
        &[
            ("{\"G\":{}}", "c0 81 00 80"),
            // 10 100 01|0
            (r#"{"G":{"A":true,"B":3,"C":1}}"#, "80 51 80"),
            // 01 001 11|0: -2 in three bits is 110
            (r#"{"G":{"A":false,"B":0,"C":-2}}"#, "80 27 80"),
        ],
    );
    // 111 stands for -1; 011 is beyond the range.
    assert_eq!(decode_error(&templates, true, "c0 81 03 c0"), None);
    assert_eq!(decode_error(&templates, true, "c0 81 01 c0"), Some(ErrorCode::D2));
}

#[test]
fn bit_groups_have_operators() {
    let group = |operator: &str| {
        load(
            "",
            &format!("<bitGroup name='G'><uInt3 name='A'/><uInt2 name='B'/>{operator}</bitGroup>"),
        )
    };
    let message = r#"{"G":{"A":5,"B":2}}"#;
    let other = r#"{"G":{"A":1,"B":0}}"#;
    // 101 10 00; as a number 10110 is 22.
    both_ways(&group(""), &[(message, "c0 81 d8"), (message, "80 d8")]);
    both_ways(&group("<copy/>"), &[(message, "e0 81 d8"), (message, "80"), (other, "a0 90")]);
    both_ways(&group("<copy value='22'/>"), &[(message, "c0 81")]);
    both_ways(
        &group("<default value='22'/>"),
        &[(message, "c0 81"), (other, "a0 90"), (message, "80")],
    );
    both_ways(&group("<constant value='22'/>"), &[(message, "c0 81")]);
    assert_eq!(decode_error(&group("<copy/>"), true, "c0 81"), Some(ErrorCode::D5));
    for operator in ["<delta/>", "<increment/>", "<tail/>"] {
        let xml = format!("<bitGroup name='G'><uInt3 name='A'/>{operator}</bitGroup>");
        assert_eq!(refused("", &xml).code, Some(StaticCode::S2), "{operator}");
    }
    // Another constant cannot be encoded.
    let templates = group("<constant value='22'/>");
    let message =
        from_json(&templates, &format!(r#"{{"template":"T","fields":{other}}}"#)).unwrap();
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    assert_eq!(encoder.encode(&message, &mut Vec::new()).unwrap_err().code, ErrorCode::D3);
}

#[test]
fn bit_groups_of_another_size_are_refused() {
    let templates = load(
        "",
        "<bitGroup name='G'><uInt5 name='A'/><uInt6 name='B'/><uInt3 name='C'/></bitGroup>",
    );
    assert_eq!(decode_error(&templates, true, "c0 81 47 d5"), None);
    assert_eq!(decode_error(&templates, true, "c0 81 c7"), Some(ErrorCode::D2));
    assert_eq!(decode_error(&templates, false, "c0 81 c7"), None);
    assert_eq!(decode_error(&templates, true, "c0 81 47 55 80"), Some(ErrorCode::R6));
    assert_eq!(decode_error(&templates, false, "c0 81 47 55 80"), None);
    assert_eq!(decode_error(&templates, false, "c0 81 47 55 81"), Some(ErrorCode::D2));
    let long = format!("c0 81 {} 80", "7f ".repeat(20));
    assert_eq!(decode_error(&templates, true, &long), Some(ErrorCode::D2));
    // Unassigned bits are zero.
    let templates = load("", "<bitGroup name='G'><uInt5 name='A'/></bitGroup>");
    assert_eq!(decode_error(&templates, true, "c0 81 84"), None);
    assert_eq!(decode_error(&templates, true, "c0 81 85"), Some(ErrorCode::D2));
}

#[test]
fn integers_that_stand_for_nothing_are_out_of_bounds() {
    let one = |field: &str, bytes: &str| decode_error(&load("", field), true, bytes);
    let field = |operator: &str| format!("<enum name='A'>{COLOURS}{operator}</enum>");
    assert_eq!(one(&field(""), "c0 81 82"), None);
    assert_eq!(one(&field(""), "c0 81 83"), Some(ErrorCode::D2));
    assert_eq!(one(&field("<copy/>"), "e0 81 83"), Some(ErrorCode::D2));
    // What an operator makes does not fit: 2 + 1.
    assert_eq!(one(&field("<delta value='2'/>"), "c0 81 81"), Some(ErrorCode::R4));
    assert_eq!(one("<boolean name='A'/>", "c0 81 82"), Some(ErrorCode::D2));
    assert_eq!(one("<set name='A'><element name='a'/></set>", "c0 81 82"), Some(ErrorCode::D2));
    let group = format!("<bitGroup name='G'><enum name='A'>{COLOURS}</enum></bitGroup>");
    assert_eq!(one(&group, "c0 81 e0"), Some(ErrorCode::D2));
    // A longer enum left a value that the shorter one does not have.
    let shared = "<enum name='A'><element name='a'/><element name='b'/><copy key='k'/></enum>
                  <enum name='B'><element name='a'/><copy key='k'/></enum>";
    assert_eq!(one(shared, "e0 81 81"), Some(ErrorCode::R4));
    // The application's values are checked when they are set, by name or number.
    let templates = load("", &field(""));
    let mut message = Message::new(&templates, "T").unwrap();
    assert!(message.set("A", 3u32).is_err());
    assert!(message.set("A", "Yellow").is_err());
    message.set("A", "Green").unwrap();
    assert_eq!(message.get("A"), Some(Value::UInt(1)));
}

#[test]
fn a_source_may_give_names() {
    #[derive(Clone, Copy)]
    struct Names;
    impl saker_fast::Source for Names {
        fn value(&self, field: &saker_fast::FieldInfo) -> Option<Value<'_>> {
            Some(if &*field.key == "A" { Value::Unicode("Blue") } else { Value::UInt(9) })
        }
        fn group(&self, _field: &saker_fast::FieldInfo) -> Option<Self> {
            Some(*self)
        }
    }
    let templates = load("", &format!("<enum name='A'>{COLOURS}</enum>"));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    encoder.encode_from("T", Names, &mut bytes).unwrap();
    assert_eq!(bytes, hex("c0 81 82"));
}

#[test]
fn definitions_are_used_by_name() {
    let types = "<define name='Text'><string><copy/></string></define>
        <define name='Alias'><type name='Text'/></define>
        <define name='Wide'><string charset='unicode' presence='optional'><delta/></string></define>
        <define name='Price'><decimal><exponent><constant value='-2'/></exponent><mantissa><delta/></mantissa></decimal></define>
        <define name='Party'><group><field name='Id'><type name='Alias'/></field></group></define>
        <define name='Rows'><sequence><length name='NoRows' id='7'/><field name='P'><type name='Price'/></field></sequence></define>";
    let new = load(
        types,
        "<field name='A'><type name='Text'/></field>
         <field name='B' id='9'><type name='Alias'><default value='x'/></type></field>
         <field name='C'><type name='Wide'/></field>
         <field name='D'><type name='Price'/></field>
         <field name='E' presence='optional'><type name='Party'/></field>
         <field name='F'><type name='Rows'/></field>
         <field name='G'><uInt32/></field>
         <field name='H'><byteVector><length name='L'/><copy/></byteVector></field>",
    );
    // The same in FAST 1.1.
    let old = Templates::from_xml(&definition(
        "",
        "<string name='A'><copy/></string>
         <string name='B' id='9'><default value='x'/></string>
         <string name='C' charset='unicode' presence='optional'><delta/></string>
         <decimal name='D'><exponent><constant value='-2'/></exponent><mantissa><delta/></mantissa></decimal>
         <group name='E' presence='optional'><string name='Id'><copy/></string></group>
         <sequence name='F'><length name='NoRows' id='7'/>
           <decimal name='P'><exponent><constant value='-2'/></exponent><mantissa><delta/></mantissa></decimal></sequence>
         <uInt32 name='G'/>
         <byteVector name='H'><length name='L'/><copy/></byteVector>",
    ).replace("td/1.2", "td/1.1"))
    .unwrap();
    same_wire(&new, &old, 40);
}

/// Random messages of `new` are the same bytes by `old`.
fn same_wire(new: &Templates, old: &Templates, count: u32) {
    let mut random = Random(5);
    let mut encoder = Encoder::new(new, EncoderOptions::default());
    let mut old_encoder = Encoder::new(old, EncoderOptions::default());
    let mut decoder = Decoder::new(old, DecoderOptions::default());
    let mut builder = MessageBuilder::new(old);
    for _ in 0..count {
        let message = fill::message(&mut random, new);
        let mut bytes = Vec::new();
        encoder.encode(&message, &mut bytes).unwrap();
        decoder.decode(&bytes, &mut builder).unwrap();
        let mut plain = Plain::default();
        message.visit(&mut plain);
        let mut old_plain = Plain::default();
        builder.message().unwrap().visit(&mut old_plain);
        assert_eq!(plain.0, old_plain.0);
        let mut old_bytes = Vec::new();
        old_encoder.encode(builder.message().unwrap(), &mut old_bytes).unwrap();
        assert_eq!(old_bytes, bytes);
    }
}

/// Writes down the fields without their meaning.
#[derive(Default)]
struct Plain(Vec<String>);

impl saker_fast::Visitor for Plain {
    fn begin_message(&mut self, template: &saker_fast::Template) {
        self.0.push(template.name.to_string());
    }
    fn field(&mut self, field: &saker_fast::FieldInfo, value: Value<'_>) {
        self.0.push(format!("{} {:?} {value:?}", field.key, field.id));
    }
    fn begin_sequence(&mut self, field: &saker_fast::FieldInfo, length: u32) {
        self.0.push(format!("{} {length}", field.key));
    }
    fn begin_group(&mut self, field: &saker_fast::FieldInfo) {
        self.0.push(format!("{} {{", field.key));
    }
    fn end_group(&mut self, _field: &saker_fast::FieldInfo) {
        self.0.push("}".to_owned());
    }
}

#[test]
fn static_errors_of_definitions() {
    let kind = |types: &str, instructions: &str| {
        let error = refused(types, instructions);
        assert_eq!(error.code, Some(StaticCode::S1), "{error}");
        format!("{:?}", error.kind)
    };
    let uses = |name: &str| format!("<field name='A'><type name='{name}'/></field>");
    let starts = |kind: String, expected: &str| assert!(kind.starts_with(expected), "{kind}");
    starts(kind("", &uses("None")), "UnknownType");
    starts(
        kind("<define name='A'><boolean/></define><define name='A'><boolean/></define>", ""),
        "DuplicateType",
    );
    starts(kind("<define name='A'><type name='A'/></define>", ""), "TypeCycle");
    starts(
        kind(
            "<define name='A'><type name='B'/></define><define name='B'><type name='A'/></define>",
            "",
        ),
        "TypeCycle",
    );
    let within =
        "<define name='A'><group><field name='x'><type name='A'/></field></group></define>";
    starts(kind(within, &uses("A")), "TypeCycle");
    starts(kind("<define name='A'/>", ""), "MissingType");
    starts(kind("<define name='A'><copy/></define>", ""), "Element");
    starts(kind("<define><boolean/></define>", ""), "MissingAttribute");
    starts(kind("<define name='A'><boolean/><boolean/></define>", ""), "Element");
    starts(kind("<define name='A' id='1'><boolean/></define>", ""), "Attribute");
    starts(kind("<define name='A'><boolean name='x'/></define>", &uses("A")), "Attribute");
    starts(kind("", "<field name='A'/>"), "MissingType");
    starts(kind("", "<enum name='A'/>"), "MissingType");
    starts(kind("", "<enum name='A'><element/></enum>"), "MissingAttribute");
    starts(
        kind("", "<enum name='A'><element name='x'/><element name='x'/></enum>"),
        "AttributeValue",
    );
    starts(kind("", "<enum name='A'><element name='x' value='3'/></enum>"), "Attribute");
    starts(kind("", "<boolean name='A'><element name='x'/></boolean>"), "Element");
    starts(kind("", "<timestamp name='A' unit='hour'/>"), "AttributeValue");
    starts(kind("", "<boolean name='A' unit='day'/>"), "Attribute");
    starts(kind("", "<bitGroup name='A'/>"), "MissingType");
    starts(
        kind("", "<bitGroup name='A' presence='optional'><uInt3 name='B'/></bitGroup>"),
        "AttributeValue",
    );
    starts(kind("", "<bitGroup name='A'><uInt32 name='B'/></bitGroup>"), "Element");
    starts(kind("", "<bitGroup name='A'><timestamp name='B'/></bitGroup>"), "Element");
    starts(kind("", "<bitGroup name='A'><uInt8 name='B'/></bitGroup>"), "Element");
    starts(kind("", "<bitGroup name='A'><int1 name='B'/></bitGroup>"), "Element");
    starts(
        kind("", "<bitGroup name='A'><uInt7 name='B' presence='optional'/></bitGroup>"),
        "Limit",
    );
    let ten: String = (0..10).map(|at| format!("<uInt7 name='m{at}'/>")).collect();
    starts(kind("", &format!("<bitGroup name='A'>{ten}</bitGroup>")), "Limit");
    // The short integers are for bit groups.
    starts(kind("", "<uInt3 name='A'/>"), "Element");
}

#[test]
fn static_errors_of_operators() {
    let code = |field: &str| refused("", field).code;
    let colours = |operator: &str| format!("<enum name='A'>{COLOURS}{operator}</enum>");
    assert_eq!(code(&colours("<tail/>")), Some(StaticCode::S2));
    assert_eq!(code("<boolean name='A'><tail/></boolean>"), Some(StaticCode::S2));
    let member = "<bitGroup name='G'><boolean name='A'><copy/></boolean></bitGroup>";
    assert_eq!(code(member), Some(StaticCode::S2));
    assert_eq!(code(&colours("<copy value='3'/>")), Some(StaticCode::S3));
    assert_eq!(code(&colours("<copy value='Yellow'/>")), Some(StaticCode::S3));
    assert_eq!(code("<boolean name='A'><copy value='2'/></boolean>"), Some(StaticCode::S3));
    assert_eq!(code("<timestamp name='A'><copy value='now'/></timestamp>"), Some(StaticCode::S3));
    let group = "<bitGroup name='G'><uInt3 name='A'/><copy value='8'/></bitGroup>";
    assert_eq!(code(group), Some(StaticCode::S3));
    assert_eq!(code(&colours("<constant/>")), Some(StaticCode::S4));
    assert_eq!(code(&colours("<default/>")), Some(StaticCode::S5));
}

#[test]
fn definitions_that_grow_meet_a_limit() {
    // Each type has the one before twice.
    let mut types = "<define name='t0'><boolean/></define>".to_owned();
    for level in 1..30 {
        let inner = format!("<type name='t{}'/>", level - 1);
        types += &format!(
            "<define name='t{level}'><group><field name='a'>{inner}</field><field name='b'>{inner}</field></group></define>"
        );
    }
    let error = refused(&types, "<field name='A'><type name='t29'/></field>");
    assert!(matches!(error.kind, TemplateErrorKind::Limit { what: "instructions", .. }), "{error}");
}

#[test]
fn short_integers_outside_of_bit_groups_are_a_leniency() {
    let xml = definition(
        "",
        "<uInt8 name='A'><copy/></uInt8><int16 name='B'/><uInt16 name='C' presence='optional'/>",
    );
    let options = LoadOptions { small_integers: true, ..LoadOptions::strict() };
    let templates = Templates::from_xml_with(&xml, &options).unwrap();
    both_ways(
        &templates,
        &[
            (r#"{"A":255,"B":-32768,"C":65535}"#, "e0 81 01 ff 7e 00 80 04 00 80"),
            (r#"{"A":255,"B":0}"#, "80 80 80"),
        ],
    );
    assert_eq!(decode_error(&templates, true, "e0 81 02 80 80 80"), Some(ErrorCode::D2));
}

#[test]
fn the_eurex_files_of_both_versions_are_one_wire_format() {
    let (Some(new), Some(old)) =
        (common::text("templates/eurex-rdd-1.2.xml"), common::text("templates/eurex-rdd-1.1.xml"))
    else {
        return;
    };
    let new = Templates::from_xml(&new).unwrap();
    let old = Templates::from_xml(&old).unwrap();
    for template in new.all() {
        let other = old.by_id(template.id.number.unwrap()).unwrap();
        assert_eq!(other.name, template.name);
    }
    same_wire(&new, &old, 400);
    // The newer file has no reset message; the option adds it.
    let xml = common::text("templates/eurex-rdd-1.2.xml").unwrap();
    let options = LoadOptions { implicit_reset: Some(120), ..LoadOptions::strict() };
    let with_reset = Templates::from_xml_with(&xml, &options).unwrap();
    assert!(with_reset.by_id(120).unwrap().reset);
}

/// A definition with random types, some of them defined apart.
fn random_definition(random: &mut Random) -> String {
    let mut types = String::new();
    let mut fields = String::new();
    for at in 0..1 + random.below(8) {
        let presence = if random.below(2) == 0 { " presence='optional'" } else { "" };
        let elements = |random: &mut Random, most: u64| -> String {
            (0..1 + random.below(most)).map(|e| format!("<element name='e{e}'/>")).collect()
        };
        let operator = *random_pick(
            random,
            &[
                "",
                "",
                "<copy/>",
                "<copy value='0'/>",
                "<delta/>",
                "<constant value='0'/>",
                "<default value='0'/>",
            ],
        );
        let (tag, content, attributes) = match random.below(5) {
            0 => ("enum", elements(random, 200) + operator, ""),
            1 => ("set", elements(random, 64) + operator, ""),
            2 => ("boolean", operator.to_owned(), ""),
            3 => ("timestamp", operator.to_owned(), " unit='microsecond'"),
            _ => {
                let mut members = String::new();
                for member in 0..1 + random.below(7) {
                    let presence = if random.below(3) == 0 { " presence='optional'" } else { "" };
                    members += &match random.below(4) {
                        0 => format!(
                            "<enum name='m{member}'{presence}>{}</enum>",
                            elements(random, 100)
                        ),
                        1 => {
                            format!("<set name='m{member}'{presence}>{}</set>", elements(random, 6))
                        }
                        2 => format!("<uInt{0} name='m{member}'{presence}/>", 1 + random.below(6)),
                        _ => format!("<int{0} name='m{member}'{presence}/>", 2 + random.below(5)),
                    };
                }
                // A constant or default would need bits that are values of all members.
                let operator = if operator == "<copy/>" { operator } else { "" };
                ("bitGroup", members + operator, "")
            }
        };
        let presence = if tag == "bitGroup" { "" } else { presence };
        if random.below(2) == 0 {
            types += &format!("<define name='t{at}'><{tag}{attributes}>{content}</{tag}></define>");
            fields += &format!("<field name='f{at}'{presence}><type name='t{at}'/></field>");
        } else {
            fields += &format!("<{tag} name='f{at}'{presence}{attributes}>{content}</{tag}>");
        }
    }
    definition(&types, &fields)
}

fn random_pick<'t, T>(random: &mut Random, of: &'t [T]) -> &'t T {
    &of[random.below(of.len() as u64) as usize]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// Messages of random definitions survive the wire and JSON.
    #[test]
    fn decoding_inverts_encoding(seed: u64) {
        let mut random = Random(seed);
        let xml = random_definition(&mut random);
        let templates = Templates::from_xml(&xml)
            .map_err(|error| TestCaseError::fail(format!("{error}\n{xml}")))?;
        let policy = [ResetPolicy::Never, ResetPolicy::Packet][(seed % 2) as usize];
        let refused = fill::round_trip(&templates, seed, 10, policy);
        prop_assert_eq!(refused, 0, "{}", xml);
    }

    /// Any bytes are a message or a coded error, and what is a message encodes.
    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60), seed: u64) {
        let templates = Templates::from_xml(&random_definition(&mut Random(seed))).unwrap();
        let mut message = vec![0xff, 0x81];
        message.extend(bytes);
        for strict in [true, false] {
            let options = DecoderOptions { strict, ..DecoderOptions::default() };
            let mut builder = MessageBuilder::new(&templates);
            if Decoder::new(&templates, options).decode(&message, &mut builder).is_ok() {
                let decoded = builder.take().unwrap();
                let mut encoded = Vec::new();
                Encoder::new(&templates, EncoderOptions::default())
                    .encode(&decoded, &mut encoded)
                    .unwrap();
                Decoder::new(&templates, DecoderOptions::default())
                    .decode(&encoded, &mut builder)
                    .unwrap();
                prop_assert_eq!(to_json(builder.message().unwrap()), to_json(&decoded));
            }
        }
    }
}

//! Constructs of venues' template files, in definitions of our own: what the specification
//! allows loads strictly, and everything else needs the one leniency that is named for it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{definition, hex};
use saker_fast::json::JsonWriter;
use saker_fast::load::{LoadOptions, TemplateErrorKind, TemplateReset, Templates};
use saker_fast::{Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, Ignore, Message};

const TD: &str = "http://www.fixprotocol.org/ns/fast/td/1.1";

fn with(allow: fn(&mut LoadOptions)) -> LoadOptions {
    let mut options = LoadOptions::strict();
    allow(&mut options);
    options
}

/// The fields of the one message that the bytes are.
fn decode(templates: &Templates, bytes: &str) -> String {
    let bytes = hex(bytes);
    let mut writer = JsonWriter::default();
    let mut decoder = Decoder::new(templates, DecoderOptions::default());
    assert_eq!(decoder.decode(&bytes, &mut writer), Ok(bytes.len()));
    let json: serde_json::Value = serde_json::from_str(writer.text()).unwrap();
    json["fields"].to_string()
}

/// Loads strictly; the bytes are a message of template 1 with these fields.
fn strict(xml: &str, bytes: &str, fields: &str) {
    let templates = Templates::from_xml(xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    assert_eq!(decode(&templates, bytes), fields, "{xml}");
}

/// Does not load strictly, nor with all leniencies but one, and does with that one alone.
fn needs(
    allow: fn(&mut LoadOptions),
    deny: fn(&mut LoadOptions),
    xml: &str,
    bytes: &str,
    fields: &str,
) {
    let error = Templates::from_xml(xml).expect_err(xml);
    assert!(error.position.line > 0, "{error}");
    let mut others = LoadOptions::lenient();
    deny(&mut others);
    assert!(Templates::from_xml_with(xml, &others).is_err(), "{xml}");
    for options in [with(allow), LoadOptions::lenient()] {
        let templates = Templates::from_xml_with(xml, &options)
            .unwrap_or_else(|error| panic!("{error}\n{xml}"));
        assert_eq!(decode(&templates, bytes), fields, "{xml}");
    }
}

macro_rules! needs {
    ($option:ident, $xml:expr, $bytes:expr, $fields:expr) => {
        needs(
            |options| options.$option = true,
            |options| options.$option = false,
            $xml,
            $bytes,
            $fields,
        )
    };
}

#[test]
fn what_peers_refuse_and_the_specification_allows() {
    // A root element `template`.
    strict(&definition("<uInt32 name='A'/>"), "c0 81 85", r#"{"A":5}"#);
    // An optional default without value: absent.
    strict(&definition("<int32 name='A' presence='optional'><default/></int32>"), "c0 81", "{}");
    strict(&definition("<string name='A' presence='optional'><default/></string>"), "c0 81", "{}");
    // An optional copy before there is a value: absent.
    for element in ["int32", "uInt64", "decimal", "string", "byteVector"] {
        let field = format!("<{element} name='A' presence='optional'><copy/></{element}>");
        strict(&definition(&field), "c0 81", "{}");
    }
    // A constant length.
    let rows = "<sequence name='S'><length name='N' id='7'><constant value='2'/></length><uInt32 name='A'/></sequence>";
    strict(&definition(rows), "c0 81 81 82", r#"{"S":[{"A":1},{"A":2}]}"#);
    // A length without name, one with an operator, and none.
    let rows = "<sequence name='S'><length/><uInt32 name='A'/></sequence>
        <sequence name='T'><length><copy/></length><uInt32 name='A'/></sequence>
        <sequence name='U'><uInt32 name='A'/></sequence>";
    strict(
        &definition(rows),
        "e0 81 81 81 81 82 81 83",
        r#"{"S":[{"A":1}],"T":[{"A":2}],"U":[{"A":3}]}"#,
    );
    // A group without presence map, in one with.
    let groups = "<group name='G'><group name='H'><uInt32 name='A'/></group><uInt32 name='B'><copy/></uInt32></group>";
    strict(&definition(groups), "c0 81 c0 81 82", r#"{"G":{"H":{"A":1},"B":2}}"#);
    // A decimal that is divided in two, optional.
    let decimal = "<decimal name='A' presence='optional'><exponent><default value='-2'/></exponent><mantissa><delta/></mantissa></decimal>";
    strict(&definition(decimal), "c0 81 85", r#"{"A":0.05}"#);
    // The identifier zero, identifiers of any text, whitespace around values.
    let xml = format!(
        "<templates xmlns='{TD}'><template name=' T ' id='0'>
         <decimal name='A' id='x-y'><copy value=' 0.50 '/></decimal>
         <byteVector name='B'><copy value='0A 0b'/></byteVector>
         <uInt32 name='C' id=' 7 '><copy value=' 12 '/></uInt32></template></templates>"
    );
    strict(&xml, "c0 80", r#"{"A":0.5,"B":"0a0b","C":12}"#);
    // The message of template 1 before one whose identifier is left out.
    let templates = Templates::from_xml(&definition("<uInt32 name='A'/>")).unwrap();
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    assert_eq!(decoder.decode_packet(&hex("c0 81 85 80 86"), &mut Ignore), Ok(2));
}

#[test]
fn namespaces_and_prefixes_as_xml_has_them() {
    let prefixed = format!(
        "<f:templates xmlns:f='{TD}'><f:template name='T' id='1'><f:uInt32 name='A'><f:copy value='3'/></f:uInt32></f:template></f:templates>"
    );
    strict(&prefixed, "c0 81", r#"{"A":3}"#);
    // The declaration again at every template, and comments, instructions, a byte order mark.
    let again = format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- a --><?b c?><templates xmlns='{TD}'>
         <!-- d --><template xmlns='{TD}' name='T' id='1'><?e f?><uInt32 name='A'/></template></templates>"
    );
    strict(&again, "c0 81 81", r#"{"A":1}"#);
    // No namespace, another one, and one that only the templates have.
    let bare = "<templates><template name='T' id='1'><uInt32 name='A'/></template></templates>";
    needs!(any_namespace, bare, "c0 81 81", r#"{"A":1}"#);
    needs!(
        any_namespace,
        &definition("<uInt32 name='A'/>").replace("1.1", "1.0"),
        "c0 81 81",
        r#"{"A":1}"#
    );
    let inner = format!(
        "<templates><template xmlns='{TD}' name='T' id='1'><uInt32 name='A'/></template></templates>"
    );
    needs!(any_namespace, &inner, "c0 81 81", r#"{"A":1}"#);
    // Elements of FAST 1.2 in a definition of FAST 1.1.
    needs!(any_namespace, &definition("<boolean name='A'/>"), "c0 81 81", r#"{"A":true}"#);
    // Prefixes without declaration, on attributes and foreign elements.
    let undeclared = definition("<uInt32 name='A'/>").replace("id=", "scp:reset='no' x:y='z' id=");
    needs!(undeclared_prefixes, &undeclared, "c0 81 81", r#"{"A":1}"#);
    // A root element around the definition.
    let wrapped = format!("<venue><files>{}</files></venue>", definition("<uInt32 name='A'/>"));
    needs!(any_root, &wrapped, "c0 81 81", r#"{"A":1}"#);
    needs!(stray_text, &definition("; <uInt32 name='A'/> ,"), "c0 81 81", r#"{"A":1}"#);
}

#[test]
fn attributes_in_odd_places() {
    for content in [
        // Identifiers of operators, parts, lengths and references.
        "<uInt32 name='A'><copy id='35' value='1'/></uInt32>",
        "<uInt32 name='A' decimalPlaces='3'><copy value='1'/></uInt32>",
        "<uInt32 name='A' style='x' sub_type='y' charset='z'><copy value='1'/></uInt32>",
        "<uInt32 name='A' value='9'><copy value='1'/></uInt32>",
    ] {
        needs!(unknown_attributes, &definition(content), "c0 81", r#"{"A":1}"#);
    }
    let decimal = "<decimal name='A'><exponent id='1'><default value='0'/></exponent><mantissa name='m'><delta/></mantissa></decimal>";
    needs!(unknown_attributes, &definition(decimal), "c0 81 81", r#"{"A":1}"#);
    let rows = "<sequence name='S'><length name='N' id='7' presence='optional'/><uInt32 name='A'/></sequence>";
    needs!(unknown_attributes, &definition(rows), "c0 81 81 81", r#"{"S":[{"A":1}]}"#);
    let typed = "<typeRef name='X' id='4'/><uInt32 name='A'/>";
    needs!(unknown_attributes, &definition(typed), "c0 81 81", r#"{"A":1}"#);
    let reference = format!(
        "<templates xmlns='{TD}' version='2.26' updated='20260101'><template name='P'><uInt32 name='A'/></template>
         <template name='T' id='1' msgType='X'><templateRef name='P' id='9'/></template></templates>"
    );
    needs!(unknown_attributes, &reference, "c0 81 81", r#"{"A":1}"#);
    // The dictionary of a field, which then counts: A and B are apart.
    let fields = "<uInt32 name='A' dictionary='x'><copy key='k' value='1'/></uInt32>
                  <uInt32 name='B'><copy key='k' value='2'/></uInt32>";
    needs!(unknown_attributes, &definition(fields), "e0 81 85", r#"{"A":5,"B":2}"#);
    // The attribute `reset` without a namespace, and other words for yes.
    for reset in [
        "reset='T'",
        "reset='yes'",
        "xmlns:scp='http://www.fixprotocol.org/ns/fast/scp/1.1' scp:reset='Y'",
    ] {
        let xml = definition("<uInt32 name='A'/>").replace("id=", &format!("{reset} id="));
        let options = with(|options| options.loose_reset = true);
        assert!(Templates::from_xml(&xml).is_err(), "{reset}");
        assert!(Templates::from_xml_with(&xml, &options).unwrap().all()[0].reset, "{reset}");
    }
}

#[test]
fn values_in_other_spellings() {
    let field = |element: &str, value: &str| {
        definition(&format!("<{element} name='A'><copy value='{value}'/></{element}>"))
    };
    needs!(loose_values, &field("uInt32", "0x1F"), "c0 81", r#"{"A":31}"#);
    needs!(loose_values, &field("int64", "+5"), "c0 81", r#"{"A":5}"#);
    needs!(loose_values, &field("decimal", "+1.25"), "c0 81", r#"{"A":1.25}"#);
    needs!(loose_values, &field("decimal", "125E-2"), "c0 81", r#"{"A":1.25}"#);
    for (element, value) in [
        ("uInt32", "0xg"),
        ("uInt32", "-0x1"),
        ("decimal", "1e"),
        ("int32", "+-1"),
        ("int32", "++1"),
    ] {
        let xml = field(element, value);
        assert!(Templates::from_xml_with(&xml, &LoadOptions::lenient()).is_err(), "{value}");
    }
    let empty = "<uInt32 name='A' presence='optional'><default value=''/></uInt32>";
    needs!(loose_values, &definition(empty), "c0 81", "{}");
    // The empty string is a value.
    strict(&definition("<string name='A'><copy value=''/></string>"), "c0 81", r#"{"A":""}"#);
    let presence = "<uInt32 name='A' presence='Optional'/>";
    needs!(loose_values, &definition(presence), "c0 81 80", "{}");
    for (charset, bytes) in
        [("UTF-8", "81 41"), ("Unicode", "81 41"), ("US-ASCII", "c1"), ("ASCII", "c1")]
    {
        let xml = definition(&format!("<string name='A' charset='{charset}'/>"));
        needs!(loose_values, &xml, &format!("c0 81 {bytes}"), r#"{"A":"A"}"#);
    }
    let unknown = definition("<string name='A' charset='windows-1251'/>");
    assert!(Templates::from_xml_with(&unknown, &LoadOptions::lenient()).is_err());
}

#[test]
fn elements_in_other_orders_and_without_names() {
    let late = "<sequence name='S'><uInt32 name='A'/><length name='N'/></sequence>";
    needs!(any_order, &definition(late), "c0 81 81 85", r#"{"S":[{"A":5}]}"#);
    let late = "<uInt32 name='A'/><typeRef name='X'/>";
    needs!(any_order, &definition(late), "c0 81 81", r#"{"A":1}"#);
    let decimal = "<decimal name='A'><mantissa><delta/></mantissa><exponent><default value='-1'/></exponent></decimal>";
    // The stream has the exponent first whatever the definition's order.
    needs!(any_order, &definition(decimal), "e0 81 fe 85", r#"{"A":0.05}"#);
    let parts = "<decimal name='A'><exponent/><mantissa><delta/></mantissa></decimal>";
    needs!(empty_parts, &definition(parts), "c0 81 fe 85", r#"{"A":0.05}"#);
    needs!(
        missing_names,
        &definition("<uInt32 id='48'/><uInt32/><group><int32 name='B'/></group>"),
        "c0 81 81 82 83",
        r#"{"48":1,"uInt32":2,"group":{"B":3}}"#
    );
    let xml = format!(
        "<templates xmlns='{TD}'><template name='T' id='1'><uInt32 name='A'/></template>
         <template name='T' id='2'><int32 name='B'/></template></templates>"
    );
    needs!(duplicate_names, &xml, "c0 81 81", r#"{"A":1}"#);
    let options = with(|options| options.duplicate_names = true);
    let templates = Templates::from_xml_with(&xml, &options).unwrap();
    assert_eq!(decode(&templates, "c0 82 81"), r#"{"B":1}"#);
    assert_eq!(&*templates.by_id(2).unwrap().name.local, "T#2");
    needs!(
        small_integers,
        &definition("<uInt8 name='A'><copy value='7'/></uInt8>"),
        "c0 81",
        r#"{"A":7}"#
    );
}

#[test]
fn dialects_that_are_not_fast_are_refused_by_name() {
    for (content, element) in [
        ("<filler name='F'/>", "filler"),
        ("<uInt32 name='A'><nop/></uInt32>", "nop"),
        ("<vector name='V'/>", "vector"),
    ] {
        let error =
            Templates::from_xml_with(&definition(content), &LoadOptions::lenient()).unwrap_err();
        assert!(
            matches!(&error.kind, TemplateErrorKind::Element { element: found, .. } if found == element),
            "{error}"
        );
    }
}

#[test]
fn mandatory_fields_may_start_from_the_base_value() {
    let fields = "<uInt32 name='A'><copy/></uInt32><string name='B'><copy/></string>
        <int32 name='C'><increment/></int32><decimal name='D'><copy/></decimal>";
    let xml = definition(fields);
    let strict = Templates::from_xml(&xml).unwrap();
    let mut decoder = Decoder::new(&strict, DecoderOptions::default());
    assert_eq!(decoder.decode(&hex("c0 81"), &mut Ignore).unwrap_err().code, ErrorCode::D5);
    let options = with(|options| options.implied_initial_values = true);
    let implied = Templates::from_xml_with(&xml, &options).unwrap();
    assert_eq!(decode(&implied, "c0 81"), r#"{"A":0,"B":"","C":0,"D":0}"#);
    let xml = definition("<uInt32 name='A'><default/></uInt32>");
    assert_eq!(decode(&Templates::from_xml_with(&xml, &options).unwrap(), "c0 81"), r#"{"A":0}"#);
    // Optional fields stay absent.
    let xml = definition("<uInt32 name='A' presence='optional'><copy/></uInt32>");
    assert_eq!(decode(&Templates::from_xml_with(&xml, &options).unwrap(), "c0 81"), "{}");
}

#[test]
fn options_say_which_templates_reset() {
    let xml = format!(
        "<templates xmlns='{TD}' xmlns:scp='http://www.fixprotocol.org/ns/fast/scp/1.1'>
         <template name='A' id='1'><uInt32 name='V'><copy value='1'/></uInt32></template>
         <template name='R' id='2' scp:reset='yes'/><template name='S' id='3'/></templates>"
    );
    let value_after = |template_reset: TemplateReset, between: u32| {
        let options = LoadOptions { template_reset, ..LoadOptions::strict() };
        let templates = Templates::from_xml_with(&xml, &options).unwrap();
        let mut encoder = Encoder::new(&templates, EncoderOptions::default());
        let mut value = Message::with_id(&templates, 1).unwrap();
        value.set("V", 5u32).unwrap();
        let mut bytes = Vec::new();
        for message in [&value, &Message::with_id(&templates, between).unwrap(), &value] {
            encoder.encode(message, &mut bytes).unwrap();
        }
        let mut writer = JsonWriter::default();
        let mut decoder = Decoder::new(&templates, DecoderOptions::default());
        assert_eq!(decoder.decode_packet(&bytes, &mut writer), Ok(3));
        assert!(writer.text().ends_with("{\"V\":5}}\n"));
        // Whether the encoder had to say the value again.
        bytes.last() == Some(&0x85)
    };
    assert!(value_after(TemplateReset::Declared, 2));
    assert!(!value_after(TemplateReset::Declared, 3));
    assert!(!value_after(TemplateReset::Ignored, 2));
    assert!(value_after(TemplateReset::Also(vec![3]), 3));
    assert!(value_after(TemplateReset::Also(vec![3]), 2));
    assert!(value_after(TemplateReset::Only(vec![3]), 3));
    assert!(!value_after(TemplateReset::Only(vec![3]), 2));
    // A reset message that the definition does not have.
    let options = LoadOptions { implicit_reset: Some(120), ..LoadOptions::strict() };
    let templates = Templates::from_xml_with(&xml, &options).unwrap();
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut writer = JsonWriter::default();
    // V is 5; reset; V is 1 again.
    assert_eq!(decoder.decode_packet(&hex("e0 81 85 c0 f8 c0 81"), &mut writer), Ok(3));
    assert!(writer.text().ends_with("{\"V\":1}}\n"), "{}", writer.text());
    assert_eq!(&*templates.by_id(120).unwrap().name.local, "Reset");
    let none = LoadOptions { implicit_reset: Some(2), ..LoadOptions::strict() };
    assert_eq!(Templates::from_xml_with(&xml, &none).unwrap().all().len(), 3);
}

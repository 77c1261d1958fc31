//! Loading template definitions: syntax, names, dictionaries, references, published files.
#![allow(clippy::unwrap_used)]

mod common;

use common::{definition, hex, template};
use saker_fast::json::{JsonWriter, from_json, to_json};
use saker_fast::load::{LoadOptions, StaticCode, TemplateError, TemplateErrorKind, Templates};
use saker_fast::model::Position;
use saker_fast::{Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, Message};

const TD: &str = "http://www.fixprotocol.org/ns/fast/td/1.1";

fn refused(xml: &str) -> TemplateError {
    Templates::from_xml(xml).expect_err(xml)
}

fn field_error(instructions: &str) -> TemplateError {
    refused(&definition(instructions))
}

fn templates(content: &str) -> String {
    format!("<templates xmlns=\"{TD}\">{content}</templates>")
}

/// Decodes messages with one decoder and returns their JSON lines.
fn decode(templates: &Templates, messages: &[&str]) -> Vec<String> {
    let mut decoder = Decoder::new(templates, DecoderOptions::default());
    let mut lines = Vec::new();
    for message in messages {
        let bytes = hex(message);
        let mut writer = JsonWriter::default();
        assert_eq!(decoder.decode(&bytes, &mut writer), Ok(bytes.len()), "{message}");
        let json: serde_json::Value = serde_json::from_str(writer.text()).unwrap();
        lines.push(json["fields"].to_string());
    }
    lines
}

#[test]
fn published_files_load() {
    for (file, templates, strict) in [
        ("templates/cme.xml", 23, false),
        ("templates/eurex-rdd-1.1.xml", 9, true),
        ("templates/eurex-rdd-1.2.xml", 8, true),
        ("templates/forts.xml", 12, false),
        ("templates/fast_template_STEP1.20_SZ_1.00.xml", 8, false),
        ("moex/test.xml", 7, true),
    ] {
        let Some(xml) = common::text(file) else { return };
        match Templates::from_xml_with(&xml, &LoadOptions::lenient()) {
            Ok(loaded) => assert_eq!(loaded.all().len(), templates, "{file}"),
            Err(error) => panic!("{file}: {error}"),
        }
        assert_eq!(Templates::from_xml(&xml).is_ok(), strict, "{file}");
    }
}

#[test]
fn elements_of_fast_1_2_need_its_namespace() {
    let error = refused(&templates("\n  <define name='D'><boolean/></define>"));
    assert_eq!(error.kind, TemplateErrorKind::Unsupported { element: "define".to_owned() });
    assert_eq!((error.code, error.position.line), (Some(StaticCode::S1), 2));
}

#[test]
fn forts_reset_template_resets_the_dictionaries() {
    let Some(xml) = common::text("templates/forts.xml") else { return };
    let loaded = Templates::from_xml_with(&xml, &LoadOptions::lenient()).unwrap();
    let resetting: Vec<_> = loaded.all().iter().filter(|template| template.reset).collect();
    assert_eq!(resetting.len(), 1);
    assert_eq!(resetting[0].id.number, Some(120));
    // The prefix alone is not declared.
    let options = LoadOptions { undeclared_prefixes: false, ..LoadOptions::lenient() };
    let error = Templates::from_xml_with(&xml, &options).unwrap_err();
    assert_eq!((error.code, error.position.line), (Some(StaticCode::S1), 329));
}

#[test]
fn the_sample_of_section_1_loads_with_its_draft_namespace() {
    let xml = r#"<templates xmlns="http://www.fixprotocol.org/ns/template-definition"
        templateNs="http://www.fixprotocol.org/ns/templates/sample" ns="http://www.fixprotocol.org/ns/fix">
      <template name="MDRefreshSample"><typeRef name="MarketDataIncrementalRefresh"/>
        <string name="BeginString" id="8"><constant value="FIX4.4"/></string>
        <sequence name="MDEntries"><length name="NoMDEntries" id="268"/>
          <decimal name="MDEntryPx" id="270"><delta/></decimal></sequence>
      </template></templates>"#;
    assert_eq!(refused(xml).code, Some(StaticCode::S1));
    let options = LoadOptions { any_namespace: true, ..LoadOptions::strict() };
    let loaded = Templates::from_xml_with(xml, &options).unwrap();
    let template = &loaded.all()[0];
    assert_eq!(&*template.name.namespace, "http://www.fixprotocol.org/ns/templates/sample");
    let type_ref = template.type_ref.as_ref().unwrap();
    assert_eq!(&*type_ref.namespace, "http://www.fixprotocol.org/ns/fix");
}

#[test]
fn s1_not_well_formed_or_against_the_schema() {
    for (xml, expected) in [
        ("<templates", None),
        ("<a:templates/>", None),
        ("<templates/>", Some("Root")),
        (&templates("<field/>"), Some("Unsupported")),
        (&templates("<copy/>"), Some("Element")),
        (&templates("text"), Some("Text")),
        (&templates("<template/>"), Some("MissingAttribute")),
        (&templates("<template name='T' reset='yes'/>"), Some("Attribute")),
        (&definition("<int8 name='V'/>"), Some("Element")),
        (&definition("<int32/>"), Some("MissingAttribute")),
        (&definition("<int32 name='V' presence='maybe'/>"), Some("AttributeValue")),
        (&definition("<int32 name='V' colour='red'/>"), Some("Attribute")),
        (&definition("<string name='V' charset='latin1'/>"), Some("AttributeValue")),
        (&definition("<int32 name='V'><copy/><delta/></int32>"), Some("Element")),
        (&definition("<int32 name='V'><length name='L'/></int32>"), Some("Element")),
        (
            &definition("<byteVector name='V'><copy/><length name='L'/></byteVector>"),
            Some("Element"),
        ),
        (&definition("<sequence name='V'><int32 name='A'/><length/></sequence>"), Some("Element")),
        (&definition("<int32 name='V'/><typeRef name='X'/>"), Some("Element")),
        (
            &definition(
                "<decimal name='V'><mantissa><copy/></mantissa><exponent><copy/></exponent></decimal>",
            ),
            Some("Element"),
        ),
        (&definition("<decimal name='V'><exponent/></decimal>"), Some("MissingOperator")),
        (&definition("<templateRef templateNs='x'/>"), Some("MissingAttribute")),
        (&definition("<int32 name='V'><copy><delta/></copy></int32>"), Some("Element")),
        (&definition("<int32 name='V'><constant value='1' key='k'/></int32>"), Some("Attribute")),
    ] {
        let error = refused(xml);
        assert_eq!(error.code, Some(StaticCode::S1), "{xml}");
        let kind = format!("{:?}", error.kind);
        assert!(kind.starts_with(expected.unwrap_or("Xml")), "{xml}: {kind}");
    }
}

#[test]
fn s2_operators_of_other_types() {
    for (element, operator) in [
        ("decimal", "increment"),
        ("decimal", "tail"),
        ("string", "increment"),
        ("byteVector", "increment"),
        ("uInt32", "tail"),
    ] {
        let error = field_error(&format!("<{element} name='V'><{operator}/></{element}>"));
        assert_eq!(error.code, Some(StaticCode::S2), "{element} {operator}");
    }
    let error = field_error("<sequence name='S'><length><tail/></length></sequence>");
    assert_eq!(error.code, Some(StaticCode::S2));
}

#[test]
fn s3_initial_values_of_the_wrong_type() {
    for (element, value) in [
        ("uInt32", "-1"),
        ("int32", "2147483648"),
        ("decimal", "1e5"),
        ("byteVector", "abc"),
        ("string", "é"),
        ("decimal", "9223372036854775808"),
    ] {
        let error =
            field_error(&format!("<{element} name='V'><copy value='{value}'/></{element}>"));
        assert_eq!(error.code, Some(StaticCode::S3), "{element} {value}");
        assert_eq!(error.field.as_deref(), Some("V"));
    }
}

#[test]
fn s4_constant_without_value() {
    assert_eq!(field_error("<int32 name='V'><constant/></int32>").code, Some(StaticCode::S4));
}

#[test]
fn s5_default_without_value_on_a_mandatory_field() {
    assert_eq!(field_error("<int32 name='V'><default/></int32>").code, Some(StaticCode::S5));
    // The mantissa of an optional decimal is mandatory itself.
    let decimal = "<decimal name='V' presence='optional'><mantissa><default/></mantissa></decimal>";
    assert_eq!(field_error(decimal).code, Some(StaticCode::S5));
    template("<int32 name='V' presence='optional'><default/></int32>");
    template("<decimal name='V' presence='optional'><exponent><default/></exponent></decimal>");
}

#[test]
fn errors_name_line_column_template_and_field() {
    let xml = format!(
        "<templates xmlns=\"{TD}\">\n  <template name=\"Trade\">\n    <uInt32 name=\"Size\"><tail/></uInt32>\n  </template></templates>"
    );
    let error = refused(&xml);
    assert_eq!(error.position, Position { line: 3, column: 25 });
    assert_eq!(
        error.to_string(),
        "3:25: S2: operator <tail> is not applicable to <uInt32>, in template \"Trade\", at field \"Size\""
    );
}

#[test]
fn hostile_definitions_meet_limits() {
    let deep = format!("{}{}", "<group name='g'>".repeat(40), "</group>".repeat(40));
    assert!(matches!(field_error(&deep).kind, TemplateErrorKind::Limit { limit: 32, .. }));
    let entities = "<!DOCTYPE a [<!ENTITY b 'c'>]><templates>&b;</templates>";
    assert!(matches!(refused(entities).kind, TemplateErrorKind::Xml(_)));
    let small = LoadOptions { max_bytes: 10, ..LoadOptions::strict() };
    let error = Templates::from_xml_with("<templates/>", &small).unwrap_err();
    assert_eq!(error.kind, TemplateErrorKind::TooLarge { bytes: 12, limit: 10 });
    // Thirty templates, each twice the one before: more than 10^9 instructions.
    let mut content = String::from("<template name='t0'><int32 name='V'/></template>");
    for level in 1..30 {
        let one = format!("<templateRef name='t{}'/>", level - 1);
        content += &format!("<template name='t{level}'>{one}{one}</template>");
    }
    let error = refused(&templates(&content));
    assert!(matches!(error.kind, TemplateErrorKind::Limit { what: "instructions", .. }), "{error}");
    let cycle = "<template name='a'><templateRef name='b'/></template>
                 <template name='b'><templateRef name='a'/></template>";
    let error = refused(&templates(cycle));
    assert_eq!(error.kind, TemplateErrorKind::ReferenceCycle("a".to_owned()));
    assert_eq!(error.position.line, 2);
}

#[test]
fn templates_have_names_and_identifiers_of_their_own() {
    let twice = "<template name='a' id='1'/><template name='a' id='2'/>";
    assert!(matches!(refused(&templates(twice)).kind, TemplateErrorKind::DuplicateName(_)));
    let same_id = "<template name='a' id='1'/><template name='b' id='1'/>";
    assert_eq!(refused(&templates(same_id)).kind, TemplateErrorKind::DuplicateId(1));
    // Two namespaces make two names.
    let apart = "<template name='a' id='1'/><template name='a' templateNs='x' id='2'/>";
    let loaded = Templates::from_xml(&templates(apart)).unwrap();
    assert_eq!(loaded.by_name("a").unwrap().id.number, Some(1));
    assert_eq!(loaded.by_id(2).unwrap().name.to_string(), "{x}a");
    assert!(loaded.by_id(3).is_none());
}

#[test]
fn foreign_elements_and_attributes_are_skipped() {
    let loaded = template(
        "<x:note xmlns:x='urn:x' x:a='1'><int32/></x:note><int32 xmlns:x='urn:x' x:b='2' name='V'><x:y/><copy/></int32>",
    );
    assert_eq!(loaded.all()[0].instructions.len(), 1);
}

#[test]
fn dictionaries_are_inherited_from_the_nearest_element() {
    // One value for each dictionary; what is shared repeats it, what is not has none (D5).
    let field = |name: &str, attributes: &str| {
        format!("<uInt32 name='{name}'><copy key='k' {attributes}/></uInt32>")
    };
    let shared = |xml: &str, bytes: &str| {
        let loaded = Templates::from_xml(xml).unwrap();
        let mut decoder = Decoder::new(&loaded, DecoderOptions::default());
        decoder.decode(&hex(bytes), &mut saker_fast::Ignore).map_err(|error| error.code)
    };
    let one_bit = "e0 81 87";
    // Global by default, and across templates.
    assert_eq!(shared(&definition(&(field("A", "") + &field("B", ""))), one_bit), Ok(3));
    let named = field("A", "dictionary='d'");
    assert_eq!(
        shared(&definition(&(named.clone() + &field("B", ""))), one_bit),
        Err(ErrorCode::D5)
    );
    assert_eq!(
        shared(&definition(&(named.clone() + &named.replace("'A'", "'B'"))), one_bit),
        Ok(3)
    );
    // The namespace of the key counts.
    let apart = field("A", "") + &field("B", "ns='x'");
    assert_eq!(shared(&definition(&apart), one_bit), Err(ErrorCode::D5));
    // A group's attribute reaches its fields; a nearer one wins.
    let group = |inner: &str| {
        format!("{}<group name='g' dictionary='d'>{inner}</group>", field("A", "dictionary='d'"))
    };
    assert_eq!(shared(&definition(&group(&field("B", ""))), "e0 81 87 80"), Ok(4));
    assert_eq!(
        shared(&definition(&group(&field("B", "dictionary='global'"))), "e0 81 87 80"),
        Err(ErrorCode::D5)
    );
    let whole = templates(&format!(
        "<template name='a' id='1' dictionary='template'>{}</template>",
        field("A", "") + &field("B", "dictionary='global'")
    ));
    assert_eq!(shared(&whole, one_bit), Err(ErrorCode::D5));
}

#[test]
fn the_template_dictionary_is_that_of_the_current_template() {
    // `part` is used by both and has one dictionary of its own; `A` differs by template.
    let loaded = Templates::from_xml(&templates(
        "<template name='part'><uInt32 name='P'><copy dictionary='template'/></uInt32></template>
         <template name='one' id='1'><uInt32 name='A'><copy dictionary='template' value='9'/></uInt32><templateRef name='part'/></template>
         <template name='two' id='2'><uInt32 name='A'><copy dictionary='template' value='9'/></uInt32><templateRef name='part'/></template>",
    ))
    .unwrap();
    let lines = decode(&loaded, &["f0 81 85 86", "c0 82"]);
    assert_eq!(lines, [r#"{"A":5,"P":6}"#, r#"{"A":9,"P":6}"#]);
}

#[test]
fn the_type_dictionary_is_that_of_the_current_application_type() {
    let field = "<uInt32 name='V'><copy dictionary='type' value='0'/></uInt32>";
    let loaded = Templates::from_xml(&templates(&format!(
        "<template name='a' id='1'><typeRef name='X'/>{field}</template>
         <template name='b' id='2'><typeRef name='X'/>{field}</template>
         <template name='c' id='3'>{field}</template>
         <template name='d' id='4'><group name='g'><typeRef name='X'/>{field}<templateRef name='c'/></group></template>
         <template name='e' id='5'><group name='g'><typeRef name='X'/><templateRef/></group>{field}</template>"
    )))
    .unwrap();
    let lines = decode(
        &loaded,
        &[
            "e0 81 85",    // a: X becomes 5
            "c0 82",       // b: is X
            "c0 83",       // c alone: the type any, undefined
            "c0 84 80",    // d: V and, by static reference, c's V are of X
            "c0 85 c0 83", // e: c by dynamic reference inside X; then V of any
        ],
    );
    assert_eq!(
        lines,
        [
            r#"{"V":5}"#,
            r#"{"V":5}"#,
            r#"{"V":0}"#,
            r#"{"g":{"V":5,"V#2":5}}"#,
            r#"{"g":{"templateRef":{"template":"c","id":3,"fields":{"V":5}}},"V":0}"#,
        ]
    );
}

#[test]
fn references_static_and_dynamic_round_trip() {
    let loaded = Templates::from_xml(&templates(
        "<template name='head'><uInt32 name='Seq'><increment/></uInt32><string name='Id' presence='optional'><copy/></string></template>
         <template name='one' id='1'><templateRef name='head'/><int32 name='A'/><templateRef/><templateRef/></template>
         <template name='two' id='2'><templateRef name='head'/></template>
         <template name='nothing' id='3'/>",
    ))
    .unwrap();
    let lines = [
        r#"{"template":"one","id":1,"fields":{"Seq":1,"Id":"x","A":-1,"templateRef":{"template":"two","id":2,"fields":{"Seq":2}},"templateRef#2":{"template":"two","id":2,"fields":{"Seq":3,"Id":"y"}}}}"#,
        r#"{"template":"two","id":2,"fields":{"Seq":4,"Id":"y"}}"#,
        r#"{"template":"nothing","id":3,"fields":{}}"#,
    ];
    let mut encoder = Encoder::new(&loaded, EncoderOptions::default());
    let mut bytes = Vec::new();
    for line in lines {
        let message = from_json(&loaded, line).unwrap();
        assert_eq!(to_json(&message), line);
        encoder.encode(&message, &mut bytes).unwrap();
    }
    let mut decoder = Decoder::new(&loaded, DecoderOptions::default());
    let mut writer = JsonWriter::default();
    assert_eq!(decoder.decode_packet(&bytes, &mut writer), Ok(3));
    assert_eq!(writer.text().lines().collect::<Vec<_>>(), lines);
    // The identifier of the second part equals that of the first and is left out, and so is that
    // of the second message: all share one previous value.
    assert_eq!(bytes, hex("f0 81 81 f8 ff d0 82 80 90 f9 80 c0 83"));
}

#[test]
fn reset_templates_reset_before_their_fields() {
    let xml = templates(
        "<template name='a' id='1'><uInt32 name='V'><copy value='1'/></uInt32></template>
         <template name='r' id='2' xmlns:scp='http://www.fixprotocol.org/ns/fast/scp/1.1' scp:reset='yes'><uInt32 name='V'><copy value='1'/></uInt32></template>",
    );
    let loaded = Templates::from_xml(&xml).unwrap();
    let lines = decode(&loaded, &["e0 81 85", "80", "c0 82", "80"]);
    assert_eq!(lines, [r#"{"V":5}"#, r#"{"V":5}"#, r#"{"V":1}"#, r#"{"V":1}"#]);
}

#[test]
fn one_named_dictionary_can_be_reset() {
    let loaded = template(
        "<uInt32 name='A'><copy dictionary='d' value='1'/></uInt32><uInt32 name='B'><copy value='2'/></uInt32>",
    );
    let mut decoder = Decoder::new(&loaded, DecoderOptions::default());
    let mut writer = JsonWriter::default();
    decoder.decode(&hex("f0 81 87 88"), &mut writer).unwrap();
    decoder.reset_dictionary("d");
    decoder.decode(&hex("80"), &mut writer).unwrap();
    decoder.reset_dictionary("global");
    decoder.decode(&hex("80"), &mut writer).unwrap();
    let fields: Vec<_> = writer.text().lines().map(|line| line[32..].to_owned()).collect();
    assert_eq!(fields, [r#"{"A":7,"B":8}}"#, r#"{"A":1,"B":8}}"#, r#"{"A":1,"B":2}}"#]);
}

#[test]
fn sequences_and_groups_are_segments_iff_they_use_bits() {
    let loaded = template(
        "<sequence name='S'><length name='N' id='7'><copy/></length><uInt32 name='A'/></sequence>
         <sequence name='O' presence='optional'><uInt32 name='B'><default value='3'/></uInt32></sequence>
         <group name='G' presence='optional'><uInt32 name='C' presence='optional'><copy/></uInt32></group>
         <group name='H'><uInt32 name='D'/></group>",
    );
    let lines = decode(&loaded, &["f0 81 82 81 82 83 c0 84 80 80 89", "80 83 84 80 89"]);
    // 82: two elements without maps; 83: two (nullable) elements with maps, the second empty.
    assert_eq!(
        lines,
        [
            r#"{"S":[{"A":1},{"A":2}],"O":[{"B":4},{"B":3}],"G":{},"H":{"D":9}}"#,
            r#"{"S":[{"A":3},{"A":4}],"H":{"D":9}}"#,
        ]
    );
    let message = Message::new(&loaded, "T").unwrap();
    assert!(message.root().field(7u32).is_some(), "a length's number selects its sequence");
}

#[test]
fn names_that_repeat_have_keys_that_do_not() {
    let loaded = template(
        "<int32 name='X'/><int32 name='X'/><int32 name='X#2' presence='optional'/><int32 name='X'/><int32 name='X#2'/>",
    );
    let message = Message::new(&loaded, "T").unwrap();
    let keys: Vec<_> = message.root().fields().map(|field| field.key.to_string()).collect();
    assert_eq!(keys, ["X", "X#2", "X#2#2", "X#3", "X#2#3"]);
}

#[test]
fn templates_of_one_local_name_stay_apart() {
    let loaded = Templates::from_xml(&templates(
        "<template name='a' id='1'><uInt32 name='V'/></template>
         <template name='a' templateNs='x' id='2'><string name='W'/></template>
         <template name='b' id='3'><templateRef/></template>
         <template name='c' id='4'><templateRef name='a' templateNs='x'/></template>",
    ))
    .unwrap();
    assert_eq!(loaded.by_name("{x}a").unwrap().id.number, Some(2));
    let mut encoder = Encoder::new(&loaded, EncoderOptions::default());
    for line in [
        r#"{"template":"a","id":2,"fields":{"W":"w"}}"#,
        r#"{"template":"b","id":3,"fields":{"templateRef":{"template":"a","id":2,"fields":{"W":"w"}}}}"#,
        r#"{"template":"c","id":4,"fields":{"W":"w"}}"#,
    ] {
        let message = from_json(&loaded, line).unwrap();
        let mut bytes = Vec::new();
        encoder.encode(&message, &mut bytes).unwrap();
        let mut decoder = Decoder::new(&loaded, DecoderOptions::default());
        let mut writer = JsonWriter::default();
        if bytes[0] & 0x40 != 0 {
            assert_eq!(decoder.decode(&bytes, &mut writer), Ok(bytes.len()));
            assert_eq!(writer.text().trim_end(), line);
        }
    }
    let wrong = r#"{"template":"b","id":2,"fields":{}}"#;
    assert!(from_json(&loaded, wrong).is_err());
}

#[test]
fn json_members_come_in_any_order_and_unknown_ones_are_refused() {
    // Members may come in any order; unknown ones are refused.
    let loaded = template("<uInt32 name='A'/><uInt32 name='B'/>");
    let message = from_json(&loaded, r#"{"fields":{"B":2,"A":1},"template":"T"}"#).unwrap();
    assert_eq!(to_json(&message), r#"{"template":"T","id":1,"fields":{"A":1,"B":2}}"#);
    for wrong in [
        r#"{"template":"T","fields":{"C":1}}"#,
        r#"{"template":"T","fields":{"A":-1}}"#,
        r#"{"template":"T","fields":{"A":1.5}}"#,
        r#"{"template":"T","fields":{"A":"1"}}"#,
        r#"{"template":"U","fields":{}}"#,
        r#"{"template":"T"}"#,
        r#"{"template":"T","fields":{},"more":1}"#,
    ] {
        assert!(from_json(&loaded, wrong).is_err(), "{wrong}");
    }
}

//! Every error code, raised. One test for each code, named after it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{hex, presence, template};
use saker_fast::message::FieldError;
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{
    DecodeError, Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, Ignore, Message,
    ResetPolicy, Templates, Value,
};

/// Decodes messages one after another with one decoder; the error of the last.
fn last_error(instructions: &str, messages: &[(&str, &str)]) -> DecodeError {
    let templates = template(instructions);
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut result = Ok(0);
    for (index, (bits, bytes)) in messages.iter().enumerate() {
        assert!(result.is_ok(), "{result:?}");
        let mut input = presence(&format!("1{bits}"));
        input.push(0x81);
        input.extend(hex(bytes));
        result = decoder.decode(&input, &mut Ignore);
        assert!(index + 1 < messages.len() || result.is_err());
    }
    result.unwrap_err()
}

fn code(instructions: &str, messages: &[(&str, &str)]) -> ErrorCode {
    last_error(instructions, messages).code
}

fn encode_error(instructions: &str, value: Value<'_>) -> ErrorCode {
    let templates = template(instructions);
    let mut message = Message::new(&templates, "T").unwrap();
    message.set("V", value).unwrap();
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    encoder.encode(&message, &mut Vec::new()).unwrap_err().code
}

fn set_error(field: &str, value: Value<'_>) -> ErrorCode {
    let templates = template(field);
    match Message::new(&templates, "T").unwrap().set("V", value) {
        Err(FieldError::Convert { code, .. }) => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn d1_a_message_of_other_templates_has_no_matching_type() {
    let message = Message::new(&template(""), "T").unwrap();
    let mut encoder = Encoder::new(&template(""), EncoderOptions::default());
    assert_eq!(encoder.encode(&message, &mut Vec::new()).unwrap_err().code, ErrorCode::D1);
}

#[test]
fn d2_integers_out_of_bounds() {
    // 2^32, then 2^31 and -2^31-1, each one beyond its type.
    assert_eq!(code(r#"<uInt32 name="V"/>"#, &[("", "10 00 00 00 80")]), ErrorCode::D2);
    assert_eq!(code(r#"<int32 name="V"/>"#, &[("", "08 00 00 00 80")]), ErrorCode::D2);
    assert_eq!(code(r#"<int32 name="V"/>"#, &[("", "77 7f 7f 7f ff")]), ErrorCode::D2);
    let beyond = "02 00 00 00 00 00 00 00 00 80";
    assert_eq!(code(r#"<uInt64 name="V"/>"#, &[("", beyond)]), ErrorCode::D2);
    assert_eq!(code(r#"<int64 name="V"/>"#, &[("", beyond)]), ErrorCode::D2);
    let huge = format!("40 {} 80", "00 ".repeat(30));
    assert_eq!(code(r#"<uInt64 name="V"/>"#, &[("", &huge)]), ErrorCode::D2);
    assert_eq!(code(r#"<int64 name="V"/>"#, &[("", &huge)]), ErrorCode::D2);
    // Optional: one more in the stream.
    let field = r#"<uInt32 name="V" presence="optional"/>"#;
    assert_eq!(code(field, &[("", "10 00 00 00 81")]), ErrorCode::D2);
}

#[test]
fn d3_values_that_the_operators_cannot_represent() {
    let field = r#"<decimal name="V"><exponent><constant value="2"/></exponent></decimal>"#;
    assert_eq!(encode_error(field, Value::Decimal { mantissa: 1, exponent: -2 }), ErrorCode::D3);
    let field = r#"<uInt32 name="V"><constant value="2"/></uInt32>"#;
    assert_eq!(encode_error(field, Value::UInt(3)), ErrorCode::D3);
    let field = r#"<string name="V"><tail value="long"/></string>"#;
    assert_eq!(encode_error(field, Value::Ascii(b"two")), ErrorCode::D3);
}

#[test]
fn d4_the_previous_value_has_another_type() {
    let fields =
        r#"<uInt32 name="A"><copy key="k"/></uInt32><int32 name="V"><copy key="k"/></int32>"#;
    assert_eq!(code(fields, &[("10", "81")]), ErrorCode::D4);
    let fields = r#"<string name="A"><copy key="k"/></string>
        <string name="V" charset="unicode"><delta key="k"/></string>"#;
    assert_eq!(code(fields, &[("1", "c1 80 80")]), ErrorCode::D4);
}

#[test]
fn d5_no_value_and_no_previous_value() {
    for element in ["uInt32", "decimal", "string", "byteVector"] {
        let field = format!(r#"<{element} name="V"><copy/></{element}>"#);
        assert_eq!(code(&field, &[("0", "")]), ErrorCode::D5, "{element}");
    }
    assert_eq!(code(r#"<int64 name="V"><increment/></int64>"#, &[("0", "")]), ErrorCode::D5);
    // The template identifier has the copy operator, too.
    let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
    assert_eq!(decoder.decode(&[0x80], &mut Ignore).unwrap_err().code, ErrorCode::D5);
}

#[test]
fn d6_no_value_and_an_empty_previous_value() {
    for (element, operator) in
        [("uInt32", "copy"), ("uInt32", "increment"), ("decimal", "copy"), ("string", "copy")]
    {
        let fields = format!(
            r#"<{element} name="A" presence="optional"><{operator} key="k"/></{element}>
               <{element} name="V"><{operator} key="k"/></{element}>"#
        );
        assert_eq!(code(&fields, &[("10", "80")]), ErrorCode::D6, "{element} {operator}");
    }
    for (element, delta) in [("int32", "81"), ("decimal", "81 81"), ("string", "80 c1")] {
        let fields = format!(
            r#"<{element} name="A" presence="optional"><copy key="k"/></{element}>
               <{element} name="V"><delta key="k"/></{element}>"#
        );
        assert_eq!(code(&fields, &[("1", &format!("80 {delta}"))]), ErrorCode::D6, "{element}");
    }
    // §6.3.8: for tail an undefined previous value, too.
    assert_eq!(code(r#"<string name="V"><tail/></string>"#, &[("0", "")]), ErrorCode::D6);
}

#[test]
fn d7_subtraction_lengths_and_tails_without_base() {
    let field = r#"<string name="V"><delta value="AB"/></string>"#;
    assert_eq!(code(field, &[("", "83 c1")]), ErrorCode::D7);
    assert_eq!(code(field, &[("", "fc c1")]), ErrorCode::D7);
    assert_eq!(code(field, &[("", "08 00 00 00 80 c1")]), ErrorCode::D7);
    let fields = r#"<string name="A" presence="optional"><tail key="k"/></string>
        <string name="V"><tail key="k"/></string>"#;
    assert_eq!(code(fields, &[("10", "80")]), ErrorCode::D7);
}

#[test]
fn d8_a_static_reference_to_an_unknown_template() {
    let xml = common::definition(r#"<templateRef name="Nowhere"/>"#);
    let error = Templates::from_xml(&xml).unwrap_err();
    assert_eq!(error.code, Some(saker_fast::StaticCode::D8));
}

#[test]
fn d9_unknown_template_identifiers() {
    let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
    let error = decoder.decode(&hex("c0 82"), &mut Ignore).unwrap_err();
    assert_eq!((error.code, error.offset), (ErrorCode::D9, 1));
    decoder.reset();
    let error = decoder.decode(&hex("c0 10 00 00 00 80"), &mut Ignore).unwrap_err();
    assert_eq!((error.code, error.offset), (ErrorCode::D9, 1));
    // In a dynamic reference.
    assert_eq!(code("<templateRef/>", &[("", "c0 85")]), ErrorCode::D9);
}

#[test]
fn d10_byte_vectors_convert_to_strings_only() {
    assert_eq!(set_error(r#"<byteVector name="V"/>"#, Value::Int(1)), ErrorCode::D10);
    assert_eq!(set_error(r#"<decimal name="V"/>"#, Value::Bytes(&[1])), ErrorCode::D10);
}

#[test]
fn d11_strings_of_the_wrong_syntax() {
    assert_eq!(set_error(r#"<int32 name="V"/>"#, "1x".into()), ErrorCode::D11);
    assert_eq!(set_error(r#"<decimal name="V"/>"#, "1,5".into()), ErrorCode::D11);
    assert_eq!(set_error(r#"<byteVector name="V"/>"#, "0".into()), ErrorCode::D11);
}

#[test]
fn d12_blocks_of_size_zero() {
    for (framing, bytes) in
        [(Framing::Block, "80"), (Framing::U32Le, "00 00 00 00"), (Framing::U16Be, "00 00")]
    {
        let layout = Layout { framing, preamble: 0 };
        let bytes = hex(bytes);
        let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
        let mut stream = MessageStream::new(&bytes, layout);
        let error = stream.next(&mut decoder, &mut Ignore).unwrap_err();
        assert_eq!((error.code, error.offset), (ErrorCode::D12, 0));
    }
}

#[test]
fn r1_decimals_out_of_range() {
    let field = r#"<decimal name="V"/>"#;
    assert_eq!(code(field, &[("", "00 c0 81")]), ErrorCode::R1);
    assert_eq!(code(field, &[("", "c0 81")]), ErrorCode::R1);
    assert_eq!(code(field, &[("", "80 02 00 00 00 00 00 00 00 00 80")]), ErrorCode::R1);
    let field = r#"<decimal name="V"><delta value="1"/></decimal>"#;
    assert_eq!(code(field, &[("", "00 c0 81")]), ErrorCode::R1);
    let maximum = "80 00 7f 7f 7f 7f 7f 7f 7f 7f ff";
    assert_eq!(code(field, &[("", maximum)]), ErrorCode::R1);
    let field = r#"<decimal name="V"><exponent><delta/></exponent></decimal>"#;
    assert_eq!(code(field, &[("", "00 c0 81")]), ErrorCode::R1);
    let wide = Value::Decimal { mantissa: 1, exponent: 64 };
    assert_eq!(set_error(r#"<decimal name="V"/>"#, wide), ErrorCode::R1);
}

#[test]
fn r2_strings_that_are_not_utf8() {
    let field = r#"<string name="V" charset="unicode"/>"#;
    assert_eq!(code(field, &[("", "81 c3")]), ErrorCode::R2);
    for operator in ["delta", "tail"] {
        let field =
            format!(r#"<string name="V" charset="unicode"><{operator} value="é"/></string>"#);
        let (bits, bytes) = if operator == "delta" { ("", "81 80") } else { ("1", "81 c3") };
        assert_eq!(code(&field, &[(bits, bytes)]), ErrorCode::R2, "{operator}");
    }
    // Half a character in the delta is fine where the whole is.
    let templates = template(r#"<string name="V" charset="unicode"><delta value="é"/></string>"#);
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    assert!(decoder.decode(&hex("c0 81 81 81 a8"), &mut Ignore).is_ok());
}

#[test]
fn r3_characters_outside_ascii() {
    assert_eq!(set_error(r#"<string name="V"/>"#, "é".into()), ErrorCode::R3);
}

#[test]
fn r4_integers_that_do_not_fit() {
    let field = r#"<uInt32 name="V"><delta value="4294967295"/></uInt32>"#;
    assert_eq!(code(field, &[("", "81")]), ErrorCode::R4);
    let field = r#"<uInt64 name="V"><delta/></uInt64>"#;
    assert_eq!(code(field, &[("", "ff")]), ErrorCode::R4);
    let field = r#"<int32 name="V"><delta value="-2147483648"/></int32>"#;
    assert_eq!(code(field, &[("", "ff")]), ErrorCode::R4);
    assert_eq!(set_error(r#"<uInt32 name="V"/>"#, Value::Int(-1)), ErrorCode::R4);
}

#[test]
fn r5_decimals_that_are_no_integers() {
    let value = Value::Decimal { mantissa: 15, exponent: -1 };
    assert_eq!(set_error(r#"<uInt32 name="V"/>"#, value), ErrorCode::R5);
}

#[test]
fn r6_overlong_integers() {
    assert_eq!(code(r#"<uInt32 name="V"/>"#, &[("", "00 81")]), ErrorCode::R6);
    assert_eq!(code(r#"<int32 name="V"/>"#, &[("", "00 81")]), ErrorCode::R6);
    assert_eq!(code(r#"<int32 name="V"/>"#, &[("", "7f ff")]), ErrorCode::R6);
    assert_eq!(code(r#"<int32 name="V"><delta/></int32>"#, &[("", "00 81")]), ErrorCode::R6);
    let long = format!("{} 81", "00 ".repeat(12));
    assert_eq!(code(r#"<uInt64 name="V"/>"#, &[("", &long)]), ErrorCode::R6);
    assert_eq!(code(r#"<int64 name="V"/>"#, &[("", &long)]), ErrorCode::R6);
    let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
    assert_eq!(decoder.decode(&hex("c0 00 81"), &mut Ignore).unwrap_err().code, ErrorCode::R6);
}

#[test]
fn r7_overlong_presence_maps() {
    let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
    assert_eq!(decoder.decode(&hex("40 80 81"), &mut Ignore).unwrap_err().code, ErrorCode::R7);
    let long = format!("40 {} 80 81", "00 ".repeat(20));
    decoder.reset();
    assert_eq!(decoder.decode(&hex(&long), &mut Ignore).unwrap_err().code, ErrorCode::R7);
}

#[test]
fn r8_presence_maps_with_unused_bits() {
    for map in ["e0", "40 81", "40 01 00 00 00 00 00 00 00 00 81"] {
        let mut decoder = Decoder::new(&template(""), DecoderOptions::default());
        let error = decoder.decode(&hex(&format!("{map} 81")), &mut Ignore).unwrap_err();
        assert_eq!(error.code, ErrorCode::R8, "{map}");
    }
}

#[test]
fn a_segment_whose_bits_depend_on_an_absent_exponent_may_use_none() {
    // §10.5.1: the mantissa's bit exists iff the exponent is present; a map has a byte at least.
    let templates = template(
        r#"<group name="G"><decimal name="V" presence="optional">
             <exponent><delta/></exponent><mantissa><copy/></mantissa></decimal></group>"#,
    );
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    assert_eq!(decoder.decode(&hex("c0 81 80 80"), &mut Ignore), Ok(4));
    decoder.reset();
    let error = decoder.decode(&hex("c0 81 c0 80"), &mut Ignore).unwrap_err();
    assert_eq!(error.code, ErrorCode::R8);
}

#[test]
fn r9_overlong_strings() {
    assert_eq!(code(r#"<string name="V"/>"#, &[("", "00 41 c1")]), ErrorCode::R9);
    let field = r#"<string name="V"><copy/></string>"#;
    assert_eq!(code(field, &[("1", "00 c1")]), ErrorCode::R9);
}

#[test]
fn reportable_errors_of_the_encoding_are_ignored_on_demand() {
    let options = DecoderOptions { strict: false, ..DecoderOptions::default() };
    let templates =
        template(r#"<string name="A"/><uInt32 name="B"/><int32 name="C"/><uInt64 name="D"/>"#);
    // Unused bits, an overlong map, an overlong string, overlong integers of every length.
    let mut bytes = hex("60 01 80 81");
    bytes.extend(hex("00 c1"));
    bytes.extend(hex("00 00 87"));
    bytes.extend(hex("7f ff"));
    bytes.extend(std::iter::repeat_n(0, 40));
    bytes.push(0x89);
    let mut decoder = Decoder::new(&templates, options);
    let mut writer = saker_fast::json::JsonWriter::default();
    assert_eq!(decoder.decode(&bytes, &mut writer), Ok(bytes.len()));
    let fields = r#"{"template":"T","id":1,"fields":{"A":"A","B":7,"C":-1,"D":9}}"#;
    assert_eq!(writer.text().trim_end(), fields);
}

#[test]
fn truncated_messages() {
    let fields = r#"<uInt32 name="A"/><string name="B"/><byteVector name="C"/><decimal name="D"/>"#;
    let templates = template(fields);
    let whole = hex("c0 81 01 81 41 c1 82 00 00 fe 81");
    for end in 0..whole.len() {
        let mut decoder = Decoder::new(&templates, DecoderOptions::default());
        let error = decoder.decode(&whole[..end], &mut Ignore).unwrap_err();
        assert_eq!(error.code, ErrorCode::Truncated, "{end}");
        assert!(error.offset <= end);
    }
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    assert_eq!(decoder.decode(&whole, &mut Ignore), Ok(whole.len()));
}

#[test]
fn errors_say_where() {
    let error = last_error(r#"<uInt32 name="A"/><int32 name="B"/>"#, &[("", "85 00 81")]);
    assert_eq!(error.offset, 3);
    assert_eq!(error.site.template.as_deref(), Some("T"));
    assert_eq!(error.site.field.as_deref(), Some("B"));
    let text = error.to_string();
    assert_eq!(text, r#"R6: the integer is overlong (byte 3 in template "T" at field "B")"#);
}

#[test]
fn limits_bound_memory_and_work() {
    let run = |templates: &Templates, options, bytes: &str| {
        Decoder::new(templates, options).decode(&hex(bytes), &mut Ignore).map_err(|e| e.code)
    };
    let limit = Err(ErrorCode::Limit);
    let options = DecoderOptions { max_string: 16, ..DecoderOptions::default() };
    let long = format!("c0 81 {} c1", "41 ".repeat(20));
    assert_eq!(run(&template(r#"<string name="V"/>"#), options, &long), limit);
    assert_eq!(run(&template(r#"<byteVector name="V"/>"#), options, "c0 81 91"), limit);
    let delta = template(r#"<string name="V"><delta value="0123456789abcdef"/></string>"#);
    assert_eq!(run(&delta, options, "c0 81 80 c1"), limit);
    // Elements that take no byte: the number is what limits the work.
    let empty = template(
        r#"<sequence name="S"><uInt32 name="V"><constant value="1"/></uInt32></sequence>"#,
    );
    assert_eq!(run(&empty, DecoderOptions::default(), "c0 81 04 00 81"), limit);
    assert_eq!(run(&empty, DecoderOptions::default(), "c0 81 04 00 80"), Ok(5));
    let options = DecoderOptions { max_sequence: 3, ..DecoderOptions::default() };
    assert_eq!(run(&empty, options, "c0 81 84"), limit);
    let nested = template(
        r#"<sequence name="S"><sequence name="T"><uInt32 name="V"><constant value="1"/></uInt32></sequence></sequence>"#,
    );
    // 2 + 50 + 50 elements.
    let options = |max_elements| DecoderOptions { max_elements, ..DecoderOptions::default() };
    assert_eq!(run(&nested, options(102), "c0 81 82 b2 b2"), Ok(5));
    assert_eq!(run(&nested, options(101), "c0 81 82 b2 b2"), limit);
    // A template that contains itself by dynamic reference, each level two bytes.
    let deep = template("<templateRef/>");
    let bytes = format!("c0 81 {}", "c0 81 ".repeat(1000));
    assert_eq!(run(&deep, DecoderOptions::default(), &bytes), limit);
}

#[test]
fn an_error_poisons_until_a_reset() {
    let templates = template(r#"<uInt32 name="V"><copy/></uInt32>"#);
    let (good, bad) = (hex("e0 81 85"), hex("e0 81 00 85"));
    let run = |decoder: &mut Decoder, bytes: &[u8]| {
        decoder.decode(bytes, &mut Ignore).map_err(|error| error.code)
    };
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    assert_eq!(run(&mut decoder, &bad), Err(ErrorCode::R6));
    assert_eq!(run(&mut decoder, &good), Err(ErrorCode::Poisoned));
    decoder.reset();
    assert_eq!(run(&mut decoder, &good), Ok(3));

    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    assert_eq!(run(&mut decoder, &bad), Err(ErrorCode::R6));
    assert_eq!(run(&mut decoder, &good), Ok(3));

    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Packet));
    let packet = [good.clone(), hex("80"), bad].concat();
    let error = decoder.decode_packet(&packet, &mut Ignore).unwrap_err();
    assert_eq!((error.code, error.offset), (ErrorCode::R6, 6));
    assert_eq!(decoder.decode_packet(&[good, hex("80")].concat(), &mut Ignore), Ok(2));
}

#[test]
fn a_message_that_does_not_encode_leaves_the_output_as_it_was() {
    let templates = template(r#"<uInt32 name="A"/><uInt32 name="V"/>"#);
    let mut message = Message::new(&templates, "T").unwrap();
    message.set("A", 1u32).unwrap();
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    let mut out = vec![1, 2, 3];
    let error = encoder.encode(&message, &mut out).unwrap_err();
    assert_eq!((error.code, error.site.field.as_deref()), (ErrorCode::Missing, Some("V")));
    assert_eq!(out, [1, 2, 3]);
    message.set("V", 1u32).unwrap();
    assert_eq!(encoder.encode(&message, &mut out).unwrap_err().code, ErrorCode::Poisoned);
    encoder.reset();
    encoder.encode(&message, &mut out).unwrap();
    assert_eq!(out, [1, 2, 3, 0xc0, 0x81, 0x81, 0x81]);
}

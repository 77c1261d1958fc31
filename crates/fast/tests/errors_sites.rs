//! The error codes at every place where the specification names them, by section. `errors.rs` has
//! a test for each code; here is what differs by type, operator or direction.
#![allow(clippy::unwrap_used)]

mod common;

use common::{hex, presence, template};
use saker_fast::model::convert;
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, FieldType, Ignore, Message, Value,
};

/// The code that one message of template 1 with these bits and bytes meets.
fn code(fields: &str, bits: &str, bytes: &str) -> Option<ErrorCode> {
    let mut input = presence(&format!("1{bits}"));
    input.push(0x81);
    input.extend(hex(bytes));
    let mut decoder = Decoder::new(&template(fields), DecoderOptions::default());
    decoder.decode(&input, &mut Ignore).err().map(|error| error.code)
}

fn encode(fields: &str, values: &[(&str, Value<'_>)]) -> Option<ErrorCode> {
    let templates = template(fields);
    let mut message = Message::new(&templates, "T").unwrap();
    for (field, value) in values {
        message.set(*field, *value).unwrap();
    }
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    encoder.encode(&message, &mut Vec::new()).err().map(|error| error.code)
}

const INTEGERS: [&str; 4] = ["int32", "uInt32", "int64", "uInt64"];
const ALL: [&str; 7] = ["int32", "uInt32", "int64", "uInt64", "decimal", "string", "byteVector"];

#[test]
fn section_6_2_1_d2_with_every_operator_that_has_the_value_in_the_stream() {
    // 2^32 for uInt32, as the value of each operator; the greatest value is none.
    for (operator, bits) in
        [("", ""), ("<default value='1'/>", "1"), ("<copy/>", "1"), ("<increment/>", "1")]
    {
        let field = format!("<uInt32 name='V'>{operator}</uInt32>");
        assert_eq!(code(&field, bits, "10 00 00 00 80"), Some(ErrorCode::D2), "{operator}");
        assert_eq!(code(&field, bits, "0f 7f 7f 7f ff"), None, "{operator}");
        let field = format!("<uInt32 name='V' presence='optional'>{operator}</uInt32>");
        assert_eq!(code(&field, bits, "10 00 00 00 81"), Some(ErrorCode::D2), "{operator}");
        assert_eq!(code(&field, bits, "10 00 00 00 80"), None, "{operator}");
    }
    // The length of a sequence is a uInt32.
    let rows = "<sequence name='S'><uInt32 name='A'/></sequence>";
    assert_eq!(code(rows, "", "10 00 00 00 80"), Some(ErrorCode::D2));
    // And so are the lengths of Unicode strings and byte vectors.
    for field in ["<byteVector name='V'/>", "<string name='V' charset='unicode'/>"] {
        let found = code(field, "", "10 00 00 00 80");
        assert!(matches!(found, Some(ErrorCode::D2 | ErrorCode::Limit)), "{found:?}");
    }
}

#[test]
fn section_6_2_2_r1_after_every_operator_and_d3() {
    for (field, bits, bytes) in [
        ("<decimal name='V'><copy/></decimal>", "1", "00 c0 81"),
        ("<decimal name='V'><default value='1'/></decimal>", "1", "00 c0 81"),
        ("<decimal name='V' presence='optional'/>", "", "00 c1 81"),
        ("<decimal name='V'><exponent><copy/></exponent></decimal>", "1", "00 c0 81"),
        ("<decimal name='V'><exponent><increment value='63'/></exponent></decimal>", "", "81"),
    ] {
        let found = code(field, bits, bytes);
        // 63 itself is within the range.
        let expected = if field.contains("value='63'") { None } else { Some(ErrorCode::R1) };
        assert_eq!(found, expected, "{field}");
    }
    let parts = "<decimal name='V'><exponent><default value='0'/></exponent><mantissa><constant value='5'/></mantissa></decimal>";
    let value = Value::Decimal { mantissa: 6, exponent: 0 };
    assert_eq!(encode(parts, &[("V", value)]), Some(ErrorCode::D3));
    // One that rescales is fine, one that loses digits is not.
    let parts = "<decimal name='V'><exponent><constant value='-2'/></exponent></decimal>";
    assert_eq!(encode(parts, &[("V", Value::Decimal { mantissa: 5, exponent: 0 })]), None);
    let fine = Value::Decimal { mantissa: 5, exponent: -3 };
    assert_eq!(encode(parts, &[("V", fine)]), Some(ErrorCode::D3));
    let large = Value::Decimal { mantissa: i64::MAX, exponent: 0 };
    assert_eq!(encode(parts, &[("V", large)]), Some(ErrorCode::D3));
}

#[test]
fn section_6_3_1_d4_for_every_operator_with_a_previous_value() {
    for (first, second, bits, bytes) in [
        ("uInt32", "<int32 name='V'><increment key='k'/></int32>", "10", "81"),
        ("uInt32", "<int32 name='V'><delta key='k'/></int32>", "1", "81 81"),
        ("uInt32", "<decimal name='V'><copy key='k'/></decimal>", "10", "81"),
        ("uInt32", "<decimal name='V'><delta key='k'/></decimal>", "1", "81 81 81"),
        ("uInt32", "<string name='V'><copy key='k'/></string>", "10", "81"),
        ("uInt32", "<string name='V'><tail key='k'/></string>", "10", "81"),
        ("uInt32", "<byteVector name='V'><delta key='k'/></byteVector>", "1", "81 80 80"),
        ("uInt32", "<uInt64 name='V'><copy key='k'/></uInt64>", "10", "81"),
    ] {
        let fields = format!("<{first} name='A'><copy key='k'/></{first}>{second}");
        assert_eq!(code(&fields, bits, bytes), Some(ErrorCode::D4), "{second}");
    }
    // The encoder meets it, too.
    let fields = "<uInt32 name='A'><copy key='k'/></uInt32><int32 name='V'><copy key='k'/></int32>";
    let values = [("A", Value::UInt(1)), ("V", Value::Int(1))];
    assert_eq!(encode(fields, &values), Some(ErrorCode::D4));
}

#[test]
fn sections_6_3_5_and_6_3_6_d5_and_d6_for_every_type() {
    for element in ALL {
        let field = format!("<{element} name='V'><copy/></{element}>");
        assert_eq!(code(&field, "0", ""), Some(ErrorCode::D5), "{element}");
        let field = format!("<{element} name='V' presence='optional'><copy/></{element}>");
        assert_eq!(code(&field, "0", ""), None, "{element}");
        let empty = format!(
            "<{element} name='A' presence='optional'><copy key='k'/></{element}>
             <{element} name='V'><copy key='k'/></{element}>"
        );
        assert_eq!(code(&empty, "10", "80"), Some(ErrorCode::D6), "{element}");
    }
    for element in INTEGERS {
        let field = format!("<{element} name='V'><increment/></{element}>");
        assert_eq!(code(&field, "0", ""), Some(ErrorCode::D5), "{element}");
        let empty = format!(
            "<{element} name='A' presence='optional'><increment key='k'/></{element}>
             <{element} name='V'><increment key='k'/></{element}>"
        );
        assert_eq!(code(&empty, "10", "80"), Some(ErrorCode::D6), "{element}");
    }
    let charset = "<string name='V' charset='unicode'><copy/></string>";
    assert_eq!(code(charset, "0", ""), Some(ErrorCode::D5));
    // The parts of a decimal have their own previous values.
    let parts =
        "<decimal name='V'><exponent><copy/></exponent><mantissa><delta/></mantissa></decimal>";
    assert_eq!(code(parts, "0", "81"), Some(ErrorCode::D5));
    let parts = "<decimal name='V' presence='optional'><exponent><default value='0'/></exponent><mantissa><copy/></mantissa></decimal>";
    assert_eq!(code(parts, "00", ""), Some(ErrorCode::D5));
    // So has the length of a sequence.
    let rows = "<sequence name='S'><length><copy/></length><uInt32 name='A'/></sequence>";
    assert_eq!(code(rows, "0", ""), Some(ErrorCode::D5));
}

#[test]
fn section_6_3_7_d6_d7_r1_r2_r4_of_deltas() {
    for (element, delta) in [
        ("int32", "81"),
        ("uInt32", "81"),
        ("int64", "81"),
        ("uInt64", "81"),
        ("decimal", "81 81"),
        ("string", "80 c1"),
        ("byteVector", "80 80"),
    ] {
        let fields = format!(
            "<{element} name='A' presence='optional'><copy key='k'/></{element}>
             <{element} name='V'><delta key='k'/></{element}>"
        );
        assert_eq!(code(&fields, "1", &format!("80 {delta}")), Some(ErrorCode::D6), "{element}");
    }
    for (field, bytes) in [
        ("<string name='V'><delta value='AB'/></string>", "83 c1"),
        ("<byteVector name='V'><delta value='0a0b'/></byteVector>", "83 80"),
        ("<byteVector name='V'><delta value='0a0b'/></byteVector>", "fc 80"),
        ("<string name='V' charset='unicode'><delta value='é'/></string>", "83 80"),
        // Beyond an int32.
        ("<byteVector name='V'><delta/></byteVector>", "08 00 00 00 80 80"),
        ("<byteVector name='V'><delta/></byteVector>", "77 7f 7f 7f ff 80"),
    ] {
        assert_eq!(code(field, "", bytes), Some(ErrorCode::D7), "{field} {bytes}");
    }
    for (field, bytes) in [
        ("<uInt32 name='V'><delta/></uInt32>", "ff"),
        ("<uInt64 name='V'><delta value='18446744073709551615'/></uInt64>", "81"),
        ("<int64 name='V'><delta value='9223372036854775807'/></int64>", "81"),
        ("<int64 name='V'><delta value='-9223372036854775808'/></int64>", "ff"),
        ("<sequence name='V'><length><delta/></length><uInt32 name='A'/></sequence>", "ff"),
    ] {
        assert_eq!(code(field, "", bytes), Some(ErrorCode::R4), "{field} {bytes}");
    }
    let mantissa = "<decimal name='V'><delta value='9223372036854775807'/></decimal>";
    assert_eq!(code(mantissa, "", "80 81"), Some(ErrorCode::R1));
}

#[test]
fn section_6_3_8_d6_d7_r2_of_tails() {
    for element in ["string", "byteVector", "string charset='unicode'"] {
        let tag = element.split(' ').next().unwrap();
        let field = format!("<{element} name='V'><tail/></{tag}>");
        assert_eq!(code(&field, "0", ""), Some(ErrorCode::D6), "{element}");
        let empty = format!(
            "<{element} name='A' presence='optional'><tail key='k'/></{tag}>
             <{element} name='V'><tail key='k'/></{tag}>"
        );
        assert_eq!(code(&empty, "10", "80"), Some(ErrorCode::D7), "{element}");
    }
    let field = "<string name='V' charset='unicode'><tail value='é'/></string>";
    assert_eq!(code(field, "1", "81 41"), Some(ErrorCode::R2));
}

#[test]
fn section_8_conversions() {
    let error = |value: Value<'_>, target| convert(value, target).err();
    let targets = [
        FieldType::Int32,
        FieldType::UInt32,
        FieldType::Int64,
        FieldType::UInt64,
        FieldType::Decimal,
    ];
    for target in targets {
        assert_eq!(error(Value::Bytes(&[1]), target), Some(ErrorCode::D10), "{target:?}");
        assert_eq!(error(Value::Unicode("x"), target), Some(ErrorCode::D11), "{target:?}");
        assert_eq!(error(Value::Ascii(b""), target), Some(ErrorCode::D11), "{target:?}");
    }
    for value in [Value::Int(1), Value::UInt(1), Value::Decimal { mantissa: 1, exponent: 0 }] {
        assert_eq!(error(value, FieldType::Bytes), Some(ErrorCode::D10), "{value:?}");
    }
    // §8.1.1, §8.2.1: R4; §8.1.2, §8.2.2: R1; §8.1.4: R3; §8.3.1: R5.
    assert_eq!(error(Value::Unicode("2147483648"), FieldType::Int32), Some(ErrorCode::R4));
    assert_eq!(error(Value::Unicode("-2147483649"), FieldType::Int32), Some(ErrorCode::R4));
    assert_eq!(error(Value::Int(-1), FieldType::UInt32), Some(ErrorCode::R4));
    assert_eq!(error(Value::UInt(u64::MAX), FieldType::Int64), Some(ErrorCode::R4));
    assert_eq!(
        error(Value::Unicode("9223372036854775808"), FieldType::Decimal),
        Some(ErrorCode::R1)
    );
    assert_eq!(error(Value::UInt(u64::MAX), FieldType::Decimal), Some(ErrorCode::R1));
    assert_eq!(error(Value::Unicode("ü"), FieldType::Ascii), Some(ErrorCode::R3));
    let half = Value::Decimal { mantissa: 5, exponent: -1 };
    assert_eq!(error(half, FieldType::Int64), Some(ErrorCode::R5));
    let wide = Value::Decimal { mantissa: 1, exponent: 20 };
    assert_eq!(error(wide, FieldType::UInt64), Some(ErrorCode::R5));
}

#[test]
fn section_10_r6_r7_r8_r9() {
    for element in INTEGERS {
        let overlong = format!("<{element} name='V'/>");
        assert_eq!(code(&overlong, "", "00 81"), Some(ErrorCode::R6), "{element}");
        let optional = format!("<{element} name='V' presence='optional'/>");
        assert_eq!(code(&optional, "", "00 81"), Some(ErrorCode::R6), "{element}");
        for (operator, bits) in [
            ("<copy/>", "1"),
            ("<increment/>", "1"),
            ("<default value='1'/>", "1"),
            ("<delta/>", ""),
        ] {
            let field = format!("<{element} name='V'>{operator}</{element}>");
            assert_eq!(code(&field, bits, "00 81"), Some(ErrorCode::R6), "{element} {operator}");
        }
    }
    for (field, bytes) in [
        ("<decimal name='V'/>", "00 81 81"),
        ("<decimal name='V'/>", "81 00 81"),
        ("<byteVector name='V'/>", "00 81 41"),
        ("<string name='V' charset='unicode'/>", "00 81 41"),
        ("<sequence name='S'><uInt32 name='A'/></sequence>", "00 81 81"),
        ("<string name='V'><delta/></string>", "00 80 c1"),
    ] {
        assert_eq!(code(field, "", bytes), Some(ErrorCode::R6), "{field}");
    }
    // The presence map of a group is one of its own.
    let group = "<group name='G'><uInt32 name='A'><copy/></uInt32></group>";
    assert_eq!(code(group, "", "40 80 81"), Some(ErrorCode::R7));
    assert_eq!(code(group, "", "e0 81"), Some(ErrorCode::R8));
    assert_eq!(code(group, "", "c0 81"), None);
    let rows = "<sequence name='S'><uInt32 name='A'><copy/></uInt32></sequence>";
    assert_eq!(code(rows, "", "81 e0 81"), Some(ErrorCode::R8));
    // §10.6.3: a zero byte in front of anything else; a nullable one may have one more.
    for (field, bits, bytes, expected) in [
        ("<string name='V'/>", "", "00 c1", Some(ErrorCode::R9)),
        ("<string name='V'/>", "", "00 80", None),
        ("<string name='V' presence='optional'/>", "", "00 c1", Some(ErrorCode::R9)),
        ("<string name='V' presence='optional'/>", "", "00 80", None),
        ("<string name='V' presence='optional'/>", "", "00 00 80", None),
        ("<string name='V'><default value='x'/></string>", "1", "00 c1", Some(ErrorCode::R9)),
        ("<string name='V'><tail/></string>", "1", "00 c1", Some(ErrorCode::R9)),
        ("<string name='V'><delta/></string>", "", "80 00 c1", Some(ErrorCode::R9)),
    ] {
        assert_eq!(code(field, bits, bytes), expected, "{field} {bytes}");
    }
}

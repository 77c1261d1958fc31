//! The worked examples of appendix 3 of the specification, both ways.
//!
//! Three of them contradict the normative text or another example; the comments say how.
#![allow(clippy::unwrap_used)]

mod common;

use common::{hex, presence, template};
use saker_fast::json::{from_json, to_json};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, MessageBuilder, Templates,
};

/// One message: the field's value as JSON (`None` where it is absent), the bits that the field
/// takes in the presence map, and the field's bytes.
type Row<'a> = (Option<&'a str>, &'a str, &'a str);

/// Encodes and decodes a field's values one after another with one encoder and decoder.
fn check(instructions: &str, rows: &[Row<'_>]) {
    let templates = template(instructions);
    let mut encoder = Encoder::new(&templates, EncoderOptions::default());
    let mut decoder = Decoder::new(&templates, DecoderOptions::default());
    let mut builder = MessageBuilder::new(&templates);
    for (index, (value, bits, bytes)) in rows.iter().enumerate() {
        let json = json(*value);
        // The first message has the identifier, which is 1.
        let (id_bit, id) = if index == 0 { ("1", "81") } else { ("0", "") };
        let mut expected = presence(&format!("{id_bit}{bits}"));
        expected.extend(hex(id));
        expected.extend(hex(bytes));
        let message = from_json(&templates, &json).unwrap();
        let mut encoded = Vec::new();
        encoder.encode(&message, &mut encoded).unwrap();
        assert_eq!(encoded, expected, "row {index} of {instructions}: {encoded:02x?}");
        assert_eq!(decoder.decode(&expected, &mut builder), Ok(expected.len()));
        assert_eq!(to_json(builder.message().unwrap()), json, "row {index} of {instructions}");
    }
}

/// Decodes bytes behind the header of a first message.
fn decode(templates: &Templates, bits: &str, bytes: &str) -> Result<String, ErrorCode> {
    let mut input = presence(&format!("1{bits}"));
    input.extend(hex(&format!("81 {bytes}")));
    let mut decoder = Decoder::new(templates, DecoderOptions::default());
    let mut builder = MessageBuilder::new(templates);
    decoder.decode(&input, &mut builder).map_err(|error| error.code)?;
    Ok(to_json(builder.message().unwrap()))
}

fn json(value: Option<&str>) -> String {
    let field = value.map(|value| format!("\"Value\":{value}")).unwrap_or_default();
    format!("{{\"template\":\"T\",\"id\":1,\"fields\":{{{field}}}}}")
}

#[test]
fn appendix_3_1_1_signed_integers() {
    let optional = r#"<int32 id="1" presence="optional" name="Value"/>"#;
    let mandatory = r#"<int32 id="1" presence="mandatory" name="Value"/>"#;
    check(optional, &[(Some("942755"), "", "39 45 a4"), (Some("-942755"), "", "46 3a dd")]);
    check(
        mandatory,
        &[
            (Some("942755"), "", "39 45 a3"),
            (Some("-7942755"), "", "7c 1b 1b 9d"),
            (Some("8193"), "", "00 40 81"),
            // The binary column of the example is right; its hexadecimal column says 73.
            (Some("-8193"), "", "7f 3f ff"),
        ],
    );
}

#[test]
fn appendix_3_1_2_unsigned_integers() {
    check(
        r#"<uInt32 id="1" presence="optional" name="Value"/>"#,
        &[
            (None, "", "80"),
            (Some("0"), "", "81"),
            (Some("1"), "", "82"),
            (Some("942755"), "", "39 45 a4"),
        ],
    );
    check(
        r#"<uInt32 id="1" presence="mandatory" name="Value"/>"#,
        &[(Some("0"), "", "80"), (Some("1"), "", "81"), (Some("942755"), "", "39 45 a3")],
    );
}

#[test]
fn appendix_3_1_3_strings() {
    check(
        r#"<string id="1" presence="optional" name="Value"/>"#,
        &[(None, "", "80"), (Some("\"ABC\""), "", "41 42 c3"), (Some("\"\""), "", "00 80")],
    );
    check(
        r#"<string id="1" presence="mandatory" name="Value"/>"#,
        &[(Some("\"ABC\""), "", "41 42 c3"), (Some("\"\""), "", "80")],
    );
}

#[test]
fn appendix_3_1_4_byte_vectors() {
    check(
        r#"<byteVector id="1" presence="optional" name="Value"/>"#,
        &[(None, "", "80"), (Some("\"414243\""), "", "84 41 42 43"), (Some("\"\""), "", "81")],
    );
    check(
        r#"<byteVector id="1" presence="mandatory" name="Value"/>"#,
        &[(Some("\"414243\""), "", "83 41 42 43"), (Some("\"\""), "", "80")],
    );
}

#[test]
fn appendix_3_1_5_decimals() {
    let mandatory = r#"<decimal id="1" presence="mandatory" name="Value"/>"#;
    let optional = r#"<decimal id="1" presence="optional" name="Value"/>"#;
    check(mandatory, &[(Some("942755e2"), "", "82 39 45 a3")]);
    check(mandatory, &[(Some("9427550e1"), "", "81 04 3f 34 de")]);
    check(optional, &[(Some("942755e2"), "", "83 39 45 a3"), (None, "", "80")]);
    check(mandatory, &[(Some("9427.55"), "", "fe 39 45 a3")]);
    check(optional, &[(Some("-9427.55"), "", "fe 46 3a dd")]);
    // As above, 7f where the hexadecimal column says 73.
    check(optional, &[(Some("-8.193"), "", "fd 7f 3f ff")]);
    check(
        r#"<decimal id="1" presence="optional" name="Value"><copy/></decimal>"#,
        &[(Some("9427.55"), "1", "fe 39 45 a3"), (Some("9427.55"), "0", "")],
    );
    check(
        r#"<decimal id="1" presence="optional" name="Value">
             <exponent><copy/></exponent><mantissa><delta/></mantissa>
           </decimal>"#,
        &[(Some("9427.55"), "1", "fe 39 45 a3"), (Some("9427.56"), "0", "81")],
    );
}

#[test]
fn appendix_3_2_1_constant() {
    check(
        r#"<uInt32 id="1" presence="mandatory" name="Value"><constant value="0"/></uInt32>"#,
        &[(Some("0"), "", "")],
    );
    check(
        r#"<uInt32 id="1" presence="optional" name="Value"><constant value="0"/></uInt32>"#,
        &[(Some("0"), "1", ""), (None, "0", "")],
    );
    let templates = template(r#"<uInt32 id="1" name="Value"><constant value="0"/></uInt32>"#);
    let options = EncoderOptions { require_constants: true, ..EncoderOptions::default() };
    for (value, code) in [(Some("99"), ErrorCode::D3), (None, ErrorCode::Missing)] {
        let message = from_json(&templates, &json(value)).unwrap();
        let mut encoder = Encoder::new(&templates, options);
        let error = encoder.encode(&message, &mut Vec::new()).unwrap_err();
        assert_eq!(error.code, code);
    }
}

#[test]
fn appendix_3_2_2_default() {
    check(
        r#"<uInt32 id="1" presence="mandatory" name="Value"><default value="0"/></uInt32>"#,
        &[(Some("0"), "0", ""), (Some("1"), "1", "81")],
    );
    check(
        r#"<uInt32 id="1" presence="optional" name="Value"><default/></uInt32>"#,
        &[(None, "0", "")],
    );
}

#[test]
fn appendix_3_2_3_copy() {
    check(
        r#"<string id="1" presence="mandatory" name="Value"><copy/></string>"#,
        &[
            (Some("\"CME\""), "1", "43 4d c5"),
            (Some("\"CME\""), "0", ""),
            (Some("\"ISE\""), "1", "49 53 c5"),
        ],
    );
    // The example sends NULL for the first absent value. By §6.3.5 it may be left out, since an
    // undefined previous value without initial value is absent too: one byte less.
    let optional = r#"<string id="1" presence="optional" name="Value"><copy/></string>"#;
    check(optional, &[(None, "0", ""), (None, "0", ""), (Some("\"CME\""), "1", "43 4d c5")]);
    assert_eq!(decode(&template(optional), "1", "80"), Ok(json(None)));
}

#[test]
fn appendix_3_2_4_increment() {
    check(
        r#"<uInt32 id="1" presence="mandatory" name="Value"><increment value="1"/></uInt32>"#,
        &[(Some("1"), "0", ""), (Some("2"), "0", ""), (Some("4"), "1", "84"), (Some("5"), "0", "")],
    );
}

#[test]
fn appendix_3_2_5_delta() {
    check(
        r#"<int32 id="1" presence="mandatory" name="Value"><delta/></int32>"#,
        &[
            (Some("942755"), "", "39 45 a3"),
            (Some("942750"), "", "fb"),
            (Some("942745"), "", "fb"),
            (Some("942745"), "", "80"),
        ],
    );
    check(
        r#"<decimal id="1" presence="mandatory" name="Value"><delta/></decimal>"#,
        &[
            (Some("9427.55"), "", "fe 39 45 a3"),
            (Some("9427.51"), "", "80 fc"),
            (Some("9427.46"), "", "80 fb"),
        ],
    );
    check(
        r#"<decimal id="1" presence="mandatory" name="Value"><delta value="12000"/></decimal>"#,
        &[
            (Some("1210e1"), "", "fe 09 ae"),
            (Some("1215e1"), "", "80 85"),
            (Some("1220e1"), "", "80 85"),
        ],
    );
    check(
        r#"<string id="1" presence="mandatory" name="Value"><delta/></string>"#,
        &[
            (Some("\"GEH6\""), "", "80 47 45 48 b6"),
            (Some("\"GEM6\""), "", "82 4d b6"),
            (Some("\"ESM6\""), "", "fd 45 d3"),
            (Some("\"RSESM6\""), "", "ff 52 d3"),
        ],
    );
}

#[test]
fn appendix_3_2_6_optional_decimal_with_individual_operators() {
    let instructions = r#"<decimal id="1" presence="optional" name="Value">
           <exponent><copy/></exponent><mantissa><copy/></mantissa>
         </decimal>"#;
    // The example's first mantissa is a4, as if it were nullable; by §10.5.1 it is mandatory, and
    // so it is in the second row.
    check(
        instructions,
        &[
            (Some("9427.55"), "11", "fe 39 45 a3"),
            (Some("9427.60"), "01", "39 45 a8"),
            (None, "1", "80"),
        ],
    );
}

#[test]
fn section_10_6_3_zero_preambles() {
    let mandatory = template(r#"<string name="Value"/>"#);
    let optional = template(r#"<string name="Value" presence="optional"/>"#);
    let value = |text: &str| Ok(json(Some(text)));
    assert_eq!(decode(&mandatory, "", "80"), value("\"\""));
    assert_eq!(decode(&mandatory, "", "00 80"), value("\"\\u0000\""));
    assert_eq!(decode(&mandatory, "", "00 c1"), Err(ErrorCode::R9));
    assert_eq!(decode(&optional, "", "80"), Ok(json(None)));
    assert_eq!(decode(&optional, "", "00 80"), value("\"\""));
    assert_eq!(decode(&optional, "", "00 c1"), Err(ErrorCode::R9));
    assert_eq!(decode(&optional, "", "00 00 80"), value("\"\\u0000\""));
    assert_eq!(decode(&optional, "", "00 00 c1"), Err(ErrorCode::R9));
    check(
        r#"<string name="Value" presence="optional"/>"#,
        &[(Some("\"\\u0000A\""), "", "00 00 00 c1"), (Some("\"A\\u0000\""), "", "41 80")],
    );
}

#[test]
fn section_10_6_1_the_nullable_maximum_needs_33_bits() {
    check(
        r#"<uInt32 name="Value" presence="optional"/>"#,
        &[(Some("4294967295"), "", "10 00 00 00 80")],
    );
    check(
        r#"<uInt64 name="Value" presence="optional"/>"#,
        &[(Some("18446744073709551615"), "", "02 00 00 00 00 00 00 00 00 80")],
    );
    check(
        r#"<int64 name="Value" presence="optional"/>"#,
        &[
            (Some("9223372036854775807"), "", "01 00 00 00 00 00 00 00 00 80"),
            (Some("-9223372036854775808"), "", "7f 00 00 00 00 00 00 00 00 80"),
            (Some("63"), "", "00 c0"),
            (Some("-64"), "", "c0"),
        ],
    );
}

#[test]
fn section_6_3_6_the_maximum_is_followed_by_the_minimum() {
    for (element, max, min, bytes) in [
        ("uInt32", "4294967295", "0", "0f 7f 7f 7f ff"),
        ("int32", "2147483647", "-2147483648", "07 7f 7f 7f ff"),
        ("uInt64", "18446744073709551615", "0", "01 7f 7f 7f 7f 7f 7f 7f 7f ff"),
        ("int64", "9223372036854775807", "-9223372036854775808", "00 7f 7f 7f 7f 7f 7f 7f 7f ff"),
    ] {
        check(
            &format!(r#"<{element} name="Value"><increment/></{element}>"#),
            &[(Some(max), "1", bytes), (Some(min), "0", "")],
        );
    }
}

#[test]
fn section_6_3_7_1_a_delta_may_be_wider_than_its_type() {
    check(
        r#"<uInt32 name="Value"><delta value="4294967295"/></uInt32>"#,
        &[(Some("17"), "", "70 00 00 00 92")],
    );
    check(
        r#"<uInt64 name="Value" presence="optional"><delta/></uInt64>"#,
        &[
            (Some("18446744073709551615"), "", "02 00 00 00 00 00 00 00 00 80"),
            (Some("0"), "", "7e 00 00 00 00 00 00 00 00 81"),
            (None, "", "80"),
            (Some("0"), "", "81"),
        ],
    );
}

#[test]
fn section_6_3_8_tail() {
    check(
        r#"<string name="Value"><tail/></string>"#,
        &[
            (Some("\"GEH6\""), "1", "47 45 48 b6"),
            (Some("\"GEM6\""), "1", "4d b6"),
            (Some("\"GEM6\""), "0", ""),
            (Some("\"ESM6AB\""), "1", "45 53 4d 36 41 c2"),
        ],
    );
    check(
        r#"<byteVector name="Value" presence="optional"><tail value="0102"/></byteVector>"#,
        &[
            (Some("\"0102\""), "0", ""),
            (Some("\"01ff\""), "1", "82 ff"),
            (None, "1", "80"),
            (None, "0", ""),
            // The base of an empty previous value is the initial value.
            (Some("\"0103\""), "1", "82 03"),
        ],
    );
}

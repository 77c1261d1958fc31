//! Framing of messages in streams.
#![allow(clippy::unwrap_used)]

mod common;

use common::{hex, template};
use saker_fast::json::JsonWriter;
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{Decoder, DecoderOptions, ErrorCode, ResetPolicy, Templates};

fn templates() -> Templates {
    template(r#"<uInt32 name="V"><copy value="0"/></uInt32>"#)
}

type Outcome = Result<(usize, String, bool), (ErrorCode, usize)>;

/// Offset, preamble and whether it is the first of its unit, for every message; or the error.
fn run(framing: Framing, preamble: usize, bytes: &str) -> (Vec<Outcome>, String) {
    let bytes = hex(bytes);
    let mut decoder = Decoder::new(&templates(), DecoderOptions::with_reset(ResetPolicy::Packet));
    let mut stream = MessageStream::new(&bytes, Layout { framing, preamble });
    let mut writer = JsonWriter::default();
    let mut outcomes = Vec::new();
    loop {
        match stream.next(&mut decoder, &mut writer) {
            Ok(None) => break,
            Ok(Some(framed)) => {
                let preamble = framed.preamble.iter().map(|byte| format!("{byte:02x}")).collect();
                outcomes.push(Ok((framed.offset, preamble, framed.first)));
            }
            Err(error) => outcomes.push(Err((error.code, error.offset))),
        }
    }
    let values = writer.text().lines().map(|line| {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        json["fields"]["V"].to_string()
    });
    (outcomes, values.collect::<Vec<_>>().join(" "))
}

fn at(offset: usize, preamble: &str, first: bool) -> Outcome {
    Ok((offset, preamble.to_owned(), first))
}

#[test]
fn without_lengths_every_message_is_a_unit_and_a_packet() {
    let (outcomes, values) = run(Framing::None, 1, "01 e0 81 85 02 c0 81");
    assert_eq!(outcomes, [at(1, "01", true), at(5, "02", true)]);
    assert_eq!(values, "5 0");
}

#[test]
fn units_with_lengths_hold_several_messages() {
    let unit = "aa bb e0 81 85 80";
    let expected = [at(6, "aabb", true), at(9, "aabb", false)];
    let (outcomes, values) = run(Framing::U32Le, 2, &format!("06 00 00 00 {unit}"));
    assert_eq!((&outcomes[..], &*values), (&expected[..], "5 5"));
    let (outcomes, values) = run(Framing::U16Be, 2, &format!("00 06 {unit} 00 05 cc dd e0 81 87"));
    let expected = [at(4, "aabb", true), at(7, "aabb", false), at(12, "ccdd", true)];
    assert_eq!((&outcomes[..], &*values), (&expected[..], "5 5 7"));
    // §10: a block size may be overlong.
    let (outcomes, values) = run(Framing::Block, 0, "00 84 e0 81 85 80 82 c0 81");
    assert_eq!(outcomes, [at(2, "", true), at(5, "", false), at(7, "", true)]);
    assert_eq!(values, "5 5 0");
}

#[test]
fn a_unit_of_a_preamble_only_is_skipped() {
    let (outcomes, values) = run(Framing::U16Be, 2, "00 02 aa bb 00 04 cc dd c0 81 00 02 ee ff");
    assert_eq!(outcomes, [at(8, "ccdd", true)]);
    assert_eq!(values, "0");
}

#[test]
fn after_an_error_the_next_unit_follows_where_there_are_lengths() {
    // An overlong integer, a message that ends behind its unit, and a good one.
    let bytes = "00 04 e0 81 00 85 00 02 e0 81 00 02 c0 81";
    let (outcomes, values) = run(Framing::U16Be, 0, bytes);
    let expected = [Err((ErrorCode::R6, 4)), Err((ErrorCode::Truncated, 10)), at(12, "", true)];
    assert_eq!((&outcomes[..], &*values), (&expected[..], "0"));
    let (outcomes, _) = run(Framing::None, 0, "e0 81 00 85 c0 81");
    assert_eq!(outcomes, [Err((ErrorCode::R6, 2))]);
}

#[test]
fn lengths_beyond_the_end_are_truncated() {
    for (framing, bytes) in [
        (Framing::U16Be, "00 03 c0 81"),
        (Framing::U32Le, "ff ff ff ff c0 81"),
        (Framing::U32Le, "01 00"),
        (Framing::Block, "00 00"),
        (Framing::Block, "0f 7f 7f 7f ff c0"),
    ] {
        let (outcomes, _) = run(framing, 0, bytes);
        assert_eq!(outcomes, [Err((ErrorCode::Truncated, 0))], "{framing:?} {bytes}");
    }
}

#[test]
fn lengths_come_in_several_widths_and_orders() {
    let unit = "aa e0 81 85 80";
    for (framing, header) in [
        (Framing::U8, "05"),
        (Framing::U16Le, "05 00"),
        (Framing::U16Be, "00 05"),
        (Framing::U32Le, "05 00 00 00"),
        (Framing::U32Be, "00 00 00 05"),
    ] {
        let start = hex(header).len() + 1;
        let (outcomes, values) = run(framing, 1, &format!("{header} {unit} {header} {unit}"));
        let next = start + hex(header).len() + 5;
        let expected = [
            at(start, "aa", true),
            at(start + 3, "aa", false),
            at(next, "aa", true),
            at(next + 3, "aa", false),
        ];
        assert_eq!((&outcomes[..], &*values), (&expected[..], "5 5 5 5"), "{framing:?}");
    }
}

#[test]
fn a_datagram_is_one_unit() {
    let (outcomes, values) = run(Framing::Datagram, 4, "00 00 00 09 e0 81 85 80 c0 81");
    let preamble = "00000009";
    assert_eq!(outcomes, [at(4, preamble, true), at(7, preamble, false), at(8, preamble, false)]);
    assert_eq!(values, "5 5 5");
    // A heartbeat has the preamble alone; less than that is no datagram of the feed.
    assert_eq!(run(Framing::Datagram, 4, "00 00 00 09").0, []);
    assert_eq!(run(Framing::Datagram, 4, "00 00").0, [Err((ErrorCode::Truncated, 0))]);
    assert_eq!(run(Framing::Datagram, 4, "").0, []);
    // An error ends the datagram: nothing tells where the next message starts.
    assert_eq!(run(Framing::Datagram, 0, "e0 81 00 85 80").0, [Err((ErrorCode::R6, 2))]);
}

/// Hexadecimal digits of text with `|` for SOH and `{hex}` for bytes.
fn step(text: &str) -> String {
    let mut digits = String::new();
    let mut raw = false;
    for c in text.chars() {
        match c {
            '{' | '}' => raw = c == '{',
            _ if raw => digits.push(c),
            '|' => digits += "01",
            _ => digits += &format!("{:02x}", c as u32),
        }
    }
    digits
}

#[test]
fn raw_data_of_step_messages_are_units() {
    let head = "8=STEP.1.0.0|9=60|35=W|49=V|";
    let first = step(&(format!("{head}95=4|96=") + "{e0 81 85 80}|10=123|"));
    // Raw data may have the bytes of SOH and `96=` in it; two of them in one message.
    let heartbeat = step("8=STEP.1.0.0|9=5|35=0|10=001|");
    let second = step(&(format!("{head}95=3|96=") + "{e0 81 81}|95=2|96={c0 81}|10=124|"));
    let (outcomes, values) = run(Framing::Step, 0, &format!("{first}{heartbeat}{second}"));
    let start = head.len() + "95=4|96=".len();
    let base = hex(&first).len() + hex(&heartbeat).len();
    let expected = [
        at(start, "", true),
        at(start + 3, "", false),
        at(base + start, "", true),
        at(base + start + 3 + "|95=2|96=".len(), "", true),
    ];
    assert_eq!((&outcomes[..], &*values), (&expected[..], "5 5 1 0"));
    // A preamble inside the raw data.
    let (outcomes, _) = run(Framing::Step, 2, &step("8=F|95=5|96={00 07 e0 81 85}|10=0|"));
    assert_eq!(outcomes, [at(17 - 3, "0007", true)]);
    // An error in a message costs its raw data.
    let bad = step("8=F|95=4|96={e0 81 00 85}|10=0|8=F|95=2|96={c0 81}|10=0|");
    let (outcomes, values) = run(Framing::Step, 0, &bad);
    assert!(matches!(outcomes[..], [Err((ErrorCode::R6, 14)), Ok(_)]), "{outcomes:?}");
    assert_eq!(values, "0");
}

#[test]
fn step_messages_that_are_malformed_end_the_stream() {
    for (text, code) in [
        ("8=F|96=x|", ErrorCode::D11),
        ("8=F|95=x|96=x|", ErrorCode::D11),
        ("8=F|95=+1|96=x|", ErrorCode::D11),
        ("8=F|95=|96=x|", ErrorCode::D11),
        ("8=F|95=99999999999999999999999|96=x|", ErrorCode::D11),
        ("8=F|95=2|8=F|96=x|", ErrorCode::D11),
        ("8=F|x=1|", ErrorCode::D11),
        ("8=F|=1|", ErrorCode::D11),
        ("8=F|12345678901=1|", ErrorCode::D11),
        ("8=F|95=0|96=|", ErrorCode::D12),
        ("8=F|95=9|96={e0 81 85}|", ErrorCode::Truncated),
        ("8=F|9", ErrorCode::Truncated),
        ("8=F|9=1", ErrorCode::Truncated),
    ] {
        let (outcomes, _) = run(Framing::Step, 0, &step(text));
        assert_eq!(outcomes, [Err((code, 0))], "{text}");
    }
    assert_eq!(run(Framing::Step, 0, "").0, []);
    assert_eq!(run(Framing::Step, 0, &step("8=F|35=0|10=0|")).0, []);
}

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

//! The encoder against the parser, and in-place patches against fresh encodings.

use proptest::prelude::*;
use saker_fix::dictionary::Dictionary;
use saker_fix::encode::{EncodeError, Header, Layout, Writer};
use saker_fix::parse::{GarbledKind, frame, frame_with_limit};
use saker_fix::value::{Decimal, TimestampCache};
use saker_fix::{patch, tag};

/// 2018-01-12T23:28:59.089Z, the time in the seed's table 5.
const NOW: u64 = 1_515_799_739_089_000_000;
const MILLIS: u64 = 1_000_000;

fn header(seq: u32, width: usize, now: u64) -> Header<'static> {
    Header {
        msg_type: "D",
        msg_seq_num: seq,
        seq_width: width,
        sender: "CLIENT1",
        target: "SIMULATOR",
        sending_time: now,
        poss_dup: None,
    }
}

/// Seed 001, table 5.
fn order(writer: &mut Writer<'_>) {
    writer.field_str(1, "CLIENT1");
    writer.field_str(11, "0102");
    writer.field_char(21, b'1');
    writer.field_uint(38, 2);
    writer.field_char(40, b'2');
    writer.field_decimal(44, 1100, 0);
    writer.field_char(54, b'2');
    writer.field_str(55, "MSFT");
    writer.field_char(59, b'0');
    writer.field_timestamp_seconds(60, NOW);
}

fn encode(header: &Header<'_>, body: impl FnOnce(&mut Writer<'_>)) -> (Vec<u8>, Layout) {
    let mut buffer = [0; 2048];
    let mut writer = Writer::begin(&mut buffer, header, &mut TimestampCache::default());
    body(&mut writer);
    let encoded = writer.finish().expect("the buffer is large enough");
    (encoded.bytes.to_vec(), encoded.layout)
}

#[test]
fn the_order_of_the_seeds_table_5_comes_out_byte_for_byte() {
    let (bytes, _) = encode(&header(20, 0, NOW), order);
    let text = String::from_utf8(bytes).unwrap().replace('\x01', "|");
    // BodyLength and CheckSum are those printed in the paper.
    assert_eq!(
        text,
        "8=FIX.4.4|9=140|35=D|34=20|49=CLIENT1|52=20180112-23:28:59.089|56=SIMULATOR|1=CLIENT1|\
         11=0102|21=1|38=2|40=2|44=1100|54=2|55=MSFT|59=0|60=20180112-23:28:59|10=086|"
    );
}

/// Seed 001, table 3.
#[test]
fn the_snapshot_of_the_seeds_table_3_comes_out_and_is_valid() {
    let head = Header {
        msg_type: "W",
        sender: "SIMULATOR",
        target: "CLIENT1",
        ..header(22, 0, 1_515_799_739_432_000_000)
    };
    let (bytes, _) = encode(&head, |w| {
        w.field_str(tag::SYMBOL, "MSFT");
        w.field_str(tag::MD_REQ_ID, "1");
        w.field_uint(tag::NO_MD_ENTRIES, 3);
        for (kind, price, size) in [(b'0', 1170, 296), (b'1', 1200, 497), (b'2', 1170, 1)] {
            w.field_char(tag::MD_ENTRY_TYPE, kind);
            w.field_decimal(tag::MD_ENTRY_PX, price, 0);
            w.field_uint(tag::MD_ENTRY_SIZE, size);
            if kind != b'2' {
                w.field_uint(tag::MD_ENTRY_POSITION_NO, 1);
            }
        }
    });
    let text = String::from_utf8(bytes.clone()).unwrap().replace('\x01', "|");
    assert!(text.starts_with("8=FIX.4.4|9=159|35=W|34=22|49=SIMULATOR|"), "{text}");
    // The paper prints CheckSum 046, which is not the sum of the fields that it prints.
    assert!(text.ends_with("|269=2|270=1170|271=1|10=050|"), "{text}");
    let (message, _) = frame(&bytes).unwrap().unwrap();
    assert_eq!(Dictionary::builtin().validate(&message, false), Ok(()));
}

#[test]
fn decimals_are_written_with_every_digit() {
    let cases: &[(i64, i32, &str)] = &[
        (1250, -2, "12.50"),
        (5, -3, "0.005"),
        (-5, -1, "-0.5"),
        (0, -2, "0.00"),
        (0, 5, "0"),
        (3, 2, "300"),
        (-1, 0, "-1"),
        (i64::MIN, 0, "-9223372036854775808"),
        (i64::MIN, -20, "-0.09223372036854775808"),
        (i64::MIN, -19, "-0.9223372036854775808"),
        (i64::MAX, 20, "922337203685477580700000000000000000000"),
    ];
    for &(mantissa, exponent, text) in cases {
        let (bytes, _) = encode(&header(1, 0, NOW), |w| w.field_decimal(44, mantissa, exponent));
        let (message, _) = frame(&bytes).unwrap().unwrap();
        assert_eq!(message.str(44), Ok(text));
    }
}

#[test]
fn what_cannot_be_written_is_an_error_and_not_a_wrong_message() {
    let attempt = |size: usize, body: &dyn Fn(&mut Writer<'_>)| {
        let mut buffer = vec![0; size];
        let mut writer =
            Writer::begin(&mut buffer, &header(1, 0, NOW), &mut TimestampCache::default());
        body(&mut writer);
        writer.finish().map(|encoded| encoded.bytes.len())
    };
    let illegal = |tag| Err(EncodeError::IllegalValue { tag });
    assert_eq!(attempt(2048, &|w| w.field_str(58, "a\x0149=EVIL")), illegal(58));
    assert_eq!(attempt(2048, &|w| w.field_str(58, "")), illegal(58));
    assert_eq!(attempt(2048, &|w| w.field_decimal(44, 1, 21)), illegal(44));
    assert_eq!(attempt(2048, &|w| w.field_data(95, 355, b"x")), illegal(355));
    assert_eq!(attempt(2048, &|w| w.field_int(0, 1)), illegal(0));
    let whole = attempt(2048, &order).unwrap();
    for size in 0..whole {
        assert!(matches!(attempt(size, &order), Err(EncodeError::BufferFull { .. })), "{size}");
    }
}

#[test]
fn a_sequence_number_wider_than_its_field_is_refused() {
    let (mut bytes, layout) = encode(&header(7, 3, NOW), order);
    let before = bytes.clone();
    let error = patch::msg_seq_num(&mut bytes, &layout, 1000);
    assert_eq!(error, Err(patch::PatchError::TooWide { seq: 1000, width: 3 }));
    let short = patch::msg_seq_num(&mut bytes[..40], &layout, 9);
    assert_eq!(short, Err(patch::PatchError::Layout));
    assert_eq!(bytes, before);
}

#[derive(Debug, Clone)]
enum Field {
    Text(u32, String),
    Int(u32, i64),
    Decimal(u32, i64, i32),
    Time(u32, u64),
    Data(Vec<u8>),
}

fn field() -> impl Strategy<Value = Field> {
    let tag = 1000u32..2_000_000;
    prop_oneof![
        (tag.clone(), "[ -~é=]{1,30}").prop_map(|(t, v)| Field::Text(t, v)),
        (tag.clone(), any::<i64>()).prop_map(|(t, v)| Field::Int(t, v)),
        (tag.clone(), any::<i64>(), -20i32..=0).prop_map(|(t, m, e)| Field::Decimal(t, m, e)),
        (tag, any::<u64>()).prop_map(|(t, v)| Field::Time(t, v)),
        prop::collection::vec(prop_oneof![Just(1u8), any::<u8>()], 0..20).prop_map(Field::Data),
    ]
}

fn write(writer: &mut Writer<'_>, fields: &[Field]) {
    for field in fields {
        match field {
            Field::Text(tag, value) => writer.field_str(*tag, value),
            Field::Int(tag, value) => writer.field_int(*tag, *value),
            Field::Decimal(tag, m, e) => writer.field_decimal(*tag, *m, *e),
            Field::Time(tag, at) => writer.field_timestamp(*tag, *at),
            Field::Data(data) => writer.field_data(95, 96, data),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read(
        fields in prop::collection::vec(field(), 0..60),
        seq in 1u32..1_000_000_000,
        now in any::<u64>(),
    ) {
        let mut buffer = vec![0; 16_384];
        let mut dates = TimestampCache::default();
        let head = Header { poss_dup: Some(NOW), ..header(seq, 0, now) };
        let mut writer = Writer::begin(&mut buffer, &head, &mut dates);
        write(&mut writer, &fields);
        let encoded = writer.finish().unwrap();
        let (message, size) = frame(encoded.bytes).unwrap().unwrap();
        prop_assert_eq!(size, encoded.bytes.len());
        prop_assert_eq!(message.msg_seq_num(), Ok(seq));
        prop_assert_eq!(message.timestamp(tag::SENDING_TIME), Ok(now - now % MILLIS));
        prop_assert_eq!(message.timestamp(tag::ORIG_SENDING_TIME), Ok(NOW));
        let layout = Layout::locate(encoded.bytes).unwrap();
        prop_assert_eq!(layout, Some(encoded.layout));
        let mut read = message.fields().skip(9);
        for field in &fields {
            let (found, value) = read.next().unwrap();
            let mut lone = vec![0; 512];
            let mut lone_writer = Writer::begin(&mut lone, &head, &mut dates);
            lone_writer.field_bytes(found, if value.is_empty() { b"?" } else { value });
            let lone = lone_writer.finish().unwrap();
            let (lone, _) = frame(lone.bytes).unwrap().unwrap();
            match field {
                Field::Text(tag, text) => {
                    prop_assert_eq!((found, value), (*tag, text.as_bytes()))
                }
                Field::Int(tag, int) => prop_assert_eq!(lone.int(*tag), Ok(*int)),
                Field::Decimal(tag, mantissa, exponent) => prop_assert_eq!(
                    lone.decimal(*tag),
                    Ok(Decimal { mantissa: *mantissa, exponent: *exponent })
                ),
                Field::Time(tag, at) => {
                    prop_assert_eq!(lone.timestamp(*tag), Ok(at - at % MILLIS))
                }
                Field::Data(data) => {
                    prop_assert_eq!(found, 95);
                    prop_assert_eq!(lone.uint(95), Ok(data.len() as u64));
                    prop_assert_eq!(read.next().unwrap(), (96, &data[..]));
                }
            }
        }
        prop_assert_eq!(read.next().unwrap().0, tag::CHECK_SUM);
        prop_assert!(read.next().is_none());
    }

    #[test]
    fn a_patched_message_equals_a_fresh_one(
        first in 0u32..1_000_000_000,
        then in prop::collection::vec((0u32..1_000_000_000, any::<u64>()), 1..5),
    ) {
        let (mut patched, layout) = encode(&header(first, 9, NOW), order);
        let mut dates = TimestampCache::default();
        for (seq, now) in then {
            patch::msg_seq_num(&mut patched, &layout, seq).unwrap();
            patch::sending_time(&mut patched, &layout, now, &mut dates).unwrap();
            let (fresh, fresh_layout) = encode(&header(seq, 9, now), order);
            prop_assert_eq!(layout, fresh_layout);
            prop_assert_eq!(&patched, &fresh);
        }
    }

    #[test]
    fn random_bytes_never_panic_and_the_stream_always_advances(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..20),
                Just(b"8=FIX.4.4\x01".to_vec()),
                Just(b"9=5\x01".to_vec()),
                Just(b"35=0\x01".to_vec()),
                Just(b"95=3\x0196=".to_vec()),
                Just(b"10=163\x01".to_vec()),
            ],
            0..30,
        ),
    ) {
        let bytes = pieces.concat();
        let dictionary = Dictionary::builtin();
        let mut at = 0;
        loop {
            match frame_with_limit(&bytes[at..], 200) {
                Ok(Some((message, size))) => {
                    prop_assert!(size > 0);
                    prop_assert_eq!(message.bytes(), &bytes[at..at + size]);
                    let _ = dictionary.validate(&message, false);
                    for (tag, _) in message.fields() {
                        let _ = (message.get(tag), message.group(tag, &[269, 270]).count());
                    }
                    at += size;
                }
                Ok(None) => break,
                Err(error) => {
                    prop_assert!(error.skip >= 1 && error.skip <= (bytes.len() - at).max(1));
                    at += error.skip;
                }
            }
            if at >= bytes.len() {
                break;
            }
        }
    }

    /// Any one byte changed: never a panic, and the message after it is always found.
    #[test]
    fn a_mutated_message_does_not_hide_the_next(at in 0usize..160, byte in any::<u8>()) {
        let (mut bytes, _) = encode(&header(20, 0, NOW), order);
        let (next, _) = encode(&header(21, 0, NOW), order);
        let at = at % bytes.len();
        let changed = bytes[at] != byte;
        bytes[at] = byte;
        // A longer BodyLength may swallow what follows up to the limit, so follow with enough.
        for _ in 0..5 {
            bytes.extend_from_slice(&next);
        }
        let mut rest = &bytes[..];
        let mut seen = Vec::new();
        while let Some(step) = match frame_with_limit(rest, 400) {
            Ok(Some((message, size))) => {
                seen.push(message.msg_seq_num().unwrap());
                Some(size)
            }
            Ok(None) => None,
            Err(error) => {
                prop_assert!(!matches!(error.kind, GarbledKind::DataLength));
                Some(error.skip)
            }
        } {
            rest = &rest[step..];
        }
        let expected: &[u32] = if changed { &[21; 5] } else { &[20, 21, 21, 21, 21, 21] };
        prop_assert_eq!(&seen[..], expected);
    }
}

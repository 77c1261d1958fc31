//! Properties over random templates and messages.
#![allow(clippy::unwrap_used)]

mod common;

use common::generate::Generator;
use proptest::prelude::*;
use saker_fast::json::{JsonWriter, from_json, to_json};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, ErrorCode, MessageBuilder, ResetPolicy,
    Templates,
};

const POLICIES: [ResetPolicy; 3] = [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// What is encoded decodes to the same message, encodes to the same bytes again, and survives
    /// JSON; and that over many messages of several templates with one state.
    #[test]
    fn decoding_inverts_encoding(seed: u64) {
        let mut generator = Generator::new(seed);
        let xml = generator.definition();
        let templates = Templates::from_xml(&xml).map_err(|error| {
            TestCaseError::fail(format!("{error}\n{xml}"))
        })?;
        let policy = POLICIES[(seed % 3) as usize];
        let always_send_id = seed.is_multiple_of(5);
        let options = EncoderOptions { always_send_id, ..EncoderOptions::with_reset(policy) };
        let mut encoder = Encoder::new(&templates, options);
        let mut again = Encoder::new(&templates, options);
        let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(policy));
        let mut builder = MessageBuilder::new(&templates);
        let mut writer = JsonWriter::default();
        for _ in 0..12 {
            let message = generator.message(&templates);
            encoder.begin_packet();
            let mut bytes = Vec::new();
            match encoder.encode(&message, &mut bytes) {
                Ok(()) => {}
                // A random message may nest dynamic references without end.
                Err(error) if error.code == ErrorCode::Missing => break,
                Err(error) => return Err(TestCaseError::fail(format!("{error}\n{xml}"))),
            }
            decoder.begin_packet();
            let length = decoder.decode(&bytes, &mut builder).map_err(|error| {
                TestCaseError::fail(format!("{error}\n{bytes:02x?}\n{}\n{xml}", to_json(&message)))
            })?;
            prop_assert_eq!(length, bytes.len());
            let decoded = builder.message().expect("the message is complete");
            prop_assert_eq!(to_json(decoded), to_json(&message), "{}", xml);
            prop_assert!(*decoded == message);

            again.begin_packet();
            let mut bytes_again = Vec::new();
            again.encode(decoded, &mut bytes_again).expect("it has been encoded before");
            prop_assert_eq!(&bytes_again, &bytes);

            let json = to_json(&message);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
            let read = from_json(&templates, &json)
                .map_err(|error| TestCaseError::fail(format!("{error}\n{json}\n{xml}")))?;
            prop_assert!(read == message, "{}", json);
            writer.clear();
            message.visit(&mut writer);
            prop_assert_eq!(writer.text().trim_end(), json);
        }
    }

    /// A lenient decoder accepts what a strict one does, and with the same result.
    #[test]
    fn strictness_changes_no_valid_message(seed: u64) {
        let mut generator = Generator::new(seed);
        let templates = Templates::from_xml(&generator.definition()).expect("a valid definition");
        let message = generator.message(&templates);
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&templates, EncoderOptions::default());
        if encoder.encode(&message, &mut bytes).is_ok() {
            let lenient = DecoderOptions { strict: false, ..DecoderOptions::default() };
            let mut builder = MessageBuilder::new(&templates);
            Decoder::new(&templates, lenient).decode(&bytes, &mut builder).expect("it decodes");
            prop_assert!(builder.message() == Some(&message));
        }
    }
}

//! Any bytes against several sets of templates, strictly and not; what decodes encodes again.

use super::super::{Choices, options, round_trip};
use saker_fast::json::{JsonWriter, from_json};
use saker_fast::{Decoder, MessageBuilder, ResetPolicy};

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (templates, policy) = (choices.set(), choices.policy());
    let packet = choices.0;
    for strict in [true, false] {
        let mut writer = JsonWriter::default();
        let mut decoder = Decoder::new(templates, options(strict, policy));
        if let Err(error) = decoder.decode_packet(packet, &mut writer) {
            assert!(error.offset <= packet.len());
        }
        for line in writer.text().lines() {
            from_json(templates, line).expect("what was written can be read");
        }
        let mut builder = MessageBuilder::new(templates);
        let mut decoder = Decoder::new(templates, options(strict, policy));
        if decoder.decode(packet, &mut builder).is_ok() {
            let message = builder.take().expect("a decoded message is complete");
            round_trip(templates, &[message], ResetPolicy::Message);
        }
    }
}

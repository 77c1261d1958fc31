//! Any bytes against generated code and the run-time codec: the same message or the same error, and
//! the same bytes again.

use saker_fast::runtime::FieldVisitor;
use saker_fast::{Decoder, Encoder, EncoderOptions, MessageBuilder, ResetPolicy, Templates};
use std::sync::OnceLock;

use super::super::{Choices, options};

#[allow(dead_code)]
#[path = "../../../tests/generated/extension.rs"]
mod extension;
#[allow(dead_code)]
#[path = "../../../tests/generated/market.rs"]
mod market;
#[allow(dead_code)]
#[path = "../../../tests/generated/operators.rs"]
mod operators;
#[allow(dead_code)]
#[path = "../../../tests/generated/structures.rs"]
mod structures;

/// A visitor that looks at nothing.
struct Unread;

impl FieldVisitor for Unread {}

macro_rules! agree {
    ($module:ident, $packet:expr, $strict:expr, $reset:expr) => {{
        static TEMPLATES: OnceLock<Templates> = OnceLock::new();
        let templates = TEMPLATES.get_or_init(|| {
            let xml =
                include_str!(concat!("../../../tests/generated/", stringify!($module), ".xml"));
            Templates::from_xml(xml).expect("the definition beside the generated code loads")
        });
        let options = options($strict, $reset);
        let encoding = EncoderOptions::with_reset($reset);
        let mut golden = Decoder::new(templates, options);
        let mut decoder = $module::Decoder::new(options);
        let mut visiting = $module::Decoder::new(options);
        let mut golden_encoder = Encoder::new(templates, encoding);
        let mut encoder = $module::Encoder::new(encoding);
        let mut builder = MessageBuilder::new(templates);
        let mut at = 0;
        while at < $packet.len() {
            let bytes = &$packet[at..];
            let expected = golden.decode(bytes, &mut builder);
            assert_eq!(visiting.visit(bytes, &mut Unread), expected);
            match (decoder.decode(bytes), expected) {
                (Ok((message, length)), Ok(expected)) => {
                    assert_eq!(length, expected);
                    let (mut wanted, mut written) = (Vec::new(), Vec::new());
                    let tree = builder.message().expect("a decoded message is complete");
                    let outcome = golden_encoder.encode(tree, &mut wanted);
                    assert_eq!(encoder.encode(message, &mut written), outcome);
                    assert_eq!(written, wanted);
                    at += length;
                }
                (Err(error), Err(expected)) => {
                    assert_eq!(error, expected);
                    break;
                }
                (decoded, expected) => {
                    panic!("{:?}, {expected:?}", decoded.map(|(_, length)| length))
                }
            }
        }
    }};
}

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (set, strict) = (choices.below(4), choices.byte() & 1 == 0);
    let reset: ResetPolicy = choices.policy();
    let packet = choices.0;
    match set {
        0 => agree!(extension, packet, strict, reset),
        1 => agree!(market, packet, strict, reset),
        2 => agree!(operators, packet, strict, reset),
        _ => agree!(structures, packet, strict, reset),
    }
}

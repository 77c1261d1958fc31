//! Any text as a definition: it loads or is refused, and what loads compiles, encodes and decodes.

use super::super::options;
use saker_fast::{Decoder, Ignore, LoadOptions, ResetPolicy, Templates};

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for options_of_load in [LoadOptions::strict(), LoadOptions::lenient()] {
        let load = LoadOptions { max_bytes: 1 << 16, max_instructions: 1 << 12, ..options_of_load };
        let Ok(templates) = Templates::from_xml_with(text, &load) else { continue };
        for template in templates.all() {
            assert!(templates.by_name(&template.name.local).is_some());
        }
        let mut decoder = Decoder::new(&templates, options(true, ResetPolicy::Packet));
        let _ = decoder.decode_packet(&bytes[bytes.len() / 2..], &mut Ignore);
    }
}

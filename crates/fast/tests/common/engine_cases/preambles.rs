//! Cases of preambles about the ends of words (MICROCODE.md §1.1): packets that end within one, behind it, and in each
//! place of the messages that follow.

use saker_fast::ResetPolicy;
use saker_fast::microcode::Settings;

use super::super::{hex, template};
use super::{Case, Input, PACES, by, compiled};

pub fn cases() -> Vec<Case> {
    let templates = template(
        r#"<uInt32 name="A"/><uInt32 name="B"/><uInt32 name="C"><copy/></uInt32><string name="D"/>"#,
    );
    let case = |preamble: u8| {
        let settings = Settings { preamble, ..by(ResetPolicy::Packet) };
        let program = compiled(&templates, settings).unwrap();
        PACES.map(|pace| Case {
            name: format!("a preamble of {preamble} bytes"),
            program: program.clone(),
            packets: packets(preamble.into()).map(Input::from).collect(),
            pace,
        })
    };
    PREAMBLES.into_iter().flat_map(case).collect()
}

const PREAMBLES: [u8; 13] = [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 248, 255];

const MESSAGES: &str = "e0 81 05 81 82 83 41 c2 80 84 85 c3 e0 81 86 87 88 c4";

/// Behind a preamble that looks like messages, they, up to each byte.
fn packets(preamble: usize) -> impl Iterator<Item = Vec<u8>> {
    let messages = hex(MESSAGES);
    let whole: Vec<u8> = messages.iter().cycle().take(preamble).chain(&messages).copied().collect();
    (preamble.saturating_sub(9)..=whole.len()).map(move |length| whole[..length].to_vec())
}

//! Any bytes in every framing: a stream ends, and each call makes progress.

use super::super::{Choices, options};
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{Decoder, Ignore};

const FRAMINGS: [Framing; 9] = [
    Framing::None,
    Framing::U8,
    Framing::U16Le,
    Framing::U16Be,
    Framing::U32Le,
    Framing::U32Be,
    Framing::Block,
    Framing::Datagram,
    Framing::Step,
];

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (templates, policy) = (choices.set(), choices.policy());
    let layout = Layout { framing: FRAMINGS[choices.below(9)], preamble: choices.below(6) };
    let bytes = choices.0;
    let mut decoder = Decoder::new(templates, options(true, policy));
    let mut stream = MessageStream::new(bytes, layout);
    let mut calls = 0;
    loop {
        match stream.next(&mut decoder, &mut Ignore) {
            Ok(None) => break,
            Ok(Some(framed)) => assert_eq!(framed.preamble.len(), layout.preamble),
            Err(error) => assert!(error.offset <= bytes.len()),
        }
        calls += 1;
        assert!(calls <= bytes.len() + 1);
    }
}

//! Any messages of several sets of templates: decoding is the inverse of encoding.

use super::super::{Choices, message, round_trip};

/// The target.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (templates, policy) = (choices.set(), choices.policy());
    let messages: Vec<_> =
        (0..1 + choices.below(4)).filter_map(|_| message(&mut choices, templates)).collect();
    round_trip(templates, &messages, policy);
}

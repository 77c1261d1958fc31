//! How an encoder writes.

use crate::decode::ResetPolicy;

/// How to encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncoderOptions {
    /// When the dictionaries are reset; it must be the decoder's policy.
    pub reset: ResetPolicy,
    /// Write the template identifier in every message, also where the copy operator would leave
    /// it out.
    pub always_send_id: bool,
    /// Refuse a message that has no value for a mandatory field with the constant operator. Since
    /// that value is never transferred, it is otherwise taken as given.
    pub require_constants: bool,
    /// Longest string or byte vector in bytes.
    pub max_string: u32,
    /// Deepest nesting of groups, sequences and references.
    pub max_depth: u32,
}

impl Default for EncoderOptions {
    fn default() -> Self {
        Self {
            reset: ResetPolicy::Never,
            always_send_id: false,
            require_constants: false,
            max_string: 1 << 16,
            max_depth: 64,
        }
    }
}

impl EncoderOptions {
    /// The default options with a reset policy.
    pub fn with_reset(reset: ResetPolicy) -> Self {
        Self { reset, ..Self::default() }
    }
}

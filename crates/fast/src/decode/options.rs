//! What a decoder checks and when it forgets.

/// When the dictionaries are reset besides explicit calls and templates with `scp:reset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResetPolicy {
    /// Never.
    #[default]
    Never,
    /// At the start of every packet.
    Packet,
    /// At the start of every message.
    Message,
}

/// How to decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecoderOptions {
    /// When the dictionaries are reset.
    pub reset: ResetPolicy,
    /// Whether overlong integers, strings and presence maps, and unused presence map bits, are
    /// errors (R6–R9). The specification lets a decoder ignore them.
    pub strict: bool,
    /// Longest string or byte vector, after its operator, in bytes; at least 16.
    pub max_string: u32,
    /// Most elements of one sequence.
    pub max_sequence: u32,
    /// Most elements of all sequences of a message together; it bounds the work that a message
    /// of a few bytes can ask for.
    pub max_elements: u32,
    /// Deepest nesting of groups, sequences and references in a message.
    pub max_depth: u32,
}

impl Default for DecoderOptions {
    fn default() -> Self {
        Self {
            reset: ResetPolicy::Never,
            strict: true,
            max_string: 1 << 16,
            max_sequence: 1 << 16,
            max_elements: 1 << 16,
            max_depth: 64,
        }
    }
}

impl DecoderOptions {
    /// Strings of this length are decoded in registers, without a look at the limit.
    pub(crate) const LEAST_MAX_STRING: u32 = 16;

    /// The default options with a reset policy.
    pub fn with_reset(reset: ResetPolicy) -> Self {
        Self { reset, ..Self::default() }
    }
}

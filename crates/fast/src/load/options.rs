//! What deviations from the concrete syntax the loader accepts.

/// How to load template definitions. [`LoadOptions::strict`] is the specification;
/// [`LoadOptions::lenient`] is what published exchange files need. The limits hold in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Accept template elements in no namespace or in another one than
    /// `http://www.fixprotocol.org/ns/fast/td/1.1`. Elements of other namespaces are then no
    /// longer foreign where their local name is one of the specification.
    pub any_namespace: bool,
    /// Accept prefixes that are not declared. `scp` then stands for the session control protocol,
    /// any other for a namespace that nothing else is in.
    pub undeclared_prefixes: bool,
    /// Ignore attributes without namespace that the specification does not have.
    pub unknown_attributes: bool,
    /// Accept `yes`, `y`, `true`, `t` and `1`, in any case, as the value of `reset`, and the
    /// attribute without its namespace.
    pub loose_reset: bool,
    /// Accept `exponent` and `mantissa` elements without operator: the part then has none.
    pub empty_parts: bool,
    /// Largest definition in bytes.
    pub max_bytes: usize,
    /// Deepest nesting of groups, sequences and static references.
    pub max_depth: u32,
    /// Most templates and instructions, after static references are followed.
    pub max_instructions: u32,
}

impl LoadOptions {
    /// The specification's rules.
    pub const fn strict() -> Self {
        Self {
            any_namespace: false,
            undeclared_prefixes: false,
            unknown_attributes: false,
            loose_reset: false,
            empty_parts: false,
            max_bytes: 16 << 20,
            max_depth: 32,
            max_instructions: 1 << 18,
        }
    }

    /// Every deviation that has been seen in published files.
    pub const fn lenient() -> Self {
        Self {
            any_namespace: true,
            undeclared_prefixes: true,
            unknown_attributes: true,
            loose_reset: true,
            empty_parts: true,
            ..Self::strict()
        }
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self::strict()
    }
}

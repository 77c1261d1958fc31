//! What deviations from the concrete syntax the loader accepts.

use crate::model::Template;

/// How to load template definitions. [`LoadOptions::strict`] is the specification;
/// [`LoadOptions::lenient`] is what published exchange files need. The limits hold in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Accept template elements in no namespace or in another one than
    /// `http://www.fixprotocol.org/ns/fast/td/1.1` and `…/1.2`. Elements of other namespaces are
    /// then no longer foreign where their local name is one of the specification, and elements of
    /// FAST 1.2 are known in any.
    pub any_namespace: bool,
    /// Take the first `templates` or `template` inside a root element of another name.
    pub any_root: bool,
    /// Accept prefixes that are not declared. `scp` then stands for the session control protocol,
    /// any other for a namespace that nothing else is in.
    pub undeclared_prefixes: bool,
    /// Ignore attributes without namespace that the specification does not have, or not there,
    /// such as identifiers of operators and references.
    pub unknown_attributes: bool,
    /// Accept `yes`, `y`, `true`, `t` and `1`, in any case, as the value of `reset`, and the
    /// attribute without its namespace.
    pub loose_reset: bool,
    /// Accept other spellings of values: `presence` in any case; the charsets `us-ascii`, `utf-8`
    /// and `utf8`, and any of them in any case; initial numbers with a plus sign, as `0x`
    /// hexadecimal integers or with a power of ten; and the empty initial value of a number as
    /// none.
    pub loose_values: bool,
    /// Accept `exponent` and `mantissa` elements without operator: the part then has none.
    pub empty_parts: bool,
    /// Accept `length` and `typeRef` behind other elements, and a mantissa before the exponent.
    pub any_order: bool,
    /// Accept fields, groups and sequences without a name; it is then the identifier or, without
    /// one, that of the element.
    pub missing_names: bool,
    /// Accept several templates of one name: the second gets the name `X#2`, and so on. A static
    /// reference means the first.
    pub duplicate_names: bool,
    /// Ignore text between elements.
    pub stray_text: bool,
    /// Accept the integer types of few bits outside of bit groups, and of 8 and 16 bits.
    pub small_integers: bool,
    /// Give default, copy, increment and tail operators of mandatory fields that have no initial
    /// value the default base value of their type (§6.3.7.1): zero or the empty string. A field
    /// that is left out before it had a value is then no error (D5, S5). It is for feeds whose
    /// publishers do so, and not part of [`LoadOptions::lenient`].
    pub implied_initial_values: bool,
    /// Which templates reset the dictionaries.
    pub template_reset: TemplateReset,
    /// Add a template of this identifier without fields that resets, unless the definition has
    /// the identifier: some venues send the reset message of the session control protocol (120)
    /// and leave it out of their files.
    pub implicit_reset: Option<u32>,
    /// Largest definition in bytes.
    pub max_bytes: usize,
    /// Deepest nesting of groups, sequences and static references.
    pub max_depth: u32,
    /// Most templates and instructions, after static references and type definitions are followed.
    pub max_instructions: u32,
}

/// Which templates reset all dictionaries before a message, in decoders and encoders alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TemplateReset {
    /// Those that the definition says, by the attribute `scp:reset`.
    #[default]
    Declared,
    /// None, whatever the definition says.
    Ignored,
    /// Those with these identifiers, besides the ones that the definition says.
    Also(Vec<u32>),
    /// Those with these identifiers and no others.
    Only(Vec<u32>),
}

impl TemplateReset {
    /// Sets [`Template::reset`].
    pub(super) fn apply(&self, templates: &mut [Template]) {
        for template in templates {
            let listed =
                |ids: &[u32]| template.id.number.is_some_and(|number| ids.contains(&number));
            template.reset = match self {
                Self::Declared => template.reset,
                Self::Ignored => false,
                Self::Also(ids) => template.reset || listed(ids),
                Self::Only(ids) => listed(ids),
            };
        }
    }
}

impl LoadOptions {
    /// The specification's rules.
    pub const fn strict() -> Self {
        Self {
            any_namespace: false,
            any_root: false,
            undeclared_prefixes: false,
            unknown_attributes: false,
            loose_reset: false,
            loose_values: false,
            empty_parts: false,
            any_order: false,
            missing_names: false,
            duplicate_names: false,
            stray_text: false,
            small_integers: false,
            implied_initial_values: false,
            template_reset: TemplateReset::Declared,
            implicit_reset: None,
            max_bytes: 16 << 20,
            max_depth: 32,
            max_instructions: 1 << 18,
        }
    }

    /// Every deviation of the concrete syntax.
    pub const fn lenient() -> Self {
        Self {
            any_namespace: true,
            any_root: true,
            undeclared_prefixes: true,
            unknown_attributes: true,
            loose_reset: true,
            loose_values: true,
            empty_parts: true,
            any_order: true,
            missing_names: true,
            duplicate_names: true,
            stray_text: true,
            small_integers: true,
            implied_initial_values: false,
            template_reset: TemplateReset::Declared,
            implicit_reset: None,
            max_bytes: 16 << 20,
            max_depth: 32,
            max_instructions: 1 << 18,
        }
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self::strict()
    }
}

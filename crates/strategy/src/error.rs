//! What can be wrong with a strategy file.

/// Why a strategy file was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {key}: {problem}")]
pub struct StrategyError {
    /// The line, from 1.
    pub line: usize,
    /// The key or table the problem is about.
    pub key: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a key of a strategy file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not TOML, an unknown key, or a value of the wrong type; in the parser's words.
    #[error("{0}")]
    Toml(String),
    /// A key is needed and absent, in the strategy and (for limits) in `[limits]`.
    #[error("is missing")]
    Missing,
    /// A key is present and would have no effect.
    #[error("has no meaning with {0}")]
    Meaningless(&'static str),
    /// A value is none of those allowed.
    #[error("is {value:?}, not one of {allowed}")]
    NotOneOf {
        /// What was written.
        value: String,
        /// What may be written.
        allowed: &'static str,
    },
    /// A text that must not be empty is.
    #[error("is empty")]
    Empty,
    /// A number is outside its range.
    #[error("is {value}, outside {least} to {most}")]
    OutOfRange {
        /// What was written.
        value: u64,
        /// The least that is allowed.
        least: u64,
        /// The most that is allowed.
        most: u64,
    },
    /// A price is not a decimal of up to 18 digits.
    #[error("{0:?} is not a decimal such as \"11.80\", of up to 18 digits")]
    NotDecimal(String),
    /// A price is not a multiple of the instrument's price unit, or too large.
    #[error("{value} is not representable in units of 10^{exponent}")]
    NotRepresentable {
        /// What was written.
        value: String,
        /// The instrument's power of ten.
        exponent: i8,
    },
    /// Two strategies have one name.
    #[error("{name:?} is already the name of the strategy in line {first_line}")]
    DuplicateName {
        /// The name.
        name: String,
        /// Where the first is.
        first_line: usize,
    },
    /// There are more strategies than slots.
    #[error("more than {most} strategies")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
    /// No instrument has this symbol (and segment).
    #[error("no instrument {0}")]
    UnknownSymbol(String),
    /// Several instruments have this symbol: `market_segment` must say which.
    #[error("{0} is in several market segments; name one with market_segment")]
    AmbiguousSymbol(String),
}

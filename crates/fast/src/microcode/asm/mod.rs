//! The assembly language (MICROCODE.md §7).

mod line;
mod parse;
mod print;

pub use parse::assemble;
pub use print::listing;

use super::program::ProgramError;

/// Longest assembly text in bytes.
pub const MAX_TEXT: usize = 8 << 20;

/// The text is not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct AsmError {
    /// From 1.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// What is wrong with the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmErrorKind {
    /// Something else should be here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should be here.
        expected: &'static str,
        /// What is.
        found: String,
    },
    /// A number is too large or too small here.
    #[error("{0} is out of range")]
    Range(String),
    /// A label is not defined.
    #[error("label {0} is not defined")]
    UnknownLabel(String),
    /// A label is defined twice.
    #[error("label {0} is defined already")]
    DuplicateLabel(String),
    /// A row has more than four slots.
    #[error("a row has four slots")]
    TooManySlots,
    /// Elements of a table must come in the order of their numbers.
    #[error("number {found} where {expected} is next")]
    Order {
        /// The number that is next.
        expected: usize,
        /// The number in the text.
        found: u64,
    },
    /// The text is too long.
    #[error("the text is longer than {MAX_TEXT} bytes")]
    TooLong,
    /// The program breaks a rule; the line is that of the row where a row does.
    #[error(transparent)]
    Program(ProgramError),
}

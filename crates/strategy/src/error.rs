//! What can be wrong with a strategy file.

/// Why a strategy file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {key}: {problem}")]
pub struct StrategyError {
    /// The line, from 1.
    pub line: usize,
    /// The key, or the table.
    pub key: String,
    /// What is wrong with it.
    pub problem: String,
}

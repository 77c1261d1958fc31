//! The strategy file as TOML has it: every key of every kind, each optional, with its place.

use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFile {
    #[serde(default)]
    pub limits: RawLimits,
    #[serde(default)]
    pub strategy: Vec<Spanned<RawStrategy>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLimits {
    pub max_order_quantity: Option<Spanned<u64>>,
    pub max_open_orders: Option<Spanned<u64>>,
    pub max_position: Option<Spanned<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawStrategy {
    pub name: Option<Spanned<String>>,
    pub kind: Option<Spanned<String>>,
    pub symbol: Option<Spanned<String>>,
    pub market_segment: Option<Spanned<String>>,
    pub side: Option<Spanned<String>>,
    pub trigger: Option<Spanned<String>>,
    pub threshold: Option<Spanned<String>>,
    pub quantity: Option<Spanned<u64>>,
    pub order_type: Option<Spanned<String>>,
    pub price: Option<Spanned<String>>,
    pub time_in_force: Option<Spanned<String>>,
    pub rearm: Option<Spanned<bool>>,
    pub cooldown_us: Option<Spanned<u64>>,
    pub max_order_quantity: Option<Spanned<u64>>,
    pub max_open_orders: Option<Spanned<u64>>,
    pub max_position: Option<Spanned<u64>>,
}

/// The line (from 1) of a byte offset.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// The key or table that a line of the file is about: what stands before `=`, or the whole line.
pub(crate) fn key_at(text: &str, offset: usize) -> String {
    let line = text.lines().nth(line_at(text, offset) - 1).unwrap_or_default();
    let key = line.split_once('=').map_or(line, |(key, _)| key).trim();
    if key.is_empty() { "file".to_owned() } else { key.chars().take(64).collect() }
}

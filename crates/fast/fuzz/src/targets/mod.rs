//! One target a module: `run` takes any bytes and returns, or panics where an invariant breaks.

pub mod assembler;
pub mod decoder;
pub mod engine;
pub mod generated;
pub mod json;
pub mod roundtrip;
pub mod stream;
pub mod templates;

/// A name and a target.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 8] = [
    ("assembler", assembler::run),
    ("decoder", decoder::run),
    ("engine", engine::run),
    ("generated", generated::run),
    ("json", json::run),
    ("roundtrip", roundtrip::run),
    ("stream", stream::run),
    ("templates", templates::run),
];

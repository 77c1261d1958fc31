//! The `saker` program.
fn main() {}

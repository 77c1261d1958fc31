//! The logic's test vectors are what this crate says now.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[allow(dead_code, reason = "the example's `main`")]
#[path = "../examples/order_vectors.rs"]
mod order_vectors;

#[test]
fn the_vectors_of_the_logic_are_current() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../verif/cocotb/order_sender/vectors.jsonl");
    let mut lines = Vec::new();
    order_vectors::vectors(&mut lines).unwrap();
    assert!(std::fs::read(path).unwrap() == lines, "write {path} anew: see the example's page");
}

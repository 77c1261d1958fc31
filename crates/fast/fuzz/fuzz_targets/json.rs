//! See `src/targets/json.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saker_fast_fuzz::targets::json::run(bytes));

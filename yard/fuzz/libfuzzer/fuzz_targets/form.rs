//! libFuzzer's door to the target `form`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::form(data));

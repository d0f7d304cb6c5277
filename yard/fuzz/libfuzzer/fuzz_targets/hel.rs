//! libFuzzer's door to the target `hel`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::hel(data));

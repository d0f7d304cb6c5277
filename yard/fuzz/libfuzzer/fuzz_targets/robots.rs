//! libFuzzer's door to the target `robots`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::robots(data));

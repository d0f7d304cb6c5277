//! libFuzzer's door to the target `inflate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::inflate(data));

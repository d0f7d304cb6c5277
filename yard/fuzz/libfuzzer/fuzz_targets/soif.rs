//! libFuzzer's door to the target `soif`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::soif(data));

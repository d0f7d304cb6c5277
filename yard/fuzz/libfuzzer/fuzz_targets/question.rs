//! libFuzzer's door to the target `question`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::question(data));

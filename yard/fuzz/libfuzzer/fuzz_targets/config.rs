//! libFuzzer's door to the target `config`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::config(data));

//! libFuzzer's door to the target `pdf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::pdf(data));

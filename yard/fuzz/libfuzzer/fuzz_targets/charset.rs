//! libFuzzer's door to the target `charset`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::charset(data));

//! libFuzzer's door to the target `css`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::css(data));

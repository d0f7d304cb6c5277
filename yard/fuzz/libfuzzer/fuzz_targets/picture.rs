//! libFuzzer's door to the target `picture`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::picture(data));

//! libFuzzer's door to the target `surt`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::surt(data));

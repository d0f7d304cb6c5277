//! libFuzzer's door to the target `address`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::address(data));

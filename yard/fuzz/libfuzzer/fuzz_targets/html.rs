//! libFuzzer's door to the target `html`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::html(data));

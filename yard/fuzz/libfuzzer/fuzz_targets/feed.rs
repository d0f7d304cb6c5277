//! libFuzzer's door to the target `feed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::feed(data));

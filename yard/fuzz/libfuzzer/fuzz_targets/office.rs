//! libFuzzer's door to the target `office`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::office(data));

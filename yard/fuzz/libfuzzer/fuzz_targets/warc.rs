//! libFuzzer's door to the target `warc`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::warc(data));

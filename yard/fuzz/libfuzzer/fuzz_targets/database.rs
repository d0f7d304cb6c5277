//! libFuzzer's door to the target `database`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::database(data));

//! libFuzzer's door to the target `sitemap`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| groma_fuzz::sitemap(data));

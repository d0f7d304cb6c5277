//! Bodies of the fuzz targets, and the corpora they start from.
//!
//! A target is a plain function from bytes to nothing that panics when a promise is broken. It is called
//! from two sides: the replay test of this crate runs the corpora and simple mutations of them in every `cargo test`,
//! and libFuzzer searches further where `cargo-fuzz` and a nightly compiler are installed:
//!
//! ```text
//! cargo install cargo-fuzz
//! mkdir -p yard/fuzz/libfuzzer/corpus/html
//! cargo fuzz run html --fuzz-dir yard/fuzz/libfuzzer yard/fuzz/libfuzzer/corpus/html yard/fuzz/corpus/html -- -max_total_time=60
//! ```
//!
//! (With a stable compiler `RUSTC_BOOTSTRAP=1` in the environment does, too.) `yard/fuzz/run` does so for all of them, an hour of CPU each. The first folder is where libFuzzer puts
//! what it finds, and is not kept; the second is ours, and only read. An input that breaks a promise goes into
//! `corpus/NAME/` together with the mending.
//!
//! How the bytes are read is said in each file: a first byte that chooses limits or headers, a first line that is an
//! URL. So a corpus can be written by hand.

mod address;
mod charset;
mod config;
mod database;
mod form;
mod hel;
mod html;
mod inflate;
mod question;
mod reader;
mod robots;
mod sitemap;
mod soif;
mod surt;
mod warc;

pub use address::address;
pub use charset::charset;
pub use config::config;
pub use database::database;
pub use form::form;
pub use hel::hel;
pub use html::html;
pub use inflate::inflate;
pub use question::question;
pub use reader::{css, feed, office, pdf, picture};
pub use robots::robots;
pub use sitemap::sitemap;
pub use soif::soif;
pub use surt::surt;
pub use warc::warc;

/// A fuzz target: its name, which is also the name of its corpus, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All fuzz targets.
pub const TARGETS: [Target; 19] = [
    ("address", address),
    ("robots", robots),
    ("sitemap", sitemap),
    ("html", html),
    ("charset", charset),
    ("inflate", inflate),
    ("config", config),
    ("surt", surt),
    ("question", question),
    ("hel", hel),
    ("soif", soif),
    ("database", database),
    ("form", form),
    ("warc", warc),
    ("css", css),
    ("feed", feed),
    ("office", office),
    ("pdf", pdf),
    ("picture", picture),
];

/// The first byte, which chooses, and the rest.
fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}

/// The first line, and what follows it.
fn first_line(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&byte| byte == b'\n') {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &[]),
    }
}

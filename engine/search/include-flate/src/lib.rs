//! Stands in for the crate `include-flate` (see `[patch.crates-io]` in the workspace's Cargo.toml).
//!
//! jieba-rs has its dictionary packed while it is compiled. For that, the original builds zstd, libflate and a procedural macro for the
//! compiling machine, beside the zstd that Groma has anyway: half a minute of CPU for 3 MB of the binary. Here the dictionary is included
//! as it is. Only the form of the macro that jieba-rs uses is known.

/// `flate!(static NAME: str from "FILE" with METHOD)`: the text of a file, by its path from the folder of the calling crate's manifest.
#[macro_export]
macro_rules! flate {
    ($(#[$meta:meta])* $visibility:vis static $name:ident: str from $file:literal with $method:ident) => {
        $(#[$meta])*
        $visibility static $name: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $file));
    };
}

//! Sentences that more than one place says.

pub const ENGINE_HINT: &str = "--engine local computes on this machine; --engine spark://HOST:PORT on any Spark Connect endpoint (port 15002 unless set otherwise)";
pub const NO_SPARK_HINT: &str = "cargo build --release -p groma --features spark";
pub const WORK_PLACE_HINT: &str =
    "name a plain folder that the cluster reaches by the same name, or a URL, with --work";
pub const ENGINE_GOES_ON: &str = "stopped; what was made is kept: the same command goes on from there";

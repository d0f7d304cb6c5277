//! Sentences that more than one place says.

pub const CANDIDATES: &str = "pages one click nearer to the start that link to it";

pub fn not_converged(rounds: u32, change: f64) -> String {
    format!("after {rounds} rounds ranks still change by {change:.1e}")
}

pub fn up_to_layer(layer: u32) -> String {
    format!("pages still wait to be fetched: this is the survey up to depth {layer}")
}

//! Work on graphs goes in rounds: whoever watches is told of each, and says whether another is wanted.

/// How far work has come: after every round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being made: `ranks`, `map`, ...
    pub step: &'static str,
    /// Rounds made so far, those of an earlier run that was killed among them.
    pub round: u32,
    /// What the round changed: the largest change of a rank, or how many nodes it moved or met.
    pub change: f64,
}

/// Whether work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// Go on.
    On,
    /// Stop here; what was made is kept.
    Stop,
}

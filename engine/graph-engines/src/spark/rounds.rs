//! States of rounds, so that a run that was killed goes on.
//!
//! Rule: two marks take turns. Round r writes its state to a folder of its own and then mark r mod 2 (which round, of what, what it changed, how many
//! rows, which folder). A mark that can be read says that its state is whole: it was written after it. While round r + 1 is written, neither mark nor
//! state of round r is touched, so whatever breaks, one state is whole; of two marks the later round counts. A mark of other links or settings
//! does not count. Folders have the name of the session in theirs: a statement that a killed session left running on the cluster goes on writing
//! where nobody reads.
//! Cost: the space of two states, whatever the number of rounds; one small file written and read a round. What killed sessions left is removed
//! when the work folder is one of this machine; on an object store it stays until somebody removes the work folder.
//! Not guaranteed: anything on a storage that shows old files after new ones were written; the object stores of today do not.

use super::session::{Cluster, Value};
use crate::input::below;
use crate::local::tell;
use crate::{GraphEngineError, Progress, Watch};

const MARK: &str = "round BIGINT, change DOUBLE, size BIGINT, of STRING, place STRING";

/// A round that was completed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) round: u32,
    pub(super) change: f64,
    pub(super) rows: u64,
    /// The folder of the state.
    place: String,
}

/// The rounds of one step.
pub(super) struct Rounds<'a> {
    pub(super) cluster: &'a Cluster,
    /// What is made, for those who watch.
    pub(super) step: &'static str,
    /// Folder of the states.
    pub(super) folder: String,
    /// The columns of a state.
    pub(super) columns: &'static str,
    /// Of what: links and settings. Letters, digits and signs that need no quoting.
    pub(super) of: String,
    /// A query on `state` with the columns `change` and `size`.
    pub(super) summary: String,
    /// How many rows every state must have, where that is known.
    pub(super) rows: Option<u64>,
}

impl Rounds<'_> {
    /// Goes on from the last whole round, or begins with the statement given; the state is called `state` then.
    pub(super) fn begin(&self, first: &str) -> Result<Mark, GraphEngineError> {
        let mut marks: Vec<Mark> = [self.mark(0)?, self.mark(1)?].into_iter().flatten().collect();
        marks.sort_by_key(|mark| mark.round);
        let kept: Vec<String> = marks.iter().map(|mark| mark.place.clone()).collect();
        sweep(&self.folder, "state-", &kept);
        match marks.pop() {
            Some(mark) => {
                self.name(&mark.place)?;
                Ok(mark)
            }
            None => self.make(0, first),
        }
    }

    /// Makes a round out of the state of the round before, tells of it, and calls the new state `state`.
    pub(super) fn next(&self, before: &Mark, sql: &str, watch: Watch<'_>) -> Result<Mark, GraphEngineError> {
        let mark = self.make(before.round + 1, sql)?;
        tell(watch, Progress { step: self.step, round: mark.round, change: mark.change })?;
        Ok(mark)
    }

    fn make(&self, round: u32, sql: &str) -> Result<Mark, GraphEngineError> {
        let what = format!("make round {round} of {}", self.step);
        let place = format!("state-{}-{}", self.cluster.token, round % 2);
        self.cluster.write(&what, sql, &below(&self.folder, &place))?;
        self.name(&place)?;
        let mark = format!(
            "SELECT CAST({round} AS BIGINT) AS round, CAST(change AS DOUBLE) AS change, CAST(size AS BIGINT) AS size, '{}' AS of, '{place}' AS place FROM ({}) s",
            self.of, self.summary
        );
        self.cluster.write(&what, &mark, &self.mark_place(round % 2))?;
        let lost = || GraphEngineError::Cluster { what, why: "the mark of the round cannot be read back".to_owned() };
        let mark = self.mark(round % 2)?.filter(|mark| mark.round == round).ok_or_else(lost)?;
        match self.rows.filter(|&rows| rows != mark.rows) {
            Some(expected) => Err(GraphEngineError::Rows {
                what: format!("round {round} of {}", self.step),
                found: mark.rows,
                expected,
            }),
            None => Ok(mark),
        }
    }

    fn mark_place(&self, turn: u32) -> String {
        below(&self.folder, &format!("mark-{turn}"))
    }

    fn name(&self, place: &str) -> Result<(), GraphEngineError> {
        self.cluster.name("state", &below(&self.folder, place), self.columns)
    }

    /// One of the two marks. One that cannot be read is none: it is not there, or was being written when all ended. But a cluster that is
    /// gone says nothing about marks: that must not be taken for a beginning.
    fn mark(&self, turn: u32) -> Result<Option<Mark>, GraphEngineError> {
        let named = self.cluster.name("mark", &self.mark_place(turn), MARK);
        let row =
            named.and_then(|()| self.cluster.row("read a mark", "SELECT round, change, size, of, place FROM mark"));
        match row {
            Err(error @ GraphEngineError::Lost { .. }) => Err(error),
            other => Ok(other.ok().flatten().and_then(|row| self.mark_of(&row))),
        }
    }

    fn mark_of(&self, row: &[Value]) -> Option<Mark> {
        let [round, change, rows, Value::String(of), Value::String(place)] = row else { return None };
        let (round, rows) = (u32::try_from(round.as_i64()?).ok()?, u64::try_from(rows.as_i64()?).ok()?);
        (*of == self.of).then_some(Mark { round, change: change.as_f64()?, rows, place: place.clone() })
    }
}

/// Removes folders that begin so and are not kept, if they lie on this machine. What cannot be removed stays: it is only space.
pub(super) fn sweep(folder: &str, begin: &str, kept: &[String]) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(begin) && !kept.contains(&name) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

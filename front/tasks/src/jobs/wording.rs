//! Sentences that more than one place says.

use groma_store::jobs::JobKind;

pub const SOMEBODY_WRITES: &str = "somebody else is writing to the survey: once more in 30 s";
pub const STATES_HINT: &str = "states are waiting, running, paused, done, failed, cancelled";
pub const NO_LOGIN_IN_JOBS: &str =
    "a job is kept in the survey's folder, so it takes no passwords and no header fields";
pub const NO_LOGIN_IN_JOBS_HINT: &str =
    "put them into groma.toml or the environment (GROMA_USER, GROMA_HEADERS) of whoever works";
pub const JITTER_HINT: &str = "write 90s, 30m or 2h";

pub fn bad_jitter(text: &str) -> String {
    format!("--jitter {text}: not a time")
}

/// The kinds of jobs, with commas between them.
pub fn job_kinds() -> String {
    JobKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

pub fn kinds_hint() -> String {
    format!("kinds are {}; several with commas", job_kinds())
}

pub fn no_such_job(job: u64) -> String {
    format!("there is no job {job} in this survey")
}

pub fn job_is(job: u64, state: &str, wanted: &str) -> String {
    format!("job {job} is {state}: it cannot be {wanted}")
}

pub fn no_such_schedule(schedule: u64) -> String {
    format!("there is no schedule {schedule} in this survey")
}

pub fn no_such_job_kind(word: &str) -> String {
    format!("`{word}` is no kind of job")
}

pub fn no_such_state(word: &str) -> String {
    format!("`{word}` is no state of a job")
}

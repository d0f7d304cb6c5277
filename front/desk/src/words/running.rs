//! What people read about searches, jobs, schedules and the server.

use groma_model::wording::{grouped, plain};
use groma_search::{Followed, Note};

use super::counted;

pub const NO_INDEX: &str = "the survey has no full-text index yet";
pub const NO_INDEX_HINT: &str = "make one with `groma index`";
pub const JOBS_HINT: &str = "`groma jobs` lists the jobs of the survey";
pub const KINDS_HINT: &str =
    "kinds are crawl, update, rank, map, check, index, bound, focus, gather, notify; several with commas";
pub const STATES_HINT: &str = "states are waiting, running, paused, done, failed, cancelled";
pub const NO_LOGIN_IN_JOBS: &str =
    "a job is kept in the survey's folder, so it takes no passwords and no header fields";
pub const NO_LOGIN_IN_JOBS_HINT: &str =
    "put them into groma.toml or the environment (GROMA_USER, GROMA_HEADERS) of whoever works";
pub const STOPPING: &str = "stopping: what runs is saved and goes on next time";

pub const STOPPED: &str = "stopped";
pub const PUBLIC_URL_HINT: &str = "write it as https://survey.example.org/";
pub const JITTER_HINT: &str = "write 90s, 30m or 2h";

pub fn bad_jitter(text: &str) -> String {
    format!("--jitter {text}: not a time")
}

pub fn indexed(followed: &Followed) -> String {
    let (written, removed) = (grouped(followed.written), grouped(followed.removed));
    let mut here = counted(followed.pages, "page", "pages");
    if followed.records > 0 {
        here.push_str(&format!(" and {}", counted(followed.records, "record", "records")));
    }
    let mut line = format!("{here} in the index: {written} written, {removed} removed");
    if followed.left_out > 0 {
        line.push_str(&format!("; {}", left_out(followed.left_out)));
    }
    line
}

fn left_out(records: u64) -> String {
    let count = counted(records, "record or value", "records or values");
    format!("{count} of gathered databases beyond what the index takes up: not searched")
}

/// How many answers there are; with records of databases among them if the index has any.
pub fn answers(total: u64, mixed: bool) -> String {
    match mixed {
        true => counted(total, "page or record", "pages and records"),
        false => counted(total, "page", "pages"),
    }
}

pub fn search_note(note: &Note) -> String {
    match note {
        Note::SomeWords => "no page has all the words; these have some of them".to_owned(),
        Note::NoSuchSection(name) => format!("there is no section `{}`: it was passed over", plain(name)),
        Note::NoDate(text) => {
            format!("`{}` is no date (write 2026-01-31, 2026-01 or 2026): it was passed over", plain(text))
        }
        Note::NothingAsked => "there is nothing to look for in the question".to_owned(),
        Note::LeftOut(records) => left_out(*records),
        Note::TooLong => "the question is too long: only its beginning was used".to_owned(),
    }
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

pub fn asked_for(jobs: &[u64]) -> String {
    let list: Vec<String> = jobs.iter().map(u64::to_string).collect();
    format!("asked for: {} {}", if jobs.len() == 1 { "job" } else { "jobs" }, list.join(", "))
}

pub fn serving(address: &str) -> String {
    format!("serving at http://{address}/ (Ctrl-C stops)")
}

pub fn expires(when: &str) -> String {
    format!("expires {when}")
}

//! What people read about searches, jobs, schedules and the server.

use groma_model::wording::{grouped, plain};
use groma_search::{Followed, Note};

use super::counted;

pub const NO_INDEX: &str = "the survey has no full-text index yet";
pub const NO_INDEX_HINT: &str = "make one with `groma index`";
pub const INDEX_BEHIND: &str = "the index could not be brought up to date just now: it may lag behind the survey";
pub const NO_HITS: &str = "no page answers";
pub const BY_SECTION: &str = "by section of the map";
pub const BY_TYPE: &str = "by type";
pub const BY_LANGUAGE: &str = "by language";
pub const BY_SITE: &str = "by site";
pub const NO_JOBS: &str = "no jobs";
pub const NO_SCHEDULES: &str = "no schedules; add one: groma schedule add \"every 7 days\"";
pub const JOBS_HINT: &str = "`groma jobs` lists the jobs of the survey";
pub const SCHEDULES_HINT: &str = "`groma schedule` lists the schedules of the survey";
pub const WORK_HINT: &str = "`groma jobs work` or `groma serve` does it";
pub const KINDS_HINT: &str =
    "kinds are crawl, update, rank, map, check, index, bound, focus, gather, notify; several with commas";
pub const STATES_HINT: &str = "states are waiting, running, paused, done, failed, cancelled";
pub const CRAWL_NEEDS_URL: &str = "a crawl needs an address to start at";
pub const NO_LOGIN_IN_JOBS: &str =
    "a job is kept in the survey's folder, so it takes no passwords and no header fields";
pub const NO_LOGIN_IN_JOBS_HINT: &str =
    "put them into groma.toml or the environment (GROMA_USER, GROMA_HEADERS) of whoever works";
pub const NO_PASSWORD: &str = "the password is empty";
pub const NO_PASSWORD_HINT: &str = "write it to stdin, or set GROMA_PASSWORD";
pub const NO_USERS: &str = "no users: `groma serve` prints a URL that opens it, and answers on this machine only";
pub const TOKEN_ONCE: &str = "this is shown once; send it as `Authorization: Bearer TOKEN`";
pub const STOPPING: &str = "stopping: what runs is saved and goes on next time";

pub const STOPPED: &str = "stopped";
pub const AT_REST: &str = "(at rest)";
pub const PUBLIC_URL_HINT: &str = "write it as https://survey.example.org/";
pub const TYPE_PASSWORD: &str = "type the password and press Enter (it is shown while you type; or pipe it in)";
pub const JITTER_HINT: &str = "write 90s, 30m or 2h";

pub const NO_SUCH_HOST_HINT: &str = "check the name; nothing of the survey that is there was removed";

pub fn no_such_host(url: &url::Url) -> String {
    format!("{}: there is no host of this name", plain(url.as_str()))
}

pub fn bad_jitter(text: &str) -> String {
    format!("--jitter {text}: not a time")
}

pub fn scheduled(schedule: u64, says: &str) -> String {
    format!("schedule {schedule}: {says}")
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

pub fn did_you_mean(better: &str) -> String {
    format!("did you mean: {better}")
}

/// Where a record is from.
pub fn record_of(database: &str, form: &str) -> String {
    match database.trim() {
        "" => format!("a record behind {form}"),
        name => format!("a record of {name}, behind {form}"),
    }
}

pub fn hits_shown(first: usize, last: usize, total: u64, mixed: bool) -> String {
    let all = answers(total, mixed);
    if last < first {
        return format!("{all} in all");
    }
    format!("{first} to {last} of {all}")
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

pub fn start_url(url: &str) -> String {
    format!("open {url}")
}

pub fn start_url_once(listen: &str, file: &str) -> String {
    format!(
        "there are no users: this URL lets one browser in, once; `groma serve --listen {listen} --print-url` prints the \
         next one, from {file}, which only you can read"
    )
}

pub fn no_browser(program: &str, why: &str) -> String {
    format!("no browser was opened ({program}: {why}): open the URL yourself")
}

pub fn no_start_key(file: &str, why: &str) -> String {
    format!("no start key can be read from {file}: {why}")
}

pub fn no_server_at(listen: &str) -> String {
    format!("no server is at {listen}; the key there was left by one that was killed")
}

pub fn no_start_key_hint(listen: &str) -> String {
    format!(
        "start a server there with `groma serve --listen {listen}`, or name its --home and --listen; where there are users, \
         log in at http://{listen}/login"
    )
}

/// Of a token: when it expires.
pub fn token_expires(days: Option<u32>) -> String {
    match days {
        Some(days) => format!("expires after {}", super::counted(days.into(), "day", "days")),
        None => "never expires: revoke it when it is not needed any more".to_owned(),
    }
}

pub fn tokens_never_expire(count: u64) -> String {
    let some = super::counted(count, "token never expires", "tokens never expire");
    format!("{some}: `groma user` lists them, `groma user revoke NAME` ends one")
}

pub fn expires(when: &str) -> String {
    format!("expires {when}")
}

pub fn reachable(address: &str) -> String {
    format!("{address} can be reached from other machines")
}

pub const SAY_PUBLIC: &str = "say --public if everybody who reaches it may know what the documents name";

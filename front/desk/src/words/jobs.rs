//! What people read about jobs and schedules.

use std::time::Duration;

use groma_model::moment::spoken;

use super::counted;

pub const CANCELLED: &str = "cancelled";
pub const SOMEBODY_WRITES: &str = "somebody else is writing to the survey: once more in 30 s";
pub const SOMEBODY_INDEXES: &str = "somebody else is writing to the index: once more in 10 s";
pub const PACKAGE_HINT: &str = "a package is a list as [{\"kind\": \"update\"}, {\"kind\": \"check\"}]";
pub const RANK_FORMS: &str = "one of: csv, json, text";
pub const CHECK_FORMS: &str = "one of: text, json, csv, markdown, junit";
pub const BOUND_FORMS: &str = "one of: json, csv, tsv, surt";
pub const ORDER_HINT: &str = "cancel the job and ask for it anew";

pub const HAND_LACKS_HINT: &str = "give them to this worker too: in its groma.toml, or in variables of its environment";

pub fn hand_lacks(keys: &[String]) -> String {
    format!("no hand can be lent with this crawl: it needs {}, which no survey keeps", keys.join(", "))
}

pub fn metered(address: &str) -> String {
    format!("how it goes: http://{address}/metrics")
}

pub fn working_on(surveys: usize) -> String {
    format!("at work on {}, and on those to come; Ctrl-C stops", counted(surveys as u64, "survey", "surveys"))
}

/// One of those who crawl together.
pub fn member(member: &groma_store::crew::Member) -> String {
    let role = if member.leads { "leads" } else { "lends a hand" };
    let silent = if member.silent > 3 { format!(", not heard of for {} s", member.silent) } else { String::new() };
    format!(
        "{} {role}: {}, {}, for {}{silent}",
        member.owner,
        counted(member.hosts, "host", "hosts"),
        counted(member.fetches, "fetch", "fetches"),
        spoken(Duration::from_secs(member.seconds)),
    )
}

pub fn bad_package(error: &serde_json::Error) -> String {
    format!("the package cannot be read: {error}")
}

pub const NEWER_JOB: &str = "a newer version of groma asked for this job";
pub const NEWER_JOB_HINT: &str = "let that version do it, or cancel the job and ask for it anew";
pub const NO_JOB_ON_LINE: &str = "a search on line is no job";
pub const NO_JOB_ON_LINE_HINT: &str = "run it as a command: groma bounds URL --online";
pub const TASK_HINT: &str = "correct the field; `groma jobs add TASK --help` and the description of the API list them";
pub const QUOTES_HINT: &str = "close every quote: --what 'focus \"a topic\" --pages 50'";
pub const FORM_FIELD_HINT: &str = "correct the field and send the form again";

pub fn formats_of(kind: &str, formats: &[&str]) -> String {
    match formats {
        [] => format!("`{kind}` leaves no file: omit the format"),
        formats => super::one_of(formats),
    }
}

pub fn unread_words(text: &str) -> String {
    format!("{text:?} cannot be read")
}

pub fn bad_order(error: &str) -> String {
    format!("what the job is asked to do cannot be read: {error}")
}

pub fn no_such_form(name: &str) -> String {
    format!("there is no form `{name}` of it")
}

pub fn map_forms() -> String {
    let names: Vec<&str> = crate::map::Form::ALL.iter().map(|form| form.name()).collect();
    format!("one of: {}", names.join(", "))
}

/// How a crawl or an update ended, and what it came to.
pub fn run_ended(end: &str, came_to: Option<(Duration, u64, u64)>) -> String {
    let Some((took, fetches, pages)) = came_to else { return end.to_owned() };
    format!(
        "{end} in {}: {}, {} in the survey",
        spoken(took),
        counted(fetches, "fetch", "fetches"),
        counted(pages, "page", "pages")
    )
}

pub fn run_had_ended(run: u32) -> String {
    format!("run {run} had come to its end before this worker took the job up: it is not run again")
}

pub fn ranked(pages: u64) -> String {
    format!("{} ranked", counted(pages, "page", "pages"))
}

pub fn map_drawn(pages: u32, layers: u32) -> String {
    format!("map of {} in {}", counted(pages.into(), "page", "pages"), counted(layers.into(), "layer", "layers"))
}

pub fn findings_of(findings: u64, errors: u64) -> String {
    format!("{}, {}", counted(findings, "finding", "findings"), counted(errors, "error", "errors"))
}

pub fn once_more(says: &str, seconds: i64) -> String {
    format!("{says}; once more in {}", spoken(Duration::from_secs(seconds.unsigned_abs())))
}

pub fn broke_off(why: &str) -> String {
    format!("it broke off inside: {why}")
}

pub fn taken_up(owner: &str, times: u64) -> String {
    if times <= 1 { format!("taken by {owner}") } else { format!("taken up again by {owner} (for the {times}. time)") }
}

pub fn given_back() -> &'static str {
    "the worker goes home: it waits for the next one"
}

//! What people read about jobs and schedules.

use std::time::Duration;

use groma_model::moment::spoken;

use super::counted;

pub const SOMEBODY_WRITES: &str = "somebody else is writing to the survey: once more in 30 s";

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

pub fn no_such_form(name: &str) -> String {
    format!("there is no form `{name}` of it")
}

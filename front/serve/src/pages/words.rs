//! The sentences of the pages that no template holds.

mod gather;

use groma_model::wording::counted;

pub(crate) use gather::*;

/// How far a survey may reach, as the box offers it. `any` is for the command line: it meets sites of others.
pub(crate) const SCOPES: &[(&str, &str)] = &[
    ("", "the host (usual)"),
    ("prefix", "the folder of the start page"),
    ("domain", "the whole domain"),
    ("page", "the start page alone"),
];

pub(crate) const PRIORITY_HINT: &str = "write a number from -100 to 100";

pub(crate) const YES: &str = "yes";

/// Which jobs a list shows.
pub(crate) const JOB_STATES: &[(&str, &str)] = &[
    ("", "all"),
    ("running", "running"),
    ("waiting", "waiting"),
    ("paused", "paused"),
    ("failed", "failed"),
    ("done", "done"),
    ("cancelled", "cancelled"),
];

/// What a schedule can do, by the names of its jobs.
pub(crate) const PACKAGES: &[(&str, &str)] = &[
    ("update,check,index,notify", "Update, check, index, tell what is new"),
    ("update,index", "Update and index"),
    ("check,notify", "Check and tell what is new"),
];

pub(crate) const JITTER_HINT: &str = "write a number of minutes, 0 to 100000";

pub(crate) fn bad_jitter(typed: &str) -> String {
    format!("`{}` is no number of minutes", super::layout::short(typed, 20))
}

pub(crate) const PASSWORDS_DIFFER: &str = "the two passwords are not the same";
pub(crate) const PASSWORDS_HINT: &str = "type the same password twice";
pub(crate) const SEARCH_CLOSED: &str = "the server was not started with a public search";

/// What has just been done, by its code. A number, where one belongs to it, is a job's, a schedule's or a count.
pub(crate) fn done(code: &str, number: u64) -> Option<String> {
    Some(match code {
        "survey-begun" => "The crawl is queued. It begins as soon as a worker is free.".to_owned(),
        "survey-known" => "There is a survey of this site already: here it is.".to_owned(),
        "job-asked" => format!("Job {number} is queued."),
        "job-pause" => format!("Job {number} pauses."),
        "job-resume" => format!("Job {number} goes on."),
        "job-cancel" => format!("Job {number} is cancelled."),
        "job-retry" => format!("Job {number} is tried again."),
        "job-priority" => format!("Job {number} has another priority."),
        "excluded" => format!("Left out. The crawl drops {}.", counted(number, "queued URL", "queued URLs")),
        "bounds-asked" => format!("Finding the bounds of the site is queued: job {number}."),
        "bounds-decided" => format!("Decided. Job {number} finds the bounds again."),
        "bounds-undone" => format!("Undone. Job {number} finds the bounds again."),
        "focus-asked" => format!("The focused crawl is queued: job {number}."),
        "focus-forgotten" => format!("Focused crawl {number} is forgotten. Its pages stay in the survey."),
        "gather-asked" => format!("The gathering is queued: job {number}."),
        "gather-planned" => {
            format!("The plan is queued: job {number}. It sends only the requests needed to estimate the cost.")
        }
        "gather-forgotten" => format!("Gathering {number} is forgotten."),
        "schedule-added" => format!("Schedule {number} is added."),
        "schedule-on" => format!("Schedule {number} is on."),
        "schedule-off" => format!("Schedule {number} is off."),
        "schedule-gone" => format!("Schedule {number} is deleted. Its jobs stay."),
        "schedule-ran" => format!("Schedule {number} runs now."),
        "schedule-busy" => format!("Schedule {number} is still under way: nothing new was asked for."),
        "user-added" => "The user is added.".to_owned(),
        "user-changed" => "The user is changed. All their sessions have ended.".to_owned(),
        "user-gone" => "The user is removed.".to_owned(),
        "password-changed" => "Your password is changed. Log in with the new one.".to_owned(),
        "token-gone" => "The token is revoked.".to_owned(),
        "search-open" => "Anybody may search now.".to_owned(),
        "search-closed" => "Searching needs a log-in now.".to_owned(),
        "left-everywhere" => "All your sessions have ended.".to_owned(),
        "logged-out" => "You are logged out.".to_owned(),
        _ => return None,
    })
}

/// The orders in which a focused crawl can go: name, in a word, in a sentence. The first is the usual one.
pub(crate) const STRATEGIES: &[(&str, &str, &str)] = &[
    ("arms", "arms (usual)", "Learns which kinds of links led to relevant pages, and follows those."),
    ("best-first", "best first", "Follows the link that looks best by its words and by the page it stands on."),
    ("hopfield-block", "net on parts", "Weights spread over links, by what the parts of pages say about the topic."),
    ("hopfield", "net on pages", "Weights spread over links, by what whole pages say about the topic."),
    ("bfs", "breadth first", "Page after page as they were found: for comparison."),
];

/// Why a focused crawl ended, by its code.
pub(crate) fn focus_end(code: &str) -> &'static str {
    match code {
        "" => "not ended",
        "budget" => "the pages it was allowed are used up",
        "frontier-exhausted" => "no known page was left",
        "weight-too-low" => "what was left weighed too little",
        _ => "ended",
    }
}

/// What a kind of part is called on pages.
pub(crate) fn part_says(kind: groma_model::PartKind) -> &'static str {
    use groma_model::PartKind;
    match kind {
        PartKind::Text => "text",
        PartKind::Title => "title",
        PartKind::Authors => "authors",
        PartKind::Affiliation => "affiliation",
        PartKind::Abstract => "abstract",
        PartKind::Keywords => "keywords",
        PartKind::List => "entries of a list",
        PartKind::Sequence => "previous and next",
        PartKind::Related => "related pages",
        PartKind::Menu => "menu",
        PartKind::Noise => "noise",
    }
}

#[cfg(test)]
mod tests {
    use groma_tasks::focus::FocusOrder;

    use super::*;

    #[test]
    fn every_strategy_can_be_chosen_and_the_usual_one_is_the_first() {
        assert_eq!(STRATEGIES[0].0, FocusOrder::default().name());
        let mut names: Vec<&str> = STRATEGIES.iter().map(|one| one.0).collect();
        let mut all: Vec<&str> = FocusOrder::ALL.map(FocusOrder::name).to_vec();
        names.sort_unstable();
        all.sort_unstable();
        assert_eq!(names, all);
    }
}

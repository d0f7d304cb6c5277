//! What people read about the borders of sites.

pub use groma_bounds::plain_price;
use groma_model::wording::grouped;

use super::counted;

pub const METHODS: &str = "one of: flow, mcl, mcl+flow";
pub const SEVERAL_STARTS: &str = "more than one start is given";
pub const SEVERAL_STARTS_HINT: &str = "give an address, or --keyword, or --seeds";
pub const NO_PAGES_READ: &str = "no page of the survey has been read";
pub const NO_PAGES_READ_HINT: &str =
    "crawl a site first: `groma crawl URL`; `groma status` shows where the survey stands";
pub const NO_SEED_PAGES: &str = "the list names no page";
pub const NO_SEED_PAGES_HINT: &str = "write an address a line; `groma pages` lists those of the survey";
pub const START_NOT_READ_HINT: &str = "begin at a page that was read: `groma pages --state indexed` lists them";
pub const START_REJECTED: &str = "every start page has been rejected by hand";
pub const START_REJECTED_HINT: &str = "take that back with `groma bounds undo`, or begin elsewhere";
pub const NO_CLUSTERS: &str = "a keyword is looked for in clusters, and there are none";
pub const NO_CLUSTERS_HINT: &str = "begin at an address instead";
pub const KEYWORD_HINT: &str = "take a word that is a part of addresses; `groma pages` lists them";
pub const NOT_COMPARED: &str =
    "pages were not compared: the survey holds no texts of linked pages, or it is a search on line";
pub const NO_SITE_YET: &str = "no site has been found in this survey yet";
pub const NO_SITE_YET_HINT: &str = "find one first: groma bounds URL";
pub const NOT_ON_LINE: &str = "this survey was not crawled to find a border";
pub const NOT_ON_LINE_HINT: &str = "groma bounds URL --online, or groma crawl URL --scope auto";
pub const ON_LINE_FROM_PAGES: &str = "a search on line begins at a page";
pub const ON_LINE_FROM_PAGES_HINT: &str = "name one: groma bounds URL --online";
pub const ON_LINE_HERE: &str = "a search on line is done on this machine, not on a cluster";
pub const ON_LINE_HERE_HINT: &str = "omit --online or --engine";
pub const SITE_UNREADABLE: &str = "what was kept of the site cannot be read";
pub const FIND_AGAIN: &str = "find it again: groma bounds URL";
pub const MERGE_HINT: &str = "name the start of the other site";
pub const NO_SUBJECT: &str = "nothing is named";
pub const TOO_LONG_SUBJECT: &str = "that is too long to be an address";
pub const SUBJECT_HINT: &str = "name an address, or a folder that ends in / (all that lies below it)";
pub const NOTHING_DECIDED_HINT: &str = "`groma bounds decisions` lists what was decided";
pub const NO_SUCH_DECISION_HINT: &str = "`groma bounds decisions` lists them with their numbers";
pub const NO_RULES: &str = "the list holds no rule";
pub const NO_RULES_HINT: &str = "write a SURT prefix or an address a line, as +http://(org,example,)/docs/";
pub const ACCEPTED_BY_HAND: &str = "accepted by hand";
pub const REJECTED_BY_HAND: &str = "rejected by hand";
pub const BEYOND: &str = "it joins at no price that was tried";
pub const IN_START_CLUSTER: &str = "in the cluster of a start page";
pub const TRUTH_HINT: &str = "write a prefix that ends in / or *, or an address, a line; or a table with the columns prefix and \
                              pages";
pub const NO_TRUE_PAGES_HINT: &str = "the addresses must be those of the survey; `groma pages` lists them";

pub fn one_of(words: &[&str]) -> String {
    format!("one of: {}", words.join(", "))
}

pub fn keyword_nowhere(word: &str) -> String {
    format!("no address of the survey holds `{word}`")
}

pub fn start_not_read(typed: &str, why: &str) -> String {
    if why.is_empty() { format!("{typed} was not read") } else { format!("{typed} was not read: {why}") }
}

pub fn seeds_missing(missing: u64, example: &str) -> String {
    format!("{} left out, for example: {example}", counted(missing, "start page", "start pages"))
}

pub fn merged_not_found(site: &str, why: &str) -> String {
    format!("the site of {site}, which is merged into this one, begins nowhere: {why}")
}

pub fn found_now(start: &str, pages: u64) -> String {
    format!("the site of {start} was found now: {}; `groma bounds` shows it", counted(pages, "page", "pages"))
}

pub fn found_before(start: &str) -> String {
    format!("the survey has changed since the site of {start} was found: `groma bounds {start}` finds it anew")
}

pub fn start_pages(count: u64) -> String {
    counted(count, "start page", "start pages")
}

pub fn joins_at(price: f64) -> String {
    format!("it would join at the lower price {}", plain_price(price))
}

pub fn merge_with_itself(site: &str) -> String {
    format!("{site} cannot be merged with itself")
}

pub fn nothing_decided(site: &str) -> String {
    format!("nothing that holds was decided about the site of {site}")
}

pub fn no_such_decision(number: u64) -> String {
    format!("there is no decision {number} that could be taken back")
}

pub fn bad_line(line: usize, why: &str) -> String {
    format!("line {line}: {why}")
}

pub fn rule_about_nothing(rule: &str) -> String {
    format!("{rule} is about no page of the survey, and about no single host: left out")
}

pub fn site_found(pages: u64, undecided: u64, out: u64) -> String {
    format!("{}, {} undecided, {} out", counted(pages, "page", "pages"), grouped(undecided), grouped(out))
}

pub fn clustered(pages: u64, clusters: u64, overlaps: u64) -> String {
    let mut text = format!("{} in {}", counted(pages, "page", "pages"), counted(clusters, "cluster", "clusters"));
    if overlaps > 0 {
        text.push_str(&format!(", {} in more than one", counted(overlaps, "page", "pages")));
    }
    text
}

pub fn surt_untold(untold: &[String]) -> String {
    let example = untold.first().map(String::as_str).unwrap_or_default();
    format!("{} no SURT prefix can say, for example {example}", counted(untold.len() as u64, "verdict", "verdicts"))
}

pub const UNSETTLED: &str = "the clustering did not come to rest: raise --inflation, or take it as it is";
pub const SEARCH_STOPPED: &str = "the search for the site was stopped";
pub const SEARCH_STOPPED_HINT: &str = "run it again, or look at the whole survey without --scope auto";

pub fn searching(progress: crate::bounds::Progress) -> String {
    use crate::bounds::Progress;
    match progress {
        Progress::Reading => "reading pages and links".to_owned(),
        Progress::Clustering { round, chaos } => format!("clustering: round {round}, {chaos:.4} still moves"),
        Progress::Cutting => "looking for the border".to_owned(),
        Progress::Telling => "looking at every page".to_owned(),
    }
}

pub fn more_clusters(clusters: u64, pages: u64) -> String {
    format!(
        "and {} of {} in all: groma cluster -f tsv",
        counted(clusters, "more cluster", "more clusters"),
        counted(pages, "page", "pages")
    )
}

pub fn in_several(example: &str, pages: u64) -> String {
    match pages {
        1 => format!("{example} belongs to several clusters just as well (-f json tells which)"),
        _ => format!(
            "{} belong to several clusters just as well (-f json tells which), for example {example}",
            counted(pages, "page", "pages")
        ),
    }
}

pub const NO_TRUE_PAGES: &str = "no page of the survey is in the file of true pages";
pub const START_NOT_TRUE: &str = "no start page is in the file of true pages";
pub const START_NOT_TRUE_HINT: &str =
    "begin at a page of a true site, or leave the start out: every site is looked for then";

pub fn no_truth(why: Option<&str>) -> String {
    match why {
        Some(why) => format!("nothing in the file says what is true: {why}"),
        None => "nothing in the file says what is true".to_owned(),
    }
}

pub fn sites_without_pages(sites: u64) -> String {
    format!("{} of the file have no page in the survey and are left out", counted(sites, "site", "sites"))
}

pub const IN: &str = "IN";
pub const UNDECIDED: &str = "UNDECIDED";
pub const OUT: &str = "OUT";
pub const OTHERS_CALL_IT: &str = "others call it:";
pub const NOTHING_DECIDED: &str = "nothing has been decided";
pub const NO_LONGER: &str = "(no longer)";
pub const CHANGED_SINCE: &str = "the survey has changed since";
pub const NO_SURT_SCORES: &str = "scores are no prefixes";
pub const SCORE_FORMS: &str = "with --truth, -f is one of: text, json, csv, tsv";
pub const F1_BY_SITE: &str = "F1 by site";

/// By what links count: whether the words of pages did, or their addresses alone.
pub fn weighed(likeness: &str) -> String {
    match likeness {
        "none" => "links weighed by addresses alone".to_owned(),
        compared => format!("links weighed by addresses and {compared}"),
    }
}

pub fn found_how(method: &str, weighed: &str, seeds: u32, hosts: u32, sure: u32, decisions: u32) -> String {
    let mut text = format!(
        "found by {method}, {weighed}, from {}, on {}; {sure} % sure on average",
        counted(seeds.into(), "start page", "start pages"),
        counted(hosts.into(), "host", "hosts")
    );
    if decisions > 0 {
        text.push_str(&format!("; {} by hand", counted(decisions.into(), "decision", "decisions")));
    }
    text
}

pub fn more_places(places: u64, pages: u64) -> String {
    format!(
        "and {} with {} (--list 0 shows all)",
        counted(places, "more place", "more places"),
        counted(pages, "page", "pages")
    )
}

pub fn because(why: &str) -> String {
    format!("why this price: {why}")
}

pub fn decided(id: u64, kind: &str, subject: &str, pages: u64) -> String {
    match kind {
        "accept" | "reject" => format!("{id}: {kind}ed {subject} ({} of the survey)", counted(pages, "page", "pages")),
        "merge" => format!("{id}: the site of {subject} is a part of it"),
        _ => format!("{id}: taken back: {subject}"),
    }
}

pub fn became(start: &str, then: u64, now: u64, undecided: u64) -> String {
    format!(
        "the site of {start} has {} now (before: {}), {} undecided",
        counted(now, "page", "pages"),
        grouped(then),
        grouped(undecided)
    )
}

pub fn not_found_yet(start: &str) -> String {
    format!("it counts when the site is found: groma bounds {start}")
}

pub fn more_sites(sites: u64) -> String {
    format!("and {}: -f csv", counted(sites, "more site", "more sites"))
}

pub fn begun_at(home: &str) -> String {
    format!("no page has just this address: begun at {home}")
}

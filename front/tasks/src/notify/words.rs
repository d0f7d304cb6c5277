//! What people read in notices, feeds and the log about them, in one place.

use groma_check::Kind;
use groma_model::wording::counted;
use groma_model::wording::{grouped, plain};
use groma_notify::NotifyError;

use super::delivery::{Record, State};
use super::look::Looked;

pub(super) const NOT_ALONE: &str = "somebody else is telling the news of this survey just now";
pub(super) const NOT_ALONE_HINT: &str = "wait until that is done";
pub(super) const FIRST_LOOK: &str = "first look: from now on, what is new is told";
pub(super) const DAMAGED_HINT: &str = "remove the file: the next look is then a first one, and nothing is told";
pub(super) const NO_PUBLIC_URL: &str = "it is no http or https URL";
pub(super) const PUBLIC_URL_HINT: &str =
    "write where people reach `groma serve`, for example https://groma.example.org/";
pub(super) const MAIL_NEEDS: &str = "mail needs a server and a sender";
pub(super) const MAIL_NEEDS_HINT: &str =
    "set smtp = \"smtp://user@mail.example.org\" and mail_from = \"groma@example.org\" in [notice]";
pub(super) const FEED_SUBTITLE: &str = "New findings, after each update";
pub(super) const WHY_YOU: &str = "You get this because groma.toml names you in [notice].";

pub(super) fn damaged(file: &str, what: &str) -> String {
    format!("{file} is damaged: {what}")
}

pub(super) fn feed_title(site: &str) -> String {
    format!("Groma: {site}")
}

/// `3 new broken links on www.example.org`.
pub(super) fn title(total: u64, broken: u64, site: &str) -> String {
    let site = plain(site);
    let links = |count| counted(count, "new broken link", "new broken links");
    match (broken, total - broken) {
        (0, others) => format!("{} on {site}", counted(others, "new finding", "new findings")),
        (broken, 0) => format!("{} on {site}", links(broken)),
        (broken, others) => {
            format!("{} and {} on {site}", links(broken), counted(others, "other new finding", "other new findings"))
        }
    }
}

pub(super) fn found_by(run: u32, moment: &str) -> String {
    format!("Found by run {run}, told on {moment}.")
}

/// A heading: what findings of a kind are, and how many.
pub(super) fn heading(kind: &str, count: u64) -> String {
    let says = Kind::named(kind).map_or(kind, |kind| kind.says());
    format!("{} ({})", says, grouped(count))
}

pub(super) fn and_more(count: u64) -> String {
    format!("and {} more", grouped(count))
}

pub(super) fn next_step(step: &str) -> String {
    format!("Next: {step}.")
}

pub(super) fn changes(list: &[(String, u64)], fixed: u64) -> Option<String> {
    let mut parts: Vec<String> = list.iter().map(|(name, count)| format!("{} {name}", grouped(*count))).collect();
    if fixed > 0 {
        parts.push(counted(fixed, "finding fixed", "findings fixed"));
    }
    (!parts.is_empty()).then(|| format!("Pages since the run before: {}.", parts.join(", ")))
}

pub(super) fn read_more(link: &str) -> String {
    format!("All of them: {link}")
}

/// Where the findings of a site stand on the server.
pub(super) fn findings_url(base: &str, site: &str) -> String {
    format!("{}/sites/{}/findings", base.trim_end_matches('/'), escaped(site))
}

/// Where its notices stand.
pub(super) fn notices(base: &str, site: &str) -> String {
    format!("{}/sites/{}/notices", base.trim_end_matches('/'), escaped(site))
}

/// Where its feed stands.
pub(super) fn feed_address(base: &str, site: &str) -> String {
    format!("{}/sites/{}/feed.atom", base.trim_end_matches('/'), escaped(site))
}

/// A name as a part of a path.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'~');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

pub(super) fn watched(count: u64) -> String {
    format!("{} could not be reached: told if that lasts until the next run", counted(count, "link", "links"))
}

pub(super) fn sent(title: &str, way: &str) -> String {
    format!("{title}: told by {way}")
}

pub(super) fn failed(title: &str, way: &str, error: &NotifyError) -> String {
    format!("{title}: not told by {way}: {error}")
}

pub(super) fn not_sent(title: &str, way: &str, record: &Record) -> String {
    let why = match record.state {
        State::Withdrawn => "no longer configured",
        State::Gone => "the receiver wants no more",
        _ => "given up",
    };
    format!("{title}: not told by {way}: {why}")
}

pub(super) fn outcome(looked: &Looked, delivered: u64) -> String {
    let looked = match looked {
        Looked::NotYet => "the survey is not complete: nothing was compared".to_owned(),
        Looked::Already => "this run was looked at before".to_owned(),
        Looked::First => FIRST_LOOK.to_owned(),
        Looked::Compared { new: 0, watched: 0 } => "nothing new".to_owned(),
        Looked::Compared { new: 0, watched: count } => format!("nothing new; {}", watched(*count)),
        Looked::Compared { new, .. } => counted(*new, "new finding", "new findings"),
    };
    match delivered {
        0 => looked,
        count => format!("{looked}; {} delivered", counted(count, "message", "messages")),
    }
}

//! What do findings have in common? What has to be repaired once.

use groma_model::Reason;

use super::pattern::{folder, server};
use super::sameness::sameness;
use crate::finding::{Finding, Kind};

/// What the findings of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A server that cannot be reached: scheme and host.
    Server(String),
    /// The URL that links lead to, or the page that others are doubles of.
    Target(String),
    /// The same words: a title.
    Words(String),
    /// Pages of a template.
    Pages(PageFamily),
}

/// Pages that have the same fault, in one part of the site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageFamily {
    /// Their URLs, with a star for what varies; the URL itself if there is one page only.
    pub pattern: String,
    /// It stands for what is left where larger families are told by themselves.
    pub elsewhere: bool,
    /// What their details have in common; nothing if these are of all sorts.
    pub(super) same: Option<String>,
    /// What is told by itself and therefore not meant, where details are of all sorts.
    pub(super) not_same: Vec<String>,
    pub(super) part: SitePart,
    /// Families within that part that are told by themselves.
    pub(super) except: Vec<SitePart>,
}

/// A folder of a site: with all that is below it, or only what stands in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SitePart {
    pub(super) folder: String,
    pub(super) direct: bool,
}

impl SitePart {
    pub(super) fn holds(&self, url: &str) -> bool {
        if self.direct { folder(url) == self.folder } else { url.starts_with(&self.folder) }
    }
}

/// By what a finding is put into its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CauseClue<'a> {
    Server(&'a str),
    Target(&'a str),
    Words(&'a str),
    /// With findings like it, by where these are.
    Page,
}

impl<'a> CauseClue<'a> {
    pub(super) fn read(finding: &'a Finding) -> CauseClue<'a> {
        let kind = finding.kind;
        match finding.to.as_deref() {
            _ if kind == Kind::DoubledTitle && !finding.detail.is_empty() => CauseClue::Words(&finding.detail),
            Some(to) if kind.is_of_link() && finding.reason.is_some_and(is_of_server) => CauseClue::Server(server(to)),
            Some(to) => CauseClue::Target(to),
            None => CauseClue::Page,
        }
    }
}

/// Does it say something about the server rather than the page?
fn is_of_server(reason: Reason) -> bool {
    matches!(reason, Reason::DnsFailure | Reason::Refused | Reason::Tls | Reason::TimeOut | Reason::Reset)
}

impl Cause {
    /// The text that tells it from the other causes of its kind, as it stands in URLs of ours.
    pub fn key(&self) -> String {
        match self {
            Cause::Server(text) => format!("server {text}"),
            Cause::Target(text) => format!("target {text}"),
            Cause::Words(text) => format!("words {text}"),
            Cause::Pages(family) => {
                let below = if family.part.direct { "" } else { "*" };
                format!("pages {}{below} {}", family.part.folder, family.same.as_deref().unwrap_or("*"))
            }
        }
    }

    /// Whether a finding of its kind has this cause, seen before or not.
    pub fn is_behind(&self, finding: &Finding) -> bool {
        match (self, CauseClue::read(finding)) {
            (Cause::Server(cause), CauseClue::Server(text))
            | (Cause::Target(cause), CauseClue::Target(text))
            | (Cause::Words(cause), CauseClue::Words(text)) => cause == text,
            (Cause::Pages(family), CauseClue::Page) => family.holds(finding),
            _ => false,
        }
    }

    pub(super) fn sameness(&self) -> Option<&str> {
        match self {
            Cause::Pages(family) => family.same.as_deref(),
            _ => None,
        }
    }

    /// How many bytes its texts have.
    pub(super) fn weight(&self) -> usize {
        match self {
            Cause::Server(text) | Cause::Target(text) | Cause::Words(text) => text.len(),
            Cause::Pages(family) => 200 + family.pattern.len() + family.part.folder.len(),
        }
    }
}

impl PageFamily {
    fn holds(&self, finding: &Finding) -> bool {
        let url = finding.from.as_str();
        if !self.part.holds(url) || self.except.iter().any(|part| part.holds(url)) {
            return false;
        }
        let same = sameness(finding);
        self.same.as_ref().map_or_else(|| !self.not_same.contains(&same), |own| *own == same)
    }
}

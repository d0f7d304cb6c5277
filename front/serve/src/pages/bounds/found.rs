//! A logical site that was found: how sure that is, its parts, its family, the clusters around it, and what people decided.

use std::sync::Arc;

use groma_model::wording::grouped;
use groma_tasks::bounds::{self, Header, LogRow};

use super::family::Family;
use super::graph::Graph;
use super::naming::{ADDRESS, called, counted_pages, percent, price};
use super::places::{PlaceGroup, place_groups};
use crate::error::Problem;
use crate::pages::layout::{query, short};
use crate::pages::wording::Moment;
use crate::sites::Site;

/// Rows of the log shown.
const LOG: usize = 60;

/// A site that was found.
pub(super) struct FoundSite {
    /// As it is kept.
    pub(super) start: String,
    pub(super) facts: FoundFacts,
    pub(super) stale: bool,
    /// The price was given and not chosen.
    pub(super) given: bool,
    pub(super) list: PlaceList,
    pub(super) family: Option<Family>,
    pub(super) graph: Option<Graph>,
    pub(super) log: DecisionLog,
    pub(super) surt: String,
    pub(super) here: String,
}

/// How large the site is, how it was found, and how sure that is.
pub(super) struct FoundFacts {
    pub(super) name: String,
    pub(super) says: String,
    pub(super) sure: u32,
    pub(super) stats: Vec<(&'static str, String)>,
    pub(super) method: &'static str,
    pub(super) price: String,
    pub(super) why: String,
    pub(super) warnings: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) keywords: Vec<String>,
    pub(super) at: Option<Moment>,
}

/// What belongs to the site, or would.
pub(super) struct PlaceList {
    pub(super) groups: Vec<PlaceGroup>,
    /// Another member of the family than the one that was taken is looked at.
    pub(super) preview: bool,
    pub(super) cut: bool,
    pub(super) all_href: String,
}

/// What people decided, the latest first.
pub(super) struct DecisionLog {
    pub(super) rows: Vec<LogView>,
    pub(super) more: usize,
    pub(super) can_undo: bool,
}

/// A row of the log.
pub(super) struct LogView {
    pub(super) id: u64,
    pub(super) kind: &'static str,
    pub(super) subject: String,
    pub(super) who: String,
    pub(super) at: Option<Moment>,
    pub(super) holds: bool,
    pub(super) undoes: Option<u64>,
}

/// How the usual one is marked where one chooses.
const USUAL: &str = " (usual)";
/// What can be chosen; the first is the usual one.
pub(super) const METHODS: &[(&str, &str)] = &[
    ("mcl+flow", "clusters, then the cheapest cut around them (usual)"),
    ("flow", "the cheapest cut around the start alone"),
    ("mcl", "clusters alone"),
];

/// Tells a site. Another member of its family is looked at if a step is given.
pub(super) fn tell(site: &Arc<Site>, found: &bounds::Site, step: Option<u32>, all: bool) -> Result<FoundSite, Problem> {
    let header = &found.header;
    let family = Family::read(header, step);
    let other = family.as_ref().filter(|family| family.step != family.chosen).map(|family| family.step);
    let lines = match other {
        Some(step) => found.at(&*site.ground()?, step),
        None => found.prefixes.clone(),
    };
    let step = other.map(|step| step.to_string()).unwrap_or_default();
    let link = |all: &str| {
        let pairs = [("start", header.start.as_str()), ("step", &step), ("all", all)];
        format!("/sites/{}/bounds{}#list", site.name, query(&pairs))
    };
    let (groups, cut) = place_groups(&site.name, &lines, all);
    Ok(FoundSite {
        facts: FoundFacts::new(header),
        stale: found.stale,
        given: found.request.settings.epsilon.is_some(),
        list: PlaceList { groups, preview: other.is_some(), cut, all_href: link("1") },
        graph: found.nearby.as_ref().and_then(|nearby| Graph::read(&site.name, nearby)),
        log: DecisionLog::read(site, &header.start)?,
        surt: format!("/sites/{}/bounds.surt{}", site.name, query(&[("start", &header.start)])),
        here: format!("/sites/{}/bounds{}", site.name, query(&[("start", &header.start)])),
        start: header.start.clone(),
        family,
    })
}

impl FoundFacts {
    fn new(header: &Header) -> FoundFacts {
        let method = METHODS.iter().find(|method| method.0 == header.method);
        let texts = |texts: &[String]| texts.iter().map(|text| short(text, ADDRESS)).collect();
        FoundFacts {
            name: called(&header.start),
            says: says(header),
            sure: percent(header.confidence),
            stats: stats(header),
            method: method.map_or("", |method| method.1.trim_end_matches(USUAL)),
            price: price(header.epsilon),
            why: short(&header.why, ADDRESS),
            warnings: texts(&header.warnings),
            notes: texts(&header.notes),
            keywords: header.keywords.iter().map(|keyword| short(&keyword.word, 60)).collect(),
            at: Moment::at(header.at),
        }
    }
}

impl DecisionLog {
    fn read(site: &Site, start: &str) -> Result<DecisionLog, Problem> {
        let log = bounds::decisions(&site.folder, Some(start))?;
        Ok(DecisionLog {
            rows: log.iter().rev().take(LOG).map(log_view).collect(),
            more: log.len().saturating_sub(LOG),
            can_undo: log.iter().any(|row| row.holds),
        })
    }
}

fn says(header: &Header) -> String {
    let counts = &header.counts;
    let verb = if counts.r#in == 1 { "belongs" } else { "belong" };
    let undecided = match counts.undecided {
        0 => "none is undecided".to_owned(),
        1 => "1 is undecided".to_owned(),
        many => format!("{} are undecided", grouped(many.into())),
    };
    format!("{} {verb} to it, {undecided}, of {}.", counted_pages(counts.r#in), counted_pages(counts.pages))
}

fn stats(header: &Header) -> Vec<(&'static str, String)> {
    let counts = &header.counts;
    let number = |number: u32| grouped(number.into());
    vec![
        ("in", number(counts.r#in)),
        ("undecided", number(counts.undecided)),
        ("out", number(counts.out)),
        (if counts.hosts == 1 { "host" } else { "hosts" }, number(counts.hosts)),
        (if header.seeds == 1 { "start page" } else { "start pages" }, number(header.seeds)),
    ]
}

fn log_view(row: &LogRow) -> LogView {
    LogView {
        id: row.id,
        kind: match row.kind {
            "accept" => "belongs to it",
            "reject" => "does not",
            "merge" => "is the same site",
            _ => "taken back",
        },
        subject: short(&row.subject, ADDRESS),
        who: short(&row.who, 64),
        at: Moment::at(row.at),
        holds: row.holds,
        undoes: row.undoes,
    }
}

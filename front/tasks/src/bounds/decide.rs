//! What people decide about a site: this belongs to it, this does not, these two are one; and taking it back.

use groma_bounds::surt::{self, Rule};
use groma_model::Fp;
use groma_settings::clock::now;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, address};
use groma_store::bounds::{BoundsStore, Decided, DecisionId, DecisionKind, DecisionRow, NewDecision};
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{LinkSet, PageWeb};
use groma_url::Url;
use serde::Serialize;

use super::start::page;
use crate::bounds::wording::{NO_SITE_YET, NO_SITE_YET_HINT, bad_line};

/// A decision as it was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// Its number in the log.
    pub id: u64,
    /// The site it is about, by its start.
    pub site: String,
    /// accept, reject, merge or undo.
    pub kind: &'static str,
    /// About what: a URL, a prefix that ends in `*`, or the start of another site.
    pub subject: String,
    /// Pages of the survey that it is about.
    pub pages: u64,
}

/// One decision of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogRow {
    pub id: u64,
    /// The site it is about.
    pub site: String,
    /// accept, reject, merge or undo.
    pub kind: &'static str,
    /// URL or prefix that was decided about.
    pub subject: String,
    /// The row that is taken back.
    pub undoes: Option<u64>,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Who decided.
    pub who: String,
    /// It holds: nobody took it back, and nobody said otherwise since.
    pub holds: bool,
}

/// The site that is meant: the one of this start, or the one found last.
pub fn site_meant(folder: &Folder, start: Option<&str>) -> Result<String, Fault> {
    let mut store = folder.read()?;
    let mut bounds_store = folder.bounds_store()?;
    let Some(typed) = start else {
        let last = bounds_store.sites()?.into_iter().next();
        return last.map(|head| head.start).ok_or_else(|| Fault::new(NO_SITE_YET, NO_SITE_YET_HINT));
    };
    start_of(&mut store, &mut bounds_store, typed)
}

/// What a site is called by, however it was typed.
fn start_of(store: &mut dyn Snapshot, bounds_store: &mut BoundsStore, typed: &str) -> Result<String, Fault> {
    let typed = typed.trim();
    if bounds_store.site(typed).is_ok_and(|site| site.is_some()) || typed.starts_with("keyword:") {
        return Ok(typed.to_owned());
    }
    let web = PageWeb::read(store, LinkSet::Pages, None)?;
    let page = page(store, &web, typed, &mut Vec::new())?;
    Ok(web.address(page).to_owned())
}

/// Puts down that something belongs to a site, or does not, or that another site is the same. `whole`: a `/` at its end does not
/// make it a prefix.
pub fn decide(
    folder: &Folder,
    site: &str,
    kind: DecisionKind,
    typed: &str,
    whole: bool,
    who: &str,
) -> Result<Decision, Fault> {
    let mut store = folder.read()?;
    let mut bounds_store = folder.bounds_store()?;
    let subject = match kind {
        DecisionKind::Merge => start_of(&mut store, &mut bounds_store, typed)?,
        _ => subject(&mut store, site, typed, whole)?,
    };
    if kind == DecisionKind::Merge && subject == site {
        return Err(Fault::new(merge_with_itself(site), "name the start of the other site"));
    }
    let pages = if kind == DecisionKind::Merge { 0 } else { pages_of(&mut store, &subject)? };
    let mut put = put(&mut bounds_store, site, vec![(kind, subject, pages)], who)?;
    put.pop().ok_or_else(|| Fault::new(NO_SUBJECT, SUBJECT_HINT))
}

/// Puts down decisions about a site, all or none.
fn put(
    bounds_store: &mut BoundsStore,
    site: &str,
    said: Vec<(DecisionKind, String, u64)>,
    who: &str,
) -> Result<Vec<Decision>, Fault> {
    let new = |(kind, subject, _): &(DecisionKind, String, u64)| NewDecision {
        site: site.to_owned(),
        kind: *kind,
        subject: subject.clone(),
        undoes: None,
        at: now(),
        who: who.to_owned(),
    };
    let ids = bounds_store.decide(&said.iter().map(new).collect::<Vec<_>>())?;
    let ids = ids.ok_or_else(|| Fault::new("that is too long to be a URL", SUBJECT_HINT))?;
    let decision = |(id, (kind, subject, pages)): (DecisionId, (DecisionKind, String, u64))| Decision {
        id: id.0,
        site: site.to_owned(),
        kind: kind.name(),
        subject,
        pages,
    };
    Ok(ids.into_iter().zip(said).map(decision).collect())
}

/// Takes a decision back: the one with this number, or the last about the site that holds.
pub fn undo(folder: &Folder, site: &str, which: Option<u64>, who: &str) -> Result<Decision, Fault> {
    let mut bounds_store = folder.bounds_store()?;
    let log = bounds_store.decisions(None)?;
    let of_site: Vec<_> = log.iter().filter(|row| row.site == site).cloned().collect();
    let which = match which {
        Some(number) => DecisionId(number),
        None => {
            let last = Decided::from_log(&of_site).rows.last().copied();
            last.ok_or_else(|| Fault::new(nothing_decided(site), "`groma bounds decisions` lists what was decided"))?
        }
    };
    let subject = log.iter().find(|row| row.id == which).map(|row| row.subject.clone()).unwrap_or_default();
    let new = NewDecision {
        site: site.to_owned(),
        kind: DecisionKind::Undo,
        subject: subject.clone(),
        undoes: Some(which),
        at: now(),
        who: who.to_owned(),
    };
    let id = bounds_store.decide(&[new])?.and_then(|ids| ids.first().copied());
    let id = id.ok_or_else(|| {
        Fault::new(no_such_decision(which.0), "`groma bounds decisions` lists them with their numbers")
    })?;
    let site =
        bounds_store.decisions(None)?.into_iter().find(|row| row.id == id).map_or_else(String::new, |row| row.site);
    Ok(Decision { id: id.0, site, kind: DecisionKind::Undo.name(), subject, pages: 0 })
}

/// The log, of a site or of all, the oldest first.
pub fn decisions(folder: &Folder, site: Option<&str>) -> Result<Vec<LogRow>, Fault> {
    let Some(mut bounds_store) = folder.bounds_store_if_any()? else { return Ok(Vec::new()) };
    let log = bounds_store.decisions(site)?;
    let mut sites: Vec<&str> = log.iter().map(|row| row.site.as_str()).collect();
    sites.sort_unstable();
    sites.dedup();
    let mut holding = std::collections::HashSet::new();
    for site in sites {
        let part: Vec<_> = log.iter().filter(|row| row.site == site).cloned().collect();
        let decided = Decided::from_log(&part);
        holding.extend(decided.subjects().iter().map(|(_, said)| said.by));
        let said = |row: &&DecisionRow| match row.kind {
            DecisionKind::Merge => decided.rows.contains(&row.id),
            DecisionKind::Undo => decided.undoing.contains(&row.id),
            DecisionKind::Accept | DecisionKind::Reject => false,
        };
        holding.extend(part.iter().filter(said).map(|row| row.id));
    }
    let row = |row: DecisionRow| LogRow {
        holds: holding.contains(&row.id),
        id: row.id.0,
        site: row.site,
        kind: row.kind.name(),
        subject: row.subject,
        undoes: row.undoes.map(|of| of.0),
        at: row.at,
        who: row.who,
    };
    Ok(log.into_iter().map(row).collect())
}

/// Takes the rules of a list of SURT prefixes as decisions: what is taken is accepted, what is not is rejected. Also says what
/// could not be taken.
pub fn import(folder: &Folder, site: &str, text: &str, who: &str) -> Result<(Vec<Decision>, Vec<String>), Fault> {
    let (mut rules, complaints) = surt::read(text);
    let mut notes: Vec<String> = complaints.iter().map(|one| bad_line(one.line, one.why)).collect();
    if rules.is_empty() {
        return Err(Fault::new(
            "the list holds no rule",
            "write a SURT prefix or a URL a line, as +http://(org,example,)/docs/",
        ));
    }
    let mut store = folder.read()?;
    let web = PageWeb::read(&mut store, LinkSet::Pages, None)?;
    let addresses: Vec<Url> = web.nodes().filter_map(|page| Url::parse(web.address(page)).ok()).collect();
    let mut bounds_store = folder.bounds_store()?;
    let mut said = Vec::new();
    // Of rules about the same host the longer holds: the later decision does.
    rules.sort_by_key(|rule| rule.surt.reordered().len());
    for rule in &rules {
        let subjects = subjects_of(rule, &addresses);
        if subjects.is_empty() {
            notes.push(rule_about_nothing(rule.surt.as_str()));
        }
        let kind = if rule.include { DecisionKind::Accept } else { DecisionKind::Reject };
        said.extend(subjects.into_iter().map(|(subject, pages)| (kind, subject, pages)));
    }
    Ok((put(&mut bounds_store, site, said, who)?, notes))
}

/// A rule may be about a whole domain, over http and https alike; decisions are about beginnings of URLs. So it becomes one for
/// each place of the survey that it is about.
fn subjects_of(rule: &Rule, addresses: &[Url]) -> Vec<(String, u64)> {
    let reordered = rule.surt.reordered();
    let path = reordered.find('/').map_or("/", |at| &reordered[at..]);
    let mut places: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for address in addresses.iter().filter(|address| rule.surt.matches(address)) {
        *places.entry(format!("{}{path}*", address.origin().ascii_serialization())).or_default() += 1;
    }
    if places.is_empty() {
        places.extend(rule.surt.address().map(|address| (format!("{address}*"), 0)));
    }
    places.into_iter().collect()
}

/// What a decision is about, as it is kept: a URL as the survey writes it, or a prefix that ends in `*`.
fn subject(store: &mut dyn Snapshot, site: &str, typed: &str, whole: bool) -> Result<String, Fault> {
    let typed = typed.trim();
    let (text, starred) = typed.strip_suffix('*').map_or((typed, false), |text| (text, true));
    if text.is_empty() {
        return Err(Fault::new(NO_SUBJECT, SUBJECT_HINT));
    }
    // The nodes of an imported graph may be called anything.
    if !starred && (whole || !text.ends_with('/')) && store.find(Fp::hash_bytes(text.as_bytes()))?.is_some() {
        return Ok(text.to_owned());
    }
    let base = Url::parse(site).ok().filter(|_| text.starts_with('/'));
    let url = match Url::parse_with_base(text, base.as_ref()) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => address::read(text)?.url,
    };
    // A host alone is all of it.
    let is_host = url.path() == "/" && url.query().is_none() && !text.ends_with('/');
    if !whole && (starred || text.ends_with('/') || is_host) {
        return Ok(format!("{url}*"));
    }
    let mut book = Book::gather(&[], None, Some(&Saved::load(store)?.unwrap_or_default()))?;
    Ok(Settings::from_book(&mut book)?.canonizer().canon(&url).address.url.into())
}

/// How many pages of the survey a subject is about.
fn pages_of(store: &mut dyn Snapshot, subject: &str) -> Result<u64, Fault> {
    let mut pages = 0;
    let prefix = subject.strip_suffix('*');
    store.each_standing(&mut |standing| {
        let meant = prefix.map_or(standing.url == subject, |prefix| standing.url.starts_with(prefix));
        pages += u64::from(meant && standing.reason.state() == groma_model::State::Fetched);
    })?;
    Ok(pages)
}

fn merge_with_itself(site: &str) -> String {
    format!("{site} cannot be merged with itself")
}

fn nothing_decided(site: &str) -> String {
    format!("nothing that holds was decided about the site of {site}")
}

fn no_such_decision(number: u64) -> String {
    format!("there is no decision {number} that could be taken back")
}

fn rule_about_nothing(rule: &str) -> String {
    format!("{rule} is about no page of the survey, and about no single host: left out")
}

const NO_SUBJECT: &str = "nothing is named";

const SUBJECT_HINT: &str = "name a URL, or a folder that ends in / (all that lies below it)";

//! Everything that is known about one URL, and why: its rules, its state, the way to it, its last fetch, its links.

mod facts;
mod links;
pub(crate) mod next_step;

use groma_fetch::OwnHosts;
use groma_model::cards::with_cards;
use groma_model::moment::rfc3339;
use groma_model::url::learn::parameters;
use groma_model::url::shape::shape_text;
use groma_model::url::{Canon, Canonizer, Scope};
use groma_model::{Fp, PageId, Reason, StructuredData};
use groma_page::robots::{Access, Robots, access};
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Fault, address};
use groma_store::codec::unpack_details;
use groma_store::{AddressRow, Folder, Snapshot};
use groma_url::Url;
use serde::Serialize;

use crate::crawl::seeds::each_listed;
use crate::explain::next_step::{next_step, next_step_after};
use crate::gather::{NoticedDatabase, NoticedDatabases};
use crate::standing::{LearnedRule, learned};

pub use facts::LastFetch;
pub use links::{LinkRow, Links, Window};

/// Pages followed back to the start; deeper ones are cut.
const CHAIN: usize = 1000;
/// Redirects followed outside the survey.
const HOPS: usize = 20;

/// All about one URL.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    /// URL as it was typed.
    pub typed: String,
    /// URL in canonical form.
    pub canonical: String,
    /// The URL by which it is asked for, where that is not the canonical form: as it was linked.
    pub fetched_as: Option<String>,
    /// What the rules did to it, step by step.
    pub steps: Vec<StepRow>,
    /// Learned rules about URLs like it.
    pub learned: Vec<LearnedRule>,
    /// Does it belong to the survey?
    pub scope: Verdict,
    /// May robots ask for it?
    pub robots: Verdict,
    /// Is it in the survey?
    pub known: bool,
    /// Its number in the survey.
    #[serde(skip)]
    pub id: Option<PageId>,
    pub state: Option<&'static str>,
    /// Reason of the state.
    pub reason: Option<&'static str>,
    /// Why, as a sentence; of an unknown URL, what would become of it.
    pub says: String,
    /// What to do next.
    pub hint: String,
    /// Since when it is in its state.
    pub since: Option<String>,
    /// It waits for its turn.
    pub queued: bool,
    /// Its link distance from the start page; nothing if no link leads to it.
    pub depth: Option<u32>,
    /// By which kind of link it was found.
    pub via_kind: Option<&'static str>,
    /// From the start page to the page it was found on.
    pub chain: Vec<String>,
    /// From this URL to the page it is another name of.
    pub redirects: Vec<String>,
    /// What its last fetch told.
    pub last_fetch: Option<LastFetch>,
    /// Links from and to the page.
    pub links: Option<Links>,
    /// JSON-LD, microdata, RDFa and cards, with what could not be read; nothing if there is none.
    pub structured: Option<StructuredData>,
    /// Databases whose form or document it is.
    pub databases: Vec<NoticedDatabase>,
}

/// A step of the rules.
#[derive(Debug, Serialize)]
pub struct StepRow {
    /// What the step did.
    pub what: String,
    pub url_after: String,
}

/// Yes, no, or not known.
#[derive(Debug, Default, Serialize)]
pub struct Verdict {
    /// Yes or no, where that is known.
    pub allowed: Option<bool>,
    /// The reason in words.
    pub says: String,
}

/// Explains a URL as it was typed; of its links those within the window.
pub fn explain(
    store: &mut dyn Snapshot,
    settings: &Settings,
    saved: &Saved,
    typed: &str,
    window: Window,
) -> Result<Explanation, Fault> {
    // The nodes of an imported graph may be called anything.
    if let Some(explanation) = by_name(store, typed, Reason::Imported, window)? {
        return Ok(explanation);
    }
    let start = saved.seeds.first().and_then(|text| Url::parse(text).ok());
    // A path alone is one of the site.
    let base = start.as_ref().filter(|_| typed.trim().starts_with('/'));
    let url = match Url::parse_with_base(typed.trim(), base) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => match address::read(typed) {
            Ok(read) => read.url,
            // A link that does not parse is known under its own text.
            Err(fault) => return by_name(store, typed, Reason::Malformed, window)?.ok_or(fault),
        },
    };
    let canonizer = settings.canonizer();
    let canon = canonizer.canon(&url);
    let found = store.find(canon.address.fp)?;
    let row = found.map(|found| store.address(found.id)).transpose()?.flatten();
    let robots = robots(store, settings, &canonizer, &canon, row.as_ref())?;
    let fetched_as = fetched_as(store, &canonizer, &canon, row.as_ref())?;
    let address = canon.address.url;
    let steps = canonizer.steps(&url).into_iter().map(|s| StepRow { what: s.what, url_after: s.url_after });
    let (pattern, names) = (shape_text(&address), parameters(&address));
    let rules: Vec<LearnedRule> = learned(store)?.into_iter().filter(|rule| rule.is_about(&pattern, &names)).collect();
    let scope = followed_scope(store, settings, saved)?;
    let refused = canon.verdict.err().or(scope.judge(&address).err());
    let refused = match refused {
        None if named(store, saved)?.refuses(&address) => Some(Reason::PrivateAddress),
        refused => refused,
    };
    let [says, hint] = would_happen(refused, &robots, &rules);
    let scope = Verdict { allowed: Some(scope.judge(&address).is_ok()), says: scope.explain(&address) };
    let mut explanation = Explanation {
        typed: typed.to_owned(),
        fetched_as: fetched_as.filter(|url| *url != address).map(String::from),
        canonical: address.into(),
        steps: steps.collect(),
        learned: rules,
        scope,
        robots,
        says,
        hint,
        ..Explanation::default()
    };
    if let Some(row) = row {
        explanation.learn_of(store, &row, window)?;
    }
    Ok(explanation)
}

/// The URL by which a page is asked for: as it was linked, of an unknown one as it was typed.
fn fetched_as(
    store: &mut dyn Snapshot,
    canonizer: &Canonizer,
    canon: &Canon,
    row: Option<&AddressRow>,
) -> Result<Option<Url>, Fault> {
    let linked = match row {
        Some(row) => store.linked(row.id)?.unwrap_or_else(|| row.url.clone()),
        None => canon.as_linked().to_string(),
    };
    Ok(linked.lines().next().and_then(|url| Url::parse(url).ok()).map(|url| canonizer.as_fetched(&url)))
}

/// What is known under its own text, for this reason.
fn by_name(
    store: &mut dyn Snapshot,
    typed: &str,
    reason: Reason,
    window: Window,
) -> Result<Option<Explanation>, Fault> {
    let (text, fp) = match reason {
        Reason::Imported => (typed.to_owned(), Fp::hash_bytes(typed.as_bytes())),
        _ => groma_model::url::malformed(typed),
    };
    let Some(found) = store.find(fp)? else { return Ok(None) };
    let Some(row) = store.address(found.id)?.filter(|row| row.reason == reason) else { return Ok(None) };
    let nothing = || Verdict { allowed: None, says: reason.says().to_owned() };
    let mut explanation = Explanation {
        typed: typed.to_owned(),
        canonical: text,
        scope: nothing(),
        robots: nothing(),
        ..Explanation::default()
    };
    explanation.learn_of(store, &row, window)?;
    Ok(Some(explanation))
}

/// The scope as the crawl had it: a start page that moved took it along.
fn followed_scope(store: &mut dyn Snapshot, settings: &Settings, saved: &Saved) -> Result<Scope, Fault> {
    let seeds: Vec<Url> = saved.seeds.iter().filter_map(|text| Url::parse(text).ok()).collect();
    let mut scope = settings.scope(&seeds);
    let canonizer = settings.canonizer();
    for seed in &seeds {
        let found = store.find(canonizer.canon(seed).address.fp)?;
        let mut next = found.map(|found| found.id);
        for _ in 0..=settings.limits().redirects.min(64) {
            let Some(row) = next.map(|id| store.address(id)).transpose()?.flatten() else { break };
            if let Ok(url) = Url::parse(&row.url) {
                scope.add_seed(&url);
            }
            next = row.alias_of;
        }
    }
    each_listed(store, saved, &mut |url| scope.add_seed(&canonizer.canon(&url).address.url))?;
    Ok(scope)
}

/// The hosts and ports that were named, and may be private.
fn named(store: &mut dyn Snapshot, saved: &Saved) -> Result<OwnHosts, Fault> {
    let seeds: Vec<Url> = saved.seeds.iter().filter_map(|text| Url::parse(text).ok()).collect();
    let mut own = OwnHosts::default();
    if !saved.guarded {
        seeds.iter().for_each(|seed| own.add(seed));
        each_listed(store, saved, &mut |url| own.add(&url))?;
    }
    Ok(own)
}

/// What robots.txt says: of a known page about the URLs by which it was linked, else about the one that was typed; and about what is
/// asked for then.
fn robots(
    store: &mut dyn Snapshot,
    settings: &Settings,
    canonizer: &Canonizer,
    canon: &Canon,
    row: Option<&AddressRow>,
) -> Result<Verdict, Fault> {
    if !settings.manners.robots {
        return Ok(Verdict { allowed: Some(true), says: "robots.txt is not obeyed in this survey".to_owned() });
    }
    let origin = canon.address.url.origin().ascii_serialization();
    let host = store.hosts()?.into_iter().find(|host| host.origin == origin);
    let Some(kept) = host.and_then(|host| host.robots) else {
        return Ok(Verdict { allowed: None, says: "no robots.txt of this host has been seen".to_owned() });
    };
    let robots = match access(Some(kept.status).filter(|status| *status > 0)) {
        Access::Rules => Robots::parse(&kept.body, &settings.manners.agent, settings.limits()),
        Access::Open => Robots::open(),
        Access::Closed | Access::Later => Robots::closed(),
    };
    let judged = Judged { robots: &robots, canonizer, status: kept.status };
    let typed = canon.as_linked();
    let known = match row {
        Some(row) => Some(store.linked(row.id)?.unwrap_or_else(|| row.url.clone())),
        None => None,
    };
    let known: Vec<Url> = known.iter().flat_map(|urls| urls.lines()).filter_map(|url| Url::parse(url).ok()).collect();
    let [first, ..] = known.as_slice() else {
        let (allowed, why) = judged.about(typed);
        return Ok(verdict(allowed, &why, kept.at));
    };
    let linked = known.iter().find(|url| judged.about(url).0).unwrap_or(first);
    let (allowed, mut why) = judged.about(linked);
    if linked != typed {
        let (as_typed, about) = judged.about(typed);
        let as_typed =
            if as_typed == allowed { String::new() } else { format!("; as typed it is {}: {about}", word(as_typed)) };
        why.push_str(&format!(" (linked as {linked}{as_typed})"));
    }
    Ok(verdict(allowed, &why, kept.at))
}

fn verdict(allowed: bool, why: &str, at: i64) -> Verdict {
    Verdict { allowed: Some(allowed), says: format!("{}: {why}, as of {}", word(allowed), rfc3339(at)) }
}

fn word(allowed: bool) -> &'static str {
    if allowed { "allowed" } else { "disallowed" }
}

/// A robots.txt that is asked.
struct Judged<'a> {
    robots: &'a Robots,
    canonizer: &'a Canonizer,
    status: u16,
}

impl Judged<'_> {
    /// May a page be fetched that was linked by this URL, and why?
    fn about(&self, linked: &Url) -> (bool, String) {
        let fetched = self.canonizer.as_fetched(linked);
        if !self.robots.allows(linked) || fetched == *linked {
            return (self.robots.allows(linked), self.why(linked));
        }
        (self.robots.allows(&fetched), format!("{}, fetched as {fetched}", self.why(&fetched)))
    }

    fn why(&self, url: &Url) -> String {
        self.robots.explain(url).unwrap_or_else(|| match self.status {
            200..=299 => "no rule is about it".to_owned(),
            status => format!("there is no robots.txt (status {status})"),
        })
    }
}

/// What would become of a URL that is not known, and what to do about that.
fn would_happen(refused: Option<Reason>, robots: &Verdict, rules: &[LearnedRule]) -> [String; 2] {
    let refused = refused.or((robots.allowed == Some(false)).then_some(Reason::Robots));
    let (then, hint) = match refused {
        Some(reason) => (format!("it would be {} ({reason}): {}", reason.state(), reason.says()), next_step(reason)),
        None if rules.iter().any(LearnedRule::is_strong) => {
            ("it would be folded into the variant known first, by a learned rule".to_owned(), next_step(Reason::Folded))
        }
        None => (
            "it would be fetched when a link to it is found".to_owned(),
            "crawl it as a start page, or look for new links with `groma update`",
        ),
    };
    [format!("{}; {then}", UNKNOWN), hint.to_owned()]
}

impl Explanation {
    /// With what it answered, if it lies outside the survey and was asked whether it is there.
    pub fn with_outside(mut self, folder: &Folder) -> Result<Explanation, Fault> {
        let Some(mut keeper) = folder.outside_if_any()?.filter(|_| self.last_fetch.is_none()) else { return Ok(self) };
        let Some(answer) = keeper.answer(&self.canonical)? else { return Ok(self) };
        let mut end = Some(answer.clone());
        for _ in 0..HOPS {
            let Some(to) = end.as_ref().filter(|end| end.reason == Reason::Redirected) else { break };
            end = keeper.answer(&to.leads_to.clone())?;
        }
        let end = end.map(|end| end.reason);
        let told = match (answer.reason, end) {
            (Reason::Fetched, _) => "it was asked, and is there".to_owned(),
            (Reason::Redirected, Some(Reason::Fetched)) => format!("it was asked, and leads to {}", answer.leads_to),
            (Reason::Redirected, end) => {
                let why = end.map_or("which was not asked", Reason::says);
                format!("it was asked, and leads to {}: {why}", answer.leads_to)
            }
            (reason, _) => format!("it was asked: {}", reason.says()),
        };
        self.says = format!("{}; {told}", self.says);
        self.redirects.extend(Some(answer.leads_to.clone()).filter(|to| !to.is_empty()));
        self.last_fetch = Some(LastFetch::from_answer(&answer));
        Ok(self)
    }

    /// Takes in what the store knows.
    fn learn_of(&mut self, store: &mut dyn Snapshot, row: &AddressRow, window: Window) -> Result<(), Fault> {
        self.known = true;
        self.id = Some(row.id);
        self.state = Some(row.state().name());
        self.reason = Some(row.reason.name());
        self.says = row.reason.says().to_owned();
        self.hint = next_step(row.reason).to_owned();
        self.since = Some(rfc3339(row.since));
        self.queued = row.queued;
        self.depth = row.depth.known();
        self.via_kind = row.via_kind.filter(|_| row.depth.0 > 0).map(|kind| kind.name());
        self.chain = follow(store, row.via, |row| row.via)?;
        self.chain.reverse();
        self.redirects = follow(store, row.alias_of, |row| row.alias_of)?;
        self.last_fetch = store.page(row.id)?.map(|page| LastFetch::from_row(&page));
        if let Some(page) = store.page(row.id)? {
            self.hint = next_step_after(row.reason, &page.facts.note).to_owned();
        }
        self.links = Some(links::gather(store, row, window)?);
        self.structured = structured(store, row.id)?;
        self.databases = NoticedDatabases::of_page(store, row.id)?.list;
        Ok(())
    }
}

/// What the page says to programs.
fn structured(store: &mut dyn Snapshot, page: PageId) -> Result<Option<StructuredData>, Fault> {
    let details = store.details(page)?.and_then(|packed| unpack_details(&packed));
    let data = details.map(|details| with_cards(details.structured.unwrap_or_default(), &details.metas));
    Ok(data.filter(|data| !data.is_empty()))
}

fn follow(
    store: &mut dyn Snapshot,
    first: Option<PageId>,
    next: impl Fn(&AddressRow) -> Option<PageId>,
) -> Result<Vec<String>, Fault> {
    let (mut chain, mut at) = (Vec::new(), first);
    while let Some(row) = at.map(|id| store.address(id)).transpose()?.flatten() {
        at = next(&row);
        chain.push(row.url);
        if chain.len() >= CHAIN {
            break;
        }
    }
    Ok(chain)
}

const UNKNOWN: &str = "not known to this survey: no page seen so far links to it";

//! The canonical URL: the one form under which a page is looked up, however it was linked to (spec 1, "URL rules").
//!
//! ```text
//! canon(u) = u by the URL standard, without fragment, user name, password, empty parameters, and session ids in the path;
//!            parameters that the rule of its script or the noise list drops dropped, absent defaults filled in,
//!            the rest sorted by name, then value
//! ```
//!
//! A URL that its rule refuses, or whose canonical form goes beyond a limit (`url_bytes`, `path_segments`,
//! `path_repeats`, `query_params`), is *ignored*; it keeps every parameter but noise, so that each ignored URL stays
//! itself. Guaranteed, and tested: canon(canon(u)) = canon(u), verdict included. Cost: linear, plus the sort; without a query
//! nothing is allocated but the result. Not guaranteed: that two spellings of one path meet (`%7E` and `~`, `/` and
//! `/index.html`); the standard keeps them apart, and so do some servers. Other schemes than http and https only lose their
//! fragment.

use groma_url::{Position, Url};

use super::query::{Param, join, params};
use super::rules::{Fate, RuleBook, Script};
use crate::{Fp, Limits, Reason};

/// The longest run of path segments whose repetition is noticed.
const RUN: usize = 8;

/// A canonical URL and its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// In canonical form.
    pub url: Url,
    /// Fingerprint of its text.
    pub fp: Fp,
}

/// What became of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canon {
    /// Canonical form and fingerprint.
    pub address: Address,
    /// Whether it is taken; if not, why it is ignored.
    pub verdict: Result<(), Reason>,
    /// The URL as it was linked, without fragment, user name and password, where that is not the canonical form.
    pub linked: Option<Box<Url>>,
}

impl Canon {
    /// The URL as it was linked.
    pub fn as_linked(&self) -> &Url {
        self.linked.as_deref().unwrap_or(&self.address.url)
    }
}

/// One step on the way to the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonStep {
    /// What was done, for people.
    pub what: String,
    /// What the step made of the URL.
    pub url_after: String,
}

/// Gives URLs their canonical form.
#[derive(Clone, Debug)]
pub struct Canonizer {
    book: RuleBook,
    url_bytes: usize,
    path_segments: usize,
    path_repeats: usize,
    query_params: usize,
}

impl Canonizer {
    /// With these rules and limits.
    pub fn new(book: RuleBook, limits: &Limits) -> Canonizer {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Canonizer {
            book,
            url_bytes: size(limits.url_bytes),
            path_segments: size(limits.path_segments),
            // Every segment stands there once; "more than zero times in a row" would refuse them all.
            path_repeats: size(limits.path_repeats).max(1),
            query_params: size(limits.query_params),
        }
    }

    /// The rules it works by.
    pub fn book(&self) -> &RuleBook {
        &self.book
    }

    /// The canonical form of a URL, and whether it is taken.
    pub fn canon(&self, url: &Url) -> Canon {
        self.walk(url, &mut Trace(None))
    }

    /// The way to the canonical form, step by step; the last one ends at what [`Canonizer::canon`] gives.
    pub fn steps(&self, url: &Url) -> Vec<CanonStep> {
        let mut steps = Vec::new();
        let mut trace = Trace(Some(&mut steps));
        trace.note(url, || "read by the URL standard".to_owned());
        let canon = self.walk(url, &mut trace);
        trace.note(&canon.address.url, || match canon.verdict {
            Ok(()) => "taken under this URL".to_owned(),
            Err(reason) => format!("excluded ({reason}): {}", reason.says()),
        });
        steps
    }

    fn walk(&self, given: &Url, trace: &mut Trace<'_>) -> Canon {
        let mut url = given.clone();
        if url.fragment().is_some() {
            url.set_fragment(None);
            trace.note(&url, || "dropped the fragment".to_owned());
        }
        if !matches!(url.scheme(), "http" | "https") {
            let verdict = if url.as_str().len() > self.url_bytes { Err(Reason::EndlessPath) } else { Ok(()) };
            return Canon { address: Address::from_url(url), verdict, linked: None };
        }
        if !url.username().is_empty() || url.password().is_some() {
            // Neither can fail for a URL with a host, and http has always one.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            trace.note(&url, || "dropped the user name and password".to_owned());
        }
        if let Some(path) = self.book.noise().clean_path(url.path()) {
            url.set_path(&path);
            trace.note(&url, || "dropped the session id in the path".to_owned());
        }
        let script = self.book.script_for(&url);
        if let Some(script) = script {
            trace.note(&url, || format!("rule {} ({}) decides", script.number, script.rule));
        }
        let query = given.query().unwrap_or_default();
        let verdict = self.obey(&mut url, query, script, trace).and_then(|()| {
            let Some(limit) = self.limit_hit(&url) else { return Ok(()) };
            Err((Reason::EndlessPath, format!("goes beyond the limit {limit}")))
        });
        let verdict = verdict.map_err(|(reason, why)| {
            self.keep_apart(&mut url, query, script);
            trace.note(&url, || why);
            reason
        });
        let linked = (path_and_query(&url) != path_and_query(given)).then(|| Box::new(plain(given)));
        Canon { address: Address::from_url(url), verdict, linked }
    }

    /// The URL that is asked for where a page was linked as `linked`: that very one, since somebody has seen it work.
    /// Only where a written rule drops a parameter or fills one in is it the canonical form, which the rule asks for.
    pub fn as_fetched(&self, linked: &Url) -> Url {
        let changed = |script: &Script| {
            let kept =
                |param: &Param<'_>| matches!(self.book.fate(Some(script), &param.name), Fate::Kept | Fate::Noise);
            let (kept, gone): (Vec<_>, Vec<_>) = params(linked.query().unwrap_or_default()).partition(kept);
            !gone.is_empty() || !script.missing(&kept).is_empty()
        };
        // Rules are written for paths without session ids.
        let cleaned = self.book.noise().clean_path(linked.path()).map(|path| {
            let mut url = linked.clone();
            url.set_path(&path);
            url
        });
        match self.book.script_for(cleaned.as_ref().unwrap_or(linked)) {
            Some(script) if changed(script) => self.canon(linked).address.url,
            _ => linked.clone(),
        }
    }

    /// Does to the query what the rule of the script says; if the rule refuses the URL, why.
    fn obey(
        &self,
        url: &mut Url,
        query: &str,
        script: Option<&Script>,
        trace: &mut Trace<'_>,
    ) -> Result<(), (Reason, String)> {
        if script.is_none() && !trace.wanted() && self.is_clean(url.query()) {
            return Ok(());
        }
        let read: Vec<Param<'_>> = params(query).collect();
        if let Some(Err((reason, name))) = script.map(|script| script.judge(&read)) {
            let name = String::from_utf8_lossy(name);
            return Err(match reason {
                Reason::RuleIgnored => (reason, "the rule ignores its whole script".to_owned()),
                Reason::RuleOneOf => (reason, format!("the rule does not list this value of `{name}`")),
                _ => (reason, format!("the rule requires `{name}`")),
            });
        }
        self.rewrite(url, read, script, trace);
        Ok(())
    }

    /// Whether a query is already as it is without a rule: the usual case, found out without writing anything.
    fn is_clean(&self, query: Option<&str>) -> bool {
        let Some(query) = query else { return true };
        if query.is_empty() {
            return false;
        }
        let mut last: Option<Param<'_>> = None;
        query.split('&').all(|piece| {
            let param = Param::read(piece);
            let fits = !piece.is_empty()
                && last.as_ref().is_none_or(|last| last.order() <= param.order())
                && self.book.fate(None, &param.name) == Fate::Kept;
            last = Some(param);
            fits
        })
    }

    /// Drops, fills in and sorts parameters.
    fn rewrite<'a>(&self, url: &mut Url, mut kept: Vec<Param<'a>>, script: Option<&'a Script>, trace: &mut Trace<'_>) {
        if trace.wanted() && set(url, &kept) {
            trace.note(url, || "dropped empty parameters".to_owned());
        }
        let mut gone = Vec::new();
        kept.retain(|param| {
            let why = match self.book.fate(script, &param.name) {
                Fate::Kept => return true,
                Fate::Noise => "noise",
                Fate::Dropped => "dropped by the rule",
                Fate::NotNamed => "not named by the rule",
            };
            if trace.wanted() {
                gone.push(format!("`{}` ({why})", param.label()));
            }
            false
        });
        if !gone.is_empty() && set(url, &kept) {
            trace.note(url, || format!("dropped {}", gone.join(", ")));
        }
        for raw in script.map(|script| script.missing(&kept)).unwrap_or_default() {
            kept.push(Param::read(raw));
            if trace.wanted() && set(url, &kept) {
                trace.note(url, || format!("filled in the default `{raw}`"));
            }
        }
        kept.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        if set(url, &kept) {
            trace.note(url, || "sorted the parameters by name, then value".to_owned());
        }
    }

    /// The form of an ignored URL: everything but noise stays, and whatever its rule names, so that reading it once more
    /// comes to the same verdict.
    fn keep_apart(&self, url: &mut Url, query: &str, script: Option<&Script>) {
        let named = |name: &[u8]| script.is_some_and(|script| script.names(name));
        let mut kept: Vec<Param<'_>> =
            params(query).filter(|p| named(&p.name) || self.book.fate(None, &p.name) == Fate::Kept).collect();
        kept.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        set(url, &kept);
    }

    /// The first limit that a URL goes beyond.
    fn limit_hit(&self, url: &Url) -> Option<&'static str> {
        if url.as_str().len() > self.url_bytes {
            return Some("url_bytes");
        }
        let path = url.path().strip_prefix('/').unwrap_or(url.path());
        let segments = path.bytes().filter(|&byte| byte == b'/').count() + usize::from(!path.ends_with('/'));
        if segments > self.path_segments {
            return Some("path_segments");
        }
        if self.repeats(path, segments) {
            return Some("path_repeats");
        }
        let pieces = url.query().map_or(0, |query| query.bytes().filter(|&byte| byte == b'&').count() + 1);
        (pieces > self.query_params).then_some("query_params")
    }

    /// Whether a run of 1 to 8 segments stands more than `path_repeats` times in a row.
    ///
    /// A run of r segments stands n + 1 times in a row where r n segments in a row equal the one r places before.
    fn repeats(&self, path: &str, segments: usize) -> bool {
        // Fewer segments than that have no room for it: for most paths the loop does not run at all.
        let longest = segments.saturating_add(1) / self.path_repeats.saturating_add(1);
        (1..=longest.min(RUN)).any(|run| {
            let mut equal = 0;
            let parts = path.as_bytes().split(|&byte| byte == b'/');
            parts.clone().zip(parts.skip(run)).any(|(before, here)| {
                equal = if before == here { equal + 1 } else { 0 };
                equal >= run.saturating_mul(self.path_repeats)
            })
        })
    }
}

impl Address {
    fn from_url(url: Url) -> Address {
        Address { fp: Fp::hash_bytes(url.as_str().as_bytes()), url }
    }
}

/// What robots.txt is about.
fn path_and_query(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// The URL as it would be asked for.
fn plain(given: &Url) -> Url {
    let mut url = given.clone();
    url.set_fragment(None);
    // Neither can fail for a URL with a host, and http has always one.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Gives a URL this query, or none if there are no parameters; says whether that changed it.
fn set(url: &mut Url, params: &[Param<'_>]) -> bool {
    let query = join(params);
    let query = (!query.is_empty()).then_some(query.as_str());
    let changes = url.query() != query;
    if changes {
        url.set_query(query);
    }
    changes
}

/// Where steps are written down, if anybody wants them.
struct Trace<'a>(Option<&'a mut Vec<CanonStep>>);

impl Trace<'_> {
    fn wanted(&self) -> bool {
        self.0.is_some()
    }

    fn note(&mut self, url: &Url, what: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.0 {
            steps.push(CanonStep { what: what(), url_after: url.as_str().to_owned() });
        }
    }
}

/// The text and the fingerprint under which a URL that does not parse is kept.
///
/// The text is cut to the usual length of a URL, the fingerprint is of all of it. No canonical URL has that
/// fingerprint (but for a collision of the hash itself): URLs begin with a letter, what is hashed here with a zero.
pub fn malformed(raw: &str) -> (String, Fp) {
    // The URL parser does not see these either.
    let raw = raw.trim_matches(|c: char| c <= ' ');
    let most = usize::try_from(Limits::default().url_bytes).unwrap_or(usize::MAX);
    let cut = (0..=most.min(raw.len())).rev().find(|&at| raw.is_char_boundary(at)).unwrap_or_default();
    let mut hashed = Vec::with_capacity(raw.len() + 1);
    hashed.push(0);
    hashed.extend_from_slice(raw.as_bytes());
    (raw[..cut].to_owned(), Fp::hash_bytes(&hashed))
}

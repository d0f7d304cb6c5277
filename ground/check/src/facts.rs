//! What the checks remember of a survey: columns.
//!
//! Five bytes for every URL; some 80 more for every indexed page, 24 for every alias and invalid URL. A survey of a
//! million pages and ten million URLs takes about 140 MB. URLs and texts are read again where a finding needs them.

use std::collections::HashMap;
use std::io;

use groma_model::{Depth, PageId, Reason, State};

use crate::checks::phrases::{self, Said};
use crate::checks::{cuts, soft_not_found, titles};
use crate::draft::Draft;
use crate::evidence::{Evidence, PageFacts};

/// Stands for: no page.
pub(crate) const NONE: u32 = u32::MAX;

/// Aliases are followed so far. They do not run in circles, but a damaged survey must not hang us.
const HOPS_AT_MOST: usize = 1_000;

/// A yes or no about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Mark {
    /// Belongs to the survey.
    InScope = 1,
    /// A sitemap names it.
    FromSitemap = 1 << 1,
    /// HTML or XHTML.
    Html = 1 << 2,
    /// An address of http, and not of this very machine.
    Insecure = 1 << 3,
    /// A URL of https.
    Secure = 1 << 4,
    /// Its author asks not to list it.
    NoIndex = 1 << 5,
    /// It was not read to the end.
    Incomplete = 1 << 6,
    /// A start page, or what one redirects to.
    Start = 1 << 7,
    /// Its URL speaks of errors or searches, so a page there may well speak of them too.
    Topic = 1 << 8,
    /// Links to it speak of errors.
    NamedTopic = 1 << 9,
    /// Another page links to it.
    Linked = 1 << 10,
    /// ... from outside of navigation.
    LinkedInText = 1 << 11,
    /// It sends its visitors on by itself.
    Refreshes = 1 << 12,
    /// Found to be a soft 404.
    Soft = 1 << 13,
    /// Found to be a double of another page.
    Double = 1 << 14,
    /// It might be a soft 404 by its size, type and status.
    MaybeSoft = 1 << 15,
    /// It is no page of the survey, and was asked whether it is there.
    Asked = 1 << 16,
    /// ... and has moved for good.
    Moved = 1 << 17,
    /// Something on a page leads to it in the end.
    Target = 1 << 18,
    /// It is on this very machine.
    ThisMachine = 1 << 19,
    /// Large enough to be sent compressed.
    Compressible = 1 << 20,
}

/// What is kept of a fetched page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    pub(crate) text: u128,
    pub(crate) near: u64,
    /// Of the title; 0 if there is none.
    pub(crate) title: u64,
    pub(crate) since: i64,
    pub(crate) id: u32,
    pub(crate) words: u32,
    /// What it names as its canonical form, if that is another page.
    pub(crate) canonical: u32,
    pub(crate) depth: u32,
    /// Written without spaces between words.
    pub(crate) unspaced: bool,
    /// What its title says about not being there.
    pub(crate) said: Said,
    /// The server it came from.
    pub(crate) server: u32,
    /// Of its description and its first heading of level one; 0 if there is none. Known once its content has been read.
    pub(crate) description: u64,
    pub(crate) heading: u64,
}

/// An alias, or an unreachable URL.
#[derive(Clone, Copy, Debug)]
struct Elsewhere {
    since: i64,
    id: u32,
    /// The next hop of an alias.
    to: u32,
    status: u16,
}

/// Who looks at pages of the survey while they are read.
pub(crate) struct RowJudges<'a> {
    /// Bytes from which an answer should be compressed.
    pub(crate) compressible: u64,
    pub(crate) row: &'a mut dyn FnMut(&PageFacts<'_>, &mut Vec<Draft>),
}

#[derive(Debug, Default)]
pub(crate) struct Facts {
    reasons: Vec<Option<Reason>>,
    marks: Vec<u32>,
    /// In order of their numbers.
    pub(crate) pages: Vec<Page>,
    elsewhere: Vec<Elsewhere>,
    /// Scheme, host and port, with a number.
    servers: HashMap<String, u32>,
}

impl Facts {
    /// Reads all URLs. What can be said about a page by itself goes to the drafts at once.
    pub(crate) fn read(
        evidence: &mut dyn Evidence,
        judges: &mut RowJudges<'_>,
        drafts: &mut Vec<Draft>,
    ) -> io::Result<Facts> {
        let mut facts = Facts::default();
        evidence.pages(&mut |page| facts.take(page, judges, drafts))?;
        // Only a survey that breaks the promise of order needs this.
        if !facts.pages.is_sorted_by_key(|page| page.id) {
            facts.pages.sort_by_key(|page| page.id);
        }
        if !facts.elsewhere.is_sorted_by_key(|address| address.id) {
            facts.elsewhere.sort_by_key(|address| address.id);
        }
        Ok(facts)
    }

    fn take(&mut self, page: &PageFacts<'_>, judges: &mut RowJudges<'_>, drafts: &mut Vec<Draft>) {
        let id = page.id.0;
        let at = id as usize;
        if at >= self.reasons.len() {
            self.reasons.resize(at + 1, None);
            self.marks.resize(at + 1, 0);
        }
        let (reason, since) = (page.known_reason(), page.asked.map_or(page.since, |asked| asked.since));
        self.reasons[at] = Some(reason);
        self.mark_if(page.id, Mark::Asked, page.asked.is_some());
        self.mark_if(page.id, Mark::Moved, page.asked.is_some_and(|asked| !asked.moved_to.is_empty()));
        let secure = page.url.starts_with("https://");
        self.mark_if(page.id, Mark::InScope, page.in_scope);
        self.mark_if(page.id, Mark::FromSitemap, page.from_sitemap);
        self.mark_if(page.id, Mark::Secure, secure);
        let here = is_this_machine(page.url);
        self.mark_if(page.id, Mark::ThisMachine, here);
        self.mark_if(page.id, Mark::Insecure, page.url.starts_with("http://") && !here);
        self.mark_if(page.id, Mark::Start, page.depth == Depth(0));
        match reason.state() {
            State::Fetched => self.take_indexed(page, judges, drafts),
            State::Alias | State::Broken => {
                let to = page.alias_of.map_or(NONE, |to| to.0);
                let topic = page.reason == Reason::Redirected && soft_not_found::is_topic(page.url);
                self.mark_if(page.id, Mark::Topic, topic);
                self.elsewhere.push(Elsewhere { since, id, to, status: page.status });
            }
            _ if page.asked.is_some() => self.elsewhere.push(Elsewhere { since, id, to: NONE, status: page.status }),
            _ => {}
        }
    }

    fn take_indexed(&mut self, page: &PageFacts<'_>, judges: &mut RowJudges<'_>, drafts: &mut Vec<Draft>) {
        let html = is_html(page.media_type);
        self.mark_if(page.id, Mark::Html, html);
        self.mark_if(page.id, Mark::NoIndex, page.noindex);
        self.mark_if(page.id, Mark::Incomplete, !page.cuts.is_empty());
        let maybe =
            html && page.in_scope && matches!(page.status, 200 | 304) && page.text.words <= soft_not_found::FEW_WORDS;
        self.mark_if(page.id, Mark::MaybeSoft, maybe);
        self.mark_if(page.id, Mark::Topic, maybe && soft_not_found::is_topic(page.url));
        drafts.extend(cuts::judge(page));
        self.mark_if(page.id, Mark::Compressible, page.size >= judges.compressible);
        if page.in_scope {
            (judges.row)(page, drafts);
        }
        let server = self.server(page.url);
        self.pages.push(Page {
            text: page.text.fp.map_or(0, |fp| fp.0),
            near: page.text.near_fp,
            title: titles::fingerprint(page.title),
            since: page.since,
            id: page.id.0,
            words: page.text.words,
            canonical: page.canonical.map_or(NONE, |to| to.0),
            depth: page.depth.0,
            unspaced: matches!(page.text.language.split('-').next(), Some("zh" | "ja" | "th" | "lo" | "km" | "my")),
            said: if maybe { phrases::says(page.title) } else { Said::Nothing },
            server,
            description: 0,
            heading: 0,
        });
    }

    /// The number of the server of a URL.
    fn server(&mut self, url: &str) -> u32 {
        let authority = authority(url);
        let end = url.find(authority).map_or(0, |at| at + authority.len());
        let origin = &url[..end];
        if let Some(server) = self.servers.get(origin) {
            return *server;
        }
        let server = u32::try_from(self.servers.len()).unwrap_or(NONE);
        self.servers.insert(origin.to_owned(), server);
        server
    }

    /// Why a URL is in its state; nothing if there is no such URL.
    pub(crate) fn reason(&self, id: PageId) -> Option<Reason> {
        self.reasons.get(id.0 as usize).copied().flatten()
    }

    /// Calls back with every URL and why it is in its state.
    pub(crate) fn each(&self, mut call: impl FnMut(PageId, Reason)) {
        let known = self.reasons.iter().enumerate().filter_map(|(at, reason)| Some((at, (*reason)?)));
        known.for_each(|(at, reason)| call(PageId(u32::try_from(at).unwrap_or(NONE)), reason));
    }

    /// How many URLs there are for a reason, of those with a mark.
    pub(crate) fn count(&self, mark: Mark, which: impl Fn(Reason) -> bool) -> u64 {
        let both = self.reasons.iter().zip(&self.marks);
        both.filter(|(reason, marks)| **marks & mark as u32 != 0 && reason.is_some_and(&which)).count() as u64
    }

    pub(crate) fn has(&self, id: PageId, mark: Mark) -> bool {
        self.marks.get(id.0 as usize).is_some_and(|marks| marks & mark as u32 != 0)
    }

    pub(crate) fn mark(&mut self, id: PageId, mark: Mark) {
        self.mark_if(id, mark, true);
    }

    fn mark_if(&mut self, id: PageId, mark: Mark, wanted: bool) {
        if let Some(marks) = self.marks.get_mut(id.0 as usize).filter(|_| wanted) {
            *marks |= mark as u32;
        }
    }

    pub(crate) fn page(&self, id: PageId) -> Option<&Page> {
        let at = self.pages.binary_search_by_key(&id.0, |page| page.id).ok()?;
        self.pages.get(at)
    }

    pub(crate) fn page_mut(&mut self, id: PageId) -> Option<&mut Page> {
        let at = self.pages.binary_search_by_key(&id.0, |page| page.id).ok()?;
        self.pages.get_mut(at)
    }

    fn elsewhere(&self, id: PageId) -> Option<&Elsewhere> {
        let at = self.elsewhere.binary_search_by_key(&id.0, |address| address.id).ok()?;
        self.elsewhere.get(at)
    }

    /// When a URL came into its state; 0 if that is not kept.
    pub(crate) fn since(&self, id: PageId) -> i64 {
        let page = self.page(id).map(|page| page.since);
        page.or_else(|| self.elsewhere(id).map(|address| address.since)).unwrap_or_default()
    }

    /// The HTTP status of an alias or invalid URL.
    pub(crate) fn status(&self, id: PageId) -> u16 {
        self.elsewhere(id).map_or(0, |address| address.status)
    }

    /// The URL that another is an alias of; nothing if it is none.
    pub(crate) fn next_hop(&self, id: PageId) -> Option<PageId> {
        if self.reason(id)?.state() != State::Alias {
            return None;
        }
        self.elsewhere(id).map(|address| PageId(address.to)).filter(|to| to.0 != NONE)
    }

    /// The page a URL stands for in the end: itself, or what its aliases lead to. Nothing if they lead nowhere.
    pub(crate) fn end(&self, id: PageId) -> Option<PageId> {
        let mut at = id;
        for _ in 0..HOPS_AT_MOST {
            match self.reason(at)?.state() {
                State::Alias => at = self.next_hop(at)?,
                _ => return Some(at),
            }
        }
        None
    }

    /// The redirecting URLs from one that is linked to the end: each answers with a redirect. Aliases of our own making
    /// (folded, rewritten) are passed through silently. At most so many as are ever followed.
    pub(crate) fn redirects(&self, id: PageId) -> Vec<PageId> {
        let mut hops = Vec::new();
        let mut at = id;
        for _ in 0..HOPS_AT_MOST {
            if self.reason(at) == Some(Reason::Redirected) {
                hops.push(at);
            }
            let Some(next) = self.next_hop(at) else { break };
            at = next;
        }
        hops
    }

    /// All aliases and all unreachable URLs, in order of their numbers.
    pub(crate) fn without_page(&self) -> impl Iterator<Item = PageId> {
        self.elsewhere.iter().map(|address| PageId(address.id))
    }

    pub(crate) fn redirecting(&self) -> impl Iterator<Item = PageId> {
        self.without_page().filter(|id| self.reason(*id) == Some(Reason::Redirected))
    }
}

impl Page {
    pub(crate) fn id(&self) -> PageId {
        PageId(self.id)
    }
}

/// HTML or XHTML, whatever follows the media type.
pub(crate) fn is_html(media_type: &str) -> bool {
    let bare = media_type.split(';').next().unwrap_or_default().trim();
    bare.eq_ignore_ascii_case("text/html") || bare.eq_ignore_ascii_case("application/xhtml+xml")
}

/// Host and port of a canonical address of the web.
pub(crate) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// What browsers trust without encryption.
fn is_this_machine(url: &str) -> bool {
    let authority = authority(url);
    let host = match authority.strip_prefix('[') {
        Some(six) => return six.starts_with("::1]"),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|ip: std::net::Ipv4Addr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Survey;

    #[test]
    fn aliases_are_followed_to_their_end_and_circles_lead_nowhere() {
        let mut survey = Survey::default();
        let page = survey.indexed("https://a.org/");
        let (one, two) =
            (survey.add("https://a.org/1", Reason::Redirected), survey.add("https://a.org/2", Reason::Folded));
        let (ring, loose) =
            (survey.add("https://a.org/3", Reason::Redirected), survey.add("https://a.org/4", Reason::Redirected));
        survey.page(one).alias_of = Some(two);
        survey.page(two).alias_of = Some(page);
        survey.page(ring).alias_of = Some(ring);
        let facts =
            Facts::read(&mut survey, &mut RowJudges { compressible: 0, row: &mut |_, _| () }, &mut Vec::new()).unwrap();
        assert_eq!(
            [facts.end(one), facts.end(page), facts.end(ring), facts.end(loose)],
            [Some(page), Some(page), None, None]
        );
        assert_eq!(facts.end(PageId(99)), None);
        assert_eq!(facts.redirects(one), [one], "what we folded ourselves is no redirect");
        assert_eq!(facts.redirects(page), []);
        assert_eq!(facts.redirects(ring).len(), HOPS_AT_MOST);
    }

    #[test]
    fn this_machine_and_html_are_known_in_every_spelling() {
        for url in ["http://localhost/", "http://127.3.2.1:80/x", "http://[::1]:9/", "http://a.localhost?x"] {
            assert!(is_this_machine(url), "{url}");
        }
        for url in
            ["http://localhost.org/", "http://128.0.0.1/", "http://a.org/localhost", "http://[::12]/", "mailto:x"]
        {
            assert!(!is_this_machine(url), "{url}");
        }
        assert_eq!(authority("https://me:pw@a.org:8443/x@y"), "a.org:8443");
        assert!(is_html("Text/HTML; charset=utf-8") && is_html("application/xhtml+xml") && !is_html("text/htmlx"));
    }
}

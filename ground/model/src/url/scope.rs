//! Scope: does a URL belong to the survey?
//!
//! ```text
//! page     exactly a start page
//! prefix   as host, and the path begins like a start page's up to its last '/'
//! host     the same host name and port as a start page; http on 80 and https on 443 are the same place
//! domain   the same registrable domain (public suffix list); of IP addresses the same one
//! auto     the site itself, wherever its pages lie: its bounds are found while it is crawled, so every http and https URL
//!          may belong to it and none is refused here
//! any      every http and https URL
//! ```
//!
//! The order of judgement: what is excluded is out, whatever else holds; a start page is in; then the scope decides; then,
//! if there are inclusions, one of them must match. Start pages and URLs are expected in canonical form. Cost: a few
//! look-ups plus one comparison per pattern, independent of the number of start pages.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;

use groma_url::{Host, Position, Url};
use serde::{Deserialize, Serialize};

use super::pattern::Pattern;
use crate::Reason;

/// How far a survey reaches beyond its start pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeKind {
    /// Only the start pages.
    Page,
    /// What lies below them.
    Prefix,
    /// All of their hosts.
    Host,
    /// All of their registrable domains.
    Domain,
    /// The site, by the bounds that are found for it.
    Auto,
    /// The whole web.
    Any,
}

impl ScopeKind {
    /// All of them, from the narrowest.
    pub const ALL: [ScopeKind; 6] =
        [ScopeKind::Page, ScopeKind::Prefix, ScopeKind::Host, ScopeKind::Domain, ScopeKind::Auto, ScopeKind::Any];

    /// Does it set no bounds to what may be visited?
    pub fn is_boundless(self) -> bool {
        matches!(self, ScopeKind::Auto | ScopeKind::Any)
    }

    /// The word users write.
    pub fn name(self) -> &'static str {
        match self {
            ScopeKind::Page => "page",
            ScopeKind::Prefix => "prefix",
            ScopeKind::Host => "host",
            ScopeKind::Domain => "domain",
            ScopeKind::Auto => "auto",
            ScopeKind::Any => "any",
        }
    }
}

impl fmt::Display for ScopeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scope `{0}`; write page, prefix, host, domain, auto or any")]
pub struct NoSuchScope(pub String);

impl FromStr for ScopeKind {
    type Err = NoSuchScope;

    fn from_str(text: &str) -> Result<ScopeKind, NoSuchScope> {
        ScopeKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| NoSuchScope(text.to_owned()))
    }
}

/// The bounds of a survey.
#[derive(Clone, Debug)]
pub struct Scope {
    kind: ScopeKind,
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    /// What start pages bring into scope, as keyed fingerprints: there may be millions of them.
    known: HashSet<u64>,
    key: RandomState,
    /// Start pages of which the page itself is known; all that matter, and some more for people.
    seeds: usize,
    /// Bytes of the longest prefix: no need to look farther into a path.
    longest: usize,
}

/// What is kept of a start page.
#[derive(Hash)]
enum Kept<'a> {
    /// The page, without its fragment.
    Page(&'a str),
    /// A host with a port; none: the usual one of its scheme.
    Place(&'a str, Option<u16>),
    /// A folder of a place.
    Prefix(&'a str, Option<u16>, &'a str),
    Domain(&'a str),
}

/// Start pages that are known as such although they are in scope anyway, so that people are told.
const TOLD: usize = 10_000;

impl Scope {
    /// The scope of a survey that starts at these pages.
    pub fn new(kind: ScopeKind, seeds: &[Url], include: Vec<Pattern>, exclude: Vec<Pattern>) -> Scope {
        let (known, key) = (HashSet::new(), RandomState::new());
        let mut scope = Scope { kind, include, exclude, known, key, seeds: 0, longest: 0 };
        for seed in seeds {
            scope.add_seed(seed);
        }
        scope
    }

    fn keep(&mut self, what: &Kept<'_>) {
        self.known.insert(self.key.hash_one(what));
    }

    fn has(&self, what: &Kept<'_>) -> bool {
        self.known.contains(&self.key.hash_one(what))
    }

    /// Takes in another start page, for instance the one a start page redirects to.
    pub fn add_seed(&mut self, seed: &Url) {
        let (host, port) = (seed.host_str().unwrap_or_default(), place_port(seed));
        match self.kind {
            ScopeKind::Prefix => {
                let prefix = &seed.path()[..seed.path().rfind('/').map_or(0, |slash| slash + 1)];
                self.longest = self.longest.max(prefix.len());
                self.keep(&Kept::Place(host, port));
                self.keep(&Kept::Prefix(host, port, prefix));
            }
            ScopeKind::Host => self.keep(&Kept::Place(host, port)),
            ScopeKind::Domain => self.keep(&Kept::Domain(domain_of(seed))),
            ScopeKind::Page | ScopeKind::Auto | ScopeKind::Any => {}
        }
        // Elsewhere a start page is in scope by its place, if nothing else is asked of it.
        if self.kind == ScopeKind::Page || !self.include.is_empty() || self.seeds < TOLD {
            self.seeds += 1;
            self.keep(&Kept::Page(&seed[..Position::AfterQuery]));
        }
    }

    /// How far it reaches.
    pub fn kind(&self) -> ScopeKind {
        self.kind
    }

    /// Whether a URL belongs to the survey; if not, why.
    pub fn judge(&self, url: &Url) -> Result<(), Reason> {
        if self.exclude.iter().any(|pattern| pattern.matches(url)) {
            return Err(Reason::Excluded);
        }
        let verdict = if !self.reaches(url) {
            Err(Reason::OutOfScope)
        } else if !self.include.is_empty() && !self.include.iter().any(|pattern| pattern.matches(url)) {
            Err(Reason::NotIncluded)
        } else {
            Ok(())
        };
        // Start pages are in anyway; few URLs need to be looked up for that.
        verdict.or_else(|reason| if self.is_seed(url) { Ok(()) } else { Err(reason) })
    }

    /// The judgement in words.
    pub fn explain(&self, url: &Url) -> String {
        let matching = |patterns: &[Pattern]| {
            patterns.iter().find(|pattern| pattern.matches(url)).map(|pattern| pattern.text().to_owned())
        };
        match self.judge(url) {
            Err(Reason::Excluded) => {
                format!("excluded: matches the exclusion `{}`", matching(&self.exclude).unwrap_or_default())
            }
            Err(Reason::NotIncluded) => {
                let patterns: Vec<_> = self.include.iter().map(|pattern| format!("`{}`", pattern.text())).collect();
                format!("not included: matches none of the inclusions {}", patterns.join(", "))
            }
            Err(_) if !is_web(url) => format!("out of scope: only http and https are visited, not {}", url.scheme()),
            Err(_) => format!("out of scope: {}", self.miss(url)),
            Ok(()) if self.is_seed(url) => "in scope: a start page".to_owned(),
            Ok(()) => {
                let inclusion = matching(&self.include);
                let inclusion = inclusion.map(|text| format!(", and matches the inclusion `{text}`"));
                format!("in scope: {}{}", self.hit(url), inclusion.unwrap_or_default())
            }
        }
    }

    fn hit(&self, url: &Url) -> String {
        match self.kind {
            ScopeKind::Page => "a start page".to_owned(),
            ScopeKind::Prefix => "lies below a start page".to_owned(),
            ScopeKind::Host => {
                format!("on the host of a start page, {}", &url[Position::BeforeHost..Position::AfterPort])
            }
            ScopeKind::Domain => format!("in the domain of a start page, {}", registrable_domain(url)),
            ScopeKind::Auto => "the scope is the site, whose bounds are found as it is crawled".to_owned(),
            ScopeKind::Any => "the scope is any URL".to_owned(),
        }
    }

    fn miss(&self, url: &Url) -> String {
        let host = &url[Position::BeforeHost..Position::AfterPort];
        match self.kind {
            ScopeKind::Page => "no start page, and the scope is page".to_owned(),
            ScopeKind::Prefix if self.has_place(url) => "on the host of a start page, but not below one".to_owned(),
            ScopeKind::Prefix | ScopeKind::Host => format!("no start page is on the host {host}"),
            ScopeKind::Domain => format!("no start page is in the domain {}", registrable_domain(url)),
            ScopeKind::Auto | ScopeKind::Any => "not a URL of the web".to_owned(),
        }
    }

    fn is_seed(&self, url: &Url) -> bool {
        self.has(&Kept::Page(&url[..Position::AfterQuery]))
    }

    fn reaches(&self, url: &Url) -> bool {
        is_web(url)
            && match self.kind {
                ScopeKind::Page => false,
                ScopeKind::Prefix => self.has_place(url) && self.is_below(url),
                ScopeKind::Host => self.has_place(url),
                ScopeKind::Domain => self.has(&Kept::Domain(domain_of(url))),
                ScopeKind::Auto | ScopeKind::Any => true,
            }
    }

    fn has_place(&self, url: &Url) -> bool {
        url.host_str().is_some_and(|host| self.has(&Kept::Place(host, place_port(url))))
    }

    fn is_below(&self, url: &Url) -> bool {
        let (host, port, path) = (url.host_str().unwrap_or_default(), place_port(url), url.path());
        let mut slashes = path.bytes().take(self.longest).enumerate().filter(|(_, byte)| *byte == b'/');
        slashes.any(|(at, _)| self.has(&Kept::Prefix(host, port, &path[..=at])))
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// The port that tells one place from another: none where the scheme's own is used.
fn place_port(url: &Url) -> Option<u16> {
    match (url.scheme(), url.port_or_known_default()) {
        ("http", Some(80)) | ("https", Some(443)) => None,
        (_, port) => port,
    }
}

/// The registrable domain of an address (`example.co.uk` of `www.example.co.uk`), by the public suffix list; of IP
/// URLs, single labels and public suffixes the host itself.
pub fn registrable_domain(url: &Url) -> String {
    domain_of(url).to_owned()
}

fn domain_of(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    match url.host() {
        Some(Host::Domain(name)) => {
            // A dot at the end only says that the name is complete.
            let name = name.strip_suffix('.').unwrap_or(name);
            psl::domain_str(name).unwrap_or(name)
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn scope(kind: ScopeKind, seed: &str, include: &[&str], exclude: &[&str]) -> Scope {
        let patterns = |texts: &[&str]| texts.iter().map(|text| Pattern::parse(text).unwrap()).collect();
        Scope::new(kind, &[url(seed)], patterns(include), patterns(exclude))
    }

    fn reach(kind: ScopeKind, seed: &str, inside: &[&str], outside: &[&str]) {
        let scope = scope(kind, seed, &[], &[]);
        for text in inside {
            assert_eq!(scope.judge(&url(text)), Ok(()), "{kind} of {seed}: {text}");
            assert!(scope.explain(&url(text)).starts_with("in scope: "), "{text}");
        }
        for text in outside {
            assert_eq!(scope.judge(&url(text)), Err(Reason::OutOfScope), "{kind} of {seed}: {text}");
            assert!(scope.explain(&url(text)).starts_with("out of scope: "), "{text}");
        }
    }

    #[test]
    fn page_is_exactly_the_start_page() {
        reach(ScopeKind::Page, "http://a.org/x?y#z", &["http://a.org/x?y", "http://a.org/x?y#w"], &["http://a.org/x"]);
    }

    #[test]
    fn prefix_is_what_lies_below_the_last_slash_of_the_start_page() {
        let inside = ["http://a.org/docs/", "https://a.org/docs/v2/x?y", "http://a.org/docs/index.html"];
        let outside = [
            "http://a.org/",
            "http://a.org/docs",
            "http://a.org/docs2/",
            "http://b.org/docs/",
            "http://a.org:81/docs/",
        ];
        reach(ScopeKind::Prefix, "http://a.org/docs/start.html", &inside, &outside);
        reach(ScopeKind::Prefix, "http://a.org/docs", &["http://a.org/other"], &["http://b.org/docs"]);
    }

    #[test]
    fn host_is_one_name_and_port_whatever_the_usual_scheme() {
        let inside = ["https://a.org/", "http://a.org:80/x", "https://a.org:443/y"];
        let outside =
            ["http://www.a.org/", "http://a.org:8080/", "http://a.org:443/", "https://a.org:80/", "ftp://a.org/"];
        reach(ScopeKind::Host, "http://a.org/deep/start", &inside, &outside);
        reach(ScopeKind::Host, "http://a.org:8080/", &["https://a.org:8080/"], &["http://a.org/"]);
        reach(ScopeKind::Host, "http://[::1]:9/", &["http://[::1]:9/x"], &["http://[::1]/", "http://127.0.0.1:9/"]);
    }

    #[test]
    fn domain_is_what_one_can_register() {
        let inside = ["https://b.example.co.uk:8443/", "http://example.co.uk/", "http://example.co.uk./"];
        let outside = ["http://other.co.uk/", "http://co.uk/", "mailto:x@example.co.uk", "ftp://example.co.uk/"];
        reach(ScopeKind::Domain, "http://a.example.co.uk/", &inside, &outside);
        reach(
            ScopeKind::Domain,
            "http://127.0.0.1/",
            &["http://127.0.0.1:9/"],
            &["http://127.0.1.1/", "http://0.0.1/"],
        );
        reach(ScopeKind::Domain, "http://me.github.io/", &["http://www.me.github.io/"], &["http://you.github.io/"]);
        reach(ScopeKind::Domain, "http://localhost:1/", &["http://localhost:2/"], &["http://x.localhost/"]);
    }

    #[test]
    fn any_is_the_whole_web_and_nothing_else() {
        for kind in ScopeKind::ALL.into_iter().filter(|kind| kind.is_boundless()) {
            reach(kind, "http://a.org/", &["https://b.net:81/x"], &["mailto:x@a.org", "data:,x", "ftp://a.org/"]);
        }
    }

    #[test]
    fn exclusion_beats_start_pages_and_scope_and_inclusion_binds_only_what_is_in_scope() {
        let scope = scope(ScopeKind::Host, "http://a.org/", &["/blog/*"], &["*.pdf", "b.org/*"]);
        for (text, verdict, words) in [
            ("http://a.org/", Ok(()), "in scope: a start page"),
            (
                "http://a.org/blog/1",
                Ok(()),
                "in scope: on the host of a start page, a.org, and matches the inclusion `/blog/*`",
            ),
            ("http://a.org/shop/1", Err(Reason::NotIncluded), "not included: matches none of the inclusions `/blog/*`"),
            ("http://a.org/blog/1.pdf", Err(Reason::Excluded), "excluded: matches the exclusion `*.pdf`"),
            ("http://b.org/x", Err(Reason::Excluded), "excluded: matches the exclusion `b.org/*`"),
            ("http://c.org/blog/", Err(Reason::OutOfScope), "out of scope: no start page is on the host c.org"),
        ] {
            assert_eq!(scope.judge(&url(text)), verdict, "{text}");
            assert_eq!(scope.explain(&url(text)), words);
        }
        let excluded = Scope::new(ScopeKind::Any, &[url("http://a.org/x.pdf")], vec![], scope.exclude.clone());
        assert_eq!(excluded.judge(&url("http://a.org/x.pdf")), Err(Reason::Excluded));
    }

    #[test]
    fn a_start_page_taken_in_later_widens_the_scope() {
        let mut scope = scope(ScopeKind::Prefix, "http://a.org/x/", &[], &[]);
        assert_eq!(scope.judge(&url("http://www.a.org/x/1")), Err(Reason::OutOfScope));
        scope.add_seed(&url("http://www.a.org/x/"));
        scope.add_seed(&url("http://a.org/y/z/1"));
        for text in ["http://www.a.org/x/1", "http://a.org/x/1", "http://a.org/y/z/2"] {
            assert_eq!(scope.judge(&url(text)), Ok(()), "{text}");
        }
        assert_eq!(scope.judge(&url("http://a.org/y/")), Err(Reason::OutOfScope));
    }

    #[test]
    fn the_registrable_domain_of_hosts_that_have_none_is_the_host() {
        for (text, domain) in [
            ("http://www.example.com/", "example.com"),
            ("http://www.example.com./", "example.com"),
            ("http://a.b.example.co.uk/", "example.co.uk"),
            ("http://co.uk/", "co.uk"),
            ("http://localhost/", "localhost"),
            ("http://10.1.2.3/", "10.1.2.3"),
            ("http://[2001:db8::1]/", "[2001:db8::1]"),
            ("http://www.b\u{fc}cher.de/", "xn--bcher-kva.de"),
            ("mailto:x@y.org", ""),
        ] {
            assert_eq!(registrable_domain(&url(text)), domain, "{text}");
        }
    }

    #[test]
    fn scopes_are_written_in_lower_case() {
        for kind in ScopeKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), serde_json::json!(kind.name()));
        }
        let error = "Host".parse::<ScopeKind>().unwrap_err();
        assert_eq!(error.to_string(), "there is no scope `Host`; write page, prefix, host, domain, auto or any");
    }
}

//! May we ask for this URL? robots.txt by RFC 9309.
//!
//! The longest matching rule decides, allowing wins a tie, `/robots.txt` itself may always be asked for. `Crawl-delay`
//! and `Sitemap` are read too; they are not in the RFC, and as it demands (2.2.4) they end no group.
//! Not done, on purpose: Google's own additions (`/index.html` standing for `/`, lines cut at 16,664 bytes), which
//! would allow more than was said. Where we read otherwise than others is listed in `docs/robots.md`, and a test holds the list.

mod escape;
mod lines;
mod rules;
mod trie;

#[cfg(test)]
mod peers;
#[cfg(test)]
mod tests;

pub use lines::product_token;

use escape::{Query, Star, spell};
use groma_model::Limits;
use groma_url::Url;
use rules::{Decision, Pattern, RuleSet};
use std::time::Duration;

/// What a robots.txt says to one crawler: read once, asked often.
pub struct Robots {
    verdict: Verdict,
    delay: Option<Duration>,
    delay_cut: bool,
    sitemaps: Vec<String>,
}

enum Verdict {
    Closed,
    Rules(Box<Rules>),
}

#[derive(Default)]
struct Rules {
    /// Rules about the path, or about the whole as written.
    strict: RuleSet,
    /// Rules that name a query: compared with its reserved characters folded, unless an escape in them is cut.
    folded: RuleSet,
}

impl Robots {
    /// Reads what `bytes` say to `agent` (its product token, such as `groma`), up to `limits.robots_bytes`; a line that
    /// is cut there does not count.
    pub fn parse(bytes: &[u8], agent: &str, limits: &Limits) -> Robots {
        let bytes = whole_lines(bytes, limits.robots_bytes);
        let decoded = from_utf16(bytes);
        let bytes = decoded.as_ref().map_or(bytes, |text| text.as_bytes());
        let told = lines::read(bytes, agent, Duration::from_secs(limits.crawl_delay_s));
        let by_meaning = |pattern: &Pattern<'_>| pattern.value.contains(&b'?') && !escape::is_cut(pattern.value);
        let (folded, strict) = told.patterns.into_iter().partition(by_meaning);
        let rules =
            Rules { strict: RuleSet::compile(strict, Query::Strict), folded: RuleSet::compile(folded, Query::Folded) };
        let (delay, delay_cut) = (told.delay, told.delay_cut);
        Robots { verdict: Verdict::Rules(rules.into()), delay, delay_cut, sitemaps: told.sitemaps }
    }

    /// Everything is allowed: there is no robots.txt.
    pub fn open() -> Robots {
        Robots { verdict: Verdict::Rules(Box::default()), delay: None, delay_cut: false, sitemaps: Vec::new() }
    }

    /// Nothing is allowed: the robots.txt could not be had.
    pub fn closed() -> Robots {
        Robots { verdict: Verdict::Closed, delay: None, delay_cut: false, sitemaps: Vec::new() }
    }

    /// Whether `url` may be asked for. Its host is not looked at: the file is taken to be of that host.
    pub fn allows(&self, url: &Url) -> bool {
        url.path() == "/robots.txt"
            || match &self.verdict {
                Verdict::Closed => false,
                Verdict::Rules(rules) => rules.decide(url).is_none_or(|it| it.rule.allow),
            }
    }

    /// The line that decided about `url`, as written: `Disallow: /private/ (line 12)`. Nothing if no rule is about it.
    pub fn explain(&self, url: &Url) -> Option<String> {
        match &self.verdict {
            _ if url.path() == "/robots.txt" => None,
            Verdict::Closed => Some("robots.txt could not be had".to_owned()),
            Verdict::Rules(rules) => rules.decide(url).map(|decision| {
                let shown: String = decision.rule.text.chars().take(SHOWN).collect();
                let more = if shown.len() < decision.rule.text.len() { "…" } else { "" };
                format!("{shown}{more} (line {})", decision.rule.line)
            }),
        }
    }

    /// The wait between two fetches that the group asks for, cut to `limits.crawl_delay_s`.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.delay
    }

    /// Whether the group asks for a longer wait than `limits.crawl_delay_s`.
    pub fn crawl_delay_was_cut(&self) -> bool {
        self.delay_cut
    }

    /// The sitemaps the file names, whatever the group, as written.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// Characters of a rule shown in an explanation: a line is for people to read.
const SHOWN: usize = 200;

/// Rules and keys are numbered in 32 bits, and spelling may triple them.
const NUMBERED: u64 = u32::MAX as u64 / 4;

/// A file that its byte order mark says is UTF-16, as text. (The RFC asks for UTF-8; what was meant is plain all the same.)
fn from_utf16(bytes: &[u8]) -> Option<String> {
    let (rest, little) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (rest, true),
        [0xFE, 0xFF, rest @ ..] => (rest, false),
        _ => return None,
    };
    let unit = |pair: [u8; 2]| if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) };
    let units = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// The lines that end within `limit`.
fn whole_lines(bytes: &[u8], limit: u64) -> &[u8] {
    let limit = usize::try_from(limit.min(NUMBERED)).unwrap_or(usize::MAX);
    let Some(next) = bytes.get(limit) else { return bytes };
    let kept = &bytes[..limit];
    if matches!(next, b'\n' | b'\r') {
        return kept;
    }
    let end = memchr::memrchr2(b'\n', b'\r', kept);
    &kept[..end.unwrap_or(0)]
}

impl Rules {
    /// The rule that decides about `url`.
    fn decide(&self, url: &Url) -> Option<Decision<'_>> {
        let text = &url[groma_url::Position::BeforePath..groma_url::Position::AfterQuery];
        let text = &text.as_bytes()[..text.len().min(NUMBERED as usize)];
        let [strict, folded] = [(&self.strict, Query::Strict), (&self.folded, Query::Folded)].map(|(rules, query)| {
            if rules.is_empty() {
                return None;
            }
            let mut path = Vec::with_capacity(text.len() + 16);
            spell(text, Star::Plain, query, &mut path);
            rules.decide(&path)
        });
        Decision::of_both(strict, folded)
    }
}

/// What an answer for robots.txt means, before its body is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its rules count: read the body.
    Rules,
    /// There are no rules: everything is allowed.
    Open,
    /// The server is in trouble, or silent: nothing is allowed.
    Closed,
    /// The server asks us to come back later.
    Later,
}

/// What the status of the answer for robots.txt means (RFC 9309, 2.3.1); nothing stands for no answer. Redirects are
/// followed before: one that is left over, after too many, counts as "not there".
pub fn access(status: Option<u16>) -> Access {
    match status {
        Some(200..=299) => Access::Rules,
        Some(429) => Access::Later,
        Some(300..=499) => Access::Open,
        _ => Access::Closed,
    }
}

//! What do the lines of a robots.txt say to one crawler?
//!
//! Rule (RFC 9309, 2.2): user-agent lines open a group, rules belong to all agents of their group, groups of the same
//! agent are one, the group of `*` is for those who are not named. Lines of any other kind end nothing. A delay, which is not in the
//! RFC, is for the agents named last.
//! Lenient as crawlers are: the byte order mark, any end of line, spaces anywhere, a missing colon, usual misspellings, a file that was
//! written as HTML (`Disallow: /<BR>`).

use super::rules::{Pattern, Rule};
use memchr::{memchr, memchr2};
use std::time::Duration;

/// What one crawler is told.
#[derive(Default)]
pub(super) struct Told<'a> {
    /// The rules of its group.
    pub(super) patterns: Vec<Pattern<'a>>,
    /// The largest delay its group asks for.
    pub(super) delay: Option<Duration>,
    pub(super) delay_cut: bool,
    /// All sitemaps of the file.
    pub(super) sitemaps: Vec<String>,
}

/// What is kept for one of the two groups that may count.
#[derive(Default)]
struct Group<'a> {
    there: bool,
    patterns: Vec<Pattern<'a>>,
    delay: Option<Duration>,
    delay_cut: bool,
}

/// Reads a file that is cut to its limit already.
pub(super) fn read<'a>(bytes: &'a [u8], agent: &str, longest_delay: Duration) -> Told<'a> {
    let agent = agent.trim().as_bytes();
    let mut named = Group::default();
    let mut general = Group::default();
    let mut sitemaps = Vec::new();
    // Whether the group that is being read speaks to us by name, and to everyone; and whether it has a rule yet. The same for the
    // agents named last, which a delay is for.
    let (mut to_us, mut to_all, mut ruled) = (false, false, false);
    let (mut delays_us, mut delays_all, mut ended) = (false, false, false);
    let html = bytes.trim_ascii_start().starts_with(b"<");

    for (line, text) in lines(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)) {
        let text = if html { &text[..memchr(b'<', text).unwrap_or(text.len())] } else { text };
        let Some((key, value)) = split(text) else { continue };
        match key {
            Key::Agent => {
                if std::mem::take(&mut ruled) {
                    (to_us, to_all) = (false, false);
                }
                if std::mem::take(&mut ended) {
                    (delays_us, delays_all) = (false, false);
                }
                let (us, all) = (names(value, agent), is_everyone(value));
                (to_us, to_all, delays_us, delays_all) = (to_us | us, to_all | all, delays_us | us, delays_all | all);
                named.there |= to_us;
            }
            Key::Allow | Key::Disallow => {
                (ruled, ended) = (true, true);
                // An empty pattern matches nothing.
                for group in [to_us.then_some(&mut named), to_all.then_some(&mut general)].into_iter().flatten() {
                    if !value.is_empty() {
                        let text = String::from_utf8_lossy(text).into();
                        group.patterns.push(Pattern { value, rule: Rule { allow: key == Key::Allow, line, text } });
                    }
                }
            }
            Key::Delay => {
                ended = true;
                let Some(delay) = seconds(value) else { continue };
                for group in [delays_us.then_some(&mut named), delays_all.then_some(&mut general)].into_iter().flatten()
                {
                    group.delay = group.delay.max(Some(delay.min(longest_delay)));
                    group.delay_cut |= delay > longest_delay;
                }
            }
            Key::Sitemap if value.is_empty() => {}
            Key::Sitemap => sitemaps.push(String::from_utf8_lossy(value).into_owned()),
        }
    }
    let Group { patterns, delay, delay_cut, .. } = if named.there { named } else { general };
    Told { patterns, delay, delay_cut, sitemaps }
}

/// Whether a user-agent line means all who are not named.
fn is_everyone(value: &[u8]) -> bool {
    value.strip_prefix(b"*").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Agent,
    Allow,
    Disallow,
    Delay,
    Sitemap,
}

/// The lines with their numbers, without comments and surrounding spaces. CR, LF and CR LF end a line.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = Some(bytes);
    let mut line = 0u32;
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr2(b'\n', b'\r', text);
        rest = end.map(|at| &text[at + if text[at..].starts_with(b"\r\n") { 2 } else { 1 }..]);
        line = line.saturating_add(1);
        let text = &text[..end.unwrap_or(text.len())];
        Some((line, text[..memchr(b'#', text).unwrap_or(text.len())].trim_ascii()))
    })
}

/// The key and the value of a line that means something to us.
fn split(text: &[u8]) -> Option<(Key, &[u8])> {
    let colon = memchr(b':', text);
    let at = colon.or_else(|| {
        // Without a colon only two plain words can be meant as key and value.
        let space = text.iter().position(u8::is_ascii_whitespace)?;
        let value = text[space..].trim_ascii_start();
        (!value.iter().any(u8::is_ascii_whitespace)).then_some(space)
    })?;
    let value = text[at + 1..].trim_ascii();
    let key = text[..at].trim_ascii();
    let is = |names: &[&str]| names.iter().any(|name| key.eq_ignore_ascii_case(name.as_bytes()));
    let key = if is(&["user-agent", "useragent", "user agent", "useg-agent"]) {
        Key::Agent
    } else if is(&["allow"]) {
        Key::Allow
    } else if is(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow"]) {
        Key::Disallow
    } else if is(&["crawl-delay", "crawldelay", "crawl delay"]) {
        Key::Delay
    } else if is(&["sitemap", "site-map"]) {
        Key::Sitemap
    } else {
        return None;
    };
    Some((key, value))
}

/// The name by which robots.txt files speak to a crawler that calls itself `user_agent` (RFC 9309, 2.2.1): its first product without
/// the version; of one that passes for a browser, `Mozilla/5.0 (compatible; NAME/1.0; ...)`, the product named there.
pub fn product_token(user_agent: &str) -> &str {
    let first = product(user_agent);
    if !first.eq_ignore_ascii_case("mozilla") {
        return first;
    }
    const WORD: &[u8] = b"(compatible;";
    let at = user_agent.as_bytes().windows(WORD.len()).position(|part| part.eq_ignore_ascii_case(WORD));
    let named = at.map(|at| product(&user_agent[at + WORD.len()..])).unwrap_or_default();
    if named.is_empty() { first } else { named }
}

/// The name of the product at the beginning of a text.
fn product(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || "/();,".contains(c)).unwrap_or(text.len());
    &text[..end]
}

/// Whether a user-agent line means `agent`: by its product token (letters, `-`, `_`), or by its first word, for agents
/// whose names have other characters.
fn names(value: &[u8], agent: &[u8]) -> bool {
    let start = |within: fn(u8) -> bool| {
        let end = value.iter().position(|&byte| !within(byte)).unwrap_or(value.len());
        &value[..end]
    };
    let token = start(|byte| byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_');
    let word = start(|byte| !byte.is_ascii_whitespace() && byte != b'/');
    !agent.is_empty() && agent != b"*" && (token.eq_ignore_ascii_case(agent) || word.eq_ignore_ascii_case(agent))
}

/// A number of seconds, fractions allowed.
fn seconds(value: &[u8]) -> Option<Duration> {
    let end = value.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(value.len());
    let number: f64 = std::str::from_utf8(&value[..end]).ok()?.parse().ok()?;
    Some(Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

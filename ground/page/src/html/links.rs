//! References as they stand on the page, and what they come to once the base is known.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use groma_model::{BlockKind, Link, LinkKind, Rel, Target};
use groma_url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// Characters kept of a reference that does not parse.
const MALFORMED: usize = 500;

/// A reference not yet resolved.
#[derive(Debug)]
struct Pending {
    reference: Range<usize>,
    kind: LinkKind,
    rel: Rel,
    block: BlockKind,
    text: String,
}

/// Collects references. They can only be resolved at the end: a `base` may still come.
#[derive(Debug)]
pub(crate) struct Links {
    /// All references, end to end.
    references: String,
    pending: Vec<Pending>,
    most: u64,
    /// There were more links than the limit allows.
    pub(crate) cut: bool,
}

impl Links {
    pub(crate) fn new(most: u64) -> Links {
        Links { references: String::new(), pending: Vec::new(), most, cut: false }
    }

    /// A link. Gives its number, unless it is one too many or leads to no URL.
    pub(crate) fn push(&mut self, reference: &str, kind: LinkKind, rel: &str, block: BlockKind) -> Option<usize> {
        let reference = reference.trim_ascii();
        if leads_elsewhere(reference) {
            return None;
        }
        if self.pending.len() as u64 >= self.most {
            self.cut = true;
            return None;
        }
        let start = self.references.len();
        self.references.push_str(reference);
        let reference = start..self.references.len();
        self.pending.push(Pending { reference, kind, rel: Rel::parse(rel), block, text: String::new() });
        Some(self.pending.len() - 1)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// A link as it is written.
    pub(crate) fn reference(&self, link: usize) -> &str {
        self.pending.get(link).and_then(|pending| self.references.get(pending.reference.clone())).unwrap_or_default()
    }

    /// The text of a link is known.
    pub(crate) fn set_text(&mut self, link: usize, text: String) {
        self.pending[link].text = text;
    }

    /// The images of a `srcset`, by the standard's rule: a URL runs to white space; commas at its end belong to the
    /// list; what follows up to the next comma outside of brackets describes it.
    pub(crate) fn push_srcset(&mut self, srcset: &str, block: BlockKind) {
        let mut rest = srcset;
        loop {
            rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
            if rest.is_empty() || self.cut {
                return;
            }
            let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
            let address = rest[..end].trim_end_matches(',');
            self.push(address, LinkKind::Image, "", block);
            if address.len() < end {
                rest = &rest[end..];
                continue;
            }
            let mut inside = false;
            let next = rest[end..].find(|c: char| {
                match c {
                    '(' => inside = true,
                    ')' => inside = false,
                    _ => {}
                }
                c == ',' && !inside
            });
            rest = next.map_or("", |next| &rest[end + next..]);
        }
    }

    /// Resolves all links against the base.
    pub(crate) fn finish(self, base: &Resolver<'_>) -> Vec<Link> {
        self.finish_noting(base, |_| {})
    }

    /// All links, resolved; the numbers of those that lead somewhere are noted in their order.
    pub(crate) fn finish_noting(self, base: &Resolver<'_>, mut note: impl FnMut(usize)) -> Vec<Link> {
        let mut memory = Memory::default();
        let resolve = |(number, pending): (usize, Pending)| {
            let target = memory.resolve(&self.references, pending.reference, base)?;
            note(number);
            Some(Link { target, kind: pending.kind, text: pending.text, rel: pending.rel, block: pending.block })
        };
        self.pending.into_iter().enumerate().filter_map(resolve).collect()
    }
}

/// Has a scheme that is not of the web: mailto, javascript, data, ...
fn leads_elsewhere(reference: &str) -> bool {
    let bytes = reference.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let in_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let end = bytes.iter().position(|b| !in_scheme(b)).unwrap_or(bytes.len());
    let scheme = &bytes[..end];
    bytes.get(end) == Some(&b':') && !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https")
}

/// Resolves references against a base, in the encoding of the page.
pub(crate) struct Resolver<'a> {
    base: &'a Url,
    /// Queries are encoded by it (URL standard); nothing for UTF-8.
    encoding: Option<&'static Encoding>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(base: &'a Url, encoding: &'static Encoding) -> Resolver<'a> {
        let encoding = encoding.output_encoding();
        Resolver { base, encoding: (encoding != UTF_8).then_some(encoding) }
    }

    /// The URL; nothing if it is none of the web.
    pub(crate) fn resolve(&self, reference: &str) -> Option<Target> {
        let parsed = match self.encoding {
            Some(encoding) if !reference.is_ascii() => {
                let encode = encoder(encoding);
                Url::options().base_url(Some(self.base)).encoding_override(Some(&encode)).parse(reference)
            }
            _ => self.base.join(reference),
        };
        match parsed {
            Ok(url) => matches!(url.scheme(), "http" | "https").then_some(Target::Web(url)),
            Err(_) => Some(Target::Malformed(reference.chars().take(MALFORMED).collect())),
        }
    }
}

/// How the query of a URL is written in an encoding.
fn encoder(encoding: &'static Encoding) -> impl for<'s> Fn(&'s str) -> Cow<'s, [u8]> {
    move |query| encoding.encode(query).0
}

/// Remembers some of what was resolved: the links of a page repeat themselves.
///
/// A direct-mapped table, so that no page can make it slow. Kept are URLs without their fragments.
#[derive(Default)]
struct Memory {
    slots: Vec<Option<(Range<usize>, Url)>>,
}

const SLOTS: usize = 256;

impl Memory {
    fn resolve(&mut self, references: &str, range: Range<usize>, base: &Resolver<'_>) -> Option<Target> {
        let reference = &references[range.clone()];
        // Blanks and controls are stripped or escaped depending on where they stand: leave those to the parser.
        if !reference.bytes().all(|b| b.is_ascii_graphic()) {
            return base.resolve(reference);
        }
        let (address, fragment) = match memchr::memchr(b'#', reference.as_bytes()) {
            Some(at) => (&reference[..at], Some(&reference[at + 1..])),
            None => (reference, None),
        };
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let slot = &mut self.slots[xxh3_64(address.as_bytes()) as usize % SLOTS];
        let known = slot.as_ref().filter(|(known, _)| references[known.clone()] == *address);
        let mut url = match known {
            Some((_, url)) => url.clone(),
            None => match base.resolve(address)? {
                Target::Web(url) => {
                    *slot = Some((range.start..range.start + address.len(), url.clone()));
                    url
                }
                Target::Malformed(_) => return base.resolve(reference),
            },
        };
        if fragment.is_some() {
            url.set_fragment(fragment);
        }
        Some(Target::Web(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn srcset(value: &str) -> Vec<String> {
        let mut links = Links::new(100);
        links.push_srcset(value, BlockKind::Paragraph);
        links.pending.iter().map(|p| links.references[p.reference.clone()].to_owned()).collect()
    }

    #[test]
    fn a_srcset_is_read_by_the_rule_of_the_standard() {
        assert_eq!(srcset("a.png 1x, b.png 2x"), ["a.png", "b.png"]);
        assert_eq!(srcset(" a.png, b.png"), ["a.png", "b.png"]);
        assert_eq!(srcset("a.png,b.png 2x"), ["a.png,b.png"]);
        assert_eq!(srcset("a.png f(1,2), b.png,,"), ["a.png", "b.png"]);
        assert_eq!(srcset("data:image/png;base64,AA 1x, b.png"), ["b.png"]);
        assert!(srcset(" , ").is_empty());
    }

    #[test]
    fn only_web_schemes_lead_on_the_web() {
        for other in [
            "mailto:a@b.test",
            "javascript:void(0)",
            "JavaScript:x",
            "data:,x",
            "tel:1",
            "ftp://b.test/",
            "about:blank",
        ] {
            assert!(leads_elsewhere(other), "{other}");
        }
        for web in
            ["", "x:y/z".get(1..).unwrap(), "HTTP://b.test", "https:x", "a/b:c", "1:2", "?a:b", "#a:b", "//b.test:80/"]
        {
            assert!(!leads_elsewhere(web), "{web}");
        }
    }

    proptest! {
        #[test]
        fn memory_changes_nothing(parts in proptest::collection::vec("(\\.\\./|a|b|/|#|#x|\\?|\\?q=1|:|http://|b.test|//|%20| |é|\\\\|@|\\[|\\t){0,6}", 1..12)) {
            let base = Url::parse("http://a.test/d/e?f#g").unwrap();
            let resolver = Resolver::new(&base, UTF_8);
            let mut links = Links::new(1000);
            let mut expected = Vec::new();
            for part in parts.iter().chain(&parts) {
                if links.push(part, LinkKind::Anchor, "", BlockKind::Paragraph).is_some() {
                    expected.extend(resolver.resolve(part.trim_ascii()));
                }
            }
            let found: Vec<Target> = links.finish(&resolver).into_iter().map(|link| link.target).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

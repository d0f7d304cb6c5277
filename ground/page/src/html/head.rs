//! What a page says about itself: `meta`, `base`, `link`, and what `html` declares.

use groma_model::page::{Directives, Meta};
use groma_model::{BlockKind, LinkKind};
use groma_url::Url;

use super::attributes::{Attr, Attributes};
use super::blocks::Blocks;
use super::links::Links;
use crate::{fold, language};

/// Metas kept, and bytes kept of each content.
const METAS: usize = 500;
const META_BYTES: usize = 4096;

/// Collects what the head says.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) title: Option<String>,
    pub(crate) metas: Vec<Meta>,
    pub(crate) directives: Directives,
    base: Option<String>,
    lang: Option<String>,
    content_language: Option<String>,
    pub(crate) noscript: bool,
}

impl Head {
    /// Takes the language from the attributes of `html`.
    pub(crate) fn html(&mut self, attributes: &Attributes<'_>) {
        if self.lang.is_none() {
            self.lang = language::declared(attributes.text(Attr::Lang));
        }
    }

    /// The language that was declared.
    pub(crate) fn language(&mut self) -> Option<String> {
        self.lang.take().or_else(|| self.content_language.take())
    }

    /// `base`: the first with a URL counts.
    pub(crate) fn base(&mut self, attributes: &Attributes<'_>) {
        if self.base.is_none() {
            self.base = attributes.get(Attr::Href).map(|href| href.trim_ascii().to_owned());
        }
    }

    /// What relative references hang on. A base longer than a URL may be is none: each link would carry it.
    pub(crate) fn base_url(&self, page: &Url, url_bytes: u64, cuts: &mut Vec<&'static str>) -> Url {
        let base = self.base.as_ref().and_then(|href| page.join(href).ok());
        match base.filter(|base| !base.cannot_be_a_base()) {
            Some(base) if base.as_str().len() as u64 <= url_bytes => base,
            Some(_) => {
                cuts.push("url_bytes");
                page.clone()
            }
            None => page.clone(),
        }
    }

    pub(crate) fn meta(&mut self, attributes: &Attributes<'_>, blocks: &mut Blocks, links: &mut Links) {
        let Some(content) = attributes.get(Attr::Content) else { return };
        let pragma = attributes.text(Attr::HttpEquiv).trim_ascii().to_ascii_lowercase();
        match pragma.as_str() {
            "refresh" => {
                // A refresh for those without scripts leads away from a page that is meant to be read with them: it names
                // a URL, but it is not where the page has moved to.
                let kind = if self.noscript { LinkKind::Related } else { LinkKind::Refresh };
                if let Some(address) = refresh(content) {
                    links.push(address, kind, "", BlockKind::Paragraph);
                }
            }
            "content-language" if self.content_language.is_none() => {
                self.content_language = language::declared(content);
            }
            _ => {}
        }
        let names = [attributes.text(Attr::Name), attributes.text(Attr::Property), &pragma];
        let Some(name) = names.into_iter().map(str::trim_ascii).find(|name| !name.is_empty()) else { return };
        let name = fold::cut(name, META_BYTES).to_ascii_lowercase();
        match name.as_str() {
            "robots" | "groma" => obey(&mut self.directives, content),
            "description" => blocks.push(BlockKind::Description, fold::folded(content, blocks.room())),
            "keywords" => blocks.push(BlockKind::Keywords, fold::folded(content, blocks.room())),
            _ => {}
        }
        if self.metas.len() < METAS {
            self.metas.push(Meta { name, content: fold::cut(content, META_BYTES).to_owned() });
        }
    }

    /// A `link`. Gives its number, if it leads anywhere.
    pub(crate) fn link(attributes: &Attributes<'_>, links: &mut Links) -> Option<usize> {
        let rel = attributes.text(Attr::Rel);
        let link = links.push(attributes.get(Attr::Href)?, link_kind(rel)?, rel, BlockKind::Paragraph)?;
        if let Some(title) = attributes.get(Attr::Title) {
            links.set_text(link, fold::folded(title, META_BYTES));
        }
        Some(link)
    }
}

/// What a `link` is by its `rel`; nothing if it names nothing to fetch.
pub(crate) fn link_kind(rel: &str) -> Option<LinkKind> {
    #[rustfmt::skip]
    const PARTS: [&str; 10] = [
        "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon", "preload", "modulepreload",
        "prefetch", "manifest", "apple-touch-startup-image",
    ];
    const SERVICES: [&str; 6] = ["dns-prefetch", "preconnect", "pingback", "webmention", "edituri", "wlwmanifest"];
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    let words = || rel.split_ascii_whitespace();
    if words().any(|word| is(word, "stylesheet")) {
        Some(LinkKind::Style)
    } else if words().any(|word| is(word, "canonical")) {
        Some(LinkKind::Canonical)
    } else if words().any(|word| PARTS.iter().any(|part| is(word, part))) {
        Some(LinkKind::Style)
    } else {
        words().any(|word| !SERVICES.iter().any(|service| is(word, service))).then_some(LinkKind::Related)
    }
}

/// What robots are asked, from the content of a `meta`.
fn obey(directives: &mut Directives, content: &str) {
    for word in content.split(|c: char| c == ',' || c.is_ascii_whitespace()) {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        directives.noindex |= is("noindex") || is("none");
        directives.nofollow |= is("nofollow") || is("none");
    }
}

/// The URL of a refresh, by the standard's "shared declarative refresh steps"; nothing if it names none.
pub(crate) fn refresh(content: &str) -> Option<&str> {
    let input = content.trim_ascii_start();
    let after = input.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == input.len() && !input.starts_with('.') {
        return None;
    }
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !after.starts_with(|c: char| c == ';' || c == ',' || c.is_ascii_whitespace()) {
        return None;
    }
    let after = after.trim_ascii_start();
    let rest = after.strip_prefix([';', ',']).unwrap_or(after).trim_ascii_start();
    if rest.is_empty() {
        return None;
    }
    // `url =` may be left out.
    let mut address = rest;
    if let Some(value) =
        rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_ascii_start())
        && let Some(value) = value.strip_prefix('=')
    {
        address = value.trim_ascii_start();
    }
    match address.chars().next() {
        Some(quote @ ('"' | '\'')) => address[1..].split(quote).next(),
        _ => Some(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_is_read_by_the_rule_of_the_standard() {
        for (content, address) in [
            ("5; url=/x", Some("/x")),
            ("0;URL='/x' y", Some("/x")),
            ("0 ; url = \"/x\"", Some("/x")),
            ("0, /x", Some("/x")),
            (" 1.5 /x", Some("/x")),
            (".5;/x", Some("/x")),
            ("0;url='/x", Some("/x")),
            ("0;urls", Some("urls")),
            ("0;url /x", Some("url /x")),
            ("5", None),
            ("5;", None),
            ("", None),
            ("url=/x", None),
            ("5x; url=/x", None),
        ] {
            assert_eq!(refresh(content), address, "{content}");
        }
    }

    #[test]
    fn a_link_is_what_its_rel_says() {
        for (rel, kind) in [
            ("stylesheet", Some(LinkKind::Style)),
            ("alternate StyleSheet", Some(LinkKind::Style)),
            ("shortcut icon", Some(LinkKind::Style)),
            ("preload", Some(LinkKind::Style)),
            ("manifest", Some(LinkKind::Style)),
            ("Canonical", Some(LinkKind::Canonical)),
            ("next", Some(LinkKind::Related)),
            ("alternate", Some(LinkKind::Related)),
            ("dns-prefetch", None),
            ("preconnect dns-prefetch", None),
            ("pingback", None),
            ("", None),
        ] {
            assert_eq!(link_kind(rel), kind, "{rel}");
        }
    }

    #[test]
    fn robots_words_add_up() {
        for (content, noindex, nofollow) in [
            ("noindex", true, false),
            ("NOINDEX, NoFollow", true, true),
            ("none", true, true),
            ("index,follow", false, false),
            ("max-snippet:-1 nofollow", false, true),
        ] {
            let mut directives = Directives::default();
            obey(&mut directives, content);
            assert_eq!((directives.noindex, directives.nofollow), (noindex, nofollow), "{content}");
        }
    }
}

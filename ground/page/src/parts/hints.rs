//! What class names, ids and other attributes hint at. Names may be hashed or mean nothing: a hint only adds to what text,
//! place and repetition say, and no rule hangs on one alone.
//!
//! A value is cut into words at everything that is no letter and where a small letter meets a capital; each word is looked up
//! in one table. Cost: linear in the values, of which the first [`LOOKED_AT`] bytes count.

use xxhash_rust::xxh3::xxh3_64;

use crate::html::attributes::{Attr, Attributes};
use crate::html::tag::Tag;

/// Bytes of one attribute that are looked at.
const LOOKED_AT: usize = 400;

/// A set of hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints(pub(crate) u32);

#[rustfmt::skip]
impl Hints {
    pub(crate) const TITLE: Hints = Hints(1);
    pub(crate) const AUTHOR: Hints = Hints(1 << 1);
    pub(crate) const AFFILIATION: Hints = Hints(1 << 2);
    pub(crate) const ABSTRACT: Hints = Hints(1 << 3);
    pub(crate) const KEYWORD: Hints = Hints(1 << 4);
    pub(crate) const RELATED: Hints = Hints(1 << 5);
    /// Menus, breadcrumbs, tool bars.
    pub(crate) const NAVIGATION: Hints = Hints(1 << 6);
    /// Advertising, sharing, consent, login, newsletters.
    pub(crate) const NOISE: Hints = Hints(1 << 7);
    pub(crate) const COMMENT: Hints = Hints(1 << 8);
    pub(crate) const SIDE: Hints = Hints(1 << 9);
    pub(crate) const FOOTER: Hints = Hints(1 << 10);
    pub(crate) const HEADER: Hints = Hints(1 << 11);
    /// Previous and next, numbers of pages.
    pub(crate) const SEQUENCE: Hints = Hints(1 << 12);
    /// Results, tables of contents.
    pub(crate) const LIST: Hints = Hints(1 << 13);
    pub(crate) const REFERENCE: Hints = Hints(1 << 14);
    pub(crate) const CAPTION: Hints = Hints(1 << 15);
    /// The text of an article.
    pub(crate) const BODY: Hints = Hints(1 << 16);
    /// Dates, bylines, tags, counters.
    pub(crate) const FACTS: Hints = Hints(1 << 17);
    /// Not shown at first.
    pub(crate) const HIDDEN: Hints = Hints(1 << 18);
    /// A window over the page.
    pub(crate) const DIALOG: Hints = Hints(1 << 19);
    /// Landmarks: `nav`, `aside`, `menu`, and header and footer by element or role.
    pub(crate) const LANDMARK: Hints = Hints(1 << 20);
    /// `main`, `article`, or the role.
    pub(crate) const MAIN: Hints = Hints(1 << 21);
    /// A list of people's or institutions' details that is kept apart.
    pub(crate) const EDITOR: Hints = Hints(1 << 22);
    /// The attribute says it outright (microdata).
    pub(crate) const DECLARED: Hints = Hints(1 << 23);

    /// A form: what is in it asks, it does not tell.
    pub(crate) const FORM: Hints = Hints(1 << 24);

    pub(crate) const NOTHING: Hints = Hints(0);
    /// What no main text stands in.
    pub(crate) const OUTSIDE: Hints = Hints(
        Hints::RELATED.0 | Hints::NAVIGATION.0 | Hints::NOISE.0 | Hints::COMMENT.0 | Hints::SIDE.0 | Hints::FOOTER.0
            | Hints::SEQUENCE.0 | Hints::DIALOG.0 | Hints::LANDMARK.0,
    );
}

impl Hints {
    /// Is any of these in it?
    pub(crate) fn any(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn with(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Hints) -> Hints {
        Hints(self.0 & !other.0)
    }
}

/// What the attributes of an element hint at, and a hash of its class names (digits and states left out).
pub(crate) fn read_hints(tag: Tag, attributes: &Attributes<'_>) -> (Hints, u64) {
    let mut hints = match tag {
        Tag::Nav | Tag::Menu => Hints::LANDMARK.with(Hints::NAVIGATION),
        Tag::Aside => Hints::LANDMARK.with(Hints::SIDE),
        Tag::Footer => Hints::FOOTER,
        Tag::Header => Hints::HEADER,
        Tag::Main | Tag::Article => Hints::MAIN,
        Tag::Figcaption => Hints::CAPTION,
        Tag::Dialog => Hints::DIALOG,
        Tag::Form => Hints::FORM,
        _ => Hints::NOTHING,
    };
    let role = attributes.text(Attr::Role).trim_ascii();
    if !role.is_empty() {
        hints = hints.with(of_role(role));
    }
    let property = attributes.text(Attr::Itemprop);
    if !property.is_empty() {
        let found = words(property).fold(Hints::NOTHING, |hints, word| hints.with(of_property(word)));
        if found != Hints::NOTHING {
            hints = hints.with(found).with(Hints::DECLARED);
        }
    }
    let rel = attributes.text(Attr::Rel);
    if tag == Tag::A && !rel.is_empty() {
        for word in rel.split_ascii_whitespace() {
            hints = hints.with(match word.to_ascii_lowercase().as_str() {
                "author" => Hints::AUTHOR,
                "sponsored" => Hints::NOISE,
                "prev" | "previous" | "next" => Hints::SEQUENCE,
                "tag" => Hints::KEYWORD,
                _ => Hints::NOTHING,
            });
        }
    }
    let class = crate::fold::cut(attributes.text(Attr::Class), LOOKED_AT);
    let id = crate::fold::cut(attributes.text(Attr::Id), LOOKED_AT);
    for name in class.split_ascii_whitespace().chain([id]) {
        let found = words(name).fold(Hints::NOTHING, |hints, word| hints.with(of_word(word)));
        // `no-sidebar`, `modal-enabled`, `social-embed` say what is not, or might be, or where it came from.
        if found != Hints::NOTHING && !(found.any(Hints::OUTSIDE.with(Hints::HIDDEN)) && words(name).any(is_state)) {
            hints = hints.with(found);
        }
    }
    (hints, class_hash(class))
}

/// Words of a name that say the rest of it is not what the element is.
#[rustfmt::skip]
fn is_state(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "with" | "has" | "w" | "no" | "not" | "without" | "enabled" | "label" | "embed" | "embedded"
        | "js" | "logged" | "one" | "two" | "col" | "columns" | "layout" | "template" | "below" | "above" | "is" | "post" | "article" | "wrapper")
}

/// The class names, whatever their order: digits left out, and names that tell a state or a place among others.
fn class_hash(class: &str) -> u64 {
    const STATES: [&str; 18] = [
        "active",
        "current",
        "first",
        "last",
        "odd",
        "even",
        "selected",
        "open",
        "opened",
        "closed",
        "visited",
        "show",
        "shown",
        "hover",
        "collapsed",
        "expanded",
        "disabled",
        "even-row",
    ];
    let mut sum = 0u64;
    for name in class.split_ascii_whitespace() {
        if STATES.iter().any(|state| state.eq_ignore_ascii_case(name)) {
            continue;
        }
        let hash = if name.bytes().any(|b| b.is_ascii_digit()) {
            let bare: Vec<u8> = name.bytes().filter(|b| !b.is_ascii_digit()).collect();
            xxh3_64(&bare)
        } else {
            xxh3_64(name.as_bytes())
        };
        sum = sum.wrapping_add(hash | 1);
    }
    sum
}

/// The words of an attribute's value.
pub(crate) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|c: char| !c.is_alphabetic()).flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let bytes = rest.as_bytes();
            let cut = |at: &usize| bytes[*at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase();
            let (word, after) = rest.split_at((1..bytes.len()).find(cut).unwrap_or(bytes.len()));
            rest = after;
            Some(word).filter(|word| !word.is_empty())
        })
    })
}

fn of_role(role: &str) -> Hints {
    match role.to_ascii_lowercase().as_str() {
        "navigation" | "menu" | "menubar" | "toolbar" => Hints::LANDMARK.with(Hints::NAVIGATION),
        "banner" => Hints::HEADER.with(Hints::LANDMARK),
        "contentinfo" => Hints::FOOTER.with(Hints::LANDMARK),
        "complementary" => Hints::SIDE,
        "search" => Hints::NAVIGATION,
        "main" | "article" => Hints::MAIN,
        "dialog" | "alertdialog" => Hints::DIALOG,
        "doc-abstract" => Hints::ABSTRACT,
        _ => Hints::NOTHING,
    }
}

fn of_property(word: &str) -> Hints {
    match word.to_ascii_lowercase().as_str() {
        "headline" => Hints::TITLE,
        "author" | "creator" | "authors" => Hints::AUTHOR,
        "affiliation" => Hints::AFFILIATION,
        "abstract" => Hints::ABSTRACT,
        "keywords" => Hints::KEYWORD,
        "article" | "body" => Hints::BODY,
        "editor" => Hints::EDITOR,
        "comment" => Hints::COMMENT,
        _ => Hints::NOTHING,
    }
}

/// One word of a class name or an id.
#[rustfmt::skip]
fn of_word(word: &str) -> Hints {
    let mut lower = [0; 14];
    let Some(lower) = lower.get_mut(..word.len()) else { return Hints::NOTHING };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    match &*lower {
        b"title" | b"headline" | b"titel" | b"titre" | b"titulo" => Hints::TITLE,
        b"author" | b"authors" | b"auteur" | b"auteurs" | b"autor" | b"autoren" | b"autores" | b"creator" | b"creators" | b"contrib"
        | b"contributor" | b"contributors" | b"byline" | b"contribgroup" | b"auth" | b"authorlist" => Hints::AUTHOR,
        b"affiliation" | b"affiliations" | b"affil" | b"affils" | b"aff" | b"institution" | b"institutions" | b"affs" | b"org"
        | b"organization" | b"institute" => Hints::AFFILIATION,
        b"abstract" | b"abstracts" | b"abs" | b"summary" | b"zusammenfassung" | b"resume" | b"resumen" | b"resumo" => Hints::ABSTRACT,
        b"keyword" | b"keywords" | b"kwd" | b"kwds" | b"subjects" | b"schlagwort" | b"motscles" => Hints::KEYWORD,
        b"related" | b"recommended" | b"similar" | b"recommend" | b"recommends" | b"citedby" | b"suggested" | b"recommender" | b"suggestions"
        | b"readmore" | b"outbrain" | b"taboola" | b"trending" | b"popular" | b"mostread" | b"morelikethis" | b"seealso" => Hints::RELATED,
        b"nav" | b"navbar" | b"navigation" | b"menu" | b"menus" | b"breadcrumb" | b"breadcrumbs" | b"toolbar" | b"masthead"
        | b"topbar" | b"submenu" | b"navi" | b"crumbs" | b"skip" | b"skiplink" | b"dropdown" => Hints::NAVIGATION,
        b"ad" | b"ads" | b"advert" | b"adverts" | b"advertisement" | b"advertising" | b"sponsor" | b"sponsored" | b"sponsors" | b"promo"
        | b"promotion" | b"share" | b"sharing" | b"social" | b"cookie" | b"cookies" | b"consent" | b"newsletter" | b"subscribe"
        | b"signup" | b"login" | b"signin" | b"adsense" | b"dfp" | b"adslot" | b"addthis" | b"sharedaddy" | b"gdpr"
        | b"disqus" | b"teaser" | b"cta" | b"popup" | b"adbox" | b"adwrap" | b"printonly" => Hints::NOISE,
        b"comment" | b"comments" | b"commentlist" | b"respond" | b"replies" | b"kommentare" | b"commentaires" => Hints::COMMENT,
        b"sidebar" | b"aside" | b"rail" | b"sidecol" => Hints::SIDE,
        b"footer" | b"foot" | b"colophon" | b"copyright" | b"legal" | b"disclaimer" => Hints::FOOTER,
        b"header" | b"banner" | b"branding" => Hints::HEADER,
        b"pager" | b"pagination" | b"paging" | b"prev" | b"previous" | b"next" | b"prevnext" | b"pagenav" => Hints::SEQUENCE,
        b"toc" | b"results" | b"result" | b"listing" | b"contents" | b"issue" | b"volume" => Hints::LIST,
        b"references" | b"reference" | b"bibliography" | b"citation" | b"citations" | b"footnotes" | b"refs" | b"reflist" => Hints::REFERENCE,
        b"caption" | b"captions" | b"figcaption" | b"credit" | b"credits" | b"legend" => Hints::CAPTION,
        b"content" | b"body" | b"story" | b"entry" | b"post" | b"article" | b"main" | b"text" | b"page" => Hints::BODY,
        b"date" | b"dateline" | b"timestamp" | b"meta" | b"tags" | b"tag" | b"tools" | b"metadata" | b"doi" | b"stats" | b"metrics"
        | b"pubdate" | b"published" | b"categories" | b"category" | b"kicker" | b"badge" => Hints::FACTS,
        b"hidden" | b"hide" | b"invisible" | b"sronly" | b"noshow" => Hints::HIDDEN,
        b"modal" | b"dialog" | b"overlay" | b"lightbox" | b"popover" => Hints::DIALOG,
        b"editor" | b"editors" | b"reviewer" | b"reviewers" => Hints::EDITOR,
        _ => Hints::NOTHING,
    }
}

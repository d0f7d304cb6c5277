//! Practice: one plain page, and the many ways in which publishers set a list of keywords on it.
//!
//! A house is a template whose page is the same as its neighbours' but for the list: its label, its markup, its signs, its place on the
//! page and what the head says of it. Some houses print no keywords but what looks like them.

mod chips;
mod decoys;
mod fields;
mod lines;

use groma_model::PartKind as P;

use super::super::{Facts, Template};
use crate::sheet::Sheet;
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::Words;

/// Where the list stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Between the authors and the abstract.
    BeforeSummary,
    /// Right after the abstract.
    AfterSummary,
    /// After the references.
    AtEnd,
    /// In a column beside the text.
    Beside,
}

/// A publisher: the plain page, and how it sets keywords.
struct House {
    facts: &'static Facts,
    stand: Stand,
    head: fn(&mut Sheet, &ArticleView),
    set: fn(&mut Sheet, &Place, &ArticleView),
}

/// A house whose addresses begin with a short name.
macro_rules! house {
    ($short:literal, $publisher:literal, $words:expr, $keywords:literal, $stand:ident, $head:expr, $set:expr) => {
        crate::templates::practice::word_lists::House {
            facts: &crate::templates::Facts {
                publisher: $publisher,
                words: $words,
                keywords: $keywords,
                paths: crate::templates::practice::word_lists::paths!($short),
            },
            stand: crate::templates::practice::word_lists::Stand::$stand,
            head: $head,
            set: $set,
        }
    };
}

macro_rules! paths {
    ($short:literal) => {
        crate::templates::Paths {
            journal: concat!("/", $short, "/{j}/"),
            volume: concat!("/", $short, "/{j}/{v}/"),
            issue: concat!("/", $short, "/{j}/{v}/{i}/"),
            article: concat!("/", $short, "/item/{n}"),
            book: concat!("/", $short, "/books/{n}"),
            chapter: concat!("/", $short, "/books/part/{n}"),
        }
    };
}
use {house, paths};

/// Templates of all houses.
pub(super) fn all() -> Vec<&'static dyn Template> {
    let houses = fields::HOUSES.iter().chain(&lines::HOUSES).chain(&chips::HOUSES).chain(&decoys::HOUSES);
    houses.map(|house| house as &dyn Template).collect()
}

/// A head that says nothing of the work.
fn silent(_s: &mut Sheet, _v: &ArticleView) {}

/// A head with what everybody has.
fn bare(s: &mut Sheet, v: &ArticleView) {
    s.highwire_bare(v);
}

const STYLE: &str =
    "body{font:16px/1.5 Charter,serif}main{max-width:46em}.p1 li{display:inline}.p2{float:right;width:14em}";

impl House {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<p class=\"p7\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put(" ");
        }
        s.put("</p>\n");
    }

    fn words(&self) -> &'static Words {
        self.facts.words
    }
}

impl Template for House {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<header><strong>").say(at.publisher).put("</strong><ul class=\"p1\">");
        s.items(P::Menu, &at.menu).put("</ul></header>\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"p3\">").row(P::Menu, &at.crumbs, " / ").put("</div>\n");
        }
        s.put("<main>\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<h2>").say(self.words().related).put("</h2>\n<ul class=\"p5\">").items(P::Related, related);
            s.put("</ul>\n");
        }
        s.put("</main>\n<div class=\"p6\">").row(P::Noise, &at.ads, "<br>").put("</div>\n<footer>");
        s.row(P::Menu, &at.foot, " | ").put(" | ").row(P::Noise, &at.legal, " | ").put("</footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        (self.head)(s, v);
        self.open(s, at);
        s.put("<h1>").title(v.title).put("</h1>\n<p class=\"p8\">").each(&v.authors, ", ", |s, a| {
            s.author(a);
            match a.mark {
                Some(n) => s.put(&format!("<sup>{n}</sup>")),
                None => s,
            }
        });
        s.put("</p>\n<ol class=\"p9\">")
            .each(v.affiliations, "", |s, place| s.put("<li>").affiliation(place).put("</li>"));
        s.put("</ol>\n<p>").a(P::Text, &v.journal).put(", ").a(P::Text, &v.issue);
        s.put(&format!(", {}–{}. doi: ", v.pages.0, v.pages.1)).say(&v.doi).put("</p>\n");
        if self.stand == Stand::BeforeSummary {
            (self.set)(s, at, v);
        }
        if !v.summary.is_empty() {
            s.put("<h2>").say(self.words().summary).put("</h2>\n<p>").summary(v.summary).put("</p>\n");
        }
        if self.stand == Stand::AfterSummary {
            (self.set)(s, at, v);
        }
        if self.stand == Stand::Beside {
            s.put("<aside class=\"p2\">");
            (self.set)(s, at, v);
            s.put("</aside>\n");
        }
        s.put("<p>").a_with(P::Text, "", &v.pdf, self.words().full_text).put("</p>\n<h2>");
        s.say(self.words().introduction).put("</h2>\n");
        s.each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>")).put("\n<h2>");
        s.say(self.words().references).put("</h2>\n<ol>");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>")).put("</ol>\n");
        if self.stand == Stand::AtEnd {
            (self.set)(s, at, v);
        }
        House::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").title(v.title).put("</h1>\n<p class=\"p8\">").each(&v.authors, ", ", |s, a| s.author(a));
        s.put("</p>\n<ol class=\"p9\">")
            .each(v.affiliations, "", |s, place| s.put("<li>").affiliation(place).put("</li>"));
        s.put("</ol>\n<p>");
        if let Some(book) = &v.part_of {
            s.say(self.words().chapter_of).put(" ").a(P::Text, book).put(&format!(", {}–{}. ", v.pages.0, v.pages.1));
        }
        s.put(&format!("{}. ISBN {}</p>\n", v.year, v.isbn));
        if let Some(about) = &v.about {
            s.put("<h2>").say(self.words().about_book).put("</h2>\n<p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>").say(self.words().contents).put("</h2>\n<ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        House::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<div class=\"p4\"><h3>").a_with(P::List, "", &entry.href, &entry.title).put("</h3><p>");
                s.say(&entry.by).put("<br>").say(&entry.detail).put("</p></div>\n");
            }
        }
        House::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

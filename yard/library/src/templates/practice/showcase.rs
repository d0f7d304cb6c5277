//! Practice: a new platform that says little in words: class names that are hashes, keywords as a row of links without a label, places in brackets.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Showcase;

static FACTS: Facts = Facts {
    publisher: "Showcase",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/collections/{j}",
        volume: "/collections/{j}/{v}",
        issue: "/collections/{j}/{v}/{i}",
        article: "/read/{s}-{n}",
        book: "/shelf/{s}-{n}",
        chapter: "/shelf/{j}/{n}",
    },
};

const STYLE: &str = "body{font:18px/1.5 system-ui,sans-serif;margin:0}";

impl Showcase {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.open("div", "who");
        s.each(authors, ", ", |s, a| {
            s.author(a);
            match a.mark.and_then(|mark| places.get(mark - 1)) {
                Some(place) => s.put(" (").affiliation(place).put(")"),
                None => s,
            }
        });
        s.put("</div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.open("div", "turn");
        if let Some(to) = previous {
            s.a_open(P::Sequence, "", &to.href).put("← ").say(&to.text).put("</a>");
        }
        if let Some(to) = next {
            s.a_open(P::Sequence, "", &to.href).say(&to.text).put(" →</a>");
        }
        s.put("</div>\n");
    }
}

impl Template for Showcase {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body>")
            .open("div", "shell")
            .open("div", "bar")
            .row(P::Menu, &at.menu, " ")
            .put("</div>\n")
            .open("div", "page");
        if !at.crumbs.is_empty() {
            s.open("div", "where")
                .each(&at.crumbs, "", |s, to| s.put("<div>").a(P::Menu, to).put("</div>"))
                .put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<h2>You may also like</h2>").open("div", "grid");
            s.each(related, "", |s, to| s.put("<div>").a(P::Related, to).put("</div>")).put("</div>\n");
        }
        s.put("</div>").open("div", "promo").row(P::Noise, &at.ads, " ").put("</div>").open("div", "base").row(
            P::Menu,
            &at.foot,
            " ",
        );
        s.put(" ").row(P::Noise, &at.legal, " ").put("</div></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).open_graph("article", v.title, v.summary);
        self.open(s, at);
        s.open("div", "over")
            .a(P::Text, &v.journal)
            .put(" · ")
            .say(&v.date)
            .put("</div>\n<h1>")
            .title(v.title)
            .put("</h1>\n");
        Showcase::people(s, &v.authors, v.affiliations);
        if !v.summary.is_empty() {
            s.put("<h2>Abstract</h2>").open("div", "sum").summary(v.summary).put("</div>\n");
        }
        s.open("div", "chips")
            .each(&v.keywords, "", |s, k| s.open("span", "chip").keyword_link("", k).put("</span>"))
            .put("</div>\n");
        s.open("div", "act").a_with(P::Text, "", &v.pdf, "Read the full text").put("</div>\n");
        Showcase::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.open("div", "over")
            .put(if v.part_of.is_some() { "Chapter" } else { "Book" })
            .put("</div>\n<h1>")
            .title(v.title)
            .put("</h1>\n");
        Showcase::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.open("div", "of").put("In ").a(P::Text, book).put(&format!(", {}</div>\n", v.year));
        }
        if let Some(about) = &v.about {
            s.open("p", "sum").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>Chapters</h2>").open("div", "grid");
            s.each(&v.contents, "", |s, to| s.put("<div>").a(P::List, to).put("</div>")).put("</div>\n");
        }
        Showcase::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>").open("p", "n").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n").open("div", "cards");
            for entry in entries {
                s.a_open(P::List, "", &entry.href)
                    .put("<div>")
                    .open("div", "ct")
                    .say(&entry.title)
                    .put("</div>")
                    .open("div", "cb")
                    .say(&entry.by);
                s.put("</div>").open("div", "cd").say(&entry.detail).put("</div></div></a>\n");
            }
            s.put("</div>\n");
        }
        Showcase::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

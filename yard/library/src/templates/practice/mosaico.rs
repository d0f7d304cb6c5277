//! Practice: a Portuguese portal with a column beside the text: keywords in the column, affiliations as footnotes with daggers after the references.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::PT;

pub(super) struct Mosaico;

static FACTS: Facts = Facts {
    publisher: "Mosaico Editorial",
    words: &PT,
    keywords: true,
    paths: Paths {
        journal: "/periodico/{j}",
        volume: "/periodico/{j}/volume/{v}",
        issue: "/periodico/{j}/volume/{v}/numero/{i}",
        article: "/artigo/{n}/{s}",
        book: "/livro/{n}/{s}",
        chapter: "/livro/{j}/capitulo/{n}",
    },
};

const STYLE: &str =
    "body{font-family:Roboto,sans-serif}.grade{display:grid;grid-template-columns:3fr 1fr}.notas{font-size:12px}";

const SIGNS: [&str; 6] = ["*", "†", "‡", "§", "¶", "#"];

fn sign(n: usize) -> String {
    SIGNS[(n - 1) % SIGNS.len()].repeat((n - 1) / SIGNS.len() + 1)
}

impl Mosaico {
    fn names(s: &mut Sheet, authors: &[Person], marked: bool) {
        s.put("<p class=\"quem\">");
        s.each(authors, " | ", |s, a| {
            s.author(a);
            match a.mark.filter(|_| marked) {
                Some(n) => s.put("<sup>").put(&sign(n)).put("</sup>"),
                None => s,
            }
        });
        s.put("</p>\n");
    }

    fn notes(s: &mut Sheet, places: &[String]) {
        if !places.is_empty() {
            s.put("<div class=\"notas\">");
            for (n, place) in places.iter().enumerate() {
                s.put("<p><sup>").put(&sign(n + 1)).put("</sup> ").affiliation(place).put("</p>\n");
            }
            s.put("</div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<ul class=\"setas\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("<li>").a(P::Sequence, to).put("</li>");
        }
        s.put("</ul>\n");
    }
}

impl Template for Mosaico {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><header><strong>")
            .say(at.publisher)
            .put("</strong><ul>")
            .items(P::Menu, &at.menu)
            .put("</ul></header>\n");
        if !at.crumbs.is_empty() {
            s.put("<ol class=\"caminho\">").items(P::Menu, &at.crumbs).put("</ol>\n");
        }
        s.put("<div class=\"grade\"><section class=\"principal\">\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</section></div>\n");
        if !related.is_empty() {
            s.put("<section><h2>")
                .say(at.words.related)
                .put("</h2><ul>")
                .items(P::Related, related)
                .put("</ul></section>\n");
        }
        s.put("<div class=\"publi\"><small>")
            .say(at.words.advertisement)
            .put("</small>")
            .row(P::Noise, &at.ads, " ")
            .put("</div>\n<footer>");
        s.row(P::Menu, &at.foot, " · ").put("<br>").row(P::Noise, &at.legal, " · ").put("</footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("DC.title", v.title);
        self.open(s, at);
        s.put("<p>")
            .a(P::Text, &v.journal)
            .put(", ")
            .a(P::Text, &v.issue)
            .put("</p>\n<h1>")
            .title(v.title)
            .put("</h1>\n");
        Mosaico::names(s, &v.authors, true);
        if !v.summary.is_empty() {
            s.put("<h2>").say(at.words.summary).put("</h2>\n<p>").summary(v.summary).put("</p>\n");
        }
        s.put("<aside><h3>")
            .say(at.words.keywords)
            .put("</h3><ul>")
            .each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>"));
        s.put("</ul><h3>DOI</h3><p>").say(&v.doi).put("</p><h3>").say(at.words.cite).put("</h3><p>");
        s.each(&v.authors, "; ", |s, a| s.say(&a.name))
            .put(&format!(" ({}). ", v.year))
            .say(v.title)
            .put("</p></aside>\n<h2>");
        s.say(at.words.introduction).put("</h2>\n").each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>"));
        s.put("\n<h2>")
            .say(at.words.references)
            .put("</h2>\n<ol>")
            .each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n"))
            .put("</ol>\n");
        Mosaico::notes(s, v.affiliations);
        s.a_with(P::Text, "", &v.pdf, "PDF").put("\n");
        Mosaico::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").title(v.title).put("</h1>\n");
        Mosaico::names(s, &v.authors, true);
        if let Some(book) = &v.part_of {
            s.put("<p>")
                .say(at.words.chapter_of)
                .put(" <em>")
                .a(P::Text, book)
                .put(&format!("</em>, {}, p. {}-{}</p>\n", v.year, v.pages.0, v.pages.1));
        }
        if let Some(about) = &v.about {
            s.put("<h2>").say(at.words.about_book).put("</h2><p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>").say(at.words.contents).put("</h2><ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        Mosaico::notes(s, v.affiliations);
        Mosaico::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n<dl>");
            for entry in entries {
                s.put("<dt>")
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put("</dt><dd>")
                    .say(&entry.by)
                    .put("</dd><dd>")
                    .say(&entry.detail)
                    .put("</dd>\n");
            }
            s.put("</dl>\n");
        }
        Mosaico::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

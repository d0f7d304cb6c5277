//! Practice: an open access house: "by" before the names, numbered affiliations a line each with addresses of mail, dates in a row.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct OpenPages;

static FACTS: Facts = Facts {
    publisher: "Open Pages",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/journal/{j}",
        volume: "/1234-{v}/{j}",
        issue: "/1234-{v}/{i}/{j}",
        article: "/1234-{v}/{i}/{n}",
        book: "/books/book/{n}",
        chapter: "/books/edition/{n}",
    },
};

const STYLE: &str = "body{font-family:Arial,sans-serif}.art-authors{margin:8px 0}.affiliation{clear:both}.affiliation-item-number{float:left}";

impl OpenPages {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"art-authors hypothesis_container\">by ");
        for (n, author) in authors.iter().enumerate() {
            s.put(match n {
                0 => "",
                n if n + 1 == authors.len() => " and ",
                _ => ", ",
            });
            s.put("<span class=\"inlineblock\"><strong>").author(author).put("</strong>");
            let star = if n == 0 { "*" } else { "" };
            match author.mark {
                Some(mark) if star.is_empty() => s.put(&format!("<sup> {mark}</sup>")),
                Some(mark) => s.put(&format!("<sup> {mark},*</sup>")),
                None => s,
            };
            s.put(" <img src=\"/img/orcid.png\" alt=\"[ORCID]\"></span>");
        }
        s.put("</div>\n");
        if !places.is_empty() {
            s.put("<div class=\"art-affiliations\">");
            for (n, place) in places.iter().enumerate() {
                s.put(&format!("<div class=\"affiliation\"><div class=\"affiliation-item-number\"><sup>{}</sup></div><div class=\"affiliation-item-name\">", n + 1));
                s.affiliation(place).put("</div></div>\n");
            }
            s.put("<div class=\"affiliation\"><div class=\"affiliation-item-number\"><sup>*</sup></div><div>Author to whom correspondence should be addressed.</div></div></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div>");
        if let Some(to) = previous {
            s.a_open(P::Sequence, "title=\"Previous\"", &to.href).put("« ").say(&to.text).put("</a> ");
        }
        if let Some(to) = next {
            s.a_open(P::Sequence, "title=\"Next\"", &to.href).say(&to.text).put(" »</a>");
        }
        s.put("</div>\n");
    }
}

impl Template for OpenPages {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><div class=\"tab header\"><div class=\"main-header\">").row(P::Menu, &at.menu, " ");
        s.put("</div></div>\n<div id=\"main-content\"><section class=\"page-highlight\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"breadcrumb\">").each(&at.crumbs, "", |s, to| {
                s.put("<div class=\"breadcrumb__element\">").a(P::Menu, to).put("</div>")
            });
            s.put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div id=\"recommended-articles-modal\"><h2>Related Papers</h2>\n");
            s.each(related, "\n", |s, to| s.put("<div class=\"list-item\">").a(P::Related, to).put("</div>"))
                .put("</div>\n");
        }
        s.put("</section></div>\n<div class=\"ads\">").row(P::Noise, &at.ads, "<br>").put("</div><div id=\"footer\">");
        s.row(P::Menu, &at.foot, " ").put("<br>").row(P::Noise, &at.legal, " ").put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v).meta("dc.type", "Article");
        self.open(s, at);
        s.put("<article><div class=\"html-article-content\"><span class=\"label openaccess\">Open Access</span><span class=\"label articletype\">Article</span>\n");
        s.put("<h1 class=\"title hypothesis_container\">").title(v.title).put("</h1>\n");
        OpenPages::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"bib-identity\"><em>").a(P::Text, &v.journal).put(&format!(
            "</em> <b>{}</b>, <em>{}</em>({}), {}; https://doi.org/",
            v.year, v.volume, v.number, v.pages.0
        ));
        s.say(&v.doi).put("</div>\n<div class=\"pubhistory\"><span>Submission received: 12 January</span> / <span>Accepted: 3 March</span> / <span>Published: ");
        s.say(&v.date).put("</span></div>\n<div>(This article belongs to the Special Issue Recent Advances)</div>\n");
        s.a_with(P::Text, "class=\"UD_ArticlePDF\"", &v.pdf, "Download PDF").put("\n");
        if !v.summary.is_empty() {
            s.put("<section class=\"html-abstract\" id=\"html-abstract\"><h2 id=\"html-abstract-title\">Abstract</h2><div class=\"html-p\">");
            s.summary(v.summary).put("</div></section>\n");
        }
        s.put(
            "<div id=\"html-keywords\"><div class=\"html-gwd-group\"><div id=\"html-keywords-title\"> Keywords: </div>",
        );
        s.each(&v.keywords, "; ", |s, k| s.keyword_link("", k)).put("</div></div>\n");
        s.put("<h2>1. Introduction</h2>")
            .each(&v.text, "\n", |s, text| s.put("<div class=\"html-p\">").say(text).put("</div>"));
        s.put("<h2>References</h2><ol>")
            .each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n"))
            .put("</ol></div></article>\n");
        OpenPages::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").title(v.title).put("</h1>\n");
        if v.part_of.is_some() {
            OpenPages::people(s, &v.authors, v.affiliations);
        } else {
            s.put("<div>Edited by ")
                .each(&v.authors, " and ", |s, a| s.put("<strong>").author(a).put("</strong>"))
                .put("</div>\n");
        }
        if let Some(book) = &v.part_of {
            s.put("<p>In: <em>")
                .a(P::Text, book)
                .put(&format!("</em>; Open Pages, {}; pp. {}–{}</p>\n", v.year, v.pages.0, v.pages.1));
        }
        s.put(&format!(
            "<p>{} pages<br>Published: {}<br>ISBN {} (Hardback); ISBN {} (PDF)</p>\n",
            v.pages.1, v.year, v.isbn, v.isbn
        ));
        if let Some(about) = &v.about {
            s.put("<p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h3>Included chapters</h3>\n")
                .each(&v.contents, "\n", |s, to| s.put("<div class=\"generic-item\">").a(P::List, to).put("</div>"));
        }
        OpenPages::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><div>").say(&v.intro).put("</div>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<div class=\"generic-item article-item\"><div class=\"article-content\">").a_with(
                    P::List,
                    "class=\"title-link\"",
                    &entry.href,
                    &entry.title,
                );
                s.put("<div class=\"authors\">by ").say(&entry.by).put("</div><div>").say(&entry.detail).put("</div>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"abstract-cropped\"><strong>Abstract </strong>")
                        .say(&entry.snippet)
                        .put(" [...] ");
                    s.a_with(P::List, "", &entry.href, "Read more.").put("</div>");
                }
                s.put("</div></div>\n");
            }
        }
        OpenPages::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

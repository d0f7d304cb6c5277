//! Practice: an index of medicine: raised numbers that are links, affiliations folded under the names, keywords run in.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Medline;

static FACTS: Facts = Facts {
    publisher: "MedIndex",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/journals/{j}/",
        volume: "/journals/{j}/vol/{v}/",
        issue: "/journals/{j}/vol/{v}/{i}/",
        article: "/{n}/",
        book: "/books/NBK{n}/",
        chapter: "/books/n/NBK{n}/",
    },
};

const STYLE: &str = "body{font-family:'Merriweather Sans',sans-serif}.usa-nav ul{display:flex;list-style:none}.heading-title{font-family:Merriweather}\
.authors-list-item{display:inline-block}.affiliations h3{font-size:1rem}.trail{font-size:12px}";

impl Medline {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"inline-authors\"><div class=\"authors\"><div class=\"authors-list\">");
        for (n, author) in authors.iter().enumerate() {
            s.put("<span class=\"authors-list-item\">").author(author);
            if let Some(mark) = author.mark {
                s.put("<sup class=\"affiliation-links\"><span class=\"author-sup-separator\">&#8201;</span><a class=\"affiliation-link\" ");
                s.put(&format!("href=\"#affiliation-{mark}\" ref=\"linksrc=author_aff\"> {mark} </a></sup>"));
            }
            s.put(if n + 1 < authors.len() { "<span class=\"comma\">,&nbsp;</span></span>" } else { "</span>" });
        }
        s.put("</div></div></div>\n");
        if !places.is_empty() {
            s.put("<div class=\"short-view\"><button class=\"toggle\">Affiliations</button></div>\n<div class=\"expanded-authors\">");
            s.put("<div class=\"affiliations\"><h3 class=\"title\">Affiliations</h3><ul class=\"item-list\">");
            for (n, place) in places.iter().enumerate() {
                s.put(&format!("<li data-affiliation-id=\"affiliation-{0}\"><sup class=\"key\">{0}</sup> ", n + 1))
                    .affiliation(place);
                s.put("</li>\n");
            }
            s.put("</ul></div></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<nav class=\"adjacent-navigation\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to);
        }
        s.put("</nav>\n");
    }
}

impl Template for Medline {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div class=\"usa-overlay\"></div><header class=\"ncbi-header\"><div class=\"usa-nav\"><ul>");
        s.items(P::Menu, &at.menu)
            .put("</ul></div></header>\n<main class=\"article-details\" id=\"article-details\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"trail\">").row(P::Menu, &at.crumbs, " <span>/</span> ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"similar-articles\" id=\"similar\"><h2 class=\"title\">Similar articles</h2><ul class=\"articles-list\">");
            for to in related {
                s.put("<li class=\"full-docsum\">")
                    .a(P::Related, to)
                    .put(" <span class=\"free\">Free article.</span></li>\n");
            }
            s.put("</ul></div>\n");
        }
        s.put("</main>\n<aside class=\"page-sidebar\">").row(P::Noise, &at.ads, "<br>").put("</aside>\n<footer><ul>");
        s.items(P::Menu, &at.foot).items(P::Noise, &at.legal).put("</ul></footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("citation_title", v.title).meta("citation_journal_title", &v.journal.text);
        self.open(s, at);
        s.put("<header class=\"heading\"><div class=\"full-view\"><div class=\"article-citation\"><span class=\"publication-type\">Review</span> ");
        s.a(P::Text, &v.journal).put(&format!(
            ". <span class=\"cit\">{} {};{}({}):{}-{}.</span> ",
            v.year, "Mar", v.volume, v.number, v.pages.0, v.pages.1
        ));
        s.put("<span class=\"citation-doi\">doi: ")
            .say(&v.doi)
            .put(".</span></div>\n<h1 class=\"heading-title\">")
            .title(v.title)
            .put("</h1>\n");
        Medline::people(s, &v.authors, v.affiliations);
        s.put("<ul class=\"identifiers\"><li><span class=\"id-label\">PMID:</span> <strong>")
            .put(&(v.pages.0 * 7919).to_string());
        s.put("</strong></li></ul></div></header>\n");
        s.put("<div class=\"abstract\" id=\"abstract\">");
        if !v.summary.is_empty() {
            s.put("<h2 class=\"title\">Abstract</h2><div class=\"abstract-content selected\"><p>")
                .summary(v.summary)
                .put("</p></div>\n");
        }
        s.put("<p><strong class=\"sub-title\">Keywords:</strong> ")
            .each(&v.keywords, "; ", |s, k| s.keyword(&k.name))
            .put(".</p>\n");
        s.put("<p class=\"copyright\">Copyright &copy; ")
            .put(&v.year.to_string())
            .put(" The Authors. All rights reserved.</p></div>\n");
        s.put("<div class=\"full-text-links\"><h3>Full text links</h3>")
            .a_with(P::Text, "", &v.pdf, "Full text at publisher")
            .put("</div>\n");
        Medline::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"document\">");
        if let Some(book) = &v.part_of {
            s.put("<div class=\"iconblock\">")
                .a(P::Text, book)
                .put(&format!(" [Internet]. {}; {}.</div>\n", at.publisher, v.year));
        }
        s.put("<h1>").title(v.title).put("</h1>\n");
        Medline::people(s, &v.authors, v.affiliations);
        s.put("<p>ISBN-13: ").say(&v.isbn).put("</p>\n");
        if let Some(about) = &v.about {
            s.put("<div class=\"pre-content\"><p>").say(about).put("</p></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>Contents</h2><ul class=\"simple-list toc\">").items(P::List, &v.contents).put("</ul>\n");
        }
        s.put("</div>\n");
        Medline::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>")
            .say(&v.heading)
            .put("</h1><div class=\"results-amount\"><span>")
            .say(&v.intro)
            .put("</span></div>\n");
        for (heading, entries) in &v.groups {
            s.put("<section class=\"search-results-list\"><h2>").say(heading).put("</h2>\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<article class=\"full-docsum\"><label class=\"docsum-checkbox\">{}</label><div class=\"docsum-content\">", n + 1));
                s.a_with(P::List, "class=\"docsum-title\"", &entry.href, &entry.title)
                    .put("<div class=\"docsum-citation\"><span class=\"docsum-authors\">");
                s.say(&entry.by)
                    .put("</span> <span class=\"docsum-journal-citation\">")
                    .say(&entry.detail)
                    .put("</span></div>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"docsum-snippet\">").say(&entry.snippet).put(" …</div>");
                }
                s.put("</div></article>\n");
            }
            s.put("</section>\n");
        }
        Medline::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

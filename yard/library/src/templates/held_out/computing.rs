//! Template 10: a digital library of computing: classes of utilities, affiliations in popups, index terms as a line.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Computing;

static FACTS: Facts = Facts {
    publisher: "Guild Digital Library",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/loi/{j}",
        volume: "/toc/{j}/{y}",
        issue: "/toc/{j}/{y}/{v}/{i}",
        article: "/doi/10.5555/{n}",
        book: "/doi/book/10.5555/{n}",
        chapter: "/doi/10.5555/{j}.{n}",
    },
};

const STYLE: &str = "body{font:15px/1.6 Roboto,Helvetica,sans-serif;margin:0;color:#333}.flex{display:flex}.gap-6{gap:24px}.px-8{padding:0 32px}\
.py-4{padding-top:16px;padding-bottom:16px}.bg-slate-900{background:#0f172a}.text-white a{color:#fff}.text-3xl{font-size:28px}.max-w-4xl{max-width:900px}\
.mx-auto{margin:auto}.text-sm{font-size:13px}.rlist{list-style:none;padding:0}.loa li{display:inline-block;margin-right:12px}\
.border-t{border-top:1px solid #ddd}.issue-item{padding:14px 0;border-bottom:1px solid #eee}";

impl Computing {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<ul class=\"rlist rlist--inline loa\" title=\"list of authors\">");
        for author in authors {
            s.put("<li class=\"loa__item\"><span class=\"loa__author-name\">").author(author).put("</span>");
            if let Some(place) = author.mark.and_then(|mark| affiliations.get(mark - 1)) {
                s.put("<span class=\"author-info__body\" style=\"display:none\"><p>")
                    .affiliation(place)
                    .put("</p></span>");
            }
            s.put("</li>\n");
        }
        s.put("</ul>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"flex gap-6 py-4 text-sm content-navigation\">");
        if let Some(to) = previous {
            s.a_with(P::Sequence, "class=\"content-navigation__btn--pre\"", &to.href, "Previous");
        }
        if let Some(to) = next {
            s.a_with(P::Sequence, "class=\"content-navigation__btn--next\"", &to.href, "Next");
        }
        s.put("</div>\n");
    }
}

impl Template for Computing {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><div class=\"flex gap-6 px-8 py-4 bg-slate-900 text-white\"><span>")
            .say(at.publisher)
            .put("</span>");
        s.row(P::Menu, &at.menu, "").put("</div>\n<div class=\"mx-auto max-w-4xl py-4\">");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"text-sm article__breadcrumbs\">")
                .row(P::Menu, &at.crumbs, "<span>/</span>")
                .put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"py-4 border-t\"><h3 class=\"text-xl\">Recommendations</h3><ul class=\"rlist\">");
            for to in related {
                s.put("<li class=\"grid-item\"><h5>").a(P::Related, to).put("</h5></li>\n");
            }
            s.put("</ul></div>\n");
        }
        s.put("</div>\n<div class=\"pb-ad flex gap-6 px-8\">").row(P::Noise, &at.ads, "").put("</div>\n");
        s.put("<div class=\"border-t px-8 py-4 text-sm\"><h6>Categories</h6><ul class=\"rlist\">")
            .items(P::Menu, &at.foot);
        s.put("</ul><ul class=\"rlist flex gap-6\">").items(P::Noise, &at.legal).put("</ul></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("dc.Title", v.title).meta("dc.Identifier", &v.doi).meta("dc.Date", &v.date);
        self.open(s, at);
        s.put(
            "<article><div class=\"text-sm uppercase\">research-article</div><h1 class=\"text-3xl citation__title\">",
        );
        s.title(v.title).put("</h1>\n");
        Computing::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"text-sm\">").a(P::Text, &v.journal).put(", ").a(P::Text, &v.issue);
        s.put(&format!(" • pp {}–{} • https://doi.org/", v.pages.0, v.pages.1)).say(&v.doi).put("</div>\n");
        s.put("<div class=\"flex gap-6 text-sm\"><button>Cite</button>")
            .a_with(P::Text, "", &v.pdf, "eReader / PDF")
            .put("</div>\n");
        if !v.summary.is_empty() {
            s.put("<div class=\"py-4\"><h2 class=\"text-xl\">ABSTRACT</h2><div role=\"paragraph\">").summary(v.summary);
            s.put("</div></div>\n");
        }
        s.put("<div class=\"py-4 border-t\"><h2 class=\"text-xl\">References</h2><ol class=\"rlist\">");
        s.each(&v.references, "", |s, line| s.put("<li class=\"references__item\">").say(line).put("</li>\n"))
            .put("</ol></div>");
        s.put("<div class=\"py-4 border-t\"><h2 class=\"text-xl\">Index Terms</h2><div class=\"tags-widget__content\"><p>");
        s.each(&v.keywords, " · ", |s, k| s.keyword(&k.name)).put("</p></div></div></article>\n");
        Computing::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).meta("dc.Title", v.title).meta("dc.Type", "book");
        self.open(s, at);
        s.put("<div class=\"text-sm uppercase\">").put(if v.part_of.is_some() { "chapter" } else { "book" });
        s.put("</div><h1 class=\"text-3xl\">").title(v.title).put("</h1>\n");
        Computing::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"text-sm\">").a(P::Text, book);
            s.put(&format!(" • {} • pp {}–{}</div>\n", v.year, v.pages.0, v.pages.1));
        }
        s.put(&format!("<div class=\"text-sm\">Published {} • ISBN {}</div>\n", v.year, v.isbn));
        if let Some(about) = &v.about {
            s.put("<div class=\"py-4\"><h2 class=\"text-xl\">Overview</h2><p>").say(about).put("</p></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"py-4 border-t\"><h2 class=\"text-xl\">Contents</h2><ul class=\"rlist\">");
            s.items(P::List, &v.contents).put("</ul></div>\n");
        }
        Computing::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"text-3xl\">").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        Computing::turn(s, v.previous.as_ref(), v.next.as_ref());
        for (heading, entries) in &v.groups {
            s.put("<div class=\"border-t\"><h2 class=\"text-xl\">").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<div class=\"issue-item\"><h5>").a_with(P::List, "", &entry.href, &entry.title).put("</h5>");
                s.put("<div class=\"text-sm\">")
                    .say(&entry.by)
                    .put("</div><div class=\"text-sm\">")
                    .say(&entry.detail)
                    .put("</div>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"issue-item__abstract\"><p>").say(&entry.snippet).put("...</p></div>");
                }
                s.put("</div>\n");
            }
            s.put("</div>\n");
        }
        self.close(s, at, &[]);
    }
}

//! Template 0: a large publisher, well marked up: meaningful classes, full Highwire tags, affiliations by superscript.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Classic;

static FACTS: Facts = Facts {
    publisher: "Harrow & Wells",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/journal/{j}",
        volume: "/journal/{j}/volume/{v}",
        issue: "/journal/{j}/volume/{v}/issue/{i}",
        article: "/article/10.5555/{j}.{n}",
        book: "/book/{j}",
        chapter: "/book/{j}/chapter/{i}",
    },
};

const STYLE: &str = "body{font:16px/1.5 Georgia,serif;margin:0;color:#222}header.site{background:#0b3d5c;padding:12px 32px}\
header.site a{color:#fff;margin-right:18px;text-decoration:none}.breadcrumbs{padding:8px 32px;font:13px Arial;color:#666}\
main{max-width:860px;margin:0 auto;padding:16px 32px;float:left}aside{float:right;width:260px;padding:16px;font:14px Arial}\
h1{font-weight:normal}.author-list sup{font-size:70%}.kwd{background:#eee;padding:2px 8px;margin-right:6px;display:inline-block}\
footer{clear:both;background:#eee;padding:20px 32px;font:13px Arial}footer a{margin-right:14px}.ad{border:1px solid #ddd;padding:8px}";

impl Classic {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"author-list\">");
        s.each(authors, ", ", |s, a| {
            s.put("<span class=\"author\">").author(a);
            if let Some(mark) = a.mark.filter(|_| !affiliations.is_empty()) {
                s.put("<sup>").put(&mark.to_string()).put("</sup>");
            }
            s.put("</span>")
        });
        s.put("</div>\n");
        if !affiliations.is_empty() {
            s.put("<ol class=\"affiliations\">");
            s.each(affiliations, "\n", |s, place| s.put("<li>").affiliation(place).put("</li>")).put("</ol>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"article-nav\">");
        if let Some(to) = previous {
            s.put("<span class=\"prev\">« ").a(P::Sequence, to).put("</span> ");
        }
        if let Some(to) = next {
            s.put("<span class=\"next\">").a(P::Sequence, to).put(" »</span>");
        }
        s.put("</div>\n");
    }
}

impl Template for Classic {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<header class=\"site\"><a href=\"#content\">Skip to content</a><nav class=\"main-nav\">\n");
        s.each(&at.menu, "\n", |s, to| s.a(P::Menu, to)).put("</nav></header>\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"breadcrumbs\">");
            s.each(&at.crumbs, " &gt; ", |s, to| s.a(P::Menu, to)).put("</div>\n");
        }
        s.put("<main id=\"content\">\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</main>\n<aside>\n");
        if !related.is_empty() {
            s.put("<section class=\"related-articles\"><h3>").say(at.words.related).put("</h3>\n<ul>");
            s.items(P::Related, related).put("</ul></section>\n");
        }
        s.put("<div class=\"ad\"><small>").say(at.words.advertisement).put("</small>\n");
        s.each(&at.ads, "\n", |s, to| s.put("<p>").a(P::Noise, to).put("</p>"));
        s.put("</div>\n</aside>\n<footer><div class=\"footer-links\">");
        s.each(&at.foot, " ", |s, to| s.a(P::Menu, to)).put("</div>\n<p class=\"copyright\">© ");
        s.say(at.publisher).put(". All rights reserved. ");
        s.each(&at.legal, " · ", |s, to| s.a(P::Noise, to)).put("</p></footer>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire(v).open_graph("article", v.title, v.summary);
        self.open(s, at);
        s.put("<article>\n<p class=\"article-meta\">").a(P::Text, &v.journal).put(", ").a(P::Text, &v.issue).put(", ");
        s.put(&format!("{} {}–{}</p>\n<h1 class=\"article-title\">", at.words.pages, v.pages.0, v.pages.1));
        s.title(v.title).put("</h1>\n");
        Classic::people(s, &v.authors, v.affiliations);
        s.put("<p class=\"doi\">https://doi.org/").say(&v.doi).put("</p>\n");
        s.put("<p class=\"tools\">")
            .a_with(P::Text, "", &v.pdf, "Download PDF")
            .put(" <button>")
            .say(at.words.cite)
            .put("</button></p>\n");
        if !v.summary.is_empty() {
            s.put("<section class=\"abstract\"><h2>").say(at.words.summary).put("</h2>\n<p>").summary(v.summary);
            s.put("</p></section>\n");
        }
        s.put("<section class=\"keywords\"><h3>").say(at.words.keywords).put("</h3>\n<p>");
        s.each(&v.keywords, " ", |s, k| s.put("<span class=\"kwd\">").keyword(&k.name).put("</span>"));
        s.put("</p></section>\n");
        if let Some(subject) = &v.subject {
            s.put("<p class=\"subject\">").say(at.words.subject).put(": ").a(P::Text, subject).put("</p>\n");
        }
        s.put("<section class=\"references\"><h2>").say(at.words.references).put("</h2><ol>");
        s.each(&v.references, "\n", |s, line| s.put("<li>").say(line).put("</li>"))
            .put("</ol></section>\n</article>\n");
        Classic::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).meta("citation_isbn", &v.isbn).meta("citation_title", v.title);
        self.open(s, at);
        if let Some(book) = &v.part_of {
            s.put("<p class=\"chapter-of\">").say(at.words.chapter_of).put(" ").a(P::Text, book).put("</p>\n");
        }
        s.put("<h1 class=\"book-title\">").title(v.title).put("</h1>\n");
        Classic::people(s, &v.authors, v.affiliations);
        s.put(&format!(
            "<p class=\"imprint\">{}, {} · ISBN {}</p>\n",
            at.publisher.replace('&', "&amp;"),
            v.year,
            v.isbn
        ));
        if let Some(about) = &v.about {
            s.put("<section class=\"about\"><h2>")
                .say(at.words.about_book)
                .put("</h2><p>")
                .say(about)
                .put("</p></section>\n");
        }
        if !v.contents.is_empty() {
            s.put("<section class=\"toc\"><h2>").say(at.words.contents).put("</h2><ol>");
            s.items(P::List, &v.contents).put("</ol></section>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<p class=\"subject\">").say(at.words.subject).put(": ").a(P::Text, subject).put("</p>\n");
        }
        Classic::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>\n<p class=\"intro\">").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            if !heading.is_empty() {
                s.put("<h2>").say(heading).put("</h2>\n");
            }
            s.put("<ul class=\"toc-list\">\n");
            for entry in entries {
                s.put("<li><h4>").a_with(P::List, "class=\"toc-title\"", &entry.href, &entry.title).put("</h4>");
                s.put("<div class=\"toc-authors\">").say(&entry.by).put("</div><div class=\"toc-meta\">");
                s.say(&entry.detail).put(" ");
                if let Some(pdf) = &entry.pdf {
                    s.a_with(P::List, "", &entry.href, "Abstract").put(" | ").a_with(P::List, "", pdf, "PDF");
                }
                s.put("</div></li>\n");
            }
            s.put("</ul>\n");
        }
        Classic::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 11: a Japanese aggregator: definition lists, affiliations in square brackets, labels in Japanese.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::JA;

pub(super) struct Kenkyu;

static FACTS: Facts = Facts {
    publisher: "研究ステージ",
    words: &JA,
    keywords: true,
    paths: Paths {
        journal: "/browse/{j}/_pubinfo/-char/ja",
        volume: "/browse/{j}/{v}/0/_contents/-char/ja",
        issue: "/browse/{j}/{v}/{i}/_contents/-char/ja",
        article: "/article/{j}/{v}/{i}/{v}_{p}/_article/-char/ja",
        book: "/shoseki/{n}/-char/ja",
        chapter: "/shoseki/{j}/{i}/-char/ja",
    },
};

const STYLE: &str = "body{font:14px/1.8 'Hiragino Kaku Gothic Pro','Noto Sans CJK JP',sans-serif;margin:0}.globalheader{border-bottom:4px solid #005baa;\
padding:12px 30px}.globalheader li{display:inline;margin-right:18px}.mainmenu{max-width:960px;margin:auto;padding:18px}\
.global-article-title{font-size:22px;font-weight:bold;margin:12px 0}.global-authors-name-tags{font-size:15px}dl.meta dt{font-weight:bold}\
.accordion_container{background:#f7f7f7;padding:10px}.footer{background:#444;color:#fff;padding:18px}.footer a{color:#fff}";

impl Kenkyu {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"global-authors-name-tags\">");
        s.each(authors, ", ", |s, a| {
            s.author(a);
            if let Some(mark) = a.mark.filter(|_| !affiliations.is_empty()) {
                s.put(&format!("<sup>{mark})</sup>"));
            }
            s
        });
        s.put("</div>\n");
        if !affiliations.is_empty() {
            s.put("<div class=\"accordion_container\"><span class=\"accordion_head\">")
                .say(JA.affiliations)
                .put("</span><ul>");
            for (n, place) in affiliations.iter().enumerate() {
                s.put(&format!("<li>[{}] ", n + 1)).affiliation(place).put("</li>\n");
            }
            s.put("</ul></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<ul class=\"article-nav\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("<li>").a(P::Sequence, to).put("</li>");
        }
        s.put("</ul>\n");
    }
}

impl Template for Kenkyu {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><div class=\"globalheader\"><h2>")
            .say(at.publisher)
            .put("</h2><ul>")
            .items(P::Menu, &at.menu);
        s.put("</ul></div>\n<div class=\"mainmenu\">\n");
        if !at.crumbs.is_empty() {
            s.put("<ul class=\"pankuzu\">").items(P::Menu, &at.crumbs).put("</ul>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"kanren\"><h3>").say(at.words.related).put("</h3><dl>");
            s.each(related, "\n", |s, to| s.put("<dd>").a(P::Related, to).put("</dd>")).put("</dl></div>\n");
        }
        s.put("<div class=\"pr\">")
            .say(at.words.advertisement)
            .put(" ")
            .row(P::Noise, &at.ads, " / ")
            .put("</div></div>\n");
        s.put("<div class=\"footer\">").row(P::Menu, &at.foot, " | ").put("<br>").row(P::Noise, &at.legal, " | ");
        s.put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE)
            .meta("citation_title", v.title)
            .meta("citation_language", v.language)
            .meta("citation_doi", &v.doi);
        self.open(s, at);
        s.put("<div class=\"global-tags\">").a(P::Text, &v.journal).put("／").a(P::Text, &v.issue).put("</div>\n");
        s.put("<div class=\"global-article-title\">").title(v.title).put("</div>\n");
        Kenkyu::people(s, &v.authors, v.affiliations);
        s.put("<dl class=\"meta\">");
        s.put("<dt>")
            .say(at.words.keywords)
            .put("</dt><dd>")
            .each(&v.keywords, ", ", |s, k| s.keyword(&k.name))
            .put("</dd>\n");
        s.put("<dt>DOI</dt><dd>").say(&v.doi).put("</dd><dt>").say(at.words.published).put("</dt><dd>").say(&v.date);
        s.put(&format!("</dd><dt>ページ</dt><dd>{}-{}</dd></dl>\n", v.pages.0, v.pages.1));
        s.put("<p>").a_with(P::Text, "class=\"thirdlevel-pdf-btn\"", &v.pdf, "PDFをダウンロード").put("</p>\n");
        if !v.summary.is_empty() {
            s.put("<div id=\"article-overiew-abstract-wrap\"><div class=\"section-title\">").say(at.words.summary);
            s.put("</div><p class=\"global-para-14\">").summary(v.summary).put("</p></div>\n");
        }
        s.put("<div class=\"refs\"><div class=\"section-title\">").say(at.words.references).put("</div><ul>");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n")).put("</ul></div>\n");
        Kenkyu::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"global-article-title\">").title(v.title).put("</div>\n");
        Kenkyu::people(s, &v.authors, v.affiliations);
        s.put("<dl class=\"meta\">");
        if let Some(book) = &v.part_of {
            s.put("<dt>").say(at.words.chapter_of).put("</dt><dd>").a(P::Text, book).put("</dd>");
        }
        s.put(&format!("<dt>ISBN</dt><dd>{}</dd><dt>発行年</dt><dd>{}</dd>", v.isbn, v.year));
        if let Some(subject) = &v.subject {
            s.put("<dt>分野</dt><dd>").a(P::Text, subject).put("</dd>");
        }
        s.put("</dl>\n");
        if let Some(about) = &v.about {
            s.put("<div class=\"section-title\">").say(at.words.about_book).put("</div><p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"section-title\">目次</div><dl>");
            s.each(&v.contents, "\n", |s, to| s.put("<dt>").a(P::List, to).put("</dt>")).put("</dl>\n");
        }
        Kenkyu::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"section-title\">").say(heading).put("</div><ul class=\"search-resultslisting\">\n");
            for entry in entries {
                s.put("<li><div class=\"searchlist-title\">").a_with(
                    P::List,
                    "class=\"bluelink-style\"",
                    &entry.href,
                    &entry.title,
                );
                s.put("</div><div class=\"searchlist-authortags\">")
                    .say(&entry.by)
                    .put("</div><div>")
                    .say(&entry.detail);
                s.put("</div>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<div class=\"lft\">").a_with(P::List, "", pdf, "PDF").put("</div>");
                }
                s.put("</li>\n");
            }
            s.put("</ul>\n");
        }
        Kenkyu::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Practice: a Japanese platform of learned societies: names and institutions as two lists, keywords in a run-in line.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::JA;

pub(super) struct Gakkai;

static FACTS: Facts = Facts {
    publisher: "学会ジャーナル総合サイト",
    words: &JA,
    keywords: true,
    paths: Paths {
        journal: "/browse/{j}/-char/ja",
        volume: "/browse/{j}/{v}/_contents/-char/ja",
        issue: "/browse/{j}/{v}/{i}/_contents/-char/ja",
        article: "/article/{j}/{v}/{i}/{v}_{n}/_article/-char/ja",
        book: "/book/{n}/-char/ja",
        chapter: "/book/{j}/ch/{n}/-char/ja",
    },
};

const STYLE: &str = "body{font-family:'Hiragino Kaku Gothic Pro',Meiryo,sans-serif;font-size:14px}.global-header{border-bottom:2px solid #36c}\
.global-article-title{font-size:20px}.author-names{margin:10px 0}";

impl Gakkai {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"global-authors-name-tags\">");
        s.each(authors, ", ", |s, a| s.put("<span>").author(a).put("</span>")).put("</div>\n");
        if !places.is_empty() {
            s.put("<div class=\"accordion_container\"><div class=\"accordion_head\">著者情報</div><div class=\"accordion_body_bg\">");
            s.put("<ul class=\"accodion_lic\">");
            for author in authors {
                s.put("<li><p>").say(&author.name).put("</p>\n");
                if let Some(place) = author.mark.and_then(|mark| places.get(mark - 1)) {
                    s.put("<p class=\"accodion_lic\">").affiliation(place).put("</p>");
                }
                s.put("</li>\n");
            }
            s.put("</ul></div></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"prev-next-wrap\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("<span>").a(P::Sequence, to).put("</span>");
        }
        s.put("</div>\n");
    }
}

impl Template for Gakkai {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><div class=\"global-header\"><span>")
            .say(at.publisher)
            .put("</span><ul>")
            .items(P::Menu, &at.menu);
        s.put("</ul></div>\n<div id=\"page-content\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"bread-crumbs\">").row(P::Menu, &at.crumbs, " / ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"kanren\"><div class=\"midashi\">関連文献</div><ul>")
                .items(P::Related, related)
                .put("</ul></div>\n");
        }
        s.put("<div class=\"koukoku\">広告<br>")
            .row(P::Noise, &at.ads, "<br>")
            .put("</div></div>\n<div class=\"global-footer\"><ul>");
        s.items(P::Menu, &at.foot).put("</ul>").row(P::Noise, &at.legal, "　").put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        s.put("<div class=\"tags-wrap\">")
            .a(P::Text, &v.journal)
            .put("</div>\n<div class=\"global-para\">原著論文</div>\n");
        s.put("<div class=\"global-article-title\">").title(v.title).put("</div>\n");
        Gakkai::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"global-para\">")
            .put(&format!("{} 年 {} 巻 {} 号 p. {}-{}</div>\n", v.year, v.volume, v.number, v.pages.0, v.pages.1));
        s.put("<div class=\"global-para\">DOI https://doi.org/")
            .say(&v.doi)
            .put("</div>\n<ul class=\"third-level-nav\"><li>発行日: ");
        s.say(&v.date).put("</li><li>受付日: ").say(&v.date).put("</li></ul>\n");
        s.put("<div class=\"global-para\">キーワード: ")
            .each(&v.keywords, ", ", |s, k| s.keyword_link("", k))
            .put("</div>\n");
        s.put("<div class=\"btn-group\">")
            .a_with(P::Text, "class=\"btn\"", &v.pdf, "PDFをダウンロード (1021K)")
            .put("</div>\n");
        if !v.summary.is_empty() {
            s.put("<div id=\"article-overiew-abstract-wrap\"><div class=\"section-title\">抄録</div><p class=\"global-para-14\">");
            s.summary(v.summary).put("</p></div>\n");
        }
        s.put("<div class=\"section-title\">引用文献 (")
            .put(&v.references.len().to_string())
            .put(")</div><ul class=\"mod-list\">");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n")).put("</ul>\n");
        Gakkai::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"global-article-title\">").title(v.title).put("</div>\n");
        Gakkai::people(s, &v.authors, v.affiliations);
        s.put("<table><tr><th>書籍</th><td>");
        if let Some(book) = &v.part_of {
            s.a(P::Text, book);
        }
        s.put(&format!(
            "</td></tr><tr><th>出版年</th><td>{}</td></tr><tr><th>ISBN</th><td>{}</td></tr></table>\n",
            v.year, v.isbn
        ));
        if let Some(about) = &v.about {
            s.put("<div class=\"section-title\">内容紹介</div><p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"section-title\">目次</div><ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        Gakkai::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"toc-volume\">").say(&v.heading).put("</div>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"section-title\">").say(heading).put("</div><ul class=\"search-resultslisting\">\n");
            for entry in entries {
                s.put("<li><div class=\"searchlist-title\">").a_with(P::List, "", &entry.href, &entry.title);
                s.put("</div><div class=\"searchlist-authortags\">")
                    .say(&entry.by)
                    .put("</div><div class=\"searchlist-additional-info\">");
                s.say(&entry.detail).put("</div></li>\n");
            }
            s.put("</ul>\n");
        }
        Gakkai::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

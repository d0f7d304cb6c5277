//! Practice: a Japanese index of papers: terms and descriptions, institutions in the same entry as the name, keywords as lines.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::JA;

pub(super) struct Ronbun;

static FACTS: Facts = Facts {
    publisher: "論文ナビ",
    words: &JA,
    keywords: true,
    paths: Paths {
        journal: "/ncid/{j}",
        volume: "/vol_issue/nels/{j}_{v}_ja.html",
        issue: "/vol_issue/nels/{j}_{v}_{i}_ja.html",
        article: "/naid/{n}",
        book: "/ncid/BB{n}",
        chapter: "/crid/{n}",
    },
};

const STYLE: &str = "body{font-family:Meiryo,sans-serif}dl.paperdata dt{font-weight:bold;border-bottom:1px solid #ccc}dd{margin:0 0 8px 20px}";

impl Ronbun {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<dt>著者</dt>\n<dd><ul class=\"pa_author\">");
        for author in authors {
            s.put("<li>").author(author);
            if let Some(place) = author.mark.and_then(|mark| places.get(mark - 1)) {
                s.put("<div class=\"shozoku\">").affiliation(place).put("</div>");
            }
            s.put("</li>\n");
        }
        s.put("</ul></dd>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"paging\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put(" ");
        }
        s.put("</div>\n");
    }
}

impl Template for Ronbun {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"gnav\"><ul>")
            .items(P::Menu, &at.menu)
            .put("</ul></div>\n<div id=\"itemdatatext\">\n");
        if !at.crumbs.is_empty() {
            s.put("<p>").row(P::Menu, &at.crumbs, " ＞ ").put("</p>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"box\"><h2>関連論文</h2><ul>").items(P::Related, related).put("</ul></div>\n");
        }
        s.put("</div><div class=\"pr\"><p>PR</p>")
            .row(P::Noise, &at.ads, "<br>")
            .put("</div>\n<div id=\"footer\">")
            .row(P::Menu, &at.foot, " | ");
        s.put("<br>").row(P::Noise, &at.legal, " | ").put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        s.put("<h1 class=\"entry_title\"><span>").title(v.title).put("</span></h1>\n<dl class=\"paperdata\">\n");
        Ronbun::people(s, &v.authors, v.affiliations);
        s.put("<dt>キーワード</dt>\n<dd><ul>")
            .each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>\n"))
            .put("</ul></dd>\n");
        if !v.summary.is_empty() {
            s.put("<dt>抄録</dt>\n<dd><p class=\"entry_abstract\">").summary(v.summary).put("</p></dd>\n");
        }
        s.put("<dt>収録刊行物</dt>\n<dd>")
            .a(P::Text, &v.journal)
            .put(&format!("<br>{} ({}), {}-{}, {}</dd>\n", v.volume, v.number, v.pages.0, v.pages.1, v.date));
        s.put("<dt>DOI</dt><dd>")
            .say(&v.doi)
            .put("</dd>\n<dt>本文</dt><dd>")
            .a_with(P::Text, "", &v.pdf, "本文を読む")
            .put("</dd></dl>\n");
        Ronbun::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"entry_title\"><span>").title(v.title).put("</span></h1>\n<dl class=\"paperdata\">\n");
        Ronbun::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<dt>収録書</dt><dd>").a(P::Text, book).put("</dd>\n");
        }
        s.put(&format!(
            "<dt>出版年</dt><dd>{}</dd><dt>ISBN</dt><dd>{}</dd><dt>ページ数</dt><dd>{}p</dd>\n",
            v.year, v.isbn, v.pages.1
        ));
        if let Some(about) = &v.about {
            s.put("<dt>本書について</dt><dd>").say(about).put("</dd>\n");
        }
        if !v.contents.is_empty() {
            s.put("<dt>目次</dt><dd><ul>").items(P::List, &v.contents).put("</ul></dd>\n");
        }
        s.put("</dl>\n");
        Ronbun::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"heading\">").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<dl class=\"resultlist\"><dt>")
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put("</dt><dd>")
                    .say(&entry.by);
                s.put("</dd><dd>").say(&entry.detail).put("</dd></dl>\n");
            }
        }
        Ronbun::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 1: a page built by scripts: hashed class names, JSON-LD, affiliations at the end under "Author information".

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Modern;

static FACTS: Facts = Facts {
    publisher: "Springfield Science",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/j/{j}",
        volume: "/j/{j}/volumes/{v}",
        issue: "/j/{j}/volumes/{v}-{i}",
        article: "/a/s{n}",
        book: "/b/{n}",
        chapter: "/c/{n}_{i}",
    },
};

const STYLE: &str = "*{box-sizing:border-box}body{font:17px/1.6 -apple-system,Segoe UI,sans-serif;margin:0;color:#1a1a1a}\
header,footer{background:#f5f5f5;padding:16px 40px}header ul,footer ul{display:flex;gap:24px;list-style:none;padding:0;margin:0}\
main{max-width:760px;margin:24px auto;padding:0 16px}h1{font-size:30px;line-height:1.2}a{color:#025e8d}\
main ul li[data-author]{display:inline-block;margin-right:12px}li[data-kw]{display:inline-block;border:1px solid #ccc;\
border-radius:12px;padding:1px 10px;margin:3px}[data-card]{border:1px solid #ddd;padding:12px;margin:10px 0}";

impl Modern {
    fn names(s: &mut Sheet, authors: &[Person]) {
        s.put("<ul>").each(authors, "", |s, a| s.put("<li data-author>").author(a).put("</li>")).put("</ul>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.open("div", "pager");
        for to in [previous, next].into_iter().flatten() {
            s.a_open(P::Sequence, "rel=\"nofollow\"", &to.href).put("<span>").say(&to.text).put("</span></a>\n");
        }
        s.put("</div>\n");
    }
}

impl Template for Modern {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body>").open("div", "root").put("<header>").open("nav", "menu").put("<ul>");
        s.items(P::Menu, &at.menu).put("</ul></nav></header>\n");
        if let Some(ad) = at.ads.first() {
            s.open("div", "leader").a(P::Noise, ad).put("</div>\n");
        }
        s.put("<main>\n");
        if !at.crumbs.is_empty() {
            s.put("<nav aria-label=\"breadcrumbs\"><ol>").items(P::Menu, &at.crumbs).put("</ol></nav>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.open("section", "recs").put("<h2>Similar content being viewed by others</h2>\n");
            for to in related {
                s.put("<div data-card><h3>").a(P::Related, to).put("</h3></div>\n");
            }
            s.put("</section>\n");
        }
        s.put("</main>\n");
        for ad in at.ads.iter().skip(1) {
            s.open("div", "banner").a(P::Noise, ad).put("</div>\n");
        }
        s.put("<footer><ul>")
            .items(P::Menu, &at.foot)
            .put("</ul><ul>")
            .items(P::Noise, &at.legal)
            .put("</ul><p>© 2025 ");
        s.say(at.publisher).put("</p></footer></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).json_ld_article(v);
        self.open(s, at);
        s.open("article", "article").open("div", "kicker").put("Research article · ").say(&v.date).put("</div>\n");
        s.put("<h1>").title(v.title).put("</h1>\n");
        Modern::names(s, &v.authors);
        s.open("p", "src").put("<i>").a(P::Text, &v.journal).put("</i> <b>").put(&v.volume.to_string()).put("</b>, ");
        s.put(&format!("{}–{} ({})</p>\n", v.pages.0, v.pages.1, v.year));
        s.open("div", "actions").a_with(P::Text, "role=\"button\"", &v.pdf, "Download PDF").put("</div>\n");
        if !v.summary.is_empty() {
            s.open("section", "abs").put("<h2>").say(at.words.summary).put("</h2>");
            s.summary_in(v.summary, 4, "<p>", "</p>").put("</section>\n");
        }
        s.open("section", "intro").put("<h2>").say(at.words.introduction).put("</h2>");
        s.each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>")).put("</section>\n");
        s.open("section", "refs").put("<h2>").say(at.words.references).put("</h2><ol>");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n")).put("</ol></section>\n");
        if !v.affiliations.is_empty() {
            s.open("section", "info")
                .put("<h2>")
                .say(at.words.affiliations)
                .put("</h2><h3>Authors and affiliations</h3><ol>");
            for (n, place) in v.affiliations.iter().enumerate() {
                s.put("<li><p>").affiliation(place).put("</p><p>");
                let here: Vec<&Person> = v.authors.iter().filter(|a| a.mark == Some(n + 1)).collect();
                s.each(&here, ", ", |s, a| s.say(&a.name)).put("</p></li>\n");
            }
            s.put("</ol></section>\n");
        }
        s.open("section", "about").put("<h2>About this article</h2>");
        if let Some(subject) = &v.subject {
            s.put("<p>Subject: ").a(P::Text, subject).put("</p>");
        }
        s.put("<p>DOI ").say(&v.doi).put("</p><h3>").say(at.words.keywords).put("</h3><ul>");
        s.each(&v.keywords, "", |s, k| s.put("<li data-kw>").keyword_link("", k).put("</li>"))
            .put("</ul></section></article>\n");
        Modern::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).json_ld_book(v);
        self.open(s, at);
        s.open("div", "kicker").put(if v.part_of.is_some() { "Chapter" } else { "Book" });
        s.put(&format!(" · © {}</div>\n<h1>", v.year)).title(v.title).put("</h1>\n");
        Modern::names(s, &v.authors);
        if let Some(book) = &v.part_of {
            s.open("p", "src").put("Part of the book: ").a(P::Text, book);
            s.put(&format!(" (pp {}–{})</p>\n", v.pages.0, v.pages.1));
        }
        if let Some(about) = &v.about {
            s.open("section", "abs")
                .put("<h2>")
                .say(at.words.about_book)
                .put("</h2><p>")
                .say(about)
                .put("</p></section>\n");
        }
        if !v.contents.is_empty() {
            s.open("section", "toc").put("<h2>").say(at.words.contents).put("</h2>");
            s.each(&v.contents, "", |s, to| s.put("<div data-card><h3>").a(P::List, to).put("</h3></div>\n"));
            s.put("</section>\n");
        }
        s.open("section", "about")
            .put("<h2>Bibliographic information</h2><ul><li>DOI ")
            .say(&v.doi)
            .put("</li><li>ISBN ");
        s.say(&v.isbn).put("</li><li>Publisher: ").say(at.publisher).put("</li></ul></section>\n");
        Modern::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.open("section", "group").put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<div data-card><h3>").a_with(P::List, "", &entry.href, &entry.title).put("</h3>");
                if !entry.snippet.is_empty() {
                    s.open("p", "snip").say(&entry.snippet).put(" …</p>");
                }
                s.open("p", "by").say(&entry.by).put("</p>").open("p", "meta").say(&entry.detail).put("</p></div>\n");
            }
            s.put("</section>\n");
        }
        Modern::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

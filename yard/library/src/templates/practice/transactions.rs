//! Practice: an engineers' institute: class names that are hashes, semicolons between names, "Index Terms", places under each name at the end.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::EN;

pub(super) struct Transactions;

static FACTS: Facts = Facts {
    publisher: "Engineers' Digital Library",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/xpl/RecentIssue.jsp?punumber={j}",
        volume: "/xpl/tocresult.jsp?punumber={j}&vol={v}",
        issue: "/xpl/tocresult.jsp?punumber={j}&vol={v}&isnumber={i}",
        article: "/document/{n}",
        book: "/xpl/bkabstractplus.jsp?bkn={n}",
        chapter: "/document/ch{n}",
    },
};

const STYLE: &str = "body{font-family:Arial,sans-serif;font-size:15px}";

impl Transactions {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.open("div", "step");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to);
        }
        s.put("</div>\n");
    }
}

impl Template for Transactions {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>")
            .open("div", "top")
            .open("ul", "bar")
            .items(P::Menu, &at.menu)
            .put("</ul></div>\n")
            .open("div", "doc");
        if !at.crumbs.is_empty() {
            s.open("div", "way")
                .each(&at.crumbs, "\n", |s, to| s.put("<span>").a(P::Menu, to).put("</span> <i>&gt;</i>"))
                .put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div>\n").open("div", "side");
        if !related.is_empty() {
            s.open("div", "more")
                .put("<h3>More Like This</h3>\n")
                .each(related, "\n", |s, to| s.put("<div>").a(P::Related, to).put("</div>"))
                .put("</div>\n");
        }
        s.open("div", "x")
            .each(&at.ads, "", |s, to| s.put("<div>").a(P::Noise, to).put("</div>"))
            .put("</div></div>\n");
        s.open("div", "end")
            .open("ul", "e1")
            .items(P::Menu, &at.foot)
            .put("</ul>")
            .open("ul", "e2")
            .items(P::Noise, &at.legal)
            .put("</ul></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).property("og:title", v.title);
        self.open(s, at);
        s.put("<h1>")
            .open("span", "t")
            .title(v.title)
            .put("</span></h1>\n")
            .open("div", "pub")
            .put("Publisher: Institute</div>\n")
            .open("div", "au");
        s.each(&v.authors, " ; ", |s, a| s.put("<span>").author(a).put("</span>"))
            .put(" ")
            .open("span", "all")
            .put("All Authors</span></div>\n");
        s.open("div", "m").put("<div>3<br>Paper<br>Citations</div><div>412<br>Full<br>Text Views</div></div>\n");
        s.open("div", "pdf").a_with(P::Text, "", &v.pdf, "PDF").put("</div>\n");
        if !v.summary.is_empty() {
            s.open("div", "ab")
                .put("<strong>Abstract:</strong> ")
                .open("div", "abt")
                .summary(v.summary)
                .put("</div></div>\n");
        }
        s.open("div", "f")
            .put("<strong>Published in: </strong>")
            .a(P::Text, &v.journal)
            .put(&format!(" ( Volume: {}, Issue: {}, {})</div>\n", v.volume, v.number, v.year));
        s.open("div", "f").put(&format!("<strong>Page(s): </strong>{} - {}</div>\n", v.pages.0, v.pages.1));
        s.open("div", "f").put("<strong>DOI: </strong>").say(&v.doi).put("</div>\n");
        if !v.affiliations.is_empty() {
            s.open("div", "auth").put("<h2>Authors</h2>\n");
            for author in &v.authors {
                s.open("div", "card").open("div", "nm").say(&author.name).put("</div>");
                if let Some(place) = author.mark.and_then(|mark| v.affiliations.get(mark - 1)) {
                    s.open("div", "pl").affiliation(place).put("</div>");
                }
                s.put("</div>\n");
            }
            s.put("</div>\n");
        }
        s.open("div", "kw").put("<h2>Keywords</h2><ul><li><strong>Index Terms</strong><ul>");
        s.each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("", k).put(", </li>")).put("</ul></li></ul></div>\n");
        Transactions::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").title(v.title).put("</h1>\n").open("div", "au");
        s.each(&v.authors, " ; ", |s, a| s.put("<span>").author(a).put("</span>")).put("</div>\n");
        if let Some(book) = &v.part_of {
            s.open("div", "f").put("<strong>Book Title: </strong>").a(P::Text, book).put("</div>\n");
        }
        s.open("div", "f").put("<strong>Copyright Year: </strong>").put(&v.year.to_string()).put("</div>\n");
        s.open("div", "f").put("<strong>Page(s): </strong>").put(&v.pages.1.to_string()).put("</div>\n");
        s.open("div", "f").put("<strong>Print ISBN: </strong>").say(&v.isbn).put("</div>\n");
        if let Some(about) = &v.about {
            s.open("div", "f").put("<strong>Book Abstract: </strong>").say(about).put("</div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>Table of Contents</h2>\n")
                .each(&v.contents, "\n", |s, to| s.put("<div>").a(P::List, to).put("</div>"));
        }
        Transactions::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>").open("p", "n").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.open("div", "res")
                    .put("<h3>")
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put("</h3>")
                    .open("p", "by")
                    .say(&entry.by)
                    .put("</p>");
                s.open("div", "desc").say(&entry.detail).put("</div></div>\n");
            }
        }
        Transactions::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 15: a young open access press: hashed class names throughout, nothing in the head but OpenGraph, "by" before authors.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct OpenPress;

static FACTS: Facts = Facts {
    publisher: "OPP Open Publishing",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/journal-home/{j}",
        volume: "/{j}-2{v}",
        issue: "/{j}-2{v}/{v}/{i}",
        article: "/{j}-2{v}/{v}/{i}/{p}/htm",
        book: "/books/book/{n}",
        chapter: "/books/book/{j}/{s}",
    },
};

const STYLE: &str = "body{font:15px/1.6 Arial,sans-serif;margin:0;color:#222}a{color:#3156a2}body>div>nav{background:#4f5671;padding:12px 30px}\
body>div>nav a{color:#fff;margin-right:16px}h1{font-size:26px}main{max-width:820px;margin:auto;padding:20px}sup{font-size:75%}";

impl OpenPress {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.open("div", "authors").put("by ");
        for (n, author) in authors.iter().enumerate() {
            s.put(if n == 0 {
                ""
            } else if n + 1 == authors.len() {
                " and "
            } else {
                ", "
            });
            s.open("span", "author").author(author).put("</span>");
            if let Some(mark) = author.mark.filter(|_| !affiliations.is_empty()) {
                s.put(&format!("<sup>{mark}{}</sup>", if n == 0 { ",*" } else { "" }));
            }
        }
        s.put("</div>\n");
        if !affiliations.is_empty() {
            s.open("div", "affs");
            for (n, place) in affiliations.iter().enumerate() {
                s.open("div", "aff")
                    .put(&format!("<div><sup>{}</sup></div><div>", n + 1))
                    .affiliation(place)
                    .put("</div></div>\n");
            }
            s.open("div", "aff").put(
                "<div><sup>*</sup></div><div>Author to whom correspondence should be addressed.</div></div></div>\n",
            );
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.open("div", "steps");
        if let Some(to) = previous {
            s.a_with(P::Sequence, "title=\"previous\"", &to.href, "‹").put(" ").a_with(
                P::Sequence,
                "",
                &to.href,
                &to.text,
            );
        }
        if let Some(to) = next {
            s.put(" ").a_with(P::Sequence, "", &to.href, &to.text).put(" ").a_with(
                P::Sequence,
                "title=\"next\"",
                &to.href,
                "›",
            );
        }
        s.put("</div>\n");
    }
}

impl Template for OpenPress {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body>").open("div", "app").open("nav", "nav").row(P::Menu, &at.menu, "").put("</nav>\n");
        s.open("div", "promo").row(P::Noise, &at.ads[..at.ads.len().min(1)], "").put("</div><main>");
        if !at.crumbs.is_empty() {
            s.open("div", "trail").row(P::Menu, &at.crumbs, " ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.open("div", "more").open("div", "head").put("You may also be interested in</div>");
            for to in related {
                s.open("div", "tile").a(P::Related, to).put("</div>\n");
            }
            s.put("</div>\n");
        }
        s.open("div", "promo").row(P::Noise, at.ads.get(1..).unwrap_or_default(), " ").put("</div></main>\n");
        s.open("div", "bottom").row(P::Menu, &at.foot, " ").open("span", "small").row(P::Noise, &at.legal, " ");
        s.put("</span></div></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).open_graph("article", v.title, v.summary);
        self.open(s, at);
        s.open("div", "flags")
            .put("<span>Open Access</span> <span>Article</span></div>\n<h1>")
            .title(v.title)
            .put("</h1>\n");
        OpenPress::people(s, &v.authors, v.affiliations);
        s.open("div", "bib").put("<em>").a(P::Text, &v.journal).put("</em> <b>").put(&v.year.to_string()).put("</b>, ");
        s.a(P::Text, &v.issue).put(&format!(", {}; https://doi.org/", v.pages.0)).say(&v.doi).put("</div>\n");
        s.open("div", "hist")
            .put("Submission received: ")
            .say(&v.date)
            .put(" / Published: ")
            .say(&v.date)
            .put("</div>\n");
        if let Some(subject) = &v.subject {
            s.open("div", "belongs").put("(This article belongs to the Section ").a(P::Text, subject).put(")</div>\n");
        }
        s.open("div", "buttons")
            .a_with(P::Text, "", &v.pdf, "Download PDF")
            .put(" <a href=\"#figures\">Browse Figures</a></div>\n");
        if !v.summary.is_empty() {
            s.open("section", "abs")
                .put("<h2>Abstract</h2>")
                .open("div", "p")
                .summary(v.summary)
                .put("</div></section>\n");
        }
        s.open("div", "kw")
            .put("<span>Keywords: </span>")
            .each(&v.keywords, "; ", |s, k| s.keyword_link("", k))
            .put("</div>\n");
        s.open("section", "body").put("<h2>1. Introduction</h2>");
        for text in &v.text {
            s.open("div", "p").say(text).put("</div>\n");
        }
        s.put("</section>\n").open("section", "refs").put("<h2>References</h2><ol>");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n")).put("</ol></section>\n");
        OpenPress::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).open_graph("book", v.title, v.about.as_deref().unwrap_or_default());
        self.open(s, at);
        s.open("div", "flags").put(if v.part_of.is_some() { "<span>Chapter</span>" } else { "<span>Book</span>" });
        s.put("</div>\n<h1>").title(v.title).put("</h1>\n");
        OpenPress::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.open("div", "bib").put("In: ").a(P::Text, book).put("</div>\n");
        }
        s.open("div", "bib").put(&format!(
            "{} pages, published {}, ISBN {}</div>\n",
            v.pages.1 - v.pages.0 + 1,
            v.year,
            v.isbn
        ));
        if let Some(about) = &v.about {
            s.open("div", "p").say(about).put("</div>\n");
        }
        for to in &v.contents {
            s.open("div", "tile").a(P::List, to).put("</div>\n");
        }
        OpenPress::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>").open("div", "p").say(&v.intro).put("</div>\n");
        for (heading, entries) in &v.groups {
            s.open("div", "group").put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.open("div", "item").a_with(P::List, "", &entry.href, &entry.title).open("div", "who");
                if !entry.by.is_empty() {
                    s.put("by ").say(&entry.by);
                }
                s.put("</div>").open("div", "where").say(&entry.detail).put("</div>");
                if !entry.snippet.is_empty() {
                    s.open("div", "teaser").put("<b>Abstract</b> ").say(&entry.snippet).put(" [...] ");
                    s.a_with(P::List, "", &entry.href, "Read more.").put("</div>");
                }
                s.put("</div>\n");
            }
            s.put("</div>\n");
        }
        OpenPress::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 2: a preprint server: no affiliations, no keywords, the abstract in a block quote with a run-in label.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Archive;

static FACTS: Facts = Facts {
    publisher: "e-Print Depot",
    words: &EN,
    keywords: false,
    paths: Paths {
        journal: "/archive/{j}",
        volume: "/list/{j}/{v}",
        issue: "/list/{j}/{v}{i}",
        article: "/abs/{n}",
        book: "/mono/{n}",
        chapter: "/mono/part/{n}",
    },
};

const STYLE: &str = "body{font-family:'Lucida Grande',helvetica,sans-serif;font-size:14px;margin:0}#header{background:#b31b1b;\
color:#fff;padding:10px 20px}#header a{color:#fff}#content{margin:20px 5em;max-width:900px}h1.title{font-size:22px}\
.descriptor{font-weight:bold}blockquote.abstract{line-height:1.5}.extra-services{float:right;width:220px;border:1px solid #ccc;\
padding:10px}dt{font-weight:bold;margin-top:10px}td.label{color:#555;padding-right:20px}#foot{border-top:1px solid #ccc;padding:20px}";

impl Archive {
    fn names(s: &mut Sheet, authors: &[Person]) {
        s.put("<div class=\"authors\"><span class=\"descriptor\">Authors:</span>");
        s.each(authors, ", ", |s, a| s.author(a)).put("</div>\n");
    }

    fn browse(s: &mut Sheet, context: Option<&Anchor>, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"browse\">Current browse context: ");
        if let Some(to) = context {
            s.a(P::Text, to);
        }
        s.put("<div class=\"prevnext\">");
        if let Some(to) = previous {
            s.a_with(P::Sequence, "accesskey=\"p\"", &to.href, "< prev").put(" | ");
        }
        if let Some(to) = next {
            s.a_with(P::Sequence, "accesskey=\"n\"", &to.href, "next >");
        }
        s.put("</div></div>\n");
    }
}

impl Template for Archive {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"header\"><b>").say(at.publisher).put("</b> &nbsp; ").row(
            P::Menu,
            &at.menu,
            " | ",
        );
        s.put("</div>\n<div id=\"content\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"crumbs\">").row(P::Menu, &at.crumbs, " / ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<h3>Recommended by the same readers</h3>\n<p class=\"recommender\">");
            s.row(P::Related, related, "<br>\n").put("</p>\n");
        }
        s.put("</div>\n<div class=\"sponsor\">With support from: ").row(P::Noise, &at.ads, ", ").put("</div>\n");
        s.put("<div id=\"foot\">").row(P::Menu, &at.foot, " &middot; ").put("<br>").row(
            P::Noise,
            &at.legal,
            " &middot; ",
        );
        s.put("</div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("citation_title", v.title);
        s.each(&v.authors, "", |s, a| s.meta("citation_author", &a.name)).meta("citation_date", &v.date);
        self.open(s, at);
        s.put("<div class=\"extra-services\"><h2>Access Paper:</h2><ul><li>").a_with(P::Text, "", &v.pdf, "View PDF");
        s.put("</li></ul>\n");
        Archive::browse(s, Some(&v.issue), v.previous.as_ref(), v.next.as_ref());
        s.put("</div>\n<div class=\"dateline\">[Submitted on ").say(&v.date).put("]</div>\n<h1 class=\"title\">");
        s.put("<span class=\"descriptor\">Title:</span>").title(v.title).put("</h1>\n");
        Archive::names(s, &v.authors);
        s.put("<blockquote class=\"abstract\"><span class=\"descriptor\">Abstract:</span> ").summary(v.summary);
        s.put("</blockquote>\n<table class=\"meta\">");
        if let Some(subject) = &v.subject {
            s.put("<tr><td class=\"label\">Subjects:</td><td>").a(P::Text, subject).put("</td></tr>\n");
        }
        s.put("<tr><td class=\"label\">Journal reference:</td><td>").say(&v.journal.text);
        s.put(&format!(" {} ({})</td></tr>\n<tr><td class=\"label\">DOI:</td><td>", v.volume, v.year)).say(&v.doi);
        s.put("</td></tr></table>\n");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"title\"><span class=\"descriptor\">Title:</span>").title(v.title).put("</h1>\n");
        Archive::names(s, &v.authors);
        s.put("<table class=\"meta\">");
        if let Some(book) = &v.part_of {
            s.put("<tr><td class=\"label\">Chapter in:</td><td>").a(P::Text, book).put("</td></tr>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<tr><td class=\"label\">Subjects:</td><td>").a(P::Text, subject).put("</td></tr>\n");
        }
        s.put(&format!(
            "<tr><td class=\"label\">Comments:</td><td>{} pages, {}</td></tr>",
            v.pages.1 - v.pages.0 + 1,
            v.year
        ));
        s.put("<tr><td class=\"label\">ISBN:</td><td>").say(&v.isbn).put("</td></tr></table>\n");
        if !v.contents.is_empty() {
            s.put("<h3>Contents</h3><ol>").items(P::List, &v.contents).put("</ol>\n");
        }
        if v.previous.is_some() || v.next.is_some() {
            Archive::browse(s, None, v.previous.as_ref(), v.next.as_ref());
        }
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h3>").say(heading).put("</h3>\n<dl>\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<dt>[{}] ", n + 1));
                if let Some(pdf) = &entry.pdf {
                    s.a_with(P::List, "", &entry.href, "abs").put(" [").a_with(P::List, "", pdf, "pdf").put("]");
                }
                s.put("</dt>\n<dd><div class=\"list-title\">")
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put("</div>");
                s.put("<div class=\"list-authors\">").say(&entry.by).put("</div><div class=\"list-ref\">");
                s.say(&entry.detail).put("</div></dd>\n");
            }
            s.put("</dl>\n");
        }
        s.put("<p class=\"paging\">");
        for to in [&v.previous, &v.next].into_iter().flatten() {
            s.put("[ ").a(P::Sequence, to).put(" ] ");
        }
        s.put("</p>\n");
        self.close(s, at, &[]);
    }
}

//! Practice: a university's repository: one table of fields, a value a line, names turned round, a handle.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Deposit;

static FACTS: Facts = Facts {
    publisher: "Institutional Repository",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/jspui/handle/1880/{j}",
        volume: "/jspui/handle/1880/{j}/browse?volume={v}",
        issue: "/jspui/handle/1880/{j}/{v}.{i}",
        article: "/jspui/handle/1880/{n}",
        book: "/jspui/handle/1880/b{n}",
        chapter: "/jspui/handle/1880/c{n}",
    },
};

const STYLE: &str = "body{font:14px Helvetica,Arial,sans-serif}table.itemDisplayTable{width:100%}td.metadataFieldLabel{width:160px;text-align:right;\
font-weight:bold;vertical-align:top}.evenRowOddCol{background:#eee}";

impl Deposit {
    fn field(s: &mut Sheet, label: &str) {
        s.put("<tr><td class=\"metadataFieldLabel\">").say(label).put(":&nbsp;</td><td class=\"metadataFieldValue\">");
    }

    fn names(s: &mut Sheet, authors: &[Person]) {
        Deposit::field(s, "Authors");
        s.each(authors, "<br />", |s, a| s.author(a)).put("</td></tr>\n");
    }

    fn places(s: &mut Sheet, places: &[String]) {
        if !places.is_empty() {
            Deposit::field(s, "Affiliation");
            s.each(places, "<br />", |s, place| s.affiliation(place)).put("</td></tr>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div align=\"center\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put(" ");
        }
        s.put("</div>\n");
    }
}

impl Template for Deposit {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body class=\"undernavigation\"><header class=\"navbar navbar-inverse\"><div class=\"container\"><b>");
        s.say(at.publisher)
            .put("</b><ul class=\"nav navbar-nav\">")
            .items(P::Menu, &at.menu)
            .put("</ul></div></header>\n");
        s.put("<div class=\"container\">\n");
        if !at.crumbs.is_empty() {
            s.put("<ol class=\"breadcrumb btn-success\">").items(P::Menu, &at.crumbs).put("</ol>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"panel\"><h4>Similar Items</h4>\n");
            s.each(related, "\n", |s, to| s.put("<div>").a(P::Related, to).put("</div>")).put("</div>\n");
        }
        s.put("<p class=\"ad\">").row(P::Noise, &at.ads, "<br/>").put("</p></div>\n<footer class=\"navbar-bottom\">");
        s.row(P::Menu, &at.foot, " - ").put(" - ").row(P::Noise, &at.legal, " - ").put("</footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).dublin_core(v);
        self.open(s, at);
        s.put("<p>Please use this identifier to cite or link to this item: <code>https://hdl.handle.net/1880/")
            .put(&v.pages.0.to_string());
        s.put("</code></p>\n<table class=\"table itemDisplayTable\">\n");
        Deposit::field(s, "Title");
        s.title(v.title).put("</td></tr>\n");
        Deposit::names(s, &v.authors);
        Deposit::places(s, v.affiliations);
        Deposit::field(s, "Keywords");
        s.each(&v.keywords, "<br />", |s, k| s.keyword(&k.name)).put("</td></tr>\n");
        Deposit::field(s, "Issue Date");
        s.say(&v.date).put("</td></tr>\n");
        Deposit::field(s, "Citation");
        s.say(&v.journal.text).put(&format!(", {}({}), {}-{}</td></tr>\n", v.volume, v.number, v.pages.0, v.pages.1));
        if !v.summary.is_empty() {
            Deposit::field(s, "Abstract");
            s.summary(v.summary).put("</td></tr>\n");
        }
        Deposit::field(s, "URI");
        s.put("http://hdl.handle.net/1880/").say(&v.doi).put("</td></tr>\n");
        Deposit::field(s, "Appears in Collections");
        s.a(P::Text, &v.journal)
            .put("</td></tr>\n</table>\n<div class=\"panel panel-info\"><b>Files in This Item:</b>");
        s.put("<table class=\"table panel-body\"><tr><th>File</th><th>Size</th><th>Format</th></tr><tr><td>article.pdf</td><td>1.2 MB</td><td>Adobe PDF ");
        s.a_with(P::Text, "class=\"btn\"", &v.pdf, "View/Open").put("</td></tr></table></div>\n");
        Deposit::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<table class=\"table itemDisplayTable\">\n");
        Deposit::field(s, "Title");
        s.title(v.title).put("</td></tr>\n");
        Deposit::names(s, &v.authors);
        Deposit::places(s, v.affiliations);
        Deposit::field(s, "Issue Date");
        s.put(&v.year.to_string()).put("</td></tr>\n");
        if let Some(book) = &v.part_of {
            Deposit::field(s, "Is part of book");
            s.a(P::Text, book).put("</td></tr>\n");
        }
        if let Some(about) = &v.about {
            Deposit::field(s, "Description");
            s.say(about).put("</td></tr>\n");
        }
        Deposit::field(s, "ISBN");
        s.say(&v.isbn).put("</td></tr>\n");
        Deposit::field(s, "Type");
        s.put(if v.part_of.is_some() { "Book chapter" } else { "Book" }).put("</td></tr>\n");
        if !v.contents.is_empty() {
            Deposit::field(s, "Has parts");
            s.row(P::List, &v.contents, "<br />").put("</td></tr>\n");
        }
        s.put("</table>\n");
        Deposit::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h2>").say(&v.heading).put("</h2>\n<div class=\"browse_range\">").say(&v.intro).put("</div>\n");
        for (heading, entries) in &v.groups {
            s.put("<h3>").say(heading).put("</h3><table align=\"center\" class=\"table\"><tr><th id=\"t1\">Issue Date</th><th id=\"t2\">Title</th><th id=\"t3\">Author(s)</th></tr>\n");
            for entry in entries {
                s.put("<tr><td headers=\"t1\" nowrap=\"nowrap\">").say(&entry.detail).put("</td><td headers=\"t2\">");
                s.a_with(P::List, "", &entry.href, &entry.title).put("</td><td headers=\"t3\"><em>").say(&entry.by);
                s.put("</em></td></tr>\n");
            }
            s.put("</table>\n");
        }
        Deposit::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 16: a journal set by hand at a department: headings of the second order, no classes, run-in labels of its own.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::EN;

pub(super) struct Leaflet;

static FACTS: Facts = Facts {
    publisher: "Electronic Leaflets of the Department",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/~{j}/index.html",
        volume: "/~{j}/vol{v}/index.html",
        issue: "/~{j}/vol{v}/no{i}.html",
        article: "/~{j}/vol{v}/{n}.abs.html",
        book: "/monographs/{j}.html",
        chapter: "/monographs/{j}/ch{i}.html",
    },
};

const STYLE: &str = "body{max-width:50em;margin:2em auto;font-family:'Times New Roman',serif;background:#fffff4}h2{text-align:center}address{text-align:center}";

impl Leaflet {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        if previous.is_none() && next.is_none() {
            return;
        }
        s.put("<p align=center>");
        for (to, text) in [(previous, "[previous]"), (next, "[next]")] {
            if let Some(to) = to {
                s.a_with(P::Sequence, "", &to.href, text).put("\n");
            }
        }
        s.put("</p>\n");
    }
}

impl Template for Leaflet {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<p>[ ").row(P::Menu, &at.menu, " |\n").put(" ]</p>\n");
        if !at.crumbs.is_empty() {
            s.put("<p><small>").row(P::Menu, &at.crumbs, " : ").put("</small></p>\n");
        }
        s.put("<hr>\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<p>See also:</p>\n<ul>").items(P::Related, related).put("</ul>\n");
        }
        s.put("<hr>\n<p><small>Our sponsors: ").row(P::Noise, &at.ads, "; ").put("</small></p>\n<p><small>").row(
            P::Menu,
            &at.foot,
            ", ",
        );
        s.put(". ").row(P::Noise, &at.legal, ", ").put(".</small></p>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p><i>").a(P::Text, &v.journal).put("</i>, ").a(P::Text, &v.issue);
        s.put(&format!(", pp. {}-{}.</p>\n<h2>", v.pages.0, v.pages.1)).title(v.title).put("</h2>\n<address>");
        // One author after the other, each with the place below, as on a title page.
        for author in &v.authors {
            s.author(author).put("<br>\n");
            if let Some(place) = author.mark.and_then(|mark| v.affiliations.get(mark - 1)) {
                s.put("<small>").affiliation(place).put("</small><br>\n");
            }
        }
        s.put("</address>\n");
        if !v.summary.is_empty() {
            s.put("<p><b>Summary.</b>\n").summary(v.summary).put("</p>\n");
        }
        s.put("<p><i>Key words and phrases:</i> ")
            .each(&v.keywords, ", ", |s, k| s.keyword(&k.name))
            .put(".</p>\n<p>Received ");
        s.say(&v.date).put(". ").a_with(P::Text, "", &v.pdf, "Full text (PDF)").put(".</p>\n");
        Leaflet::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h2>")
            .title(v.title)
            .put("</h2>\n<address>")
            .each(&v.authors, "<br>\n", |s, a| s.author(a))
            .put("</address>\n");
        if let Some(book) = &v.part_of {
            s.put("<p>From: ").a(P::Text, book).put(&format!(", pp. {}-{}.</p>\n", v.pages.0, v.pages.1));
        }
        s.put(&format!("<p>{}, ISBN {}.</p>\n", v.year, v.isbn));
        if let Some(about) = &v.about {
            s.put("<p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<ol>").items(P::List, &v.contents).put("</ol>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<p>Classified under ").a(P::Text, subject).put(".</p>\n");
        }
        Leaflet::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h2>").say(&v.heading).put("</h2>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            if !heading.is_empty() {
                s.put("<h3>").say(heading).put("</h3>\n");
            }
            for entry in entries {
                s.put("<p>");
                if !entry.by.is_empty() {
                    s.say(&entry.by).put(", ");
                }
                s.put("<i>").a_with(P::List, "", &entry.href, &entry.title).put("</i>");
                if !entry.detail.is_empty() {
                    s.put(", ").say(&entry.detail);
                }
                s.put(".</p>\n");
            }
        }
        Leaflet::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Practice: an archive that opens with the citation, then a heading for the abstract and a table for the rest.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::EN;

pub(super) struct EprintHouse;

static FACTS: Facts = Facts {
    publisher: "Research Archive Online",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/view/publication/{j}.html",
        volume: "/view/publication/{j}/{v}.html",
        issue: "/view/publication/{j}/{v}/{i}.html",
        article: "/id/eprint/{n}/",
        book: "/id/eprint/{n}/book/",
        chapter: "/id/eprint/{n}/section/",
    },
};

const STYLE: &str = "body{font-family:Georgia,serif;max-width:900px;margin:auto}.ep_tm_menu li{display:inline;margin-right:1em}th{text-align:right;\
vertical-align:top}.person_name{font-weight:bold}";

impl EprintHouse {
    fn row(s: &mut Sheet, label: &str) {
        s.put("<tr><th align=\"right\">").say(label).put(":</th><td valign=\"top\">");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<p class=\"ep_browse\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("[").a(P::Sequence, to).put("] ");
        }
        s.put("</p>\n");
    }
}

impl Template for EprintHouse {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div class=\"ep_tm_header\"><strong>")
            .say(at.publisher)
            .put("</strong><ul class=\"ep_tm_menu\">");
        s.items(P::Menu, &at.menu).put("</ul></div>\n<div class=\"ep_tm_page_content\">\n");
        if !at.crumbs.is_empty() {
            s.put("<p><small>Browse: ").row(P::Menu, &at.crumbs, " :: ").put("</small></p>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<h2>Other items on this subject</h2>\n<ul>").items(P::Related, related).put("</ul>\n");
        }
        s.put("</div>\n<hr noshade=\"noshade\" /><div class=\"ep_tm_footer\">")
            .row(P::Noise, &at.ads, " &bull; ")
            .put("<br/>");
        s.row(P::Menu, &at.foot, " | ").put("<br/>").row(P::Noise, &at.legal, " | ").put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("eprints.title", v.title).meta("eprints.type", "article");
        s.each(&v.authors, "", |s, a| s.meta("eprints.creators_name", &a.name));
        self.open(s, at);
        s.put("<h1 class=\"ep_tm_pagetitle\">").title(v.title).put("</h1>\n<div class=\"ep_summary_content\">");
        s.put("<p style=\"margin-bottom:1em\">");
        s.each(&v.authors, " and ", |s, a| s.put("<span class=\"person_name\">").author(a).put("</span>"));
        s.put(&format!(" ({}) <em>", v.year)).say(v.title).put(".</em> ").say(&v.journal.text);
        s.put(&format!(", {} ({}). pp. {}-{}. ISSN 1234-5678</p>\n", v.volume, v.number, v.pages.0, v.pages.1));
        s.put("<table><tr><td>")
            .a_with(P::Text, "class=\"ep_document_link\"", &v.pdf, "Text (Published version)")
            .put(" Download (1MB)</td></tr></table>\n");
        if !v.summary.is_empty() {
            s.put("<h2>Abstract</h2><p style=\"text-align:left\">").summary(v.summary).put("</p>\n");
        }
        s.put("<table border=\"0\" cellpadding=\"3\">\n");
        EprintHouse::row(s, "Item Type");
        s.put("Article</td></tr>\n");
        if !v.affiliations.is_empty() {
            EprintHouse::row(s, "Author affiliations");
            s.put("<ul>")
                .each(v.affiliations, "", |s, place| s.put("<li>").affiliation(place).put("</li>"))
                .put("</ul></td></tr>\n");
        }
        EprintHouse::row(s, "Uncontrolled Keywords");
        s.each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put("</td></tr>\n");
        if let Some(subject) = &v.subject {
            EprintHouse::row(s, "Subjects");
            s.a(P::Text, subject).put("</td></tr>\n");
        }
        EprintHouse::row(s, "Date Deposited");
        s.say(&v.date).put("</td></tr>\n");
        EprintHouse::row(s, "URI");
        s.put("https://doi.org/").say(&v.doi).put("</td></tr></table></div>\n");
        EprintHouse::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE)
            .meta("eprints.title", v.title)
            .meta("eprints.type", if v.part_of.is_some() { "book_section" } else { "book" });
        self.open(s, at);
        s.put("<h1 class=\"ep_tm_pagetitle\">").title(v.title).put("</h1>\n<p>");
        s.each(&v.authors, " and ", |s, a| s.put("<span class=\"person_name\">").author(a).put("</span>"));
        s.put(&format!(" ({}) <em>", v.year)).say(v.title).put(".</em> ");
        if let Some(book) = &v.part_of {
            s.put("In: ").a(P::Text, book).put(&format!(". {}, pp. {}-{}.", at.publisher, v.pages.0, v.pages.1));
        }
        s.put(" ISBN ").say(&v.isbn).put("</p>\n<table border=\"0\">\n");
        EprintHouse::row(s, "Item Type");
        s.put(if v.part_of.is_some() { "Book Section" } else { "Book" }).put("</td></tr>\n");
        if !v.affiliations.is_empty() {
            EprintHouse::row(s, "Author affiliations");
            s.put("<ul>")
                .each(v.affiliations, "", |s, place| s.put("<li>").affiliation(place).put("</li>"))
                .put("</ul></td></tr>\n");
        }
        if let Some(about) = &v.about {
            EprintHouse::row(s, "Additional Information");
            s.say(about).put("</td></tr>\n");
        }
        s.put("</table>\n");
        if !v.contents.is_empty() {
            s.put("<h2>Contents</h2>\n<ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        EprintHouse::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"ep_tm_pagetitle\">").say(&v.heading).put("</h1>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<p><span class=\"person_name\">").say(&entry.by).put("</span> ");
                s.a_open(P::List, "", &entry.href)
                    .put("<em>")
                    .say(&entry.title)
                    .put("</em></a> ")
                    .say(&entry.detail)
                    .put("</p>\n");
            }
        }
        EprintHouse::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Practice: an electronic journal of the nineties: tags in capitals, everything centred, each name followed by its address, rules between.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Hyperjournal;

static FACTS: Facts = Facts {
    publisher: "Hyperjournal Electronic Press",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/~press/{j}/",
        volume: "/~press/{j}/vol{v}.html",
        issue: "/~press/{j}/vol{v}no{i}.html",
        article: "/~press/{j}/vol{v}/art{n}.html",
        book: "/~press/books/b{n}.html",
        chapter: "/~press/books/ch{n}.html",
    },
};

const STYLE: &str = "BODY{background:#ffffff;color:#000000}";

impl Hyperjournal {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        for author in authors {
            s.put("<H3>").author(author).put("</H3>\n");
            if let Some(place) = author.mark.and_then(|mark| places.get(mark - 1)) {
                s.put("<I>").affiliation(place).put("</I><BR>\n");
            }
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<CENTER>");
        for to in [previous, next].into_iter().flatten() {
            s.put("[ ").a(P::Sequence, to).put(" ] ");
        }
        s.put("</CENTER>\n");
    }
}

impl Template for Hyperjournal {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<BODY BGCOLOR=\"#FFFFFF\">\n<CENTER><B>")
            .say(at.publisher)
            .put("</B><BR>")
            .row(P::Menu, &at.menu, " | ")
            .put("</CENTER><HR>\n");
        if !at.crumbs.is_empty() {
            s.put("Up: ").row(P::Menu, &at.crumbs, ", ").put("<P>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<HR><H4>See also</H4>\n<UL>")
                .each(related, "\n", |s, to| s.put("<LI>").a(P::Related, to))
                .put("</UL>\n");
        }
        s.put("<HR><CENTER><SMALL>Our sponsors: ")
            .row(P::Noise, &at.ads, " * ")
            .put("</SMALL><BR>")
            .row(P::Menu, &at.foot, " * ")
            .put(" * ");
        s.row(P::Noise, &at.legal, " * ").put("</CENTER>\n<ADDRESS>webmaster</ADDRESS></BODY></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<CENTER><I>")
            .a(P::Text, &v.journal)
            .put("</I>, ")
            .a(P::Text, &v.issue)
            .put("<P>\n<H2>")
            .title(v.title)
            .put("</H2>\n");
        Hyperjournal::people(s, &v.authors, v.affiliations);
        s.put("</CENTER><HR>\n<DL>");
        if !v.summary.is_empty() {
            s.put("<DT><B>Abstract</B>\n<DD>").summary(v.summary).put("\n<P>");
        }
        s.put("<DT><B>Keywords</B>\n<DD>")
            .each(&v.keywords, " / ", |s, k| s.keyword(&k.name))
            .put("\n</DL><HR>\n<H4>1 Introduction</H4>\n");
        s.each(&v.text, "\n", |s, text| s.put("<P>").say(text)).put("\n<H4>References</H4>\n<UL>");
        s.each(&v.references, "\n", |s, line| s.put("<LI>").say(line))
            .put("</UL>\n<P>")
            .a_with(P::Text, "", &v.pdf, "PostScript and PDF versions")
            .put("\n");
        Hyperjournal::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<CENTER><H2>").title(v.title).put("</H2>\n");
        Hyperjournal::people(s, &v.authors, v.affiliations);
        s.put("</CENTER>\n<P>");
        if let Some(book) = &v.part_of {
            s.put("In: ").a(P::Text, book).put(", ");
        }
        s.say(at.publisher).put(&format!(", {}, {} pp., ISBN {}.\n", v.year, v.pages.1, v.isbn));
        if let Some(about) = &v.about {
            s.put("<P>").say(about).put("\n");
        }
        if !v.contents.is_empty() {
            s.put("<H4>Chapters</H4>\n<OL>")
                .each(&v.contents, "\n", |s, to| s.put("<LI>").a(P::List, to))
                .put("</OL>\n");
        }
        Hyperjournal::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<H1>").say(&v.heading).put("</H1>\n").say(&v.intro).put("<P>\n");
        for (heading, entries) in &v.groups {
            s.put("<H3>").say(heading).put("</H3>\n<DL>");
            for entry in entries {
                s.put("<DT>")
                    .say(&entry.by)
                    .put("\n<DD>")
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put(", ")
                    .say(&entry.detail)
                    .put("\n");
            }
            s.put("</DL>\n");
        }
        Hyperjournal::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

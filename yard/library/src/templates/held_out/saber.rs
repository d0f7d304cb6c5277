//! Template 13: a Spanish network of journals: everything in paragraphs, labels run in and in capitals.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::ES;

pub(super) struct Saber;

static FACTS: Facts = Facts {
    publisher: "Red Saber en Línea",
    words: &ES,
    keywords: true,
    paths: Paths {
        journal: "/scielo.php?script=sci_serial&pid={j}",
        volume: "/scielo.php?script=sci_issues&pid={j}&v={v}",
        issue: "/scielo.php?script=sci_issuetoc&pid={j}{y}000{i}",
        article: "/scielo.php?script=sci_arttext&pid=S{n}",
        book: "/libros/id/{n}",
        chapter: "/libros/id/{j}/{i}",
    },
};

const STYLE: &str = "body{font:15px/1.5 Arial,sans-serif;width:900px;margin:auto}.top-navigation{border-bottom:1px solid #990000;padding:10px}\
.content h3{color:#800000}p.autor{text-align:center}p.aff{font-size:12px;margin:2px}.nav-article{text-align:right;font-size:12px}\
.serial{width:180px;float:right;background:#f6f6f6;padding:10px;font-size:12px}.foot{font-size:11px;text-align:center;clear:both}";

impl Template for Saber {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div class=\"top-navigation\"><b>").say(at.publisher).put("</b><br>").row(
            P::Menu,
            &at.menu,
            " | ",
        );
        s.put("</div>\n");
        if !at.crumbs.is_empty() {
            s.put("<p class=\"ruta\">").row(P::Menu, &at.crumbs, " » ").put("</p>\n");
        }
        s.put("<div class=\"serial\"><b>Servicios</b><p>")
            .row(P::Noise, &at.ads, "</p><p>")
            .put("</p></div>\n<div class=\"content\">\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<p><b>").say(at.words.related).put("</b></p>\n");
            s.each(related, "\n", |s, to| s.put("<p>- ").a(P::Related, to).put("</p>"));
        }
        s.put("</div>\n<div class=\"foot\"><hr><p>").row(P::Menu, &at.foot, " - ").put("</p><p>").row(
            P::Noise,
            &at.legal,
            " - ",
        );
        s.put("</p><p>Todo el contenido, excepto donde se indique lo contrario, está bajo licencia.</p></div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        s.each(&v.authors, "", |s, a| s.meta("citation_author", &a.name));
        self.open(s, at);
        s.put("<p class=\"nav-article\">")
            .row(P::Sequence, &ends(v.previous.as_ref(), v.next.as_ref()), " | ")
            .put("</p>\n<h3>");
        s.a(P::Text, &v.journal)
            .put("</h3><p>")
            .a(P::Text, &v.issue)
            .put("</p>\n<p class=\"doi\">doi: ")
            .say(&v.doi)
            .put("</p>\n");
        s.put("<p align=\"center\"><font size=\"4\"><b>").title(v.title).put("</b></font></p>\n<p class=\"autor\"><b>");
        s.each(&v.authors, "; ", |s, a| {
            s.author(a);
            if let Some(mark) = a.mark.filter(|_| !v.affiliations.is_empty()) {
                s.put(&format!("<sup>{}</sup>", "*".repeat(mark.min(4))));
            }
            s
        });
        s.put("</b></p>\n");
        for (n, place) in v.affiliations.iter().enumerate() {
            s.put(&format!("<p class=\"aff\"><sup>{}</sup> ", "*".repeat((n + 1).min(4))))
                .affiliation(place)
                .put("</p>\n");
        }
        s.put("<hr>\n");
        if !v.summary.is_empty() {
            s.put("<p><b>RESUMEN</b></p>\n").summary_in(v.summary, 7, "<p>", "</p>");
        }
        s.put("<p><b>Palabras clave:</b> ")
            .each(&v.keywords, ", ", |s, k| s.keyword(&k.name))
            .put(".</p>\n<hr>\n<p><b>INTRODUCCIÓN</b></p>");
        s.each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>")).put("\n<p><b>BIBLIOGRAFÍA</b></p>\n");
        s.each(&v.references, "\n", |s, line| s.put("<p>").say(line).put("</p>")).put("\n<p>");
        s.a_with(P::Text, "", &v.pdf, "Texto en PDF").put("</p>\n");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p class=\"nav-article\">")
            .row(P::Sequence, &ends(v.previous.as_ref(), v.next.as_ref()), " | ")
            .put("</p>\n");
        if let Some(book) = &v.part_of {
            s.put("<p>").say(at.words.chapter_of).put(": ").a(P::Text, book).put("</p>\n");
        }
        s.put("<p align=\"center\"><font size=\"4\"><b>").title(v.title).put("</b></font></p>\n<p class=\"autor\">");
        s.each(&v.authors, "; ", |s, a| s.author(a)).put("</p>\n");
        s.put(&format!("<p>{}, {}. ISBN: {}. {} p.</p>\n", at.publisher, v.year, v.isbn, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<p><b>SINOPSIS</b></p><p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<p><b>ÍNDICE</b></p>\n");
            s.each(&v.contents, "\n", |s, to| s.put("<p>").a(P::List, to).put("</p>")).put("\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<p>").say(at.words.subject).put(": ").a(P::Text, subject).put("</p>\n");
        }
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h3>").say(&v.heading).put("</h3>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<p><b>").say(heading).put("</b></p>\n");
            for entry in entries {
                s.put("<p>· ");
                // Where titles are no links, "resumen" and "texto" are.
                if entry.pdf.is_some() {
                    s.put("<b>")
                        .say(&entry.title)
                        .put("</b><br>")
                        .say(&entry.by)
                        .put("<br>")
                        .say(&entry.detail)
                        .put("<br>");
                    s.a_with(P::List, "", &entry.href, "resumen en español").put(" · ");
                    s.a_with(P::List, "", &format!("{}#texto", entry.href), "texto en español");
                } else {
                    s.a_with(P::List, "", &entry.href, &entry.title)
                        .put(" ")
                        .say(&entry.by)
                        .put(" ")
                        .say(&entry.detail);
                }
                s.put("</p>\n");
            }
        }
        s.put("<p class=\"nav-article\">")
            .row(P::Sequence, &ends(v.previous.as_ref(), v.next.as_ref()), " | ")
            .put("</p>\n");
        self.close(s, at, &[]);
    }
}

fn ends(previous: Option<&Anchor>, next: Option<&Anchor>) -> Vec<Anchor> {
    [previous, next].into_iter().flatten().cloned().collect()
}

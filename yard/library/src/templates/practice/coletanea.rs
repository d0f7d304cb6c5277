//! Practice: an online collection of Brazilian journals: the article as it was typed, everything a paragraph, Roman numbers as marks.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::PT;

pub(super) struct Coletanea;

static FACTS: Facts = Facts {
    publisher: "Coletânea Eletrônica",
    words: &PT,
    keywords: true,
    paths: Paths {
        journal: "/scielo.php?script=sci_serial&pid={j}",
        volume: "/scielo.php?script=sci_issues&pid={j}&v={v}",
        issue: "/scielo.php?script=sci_issuetoc&pid={j}&v={v}&n={i}",
        article: "/scielo.php?script=sci_arttext&pid=S{n}",
        book: "/livro.php?id={n}",
        chapter: "/livro.php?id={n}&cap={i}",
    },
};

const STYLE: &str = "body{background:#fff;font-family:Arial,Helvetica,sans-serif}.content{width:95%;margin:auto}";

const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

fn mark(n: usize) -> String {
    ROMAN.get(n - 1).map_or_else(|| n.to_string(), |mark| (*mark).to_owned())
}

impl Coletanea {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<p align=\"center\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put("&nbsp;&nbsp;");
        }
        s.put("</p>\n");
    }
}

impl Template for Coletanea {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div class=\"container\"><div class=\"top\"><div id=\"parent\">").row(
            P::Menu,
            &at.menu,
            "&nbsp;",
        );
        s.put("</div></div>\n<div class=\"content\">\n");
        if !at.crumbs.is_empty() {
            s.put("<p><font size=\"1\">").row(P::Menu, &at.crumbs, " &rsaquo; ").put("</font></p>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<p><b>").say(at.words.related).put("</b></p>\n");
            s.each(related, "\n", |s, to| s.put("<p>&#8226; ").a(P::Related, to).put("</p>")).put("\n");
        }
        s.put("<p><small>")
            .say(at.words.advertisement)
            .put("</small></p><p>")
            .row(P::Noise, &at.ads, "<br>")
            .put("</p></div>\n");
        s.put("<div class=\"footer\">").row(P::Menu, &at.foot, "&nbsp;|&nbsp;").put("<br>").row(
            P::Noise,
            &at.legal,
            " | ",
        );
        s.put("</div></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        s.put("<h2>")
            .a(P::Text, &v.journal)
            .put("</h2>\n<h3>")
            .say(&v.journal.text)
            .put(&format!(" v.{} n.{} {}</h3>\n", v.volume, v.number, v.year));
        s.put("<h4>https://doi.org/")
            .say(&v.doi)
            .put("</h4>\n<div class=\"index\">\n<p align=\"right\"><b>ARTIGO ORIGINAL</b></p>\n<p>&nbsp;</p>\n");
        s.put("<p align=\"center\"><font size=\"4\"><b>")
            .title(v.title)
            .put("</b></font></p>\n<p>&nbsp;</p>\n<p align=\"center\"><b>");
        let several = v.affiliations.len() > 1;
        s.each(&v.authors, "; ", |s, a| {
            s.author(a);
            match a.mark.filter(|_| several) {
                Some(n) => s.put("<sup>").put(&mark(n)).put("</sup>"),
                None => s,
            }
        });
        s.put("</b></p>\n");
        if !v.affiliations.is_empty() {
            s.put("<p align=\"center\">");
            for (n, place) in v.affiliations.iter().enumerate() {
                if several {
                    s.put("<sup>").put(&mark(n + 1)).put("</sup>");
                }
                s.affiliation(place).put("<br>\n");
            }
            s.put("</p>\n<p align=\"center\">Endereço para correspondência</p>\n");
        }
        s.put("<p>&nbsp;</p>\n<hr size=\"1\" noshade>\n");
        if !v.summary.is_empty() {
            s.put("<p><b>RESUMO</b></p>\n<p>").summary(v.summary).put("</p>\n");
        }
        s.put("<p><b>")
            .say(at.words.keywords)
            .put(":</b> ")
            .each(&v.keywords, ", ", |s, k| s.keyword(&k.name))
            .put(".</p>\n<hr size=\"1\" noshade>\n");
        s.put("<p><b>INTRODUÇÃO</b></p>\n").each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>"));
        s.put("\n<p><b>REFERÊNCIAS</b></p>\n").each(&v.references, "\n", |s, line| s.put("<p>").say(line).put("</p>"));
        s.put("\n<p>Recebido em ").say(&v.date).put(". Aceito em ").say(&v.date).put("</p></div>\n<p>");
        s.a_with(P::Text, "", &v.pdf, "Texto em português (PDF)").put("</p>\n");
        Coletanea::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p align=\"center\"><font size=\"4\"><b>")
            .title(v.title)
            .put("</b></font></p>\n<p align=\"center\"><b>");
        s.each(&v.authors, "; ", |s, a| s.author(a)).put("</b></p>\n");
        if !v.affiliations.is_empty() {
            s.put("<p align=\"center\">").each(v.affiliations, "<br>\n", |s, place| s.affiliation(place)).put("</p>\n");
        }
        if let Some(book) = &v.part_of {
            s.put("<p>").say(at.words.chapter_of).put(" ").a(P::Text, book).put("</p>\n");
        }
        s.put(&format!("<p>Editora: {}. {}. ISBN {}. {} p.</p>\n", at.publisher, v.year, v.isbn, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<p><b>").say(at.words.about_book).put("</b></p>\n<p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<p><b>")
                .say(at.words.contents)
                .put("</b></p>\n")
                .each(&v.contents, "\n", |s, to| s.put("<p>").a(P::List, to).put("</p>"));
        }
        Coletanea::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p><font size=\"3\"><b>").say(&v.heading).put("</b></font></p><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<p><b>").say(heading).put("</b></p>\n");
            for entry in entries {
                s.put("<p><b>&#149;</b> ")
                    .say(&entry.title)
                    .put("<br><i>")
                    .say(&entry.by)
                    .put("</i> ")
                    .say(&entry.detail)
                    .put("<br>");
                s.put("&#149; <b>").a_with(P::List, "", &entry.href, "resumo em português").put("</b>");
                if let Some(pdf) = &entry.pdf {
                    s.put(" | ").a_with(P::List, "", pdf, "texto em pdf");
                }
                s.put("</p>\n");
            }
        }
        Coletanea::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

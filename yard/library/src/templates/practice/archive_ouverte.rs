//! Practice: a French open archive: abstract first, structures as numbered boxes, keywords without signs between them.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::FR;

pub(super) struct ArchiveOuverte;

static FACTS: Facts = Facts {
    publisher: "Archive ouverte pluridisciplinaire",
    words: &FR,
    keywords: true,
    paths: Paths {
        journal: "/REVUE/{j}",
        volume: "/REVUE/{j}/v{v}",
        issue: "/REVUE/{j}/v{v}n{i}",
        article: "/hal-{n}v1",
        book: "/hal-{n}",
        chapter: "/hal-ch{n}",
    },
};

const STYLE: &str = "body{font-family:Lato,sans-serif}.structs{font-size:13px;color:#555}.kw{background:#eef;border-radius:3px;padding:2px 6px;margin:2px}";

impl ArchiveOuverte {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"auteurs-ligne\">");
        s.each(authors, " , ", |s, a| {
            s.put("<span>").author(a);
            if let Some(mark) = a.mark {
                s.put(" (<sup>").put(&mark.to_string()).put("</sup>)");
            }
            s.put("</span>")
        });
        s.put("</div>\n");
        if !places.is_empty() {
            s.put("<div class=\"structs\">");
            for (n, place) in places.iter().enumerate() {
                s.put(&format!("<div><span>{}</span> <strong>", n + 1)).affiliation(place).put("</strong></div>\n");
            }
            s.put("</div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<p>");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put(" ");
        }
        s.put("</p>\n");
    }
}

impl Template for ArchiveOuverte {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"wrapper\"><div class=\"bandeau\"><b>")
            .say(at.publisher)
            .put("</b></div>\n<div class=\"onglets\">");
        s.row(P::Menu, &at.menu, "\n").put("</div>\n");
        if !at.crumbs.is_empty() {
            s.put("<div>Vous êtes ici : ").row(P::Menu, &at.crumbs, " → ").put("</div>\n");
        }
        s.put("<div class=\"corps-page\">\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div>\n<div class=\"colonne\">");
        if !related.is_empty() {
            s.put("<h4>Documents proches</h4>\n")
                .each(related, "\n", |s, to| s.put("<p>").a(P::Related, to).put("</p>"))
                .put("\n");
        }
        s.put("<h4>Partenaires</h4><p>").row(P::Noise, &at.ads, "</p><p>").put("</p></div>\n<div class=\"bas\">");
        s.row(P::Menu, &at.foot, " ").put(" ").row(P::Noise, &at.legal, " ").put("</div></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        s.each(&v.authors, "", |s, a| s.meta("citation_author", &a.name));
        self.open(s, at);
        s.put("<div class=\"type\">Article dans une revue</div>\n<h1>").title(v.title).put("</h1>\n");
        ArchiveOuverte::people(s, &v.authors, v.affiliations);
        if !v.summary.is_empty() {
            s.put("<div class=\"bloc\"><h5>Résumé</h5><div>").summary(v.summary).put("</div></div>\n");
        }
        s.put("<div class=\"bloc\"><h5>Mots-clés</h5><div>");
        s.each(&v.keywords, "\n", |s, k| s.put("<span class=\"kw\">").keyword_link("", k).put("</span>"))
            .put("</div></div>\n");
        s.put("<div class=\"bloc\"><h5>Domaines</h5><div>");
        if let Some(subject) = &v.subject {
            s.a(P::Text, subject);
        }
        s.put("</div></div>\n<div class=\"bloc\"><h5>Fichier principal</h5>")
            .a_with(P::Text, "", &v.pdf, "article.pdf (1.02 Mo)")
            .put("</div>\n");
        s.put("<div class=\"bloc\"><h5>Dates et versions</h5>hal-")
            .put(&v.pages.0.to_string())
            .put(", version 1 (")
            .say(&v.date)
            .put(")</div>\n");
        s.put("<div class=\"bloc\"><h5>Citer</h5>")
            .each(&v.authors, ", ", |s, a| s.say(&a.name))
            .put(". ")
            .say(v.title)
            .put(". ");
        s.say(&v.journal.text)
            .put(&format!(", {}, {} ({}), pp.{}-{}.</div>\n", v.year, v.volume, v.number, v.pages.0, v.pages.1));
        ArchiveOuverte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"type\">")
            .put(if v.part_of.is_some() { "Chapitre d'ouvrage" } else { "Ouvrages" })
            .put("</div>\n<h1>");
        s.title(v.title).put("</h1>\n");
        ArchiveOuverte::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<p>Dans : ").a(P::Text, book).put(&format!(", {}, pp.{}-{}</p>\n", v.year, v.pages.0, v.pages.1));
        }
        s.put("<p>ISBN : ").say(&v.isbn).put("</p>\n");
        if let Some(about) = &v.about {
            s.put("<div class=\"bloc\"><h5>Présentation</h5><div>").say(about).put("</div></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"bloc\"><h5>Table des matières</h5><ul>")
                .items(P::List, &v.contents)
                .put("</ul></div>\n");
        }
        ArchiveOuverte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h4>").say(heading).put("</h4><table class=\"results\">\n");
            for entry in entries {
                s.put("<tr><td><input type=\"checkbox\"></td><td><strong>").a_with(
                    P::List,
                    "",
                    &entry.href,
                    &entry.title,
                );
                s.put("</strong><br><span>").say(&entry.by).put("</span><br>").say(&entry.detail).put("</td></tr>\n");
            }
            s.put("</table>\n");
        }
        ArchiveOuverte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 6: a French portal of the humanities: the abstract folded away in `<details>`, affiliations after the text.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::FR;

pub(super) struct Revues;

static FACTS: Facts = Facts {
    publisher: "Revues ouvertes",
    words: &FR,
    keywords: true,
    paths: Paths {
        journal: "/revue-{j}.htm",
        volume: "/revue-{j}-{y}.htm",
        issue: "/revue-{j}-{y}-{i}.htm",
        article: "/revue-{j}-{y}-{i}-page-{p}.htm",
        book: "/livre-{n}.htm",
        chapter: "/livre-{j}-chapitre-{n}.htm",
    },
};

const STYLE: &str = "body{font:18px/1.6 Garamond,Georgia,serif;margin:0;background:#fbfaf7}#navbar{border-bottom:3px solid #a33;padding:10px 30px;\
font-family:sans-serif;font-size:14px}#navbar ul{display:inline;padding:0}#navbar li{display:inline;margin-right:16px}\
#page{max-width:780px;margin:auto;padding:20px}.surtitre{color:#a33;font-variant:small-caps}.auteurs{font-size:20px}\
summary{font-weight:bold;cursor:pointer}.sib{display:flex;justify-content:space-between;font-size:14px}.pied{font-size:13px;color:#777;\
padding:20px 30px;border-top:1px solid #ccc}";

impl Revues {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"sib\"><span>");
        if let Some(to) = previous {
            s.put("← ").a(P::Sequence, to);
        }
        s.put("</span><span>");
        if let Some(to) = next {
            s.a(P::Sequence, to).put(" →");
        }
        s.put("</span></div>\n");
    }

    fn who(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        if affiliations.is_empty() {
            return;
        }
        s.put("<div class=\"notes-auteurs\"><h3>Auteurs</h3>\n");
        for author in authors {
            s.put("<p class=\"notice\"><b>").say(&author.name).put("</b><br>");
            if let Some(place) = author.mark.and_then(|mark| affiliations.get(mark - 1)) {
                s.put("<span>").affiliation(place).put("</span>");
            }
            s.put("</p>\n");
        }
        s.put("</div>\n");
    }
}

impl Template for Revues {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"navbar\"><strong>")
            .say(at.publisher)
            .put("</strong> <ul>")
            .items(P::Menu, &at.menu);
        s.put("</ul></div>\n<div id=\"page\">\n");
        if !at.crumbs.is_empty() {
            s.put("<p class=\"fil\">").row(P::Menu, &at.crumbs, " › ").put("</p>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"voir-aussi\"><h2>").say(at.words.related).put("</h2>\n");
            s.each(related, "\n", |s, to| s.put("<p>").a(P::Related, to).put("</p>")).put("</div>\n");
        }
        s.put("<div class=\"encart\"><em>").say(at.words.advertisement).put("</em><br>").row(P::Noise, &at.ads, "<br>");
        s.put("</div>\n</div>\n<div class=\"pied\">").row(P::Menu, &at.foot, " – ").put("<br>").row(
            P::Noise,
            &at.legal,
            " – ",
        );
        s.put("</div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("dc.title", v.title).meta("dc.language", v.language);
        s.each(&v.authors, "", |s, a| s.meta("dc.creator", &a.name));
        self.open(s, at);
        Revues::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("<p class=\"surtitre\">").a(P::Text, &v.journal).put(" ").put(&v.year.to_string()).put("/");
        s.put(&v.number.to_string())
            .put("</p>\n<h1 class=\"titre\">")
            .title(v.title)
            .put("</h1>\n<ul class=\"auteurs\">");
        s.each(&v.authors, "", |s, a| s.put("<li>").author(a).put("</li>")).put("</ul>\n");
        s.put(&format!("<p class=\"info\">{} {} à {}</p>\n", at.words.pages, v.pages.0, v.pages.1));
        if !v.summary.is_empty() {
            s.put("<details><summary>").say(at.words.summary).put("</summary>\n<div class=\"corps\">");
            s.summary_in(v.summary, 5, "<p>", "</p>").put("</div></details>\n");
        }
        s.put("<div class=\"mots\"><b>")
            .say(at.words.keywords)
            .put(" : </b>")
            .each(&v.keywords, ", ", |s, k| s.keyword_link("", k));
        s.put("</div>\n<h2>").say(at.words.introduction).put("</h2>\n");
        s.each(&v.text, "\n", |s, text| s.put("<p class=\"para\">").say(text).put("</p>"))
            .put("\n<h2>")
            .say(at.words.references);
        s.put("</h2>\n").each(&v.references, "\n", |s, line| s.put("<p class=\"biblio\">").say(line).put("</p>"));
        Revues::who(s, &v.authors, v.affiliations);
        s.put("<p>").say(at.words.published).put(" ").say(&v.date).put(" · ").a_with(
            P::Text,
            "",
            &v.pdf,
            "Télécharger (PDF)",
        );
        s.put("</p>\n");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        Revues::turn(s, v.previous.as_ref(), v.next.as_ref());
        if let Some(book) = &v.part_of {
            s.put("<p class=\"surtitre\">").a(P::Text, book).put(&format!(" ({})</p>\n", v.year));
        }
        s.put("<h1 class=\"titre\">").title(v.title).put("</h1>\n<ul class=\"auteurs\">");
        s.each(&v.authors, "", |s, a| s.put("<li>").author(a).put("</li>")).put("</ul>\n<p class=\"info\">");
        s.put(&format!("{} {} à {} · ISBN {}</p>\n", at.words.pages, v.pages.0, v.pages.1, v.isbn));
        if let Some(about) = &v.about {
            s.put("<details><summary>")
                .say(at.words.about_book)
                .put("</summary><p>")
                .say(about)
                .put("</p></details>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>").say(at.words.contents).put("</h2>\n");
            s.each(&v.contents, "\n", |s, to| s.put("<p class=\"entree\">").a(P::List, to).put("</p>")).put("\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<p>").say(at.words.subject).put(" : ").a(P::Text, subject).put("</p>\n");
        }
        Revues::who(s, &v.authors, v.affiliations);
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        Revues::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("<h1>").say(&v.heading).put("</h1>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<p class=\"entree\"><span class=\"auteur\">").say(&entry.by).put("</span> <br>");
                s.a_with(P::List, "class=\"lien\"", &entry.href, &entry.title)
                    .put("<br><small>")
                    .say(&entry.detail)
                    .put("</small>");
                if !entry.snippet.is_empty() {
                    s.put(" ").a_with(P::List, "", &entry.href, "Résumé");
                }
                s.put("</p>\n");
            }
        }
        self.close(s, at, &[]);
    }
}

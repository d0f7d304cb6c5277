//! Template 12: a repository in Portuguese: the whole record is one table of names and values.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::PT;

pub(super) struct Repositorio;

static FACTS: Facts = Facts {
    publisher: "Repositório Atlântico",
    words: &PT,
    keywords: true,
    paths: Paths {
        journal: "/jspui/community/{j}",
        volume: "/jspui/community/{j}/{v}",
        issue: "/jspui/collection/{j}/{v}/{i}",
        article: "/jspui/handle/123456789/{n}",
        book: "/jspui/handle/123456780/{n}",
        chapter: "/jspui/handle/123456781/{n}",
    },
};

const STYLE: &str = "body{font:14px Helvetica,Arial,sans-serif;margin:0}.navbar{background:#222;padding:14px}.navbar a{color:#eee;margin:0 10px}\
.container{width:970px;margin:auto;padding:10px}table.itemDisplayTable{width:100%;border-spacing:8px}td.metadataFieldLabel{width:180px;\
font-weight:bold;text-align:right;color:#555;vertical-align:top}.panel{border:1px solid #bce8f1;margin:10px 0;padding:10px}footer{background:#eee;padding:14px}";

impl Repositorio {
    fn row(s: &mut Sheet, label: &str) {
        s.put("<tr><td class=\"metadataFieldLabel\">").say(label).put(":&nbsp;</td><td class=\"metadataFieldValue\">");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"pager\" align=\"center\">");
        for to in [previous, next].into_iter().flatten() {
            s.a_with(P::Sequence, "class=\"btn btn-default\"", &to.href, &to.text).put(" ");
        }
        s.put("</div>\n");
    }
}

impl Template for Repositorio {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body><header class=\"navbar\">")
            .row(P::Menu, &at.menu, "")
            .put("</header>\n<div class=\"container\">");
        if !at.crumbs.is_empty() {
            s.put("<ol class=\"breadcrumb btn-success\">").items(P::Menu, &at.crumbs).put("</ol>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"panel panel-info\"><div class=\"panel-heading\">").say(at.words.related).put("</div>");
            s.row(P::Related, related, "<br>\n").put("</div>\n");
        }
        s.put("<div class=\"panel\">").row(P::Noise, &at.ads, " &bull; ").put("</div>\n</div>\n<footer>");
        s.row(P::Menu, &at.foot, " | ").put("<p class=\"text-muted\">").row(P::Noise, &at.legal, " | ");
        s.put("</p></footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"well\">Use este identificador para citar ou linkar para este item: <code>").say(&v.doi);
        s.put("</code></div>\n<table class=\"table itemDisplayTable\">\n");
        Repositorio::row(s, "Título");
        s.title(v.title).put("</td></tr>\n");
        Repositorio::row(s, at.words.authors);
        s.each(&v.authors, "<br>", |s, a| s.author(a)).put("</td></tr>\n");
        if !v.affiliations.is_empty() {
            Repositorio::row(s, at.words.affiliations);
            s.each(v.affiliations, "<br>", |s, place| s.affiliation(place)).put("</td></tr>\n");
        }
        Repositorio::row(s, at.words.keywords);
        s.each(&v.keywords, "<br>", |s, k| s.keyword(&k.name)).put("</td></tr>\n");
        Repositorio::row(s, "Data do documento");
        s.say(&v.date).put("</td></tr>\n");
        Repositorio::row(s, "Citação");
        s.say(&v.journal.text).put(&format!(", v. {}, n. {}, p. {}-{}", v.volume, v.number, v.pages.0, v.pages.1));
        s.put("</td></tr>\n");
        if !v.summary.is_empty() {
            Repositorio::row(s, at.words.summary);
            s.summary(v.summary).put("</td></tr>\n");
        }
        Repositorio::row(s, "Aparece nas coleções");
        s.a(P::Text, &v.issue)
            .put("</td></tr></table>\n<div class=\"panel panel-info\">Arquivos associados a este item:<br>");
        s.a_with(P::Text, "", &v.pdf, "Visualizar/Abrir").put("</div>\n");
        Repositorio::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<table class=\"table itemDisplayTable\">\n");
        Repositorio::row(s, "Título");
        s.title(v.title).put("</td></tr>\n");
        Repositorio::row(s, at.words.authors);
        s.each(&v.authors, "<br>", |s, a| s.author(a)).put("</td></tr>\n");
        if let Some(book) = &v.part_of {
            Repositorio::row(s, at.words.chapter_of);
            s.a(P::Text, book).put("</td></tr>\n");
        }
        for (label, value) in [("Editora", at.publisher), ("ISBN", &v.isbn), ("Tipo", "Livro")] {
            Repositorio::row(s, label);
            s.say(value).put("</td></tr>\n");
        }
        if let Some(about) = &v.about {
            Repositorio::row(s, at.words.about_book);
            s.say(about).put("</td></tr>\n");
        }
        if let Some(subject) = &v.subject {
            Repositorio::row(s, at.words.subject);
            s.a(P::Text, subject).put("</td></tr>\n");
        }
        s.put("</table>\n");
        if !v.contents.is_empty() {
            s.put("<h4>").say(at.words.contents).put("</h4><ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        Repositorio::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h2>").say(&v.heading).put("</h2><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h4>")
                .say(heading)
                .put("</h4>\n<table class=\"table table-hover\"><tr><th>Data / Fonte</th><th>Título</th>");
            s.put("<th>Autor(es)</th></tr>\n");
            for entry in entries {
                s.put("<tr><td headers=\"t1\">").say(&entry.detail).put("</td><td headers=\"t2\"><strong>");
                s.a_with(P::List, "", &entry.href, &entry.title)
                    .put("</strong></td><td headers=\"t3\"><em>")
                    .say(&entry.by);
                s.put("</em></td></tr>\n");
            }
            s.put("</table>\n");
        }
        Repositorio::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

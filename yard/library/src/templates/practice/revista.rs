//! Practice: a Spanish faculty on the older release of the usual open software: what authors are is told in a box beside the text.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::ES;

pub(super) struct Revista;

static FACTS: Facts = Facts {
    publisher: "Portal de revistas de la Facultad",
    words: &ES,
    keywords: true,
    paths: Paths {
        journal: "/ojs/index.php/{j}/index",
        volume: "/ojs/index.php/{j}/issue/archive?volumen={v}",
        issue: "/ojs/index.php/{j}/issue/view/{v}{i}/showToc",
        article: "/ojs/index.php/{j}/article/view/{n}/{p}",
        book: "/ojs/index.php/libros/catalogo/{n}",
        chapter: "/ojs/index.php/libros/{j}/cap/{n}",
    },
};

const STYLE: &str = "body{font:13px Verdana,sans-serif;text-align:center}#container{text-align:left;width:1000px;margin:auto}#rightSidebar{float:right;\
width:190px}#navbar li{display:inline;padding-right:10px}#breadcrumb{font-size:11px}#authorString{margin:10px 0}";

impl Revista {
    fn beside(s: &mut Sheet, at: &Place, authors: &[Person], places: &[String]) {
        s.put("<div id=\"rightSidebar\"><div class=\"block\"><span class=\"blockTitle\">Usuario/a</span>Nombre de usuario</div>\n");
        if !places.is_empty() {
            s.put(
                "<div class=\"block\" id=\"sidebarRTAuthorBios\"><span class=\"blockTitle\">Sobre los autores</span>\n",
            );
            for author in authors {
                s.put("<p><em>").say(&author.name).put("</em><br />\n");
                if let Some(place) = author.mark.and_then(|mark| places.get(mark - 1)) {
                    s.affiliation(place);
                }
                s.put("</p>\n");
            }
            s.put("</div>\n");
        }
        s.put("<div class=\"block\"><span class=\"blockTitle\">").say(at.words.advertisement).put("</span>");
        s.row(P::Noise, &at.ads, "<br />").put("</div></div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<p class=\"paginacion\">");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put(" &nbsp; ");
        }
        s.put("</p>\n");
    }
}

impl Template for Revista {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"container\"><div id=\"header\"><div id=\"headerTitle\"><h1>")
            .say(at.publisher);
        s.put("</h1></div></div>\n<div id=\"navbar\"><ul class=\"menu\">")
            .items(P::Menu, &at.menu)
            .put("</ul></div>\n");
        if !at.crumbs.is_empty() {
            s.put("<div id=\"breadcrumb\">").row(P::Menu, &at.crumbs, " &gt; ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div id=\"relatedItems\"><h4>").say(at.words.related).put("</h4><ul>").items(P::Related, related);
            s.put("</ul></div>\n");
        }
        s.put("<div id=\"pageFooter\">").row(P::Menu, &at.foot, " | ").put(" | ").row(P::Noise, &at.legal, " | ");
        s.put("</div></div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        Revista::beside(s, at, &v.authors, v.affiliations);
        s.put("<div id=\"content\"><h2>")
            .say(&v.journal.text)
            .put(&format!(", Vol {}, Núm {} ({})</h2>\n", v.volume, v.number, v.year));
        s.put("<div id=\"articleTitle\"><h3>").title(v.title).put("</h3></div>\n<div id=\"authorString\"><em>");
        s.each(&v.authors, ", ", |s, a| {
            s.blocks.authors.push(a.name.clone());
            s.say(&a.name)
        });
        s.put("</em></div>\n<br />\n");
        if !v.summary.is_empty() {
            s.put("<div id=\"articleAbstract\"><h4>")
                .say(at.words.summary)
                .put("</h4><br /><div><p>")
                .summary(v.summary);
            s.put("</p></div></div>\n");
        }
        s.put("<div id=\"articleSubject\"><h4>").say(at.words.keywords).put("</h4><br /><div>");
        s.each(&v.keywords, "; ", |s, k| s.keyword(&k.name)).put("</div></div><br />\n");
        s.put("<div id=\"articleFullText\"><h4>").say(at.words.full_text).put("</h4>");
        s.a_with(P::Text, "class=\"file\"", &v.pdf, "PDF").put("</div>\n<div id=\"articleCitations\"><h4>");
        s.say(at.words.references).put("</h4><br /><div>");
        s.each(&v.references, "", |s, line| s.put("<p>").say(line).put("</p>\n")).put("</div></div>\n");
        s.put("<p>DOI: https://doi.org/").say(&v.doi).put("</p>\n");
        Revista::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</div>\n");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div id=\"content\"><h2>Catálogo de libros</h2>\n<h3>").title(v.title).put("</h3>\n<p><em>");
        s.each(&v.authors, ", ", |s, a| s.author(a)).put("</em></p>\n");
        if let Some(book) = &v.part_of {
            s.put("<p>").say(at.words.chapter_of).put(": ").a(P::Text, book).put("</p>\n");
        }
        if let Some(about) = &v.about {
            s.put("<h4>").say(at.words.about_book).put("</h4><p>").say(about).put("</p>\n");
        }
        s.put(&format!("<p>ISBN: {}<br />Año: {}<br />Páginas: {}-{}</p>\n", v.isbn, v.year, v.pages.0, v.pages.1));
        if !v.contents.is_empty() {
            s.put("<h4>").say(at.words.contents).put("</h4>\n<ol>").items(P::List, &v.contents).put("</ol>\n");
        }
        Revista::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</div>\n");
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        Revista::beside(s, at, &[], &[]);
        s.put("<div id=\"content\"><h2>").say(&v.heading).put("</h2>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h4 class=\"tocSectionTitle\">").say(heading).put("</h4>\n");
            for entry in entries {
                s.put("<table class=\"tocArticle\" width=\"100%\"><tr><td class=\"tocTitle\">");
                s.a_with(P::List, "", &entry.href, &entry.title).put("</td><td class=\"tocGalleys\">");
                if let Some(pdf) = &entry.pdf {
                    s.a_with(P::List, "class=\"file\"", pdf, "PDF");
                }
                s.put("</td></tr><tr><td class=\"tocAuthors\">").say(&entry.by).put("</td><td class=\"tocPages\">");
                s.say(&entry.detail).put("</td></tr></table>\n");
            }
        }
        Revista::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</div>\n");
        self.close(s, at, &[]);
    }
}

//! Template 5: a German open access house on the usual open software: each author with the affiliation, Dublin Core.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::DE;

pub(super) struct OffeneHefte;

static FACTS: Facts = Facts {
    publisher: "Offene Hefte",
    words: &DE,
    keywords: true,
    paths: Paths {
        journal: "/index.php/{j}",
        volume: "/index.php/{j}/issue/archive/{v}",
        issue: "/index.php/{j}/issue/view/{v}0{i}",
        article: "/index.php/{j}/article/view/{n}",
        book: "/omp/index.php/verlag/catalog/book/{n}",
        chapter: "/omp/index.php/verlag/catalog/book/{j}/chapter/{n}",
    },
};

const STYLE: &str = "body{font:16px/1.5 'Noto Sans',sans-serif;margin:0}.pkp_structure_head{background:#1e6292;color:#fff;padding:20px}\
.pkp_structure_head a{color:#fff}.pkp_navigation_primary{list-style:none;display:flex;gap:20px;padding:0}\
.pkp_structure_content{display:flex;max-width:1160px;margin:auto}.pkp_structure_main{flex:3;padding:24px}.pkp_structure_sidebar{flex:1;\
padding:24px;border-left:1px solid #ddd}.authors{list-style:none;padding:0}.authors .name{font-weight:bold;display:block}\
.item .label{font-size:18px}.obj_article_summary{margin:20px 0}.pkp_structure_footer{background:#ddd;padding:24px}";

impl OffeneHefte {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<section class=\"item authors\"><h2 class=\"pkp_screen_reader\">")
            .say(DE.authors)
            .put("</h2>\n<ul class=\"authors\">");
        for author in authors {
            s.put("<li><span class=\"name\">").author(author).put("</span>");
            if let Some(place) = author.mark.and_then(|mark| affiliations.get(mark - 1)) {
                s.put("<span class=\"affiliation\">").affiliation(place).put("</span>");
            }
            s.put("</li>\n");
        }
        s.put("</ul></section>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"cmp_pagination\">");
        for (to, class) in [(previous, "class=\"prev\""), (next, "class=\"next\"")] {
            if let Some(to) = to {
                s.a_with(P::Sequence, class, &to.href, &to.text).put(" ");
            }
        }
        s.put("</div>\n");
    }
}

impl Template for OffeneHefte {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body class=\"pkp_page_article\"><header class=\"pkp_structure_head\"><div class=\"pkp_site_name\">");
        s.say(at.publisher).put("</div><nav><ul class=\"pkp_navigation_primary\">").items(P::Menu, &at.menu);
        s.put("</ul></nav></header>\n<div class=\"pkp_structure_content\"><main class=\"pkp_structure_main\">\n");
        if !at.crumbs.is_empty() {
            s.put("<nav class=\"cmp_breadcrumbs\" role=\"navigation\"><ol>")
                .items(P::Menu, &at.crumbs)
                .put("</ol></nav>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div id=\"articlesBySimilarityList\"><h3>").say(at.words.related).put("</h3><ul>");
            s.items(P::Related, related).put("</ul></div>\n");
        }
        s.put("</main>\n<div class=\"pkp_structure_sidebar\"><div class=\"pkp_block block_information\"><h2>Informationen</h2><ul>");
        s.items(P::Menu, &at.foot).put("</ul></div><div class=\"pkp_block block_custom\"><span class=\"title\">");
        s.say(at.words.advertisement)
            .put("</span><p>")
            .row(P::Noise, &at.ads, "</p><p>")
            .put("</p></div></div></div>\n");
        s.put("<div class=\"pkp_structure_footer\">ISSN 0000-0000 · ").row(P::Noise, &at.legal, " · ");
        s.put("</div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).dublin_core(v);
        self.open(s, at);
        s.put("<article class=\"obj_article_details\">\n<h1 class=\"page_title\">").title(v.title).put("</h1>\n");
        OffeneHefte::people(s, &v.authors, v.affiliations);
        s.put("<section class=\"item doi\"><h2 class=\"label\">DOI:</h2><span class=\"value\">https://doi.org/")
            .say(&v.doi);
        s.put("</span></section>\n<section class=\"item keywords\"><h2 class=\"label\">").say(at.words.keywords);
        s.put(":</h2><p class=\"value\">").each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put("</p></section>\n");
        if !v.summary.is_empty() {
            s.put("<section class=\"item abstract\"><h2 class=\"label\">").say(at.words.summary).put("</h2>\n<p>");
            s.summary(v.summary).put("</p></section>\n");
        }
        s.put("<div class=\"item galleys\"><ul class=\"value galleys_links\"><li>");
        s.a_with(P::Text, "class=\"obj_galley_link pdf\"", &v.pdf, "PDF").put("</li></ul></div>\n");
        s.put("<div class=\"item published\"><h2 class=\"label\">").say(at.words.published).put("</h2>").say(&v.date);
        s.put("</div>\n<div class=\"item issue\"><h2 class=\"label\">Ausgabe</h2>")
            .a(P::Text, &v.issue)
            .put("</div>\n");
        if let Some(subject) = &v.subject {
            s.put("<div class=\"item section\"><h2 class=\"label\">Rubrik</h2>").a(P::Text, subject).put("</div>\n");
        }
        s.put("<section class=\"item references\"><h2 class=\"label\">Literaturhinweise</h2><div class=\"value\">");
        s.each(&v.references, "\n", |s, line| s.put("<p>").say(line).put("</p>")).put("</div></section>\n</article>\n");
        OffeneHefte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).meta("DC.Title", v.title).meta("DC.Type", "book");
        self.open(s, at);
        s.put("<div class=\"obj_monograph_full\"><h1 class=\"title\">").title(v.title).put("</h1>\n");
        OffeneHefte::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"item\"><h2 class=\"label\">").say(at.words.chapter_of).put("</h2>").a(P::Text, book);
            s.put("</div>\n");
        }
        if let Some(about) = &v.about {
            s.put("<div class=\"item synopsis\"><h2 class=\"label\">Klappentext</h2><p>")
                .say(about)
                .put("</p></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"item chapters\"><h2 class=\"label\">Kapitel</h2><ul>");
            s.items(P::List, &v.contents).put("</ul></div>\n");
        }
        s.put("<div class=\"item\"><h2 class=\"label\">ISBN</h2>").say(&v.isbn);
        s.put(&format!("</div><div class=\"item\"><h2 class=\"label\">Erscheinungsjahr</h2>{}</div></div>\n", v.year));
        OffeneHefte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>")
            .say(&v.heading)
            .put("</h1>\n<div class=\"description\">")
            .say(&v.intro)
            .put("</div>\n<div class=\"sections\">");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"section\"><h2>").say(heading).put("</h2><ul class=\"cmp_article_list\">\n");
            for entry in entries {
                s.put("<li><div class=\"obj_article_summary\"><h3 class=\"title\">");
                s.a_with(P::List, "", &entry.href, &entry.title)
                    .put("</h3><div class=\"meta\"><div class=\"authors\">");
                s.say(&entry.by).put("</div><div class=\"pages\">").say(&entry.detail).put("</div></div>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<ul class=\"galleys_links\"><li>").a_with(P::List, "", pdf, "PDF").put("</li></ul>");
                }
                s.put("</div></li>\n");
            }
            s.put("</ul></div>\n");
        }
        s.put("</div>\n");
        OffeneHefte::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

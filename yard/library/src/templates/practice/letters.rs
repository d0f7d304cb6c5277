//! Practice: a large old house: names that open a box with the place of work, the abstract in a section, keywords in a fold at the end.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Letters;

static FACTS: Facts = Facts {
    publisher: "House of Letters Online",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/journal/{j}",
        volume: "/loi/{j}/year/{v}",
        issue: "/toc/{j}/{v}/{i}",
        article: "/doi/10.5555/{j}.{n}",
        book: "/doi/book/10.5555/{n}",
        chapter: "/doi/10.5555/{j}.ch{n}",
    },
};

const STYLE: &str = "body{font:16px 'Open Sans',sans-serif}.rlist{list-style:none}.accordion-tabbed__tab-mobile{display:inline-block}.author-info{display:none}";

impl Letters {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"loa-wrapper loa-authors\"><div class=\"accordion-tabbed\">");
        for (n, author) in authors.iter().enumerate() {
            s.put("<div class=\"accordion-tabbed__tab-mobile accordion__closed\">");
            match &author.href {
                Some(href) => s
                    .a_open(P::Authors, "class=\"author-name\"", href)
                    .put("<span>")
                    .say(&author.name)
                    .put("</span></a>"),
                None => s.put("<span class=\"author-name\"><span>").say(&author.name).put("</span></span>"),
            };
            s.blocks.authors.push(author.name.clone());
            s.put("<div class=\"author-info accordion-tabbed__content\"><p class=\"author-name\">")
                .say(&author.name)
                .put("</p>");
            if let Some(place) = author.mark.and_then(|mark| places.get(mark - 1)) {
                s.put("<p class=\"author-type\"></p><p>").affiliation(place).put("</p>");
            }
            if n == 0 {
                s.put("<p><b>Correspondence</b><br>")
                    .say(&author.name)
                    .put("</p><p>Contribution: Conceptualization (lead), Writing – review &amp; editing (equal)</p>");
            }
            s.put("<p class=\"moreInfoLink\">Search for more papers by this author</p></div></div>\n");
        }
        s.put("</div></div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"content-navigation\">");
        for to in [previous, next].into_iter().flatten() {
            s.a_open(P::Sequence, "", &to.href).put("<span>").say(&to.text).put("</span></a>");
        }
        s.put("</div>\n");
    }
}

impl Template for Letters {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body class=\"pb-ui\"><div class=\"pb-page-content\"><header id=\"pb-page-header\"><ul class=\"rlist\">").items(P::Menu, &at.menu);
        s.put("</ul></header>\n<main id=\"main-content\" class=\"content\">");
        if !at.crumbs.is_empty() {
            s.put("<nav class=\"article__breadcrumbs\">").row(P::Menu, &at.crumbs, "\n").put("</nav>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<section class=\"recommended\"><h2>Recommended</h2><ul class=\"rlist\">")
                .items(P::Related, related)
                .put("</ul></section>\n");
        }
        s.put("</main><div class=\"advert-wrap\">")
            .row(P::Noise, &at.ads, " ")
            .put("</div><footer><h4>About us</h4><ul>");
        s.items(P::Menu, &at.foot)
            .put("</ul><ul>")
            .items(P::Noise, &at.legal)
            .put("</ul></footer></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v).open_graph("article", v.title, v.summary);
        self.open(s, at);
        s.put("<article><div class=\"citation\"><span class=\"primary-heading\">RESEARCH ARTICLE</span>\n<h1 class=\"citation__title\">").title(v.title).put("</h1>\n");
        Letters::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"epub-section\">First published: <span class=\"epub-date\">")
            .say(&v.date)
            .put("</span></div><div>https://doi.org/")
            .say(&v.doi);
        s.put("</div></div>\n<div class=\"pdf-links\">")
            .a_with(P::Text, "class=\"coolBar__ctrl\"", &v.pdf, "PDF")
            .put("</div>\n");
        if !v.summary.is_empty() {
            s.put("<section class=\"article-section article-section__abstract\"><h2 class=\"article-section__header\">Abstract</h2>");
            s.put("<div class=\"article-section__content\">")
                .summary_in(v.summary, 3, "<p>", "</p>")
                .put("</div></section>\n");
        }
        s.put("<section class=\"article-section\"><h2>1 INTRODUCTION</h2>")
            .each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>"));
        s.put("</section>\n<section class=\"article-section\"><h2>REFERENCES</h2><ul class=\"rlist separator\">");
        s.each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>")).put("</ul></section>\n");
        s.put("<section class=\"keywords\"><strong>KEYWORDS</strong> <ul class=\"rlist rlist--inline\">");
        s.each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("class=\"badge-type\"", k).put("</li>"))
            .put("</ul></section></article>\n");
        Letters::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"citation\"><span class=\"primary-heading\">Chapter ")
                .put(&(v.pages.0 / 23 + 1).to_string())
                .put("</span><p>")
                .a(P::Text, book)
                .put("</p>");
        } else {
            s.put("<div class=\"citation\"><span class=\"primary-heading\">Book</span>");
        }
        s.put("<h1 class=\"citation__title\">").title(v.title).put("</h1>\n");
        Letters::people(s, &v.authors, v.affiliations);
        s.put(&format!(
            "<div>First published: {}</div><div>Print ISBN:{} | Online ISBN:{}</div></div>\n",
            v.year, v.isbn, v.isbn
        ));
        if let Some(about) = &v.about {
            s.put("<section><h2>About this Book</h2><p>").say(about).put("</p></section>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>Table of Contents</h2>\n").each(&v.contents, "\n", |s, to| {
                s.put("<div class=\"issue-item\">")
                    .a_open(P::List, "", &to.href)
                    .put("<h2>")
                    .say(&to.text)
                    .put("</h2></a></div>")
            });
        }
        Letters::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"cover-image\"><h1>")
            .say(&v.heading)
            .put("</h1><div>")
            .say(&v.intro)
            .put("</div></div>\n<div class=\"table-of-content\">");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"issue-items-container\"><h3>").say(heading).put("</h3>\n");
            for entry in entries {
                s.put("<div class=\"issue-item\">")
                    .a_open(P::List, "class=\"issue-item__title visitable\"", &entry.href)
                    .put("<h2>")
                    .say(&entry.title)
                    .put("</h2></a>");
                s.put("<ul class=\"rlist--inline loa\"><li>")
                    .say(&entry.by)
                    .put("</li></ul><ul><li>")
                    .say(&entry.detail)
                    .put("</li></ul>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"content-item-format-links\">")
                        .a_with(P::List, "", &entry.href, "Abstract")
                        .put("</div>");
                }
                s.put("</div>\n");
            }
            s.put("</div>\n");
        }
        s.put("</div>\n");
        Letters::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

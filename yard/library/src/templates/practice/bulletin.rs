//! Practice: a small society on software for blogs: the whole masthead as paragraphs of one post, stars as marks.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::EN;

pub(super) struct Bulletin;

static FACTS: Facts = Facts {
    publisher: "The Society Bulletin",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/category/{j}/",
        volume: "/category/{j}/volume-{v}/",
        issue: "/category/{j}/volume-{v}/no-{i}/",
        article: "/{y}/0{i}/{s}-{n}/",
        book: "/publications/{s}-{n}/",
        chapter: "/publications/chapters/{n}/",
    },
};

const STYLE: &str = "body{font-family:Georgia,serif}.site-title{font-size:2em}.main-navigation li{display:inline;margin-right:1em}.entry-content p{margin:1em 0}";

impl Bulletin {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<nav class=\"navigation post-navigation\"><h2 class=\"screen-reader-text\">Post navigation</h2>");
        if let Some(to) = previous {
            s.put("<div class=\"nav-previous\">").a(P::Sequence, to).put("</div>");
        }
        if let Some(to) = next {
            s.put("<div class=\"nav-next\">").a(P::Sequence, to).put("</div>");
        }
        s.put("</nav>\n");
    }
}

impl Template for Bulletin {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body class=\"single single-post wp-embed-responsive\"><div id=\"page\" class=\"site\"><header id=\"masthead\" class=\"site-header\">");
        s.put("<p class=\"site-title\">")
            .say(at.publisher)
            .put("</p><nav class=\"main-navigation\"><ul>")
            .items(P::Menu, &at.menu)
            .put("</ul></nav></header>\n");
        s.put("<div id=\"content\" class=\"site-content\"><div id=\"primary\" class=\"content-area\">");
        if !at.crumbs.is_empty() {
            s.put("<p id=\"yoast\">").row(P::Menu, &at.crumbs, " » ").put("</p>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<div class=\"jp-relatedposts\"><h3><em>You may also like</em></h3>\n");
            s.each(related, "\n", |s, to| s.put("<p>").a(P::Related, to).put("</p>")).put("</div>\n");
        }
        s.put("</div>\n<aside id=\"secondary\" class=\"widget-area\"><section class=\"widget\"><h2>Support us</h2>")
            .row(P::Noise, &at.ads, "<br>");
        s.put("</section></aside></div>\n<footer id=\"colophon\" class=\"site-footer\">")
            .row(P::Menu, &at.foot, " &bull; ")
            .put(" &bull; ");
        s.row(P::Noise, &at.legal, " &bull; ").put(" &bull; Proudly published</footer></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).open_graph("article", v.title, v.summary);
        self.open(s, at);
        s.put("<article class=\"post hentry\"><header class=\"entry-header\"><h1 class=\"entry-title\">")
            .title(v.title)
            .put("</h1>");
        s.put("<div class=\"entry-meta\">Posted on <time>")
            .say(&v.date)
            .put("</time> by editor</div></header>\n<div class=\"entry-content\">\n<p><em>");
        let several = v.affiliations.len() > 1;
        s.each(&v.authors, ", ", |s, a| {
            s.author(a);
            match a.mark.filter(|_| several) {
                Some(n) => s.put("<sup>").put(&"*".repeat(n)).put("</sup>"),
                None => s,
            }
        });
        s.put("</em></p>\n");
        for (n, place) in v.affiliations.iter().enumerate() {
            s.put("<p>");
            if several {
                s.put("<sup>").put(&"*".repeat(n + 1)).put("</sup> ");
            }
            s.put("<em>").affiliation(place).put("</em></p>\n");
        }
        if !v.summary.is_empty() {
            s.put("<p><strong>Abstract.</strong> ").summary(v.summary).put("</p>\n");
        }
        s.put("<p><em>Key words:</em> ").each(&v.keywords, " · ", |s, k| s.keyword(&k.name)).put("</p>\n");
        s.each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>"))
            .put("\n<p><strong>Literature</strong></p>\n");
        s.each(&v.references, "\n", |s, line| s.put("<p>").say(line).put("</p>")).put("\n<p>");
        s.a_with(P::Text, "", &v.pdf, "Download this paper as PDF")
            .put("</p></div>\n<footer class=\"entry-footer\">Posted in ")
            .a(P::Text, &v.journal);
        s.put(", ").a(P::Text, &v.issue).put("</footer></article>\n");
        Bulletin::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<article class=\"page hentry\"><h1 class=\"entry-title\">")
            .title(v.title)
            .put("</h1><div class=\"entry-content\">\n<p><em>");
        s.each(&v.authors, ", ", |s, a| s.author(a)).put("</em></p>\n");
        s.each(v.affiliations, "\n", |s, place| s.put("<p><em>").affiliation(place).put("</em></p>"));
        if let Some(book) = &v.part_of {
            s.put("<p>From the volume ")
                .a(P::Text, book)
                .put(&format!(", pages {} to {}.</p>\n", v.pages.0, v.pages.1));
        }
        s.put(&format!(
            "<p>Publications of the Society, {}. {} pages. ISBN {}. Price on request.</p>\n",
            v.year, v.pages.1, v.isbn
        ));
        if let Some(about) = &v.about {
            s.put("<p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<p><strong>Contents</strong></p>\n<ul>").items(P::List, &v.contents).put("</ul>\n");
        }
        s.put("</div></article>\n");
        Bulletin::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<header class=\"page-header\"><h1 class=\"page-title\">")
            .say(&v.heading)
            .put("</h1><div>")
            .say(&v.intro)
            .put("</div></header>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n");
            for entry in entries {
                s.put("<article class=\"post hentry\"><h2 class=\"entry-title\">").a_with(
                    P::List,
                    "rel=\"bookmark\"",
                    &entry.href,
                    &entry.title,
                );
                s.put("</h2><div class=\"entry-meta\">").say(&entry.by).put(" | ").say(&entry.detail).put("</div>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"entry-summary\"><p>").say(&entry.snippet).put("&hellip; ");
                    s.a_with(P::List, "class=\"more-link\"", &entry.href, "Continue reading").put("</p></div>");
                }
                s.put("</article>\n");
            }
        }
        Bulletin::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

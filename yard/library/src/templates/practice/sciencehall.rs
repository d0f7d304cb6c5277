//! Practice: a publisher of the sciences: letters as marks, affiliations in a list of definitions, highlights before the abstract.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct ScienceHall;

static FACTS: Facts = Facts {
    publisher: "ScienceHall",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/science/journal/{j}",
        volume: "/science/journal/{j}/vol/{v}",
        issue: "/science/journal/{j}/vol/{v}/issue/{i}",
        article: "/science/article/pii/S{n}",
        book: "/science/book/{n}",
        chapter: "/science/article/pii/B{n}",
    },
};

const STYLE: &str = "body{font-family:NexusSans,Arial,sans-serif}.affiliation dt{float:left}.keyword{display:inline-block;margin-right:1em}";

fn letter(n: usize) -> char {
    char::from(b'a' + ((n - 1) % 26) as u8)
}

impl ScienceHall {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div class=\"Banner\"><div class=\"author-group\" id=\"author-group\"><span class=\"sr-only\">Author links open overlay panel</span>");
        s.each(authors, ", ", |s, a| {
            s.put("<button type=\"button\"><span class=\"react-xocs\">").author(a).put("</span> ");
            if let Some(mark) = a.mark.filter(|_| places.len() > 1) {
                s.put(&format!("<span class=\"author-ref\"><sup>{}</sup></span>", letter(mark)));
            }
            s.put("</button>")
        });
        for (n, place) in places.iter().enumerate() {
            s.put("<dl class=\"affiliation\">");
            if places.len() > 1 {
                s.put(&format!("<dt><sup>{}</sup></dt>", letter(n + 1)));
            }
            s.put("<dd>").affiliation(place).put("</dd></dl>\n");
        }
        s.put("</div></div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<ul class=\"issue-navigation\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("<li>").a(P::Sequence, to).put("</li>");
        }
        s.put("</ul>\n");
    }
}

impl Template for ScienceHall {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"app\"><div class=\"gh-wrapper\"><span>")
            .say(at.publisher)
            .put("</span><div class=\"gh-nav-cont\">");
        s.row(P::Menu, &at.menu, "").put("</div></div>\n<div class=\"article-wrapper\">\n");
        if !at.crumbs.is_empty() {
            s.put("<ul class=\"u-way\">").items(P::Menu, &at.crumbs).put("</ul>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div><div class=\"RelatedContent\"><aside><section class=\"SidePanel\">");
        if !related.is_empty() {
            s.put("<h2>Recommended articles</h2><div id=\"rec\"><ul>").items(P::Related, related).put("</ul></div>");
        }
        s.put("</section><section><h2>Article Metrics</h2></section></aside></div>\n<div class=\"gh-promo\">").row(
            P::Noise,
            &at.ads,
            "",
        );
        s.put("</div><footer role=\"contentinfo\">")
            .row(P::Menu, &at.foot, "")
            .row(P::Noise, &at.legal, "")
            .put("</footer></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v).property("og:type", "article").property("og:title", v.title);
        self.open(s, at);
        s.put("<article lang=\"en\"><div class=\"Publication\"><h2>")
            .a(P::Text, &v.journal)
            .put("</h2><div>")
            .a(P::Text, &v.issue);
        s.put(&format!(
            ", {}, Pages {}-{}</div></div>\n<h1 class=\"Head\"><span class=\"title-text\">",
            v.date, v.pages.0, v.pages.1
        ));
        s.title(v.title).put("</span></h1>\n");
        ScienceHall::people(s, &v.authors, v.affiliations);
        s.put("<p>Received 2 May, Revised 1 June, Accepted 3 July, Available online 9 July.</p><p>https://doi.org/")
            .say(&v.doi)
            .put("</p>\n");
        s.put("<div class=\"Abstracts\"><div class=\"abstract author-highlights\"><h2>Highlights</h2><ul><li>A first point of the work is made.</li>");
        s.put("<li>A second one follows from it.</li></ul></div>\n");
        if !v.summary.is_empty() {
            s.put("<div class=\"abstract author\"><h2>Abstract</h2><div id=\"abs0010\"><p>")
                .summary(v.summary)
                .put("</p></div></div>");
        }
        s.put("</div>\n<div class=\"Keywords\"><div class=\"keywords-section\"><h2>Keywords</h2>");
        s.each(&v.keywords, "", |s, k| s.put("<div class=\"keyword\"><span>").keyword(&k.name).put("</span></div>"))
            .put("</div></div>\n");
        s.put("<section><h2>1. Introduction</h2>").each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>"));
        s.put("</section>\n<section class=\"bibliography\"><h2>References</h2><dl>");
        s.each(&v.references, "", |s, line| s.put("<dt>[1]</dt><dd>").say(line).put("</dd>\n"))
            .put("</dl></section></article>\n");
        s.a_with(P::Text, "", &v.pdf, "View PDF").put("\n");
        ScienceHall::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"Publication\"><h2>")
                .a(P::Text, book)
                .put(&format!("</h2><div>{}, Pages {}-{}</div></div>\n", v.year, v.pages.0, v.pages.1));
        }
        s.put("<h1>").title(v.title).put("</h1>\n");
        ScienceHall::people(s, &v.authors, v.affiliations);
        if let Some(about) = &v.about {
            s.put("<section><h2>Book description</h2><p>").say(about).put("</p></section>\n");
        }
        if !v.contents.is_empty() {
            s.put("<section><h2>Table of contents</h2><ol class=\"toc\">");
            s.each(&v.contents, "\n", |s, to| s.put("<li><span>Book chapter</span> ").a(P::List, to).put("</li>"))
                .put("</ol></section>\n");
        }
        s.put("<dl class=\"details\"><dt>ISBN</dt><dd>")
            .say(&v.isbn)
            .put("</dd><dt>Copyright</dt><dd>")
            .put(&v.year.to_string())
            .put("</dd></dl>\n");
        ScienceHall::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n<ol class=\"article-list\">");
            for entry in entries {
                s.put("<li class=\"js-article-list-item\"><dl class=\"js-article\"><dt><span>Research article</span></dt><dt><h3>");
                s.a_open(P::List, "", &entry.href)
                    .put("<span class=\"js-article-title\">")
                    .say(&entry.title)
                    .put("</span></a></h3></dt><dd>");
                s.say(&entry.by).put("</dd><dd>").say(&entry.detail).put("</dd>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<dd>").a_with(P::List, "", pdf, "View PDF").put("</dd>");
                }
                s.put("</dl></li>\n");
            }
            s.put("</ol>\n");
        }
        ScienceHall::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

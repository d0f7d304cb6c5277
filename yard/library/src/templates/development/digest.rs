//! Template 7: an index of abstracts: no tags in the head, affiliations with their numbers in the list, keywords within the
//! abstract's section.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Digest;

static FACTS: Facts = Facts {
    publisher: "MedDigest",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/nlmcatalog/{j}",
        volume: "/nlmcatalog/{j}/{v}",
        issue: "/nlmcatalog/{j}/{v}/{i}",
        article: "/{n}",
        book: "/books/NBK{n}",
        chapter: "/books/{j}/NBK{n}",
    },
};

const STYLE: &str = "body{font-family:'Merriweather Sans',Arial;margin:0;color:#212121}.usa-banner{background:#20558a;padding:12px 24px}\
.usa-banner a{color:#fff;margin-right:20px}.article-page{display:grid;grid-template-columns:1fr 240px;max-width:1100px;margin:auto;gap:30px;\
padding:20px}.heading-title{font-size:24px;line-height:1.3}.authors-list{line-height:1.7}.affiliations ul{list-style:none;padding:0;\
font-size:13px}.abstract{font-family:Georgia;line-height:1.6}.docsum{border-bottom:1px solid #ddd;padding:12px 0}\
.docsum-journal-citation{color:#4d8055;font-size:14px}.ncbi-footer{background:#f1f1f1;padding:20px;font-size:13px}";

impl Digest {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"inline-authors\"><div class=\"authors-list\">");
        s.each(authors, "<span class=\"comma\">,&nbsp;</span>", |s, a| {
            s.put("<span class=\"authors-list-item\">").author(a);
            if let Some(mark) = a.mark.filter(|_| !affiliations.is_empty()) {
                let number = mark.to_string();
                s.put("<sup class=\"affiliation-links\">&nbsp;<a href=\"#affiliation-").put(&number).put("\">");
                s.put(&number).put("</a></sup>");
            }
            s.put("</span>")
        });
        s.put("</div></div>\n");
        if !affiliations.is_empty() {
            s.put("<div class=\"affiliations\"><h3 class=\"title\">Affiliations</h3><ul class=\"item-list\">");
            for (n, place) in affiliations.iter().enumerate() {
                let number = (n + 1).to_string();
                s.put("<li id=\"affiliation-").put(&number).put("\"><sup class=\"key\">").put(&number).put("</sup> ");
                s.affiliation(place).put("</li>\n");
            }
            s.put("</ul></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"adjacent-navigation\">");
        for (to, side, text) in [(previous, "left", "Prev"), (next, "right", "Next")] {
            if let Some(to) = to {
                s.put("<div class=\"").put(side).put("\">").a_with(P::Sequence, "", &to.href, text).put("</div>");
            }
        }
        s.put("</div>\n");
    }
}

impl Template for Digest {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body>\n<section class=\"usa-banner\">").row(P::Menu, &at.menu, "").put("</section>\n");
        s.put("<div class=\"article-page\"><main class=\"article-details\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"path\">").row(P::Menu, &at.crumbs, " &#187; ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put(
                "<div class=\"similar-articles\"><h2 class=\"title\">Similar articles</h2><ul class=\"articles-list\">",
            );
            for to in related {
                s.put("<li class=\"full-docsum\">").a_with(P::Related, "class=\"docsum-title\"", &to.href, &to.text);
                s.put("</li>\n");
            }
            s.put("</ul></div>\n");
        }
        s.put("</main>\n<div class=\"page-sidebar\"><div class=\"full-text-links\"><h3>Sponsored</h3><ul>");
        s.items(P::Noise, &at.ads).put("</ul></div></div></div>\n<footer class=\"ncbi-footer\">").row(
            P::Menu,
            &at.foot,
            " &nbsp; ",
        );
        s.put("<br>").row(P::Noise, &at.legal, " &nbsp; ").put("</footer></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<header class=\"heading\"><div class=\"article-citation\"><span class=\"publication-type\">Journal Article</span> ");
        s.a(P::Text, &v.journal).put(". ").say(&v.date).put("; ").a(P::Text, &v.issue);
        s.put(&format!(":{}-{}. doi: ", v.pages.0, v.pages.1)).say(&v.doi).put("</div>\n<h1 class=\"heading-title\">");
        s.title(v.title).put("</h1>\n");
        Digest::people(s, &v.authors, v.affiliations);
        s.put("</header>\n<div class=\"abstract\" id=\"abstract\">");
        if !v.summary.is_empty() {
            s.put("<h2 class=\"title\">Abstract</h2><div class=\"abstract-content selected\"><p>").summary(v.summary);
            s.put("</p></div>");
        }
        s.put("<p><strong class=\"sub-title\">Keywords:</strong> ").each(&v.keywords, "; ", |s, k| s.keyword(&k.name));
        s.put(".</p><p class=\"copyright\">© The Author(s).</p></div>\n");
        Digest::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<div class=\"bk_prnt\"><p class=\"bk_shelf\">Bookshelf. A service of ").say(at.publisher).put("</p>");
        if let Some(book) = &v.part_of {
            s.put("<p class=\"bk_cit\">")
                .a(P::Text, book)
                .put(&format!(". {}. p. {}-{}.</p>", v.year, v.pages.0, v.pages.1));
        }
        s.put("<h1 class=\"heading-title\">").title(v.title).put("</h1>\n");
        Digest::people(s, &v.authors, v.affiliations);
        s.put("<p class=\"bk_isbn\">ISBN: ").say(&v.isbn).put("</p></div>\n");
        if let Some(about) = &v.about {
            s.put("<div class=\"bk_about\"><p>").say(about).put("</p></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2>Contents</h2><ul class=\"bk_toc\">").items(P::List, &v.contents).put("</ul>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<p>In: ").a(P::Text, subject).put("</p>\n");
        }
        Digest::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><div class=\"results-amount\">").say(&v.intro).put("</div>\n");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"search-results-chunk\"><h3>").say(heading).put("</h3>\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<article class=\"docsum\"><label>{}</label><div>", n + 1));
                s.a_with(P::List, "class=\"docsum-title\"", &entry.href, &entry.title)
                    .put("<div class=\"docsum-authors\">");
                s.say(&entry.by)
                    .put("</div><span class=\"docsum-journal-citation\">")
                    .say(&entry.detail)
                    .put("</span>");
                if !entry.snippet.is_empty() {
                    s.put("<div class=\"full-view-snippet\">").say(&entry.snippet).put(" …</div>");
                }
                s.put("</div></article>\n");
            }
            s.put("</div>\n");
        }
        Digest::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

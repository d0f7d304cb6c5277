//! Template 9: a society of engineers: elements of its own, every author in an accordion with the affiliation below.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Circuits;

static FACTS: Facts = Facts {
    publisher: "Circuit Society Xplorer",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/xpl/RecentIssue?punumber={j}",
        volume: "/xpl/volume?punumber={j}&v={v}",
        issue: "/xpl/tocresult?isnumber={j}{v}{i}",
        article: "/document/{n}",
        book: "/xpl/bookToc/{n}",
        chapter: "/xpl/bookPart/{n}",
    },
};

const STYLE: &str = "body{font:14px/1.5 'Open Sans',Arial;margin:0;color:#333}.Header{background:#1c252e;padding:14px 30px}.Header a{color:#fff;\
margin-right:20px}.global-content{max-width:1000px;margin:auto;padding:20px}.document-title{font-size:26px;font-weight:300}\
.authors-accordion-container{border-top:1px solid #ddd;padding:8px 0}.doc-keywords-list{list-style:none;padding:0}\
.stats-document-abstract{border-left:4px solid #069;padding-left:14px}.xplore-footer{background:#333;color:#ccc;padding:24px}.xplore-footer a{color:#ccc}";

impl Circuits {
    fn byline(s: &mut Sheet, authors: &[Person]) {
        s.put("<xpl-author-banner><div class=\"authors-info-container\"><span class=\"authors-banner-row\">");
        s.each(authors, "<span>; </span>", |s, a| s.put("<span class=\"blue-tooltip\">").author(a).put("</span>"));
        s.put("</span></div></xpl-author-banner>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<xpl-prev-next><div class=\"document-nav\">");
        for (to, sign) in [(previous, "&lt; "), (next, "&gt; ")] {
            if let Some(to) = to {
                s.put("<span>").put(sign).a(P::Sequence, to).put("</span> ");
            }
        }
        s.put("</div></xpl-prev-next>\n");
    }
}

impl Template for Circuits {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body><xpl-root ng-version=\"14.2\"><xpl-header><div class=\"Header\">").row(
            P::Menu,
            &at.menu,
            "",
        );
        s.put("</div></xpl-header>\n<div class=\"global-content\">");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"breadcrumbs col\">")
                .row(P::Menu, &at.crumbs, "<i class=\"fa fa-angle-right\"></i> ")
                .put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<xpl-recommendations><h3>More Like This</h3>");
            for to in related {
                s.put("<div class=\"doc-all-related\"><div>").a(P::Related, to).put("</div></div>\n");
            }
            s.put("</xpl-recommendations>\n");
        }
        s.put("</div>\n<div class=\"Ads-leaderboard\">")
            .row(P::Noise, &at.ads, " ")
            .put("</div>\n<xpl-footer><div class=\"xplore-footer\">");
        s.row(P::Menu, &at.foot, " | ").put("<p>").row(P::Noise, &at.legal, " | ");
        s.put("</p><p>A not-for-profit organization.</p></div></xpl-footer></xpl-root></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).property("og:title", v.title).property("og:type", "article");
        self.open(s, at);
        s.put("<section class=\"document-header\"><h1 class=\"document-title\"><span>")
            .title(v.title)
            .put("</span></h1>");
        s.put("<div class=\"doc-type\">Publisher: ").say(at.publisher).put("</div>");
        s.put("<div class=\"cite-pdf\">").a_with(P::Text, "", &v.pdf, "PDF").put("</div>\n");
        Circuits::byline(s, &v.authors);
        s.put("</section>\n<xpl-document-abstract><section class=\"document-abstract\">");
        if !v.summary.is_empty() {
            s.put("<div class=\"stats-document-abstract\"><div class=\"abstract-text\"><div><strong>Abstract:</strong><div>");
            s.summary(v.summary).put("</div></div></div></div>\n");
        }
        s.put("<div class=\"doc-abstract-pubinfo\"><strong>Published in:</strong> ").a(P::Text, &v.journal).put(" ( ");
        s.a(P::Text, &v.issue)
            .put(&format!(" )</div><div>Page(s): {} - {}</div><div>Date of Publication: ", v.pages.0, v.pages.1));
        s.say(&v.date).put("</div><div>DOI: ").say(&v.doi).put("</div></section></xpl-document-abstract>\n");
        s.put("<div class=\"document-section-authors\"><h2>Authors</h2>");
        for author in &v.authors {
            s.put("<div class=\"authors-accordion-container\"><div class=\"author-card\"><b>")
                .say(&author.name)
                .put("</b>");
            if let Some(place) = author.mark.and_then(|mark| v.affiliations.get(mark - 1)) {
                s.put("<div>").affiliation(place).put("</div>");
            }
            s.put("</div></div>\n");
        }
        s.put("</div>\n<xpl-keywords><div class=\"stats-keywords-container\"><ul class=\"doc-keywords-list\"><li>");
        s.put("<strong>Index Terms</strong><ul class=\"u-mt-1\">");
        s.each(&v.keywords, ",\n", |s, k| {
            s.put("<li>").keyword_link("class=\"stats-keywords-list-item\"", k).put("</li>")
        });
        s.put("</ul></li></ul></div></xpl-keywords>\n");
        Circuits::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).property("og:title", v.title);
        self.open(s, at);
        s.put("<section class=\"document-header\"><h1 class=\"document-title\"><span>")
            .title(v.title)
            .put("</span></h1>\n");
        Circuits::byline(s, &v.authors);
        s.put("</section>\n<div class=\"book-info\">");
        if let Some(book) = &v.part_of {
            s.put("<div><strong>Book Chapter in:</strong> ").a(P::Text, book).put("</div>");
        }
        s.put(&format!("<div>Copyright Year: {}</div><div>ISBN: {}</div>", v.year, v.isbn));
        s.put(&format!("<div>Page(s): {} - {}</div></div>\n", v.pages.0, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<div class=\"book-description\"><strong>Book description</strong><p>")
                .say(about)
                .put("</p></div>\n");
        }
        for to in &v.contents {
            s.put("<div class=\"bookPart\"><h2>").a(P::List, to).put("</h2></div>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<div>Topic: ").a(P::Text, subject).put("</div>\n");
        }
        Circuits::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><div class=\"Dashboard-header\">").say(&v.intro).put("</div>\n");
        for (heading, entries) in &v.groups {
            s.put("<h2>").say(heading).put("</h2><xpl-results-list>");
            for entry in entries {
                s.put("<xpl-results-item><div class=\"List-results-items\"><h3>").a_with(
                    P::List,
                    "",
                    &entry.href,
                    &entry.title,
                );
                s.put("</h3><p class=\"author\">")
                    .say(&entry.by)
                    .put("</p><div class=\"description\">")
                    .say(&entry.detail);
                s.put("</div>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<ul class=\"controls\"><li>").a_with(P::List, "", &entry.href, "Abstract").put("</li><li>");
                    s.a_with(P::List, "", pdf, "PDF").put("</li></ul>");
                }
                s.put("</div></xpl-results-item>\n");
            }
            s.put("</xpl-results-list>\n");
        }
        Circuits::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

//! Template 4: the largest of platforms: bare Highwire tags, affiliations by letters in a hidden list, snippets of sections.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Platform;

static FACTS: Facts = Facts {
    publisher: "SciencePort",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/science/journal/{j}",
        volume: "/science/journal/{j}/vol/{v}",
        issue: "/science/journal/{j}/vol/{v}/issue/{i}",
        article: "/science/article/pii/S00{n}",
        book: "/science/book/978{n}",
        chapter: "/science/article/pii/B978{n}",
    },
};

const STYLE: &str = "body{font-family:NexusSerif,Georgia,Times,serif;margin:0;color:#2e2e2e}.u-bar{font-family:Arial;display:flex;\
gap:20px;padding:14px 24px;border-bottom:1px solid #dcdcdc}.u-bar a{color:#323232;text-decoration:none}\
.Page{display:flex}.toc-col{width:220px;padding:24px;font:14px Arial}.Article{max-width:680px;padding:24px}\
.rec-col{width:280px;padding:24px;font:14px Arial}.title-text{font-size:25px;line-height:1.3}.AuthorGroups{font:16px Arial}\
.section-title{font-size:20px}.keyword{display:inline;margin-right:10px}.els-footer{background:#f5f5f5;padding:24px;font:13px Arial}";

fn letter(mark: usize) -> String {
    char::from_u32('a' as u32 + ((mark - 1) % 26) as u32).unwrap_or('a').to_string()
}

impl Platform {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"Banner\"><div class=\"AuthorGroups\"><span class=\"sr-only\">Author links open overlay panel</span>");
        s.each(authors, ", ", |s, a| {
            s.put("<span class=\"react-xocs-alternative-link\">").author(a);
            if let Some(mark) = a.mark.filter(|_| !affiliations.is_empty()) {
                s.put(" <sup>").put(&letter(mark)).put("</sup>");
            }
            s.put("</span>")
        });
        s.put("</div>\n<button class=\"show-hide-details\">Show more</button>\n<div class=\"details\" hidden>");
        for (n, place) in affiliations.iter().enumerate() {
            s.put("<dl class=\"affiliation\"><dt><sup>").put(&letter(n + 1)).put("</sup></dt><dd>");
            s.affiliation(place).put("</dd></dl>\n");
        }
        s.put("</div></div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>, what: &str) {
        s.put("<nav class=\"navigation\"><ul>");
        for (to, sign) in [(previous, "Previous"), (next, "Next")] {
            if let Some(to) = to {
                s.put("<li class=\"move\">").a_with(P::Sequence, "", &to.href, &format!("{sign} {what}")).put("</li>");
            }
        }
        s.put("</ul></nav>\n");
    }
}

impl Template for Platform {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head><body><div id=\"app\">\n<div class=\"u-bar\"><span class=\"brand\">")
            .say(at.publisher)
            .put("</span>");
        s.row(P::Menu, &at.menu, "").put("</div>\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"PublicationBreadcrumb\">").row(P::Menu, &at.crumbs, "<span> › </span>").put("</div>\n");
        }
        s.put("<div class=\"Page\"><div class=\"Article\" role=\"main\">\n");
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div>\n<div class=\"rec-col\">");
        if !related.is_empty() {
            s.put("<section class=\"RelatedContent\"><header><h2 class=\"section-title\">Recommended articles</h2></header>");
            for to in related {
                s.put("<div class=\"SidePanelItem\">").a_with(P::Related, "class=\"anchor\"", &to.href, &to.text);
                s.put("</div>\n");
            }
            s.put("</section>");
        }
        s.put("<div class=\"ad-slot\">")
            .row(P::Noise, &at.ads, "<br>")
            .put("</div></div></div>\n<div class=\"els-footer\">");
        s.row(P::Menu, &at.foot, " ").put("<div>").row(P::Noise, &at.legal, " ");
        s.put("<p>We use cookies to help provide and enhance our service.</p></div></div></div></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        s.put("<div class=\"Publication\"><h2 class=\"publication-title\">").a(P::Text, &v.journal).put("</h2><div>");
        s.a(P::Text, &v.issue).put(&format!(", {} {}-{}</div></div>\n", at.words.pages, v.pages.0, v.pages.1));
        s.put("<h1 id=\"screen-reader-main-title\"><span class=\"title-text\">").title(v.title).put("</span></h1>\n");
        Platform::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"DoiLink\">").say(&v.doi).put(" <a href=\"#rights\">Get rights and content</a></div>\n");
        if !v.summary.is_empty() {
            s.put("<div class=\"Abstracts\"><div class=\"abstract author\"><h2 class=\"section-title\">Abstract</h2><div>");
            s.summary_in(v.summary, 6, "<div class=\"u-margin-s-bottom\">", "</div>").put("</div></div></div>\n");
        }
        if !v.text.is_empty() {
            s.put("<section class=\"snippets\"><h2 class=\"section-title\">Section snippets</h2>");
            s.each(&v.text, "\n", |s, text| s.put("<h3>Background</h3><p>").say(text).put("</p>")).put("</section>\n");
        }
        s.put("<div class=\"Keywords\"><div class=\"keywords-section\"><h2 class=\"section-title\">Keywords</h2>\n");
        s.each(&v.keywords, "\n", |s, k| s.put("<div class=\"keyword\"><span>").keyword(&k.name).put("</span></div>"));
        s.put("</div></div>\n<section class=\"bibliography\"><h2>References (").put(&v.references.len().to_string());
        s.put(")</h2><ul>")
            .each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n"))
            .put("</ul></section>\n");
        s.put("<p><a href=\"#fulltext\">View full text</a> ").a_with(P::Text, "", &v.pdf, "View PDF").put("</p>\n");
        Platform::turn(s, v.previous.as_ref(), v.next.as_ref(), "article in issue");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).meta("citation_isbn", &v.isbn);
        self.open(s, at);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"Publication\"><h2 class=\"publication-title\">").a(P::Text, book).put("</h2>");
            s.put(&format!("<div>{}, {} {}-{}</div></div>\n", v.year, at.words.pages, v.pages.0, v.pages.1));
        }
        s.put("<h1><span class=\"title-text\">").title(v.title).put("</span></h1>\n");
        Platform::people(s, &v.authors, v.affiliations);
        s.put("<div class=\"DoiLink\">")
            .say(&v.doi)
            .put("</div><div class=\"isbn\">ISBN ")
            .say(&v.isbn)
            .put("</div>\n");
        if let Some(about) = &v.about {
            s.put("<h2 class=\"section-title\">About the book</h2><h3>Description</h3><p>").say(about).put("</p>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h2 class=\"section-title\">Table of contents</h2><ol class=\"article-list\">");
            s.items(P::List, &v.contents).put("</ol>\n");
        }
        if let Some(subject) = &v.subject {
            s.put("<div class=\"browse-more\">Browse more in ").a(P::Text, subject).put("</div>\n");
        }
        Platform::turn(s, v.previous.as_ref(), v.next.as_ref(), "chapter in book");
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1 class=\"journal-title\">")
            .say(&v.heading)
            .put("</h1><div class=\"u-intro\">")
            .say(&v.intro)
            .put("</div>\n");
        Platform::turn(s, v.previous.as_ref(), v.next.as_ref(), "vol/issue or page");
        for (heading, entries) in &v.groups {
            s.put("<h2 class=\"section-title\">").say(heading).put("</h2>\n<ol class=\"js-article-list\">");
            for entry in entries {
                s.put("<li class=\"js-article-list-item\"><dl><dt>");
                if entry.pdf.is_some() {
                    s.put("<span class=\"js-article-subtype\">Research article</span>");
                }
                s.put("<h3>").a_open(P::List, "class=\"anchor article-content-title\"", &entry.href);
                s.put("<span class=\"anchor-text\">")
                    .say(&entry.title)
                    .put("</span></a></h3></dt><dd class=\"authors\">");
                s.say(&entry.by).put("</dd><dd>").say(&entry.detail).put("</dd>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<dd>")
                        .a_with(P::List, "", pdf, "Download PDF")
                        .put(" <a href=\"#preview\">Article preview</a></dd>");
                }
                s.put("</dl></li>\n");
            }
            s.put("</ol>\n");
        }
        self.close(s, at, &[]);
    }
}

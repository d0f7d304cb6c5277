//! Template 14: a medical association: full tags in the head, tabs, affiliations as a numbered list before the abstract.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::EN;

pub(super) struct Medical;

static FACTS: Facts = Facts {
    publisher: "Royal Medical Union",
    words: &EN,
    keywords: true,
    paths: Paths {
        journal: "/content/by/{j}",
        volume: "/content/by/{j}/{v}",
        issue: "/content/{j}/{v}/{i}",
        article: "/content/{j}/{v}/{i}/{p}",
        book: "/collection/{s}-{n}",
        chapter: "/collection/{j}/part/{i}/{s}",
    },
};

const STYLE: &str = "body{font:16px/1.5 Lato,Arial;margin:0}#header-region{background:#2a6ebb;padding:16px 40px}#header-region a{color:#fff;margin-right:22px}\
#main-wrapper{max-width:1000px;margin:auto;padding:20px;display:flex;gap:30px}#main{flex:1}.highwire-cite-title{font-size:28px;font-weight:700}\
.tabs{display:flex;list-style:none;padding:0;gap:20px;border-bottom:2px solid #2a6ebb}.affiliation-list{font-size:13px;color:#555}\
.pager{display:flex;justify-content:space-between;list-style:none;padding:0}#side{width:250px;font-size:14px}#footer-wrapper{background:#222;color:#aaa;padding:24px}\
#footer-wrapper a{color:#ddd;margin-right:14px}";

impl Medical {
    fn people(s: &mut Sheet, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"highwire-cite-authors\">");
        s.each(authors, ", ", |s, a| {
            s.put("<span class=\"nlm-name\">").author(a).put("</span>");
            if let Some(mark) = a.mark.filter(|_| !affiliations.is_empty()) {
                s.put(&format!("<a class=\"xref-aff\" href=\"#aff-{mark}\"><sup>{mark}</sup></a>"));
            }
            s
        });
        s.put("</div>\n");
        if !affiliations.is_empty() {
            s.put("<div class=\"section fn-group\"><a href=\"#expand\">Author affiliations</a><ol class=\"affiliation-list\">");
            for (n, place) in affiliations.iter().enumerate() {
                s.put(&format!("<li class=\"aff\"><a id=\"aff-{}\"></a><address><sup>{}</sup>", n + 1, n + 1));
                s.affiliation(place).put("</address></li>\n");
            }
            s.put("</ol></div>\n");
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<ul class=\"pager\"><li>");
        if let Some(to) = previous {
            s.a_open(P::Sequence, "class=\"pager-prev\"", &to.href)
                .put("<i class=\"icon-left\"></i> ")
                .say(&to.text)
                .put("</a>");
        }
        s.put("</li><li>");
        if let Some(to) = next {
            s.a_open(P::Sequence, "class=\"pager-next\"", &to.href)
                .say(&to.text)
                .put(" <i class=\"icon-right\"></i></a>");
        }
        s.put("</li></ul>\n");
    }
}

impl Template for Medical {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div id=\"header-region\">")
            .row(P::Menu, &at.menu, "\n")
            .put("</div>\n<div id=\"main-wrapper\"><div id=\"main\">");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"you-are-here\">").row(P::Menu, &at.crumbs, " / ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div>\n<div id=\"side\"><div class=\"pane-advert\"><h4>Advertisement</h4>").row(
            P::Noise,
            &at.ads,
            "<br>",
        );
        s.put("</div>\n");
        if !related.is_empty() {
            s.put("<div class=\"pane-trendmd\"><h2 class=\"pane-title\">More from readers of this page</h2>");
            s.each(related, "\n", |s, to| s.put("<div class=\"rec\">").a(P::Related, to).put("</div>")).put("</div>");
        }
        s.put("</div></div>\n<div id=\"footer-wrapper\">").row(P::Menu, &at.foot, "").put("<br>").row(
            P::Noise,
            &at.legal,
            "",
        );
        s.put("</div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire(v).dublin_core(v);
        self.open(s, at);
        s.put("<div class=\"article-type\">Research</div><div class=\"highwire-article-citation\"><h1 class=\"highwire-cite-title\">");
        s.title(v.title).put("</h1>\n<div class=\"highwire-cite-metadata\"><i>").a(P::Text, &v.journal).put("</i> ");
        s.a(P::Text, &v.issue).put(&format!(" doi: {} (Published {})</div>\n", v.doi, v.date));
        Medical::people(s, &v.authors, v.affiliations);
        s.put("</div>\n<ul class=\"tabs\"><li><a href=\"#article\">Article</a></li><li><a href=\"#metrics\">Metrics</a></li><li>");
        s.a_with(P::Text, "", &v.pdf, "PDF").put("</li></ul>\n");
        if !v.summary.is_empty() {
            s.put("<div class=\"section abstract\" id=\"abstract-1\"><h2>Abstract</h2>");
            let parts = ["Objective", "Methods", "Results", "Conclusions"];
            // A structured abstract: the headings are the publisher's, the text is the author's.
            let sentences = crate::work::sentences(v.summary);
            s.blocks.summary = None;
            if sentences.len() >= 8 {
                let mut whole = Vec::new();
                for (part, name) in sentences.chunks(sentences.len().div_ceil(4)).zip(parts) {
                    s.put("<div class=\"subsection\"><p><strong>").put(name).put("</strong> ").say(&part.join(" "));
                    s.put("</p></div>\n");
                    whole.push(format!("{name} {}", part.join(" ")));
                }
                s.blocks.summary = Some(whole.join(" "));
            } else {
                s.put("<p>").summary(v.summary).put("</p>");
            }
            s.put("</div>\n");
        }
        s.put("<ul class=\"kwd-group\">");
        s.each(&v.keywords, "\n", |s, k| s.put("<li class=\"kwd\">").keyword_link("class=\"hw-term\"", k).put("</li>"));
        s.put("</ul>\n<div class=\"section\"><h2>").say(at.words.introduction).put("</h2>");
        s.each(&v.text, "\n", |s, text| s.put("<p>").say(text).put("</p>")).put("</div>\n");
        Medical::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE).meta("citation_book_title", v.part_of.as_ref().map_or(v.title, |book| &book.text));
        self.open(s, at);
        s.put("<h1 class=\"highwire-cite-title\">").title(v.title).put("</h1>\n");
        Medical::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<div class=\"in-book\">From the book ").a(P::Text, book).put("</div>\n");
        }
        s.put(&format!("<div class=\"print\">{} · {} · pp. {}–{}</div>\n", v.isbn, v.year, v.pages.0, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<div class=\"section\"><p>").say(about).put("</p></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<div class=\"section\"><h2>Chapters</h2><ol>").items(P::List, &v.contents).put("</ol></div>\n");
        }
        Medical::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n<div class=\"issue-toc\">");
        for (heading, entries) in &v.groups {
            s.put("<div class=\"issue-toc-section\"><h2>").say(heading).put("</h2><ul class=\"toc-section\">\n");
            for entry in entries {
                s.put("<li class=\"toc-item\"><cite>").a_open(
                    P::List,
                    "class=\"highwire-cite-linked-title\"",
                    &entry.href,
                );
                s.put("<span>")
                    .say(&entry.title)
                    .put("</span></a> <span class=\"who\">")
                    .say(&entry.by)
                    .put("</span> <span>");
                s.say(&entry.detail).put("</span></cite>");
                if let Some(pdf) = &entry.pdf {
                    s.put("<ul class=\"variants\"><li>").a_with(P::List, "", &entry.href, "Full text").put("</li><li>");
                    s.a_with(P::List, "", pdf, "PDF").put("</li></ul>");
                }
                s.put("</li>\n");
            }
            s.put("</ul></div>\n");
        }
        s.put("</div>\n");
        Medical::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

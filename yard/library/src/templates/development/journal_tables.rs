//! Template 3: an old site of a Czech institute: tables as layout, no class names, no tags in the head.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Place};
use crate::words::CS;

pub(super) struct JournalTables;

static FACTS: Facts = Facts {
    publisher: "Ústav vědeckých informací",
    words: &CS,
    keywords: true,
    paths: Paths {
        journal: "/casopis.php?id={j}",
        volume: "/rocnik.php?c={j}&r={v}",
        issue: "/cislo.php?c={j}&r={v}&n={i}",
        article: "/clanek.php?id={n}",
        book: "/kniha.php?id={n}",
        chapter: "/kapitola.php?id={n}",
    },
};

const STYLE: &str = "body{font-family:Verdana;font-size:12px;background:#eef}td{vertical-align:top}a{color:#003399}";

impl JournalTables {
    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<table width=\"100%\"><tr><td align=\"left\">");
        if let Some(to) = previous {
            s.put("&laquo; ").a(P::Sequence, to);
        }
        s.put("</td><td align=\"right\">");
        if let Some(to) = next {
            s.a(P::Sequence, to).put(" &raquo;");
        }
        s.put("</td></tr></table>\n");
    }
}

impl Template for JournalTables {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<table width=\"1000\" align=\"center\" bgcolor=\"#ffffff\" cellpadding=\"6\"><tr><td colspan=\"3\">");
        s.put("<font size=\"5\" color=\"#003399\"><b>").say(at.publisher).put("</b></font></td></tr>\n<tr>");
        s.put("<td width=\"150\" bgcolor=\"#dde6f5\">").row(P::Menu, &at.menu, "<br>\n").put("<hr>");
        s.row(P::Menu, &at.foot, "<br>\n").put("</td>\n<td>");
        if !at.crumbs.is_empty() {
            s.put("<font size=\"1\">").row(P::Menu, &at.crumbs, " &raquo; ").put("</font><br><br>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</td>\n<td width=\"180\">");
        if !related.is_empty() {
            s.put("<b>")
                .say(at.words.related)
                .put("</b><br><br>\n")
                .row(P::Related, related, "<br><br>\n")
                .put("<br><br>");
        }
        s.put("<font size=\"1\">").say(at.words.advertisement).put("</font><br>\n").row(P::Noise, &at.ads, "<br>\n");
        s.put("</td></tr>\n<tr><td colspan=\"3\" align=\"center\"><font size=\"1\">").row(P::Noise, &at.legal, " | ");
        s.put("</font></td></tr></table>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.a(P::Text, &v.journal).put("<br>").a(P::Text, &v.issue);
        s.put(&format!(", {} {}-{}<br><br>\n<font size=\"4\"><b>", at.words.pages, v.pages.0, v.pages.1));
        s.title(v.title).put("</b></font><br><br>\n<b>");
        s.each(&v.authors, ", ", |s, a| s.author(a)).put("</b><br>\n");
        if !v.affiliations.is_empty() {
            s.put("<i>").each(v.affiliations, "; ", |s, place| s.affiliation(place)).put("</i><br>\n");
        }
        s.put("<br>\n");
        if !v.summary.is_empty() {
            s.put("<b>").say(at.words.summary).put("</b><br>\n").summary(v.summary).put("<br><br>\n");
        }
        s.put("<b>").say(at.words.keywords).put(":</b> ").each(&v.keywords, ", ", |s, k| s.keyword(&k.name));
        s.put("<br><br>\n").a_with(P::Text, "", &v.pdf, "Plný text (PDF)").put("<br>\n");
        if let Some(subject) = &v.subject {
            s.say(at.words.subject).put(": ").a(P::Text, subject).put("<br>\n");
        }
        s.put("<hr>\n");
        JournalTables::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<font size=\"4\"><b>").title(v.title).put("</b></font><br><br>\n<b>");
        s.each(&v.authors, ", ", |s, a| s.author(a)).put("</b><br><br>\n");
        if let Some(book) = &v.part_of {
            s.say(at.words.chapter_of).put(": ").a(P::Text, book).put("<br>\n");
        }
        s.say(at.publisher).put(&format!(", {}<br>ISBN {}<br>", v.year, v.isbn));
        s.say(at.words.pages).put(&format!(": {}-{}<br><br>\n", v.pages.0, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<b>").say(at.words.about_book).put("</b><br>\n").say(about).put("<br><br>\n");
        }
        if !v.contents.is_empty() {
            s.put("<b>").say(at.words.contents).put("</b><br>\n").row(P::List, &v.contents, "<br>\n").put("<br>\n");
        }
        s.put("<hr>\n");
        JournalTables::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<font size=\"4\"><b>").say(&v.heading).put("</b></font><br>").say(&v.intro).put("<br><br>\n");
        for (heading, entries) in &v.groups {
            s.put("<b>").say(heading).put("</b>\n<table border=\"0\" cellspacing=\"4\">\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<tr><td>{}.</td><td>", n + 1))
                    .a_with(P::List, "", &entry.href, &entry.title)
                    .put("<br>");
                s.say(&entry.by).put("</td><td><font size=\"1\">").say(&entry.detail).put("</font></td></tr>\n");
            }
            s.put("</table>\n");
        }
        JournalTables::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

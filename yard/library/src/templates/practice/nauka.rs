//! Practice: a Russian electronic library: tables in tables, labels in small grey capitals, names in capitals with raised numbers.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::RU;

pub(super) struct Nauka;

static FACTS: Facts = Facts {
    publisher: "Научная электронная библиотека",
    words: &RU,
    keywords: true,
    paths: Paths {
        journal: "/title_about.asp?id={j}",
        volume: "/title_items.asp?id={j}&v={v}",
        issue: "/contents.asp?id={j}&v={v}&i={i}",
        article: "/item.asp?id={n}",
        book: "/book.asp?id={n}",
        chapter: "/chapter.asp?id={n}",
    },
};

const STYLE: &str = "body{font-family:Tahoma,Arial;font-size:9pt;background:#f5f5f5}td{font-size:9pt}.bigtext{font-size:12pt;font-weight:bold}";

impl Nauka {
    fn label(s: &mut Sheet, label: &str) {
        s.put("<table width=\"550\" cellpadding=\"3\"><tr><td><font color=\"#00008f\" size=\"-2\">")
            .say(label)
            .put(":</font></td></tr>\n<tr><td>");
    }

    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<div style=\"width:580px\">");
        s.each(authors, ", ", |s, a| {
            s.put("<div style=\"display:inline-block\"><b><font color=\"#00008f\">").author(a).put("</font></b>");
            if let Some(mark) = a.mark.filter(|_| places.len() > 1) {
                s.put("<sup>").put(&mark.to_string()).put("</sup>");
            }
            s.put("</div>")
        });
        s.put("<br>\n");
        for (n, place) in places.iter().enumerate() {
            if places.len() > 1 {
                s.put("<sup>").put(&(n + 1).to_string()).put("</sup> ");
            }
            s.put("<span class=\"orgline\">").affiliation(place).put("</span><br>\n");
        }
        s.put("</div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<table><tr>");
        for to in [previous, next].into_iter().flatten() {
            s.put("<td>").a(P::Sequence, to).put("</td>");
        }
        s.put("</tr></table>\n");
    }
}

impl Template for Nauka {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<table width=\"1000\" align=\"center\"><tr><td colspan=\"3\"><b>")
            .say(at.publisher)
            .put("</b></td></tr>\n<tr><td width=\"180\">");
        s.row(P::Menu, &at.menu, "<br>").put("</td><td width=\"600\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div>").row(P::Menu, &at.crumbs, " » ").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            Nauka::label(s, "БЛИЗКИЕ ПО ТЕМАТИКЕ ПУБЛИКАЦИИ");
            s.row(P::Related, related, "<br>\n").put("</td></tr></table>\n");
        }
        s.put("</td><td width=\"200\">Реклама<br>")
            .row(P::Noise, &at.ads, "<br>")
            .put("</td></tr><tr><td colspan=\"3\">");
        s.row(P::Menu, &at.foot, " | ")
            .put("<br>")
            .row(P::Noise, &at.legal, " | ")
            .put("</td></tr></table></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p>eLIBRARY ID: ")
            .put(&v.pages.0.to_string())
            .put(" DOI: ")
            .say(&v.doi)
            .put("</p>\n<p class=\"bigtext\">")
            .title(v.title)
            .put("</p>\n");
        Nauka::people(s, &v.authors, v.affiliations);
        s.put("<table><tr><td>Тип: статья в журнале - научная статья</td><td>Язык: английский</td></tr><tr><td>Том: ")
            .put(&v.volume.to_string());
        s.put(&format!(
            "</td><td>Номер: {}</td><td>Год: {}</td></tr><tr><td>Страницы: {}-{}</td></tr></table>\n",
            v.number, v.year, v.pages.0, v.pages.1
        ));
        Nauka::label(s, "ЖУРНАЛ");
        s.a(P::Text, &v.journal).put("</td></tr></table>\n");
        Nauka::label(s, "КЛЮЧЕВЫЕ СЛОВА");
        s.each(&v.keywords, ", ", |s, k| s.keyword_link("", k)).put("</td></tr></table>\n");
        if !v.summary.is_empty() {
            Nauka::label(s, "АННОТАЦИЯ");
            s.put("<p align=\"justify\">").summary(v.summary).put("</p></td></tr></table>\n");
        }
        Nauka::label(s, "СПИСОК ЦИТИРУЕМОЙ ЛИТЕРАТУРЫ");
        s.put("<ol>")
            .each(&v.references, "", |s, line| s.put("<li>").say(line).put("</li>\n"))
            .put("</ol></td></tr></table>\n");
        s.a_with(P::Text, "", &v.pdf, "Полный текст").put("\n");
        Nauka::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p class=\"bigtext\">").title(v.title).put("</p>\n");
        Nauka::people(s, &v.authors, v.affiliations);
        s.put("<table><tr><td>Тип: ").put(if v.part_of.is_some() {
            "глава в книге"
        } else {
            "монография"
        });
        s.put(&format!(
            "</td><td>ISBN: {}</td></tr><tr><td>Год издания: {}</td><td>Число страниц: {}</td></tr></table>\n",
            v.isbn, v.year, v.pages.1
        ));
        if let Some(book) = &v.part_of {
            Nauka::label(s, "ИСТОЧНИК");
            s.a(P::Text, book).put("</td></tr></table>\n");
        }
        if let Some(about) = &v.about {
            Nauka::label(s, "О КНИГЕ");
            s.say(about).put("</td></tr></table>\n");
        }
        if !v.contents.is_empty() {
            Nauka::label(s, "ОГЛАВЛЕНИЕ");
            s.row(P::List, &v.contents, "<br>\n").put("</td></tr></table>\n");
        }
        Nauka::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<p class=\"bigtext\">").say(&v.heading).put("</p>\n<p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<table width=\"580\"><tr><td colspan=\"3\"><b>").say(heading).put("</b></td></tr>\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<tr><td><b>{}.</b></td><td>", n + 1))
                    .a_open(P::List, "", &entry.href)
                    .put("<b><span>")
                    .say(&entry.title);
                s.put("</span></b></a><br><font color=\"#00008f\"><i>")
                    .say(&entry.by)
                    .put("</i></font><br><font size=\"-2\">")
                    .say(&entry.detail);
                s.put("</font></td><td>0</td></tr>\n");
            }
            s.put("</table>\n");
        }
        Nauka::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

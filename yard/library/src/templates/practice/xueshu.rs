//! Practice: a Chinese university journal's own site: labels in thick brackets, all affiliations in one pair of round ones.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::ZH;

pub(super) struct Xueshu;

static FACTS: Facts = Facts {
    publisher: "大学学报编辑部",
    words: &ZH,
    keywords: true,
    paths: Paths {
        journal: "/CN/{j}/home",
        volume: "/CN/{j}/volumn/volumn_{v}.shtml",
        issue: "/CN/{j}/volumn/volumn_{v}_{i}.shtml",
        article: "/CN/{j}/Y{y}/V{v}/I{i}/{p}",
        book: "/CN/book/{n}",
        chapter: "/CN/book/section_{n}",
    },
};

const STYLE: &str =
    "body{font-family:SimSun,serif;font-size:12px}.J_biaoti{font-size:18px;font-weight:bold;text-align:center}";

impl Xueshu {
    fn people(s: &mut Sheet, authors: &[Person], places: &[String]) {
        s.put("<tr><td class=\"J_author_cn\" align=\"center\">");
        s.each(authors, ",&nbsp;", |s, a| {
            s.author(a);
            match a.mark.filter(|_| places.len() > 1) {
                Some(n) => s.put("<sup>").put(&n.to_string()).put("</sup>"),
                None => s,
            }
        });
        s.put("</td></tr>\n");
        match places {
            [] => {}
            [one] => {
                s.put("<tr><td class=\"J_author_dizhi\">（").affiliation(one).put("）</td></tr>\n");
            }
            many => {
                s.put("<tr><td class=\"J_author_dizhi\">（");
                for (n, place) in many.iter().enumerate() {
                    s.put(if n > 0 { "；" } else { "" }).put(&format!("{}. ", n + 1)).affiliation(place);
                }
                s.put("）</td></tr>\n");
            }
        }
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<tr><td>");
        for to in [previous, next].into_iter().flatten() {
            s.a(P::Sequence, to).put("&nbsp;");
        }
        s.put("</td></tr>\n");
    }
}

impl Template for Xueshu {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<table width=\"980\" align=\"center\"><tr><td class=\"daohang\">")
            .row(P::Menu, &at.menu, " | ")
            .put("</td></tr>\n<tr><td>\n");
        if !at.crumbs.is_empty() {
            s.put("<span class=\"J_WenZhang\">您的位置：").row(P::Menu, &at.crumbs, " -> ").put("</span>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        if !related.is_empty() {
            s.put("<table><tr><td><b>相关文章</b></td></tr>\n");
            s.each(related, "\n", |s, to| s.put("<tr><td>").a(P::Related, to).put("</td></tr>")).put("</table>\n");
        }
        s.put("</td></tr><tr><td>友情链接：")
            .row(P::Noise, &at.ads, " ")
            .put("</td></tr>\n<tr><td align=\"center\">")
            .row(P::Menu, &at.foot, " | ");
        s.put("<br>").row(P::Noise, &at.legal, " | ").put("<br>版权所有 © 编辑部</td></tr></table></body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).highwire_bare(v);
        self.open(s, at);
        s.put("<table width=\"98%\"><tr><td class=\"txt_biaoti\">")
            .a(P::Text, &v.journal)
            .put(&format!(" {} Vol. {} Issue ({}): {}-{} DOI: ", v.year, v.volume, v.number, v.pages.0, v.pages.1));
        s.say(&v.doi).put("</td></tr>\n<tr><td class=\"J_biaoti\">").title(v.title).put("</td></tr>\n");
        Xueshu::people(s, &v.authors, v.affiliations);
        if !v.summary.is_empty() {
            s.put("<tr><td><span class=\"J_zhaiyao\">【摘要】</span> ").summary(v.summary).put("</td></tr>\n");
        }
        s.put("<tr><td><span>【关键词】</span> ")
            .each(&v.keywords, "，", |s, k| s.keyword(&k.name))
            .put("</td></tr>\n");
        s.put("<tr><td>收稿日期: ")
            .say(&v.date)
            .put(" 出版日期: ")
            .say(&v.date)
            .put("</td></tr>\n<tr><td>基金资助: 国家自然科学基金</td></tr>\n<tr><td>引用本文: ");
        s.each(&v.authors, ",", |s, a| s.say(&a.name))
            .put(". ")
            .say(v.title)
            .put("[J]. ")
            .say(&v.journal.text)
            .put("</td></tr>\n<tr><td>");
        s.a_with(P::Text, "", &v.pdf, "全文: PDF (1024 KB)").put("</td></tr>\n");
        Xueshu::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</table>\n");
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<table width=\"98%\"><tr><td class=\"J_biaoti\">").title(v.title).put("</td></tr>\n");
        Xueshu::people(s, &v.authors, v.affiliations);
        if let Some(book) = &v.part_of {
            s.put("<tr><td>所属图书：").a(P::Text, book).put("</td></tr>\n");
        }
        s.put(&format!("<tr><td>出版时间：{}　ISBN：{}　页数：{}</td></tr>\n", v.year, v.isbn, v.pages.1));
        if let Some(about) = &v.about {
            s.put("<tr><td>【内容简介】 ").say(about).put("</td></tr>\n");
        }
        if !v.contents.is_empty() {
            s.put("<tr><td><b>目录</b></td></tr>\n")
                .each(&v.contents, "\n", |s, to| s.put("<tr><td>").a(P::List, to).put("</td></tr>"));
        }
        Xueshu::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</table>\n");
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<table width=\"98%\"><tr><td class=\"J_biaoti\">")
            .say(&v.heading)
            .put("</td></tr><tr><td>")
            .say(&v.intro)
            .put("</td></tr>\n");
        for (heading, entries) in &v.groups {
            s.put("<tr><td><b>").say(heading).put("</b></td></tr>\n");
            for entry in entries {
                s.put("<tr><td><table class=\"wenzhang\"><tr><td>").a_with(
                    P::List,
                    "class=\"biaoti\"",
                    &entry.href,
                    &entry.title,
                );
                s.put("</td></tr><tr><td>").say(&entry.by).put("</td></tr><tr><td>").say(&entry.detail);
                if let Some(pdf) = &entry.pdf {
                    s.put(" ").a_with(P::List, "", &entry.href, "摘要").put(" ").a_with(P::List, "", pdf, "PDF");
                }
                s.put("</td></tr></table></td></tr>\n");
            }
        }
        Xueshu::turn(s, v.previous.as_ref(), v.next.as_ref());
        s.put("</table>\n");
        self.close(s, at, &[]);
    }
}

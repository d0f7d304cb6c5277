//! Template 8: a Chinese platform: run-in labels, affiliations numbered in one line, keywords as links, lists as tables.

use groma_model::PartKind as P;

use crate::sheet::Sheet;
use crate::templates::{Facts, Paths, Template};
use crate::view::{Anchor, ArticleView, BookView, ListView, Person, Place};
use crate::words::ZH;

pub(super) struct Kuaiwen;

static FACTS: Facts = Facts {
    publisher: "快文学术网",
    words: &ZH,
    keywords: true,
    paths: Paths {
        journal: "/qikan/{j}",
        volume: "/qikan/{j}/juan/{v}",
        issue: "/qikan/{j}/{y}/{i}",
        article: "/kcms/detail?dbname=QK{y}&filename={n}",
        book: "/tushu/{n}",
        chapter: "/tushu/zhang/{n}",
    },
};

const STYLE: &str = "body{font:14px/1.8 'Microsoft YaHei','Noto Sans CJK SC',sans-serif;margin:0;color:#333}.top{background:#f2f6fb;padding:8px 40px}\
.top a{margin-right:16px}.wrapper{width:1100px;margin:auto;display:flex}.brief{flex:1;padding:20px;text-align:left}.wx-tit{text-align:center}\
.wx-tit h1{font-size:22px}.wx-tit h3{font-weight:normal;font-size:14px}.rowtit{font-weight:bold;color:#666}.sidebar{width:240px;padding:20px}\
table.result-table-list{width:100%;border-collapse:collapse}table.result-table-list td{border-bottom:1px solid #eee;padding:6px}\
.footer{text-align:center;color:#999;padding:20px}";

impl Kuaiwen {
    fn heading(s: &mut Sheet, title: &str, authors: &[Person], affiliations: &[String]) {
        s.put("<div class=\"wx-tit\"><h1>").title(title).put("</h1>\n<h3 class=\"author\" id=\"authorpart\">");
        s.each(authors, "&nbsp;&nbsp;", |s, a| {
            s.put("<span>").author(a);
            if let Some(mark) = a.mark.filter(|_| affiliations.len() > 1) {
                s.put("<sup>").put(&mark.to_string()).put("</sup>");
            }
            s.put("</span>")
        });
        s.put("</h3>\n");
        if !affiliations.is_empty() {
            s.put("<h3 class=\"orgn\">");
            for (n, place) in affiliations.iter().enumerate() {
                if affiliations.len() > 1 {
                    s.put(&format!("{}. ", n + 1));
                }
                s.put("<span>").affiliation(place).put("</span>&nbsp;&nbsp;");
            }
            s.put("</h3>\n");
        }
        s.put("</div>\n");
    }

    fn turn(s: &mut Sheet, previous: Option<&Anchor>, next: Option<&Anchor>) {
        s.put("<div class=\"fanye\">");
        for to in [previous, next].into_iter().flatten() {
            s.put("<span>").a(P::Sequence, to).put("</span>&emsp;");
        }
        s.put("</div>\n");
    }
}

impl Template for Kuaiwen {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn style(&self) -> &'static str {
        STYLE
    }

    fn open(&self, s: &mut Sheet, at: &Place) {
        s.put("</head>\n<body>\n<div class=\"top\"><b>").say(at.publisher).put("</b>&emsp;").row(
            P::Menu,
            &at.menu,
            " ",
        );
        s.put("</div>\n<div class=\"wrapper\"><div class=\"brief\">\n");
        if !at.crumbs.is_empty() {
            s.put("<div class=\"weizhi\">当前位置：").row(P::Menu, &at.crumbs, "&gt;").put("</div>\n");
        }
    }

    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]) {
        s.put("</div>\n<div class=\"sidebar\">");
        if !related.is_empty() {
            s.put("<div class=\"xiangguan\"><h4>").say(at.words.related).put("</h4><ul>").items(P::Related, related);
            s.put("</ul></div>\n");
        }
        s.put("<div class=\"gg\"><h4>")
            .say(at.words.advertisement)
            .put("</h4>")
            .row(P::Noise, &at.ads, "<br>")
            .put("</div>");
        s.put("</div></div>\n<div class=\"footer\">").row(P::Menu, &at.foot, "｜").put("<br>").row(
            P::Noise,
            &at.legal,
            "｜",
        );
        s.put("<br>版权所有</div>\n</body></html>\n");
    }

    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView) {
        s.head(at, STYLE).meta("keywords", "学术,期刊,图书");
        self.open(s, at);
        s.put("<div class=\"top-tip\">").a(P::Text, &v.journal).put(" . ").a(P::Text, &v.issue).put("</div>\n");
        Kuaiwen::heading(s, v.title, &v.authors, v.affiliations);
        if !v.summary.is_empty() {
            s.put("<div class=\"row\"><span class=\"rowtit\">摘要：</span><span id=\"ChDivSummary\" class=\"abstract-text\">");
            s.summary(v.summary).put("</span></div>\n");
        }
        s.put("<div class=\"row\"><span class=\"rowtit\">关键词：</span><p class=\"keywords\">");
        s.each(&v.keywords, "；", |s, k| s.keyword_link("target=\"_blank\"", k)).put("</p></div>\n");
        s.put("<ul class=\"m-list\"><li class=\"top-space\"><span class=\"rowtit\">DOI：</span><p>").say(&v.doi);
        s.put("</p></li>");
        if let Some(subject) = &v.subject {
            s.put("<li><span class=\"rowtit\">专题：</span><p>").a(P::Text, subject).put("</p></li>");
        }
        s.put("</ul>\n<div class=\"operate-btn\">").a_with(P::Text, "", &v.pdf, "PDF下载").put("</div>\n");
        s.put(&format!("<p class=\"total-inform\">页码：{}-{}</p>\n", v.pages.0, v.pages.1));
        Kuaiwen::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView) {
        s.head(at, STYLE);
        self.open(s, at);
        Kuaiwen::heading(s, v.title, &v.authors, v.affiliations);
        s.put("<ul class=\"m-list\">");
        if let Some(book) = &v.part_of {
            s.put("<li><span class=\"rowtit\">所属图书：</span>").a(P::Text, book).put("</li>");
        }
        s.put(&format!(
            "<li>出版年：{}</li><li>ISBN：{}</li><li>页码：{}-{}</li></ul>\n",
            v.year, v.isbn, v.pages.0, v.pages.1
        ));
        if let Some(about) = &v.about {
            s.put("<div class=\"row\"><span class=\"rowtit\">内容简介：</span><span>")
                .say(about)
                .put("</span></div>\n");
        }
        if !v.contents.is_empty() {
            s.put("<h4>目录</h4><table class=\"result-table-list\">");
            for (n, to) in v.contents.iter().enumerate() {
                s.put(&format!("<tr><td>第{}章</td><td>", n + 1)).a(P::List, to).put("</td></tr>\n");
            }
            s.put("</table>\n");
        }
        Kuaiwen::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &v.related);
    }

    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView) {
        s.head(at, STYLE);
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1><p>").say(&v.intro).put("</p>\n");
        for (heading, entries) in &v.groups {
            s.put("<h4>")
                .say(heading)
                .put("</h4>\n<table class=\"result-table-list\"><thead><tr><th></th><th>题名</th><th>作者</th>");
            s.put("<th>来源</th></tr></thead><tbody>\n");
            for (n, entry) in entries.iter().enumerate() {
                s.put(&format!("<tr><td class=\"seq\">{}</td><td class=\"name\">", n + 1));
                s.a_with(P::List, "class=\"fz14\"", &entry.href, &entry.title)
                    .put("</td><td class=\"author\">")
                    .say(&entry.by);
                s.put("</td><td class=\"source\">").say(&entry.detail).put("</td></tr>\n");
            }
            s.put("</tbody></table>\n");
        }
        Kuaiwen::turn(s, v.previous.as_ref(), v.next.as_ref());
        self.close(s, at, &[]);
    }
}

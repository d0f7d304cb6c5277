//! Keywords that no visible word announces.

use groma_model::PartKind as P;
use serde_json::json;

use super::{House, bare, house, silent};
use crate::sheet::Sheet;
use crate::view::{ArticleView, Place};
use crate::words::EN;

pub(super) static HOUSES: [House; 10] = [
    house!("tags", "Tagged Science", &EN, true, BeforeSummary, silent, tags),
    house!("named", "Named for Readers", &EN, true, AtEnd, silent, named),
    house!("buttons", "Button House", &EN, true, AfterSummary, silent, buttons),
    house!("elements", "Custom Elements", &EN, true, AtEnd, silent, elements),
    house!("early", "Early Row", &EN, true, BeforeSummary, silent, row),
    house!("late", "Late Row", &EN, true, AtEnd, meta_words, spans),
    house!("hashtags", "Hash House", &EN, true, AtEnd, silent, hashtags),
    house!("graph", "Graph of Articles", &EN, true, AtEnd, graph, dots),
    house!("property", "Property Press", &EN, true, AtEnd, article_tags, bars),
    house!("tabs", "Tabbed Journal", &EN, true, AfterSummary, bare, tabs),
];

/// Links that say what they are by their relation.
fn tags(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"entry-tags\">");
    s.each(&v.keywords, " ", |s, k| s.keyword_link("rel=\"tag\"", k)).put("</div>\n");
}

/// A label for those who listen.
fn named(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<ul aria-label=\"Keywords\" class=\"q1\">");
    s.each(&v.keywords, "", |s, k| s.put("<li>").keyword(&k.name).put("</li>")).put("</ul>\n");
}

fn buttons(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"q2\">");
    s.each(&v.keywords, " ", |s, k| s.put("<button type=\"button\" class=\"q3\">").keyword(&k.name).put("</button>"));
    s.put("</div>\n");
}

fn elements(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<app-keywords><h3>Topics</h3><mat-chip-list>");
    s.each(&v.keywords, "", |s, k| s.put("<mat-chip>").keyword(&k.name).put("</mat-chip>"));
    s.put("</mat-chip-list></app-keywords>\n");
}

/// Links to searches between authors and abstract.
fn row(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<ul class=\"q4\">").each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>"));
    s.put("</ul>\n");
}

/// What the head calls keywords.
fn meta_words(s: &mut Sheet, v: &ArticleView) {
    let words: Vec<&str> = v.keywords.iter().map(|k| k.name.as_str()).collect();
    s.highwire_bare(v).meta("keywords", &words.join(", "));
}

fn spans(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"q5\">").each(&v.keywords, " ", |s, k| s.put("<span>").keyword(&k.name).put("</span>"));
    s.put("</div>\n");
}

fn hashtags(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p>").each(&v.keywords, " ", |s, k| s.put("#").keyword_link("", k)).put("</p>\n");
}

/// Keywords as a list of defined terms.
fn graph(s: &mut Sheet, v: &ArticleView) {
    let words: Vec<_> = v.keywords.iter().map(|k| json!({"@type": "DefinedTerm", "name": k.name})).collect();
    s.json_ld(&json!({"@context": "https://schema.org", "@graph": [
        {"@type": "WebSite", "name": "Graph of Articles", "keywords": "science, journals, articles"},
        {"@type": ["Article", "ScholarlyArticle"], "headline": v.title, "keywords": words},
    ]}));
}

fn dots(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p>").each(&v.keywords, " · ", |s, k| s.keyword(&k.name)).put("</p>\n");
}

fn article_tags(s: &mut Sheet, v: &ArticleView) {
    s.highwire_bare(v);
    for word in &v.keywords {
        s.property("article:tag", &word.name);
    }
}

fn bars(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p>").each(&v.keywords, " | ", |s, k| s.keyword_link("", k)).put("</p>\n");
}

/// A tab names the panel.
fn tabs(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<ul role=\"tablist\"><li role=\"tab\" id=\"t-1\">Metrics</li><li role=\"tab\" id=\"t-2\">Keywords</li><li role=\"tab\" id=\"t-3\">Licence</li></ul>\n");
    s.put("<div role=\"tabpanel\" aria-labelledby=\"t-1\"><p>Cited 12 times.</p></div>\n");
    s.put("<div role=\"tabpanel\" aria-labelledby=\"t-2\">");
    s.each(&v.keywords, "", |s, k| s.put("<div>").keyword_link("", k).put("</div>")).put("</div>\n");
    s.put("<div role=\"tabpanel\" aria-labelledby=\"t-3\"><p>Free for all: ");
    s.a(P::Text, &v.issue).put("</p></div>\n");
}

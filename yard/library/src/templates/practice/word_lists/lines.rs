//! Keywords in a line of text, after a word that says so.

use super::{House, bare, house, silent};
use crate::sheet::Sheet;
use crate::view::{ArticleView, Place};
use crate::words::{EN, RU};

pub(super) static HOUSES: [House; 11] = [
    house!("additional", "Horticulture Letters", &EN, true, AfterSummary, bare, additional),
    house!("phrases", "Mathematical Notes Press", &EN, true, AfterSummary, silent, phrases),
    house!("economics", "Working Papers House", &EN, true, AfterSummary, bare, economics),
    house!("counted", "Counted Words", &EN, true, AtEnd, silent, counted),
    house!("filed", "Filed Notes", &EN, true, AtEnd, silent, filed),
    house!("blanks", "Blank Press", &EN, true, AfterSummary, silent, blanks),
    house!("slovo", "Slovo", &RU, true, BeforeSummary, silent, slovo),
    house!("stops", "Full Stop Proceedings", &EN, true, AfterSummary, silent, stops),
    house!("concepts", "Computing Concepts", &EN, true, AfterSummary, bare, concepts),
    house!("dashed", "Dashed Transactions", &EN, true, AfterSummary, silent, dashed),
    house!("numbered", "Numbered Terms", &EN, true, AfterSummary, silent, numbered),
];

fn additional(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p><i>Additional index words.</i> ").each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put("</p>\n");
}

/// With a classification before it.
fn phrases(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p>2010 <em>Mathematics Subject Classification.</em> Primary 35Q55; Secondary 47A10, 81Q05.<br>\n");
    s.put("<em>Key words and phrases.</em> ").each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put(".</p>\n");
}

/// With codes after it.
fn economics(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p><b>Suggested keywords:</b> ").each(&v.keywords, ", ", |s, k| s.keyword(&k.name));
    s.put("</p>\n<p><b>JEL Classification:</b> C32, E52, F41</p>\n<p><b>Suggested Citation:</b> ").say(v.title);
    s.put(", ").say(&v.date).put(".</p>\n");
}

fn counted(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put(&format!("<h3>Keywords ({})</h3>\n<div>", v.keywords.len()));
    s.each(&v.keywords, ", ", |s, k| s.keyword_link("", k)).put("</div>\n");
}

/// As notes on the web say it.
fn filed(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p>Published ").say(&v.date).put(". Tagged with: ");
    s.each(&v.keywords, ", ", |s, k| s.keyword_link("rel=\"tag\"", k)).put("</p>\n");
}

/// Nothing but blanks between elements.
fn blanks(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p><span>Key terms</span>&nbsp;&nbsp;");
    s.each(&v.keywords, "&nbsp;&nbsp; ", |s, k| s.put("<em>").keyword(&k.name).put("</em>")).put("</p>\n");
}

fn slovo(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div><strong>Ключевые слова</strong> — ");
    s.each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put("</div>\n");
}

/// Full stops between them.
fn stops(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p><b>Key-words:</b> ").each(&v.keywords, ". ", |s, k| s.keyword(&k.name)).put(".</p>\n");
}

/// A tree of concepts before the words of the authors.
fn concepts(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div><h2>CCS Concepts</h2><p>• Information systems → Data mining; • Theory of computation → Logic.</p></div>\n");
    s.put("<div><h2>Author Tags</h2><ol>");
    s.each(&v.keywords, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>")).put("</ol></div>\n");
}

fn dashed(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<p><em>Indexing Terms</em>—").each(&v.keywords, ", ", |s, k| s.keyword(&k.name)).put(".</p>\n");
}

/// Numbers before the words.
fn numbered(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<h2>Search terms</h2>\n<p>");
    for (n, k) in v.keywords.iter().enumerate() {
        s.put(if n > 0 { "<br>" } else { "" }).put(&format!("{}. ", n + 1)).keyword(&k.name);
    }
    s.put("</p>\n");
}

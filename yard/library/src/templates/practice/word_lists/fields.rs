//! Keywords in a record: rows, terms and descriptions, cells.

use super::{House, bare, house, silent};
use crate::sheet::Sheet;
use crate::view::{ArticleView, Place};
use crate::words::{DE, EN, ES, FR, PT};

pub(super) static HOUSES: [House; 9] = [
    house!("full", "Full Record Repository", &EN, true, AtEnd, silent, rows),
    house!("terms", "Terms Repository", &EN, true, AfterSummary, silent, descriptions),
    house!("span", "Spanned Tables", &EN, true, BeforeSummary, bare, spanned),
    house!("cell", "Cell Press House", &ES, true, BeforeSummary, silent, one_cell),
    house!("materias", "Repositorio de Materias", &ES, true, AfterSummary, silent, materias),
    house!("schlag", "Verbundkatalog", &DE, true, AtEnd, silent, catalogue),
    house!("sujets", "Archives Sujets", &FR, true, Beside, silent, sujets),
    house!("assuntos", "Biblioteca de Assuntos", &PT, true, AfterSummary, silent, assuntos),
    house!("groups", "Grouped Index", &EN, true, AtEnd, bare, groups),
];

/// A row to each word, all with the same label, and the language in a third cell.
fn rows(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<table class=\"t1\"><tr><th>DC Field</th><th>Value</th><th>Language</th></tr>\n");
    s.put("<tr><td>dc.date.issued</td><td>").say(&v.date).put("</td><td>-</td></tr>\n");
    s.put("<tr><td>dc.identifier.uri</td><td>").say(&v.doi).put("</td><td>-</td></tr>\n");
    s.each(&v.keywords, "\n", |s, k| {
        s.put("<tr><td>dc.subject</td><td>").keyword(&k.name).put("</td><td>en_US</td></tr>")
    });
    s.put("\n<tr><td>dc.type</td><td>Article</td><td>-</td></tr></table>\n");
}

/// A term, and a description to each word.
fn descriptions(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<dl><dt>Date</dt><dd>").say(&v.date).put("</dd>\n<dt>Subject</dt>");
    s.each(&v.keywords, "\n", |s, k| s.put("<dd>").keyword_link("", k).put("</dd>"));
    s.put("\n<dt>Type</dt><dd>Article</dd><dt>Rights</dt><dd>Open access</dd></dl>\n");
}

/// A head cell over several rows.
fn spanned(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<table><tr><th>Published</th><td>").say(&v.date).put("</td></tr>\n");
    s.put(&format!("<tr><th rowspan=\"{}\">Keyword</th>", v.keywords.len()));
    s.each(&v.keywords, "<tr>", |s, k| s.put("<td>").keyword(&k.name).put("</td></tr>\n"));
    s.put("<tr><th>DOI</th><td>").say(&v.doi).put("</td></tr></table>\n");
}

/// Label and lines in one cell.
fn one_cell(s: &mut Sheet, at: &Place, v: &ArticleView) {
    s.put("<table><tr><td valign=top><b>").say(at.words.keywords).put("</b><br>");
    s.each(&v.keywords, "<br>", |s, k| s.keyword(&k.name)).put("</td><td valign=top><b>DOI</b><br>");
    s.say(&v.doi).put("</td></tr></table>\n");
}

/// A box for each field, the words one below the other.
fn materias(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"simple-item-view\"><h5>Fecha</h5><span>").say(&v.date).put("</span></div>\n");
    s.put("<div class=\"simple-item-view\"><h5>Materia</h5>");
    s.each(&v.keywords, "<br/>", |s, k| s.keyword_link("", k)).put("</div>\n");
    s.put("<div class=\"simple-item-view\"><h5>URI</h5><span>").say(&v.doi).put("</span></div>\n");
}

/// Spans in place of a table.
fn catalogue(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"f\"><span class=\"l\">Erscheinungsjahr:</span> <span class=\"v\">")
        .put(&v.year.to_string())
        .put("</span></div>\n<div class=\"f\"><span class=\"l\">Schlagwort(e):</span> <span class=\"v\">");
    s.each(&v.keywords, " ; ", |s, k| s.keyword_link("", k)).put("</span></div>\n");
    s.put("<div class=\"f\"><span class=\"l\">Sprache:</span> <span class=\"v\">Englisch</span></div>\n");
}

/// In a column, each in a paragraph.
fn sujets(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<h4>Date</h4><p>").say(&v.date).put("</p><h4>Sujets</h4>");
    s.each(&v.keywords, "", |s, k| s.put("<p>").keyword_link("", k).put("</p>")).put("<h4>Licence</h4><p>CC BY</p>\n");
}

/// Label and value as divisions side by side.
fn assuntos(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div class=\"row\"><div class=\"c3\">Data</div><div class=\"c9\">").say(&v.date).put("</div></div>\n");
    s.put("<div class=\"row\"><div class=\"c3\">Assunto(s)</div><div class=\"c9\">");
    s.each(&v.keywords, "", |s, k| s.put("<div>").keyword(&k.name).put("</div>")).put("</div></div>\n");
    s.put("<div class=\"row\"><div class=\"c3\">Tipo</div><div class=\"c9\">Artigo</div></div>\n");
}

/// Several lists of terms, one below the other.
fn groups(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    let (first, rest) = v.keywords.split_at(v.keywords.len() / 2);
    s.put("<section><h2>Index terms</h2><h3>Controlled terms:</h3><ul>");
    s.each(first, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>")).put("</ul><h3>Author keywords:</h3><ul>");
    s.each(rest, "", |s, k| s.put("<li>").keyword_link("", k).put("</li>")).put("</ul></section>\n");
}

//! Pages without keywords that have what looks like them.

use groma_model::PartKind as P;

use super::{House, bare, house, silent};
use crate::sheet::Sheet;
use crate::view::{ArticleView, Place};
use crate::words::EN;

pub(super) static HOUSES: [House; 4] = [
    house!("trend", "Trending Letters", &EN, false, Beside, bare, trending),
    house!("browse", "Browse and Find", &EN, false, AtEnd, silent, browse),
    house!("kind", "Kinds of Papers", &EN, false, BeforeSummary, bare, kinds),
    house!("formats", "Formats Press", &EN, false, AfterSummary, silent, formats),
];

/// Words that everybody else looks for.
const WANTED: [&str; 5] = ["Climate", "Vaccines", "Open data", "Robots", "Peer review"];

fn wanted(s: &mut Sheet, v: &ArticleView) {
    for (word, to) in WANTED.iter().zip(v.keywords.iter().filter_map(|k| k.href.as_deref())) {
        s.put("<li>").a_with(P::Menu, "", to, word).put("</li>");
    }
}

fn trending(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<h3>Trending searches</h3><ul>");
    wanted(s, v);
    s.put("</ul>\n");
}

/// The site's own subjects.
fn browse(s: &mut Sheet, at: &Place, v: &ArticleView) {
    s.put("<nav><h3>Browse by subject</h3><ul>").items(P::Menu, &at.menu);
    wanted(s, v);
    s.put("</ul></nav>\n");
}

/// One subject, and a kind.
fn kinds(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<dl><dt>Article type</dt><dd>Research article</dd>");
    if let Some(subject) = &v.subject {
        s.put("<dt>Section</dt><dd>").a(P::Text, subject).put("</dd>");
    }
    s.put("<dt>Received</dt><dd>").say(&v.date).put("</dd></dl>\n");
}

/// A row of buttons.
fn formats(s: &mut Sheet, _at: &Place, v: &ArticleView) {
    s.put("<div><span>PDF</span> <span>EPUB</span> <span>XML</span> <span>BibTeX</span></div>\n<p>");
    s.a_with(P::Text, "", &v.pdf, "Download").put("</p>\n");
}

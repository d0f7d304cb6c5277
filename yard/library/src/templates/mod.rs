//! How publishers set their pages: one template each.
//!
//! Templates 0 to 8 are for development ([`development`]); from 9 on they are [held out](held_out): whoever works on what
//! reads pages does not look at those, so that a figure on them says something about pages nobody has seen. After them come
//! more to [practise](practice) on.

mod development;
mod held_out;
mod practice;

use groma_model::PartKind;

use crate::sheet::Sheet;
use crate::view::{Anchor, ArticleView, BookView, ListView, Place, ProseView};
use crate::words::Words;

/// The first template that is held out.
pub(crate) const FIRST_HELD_OUT: usize = 9;

/// What is to be known of a template besides its markup.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The name of the publisher.
    pub(crate) publisher: &'static str,
    /// The words it prints.
    pub(crate) words: &'static Words,
    /// Whether its article pages show keywords.
    pub(crate) keywords: bool,
    /// Patterns of its addresses.
    pub(crate) paths: Paths,
}

/// Patterns of addresses: `{n}` a number of the work's own, `{j}` a short name of the journal or book, `{v}` volume,
/// `{i}` issue or chapter, `{p}` first page, `{y}` year, `{s}` the title as a slug.
#[derive(Debug)]
pub(crate) struct Paths {
    pub(crate) journal: &'static str,
    pub(crate) volume: &'static str,
    pub(crate) issue: &'static str,
    pub(crate) article: &'static str,
    pub(crate) book: &'static str,
    pub(crate) chapter: &'static str,
}

/// A publisher's way to set pages.
pub(crate) trait Template: Sync {
    /// What is to be known besides the markup.
    fn facts(&self) -> &'static Facts;
    /// Everything from the end of the head to the beginning of the content.
    fn open(&self, s: &mut Sheet, at: &Place);
    /// Everything after the content.
    fn close(&self, s: &mut Sheet, at: &Place, related: &[Anchor]);
    /// CSS of its pages.
    fn style(&self) -> &'static str;
    /// A page about an article.
    fn article(&self, s: &mut Sheet, at: &Place, v: &ArticleView);
    /// A page about a book or a chapter.
    fn book(&self, s: &mut Sheet, at: &Place, v: &BookView);
    /// A page about many works.
    fn list(&self, s: &mut Sheet, at: &Place, v: &ListView);
    /// A page about something else, such as the terms.
    fn prose(&self, s: &mut Sheet, at: &Place, v: &ProseView) {
        s.head(at, self.style());
        self.open(s, at);
        s.put("<h1>").say(&v.heading).put("</h1>\n");
        s.each(&v.paragraphs, "\n", |s, text| s.put("<p>").say(text).put("</p>")).put("\n");
        for (heading, links) in &v.groups {
            s.put("<h2>").say(heading).put("</h2>\n<ul>").items(PartKind::List, links).put("</ul>\n");
        }
        self.close(s, at, &[]);
    }
}

/// All templates; the place is the number.
pub(crate) fn all() -> Vec<&'static dyn Template> {
    let mut all = development::all();
    all.extend(held_out::all());
    all.extend(practice::all());
    all
}

/// The first template for practice: after those that are held out.
pub(crate) fn first_practice() -> usize {
    all().len() - practice::all().len()
}

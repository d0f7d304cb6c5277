//! A finite site of any size: page `i` leads to pages `i * n + 1 ..= i * n + n`, home and back.
//!
//! Truth: [`Lattice::pages`] pages answer 200, page 0 at `/`, page `i` at `/p/i.html`, all reachable, page `i` at depth
//! [`Lattice::depth`]; [`Lattice::dead_links`] links lead to a URL that answers 404, each to one of its own. Every
//! page has a text of its own and one word that no other page has. There is no robots.txt. Cost of an answer: its size.

use super::number_in;
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// How many pages there are, the home page included; at least one.
    pub pages: usize,
    /// How many further pages each leads to; at least one.
    pub links_each: usize,
    /// How many words of text each page has.
    pub words: usize,
    /// Every so many-th page has a dead link; 0: none has.
    pub dead_every: usize,
}

impl Lattice {
    /// A site of so many pages with so many links each, 60 words a page, no dead links.
    pub fn new(pages: usize, links_each: usize) -> Lattice {
        Lattice { pages: pages.max(1), links_each: links_each.max(1), words: 60, dead_every: 0 }
    }

    /// The path of a page.
    pub fn path(&self, page: usize) -> String {
        if page == 0 { "/".into() } else { format!("/p/{page}.html") }
    }

    /// The distance of a page from the home page.
    pub fn depth(&self, page: usize) -> u32 {
        let (mut at, mut depth) = (page, 0);
        while at > 0 {
            at = (at - 1) / self.links_each;
            depth += 1;
        }
        depth
    }

    /// How many links lead nowhere.
    pub fn dead_links(&self) -> usize {
        self.pages.checked_div(self.dead_every).unwrap_or(0)
    }

    fn has_dead_link(&self, page: usize) -> bool {
        self.dead_every > 0 && page % self.dead_every == self.dead_every - 1
    }

    fn page(&self, i: usize) -> Answer {
        let mut page = Page::new(&format!("Page {i}")).says(&format!(
            "The word of page {i} is {}. {}",
            word(i as u64 + 2048),
            words(i as u64, self.words)
        ));
        let first = i.saturating_mul(self.links_each).saturating_add(1);
        for to in first..first.saturating_add(self.links_each).min(self.pages) {
            page.add_link(&self.path(to), &format!("to page {to}"));
        }
        if i > 0 {
            page.add_link(&self.path((i - 1) / self.links_each), "back");
        }
        page.add_link("/", "home");
        if self.has_dead_link(i) {
            page.add_link(&format!("/gone/{i}.html"), "gone");
        }
        page.answer()
    }
}

impl Web for Lattice {
    fn answer(&self, ask: &Ask) -> Answer {
        let page = if ask.path == "/" { Some(0) } else { number_in(&ask.path, "/p/", ".html").filter(|i| *i > 0) };
        match page {
            Some(i) if i < self.pages => self.page(i),
            _ => Answer::status(404),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn all_pages_are_reached_and_differ() {
        for (pages, links_each) in [(1, 1), (2, 5), (57, 1), (1000, 3), (1000, 50)] {
            let site = Lattice::new(pages, links_each);
            let walk = naive(&site, 5000);
            assert_eq!((walk.count(200), walk.contents, walk.count(404), walk.left), (pages, pages, 0, 0));
            for page in 0..pages {
                assert_eq!(walk.depth[&site.path(page)], site.depth(page), "{page}");
            }
        }
    }

    #[test]
    fn dead_links_are_as_many_as_promised() {
        let site = Lattice { dead_every: 7, ..Lattice::new(1000, 4) };
        assert_eq!(site.dead_links(), 142);
        assert_eq!(naive(&site, 5000).count(404), 142);
    }

    #[test]
    fn size_follows_words() {
        let small = Lattice::new(10, 2).answer(&Ask::get("/p/3.html")).body.len();
        let large = Lattice { words: 2000, ..Lattice::new(10, 2) }.answer(&Ask::get("/p/3.html")).body.len();
        assert!(large > small + 10_000);
        assert_eq!(Lattice::new(10, 2).answer(&Ask::get("/p/10.html")).status, 404);
        assert_eq!(Lattice::new(10, 2).answer(&Ask::get("/p/0.html")).status, 404);
    }
}

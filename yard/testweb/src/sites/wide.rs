//! A site that names far more addresses than anybody fetches: what does a known address cost?
//!
//! Truth: the home page leads to sections `/s/i.html` of a hundred hubs each (depth 1), these to [`Wide::pages`] hubs
//! `/hub/i.html` (depth 2), and each hub to [`Wide::links_each`] leaves `/hub/i/leaf/k.html` that nothing else leads to
//! (depth 3). Leaves answer 200 and lead home. A crawl to depth 2 fetches [`Wide::shallow`] pages and knows
//! [`Wide::known`] URLs. Texts differ; each hub has a word of its own.

use super::{number, number_in};
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

const SECTION: usize = 100;

#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// How many hubs there are.
    pub pages: usize,
    /// How many leaves each leads to.
    pub links_each: usize,
}

impl Wide {
    fn sections(&self) -> usize {
        self.pages.div_ceil(SECTION)
    }

    /// How many pages lie at depth 2 or less.
    pub fn shallow(&self) -> usize {
        1 + self.sections() + self.pages
    }

    /// How many URLs a crawl to depth 2 comes to know, those it fetched included.
    pub fn known(&self) -> usize {
        self.shallow() + self.pages * self.links_each
    }

    fn page(&self, path: &str) -> Option<Answer> {
        if path == "/" {
            let sections = (0..self.sections()).map(|i| format!("/s/{i}.html"));
            return Some(Page::new("Sections").says("Where to begin.").links(sections).answer());
        }
        if let Some(i) = number_in(path, "/s/", ".html") {
            let hubs = i.checked_mul(SECTION)?..i.checked_add(1)?.checked_mul(SECTION)?.min(self.pages);
            let title = format!("Section {i}");
            return (i < self.sections())
                .then(|| Page::new(&title).says("Hubs.").links(hubs.map(|h| format!("/hub/{h}.html"))).answer());
        }
        if let Some(i) = number_in(path, "/hub/", ".html") {
            let text = format!("{} {}", word(i as u64 + 2048), words(i as u64, 20));
            let leaves = (0..self.links_each).map(|k| format!("/hub/{i}/leaf/{k}.html"));
            return (i < self.pages).then(|| Page::new(&format!("Hub {i}")).says(&text).links(leaves).answer());
        }
        let (hub, leaf) = path.strip_prefix("/hub/")?.strip_suffix(".html")?.split_once("/leaf/")?;
        let (hub, leaf) = (number(hub)?, number(leaf)?);
        let title = format!("Leaf {leaf} of hub {hub}");
        (hub < self.pages && leaf < self.links_each)
            .then(|| Page::new(&title).says("The end.").link("/", "home").answer())
    }
}

impl Web for Wide {
    fn answer(&self, ask: &Ask) -> Answer {
        self.page(&ask.path).unwrap_or_else(|| Answer::status(404))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn known_and_shallow_are_as_promised() {
        let site = Wide { pages: 250, links_each: 12 };
        let walk = naive(&site, 10_000);
        assert_eq!(site.shallow(), 254);
        assert_eq!(walk.depth.values().filter(|d| **d <= 2).count(), 254);
        assert_eq!(walk.count(200), site.known());
        assert_eq!((walk.contents, walk.left), (site.known(), 0));
    }

    #[test]
    fn what_is_beyond_is_not_there() {
        let site = Wide { pages: 250, links_each: 12 };
        for path in ["/s/3.html", "/hub/250.html", "/hub/1/leaf/12.html", "/hub/250/leaf/1.html", "/x"] {
            assert_eq!(site.answer(&Ask::get(path)).status, 404, "{path}");
        }
    }
}

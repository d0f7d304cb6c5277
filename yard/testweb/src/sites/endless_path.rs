//! The relative link that should have been an absolute one: `/a/b/` leads to `a/b/`, and every path answers 200.
//!
//! Truth: [`EndlessPath::real`] pages `/real/i.html`, all linked from the home page; every other path answers the home
//! page's very bytes. There are `real + 1` different contents and URLs without end.

use super::number_in;
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct EndlessPath {
    /// How many real pages there are besides the home page.
    pub real: usize,
}

impl Default for EndlessPath {
    fn default() -> Self {
        EndlessPath { real: 10 }
    }
}

impl EndlessPath {
    /// The paths of the real pages, the home page first.
    pub fn real_paths(&self) -> Vec<String> {
        std::iter::once("/".to_owned()).chain((0..self.real).map(|i| format!("/real/{i}.html"))).collect()
    }
}

impl Web for EndlessPath {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.path == "/robots.txt" {
            return Answer::status(404);
        }
        match number_in(&ask.path, "/real/", ".html").filter(|i| *i < self.real) {
            Some(i) => {
                let text = format!("{} {}", word(i as u64 + 2048), words(i as u64, 60));
                Page::new(&format!("Real {i}")).says(&text).link("/", "home").answer()
            }
            None => Page::new("Home")
                .says("Whatever you ask for, this is what you get.")
                .link("a/b/", "deeper")
                .links(self.real_paths().split_off(1))
                .answer(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn addresses_never_end_and_contents_do() {
        let site = EndlessPath::default();
        let walk = naive(&site, 500);
        assert_eq!((walk.count(200), walk.contents, walk.left), (500, 11, 1));
        assert!(walk.depth.contains_key("/a/b/a/b/a/b/"));
        assert!(site.real_paths().iter().all(|path| walk.depth[path] <= 1));
    }
}

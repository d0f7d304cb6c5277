//! Every link carries a session id that was never seen before and never comes again.
//!
//! Truth: [`Sessions::pages`] pages, page 0 at `/` and page `i` at `/page/i.html`, each leading to pages
//! `4i + 1 ..= 4i + 4`, home and back, always with a fresh id. The id changes nothing but the ids in the links: the
//! text of a page is always the same. A crawler that takes every URL for a page never ends. Ids are made of the
//! request's number on the server, so no two answers of a server share one.

use super::number_in;
use crate::prose::{Page, mix, word, words};
use crate::{Answer, Ask, Web};

const LINKS: usize = 4;

#[derive(Clone, Debug)]
pub struct Sessions {
    /// How many pages there are, the home page included.
    pub pages: usize,
    /// The name of the parameter.
    pub param: String,
}

impl Default for Sessions {
    fn default() -> Self {
        Sessions { pages: 200, param: "sess".into() }
    }
}

impl Sessions {
    /// The paths of the pages without ids.
    pub fn real_paths(&self) -> Vec<String> {
        (0..self.pages).map(Sessions::path).collect()
    }

    fn path(page: usize) -> String {
        if page == 0 { "/".into() } else { format!("/page/{page}.html") }
    }
}

impl Web for Sessions {
    fn answer(&self, ask: &Ask) -> Answer {
        let page = match ask.bare_path() {
            "/" => Some(0),
            path => number_in(path, "/page/", ".html").filter(|i| *i > 0),
        };
        let Some(i) = page.filter(|i| *i < self.pages) else { return Answer::status(404) };
        let first = i * LINKS + 1;
        let targets = (first..(first + LINKS).min(self.pages)).chain([0, i.saturating_sub(1) / LINKS]);
        let links = targets.enumerate().map(|(k, to)| {
            // Eight numbers are set aside for each answer; it has at most six links.
            let id = mix(0x5e55, ask.serial.wrapping_mul(8).wrapping_add(k as u64));
            format!("{}?{}={id:016x}", Sessions::path(to), self.param)
        });
        let text = format!("{} {}", word(i as u64 + 2048), words(i as u64, 60));
        Page::new(&format!("Page {i}")).says(&text).links(links).answer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;
    use std::collections::HashSet;

    #[test]
    fn ids_never_repeat_and_pages_are_all_there() {
        let walk = naive(&Sessions::default(), 5000);
        assert_eq!((walk.count(200), walk.count(404)), (5000, 0));
        assert!(walk.left > 5000);
        let ids: HashSet<&str> = walk.depth.keys().filter_map(|path| path.split_once('=')).map(|(_, id)| id).collect();
        assert_eq!(ids.len(), 4999);
        let bare: HashSet<&str> = walk.depth.keys().map(|path| path.split('?').next().unwrap()).collect();
        assert_eq!(bare, Sessions::default().real_paths().iter().map(String::as_str).collect());
    }
}

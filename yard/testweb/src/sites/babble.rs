//! Random words for ever: a trap made to look like a site.
//!
//! Truth: the home page and [`Babble::real`] pages `/real/i.html` are real, all linked from the home page. Beside them
//! `/babble/...` answers any path with a page of random text, made of the path alone, that leads to five more of its
//! kind, one segment of two words each beside or below it. Every page brings new words and new URLs: nothing but
//! the amount tells it from a large site.

use super::number_in;
use crate::prose::{Page, hash, mix, word, words};
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct Babble {
    /// How many real pages there are besides the home page.
    pub real: usize,
}

impl Default for Babble {
    fn default() -> Self {
        Babble { real: 20 }
    }
}

impl Babble {
    /// The paths of the real pages, the home page first.
    pub fn real_paths(&self) -> Vec<String> {
        std::iter::once("/".to_owned()).chain((0..self.real).map(|i| format!("/real/{i}.html"))).collect()
    }

    fn babble(path: &str) -> Answer {
        let seed = hash(path);
        let coin = |n: u64| word(mix(seed, n) >> 30);
        let text: Vec<String> = (0..60).map(coin).collect();
        // A third of the links go a level down, as long as the path stays short; the rest stay on the same level.
        let here = path.strip_suffix(".html").unwrap_or(path);
        let level = here.rsplit_once('/').map_or("/babble", |(level, _)| level);
        let links = (0..5).map(|k| {
            let name = format!("{}-{}", coin(100 + k), coin(200 + k));
            let down = mix(seed, 300 + k).is_multiple_of(3) && here.len() < 200;
            format!("{}/{name}.html", if down { here } else { level })
        });
        Page::new(&coin(400)).says(&text.join(" ")).links(links).answer()
    }
}

impl Web for Babble {
    fn answer(&self, ask: &Ask) -> Answer {
        let path = ask.path.as_str();
        if path == "/" {
            let page = Page::new("Home").says("Some pages, and a door.").links(self.real_paths().split_off(1));
            return page.link("/babble/door.html", "door").answer();
        }
        if path.starts_with("/babble/") {
            return Babble::babble(path);
        }
        match number_in(path, "/real/", ".html").filter(|i| *i < self.real) {
            Some(i) => {
                let text = format!("{} {}", word(i as u64 + 2048), words(i as u64, 60));
                Page::new(&format!("Real {i}")).says(&text).link("/", "home").answer()
            }
            None => Answer::status(404),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn it_goes_on_for_ever_with_new_words() {
        let site = Babble::default();
        let walk = naive(&site, 4000);
        assert_eq!((walk.count(200), walk.contents), (4000, 4000));
        assert!(walk.left > 10_000);
        assert!(site.real_paths().iter().all(|path| walk.depth[path] <= 1));
        assert!(walk.depth.keys().all(|path| path.len() < 300), "URLs stay believable");
        assert!(walk.depth.keys().any(|path| path.matches('/').count() > 4));
    }
}

//! Pages whose links carry a parameter: does it mean something?
//!
//! Truth: the home page leads to item 0; each of [`Variants::pages`] items leads to three others. Link `k` of item `i`
//! goes to the `k`-th of three random permutations of the items, with value `(k + hash(target)) mod values`: so every
//! item is linked with `min(3, values)` different values, each URL from exactly one place when there are three or
//! more, and variants of one item turn up early and mixed. Every item is reachable (the permutations are drawn until
//! it is so). A crawler that takes every URL for a page makes [`Variants::addresses`] fetches; there are
//! [`Variants::contents`] different contents. Without the parameter an item answers as with a value nobody uses.

use super::{number, number_in};
use crate::prose::{Page, hash, mix, word, words};
use crate::{Answer, Ask, Web};

/// Links of each item.
const LINKS: usize = 3;

/// What the parameter means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing: the same bytes for every value.
    None,
    /// Another content for every value, on every item.
    All,
    /// Another content for every value, but only on every so many-th item.
    Every(usize),
}

/// Where the number of an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdIn {
    /// `/item?id=17&src=a`
    Query,
    /// `/item/17?src=a`
    Path,
}

#[derive(Clone, Debug)]
pub struct Variants {
    pages: usize,
    values: usize,
    meaning: Meaning,
    id_in: IdIn,
    param: String,
    targets: [Vec<u32>; LINKS],
}

impl Variants {
    /// So many items and values (at most 26: a, b, c, ...) of a parameter `src` that means nothing; numbers in the
    /// query.
    pub fn new(pages: usize, values: usize) -> Variants {
        let pages = pages.max(1);
        let drawn = (0..).map(|seed| [0, 1, 2].map(|k| permutation(pages, mix(seed, k)))).find(all_reachable);
        let targets = drawn.unwrap_or_default();
        let param = "src".to_owned();
        Variants { pages, values: values.clamp(1, 26), meaning: Meaning::None, id_in: IdIn::Query, param, targets }
    }

    /// The same with a parameter that means something else.
    pub fn meaning(mut self, meaning: Meaning) -> Variants {
        self.meaning = meaning;
        self
    }

    /// The same with the number elsewhere.
    pub fn id_in(mut self, id_in: IdIn) -> Variants {
        self.id_in = id_in;
        self
    }

    /// The same with another name for the parameter.
    pub fn param(mut self, name: &str) -> Variants {
        self.param = name.into();
        self
    }

    /// How many items there are; the home page comes on top.
    pub fn pages(&self) -> usize {
        self.pages
    }

    fn used(&self) -> usize {
        self.values.min(LINKS)
    }

    /// How many URLs the site links to, the home page included.
    pub fn addresses(&self) -> usize {
        1 + self.pages * self.used()
    }

    /// How many different contents they have, the home page included.
    pub fn contents(&self) -> usize {
        let varied = match self.meaning {
            Meaning::None => 0,
            Meaning::All => self.pages,
            Meaning::Every(k) => self.pages.div_ceil(k.max(1)),
        };
        1 + self.pages + varied * (self.used() - 1)
    }

    /// The URL of an item with a value.
    pub fn path(&self, item: usize, value: usize) -> String {
        let value = char::from(b'a' + (value % 26) as u8);
        match self.id_in {
            IdIn::Query => format!("/item?id={item}&{}={value}", self.param),
            IdIn::Path => format!("/item/{item}?{}={value}", self.param),
        }
    }

    fn varies(&self, item: usize) -> bool {
        match self.meaning {
            Meaning::None => false,
            Meaning::All => true,
            Meaning::Every(k) => item.is_multiple_of(k.max(1)),
        }
    }

    fn link(&self, item: usize, k: usize) -> String {
        let to = self.targets[k][item] as usize;
        let value = (k as u64).wrapping_add(mix(1, to as u64) >> 1) % self.values as u64;
        self.path(to, value as usize)
    }

    fn page(&self, item: usize, value: &str) -> Answer {
        let mut page = Page::new(&format!("Item {item}")).says(&format!(
            "{} {}",
            word(item as u64 + 2048),
            words(item as u64, 60)
        ));
        if self.varies(item) {
            page = page.says(&format!("Edition {value}: {}", words(mix(hash(value), item as u64), 30)));
        }
        page.links((0..LINKS).map(|k| self.link(item, k))).answer()
    }
}

impl Web for Variants {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.path == "/" {
            // The value is one that item 0 is linked with anyway.
            let value = (mix(1, 0) >> 1) % self.values as u64;
            return Page::new("Items").says("All begins here.").link(&self.path(0, value as usize), "first").answer();
        }
        let item = match self.id_in {
            IdIn::Query if ask.bare_path() == "/item" => ask.param("id").and_then(number),
            IdIn::Query => None,
            IdIn::Path => number_in(ask.bare_path(), "/item/", ""),
        };
        match item {
            Some(item) if item < self.pages => self.page(item, ask.param(&self.param).unwrap_or("none")),
            _ => Answer::status(404),
        }
    }
}

/// A pseudo-random order of the numbers below n, by Fisher and Yates.
fn permutation(n: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        order.swap(i, (mix(seed, i as u64) % (i as u64 + 1)) as usize);
    }
    order
}

fn all_reachable(targets: &[Vec<u32>; LINKS]) -> bool {
    let mut seen = vec![false; targets[0].len()];
    let (mut stack, mut reached) = (vec![0_usize], 0);
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            reached += 1;
            stack.extend(targets.iter().map(|to| to[at] as usize));
        }
    }
    reached == seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    fn exam(site: &Variants) {
        let walk = naive(site, 20_000);
        assert_eq!(
            (walk.count(200), walk.contents, walk.count(404), walk.left),
            (site.addresses(), site.contents(), 0, 0)
        );
    }

    #[test]
    fn two_thousand_pages_have_six_thousand_addresses() {
        let site = Variants::new(2000, 3);
        assert_eq!((site.addresses(), site.contents()), (6001, 2001));
        exam(&site);
        exam(&site.clone().id_in(IdIn::Path));
        assert!(naive(&site, 20_000).depth.values().all(|d| *d < 16), "no deep chains");
    }

    #[test]
    fn a_meaningful_parameter_makes_as_many_pages_as_addresses() {
        let site = Variants::new(300, 3).meaning(Meaning::All);
        assert_eq!((site.addresses(), site.contents()), (901, 901));
        exam(&site);
        exam(&site.id_in(IdIn::Path));
    }

    #[test]
    fn a_parameter_may_mean_something_on_some_pages_only() {
        let site = Variants::new(300, 3).meaning(Meaning::Every(7));
        assert_eq!(site.contents(), 301 + 43 * 2);
        exam(&site);
    }

    #[test]
    fn few_or_many_values_keep_the_truth() {
        for (pages, values) in [(1, 3), (2, 1), (50, 2), (50, 20)] {
            exam(&Variants::new(pages, values).meaning(Meaning::All));
        }
    }

    #[test]
    fn the_parameter_may_be_absent_or_unknown() {
        let site = Variants::new(20, 3).param("zz");
        let body = |path: &str| site.answer(&Ask::get(path)).body;
        assert_eq!(body("/item?id=7"), body("/item?id=7&zz=b"));
        assert_eq!(body("/item?zz=q&id=7"), body("/item?id=7&zz=b"));
        assert_eq!(site.answer(&Ask::get("/item?id=20&zz=a")).status, 404);
        assert_eq!(site.answer(&Ask::get("/item?zz=a")).status, 404);
    }
}

//! A shop whose filters combine in any order.
//!
//! Truth: the home page, the list `/shop` and [`Facets::items`] items `/item/i.html` are real: [`Facets::real_paths`].
//! The list has six facets of four values; a selection is `/shop?color=red&size=l` in the order in which it was
//! clicked. A selection shows the items that have all its values and leads to all that add one value. There are
//! [`Facets::SELECTIONS`] selections that differ and [`Facets::ADDRESSES`] addresses for them, the bare list included.

use super::number_in;
use crate::prose::{Page, mix, word, words};
use crate::{Answer, Ask, Web};

const FACETS: [(&str, [&str; 4]); 6] = [
    ("color", ["red", "green", "blue", "black"]),
    ("size", ["s", "m", "l", "xl"]),
    ("brand", ["acme", "bolt", "crane", "dune"]),
    ("price", ["10", "20", "50", "100"]),
    ("cloth", ["wool", "cotton", "silk", "linen"]),
    ("sort", ["name", "age", "rank", "stock"]),
];

#[derive(Clone, Copy, Debug)]
pub struct Facets {
    /// How many items there are.
    pub items: usize,
}

impl Default for Facets {
    fn default() -> Self {
        Facets { items: 60 }
    }
}

impl Facets {
    /// Selections that differ, whatever their order: (4 + 1)^6.
    pub const SELECTIONS: u64 = 15_625;
    /// URLs of selections in any order: the sum over `k` of `6! / (6 - k)! * 4^k`.
    pub const ADDRESSES: u64 = 3_786_745;

    /// The paths of the real pages: home, the list, the items.
    pub fn real_paths(&self) -> Vec<String> {
        let items = (0..self.items).map(|i| format!("/item/{i}.html"));
        ["/".to_owned(), "/shop".to_owned()].into_iter().chain(items).collect()
    }

    fn has(&self, item: usize, facet: usize, value: usize) -> bool {
        mix(facet as u64, item as u64) % 4 == value as u64
    }

    fn list(&self, ask: &Ask) -> Option<Answer> {
        let mut chosen = Vec::new();
        for (name, value) in ask.query() {
            let facet = FACETS.iter().position(|(n, _)| *n == name)?;
            let value = FACETS[facet].1.iter().position(|v| *v == value)?;
            if chosen.iter().any(|(f, _)| *f == facet) {
                return None;
            }
            chosen.push((facet, value));
        }
        let mut page = Page::new("Shop");
        for item in (0..self.items).filter(|i| chosen.iter().all(|(f, v)| self.has(*i, *f, *v))) {
            page.add_link(&format!("/item/{item}.html"), &word(item as u64 + 2048));
        }
        let sign = if chosen.is_empty() { '?' } else { '&' };
        for (_, (name, values)) in FACETS.iter().enumerate().filter(|(f, _)| chosen.iter().all(|(g, _)| g != f)) {
            for value in values {
                page.add_link(&format!("{}{sign}{name}={value}", ask.path), value);
            }
        }
        Some(page.link("/shop", "all").answer())
    }

    fn item(&self, i: usize) -> Answer {
        let text = format!("{} {}", word(i as u64 + 2048), words(i as u64, 50));
        Page::new(&format!("Item {i}")).says(&text).link("/shop", "shop").answer()
    }
}

impl Web for Facets {
    fn answer(&self, ask: &Ask) -> Answer {
        let page = match ask.bare_path() {
            "/" => Some(Page::new("Home").says("Welcome to the shop.").link("/shop", "shop").answer()),
            "/shop" => self.list(ask),
            path => number_in(path, "/item/", ".html").filter(|i| *i < self.items).map(|i| self.item(i)),
        };
        page.unwrap_or_else(|| Answer::status(404))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn real_pages_are_shallow_and_the_rest_is_vast() {
        let site = Facets::default();
        let walk = naive(&site, 3000);
        assert_eq!(site.real_paths().len(), 62);
        for path in site.real_paths() {
            assert!(walk.depth[&path] <= 2, "{path}");
        }
        assert_eq!(walk.count(200), 3000);
        assert!(walk.left > 10_000);
    }

    #[test]
    fn the_counts_of_selections_are_right() {
        let (mut ways, mut addresses) = (1, 1);
        for k in 0..6 {
            ways *= (6 - k) * 4;
            addresses += ways;
        }
        assert_eq!(Facets::ADDRESSES, addresses);
        assert_eq!(Facets::SELECTIONS, 5_u64.pow(6));
    }

    #[test]
    fn order_does_not_matter_to_what_is_shown() {
        let items = |path: &str| {
            let body = String::from_utf8(Facets::default().answer(&Ask::get(path)).body).unwrap();
            let mut hrefs: Vec<String> =
                crate::walk::hrefs(&body).filter(|h| h.starts_with("/item")).map(str::to_owned).collect();
            hrefs.sort();
            hrefs
        };
        assert!(!items("/shop?color=red").is_empty());
        assert_eq!(items("/shop?color=red&size=l"), items("/shop?size=l&color=red"));
        for bad in ["/shop?color=red&color=blue", "/shop?color=pink", "/shop?x=y", "/item/60.html"] {
            assert_eq!(Facets::default().answer(&Ask::get(bad)).status, 404, "{bad}");
        }
    }
}

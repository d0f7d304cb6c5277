//! How alike two linked pages are in what they say: a factor of the capacity of their link.
//!
//! ```text
//! c(u, v) = sim(u, v) (1 - w + w L(u, v)) / (1 - w + w m)        w = WEIGHT
//! L       = cosine of the words of u and v (words.rs), from 0 to 1
//! m       = mean of L over all links of which it is known
//! ```
//!
//! Source: own; the paper names it as an aim. A link across the border of a site leads to a page about something else, even where the
//! URLs differ in one folder only. Divided by its mean the factor is 1 on average, so prices of a page mean what they
//! mean without it; it is 1, too, where nothing is known of one of the two pages (not read, without words, an imported graph).
//! That matters: a factor of .6 for *all* links changes what price is chosen, and so F1 by more than similarity does on most crawls.
//!
//! Not the usual way of looking: with w = .7, chosen on three crawls of documentation, the process as a whole gained on those (GHC .91 to
//! .98) and lost on balance on three others, where its clusters came out worse. The cut alone (`Method::Flow`) gained on
//! all three of them (PAPERS.md, section 2).
//!
//! Cost: L is taken once for every link, in O(words kept of a page), and kept in a byte; the words are thrown away after that. A look
//! at a link costs the logarithm of its row. Not guaranteed: that pages of one site are more alike than others.

mod words;

use groma_graph::Csr;

pub use words::{READ, Rarity, Words};

/// How much of a capacity hangs on similarity.
const WEIGHT: f64 = 0.7;
/// Steps in which a similarity is kept.
const STEPS: f64 = 254.0;
/// Nothing is known of one of the two pages.
const UNKNOWN: u8 = u8::MAX;

/// What of two linked pages is compared, beside their URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compared {
    /// The words of the pages.
    Words,
    /// Nothing: URLs decide alone.
    #[default]
    Nothing,
}

impl Compared {
    pub const ALL: [Compared; 2] = [Compared::Words, Compared::Nothing];

    /// The word users write.
    pub fn name(self) -> &'static str {
        match self {
            Compared::Words => "words",
            Compared::Nothing => "none",
        }
    }

    /// The one that is called so.
    pub fn named(name: &str) -> Option<Compared> {
        Compared::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// The similarity of all pairs of linked pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ContentSimilarity {
    /// By arc of the graph.
    of: Vec<u8>,
    mean: f64,
}

impl ContentSimilarity {
    /// Takes the similarity of every pair of linked pages, from 0 to 1; nothing where it cannot be told. The whole is nothing if it can
    /// be told of no pair.
    pub fn of_links(graph: &Csr, mut alike: impl FnMut(u32, u32) -> Option<f64>) -> Option<ContentSimilarity> {
        let mut of = Vec::with_capacity(usize::try_from(graph.arc_count()).ok()?);
        for from in 0..graph.node_count() {
            of.extend(graph.successors(from).iter().map(|&to| alike(from, to).map_or(UNKNOWN, kept)));
        }
        let known = || of.iter().filter(|&&one| one != UNKNOWN);
        let (count, sum) = (known().count(), known().map(|&one| u64::from(one)).sum::<u64>());
        (count > 0).then(|| ContentSimilarity { mean: sum as f64 / STEPS / count as f64, of })
    }

    /// How alike two linked pages are; nothing if it is not known, or if no link joins them.
    pub fn between(&self, graph: &Csr, a: u32, b: u32) -> Option<f64> {
        let arc = graph.arc(a, b).or_else(|| graph.arc(b, a))?;
        let one = self.of.get(usize::try_from(arc).ok()?).copied().filter(|&one| one != UNKNOWN)?;
        Some(f64::from(one) / STEPS)
    }

    /// What the capacity of the link between two pages is multiplied with.
    pub fn factor(&self, graph: &Csr, a: u32, b: u32) -> f64 {
        let part = |content_similarity: f64| 1.0 - WEIGHT + WEIGHT * content_similarity;
        part(self.between(graph, a, b).unwrap_or(self.mean)) / part(self.mean)
    }

    /// The mean over all links of which it is known.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// By arc of the graph, as it is kept: what is computed of it holds as long as these bytes are the same.
    pub fn as_bytes(&self) -> &[u8] {
        &self.of
    }
}

/// As a byte; what is no number becomes 0.
fn kept(content_similarity: f64) -> u8 {
    (content_similarity.clamp(0.0, 1.0) * STEPS).round() as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Similarity, Tokens, Web};

    /// 0 links to 1 and back, 1 to 2, 2 to 3.
    fn chain() -> Csr {
        Csr::of_arcs(5, [(0, 1), (1, 0), (1, 2), (2, 3)])
    }

    #[test]
    fn a_factor_is_one_on_average_and_one_where_nothing_is_known() {
        let graph = chain();
        let told = |a: u32, b: u32| match (a.min(b), a.max(b)) {
            (0, 1) => Some(1.0),
            (1, 2) => Some(0.0),
            _ => None,
        };
        let content_similarity = ContentSimilarity::of_links(&graph, told).unwrap();
        assert!((content_similarity.mean() - 2.0 / 3.0).abs() < 1e-12, "two arcs of 1, one of 0");
        let unit = 1.0 - WEIGHT + WEIGHT * 2.0 / 3.0;
        assert!((content_similarity.factor(&graph, 0, 1) - 1.0 / unit).abs() < 1e-12);
        assert!((content_similarity.factor(&graph, 1, 2) - (1.0 - WEIGHT) / unit).abs() < 1e-12);
        assert_eq!(
            content_similarity.factor(&graph, 2, 1),
            content_similarity.factor(&graph, 1, 2),
            "a link joins both ways"
        );
        assert_eq!(content_similarity.factor(&graph, 2, 3), 1.0, "nothing is known of 3");
        assert_eq!(content_similarity.factor(&graph, 0, 4), 1.0, "no link");
        let sum = 2.0 * content_similarity.factor(&graph, 0, 1) + content_similarity.factor(&graph, 1, 2);
        assert!((sum / 3.0 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn where_nothing_is_known_of_any_link_there_is_no_similarity() {
        assert_eq!(ContentSimilarity::of_links(&chain(), |_, _| None), None);
        assert_eq!(ContentSimilarity::of_links(&Csr::of_arcs(3, []), |_, _| Some(1.0)), None);
    }

    #[test]
    fn capacities_are_those_of_the_addresses_times_the_factor() {
        let (graph, mut tokens) = (chain(), Tokens::new());
        for page in 0..5 {
            tokens.push(&format!("http://h/{page}"));
        }
        let content_similarity =
            ContentSimilarity::of_links(&graph, |a, b| Some(f64::from(u8::from(a + b == 1)))).unwrap();
        let similarity = Similarity::new(1.0);
        let plain =
            Web { graph: &graph, tokens: &tokens, pages: &[true, true, true, true, false], content_similarity: None };
        let web = Web { content_similarity: Some(&content_similarity), ..plain };
        let ratio = |a, b| web.capacity(&similarity, a, b) / plain.capacity(&similarity, a, b);
        assert!(ratio(0, 1) > 1.0 && ratio(1, 2) < 1.0);
        assert!((ratio(0, 1) / ratio(1, 2) - 1.0 / (1.0 - WEIGHT)).abs() < 1e-9);
        assert_eq!(web.capacity(&similarity, 3, 4), 0.0, "4 is no page");
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for one in Compared::ALL {
            assert_eq!(Compared::named(one.name()), Some(one));
        }
        assert_eq!(Compared::named("menus"), None);
    }

    proptest! {
        #[test]
        fn whatever_is_told_factors_stay_in_bounds(told in proptest::collection::vec(proptest::option::of(any::<f64>()), 4)) {
            let graph = chain();
            let mut each = told.into_iter();
            if let Some(content_similarity) = ContentSimilarity::of_links(&graph, |_, _| each.next().flatten()) {
                prop_assert!((0.0..=1.0).contains(&content_similarity.mean()));
                for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 2), (0, 4)] {
                    let factor = content_similarity.factor(&graph, a, b);
                    prop_assert!((1.0 - WEIGHT..=1.0 / (1.0 - WEIGHT)).contains(&factor), "{factor}");
                    prop_assert!(content_similarity.between(&graph, a, b).is_none_or(|of| (0.0..=1.0).contains(&of)));
                }
            }
        }
    }
}

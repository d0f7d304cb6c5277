//! Do two pages speak of the same things?
//!
//! ```text
//! weight(t, p) = (1 + ln tf(t, p)) ln(n / df(t))      of the KEPT heaviest words of a page, brought to length 1
//! L(u, v)      = sum over t of weight(t, u) weight(t, v)
//! ```
//!
//! tf is how often the word stands on the page, df on how many of n pages it stands. Words are numbers here: whoever reads the
//! pages hashes them. df is counted in `BUCKETS` places by those numbers, so a rare word that shares its place looks less rare.
//! Source: Salton and Buckley 1988 (tf-idf, cosine). With all words instead of the KEPT heaviest the bounds that were tried came out
//! the same. Cost: a page with m words (at most [`READ`] are looked at) O(m log m), and 6 bytes for each word that is kept; a pair
//! O(KEPT). Not guaranteed: that a long page is judged by its end; that words which nobody else has tell it from other pages.

/// Words of a page that are looked at, the first ones.
pub const READ: usize = 20_000;
/// Words of a page that are kept.
const KEPT: usize = 64;
/// Places in which pages are counted.
const BUCKETS: usize = 1 << 20;
/// Weights are kept as parts of this.
const WHOLE: f32 = 65_535.0;

/// On how many pages words stand.
#[derive(Clone, Debug)]
pub struct Rarity {
    pages: u32,
    of: Vec<u32>,
}

impl Default for Rarity {
    fn default() -> Rarity {
        Rarity { pages: 0, of: vec![0; BUCKETS] }
    }
}

impl Rarity {
    /// Learns from a page: its words in any order, as often as they stand there. They are put in order and cut.
    pub fn learn(&mut self, words: &mut Vec<u32>) {
        words.truncate(READ);
        words.sort_unstable();
        self.pages = self.pages.saturating_add(1);
        for run in words.chunk_by(|a, b| a == b) {
            let count = &mut self.of[place(run[0])];
            *count = count.saturating_add(1);
        }
    }

    /// Inverse document frequency, ln(n / df): 0 for a word on every page. A word never seen counts as seen once.
    fn idf(&self, word: u32) -> f32 {
        let pages = self.pages.max(1);
        // Two words of a page may share a place.
        let seen = self.of[place(word)].clamp(1, pages);
        (pages as f32 / seen as f32).ln()
    }
}

fn place(word: u32) -> usize {
    word as usize % BUCKETS
}

/// The words of pages.
#[derive(Clone, Debug)]
pub struct Words {
    rarity: Rarity,
    /// By node: where its words begin and how many there are.
    rows: Vec<(u32, u32)>,
    words: Vec<u32>,
    weights: Vec<u16>,
    heaviest: Vec<(u32, f32)>,
}

impl Words {
    /// Of so many nodes nothing is known yet.
    pub fn new(nodes: u32, rarity: Rarity) -> Words {
        let rows = vec![(0, 0); nodes as usize];
        Words { rarity, rows, words: Vec::new(), weights: Vec::new(), heaviest: Vec::new() }
    }

    /// Adds a page: its words in any order, as often as they stand there. They are put in order and cut.
    pub fn add(&mut self, node: u32, words: &mut Vec<u32>) {
        let (Ok(first), Some(row)) = (u32::try_from(self.words.len()), self.rows.get_mut(node as usize)) else {
            return;
        };
        words.truncate(READ);
        words.sort_unstable();
        let heaviest = &mut self.heaviest;
        heaviest.clear();
        for run in words.chunk_by(|a, b| a == b) {
            let weight = (1.0 + (run.len() as f32).ln()) * self.rarity.idf(run[0]);
            if weight > 0.0 {
                heaviest.push((run[0], weight));
            }
        }
        if heaviest.len() > KEPT {
            heaviest.select_nth_unstable_by(KEPT, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            heaviest.truncate(KEPT);
            heaviest.sort_unstable_by_key(|(word, _)| *word);
        }
        let length = heaviest.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        self.words.extend(heaviest.iter().map(|(word, _)| *word));
        self.weights.extend(heaviest.iter().map(|(_, weight)| (weight / length * WHOLE).round() as u16));
        *row = (first, heaviest.len() as u32);
    }

    /// The cosine of two pages; nothing if of one of them no words are known that say anything.
    pub fn alike(&self, a: u32, b: u32) -> Option<f64> {
        let ((words, weights), (others, theirs)) = (self.row(a)?, self.row(b)?);
        let (mut at, mut other, mut sum) = (0, 0, 0u64);
        while at < words.len() && other < others.len() {
            let (one, two) = (words[at], others[other]);
            if one == two {
                sum += u64::from(weights[at]) * u64::from(theirs[other]);
            }
            at += usize::from(one <= two);
            other += usize::from(two <= one);
        }
        Some((sum as f64 / f64::from(WHOLE).powi(2)).min(1.0))
    }

    fn row(&self, node: u32) -> Option<(&[u32], &[u16])> {
        let (first, count) = *self.rows.get(node as usize)?;
        let range = first as usize..first as usize + count as usize;
        (count > 0).then_some((self.words.get(range.clone())?, self.weights.get(range)?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words_of_pages(pages: &[&[u32]]) -> Words {
        let mut rarity = Rarity::default();
        pages.iter().for_each(|page| rarity.learn(&mut page.to_vec()));
        let mut words = Words::new(pages.len() as u32, rarity);
        (0..).zip(pages).for_each(|(node, page)| words.add(node, &mut page.to_vec()));
        words
    }

    #[test]
    fn a_cosine_is_as_by_hand() {
        // Word 9 stands on every page and weighs nothing; 1 on two of three: ln 1.5; 2, 3 and 4 on one: ln 3.
        let words = words_of_pages(&[&[1, 9, 2, 1], &[3, 1, 9], &[4, 9]]);
        let (common, rare) = (1.5f64.ln(), 3f64.ln());
        let twice = (1.0 + 2f64.ln()) * common;
        let expected = twice * common / ((twice * twice + rare * rare).sqrt() * (common * common + rare * rare).sqrt());
        assert!((words.alike(0, 1).unwrap() - expected).abs() < 1e-4, "{:?} {expected}", words.alike(0, 1));
        assert_eq!(words.alike(0, 2), Some(0.0));
        assert!((words.alike(0, 0).unwrap() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn pages_without_words_are_not_known() {
        let words = words_of_pages(&[&[1, 9], &[2, 9], &[], &[9]]);
        assert_eq!(words.alike(0, 2), None);
        assert_eq!(words.alike(0, 7), None, "no such page");
        let all_alike = words_of_pages(&[&[1, 2], &[2, 1]]);
        assert_eq!(all_alike.alike(0, 1), None, "words that stand everywhere say nothing");
    }

    #[test]
    fn a_page_with_a_million_words_costs_what_is_kept_of_it() {
        let endless: Vec<u32> = (0..1_000_000u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
        let words = words_of_pages(&[&endless, &endless[..50], &endless[999_000..]]);
        assert!(words.words.len() <= 3 * KEPT && words.words.capacity() <= 8 * KEPT);
        assert!(words.alike(0, 1).is_some());
        assert_eq!(words.alike(0, 2), Some(0.0), "what stands behind {READ} words is not looked at");
    }

    proptest! {
        #[test]
        fn similarity_is_symmetric_and_between_0_and_1(pages in proptest::collection::vec(proptest::collection::vec(0u32..300, 0..400), 2..5)) {
            let pages: Vec<&[u32]> = pages.iter().map(Vec::as_slice).collect();
            let words = words_of_pages(&pages);
            for a in 0..pages.len() as u32 {
                for b in 0..pages.len() as u32 {
                    let content_similarity = words.alike(a, b);
                    prop_assert_eq!(content_similarity, words.alike(b, a));
                    prop_assert!(content_similarity.is_none_or(|of| (0.0..=1.0).contains(&of)), "{:?}", content_similarity);
                    prop_assert!(a != b || content_similarity.is_none_or(|of| of > 0.999), "{:?}", content_similarity);
                }
            }
        }
    }
}

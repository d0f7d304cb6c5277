//! The relevance of a page to the topic.
//!
//! ```text
//! (1) R_CB = sum_k a_k cos(v_k, v_T)     k: title .25, authors .05, affiliation .05, abstract .40, keywords .25; an absent part gives 0
//! (2) R_LB = mean (or sum, or largest) over the link parts present, previous/next and related, of cos(their link texts, v_T)
//! (3) R    = .7 R_CB + .3 R_LB
//!     struct(p) = sum of a_k over the content parts that p has
//! ```
//!
//! Source: paper 001, formulas (1) to (3); (1) and (2) are lost in its text and are our reading of it. A page whose parts nobody
//! looked for has its whole text as the one content part. Sums of (2) are cut at 1.
//!
//! **Relevant**, by our own judgement, is a page that is an article (or any page, if so set) and is about the topic. About it is a
//! page with R at or above the threshold, if one is set. If none is set: for a topic of words, a page whose title, abstract and
//! keywords (or main text, where it has neither) hold all of up to three words, or three quarters of more, by weight; for a text or
//! examples, a page with a part whose cosine is at least .16.
//!
//! Not guaranteed: that numbers of different topics can be compared; cosines to few words are small for long texts.

use groma_model::{PageType, PartKind};

/// The cosine from which on a part is about a topic given as a text or as examples.
pub(crate) const NEAR: f64 = 0.16;
/// The cover from which on a text is about a topic of more than three words.
pub(crate) const COVER: f64 = 0.75;

/// How near a text is to the topic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Near {
    /// The cosine of the two vectors, 0 to 1.
    pub cosine: f64,
    /// The share of the topic's words that the text has, by weight; 0 for topics that are not words.
    pub cover: f64,
}

/// How the link parts of a page are taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkMean {
    #[default]
    Mean,
    /// Their sum, at most 1.
    Sum,
    /// The largest of them.
    Max,
}

/// The settings of the judgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Weight of the title.
    pub title: f64,
    /// Weight of the authors.
    pub authors: f64,
    /// Weight of the affiliation.
    pub affiliation: f64,
    /// Weight of the abstract.
    pub abstracts: f64,
    /// Weight of the keywords.
    pub keywords: f64,
    /// The share of content in R; the rest is that of links.
    pub content: f64,
    /// How link parts are taken together.
    pub link_mean: LinkMean,
    /// Do pairs of words of the topic count as terms of their own?
    pub phrases: bool,
    /// R from which on a page is about the topic; unset: see above.
    pub threshold: Option<f64>,
    /// May pages of any type be relevant, not only articles?
    pub any_type: bool,
    /// How sure we must be that a page is an article, in per cent.
    pub sure: u8,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            title: 0.25,
            authors: 0.05,
            affiliation: 0.05,
            abstracts: 0.40,
            keywords: 0.25,
            content: 0.7,
            link_mean: LinkMean::Mean,
            phrases: true,
            threshold: None,
            any_type: false,
            sure: 0,
        }
    }
}

impl Weights {
    /// The weight of a part, before they are made to sum to 1.
    fn raw(&self, kind: PartKind) -> f64 {
        let weight = match kind {
            PartKind::Title => self.title,
            PartKind::Authors => self.authors,
            PartKind::Affiliation => self.affiliation,
            PartKind::Abstract => self.abstracts,
            PartKind::Keywords => self.keywords,
            _ => 0.0,
        };
        if weight.is_finite() { weight.max(0.0) } else { 0.0 }
    }

    /// The weight a_k of a kind of part. Weights sum to 1, unless all are 0.
    pub fn part_weight(&self, kind: PartKind) -> f64 {
        let all: f64 = CONTENT.iter().map(|kind| self.raw(*kind)).sum();
        if all > 0.0 { self.raw(kind) / all } else { 0.0 }
    }

    /// Formula (3): both scores as one.
    pub fn together(&self, content: f64, links: f64) -> f64 {
        let share = if self.content.is_finite() { self.content.clamp(0.0, 1.0) } else { 0.7 };
        share * content + (1.0 - share) * links
    }
}

/// The content parts of formula (1).
pub(crate) const CONTENT: [PartKind; 5] =
    [PartKind::Title, PartKind::Authors, PartKind::Affiliation, PartKind::Abstract, PartKind::Keywords];

/// What was found about a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevance {
    /// R, formula (3).
    pub r: f64,
    /// R_CB, formula (1).
    pub content: f64,
    /// R_LB, formula (2).
    pub links: f64,
    /// The cosines of the parts present, content parts and link parts, in the order of their codes.
    pub cosines: Vec<(PartKind, f64)>,
    /// The page's words as a whole, without its navigation.
    pub whole: Near,
    /// What the page is about: title, abstract and keywords, else its main text.
    pub about: Near,
    /// Score of the structure: struct(p).
    pub structure: f64,
    /// What the page is.
    pub page_type: PageType,
    /// How sure we are of that, in per cent.
    pub confidence: u8,
    /// Were its parts looked for?
    pub has_parts: bool,
    /// Whether it is relevant.
    pub relevant: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_whatever_they_are() {
        let sum = |weights: &Weights| CONTENT.iter().map(|kind| weights.part_weight(*kind)).sum::<f64>();
        assert!((sum(&Weights::default()) - 1.0).abs() < 1e-12);
        assert!((Weights::default().part_weight(PartKind::Abstract) - 0.4).abs() < 1e-12);
        let odd = Weights { title: f64::NAN, authors: -1.0, keywords: f64::INFINITY, ..Weights::default() };
        assert!((sum(&odd) - 1.0).abs() < 1e-12);
        assert_eq!(odd.part_weight(PartKind::Title), 0.0);
    }

    #[test]
    fn content_and_links_together() {
        assert!((Weights::default().together(0.5, 1.0) - 0.65).abs() < 1e-12);
        let odd = Weights { content: f64::NAN, ..Weights::default() };
        assert!((odd.together(1.0, 0.0) - 0.7).abs() < 1e-12);
    }
}

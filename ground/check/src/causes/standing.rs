//! Where do the links of a group stand, and with which words? If it is nearly always the same, a template has made them.
//!
//! The most frequent pair of text and block is found by the algorithm of Misra and Gries (1982) with four counters: what makes up
//! more than a fifth of all is among them, and its count is too small by a fifth at most. Memory: four short texts a group.

use groma_model::BlockKind;

use crate::finding::Finding;

const COUNTERS: usize = 4;
/// Characters of a link text that are kept.
const KEPT: usize = 80;
/// Pages from which a habit can be read.
const PAGES: u64 = 4;

/// Counts where links stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Standings {
    counters: Vec<(LinkPlace, u64)>,
}

/// The text of a link and the block it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPlace {
    pub text: String,
    pub block: Option<BlockKind>,
}

impl LinkPlace {
    /// Where it stands: "in the navigation". Empty if that is not known.
    pub fn says(&self) -> &'static str {
        match self.block {
            None => "",
            Some(BlockKind::Navigation) => "in the navigation",
            Some(BlockKind::Paragraph) => "in the text",
            Some(BlockKind::ListItem) => "in a list",
            Some(BlockKind::TableCell) => "in a table",
            Some(BlockKind::Preformatted) => "in preformatted text",
            Some(BlockKind::ImageAlt) => "on an image",
            Some(BlockKind::Title | BlockKind::Description | BlockKind::Keywords) => "in the head",
            Some(
                BlockKind::Heading1
                | BlockKind::Heading2
                | BlockKind::Heading3
                | BlockKind::Heading4
                | BlockKind::Heading5
                | BlockKind::Heading6,
            ) => "in a heading",
        }
    }
}

impl Standings {
    pub(super) fn take(&mut self, finding: &Finding) {
        let text = finding.anchor.trim();
        let kept = text.char_indices().nth(KEPT).map_or(text, |(at, _)| &text[..at]);
        let same = |(place, _): &&mut (LinkPlace, u64)| place.block == finding.block && place.text == kept;
        if let Some((_, count)) = self.counters.iter_mut().find(same) {
            *count += 1;
        } else if self.counters.len() < COUNTERS {
            self.counters.push((LinkPlace { text: kept.to_owned(), block: finding.block }, 1));
        } else {
            self.counters.iter_mut().for_each(|(_, count)| *count -= 1);
            self.counters.retain(|(_, count)| *count > 0);
        }
    }

    /// Where nearly all of so many stand: seven in ten at least, as far as is counted.
    pub(super) fn habit(self, all: u64) -> Option<LinkPlace> {
        let (place, count) = self.counters.into_iter().max_by_key(|(_, count)| *count)?;
        (all >= PAGES && count * 10 >= all * 7).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Kind;

    fn standings(texts: impl Iterator<Item = String>) -> Standings {
        let mut standings = Standings::default();
        for anchor in texts {
            standings.take(&Finding { anchor, ..Finding::of_page(Kind::InvalidLink, String::new()) });
        }
        standings
    }

    #[test]
    fn what_is_nearly_always_there_is_found_wherever_it_begins() {
        let noise = (0..10).map(|n| format!("other {n}"));
        let habit = standings(noise.chain((0..90).map(|_| "shop".to_owned()))).habit(100);
        assert_eq!(habit.map(|place| place.text).as_deref(), Some("shop"));
        assert_eq!(standings((0..100).map(|n| (n % 2).to_string())).habit(100), None);
        assert_eq!(standings((0..3).map(|_| "x".to_owned())).habit(3), None, "three pages are no habit");
        assert_eq!(standings((0..1_000).map(|n| n.to_string())).habit(1_000), None);
    }
}

//! How alike linked pages of a survey are, from the texts that are kept of every page that was read.
//!
//! Every crawl keeps the texts, so nothing has to be asked for before. Words are counted on at most [`LEARNED`] pages, spread evenly, and
//! then weighed on all. What stands in menus is left out: it is the same on pages of all kinds. Imported graphs have no texts, and
//! pages that were not read have none: of those nothing is known.
//!
//! Cost: two passes over the packed details, the first of which unpacks only pages that are counted; 0.4 KB a page at most while they are
//! read, then a byte a link.

use groma_bounds::ContentSimilarity;
use groma_bounds::content_similarity::{Compared, READ, Rarity, Words};
use groma_model::BlockKind;
use groma_store::codec::lend_blocks;
use groma_store::{Snapshot, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use crate::PageWeb;

/// Pages on which words are counted.
const LEARNED: usize = 16_384;

impl PageWeb {
    /// How alike linked pages are; nothing if it does not count, or if the survey has not kept what it takes.
    pub fn content_similarity(
        &self,
        store: &mut dyn Snapshot,
        compared: Compared,
    ) -> Result<Option<ContentSimilarity>, StoreError> {
        if compared == Compared::Nothing {
            return Ok(None);
        }
        let mut words = Words::new(self.standings.count(), self.rarity(store)?);
        let (mut buffer, mut read, mut damaged) = (Vec::new(), Vec::new(), None);
        store.each_content(&mut |id, packed| {
            if damaged.is_some() || packed.details.is_empty() || !self.is_page(id.0) {
                return;
            }
            read.clear();
            match lend_blocks(packed.details, &mut buffer, |kind, text| hashed(kind, text, &mut read)) {
                Some(()) => words.add(id.0, &mut read),
                None => damaged = Some(id),
            }
        })?;
        if let Some(id) = damaged {
            return Err(StoreError::Damaged(format!("the texts of page {}", id.0)));
        }
        Ok(ContentSimilarity::of_links(&self.graph, |a, b| words.alike(a, b)))
    }

    /// On how many pages words stand.
    fn rarity(&self, store: &mut dyn Snapshot) -> Result<Rarity, StoreError> {
        let every = self.nodes().count().div_ceil(LEARNED).max(1);
        let (mut rarity, mut buffer, mut read, mut seen) = (Rarity::default(), Vec::new(), Vec::new(), 0usize);
        store.each_content(&mut |id, packed| {
            if packed.details.is_empty() || !self.is_page(id.0) {
                return;
            }
            seen += 1;
            if seen % every == 0 {
                read.clear();
                // What is damaged is said when all pages are read.
                let _ = lend_blocks(packed.details, &mut buffer, |kind, text| hashed(kind, text, &mut read));
                rarity.learn(&mut read);
            }
        })?;
        Ok(rarity)
    }
}

/// Adds the words of a block, as numbers.
fn hashed(kind: BlockKind, text: &str, read: &mut Vec<u32>) {
    if kind == BlockKind::Navigation || read.len() >= READ {
        return;
    }
    groma_topic::for_each_word(text, |word| {
        if read.len() < READ {
            read.push(xxh3_64(word.as_bytes()) as u32);
        }
    });
}

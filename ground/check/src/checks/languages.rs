//! Versions in other languages: which pages are named by `hreflang` and do not name the page that does?
//!
//! Rule: page a names page b of the survey, both were read, and b does not name a: `hreflang-no-return`, told of a, since that is where the
//! link is passed over. Cost: 8 bytes a link with `hreflang`, and a sort. Not seen: versions outside of the survey, and those that a header or
//! a sitemap names.

use groma_model::PageId;

use crate::draft::Draft;
use crate::evidence::PageLinks;
use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// Which page names which as its version in another language.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    /// From and to, redirects followed.
    named: Vec<(u32, u32)>,
}

impl Versions {
    /// Takes what a page names.
    pub(crate) fn take(&mut self, facts: &Facts, page: &PageLinks<'_>) {
        let alternates = page.markup.map(|markup| markup.alternates.as_slice()).unwrap_or_default();
        let ends = alternates.iter().filter_map(|named| facts.end(page.links.get(named.link as usize)?.target));
        self.named.extend(ends.filter(|end| *end != page.id).map(|end| (page.id.0, end.0)));
    }

    /// Finds those that are not named back.
    pub(crate) fn find(mut self, facts: &Facts, drafts: &mut Vec<Draft>) {
        self.named.sort_unstable();
        self.named.dedup();
        let is_read = |id: u32| {
            facts.page(PageId(id)).is_some()
                && facts.has(PageId(id), Mark::Html)
                && facts.has(PageId(id), Mark::InScope)
        };
        for (from, to) in &self.named {
            if is_read(*from) && is_read(*to) && self.named.binary_search(&(*to, *from)).is_err() {
                drafts.push(Draft::of_double(Kind::HreflangNoReturn, PageId(*from), PageId(*to)));
            }
        }
    }
}

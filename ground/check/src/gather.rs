//! One pass over the links: every check that looks at links takes what it needs.

use std::io;

use groma_model::{LinkKind, PageId, State};

use crate::checks::anchors::Places;
use crate::checks::soft_not_found::{self, Headings};
use crate::checks::{invalid, mixed, orphans, redirects};
use crate::draft::Draft;
use crate::evidence::{Evidence, LinkFacts, PageLinks};
use crate::facts::{Facts, Mark};
use crate::finding::{Kind, Kinds};

/// What the pass over the links leaves for later.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) places: Places,
    pub(crate) headings: Headings,
    /// Links on indexed pages.
    pub(crate) links: u64,
}

/// Reads all links once, for all checks.
pub(crate) fn gather(
    evidence: &mut dyn Evidence,
    facts: &mut Facts,
    wanted: Kinds,
    drafts: &mut Vec<Draft>,
) -> io::Result<Gathered> {
    let mut gathered = Gathered::default();
    evidence.links(&mut |page| {
        if facts.reason(page.id).is_some_and(|reason| reason.state() == State::Fetched) {
            gathered.take(facts, wanted, page, drafts);
        }
    })?;
    Ok(gathered)
}

impl Gathered {
    fn take(&mut self, facts: &mut Facts, wanted: Kinds, page: &PageLinks<'_>, drafts: &mut Vec<Draft>) {
        self.headings.take(facts, page.id, page.heading);
        for (at, link) in page.links.iter().enumerate() {
            // These do not stand on the page.
            if matches!(link.kind, LinkKind::Redirect | LinkKind::Sitemap) {
                continue;
            }
            self.links += 1;
            for kind in judge(facts, page.id, link).into_iter().flatten().filter(|kind| wanted.has(*kind)) {
                drafts.push(Draft::of_link(kind, page.id, link.target, at));
            }
        }
        if wanted.has(Kind::MissingAnchor) {
            self.places.take(facts, page, drafts);
        }
    }
}

/// What a link is, by itself; and what it says about its target is marked there.
fn judge(facts: &mut Facts, from: PageId, link: &LinkFacts<'_>) -> [Option<Kind>; 2] {
    let Some(reason) = facts.reason(link.target) else { return [None, None] };
    if link.kind == LinkKind::Refresh {
        facts.mark(from, Mark::Refreshes);
    }
    let mixed = mixed::judge(facts, from, link.target, link.kind);
    let Some(end) = facts.end(link.target) else { return [mixed, None] };
    orphans::take(facts, from, end, link.kind, link.block);
    if facts.has(end, Mark::MaybeSoft) && soft_not_found::speaks_of_topic(link.text) {
        facts.mark(end, Mark::NamedTopic);
    }
    if link.kind != LinkKind::Form {
        facts.mark(end, Mark::Target);
    }
    let other = match invalid::judge(facts, link.target) {
        Some(Kind::InvalidLink) => {
            // Links of every kind count here: what is told as a broken link is not told again as named by a sitemap.
            facts.mark(link.target, Mark::Linked);
            facts.mark(end, Mark::Linked);
            Some(Kind::InvalidLink)
        }
        Some(outside) => Some(outside),
        None if reason.state() == State::Alias => redirects::judge(facts, link.target),
        None => None,
    };
    [mixed, other]
}

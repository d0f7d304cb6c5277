//! One pass over the links: every check that looks at links takes what it needs.

use std::io;

use groma_model::{BlockKind, LinkKind, PageId, State};

use crate::catalogue::{Judging, LinkView, PageView};
use crate::checks::anchors::Places;
use crate::checks::languages::Versions;
use crate::checks::soft_not_found::{self, Headings};
use crate::checks::{invalid, mixed, orphans, redirects, titles};
use crate::draft::Draft;
use crate::evidence::{Evidence, LinkFacts, PageLinks};
use crate::facts::{Facts, Mark};
use crate::finding::{Kind, Kinds};

/// What the pass over the links leaves for later.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) places: Places,
    pub(crate) headings: Headings,
    pub(crate) versions: Versions,
    /// Links on indexed pages.
    pub(crate) links: u64,
    /// Pages whose markup was not kept, by an older version.
    pub(crate) without_markup: u64,
}

/// Reads all links once, for all checks.
pub(crate) fn gather(
    evidence: &mut dyn Evidence,
    facts: &mut Facts,
    wanted: Kinds,
    judging: &mut Judging<'_>,
    drafts: &mut Vec<Draft>,
) -> io::Result<Gathered> {
    let mut gathered = Gathered::default();
    evidence.links(&mut |page| {
        if facts.reason(page.id).is_some_and(|reason| reason.state() == State::Fetched) {
            gathered.take(facts, wanted, page, judging, drafts);
        }
    })?;
    judging.finish(drafts);
    Ok(gathered)
}

impl Gathered {
    fn take(
        &mut self,
        facts: &mut Facts,
        wanted: Kinds,
        page: &PageLinks<'_>,
        judging: &mut Judging<'_>,
        drafts: &mut Vec<Draft>,
    ) {
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
            if let Some(end) = facts.end(link.target) {
                let view = LinkView { from: page.id, link, end, facts };
                drafts.extend(judging.link(&view).map(|kind| Draft::of_link(kind, page.id, link.target, at)));
            }
        }
        self.judge_page(facts, page, judging, drafts);
        if wanted.has(Kind::MissingAnchor) {
            self.places.take(facts, page, drafts);
        }
    }
}

impl Gathered {
    /// What is said of a page by its content. One that was cut is left alone: what is missing may stand in the rest.
    fn judge_page(
        &mut self,
        facts: &mut Facts,
        page: &PageLinks<'_>,
        judging: &mut Judging<'_>,
        drafts: &mut Vec<Draft>,
    ) {
        let is_page = facts.has(page.id, Mark::Html)
            && facts.has(page.id, Mark::InScope)
            && !facts.has(page.id, Mark::Incomplete);
        if !is_page {
            return;
        }
        self.without_markup += u64::from(page.markup.is_none());
        self.versions.take(facts, page);
        if let Some(row) = facts.page_mut(page.id) {
            let text =
                |kind| page.blocks.iter().find(|block| block.kind == kind).map_or("", |block| block.text.as_str());
            row.description = titles::fingerprint(text(BlockKind::Description));
            row.heading = titles::fingerprint(page.heading);
        }
        if let Some(row) = facts.page(page.id) {
            let view = PageView { content: page, page: row, facts, thresholds: judging.thresholds };
            judging.page(&view, drafts);
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

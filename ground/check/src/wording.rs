//! Gives drafts their words: URLs, texts of links, details. Pages are read again for that, each at most once per kind.

use std::collections::HashMap;
use std::io;

use groma_model::{BlockKind, LinkKind, PageId, Reason};

use crate::catalogue::Remarks;
use crate::checks::{cuts, invalid, redirects};
use crate::draft::Draft;
use crate::evidence::{Evidence, PageFacts};
use crate::facts::{Facts, Mark, NONE};
use crate::finding::{Finding, Kind};

/// URLs that are remembered, since links of many pages lead to the same ones.
const REMEMBERED: usize = 10_000;
/// Characters of a title or the name of a place that are quoted.
const QUOTED: usize = 200;

/// Words a run of drafts of one kind and one page, in order.
pub(crate) struct Wording<'a> {
    evidence: &'a mut dyn Evidence,
    facts: &'a Facts,
    remarks: &'a Remarks,
    urls: HashMap<u32, String>,
}

/// A link, kept while its page is worded.
struct Worded {
    kind: LinkKind,
    block: BlockKind,
    text: String,
    fragment: String,
}

impl<'a> Wording<'a> {
    pub(crate) fn new(evidence: &'a mut dyn Evidence, facts: &'a Facts, remarks: &'a Remarks) -> Wording<'a> {
        Wording { evidence, facts, remarks, urls: HashMap::new() }
    }

    /// The findings of a sorted run of drafts that have kind and page in common.
    pub(crate) fn findings(&mut self, drafts: &[Draft]) -> io::Result<Vec<Finding>> {
        let Some(first) = drafts.first() else { return Ok(Vec::new()) };
        if !first.kind.is_of_link() {
            return drafts.iter().take(1).map(|draft| self.of_page(draft)).collect();
        }
        let links = self.links(drafts)?;
        let mut findings = Vec::new();
        for group in drafts.chunk_by(|a, b| a.to == b.to) {
            self.of_links(group, &links, &mut findings)?;
        }
        Ok(findings)
    }

    /// The links that drafts of one page speak of.
    fn links(&mut self, drafts: &[Draft]) -> io::Result<HashMap<u32, Worded>> {
        let mut links = HashMap::with_capacity(drafts.len());
        self.evidence.links_of(PageId(drafts[0].from), &mut |page| {
            for draft in drafts {
                let Some(link) = page.links.get(draft.link as usize) else { continue };
                let (text, fragment) = (link.text.to_owned(), link.fragment.to_owned());
                links.insert(draft.link, Worded { kind: link.kind, block: link.block, text, fragment });
            }
        })?;
        Ok(links)
    }

    /// Drafts of links from one page to one URL: one finding, or one for each place on that page.
    fn of_links(&mut self, drafts: &[Draft], links: &HashMap<u32, Worded>, out: &mut Vec<Finding>) -> io::Result<()> {
        let kind = drafts[0].kind;
        // The link that is told, and how many others say the same; in order of the page.
        let mut told: Vec<(u32, u64)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for draft in drafts {
            let place =
                links.get(&draft.link).filter(|_| kind == Kind::MissingAnchor).map(|link| link.fragment.as_str());
            let at = *places.entry(place.unwrap_or_default()).or_insert(told.len());
            match told.get_mut(at) {
                Some((_, count)) => *count += 1,
                None => told.push((draft.link, 1)),
            }
        }
        for (link, count) in told {
            out.push(self.of_link(&drafts[0], links.get(&link), count)?);
        }
        Ok(())
    }

    fn of_link(&mut self, draft: &Draft, link: Option<&Worded>, count: u64) -> io::Result<Finding> {
        let target = PageId(draft.to);
        let (mut to, facts) = (self.url(target)?, self.facts);
        let end = facts.end(target).unwrap_or(target);
        let hops = match draft.kind {
            Kind::InvalidLink
            | Kind::Redirect
            | Kind::RedirectChain
            | Kind::OutsideBroken
            | Kind::OutsideUnreachable
            | Kind::OutsideBlocked => redirects::hops(facts, target, &mut |id| self.url(id))?,
            _ => String::new(),
        };
        let mut details = vec![hops];
        if let Some(link) = link.filter(|_| draft.kind == Kind::MissingAnchor) {
            to = format!("{to}#{}", link.fragment);
            details.push(format!("the page has no id or name `{}`", cut(&link.fragment)));
        }
        if draft.kind == Kind::OutsideMoved {
            let mut moved_to = String::new();
            self.evidence.page(end, &mut |page| {
                moved_to = page.asked.map(|asked| asked.moved_to.to_owned()).unwrap_or_default();
            })?;
            details.push(format!("moved to {moved_to}"));
        }
        if count > 1 {
            details.push(format!("{count} links"));
        }
        let (reason, since) = match draft.kind {
            Kind::InvalidLink | Kind::OutsideBroken | Kind::OutsideUnreachable | Kind::OutsideBlocked => {
                (facts.reason(end), facts.since(end))
            }
            // That it is outside is not what is to be known.
            Kind::OutsideMoved => (None, facts.since(end)),
            // That the page was fetched is not what is wrong with it.
            Kind::MissingAnchor => (None, facts.since(target)),
            kind if kind.is_of_link_alone() => (None, facts.since(target)),
            _ => (facts.reason(target), facts.since(target)),
        };
        let next = match draft.kind {
            Kind::InvalidLink => invalid::next_step(reason.unwrap_or(Reason::NotFound)),
            kind @ (Kind::Redirect | Kind::RedirectChain) => redirects::next_step(facts, target, kind),
            kind => kind.next_step(),
        };
        details.retain(|detail| !detail.is_empty());
        Ok(Finding {
            to: Some(to),
            anchor: link.map(|link| link.text.clone()).unwrap_or_default(),
            block: link.map(|link| link.block),
            link: link.map(|link| link.kind),
            links: count,
            reason,
            since,
            detail: details.join("; "),
            next,
            ..Finding::of_page(draft.kind, self.url(PageId(draft.from))?)
        })
    }

    fn of_page(&mut self, draft: &Draft) -> io::Result<Finding> {
        let id = PageId(draft.from);
        let mut finding = Finding::of_page(draft.kind, self.url(id)?);
        finding.since = self.facts.since(id);
        if draft.to != NONE {
            finding.to = Some(self.url(PageId(draft.to))?);
        }
        match draft.kind {
            Kind::Orphan => {
                let named = self.facts.has(id, Mark::FromSitemap);
                finding.detail = if named { "named by a sitemap" } else { "known from an earlier crawl" }.to_owned();
            }
            Kind::StartBroken => (finding.reason, finding.since) = (self.facts.reason(id), self.facts.since(id)),
            Kind::SitemapRedirect => finding.detail = redirects::hops(self.facts, id, &mut |id| self.url(id))?,
            Kind::SitemapInvalid => {
                let end = self.facts.end(id).unwrap_or(id);
                (finding.reason, finding.since) = (self.facts.reason(end), self.facts.since(end));
                finding.detail = redirects::hops(self.facts, id, &mut |id| self.url(id))?;
            }
            Kind::SoftNotFound => {
                let mut via = None;
                finding.detail = self.of_facts(id, &mut |page| {
                    via = page.via;
                    quoted(page.title)
                })?;
                if let Some(via) = via {
                    finding.detail.push_str(if finding.detail.is_empty() { "linked from " } else { ", linked from " });
                    finding.detail.push_str(&self.url(via)?);
                }
            }
            Kind::DoubledTitle => finding.detail = self.of_facts(id, &mut |page| quoted(page.title))?,
            Kind::Cut | Kind::BrokenOff => finding.detail = self.of_facts(id, &mut |page| cuts::detail(page.cuts))?,
            _ => self.remarks.text(draft.link).clone_into(&mut finding.detail),
        }
        Ok(finding)
    }

    fn of_facts(&mut self, id: PageId, words: &mut dyn FnMut(&PageFacts<'_>) -> String) -> io::Result<String> {
        let mut text = String::new();
        self.evidence.page(id, &mut |page| text = words(page))?;
        Ok(text)
    }

    fn url(&mut self, id: PageId) -> io::Result<String> {
        if let Some(url) = self.urls.get(&id.0) {
            return Ok(url.clone());
        }
        let url = self.evidence.url(id)?;
        if self.urls.len() >= REMEMBERED {
            self.urls.clear();
        }
        self.urls.insert(id.0, url.clone());
        Ok(url)
    }
}

/// A title in quotation marks, cut where it is too long; nothing if it is empty.
fn quoted(title: &str) -> String {
    let shown = cut(title.trim());
    if shown.is_empty() { shown } else { format!("\u{201c}{shown}\u{201d}") }
}

/// The beginning of a text, with a mark where it is cut.
fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('\u{2026}');
    }
    shown
}
